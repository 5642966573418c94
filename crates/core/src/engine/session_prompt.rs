//! What a session is given: one contract page, the rules, the unit, its neighbours, and on a retry
//! the evidence. Sections are kept apart so that their size can be shown.

mod contract_page;

use self::contract_page::contract;
use crate::model::edit::{self, KeyEdit};
use crate::model::feature::Feature;
use crate::model::frontmatter::Owner;
use crate::model::unit::{Unit, UnitFront};
use crate::model::workspace::Workspace;

use super::attempt_record::{AttemptRecord, Judgement};
use super::oracle::OracleCommand;
use super::repository_map::Scope;
use super::{closing, collision, handover, lessons, prompt_neighbours, review_comments};

/// Bytes a token stands for in an estimate; code and English run between 3 and 4.
pub const BYTES_PER_TOKEN: usize = 4;

/// One part of a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptSection {
    /// What it is, for the table of sizes.
    pub name: &'static str,
    /// The text, with its heading.
    pub text: String,
}

/// A prompt in its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    /// In the order the session reads them.
    pub sections: Vec<PromptSection>,
}

impl Prompt {
    /// Returns the whole text.
    pub fn text(&self) -> String {
        self.sections
            .iter()
            .map(|s| s.text.trim_end())
            .collect::<Vec<_>>()
            .join("\n\n")
            + "\n"
    }

    /// Returns the estimated tokens.
    pub fn tokens(&self) -> usize {
        self.text().len().div_ceil(BYTES_PER_TOKEN)
    }
}

/// What a prompt is made from.
#[derive(Debug, Clone, Copy)]
pub struct PromptInput<'a> {
    /// The state directory at the base.
    pub workspace: &'a Workspace,
    /// The unit's feature, at the base.
    pub feature: &'a Feature,
    /// Index of the unit's gate.
    pub gate: usize,
    /// The unit whose session this is.
    pub unit: &'a Unit,
    /// The commands that will judge it.
    pub oracle: &'a [OracleCommand],
    /// Earlier attempts since it was armed, all failed.
    pub failed: &'a [&'a AttemptRecord],
    /// Work set aside since the last of them, for it did not fit what landed.
    pub set_aside: Option<&'a AttemptRecord>,
    /// Whether the tree of the last failed attempt was kept.
    pub tree_kept: bool,
    /// The map of the repository around the unit; empty for none.
    pub map: &'a str,
    /// How the requirements' checks ended; empty for none.
    pub requirements: &'a str,
}

/// Builds the prompt of one session.
pub fn build(brief: &PromptInput<'_>) -> Prompt {
    let section = |name, text| PromptSection { name, text };
    let mut sections = vec![
        section("contract", contract(brief)),
        section("rules", rules(brief.workspace)),
        section("unit", unit(brief)),
        section(
            "neighbours",
            prompt_neighbours::list(brief.feature, brief.gate, brief.unit),
        ),
        section("map", brief.map.to_owned()),
        section(
            "handover",
            handover::section(brief.feature, brief.gate, brief.unit),
        ),
        section("lessons", lessons(brief)),
        section("oracle", oracle(brief.oracle)),
        section("requirements", brief.requirements.to_owned()),
        section("closing", must_leave(brief)),
    ];
    sections.extend(word_of_the_user(brief).map(|word| section("user", word)));
    let comments = review_comments::prompt_section(&brief.unit.doc.text);
    sections.push(section("comments", comments));
    sections.extend(evidence(brief).map(|evidence| section("evidence", evidence)));
    let collision = brief.set_aside.and_then(collision::prompt_section);
    sections.extend(collision.map(|text| section("collision", text)));
    sections.retain(|s| !s.text.trim().is_empty());
    Prompt { sections }
}

fn rules(workspace: &Workspace) -> String {
    let mut text = String::new();
    for (path, bytes) in &workspace.rules {
        let name = path
            .rsplit('/')
            .next()
            .unwrap_or(path)
            .trim_end_matches(".md");
        if name.eq_ignore_ascii_case("readme") {
            continue;
        }
        text.push_str(&format!(
            "# Rule: {name}\n\n{}\n\n",
            String::from_utf8_lossy(bytes).trim()
        ));
    }
    text
}

/// The unit's file as it stands: its frontmatter states what the work must produce and stay out of.
fn unit(brief: &PromptInput<'_>) -> String {
    let goal = brief
        .feature
        .plan
        .front
        .roadmap_goal
        .as_ref()
        .map_or("", |g| g.value.trim());
    let root = brief.unit.root().map(|root| {
        format!(
            "The work lies in `{root}`: the diff may touch only what is below it, and what `produces` names.\n"
        )
    });
    format!(
        "# The unit\n\nFeature: {} ({goal})\nFile: `{}`\n{}\n{}",
        brief.feature.name(),
        brief.unit.path(),
        root.unwrap_or_default(),
        review_comments::without(&authored(brief.unit))
            .trim_start_matches('\u{feff}')
            .trim(),
    )
}

