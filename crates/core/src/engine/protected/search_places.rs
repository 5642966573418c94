//! Directories that are searched one after the other for a module, a header, a program or what a recipe needs: a new file in one
//! of them is found before what the base has by its name in a later one.

use super::run_targets::joined;
use crate::engine::changed_file::{ChangedFile, ChangedPathKind};
use crate::path_names::{below, extension};
use crate::pattern::TextPattern;
use std::collections::BTreeSet;

/// The directories that programs of the oracle search.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct SearchPlaces {
    /// Lists of directories, each in the order in which it is searched.
    lists: BTreeSet<Vec<String>>,
    /// Likewise where nothing says that it is searched: packages stand there, and more that nobody looks for.
    usual: BTreeSet<Vec<String>>,
}

/// Where sources of Python usually stand, other than beside the root from which they are tested.
const OF_PYTHON: [&str; 3] = ["src", "lib", "python"];

impl SearchPlaces {
    /// Adds what commands, run in a directory, search: there, and where they go first.
    pub(super) fn of_commands(&mut self, directory: &str, shell: &str) {
        static GOES: TextPattern = TextPattern::new(r"^\s*cd\s+([\w./-]+)");
        self.searched_from(directory, shell);
        if let Some(to) = GOES.captures(shell) {
            self.searched_from(&joined(directory, &to[1]), shell);
        }
    }

    fn searched_from(&mut self, directory: &str, shell: &str) {
        static RUNS_PYTHON: TextPattern =
            TextPattern::new(r"\b(?:python[\d.]*|py\.?test|tox|nox|nose2?)\b");
        static VARIABLE: TextPattern = TextPattern::new(
            r#"\b(PYTHONPATH|PERL5LIB|RUBYLIB|PATH|CPATH|C_INCLUDE_PATH|CPLUS_INCLUDE_PATH)=["']?([^\s"';&|]+)"#,
        );
        if RUNS_PYTHON.is_match(shell) {
            let usual = OF_PYTHON.map(|usual| vec![directory.to_owned(), joined(directory, usual)]);
            self.usual.extend(usual);
        }
        for found in VARIABLE.captures_iter(shell) {
            let places = found[2].split(':');
            // A program of Python looks beside itself, or where it was started, before anywhere else.
            let first = (&found[1] == "PYTHONPATH").then_some("");
            let places: Vec<&str> = first.into_iter().chain(places).collect();
            self.add(directory, &places);
        }
        self.of_options(directory, shell);
    }

