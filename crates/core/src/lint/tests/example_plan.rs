//! Reads the examples of a page and lays each over a small clean state directory.
//!
//! A fence says what its lines replace: `yaml bad unit` the keys of the first unit's frontmatter,
//! `md bad unit` its sections, `graph`, `plan`, `gate`, `verification`, `config` and `roadmap`
//! likewise; `path=` gives a whole file. A block with `and` belongs to the one before it.

use crate::model::layout::Layout;
use crate::model::workspace::{FileSet, Workspace};
use std::sync::Arc;

const DIRECTORY: &str = ".gatewalk/features/FEAT-2026-0001-export";
const UNIT: &str = "WU-01-export.md";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Bad,
    Good,
}

pub(super) struct Case {
    pub(super) verdict: Verdict,
    pub(super) text: String,
    pub(super) files: FileSet,
}

struct Block {
    words: Vec<String>,
    text: String,
}

impl Block {
    fn has(&self, word: &str) -> bool {
        self.words.iter().any(|w| w == word)
    }

    fn value(&self, key: &str) -> Option<&str> {
        self.words
            .iter()
            .find_map(|w| w.strip_prefix(key)?.strip_prefix('='))
    }

    fn verdict(&self) -> Option<Verdict> {
        match (self.has("bad"), self.has("good")) {
            (true, _) => Some(Verdict::Bad),
            (_, true) => Some(Verdict::Good),
            _ => None,
        }
    }
}

pub(super) fn cases(page: &str) -> Vec<Case> {
    let mut groups: Vec<Vec<Block>> = Vec::new();
    for block in blocks(page).into_iter().filter(|b| b.verdict().is_some()) {
        match groups.last_mut() {
            Some(group) if block.has("and") => group.push(block),
            _ => groups.push(vec![block]),
        }
    }
    groups.iter().map(|group| case(group)).collect()
}

fn blocks(page: &str) -> Vec<Block> {
    let mut found = Vec::new();
    let mut open: Option<(usize, Block)> = None;
    for line in page.lines() {
        let ticks = line.bytes().take_while(|b| *b == b'`').count();
        match &mut open {
            None if ticks >= 3 => {
                let words = line[ticks..]
                    .split_whitespace()
                    .map(str::to_owned)
                    .collect();
                open = Some((
                    ticks,
                    Block {
                        words,
                        text: String::new(),
                    },
                ));
            }
            Some((opened, _)) if ticks >= *opened && line.len() == ticks => {
                found.extend(open.take().map(|(_, block)| block));
            }
            Some((_, block)) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            None => {}
        }
    }
    found
}

pub(super) fn base() -> FileSet {
    case(&[]).files
}

