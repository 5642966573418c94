//! `GW610`. See `unobservable_criterion.md`.

use crate::lint::context::UnitCx;
use crate::lint::sink::Sink;
use crate::model::document::find_section;
use regex::Regex;
use std::sync::LazyLock;

static FROM_ELSEWHERE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)(?-u:\b)(in production|on production|in prod(?-u:\b)|operator (confirms|verifies|checks)|confirmed by (the|an) (operator|user|customer|reviewer)|(confirmed|verified) in production|users? (report|are happy|like)|customers? confirms?|looks? (good|right|nice)|after (the )?(deploy(ment)?|release)|feels (fast|right)|manually (verified|tested|checked)|stakeholders?|manual(ly)? (tests?|testing|checks?|checking|review|inspection)|(on|from) (the |a )?customers?(?-u:\b)|by (the )?qa(?-u:\b)|(deployed|rolled out) to|(in|on|to) staging(?-u:\b)|(a )?(human|person|reviewer|someone) (confirms|checks|verifies|signs off|approves))",
    )
    .expect("the pattern is constant")
});

pub(super) fn check(cx: &UnitCx<'_>, out: &mut Sink) {
    let front = &cx.unit.front;
    let judged =
        front.human_only.is_some() || front.checks.as_ref().is_some_and(|c| !c.value.is_empty());
    if !cx.is_prompt() || judged {
        return;
    }
    let Some(section) = find_section(cx.unit.doc.sections(), "Acceptance criteria") else {
        return;
    };
    let text = cx
        .unit
        .doc
        .text
        .get(section.content.clone())
        .unwrap_or_default();
    for found in FROM_ELSEWHERE.find_iter(text) {
        let at = section.content.start + found.start();
        out.at(
            cx.path(),
            at..at + found.len(),
            format!(
                "\"{}\" cannot be observed from where the unit is verified",
                found.as_str()
            ),
        )
        .help(
            "say what a command shows, add a `checks` entry, or set `human_only` with the reason",
        );
    }
}
