//! Which frame may follow which while a session runs elsewhere. The work comes before its end: an end without the work, a
//! second hello or a second tree is no session, and costs nobody anything.

use super::frames::FrameKind;
use std::time::Duration;

/// How long the far end has to hand over what is there once it is asked to end.
const END_GRACE: Duration = Duration::from_secs(30);
/// How long its command may live on when everything was said.
const AFTER_END: Duration = Duration::from_secs(10);
/// How long its commit may travel there, and its set-up take.
const PREPARING: Duration = Duration::from_secs(3 * 60 * 60);
/// How much longer than its limit a session may take there before home gives up.
const OVERTIME: Duration = Duration::from_secs(10 * 60);

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

/// How long ago what happened to a session elsewhere.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct StageTimes {
    pub(super) in_stage: Duration,
    /// Since its process runs.
    pub(super) begun: Option<Duration>,
    /// Since it was asked to end.
    pub(super) asked: Option<Duration>,
    /// How long the session itself may take.
    pub(super) session: Duration,
}

impl SessionStage {
    /// Returns what should have happened by now: a far end that beats, and never says more, would keep its slot for good.
    pub(super) fn overdue(self, times: &StageTimes) -> Option<&'static str> {
        let late = |since: Option<Duration>, limit| since.is_some_and(|since| since > limit);
        match self {
            SessionStage::Over => {
                (times.in_stage > AFTER_END).then_some("its command did not end by itself")
            }
            SessionStage::Preparing if times.in_stage > PREPARING => {
                Some("it did not begin the session")
            }
            SessionStage::HandedOver if times.in_stage > END_GRACE => {
                Some("it did not say how the session ended")
            }
            _ if late(times.asked, END_GRACE) => Some("it did not end when it was asked to"),
            _ => {
                let over = late(times.begun, times.session + OVERTIME);
                over.then_some("it did not end at its limit")
            }
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

    #[test]
    fn a_far_end_that_beats_and_says_nothing_more_is_given_up_in_each_stage() {
        let second = Duration::from_secs(1);
        let session = Duration::from_secs(60);
        let in_stage = |in_stage| StageTimes {
            in_stage,
            session,
            ..StageTimes::default()
        };
        let begun = |since| StageTimes {
            begun: Some(since),
            ..in_stage(second)
        };
        let asked = |since| StageTimes {
            asked: Some(since),
            ..begun(second)
        };
        for (stage, in_time, late, what) in [
            (
                Preparing,
                in_stage(PREPARING),
                in_stage(PREPARING + second),
                "did not begin",
            ),
            (
                Working,
                begun(session + OVERTIME),
                begun(session + OVERTIME + second),
                "at its limit",
            ),
            (
                Working,
                asked(END_GRACE),
                asked(END_GRACE + second),
                "when it was asked",
            ),
            (
                HandedOver,
                in_stage(END_GRACE),
                in_stage(END_GRACE + second),
                "how the session ended",
            ),
            (
                Over,
                in_stage(AFTER_END),
                in_stage(AFTER_END + second),
                "by itself",
            ),
        ] {
            assert_eq!(stage.overdue(&in_time), None, "{stage:?}: {what}");
            let told = stage.overdue(&late).unwrap_or_default();
            assert!(told.contains(what), "{stage:?}: {told}");
        }
        let queued = in_stage(PREPARING * 100);
        assert_eq!(Calling.overdue(&queued), None, "its engine's queue");
    }
}