fn case(group: &[Block]) -> Case {
    let mut files = FileSet::new();
    let mut put = |path: String, text: &str| {
        files.insert(path, Arc::from(text.as_bytes()));
    };
    let find = |word: &str| {
        group
            .iter()
            .find(|b| b.has(word) && b.value("path").is_none())
    };
    let verification = find("verification").map_or(VERIFICATION, |b| &b.text);
    if !find("verification").is_some_and(|b| b.has("absent")) {
        put(".gatewalk/verification.yml".into(), verification);
    }
    for (word, name) in [("config", "config.yml"), ("roadmap", "roadmap.md")] {
        if let Some(block) = find(word) {
            put(format!(".gatewalk/{name}"), &block.text);
        }
    }
    let graph = find("graph").map_or(GRAPH, |b| &b.text);
    let front = merge_keys(
        PLAN_KEYS,
        group.iter().filter(|b| b.has("plan") && b.has("yaml")),
    );
    let body = merge_sections(
        "# Export\n\nOrders can be taken out.\n",
        group.iter().filter(|b| b.has("plan") && b.has("md")),
    );
    put(
        format!("{DIRECTORY}/PLAN.md"),
        &format!("---\n{front}---\n\n{body}\n```yaml\n{graph}```\n"),
    );
    let parsed = Workspace::parse(Layout::Gatewalk, &files);
    let bare = find("graph").is_some_and(|b| b.has("bare"));
    let feature = &parsed.features[0];
    let mut gates: Vec<(String, u32)> = vec![("GATE-01.md".into(), 1)];
    let mut units: Vec<(String, String)> = vec![(UNIT.into(), "FEAT-2026-0001/T01".into())];
    if !bare && !feature.plan.gates.is_empty() {
        gates.clear();
        units.clear();
        for (index, gate) in feature.plan.gates.iter().enumerate() {
            gates.extend(
                gate.file
                    .as_ref()
                    .map(|f| (f.value.clone(), feature.gate_number(index))),
            );
            units.extend(
                gate.units
                    .iter()
                    .map(|u| (u.file.value.clone(), u.id.value.clone())),
            );
        }
    }
    for (index, (file, number)) in gates.iter().enumerate() {
        let mine = |b: &&Block| {
            b.value("gate")
                .map_or(b.has("gate") && index == 0, |f| f == file)
        };
        let front = merge_keys(
            &format!("gate: {number}\nstatus: open\n"),
            group.iter().filter(mine),
        );
        put_once(
            &mut files,
            file,
            &format!("---\n{front}---\n\n# Gate {number}\n"),
        );
    }
    for (index, (file, id)) in units.iter().enumerate() {
        let mine = |b: &&Block| {
            b.value("unit")
                .map_or(b.has("unit") && index == 0, |f| f == file || f == "all")
        };
        let yaml = group.iter().filter(|b| b.has("yaml")).filter(mine);
        let sections = group.iter().filter(|b| b.has("md")).filter(mine);
        let front = merge_keys(&unit_keys(id), yaml);
        let body = merge_sections(&body_of(id), sections);
        put_once(&mut files, file, &format!("---\n{front}---\n\n{body}"));
    }
    for block in group.iter().filter(|b| b.value("path").is_some()) {
        put_raw(&mut files, block);
    }
    let text = group
        .iter()
        .map(|b| b.text.chars().take(600).collect::<String>())
        .collect::<Vec<_>>()
        .join("…\n");
    let verdict = group
        .first()
        .and_then(Block::verdict)
        .unwrap_or(Verdict::Good);
    Case {
        verdict,
        text,
        files,
    }
}

fn put_once(files: &mut FileSet, name: &str, text: &str) {
    if !name.contains('/') {
        files
            .entry(format!("{DIRECTORY}/{name}"))
            .or_insert_with(|| Arc::from(text.as_bytes()));
    }
}

fn put_raw(files: &mut FileSet, block: &Block) {
    let name = block.value("path").unwrap_or_default();
    let path = match (name.strip_prefix("../"), name.strip_prefix('/')) {
        (Some(other), _) => format!(".gatewalk/features/{other}"),
        (_, Some(state)) => format!(".gatewalk/{state}"),
        _ => format!("{DIRECTORY}/{name}"),
    };
    let text = block.text.repeat(
        block
            .value("repeat")
            .map_or(1, |n| n.parse().expect("a number")),
    );
    let bytes: Vec<u8> = if block.has("latin1") {
        text.chars()
            .map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?'))
            .collect()
    } else {
        text.replace("\\u202e", "\u{202e}").into_bytes()
    };
    files.insert(path, Arc::from(bytes));
}

fn unit_keys(id: &str) -> String {
    let word = match id.rsplit('-').next().unwrap_or_default() {
        _ if id.ends_with("CLOSE-INTERMEDIATE") => "close-intermediate",
        "CLOSE" => "close",
        "PLAN" => "plan-next",
        "RETRO" => "retrospective",
        "LESSONS" => "lessons",
        "DOCS" => "docs",
        _ => "implementation",
    };
    format!("id: {id}\ntype: {word}\nstatus: pending\nplanned_cost_usd: 2.00\n")
}

