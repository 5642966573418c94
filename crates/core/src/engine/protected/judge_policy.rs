//! What judges beside the conventions, and what of it a unit may change.

use super::super::guards::{self, PathGlobs};
use super::deciding_filters::deciding_filters;
use super::included_makefiles::{self, IncludingMakefile};
use super::linters::Linters;
use super::run_targets::{self, RunTargets, joined};
use super::search_places::SearchPlaces;
use super::{judge_paths, makefiles, manifests, python_sections, rust_examples, spelled_commands};
use crate::engine::changed_file::ChangedFile;
use crate::model::unit::TOUCHES_ANY;
use crate::path_names::{MAKEFILES, extension, file_name};
use std::collections::BTreeSet;

/// What a unit declares, and what a project protects.
#[derive(Debug)]
pub struct Policy {
    more: Vec<PathGlobs>,
    declared: PathGlobs,
    /// What `touches` names: it declares files that only judge, never a part of a file.
    touched: PathGlobs,
    all_declared: bool,
    /// Words of the oracle's own commands, and paths of the scripts they reach.
    pub(super) words: BTreeSet<String>,
    /// Programs that those commands find on the path.
    pub(super) programs: BTreeSet<String>,
    /// Whether those commands may run tox.
    pub(super) may_run_tox: bool,
    /// Scripts among those that name tests.
    runners: BTreeSet<String>,
    /// Targets of `make` that the oracle asks for.
    targets: BTreeSet<String>,
    /// What `make` makes only to mark that something is done.
    marks: Vec<PathGlobs>,
    /// Makefiles of the base by which the oracle makes them.
    makefiles: Vec<IncludingMakefile>,
    /// Directories that modules are imported from.
    roots: BTreeSet<String>,
    /// Directories that are searched one after the other.
    searched: SearchPlaces,
    /// Pages of the documentation whose examples are run.
    pub(super) pages: BTreeSet<String>,
    /// Scripts that are run for how they end.
    deciding: BTreeSet<String>,
    /// Commands that others of the oracle stand for.
    spelled: String,
    linters: Linters,
    /// Whether Cargo runs the examples of the documentation.
    rust_examples: bool,
    /// Files that steer nothing, or only what joins beside and below them.
    apart: BTreeSet<String>,
}

/// What a unit declares.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Declared<'a> {
    /// Globs of `produces` and its like.
    pub(crate) globs: &'a [&'a str],
    /// What the unit's `touches` names.
    pub(crate) touches: &'a [&'a str],
    /// Whether all tests may change.
    pub(crate) all: bool,
}

impl Policy {
    /// Returns the policy of a unit. `more` are the project's globs; `oracle` the shell texts of the user's sets.
    pub(crate) fn new(more: &[&str], declared: Declared<'_>, oracle: &[&str]) -> Policy {
        let words = oracle
            .iter()
            .flat_map(|shell| shell.split(|c: char| c.is_whitespace() || "\"';&|()".contains(c)))
            .map(|word| word.trim_start_matches("./").to_owned())
            .filter(|word| !word.is_empty())
            .collect();
        // `src/**` is about the product even where tests live in it.
        let pointed = declared.touches.iter().copied().filter(|pattern| {
            *pattern != TOUCHES_ANY && !pattern.contains(['*', '?', '[', '{'])
                || judge_paths::is_test(pattern)
        });
        Policy {
            more: vec![guards::set(more)],
            declared: guards::set(declared.globs),
            touched: guards::set(&pointed.collect::<Vec<_>>()),
            all_declared: declared.all,
            words,
            programs: oracle
                .iter()
                .flat_map(|shell| run_targets::programs(shell))
                .collect(),
            may_run_tox: python_sections::may_run_tox(oracle),
            runners: BTreeSet::new(),
            targets: BTreeSet::new(),
            marks: vec![],
            makefiles: vec![],
            roots: BTreeSet::new(),
            searched: SearchPlaces::default(),
            pages: BTreeSet::new(),
            deciding: BTreeSet::new(),
            spelled: String::new(),
            linters: Linters::default(),
            rust_examples: false,
            apart: BTreeSet::new(),
        }
        .with_commands(oracle)
    }

