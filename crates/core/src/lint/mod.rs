//! PURE. The rules a plan must obey, and the engine that asks them.
//!
//! A rule is one file and its page in `rules/` plus one line in the table. Findings are values;
//! `report`(crate::report) turns them into text. What breaks or misleads a run is an error: no
//! setting and no comment makes an error less, because the driver asks the same rules and refuses.
//! Deliberately absent: reading files, running git, and rendering.

mod causes;
/// What rules are asked about.
pub mod context;
/// Findings kept between keystrokes.
pub mod finding_cache;
/// What rules report into.
pub(crate) mod finding_sink;
/// Applying the fixes of findings.
pub mod fix;
/// Recorded attempts of the repository.
pub mod history;
/// What has one meaning, however it was written.
mod one_meaning;
/// Paths and globs of units.
pub mod paths;
/// What a rule is.
pub mod rule;
/// Every rule, one file each.
pub mod rules;
/// Every command of the oracle.
pub(crate) mod shells;
/// Comments that allow a finding.
pub(crate) mod suppress;

pub use crate::model::requirements;

use crate::diagnostic::{Diagnostic, Severity};
use crate::model::feature::Feature;
use crate::model::layout;
use crate::model::workspace::Workspace;
use crate::parallel;
use context::{FeatureCx, FileCx, GateCx, UnitCx, WorkspaceCx};
use finding_cache::FindingCache;
use finding_sink::FindingSink;
use rule::{Rule, RuleCheck};
use std::sync::Arc;

/// What to ask and what to leave out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// Codes, code prefixes or names; empty for all.
    select: Vec<String>,
    /// Codes, code prefixes or names that are left out.
    ignore: Vec<String>,
    /// Whether rules that find no error are left out: most of what they look for is a matter of words.
    errors_only: bool,
}

impl Options {
    /// Returns what asks the rules that are named, or all, but for some.
    pub fn naming(select: Vec<String>, ignore: Vec<String>) -> Options {
        Options {
            select,
            ignore,
            ..Options::default()
        }
    }

    /// Returns what asks no more than is needed for all errors of a workspace.
    fn for_errors(cx: &WorkspaceCx<'_>) -> Options {
        let mut raised = cx.severities.0.values();
        Options {
            errors_only: !raised.any(|word| word.value == "error"),
            ..Options::default()
        }
    }

    /// Returns whether a rule is asked.
    pub(crate) fn asks(&self, rule: &Rule) -> bool {
        let named = |list: &[String]| list.iter().any(|word| rule.is_called(word));
        (!self.errors_only || rule.finds_errors())
            && (self.select.is_empty() || named(&self.select))
            && !named(&self.ignore)
    }

    /// Returns the words that name no rule, each with the nearest one.
    pub fn unknown(&self) -> Vec<(String, Option<String>)> {
        let known = |word: &str| rules::TABLE.iter().any(|rule| rule.is_called(word));
        let words = self.select.iter().chain(&self.ignore);
        words
            .filter(|word| !known(word))
            .map(|word| (word.clone(), rules::nearest(word)))
            .collect()
    }
}

/// Asks every rule about a whole state directory; findings in the order of path and place.
pub fn run(workspace: &Workspace, options: &Options) -> Vec<Diagnostic> {
    let cx = WorkspaceCx::new(workspace);
    let mut found = run_features(&cx, options);
    found.extend(run_rest(&cx, options));
    finish(&mut found);
    found
}

/// Asks what concerns one feature: its directory, the oracle and the settings.
pub fn run_feature(workspace: &Workspace, feature: &Feature) -> Vec<Diagnostic> {
    let cx = WorkspaceCx::new(workspace);
    FeatureLinter::asking(cx, Options::default()).findings(feature)
}

/// Returns the errors that [`run_feature`] finds.
///
/// What the driver asks before it starts: it refuses on any.
pub fn feature_errors(workspace: &Workspace, feature: &Feature) -> Vec<Diagnostic> {
    FeatureLinter::for_errors(workspace).errors(feature)
}

/// Returns the first error of one rule, by its code, that [`feature_errors`] finds.
pub fn feature_error_of(
    workspace: &Workspace,
    feature: &Feature,
    code: &str,
) -> Option<Diagnostic> {
    let options = Options::naming(vec![code.to_owned()], vec![]);
    let linter = FeatureLinter::asking(WorkspaceCx::new(workspace), options);
    linter.errors(feature).into_iter().next()
}

