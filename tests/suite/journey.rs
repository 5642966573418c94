//! One sentence, a draft, two gates, a wrapped branch: everything a user does, with recorded sessions
//! and a `gh` that only writes down what it was asked.

use crate::cycle::Stage;
use std::os::unix::fs::PermissionsExt;

/// A `gh` that answers what a quiet repository would, and remembers every call and what it read.
const GH: &str = r#"#!/bin/sh
printf '%s\n' "$*" >> "$HOME/gh.log"
case "$1 $2" in
  'issue view') printf '{"title": "Greet everyone", "body": "By name, in `greet.sh`.", "url": "https://example.org/1"}' ;;
  'pr list') [ -f "$HOME/pr.open" ] && cat "$HOME/pr.open" || printf '[]' ;;
  'pr create') cat > "$HOME/pr.body"; printf 'https://example.org/acme/shop/pull/7\n' ;;
  'pr edit') cat > "$HOME/pr.body" ;;
esac
"#;

impl Stage {
    /// A repository with a small program, its tests and a fresh state directory; `gh` is a stub.
    pub(crate) fn program() -> Stage {
        let stage = Stage::empty();
        stage.write("greet.sh", "printf 'Hello, %s!\\n' \"${1:-world}\"\n");
        stage.write(
            "tests/run.sh",
            "for t in tests/test_*.sh; do sh \"$t\" || exit 1; done\n",
        );
        stage.write(
            "tests/test_one.sh",
            "[ \"$(sh greet.sh Ada)\" = 'Hello, Ada!' ]\n",
        );
        stage.commit("A program");
        stage.run(0, &["init"]);
        stage.write(
            ".gatewalk/verification.yml",
            "code:\n  - name: tests\n    command: sh tests/run.sh\n    timeout: 1m\ndoc:\n  - name: lint\n    command: '\"$GATEWALK_BIN\" lint \"$GATEWALK_FEATURE_DIR\"'\nplannext:\n  - name: lint\n    command: '\"$GATEWALK_BIN\" lint \"$GATEWALK_FEATURE_DIR\"'\n",
        );
        stage.commit("Plans");
        let gh = stage.home.join("bin/gh");
        std::fs::create_dir_all(gh.parent().expect("a directory")).expect("a directory");
        std::fs::write(&gh, GH).expect("written");
        std::fs::set_permissions(&gh, std::fs::Permissions::from_mode(0o755)).expect("executable");
        stage
    }

    pub(crate) fn session(&self, name: &str, text: &str) {
        std::fs::write(self.sessions.join(format!("{name}.yml")), text).expect("written");
    }

    pub(crate) fn gh_log(&self) -> String {
        std::fs::read_to_string(self.home.join("gh.log")).unwrap_or_default()
    }

    /// Returns the directory that a draft would write, from what `--dry-run` says.
    fn directory(&self, args: &[&str]) -> String {
        let mut all = vec!["draft", "--dry-run"];
        all.extend(args);
        let (said, _) = self.run(0, &all);
        let plan = said
            .lines()
            .find_map(|l| l.strip_prefix("would prepare ")?.strip_suffix("/PLAN.md"));
        plan.expect("a plan").to_owned()
    }

