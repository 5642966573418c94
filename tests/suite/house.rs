//! The house rules of CONTRIBUTING, held against the tree: sizes, names, and which way the core imports.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;
use std::sync::LazyLock;

const MOST_LINES_OF_A_FILE: usize = 400;
const MOST_LINES_OF_A_FUNCTION: usize = 80;

/// What any module of the core may import.
const BASE: [&str; 8] = [
    "diagnostic",
    "error",
    "exit",
    "object_id",
    "parallel",
    "line_diff",
    "path_names",
    "pattern",
];

/// What each module of the core may import besides: lint reuses what the engine knows of diffs and prompts,
/// and the engine decides by what a session came to.
const IMPORTS: [(&str, &[&str]); 7] = [
    ("model", &[]),
    ("install_origin", &[]),
    ("lint", &["model", "engine", "agents"]),
    ("engine", &["model", "agents"]),
    ("agents", &["model"]),
    ("scaffold", &["model"]),
    ("driver", &["model", "lint", "engine", "agents", "scaffold"]),
];

/// A file of the program, without its tests.
struct SourceFile {
    path: String,
    lines: Vec<String>,
}

impl SourceFile {
    fn stem(&self) -> &str {
        Path::new(&self.path)
            .file_stem()
            .and_then(|s| s.to_str())
            .expect("named in ASCII")
    }

    fn dir(&self) -> String {
        let dir = Path::new(&self.path).parent().expect("in a directory");
        match self.stem() {
            "mod" | "lib" | "main" => dir.display().to_string(),
            stem => dir.join(stem).display().to_string(),
        }
    }

    /// Where each function starts, its name, and its length.
    fn functions(&self) -> Vec<(usize, &str, usize)> {
        let length = |at: usize| {
            let first = &self.lines[at];
            let end = format!("{}}}", &first[..first.len() - first.trim_start().len()]);
            let goes_on = |l: &&String| **l != end && !ends_signature(l, &end);
            match first.ends_with(['}', ';']) {
                true => 1,
                false => 1 + self.lines[at..].iter().take_while(goes_on).count(),
            }
        };
        let named = |(at, line)| Some((at, declared(line, &["fn"])?));
        let named = self
            .lines
            .iter()
            .map(String::as_str)
            .enumerate()
            .filter_map(named);
        named.map(|(at, name)| (at + 1, name, length(at))).collect()
    }
}

/// Whether a line ends a method that has no body.
fn ends_signature(line: &str, end: &str) -> bool {
    let indent = &end[..end.len() - 1];
    let own = line.strip_prefix(indent);
    own.is_some_and(|l| l.starts_with(')') && l.ends_with(';'))
}

/// Returns the words of a declaration behind its visibility and qualifiers.
fn declared<'l>(line: &'l str, kinds: &[&str]) -> Option<&'l str> {
    let mut words = line.split_whitespace().skip_while(|word| {
        word.starts_with("pub") || ["const", "async", "unsafe", "extern"].contains(word)
    });
    kinds.contains(&words.next()?).then_some(())?;
    let name = words.next()?;
    let end = name.find(|c: char| !c.is_alphanumeric() && c != '_');
    Some(&name[..end.unwrap_or(name.len())])
}

/// The source of `src/` and `crates/`: no module that is declared under `#[cfg(test)]`.
static PROGRAM: LazyLock<Vec<SourceFile>> = LazyLock::new(program);

fn program() -> Vec<SourceFile> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    let mut tests = BTreeSet::new();
    for dir in ["src", "crates/core/src", "crates/host/src"] {
        for entry in walkdir::WalkDir::new(root.join(dir)).sort_by_file_name() {
            let entry = entry.expect("readable");
            let path = entry.path().strip_prefix(root).expect("below the root");
            if path.extension().is_none_or(|e| e != "rs") {
                continue;
            }
            let text = std::fs::read_to_string(entry.path()).expect("UTF-8");
            let mut file = SourceFile {
                path: path.display().to_string(),
                lines: text.lines().map(str::to_owned).collect(),
            };
            let under_test = file.lines.windows(2).position(|pair| {
                pair[0] == "#[cfg(test)]" && declared(&pair[1], &["mod"]).is_some()
            });
            if let Some(at) = under_test {
                let name = declared(&file.lines[at + 1], &["mod"]).expect("just found");
                tests.insert(format!("{}/{name}", file.dir()));
                if file.lines[at + 1].ends_with('{') {
                    file.lines.truncate(at);
                }
            }
            files.push(file);
        }
    }
    files.retain(|file| {
        !tests
            .iter()
            .any(|dir| Path::new(&file.dir()).starts_with(dir))
    });
    assert!(files.len() > 300, "only {} files were found", files.len());
    files
}

