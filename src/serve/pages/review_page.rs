//! The review of a gate, and arming what was reviewed: the form carries what stands for the review that was shown.

use super::action_page::ActionForm;
use super::{Crumb, PageFrame, address, feature_view, prose};
use crate::serve::attention::{list, text};
use crate::serve::http_request::Fields;
use crate::serve::page_facts::{PageResult, feature, repository, status_about, wanted};
use crate::serve::{ServedRepository, Site};
use maud::{Markup, html};
use serde_json::Value;
use sha2::{Digest, Sha256};

pub(in crate::serve) fn show(site: &Site, frame: &PageFrame, query: &Fields) -> PageResult {
    let repository = repository(site, query)?;
    let id = wanted(query, "id")?;
    let all = status_about(site, repository, id)?;
    let shown = feature(&all, id)?;
    let review = repository.json(&site.runner, &["review", "--json", "--feature", id])?;
    let seen = review_hash(&review);
    let form = arm_form((repository, frame), (id, shown), &seen);
    let title = format!("Review of {id}");
    let middle = html! {
        header .head {
            h1 { (title) }
            p .meta .sentence {
                @if review["reviewed_gate"].is_number() { "Gate " (review["reviewed_gate"]) " waits for you; " }
                @if review["gate"].is_number() { "gate " (review["gate"]) " is next." }
            }
        }
        @for part in list(&review, "parts") {
            section {
                h2 { (text(part, "title")) }
                ul { @for line in list(part, "lines").iter().filter_map(Value::as_str) { li .why { (prose(line)) } } }
            }
        }
        @if review["gate"].is_null() {
            p .empty { "Every gate is passed: there is nothing to arm." }
        } @else if list(&review, "parts").is_empty() {
            p .empty { "There is nothing to question." }
        }
        @if !review["gate"].is_null() {
            section {
                h2 { "Arm what you have reviewed" }
                (form)
            }
        }
    };
    let here = Crumb {
        name: "Review".to_owned(),
        link: address("/review", &[("repo", &repository.name), ("id", id)]),
    };
    let crumbs = [feature_view::crumb(repository, id), here];
    Ok(frame.page(&title, &crumbs, &middle))
}

/// Returns the form that arms what was reviewed; where landings were unusual, that must be ticked as seen.
fn arm_form(
    (repository, frame): (&ServedRepository, &PageFrame),
    (id, feature): (&str, &Value),
    seen: &str,
) -> Markup {
    let unusual = list(feature, "notices");
    let commits = text(feature, "next").contains(" --commit-plan");
    let mut hidden = vec![("feature", id), ("seen", seen)];
    hidden.extend(commits.then_some(("commit_plan", "yes")));
    let form = ActionForm {
        repository,
        action: "arm",
        button: "Arm it",
        line: format!(
            "gatewalk arm {id}{}{}",
            if unusual.is_empty() { "" } else { " --accept" },
            if commits { " --commit-plan" } else { "" }
        ),
        hidden,
        dangerous: false,
    };
    form.with(frame, &html! {
        @if !unusual.is_empty() {
            div .notice .warn {
                p { "Landings were unusual:" }
                ul { @for notice in unusual.iter().filter_map(Value::as_str) { li { (prose(notice)) } } }
                p { label { input type="checkbox" name="accept" value="yes" required; " I have seen it" } }
            }
        }
    })
}

/// Returns what stands for a review that is shown.
pub(in crate::serve) fn review_hash(review: &Value) -> String {
    let digest = Sha256::digest(review.to_string());
    digest[..8].iter().map(|b| format!("{b:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn another_review_has_another_hash() {
        let (one, two) = (json!({"parts": [1]}), json!({"parts": [2]}));
        assert_eq!(review_hash(&one), review_hash(&one.clone()));
        assert_ne!(review_hash(&one), review_hash(&two));
        assert_eq!(review_hash(&one).len(), 16);
    }
}
