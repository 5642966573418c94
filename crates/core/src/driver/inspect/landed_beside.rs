//! What landed together with code: that may have moved out of reach of the globs by which commands say what they are about, or be
//! used by what they name.

use super::InspectedChanges;
use crate::engine::changed_file::ChangedFile;
use crate::engine::joined_tests;
use crate::engine::protected::code_paths::is_code;
use crate::model::feature::Feature;

/// Returns the sources among changes of the product.
pub(super) fn code_of(product: &[ChangedFile<'_>]) -> Vec<String> {
    let paths = product.iter().map(|pair| &pair.change.path);
    paths.filter(|path| is_code(path)).cloned().collect()
}

impl InspectedChanges {
    /// Returns the sources that landed in one work of the feature with one that this one changes: what changes may come from there.
    pub(in crate::driver) fn landed_beside(&self, feature: &Feature) -> &[String] {
        self.beside.get_or_init(|| {
            let beside = joined_tests::touched_beside(feature, &self.code);
            beside.into_iter().filter(|path| is_code(path)).collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::driver::test_run::{machine, run, story};

    #[test]
    fn a_command_is_asked_about_code_that_came_from_what_it_names() {
        let situation = "G1: T01 max_attempts=1; T02 after=T01 max_attempts=1";
        let found = "landed T01, failed T02#1 verification, parked T02";
        let landed = "landed T01, landed T02, gate 1 passed";
        for key in ["when", "inputs"] {
            let oracle = format!(
                "code:\n  - {{name: work, command: lacks broken, {key}: [\"src/**\"]}}\n  - {{name: other, command: lacks other}}\n"
            );
            for (sessions, want) in [
                ("-src/a.py +lib/a.py; -lib/a.py +lib/a.py=x +broken", found),
                ("+lib/a.py; -lib/a.py +lib/a.py=x +broken", landed),
                ("+src/b.py; +lib/a.py +broken", landed),
            ] {
                let machine = machine(situation, &oracle, sessions);
                machine.world().user_commits("src/a.py", "x = 1\n");
                run(&machine).unwrap();
                assert_eq!(story(&machine), want, "{key}: {sessions}");
            }
        }
    }
}
