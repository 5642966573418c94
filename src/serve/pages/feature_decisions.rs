//! What the user decides on the page of a feature.

use super::action_page::{ActionForm, line_field};
use super::{PageFrame, address};
use crate::serve::attention::{is_driven, list, text};
use crate::serve::{ServedRepository, Site};
use maud::{Markup, html};
use serde_json::Value;

/// The forms that fit where the feature stands.
pub(super) fn decisions(
    site: &Site,
    frame: &PageFrame,
    repository: &ServedRepository,
    (status, feature): (&Value, &Value),
) -> Markup {
    let id = text(feature, "feature");
    let next = text(feature, "next");
    let open = !matches!(text(feature, "status"), "done" | "abandoned");
    let driven = is_driven(status, id);
    let commits = next.contains(" --commit-plan");
    let commit_plan = if commits { " --commit-plan" } else { "" };
    let form = |action, button, line: String| ActionForm {
        repository,
        action,
        button,
        line,
        hidden: vec![("feature", id)],
        dangerous: action == "abandon",
    };
    let to_review = ["review", "arm"]
        .iter()
        .any(|verb| next.starts_with(&format!("gatewalk {verb}")));
    html! {
        @if to_review {
            p { a .button href=(address("/review", &[("repo", &repository.name), ("id", id)])) { "Review and arm" } }
        }
        @if driven {
            (form("stop", "Stop the run", "gatewalk stop".to_owned()).with(frame, &html! {}))
        } @else if next.starts_with("gatewalk loop") && !frame.read_only {
            @let hidden = [("feature", id)].into_iter().chain(commits.then_some(("commit_plan", "yes"))).collect();
            @let line = format!("gatewalk loop --feature {id}{commit_plan}");
            (ActionForm { hidden, ..form("run", "Start a run", line) }.with(frame, &html! {}))
        }
        @if open {
            (question_forms(site, frame, repository, id))
            @if !frame.read_only {
                details {
                    summary { "Give this feature up" }
                    @let line = format!("gatewalk abandon {id} --reason \"…\"");
                    (ActionForm { hidden: vec![("feature", id), ("name", id)], ..form("abandon", "Abandon the feature", line) }
                        .with(frame, &line_field("reason", "abandon-reason", "Why")))
                }
            }
        }
    }
}

/// The command that lists the open questions of a feature.
pub(super) fn question_words(feature: &str) -> [&str; 4] {
    ["answer", "--json", "--feature", feature]
}

/// The command that reports a feature.
pub(super) fn report_words(feature: &str) -> [&str; 4] {
    ["report", "--json", "--", feature]
}

/// A form for each open question of a feature.
pub(super) fn question_forms(
    site: &Site,
    frame: &PageFrame,
    repository: &ServedRepository,
    feature: &str,
) -> Markup {
    // Shown beside the rest: questions that cannot be read are only not shown.
    let Ok(open) = repository.json(&site.runner, &question_words(feature)) else {
        return html! {};
    };
    html! {
        @for row in list(&open, "questions") {
            @let number = row["number"].to_string();
            @let field = format!("answer-{number}");
            section .notice .warn {
                h2 { "Question" }
                p .why { (text(row, "question")) }
                (ActionForm {
                    repository,
                    action: "answer",
                    button: "Answer",
                    line: format!("gatewalk answer {number} \"…\" --feature {feature}"),
                    hidden: vec![("feature", feature), ("number", &number), ("question", text(row, "question"))],
                    dangerous: false,
                }.with(frame, &line_field("answer", &field, "Your answer")))
            }
        }
    }
}
