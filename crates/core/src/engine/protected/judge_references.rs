//! Who refers to a file: what only judges name judges, whatever it is called and wherever it stands. Data of the product is
//! named by the product, too.

use super::code_paths::{OF_PRODUCT, SETTINGS, is_code};
use super::module_imports::{import_by_stem, import_of, module_file, module_place};
use super::name_pattern::NamePattern;
use super::product_reads::{self, ProductReads, ProductText, whole_name};
use super::text_words::hyphenated;
use super::{Policy, build_files, judge_paths, judging_content, manifests};
use crate::engine::changed_file::ChangedFile;
use crate::engine::changed_file::ChangedPathKind;
use crate::path_names::{extension, file_name};
use std::collections::BTreeSet;

/// Why it matters who refers to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ReferredKind {
    /// Data of the base: tests may compare with it.
    Data,
    /// A module of the base that compares: it may be a helper of tests.
    Helper,
    /// Something new by which a script that judges may go.
    Settings,
    /// A new module: tests may have found another of its name until now.
    Shadow,
    /// Likewise, in a directory that tests themselves say they import from.
    PlacedShadow,
}

/// A changed file of which it matters who refers to it.
#[derive(Debug)]
pub(crate) struct ReferredFile {
    pub(crate) path: String,
    kind: ReferredKind,
    named: Vec<NamePattern>,
    /// What names the directory of a module.
    place: Option<NamePattern>,
    reads: ProductReads,
    /// Whether it decides by how it ends, without an ending that says so.
    decides: bool,
}

/// What one judge says.
#[derive(Debug, Clone, Copy)]
pub(crate) struct JudgeText<'a> {
    pub(crate) text: &'a str,
    /// Whether it is run for how it ends; the others are tests.
    pub(crate) script: bool,
    /// Whether it names a source of the product: what it names beside is then what it compares with.
    pub(crate) names_product: bool,
}

impl ReferredFile {
    /// Returns what a change asks; nothing where it does not matter who refers to it. `added` says whether new files are
    /// asked about: what a red command waits for is new.
    pub(crate) fn of(policy: &Policy, pair: &ChangedFile<'_>, added: bool) -> Option<ReferredFile> {
        let path = pair.change.path.as_str();
        if policy.covers(path) || policy.declares(path) {
            return None;
        }
        Self::of_kind(pair, kind_of(pair, added)?)
    }

    /// Returns what a new module asks that is in a directory, which tests may have among those they import from.
    pub(crate) fn placed(
        policy: &Policy,
        pair: &ChangedFile<'_>,
        added: bool,
    ) -> Option<ReferredFile> {
        let path = pair.change.path.as_str();
        let shadow = kind_of(pair, added)? == ReferredKind::Shadow;
        let asked = shadow && !policy.covers(path) && !policy.declares(path);
        let file = asked.then(|| Self::of_kind(pair, ReferredKind::PlacedShadow))?;
        file.filter(|file| file.place.is_some())
    }

    fn of_kind(pair: &ChangedFile<'_>, kind: ReferredKind) -> Option<ReferredFile> {
        let path = pair.change.path.as_str();
        let named = match kind {
            ReferredKind::Shadow => vec![import_of(path)?],
            ReferredKind::PlacedShadow => vec![import_by_stem(path)?],
            ReferredKind::Helper => vec![word(stem(path))],
            ReferredKind::Settings => vec![word(file_name(path))],
            ReferredKind::Data => [Some(word(file_name(path))), directory_word(path)]
                .into_iter()
                .flatten()
                .collect(),
        };
        Some(ReferredFile {
            path: path.to_owned(),
            kind,
            named,
            place: match kind {
                ReferredKind::PlacedShadow => directory_word(&module_file(path)),
                _ => None,
            },
            reads: ProductReads::of(path),
            decides: judging_content::decides(&String::from_utf8_lossy(
                pair.old.unwrap_or_default(),
            )),
        })
    }

