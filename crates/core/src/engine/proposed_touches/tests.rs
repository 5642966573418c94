use super::*;

const RUST: &str = "Cargo.toml README.md build.rs docs/cart.md src/lib.rs src/cart/mod.rs src/cart/tax.rs src/cart/total.rs \
                    src/user.rs tests/cart.rs .github/workflows/ci.yml";
const PYTHON: &str = "calc.py setup.py pyproject.toml tests/test_calc.py conftest.py";

fn proposed(paths: &str, text: &str) -> String {
    let paths: Vec<String> = paths.split_whitespace().map(str::to_owned).collect();
    let (front, body) = text.split_once('|').unwrap_or(("", text));
    let front = front.replace(';', "\n");
    let body = body.replace(';', "\n\n");
    let text = format!(
        "---\nid: FEAT-2026-0001/T01\ntype: implementation\nstatus: draft\n{front}\n---\n{body}\n"
    );
    propose(&Unit::parse(Arc::from("WU-01.md"), text.as_bytes()), &paths).join(" ")
}

#[test]
fn a_scope_is_proposed_from_what_the_text_names() {
    for (paths, text, want) in [
        // Files and directories that are there, with line numbers or without.
        (
            RUST,
            "# A;## Context;Mend `src/cart/tax.rs:12` and `./src/user.rs`.",
            "src/cart/tax.rs src/user.rs",
        ),
        (RUST, "# A;## Context;All of `src/cart/`.", "src/cart/**"),
        (RUST, "# A;## Context;See `total.rs`.", "src/cart/total.rs"),
        // A new file comes with the one that names the modules beside it.
        (
            RUST,
            "# A;## Context;Write `src/cart/rebate.rs`.",
            "src/cart/mod.rs src/cart/rebate.rs",
        ),
        (
            RUST,
            "# A;## Context;Write `src/bill.rs`.",
            "src/lib.rs src/bill.rs",
        ),
        (
            "pkg/__init__.py pkg/a.py",
            "# A;## Context;Write `pkg/b.py`.",
            "pkg/__init__.py pkg/b.py",
        ),
        ("greet.sh", "# A;## Context;Write `part.sh`.", "part.sh"),
        (RUST, "produces: src/new.rs|# A", "src/lib.rs src/new.rs"),
        // Tests, settings, what the unit must not touch and what lies outside are no product of it.
        (
            RUST,
            "# A;## Context;`src/user.rs` and `tests/cart.rs`, `build.rs`, `.github/workflows/ci.yml`.",
            "src/user.rs",
        ),
        (
            RUST,
            "# A;## Context;`src/user.rs`, `src/lib.rs`.;## Do not touch;`src/lib.rs`",
            "src/user.rs",
        ),
        (
            RUST,
            "do_not_touch: src/lib.rs|# A;## Context;`src/user.rs`, `src/lib.rs`.",
            "src/user.rs",
        ),
        (
            RUST,
            "# A;## Context;`src/user.rs`, `../x.rs`, `/etc/x.rs`, `~/x.rs`.",
            "src/user.rs",
        ),
        (
            RUST,
            "# A;## Escalation triggers;`src/lib.rs`;## Context;`src/user.rs`",
            "src/user.rs",
        ),
    ] {
        assert_eq!(proposed(paths, text), want, "{text}");
    }
}

#[test]
fn a_title_points_at_files_and_else_at_the_sources() {
    for (paths, text, want) in [
        (RUST, "# The tax of a cart", "src/cart/tax.rs"),
        (RUST, "# Users have names", "src/user.rs"),
        (RUST, "# The readme", "README.md"),
        (RUST, "# Documentation of docs", "docs/cart.md"),
        (RUST, "# Something else", "src/** *.md docs/**"),
        (PYTHON, "# Something else", "*.py *.md"),
        (PYTHON, "# The calc of things", "calc.py"),
        (
            "a/x31.py a/x32.py a/x33.py a/x34.py a/x35.py a/x36.py",
            "# The x31 of x32",
            "a/x31.py a/x32.py",
        ),
        (
            "core/a.py core/b.py core/c.py core/d.py core/e.py core/f.py",
            "# The core",
            "core/**",
        ),
        ("core/a.py b.py", "# Something", "*.py core/** *.md"),
        ("tests/a.py docs/a.py README", "# Something", ""),
        ("", "# Something", ""),
    ] {
        assert_eq!(proposed(paths, text), want, "{text}");
    }
}

#[test]
fn a_unit_is_given_a_proposal_only_where_it_states_nothing() {
    let unit = |kind: &str, front: &str| {
        format!(
            "---\nid: FEAT-2026-0001/T01\ntype: {kind}\nstatus: draft\n{front}---\n\n# The tax\n"
        )
    };
    let paths = ["src/tax.rs".to_owned()];
    let text = into_unit(&unit("implementation", ""), &paths).unwrap();
    assert_eq!(text, unit("implementation", "touches: [src/tax.rs]\n"));
    assert_eq!(into_unit(&text, &paths), None);
    assert_eq!(
        into_unit(&unit("implementation", "touches: any\n"), &paths),
        None
    );
    assert_eq!(into_unit(&unit("human", ""), &paths), None);
    assert_eq!(into_unit(&unit("implementation", ""), &[]), None);
    assert_eq!(into_unit("no frontmatter", &paths), None);
}
