//! Runtime state below `$GIT_DIR/gatewalk/`: notes of running sessions, results on trees, logs.
//! Nothing here is a source of truth; deleting it while nothing runs loses logs and time.

use crate::crash;
use crate::files::write_runtime;
use gatewalk_core::driver::ports::{InFlight, SlotId};
use gatewalk_core::engine::secrets;
use gatewalk_core::error::{Error, Result};
use std::fs;
use std::io::{BufRead, Read, Write};
use std::path::{Path, PathBuf};

fn in_flight_dir(state: &Path) -> PathBuf {
    state.join("in-flight")
}

pub(super) fn note_in_flight(state: &Path, note: &InFlight) -> Result<()> {
    let path = in_flight_dir(state).join(format!("{}.json", note.slot));
    make_parent(&path)?;
    let json = serde_json::to_vec(note).expect("plain data");
    write_runtime(&path, &json)
}

/// Returns the sessions that are running, or were when the last driver died.
pub fn read_in_flight(state: &Path) -> Result<Vec<InFlight>> {
    let dir = in_flight_dir(state);
    let entries = match fs::read_dir(&dir) {
        Ok(entries) => entries,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(vec![]),
        Err(e) => return Err(Error::io("read", &dir, &e)),
    };
    let mut notes: Vec<InFlight> = entries
        .filter_map(|entry| fs::read(entry.ok()?.path()).ok())
        .filter_map(|bytes| serde_json::from_slice(&bytes).ok())
        .collect();
    notes.sort_by_key(|note| note.slot);
    Ok(notes)
}

pub(super) fn clear_in_flight(state: &Path, slot: SlotId) -> Result<()> {
    let path = in_flight_dir(state).join(format!("{slot}.json"));
    match crash::around("forget a session", || fs::remove_file(&path)) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(Error::io("remove", &path, &e)),
        _ => Ok(()),
    }
}

/// How much of a session's output elsewhere is kept here.
const MOST_OF_A_LOG: usize = 8 << 20;

/// The log of a session that runs elsewhere. Losing it costs nothing but the text.
pub(super) struct SessionLog {
    file: Option<fs::File>,
    left: usize,
}

/// Opens the log of a session that runs elsewhere.
pub(super) fn open_log(path: &Path) -> SessionLog {
    let file = make_parent(path)
        .ok()
        .and_then(|()| fs::File::create(path).ok());
    SessionLog {
        file,
        left: MOST_OF_A_LOG,
    }
}

impl SessionLog {
    /// Adds a line, as long as there is room.
    pub(super) fn line(&mut self, line: &[u8]) {
        let fits = self.left > line.len();
        let Some(file) = self.file.as_mut().filter(|_| fits) else {
            self.left = 0;
            return;
        };
        self.left -= line.len() + 1;
        // A full disk is no reason to fail a session.
        drop(file.write_all(&[line, b"\n"].concat()));
    }
}

/// How much of a log is looked at in one piece.
const PIECE: usize = 1024 * 1024;

/// Takes secrets out of a log that was written as it came. Losing one for it costs nothing but the log, so what cannot be
/// rewritten is removed.
pub(super) fn withhold_secrets(log: &Path) {
    let rewritten = || -> std::io::Result<()> {
        let mut found = false;
        pieces(log, |_, hides| {
            found |= hides.is_some();
            Ok(())
        })?;
        if !found {
            return Ok(());
        }
        let clean = log.with_extension("clean");
        let mut out = std::io::BufWriter::new(fs::File::create(&clean)?);
        pieces(log, |piece, hides| {
            out.write_all(hides.map_or(piece, |text| text.as_bytes()))
        })?;
        out.flush()?;
        fs::rename(&clean, log)
    };
    if log.exists() && rewritten().is_err() {
        drop(fs::remove_file(log));
    }
}

/// Shows a file piece by piece, whole lines where they are not endless; with each, what it is without its secrets where
/// there are any.
fn pieces(
    file: &Path,
    mut show: impl FnMut(&[u8], Option<&str>) -> std::io::Result<()>,
) -> std::io::Result<()> {
    let mut reader = std::io::BufReader::new(fs::File::open(file)?);
    loop {
        let mut piece = Vec::new();
        reader.by_ref().take(PIECE as u64).read_to_end(&mut piece)?;
        if piece.is_empty() {
            return Ok(());
        }
        let rest = (PIECE / 16) as u64;
        reader.by_ref().take(rest).read_until(b'\n', &mut piece)?;
        let text = String::from_utf8_lossy(&piece);
        let clean = secrets::redact(&text);
        show(&piece, (clean != *text).then_some(&*clean))?;
    }
}

