//! What a user's verbs share: find the unit, validate, edit only what the verb owns, one commit.

use super::idle_driver::{ask_driver, idle_driver_host, pinned_attempts};
use super::next_commands::Surroundings;
use super::plan_check::ChangedUnits;
use super::run_guards::catch_up_if_free;
use super::watch::Printer;
use super::{Context, plan_check};
use gatewalk_core::driver::committed_plan::Attempts;
use gatewalk_core::driver::plan_commit::{place_writes, tree_writes};
use gatewalk_core::driver::ports::{CommitRequest, History, TreeWrite};
use gatewalk_core::driver::run_loop::Driver;
use gatewalk_core::engine::bookkeeping::Books;
use gatewalk_core::engine::evidence::sanitize;
use gatewalk_core::engine::next_steps::NextStep;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::model::edit::FileEdits;
use gatewalk_core::model::feature::{Feature, PlannedUnit};
use gatewalk_core::model::id::{FeatureId, UnitId};
use gatewalk_core::model::status_machine::FeatureStatus;
use gatewalk_core::model::workspace::Workspace;
use gatewalk_core::object_id::ObjectId;
use gatewalk_host::state_repository::{Repository, Selected, full};

/// How often a verb looks again when the branch moved under it. Each time somebody else's commit counted, so of several
/// verbs at one moment the last one loses as often as there are others.
const TRIES: u32 = 50;

/// Options that every verb has.
#[derive(clap::Args)]
pub(crate) struct Common {
    /// Feature id, directory, path or slug, when the unit is named without its feature
    #[arg(long, value_name = "ID|DIRECTORY|PATH|SLUG")]
    pub(crate) feature: Option<String>,
    /// Commit your edits of the plan first
    #[arg(long)]
    pub(crate) commit_plan: bool,
    /// Print what was done as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// The feature a command is about, by its place or by the option: both mean the same.
#[derive(clap::Args)]
pub(crate) struct FeatureName {
    /// Feature id, directory, path or slug; `--feature` means the same
    #[arg(value_name = "FEATURE")]
    name: Option<String>,
    /// Feature id, directory, path or slug
    #[arg(
        long = "feature",
        value_name = "ID|DIRECTORY|PATH|SLUG",
        conflicts_with = "name"
    )]
    option: Option<String>,
}

impl FeatureName {
    /// Returns the name, if one was given.
    pub(crate) fn get(&self) -> Option<&str> {
        self.option.as_deref().or(self.name.as_deref())
    }
}

/// Options of commands that only look at a feature.
#[derive(clap::Args)]
pub(crate) struct ViewArgs {
    /// Feature id, directory, path or slug; the one active feature when absent
    #[arg(long, value_name = "ID|DIRECTORY|PATH|SLUG")]
    pub(crate) feature: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// The feature that a command is about.
pub(crate) struct OpenFeature<'a> {
    pub(crate) context: &'a Context,
    pub(crate) repository: Repository,
    pub(crate) selected: Selected,
    pub(crate) now: String,
}