/// Top-level keys of the blocks go in the place of the same keys, or behind the last one.
fn merge_keys<'b>(base: &str, blocks: impl Iterator<Item = &'b Block>) -> String {
    let mut entries = entries(base);
    for (key, lines) in blocks.flat_map(|b| entries_of(&b.text)) {
        match entries.iter_mut().find(|(k, _)| *k == key) {
            Some(entry) => entry.1 = lines,
            None => entries.push((key, lines)),
        }
    }
    entries.into_iter().map(|(_, lines)| lines).collect()
}

fn entries(text: &str) -> Vec<(String, String)> {
    entries_of(text)
}

fn entries_of(text: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        let starts = line.starts_with(|c: char| !c.is_whitespace() && c != '#' && c != '-');
        match found.last_mut() {
            Some(entry) if !starts => entry.1 += &format!("{line}\n"),
            _ => found.push((
                line.split(':').next().unwrap_or_default().to_owned(),
                format!("{line}\n"),
            )),
        }
    }
    found
}

/// Sections of the blocks go in the place of those of the same name, or to the end.
fn merge_sections<'b>(base: &str, blocks: impl Iterator<Item = &'b Block>) -> String {
    let mut sections = sections(base);
    for (name, lines) in blocks.flat_map(|b| sections_of(&repeated(b))) {
        match sections.iter_mut().find(|(n, _)| *n == name) {
            Some(section) => section.1 = lines,
            None => sections.push((name, lines)),
        }
    }
    sections
        .into_iter()
        .map(|(_, lines)| lines + "\n")
        .collect()
}

fn sections(text: &str) -> Vec<(String, String)> {
    sections_of(text)
}

fn repeated(block: &Block) -> String {
    let count = block
        .value("repeat")
        .map_or(1, |n| n.parse().expect("a number"));
    block.text.trim_end().repeat(count) + "\n"
}

fn sections_of(text: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = vec![(String::new(), String::new())];
    for line in text.lines() {
        if line.starts_with("## ") {
            found.push((line.to_owned(), String::new()));
        }
        found.last_mut().expect("not empty").1 += &format!("{line}\n");
    }
    found.retain(|(_, lines)| !lines.trim().is_empty());
    found
}

fn body_of(id: &str) -> String {
    let guard = match id.rsplit_once('-').map(|(_, what)| what) {
        Some("CLOSE") => {
            "1. `RETROSPECTIVE.md` has a section for the gate, and this file has `verdict: met` or `verdict: not_met`."
        }
        Some("INTERMEDIATE") => "1. `RETROSPECTIVE.md` has a section for the gate.",
        Some("PLAN") => {
            "1. `GATE-02-REVIEW.md` says what a reviewer should doubt; `PLAN.md` lists the drafted units."
        }
        _ => "1. `cargo test export` passes.",
    };
    format!(
        "# Export the orders\n\n## Objective\n\nOrders can be taken out.\n\n## Context\n\nOrders are in `src/orders.rs`.\n\n\
         ## Acceptance criteria\n\n{guard}\n\n## Do not touch\n\n- `src/billing.rs`.\n\n\
         ## Verification\n\n- `cargo test`\n\n## Escalation triggers\n\n- The table has no orders.\n"
    )
}

const PLAN_KEYS: &str = "feature_id: FEAT-2026-0001\ntitle: Export\nbranch: feat/export\nroadmap_goal: Orders come out.\nstatus: active\n";

const GRAPH: &str = "gates:\n  - gate: 1\n    file: GATE-01.md\n    work_units:\n      - id: FEAT-2026-0001/T01\n        file: WU-01-export.md\n        depends_on: []\n";

const VERIFICATION: &str = "code:\n  - name: tests\n    command: cargo test\ndoc:\n  - name: links\n    command: lychee docs\nplannext:\n  - name: plan\n    command: gatewalk lint\n";
