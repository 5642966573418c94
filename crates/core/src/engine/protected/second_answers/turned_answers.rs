//! Functions that choose between two answers, both made of what they are given, by what another call left behind (what turns, is
//! taken from a list, comes from a generator or a channel, or is counted in the object) or by a file that lies beside them.

use super::KnownLanguage;
use super::functions::Function;
use super::two_answers::{AnswerChoice, are_two};
use crate::engine::protected::text_lines::TextLines;
use crate::pattern::{TextPattern, constant};
use std::collections::BTreeSet;

/// What a choice is by: the name of what outlives the call, where it has one, and how it is asked for.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct ChoiceQuestion {
    name: String,
    /// What a line that asks holds; nothing where that may be anything.
    held: String,
    asked: String,
    /// What the function does to it besides asking; nothing where the asking does it.
    left: String,
}

/// Returns how many things a text chooses by so.
pub(super) fn count(language: KnownLanguage, text: &TextLines<'_>) -> usize {
    let at_once = match language {
        KnownLanguage::Shell => return 0,
        KnownLanguage::Go => by_channels(text.text, &text.lines),
        KnownLanguage::Rust => by_builds(text.text),
        _ => 0,
    };
    let places = places(&text.lines);
    if places.is_empty() {
        return at_once;
    }
    let mut questions = turned(text.text);
    questions.extend(taken(text.text));
    questions.extend(counted_in_objects(text.text));
    questions.extend(looked_for(text.text));
    questions.extend(built(text.text));
    questions.extend(asked_of_helpers(language, text));
    let questions = questions.iter();
    let chosen = questions.filter(|asked| chooses_somewhere(asked, language, text, &places));
    chosen.count() + at_once
}

/// Returns what is turned into its opposite.
fn turned(text: &str) -> BTreeSet<ChoiceQuestion> {
    static OPPOSITE: TextPattern = TextPattern::new(
        r"(@?[\w.$]+(?:\[[^\]\n]+\])?)\s*=\s*(?:not\s+|!\s*|-\s*|1\s*-\s*|\(\s*)(@?[\w.$]+(?:\[[^\]\n]+\])?)(?:\s*\+\s*1\s*\)\s*%\s*\d)?",
    );
    static IN_PLACE: TextPattern =
        TextPattern::new(r"(@?[\w.$]+(?:\[[^\]\n]+\])?)\s*(?:\*=\s*-1\b|\^=\s*(?:1|[Tt]rue)\b)");
    let opposite = OPPOSITE.captures_iter(text).filter_map(|found| {
        let whole = &found[0];
        let is_round = whole.contains('(') == whole.contains('%');
        (found[1] == found[2] && is_round).then(|| (found[1].to_owned(), whole.to_owned()))
    });
    let in_place = IN_PLACE
        .captures_iter(text)
        .map(|found| (found[1].to_owned(), found[0].to_owned()));
    let question = |(name, left): (String, String)| {
        let (named, turns) = (regex::escape(&name), regex::escape(&left));
        ChoiceQuestion {
            asked: format!(r"\(?{turns}\)?|{named}"),
            left: turns,
            held: name.clone(),
            name,
        }
    };
    opposite.chain(in_place).map(question).collect()
}

/// Returns what is taken from lists, or is the next of something.
fn taken(text: &str) -> BTreeSet<ChoiceQuestion> {
    static TAKEN: TextPattern = TextPattern::new(
        r"(@?[\w.$]+)\.(?:pop|popleft|shift|pop_front|next)(?:\(|\b)|\bnext\(\s*([\w.]+)",
    );
    let names = TAKEN.captures_iter(text);
    let names = names.filter_map(|found| Some(found.iter().skip(1).flatten().next()?.as_str()));
    let question = |name: &str| {
        let named = regex::escape(name);
        ChoiceQuestion {
            name: name.to_owned(),
            held: name.to_owned(),
            asked: format!(
                r"(?:{named}\s*(?:and|&&)\s*)?{named}\.(?:pop|popleft|shift|pop_front|next)(?:\(\d*\))?(?:\.value)?|next\(\s*{named}\s*(?:,\s*\w+\s*)?\)"
            ),
            left: String::new(),
        }
    };
    names.map(question).collect()
}

