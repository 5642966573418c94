//! What was said already, below the git directory. Losing it repeats a notice, no more.

use gatewalk_core::engine::notice::SentNotice;
use std::collections::BTreeMap;
use std::path::Path;

const FILE: &str = "notices.json";

/// Returns what was said, by what it is about.
pub(super) fn read(state_dir: &Path) -> BTreeMap<String, SentNotice> {
    let text = std::fs::read_to_string(state_dir.join(FILE)).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

/// Notes what was said.
pub(super) fn write(state_dir: &Path, all: &BTreeMap<String, SentNotice>) {
    if let Ok(text) = serde_json::to_string(all) {
        // A half-written one would repeat every notice.
        let (path, new) = (state_dir.join(FILE), state_dir.join("notices.json.new"));
        drop(std::fs::write(&new, text).and_then(|()| std::fs::rename(&new, path)));
    }
}
