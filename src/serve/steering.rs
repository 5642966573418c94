//! Performing what a user decided: the checks of the page first (was this shown?), then the command, which has its own.

use super::decisions::{DecisionKind, PageDecision};
use super::done_notes::Performed;
use super::http_request::{Fields, HttpRequest};
use super::http_response::{Response, Status};
use super::page_facts::repository;
use super::pages::review_page::review_hash;
use super::pages::{self, PageFrame, action_page};
use super::{ServedRepository, Site};
use gatewalk_core::engine::evidence::sanitize;
use gatewalk_core::error::Result;
use std::sync::atomic::Ordering;
use std::sync::mpsc::channel;
use std::time::Duration;

/// How long a run that was just started is watched for ending at once.
const START: Duration = Duration::from_millis(1500);

/// How many logs of runs that were started here are kept.
const MOST_LOGS: u32 = 4;

/// Performs the decision of a form; the answer leads back to the page it came from.
pub(super) fn decide(site: &Site, frame: &PageFrame, request: &HttpRequest) -> Response {
    if site.read_only {
        return action_page::refused(
            frame,
            Status::Forbidden,
            "These pages were started with `--read-only`.",
        );
    }
    let form = &request.form;
    let (repository, decision) = match (repository(site, form), PageDecision::read(form)) {
        (Ok(repository), Ok(decision)) => (repository, decision),
        (_, Err(why)) => return action_page::refused(frame, Status::BadRequest, &why),
        (Err(_), _) => {
            return action_page::refused(
                frame,
                Status::NotFound,
                "There is no such repository here.",
            );
        }
    };
    match is_as_shown(site, repository, &decision) {
        Ok(true) => {}
        Ok(false) => {
            let why = "What you decided about changed after it was shown to you. Look at it again; nothing was done.";
            return action_page::refused(frame, Status::Conflict, why);
        }
        Err(error) => return pages::error_page::failed(frame, &error),
    }
    let done = match decision.kind {
        DecisionKind::Run => start(site, repository, &decision),
        _ => run(site, repository, &decision),
    };
    match done {
        Err(error) => pages::error_page::failed(frame, &error),
        Ok(done) if done.succeeded => {
            let note = site.notes.keep(done);
            Response::see_other(&way_back(repository, form, note))
        }
        Ok(done) => action_page::failed(frame, &done, &way_back(repository, form, 0)),
    }
}

/// Returns the page that the form stood on, made of what is known and nothing that a request says.
fn way_back(repository: &ServedRepository, form: &Fields, note: u64) -> String {
    let note = note.to_string();
    let place = form.get("unit").map(|id| ("/unit", id));
    let place = place.or_else(|| form.get("feature").map(|id| ("/feature", id)));
    match place {
        Some((path, id)) => pages::address(
            path,
            &[("repo", &repository.name), ("id", id), ("done", &note)],
        ),
        None => pages::address("/", &[("done", &note)]),
    }
}

/// Returns whether what a decision is about still is what stood on the page.
fn is_as_shown(
    site: &Site,
    repository: &ServedRepository,
    decision: &PageDecision,
) -> Result<bool> {
    // A change of a moment ago counts.
    repository.look_anew();
    match &decision.kind {
        DecisionKind::Arm { feature, seen } => {
            let review =
                repository.json(&site.runner, &["review", "--json", "--feature", feature])?;
            Ok(review_hash(&review) == *seen)
        }
        DecisionKind::Answer {
            feature,
            number,
            question,
        } => {
            let open =
                repository.json(&site.runner, &["answer", "--json", "--feature", feature])?;
            let rows = open["questions"].as_array().into_iter().flatten();
            let mut same = rows.filter(|row| row["number"] == *number);
            Ok(same.any(|row| {
                row["question"]
                    .as_str()
                    .is_some_and(|text| is_same(text, question))
            }))
        }
        DecisionKind::Run | DecisionKind::Plain => Ok(true),
    }
}

/// Compares words only: a form changes line ends and outer space.
fn is_same(one: &str, other: &str) -> bool {
    one.split_whitespace().eq(other.split_whitespace())
}

fn run(site: &Site, repository: &ServedRepository, decision: &PageDecision) -> Result<Performed> {
    let output = repository.decide(&site.runner, &decision.words)?;
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(Performed {
        line: decision.line(),
        succeeded: output.code == Some(0),
        text: sanitize(format!("{stdout}{}", output.stderr).trim()),
    })
}

/// Starts a run that outlives these pages; one that ends at once says why.
fn start(site: &Site, repository: &ServedRepository, decision: &PageDecision) -> Result<Performed> {
    // Two that are started at once must not write over one another.
    let turn = repository.runs.fetch_add(1, Ordering::Relaxed) % MOST_LOGS;
    let log = repository.state_dir.join(format!("served-run-{turn}.log"));
    let mut child = site
        .runner
        .program
        .start(&repository.directory, &decision.words, &log)?;
    let (ended, waits) = channel();
    // It is waited for in any case, so that no dead process stays behind; who asked may be gone by then.
    std::thread::spawn(move || {
        let code = child.wait().ok().and_then(|status| status.code());
        let _nobody_asks_any_more = ended.send(code);
    });
    let code = waits.recv_timeout(START).ok();
    let printed = std::fs::read(&log).unwrap_or_default();
    let printed = String::from_utf8_lossy(&printed);
    // A run that stops at a gate or for a user has done its work.
    let succeeded = match code {
        None => true,
        Some(code) => matches!(code, Some(0 | 10 | 11)),
    };
    Ok(Performed {
        line: decision.line(),
        succeeded,
        text: match code {
            None => "The run is at work. It goes on when these pages end.".to_owned(),
            Some(_) => sanitize(printed.trim()),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_s_line_ends_make_no_other_question() {
        assert!(is_same("a\nb ", " a\r\nb"));
        assert!(!is_same("a b", "a c"));
    }
}
