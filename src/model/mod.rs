//! PURE. Text in, typed plan out. Parsing never fails: it returns a value and the problems found.
//!
//! One definition of every key, status, path, id and graph question, shared by lint, driver and
//! every command. Deliberately not here: reading files, deciding what to do, rendering.

/// Frontmatter, body, headings and fenced blocks of one Markdown file.
pub mod document;
/// Byte-exact scalar edits of frontmatter.
pub mod edit;
/// Spanned YAML trees.
pub mod yaml;
