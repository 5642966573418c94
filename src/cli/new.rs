//! `gatewalk new`: features, gates and units with the next free ids.

use super::{Context, write_files};
use clap::Subcommand;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::model::feature::Feature;
use gatewalk_core::model::layout::{self, Layout};
use gatewalk_core::model::status_machine::FeatureStatus;
use gatewalk_core::model::workspace::{FileSet, Workspace};
use gatewalk_core::scaffold::create::{self, FeatureFile, NewFeature, NewUnit, ScaffoldTarget};
use gatewalk_core::scaffold::template::{SHIPPED, Templates};
use gatewalk_core::scaffold::{Write, WriteMode};
use gatewalk_host::git::Git;
use gatewalk_host::state_dir_reader;
use std::path::PathBuf;

/// Arguments of `new`.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  gatewalk new feature \"Export to CSV\"\n  gatewalk new unit \"Stream large exports\" --after T01\n  gatewalk new gate \"Imports\""
)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: NewCommand,
}

#[derive(Subcommand)]
enum NewCommand {
    /// A feature with its first gate and unit
    Feature {
        /// What it is called
        title: String,
        /// Its short name in directory and branch; made from the title when absent
        #[arg(long)]
        slug: Option<String>,
        /// What is true when it is done, one line
        #[arg(long)]
        goal: Option<String>,
        /// Show what would be written; write nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// A gate behind the last one, with the closing units it needs
    Gate {
        /// What it is called
        title: String,
        /// Feature id, directory or path; the one being worked on when absent
        #[arg(long)]
        feature: Option<String>,
        /// Show what would be written; write nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// A unit
    Unit {
        /// What it is called
        title: String,
        /// Feature id, directory or path; the one being worked on when absent
        #[arg(long)]
        feature: Option<String>,
        /// The gate it joins; the last one when absent
        #[arg(long)]
        gate: Option<u32>,
        /// `implementation` or `human`
        #[arg(long = "type", default_value = "implementation")]
        kind: String,
        /// Units it waits for, as `T01` or in full
        #[arg(long, value_name = "UNIT", num_args = 1.., value_delimiter = ',')]
        after: Vec<String>,
        /// Show what would be written; write nothing
        #[arg(long)]
        dry_run: bool,
    },
}

/// The state directory as it stands on disk: what people edit.
pub(crate) struct OnDisk {
    root: PathBuf,
    layout: Layout,
    files: FileSet,
    workspace: Workspace,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let disk = OnDisk::open(context)?;
    let templates = disk.templates();
    let place = ScaffoldTarget {
        state_dir: disk.layout.dir(),
        templates: Templates {
            plan: &templates[0],
            gate: &templates[1],
            unit: &templates[2],
        },
    };
    let (mut planned, dry_run) = match &args.what {
        NewCommand::Feature {
            title,
            slug,
            goal,
            dry_run,
        } => {
            let taken = disk.taken(context);
            let roadmap = disk.text(layout::ROADMAP);
            let year = jiff::Zoned::now().year().clamp(0, 9999) as u16;
            let new = NewFeature {
                title,
                slug: slug.as_deref(),
                goal: goal.as_deref(),
                year,
                taken: &taken,
                roadmap: roadmap.as_deref(),
            };
            (create::new_feature(&place, &new)?, *dry_run)
        }
        NewCommand::Gate {
            title,
            feature,
            dry_run,
        } => {
            let (feature, files) = disk.feature(feature.as_deref())?;
            let id = feature.name();
            let directory = create::FeatureDirectory {
                dir: &feature.dir,
                feature_id: &id,
                files: &files,
            };
            (create::new_gate(&place, &directory, title)?, *dry_run)
        }
        NewCommand::Unit {
            title,
            feature,
            gate,
            kind,
            after,
            dry_run,
        } => {
            let (feature, files) = disk.feature(feature.as_deref())?;
            let id = feature.name();
            let directory = create::FeatureDirectory {
                dir: &feature.dir,
                feature_id: &id,
                files: &files,
            };
            let new = NewUnit {
                title,
                kind,
                gate: *gate,
                depends_on: after,
            };
            (create::new_unit(&place, &directory, &new)?, *dry_run)
        }
    };
    // What names a file after the file.
    planned.sort_by_key(|write| write.mode != WriteMode::Create);
    write_files::write(context, &disk.root, &planned, dry_run)?;
    context.out.note(next(&planned));
    Ok(Exit::Success)
}

fn next(planned: &[Write]) -> &'static str {
    if planned.iter().any(|w| {
        w.content
            .contains(gatewalk_core::scaffold::PLACEHOLDER_OPEN)
    }) {
        "next: fill in what stands as `<fill in: …>`, `gatewalk lint`, commit, `gatewalk arm`"
    } else {
        "next: gatewalk lint"
    }
}

impl OnDisk {
    /// Reads it.
    pub(crate) fn open(context: &Context) -> Result<OnDisk> {
        let (root, layout) = state_dir_reader::find_root(&context.cwd).ok_or_else(|| {
            Error::plan("there is no `.gatewalk/` here or above").hint("`gatewalk init` writes one")
        })?;
        let files = state_dir_reader::read_state_dir(&root, layout)?;
        let workspace = Workspace::parse(layout, &files);
        Ok(OnDisk {
            root,
            layout,
            files,
            workspace,
        })
    }