    fn with_commands(mut self, shells: &[&str]) -> Policy {
        for shell in shells {
            self.names(run_targets::of_command(shell));
            self.linters.run_by(shell);
            self.rust_examples |= rust_examples::are_run_by(shell);
            self.searched.of_commands("", shell);
        }
        self
    }

    /// Adds what a file of a directory names, where it holds settings of a runner, or commands that others are spelt out by.
    pub(crate) fn reads(&mut self, (directory, name): (&str, &str), text: &str) {
        match name {
            _ if MAKEFILES.contains(&name) => {
                self.makes(directory, text);
                if self.words.contains("make") {
                    self.linters.compiled_by(text);
                }
                self.searched.of_makefile(directory, text);
                self.spells_out(
                    directory,
                    &spelled_commands::asked_recipes(text, &self.words),
                );
            }
            "package.json" => {
                let scripts = spelled_commands::asked_scripts(text, &self.words);
                self.spells_out(directory, &scripts);
            }
            "tox.ini" if self.words.contains("tox") => self.linters.run_by(text),
            "src/lib.rs" if self.words.contains("cargo") => {
                let source = joined(directory, "src");
                self.pages
                    .extend(run_targets::included_pages(&source, text));
            }
            _ => {}
        }
        self.searched.of_settings((directory, name), text);
        self.names(run_targets::of_settings((directory, name), text));
    }

    /// Adds a link of the base where tests usually are: they are where it leads.
    pub(crate) fn links(&mut self, directory: &str, target: &str) {
        let to = joined(directory, target);
        if !to.is_empty() && !to.contains(char::is_whitespace) {
            self.more.push(guards::set(&[&to]));
        }
    }

    /// Adds commands that one of the oracle's stands for.
    fn spells_out(&mut self, directory: &str, commands: &str) {
        self.linters.run_by(commands);
        self.rust_examples |= rust_examples::are_run_by(commands);
        self.searched.of_commands(directory, commands);
        let commands = format!("cd ./{directory}\n{commands}");
        self.spelled.push_str(&commands.replace("$$", "$"));
        self.decides_by(&commands);
        self.names(run_targets::of_command(&commands));
    }

    fn names(&mut self, targets: RunTargets) {
        let tests: Vec<&str> = targets.tests.iter().map(String::as_str).collect();
        if !tests.is_empty() {
            self.more.push(guards::set(&tests));
        }
        self.words.extend(targets.runs);
        self.runners.extend(targets.loads);
        self.roots.extend(targets.roots);
    }

    /// Adds the scripts that set-up runs: what they make is there when the oracle runs.
    pub(crate) fn sets_up(&mut self, shell: &str) {
        let named = super::named_paths(shell).into_iter();
        // Anything with another ending is a list, or something that is copied.
        let is_script = |path: &String| {
            let end = extension(path);
            ["", "sh", "bash", "py", "js", "mjs", "cjs", "ts", "rb", "pl"].contains(&end)
        };
        self.runners.extend(named.filter(is_script));
    }

    /// Adds a script that names tests: what runs them judges, whatever it is called.
    pub(crate) fn runs_tests(&mut self, path: &str) {
        if manifests::is_manifest(path) {
            // The rest of it is the product's.
            return;
        }
        self.runners.insert(path.to_owned());
    }

