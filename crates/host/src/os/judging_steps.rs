//! The steps of judging, done on this machine: by a far end for home, and by home where a far end was lost.

use super::Os;
use crate::runner::{CallAnswer, JudgeCall, JudgeTarget};
use gatewalk_core::driver::ports::{NamedBytes, SetUp, ShellJob, SlotContent, SlotId, Workspaces};
use gatewalk_core::error::Result;

/// What came of a step.
pub(crate) struct JudgedStep {
    pub(crate) answer: CallAnswer,
    /// The bytes of a file that was asked for.
    pub(crate) bytes: Vec<u8>,
}

impl From<CallAnswer> for JudgedStep {
    fn from(answer: CallAnswer) -> JudgedStep {
        JudgedStep {
            answer,
            bytes: vec![],
        }
    }
}

impl JudgedStep {
    fn of_file(bytes: Option<Vec<u8>>) -> JudgedStep {
        JudgedStep {
            answer: CallAnswer::File(bytes.is_some()),
            bytes: bytes.unwrap_or_default(),
        }
    }

    fn of_files(files: Vec<NamedBytes>) -> JudgedStep {
        let lengths = files
            .iter()
            .map(|(path, bytes)| (path.clone(), bytes.len()));
        JudgedStep {
            answer: CallAnswer::Files(lengths.collect()),
            bytes: files.into_iter().flat_map(|(_, bytes)| bytes).collect(),
        }
    }

    /// Returns the files that were asked for; nothing where the answer is another, or more than was asked for.
    pub(super) fn files(self, limit: usize) -> Option<Vec<NamedBytes>> {
        let CallAnswer::Files(lengths) = self.answer else {
            return None;
        };
        let mut rest = &self.bytes[..];
        let mut files = Vec::new();
        for (path, length) in lengths {
            let (bytes, after) = rest.split_at_checked(length)?;
            files.push((path, bytes.to_vec()));
            rest = after;
        }
        (rest.is_empty() && self.bytes.len() <= limit).then_some(files)
    }
}

impl Os<'_> {
    /// Does one step in a slot of this machine.
    pub(crate) fn judging_step(&self, slot: SlotId, call: &JudgeCall) -> Result<JudgedStep> {
        let answer = match call {
            JudgeCall::Prepare { target, caches } => {
                self.keep_caches(caches);
                self.fill_slot(&content(slot, target))?;
                CallAnswer::Done
            }
            JudgeCall::Switch(target) => {
                self.switch_tree(slot, &target.tree)?;
                CallAnswer::Done
            }
            JudgeCall::SetUp {
                tree,
                base,
                shell,
                state_dir,
            } => CallAnswer::Ran(self.set_up_here(
                slot,
                &SetUp {
                    tree,
                    base,
                    shell: shell.as_deref(),
                    link: &[],
                    state_dir,
                },
            )?),
            JudgeCall::Run { .. } => {
                self.note_holds(slot, None);
                let ran = command(slot, call).map(|job| self.shell(&job));
                CallAnswer::Ran(ran.transpose()?)
            }
            JudgeCall::Changed => CallAnswer::Paths(self.look_for_changes(slot)?),
            JudgeCall::Restore => CallAnswer::Paths(self.restore_between_commands(slot)?),
            JudgeCall::ReadFile { path, limit } => {
                return Ok(JudgedStep::of_file(self.read_in_slot(slot, path, *limit)?));
            }
            JudgeCall::ReadFiles { named, limit } => {
                return Ok(JudgedStep::of_files(self.read_named(slot, named, *limit)?));
            }
            JudgeCall::RemoveFile { path } => {
                self.remove_named(slot, path)?;
                CallAnswer::Done
            }
            JudgeCall::Root => {
                CallAnswer::Text(self.slot(slot)?.dir().to_string_lossy().into_owned())
            }
        };
        Ok(answer.into())
    }
}

fn content(slot: SlotId, target: &JudgeTarget) -> SlotContent<'_> {
    SlotContent {
        slot,
        commit: target.commit,
        tree: target.tree,
        branch: &target.branch,
    }
}

/// Returns the step that runs a command.
pub(super) fn run_call(job: &ShellJob) -> JudgeCall {
    JudgeCall::Run {
        unit: job.unit.clone(),
        number: job.number,
        name: job.name.clone(),
        shell: job.shell.clone(),
        feature_dir: job.feature_dir.clone(),
        timeout: job.timeout,
        network: job.network,
    }
}

/// Returns the command that a step runs, if it is one.
fn command(slot: SlotId, call: &JudgeCall) -> Option<ShellJob> {
    let JudgeCall::Run {
        unit,
        number,
        name,
        shell,
        feature_dir,
        timeout,
        network,
    } = call
    else {
        return None;
    };
    Some(ShellJob {
        slot,
        unit: unit.clone(),
        number: *number,
        name: name.clone(),
        shell: shell.clone(),
        feature_dir: feature_dir.clone(),
        timeout: *timeout,
        network: *network,
        usual: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_come_as_they_were_asked_for_or_not_at_all() {
        let step = |lengths: &[usize]| JudgedStep {
            answer: CallAnswer::Files(lengths.iter().map(|n| (format!("f{n}"), *n)).collect()),
            bytes: b"abcde".to_vec(),
        };
        let two = vec![
            ("f2".to_owned(), b"ab".to_vec()),
            ("f3".to_owned(), b"cde".to_vec()),
        ];
        assert_eq!(step(&[2, 3]).files(5), Some(two));
        assert_eq!(step(&[2, 3]).files(4), None, "more than was asked for");
        assert_eq!(step(&[2]).files(9), None, "bytes of no file");
        assert_eq!(step(&[2, 4]).files(9), None, "a file without its bytes");
        let other = JudgedStep::from(CallAnswer::Done);
        assert_eq!(other.files(9), None);
    }
}
