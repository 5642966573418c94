//! The member of a JSON text with which a change of it begins to be refused: such a text is nothing until it is whole, so its
//! members join one by one, not its lines.

use crate::engine::changed_file::ChangedFile;
use serde_json::{Map, Value};

/// Where a member stands: in the new text or, where it is gone, in the old one.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RefusedMember {
    /// Counted from 0.
    pub(super) line: usize,
    pub(super) is_gone: bool,
}

/// Returns the member that alone has a change refused, as deep as one can be told.
pub(super) fn deciding_member(
    pair: &ChangedFile<'_>,
    mut is_refused: impl FnMut(&ChangedFile<'_>) -> bool,
) -> Option<RefusedMember> {
    let object = |bytes: Option<&[u8]>| match bytes {
        Some(bytes) => serde_json::from_slice::<Map<String, Value>>(bytes).ok(),
        None => Some(Map::new()),
    };
    let (old, new) = (object(pair.old)?, object(pair.new)?);
    let mut way: Vec<String> = vec![];
    while let (Some(before), Some(after)) = (at(&old, &way), at(&new, &way)) {
        let keys = after.keys().chain(before.keys());
        let mut changed = keys.filter(|key| before.get(*key) != after.get(*key));
        let found = changed.find(|key| {
            let text = with_member(&old, &way, key, after.get(*key)).to_string();
            is_refused(&ChangedFile {
                new: Some(text.as_bytes()),
                ..*pair
            })
        });
        let Some(key) = found else {
            break;
        };
        way.push(key.clone());
    }
    let (last, above) = way.split_last()?;
    let is_gone = at(&new, above).is_none_or(|object| !object.contains_key(last));
    let text = String::from_utf8_lossy(if is_gone { pair.old? } else { pair.new? });
    let mut names = way
        .iter()
        .map(|key| format!("{}:", Value::from(key.as_str())));
    let mut name = names.next();
    let line = text.lines().position(|line| {
        let plain: String = line.chars().filter(|c| !c.is_whitespace()).collect();
        while name
            .as_ref()
            .is_some_and(|name| plain.contains(&name.replace(' ', "")))
        {
            name = names.next();
        }
        name.is_none()
    })?;
    Some(RefusedMember { line, is_gone })
}

/// Returns the object at the end of a way of keys.
fn at<'v>(root: &'v Map<String, Value>, way: &[String]) -> Option<&'v Map<String, Value>> {
    way.iter()
        .try_fold(root, |object, key| object.get(key)?.as_object())
}

/// Returns an object with a member as it is elsewhere.
fn with_member(
    root: &Map<String, Value>,
    way: &[String],
    key: &str,
    value: Option<&Value>,
) -> Value {
    let mut whole = Value::Object(root.clone());
    let object = way
        .iter()
        .try_fold(&mut whole, |object, key| object.get_mut(key));
    if let Some(object) = object.and_then(Value::as_object_mut) {
        match value {
            Some(value) => object.insert(key.to_owned(), value.clone()),
            None => object.shift_remove(key),
        };
    }
    whole
}
