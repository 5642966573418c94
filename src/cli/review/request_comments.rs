//! Comments on the request of a gate, taken over as drafts.

use super::review_request::GateRequest;
use super::review_request::counted_comments;
use crate::cli::comment;
use gatewalk_core::engine::gate_request;
use gatewalk_core::engine::review_comments::{self, LineComment};
use gatewalk_core::error::Result;
use serde_json::Value;

impl GateRequest<'_> {
    /// Writes the comments on lines that are not there yet into the units whose work they are about; returns how many.
    pub(super) fn take_comments(&mut self, number: u64, closed: bool) -> Result<usize> {
        let path = format!("repos/{{owner}}/{{repo}}/pulls/{number}/comments");
        let (mut found, others) =
            gate_request::comments(&self.rows(&["api", &path, "--paginate"])?);
        found.extend(self.remarks(number, closed));
        let out = &self.context.out;
        if others > 0 {
            out.note(format!(
                "{} by people who may not write here: no session reads them",
                counted_comments(others)
            ));
        }
        let mut taken = 0;
        for new in found {
            // Two comments may join one draft, which the first of them makes.
            self.opened.look_again()?;
            if self.is_known(&new) {
                continue;
            }
            let Some(unit) = self.unit_of(&new.path, number)? else {
                out.note(format!(
                    "no unit of the gate changed `{}`, so its comment reaches nobody",
                    new.path
                ));
                continue;
            };
            comment::write(self.context, &mut self.opened, &unit, new)?;
            taken += 1;
        }
        Ok(taken)
    }

    /// Returns what was remarked on no line. What cannot be read is reported: the rest is worth having without it.
    fn remarks(&self, number: u64, closed: bool) -> Vec<LineComment> {
        let shown = number.to_string();
        let args = ["pr", "view", &shown, "--json", "comments,reviews"];
        let read = self.call("gh", &args, "").ok();
        match read.and_then(|text| serde_json::from_str::<Value>(&text).ok()) {
            Some(shown) => gate_request::remarks(&shown, number, closed),
            None => {
                self.context.out.note(format!(
                    "what stands on no line of pull request {number} could not be read: gh {}",
                    args.join(" ")
                ));
                vec![]
            }
        }
    }

    fn is_known(&self, new: &LineComment) -> bool {
        let units = self.opened.feature().members().filter_map(|m| m.unit);
        let mut all = units.flat_map(|unit| review_comments::of_text(&unit.doc.text).comments);
        all.any(|old| old.path == new.path && old.line == new.line && old.text == new.text)
    }

    /// Returns the last unit of the feature whose landed work touched a file; the last that is no closing one for what stands
    /// on the request itself.
    fn unit_of(&self, path: &str, number: u64) -> Result<Option<String>> {
        let on_request = path == gate_request::request_name(number);
        let attempts = self.opened.attempts()?;
        let touched = |id: &str| {
            let last = attempts.charged.get(id).and_then(|all| all.last());
            let judged = last.and_then(|a| a.judgement.as_ref());
            judged.is_some_and(|j| {
                let mut files = j.files_touched.iter();
                j.passed() && files.any(|file| on_request || file == path)
            })
        };
        let members = self.opened.feature().members();
        let meant = members.filter(|m| !(on_request && m.unit_type().is_closing()));
        let mut units: Vec<_> = meant.map(|m| m.id().to_owned()).collect();
        units.retain(|id| touched(id));
        Ok(units.pop())
    }
}
