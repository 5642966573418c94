//! The record of a branch about to move under the checkout, so that a crash on the way can be finished.

use super::Git;
use crate::crash;
use crate::files::fill_runtime;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectId;
use std::fs;
use std::path::PathBuf;

/// The record of a move that the checkout has yet to follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CheckoutIntent {
    pub(super) branch: String,
    pub(super) old: ObjectId,
    pub(super) new: ObjectId,
    /// An earlier move that did happen and was not followed either.
    pub(super) landed: Option<ObjectId>,
}

impl Git {
    fn intent_path(&self) -> PathBuf {
        self.state_dir().join("follow.json")
    }

    /// Records that `branch` is about to move, if it is checked out here.
    pub(super) fn intend_follow(
        &self,
        branch: &str,
        old: ObjectId,
        new: ObjectId,
    ) -> Result<Option<CheckoutIntent>> {
        if self.head_branch()?.as_deref() != Some(branch) {
            return Ok(None);
        }
        // A checkout that is still behind an earlier move has to follow from there.
        let intent = match self.intent()? {
            Some(earlier) if earlier.branch == branch => CheckoutIntent {
                landed: Some(earlier.new),
                new,
                ..earlier
            },
            _ => CheckoutIntent {
                branch: branch.to_owned(),
                old,
                new,
                landed: None,
            },
        };
        self.write_intent(&intent)?;
        Ok(Some(intent))
    }

    /// Records that `HEAD` is about to move from a commit to another branch.
    pub(super) fn intend_switch(
        &self,
        branch: &str,
        old: ObjectId,
        new: ObjectId,
    ) -> Result<CheckoutIntent> {
        let intent = CheckoutIntent {
            branch: branch.to_owned(),
            old,
            new,
            landed: None,
        };
        self.write_intent(&intent)?;
        Ok(intent)
    }

    fn write_intent(&self, intent: &CheckoutIntent) -> Result<()> {
        let dir = self.state_dir();
        fs::create_dir_all(&dir).map_err(|e| Error::io("create", &dir, &e))?;
        let CheckoutIntent {
            branch,
            old,
            new,
            landed,
        } = intent;
        let landed = landed.map(|oid| oid.hex());
        let text = serde_json::json!({ "branch": branch, "old": old.hex(), "new": new.hex(), "landed": landed });
        fill_runtime(&self.intent_path(), text.to_string().as_bytes())
    }

    /// Returns the recorded move, if one is unfinished; an unreadable record is none.
    pub(super) fn intent(&self) -> Result<Option<CheckoutIntent>> {
        let path = self.intent_path();
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(Error::io("read", &path, &e)),
        };
        let Ok(value) = serde_json::from_slice::<serde_json::Value>(&bytes) else {
            return Ok(None);
        };
        let text = |key: &str| value.get(key).and_then(|value| value.as_str());
        let oid = |key: &str| text(key).and_then(|hex| ObjectId::parse(hex.as_bytes()));
        let intent = (text("branch"), oid("old"), oid("new"));
        let (Some(branch), Some(old), Some(new)) = intent else {
            return Ok(None);
        };
        Ok(Some(CheckoutIntent {
            branch: branch.to_owned(),
            old,
            new,
            landed: oid("landed"),
        }))
    }

    /// Drops the record of a move that did not happen; an earlier one that is unfinished stays recorded.
    pub(super) fn withdraw_intent(&self, intent: &CheckoutIntent) -> Result<()> {
        match intent.landed {
            Some(landed) => self.write_intent(&CheckoutIntent {
                new: landed,
                landed: None,
                ..intent.clone()
            }),
            None => self.remove_intent(),
        }
    }

    /// Empties the record; the file stays, so that the next one costs no new name. One that comes back with the power is
    /// followed once more, which changes nothing.
    pub(super) fn remove_intent(&self) -> Result<()> {
        let path = self.intent_path();
        match crash::around("empty", || fs::write(&path, b"")) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(()),
            emptied => emptied.map_err(|e| Error::io("empty", &path, &e)),
        }
    }
}
