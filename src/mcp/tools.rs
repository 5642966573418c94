//! The tools: a name, what it is for, the command it stands for, and its arguments.

use super::decision_subject::DecisionSubject;

/// Who agrees before a tool runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Consent {
    /// Nobody: it reads, or writes a draft that nothing runs.
    NotNeeded,
    /// The user, each time, who is shown what it is about.
    OfTheUser(Option<DecisionSubject>),
}

/// How an argument reaches the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Passing {
    /// As a word by itself.
    Word,
    /// Given behind this option of the command.
    Option(&'static str),
}

/// One argument; all of them are text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Argument {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) required: bool,
    pub(super) passing: Passing,
}

const fn word(name: &'static str, about: &'static str, required: bool) -> Argument {
    Argument {
        name,
        about,
        required,
        passing: Passing::Word,
    }
}

const fn option(
    name: &'static str,
    option: &'static str,
    about: &'static str,
    required: bool,
) -> Argument {
    Argument {
        name,
        about,
        required,
        passing: Passing::Option(option),
    }
}

#[derive(Debug)]
pub(super) struct Tool {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) command: &'static [&'static str],
    pub(super) arguments: &'static [Argument],
    pub(super) consent: Consent,
}

const UNIT: Argument = word(
    "unit",
    "The unit: its id, or `T03` with one active feature",
    true,
);
const FEATURE: Argument = option(
    "feature",
    "--feature",
    "Feature id, directory or path; the one active feature when absent",
    false,
);
const REASON: Argument = option("reason", "--reason", "Why, in the user's words", true);

const fn reads(
    name: &'static str,
    about: &'static str,
    command: &'static [&'static str],
    arguments: &'static [Argument],
) -> Tool {
    Tool {
        name,
        about,
        command,
        arguments,
        consent: Consent::NotNeeded,
    }
}

const fn decides(
    name: &'static str,
    about: &'static str,
    command: &'static [&'static str],
    arguments: &'static [Argument],
) -> Tool {
    Tool {
        consent: Consent::OfTheUser(None),
        ..reads(name, about, command, arguments)
    }
}

pub(super) const TOOLS: &[Tool] = &[
    reads(
        "status",
        "What stands where, and the next command",
        &["status", "--json"],
        &[word(
            "feature",
            "Feature id, directory or path; every feature when absent",
            false,
        )],
    ),
    reads(
        "board",
        "Every unit under way, by what it waits for",
        &["board", "--json"],
        &[],
    ),
    reads(
        "why",
        "Why a unit stands where it stands, and what can be done",
        &["why", "--json"],
        &[UNIT, FEATURE],
    ),
    reads(
        "review",
        "What to doubt before arming",
        &["review", "--json"],
        &[FEATURE],
    ),
    reads(
        "prompt",
        "Exactly what a unit's next session reads",
        &["prompt"],
        &[UNIT, FEATURE],
    ),
    reads(
        "log",
        "What happened to a feature",
        &["log", "--json"],
        &[
            FEATURE,
            option("last", "--last", "Only the last so many events", false),
        ],
    ),
    reads(
        "attempts",
        "The attempts of a feature",
        &["attempts", "list", "--json"],
        &[FEATURE],
    ),
    reads(
        "inbox",
        "What sessions noticed and nobody has settled",
        &["inbox", "--json"],
        &[FEATURE],
    ),
    reads(
        "lint",
        "What is wrong with the plans",
        &["lint", "--json"],
        &[word(
            "path",
            "A file or directory whose findings are shown; all when absent",
            false,
        )],
    ),
    reads(
        "explain",
        "The page of a rule of the linter",
        &["explain"],
        &[word(
            "rule",
            "Code or name of the rule; the list of rules when absent",
            false,
        )],
    ),
    reads(
        "new_feature",
        "Write a draft of a feature; nothing runs before the user arms it",
        &["new", "feature"],
        &[
            word("title", "What the feature is called", true),
            option(
                "goal",
                "--goal",
                "What is true when it is done, one line",
                false,
            ),
        ],
    ),
    reads(
        "new_unit",
        "Write a draft of a unit; nothing runs before the user arms it",
        &["new", "unit"],
        &[
            word("title", "What the unit is called", true),
            FEATURE,
            option("after", "--after", "The unit it waits for", false),
        ],
    ),
    decides(
        "draft",
        "Have an agent write the drafts of a feature; this costs a session, so it asks the user",
        &["draft", "--json"],
        &[
            word("wanted", "What is wanted, in a sentence or more", true),
            option("title", "--title", "What the feature is called", false),
        ],
    ),
    Tool {
        consent: Consent::OfTheUser(Some(DecisionSubject::Review)),
        ..decides(
            "arm",
            "Make drafts work, or pass a reviewed gate. Asks the user",
            &["arm", "--json"],
            &[word(
                "name",
                "A feature or a unit; every draft of the current gate when absent",
                false,
            )],
        )
    },
    decides(
        "unblock",
        "Send a parked unit back to work. Asks the user",
        &["unblock", "--json"],
        &[
            UNIT,
            FEATURE,
            REASON,
            option(
                "changed",
                "--changed",
                "After a repeated failure: what is different now",
                false,
            ),
        ],
    ),
    Tool {
        consent: Consent::OfTheUser(Some(DecisionSubject::Question)),
        ..decides(
            "answer",
            "Answer an open question of a plan. Asks the user",
            &["answer", "--json"],
            &[
                word("number", "The question's number in the list", true),
                word("answer", "The answer, in the user's words", true),
                FEATURE,
            ],
        )
    },
    decides(
        "abandon",
        "Give up a unit or a feature. Asks the user",
        &["abandon", "--json"],
        &[
            word("name", "The unit or the feature", true),
            FEATURE,
            REASON,
        ],
    ),
];
