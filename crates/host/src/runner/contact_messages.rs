//! What the two ends say to each other, as JSON. Keys may be added; what one side does not know it leaves alone.

use crate::process::{ProcessEnd, SinkStop};
use gatewalk_core::agents::ToolServer;
use gatewalk_core::engine::evidence::one_line;
use gatewalk_core::engine::secrets;
use gatewalk_core::object_id::ObjectId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::time::Duration;

/// The most letters of a line that a command printed.
const LINE: usize = 200;

/// What a contact is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ContactTask {
    /// A session.
    Session,
    /// Judging, step by step.
    Judge,
    /// What the machine is like.
    Report,
    /// Processes that stay, to see what a killed connection leaves.
    Linger,
}

/// The first words of home.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct HomeHello {
    pub(crate) protocol: u32,
    /// This program's version.
    pub(crate) version: String,
    pub(crate) task: ContactTask,
    /// Names the repository, the same on every contact.
    pub(crate) repository: String,
    /// `sha1` or `sha256`.
    pub(crate) object_format: String,
    /// How long either side may be silent.
    pub(crate) lease_ms: u64,
    /// Whether files of git-lfs go along with a pack that has their pointers.
    #[serde(default)]
    pub(crate) large_files: bool,
}

/// The commits that a far end keeps, and that home hears of.
pub(crate) const MOST_COMMITS: usize = 64;

/// The first words of the far end.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct FarHello {
    pub(crate) protocol: u32,
    pub(crate) version: String,
    /// The name of its machine.
    pub(crate) host: String,
    /// Commits it has, with all they need; the newest first.
    pub(crate) have: Vec<ObjectId>,
    /// Leftovers of earlier contacts that it ended.
    pub(crate) ended: usize,
    /// Files of git-lfs that it has, by the SHA-256 of their content.
    #[serde(default)]
    pub(crate) large_files: BTreeSet<String>,
}

impl FarHello {
    /// Returns the first words of this machine.
    pub(crate) fn here(have: Vec<ObjectId>, ended: usize) -> FarHello {
        FarHello {
            protocol: super::frames::PROTOCOL,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            host: crate::lock::Holder::this("", "").host,
            have,
            ended,
            large_files: BTreeSet::new(),
        }
    }
}

/// A project's set-up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SetupRequest {
    /// The tree the work starts from.
    pub(crate) base: ObjectId,
    /// What `sh -c` is given.
    pub(crate) shell: String,
    /// The state directory.
    pub(crate) state_dir: String,
}

/// An agent of the user's own, without the values of variables.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct SentAgent {
    pub(crate) name: String,
    pub(crate) adapter: String,
    pub(crate) argv: Vec<String>,
    pub(crate) args: Vec<String>,
    pub(crate) model: Option<String>,
    /// `stdin`, `argument` or `file`.
    pub(crate) prompt: String,
    pub(crate) env: Vec<String>,
    #[serde(default)]
    pub(crate) tool_servers: Vec<ToolServer>,
}

/// A session to run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct SessionRequest {
    pub(crate) unit: String,
    pub(crate) nth: u32,
    pub(crate) number: u32,
    pub(crate) agent: String,
    pub(crate) by_user: bool,
    /// What the agent's name means at home, where that is the user's own.
    pub(crate) defined: Option<SentAgent>,
    pub(crate) prompt: String,
    pub(crate) model: Option<String>,
    pub(crate) effort: Option<String>,
    pub(crate) timeout_ms: u64,
    pub(crate) idle_timeout_ms: u64,
    pub(crate) unsandboxed: bool,
    /// `auto`, `require` or `off`.
    pub(crate) sandbox: String,
    pub(crate) commit: ObjectId,
    pub(crate) tree: ObjectId,
    pub(crate) branch: String,
    pub(crate) setup: Option<SetupRequest>,
    /// The user's own rules of ignored files.
    pub(crate) excludes: String,
    /// Variables that the user named for this runner.
    pub(crate) variables: Vec<(String, String)>,
    /// The files of git-lfs that the tree needs and home has, by the SHA-256 of their content.
    #[serde(default)]
    pub(crate) large_files: BTreeSet<String>,
}

/// Why home asks a session to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct EndRequest {
    /// None where the user stops the run.
    pub(crate) reason: Option<SinkStop>,
}

/// What a session left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LeftTree {
    pub(crate) tree: ObjectId,
    pub(crate) history_ok: bool,
    pub(crate) notes: Vec<String>,
}

/// How a session's process ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SessionEnded {
    pub(crate) ended: ProcessEnd,
    pub(crate) duration_ms: u64,
    pub(crate) stdout_bytes: u64,
    pub(crate) stderr_bytes: u64,
    /// Its last bytes, as text.
    pub(crate) stderr_tail: String,
    pub(crate) strays: usize,
    pub(crate) survivors: usize,
    /// What confined it.
    pub(crate) isolation: String,
    /// What was seen outside its slot.
    pub(crate) notes: Vec<String>,
    /// How many minutes east of Greenwich its machine's clocks are: by them agents say when a limit ends.
    #[serde(default)]
    pub(crate) zone_minutes: Option<i32>,
}

