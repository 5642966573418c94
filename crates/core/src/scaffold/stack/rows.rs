//! The table of stacks: one row each, one function each; the long ones have files of their own.

use super::node::node;
use super::python::{bare_python, python};
use super::{
    Detect, DetectedStack, StackCommand, StackDetector, StackStanding, Top, one_command,
    other_tools, quoted,
};
use crate::path_names::MAKEFILES;

/// Every stack, in the order their commands are written.
pub const ROWS: &[StackDetector] = &[
    main("cargo", cargo),
    main("node", node),
    main("deno", other_tools::deno),
    main("python", python),
    main("go", go),
    main("maven", maven),
    main("gradle", gradle),
    main("dotnet", dotnet),
    main("ruby", other_tools::ruby),
    main("php", other_tools::php),
    main("elixir", |top| {
        one_command::detect(top, &one_command::ELIXIR)
    }),
    main("swift", |top| one_command::detect(top, &one_command::SWIFT)),
    main("sbt", |top| one_command::detect(top, &one_command::SBT)),
    main("dart", other_tools::dart),
    main("zig", |top| one_command::detect(top, &one_command::ZIG)),
    main("stack", |top| one_command::detect(top, &one_command::STACK)),
    main("dune", |top| one_command::detect(top, &one_command::DUNE)),
    main("bazel", |top| one_command::detect(top, &one_command::BAZEL)),
    main("julia", |top| one_command::detect(top, &one_command::JULIA)),
    main("perl", |top| one_command::detect(top, &one_command::PERL)),
    main("crystal", |top| {
        one_command::detect(top, &one_command::CRYSTAL)
    }),
    main("cmake", other_tools::cmake),
    main("meson", |top| one_command::detect(top, &one_command::MESON)),
    StackDetector {
        name: "make",
        standing: StackStanding::Wrapper,
        detect: make,
    },
    StackDetector {
        name: "just",
        standing: StackStanding::Wrapper,
        detect: other_tools::just,
    },
    last_resort("bats", other_tools::bats),
    last_resort("python files", bare_python),
    last_resort("script", other_tools::script),
];

const fn main(name: &'static str, detect: Detect) -> StackDetector {
    StackDetector {
        name,
        standing: StackStanding::Main,
        detect,
    }
}

const fn last_resort(name: &'static str, detect: Detect) -> StackDetector {
    StackDetector {
        name,
        standing: StackStanding::LastResort,
        detect,
    }
}

const RUST_FILES: &[&str] = &["**/*.rs", "**/Cargo.toml", "Cargo.lock"];

fn cargo(top: &Top<'_>) -> Option<DetectedStack> {
    let manifest = top.text("Cargo.toml")?;
    let mut flags = String::new();
    if manifest.contains("[workspace]") {
        flags.push_str(" --workspace");
    }
    // A lock file that git ignores is not in a slot.
    if top.has("Cargo.lock") && !top.ignores("Cargo.lock") {
        flags.push_str(" --locked");
    }
    let clippy = StackCommand::check(
        "clippy",
        format!("cargo clippy --all-targets{flags} -- -D warnings"),
    )
    .when(RUST_FILES);
    let fmt = StackCommand::check("fmt", "cargo fmt --all --check").when(&["**/*.rs"]);
    let mut found = DetectedStack {
        cache: vec!["target"],
        code: vec![StackCommand::test(format!("cargo test{flags}"))],
        ..DetectedStack::default()
    };
    // A check that is red on today's code stops every unit, so only what the repository has
    // already set up for itself is switched on.
    let configured =
        top.first(&["clippy.toml", ".clippy.toml"]).is_some() || manifest.contains("lints.clippy");
    if configured {
        &mut found.code
    } else {
        &mut found.suggested
    }
    .push(clippy);
    let formatted = top.first(&["rustfmt.toml", ".rustfmt.toml"]).is_some();
    if formatted {
        &mut found.code
    } else {
        &mut found.suggested
    }
    .push(fmt);
    Some(found)
}

