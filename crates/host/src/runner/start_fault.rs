//! What only the user can mend where a runner's command ends before its far end has said a word: no later try would meet
//! anything else.

use super::start_words::LASTING;
use crate::runner_definition::RunnerDefinition;

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

impl FailedStart<'_> {
    /// Returns what the user can do; nothing where it may pass by itself.
    pub(super) fn remedy(&self) -> Option<String> {
        let printed = self.printed.to_lowercase();
        let said = |words: &str| printed.contains(words);
        let of_program = said(&self.program_name());
        let of_another_kind = said("exec format error") || said("cannot execute binary file");
        let absent = said("not found") || said("no such file or directory");
        if of_another_kind {
            return Some(
                "gatewalk there is built for another kind of machine: install one for it"
                    .to_owned(),
            );
        }
        if let Some(misread) = self.misread(&printed) {
            return Some(misread);
        }
        if let Some((_, remedy)) = LASTING.iter().find(|(words, _)| said(words)) {
            return Some((*remedy).to_owned());
        }
        match self.exit {
            NOT_FOUND if absent && self.names_far_end() => Some(
                "write `{far}` in `command` for the words that start gatewalk, and its place there as `program: ~/bin/gatewalk`"
                    .to_owned(),
            ),
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

    /// Returns what to write where the words that start the far end arrived as others than they were meant.
    fn misread(&self, printed: &str) -> Option<String> {
        let absent = printed.contains("not found") || printed.contains("no such file");
        let as_one = format!("{} far-end", self.runner.program).to_lowercase();
        if self.exit == NOT_FOUND && absent && printed.contains(&as_one) {
            return Some("a program was looked for whose name is the whole line: where no shell reads `{far}`, leave it out (its words follow by themselves), and do not quote it again".to_owned());
        }
        let usage = format!("usage: {} [options] <command>", self.program_name());
        let knows = !printed.contains("unrecognized subcommand 'far-end'");
        // The program runs, and was not told what to do, or something else.
        (knows && printed.contains(&usage)).then(|| "gatewalk runs there, but `far-end` was not its only argument: a shell behind another takes the words apart, so write `[ssh, big, \"bash -c '{far}'\"]`; `sh -c` takes `{far}`; other commands take the words by themselves".to_owned())
    }

    fn program_name(&self) -> String {
        let name = self.runner.program.rsplit('/').next();
        name.unwrap_or_default().to_lowercase()
    }

    /// Returns whether the command has words of its own for the far end.
    fn names_far_end(&self) -> bool {
        let mut words = self.runner.command.iter();
        words.any(|word| word.split(' ').any(|word| word == "far-end"))
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
                "nice: '~/bin/gw far-end': No such file or directory",
                "the whole line",
            ),
            (
                "gatewalk",
                2,
                "A driver\n\nUsage: gatewalk [OPTIONS] <COMMAND>\n\nPlan:",
                "bash -c '{far}'",
            ),
            (
                "~/bin/gw",
                2,
                "Usage: gw [OPTIONS] <COMMAND>",
                "bash -c '{far}'",
            ),
            (
                "gatewalk",
                2,
                "error: unrecognized subcommand '/usr/bin/gatewalk'\n\nUsage: gatewalk [OPTIONS] <COMMAND>",
                "not its only argument",
            ),
            (
                "gatewalk",
                1,
                "error: exec [POD] [COMMAND] is not supported anymore. Use exec [POD] -- [COMMAND] instead",
                "`--`",
            ),
            (
                "gatewalk",
                1,
                "Error from server (NotFound): pods \"dev\" not found",
                "a pod that runs",
            ),
            (
                "gatewalk",
                1,
                "Failed to connect to bus: No medium found",
                "leave `systemd-run` out",
            ),
            (
                "gatewalk",
                1,
                "sudo: a terminal is required to read the password; either use the -S option\nsudo: a password is required",
                "NOPASSWD",
            ),
            (
                "gatewalk",
                1,
                "sudo: unknown user ci",
                "a user that is there",
            ),
            (
                "gatewalk",
                1,
                "permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock",
                "the group `docker`",
            ),
            (
                "gatewalk",
                1,
                "Error response from daemon: container 5f is not running",
                "start the container",
            ),
            (
                "gatewalk",
                1,
                "srun: error: Unable to allocate resources: Invalid node name specified",
                "`sinfo`",
            ),
            (
                "gatewalk",
                1,
                "srun: error: Unable to allocate resources: Invalid feature specification",
                "sinfo -o %f",
            ),
            (
                "gatewalk",
                1,
                "srun: error: Unable to allocate resources: Requested reservation is invalid",
                "a reservation",
            ),
            (
                "gatewalk",
                255,
                "srun: error: Invalid --time specification",
                "mend that option",
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
                1,
                "srun: error: Unable to allocate resources: Job/step already completing or completed",
                "",
            ),
            (
                "gatewalk",
                1,
                "srun: error: Unable to allocate resources: Required partition not available (inactive or drain)",
                "",
            ),
            (
                "gatewalk",
                1,
                "srun: error: Unable to allocate resources: Requested nodes are busy",
                "",
            ),
            (
                "gatewalk",
                1,
                "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?",
                "",
            ),
            (
                "gatewalk",
                1,
                "The connection to the server localhost:8080 was refused - did you specify the right host or port?",
                "",
            ),
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

    #[test]
    fn words_that_arrive_as_one_or_that_name_gatewalk_themselves_are_told_by_the_command() {
        for (command, printed, want) in [
            (
                &["nice", "{far}"][..],
                "nice: '/x/gatewalk far-end': No such file or directory",
                "the whole line",
            ),
            (
                &["ssh", "big", "gatewalk far-end"],
                "bash: line 1: gatewalk: command not found",
                "write `{far}` in `command`",
            ),
            (
                &["ssh", "big", "{far}"],
                "bash: line 1: /x/gatewalk: No such file or directory",
                "--send",
            ),
        ] {
            let runner = RunnerDefinition {
                program: "/x/gatewalk".to_owned(),
                command: command.iter().map(|word| (*word).to_owned()).collect(),
                ..RunnerDefinition::named("big")
            };
            let start = FailedStart {
                runner: &runner,
                exit: NOT_FOUND,
                printed,
            };
            let remedy = start.remedy().unwrap_or_default();
            assert!(remedy.contains(want), "{printed}: {remedy}");
        }
    }
}