    /// Returns whether a judge names it, so that only the product's sources may speak for it. Where nothing else is named it
    /// may well be the product itself.
    pub(crate) fn is_judged_by(&self, judge: JudgeText<'_>) -> bool {
        let by_this = match self.kind {
            ReferredKind::Data => self.path.contains('/') && (judge.names_product || self.decides),
            ReferredKind::Helper | ReferredKind::Shadow | ReferredKind::PlacedShadow => true,
            ReferredKind::Settings => judge.script,
        };
        by_this && self.is_named_in(judge.text)
    }

    /// Returns whether a text puts its directory among those that modules are imported from.
    pub(crate) fn is_placed_in(&self, text: &str) -> bool {
        const PUTS: [&str; 5] = ["sys.path", "addsitedir", "$LOAD_PATH", "$:", "use lib"];
        let named = self
            .place
            .as_ref()
            .is_some_and(|place| place.is_match(text));
        named && PUTS.iter().any(|puts| text.contains(puts))
    }

    /// Returns whether it judges nothing unless its directory is placed so.
    pub(crate) fn needs_place(&self) -> bool {
        self.kind == ReferredKind::PlacedShadow
    }

    /// Returns whether a command compares with it.
    pub(crate) fn is_compared_in(&self, comparisons: &str) -> bool {
        self.kind == ReferredKind::Data && self.is_named_in(comparisons)
    }

    /// Returns whether a text names it.
    pub(crate) fn is_named_in(&self, text: &str) -> bool {
        self.named.iter().any(|named| named.is_match(text))
    }

    /// Returns whether a source of the product speaks for it.
    pub(crate) fn is_read_in(&self, source: &ProductText<'_>) -> bool {
        match self.kind {
            ReferredKind::Data => self.reads.is_named_in(source),
            _ => self.named.iter().any(|named| source.says(named)),
        }
    }

    /// Returns whether it is the product's when a source of the product names it.
    pub(crate) fn may_be_product(&self) -> bool {
        !matches!(self.kind, ReferredKind::Shadow | ReferredKind::PlacedShadow)
    }

    /// Returns whether the unit's scope names its place, and it is data.
    pub(crate) fn is_in_scope(&self, policy: &Policy, touches: &[&str]) -> bool {
        self.kind == ReferredKind::Data && policy.vouches(&self.path, touches)
    }

    /// Returns whether a base with these paths leaves it open whom the name leads to.
    pub(crate) fn is_open_in(&self, paths: &[String]) -> bool {
        self.may_be_product() || {
            let file = module_file(&self.path);
            let (directory, module) = match self.kind {
                ReferredKind::PlacedShadow => file.rsplit_once('/').unwrap_or(("", &file)),
                _ => module_place(&self.path),
            };
            let module = module.split('.').next().unwrap_or(module);
            let place = match directory {
                "" => module.to_owned(),
                directory => format!("{directory}/{module}"),
            };
            let (file, below) = (format!("{place}."), format!("{place}/"));
            // Modules of a package are imported by its name.
            let package = self
                .needs_place()
                .then(|| format!("{directory}/__init__.py"));
            let mut paths = paths.iter();
            !paths.any(|path| {
                path.starts_with(&file)
                    || path.starts_with(&below)
                    || Some(path) == package.as_ref()
            })
        }
    }

    /// Writes into a policy that it judges.
    pub(crate) fn judges_in(&self, policy: &mut Policy) {
        match self.kind {
            ReferredKind::Data | ReferredKind::Helper => policy.protects(&self.path),
            ReferredKind::Settings | ReferredKind::Shadow | ReferredKind::PlacedShadow => {
                policy.keeps_out(&self.path);
            }
        }
    }
}

fn kind_of(pair: &ChangedFile<'_>, added: bool) -> Option<ReferredKind> {
    let path = pair.change.path.as_str();
    let name = file_name(path);
    let end = extension(path);
    let prose = ["md", "rst", "adoc"].contains(&end);
    let known = prose || manifests::is_manifest(path) || build_files::is_lock_file(path);
    if pair.change.kind != ChangedPathKind::Added {
        let old = String::from_utf8_lossy(pair.old.unwrap_or_default());
        return match is_code(path) {
            true => judging_content::compares(path, &old).then_some(ReferredKind::Helper),
            false => {
                let lists = build_files::is_manifest(path) && !["txt", "in"].contains(&end);
                let required = name.starts_with("requirements");
                let first = path.split('/').next().filter(|first| *first != path);
                let placed = first.is_some_and(|first| OF_PRODUCT.contains(&first));
                (!known && !lists && !required && !placed).then_some(ReferredKind::Data)
            }
        };
    }
    if !added {
        return None;
    }
    if ["py", "pm", "rb"].contains(&end) {
        return Some(ReferredKind::Shadow);
    }
    may_be_settings(pair).then_some(ReferredKind::Settings)
}

