//! What a plan must be before a command works on it: committed, and free of errors.

use super::{Context, contract_changes};
use gatewalk_core::diagnostic::Diagnostic;
use gatewalk_core::engine::evidence::{first_named, one_line, sanitize};
use gatewalk_core::engine::top_path::top_path;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::model::layout;
use gatewalk_core::model::workspace::Workspace;
use gatewalk_host::git::GitPath;
use gatewalk_host::state_repository::{Repository, Selected};
use gatewalk_host::{earlier_lists, lost_armings, plan_links, state_dir_reader};
use std::sync::Arc;

/// How many uncommitted files a refusal names.
const NAMED_FILES: usize = 5;

/// The finding that nobody reads a file, such as one behind a link.
const READ_BY_NOBODY: &str = "GW128";

/// The finding that a unit is not what was armed.
pub(super) const CHANGED_AFTER_ARMING: &str = "GW408";

/// What is done about units that are not what was armed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChangedUnits {
    /// They are an error.
    Refused,
    /// They are shown, and armed as they are now.
    Armed,
}

/// Commits the user's edits of the plan, on its branch.
pub(crate) fn commit_edits(
    context: &Context,
    repository: &Repository,
    selected: &mut Selected,
    changed: ChangedUnits,
) -> Result<()> {
    repository.enter_branch(selected)?;
    refuse_broken_edits(context, repository, selected, changed)?;
    let (branch, tip) = (&selected.branch, selected.commit);
    if let Some(tip) = repository.commit_plan(branch, tip, &selected.dir)? {
        selected.commit = tip;
        selected.workspace = Arc::new(repository.plans_around(tip, &selected.dir)?);
    }
    selected.exists = true;
    Ok(())
}

/// Refuses to go on beside edits of the plan that are not committed.
pub(crate) fn refuse_uncommitted(repository: &Repository, selected: &Selected) -> Result<()> {
    let edited = repository.uncommitted(&selected.dir)?;
    if edited.is_empty() {
        return Ok(());
    }
    let names: Vec<_> = edited.iter().map(GitPath::to_text).collect();
    let mut error = Error::plan(format!(
        "the plan has uncommitted edits, which would not be in effect: {}",
        first_named(&names, NAMED_FILES)
    ));
    let log = format!("{}/{}", selected.dir, layout::EVENTS);
    let is_log = |path: &GitPath| path.as_bytes() == log.as_bytes();
    if selected.exists && edited.iter().any(is_log) {
        let restore = format!(
            "git restore --source={} --staged --worktree -- {}",
            selected.branch,
            top_path(&log)
        );
        error = error.hint(format!(
            "only the driver writes the log: `{restore}` brings back the branch's own"
        ));
    }
    if !edited.iter().all(is_log) {
        error = error.hint("`--commit-plan` commits them first");
    }
    Err(error.hint("nothing was changed"))
}

/// Refuses a committed plan with lint errors, each shown where it is, and says what of it is not committed.
pub(crate) fn refuse_findings(
    context: &Context,
    repository: &Repository,
    selected: &Selected,
    changed: ChangedUnits,
) -> Result<()> {
    refuse_errors(context, repository, selected, changed).map_err(|e| {
        let edited = repository.uncommitted(repository.layout.dir());
        let features = format!("{}/", repository.layout.path(layout::FEATURES));
        let own = format!("{}/", selected.dir);
        let mut concerning = edited
            .unwrap_or_default()
            .into_iter()
            .map(|path| path.to_text().into_owned())
            .filter(|path| !path.starts_with(&features) || path.starts_with(&own));
        match concerning.next() {
            Some(path) => e.hint(format!(
                "`{}` is not committed as it is in your checkout, so that is not in effect; `--commit-plan` commits the plan",
                one_line(&path)
            )),
            None => e.hint("`gatewalk lint` shows the same"),
        }
    })
}

/// Returns the plans of a feature's commit, with what only the repository knows of them.
fn with_history(repository: &Repository, selected: &Selected) -> Result<Arc<Workspace>> {
    let mut workspace = selected.workspace.clone();
    let (git, commit) = (&repository.git, selected.commit);
    let unsure = lost_armings::unsure([selected.feature()].into_iter());
    let lost = lost_armings::of_features(git, commit, &unsure);
    if !lost.is_empty() {
        Arc::make_mut(&mut workspace).lost_armings = lost;
    }
    let earlier = earlier_lists::read(git, &workspace, commit)?;
    if earlier != workspace.earlier_known {
        Arc::make_mut(&mut workspace).earlier_known = earlier;
    }
    let unread = plan_links::committed(git, commit, (repository.layout, &selected.dir))?;
    if !unread.is_empty() {
        Arc::make_mut(&mut workspace).unread = unread;
    }
    Ok(workspace)
}

