//! Words in a runner's command with which no far end can be heard: what they start runs elsewhere, or later, or without the
//! pipe. Such a command would be waited for as long as a queue.

use crate::path_names::file_name;

/// Options of `ssh` that take a value, in the same word or the next.
const SSH_VALUED: &str = "BbcDEeFIiJLlmOopPQRSWw";
/// Options of `ssh` with which it passes on no input or starts no command, and what they do.
const SSH_PIPELESS: &[(char, &str)] = &[
    ('N', "starts no command there"),
    ('f', "goes to the background"),
    ('n', "passes no input on"),
    ('W', "starts no command there"),
];
/// The same as settings, in lower case and without what stands between.
const SSH_SETTINGS: &[(&str, &str)] = &[
    ("sessiontype=none", "starts no command there"),
    ("forkafterauthentication=yes", "goes to the background"),
    ("stdinnull=yes", "passes no input on"),
];

/// Returns why a far end that a command starts could not be heard, and what to write; nothing where it could.
pub fn pipeless(command: &[String]) -> Option<String> {
    let words: Vec<&str> = command.iter().flat_map(|arg| arg.split(' ')).collect();
    words.iter().enumerate().find_map(|(at, word)| {
        let rest = &words[at + 1..];
        match file_name(word) {
            "ssh" => pipeless_ssh(rest),
            "sbatch" => Some(
                "`sbatch` runs a job later, without a pipe to it; `srun` takes the same options"
                    .to_owned(),
            ),
            "salloc" if !rest.contains(&"srun") => Some(
                "what `salloc` starts runs on this side of the job; `srun` takes the same options"
                    .to_owned(),
            ),
            _ => None,
        }
    })
}

/// Looks at the words behind `ssh`, up to what it runs: its options stand before the host, or right behind it.
fn pipeless_ssh(words: &[&str]) -> Option<String> {
    let mut words = words.iter();
    let mut has_host = false;
    while let Some(word) = words.next() {
        let Some(letters) = word.strip_prefix('-').filter(|word| !word.is_empty()) else {
            if std::mem::replace(&mut has_host, true) {
                return None;
            }
            continue;
        };
        for (at, letter) in letters.char_indices() {
            if let Some((_, does)) = SSH_PIPELESS.iter().find(|(own, _)| *own == letter) {
                return Some(format!("`ssh -{letter}` {does}: leave `-{letter}` out"));
            }
            if !SSH_VALUED.contains(letter) {
                continue;
            }
            let own = &letters[at + letter.len_utf8()..];
            let value = match own.is_empty() {
                true => words.next().copied().unwrap_or_default(),
                false => own,
            };
            if let Some(fault) = (letter == 'o').then(|| pipeless_setting(value)).flatten() {
                return Some(fault);
            }
            break;
        }
    }
    None
}

fn pipeless_setting(setting: &str) -> Option<String> {
    let plain = setting.to_ascii_lowercase();
    let (_, does) = SSH_SETTINGS.iter().find(|(own, _)| *own == plain)?;
    Some(format!("`ssh -o {setting}` {does}: leave it out"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_without_a_pipe_is_told_and_another_is_not_mistaken_for_one() {
        for (command, want) in [
            ("ssh|-N|big|{far}", Some("`ssh -N` starts no command")),
            ("ssh|-f|big|{far}", Some("`ssh -f` goes to the background")),
            ("/usr/bin/ssh|-n|big|{far}", Some("leave `-n` out")),
            ("ssh|big|-n|{far}", Some("`ssh -n` passes no input on")),
            ("ssh|-Tn|big|{far}", Some("`ssh -n`")),
            ("ssh|-p|22|-i|key|-N|big|{far}", Some("`ssh -N`")),
            ("ssh|-p22|-N|big|{far}", Some("`ssh -N`")),
            ("ssh|-W|big:22|hop", Some("`ssh -W`")),
            ("env|A=b|ssh|-N|big", Some("`ssh -N`")),
            ("sh|-c|exec ssh -n big '{far}'", Some("`ssh -n`")),
            (
                "ssh|-oStdinNull=yes|big|{far}",
                Some("`ssh -o StdinNull=yes` passes"),
            ),
            (
                "ssh|-o|SessionType=none|big",
                Some("starts no command there: leave it out"),
            ),
            ("ssh|-o|ForkAfterAuthentication=yes|big", Some("background")),
            ("sbatch|-n1", Some("`srun` takes the same options")),
            ("salloc|-n1", Some("on this side of the job")),
            ("salloc|-n1|srun", None),
            ("srun|-N|1|-n1", None),
            ("ssh|big|{far}", None),
            ("ssh|-T|-o|ServerAliveInterval=10|big|{far}", None),
            ("ssh|-o|StdinNull=no|big|{far}", None),
            // A value is no option, and what runs there has options of its own.
            ("ssh|-i|-N|big|{far}", None),
            ("ssh|-iNfn|big|{far}", None),
            ("ssh|-lnN|big|{far}", None),
            ("ssh|big|nice|-n|5|{far}", None),
            ("ssh|big|nice -n 5 {far}", None),
            ("ssh|login|srun -N 1 -n 1 {far}", None),
            ("podman|run|-v|/root/.ssh:/x|-n|box", None),
        ] {
            let words: Vec<String> = command.split('|').map(str::to_owned).collect();
            let told = pipeless(&words);
            assert_eq!(told.is_some(), want.is_some(), "{command}: {told:?}");
            let told = told.unwrap_or_default();
            assert!(told.contains(want.unwrap_or_default()), "{command}: {told}");
        }
    }
}
