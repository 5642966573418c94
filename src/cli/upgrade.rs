//! `gatewalk upgrade`: newer scaffold files over untouched ones, and what would update the program itself.

use super::program_origin::ProgramOrigin;
use super::{Context, missing_state_dir, write_files};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::model::layout::{Layout, MANIFEST};
use gatewalk_core::scaffold::file_upgrade::{self, Upgrade};
use gatewalk_core::scaffold::initial_files::SHIPPED_FILES;
use gatewalk_host::state_dir_reader;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::Path;

const VERSION: &str = env!("CARGO_PKG_VERSION");

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  gatewalk upgrade --dry-run\n  gatewalk upgrade --show rules/scope.md"
)]
pub(crate) struct Args {
    /// Show what would be written; write nothing
    #[arg(long)]
    dry_run: bool,
    /// Print the shipped text of a file, to compare with yours
    #[arg(long, value_name = "FILE", conflicts_with_all = ["dry_run", "json"])]
    show: Option<String>,
    /// Print what was done as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    if let Some(name) = &args.show {
        context.out.raw(shipped(name)?);
        return Ok(Exit::Success);
    }
    let program = ProgramOrigin::find();
    let (root, layout) = state_dir_reader::find_root(&context.cwd)
        .ok_or_else(|| missing_state_dir::error(&context.cwd).hint(program.sentence()))?;
    if layout == Layout::Specfuse {
        return Err(Error::plan(
            "`.specfuse/` is used as it is; its files came from another program",
        )
        .hint("`gatewalk migrate` makes it `.gatewalk/`, which can be upgraded"));
    }
    let planned = plan(&root, layout)?;
    if let Some(newer) = &planned.newer {
        let what = format!(
            "`{}/` was written by Gatewalk {newer}, and this is {VERSION}; nothing is changed",
            layout.dir()
        );
        return Err(Error::plan(what).hint("install the newer version, as you installed this one"));
    }
    if args.json {
        if !args.dry_run {
            write_files::write_quietly(&root, &planned.writes)?;
        }
        context.out.json(&json!({"updated": planned.updated, "added": planned.added, "kept": planned.kept, "removed": planned.removed, "dry_run": args.dry_run, "program": program.to_json()}));
        return Ok(Exit::Success);
    }
    write_files::write(context, &root, &planned.writes, args.dry_run)?;
    let (out, state) = (&context.out, layout.dir());
    for name in &planned.kept {
        out.line(format!(
            "kept   {state}/{name} (edited; `gatewalk upgrade --show {name}` prints the new text)"
        ));
    }
    for name in &planned.removed {
        out.line(format!(
            "gone   {state}/{name} (you removed it; it stays away)"
        ));
    }
    if planned.writes.is_empty() {
        out.note("nothing to do");
    } else if !args.dry_run {
        out.note(format!("next: git diff :/{state}, then commit it"));
    }
    out.note(program.sentence());
    Ok(Exit::Success)
}

/// Returns what an upgrade of a state directory would do.
pub(super) fn plan(root: &Path, layout: Layout) -> Result<Upgrade> {
    Ok(file_upgrade::plan(&file_upgrade::UpgradeInput {
        state_dir: layout.dir(),
        files: &files_on_disk(&root.join(layout.dir()))?,
        version: VERSION,
    }))
}

/// Returns the text that this version ships of a file.
fn shipped(name: &str) -> Result<&'static str> {
    let mut all = SHIPPED_FILES.iter();
    all.find(|(n, _)| *n == name)
        .map(|(_, text)| *text)
        .ok_or_else(|| {
            let names: Vec<&str> = SHIPPED_FILES.iter().map(|(n, _)| *n).collect();
            Error::usage(format!("`{name}` is not shipped"))
                .hint(format!("shipped: {}", names.join(", ")))
        })
}

/// Returns what is there of the shipped files and their manifest.
fn files_on_disk(dir: &Path) -> Result<BTreeMap<String, String>> {
    let mut files = BTreeMap::new();
    for name in SHIPPED_FILES.iter().map(|(n, _)| *n).chain([MANIFEST]) {
        let path = dir.join(name);
        match std::fs::read(&path) {
            // A file that is no UTF-8 is certainly not what was shipped.
            Ok(bytes) => drop(files.insert(
                name.to_owned(),
                String::from_utf8_lossy(&bytes).into_owned(),
            )),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {}
            Err(e) => return Err(Error::io("read", &path, &e)),
        }
    }
    Ok(files)
}