impl<'a> OpenFeature<'a> {
    /// Opens a feature for looking at it: uncommitted edits are not in the way.
    pub(crate) fn read(
        context: &'a Context,
        feature: Option<&str>,
        unit: Option<&str>,
    ) -> Result<OpenFeature<'a>> {
        OpenFeature::find(context, feature, unit, |repository, name| {
            repository.select_to_read(name)
        })
    }

    /// Asks a driver of the feature something; it runs nothing.
    pub(crate) fn ask<T>(&self, ask: impl FnOnce(&Driver<'_>) -> Result<T>) -> Result<T> {
        ask_driver(self.context, &self.repository, &self.selected, ask)
    }

    /// Opens the feature that a name, or a unit's id, belongs to, for changing it.
    pub(crate) fn open(
        context: &'a Context,
        common: &Common,
        unit: Option<&str>,
    ) -> Result<OpenFeature<'a>> {
        OpenFeature::open_with(context, common, unit, ChangedUnits::Refused)
    }

    /// Opens a feature for changing it, and decides about units that are not what was armed.
    pub(crate) fn open_with(
        context: &'a Context,
        common: &Common,
        unit: Option<&str>,
        changed: ChangedUnits,
    ) -> Result<OpenFeature<'a>> {
        let feature = common.feature.as_deref();
        let mut opened =
            OpenFeature::find(context, feature, unit, |repository, name| match repository
                .select(name)
            {
                Err(_) if common.commit_plan => repository.select_uncommitted(name),
                found => found,
            })?;
        // A checkout that a killed run left behind its branch would look like edits of the plan.
        catch_up_if_free(&opened.repository)?;
        opened.settle_plan(common.commit_plan, changed)?;
        Ok(opened)
    }

    fn find(
        context: &'a Context,
        feature: Option<&str>,
        unit: Option<&str>,
        select: impl Fn(&Repository, Option<&str>) -> Result<Selected>,
    ) -> Result<OpenFeature<'a>> {
        let repository = Repository::open(&context.cwd)?;
        let of_unit = || unit.and_then(feature_named_in);
        let name = feature.map(str::to_owned).or_else(of_unit);
        let selected = select(&repository, name.as_deref())?;
        let now = jiff::Timestamp::now().to_string();
        Ok(OpenFeature {
            context,
            repository,
            selected,
            now,
        })
    }

    /// Refuses uncommitted edits of the plan, or commits them.
    fn settle_plan(&mut self, commit: bool, changed: ChangedUnits) -> Result<()> {
        if !commit {
            return plan_check::refuse_uncommitted(&self.repository, &self.selected);
        }
        self.repository.refuse_busy_branch(&self.selected.branch)?;
        plan_check::commit_edits(self.context, &self.repository, &mut self.selected, changed)
    }

    /// Refuses a plan that the linter refuses.
    pub(crate) fn refuse_findings(&self, changed: ChangedUnits) -> Result<()> {
        plan_check::refuse_findings(self.context, &self.repository, &self.selected, changed)
    }

    /// Returns the feature as its branch has it.
    pub(crate) fn feature(&self) -> &Feature {
        self.selected.feature()
    }

    /// Refuses to move a unit of a feature that is over: its row would say otherwise.
    pub(crate) fn refuse_over(&self) -> Result<()> {
        let feature = self.feature();
        let status = feature.plan.status();
        let name = feature.name();
        match status {
            FeatureStatus::Done => Err(Error::plan(format!(
                "{name} is `done`: nothing moves its units"
            ))
            .hint("`gatewalk new feature \"TITLE\"` for what is still wanted")),
            FeatureStatus::Abandoned => Err(Error::plan(format!(
                "{name} is `abandoned`: nothing moves its units until it is reopened"
            ))
            .hint(format!("gatewalk reopen {name} --reason \"…\""))),
            _ => Ok(()),
        }
    }

    /// Returns the unit a user means.
    pub(crate) fn unit(&self, name: &str) -> Result<PlannedUnit<'_>> {
        let feature = self.feature();
        let found = feature.find_unit(name);
        found.ok_or_else(|| no_such_unit(feature, name))
    }

    /// Commits the edits a verb makes of the feature as it stands, looking again if the branch moved.
    pub(crate) fn commit(
        &mut self,
        message: &str,
        edits: impl Fn(&Books<'_>, &Feature) -> Result<FileEdits>,
    ) -> Result<ObjectId> {
        self.commit_writes(message, |books, feature| {
            edits(books, feature).map(tree_writes)
        })
    }

    /// The same, where files may also be taken out.
    pub(crate) fn commit_writes(
        &mut self,
        message: &str,
        writes: impl Fn(&Books<'_>, &Feature) -> Result<Vec<TreeWrite>>,
    ) -> Result<ObjectId> {
        let (layout, now, dir) = (
            self.repository.layout,
            self.now.clone(),
            self.selected.dir.clone(),
        );
        self.commit_to_tree(message, |workspace| {
            let feature = workspace.features.iter().find(|f| *f.dir == *dir);
            let feature = feature
                .ok_or_else(|| Error::integrity(format!("`{dir}` is gone from the branch")))?;
            let books = Books {
                layout,
                feature,
                roadmap: workspace.roadmap.as_ref(),
                now: &now,
            };
            writes(&books, feature)
        })
    }

    /// Commits edits of the state directory as it stands, looking again if the branch moved.
    pub(crate) fn commit_in(
        &mut self,
        message: &str,
        edits: impl Fn(&Workspace) -> Result<FileEdits>,
    ) -> Result<ObjectId> {
        self.commit_to_tree(message, |workspace| edits(workspace).map(tree_writes))
    }

    fn commit_to_tree(
        &mut self,
        message: &str,
        writes: impl Fn(&Workspace) -> Result<Vec<TreeWrite>>,
    ) -> Result<ObjectId> {
        self.repository.refuse_busy_branch(&self.selected.branch)?;
        self.repository.enter_branch(&mut self.selected)?;
        let watcher = Printer::new(self.context.out.clone(), false);
        let machine = idle_driver_host(self.context, &self.repository, &watcher)?;
        for _ in 0..TRIES {
            let tip = machine.tip(&self.selected.branch)?;
            let tip = tip.ok_or_else(|| {
                Error::integrity(format!("the branch `{}` is gone", self.selected.branch))
            })?;
            self.selected.workspace =
                std::sync::Arc::new(self.repository.plans_around(tip, &self.selected.dir)?);
            self.selected.commit = tip;
            let writes = writes(&self.selected.workspace)?;
            let request = CommitRequest {
                tree: machine.tree_of(&tip)?,
                parent: tip,
                message,
            };
            if let Some((commit, followed)) =
                place_writes(&machine, &self.selected.branch, &request, &writes)?
            {
                for text in followed.said() {
                    self.context.out.note(text);
                }
                return Ok(commit);
            }
        }
        Err(
            Error::integrity(format!("`{}` keeps moving", self.selected.branch))
                .hint("run the command again"),
        )
    }

    /// Reads the plan as it stands on the branch now, with what was committed since it was opened.
    pub(crate) fn look_again(&mut self) -> Result<()> {
        let Selected { branch, dir, .. } = &self.selected;
        if let Some(tip) = self.repository.git.resolve(&full(branch))? {
            self.selected.workspace = std::sync::Arc::new(self.repository.plans_around(tip, dir)?);
            self.selected.commit = tip;
        }
        Ok(())
    }

    /// Returns the pinned attempts.
    pub(crate) fn attempts(&self) -> Result<Attempts> {
        pinned_attempts(self.context, &self.repository)
    }

    /// Prints what a verb did and what to do next, and shows the new state on the feature's issue, if it has one.
    pub(crate) fn done(&self, json: bool, what: &str, commit: ObjectId) {
        // The verb is done: what cannot be read again now is only not shown.
        let after = self
            .repository
            .plans_around(commit, &self.selected.dir)
            .ok();
        let after = after.map(|workspace| Selected {
            workspace: std::sync::Arc::new(workspace),
            commit,
            ..self.selected.clone()
        });
        let there = |s: &Selected| s.workspace.features.iter().any(|f| *f.dir == *s.dir);
        let next = after.filter(there).map(|after| {
            if after.feature().plan.front.issue.is_some() {
                super::labels::sync(self.context, &self.repository, after.feature());
            }
            self.steps_after(&after).unwrap_or_default()
        });
        let next = next.unwrap_or_default();
        let out = &self.context.out;
        if json {
            let next = next.first().map(ToString::to_string).unwrap_or_default();
            out.json(&serde_json::json!({"done": what, "commit": commit, "next": next}));
            return;
        }
        out.line(format!("{what} ({})", commit.short()));
        for step in next {
            out.note(format!("next: {step}"));
        }
    }

    fn steps_after(&self, after: &Selected) -> Result<Vec<NextStep>> {
        let around = Surroundings::at_work(&self.repository)?;
        let attempts = self.attempts()?;
        Ok(around.of_feature((self.context, &self.repository), after, &attempts))
    }
}

/// Returns the feature that a unit's id begins with, or that was named where a unit is wanted.
pub(super) fn feature_named_in(unit: &str) -> Option<String> {
    let of_unit = UnitId::parse(unit).map(|id| id.feature().to_string());
    of_unit.or_else(|| FeatureId::parse(unit).map(|id| id.to_string()))
}

/// Returns the error of a name that no unit of a feature has.
pub(super) fn no_such_unit(feature: &Feature, name: &str) -> Error {
    let ids: Vec<&str> = feature
        .members()
        .map(|m| m.node.id.value.as_str())
        .collect();
    let (feature, name) = (feature.name(), sanitize(name));
    let is_other_feature = FeatureId::parse(&name).is_some();
    Error::plan(match name == feature {
        true => format!("`{name}` is a feature, and this is about one of its units"),
        false if is_other_feature => format!(
            "`{name}` is another feature than {feature}, and a command is about one feature at a time"
        ),
        false => format!("{feature} has no unit `{name}`"),
    })
    .hint(match ids.is_empty() {
        true => "its plan lists no unit: `gatewalk lint` says why".to_owned(),
        false => format!("its units: {}", ids.join(", ")),
    })
}

/// Refuses an empty text, called by its option or by what it is; returns it as one line.
pub(crate) fn one_line(name: &str, text: &str) -> Result<String> {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.is_empty() {
        return Err(Error::usage(format!("{name} says nothing")));
    }
    Ok(sanitize(&line))
}
