//! `gatewalk clean`: what this program keeps on the disk, and giving back what nothing needs.
//!
//! Invariant: nothing that is not in git goes: an interrupted session's slot stays until a run has captured it.

use super::Context;
use super::attempts::prune;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::exit::Exit;
use gatewalk_host::lock::{DriverLock, Holder, LockError};
use gatewalk_host::os::disposable::{self, Disposable, DisposableKind};
use gatewalk_host::state_repository::Repository;
use serde_json::{Value, json};
use std::time::Duration;

/// How old logs are that go without being asked for.
const OLD_LOG: Duration = Duration::from_secs(30 * 24 * 60 * 60);

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  gatewalk clean --dry-run\n  gatewalk clean\n  gatewalk clean --older 90d"
)]
pub(crate) struct Args {
    /// Only show what would go
    #[arg(long)]
    dry_run: bool,
    /// Let go of logs this old, and of kept attempts of passed gates this old, all but each unit's newest
    #[arg(long, value_name = "TIME", value_parser = prune::time)]
    older: Option<Duration>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// One thing, and whether it goes.
struct Row {
    kind: &'static str,
    name: String,
    bytes: u64,
    /// Why it stays although it could be made again; none where it goes.
    kept: Option<&'static str>,
}

pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let repository = Repository::open(&context.cwd)?;
    // So that nothing is at work in what goes.
    let _lock = match args.dry_run {
        true => None,
        false => Some(lock(&repository)?),
    };
    let mut rows = Vec::new();
    for item in all(&repository, context)? {
        let kept = why_kept(&item, args.older);
        rows.push(Row {
            kind: item.kind.word(),
            name: item.path.display().to_string(),
            bytes: item.bytes(),
            kept,
        });
        if kept.is_none() && !args.dry_run {
            item.remove(&repository.git)?;
        }
    }
    if let Some(older) = args.older {
        let gone = prune::let_go(&repository, 1, older, args.dry_run)?;
        rows.extend(gone.into_iter().map(|name| Row {
            kind: "attempt",
            name,
            bytes: 0,
            kept: None,
        }));
    }
    show(args, context, &rows);
    Ok(Exit::Success)
}

fn lock(repository: &Repository) -> Result<DriverLock> {
    let started = jiff::Timestamp::now().to_string();
    let holder = Holder::this("clean", &started);
    let path = repository.git.state_dir().join("lock");
    DriverLock::acquire(&path, &holder).map_err(|error| match error {
        held @ LockError::Held(_) => {
            Error::from(held).hint("wait for it, or look only: gatewalk clean --dry-run")
        }
        other => Error::from(other),
    })
}

fn all(repository: &Repository, context: &Context) -> Result<Vec<Disposable>> {
    let host = context.host()?;
    let git = &repository.git;
    let mut all = disposable::leftovers(git, &host);
    all.extend(disposable::slots(git, &host)?);
    all.extend(disposable::logs(git));
    Ok(all)
}

/// Returns why something stays, if it does.
fn why_kept(item: &Disposable, older: Option<Duration>) -> Option<&'static str> {
    match item.kind {
        DisposableKind::Slot if item.in_use => {
            Some("an interrupted session is still in it; `gatewalk loop` keeps what it left")
        }
        DisposableKind::Log if item.idle < older.unwrap_or(OLD_LOG) => {
            Some("not old yet; `--older TIME` says what is")
        }
        _ => None,
    }
}

fn show(args: &Args, context: &Context, rows: &[Row]) {
    let sum = |kept: bool| {
        let rows = rows.iter().filter(|row| row.kept.is_some() == kept);
        rows.map(|row| row.bytes).sum::<u64>()
    };
    if args.json {
        let list = |kept: bool| -> Vec<Value> {
            let rows = rows.iter().filter(|row| row.kept.is_some() == kept);
            rows.map(Row::to_json).collect()
        };
        context.out.json(&json!({
            "dry_run": args.dry_run,
            "freed": list(false),
            "bytes_freed": sum(false),
            "kept": list(true),
            "bytes_kept": sum(true),
        }));
        return;
    }
    for row in rows {
        let what = match row.kept {
            Some(why) => format!("stays: {why}"),
            None if args.dry_run => "would go".to_owned(),
            None => "gone".to_owned(),
        };
        let size = size(row.bytes);
        context
            .out
            .line(format!("{:<8} {size:>9}  {}  ({what})", row.kind, row.name));
    }
    let verb = if args.dry_run {
        "would be freed"
    } else {
        "freed"
    };
    context.out.note(format!(
        "{} {verb}, {} in use",
        size(sum(false)),
        size(sum(true))
    ));
}

impl Row {
    fn to_json(&self) -> Value {
        let mut row = json!({"kind": self.kind, "path": self.name, "bytes": self.bytes});
        if let (Some(why), Some(row)) = (self.kept, row.as_object_mut()) {
            row.insert("why".to_owned(), why.into());
        }
        row
    }
}

/// Returns a size as people read it.
fn size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    let mut value = bytes as f64 / 1024.0;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    format!("{value:.1} {}", UNITS[unit])
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes_read_easily() {
        for (bytes, text) in [
            (0, "0.0 KiB"),
            (1536, "1.5 KiB"),
            (3 << 20, "3.0 MiB"),
            (5 << 40, "5.0 TiB"),
            (5000 << 40, "5000.0 TiB"),
        ] {
            assert_eq!(size(bytes), text);
        }
    }
}
