//! A situation in the words of `test_snapshot`, and the commands that follow from it.

use super::*;
use crate::engine::step::step;
use crate::engine::test_snapshot::{FEATURE, snapshot};

/// Holds every line, `situation => commands`, where the feature stands still. `driven`, `edited`, `errors`, `changed`, `held`, `red` and
/// `gaps` before the situation say what a snapshot does not.
fn check(table: &str) {
    for row in rows(table) {
        let (situation, want) = row.split_once("=> ").expect(row);
        let (facts, situation) = situation.split_once("& ").unwrap_or(("", situation));
        let s = snapshot(situation.trim());
        let flag = |word: &str| facts.split_whitespace().any(|fact| fact == word);
        let changed = [format!("{FEATURE}/T01"), format!("{FEATURE}/T02")];
        let running: Vec<String> = s.running.iter().cloned().collect();
        let red = s
            .base
            .iter()
            .filter(|(_, base)| flag("red") && !base.red.is_empty());
        let red: Vec<_> = red
            .map(|(id, base)| (id.clone(), base.red.clone()))
            .collect();
        let state = FeatureState {
            feature: &s.feature,
            attempts: &s.attempts,
            is_driven: flag("driven"),
            in_flight: &running,
            is_edited: flag("edited"),
            has_errors: flag("errors"),
            changed: match flag("changed") {
                true => &changed,
                false => &[],
            },
            held: flag("held").then_some("end the merge"),
            red_base: &red,
            has_gaps: flag("gaps"),
        };
        let steps = match (flag("stop"), step(&s)) {
            (false, _) => next_steps(&state),
            (true, crate::engine::action::Step::Stop(stop)) => after_stop(&stop, &state),
            (true, other) => panic!("{row}: {other:?}"),
        };
        assert_eq!(shown(&steps), want, "{row}");
    }
}

fn rows(table: &str) -> impl Iterator<Item = &str> {
    let rows = table.lines().map(str::trim);
    rows.filter(|row| !row.is_empty() && !row.starts_with("//"))
}

fn shown(steps: &[NextStep]) -> String {
    if steps.is_empty() {
        return "nothing".to_owned();
    }
    let texts: Vec<String> = steps.iter().map(ToString::to_string).collect();
    texts
        .join("; ")
        .replace("gatewalk ", "")
        .replace(FEATURE, "F")
}