fn memory_path(state: &Path, key: &str) -> PathBuf {
    state.join("verified").join(key)
}

/// Returns how a command ended, by the name its end is kept under in the driver's state.
pub fn known_exit(state: &Path, key: &str) -> Option<i32> {
    fs::read_to_string(memory_path(state, key))
        .ok()?
        .trim()
        .parse()
        .ok()
}

pub(super) fn write_cached_result(state: &Path, key: &str, exit: i32) {
    let path = memory_path(state, key);
    // A file that is torn or missing only means that the command runs once more.
    if make_parent(&path).is_ok() {
        drop(crash::around("remember", || {
            fs::write(&path, format!("{exit}\n"))
        }));
    }
}

/// Returns the directory of all attempts' logs.
pub(super) fn log_root(state: &Path) -> PathBuf {
    state.join("logs")
}

/// Returns where what a command of an attempt printed is kept.
pub fn command_log(state: &Path, unit: &str, number: u32, command: &str) -> PathBuf {
    let name = log_name(command);
    log_dir(state, unit, number).join(format!("verify-{name}.log"))
}

/// Returns the directory of an attempt's logs.
pub fn log_dir(state: &Path, unit: &str, number: u32) -> PathBuf {
    let unit: String = unit
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || c == '-' || c == '_' {
                c
            } else {
                '_'
            }
        })
        .collect();
    log_root(state).join(unit).join(number.to_string())
}

/// Writes a log; logs are a convenience, so that losing one never fails a run.
pub(super) fn keep(path: &Path, text: &str) {
    if make_parent(path).is_ok() {
        drop(crash::around("keep", || fs::write(path, text)));
    }
}

/// Notes whether a session on a runner has begun there.
pub(super) fn note_begun(session: (&Path, &str, u32), begun: bool) {
    let path = begun_file(session);
    match begun {
        true => keep(&path, ""),
        false => drop(fs::remove_file(path)),
    }
}

/// Returns whether a session on a runner has begun there: before that it waits in its engine's queue, or travels.
pub fn has_begun(state: &Path, unit: &str, number: u32) -> bool {
    begun_file((state, unit, number)).exists()
}

fn begun_file((state, unit, number): (&Path, &str, u32)) -> PathBuf {
    log_dir(state, unit, number).join("begun")
}

pub(super) fn make_parent(path: &Path) -> Result<()> {
    let parent = path.parent().unwrap_or(path);
    fs::create_dir_all(parent).map_err(|e| Error::io("create", parent, &e))
}

/// Returns the name of a command as a log's file has it.
pub(super) fn log_name(command: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let of = |c: char| if plain(c) { c } else { '_' };
    command.chars().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_keeps_everything_but_its_secrets() {
        let dir = tempfile::tempdir().unwrap();
        let log = dir.path().join("session.log");
        let secret = format!("ghp_{}", "0qWe1rTy2uIo3pAs4dFg5hJk6lZx7cVb8nMq");
        // Where one piece ends and the next begins.
        let long = "a line\n".repeat(PIECE / 7 + 1);
        let across = format!("{}\n", &long[..PIECE - 4]);
        for (name, before, after) in [
            ("plain", &b"a\xff\r\nb"[..], ""),
            ("small", b"a\n", " end"),
            ("beyond the first piece", long.as_bytes(), "\n"),
            ("across", across.as_bytes(), "\nend\n"),
        ] {
            let text = |key: &str| [before, key.as_bytes(), after.as_bytes()].concat();
            let key = if name == "plain" { "" } else { &secret };
            fs::write(&log, text(key)).unwrap();
            withhold_secrets(&log);
            let want = text(if key.is_empty() {
                ""
            } else {
                "[github-token withheld]"
            });
            assert!(fs::read(&log).unwrap() == want, "{name}");
        }
        withhold_secrets(&dir.path().join("none"));
    }
}
