//! Every rule, one file each with its page beside it; this table is the only registration.
//!
//! Codes are `GW` and three digits, the hundred is the subject: 1 form, 2 identity, 3 graph,
//! 4 state, 5 closing, 6 oracle, 7 scope and safety, 8 size and cost, 9 retry. A code is never used
//! for anything else; a retired one keeps its line, so that old comments stay valid.

mod abandoned_dependency;
mod absolute_path;
mod bad_branch_name;
mod bare_file_name;
mod budget_under_plan;
mod build_skipping_command;
mod case_collision;
mod cases_without_report;
mod changed_after_arming;
mod closing_id_mismatch;
mod closing_number;
mod closing_order;
mod command_limit_under_median;
mod contradictory_scope;
mod control_plane_path;
mod dependency_cycle;
mod directory_path;
mod done_before_dependency;
mod done_feature_open_gate;
mod done_without_landing;
mod duplicate_closing;
mod duplicate_command_name;
mod duplicate_dependency;
mod duplicate_feature_id;
mod duplicate_gate_number;
mod duplicate_id;
mod duplicate_key;
mod duplicate_requirement;
mod early_closing;
mod edited_event;
mod editing_command;
mod empty_gate;
mod empty_section;
mod estimate_under_floor;
mod file_number_mismatch;
mod file_too_large;
mod folder_mismatch;
mod foreign_id;
mod gate_budget_under_plan;
mod gate_number_mismatch;
mod gate_order;
mod grown_known_failures;
mod hidden_character;
mod human_without_evidence;
mod id_mismatch;
mod idle_glob;
mod idle_over_timeout;
mod idle_setting;
mod invalid_glob;
mod invalid_yaml;
mod later_gate_dependency;
mod legacy_closing;
mod legacy_status;
mod limit_under_median;
mod long_body;
mod malformed_comment;
mod malformed_id;
mod merge_conflict;
mod misnamed_file;
mod misplaced_closing;
mod misplaced_verdict;
mod missing_closing;
mod missing_frontmatter;
mod missing_gate_file;
mod missing_key;
mod missing_objective;
mod missing_oracle_env;
mod missing_plan;
mod missing_roadmap_row;
mod missing_section;
mod missing_touches;
mod missing_unit_file;
mod missing_verification;
mod mixed_closing;
mod needless_chain;
mod needs_cycle;
mod no_gates;
mod no_graph;
mod no_oracle;
mod no_planned_cost;
mod not_utf8;
mod number_out_of_order;
mod open_question;
mod orphan_file;
mod parallel_claim;
mod passed_gate_open_unit;
mod path_leaves_repository;
mod placeholder;
mod plan_total_off;
mod prompt_over_budget;
mod prose_contradiction;
mod quoted_feature_dir;
mod red_check_names_no_test;
mod report_cut_short;
mod requirement_without_command;
mod roadmap_status_mismatch;
mod same_check_everywhere;
mod secret_in_plan;
mod self_dependency;
mod shared_unit_file;
mod shell_metacharacter;
mod single_attempt_continue;
mod spent_id;
mod too_many_criteria;
mod too_many_requirements;
mod trunk_branch;
mod two_active_features;
mod two_graphs;
mod uncovered_requirement;
mod unknown_agent;
mod unknown_dependency;
mod unknown_expected_red;
mod unknown_key;
mod unknown_need;
mod unknown_requirement;
mod unknown_rule;
mod unknown_set;
mod unknown_word;
mod unnamed_guard;
mod unobservable_criterion;
mod unreachable_unit;
mod unsandboxed_without_rationale;
mod unsupported_yaml;
mod unterminated_frontmatter;
mod unused_set;
mod vacuous_command;
mod wrong_type;
mod yaml_trap;
mod zero_limit;

use super::rule::{Rule, RuleCheck};
use crate::diagnostic::Severity;

/// Lists the rules: module, code, severity, also the one it has at worst, and what it looks at.
macro_rules! rules {
    ($( $module:ident => $code:literal, $severity:ident $(to $worst:ident)?, $level:ident; )*) => {
        /// Every rule, by code.
        pub static TABLE: &[Rule] = &[$(
            Rule {
                code: $code,
                module: stringify!($module),
                severity: Severity::$severity,
                worst: rules!(@worst $severity $($worst)?),
                check: rules!(@check $level $module),
                page: include_str!(concat!(stringify!($module), ".md")),
            },
        )*];
    };
    (@worst $severity:ident) => { Severity::$severity };
    (@worst $severity:ident $worst:ident) => { Severity::$worst };
    (@check Engine $module:ident) => { RuleCheck::Engine };
    (@check $level:ident $module:ident) => { RuleCheck::$level($module::check) };
}