fn go(top: &Top<'_>) -> Option<DetectedStack> {
    let workspace = !top.has("go.mod") && top.has("go.work");
    if !workspace && !top.has("go.mod") {
        return None;
    }
    // In a workspace without a root module `./...` matches nothing, so the modules are listed.
    let line = |verb: &str| match workspace {
        true => format!("go list -f '{{{{.Dir}}}}/...' -m | xargs go {verb}"),
        false => format!("go {verb} ./..."),
    };
    let mut found = DetectedStack {
        code: vec![
            StackCommand::test(line("test")),
            StackCommand::check("vet", line("vet")).when(&["**/*.go", "**/go.mod"]),
        ],
        ..DetectedStack::default()
    };
    if top
        .first(&[".golangci.yml", ".golangci.yaml", ".golangci.toml"])
        .is_some()
    {
        found
            .code
            .push(StackCommand::check("lint", "golangci-lint run").when(&["**/*.go"]));
    }
    Some(found)
}

fn maven(top: &Top<'_>) -> Option<DetectedStack> {
    top.first(&["pom.xml"])?;
    let maven = if top.has("mvnw") { "./mvnw" } else { "mvn" };
    let verify = StackCommand::check("verify", format!("{maven} -B -ntp verify")).broad("45m");
    let test = StackCommand::test(format!("{maven} -B -ntp test")).timeout("30m");
    Some(DetectedStack {
        code: vec![test, verify],
        ..DetectedStack::default()
    })
}

fn gradle(top: &Top<'_>) -> Option<DetectedStack> {
    top.first(&[
        "build.gradle",
        "build.gradle.kts",
        "settings.gradle",
        "settings.gradle.kts",
    ])?;
    let gradle = if top.has("gradlew") {
        "./gradlew"
    } else {
        "gradle"
    };
    // A daemon would outlive the attempt and be ended with it.
    let check = StackCommand::check("check", format!("{gradle} --no-daemon check")).broad("45m");
    let test = StackCommand::test(format!("{gradle} --no-daemon test")).timeout("30m");
    Some(DetectedStack {
        cache: vec![".gradle", "build"],
        code: vec![test, check],
        ..DetectedStack::default()
    })
}

fn dotnet(top: &Top<'_>) -> Option<DetectedStack> {
    let by_ending = |endings: &[&str]| {
        let mut names: Vec<&String> = top
            .0
            .listing
            .iter()
            .filter(|name| endings.iter().any(|end| name.ends_with(end)))
            .collect();
        names.sort();
        names.first().map(|name| (*name).clone())
    };
    let target =
        by_ending(&[".sln", ".slnx"]).or_else(|| by_ending(&[".csproj", ".fsproj", ".vbproj"]))?;
    let target = quoted(&target);
    let mut found = DetectedStack {
        cache: vec!["obj"],
        ..DetectedStack::default()
    };
    // The target is named because `dotnet` refuses to choose between two in one directory.
    found
        .code
        .push(StackCommand::test(format!("dotnet test {target} --nologo")).timeout("30m"));
    if top.has("packages.lock.json") {
        found.setup = Some(format!("dotnet restore {target} --locked-mode"));
    }
    if top.has(".editorconfig") {
        let run = format!("dotnet format {target} --verify-no-changes");
        found
            .suggested
            .push(StackCommand::check("format", run).when(&["**/*.cs", "**/*.fs"]));
    }
    Some(found)
}

fn make(top: &Top<'_>) -> Option<DetectedStack> {
    let text = top.text(top.first(&MAKEFILES)?)?;
    let targets = make_targets(&text);
    let has = |name: &str| targets.iter().any(|target| target == name);
    let mut found = DetectedStack::default();
    if let Some(target) = ["test", "tests", "check"]
        .into_iter()
        .find(|target| has(target))
    {
        found
            .code
            .push(StackCommand::test(format!("make {target}")));
    }
    if has("lint") {
        found.code.push(StackCommand::check("lint", "make lint"));
    }
    Some(found)
}

/// Returns the targets a makefile defines by name: rules at the start of a line, not variables.
fn make_targets(text: &str) -> Vec<String> {
    let rules = text
        .lines()
        .filter(|line| !line.starts_with(['\t', ' ', '#', '.']));
    rules
        .filter_map(|line| {
            let (names, rest) = line.split_once(':')?;
            let rest = rest.trim_start_matches(':');
            let variable = rest.starts_with('=') || names.contains(['=', '?', '+']);
            (!variable).then(|| {
                names
                    .split_whitespace()
                    .map(str::to_owned)
                    .collect::<Vec<_>>()
            })
        })
        .flatten()
        .collect()
}
