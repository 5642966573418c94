use super::*;
use crate::engine::test_snapshot::{id, snapshot_with};
use crate::model::unit::ExpectBase;
use crate::model::verification::DEFAULT_COMMAND_TIMEOUT;

const VERIFICATION: &str = "code:\n\
    \x20 - {name: tests, command: make test, needs: [build], when: ['src/**'], timeout: 2m}\n\
    \x20 - {name: build, command: make build}\n\
    \x20 - {name: all, command: make all, tier: broad}\n\
    slow:\n\
    \x20 - {name: soak, command: make soak}\n\
    \x20 - {name: build-again, command: make build}\n\
    idle:\n\
    \x20 - {name: idle, command: 'true'}\n\
    round:\n\
    \x20 - {name: a, command: make a, needs: [b]}\n\
    \x20 - {name: b, command: make b, needs: [a]}\n";

fn commands(situation: &str, closing_gate: bool) -> Result<Vec<OracleCommand>, NoOracle> {
    commands_of(VERIFICATION, situation, closing_gate)
}

fn commands_of(
    verification: &str,
    situation: &str,
    closing_gate: bool,
) -> Result<Vec<OracleCommand>, NoOracle> {
    let s = snapshot_with(situation, verification);
    let member = s.feature.member(&id("T01")).unwrap();
    resolve(&OracleRequest {
        verification: &s.verification,
        feature: &s.feature,
        gate: 0,
        unit: member.unit.unwrap(),
        closing_gate,
    })
}

fn shown(c: &OracleCommand) -> String {
    let base = match c.expect_base() {
        ExpectBase::Red => " red",
        ExpectBase::Any => " any",
        ExpectBase::Green => "",
    };
    format!("{}/{}{base}", c.source.word(), c.name)
}

