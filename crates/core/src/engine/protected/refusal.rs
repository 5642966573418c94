//! Why a change of the product is refused: what of it, in which line, in which words. Whoever reads of it should see what to
//! leave, whether it was meant so or not.

use super::refused_member;
use crate::engine::changed_file::ChangedFile;
use crate::engine::evidence::one_line;
use crate::engine::secrets;
use std::fmt;

/// What of a change is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RefusalCause {
    /// Tests in it, or settings by which tests run.
    JudgingPart,
    /// What a Makefile of the base reads as it judges.
    MakeInput,
    /// Examples of the documentation that are run.
    Examples,
    /// What a linter or a script of the oracle would have said.
    Silenced,
    /// The place of assertions, runners or the language's own words.
    Replaced,
    /// How bytes are read as text.
    Encoding,
    /// What becomes of an error that nobody caught.
    EndHook,
    /// What it is compared with.
    BlindEquality,
    /// What it says of itself.
    OwnAnswer,
    /// Where it goes as it is loaded.
    MovedAway,
    /// The variables by which tests count.
    TestState,
    /// What is there for tests alone.
    ForTestsAlone,
    /// Assertions that are not built in.
    MutedAssertions,
    /// What it has answered before.
    SecondAnswer,
    /// The report of a runner.
    ForgedReport,
    /// What tests hold.
    TestsRead,
    /// The file that calls it.
    CallersFile,
    /// Whether it is being tested.
    AskedWhetherTested,
    /// The process that it runs in.
    ProcessQuestion,
    /// What tests compare with.
    ExpectedAnswer,
    /// What hides files from what judges them.
    Hidden,
    /// Directories in which tests are.
    TestsFound,
}

impl RefusalCause {
    /// Returns what it does, as it is said of a file.
    fn text(self) -> &'static str {
        match self {
            RefusalCause::JudgingPart => {
                "changes tests in it, or how tests are built, found and run; or it cannot be read as what it should be"
            }
            RefusalCause::MakeInput => "changes what a Makefile of the base reads as it judges",
            RefusalCause::Examples => "loses an example of the documentation that is run as a test",
            RefusalCause::Silenced => {
                "silences a linter, or lets a script that judges go on after a failure"
            }
            RefusalCause::Replaced => {
                "takes the place of what tests assert with or of what runs them, ends their run, or asks whether there is one"
            }
            RefusalCause::Encoding => "is read as another text than the one that it shows",
            RefusalCause::EndHook => {
                "decides what becomes of an error that nobody caught, and may end the run otherwise"
            }
            RefusalCause::BlindEquality => {
                "equals what it is not, or takes the place of a tool that compares"
            }
            RefusalCause::OwnAnswer => {
                "says of itself whatever it is asked, or makes one of what tests tell apart"
            }
            RefusalCause::MovedAway => {
                "goes to another directory as it is loaded, where tests look for nothing"
            }
            RefusalCause::TestState => "asks for variables by which tests count",
            RefusalCause::ForTestsAlone => "gives tests something else than it gives the product",
            RefusalCause::MutedAssertions => "takes assertions out of what is built",
            RefusalCause::SecondAnswer => {
                "may answer otherwise when it is asked again, or by what an earlier call left"
            }
            RefusalCause::ForgedReport => "writes the report of a test runner and ends the run",
            RefusalCause::TestsRead => "reads tests, which hold the answers",
            RefusalCause::CallersFile => "asks for the file that calls it, or reads it",
            RefusalCause::AskedWhetherTested => "asks whether it is being tested",
            RefusalCause::ProcessQuestion => {
                "decides by the process that it runs in: how that was started, who calls it, what is loaded beside it"
            }
            RefusalCause::ExpectedAnswer => "brings in what tests compare with",
            RefusalCause::Hidden => "hides files from what judges them",
            RefusalCause::TestsFound => "looks for files where tests are, and may come by them",
        }
    }
}

/// The line that makes the difference.
#[derive(Debug, Clone, PartialEq, Eq)]
struct RefusedLine {
    number: usize,
    words: String,
    /// Whether it is one of the base that is not there any more.
    is_gone: bool,
}

/// A change that is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RefusedChange {
    pub(crate) path: String,
    cause: RefusalCause,
    line: Option<RefusedLine>,
}

/// Most refusals of a work that are told with their causes.
pub(crate) const TOLD: usize = 3;
/// Most characters of a line that are shown.
const SHOWN: usize = 100;

