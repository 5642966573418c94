//! `GW110`. See `unsupported_yaml.md`.

use crate::lint::context::FileCx;
use crate::lint::finding_sink::FindingSink;
use crate::model::yaml::YamlErrorKind;

pub(super) fn check(file: &FileCx<'_>, out: &mut FindingSink) {
    for (kind, message, span) in &file.yaml {
        if matches!(kind, YamlErrorKind::Unsupported(_)) {
            out.at(&file.path, span.clone(), *message);
        }
    }
}
