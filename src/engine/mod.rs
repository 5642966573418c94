//! PURE. What to do next, given what is.
