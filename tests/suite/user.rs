//! The user's work beside a run: whatever state it is in, it is the same afterwards.

use super::sample::sample;
use super::world::{BRANCH, World, after_shell, good, text, two_units_with};
use std::collections::BTreeMap;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;
use std::process::Output;

/// Everything of the user's that a run must leave alone.
#[derive(Debug, PartialEq)]
struct View {
    status: Vec<String>,
    index: Vec<String>,
    files: BTreeMap<PathBuf, Vec<u8>>,
    refs: String,
    stashes: String,
    config: String,
}

/// Whether a path is where the run itself works.
fn is_the_runs(path: &[u8]) -> bool {
    path.starts_with(b".gatewalk/") || (path.starts_with(b"T0") && path.ends_with(b".txt"))
}

fn view(world: &World) -> View {
    let list = |args: &[&str]| {
        let output = world.command("git").args(args).output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", text(&output));
        let records = output.stdout.split(|b| *b == 0).map(<[u8]>::to_vec);
        let path = |record: &[u8]| {
            let at = record.iter().rposition(|b| *b == b' ' || *b == b'\t');
            record[at.map_or(0, |at| at + 1)..].to_vec()
        };
        let kept = records.filter(|r| !is_the_runs(&path(r)));
        kept.map(|r| r.escape_ascii().to_string()).collect()
    };
    let refs = world.git(&["for-each-ref"]);
    let others = |line: &&str| !line.contains(BRANCH) && !line.contains("refs/gatewalk/");
    View {
        status: list(&["status", "--porcelain=v2", "-z", "--untracked-files=all"]),
        index: list(&["ls-files", "-s", "-v", "-z"]),
        files: files(world),
        refs: refs.lines().filter(others).collect::<Vec<_>>().join("\n"),
        stashes: world.git(&["stash", "list", "-p"]),
        config: world.read(".git/config"),
    }
}

fn files(world: &World) -> BTreeMap<PathBuf, Vec<u8>> {
    let root = world.repo();
    let entries = walkdir::WalkDir::new(&root)
        .into_iter()
        .filter_entry(|e| e.file_name() != ".git")
        .map(Result::unwrap);
    let mut files = BTreeMap::new();
    for entry in entries {
        let path = entry.path().strip_prefix(&root).unwrap().to_path_buf();
        if is_the_runs(path.as_os_str().as_bytes()) || path.as_os_str() == ".gatewalk" {
            continue;
        }
        let kind = entry.file_type();
        let bytes = if kind.is_symlink() {
            let target = std::fs::read_link(entry.path()).unwrap();
            target.into_os_string().into_vec()
        } else if kind.is_file() {
            std::fs::read(entry.path()).unwrap()
        } else {
            b"(no file)".to_vec()
        };
        files.insert(path, bytes);
    }
    files
}

/// A unit that passes and one after it that passes too, with a session's first step in the first.
fn two_units(during: &str) -> World {
    let first = if during.is_empty() {
        good("T01")
    } else {
        after_shell("T01", during)
    };
    two_units_with(&[&first, &good("T01")])
}

#[track_caller]
fn done(world: &World, output: &Output) {
    assert_eq!(output.status.code(), Some(0), "{}", text(output));
    for id in ["T01", "T02"] {
        let landed = world.git(&["show", &format!("{BRANCH}:{id}.txt")]);
        assert_eq!(landed, "whole\n");
    }
}

