//! What a text that judges runs in turn, and the lists that it reads: one link of the chain that begins with a command.

use super::code_paths::is_code;
use super::run_targets::{joined, run_for_their_end};
use crate::path_names::{MAKEFILES, extension, file_name, parent};
use crate::pattern::TextPattern;
use std::collections::BTreeSet;

/// Settings that name what is run by its path, beside what they build.
pub(crate) const BUILD_FILES: [&str; 8] = [
    "CMakeLists.txt",
    "meson.build",
    "justfile",
    "Justfile",
    "Taskfile.yml",
    "noxfile.py",
    "tox.ini",
    "Rakefile",
];

/// What a text names, by paths from the root of which only some are there.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct ChainLinks {
    /// Scripts that are run for how they end, or read into one that is.
    pub(crate) runs: BTreeSet<String>,
    /// Data that may list such scripts.
    pub(crate) lists: BTreeSet<String>,
}

/// Returns what a text of this path names; an empty path stands for commands.
pub(crate) fn links_of(path: &str, text: &str) -> ChainLinks {
    static ELSEWHERE: TextPattern = TextPattern::new(
        r#""?\$\$?(?:\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\{\w+\}|\w+)"?/|%~dp0|"\$@""#,
    );
    let directory = parent(path);
    let plain = ELSEWHERE.replace_all(text, "");
    let mut links = ChainLinks::default();
    let places = [String::new(), directory.to_owned()];
    let at_each = |name: &str| places.clone().map(|place| joined(&place, name));
    let runs = match SpelledAs::of(path) {
        SpelledAs::Shell => runs_of_shell(&plain),
        SpelledAs::Build => super::named_paths(&plain),
        SpelledAs::Elsewhere => BTreeSet::new(),
    };
    links.runs = runs.iter().flat_map(|name| at_each(name)).collect();
    static DATA: TextPattern = TextPattern::new(r"[\w./@+-]*\w\.[A-Za-z]\w*\b");
    let named = DATA.find_iter(&plain).map(|found| found.as_str());
    let data = named.filter(|name| !is_code(name) && !name.contains(".."));
    let (modules, data): (Vec<&str>, Vec<&str>) = data.partition(|name| extension(name) == "cmake");
    links.runs.extend(modules.into_iter().flat_map(at_each));
    links.lists = data.into_iter().flat_map(at_each).collect();
    static PART: TextPattern = TextPattern::new(
        r"(?m)^\s*(?:-?s?include\s+([\w./-]+\.inc)\s*$|add_subdirectory\(\s*([\w./-]+))",
    );
    for part in PART.captures_iter(text) {
        let below = part
            .get(2)
            .map(|at| format!("{}/CMakeLists.txt", at.as_str()));
        let name = below.unwrap_or_else(|| {
            part[0]
                .split_whitespace()
                .last()
                .unwrap_or_default()
                .to_owned()
        });
        links.runs.extend(at_each(&name));
    }
    links
}

/// How a text says what it runs.
enum SpelledAs {
    Shell,
    /// By the paths in it.
    Build,
    /// In recipes, which are followed where they are asked for, or in a program's own words.
    Elsewhere,
}

impl SpelledAs {
    fn of(path: &str) -> SpelledAs {
        let name = file_name(path);
        let end = extension(path);
        match end {
            _ if MAKEFILES.contains(&name) => SpelledAs::Elsewhere,
            _ if BUILD_FILES.contains(&name) => SpelledAs::Build,
            "cmake" | "just" | "inc" => SpelledAs::Build,
            "" | "sh" | "bash" | "zsh" | "ksh" | "bats" => SpelledAs::Shell,
            _ => SpelledAs::Elsewhere,
        }
    }
}

