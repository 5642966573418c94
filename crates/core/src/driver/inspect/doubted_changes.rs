//! Changes of what may judge although no name says so: which of them nothing in the product speaks for.

use super::unit_policy::shells_of_sets;
use super::{LOOK_LIMIT, UnitDiff};
use crate::driver::run_loop::Driver;
use crate::engine::changed_file::ChangedFile;
use crate::engine::protected::Policy;
use crate::engine::protected::doubted_files::{self, DoubtKind, DoubtedFile};
use crate::engine::protected::judge_references::{Referrers, names_of, referrers};
use crate::engine::protected::judging_chain::{BUILD_FILES, entries, links_of};
use crate::engine::protected::product_reads::ProductText;
use crate::engine::protected::self_loaded;
use crate::engine::protected::sought_files::SoughtFiles;
use crate::engine::protected::speaking_source::SpeakingSource;
use crate::error::Result;
use crate::model::unit::Unit;
use crate::object_id::ObjectId;
use crate::path_names::MAKEFILES;
use std::collections::BTreeSet;
use std::sync::Arc;

/// How many scripts one may lead to in turn.
const DEPTH: usize = 8;

/// How many files of one step are read.
const AT_EACH_STEP: usize = 512;

/// What commands of the oracle lead to, one script after the other.
#[derive(Default)]
struct JudgingChain {
    /// Scripts that are run for how they end, or read into one that is.
    runs: BTreeSet<String>,
    /// Data that lists such scripts.
    lists: BTreeSet<String>,
    /// What all of them say, and the commands.
    texts: String,
}

