//! Where commands print: results to stdout, progress and errors to stderr. Only screens, and what speaks a protocol on stdout,
//! write there themselves.

use gatewalk_core::error::Error;
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::{Value, json};
use std::io::{BufWriter, ErrorKind, IsTerminal, Write};
use std::sync::OnceLock;

/// The shape of the objects that `--json` prints; it rises when a key changes its meaning or goes.
const JSON_VERSION: u32 = 1;

/// How much of a long object is written at once, in bytes.
const JSON_PIECE: usize = 64 << 10;

/// Why some of the result could not be written.
static LOST_RESULT: OnceLock<String> = OnceLock::new();

/// Keeps why a result was not written: the work goes on, its text is lost.
fn keep_loss(written: std::io::Result<()>) {
    if let Err(error) = written
        && error.kind() != ErrorKind::BrokenPipe
    {
        LOST_RESULT.get_or_init(|| error.to_string());
    }
}

/// Writes results and progress; a closed pipe ends neither the run nor the program.
#[derive(Debug, Clone, Default)]
pub(crate) struct Out {}

impl Out {
    /// Returns the process' own output; colour follows the terminal and `NO_COLOR`.
    pub(crate) fn new() -> Out {
        Out {}
    }

    /// Writes a line of the result.
    pub(crate) fn line(&self, text: impl AsRef<str>) {
        self.raw(&format!("{}\n", text.as_ref()));
    }

    /// Writes a line of a table, so that it can be read on a narrow terminal too.
    pub(crate) fn row(&self, text: impl AsRef<str>) {
        let text = text.as_ref();
        match terminal_width(std::io::stdout()) {
            Some(width) => self.line(super::folded_line::folded(text, width)),
            None => self.line(text),
        }
    }

    /// Writes text of the result as it is.
    pub(crate) fn raw(&self, text: &str) {
        let mut out = std::io::stdout().lock();
        // Stripped first and written at once: a long result is one write, not one a line.
        let plain = match anstream::AutoStream::choice(&out) {
            anstream::ColorChoice::Never => Some(anstream::adapter::strip_str(text).to_string()),
            _ => None,
        };
        let text = plain.as_deref().unwrap_or(text);
        keep_loss(out.write_all(text.as_bytes()).and_then(|()| out.flush()));
    }

    /// Writes one line of JSON as the result; every object says in `version` which shape it has.
    pub(crate) fn json(&self, value: &Value) {
        // No control character is left in JSON, so there is no colour to take out. What is long is not kept whole.
        let mut out = BufWriter::with_capacity(JSON_PIECE, std::io::stdout().lock());
        let written = match value.as_object() {
            Some(object) if !object.contains_key("version") => {
                serde_json::to_writer(&mut out, &Versioned(object))
            }
            _ => serde_json::to_writer(&mut out, value),
        };
        let written = written.map_err(std::io::Error::from);
        keep_loss(
            written
                .and_then(|()| out.write_all(b"\n"))
                .and_then(|()| out.flush()),
        );
    }

    /// Returns why some of the result could not be written, such as a full disk; a closed pipe is none: its reader has enough.
    pub(crate) fn lost_result(&self) -> Option<&'static str> {
        LOST_RESULT.get().map(String::as_str)
    }

    /// Writes a line of progress.
    pub(crate) fn note(&self, text: impl AsRef<str>) {
        let mut err = anstream::stderr().lock();
        drop(writeln!(err, "{}", text.as_ref()));
    }

    /// Returns whether a user looks at the result: on a terminal, or with colours by force.
    pub(crate) fn shows_marks(&self) -> bool {
        let out = std::io::stdout();
        out.is_terminal() || anstream::AutoStream::choice(&out) != anstream::ColorChoice::Never
    }

    /// Returns text for [`Out::progress`] with its colours, or without where they are not wanted.
    pub(crate) fn styled(&self, text: &str) -> String {
        match anstream::AutoStream::choice(&std::io::stderr()) {
            anstream::ColorChoice::Never => anstream::adapter::strip_str(text).to_string(),
            _ => text.to_owned(),
        }
    }

    /// Writes text of the progress as it is, escapes included.
    pub(crate) fn progress(&self, text: &str) {
        if !text.is_empty() {
            let mut err = std::io::stderr().lock();
            drop(err.write_all(text.as_bytes()).and_then(|()| err.flush()));
        }
    }

    /// Returns how wide the terminal is that progress goes to; none where it is no terminal, or one
    /// on which nothing can be moved.
    pub(crate) fn columns(&self) -> Option<usize> {
        let dumb = std::env::var_os("TERM").is_none_or(|term| term.is_empty() || term == "dumb");
        let err = std::io::stderr();
        if dumb || std::env::var_os("CI").is_some() || !err.is_terminal() {
            return None;
        }
        let size = rustix::termios::tcgetwinsize(&err).ok()?;
        Some(usize::from(size.ws_col).max(20))
    }

    /// Writes an error: what, and what to do.
    pub(crate) fn error(&self, error: &Error) {
        let red = anstyle::AnsiColor::Red.on_default().bold();
        let cyan = anstyle::AnsiColor::Cyan.on_default().bold();
        self.note(format!("{red}error{red:#}: {}", error));
        for hint in &error.hints {
            // What another program said may have several lines: they stay below their first.
            let hint = hint.trim_end().replace('\n', "\n        ");
            self.note(format!("  {cyan}help{cyan:#}: {hint}"));
        }
    }

    /// Writes an error as one line of JSON on stdout.
    pub(crate) fn json_error(&self, error: &Error) {
        self.json(&json!({
            "error": error.to_string(),
            "kind": format!("{:?}", error.kind),
            "exit": error.exit().code(),
            "hints": error.hints,
        }));
    }
}

/// An object with the version of its shape behind its own entries.
struct Versioned<'a>(&'a serde_json::Map<String, Value>);

impl Serialize for Versioned<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len() + 1))?;
        for (key, value) in self.0 {
            map.serialize_entry(key, value)?;
        }
        map.serialize_entry("version", &JSON_VERSION)?;
        map.end()
    }
}

/// Returns how wide a terminal is; none where it is none, or does not know.
fn terminal_width(place: impl IsTerminal + std::os::fd::AsFd) -> Option<usize> {
    let columns = rustix::termios::tcgetwinsize(&place).ok()?.ws_col;
    (place.is_terminal() && columns > 0).then(|| usize::from(columns).max(20))
}