/// Returns whether a new file may be settings that a tool looks for by their name.
pub(super) fn may_be_settings(pair: &ChangedFile<'_>) -> bool {
    let path = pair.change.path.as_str();
    let name = file_name(path);
    let end = extension(path);
    let odd = name.starts_with('.') || SETTINGS.contains(&end) || name.ends_with("ignore");
    let known = manifests::is_manifest(path) || build_files::is_lock_file(path);
    pair.change.kind == ChangedPathKind::Added && odd && !known
}

fn stem(path: &str) -> &str {
    let name = file_name(path);
    name.split('.')
        .next()
        .filter(|stem| !stem.is_empty())
        .unwrap_or(name)
}

fn word(name: &str) -> NamePattern {
    NamePattern::new(whole_name(name), [name])
}

/// Returns what names the directory of a file: in quotes, or with a slash behind it.
fn directory_word(path: &str) -> Option<NamePattern> {
    let (directory, _) = path.rsplit_once('/')?;
    let last = file_name(directory);
    let name = regex::escape(last);
    let pattern = format!(r#"(?:^|[^\w.-]){name}(?:/|["'`])"#);
    Some(NamePattern::new(pattern, [last]))
}

/// Returns whether a text names one of some sources, by its name without an ending.
pub(crate) fn names_one(text: &str, sources: &BTreeSet<&str>) -> bool {
    hyphenated(text).any(|word| sources.contains(word))
}

/// Returns the names of sources, without their endings, by which a text may name them.
pub(crate) fn names_of(sources: &[String]) -> BTreeSet<&str> {
    const COMMON: [&str; 6] = ["__init__", "index", "main", "mod", "setup", "test"];
    let names = sources.iter().map(|path| stem(path));
    names.filter(|name| !COMMON.contains(name)).collect()
}

/// Returns what commands hold something printed, or sums, against: the parts of them that run a program for that.
pub(crate) fn comparisons(shells: &str) -> String {
    const PROGRAMS: [&str; 8] = [
        "cmp",
        "comm",
        "diff",
        "md5sum",
        "sha1sum",
        "sha256sum",
        "sha512sum",
        "b2sum",
    ];
    let parts = shells.split([';', '&', '|', '\n']);
    let compares = |part: &&str| {
        let mut words = part.split_whitespace().skip_while(|word| *word == "!");
        let known = words.next().is_some_and(|word| PROGRAMS.contains(&word));
        known && words.any(|word| matches!(word, "-" | "-c" | "--check") || word.starts_with("<("))
    };
    parts.filter(compares).collect::<Vec<_>>().join("\n")
}

/// Who may refer to a file.
#[derive(Debug, Default)]
pub(crate) struct Referrers {
    pub(crate) judges: Vec<String>,
    /// Sources of the product.
    pub(crate) product: Vec<String>,
    /// What is no source and may speak for the product all the same.
    pub(crate) speakers: Vec<String>,
}

/// Returns which of some paths may refer to others.
pub(crate) fn referrers(policy: &Policy, paths: &[String], state: &str) -> Referrers {
    let mut read = BTreeSet::new();
    let mut found = Referrers::default();
    for path in paths.iter().filter(|path| !path.starts_with(state)) {
        if !read.insert(path) {
            continue;
        }
        let judging = policy.covers(path) || policy.is_run_for_its_end(path);
        if judging && (is_code(path) || !file_name(path).contains('.'))
            || judge_paths::is_steering(path)
        {
            found.judges.push(path.clone());
        } else if is_code(path) {
            found.product.push(path.clone());
        } else if !judging && product_reads::may_speak(path) {
            found.speakers.push(path.clone());
        }
    }
    found
}

#[cfg(test)]
mod tests;
