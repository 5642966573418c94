//! What a user can change where work was refused.

use crate::engine::failure_class::FailureClass;

/// Returns what a user can change so that work like this passes; none where only the work can.
pub fn way_out(class: FailureClass) -> Option<&'static str> {
    Some(match class {
        FailureClass::TestsWeakened => {
            "`touches_tests: true` in the unit declares that it changes tests"
        }
        FailureClass::OracleModified => {
            "`touches_control_plane: [PATH]` in the unit declares a file that judges, outside the state directory"
        }
        FailureClass::OutOfScope => {
            "widen the unit's `touches` (`any` for no limit), or narrow its `do_not_touch`"
        }
        FailureClass::SubmoduleChanged => {
            "commit what the submodule needs in its own repository, and its new commit here with `git add` and `git commit`; then say in the unit that the submodule stays as it is"
        }
        FailureClass::MissingDeliverable => "correct the unit's `produces`",
        FailureClass::MissingLargeFile => {
            "`git lfs pull` brings files of git-lfs that the unit needs and this machine lacks"
        }
        FailureClass::TimedOut => "raise the unit's `timeout`",
        FailureClass::Idle => "raise the unit's `idle_timeout`",
        FailureClass::Budget => "raise the unit's `budget_usd`",
        FailureClass::Unproven => {
            "give the unit a check that fails without the work, in `checks` or verification.yml"
        }
        FailureClass::BaseUnproven => {
            "mend the base, or name the command in the unit's `expects_red` if that is the unit's job"
        }
        _ => return None,
    })
}
