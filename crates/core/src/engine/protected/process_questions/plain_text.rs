//! A text as it is looked at: names written out, and without what a script asks of itself.

use super::deciding_places::LanguageFamily;
use crate::pattern::TextPattern;
use regex::{Captures, Regex};
use std::borrow::Cow;

/// Returns a text of shell without the questions whether a variable is set that it declares or sets itself, further up: an entry
/// of a list, for one.
pub(super) fn without_own_variables(family: LanguageFamily, text: &str) -> Cow<'_, str> {
    static IS_SET: TextPattern = TextPattern::new(
        r"\$\{([a-z_]+)\+\w+\}|\[\s+-v\s+([a-z]\w+)|\bdeclare\s+-[pfF]\s+([a-z]\w*)|\btype\s+-t\s+([a-z]\w*)",
    );
    if family != LanguageFamily::Shell {
        return text.into();
    }
    IS_SET.replace_all(text, |found: &Captures<'_>| {
        let name = found
            .iter()
            .skip(1)
            .flatten()
            .next()
            .map_or("", |name| name.as_str());
        let above = found.get(0).map_or("", |whole| &text[..whole.start()]);
        let is_own = sets_above(name, above);
        if is_own {
            String::new()
        } else {
            found[0].to_owned()
        }
    })
}

/// Returns whether a text of shell sets or declares a variable.
pub(in crate::engine::protected) fn sets_above(name: &str, above: &str) -> bool {
    let name = regex::escape(name);
    let sets = format!(
        r"(?m)(?:^|[\s;&|(])(?:{name}(?:\[[^\]\n]*\])?\+?=|for\s+{name}\s|getopts\s+\S+\s+{name}\b|(?:local|declare|typeset|read|mapfile|readarray)\s(?:[^\n;=]*\s)?{name}\b|(?:function\s+)?{name}\s*\(\s*\))"
    );
    Regex::new(&sets).is_ok_and(|sets| sets.is_match(above))
}

/// Returns a text in which parts of modules have the names that they have there, however they are reached.
pub(super) fn named_plainly(text: &str) -> String {
    static BY_NAME: TextPattern = TextPattern::new(
        r#"(?x)\bgetattr\(\s*(\w+)\s*,\s*["'](\w+)["']\s*(?:,[^()\n]*)?\) | \b(?:vars\(\s*(\w+)\s*\)|(\w+)\.__dict__)\[["'](\w+)["']\] | \b(process|module|require|sys)\[["'](\w+)["']\]"#,
    );
    static LOADED: TextPattern = TextPattern::new(
        r#"(?x)\b(?:__import__|import_module|importlib\.import_module|require)\(\s*["'](?:node:)?(sys|os|inspect|traceback|gc|threading|time|logging|warnings|process)["']\s*\) |
        \bglobal(?:This)?\.(process)\b"#,
    );
    static TAKEN: TextPattern = TextPattern::new(
        r"\{\s*(stack|MODE)\s*(?::\s*(\w+)\s*)?(?:=[^,{}\n]*)?\}\s*=\s*(new\s+[\w.]+\([^)\n]*\)|import\.meta\.env\b)",
    );
    let text = LOADED.replace_all(text, "$1$2");
    let text = TAKEN.replace_all(&text, |found: &Captures<'_>| {
        let name = found.get(2).map_or(&found[1], |name| name.as_str());
        format!("{name} = {}.{}", &found[3], &found[1])
    });
    let text = filled(&text);
    let plain = BY_NAME.replace_all(&text, |found: &Captures<'_>| {
        let parts: Vec<&str> = found.iter().skip(1).flatten().map(|m| m.as_str()).collect();
        parts.join(".")
    });
    let mut plain = plain.into_owned();
    for (name, whole) in other_names(&plain) {
        if let Ok(name) = Regex::new(&name) {
            plain = name.replace_all(&plain, whole.as_str()).into_owned();
        }
    }
    plain
}

/// Returns a text in which what a call fills or counts is given to it in as many words.
fn filled(text: &str) -> Cow<'_, str> {
    static FILLS: TextPattern = TextPattern::new(
        r#"(?x)\bfgets\(\s*(?P<a>\w+)\s*,[^,()\n]*,\s*(?P<from_a>\w+)\s*\) | \bread(?:link)?\(\s*(?P<from_b>"/proc/self[^"\n]*"|\w+)\s*,\s*(?P<b>\w+)\s*, |
        \bfread\(\s*(?P<c>\w+)\s*,[^,()\n]*,[^,()\n]*,\s*(?P<from_c>\w+)\s*\) | \bgetline\(\s*&(?P<d>\w+)\s*,[^,()\n]*,\s*(?P<from_d>\w+)\s*\) |
        \bfscanf\(\s*(?P<from_e>\w+)\s*,[^,\n]*,\s*&?(?P<e>\w+) | \bflag\.Visit(?:All)?\(\s*func\([^)\n]*\)\s*\{\s*(?P<f>\w+)(?:\+\+|\s*\+?=)"#,
    );
    FILLS.replace_all(text, |found: &Captures<'_>| {
        let part = |name: &str| found.name(name).map(|part| part.as_str());
        let (name, from) = ["a", "b", "c", "d", "e", "f"]
            .into_iter()
            .find_map(|name| Some((part(name)?, part(&format!("from_{name}")))))
            .unwrap_or_default();
        let from = from.unwrap_or("flag.NFlag()");
        format!("\n{name} = {from};\n{}", &found[0])
    })
}

