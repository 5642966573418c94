//! `GW110`. See `unsupported_yaml.md`.

use crate::diagnostic::Span;
use crate::lint::context::FileCx;
use crate::lint::finding_sink::FindingSink;
use crate::lint::one_meaning;
use crate::model::yaml::YamlErrorKind;

pub(super) fn check(file: &FileCx<'_>, out: &mut FindingSink) {
    for (kind, message, span) in &file.yaml {
        if matches!(kind, YamlErrorKind::Unsupported(_)) {
            let found = out.at(&file.path, span.clone(), *message);
            if let Some((span, text)) = meant_as_text(file.text, span.start) {
                found.safe_fix("put it in quotes", vec![(span, text)]);
            }
        }
    }
}

/// Returns a glob or a negated command in quotes: nothing else of YAML looks like these.
fn meant_as_text(text: &str, at: usize) -> Option<(Span, String)> {
    let span = one_meaning::rest_of_value(text, at)?;
    let value = &text[span.clone()];
    let is_glob = value.starts_with('*') && value.contains(['/', '.']) && !value.contains(' ');
    let is_negation = value.starts_with("! ");
    let quoted = one_meaning::quoted(value).filter(|_| is_glob || is_negation)?;
    Some((span, quoted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_globs_and_negations_are_meant_as_text() {
        for (line, want) in [
            ("run: ! grep -q a b", Some("'! grep -q a b'")),
            ("touches: **/*.sh", Some("'**/*.sh'")),
            ("model: *default", None),
            ("run: !local x", None),
            ("run: !!str 5", None),
        ] {
            let at = line.find(": ").expect("a value") + 2;
            let found = meant_as_text(line, at).map(|(_, text)| text);
            assert_eq!(found.as_deref(), want, "{line}");
        }
    }
}
