//! Work that was done side by side and does not fit together.

use super::attempt_record::AttemptRecord;

/// Returns what the next session of a unit is to read of work that was set aside.
pub(crate) fn prompt_section(aside: &AttemptRecord) -> Option<String> {
    let collision = aside.collision.as_ref()?;
    let who = match &collision.units[..] {
        [] => "a commit on the branch".to_owned(),
        units => units.join(", "),
    };
    let paths = collision.paths.iter().map(|path| format!("- `{path}`\n"));
    let passed = match aside.passed() {
        true => "It passed, but meanwhile",
        false => "Meanwhile",
    };
    let mut text = format!(
        "# The session before collided with other work\n\n{passed} {who} changed the same places, so its work \
         could not be merged. It is set aside and counts as no attempt. Both changed:\n\n{}\nYou start from the base \
         that has what landed. Keep what that does, and do this unit's work on top of it.\n",
        paths.collect::<String>()
    );
    if let Some(summary) = &aside.session.summary {
        text.push_str(&format!("\nThat session's summary: {summary}\n"));
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::attempt_record::Collision;
    use crate::engine::test_snapshot::record;

    #[test]
    fn a_session_reads_what_the_one_before_it_collided_with() {
        let mut aside = record("F/T02", 1, "pass");
        assert_eq!(prompt_section(&aside), None);
        for (units, want) in [
            (
                vec![],
                "It passed, but meanwhile a commit on the branch changed",
            ),
            (vec!["F/T01".to_owned()], "meanwhile F/T01 changed"),
        ] {
            aside.collision = Some(Collision {
                paths: vec!["src/a".to_owned()],
                units,
            });
            let text = prompt_section(&aside).unwrap();
            assert!(
                text.contains(want) && text.contains("- `src/a`\n"),
                "{text}"
            );
        }
        aside.judgement = None;
        let text = prompt_section(&aside).unwrap();
        assert!(text.contains("\n\nMeanwhile F/T01 changed"), "{text}");
        aside.session.summary = Some("adds the flag".to_owned());
        let text = prompt_section(&aside).unwrap();
        assert!(text.ends_with("summary: adds the flag\n"), "{text}");
    }
}
