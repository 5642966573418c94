//! A command whose build is thrown away after each verification: reported once, with the key that keeps it.

use super::Os;
use gatewalk_core::driver::ports::SlotId;
use gatewalk_core::error::Result;
use gatewalk_core::scaffold;
use std::time::Duration;

/// A command that takes longer makes it worth saying what its next run could keep.
const COSTLY: Duration = Duration::from_secs(30);

/// Where builds of common stacks leave what makes the next one short.
const BUILDS: &[&str] = &[
    "target",
    ".gradle",
    "build",
    ".build",
    "obj",
    "bin",
    "_build",
    "deps",
    "dist-newstyle",
    ".stack-work",
    ".dart_tool",
    ".zig-cache",
    "zig-cache",
    ".turbo",
    ".next",
    ".mypy_cache",
    "node_modules",
    ".venv",
    "venv",
    ".tox",
    ".nox",
    "vendor",
];

impl Os<'_> {
    /// Says once a run that a slow command's build is thrown away, and what keeping it would cost.
    pub(super) fn report_costly_command(
        &self,
        slot: SlotId,
        name: &str,
        took: Duration,
    ) -> Result<()> {
        if slot.is_session() || took < COSTLY {
            return Ok(());
        }
        let place = self.slot(slot)?;
        let there = |name: &str| place.dir().join(name).is_dir();
        if let Some(text) = costly(name, took, &there, &self.kept_in(slot)) {
            self.note_once_per_run("costly", &text);
        }
        Ok(())
    }
}

fn costly(
    name: &str,
    took: Duration,
    there: &dyn Fn(&str) -> bool,
    kept: &[String],
) -> Option<String> {
    let kept = kept.join("\n");
    let lost: Vec<&str> = BUILDS
        .iter()
        .copied()
        .filter(|build| there(build) && !scaffold::initial_files::ignored(&kept, build))
        .collect();
    let list = lost.join(", ");
    (!lost.is_empty()).then(|| {
        format!(
            "`{name}` took {} s, and what it built ({list}) goes before the next verification; `cache: [{list}]` in config.yml keeps it, and then what one attempt leaves there the next one is judged with",
            took.as_secs()
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_costly_build_that_is_thrown_away_is_named_with_the_key_that_keeps_it() {
        let rows: &[(&[&str], &[&str], Option<&str>)] = &[
            (&["src"], &[], None),
            (&["target"], &[], Some("cache: [target]")),
            (
                &["target", "node_modules"],
                &["/node_modules"],
                Some("cache: [target]"),
            ),
            (&["target"], &["target"], None),
            (&["target"], &["/target/"], None),
            (&[".gradle", "build"], &[], Some("cache: [.gradle, build]")),
        ];
        for (there, kept, want) in rows {
            let kept: Vec<String> = kept.iter().map(|k| (*k).to_owned()).collect();
            let text_shown = costly(
                "tests",
                Duration::from_secs(45),
                &|n| there.contains(&n),
                &kept,
            );
            let fits = match (&text_shown, want) {
                (Some(text_shown), Some(want)) => {
                    text_shown.contains(want) && text_shown.contains("45 s")
                }
                (text_shown, want) => text_shown.is_none() == want.is_none(),
            };
            assert!(fits, "{there:?} {kept:?}: {text_shown:?}");
        }
    }
}
