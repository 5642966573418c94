//! The transition table: a situation in the words of `test_snapshot`, and what follows from it.

use super::*;
use crate::engine::coverage::Gap;
use crate::engine::test_snapshot::{FEATURE, snapshot, snapshot_with};

/// Holds every line, `situation => step`, and that the same snapshot gives the same step.
fn check(table: &str) {
    let rows = table.lines().map(str::trim);
    for row in rows.filter(|row| !row.is_empty() && !row.starts_with("//")) {
        let (situation, want) = row.split_once("=> ").expect(row);
        let s = snapshot(situation.trim());
        assert_eq!(shown(&step(&s)), want, "{row}");
        assert_eq!(step(&s), step(&s), "{row}");
    }
}

fn shown(step: &Step) -> String {
    let text = match step {
        Step::Busy => "busy".to_owned(),
        Step::Do(actions) => actions.iter().map(action).collect::<Vec<_>>().join("; "),
        Step::Stop(reason) => format!("stop: {}", stop(reason)),
    };
    text.replace(&format!("{FEATURE}/"), "")
}

fn action(action: &Action) -> String {
    match action {
        Action::Activate => "activate".to_owned(),
        Action::CheckBase { unit } => format!("check base of {unit}"),
        Action::Dispatch {
            unit,
            number,
            nth,
            agent,
        } => {
            let nth = if nth == number {
                String::new()
            } else {
                format!(" nth {nth}")
            };
            let agent = if *agent == 0 {
                String::new()
            } else {
                format!(" agent {agent}")
            };
            format!("dispatch {unit}#{number}{nth}{agent}")
        }
        Action::Judge { unit, number } => format!("judge {unit}#{number}"),
        Action::Land { unit, number } => format!("land {unit}#{number}"),
        Action::Park { unit, reason } => format!("park {unit}: {}", park(reason)),
        Action::AutoClose { unit, decision } => {
            assert!(decision.mechanical);
            format!("auto-close {unit}")
        }
        Action::AskRequirements => "ask requirements".to_owned(),
        Action::CheckBroad { gate } => format!("check broad tier of gate {}", gate + 1),
        Action::CloseGate { gate, finish } => {
            let end = if *finish { "finish" } else { "review" };
            format!("close gate {}: {end}", gate + 1)
        }
        Action::Wait { until, why } => format!("wait {}s: {why}", until.as_second() - 1000),
    }
}

fn park(reason: &ParkReason) -> String {
    match reason {
        ParkReason::AttemptsUsed { attempts } => format!("{attempts} attempts used"),
        ParkReason::SameFailure { attempts } => format!("same failure, attempt {attempts}"),
        ParkReason::AgentBlocked(why) => format!("agent blocked, {why}"),
        ParkReason::WideningAsked { paths } => format!("widening asked, {}", paths.join(",")),
        ParkReason::Vacuous { checks } => format!("vacuous {}", checks.join(",")),
        ParkReason::Budget { spent, budget } => format!("${spent} of ${budget}"),
    }
}

fn stop(stop: &Stop) -> String {
    match stop {
        Stop::FeatureDone => "feature done".to_owned(),
        Stop::AtGate {
            gate,
            drafts,
            uncovered,
        } => {
            let drafts: String = drafts.iter().map(|d| format!(", draft {d}")).collect();
            let gap = |gap: &Gap| format!(", uncovered {}", gap.requirement);
            let uncovered: String = uncovered.iter().map(gap).collect();
            format!("at gate {gate}{drafts}{uncovered}")
        }
        Stop::NeedsHuman {
            blocked,
            human,
            red_base,
        } => {
            let blocked = blocked.iter().map(|id| format!("blocked {id}"));
            let human = human.iter().map(|id| format!("human {id}"));
            let red = red_base.iter().map(|(id, red)| {
                format!(
                    "red base of {id} ({})",
                    red.iter()
                        .map(|r| r.name.as_str())
                        .collect::<Vec<_>>()
                        .join(",")
                )
            });
            let all: Vec<String> = blocked.chain(human).chain(red).collect();
            all.join(", ")
        }
        Stop::Supervised { landed } => format!("supervised, landed {}", landed.join(",")),
        Stop::RedTip { gate, report } => {
            format!("red tip at gate {gate} ({})", report.red.join(","))
        }
        Stop::Budget {
            whose,
            spent,
            budget,
        } => format!("budget of {whose}, ${spent} of ${budget}"),
        Stop::NoAgent { unit, why, .. } => format!("no agent for {unit}, {why}"),
        Stop::Stuck(why) => format!("stuck, {}", why.join(", ")),
        Stop::NotWalkable(status) => format!("feature is {status}"),
    }
}