fn expect_none(broken: &[String], rule: &str) {
    assert!(broken.is_empty(), "{rule}:\n  {}", broken.join("\n  "));
}

#[test]
fn files_and_functions_stay_short() {
    let files = &*PROGRAM;
    let long = |f: &&SourceFile| f.lines.len() > MOST_LINES_OF_A_FILE;
    let long = files.iter().filter(long);
    let long: Vec<_> = long
        .map(|f| format!("{}: {}", f.path, f.lines.len()))
        .collect();
    let functions: Vec<_> = files
        .iter()
        .flat_map(|f| f.functions().into_iter().map(move |found| (f, found)))
        .collect();
    assert!(functions.len() > 2_000, "{} functions", functions.len());
    let over = |most: usize| {
        functions
            .iter()
            .filter(move |(_, (.., lines))| *lines > most)
    };
    let too_long: Vec<_> = over(MOST_LINES_OF_A_FUNCTION)
        .map(|(f, (at, name, lines))| format!("{}:{at}: {name}: {lines}", f.path))
        .collect();
    println!(
        "{} files, {} lines, {} over 300; {} functions, {} over 50",
        files.len(),
        files.iter().map(|f| f.lines.len()).sum::<usize>(),
        files.iter().filter(|f| f.lines.len() > 300).count(),
        functions.len(),
        over(50).count(),
    );
    expect_none(
        &[long, too_long].concat(),
        "files over 400 lines, functions over 80",
    );
}

#[test]
fn a_name_means_one_thing() {
    let files = &*PROGRAM;
    let mut types: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut stems: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for file in files {
        for line in &file.lines {
            let kinds: &[&str] = match line.starts_with(' ') {
                // An indented `type` belongs to a trait.
                true => &["struct", "enum", "trait", "union"],
                false => &["struct", "enum", "trait", "union", "type"],
            };
            // A macro's `struct $name` is no type.
            if let Some(name) = declared(line, kinds).filter(|name| !name.is_empty()) {
                types.entry(name).or_default().push(&file.path);
            }
        }
        stems.entry(file.stem()).or_default().push(&file.path);
    }
    // Every command's arguments are called so, and every crate and directory has its root.
    types.remove("Args").expect("the commands have arguments");
    for root in ["mod", "lib", "main"] {
        stems.remove(root).expect("every crate has a root");
    }
    assert!(types.len() > 400, "only {} types were found", types.len());
    println!("{} types, {} names of files", types.len(), stems.len());
    let shared = |names: BTreeMap<&str, Vec<&str>>| -> Vec<String> {
        let shared = names.into_iter().filter(|(_, places)| places.len() > 1);
        shared
            .map(|(name, places)| format!("{name}: {}", places.join(", ")))
            .collect()
    };
    expect_none(&shared(types), "types that share a name");
    expect_none(&shared(stems), "files that share a name");
}

#[test]
fn the_core_imports_one_way() {
    let mut imports = 0;
    let mut wrong = Vec::new();
    let core = "crates/core/src/";
    let mut seen = BTreeSet::new();
    for file in &*PROGRAM {
        let Some(inner) = file.path.strip_prefix(core) else {
            continue;
        };
        let module = inner.split(['/', '.']).next().unwrap_or_default();
        if module == "lib" {
            continue;
        }
        let row = IMPORTS.iter().find(|(name, _)| *name == module);
        let is_base = BASE.contains(&module);
        assert!(row.is_some() || is_base, "{module} has no row in IMPORTS");
        let allowed = row.map_or(&[][..], |(_, allowed)| allowed);
        seen.insert(module.to_owned());
        for (at, line) in file.lines.iter().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            for rest in code.split("crate::").skip(1) {
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
                let imported = &rest[..end.unwrap_or(rest.len())];
                imports += 1;
                if imported != module && !BASE.contains(&imported) && !allowed.contains(&imported) {
                    wrong.push(format!("{}:{}: {imported}", file.path, at + 1));
                }
            }
        }
    }
    println!("{imports} imports inside the core");
    assert!(imports > 200, "only {imports} imports were found");
    assert_eq!(
        seen.len(),
        BASE.len() + IMPORTS.len(),
        "every row has its module"
    );
    expect_none(&wrong, "imports against the direction of the core");
}

