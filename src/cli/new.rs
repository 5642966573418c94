//! `gatewalk new`: features, gates and units with the next free ids.

mod outlined_feature;
mod taken_ids;
mod unit_on_branch;

use super::{Context, missing_state_dir, write_files};
use clap::Subcommand;
use gatewalk_core::engine::evidence::sanitize;
use gatewalk_core::engine::{proposed_touches, spent_ids};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::model::feature::Feature;
use gatewalk_core::model::layout::{self, Layout};
use gatewalk_core::model::status_machine::FeatureStatus;
use gatewalk_core::model::workspace::{FileSet, Workspace};
use gatewalk_core::scaffold::create::{
    self, FeatureDirectory, FeatureFile, NewFeature, NewUnit, ScaffoldTarget,
};
use gatewalk_core::scaffold::template::{SHIPPED, Templates};
use gatewalk_core::scaffold::{PLACEHOLDER_OPEN, Write, WriteMode};
use gatewalk_host::git::{Git, GitPath};
use gatewalk_host::missing_feature::unit_named;
use gatewalk_host::state_dir_reader;
use gatewalk_host::state_repository::full;
use std::path::PathBuf;

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
        /// What its first unit is called; the feature's title when absent
        #[arg(long, value_name = "TITLE")]
        unit: Option<String>,
        /// Show what would be written; write nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// A gate behind the last one, with the closing units it needs
    Gate {
        /// What it is called
        title: String,
        /// Feature id, directory, path or slug; the one being worked on when absent
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
        /// Feature id, directory, path or slug; the one being worked on when absent
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

/// What a new feature is called beside its title, where the user says so.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct FeatureNames<'a> {
    pub(crate) slug: Option<&'a str>,
    pub(crate) goal: Option<&'a str>,
    pub(crate) unit: Option<&'a str>,
}

/// The state directory as it stands on disk, where the user edits it.
pub(crate) struct OnDisk {
    root: PathBuf,
    layout: Layout,
    files: FileSet,
    workspace: Workspace,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let disk = OnDisk::open(context)?;
    let (mut planned, dry_run) = planned(&disk, context, &args.what)?;
    disk.propose_touches(context, &mut planned);
    // What names a file after the file.
    planned.sort_by_key(|write| write.mode != WriteMode::Create);
    write_files::write(context, &disk.root, &planned, dry_run)?;
    context.out.note(next(&planned));
    Ok(Exit::Success)
}

/// Returns what a command writes, and whether it only shows that.
fn planned(disk: &OnDisk, context: &Context, what: &NewCommand) -> Result<(Vec<Write>, bool)> {
    Ok(match what {
        NewCommand::Feature {
            title,
            slug,
            goal,
            unit,
            dry_run,
        } => {
            let names = FeatureNames {
                slug: slug.as_deref(),
                goal: goal.as_deref(),
                unit: unit.as_deref(),
            };
            (disk.new_feature(context, title, names)?, *dry_run)
        }
        NewCommand::Gate {
            title,
            feature,
            dry_run,
        } => {
            let writes = disk.in_feature(context, feature.as_deref(), |target, directory| {
                create::new_gate(target, directory, title)
            });
            (writes?, *dry_run)
        }
        NewCommand::Unit {
            title,
            feature,
            gate,
            kind,
            after,
            dry_run,
        } => {
            let new = NewUnit {
                title,
                kind,
                gate: *gate,
                depends_on: after,
            };
            let writes = disk.in_feature(context, feature.as_deref(), |target, directory| {
                create::new_unit(target, directory, &new)
            });
            (writes?, *dry_run)
        }
    })
}

fn next(planned: &[Write]) -> &'static str {
    let is_unfinished = |w: &Write| w.content.contains(PLACEHOLDER_OPEN);
    if planned.iter().any(is_unfinished) {
        "next: fill in what stands as `<fill in: …>`, `gatewalk lint`, commit, `gatewalk arm`"
    } else {
        "next: gatewalk lint"
    }
}

