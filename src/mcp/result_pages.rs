//! A long result a page at a time: clients cut what is longer than they take, and half of a JSON text is none.

use serde_json::{Value, json};

/// About the most bytes of a page.
const PAGE: usize = 60_000;

/// Returns a page of a result, counted from 1, or the sentence that says there is none.
///
/// A JSON object has its longest list in shares, and says in `page` which part it is. Other text is cut between lines.
pub(super) fn page_of(text: &str, number: usize) -> Result<String, String> {
    if text.len() <= PAGE && number == 1 {
        return Ok(text.to_owned());
    }
    let pages = match serde_json::from_str::<Value>(text) {
        Ok(value) if value.is_object() => object_pages(value),
        _ => text_pages(text),
    };
    let none = || format!("there is no page {number}: the result has {}", pages.len());
    pages.get(number.wrapping_sub(1)).cloned().ok_or_else(none)
}

/// Returns the pages of an object.
fn object_pages(mut value: Value) -> Vec<String> {
    let Some(place) = longest_list(&value, PAGE) else {
        return text_pages(&value.to_string());
    };
    let list = value.pointer_mut(&place).map(Value::take);
    let Some(Value::Array(items)) = list else {
        return text_pages(&value.to_string());
    };
    let room = PAGE.saturating_sub(value.to_string().len()).max(PAGE / 4);
    let shares = shares(items, room);
    let of = shares.len();
    let page = |(index, share): (usize, Vec<Value>)| {
        let mut page = value.clone();
        if let Some(list) = page.pointer_mut(&place) {
            *list = Value::Array(share);
        }
        page["page"] = json!({"number": index + 1, "of": of, "list": place});
        page.to_string()
    };
    shares.into_iter().enumerate().map(page).collect()
}

/// Returns where the longest list is: inside an item where one item is most of a list.
fn longest_list(value: &Value, most: usize) -> Option<String> {
    let entries: Vec<(String, &Value)> = match value {
        Value::Object(entries) => entries.iter().map(|(k, v)| (escaped(k), v)).collect(),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .map(|(at, item)| (at.to_string(), item))
            .collect(),
        _ => return None,
    };
    let sized = entries
        .into_iter()
        .map(|(key, value)| (value.to_string().len(), key, value));
    let (size, key, inner) = sized.max_by_key(|(size, ..)| *size)?;
    let deeper = || Some(format!("/{key}{}", longest_list(inner, most)?));
    match inner {
        Value::Array(items) => {
            let largest = items.iter().map(|item| item.to_string().len()).max();
            match largest {
                Some(largest) if largest > most => deeper().or(Some(format!("/{key}"))),
                _ if size > most / 4 => Some(format!("/{key}")),
                _ => None,
            }
        }
        _ => deeper(),
    }
}

/// Returns a key as it stands in a JSON pointer.
fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// Returns items in shares of at most so many bytes, each of at least one item.
fn shares(items: Vec<Value>, room: usize) -> Vec<Vec<Value>> {
    let mut shares: Vec<Vec<Value>> = vec![vec![]];
    let mut used = 0;
    for item in items {
        let size = item.to_string().len() + 1;
        if used + size > room && used > 0 {
            shares.push(vec![]);
            used = 0;
        }
        used += size;
        shares.last_mut().expect("one at least").push(item);
    }
    shares
}

/// Returns text in pages, cut between lines where it can be.
fn text_pages(text: &str) -> Vec<String> {
    let mut pages = Vec::new();
    let mut rest = text;
    while rest.len() > PAGE {
        let most = (0..=PAGE)
            .rfind(|at| rest.is_char_boundary(*at))
            .unwrap_or(0);
        let end = rest[..most].rfind('\n').map_or(most, |at| at + 1);
        pages.push(&rest[..end]);
        rest = &rest[end..];
    }
    pages.push(rest);
    let of = pages.len();
    let ending = |(index, page): (usize, &str)| match index + 1 {
        last if last == of => page.to_owned(),
        number => format!("{page}\n(page {number} of {of})"),
    };
    pages.into_iter().enumerate().map(ending).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<String> {
        (1..).map_while(|n| page_of(text, n).ok()).collect()
    }

    #[test]
    fn every_page_of_an_object_is_one_and_together_they_are_all_of_it() {
        let unit = |n: usize| json!({"id": n, "title": "x".repeat(90)});
        let units: Vec<Value> = (0..3000).map(unit).collect();
        for (value, place) in [
            (json!({"units": units, "next": "a"}), "/units"),
            (
                json!({"features": [{"feature": "F", "units": units}], "driver": null}),
                "/features/0/units",
            ),
            (json!({"a/b": {"c~": units}}), "/a~1b/c~0"),
        ] {
            let pages = all(&value.to_string());
            assert!(pages.len() > 4 && pages.iter().all(|page| page.len() < PAGE + 1000));
            let mut joined = Vec::new();
            for (index, page) in pages.iter().enumerate() {
                let page: Value = serde_json::from_str(page).unwrap();
                let want = json!({"number": index + 1, "of": pages.len(), "list": place});
                assert_eq!(page["page"], want);
                joined.extend(page.pointer(place).unwrap().as_array().unwrap().clone());
            }
            assert_eq!(joined, units);
        }
    }

    #[test]
    fn text_is_cut_between_lines_and_a_short_result_not_at_all() {
        let text = "é line\n".repeat(20_000);
        let pages = all(&text);
        assert!(pages.len() > 2);
        let whole: String = pages
            .iter()
            .map(|page| {
                page.rsplit_once("\n(page")
                    .map_or(&**page, |(text, _)| text)
            })
            .collect();
        assert_eq!(whole, text);
        assert_eq!(page_of("{}", 1).as_deref(), Ok("{}"));
        assert_eq!(
            page_of("{}", 2),
            Err("there is no page 2: the result has 1".to_owned())
        );
        assert!(page_of("x", 0).is_err());
        // One item alone, and one text without lines, still have pages.
        let one = json!({"text": "é".repeat(PAGE)}).to_string();
        assert!(all(&one).len() > 1);
        let large = json!({"list": ["x".repeat(2 * PAGE), "y"]}).to_string();
        assert_eq!(all(&large).len(), 2);
    }
}
