//! Why what comes through a pipe is no far end speaking, in words for whoever set the runner up.

use super::frame_kind::{FrameKind, PROTOCOL};

/// What to do about two ends that do not speak the same protocol.
pub(crate) const SAME_VERSION: &str = "install the same version on both";

/// What most often stands behind bytes that no far end sends.
const STRANGE: &str = "something else is printed between the far end's words";

/// Why bytes are no frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FrameFault {
    /// The far end never said that it is one.
    NoFarEnd,
    /// Something on the way changes line ends, as a terminal does.
    Terminal,
    /// Home's own words come back, as from a terminal that shows what is typed.
    Echo,
    /// A second far end speaks in between.
    Twice,
    /// The far end speaks another version of the protocol.
    Protocol(u32),
    /// A kind that this version does not know.
    Kind(u8),
    /// Longer than any frame may be.
    Length(usize),
    /// Its content does not fit its kind.
    Content(FrameKind),
    /// A frame that has no place here.
    Order(FrameKind),
}

impl FrameFault {
    /// Returns what the user can do, where it comes of how the runner is set up.
    pub(crate) fn remedy(self) -> Option<&'static str> {
        match self {
            FrameFault::NoFarEnd => Some(
                "have the command start `gatewalk far-end`, print no more than a greeting before that, and leave its words as they are (no `--label`)",
            ),
            FrameFault::Terminal => Some("start the command without one (no `-t` or `--tty`)"),
            FrameFault::Echo => Some(
                "have the command start `gatewalk far-end`, without a terminal (no `-t`, `-tt` or `--tty`)",
            ),
            FrameFault::Twice => {
                Some("start one far end for each session: one task, one replica (`srun -n1`)")
            }
            FrameFault::Protocol(_) => Some(SAME_VERSION),
            FrameFault::Kind(_)
            | FrameFault::Length(_)
            | FrameFault::Content(_)
            | FrameFault::Order(_) => None,
        }
    }
}

impl std::fmt::Display for FrameFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            FrameFault::NoFarEnd => f.write_str(
                "what the command starts is not this program: it printed something else",
            ),
            FrameFault::Terminal => {
                f.write_str("a terminal stands between, and changes what is sent")
            }
            FrameFault::Echo => {
                f.write_str("what is sent comes back, as from a terminal that shows what is typed")
            }
            FrameFault::Twice => f.write_str("more than one far end answers"),
            FrameFault::Protocol(there) => write!(
                f,
                "gatewalk there speaks protocol {there}, and this one, {}, speaks {PROTOCOL}",
                env!("CARGO_PKG_VERSION")
            ),
            FrameFault::Kind(byte) => {
                write!(f, "{STRANGE} (a frame of unknown kind {byte})")
            }
            FrameFault::Length(bytes) => write!(f, "{STRANGE} (a frame of {bytes} bytes)"),
            FrameFault::Content(kind) => write!(f, "it sent a damaged frame ({kind:?})"),
            FrameFault::Order(kind) => write!(f, "it sent a frame out of order ({kind:?})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_between_a_far_ends_words_is_told_as_that() {
        for (fault, want, mendable) in [
            (
                FrameFault::Kind(63),
                "between the far end's words (a frame of unknown kind 63)",
                false,
            ),
            (
                FrameFault::Length(1 << 30),
                "words (a frame of 1073741824 bytes)",
                false,
            ),
            (FrameFault::Twice, "more than one far end answers", true),
            (FrameFault::NoFarEnd, "it printed something else", true),
            (
                FrameFault::Order(FrameKind::Left),
                "out of order (Left)",
                false,
            ),
        ] {
            assert!(fault.to_string().contains(want), "{fault}");
            assert_eq!(fault.remedy().is_some(), mendable, "{fault}");
        }
    }
}