#[test]
fn only_an_active_feature_is_walked() {
    check(
        "
        planned | G1: T01          => activate
        active | G1: T01           => dispatch T01#1
        blocked | G1: T01          => stop: feature is blocked
        deferred | G1: T01         => stop: feature is deferred
        abandoned | G1: T01        => stop: feature is abandoned
        done | G1 passed: T01 done => stop: feature done
        done | G1: T01             => stop: feature done
        ",
    );
}

#[test]
fn gates_are_walked_in_order_and_a_user_stands_between_them() {
    check(
        "
        G1: T01 | G2: T02                                             => dispatch T01#1
        G1 nofile: T01                                                => dispatch T01#1
        G1 passed: T01 done | G2: T02                                 => dispatch T02#1
        G1 awaiting_review: T01 done | G2: T02                        => stop: at gate 1
        G1 awaiting_review: T01 done | G2: T02 draft                  => stop: at gate 1, draft T02
        G1 awaiting_review: T01 done | G2: T02 draft; T03; T04 draft  => stop: at gate 1, draft T02, draft T04
        G1 awaiting_review: T01 done | G2: T02 nofile                 => stop: at gate 1
        G1 awaiting_review: T01 done; T02 draft | G2: T03 draft       => stop: at gate 1, draft T03
        G1 passed: T01 done; T02 draft | G2 awaiting_review: T03 done => stop: at gate 2
        G1 passed: T01 done; T02 | G2: T03                            => dispatch T03#1
        // Every gate is passed, and the feature was not flipped: finish what was begun.
        G1 passed: T01 done | G2 passed: T02 done                     => close gate 2: finish
        ",
    );
}

#[test]
fn what_a_unit_is_decides_whether_it_starts() {
    check(
        "
        G1: T01 pending                                => dispatch T01#1
        G1: T01 ready                                  => dispatch T01#1
        G1: T01 in_progress                            => dispatch T01#1
        G1: T01 in_review                              => dispatch T01#1
        G1: T01 draft                                  => stop: at gate 1, draft T01
        G1: T01 nofile                                 => stop: at gate 1, draft T01
        G1: T01 blocked                                => stop: blocked T01
        G1: T01 human                                  => stop: human T01
        G1: T01 human draft                            => stop: at gate 1, draft T01
        G1: T01 blocked; T02 human; T03 base=red:tests => stop: blocked T01, human T02, red base of T03 (tests)
        G1: T01 blocked; T02 draft                     => stop: blocked T01
        // Independent work goes on.
        G1: T01 blocked; T02                           => dispatch T02#1
        G1: T01 human; T02                             => dispatch T02#1
        G1: T01 draft; T02                             => dispatch T02#1
        G1: T01 base=red:tests; T02                    => dispatch T02#1
        G1: T01 abandoned; T02                         => dispatch T02#1
        ",
    );
}

#[test]
fn a_unit_waits_for_its_edges() {
    check(
        "
        G1: T01 done; T02 after=T01                     => dispatch T02#1
        G1: T02 after=T01; T01                          => dispatch T01#1
        G1: T01 blocked; T02 after=T01                  => stop: blocked T01
        G1: T01 human; T02 human after=T01              => stop: human T01
        G1: T01 draft; T02 after=T01                    => stop: at gate 1, draft T01
        G1: T01 abandoned; T02 after=T01                => stop: stuck, T02 waits for T01, which was abandoned
        G1: T01 after=T09                               => stop: stuck, T01 waits for T09, which does not exist
        G1: T01 after=T02; T02 after=T01                => stop: stuck, T01 waits for T02, T02 waits for T01
        G1: T03 done after=T09; T01 after=T02 | G2: T02 => stop: stuck, T01 waits for T02
        G1 passed: T01 done | G2: T02 after=T01         => dispatch T02#1
        G1:                                             => stop: stuck, gate 1 has no units
        G1 passed: T01 done | G2:                       => stop: stuck, gate 2 has no units
        ",
    );
}

