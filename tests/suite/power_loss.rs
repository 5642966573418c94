//! What a power cut may take, by the order of flushes: nothing that a ref names. And how many flushes and processes a unit
//! costs, so that one more shows without a clock.

use super::world::{BRANCH, Unit, World, after_shell, good, text};
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// What the recorded calls did, in their order.
#[derive(Debug)]
enum Effect {
    /// A file got its name: where its content was before, and the name.
    Named(String, String),
    /// A file's content, or a directory's names, were on the disk.
    Flushed(String),
    Removed(String),
    GitStarted,
}

/// Returns the quoted arguments of a recorded call.
fn quoted(line: &str) -> Vec<String> {
    let mut parts = line.split('"');
    let mut found = Vec::new();
    while let (Some(_), Some(inner)) = (parts.next(), parts.next()) {
        found.push(inner.to_owned());
    }
    found
}

/// Reads a record of `strace -f -y`. A flush counts once it returned, everything else once it was asked for.
fn effects(record: &str) -> Vec<Effect> {
    let mut flushing: BTreeMap<&str, String> = BTreeMap::new();
    let mut effects = Vec::new();
    for line in record.lines() {
        let Some((process, call)) = line.split_once(' ') else {
            continue;
        };
        let call = call.trim_start();
        if call.starts_with("<... f") {
            effects.extend(flushing.remove(process).map(Effect::Flushed));
            continue;
        }
        if call.contains(" = -1 ") {
            continue;
        }
        let name = call.split('(').next().unwrap_or_default();
        match (name, &*quoted(call)) {
            ("fsync" | "fdatasync", _) => {
                let path = call.split(['<', '>']).nth(1).unwrap_or_default().to_owned();
                if call.contains("unfinished") {
                    flushing.insert(process, path);
                } else {
                    effects.push(Effect::Flushed(path));
                }
            }
            ("link" | "linkat" | "rename" | "renameat" | "renameat2", [from, to, ..]) => {
                effects.push(Effect::Named(from.clone(), to.clone()));
            }
            ("unlink" | "unlinkat", [path, ..]) => effects.push(Effect::Removed(path.clone())),
            ("execve", [program, ..]) if program.ends_with("/git") => {
                effects.push(Effect::GitStarted);
            }
            _ => {}
        }
    }
    effects
}

/// Finds every ref that moved while an object was not on the disk, and counts what each move of the branch cost.
fn judge(effects: &[Effect], repository: &str) -> (Vec<String>, Vec<[usize; 2]>) {
    let objects = format!("{repository}/.git/objects/");
    let refs = format!("{repository}/.git/refs/");
    let (mut at_risk, mut flushed) = (BTreeSet::new(), BTreeSet::new());
    let (mut wrong, mut costs, mut cost) = (Vec::new(), Vec::new(), [0, 0]);
    for effect in effects {
        match effect {
            Effect::GitStarted => cost[0] += 1,
            Effect::Flushed(path) => {
                cost[1] += 1;
                at_risk.remove(path);
                flushed.insert(path.clone());
            }
            // What is gone was put into a pack, which is looked at by itself.
            Effect::Removed(path) => drop(at_risk.remove(path)),
            Effect::Named(from, to) if to.starts_with(&objects) => {
                if !flushed.contains(from) && !to.ends_with(".idx") && !to.ends_with(".rev") {
                    at_risk.insert(to.clone());
                }
            }
            Effect::Named(_, to) if to.starts_with(&refs) => {
                wrong.extend(at_risk.iter().map(|object| format!("{object} before {to}")));
                if to.ends_with(BRANCH) {
                    costs.push(std::mem::take(&mut cost));
                }
            }
            Effect::Named(..) => {}
        }
    }
    (wrong, costs)
}

#[test]
#[ignore = "long"]
fn no_ref_moves_before_what_it_names_is_on_the_disk_and_a_unit_costs_few_flushes_and_processes() {
    let there = Command::new("strace").arg("-V").output();
    if !there.is_ok_and(|o| o.status.success()) {
        println!("SKIPPED: `strace` is not installed; no order of flushes was recorded");
        return;
    }
    let files = |count: u32| {
        after_shell(
            "T03",
            &format!("mkdir many; for n in $(seq {count}); do echo $n > many/$n; done"),
        )
    };
    for count in [100, 400] {
        let unit = |id, after, session| Unit {
            id,
            after,
            sessions: session,
            ..Unit::default()
        };
        let world = World::with_units(&[
            unit("T01", &[], &[&good("T01")]),
            unit("T02", &["T01"], &[&good("T02")]),
            unit("T03", &["T02"], &[&files(count)]),
        ]);
        let log = world.root.join("strace");
        let driver = world.unconfined(&world.root.join("sessions"));
        let output = world
            .command("strace")
            .args(["-f", "-qq", "-y", "-s", "400", "-e", "signal=none", "-o"])
            .arg(&log)
            .args(["-e", "trace=execve,fsync,fdatasync,link,linkat,rename,renameat,renameat2,unlink,unlinkat"])
            .arg(super::world::PROGRAM)
            .args(driver.get_args())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", text(&output));
        let effects = effects(&std::fs::read_to_string(&log).unwrap());
        let repository = world.repo().canonicalize().unwrap();
        let (wrong, costs) = judge(&effects, repository.to_str().unwrap());
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        println!("git processes and flushes before each commit of the branch: {costs:?}");
        // The commits of the first units also pay for the start of the run.
        let [plain, many] = [costs[costs.len() - 3], costs[costs.len() - 2]];
        assert!(plain[0] <= 4 && plain[1] <= 16, "{costs:?}");
        assert!(many[0] <= 10 && many[1] <= 24, "{costs:?}");
    }
}

#[test]
fn an_object_that_is_not_on_the_disk_when_its_ref_moves_is_found() {
    let object = "/r/.git/objects/ab/cd";
    let named = format!("7 link(\"/r/.git/objects/ab/tmp_obj\", \"{object}\") = 0\n");
    let moved =
        format!("8 rename(\"/r/.git/refs/heads/x.lock\", \"/r/.git/refs/heads/{BRANCH}\") = 0\n");
    let flush = format!("7 fsync(3<{object}>) = 0\n");
    let late = format!("7 fsync(3<{object}> <unfinished ...>\n{moved}7 <... fsync resumed>) = 0\n");
    let failed = format!("7 fsync(3<{object}>) = -1 EIO (Input/output error)\n");
    let pack =
        "7 rename(\"/r/.git/objects/pack/tmp_pack_a\", \"/r/.git/objects/pack/pack-a.pack\") = 0\n";
    let packed = "7 fsync(3</r/.git/objects/pack/tmp_pack_a>) = 0\n";
    let gone = format!("7 unlink(\"{object}\") = 0\n");
    for (record, wrong) in [
        (format!("{named}{flush}{moved}"), 0),
        (format!("{named}{moved}"), 1),
        (format!("{named}{moved}{flush}"), 1),
        (format!("{named}{late}"), 1),
        (format!("{named}{failed}{moved}"), 1),
        (format!("{named}{packed}{pack}{gone}{moved}"), 0),
        (format!("{named}{pack}{gone}{moved}"), 1),
    ] {
        let found = judge(&effects(&record), "/r").0;
        assert_eq!(found.len(), wrong, "{record}{found:?}");
    }
}
