//! New symbolic links that lead out of the repository: what they lead to is judged, and does not land.

use crate::engine::changed_file::ChangedFile;
use crate::engine::changed_file::ChangedPathKind;
use crate::engine::evidence::one_line;
use crate::engine::failure_class::FailureClass;
use crate::engine::guards::{self, Violation};
use crate::model::unit::{TOUCHES_ANY, Unit};

/// Returns the violation that a diff's new links are, except those that the unit's `touches` names.
pub(super) fn refused(unit: &Unit, pairs: &[ChangedFile<'_>]) -> Option<Violation> {
    let touches = Unit::list(&unit.front.touches).into_iter();
    let named: Vec<&str> = touches.filter(|glob| *glob != TOUCHES_ANY).collect();
    let named = guards::set(&named);
    let links: Vec<String> = pairs
        .iter()
        .filter(|p| !p.change.regular && p.change.kind != ChangedPathKind::Deleted)
        .filter(|p| !named.is_match(&p.change.path))
        .filter(|p| {
            p.new
                .is_some_and(|target| leads_out(&p.change.path, target))
        })
        .map(|p| one_line(&p.change.path))
        .collect();
    (!links.is_empty()).then(|| Violation {
        class: FailureClass::OutOfScope,
        message: "these links lead out of the repository, or through a directory and up again, so what is judged there may not be what lands; put the files themselves there, or a link that goes straight to them. A user may allow a link with its path in `touches`"
            .to_owned(),
        paths: links,
    })
}

/// Returns whether a link leads out. Behind a name, `..` is no way back: the name may be a link itself.
fn leads_out(path: &str, target: &[u8]) -> bool {
    let target = String::from_utf8_lossy(target);
    let parts: Vec<&str> = target
        .split('/')
        .filter(|part| !matches!(*part, "" | "."))
        .collect();
    let ups = parts.iter().filter(|part| **part == "..").count();
    let leading = parts.iter().take_while(|part| **part == "..").count();
    target.starts_with('/') || ups > leading || ups > path.matches('/').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_that_may_lead_out_is_found() {
        for (path, target, want) in [
            ("a", "b", false),
            ("a", "./b", false),
            ("a", "d/b", false),
            ("d/a", "../b", false),
            ("d/e/a", "../../b/c", false),
            ("a", "..", true),
            ("a", "../b", true),
            ("d/a", "../../b", true),
            ("a", "/etc/passwd", true),
            ("a", "d/../b", true),
            ("d/a", "../e/../b", true),
            ("d/a", "./..//b", false),
        ] {
            assert_eq!(leads_out(path, target.as_bytes()), want, "{path} {target}");
        }
    }
}
