//! What commands and settings of runners name without its path, or beside the conventions: places of tests, modules and
//! directories that are run, files that a runner loads, directories that modules are imported from.

use super::judge_paths;
use super::settings_targets::{quoted, runner_settings};
use crate::path_names::{file_name, parent};
use std::collections::BTreeSet;

/// What a text names, by paths from the root.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct RunTargets {
    /// Globs of tests.
    pub(super) tests: BTreeSet<String>,
    /// Paths that may be what is run, of which only some are there.
    pub(super) runs: BTreeSet<String>,
    /// Paths that judge whatever they are called: a runner loads them.
    pub(super) loads: BTreeSet<String>,
    /// Directories that modules are imported from.
    pub(super) roots: BTreeSet<String>,
}

/// Programs whose arguments are tests, or directories of them.
const TEST_RUNNERS: &[&str] = &[
    "mocha",
    "_mocha",
    "tape",
    "ava",
    "tap",
    "uvu",
    "jasmine",
    "prove",
    "bats",
    "run-parts",
];

/// Directories that also hold the product.
const OF_PRODUCT: &[&str] = &["", ".", "src", "lib", "app", "pkg", "packages", "cmd"];

/// Returns what a command names.
pub(super) fn of_command(shell: &str) -> RunTargets {
    let mut targets = RunTargets::default();
    let mut directory = String::new();
    for command in shell.split([';', '&', '|', '\n', '(', ')']) {
        let words: Vec<&str> = command
            .split_whitespace()
            .map(|word| word.trim_matches(['"', '\'']))
            .collect();
        if let ["cd", to, ..] = words[..] {
            directory = joined(&directory, to);
            targets.roots.insert(directory.clone());
            continue;
        }
        let mut simple = SimpleCommand {
            directory: &directory,
            targets: &mut targets,
        };
        simple.read(&words);
    }
    targets
}

/// Returns the programs that the commands of a text find on the path.
pub(super) fn programs(shell: &str) -> impl Iterator<Item = String> + '_ {
    let commands = shell.split([';', '&', '|', '\n', '(', ')']);
    let first = commands.filter_map(|command| {
        let mut words = command.split_whitespace();
        words.find(|word| !word.contains('=') && !matches!(*word, "!" | "exec" | "env" | "time"))
    });
    let found = first.filter(|word| !word.contains(['/', '.', '$', '"', '\'']));
    found.map(str::to_lowercase)
}

/// Returns the scripts that a command runs for how they end: what is piped into something else, or put into a text or a
/// file, is run for what it prints.
pub(super) fn run_for_their_end(shell: &str) -> BTreeSet<String> {
    const PROGRAMS: [&str; 10] = [
        "sh", "bash", "dash", "zsh", "perl", "ruby", "node", "php", "awk", "lua",
    ];
    let mut directory = String::new();
    let mut found = BTreeSet::new();
    if shell.contains("$?") {
        // How it ended is asked by something else.
        return found;
    }
    let commands = shell.replace("||", ";").replace("&&", ";");
    for command in commands.split([';', '\n']) {
        let last = command.rsplit('|').next().unwrap_or(command);
        let words: Vec<&str> = last.split_whitespace().collect();
        let words: Vec<&str> = words
            .into_iter()
            .map(|word| word.trim_matches(['"', '\'']))
            .skip_while(|word| {
                word.contains('=') || matches!(*word, "!" | "exec" | "env" | "time" | "do")
            })
            .collect();
        if let ["cd", to, ..] = words[..] {
            directory = joined(&directory, to);
        }
        let put_in = last.contains(')') && !last.contains('(');
        if last.contains(['`', '>']) || last.contains("$(") || put_in {
            continue;
        }
        let Some((first, rest)) = words.split_first() else {
            continue;
        };
        let name = file_name(first);
        // Only looked at, or not a file at all.
        const OTHERWISE: [&str; 6] = ["-n", "-c", "-l", "-e", "-m", "--check"];
        if rest.iter().any(|word| OTHERWISE.contains(word)) {
            continue;
        }
        let script = match PROGRAMS.contains(&name) || name.starts_with("python") {
            true => rest
                .iter()
                .find(|word| !word.starts_with('-') && !word.contains('$')),
            false => first.contains('/').then_some(first),
        };
        let endings: &[&str] = match name {
            "node" if script.is_some_and(|path| !path.contains('.')) => {
                &["", ".js", ".cjs", ".mjs"]
            }
            _ => &[""],
        };
        let spelt = |path: &&str| joined(&directory, path);
        let script = script.map(spelt).into_iter();
        found.extend(script.flat_map(|path| endings.iter().map(move |end| format!("{path}{end}"))));
    }
    found
}

