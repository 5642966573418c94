//! Files of the base that may judge although no name says so: data that no source of the product names, however tests come
//! by it, scripts that decide and that only a chain of others leads to, helpers that compare. What changes of them lands, and
//! vouches for nobody: what was green must be so with the base's.

use super::code_paths::{OF_PRODUCT, SETTINGS, is_code};
use super::judge_references;
use super::judging_chain::stem;
use super::name_pattern::NamePattern;
use super::product_reads::{
    self, ProductReads, ProductText, imported_names, place_and_kind, whole_name,
};
use super::sought_files::SoughtFiles;
use super::{Policy, build_files, judging_content, manifests};
use crate::engine::changed_file::ChangedFile;
use crate::engine::changed_file::ChangedPathKind;
use crate::path_names::{extension, file_name};
use crate::pattern::TextPattern;
use std::collections::{BTreeSet, HashSet};

/// Why a file may judge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DoubtKind {
    /// Data in a directory of its own: tests may walk there, or put its name together.
    PlacedData,
    /// Data beside everything else: it judges where it lists what does.
    RootData,
    /// Data where the product's is: it judges where tests say its whole name, and nothing else does.
    ProductData,
    /// Source code that decides by how it ends, and maybe compares for others.
    Script,
    /// Source code that compares for others, or that holds nothing but values.
    Helper,
}

/// Directories whose data frameworks and tools find without a word in the product.
const BY_CONVENTION: [&str; 21] = [
    "_data",
    "charts",
    "debian",
    "deploy",
    "fonts",
    "helm",
    "i18n",
    "icons",
    "images",
    "img",
    "infra",
    "k8s",
    "kubernetes",
    "l10n",
    "locale",
    "media",
    "migrations",
    "packaging",
    "translations",
    "vendor",
    "views",
];

/// Endings of data that holds values, beside those of settings.
const TABLES: [&str; 5] = ["csv", "tsv", "txt", "jsonl", "ndjson"];

/// A changed file that may judge.
#[derive(Debug)]
pub(crate) struct DoubtedFile {
    pub(crate) path: String,
    pub(crate) kind: DoubtKind,
    /// Whether it was not there on the base.
    joined: bool,
    text: String,
    named: NamePattern,
    reads: ProductReads,
    run_beside: Option<NamePattern>,
}

impl DoubtedFile {
    /// Returns what there is to ask of a change; nothing where nothing is.
    pub(crate) fn of(policy: &Policy, pair: &ChangedFile<'_>) -> Option<DoubtedFile> {
        let path = pair.change.path.as_str();
        if policy.covers(path) {
            return None;
        }
        let joined = pair.change.kind == ChangedPathKind::Added;
        let known = if joined { pair.new? } else { pair.old? };
        let text = String::from_utf8_lossy(known).into_owned();
        let kind = kind_of(path, &text)?;
        // What else joins is asked about as what it is: a test, or what steers one.
        if joined && kind != DoubtKind::PlacedData {
            return None;
        }
        // A package of Go is one: what a file holds goes by the names in it.
        let (named, reads) = match extension(path) {
            "go" => {
                let own = names_in(&text);
                (own.clone(), ProductReads::by(path, own))
            }
            _ if kind == DoubtKind::ProductData => {
                let whole = NamePattern::new(whole_name(path), [file_name(path)]);
                (whole, ProductReads::of(path))
            }
            _ => (named(path), ProductReads::of(path)),
        };
        let above = path.rsplit_once('/').map(|(above, _)| file_name(above));
        Some(DoubtedFile {
            path: path.to_owned(),
            kind,
            joined,
            text,
            named,
            reads,
            run_beside: above.map(run_beside),
        })
    }

    /// Returns whether it is no source code: what loads it may be a tool of tests.
    pub(crate) fn is_data(&self) -> bool {
        use DoubtKind::{PlacedData, ProductData, RootData};
        matches!(self.kind, PlacedData | ProductData | RootData)
    }

    /// Returns by what a source of the product may come by it.
    pub(crate) fn reads(&self) -> &ProductReads {
        &self.reads
    }

    /// Returns whether a judge names it.
    pub(crate) fn is_named_in(&self, judge: &str) -> bool {
        self.named.is_match(judge)
    }

    /// Returns whether what judges runs all that is where it is.
    pub(crate) fn is_run_beside(&self, chain: &str) -> bool {
        let beside = self.run_beside.as_ref();
        beside.is_some_and(|beside| beside.is_match(chain))
    }

    /// Returns whether it is data, compares for others, or holds values for them: tests may be those.
    pub(crate) fn may_be_named(&self) -> bool {
        matches!(self.kind, DoubtKind::RootData | DoubtKind::ProductData)
            || judging_content::compares_in(&self.path, &self.text)
            || holds_values(&self.path, &self.text)
    }

