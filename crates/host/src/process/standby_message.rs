//! What a process that waits for its program is told.
//!
//! A message is one byte with descriptors: first that of a file of texts, each followed by a byte of zero, then those of the
//! program. The texts are the tag of its process tree, how many words there are, the words, and the environment.

use super::huge_pages::take_huge_pages;
use super::wrapper_status::nameless_file;
use crate::sys;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, IoSlice, IoSliceMut, Read, Seek, Write};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::process::CommandExt;
use std::process::Command;

/// Most descriptors of a message: the texts', three streams', and one that is kept open.
const MOST_DESCRIPTORS: usize = 5;

/// A program that a waiting process becomes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct StandbyMessage {
    /// The tag of its process tree.
    pub(super) tag: u64,
    /// The program's path, and its arguments.
    pub(super) words: Vec<OsString>,
    /// Its whole environment.
    pub(super) env: Vec<(OsString, OsString)>,
}

impl StandbyMessage {
    /// Sends it with the program's descriptors.
    pub(super) fn send(
        &self,
        socket: BorrowedFd<'_>,
        descriptors: &[BorrowedFd<'_>],
    ) -> io::Result<()> {
        let mut texts = nameless_file()?;
        texts.write_all(&self.to_texts()?)?;
        let all: Vec<BorrowedFd<'_>> = [texts.as_fd()]
            .into_iter()
            .chain(descriptors.iter().copied())
            .collect();
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST_DESCRIPTORS))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        if !control.push(SendAncillaryMessage::ScmRights(&all)) {
            return Err(io::Error::other("too many descriptors"));
        }
        // Where it has just ended, that is an error and no signal.
        #[cfg(target_os = "linux")]
        let flags = SendFlags::NOSIGNAL;
        #[cfg(not(target_os = "linux"))]
        let flags = SendFlags::empty();
        sendmsg(socket, &[IoSlice::new(b".")], &mut control, flags)?;
        Ok(())
    }

    /// Waits for one; returns it with the program's descriptors.
    pub(super) fn receive(socket: BorrowedFd<'_>) -> io::Result<(StandbyMessage, Vec<OwnedFd>)> {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST_DESCRIPTORS))];
        let mut control = RecvAncillaryBuffer::new(&mut space);
        let mut byte = [0];
        let mut parts = [IoSliceMut::new(&mut byte)];
        let read = || recvmsg(socket, &mut parts, &mut control, RecvFlags::empty());
        rustix::io::retry_on_intr(read)?;
        let mut descriptors: Vec<OwnedFd> = control
            .drain()
            .flat_map(|message| match message {
                RecvAncillaryMessage::ScmRights(descriptors) => descriptors.collect(),
                _ => Vec::new(),
            })
            .collect();
        if descriptors.is_empty() {
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof));
        }
        let mut texts = File::from(descriptors.remove(0));
        let mut bytes = Vec::new();
        texts.rewind()?;
        texts.read_to_end(&mut bytes)?;
        let message = StandbyMessage::of_texts(&bytes);
        let message = message.ok_or_else(|| io::Error::other("what came is no program"))?;
        Ok((message, descriptors))
    }

    fn to_texts(&self) -> io::Result<Vec<u8>> {
        let numbers = [self.tag.to_string(), self.words.len().to_string()].map(String::into_bytes);
        let words = self.words.iter().map(|word| word.as_bytes().to_vec());
        let variables = self.env.iter();
        let variables = variables.map(|(name, value)| [name, value].map(|text| text.as_bytes()));
        let variables = variables.map(|pair| pair.join(&b'='));
        let mut texts = Vec::new();
        for text in numbers.into_iter().chain(words).chain(variables) {
            if text.contains(&0) {
                return Err(io::Error::from(io::ErrorKind::InvalidInput));
            }
            texts.extend(text);
            texts.push(0);
        }
        Ok(texts)
    }

    fn of_texts(bytes: &[u8]) -> Option<StandbyMessage> {
        let mut texts = bytes.strip_suffix(b"\0")?.split(|byte| *byte == 0);
        let mut number = || str::from_utf8(texts.next()?).ok()?.parse::<u64>().ok();
        let (tag, count) = (number()?, number()?);
        let count = usize::try_from(count).ok()?;
        let words: Vec<_> = texts
            .by_ref()
            .take(count)
            .map(|text| OsString::from_vec(text.to_vec()))
            .collect();
        let pair = |text: &[u8]| {
            // A name may begin with the sign, as those of some shells do.
            let rest = text.get(1..)?;
            let end = rest.iter().position(|byte| *byte == b'=')? + 1;
            let half = |bytes| OsStr::from_bytes(bytes).to_owned();
            Some((half(&text[..end]), half(&text[end + 1..])))
        };
        let env = texts.map(pair).collect::<Option<_>>()?;
        (words.len() == count && count > 0).then_some(StandbyMessage { tag, words, env })
    }

    /// Becomes the program, or returns why not.
    pub(super) fn execute(&self) -> io::Error {
        sys::set_tag(None, self.tag);
        let [program, args @ ..] = &*self.words else {
            return io::Error::other("no program");
        };
        let env = self.env.iter().map(|(name, value)| (name, value));
        // What confines sets it, for what is confined.
        let directory = std::env::var_os("PWD").map(|directory| ("PWD", directory));
        let mut command = Command::new(program);
        command.args(args).env_clear().envs(env).envs(directory);
        become_program(command)
    }
}

