//! Why work by hand does not land.

use crate::engine::evidence::one_line;
use crate::error::Error;
use crate::object_id::ObjectId;

pub(super) fn branch_moved(branch: &str) -> Error {
    Error::integrity(format!("`{branch}` moved while the work was verified"))
        .hint("nothing landed, and your files are as they were: run it again")
}

pub(super) fn nothing_to_land(id: &str, began: Option<&ObjectId>) -> Error {
    let error = Error::plan(format!(
        "{id}: there is no work to land: it changes nothing"
    ));
    let error = match began {
        None => error.hint(format!(
            "where the work is on the branch already: gatewalk land {id} --base REV, the commit it began at"
        )),
        Some(_) => error,
    };
    error.hint("nothing was touched")
}

pub(super) fn conflict(branch: &str, paths: &[String]) -> Error {
    let paths: Vec<String> = paths.iter().map(|p| one_line(p)).collect();
    Error::plan(format!(
        "the work and `{branch}` both changed {}",
        paths.join(", ")
    ))
    .hint(format!(
        "merge or rebase your work onto `{branch}` and run it again"
    ))
    .hint("nothing landed, and your files are as they were")
}
