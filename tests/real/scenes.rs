//! Every way in which a session ends, as the server served it and as the driver recorded it. No fault of the server's or
//! of the account's may cost an attempt; the table is printed. `GATEWALK_SCENE=hang` plays that one alone.

use crate::fixture::Run;
use crate::server::{Fault, Mood};

struct Scene {
    name: &'static str,
    mood: Mood,
    /// The command of the session, where it is not the usual one.
    command: Option<&'static str>,
    /// What it may be recorded as.
    classes: &'static [&'static str],
    /// Attempts that it costs.
    charged: usize,
    account: Account,
    confined: Confined,
}

/// What confines the session.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Confined {
    /// The best that there is.
    AsEver,
    /// Landlock: npm's links lead from the directory of programs to packages with files of their own.
    ByLandlock,
}

/// Which account there is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Account {
    /// The key of the server, where the program looks for it.
    Key,
    /// The same, beside a login of the program's own.
    KeyAndLogin,
    /// None.
    Nothing,
}

const fn scene(name: &'static str, mood: Mood, classes: &'static [&'static str]) -> Scene {
    Scene {
        name,
        mood,
        command: None,
        classes,
        charged: 0,
        account: Account::Key,
        confined: Confined::AsEver,
    }
}

/// A fault that passes by itself; programs that heed the header come back after a second, others after minutes.
const fn busy(status: u16, kind: &'static str, message: &'static str) -> Mood {
    Mood::Fails(Fault {
        status,
        kind,
        message,
        retry_after: Some(1),
    })
}

const fn fails(status: u16, kind: &'static str, message: &'static str) -> Mood {
    Mood::Fails(Fault {
        status,
        kind,
        message,
        retry_after: None,
    })
}

const OVERLOAD: Fault = Fault {
    status: 503,
    kind: "overloaded_error",
    message: "Overloaded",
    retry_after: Some(1),
};
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
const PATIENT: &[&str] = &["gemini", "qwen", "continue", "cline", "copilot", "droid"];
const ON_THE_SERVER: &[&str] = &["limit", "overloaded", "network"];
/// A program without an account is not started, or says so, or looks for a model that needs none.
const NO_ACCOUNT: &[&str] = &["none", "auth", "network", "protocol", "crashed"];
/// Scenes of an agent that are played at once: they wait more than they work.
const AT_ONCE: usize = 6;
/// Some programs get over a broken stream by themselves.
const BROKEN: &[&str] = &["network", "overloaded", "crashed", "protocol", "worked"];

const SCENES: &[Scene] = &[
    Scene {
        charged: 1,
        ..scene("pass", Mood::Calm, &["worked"])
    },
    Scene {
        charged: 1,
        confined: Confined::ByLandlock,
        ..scene("by Landlock", Mood::Calm, &["worked"])
    },
    Scene {
        charged: 1,
        ..scene("retry", Mood::FailsOnce(OVERLOAD), &["worked"])
    },
    Scene {
        charged: 1,
        account: Account::KeyAndLogin,
        ..scene("gateway", Mood::Calm, &["worked"])
    },
    Scene {
        charged: 1,
        ..scene("sub-agents", Mood::Delegates, &["worked"])
    },
    Scene {
        account: Account::Nothing,
        ..scene("not logged in", Mood::Calm, NO_ACCOUNT)
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
        busy(529, "overloaded_error", "Overloaded"),
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
    let only = std::env::var("GATEWALK_SCENE").ok();
    let asked = |scene: &Scene| only.as_deref().is_none_or(|only| only == scene.name);
    let of_agent = |scene: &&Scene| {
        asked(scene) && (agent != crate::fixture::OWN || BY_PROTOCOL.contains(&scene.name))
    };
    let scenes: Vec<&Scene> = SCENES.iter().filter(of_agent).collect();
    // Those that wait for the server begin, so that the others work meanwhile.
    let (first, later): (Vec<&Scene>, Vec<&Scene>) =
        scenes.iter().partition(|scene| waits_for_the_server(scene));
    let to_play: Vec<&Scene> = first.into_iter().chain(later).collect();
    let next = std::sync::atomic::AtomicUsize::new(0);
    let played = std::sync::Mutex::new(Vec::new());
    std::thread::scope(|threads| {
        for _ in 0..AT_ONCE {
            threads.spawn(|| {
                while let Some(scene) =
                    to_play.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
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
    let head = format!(
        "{:<10} {:<17} {:<34} | recorded",
        "agent", "scene", "served"
    );
    crate::say(&format!("\n{head}\n{}", table.join("\n")));
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Plays a scene; returns its line of the table, and what is wrong with it.
fn play(agent: &str, scene: &Scene) -> (String, Option<String>) {
    let mut fixture = crate::fixture(agent).expect("it was here before");
    match scene.command {
        Some(command) => fixture.server.commands(&[command.to_owned()]),
        None => fixture.server.answer(&["right"]),
    }
    match scene.account {
        Account::Key => {}
        Account::KeyAndLogin => crate::accounts::log_in(&fixture),
        Account::Nothing => fixture.log_out(),
    }
    if scene.confined == Confined::ByLandlock {
        fixture.without_bubblewrap();
    }
    // A script of the user's may hold an account, and is a process more to end.
    // Nor is there memory for megabytes of output that nobody tidies up.
    let plain = scene.account == Account::Key && scene.confined == Confined::AsEver;
    if plain && !matches!(scene.name, "hang" | "huge output") {
        fixture.start_lightly();
    }
    fixture.server.mood(scene.mood);
    let begun = std::time::Instant::now();
    let idle = idle_timeout(agent, scene);
    let run = fixture.walk_to_wait(&format!("idle_timeout: {idle}\nmax_attempts: 1\n"));
    let seconds = begun.elapsed().as_secs();
    let ended = run.ended();
    let first = ended.first();
    let class = first.map_or("none", |e| e["class"].as_str().unwrap_or("?"));
    let charged = fixture.attempts();
    let tokens = first.map_or("?".to_owned(), |e| e["output_tokens"].to_string());
    let (served, sent) = fixture.server.served();
    let line = format!(
        "{agent:<10} {:<17} {served:<22} {sent:>4} tokens | {class:<11} {charged} charged, {tokens} tokens, exit {}, {seconds} s, {:.1} s of processor",
        scene.name,
        exit(&run),
        run.processor_seconds,
    );
    let mut wrong = wrong_end(agent, scene, (class, charged));
    if class == "auth" && (run.exit_code() != Some(5) || ended.len() > 1) {
        wrong.push("an account is not tried twice, and ends the walk".to_owned());
    }
    if counts_all(agent, scene) && class == "worked" && tokens != sent.to_string() {
        wrong.push(format!("{sent} tokens were served, {tokens} recorded"));
    }
    let told = first.is_some_and(|e| e["notes"].to_string().contains("before its last event"));
    if UNTOLD.contains(&(agent, scene.name)) && tokens == "null" && !told {
        wrong.push("nobody says why its tokens are not known".to_owned());
    }
    let own = |credential: &String| credential.ends_with("made-up");
    let credentials = fixture.server.credentials();
    if !credentials.iter().all(own) || scene.account == Account::Nothing && !credentials.is_empty()
    {
        wrong.push(format!("the server was sent {credentials:?}"));
    }
    let works = class == "worked" && !matches!(scene.mood, Mood::Says(_));
    if works {
        let landed = fixture.landed("hello.txt");
        if landed.as_deref() != Some("right\n") {
            wrong.push(format!("what landed is {landed:?}"));
        }
    }
    fixture.expect_no_process(&run);
    let wrong = wrong
        .into_iter()
        .map(|what| format!("{agent} {}: {what}\n{run}", scene.name));
    (line, wrong.reduce(|all, what| all + &what))
}

/// Returns how long a program may be silent: not long where what is served may leave it waiting, which is then an end that
/// the scene expects. Any other has time: on a busy machine one that is well may say nothing for minutes.
fn idle_timeout(agent: &str, scene: &Scene) -> &'static str {
    match waits_for_the_server(scene) {
        _ if scene.classes.contains(&"network") => "20s",
        true if PATIENT.contains(&agent) => "20s",
        // It has said why it waits.
        true => "1m",
        false => "10m",
    }
}

/// Returns whether a scene ends with a fault of the server's that passes.
fn waits_for_the_server(scene: &Scene) -> bool {
    let mut classes = scene.classes.iter();
    classes.any(|class| ON_THE_SERVER.contains(class))
}

/// Figures that the program itself loses, because it ends without waiting until what it prints is read: a reader that does
/// nothing else gets 4 of 11 megabytes. The attempt says so.
const UNTOLD: &[(&str, &str)] = &[("gemini", "huge output")];

/// Returns whether the tokens of a scene are recorded as they were served.
fn counts_all(agent: &str, scene: &Scene) -> bool {
    let silent = agent == crate::fixture::OWN || crate::COUNTS_NOTHING.contains(&agent);
    !silent && !UNTOLD.contains(&(agent, scene.name))
}

/// Returns what is wrong with how a scene ended: its class, and the attempts that it cost.
fn wrong_end(agent: &str, scene: &Scene, (class, charged): (&str, usize)) -> Vec<String> {
    // What it got over costs what every attempt costs.
    let most = if class == "worked" { 1 } else { scene.charged };
    let passes = waits_for_the_server(scene);
    let patient = PATIENT.contains(&agent) && passes && ON_THE_SERVER.contains(&class);
    let known = scene.classes.contains(&class) || patient;
    let wrong = !known || charged > most || charged < scene.charged;
    let what = wrong.then(|| format!("{class}, {charged} charged"));
    what.into_iter().collect()
}

fn exit(run: &Run) -> String {
    run.exit_code()
        .map_or("?".to_owned(), |code| code.to_string())
}
