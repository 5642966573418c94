//! What looks leave out of a slot where other features are sealed, and when they leave out nothing.

use super::support::{MAIN, Repo, write};
use crate::git::sealed_features::{exposed_directories, exposed_records};
use crate::git::{Git, GitPath, Slot, SlotTarget};
use gatewalk_core::object_id::ObjectId;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const FEATURES: &str = ".gatewalk/features";
const OWN: &str = ".gatewalk/features/own";
const OTHER: &str = ".gatewalk/features/other";

struct Fixture {
    repo: Repo,
    git: Git,
    slot: Slot,
    tip: ObjectId,
}

impl Fixture {
    /// Returns a slot with so many files of another feature.
    fn new(files: usize) -> Fixture {
        let repo = Repo::with(&[("src/a", "a\n"), (&format!("{OWN}/PLAN.md"), "own\n")]);
        for n in 0..files {
            repo.write(&format!("{OTHER}/notes/{n}.md"), "note\n");
        }
        repo.commit_all("start");
        let (git, tip) = (repo.open(), repo.tip());
        let slot = repo.slot(&git);
        git.prepare(&slot, tip, MAIN).expect("a slot");
        Fixture {
            repo,
            git,
            slot,
            tip,
        }
    }

    fn seals(&self) -> bool {
        self.slot.seal(&GitPath::from(OWN)).is_some()
    }

    /// Runs nothing, sealed, and looks until both kinds of look leave out what is sealed.
    fn looked_at(self) -> Fixture {
        for _ in 0..1_000 {
            assert!(self.seals());
            self.captured();
            let (sealed, index) = (self.slot.sealed(), self.git.index_of(&self.slot));
            let shape = index.expect("an index").shape().clone();
            let directories = exposed_directories(sealed.as_ref(), &shape);
            let inside = format!("{OTHER}/notes");
            if !self.exposed().contains(&format!("{inside}/1.md"))
                && !directories.contains(&&GitPath::new(inside.as_str()))
            {
                return self;
            }
        }
        panic!("the clock stands still");
    }

    /// Returns the tracked files that the next look does not leave out.
    fn exposed(&self) -> Vec<String> {
        let (sealed, index) = (self.slot.sealed(), self.git.index_of(&self.slot));
        let index = index.expect("an index");
        let parts = exposed_records(sealed.as_ref(), &index);
        let records = parts.iter().flat_map(|part| part.records());
        records
            .map(|r| String::from_utf8_lossy(r.path).into_owned())
            .collect()
    }

    fn captured(&self) -> Vec<String> {
        let captured = self.git.capture(&self.slot, self.tip).expect("a capture");
        let paths = captured.changes.iter().map(|change| &change.path);
        paths.map(|path| path.to_text().into_owned()).collect()
    }

    fn dir(&self) -> &Path {
        self.slot.dir()
    }
}

#[test]
#[ignore = "long"]
fn what_is_sealed_is_looked_at_once_and_everything_else_each_time() {
    type Act = fn(&Fixture);
    // Only a look that leaves something out misses what no mount kept from changing here.
    let note = |f: &Fixture| write(&f.dir().join(OTHER).join("notes/1.md"), "evil\n");
    let rows: &[(&str, Act, &[&str])] = &[
        ("sealed", |_| {}, &[]),
        (
            "work and the own feature",
            |f| {
                write(&f.dir().join("src/b"), "b\n");
                write(&f.dir().join(OWN).join("PLAN.md"), "mine\n");
            },
            &[".gatewalk/features/own/PLAN.md", "src/b"],
        ),
        (
            "beside it",
            |f| write(&f.dir().join(FEATURES).join("new.md"), "new\n"),
            &[".gatewalk/features/new.md"],
        ),
    ];
    for (name, act, want) in rows {
        let fixture = Fixture::new(300).looked_at();
        note(&fixture);
        act(&fixture);
        assert!(fixture.seals());
        assert_eq!(fixture.captured(), *want, "{name}");
        if want.is_empty() {
            let changed = fixture.git.changed_since_prepared(&fixture.slot);
            assert_eq!(changed.expect("a look"), [], "{name}");
        }
        fixture.slot.unseal();
        let all = fixture.captured();
        assert!(
            all.contains(&format!("{OTHER}/notes/1.md")),
            "{name}: {all:?}"
        );
    }
}

#[test]
fn what_is_looked_at_again_is_all_but_the_other_features() {
    let fixture = Fixture::new(300).looked_at();
    let mut exposed = fixture.exposed();
    exposed.sort();
    assert_eq!(exposed, [&format!("{OWN}/PLAN.md"), "src/a"]);
    // Where the other one is worked at next there is too little beside it to be sealed.
    assert!(fixture.slot.seal(&GitPath::from(OTHER)).is_none());
    assert_eq!(fixture.exposed().len(), 302);
}

#[test]
fn files_that_may_have_changed_after_the_index_was_written_are_looked_at_again() {
    let fixture = Fixture::new(300);
    // As on a file system where a change may hide in the moment of another.
    fixture.slot.set_shown(None);
    let look = |index_written: SystemTime| {
        let index = fs::File::options()
            .append(true)
            .open(fixture.slot.index().file().expect("an index"));
        let touched = index.and_then(|index| index.set_modified(index_written));
        touched.expect("a time");
        fixture.slot.index().own();
        assert!(fixture.seals());
        let changed = fixture.git.changed_since_prepared(&fixture.slot);
        assert_eq!(changed.expect("a look"), []);
        fixture.exposed().len()
    };
    let hour = Duration::from_secs(3600);
    assert_eq!(look(SystemTime::now() - hour), 302);
    assert_eq!(look(SystemTime::now() + hour), 2);
}

