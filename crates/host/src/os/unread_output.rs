//! What a user is told of a session's output that could not be read.

use crate::process::ProcessEnd;
use gatewalk_core::agents::Session;
use gatewalk_core::engine::evidence::counted;

/// Returns what of a session's output could not be read.
pub(super) fn unread(session: &Session, ended: &ProcessEnd) -> Vec<String> {
    let (noise, long) = (session.noise_lines, session.truncated_lines);
    let whole = session.finished || !session.structured || *ended != ProcessEnd::Exited(0);
    if noise + long > 0 && !whole {
        return vec![
            "its output breaks off before its last event: it ended without waiting until all of it was read, so what it used is not known".to_owned(),
        ];
    }
    let note = |lines: u64, one: &str, more: &str| {
        let what = if lines == 1 { one } else { more };
        let lines = counted(usize::try_from(lines).unwrap_or(usize::MAX), "line");
        format!("{lines} of its output {what}")
    };
    let of_noise = (noise > 0).then(|| note(noise, "was no event", "were no events"));
    let of_long = (long > 0).then(|| {
        let (one, more) = ("was too long to be read", "were too long to be read");
        note(long, one, more)
    });
    of_noise.into_iter().chain(of_long).collect()
}