/// Returns the scripts that a text of a shell runs for how they end, and those that it reads.
fn runs_of_shell(text: &str) -> BTreeSet<String> {
    static READ: TextPattern =
        TextPattern::new(r#"(?m)(?:^|[;&|({])\s*(?:\.|source|load)\s+["']?([\w./@+-]+)"#);
    let lines = text.lines().filter(|line| !line.contains("$?"));
    let mut found = run_for_their_end(&lines.collect::<Vec<_>>().join("\n"));
    for read in READ.captures_iter(text) {
        found.insert(read[1].to_owned());
        found.insert(format!("{}.bash", &read[1]));
    }
    found
}

/// Returns the files that a list names; nothing where a line of it names none. `paths` are those that are there.
pub(crate) fn entries(list: &str, text: &str, paths: &BTreeSet<String>) -> Vec<String> {
    let directory = parent(list);
    let lines = text.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let words = lines.map(|line| {
        line.trim_start_matches("- ")
            .trim_matches(|c: char| c.is_whitespace() || "\"',[]".contains(c))
    });
    let mut all = Vec::new();
    for word in words.filter(|word| !word.is_empty()) {
        let places = ["", directory].map(|place| joined(place, word));
        let named: Vec<&String> = match paths.iter().any(|path| places.contains(path)) {
            true => paths.iter().filter(|path| places.contains(path)).collect(),
            false => paths.iter().filter(|path| stem(path) == word).collect(),
        };
        if named.is_empty() {
            return vec![];
        }
        all.extend(named.into_iter().cloned());
    }
    all
}

/// Returns the name of a file without its ending.
pub(super) fn stem(path: &str) -> &str {
    let name = file_name(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_text_runs_and_reads_is_known() {
        for (path, text, runs, lists) in [
            ("", "cat all.lst | xargs -n1 sh", "", "all.lst"),
            ("k/a.sh", "sh k/b.sh\n", "k/b.sh k/k/b.sh", ""),
            ("go.sh", "cd k\nsh ./inner\n", "k/inner", ""),
            (
                "k/all.sh",
                ". \"$(dirname \"$0\")/helpers.sh\"\n",
                "helpers.sh helpers.sh.bash k/helpers.sh k/helpers.sh.bash",
                "helpers.sh.bash",
            ),
            (
                "b/a.bats",
                "load common\n",
                "b/common b/common.bash common common.bash",
                "",
            ),
            (
                "go.sh",
                "sh \"$DIR/one.sh\"\nsh add.sh 1 | grep 2\n",
                "one.sh",
                "",
            ),
            ("run.py", "open(\"list.cfg\")\n", "", "list.cfg"),
            (
                "CMakeLists.txt",
                "include(cmk/more.cmake)\nfile(STRINGS all.lst ALL)",
                "cmk/more.cmake",
                "all.lst",
            ),
            (
                "CMakeLists.txt",
                "add_subdirectory(sub)\n",
                "sub/CMakeLists.txt",
                "",
            ),
            (
                "Makefile",
                "include a.inc\nx:\n\tsh b.sh\n",
                "a.inc",
                "a.inc",
            ),
            (
                "more.cmake",
                "add_test(NAME a COMMAND sh ${CMAKE_SOURCE_DIR}/q/one.sh)",
                "q/one.sh",
                "",
            ),
        ] {
            let links = links_of(path, text);
            let shown = |all: &BTreeSet<String>| {
                let data = all
                    .iter()
                    .filter(|name| *name != "helpers.sh.bash" || all.len() > 1);
                data.map(String::as_str).collect::<Vec<_>>().join(" ")
            };
            assert_eq!(shown(&links.runs), runs, "{path}: {text}");
            let lists = lists.replace("helpers.sh.bash", "");
            assert_eq!(shown(&links.lists), lists, "{path}: {text}");
        }
    }

    #[test]
    fn a_list_names_what_is_there_and_nothing_else() {
        let paths = ["cases/a.sh", "cases/b.sh", "q/one"].map(str::to_owned);
        let paths = BTreeSet::from(paths);
        for (list, text, want) in [
            (
                "all.txt",
                "cases/a.sh\n\n# later\ncases/b.sh\n",
                "cases/a.sh cases/b.sh",
            ),
            ("cases/all", "a.sh\n", "cases/a.sh"),
            ("all.json", "[\n  \"q/one\",\n]\n", "q/one"),
            ("all.txt", "a\n", "cases/a.sh"),
            ("all.txt", "cases/a.sh\nsome words\n", ""),
            ("all.txt", "", ""),
        ] {
            assert_eq!(
                entries(list, text, &paths).join(" "),
                want,
                "{list}: {text}"
            );
        }
    }
}
