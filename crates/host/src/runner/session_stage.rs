//! Which frame may follow which while a session runs elsewhere. The work comes before its end: an end without the work, a
//! second hello or a second tree is no session, and costs nobody anything.

use super::frames::FrameKind;

/// How far a session elsewhere has come, as home heard it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SessionStage {
    /// Nothing was heard yet.
    Calling,
    /// The far end is there and was sent what it lacks; it fills a slot.
    Preparing,
    /// The session's process runs, or what it left is on its way.
    Working,
    /// What it left is here.
    HandedOver,
    /// How it ended is known.
    Over,
}

impl SessionStage {
    /// Returns the stage after a frame; none where such a frame has no place.
    pub(super) fn after(self, kind: FrameKind) -> Option<SessionStage> {
        use SessionStage::{Calling, HandedOver, Over, Preparing, Working};
        match (self, kind) {
            (_, FrameKind::Beat | FrameKind::Note | FrameKind::Failed) => Some(self),
            (Calling, FrameKind::Hello) => Some(Preparing),
            (Preparing, FrameKind::Begun) => Some(Working),
            (
                Working,
                FrameKind::Line
                | FrameKind::CutLine
                | FrameKind::Sign
                | FrameKind::Piece
                | FrameKind::LargeFile,
            ) => Some(Working),
            (Working, FrameKind::Left) => Some(HandedOver),
            (HandedOver, FrameKind::Ended) => Some(Over),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::SessionStage::{Calling, HandedOver, Over, Preparing, Working};
    use super::*;

    #[test]
    fn the_work_comes_once_and_before_its_end() {
        use FrameKind::{Begun, Ended, Hello, Left, Line, Piece};
        let whole = [Hello, Begun, Line, Piece, Left, Ended];
        let walk = |frames: &[FrameKind]| {
            let step = |stage: SessionStage, kind: &FrameKind| stage.after(*kind);
            frames.iter().try_fold(Calling, step)
        };
        assert_eq!(walk(&whole), Some(Over));
        let refused: [&[FrameKind]; 8] = [
            &[Begun],
            &[Hello, Hello],
            &[Hello, Line],
            &[Hello, Left],
            &[Hello, Begun, Begun],
            &[Hello, Begun, Ended],
            &[Hello, Begun, Left, Left],
            &[Hello, Begun, Left, Ended, Line],
        ];
        for frames in refused {
            assert_eq!(walk(frames), None, "{frames:?}");
        }
    }

    #[test]
    fn what_belongs_to_no_stage_is_heard_in_each_and_what_home_sends_in_none() {
        for stage in [Calling, Preparing, Working, HandedOver, Over] {
            for kind in [FrameKind::Beat, FrameKind::Note, FrameKind::Failed] {
                assert_eq!(stage.after(kind), Some(stage));
            }
            for kind in [FrameKind::Request, FrameKind::Go, FrameKind::Answer] {
                assert_eq!(stage.after(kind), None);
            }
        }
    }
}
