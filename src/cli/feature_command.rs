//! `gatewalk activate`, `block`, `defer` and `reopen`, and `abandon` of a whole feature: plan, roadmap row
//! and log move in one commit.

use super::Context;
use super::unit_command::{Common, OpenFeature, one_line};
use gatewalk_core::engine::events;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::model::status_machine::{FeatureVerb, Word};
use serde_json::json;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Feature id, directory, path or slug
    name: Option<String>,
    /// Why
    #[arg(long)]
    reason: Option<String>,
    #[command(flatten)]
    common: Common,
}

/// Where a verb leaves a feature.
fn outcome(verb: FeatureVerb) -> &'static str {
    match verb {
        FeatureVerb::Activate => "is active",
        FeatureVerb::Reopen => "is active again",
        FeatureVerb::Block => "is blocked",
        FeatureVerb::Defer => "is deferred",
        FeatureVerb::Abandon => "is abandoned",
        FeatureVerb::Finish => "is done",
    }
}

pub(crate) fn run(args: &Args, context: &Context, verb: FeatureVerb) -> Result<Exit> {
    let common = Common {
        feature: args.common.feature.clone().or(args.name.clone()),
        ..args.common
    };
    move_feature(context, &common, verb, args.reason.as_deref())
}

/// Moves a feature; every verb but `activate` needs a reason.
pub(crate) fn move_feature(
    context: &Context,
    common: &Common,
    verb: FeatureVerb,
    reason: Option<&str>,
) -> Result<Exit> {
    let reason = match (reason, verb) {
        (Some(reason), _) => one_line("`--reason`", reason)?,
        (None, FeatureVerb::Activate) => String::new(),
        (None, _) => return Err(Error::usage(format!("`{}` needs `--reason`", verb.word()))),
    };
    let mut opened = OpenFeature::open(context, common, None)?;
    let name = opened.feature().name();
    let now = opened.now.clone();
    let word = verb.word();
    let mut subject = word.to_owned();
    subject[..1].make_ascii_uppercase();
    let why = if reason.is_empty() {
        String::new()
    } else {
        format!("{reason}\n\n")
    };
    let message = format!("{subject} {name}\n\n{why}Moved: {name}\n");
    let commit = opened.commit(&message, |books, _| {
        let mut edits = books.feature_status(verb)?;
        edits.extend(books.note(events::verb(
            &name,
            &now,
            "feature_moved",
            json!({"verb": word, "reason": reason}),
        )));
        Ok(edits)
    })?;
    opened.done(common.json, &format!("{name} {}", outcome(verb)), commit);
    Ok(Exit::Success)
}