#[test]
fn a_feature_that_stands_names_the_commands_that_move_it() {
    check(
        r#"
        planned | G1: T01 draft                                => arm F
        red & active | G1: T01 base=red:tests~127              => already red before any work, as of the last run: tests; correct what `tests` starts, or have `setup` in verification.yml install it; loop --feature F --commit-plan
        red & active | G1: T01 base=red:tests~127; T02 human   => done F/T02 --evidence "…"; already red before any work, as of the last run: tests; correct what `tests` starts, or have `setup` in verification.yml install it; loop --feature F --commit-plan
        red & active | G1: T01 base=red:tests~127; T02         => loop --feature F
        done | G1 passed: T01 done                             => nothing
        deferred | G1: T01                                     => reopen F --reason "…"
        blocked | G1: T01                                      => reopen F --reason "…"
        abandoned | G1: T01                                    => reopen F --reason "…"
        active | G1: T01                                       => loop --feature F
        active | G1: T01 done                                  => loop --feature F
        active | G1 passed: T01 done                           => loop --feature F
        gaps & active | G1 passed: T01 done                    => status --coverage F; new gate "…" --feature F; or write `(deferred: why)` behind the requirement in PLAN.md, commit, and arm
        edited & active | G1: T01                              => loop --feature F --commit-plan
        errors & active | G1: T01                              => lint .gatewalk/features/F-x
        errors & planned | G1: T01 draft                       => lint .gatewalk/features/F-x
        changed & active | G1: T01; T02                        => arm F/T01 F/T02
        changed edited & active | G1: T01; T02                 => arm F/T01 F/T02 --commit-plan
        changed errors & active | G1: T01                      => lint .gatewalk/features/F-x
        changed & active | G1 awaiting_review: T01 done | G2: T02 draft => review F; arm F
        driven & active | G1: T01 | running=T01                => attempts show F/T01 --follow
        driven & active | G1: T01                              => nothing
        // What it waits for can be settled meanwhile, where none of its own sessions runs.
        driven & active | G1: T01 done; T02 blocked            => unblock F/T02 --reason "…"; or do it by hand, in your checkout or on a branch, and then: land F/T02
        driven & active | G1: T01; T02 blocked | running=T01   => attempts show F/T01 --follow
        driven & active | G1: T01 human; T02                   => done F/T01 --evidence "…"
        driven & active | G1 awaiting_review: T01 done | G2: T02 draft => review F; arm F
        driven errors & active | G1: T01 blocked               => nothing
        driven & planned | G1: T01                             => nothing
        driven edited & active | G1: T01 | running=T01         => attempts show F/T01 --follow
        active | G1: T01 human                            => done F/T01 --evidence "…"
        active | G1: T01 draft                                 => arm F
        active | G1: T01 blocked                         => unblock F/T01 --reason "…"; or do it by hand, in your checkout or on a branch, and then: land F/T01
        edited & active | G1: T01 blocked                => unblock F/T01 --reason "…" --commit-plan; or do it by hand, in your checkout or on a branch, and then: land F/T01
        active | G1: T01 blocked; T02                    => loop --feature F
        active | G1: T01 blocked; T02 after=T01          => unblock F/T01 --reason "…"; or do it by hand, in your checkout or on a branch, and then: land F/T01
        active | G1: T01 blocked; T02 human         => done F/T02 --evidence "…"; unblock F/T01 --reason "…"; or do it by hand, in your checkout or on a branch, and then: land F/T01
        active | G1: T01 blocked tried=fail:x            => attempts show F/T01; unblock F/T01 --reason "…"; or do it by hand, in your checkout or on a branch, and then: land F/T01
        active | G1: T01 blocked tried=fail:x,fail:x     => attempts show F/T01; unblock F/T01 --reason "…" --changed "…"; or do it by hand, in your checkout or on a branch, and then: land F/T01
        active | G1: T01 blocked tried=fail:x,fail:y     => attempts show F/T01; unblock F/T01 --reason "…"; or do it by hand, in your checkout or on a branch, and then: land F/T01
        active | G1: T01 abandoned; T02 after=T01              => take the edge out of PLAN.md and arm the unit as it is then, or give up the unit that can never start; abandon F/T02 --reason "…"
        active | G1 awaiting_review: T01 done | G2: T02 draft  => review F; arm F
        active | G1 awaiting_review: T01 done                  => review F; arm F
        gaps & active | G1 awaiting_review: T01 done           => status --coverage F; new gate "…" --feature F; or write `(deferred: why)` behind the requirement in PLAN.md, commit, and arm
        active | G1 awaiting_review: T01 done; T90 done close verdict=not_met => review F; new gate "…" --feature F
        active | G1 awaiting_review: T01 done; T90 done close verdict=met     => review F; arm F
        held & active | G1: T01                                => end the merge; loop --feature F
        held & active | G1: T01 blocked                        => end the merge; unblock F/T01 --reason "…"; or do it by hand, in your checkout or on a branch, and then: land F/T01
        held & done | G1 passed: T01 done                      => nothing
        held driven & active | G1: T01 | running=T01          => attempts show F/T01 --follow
        "#,
    );
}

#[test]
fn what_stood_in_the_way_of_a_parked_unit_names_its_way_out() {
    check(
        r#"
        active | G1: T01 blocked escalation_failure_class=tests_weakened => `touches_tests: true` in the unit declares that it changes tests; unblock F/T01 --reason "…" --commit-plan; or do it by hand, in your checkout or on a branch, and then: land F/T01
        active | G1: T01 blocked escalation_failure_class=out_of_scope   => widen the unit's `touches` (`any` for no limit), or narrow its `do_not_touch`; unblock F/T01 --reason "…" --commit-plan; or do it by hand, in your checkout or on a branch, and then: land F/T01
        active | G1: T01 blocked escalation_failure_class=submodule_changed => commit what the submodule needs in its own repository, and its new commit here with `git add` and `git commit`; then say in the unit that the submodule stays as it is; unblock F/T01 --reason "…" --commit-plan
        active | G1: T01 blocked escalation_failure_class=verification   => unblock F/T01 --reason "…"; or do it by hand, in your checkout or on a branch, and then: land F/T01
        active | G1: T01 blocked escalation_failure_class=unheard_of     => unblock F/T01 --reason "…"; or do it by hand, in your checkout or on a branch, and then: land F/T01
        active | G1: T01 blocked escalation_reason=budget_reached        => raise the unit's `budget_usd`; unblock F/T01 --reason "…" --commit-plan; or do it by hand, in your checkout or on a branch, and then: land F/T01
        active | G1: T01 blocked escalation_reason=vacuous_check         => change the check so that it fails without the work, or abandon the unit; unblock F/T01 --reason "…" --commit-plan
        "#,
    );
}