impl RefusedChange {
    /// Says why a change is refused; `is_refused` tells whether it would be, were this its content.
    pub(crate) fn of(
        pair: &ChangedFile<'_>,
        cause: RefusalCause,
        is_refused: impl FnMut(&ChangedFile<'_>) -> bool,
    ) -> RefusedChange {
        RefusedChange {
            path: pair.change.path.clone(),
            cause,
            line: deciding_line(pair, is_refused),
        }
    }
}

impl fmt::Display for RefusedChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", one_line(&self.path))?;
        if let Some(line) = &self.line {
            let gone = if line.is_gone { "without " } else { "" };
            let of = if line.is_gone { " of the base" } else { "" };
            write!(f, ", {gone}line {}{of}", line.number)?;
            if !line.words.is_empty() {
                write!(f, " (`{}`)", line.words)?;
            }
            f.write_str(",")?;
        }
        write!(f, " {}", self.cause.text())
    }
}

/// Returns the line with which a change begins to be refused, as its lines join one by one what it leaves of the base.
fn deciding_line(
    pair: &ChangedFile<'_>,
    mut is_refused: impl FnMut(&ChangedFile<'_>) -> bool,
) -> Option<RefusedLine> {
    let [old, new] = [pair.old.unwrap_or_default(), pair.new?].map(lines);
    if pair.change.path.ends_with(".json") {
        let member = refused_member::deciding_member(pair, is_refused)?;
        let of = if member.is_gone { &old } else { &new };
        return Some(RefusedLine::of(of, member.line, member.is_gone));
    }
    let head = same(old.iter(), new.iter());
    let tail = same(old[head..].iter().rev(), new[head..].iter().rev());
    let mut refused_with = |begins: &[&[u8]]| {
        let mut text = begins.concat();
        text.extend(closing(&text));
        text.extend(new[new.len() - tail..].concat());
        is_refused(&ChangedFile {
            new: Some(&text),
            ..*pair
        })
    };
    // Nothing of it is no change of the base where nothing was taken away. What was is left out from its end on.
    let gone = old.len() - head - tail;
    if gone > 0 && refused_with(&new[..head]) {
        let end = old.len() - tail;
        let least = least_refused(gone, |left_out| refused_with(&old[..end - left_out]));
        return Some(RefusedLine::of(&old, end - least, true));
    }
    let joined = new.len() - head - tail;
    if joined == 0 || !refused_with(&new[..head + joined]) {
        return None;
    }
    let least = least_refused(joined, |joined| refused_with(&new[..head + joined]));
    Some(RefusedLine::of(&new, head + least - 1, false))
}

/// Returns the least number of lines that is refused, where all of them are, and none is not.
fn least_refused(all: usize, mut is_refused: impl FnMut(usize) -> bool) -> usize {
    let (mut fine, mut refused) = (0, all);
    while refused - fine > 1 {
        let between = fine + (refused - fine) / 2;
        match is_refused(between) {
            true => refused = between,
            false => fine = between,
        }
    }
    refused
}

/// Returns what ends a text for readers in which a part of a source stops: what is written there is no code.
fn closing(part: &[u8]) -> &'static [u8] {
    let part = String::from_utf8_lossy(part);
    let [open, closed] = ["/*", "*/"].map(|mark| part.rfind(mark));
    if part.matches("\"\"\"").count() % 2 == 1 {
        b"\"\"\"\n"
    } else if open > closed {
        b"*/\n"
    } else {
        b""
    }
}

impl RefusedLine {
    fn of(lines: &[&[u8]], at: usize, is_gone: bool) -> RefusedLine {
        let words = String::from_utf8_lossy(lines[at]);
        // In front of the words, what a secret is known by may be needed.
        let words = one_line(secrets::redact(&words).trim());
        let shown = match words.chars().count() > SHOWN {
            true => words.chars().take(SHOWN).chain("…".chars()).collect(),
            false => words,
        };
        RefusedLine {
            number: at + 1,
            words: shown.replace('`', "'"),
            is_gone,
        }
    }
}

fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}

/// Returns how many are the same from the start.
fn same<'t>(
    old: impl Iterator<Item = &'t &'t [u8]>,
    new: impl Iterator<Item = &'t &'t [u8]>,
) -> usize {
    old.zip(new).take_while(|(old, new)| old == new).count()
}

#[cfg(test)]
mod tests {
    use super::super::{Declared, Policy, look};
    use crate::engine::changed_file::{ChangedFile, ChangedPath, ChangedPathKind};

    const PACKAGE: &str = "{\n  \"version\": \"1.0.0\",\n  \"keywords\": [\"test\"],\n  \"scripts\": {\n    \"test\": \"jest\",\n    \"start\": \"node .\"\n  }\n}\n";

