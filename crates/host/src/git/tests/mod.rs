//! The git layer against real repositories in temporary directories.

mod checkout_change_scan;
mod checkout_edits;
mod checkout_object_reads;
mod checkout_update_states;
mod directory_looks;
mod extended_files;
mod loose_objects;
mod many_files;
mod private_index;
mod sealed_features;
mod slot_changes;
mod slot_edits;
mod slot_git_directory;
mod slot_history;
mod slot_states;
mod speed;
mod submodule_slots;
mod support;
