//! One attempt, as `attempts show` prints it.

use super::kept_attempt::{KeptAttempt, find};
use super::{AttemptQuery, attempt_diff, outcome, session_log};
use crate::cli::Context;
use crate::cli::shown_moment::whole_seconds;
use crate::cli::unit_command::OpenFeature;
use gatewalk_core::engine::attempt_record::{CommandResult, Judgement, SessionEnd};
use gatewalk_core::engine::evidence::{one_line, sanitize};
use gatewalk_core::error::Result;
use gatewalk_core::exit::Exit;
use gatewalk_host::os::{command_log, log_dir};
use serde_json::{Value, json};

/// What of an attempt is shown besides its record.
pub(super) struct ShownParts<'a> {
    pub(super) prompt: bool,
    pub(super) diff: bool,
    /// Of the diff, this file alone.
    pub(super) file: Option<&'a str>,
    pub(super) transcript: bool,
}

/// Prints an attempt.
pub(super) fn show(
    context: &Context,
    query: &AttemptQuery<'_>,
    parts: &ShownParts<'_>,
) -> Result<Exit> {
    let opened = query.open(context)?;
    let (id, kept) = find(&opened, query.unit, query.number)?;
    let a = &kept.record;
    let out = &context.out;
    if query.common.json {
        out.json(&as_json(&opened, &kept, parts)?);
        return Ok(Exit::Success);
    }
    if parts.diff {
        attempt_diff::print_all(out, &opened.repository.git, a, parts.file)?;
        return Ok(Exit::Success);
    }
    let kept_at = &kept.kept_at;
    for line in heading(&id, &kept).into_iter().chain(reported(&a.session)) {
        out.line(line);
    }
    let notes = a.session.notes.iter().map(|note| note.text());
    for note in each_once(notes) {
        out.line(format!("  note      {}", one_line(note)));
    }
    for line in a.judgement.iter().flat_map(judgement_lines) {
        out.line(line);
    }
    let logs = log_dir(&opened.repository.git.state_dir(), &id, a.number);
    if parts.prompt
        && let Ok(text) = std::fs::read_to_string(logs.join("prompt.md"))
    {
        out.line(format!("\n--- prompt ---\n{}", sanitize(&text)));
    }
    attempt_diff::print_some(out, &opened.repository.git, (a, kept_at))?;
    out.line(format!("\nlogs: {}", logs.display()));
    Ok(Exit::Success)
}

/// Returns texts in their order, each once.
fn each_once<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut said = Vec::new();
    for text in texts {
        if !said.contains(&text) {
            said.push(text);
        }
    }
    said
}

/// Returns the record of an attempt, where it is kept, and what else was asked for; null for what is not kept any more.
fn as_json(opened: &OpenFeature<'_>, kept: &KeptAttempt, parts: &ShownParts<'_>) -> Result<Value> {
    let record = &kept.record;
    let mut value = serde_json::to_value(record).expect("plain data");
    value["kept_at"] = json!(kept.kept_at);
    let state = opened.repository.git.state_dir();
    let logs = log_dir(&state, &record.unit, record.number);
    if parts.prompt {
        value["prompt"] = json!(std::fs::read_to_string(logs.join("prompt.md")).ok());
    }
    if parts.diff {
        let git = &opened.repository.git;
        value["diff"] = attempt_diff::as_json(git, record, parts.file)?;
    }
    if parts.transcript {
        let log = logs.join("session.log");
        let lines = session_log::transcript(opened.context, &record.agent, &log);
        value["transcript"] = json!(lines.ok().map(|(_, lines)| lines));
        let rows = value.pointer_mut("/judgement/commands");
        for row in rows.and_then(Value::as_array_mut).into_iter().flatten() {
            let name = row["name"].as_str().unwrap_or_default();
            let log = command_log(&state, &record.unit, record.number, name);
            row["output"] = json!(session_log::end_of_output(&log));
        }
    }
    Ok(value)
}

/// Which attempt it is, who made it, when, and where it is kept.
fn heading(id: &str, kept: &KeptAttempt) -> Vec<String> {
    let a = &kept.record;
    let model = a.model.as_ref().map(|m| format!(" ({})", sanitize(m)));
    let how = match kept.charged {
        true => outcome(a),
        false => "charged to nobody".to_owned(),
    };
    let queued = a.queued_seconds.filter(|queued| *queued > 0.0);
    let queued = queued.map(|queued| format!(", queued {queued:.1}s before it ran"));
    let queued = queued.unwrap_or_default();
    let there = a
        .runner
        .as_ref()
        .map(|runner| format!("  runner    {}{queued}", sanitize(runner)));
    let mut lines = vec![
        format!("{id}, {}: {how}", kept.name()),
        format!(
            "  agent     {}{}",
            sanitize(&a.agent),
            model.unwrap_or_default()
        ),
        format!(
            "  started   {}, {:.1}s, session {}",
            whole_seconds(&a.started_at),
            a.figures.duration_seconds,
            a.session.class
        ),
    ];
    lines.extend(there);
    lines.push(format!("  base      {}", a.base));
    lines.push(format!("  kept at   {}", kept.kept_at));
    lines
}

/// What the session says of its own work.
fn reported(session: &SessionEnd) -> Vec<String> {
    let line = |name: &str, text: &String| format!("  {name:<9} {}", one_line(text));
    let summary = session.summary.iter().map(|t| line("reports", t));
    let criteria = session.criteria.iter().map(|t| line("criterion", t));
    let follow_ups = session.follow_ups.iter().map(|t| line("follow-up", t));
    let last_words = session.last_words.iter().map(|t| line("last words", t));
    summary
        .chain(last_words)
        .chain(criteria)
        .chain(follow_ups)
        .collect()
}

/// The commands that judged an attempt, what the guards noticed, and the evidence of a failure.
pub(in crate::cli) fn judgement_lines(j: &Judgement) -> Vec<String> {
    let command = |c: &CommandResult| {
        let exit = match c.exit {
            Some(code) => format!("exit {code}"),
            None => c.note.clone().unwrap_or_default(),
        };
        format!(
            "  {:<8}  {} ({exit}, {:.1}s): {}",
            c.verdict,
            sanitize(&c.name),
            c.seconds,
            sanitize(&c.command)
        )
    };
    let notice = |n: &str| format!("  see       {}", one_line(n));
    let evidence = |e: &str| format!("\n{}", sanitize(e).trim_end());
    let commands = j.commands.iter().map(command);
    let judged_on = j.judged_on.iter();
    let judged_on = judged_on.map(|runner| format!("  judged on {}", sanitize(runner)));
    let notices = each_once(j.notices.iter().map(String::as_str));
    let lines = judged_on
        .chain(commands)
        .chain(notices.into_iter().map(notice));
    lines
        .chain(j.evidence().into_iter().map(evidence))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_twice_is_shown_once() {
        let said = ["left a process", "log cut short", "left a process"];
        assert_eq!(each_once(said.into_iter()), said[..2]);
    }
}
