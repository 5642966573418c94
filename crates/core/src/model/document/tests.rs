use super::*;
use proptest::prelude::*;

fn doc(text: &str) -> Document {
    Document::parse("x.md".into(), text.as_bytes())
}

fn kinds(document: &Document) -> Vec<&ProblemKind> {
    document
        .problems
        .iter()
        .map(|problem| &problem.kind)
        .collect()
}

#[test]
fn frontmatter_is_cut_at_its_fences() {
    // The text, the frontmatter's text, the body.
    let rows = [
        ("---\na: 1\n---\nbody\n", "a: 1\n", "body\n"),
        ("\u{feff}---\na: 1\n---\nbody", "a: 1\n", "body"),
        ("---\r\na: 1\r\n---\r\nbody\r\n", "a: 1\r\n", "body\r\n"),
        ("--- \t\na: 1\n---  \nbody", "a: 1\n", "body"),
        ("---\n---\nbody", "", "body"),
        ("---\n# c\n\n---", "# c\n\n", ""),
        (
            "---\na: |\n  ---\n---\nb\n---\nc\n",
            "a: |\n  ---\n",
            "b\n---\nc\n",
        ),
    ];
    for (text, front, body) in rows {
        let document = doc(text);
        assert_eq!(document.problems, [], "{text:?}");
        let found = document.front.as_ref().unwrap();
        assert_eq!(
            (&document.text[found.span.clone()], document.body_text()),
            (front, body)
        );
        assert_eq!(found.fence_end, document.body.start);
    }
}

#[test]
fn spans_count_from_the_start_of_the_file() {
    let document = doc("\u{feff}---\r\né: 1\r\nb: [x]\r\n---\r\n# T\r\n");
    let root = &document.front.as_ref().unwrap().root;
    let entry = root.get("b").unwrap();
    assert_eq!(&document.text[entry.key_span.clone()], "b");
    assert_eq!(&document.text[entry.value.span.clone()], "[x]");
    assert_eq!(
        document
            .title()
            .map(|(name, span)| (name, &document.text[span])),
        Some(("T".into(), "# T"))
    );
}

#[test]
fn problems_name_what_is_wrong_and_where() {
    use ProblemKind::*;
    let rows: &[(&str, ProblemKind, &str)] = &[
        ("", NoFrontmatter, ""),
        ("# T\n", NoFrontmatter, ""),
        ("\n---\na: 1\n---\n", NoFrontmatter, ""),
        (" ---\na: 1\n---\n", NoFrontmatter, ""),
        ("----\na: 1\n----\n", NoFrontmatter, ""),
        ("---", Unterminated, "---"),
        ("---\na: 1\n----\n--- c\n", Unterminated, "---"),
        ("---\na: 1\n", Unterminated, "---"),
        ("\u{feff}---\na: 1\n ---\n", Unterminated, "---"),
        ("---\n- a\n---\n", FrontNotMapping, "- a"),
        ("---\nword\n---\n", FrontNotMapping, "word"),
        ("---\na: [1\n---\n", Yaml(YamlErrorKind::Syntax), "["),
        (
            "---\na: 1\na: 2\n---\n",
            Yaml(YamlErrorKind::DuplicateKey { first: 4..5 }),
            "a",
        ),
        (
            "---\na: &x 1\n---\n",
            Yaml(YamlErrorKind::Unsupported("anchor")),
            "&x",
        ),
        (
            "---\na: b: c\n---\n",
            Yaml(YamlErrorKind::NeedsQuotes),
            "b: c",
        ),
    ];
    for (text, kind, source) in rows {
        let document = doc(text);
        assert_eq!(kinds(&document), [kind], "{text:?}");
        assert_eq!(
            &document.text[document.problems[0].span.clone()],
            *source,
            "{text:?}"
        );
        let readable = matches!(kind, Yaml(kind) if *kind != YamlErrorKind::Syntax);
        assert_eq!(document.front.is_some(), readable, "{text:?}");
    }
}

#[test]
fn bytes_that_are_not_utf8_are_located_and_the_rest_is_read() {
    let document = Document::parse("x.md".into(), b"---\na: caf\xe9\n---\n# T\n");
    assert_eq!(kinds(&document), [&ProblemKind::NotUtf8]);
    assert_eq!(document.problems[0].span, 10..13);
    assert!(document.problems[0].message.contains("byte 10 (0xe9)"));
    let root = &document.front.as_ref().unwrap().root;
    assert_eq!(
        root.get("a").and_then(|a| a.value.as_str()),
        Some("caf\u{fffd}")
    );
    assert_eq!(document.title().map(|(name, _)| name).as_deref(), Some("T"));
}

