//! Sources that others load, and that go to another directory as they are loaded: what tests look for beside them is not there any
//! more, and a loop over nothing says nothing.

use crate::pattern::TextPattern;

/// Returns how often a text goes to another directory as it is loaded, where it is there to be loaded: a program may go where it
/// likes.
pub(super) fn count(extension: &str, text: &str) -> usize {
    static OF_PYTHON: TextPattern = TextPattern::new(r"(?m)^(?:os\.)?f?chdir\(([^\n]*)");
    static OF_SCRIPT: TextPattern = TextPattern::new(r"(?m)^process\.chdir\(([^\n]*)");
    static OF_RUBY: TextPattern = TextPattern::new(r"(?m)^Dir\.chdir\b([^\n]*)");
    static OF_SHELL: TextPattern =
        TextPattern::new(r"(?m)^(?:command[ \t]+|builtin[ \t]+)?(?:cd|pushd)(?:[ \t]([^\n]*))?$");
    static FUNCTION: TextPattern =
        TextPattern::new(r"(?m)^(?:async\s+def|def|class|function)\s|^[\w-]+\s*\(\)\s*\{");
    static EXPORT: TextPattern = TextPattern::new(r"\bexports?\b");
    static CALL: TextPattern = TextPattern::new(r"(?m)^(?:sys\.exit\(\s*)?\w+\(\)\)?\s*$");
    static PLACE: TextPattern = TextPattern::new(
        r"(?m)^(?:(?:const|let|var)\s+)?(\w+)\s*=[^\n]*(?:__file__|__dirname|BASH_SOURCE)",
    );
    let goes: &TextPattern = match extension {
        "py" => &OF_PYTHON,
        "js" | "mjs" | "cjs" | "ts" => &OF_SCRIPT,
        "rb" => &OF_RUBY,
        "sh" | "bash" | "ksh" | "zsh" => &OF_SHELL,
        _ => return 0,
    };
    let remark = |line: &&str| line.trim_start().starts_with(['#', '/']);
    let is_code = |word: &str| {
        text.lines()
            .any(|line| line.contains(word) && !remark(&line))
    };
    let is_script = extension.starts_with(['j', 'm', 'c', 't']);
    let is_program = text.starts_with("#!")
        || extension == "py" && CALL.is_match(text)
        || ["__main__", "require.main", "$PROGRAM_NAME", "set -e", "$0"]
            .into_iter()
            .any(is_code);
    let is_library = FUNCTION.is_match(text) || is_script && EXPORT.is_match(text);
    if is_program || !is_library {
        return 0;
    }
    let own_places: Vec<String> = PLACE
        .captures_iter(text)
        .map(|found| found[1].to_owned())
        .collect();
    // A block comes back by itself, and what goes to its own place is a program.
    let leaves = goes.captures_iter(text).filter(|found| {
        let place = found.get(1).map_or("", |place| place.as_str());
        let comes_back = extension == "rb" && (place.contains(" do") || place.contains('{'));
        !comes_back
            && !["__file__", "__dirname", "argv", "BASH_SOURCE"]
                .into_iter()
                .chain(own_places.iter().map(String::as_str))
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
            ("sh", "# $0 of old\nf() {\n  :\n}\ncd /tmp\n", 1),
            ("sh", "export CC=clang\ncd build\ncmake ..\n", 0),
            (
                "sh",
                "cd \"$(dirname \"${BASH_SOURCE[0]}\")\"\nf() {\n  :\n}\n",
                0,
            ),
            (
                "py",
                "BASE = Path(__file__).parent\nos.chdir(BASE)\n\n\ndef f():\n    pass\n",
                0,
            ),
            ("py", "def main():\n    pass\n\n\nos.chdir(at)\nmain()\n", 0),
            (
                "py",
                "from os import chdir\nchdir(at)\ndef f():\n    pass\n",
                1,
            ),
            ("sh", "f() {\n  (cd a && pwd)\n}\n", 0),
            ("md", "cd /tmp\n", 0),
        ] {
            assert_eq!(count(extension, text), want, "{text}");
        }
    }
}
