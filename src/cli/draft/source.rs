//! What a draft is made from: a sentence, a file, or an issue that `gh` reads. Whatever it says is
//! quoted data; nothing here looks into it.

use super::Args;
use crate::cli::Context;
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
        (Some(issue), _) => (issue.clone(), text_of_issue(issue, context)?),
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

/// Reads an issue with `gh`: its title and its text.
fn text_of_issue(issue: &str, context: &Context) -> Result<String> {
    let (repo, number) = parse_issue(issue)
        .ok_or_else(|| Error::usage(format!("`{issue}` is not `owner/repo#number`")))?;
    let host = context.host()?;
    let answer = user_tool::run(&user_tool::ToolCommand {
        program: "gh",
        args: &[
            "issue",
            "view",
            number,
            "--repo",
            repo,
            "--json",
            "title,body,url",
        ],
        input: "",
        cwd: &context.cwd,
        env: &host.env,
    })?;
    let text = answer.ok(&format!("reading {issue} with gh"))?;
    let value: serde_json::Value = serde_json::from_str(&text)
        .map_err(|e| Error::environment("gh did not answer with JSON").with_source(e))?;
    let part = |key: &str| value[key].as_str().unwrap_or_default().to_owned();
    Ok(format!("# {}\n\n{}\n", part("title"), part("body")))
}

fn checked(source: DraftSource) -> Result<DraftSource> {
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

/// Returns repository and number of `owner/repo#12`.
pub(crate) fn parse_issue(text: &str) -> Option<(&str, &str)> {
    let (repo, number) = text.rsplit_once('#')?;
    let (owner, name) = repo.split_once('/')?;
    let word = |w: &str| {
        !w.is_empty()
            && !w.starts_with('-')
            && w.bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b))
    };
    (word(owner) && word(name) && !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
        .then_some((repo, number))
}