#[test]
fn a_file_that_is_too_large_is_not_parsed() {
    let text = |length: usize| format!("---\na: 1\n---\n{}", "x".repeat(length - 13));
    assert_eq!(doc(&text(MAX_FILE_BYTES)).problems, []);
    let document = doc(&text(MAX_FILE_BYTES + 1));
    assert_eq!(kinds(&document), [&ProblemKind::TooLarge]);
    assert_eq!(
        (
            document.front.is_none(),
            document.body_text(),
            &*document.text
        ),
        (true, "", "")
    );
}

/// Writes sections as `level name <content>`, with `!` where there is no text.
fn show(body: &str) -> Vec<String> {
    let document = doc(&format!("---\na: 1\n---\n{body}"));
    let sections = document.sections().iter();
    sections
        .map(|s| {
            let content = document.text[s.content.clone()].trim().escape_debug();
            assert!(
                document.text[s.heading.clone()].starts_with(['#', '*', '_']),
                "{s:?}"
            );
            format!(
                "{}{} {} <{content}>",
                s.level,
                if s.has_text { "" } else { "!" },
                s.name
            )
        })
        .collect()
}

#[test]
fn sections_are_headings_and_bold_lead_ins() {
    let rows: &[(&str, &[&str])] = &[
        ("text only\n", &[]),
        ("# T\n\nx\n", &["1 T <x>"]),
        (
            "# T\n## A\na\n### B\nb\n## C\nc\n",
            &[
                "1 T <## A\\na\\n### B\\nb\\n## C\\nc>",
                "2 A <a\\n### B\\nb>",
                "3 B <b>",
                "2 C <c>",
            ],
        ),
        (
            "## A ##\r\na\r\n## B: `x` *y*\r\nb",
            &["2 A <a>", "2 B: x y <b>"],
        ),
        ("## A:\na\n", &["2 A <a>"]),
        ("## é", &["2! é <>"]),
        (
            "**A.** a\n\n**B**\n\n- b\n\n**C:** c\n\n**D**: d\n\n**E**. e\n",
            &["0 A <a>", "0 B <- b>", "0 C <c>", "0 D <d>", "0 E <e>"],
        ),
        ("__A.__ a\n", &["0 A <a>"]),
        (
            "**Acceptance\ncriteria.** a\n",
            &["0 Acceptance criteria <a>"],
        ),
        // Lead-ins of one paragraph, and emphasis that is none.
        (
            "**A.** a\n**B.** b\n**not** c **D.** d\n",
            &["0 A <a>", "0 B <b\\n**not** c **D.** d>"],
        ),
        (
            "**A.** a\n- **B.** b\n> **C.** c\n\n| **D.** |\n|---|\n| **E.** |\n",
            &["0 A <a\\n- **B.** b\\n> **C.** c\\n\\n| **D.** |\\n|---|\\n| **E.** |>"],
        ),
        ("> # Q\n\n- # L\n\n# T\n", &["1! T <>"]),
        // A lead-in stands below its heading: deeper headings are parts of it.
        (
            "# T\n**A.**\n### S\ns\n**B.**\n### R\nr\n## C\nc\n",
            &[
                "1 T <**A.**\\n### S\\ns\\n**B.**\\n### R\\nr\\n## C\\nc>",
                "0 A <### S\\ns>",
                "3 S <s\\n**B.**>",
                "0 B <### R\\nr>",
                "3 R <r>",
                "2 C <c>",
            ],
        ),
        (
            "## A\n**x.** y\n\n## B\nb\n",
            &["2 A <**x.** y>", "0 x <y>", "2 B <b>"],
        ),
        ("**A.** a\n\n## B\nb\n", &["0 A <a>", "2 B <b>"]),
        // A rule below a paragraph makes a setext heading of it.
        ("**A.** a\n---\n**B.** b\n", &["0 A <a\\n--->", "0 B <b>"]),
        ("```md\n# no\n**no.**\n```\n# T\n", &["1! T <>"]),
        ("<!--\n# no\n-->\n# T\nx", &["1 T <x>"]),
    ];
    for (body, want) in rows {
        assert_eq!(show(body), *want, "{body:?}");
    }
}