    fn record_draft(&self, dir: &str) {
        let id = &dir.rsplit('/').next().expect("a directory")[..14];
        // The first session forgets to write the unit out: the linter sends it back.
        self.session(
            "DRAFT.1",
            &format!("steps:\n  - shell: '\"$GATEWALK_BIN\" new gate \"Say how it is used\" >/dev/null'\n  - write: {dir}/GATE-01-REVIEW.md\n    content: |\n      # Review\n\n      Nobody said what happens without a name.\nusage: {{cost_usd: 0.04}}\nresult: {{status: complete, summary: planned}}\n"),
        );
        let unit = format!(
            "---\nid: {id}/T01\ntype: implementation\nstatus: draft\ncovers: [REQ-GREET-1]\nplanned_cost_usd: 0.10\nproduces: tests/test_names.sh\nchecks:\n  - name: two-lines\n    run: test \"$(sh greet.sh Ada Alan | wc -l)\" -eq 2\n    covers: [REQ-GREET-1]\n---\n\n# Greet everyone\n\n## Objective\n\nEveryone is greeted.\n\n## Context\n\n`greet.sh` is the whole program.\n\n## Acceptance criteria\n\n1. `sh greet.sh Ada Alan` prints two lines.\n\n## Do not touch\n\n- `tests/run.sh`.\n\n## Verification\n\n- `sh tests/run.sh`.\n\n## Escalation triggers\n\n- A test expects one line.\n"
        );
        let indented: String = unit.lines().map(|l| format!("      {l}\n")).collect();
        self.session(
            "DRAFT.2",
            &format!("steps:\n  - shell: 'cd {dir} && rm WU-01-*.md.none 2>/dev/null; sed -i \"s/<fill in: [^>]*>/It is written down/; s/REQ-[A-Z]*-1: .*/REQ-GREET-1: every name is greeted/\" *.md'\n  - shell: 'cd {dir} && mv \"$(ls WU-01-*.md)\" keep && mv keep \"$(grep -o \"WU-01-[a-z-]*.md\" PLAN.md)\"'\n  - write: {dir}/unit.txt\n    content: |\n{indented}  - shell: 'cd {dir} && mv unit.txt \"$(grep -o \"WU-01-[a-z-]*.md\" PLAN.md)\"'\nusage: {{cost_usd: 0.05}}\nresult: {{status: complete, summary: planned}}\n"),
        );
        self.session(
            "T01",
            "steps:\n  - write: greet.sh\n    content: |\n      [ $# -gt 0 ] || set -- world\n      for name in \"$@\"; do printf 'Hello, %s!\\n' \"$name\"; done\n  - write: tests/test_names.sh\n    content: |\n      [ \"$(sh greet.sh Ada Alan | wc -l)\" -eq 2 ]\nusage: {input_tokens: 10, output_tokens: 5, cost_usd: 0.06}\nresult: {status: complete, summary: done}\n",
        );
        self.session(
            "G1-PLAN",
            &format!("steps:\n  - shell: 'cd {dir} && sed -i \"s/<fill in[^>]*>/It is written down/\" *.md'\nusage: {{cost_usd: 0.03}}\nresult: {{status: complete, summary: planned}}\n"),
        );
        self.session(
            "T02",
            "steps:\n  - write: README.md\n    content: |\n      sh greet.sh NAME...\nusage: {cost_usd: 0.02}\nresult: {status: complete, summary: done}\n",
        );
    }
}