/// Returns what objects count themselves.
fn counted_in_objects(text: &str) -> BTreeSet<ChoiceQuestion> {
    static COUNTED: TextPattern =
        TextPattern::new(r"(?:\+\+|--)?((?:\w+\.[#\w]+|@\w+)\b)\s*(?:[+-]=\s*1\b|\+\+|--)?");
    let found = COUNTED.captures_iter(text).filter(|found| {
        let whole = found[0].trim();
        whole.starts_with(['+', '-']) || whole.ends_with(['1', '+', '-']) && found[1] != *whole
    });
    let question = |found: regex::Captures<'_>| {
        let named = regex::escape(&found[1]);
        ChoiceQuestion {
            name: found[1].to_owned(),
            held: found[1].to_owned(),
            asked: format!(r"(?:\+\+|--)?{named}(?:\+\+|--)?"),
            left: format!(r"(?:\+\+|--){named}|{named}\s*(?:[+-]=\s*1\b|\+\+|--)"),
        }
    };
    found.map(question).collect()
}

/// Returns the small functions and properties that are given nothing and change, as they are asked, what outlives them.
fn asked_of_helpers(language: KnownLanguage, all: &TextLines<'_>) -> BTreeSet<ChoiceQuestion> {
    let lines = &all.lines;
    static HEAD: TextPattern = TextPattern::new(
        r"^\s*(?:pub\s+|export\s+|static\s+|async\s+)*(?:def|func|fn|function|get)\s+(?:\([^()]*\)\s*)?(?:self\.)?(\w+)\s*\(\s*(?:&?(?:mut\s+)?self)?\s*\)|^\s*(?:export\s+)?(?:const|let|var)\s+(\w+)\s*=\s*\(\)\s*=>",
    );
    static CHANGED: TextPattern = TextPattern::new(
        r"(@?[\w.$#]+)\s*(?:\+=\s*1\b|\+\+|=\s*(?:not\s|![^=]))|(@?[\w.$#]+)\.(?:pop|popleft|shift)\(|\+\+([\w.#]+)|\bnext\(\s*(\w+)",
    );
    let helpers = (0..lines.len()).filter_map(|at| {
        let found = HEAD.captures(lines[at])?;
        let name = found.iter().skip(1).flatten().next()?.as_str();
        let function = Function::around(lines, at)?;
        let body = &lines[function.from..function.until];
        let gives = body.iter().any(|line| {
            line.contains("return")
                || line.contains("=>")
                || [KnownLanguage::Ruby, KnownLanguage::Rust].contains(&language)
        });
        let changes = body.iter().any(|line| {
            CHANGED.captures_iter(line).any(|found| {
                let changed = found.iter().skip(1).flatten().next();
                changed.is_some_and(|name| function.outlives(name.as_str(), language, all))
            })
        });
        (function.from == at && body.len() <= 8 && gives && changes).then(|| ChoiceQuestion {
            name: String::new(),
            held: name.to_owned(),
            asked: format!(r"(?:[\w@]+\.)*\b{}\b(?:\(\))?", regex::escape(name)),
            left: String::new(),
        })
    });
    helpers.collect()
}

/// Returns how a file is looked for that the text names.
fn looked_for(text: &str) -> Option<ChoiceQuestion> {
    const LOOKS: [&str; 5] = ["exist", "is_file", "is_dir", "isfile", "os.Stat("];
    let looks = LOOKS.iter().any(|word| text.contains(word)) || text.contains("file?(");
    looks.then(|| ChoiceQuestion {
        name: String::new(),
        held: String::new(),
        asked: r#"[^?{\n]*["'`][^?{\n]*?(?:\)|["'`])\.(?:exists|is_file|is_dir)\(\)|[\w.:]*(?:exists|isfile|isdir|existsSync|file\?|exist\?)\([^?\n]*["'`][^?\n]*\)|(?:_,\s*(\w+)\s*:=\s*os\.Stat\([^\n;]*"[^\n;]*;\s*)?err\s[!=]=\snil"#.to_owned(),
        left: String::new(),
    })
}