#[test]
fn a_unit_is_judged_by_its_types_set_its_extra_sets_its_gate_and_its_checks() {
    let table = "
        G1: T01                                               => code/build, code/tests
        G1: T01 expects_red=[tests]                           => code/build, code/tests any
        // A command that another set has already is run once.
        G1: T01 extra_gates=[slow]                            => code/build, code/tests, slow/soak
        G1 feature_oracle=./all: T01                          => code/build, code/tests, feature_oracle/feature-oracle any
        G1: T01 check=c                                       => code/build, code/tests, check/c red
        G1: T01 checks=[{\"name\":c,\"run\":x,\"expect_base\":green}] => code/build, code/tests, check/c
        G1: T01 checks=[{\"name\":c}]                           => code/build, code/tests
        G1: T01 docs check=c                                  => check/c red
        // Unproven is not passed.
        G1: T01 docs                                          => no command in the set `doc`: nothing would prove the unit
        G1: T01 extra_gates=[nope]                            => there is no verification set `nope`
        G1: T01 extra_gates=[idle]                            => the command `idle` cannot fail, so it proves nothing
        G1: T01 extra_gates=[round]                           => the `needs` of the set `round` go round in a circle
        ";
    for row in table.lines().map(str::trim) {
        let Some((situation, want)) = row.split_once("=> ") else {
            continue;
        };
        let got = match commands(situation.trim(), false) {
            Ok(list) => list.iter().map(shown).collect::<Vec<_>>().join(", "),
            Err(none) => none.to_string(),
        };
        assert_eq!(got, want, "{row}");
    }
}

#[test]
fn the_broad_tier_joins_where_a_gate_closes() {
    let names = |closing| -> Vec<String> {
        let list = commands("G1: T01 extra_gates=[slow]", closing).unwrap();
        list.into_iter().map(|c| c.name).collect()
    };
    assert_eq!(names(true), ["build", "tests", "all", "soak"]);
    assert_eq!(names(false), ["build", "tests", "soak"]);
}

#[test]
fn a_command_keeps_its_limit_and_its_globs() {
    let list = commands(
        "G1 feature_oracle=./all: T01 checks=[{\"name\":c,\"run\":./c,\"timeout\":3m}]",
        false,
    )
    .unwrap();
    let got: Vec<_> = list
        .iter()
        .map(|c| (&*c.shell, c.timeout.as_secs(), c.when.join(" ")))
        .collect();
    let default = DEFAULT_COMMAND_TIMEOUT.as_secs();
    let want = [
        ("make build", default, ""),
        ("make test", 120, "src/**"),
        ("./all", default, ""),
        ("./c", 180, ""),
    ];
    assert_eq!(
        got,
        want.map(|(shell, limit, when)| (shell, limit, when.to_owned()))
    );
}

#[test]
fn an_oracle_is_named_by_all_that_it_runs() {
    let list = || commands("G1: T01", false).unwrap();
    let name = hash(&list());
    assert_eq!(name.len(), 64);
    assert_eq!(name, hash(&list()));
    // How its cases are read is a part of what it runs.
    let by_cases = |path: &str| {
        let verification = format!(
            "code:\n  - {{name: tests, command: make test, judge: no_new_failures, report: {{format: junit, path: {path}}}}}\n"
        );
        hash(&commands_of(&verification, "G1: T01", false).unwrap())
    };
    assert_ne!(by_cases("a.xml"), by_cases("b.xml"));
    let changes: [fn(&mut OracleCommand); 4] = [
        |c| c.name.push('x'),
        |c| c.shell.push('x'),
        |c| c.source = CommandSource::Hook,
        |c| c.when.push("docs/**".to_owned()),
    ];
    let mut seen = vec![name];
    for change in changes {
        let mut changed = list();
        change(&mut changed[1]);
        let other = hash(&changed);
        assert!(!seen.contains(&other));
        seen.push(other);
    }
    assert_eq!(hex(&[0, 0x0f, 0xa0, 0xff]), "000fa0ff");
}

#[test]
fn no_name_is_ever_run() {
    for (word, want) in [
        ("plain", "plain"),
        ("a/b.c_d-e+f=g:h@i%j", "a/b.c_d-e+f=g:h@i%j"),
        ("", "''"),
        ("two words", "'two words'"),
        ("it's", r"'it'\''s'"),
        ("$(rm)", "'$(rm)'"),
    ] {
        assert_eq!(shell_quote(word), want);
        assert_eq!(
            substitute("run {feature_dir}/x", word),
            format!("run {want}/x")
        );
    }
    for (shown, want) in [
        ("src/a.rs", "src/a.rs"),
        ("two words", "'two words'"),
        (r#""a\303\244""#, r#""$(printf 'a\303\244')""#),
        (r#""50%'\n""#, r#""$(printf '50%%\047\n')""#),
    ] {
        assert_eq!(shell_path(shown), want);
    }
}

#[test]
fn two_commands_share_what_is_known_of_a_tree_where_text_and_judge_are_the_same() {
    let verification = "code:\n\
        \x20 - {name: one, command: make test}\n\
        \x20 - {name: same, command: make test, timeout: 2m}\n\
        \x20 - {name: other, command: make check}\n\
        \x20 - {name: cases, command: make test, judge: no_new_failures, report: {format: tap}}\n";
    let s = snapshot_with("G1: T01", verification);
    let identity = |name: &str| {
        let commands = &s.verification.set("code").unwrap().commands;
        let command = commands.iter().find(|c| c.value.name() == name).unwrap();
        OracleCommand::declared("code", &command.value)
            .unwrap()
            .identity()
    };
    assert_eq!(identity("one"), identity("same"));
    for other in ["other", "cases"] {
        assert_ne!(identity("one"), identity(other), "{other}");
    }
}

#[test]
fn every_command_of_the_file_is_there_once() {
    let (named, _) = VERIFICATION.split_once("idle:").unwrap();
    let s = snapshot_with("G1: T01", named);
    let commands = every_command(&s.verification).unwrap();
    let shown: Vec<String> = commands.iter().map(shown).collect();
    assert_eq!(shown, ["code/build", "code/tests", "code/all", "slow/soak"]);
    assert!(commands.iter().all(|command| command.when.is_empty()));
    assert!(every_command(&snapshot_with("G1: T01", VERIFICATION).verification).is_err());
}
