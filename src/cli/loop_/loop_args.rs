//! What a run is asked for.

use crate::cli::unit_command::FeatureName;
use gatewalk_core::model::config::SandboxPolicy;
use gatewalk_core::model::status_machine::Word;

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  gatewalk loop --dry-run\n  gatewalk loop --feature FEAT-2026-0042\n  gatewalk loop --all --jobs 4\n  gatewalk loop --agent script:sessions --json"
)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(super) feature: FeatureName,
    /// Work on every active feature, in the roadmap's order, with one pool of slots
    #[arg(long, conflicts_with_all = ["name", "option", "commit_plan"])]
    pub(super) all: bool,
    /// With `--all`, work on so many features at once; one that waits for you makes room
    #[arg(long, value_name = "N", requires = "all", conflicts_with_all = ["name", "option", "commit_plan"], value_parser = clap::value_parser!(u16).range(1..))]
    pub(super) wip: Option<u16>,
    /// Show the order of the units and what each would run; write nothing, run nothing but git
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Work so many units at once; with `--runner`, so many here beside those of the runners
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    pub(super) jobs: Option<u16>,
    /// Run sessions on these runners of your configuration; this machine judges and lands
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(super) runner: Vec<String>,
    /// Use this agent for every unit: a name, `NAME:MODEL`, `command:PROGRAM ARGS` or `script:PATH`; a chain with commas
    #[arg(long, value_name = "NAME")]
    pub(super) agent: Option<String>,
    /// Commit your edits of the plan first
    #[arg(long)]
    pub(super) commit_plan: bool,
    /// Confine sessions and commands: `auto`, `require` or `off`, in place of your configuration
    #[arg(long, value_name = "MODE", value_parser = sandbox_word)]
    pub(super) sandbox: Option<SandboxPolicy>,
    /// Take the feature's lease, push what lands, and give the lease back at the end, as `gatewalk sync` would
    #[arg(long)]
    pub(super) sync: bool,
    /// Never close a gate without a session
    #[arg(long)]
    pub(super) force_full_close: bool,
    /// Start units side by side although their `touches` overlap
    #[arg(long)]
    pub(super) optimistic: bool,
    /// The most that the sessions of this run may cost together, in US dollars
    #[arg(long, value_name = "USD", value_parser = dollars)]
    pub(super) budget_usd: Option<f64>,
    /// One JSON object a line on stdout
    #[arg(long)]
    pub(super) json: bool,
}

/// Reads an amount of money.
fn dollars(word: &str) -> std::result::Result<f64, String> {
    let usd: Option<f64> = word.trim_start_matches('$').parse().ok();
    let usd = usd.filter(|usd| usd.is_finite() && *usd > 0.0);
    usd.ok_or_else(|| "it is more than 0, such as `5` or `2.50`".to_owned())
}

/// Reads a word of `--sandbox`.
pub(crate) fn sandbox_word(word: &str) -> std::result::Result<SandboxPolicy, String> {
    SandboxPolicy::from_word(word).ok_or_else(|| "it is `auto`, `require` or `off`".to_owned())
}
