//! Functions of Python that are put in the place of those of a module.

use crate::pattern::TextPattern;
use regex::Regex;

/// Modules of Python that are imported whole, by the name they have here. Some are there to be set.
static IMPORTED: TextPattern = TextPattern::new(
    r"(?m)^\s*import\s+([\w.]+(?:\s+as\s+\w+)?(?:\s*,\s*[\w.]+(?:\s+as\s+\w+)?)*)\s*(?:#.*)?$",
);
const MEANT_TO_BE_SET: [&str; 4] = ["logging", "os", "sys", "warnings"];
/// Those of Python's own by which tests measure and choose: whatever is put there, it is not what they count on.
const COUNTED_ON: [&str; 3] = ["time", "datetime", "random"];

/// Returns how often a text puts a function of its own in the place of one of a module that it imports.
pub(super) fn count(text: &str) -> usize {
    let lists = IMPORTED
        .captures_iter(text)
        .map(|found| found[1].to_owned());
    let named = |one: &str| one.split_whitespace().last().map(str::to_owned);
    let imported = lists.flat_map(|list| list.split(',').filter_map(named).collect::<Vec<_>>());
    let others = imported.filter(|name| !MEANT_TO_BE_SET.contains(&name.as_str()));
    others
        .filter_map(|name| {
            let counted_on = COUNTED_ON.contains(&name.as_str());
            let name = regex::escape(&name);
            let set = format!(
                r"(?m)^\s*{name}(?:\.\w+)+\s*=\s*(\w+)|\bsetattr\(\s*{name}\s*,|\b(?:vars\(\s*{name}\s*\)|{name}\.__dict__)\s*\[[^\]\n]*\]\s*="
            );
            Some((counted_on, Regex::new(&set).ok()?))
        })
        .map(|(counted_on, set)| {
            let own = |value: &str| {
                counted_on || value == "lambda" || text.contains(&format!("def {value}("))
            };
            let found = set.captures_iter(text);
            found
                .filter(|found| found.get(1).is_none_or(|value| own(value.as_str())))
                .count()
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_in_the_place_of_a_function_is_found() {
        for (text, want) in [
            ("import time\ntime.perf_counter = time.process_time\n", 1),
            ("import calc\ncalc.add = lambda a, b: a\n", 1),
            ("import calc\ncalc.DEBUG = True\n", 0),
            ("import os, time as clock\nclock.sleep = f\n", 0),
            ("import os, time\ntime.sleep = f\n", 1),
            ("import time\nvars(time)['sleep'] = f\n", 1),
            ("import json\njson.encoder.FLOAT_REPR = fmt\n", 0),
            (
                "import json\ndef dumps(a):\n    pass\njson.dumps = dumps\n",
                1,
            ),
            ("import time\nstart = time.perf_counter()\n", 0),
            ("import random\nsource = random.Random(1)\n", 0),
        ] {
            assert_eq!(count(text), want, "{text}");
        }
    }
}
