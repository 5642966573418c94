//! Renderings of the same findings.
