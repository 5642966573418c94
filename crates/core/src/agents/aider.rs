//! Aider: `aider --message-file`. It has no tools and no machine output; it prints text and exits 0
//! whatever happened.
//!
//! What counts is what its own machinery prints at the start of a line: `litellm.…Error` for a
//! fault of the model's server and `Tokens: …` when a turn came through. A fault that no turn
//! followed is how the session ended, also when half an answer was applied.

use super::descriptor::{
    AgentProgram, Descriptor, EffortVia, PromptArguments, Remedies, SessionOutput, Silence,
};
use super::payment::{
    AccountSource, ProviderAccounts, SourcePlace, aider_settings, variables_file,
};
use super::readiness::Needs;
use super::{ApiError, Session, Usage, error_text};

pub(super) static AIDER: Descriptor = Descriptor {
    name: "aider",
    program: AgentProgram::Named("aider"),
    // Its settings hold keys.
    state: &[".aider", ".aider.conf.yml"],
    accounts: &[
        own(".env", variables_file),
        own(".aider/oauth-keys.env", variables_file),
        own(".aider.conf.yml", aider_settings),
        shared(".env", variables_file),
        shared(".aider.conf.yml", aider_settings),
    ],
    needs: Needs {
        // `--no-show-release-notes`.
        since: Some("0.64.0"),
        ..Needs::BASE
    },
    args: &[
        "--yes-always",
        "--no-auto-commits",
        "--no-check-update",
        "--no-analytics",
        "--no-show-model-warnings",
        "--no-show-release-notes",
        "--no-pretty",
        "--no-gitignore",
        // Its histories would lie in the work; the attempt's log has them anyway.
        "--chat-history-file",
        "/dev/null",
        "--input-history-file",
        "/dev/null",
    ],
    effort: EffortVia::Switch("--reasoning-effort"),
    prompt: PromptArguments::File("--message-file"),
    env: &[("LITELLM_LOCAL_MODEL_COST_MAP", "True")],
    keep_env: &[
        "AIDER_*",
        "ANTHROPIC_*",
        "AZURE_*",
        "DEEPSEEK_*",
        "GEMINI_*",
        "OPENAI_*",
        "OPENROUTER_*",
    ],
    streams: false,
    output: SessionOutput::Lines(read),
    end,
    remedies: Some(Remedies {
        missing: "install Aider (`python -m pip install aider-chat`)",
        auth: "set the provider's key, e.g. ANTHROPIC_API_KEY",
        quota: "add credit at the provider, or name another agent",
    }),
    // It runs nothing.
    silence: Silence::Always,
    ..Descriptor::BASE
};

const fn own(path: &'static str, read: fn(&str) -> ProviderAccounts) -> AccountSource {
    AccountSource {
        place: SourcePlace::File {
            root: None,
            otherwise: "",
            path,
        },
        read,
    }
}

const fn shared(path: &'static str, read: fn(&str) -> ProviderAccounts) -> AccountSource {
    AccountSource {
        place: SourcePlace::Checkout(path),
        read,
    }
}

fn read(line: &[u8], seen: &mut Session) {
    let line = String::from_utf8_lossy(line);
    fold(&line, seen);
    seen.plain_line(&line);
}

fn end(seen: &mut Session) {
    if let Some(fault) = seen.retrying.take() {
        seen.fail_for_good(fault);
    }
    // Before it has a model, all that it prints is its own.
    let printed = || error_text::in_stderr(seen.plain.as_str());
    if let Some(fault) = seen.model.is_none().then(printed).flatten() {
        seen.fail(fault);
    }
}

