//! What the two ends send each other, one byte before each frame.

/// The version of the protocol; both sides must speak the same.
pub(crate) const PROTOCOL: u32 = 1;

/// What a frame is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum FrameKind {
    /// Who speaks and what it has; the first of either side. JSON.
    Hello = b'H',
    /// What is to be done. JSON.
    Request = b'Q',
    /// A piece of a pack.
    Piece = b'P',
    /// The pieces from here on are those of a file of git-lfs, whose pointer the pack has. Its SHA-256, as text.
    LargeFile = b'O',
    /// The pack is whole; the work begins.
    Go = b'G',
    /// The lease goes on.
    Beat = b'b',
    /// The session's process has started.
    Begun = b'B',
    /// A line of the session's standard output, without its end.
    Line = b'L',
    /// The beginning of a line that is longer than is kept.
    CutLine = b'l',
    /// The session works, although it prints nothing.
    Sign = b'S',
    /// Something a user should know. Text.
    Note = b'N',
    /// Home asks the session to end. JSON.
    End = b'E',
    /// What the session left; its pack came before. JSON.
    Left = b'T',
    /// Home has what was left, safe on its disk.
    Received = b'R',
    /// How the session ended. JSON.
    Ended = b'X',
    /// It cannot be done there. JSON.
    Failed = b'F',
    /// The state of the far end, for whoever proves a runner. JSON.
    Report = b'D',
    /// One step of judging; pieces of a pack and `Go` may follow. JSON.
    Call = b'J',
    /// What came of that step; the bytes of a file may stand before it as pieces. JSON.
    Answer = b'A',
}

impl FrameKind {
    pub(crate) fn of(byte: u8) -> Option<FrameKind> {
        use FrameKind::{
            Answer, Beat, Begun, Call, CutLine, End, Ended, Failed, Go, Hello, LargeFile, Left,
            Line, Note, Piece, Received, Report, Request, Sign,
        };
        [
            Hello, Request, Piece, LargeFile, Go, Beat, Begun, Line, CutLine, Sign, Note, End,
            Left, Received, Ended, Failed, Report, Call, Answer,
        ]
        .into_iter()
        .find(|kind| *kind as u8 == byte)
    }
}
