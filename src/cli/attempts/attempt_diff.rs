//! What an attempt changed, as a patch: whole, of one file, or as much of it as a view needs.

use crate::cli::console::Out;
use gatewalk_core::engine::attempt_record::AttemptRecord;
use gatewalk_core::engine::evidence::sanitize;
use gatewalk_core::error::{Error, Result};
use gatewalk_host::git::Git;
use serde_json::{Value, json};
use std::path::{Component, Path};

/// The most bytes of a diff that are shown beside an attempt.
const SHOWN: usize = 200_000;
/// The same where one file of it is asked for.
const ONE_FILE: usize = 1 << 20;
/// The same where a terminal or a script asks for nothing else.
const WHOLE: usize = 256 << 20;
/// The most files that are named.
const MOST_FILES: usize = 10_000;

/// A patch, and whether there is more.
type CutPatch = (Vec<u8>, bool);

fn patch(
    git: &Git,
    record: &AttemptRecord,
    file: Option<&str>,
    limits: [usize; 2],
) -> Result<CutPatch> {
    let [whole, one] = limits;
    match file {
        None => git.patch_text(record.base, record.tree, whole),
        Some(path) if is_inside(path) => git.file_patch_text([record.base, record.tree], path, one),
        Some(_) => Ok((vec![], false)),
    }
}

/// Returns whether a path can be one of the repository: git refuses others.
fn is_inside(path: &str) -> bool {
    let parts = Path::new(path).components();
    parts
        .into_iter()
        .all(|part| matches!(part, Component::Normal(_)))
}

/// Returns a diff for `--json`: its text, and where that is cut, every file with its counts.
pub(super) fn as_json(git: &Git, record: &AttemptRecord, file: Option<&str>) -> Result<Value> {
    let (patch, cut) = patch(git, record, file, [SHOWN, ONE_FILE])?;
    let mut value = json!({"text": String::from_utf8_lossy(&patch), "cut": cut});
    if cut && file.is_none() {
        let files = git.patched_files(record.base, record.tree)?;
        let rows = files.iter().take(MOST_FILES);
        value["files"] = rows
            .map(|f| json!({"path": f.path.to_text(), "added": f.lines.map(|l| l.0), "removed": f.lines.map(|l| l.1)}))
            .collect();
    }
    Ok(value)
}

/// Prints a diff below the record of its attempt.
pub(super) fn print_some(
    out: &Out,
    git: &Git,
    (record, kept_at): (&AttemptRecord, &str),
) -> Result<()> {
    let (patch, cut) = patch(git, record, None, [SHOWN, ONE_FILE])?;
    let patch = sanitize(&String::from_utf8_lossy(&patch));
    out.line(format!("\n{}", patch.trim_end()));
    if cut {
        out.line(format!(
            "… cut; all of it: git diff {} {kept_at}",
            record.base
        ));
    }
    Ok(())
}

/// Prints a diff and nothing else.
pub(super) fn print_all(
    out: &Out,
    git: &Git,
    record: &AttemptRecord,
    file: Option<&str>,
) -> Result<()> {
    let (patch, cut) = patch(git, record, file, [WHOLE, WHOLE])?;
    if patch.is_empty()
        && let Some(path) = file
    {
        let what = format!("the attempt did not change `{}`", sanitize(path));
        return Err(Error::usage(what).hint("`--diff` without `--file` shows what it changed"));
    }
    out.raw(&sanitize(&String::from_utf8_lossy(&patch)));
    if cut {
        out.note("the diff goes on; it is cut here");
    }
    Ok(())
}
