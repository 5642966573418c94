//! Tests and runner settings an attempt must not weaken.
//!
//! Additions to tests are welcome. Any other change of what judges must be declared by the unit (`touches_tests: true`,
//! or named in `produces` or `touches`); otherwise `look` says how the base's version is kept, and that is what is judged
//! and lands. Where judge and product share a file, the change is refused. Deliberately absent: deciding whether a
//! changed test is better or worse.

use self::process_questions::ProcessQuestions;
use super::evidence::{NAMED, first_named};
use crate::engine::changed_file::{ChangedFile, ChangedPathKind};
use judging_part::JudgingPart;
use refusal::{RefusalCause, RefusedChange};
use std::collections::HashSet;

mod additions;
pub(crate) mod agreeing_code;
pub(crate) mod another_hand;
mod asked_state;
mod build_files;
pub(crate) mod build_scripts;
mod callers_file;
pub(crate) mod code_paths;
mod deciding_filters;
mod doc_examples;
pub(crate) mod doubted_files;
mod expected_answers;
pub(crate) mod failing_test;
pub(crate) mod ignore_files;
mod included_makefiles;
mod judge_paths;
mod judge_policy;
pub(crate) mod judge_references;
mod judging;
pub(crate) mod judging_chain;
mod judging_content;
mod judging_part;
mod linters;
mod makefiles;
mod manifests;
mod module_imports;
mod more_asserted;
mod name_pattern;
pub(crate) mod npm_settings;
mod own_body;
pub(crate) mod own_tree;
mod package_conditions;
mod process_facts;
mod process_questions;
mod product_reach;
pub(crate) mod product_reads;
mod pytest_marks;
mod python_sections;
mod reached_scripts;
pub(crate) mod refusal;
mod refused_member;
pub(crate) mod reworded_test;
mod row_keys;
mod run_targets;
mod rust;
mod rust_examples;
mod search_places;
mod second_answers;
pub(crate) mod self_loaded;
mod settings_targets;
pub(crate) mod sought_files;
mod source_encoding;
pub(crate) mod source_words;
pub(crate) mod speaking_source;
mod spelled_commands;
mod spelt_whole;
pub(crate) mod test_aids;
mod test_markers;
pub(crate) mod test_targets;
mod text_lines;
mod text_words;
mod typescript_settings;
mod widened_types;

pub(crate) use self::additions::adds_apart;
pub(crate) use self::judge_policy::Declared;
pub use self::judge_policy::Policy;
pub(crate) use self::judging_content::decides;
pub(crate) use self::rust::test_ranges as rust_tests;
pub(crate) use reached_scripts::{MANIFESTS, named_paths, runs_tests};
pub(crate) use settings_targets::RUNNER_SETTINGS;

/// Returns whether a path, or a glob, is about tests by the conventions of the stacks.
pub fn is_test(path: &str) -> bool {
    judge_paths::is_test(path)
}

/// Returns whether a test of this path can change the verdict of others.
pub(crate) fn judges_others(path: &str) -> bool {
    is_test(path) && judge_paths::shares_a_process(path)
}

/// Returns whether a file of this path says how tests run.
pub(crate) fn steers(path: &str) -> bool {
    judge_paths::is_steering(path)
}

/// Returns whether an ignored path that a command left in its slot steers the commands after it.
pub fn is_steering_leftover(path: &str) -> bool {
    judge_paths::is_steering_leftover(path)
}

/// How one path is put back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Restoration {
    /// As it is on the base, which may mean that it is not there.
    Base,
    /// With this content: what the attempt left, but with the base's tests in it.
    Text(String),
}

/// What the diff does to what judges.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct JudgeChanges {
    /// Undeclared changes that neither judge nor land, and what is there instead.
    pub(crate) kept: Vec<(String, Restoration)>,
    /// Undeclared additions: they land, and what was green must be so without them too.
    pub(crate) added: Vec<String>,
    /// Undeclared changes of judging parts in files of the product: refused.
    pub(crate) refused: Vec<RefusedChange>,
    /// What is unusual: the user should see it.
    pub(crate) notices: Vec<String>,
    /// What the user may want to see, and what holds nothing.
    pub(crate) shown: Vec<String>,
    /// Changes that the unit declares.
    pub(crate) declared: Vec<String>,
    /// Additions that the unit declares.
    pub(crate) vouched: Vec<String>,
    /// Whether a change of the product may say how a run of tests ends.
    pub(crate) may_end_runs: bool,
}

