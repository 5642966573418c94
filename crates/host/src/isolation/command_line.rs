//! A command line of bubblewrap's that grows.

use std::ffi::OsString;
use std::path::Path;

/// A command line that grows.
pub(super) struct CommandLine(pub(super) Vec<OsString>);

impl CommandLine {
    pub(super) fn one(&mut self, how: &str, path: &Path) {
        self.0.extend([how.into(), path.as_os_str().into()]);
    }

    pub(super) fn two(&mut self, how: &str, from: &Path, to: &Path) {
        self.0
            .extend([how.into(), from.as_os_str().into(), to.as_os_str().into()]);
    }

    /// Puts nothing where a path is shown.
    pub(super) fn hide(&mut self, path: &Path, shown_at: &Path) {
        if path.is_dir() {
            self.one("--tmpfs", shown_at);
            self.one("--remount-ro", shown_at);
        } else {
            self.two("--ro-bind", Path::new("/dev/null"), shown_at);
        }
    }
}
