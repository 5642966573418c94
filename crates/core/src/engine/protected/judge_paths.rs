//! Where judges live, by the conventions of the stacks: tests and their data, what steers how they run, what shadows them.

use super::super::guards::{self, PathGlobs};
use crate::path_names::file_name;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Tests and what they compare with.
pub(super) const TESTS: &[&str] = &[
    "{test,tests,spec,specs,e2e,cypress}/**",
    "**/{test,tests,spec,specs,__tests__,__snapshots__,__mocks__,testdata,test-data,test_data}/**",
    "**/{golden,goldens,fixture,fixtures,__fixtures__,cassettes,snapshots}/**",
    "**/*.{golden,approved,snap,snapshot}",
    "**/*.approved.*",
    "**/{expected,want,baselines,__image_snapshots__}/**",
    "**/*.{expected,stdout,stderr}",
    "**/*{expected,golden,fixture,testcase,test_case,test-case,testvector,test_vector,test-vector}*.{json,jsonl,txt,csv,tsv,yml,yaml,xml,html,toml,out,sql,svg}",
    "**/*{_,-}{testing,testutil,testutils,testhelpers,testlib,test_utils,test_helpers}.{py,go,rs,js,ts}",
    "**/{testing,testutil,testutils,testhelper,testhelpers,testlib,testkit,test_utils,test_util,test_helpers,test_support,test-utils,test-util,test-helpers,test-support}/**",
    "**/{testing,testutil,testutils,testhelper,testhelpers,testlib,testkit,test-utils,test-helpers,test-support}.{py,go,rs,js,mjs,cjs,ts,tsx,rb,php,sh}",
    "**/test_*.{py,sh,rb,c,cc,cpp,js,mjs,ts,lua,php,pl,jl,R,rs}",
    "**/*_test.{py,go,sh,rb,exs,dart,cc,cpp,c,js,mjs,ts,tsx,lua,ml}",
    "**/*_{spec,tests}.{rb,lua,rs}",
    "**/*_test.rs",
    "**/*.{test,spec,cy}.{js,jsx,mjs,cjs,ts,tsx,mts,cts,vue}",
    "**/{test-*,*-test}.{js,mjs,cjs,ts,sh}",
    "**/test.{js,mjs,cjs,ts,py,rb,sh,php,pl,lua,rs,c,cpp}",
    "**/*{Test,Tests,IT,Spec}.{java,kt,kts,groovy,scala,cs,fs,vb,php,swift}",
    "**/tests.{py,rs,js,ts,sh}",
    "t/**/*.{t,pl,pm,sh}",
    "**/*.t",
    "**/*.{bats,feature}",
    "**/{proptest-regressions,.hypothesis}/**",
    "**/*.proptest-regressions",
];

/// What steers how tests are found and run. Tests and product work without it, or with the base's.
const STEERING: &[&str] = &[
    "**/conftest.py",
    "**/{sitecustomize,usercustomize,pytest,_pytest,unittest,doctest}.py",
    "**/{pytest,_pytest,unittest,pluggy}/__init__.py",
    "**/*.{pth,pyc,pyo}",
    "**/__pycache__/**",
    "**/*.{egg-info,dist-info}/**",
    "**/{pytest.ini,.pytest.ini,pytest.toml,.pytest.toml,.coveragerc,noxfile.py,.noserc}",
    "**/{jest,vitest,playwright,cypress,karma,ava,wdio,web-test-runner}.config.*",
    "**/{jest,vitest}.{setup,workspace,global}*.*",
    "**/setupTests.*",
    "**/{karma.conf,.mocharc,.nycrc,.taprc,.jasmine}*",
    "**/{babel.config.*,.babelrc,.babelrc.*,.swcrc,.c8rc.json,node.config.json}",
    "**/{.npmrc,.yarnrc,.yarnrc.yml,.pnpmfile.cjs,bunfig.toml}",
    "**/node_modules/**",
    "**/.config/nextest.toml",
    "**/.cargo/{config,config.toml}",
    "**/{phpunit.xml,phpunit.xml.dist,phpunit.dist.xml,.rspec,spec_helper.rb,.runsettings}",
    "**/{CTestTestfile.cmake,CTestCustom.cmake,.bats}",
    "**/build.rs",
    "**/binding.gyp",
    "**/{rust-toolchain,rust-toolchain.toml,.tool-versions,mise.toml,.nvmrc,.python-version}",
    "**/Directory.Build.{props,targets}",
    "**/{.env,.env.local,.env.test,.env.test.local}",
    "**/{insta.yaml,.insta.yaml,proptest.toml}",
    "**/{.proverc,junit-platform.properties,CMakePresets.json,CMakeUserPresets.json}",
    "**/META-INF/services/org.{junit,testng}*",
    "**/{org/junit,org/testng,junit/framework}/**",
    "**/Test/{More,Simple,Builder}.pm",
    "**/{.mvn,gradle/wrapper}/**",
    "vendor/modules.txt",
];

