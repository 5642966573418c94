//! Units of a graph that wait for each other in a circle.

use super::feature::Feature;
use std::collections::{BTreeSet, HashMap};

impl Feature {
    /// Returns cycles of the graph that share no edge, each as ids with the first repeated at the
    /// end, edges from a unit to itself left out; at most twenty.
    pub(crate) fn cycles(&self) -> Vec<Vec<String>> {
        let mut edges = self.edges();
        for (id, to) in &mut edges {
            to.retain(|target| target != id);
        }
        let mut cycles = Vec::new();
        while let Some(cycle) = self.find_cycle(&edges).filter(|_| cycles.len() < 20) {
            for pair in cycle.windows(2) {
                if let Some(to) = edges.get_mut(pair[0]) {
                    to.retain(|target| *target != pair[1]);
                }
            }
            cycles.push(cycle.into_iter().map(str::to_owned).collect());
        }
        cycles
    }

    fn edges(&self) -> HashMap<&str, Vec<&str>> {
        self.members()
            .map(|m| {
                let to = m.node.depends_on.iter().map(|d| d.value.as_str()).collect();
                (m.node.id.value.as_str(), to)
            })
            .collect()
    }

    fn find_cycle<'a>(&'a self, edges: &HashMap<&'a str, Vec<&'a str>>) -> Option<Vec<&'a str>> {
        let mut settled: BTreeSet<&str> = BTreeSet::new();
        self.members()
            .find_map(|m| walk_for_cycle(&m.node.id.value, edges, &mut settled))
    }
}

/// Depth-first search without recursion, so that a long chain cannot exhaust the stack.
fn walk_for_cycle<'a>(
    start: &'a str,
    edges: &HashMap<&'a str, Vec<&'a str>>,
    settled: &mut BTreeSet<&'a str>,
) -> Option<Vec<&'a str>> {
    let mut path: Vec<(&str, usize)> = vec![(start, 0)];
    let mut on_path: BTreeSet<&str> = BTreeSet::from([start]);
    while let Some((id, next)) = path.last_mut() {
        let targets = edges.get(id).map_or(&[][..], Vec::as_slice);
        let Some(target) = targets.get(*next).copied() else {
            let (id, _) = path.pop().expect("the loop's condition");
            on_path.remove(id);
            settled.insert(id);
            continue;
        };
        *next += 1;
        if on_path.contains(target) {
            let from = path.iter().position(|(id, _)| *id == target).unwrap_or(0);
            let mut cycle: Vec<&str> = path[from..].iter().map(|(id, _)| *id).collect();
            cycle.push(target);
            return Some(cycle);
        }
        if !settled.contains(target) && edges.contains_key(target) {
            path.push((target, 0));
            on_path.insert(target);
        }
    }
    None
}