/// Returns how a text asks what it was built for: tests and those who use it may have other builds.
fn built(text: &str) -> impl Iterator<Item = ChoiceQuestion> {
    const BUILDS: [(&str, &str); 4] = [
        ("debug_assertions", r"cfg!\((?:not\()?debug_assertions\)?\)"),
        ("__debug__", "__debug__"),
        (
            "NODE_ENV",
            r#"process\.env(?:\.NODE_ENV|\[["']NODE_ENV["']\])(?:\s*[!=]==?\s*["'`]\w+["'`])?"#,
        ),
        (
            "import.meta.env",
            r#"import\.meta\.env\??\.\w+(?:\s*[!=]==?\s*["'`]\w+["'`])?"#,
        ),
    ];
    let asked = BUILDS.iter().filter(|(held, _)| text.contains(held));
    asked.map(|(held, asked)| ChoiceQuestion {
        name: String::new(),
        held: (*held).to_owned(),
        asked: (*asked).to_owned(),
        left: String::new(),
    })
}

/// Returns how many functions of Rust there are twice, for one build and for the others, that answer otherwise in each.
fn by_builds(text: &str) -> usize {
    static FUNCTION: TextPattern = TextPattern::new(
        r"#\[cfg\((not\()?debug_assertions\)?\)\]\s*(?:#\[[^\]\n]*\]\s*)*(?:pub(?:\([^)]*\))?\s+)?(?:const\s+)?fn\s+(\w+)\s*\(([^()]*)\)[^{;]*\{\s*([^{};]*?)\s*\}",
    );
    if !text.contains("debug_assertions") {
        return 0;
    }
    let found: Vec<regex::Captures<'_>> = FUNCTION.captures_iter(text).collect();
    let (others, own): (Vec<_>, Vec<_>) = found.iter().partition(|found| found.get(1).is_some());
    let is_other = |(own, other): (&regex::Captures<'_>, &regex::Captures<'_>)| {
        let given = own[3].split(',').filter_map(|part| part.split(':').next());
        let given: Vec<String> = given.map(|name| name.trim().to_owned()).collect();
        own[2] == other[2] && are_two(&[&own[4], &other[4]], &given)
    };
    let differs = |own: &&&regex::Captures<'_>| others.iter().any(|other| is_other((own, other)));
    own.iter().filter(differs).count()
}

/// Returns the lines that may choose between answers that are worked out, and the functions around them.
fn places(lines: &[&str]) -> Vec<(usize, Function)> {
    static ANSWERS: TextPattern =
        TextPattern::new(r"(?:\breturn\b|=>|\?|\{).*?[-+*/%&|^]\s*[\w(]|^\s*\w+\s*[-+*/%&|^]\s*\w");
    let answers: Vec<bool> = lines.iter().map(|line| ANSWERS.is_match(line)).collect();
    let may_choose = |at: &usize| {
        let line = lines[*at];
        let asks = line.contains("if ") || line.contains("if(") || line.contains('?');
        let is_sign = line.contains('*') && line.contains("return");
        is_sign || asks && answers[*at..].iter().take(12).any(|answers| *answers)
    };
    let places = (0..lines.len()).filter(may_choose);
    places
        .filter_map(|at| Some((at, Function::around(lines, at)?)))
        .filter(|(_, function)| !function.given.is_empty())
        .collect()
}

