//! Product that looks for files in the tree that it is itself part of, from where its source lies or where it was started, and
//! comes by tests there: whatever they expect it can read. What names them is asked for in `product_reach`.

use super::super::guards;
use super::Policy;
use super::expected_answers::is_aside;
use super::run_targets::joined;
use super::spelt_whole::spelt_whole;
use super::text_words::has_word;
use crate::engine::changed_file::ChangedFile;
use crate::path_names::{extension, file_name, is_below, parent};
use crate::pattern::TextPattern;
use std::collections::BTreeSet;

/// Files that a source looks at.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum LookedAt {
    /// What lies in a directory.
    In(String),
    /// What lies anywhere below it.
    Below(String),
    /// What a glob from the root names.
    Named(String),
}

impl LookedAt {
    /// Returns which files of a directory a pattern names.
    fn by(directory: &str, pattern: &str, anywhere: bool) -> LookedAt {
        let directory = directory.to_owned();
        match (pattern, anywhere) {
            ("*" | "*.*", false) => LookedAt::In(directory),
            ("*" | "**" | "**/*" | "*.*", _) => LookedAt::Below(directory),
            (_, true) => LookedAt::Named(joined(&directory, &format!("**/{pattern}"))),
            (_, false) => LookedAt::Named(joined(&directory, pattern)),
        }
    }

    fn has(&self, path: &str) -> bool {
        match self {
            LookedAt::In(directory) => parent(path) == directory,
            LookedAt::Below(directory) => directory.is_empty() || is_below(path, directory),
            LookedAt::Named(glob) => guards::glob(glob).is_some_and(|glob| glob.is_match(path)),
        }
    }
}

/// Returns whether a source may look for files; where none does, no paths are asked for.
pub(crate) fn may_look(pair: &ChangedFile<'_>) -> bool {
    let text = String::from_utf8_lossy(pair.new.unwrap_or_default());
    !looked_at(&pair.change.path, &text).is_empty()
}

/// Returns the changed sources that come by tests of a base with these paths, and did not before.
pub(crate) fn coming_by_tests(
    policy: &Policy,
    pairs: &[ChangedFile<'_>],
    paths: &[String],
) -> Vec<String> {
    let comes = |pair: &&ChangedFile<'_>| {
        let path = pair.change.path.as_str();
        if policy.covers(path) || policy.declares_part(path) || is_aside(path) {
            return false;
        }
        let [old, new] = [pair.old, pair.new].map(|bytes| {
            let text = String::from_utf8_lossy(bytes.unwrap_or_default());
            looked_at(path, &text)
        });
        let mut joined = new.difference(&old);
        joined.any(|place| {
            let mut tests = paths.iter().filter(|path| policy.covers(path));
            tests.any(|test| test != path && place.has(test))
        })
    };
    let found = pairs.iter().filter(comes);
    found.map(|pair| pair.change.path.clone()).collect()
}

/// How a language says where a source lies, where a program was started, and what looks for files.
struct Looking {
    endings: &'static [&'static str],
    /// Where the source lies, and where the program was started.
    own: TextPattern,
    started: TextPattern,
    /// What looks for files in a directory.
    looks: TextPattern,
    /// What of it looks below it, too.
    deep: TextPattern,
    /// A pattern of files: one that begins with any name stands for the whole tree from where the program was started.
    glob: TextPattern,
}

impl Looking {
    /// Returns where the tests of a source are run: those of Go beside it.
    fn tested_in<'p>(&self, path: &'p str) -> &'p str {
        match self.endings {
            ["go"] => parent(path),
            _ => "",
        }
    }
}

