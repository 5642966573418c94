//! What a path says of a file: whether it is source code, and whether it lies where the product does.

use crate::engine::repository_map;
use crate::path_names::extension;

/// Endings of files of settings.
pub(super) const SETTINGS: [&str; 8] = [
    "ini",
    "cfg",
    "conf",
    "toml",
    "yml",
    "yaml",
    "json",
    "properties",
];

/// Directories whose files are the product's.
pub(super) const OF_PRODUCT: [&str; 16] = [
    "src",
    "lib",
    "app",
    "pkg",
    "cmd",
    "public",
    "static",
    "assets",
    "config",
    "conf",
    "content",
    "docs",
    "locales",
    "templates",
    "web",
    "www",
];

/// Returns whether a path is one of source code.
pub(crate) fn is_code(path: &str) -> bool {
    const MORE: [&str; 14] = [
        "sh", "bash", "bats", "pl", "pm", "t", "awk", "lua", "r", "R", "vue", "svelte", "mk", "jl",
    ];
    let end = extension(path);
    repository_map::is_source(path) || MORE.contains(&end)
}