    /// Plans a feature with the next free id and the repository's own templates.
    pub(crate) fn new_feature(&self, context: &Context, title: &str) -> Result<Vec<Write>> {
        let templates = self.templates();
        let place = ScaffoldTarget {
            state_dir: self.layout.dir(),
            templates: Templates {
                plan: &templates[0],
                gate: &templates[1],
                unit: &templates[2],
            },
        };
        let taken = self.taken(context);
        let roadmap = self.text(layout::ROADMAP);
        let year = jiff::Zoned::now().year().clamp(0, 9999) as u16;
        create::new_feature(
            &place,
            &NewFeature {
                title,
                slug: None,
                goal: None,
                year,
                taken: &taken,
                roadmap: roadmap.as_deref(),
            },
        )
    }

    fn text(&self, name: &str) -> Option<String> {
        let bytes = self.files.get(&self.layout.path(name))?;
        Some(String::from_utf8_lossy(bytes).into_owned())
    }

    fn templates(&self) -> [String; 3] {
        let template = |name: &str, shipped: &str| {
            self.text(&format!("{}/{name}", layout::TEMPLATES))
                .unwrap_or_else(|| shipped.to_owned())
        };
        if self.layout == Layout::Specfuse {
            // Templates of the older layout have other markers.
            return [SHIPPED.plan, SHIPPED.gate, SHIPPED.unit].map(str::to_owned);
        }
        [
            template("PLAN.md", SHIPPED.plan),
            template("GATE.md", SHIPPED.gate),
            template("WU.md", SHIPPED.unit),
        ]
    }

    /// Returns every feature id in use: on disk, in the roadmap, and in the names of branches.
    fn taken(&self, context: &Context) -> Vec<String> {
        let mut taken: Vec<String> = self.workspace.features.iter().map(Feature::name).collect();
        let directory = |f: &Feature| {
            f.dir
                .rsplit('/')
                .next()
                .unwrap_or_default()
                .chars()
                .take(14)
                .collect::<String>()
        };
        taken.extend(self.workspace.features.iter().map(directory));
        let roadmap = self.text(layout::ROADMAP).unwrap_or_default();
        taken.extend(
            gatewalk_core::model::roadmap::rows(&roadmap)
                .into_iter()
                .map(|r| r.feature),
        );
        // Without git, or with a damaged one, what is on disk has to do.
        let branches = Git::discover(&context.cwd).and_then(|git| git.list_pins("refs/heads"));
        for branch in branches.unwrap_or_default() {
            if let Some(at) = branch.name.find("FEAT-") {
                taken.push(branch.name[at..].chars().take(14).collect());
            }
        }
        taken.sort();
        taken.dedup();
        taken
    }

    fn feature(&self, name: Option<&str>) -> Result<(&Feature, Vec<FeatureFile>)> {
        let workable = |f: &&Feature| {
            matches!(
                f.plan.status(),
                FeatureStatus::Active | FeatureStatus::Planned
            )
        };
        let found: Vec<&Feature> = match name {
            Some(name) => self.workspace.find_features(name),
            None => self.workspace.features.iter().filter(workable).collect(),
        };
        let feature = match found[..] {
            [one] => one,
            [] => {
                return Err(Error::plan("there is no such feature on disk")
                    .hint("`gatewalk new feature \"TITLE\"` writes one"));
            }
            _ => {
                let ids: Vec<String> = found.iter().map(|f| f.name()).collect();
                return Err(
                    Error::plan(format!("several features match: {}", ids.join(", ")))
                        .hint("say which with `--feature ID`"),
                );
            }
        };
        let prefix = format!("{}/", feature.dir);
        let files = self
            .files
            .range(prefix.clone()..)
            .take_while(|(path, _)| path.starts_with(&prefix))
            .map(|(path, bytes)| FeatureFile {
                name: path[prefix.len()..].to_owned(),
                text: String::from_utf8_lossy(bytes).into_owned(),
            })
            .collect();
        Ok((feature, files))
    }
}
