//! The steps of wrapping a feature up, before anything is done.

use super::forge_requests::KnownRequest;
use super::{Wrap, open_step};
use gatewalk_core::exit::Exit;
use gatewalk_core::model::roadmap;
use serde_json::json;

/// The steps as they are shown before they are done.
pub(super) struct WrapSteps {
    pub(super) archive: Option<String>,
    pub(super) push: String,
    pub(super) open: String,
}

impl Wrap<'_> {
    pub(super) fn steps(&self) -> WrapSteps {
        let (args, branch) = (self.args, &self.selected.branch);
        WrapSteps {
            archive: self.archived().map(|_| {
                format!(
                    "archive the row of {} in the roadmap, one commit on `{branch}`",
                    self.selected.feature().name()
                )
            }),
            push: format!("git push {} {}", args.remote, self.pushed().join(" ")),
            open: self.open_step(None),
        }
    }

    /// Returns what opening does, as far as the forge was asked what it knows of each branch.
    pub(super) fn open_step(&self, known: Option<&[KnownRequest]>) -> String {
        let verb = open_step::verb(known, self.stack.len() + 1);
        let (branch, title) = (&self.selected.branch, &self.request.title);
        let base = self.args.base.as_deref().unwrap_or("its default branch");
        match self.stack.len() {
            0 => format!("{verb} of `{branch}` into {base}: {title}"),
            _ => format!("{verb} into {base}, each on the one before it: {title}"),
        }
    }

    pub(super) fn show(&self, steps: &WrapSteps) -> Exit {
        let out = &self.context.out;
        let mut would: Vec<&String> = steps.archive.iter().collect();
        let mut cannot = Vec::new();
        for (step, obstacle) in [
            (&steps.push, self.refuse_no_remote().err()),
            (&steps.open, self.refuse_no_gh().err()),
        ] {
            match obstacle {
                None => would.push(step),
                Some(error) => cannot.push((step, error)),
            }
        }
        if self.args.json {
            let name = self.selected.feature().name();
            let cannot = cannot
                .iter()
                .map(|(step, error)| json!({"step": step, "why": error.to_string()}));
            out.json(&json!({
                "feature": name, "branch": self.selected.branch, "would": would,
                "cannot": cannot.collect::<Vec<_>>(),
            }));
            return Exit::Success;
        }
        for step in would {
            out.line(format!("would {step}"));
        }
        for (step, error) in cannot {
            out.line(format!("cannot {step}: {}", error));
            error
                .hints
                .iter()
                .for_each(|hint| out.note(format!("  help: {hint}")));
        }
        out.note("nothing was done");
        Exit::Success
    }

    /// Returns the roadmap with the feature's row archived, unless it is already.
    pub(super) fn archived(&self) -> Option<String> {
        let roadmap = self.selected.workspace.roadmap.as_ref()?;
        let id = self.selected.feature().plan.id.as_ref()?;
        roadmap::archive(&String::from_utf8_lossy(roadmap), id.as_str())
    }
}
