use super::*;
use proptest::prelude::*;

/// What a row does to the key `status`.
#[derive(Debug, Clone, Copy)]
enum Do {
    Set(&'static str),
    Raw(&'static str),
    Remove,
}
use Do::{Raw, Remove, Set};

/// Rows give the frontmatter only; the body holds what looks like frontmatter and must not change.
fn check(front: &str, change: Do, want: Result<&str, EditErrorKind>) {
    let file =
        |front: &str| format!("---\n{front}---\n# Title\n\nstatus: x\n---\nstatus: y\n---\n");
    let text = file(front);
    let change = match change {
        Set(value) => KeyEdit::Scalar(value),
        Raw(raw) => KeyEdit::Raw(raw),
        Remove => KeyEdit::Remove,
    };
    let found = edits(&text, &[("status", change)]).map_err(|error| {
        assert!(
            text.get(error.span.clone()).is_some(),
            "{front:?}: {error:?}"
        );
        assert!(!error.message.is_empty());
        error.kind
    });
    assert_eq!(found, want.map(file), "{front:?} {change:?}");
}

#[test]
fn setting_a_scalar_changes_its_bytes_only() {
    let rows = [
        // Where it stands.
        ("status: pending\n", "status: done\n"),
        (
            "id: 1\nstatus: pending\nx: 2\n",
            "id: 1\nstatus: done\nx: 2\n",
        ),
        ("status: pending\r\nx: 2\r\n", "status: done\r\nx: 2\r\n"),
        ("status: pending\r\nx: 2\n", "status: done\r\nx: 2\n"),
        (
            "status:    pending   \nx: 2\n",
            "status:    done   \nx: 2\n",
        ),
        ("status:\tpending\n", "status:\tdone\n"),
        ("status : pending\n", "status : done\n"),
        ("status:\n  pending\n", "status:\n  done\n"),
        ("status: pending\n  for now\nx: 1\n", "status: done\nx: 1\n"),
        ("\"status\": pending\n", "\"status\": done\n"),
        ("'status': pending\n", "'status': done\n"),
        ("\"st\\x61tus\": pending\n", "\"st\\x61tus\": done\n"),
        ("? status\n: pending\n", "? status\n: done\n"),
        ("  id: 1\n  status: pending\n", "  id: 1\n  status: done\n"),
        ("\n\nstatus: pending\n\n\n", "\n\nstatus: done\n\n\n"),
        // Quotes.
        ("status: 'pending'\n", "status: 'done'\n"),
        ("status: \"pending\"  # c\n", "status: \"done\"  # c\n"),
        ("status: \"pen\\\n  ding\"\n", "status: \"done\"\n"),
        ("status: 'pending\n\n  still'\n", "status: 'done'\n"),
        // Comments.
        (
            "status: pending  # was: status: draft\n",
            "status: done  # was: status: draft\n",
        ),
        (
            "# status: no\nstatus: pending\n# status: no\n",
            "# status: no\nstatus: done\n# status: no\n",
        ),
        ("status: a#b # c\n", "status: done # c\n"),
        // The same name elsewhere.
        (
            "x:\n  status: a\nstatus: pending\ny: {status: b}\n",
            "x:\n  status: a\nstatus: done\ny: {status: b}\n",
        ),
        (
            "note: |\n  status: a\nstatus: pending\n",
            "note: |\n  status: a\nstatus: done\n",
        ),
        (
            "note: 'x\n  status: a'\nstatus: pending\n",
            "note: 'x\n  status: a'\nstatus: done\n",
        ),
        (
            "list:\n- status: a\nstatus: pending\n",
            "list:\n- status: a\nstatus: done\n",
        ),
        (
            "substatus: a\nstatus_x: b\nstatus: pending\n",
            "substatus: a\nstatus_x: b\nstatus: done\n",
        ),
        // Nothing there yet.
        ("status:\n", "status: done\n"),
        ("status:   # c\nx: 1\n", "status: done   # c\nx: 1\n"),
        ("status: ~\n", "status: done\n"),
        ("status: null # c\n", "status: done # c\n"),
        ("status: ''\n", "status: 'done'\n"),
        // Block scalars.
        ("status: |\n  pending\nx: 1\n", "status: done\nx: 1\n"),
        (
            "status: >-  # c\n  pending\n  more\n\nx: 1\n",
            "status: done  # c\n\nx: 1\n",
        ),
        (
            "status: |\r\n  pending\r\nx: 1\r\n",
            "status: done\r\nx: 1\r\n",
        ),
        ("status: |\n\nx: 1\n", "status: done\n\nx: 1\n"),
        (
            "status:\n  |2+\n    pending\n\n\nx: 1\n",
            "status:\n  done\n\n\nx: 1\n",
        ),
        // Flow mappings.
        ("{status: pending}\n", "{status: done}\n"),
        (
            "{id: 1, status: pending, x: [a, b]} # c\n",
            "{id: 1, status: done, x: [a, b]} # c\n",
        ),
        ("{id: 1,\n status: }\n", "{id: 1,\n status: done }\n"),
        ("{id: 1, status}\n", "{id: 1, status: done}\n"),
        ("{\"status\":pending}\n", "{\"status\":done}\n"),
        // Absent.
        ("", "status: done\n"),
        ("# c\n", "# c\nstatus: done\n"),
        ("id: 1\n# c\n", "id: 1\n# c\nstatus: done\n"),
        ("  id: 1\n", "  id: 1\n  status: done\n"),
        ("id: 1\r\n", "id: 1\r\nstatus: done\r\n"),
        ("note: |\n  text\n\n", "note: |\n  text\n\nstatus: done\n"),
        ("note: |+\n  text\n", "note: |+\n  text\nstatus: done\n"),
        ("list:\n  - a\n", "list:\n  - a\nstatus: done\n"),
        ("{}\n", "{status: done}\n"),
        ("{id: 1}\n", "{id: 1, status: done}\n"),
        ("{id: 1, }\n", "{id: 1, status: done }\n"),
        // A value that needs quotes does not keep others from being edited.
        (
            "goal: now: fast\nstatus: pending\n",
            "goal: now: fast\nstatus: done\n",
        ),
        ("status: now: fast # c\n", "status: done # c\n"),
    ];
    for (front, want) in rows {
        check(front, Set("done"), Ok(want));
        check(want, Set("done"), Ok(want));
    }
}

#[test]
fn a_value_gets_quotes_when_it_needs_them() {
    let rows = [
        ("", "\"\""),
        ("plain words, no", "\"plain words, no\""),
        ("feat/FEAT-2026-0042/T01", "feat/FEAT-2026-0042/T01"),
        ("yes", "\"yes\""),
        ("No", "\"No\""),
        ("on", "\"on\""),
        ("null", "\"null\""),
        ("~", "\"~\""),
        ("1e3", "\"1e3\""),
        ("007", "\"007\""),
        ("2026-01-02", "\"2026-01-02\""),
        (".5", "\".5\""),
        ("-", "\"-\""),
        ("- a", "\"- a\""),
        ("a: b", "\"a: b\""),
        ("a #b", "\"a #b\""),
        (" a", "\" a\""),
        ("a ", "\"a \""),
        ("*x", "\"*x\""),
        ("a\nb\tc\r", r#""a\nb\tc\r""#),
        ("\\ \" '", r#""\\ \" '""#),
        ("é 名", "\"é 名\""),
        ("\u{0}\u{1b}\u{7f}", r#""\u0000\u001b\u007f""#),
        (
            "\u{85}\u{9f}\u{2028}\u{2029}\u{feff}",
            r#""\u0085\u009f\u2028\u2029\ufeff""#,
        ),
        ("\u{ffff}\u{1fffe}", r#""\uffff\U0001fffe""#),
        ("---", "\"---\""),
    ];
    for (value, want) in rows {
        let (front, want) = ("status: pending # c\n", format!("status: {want} # c\n"));
        check(front, Set(value), Ok(&want));
    }
    let rows = [
        ("status: 'x'\n", "it's", "status: 'it''s'\n"),
        ("status: 'x'\n", "", "status: ''\n"),
        ("status: 'x'\n", "a\nb", "status: \"a\\nb\"\n"),
        ("status: 'x'\n", "a\u{85}b", "status: \"a\\u0085b\"\n"),
        (
            "status: \"x\"\n",
            "say \"hi\"",
            "status: \"say \\\"hi\\\"\"\n",
        ),
        ("status: \"x\"\n", "yes", "status: \"yes\"\n"),
        ("{status: x}\n", "a, b", "{status: \"a, b\"}\n"),
        ("{status: x}\n", "}", "{status: \"}\"}\n"),
        ("status: ~\n", "~", "status: \"~\"\n"),
        ("status:\n", "", "status: \"\"\n"),
        ("status: yes\n", "yes", "status: yes\n"),
    ];
    for (front, value, want) in rows {
        check(front, Set(value), Ok(want));
    }
}

#[test]
fn raw_values_replace_whatever_was_there() {
    let rows = [
        ("status: 1 # c\n", "0.48", "status: 0.48 # c\n"),
        ("status: '1'\n", "2", "status: 2\n"),
        ("status:\n", "[a, \"b, c\"]", "status: [a, \"b, c\"]\n"),
        ("id: 1\n", "true", "id: 1\nstatus: true\n"),
        (
            "status: [a,\n  b] # c\nx: 1\n",
            "[]",
            "status: [] # c\nx: 1\n",
        ),
        ("status: {a: 1}\n", "[a]", "status: [a]\n"),
        (
            "status:\n  - a\n  - b\nx: 1\n",
            "[c]",
            "status: [c]\nx: 1\n",
        ),
        (
            "status:\r\n  - a\r\n  - b # c\r\nx: 1\r\n",
            "[c]",
            "status: [c] # c\r\nx: 1\r\n",
        ),
        (
            "status: # why\n- a\n-\n# tail\nx: 1\n",
            "[c]",
            "status: [c] # why\n# tail\nx: 1\n",
        ),
        (
            "status:\n  # why\n  k: v\n  l: |\n    t\n\nx: 1\n",
            "2",
            "status: 2\n  # why\n\nx: 1\n",
        ),
        ("? status\n: - a\n  - b\n", "[c]", "? status\n: [c]\n"),
        ("status: |\n  t\nx: 1\n", "{n: 1}", "status: {n: 1}\nx: 1\n"),
        ("{id: 1, status: [a]}\n", "[b]", "{id: 1, status: [b]}\n"),
        ("status: x\n", "  'y'  ", "status: 'y'\n"),
        ("status: 1.50\n", "1.50", "status: 1.50\n"),
    ];
    for (front, raw, want) in rows {
        check(front, Raw(raw), Ok(want));
    }
}

#[test]
fn removing_a_key_takes_its_lines() {
    let rows = [
        ("id: 1\nstatus: x # c\ny: 2\n", "id: 1\ny: 2\n"),
        ("status: x\r\ny: 2\r\n", "y: 2\r\n"),
        ("id: 1\nstatus: x\n", "id: 1\n"),
        ("status: x\n", ""),
        ("status:\n", ""),
        (
            "# above\nstatus:\n  - a\n  - b # c\n# below\ny: 2\n",
            "# above\n# below\ny: 2\n",
        ),
        ("status: |\n  a\n\n  b\ny: 2\n", "y: 2\n"),
        ("status: [a,\n  b]\ny: 2\n", "y: 2\n"),
        ("? status\n: x\ny: 2\n", "y: 2\n"),
        ("  id: 1\n  status: x\n", "  id: 1\n"),
        ("{status: x}\n", "{}\n"),
        ("{status: x, y: 2}\n", "{y: 2}\n"),
        ("{id: 1, status: x, y: 2}\n", "{id: 1, y: 2}\n"),
        ("{id: 1, status: x}\n", "{id: 1}\n"),
        ("{id: 1, status}\n", "{id: 1}\n"),
        ("x: {status: 1}\n", "x: {status: 1}\n"),
    ];
    for (front, want) in rows {
        check(front, Remove, Ok(want));
        check(want, Remove, Ok(want));
    }
}

#[test]
fn what_cannot_be_edited_safely_is_refused() {
    use EditErrorKind::{BadValue, DuplicateKey, NotParsable, NotScalar, Refused};
    let rows = [
        ("status: a\nstatus: b\n", Set("done"), DuplicateKey),
        ("status: a\n\"status\": b\n", Set("done"), DuplicateKey),
        ("x: {a: 1, a: 2}\nstatus: b\n", Set("done"), DuplicateKey),
        ("status: &x a\ny: *x\n", Set("done"), NotParsable),
        ("x: &x a\nstatus: *x\n", Set("done"), NotParsable),
        ("status: !!str a\n", Set("done"), NotParsable),
        ("<<: {a: 1}\nstatus: b\n", Set("done"), NotParsable),
        ("status: [a\n", Set("done"), NotParsable),
        ("- status: a\n", Set("done"), NotParsable),
        ("word\n", Set("done"), NotParsable),
        ("x:\n\ty: 1\nstatus: a\n", Set("done"), NotParsable),
        ("status: [a]\n", Set("done"), NotScalar),
        ("status:\n  - a\n", Set("done"), NotScalar),
        ("status:\n  k: v\n", Set("done"), NotScalar),
        ("? status\n? other\n", Set("done"), Refused),
        ("id: 1\n...\n", Set("done"), Refused),
        ("status: a\n", Raw("[a"), BadValue),
        ("status: a\n", Raw(""), BadValue),
        ("status: a\n", Raw("# c"), BadValue),
        ("status: a\n", Raw("a\nb: c"), BadValue),
        ("status: a\n", Raw("&x a"), BadValue),
        ("status: a\n", Raw("b: c"), Refused),
        ("status: a\n", Raw("- b"), Refused),
        ("{status: a, x: 1}\n", Raw("b # c"), Refused),
        ("{status: a, x: 1}\n", Raw("b, y"), Refused),
        ("{status: a, x: 1\n}\n", Raw("b # c"), Refused),
        ("status: a\n", Raw("---"), Refused),
        ("{status:\na\n}\n", Raw("---"), Refused),
    ];
    for (front, change, want) in rows {
        check(front, change, Err(want));
    }
    for text in [
        "",
        "status: a\n",
        "---\nstatus: a\n",
        "\n---\nstatus: a\n---\n",
        "--- x\n---\n",
    ] {
        let found = set_scalar(text, "status", "done").map_err(|error| error.kind);
        assert_eq!(found, Err(EditErrorKind::NoFrontmatter), "{text:?}");
    }
}

#[test]
fn the_frame_of_the_file_stays() {
    let rows = [
        (
            "\u{feff}---\nstatus: a\n---\nx",
            "\u{feff}---\nstatus: done\n---\nx",
        ),
        ("---\r\nstatus: a\r\n---", "---\r\nstatus: done\r\n---"),
        ("---  \nstatus: a\n---\n", "---  \nstatus: done\n---\n"),
        ("---\r\n---\r\n", "---\r\nstatus: done\r\n---\r\n"),
        ("---\n---", "---\nstatus: done\n---"),
    ];
    for (text, want) in rows {
        assert_eq!(
            set_scalar(text, "status", "done").as_deref(),
            Ok(want),
            "{text:?}"
        );
    }
}

#[test]
fn several_changes_are_made_in_order_or_not_at_all() {
    let text = "---\na: 1\nb: [x]\n---\n";
    let changes = [
        ("b", KeyEdit::Remove),
        ("c", KeyEdit::Scalar("x y")),
        ("a", KeyEdit::Raw("2")),
        ("c", KeyEdit::Raw("3")),
    ];
    assert_eq!(
        edits(text, &changes).as_deref(),
        Ok("---\na: 2\nc: 3\n---\n")
    );
    let changes = [("a", KeyEdit::Raw("2")), ("b", KeyEdit::Scalar("x"))];
    assert_eq!(
        edits(text, &changes).map_err(|e| e.kind),
        Err(EditErrorKind::NotScalar)
    );
    assert_eq!(edits(text, &[]).as_deref(), Ok(text));
}

#[test]
fn a_key_that_needs_quotes_gets_them() {
    let new = set_scalar("---\n---\n", "a: b", "c").unwrap();
    assert_eq!(new, "---\n\"a: b\": c\n---\n");
    assert_eq!(
        set_scalar(&new, "a: b", "d").as_deref(),
        Ok("---\n\"a: b\": d\n---\n")
    );
}

#[test]
fn a_very_long_value_reads_back() {
    let value = "word, ".repeat(5_000);
    for front in [
        "status: x\n",
        "{status: x, y: 1}\n",
        "id: 1\n",
        "status: 'x'\n",
    ] {
        let text = format!("---\n{front}---\n");
        let new = set_scalar(&text, "status", &value).unwrap();
        assert_eq!(
            read(&new, "status").as_deref(),
            Some(value.as_str()),
            "{front:?}"
        );
    }
}

fn read(text: &str, key: &str) -> Option<String> {
    let front = read_front(text).0?;
    front.root.get(key)?.value.as_str().map(str::to_owned)
}

/// One generated entry: its lines with `\n`, and where its scalar's bytes are, if it has one.
#[derive(Debug, Clone)]
struct Piece {
    source: String,
    scalar: Option<Span>,
}

/// Any string, with the characters that YAML cares about more often than chance has them.
fn awkward() -> impl Strategy<Value = String> {
    let special = prop::sample::select(vec![
        ": ", " #", "#", "'", "\"", "\\", "\n", "\r\n", "\r", "\t", " ", "\u{85}", "\u{2028}",
        "\u{feff}", "\u{0}", "\u{7f}", "é", "名", "😀", "- ", "---", "[", "}", ",", "&", "*", "!",
        "|", ">", "%", "@", "`", "yes", "null", "~", "1e3", "word", "\u{ffff}",
    ]);
    let text = any::<String>();
    prop_oneof![
        text,
        prop::collection::vec(special, 0..8).prop_map(|pieces| pieces.concat()),
        "[a-z]{1,8}",
    ]
}

fn piece(index: usize) -> impl Strategy<Value = Piece> {
    let key = format!("key{index}");
    let scalar = move |before: &str, value: &str, after: &str| {
        let start = before.len();
        let source = format!("{before}{value}{after}");
        Piece {
            source,
            scalar: Some(start..start + value.len()),
        }
    };
    let other = |source: String| Piece {
        source,
        scalar: None,
    };
    let (k1, k2, k3) = (key.clone(), key.clone(), key.clone());
    let (k4, k5) = (key.clone(), key);
    prop_oneof![
        ("[a-z][a-z0-9 ]{0,6}[a-z]", any::<bool>()).prop_map(move |(value, comment)| {
            let after = if comment { "  # c: 'x'\n" } else { "\n" };
            scalar(&format!("{k1}: "), &value, after)
        }),
        awkward().prop_map(move |value| {
            scalar(
                &format!("'{k2}' : "),
                &super::quote::double_quoted(&value),
                "\n",
            )
        }),
        "[a-z #:,]{0,8}".prop_map(move |value| {
            scalar(&format!("{k3}:\n  "), &format!("'{value}'"), " # c\n")
        }),
        prop::collection::vec("[a-z:# ]{0,8}", 1..4).prop_map(move |lines| {
            let lines: String = lines.iter().map(|line| format!("  x{line}\n")).collect();
            other(format!("{k4}: |\n{lines}"))
        }),
        Just(other(format!(
            "{k5}:\n  key0: inner\n  list:\n    - key1: 'x'\n    - [key2, {{a: b}}]\n"
        ))),
        Just(other("# key0: comment\n".to_owned())),
        Just(other("\n".to_owned())),
    ]
}

proptest! {
    #[test]
    fn an_edit_reads_back_and_leaves_every_other_byte(
        pieces in (piece(0), piece(1), piece(2), piece(3)).prop_map(|(a, b, c, d)| [a, b, c, d]),
        chosen in 0..4usize,
        value in awkward(),
        crlf in any::<bool>(),
        bom in any::<bool>(),
        body in awkward(),
    ) {
        let eol = if crlf { "\r\n" } else { "\n" };
        let lines = |text: &str| text.replace('\n', eol);
        let front: String = pieces.iter().map(|piece| lines(&piece.source)).collect();
        let head = format!("{}---{eol}", if bom { "\u{feff}" } else { "" });
        let text = format!("{head}{front}---{eol}{body}");
        let key = format!("key{chosen}");
        let new = match set_scalar(&text, &key, &value) {
            Ok(new) => new,
            Err(error) => {
                prop_assert_eq!(error.kind, EditErrorKind::NotScalar);
                return Ok(());
            }
        };
        let found = read(&new, &key);
        prop_assert_eq!(found.as_deref(), Some(value.as_str()));
        if let Some(span) = &pieces[chosen].scalar {
            let before: String = pieces[..chosen].iter().map(|piece| lines(&piece.source)).collect();
            let source = &pieces[chosen].source;
            let start = head.len() + before.len() + lines(&source[..span.start]).len();
            let end = start + span.len();
            prop_assert_eq!(&new[..start], &text[..start]);
            prop_assert!(new.ends_with(&text[end..]), "{:?} {:?}", new, text);
        }
        prop_assert_eq!(set_scalar(&new, &key, &value), Ok(new.clone()));
    }

    #[test]
    fn a_quoted_scalar_reads_back_and_is_never_null(value in awkward()) {
        let quoted = quote_scalar(&value);
        prop_assert!(!quoted.contains(['\n', '\r']));
        let (root, errors) = yaml::parse(&quoted, 0);
        prop_assert_eq!(errors, []);
        let root = root.unwrap();
        prop_assert_eq!(root.as_str(), Some(value.as_str()));
        prop_assert!(!root.is_null());
    }

    #[test]
    fn editing_anything_keeps_the_rest_or_refuses(
        front in "([a-c]: |- |[a-c]|\n|  |'|\"|[\\[\\]{},#|>&*!?]|:|\r\n){0,16}",
        raw in "([a-c]|, |: |\\[|\\]|#|'){0,5}",
    ) {
        let text = format!("---\n{front}\n---\nbody\n");
        for change in [KeyEdit::Scalar("x: y"), KeyEdit::Raw(&raw), KeyEdit::Remove] {
            let Ok(new) = edits(&text, &[("a", change)]) else { continue };
            prop_assert!(new.ends_with("---\nbody\n"), "{:?}", new);
            let (Some(before), Some(after)) = (read_front(&text).0, read_front(&new).0) else {
                return Err(TestCaseError::fail(format!("{text:?} -> {new:?}")));
            };
            for entry in before.root.entries().iter().filter(|entry| entry.key != "a") {
                let kept = after.root.get(&entry.key);
                prop_assert!(kept.is_some_and(|kept| kept.same(entry)), "{:?} -> {:?}", text, new);
            }
        }
    }
}
