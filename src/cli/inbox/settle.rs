//! Settling an item of the inbox: what it becomes, and one event that says so.

use crate::cli::new::{FeatureNames, OnDisk};
use crate::cli::unit_command::{Common, OpenFeature};
use crate::cli::{Context, write_files};
use gatewalk_core::engine::evidence::{one_line, sanitize};
use gatewalk_core::engine::inbox_items::{self, InboxItem};
use gatewalk_core::engine::{events, lessons};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::model::edit::FileEdits;
use gatewalk_core::model::layout;
use gatewalk_core::scaffold::{Write, WriteMode};
use gatewalk_host::user_tool;
use std::cell::RefCell;

/// Most characters of a title made from an item.
const TITLE_CHARS: usize = 60;

/// What became of an item.
struct Settlement {
    /// `unit`, `feature`, `lesson`, `issue` or `dropped`.
    became: &'static str,
    /// Its name, or the reason.
    what: String,
}

fn opened<'a>(context: &'a Context, item: &InboxItem) -> Result<OpenFeature<'a>> {
    let common = Common {
        feature: Some(item.feature.clone()),
        commit_plan: false,
        json: false,
    };
    OpenFeature::open(context, &common, None)
}

/// Returns an item as a title.
fn title(item: &InboxItem) -> String {
    let line = one_line(&item.text);
    let mut title: String = line.chars().take(TITLE_CHARS).collect();
    if title.len() < line.len() {
        title.push('…');
    }
    title
}

/// Commits the event, with what else the item becomes.
fn commit(
    context: &Context,
    item: &InboxItem,
    edits: impl Fn(&OpenFeature<'_>) -> Result<(FileEdits, Settlement)>,
) -> Result<Exit> {
    let mut opened = opened(context, item)?;
    let now = opened.now.clone();
    let message = format!("Settle {} of the inbox of {}\n", item.id, item.feature);
    // Planned on the branch as it is now; where it moves meanwhile, the commit is refused by what it holds.
    let (files, settled) = edits(&opened)?;
    let done = RefCell::new(false);
    let commit = opened.commit(&message, |books, feature| {
        if !inbox_items::open(feature)
            .iter()
            .any(|open| open.id == item.id)
        {
            return Err(Error::plan("the item is not open any more"));
        }
        done.replace(true);
        let payload = inbox_items::settlement(item, settled.became, &settled.what);
        let mut all = files.clone();
        all.extend(books.note(events::verb(
            &item.feature,
            &now,
            inbox_items::SETTLED,
            payload,
        )));
        Ok(all)
    })?;
    let what = format!(
        "{}: {} {}",
        item.id,
        settled.became,
        sanitize(&settled.what)
    );
    opened.done(false, &what, commit);
    Ok(Exit::Success)
}

/// Closes an item without doing anything.
pub(super) fn drop_item(context: &Context, item: &InboxItem, reason: &str) -> Result<Exit> {
    commit(context, item, |_| {
        let settled = Settlement {
            became: "dropped",
            what: reason.to_owned(),
        };
        Ok((vec![], settled))
    })
}

/// Keeps an item as a lesson.
pub(super) fn lesson(context: &Context, item: &InboxItem, paths: &[String]) -> Result<Exit> {
    commit(context, item, |opened| {
        let old = opened.selected.workspace.learnings.as_ref();
        let old = old.map_or_else(String::new, |b| String::from_utf8_lossy(b).into_owned());
        let (text, id) = lessons::with_lesson(&old, &one_line(&item.text), paths);
        let path = opened.repository.layout.path(layout::LEARNINGS);
        let settled = Settlement {
            became: "lesson",
            what: id,
        };
        Ok((vec![(path, text)], settled))
    })
}

/// Makes an item a draft unit of its feature, on the feature's branch.
pub(super) fn unit(context: &Context, item: &InboxItem, gate: Option<u32>) -> Result<Exit> {
    commit(context, item, |opened| {
        opened.refuse_over()?;
        let disk = OnDisk::of_commit(&opened.repository, opened.selected.commit)?;
        let mut planned = disk.new_unit(context, (&item.feature, gate), &title(item))?;
        let name = with_the_reason(&mut planned, item);
        let edits = planned.into_iter().map(|w| (w.path, w.content)).collect();
        let settled = Settlement {
            became: "unit",
            what: name,
        };
        Ok((edits, settled))
    })
}

/// Writes what was noticed into the new unit; returns the name of its file.
fn with_the_reason(planned: &mut [Write], item: &InboxItem) -> String {
    let from = item.from.as_deref().unwrap_or(&item.feature);
    let heading = "## Context\n\n";
    let new = planned.iter_mut().find(|w| w.mode == WriteMode::Create);
    let Some(new) = new else {
        return String::new();
    };
    let reason = format!("{heading}From {from}: {}\n\n", one_line(&item.text));
    new.content = new.content.replacen(heading, &reason, 1);
    new.path.rsplit('/').next().unwrap_or_default().to_owned()
}

/// Makes an item a feature of its own, as files in the checkout.
pub(super) fn feature(context: &Context, item: &InboxItem) -> Result<Exit> {
    // Refused before anything is written.
    drop(opened(context, item)?);
    let disk = OnDisk::open(context)?;
    let goal = one_line(&item.text);
    let names = FeatureNames {
        goal: Some(&goal),
        ..FeatureNames::default()
    };
    let planned = disk.new_feature(context, &title(item), names)?;
    let plan = planned.iter().find(|w| w.path.ends_with(layout::PLAN));
    let directory = plan.and_then(|w| w.path.rsplit('/').nth(1));
    let directory = directory.unwrap_or_default().to_owned();
    let written = commit(context, item, |_| {
        let settled = Settlement {
            became: "feature",
            what: directory.clone(),
        };
        Ok((vec![], settled))
    })?;
    write_files::write(context, disk.root(), &planned, false)?;
    context.out.note(
        "next: fill in what stands as `<fill in: …>`, `gatewalk lint`, commit, `gatewalk arm`",
    );
    Ok(written)
}

/// Opens an issue with `gh`.
pub(super) fn issue(context: &Context, item: &InboxItem) -> Result<Exit> {
    let place = opened(context, item)?;
    let from = item.from.as_deref().unwrap_or(&item.feature);
    let body = format!("{}\n\nNoticed by {from}.\n", item.text);
    let title = title(item);
    let url = user_tool::run(&user_tool::ToolCommand {
        program: "gh",
        args: &["issue", "create", "--title", &title, "--body", &body],
        input: "",
        cwd: place.repository.git.work_tree(),
        env: &context.host()?.env,
    })?
    .ok("`gh issue create`")?;
    let url = one_line(url.trim());
    commit(context, item, |_| {
        let settled = Settlement {
            became: "issue",
            what: url.clone(),
        };
        Ok((vec![], settled))
    })
}
