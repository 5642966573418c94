//! The terminal while a screen has it: keys come at once and unseen, and everything is as it was when this goes.

use super::board_lines::{LineStyle, ScreenLine};
use super::screen_text::fitted;
use gatewalk_core::error::{Error, Result};
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcgetwinsize, tcsetattr};
use std::io::Write;

/// The other screen of the terminal, without a cursor; and back.
const ENTER: &str = "\x1b[?1049h\x1b[?25l";
const LEAVE: &str = "\x1b[?25h\x1b[?1049l";

/// The terminal, in the hands of a screen until this goes.
pub(super) struct RawTerminal {
    before: Termios,
    has_colours: bool,
}

impl RawTerminal {
    /// Switches to the other screen and to raw keys, until it is dropped.
    pub(super) fn enter() -> Result<RawTerminal> {
        let failed = |e: rustix::io::Errno| {
            Error::environment("the terminal cannot be used").with_source(std::io::Error::from(e))
        };
        let stdin = std::io::stdin();
        let before = tcgetattr(&stdin).map_err(failed)?;
        let mut raw = before.clone();
        raw.make_raw();
        tcsetattr(&stdin, OptionalActions::Flush, &raw).map_err(failed)?;
        let choice = anstream::AutoStream::choice(&std::io::stdout());
        let terminal = RawTerminal {
            before,
            has_colours: choice != anstream::ColorChoice::Never,
        };
        write(ENTER);
        Ok(terminal)
    }

    /// Returns how many columns and rows there are.
    pub(super) fn size(&self) -> (usize, usize) {
        let size = tcgetwinsize(std::io::stdout()).ok();
        let (columns, rows) = size.map_or((80, 24), |s| (s.ws_col, s.ws_row));
        (usize::from(columns).max(20), usize::from(rows).max(4))
    }

    /// Draws lines over what is there.
    pub(super) fn draw(&self, lines: &[ScreenLine], width: usize) {
        // Shown at once, where the terminal knows how.
        let mut text = String::from("\x1b[?2026h\x1b[H");
        for (index, line) in lines.iter().enumerate() {
            if index > 0 {
                text.push_str("\r\n");
            }
            let (on, off) = self.escapes(line.style);
            text += on;
            text += &fitted(&line.text, width);
            text += off;
            text.push_str("\x1b[K");
        }
        text.push_str("\x1b[J\x1b[?2026l");
        write(&text);
    }

    fn escapes(&self, style: LineStyle) -> (&'static str, &'static str) {
        let on = match style {
            LineStyle::Selected => "\x1b[7m",
            LineStyle::Heading => "\x1b[1m",
            LineStyle::Plain => return ("", ""),
            _ if !self.has_colours => return ("", ""),
            LineStyle::Soft => "\x1b[2m",
            LineStyle::Added => "\x1b[32m",
            LineStyle::Removed => "\x1b[31m",
            LineStyle::NeedsYou => "\x1b[33m",
            LineStyle::AtWork => "\x1b[36m",
        };
        (on, "\x1b[0m")
    }
}

impl Drop for RawTerminal {
    fn drop(&mut self) {
        write(LEAVE);
        // There is nobody left to hear that it failed.
        let _failed = tcsetattr(std::io::stdin(), OptionalActions::Flush, &self.before);
    }
}

fn write(text: &str) {
    let mut out = std::io::stdout().lock();
    // A terminal that is gone shows nothing.
    drop(out.write_all(text.as_bytes()).and_then(|()| out.flush()));
}
