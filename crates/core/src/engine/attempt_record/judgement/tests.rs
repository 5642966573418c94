use super::*;
use serde_json::json;

fn unproven() -> Judgement {
    let object = |digit: &str| ObjectId::parse(digit.repeat(40).as_bytes()).unwrap();
    Judgement::unproven(object("a"), object("b"), String::new())
}

#[test]
fn a_verdict_is_five_keys_of_the_record_whatever_it_is() {
    let mut judgement = unproven();
    let shown = |judgement: &Judgement| {
        let record = serde_json::to_value(judgement).unwrap();
        assert_eq!(
            serde_json::from_value::<Judgement>(record.clone()).unwrap(),
            *judgement
        );
        let keys = ["failure_class", "failure_signature", "failure_excerpt"];
        let keys = ["passed"].into_iter().chain(keys).chain(["evidence"]);
        keys.map(|key| record[key].clone()).collect::<Vec<_>>()
    };
    let nothing = json!([false, null, null, null, null]);
    assert_eq!(json!(shown(&judgement)), nothing);
    let (signature, excerpt, evidence) = ("s".to_owned(), "one".to_owned(), "more".to_owned());
    let class = FailureClass::Verification;
    judgement.refuse(WorkRefusal::new(class, signature, excerpt, evidence));
    let refused = json!([false, "verification", "s", "one", "more"]);
    assert_eq!(json!(shown(&judgement)), refused);
    judgement.verdict = AttemptVerdict::Passed;
    assert_eq!(
        json!(shown(&judgement)),
        json!([true, null, null, null, null])
    );
}

#[test]
fn no_secret_is_kept_with_what_a_command_printed() {
    // Put together here, so that no file holds one.
    let secret = ["AKIA", "Q7PLM2VX9RTB4KWD"].concat();
    let said = |end: &str| format!("key: {secret} {end}");
    let mut judgement = unproven();
    let class = FailureClass::Verification;
    judgement.refuse(WorkRefusal::new(
        class,
        "s".to_owned(),
        said("first"),
        said("all"),
    ));
    judgement.redact();
    let kept = serde_json::to_string(&judgement).unwrap();
    assert!(!kept.contains(&secret), "{kept}");
    assert!(
        kept.contains(" first\"") && kept.contains(" all\""),
        "{kept}"
    );
}

#[test]
fn a_record_that_passed_is_no_failure_whatever_stands_beside() {
    let mut record = serde_json::to_value(unproven()).unwrap();
    record["passed"] = json!(true);
    record["failure_class"] = json!("verification");
    let judgement: Judgement = serde_json::from_value(record).unwrap();
    assert!(judgement.passed());
    assert_eq!(judgement.failure_class(), None);
}

#[test]
fn a_cause_is_added_to_what_failed_and_to_nothing_else() {
    for (class, then) in [
        (FailureClass::Verification, FailureClass::TestsWeakened),
        (FailureClass::Unproven, FailureClass::Unproven),
    ] {
        let mut judgement = unproven();
        let texts = ["s", "one\ntwo", "more"].map(str::to_owned);
        let [signature, excerpt, evidence] = texts;
        judgement.refuse(WorkRefusal::new(class, signature, excerpt, evidence));
        judgement.add_cause(FailureClass::TestsWeakened, "why", "in short");
        assert_eq!(judgement.failure_class(), Some(&then.into()));
        // What is shown is its first line.
        assert_eq!(
            judgement.failure_excerpt(),
            Some("one (in short)\ntwo\n\nwhy")
        );
        assert_eq!(judgement.evidence(), Some("more\n\nwhy"));
        judgement.verdict = AttemptVerdict::Passed;
        judgement.add_cause(FailureClass::TestsWeakened, "why", "in short");
        assert!(judgement.passed());
    }
}
