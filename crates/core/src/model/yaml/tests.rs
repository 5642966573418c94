use super::*;
use proptest::prelude::*;

/// Writes a tree with the source of every node, so that one string shows data and spans.
fn show(node: &Node, file: &str) -> String {
    let source = file[node.span.clone()].escape_debug();
    match &node.kind {
        Kind::Scalar { text, style } => {
            let style = match style {
                Style::Plain => "",
                Style::SingleQuoted => "'",
                Style::DoubleQuoted => "\"",
                Style::Literal => "|",
                Style::Folded => ">",
            };
            let text = text.escape_debug().to_string();
            if *text == *source.to_string() {
                text
            } else {
                format!("{style}({text}<{source}>)")
            }
        }
        Kind::Sequence(items) => {
            let items: Vec<_> = items.iter().map(|item| show(item, file)).collect();
            format!("[{}]", items.join(", "))
        }
        Kind::Mapping(entries) => {
            let entries: Vec<_> = entries
                .iter()
                .map(|e| {
                    format!(
                        "{}<{}>: {}",
                        e.key,
                        &file[e.key_span.clone()],
                        show(&e.value, file)
                    )
                })
                .collect();
            format!("{{{}}}", entries.join(", "))
        }
    }
}

/// Parses behind a prefix, so that a span without the base cannot go unnoticed.
fn parse_behind_prefix(text: &str) -> (String, Option<Node>, Vec<YamlError>) {
    let file = format!("é--\n{text}");
    let (root, errors) = parse(text, file.len() - text.len());
    (file, root, errors)
}