    /// Adds the directories of options such as `-I`, which each line gives in their order.
    pub(super) fn of_options(&mut self, directory: &str, text: &str) {
        static OPTION: TextPattern =
            TextPattern::new(r#"(?:^|[\s"'=])-(?:I|iquote|isystem)\s*["']?([\w./${}()-]+)"#);
        for line in text.lines() {
            let places = OPTION.captures_iter(line);
            // A bracket that nothing here opens ends what the option stands in.
            let spelt = |place: &str| match place.contains('(') {
                true => place.to_owned(),
                false => place.trim_end_matches(')').to_owned(),
            };
            let places: Vec<String> = places.map(|found| spelt(&found[1])).collect();
            self.add(directory, &places);
        }
    }

    /// Adds where a Makefile says that what it needs may be, other than beside it.
    pub(super) fn of_makefile(&mut self, directory: &str, makefile: &str) {
        static ELSEWHERE: TextPattern =
            TextPattern::new(r"(?m)^[ \t]*(?:VPATH[ \t]*[:?+]?=|vpath[ \t]+\S+)[ \t]*([^\n#]+)");
        for found in ELSEWHERE.captures_iter(makefile) {
            let places = found[1].split([':', ' ', '\t']);
            let places = places.filter(|place| !place.is_empty());
            let places: Vec<&str> = std::iter::once("").chain(places).collect();
            self.add(directory, &places);
        }
        self.of_options(directory, makefile);
    }

    /// Adds where settings of a runner or a build say that sources are looked for.
    pub(super) fn of_settings(&mut self, (directory, name): (&str, &str), text: &str) {
        static PYTHON: TextPattern = TextPattern::new(r#"(?m)^\s*pythonpath\s*=\s*([^\n#]+)"#);
        static CMAKE: TextPattern =
            TextPattern::new(r"(?i)\b(?:target_)?include_directories\s*\(([^)]*)\)");
        static OWN_PLACE: TextPattern =
            TextPattern::new(r"\$\{\w*(?:SOURCE_DIR|SOURCE_DIR\w*)\}/?");
        if name == "CMakeLists.txt" {
            for found in CMAKE.captures_iter(text) {
                let places = OWN_PLACE.replace_all(&found[1], "./");
                let places: Vec<&str> = places.split_whitespace().collect();
                self.add(directory, &places);
            }
            return;
        }
        for found in PYTHON.captures_iter(text) {
            let places = found[1].split(|c: char| " \t,[]\"'".contains(c));
            let places = places.filter(|place| !place.is_empty());
            let places: Vec<&str> = std::iter::once("").chain(places).collect();
            self.add(directory, &places);
        }
    }

    fn add<P: AsRef<str>>(&mut self, directory: &str, places: &[P]) {
        let mut list: Vec<String> = Vec::new();
        static HERE: TextPattern =
            TextPattern::new(r"^(?:\$\{?PWD\}?|\$\(pwd\)|\$[({]CURDIR[)}]|`pwd`)(?:/|$)");
        for place in places {
            let place = HERE.replace(place.as_ref(), "./");
            // Elsewhere nothing of the base is.
            if place.contains(['$', '*', '`']) || place.starts_with(['/', '~']) {
                continue;
            }
            let place = joined(directory, &place);
            if !list.contains(&place) {
                list.push(place);
            }
        }
        if list.len() > 1 {
            self.lists.insert(list);
        }
    }

    /// Returns whether a new file of this path stands directly where something is searched.
    pub(super) fn may_hide(&self, path: &str) -> bool {
        let mut places = self.lists.iter().chain(&self.usual).flatten();
        places.any(|place| name_in(place, path).is_some())
    }

    /// Returns the new files that are found before what stays of a base with these paths.
    pub(super) fn hiding(&self, pairs: &[ChangedFile<'_>], paths: &[String]) -> Vec<String> {
        let gone = pairs
            .iter()
            .filter(|pair| pair.change.kind == ChangedPathKind::Deleted);
        let gone: BTreeSet<&str> = gone.map(|pair| pair.change.path.as_str()).collect();
        let stay: Vec<&str> = paths
            .iter()
            .map(String::as_str)
            .filter(|path| !gone.contains(path))
            .collect();
        let hides = |path: &str| {
            let searched = self.lists.iter().map(|list| (list, false));
            let mut all = searched.chain(self.usual.iter().map(|list| (list, true)));
            all.any(|(list, packages)| found_first(list, path, &stay, packages))
        };
        let new = pairs
            .iter()
            .filter(|pair| pair.change.kind == ChangedPathKind::Added);
        let new = new.map(|pair| pair.change.path.as_str());
        new.filter(|path| hides(path)).map(str::to_owned).collect()
    }
}

/// Returns whether a file is found in one place of a list before one of the base in a later one.
fn found_first(list: &[String], path: &str, base: &[&str], packages: bool) -> bool {
    let mut found = list.iter().enumerate();
    found.any(|(at, place)| {
        let Some(name) = name_in(place, path) else {
            return false;
        };
        let later = &list[at + 1..];
        later.iter().any(|later| match packages {
            true => base.contains(&joined(later, &format!("{name}/__init__.py")).as_str()),
            false => base.iter().any(|path| has_name(later, path, name)),
        })
    })
}

fn within<'p>(place: &str, path: &'p str) -> Option<&'p str> {
    match place {
        "" => Some(path),
        place => below(path, place),
    }
}

/// Returns by what name a file is found in a place: a module of Python by that of its file or its directory, all else by what it
/// is called there.
fn name_in<'p>(place: &str, path: &'p str) -> Option<&'p str> {
    let rest = within(place, path)?;
    if extension(rest) != "py" {
        return Some(rest);
    }
    let name = rest.strip_suffix("/__init__.py");
    name.or_else(|| rest.strip_suffix(".py"))
        .filter(|name| !name.contains('/'))
}

