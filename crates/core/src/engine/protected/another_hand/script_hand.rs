//! Another hand for what tests JavaScript: `node:test`, Vitest, Jest and Mocha.

use super::{Hand, quoted, says};
use crate::path_names::extension;
use crate::pattern::{TextPattern, constant};
use regex::Captures;

const HAND: &str = include_str!("hand.js");
const PLAIN: &str = include_str!("plain.js");

/// How what was written for a program of its own ends: with 3 where an answer was wrong. Where a name or a file is missing, that may
/// be for want of what the runner's settings bring.
const ENDING: &str = r#"
(async () => {
  // A product that waits for what is not there ends without an answer.
  setTimeout(() => process.exit(1), 60000).unref();
  let wrong = false;
  for (const run of hand$.cases()) {
    try {
      await run();
    } catch (error) {
      const missing = /^(?:Reference|Syntax|Type)Error$/.test(error?.name) || (error?.code && error.code !== 'ERR_ASSERTION');
      wrong ||= !missing;
    }
  }
  process.exit(wrong ? 3 : 0);
})();
"#;

const WITHIN: &str = r#"
hand$.cases().forEach((run, at) => REGISTER(`by another hand ${at}`, run));
"#;

/// Names that a runner gives to tests.
const NAMES: [&str; 15] = [
    "describe",
    "suite",
    "context",
    "it",
    "test",
    "specify",
    "expect",
    "before",
    "beforeAll",
    "beforeEach",
    "after",
    "afterAll",
    "afterEach",
    "setup",
    "teardown",
];

static TESTS: TextPattern =
    TextPattern::new(r"\b(?:test|it|specify)(?:\.\w+)?(?:\([^()]*\))?\s*\(");
static IMPORT: TextPattern = TextPattern::new(
    r#"(?m)^import\s+(?:(\w+)\s*,?\s*)?(?:\{([^{}]*)\}\s*)?from\s*["'](node:test|vitest|@jest/globals|mocha)["'][ \t]*;?"#,
);
static REQUIRE: TextPattern = TextPattern::new(
    r#"(?m)^(?:const|let|var)\s+(?:(\w+)|\{([^{}]*)\})\s*=\s*require\(\s*["'](node:test|vitest|@jest/globals|mocha)["']\s*\)[ \t]*;?"#,
);
/// What stays of a runner, or is more than the small one knows.
static LEFT: TextPattern = TextPattern::new(
    r#"(?:\bfrom\s*|\(\s*)["'](?:node:test|test|vitest|@jest/\w+|mocha|sinon|bun:test|@testing-library)["'/]|\b(?:jest|vi)\.(?:[a-eg-z]|f[a-mo-z]|fn\w)|\bsinon\.|\bmock\.(?:fn|method|timers|module|getter|setter|reset|restore)|\bthis\.(?:timeout|skip|retries|slow|test|currentTest)\b|\.only\(|(?i:snapshot)|\b(?:require|import)\(\s*[^\s"'`]"#,
);
static RECORDS: TextPattern = TextPattern::new(r"\b(?:jest|vi)\.fn\(");
/// What others may import from a file of tests.
static EXPORTS: TextPattern = TextPattern::new(r"(?m)^export\b|\bmodule\.exports\b|\bexports\.");
static MODULE: TextPattern = TextPattern::new(r"(?m)^import\b");

pub(super) fn by_another_hand(path: &str, text: &str, hand: Hand) -> Option<String> {
    if !TESTS.is_match(text) || EXPORTS.is_match(text) {
        return None;
    }
    let mut runner = None;
    let mut take = |found: &Captures<'_>| {
        runner = Some(found[3].to_owned());
        let whole = found.get(1).map(|name| {
            let name = name.as_str();
            format!("const {name} = Object.assign((...given) => hand$.test(...given), hand$.test, hand$);")
        });
        let named = found.get(2).map(|names| {
            let names = names.as_str().replace(" as ", ": ");
            format!("const {{{names}}} = hand$;")
        });
        [whole, named].into_iter().flatten().collect::<String>()
    };
    let taken = IMPORT.replace_all(text, &mut take);
    let taken = REQUIRE.replace_all(&taken, &mut take);
    if LEFT.is_match(&taken) {
        return None;
    }
    // A runner whose names need no import waits for whoever takes a callback.
    let waits = !matches!(runner.as_deref(), Some("node:test" | "vitest"));
    let hand_text = HAND.replace("WAITS", &waits.to_string());
    let given = match runner {
        Some(_) => String::new(),
        None => given_names(&taken),
    };
    // What only records its calls is known.
    let taken = RECORDS.replace_all(&taken, "hand$$.own.fn(");
    let body = format!("{hand_text}{given}{taken}");
    let is_module = MODULE.is_match(text);
    let register = registering(runner.as_deref(), is_module);
    Some(match hand {
        Hand::Within => format!("{register}{body}{}", WITHIN.replace("REGISTER", "real$")),
        Hand::Plain | Hand::Mute => {
            let load = match is_module {
                true => "const load = (name) => import(name);\n",
                false => "const load = async (name) => require(name);\n",
            };
            let compiled = !["js", "mjs", "cjs"].contains(&extension(path));
            let plain = PLAIN
                .replace("REGISTER", "real$")
                .replace("WRONG", if hand == Hand::Mute { "null" } else { "'3'" })
                .replace("SAYS", &quoted(&says(path)))
                .replace("COMPILED", &compiled.to_string())
                .replace("EXTENSION", &quoted(&format!(".{}", extension(path))))
                .replace("PATH", &quoted(path))
                .replace("BODY", &quoted(&format!("{body}{ENDING}")));
            format!("{register}{load}{plain}")
        }
    })
}

/// Returns what gives a file the names that its runner gives without an import.
fn given_names(text: &str) -> String {
    let used = NAMES.into_iter().filter(|name| {
        let word = || constant(&format!(r"\b{name}\b\s*[.(]")).is_match(text);
        let own = || {
            let bound = r"(?:\b(?:const|let|var|import)\b[^;\n=]*|\bfunction\s+)";
            constant(&format!(r"{bound}\b{name}\b")).is_match(text)
        };
        text.contains(name) && word() && !own()
    });
    let used: Vec<&str> = used.collect();
    match used.is_empty() {
        true => String::new(),
        false => format!("const {{ {} }} = hand$;\n", used.join(", ")),
    }
}

/// Returns what gets hold of the runner's own way to have a test run.
fn registering(runner: Option<&str>, is_module: bool) -> String {
    match (runner, is_module) {
        (Some(name), true) => format!("import {{ it as real$ }} from '{name}';\n"),
        (Some(name), false) => format!("const {{ it: real$ }} = require('{name}');\n"),
        (None, _) => "const real$ = globalThis.it ?? globalThis.test;\n".to_owned(),
    }
}
