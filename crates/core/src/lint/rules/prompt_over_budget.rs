//! `GW804`. See `prompt_over_budget.md`.

use crate::engine::session_prompt::{BYTES_PER_TOKEN, PromptInput, build};
use crate::lint::context::UnitCx;
use crate::lint::finding_sink::FindingSink;

/// What a prompt may hold when the settings do not say, in estimated tokens.
const DEFAULT_TOKENS: usize = 20_000;

pub(super) fn check(cx: &UnitCx<'_>, out: &mut FindingSink) {
    let Some(member) = cx.member.filter(|_| cx.is_prompt()) else {
        return;
    };
    let workspace = cx.f.ws.ws;
    let budget = workspace
        .config
        .front
        .prompt_tokens
        .as_ref()
        .map_or(DEFAULT_TOKENS, |t| t.value as usize);
    // What a prompt holds besides its rules and its unit is little: a prompt is only built when it matters.
    let rules: usize = workspace.rules.iter().map(|(_, bytes)| bytes.len()).sum();
    if (rules + cx.unit.doc.text.len()) / BYTES_PER_TOKEN + 1_500 < budget {
        return;
    }
    let brief = PromptInput {
        workspace,
        feature: cx.f.feature,
        gate: member.gate,
        unit: cx.unit,
        oracle: &[],
        failed: &[],
        set_aside: None,
        tree_kept: false,
        map: "",
        requirements: "",
    };
    let prompt = build(&brief);
    let tokens = prompt.tokens();
    if tokens > budget {
        let sizes: Vec<String> = prompt
            .sections
            .iter()
            .map(|s| format!("{} {}", s.name, s.text.len().div_ceil(BYTES_PER_TOKEN)))
            .collect();
        let body = cx.unit.doc.body.start;
        let span = cx.unit.doc.title().map_or(body..body, |(_, span)| span);
        out.at(
            cx.path(),
            span,
            format!("the prompt has about {tokens} tokens, the budget is {budget}"),
        )
        .help(format!(
            "by section: {}; the budget is `prompt_tokens` in config.yml",
            sizes.join(", ")
        ));
    }
}
