//! Equalities that look at both sides and say yes to more than what is equal: by another comparison, by the kind of the other
//! side alone, or by "or".

use crate::pattern::TextPattern;

/// Returns whether the body of an equality, of what is named first, says yes to more than it should.
pub(super) fn is_broad(names: &[&str], body: &str) -> bool {
    static RETURNED: TextPattern = TextPattern::new(r"\A\s*(?:return\b)?\s*([^\n;]+?)\s*;?\s*\z");
    static KIND: TextPattern = TextPattern::new(
        r"^isinstance\(\s*\w+\s*,\s*\(?(?:\s*(?:int|float|complex|bool|str|bytes|list|dict|tuple|set|object|(?:numbers\.)?(?:Number|Integral|Real))\s*,?)+\)*$",
    );
    let Some(found) = RETURNED.captures(body) else {
        return false;
    };
    let Some(own) = names.first() else {
        return false;
    };
    let answer = without_parentheses(&found[1]);
    KIND.is_match(answer) || is_another_comparison(answer) || is_open(answer, own)
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
        let words = part.split(|c: char| !c.is_alphanumeric() && c != '_');
        let mut words = words.filter(|word| !word.is_empty());
        words.any(|word| [own, "is", "in", "isinstance", "matches"].contains(&word))
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