/// What the user did before the run, as a shell script in the repository.
const STATES: &[(&str, &str)] = &[
    ("nothing", ""),
    ("staged", "echo more >> README.md; git add README.md"),
    ("staged new", "echo x > new; git add new"),
    (
        "partly staged",
        "echo a >> README.md; git add README.md; echo b >> README.md",
    ),
    ("unstaged", "echo more >> README.md"),
    (
        "staged away and changed back",
        "echo a >> README.md; git add README.md; git show HEAD:README.md > README.md",
    ),
    ("deleted", "rm README.md"),
    ("deletion staged", "git rm -q README.md"),
    ("deletion staged, file kept", "git rm -q --cached README.md"),
    ("renamed", "git mv README.md LIESMICH.md"),
    ("executable", "chmod +x README.md"),
    (
        "a link for a file",
        "rm README.md; ln -s check.sh README.md; ln -s /nowhere dangling",
    ),
    (
        "a directory for a file",
        "rm README.md; mkdir README.md; echo x > README.md/x",
    ),
    (
        "untracked, any name",
        "printf x > '-rf'; printf x > \"$(printf 'a\\nb')\"; printf x > \"$(printf '\\377\\376')\"; printf x > ' '; mkdir -p 'd/e f'; printf x > 'd/e f/\"g\"'",
    ),
    (
        "untracked, no file",
        "mkfifo pipe; mkdir empty; ln -s loop loop",
    ),
    (
        "ignored",
        "echo build > .git/info/exclude; mkdir build; echo x > build/out",
    ),
    ("intent to add", "echo x > soon; git add -N soon"),
    (
        "stashed",
        "echo one >> README.md; git stash -q; echo two >> README.md; git stash -q; echo three >> README.md",
    ),
    (
        "assumed unchanged",
        "git update-index --assume-unchanged README.md; echo hidden >> README.md",
    ),
    (
        "skipped in the work tree",
        "git update-index --skip-worktree README.md; echo local >> README.md",
    ),
    (
        "sparse",
        "git sparse-checkout set --no-cone '/.gatewalk/' '/check.sh' '/T*'; [ ! -e README.md ]",
    ),
    (
        "a repository inside",
        "git init -q inner; echo x > inner/x; git -C inner add x; git -C inner commit -qm x; echo y >> inner/x",
    ),
    (
        "a submodule ahead and dirty",
        "git init -q ../sub; git -C ../sub commit -q --allow-empty -m one; git -c protocol.file.allow=always submodule --quiet add ../sub sub; git commit -qm sub; git -C sub commit -q --allow-empty -m two; echo x > sub/x",
    ),
    (
        "a submodule pointer staged",
        "git init -q ../sub; git -C ../sub commit -q --allow-empty -m one; git -c protocol.file.allow=always submodule --quiet add ../sub sub; git commit -qm sub; git -C sub commit -q --allow-empty -m two; git add sub",
    ),
    (
        "a submodule that is not there",
        "git init -q ../sub; git -C ../sub commit -q --allow-empty -m one; git -c protocol.file.allow=always submodule --quiet add ../sub sub; git commit -qm sub; git submodule --quiet deinit -f sub",
    ),
    (
        "large file pointers without their program",
        "echo '*.bin filter=lfs diff=lfs merge=lfs -text' > .gitattributes; printf 'version https://git-lfs.github.com/spec/v1\\noid sha256:4d7a\\nsize 12\\n' > a.bin; git add -A; git commit -qm lfs; git config filter.lfs.clean 'no-such-lfs clean'; git config filter.lfs.smudge 'no-such-lfs smudge'; git config filter.lfs.required false",
    ),
    (
        "large files filtered",
        "git config filter.lfs.clean 'sed s/BIG/pointer/'; git config filter.lfs.smudge 'sed s/pointer/BIG/'; echo '*.bin filter=lfs' > .gitattributes; echo BIG > a.bin; git add -A; git commit -qm lfs; echo BIG BIG > a.bin",
    ),
    (
        "line endings converted",
        "printf '*.md text eol=crlf\\n' > .gitattributes; git add -A; git commit -qm eol; rm README.md; git checkout -q README.md; printf 'more\\r\\n' >> README.md",
    ),
    (
        "hooks that would break a commit",
        "for h in reference-transaction post-checkout post-index-change; do printf '#!/bin/sh\\necho hook ran > ../hook-ran\\nexit 1\\n' > .git/hooks/$h; chmod +x .git/hooks/$h; done",
    ),
    (
        "an unmerged path elsewhere",
        "git checkout -q -b other; echo o > README.md; git commit -qam o; git checkout -q main; echo m > README.md; git commit -qam m; git merge -q other || true; rm -f .git/MERGE_HEAD .git/MERGE_MSG .git/MERGE_MODE",
    ),
];