    /// Adds what the oracle has `make` make, as a Makefile of the base has it: a file of that name would be taken for it.
    fn makes(&mut self, directory: &str, makefile: &str) {
        let targets = makefiles::asked_targets(makefile, &self.words);
        let targets = targets.iter().map(|target| joined(directory, target));
        let targets: BTreeSet<String> = targets.collect();
        if directory.is_empty() && !targets.is_empty() {
            self.runners.extend(included_makefiles::included(makefile));
            self.makefiles.push(IncludingMakefile::of(makefile));
        }
        self.targets.extend(targets);
        let marks = makefiles::marks(makefile, &self.words);
        let marks: Vec<String> = marks.iter().map(|glob| joined(directory, glob)).collect();
        if !marks.is_empty() {
            let marks: Vec<&str> = marks.iter().map(String::as_str).collect();
            self.marks.push(guards::set(&marks));
        }
    }

    /// Returns whether a new file of this path would be taken for what the oracle has made.
    pub(super) fn is_target(&self, path: &str) -> bool {
        let above = path.match_indices('/').map(|(end, _)| &path[..end]);
        above.chain([path]).any(|path| self.targets.contains(path))
            || self.marks.iter().any(|marks| marks.is_match(path))
    }

    /// Returns whether a new file of this path takes the place of what a runner reads or imports.
    pub(super) fn is_shadow(&self, path: &str) -> bool {
        judge_paths::shadows(path, &self.roots)
    }

    /// Returns whether a new file of this path stands where something is searched that may be elsewhere, too.
    pub(crate) fn may_hide(&self, path: &str) -> bool {
        self.searched.may_hide(path)
    }

    /// Keeps out the new files that are found in the place of what stays of a base with these paths.
    pub(crate) fn keeps_out_hiding(&mut self, pairs: &[ChangedFile<'_>], paths: &[String]) {
        for path in self.searched.hiding(pairs, paths) {
            self.keeps_out(&path);
        }
    }

    /// Returns whether the oracle runs the examples of the documentation in a source of this path, if it has any.
    pub(super) fn runs_rust_examples(&self, path: &str) -> bool {
        self.rust_examples && path.ends_with(".rs")
    }

    /// Returns whether a file of this path holds settings of a linter that the oracle runs.
    pub(super) fn steers_linters(&self, path: &str) -> bool {
        self.linters.has_settings(path)
    }

    /// Returns whether the oracle runs a linter.
    pub(super) fn runs_linters(&self) -> bool {
        self.linters.are_run()
    }

    /// Returns whether a change silences a linter that the oracle runs.
    pub(super) fn silences(&self, pair: &ChangedFile<'_>, pairs: &[ChangedFile<'_>]) -> bool {
        self.linters.are_silenced(pair, pairs)
    }

    /// Returns whether a script that others of the oracle's may read now goes on after a command that failed.
    pub(super) fn goes_on(&self, pair: &ChangedFile<'_>) -> bool {
        let off = |bytes: Option<&[u8]>| {
            let text = String::from_utf8_lossy(bytes.unwrap_or_default());
            let lines: Vec<&str> = text.lines().map(str::trim).collect();
            lines.iter().rposition(|line| line.starts_with("set +e"))
                > lines.iter().rposition(|line| line.starts_with("set -e"))
        };
        self.words.contains(&pair.change.path) && off(pair.new) && !off(pair.old)
    }

    /// Returns whether a Makefile of the base reads a file, and judges otherwise by it than before.
    pub(super) fn steers_make(&self, pair: &ChangedFile<'_>) -> bool {
        let mut makefiles = self.makefiles.iter();
        makefiles.any(|makefile| makefile.is_steered_by(pair, &self.words))
    }

    /// Adds the scripts that a standing command of the oracle runs for how they end. The checks of units run the product.
    pub(crate) fn decides_by(&mut self, shell: &str) {
        self.deciding.extend(run_targets::run_for_their_end(shell));
        self.runners.extend(deciding_filters(shell));
    }

    /// Returns the scripts that commands run for how they end, and the commands that others of the oracle stand for.
    pub(crate) fn chain_starts(&self) -> (&BTreeSet<String>, &str) {
        (&self.deciding, &self.spelled)
    }