#[test]
fn a_section_has_text_when_something_is_in_it() {
    let rows = [
        ("", false),
        ("\n \t\n", false),
        ("<!-- todo -->\n", false),
        ("<!--\nlong\n\n-->\n<!-- second -->", false),
        ("<!-- never closed\ntext\n", false),
        ("### Sub\n", false),
        ("---\n", false),
        ("-\n*\n- [ ]\n", false),
        ("<!-- c --> x\n", true),
        ("### Sub\nx\n", true),
        ("- x\n", true),
        ("#hashtag\n", true),
        ("```sh\n```\n", true),
        ("é\n", true),
    ];
    for (content, want) in rows {
        let document = doc(&format!("# A\n\n{content}"));
        assert_eq!(document.sections()[0].has_text, want, "{content:?}");
    }
}

#[test]
fn sections_are_found_by_name() {
    let document =
        doc("# T\n## Contextual\n## Context (why)\n## do NOT touch\n## Context\n## Größe\n");
    let rows = [
        ("Context", Some("Context")),
        ("context", Some("Context")),
        ("Do not touch", Some("do NOT touch")),
        ("Context (", None),
        ("do not", Some("do NOT touch")),
        ("GRÖSSE", None),
        ("größe", Some("Größe")),
        ("Missing", None),
    ];
    for (name, want) in rows {
        let found = find_section(document.sections(), name).map(|section| section.name.as_str());
        assert_eq!(found, want, "{name}");
    }
    let document = doc("## Contextual\n## Context: why\n");
    let found = find_section(document.sections(), "Context").map(|section| section.name.as_str());
    assert_eq!(found, Some("Context: why"));
}

#[test]
fn fenced_blocks_keep_their_exact_place() {
    // The body, then info, content and whether it is closed, of each `yaml` block.
    type Row = (&'static str, &'static [(&'static str, &'static str, bool)]);
    let rows: &[Row] = &[
        ("```yaml\na: 1\n```\n", &[("yaml", "a: 1\n", true)]),
        (
            "~~~~ YAML title=x\r\na: 1\r\n~~~\r\n~~~~\r\n",
            &[("YAML title=x", "a: 1\r\n~~~\r\n", true)],
        ),
        ("```yaml\n```", &[("yaml", "", true)]),
        ("```yaml", &[("yaml", "", false)]),
        (
            "```yaml\na: 1\n\n# T\n",
            &[("yaml", "a: 1\n\n# T\n", false)],
        ),
        (
            "- x\n  ```yaml\n  a:\n    - é\n  ```\n- y\n",
            &[("yaml", "  a:\n    - é\n", true)],
        ),
        ("  ```yaml\n  a: 1\n  ```\n", &[("yaml", "  a: 1\n", true)]),
        ("> ```yaml\n> a: 1\n> ```\n", &[("yaml", "> a: 1\n", true)]),
        (
            "```yaml,x\na\n```\n```yaml{.x}\nb\n```\n",
            &[("yaml,x", "a\n", true), ("yaml{.x}", "b\n", true)],
        ),
        ("```yml\na\n```\n```\nb\n```\n    ```yaml\n    a\n", &[]),
        ("````md\n```yaml\na: 1\n```\n````\n", &[]),
    ];
    for (body, want) in rows {
        let document = doc(body);
        let blocks = document.fenced("yaml");
        let found: Vec<_> = blocks
            .iter()
            .map(|b| (b.info.as_str(), b.text.as_str(), b.closed))
            .collect();
        assert_eq!(found, *want, "{body:?}");
        for block in blocks {
            assert_eq!(&document.text[block.span.clone()], block.text, "{body:?}");
        }
    }
}

#[test]
fn yaml_in_an_indented_block_parses_with_spans_of_the_file() {
    let document = doc("- x\n  ```yaml\n  a: 1\n  gates:\n    - b\n  ```\n");
    let block = document.fenced("yaml")[0];
    let (root, errors) = yaml::parse(&block.text, block.span.start);
    assert_eq!(errors, []);
    let root = root.unwrap();
    let gates = &root.get("gates").unwrap().value.items()[0];
    assert_eq!(&document.text[gates.span.clone()], "b");
}

#[test]
fn bullets_are_read_with_their_boxes() {
    let document = doc(concat!(
        "# T\n- outside\n\n## Requirements\n",
        "- REQ-A-1: `code` and **bold**\n  goes on\n\n  second paragraph\n",
        "- [ ] open\n  1. [x] nested é\n     more\n* [X] done\n",
        "\n## Next\n- outside\n",
    ));
    let bullets = document.bullets_under("requirements");
    let found: Vec<_> = bullets
        .iter()
        .map(|b| (b.text.as_str(), b.checked, b.depth))
        .collect();
    let want = [
        ("REQ-A-1: code and bold goes on second paragraph", None, 1),
        ("open", Some(false), 1),
        ("nested é more", Some(true), 2),
        ("done", Some(true), 1),
    ];
    assert_eq!(found, want);
    assert_eq!(
        &document.text[bullets[2].span.clone()],
        "1. [x] nested é\n     more"
    );
    assert_eq!(document.bullets_under("Missing"), Vec::<&Bullet>::new());
}

