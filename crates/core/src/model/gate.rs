//! A gate: an ordered milestone of a feature.

use super::document::Document;
use super::frontmatter::{Note, front};
use super::status_machine::GateStatus;
use std::sync::Arc;

/// Keys that older drivers wrote; read, kept, never a finding.
pub const KEPT_KEYS: &[&str] = &["baseline", "feature_oracle_baseline"];

front! {
    /// The frontmatter of a `GATE-NN.md` file.
    pub struct GateFront keeps KEPT_KEYS => {
        /// The gate's number, as in PLAN.
        gate = "gate": u32 [Author required],
        /// Where it stands.
        status = "status": GateStatus [Author required],
        /// What all its units together may cost, in US dollars.
        cost_budget_usd = "cost_budget_usd": f64 [Author],
        /// A command added to every attempt of this gate.
        feature_oracle = "feature_oracle": String [Author],
        /// The model of its units that name none.
        model = "model": super::agent_entry::ModelName [Author],
        /// The effort of its units that name none.
        effort = "effort": super::agent_entry::Effort [Author],
    }
}

/// One gate as its file says it.
#[derive(Debug, Clone, PartialEq)]
pub struct Gate {
    /// Its file as parsed.
    pub doc: Document,
    /// Its frontmatter, each key as its type.
    pub front: Box<GateFront>,
    /// What did not fit.
    pub(crate) notes: Vec<Note>,
}

impl Gate {
    /// Reads a gate file; never fails.
    pub(crate) fn parse(path: Arc<str>, bytes: &[u8]) -> Gate {
        let doc = Document::parse(path, bytes);
        let mut notes = Vec::new();
        let front = doc.front.as_ref();
        let front = front.map(|front| Box::new(GateFront::read(&front.root, &mut notes)));
        let front = front.unwrap_or_default();
        Gate { doc, front, notes }
    }

    /// Returns its status; a file without a readable one is open.
    pub fn status(&self) -> GateStatus {
        self.front
            .status
            .as_ref()
            .map_or(GateStatus::Open, |s| s.value)
    }

    /// Returns what stands in place of a status, where it is none; empty where nothing does.
    pub fn unread_status(&self) -> Option<&str> {
        let is_read = self.front.status.is_some();
        (!is_read).then(|| self.doc.front_text("status"))
    }
}
