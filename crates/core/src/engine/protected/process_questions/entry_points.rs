//! Files that are there to be started: they may ask how they were.

use crate::engine::changed_file::{ChangedFile, ChangedPathKind};
use crate::engine::protected::process_facts;
use crate::path_names::{extension, file_name};
use crate::pattern::TextPattern;

/// Returns whether a file is there to be started, by its place or by what it was before. `is_loaded` says whether another file
/// of the work loads it.
pub(super) fn is_entry(pair: &ChangedFile<'_>, is_loaded: impl Fn() -> bool) -> bool {
    static BY_TEXT: TextPattern = TextPattern::new(
        r#"(?x)\A\#! | (?m)^if\s+__name__\s*== | ^package\s+main\b | ^\s*(?:import|from)\s+(?:argparse|click|typer|optparse|getopt|docopt|fire)\b |
        ["'](?:node:)?(?:yargs|commander|minimist|meow|cac|arg)["'] | \bparseArgs\b | \.listen\(\s*(?:\w*[Pp]ort\b|PORT\b|process\.|\d) | \buse\s+(?:clap|structopt|lexopt|pico_args|argh|bpaf)\b | \bint\s+main\s*\("#,
    );
    const PLACES: [&str; 9] = [
        "bin", "scripts", "script", "tools", "cmd", "cli", "commands", "examples", "benches",
    ];
    const NAMES: [&str; 17] = [
        "main",
        "__main__",
        "cli",
        "cmd",
        "command",
        "commands",
        "manage",
        "setup",
        "server",
        "console",
        "args",
        "argv",
        "arguments",
        "options",
        "opts",
        "launcher",
        "version",
    ];
    let path = &pair.change.path;
    let name = file_name(path);
    let stem = name.split('.').next().unwrap_or_default();
    let added = pair.change.kind == ChangedPathKind::Added;
    let text = if added { pair.new } else { pair.old };
    let text = String::from_utf8_lossy(text.unwrap_or_default());
    let asked =
        |text: &str| process_facts::of(extension(path)).is_some_and(|f| f.own.is_match(text));
    // A new file that nothing loads is started, if anything.
    let placed =
        asked(&text) || NAMES.contains(&stem) || path.split('/').any(|part| PLACES.contains(&part));
    (placed || BY_TEXT.is_match(&text)) && !(added && is_loaded())
}
