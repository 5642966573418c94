//! `gatewalk witness`: take a landed unit's lines back, and show those that no check misses.

use super::Context;
use super::landings::{self, UnitLanding};
use super::rerun::{self, RerunEnd};
use super::unit_command::{OpenFeature, ViewArgs};
use gatewalk_core::driver::ports::SlotId;
use gatewalk_core::driver::witness_case::WitnessSubject;
use gatewalk_core::driver::witness_run::{WitnessOutline, WitnessTerms};
use gatewalk_core::engine::attempt_record::witness_report::WitnessReport;
use gatewalk_core::engine::evidence::{counted, sanitize};
use gatewalk_core::engine::trailers;
use gatewalk_core::engine::witness::witness_record;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::model::config::SandboxPolicy;
use gatewalk_core::model::frontmatter::parse_duration;
use serde_json::json;
use std::time::Duration;

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  gatewalk witness T03\n  gatewalk witness T03 --dry-run\n  gatewalk witness FEAT-2026-0042/T03 --budget 2m --json"
)]
pub(crate) struct Args {
    /// A unit that landed, or the commit that landed it
    what: String,
    /// How long it may take: `90s`, `10m`; what verification.yml says when absent
    #[arg(long, value_name = "TIME", value_parser = duration)]
    budget: Option<Duration>,
    /// Show what would be asked, and run nothing
    #[arg(long)]
    dry_run: bool,
    /// Confine the commands: `auto`, `require` or `off`, in place of your configuration
    #[arg(long, value_name = "MODE", value_parser = super::loop_::sandbox_word)]
    sandbox: Option<SandboxPolicy>,
    #[command(flatten)]
    view: ViewArgs,
}

fn duration(text: &str) -> std::result::Result<Duration, String> {
    parse_duration(text).ok_or_else(|| "write a time like `90s` or `10m`".to_owned())
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let mut opened = landings::open_feature_of(&args.what, args.view.feature.as_deref(), context)?;
    let landed = landings::landing(&opened, &args.what)?;
    let outline = opened.ask(|driver| {
        driver.witness_outline(&WitnessSubject {
            unit: &landed.unit,
            base: landed.base,
            tree: landed.commit,
        })
    })?;
    if args.dry_run {
        print_outline(args, context, &landed, &outline);
        return Ok(Exit::Success);
    }
    let recorded = witness_record::of_unit(opened.feature(), &landed.unit).filter(|r| {
        r.left == 0 && r.product_tree == outline.product_tree && r.oracle == outline.oracle
    });
    let (report, fresh) = match recorded {
        Some(report) => (report, false),
        None => match look(args, context, &opened, &landed)? {
            RerunEnd::Finished(report) => (report, true),
            RerunEnd::Stopped(exit) => return Ok(exit),
        },
    };
    if fresh {
        record(&mut opened, context, &landed, &report);
    }
    Ok(print(args, context, &landed, &report))
}

fn look(
    args: &Args,
    context: &Context,
    opened: &OpenFeature<'_>,
    landed: &UnitLanding,
) -> Result<RerunEnd<WitnessReport>> {
    let ended = rerun::with_driver(context, opened, args.sandbox, |driver, machine| {
        use gatewalk_core::driver::ports::History as _;
        let subject = WitnessSubject {
            unit: &landed.unit,
            base: landed.base,
            tree: machine.tree_of(&landed.commit)?,
        };
        let terms = WitnessTerms {
            slot: SlotId::Recheck,
            number: 0,
            budget: args.budget,
            quiet: false,
            wanted: &|| true,
        };
        driver.witness(&subject, &terms)
    })?;
    match ended {
        RerunEnd::Finished(Some(report)) => Ok(RerunEnd::Finished(report)),
        RerunEnd::Finished(None) => {
            Err(Error::internal("a witness that nobody stopped has no end"))
        }
        RerunEnd::Stopped(exit) => Ok(RerunEnd::Stopped(exit)),
    }
}

/// Writes the result into the log; where that cannot be, it is shown all the same.
fn record(
    opened: &mut OpenFeature<'_>,
    context: &Context,
    landed: &UnitLanding,
    report: &WitnessReport,
) {
    let subject = format!("Witness {}: {}", landed.unit, report.summary());
    let message = trailers::message(&subject, "", &[]);
    let event = report.event(&landed.unit, &opened.now, &landed.commit.hex());
    let written = opened.commit(&message, |books, _| Ok(books.note(event.clone())));
    if let Err(error) = written {
        let out = &context.out;
        out.note(format!(
            "not written into the log: {}",
            sanitize(&error.to_string())
        ));
    }
}

fn print_outline(args: &Args, context: &Context, landed: &UnitLanding, outline: &WitnessOutline) {
    let out = &context.out;
    if args.view.json {
        out.json(&json!({"unit": landed.unit, "commit": landed.commit, "would_ask": outline}));
        return;
    }
    out.line(format!(
        "{}: {} of its product, {} that no check could see",
        landed.unit,
        counted(outline.hunks, "hunk"),
        counted(outline.not_asked as usize, "change")
    ));
    match &outline.tester {
        Some(tester) => out.line(format!("would run: {}", sanitize(tester))),
        None => out.line(format!(
            "would ask: {}",
            sanitize(&outline.commands.join(", "))
        )),
    }
}

fn print(args: &Args, context: &Context, landed: &UnitLanding, report: &WitnessReport) -> Exit {
    let exit = match report.unwitnessed.is_empty() {
        true => Exit::Success,
        false => Exit::Findings,
    };
    let out = &context.out;
    if args.view.json {
        out.json(&json!({"unit": landed.unit, "commit": landed.commit, "witness": report}));
        return exit;
    }
    for lines in &report.unwitnessed {
        out.line(format!("unwitnessed  {}", sanitize(&lines.to_string())));
    }
    out.line(format!(
        "{}: {} ({:.0}s)",
        landed.unit,
        report.summary(),
        report.seconds
    ));
    exit
}
