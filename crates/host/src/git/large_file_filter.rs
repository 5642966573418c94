//! The filter of git-lfs as one process for all files of a call of git (gitattributes, "Long Running Filter Process").
//!
//! A file is written out of git-lfs's store, or stays the pointer it is. It is stored as git-lfs does it, or, where the
//! user's configuration names something else than plain git-lfs, by that.

use super::lfs_pointers::{lfs_content, store_content};
use super::packet_lines::{read_bytes, read_list, write_flush, write_line, write_reader};
use gatewalk_core::engine::oracle::shell_quote;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Writes and stores files of git-lfs.
#[derive(Debug)]
pub struct LargeFileFilter {
    /// Where git-lfs keeps files.
    pub storage: PathBuf,
    /// The command line that stores one, with `%f` for its path, where that is not plain git-lfs.
    pub clean: Option<String>,
}

impl LargeFileFilter {
    /// Answers git until it closes its end.
    pub fn serve(&self, input: &mut impl Read, output: &mut impl Write) -> io::Result<()> {
        // What git is and can do: version 2, which every git that knows processes speaks.
        read_list(input)?;
        answer(output, &["git-filter-server", "version=2"])?;
        read_list(input)?;
        answer(output, &["capability=clean", "capability=smudge"])?;
        while let Some(request) = read_list(input)? {
            let value = |key: &[u8]| request.iter().find_map(|line| line.strip_prefix(key));
            let path = value(b"pathname=").unwrap_or_default();
            let content = read_bytes(input)?;
            let done = match value(b"command=") {
                Some(b"smudge") => self.write_out(&content, output),
                Some(b"clean") => match self.store(path, content) {
                    Ok(stored) => send(&mut &*stored, output),
                    Err(_) => answer(output, &["status=error"]),
                },
                _ => answer(output, &["status=error"]),
            };
            done?;
        }
        Ok(())
    }

    fn write_out(&self, stored: &[u8], output: &mut impl Write) -> io::Result<()> {
        let file = lfs_content(&self.storage, stored).and_then(|path| File::open(path).ok());
        match file {
            Some(mut file) => send(&mut file, output),
            None => send(&mut &*stored, output),
        }
    }

    /// Returns what is stored in place of a file. What the program complains of goes where git's complaints go.
    fn store(&self, path: &[u8], content: Vec<u8>) -> io::Result<Vec<u8>> {
        let Some(clean) = &self.clean else {
            return store_content(&self.storage, content);
        };
        let path = String::from_utf8_lossy(path);
        let mut child = Command::new("sh")
            .arg("-c")
            .arg(clean.replace("%f", &shell_quote(&path)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut stdin = child.stdin.take();
        // The program may answer before it has read everything, or read nothing.
        let writer =
            std::thread::spawn(move || stdin.as_mut().map(|pipe| pipe.write_all(&content)));
        let output = child.wait_with_output()?;
        drop(writer.join());
        if output.status.success() {
            Ok(output.stdout)
        } else {
            Err(io::Error::other("the program that stores files failed"))
        }
    }
}

fn answer(output: &mut impl Write, lines: &[&str]) -> io::Result<()> {
    for line in lines {
        write_line(output, line)?;
    }
    write_flush(output)?;
    output.flush()
}

/// Sends a file's content, and that all of it came.
fn send(content: &mut impl Read, output: &mut impl Write) -> io::Result<()> {
    answer(output, &["status=success"])?;
    write_reader(output, content)?;
    write_flush(output)?;
    answer(output, &[])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(lines: &[&str], content: &[u8]) -> Vec<u8> {
        let mut sent = Vec::new();
        answer(&mut sent, lines).unwrap();
        write_reader(&mut sent, &mut &*content).unwrap();
        write_flush(&mut sent).unwrap();
        sent
    }

    #[test]
    fn a_pointer_becomes_its_file_where_the_store_has_it_and_all_else_stays() {
        let store = tempfile::tempdir().unwrap();
        let id = "5d334be92cded9d29ecaf9f23524037a2fb10f2d02f6a0d018bcdbf5c45bb1d6";
        let place = store.path().join("objects/5d/33");
        std::fs::create_dir_all(&place).unwrap();
        let whole = vec![b'w'; 200_000];
        std::fs::write(place.join(id), &whole).unwrap();
        let pointer =
            format!("version https://git-lfs.github.com/spec/v1\noid sha256:{id}\nsize 5\n");
        let absent = pointer.replace('5', "6").into_bytes();
        let long = vec![b'x'; 70_000];
        let mut sent = Vec::new();
        answer(&mut sent, &["git-filter-client", "version=2"]).unwrap();
        answer(&mut sent, &["capability=clean", "capability=smudge"]).unwrap();
        let smudge = ["command=smudge", "pathname=a.bin", "blob=1"];
        for stored in [pointer.as_bytes(), &absent, b"", &long] {
            sent.extend(request(&smudge, stored));
        }
        let cleaned = ["command=clean", "pathname=it's a.bin"];
        sent.extend(request(&cleaned, &long));
        sent.extend(request(&["command=clean", "pathname=refused"], b"x"));
        sent.extend(request(&["command=other"], b"x"));
        let filter = LargeFileFilter {
            storage: store.path().to_owned(),
            clean: Some("test %f != refused && printf '%s ' %f && wc -c | tr -d ' '".into()),
        };
        let mut output = Vec::new();
        filter.serve(&mut &*sent, &mut output).unwrap();
        let mut output = &*output;
        assert_eq!(read_list(&mut output).unwrap().unwrap().len(), 2);
        assert_eq!(read_list(&mut output).unwrap().unwrap().len(), 2);
        for written in [&*whole, &absent, b"", &long, b"it's a.bin 70000\n"] {
            let status = read_list(&mut output).unwrap().unwrap();
            assert_eq!(status, [b"status=success"]);
            assert_eq!(read_bytes(&mut output).unwrap(), written);
            assert!(read_list(&mut output).unwrap().unwrap().is_empty());
        }
        for _ in 0..2 {
            let status = read_list(&mut output).unwrap().unwrap();
            assert_eq!(status, [b"status=error"]);
        }
        assert_eq!(read_list(&mut output).unwrap(), None);
    }
}
