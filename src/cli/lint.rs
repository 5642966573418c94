//! `gatewalk lint`: what is wrong with the plans, and repairing what can be repaired.

mod baseline;
mod closing_check;
mod finding_filter;
mod lint_args;
mod lint_input;

pub(crate) use self::lint_args::Args;
use self::lint_args::FailOn;
use super::{Context, missing_state_dir};
use crate::report::{self, Format};
use finding_filter::FindingFilter;
use gatewalk_core::diagnostic::{Diagnostic, Severity};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_core::lint::{self, Options, fix};
use gatewalk_core::model::layout::Layout;
use gatewalk_core::model::workspace::{FileSet, Workspace};
use gatewalk_host::git::named_in_checkout;
use gatewalk_host::{
    absent_roots, files, nested_state_dirs, plan_history, plan_links, state_dir_reader,
};
use std::path::PathBuf;
use std::time::Duration;

/// How often `--watch` looks whether a file has changed.
const WATCH_INTERVAL: Duration = Duration::from_millis(300);

/// What one look at the plans gave.
struct LintRun {
    found: Vec<Diagnostic>,
    workspace: Workspace,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    if let Some(unit) = &args.closing {
        return closing_check::run(unit, args.json, context);
    }
    let options = options(args)?;
    let first = args.stdin_filename.as_ref().or(args.paths.first());
    let start = first.map_or(context.cwd.clone(), |path| context.cwd.join(path));
    let (root, layout) = state_dir_reader::find_root(&start)
        .or_else(|| state_dir_reader::find_root(&context.cwd))
        .ok_or_else(|| missing_state_dir::error(&start))?;
    let linter = Linter {
        args,
        context,
        options,
        root,
        layout,
    };
    if args.watch {
        return linter.watch();
    }
    linter.run()
}

/// One call of `lint`: what was asked, and where the plans are.
struct Linter<'a> {
    args: &'a Args,
    context: &'a Context,
    options: Options,
    root: PathBuf,
    layout: Layout,
}

