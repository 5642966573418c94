//! What waits for the user, what is at work, and what could run next: read from a status, decided nowhere else.

use serde_json::Value;

/// One thing that waits for the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AttentionItem {
    pub(crate) feature: String,
    /// The unit, where it is one.
    pub(crate) unit: Option<String>,
    pub(crate) title: String,
    pub(crate) why: String,
    /// RFC 3339; none where the log does not say.
    pub(crate) since: Option<String>,
    /// The one thing to do.
    pub(crate) command: String,
}

/// A feature that nothing keeps from running, or that waits to be armed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NextFeature {
    pub(crate) feature: String,
    pub(crate) title: String,
    pub(crate) command: String,
}

/// What a repository asks of its user.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Attention {
    /// The longest wait first.
    pub(crate) waiting: Vec<AttentionItem>,
    pub(crate) next: Vec<NextFeature>,
}

/// Returns a text of a model; empty where there is none.
pub(crate) fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

/// Returns the items of a list in a model.
pub(crate) fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

/// Returns whether the driver at work drives a feature.
pub(crate) fn is_driven(status: &Value, feature: &str) -> bool {
    let driven = text(&status["driver"], "feature");
    driven.split(", ").any(|name| name == feature)
}

/// Returns whether a feature's plan must be mended before anything else can be done.
pub(crate) fn has_errors(feature: &Value) -> bool {
    text(feature, "next").starts_with("gatewalk lint ")
}

/// Returns what a repository asks of its user.
pub(crate) fn of_repository(status: &Value) -> Attention {
    let mut found = Attention::default();
    for feature in list(status, "features") {
        let is_open = matches!(text(feature, "status"), "active" | "planned");
        if is_open && !is_driven(status, text(feature, "feature")) {
            of_feature(feature, &mut found);
        }
    }
    found
        .waiting
        .sort_by(|a, b| (a.since.is_none(), &a.since).cmp(&(b.since.is_none(), &b.since)));
    found
}

fn of_feature(feature: &Value, found: &mut Attention) {
    let before = found.waiting.len();
    let units = list(feature, "units").iter();
    found
        .waiting
        .extend(units.filter_map(|unit| of_unit(feature, unit)));
    let next = text(feature, "next");
    let gates = list(feature, "gates");
    let at_review = gates
        .iter()
        .find(|g| text(g, "status") == "awaiting_review");
    let item = |why: String| AttentionItem {
        feature: text(feature, "feature").to_owned(),
        unit: None,
        title: title(feature),
        why,
        since: feature["since"].as_str().map(str::to_owned),
        command: next.to_owned(),
    };
    if let Some(gate) = at_review {
        found
            .waiting
            .push(item(format!("gate {} waits for your review", gate["gate"])));
        return;
    }
    if has_errors(feature) {
        found.waiting.push(item("its plan has errors".to_owned()));
        return;
    }
    let runs = next.starts_with("gatewalk loop");
    let is_planned = text(feature, "status") == "planned";
    if next.is_empty() {
        return;
    }
    if runs || is_planned {
        found.next.push(NextFeature {
            feature: text(feature, "feature").to_owned(),
            title: title(feature),
            command: next.to_owned(),
        });
    } else if found.waiting.len() == before {
        found
            .waiting
            .push(item("nothing goes on without you".to_owned()));
    }
}

fn of_unit(feature: &Value, unit: &Value) -> Option<AttentionItem> {
    let id = text(unit, "id");
    let steps = list(feature, "next_steps").iter().filter_map(Value::as_str);
    let (why, command) = match (text(unit, "status"), text(unit, "type")) {
        ("blocked_human", _) => {
            let message = unit["message"].as_str();
            let why = message.unwrap_or(text(unit, "why")).to_owned();
            let mut about = steps.filter(|s| s.contains(id) || s.starts_with("gatewalk answer"));
            let step = about.find(|s| s.starts_with("gatewalk ") && !s.contains(" attempts show "));
            (
                why,
                step.map_or_else(|| format!("gatewalk why {id}"), str::to_owned),
            )
        }
        ("pending", "human") if list(unit, "waiting_for").is_empty() => (
            "only you can do it".to_owned(),
            format!("gatewalk done {id} --evidence \"…\""),
        ),
        _ => return None,
    };
    Some(AttentionItem {
        feature: text(feature, "feature").to_owned(),
        unit: Some(id.to_owned()),
        title: title(unit),
        why,
        since: unit["since"].as_str().map(str::to_owned),
        command,
    })
}

