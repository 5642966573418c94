//! File writes that survive a crash at any byte.
//!
//! Invariants: a reader sees the old content or the new, never a mixture; what was reported written
//! is on the disk. Absent on purpose: deciding what to write, and deleting.

use gatewalk_core::error::{Error, Result};
use std::fs::{File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// How sure an append must be before it returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Durability {
    /// On the disk: survives a power cut.
    Disk,
    /// With the kernel: survives the death of the process.
    Kernel,
}

/// How the name of a file that is about to take another name ends.
pub(crate) const TEMPORARY_SUFFIX: &str = ".tmp";

/// Returns how the name of such a file of this process begins.
pub(crate) fn temporary_prefix() -> &'static str {
    static PREFIX: LazyLock<String> =
        LazyLock::new(|| format!(".gatewalk-{}-", std::process::id()));
    &PREFIX
}

/// Returns whether a file's name is that of one that was about to take another, and whose process is gone.
pub(crate) fn is_left_behind(name: &str) -> bool {
    let middle = name.strip_prefix(".gatewalk-");
    let middle = middle.and_then(|rest| rest.strip_suffix(TEMPORARY_SUFFIX));
    middle.is_some_and(|middle| !is_alive(middle.split('-').next().unwrap_or_default()))
}

/// Returns whether there is a process of this number, given as text.
pub(crate) fn is_alive(pid: &str) -> bool {
    let pid = pid.parse().ok().and_then(rustix::process::Pid::from_raw);
    // Somebody else's process cannot be asked, and is there.
    pid.is_some_and(|pid| {
        !matches!(
            rustix::process::test_kill_process(pid),
            Err(rustix::io::Errno::SRCH)
        )
    })
}

/// Links followed before a chain of them is called a loop.
const MAX_LINKS: usize = 40;

/// Replaces a file of the user's: through symlinks, keeping its mode. What is there and is no file, such as `/dev/null` or a
/// named pipe, is written into: putting a file in its place would take it from everyone else.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> Result<()> {
    let failed = |e: io::Error| Error::io("write", path, &e);
    let there = std::fs::metadata(path).ok().map(|meta| meta.file_type());
    if there.is_some_and(|kind| !kind.is_file() && !kind.is_dir()) {
        let mut special = File::options().write(true).open(path).map_err(failed)?;
        return special.write_all(bytes).map_err(failed);
    }
    let target = resolve(path).map_err(|e| Error::io("resolve", path, &e))?;
    replace(&target, bytes, Durability::Disk)
}

/// Writes a result where a user wants it, as [`write_atomic`] does; directories that are missing on the way are made.
///
/// # Errors
/// What cannot be made or written, with its path.
pub fn write_result(path: &Path, bytes: &[u8]) -> Result<()> {
    if let Some(directory) = path.parent() {
        std::fs::create_dir_all(directory).map_err(|e| Error::io("make", directory, &e))?;
    }
    write_atomic(path, bytes)
}

/// Replaces a file of ours, safe from the death of the process: a symlink in its place is replaced, not followed.
pub(crate) fn write_runtime(path: &Path, bytes: &[u8]) -> Result<()> {
    replace(path, bytes, Durability::Kernel)
}

/// Replaces a file of ours, on the disk when this returns. One that is there and empty is filled in place, which is one
/// flush instead of two: a reader may see part of it meanwhile, and after a crash.
pub(crate) fn fill_runtime(path: &Path, bytes: &[u8]) -> Result<()> {
    use std::os::unix::fs::OpenOptionsExt;
    let meta = std::fs::symlink_metadata(path);
    if !meta.is_ok_and(|meta| meta.is_file() && meta.len() == 0) {
        return replace(path, bytes, Durability::Disk);
    }
    let nofollow = i32::try_from(rustix::fs::OFlags::NOFOLLOW.bits()).unwrap_or(0);
    let fill = || {
        let mut file = File::options()
            .write(true)
            .custom_flags(nofollow)
            .open(path)?;
        file.write_all(bytes)?;
        Ok(file)
    };
    let file = super::crash::around("write", fill).map_err(|e| Error::io("write", path, &e))?;
    file.sync_data().map_err(|e| unconfirmed(path, e))
}

