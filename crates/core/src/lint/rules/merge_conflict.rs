//! `GW124`. See `merge_conflict.md`.

use crate::lint::context::FileCx;
use crate::lint::finding_sink::FindingSink;

pub(super) fn check(file: &FileCx<'_>, out: &mut FindingSink) {
    if !file.text.contains("<<<<<<< ") {
        return;
    }
    let (mut at, mut open) = (0, None);
    for line in file.text.split_inclusive('\n') {
        let bare = line.trim_end();
        if line.starts_with("<<<<<<< ") {
            open = Some(at..at + bare.len());
        } else if line.starts_with(">>>>>>> ")
            && let Some(from) = open.take()
        {
            let message = "a merge was not finished: both sides stand in the file";
            out.at(&file.path, from, message).help(
                "keep what is right of both, and take out the lines `<<<<<<<`, `=======` and `>>>>>>>`",
            );
        }
        at += line.len();
    }
}
