//! Stacks whose tool has one command for the tests, whatever the project: only data.

use super::{DetectedStack, StackCommand, Top};

/// A tool, and what shows that a project uses it.
pub(super) struct OneCommand {
    /// Files at the top level, any of which is enough.
    manifests: &'static [&'static str],
    /// Where the tests are, as the beginning of a path; empty where only the tool knows.
    tests_in: &'static str,
    setup: Option<&'static str>,
    /// What set-up and tests make in the work tree.
    made: &'static [&'static str],
    run: &'static str,
}

pub(super) const ELIXIR: OneCommand = OneCommand {
    manifests: &["mix.exs"],
    tests_in: "",
    setup: Some("mix deps.get"),
    made: &["deps", "_build"],
    run: "mix test",
};

pub(super) const SWIFT: OneCommand = OneCommand {
    manifests: &["Package.swift"],
    tests_in: "Tests/",
    setup: None,
    made: &[".build"],
    run: "swift test",
};

pub(super) const SBT: OneCommand = OneCommand {
    manifests: &["build.sbt"],
    tests_in: "",
    setup: None,
    made: &["target"],
    run: "sbt -batch test",
};

pub(super) const ZIG: OneCommand = OneCommand {
    manifests: &["build.zig"],
    tests_in: "",
    setup: None,
    made: &[".zig-cache"],
    run: "zig build test",
};

pub(super) const STACK: OneCommand = OneCommand {
    manifests: &["stack.yaml"],
    tests_in: "",
    setup: None,
    made: &[".stack-work"],
    run: "stack test",
};

pub(super) const DUNE: OneCommand = OneCommand {
    manifests: &["dune-project"],
    tests_in: "",
    setup: None,
    made: &["_build"],
    run: "dune runtest",
};

pub(super) const BAZEL: OneCommand = OneCommand {
    manifests: &["MODULE.bazel", "WORKSPACE.bazel", "WORKSPACE"],
    tests_in: "",
    setup: None,
    made: &[],
    run: "bazel test //...",
};

pub(super) const JULIA: OneCommand = OneCommand {
    manifests: &["Project.toml"],
    tests_in: "test/runtests.jl",
    setup: None,
    made: &[],
    run: "julia --project=. -e 'using Pkg; Pkg.test()'",
};

pub(super) const PERL: OneCommand = OneCommand {
    manifests: &["Makefile.PL", "Build.PL", "cpanfile", "dist.ini"],
    tests_in: "t/",
    setup: None,
    made: &[],
    run: "prove -lr t",
};

pub(super) const CRYSTAL: OneCommand = OneCommand {
    manifests: &["shard.yml"],
    tests_in: "spec/",
    setup: Some("shards install"),
    made: &["lib"],
    run: "crystal spec",
};

pub(super) const MESON: OneCommand = OneCommand {
    manifests: &["meson.build"],
    tests_in: "",
    setup: None,
    made: &["build"],
    run: "{ test -d build || meson setup build; } && meson test -C build --print-errorlogs",
};

pub(super) fn detect(top: &Top<'_>, tool: &OneCommand) -> Option<DetectedStack> {
    top.first(tool.manifests)?;
    let is_tested = top.has_under(tool.tests_in);
    let code = is_tested.then(|| StackCommand::test(tool.run).timeout("30m"));
    Some(DetectedStack {
        setup: tool.setup.map(str::to_owned),
        made: tool.made.to_vec(),
        cache: tool.made.to_vec(),
        code: code.into_iter().collect(),
        ..DetectedStack::default()
    })
}
