//! A slot's git directory from one attempt to the next: the same files where they are as they were made, new ones elsewhere.

use super::support::{MAIN, Repo, git_in, write};
use rustix::fs::{XattrFlags, setxattr};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;

type Act = fn(&Path);

/// What becomes of the directory: whether it is the same one afterwards.
const ACTS: [(&str, bool, Act); 18] = [
    ("nothing", true, |_| {}),
    ("looks at it", true, |d| drop(git_in(d, &["status"]))),
    ("stages", false, |d| {
        write(&d.join("a.txt"), "two\n");
        git_in(d, &["add", "-A"]);
    }),
    ("commits", false, |d| {
        git_in(d, &["config", "user.name", "A"]);
        git_in(d, &["config", "user.email", "a@localhost"]);
        git_in(d, &["commit", "-q", "--allow-empty", "-m", "mine"]);
    }),
    ("changes the configuration", true, |d| {
        fs::write(d.join(".git/config"), "[core]\n\tbare = true\n").expect("written");
    }),
    ("moves the head", true, |d| {
        fs::write(d.join(".git/HEAD"), "ref: refs/heads/elsewhere\n").expect("written");
    }),
    ("leaves a hook", false, |d| {
        write(&d.join(".git/hooks/pre-commit"), "false\n")
    }),
    ("leaves a lock", false, |d| {
        write(&d.join(".git/index.lock"), "")
    }),
    ("has a link for a file", false, |d| {
        fs::remove_file(d.join(".git/HEAD")).expect("removed");
        symlink("../../theirs", d.join(".git/HEAD")).expect("a link");
    }),
    ("has a link for a directory", false, |d| {
        fs::remove_dir(d.join(".git/hooks")).expect("removed");
        symlink("../..", d.join(".git/hooks")).expect("a link");
    }),
    ("has a second name for a file", false, |d| {
        let config = d.join(".git/config");
        fs::remove_file(&config).expect("removed");
        fs::hard_link(d.parent().expect("above").join("theirs"), &config).expect("a name");
    }),
    ("opens a file to everyone", false, |d| {
        fs::set_permissions(d.join(".git/config"), PermissionsExt::from_mode(0o777)).expect("set");
    }),
    ("has a second name for a file as it is", false, |d| {
        let kept = d.parent().expect("above").join("kept");
        fs::hard_link(d.join(".git/config"), kept).expect("a name");
    }),
    ("shuts a directory", false, |d| {
        fs::set_permissions(d.join(".git/refs"), PermissionsExt::from_mode(0o500)).expect("set");
    }),
    ("attaches something to a directory", false, |d| {
        let attached = setxattr(d.join(".git/refs"), "user.x", b"x", XattrFlags::empty());
        if attached.is_err() {
            // A file system without attributes has another way to lose the directory.
            fs::remove_dir(d.join(".git/refs/tags")).expect("removed");
        }
    }),
    ("removes a file", false, |d| {
        fs::remove_file(d.join(".git/info/exclude")).expect("removed");
    }),
    ("has a link for itself", false, |d| {
        let moved = d.parent().expect("above").join("moved");
        fs::rename(d.join(".git"), &moved).expect("moved");
        symlink(&moved, d.join(".git")).expect("a link");
    }),
    ("removes it", false, |d| {
        fs::remove_dir_all(d.join(".git")).expect("removed");
    }),
];

/// Everything in a git directory but its index, which has times in it: path, permissions, content.
fn entries(dir: &Path) -> Vec<(String, u32, String)> {
    let walk = walkdir::WalkDir::new(dir).sort_by_file_name();
    let all = walk.into_iter().map(|entry| entry.expect("an entry"));
    all.filter(|entry| entry.file_name() != "index")
        .map(|entry| {
            let path = entry.path();
            let name = path.strip_prefix(dir).expect("inside");
            let kind = fs::symlink_metadata(path).expect("there").mode();
            let content = fs::read_to_string(path).unwrap_or_default();
            (name.display().to_string(), kind, content)
        })
        .collect()
}

#[test]
#[ignore = "long"]
fn whatever_becomes_of_it_the_next_attempt_has_a_clean_one() {
    for (name, same, act) in ACTS {
        let repo = Repo::with(&[("a.txt", "one\n")]);
        let (git, tip) = (repo.open(), repo.tip());
        let slot = repo.slot(&git);
        git.prepare(&slot, tip, MAIN).expect("a slot");
        let dir = slot.dir().join(".git");
        let theirs = slot.dir().parent().expect("above").join("theirs");
        write(&theirs, "[user]\n");
        let made = entries(&dir);
        // Open, so that its number is nobody else's meanwhile.
        let objects = fs::File::open(dir.join("objects")).expect("there");
        let before = objects.metadata().expect("there");
        act(slot.dir());
        git.prepare(&slot, tip, MAIN).expect("a slot");
        assert_eq!(entries(&dir), made, "{name}");
        assert_eq!(git_in(slot.dir(), &["status", "--porcelain"]), "", "{name}");
        let after = fs::metadata(dir.join("objects")).expect("there");
        assert_eq!(before.ino() == after.ino(), same, "{name}");
        assert_eq!(
            fs::read_to_string(&theirs).expect("a file"),
            "[user]\n",
            "{name}"
        );
    }
}

#[test]
fn one_that_stays_follows_to_another_branch_and_commit() {
    let repo = Repo::with(&[("a.txt", "one\n")]);
    let (git, tip) = (repo.open(), repo.tip());
    let slot = repo.slot(&git);
    git.prepare(&slot, tip, MAIN).expect("a slot");
    repo.write("a.txt", "two\n");
    let next = repo.commit_all("next");
    for branch in [
        "refs/heads/main",
        "refs/heads/feature/long",
        "refs/heads/feature",
    ] {
        git.prepare(&slot, next, branch).expect("a slot");
        let name = branch.trim_start_matches("refs/heads/");
        let head = git_in(
            slot.dir(),
            &["rev-parse", "HEAD", "--symbolic-full-name", "HEAD"],
        );
        assert_eq!(head, format!("{}\n{branch}\n", next.hex()), "{name}");
        assert_eq!(
            git_in(slot.dir(), &["branch", "--format=%(refname:short)"]),
            format!("{name}\n")
        );
    }
}
