//! Templates and the values that go into them.
//!
//! A template is an ordinary file of the format with `{{name}}` markers. Values land quoted as YAML
//! where they stand in the frontmatter and as they are in the body. An unknown marker stays as it
//! is, so an edited template loses nothing. Deliberately not here: conditions and loops.

/// The three templates a state directory has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Templates<'a> {
    /// `templates/PLAN.md`
    pub plan: &'a str,
    /// `templates/GATE.md`
    pub gate: &'a str,
    /// `templates/WU.md`
    pub unit: &'a str,
}

/// The templates as shipped.
pub const SHIPPED: Templates<'static> = Templates {
    plan: include_str!("../../assets/templates/PLAN.md"),
    gate: include_str!("../../assets/templates/GATE.md"),
    unit: include_str!("../../assets/templates/WU.md"),
};

/// The pages of units that are alike in every repository.
pub(super) const HUMAN: &str = include_str!("../../assets/scaffold/units/human.md");
pub(super) const CLOSE_INTERMEDIATE: &str =
    include_str!("../../assets/scaffold/units/close-intermediate.md");
pub(super) const PLAN_NEXT: &str = include_str!("../../assets/scaffold/units/plan-next.md");
pub(super) const CLOSE: &str = include_str!("../../assets/scaffold/units/close.md");

/// Returns the template with every known marker replaced.
pub(crate) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let (head, body) = template.split_at(frontmatter_end(template));
    replace(head, values, yaml_scalar) + &replace(body, values, one_line)
}

/// Returns where the body starts: after the second `---` line, or 0.
fn frontmatter_end(text: &str) -> usize {
    let mut at = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        at += line.len();
        let fence = line.trim_end() == "---" || (number == 0 && line.trim_end() == "\u{feff}---");
        match (number, fence) {
            (0, false) => return 0,
            (0, true) => {}
            (_, true) => return at,
            (_, false) => {}
        }
    }
    0
}

fn replace(text: &str, values: &[(&str, &str)], show: fn(&str) -> String) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    // One pass from left to right: a value that looks like a marker is never filled again.
    while let Some(open) = rest.find("{{") {
        let (before, from) = rest.split_at(open);
        out.push_str(before);
        let known = values.iter().find(|(name, _)| {
            from[2..]
                .strip_prefix(name)
                .is_some_and(|r| r.starts_with("}}"))
        });
        match known {
            Some((name, value)) => {
                let plain_part = from[2 + name.len() + 2..]
                    .chars()
                    .next()
                    .is_some_and(|c| !c.is_whitespace())
                    || before
                        .chars()
                        .next_back()
                        .is_some_and(|c| !c.is_whitespace());
                // Inside a longer scalar (a path, a list) quotes would become part of the text.
                out.push_str(&if plain_part {
                    one_line(value)
                } else {
                    show(value)
                });
                rest = &from[2 + name.len() + 2..];
            }
            None => {
                out.push_str("{{");
                rest = &from[2..];
            }
        }
    }
    out.push_str(rest);
    out
}

/// Returns a text without line breaks and control characters: a title is one line wherever it goes.
pub(super) fn one_line(text: &str) -> String {
    let clean: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    clean.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns a text as a one-line YAML scalar, quoted only where a plain one would be misread.
pub(super) fn yaml_scalar(text: &str) -> String {
    let text = one_line(text);
    let starts_well = text
        .chars()
        .next()
        .is_some_and(|c| c.is_alphabetic() || c == '_');
    let plain = text
        .chars()
        .all(|c| c.is_alphanumeric() || " _./+-,()'".contains(c))
        && !text.ends_with(' ');
    let word = text.to_ascii_lowercase();
    let reserved = [
        "y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan",
    ]
    .contains(&word.as_str());
    // An integer with no leading zero reads the same quoted or not; everything else that starts
    // with a digit may be a date, a float or an octal number to some reader.
    let integer = !text.starts_with('0')
        && !text.is_empty()
        && text.len() < 10
        && text.bytes().all(|b| b.is_ascii_digit());
    if integer || (starts_well && plain && !reserved) {
        return text;
    }
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_quoted_in_frontmatter_and_plain_in_the_body() {
        let rows = [
            ("User export", "title: User export\n---\n# User export\n"),
            ("a: b", "title: \"a: b\"\n---\n# a: b\n"),
            ("no", "title: \"no\"\n---\n# no\n"),
            ("7", "title: 7\n---\n# 7\n"),
            ("2026-01-02", "title: \"2026-01-02\"\n---\n# 2026-01-02\n"),
            (
                "say \"x\" \\",
                "title: \"say \\\"x\\\" \\\\\"\n---\n# say \"x\" \\\n",
            ),
            (
                "two\nlines\u{1b}[0m",
                "title: \"two lines [0m\"\n---\n# two lines [0m\n",
            ),
            ("{{title}}", "title: \"{{title}}\"\n---\n# {{title}}\n"),
            ("Überblick", "title: Überblick\n---\n# Überblick\n"),
            ("", "title: \"\"\n---\n# \n"),
        ];
        for (title, want) in rows {
            let got = fill(
                "---\ntitle: {{title}}\n---\n# {{title}}\n",
                &[("title", title)],
            );
            assert_eq!(got, format!("---\n{want}"), "{title:?}");
        }
    }

    #[test]
    fn unknown_markers_and_values_inside_a_path_stay_as_they_are() {
        let got = fill(
            "---\nproduces: {{dir}}/X.md\nc: [{{c}}]\n---\n{{other}}\n",
            &[("dir", ".g/f"), ("c", "REQ-A-1")],
        );
        assert_eq!(
            got,
            "---\nproduces: .g/f/X.md\nc: [REQ-A-1]\n---\n{{other}}\n"
        );
    }
}
