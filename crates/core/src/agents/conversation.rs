//! Our side of a program that is spoken with while it works.

/// Our side of a conversation with a program that asks as well as answers.
///
/// It only answers; what is known of the session is folded by [`Agent::read`](super::Agent::read) like everywhere.
pub trait Conversation: Send {
    /// Returns what to write before the program has written anything.
    fn open(&mut self) -> Vec<u8>;

    /// Returns what to write after a line of standard output.
    fn answer(&mut self, line: &[u8]) -> Vec<u8>;

    /// Returns whether the session was seen to offer no such effort as it was asked for.
    fn leaves_out_effort(&self) -> bool {
        false
    }
}
