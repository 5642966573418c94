//! `gatewalk import`: another tool's task list as a draft feature in the checkout, and a list of what has no place in it.

use super::new::OnDisk;
use super::{Context, write_files};
use gatewalk_core::engine::evidence::{counted, one_line};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::model::status_machine::Word;
use gatewalk_core::scaffold::plan_import::{self, ImportFormat, ImportedPlan, LeftOut, SourceFile};
use gatewalk_core::scaffold::{Write, WriteMode};
use serde_json::json;
use std::path::{Path, PathBuf};

/// The most text that is read.
const MOST_BYTES: usize = 16_000_000;

/// The most text that one feature is made of; what is done already does not count.
const MOST_OUTLINE: usize = 400_000;

/// The most files that are looked at.
const MOST_FILES: usize = 2_000;

/// What the names of files in a directory end in that are read.
const KNOWN: [&str; 4] = ["md", "markdown", "mdx", "json"];

/// Directories that hold no task lists.
const SKIPPED: [&str; 3] = [".git", "node_modules", "target"];

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  gatewalk import specs/001-albums/tasks.md\n  gatewalk import backlog/tasks\n  gatewalk import .taskmaster/tasks/tasks.json --title \"The shop\"\n  gatewalk import openspec/changes/add-2fa --dry-run\n  gatewalk import TODO.md --format checklist"
)]
pub(crate) struct Args {
    /// The files, or directories of files, to read
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Read them as `spec-kit`, `backlog`, `task-master`, `openspec`, `bmad` or `checklist`; found out when absent
    #[arg(long, value_name = "FORMAT", value_parser = format_word)]
    format: Option<ImportFormat>,
    /// What the feature is called; taken from the files when absent
    #[arg(long)]
    title: Option<String>,
    /// Show what would be written; write nothing
    #[arg(long)]
    dry_run: bool,
    /// Print what was done as JSON
    #[arg(long)]
    json: bool,
}

fn format_word(text: &str) -> std::result::Result<ImportFormat, String> {
    ImportFormat::from_word(text).ok_or_else(|| {
        let words: Vec<&str> = ImportFormat::words();
        format!("it is none of {}", words.join(", "))
    })
}

/// The files that were named, and those of them that are not read.
#[derive(Default)]
struct ReadSources {
    files: Vec<SourceFile>,
    left_out: Vec<LeftOut>,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let disk = OnDisk::open(context)?;
    let mut sources = ReadSources::default();
    for path in &args.paths {
        sources.take(&context.cwd, path)?;
    }
    let found = args.format.or_else(|| plan_import::detect(&sources.files));
    let format = found.ok_or_else(|| nothing_known(&sources))?;
    let mut plan = plan_import::read(format, &sources.files)?;
    refuse_too_much(&plan)?;
    plan.left_out.append(&mut sources.left_out);
    if let Some(title) = &args.title {
        plan.outline.title.clone_from(title);
    }
    let mut writes = disk.drafted(context, &plan.outline)?;
    // What names a file after the file.
    writes.sort_by_key(|write| write.mode != WriteMode::Create);
    if args.json {
        if !args.dry_run {
            write_files::write_quietly(disk.root(), &writes)?;
        }
        print_json(context, format, (&plan, &writes), args.dry_run);
        return Ok(Exit::Success);
    }
    write_files::write(context, disk.root(), &writes, args.dry_run)?;
    print(context, format, &plan);
    Ok(Exit::Success)
}

fn nothing_known(sources: &ReadSources) -> Error {
    let error = Error::plan("no task list of a known tool was found");
    let unread = sources.left_out.iter().take(3);
    let error = unread.fold(error, |error, left| {
        error.hint(format!("`{}` was not read: {}", left.place, left.why))
    });
    error
        .hint("`--format checklist` reads any list with boxes to tick")
        .hint("nothing was written")
}

fn refuse_too_much(plan: &ImportedPlan) -> Result<()> {
    let units: usize = plan.outline.units.iter().map(|unit| unit.text.len()).sum();
    let all = units + plan.outline.text.len();
    match all > MOST_OUTLINE {
        true => Err(Error::usage(format!(
            "the open tasks, and what stands beside them, hold {all} bytes, and one feature is made of {MOST_OUTLINE} at most"
        ))
        .hint("name fewer of the files")
        .hint("nothing was written")),
        false => Ok(()),
    }
}

