//! What stands under the cursor: an id, a rule's code, a key of frontmatter.

use super::open_repository::OpenRepository;
use super::state::CursorRequest;
use gatewalk_core::diagnostic::Span;
use gatewalk_core::lint::requirements::{self, Requirement};
use gatewalk_core::model::feature::{Feature, PlannedUnit};
use gatewalk_core::model::frontmatter::Key;
use gatewalk_core::model::gate::GateFront;
use gatewalk_core::model::layout;
use gatewalk_core::model::plan::PlanFront;
use gatewalk_core::model::unit::UnitFront;
use gatewalk_core::path_names::is_below;

/// Returns the run of characters of ids and paths around a byte.
pub(super) fn token(text: &str, at: usize) -> Span {
    let is_part = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'/' | b'.');
    let bytes = text.as_bytes();
    let mut start = at.min(bytes.len());
    while start > 0 && is_part(bytes[start - 1]) {
        start -= 1;
    }
    let mut end = at.min(bytes.len());
    while end < bytes.len() && is_part(bytes[end]) {
        end += 1;
    }
    // A sentence ends behind an id; that is no part of it.
    while end > start && matches!(bytes[end - 1], b'.' | b'/' | b'-') {
        end -= 1;
    }
    start..end
}

/// Returns every place of a whole id in a text: `T01`, not `T010`.
pub(super) fn places(text: &str, id: &str) -> Vec<Span> {
    let is_more = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '/');
    text.match_indices(id)
        .filter(|(at, _)| {
            let before = text[..*at].chars().next_back().is_none_or(|c| !is_more(c));
            before && !text[at + id.len()..].starts_with(is_more)
        })
        .map(|(at, id)| at..at + id.len())
        .collect()
}

/// Returns the feature a file belongs to.
pub(super) fn feature_of<'r>(repository: &'r OpenRepository, path: &str) -> Option<&'r Feature> {
    let mut features = repository.workspace.features();
    features.find(|feature| is_below(path, &feature.dir))
}

/// Returns the unit that the word under the cursor names: its id, its local id, or its file.
pub(super) fn unit_at<'s>(
    request: &CursorRequest<'s>,
) -> Option<(&'s Feature, PlannedUnit<'s>, Span)> {
    let span = token(request.text, request.at);
    let word = &request.text[span.clone()];
    let own = feature_of(request.repository, &request.path);
    let all = request.repository.workspace.features();
    let by_id = all.into_iter().find_map(|f| Some((f, f.member(word)?)));
    let (feature, member) = by_id.or_else(|| own.and_then(|f| Some((f, f.find_unit(word)?))))?;
    Some((feature, member, span))
}

/// Returns the requirement of the own feature that the word under the cursor names.
pub(super) fn requirement_at<'s>(
    request: &CursorRequest<'s>,
) -> Option<(&'s Feature, Requirement, Span)> {
    let span = token(request.text, request.at);
    let word = &request.text[span.clone()];
    let feature = feature_of(request.repository, &request.path)?;
    let all = requirements::of(&feature.plan).into_iter();
    let found = all.into_iter().find(|r| r.id == word)?;
    Some((feature, found, span))
}

/// Returns the feature that the word under the cursor names by its id.
pub(super) fn feature_at<'s>(request: &CursorRequest<'s>) -> Option<(&'s Feature, String, Span)> {
    let span = token(request.text, request.at);
    let word = &request.text[span.clone()];
    let named = |f: &&Feature| f.plan.id.as_ref().is_some_and(|id| id.as_str() == word);
    let feature = request.repository.workspace.features().find(named)?;
    Some((feature, word.to_owned(), span))
}

/// Returns every place of a feature's id in a text, also at the head of a unit's id or of a name.
pub(super) fn heads(text: &str, id: &str) -> Vec<Span> {
    let joins = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(id)
        .filter(|(at, _)| {
            let before = text[..*at].chars().next_back();
            before.is_none_or(|c| !joins(c) && c != '-')
                && !text[at + id.len()..].starts_with(joins)
        })
        .map(|(at, id)| at..at + id.len())
        .collect()
}

/// Returns the keys a file's frontmatter may have.
pub(super) fn keys_of(path: &str) -> &'static [Key] {
    let name = path.rsplit('/').next().unwrap_or(path);
    if name == layout::PLAN {
        PlanFront::KEYS
    } else if layout::is_unit_file(name) {
        UnitFront::KEYS
    } else if layout::gate_number(name).is_some() {
        GateFront::KEYS
    } else if name == layout::CONFIG {
        gatewalk_core::model::config::ConfigFront::KEYS
    } else {
        &[]
    }
}

/// Returns where the frontmatter is: `config.yml` is one from end to end.
pub(super) fn front_of(path: &str, text: &str) -> Option<Span> {
    if path.ends_with(".yml") {
        return Some(0..text.len());
    }
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let skipped = text.len() - body.len();
    let first = body.find('\n')?;
    if body[..first].trim_end() != "---" {
        return None;
    }
    let start = skipped + first + 1;
    // While it is typed, the closing line may not be there yet: then everything up to a blank line.
    let mut at = start;
    for line in text[start..].split_inclusive('\n') {
        if line.trim_end() == "---" {
            return Some(start..at);
        }
        at += line.len();
    }
    let end = text[start..]
        .find("\n\n")
        .map_or(text.len(), |n| start + n + 1);
    Some(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_found_whole() {
        let text = "T01 (FEAT-2026-0001/T01), FEAT-2026-0001/T010, see FEAT-2026-0001/T01.";
        assert_eq!(places(text, "FEAT-2026-0001/T01"), [5..23, 51..69]);
        assert_eq!(&text[token(text, 60)], "FEAT-2026-0001/T01");
        assert_eq!(&text[token(text, 5)], "FEAT-2026-0001/T01");
        assert_eq!(token("", 0), 0..0);
        let text = "FEAT-2026-0001/T01 FEAT-2026-00012 feat/FEAT-2026-0001-x XFEAT-2026-0001";
        assert_eq!(heads(text, "FEAT-2026-0001"), [0..14, 40..54]);
    }

    #[test]
    fn frontmatter_ends_at_its_line_even_while_it_is_typed() {
        assert_eq!(front_of("a/WU-01-x.md", "---\nid: a\n---\nb"), Some(4..10));
        assert_eq!(front_of("a/WU-01-x.md", "---\nid: a\n\ntext"), Some(4..10));
        assert_eq!(front_of("a/WU-01-x.md", "text\n---\n"), None);
    }
}