fn title(value: &Value) -> String {
    let id = value["id"].as_str().or(value["feature"].as_str());
    let title = value["title"].as_str().or(id);
    title.unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn feature(name: &str, extra: &Value) -> Value {
        let mut feature = json!({"feature": name, "title": name, "status": "active", "gates": [], "units": [], "next": null, "next_steps": []});
        for (key, value) in extra.as_object().unwrap() {
            feature[key] = value.clone();
        }
        feature
    }

    fn shown(features: &[Value], driver: &Value) -> (Vec<String>, Vec<String>) {
        let found = of_repository(&json!({"driver": driver, "features": features}));
        let waiting = found.waiting.iter().map(|w| {
            let what = w.unit.as_deref().unwrap_or(&w.feature);
            format!("{what}: {} → {}", w.why, w.command)
        });
        let next = found
            .next
            .iter()
            .map(|n| format!("{} → {}", n.feature, n.command));
        (waiting.collect(), next.collect())
    }

    #[test]
    fn what_waits_longest_stands_first_with_the_one_thing_to_do() {
        let parked = feature(
            "F1",
            &json!({"next": "gatewalk attempts show F1/T01", "next_steps": ["gatewalk attempts show F1/T01", "gatewalk unblock F1/T01 --reason \"…\""],
            "units": [
                {"id": "F1/T01", "status": "blocked_human", "type": "implementation", "why": "attempts_used", "message": "red", "since": "2026-02-02"},
                {"id": "F1/T02", "status": "pending", "type": "human", "waiting_for": []},
                {"id": "F1/T03", "status": "pending", "type": "human", "waiting_for": ["F1/T02"]},
            ]}),
        );
        let gate = feature(
            "F2",
            &json!({"since": "2026-01-01", "next": "gatewalk review F2", "gates": [{"gate": 1, "status": "awaiting_review"}]}),
        );
        let (waiting, next) = shown(&[parked, gate], &Value::Null);
        assert_eq!(
            waiting,
            [
                "F2: gate 1 waits for your review → gatewalk review F2",
                "F1/T01: red → gatewalk unblock F1/T01 --reason \"…\"",
                "F1/T02: only you can do it → gatewalk done F1/T02 --evidence \"…\"",
            ]
        );
        assert!(next.is_empty());
    }

    #[test]
    fn what_runs_or_can_run_does_not_ask_for_you() {
        let ready = feature("F1", &json!({"next": "gatewalk loop --feature F1"}));
        let planned = feature(
            "F2",
            &json!({"status": "planned", "next": "gatewalk arm F2"}),
        );
        let driven = feature("F3", &json!({"next": "gatewalk review F3"}));
        let rests = feature(
            "F4",
            &json!({"status": "deferred", "next": "gatewalk reopen F4"}),
        );
        let broken = feature("F5", &json!({"next": "gatewalk lint x"}));
        let unread = feature(
            "F6",
            &json!({"status": "planned", "next": "gatewalk lint y"}),
        );
        let all = [ready, planned, driven, rests, broken, unread];
        let (waiting, next) = shown(&all, &json!({"feature": "F0, F3"}));
        assert_eq!(
            waiting,
            [
                "F5: its plan has errors → gatewalk lint x",
                "F6: its plan has errors → gatewalk lint y",
            ]
        );
        assert_eq!(
            next,
            ["F1 → gatewalk loop --feature F1", "F2 → gatewalk arm F2"]
        );
    }
}