#[test]
#[ignore = "long"]
fn one_sentence_becomes_a_wrapped_branch() {
    let stage = Stage::program();
    let sentence = "Greet everyone by name";
    let dir = stage.directory(&[sentence]);
    let id = dir.rsplit('/').next().expect("a directory")[..14].to_owned();
    stage.record_draft(&dir);
    let agent = format!("script:{}", stage.sessions.display());
    let (said, progress) = stage.run(0, &["draft", sentence, "--agent", &agent]);
    assert!(
        said.contains(&format!("{id} is drafted: 2 gates")),
        "{said}"
    );
    assert!(
        progress.contains("the draft has"),
        "the linter sends the first session back: {progress}"
    );
    let log = stage.read(&format!("{dir}/events.jsonl"));
    assert!(
        log.contains("\"feature_drafted\"")
            && log.contains("\"attempts\":2")
            && log.contains("\"cost_usd\":0.09"),
        "{log}"
    );
    assert!(stage.read(".gatewalk/roadmap.md").contains("| planned |"));

    let (review, _) = stage.run(0, &["review", &id]);
    assert!(
        review.contains("Drafts of gate 1") && review.contains("Nobody said"),
        "{review}"
    );
    stage.run(0, &["arm", &id]);
    stage.walk(10, &[]);
    stage.run(0, &["review"]);
    stage.run(0, &["arm"]);
    stage.walk(0, &[]);
    let plan = stage.read(&format!("{dir}/PLAN.md"));
    assert!(plan.contains("\nstatus: done\n"), "{plan}");

    let (coverage, _) = stage.run(0, &["status", "--coverage", &id]);
    assert!(
        coverage.contains("1 of 1 requirements covered") && coverage.contains("two-lines"),
        "{coverage}"
    );

    let (_, refused) = stage.run(2, &["wrap"]);
    assert!(refused.contains("--yes"), "{refused}");
    let (steps, _) = stage.run(0, &["wrap", "--dry-run"]);
    assert_eq!(steps.lines().count(), 3, "{steps}");
    assert_eq!(stage.gh_log(), "", "a dry run asks nobody");
    let remote = stage.home.join("remote.git");
    stage.git(&["init", "--quiet", "--bare", &remote.display().to_string()]);
    stage.git(&["remote", "add", "origin", &remote.display().to_string()]);
    let (wrapped, _) = stage.run(0, &["wrap", "--yes"]);
    assert!(
        wrapped.contains("https://example.org/acme/shop/pull/7"),
        "{wrapped}"
    );
    let branch = stage.git(&["branch", "--show-current"]).trim().to_owned();
    let there = stage.git(&["ls-remote", "origin", &format!("refs/heads/{branch}")]);
    assert!(
        there.starts_with(stage.git(&["rev-parse", "HEAD"]).trim()),
        "{there}"
    );
    let body = std::fs::read_to_string(stage.home.join("pr.body")).expect("a body");
    assert!(
        body.contains("- [x] REQ-GREET-1")
            && body.contains("$0.06")
            && body.contains(&format!("Feature: {id}")),
        "{body}"
    );
    let roadmap = stage.read(".gatewalk/roadmap.md");
    let archive = roadmap.find("## Archive").expect("an archive");
    assert!(
        roadmap[archive..].contains(&id) && !roadmap[..archive].contains(&id),
        "{roadmap}"
    );

    // A second time it brings the open request up to date and changes nothing else.
    std::fs::write(
        stage.home.join("pr.open"),
        r#"[{"number": 7, "url": "https://example.org/acme/shop/pull/7"}]"#,
    )
    .expect("written");
    let before = stage.git(&["rev-parse", "HEAD"]);
    let (_, said) = stage.run(0, &["wrap", "--yes"]);
    assert!(said.contains("update the open pull request of"), "{said}");
    assert!(
        stage.gh_log().contains("pr edit 7 --title"),
        "{}",
        stage.gh_log()
    );
    assert_eq!(stage.git(&["rev-parse", "HEAD"]), before);

    // As a stack each unit's commit is a branch with a request of its own, on the one before it.
    std::fs::remove_file(stage.home.join("pr.open")).expect("removed");
    let (steps, _) = stage.run(0, &["wrap", "--stack", "--base", "main", "--dry-run"]);
    assert!(steps.contains("each on the one before it"), "{steps}");
    stage.run(0, &["wrap", "--stack", "--base", "main", "--yes"]);
    let landed = stage.git(&[
        "log",
        "--format=%H",
        "--grep",
        &format!("^Feature: {id}/T01$"),
    ]);
    let there = stage.git(&["ls-remote", "origin", &format!("refs/heads/{branch}-T01")]);
    assert!(
        there.starts_with(landed.lines().next().expect("landed")),
        "{there}"
    );
    let log = stage.gh_log();
    let opened: Vec<&str> = log.lines().filter(|l| l.starts_with("pr create")).collect();
    let stacked = &opened[1..];
    assert!(
        stacked[0].contains(&format!("--head {branch}-T01")) && stacked[0].ends_with("--base main"),
        "{log}"
    );
    for (below, above) in stacked.iter().zip(&stacked[1..]) {
        let head = below.split(' ').nth(3).expect("a head");
        assert!(above.ends_with(&format!("--base {head}")), "{log}");
    }
    assert!(
        stacked[stacked.len() - 1].contains(&format!("--head {branch} ")),
        "{log}"
    );
    assert_eq!(stage.git(&["rev-parse", "HEAD"]), before);
}

#[test]
#[ignore = "long"]
fn a_draft_from_an_issue_adopts_it() {
    let stage = Stage::program();
    let issue = ["--from-issue", "acme/shop#1"];
    let dir = stage.directory(&issue);
    stage.record_draft(&dir);
    assert!(
        !stage.gh_log().contains("label"),
        "a dry run sets no label: {}",
        stage.gh_log()
    );
    let agent = format!("script:{}", stage.sessions.display());
    stage.run(
        0,
        &["draft", "--from-issue", "acme/shop#1", "--agent", &agent],
    );
    assert!(
        stage
            .read(&format!("{dir}/PLAN.md"))
            .contains("issue: \"acme/shop#1\"\n")
    );
    let id = dir.rsplit('/').next().expect("a directory")[..14].to_owned();
    stage.run(0, &["arm", &id]);
    stage.walk(10, &[]);
    let log = stage.gh_log();
    for state in ["planned", "active", "review"] {
        assert!(
            log.contains(&format!(
                "issue edit 1 --repo acme/shop --add-label gatewalk:{state} --remove-label "
            )),
            "{state}: {log}"
        );
    }
    let calls = log.lines().count();
    stage.run(0, &["loop", "--dry-run"]);
    assert_eq!(stage.gh_log().lines().count(), calls);
    for wrong in ["acme#1", "acme/shop", "acme/shop#x", "-x/y#1"] {
        stage.run(2, &["draft", &format!("--from-issue={wrong}")]);
    }
}