impl OnDisk {
    pub(crate) fn open(context: &Context) -> Result<OnDisk> {
        let (root, layout) = state_dir_reader::find_root(&context.cwd)
            .ok_or_else(|| missing_state_dir::error(&context.cwd))?;
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
    pub(crate) fn new_feature(
        &self,
        context: &Context,
        title: &str,
        names: FeatureNames<'_>,
    ) -> Result<Vec<Write>> {
        let roadmap = self.text(layout::ROADMAP);
        let new = NewFeature {
            title,
            slug: names.slug,
            goal: names.goal,
            unit: names.unit,
            year: jiff::Zoned::now().year().clamp(0, 9999) as u16,
            taken: &self.taken(context),
            roadmap: roadmap.as_deref(),
        };
        self.with_templates(|target| create::new_feature(target, &new))
    }

    /// Gives the planned units a `touches`, as far as their words and the files of the repository suggest one.
    pub(crate) fn propose_touches(&self, context: &Context, planned: &mut [Write]) {
        self.propose_touches_among(context, planned, |_| true);
    }

    /// Does the same by some of the files only.
    fn propose_touches_among(
        &self,
        context: &Context,
        planned: &mut [Write],
        counts: impl Fn(&str) -> bool,
    ) {
        // Without git, or with a damaged one, nothing is proposed.
        let git = Git::discover(&context.cwd);
        let mut paths = git.and_then(|git| git.working_files()).unwrap_or_default();
        paths.retain(|path| counts(path));
        for write in planned.iter_mut().filter(|w| w.mode == WriteMode::Create) {
            let name = write.path.rsplit('/').next().unwrap_or_default();
            if layout::is_unit_file(name)
                && let Some(text) = proposed_touches::into_unit(&write.content, &paths)
            {
                write.content = text;
            }
        }
    }

    /// Plans something in a feature that is there.
    fn in_feature(
        &self,
        context: &Context,
        name: Option<&str>,
        plan: impl FnOnce(&ScaffoldTarget<'_>, &FeatureDirectory<'_>) -> Result<Vec<Write>>,
    ) -> Result<Vec<Write>> {
        let (feature, files) = self.feature(name)?;
        let spent = self.spent_ids(context, feature);
        let directory = FeatureDirectory {
            dir: &feature.dir,
            feature_id: &feature.name(),
            files: &files,
            spent: &spent,
        };
        self.with_templates(|target| plan(target, &directory))
    }

    fn with_templates<T>(&self, plan: impl FnOnce(&ScaffoldTarget<'_>) -> T) -> T {
        let [plan_text, gate, unit] = self.templates();
        plan(&ScaffoldTarget {
            state_dir: self.layout.dir(),
            templates: Templates {
                plan: &plan_text,
                gate: &gate,
                unit: &unit,
            },
        })
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

    /// Returns every feature id in use: on disk, in the roadmap, and in git.
    fn taken(&self, context: &Context) -> Vec<String> {
        let mut taken: Vec<String> = self.workspace.features().map(Feature::name).collect();
        let directory = |f: &Feature| {
            f.dir
                .rsplit('/')
                .next()
                .unwrap_or_default()
                .chars()
                .take(14)
                .collect::<String>()
        };
        taken.extend(self.workspace.features().map(directory));
        let roadmap = self.text(layout::ROADMAP).unwrap_or_default();
        taken.extend(
            gatewalk_core::model::roadmap::rows(&roadmap)
                .into_iter()
                .map(|r| r.feature),
        );
        // Without git, or with a damaged one, what is on disk has to do.
        if let Ok(git) = Git::discover(&context.cwd) {
            taken.extend(taken_ids::of_features(&git, self.layout));
        }
        taken.sort();
        taken.dedup();
        taken
    }

    /// Returns the ids of units that a feature ever had: in its log, here and on its branch, and in the refs that keep
    /// attempts.
    fn spent_ids(&self, context: &Context, feature: &Feature) -> Vec<String> {
        let here = feature.others.get(layout::EVENTS);
        let mut spent = here.map(|log| spent_ids::named(log)).unwrap_or_default();
        // Without git, or with a damaged one, what is on disk has to do.
        if let Ok(git) = Git::discover(&context.cwd) {
            let path = GitPath::new(feature.path(layout::EVENTS).as_bytes());
            let branch = feature.plan.branch().map(full);
            let tip = branch.and_then(|branch| git.ref_value(&branch).ok()?);
            let log = tip.and_then(|tip| git.file_at(tip, &path).ok()?);
            spent.extend(log.map(|log| spent_ids::named(&log)).unwrap_or_default());
            spent.extend(taken_ids::units_with_refs(&git));
        }
        let own = format!("{}/", feature.name());
        spent.retain(|id| id.starts_with(&own));
        spent.into_iter().collect()
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
            None => self.workspace.features().filter(workable).collect(),
        };
        let feature = match found[..] {
            [one] => one,
            [] => {
                let unit = name.and_then(|n| unit_named(n, self.workspace.features()));
                if let Some(error) = unit {
                    return Err(error);
                }
                let error = Error::plan(match name {
                    Some(name) => format!("your checkout has no feature `{}`", sanitize(name)),
                    None => "no feature of your checkout is planned or under way".to_owned(),
                });
                let left_out =
                    name.and_then(|name| taken_ids::left_out(&self.root, self.layout, name));
                let new = "`gatewalk new feature \"TITLE\"` writes one".to_owned();
                return Err(error.hint(left_out.unwrap_or(new)));
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
