//! Many files that are looked for in one source of the product after the other. What they have in common is asked once for
//! all of them, and their own names by the words of each source: the work grows with the files and the sources, not with
//! each of the one for each of the other.

use super::name_pattern::words_of;
use super::product_reads::{ProductReads, ProductText};
use std::collections::HashMap;

/// Files, each known by its place in the list that was given, and the sources found to read them.
pub(crate) struct SoughtFiles<'f> {
    files: Vec<SoughtFile<'f>>,
    /// Files by a word of each of their names, the one that the fewest have.
    by_word: HashMap<&'f str, Vec<usize>>,
    /// Files with a name that has no word.
    wordless: Vec<usize>,
    /// One file for those that a source comes by together.
    kinds: Vec<&'f ProductReads>,
    /// The sources that read all files of each kind.
    readers_of_kind: Vec<Vec<usize>>,
}

struct SoughtFile<'f> {
    reads: &'f ProductReads,
    kind: Option<usize>,
    readers: Vec<usize>,
}

impl<'f> SoughtFiles<'f> {
    pub(crate) fn of(files: impl Iterator<Item = &'f ProductReads>) -> SoughtFiles<'f> {
        let mut numbers = HashMap::new();
        let mut kinds = Vec::new();
        let files = files.map(|reads| {
            let kind = reads.shared_kind().map(|key| {
                *numbers.entry(key).or_insert_with(|| {
                    kinds.push(reads);
                    kinds.len() - 1
                })
            });
            SoughtFile {
                reads,
                kind,
                readers: vec![],
            }
        });
        let files: Vec<SoughtFile<'f>> = files.collect();
        let (by_word, wordless) = index(&files);
        SoughtFiles {
            files,
            by_word,
            wordless,
            readers_of_kind: vec![vec![]; kinds.len()],
            kinds,
        }
    }

    /// Looks for all of them in a source; returns whether it reads one. `number` stands for the source later on.
    pub(crate) fn look_in(&mut self, source: &ProductText<'_>, number: usize) -> bool {
        let mut found = false;
        for (kind, readers) in self.kinds.iter().zip(&mut self.readers_of_kind) {
            if kind.is_kind_read_in(source) {
                readers.push(number);
                found = true;
            }
        }
        let said = source.words().iter();
        let by_word = said.filter_map(|word| self.by_word.get(word)).flatten();
        for at in by_word.chain(&self.wordless) {
            let file = &mut self.files[*at];
            if file.readers.last() != Some(&number) && file.reads.is_called_in(source) {
                file.readers.push(number);
                found = true;
            }
        }
        found
    }

    /// Returns the numbers of the sources that read a file.
    pub(crate) fn readers(&self, at: usize) -> impl Iterator<Item = usize> {
        let file = &self.files[at];
        let of_kind = file.kind.map(|kind| &self.readers_of_kind[kind]);
        let readers = file.readers.iter().chain(of_kind.into_iter().flatten());
        readers.copied()
    }
}

fn index<'f>(files: &[SoughtFile<'f>]) -> (HashMap<&'f str, Vec<usize>>, Vec<usize>) {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for word in files
        .iter()
        .flat_map(|file| file.reads.names())
        .flat_map(words_of)
    {
        *counts.entry(word).or_default() += 1;
    }
    let (mut by_word, mut wordless) = (HashMap::<_, Vec<usize>>::new(), Vec::new());
    for (at, file) in files.iter().enumerate() {
        for name in file.reads.names() {
            match words_of(name).min_by_key(|word| counts[word]) {
                Some(rarest) => by_word.entry(rarest).or_default().push(at),
                None => wordless.push(at),
            }
        }
    }
    (by_word, wordless)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files of two kinds, some with the words of others, one with none.
    const FILES: [&str; 9] = [
        "cases/step-1.txt",
        "cases/step-2.txt",
        "cases/1.txt",
        "steps/step-1.txt",
        "steps/a.b.yml",
        "top.json",
        "lib/same.js",
        "lib/größe.py",
        "cases/.-",
    ];

    #[test]
    fn each_file_is_found_where_it_is_found_alone() {
        let reads: Vec<ProductReads> = FILES.iter().map(|path| ProductReads::of(path)).collect();
        let sources = [
            ("a.py", "open('step-1.txt')"),
            ("a.py", "open('cases/' + name)"),
            ("a.py", "step = 1; two = 2"),
            ("a.py", "name.endswith('.txt')"),
            ("a.js", "require('./same'); require(\"a\")"),
            ("steps/a.py", "open(dirname(__file__))"),
            ("a.py", "import größe"),
            ("a.py", "a = [\"\", 'top.json', 'x.yaml']"),
            ("etc/a.yml", "at: cases\n"),
            ("lib/same.js", "exports.x = 'same'"),
        ];
        let mut sought = SoughtFiles::of(reads.iter());
        for (number, (path, text)) in sources.iter().enumerate() {
            let source = ProductText::new(path, text);
            let found = sought.look_in(&source, number);
            let alone: Vec<bool> = reads.iter().map(|file| file.is_read_in(&source)).collect();
            assert_eq!(found, alone.contains(&true), "{text}");
            let mut together = (0..FILES.len()).map(|at| sought.readers(at));
            let together: Vec<bool> = together
                .by_ref()
                .map(|mut by| by.any(|by| by == number))
                .collect();
            assert_eq!(together, alone, "{path}: {text}");
        }
    }
}