fn replace(path: &Path, bytes: &[u8], durability: Durability) -> Result<()> {
    let failed = |e: io::Error| Error::io("write", path, &e);
    super::crash::point("write");
    let parent = path
        .parent()
        .filter(|p| !p.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let old = std::fs::symlink_metadata(path)
        .ok()
        .filter(|meta| meta.is_file());
    // A new file gets what the umask leaves, as from any other program.
    let mode = old.map_or(0o666, |meta| meta.permissions().mode() & 0o7777);
    let mut temporary = tempfile::Builder::new()
        .prefix(temporary_prefix())
        .suffix(TEMPORARY_SUFFIX)
        .permissions(Permissions::from_mode(mode & 0o777))
        .tempfile_in(parent)
        .map_err(|e| failed(bare(&e)))?;
    if path.exists() {
        temporary
            .as_file()
            .set_permissions(Permissions::from_mode(mode))
            .map_err(failed)?;
    }
    temporary.write_all(bytes).map_err(failed)?;
    if durability == Durability::Disk {
        let synced = temporary.as_file().sync_all();
        synced.map_err(|e| unconfirmed(path, e))?;
    }
    super::crash::around("rename", || temporary.persist(path)).map_err(|e| failed(e.error))?;
    match durability {
        Durability::Disk => sync_directory(parent).map_err(|e| unconfirmed(path, e)),
        Durability::Kernel => Ok(()),
    }
}

/// Returns why a temporary file failed without its name, which is nobody's business.
pub(super) fn bare(error: &io::Error) -> io::Error {
    io::Error::from(error.kind())
}

/// Flushes a file, or a directory's entries, to the disk; `false` when there is nothing at `path`.
pub(crate) fn flush(path: &Path) -> Result<bool> {
    match sync_directory(path) {
        Ok(()) => Ok(true),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(e) => Err(unconfirmed(path, e)),
    }
}

/// Flushes everything of the file system that `path` is on; `false` where the system has no call for that.
#[cfg(target_os = "linux")]
pub(crate) fn flush_file_system(path: &Path) -> Result<bool> {
    let directory = File::open(path).map_err(|e| Error::io("open", path, &e))?;
    rustix::fs::syncfs(&directory).map_err(|e| unconfirmed(path, e.into()))?;
    Ok(true)
}

/// Flushes everything of the file system that `path` is on; `false` where the system has no call for that.
#[cfg(not(target_os = "linux"))]
pub(crate) fn flush_file_system(_path: &Path) -> Result<bool> {
    Ok(false)
}

/// Makes the directory's entries durable, where its file system can.
fn sync_directory(path: &Path) -> io::Result<()> {
    match File::open(path)?.sync_all() {
        Err(e)
            if matches!(
                e.kind(),
                io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported
            ) =>
        {
            Ok(())
        }
        result => result,
    }
}

/// Returns the path at the end of a chain of symlinks, whether or not something is there.
pub(super) fn resolve(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        match std::fs::read_link(&path) {
            // `join` keeps an absolute target as it is.
            Ok(target) => path = path.parent().unwrap_or(Path::new("")).join(target),
            Err(e)
                if matches!(
                    e.kind(),
                    io::ErrorKind::InvalidInput | io::ErrorKind::NotFound
                ) =>
            {
                return Ok(path);
            }
            Err(e) => return Err(e),
        }
    }
    Err(io::Error::other("too many symlinks"))
}

