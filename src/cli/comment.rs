//! `gatewalk comment`: write on a line of an attempt's diff, for the next session to read.

use super::Context;
use super::new::OnDisk;
use super::next_commands::Surroundings;
use super::unit_command::{Common, OpenFeature, one_line};
use gatewalk_core::engine::attempt_record::AttemptRecord;
use gatewalk_core::engine::events;
use gatewalk_core::engine::evidence::sanitize;
use gatewalk_core::engine::review_comments::{self, LineComment};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::model::edit::FileEdits;
use gatewalk_core::model::id::short_id;

use gatewalk_core::model::feature::PlannedUnit;
use gatewalk_core::model::status_machine::UnitStatus;
use gatewalk_core::scaffold::{WriteMode, follow_up};
use gatewalk_host::git::{Git, GitPath};
use serde_json::json;

/// Most characters of a line that is quoted.
const QUOTE_CHARS: usize = 200;

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  gatewalk comment T03 --at src/cart.rs:12 \"an empty cart has no total\"\n  gatewalk comment T03 --attempt 1 --at src/cart.rs:12 \"keep this one\""
)]
pub(crate) struct Args {
    /// The unit: its id, or `T03` with one active feature
    unit: String,
    /// What it says
    text: String,
    /// The line, as the attempt left it; of a file that it removed, as it was before
    #[arg(long, value_name = "PATH:LINE")]
    at: String,
    /// The attempt whose diff is meant; the last when absent
    #[arg(long, value_name = "N")]
    attempt: Option<u32>,
    #[command(flatten)]
    common: Common,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let text = one_line("the comment", &args.text)?;
    let mut opened = OpenFeature::open(context, &args.common, Some(&args.unit))?;
    opened.refuse_over()?;
    let id = opened.unit(&args.unit)?.id().to_owned();
    let comment = comment(&opened, args, &id, text)?;
    let at_work = Surroundings::at_work(&opened.repository)?;
    if at_work.in_flight().contains(&id) {
        return Err(Error::plan(format!(
            "{id} is being worked on: a comment would reach nobody"
        ))
        .hint("wait until its attempt has ended, or end it: gatewalk stop"));
    }
    let (what, commit) = write(context, &mut opened, &id, comment)?;
    opened.done(args.common.json, &what, commit);
    Ok(Exit::Success)
}

/// Writes a comment where the next session that can do something about it reads it.
pub(super) fn write(
    context: &Context,
    opened: &mut OpenFeature<'_>,
    id: &str,
    comment: LineComment,
) -> Result<CommentOutcome> {
    match opened.unit(id)?.status() {
        UnitStatus::Abandoned => Err(Error::plan(format!(
            "{id} is `abandoned`: no session will read it"
        ))),
        UnitStatus::Done => on_follow_up(context, opened, id, comment),
        _ => on_unit(opened, id, comment),
    }
}

/// Reads the place, and quotes the line that stands there.
fn comment(opened: &OpenFeature<'_>, args: &Args, id: &str, text: String) -> Result<LineComment> {
    let wrong = || {
        Error::usage(format!("`--at {}` names no line", sanitize(&args.at)))
            .hint("write it as PATH:LINE, such as `src/cart.rs:12`")
    };
    let (path, line) = args.at.rsplit_once(':').ok_or_else(wrong)?;
    let line: u32 = line.parse().ok().filter(|n| *n > 0).ok_or_else(wrong)?;
    if path.is_empty() || path.contains('`') || path.contains('\n') {
        return Err(wrong());
    }
    let attempts = opened.attempts()?;
    let own = attempts
        .charged
        .get(id)
        .map_or(&[][..], |all| all.as_slice());
    let record = match args.attempt {
        None => own.last(),
        Some(n) => Some(own.iter().find(|a| a.number == n).ok_or_else(|| {
            Error::plan(format!("{id} has no attempt {n}"))
                .hint(format!("`gatewalk attempts list` lists those of {id}"))
        })?),
    };
    let quoted = record.map(|record| quoted_line(&opened.repository.git, record, (path, line)));
    Ok(LineComment {
        path: path.to_owned(),
        line,
        attempt: record.map(|record| record.number),
        text,
        quoted: quoted.transpose()?,
    })
}