#[test]
fn a_run_leaves_the_users_checkout_as_it_was() {
    for (name, script) in sample("states", STATES, 3) {
        let world = two_units("");
        world.sh(script);
        let before = view(&world);
        // Our own look may have run one.
        let hooked = world.root.join("hook-ran");
        drop(std::fs::remove_file(&hooked));
        let output = world.walk_unconfined();
        assert!(!hooked.exists(), "{name}: a hook of the repository ran");
        done(&world, &output);
        assert_eq!(view(&world), before, "{name}: {}", text(&output));
        assert_eq!(
            world.read("T02.txt"),
            "whole\n",
            "{name}: the checkout follows"
        );
    }
}

/// What the user does while the first session runs, and what is theirs afterwards.
struct Meanwhile {
    name: &'static str,
    script: &'static str,
    /// Paths with the content the user gave them.
    kept: &'static [(&'static str, &'static str)],
    /// What the driver says.
    says: &'static str,
}

const MEANWHILE: &[Meanwhile] = &[
    Meanwhile {
        name: "edits another file",
        script: "echo mine >> README.md; echo new > new",
        kept: &[("README.md", "one\ntwo\nthree\nmine\n"), ("new", "new\n")],
        says: "",
    },
    Meanwhile {
        name: "stages another file",
        script: "echo mine >> README.md; git add README.md; echo more >> README.md",
        kept: &[("README.md", "one\ntwo\nthree\nmine\nmore\n")],
        says: "",
    },
    Meanwhile {
        name: "writes the same file",
        script: "echo mine > T01.txt",
        kept: &[("T01.txt", "mine\n")],
        says: "git diff HEAD -- :/T01.txt",
    },
    Meanwhile {
        name: "stages the same file",
        script: "echo mine > T01.txt; git add T01.txt",
        kept: &[("T01.txt", "mine\n")],
        says: "git diff HEAD -- :/T01.txt",
    },
    Meanwhile {
        name: "makes a directory of that name",
        script: "mkdir T01.txt; echo mine > T01.txt/x",
        kept: &[("T01.txt/x", "mine\n")],
        says: "git diff HEAD -- :/T01.txt",
    },
    Meanwhile {
        name: "writes files of the same odd names",
        script: "printf mine > 'a\nb'; printf mine > \"$(printf '\\377%%\\047')\"; cd \"$OLDPWD\"; printf whole > 'a\nb'; printf whole > \"$(printf '\\377%%\\047')\"",
        kept: &[("a\nb", "mine")],
        says: r#"git diff HEAD -- "$(printf ':/\377%%\047')""#,
    },
    Meanwhile {
        name: "edits the plan",
        script: "echo note >> .gatewalk/features/FEAT-2026-0001-greetings/GATE-01.md",
        kept: &[],
        says: "your edits of `.gatewalk/features/FEAT-2026-0001-greetings/GATE-01.md` stay beside what landed",
    },
    Meanwhile {
        name: "goes to another branch",
        script: "git checkout -q main; echo mine > T01.txt",
        kept: &[("T01.txt", "mine\n")],
        says: "",
    },
    Meanwhile {
        name: "commits another file",
        script: "echo mine > new; git add new; git commit -qm mine",
        kept: &[("new", "mine\n")],
        says: "the branch moved",
    },
    Meanwhile {
        name: "commits from another worktree, which git lets nobody check out twice",
        script: "tree=$(git commit-tree -p HEAD -m mine HEAD^{tree}); git update-ref HEAD $tree",
        kept: &[],
        says: "",
    },
    Meanwhile {
        name: "stashes an edit",
        script: "echo mine >> README.md; git stash -q",
        kept: &[("README.md", "one\ntwo\nthree\n")],
        says: "",
    },
];

