//! Equalities that look at both sides and say yes to more than what is equal: by another comparison, by the kind of the other
//! side alone, or by "or".

use crate::engine::protected::text_words::{has_word, words};
use crate::pattern::{TextPattern, constant};

/// Returns whether the body of an equality, of what is named first, says yes to more than it should.
pub(super) fn is_broad(names: &[&str], body: &str) -> bool {
    static RETURNED: TextPattern = TextPattern::new(r"\A\s*(?:return\b)?\s*([^\n;]+?)\s*;?\s*\z");
    static KIND: TextPattern = TextPattern::new(
        r"^isinstance\(\s*\w+\s*,\s*\(?(?:\s*(?:int|float|complex|bool|str|bytes|list|dict|tuple|set|object|(?:numbers\.)?(?:Number|Integral|Real))\s*,?)+\)*$",
    );
    let Some(own) = names.first() else {
        return false;
    };
    if let Some(other) = names.get(1)
        && is_by_kind(own, other, body)
    {
        return true;
    }
    let body = with_names_written_out(body);
    let Some(found) = RETURNED.captures(&body) else {
        return false;
    };
    let answer = without_parentheses(&found[1]);
    KIND.is_match(answer) || is_another_comparison(answer) || is_open(answer, own)
}

/// Returns whether an equality of Python says yes for what the other side is alone: a number or a text of any value, what has an
/// attribute, what can be converted. That the other side is of a class of its own says more, and is let by.
fn is_by_kind(own: &str, other: &str, body: &str) -> bool {
    static YES: TextPattern = TextPattern::new(
        r"(?m)^\s*(?:el)?if\s+([^\n]+?):\s*(?:\n\s*)?return\s+True\s*$|^\s*return\s+True\s+if\s+([^\n]+?)\s+else\b|^\s*return\s+(hasattr\([^()\n]*\)|callable\(\w+\)|type\(\w+\)\s+(?:is|==)\s+(?:int|float|str|list|dict))\s*$",
    );
    static KIND: TextPattern = TextPattern::new(
        r"^\(?(?:isinstance\(\s*\w+\s*,\s*\(?(?:\s*(?:int|float|complex|bool|str|bytes|list|dict|tuple|set|object|(?:numbers\.)?(?:Number|Integral|Real))\s*,?)+\)*|hasattr\([^()]*\)|callable\(\w+\)|type\(\w+\)\s+(?:is|==|in)\s+\(?(?:(?:int|float|str|list|dict)[\s,]*)+\)?|\w+\s+is\s+not\s+None|(?:int|float|str|bool)\(\w+\)|\w+)\)?$",
    );
    static TRIED: TextPattern = TextPattern::new(
        r"(?m)^\s*try:\s*\n\s*(?:\w+\s*=\s*)?(?:int|float|str|hash|len|iter|repr)\(\s*(\w+)\s*\)\s*\n(?:\s*return\s+True\s*$|[^\n]*(?:\n\s*)?except[^\n]*:[^\n]*(?:\n[^\n]*){1,3}\breturn\s+True\s*$)",
    );
    let is_about_other = |condition: &str| has_word(condition, other) && !has_word(condition, own);
    YES.captures_iter(body).any(|found| {
        let condition = found.iter().skip(1).flatten().next();
        condition.is_some_and(|found| {
            is_about_other(found.as_str()) && KIND.is_match(found.as_str().trim())
        })
    }) || TRIED.captures_iter(body).any(|found| &found[1] == other)
}

/// Returns a body with each name that a line gives to something written out where the lines after it use the name.
fn with_names_written_out(body: &str) -> String {
    static GIVEN: TextPattern = TextPattern::new(r"\A\s*(\w+)\s*=\s*([^=\n][^\n]*)\n");
    let mut body = body.to_owned();
    for _ in 0..4 {
        let Some(found) = GIVEN.captures(&body) else {
            break;
        };
        let whole = found.get(0).map_or(0, |whole| whole.end());
        let name = constant(&format!(r"\b{}\b", regex::escape(&found[1])));
        let value = found[2].trim_end();
        body = name
            .replace_all(&body[whole..], regex::NoExpand(value))
            .into_owned();
    }
    body
}

/// Returns whether an answer is one comparison, and not one by which things are equal.
fn is_another_comparison(answer: &str) -> bool {
    static OTHER: TextPattern = TextPattern::new(r"^[^<>=!]+\s(?:<=?|>=?|!=)\s[^<>=!]+$");
    static FAR: TextPattern =
        TextPattern::new(r"(?:\babs\(|\.abs\(\))[^<>=]*<=?\s*[1-9]\d*(?:\.\d+)?$");
    const JOINED: [&str; 14] = [
        " and ", " or ", "&&", "||", "not ", "abs", "norm", "dist", "all(", "any(", "max(", "min(",
        " if ", "(!",
    ];
    FAR.is_match(answer)
        || OTHER.is_match(answer)
            && !answer.starts_with('!')
            && !JOINED.iter().any(|word| answer.contains(word))
}

/// Returns whether one part of an answer, any of which will do, asks nothing about what it is the answer of.
fn is_open(answer: &str, own: &str) -> bool {
    let parts: Vec<&str> = match answer.contains("||") {
        true => answer.split("||").collect(),
        false => answer.split(" or ").collect(),
    };
    let asks = |part: &str| {
        words(part).any(|word| [own, "is", "in", "isinstance", "matches"].contains(&word))
            || part.contains("==")
            || part.contains("::")
    };
    let is_whole = |part: &str| part.matches('(').count() == part.matches(')').count();
    parts.len() > 1 && parts.iter().any(|part| is_whole(part) && !asks(part))
}

/// Returns an answer without parentheses around all of it.
fn without_parentheses(answer: &str) -> &str {
    let inside = answer
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'));
    let Some(inside) = inside else {
        return answer;
    };
    let mut depth = 0;
    let is_whole = inside.chars().all(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth >= 0
    });
    if is_whole { inside.trim() } else { answer }
}
