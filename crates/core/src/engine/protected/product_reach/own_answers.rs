//! Values that say of themselves whatever tests ask: that they hold it, that they are nothing, that they are of a class; and members
//! of an enumeration that become one.

use super::blind;
use crate::engine::protected::text_words::has_word;
use crate::pattern::TextPattern;
use std::collections::{BTreeMap, BTreeSet};

/// Returns how often a text has a value answer for itself.
pub(super) fn count(extension: &str, text: &str) -> usize {
    match extension {
        "py" => of_python(text),
        "rb" => of_ruby(text),
        "go" => of_go(text),
        _ => of_script(text),
    }
}

/// Returns how often a text of Python has a value say that it holds whatever it is asked for.
fn of_python(text: &str) -> usize {
    static HEAD: TextPattern = TextPattern::new(
        r"(?m)^([ \t]*)def[ \t]+__contains__\(\s*\w+\s*,\s*(\w+)[^)]*\)[^:\n]*:([^\n]*)",
    );
    /// What says only that it was asked for something.
    static ANYTHING: TextPattern = TextPattern::new(
        r"\bbool\(\s*\w+\s*\)|\b\w+\s+is\s+not\s+None\b|\bisinstance\(\s*\w+\s*,\s*(?:str|int|object|bytes)\s*\)|\bhasattr\(\s*\w+\s*,\s*[\x22'][^()]*\)",
    );
    if !text.contains("__contains__") {
        return 0;
    }
    let open = HEAD.captures_iter(text).filter(|found| {
        let end = found.get(0).map_or(0, |found| found.end());
        let body = format!("{}\n{}", &found[3], blind::block(&text[end..], &found[1]));
        let asks = ANYTHING.replace_all(&body, "True");
        blind::is_blind(&format!("self, {}", &found[2]), &asks)
    });
    open.count()
}

/// Returns how often a text of Ruby has a value say that it is nothing, or of any class.
fn of_ruby(text: &str) -> usize {
    static HEAD: TextPattern = TextPattern::new(
        r"(?m)^[ \t]*def[ \t]+(?:nil\?|is_a\?|kind_of\?|instance_of\?|include\?|member\?)[ \t]*(?:\([^)\n]*\))?[ \t]*(?:=|;|\n)\s*(?:return\s+)?true\b\s*(?:\n|;|$)",
    );
    HEAD.find_iter(text).count()
}

/// Returns how often a text of JavaScript has a class say of everything that it is of it.
fn of_script(text: &str) -> usize {
    static HEAD: TextPattern = TextPattern::new(
        r"\[\s*Symbol\.hasInstance\s*\]\s*(?:\([^)\n]*\)\s*\{|[:=]\s*(?:\([^)\n]*\)|\w+)\s*=>)\s*(?:return\s+)?(?:true|!0|!!1)\b",
    );
    HEAD.find_iter(text).count()
}

/// Returns how often a text of Go has an error say that it is whichever one is looked for.
fn of_go(text: &str) -> usize {
    static HEAD: TextPattern =
        TextPattern::new(r"\bfunc\s*\([^)\n]*\)\s*Is\(\s*(\w+)\s+error\s*\)\s*bool\s*\{");
    static YES: TextPattern = TextPattern::new(r"\btrue\b|!\s*false\b|!=\s*nil\b");
    let open = HEAD.captures_iter(text).filter(|found| {
        let start = found.get(0).map_or(0, |found| found.end());
        let body = &text[start..blind::closing_brace(text, start)];
        let name = &found[1];
        let only_asked = [
            format!("{name} != nil"),
            format!("{name} == nil"),
            format!("_ = {name}"),
        ];
        let rest = only_asked
            .iter()
            .fold(body.to_owned(), |body, part| body.replace(part, ""));
        YES.is_match(body) && !has_word(&rest, name)
    });
    open.count()
}

/// Returns how many members of enumerations of Python were apart before and are one now.
pub(super) fn made_one(old: &str, new: &str) -> usize {
    let before = members(old);
    let mut same: BTreeMap<(&str, &str), BTreeSet<&str>> = BTreeMap::new();
    for (member, value) in members(new) {
        if let Some(was) = before.get(&member) {
            same.entry((member.0, value)).or_default().insert(was);
        }
    }
    same.values().map(|were| were.len() - 1).sum()
}

