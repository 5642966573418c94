//! The baseline: findings an old repository starts with, listed without lines so that they survive
//! edits around them.

use gatewalk_core::diagnostic::Diagnostic;
use gatewalk_core::error::{Error, Result};
use gatewalk_host::files;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Baseline {
    version: u32,
    findings: Vec<KnownFinding>,
}

#[derive(Serialize, Deserialize)]
struct KnownFinding {
    code: String,
    path: String,
    message: String,
    count: usize,
}

type BaselineKey = (String, String, String);

fn key(d: &Diagnostic) -> BaselineKey {
    (
        d.code.to_owned(),
        d.primary.path.to_string(),
        d.message.clone(),
    )
}

/// Writes the findings of now.
pub(super) fn write(path: &Path, found: &[Diagnostic]) -> Result<()> {
    let mut counts: BTreeMap<BaselineKey, usize> = BTreeMap::new();
    for d in found {
        *counts.entry(key(d)).or_default() += 1;
    }
    let known = |((code, path, message), count)| KnownFinding {
        code,
        path,
        message,
        count,
    };
    let baseline = Baseline {
        version: VERSION,
        findings: counts.into_iter().map(known).collect(),
    };
    let mut text =
        serde_json::to_string_pretty(&baseline).map_err(|e| Error::internal(e.to_string()))?;
    text.push('\n');
    files::write_result(path, text.as_bytes())
}

/// Drops the findings that the file lists, each as often as it lists them.
pub(super) fn subtract(path: &Path, found: &mut Vec<Diagnostic>) -> Result<()> {
    let text = std::fs::read_to_string(path).map_err(|e| {
        Error::usage(format!("cannot read the baseline `{}`", path.display()))
            .with_source(e)
            .hint("`--write-baseline` makes it")
    })?;
    let baseline: Baseline = serde_json::from_str(&text)
        .map_err(|e| Error::usage(format!("`{}` is no baseline", path.display())).with_source(e))?;
    if baseline.version != VERSION {
        return Err(Error::usage(format!(
            "`{}` is a baseline of version {}, this program reads {VERSION}",
            path.display(),
            baseline.version
        )));
    }
    let mut left: BTreeMap<BaselineKey, usize> = BTreeMap::new();
    for known in baseline.findings {
        *left
            .entry((known.code, known.path, known.message))
            .or_default() += known.count;
    }
    found.retain(|d| match left.get_mut(&key(d)) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    });
    Ok(())
}
