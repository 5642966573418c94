//! Asks every row about a repository, about its directories where the top level has no tests, and joins the answers.

use super::super::slug;
use super::unread_manifests::{self, NOT_THE_PROJECT};
use super::{DetectedStack, ROWS, RepositoryFiles, Stack, StackStanding, Top, quoted};
use std::collections::BTreeSet;

/// How many directories are looked into.
const MAX_DIRECTORIES: usize = 8;

/// What one row found, and what its commands are called behind where several did.
struct Answer {
    kind: &'static str,
    prefix: String,
    row: DetectedStack,
}

impl Answer {
    fn is_tested(&self) -> bool {
        self.row.code.iter().any(|command| command.tests)
    }
}

/// Returns what a repository is built with.
pub fn detect(files: &RepositoryFiles<'_>) -> Stack {
    let top = Top(*files);
    let mut found = answers(&top, |standing| standing != StackStanding::LastResort);
    if !found.iter().any(Answer::is_tested) {
        found.extend(in_directories(files));
    }
    if !found.iter().any(Answer::is_tested) {
        let last = answers(&top, |standing| standing == StackStanding::LastResort);
        found.extend(last);
    }
    let several = found.len() > 1;
    let mut stack = Stack::default();
    let mut setup = Vec::new();
    for Answer {
        kind,
        prefix,
        mut row,
        ..
    } in found
    {
        if several {
            name_behind(&mut row, &prefix);
        }
        if !stack.kinds.contains(&kind) {
            stack.kinds.push(kind);
        }
        setup.extend(row.setup);
        stack.link.extend(row.link);
        // What is not ignored is part of the work and never kept.
        let cache = row.cache.into_iter().filter(|name| top.ignores(name));
        stack.cache.extend(cache);
        for name in row.made {
            if !top.ignores(name) && !stack.made.contains(&name) {
                stack.made.push(name);
            }
        }
        stack.code.extend(row.code);
        stack.suggested.extend(row.suggested);
        stack.notes.extend(row.notes);
    }
    let kept = |name: &&str| top.has(name) && top.ignores(name);
    let kept = [".env.local", ".env"].into_iter().filter(kept);
    stack.link.splice(0..0, kept.map(str::to_owned));
    stack.cache.dedup();
    stack.notes.dedup();
    stack.unread = unread_manifests::notes(files);
    stack.setup = (!setup.is_empty()).then(|| setup.join(" && "));
    stack
}

/// Asks the rows of some standings about one top level; of last resorts the first that answers.
fn answers(top: &Top<'_>, asked: impl Fn(StackStanding) -> bool) -> Vec<Answer> {
    let mut found: Vec<Answer> = Vec::new();
    for detector in ROWS.iter().filter(|row| asked(row.standing)) {
        let tested = found.iter().any(Answer::is_tested);
        if detector.standing == StackStanding::LastResort && tested {
            break;
        }
        let Some(mut row) = (detector.detect)(top) else {
            continue;
        };
        // Running both would do the same work twice.
        if detector.standing == StackStanding::Wrapper && tested {
            row.suggested.append(&mut row.code);
        }
        found.push(Answer {
            kind: detector.name,
            prefix: detector.name.replace(' ', "-"),
            row,
        });
    }
    found
}

/// Returns what tests in the directories of the top level, or in those below one in which nothing does; each command is run
/// where it belongs.
fn in_directories(files: &RepositoryFiles<'_>) -> Vec<Answer> {
    let tested = |directory: &str| {
        let found = in_directory(files, directory);
        (!found.is_empty()).then_some(found)
    };
    let tested = directories_in(files, "").into_iter().flat_map(|directory| {
        let below = || directories_in(files, &format!("{directory}/"));
        match tested(&directory) {
            Some(found) => vec![found],
            None => below().iter().filter_map(|name| tested(name)).collect(),
        }
    });
    let mut found: Vec<Answer> = tested.take(MAX_DIRECTORIES).flatten().collect();
    number_equal_names(&mut found);
    found
}

/// Numbers answers of one name: what is left of `a b` and `a/b`, or of two names in letters that are no ASCII, may be the same.
fn number_equal_names(found: &mut [Answer]) {
    let mut taken = BTreeSet::new();
    for answer in found {
        let name = answer.prefix.clone();
        let mut number = 1;
        while !taken.insert(answer.prefix.clone()) {
            number += 1;
            answer.prefix = format!("{name}-{number}");
        }
    }
}

/// Returns the directories directly below a prefix that may hold projects of the repository's own, in order.
fn directories_in(files: &RepositoryFiles<'_>, prefix: &str) -> BTreeSet<String> {
    let below = files
        .paths
        .iter()
        .filter_map(|path| path.strip_prefix(prefix));
    let names = below.filter_map(|path| Some(path.split_once('/')?.0));
    let own = names.filter(|name| !name.starts_with('.') && !NOT_THE_PROJECT.contains(name));
    own.map(|name| format!("{prefix}{name}")).collect()
}

fn in_directory(files: &RepositoryFiles<'_>, directory: &str) -> Vec<Answer> {
    let below = format!("{directory}/");
    let paths: Vec<String> = files
        .paths
        .iter()
        .filter_map(|path| path.strip_prefix(&below).map(str::to_owned))
        .collect();
    let mut listing: Vec<String> = paths
        .iter()
        .filter_map(|path| path.split('/').next().map(str::to_owned))
        .collect();
    listing.sort();
    listing.dedup();
    let top = Top(RepositoryFiles {
        read: &|name| (files.read)(&format!("{below}{name}")),
        listing: &listing,
        paths: &paths,
        is_ignored: &|name| (files.is_ignored)(&format!("{below}{name}")),
        installs: files.installs,
    });
    let found = answers(&top, |standing| standing == StackStanding::Main).into_iter();
    let found = found.filter(Answer::is_tested);
    found.map(|answer| moved_into(answer, directory)).collect()
}

/// Returns an answer whose commands run in a directory; build output there is not kept.
fn moved_into(mut answer: Answer, directory: &str) -> Answer {
    let place = quoted(directory);
    let row = &mut answer.row;
    for command in row.code.iter_mut().chain(&mut row.suggested) {
        command.run = format!("cd {place} && {}", command.run);
        let form = command.by_cases.take();
        command.by_cases = form.map(|form| form.moved_into(directory, &place));
    }
    row.setup = row.setup.take().map(|run| format!("(cd {place} && {run})"));
    row.cache.clear();
    let word = slug::word_of_path(directory).unwrap_or_else(|| "directory".to_owned());
    answer.prefix = format!("{word}-{}", answer.prefix);
    answer
}

/// Names must be unique in a set, so several stacks at once each carry theirs.
fn name_behind(row: &mut DetectedStack, prefix: &str) {
    for command in row.code.iter_mut().chain(row.suggested.iter_mut()) {
        command.name = format!("{prefix}-{}", command.name);
        for need in &mut command.needs {
            *need = format!("{prefix}-{need}");
        }
    }
}
