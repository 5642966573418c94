//! The command line of a runner: placeholders filled by what a session asks for.

use super::oracle::shell_quote;
use crate::model::unit::Unit;
use crate::path_names::file_name;
use std::time::Duration;

/// The word by which the far end is asked to serve.
pub(crate) const FAR_END: &str = "far-end";

/// What a session asks of the machine it runs on; what is absent is the runner's own default.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Demand {
    /// How many processors.
    pub cpus: Option<u32>,
    /// How much memory, in megabytes.
    pub memory_mb: Option<u32>,
    /// The time an engine must grant, in minutes.
    pub minutes: Option<u32>,
    /// How many graphics processors.
    pub gpu: Option<u32>,
}

/// What a queueing engine must grant beyond a session's own limit: set-up, transfer, the end in order.
const MARGIN_MINUTES: u64 = 10;

impl Demand {
    /// Returns what a unit asks for.
    pub fn of(unit: &Unit) -> Demand {
        let asked = unit.front.resources.as_ref().map(|own| own.value.clone());
        let asked = asked.unwrap_or_default();
        Demand {
            cpus: asked.cpus.map(|n| n.value),
            memory_mb: asked.memory.map(|size| size.value.0),
            minutes: asked.minutes.map(|n| n.value),
            gpu: asked.gpu.map(|n| n.value),
        }
        .with_limit(unit.timeout())
    }

    /// Returns the same with the time that follows from a session's limit, where none was asked for.
    #[must_use]
    pub fn with_limit(self, timeout: Duration) -> Demand {
        let minutes = timeout.as_secs().div_ceil(60) + MARGIN_MINUTES;
        Demand {
            minutes: self.minutes.or(u32::try_from(minutes).ok()),
            ..self
        }
    }

    /// Returns the value of a placeholder; nothing where there is no such placeholder.
    fn value(&self, name: &str) -> Option<u32> {
        Some(match name {
            "cpus" => self.cpus.unwrap_or(1),
            "memory_mb" => self.memory_mb.unwrap_or(2048),
            "minutes" => self.minutes.unwrap_or(70),
            "gpu" => self.gpu.unwrap_or(0),
            _ => return None,
        })
    }
}

/// Fills a runner's command. `{far}` becomes the far end's command line as one argument, quoted for a shell as `ssh` and
/// `sh -c` want it; where no argument has it, its words follow the command's own, unless the command names the far end
/// itself.
pub fn fill(command: &[String], program: &str, demand: &Demand) -> Vec<String> {
    let far = [program.to_owned(), FAR_END.to_owned()];
    let takes = |arg: &String| arg.contains("{far}") || names_far_end(arg);
    fill_with(command, &far, (demand, takes))
}

/// Fills a runner's command with one that puts this program into its place there: it reads the program's `bytes` from
/// standard input, tries it, and prints its version. Nothing where the command names the far end itself.
pub fn fill_to_send(
    command: &[String],
    program: &str,
    bytes: u64,
    demand: &Demand,
) -> Option<Vec<String>> {
    let script = format!(
        "set -e; p={}; mkdir -p \"${{p%/*}}\"; n=$(mktemp \"$p.XXXXXX\"); trap 'rm -f \"$n\"' EXIT; cat >\"$n\"; \
         [ $(wc -c <\"$n\") -eq {bytes} ]; chmod 755 \"$n\"; \"$n\" --version </dev/null; mv -f \"$n\" \"$p\"",
        quote(program)
    );
    let words = ["sh".to_owned(), "-c".to_owned(), script];
    let own = command.iter().any(names_far_end);
    let takes = |arg: &String| arg.contains("{far}");
    (!own).then(|| fill_with(command, &words, (demand, takes)))
}

/// Returns whether an argument starts the far end by itself.
fn names_far_end(arg: &String) -> bool {
    arg == FAR_END || arg.ends_with(&format!(" {FAR_END}"))
}