/// Returns the names of C that are there only where something else is linked that has them.
fn weak_names(plain: &str) -> impl Iterator<Item = String> {
    static WEAK: TextPattern = TextPattern::new(
        r"(?mx)\b(\w+)\s*(?:\([^;{}()]*\)|\[[^\]]*\])?\s*__attribute__\s*\(\(\s*(?:__)?weak(?:__)?\s*\)\)\s*; |
        __attribute__\s*\(\(\s*(?:__)?weak(?:__)?\s*\)\)[^;{}()]*?\b(\w+)\s*(?:\([^;{}()]*\)|\[[^\]]*\])?\s*; | ^\s*\#\s*pragma\s+weak\s+(\w+)\s*$",
    );
    let names = WEAK.captures_iter(plain).filter_map(|found| {
        let name = found.iter().skip(1).flatten().next()?.as_str();
        // What is there in any case tells nothing.
        let defined = format!(r"\b{name}\s*(?:\([^;{{}}()]*\)\s*\{{|=[^=])");
        let is_there = Regex::new(&defined).is_ok_and(|defined| defined.is_match(plain));
        (!is_there).then(|| name.to_owned())
    });
    names.collect::<Vec<_>>().into_iter()
}

/// Returns patterns of the names that a text has for modules and for parts of them, and what stands in their place.
fn other_names(plain: &str) -> Vec<(String, String)> {
    static OTHERWISE: TextPattern = TextPattern::new(
        r#"(?mx)^\s*import\s+(?P<m>sys|os|inspect|traceback|gc|threading|time|__main__|logging|warnings)\s+as\s+(?P<n>\w+) |
        ^\s*(?:(?:const|let|var)\s+)?(?P<n2>\w+)\s*=\s*(?P<m2>sys|os|inspect|traceback|gc|process)\s*;?\s*$ | ^\s*(?:import\s+)?(?P<n3>[a-z]\w*)\s+"(?P<m3>os|runtime)"\s*$"#,
    );
    static PARTS: TextPattern = TextPattern::new(
        r#"(?mx)^\s*from\s+(sys|os|inspect|traceback|gc|threading|time|warnings|logging)\s+import\s+\(?([\w, ]+) | ^\s*(?:const|let|var)\s*\{([\w\s,:]+)\}\s*=\s*(?:require\(["'](?:node:)?)?process\b |
        ^\s*import\s*\{([\w\s,]+)\}\s*from\s*["'](?:node:)?process["'] | ^\s*use\s+std::(?:env|thread)::\{?([\w, ]+)"#,
    );
    let mut renamed: Vec<(String, String)> = OTHERWISE
        .captures_iter(plain)
        .filter_map(|found| {
            let part = |names: [&str; 3]| names.into_iter().find_map(|name| found.name(name));
            let (name, module) = (part(["n", "n2", "n3"])?, part(["m", "m2", "m3"])?);
            Some((
                format!(r"\b{}\.", name.as_str()),
                format!("{}.", module.as_str()),
            ))
        })
        .collect();
    renamed.extend(weak_names(plain).map(|name| {
        let used = format!(r"&?\b{name}\b(\s*(?:[?)&|!=]|$))");
        (used, "only_if_linked${1}".to_owned())
    }));
    for found in PARTS.captures_iter(plain) {
        let module = match (found.get(1), found.get(5)) {
            (Some(module), _) => format!("{}.", module.as_str()),
            (None, Some(_)) => if found[0].contains("thread") {
                "thread::"
            } else {
                "env::"
            }
            .to_owned(),
            (None, None) => "process.".to_owned(),
        };
        let parts = [2, 3, 4, 5].into_iter().find_map(|at| found.get(at));
        for part in parts.map_or("", |parts| parts.as_str()).split(',') {
            let words: Vec<&str> = part.split([' ', ':', '\t', '\n']).collect();
            let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
            if let (Some(part), Some(name)) = (words.first(), words.last()) {
                renamed.push((
                    format!(r"(^|[^\w.$'\x22]|\.\.\.){name}\b"),
                    format!("${{1}}{module}{part}"),
                ));
            }
        }
    }
    renamed
}