    /// Returns whether the unit's scope names the place of a file, rather than everything or all of a kind.
    pub(crate) fn vouches(&self, path: &str, touches: &[&str]) -> bool {
        let place = |glob: &&str| *glob != TOUCHES_ANY && !glob.starts_with(['*', '?', '[', '{']);
        let named: Vec<&str> = touches.iter().copied().filter(place).collect();
        self.declares(path) || guards::set(&named).is_match(path)
    }

    /// Returns whether a command runs a script of this path for how it ends.
    pub(crate) fn is_run_for_its_end(&self, path: &str) -> bool {
        self.deciding.contains(path)
    }

    /// Adds a file that only tests and other judges refer to.
    pub(super) fn protects(&mut self, path: &str) {
        self.more.push(guards::exact_set(&[path]));
    }

    /// Adds a new file that would steer a judge, or be taken for what one asks for.
    pub(super) fn keeps_out(&mut self, path: &str) {
        self.targets.insert(path.to_owned());
    }

    /// Returns whether a command of the oracle names one of these programs.
    pub(super) fn runs_one(&self, programs: &[&str]) -> bool {
        programs.iter().any(|program| self.words.contains(*program))
    }

    /// Adds scripts that the oracle's commands reach.
    pub(crate) fn reach(&mut self, paths: impl IntoIterator<Item = String>) {
        self.words.extend(paths);
    }

    /// Adds a file that steers no tests of others, wherever it is: it is an addition, or part of the product.
    pub(crate) fn lets_join(&mut self, path: &str) {
        self.apart.insert(path.to_owned());
    }

    /// Returns whether a file of this path steers how tests are found, built and run that others brought.
    pub(super) fn steers_others(&self, path: &str) -> bool {
        judge_paths::is_steering(path) && !self.apart.contains(path) && !self.is_unasked(path)
    }

    /// Returns whether a file steers only who asks for it, and the oracle does not: presets of CMake, which it calls by name, and
    /// a script that is called as `test` is, in a directory that is on no path.
    fn is_unasked(&self, path: &str) -> bool {
        let asks = |what: &str| {
            self.words.iter().any(|word| word.starts_with(what)) || self.spelled.contains(what)
        };
        match file_name(path) {
            "CMakePresets.json" | "CMakeUserPresets.json" => {
                self.programs.contains("cmake") && self.runners.is_empty() && !asks("--preset")
            }
            "test" => ["script/test", "scripts/test"].contains(&path) && !asks("PATH="),
            _ => false,
        }
    }

    /// Returns whether a path is a test, a runner's setting, or a script of the oracle itself.
    pub(crate) fn covers(&self, path: &str) -> bool {
        self.is_test(path) || judge_paths::is_steering(path) || self.is_oracle_script(path)
    }

    pub(super) fn is_test(&self, path: &str) -> bool {
        judge_paths::is_test(path) || self.more.iter().any(|more| more.is_match(path))
    }

    /// Returns whether the oracle reaches a file by this path that is there to judge.
    pub(super) fn is_oracle_script(&self, path: &str) -> bool {
        self.runners.contains(path)
            || self.words.contains(path) && judge_paths::is_judging_script(path)
    }

    /// Returns whether a path is that of tests which a command gives to a runner by their name.
    pub(super) fn is_named_test(&self, path: &str) -> bool {
        judge_paths::is_test(path) && !self.runners.contains(path)
    }

    /// Returns whether the unit declares that all tests may change.
    pub(crate) fn declares_all(&self) -> bool {
        self.all_declared
    }

    /// Returns whether the unit declares a change of a file that only judges.
    pub(crate) fn declares(&self, path: &str) -> bool {
        self.declares_part(path) || self.touched.is_match(path)
    }

    /// Returns whether the unit declares a change of the part of a file that judges.
    pub(super) fn declares_part(&self, path: &str) -> bool {
        self.all_declared || self.declared.is_match(path)
    }
}

#[cfg(test)]
mod tests;
