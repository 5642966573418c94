//! The one integration binary: a module per subject.

mod cycle;
mod docs;
mod json_schema;
mod lint;
mod spine;
mod world;
