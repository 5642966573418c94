//! The pull requests of branches, through `gh`.

use gatewalk_core::engine::evidence::sanitize;
use gatewalk_core::engine::gate_request;
use gatewalk_core::engine::pull_request::PullRequest;
use gatewalk_core::error::Result;
use gatewalk_host::user_tool::{self, ToolCommand};
use serde_json::Value;
use std::ffi::OsString;
use std::path::Path;

/// The forge of a repository.
pub(super) struct ForgeRequests<'a> {
    pub(super) cwd: &'a Path,
    pub(super) env: Vec<(OsString, OsString)>,
    /// Whether requests are opened as drafts.
    pub(super) draft: bool,
}

/// A pull request as it should be.
pub(super) struct WantedRequest<'a> {
    /// The branch whose commits it asks for.
    pub(super) head: &'a str,
    /// The branch it goes into; the remote's default when absent.
    pub(super) base: Option<&'a str>,
    pub(super) text: &'a PullRequest,
}

/// What the forge knows of a branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum KnownRequest {
    /// Nobody asked, or what was asked is closed.
    Nothing,
    Open {
        number: String,
        url: String,
    },
    Merged,
}

impl ForgeRequests<'_> {
    /// Returns what is known of a branch: an open request comes before an older one.
    pub(super) fn of_branch(&self, head: &str) -> Result<KnownRequest> {
        let list = ["pr", "list", "--head", head];
        let what = [
            "--state",
            "all",
            "--json",
            "number,url,state,isCrossRepository",
        ];
        let listed = self.call(&[&list[..], &what[..]].concat(), "", "gh pr list")?;
        Ok(known(&gate_request::rows(&listed)?))
    }

    /// Opens a pull request, or updates the one that is open; returns its address.
    pub(super) fn open(&self, wanted: &WantedRequest<'_>, known: &KnownRequest) -> Result<String> {
        let (title, body) = (wanted.text.title.as_str(), wanted.text.body.as_str());
        let text = ["--title", title, "--body-file", "-"];
        let base = wanted.base.map(|base| ["--base", base]);
        let base: &[&str] = base.as_ref().map_or(&[], |words| &words[..]);
        if let KnownRequest::Open { number, url } = known {
            let edit = ["pr", "edit", number.as_str()];
            self.call(&[&edit[..], &text, base].concat(), body, "gh pr edit")?;
            return Ok(sanitize(url));
        }
        let create = ["pr", "create", "--head", wanted.head];
        let draft: &[&str] = if self.draft { &["--draft"] } else { &[] };
        let words = [&create[..], &text, base, draft].concat();
        let output = self.call(&words, body, "gh pr create")?;
        let mut lines = output.lines().rev();
        let url = lines.find(|line| line.contains("://"));
        Ok(sanitize(url.unwrap_or(&output).trim()))
    }

    fn call(&self, args: &[&str], input: &str, what: &str) -> Result<String> {
        let done = user_tool::run(&ToolCommand {
            program: "gh",
            args,
            input,
            cwd: self.cwd,
            env: &self.env,
        })?;
        done.ok(what)
    }
}

/// Reads a list of requests; one without a state is open, as forges once listed.
fn known(listed: &[Value]) -> KnownRequest {
    let is = |row: &Value, state: &str| {
        gate_request::is_from_here(row) && row["state"].as_str().unwrap_or("OPEN") == state
    };
    let open = listed.iter().find_map(|row| {
        let (number, url) = (row["number"].as_u64()?, row["url"].as_str()?);
        is(row, "OPEN").then(|| KnownRequest::Open {
            number: number.to_string(),
            url: url.to_owned(),
        })
    });
    let merged = || {
        listed
            .iter()
            .any(|row| is(row, "MERGED"))
            .then_some(KnownRequest::Merged)
    };
    open.or_else(merged).unwrap_or(KnownRequest::Nothing)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_open_request_counts_before_a_merged_one_and_a_closed_one_not_at_all() {
        let row = |number: u64, state: &str| json!({"number": number, "url": "u", "state": state});
        let open = |number: &str| KnownRequest::Open {
            number: number.to_owned(),
            url: "u".to_owned(),
        };
        for (listed, want) in [
            (json!([]), KnownRequest::Nothing),
            (json!([row(1, "CLOSED")]), KnownRequest::Nothing),
            (
                json!([row(1, "CLOSED"), row(2, "MERGED")]),
                KnownRequest::Merged,
            ),
            (json!([row(2, "MERGED"), row(3, "OPEN")]), open("3")),
            // A stranger's branch of the same name.
            (
                json!([row(1, "MERGED"), {"number": 9, "url": "u", "state": "OPEN", "isCrossRepository": true}]),
                KnownRequest::Merged,
            ),
            (
                json!([{"number": 9, "url": "u", "state": "MERGED", "isCrossRepository": true}]),
                KnownRequest::Nothing,
            ),
            (json!([{"number": 4, "url": "u"}]), open("4")),
        ] {
            assert_eq!(known(listed.as_array().unwrap()), want, "{listed}");
        }
    }
}
