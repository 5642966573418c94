use super::*;
use crate::model::config::Config;
use crate::model::verification::Verification;
use crate::scaffold::WriteMode;
use crate::scaffold::stack::{self, Stack};

fn writes(gitignore: Option<&str>) -> Vec<Write> {
    plan(&InitInput {
        stack: &Stack::default(),
        gitignore,
        version: "1.2.3",
        agent: None,
    })
}

fn content<'a>(writes: &'a [Write], path: &str) -> &'a str {
    &writes
        .iter()
        .find(|write| write.path == path)
        .expect("the file is written")
        .content
}

#[test]
fn a_fresh_state_directory_is_complete_and_small() {
    let writes = writes(Some("target/\n"));
    let paths: Vec<&str> = writes.iter().map(|write| write.path.as_str()).collect();
    let want = [
        ".gatewalk/verification.yml",
        ".gatewalk/config.yml",
        ".gatewalk/roadmap.md",
        ".gatewalk/LEARNINGS.md",
        ".gatewalk/rules/working.md",
        ".gatewalk/rules/scope.md",
        ".gatewalk/rules/security.md",
        ".gatewalk/templates/PLAN.md",
        ".gatewalk/templates/GATE.md",
        ".gatewalk/templates/WU.md",
        ".gatewalk/manifest.json",
    ];
    assert_eq!(paths, want);
    assert!(writes.iter().all(|write| write.mode == WriteMode::Create));
    let bytes: usize = writes.iter().map(|write| write.content.len()).sum();
    assert!(bytes < 11_000, "{bytes} bytes are more than a user reads");
    let rules: usize = writes
        .iter()
        .filter(|w| w.path.contains("/rules/"))
        .map(|w| w.content.len())
        .sum();
    assert!(
        rules < 5_000,
        "{rules} bytes of rules go into every session"
    );
    assert!(
        writes
            .iter()
            .all(|write| write.content.ends_with('\n') && !write.content.contains('\r'))
    );
}

#[test]
fn the_manifest_holds_the_hash_of_every_shipped_file() {
    let writes = writes(None);
    let record: serde_json::Value =
        serde_json::from_str(content(&writes, ".gatewalk/manifest.json")).unwrap();
    assert_eq!(record["version"], "1.2.3");
    assert_eq!(
        record["files"].as_object().unwrap().len(),
        SHIPPED_FILES.len()
    );
    for (name, _) in SHIPPED_FILES {
        let text = content(&writes, &format!(".gatewalk/{name}"));
        assert_eq!(record["files"][name], hash(text), "{name}");
    }
    assert_eq!(
        hash(""),
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    );
}

#[test]
fn an_existing_scaffold_is_refused_by_name() {
    let rows: [(&[&str], Option<&str>); 5] = [
        (&[], None),
        (&["src", ".gatewalk.md"], None),
        (&["src", ".gatewalk"], Some(".gatewalk/")),
        (&[".gatewalk/"], Some(".gatewalk/")),
        (&[".specfuse"], Some(".specfuse/")),
    ];
    for (listing, want) in rows {
        let listing: Vec<String> = listing.iter().map(|name| (*name).to_owned()).collect();
        match (check_fresh(&listing), want) {
            (Ok(()), None) => {}
            (Err(error), Some(dir)) => {
                assert!(error.to_string().contains(dir), "{}", error.to_string())
            }
            (got, want) => panic!("{listing:?}: {got:?}, expected {want:?}"),
        }
    }
}

#[test]
fn gitignore_gets_a_block_only_where_it_would_hide_the_plans() {
    let block = "# >>> gatewalk: plans are tracked\n!/.gatewalk/\n!/.gatewalk/**\n# <<< gatewalk\n";
    let rows = [
        ("", None),
        ("target/\n*.log\n/node_modules\n", None),
        (".*\n", Some(format!(".*\n{block}"))),
        (".*\n!.gatewalk\n", None),
        ("*\n", Some(format!("*\n{block}"))),
        ("*.jsonl", Some(format!("*.jsonl\n{block}"))),
        ("templates/\n", Some(format!("templates/\n{block}"))),
        ("/templates/\n", None),
        ("**/features\n", Some(format!("**/features\n{block}"))),
        ("# .gatewalk\n\\[broken\n[\n", None),
        (
            ".gatewalk/\r\n",
            Some(format!(".gatewalk/\r\n{}", block.replace('\n', "\r\n"))),
        ),
    ];
    for (text, want) in rows {
        let got = writes(Some(text))
            .into_iter()
            .find(|write| write.path == ".gitignore");
        assert_eq!(
            got.as_ref().map(|write| write.content.clone()),
            want,
            "{text:?}"
        );
        if let Some(write) = got {
            assert_eq!(write.mode, WriteMode::Replace);
            assert!(
                TRACKED.iter().all(|path| !ignored(&write.content, path)),
                "{text:?}: the block does not help"
            );
        }
    }
}