/// The most notes of a far end that go on record.
pub(crate) const NOTES: usize = 20;
/// The most of each, in letters.
const NOTE: usize = 500;
/// The most that is kept of what a session printed last.
const STDERR: usize = 64 * 1024;
/// No zone is further from Greenwich, in minutes.
const FARTHEST_ZONE: i32 = 14 * 60;
/// The longest name of what confines.
const WORD: usize = 40;

/// Returns what another machine wrote as one line that is worth reading.
pub(crate) fn bounded_text(text: &str) -> String {
    one_line(&text.chars().take(NOTE).collect::<String>())
}

fn bounded(notes: &mut Vec<String>) {
    notes.truncate(NOTES);
    for note in notes {
        *note = note.chars().take(NOTE).collect();
    }
}

impl LeftTree {
    /// Returns the same with no more notes than are worth keeping: another machine wrote them.
    #[must_use]
    pub(crate) fn bounded(mut self) -> LeftTree {
        bounded(&mut self.notes);
        self
    }
}

impl SessionEnded {
    /// Returns the same with no more than is worth keeping, and no longer than home saw it run.
    #[must_use]
    pub(crate) fn bounded(mut self, seen: Duration) -> SessionEnded {
        bounded(&mut self.notes);
        let seen = u64::try_from(seen.as_millis()).unwrap_or(u64::MAX);
        self.duration_ms = self.duration_ms.min(seen);
        self.isolation = self.isolation.chars().take(WORD).collect();
        let known = |minutes: &i32| (-FARTHEST_ZONE..=FARTHEST_ZONE).contains(minutes);
        self.zone_minutes = self.zone_minutes.filter(known);
        let over = self.stderr_tail.len().saturating_sub(STDERR);
        let from =
            (over..=self.stderr_tail.len()).find(|at| self.stderr_tail.is_char_boundary(*at));
        self.stderr_tail.drain(..from.unwrap_or_default());
        self
    }
}

/// Why it cannot be done there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FarFailure {
    pub(crate) message: String,
    pub(crate) hints: Vec<String>,
    /// Whether only a user can mend it.
    #[serde(default)]
    pub(crate) lasting: bool,
}

/// An agent's program on a runner.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FarAgent {
    /// The adapter's name.
    pub name: String,
    /// The program's version, where its package says so.
    pub version: Option<String>,
    /// Whether a login file was found.
    pub login: bool,
}

/// What a far end knows of its machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FarReport {
    /// This program's version there.
    pub version: String,
    /// The name of the machine.
    pub host: String,
    /// Git's version, where there is git.
    pub git: Option<String>,
    /// What confines sessions: `bubblewrap`, `landlock` or `none`.
    pub isolation: String,
    /// Why nothing does.
    pub why_unconfined: Option<String>,
    /// The agents whose programs are there.
    pub agents: Vec<FarAgent>,
    /// Where it keeps what it keeps.
    pub cache: String,
    /// Why nothing can be kept there.
    #[serde(default)]
    pub why_no_cache: Option<String>,
    /// Whether it has the environment that its command was started with at home.
    #[serde(default)]
    pub has_homes_environment: bool,
    /// Processes of a probe that were still alive; they are ended.
    pub(crate) survivors: usize,
    /// Its clock, in milliseconds since 1970.
    pub(crate) time_ms: i64,
}

/// Returns a line that a command printed as it is shown.
pub(crate) fn shown(line: &str) -> String {
    let line = secrets::redact(line);
    let line: String = line.chars().take(LINE).collect();
    bounded_text(line.trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_another_machine_reports_is_bounded() {
        let ended = SessionEnded {
            ended: ProcessEnd::Exited(0),
            duration_ms: u64::MAX,
            stdout_bytes: 0,
            stderr_bytes: 0,
            stderr_tail: "é".repeat(STDERR),
            strays: 0,
            survivors: 0,
            isolation: "b".repeat(1000),
            notes: vec!["n".repeat(10_000); 100],
            zone_minutes: Some(i32::MAX),
        };
        let ended = ended.bounded(Duration::from_secs(3));
        assert_eq!(ended.duration_ms, 3000, "home's own clock");
        assert_eq!(ended.stderr_tail.len(), STDERR);
        assert_eq!(ended.isolation.len(), WORD);
        assert_eq!(ended.zone_minutes, None, "there is no such zone");
        assert_eq!(ended.notes, vec!["n".repeat(NOTE); NOTES]);
        let short = SessionEnded {
            duration_ms: 7,
            stderr_tail: "last".to_owned(),
            zone_minutes: Some(-720),
            ..ended
        };
        let short = short.bounded(Duration::from_secs(3));
        assert_eq!((short.duration_ms, &*short.stderr_tail), (7, "last"));
        assert_eq!(short.zone_minutes, Some(-720));
        let left = LeftTree {
            tree: gatewalk_core::object_id::ObjectId::parse(&[b'1'; 40]).unwrap(),
            history_ok: true,
            notes: vec!["n".to_owned(); 30],
        };
        assert_eq!(left.bounded().notes.len(), NOTES);
    }
}
