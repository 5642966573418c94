//! The git layer against real repositories in temporary directories.

mod disk;
mod follow;
mod history;
mod since;
mod slots;
mod speed;
mod support;