#[test]
fn an_attempt_is_judged_then_landed_or_followed_by_the_next() {
    check(
        "
        G1: T01 tried=open                            => judge T01#1
        G1: T01 tried=pass                            => land T01#1
        G1: T01 tried=fail                            => dispatch T01#2
        G1: T01 tried=fail,open                       => judge T01#2
        G1: T01 tried=fail,pass                       => land T01#2
        G1: T01 max_attempts=3 tried=fail,fail        => dispatch T01#3
        // What was tried before the unit was sent back to work is its history, and costs no attempt.
        G1: T01 re_arm_count=1 tried=fail,fail,fail   => dispatch T01#4 nth 1
        G1: T01 re_arm_count=1 tried=fail,fail,fail^1 => dispatch T01#4 nth 2
        G1: T01 re_arm_count=1 tried=pass             => dispatch T01#2 nth 1
        G1: T01 re_arm_count=1 tried=blocked:why      => dispatch T01#2 nth 1
        ",
    );
}

#[test]
fn attempts_are_limited() {
    check(
        "
        G1: T01 tried=fail                                             => dispatch T01#2
        G1: T01 tried=fail,fail                                        => park T01: 2 attempts used
        G1: T01 tried=fail,fail,fail                                   => park T01: 3 attempts used
        // A ladder names the attempts from the second on.
        G1: T01 ladder=small tried=fail,fail                           => park T01: 2 attempts used
        G1: T01 ladder=small,large tried=fail,fail                     => dispatch T01#3
        G1: T01 ladder=small,large tried=fail,fail,fail                => park T01: 3 attempts used
        G1: T01 max_attempts=1 tried=fail                              => park T01: 1 attempts used
        G1: T01 max_attempts=2 tried=fail                              => dispatch T01#2
        G1: T01 max_attempts=4 tried=fail,fail,fail                    => dispatch T01#4
        G1: T01 max_attempts=2 tried=fail,fail,fail                    => park T01: 3 attempts used
        G1: T01 max_attempts=1 tried=pass                              => land T01#1
        G1: T01 max_attempts=1 tried=open                              => judge T01#1
        G1: T01 max_attempts=2 re_arm_count=1 tried=fail,fail^1,fail^1 => park T01: 2 attempts used
        ",
    );
}

#[test]
fn a_unit_that_fails_twice_in_the_same_way_is_not_tried_again() {
    check(
        "
        G1: T01 tried=fail:x,fail:x                       => park T01: same failure, attempt 2
        G1: T01 max_attempts=3 tried=fail:x,fail:y        => dispatch T01#3
        G1: T01 max_attempts=3 tried=fail:-,fail:-        => dispatch T01#3
        G1: T01 max_attempts=3 tried=fail:x,fail:-        => dispatch T01#3
        // An unchanged tree is judged as before.
        G1: T01 tried=fail@t,fail@t                       => park T01: same failure, attempt 2
        G1: T01 tried=fail:x@t,fail:x@u                   => park T01: same failure, attempt 2
        // Only the last two count, and only since the unit was armed.
        G1: T01 max_attempts=9 tried=fail:x,fail:y,fail:x => dispatch T01#4
        G1: T01 max_attempts=9 tried=fail:y,fail:x,fail:x => park T01: same failure, attempt 3
        G1: T01 re_arm_count=1 tried=fail:x,fail:x^1      => dispatch T01#3 nth 2
        // The last allowed one is the limit, whatever failed.
        G1: T01 max_attempts=2 tried=fail:x,fail:x        => park T01: 2 attempts used
        ",
    );
}

#[test]
fn a_session_that_asks_for_a_wider_scope_waits_for_a_user() {
    check(
        "
        G1: T01 tried=outside                        => dispatch T01#2
        G1: T01 tried=outside+docs/a                 => park T01: widening asked, docs/a
        G1: T01 tried=blocked:why+docs/a             => park T01: widening asked, docs/a
        G1: T01 tried=fail+docs/a                    => dispatch T01#2
        G1: T01 max_attempts=3 tried=outside+docs/a,fail => dispatch T01#3
        G1: T01 re_arm_count=1 tried=outside+docs/a  => dispatch T01#2 nth 1
        ",
    );
}

#[test]
fn a_retry_that_asks_for_another_model_does_differ() {
    check(
        "
        G1: T01 ladder=small,large tried=fail:x,fail:x                => dispatch T01#3
        G1: T01 ladder=small,small tried=fail:x,fail:x                => park T01: same failure, attempt 2
        G1: T01 ladder=small tried=fail:x,fail:x                      => park T01: same failure, attempt 2
        G1: T01 model=small ladder=small,large tried=fail@t,fail@t    => dispatch T01#3
        G1: T01 max_attempts=2 ladder=small,large tried=fail:x,fail:x => park T01: 2 attempts used
        ",
    );
}