impl Driver<'_> {
    /// Returns the changed files that may judge and that nobody vouches for, and those that the unit's scope names.
    pub(super) fn doubted(
        &self,
        diff: &UnitDiff<'_>,
        pairs: &[ChangedFile<'_>],
        policy: &Policy,
    ) -> Result<(Vec<String>, Vec<String>)> {
        let asked = pairs
            .iter()
            .filter_map(|pair| DoubtedFile::of(policy, pair));
        let touches = Unit::list(&diff.unit.front.touches);
        let (vouched, mut asked): (Vec<DoubtedFile>, Vec<DoubtedFile>) =
            asked.partition(|file| policy.vouches(&file.path, &touches));
        let mut stand_in = Vec::new();
        let may_stand_in = doubted_files::may_stand_in(policy, pairs, &touches);
        if !asked.is_empty() || !may_stand_in.is_empty() {
            let paths = self.base_paths(diff)?;
            stand_in = doubted_files::standing_in(may_stand_in, pairs, paths);
            doubted_files::keep_those_of_old_kinds(&mut asked, paths, (policy, pairs));
            if !asked.is_empty() {
                self.keep_what_judges(diff, (paths, policy), &mut asked)?;
            }
        }
        let paths = |files: Vec<DoubtedFile>| files.into_iter().map(|file| file.path).collect();
        let by_itself = self_loaded::changed(policy, pairs, &touches);
        Ok(([paths(asked), stand_in, by_itself].concat(), paths(vouched)))
    }

    /// Leaves those that judges come by, and that no source of the product reads.
    fn keep_what_judges(
        &self,
        diff: &UnitDiff<'_>,
        (paths, policy): (&[String], &Policy),
        asked: &mut Vec<DoubtedFile>,
    ) -> Result<()> {
        let tree = &diff.plan.tree;
        let mut chain = JudgingChain::default();
        if asked.iter().any(|file| file.kind != DoubtKind::PlacedData) {
            chain = self.judging_chain(diff, paths, policy)?;
        }
        let state = format!("{}/", self.layout.dir());
        let mut who = referrers(policy, paths, &state);
        let (run, product) = std::mem::take(&mut who.product)
            .into_iter()
            .partition(|path| chain.runs.contains(path));
        who.product = product;
        who.judges.extend::<Vec<String>>(run);
        who.speakers.retain(|path| !chain.runs.contains(path));
        let sources = names_of(&who.product);
        let mut named = BTreeSet::new();
        if asked.iter().any(DoubtedFile::may_be_named) {
            self.read_all(tree, &who.judges, |_, text| {
                let by_this = asked.iter();
                let by_this = by_this.filter(|file| file.may_be_named() && file.is_named_in(text));
                named.extend(by_this.map(|file| file.path.clone()));
                true
            })?;
        }
        let helps = |file: &DoubtedFile| named.contains(&file.path) && !file.names_other(&sources);
        asked.retain(|file| match file.kind {
            DoubtKind::PlacedData => true,
            DoubtKind::ProductData => named.contains(&file.path),
            DoubtKind::RootData => chain.lists.contains(&file.path) || named.contains(&file.path),
            DoubtKind::Script => {
                chain.runs.contains(&file.path) || file.is_run_beside(&chain.texts) || helps(file)
            }
            DoubtKind::Helper => helps(file),
        });
        if asked.is_empty() {
            return Ok(());
        }
        self.keep_unspoken(diff, (policy, &who), asked)
    }

    /// Leaves those that nothing of the product reads. What only judges import, beside the product, is no product.
    fn keep_unspoken(
        &self,
        diff: &UnitDiff<'_>,
        (policy, who): (&Policy, &Referrers),
        asked: &mut Vec<DoubtedFile>,
    ) -> Result<()> {
        let tree = &diff.plan.tree;
        let sources = names_of(&who.product);
        let mut speakers: Vec<SpeakingSource> = Vec::new();
        let mut sought = SoughtFiles::of(asked.iter().map(DoubtedFile::reads));
        self.read_product(diff, policy, who, |path, text| {
            if sought.look_in(&ProductText::new(path, text), speakers.len()) {
                speakers.push(SpeakingSource::of(path, text, &sources));
            }
            true
        })?;
        if speakers.iter().any(|source| !source.is_product) {
            self.read_all(tree, &who.product, |path, text| {
                speakers
                    .iter_mut()
                    .for_each(|source| source.hears_product(path, text));
                true
            })?;
            self.read_all(tree, &who.judges, |_, text| {
                speakers
                    .iter_mut()
                    .for_each(|source| source.hears_judge(text, &sources));
                true
            })?;
        }
        let speaks = |(at, file): (usize, &DoubtedFile)| {
            let by = sought.readers(at).map(|reader| &speakers[reader]);
            let mut others = by.filter(|source| source.path != file.path);
            others.any(|source| !file.is_data() || source.speaks())
        };
        let spoken: Vec<bool> = asked.iter().enumerate().map(speaks).collect();
        let mut spoken = spoken.into_iter();
        asked.retain(|_| !spoken.next().unwrap_or_default());
        Ok(())
    }

    /// Follows what commands run, what that runs in turn, and the lists that it reads.
    fn judging_chain(
        &self,
        diff: &UnitDiff<'_>,
        paths: &[String],
        policy: &Policy,
    ) -> Result<JudgingChain> {
        let tree = &diff.plan.tree;
        let there: BTreeSet<String> = paths.iter().cloned().collect();
        let (deciding, spelled) = policy.chain_starts();
        let commands = [&shells_of_sets(diff.plan).join("\n"), spelled].join("\n");
        let mut chain = JudgingChain::default();
        let mut next: BTreeSet<String> = deciding.clone();
        next.extend(BUILD_FILES.map(str::to_owned));
        next.extend(MAKEFILES.map(str::to_owned));
        let mut texts = vec![(String::new(), commands)];
        for _ in 0..DEPTH {
            let mut lists = BTreeSet::new();
            for (path, text) in &texts {
                let links = links_of(path, text);
                next.extend(links.runs);
                lists.extend(links.lists);
                chain.texts.push_str(text);
            }
            lists.retain(|path| there.contains(path) && !chain.lists.contains(path));
            for (path, text) in self.texts_at(tree, lists)? {
                let named = entries(&path, &text, &there);
                if !named.is_empty() || text.trim().is_empty() {
                    chain.lists.insert(path);
                }
                next.extend(named);
            }
            next.retain(|path| there.contains(path) && !chain.runs.contains(path));
            chain.runs.extend(next.iter().cloned());
            texts = self.texts_at(tree, std::mem::take(&mut next))?;
            if texts.is_empty() {
                break;
            }
        }
        // Their rules speak for themselves, each for what it makes.
        chain
            .runs
            .retain(|path| !MAKEFILES.contains(&path.as_str()));
        Ok(chain)
    }

    fn texts_at(&self, tree: &ObjectId, paths: BTreeSet<String>) -> Result<Vec<(String, String)>> {
        let paths: Vec<String> = paths.into_iter().take(AT_EACH_STEP).collect();
        let texts = self.machine.contents(tree, &paths, LOOK_LIMIT)?;
        let text = |bytes: Option<Arc<[u8]>>| {
            String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned()
        };
        Ok(paths.into_iter().zip(texts.into_iter().map(text)).collect())
    }
}
