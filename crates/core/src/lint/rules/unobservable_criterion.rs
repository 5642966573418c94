//! `GW610`. See `unobservable_criterion.md`.

use crate::lint::context::UnitCx;
use crate::lint::finding_sink::FindingSink;
use crate::pattern::TextPattern;

static FROM_ELSEWHERE: TextPattern = TextPattern::new(
    r"(?i)\b(in production|on production|in prod\b|(operator|user) (confirms|verifies|checks)|confirmed by (the|an) (operator|user|customer|reviewer)|(confirmed|verified) in production|users? (report|are happy|like)|customers? confirms?|looks? (good|right|nice)|after (the )?(deploy(ment)?|release)|feels (fast|right)|manually (verified|tested|checked)|stakeholders?|manual(ly)? (tests?|testing|checks?|checking|review|inspection)|(on|from) (the |a )?customers?\b|by (the )?qa\b|(deployed|rolled out) to|(in|on|to) staging\b|(a )?(human|person|reviewer|someone) (confirms|checks|verifies|signs off|approves))",
);

/// What is a matter of taste: no command can show it, and a session always claims it.
static TASTE: TextPattern = TextPattern::new(
    r"(?i)\b(clean (and \w+ )?code|code (is|stays|looks|reads|should be|must be) (\w+ )?(clean|readable|elegant|maintainable|tidy|good|nice)|(clean|readable|elegant|maintainable) and (clean|readable|elegant|maintainable)|(is|are|be|stays?|remains?|looks?|feels?) (more |very |reasonably |sufficiently )?(maintainable|well[- ](structured|designed|written|organi[sz]ed|factored)|good enough|fast enough|high[- ]quality|nice|beautiful|easy to (read|understand|use|maintain|follow|extend))|intuitive|user[- ]friendly|elegant|best practices|good (code|quality|design|ux|user experience|performance)|works (well|nicely|great|smoothly|properly)|makes sense|production[- ](ready|quality))\b",
);

/// One of these, in small letters, is in all of them.
const HINTS: [&str; 39] = [
    "prod",
    "operator",
    "confirm",
    "report",
    "happy",
    "like",
    "look",
    "deploy",
    "release",
    "feel",
    "manual",
    "stakeholder",
    "customer",
    "qa",
    "rolled",
    "staging",
    "human",
    "person",
    "reviewer",
    "someone",
    "clean",
    "readable",
    "elegant",
    "maintain",
    "tidy",
    "nice",
    "intuitive",
    "friendly",
    "well",
    "enough",
    "quality",
    "beautiful",
    "easy to",
    "practices",
    "good",
    "great",
    "smoothly",
    "properly",
    "makes sense",
];

pub(super) fn check(cx: &UnitCx<'_>, out: &mut FindingSink) {
    let front = &cx.unit.front;
    let judged =
        cx.unit.is_human_only() || front.checks.as_ref().is_some_and(|c| !c.value.is_empty());
    if !cx.is_prompt() || judged {
        return;
    }
    let Some((text, start)) = cx.section("Acceptance criteria") else {
        return;
    };
    let lower = text.to_ascii_lowercase();
    if !HINTS.iter().any(|hint| lower.contains(hint)) {
        return;
    }
    let (elsewhere, taste) = (
        "cannot be observed from where the unit is verified",
        "is a matter of taste: no command can show it",
    );
    for (pattern, why) in [(&FROM_ELSEWHERE, elsewhere), (&TASTE, taste)] {
        for found in pattern.find_iter(text) {
            let at = start + found.start();
            out.at(
                cx.path(),
                at..at + found.len(),
                format!("\"{}\" {why}", found.as_str()),
            )
            .help(
                "write what a command shows, add a `checks` entry, or set `human_only` with the reason",
            );
        }
    }
}
