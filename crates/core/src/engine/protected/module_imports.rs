//! From where a module of a scripting language is imported, and by which words.

use super::name_pattern::NamePattern;
use crate::path_names::extension;
use crate::pattern::TextPattern;

/// Returns the directory that a module is imported from, and the first part of its name.
pub(super) fn module_place(path: &str) -> (&str, &str) {
    const ROOTS: [&str; 4] = ["lib/", "src/", "tests/", "test/"];
    let root = ROOTS.iter().find(|root| path.starts_with(**root));
    let (directory, rest) = path.split_at(root.map_or(0, |root| root.len()));
    let first = rest.split('/').next().unwrap_or(rest);
    let module = first.rsplit_once('.').map_or(first, |(stem, _)| stem);
    (directory.trim_end_matches('/'), module)
}

/// Returns what imports a module.
pub(super) fn import_of(path: &str) -> Option<NamePattern> {
    let (directory, module) = module_place(path);
    let end = extension(path);
    let rest = path
        .strip_prefix(directory)
        .unwrap_or(path)
        .trim_start_matches('/');
    let whole = rest.rsplit_once('.').map_or(rest, |(stem, _)| stem);
    let escaped = regex::escape(match end {
        "py" => module,
        _ => whole,
    });
    let pattern = match end {
        "py" => format!(r"(?m)^\s*(?:import|from)\s+(?:\w+\s*,\s*)*{escaped}\b"),
        "pm" => format!(r"(?m)^\s*use\s+{}\b", escaped.replace('/', "::")),
        _ => format!(r#"(?m)^\s*require\s*\(?\s*["']{escaped}["']"#),
    };
    static PLAIN: TextPattern = TextPattern::new(r"^\w+$");
    PLAIN
        .is_match(module)
        .then(|| NamePattern::new(pattern, [module]))
}

/// Returns the file that would be a module if it were one file.
pub(super) fn module_file(path: &str) -> String {
    match path.strip_suffix("/__init__.py") {
        Some(package) => format!("{package}.py"),
        None => path.to_owned(),
    }
}

/// Returns what imports a module by its own name alone.
pub(super) fn import_by_stem(path: &str) -> Option<NamePattern> {
    let file = module_file(path);
    let (_, name) = file.rsplit_once('/')?;
    import_of(name)
}
