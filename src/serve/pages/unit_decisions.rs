//! What the user decides on the page of a unit.

use super::action_page::{ActionForm, line_field};
use super::{PageFrame, feature_decisions};
use crate::serve::attention::{list, text};
use crate::serve::{ServedRepository, Site};
use maud::{Markup, html};
use serde_json::Value;

/// The forms that fit where the unit stands.
pub(super) fn decisions(
    site: &Site,
    frame: &PageFrame,
    repository: &ServedRepository,
    (feature, unit): (&Value, &Value),
) -> Markup {
    let (id, status) = (text(unit, "id"), text(unit, "status"));
    let is_yours = status == "pending" && unit["type"] == "human";
    let form = |action, button, line: String| ActionForm {
        repository,
        action,
        button,
        line,
        hidden: vec![("unit", id), ("name", id)],
        dangerous: action == "abandon",
    };
    html! {
        @if status == "blocked_human" {
            @if unit["why"] == "agent_blocked" {
                (feature_decisions::question_forms(site, frame, repository, text(feature, "feature")))
            }
            (unblocking(frame, feature, form("unblock", "Unblock", String::new())))
        }
        @if is_yours && list(unit, "waiting_for").is_empty() {
            section {
                h2 { "Hand it in" }
                (form("done", "It is done", format!("gatewalk done {id} --evidence \"…\""))
                    .with(frame, &line_field("evidence", "done-evidence", "What was done, and how anybody can see it")))
            }
        }
        @if !frame.read_only && !matches!(status, "done" | "abandoned") {
            details {
                summary { "Give this unit up" }
                (form("abandon", "Abandon the unit", format!("gatewalk abandon {id} --reason \"…\""))
                    .with(frame, &line_field("reason", "abandon-reason", "Why")))
            }
        }
    }
}

/// The form that sends a parked unit back to work, as the next step of its feature has it.
pub(super) fn unblocking(frame: &PageFrame, feature: &Value, form: ActionForm<'_>) -> Markup {
    let id = form.hidden[0].1;
    let steps = list(feature, "next_steps").iter().filter_map(Value::as_str);
    let mut about = steps.filter(|step| step.contains(&format!("unblock {id} ")));
    let step = about.next().unwrap_or_default();
    let [changed, widens, commits] =
        ["--changed", "--widen", "--commit-plan"].map(|option| step.contains(option));
    let mut line = format!("gatewalk unblock {id} --reason \"…\"");
    line += if changed { " --changed \"…\"" } else { "" };
    line += if widens { " --widen" } else { "" };
    line += if commits { " --commit-plan" } else { "" };
    let mut hidden = form.hidden.clone();
    hidden.extend(commits.then_some(("commit_plan", "yes")));
    let form = ActionForm {
        line,
        hidden,
        ..form
    };
    html! {
        section {
            h2 { "Send it back to work" }
            (form.with(frame, &html! {
                (line_field("reason", "unblock-reason", "Why another attempt is worth it"))
                @if changed {
                    (line_field("changed", "unblock-changed", "It failed in the same way before: what is different now"))
                }
                @if widens { p { label { input type="checkbox" name="widen" value="yes" required; " It may touch the paths that it asked for" } } }
            }))
        }
    }
}