/// Returns what [`feature_errors`] finds and did not find in the feature as it was before.
pub(crate) fn changed_feature_errors(
    workspace: &Workspace,
    before: &Feature,
    feature: &Feature,
) -> Vec<Diagnostic> {
    let linter = FeatureLinter::for_errors(workspace);
    let known = one_feature(&linter.cx, before, &linter.options);
    let is_known = |finding: &Diagnostic| {
        let is_same = |other: &Diagnostic| {
            (other.code, &other.primary.path, &other.message)
                == (finding.code, &finding.primary.path, &finding.message)
        };
        known.iter().any(is_same)
    };
    let mut found = linter.errors(feature);
    found.retain(|finding| !is_known(finding));
    found
}

/// Asks about features of one workspace, one after the other; what is asked about all of them is asked once.
pub struct FeatureLinter<'a> {
    cx: WorkspaceCx<'a>,
    options: Options,
    rest: Vec<Diagnostic>,
}

impl<'a> FeatureLinter<'a> {
    /// Returns the linter of a workspace's features that finds their errors.
    pub fn for_errors(workspace: &'a Workspace) -> FeatureLinter<'a> {
        let cx = WorkspaceCx::new(workspace);
        let options = Options::for_errors(&cx);
        FeatureLinter::asking(cx, options)
    }

    fn asking(cx: WorkspaceCx<'a>, options: Options) -> FeatureLinter<'a> {
        let rest = run_rest(&cx, &options);
        FeatureLinter { cx, options, rest }
    }

    /// Returns what [`feature_errors`] finds.
    pub fn errors(&self, feature: &Feature) -> Vec<Diagnostic> {
        let mut found = self.findings(feature);
        found.retain(|finding| finding.severity == Severity::Error);
        found
    }

    fn findings(&self, feature: &Feature) -> Vec<Diagnostic> {
        let mut found = one_feature(&self.cx, feature, &self.options);
        let prefix = format!("{}/", feature.dir);
        let workspace = self.cx.ws;
        let features = workspace.layout.path(layout::FEATURES);
        let concerns = |d: &&Diagnostic| {
            let path = &*d.primary.path;
            let mut misnamed = workspace.misnamed.iter();
            path.starts_with(&prefix)
                || *path == *workspace.verification.path
                || *path == *workspace.config.path
                || misnamed.any(|file| file.path == path) && !path.starts_with(&features)
        };
        found.extend(self.rest.iter().filter(concerns).cloned());
        finish(&mut found);
        found
    }
}

/// Asks about everything outside the features' directories and about features against each other.
pub fn run_rest(cx: &WorkspaceCx<'_>, options: &Options) -> Vec<Diagnostic> {
    let mut out = FindingSink::asked(options);
    let files = cx.files();
    for rule in rules::TABLE.iter().filter(|rule| options.asks(rule)) {
        rule.speaks(&mut out);
        match rule.check {
            RuleCheck::File(check) => files.iter().for_each(|file| check(file, &mut out)),
            RuleCheck::Workspace(check) => check(cx, &mut out),
            _ => {}
        }
    }
    suppress::apply(out, &files, options, &cx.severities)
}

/// Asks about one feature's directory alone.
pub(crate) fn one_feature(
    cx: &WorkspaceCx<'_>,
    feature: &Feature,
    options: &Options,
) -> Vec<Diagnostic> {
    one_feature_cached(cx, feature, options, None)
}

/// Asks about one feature's directory alone, but not again about files that are as they were.
pub fn one_feature_cached(
    cx: &WorkspaceCx<'_>,
    feature: &Feature,
    options: &Options,
    cache: Option<&mut FindingCache>,
) -> Vec<Diagnostic> {
    let cx = FeatureCx::new(cx, feature);
    let files: Vec<FileCx<'_>> = cx.files();
    let units: Vec<UnitCx<'_>> = cx.units();
    let of_units = || parallel::share(&units, UNITS_A_SHARE, |units| check_units(units, options));
    let of_the_rest = || {
        let mut out = FindingSink::asked(options);
        finding_cache::check_files(&files, options, cache, &mut out);
        check_whole(&cx, options, &mut out);
        out
    };
    let (shares, mut out) = match units.len() > UNITS_A_SHARE {
        true => parallel::beside(of_units, of_the_rest),
        false => (of_units(), of_the_rest()),
    };
    for share in shares {
        out.absorb(share);
    }
    suppress::apply(out, &files, options, &cx.ws.severities)
}

/// How many units are asked about on one core before another is worth starting.
const UNITS_A_SHARE: usize = 400;

/// Asks every rule about a feature's gates, and about the feature as a whole.
fn check_whole(cx: &FeatureCx<'_>, options: &Options, out: &mut FindingSink) {
    let gates: Vec<GateCx<'_>> = cx.gates();
    for rule in rules::TABLE.iter().filter(|rule| options.asks(rule)) {
        rule.speaks(out);
        match rule.check {
            RuleCheck::Gate(check) => gates.iter().for_each(|gate| check(gate, out)),
            RuleCheck::Feature(check) => check(cx, out),
            RuleCheck::Unit(_)
            | RuleCheck::File(_)
            | RuleCheck::Workspace(_)
            | RuleCheck::Engine => {}
        }
    }
}

/// Asks every rule about each of some units.
fn check_units(units: &[UnitCx<'_>], options: &Options) -> FindingSink {
    let mut out = FindingSink::asked(options);
    for rule in rules::TABLE.iter().filter(|rule| options.asks(rule)) {
        if let RuleCheck::Unit(check) = rule.check {
            rule.speaks(&mut out);
            units.iter().for_each(|unit| check(unit, &mut out));
        }
    }
    out
}

/// Features do not know each other, so they are asked on as many threads as there are cores.
fn run_features(cx: &WorkspaceCx<'_>, options: &Options) -> Vec<Diagnostic> {
    let features = &cx.ws.features;
    let threads = std::thread::available_parallelism()
        .map_or(1, usize::from)
        .min(8);
    if threads == 1 || features.len() < 2 {
        return features
            .iter()
            .flat_map(|f| one_feature(cx, f, options))
            .collect();
    }
    let features: Vec<&Arc<Feature>> = features.iter().collect();
    let next = std::sync::atomic::AtomicUsize::new(0);
    let work = || {
        let mut found = Vec::new();
        while let Some(feature) =
            features.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
        {
            found.extend(one_feature(cx, feature, options));
        }
        found
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads)
            .filter_map(|_| std::thread::Builder::new().spawn_scoped(scope, work).ok())
            .collect();
        let mut found = work();
        for other in others {
            match other.join() {
                Ok(more) => found.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        found
    })
}

/// Sorts by path, place and code, and drops what is said twice and what follows from something else.
pub(crate) fn finish(found: &mut Vec<Diagnostic>) {
    causes::drop_consequences(found);
    let order = |a: &Diagnostic, b: &Diagnostic| {
        let place = a.primary.path.cmp(&b.primary.path);
        place
            .then(a.primary.span.start.cmp(&b.primary.span.start))
            .then(a.code.cmp(b.code))
            .then_with(|| a.message.cmp(&b.message))
    };
    found.sort_by(order);
    found.dedup_by(|a, b| order(a, b).is_eq());
}

/// Returns the gravest severity among findings.
pub fn worst(found: &[Diagnostic]) -> Option<Severity> {
    found.iter().map(|d| d.severity).max()
}

/// The texts findings point into.
pub type Sources = std::collections::BTreeMap<Arc<str>, Arc<str>>;

/// Returns every text a finding of this workspace may point into.
pub fn sources(workspace: &Workspace) -> Sources {
    let cx = WorkspaceCx::new(workspace);
    let mut sources = Sources::new();
    for file in cx.files() {
        sources.insert(file.path.clone(), file.text.into());
    }
    for feature in workspace.features.iter() {
        sources.insert(feature.plan.doc.path.clone(), feature.plan.doc.text.clone());
        if let Some(log) = feature.others.get(layout::EVENTS) {
            let path = format!("{}/{}", feature.dir, layout::EVENTS);
            sources.insert(path.into(), String::from_utf8_lossy(log).into());
        }
        let gates = feature.gates.values().map(|g| &g.doc);
        for doc in gates.chain(feature.units.values().map(|u| &u.doc)) {
            sources.insert(doc.path.clone(), doc.text.clone());
        }
    }
    sources
}

#[cfg(test)]
mod tests;
