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
/// These retry for minutes, some without a word why: what they wait for is the server in any case.
const PATIENT: &[&str] = &["gemini", "qwen", "continue", "cline", "copilot"];
const ON_THE_SERVER: &[&str] = &["limit", "overloaded", "network"];
/// Scenes of an agent that are played at once: they wait more than they work.
const AT_ONCE: usize = 3;
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
    if crate::fixture(agent).is_none() {
        return;
    }
    let of_agent =
        |scene: &&Scene| agent != crate::fixture::OWN || BY_PROTOCOL.contains(&scene.name);
    let scenes: Vec<&Scene> = SCENES.iter().filter(of_agent).collect();
    let next = std::sync::atomic::AtomicUsize::new(0);
    let played = std::sync::Mutex::new(Vec::new());
    std::thread::scope(|threads| {
        for _ in 0..AT_ONCE {
            threads.spawn(|| {
                while let Some(scene) =
                    scenes.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
                {
                    let ended = play(agent, scene);
                    played.lock().expect("no panic").push((scene.name, ended));
                }
            });
        }
    });
    let played = played.into_inner().expect("no panic");
    let in_order = scenes.iter().filter_map(|scene| {
        let found = played.iter().find(|(name, _)| *name == scene.name);
        found.map(|(_, ended)| ended)
    });
    let (table, wrong): (Vec<String>, Vec<Option<String>>) = in_order.cloned().unzip();
    // Past the test runner's capture: the table is there to be read.
    drop(writeln!(std::io::stderr(), "{}", table.join("\n")));
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Plays a scene; returns its line of the table, and what is wrong with it.
fn play(agent: &str, scene: &Scene) -> (String, Option<String>) {
    let fixture = crate::fixture(agent).expect("it was here before");
    match scene.command {
        Some(command) => fixture.server.commands(&[command.to_owned()]),
        None => fixture.server.answer(&["right"]),
    }
    fixture.server.mood(scene.mood);
    let run = fixture.walk_to_wait("idle_timeout: 6s\nmax_attempts: 1\n");
    let ended = run.ended();
    let first = ended.first();
    let class = first.map_or("none", |e| e["class"].as_str().unwrap_or("?"));
    let charged = fixture.attempts();
    let tokens = first.map_or("?".to_owned(), |e| e["output_tokens"].to_string());
    let line = format!(
        "{agent:<10} {:<17} {class:<11} {charged} charged, {tokens} tokens out, exit {}",
        scene.name,
        exit(&run),
    );
    // What it got over costs what every attempt costs.
    let most = if class == "worked" { 1 } else { scene.charged };
    let passes = scene
        .classes
        .iter()
        .any(|class| ON_THE_SERVER.contains(class));
    let patient = PATIENT.contains(&agent) && passes && ON_THE_SERVER.contains(&class);
    let mut wrong = None;
    if !(scene.classes.contains(&class) || patient) || charged > most || charged < scene.charged {
        wrong = Some(format!(
            "{agent} {}: {class}, {charged} charged\n{run}",
            scene.name
        ));
    }
    let exact = agent != crate::fixture::OWN && !crate::COUNTS_NOTHING.contains(&agent);
    if scene.name == "pass" && tokens != "100" && exact {
        wrong = Some(format!("100 tokens were served, {tokens} recorded\n{run}"));
    }
    fixture.expect_no_process(&run);
    (line, wrong)
}

fn exit(run: &Run) -> String {
    run.exit_code()
        .map_or("?".to_owned(), |code| code.to_string())
}