rules! {
    missing_frontmatter => "GW101", Error, File;
    unterminated_frontmatter => "GW102", Error, File;
    invalid_yaml => "GW103", Error, File;
    duplicate_key => "GW104", Error, File;
    unknown_key => "GW105", Warning to Error, File;
    missing_key => "GW106", Error, File;
    wrong_type => "GW107", Error, File;
    unknown_word => "GW108", Error, File;
    yaml_trap => "GW109", Warning to Error, File;
    unsupported_yaml => "GW110", Error, File;
    placeholder => "GW111", Error, File;
    not_utf8 => "GW112", Error, File;
    hidden_character => "GW113", Warning, File;
    file_too_large => "GW114", Error, File;
    missing_section => "GW115", Error, Unit;
    empty_section => "GW116", Error, Unit;
    missing_objective => "GW117", Info, Unit;
    unused_suppression => "GW118", Warning, Engine;
    reasonless_suppression => "GW119", Warning, Engine;
    unknown_rule => "GW120", Warning, Workspace;
    missing_plan => "GW123", Error, Feature;
    merge_conflict => "GW124", Error, File;
    unknown_agent => "GW125", Warning, Workspace;
    malformed_comment => "GW126", Warning, Unit;
    idle_setting => "GW127", Warning, Workspace;
    misnamed_file => "GW128", Error, Workspace;

    malformed_id => "GW201", Error, Feature;
    id_mismatch => "GW202", Error, Unit;
    duplicate_id => "GW203", Error, Feature;
    shared_unit_file => "GW204", Error, Feature;
    foreign_id => "GW205", Error, Feature;
    folder_mismatch => "GW206", Warning, Feature;
    missing_roadmap_row => "GW207", Warning, Workspace;
    number_out_of_order => "GW208", Info, Gate;
    file_number_mismatch => "GW209", Info, Unit;
    duplicate_feature_id => "GW210", Error, Workspace;
    gate_number_mismatch => "GW211", Error, Gate;
    closing_id_mismatch => "GW212", Warning, Unit;
    spent_id => "GW213", Error, Feature;

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
    early_closing => "GW314", Warning, Gate;
    needless_chain => "GW315", Info, Gate;
    duplicate_dependency => "GW316", Warning, Feature;
    unreachable_unit => "GW318", Warning, Feature;
    gate_order => "GW320", Warning, Gate;

    done_before_dependency => "GW401", Error, Feature;
    done_feature_open_gate => "GW402", Error, Gate;
    passed_gate_open_unit => "GW403", Error, Gate;
    two_active_features => "GW404", Warning, Workspace;
    misplaced_verdict => "GW405", Warning, Unit;
    human_without_evidence => "GW406", Warning, Unit;
    roadmap_status_mismatch => "GW407", Warning, Workspace;
    changed_after_arming => "GW408", Error, Feature;
    legacy_status => "GW409", Info, Unit;
    done_without_landing => "GW410", Error, Unit;
    open_question => "GW411", Warning, Feature;
    edited_event => "GW412", Error, Feature;

    missing_closing => "GW501", Warning, Gate;
    legacy_closing => "GW502", Warning, Unit;
    mixed_closing => "GW503", Warning, Gate;
    misplaced_closing => "GW504", Error, Gate;
    duplicate_closing => "GW505", Warning, Gate;
    unnamed_guard => "GW506", Warning, Unit;
    closing_number => "GW507", Info, Unit;
    closing_order => "GW509", Warning, Gate;

    no_oracle => "GW601", Error, Unit;
    vacuous_command => "GW602", Error, Workspace;
    editing_command => "GW603", Warning, Workspace;
    build_skipping_command => "GW604", Warning, Workspace;
    unknown_set => "GW605", Error, Unit;
    needs_cycle => "GW606", Error, Workspace;
    unknown_need => "GW607", Error, Workspace;
    same_check_everywhere => "GW609", Warning, Feature;
    unobservable_criterion => "GW610", Warning, Unit;
    missing_oracle_env => "GW611", Info, Unit;
    unknown_requirement => "GW612", Error, Feature;
    uncovered_requirement => "GW613", Warning, Feature;
    requirement_without_command => "GW614", Warning, Feature;
    duplicate_command_name => "GW615", Warning, Workspace;
    unknown_expected_red => "GW616", Error, Unit;
    missing_verification => "GW617", Error, Workspace;
    duplicate_requirement => "GW618", Warning to Error, Feature;
    quoted_feature_dir => "GW621", Warning, Workspace;
    unused_set => "GW622", Error, Workspace;
    grown_known_failures => "GW623", Error, Workspace;
    cases_without_report => "GW624", Error, Workspace;
    report_cut_short => "GW625", Warning, Workspace;
    idle_glob => "GW626", Error, Workspace;

    absolute_path => "GW701", Error, Unit;
    path_leaves_repository => "GW702", Error, Feature;
    directory_path => "GW703", Warning, Unit;
    bare_file_name => "GW704", Warning, Unit;
    contradictory_scope => "GW705", Error, Unit;
    prose_contradiction => "GW706", Warning, Unit;
    case_collision => "GW707", Warning, Feature;
    shell_metacharacter => "GW708", Error, Feature;
    bad_branch_name => "GW709", Error, Feature;
    unsandboxed_without_rationale => "GW710", Error, Unit;
    secret_in_plan => "GW711", Error, File;
    parallel_claim => "GW712", Warning, Gate;
    invalid_glob => "GW713", Error, Unit;
    control_plane_path => "GW714", Warning to Error, Unit;
    missing_touches => "GW715", Info, Unit;
    trunk_branch => "GW716", Warning, Feature;

    too_many_requirements => "GW801", Warning, Unit;
    too_many_criteria => "GW802", Warning, Unit;
    long_body => "GW803", Warning, Unit;
    prompt_over_budget => "GW804", Warning, Unit;
    no_planned_cost => "GW805", Info, Unit;
    plan_total_off => "GW806", Warning, Feature;
    estimate_under_floor => "GW807", Info, Unit;
    gate_budget_under_plan => "GW808", Warning, Gate;
    budget_under_plan => "GW809", Warning, Unit;

    red_check_names_no_test => "GW901", Warning, Unit;
    single_attempt_continue => "GW902", Warning, Unit;
    limit_under_median => "GW903", Warning, Unit;
    idle_over_timeout => "GW904", Warning, Unit;
    zero_limit => "GW905", Warning to Error, Unit;
    command_limit_under_median => "GW906", Warning to Error, Workspace;
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
    crate::model::frontmatter::nearest(word, names.iter().map(String::as_str).chain(codes))
        .map(str::to_owned)
}