#[test]
fn trees_have_text_notation_and_exact_spans() {
    let rows: &[(&str, &str)] = &[
        ("a: 1\n", "{a<a>: 1}"),
        ("a: 1\r\nb: two words \r\n", "{a<a>: 1, b<b>: two words}"),
        (
            "a: no\nb: 1e3\nc: 2026-01-02\n",
            "{a<a>: no, b<b>: 1e3, c<c>: 2026-01-02}",
        ),
        ("a: 'it''s'  # c\n", "{a<a>: '(it\\'s<\\'it\\'\\'s\\'>)}"),
        (r#"a: "x\ty""#, r#"{a<a>: "(x\ty<\"x\\ty\">)}"#),
        ("a:\nb: ~\n", "{a<a>: , b<b>: ~}"),
        ("a: b\n  c\n", "{a<a>: (b c<b\\n  c>)}"),
        (
            "a: |\n  x\n  y\n\nb: 1\n",
            "{a<a>: |(x\\ny\\n<|\\n  x\\n  y>), b<b>: 1}",
        ),
        (
            "a: |\r\n  x\r\nb: 1\r\n",
            "{a<a>: |(x\\n<|\\r\\n  x>), b<b>: 1}",
        ),
        (
            "a: >2-  # c\n   x\n\nb: 1\n",
            "{a<a>: >( x<>2-  # c\\n   x>), b<b>: 1}",
        ),
        ("a: |-\n\nb: 1\n", "{a<a>: |(<|->), b<b>: 1}"),
        (
            "a: # |no\n  |\n  x\n # less\nb: 1\n",
            "{a<a>: |(x\\n<|\\n  x>), b<b>: 1}",
        ),
        (
            "- |\n  x\n- >\n  y\n",
            "[|(x\\n<|\\n  x>), >(y\\n<>\\n  y>)]",
        ),
        (
            "a:\n  - x\n  - [y, z]\nb: 1\n",
            "{a<a>: [x, [y, z]], b<b>: 1}",
        ),
        ("a:\n- k: v\n  l: w\n-\n", "{a<a>: [{k<k>: v, l<l>: w}, ]}"),
        ("{a: 1, \"b\":2, c}", "{a<a>: 1, b<\"b\">: 2, c<c>: }"),
        ("[x, y: z]", "[x, {y<y>: z}]"),
        ("? a\n: b\n", "{a<a>: b}"),
        ("a : 1\n'b c': 2\n", "{a<a>: 1, b c<'b c'>: 2}"),
        ("é: ü\nb: 名\n", "{é<é>: ü, b<b>: 名}"),
        ("a: x#y\nb: http://h/p\n", "{a<a>: x#y, b<b>: http://h/p}"),
        ("\"<<\": 1\n", "{<<<\"<<\">: 1}"),
        ("word", "word"),
        ("a: 1\n...\n", "{a<a>: 1}"),
    ];
    for (text, want) in rows {
        let (file, root, errors) = parse_behind_prefix(text);
        assert_eq!(errors, [], "{text:?}");
        assert_eq!(
            root.map(|root| show(&root, &file)).as_deref(),
            Some(*want),
            "{text:?}"
        );
    }
}

#[test]
fn empty_texts_have_no_tree_and_no_error() {
    for text in ["", "\n", "# only a comment\n", "\r\n\r\n", "\u{feff}"] {
        assert_eq!(parse(text, 7), (None, Vec::new()), "{text:?}");
    }
}

#[test]
fn collections_span_from_their_first_to_their_last_byte() {
    let rows = [
        ("a:\n  - x\n  - y # c\n# tail\nb: 1\n", "- x\n  - y"),
        ("a:\n  k: v\n\n# c\nb: 1\n", "k: v"),
        (
            "a:\n  k:\n    - |\n      t\n\nb: 1\n",
            "k:\n    - |\n      t",
        ),
        ("a: [x,\n  y] # c\n", "[x,\n  y]"),
        ("a: {}\n", "{}"),
    ];
    for (text, want) in rows {
        let (file, root, _) = parse_behind_prefix(text);
        let root = root.unwrap();
        assert_eq!(
            &file[root.get("a").unwrap().value.span.clone()],
            want,
            "{text:?}"
        );
    }
}

#[test]
fn errors_name_the_exact_bytes() {
    use YamlErrorKind::{NeedsQuotes, Syntax, Unsupported};
    let rows: &[(&str, YamlErrorKind, &str, bool)] = &[
        ("a: [1\nb: 2\n", Syntax, ":", false),
        ("a: 'x\n", Syntax, "", false),
        ("a: 1\n\tb: 2\n", Syntax, "1", false),
        ("a: 1\n b: 2\n", Syntax, ":", false),
        ("a: x\0y\n", Syntax, "\0", false),
        ("a: \"b\" c: d\n", Syntax, "c", false),
        ("a: &x 1\n", Unsupported("anchor"), "&x", true),
        ("a: *x\n", Unsupported("alias"), "*x", true),
        ("a: !!int 1\n", Unsupported("tag"), "!!int", true),
        ("a: !t [1]\n", Unsupported("tag"), "!t", true),
        ("<<: {a: 1}\n", Unsupported("merge key"), "<<", true),
        ("[a, b]: 1\n", Unsupported("non-scalar key"), "[a, b]", true),
        (": 1\n", Unsupported("empty key"), "", true),
        (
            "a: 1\n---\nb: 2\n",
            Unsupported("second document"),
            "---",
            true,
        ),
        (
            "%YAML 1.2\n---\na: 1\n",
            Unsupported("directive"),
            "%",
            false,
        ),
        (
            "a: fix it: fast # c\nb: 1\n",
            NeedsQuotes,
            "fix it: fast",
            true,
        ),
        ("a: `code` first\n", NeedsQuotes, "`code` first", true),
        ("a:\n  - k: x: y\r\n    l: 1\r\n", NeedsQuotes, "x: y", true),
    ];
    for (text, kind, source, has_tree) in rows {
        let (file, root, errors) = parse_behind_prefix(text);
        let found: Vec<_> = errors
            .iter()
            .map(|e| (&e.kind, &file[e.span.clone()]))
            .collect();
        assert_eq!(found, [(kind, *source)], "{text:?}");
        assert_eq!(root.is_some(), *has_tree, "{text:?}");
    }
}

#[test]
fn a_value_that_needs_quotes_is_read_as_meant() {
    let text = "goal: fix it: fast # c\nlist:\n  - k: `a`: b\nstatus: done\n";
    let (root, errors) = parse(text, 0);
    let root = root.unwrap();
    assert_eq!(
        root.get("goal").unwrap().value.as_str(),
        Some("fix it: fast")
    );
    let item = &root.get("list").unwrap().value.items()[0];
    assert_eq!(item.get("k").unwrap().value.as_str(), Some("`a`: b"));
    assert_eq!(root.get("status").unwrap().value.as_str(), Some("done"));
    assert_eq!(errors.len(), 2);
}

#[test]
fn the_first_of_two_equal_keys_counts() {
    let text = "a: 1\n\"a\": {x: 1, x: 2}\nb: {c: 1, c: 2}\n";
    let (root, errors) = parse(text, 10);
    let root = root.unwrap();
    assert_eq!(
        show(&root, &format!("0123456789{text}")),
        "{a<a>: 1, b<b>: {c<c>: 1}}"
    );
    let found: Vec<_> = errors
        .iter()
        .map(|e| (e.kind.clone(), e.span.clone()))
        .collect();
    let twice = |first| YamlErrorKind::DuplicateKey { first };
    // The value of a dropped key is looked through as well.
    let want = [
        (twice(10..11), 15..18),
        (twice(21..22), 27..28),
        (twice(37..38), 43..44),
    ];
    assert_eq!(found, want);
}

#[test]
fn null_is_an_unquoted_nothing() {
    let rows = [
        ("a:", true),
        ("a: ~", true),
        ("a: null", true),
        ("a: NULL", true),
        ("a: ''", false),
        ("a: \"~\"", false),
        ("a: 'null'", false),
        ("a: nULL", false),
        ("a: []", false),
    ];
    for (text, want) in rows {
        let (root, _) = parse(text, 0);
        assert_eq!(
            root.unwrap().get("a").unwrap().value.is_null(),
            want,
            "{text:?}"
        );
    }
}

#[test]
fn hostile_sizes_are_refused_without_a_tree() {
    use YamlErrorKind::{TooDeep, TooLarge};
    let nested = |open: &str, close: &str, n| format!("{}x{}", open.repeat(n), close.repeat(n));
    let blocks: String = (0..MAX_DEPTH + 1)
        .map(|n| format!("{}a:\n", " ".repeat(n)))
        .collect();
    let rows = [
        ("deep flow", "[".repeat(200_000), Some(TooDeep)),
        ("deep flow mappings", "{a: ".repeat(50_000), Some(TooDeep)),
        ("deep blocks", "- ".repeat(200_000), Some(TooDeep)),
        (
            "one too deep",
            nested("[", "]", MAX_DEPTH + 1),
            Some(TooDeep),
        ),
        (
            "mixed, one too deep",
            format!("- - {}", nested("[", "]", MAX_DEPTH - 1)),
            Some(TooDeep),
        ),
        ("block mappings, one too deep", blocks, Some(TooDeep)),
        ("deep enough", nested("[", "]", MAX_DEPTH), None),
        (
            "too many bytes",
            format!("a: {}", "x".repeat(MAX_YAML_BYTES)),
            Some(TooLarge),
        ),
        (
            "as many bytes as allowed",
            format!("a: {}", "x".repeat(MAX_YAML_BYTES - 3)),
            None,
        ),
        ("too many nodes", "- 1\n".repeat(MAX_NODES), Some(TooLarge)),
        ("nearly too many nodes", "- 1\n".repeat(MAX_NODES - 1), None),
    ];
    for (name, text, want) in rows {
        let (root, errors) = parse(&text, 0);
        let found: Vec<_> = errors.into_iter().map(|error| error.kind).collect();
        assert_eq!(root.is_some(), want.is_none(), "{name}");
        assert_eq!(found, Vec::from_iter(want), "{name}");
    }
}

/// Text that is often nearly YAML.
fn yaml_like() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("a: "),
        Just("b:"),
        Just("- "),
        Just("\n"),
        Just("\r\n"),
        Just("  "),
        Just("["),
        Just("]"),
        Just("{"),
        Just("}"),
        Just(", "),
        Just("|"),
        Just(">-"),
        Just("'"),
        Just("\""),
        Just("# c"),
        Just("&x "),
        Just("*x"),
        Just("!t "),
        Just("<<"),
        Just("? "),
        Just("---\n"),
        Just("é"),
        Just("\u{85}"),
        Just("\t"),
        Just("word"),
        Just("%YAML 1.2\n"),
        Just("\u{feff}"),
        Just("\0"),
        Just("\\"),
        Just("x: y"),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// Lines as plans have them, most of them well formed, some of them not quite.
fn plan_like() -> impl Strategy<Value = String> {
    let indent = prop_oneof![
        Just(""),
        Just("  "),
        Just("    "),
        Just("      "),
        Just(" ")
    ];
    let head = prop_oneof![
        Just("a:"),
        Just("b: "),
        Just("c_d: "),
        Just("- "),
        Just("- e: "),
        Just("- f:"),
        Just("-"),
        Just("- - "),
        Just("g-h:  "),
        Just("1: "),
        Just("null: "),
        Just("-a: "),
        Just("i :"),
        Just(""),
    ];
    let value = prop_oneof![
        Just(""),
        Just("word"),
        Just("two words "),
        Just("x: y"),
        Just("x:"),
        Just("a:b"),
        Just("http://h/p"),
        Just("[]"),
        Just("[a, b.c/d]"),
        Just("[a,b,]"),
        Just("[ ]"),
        Just("[,]"),
        Just("[a b]"),
        Just("[[a]]"),
        Just("[a] # c"),
        Just("[a]b"),
        Just("'q'"),
        Just("'it''s'"),
        Just("\"d q\" # c"),
        Just("\"d\"e"),
        Just("\"d\\n\""),
        Just("v # c"),
        Just("v#c"),
        Just("# c"),
        Just("~"),
        Just("null"),
        Just("1e3"),
        Just("|"),
        Just("> "),
        Just("&x v"),
        Just("*x"),
        Just("!t v"),
        Just("- x"),
        Just("-1"),
        Just("? x"),
        Just("<v>"),
        Just("%v"),
        Just("@v"),
        Just("{}"),
        Just("{a: b}"),
        Just("..."),
        Just("---"),
        Just("v, w]}"),
        Just("\"\""),
        Just("' '"),
        Just("=v"),
        Just("(v)"),
        Just("$v"),
        Just(".v"),
        Just("/v"),
    ];
    let end = prop_oneof![4 => Just("\n"), 1 => Just(" \n"), 1 => Just("\n\n"), 1 => Just("\n# c\n"), 1 => Just("\n   # c\n")];
    let line = (indent, head, value, end).prop_map(|(i, h, v, e)| format!("{i}{h}{v}{e}"));
    prop::collection::vec(line, 0..8).prop_map(|lines| lines.concat())
}

/// Every span lies inside its parent and on character boundaries.
fn check_spans(node: &Node, text: &str, within: &Span) {
    assert!(node.span.start <= node.span.end, "{node:?} in {text:?}");
    assert!(
        within.start <= node.span.start && node.span.end <= within.end,
        "{node:?} in {text:?}"
    );
    assert!(
        text.get(node.span.clone()).is_some(),
        "{node:?} in {text:?}"
    );
    node.items()
        .iter()
        .for_each(|item| check_spans(item, text, &node.span));
    for entry in node.entries() {
        assert!(
            text.get(entry.key_span.clone()).is_some(),
            "{entry:?} in {text:?}"
        );
        check_spans(&entry.value, text, &node.span);
    }
}

#[test]
fn spans_nest_where_a_list_holds_nothing() {
    for text in ["---\na: \n- ? # c", "a:\n- ?", "a:\n- - ?\nb: 1", "a:\n-\n"] {
        let (root, _) = parse(text, 0);
        check_spans(&root.expect(text), text, &(0..text.len()));
    }
}

proptest! {
    #[test]
    fn parsing_never_panics_and_spans_nest(text in prop_oneof![yaml_like(), plan_like(), any::<String>()]) {
        let (root, errors) = parse(&text, 0);
        if let Some(root) = root {
            check_spans(&root, &text, &(0..text.len()));
        } else {
            prop_assert!(!errors.is_empty() || !text.contains(char::is_alphanumeric) || text.contains('#'));
        }
        for error in errors {
            prop_assert!(text.get(error.span.clone()).is_some(), "{error:?}");
        }
    }
}