fn unconfirmed(path: &Path, source: io::Error) -> Error {
    Error::environment(format!(
        "the disk did not confirm the write of `{}`",
        path.display()
    ))
    .with_source(source)
    .hint("check the disk: what was written last may be lost, and a retry could hide that")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn mode(path: &Path) -> u32 {
        std::fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }

    #[test]
    fn a_write_keeps_the_mode_and_leaves_nothing_else_behind() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a b\n-é.md");
        for bits in [0o664, 0o600, 0o755, 0o444] {
            std::fs::write(&path, "old").unwrap();
            std::fs::set_permissions(&path, Permissions::from_mode(bits)).unwrap();
            write_atomic(&path, b"new\xff").unwrap();
            assert_eq!(
                (std::fs::read(&path).unwrap(), mode(&path)),
                (b"new\xff".to_vec(), bits)
            );
            assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
            std::fs::remove_file(&path).unwrap();
        }
    }

    #[test]
    fn a_new_file_gets_the_mode_any_program_would_give_it() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("plain"), "").unwrap();
        for (name, write) in [
            ("a", write_atomic as fn(&Path, &[u8]) -> Result<()>),
            ("b", write_runtime),
        ] {
            let path = dir.path().join(name);
            write(&path, b"x").unwrap();
            assert_eq!(mode(&path), mode(&dir.path().join("plain")), "{name}");
        }
    }

    #[test]
    fn a_users_symlink_is_written_through_and_a_runtime_one_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        std::fs::create_dir(at("sub")).unwrap();
        symlink("sub/target", at("near")).unwrap();
        symlink(at("near"), at("far")).unwrap();
        write_atomic(&at("far"), b"dangling").unwrap();
        assert_eq!(std::fs::read(at("sub/target")).unwrap(), b"dangling");
        write_atomic(&at("far"), b"again").unwrap();
        assert_eq!(std::fs::read(at("sub/target")).unwrap(), b"again");
        assert!(at("far").is_symlink() && at("near").is_symlink());

        write_runtime(&at("far"), b"own").unwrap();
        assert!(!at("far").is_symlink());
        assert_eq!(std::fs::read(at("sub/target")).unwrap(), b"again");

        symlink("loop2", at("loop1")).unwrap();
        symlink("loop1", at("loop2")).unwrap();
        assert!(write_atomic(&at("loop1"), b"x").is_err());
    }

    #[test]
    fn what_is_no_file_is_written_into_and_stays_what_it_is() {
        use std::os::unix::fs::FileTypeExt;
        let dir = tempfile::tempdir().unwrap();
        let pipe = dir.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        symlink("pipe", dir.path().join("link")).unwrap();
        for name in ["pipe", "link"] {
            let reader = std::thread::spawn({
                let pipe = pipe.clone();
                move || std::fs::read(pipe)
            });
            write_atomic(&dir.path().join(name), b"through").unwrap();
            let kind = std::fs::metadata(&pipe).unwrap().file_type();
            assert!(kind.is_fifo(), "{name} was replaced");
            assert_eq!(reader.join().unwrap().unwrap(), b"through");
        }
        assert!(write_atomic(dir.path(), b"x").is_err());
    }

    #[test]
    fn a_result_gets_the_directories_that_are_missing() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        write_result(&at("a b/c/result.xml"), b"x").unwrap();
        write_result(&at("a b/c/result.xml"), b"y").unwrap();
        assert_eq!(std::fs::read(at("a b/c/result.xml")).unwrap(), b"y");
        let error = write_result(&at("a b/c/result.xml/d"), b"x").unwrap_err();
        assert!(error.to_string().contains("result.xml"), "{error}");
    }

    #[test]
    fn a_failed_write_leaves_the_old_content_and_names_the_path() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("missing/file");
        let error = write_atomic(&path, b"x").unwrap_err();
        assert!(error.to_string().contains("missing/file"), "{error}");
        assert!(
            write_runtime(dir.path(), b"x").is_err(),
            "a directory is not replaced"
        );
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    }

    #[test]
    fn an_empty_file_of_ours_is_filled_in_place_and_any_other_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("record");
        let inode = || std::os::unix::fs::MetadataExt::ino(&std::fs::metadata(&path).unwrap());
        for (before, in_place) in [(None, false), (Some(""), true), (Some("earlier"), false)] {
            drop(std::fs::remove_file(&path));
            if let Some(before) = before {
                std::fs::write(&path, before).unwrap();
            }
            let old = before.map(|_| inode());
            fill_runtime(&path, b"record").unwrap();
            assert_eq!(std::fs::read(&path).unwrap(), b"record");
            assert_eq!(old == Some(inode()), in_place, "{before:?}");
        }
        std::fs::write(dir.path().join("empty"), "").unwrap();
        std::fs::remove_file(&path).unwrap();
        symlink("empty", &path).unwrap();
        fill_runtime(&path, b"record").unwrap();
        assert!(!path.is_symlink());
        assert_eq!(std::fs::read(dir.path().join("empty")).unwrap(), b"");
    }

    #[test]
    fn the_names_of_what_a_killed_process_left_are_known() {
        let own = format!("{}abc{TEMPORARY_SUFFIX}", temporary_prefix());
        for (name, left) in [
            (&*own, false),
            (".gatewalk-999999999-abc.tmp", true),
            // Of a version that named no process.
            (".gatewalk-abc.tmp", true),
            (".gatewalk-abc", false),
            ("gatewalk-abc.tmp", false),
            (".gatewalk", false),
        ] {
            assert_eq!(is_left_behind(name), left, "{name}");
        }
    }
}
