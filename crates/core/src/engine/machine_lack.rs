//! What a command printed where its machine lacks something that it needs: a program, a library, a service, room.
//!
//! Work may fail with the same words. So they prove nothing by themselves: who has another machine asks there.

use super::command_end::CommandEnd;
use crate::pattern::TextPattern;

/// What a shell ends with where it finds no program, and where what it finds cannot be run.
const NOT_FOUND: [i32; 2] = [127, 126];
/// The most letters of a line.
const LINE: usize = 160;

/// Words of shells, loaders, tools and systems.
static LACKS: TextPattern = TextPattern::new(
    r"(?xmi)
    command\ not\ found | :\ not\ found$ | \bError\ 12[67]\b | executable\ file\ not\ found | is\ not\ recognized\ as |
    \benv:\ .*No\ such\ file | bad\ interpreter | exec\ format\ error | \bspawn\ \S+\ ENOENT |
    FileNotFoundError:.*directory:\ '[^/']+' | error:\ no\ such\ (?:sub)?command |
    no\ module\ named | cannot\ find\ (?:module|package) | cannot\ load\ such\ file | can't\ locate\ \S+\ in\ @INC |
    no\ package\ called | could\ not\ find\ \S+\ in\ locally\ installed |
    loading\ shared\ libraries | `?(?:GLIBC|GLIBCXX)_[\d.]+'\ not\ found | cannot\ find\ -l | linker\ .*not\ found |
    fatal\ error:\ .*no\ such\ file | toolchain\ .*is\ not\ installed | unsupportedclassversion |
    could\ not\ find\ or\ load\ main\ class | executable\ doesn't\ exist |
    cannot\ connect\ to\ the\ docker\ daemon | connection\ refused | ECONNREFUSED | could\ not\ resolve\ host |
    name\ or\ service\ not\ known | temporary\ failure\ in\ name\ resolution |
    no\ space\ left\ on\ device | disk\ quota\ exceeded | cannot\ allocate\ memory | read-only\ file\ system",
);

/// Returns the line by which a command's machine may lack something; nothing where its end says nothing of the kind.
pub fn line_of(end: &CommandEnd, printed: &str) -> Option<String> {
    let CommandEnd::Exited(code) = end else {
        return None;
    };
    if *code == 0 {
        return None;
    }
    let mut lines = printed.lines().map(str::trim);
    match lines.find(|line| LACKS.is_match(line)) {
        Some(line) => Some(bounded(line)),
        None if NOT_FOUND.contains(code) => Some(last_line(printed, *code)),
        None => None,
    }
}

/// Returns the last line that a command printed, or what it ended with.
pub fn last_line(printed: &str, code: i32) -> String {
    let mut lines = printed.lines().map(str::trim);
    let last = lines.rfind(|line| !line.is_empty());
    last.map_or_else(|| format!("exit {code}"), bounded)
}

fn bounded(line: &str) -> String {
    line.chars().take(LINE).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_tells_what_a_machine_may_lack() {
        for (code, printed, want) in [
            (
                127,
                "sh: 1: pytest: not found\n",
                "sh: 1: pytest: not found",
            ),
            (127, "", "exit 127"),
            (
                126,
                "a\nsh: ./x: Permission denied\n\n",
                "sh: ./x: Permission denied",
            ),
            (
                2,
                "bash: line 1: tox: command not found\nlater\n",
                "bash: line 1: tox: command not found",
            ),
            (
                2,
                "x\nmake: *** [Makefile:2: test] Error 127\n",
                "make: *** [Makefile:2: test] Error 127",
            ),
            (2, "make: *** [Makefile:2: test] Error 1\n", ""),
            (
                1,
                "/usr/bin/env: 'node': No such file or directory\n",
                "/usr/bin/env: 'node': No such file or directory",
            ),
            (
                1,
                "exec: \"go\": executable file not found in $PATH",
                "exec: \"go\": executable file not found in $PATH",
            ),
            (1, "Error: spawn tsc ENOENT", "Error: spawn tsc ENOENT"),
            (
                1,
                "FileNotFoundError: [Errno 2] No such file or directory: 'git'",
                "FileNotFoundError: [Errno 2] No such file or directory: 'git'",
            ),
            (
                1,
                "FileNotFoundError: [Errno 2] No such file or directory: 'src/a.py'",
                "",
            ),
            (
                101,
                "error: no such command: `nextest`",
                "error: no such command: `nextest`",
            ),
            (
                1,
                "/usr/bin/python3: No module named pytest",
                "/usr/bin/python3: No module named pytest",
            ),
            (
                127,
                "x: error while loading shared libraries: libpq.so.5: cannot open",
                "x: error while loading shared libraries: libpq.so.5: cannot open",
            ),
            (
                1,
                "x: /lib/libc.so.6: version `GLIBC_2.38' not found (required by x)",
                "x: /lib/libc.so.6: version `GLIBC_2.38' not found (required by x)",
            ),
            (
                1,
                "a.c:1:10: fatal error: zlib.h: No such file or directory",
                "a.c:1:10: fatal error: zlib.h: No such file or directory",
            ),
            (
                1,
                "Cannot connect to the Docker daemon at unix:///run/docker.sock.",
                "Cannot connect to the Docker daemon at unix:///run/docker.sock.",
            ),
            (
                1,
                "connect ECONNREFUSED 127.0.0.1:5432",
                "connect ECONNREFUSED 127.0.0.1:5432",
            ),
            (
                1,
                "cp: write error: No space left on device",
                "cp: write error: No space left on device",
            ),
            (0, "sh: 1: pytest: not found\n", ""),
            (1, "AssertionError: 1 != 2\n", ""),
            (1, "expected 'not found: 3'\n", ""),
            (1, "cat: T01.txt: No such file or directory\n", ""),
        ] {
            let line = line_of(&CommandEnd::Exited(code), printed);
            assert_eq!(
                line.as_deref().unwrap_or_default(),
                want,
                "{code} {printed}"
            );
        }
        assert_eq!(line_of(&CommandEnd::Cancelled, "x: not found"), None);
        let long = format!("{}: not found", "é".repeat(300));
        let line = line_of(&CommandEnd::Exited(1), &long).unwrap();
        assert_eq!(line.chars().count(), LINE);
    }
}