/// What one changed file is to the judging.
#[derive(PartialEq, Eq)]
enum Role {
    /// Nothing in it judges.
    Product,
    /// A declared change of a judge.
    Declared,
    /// Something new, which the unit declares.
    Vouched,
    /// The base's version is kept.
    Kept(Restoration),
    /// Something new, which it does not declare.
    Added,
    /// It is a file of the product that may not change so.
    Refused(RefusalCause),
}

/// Returns whether a diff may hold what has to be looked at beside unchanged files.
pub(crate) fn may_load(pairs: &[ChangedFile<'_>]) -> bool {
    let mut paths = pairs.iter().map(|pair| &pair.change.path);
    paths.any(|path| process_questions::is_asked(path) && !is_test(path))
}

/// Returns the unchanged files, of these paths, that have to be read beside a diff.
pub(crate) fn read_beside<'t>(pairs: &[ChangedFile<'_>], paths: &'t [String]) -> Vec<&'t str> {
    process_questions::read_beside(pairs, paths)
}

/// Looks at a diff, and at unchanged files that its own load.
pub(crate) fn look(
    policy: &Policy,
    pairs: &[ChangedFile<'_>],
    beside: &[ChangedFile<'_>],
) -> JudgeChanges {
    let mut looked = JudgeChanges::default();
    let questions = ProcessQuestions::of(pairs, beside);
    for (at, pair) in pairs.iter().enumerate() {
        let path = pair.change.path.clone();
        match role(policy, (at, pair), pairs, &questions) {
            Role::Product => {}
            Role::Declared => looked.declared.push(path),
            Role::Vouched => looked.vouched.push(path),
            Role::Kept(back) => looked.kept.push((path, back)),
            Role::Added => looked.added.push(path),
            Role::Refused(cause) => {
                let explains = looked.refused.len() < refusal::TOLD;
                let is_refused = |pair: &ChangedFile<'_>| {
                    let mut pairs = pairs.to_vec();
                    pairs[at] = *pair;
                    role(policy, (at, pair), &pairs, &questions) == Role::Refused(cause)
                };
                let refusal = RefusedChange::of(pair, cause, |pair| explains && is_refused(pair));
                looked.refused.push(refusal);
            }
        }
    }
    moved_tests(pairs, &mut looked);
    let kept = looked.kept.iter().map(|(path, _)| path.as_str());
    let (locks, judges): (Vec<&str>, Vec<&str>) = kept.partition(|p| build_files::is_lock_file(p));
    if !judges.is_empty() {
        looked
            .notices
            .push(format!("{KEPT}: {}", first_named(&judges, NAMED)));
    }
    if !locks.is_empty() {
        let why = "the base's version of these files is kept, for nothing that they pin changed";
        looked
            .shown
            .push(format!("{why}: {}", first_named(&locks, NAMED)));
    }
    let rerouted = manifests::rerouted(pairs);
    if !rerouted.is_empty() {
        looked.notices.push(format!(
            "dependencies now come from a path or an address: {}",
            first_named(&rerouted, NAMED)
        ));
    }
    let kept: HashSet<&String> = looked.kept.iter().map(|(path, _)| path).collect();
    let landing = pairs.iter().filter(|p| !kept.contains(&p.change.path));
    let landing: Vec<ChangedFile<'_>> = landing.copied().collect();
    looked.may_end_runs = !policy.declares_all()
        && landing.iter().any(|pair| {
            failing_test::may_end_runs(pair) || judge_references::may_be_settings(pair)
        });
    looked.notices.extend(test_markers::notices(&landing));
    looked.notices.extend(test_markers::odd_texts(&landing));
    looked
}

/// What is said of files whose base's version is kept.
pub(crate) const KEPT: &str = "the base's version of these files is kept, for they judge and the unit does not declare \
     them (`touches_tests: true`, or their paths in `produces` or `touches`)";

fn role(
    policy: &Policy,
    (at, pair): (usize, &ChangedFile<'_>),
    pairs: &[ChangedFile<'_>],
    questions: &ProcessQuestions<'_>,
) -> Role {
    let path = pair.change.path.as_str();
    let added = pair.change.kind == ChangedPathKind::Added;
    let steers = policy.steers_others(path)
        || policy.steers_linters(path)
        || added && (policy.is_shadow(path) || policy.is_target(path));
    let pins = !added
        && (build_files::is_lock_file(path) || build_files::is_vendored(path))
        && !pairs.iter().any(|p| {
            // What is pinned follows what is asked for.
            build_files::is_manifest(&p.change.path)
        });
    let is_script = policy.is_oracle_script(path)
        && !(policy.is_named_test(path) && judging_content::holds_tests(path, pair.old));
    let role = if pins || steers || is_script && !added {
        Role::Kept(Restoration::Base)
    } else if policy.is_test(path) || judging_content::holds_tests(path, pair.old) {
        of_test(pair)
    } else {
        let cause = match judging::judging_part(path, pair, pairs, policy) {
            _ if policy.declares_part(path) => None,
            _ if policy.runs_rust_examples(path) && rust_examples::are_lost(pair, pairs) => {
                Some(RefusalCause::Examples)
            }
            JudgingPart::Same => cause_in_product(policy, (at, pair), pairs, questions),
            JudgingPart::Changed => Some(RefusalCause::JudgingPart),
            JudgingPart::Back(text) => return Role::Kept(Restoration::Text(text)),
        };
        return cause.map_or(Role::Product, Role::Refused);
    };
    match role {
        Role::Added if policy.declares(path) => Role::Vouched,
        Role::Kept(_) if policy.declares(path) => Role::Declared,
        role => role,
    }
}

/// Returns why a change of the product, whose judging part is as it was, is refused.
fn cause_in_product(
    policy: &Policy,
    (at, pair): (usize, &ChangedFile<'_>),
    pairs: &[ChangedFile<'_>],
    questions: &ProcessQuestions<'_>,
) -> Option<RefusalCause> {
    if policy.steers_make(pair) {
        return Some(RefusalCause::MakeInput);
    }
    let reached = product_reach::reached(pair);
    if reached.is_some() {
        return reached;
    }
    if questions.asks(at, pair) {
        Some(RefusalCause::ProcessQuestion)
    } else if expected_answers::takes(pair, pairs) {
        Some(RefusalCause::ExpectedAnswer)
    } else if doc_examples::lost(pair, policy) {
        Some(RefusalCause::Examples)
    } else if policy.silences(pair, pairs) || policy.goes_on(pair) {
        Some(RefusalCause::Silenced)
    } else {
        None
    }
}

/// Returns whether a file is one of tests by its name, and holds tests that a runner finds in it.
pub(crate) fn is_test_of_runner(path: &str, text: &str) -> bool {
    is_test(path) && judging_content::holds_tests(path, Some(text.as_bytes()))
}

/// A new test joins, unless it reaches into others; a test of the base stays as it is, except for what only joins.
fn of_test(pair: &ChangedFile<'_>) -> Role {
    let joins = if pair.change.kind == ChangedPathKind::Added {
        let text = pair.new.map(String::from_utf8_lossy);
        // What cannot be read is no test that runs beside others: data may be large.
        !test_markers::ends_runs(pair)
            && !text.is_some_and(|text| {
                judge_paths::shares_a_process(&pair.change.path) && additions::patches(&text)
            })
    } else {
        additions::only_adds(pair)
    };
    if joins {
        Role::Added
    } else {
        Role::Kept(Restoration::Base)
    }
}

impl JudgeChanges {
    /// Returns the additions that run in one process with other tests: what was green must be so without them.
    pub(crate) fn separable(&self) -> Vec<String> {
        let shared = |path: &&String| judge_paths::shares_a_process(path);
        self.added.iter().filter(shared).cloned().collect()
    }
}

/// A test that only moved is not in the tree twice when its old place is filled again.
fn moved_tests(pairs: &[ChangedFile<'_>], looked: &mut JudgeChanges) {
    let kept: HashSet<&String> = looked.kept.iter().map(|(path, _)| path).collect();
    let restored: HashSet<&[u8]> = pairs
        .iter()
        .filter(|p| p.change.kind == ChangedPathKind::Deleted && kept.contains(&p.change.path))
        .filter_map(|p| p.old)
        .collect();
    let moved = pairs.iter().filter(|p| {
        let held = |new: &[u8]| !new.is_empty() && restored.contains(new);
        p.change.kind == ChangedPathKind::Added && p.new.is_some_and(held)
    });
    let moved: HashSet<&String> = moved.map(|pair| &pair.change.path).collect();
    let moves = looked.added.extract_if(.., |path| moved.contains(path));
    let back = moves.map(|path| (path, Restoration::Base));
    looked.kept.extend(back);
}

#[cfg(test)]
mod tests;