    /// Returns whether it names a source of the product, other than itself.
    pub(crate) fn names_other(&self, sources: &BTreeSet<&str>) -> bool {
        let mut others = sources.clone();
        others.remove(stem(&self.path));
        let lines = self.text.lines();
        let lines: Vec<&str> = lines.filter(|l| !l.starts_with("package ")).collect();
        judge_references::names_one(&lines.join("\n"), &others)
    }
}

/// Leaves the files that may judge in a tree of these paths: what joined does where data of its kind was before, for tests
/// read all of it, unless a source that changed with it reads it.
pub(crate) fn keep_those_of_old_kinds(
    asked: &mut Vec<DoubtedFile>,
    paths: &[String],
    (policy, changed): (&Policy, &[ChangedFile<'_>]),
) {
    let kinds: HashSet<_> = paths.iter().map(|path| place_and_kind(path)).collect();
    asked.retain(|file| !file.joined || kinds.contains(&place_and_kind(&file.path)));
    let joined = asked.iter().filter(|file| file.joined);
    let joined: Vec<&ProductReads> = joined.map(DoubtedFile::reads).collect();
    if joined.is_empty() {
        return;
    }
    let mut sought = SoughtFiles::of(joined.iter().copied());
    for (number, pair) in changed.iter().enumerate() {
        let path = pair.change.path.as_str();
        if is_code(path) && !policy.covers(path) {
            let text = String::from_utf8_lossy(pair.new.unwrap_or_default());
            sought.look_in(&ProductText::new(path, &text), number);
        }
    }
    let read = (0..joined.len()).map(|at| sought.readers(at).next().is_some());
    let mut read = read.collect::<Vec<bool>>().into_iter();
    asked.retain(|file| !file.joined || !read.next().unwrap_or_default());
}

/// Returns what names a file, or imports it.
fn named(path: &str) -> NamePattern {
    let source = format!("(?m){}|{}", product_reads::imports(path), whole_name(path));
    let [whole, first] = imported_names(path);
    NamePattern::new(source, [whole, first, file_name(path)])
}

/// Returns what runs all that is in a directory of this name.
fn run_beside(directory: &str) -> NamePattern {
    let last = regex::escape(directory);
    let source = format!(r#"(?:^|[^\w.-]){last}(?:/[*$]|["'`\s]|$)"#);
    NamePattern::new(source, [directory])
}

/// Endings of sources that an import of JavaScript may find by a name without one.
const IMPORTED: [&str; 8] = ["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx"];

/// Returns the new sources that an import without an ending may find, and that nobody vouches for.
pub(crate) fn may_stand_in<'p>(
    policy: &Policy,
    pairs: &[ChangedFile<'p>],
    touches: &[&str],
) -> Vec<&'p str> {
    let new = pairs
        .iter()
        .filter(|pair| pair.change.kind == ChangedPathKind::Added);
    let paths = new.map(|pair| pair.change.path.as_str());
    let is_found = |path: &&str| {
        IMPORTED.contains(&extension(path)) && !path.ends_with(".d.ts")
            || extension(path).is_empty()
            || goes_before(path).is_some()
    };
    let found = paths.filter(is_found);
    let found = found.filter(|path| !policy.covers(path) && !policy.vouches(path, touches));
    found.collect()
}

/// Returns the module of Python that is passed over where a file of this path is there: a package or an extension of its name
/// goes before it.
fn goes_before(path: &str) -> Option<String> {
    if let Some(package) = path.strip_suffix("/__init__.py") {
        return Some(format!("{package}.py"));
    }
    if !matches!(extension(path), "so" | "pyd") {
        return None;
    }
    let name = file_name(path);
    let stem = name.split('.').next()?;
    Some(format!("{}{stem}.py", &path[..path.len() - name.len()]))
}

/// Returns those of them beside a source of the base that is still there and has the same name but for its ending, or that is
/// a directory of that name: what imported it may now find the new one.
pub(crate) fn standing_in(
    new: Vec<&str>,
    pairs: &[ChangedFile<'_>],
    paths: &[String],
) -> Vec<String> {
    fn module(path: &str) -> &str {
        // A name without an ending is tried as it is before any ending is.
        let module = match extension(path) {
            "" => path,
            end => &path[..path.len() - end.len() - 1],
        };
        module.strip_suffix("/index").unwrap_or(module)
    }
    if new.is_empty() {
        return vec![];
    }
    let changes = pairs.iter().map(|pair| pair.change);
    let gone = changes.filter(|change| change.kind == ChangedPathKind::Deleted);
    let gone: HashSet<&str> = gone.map(|change| change.path.as_str()).collect();
    let there = paths.iter().map(String::as_str);
    let there: HashSet<&str> = there.filter(|old| !gone.contains(old)).collect();
    let others = there
        .iter()
        .filter(|old| IMPORTED.contains(&extension(old)) && !old.ends_with(".d.ts"));
    let others: HashSet<&str> = others.map(|old| module(old)).collect();
    let found = new.into_iter().filter(|path| match goes_before(path) {
        Some(old) => there.contains(old.as_str()),
        None => others.contains(module(path)),
    });
    found.map(str::to_owned).collect()
}

fn kind_of(path: &str, text: &str) -> Option<DoubtKind> {
    let mut directories: Vec<&str> = path.split('/').collect();
    let name = directories.pop().unwrap_or_default();
    let of_product = directories
        .iter()
        .any(|part| OF_PRODUCT.contains(part) || *part == "bin");
    let by_convention = directories.iter().any(|part| BY_CONVENTION.contains(part));
    if is_code(path) {
        let decides = judging_content::decides(text) && !directories.is_empty() && !of_product;
        let helps = judging_content::compares_in(path, text) || holds_values(path, text);
        return match (decides, helps) {
            _ if is_said_elsewhere(name) => None,
            (true, _) => Some(DoubtKind::Script),
            (false, true) => Some(DoubtKind::Helper),
            (false, false) => None,
        };
    }
    if by_convention || is_shown(name) || is_said_elsewhere(name) {
        return None;
    }
    if manifests::is_manifest(path) || build_files::is_lock_file(path) || name.starts_with('.') {
        return None;
    }
    if of_product {
        // Anything else there may be a source in a language that is not known.
        // Frameworks find these by their names.
        if name.starts_with("appsettings") || name.starts_with("application") {
            return None;
        }
        let values = SETTINGS.contains(&extension(name)) || TABLES.contains(&extension(name));
        return values.then_some(DoubtKind::ProductData);
    }
    Some(match directories.is_empty() {
        true => DoubtKind::RootData,
        false => DoubtKind::PlacedData,
    })
}

/// Returns whether a file of this name says what stands elsewhere, too: a version, a licence, settings of tools.
fn is_said_elsewhere(name: &str) -> bool {
    static SAID: TextPattern = TextPattern::new(
        r"(?i)version|changelog|licen[cs]e|notice|authors|readme|release|^requirements|tsconfig|config\.|rc\.json$|dockerfile|compose\.ya?ml$",
    );
    SAID.is_match(name)
}

/// Returns whether a file of this name is prose, a picture, or written in a language that tools turn into the product.
fn is_shown(name: &str) -> bool {
    const ENDINGS: &[&str] = &[
        "md", "rst", "adoc", "proto", "graphql", "gql", "sql", "thrift", "fbs", "css", "scss",
        "sass", "less", "html", "htm", "hbs", "ejs", "j2", "jinja", "jinja2", "tmpl", "tpl",
        "mustache", "erb", "haml", "svg", "png", "jpg", "jpeg", "gif", "ico", "webp", "woff",
        "woff2", "ttf", "pdf", "tf", "nix", "ipynb", "po", "pot", "strings", "xib", "plist",
        "tfvars", "avsc", "wsdl", "capnp", "prisma", "g4", "y", "l", "lark", "peg", "pest", "glsl",
        "wgsl", "mo",
    ];
    let end = extension(name);
    ENDINGS.contains(&end.to_ascii_lowercase().as_str())
}

/// Returns what stands for one of the names that a source of Go gives to values or functions.
fn names_in(text: &str) -> NamePattern {
    static NAME: TextPattern = TextPattern::new(
        r"(?m)^(?:var|const|func)\s+(?:\([^)\n]*\)\s*)?(\w+)|^[ \t]+(\w+)(?:[ \t]+[\w\[\].*]+)?[ \t]*=",
    );
    let names = NAME.captures_iter(text);
    let names = names.filter_map(|found| found.get(1).or(found.get(2)));
    let names: Vec<&str> = names.map(|name| name.as_str()).collect();
    NamePattern::new(format!(r"\b(?:{})\b", names.join("|")), names)
}

/// Returns whether source code is nothing but values by names.
fn holds_values(path: &str, text: &str) -> bool {
    static ACTIVE: TextPattern = TextPattern::new(
        r"(?m)\b(?:def|class|lambda|import|from|require|function|export\s+\*|fn|func|return|if|sub)\b|=>|\b[a-z_]\w*\(",
    );
    static VALUES: TextPattern =
        TextPattern::new(r"(?m)=\s*(?:[\[{(]|r?[\x22']|[0-9]|new\b|[A-Z]\w*\()");
    static GIVING: TextPattern = TextPattern::new(
        r"(?m)^\s*def\s+(\w+)\(\)[^:\n]*:\s*\n\s+return\b|\bfunction\s+(\w+)\(\)\s*\{\s*return\b|=\s*\(\)\s*=>",
    );
    let end = extension(path);
    let text = &GIVING.replace_all(text, "$1$2 =");
    ["py", "js", "mjs", "cjs", "ts", "rb", "go", "h", "hpp"].contains(&end)
        && VALUES.is_match(text)
        && !ACTIVE.is_match(text)
}

#[cfg(test)]
mod tests;
