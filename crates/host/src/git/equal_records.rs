//! What two versions of a sorted file have in common, by the bytes: an index and a tree have thousands of records, and a
//! unit changes a few.

use std::ops::Range;

/// A file of records, each of which can be told from its bytes alone.
pub(super) trait Stored {
    /// Returns how many records there are.
    fn count(&self) -> usize;

    /// Returns the bytes of some records, by their numbers.
    fn stretch(&self, numbers: Range<usize>) -> &[u8];
}

/// Records that are compared at once: a few thousand bytes.
const AT_ONCE: usize = 64;

/// Returns how many records two files have in common from these numbers on.
pub(super) fn equal_records<S: Stored>((old, from): (&S, usize), (new, to): (&S, usize)) -> usize {
    let most = (old.count().saturating_sub(from)).min(new.count().saturating_sub(to));
    let is_same = |part: Range<usize>| {
        let (old_part, new_part) = (
            from + part.start..from + part.end,
            to + part.start..to + part.end,
        );
        old.stretch(old_part) == new.stretch(new_part)
    };
    let mut same = 0;
    while same < most {
        let end = most.min(same + AT_ONCE);
        if !is_same(same..end) {
            let more = (same..end).take_while(|number| is_same(*number..number + 1));
            return same + more.count();
        }
        same = end;
    }
    same
}
