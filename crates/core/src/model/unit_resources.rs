//! What a unit asks of the machine its sessions run on; a runner's command line is filled with it.

use super::frontmatter::{FromYaml, Note, Shape, front, table_from_yaml, wrong_type};
use super::yaml::Node;

front! {
    /// What a unit asks of a machine.
    pub struct UnitResources keeps &[] => {
        /// Processors: `{cpus}` in a runner's command.
        cpus = "cpus": u32 [Author],
        /// Memory, as `8G` or `512M`: `{memory_mb}` in a runner's command.
        memory = "memory": MemorySize [Author],
        /// Minutes an engine must grant: `{minutes}`; the unit's `timeout` and ten more when absent.
        minutes = "minutes": u32 [Author],
        /// Graphics processors: `{gpu}`.
        gpu = "gpu": u32 [Author],
    }
}
table_from_yaml!(UnitResources);

/// An amount of memory, in megabytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemorySize(pub u32);

impl FromYaml for MemorySize {
    const SHAPE: Shape = Shape::Text;

    fn from_yaml(node: &Node, key: &str, notes: &mut Vec<Note>) -> Option<Self> {
        node.as_str()
            .and_then(megabytes)
            .map(MemorySize)
            .or_else(|| wrong_type(node, key, "an amount such as `8G` or `512M`", notes))
    }
}

/// Reads `512M`, `8G`, `1T`.
fn megabytes(text: &str) -> Option<u32> {
    let text = text.trim();
    let units = [("M", 1), ("G", 1024), ("T", 1024 * 1024)];
    let (number, unit) = units
        .iter()
        .find_map(|(letter, unit)| Some((text.strip_suffix(letter)?, *unit)))?;
    let digits = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    let number: u32 = number.parse().ok().filter(|_| digits)?;
    number.checked_mul(unit).filter(|size| *size > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_has_a_unit_and_fits() {
        let rows = [
            ("512M", Some(512)),
            ("8G", Some(8192)),
            (" 1T ", Some(1_048_576)),
            ("8", None),
            ("G", None),
            ("0G", None),
            ("+1G", None),
            ("1.5G", None),
            ("4097T", None),
        ];
        for (text, want) in rows {
            assert_eq!(megabytes(text), want, "{text}");
        }
    }
}
