use super::*;
use crate::driver::test_machine::MemoryMachine;

const OWN: &str = ".gatewalk/features/FEAT-2026-0002-own";

fn plan_text(id: usize) -> String {
    format!(
        "---\nfeature_id: FEAT-2026-{id:04}\nbranch: x\nstatus: active\n---\n# F\n```yaml\ngates:\n  - gate: 1\n    file: GATE-01.md\n    work_units:\n      - {{id: FEAT-2026-{id:04}/T01, file: WU-01.md}}\n```\n"
    )
}

fn repository() -> MemoryMachine {
    let mut files = FileSet::new();
    let mut put = |path: String, text: String| drop(files.insert(path, text.into_bytes().into()));
    for (id, name) in [(1, "before"), (2, "own"), (3, "after")] {
        let dir = format!(".gatewalk/features/FEAT-2026-{id:04}-{name}");
        put(format!("{dir}/PLAN.md"), plan_text(id));
        let unit = format!("---\nid: FEAT-2026-{id:04}/T01\nstatus: pending\n---\n# T\n");
        put(format!("{dir}/WU-01.md"), unit);
        put(format!("{dir}/GATE-01.md"), "---\ngate: 1\n---\n".into());
    }
    put(".gatewalk/verification.yml".into(), "code: []\n".into());
    put("src/a.rs".into(), String::new());
    MemoryMachine::new(files, &[])
}

fn shared(before: &CommittedPlan, after: &CommittedPlan) -> Vec<String> {
    let same = |f: &&Arc<Feature>| after.workspace.features.iter().any(|a| Arc::ptr_eq(a, f));
    let kept = before.workspace.features.iter().filter(same);
    kept.map(|f| f.dir.rsplit("-").next().unwrap().to_owned())
        .collect()
}

/// Reads the plan of the tip after some changes of the user's (`path=text`), from the plan before them.
fn check(changes: &[&str], want: &[&str]) {
    for from_a_selected_workspace in [false, true] {
        let machine = repository();
        let tip = || *machine.world().tip();
        let read = || CommittedPlan::read(&machine, &tip(), Layout::Gatewalk, OWN).unwrap();
        let mut before = read();
        if from_a_selected_workspace {
            before.files = None;
        }
        for change in changes {
            let (path, text) = change.split_once('=').unwrap();
            let path = path.replace('%', OWN);
            machine.world().user_commits(&path, text);
        }
        let after = before.read_near(&machine, &tip(), OWN).unwrap();
        assert_eq!(after.workspace, read().workspace, "{changes:?}");
        assert_eq!(shared(&before, &after), want, "{changes:?}");
        let again = after.read_near(&machine, &tip(), OWN);
        assert_eq!(again.unwrap().workspace, after.workspace);
    }
}

#[test]
fn a_plan_is_read_by_what_differs_and_the_other_features_are_shared() {
    check(&["src/a.rs=new"], &["before", "own", "after"]);
    check(
        &["%/WU-01.md=---\nstatus: done\n---\n"],
        &["before", "after"],
    );
    check(
        &["%/events.jsonl={}", "%/GATE-01.md=x"],
        &["before", "after"],
    );
    check(
        &["%/PLAN.md=---\nstatus: done\n---\n"],
        &["before", "after"],
    );
    check(
        &[
            ".gatewalk/verification.yml=doc: []",
            ".gatewalk/rules/a.md=b",
        ],
        &["before", "own", "after"],
    );
    check(
        &[".gatewalk/features/FEAT-2026-0003-after/WU-01.md=x"],
        &["before", "own"],
    );
    check(
        &[
            ".gatewalk/features/FEAT-2026-0000-new/PLAN.md=---\nstatus: done\n---\n",
            ".gatewalk/features/FEAT-2026-0000-new/WU-01.md=x",
            ".gatewalk/features/FEAT-2026-0001-before/notes.md=x",
            ".gatewalk/features/notes.md=x",
        ],
        &["own", "after"],
    );
}

#[test]
fn a_run_reads_the_whole_state_directory_once() {
    use crate::driver::test_run::{ORACLE, machine, run};
    let machine = machine("G1: T01; T02; T03", ORACLE, "+a.txt;+b.txt;+c.txt");
    run(&machine).unwrap();
    assert_eq!(machine.world().whole_reads, 1);
}
