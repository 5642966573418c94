//! The editor's stream: messages, each under a header that says how long it is.
//!
//! What is no message is passed over, and the editor is told: its header says where the next one begins. Only a header that
//! cannot be read ends the conversation.

use lsp_server::{Connection, Message, Notification};
use serde_json::json;
use std::io::{self, BufRead, Read, Write};
use std::thread::{JoinHandle, spawn};

/// The most bytes of a message, far above the largest buffer that is worth a look.
const MESSAGE_LIMIT: u64 = 64 << 20;
/// The most bytes of a line of a header.
const HEADER_LIMIT: u64 = 4 << 10;

/// The threads that read from the editor and write to it.
pub(crate) struct EditorThreads {
    reader: JoinHandle<io::Result<()>>,
    writer: JoinHandle<io::Result<()>>,
}

impl EditorThreads {
    /// Waits until both have ended; what failed is told.
    pub(crate) fn join(self) -> io::Result<()> {
        let end = |thread: JoinHandle<io::Result<()>>| {
            let ended = thread.join();
            ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        end(self.reader)?;
        end(self.writer)
    }
}

/// Talks to the editor that started this program, over standard input and output.
pub(crate) fn open() -> (Connection, EditorThreads) {
    let (server, editor) = Connection::memory();
    let to_editor = server.sender.clone();
    let Connection { sender, receiver } = editor;
    let reader = spawn(move || {
        let mut input = io::stdin().lock();
        while let Some(message) = next_message(&mut input)? {
            match message {
                Ok(message) => {
                    let is_last =
                        matches!(&message, Message::Notification(n) if n.method == "exit");
                    if sender.send(message).is_err() || is_last {
                        break;
                    }
                }
                Err(why) => drop(to_editor.send(remark(&why).into())),
            }
        }
        Ok(())
    });
    let writer = spawn(move || {
        let mut output = io::stdout().lock();
        for message in receiver {
            message.write(&mut output)?;
        }
        output.flush()
    });
    (server, EditorThreads { reader, writer })
}

/// Returns what an editor shows in its log.
fn remark(why: &str) -> Notification {
    let params = json!({ "type": 1, "message": format!("a message was passed over: {why}") });
    Notification::new("window/logMessage".to_owned(), params)
}

/// Reads the next message, or why it is none; nothing at the end of the stream.
///
/// # Errors
/// A header that cannot be read, or an end within a message.
fn next_message(input: &mut impl BufRead) -> io::Result<Option<Result<Message, String>>> {
    let Some(length) = next_header(input)? else {
        return Ok(None);
    };
    let mut body = Vec::new();
    let mut rest = input.take(length);
    let read = match length > MESSAGE_LIMIT {
        true => io::copy(&mut rest, &mut io::sink())?,
        false => rest.read_to_end(&mut body)? as u64,
    };
    if read < length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(Some(match length > MESSAGE_LIMIT {
        true => Err(format!("it has {length} bytes")),
        false => serde_json::from_slice(&body).map_err(|e| e.to_string()),
    }))
}

/// Reads a header; returns how long the message under it is.
fn next_header(input: &mut impl BufRead) -> io::Result<Option<u64>> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        if input.take(HEADER_LIMIT).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        let wrong = || {
            io::Error::new(
                io::ErrorKind::InvalidData,
                format!("a header of `{}`", line.trim()),
            )
        };
        if line.trim().is_empty() {
            return length.map(Some).ok_or_else(wrong);
        }
        let (name, value) = line.split_once(':').ok_or_else(wrong)?;
        if name.trim().eq_ignore_ascii_case("content-length") {
            length = Some(value.trim().parse().map_err(|_| wrong())?);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a stream to its end; each message is its method, what is none `-`, and a broken end `!`.
    fn read(stream: &[u8]) -> String {
        let mut input = stream;
        let mut found = String::new();
        loop {
            found += &match next_message(&mut input) {
                Ok(None) => return found,
                Ok(Some(Ok(Message::Request(r)))) => r.method,
                Ok(Some(Ok(Message::Notification(n)))) => n.method,
                Ok(Some(Ok(Message::Response(_)))) => "response".to_owned(),
                Ok(Some(Err(_))) => "-".to_owned(),
                Err(_) => return found + "!",
            };
        }
    }

    #[test]
    fn what_is_no_message_is_passed_over_and_the_next_one_is_read() {
        let framed = |body: &str| format!("Content-Length: {}\r\n\r\n{body}", body.len());
        let good = framed("{\"jsonrpc\":\"2.0\",\"method\":\"m\"}");
        for (stream, want) in [
            (String::new(), ""),
            (good.repeat(2), "mm"),
            (framed("{\"a\":") + &good, "-m"),
            (framed("{}") + &framed("[1]") + &framed("") + &good, "---m"),
            (
                good.replace("Content-Length: ", "content-length:") + &good,
                "mm",
            ),
            (
                good.replacen("\r\n", "\r\nContent-Type: x; charset=utf-8\r\n", 1),
                "m",
            ),
            (good.clone() + "Content-Length: 50\r\n\r\n{", "m!"),
            ("Content-Length: 99999999999999\r\n\r\nx".to_owned(), "!"),
            ("Content-Length: -1\r\n\r\nx".to_owned(), "!"),
            ("GET / HTTP/1.1\r\n\r\n".to_owned(), "!"),
            ("Content-Type: x\r\n\r\n{}".to_owned(), "!"),
            ("x".repeat(10_000), "!"),
        ] {
            assert_eq!(read(stream.as_bytes()), want, "{stream:.80}");
        }
        let mut bytes = b"Content-Length: 3\r\n\r\n\"\xff\"".to_vec();
        bytes.extend_from_slice(good.as_bytes());
        assert_eq!(read(&bytes), "-m");
    }
}