/// Becomes a program, or returns why not. A text without a first line that names one is a shell's, as `execvp` has it.
pub fn become_program(mut command: Command) -> io::Error {
    take_huge_pages();
    let error = command.exec();
    if error.raw_os_error() != Some(rustix::io::Errno::NOEXEC.raw_os_error()) {
        return error;
    }
    let words = [command.get_program()]
        .into_iter()
        .chain(command.get_args());
    let mut shell = Command::new("/bin/sh");
    shell.args(words).env_clear();
    let given = command.get_envs();
    shell.envs(given.filter_map(|(name, value)| Some((name, value?))));
    shell.exec()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(words: &[&str], env: &[(&str, &str)]) -> StandbyMessage {
        StandbyMessage {
            tag: 1 << 61 | 7,
            words: words.iter().map(OsString::from).collect(),
            env: env
                .iter()
                .map(|(name, value)| (name.into(), value.into()))
                .collect(),
        }
    }

    #[test]
    fn words_and_variables_arrive_as_they_were_sent() {
        let mut odd = message(
            &["/bin/sh", "", "a=b\n", "ü"],
            &[("A", ""), ("B", "c=d"), ("=C", "x")],
        );
        odd.words.push(OsString::from_vec(vec![0xff, b'=']));
        for sent in [odd, message(&["x"], &[])] {
            let texts = sent.to_texts().unwrap();
            assert_eq!(StandbyMessage::of_texts(&texts), Some(sent));
        }
        assert!(message(&["a\0b"], &[]).to_texts().is_err());
        assert!(message(&["a"], &[("A", "\0")]).to_texts().is_err());
        for torn in [
            "",
            "\0",
            "1\0",
            "1\x000\0",
            "1\x002\0a\0",
            "x\x001\0a\0",
            "1\x001\0a\0B\0",
            "1\x001\0a",
        ] {
            assert_eq!(StandbyMessage::of_texts(torn.as_bytes()), None, "{torn:?}");
        }
    }

    #[test]
    fn descriptors_come_with_it_and_a_closed_socket_is_an_error() {
        let (ours, theirs) = std::os::unix::net::UnixStream::pair().unwrap();
        let (mut end, other) = io::pipe().unwrap();
        let sent = message(&["a"], &[("B", "c")]);
        sent.send(ours.as_fd(), &[other.as_fd()]).unwrap();
        drop(other);
        let (received, descriptors) = StandbyMessage::receive(theirs.as_fd()).unwrap();
        assert_eq!(received, sent);
        let [other] = <[OwnedFd; 1]>::try_from(descriptors).unwrap();
        File::from(other).write_all(b"through").unwrap();
        let mut text = String::new();
        end.read_to_string(&mut text).unwrap();
        assert_eq!(text, "through");
        drop(ours);
        assert!(StandbyMessage::receive(theirs.as_fd()).is_err());
    }
}
