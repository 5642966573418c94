//! PURE. What to do next, given what is.

/// What a failed command shows, and how to recognise the same failure.
pub mod evidence;