/// Refuses to commit edits that break a plan that was sound; they stay in the checkout as they are.
fn refuse_broken_edits(
    context: &Context,
    repository: &Repository,
    selected: &Selected,
    changed: ChangedUnits,
) -> Result<()> {
    let layout = repository.layout;
    if repository.uncommitted(layout.dir())?.is_empty() {
        return Ok(());
    }
    let errors =
        |s: &Selected| !gatewalk_core::lint::feature_errors(&s.workspace, s.feature()).is_empty();
    let files = state_dir_reader::read_state_dir(repository.git.work_tree(), layout)?;
    let workspace = Workspace::parse(layout, &files);
    let there = |w: &Workspace| w.features.iter().any(|f| *f.dir == *selected.dir);
    if !there(&workspace) || !there(&selected.workspace) || errors(selected) {
        return Ok(());
    }
    let edited = Selected {
        workspace: Arc::new(workspace),
        ..selected.clone()
    };
    refuse_errors(context, repository, &edited, changed).map_err(|e| {
        e.hint(
            "your edits are not committed and stay as they are: fix them and run the command again",
        )
    })
}

fn refuse_errors(
    context: &Context,
    repository: &Repository,
    selected: &Selected,
    changed: ChangedUnits,
) -> Result<()> {
    let workspace = with_history(repository, selected)?;
    let findings = gatewalk_core::lint::feature_errors(&workspace, selected.feature());
    let refused = |d: &Diagnostic| {
        let armed = d.code == CHANGED_AFTER_ARMING && changed == ChangedUnits::Armed;
        !armed
    };
    let errors: Vec<_> = findings.into_iter().filter(refused).collect();
    if errors.is_empty() {
        return Ok(());
    }
    for error in &errors {
        context.out.note(place_and_message(selected, error));
    }
    let count = errors.len();
    let mut error = Error::plan(format!(
        "the plan of {} has {count} error{}",
        selected.feature().name(),
        if count == 1 { "" } else { "s" }
    ));
    if errors.iter().any(|d| d.code == CHANGED_AFTER_ARMING) {
        let units = show_changes(context, repository, selected);
        let commit = match repository.uncommitted(&selected.dir)?.is_empty() {
            true => "",
            false => " --commit-plan",
        };
        // Arming refuses the others itself, and what mends them may be what was changed.
        let others = errors.iter().any(|d| d.code != CHANGED_AFTER_ARMING);
        let arm = format!("`gatewalk arm {}{commit}` arms what", units.join(" "));
        error = error.hint(match others {
            true => format!("mend the other errors first; then {arm} still differs"),
            false => format!("{arm} it says now"),
        });
    }
    Err(error.hint("nothing was started and nothing was touched"))
}

/// Refuses to go by committed plans where what nobody reads stands in the place of what decides.
pub(crate) fn refuse_unread(repository: &Repository, selected: &Selected) -> Result<()> {
    let of = (repository.layout, &*selected.dir);
    let unread = plan_links::committed(&repository.git, selected.commit, of)?;
    if unread.is_empty() {
        return Ok(());
    }
    let mut workspace = (*selected.workspace).clone();
    workspace.unread = unread;
    let feature = selected.feature();
    match gatewalk_core::lint::feature_error_of(&workspace, feature, READ_BY_NOBODY) {
        None => Ok(()),
        Some(d) => Err(Error::plan(place_and_message(selected, &d))
            .hint(format!(
                "{}, and commit",
                d.help.as_deref().unwrap_or("mend it")
            ))
            .hint("nothing was run")),
    }
}

/// Shows what changed in armed units; returns their ids.
pub(crate) fn show_changes(
    context: &Context,
    repository: &Repository,
    selected: &Selected,
) -> Vec<String> {
    let changes = contract_changes::of_feature(repository, selected);
    for change in &changes {
        context
            .out
            .note(format!("{} is not what was armed:", change.unit));
        for line in &change.lines {
            context.out.note(format!("  {}", sanitize(line)));
        }
    }
    changes.into_iter().map(|change| change.unit).collect()
}

fn place_and_message(selected: &Selected, d: &Diagnostic) -> String {
    let sources = gatewalk_core::lint::sources(&selected.workspace);
    let text = sources.get(&d.primary.path).map_or("", |t| &**t);
    let before = text.get(..d.primary.span.start).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before
        .rsplit('\n')
        .next()
        .unwrap_or_default()
        .chars()
        .count()
        + 1;
    format!(
        "{}:{line}:{column}: error[{}]: {}",
        d.primary.path, d.code, d.message
    )
}