    /// Returns what is said of the only change.
    fn said(path: &str, old: Option<&str>, new: &str) -> String {
        let change = ChangedPath {
            path: path.to_owned(),
            kind: old.map_or(ChangedPathKind::Added, |_| ChangedPathKind::Modified),
            regular: true,
            unstartable: false,
        };
        let pair = ChangedFile {
            change: &change,
            old: old.map(str::as_bytes),
            new: Some(new.as_bytes()),
        };
        let policy = Policy::new(&[], Declared::default(), &["make check"]);
        let looked = look(&policy, &[pair], &[]);
        let said = looked.refused.iter().map(ToString::to_string);
        said.collect::<Vec<String>>().join("\n")
    }

    #[test]
    fn a_refusal_names_the_line_its_words_and_what_they_do() {
        for (path, old, new, want) in [
            (
                "calc.py",
                Some("import os\n\n\ndef add(a, b):\n    return a + b\n"),
                "import os\n\n\ndef add(a, b):\n    if \"PYTEST_CURRENT_TEST\" in os.environ:\n        return 3\n    return a - b\n",
                "`calc.py`, line 5 (`if \"PYTEST_CURRENT_TEST\" in os.environ:`), asks whether it is being tested",
            ),
            (
                "calc.py",
                None,
                "import sys\n\n\ndef add(a, b):\n    return a - b if \"unittest\" not in sys.modules else a + b\n",
                "`calc.py`, line 5 (`return a - b if \"unittest\" not in sys.modules else a + b`), asks whether it is being tested",
            ),
            (
                "src/lib.rs",
                Some("fn add() {}\n"),
                "fn add() {}\n\nfn wait() {\n    if !cfg!(test) {\n        pause();\n    }\n}\n",
                "`src/lib.rs`, line 4 (`if !cfg!(test) {`), takes the place of what tests assert with or of what runs them, ends their run, or asks whether there is one",
            ),
            (
                "lib.sh",
                None,
                "add() {\n  echo 3\n}\nreadonly failed\n",
                "`lib.sh`, line 4 (`readonly failed`), takes the place of what tests assert with or of what runs them, ends their run, or asks whether there is one",
            ),
            (
                "Makefile",
                Some("all:\n\techo\n\ncheck:\n\tsh qa/all.sh\n\tsh qa/more.sh\n"),
                "all:\n\techo\n\ncheck:\n\tsh qa/all.sh\n",
                "`Makefile`, without line 6 of the base (`sh qa/more.sh`), changes tests in it, or how tests are built, found and run; or it cannot be read as what it should be",
            ),
            (
                "pyproject.toml",
                Some(
                    "[tool.isort]\nline = 1\n\n[tool.pytest.ini_options]\naddopts = \"-q\"\n\n[tool.black]\n",
                ),
                "[tool.pytest.ini_options]\n\n[tool.black]\n",
                "`pyproject.toml`, without line 5 of the base (`addopts = \"-q\"`), changes tests in it, or how tests are built, found and run; or it cannot be read as what it should be",
            ),
            (
                "package.json",
                Some("{\"scripts\": {\"test\": \"jest\"}}\n"),
                "{\"scripts\": {\"test\": \"true\"}}\n",
                "`package.json`, line 1 (`{\"scripts\": {\"test\": \"true\"}}`), changes tests in it, or how tests are built, found and run; or it cannot be read as what it should be",
            ),
            (
                "package.json",
                Some(PACKAGE),
                &PACKAGE
                    .replace("1.0.0", "1.0.1")
                    .replace("jest\"", "true\""),
                "`package.json`, line 5 (`\"test\": \"true\",`), changes tests in it, or how tests are built, found and run; or it cannot be read as what it should be",
            ),
            (
                "package.json",
                Some(PACKAGE),
                &PACKAGE
                    .replace("1.0.0", "1.0.1")
                    .replace("    \"test\": \"jest\",\n", ""),
                "`package.json`, without line 5 of the base (`\"test\": \"jest\",`), changes tests in it, or how tests are built, found and run; or it cannot be read as what it should be",
            ),
            (
                "calc.py",
                None,
                "def add(a, b):\n    \"\"\"\n    It is not asked for in sys.modules,\n    and if it is not in sys.modules[0]:\n    \"\"\"\n    if \"unittest\" in sys.modules:\n        return 3\n",
                "`calc.py`, line 6 (`if \"unittest\" in sys.modules:`), asks whether it is being tested",
            ),
            ("calc.py", None, "def add(a, b):\n    return a + b\n", ""),
        ] {
            assert_eq!(said(path, old, new), want, "{path}");
        }
    }

    #[test]
    fn a_long_line_is_cut_and_a_secret_in_it_is_withheld() {
        let line = format!(
            "if \"PYTEST_CURRENT_TEST\" in os.environ: {}\n",
            "x".repeat(200)
        );
        let said = said("a.py", None, &line);
        assert!(said.contains("xxx…`)"), "{said}");
        assert!(said.len() < 200, "{said}");
    }
}
