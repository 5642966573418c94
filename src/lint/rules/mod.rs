//! Every rule, one file each with its page beside it; this table is the only registration.
//!
//! Codes are `GW` and three digits, the hundred is the subject: 1 form, 2 identity, 3 graph,
//! 4 state, 5 closing, 6 oracle, 7 scope and safety, 8 size and cost, 9 retry. A code is never used
//! for anything else; a retired one keeps its line, so that old comments stay valid.

use super::rule::{Check, Rule};
use crate::diagnostic::Severity;

/// Declares the rules: module, code, severity, and what it looks at.
macro_rules! rules {
    ($( $module:ident => $code:literal, $severity:ident, $level:ident; )*) => {
        $( rules!(@module $level $module); )*

        /// Every rule, by code.
        pub static TABLE: &[Rule] = &[$(
            Rule {
                code: $code,
                module: stringify!($module),
                severity: Severity::$severity,
                check: rules!(@check $level $module),
                page: include_str!(concat!(stringify!($module), ".md")),
            },
        )*];
    };
    (@module Engine $module:ident) => {};
    (@module $level:ident $module:ident) => { mod $module; };
    (@check Engine $module:ident) => { Check::Engine };
    (@check $level:ident $module:ident) => { Check::$level($module::check) };
}

rules! {
    missing_frontmatter => "GW101", Error, File;
    unterminated_frontmatter => "GW102", Error, File;
    invalid_yaml => "GW103", Error, File;
    duplicate_key => "GW104", Error, File;
    unknown_key => "GW105", Warning, File;
    missing_key => "GW106", Error, File;
    wrong_type => "GW107", Error, File;
    unknown_word => "GW108", Error, File;
    yaml_trap => "GW109", Warning, File;
    unsupported_yaml => "GW110", Error, File;
    placeholder => "GW111", Error, File;
    not_utf8 => "GW112", Error, File;
    file_too_large => "GW114", Error, File;
    missing_section => "GW115", Error, Unit;
    empty_section => "GW116", Error, Unit;
    unused_suppression => "GW118", Warning, Engine;
    reasonless_suppression => "GW119", Warning, Engine;
    unknown_rule => "GW120", Warning, Workspace;
    missing_plan => "GW123", Error, Feature;

    malformed_id => "GW201", Error, Feature;
    id_mismatch => "GW202", Error, Unit;
    duplicate_id => "GW203", Error, Feature;
    shared_unit_file => "GW204", Error, Feature;
    foreign_id => "GW205", Error, Feature;
    duplicate_feature_id => "GW210", Error, Workspace;
    gate_number_mismatch => "GW211", Error, Gate;

    dependency_cycle => "GW301", Error, Feature;
    unknown_dependency => "GW302", Error, Feature;
    self_dependency => "GW303", Error, Feature;
    later_gate_dependency => "GW304", Error, Feature;
    abandoned_dependency => "GW305", Error, Feature;
    missing_unit_file => "GW306", Error, Feature;
    missing_gate_file => "GW307", Error, Gate;
    duplicate_gate_number => "GW308", Error, Gate;
    empty_gate => "GW309", Error, Gate;
    no_graph => "GW310", Error, Feature;
    two_graphs => "GW311", Error, Feature;
    no_gates => "GW312", Error, Feature;
    orphan_file => "GW313", Warning, Feature;
    duplicate_dependency => "GW316", Warning, Feature;

    done_before_dependency => "GW401", Error, Feature;
    done_feature_open_gate => "GW402", Warning, Gate;
    passed_gate_open_unit => "GW403", Error, Gate;

    no_oracle => "GW601", Error, Unit;
    vacuous_command => "GW602", Error, Workspace;
    unknown_set => "GW605", Error, Unit;
    needs_cycle => "GW606", Error, Workspace;
    unknown_need => "GW607", Error, Workspace;
    unobservable_criterion => "GW610", Warning, Unit;
    missing_verification => "GW617", Error, Workspace;

    long_body => "GW803", Warning, Unit;
    no_planned_cost => "GW805", Info, Unit;
}

/// Returns the rule of that code or name.
pub fn find(word: &str) -> Option<&'static Rule> {
    TABLE
        .iter()
        .find(|rule| rule.code.eq_ignore_ascii_case(word) || rule.name() == word.replace('_', "-"))
}

/// Returns the rule of that module.
pub(super) fn by_name(module: &str) -> Option<&'static Rule> {
    TABLE
        .iter()
        .find(|rule| rule.module == module || rule.name() == module)
}

/// Returns the code or name nearest to a word that is neither.
pub fn nearest(word: &str) -> Option<String> {
    let names: Vec<String> = TABLE.iter().map(Rule::name).collect();
    let codes = TABLE.iter().map(|rule| rule.code);
    crate::model::front::nearest(word, names.iter().map(String::as_str).chain(codes))
        .map(str::to_owned)
}
