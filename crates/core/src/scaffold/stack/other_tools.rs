//! Stacks whose projects choose between ways to test: Ruby, PHP, Deno, Dart, CMake, `just`, scripts.

use super::{DetectedStack, StackCommand, Top, quoted, unread_manifests};

pub(super) fn ruby(top: &Top<'_>) -> Option<DetectedStack> {
    let bundled = top.has("Gemfile");
    if !bundled && !top.has("Rakefile") {
        return None;
    }
    let exec = if bundled { "bundle exec " } else { "" };
    let rakes = |task: &str| {
        let text = top.text("Rakefile").unwrap_or_default();
        [format!(":{task}"), "TestTask.new".to_owned()]
            .iter()
            .any(|sign| text.contains(sign.as_str()))
    };
    let run = if top.has("config.ru") && top.has_under("bin/rails") && top.has_under("test/") {
        Some("bin/rails test".to_owned())
    } else if top.has_under("spec/") {
        Some(format!("{exec}rspec"))
    } else if top.has_under("test/") && rakes("test") {
        Some(format!("{exec}rake test"))
    } else if top.has_under("test/") {
        let each = r#"Dir["test/**/{test_*,*_test}.rb"].each { |f| require "./#{f}" }"#;
        Some(format!("{exec}ruby -Ilib -Itest -e '{each}'"))
    } else {
        None
    };
    let rubocop = top.has(".rubocop.yml").then(|| {
        StackCommand::check("lint", format!("{exec}rubocop")).when(&["**/*.rb", "**/Gemfile*"])
    });
    Some(DetectedStack {
        setup: bundled.then(|| "bundle install --quiet".to_owned()),
        code: run.map(StackCommand::test).into_iter().collect(),
        suggested: rubocop.into_iter().collect(),
        ..DetectedStack::default()
    })
}

pub(super) fn php(top: &Top<'_>) -> Option<DetectedStack> {
    let package = unread_manifests::json(&top.text("composer.json")?);
    let configured = |names| top.first(names).is_some();
    let run = if !package["scripts"]["test"].is_null() {
        Some("composer run-script --timeout=0 test")
    } else if package["require-dev"]["pestphp/pest"].is_string() {
        Some("vendor/bin/pest")
    } else if configured(&["phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml"]) {
        Some("vendor/bin/phpunit")
    } else {
        None
    };
    let types = configured(&["phpstan.neon", "phpstan.neon.dist", "phpstan.dist.neon"]);
    let types = types.then(|| {
        StackCommand::check("types", "vendor/bin/phpstan analyse --no-progress").when(&["**/*.php"])
    });
    Some(DetectedStack {
        setup: Some("composer install --no-interaction --no-progress --quiet".to_owned()),
        made: vec!["vendor"],
        code: run.map(StackCommand::test).into_iter().collect(),
        suggested: types.into_iter().collect(),
        ..DetectedStack::default()
    })
}

