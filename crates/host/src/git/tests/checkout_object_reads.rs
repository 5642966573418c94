//! Objects taken from the checkout instead of asked of git.

use super::support::Repo;
use crate::git::cache::LARGEST;
use crate::git::read::READ_LIMIT;

const FILES: &[(&str, &str)] = &[
    ("outside.md", "not looked at\n"),
    (".plans/a", "1"),
    (".plans/a-b", "2"),
    (".plans/a.b/c", "3"),
    (".plans/a/b/c.md", ""),
    (".plans/ü/☃.md", "é\n"),
];

/// As `FILES`, less the two names that cannot stand beside each other.
fn repo(options: &[&str]) -> Repo {
    let repo = Repo::init(options);
    for (path, content) in FILES.iter().filter(|(path, _)| *path != ".plans/a") {
        repo.write(path, content);
    }
    repo.git(&["add", "-A"]);
    repo.git(&["update-index", "--chmod=+x", ".plans/a-b"]);
    repo.git(&["commit", "-qm", "start"]);
    repo.git(&["checkout", "-q", "-f", "HEAD"]);
    repo.git(&["checkout-index", "-f", "-a"]);
    repo
}

#[test]
fn a_clean_directory_has_the_id_that_git_gives_it_in_either_format() {
    for options in [&[][..], &["--object-format=sha256"]] {
        let repo = repo(options);
        // A log that grew is not kept, and known all the same.
        repo.write(".plans/log", &"x".repeat(LARGEST + 1));
        repo.git(&["add", "-A"]);
        repo.git(&["commit", "-qm", "a log"]);
        let git = repo.open();
        let want = repo.id("HEAD:.plans");
        assert_eq!(git.take_from_disk(".plans"), Some(want), "{options:?}");
    }
}

#[test]
fn what_the_checkout_holds_is_not_asked_of_git_and_what_it_changed_is() {
    let repo = repo(&[]);
    let object = |id: &str| {
        repo.root()
            .join(".git/objects")
            .join(&id[..2])
            .join(&id[2..])
    };
    // Git cannot answer for this one any more.
    let held = repo.id("HEAD:.plans/a.b/c").hex();
    std::fs::remove_file(object(&held)).expect("removed");
    repo.write(".plans/a/b/c.md", "edited\n");
    repo.write(".plans/a/new.md", "not committed\n");
    let git = repo.open();
    assert_ne!(git.take_from_disk(".plans"), Some(repo.id("HEAD:.plans")));
    let files = git.files_under(repo.tip(), ".plans").expect("all files");
    let found: Vec<(&str, &[u8])> = files
        .iter()
        .map(|(path, bytes)| (&**path, &**bytes))
        .collect();
    let want: Vec<(&str, &[u8])> = FILES[2..]
        .iter()
        .map(|(path, text)| (*path, text.as_bytes()))
        .collect();
    assert_eq!(found, want);
}

#[test]
fn what_has_no_place_in_a_plan_leaves_the_id_unknown_and_nothing_waits_for_it() {
    type Put = fn(&Repo);
    let rows: [(&str, Put); 4] = [
        ("a link", |repo| {
            std::os::unix::fs::symlink("a-b", repo.root().join(".plans/link")).expect("a link");
        }),
        ("a pipe", |repo| {
            let pipe = repo.root().join(".plans/pipe");
            let made = std::process::Command::new("mkfifo").arg(pipe).status();
            assert!(made.expect("mkfifo").success());
        }),
        ("a large file", |repo| {
            let file = std::fs::File::create(repo.root().join(".plans/large"));
            let grown = file.and_then(|file| file.set_len(READ_LIMIT + 1));
            grown.expect("a file of nothing");
        }),
        ("a deep directory", |repo| {
            repo.write(".plans/1/2/3/4/5/6/7/8/9", "")
        }),
    ];
    for (what, put) in rows {
        let repo = repo(&[]);
        put(&repo);
        assert_eq!(repo.open().take_from_disk(".plans"), None, "{what}");
    }
    assert_eq!(repo(&[]).open().take_from_disk(".no-plans"), None);
}