fn fill_with(
    command: &[String],
    far: &[String],
    (demand, takes): (&Demand, impl Fn(&String) -> bool),
) -> Vec<String> {
    let quoted: Vec<String> = far.iter().map(|word| quote(word)).collect();
    let quoted = quoted.join(" ");
    let filled = command
        .iter()
        .map(|arg| fill_argument(arg, &quoted, demand));
    let mut filled: Vec<String> = filled.collect();
    if !command.iter().any(takes) {
        filled.extend(far.iter().cloned());
    }
    if is_ssh(&filled) {
        let options = ssh_options(&filled);
        filled.splice(1..1, options);
    }
    filled
}

fn is_ssh(filled: &[String]) -> bool {
    filled.first().is_some_and(|word| file_name(word) == "ssh")
}

/// Returns what `ssh` is started with where the command has no word of its own on it. It must not become the connection of
/// others, which would end with its session; one that is open already it may use. And it must not ask for a password or
/// about a key, in a window where there is no terminal: nobody may be there to answer.
fn ssh_options(filled: &[String]) -> Vec<String> {
    let chooses = |option: &str| {
        let named = |word: &String| word.to_ascii_lowercase().contains(option);
        filled.iter().any(named)
    };
    let carries = filled.iter().any(|word| word == "-M") || chooses("controlmaster");
    [
        (carries, "ControlMaster=no"),
        (chooses("batchmode"), "BatchMode=yes"),
    ]
    .into_iter()
    .filter(|(chosen, _)| !chosen)
    .flat_map(|(_, option)| ["-o".to_owned(), option.to_owned()])
    .collect()
}

/// Returns the placeholders of a command that nothing fills.
pub fn unknown_placeholders(command: &[String]) -> Vec<String> {
    let named = command.iter().flat_map(|arg| pieces(arg));
    let names = named.filter_map(|piece| match piece {
        LinePiece::Name(name) => Some(name),
        LinePiece::Text(_) => None,
    });
    let known = |name: &str| name == "far" || Demand::default().value(name).is_some();
    // Capitals are others' own, unless they spell one of ours.
    let ours = |name: &str| name.bytes().all(|b| !b.is_ascii_uppercase());
    let unknown = names.filter(|name| match ours(name) {
        true => !known(name),
        false => known(&name.to_ascii_lowercase()),
    });
    unknown.map(|name| format!("{{{name}}}")).collect()
}

/// A piece of an argument.
enum LinePiece<'a> {
    Text(&'a str),
    /// What stands in braces for a value.
    Name(&'a str),
}

/// Cuts an argument at its placeholders. A brace after a dollar sign is a shell's own.
fn pieces(arg: &str) -> Vec<LinePiece<'_>> {
    let is_name =
        |name: &str| !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphabetic() || b == b'_');
    let (mut pieces, mut text, mut at) = (Vec::new(), 0, 0);
    while let Some(open) = arg[at..].find('{').map(|found| at + found) {
        at = open + 1;
        let name = arg[at..].split_once('}').map(|(name, _)| name);
        let Some(name) = name.filter(|name| is_name(name) && !arg[..open].ends_with('$')) else {
            continue;
        };
        pieces.extend([LinePiece::Text(&arg[text..open]), LinePiece::Name(name)]);
        at += name.len() + 1;
        text = at;
    }
    pieces.push(LinePiece::Text(&arg[text..]));
    pieces
}

fn fill_argument(arg: &str, far: &str, demand: &Demand) -> String {
    let fill = |piece: LinePiece<'_>| match piece {
        LinePiece::Text(text) => text.to_owned(),
        LinePiece::Name("far") => far.to_owned(),
        LinePiece::Name(name) => match demand.value(name) {
            Some(value) => value.to_string(),
            None => format!("{{{name}}}"),
        },
    };
    pieces(arg).into_iter().map(fill).collect()
}

