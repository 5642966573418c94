//! `gatewalk explain`: the page of a rule, offline.

use super::Context;
use crate::report::severity_word;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::lint::rules;
use std::fmt::Write;

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  gatewalk explain GW301\n  gatewalk explain dependency-cycle\n  gatewalk explain --all > rules.md"
)]
pub(crate) struct Args {
    /// Code or name of a rule; without one, all rules are listed
    rule: Option<String>,
    /// Print every page: the whole reference
    #[arg(long, conflicts_with = "rule")]
    all: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let rules: Vec<_> = match &args.rule {
        Some(word) => vec![rules::find(word).ok_or_else(|| unknown(word))?],
        None => rules::TABLE.iter().collect(),
    };
    if args.json {
        let rows: Vec<_> = rules
            .iter()
            .map(|rule| {
                serde_json::json!({
                    "code": rule.code, "name": rule.name(), "severity": severity_word(rule.severity),
                    "summary": rule.summary(), "url": rule.url(), "page": rule.page,
                })
            })
            .collect();
        context.out.json(&if args.rule.is_some() {
            rows[0].clone()
        } else {
            rows.into()
        });
    } else if args.rule.is_some() {
        context.out.raw(rules[0].page);
    } else if args.all {
        context.out.raw(&reference());
    } else {
        context.out.raw(&index(|rule| rule.code.to_owned()));
    }
    Ok(Exit::Success)
}

fn unknown(word: &str) -> Error {
    let error = Error::usage(format!("there is no rule `{word}`"));
    match rules::nearest(word) {
        Some(near) => error.hint(format!("did you mean `{near}`?")),
        None => error.hint("`gatewalk explain` lists all rules"),
    }
}

/// Returns every page, after a table of all rules.
pub(crate) fn reference() -> String {
    let mut text = index(|rule| {
        format!(
            "[{}](#{}-{})",
            rule.code,
            rule.name(),
            rule.code.to_lowercase()
        )
    });
    for rule in rules::TABLE {
        let _ = write!(
            text,
            "\n{}",
            rule.page
                .replace("\n## ", "\n### ")
                .replacen("# ", "## ", 1)
        );
    }
    text
}

/// Returns the table of all rules.
pub(crate) fn index(link: impl Fn(&gatewalk_core::lint::rule::Rule) -> String) -> String {
    const SUBJECTS: [&str; 9] = [
        "Form",
        "Identity",
        "Graph",
        "State",
        "Closing",
        "Oracle",
        "Scope and safety",
        "Size and cost",
        "Retry",
    ];
    let mut text = String::from(
        "# Rules\n\nErrors break or mislead a run: the driver refuses them, and neither a setting nor a comment makes them less.\n",
    );
    for (number, subject) in (1..).zip(SUBJECTS) {
        let _ = write!(
            text,
            "\n## {number}xx {subject}\n\n| code | name | severity | what it does |\n|---|---|---|---|\n"
        );
        let head = format!("GW{number}");
        for rule in rules::TABLE
            .iter()
            .filter(|rule| rule.code.starts_with(&head))
        {
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} |",
                link(rule),
                rule.name(),
                severity_word(rule.severity),
                rule.summary().replace('|', "\\|")
            );
        }
    }
    text
}
