//! What only the user can mend where a runner's command ends before its far end has said a word: no later try would meet
//! anything else.

use super::definition::RunnerDefinition;

/// What a command came to that did not reach its far end.
pub(super) struct FailedStart<'a> {
    pub(super) runner: &'a RunnerDefinition,
    pub(super) exit: i32,
    /// All that is kept of what it printed.
    pub(super) printed: &'a str,
}

/// What a shell ends with where it finds no program, and where what it finds cannot be run.
const NOT_FOUND: i32 = 127;
const NOT_RUN: i32 = 126;

/// Words by which `ssh` and engines say what no wait changes, and what does.
const LASTING: &[(&str, &str)] = &[
    (
        "host identification has changed",
        "the host shows another key than the one you know: ask whoever runs it whether that is right, then `ssh-keygen -R` its name and connect once by hand",
    ),
    (
        "host key verification failed",
        "connect once by hand and accept the host's key: nobody is asked here",
    ),
    (
        "permission denied (",
        "let the host accept a key that asks nothing (`ssh-add`, `-i`, `User`): nobody is asked for a password here",
    ),
    (
        "is not a tty",
        "start the command without a terminal (no `-t` or `--tty`)",
    ),
    (
        "unrecognized subcommand",
        "gatewalk there is older than runners are: install the same version as here",
    ),
    (
        "invalid account",
        "name an account and a partition that you may use",
    ),
    (
        "invalid partition",
        "name an account and a partition that you may use",
    ),
    ("invalid qos", "name a quality of service that you may use"),
    (
        "node configuration is not available",
        "no node has what the command and the unit's `resources` ask for: ask for less",
    ),
    (
        "can not be satisfied",
        "no node has what the command and the unit's `resources` ask for: ask for less",
    ),
    (
        "generic resource (gres) specification",
        "leave `--gres` out where there are no such devices",
    ),
    ("image not known", "pull or build the image first"),
    ("no such image", "pull or build the image first"),
    ("manifest unknown", "pull or build the image first"),
    ("pull access denied", "pull or build the image first"),
    ("no such container", "start the container first"),
];

impl FailedStart<'_> {
    /// Returns what the user can do; nothing where it may pass by itself.
    pub(super) fn remedy(&self) -> Option<String> {
        let printed = self.printed.to_lowercase();
        let said = |words: &str| printed.contains(words);
        let program = self.runner.program.rsplit('/').next().unwrap_or_default();
        let of_program = said(&program.to_lowercase());
        let of_another_kind = said("exec format error") || said("cannot execute binary file");
        let absent = said("not found") || said("no such file or directory");
        if of_another_kind {
            return Some(
                "gatewalk there is built for another kind of machine: install one for it"
                    .to_owned(),
            );
        }
        if let Some((_, remedy)) = LASTING.iter().find(|(words, _)| said(words)) {
            return Some((*remedy).to_owned());
        }
        match self.exit {
            _ if of_program && absent => Some(self.absent()),
            NOT_FOUND => Some("mend `command`: a program that it names is not there".to_owned()),
            NOT_RUN => Some("a program that `command` names may not be run there".to_owned()),
            0 => Some(
                "the command must start the far end, pass standard input on and stay until the end: no `-n`, `-f`, `-d`, `&` or `</dev/null` in it"
                    .to_owned(),
            ),
            _ => None,
        }
    }

    fn absent(&self) -> String {
        let RunnerDefinition { name, program, .. } = self.runner;
        match program.contains('/') {
            true => format!(
                "mend `program`, or put gatewalk there: gatewalk doctor --runner {name} --send"
            ),
            false => "it is not on the PATH of the command there: name its place, as `program: ~/bin/gatewalk`"
                .to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_wait_changes_comes_with_what_does() {
        for (program, exit, printed, want) in [
            (
                "gatewalk",
                127,
                "bash: line 1: gatewalk: command not found",
                "`program: ~/bin/gatewalk`",
            ),
            (
                "~/bin/gw",
                127,
                "sh: 1: /root/bin/gw: not found",
                "doctor --runner big --send",
            ),
            (
                "gatewalk",
                2,
                "srun: error: vm: task 0: Exited with exit code 2\nslurmstepd-vm: error: execve(): gatewalk: No such file or directory",
                "`program: ",
            ),
            (
                "gatewalk",
                127,
                "Error: crun: executable file `gatewalk` not found in $PATH: No such file or directory",
                "`program: ",
            ),
            (
                "gatewalk",
                127,
                "sh: 1: kubctl: not found",
                "mend `command`",
            ),
            (
                "gatewalk",
                126,
                "bash: /usr/bin/gatewalk: Permission denied",
                "may not be run",
            ),
            (
                "gatewalk",
                126,
                "bash: line 1: /x/gatewalk: cannot execute binary file: Exec format error",
                "another kind of machine",
            ),
            (
                "gatewalk",
                2,
                "error: unrecognized subcommand 'far-end'",
                "the same version",
            ),
            (
                "gatewalk",
                255,
                "@@@\n@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\nHost key for [h]:22 has changed and you have requested strict checking.\nHost key verification failed.",
                "ssh-keygen -R",
            ),
            (
                "gatewalk",
                255,
                "Host key verification failed.",
                "connect once by hand",
            ),
            (
                "gatewalk",
                255,
                "ada@big: Permission denied (publickey,password).",
                "ssh-add",
            ),
            (
                "gatewalk",
                1,
                "the input device is not a TTY",
                "without a terminal",
            ),
            (
                "gatewalk",
                1,
                "srun: error: Unable to allocate resources: Invalid account or account/partition combination specified",
                "an account",
            ),
            (
                "gatewalk",
                1,
                "srun: error: invalid partition specified: x",
                "a partition",
            ),
            (
                "gatewalk",
                1,
                "srun: error: Memory specification can not be satisfied",
                "ask for less",
            ),
            (
                "gatewalk",
                125,
                "Error: no-such-image: image not known",
                "pull or build",
            ),
            (
                "gatewalk",
                125,
                "Error response from daemon: No such container: dev",
                "start the container",
            ),
            ("gatewalk", 0, "Welcome\n", "no `-n`"),
            // What may pass by itself.
            (
                "gatewalk",
                255,
                "ssh: connect to host big port 22: Connection refused",
                "",
            ),
            (
                "gatewalk",
                255,
                "ssh: Could not resolve hostname big: Temporary failure in name resolution",
                "",
            ),
            (
                "gatewalk",
                255,
                "kex_exchange_identification: read: Connection reset by peer",
                "",
            ),
            (
                "gatewalk",
                1,
                "srun: error: Unable to allocate resources: Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)",
                "",
            ),
            (
                "gatewalk",
                1,
                "error: timed out waiting for the condition",
                "",
            ),
            (
                "gatewalk",
                125,
                "Error: pinging container registry r: connection refused",
                "",
            ),
        ] {
            let runner = RunnerDefinition {
                program: program.to_owned(),
                ..RunnerDefinition::named("big")
            };
            let start = FailedStart {
                runner: &runner,
                exit,
                printed,
            };
            let remedy = start.remedy();
            assert_eq!(remedy.is_none(), want.is_empty(), "{printed}: {remedy:?}");
            let remedy = remedy.unwrap_or_default();
            assert!(remedy.contains(want), "{printed}: {remedy}");
        }
    }
}
