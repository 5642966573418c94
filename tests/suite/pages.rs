//! The pages a newcomer follows, followed: every shell block, in order, in an empty folder.

use crate::cycle::Stage;

#[test]
fn getting_started_works_as_it_stands() {
    let page = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/docs/getting-started.md"
    ))
    .expect("a page");
    let blocks: Vec<&str> = page
        .split("```sh\n")
        .skip(1)
        .filter_map(|b| b.split("\n```").next())
        .collect();
    assert!(blocks.len() >= 8, "{}", blocks.len());
    let stage = Stage::empty();
    let program = env!("CARGO_BIN_EXE_gatewalk");
    let script = format!(
        "set -e\ncd \"$HOME\"\ngatewalk() {{ '{program}' \"$@\"; }}\n{}\n",
        blocks.join("\n")
    );
    let out = stage.script(&script);
    let said = format!(
        "{}{}",
        String::from_utf8_lossy(&out.stdout),
        String::from_utf8_lossy(&out.stderr)
    );
    assert_eq!(out.status.code(), Some(0), "{said}");
    for part in [
        "attempt 1 failed",
        "1 of 1 requirements covered",
        "Hello, Ada!\nHello, Alan!",
        "## Units",
        "would git push origin feat/",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
}
