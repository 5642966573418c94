//! `gatewalk upgrade`: newer scaffold files over untouched ones.

use super::{Context, write_files};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::model::layout::Layout;
use gatewalk_core::scaffold::{file_upgrade, initial_files};
use gatewalk_host::state_dir_reader;
use serde_json::json;
use std::collections::BTreeMap;

/// Arguments of `upgrade`.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  gatewalk upgrade --dry-run\n  gatewalk upgrade --show rules/scope.md"
)]
pub(crate) struct Args {
    /// Show what would be written; write nothing
    #[arg(long)]
    dry_run: bool,
    /// Print the shipped text of a file, to compare with yours
    #[arg(long, value_name = "FILE", conflicts_with = "dry_run")]
    show: Option<String>,
    /// Print what was done as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    if let Some(name) = &args.show {
        let shipped = initial_files::SHIPPED_FILES.iter().find(|(n, _)| n == name);
        let (_, text) = shipped.ok_or_else(|| {
            let names: Vec<&str> = initial_files::SHIPPED_FILES
                .iter()
                .map(|(n, _)| *n)
                .collect();
            Error::usage(format!("`{name}` is not shipped"))
                .hint(format!("shipped: {}", names.join(", ")))
        })?;
        context.out.raw(text);
        return Ok(Exit::Success);
    }
    let (root, layout) = state_dir_reader::find_root(&context.cwd).ok_or_else(|| {
        Error::plan("there is no `.gatewalk/` here or above").hint("`gatewalk init` writes one")
    })?;
    if layout == Layout::Specfuse {
        return Err(Error::plan(
            "`.specfuse/` is read and driven as it is; its files came from elsewhere",
        )
        .hint("`gatewalk migrate` makes it `.gatewalk/`, which can be upgraded"));
    }
    let prefix = format!("{}/", layout.dir());
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    let names = initial_files::SHIPPED_FILES
        .iter()
        .map(|(n, _)| *n)
        .chain([initial_files::MANIFEST]);
    for name in names {
        let path = root.join(format!("{prefix}{name}"));
        match std::fs::read(&path) {
            Ok(bytes) => {
                // A file that is no UTF-8 is certainly not what was shipped.
                files.insert(
                    name.to_owned(),
                    String::from_utf8_lossy(&bytes).into_owned(),
                );
            }
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {}
            Err(e) => return Err(Error::io("read", &path, &e)),
        }
    }
    let planned = file_upgrade::plan(&file_upgrade::UpgradeInput {
        state_dir: layout.dir(),
        files: &files,
        version: env!("CARGO_PKG_VERSION"),
    });
    if args.json {
        if !args.dry_run {
            write_files::write_quietly(&root, &planned.writes)?;
        }
        context.out.json(&json!({"updated": planned.updated, "added": planned.added, "kept": planned.kept, "removed": planned.removed, "dry_run": args.dry_run}));
        return Ok(Exit::Success);
    }
    write_files::write(context, &root, &planned.writes, args.dry_run)?;
    for name in &planned.kept {
        context.out.line(format!(
            "kept   {prefix}{name} (edited; `gatewalk upgrade --show {name}` prints the new text)"
        ));
    }
    for name in &planned.removed {
        context.out.line(format!(
            "gone   {prefix}{name} (you removed it; it stays away)"
        ));
    }
    if planned.writes.is_empty() {
        context.out.note("nothing to do");
    } else if !args.dry_run {
        context
            .out
            .note(format!("next: git diff {prefix}, then commit it"));
    }
    Ok(Exit::Success)
}