/// Returns a unit's file without the keys that the driver keeps in it: figures are nothing to work by.
fn authored(unit: &Unit) -> String {
    let text = unit.doc.text.to_string();
    let entries = unit.doc.front.iter().flat_map(|f| f.root.entries());
    let kept_by_the_driver = |name: &str| {
        let key = UnitFront::KEYS.iter().find(|k| k.name == name);
        key.is_some_and(|k| k.owner == Owner::Driver)
    };
    let removals: Vec<(&str, KeyEdit<'_>)> = entries
        .filter(|e| kept_by_the_driver(&e.key))
        .map(|e| (e.key.as_str(), KeyEdit::Remove))
        .collect();
    // A frontmatter that cannot be edited is shown as it is.
    edit::edits(&text, &removals).unwrap_or(text)
}

/// What was learned before about the paths this unit works on.
fn lessons(brief: &PromptInput<'_>) -> String {
    let Some(bytes) = &brief.workspace.learnings else {
        return String::new();
    };
    let text = String::from_utf8_lossy(bytes);
    lessons::section(&lessons::for_scope(&text, &Scope::of(brief.unit)))
}

fn oracle(commands: &[OracleCommand]) -> String {
    let mut text = String::from("# How it is judged\n\nEach of these must exit 0:\n\n");
    for command in commands {
        let when = if command.when.is_empty() {
            String::new()
        } else {
            format!(" (when the diff touches {})", command.when.join(", "))
        };
        text.push_str(&format!(
            "- {}{when}: `{}`\n",
            command.name,
            command.shell.trim()
        ));
    }
    text.push_str(
        "\nTests and settings of tests that are there already judge as they are, unless the unit declares them; put new tests beside them.\n",
    );
    text
}

/// What the user wrote when arming the unit or sending it back to work: the answer to an earlier question.
fn word_of_the_user(brief: &PromptInput<'_>) -> Option<String> {
    let armed = handover::arming_notes(brief.feature, brief.unit);
    let mut text = match armed.is_empty() {
        true => String::new(),
        false => format!("When arming the unit:\n\n{}\n\n", bullets(&armed)),
    };
    let history = brief.unit.front.re_arm_history.as_ref();
    let reasons: Vec<String> = history
        .map_or(&[][..], |h| h.value.0.items())
        .iter()
        .filter_map(|item| {
            let reason = item.get("reason").and_then(|r| r.value.as_str());
            Some(reason.or(item.as_str())?.to_owned())
        })
        .collect();
    if !reasons.is_empty() {
        text.push_str(&format!(
            "The unit was parked and sent back to work with this:\n\n{}",
            bullets(&reasons)
        ));
    }
    (!text.is_empty()).then(|| format!("# What the user wrote\n\n{}", text.trim_end()))
}

fn bullets(texts: &[String]) -> String {
    let lines: Vec<String> = texts.iter().map(|text| format!("- {text}")).collect();
    lines.join("\n")
}

/// Lists all that a closing session is judged by, before it starts.
fn must_leave(brief: &PromptInput<'_>) -> String {
    let all = closing::must_leave(brief.feature, brief.gate, brief.unit);
    if all.is_empty() {
        return String::new();
    }
    let mut text = String::from(
        "# What must be there when you end\n\nAll of it is looked at together, before any command:\n\n",
    );
    for one in all {
        text.push_str(&format!("- {one}\n"));
    }
    text.push_str(
        "\nFiles named here are prepared as far as records can prepare them: edit them, do not start anew. \
         See for yourself with `\"$GATEWALK_BIN\" lint --closing`.\n",
    );
    text
}

fn evidence(brief: &PromptInput<'_>) -> Option<String> {
    let last = brief.failed.last()?;
    let judgement = last.judgement.as_ref()?;
    let kept = if brief.tree_kept {
        "What that attempt left is still here: mend it."
    } else {
        "Its changes are gone: you start from the base again."
    };
    let mut text = format!(
        "# The attempt before failed\n\nThis is attempt {}. {kept} What the driver found:\n\n",
        brief.failed.len() + 1,
    );
    text.push_str(judgement.evidence().unwrap_or("no more is known"));
    if brief.failed.len() > 1 {
        text.push_str("\n\nEarlier ones failed with:\n");
        for earlier in &brief.failed[..brief.failed.len() - 1] {
            let excerpt = earlier
                .judgement
                .as_ref()
                .and_then(Judgement::failure_excerpt);
            text.push_str(&format!(
                "- {}\n",
                excerpt.unwrap_or("unknown").lines().next().unwrap_or("")
            ));
        }
    }
    Some(text)
}
