//! What a draft is made from: a sentence, a file, or an issue that `gh` reads. Whatever it says is
//! quoted data; nothing here looks into it.

use super::Args;
use crate::cli::Context;
use crate::cli::issue_reference::parse_issue;
use gatewalk_core::engine::feature_draft::DraftSource;
use gatewalk_core::error::{Error, Result};
use gatewalk_host::user_tool;

/// The most of a specification that goes into the prompt.
const SOURCE_BYTES: usize = 200_000;

/// What is to be drafted, and the issue that is adopted with it.
pub(super) struct DraftRequest {
    pub(super) source: DraftSource,
    pub(super) issue: Option<String>,
}

/// Reads what is wanted.
pub(super) fn read(args: &Args, context: &Context) -> Result<DraftRequest> {
    let (name, text) = match (&args.from_issue, &args.spec) {
        (Some(issue), _) => {
            if parse_issue(issue).is_none() {
                return Err(Error::usage(format!(
                    "`{issue}` is not `owner/repo#number`"
                )));
            }
            (issue.clone(), issue_text(issue, context)?.text)
        }
        (None, Some(file)) => {
            let path = context.cwd.join(file);
            let mut text =
                std::fs::read_to_string(&path).map_err(|e| Error::io("read", &path, &e))?;
            if let Some(sentence) = &args.sentence {
                text = format!("{sentence}\n\n{text}");
            }
            (file.display().to_string(), text)
        }
        (None, None) => {
            let text = args.sentence.clone().unwrap_or_default();
            ("a sentence".to_owned(), text)
        }
    };
    Ok(DraftRequest {
        source: checked(DraftSource { name, text })?,
        issue: args.from_issue.clone(),
    })
}

/// An issue as `gh` read it.
pub(in crate::cli) struct ReadIssue {
    /// Where the issue is, as `owner/repo#1`.
    pub(in crate::cli) place: String,
    /// Its title and its text.
    pub(in crate::cli) text: String,
}

/// Reads an issue with `gh`; a number alone is one of this repository's.
pub(in crate::cli) fn issue_text(issue: &str, context: &Context) -> Result<ReadIssue> {
    let own = issue.trim_start_matches('#');
    let own = !own.is_empty() && own.bytes().all(|b| b.is_ascii_digit());
    let (repo, number) = match own {
        true => (None, issue.trim_start_matches('#')),
        false => {
            let (repo, number) = parse_issue(issue)
                .ok_or_else(|| Error::usage(format!("`{issue}` is not `owner/repo#number`")))?;
            (Some(repo), number)
        }
    };
    let host = context.host()?;
    let mut args = vec!["issue", "view", number];
    args.extend(repo.into_iter().flat_map(|repo| ["--repo", repo]));
    args.extend(["--json", "title,body,url"]);
    let answer = user_tool::run(&user_tool::ToolCommand {
        program: "gh",
        args: &args,
        input: "",
        cwd: &context.cwd,
        env: &host.env,
    })?;
    let text = answer.ok(&format!("reading {issue} with gh"))?;
    let value: serde_json::Value = serde_json::from_str(&text)
        .map_err(|e| Error::environment("gh did not answer with JSON").with_source(e))?;
    let part = |key: &str| value[key].as_str().unwrap_or_default().to_owned();
    let place = match repo {
        Some(_) => issue.to_owned(),
        None => place_of(&part("url")).ok_or_else(|| {
            Error::environment(format!("gh did not say where issue {number} is")).hint(format!(
                "name its repository: `--issue OWNER/REPO#{number}`"
            ))
        })?,
    };
    Ok(ReadIssue {
        place,
        text: format!("# {}\n\n{}\n", part("title"), part("body")),
    })
}

/// Returns `owner/repo#1` of the address of an issue.
fn place_of(url: &str) -> Option<String> {
    let mut parts = url.trim_end_matches('/').rsplit('/');
    let (number, kind) = (parts.next()?, parts.next()?);
    let (repo, owner) = (parts.next()?, parts.next()?);
    let place = format!("{owner}/{repo}#{number}");
    (kind == "issues" && parse_issue(&place).is_some()).then_some(place)
}

pub(in crate::cli) fn checked(source: DraftSource) -> Result<DraftSource> {
    if source.text.trim().is_empty() {
        return Err(Error::usage(format!("{} says nothing", source.name)));
    }
    if source.text.len() > SOURCE_BYTES {
        return Err(Error::usage(format!(
            "{} has {} bytes, more than {SOURCE_BYTES}",
            source.name,
            source.text.len()
        )));
    }
    Ok(source)
}
