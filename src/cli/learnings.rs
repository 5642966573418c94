//! `gatewalk learnings`: lessons, what the logs suggest, and taking one over.

use super::Context;
use super::unblock::refuse_outside;
use super::unit_command::{Common, OpenFeature, one_line};
use gatewalk_core::engine::evidence::sanitize;
use gatewalk_core::engine::lessons::{self, Cluster, Proposal};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::model::layout;
use gatewalk_core::model::money::usd;
use gatewalk_host::state_repository::{Repository, Selected};
use serde_json::json;

/// The longest text of a lesson that is proposed.
const PROPOSAL_CHARS: usize = 240;

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  gatewalk learnings\n  gatewalk learnings --suggest\n  gatewalk learnings --accept 1 --text \"Totals are in cents\"\n  gatewalk learnings --add \"Totals are in cents\" --paths \"src/cart/**\""
)]
pub(crate) struct Args {
    /// Show failures that came back, and attempts that went red and then green
    #[arg(long, conflicts_with_all = ["accept", "add"])]
    suggest: bool,
    /// Take over a proposal of `--suggest` by its number
    #[arg(long, value_name = "N", conflicts_with = "add")]
    accept: Option<usize>,
    /// Write a lesson down; one that is there is counted again
    #[arg(long, value_name = "TEXT")]
    add: Option<String>,
    /// The lesson in your words
    #[arg(long, value_name = "TEXT", requires = "accept", conflicts_with_all = ["add", "suggest"])]
    text: Option<String>,
    /// The paths it is about
    #[arg(long, value_name = "GLOB", num_args = 1.., value_delimiter = ',', conflicts_with = "suggest")]
    paths: Vec<String>,
    #[command(flatten)]
    common: Common,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    if !args.paths.is_empty() && args.add.is_none() && args.accept.is_none() {
        return Err(Error::usage(
            "`--paths` says what a lesson is about: it goes with `--add` or `--accept`",
        ));
    }
    if let Some(text) = &args.add {
        return write(args, context, &one_line("`--add`", text)?, &args.paths);
    }
    let repository = Repository::open(&context.cwd)?;
    let shown = match &args.common.feature {
        Some(name) => vec![repository.select(Some(name))?],
        None => repository.features()?,
    };
    let proposals: Vec<Proposal> = shown
        .iter()
        .flat_map(|f| lessons::proposals(f.feature()))
        .collect();
    if let Some(number) = args.accept {
        let proposal = number
            .checked_sub(1)
            .and_then(|i| proposals.get(i))
            .cloned();
        let proposal = proposal.ok_or_else(|| {
            Error::usage(format!(
                "there is no proposal {number}; there are {}",
                proposals.len()
            ))
            .hint("`gatewalk learnings --suggest` lists them")
        })?;
        let text = one_line("`--text`", args.text.as_ref().unwrap_or(&proposal.text))?;
        let paths = if args.paths.is_empty() {
            &proposal.paths
        } else {
            &args.paths
        };
        return write(args, context, &text, paths);
    }
    if args.suggest {
        let clusters = lessons::recurring(shown.iter().map(Selected::feature));
        suggest(args, context, &clusters, &proposals);
        return Ok(Exit::Success);
    }
    list(args, context, &shown, &repository)
}

fn list(
    args: &Args,
    context: &Context,
    shown: &[Selected],
    repository: &Repository,
) -> Result<Exit> {
    let bytes = match (&args.common.feature, shown.first()) {
        (Some(_), Some(one)) => one.workspace.learnings.clone(),
        _ => repository.workspace_at(repository.commit)?.learnings,
    };
    let text = bytes.map_or_else(String::new, |b| String::from_utf8_lossy(&b).into_owned());
    let all = lessons::lessons(&text);
    if args.common.json {
        context.out.json(&json!({"lessons": all}));
        return Ok(Exit::Success);
    }
    if all.is_empty() {
        context
            .out
            .line("no lessons yet; `gatewalk learnings --suggest` shows what the logs propose");
    }
    for lesson in &all {
        let id = if lesson.id.is_empty() {
            "–"
        } else {
            &lesson.id
        };
        let about = if lesson.paths.is_empty() {
            "no path: no session reads it".to_owned()
        } else {
            lesson.paths.join(", ")
        };
        context.out.line(format!(
            "{id:<6} {:>2}×  {}  [{}]",
            lesson.seen,
            sanitize(&lesson.text),
            sanitize(&about)
        ));
    }
    Ok(Exit::Success)
}

fn suggest(args: &Args, context: &Context, clusters: &[Cluster], proposals: &[Proposal]) {
    let out = &context.out;
    if args.common.json {
        out.json(&json!({"recurring": clusters, "proposals": proposals}));
        return;
    }
    if clusters.is_empty() && proposals.is_empty() {
        out.line("nothing came back, and nothing went red and then green");
    }
    if !clusters.is_empty() {
        out.line("failures that came back");
        for c in clusters {
            let first = c
                .excerpt
                .lines()
                .find(|l| !l.trim().is_empty())
                .unwrap_or_default();
            out.line(format!(
                "  {:>3}×  {} in {}  ({}): {}",
                c.attempts,
                sanitize(&c.cause),
                c.units.join(", "),
                c.cost_usd.map_or("cost unknown".to_owned(), usd),
                short(first)
            ));
        }
    }
    if !proposals.is_empty() {
        out.line("attempts that went red and then green; `gatewalk learnings --accept N --text \"…\"` keeps what they taught");
        for (i, p) in proposals.iter().enumerate() {
            out.line(format!("  {:>3}  {}: {}", i + 1, p.unit, short(&p.text)));
        }
    }
}

fn short(text: &str) -> String {
    let clean = sanitize(text);
    let mut cut: String = clean.chars().take(PROPOSAL_CHARS).collect();
    if cut.len() < clean.len() {
        cut.push('…');
    }
    cut
}

/// Adds a lesson on the feature's branch, in one commit.
fn write(args: &Args, context: &Context, text: &str, paths: &[String]) -> Result<Exit> {
    refuse_outside(paths)?;
    let text = short(text);
    let mut opened = OpenFeature::open(context, &args.common, None)?;
    let path = opened.repository.layout.path(layout::LEARNINGS);
    let proposed_id = std::cell::RefCell::new(String::new());
    let message = format!("Keep a lesson\n\n{text}\n");
    let commit = opened.commit_in(&message, |workspace| {
        let old = workspace
            .learnings
            .as_ref()
            .map_or_else(String::new, |b| String::from_utf8_lossy(b).into_owned());
        let (new, id) = lessons::with_lesson(&old, &text, paths);
        proposed_id.replace(id);
        Ok(vec![(path.clone(), new)])
    })?;
    let id = proposed_id.into_inner();
    opened.done(
        args.common.json,
        &format!("{} is kept", if id.is_empty() { "it" } else { &id }),
        commit,
    );
    Ok(Exit::Success)
}
