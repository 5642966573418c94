//! SHELL. One file a command; the table is `Command`.

mod abandon;
mod answer;
mod arm;
mod ask;
mod attach;
mod attempts;
mod auto_arm;
mod board;
mod check;
mod clean;
mod comment;
mod completions;
mod confine;
mod console;
mod contract_changes;
mod demo;
mod doctor;
mod done;
mod draft;
mod dry_run;
mod edits_in_effect;
mod explain;
mod far_end;
mod feature_command;
mod fix_;
mod folded_line;
mod grouped_help;
mod hand_source;
mod idle_driver;
mod import;
mod inbox;
mod init;
mod issue_reference;
mod labels;
mod land_;
mod landings;
mod large_file;
mod learnings;
mod lint;
mod live_sessions;
mod log;
mod loop_;
mod lsp;
mod made_elsewhere;
mod man_pages;
mod marks;
mod mcp;
mod migrate;
mod missing_state_dir;
mod new;
mod next_commands;
mod open_requirements;
mod panic_report;
mod parked_units;
mod plan_check;
mod pr;
mod program_origin;
mod prompt;
mod push_remote;
mod read_arguments;
mod redraw;
mod replay_session;
mod report_page;
mod rerun;
mod review;
mod run_guards;
mod schema;
mod serve;
mod session_refusal;
mod shown_moment;
mod stats;
mod status;
mod stop;
mod stop_message;
mod sync;
mod unblock;
mod unit_command;
mod unrun_rows;
mod upgrade;
mod user_decision;
mod verify;
mod wanted_list;
mod watch;
mod watch_driver;
mod why;
mod witness;
mod working_directories;
mod wrap;
mod write_files;

use clap::{CommandFactory, Parser, Subcommand};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::model::status_machine::FeatureVerb;
use gatewalk_host::process::keep_inherited_descriptors;
use std::path::PathBuf;

pub(crate) use console::Out;