impl Linter<'_> {
    /// Names submodules, filters and partial clones, for who reads the findings as text.
    fn name_out_of_the_ordinary(&self) {
        let named = named_in_checkout(&self.root);
        if !named.is_empty() && !self.args.json && self.args.output_format == Format::Full {
            self.context.out.note(format!(
                "this repository has {}: `gatewalk doctor` says what that means for a run",
                named.join(", ")
            ));
        }
    }

    /// Names state directories that no run reads, for who reads the findings as text.
    fn name_unread(&self) {
        if self.args.json || self.args.output_format != Format::Full {
            return;
        }
        let (out, dir) = (&self.context.out, self.layout.dir());
        if let Some(top) = nested_state_dirs::top_above(&self.root) {
            out.note(format!(
                "no run reads this `{dir}/`: runs look at the top of the repository, in `{}`",
                top.display()
            ));
        }
        for below in nested_state_dirs::below(&self.root) {
            out.note(format!(
                "`{0}` has a state directory of its own, which was not looked at and which no run from here reads: `gatewalk lint {0}`",
                below.display()
            ));
        }
    }

    /// Reads what is to be linted, as it lies there or as it is staged.
    fn read(&self) -> Result<FileSet> {
        match self.args.staged {
            true => lint_input::staged(&self.root, self.layout),
            false => state_dir_reader::read_state_dir(&self.root, self.layout),
        }
    }

    fn run(&self) -> Result<Exit> {
        let (args, context, layout) = (self.args, self.context, self.layout);
        let mut files = self.read()?;
        let scope = finding_filter::of(args, &context.cwd, &self.root, layout)?;
        for path in scope.outside(layout) {
            let dir = layout.dir();
            context.out.note(format!(
                "`{path}` is not in `{dir}`: there is nothing to look at"
            ));
        }
        if let Some(name) = &args.stdin_filename {
            lint_input::replace_by_stdin(&mut files, &scope, name)?;
        }
        if args.fix || args.unsafe_fixes || args.diff {
            return self.repair(&files, &scope);
        }
        let look = self.look(&files, &scope)?;
        let exit = show(args, context, &look);
        self.name_out_of_the_ordinary();
        self.name_unread();
        // The process ends here: giving all of it back piece by piece would be a tenth of the run.
        std::mem::forget((look, files));
        Ok(exit)
    }

    fn look(&self, files: &FileSet, scope: &FindingFilter) -> Result<LintRun> {
        let mut workspace = Workspace::parse(self.layout, files);
        plan_history::note(&self.root, &mut workspace);
        absent_roots::note(&self.root, &mut workspace);
        plan_links::note(&self.root, &mut workspace);
        let mut found = lint::run(&workspace, &self.options);
        scope.filter(&mut found, &self.options);
        if let Some(path) = &self.args.baseline {
            let path = self.context.cwd.join(path);
            if self.args.write_baseline {
                baseline::write(&path, &found)?;
            }
            baseline::subtract(&path, &mut found)?;
        }
        Ok(LintRun { found, workspace })
    }

    fn repair(&self, files: &FileSet, scope: &FindingFilter) -> Result<Exit> {
        let (args, context) = (self.args, self.context);
        let fixed = fix::fix(self.layout, files, &self.options, |path, fix| {
            scope.holds(path) && (fix.safe || args.unsafe_fixes)
        });
        if args.diff || args.stdin_filename.is_some() {
            for (path, bytes) in &fixed.files {
                let old = files
                    .get(path)
                    .map(|b| String::from_utf8_lossy(b))
                    .unwrap_or_default();
                context
                    .out
                    .raw(&report::diff(path, &old, &String::from_utf8_lossy(bytes)));
            }
            return Ok(if fixed.files.is_empty() {
                Exit::Success
            } else {
                Exit::Findings
            });
        }
        let mut now = files.clone();
        for (path, bytes) in fixed.files {
            files::write_atomic(&self.root.join(&path), &bytes)?;
            now.insert(path, bytes);
        }
        if fixed.count > 0 {
            context.out.note(format!("repaired {}", fixed.count));
        }
        let look = self.look(&now, scope)?;
        Ok(show(args, context, &look))
    }

    /// Looks again whenever a file's size or time has changed; ends with the process.
    fn watch(&self) -> Result<Exit> {
        let (args, context, layout) = (self.args, self.context, self.layout);
        let mut seen = None;
        loop {
            let now = finding_filter::stamps(&self.root, layout);
            if seen.as_ref() != Some(&now) {
                seen = Some(now);
                let look = || -> Result<LintRun> {
                    let files = state_dir_reader::read_state_dir(&self.root, layout)?;
                    let scope = finding_filter::of(args, &context.cwd, &self.root, layout)?;
                    self.look(&files, &scope)
                };
                let look = look();
                context.out.note("\u{1b}[2J\u{1b}[H");
                match look {
                    Ok(look) => drop(show(args, context, &look)),
                    // What is gone or half written now may be back with the next change.
                    Err(error) => context.out.error(&error),
                }
                context.out.note("watching; Ctrl-C ends it");
            }
            std::thread::sleep(WATCH_INTERVAL);
        }
    }
}

fn options(args: &Args) -> Result<Options> {
    let options = Options::naming(args.select.clone(), args.ignore.clone());
    if let Some((word, near)) = options.unknown().into_iter().next() {
        let error = Error::usage(format!("there is no rule `{word}`"));
        return Err(error.hint(match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`gatewalk explain` lists all rules".to_owned(),
        }));
    }
    Ok(options)
}

/// Writes the findings and says what that makes of the exit code.
fn show(args: &Args, context: &Context, look: &LintRun) -> Exit {
    let format = if args.json {
        Format::Json
    } else {
        args.output_format
    };
    if args.statistics {
        context.out.raw(&report::statistics(&look.found));
    } else {
        let sources = lint::sources(&look.workspace);
        context
            .out
            .raw(&report::render(format, &look.found, &sources));
    }
    if matches!(format, Format::Full | Format::Concise) {
        context.out.note(report::summary(&look.found));
    }
    let threshold = match args.fail_on {
        FailOn::Error => Some(Severity::Error),
        FailOn::Warning => Some(Severity::Warning),
        FailOn::Info => Some(Severity::Info),
        FailOn::Never => None,
    };
    let fails = threshold.is_some_and(|threshold| lint::worst(&look.found) >= Some(threshold));
    if fails { Exit::Findings } else { Exit::Success }
}
