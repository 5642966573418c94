//! `board --watch` on a terminal of its own: keys lead through it, and the terminal is as before when it ends.

use crate::world::World;
use std::io::{Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

/// A screen on a terminal that `script` makes.
struct Screen {
    child: Child,
    keys: ChildStdin,
    shown: ChildStdout,
    seen: String,
}

impl Screen {
    /// Starts it; nothing where no terminal can be made.
    fn new(world: &World) -> Option<Screen> {
        let program = env!("CARGO_BIN_EXE_gatewalk");
        let line = format!("stty cols 100 rows 30; exec {program} board --watch");
        let mut command = world.command("script");
        command
            .args(["-qec", &line, "/dev/null"])
            .env("TERM", "xterm");
        let spawned = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let Ok(mut child) = spawned else {
            println!("skipped: no `script` here to make a terminal");
            return None;
        };
        Some(Screen {
            keys: child.stdin.take().unwrap(),
            shown: child.stdout.take().unwrap(),
            child,
            seen: String::new(),
        })
    }

    /// Reads until something is shown that was not there before.
    fn expect(&mut self, part: &str) {
        self.seen.clear();
        let mut bytes = [0; 4096];
        while !self.seen.contains(part) {
            let read = self.shown.read(&mut bytes).unwrap();
            assert!(read > 0, "the screen ended without {part}: {}", self.seen);
            self.seen += &String::from_utf8_lossy(&bytes[..read]);
        }
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }
}

#[test]
#[ignore = "long"]
fn the_board_is_walked_with_keys_and_shows_what_changes() {
    let world = World::example();
    let Some(mut screen) = Screen::new(&world) else {
        return;
    };
    screen.expect("FEAT-2026-0001/T01");
    assert!(screen.seen.contains("q quit"), "{}", screen.seen);
    screen.press("\r");
    screen.expect("gate 1, implementation, pending");
    // What another program does shows by itself.
    assert_eq!(world.walk().status.code(), Some(11));
    screen.expect("passed");
    screen.press("d");
    screen.expect("+++ b/greet.sh");
    screen.press("f");
    screen.expect("T01: follow");
    // A repository that comes back as it was is shown as it is.
    let away = world.root.join("away");
    std::fs::rename(world.repo(), &away).unwrap();
    screen.expect("is gone");
    std::fs::rename(&away, world.repo()).unwrap();
    screen.expect("T01: follow");
    screen.press("hh");
    screen.expect("needs you (1)");
    screen.press("q");
    screen.expect("\u{1b}[?25h\u{1b}[?1049l");
    assert!(screen.child.wait().unwrap().success());
}
