//! A source that speaks for a file: whether it is the product's, or a loader that only tests use, beside the product.

use super::code_paths::{OF_PRODUCT, is_code};
use super::judge_references::names_one;
use super::judging_chain::stem;
use super::name_pattern::NamePattern;
use super::product_reads;
use crate::path_names::{extension, file_name, parent};
use std::collections::BTreeSet;

#[derive(Debug)]
pub(crate) struct SpeakingSource {
    pub(crate) path: String,
    /// The name that it is imported by.
    name: String,
    imported: NamePattern,
    /// Whether something but tests shows that it is the product's.
    pub(crate) is_product: bool,
    /// Whether a judge imports it together with another source.
    only_beside: bool,
}

impl SpeakingSource {
    /// `sources` are the names of the product's sources.
    pub(crate) fn of(path: &str, text: &str, sources: &BTreeSet<&str>) -> SpeakingSource {
        const INSIDE: [&str; 3] = ["__init__", "index", "mod"];
        let directory = file_name(parent(path));
        let name = match stem(path) {
            own if INSIDE.contains(&own) => directory,
            own => own,
        };
        let placed = path.split('/').any(|part| OF_PRODUCT.contains(&part));
        // A package of Go is one source.
        let known = placed || !is_code(path) || extension(path) == "go";
        SpeakingSource {
            path: path.to_owned(),
            name: name.to_owned(),
            imported: product_reads::import_pattern(name),
            is_product: known || names_one(text, &without(sources, name)),
            only_beside: false,
        }
    }

    /// Takes in another source of the product.
    pub(crate) fn hears_product(&mut self, path: &str, text: &str) {
        self.is_product |= path != self.path && self.imported.is_match(text);
    }

    /// Takes in a test or a script that judges.
    pub(crate) fn hears_judge(&mut self, text: &str, sources: &BTreeSet<&str>) {
        if !self.is_product && self.imported.is_match(text) {
            match names_one(text, &without(sources, &self.name)) {
                true => self.only_beside = true,
                false => self.is_product = true,
            }
        }
    }

    /// Returns whether its word counts.
    pub(crate) fn speaks(&self) -> bool {
        self.is_product || !self.only_beside
    }
}

fn without<'a>(sources: &BTreeSet<&'a str>, name: &str) -> BTreeSet<&'a str> {
    let others = sources.iter().copied();
    others.filter(|source| *source != name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loader_that_only_tests_use_beside_the_product_speaks_for_nothing() {
        let sources = BTreeSet::from(["calc", "loader", "tax"]);
        for (path, text, product, judge, want) in [
            ("loader.py", "open('x')", "", "import calc, loader", false),
            (
                "vectors/__init__.py",
                "open('x')",
                "",
                "import calc\nimport vectors",
                false,
            ),
            ("loader.py", "open('x')", "", "import loader", true),
            (
                "loader.py",
                "open('x')",
                "import loader",
                "import calc, loader",
                true,
            ),
            ("loader.py", "import tax", "", "import calc, loader", true),
            (
                "src/loader.py",
                "open('x')",
                "",
                "import calc, loader",
                true,
            ),
            ("bin/loader", "open('x')", "", "import calc, loader", true),
            ("loader.py", "open('x')", "", "import calc", true),
        ] {
            let mut source = SpeakingSource::of(path, text, &sources);
            source.hears_product("calc.py", product);
            source.hears_judge(judge, &sources);
            assert_eq!(source.speaks(), want, "{path}: {text}, {product}, {judge}");
        }
    }
}
