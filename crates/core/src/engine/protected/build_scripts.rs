//! Build scripts of Cargo that do nothing but make sources for the product: they are part of it. Any other says how tests are
//! built, too.

use super::judge_paths;
use super::settings_targets::RUNNER_SETTINGS;
use super::spelt_whole::spelt_whole;
use crate::engine::changed_file::{ChangedFile, ChangedPathKind};
use crate::path_names::file_name;
use crate::pattern::TextPattern;

/// What does more, or may do one thing or another by what is around it.
static REACHES: TextPattern = TextPattern::new(
    r"(?x)\bunsafe\b | \bextern\b | \bCommand\b | \bstd(?:out|err)\b | \bprint! | \bdbg! | \bmacro_rules! | \binclude! | \bcfg\b | \#!?\[path\b | ^\s*mod\b |
    \bfs::(?:remove\w*|rename|hard_link|set_permissions)\b | \bsymlink | \bOpenOptions\b | \bFile::options\b | \btests?\b | \btime:: |
    \b(?:metadata|exists|is_file|is_dir|available_parallelism|process)\b",
);
static PRINTS: TextPattern = TextPattern::new(r"\bprintln!");
/// What says when it runs again, or gives all that is built the same text: a name that no tool goes by.
static ASKS_AGAIN: TextPattern = TextPattern::new(
    r#"(?x)\bprintln!\(\s*"cargo::?(?: rerun-if-[^"\n]* | warning=[^"\n]* | rustc-env=[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:VERSION|NAME|REVISION|AUTHORS|HOMEPAGE|REPOSITORY|DESCRIPTION|LICENSE)=[^"\n]* )""#,
);
/// Such a name that a tool goes by.
static OF_TOOLS: TextPattern = TextPattern::new(r"\brustc-env=(?:CARGO|RUST|GCC|LD|DYLD)");
static VARIABLES: TextPattern = TextPattern::new(r"\benv!|\boption_env!|\benv::\w+");
static OWN_PLACES: TextPattern = TextPattern::new(
    r#"\benv(?:!|::var(?:_os)?)\(\s*"(?:OUT_DIR|CARGO_MANIFEST_DIR|CARGO_PKG_[A-Z_]+)"\s*\)"#,
);
static QUOTED: TextPattern = TextPattern::new(r#""([^"\n]+)""#);

/// What another crate prints for it shows nowhere: these are of the standard library, or make texts out of others. Where Cargo is
/// spoken to, it looks like one.
static OF_CRATES: TextPattern = TextPattern::new(r"(?:^|[^\w:])([a-z_]\w*)(?:::|!)");
const KNOWN: [&str; 51] = [
    "alloc",
    "assert",
    "assert_eq",
    "bindgen",
    "capnpc",
    "cargo",
    "char",
    "collections",
    "concat",
    "core",
    "crate",
    "env",
    "eprintln",
    "f32",
    "f64",
    "fmt",
    "format",
    "fs",
    "heck",
    "i16",
    "i32",
    "i64",
    "i8",
    "io",
    "iter",
    "lalrpop",
    "matches",
    "panic",
    "path",
    "phf_codegen",
    "prettyplease",
    "println",
    "proc_macro2",
    "prost_build",
    "protobuf_codegen",
    "quote",
    "self",
    "serde_json",
    "std",
    "str",
    "syn",
    "toml",
    "tonic_build",
    "u16",
    "u32",
    "u64",
    "u8",
    "usize",
    "vec",
    "write",
    "writeln",
];

/// Returns whether a build script only makes sources, and did nothing else before.
pub(crate) fn only_generates(pair: &ChangedFile<'_>) -> bool {
    let plain = |bytes: Option<&[u8]>| {
        let text = bytes.and_then(|bytes| std::str::from_utf8(bytes).ok());
        text.is_some_and(|text| generates(&spelt_whole(text)))
    };
    let joins = pair.change.kind == ChangedPathKind::Added;
    file_name(&pair.change.path) == "build.rs"
        && pair.change.regular
        && plain(pair.new)
        && (joins || plain(pair.old))
}

fn generates(text: &str) -> bool {
    let code = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let code = code.collect::<Vec<_>>().join("\n");
    let count = |pattern: &TextPattern| pattern.find_iter(&code).count();
    let mut crates = OF_CRATES.captures_iter(&code);
    let mut quoted = QUOTED.captures_iter(&code);
    !REACHES.is_match(&code)
        && !OF_TOOLS.is_match(&code)
        && crates.all(|found| KNOWN.contains(&&found[1]))
        // What the build leaves there steers what the same command runs next.
        && !quoted.any(|found| steers(found[1].trim_start_matches("../").trim_start_matches("./")))
        && count(&PRINTS) == count(&ASKS_AGAIN)
        && count(&VARIABLES) == count(&OWN_PLACES)
}

fn steers(path: &str) -> bool {
    judge_paths::is_steering(path) || RUNNER_SETTINGS.contains(&file_name(path))
}

#[cfg(test)]
mod tests {
    use super::super::tests::change;
    use super::*;

    #[test]
    fn a_build_script_that_only_makes_sources_is_told_from_others() {
        const MAKES: &str = "fn main() {\n    let to = std::env::var(\"OUT_DIR\").unwrap() + \"/a.rs\";\n    std::fs::write(to, \"pub const A: u32 = 1;\").unwrap();\n";
        for (more, want) in [
            ("", true),
            ("    println!(\"cargo:rerun-if-changed=build.rs\");\n", true),
            (
                "    println!(\"cargo::rerun-if-changed={}\", list);\n",
                true,
            ),
            ("    // It prints cargo:rustc-cfg in tests.\n", true),
            (
                "    println!(\"cargo:rustc-env=CALC_VERSION={}\", env!(\"CARGO_PKG_VERSION\"));\n",
                true,
            ),
            (
                "    println!(\"cargo::rustc-env=CALC_NAME={}\", std::env::var(\"CARGO_PKG_NAME\").unwrap());\n",
                true,
            ),
            ("    println!(\"cargo:rustc-env=PATH=bin\");\n", false),
            (
                "    println!(\"cargo:rustc-env=CARGO_PKG_VERSION=2\");\n",
                false,
            ),
            ("    println!(\"cargo:rustc-env={}=2\", name);\n", false),
            ("    println!(\"cargo:rustc-env=LD_VERSION=2\");\n", false),
            (
                "    println!(\"cargo:rustc-env=CALC_VERSION={}\", env!(\"CARGO_PRIMARY_PACKAGE\"));\n",
                false,
            ),
            ("    println!(\"cargo:rustc-cfg=plain\");\n", false),
            ("    println!(\"{}\", text);\n", false),
            (
                "    prost_build::compile_protos(&[\"a.proto\"], &[\".\"]).unwrap();\n",
                true,
            ),
            ("    autocfg::emit(\"plain\");\n", false),
            ("    cfg_aliases! { plain: { unix } }\n", false),
            (
                "    let text = std::env::var(\"OPT_LEVEL\").unwrap();\n",
                false,
            ),
            ("    for (name, value) in std::env::vars() {}\n", false),
            (
                "    std::process::Command::new(\"sh\").status().unwrap();\n",
                false,
            ),
            (
                "    std::fs::copy(\"a\", \"tests/it.rs\").unwrap();\n",
                false,
            ),
            (
                "    std::fs::write(\"./conftest.py\", text).unwrap();\n",
                false,
            ),
            (
                "    std::fs::write(\".cargo/config.toml\", text).unwrap();\n",
                false,
            ),
            (
                "    std::fs::write(\"../setup.cfg\", text).unwrap();\n",
                false,
            ),
            (
                "    std::fs::write(\"src/names.rs\", text).unwrap();\n",
                true,
            ),
            ("    std::io::stdout().write_all(text).unwrap();\n", false),
            ("    if std::path::Path::new(\"a\").exists() {}\n", false),
        ] {
            let text = format!("{MAKES}{more}}}\n");
            for (path, old, want) in [
                ("build.rs", None, want),
                ("build.rs", Some(MAKES), want),
                (
                    "build.rs",
                    Some("fn main() { println!(\"cargo:rustc-cfg=a\"); }"),
                    false,
                ),
                ("make.rs", None, false),
            ] {
                let change = change(path, old, Some(&text));
                let pair = ChangedFile {
                    change: &change,
                    old: old.map(str::as_bytes),
                    new: Some(text.as_bytes()),
                };
                assert_eq!(only_generates(&pair), want, "{path}: {old:?}, {more}");
            }
        }
    }
}