#[test]
fn a_session_that_cannot_go_on_is_taken_at_its_word() {
    check(
        "
        G1: T01 tried=blocked:no-key           => park T01: agent blocked, no-key
        G1: T01 tried=fail,blocked:no-key      => park T01: agent blocked, no-key
        G1: T01 tried=fail,fail,blocked:no-key => park T01: agent blocked, no-key
        G1: T01 max_attempts=3 tried=blocked:no-key,fail => dispatch T01#3
        // Without a reason it is an attempt that failed.
        G1: T01 tried=blocked                  => dispatch T01#2
        ",
    );
}

#[test]
fn a_unit_stops_at_its_own_budget() {
    check(
        "
        G1: T01 budget_usd=2 tried=fail$2                => park T01: $2 of $2
        G1: T01 max_attempts=3 budget_usd=2 tried=fail$1.5,fail$1 => park T01: $2.5 of $2
        G1: T01 budget_usd=2 tried=fail$1.9              => dispatch T01#2
        G1: T01 budget_usd=2 tried=fail                  => dispatch T01#2
        G1: T01 budget_usd=2 cumulative_cost_usd=2       => park T01: $2 of $2
        G1: T01 budget_usd=2 uncharged=2                 => park T01: $2 of $2
        G1: T01 budget_usd=0                             => dispatch T01#1
        G1: T01 tried=fail$99                            => dispatch T01#2
        // What is paid for is judged and landed; the limit of attempts is named first.
        G1: T01 budget_usd=2 tried=open$3                => judge T01#1
        G1: T01 budget_usd=2 tried=pass$3                => land T01#1
        G1: T01 budget_usd=2 max_attempts=1 tried=fail$3 => park T01: 1 attempts used
        ",
    );
}

#[test]
fn a_gate_and_a_feature_stop_at_their_budgets() {
    check(
        "
        G1 cost_budget_usd=5: T01 done cost_usd=5; T02                         => stop: budget of gate 1, $5 of $5
        G1 cost_budget_usd=5: T01 done cost_usd=6; T02                         => stop: budget of gate 1, $6 of $5
        G1 cost_budget_usd=5: T01 done cost_usd=4.9; T02                       => dispatch T02#1
        G1 cost_budget_usd=0: T01                                              => dispatch T01#1
        G1 passed: T01 done cost_usd=5 | G2 cost_budget_usd=5: T02             => dispatch T02#1
        G1: T01 done cost_usd=5; T02 | gate_budget_usd=5                       => stop: budget of gate 1, $5 of $5
        G1 cost_budget_usd=6: T01 done cost_usd=5; T02 | gate_budget_usd=5     => dispatch T02#1
        active budget_usd=5 | G1 passed: T01 done cost_usd=5 | G2: T02         => stop: budget of the feature, $5 of $5
        active budget_usd=6 | G1 passed: T01 done cost_usd=5 | G2: T02         => dispatch T02#1
        active budget_usd=5 | G1 cost_budget_usd=5: T01 done cost_usd=5; T02   => stop: budget of gate 1, $5 of $5
        // Nothing new is started, what is paid for goes on.
        active budget_usd=5 | G1: T01 base=unasked cost_usd=5                  => stop: budget of the feature, $5 of $5
        active budget_usd=5 | G1: T01 tried=open$5; T02                        => judge T01#1
        active budget_usd=5 | G1: T01 tried=pass$5; T02                        => land T01#1
        active budget_usd=5 | G1: T01 tried=blocked:why$5; T02                 => park T01: agent blocked, why
        active budget_usd=5 | G1: T01 done cost_usd=5; T02; T03 | running=T03 jobs=2 => busy
        active budget_usd=5 | G1: T01 done cost_usd=5; T02 wait=9 why=limit    => stop: budget of the feature, $5 of $5
        active budget_usd=5 | G1: T01 done cost_usd=5                          => close gate 1: finish
        // A run's own budget counts what it spent, whichever feature it was for.
        G1: T01 | run_budget_usd=3                                             => dispatch T01#1
        G1: T01 | run_budget_usd=3 run_cost_usd=2.9                            => dispatch T01#1
        G1: T01 | run_budget_usd=3 run_cost_usd=3                              => stop: budget of this run, $3 of $3
        G1: T01 tried=pass$5; T02 | run_budget_usd=3 run_cost_usd=5            => land T01#1
        G1: T01 done cost_usd=5; T02 | run_budget_usd=3                        => dispatch T02#1
        active budget_usd=5 | G1: T01 done cost_usd=5; T02 | run_budget_usd=3 run_cost_usd=5 => stop: budget of the feature, $5 of $5
        ",
    );
}