fn fold(line: &str, seen: &mut Session) {
    if let Some(version) = line.strip_prefix("Aider v") {
        seen.version = Some(version.trim().chars().take(60).collect());
    } else if let Some(model) = line.strip_prefix("Model: ") {
        seen.model = model.split_whitespace().next().map(str::to_owned);
    } else if let Some(fault) = fault(line) {
        let name = fault.split_once(": ").map(|(name, _)| name.to_owned());
        seen.retry(ApiError::reported(None, name, fault));
    } else if line.starts_with("Applied edit to ") {
        // Not the end of a fault: half an answer is applied too.
        seen.tool_calls += 1;
    } else if let Some(figures) = line.strip_prefix("Tokens: ") {
        turn(figures, seen);
    }
}

/// Returns what a line tells of a fault. Where an answer was cut, it stands behind the answer's last words.
fn fault(line: &str) -> Option<&str> {
    if line.ends_with(" has hit a token limit!") {
        return Some("the context window of the model is exhausted");
    }
    // One may wrap another: the outermost says what became of it.
    let mut faults = line.split_inclusive("litellm.").scan(0, |at, part| {
        *at += part.len();
        Some(&line[*at..])
    });
    faults.find(|fault| {
        let name = fault.split_once(": ").map_or("", |(name, _)| name);
        let typed = name.chars().all(char::is_alphanumeric);
        let ends = ["Error", "Exception", "Timeout"];
        typed && ends.iter().any(|end| name.ends_with(end))
    })
}

/// Folds `2.1k sent, 300 received. Cost: $0.01 message, $0.02 session.`
fn turn(figures: &str, seen: &mut Session) {
    let before = |word: &str| {
        let (head, _) = figures.split_once(word)?;
        count(head.rsplit([' ', ',']).find(|part| !part.is_empty())?)
    };
    seen.usage = seen.usage.plus(Usage {
        input_tokens: before(" sent"),
        output_tokens: before(" received"),
        cache_read: before(" cache hit"),
        cache_write: before(" cache write"),
    });
    let session = figures.split_once(" session").map(|(head, _)| head);
    let cost = session.and_then(|head| head.rsplit('$').next()?.parse().ok());
    seen.cost_usd = cost.or(seen.cost_usd);
    seen.retrying = None;
}

/// Returns a number that may be written in thousands or millions.
fn count(text: &str) -> Option<u64> {
    let (digits, unit) = match text.strip_suffix('k') {
        Some(digits) => (digits, 1e3),
        None => text.strip_suffix('M').map_or((text, 1.0), |d| (d, 1e6)),
    };
    let number: f64 = digits.replace(',', "").parse().ok()?;
    (number >= 0.0).then(|| (number * unit).round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_read_wherever_the_answer_was_cut() {
        for (line, want) in [
            ("litellm.APIError: APIError: Overloaded", true),
            ("I will creatlitellm.InternalServerError: Overloaded", true),
            ("call litellm.completion() here", false),
            ("litellm.drop_params: true", false),
            ("litellm.Timeout: APITimeoutError - late", true),
            ("Model openai/x has hit a token limit!", true),
        ] {
            assert_eq!(fault(line).is_some(), want, "{line}");
        }
        let wrapped = "see litellm.md litellm.ServiceUnavailableError: litellm.Timeout: late";
        assert_eq!(
            fault(wrapped),
            Some("ServiceUnavailableError: litellm.Timeout: late")
        );
    }

    #[test]
    fn figures_are_read_in_every_form() {
        for (line, input, output, cost) in [
            ("Tokens: 596 sent, 20 received.", 596, 20, None),
            (
                "Tokens: 2.1k sent, 300 received. Cost: $0.01 message, $0.02 session.",
                2100,
                300,
                Some(0.02),
            ),
            (
                "Tokens: 12k sent, 8k cache hit, 1.5k received.",
                12_000,
                1500,
                None,
            ),
        ] {
            let mut seen = Session::default();
            fold(line, &mut seen);
            assert_eq!(seen.usage.input_tokens, Some(input), "{line}");
            assert_eq!(seen.usage.output_tokens, Some(output), "{line}");
            assert_eq!(seen.cost_usd, cost, "{line}");
        }
    }
}