fn print(context: &Context, format: ImportFormat, plan: &ImportedPlan) {
    let out = &context.out;
    let count = counted(plan.outline.units.len(), "draft unit");
    out.note(format!("read as {format}: {count}"));
    for left in &plan.left_out {
        out.note(format!("left out  {}", line_of(left)));
    }
    for path in &plan.quoted {
        out.note(format!(
            "quoted    {}: what of it is no task stands in PLAN.md",
            one_line(path)
        ));
    }
    out.note("next: gatewalk lint, read the units, commit, `gatewalk arm`");
}

fn line_of(left: &LeftOut) -> String {
    let words: Vec<&str> = left.text.split_whitespace().collect();
    let text: String = one_line(&words.join(" ")).chars().take(100).collect();
    format!(
        "{}: {text} ({})",
        one_line(&left.place),
        one_line(&left.why)
    )
}

fn print_json(
    context: &Context,
    format: ImportFormat,
    (plan, writes): (&ImportedPlan, &[Write]),
    dry_run: bool,
) {
    let files: Vec<&str> = writes.iter().map(|w| w.path.as_str()).collect();
    let titles: Vec<&str> = plan
        .outline
        .units
        .iter()
        .map(|u| u.title.as_str())
        .collect();
    context.out.json(&json!({
        "format": format.word(), "title": plan.outline.title, "units": titles, "files": files,
        "left_out": plan.left_out, "quoted": plan.quoted, "written": !dry_run,
    }));
}

impl ReadSources {
    /// Reads a file, or those of a directory in the order of their names.
    fn take(&mut self, cwd: &Path, path: &Path) -> Result<()> {
        let full = cwd.join(path);
        let meta = std::fs::metadata(&full).map_err(|e| Error::io("read", &full, &e))?;
        if meta.is_file() {
            return self.read((&full, path), true);
        }
        let wanted = |entry: &walkdir::DirEntry| {
            let name = entry.file_name().to_string_lossy();
            entry.depth() == 0 || !SKIPPED.contains(&name.as_ref())
        };
        let walk = walkdir::WalkDir::new(&full).sort_by_file_name();
        for (seen, entry) in walk.into_iter().filter_entry(wanted).enumerate() {
            let entry = entry.map_err(|e| {
                Error::environment(format!("cannot read `{}`", full.display())).with_source(e)
            })?;
            if seen > MOST_FILES {
                return Err(Error::usage(format!(
                    "`{}` holds more than {MOST_FILES} files",
                    path.display()
                ))
                .hint("name the directory of the task list itself"));
            }
            if entry.file_type().is_file() {
                let below = entry.path().strip_prefix(&full).unwrap_or(entry.path());
                let known = entry
                    .path()
                    .extension()
                    .is_some_and(|e| KNOWN.iter().any(|known| e.eq_ignore_ascii_case(known)));
                self.read((entry.path(), &path.join(below)), known)?;
            }
        }
        Ok(())
    }

    /// Reads a file, given where it lies and what it is called; one that the user named is read whatever its name ends in.
    fn read(&mut self, (full, shown): (&Path, &Path), wanted: bool) -> Result<()> {
        let shown = shown.display().to_string();
        let bytes = std::fs::read(full).map_err(|e| Error::io("read", full, &e))?;
        let read = String::from_utf8(bytes).map_err(|_| "it is not UTF-8");
        let read = read.and_then(|text| match wanted {
            true => Ok(text.trim_start_matches('\u{feff}').to_owned()),
            false => Err("it is neither Markdown nor JSON"),
        });
        let text = match read {
            Ok(text) => text,
            Err(why) => {
                self.left_out.push(LeftOut {
                    place: shown,
                    text: "the whole file".to_owned(),
                    why: why.to_owned(),
                });
                return Ok(());
            }
        };
        let all: usize = self.files.iter().map(|file| file.text.len()).sum();
        if all + text.len() > MOST_BYTES {
            return Err(
                Error::usage(format!("the files hold more than {MOST_BYTES} bytes"))
                    .hint("name fewer of them")
                    .hint("nothing was written"),
            );
        }
        self.files.push(SourceFile { path: shown, text });
        Ok(())
    }
}
