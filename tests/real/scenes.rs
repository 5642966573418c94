//! Every way in which a session ends, as the server served it and as the driver recorded it. No fault of the server's or
//! of the account's may cost an attempt; the table is printed.

use crate::fixture::Run;
use crate::server::{Fault, Mood};
use std::io::Write;

struct Scene {
    name: &'static str,
    mood: Mood,
    /// The command of the session, where it is not the usual one.
    command: Option<&'static str>,
    /// What it may be recorded as.
    classes: &'static [&'static str],
    /// Attempts that it costs.
    charged: usize,
}

const fn scene(name: &'static str, mood: Mood, classes: &'static [&'static str]) -> Scene {
    Scene {
        name,
        mood,
        command: None,
        classes,
        charged: 0,
    }
}

const fn fails(status: u16, kind: &'static str, message: &'static str) -> Mood {
    Mood::Fails(Fault {
        status,
        kind,
        message,
        retry_after: None,
    })
}

const QUESTION: &str = "I looked at it. Which word should the file hold, left or right?";
const REFUSAL: &str = "I am sorry, but I cannot help with that request.";
const HUGE: &str =
    "head -c 11000000 /dev/zero | tr '\\0' x | fold -w 200; printf 'right\\n' > hello.txt";
/// By the Agent Client Protocol some programs retry in silence.
const BY_PROTOCOL: &[&str] = &[
    "pass",
    "question",
    "401",
    "out of credit",
    "hang",
    "garbage",
];
/// Some programs get over a broken stream by themselves.
const BROKEN: &[&str] = &["network", "overloaded", "crashed", "protocol", "worked"];

const SCENES: &[Scene] = &[
    Scene {
        charged: 1,
        ..scene("pass", Mood::Calm, &["worked"])
    },
    Scene {
        charged: 1,
        command: Some(HUGE),
        ..scene("huge output", Mood::Calm, &["worked"])
    },
    Scene {
        charged: 1,
        ..scene("question", Mood::Says(QUESTION), &["blocked"])
    },
    Scene {
        charged: 1,
        ..scene("refusal", Mood::Says(REFUSAL), &["worked"])
    },
    scene(
        "401",
        fails(401, "authentication_error", "invalid key"),
        &["auth"],
    ),
    scene(
        "403",
        fails(403, "permission_error", "not allowed"),
        &["auth"],
    ),
    scene(
        "out of credit",
        fails(
            400,
            "invalid_request_error",
            "Your credit balance is too low to access the API.",
        ),
        &["quota"],
    ),
    scene(
        "no such model",
        fails(
            404,
            "model_not_found",
            "The model `x` does not exist or you do not have access to it.",
        ),
        &["protocol"],
    ),
    scene(
        "limit",
        fails(429, "rate_limit_error", "too many requests"),
        &["limit"],
    ),
    scene(
        "limit with reset",
        Mood::Fails(Fault {
            status: 429,
            kind: "rate_limit_error",
            message: "Rate limit reached. Please try again in 20m30s.",
            retry_after: Some(1230),
        }),
        &["limit"],
    ),
    scene(
        "overload",
        fails(529, "overloaded_error", "Overloaded"),
        &["overloaded"],
    ),
    scene(
        "failing",
        fails(500, "api_error", "internal server error"),
        &["overloaded"],
    ),
    scene("hang", Mood::Silent, &["network"]),
    scene("cut", Mood::Cuts, BROKEN),
    scene("garbage", Mood::Garbage, BROKEN),
];

pub(crate) fn every_end_is_recorded_as_it_was_served(agent: &str) {
    let mut table = Vec::new();
    let mut wrong = Vec::new();
    let all = |scene: &&Scene| agent != crate::fixture::OWN || BY_PROTOCOL.contains(&scene.name);
    for scene in SCENES.iter().filter(all) {
        let Some(fixture) = crate::fixture(agent) else {
            return;
        };
        match scene.command {
            Some(command) => fixture.server.commands(&[command.to_owned()]),
            None => fixture.server.answer(&["right"]),
        }
        fixture.server.mood(scene.mood);
        let run = fixture.walk_to_wait("idle_timeout: 6s\nmax_attempts: 1\n");
        let ended = run.ended();
        let class = ended
            .first()
            .map_or("none", |e| e["class"].as_str().unwrap_or("?"));
        let charged = fixture.attempts();
        let tokens = ended
            .first()
            .map_or("?".to_owned(), |e| e["output_tokens"].to_string());
        table.push(format!(
            "{agent:<10} {:<17} {class:<11} {charged} charged, {tokens} tokens out, exit {}",
            scene.name,
            exit(&run),
        ));
        // What it got over costs what every attempt costs.
        let most = if class == "worked" { 1 } else { scene.charged };
        if !scene.classes.contains(&class) || charged > most || charged < scene.charged {
            wrong.push(format!("{}: {class}, {charged} charged\n{run}", scene.name));
        }
        if scene.name == "pass" && tokens != "100" && agent != crate::fixture::OWN {
            wrong.push(format!("100 tokens were served, {tokens} recorded\n{run}"));
        }
        fixture.expect_no_process(&run);
    }
    // Past the test runner's capture: the table is there to be read.
    drop(writeln!(std::io::stderr(), "{}", table.join("\n")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

fn exit(run: &Run) -> String {
    run.exit_code()
        .map_or("?".to_owned(), |code| code.to_string())
}