/// Programs that verification starts by name: a file called so is a shim.
const PROGRAMS: &[&str] = &[
    "cargo", "rustc", "pytest", "python", "python3", "node", "npm", "npx", "pnpm", "yarn", "bun",
    "deno", "go", "git", "sh", "bash", "env", "make", "cmake", "ctest", "jest", "vitest", "mocha",
    "mvn", "gradle", "java", "dotnet", "ruby", "rspec", "bundle", "php", "phpunit", "composer",
    "[", "false", "cmp", "bats", "tox", "nox", "ruff", "mypy", "eslint", "tsc", "test", "true",
    "grep", "diff", "prove", "mvnw", "gradlew",
];

/// Modules of Python that its test runners import: one of that name beside the product takes its place.
const PYTHON_MODULES: &str = "__future__ _asyncio _bisect _bootlocale _collections_abc _colorize _contextvars _csv \
     _datetime _decimal _elementtree _hashlib _heapq _json _opcode _opcode_metadata \
     _posixsubprocess _socket _ssl _strptime _uuid _weakrefset abc argparse array ast asyncio \
     atexit base64 bdb bisect builtins calendar cmd code codecs codeop collections concurrent \
     configparser contextlib contextvars copy coverage csv dataclasses datetime decimal difflib \
     dis email enum errno exceptiongroup faulthandler fnmatch fractions functools gc getpass \
     gettext glob hashlib heapq html hypothesis importlib iniconfig inspect io itertools json \
     keyword linecache locale logging math mock numbers opcode operator optparse os packaging \
     pathlib pdb pickle pkgutil platform pluggy pprint py pygments queue quopri random re \
     readline reprlib runpy select selectors setuptools shlex shutil signal site socket \
     sre_compile sre_constants sre_parse ssl stat string struct subprocess sys sysconfig \
     tempfile textwrap threading time token tokenize tomli tomllib traceback types typing \
     typing_extensions unicodedata uuid warnings weakref xml zipfile zipimport zlib";

/// Build files that are read in place of a `Makefile` or a `Rakefile` beside them.
const BUILD_FILES_FIRST: &[&str] = &["GNUmakefile", "makefile", "rakefile"];

static TESTS_SET: LazyLock<PathGlobs> = LazyLock::new(|| guards::set(TESTS));
static STEERING_SET: LazyLock<PathGlobs> = LazyLock::new(|| guards::set(STEERING));

/// Returns whether a path is a test, or something a test compares with.
pub(super) fn is_test(path: &str) -> bool {
    TESTS_SET.is_match(path)
}

/// Returns whether a file of this path steers how tests are found, built and run.
pub(super) fn is_steering(path: &str) -> bool {
    let name = file_name(path);
    let directory = path.strip_suffix(name).unwrap_or("");
    STEERING_SET.is_match(path)
        || (PROGRAMS.contains(&name)
            && !directory.ends_with("cmd/")
            && !directory.ends_with("src/"))
        || directory.ends_with(".bin/")
}

/// Returns whether a new file of this path takes the place of something a runner reads or imports. `roots` are directories
/// that modules are imported from, beside the usual ones.
pub(super) fn shadows(path: &str, roots: &BTreeSet<String>) -> bool {
    let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
    let (stem, end) = name.rsplit_once('.').unwrap_or((name, ""));
    // A compiled module says between its name and its end what it is compiled for.
    let stem = stem.split('.').next().unwrap_or(stem);
    let (directory, module) = match stem {
        "__init__" => directory.rsplit_once('/').unwrap_or(("", directory)),
        _ => (directory, stem),
    };
    let in_the_way = matches!(end, "py" | "so" | "pyd")
        && (matches!(directory, "" | "tests" | "test") || roots.contains(directory))
        && PYTHON_MODULES.split(' ').any(|known| known == module);
    in_the_way || BUILD_FILES_FIRST.contains(&name)
}

/// Returns whether a new test, or data of tests, can change the verdict of others. One of Cargo's is a program of its own.
pub(super) fn shares_a_process(path: &str) -> bool {
    !path.ends_with(".rs")
}

/// Returns whether an ignored file that a command left steers the commands after it. What is installed is theirs to use;
/// a directory ends in a slash.
pub(super) fn is_steering_leftover(path: &str) -> bool {
    const INSTALLED: [&str; 5] = [
        "node_modules/",
        "site-packages/",
        ".egg-info/",
        ".dist-info/",
        ".bin/",
    ];
    let is_compiled = path.ends_with("__pycache__/");
    is_compiled
        || !path.ends_with('/')
            && is_steering(path)
            && !INSTALLED.iter().any(|part| path.contains(part))
}

/// Returns whether a changed script that the oracle reaches is there to judge, rather than part of what is judged.
pub(super) fn is_judging_script(path: &str) -> bool {
    const PLACES: &[&str] = &[
        "test",
        "tests",
        "check",
        "checks",
        "verify",
        "ci",
        "lint",
        "script",
        "scripts",
        "hack",
        "qa",
        "accept",
        "acceptance",
        "assert",
        "assertions",
        "conformance",
        "e2e",
        "expect",
        "integration",
        "regress",
        "regression",
        "selfcheck",
        "selftest",
        "smoke",
        "spec",
        "specs",
        "suite",
        "validate",
        "validation",
        "xtask",
    ];
    let lower = path.to_ascii_lowercase();
    lower
        .split(['/', '.', '-', '_'])
        .any(|part| PLACES.contains(&part))
}