#[test]
fn every_stop_names_what_to_do() {
    check(
        r#"
        stop & done | G1 passed: T01 done                      => pr F
        stop & blocked | G1: T01                               => reopen F --reason "…"
        stop & active | G1: T01 draft                          => arm F
        stop & active | G1: T01 human                     => done F/T01 --evidence "…"
        stop & active | G1: T01 blocked; T02 human  => unblock F/T01 --reason "…"; or do it by hand, in your checkout or on a branch, and then: land F/T01; done F/T02 --evidence "…"
        stop & active autonomy_default=supervised | G1: T01 done; T02 | landed=T01 => look at what landed: git log -p -1 x; loop --feature F
        stop & active | G1: T01 base=red:tests                 => fix the base, or name the command in the unit's `expects_red` if turning it green, or writing its first test, is the unit's job, and arm it again; loop --feature F --commit-plan
        stop & active | G1: T01 base=red:tests~127; T02 base=red:tests~127,slow~-1 => correct what `tests` starts, or have `setup` in verification.yml install it; give `slow` a longer `timeout` where it is declared, or make it faster; loop --feature F --commit-plan
        stop & active | G1: T01 base=red:pre-commit~hook       => mend what the pre-commit refuses, or the hook; `hooks: skip` in config.yml leaves all of them out; loop --feature F --commit-plan
        stop & active | G1: T01 next=1 why=gone                => doctor; loop --feature F --agent NAME
        stop & active budget_usd=1 | G1: T01 uncharged=2       => raise the budget: `budget_usd` of PLAN.md; loop --feature F --commit-plan
        stop & active | G1 awaiting_review: T01 done | G2: T02 draft => review F; arm F
        stop & active | G1: T01 abandoned; T02 after=T01       => take the edge out of PLAN.md and arm the unit as it is then, or give up the unit that can never start; abandon F/T02 --reason "…"
        "#,
    );
}

#[test]
fn an_agent_that_printed_why_it_ended_is_not_answered_with_another() {
    let s = snapshot("active | G1: T01");
    let state = FeatureState::at_rest(&s.feature, &s.attempts);
    let stop = |runner: Option<&str>| Stop::NoAgent {
        unit: format!("{FEATURE}/T01"),
        why: "claude: crashed (it said: no such model)".to_owned(),
        replaceable: false,
        runner: runner.map(str::to_owned),
    };
    for (runner, want) in [
        (None, "doctor; loop --feature F"),
        (Some("big"), "doctor --runner big; loop --feature F"),
    ] {
        assert_eq!(shown(&after_stop(&stop(runner), &state)), want);
    }
}

#[test]
fn a_unit_names_what_moves_it() {
    for (situation, want) in [
        ("active | G1: T01 done", "nothing"),
        ("active | G1: T01 draft", "arm F/T01"),
        ("active | G1: T01", "loop --feature F"),
        ("planned | G1: T01", "arm F"),
        ("active | G1: T01 human", "done F/T01 --evidence \"…\""),
        (
            "active | G1: T01 after=T02; T02 blocked",
            "unblock F/T02 --reason \"…\"; or do it by hand, in your checkout or on a branch, and then: land F/T02",
        ),
        ("deferred | G1: T01", "reopen F --reason \"…\""),
        ("deferred | G1: T01 done", "nothing"),
    ] {
        let s = snapshot(situation);
        let state = FeatureState::at_rest(&s.feature, &s.attempts);
        let member = s.feature.members().next().unwrap();
        assert_eq!(shown(&for_unit(&member, &state)), want, "{situation}");
    }
}

#[test]
fn a_draft_with_something_left_to_fill_in_is_linted_before_it_is_armed() {
    for (situation, draft, want) in [
        (
            "planned | G1: T01 draft",
            "T01",
            "lint .gatewalk/features/F-x",
        ),
        (
            "active | G1: T01 draft",
            "T01",
            "lint .gatewalk/features/F-x",
        ),
        (
            "active | G1 awaiting_review: T01 done | G2: T02 draft",
            "T02",
            "review F; lint .gatewalk/features/F-x",
        ),
        // What arming leaves alone keeps nobody from it: a later gate's draft, and a unit that is armed.
        ("planned | G1: T01 draft | G2: T02 draft", "T02", "arm F"),
        ("active | G1: T01", "T01", "loop --feature F"),
    ] {
        let s = snapshot(situation);
        let mut feature = (*s.feature).clone();
        let id = format!("{FEATURE}/{draft}");
        let file = feature
            .member(&id)
            .expect(situation)
            .node
            .file
            .value
            .clone();
        let unit = feature.units.get(&file).expect(situation);
        let text = format!("{}\n<fill in: what>\n", unit.doc.text);
        let unit = Unit::parse(unit.path().clone(), text.as_bytes());
        feature.units.insert(&file, unit);
        let state = FeatureState::at_rest(&feature, &s.attempts);
        assert_eq!(shown(&next_steps(&state)), want, "{situation}");
        let member = feature.member(&id).expect(situation);
        if member.status() == UnitStatus::Draft {
            let of_unit = shown(&for_unit(&member, &state));
            assert_eq!(of_unit, "lint .gatewalk/features/F-x", "{situation}");
        }
    }
}
