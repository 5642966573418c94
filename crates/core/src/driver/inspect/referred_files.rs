//! Files that only judges refer to: looked for where one changed, by reading who names it.

use super::{LOOK_LIMIT, UnitDiff};
use crate::driver::run_loop::Driver;
use crate::engine::protected::judge_references::{
    JudgeText, ReferredFile, comparisons, names_of, names_one, referrers,
};
use crate::engine::protected::product_reads::speaking_part;
use crate::engine::protected::{ChangedFile, Policy, decides};
use crate::error::Result;
use crate::model::unit::Unit;

/// How many files are read at once.
const AT_ONCE: usize = 512;

impl Driver<'_> {
    /// Adds to a policy what the product does not refer to, and what judges do.
    pub(super) fn follow_references(
        &self,
        diff: &UnitDiff<'_>,
        pairs: &[ChangedFile<'_>],
        policy: &mut Policy,
    ) -> Result<()> {
        let state = format!("{}/", self.layout.dir());
        let outside = pairs
            .iter()
            .filter(|pair| !pair.change.path.starts_with(&state));
        let added = !is_red(diff.unit);
        let asked = outside.filter_map(|pair| ReferredFile::of(policy, pair, added));
        let touches = Unit::list(&diff.unit.front.touches);
        let asked = asked.filter(|file| !file.is_in_scope(policy, &touches));
        let mut asked: Vec<ReferredFile> = asked.collect();
        if asked.is_empty() {
            return Ok(());
        }
        let tree = &diff.plan.tree;
        let paths = self.machine.paths(tree)?;
        asked.retain(|file| file.is_open_in(&paths));
        let who = referrers(policy, &paths, &state);
        let mut named = vec![false; asked.len()];
        let shells = comparisons(&super::unit_policy::oracle_shells(diff.plan).join("\n"));
        for (file, named) in asked.iter().zip(&mut named) {
            *named = file.is_compared_in(&shells);
        }
        let sources = names_of(&who.product);
        self.read_all(tree, &who.judges, |path, text| {
            let judge = JudgeText {
                text,
                script: policy.is_run_for_its_end(path) && decides(text),
                names_product: names_one(text, &sources),
            };
            for (file, named) in asked.iter().zip(&mut named) {
                *named |= file.is_judged_by(judge);
            }
            true
        })?;
        let mut named = named.into_iter();
        asked.retain(|_| named.next().unwrap_or_default());
        if asked.iter().any(ReferredFile::may_be_product) {
            self.read_all(tree, &who.product, |path, text| {
                asked.retain(|file| !file.may_be_product() || !file.is_read_in(path, text));
                asked.iter().any(ReferredFile::may_be_product)
            })?;
            self.read_all(tree, &who.speakers, |path, text| {
                let text = speaking_part(policy, path, text);
                asked.retain(|file| !file.may_be_product() || !file.is_read_in(path, &text));
                asked.iter().any(ReferredFile::may_be_product)
            })?;
        }
        asked.iter().for_each(|file| file.judges_in(policy));
        Ok(())
    }

    /// Reads files of a tree one after the other, as long as the reader wants more.
    pub(super) fn read_all(
        &self,
        tree: &crate::object_id::ObjectId,
        paths: &[String],
        mut read: impl FnMut(&str, &str) -> bool,
    ) -> Result<()> {
        for some in paths.chunks(AT_ONCE) {
            let texts = self.machine.contents(tree, some, LOOK_LIMIT)?;
            for (path, text) in some.iter().zip(texts) {
                let text = text.unwrap_or_default();
                if !read(path, &String::from_utf8_lossy(&text)) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

/// Returns whether a unit turns something green, which may have waited for what is new.
fn is_red(unit: &Unit) -> bool {
    let front = &unit.front;
    !Unit::list(&front.expects_red).is_empty()
        || front
            .checks
            .as_ref()
            .is_some_and(|checks| !checks.value.is_empty())
}