/// Quotes a word for a shell where it needs it: a tilde at its start stays the home directory.
fn quote(word: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"/._-+~@%:,=".contains(&b);
    match word.bytes().all(plain) {
        true => word.to_owned(),
        false => shell_quote(word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split('|').map(str::to_owned).collect()
    }

    #[test]
    fn placeholders_are_filled_and_the_far_end_is_named_once() {
        let demand = Demand {
            cpus: Some(4),
            memory_mb: Some(8000),
            minutes: Some(90),
            gpu: Some(1),
        };
        let rows = [
            (
                "ssh|big|{far}",
                "gatewalk",
                "ssh|-o|ControlMaster=no|-o|BatchMode=yes|big|gatewalk far-end",
            ),
            (
                "ssh|big|nice {far}",
                "/opt/my tools/gatewalk",
                "ssh|-o|ControlMaster=no|-o|BatchMode=yes|big|nice '/opt/my tools/gatewalk' far-end",
            ),
            (
                "/usr/bin/ssh|-oControlMaster=auto|big|{far}",
                "~/bin/gw",
                "/usr/bin/ssh|-o|BatchMode=yes|-oControlMaster=auto|big|~/bin/gw far-end",
            ),
            (
                "ssh|-M|-oBatchMode=no|big|{far}",
                "g",
                "ssh|-M|-oBatchMode=no|big|g far-end",
            ),
            ("srun", "gatewalk", "srun|gatewalk|far-end"),
            (
                "srun|--mem={memory_mb}M|-t{minutes}|-c|{cpus}|--gres=gpu:{gpu}",
                "/x/gatewalk",
                "srun|--mem=8000M|-t90|-c|4|--gres=gpu:1|/x/gatewalk|far-end",
            ),
            ("/x/gatewalk|far-end", "gatewalk", "/x/gatewalk|far-end"),
            (
                "sh|-c|/x/gatewalk far-end",
                "gatewalk",
                "sh|-c|/x/gatewalk far-end",
            ),
            ("k|-o={.status}", "g", "k|-o={.status}|g|far-end"),
            (
                "sh|-c|${cpus} {{cpus}} {gpu{cpus}|{far}{cpus}",
                "/{cpus}",
                "sh|-c|${cpus} {4} {gpu4|'/{cpus}' far-end4",
            ),
            ("x|{odd}é{cpus}", "g", "x|{odd}é4|g|far-end"),
        ];
        for (command, program, want) in rows {
            let filled = fill(&words(command), program, &demand);
            assert_eq!(filled, words(want), "{command}");
        }
    }

    #[test]
    fn what_is_not_asked_for_has_a_default_and_what_is_not_known_is_reported() {
        let filled = fill(
            &words("e|{cpus}|{memory_mb}|{minutes}|{gpu}"),
            "g",
            &Demand::default(),
        );
        assert_eq!(filled, words("e|1|2048|70|0|g|far-end"));
        let known = words("a{far}|{cpus}|{memory_mb}{minutes}|{gpu}|{A}|{}|{x");
        assert!(unknown_placeholders(&known).is_empty());
        let unknown = unknown_placeholders(&words("{mem}|{far}|--{user}|${home}|{ print }|{Far}"));
        assert_eq!(unknown, ["{mem}", "{user}", "{Far}"]);
    }

    #[test]
    fn what_sends_the_program_takes_the_far_ends_place() {
        let sent = |command: &str| fill_to_send(&words(command), "~/bin/g", 7, &Demand::default());
        let by_shell = sent("ssh|big|nice {far}").unwrap();
        assert_eq!(by_shell.len(), 7);
        assert!(by_shell[6].starts_with("nice sh -c 'set -e; p=~/bin/g; "));
        assert!(by_shell[6].contains(" -eq 7 ]"));
        let by_words = sent("srun|-c{cpus}").unwrap();
        assert_eq!(by_words[..4], words("srun|-c1|sh|-c"));
        assert!(by_words[4].starts_with("set -e; "));
        assert_eq!(sent("/x/gatewalk|far-end"), None);
    }

    #[test]
    fn a_session_asks_for_its_limit_and_a_margin() {
        let limit = |seconds| Demand::default().with_limit(Duration::from_secs(seconds));
        assert_eq!(limit(3600).minutes, Some(70));
        assert_eq!(limit(61).minutes, Some(12));
        let own = Demand {
            minutes: Some(5),
            ..Demand::default()
        };
        assert_eq!(own.with_limit(Duration::from_secs(3600)).minutes, Some(5));
    }
}
