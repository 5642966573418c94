//! `--watch` of a view: drawn anew in place until the user stops it.

use super::Context;
use gatewalk_core::error::Result;
use gatewalk_core::exit::Exit;
use gatewalk_host::signals;
use std::io::IsTerminal;
use std::time::Duration;

/// How often a view is drawn.
const INTERVAL: Duration = Duration::from_secs(2);

/// Shows a view again and again; Ctrl-C is how it ends.
pub(super) fn until_stopped(context: &Context, show: impl Fn() -> Result<Exit>) -> Result<Exit> {
    let stop = signals::install()?;
    loop {
        if std::io::stdout().is_terminal() {
            // To the upper left, then clear to the end of the screen.
            context.out.raw("\x1b[H\x1b[J");
        }
        show()?;
        if stop.sleep(INTERVAL) {
            return Ok(Exit::Success);
        }
    }
}
