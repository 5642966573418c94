//! What all guards add to an ordinary unit of a repository of 10,000 files: the two looks around its session, the looks
//! at its diff, and the one at the slot after its commands. Everything else a unit costs is in `unit`.

use super::{Lab, command, median, ok, rounds, row, time};
use gatewalk_core::driver::driver_event::{DriverEvent, Watcher};
use gatewalk_core::driver::ports::{SlotContent, SlotId, Workspaces};
use gatewalk_core::driver::run_loop::{DrivenFeature, Driver};
use gatewalk_core::engine::secrets;
use gatewalk_core::engine::snapshot::RunOptions;
use gatewalk_core::object_id::ObjectId;
use gatewalk_host::host::Host;
use gatewalk_host::os::Os;
use gatewalk_host::state_repository::Repository;
use std::ffi::OsString;

const FILES: usize = 10_000;
const UNIT: &str = "FEAT-2026-0001/T01";
const BRANCH: &str = "feat/FEAT-2026-0001-bench";

struct Silent;

impl Watcher for Silent {
    fn report(&self, _: &DriverEvent) {}
}

/// Returns the lab, and the trees before and after a unit's work.
fn lab() -> (Lab, ObjectId, ObjectId) {
    let lab = Lab::new();
    for n in 0..FILES {
        let path = format!("src/d{}/f{n}.rs", n % 200);
        lab.write(
            &path,
            &format!("/// Says {n}.\npub fn f{n}() -> u32 {{ {n} }}\n"),
        );
    }
    lab.feature(1, 1, "active", "pending");
    lab.write(".gitignore", "target/\n");
    lab.commit();
    ok("git", &["branch", BRANCH], &lab.repo());
    // Six edits, two of them of tests, two new files: 400 lines.
    let lines: String = (0..50)
        .map(|n| format!("    let token_{n} = next(&mut tokens)?;\n"))
        .collect();
    for name in [
        "src/d1/f1.rs",
        "src/d2/f2.rs",
        "src/d3/f3.rs",
        "src/d4/f4.rs",
        "tests/a.rs",
        "tests/b.rs",
        "src/new.rs",
        "out/1.txt",
    ] {
        lab.write(name, &lines);
    }
    let work = work(&lab);
    let base = object(&lab, BRANCH);
    (lab, base, work)
}

fn object(lab: &Lab, name: &str) -> ObjectId {
    let output = command("git", &lab.repo())
        .args(["rev-parse", name])
        .output()
        .unwrap();
    ObjectId::parse(output.stdout.trim_ascii()).unwrap()
}

/// Returns the tree of what was written, as work on what is committed.
fn work(lab: &Lab) -> ObjectId {
    ok("git", &["checkout", "-q", "--detach"], &lab.repo());
    ok("git", &["add", "-A"], &lab.repo());
    ok("git", &["commit", "-qm", "work"], &lab.repo());
    let tree = object(lab, "HEAD^{tree}");
    ok("git", &["checkout", "-q", "main"], &lab.repo());
    tree
}

/// Returns the tree of a bundle of so many functions, each with names of its own that a guard may ask about.
fn bundle(lab: &Lab, functions: usize) -> ObjectId {
    let one = |n: usize| {
        format!(
            "let calls{n} = 0;\nfunction f{n}(a, b) {{\n  calls{n} += 1;\n  state.odd{n} = !state.odd{n};\n  if (a > {n}) {{\n    return a + b;\n  }}\n  return a - b * {n};\n}}\n"
        )
    };
    let text: String = (0..functions).map(one).collect();
    lab.write("lib/bundle.js", &text);
    work(lab)
}

pub(super) fn guards() {
    let (lab, base, tree) = lab();
    let repository = Repository::open(&lab.repo()).unwrap();
    let host = Host {
        env: [
            ("HOME", lab.root.path().join("home").into_os_string()),
            ("PATH", std::env::var_os("PATH").unwrap()),
        ]
        .map(|(name, value)| (OsString::from(name), value))
        .to_vec(),
        ..Host::default()
    };
    let machine = Os::new(&repository.git, host, &Silent).unwrap();
    let feature = DrivenFeature {
        layout: repository.layout,
        branch: BRANCH,
        dir: ".gatewalk/features/FEAT-2026-0001-bench",
    };
    let driver = Driver::new(&machine, &Silent, &feature, RunOptions::default());
    let commit = base;
    let content = SlotContent {
        slot: SlotId::Verification(0),
        commit,
        tree,
        branch: BRANCH,
    };
    machine.prepare_slot(&content).unwrap();
    let prompt = "Read the plan, then the code, and say what you did and why. ".repeat(600);
    let again = || machine.prepare_slot(&content).unwrap();
    // What something unconfined could have reached is looked at again before it is believed.
    let fill = |doubted: bool| {
        let took = || {
            if doubted {
                drop(machine.watched(false, UNIT, || ()).unwrap());
            }
            time(again)
        };
        took();
        median((0..rounds()).map(|_| took()).collect())
    };
    let doubt = (fill(true) - fill(false)).max(0.0);
    let parts: [(&str, &dyn Fn()); 5] = [
        ("around a confined session", &|| {
            drop(machine.watched(true, UNIT, || ()).unwrap())
        }),
        ("around an unconfined session", &|| {
            drop(machine.watched(false, UNIT, || ()).unwrap())
        }),
        ("the diff", &|| {
            drop(driver.guards_at(&base, &tree, UNIT).unwrap())
        }),
        ("the slot after the commands", &|| {
            drop(machine.changed_in_slot(SlotId::Verification(0)).unwrap())
        }),
        ("secrets in a prompt", &|| drop(secrets::find(&prompt))),
    ];
    let took: Vec<f64> = parts
        .iter()
        .map(|(_, part)| {
            part();
            median((0..rounds()).map(|_| time(part)).collect())
        })
        .collect();
    for ((what, _), took) in parts.iter().zip(&took) {
        println!("  {what:<50} {took:>9.2} ms");
    }
    println!(
        "  {:<50} {doubt:>9.2} ms",
        "doubting a slot that was in reach"
    );
    let grown = [4_000, 16_000].map(|functions| {
        let tree = bundle(&lab, functions);
        time(|| drop(driver.guards_at(&base, &tree, UNIT).unwrap()))
    });
    row(
        "the diff with a bundle of 16,000 functions, of one of 4,000",
        grown[1].as_secs_f64() / grown[0].as_secs_f64(),
        "x",
        4.0 * 1.2,
    );
    let rest: f64 = took[2..].iter().sum();
    row(
        "guards of a unit, 10,000 files, confined",
        took[0] + rest,
        "ms",
        30.0,
    );
    row(
        "guards of a unit, 10,000 files, unconfined",
        took[1] + doubt + rest,
        "ms",
        30.0,
    );
}
