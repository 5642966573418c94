//! A session's log read as far as it goes, without waiting for more.

use crate::cli::Context;
use gatewalk_core::agents::{self, Listener, Session, UserAgents};
use gatewalk_core::engine::evidence::sanitize;
use gatewalk_core::error::{Error, Result};
use gatewalk_host::process::LINE_CAP;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

/// The most of a log that is read, from its end.
const LOG_LIMIT: u64 = 16 << 20;
/// The most lines that a transcript has, the last ones.
const TRANSCRIPT_LINES: usize = 2_000;

/// The most of a command's output that is shown, its end.
const OUTPUT_LIMIT: u64 = 8 << 10;

/// Returns the end of what a command printed; none where that is not kept.
pub(super) fn end_of_output(log: &Path) -> Option<String> {
    let mut file = File::open(log).ok()?;
    let length = file.metadata().ok()?.len();
    let surplus = length.saturating_sub(OUTPUT_LIMIT);
    file.seek(SeekFrom::Start(surplus)).ok()?;
    let mut bytes = Vec::new();
    file.take(OUTPUT_LIMIT).read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    Some(match text.split_once('\n') {
        // The line that is cut in two is left out.
        Some((_, whole)) if surplus > 0 => format!("…\n{whole}"),
        _ => text.into_owned(),
    })
}

/// Hands the lines of a log to a listener of its agent, and what is known after each to `each`.
fn read(
    context: &Context,
    (agent, log): (&str, &Path),
    mut each: impl FnMut(&Session),
) -> Result<Session> {
    let host = context.host()?;
    let user = UserAgents {
        defined: &host.agents,
        cwd: &host.cwd,
    };
    let mut listener = Listener::new(agents::choose(agent, &user)?.agent);
    let broken = |e: std::io::Error| Error::io("read", log, &e);
    let mut file = File::open(log).map_err(broken)?;
    let length = file.metadata().map_err(broken)?.len();
    if length > LOG_LIMIT {
        file.seek(SeekFrom::Start(length - LOG_LIMIT))
            .map_err(broken)?;
    }
    let mut lines = BufReader::new(file.take(LOG_LIMIT));
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = lines.read_until(b'\n', &mut line).map_err(broken)?;
        if read == 0 {
            return Ok(listener.end());
        }
        let whole = line.strip_suffix(b"\n").unwrap_or(&line);
        listener.line(whole, whole.len() > LINE_CAP);
        each(listener.session());
    }
}

/// Returns what is known of a session by its log, and what it said and did, a line each.
pub(crate) fn transcript(
    context: &Context,
    agent: &str,
    log: &Path,
) -> Result<(Session, Vec<String>)> {
    let mut shown = super::live_output::Progress::default();
    let mut lines = Vec::new();
    let folded = read(context, (agent, log), |session| {
        lines.extend(shown.after(session).iter().map(|line| sanitize(line)));
        if lines.len() > 2 * TRANSCRIPT_LINES {
            lines.drain(..TRANSCRIPT_LINES);
        }
    })?;
    let surplus = lines.len().saturating_sub(TRANSCRIPT_LINES);
    lines.drain(..surplus);
    Ok((folded, lines))
}
