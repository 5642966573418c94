//! A repository that is served: its state, asked of this program's own commands and kept until something changes.
//!
//! Everything a page shows is what a command prints with `--json`, so pages, terminals, coding agents and scripts share one
//! model. Each text in it is made harmless here, once, before anything renders it.

use gatewalk_core::engine::evidence::{is_plain, sanitize};
use gatewalk_core::error::{Error, Result};
use gatewalk_core::parallel::locked;
use gatewalk_host::own_program::{OwnOutput, OwnProgram, OwnRunTerms};
use gatewalk_host::repository_watch::{RepositoryLook, RepositoryWatch};
use gatewalk_host::state_repository::Repository;
use serde_json::Value;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A command that only reads leaves the processors to a run that is at work.
const READ_TERMS: OwnRunTerms = OwnRunTerms {
    limit: Duration::from_secs(60),
    yields: true,
};
/// A command by which a user decides.
const DECISION_TERMS: OwnRunTerms = OwnRunTerms {
    limit: Duration::from_secs(600),
    yields: false,
};
/// How old a look may be that a page relies on.
const FRESH: Duration = Duration::from_millis(150);
/// The most results that are kept.
const MOST_KEPT: usize = 48;
/// The most commands that run at once.
const MOST_AT_ONCE: usize = 4;

/// What a command printed while a repository stood as in a look.
type Kept = Arc<Mutex<Option<(RepositoryLook, Arc<Value>)>>>;

/// A repository whose pages are served, under a name of its own.
pub(crate) struct ServedRepository {
    /// Its name in addresses and headings.
    pub(crate) name: String,
    /// Where its commands run.
    pub(crate) directory: PathBuf,
    /// Where its driver keeps what it needs while it runs.
    pub(crate) state_dir: PathBuf,
    /// How many runs were started here.
    pub(super) runs: AtomicU32,
    /// How many commands that read printed nothing that can be shown.
    failures: AtomicU64,
    watch: RepositoryWatch,
    look: Mutex<Option<(Instant, RepositoryLook)>>,
    kept: Mutex<HashMap<String, Kept>>,
}

impl ServedRepository {
    /// Opens the repository of a directory.
    pub(crate) fn open(directory: &Path, taken: &[ServedRepository]) -> Result<ServedRepository> {
        let repository = Repository::open(directory)?;
        let root = repository.git.work_tree().to_path_buf();
        let own = root.file_name().map_or("repository".to_owned(), |name| {
            sanitize(&name.to_string_lossy())
        });
        let is_taken = |name: &String| taken.iter().any(|other| other.name == *name);
        let numbered = (2..).map(|n| format!("{own}-{n}"));
        let name = std::iter::once(own.clone())
            .chain(numbered)
            .find(|name| !is_taken(name));
        Ok(ServedRepository {
            name: name.unwrap_or(own),
            state_dir: repository.git.state_dir(),
            runs: AtomicU32::default(),
            failures: AtomicU64::default(),
            watch: RepositoryWatch::new(&repository),
            directory: root,
            look: Mutex::default(),
            kept: Mutex::default(),
        })
    }

    /// Looks whether anything changed; looks that follow one another closely are one.
    pub(super) fn look(&self) -> RepositoryLook {
        let mut last = locked(&self.look);
        if let Some((at, look)) = *last
            && at.elapsed() < FRESH
        {
            return look;
        }
        let look = self.watch.look();
        *last = Some((Instant::now(), look));
        look
    }

    /// Returns where the result of a command is kept.
    fn place_of(&self, words: &[&str]) -> Kept {
        let key = words.join("\0");
        let mut kept = locked(&self.kept);
        if kept.len() >= MOST_KEPT && !kept.contains_key(&key) {
            kept.clear();
        }
        Arc::clone(kept.entry(key).or_default())
    }

    /// Returns what a command prints as JSON where that is known as of now; runs nothing and waits for nobody who does.
    pub(super) fn known(&self, words: &[&str]) -> Option<Arc<Value>> {
        let look = self.look();
        let place = self.place_of(words);
        let known = place.try_lock().ok()?;
        let (at, value) = known.as_ref()?;
        (*at == look).then(|| Arc::clone(value))
    }

    /// Returns what a command prints as JSON. Who asks for the same at the same time waits for one answer.
    pub(crate) fn json(&self, program: &BoundedCommands, words: &[&str]) -> Result<Arc<Value>> {
        let look = self.look();
        let place = self.place_of(words);
        let mut known = locked(&place);
        if let Some((at, value)) = &*known
            && *at == look
        {
            return Ok(Arc::clone(value));
        }
        let read = self.read(program, words);
        let value = read.inspect_err(|_| {
            self.failures.fetch_add(1, Ordering::Relaxed);
        })?;
        *known = Some((look, Arc::clone(&value)));
        Ok(value)
    }

