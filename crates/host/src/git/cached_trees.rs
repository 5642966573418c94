//! What follows the entries of the user's index: which of it stays true where some entries are replaced (git's
//! documentation, `gitformat-index`, "Extensions").
//!
//! Deliberately absent: extensions that say something of files beside the entries, such as a monitor's; git keeps those.

use super::git_path::{parent, parent_and_name};
use std::collections::{BTreeMap, BTreeSet};

/// Returns the extensions of an index in which entries of these directories, by their paths from the root and with all that
/// are above them, are replaced;
/// `None` where one of them is not known here.
pub(super) fn kept_extensions(mut stored: &[u8], directories: &BTreeSet<&[u8]>) -> Option<Vec<u8>> {
    let mut kept = Vec::new();
    while !stored.is_empty() {
        let (name, rest) = stored.split_first_chunk::<4>()?;
        let (length, rest) = rest.split_first_chunk::<4>()?;
        let (content, rest) = rest.split_at_checked(u32::from_be_bytes(*length) as usize)?;
        stored = rest;
        match name {
            b"TREE" => {
                let content = without_directories(content, directories)?;
                kept.extend(name);
                kept.extend(u32::try_from(content.len()).ok()?.to_be_bytes());
                kept.extend(content);
            }
            // Where entries begin, which is another place now; git makes them again.
            b"EOIE" | b"IEOT" => {}
            _ => return None,
        }
    }
    Some(kept)
}

/// One directory whose subdirectories are yet to come.
struct OpenDirectory<'d> {
    /// Those of its subdirectories that are taken out, by their names, and their paths from the root.
    taken_out: BTreeMap<&'d [u8], &'d [u8]>,
    left: usize,
}

impl<'d> OpenDirectory<'d> {
    /// Returns a directory, by its path if it is taken out itself: what is below another one stays.
    fn new(path: Option<&[u8]>, left: usize, directories: &BTreeSet<&'d [u8]>) -> Self {
        let is_inside =
            |directory: &&&[u8]| !directory.is_empty() && path == Some(parent(directory));
        let inside = path.map(|_| directories.iter().filter(is_inside));
        let inside = inside.into_iter().flatten();
        OpenDirectory {
            taken_out: inside
                .map(|path| (parent_and_name(path).1, *path))
                .collect(),
            left,
        }
    }
}

/// Returns the trees that are cached, those of some directories taken out.
fn without_directories(mut cached: &[u8], directories: &BTreeSet<&[u8]>) -> Option<Vec<u8>> {
    const OID: usize = 20;
    let mut kept = Vec::with_capacity(cached.len());
    let mut open: Vec<OpenDirectory<'_>> = Vec::new();
    loop {
        let (name, rest) = cached.split_at_checked(memchr::memchr(0, cached)?)?;
        let (line, rest) = rest.split_at_checked(memchr::memchr(b'\n', rest)?)?;
        let line = line.get(1..)?;
        let (count, left) = std::str::from_utf8(line).ok()?.split_once(' ')?;
        let (count, left): (i64, usize) = (count.parse().ok()?, left.parse().ok()?);
        let oid = if count < 0 { 0 } else { OID };
        let (oid, rest) = rest.get(1..)?.split_at_checked(oid)?;
        cached = rest;
        let path = match open.last() {
            None => directories.get(b"".as_slice()).copied(),
            Some(above) => above.taken_out.get(name).copied(),
        };
        kept.extend(name);
        kept.push(0);
        if path.is_none() {
            kept.extend(line);
            kept.push(b'\n');
            kept.extend(oid);
        } else {
            kept.extend(format!("-1 {left}\n").bytes());
        }
        open.push(OpenDirectory::new(path, left, directories));
        while open.last().is_some_and(|directory| directory.left == 0) {
            open.pop();
        }
        match open.last_mut() {
            Some(above) => above.left -= 1,
            None => return cached.is_empty().then_some(kept),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_known_is_kept_and_what_changed_is_taken_out() {
        let tree = |nodes: &[(&str, &str, bool)]| -> Vec<u8> {
            let node = |(name, line, oid): &(&str, &str, bool)| {
                let oid: &[u8] = if *oid { &[7; 20] } else { &[] };
                [name.as_bytes(), b"\0", line.as_bytes(), b"\n", oid].concat()
            };
            nodes.iter().flat_map(node).collect()
        };
        let extension = |name: &[u8; 4], content: &[u8]| -> Vec<u8> {
            let length = u32::try_from(content.len()).unwrap().to_be_bytes();
            [name.as_slice(), &length, content].concat()
        };
        let nodes = [
            ("", "4 2", true),
            ("a", "2 1", true),
            ("b", "1 0", true),
            ("c", "-1 0", false),
        ];
        let whole = extension(b"TREE", &tree(&nodes));
        let mut changed = nodes;
        (changed[0], changed[1]) = (("", "-1 2", false), ("a", "-1 1", false));
        let changed = extension(b"TREE", &tree(&changed));
        let end = extension(b"EOIE", &[1; 24]);
        let directories = BTreeSet::from([b"".as_slice(), b"a", b"a/new"]);
        let rows: [(Vec<u8>, Option<Vec<u8>>); 6] = [
            (Vec::new(), Some(Vec::new())),
            ([whole.clone(), end].concat(), Some(changed)),
            (extension(b"link", &[0; 20]), None),
            (whole[..whole.len() - 1].to_vec(), None),
            (extension(b"TREE", &tree(&nodes[..3])), None),
            (extension(b"TREE", &tree(&nodes[1..])), None),
        ];
        for (stored, want) in rows {
            assert_eq!(kept_extensions(&stored, &directories), want, "{stored:?}");
        }
    }
}
