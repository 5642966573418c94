//! The git layer against real repositories in temporary directories.

mod history;
mod support;