    /// Returns how often something could not be read so far.
    pub(super) fn failures(&self) -> u64 {
        self.failures.load(Ordering::Relaxed)
    }

    /// Runs a command that prints JSON.
    fn read(&self, program: &BoundedCommands, words: &[&str]) -> Result<Arc<Value>> {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let output = program.run(&self.directory, &words, READ_TERMS)?;
        if output.code != Some(0) {
            return Err(failed(&output));
        }
        let value: Value = serde_json::from_slice(&output.stdout).map_err(|e| {
            Error::environment(format!("`gatewalk {}` printed no JSON", words.join(" ")))
                .with_source(e)
        })?;
        Ok(Arc::new(harmless(value)))
    }

    /// Gets what commands print as JSON at the same time, so that asking for each afterwards takes no time. What fails says so
    /// when it is asked for.
    pub(super) fn fetch_together(&self, program: &BoundedCommands, commands: &[&[&str]]) {
        std::thread::scope(|scope| {
            for words in commands {
                scope.spawn(|| drop(self.json(program, words)));
            }
        });
    }

    /// Runs a command by which a user decides.
    pub(super) fn decide(&self, program: &BoundedCommands, words: &[String]) -> Result<OwnOutput> {
        let done = program.run(&self.directory, words, DECISION_TERMS);
        // What comes next must see what it did.
        self.look_anew();
        done
    }

    /// Has the next look be one of its own, however closely it follows another.
    pub(super) fn look_anew(&self) {
        locked(&self.look).take();
    }
}

/// Runs this program's commands, a few at once.
pub(crate) struct BoundedCommands {
    pub(crate) program: OwnProgram,
    free: Mutex<usize>,
    freed: Condvar,
}

impl BoundedCommands {
    /// Returns a runner of a program.
    pub(crate) fn new(program: OwnProgram) -> BoundedCommands {
        BoundedCommands {
            program,
            free: Mutex::new(MOST_AT_ONCE),
            freed: Condvar::new(),
        }
    }

    fn run(&self, directory: &Path, words: &[String], terms: OwnRunTerms) -> Result<OwnOutput> {
        let free = locked(&self.free);
        let wait = self.freed.wait_while(free, |free| *free == 0);
        *wait.unwrap_or_else(PoisonError::into_inner) -= 1;
        let done = self.program.run(directory, words, terms);
        *locked(&self.free) += 1;
        self.freed.notify_one();
        done
    }
}

/// Returns what a command that failed says, with its help as hints.
fn failed(output: &OwnOutput) -> Error {
    let mut lines = output.stderr.lines().map(sanitize);
    let first = lines.next().unwrap_or_default();
    let what = first.strip_prefix("error: ").unwrap_or(&first).to_owned();
    let mut error = Error::environment(what);
    for line in lines {
        let line = line.trim();
        error = error.hint(line.strip_prefix("help: ").unwrap_or(line));
    }
    error
}

/// Returns a value in which no text acts on who reads it.
fn harmless(value: Value) -> Value {
    match value {
        Value::String(text) if !is_plain(&text) => Value::String(sanitize(&text)),
        Value::Array(mut items) => {
            for item in &mut items {
                *item = harmless(item.take());
            }
            Value::Array(items)
        }
        Value::Object(mut entries) if entries.keys().all(|key| is_plain(key)) => {
            for value in entries.values_mut() {
                *value = harmless(value.take());
            }
            Value::Object(entries)
        }
        Value::Object(entries) => {
            let clean = |(key, value): (String, Value)| (sanitize(&key), harmless(value));
            Value::Object(entries.into_iter().map(clean).collect())
        }
        plain => plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn no_text_of_a_model_reorders_or_hides_what_is_read() {
        let given = json!({"a\u{202e}": ["x\u{1b}[2J", {"b": "plain\ttext\n"}], "n": 1});
        let clean = json!({"a\\u{202e}": ["x\\u{1b}[2J", {"b": "plain\ttext\n"}], "n": 1});
        assert_eq!(harmless(given), clean);
    }

    #[test]
    fn a_failure_is_its_first_line_and_its_help() {
        let error = failed(&OwnOutput {
            code: Some(2),
            stdout: vec![],
            stderr: "error: there is no unit `T9`\n  help: its units: T01\n".to_owned(),
        });
        assert_eq!(error.to_string(), "there is no unit `T9`");
        assert_eq!(error.hints, ["its units: T01"]);
    }
}