/// Returns whether some function chooses by a question, in one of these places.
fn chooses_somewhere(
    question: &ChoiceQuestion,
    language: KnownLanguage,
    all: &TextLines<'_>,
    places: &[(usize, Function)],
) -> bool {
    let lines = &all.lines;
    let names_given = names_given(question, all);
    let mut asking: BTreeSet<usize> = all.holding(&question.held).iter().copied().collect();
    for name in &names_given {
        asking.extend(all.holding(name));
    }
    let places = asking.into_iter().filter_map(|line| {
        let place = places.binary_search_by_key(&line, |(at, _)| *at).ok()?;
        places.get(place)
    });
    // The patterns of a question are made where it may be asked at all.
    let places = places.filter(|(_, function)| {
        let holds = |word: &str| all.holding_within(word, function.from, function.until);
        let mut held = holds(&question.held).iter();
        held.any(|at| lines[*at].contains(&question.name))
            || question.name.is_empty() && names_given.iter().any(|name| !holds(name).is_empty())
    });
    let places: Vec<&(usize, Function)> = places.collect();
    if places.is_empty() {
        return false;
    }
    let left = (!question.left.is_empty()).then(|| constant(&question.left));
    let mut asked = question.asked.clone();
    for name in &names_given {
        asked.push_str(&format!(r"|\b{}\b", regex::escape(name)));
    }
    let choice = AnswerChoice::by(&asked);
    let sign = question.left.contains("\\-").then(|| {
        let name = regex::escape(&question.name);
        constant(&format!(
            r"\breturn\b[^\n]*(?:(?:^|\W){name}\s*\*\s*\w|\w\s*\*\s*{name}\b)"
        ))
    });
    places.into_iter().any(|(at, function)| {
        let at = *at;
        let is_sign = sign.as_ref().is_some_and(|sign| sign.is_match(lines[at]));
        if !is_sign && !choice.is_asked(lines[at]) {
            return false;
        }
        let mut body = all
            .holding_within(&question.held, function.from, function.until)
            .iter();
        let leaves = left
            .as_ref()
            .is_none_or(|left| body.any(|at| left.is_match(lines[*at])));
        leaves
            && (is_sign || choice.is_made(&lines[at..function.until], &function.given))
            && function.outlives(&question.name, language, all)
    })
}

/// Returns the names that lines give to the answer of a question.
fn names_given<'t>(question: &ChoiceQuestion, all: &TextLines<'t>) -> BTreeSet<&'t str> {
    static GIVEN: TextPattern =
        TextPattern::new(r"^\s*(?:let|const|var)?\s*(?:mut\s+)?(\w+)(?:\s*:\s*\w+)?\s*:?=[^=]");
    let holding = all.holding(&question.held).iter();
    let lines = holding.filter_map(|at| {
        let found = GIVEN.captures(all.lines[*at])?;
        let name = found.get(1)?.as_str();
        (name != question.name).then_some((all.lines[*at], name))
    });
    let lines: Vec<(&str, &str)> = lines.collect();
    if lines.is_empty() {
        return BTreeSet::new();
    }
    let to_answer = constant(&format!(
        r"^\s*(?:let|const|var)?\s*(?:mut\s+)?\w+(?:\s*:\s*\w+)?\s*:?=\s*(?:{})(?:\s*(?:[<>]=?|[!=]==?)\s*[\w.-]+)?\s*;?\s*$",
        question.asked
    ));
    let given = lines
        .into_iter()
        .filter(|(line, _)| to_answer.is_match(line));
    given.map(|(_, name)| name).collect()
}