/// Returns what settings of a runner, in a directory, name. `name` is that of the file.
pub(super) fn of_settings((directory, name): (&str, &str), text: &str) -> RunTargets {
    let mut targets = RunTargets::default();
    let place = |path: &str| joined(directory, path);
    for pattern in runner_settings::tests(name, text) {
        let pattern = pattern.replace("<rootDir>/", "");
        if !may_be_product(&pattern) {
            targets.tests.insert(place(&pattern));
        }
    }
    for module in runner_settings::modules(name, text) {
        targets
            .loads
            .extend(module_files(&module).map(|path| place(&path)));
    }
    for path in runner_settings::loaded(name, text) {
        let path = path.replace("<rootDir>/", "");
        let endings = ["", ".js", ".cjs", ".mjs", ".ts"];
        let with = endings.iter().map(|end| place(&format!("{path}{end}")));
        targets.loads.extend(with);
    }
    targets
}

/// Returns whether a pattern of tests also names files of the product: all below a directory of it, or all of a kind.
fn may_be_product(pattern: &str) -> bool {
    let (directory, file) = pattern.rsplit_once('/').unwrap_or(("", pattern));
    let first = directory.split('/').next().unwrap_or_default();
    let any_file = file == "**" || file.starts_with("*.") && !file[2..].contains('.');
    let any_place = first == "**" && !judge_paths::is_judging_script(directory);
    pattern.starts_with('!') || any_file && (OF_PRODUCT.contains(&first) || any_place)
}

/// Returns the directories that a source of Rust takes examples from: pages that it includes.
pub(super) fn included_pages(directory: &str, text: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| line.contains("include_str!"));
    let paths = lines.flat_map(quoted).filter(|path| path.ends_with(".md"));
    paths.map(|path| joined(directory, &path)).collect()
}

/// One command of a shell text, and where it runs.
struct SimpleCommand<'a> {
    directory: &'a str,
    targets: &'a mut RunTargets,
}