/// The modules at the top of a crate, each with those that it imports.
fn imports_at_the_top(crate_dir: &str) -> BTreeMap<String, BTreeSet<String>> {
    let files = PROGRAM
        .iter()
        .filter_map(|f| Some((f, f.path.strip_prefix(crate_dir)?)));
    let files: Vec<_> = files
        .filter(|(f, inner)| inner.contains('/') || !["lib", "main"].contains(&f.stem()))
        .collect();
    let module = |inner: &str| inner.split(['/', '.']).next().map(str::to_owned);
    let tops: BTreeSet<String> = files.iter().filter_map(|(_, i)| module(i)).collect();
    let mut imports: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (file, inner) in files {
        let depth = inner.split('/').count() - usize::from(file.stem() == "mod");
        let code = file.lines.iter().filter_map(|line| line.split("//").next());
        let code: String = code.collect();
        let own = module(inner).expect("has a name");
        for root in ["crate::".to_owned(), "super::".repeat(depth)] {
            for rest in code.split(&root).skip(1) {
                let named = match rest.strip_prefix('{') {
                    Some(group) => group.split('}').next().unwrap_or_default(),
                    None => rest.split([':', ';', ' ']).next().unwrap_or_default(),
                };
                let named = named.split(',').filter_map(|name| name.split(':').next());
                let named = named.map(|name| name.trim().to_owned());
                let of_own = imports.entry(own.clone()).or_default();
                of_own.extend(named.filter(|name| *name != own && tops.contains(name)));
            }
        }
    }
    imports
}

#[test]
fn modules_import_one_way() {
    for crate_dir in ["crates/core/src/", "crates/host/src/", "src/"] {
        let mut open = imports_at_the_top(crate_dir);
        let count: usize = open.values().map(BTreeSet::len).sum();
        assert!(count > 5, "{crate_dir}: only {count} imports were found");
        println!("{crate_dir}: {} modules, {count} imports", open.len());
        // What imports nothing that is left, or is imported by none of it, is in no circle.
        loop {
            let left: BTreeSet<String> = open.keys().cloned().collect();
            let wanted: BTreeSet<String> = open.values().flatten().cloned().collect();
            open.retain(|name, imported| {
                imported.retain(|other| left.contains(other));
                !imported.is_empty() && wanted.contains(name)
            });
            if open.len() == left.len() {
                break;
            }
        }
        let circle: Vec<String> = open.iter().map(|(m, i)| format!("{m}: {i:?}")).collect();
        expect_none(&circle, "modules of a crate that import each other");
    }
}

/// Types are not asked for: one that only a signature names is held by the compiler.
#[test]
fn what_a_crate_shows_is_used_by_another() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let dirs = [
        "crates/core/tests",
        "crates/host/src",
        "src",
        "tests",
        "benches",
    ];
    let texts = dirs.map(|dir| {
        let files = walkdir::WalkDir::new(root.join(dir)).into_iter();
        let files = files.map(|entry| entry.expect("readable").into_path());
        let files = files.filter(|path| path.extension().is_some_and(|e| e == "rs"));
        let texts = files.map(|path| std::fs::read_to_string(path).expect("UTF-8"));
        texts.collect::<Vec<_>>().join("\n")
    });
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let mut unused = Vec::new();
    for (crate_dir, users) in [("crates/core/", &texts[..]), ("crates/host/", &texts[2..])] {
        let words: HashSet<&[u8]> = users
            .iter()
            .flat_map(|text| text.as_bytes().split(|b| !is_word(*b)))
            .collect();
        let files = PROGRAM.iter().filter(|f| f.path.starts_with(crate_dir));
        let lines = files.flat_map(|f| f.lines.iter().enumerate().map(move |line| (f, line)));
        let shown: Vec<_> = lines
            .filter(|(_, (_, line))| line.trim_start().starts_with("pub "))
            .filter_map(|(f, (at, line))| {
                let kinds = ["fn", "mod", "static"];
                Some((f, at, declared(line, &kinds)?))
            })
            .collect();
        assert!(shown.len() > 100, "{crate_dir}: only {}", shown.len());
        println!("{crate_dir}: {} functions and modules shown", shown.len());
        let unnamed = shown
            .iter()
            .filter(|(.., name)| !words.contains(name.as_bytes()));
        unused.extend(unnamed.map(|(f, at, name)| format!("{}:{}: {name}", f.path, at + 1)));
    }
    expect_none(
        &unused,
        "shown by a crate, named in no other: make it `pub(crate)`",
    );
}