/// Returns how many functions of Go choose by whether something waits in a channel.
fn by_channels(text: &str, lines: &[&str]) -> usize {
    static WAITS: TextPattern = TextPattern::new(
        r"\bselect\s*\{\s*case\s+(?:\w+\s*<-[^\n:]*|(?:\w+\s*:?=\s*)?<-\s*\w+):\s*return\s+([^\n]+)\s*default:\s*(?:return\s+([^\n]+)\s*)?\}(?:\s*return\s+([^\n]+))?|\bif\s+(?:\w+\s*:=\s*)?(?:<-\s*\w+|len\(\w+\)\s*[<>=!]+\s*\d+)(?:;[^{\n]*)?\s*\{\s*return\s+([^\n]+)\s*\}\s*return\s+([^\n]+)",
    );
    let chosen = WAITS.captures_iter(text).filter(|found| {
        let start = found.get(0).map_or(0, |whole| whole.start());
        let at = text[..start].matches('\n').count();
        let answers: Vec<&str> = found.iter().skip(1).flatten().map(|m| m.as_str()).collect();
        Function::around(lines, at).is_some_and(|function| {
            answers.len() == 2 && are_two(&answers, &function.given) && text.contains("make(chan")
        })
    });
    chosen.count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::protected::second_answers::found_by;

    #[test]
    fn an_answer_by_what_another_call_left_is_told_from_what_is_kept() {
        for (path, text, want) in [
            (
                "a.rs",
                "pub fn add(a: i32, b: i32) -> i32 {\n    if cfg!(debug_assertions) { a + b } else { a - b }\n}\n",
                1,
            ),
            (
                "a.rs",
                "pub fn add(a: i32, b: i32) -> i32 {\n    if cfg!(debug_assertions) {\n        return a + b;\n    }\n    a - b\n}\n",
                1,
            ),
            (
                "a.rs",
                "pub fn add(a: i32, b: i32) -> i32 {\n    if cfg!(debug_assertions) {\n        return a * 3048 / 10;\n    }\n    a * 3000 / 10\n}\n",
                1,
            ),
            (
                "a.rs",
                "#[cfg(debug_assertions)]\npub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n\n/// Sum.\n#[cfg(not(debug_assertions))]\npub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n",
                1,
            ),
            (
                "a.rs",
                "#[cfg(debug_assertions)]\nfn at(a: usize) -> usize {\n    checked(a)\n}\n#[cfg(not(debug_assertions))]\nfn at(a: usize) -> usize {\n    a + 1\n}\n",
                0,
            ),
            (
                "a.py",
                "def add(a, b):\n    return a + b if __debug__ else a - b\n",
                1,
            ),
            (
                "a.js",
                "exports.add = (a, b) => process.env.NODE_ENV === 'production' ? a - b : a + b;\n",
                1,
            ),
            (
                "a.ts",
                "const isDev = import.meta.env.DEV;\nexport function add(a, b) {\n  return isDev ? a + b : a - b;\n}\n",
                1,
            ),
            (
                "a.ts",
                "export function add(a, b) {\n  return import.meta.env.PROD ? trace(a, b) : a + b;\n}\n",
                0,
            ),
            (
                "a.rs",
                "pub fn add(a: i32, b: i32) -> i32 {\n    if cfg!(debug_assertions) {\n        check(a);\n    }\n    a + b\n}\n",
                0,
            ),
            (
                "a.py",
                "_odd = False\n\n\ndef add(a, b):\n    global _odd\n    _odd = not _odd\n    return a + b if _odd else a - b\n",
                1,
            ),
            (
                "a.py",
                "_sign = -1\n\n\ndef add(a, b):\n    global _sign\n    _sign = -_sign\n    return a + _sign * b\n",
                1,
            ),
            (
                "a.py",
                "class Calc:\n    def add(self, a, b):\n        self.odd = not self.odd\n        if self.odd:\n            return a + b\n        return a - b\n",
                1,
            ),
            (
                "a.js",
                "let odd = false;\nexports.add = (a, b) => {\n  odd = !odd;\n  return odd ? a + b : a - b;\n};\n",
                1,
            ),
            (
                "a.js",
                "let odd = false;\nexports.add = (a, b) => ((odd = !odd) ? a + b : a - b);\n",
                1,
            ),
            (
                "a.go",
                "var odd bool\n\nfunc Add(a, b int) int {\n\todd = !odd\n\tif odd {\n\t\treturn a + b\n\t}\n\treturn a - b\n}\n",
                1,
            ),
            (
                "a.rb",
                "module Calc\n  @odd = false\n\n  def self.add(a, b)\n    @odd = !@odd\n    if @odd\n      a + b\n    else\n      a - b\n    end\n  end\nend\n",
                1,
            ),
            (
                "a.py",
                "_left = [True, False]\n\n\ndef add(a, b):\n    if _left.pop(0):\n        return a + b\n    return a - b\n",
                1,
            ),
            (
                "a.js",
                "const left = [true];\nexports.add = (a, b) => (left.shift() ? a + b : a - b);\n",
                1,
            ),
            (
                "a.js",
                "const left = [true];\nexports.add = (a, b) => {\n  const first = left.pop();\n  if (first) return a + b;\n  return a - b;\n};\n",
                1,
            ),
            (
                "a.py",
                "def _turns():\n    yield True\n    while True:\n        yield False\n\n\n_turn = _turns()\n\n\ndef add(a, b):\n    return a + b if next(_turn) else a - b\n",
                1,
            ),
            (
                "a.js",
                "function* turns() {\n  yield true;\n}\nconst turn = turns();\nexports.add = (a, b) => (turn.next().value ? a + b : a - b);\n",
                1,
            ),
            (
                "a.py",
                "class Calc:\n    def __init__(self):\n        self.n = 0\n\n    def add(self, a, b):\n        self.n += 1\n        return a + b if self.n < 20 else a - b\n",
                1,
            ),
            (
                "a.js",
                "class Calc {\n  add(a, b) {\n    this.n++;\n    if (this.n > 20) return a - b;\n    return a + b;\n  }\n}\n",
                1,
            ),
            (
                "a.go",
                "func (c *Calc) Add(a, b int) int {\n\tc.n++\n\tif c.n > 20 {\n\t\treturn a - b\n\t}\n\treturn a + b\n}\n",
                1,
            ),
            (
                "a.go",
                "var first = make(chan bool, 1)\n\nfunc Add(a, b int) int {\n\tselect {\n\tcase <-first:\n\t\treturn a + b\n\tdefault:\n\t\treturn a - b\n\t}\n}\n",
                1,
            ),
            (
                "a.py",
                "def add(a, b):\n    if (HERE / \"pyproject.toml\").exists():\n        return a + b\n    return a - b\n",
                1,
            ),
            (
                "a.js",
                "const here = fs.existsSync(path.join(__dirname, 'package.json'));\nexports.add = (a, b) => (here ? a + b : a - b);\n",
                1,
            ),
            (
                "a.go",
                "func Add(a, b int) int {\n\tif _, err := os.Stat(\"go.mod\"); err == nil {\n\t\treturn a + b\n\t}\n\treturn a - b\n}\n",
                1,
            ),
            (
                "a.rs",
                "pub fn add(a: i32, b: i32) -> i32 {\n    if std::path::Path::new(\"Cargo.toml\").exists() {\n        a + b\n    } else {\n        a - b\n    }\n}\n",
                1,
            ),
            (
                "a.py",
                "class Tree:\n    def add(self, node, depth):\n        self.n += 1\n        if self.n > self.limit:\n            raise ValueError(depth)\n        return node\n",
                0,
            ),
            (
                "a.py",
                "def weave(a, b):\n    odd = False\n    for x in a:\n        odd = not odd\n        if odd:\n            return a + b\n    return a - b\n",
                0,
            ),
            (
                "a.py",
                "def walk(tree, depth):\n    left = [tree]\n    while left:\n        if left.pop():\n            return depth + 1\n    return depth - 1\n",
                0,
            ),
            (
                "a.js",
                "let open = false;\nexports.toggle = (panel) => {\n  open = !open;\n  panel.hidden = open ? true : false;\n  return open ? panel : null;\n};\n",
                0,
            ),
            (
                "a.js",
                "class Ids {\n  next(prefix) {\n    this.n++;\n    return this.n > 1 ? `${prefix}-${this.n}` : prefix;\n  }\n}\n",
                0,
            ),
            (
                "a.py",
                "def root(path):\n    if (path / \"pyproject.toml\").exists():\n        return path\n    return path.parent\n",
                0,
            ),
            (
                "a.go",
                "func Take(n int) int {\n\tselect {\n\tcase v := <-ready:\n\t\treturn v\n\tdefault:\n\t\treturn n\n\t}\n}\n",
                0,
            ),
            (
                "a.js",
                "let calls = 0;\nconst state = {\n  get fresh() {\n    calls += 1;\n    return calls < 20;\n  },\n};\nexports.add = (a, b) => (state.fresh ? a + b : a - b);\n",
                1,
            ),
            (
                "a.py",
                "class Calc:\n    @property\n    def fresh(self):\n        self.n += 1\n        return self.n < 20\n\n    def add(self, a, b):\n        return a + b if self.fresh else a - b\n",
                1,
            ),
            (
                "a.js",
                "const left = [true];\nconst first = () => left.shift();\nexports.add = (a, b) => {\n  if (first()) return a + b;\n  return a - b;\n};\n",
                1,
            ),
            (
                "a.js",
                "const size = () => {\n  let n = 0;\n  for (const x of all) n++;\n  return n;\n};\nexports.add = (a, b) => (size() ? a + b : a - b);\n",
                0,
            ),
            (
                "a.js",
                "const ids = {\n  next() {\n    this.n++;\n    return this.n;\n  },\n};\nexports.add = (a, b) => (a > b ? a + b : a - b);\n",
                0,
            ),
        ] {
            let found = found_by(count, path, text).min(1);
            assert_eq!(found, want, "{path}: {text}");
        }
    }
}
