//! The reference pages say what the program does: tables are compared with the types they describe.
//! `GATEWALK_BLESS=1 cargo test docs` writes them anew.

use gatewalk_core::exit::Exit;
use gatewalk_core::model::config::ConfigFront;
use gatewalk_core::model::frontmatter::{Key, Owner, Shape};
use gatewalk_core::model::gate::GateFront;
use gatewalk_core::model::plan::PlanFront;
use gatewalk_core::model::unit::{Check, UnitFront};
use gatewalk_core::model::verification::VerificationCommand;
use gatewalk_core::model::witness_settings::WitnessSettings;
use std::path::{Path, PathBuf};

fn page(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn read(name: &str) -> String {
    std::fs::read_to_string(page(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Compares what stands between `<!-- table: NAME -->` and `<!-- end -->` with what should.
fn check(file: &str, name: &str, want: &str) {
    let text = read(file);
    let open = format!("<!-- table: {name} -->\n");
    let start = text
        .find(&open)
        .unwrap_or_else(|| panic!("{file} has no {open}"))
        + open.len();
    let end = start + text[start..].find("<!-- end -->").expect("an end marker");
    if std::env::var_os("GATEWALK_BLESS").is_some() {
        let new = format!("{}{want}{}", &text[..start], &text[end..]);
        std::fs::write(page(file), new).expect("writable");
        return;
    }
    assert_eq!(
        &text[start..end],
        want,
        "{file} disagrees with the program; GATEWALK_BLESS=1 writes it anew"
    );
}

fn shape(shape: &Shape) -> String {
    match shape {
        Shape::Text => "text".to_owned(),
        Shape::Integer => "whole number".to_owned(),
        Shape::Number => "number".to_owned(),
        Shape::Bool => "`true` or `false`".to_owned(),
        Shape::Duration => "duration".to_owned(),
        Shape::OneOf(words) => words()
            .iter()
            .map(|word| format!("`{word}`"))
            .collect::<Vec<_>>()
            .join(", "),
        Shape::List(_) => "list".to_owned(),
        Shape::OneOrMany(one) => format!("{}, or a list", self::shape(one)),
        Shape::Table(_) | Shape::Map(_) => "mapping".to_owned(),
        Shape::Agent => "agent, or a mapping of it to its model".to_owned(),
        Shape::Any => "any".to_owned(),
    }
}

fn keys(keys: &[Key]) -> String {
    let mut text = String::from("| key | value | who writes it | meaning |\n|---|---|---|---|\n");
    for key in keys {
        let owner = match (key.owner, key.required) {
            (Owner::Author, true) => "you, required",
            (Owner::Author, false) => "you",
            (Owner::Session, _) => "the session",
            (Owner::Driver, _) => "the driver",
        };
        text.push_str(&format!(
            "| `{}` | {} | {owner} | {} |\n",
            key.name,
            shape(&key.shape),
            key.doc
        ));
    }
    text
}

#[test]
fn the_format_reference_names_every_key() {
    for (name, table) in [
        ("PLAN.md", PlanFront::KEYS),
        ("GATE-NN.md", GateFront::KEYS),
        ("WU-NN-slug.md", UnitFront::KEYS),
        ("checks", Check::KEYS),
        ("verification.yml", VerificationCommand::KEYS),
        ("witness", WitnessSettings::KEYS),
        ("config.yml", ConfigFront::KEYS),
    ] {
        check("docs/files.md", name, &keys(table));
    }
}

#[test]
fn the_exit_table_is_the_program_s() {
    let rows = Exit::TABLE
        .iter()
        .map(|(exit, meaning)| format!("| {} | {meaning} |\n", exit.code()));
    let want = format!(
        "| exit | meaning |\n|---|---|\n{}",
        rows.collect::<String>()
    );
    check("docs/cli.md", "exit", &want);
}

#[test]
fn every_command_and_option_is_described() {
    let text = read("docs/cli.md");
    let program = gatewalk::cli::definition();
    let mut missing = Vec::new();
    for command in program
        .get_subcommands()
        .filter(|command| !command.is_hide_set())
    {
        let heading = format!("\n## `gatewalk {}", command.get_name());
        let Some(at) = text.find(&heading) else {
            missing.push(heading.trim().to_owned());
            continue;
        };
        let rest = &text[at + 1..];
        let section = &rest[..rest.find("\n## ").unwrap_or(rest.len())];
        let nested = command
            .get_subcommands()
            .flat_map(clap::Command::get_arguments);
        for option in command
            .get_arguments()
            .chain(nested)
            .filter(|option| !option.is_hide_set())
        {
            let name = option.get_long().map(|long| format!("--{long}"));
            missing.extend(
                name.filter(|name| name != "--help" && !section.contains(name.as_str()))
                    .map(|name| format!("`gatewalk {}` {name}", command.get_name())),
            );
        }
    }
    assert!(
        missing.is_empty(),
        "docs/cli.md does not describe: {missing:#?}"
    );
}

/// Returns the indented or fenced lines of the README that are commands for a shell.
fn commands(text: &str) -> Vec<String> {
    let mut inside = false;
    let mut found = Vec::new();
    for line in text.lines() {
        match line.trim() {
            "```sh" => inside = true,
            "```" => inside = false,
            command if inside && !command.is_empty() => found.push(command.to_owned()),
            _ => {}
        }
    }
    found
}

#[test]
fn ci_runs_the_tests_as_the_readme_says() {
    let readme = commands(&read("README.md"));
    let ci = read(".ci/run");
    assert_eq!(readme[..2], ["cargo run --release -- demo", "cargo test"]);
    for command in &readme[..2] {
        assert!(
            ci.lines()
                .any(|line| line.trim().ends_with(command.as_str())),
            ".ci/run does not run `{command}`"
        );
    }
}

/// Returns the words of a shell's command up to what is done with its output, as a shell reads them.
fn words(line: &str) -> Vec<String> {
    let mut quote = None;
    let end = line.char_indices().find(|(at, c)| match quote {
        Some(open) => {
            quote = (*c != open).then_some(open);
            false
        }
        None => {
            quote = Some(*c).filter(|c| matches!(c, '\'' | '"'));
            matches!(c, '|' | '>' | '&' | ';') || (*c == '#' && line[..*at].ends_with(' '))
        }
    });
    let alone = &line[..end.map_or(line.len(), |(at, _)| at)];
    let script = format!("set -f; printf '%s\\0' {alone}");
    let output = std::process::Command::new("sh")
        .args(["-c", &script])
        .output();
    let output = output.expect("a shell");
    assert!(output.status.success(), "{line}");
    let text = String::from_utf8(output.stdout).expect("text");
    text.split_terminator('\0').map(str::to_owned).collect()
}

/// Returns the examples below the help of a command and of those below it.
fn help_examples(command: &clap::Command) -> Vec<String> {
    let below = command
        .get_after_help()
        .map(ToString::to_string)
        .unwrap_or_default();
    let own = below.lines().map(|line| line.trim().to_owned());
    let nested = command.get_subcommands().flat_map(help_examples);
    own.chain(nested).collect()
}

#[test]
fn every_command_on_a_page_and_below_a_help_is_one_that_the_program_takes() {
    let program = gatewalk::cli::definition();
    let on_pages = pages().into_iter().flat_map(|path| {
        let text = std::fs::read_to_string(&path).expect("a page");
        let name = path.display().to_string();
        commands(&text)
            .into_iter()
            .map(move |line| (name.clone(), line))
    });
    let examples = help_examples(&program)
        .into_iter()
        .map(|line| ("a help".to_owned(), line));
    let mut tried = 0;
    let mut wrong = Vec::new();
    for (place, line) in on_pages.chain(examples) {
        let Some(rest) = line.strip_prefix("gatewalk ") else {
            continue;
        };
        // A place for what the reader has is no word of a shell.
        if rest.contains(['…', '<']) {
            continue;
        }
        tried += 1;
        let words = words(rest);
        let words = std::iter::once("gatewalk".to_owned()).chain(words);
        match program.clone().try_get_matches_from(words) {
            Err(error) if error.exit_code() != 0 => wrong.push(format!("{place}: {line}: {error}")),
            _ => {}
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(tried > 150, "{tried} commands");
}

/// Returns the pages that people read.
fn pages() -> Vec<PathBuf> {
    let top = [
        "README.md",
        "CONTRIBUTING.md",
        "ARCHITECTURE.md",
        "CHANGELOG.md",
        "SECURITY.md",
    ];
    let docs = ["docs", "docs/cookbook"].into_iter().flat_map(|directory| {
        let entries = std::fs::read_dir(page(directory)).expect("pages");
        entries.map(|entry| entry.expect("readable").path())
    });
    let mut all: Vec<PathBuf> = top.map(page).into_iter().chain(docs).collect();
    all.retain(|path| path.extension().is_some_and(|end| end == "md"));
    all
}

#[test]
fn links_between_pages_lead_somewhere() {
    for path in pages() {
        let text = std::fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for target in text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next())
        {
            let file = target.split('#').next().unwrap_or(target);
            if !file.is_empty() && !file.contains("://") {
                let linked = path.parent().expect("a directory").join(file);
                assert!(linked.exists(), "{} links to {target}", path.display());
            }
        }
    }
}

#[test]
fn every_test_that_the_page_on_security_names_is_there() {
    let sources: String = ["crates", "src", "tests"]
        .into_iter()
        .flat_map(|directory| walkdir::WalkDir::new(page(directory)))
        .map(|entry| entry.expect("readable").into_path())
        .filter(|path| path.extension().is_some_and(|end| end == "rs"))
        .map(|path| std::fs::read_to_string(path).expect("UTF-8"))
        .collect();
    let text = read("SECURITY.md");
    let spans = text.split('`').skip(1).step_by(2);
    let paths = spans.filter(|span| !span.contains(' '));
    let named = paths.filter_map(|path| Some(path.rsplit_once("::")?.1));
    let tests: Vec<&str> = named.filter(|test| !test.is_empty()).collect();
    let gone = tests
        .iter()
        .filter(|test| !sources.contains(&format!("fn {test}()")));
    let gone: Vec<_> = gone.collect();
    assert!(gone.is_empty(), "{gone:?}");
    assert!(tests.len() > 50, "{} tests", tests.len());
}

#[test]
fn the_entries_for_the_schema_catalog_name_schemas_and_files_of_ours() {
    let text = read("editors/schemastore/catalog.json");
    let entries: Vec<serde_json::Value> = serde_json::from_str(&text).expect("JSON");
    assert_eq!(entries.len(), 2);
    for entry in entries {
        let word = |key: &str| entry[key].as_str().expect("text").to_owned();
        assert!(!word("name").is_empty() && !word("description").is_empty());
        let url = word("url");
        let kind = url
            .rsplit("/gatewalk-")
            .next()
            .and_then(|file| file.strip_suffix(".json"))
            .expect("an address");
        assert!(
            page(&format!("schemas/{kind}.schema.json")).exists(),
            "{url}"
        );
        for glob in entry["fileMatch"].as_array().expect("a list") {
            let glob = globset::Glob::new(glob.as_str().expect("text")).expect("a glob");
            let file = format!("shop/.gatewalk/{kind}.yml");
            let other = format!("shop/.specfuse/{kind}.yml");
            let matcher = glob.compile_matcher();
            assert!(
                matcher.is_match(&file) || matcher.is_match(&other),
                "{glob}"
            );
            assert!(!matcher.is_match(format!("shop/{kind}.yml")), "{glob}");
        }
    }
}
