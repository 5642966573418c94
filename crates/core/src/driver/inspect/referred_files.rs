//! Files that only judges refer to: looked for where one changed, by reading who names it.

use super::{LOOK_LIMIT, UnitDiff};
use crate::driver::run_loop::Driver;
use crate::engine::changed_file::ChangedFile;
use crate::engine::protected::judge_references::{
    JudgeText, ReferredFile, Referrers, comparisons, names_of, names_one, referrers,
};
use crate::engine::protected::product_reads::{ProductText, speaking_part};
use crate::engine::protected::{Policy, decides};
use crate::error::Result;
use crate::model::unit::Unit;
use crate::object_id::ObjectId;

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
        let found = self.referred(diff, pairs, policy)?;
        found.iter().for_each(|file| file.judges_in(policy));
        Ok(())
    }

    /// Returns the changed files that judges name and that the product does not refer to.
    pub(super) fn referred(
        &self,
        diff: &UnitDiff<'_>,
        pairs: &[ChangedFile<'_>],
        policy: &Policy,
    ) -> Result<Vec<ReferredFile>> {
        let state = format!("{}/", self.layout.dir());
        let outside = pairs
            .iter()
            .filter(|pair| !pair.change.path.starts_with(&state));
        let added = !is_red(diff.unit);
        let asked = outside.flat_map(|pair| {
            let placed = ReferredFile::placed(policy, pair, added);
            ReferredFile::of(policy, pair, added)
                .into_iter()
                .chain(placed)
        });
        let touches = Unit::list(&diff.unit.front.touches);
        let asked = asked.filter(|file| !file.is_in_scope(policy, &touches));
        let mut asked: Vec<ReferredFile> = asked.collect();
        if asked.is_empty() {
            return Ok(asked);
        }
        let paths = self.base_paths(diff)?;
        asked.retain(|file| file.is_open_in(paths));
        let who = referrers(policy, paths, &state);
        self.keep_named(diff, policy, &who, &mut asked)?;
        if asked.iter().any(ReferredFile::may_be_product) {
            self.read_product(diff, policy, &who, |path, text| {
                let source = ProductText::new(path, text);
                asked.retain(|file| !file.may_be_product() || !file.is_read_in(&source));
                asked.iter().any(ReferredFile::may_be_product)
            })?;
        }
        Ok(asked)
    }

    /// Leaves what judges name.
    fn keep_named(
        &self,
        diff: &UnitDiff<'_>,
        policy: &Policy,
        who: &Referrers,
        asked: &mut Vec<ReferredFile>,
    ) -> Result<()> {
        let shells = comparisons(&super::unit_policy::oracle_shells(diff.plan).join("\n"));
        let compared = asked.iter().map(|file| file.is_compared_in(&shells));
        let mut named: Vec<bool> = compared.collect();
        let mut placed: Vec<bool> = asked.iter().map(|file| !file.needs_place()).collect();
        let sources = names_of(&who.product);
        self.read_all(&diff.plan.tree, &who.judges, |path, text| {
            let judge = JudgeText {
                text,
                script: policy.is_run_for_its_end(path) && decides(text),
                names_product: names_one(text, &sources),
            };
            for (file, (named, placed)) in asked.iter().zip(named.iter_mut().zip(&mut placed)) {
                *named |= file.is_judged_by(judge);
                *placed |= file.is_placed_in(text);
            }
            true
        })?;
        let mut judged = named
            .into_iter()
            .zip(placed)
            .map(|(named, placed)| named && placed);
        asked.retain(|_| judged.next().unwrap_or_default());
        Ok(())
    }

    /// Reads what may speak for the product, as long as the reader wants more.
    pub(super) fn read_product(
        &self,
        diff: &UnitDiff<'_>,
        policy: &Policy,
        who: &Referrers,
        mut read: impl FnMut(&str, &str) -> bool,
    ) -> Result<()> {
        let tree = &diff.plan.tree;
        let mut more = true;
        self.read_all(tree, &who.product, |path, text| {
            more = diff.silent.contains(path) || read(path, text);
            more
        })?;
        let speakers = if more { &who.speakers[..] } else { &[] };
        self.read_all(tree, speakers, |path, text| {
            diff.silent.contains(path) || read(path, &speaking_part(policy, path, text))
        })
    }

    /// Reads files of a tree one after the other, as long as the reader wants more.
    pub(super) fn read_all(
        &self,
        tree: &ObjectId,
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