#[test]
fn what_the_user_changes_during_a_run_stays() {
    for row in sample("edits", MEANWHILE, 3) {
        let name = row.name;
        let world = two_units("");
        // The session reaches over to the checkout, as the user's own shell would.
        let script = format!(
            "cd '{}'; export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=Ada GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=Ada GIT_COMMITTER_EMAIL=a@b; set -e; {}",
            world.repo().display(),
            row.script
        );
        let path = world.root.join("meanwhile.sh");
        std::fs::write(&path, script).unwrap();
        let session = after_shell("T01", &format!("sh '{}'", path.display()));
        std::fs::write(world.root.join("sessions/T01.1.yml"), session).unwrap();
        let output = world.walk_unconfined();
        if text(&output).contains("paths that are not what they look like") {
            // Names like these are for you to see before the gate closes.
            assert_eq!(output.status.code(), Some(10), "{name}: {}", text(&output));
            let accepted = world.run(&["arm", "--accept"]);
            done(&world, &accepted);
        } else {
            done(&world, &output);
        }
        for (path, content) in row.kept {
            assert_eq!(world.read(path), *content, "{name}: {}", text(&output));
        }
        assert!(
            text(&output).contains(row.says),
            "{name}: {}",
            text(&output)
        );
        let unit = format!("{BRANCH}:.gatewalk/features/FEAT-2026-0001-greetings/WU-T01.md");
        let unit = world.git(&["show", &unit]);
        assert!(
            unit.contains("attempts: 1\n"),
            "{name} costs nothing: {unit}"
        );
        if name.contains("commit") {
            let log = world.git(&["log", "--format=%s", BRANCH]);
            assert!(log.contains("mine\n"), "{name}: {log}");
        }
        if name.contains("stash") {
            assert_eq!(world.git(&["stash", "list"]).lines().count(), 1);
        }
    }
}

#[test]
fn a_commit_that_conflicts_sends_the_unit_back_uncharged() {
    let world = two_units("");
    let script = format!(
        "cd '{}' && echo whole, but mine > T01.txt && git add T01.txt && git -c user.name=A -c user.email=a@b commit -qm mine",
        world.repo().display()
    );
    let session = after_shell("T01", &script);
    std::fs::write(world.root.join("sessions/T01.1.yml"), session).unwrap();
    // Asked again on the new tip, it adds to what it finds.
    let again = good("T01").replace("- write: T01.txt", "- append: T01.txt");
    std::fs::write(world.root.join("sessions/T01.2.yml"), &again).unwrap();
    let output = world.walk_unconfined();
    let said = text(&output);
    assert!(said.contains("both changed T01.txt"), "{said}");
    let kept = world.git(&["for-each-ref", "refs/gatewalk/uncharged"]);
    assert!(kept.contains("T01"), "what it left is kept: {kept}");
    let log = world.git(&["log", "--format=%s", BRANCH]);
    assert!(log.contains("mine\n"), "{log}");
}

#[test]
fn a_branch_deleted_meanwhile_is_an_integrity_stop_and_nothing_is_lost() {
    let world = two_units("");
    let script = format!(
        "cd '{}' && git checkout -q main && git branch -q -D {BRANCH}",
        world.repo().display()
    );
    let session = after_shell("T01", &script);
    std::fs::write(world.root.join("sessions/T01.1.yml"), session).unwrap();
    let output = world.walk_unconfined();
    let said = text(&output);
    assert_eq!(output.status.code(), Some(6), "{said}");
    assert!(said.contains(BRANCH), "{said}");
    // Where nothing confines a session, it may have been the session: what it removed is back.
    world.git(&["rev-parse", "--verify", "--quiet", BRANCH]);
    std::fs::write(world.root.join("sessions/T01.1.yml"), good("T01")).unwrap();
    let output = world.walk_unconfined();
    done(&world, &output);
    let kept = world.git(&[
        "show",
        "refs/gatewalk/uncharged/FEAT-2026-0001/T01/1:T01.txt",
    ]);
    assert_eq!(kept, "whole\n", "what the session left is kept");
}