#[test]
fn the_base_is_asked_before_a_session_is_spent() {
    check(
        "
        G1: T01 base=unasked                                   => check base of T01
        G1: T01 base=unasked tried=fail                        => check base of T01
        G1: T01 base=red:tests,lint                            => stop: red base of T01 (tests,lint)
        G1: T01 base=red:tests tried=fail                      => stop: red base of T01 (tests)
        G1: T01 base=vacuous:c                                 => park T01: vacuous c
        G1: T01 base=red:tests+vacuous:c                       => stop: red base of T01 (tests)
        // A later attempt starts where the first one did: its check may be green by now.
        G1: T01 base=vacuous:c tried=fail                      => dispatch T01#2
        G1: T01 base=unasked | base_check=lazy                 => dispatch T01#1
        G1: T01 base=unasked check=c | base_check=lazy         => check base of T01
        G1: T01 base=unasked | base_check=lazy inherited=T01   => check base of T01
        G1: T01 base=unasked | base_check=lazy inherited=T02   => dispatch T01#1
        G1: T01 base=unasked checks=[] | base_check=lazy       => dispatch T01#1
        G1: T01 base=red:tests | base_check=lazy               => stop: red base of T01 (tests)
        // A closing unit's oracle asks for its own change: it is red on every base.
        G1: T01 done; G1-PLAN plan-next base=unasked           => dispatch G1-PLAN#1
        G1: T01 done; G1-PLAN plan-next base=red:tests check=c => dispatch G1-PLAN#1
        ",
    );
}

#[test]
fn agents_that_cannot_work_are_waited_for_or_passed_over() {
    check(
        "
        G1: T01 wait=10 why=limit                       => wait 10s: limit
        G1: T01 wait=0 why=limit                        => dispatch T01#1
        G1: T01 wait=-1 why=limit                       => dispatch T01#1
        G1: T01 wait=10 why=limit; T02                  => dispatch T02#1
        G1: T01 wait=20 why=late; T02 wait=10 why=early => wait 10s: early
        G1: T01 next=1 why=quota                        => stop: no agent for T01, quota
        G1: T01 next=1 why=quota; T02 next=1 why=auth   => stop: no agent for T01, quota
        G1: T01 next=1 why=quota; T02 wait=10 why=limit => wait 10s: limit
        G1: T01 next=1 why=quota; T02                   => dispatch T02#1
        G1: T01 next=1 why=quota; T02 blocked           => stop: no agent for T01, quota
        G1: T01 agent=[a,b] next=1 why=quota            => dispatch T01#1 agent 1
        G1: T01 agent=[a,b] next=2 why=quota            => stop: no agent for T01, quota
        G1: T01 agent=[a,b] next=1 why=quota | with=c   => stop: no agent for T01, quota
        G1: T01 wait=10 why=limit base=unasked          => wait 10s: limit
        G1: T01 tried=open next=1                       => judge T01#1
        G1: T01 blocked; T02 wait=10 why=limit          => wait 10s: limit
        ",
    );
}