/// Returns whether a file of the base is found in a place by such a name.
fn has_name(place: &str, path: &str, name: &str) -> bool {
    let Some(rest) = within(place, path) else {
        return false;
    };
    rest == name
        || extension(rest) == "py"
            && rest
                .strip_prefix(name)
                .is_some_and(|rest| rest == ".py" || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::super::tests::change;
    use super::*;

    /// Returns which of some new files hide what is on a base.
    fn hidden(places: &SearchPlaces, new: &[&str], gone: &[&str], base: &[&str]) -> String {
        let changes: Vec<_> = new
            .iter()
            .map(|path| change(path, None, Some("")))
            .chain(gone.iter().map(|path| change(path, Some(""), None)))
            .collect();
        let pairs: Vec<ChangedFile<'_>> = changes
            .iter()
            .map(|change| ChangedFile {
                change,
                old: None,
                new: None,
            })
            .collect();
        let base: Vec<String> = base.iter().map(|path| (*path).to_owned()).collect();
        places.hiding(&pairs, &base).join(" ")
    }

    #[test]
    fn a_new_file_that_is_found_before_one_of_the_base_hides_it() {
        for (command, new, base, hides) in [
            (
                "PYTHONPATH=src python3 -m pytest",
                "calc/__init__.py",
                "src/calc/__init__.py",
                true,
            ),
            ("python3 -m pytest", "calc.py", "src/calc/__init__.py", true),
            ("python3 -m pytest", "main.py", "src/main.py", false),
            ("PYTHONPATH=lib pytest -q", "calc.py", "lib/calc.py", true),
            (
                "PYTHONPATH=lib pytest -q",
                "calc.py",
                "lib/calc/ops.py",
                true,
            ),
            ("pytest -q", "tools/calc.py", "src/calc/__init__.py", false),
            (
                "PYTHONPATH=src pytest",
                "calc/more.py",
                "src/calc/ops.py",
                false,
            ),
            ("PYTHONPATH=src pytest", "calc.py", "src/calcs.py", false),
            ("PYTHONPATH=src pytest", "calc.py", "src/calc.json", false),
            ("make", "calc.py", "src/calc/__init__.py", false),
            ("ruby -I. -Ilib spec/a.rb", "calc.rb", "lib/calc.rb", true),
            ("ruby -Ilib -I . spec/a.rb", "calc.rb", "lib/calc.rb", false),
            ("ruby -Ilib spec/a.rb", "calc.rb", "lib/calc.rb", false),
            (
                "cc -Ifast -Iinclude a.c",
                "fast/a/add.h",
                "include/a/add.h",
                true,
            ),
            (
                "cc -Ifast -Iinclude a.c",
                "fast/add.h",
                "include/a/add.h",
                false,
            ),
            ("PATH=.:bin:$PATH sh a.sh", "add", "bin/add", true),
            ("PATH=bin:$PATH sh a.sh", "add", "bin/add", false),
            (
                "PATH=$PWD/near:$(pwd)/bin:$PATH sh a.sh",
                "near/add",
                "bin/add",
                true,
            ),
            (
                "cc -I$(CURDIR) -Iinclude a.c",
                "add.h",
                "include/add.h",
                true,
            ),
            (
                "cc -I$(OTHER) -Iinclude a.c",
                "add.h",
                "include/add.h",
                false,
            ),
            (
                "cd a && PERL5LIB=near:lib prove t",
                "a/near/Calc.pm",
                "a/lib/Calc.pm",
                true,
            ),
        ] {
            let mut places = SearchPlaces::default();
            places.of_commands("", command);
            let want = if hides { new } else { "" };
            assert_eq!(hidden(&places, &[new], &[], &[base]), want, "{command}");
            assert!(places.may_hide(new) || !hides, "{command}");
            // What moved there hides nothing.
            assert_eq!(hidden(&places, &[new], &[base], &[base]), "", "{command}");
        }
    }

    #[test]
    fn builds_and_settings_say_where_they_search() {
        let read = |name: &str, text: &str| {
            let mut places = SearchPlaces::default();
            match name {
                "Makefile" => places.of_makefile("a", text),
                name => places.of_settings(("a", name), text),
            }
            places
        };
        for (name, text, new, base) in [
            ("Makefile", "VPATH = qa:more\n", "a/all.sh", "a/qa/all.sh"),
            ("Makefile", "vpath %.sh qa\n", "a/all.sh", "a/qa/all.sh"),
            (
                "Makefile",
                "CPPFLAGS += -I. -Iinclude\n",
                "a/add.h",
                "a/include/add.h",
            ),
            (
                "CMakeLists.txt",
                "target_include_directories(t PRIVATE . ${CMAKE_SOURCE_DIR}/include)\n",
                "a/add.h",
                "a/include/add.h",
            ),
            (
                "pyproject.toml",
                "pythonpath = [\"code\", \"more\"]\n",
                "a/calc.py",
                "a/more/calc/__init__.py",
            ),
            (
                "pytest.ini",
                "pythonpath = code\n",
                "a/calc.py",
                "a/code/calc.py",
            ),
        ] {
            let places = read(name, text);
            assert_eq!(hidden(&places, &[new], &[], &[base]), new, "{text}");
            let other = new.replace("a/", "b/");
            assert_eq!(hidden(&places, &[&other], &[], &[base]), "", "{text}");
        }
        assert_eq!(
            read("Makefile", "# VPATH = qa\nX = 1\n"),
            SearchPlaces::default()
        );
    }
}