#[test]
fn verification_is_made_for_the_stack() {
    let listing = vec!["go.mod".to_owned()];
    let stack = stack::tests::of_files(&|_| Some(String::new()), &listing, false);
    let writes = plan(&InitInput {
        stack: &stack,
        gitignore: None,
        version: "0",
        agent: None,
    });
    assert!(content(&writes, ".gatewalk/verification.yml").contains("go test ./..."));
}

#[test]
fn both_yaml_files_read_without_a_note() {
    let files = [
        (
            "package.json",
            r#"{"scripts": {"test": "jest", "build": "vite build"}}"#,
        ),
        ("package-lock.json", "{}"),
        ("Cargo.toml", "[workspace]"),
        ("go.work", ""),
        ("My App.sln", ""),
        (".env", ""),
        (".gitignore", ".env\n"),
    ];
    let read = |name: &str| {
        files
            .iter()
            .find(|(n, _)| *n == name)
            .map(|(_, text)| (*text).to_owned())
    };
    for count in 0..=files.len() {
        let listing: Vec<String> = files[..count]
            .iter()
            .map(|(name, _)| (*name).to_owned())
            .collect();
        let text = stack::tests::of_files(&read, &listing, false).verification();
        let parsed = Verification::parse("verification.yml".into(), Some(text.as_bytes()));
        assert_eq!((parsed.notes, parsed.errors), (vec![], vec![]), "{text}");
        assert_eq!(parsed.sets.len(), 3, "{text}");
    }
    let writes = writes(None);
    let config = Config::parse(
        "config.yml".into(),
        Some(content(&writes, ".gatewalk/config.yml").as_bytes()),
    );
    assert_eq!((config.notes, config.errors), (vec![], vec![]));
    // The commented lines are meant to be switched on.
    let all = content(&writes, ".gatewalk/config.yml").lines();
    let on: Vec<&str> = all
        .filter_map(|line| {
            line.strip_prefix("# ")
                .filter(|rest| rest.contains(": ") && rest.contains("  #"))
        })
        .collect();
    assert_eq!(on.len(), 7, "{on:?}");
    let config = Config::parse("config.yml".into(), Some(on.join("\n").as_bytes()));
    assert_eq!((config.notes, config.errors), (vec![], vec![]));
}

#[test]
fn what_set_up_makes_is_ignored() {
    for (old, want) in [
        (
            None,
            "# >>> gatewalk: made by the set-up of verification.yml\n.venv\n# <<< gatewalk\n",
        ),
        (
            Some("a"),
            "a\n# >>> gatewalk: made by the set-up of verification.yml\n.venv\n# <<< gatewalk\n",
        ),
    ] {
        let write = gitignore(old, &[".venv"]).expect("a block");
        assert_eq!(write.content, want);
    }
    assert_eq!(gitignore(Some("a\n"), &[]), None);
}

#[test]
fn the_chosen_agent_stands_where_its_example_was() {
    let stack = Stack::default();
    let config = |agent| {
        let writes = plan(&InitInput {
            stack: &stack,
            gitignore: None,
            version: "1.2.3",
            agent,
        });
        content(&writes, ".gatewalk/config.yml").to_owned()
    };
    let (without, with) = (config(None), config(Some("codex")));
    assert!(without.contains("\n# agent: claude "), "{without}");
    assert!(with.contains("\nagent: \"codex\"\n"), "{with}");
    assert_eq!(without.lines().count(), with.lines().count());
    let differ = without.lines().zip(with.lines()).filter(|(a, b)| a != b);
    assert_eq!(differ.count(), 1);
}
