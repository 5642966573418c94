//! `--ask AGENT` of commands that look: a session that changes nothing, and whose answer decides nothing.

use super::Context;
use super::run_guards::{Locks, agent_or_refuse, end_leftovers, guarded_family};
use super::unit_command::OpenFeature;
use super::watch::Printer;
use gatewalk_core::driver::advice_session::{self, Advice, AdviceRequest};
use gatewalk_core::engine::advice::{self, ReadFindings};
use gatewalk_core::engine::attempt_record::AttemptRecord;
use gatewalk_core::engine::evidence::{one_line, sanitize};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectId;
use gatewalk_host::os::Os;
use gatewalk_host::signals;
use serde_json::{Value, json};

/// The most bytes of a diff that are read.
const DIFF_LIMIT: usize = 4 << 20;

/// The most bytes of each attempt's diff that a session is given.
const ATTEMPT_DIFF: usize = 16 << 10;

/// The most commits of a feature that are looked through for its first.
const MOST_COMMITS: usize = 5_000;

/// What a session advised, and what that cost.
pub(crate) struct AdviceAnswer {
    agent: String,
    text: String,
    cost_usd: Option<f64>,
}

/// Where a session that is asked stands.
struct AdviceQuestion<'a> {
    agent: &'a str,
    about: &'a str,
    base: ObjectId,
    tree: ObjectId,
    prompt: String,
}

/// Runs the session; none where that was cut short.
fn consult(opened: &OpenFeature<'_>, question: AdviceQuestion<'_>) -> Result<Option<AdviceAnswer>> {
    let (context, repository): (&Context, _) = (opened.context, &opened.repository);
    let host = context.host()?;
    agent_or_refuse(question.agent, &host)?;
    let _locks = Locks::take(repository, &opened.selected)?;
    let family_path = end_leftovers(context, repository);
    let (family, _watchdog) = guarded_family(context, repository, &host, &family_path)?;
    let stop = signals::install()?;
    let watcher = Printer::new(context.out.clone(), false);
    let machine = Os::new(&repository.git, host, &watcher)?.for_run(stop, family);
    machine.require_isolation(opened.selected.workspace.config.sandbox())?;
    let asked = advice_session::ask(
        &machine,
        &watcher,
        &AdviceRequest {
            base: question.base,
            tree: question.tree,
            branch: &opened.selected.branch,
            about: question.about,
            agent: question.agent,
            prompt: question.prompt,
        },
    )?;
    watcher.finish();
    match asked {
        Advice::Interrupted => Ok(None),
        Advice::NoAgent(why) => Err(Error::environment(format!(
            "`{}` cannot answer: {}",
            one_line(question.agent),
            sanitize(&why)
        ))
        .hint("`gatewalk doctor` shows which agents work here; nothing was changed")),
        Advice::Answer { text, cost_usd } => Ok(Some(AdviceAnswer {
            agent: question.agent.to_owned(),
            text,
            cost_usd,
        })),
    }
}

/// Asks why a unit does not get done; the slot holds what was left last.
pub(crate) fn why(
    opened: &OpenFeature<'_>,
    agent: &str,
    (unit, explained): (&str, &str),
    tried: &[AttemptRecord],
) -> Result<Option<AdviceAnswer>> {
    let git = &opened.repository.git;
    let mut material = format!("{explained}\n");
    for attempt in tried {
        let (patch, cut) = git.patch_text(attempt.base, attempt.tree, ATTEMPT_DIFF)?;
        let evidence = attempt.judgement.as_ref();
        let evidence = evidence
            .and_then(|j| j.evidence())
            .unwrap_or("it was not judged");
        let rest = if cut { "… the diff goes on\n" } else { "" };
        material.push_str(&format!(
            "\nAttempt {}, as it was judged:\n{evidence}\n\nWhat it changed:\n{}{rest}",
            attempt.number,
            String::from_utf8_lossy(&patch)
        ));
    }
    let (base, tree) = match tried.last() {
        Some(last) => (last.base, last.tree),
        None => (opened.selected.commit, git.tree_of(opened.selected.commit)?),
    };
    let prompt = advice::prompt_of_why(unit, &material);
    consult(
        opened,
        AdviceQuestion {
            agent,
            about: unit,
            base,
            tree,
            prompt,
        },
    )
}

/// Asks what is wrong with what a feature changed; of the answer, what quotes the diff.
pub(crate) fn review(
    opened: &OpenFeature<'_>,
    agent: &str,
) -> Result<Option<(AdviceAnswer, ReadFindings)>> {
    let git = &opened.repository.git;
    let (name, tip) = (opened.feature().name(), opened.selected.commit);
    let own = format!("\nFeature: {name}/");
    let commits = git.log(None, tip, MOST_COMMITS)?;
    let first = commits.iter().rfind(|commit| commit.message.contains(&own));
    let from = first.and_then(|commit| commit.parents.first().copied());
    let Some(from) = from else {
        return Err(Error::plan(format!(
            "nothing of {name} has landed yet: there is no diff to look at"
        ))
        .hint("`gatewalk loop` does the work; nothing was started"));
    };
    let (patch, _) = git.patch_text(from, tip, DIFF_LIMIT)?;
    let patch = advice::outside(
        &String::from_utf8_lossy(&patch),
        opened.repository.layout.dir(),
    );
    let question = AdviceQuestion {
        agent,
        about: &name,
        base: tip,
        tree: git.tree_of(tip)?,
        prompt: advice::prompt_of_review(&name, &patch),
    };
    let answer = consult(opened, question)?;
    Ok(answer.map(|answer| {
        let read = advice::read_findings(&answer.text, &patch);
        (answer, read)
    }))
}

impl AdviceAnswer {
    /// Returns the lines of the answer without the block that ends it.
    fn lines(&self) -> Vec<String> {
        let text = self.text.split("```result").next().unwrap_or_default();
        sanitize(text.trim()).lines().map(str::to_owned).collect()
    }

    /// Shows it under what the command shows by itself.
    pub(crate) fn print(&self, context: &Context) {
        let out = &context.out;
        out.line(format!(
            "\nwhat {} says, which decides nothing",
            one_line(&self.agent)
        ));
        let lines = self.lines();
        if lines.is_empty() {
            out.line("  nothing");
        }
        lines.iter().for_each(|line| out.line(format!("  {line}")));
    }

    pub(crate) fn json(&self) -> Value {
        json!({"agent": self.agent, "text": self.lines().join("\n"), "cost_usd": self.cost_usd})
    }

    /// Shows what of a review quotes the diff.
    pub(crate) fn print_findings(&self, context: &Context, read: &ReadFindings) {
        let out = &context.out;
        out.line(format!(
            "\nwhat {} found, which decides nothing",
            one_line(&self.agent)
        ));
        if read.kept.is_empty() {
            out.line("  nothing");
        }
        for finding in &read.kept {
            out.line(format!(
                "  {}: {}",
                one_line(&finding.path),
                one_line(&finding.note)
            ));
            for line in finding.quote.lines() {
                out.line(format!("    | {}", sanitize(line)));
            }
        }
        if read.dropped > 0 {
            out.line(format!(
                "  {} dropped: they quote nothing of the diff",
                read.dropped
            ));
        }
    }

    pub(crate) fn findings_json(&self, read: &ReadFindings) -> Value {
        json!({"agent": self.agent, "findings": read.kept, "dropped": read.dropped, "cost_usd": self.cost_usd})
    }
}