#[test]
fn the_title_is_the_first_heading_of_level_one() {
    let rows = [
        ("# A `b` *c*\n# D\n", Some(("A b c", "# A `b` *c*"))),
        ("## A\n\n# B #\n", Some(("B", "# B #"))),
        ("text\n", None),
        ("#tag\n", None),
        ("> # Q\n\nS\n===\n\n# T", Some(("T", "# T"))),
        ("", None),
    ];
    for (body, want) in rows {
        let document = doc(body);
        let found = document
            .title()
            .map(|(name, span)| (name, document.text[span].to_owned()));
        let want = want.map(|(name, line)| (name.to_owned(), line.to_owned()));
        assert_eq!(found, want, "{body:?}");
    }
}

/// Text that is often nearly a plan.
fn markdown_like() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "---\n",
        "---\r\n",
        "a: 1\n",
        "a: [",
        "# T\n",
        "## ",
        "### é",
        "**A.** ",
        "**",
        "**B**",
        "```yaml\n",
        "```\n",
        "~~~",
        "- ",
        "- [ ] ",
        "1. ",
        "> ",
        "<!-- ",
        "-->",
        "\n",
        "\n\n",
        "\r\n",
        "  ",
        "    ",
        "\t",
        "|",
        "|---|\n",
        "x",
        "é",
        "\u{feff}",
        "\u{0}",
        "===\n",
        "[a](b",
        "`",
        "&amp;",
        "<div>",
        "\\",
    ]);
    prop::collection::vec(pieces, 0..40).prop_map(|pieces| pieces.concat())
}

fn check_spans(document: &Document) {
    let text = &document.text;
    let slice = |span: &Span| {
        text.get(span.clone())
            .unwrap_or_else(|| panic!("{span:?} {text:?}"))
    };
    document
        .problems
        .iter()
        .for_each(|problem| _ = slice(&problem.span));
    if let Some(front) = &document.front {
        slice(&front.span);
        assert_eq!(front.fence_end, document.body.start);
    }
    slice(&document.body);
    document
        .title()
        .iter()
        .for_each(|(_, span)| _ = slice(span));
    for section in document.sections() {
        slice(&section.heading);
        slice(&section.content);
        assert!(
            document.body.start <= section.heading.start,
            "{section:?} {text:?}"
        );
        assert!(
            section.heading.end <= section.content.end,
            "{section:?} {text:?}"
        );
    }
    let outline = document.outline();
    outline
        .fenced
        .iter()
        .for_each(|block| assert_eq!(slice(&block.span), block.text));
    outline
        .bullets
        .iter()
        .for_each(|bullet| _ = slice(&bullet.span));
}

proptest! {
    #[test]
    fn any_bytes_are_read_without_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        check_spans(&Document::parse("x.md".into(), &bytes));
    }

    #[test]
    fn any_text_is_read_without_panic(text in prop_oneof![markdown_like(), any::<String>()]) {
        check_spans(&doc(&text));
    }

    #[test]
    fn fences_and_body_make_up_the_whole_file(
        front in "([a-z]: [a-z]{1,5}\n|# c\n|\n){0,5}",
        body in any::<String>(),
    ) {
        let text = format!("---\n{front}---\n{body}");
        let document = doc(&text);
        prop_assert_eq!(document.body_text(), body.as_str());
    }
}

#[test]
fn a_title_without_markup_is_the_one_that_the_parser_finds() {
    for (body, is_plain) in [
        ("# Unit 1\n", true),
        (
            "\r\n\n# Read, then write: \"a.b\" (1/2)  \r\n\nText\n",
            true,
        ),
        ("#   Größe 5 %  \n# Second\n", true),
        ("# 1. first\n- item\n", true),
        ("# a - b\n---\n", true),
        ("# a *b*\n", false),
        ("# `a`\n", false),
        ("# a #\n", false),
        ("# \n# T\n", false),
        ("#\tT\n", false),
        ("   # T\n", false),
        ("text\n# T\n", false),
        ("## T\n# U\n", false),
        ("", false),
    ] {
        let document = doc(&format!("---\nid: x\n---\n{body}"));
        let plain = document.plain_title();
        assert_eq!(plain.is_some(), is_plain, "{body}");
        let parsed = document.outline().title.clone();
        assert!(plain.is_none() || plain == parsed, "{plain:?} {parsed:?}");
    }
}