impl SimpleCommand<'_> {
    fn read(&mut self, words: &[&str]) {
        for path in words.iter().filter_map(|w| w.strip_prefix("PYTHONPATH=")) {
            for root in path.split(':') {
                self.targets.roots.insert(joined(self.directory, root));
            }
        }
        let program = |word: &str| file_name(word).to_owned();
        for (at, word) in words.iter().enumerate() {
            let rest = &words[at + 1..];
            let name = program(word);
            match &*name {
                _ if name.starts_with("python") && !name.contains('.') => self.python(rest),
                "pytest" | "py.test" => self.pytest(rest),
                "node" | "nodejs" => self.node(rest),
                "go" => self.go(rest),
                "cargo" => self.cargo(rest),
                _ if TEST_RUNNERS.contains(&&*name) => self.places(rest),
                _ => continue,
            }
            return;
        }
    }

    fn path(&self, path: &str) -> String {
        joined(self.directory, path)
    }

    fn run(&mut self, path: &str) {
        let path = self.path(path);
        self.targets.runs.insert(path);
    }

    fn test(&mut self, glob: &str) {
        let glob = self.path(glob);
        self.targets.tests.insert(glob);
    }

    fn load(&mut self, module: &str) {
        let files = module_files(module).map(|path| joined(self.directory, &path));
        self.targets.loads.extend(files);
    }

    fn python(&mut self, words: &[&str]) {
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match *word {
                "-m" => {
                    let rest = words.as_slice();
                    match rest.split_first() {
                        Some((&"unittest", rest)) => self.unittest(rest),
                        Some((&"pytest", rest)) => self.pytest(rest),
                        Some((module, _)) => {
                            for file in module_files(module) {
                                self.run(&file);
                            }
                        }
                        None => {}
                    }
                    return;
                }
                "-W" | "-X" => drop(words.next()),
                option if option.starts_with('-') => {}
                script => {
                    self.run(&format!("{script}/__main__.py"));
                    let at = parent(script);
                    let at = if script.contains('.') { at } else { script };
                    let root = self.path(at);
                    self.targets.roots.insert(root);
                    return;
                }
            }
        }
    }

    fn unittest(&mut self, words: &[&str]) {
        let after = |short: &str, long: &str| {
            let at = words.iter().position(|w| *w == short || *w == long)?;
            words.get(at + 1).copied()
        };
        let from = after("-s", "--start-directory");
        let top = after("-t", "--top-level-directory");
        if let Some(root) = top.or(from) {
            let root = self.path(root);
            self.targets.roots.insert(root);
        }
        if let Some(pattern) = after("-p", "--pattern") {
            self.test(&format!("{}/**/{pattern}", from.unwrap_or(".")));
        }
        let mut after = "";
        for name in words {
            let previous = std::mem::replace(&mut after, name);
            let is_value = previous.starts_with('-') && "sptk".contains(&previous[1..]);
            if is_value || name.starts_with('-') || name.contains(['/', '*']) {
                continue;
            }
            let parts: Vec<&str> = name.split('.').collect();
            let least = if judge_paths::is_judging_script(parts[0]) {
                1
            } else {
                2
            };
            for end in least..=parts.len() {
                self.test(&format!("{}.py", parts[..end].join("/")));
            }
        }
    }

    fn pytest(&mut self, words: &[&str]) {
        for (at, word) in words.iter().enumerate() {
            let file = word.split("::").next().unwrap_or(word);
            match words.get(at + 1) {
                Some(module) if *word == "-p" && !module.contains(':') => self.load(module),
                Some(file) if *word == "-c" => self.run(file),
                _ if file.ends_with(".py") && !file.starts_with('-') => self.test(file),
                _ => {}
            }
        }
    }

    fn node(&mut self, words: &[&str]) {
        const LOADS: &[&str] = &["-r", "--require", "--import", "--loader"];
        if words.contains(&"--test") {
            self.places(words);
            return;
        }
        let mut words = words.iter();
        while let Some(word) = words.next() {
            if LOADS.contains(word) {
                let path = self.path(words.next().unwrap_or(&""));
                self.targets.loads.insert(path);
            } else if !word.starts_with('-') {
                for end in ["", ".js", ".mjs", ".cjs", "/index.js"] {
                    self.run(&format!("{word}{end}"));
                }
                return;
            }
        }
    }

    /// Reads the arguments of a runner that takes all below them for tests.
    fn places(&mut self, words: &[&str]) {
        let mut after = "";
        for word in words {
            let previous = std::mem::replace(&mut after, word);
            if matches!(previous, "-r" | "--require" | "--import") {
                let path = self.path(word);
                self.targets.loads.insert(path);
                continue;
            }
            let is_ending = word.starts_with('.') && !word.contains('/');
            let plain = word.trim_end_matches('/').trim_start_matches("./");
            if word.starts_with('-') || is_ending || OF_PRODUCT.contains(&plain) {
                continue;
            }
            self.test(plain);
            self.test(&format!("{plain}/**"));
        }
    }

    fn go(&mut self, words: &[&str]) {
        if let ["run", rest @ ..] = words
            && let Some(place) = rest.iter().find(|word| !word.starts_with('-'))
        {
            self.run(&format!("{place}/main.go"));
        }
    }

    fn cargo(&mut self, words: &[&str]) {
        if words.first() == Some(&"xtask") {
            self.run("xtask/src/main.rs");
        }
        let after = |name: &str| {
            let at = words.iter().position(|word| *word == name)?;
            words.get(at + 1).copied()
        };
        if let Some(package) = after("-p").or(after("--package")) {
            for at in ["", "crates/", "tools/"] {
                self.run(&format!("{at}{package}/src/main.rs"));
                self.run(&format!("{at}{package}/src/lib.rs"));
            }
        }
        if let Some(program) = after("--bin") {
            self.run(&format!("src/bin/{program}.rs"));
            self.run(&format!("src/bin/{program}/main.rs"));
        }
        if let Some(example) = after("--example") {
            for end in [".rs", "/main.rs"] {
                let path = self.path(&format!("examples/{example}{end}"));
                self.targets.loads.insert(path);
            }
        }
    }
}

/// Returns the files that may hold a module of Python.
fn module_files(module: &str) -> impl Iterator<Item = String> {
    let path = module.replace('.', "/");
    [".py", "/__init__.py", "/__main__.py"]
        .into_iter()
        .map(move |end| format!("{path}{end}"))
}

/// Returns a path from the root, of a path in a directory.
pub(super) fn joined(directory: &str, path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in directory.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests;
