//! Sources that others load, and that go to another directory as they are loaded: what tests look for beside them is not there any
//! more, and a loop over nothing says nothing.

use crate::pattern::TextPattern;

/// Returns how often a text goes to another directory as it is loaded, where it is there to be loaded: a program may go where it
/// likes.
pub(super) fn count(extension: &str, text: &str) -> usize {
    static OF_PYTHON: TextPattern = TextPattern::new(r"(?m)^os\.f?chdir\(([^\n]*)");
    static OF_SCRIPT: TextPattern = TextPattern::new(r"(?m)^process\.chdir\(([^\n]*)");
    static OF_RUBY: TextPattern = TextPattern::new(r"(?m)^Dir\.chdir\b([^\n]*)");
    static OF_SHELL: TextPattern =
        TextPattern::new(r"(?m)^(?:command[ \t]+|builtin[ \t]+)?(?:cd|pushd)(?:[ \t]([^\n]*))?$");
    static FUNCTION: TextPattern = TextPattern::new(
        r"(?m)^(?:async\s+def|def|class|function)\s|^[\w-]+\s*\(\)\s*\{|\bexports?\b",
    );
    let goes: &TextPattern = match extension {
        "py" => &OF_PYTHON,
        "js" | "mjs" | "cjs" | "ts" => &OF_SCRIPT,
        "rb" => &OF_RUBY,
        "sh" | "bash" | "ksh" | "zsh" => &OF_SHELL,
        _ => return 0,
    };
    let is_program = text.starts_with("#!")
        || ["__main__", "require.main", "$PROGRAM_NAME", "set -e", "$0"]
            .iter()
            .any(|word| text.contains(word));
    if is_program || !FUNCTION.is_match(text) {
        return 0;
    }
    // A block comes back by itself, and what goes to its own place is a program.
    let leaves = goes.captures_iter(text).filter(|found| {
        let place = found.get(1).map_or("", |place| place.as_str());
        let comes_back = extension == "rb" && (place.contains(" do") || place.contains('{'));
        !comes_back
            && !["__file__", "__dirname", "argv"]
                .iter()
                .any(|word| place.contains(word))
    });
    leaves.count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leaves_as_it_is_loaded_is_found() {
        for (extension, text, want) in [
            (
                "py",
                "os.chdir(tempfile.gettempdir())\n\n\ndef f():\n    pass\n",
                1,
            ),
            ("py", "def f():\n    os.chdir(at)\n", 0),
            ("py", "os.chdir(at)\n", 0),
            (
                "py",
                "os.chdir(os.path.dirname(__file__))\ndef f():\n    pass\n",
                0,
            ),
            (
                "py",
                "def f():\n    pass\n\n\nif __name__ == '__main__':\n    f()\nos.chdir(a)\n",
                0,
            ),
            ("js", "process.chdir('/tmp');\nexports.f = f;\n", 1),
            ("rb", "Dir.chdir(place) do\nend\ndef f\nend\n", 0),
            ("sh", "f() {\n  :\n}\ncd \"${TMPDIR:-/tmp}\"\n", 1),
            ("sh", "#!/bin/sh\nf() {\n  :\n}\ncd /tmp\n", 0),
            ("sh", "f() {\n  (cd a && pwd)\n}\n", 0),
            ("md", "cd /tmp\n", 0),
        ] {
            assert_eq!(count(extension, text), want, "{text}");
        }
    }
}