#[test]
fn a_draft_that_stays_wrong_is_kept_and_lands_nothing() {
    let stage = Stage::program();
    let sentence = "Greet everyone by name";
    let dir = stage.directory(&[sentence]);
    stage.session("DRAFT", "steps:\n  - write: greet.sh\n    content: |\n      exit 1\nresult: {status: complete, summary: x}\n");
    let agent = format!("script:{}", stage.sessions.display());
    let before = stage.git(&["for-each-ref", "refs/heads"]);
    let (_, said) = stage.run(
        11,
        &["draft", sentence, "--agent", &agent, "--max-attempts", "2"],
    );
    assert!(
        said.contains("1 path outside") && said.contains("greet.sh"),
        "{said}"
    );
    assert_eq!(stage.git(&["for-each-ref", "refs/heads"]), before);
    assert_eq!(stage.git(&["status", "--porcelain"]), "");
    let id = &dir.rsplit('/').next().expect("a directory")[..14];
    let kept = stage.git(&[
        "for-each-ref",
        "--format=%(refname)",
        "refs/gatewalk/drafts",
    ]);
    assert_eq!(
        kept,
        format!("refs/gatewalk/drafts/{id}/1\nrefs/gatewalk/drafts/{id}/2\n")
    );
}

#[test]
fn wrapping_says_what_stands_in_its_way_and_goes_on_from_there() {
    const FAILING: &str = "#!/bin/sh\necho 'HTTP 401: Bad credentials' >&2\nexit 4\n";
    const BABBLING: &str = "#!/bin/sh\necho 'A new release of gh is available'\n";
    let stage = Stage::program();
    let dir = ".gatewalk/features/FEAT-2026-0001-a";
    stage.write(
        &format!("{dir}/PLAN.md"),
        "---\nfeature_id: FEAT-2026-0001\ntitle: A\nbranch: feat/a\nroadmap_goal: It is there\nstatus: done\n---\n\n# A\n\n```yaml\ngates:\n  - gate: 1\n    file: GATE-01.md\n    work_units:\n      - id: FEAT-2026-0001/T01\n        file: WU-01-a.md\n        depends_on: []\n```\n",
    );
    stage.write(
        &format!("{dir}/GATE-01.md"),
        "---\ngate: 1\nstatus: passed\n---\n",
    );
    stage.write(
        &format!("{dir}/WU-01-a.md"),
        "---\nid: FEAT-2026-0001/T01\ntype: human\nstatus: done\n---\n\n# A\n",
    );
    stage.write(
        ".gatewalk/roadmap.md",
        "# Roadmap\n\n| Feature | Title | Status |\n|---|---|---|\n| FEAT-2026-0001 | A | done |\n",
    );
    stage.commit("done");
    stage.git(&["switch", "--quiet", "--create", "feat/a"]);
    let head = stage.git(&["rev-parse", "HEAD"]);
    let (_, said) = stage.run(5, &["wrap", "--yes"]);
    assert!(said.contains("there is no remote `origin`"), "{said}");
    assert_eq!(stage.git(&["rev-parse", "HEAD"]), head, "nothing was done");
    stage.run(2, &["wrap", "--yes", "--remote=-x"]);

    let remote = stage.home.join("remote.git");
    stage.git(&["init", "--quiet", "--bare", &remote.display().to_string()]);
    stage.git(&["remote", "add", "origin", &remote.display().to_string()]);
    let config = stage.git(&["config", "--local", "--list"]);
    let hook = remote.join("hooks/pre-receive");
    let executable = |path: &std::path::Path, text: &str| {
        std::fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        std::fs::write(path, text).expect("written");
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).expect("ours");
    };
    executable(
        &hook,
        "#!/bin/sh\necho 'the branch is protected' >&2\nexit 1\n",
    );
    let (_, said) = stage.run(5, &["wrap", "--yes"]);
    assert!(said.contains("the branch is protected"), "{said}");
    std::fs::remove_file(hook).expect("removed");
    for (gh, want) in [
        (FAILING, "Bad credentials"),
        (BABBLING, "answered with no list"),
    ] {
        executable(&stage.home.join("bin/gh"), gh);
        let (_, said) = stage.run(5, &["wrap", "--yes"]);
        assert!(said.contains(want), "{said}");
    }
    executable(&stage.home.join("bin/gh"), GH);
    let (said, _) = stage.run(0, &["wrap", "--yes"]);
    assert!(said.contains("pull/7"), "{said}");
    let (said, _) = stage.run(0, &["wrap", "--dry-run", "--json"]);
    assert!(said.contains("\"would\""), "{said}");
    // One archiving commit in all, and the user's configuration is as it was.
    let count = stage.git(&["rev-list", "--count", &format!("{}..HEAD", head.trim())]);
    assert_eq!(count.trim(), "1");
    assert_eq!(stage.git(&["config", "--local", "--list"]), config);
}
