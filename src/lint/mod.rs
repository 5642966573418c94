//! PURE. The rules a plan must obey.
