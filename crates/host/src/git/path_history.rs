//! Which commits changed a file.

use super::git_command::{CommandScope, GitCommand};
use super::{Git, GitPath};
use gatewalk_core::error::Result;
use gatewalk_core::object_id::ObjectId;

/// Stands before each commit in what is read of git.
const COMMIT: u8 = 1;

impl Git {
    /// Returns the commits up to `to` that changed one of these files, newest first, at most `limit`.
    pub fn commits_touching(
        &self,
        to: ObjectId,
        paths: &[GitPath],
        limit: usize,
    ) -> Result<Vec<ObjectId>> {
        let call = GitCommand::new(self, CommandScope::Repository, "rev-list");
        let call = call.arg(format!("--max-count={limit}")).arg(to.hex());
        let call = call.arg("--").args(paths.iter().map(GitPath::as_path));
        let output = call.run()?;
        let lines = output.stdout.split(|byte| *byte == b'\n');
        Ok(lines.filter_map(ObjectId::parse).collect())
    }

    /// Returns the versions of files, by their pathspecs, of which a later commit took lines away, newest first: the commit
    /// before and the path there. Every side of a merge is looked at, and the last `limit` commits are: to find the last
    /// changes of a file, git would read a whole history in which there are none.
    pub(crate) fn versions_cut(
        &self,
        to: ObjectId,
        pathspecs: &[String],
        limit: usize,
    ) -> Result<Vec<(ObjectId, String)>> {
        let call = |name| {
            let call = GitCommand::new(self, CommandScope::Repository, name);
            call.env("GIT_LITERAL_PATHSPECS", "0")
        };
        let list = call("rev-list").arg(format!("--max-count={limit}"));
        let list = list.arg(to.hex()).arg("--").run()?;
        let compare = call("diff-tree").args(["--stdin", "-m", "-r", "-z", "--numstat"]);
        let compare = compare.args(["--format=%x01%P", "--no-renames"]);
        let compare = compare.args(["--no-ext-diff", "--no-textconv", "--"]);
        let output = compare.args(pathspecs).input(&list.stdout).run()?;
        let commits = output.stdout.split(|byte| *byte == COMMIT);
        Ok(commits.flat_map(cut_in).collect())
    }
}

/// Returns what one commit took lines away of, as each of its parents has it.
fn cut_in(commit: &[u8]) -> Vec<(ObjectId, String)> {
    let text = String::from_utf8_lossy(commit);
    let (parents, counts) = text.split_once(['\0', '\n']).unwrap_or((&text, ""));
    let parents = parents
        .split(' ')
        .filter_map(|p| ObjectId::parse(p.as_bytes()));
    let parents: Vec<ObjectId> = parents.collect();
    let cut = counts.split('\0').filter_map(|row| {
        let mut fields = row.trim_start_matches('\n').splitn(3, '\t').skip(1);
        let (removed, path) = (fields.next()?, fields.next()?);
        (removed != "0").then(|| path.to_owned())
    });
    let of_all = |path: String| {
        let at = move |parent: &ObjectId| (*parent, path.clone());
        parents.iter().map(at).collect::<Vec<_>>()
    };
    cut.flat_map(of_all).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_cut_where_a_later_commit_took_lines_of_it() {
        let (a, b) = ("a".repeat(40), "b".repeat(40));
        let id = |hex: &String| ObjectId::parse(hex.as_bytes()).unwrap();
        for (commit, want) in [
            (String::new(), vec![]),
            (format!("{a}\0\n1\t0\tx/log\0"), vec![]),
            (format!("{a}\0\n1\t2\tx/log\0"), vec![(id(&a), "x/log")]),
            (format!("{a}\0\n-\t-\tx/log\0"), vec![(id(&a), "x/log")]),
            (
                format!("{a} {b}\0\n0\t3\tx\ty\0"),
                vec![(id(&a), "x\ty"), (id(&b), "x\ty")],
            ),
            (
                format!("{a}\0\n0\t1\told\0{}\t0\tnew\0", 1),
                vec![(id(&a), "old")],
            ),
        ] {
            let found = cut_in(commit.as_bytes());
            let found: Vec<_> = found.iter().map(|(at, path)| (*at, &**path)).collect();
            assert_eq!(found, want, "{commit:?}");
        }
    }
}
