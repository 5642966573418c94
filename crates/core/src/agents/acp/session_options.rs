//! What a new session offers to choose: its mode, its model, how much it thinks.

use serde_json::{Value, json};

/// Modes that write without asking, by the ids that programs give them; the freest first. The slot, the guards and the
/// oracle stand in for what they leave out.
const FREE: &[&str] = &[
    "bypassPermissions",
    "full-access",
    "yolo",
    "auto",
    "acceptEdits",
    "auto-edit",
    "autoEdit",
    "auto_edit",
    "build",
    "code",
    "agent",
    "default",
];
/// Words of modes that write nothing.
const READS: &[&str] = &["read", "plan", "ask", "architect", "review", "chat"];

/// A request that chooses something: its method and its parameters.
pub(super) type OptionRequest = (&'static str, Value);

/// Returns how to choose a mode that may write, where the session is in one that may not, or has a freer one.
pub(super) fn mode(session: &Value, result: &Value) -> Option<OptionRequest> {
    if let Some(option) = option_of(result, "mode") {
        let value = freer(&option["currentValue"], &ids(&option["options"], "value"))?;
        return Some(set_option(session, option, &value));
    }
    let modes = result.get("modes")?;
    let mode = freer(
        &modes["currentModeId"],
        &ids(&modes["availableModes"], "id"),
    )?;
    Some((
        "session/set_mode",
        json!({"sessionId": session, "modeId": mode}),
    ))
}

/// Returns how to choose a model.
pub(super) fn model(session: &Value, result: &Value, model: &str) -> OptionRequest {
    match option_of(result, "model") {
        Some(option) => set_option(session, option, model),
        None => (
            "session/set_model",
            json!({"sessionId": session, "modelId": model}),
        ),
    }
}

/// Returns how to choose an effort, where the session has such an option with that value.
pub(super) fn effort(session: &Value, result: &Value, effort: &str) -> Option<OptionRequest> {
    let option = option_of(result, "thought_level")?;
    let known = ids(&option["options"], "value");
    let wanted = [effort, if effort == "max" { "xhigh" } else { effort }];
    let value = wanted
        .into_iter()
        .find(|value| known.iter().any(|k| k == value))?;
    Some(set_option(session, option, value))
}

fn set_option(session: &Value, option: &Value, value: &str) -> OptionRequest {
    (
        "session/set_config_option",
        json!({"sessionId": session, "configId": option["id"], "value": value}),
    )
}

fn option_of<'v>(result: &'v Value, category: &str) -> Option<&'v Value> {
    let options = result.get("configOptions")?.as_array()?;
    options
        .iter()
        .find(|option| option["category"] == category || option["id"] == category)
}

/// Returns the ids of a list, and of the groups in it.
fn ids(list: &Value, key: &str) -> Vec<String> {
    let items = list.as_array().map_or(&[][..], Vec::as_slice);
    let one = |item: &Value| match item[key].as_str() {
        Some(id) => vec![id.to_owned()],
        None => ids(&item["options"], key),
    };
    items.iter().flat_map(one).collect()
}

/// Returns the freest mode there is, unless the present one is as free.
fn freer(present: &Value, known: &[String]) -> Option<String> {
    let rank = |id: &str| FREE.iter().position(|free| *free == id);
    let present = present.as_str().unwrap_or_default();
    let reads = |id: &str| READS.iter().any(|word| id.to_lowercase().contains(word));
    let best = known
        .iter()
        .filter(|id| rank(id).is_some())
        .min_by_key(|id| rank(id));
    let best = best.or_else(|| known.iter().find(|id| reads(present) && !reads(id)));
    best.filter(|id| *id != present).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_freest_mode_is_chosen_and_a_free_one_is_left() {
        for (present, known, want) in [
            (
                "read-only",
                &["read-only", "auto", "full-access"][..],
                Some("full-access"),
            ),
            (
                "default",
                &["default", "acceptEdits", "plan", "bypassPermissions"],
                Some("bypassPermissions"),
            ),
            (
                "default",
                &["default", "autoEdit", "yolo", "plan"],
                Some("yolo"),
            ),
            ("build", &["build", "plan"], None),
            ("plan", &["build", "plan"], Some("build")),
            ("ask", &["ask", "write"], Some("write")),
            ("write", &["ask", "write"], None),
            ("yolo", &["default", "yolo"], None),
            ("", &[], None),
        ] {
            let list: Vec<Value> = known.iter().map(|id| json!({"id": id})).collect();
            let result = json!({"modes": {"currentModeId": present, "availableModes": list}});
            let got = mode(&json!("s"), &result);
            let want = want.map(|id| ("session/set_mode", json!({"sessionId": "s", "modeId": id})));
            assert_eq!(got, want, "{present} of {known:?}");
        }
    }

    #[test]
    fn options_are_preferred_to_what_they_replace() {
        let result = json!({
            "modes": {"currentModeId": "read-only", "availableModes": [{"id": "auto"}]},
            "configOptions": [
                {"id": "m", "category": "mode", "currentValue": "read-only", "options": [{"value": "read-only"}, {"value": "full-access"}]},
                {"id": "t", "category": "thought_level", "options": [{"options": [{"value": "low"}, {"value": "xhigh"}]}]},
            ],
        });
        let session = json!("s");
        let set = |id: &str, value: &str| {
            let params = json!({"sessionId": "s", "configId": id, "value": value});
            Some(("session/set_config_option", params))
        };
        assert_eq!(mode(&session, &result), set("m", "full-access"));
        for (asked, want) in [
            ("low", set("t", "low")),
            ("max", set("t", "xhigh")),
            ("high", None),
        ] {
            assert_eq!(effort(&session, &result, asked), want, "{asked}");
        }
        assert_eq!(effort(&session, &json!({}), "low"), None);
        assert_eq!(mode(&session, &json!({})), None);
    }
}
