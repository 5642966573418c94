//! Moving a branch to a commit that exists already, and letting the checkout follow.

use super::Git;
use super::refs::RefUpdate;
use gatewalk_core::driver::ports::CheckoutUpdate;
use gatewalk_core::error::{Error, Result};
use gatewalk_core::object_id::ObjectId;
use gatewalk_core::parallel::locked;

impl Git {
    /// Moves a branch forward by compare-and-swap, or makes it where `from` is none; the user's checkout follows, except where
    /// they edited. Nothing when the branch was elsewhere.
    pub fn fast_forward(
        &self,
        branch: &str,
        from: Option<ObjectId>,
        to: ObjectId,
    ) -> Result<Option<CheckoutUpdate>> {
        let _turn = locked(&self.shared.known.landing);
        let _lock = self.lock_checkout();
        self.branch_uses()?
            .refuse_if_checked_out_elsewhere(branch)?;
        let Some(old) = from else {
            let made = self.cas_ref(branch, to, None)?;
            return Ok(made.then(CheckoutUpdate::default));
        };
        if !self.is_ancestor(old, to)? {
            return Err(Error::internal("a branch was to move, and not forward"));
        }
        let intended = self.intend_follow(branch, old, to)?;
        let ahead = intended.as_ref().and_then(|_| self.lock_index_ahead());
        let update = RefUpdate {
            name: branch.to_owned(),
            new: Some(to),
            expected: Some(old),
        };
        if !self.update_refs(&[update])? {
            drop(ahead);
            if let Some(intended) = intended {
                self.withdraw_intent(&intended)?;
            }
            return Ok(None);
        }
        Ok(Some(match intended {
            Some(intent) => self.finish_follow(&intent, ahead, to),
            None => CheckoutUpdate::default(),
        }))
    }
}