/// Returns the line of an attempt's file, as the attempt left it or else as it found it.
fn quoted_line(git: &Git, record: &AttemptRecord, (path, line): (&str, u32)) -> Result<String> {
    let named = GitPath::new(path);
    let file = match git.file_at(record.tree, &named)? {
        None => git.file_at(record.base, &named)?,
        found => found,
    };
    let (number, id, shown) = (record.number, &record.unit, sanitize(path));
    let file =
        file.ok_or_else(|| Error::plan(format!("attempt {number} of {id} has no file `{shown}`")))?;
    let file = String::from_utf8_lossy(&file);
    let quoted = file
        .lines()
        .nth(line as usize - 1)
        .ok_or_else(|| Error::plan(format!("`{shown}` has no line {line} there")))?;
    Ok(quoted.chars().take(QUOTE_CHARS).collect())
}

/// What to report, and the commit that holds it.
pub(super) type CommentOutcome = (String, gatewalk_core::object_id::ObjectId);

/// Writes a comment into the unit's own file.
fn on_unit(opened: &mut OpenFeature<'_>, id: &str, comment: LineComment) -> Result<CommentOutcome> {
    let now = opened.now.clone();
    let message = format!(
        "Comment on {id}\n\n{}:{}: {}\n",
        comment.path, comment.line, comment.text
    );
    let commit = opened.commit(&message, |books, feature| {
        let unit = feature.member(id).and_then(|m| m.unit);
        let unit = unit.ok_or_else(|| Error::plan(format!("{id} has no file")))?;
        let text = review_comments::with_comment(&unit.doc.text, &comment);
        let mut edits: FileEdits = vec![(unit.path().to_string(), text)];
        let event = events::verb(id, &now, "line_commented", json!(comment));
        edits.extend(books.note(event));
        Ok(edits)
    })?;
    Ok((format!("the next session of {id} reads it"), commit))
}

/// Writes a comment on work that landed into a draft that follows it up: the one there is, or a new one.
fn on_follow_up(
    context: &Context,
    opened: &mut OpenFeature<'_>,
    id: &str,
    comment: LineComment,
) -> Result<CommentOutcome> {
    let short = short_id(id);
    let title = format!("Follow up on {short}");
    let has_title = |m: &PlannedUnit<'_>| m.unit.is_some_and(|unit| unit.title() == title);
    let draft = opened
        .feature()
        .members()
        .find(|m| m.status() == UnitStatus::Draft && has_title(m))
        .map(|m| m.id().to_owned());
    if let Some(draft) = draft {
        return on_unit(opened, &draft, comment);
    }
    let disk = OnDisk::of_commit(&opened.repository, opened.selected.commit)?;
    let name = opened.feature().name();
    let mut planned = disk.new_unit(context, (&name, None), &title)?;
    let new = planned.iter_mut().find(|w| w.mode == WriteMode::Create);
    let file = new.map(|new| {
        let text = follow_up::follow_up(&new.content, id);
        new.content = review_comments::with_comment(&text, &comment);
        new.path.clone()
    });
    let now = opened.now.clone();
    let message = format!("Draft a unit that follows up on {id}\n");
    let edits: FileEdits = planned.into_iter().map(|w| (w.path, w.content)).collect();
    let commit = opened.commit(&message, |books, _| {
        let mut all = edits.clone();
        let event = events::verb(id, &now, "line_commented", json!(comment));
        all.extend(books.note(event));
        Ok(all)
    })?;
    let file = file.unwrap_or_default();
    Ok((
        format!("{id} has landed; a draft follows it up: {file}"),
        commit,
    ))
}
