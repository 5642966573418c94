//! `gatewalk inbox`: what sessions noticed and nobody has settled, and settling it.

mod settle;

use super::Context;
use super::unit_command::one_line;
use clap::Subcommand;
use gatewalk_core::engine::evidence::sanitize;
use gatewalk_core::engine::inbox_items::{self, InboxItem, InboxKind};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::model::status_machine::FeatureStatus;
use gatewalk_host::state_repository::Repository;
use serde_json::json;

/// Characters of an item that a list shows.
const MOST_SHOWN: usize = 200;

#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  gatewalk inbox\n  gatewalk inbox unit 3f2a1c90\n  gatewalk inbox drop 3f2a1c90 --reason \"done by hand\""
)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Option<SettleVerb>,
    /// Feature id, directory, path or slug; every feature when absent
    #[arg(long, value_name = "ID|DIRECTORY|PATH|SLUG")]
    feature: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What becomes of an item.
#[derive(Subcommand)]
enum SettleVerb {
    /// Make it a draft unit of its feature
    Unit {
        /// The item's id
        item: String,
        /// The gate it joins; the last one when absent
        #[arg(long)]
        gate: Option<u32>,
    },
    /// Make it a feature of its own, in your checkout
    Feature {
        /// The item's id
        item: String,
    },
    /// Keep it as a lesson
    Lesson {
        /// The item's id
        item: String,
        /// Globs of the paths it is about: sessions that touch them read it
        #[arg(long, value_name = "GLOB", num_args = 1..)]
        paths: Vec<String>,
    },
    /// Open an issue with `gh`
    Issue {
        /// The item's id
        item: String,
    },
    /// Close it without doing anything
    Drop {
        /// The item's id
        item: String,
        /// Why
        #[arg(long)]
        reason: String,
    },
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let Some(verb) = &args.verb else {
        return list(args, context);
    };
    match verb {
        SettleVerb::Unit { item, gate } => settle::unit(context, &find(context, item)?, *gate),
        SettleVerb::Feature { item } => settle::feature(context, &find(context, item)?),
        SettleVerb::Lesson { item, paths } => settle::lesson(context, &find(context, item)?, paths),
        SettleVerb::Issue { item } => settle::issue(context, &find(context, item)?),
        SettleVerb::Drop { item, reason } => {
            let reason = one_line("`--reason`", reason)?;
            settle::drop_item(context, &find(context, item)?, &reason)
        }
    }
}

/// Returns what is open, of one feature or of all that nobody gave up.
fn items(context: &Context, feature: Option<&str>) -> Result<Vec<InboxItem>> {
    let repository = Repository::open(&context.cwd)?;
    let shown = match feature {
        Some(name) => vec![repository.select(Some(name))?],
        None => repository.features()?,
    };
    let kept = shown
        .iter()
        .filter(|f| f.feature().plan.status() != FeatureStatus::Abandoned);
    Ok(kept.flat_map(|f| inbox_items::open(f.feature())).collect())
}

fn find(context: &Context, id: &str) -> Result<InboxItem> {
    let all = items(context, None)?;
    let mut named = all
        .into_iter()
        .filter(|i| !id.is_empty() && i.id.starts_with(id));
    match (named.next(), named.next()) {
        (Some(one), None) => Ok(one),
        (Some(_), Some(_)) => Err(Error::usage(format!(
            "several items begin with `{}`",
            sanitize(id)
        ))
        .hint("`gatewalk inbox` lists them")),
        _ => Err(Error::usage(format!(
            "nothing that is open has the id `{}`",
            sanitize(id)
        ))
        .hint("`gatewalk inbox` lists what is open")),
    }
}

/// Returns the commands that settle an item, the likeliest first.
fn commands(item: &InboxItem) -> Vec<String> {
    let own = match item.kind {
        InboxKind::Question => Some(format!("gatewalk answer --feature {}", item.feature)),
        InboxKind::Notice => Some(format!("gatewalk arm {} --accept", item.feature)),
        InboxKind::Criterion | InboxKind::FollowUp => None,
    };
    let id = &item.id;
    let becomes = match item.takes_units {
        true => "unit",
        false => "feature",
    };
    let settled = [
        format!("gatewalk inbox {becomes} {id}"),
        format!("gatewalk inbox drop {id} --reason \"…\""),
    ];
    own.into_iter().chain(settled).collect()
}

fn list(args: &Args, context: &Context) -> Result<Exit> {
    let all = items(context, args.feature.as_deref())?;
    if args.json {
        let rows = all.iter().map(|item| {
            let mut row = json!(item);
            row["settle"] = json!(commands(item));
            row
        });
        let rows: Vec<_> = rows.collect();
        context.out.json(&json!({ "items": rows }));
        return Ok(Exit::Success);
    }
    if all.is_empty() {
        context.out.line("nothing is open");
    }
    let mut feature = "";
    for item in &all {
        if item.feature != feature {
            feature = &item.feature;
            context.out.line(feature);
        }
        let from = item.from.as_deref().unwrap_or_default();
        let from = from.rsplit('/').next().unwrap_or_default();
        let line = format!(
            "  {}  {:<10} {from:<6} {}",
            item.id,
            word(item.kind),
            shortened(&sanitize(&item.text).replace('\n', " "))
        );
        context.out.row(line);
    }
    if let Some(first) = all.first() {
        for command in commands(first) {
            context.out.note(format!("next: {command}"));
        }
        let others = match first.takes_units {
            true => "feature`, `lesson",
            false => "lesson",
        };
        context.out.note(format!(
            "or `gatewalk inbox {others}` or `issue` with the id"
        ));
    }
    Ok(Exit::Success)
}

/// Returns what fits on a few lines of a terminal; `--json` has all of it.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(MOST_SHOWN) {
        Some((at, _)) => format!("{}…", text[..at].trim_end()),
        None => text.to_owned(),
    }
}

fn word(kind: InboxKind) -> &'static str {
    match kind {
        InboxKind::Question => "question",
        InboxKind::Notice => "unusual",
        InboxKind::Criterion => "not met",
        InboxKind::FollowUp => "follow-up",
    }
}
