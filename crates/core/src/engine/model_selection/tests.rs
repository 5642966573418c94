use super::*;
use crate::engine::test_snapshot::{id, snapshot};

/// The chain of T01 at its `nth` attempt, an agent each: `agent model effort`, a model of another's in brackets.
fn check(situation: &str, nth: u32, want: &str) {
    let s = snapshot(situation);
    let member = s.feature.member(&id("T01")).unwrap();
    let links = chain(&s, member.unit.unwrap(), nth);
    assert_eq!(
        chain_length(&s, member.unit.unwrap()),
        links.len(),
        "{situation}"
    );
    let show = |link: &ChainLink| {
        let model = match (&link.model, &link.model_of) {
            (Some(model), Some(of)) => format!("({model} of {of})"),
            (Some(model), None) => model.clone(),
            (None, _) => "-".to_owned(),
        };
        let effort = link
            .effort
            .map_or("-".to_owned(), |effort| effort.to_string());
        format!("{} {model} {effort}", link.agent)
    };
    let got: Vec<String> = links.iter().map(show).collect();
    assert_eq!(got.join(", "), want, "{situation}, attempt {nth}");
}

#[test]
fn the_nearest_word_names_the_agents() {
    for (situation, want) in [
        ("G1: T01", "claude - -"),
        ("G1: T01 | agent=codex", "codex - -"),
        ("active agent=amp | G1: T01 | agent=codex", "amp - -"),
        (
            "active agent=amp | G1: T01 agent=[a,b] | agent=codex",
            "a - -, b - -",
        ),
        (
            "active agent=amp | G1: T01 agent=[a,b] | with=goose",
            "goose - -",
        ),
        ("active agent=amp | G1: T01 agent=[]", "amp - -"),
        (
            "active | G1: T01 agent=codex model=m effort=high | with=claude:opus,codex",
            "claude opus high, codex m high",
        ),
    ] {
        check(situation, 1, want);
    }
}

#[test]
fn a_model_is_asked_of_the_program_it_was_named_beside() {
    for (situation, want) in [
        // Where no agent is named, whoever works.
        ("G1: T01 model=opus", "claude opus -"),
        ("G1: T01 model=opus | with=codex", "codex opus -"),
        ("G1: T01 | model=gpt-5 with=codex", "codex gpt-5 -"),
        // Beside a chain it is the first one's.
        ("G1: T01 agent=[a,b] model=m", "a m -, b (m of a) -"),
        ("G1: T01 agent=[a,b] | model=m", "a m -, b (m of a) -"),
        ("G1: T01 agent=a model=m | with=b", "b (m of a) -"),
        ("G1: T01 agent=a model=m | with=a", "a m -"),
        // An entry names its own.
        (
            r#"G1: T01 agent=[{"a":m},{"b":n,"effort":high}]"#,
            "a m -, b n high",
        ),
        (r#"G1: T01 agent=[{"a":m},{"b":n}] | with=b"#, "b n -"),
        (
            r#"G1: T01 agent=[{"a":m},{"b":n}] | with=c"#,
            "c (m of a) -",
        ),
        // One that is nearer counts more, one that is further away less.
        (r#"G1: T01 agent=[{"a":m},{"b":n}] model=x"#, "a m -, b n -"),
        (
            r#"active agent=[{"a":m},{"b":n}] | G1: T01 model=x"#,
            "a x -, b n -",
        ),
        (
            r#"G1: T01 agent=[{"a":m},b] | model=x"#,
            "a m -, b (m of a) -",
        ),
        (r#"G1: T01 agent=[a,{"b":n}] | model=x"#, "a x -, b n -"),
    ] {
        check(situation, 1, want);
    }
}

#[test]
fn effort_is_the_same_word_for_every_program() {
    for (situation, want) in [
        ("G1: T01 agent=[a,b] effort=low", "a - low, b - low"),
        (
            r#"G1: T01 agent=[a,{"agent":b,"effort":max}] effort=low"#,
            "a - low, b - max",
        ),
        (
            r#"active agent=[a,{"agent":b,"effort":max}] | G1: T01 effort=low"#,
            "a - low, b - low",
        ),
        (
            r#"G1: T01 agent=[{"agent":a,"effort":max}] | effort=low"#,
            "a - max",
        ),
    ] {
        check(situation, 1, want);
    }
}

#[test]
fn a_ladder_raises_the_first_agent_and_leaves_the_models_of_the_others() {
    let ladder = r#"G1: T01 agent=[{"a":m},{"b":n},c] ladder=x,y"#;
    check(ladder, 1, "a m -, b n -, c (m of a) -");
    check(ladder, 2, "a x -, b n -, c (x of a) -");
    check(ladder, 3, "a y -, b n -, c (y of a) -");
    check(ladder, 9, "a y -, b n -, c (y of a) -");
}