#[test]
fn files_of_the_last_moment_of_a_second_are_settled_once_they_were_read() {
    let fixture = Fixture::new(300);
    let write_time = |file: &Path, milliseconds: u64| {
        let file = fs::File::options().append(true).open(file);
        let time = UNIX_EPOCH + Duration::from_millis(milliseconds);
        file.and_then(|file| file.set_modified(time))
            .expect("a time");
    };
    let notes = (0..300).map(|n| format!("{OTHER}/notes/{n}.md"));
    for path in notes.chain(["src/a".to_owned(), format!("{OWN}/PLAN.md")]) {
        write_time(&fixture.dir().join(path), 1_000_000_000_995);
    }
    fixture.captured();
    // Git compares whole seconds, so it would take each of them for older than the index.
    write_time(
        fixture.slot.index().file().expect("an index"),
        1_000_000_001_005,
    );
    fixture.slot.index().own();
    fixture.looked_at();
}

#[test]
fn nothing_is_left_out_that_something_could_change() {
    type Act = fn(&Fixture);
    let rows: &[(&str, Act)] = &[
        ("something ran that nothing kept from it", |f| {
            f.slot.unseal()
        }),
        ("we removed a file there", |f| {
            f.slot
                .unseal_at(&GitPath::from(&*format!("{OTHER}/notes/2.md")));
        }),
        ("another directory is in its place", |f| {
            let features = f.dir().join(FEATURES);
            fs::rename(&features, f.dir().join("aside")).unwrap();
            fs::create_dir(&features).unwrap();
            for entry in fs::read_dir(f.dir().join("aside")).unwrap() {
                let entry = entry.unwrap();
                fs::rename(entry.path(), features.join(entry.file_name())).unwrap();
            }
            fs::remove_dir(f.dir().join("aside")).unwrap();
        }),
    ];
    for (name, act) in rows {
        let fixture = Fixture::new(300).looked_at();
        act(&fixture);
        write(&fixture.dir().join(OTHER).join("notes/1.md"), "evil\n");
        assert_eq!(
            fixture.captured(),
            [format!("{OTHER}/notes/1.md")],
            "{name}"
        );
    }
}

#[test]
fn a_file_with_another_name_is_looked_at_each_time() {
    let fixture = Fixture::new(300).looked_at();
    fixture.slot.unseal();
    let file = fixture.dir().join(OTHER).join("notes/1.md");
    fs::hard_link(&file, fixture.dir().join("other-name")).unwrap();
    for _ in 0..3 {
        assert!(fixture.seals());
        fixture.captured();
    }
    write(&fixture.dir().join("other-name"), "evil\n");
    assert!(fixture.captured().contains(&format!("{OTHER}/notes/1.md")));
}

#[test]
fn what_we_write_there_is_as_the_index_says() {
    let fixture = Fixture::new(300).looked_at();
    fixture.repo.write(&format!("{OTHER}/notes/1.md"), "next\n");
    fixture
        .repo
        .write(".gatewalk/features/third/PLAN.md", "third\n");
    let next = fixture.repo.commit_all("next");
    let target = SlotTarget {
        tree: next,
        commit: next,
        branch: MAIN,
    };
    fixture
        .git
        .prepare_tree(&fixture.slot, target)
        .expect("a slot");
    let fixture = Fixture {
        tip: next,
        ..fixture
    };
    assert!(fixture.seals());
    assert_eq!(fixture.captured(), [""; 0]);
    let read = |path: &str| fs::read_to_string(fixture.dir().join(path)).unwrap();
    assert_eq!(read(&format!("{OTHER}/notes/1.md")), "next\n");
    assert_eq!(read(".gatewalk/features/third/PLAN.md"), "third\n");
}

#[test]
fn nothing_is_sealed_where_it_is_not_worth_it_or_leads_elsewhere() {
    assert!(!Fixture::new(200).seals(), "few files");
    let fixture = Fixture::new(300);
    let own = fixture.dir().join(OWN);
    fs::remove_dir_all(&own).unwrap();
    assert!(!fixture.seals(), "no feature");
    symlink("/", &own).unwrap();
    assert!(!fixture.seals(), "a link");
    fs::remove_file(&own).unwrap();
    fs::create_dir(&own).unwrap();
    assert!(fixture.seals());
    fs::rename(fixture.dir().join(".gatewalk"), fixture.dir().join("aside")).unwrap();
    symlink("aside", fixture.dir().join(".gatewalk")).unwrap();
    assert!(!fixture.seals(), "a link on the way");
    assert!(fixture.slot.sealed().is_none());
}

#[test]
fn commands_side_by_side_run_as_ever() {
    let fixture = Fixture::new(300).looked_at();
    let first = fixture.slot.occupy();
    assert!(fixture.seals());
    let second = fixture.slot.occupy();
    assert!(!fixture.seals());
    assert!(fixture.slot.sealed().is_none());
    drop(first);
    assert!(fixture.seals());
    drop(second);
}
