//! The prices that are built in: data, and nothing else.

use jiff::civil::Date;

/// The day on which the prices were taken from LiteLLM's list, version 1.109.1: those of short prompts, where
/// a long one costs more.
pub(crate) const DATE: Date = jiff::civil::date(2026, 11, 22);

/// US dollars a million tokens: input, cached input, output.
pub(super) struct Price {
    /// The model's name up to its version or date.
    pub(super) model: &'static str,
    pub(super) input: f64,
    pub(super) cached: f64,
    pub(super) output: f64,
}

const fn price(model: &'static str, input: f64, cached: f64, output: f64) -> Price {
    Price {
        model,
        input,
        cached,
        output,
    }
}

/// The first whose name a model has counts.
pub(super) const TABLE: &[Price] = &[
    price("claude-opus-4-1", 15.0, 1.5, 75.0),
    price("claude-opus-4-5", 5.0, 0.5, 25.0),
    price("claude-opus-4-6", 5.0, 0.5, 25.0),
    price("claude-opus-4-7", 5.0, 0.5, 25.0),
    price("claude-opus-4-8", 5.0, 0.5, 25.0),
    price("claude-opus-5-5", 4.0, 0.2, 20.0),
    price("claude-opus-5", 5.0, 0.5, 25.0),
    price("claude-sonnet-4", 3.0, 0.3, 15.0),
    price("claude-sonnet-4-5", 3.0, 0.3, 15.0),
    price("claude-sonnet-4-6", 3.0, 0.3, 15.0),
    price("claude-sonnet-5-5", 2.0, 0.1, 10.0),
    price("claude-sonnet-5", 2.0, 0.2, 10.0),
    price("claude-haiku-4-5", 1.0, 0.1, 5.0),
    price("claude-haiku-5-5", 0.1, 0.01, 0.5),
    price("claude-fable-5", 10.0, 1.0, 50.0),
    price("claude-fable-5-1", 10.0, 0.25, 50.0),
    price("gpt-4.1", 2.0, 0.5, 8.0),
    price("gpt-4.1-mini", 0.4, 0.1, 1.6),
    price("gpt-5", 1.25, 0.125, 10.0),
    price("gpt-5-mini", 0.25, 0.025, 2.0),
    price("gpt-5-nano", 0.05, 0.005, 0.4),
    price("gpt-5-codex", 1.25, 0.125, 10.0),
    price("gpt-5.1", 1.25, 0.125, 10.0),
    price("gpt-5.1-codex", 1.25, 0.125, 10.0),
    price("gpt-5.1-codex-max", 1.25, 0.125, 10.0),
    price("gpt-5.1-codex-mini", 0.25, 0.025, 2.0),
    price("gpt-5.2", 1.75, 0.175, 14.0),
    price("gpt-5.2-codex", 1.75, 0.175, 14.0),
    price("gpt-5.3-codex", 1.75, 0.175, 14.0),
    price("gpt-5.4", 2.5, 0.25, 15.0),
    price("gpt-5.4-mini", 0.75, 0.075, 4.5),
    price("gpt-5.5", 5.0, 0.5, 30.0),
    price("gpt-5.6", 4.0, 0.4, 20.0),
    price("gpt-5.6-sol", 4.0, 0.4, 20.0),
    price("gpt-5.6-terra", 2.0, 0.2, 12.0),
    price("gpt-5.6-luna", 0.2, 0.02, 1.2),
    price("gpt-6-astra", 10.0, 1.0, 50.0),
    price("gpt-6-sol", 2.0, 0.2, 10.0),
    price("gpt-6-luna", 0.1, 0.01, 0.5),
    price("gpt-6.1-sol", 2.0, 0.1, 10.0),
    price("gpt-6.1-terra", 1.0, 0.05, 5.0),
    price("gemini-2.5-flash-lite", 0.1, 0.01, 0.4),
    price("gemini-2.5-flash", 0.3, 0.03, 2.5),
    price("gemini-2.5-pro", 1.25, 0.125, 10.0),
    price("gemini-3-flash-preview", 0.5, 0.05, 3.0),
    price("gemini-3.1-flash-lite", 0.25, 0.025, 1.5),
    price("gemini-3.1-pro-preview", 2.0, 0.2, 12.0),
    price("gemini-3.5-flash", 1.5, 0.15, 9.0),
    price("gemini-3.5-flash-lite", 0.3, 0.03, 2.5),
    price("gemini-3.6-flash", 0.75, 0.075, 3.75),
    price("gemini-3.7-flash", 0.75, 0.075, 3.75),
    price("gemini-3.8-flash", 0.75, 0.075, 3.75),
    price("glm-4.6", 0.6, 0.11, 2.2),
    price("glm-4.7", 0.6, 0.11, 2.2),
    price("glm-5", 1.0, 0.2, 3.2),
    price("glm-5.3", 1.4, 0.26, 4.4),
    price("kimi-k2.7-code", 0.95, 0.19, 4.0),
    price("kimi-k3", 3.0, 0.3, 15.0),
    price("qwen3.8-max", 2.0, 0.25, 6.0),
    price("qwen3.8-flash", 0.15, 0.016, 0.47),
    price("deepseek-v4-pro", 1.32, 0.044, 3.96),
    price("deepseek-v4-flash", 0.3, 0.006, 1.2),
    price("grok-4.7", 2.0, 0.5, 6.0),
];
