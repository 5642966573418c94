//! What a session said at its end in place of a result: a question, a refusal, a plan of what it would do.
//!
//! It is advice, like every word of a session. Only a question of a session that changed nothing decides something:
//! that the user is asked, and no further session.

use super::handover;

/// Characters of the end that are looked at.
const LOOKED_AT: usize = 4000;
/// The shortest paragraph that makes sense without the one before it.
const WHOLE: usize = 60;

/// Returns the last words of a session, as they are kept for good.
pub(crate) fn of(text: &str) -> Option<String> {
    let text = without_blocks(text);
    let start = text
        .char_indices()
        .rev()
        .nth(LOOKED_AT)
        .map_or(0, |(at, _)| at);
    let paragraphs = paragraphs(&text[start..]);
    let last = paragraphs.last()?;
    let before = paragraphs.len().checked_sub(2).map(|at| &paragraphs[at]);
    let words = match before.filter(|_| last.chars().count() < WHOLE || is_list(last)) {
        Some(before) => format!("{before} {last}"),
        None => last.clone(),
    };
    Some(handover::kept(&words)).filter(|words| !words.is_empty())
}

/// Returns whether last words ask something: a sentence ends with a question mark, and at most a list of what to choose
/// from follows.
pub(crate) fn is_question(words: &str) -> bool {
    let Some((_, rest)) = words.rsplit_once('?') else {
        return false;
    };
    let rest = rest.trim_matches(|c: char| c.is_whitespace() || "*_`)\"'”’".contains(c));
    rest.is_empty() || is_list(rest)
}

/// Returns whether a text is the items of a list.
fn is_list(text: &str) -> bool {
    let text = text.trim_start();
    let numbered = text.trim_start_matches(|c: char| c.is_ascii_alphanumeric());
    text.starts_with(['-', '*', '•'])
        || text.len() - numbered.len() <= 2
            && numbered.starts_with([')', '.'])
            && numbered.len() < text.len()
}

/// Returns the paragraphs of a text, a line each.
fn paragraphs(text: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    for line in text.lines().map(str::trim) {
        match (line.is_empty(), all.last_mut()) {
            (true, _) => all.push(String::new()),
            (false, Some(last)) if last.is_empty() => last.push_str(line),
            (false, Some(last)) => {
                last.push(' ');
                last.push_str(line);
            }
            (false, None) => {}
        }
    }
    all.retain(|paragraph| !paragraph.is_empty());
    all
}

/// Returns a text without its fenced blocks: code is not what a session says.
fn without_blocks(text: &str) -> String {
    let mut fenced = false;
    let lines = text.lines().filter(|line| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_paragraph_is_kept_without_code_and_with_what_it_needs() {
        let long = "I looked at the export and at the two tables behind it, and it can be done.";
        for (text, want) in [
            ("", None),
            ("\n\n", None),
            ("Done.", Some("Done.")),
            ("First.\n\nWhich one?\n", Some("First. Which one?")),
            (&*format!("First.\n\n{long}\n"), Some(long)),
            (
                "Two lines\nof one paragraph, and they are long enough to be kept alone.",
                Some("Two lines of one paragraph, and they are long enough to be kept alone."),
            ),
            (
                "Which?\n\n- Postgres\n- SQLite",
                Some("Which? - Postgres - SQLite"),
            ),
            (
                "I would write:\n\n```rust\nfn main() {}\n```\n",
                Some("I would write:"),
            ),
            ("```result\nstatus: complete\n```", None),
        ] {
            assert_eq!(of(text).as_deref(), want, "{text}");
        }
    }

    #[test]
    fn a_question_is_the_end_or_followed_by_choices() {
        for (words, want) in [
            (
                "Which database should the export use, Postgres or SQLite?",
                true,
            ),
            ("**Which one?**", true),
            ("Which one? - Postgres - SQLite", true),
            ("Which one? 1. Postgres 2. SQLite", true),
            ("Which one? a) Postgres", true),
            ("Why not? I take Postgres.", false),
            ("I'm sorry, but I can't help with that request.", false),
            ("The plan is to write it.", false),
            ("", false),
        ] {
            assert_eq!(is_question(words), want, "{words}");
        }
    }
}