#[test]
fn as_many_units_run_as_there_are_slots() {
    check(
        "
        G1: T01; T02; T03                                   => dispatch T01#1
        G1: T01; T02; T03 | jobs=2                          => dispatch T01#1; dispatch T02#1
        G1: T01; T02; T03 | jobs=9                          => dispatch T01#1; dispatch T02#1; dispatch T03#1
        G1: T01; T02; T03 | jobs=2 running=T01              => dispatch T02#1
        G1: T01; T02; T03 | jobs=2 running=T01,T02          => busy
        G1: T01; T02 | jobs=1 running=T01,T02               => busy
        G1: T01; T02 | jobs=0                               => dispatch T01#1
        // What may change the same files runs one after the other.
        G1: T01 touches=[src/a/**]; T02 touches=[src/a/b.rs] | jobs=2                   => dispatch T01#1
        G1: T01 touches=[src/a/**]; T02 touches=[src/b/**]; T03 touches=[doc/*] | jobs=3 => dispatch T01#1; dispatch T02#1; dispatch T03#1
        G1: T01 touches=[src/a/**]; T02 touches=[src/a/b.rs]; T03 touches=[doc] | jobs=2 => dispatch T01#1; dispatch T03#1
        G1: T01 touches=[src]; T02 touches=[src/a] base=unasked | jobs=2 running=T01    => busy
        G1: T01 touches=[src]; T02 touches=[src/a] tried=open | jobs=2 running=T01      => judge T02#1
        G1: T01 touches=[src]; T02 touches=[src/a] | jobs=2 running=T01 optimistic      => dispatch T02#1
        G1: T01 touches=[src]; T02 | jobs=2                                             => dispatch T01#1; dispatch T02#1
        G1: T01 touches=[src] blocked; T02 touches=[src] | jobs=2                       => dispatch T02#1
        G1: T01; T02 after=T01 | jobs=2 running=T01         => busy
        G1: T01; T02 base=unasked; T03 tried=open | jobs=3  => dispatch T01#1; check base of T02; judge T03#1
        G1: T01 wait=10 why=limit; T02 | jobs=2 running=T02 => busy
        G1: T01 next=1 why=quota; T02 | jobs=2 running=T02  => busy
        G1: T01 blocked; T02 | jobs=2 running=T02           => busy
        G1: T01 done | running=T01                          => busy
        ",
    );
}

#[test]
fn what_is_done_at_once_goes_first_and_alone() {
    check(
        "
        G1: T01; T02 tried=pass | jobs=2             => land T02#1
        G1: T01; T02 tried=blocked:why | jobs=2      => park T02: agent blocked, why
        G1: T01 tried=pass; T02 tried=pass | jobs=2  => land T01#1
        G1: T01; T02 tried=pass | jobs=1 running=T01 => land T02#1
        ",
    );
}

#[test]
fn a_gate_whose_units_are_settled_closes() {
    check(
        "
        G1: T01 done; T02 abandoned | G2: T03                                  => close gate 1: review
        G1: T01 done; T02 | G2: T03                                            => dispatch T02#1
        G1: T01 abandoned | G2: T02                                            => close gate 1: review
        G1 passed: T01 done | G2: T02 done                                     => close gate 2: finish
        // A gate without units is never the last one.
        G1: T01 done | G2:                                                     => close gate 1: finish
        G1: T01 done re_arm_count=1                                            => close gate 1: review
        G1: T01 done | full-close                                              => close gate 1: review
        G1: T01 done | missing=a.txt                                           => close gate 1: review
        G1: T01 done; G1-CLOSE close done verdict=met                          => close gate 1: finish
        G1: T01 done re_arm_count=1; G1-CLOSE close done verdict=met           => close gate 1: finish
        // Closed from its records, a gate passes without you only where nothing in them asks for a look.
        G1: T01 done; G1-CLOSE close done verdict=met auto_close=true          => close gate 1: finish
        G1: T01 done re_arm_count=1; G1-CLOSE close done verdict=met auto_close=true => close gate 1: review
        G1: T01 done; G1-CLOSE close done verdict=not_met                      => close gate 1: review
        G1: T01 done; G1-CLOSE close done                                      => close gate 1: review
        G1: T01 done; G1-CLOSE close done verdict=met; G2-CLOSE close done verdict=not_met => close gate 1: review
        G1: T01 done; G1-CLOSE close abandoned verdict=not_met                 => close gate 1: finish
        G1: T01 done; G1-CLOSE close done verdict=met | G2: T02                => close gate 1: review
        G1: T01 done verdict=not_met                                           => close gate 1: finish
        ",
    );
}

#[test]
fn a_closing_unit_needs_a_session_only_where_something_is_unusual() {
    check(
        "
        G1: T01; G1-CLOSE close                                          => dispatch T01#1
        G1: T01 done; G1-CLOSE close                                     => auto-close G1-CLOSE
        G1: T01 done; G1-CLOSE-INTERMEDIATE close-intermediate | G2: T02 => auto-close G1-CLOSE-INTERMEDIATE
        G1: T01 done; G1-PLAN plan-next | G2: T02 draft                  => dispatch G1-PLAN#1
        G1: T01 done; G1-DOCS docs                                       => dispatch G1-DOCS#1
        G1: T01 done; G1-CLOSE close | full-close                        => dispatch G1-CLOSE#1
        // What was sent back to work, or cost more, is in the records: no session is asked about it.
        G1: T01 done re_arm_count=1; G1-CLOSE close                      => auto-close G1-CLOSE
        G1: T01 done; T02 abandoned; G1-CLOSE close                      => dispatch G1-CLOSE#1
        G1: T01 done; G1-CLOSE close tried=fail                          => dispatch G1-CLOSE#2
        G1: T01 done; G1-CLOSE close tried=pass                          => land G1-CLOSE#1
        G1: T01 done; G1-CLOSE close next=1 why=quota                    => auto-close G1-CLOSE
        G1: T01 blocked; G1-CLOSE close                                  => stop: blocked T01
        ",
    );
}

#[test]
fn no_feature_ends_while_a_requirement_is_not_shown() {
    check(
        "
        G1: T01 done | REQ-A-1=unasked                                         => ask requirements
        G1: T01 done | REQ-A-1=passes REQ-A-2=unasked                          => ask requirements
        G1: T01 done | REQ-A-1=passes                                          => close gate 1: finish
        G1: T01 done | REQ-A-1=fails                                           => close gate 1: review
        G1: T01 done; G1-CLOSE close done verdict=met | REQ-A-1=fails          => close gate 1: review
        G1: T01 done; G1-CLOSE close | REQ-A-1=unasked                         => ask requirements
        G1: T01 done; G1-CLOSE close | REQ-A-1=fails                           => dispatch G1-CLOSE#1
        G1: T01 done; G1-CLOSE close tried=fail | REQ-A-1=unasked              => dispatch G1-CLOSE#2
        G1: T01 | REQ-A-1=unasked                                              => dispatch T01#1
        // What no check names is a user's to judge; what was not read is not shown.
        G1: T01 done | REQ-A-1=unnamed                                         => close gate 1: finish
        active requires=REQ-A-1 | G1: T01 done covers=[REQ-A-1] check=c        => close gate 1: review
        active requires=REQ-A-1 | G1: T01 done covers=[REQ-A-1] check=c | REQ-A-1=passes => close gate 1: finish
        G1 awaiting_review: T01 done | REQ-A-1=fails                           => stop: at gate 1, uncovered REQ-A-1
        G1 awaiting_review: T01 done | G2: T02 | REQ-A-1=fails                 => stop: at gate 1
        G1 passed: T01 done | REQ-A-1=unasked                                  => ask requirements
        G1 passed: T01 done | REQ-A-1=passes                                   => close gate 1: finish
        G1 passed: T01 done | REQ-A-1=fails                                    => stop: stuck, REQ-A-1 is not covered: `c` of T01 FAILS
        ",
    );
}

#[test]
fn the_broad_tier_stands_between_a_gate_and_its_end() {
    let oracle = "code:\n  - {name: work, command: lacks broken}\n  - {name: all, command: has b, tier: broad}\n";
    let rows = [
        ("G1: T01", "dispatch T01#1"),
        ("G1: T01 done", "check broad tier of gate 1"),
        ("G1: T01 done | broad=green", "close gate 1: finish"),
        ("G1: T01 done | broad=all", "stop: red tip at gate 1 (all)"),
        ("G1: T01 done; G1-CLOSE close", "check broad tier of gate 1"),
        (
            "G1: T01 done; G1-CLOSE close | broad=green",
            "auto-close G1-CLOSE",
        ),
        (
            "G1: T01 done; G1-CLOSE close | broad=all",
            "stop: red tip at gate 1 (all)",
        ),
        (
            "G1: T01 done; G1-CLOSE close | full-close",
            "check broad tier of gate 1",
        ),
        (
            "G1: T01 done; G1-CLOSE close | full-close broad=green",
            "dispatch G1-CLOSE#1",
        ),
        ("G1: T01; G1-CLOSE close after=T01", "dispatch T01#1"),
        // What is given up leaves nothing to try.
        (
            "G1: T01 human done; G1-CLOSE close",
            "check broad tier of gate 1",
        ),
        // Nobody works while it runs.
        (
            "G1: T01 done; G1-RETRO retrospective; G1-CLOSE close | jobs=2 running=G1-RETRO",
            "busy",
        ),
    ];
    for (situation, want) in rows {
        let s = snapshot_with(&format!("active | {situation}"), oracle);
        assert_eq!(shown(&step(&s)), want, "{situation}");
    }
}

#[test]
fn what_fits_the_tip_lands_before_what_is_judged_again() {
    check(
        "
        G1: T01 tried=pass; T02 tried=pass                                     => land T01#1
        G1: T01 tried=pass; T02 tried=pass%tip                                 => land T02#1
        G1: T01 tried=pass; T02 tried=open%tip                                 => land T01#1
        G1: T01 tried=pass; T02 tried=open%tip; T03      | jobs=2 running=T02  => land T01#1
        G1: T01 tried=pass%tip; T02 tried=open%tip       | jobs=2 running=T02  => land T01#1
        G1: T01 tried=pass; T02 tried=fail%tip           | jobs=2 running=T02  => land T01#1
        // What was judged on top of what has landed fits as well.
        G1: T01 tried=pass; T02 tried=pass on=T03#1; T03 done tried=pass       => land T02#1
        ",
    );
}

#[test]
fn what_stands_on_other_work_waits_until_that_has_landed_or_failed() {
    check(
        "
        G1: T01 tried=open; T02 tried=pass on=T01#1        | jobs=2 running=T01 => busy
        G1: T01 tried=open; T02 tried=pass on=T01#1        | jobs=2             => judge T01#1
        G1: T01 tried=pass%tip; T02 tried=pass on=T01#1    | jobs=2             => land T01#1
        G1: T01 tried=pass; T02 tried=open on=T01#1        | jobs=2 running=T01 => busy
        G1: T01 tried=open; T02 tried=open on=T01#1; T03   | jobs=3 running=T01 => dispatch T03#1
        // It landed, failed, was tried again, or is given up.
        G1: T01 done tried=pass; T02 tried=open on=T01#1   | jobs=2             => judge T02#1
        G1: T01 done tried=pass; T02 tried=pass on=T01#1   | jobs=2             => land T02#1
        G1: T01 tried=fail; T02 tried=open on=T01#1        | jobs=2 running=T01 => judge T02#1
        G1: T01 tried=fail; T02 tried=pass on=T01#1        | jobs=2 running=T01 => land T02#1
        G1: T01 tried=fail,open; T02 tried=open on=T01#1   | jobs=2 running=T01 => judge T02#1
        G1: T01 abandoned tried=open; T02 tried=pass on=T01#1 | jobs=2          => land T02#1
        G1: T02 tried=pass on=T09#1                        | jobs=2             => land T02#1
        // A failure of its own is not held up.
        G1: T01 tried=open; T02 max_attempts=2 tried=fail on=T01#1 | jobs=2 running=T01 => dispatch T02#2
        ",
    );
}

#[test]
fn a_supervised_feature_goes_on_only_after_a_look_at_each_landing() {
    check(
        "
        active autonomy_default=supervised | G1: T01; T02                       => dispatch T01#1
        active autonomy_default=supervised | G1: T01 done; T02 | landed=T01     => stop: supervised, landed T01
        active autonomy_default=supervised | G1: T01 done; T02 base=unasked | landed=T01 => stop: supervised, landed T01
        active autonomy_default=review | G1: T01 done; T02 | landed=T01         => dispatch T02#1
        active autonomy_default=auto | G1: T01 done; T02 | landed=T01           => dispatch T02#1
        // What is paid for is landed first, and what only waits for a user is said.
        active autonomy_default=supervised | G1: T01 done; T02 tried=pass; T03 | landed=T01 => land T02#1
        active autonomy_default=supervised | G1: T01 done; T02; T03 | landed=T01 running=T02 => busy
        active autonomy_default=supervised | G1: T01 done; T02 blocked | landed=T01 => stop: blocked T02
        // No gate passes without the user, and none closes itself in the run in which its last unit landed.
        active autonomy_default=supervised | G1: T01 done | landed=T01          => close gate 1: review
        active autonomy_default=review | G1: T01 done | landed=T01              => close gate 1: finish
        active autonomy_default=supervised | G1: T01 done; G1-CLOSE close after=T01 | landed=T01 => stop: supervised, landed T01
        active autonomy_default=supervised budget_usd=1 | G1: T01 done cost_usd=2; T02 | landed=T01 => stop: supervised, landed T01
        ",
    );
}

#[test]
fn a_budget_is_near_its_end_from_four_fifths_on() {
    for (situation, want) in [
        (
            "active budget_usd=10 | G1: T01 done cost_usd=7.9; T02",
            vec![],
        ),
        (
            "active budget_usd=10 | G1: T01 done cost_usd=8; T02",
            vec!["the feature"],
        ),
        (
            "active budget_usd=10 | G1: T01 done cost_usd=10; T02",
            vec![],
        ),
        ("active budget_usd=0 | G1: T01", vec![]),
        (
            "active budget_usd=10 | G1 cost_budget_usd=9: T01 done cost_usd=8; T02",
            vec!["gate 1", "the feature"],
        ),
        (
            "G1: T01 done cost_usd=8; T02 | gate_budget_usd=9",
            vec!["gate 1"],
        ),
        ("G1: T01 done cost_usd=8", vec![]),
    ] {
        let near = near_budgets(&snapshot(situation));
        let whose: Vec<String> = near.iter().map(|used| used.whose.to_string()).collect();
        assert_eq!(whose, want, "{situation}");
    }
}