pub(super) fn deno(top: &Top<'_>) -> Option<DetectedStack> {
    let manifest = top.first(&["deno.json", "deno.jsonc"]);
    if manifest.is_none() && !top.has("deno.lock") {
        return None;
    }
    let text = manifest.and_then(|name| top.text(name)).unwrap_or_default();
    let tasks = text.split_once("\"tasks\"").map_or("", |(_, rest)| rest);
    let tasks = tasks.split('}').next().unwrap_or_default();
    let run = match tasks.contains("\"test\"") {
        true => "deno task test",
        false => "deno test --allow-all",
    };
    let files: &[&'static str] = &["**/*.ts", "**/*.tsx", "**/*.js", "**/*.jsx"];
    Some(DetectedStack {
        code: vec![StackCommand::test(run)],
        suggested: vec![
            StackCommand::check("lint", "deno lint").when(files),
            StackCommand::check("fmt", "deno fmt --check").when(files),
        ],
        ..DetectedStack::default()
    })
}

pub(super) fn dart(top: &Top<'_>) -> Option<DetectedStack> {
    let manifest = top.text("pubspec.yaml")?;
    let tool = match manifest.contains("sdk: flutter") {
        true => "flutter",
        false => "dart",
    };
    let test = top
        .has_under("test/")
        .then(|| StackCommand::test(format!("{tool} test")));
    let lint = StackCommand::check("lint", format!("{tool} analyze")).when(&["**/*.dart"]);
    Some(DetectedStack {
        setup: Some(format!("{tool} pub get")),
        made: vec![".dart_tool"],
        code: test.into_iter().collect(),
        suggested: vec![lint],
        ..DetectedStack::default()
    })
}

pub(super) fn cmake(top: &Top<'_>) -> Option<DetectedStack> {
    top.first(&["CMakeLists.txt"])?;
    // Any directory may switch testing on; CTest then refuses to pass without a test.
    let is_tested = top.0.paths.iter().any(|path| {
        path.ends_with("CMakeLists.txt")
            && top.text(path).is_some_and(|text| {
                let text = text.to_lowercase();
                text.contains("enable_testing") || text.contains("include(ctest)")
            })
    });
    let build = "cmake -S . -B build && cmake --build build --parallel 2";
    let command = match is_tested {
        true => StackCommand::test(format!(
            "{build} && ctest --test-dir build --output-on-failure --no-tests=error"
        )),
        false => StackCommand::check("build", build),
    };
    Some(DetectedStack {
        made: vec!["build"],
        cache: vec!["build"],
        code: vec![command.timeout("30m")],
        ..DetectedStack::default()
    })
}

pub(super) fn just(top: &Top<'_>) -> Option<DetectedStack> {
    let text = top.text(top.first(&["justfile", "Justfile", ".justfile"])?)?;
    let recipe = |line: &&str| {
        let name = line.split([' ', ':']).next();
        !line.contains(":=") && line.contains(':') && name == Some("test")
    };
    text.lines().find(recipe)?;
    Some(DetectedStack {
        code: vec![StackCommand::test("just test")],
        ..DetectedStack::default()
    })
}

pub(super) fn bats(top: &Top<'_>) -> Option<DetectedStack> {
    let file = top.0.paths.iter().find(|path| path.ends_with(".bats"))?;
    let directory = file.split_once('/').map_or(".", |(directory, _)| directory);
    Some(DetectedStack {
        code: vec![StackCommand::test(format!(
            "bats --recursive {}",
            quoted(directory)
        ))],
        ..DetectedStack::default()
    })
}

/// Scripts that projects without a build tool test with.
const SCRIPTS: &[&str] = &[
    "script/test",
    "scripts/test",
    "scripts/test.sh",
    "bin/test",
    "ci/test.sh",
    "test.sh",
    "tests.sh",
    "run_tests.sh",
    "run-tests.sh",
    "runtests.sh",
    "tests/run.sh",
    "tests/run_tests.sh",
    "tests/run-tests.sh",
    "tests/all.sh",
    "test/run.sh",
    "test/run_tests.sh",
    "test/run-tests.sh",
    "test/all.sh",
];

pub(super) fn script(top: &Top<'_>) -> Option<DetectedStack> {
    let path = SCRIPTS.iter().find(|path| top.has_file(path))?;
    let text = top.text(path)?;
    let first = text.lines().next().unwrap_or_default();
    let shebang = first.strip_prefix("#!").unwrap_or("sh");
    let interpreter = [
        "bash", "zsh", "python3", "python", "node", "ruby", "perl", "sh",
    ]
    .into_iter()
    .find(|program| {
        let mut words = shebang.split_whitespace();
        words.any(|word| word.rsplit('/').next() == Some(program))
    });
    let run = match interpreter {
        Some(program) => format!("{program} {path}"),
        None => format!("./{path}"),
    };
    Some(DetectedStack {
        code: vec![StackCommand::test(run)],
        ..DetectedStack::default()
    })
}
