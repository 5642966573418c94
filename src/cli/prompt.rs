//! `gatewalk prompt`: the exact prompt of a unit's next session.

use super::Context;
use super::unit_command::{OpenFeature, ViewArgs};
use gatewalk_core::engine::session_prompt::{BYTES_PER_TOKEN, Prompt};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::model::unit::UnitType;
use serde_json::json;

#[derive(clap::Args)]
#[command(after_help = "Examples:\n  gatewalk prompt T03\n  gatewalk prompt T03 --sizes")]
pub(crate) struct Args {
    /// The unit: its id, or `T03` with one active feature
    unit: String,
    /// Show only the tokens of each section
    #[arg(long)]
    sizes: bool,
    #[command(flatten)]
    view: ViewArgs,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let opened = OpenFeature::read(context, args.view.feature.as_deref(), Some(&args.unit))?;
    let member = opened.unit(&args.unit)?;
    if member.unit_type() == UnitType::Human {
        return Err(Error::plan(format!(
            "{} is yours to do: no session gets a prompt",
            member.id()
        )));
    }
    let prompt = prompt(&opened, member.id())?;
    let out = &context.out;
    if args.view.json {
        let sections: Vec<_> = prompt
            .sections
            .iter()
            .map(|s| json!({"name": s.name, "tokens": tokens(&s.text), "bytes": s.text.len(), "text": s.text}))
            .collect();
        out.json(&json!({"unit": member.id(), "tokens": prompt.tokens(), "sections": sections, "text": prompt.text()}));
        return Ok(Exit::Success);
    }
    // The text is the result; the table is about it, and goes where it does not mix with a pipe.
    if !args.sizes {
        out.raw(&prompt.text());
    }
    let mut table: Vec<String> = prompt
        .sections
        .iter()
        .map(|s| format!("{:<12} {:>6} tokens", s.name, tokens(&s.text)))
        .collect();
    table.push(format!(
        "{:<12} {:>6} tokens (about {BYTES_PER_TOKEN} bytes each)",
        "all",
        prompt.tokens()
    ));
    for line in table {
        if args.sizes {
            out.line(line);
        } else {
            out.note(line);
        }
    }
    Ok(Exit::Success)
}

fn tokens(text: &str) -> usize {
    text.len().div_ceil(BYTES_PER_TOKEN)
}

fn prompt(opened: &OpenFeature<'_>, id: &str) -> Result<Prompt> {
    opened.ask(|driver| driver.prompt_at(&opened.selected.commit, id))
}
