//! `GW104`. See `duplicate_key.md`.

use crate::lint::context::FileCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::yaml::YamlErrorKind;

pub(super) fn check(file: &FileCx<'_>, out: &mut FindingSink) {
    for (kind, message, span) in &file.yaml {
        if let YamlErrorKind::DuplicateKey { first } = kind {
            out.at(&file.path, span.clone(), *message)
                .label("this one does not count")
                .related(&file.path, first.clone(), "the first one")
                .help("keep the one that is meant");
        }
    }
}