/// Lists the commands by what they are for: a variant and its module each, and what else the module's `run` takes. The
/// group without a name is for the program's own use.
macro_rules! commands {
    ($( $group:literal {
        $( $(#[$meta:meta])* $variant:ident => $module:ident $(($verb:expr))? ),+ $(,)?
    } )+) => {
        #[derive(Subcommand)]
        enum Command {
            $($( $(#[$meta])* $variant($module::Args), )+)+
        }

        impl Command {
            /// The groups of the help, each with its commands' variants.
            const GROUPS: &[(&str, &[&str])] = &[$( ($group, &[$( stringify!($variant) ),+]) ),+];

            fn run(&self, context: &Context) -> Result<Exit> {
                match self {
                    $($( Command::$variant(args) => $module::run(args, context $(, $verb)?), )+)+
                }
            }
        }
    };
}

commands! {
    "Plan" {
        /// Write the state directory for this repository's build tools
        Init => init,
        /// Write a feature, a gate or a unit with the next free ids
        New => new,
        /// Draft a feature from a sentence, a spec or an issue; the linter judges it
        Draft => draft,
        /// Take over the task list of another tool as a draft feature
        Import => import,
        /// Plan the fix of a bug: one unit, with a check that fails today
        Fix => fix_,
        /// Check the plans, and repair what can be repaired
        Lint => lint,
        /// Explain a rule of the linter
        Explain => explain,
        /// Show on one screen what to question before arming
        Review => review,
        /// Pass a reviewed gate and make drafts pending
        Arm => arm,
        /// List open questions, or answer one
        Answer => answer,
    }
    "Run" {
        /// Run the current gate: dispatch, verify, land, stop at the gate
        Loop => loop_,
        /// Run the declared commands on your checkout or any commit, as the loop would
        Check => check,
        /// Land your own work on a unit, verified as a session's
        Land => land_,
        /// Work on a unit in a slot with your own program; it is judged and landed when that ends
        Attach => attach,
        /// Push and fetch a feature's branch, with the lease by which only one clone walks it
        Sync => sync,
    }
    "Decide" {
        /// End the run that is at work, as Ctrl-C in its terminal does
        Stop => stop,
        /// Write on a line of an attempt's diff, for the next session to read
        Comment => comment,
        /// Send a parked unit back to work, with a reason
        Unblock => unblock,
        /// Hand in a unit that only you can do
        Done => done,
        /// Give up a unit or a feature
        Abandon => abandon,
        /// Start a planned feature
        #[command(after_help = "Example:\n  gatewalk activate FEAT-2026-0042")]
        Activate => feature_command(FeatureVerb::Activate),
        /// Stop a feature until something outside is settled
        #[command(after_help = "Example:\n  gatewalk block FEAT-2026-0042 --reason \"the vendor's API is down\"")]
        Block => feature_command(FeatureVerb::Block),
        /// Put a feature off
        #[command(after_help = "Example:\n  gatewalk defer FEAT-2026-0042 --reason \"after the release\"")]
        Defer => feature_command(FeatureVerb::Defer),
        /// Take up a blocked, deferred or abandoned feature again
        #[command(after_help = "Example:\n  gatewalk reopen FEAT-2026-0042 --reason \"the API is back\"")]
        Reopen => feature_command(FeatureVerb::Reopen),
    }
    "Look" {
        /// Show what stands where and what to do next
        Status => status,
        /// Show every unit under way by what it waits for
        Board => board,
        /// Serve pages for a browser: what needs you, what runs, what each unit did
        Serve => serve,
        /// Show what sessions noticed and nobody has settled, and settle it
        Inbox => inbox,
        /// Explain why a unit stands where it stands, and what you can do
        Why => why,
        /// Show what happened to a feature
        Log => log,
        /// Show what was tried and what it left, and get it back
        Attempts => attempts,
        /// Print the exact prompt of a unit's next session
        Prompt => prompt,
        /// Show attempts, cost, and waste by cause
        Stats => stats,
        /// Write features as one HTML file for people who were not there
        Report => report_page,
        /// Run the recorded oracle again on what landed, and compare the results
        Verify => verify,
        /// Take a landed unit's lines back, and show those that no check misses
        Witness => witness,
        /// Check this machine: agents, git, disk, locks, isolation
        Doctor => doctor,
    }
    "Keep" {
        /// Print the title and body of a feature's pull request
        Pr => pr,
        /// Push a finished feature's branch and open its pull request, each step confirmed
        Wrap => wrap,
        /// Show lessons and what the logs suggest, and keep one
        Learnings => learnings,
        /// Show what is kept on the disk, and give back what nothing needs
        Clean => clean,
        /// Lay newer scaffold files over untouched ones
        Upgrade => upgrade,
        /// Make a `.specfuse/` a `.gatewalk/` by moving it
        Migrate => migrate,
    }
    "More" {
        /// Show the whole cycle on a throwaway repository, without network or account
        Demo => demo,
        /// Print the JSON Schema of a kind of file
        Schema => schema,
        /// Serve editors: findings while you type, completion, hover, rename
        Lsp => lsp,
        /// Serve coding agents: plans to read, and decisions that are asked of you
        Mcp => mcp,
        /// Print a completion script
        Completions => completions,
    }
    "" {
        #[command(hide = true)]
        ManPages => man_pages,
        #[command(hide = true)]
        ReplaySession => replay_session,
        #[command(hide = true)]
        WatchDriver => watch_driver,
        #[command(hide = true)]
        Confine => confine,
        #[command(hide = true)]
        FarEnd => far_end,
        #[command(hide = true)]
        LargeFile => large_file,
    }
}

/// Drives a plan of Markdown gates and units through fresh agent sessions to verified commits.
#[derive(Parser)]
#[command(
    name = "gatewalk",
    version,
    about,
    max_term_width = 100,
    arg_required_else_help = true
)]
struct Cli {
    /// Work as if started in this directory; `serve` takes several
    #[arg(short = 'C', long = "directory", global = true, value_name = "DIR")]
    directory: Vec<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

/// What every command is given.
pub(crate) struct Context {
    /// The directory the user stands in.
    pub(crate) cwd: PathBuf,
    /// Further directories that `-C` names.
    pub(crate) more_directories: Vec<PathBuf>,
    /// Where results and progress go.
    pub(crate) out: Out,
}

impl Context {
    /// Returns what the user has and allows on this machine.
    pub(crate) fn host(&self) -> Result<gatewalk_host::host::Host> {
        let env: Vec<_> = std::env::vars_os().collect();
        let agents = gatewalk_host::user_config::agents(&env)?;
        let confinement = gatewalk_host::user_config::confinement(&env)?;
        let prices = gatewalk_host::user_config::prices(&env)?;
        let own_program = std::env::current_exe()
            .map_err(|e| Error::environment("cannot find this program").with_source(e))?;
        Ok(gatewalk_host::host::Host {
            agents,
            cwd: self.cwd.clone(),
            own_program,
            sandbox: confinement.policy,
            sandbox_now: None,
            writable: confinement.writable,
            allow_unsandboxed: confinement.allow_unsandboxed,
            resources: confinement.resources,
            prices,
            session_variables: vec![],
            runners: gatewalk_host::runner_definition::runners(&env)?,
            far: vec![],
            env,
        })
    }
}

/// Parses the arguments, runs the command and maps the result to an exit code.
pub fn main() -> std::process::ExitCode {
    gatewalk_host::process::leave_out_huge_pages();
    if let Some(args) = confine::asked() {
        return confine::become_confined(&args)
            .unwrap_or_else(|error| {
                Out::new().error(&error);
                error.exit()
            })
            .into();
    }
    gatewalk_host::process::take_huge_pages();
    let cli = match read_arguments::parsed() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are results; everything else is a usage error.
            let code = if error.use_stderr() {
                Exit::Usage
            } else {
                Exit::Success
            };
            // A closed pipe is not the user's mistake.
            drop(error.print());
            return code.into();
        }
    };
    // That command becomes a program, which holds what was meant for it.
    if !matches!(cli.command, Command::Confine(_)) {
        keep_inherited_descriptors();
    }
    let out = Out::new();
    let (cwd, more_directories) = match working_directories::named_by(&cli) {
        Ok(found) => found,
        Err(error) => {
            out.error(&error);
            return error.exit().into();
        }
    };
    let command = || {
        let context = Context {
            cwd: cwd.clone(),
            more_directories: more_directories.clone(),
            out: out.clone(),
        };
        let allowed = match cli.command.decision() {
            Some(name) => session_refusal::refuse_inside_session(&cwd, name),
            None => Ok(()),
        };
        let ended = allowed.and_then(|()| cli.command.run(&context));
        let ended = ended.and_then(|exit| cli.command.refuse_lost_result(exit, &out));
        ended.unwrap_or_else(|error| {
            out.error(&error);
            error.exit()
        })
    };
    panic_report::guard(&cwd, &out, command).into()
}

/// Returns the command line's definition, for completions and the reference.
pub fn definition() -> clap::Command {
    grouped_help::group(Cli::command(), Command::GROUPS)
}
