//! What a user's verbs on a whole feature share: plan, roadmap row and log move in one commit.

use super::Context;
use super::unit_command::{Common, OpenFeature, one_line};
use gatewalk_core::engine::events;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::model::status_machine::{FeatureVerb, Word};
use serde_json::json;

/// A feature, and why.
#[derive(clap::Args)]
pub(crate) struct FeatureArgs {
    /// Feature id, directory or path
    name: Option<String>,
    /// Why
    #[arg(long)]
    reason: Option<String>,
    #[command(flatten)]
    common: Common,
}

pub(crate) fn run(
    args: &FeatureArgs,
    context: &Context,
    verb: FeatureVerb,
    said: &str,
) -> Result<Exit> {
    let common = Common {
        feature: args.common.feature.clone().or(args.name.clone()),
        ..args.common
    };
    move_feature(context, &common, verb, args.reason.as_deref(), said)
}

/// Moves a feature; every verb but `activate` needs a reason.
pub(crate) fn move_feature(
    context: &Context,
    common: &Common,
    verb: FeatureVerb,
    reason: Option<&str>,
    said: &str,
) -> Result<Exit> {
    let reason = match (reason, verb) {
        (Some(reason), _) => one_line("reason", reason)?,
        (None, FeatureVerb::Activate) => String::new(),
        (None, _) => return Err(Error::usage(format!("`{}` needs `--reason`", verb.word()))),
    };
    let mut desk = OpenFeature::open(context, common, None)?;
    let name = desk.feature().name();
    let now = desk.now.clone();
    let word = verb.word();
    let mut subject = word.to_owned();
    subject[..1].make_ascii_uppercase();
    let why = if reason.is_empty() {
        String::new()
    } else {
        format!("{reason}\n\n")
    };
    let message = format!("{subject} {name}\n\n{why}Moved: {name}\n");
    let commit = desk.commit(&message, |books, _| {
        let mut edits = books.feature_status(verb)?;
        edits.extend(books.note(events::verb(
            &name,
            &now,
            "feature_moved",
            json!({"verb": word, "reason": reason}),
        )));
        Ok(edits)
    })?;
    let next = match verb {
        FeatureVerb::Activate | FeatureVerb::Reopen => format!("gatewalk loop --feature {name}"),
        FeatureVerb::Block | FeatureVerb::Defer | FeatureVerb::Abandon => {
            format!("gatewalk reopen {name} --reason \"…\"")
        }
        FeatureVerb::Finish => String::new(),
    };
    desk.done(common.json, &format!("{name} {said}"), &commit, &next);
    Ok(Exit::Success)
}
