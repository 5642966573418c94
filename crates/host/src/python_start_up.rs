//! Files that any Python of the user's runs as it starts, whatever it is started for.

use crate::isolation::MovedPlaces;
use std::path::PathBuf;

/// Returns those below the home that are there now.
pub(crate) fn files(moved: &MovedPlaces) -> Vec<PathBuf> {
    let entries = |directory: PathBuf| {
        let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
        entries.map(|entry| entry.path())
    };
    // A path file may hold code; one that only names directories takes no module's place.
    let holds_code = |path: &PathBuf| {
        let lines = |text: &[u8]| {
            let mut lines = text.split(|byte| *byte == b'\n');
            lines.any(|line| line.starts_with(b"import"))
        };
        path.extension().is_some_and(|end| end == "pth")
            && std::fs::read(path).is_ok_and(|text| lines(&text))
    };
    let starts = |path: &PathBuf| {
        let names = ["usercustomize", "sitecustomize"];
        path.file_stem()
            .is_some_and(|stem| names.iter().any(|name| stem == *name))
            || holds_code(path)
    };
    let versions = moved.home().map(|home| home.join(".local/lib"));
    let versions = versions.into_iter().flat_map(entries);
    versions
        .flat_map(|version| entries(version.join("site-packages")))
        .filter(starts)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_python_runs_as_it_starts_is_found_wherever_it_appears() {
        let home = tempfile::tempdir().unwrap();
        let moved = MovedPlaces::of(&[("HOME".into(), home.path().into())]);
        assert_eq!(files(&moved), Vec::<PathBuf>::new());
        let packages = home.path().join(".local/lib/python3.12/site-packages");
        std::fs::create_dir_all(packages.join("sitecustomize")).unwrap();
        for (name, text) in [
            ("usercustomize.py", ""),
            ("x.pth", "/somewhere\nimport os; os._exit(0)\n"),
            ("plain.pth", "/somewhere\n"),
            ("module.py", "import os\n"),
        ] {
            std::fs::write(packages.join(name), text).unwrap();
        }
        let mut found = files(&moved);
        found.sort();
        let want = ["sitecustomize", "usercustomize.py", "x.pth"].map(|name| packages.join(name));
        assert_eq!(found, want);
    }
}