static LANGUAGES: [Looking; 5] = [
    Looking {
        endings: &["py", "pyw"],
        own: TextPattern::new(r"\b__file__\b"),
        started: TextPattern::new(
            r#"\bPath\(\s*(?:["']\.["'])?\s*\)|\bPath\.cwd\(\)|\bos\.(?:getcwd\(\)|curdir\b)|\b(?:walk|listdir|scandir)\(\s*["']\.["']|\b(?:listdir|scandir)\(\s*\)"#,
        ),
        looks: TextPattern::new(
            r"\.r?glob\(|\bi?glob\(|\.iterdir\(\)|\b(?:walk|listdir|scandir)\(|\.walk\(",
        ),
        deep: TextPattern::new(r"\brglob\(|\bwalk\("),
        glob: TextPattern::new(r#"\br?i?glob\(\s*[rf]?["']([^"'\n]+)["']"#),
    },
    Looking {
        endings: &["js", "mjs", "cjs", "ts", "mts", "cts"],
        own: TextPattern::new(r"\b__dirname\b|\bimport\.meta\.(?:dirname|url)\b"),
        started: TextPattern::new(
            r#"\bprocess\.cwd\(\)|\breaddir(?:Sync)?\(\s*["'`]\.["'`]|\bopendir(?:Sync)?\(\s*["'`]\.["'`]"#,
        ),
        looks: TextPattern::new(r"\b(?:readdir|opendir)(?:Sync)?\("),
        deep: TextPattern::new(r"\brecursive\s*:\s*true\b"),
        glob: TextPattern::new(
            r#"\b(?:glob|globSync|globby|fg|sync|stream)\(\s*\[?\s*["'`](\*[^"'`\n]+)["'`]"#,
        ),
    },
    Looking {
        endings: &["go"],
        own: TextPattern::new(r"\bruntime\.Caller\(0\)"),
        started: TextPattern::new(
            r#"\b(?:ReadDir|Walk|WalkDir|DirFS)\(\s*(?:"\."|`\.`)|\bos\.Getwd\(\)"#,
        ),
        looks: TextPattern::new(r"\b(?:ReadDir|Walk|WalkDir|DirFS|Glob)\("),
        deep: TextPattern::new(r"\b(?:Walk|WalkDir|DirFS)\("),
        glob: TextPattern::new(r#"\bfilepath\.Glob\(\s*["`]([^"`\n]+)["`]"#),
    },
    Looking {
        endings: &["rs"],
        own: TextPattern::new(r#"\benv!\(\s*"CARGO_MANIFEST_DIR"\s*\)|\bfile!\(\)"#),
        started: TextPattern::new(
            r#"\b(?:read_dir|WalkDir::new|Walk::new)\(\s*"\."|\benv::current_dir\(\)"#,
        ),
        looks: TextPattern::new(r"\b(?:read_dir|WalkDir::new|Walk::new)\("),
        deep: TextPattern::new(r"\b(?:WalkDir|Walk)::new\("),
        glob: TextPattern::new(r#"\bglob\(\s*r?"(\*[^"\n]+)""#),
    },
    Looking {
        endings: &["rb"],
        own: TextPattern::new(r"\b__dir__\b|\b__FILE__\b"),
        started: TextPattern::new(r"\bDir\.pwd\b|\bDir\.(?:children|entries)\(\s*.\..\s*\)"),
        looks: TextPattern::new(r"\bDir(?:\.glob\b|\[|\.children\b|\.entries\b|\.each_child\b)"),
        deep: TextPattern::new(r"\*\*"),
        glob: TextPattern::new(r#"\bDir(?:\.glob\(|\[)\s*["'](\*[^"'\n]+)["']"#),
    },
];

/// Returns what a source looks at of the tree that it is part of.
fn looked_at(path: &str, text: &str) -> BTreeSet<LookedAt> {
    let ending = extension(path);
    if ["sh", "bash"].contains(&ending) || !file_name(path).contains('.') {
        return by_scripts(text);
    }
    let language = LANGUAGES.iter().find(|row| row.endings.contains(&ending));
    let mut found = by_programs(text);
    let looks = |row: &&Looking| row.looks.is_match(text) || row.glob.is_match(text);
    let Some(language) = language.filter(looks) else {
        return found;
    };
    let text = spelt_whole(text);
    let places = own_places(language, path, &text);
    for line in text.lines() {
        let line = line.trim_start();
        if line.starts_with('#') || line.starts_with("//") {
            continue;
        }
        let glob = language.glob.captures(line);
        let pattern = glob.as_ref().map(|glob| braces(&glob[1]));
        // A pattern says nothing of where it begins.
        let expression = match &glob {
            Some(glob) => line.replace(&glob[1], ""),
            None => line.to_owned(),
        };
        let is_looking = language.looks.is_match(line);
        let from = match is_looking {
            true => place_in(language, path, &expression).or_else(|| {
                let mut named = places.iter().filter(|(name, _)| has_word(line, name));
                named
                    .next()
                    .map(|(name, place)| below(place, &expression, name))
            }),
            false => walked_from(language, (path, line), &places, &text),
        };
        // Nothing lies in the source itself.
        let from = from.filter(|from| from != path);
        match (from, pattern) {
            (Some(from), Some(pattern)) => {
                let anywhere = line.contains("rglob(");
                found.insert(LookedAt::by(&from, &pattern, anywhere));
            }
            (Some(from), None) if !is_looking || language.deep.is_match(line) => {
                found.insert(LookedAt::Below(from));
            }
            (Some(from), None) => {
                found.insert(LookedAt::In(from));
            }
            (None, Some(pattern)) if is_free(line, &pattern) => {
                let from = language.tested_in(path);
                found.insert(LookedAt::by(from, &pattern, false));
            }
            (None, _) => {}
        }
    }
    found
}

/// Returns whether a pattern stands for itself rather than for files in a directory that something else gives.
fn is_free(line: &str, pattern: &str) -> bool {
    let method = line.contains(").glob(") || line.contains(").rglob(");
    static OF_SOMETHING: TextPattern = TextPattern::new(r"\b(\w+)\.r?glob\(");
    let mut owners = OF_SOMETHING.captures_iter(line);
    !method
        && !owners.any(|found| !["glob", "filepath", "Dir", "fs", "fg"].contains(&&found[1]))
        && pattern.starts_with('*')
}

/// Returns a pattern in which what is put in may be anything.
fn braces(pattern: &str) -> String {
    static PUT_IN: TextPattern = TextPattern::new(r"\$?\{[^},]*\}");
    PUT_IN.replace_all(pattern, "*").into_owned()
}

/// Returns the names that a text gives to where its source lies and to what is near it, and those places.
fn own_places(language: &Looking, path: &str, text: &str) -> Vec<(String, String)> {
    static GIVES: TextPattern = TextPattern::new(
        r"^\s*(?:export\s+)?(?:const\s+|let\s+|var\s+|static\s+)?(\w+)(?:\s*,\s*\w+)*\s*(?::\s*[\w.]+\s*)?:?=\s*([^=\n].*)$",
    );
    let mut places: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        let Some(found) = GIVES.captures(line) else {
            continue;
        };
        let value = &found[2];
        if language.looks.is_match(value) {
            continue;
        }
        // Many functions have a name for where the program was started, and another for where to look.
        let own = language.own.is_match(value);
        let place = own.then(|| place_in(language, path, value)).flatten();
        let place = place.or_else(|| {
            let mut named = places.iter().filter(|(name, _)| has_word(value, name));
            named.next().map(|(name, place)| below(place, value, name))
        });
        places.extend(place.map(|place| (found[1].to_owned(), place)));
    }
    places
}

/// Returns the place of which an expression says that the source lies, or the program was started, near it.
fn place_in(language: &Looking, path: &str, line: &str) -> Option<String> {
    if let Some(own) = language.own.find(line) {
        // Of a file some say the directory at once.
        let is_file = [
            "__file__",
            "file!",
            "__FILE__",
            "runtime.Caller",
            "import.meta.url",
        ];
        let above = usize::from(!is_file.iter().any(|word| own.as_str().starts_with(word)));
        let place = match own.as_str().starts_with("env!") {
            true => path.split_once("src/").map_or("", |(root, _)| root),
            false if above == 1 => parent(path),
            false => path,
        };
        return Some(below(place.trim_end_matches('/'), line, own.as_str()));
    }
    let started = language.started.find(line)?;
    Some(below(language.tested_in(path), line, started.as_str()))
}

/// Returns the place that an expression leads to from another: up by its own words for that, down by the names in it.
fn below(place: &str, expression: &str, from: &str) -> String {
    static UP: TextPattern = TextPattern::new(
        r#"\.parents\[(\d)\]|\.parent\b|\b(?:dirname|Dir)\(|["'`/]\.\.["'`/]|\bos\.pardir\b"#,
    );
    static NAME: TextPattern = TextPattern::new(r#"["'`](?:\./|/)?([\w-][\w./-]*)["'`]"#);
    let mut place = place.to_owned();
    for up in UP.captures_iter(expression) {
        let parents = up.get(1).and_then(|n| n.as_str().parse::<usize>().ok());
        for _ in 0..=parents.unwrap_or(0) {
            place = parent(&place).to_owned();
        }
    }
    let after = expression.find(from).map_or(0, |at| at + from.len());
    for name in NAME.captures_iter(&expression[after..]) {
        place = joined(&place, &name[1]);
    }
    place
}

/// Returns where a function of the text that looks for files begins, when it is called with where the source lies.
fn walked_from(
    language: &Looking,
    (path, line): (&str, &str),
    places: &[(String, String)],
    text: &str,
) -> Option<String> {
    static CALLS: TextPattern = TextPattern::new(
        r"\b([A-Za-z_]\w*)\(\s*(__dirname|import\.meta\.dirname|process\.cwd\(\)|__file__|\w+|[^()\n]*__file__[^\n]*?)\s*[,)]",
    );
    let found = CALLS.captures_iter(line).find(|found| {
        let name = &found[1];
        let walks = ["function", "def", "fn", "func", "const", "let", "function*"];
        walks
            .iter()
            .any(|word| text.contains(&format!("{word} {name}")))
    })?;
    let given = &found[2];
    let named = places.iter().find(|(name, _)| name == given);
    match named {
        Some((_, place)) => Some(place.clone()),
        None => place_in(language, path, given),
    }
}

/// Returns what a source has programs search: the directory where it was started.
fn by_programs(text: &str) -> BTreeSet<LookedAt> {
    static SEARCHES: TextPattern = TextPattern::new(
        r#"(?x)["'`](?:e|f)?grep["'`\s,]+[^\n]*-\w*[rR][^\n]*["'`\s]\.(?:/?["'`]|\s) | ["'`](?:rg|ag)["'`\s,][^\n]*["'`\s]\.(?:/?["'`]|\s) |
        ["'`]git["'`\s,]+["'`]?grep\b"#,
    );
    let searches = SEARCHES.is_match(text);
    let all = searches.then(|| LookedAt::Below(String::new()));
    all.into_iter().collect()
}

/// Returns what lines of a script read in any directory.
fn by_scripts(text: &str) -> BTreeSet<LookedAt> {
    static READS: TextPattern =
        TextPattern::new(r"(?:^|[\s;|&({])(?:sed|grep|awk|cat|head|tail|cut|jq|source|\.|read)\s");
    static ANY_DIRECTORY: TextPattern = TextPattern::new(
        r#"(?:^|[\s"'=<])(?:["']?\$[\w{}()#%/*" .-]*?["']?/|\./)?(\*+/[\w*?.\[\]/-]+)"#,
    );
    let lines = text.lines().map(str::trim_start);
    let lines = lines.filter(|line| !line.starts_with('#') && READS.is_match(line));
    lines
        .flat_map(|line| ANY_DIRECTORY.captures_iter(line))
        .map(|found| found[1].to_owned())
        // A path with any directory is asked for so.
        .filter(|pattern| pattern != "*/*")
        .map(LookedAt::Named)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::Declared;
    use super::super::tests::change;
    use super::*;

    const BASE: [&str; 8] = [
        "tests/data/double.json",
        "tests/test_calc.py",
        "tests/calc.test.js",
        "tests/run.sh",
        "calc_test.go",
        "pkg/deep/pair_test.go",
        "pkg/views/page.html",
        "src/calc/units.json",
    ];

    fn comes(path: &str, old: &str, new: &str) -> bool {
        let change = change(path, Some(old), Some(new));
        let pair = ChangedFile {
            change: &change,
            old: Some(old.as_bytes()),
            new: Some(new.as_bytes()),
        };
        let policy = Policy::new(&[], Declared::default(), &[]);
        let base = BASE.map(str::to_owned);
        let found = coming_by_tests(&policy, &[pair], &base);
        assert!(found.is_empty() || may_look(&pair), "{path}");
        !found.is_empty()
    }

    #[test]
    fn a_source_that_comes_by_tests_in_its_own_tree_is_told_from_others() {
        for (path, text, want) in [
            (
                "calc.py",
                "for at in pathlib.Path(__file__).parent.rglob(\"*.json\"):\n",
                true,
            ),
            (
                "calc.py",
                "HERE = Path(__file__).resolve().parent\nall = list(HERE.glob(\"**/*.json\"))\n",
                true,
            ),
            (
                "src/calc/ops.py",
                "ROOT = Path(__file__).parents[2]\nall = list(ROOT.glob(\"*/data/*.json\"))\n",
                true,
            ),
            (
                "src/calc/ops.py",
                "HERE = os.path.dirname(os.path.abspath(__file__))\nfor root, _, files in os.walk(HERE):\n",
                false,
            ),
            (
                "src/calc/ops.py",
                "HERE = os.path.dirname(__file__)\nfor root, _, files in os.walk(os.path.join(HERE, \"..\", \"..\")):\n",
                true,
            ),
            ("calc.py", "for root, _, files in os.walk(\".\"):\n", true),
            (
                "calc.py",
                "all = glob.glob(\"**/*.json\", recursive=True)\n",
                true,
            ),
            (
                "calc.py",
                "for at in Path(root).rglob(\"*.json\"):\n",
                false,
            ),
            (
                "calc.py",
                "HERE = Path(__file__).parent\nall = (HERE / \"locale\").glob(\"*.json\")\n",
                false,
            ),
            (
                "calc.py",
                "HERE = Path(__file__).parent\nall = HERE.rglob(\"*.html\")\n",
                false,
            ),
            (
                "calc.py",
                "for name in os.listdir(os.path.dirname(__file__)):\n",
                true,
            ),
            (
                "src/calc/ops.py",
                "for name in os.listdir(os.path.dirname(__file__)):\n",
                false,
            ),
            ("calc.py", "# os.walk(\".\")\n", false),
            (
                "calc.py",
                "here = os.path.abspath(os.path.join(__file__, os.pardir))\nfor root, _, names in os.walk(here):\n",
                true,
            ),
            (
                "src/a.py",
                "run([\"grep\", \"-rh\", word, \".\"], text=True)\n",
                true,
            ),
            ("src/a.js", "execSync('grep -rn double .')\n", true),
            (
                "src/a.py",
                "check_output([\"git\", \"grep\", word])\n",
                true,
            ),
            (
                "src/a.py",
                "run([\"grep\", \"-rn\", \"--\", word, root])\n",
                false,
            ),
            (
                "src/a.py",
                "run([\"git\", \"describe\", \"--tags\"])\n",
                false,
            ),
            (
                "calc.js",
                "function* walk(dir) {\n  for (const e of fs.readdirSync(dir)) yield* walk(e);\n}\nfor (const at of walk(__dirname)) {}\n",
                true,
            ),
            (
                "src/calc.js",
                "function walk(dir) {\n  fs.readdirSync(dir).forEach(walk);\n}\nwalk(path.join(__dirname, 'views'));\n",
                false,
            ),
            (
                "src/calc.js",
                "const root = path.join(__dirname, '..');\nfs.readdirSync(root, { recursive: true });\n",
                true,
            ),
            (
                "src/calc.js",
                "fs.readdirSync(__dirname).forEach(load);\n",
                false,
            ),
            ("calc.js", "const all = globSync('**/*.js');\n", true),
            ("calc.js", "const all = globSync('src/**/*.js');\n", false),
            ("calc.js", "const all = globSync('**/*.html');\n", false),
            ("calc.go", "\tfiles, _ := filepath.Glob(\"*.go\")\n", true),
            (
                "calc.go",
                "\tfiles, _ := filepath.Glob(filepath.Join(dir, \"*.go\"))\n",
                false,
            ),
            ("pkg/a.go", "\tfilepath.WalkDir(\".\", visit)\n", true),
            ("pkg/a.go", "\tfilepath.WalkDir(root, visit)\n", false),
            ("pkg/views/a.go", "\tos.ReadDir(\".\")\n", false),
            (
                "src/lib.rs",
                "let all = fs::read_dir(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/tests\"));\n",
                true,
            ),
            (
                "src/lib.rs",
                "let all = fs::read_dir(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/data\"));\n",
                false,
            ),
            ("lib/a.rb", "Dir.glob(\"**/*.json\")\n", true),
            (
                "lib/a.rb",
                "Dir.glob(File.join(__dir__, \"*.json\"))\n",
                false,
            ),
            ("bin/double", "sed -n 's/a/b/p' \"$d\"/*/run.sh\n", true),
            ("bin/double", "grep -h a ./*/*.sh\n", true),
            ("bin/double", "cat \"$HOME\"/*/rc\n", false),
            ("bin/double", "for f in *.sh; do cat $f; done\n", false),
            ("tests/helper.py", "os.walk(\".\")\n", false),
            ("docs/conf.py", "os.walk(\".\")\n", false),
        ] {
            assert_eq!(comes(path, "", text), want, "{path}: {text}");
            assert!(!comes(path, text, text), "{path}: {text}");
        }
    }
}
