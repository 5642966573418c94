//! The pages a newcomer follows, followed: every shell block, in order, in an empty directory.

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
    // A newcomer's machine: an empty home, a path, and nothing else.
    let path = std::env::var("PATH").expect("a PATH");
    let out = std::process::Command::new("sh")
        .args(["-c", &script])
        .env_clear()
        .env("HOME", &stage.home)
        .env("PATH", path)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .current_dir(&stage.home)
        .stdin(std::process::Stdio::null())
        .output()
        .expect("it runs");
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
        "cannot git push origin feat/",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
}