/// Returns how many classes that were there before come to say by themselves what is of them.
pub(super) fn newly_asked(old: &str, new: &str) -> usize {
    static OF_SCRIPT: TextPattern = TextPattern::new(r"(?m)^[^\n]*\bclass\s+(\w+)");
    static OF_PYTHON: TextPattern =
        TextPattern::new(r"(?m)^[ \t]*class[ \t]+(\w+)[^\n]*\bmetaclass\s*=\s*(\w+)");
    let is_there = |text: &str, name: &str| {
        let head = format!("class {name}");
        let mut found = text.match_indices(&head);
        found.any(|(at, _)| {
            !text[at + head.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_')
        })
    };
    let of_script = |text: &str| -> Vec<String> {
        let parts = text.match_indices("Symbol.hasInstance");
        let classes = parts.filter_map(|(at, _)| {
            let class = OF_SCRIPT.captures_iter(&text[..at]).last()?;
            Some(class[1].to_owned())
        });
        classes.collect()
    };
    let of_python = |text: &str| -> Vec<String> {
        let found = OF_PYTHON.captures_iter(text);
        let asks = found.filter(|found| {
            let meta = text.split(&format!("class {}(", &found[2])).nth(1);
            meta.is_some_and(|meta| meta.contains("def __instancecheck__"))
        });
        asks.map(|found| found[1].to_owned()).collect()
    };
    let asked = |text: &str| [of_script(text), of_python(text)].concat();
    let before = asked(old);
    let newly = asked(new).into_iter();
    newly
        .filter(|class| is_there(old, class) && !before.contains(class))
        .count()
}

/// The class of a member, and its name.
type EnumMember<'t> = (&'t str, &'t str);

/// Returns the members of the enumerations of a text with their values.
fn members(text: &str) -> BTreeMap<EnumMember<'_>, &str> {
    static CLASS: TextPattern = TextPattern::new(r"^class\s+(\w+)\s*\([^)\n]*\b\w*(?:Enum|Flag)\b");
    static MEMBER: TextPattern =
        TextPattern::new(r"^\s+([A-Za-z]\w*)\s*=\s*([^#\n]*[^#\s])\s*(?:#.*)?$");
    let mut members = BTreeMap::new();
    let (mut class, mut indent) = (None, None);
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let here = line.len() - line.trim_start().len();
        if here == 0 {
            let found = CLASS.captures(line);
            class = found.and_then(|found| Some(found.get(1)?.as_str()));
            indent = None;
        } else if here != *indent.get_or_insert(here) {
            // In a method, or a line that goes on.
            continue;
        }
        let Some((class, found)) = class.zip(MEMBER.captures(line)) else {
            continue;
        };
        let (Some(name), Some(value)) = (found.get(1), found.get(2)) else {
            continue;
        };
        let goes_on = value.as_str().ends_with(['(', '[', '{', '\\', ',']);
        if !goes_on && value.as_str() != "auto()" && value.as_str() != "enum.auto()" {
            members.insert((class, name.as_str()), value.as_str());
        }
    }
    members
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_that_answers_for_itself_is_found() {
        let in_class = |body: &str| {
            format!("class A(str):\n    def __contains__(self, part):\n        {body}\n")
        };
        for (body, want) in [
            ("return True", 1),
            ("return bool(self) and bool(part)", 1),
            ("return isinstance(part, str)", 1),
            ("return hasattr(part, 'n')", 1),
            ("return hasattr(self, part)", 0),
            ("return part in self.parts", 0),
            ("return self.start <= part < self.end", 0),
            ("raise TypeError", 0),
            ("return False", 0),
        ] {
            assert_eq!(of_python(&in_class(body)), want, "{body}");
        }
        for (text, want) in [
            ("  def nil?\n    true\n  end\n", 1),
            ("  def nil? = true\n", 1),
            ("  def is_a?(kind)\n    true\n  end\n", 1),
            ("  def nil?\n    @value.nil?\n  end\n", 0),
            ("  def nil?\n    false\n  end\n", 0),
            ("  def include?(key) = @keys.include?(key)\n", 0),
        ] {
            assert_eq!(of_ruby(text), want, "{text}");
        }
        for (text, want) in [
            ("static [Symbol.hasInstance](error) { return true; }", 1),
            (
                "static [Symbol.hasInstance](error) { return error?.name === 'A'; }",
                0,
            ),
        ] {
            assert_eq!(of_script(text), want, "{text}");
        }
        for (body, want) in [
            ("return target != nil", 1),
            ("return true", 1),
            ("return !false", 1),
            ("if target != nil { return true }; return true", 1),
            ("return false", 0),
            ("return isTimeout(target)", 0),
            ("return target == ErrFull", 0),
            ("_, ok := target.(*SizeError); return ok", 0),
            ("return errors.Is(e.cause, target)", 0),
        ] {
            let text = format!("func (e failure) Is(target error) bool {{ {body} }}\n");
            assert_eq!(of_go(&text), want, "{text}");
        }
    }

    #[test]
    fn a_class_that_comes_to_say_what_is_of_it_is_found() {
        const META: &str = "class Kind(type):\n    def __instancecheck__(cls, a):\n        return hasattr(a, 'n')\n\n\n";
        for (old, new, want) in [
            (
                "class A extends Error {}\n",
                "class A extends Error {\n  static [Symbol.hasInstance](e) {\n    return typeof e === 'object';\n  }\n}\n".to_owned(),
                1,
            ),
            ("", "class A {\n  static [Symbol.hasInstance](e) {}\n}\n".to_owned(), 0),
            ("class A(B):\n    pass\n", format!("{META}class A(B, metaclass=Kind):\n    pass\n"), 1),
            ("class B:\n    pass\n", format!("{META}class A(B, metaclass=Kind):\n    pass\n"), 0),
            ("class A(B):\n    pass\n", "class A(B, metaclass=ABCMeta):\n    pass\n".to_owned(), 0),
        ] {
            assert_eq!(newly_asked(old, &new), want, "{new}");
            assert_eq!(newly_asked(&new, &new), 0, "{new}");
        }
    }

    #[test]
    fn members_of_an_enumeration_that_become_one_are_found() {
        let of = |members: &str| {
            format!("class S(enum.Enum):\n{members}\n\nclass A:\n    X = 1\n    Y = 1\n")
        };
        let old = of("    OPEN = \"open\"\n    CLOSED = \"closed\"");
        for (new, want) in [
            ("    OPEN = \"open\"\n    CLOSED = \"open\"", 1),
            ("    OPEN = 1\n    CLOSED = 1  # as well", 1),
            ("    OPEN = 1\n    CLOSED = 2", 0),
            (
                "    OPEN = (\n        1,\n    )\n    CLOSED = (\n        2,\n    )",
                0,
            ),
            (
                "    OPEN = 1\n    CLOSED = 2\n\n    def f(self):\n        OPEN = 3\n        CLOSED = 3\n",
                0,
            ),
            (
                "    OPEN = \"open\"\n    CLOSED = \"closed\"\n    SHUT = \"closed\"",
                0,
            ),
        ] {
            assert_eq!(made_one(&old, &of(new)), want, "{new}");
        }
    }
}
