//! `gatewalk serve` as a browser sees it: what needs the user, what a unit did, decisions, and changes as they come.

use crate::world::{PROGRAM, World, text};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// How long anything may take that is waited for.
const PATIENCE: Duration = Duration::from_secs(60);

/// The pages of a world's repository, served.
pub(crate) struct Server {
    child: Child,
    pub(crate) port: u16,
    pub(crate) token: String,
    pub(crate) cookie: String,
}

/// A response, as it came.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Server {
    pub(crate) fn new(world: &World, options: &[&str]) -> Server {
        let mut command = world.command(PROGRAM);
        command.arg("serve").args(options);
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        output.read_line(&mut line).unwrap();
        let (address, token) = line.trim().split_once("/?token=").expect("a link");
        let port = address.rsplit_once(':').unwrap().1.parse().unwrap();
        let mut server = Server {
            child,
            port,
            token: token.to_owned(),
            cookie: String::new(),
        };
        let welcome = server.get(&format!("/?token={token}"));
        assert_eq!(welcome.status, 200, "{welcome:?}");
        let cookie = welcome.header("set-cookie").expect("a cookie");
        for part in ["HttpOnly", "SameSite=Strict"] {
            assert!(cookie.contains(part), "{cookie}");
        }
        server.cookie = cookie.split(';').next().unwrap().to_owned();
        server
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// Sends bytes as they are, and returns what comes until the connection ends.
    pub(crate) fn raw(&self, request: &[u8]) -> Answer {
        let mut stream = self.connect();
        // A server that refuses early does not read the rest.
        drop(stream.write_all(request));
        let mut bytes = Vec::new();
        drop(stream.read_to_end(&mut bytes));
        Answer::of(&String::from_utf8_lossy(&bytes))
    }

    pub(crate) fn get(&self, target: &str) -> Answer {
        let (port, cookie) = (self.port, &self.cookie);
        self.raw(
            format!("GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\n\r\n")
                .as_bytes(),
        )
    }

    pub(crate) fn post(&self, fields: &[(&str, &str)]) -> Answer {
        let (port, cookie) = (self.port, &self.cookie);
        let mut body = form_urlencoded::Serializer::new(String::new());
        body.extend_pairs(fields);
        let body = body.finish();
        let head = format!(
            "POST /decide HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\nCookie: {cookie}\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        self.raw(format!("{head}{body}").as_bytes())
    }

    /// Posts a decision that is accepted, and returns the page that it leads to.
    fn decide(&self, fields: &[(&str, &str)]) -> String {
        let answer = self.post(fields);
        assert_eq!(answer.status, 303, "{answer:?}");
        let page = self.get(answer.header("location").unwrap());
        assert_eq!(page.status, 200, "{page:?}");
        page.body
    }

    /// Returns a page once it shows something.
    fn shows(&self, target: &str, part: &str) -> String {
        let began = Instant::now();
        loop {
            let page = self.get(target).body;
            if page.contains(part) {
                return page;
            }
            assert!(
                began.elapsed() < PATIENCE,
                "{target} never shows {part}: {page}"
            );
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

impl Answer {
    pub(crate) fn of(text: &str) -> Answer {
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((text, ""));
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok());
        Answer {
            status: status.unwrap_or(0),
            head: head.to_owned(),
            body: body.to_owned(),
        }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines
            .find(|(n, _)| n.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
    }
}

/// Returns the value of a hidden field of a page.
fn hidden<'p>(page: &'p str, name: &str) -> &'p str {
    let start = format!("name=\"{name}\" value=\"");
    let at = page
        .find(&start)
        .unwrap_or_else(|| panic!("no field {name}: {page}"));
    let rest = &page[at + start.len()..];
    &rest[..rest.find('"').unwrap()]
}

const FEATURE: &str = "FEAT-2026-0001";

#[test]
#[ignore = "long"]
fn pages_show_what_needs_the_user_and_what_each_attempt_did() {
    let world = World::example();
    assert_eq!(world.walk().status.code(), Some(11));
    let server = Server::new(&world, &[]);
    let home = server.get("/").body;
    for part in [
        "One thing needs you",
        "Greet in French",
        "is the greeting French or English?",
        "gatewalk answer 1 &quot;…&quot;",
    ] {
        assert!(home.contains(part), "{part}: {home}");
    }
    let feature = server.get(&format!("/feature?id={FEATURE}")).body;
    for part in [
        "<svg",
        "REQ-GREET-4",
        "Give this feature up",
        "class=\"node blocked_human\"",
        ">parked</span>",
    ] {
        assert!(feature.contains(part), "{part}: {feature}");
    }
    let unit = server
        .get(&format!("/unit?id={FEATURE}/T02&attempt=1"))
        .body;
    // The words of code have colours of their own.
    let words = regex::Regex::new("</?i[^>]*>").unwrap();
    let words = words.replace_all(&unit, "").replace("&#39;", "'");
    for part in [
        "nothing-on-standard-output",
        "ended with exit 1",
        "printf 'greet.sh: unknown option",
        "# Your session",
        "Arguments that begin with a dash",
        "What <code>tests</code> printed",
        "3 tests, 0 failed",
    ] {
        assert!(words.contains(part), "{part}: {unit}");
    }
    assert!(!unit.contains("&gt;&amp;2"), "attempt 2 is another: {unit}");
    let report = server.get(&format!("/report?id={FEATURE}"));
    let policy = report.header("content-security-policy").unwrap();
    assert!(
        policy.contains("style-src 'sha256-") && report.body.contains("Attempts over time"),
        "{report:?}"
    );
    assert!(
        feature.contains("Attempts over time") && feature.contains("planned"),
        "{feature}"
    );
    for (target, status) in [
        ("/nope", 404),
        ("/unit?id=FEAT-2026-0001/T99", 404),
        ("/unit?id=FEAT-2026-0001/T02&attempt=9", 404),
        ("/feature", 404),
        ("/feature?id=FEAT-2026-0001&repo=other", 404),
    ] {
        assert_eq!(server.get(target).status, status, "{target}");
    }
    let model: Value = serde_json::from_str(&server.get("/model.json").body).unwrap();
    let status: Value = serde_json::from_slice(&world.run(&["status", "--json"]).stdout).unwrap();
    assert_eq!(model["repositories"][0]["status"], status);
}

#[test]
#[ignore = "long"]
fn a_feature_is_walked_from_the_pages_alone() {
    let world = World::example();
    assert_eq!(world.walk().status.code(), Some(11));
    let server = Server::new(&world, &[]);
    let unit = format!("/unit?id={FEATURE}/T03");
    let page = server.get(&unit).body;
    assert!(
        page.contains("gatewalk answer 1 &quot;…&quot; --feature FEAT-2026-0001"),
        "{page}"
    );
    let question = hidden(&page, "question").to_owned();
    let answer = |question: &str| {
        server.post(&[
            ("action", "answer"),
            ("feature", FEATURE),
            ("number", "1"),
            ("question", question),
            ("answer", "--LC_ALL wins"),
        ])
    };
    // Another question than the one that was shown is not answered.
    assert_eq!(answer("something else").status, 409);
    let done = answer(&question);
    assert_eq!(done.status, 303, "{done:?}");
    let page = server.get(done.header("location").unwrap()).body;
    assert!(
        page.contains("Done") && page.contains("is pending again"),
        "{page}"
    );
    let status: Value = serde_json::from_slice(&world.run(&["status", "--json"]).stdout).unwrap();
    assert_eq!(status["features"][0]["units"][2]["status"], "pending");
    // What was decided meanwhile is refused in the words of the command.
    let again = server.post(&[
        ("action", "unblock"),
        ("unit", &format!("{FEATURE}/T03")),
        ("reason", "so"),
    ]);
    assert_eq!(again.status, 422, "{again:?}");
    assert!(again.body.contains("gatewalk unblock"), "{again:?}");
    let walked = world.driver(&world.root.join("answered")).output().unwrap();
    assert_eq!(walked.status.code(), Some(10), "{}", text(&walked));
    let seen = || {
        let review = server.get(&format!("/review?id={FEATURE}")).body;
        hidden(&review, "seen").to_owned()
    };
    let arm = |seen: &str| {
        server.post(&[
            ("action", "arm"),
            ("feature", FEATURE),
            ("seen", seen),
            ("accept", "yes"),
        ])
    };
    assert_eq!(arm("0123456789abcdef").status, 409);
    // What is armed is what was shown, also where the review says no word of what changed.
    let shown = seen();
    let plan = world.git(&["ls-files", ".gatewalk/features/*/PLAN.md"]);
    let text = std::fs::read_to_string(world.repo().join(plan.trim())).unwrap();
    world.write(plan.trim(), format!("{text}\nA word more.\n"));
    world.git(&["commit", "-qam", "A word more"]);
    assert_eq!(arm(&shown).status, 409);
    assert_eq!(arm(&seen()).status, 303);
    let status: Value = serde_json::from_slice(&world.run(&["status", "--json"]).stdout).unwrap();
    assert_eq!(status["features"][0]["gates"][0]["status"], "passed");
    assert_eq!(status["features"][0]["units"][5]["status"], "pending");
}

#[test]
#[ignore = "long"]
fn a_comment_on_a_line_reaches_the_next_session_and_breaks_no_contract() {
    let world = World::example();
    assert_eq!(world.walk().status.code(), Some(11));
    let server = Server::new(&world, &[]);
    let unit = format!("{FEATURE}/T03");
    let page = server
        .get(&format!(
            "/unit?id={unit}&attempt=1&at=tests/test_french.sh:2"
        ))
        .body;
    assert!(
        page.contains("id=\"comment\"") && page.contains("gatewalk comment FEAT-2026-0001/T03"),
        "{page}"
    );
    let comment = |at: &str, text: &str| {
        server.post(&[
            ("action", "comment"),
            ("unit", &unit),
            ("attempt", "1"),
            ("at", at),
            ("text", text),
        ])
    };
    let done = comment("tests/test_french.sh:2", "Say which\r\nlocale wins");
    assert_eq!(done.status, 303, "{done:?}");
    for (at, part) in [
        ("nowhere.sh:1", "has no file"),
        ("tests/test_french.sh:99", "no line 99"),
        ("x", "names no line"),
        ("../x:1", "has no file"),
    ] {
        let refused = comment(at, "x");
        assert_eq!(refused.status, 422, "{at}: {refused:?}");
        assert!(refused.body.contains(part), "{at}: {refused:?}");
    }
    let file = ".gatewalk/features/FEAT-2026-0001-greetings/WU-03-french.md";
    let text = world.read(file);
    let want = "## Review comments\n\n- `tests/test_french.sh:2` (attempt 1): Say which locale wins\n  > [ \"$(LC_ALL=fr_FR.UTF-8 sh greet.sh Ada)\" = \"Bonjour, Ada !\" ] || exit 1\n";
    assert!(text.ends_with(want), "{text}");
    assert!(
        server
            .get(&format!("/unit?id={unit}"))
            .body
            .contains("<p>Say which locale wins</p>")
    );
    assert!(world.run(&["answer", "1", "LC_ALL"]).status.success());
    let prompt = crate::world::text(&world.run(&["prompt", "T03"]));
    assert_eq!(
        prompt.matches("Say which locale wins").count(),
        1,
        "{prompt}"
    );
    let lint = world.run(&["lint", "--json"]);
    assert!(
        !crate::world::text(&lint).contains("changed-after-arming"),
        "{}",
        crate::world::text(&lint)
    );
    // What has landed is followed up by a draft; a second comment joins it.
    for text in ["Why a loop?", "And here?"] {
        let page = server.decide(&[
            ("action", "comment"),
            ("unit", &format!("{FEATURE}/T01")),
            ("attempt", "1"),
            ("at", "greet.sh:2"),
            ("text", text),
        ]);
        assert!(page.contains("Done"), "{page}");
    }
    let status: Value = serde_json::from_slice(&world.run(&["status", "--json"]).stdout).unwrap();
    let units = status["features"][0]["units"].as_array().unwrap();
    let drafts: Vec<_> = units
        .iter()
        .filter(|u| u["title"] == "Follow up on T01")
        .collect();
    assert_eq!(drafts.len(), 1, "{status}");
    assert_eq!(
        drafts[0]["comments"].as_array().unwrap().len(),
        2,
        "{status}"
    );
    // Nothing is left to be filled in, so it can be armed as it is.
    let lint = crate::world::text(&world.run(&["lint"]));
    assert!(!lint.contains("GW111"), "{lint}");
    // And the walk goes on with it, to the gate.
    let walked = world.driver(&world.root.join("answered")).output().unwrap();
    assert!(
        crate::world::text(&walked).contains("T03  landed as"),
        "{}",
        crate::world::text(&walked)
    );
}

#[test]
fn a_run_is_started_watched_and_stopped() {
    let world = World::example();
    let config = world.root.join("home/.config/gatewalk/config.yml");
    let slow = "agents:\n  slow:\n    command: [\"sh\", \"-c\", \"echo working; sleep 300\"]\n";
    let text = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, text + slow).unwrap();
    world.write(
        ".gatewalk/config.yml",
        world.read(".gatewalk/config.yml") + "\nagent: slow\n",
    );
    world.git(&["add", "-A"]);
    world.git(&["commit", "-qm", "slow"]);
    let server = Server::new(&world, &[]);
    let page = server.decide(&[("action", "run"), ("feature", FEATURE)]);
    assert!(page.contains("The run is at work"), "{page}");
    let page = server.shows("/", "<dt>Agent</dt><dd>slow</dd>");
    assert!(page.contains("attempt 1"), "{page}");
    let page = server.decide(&[("action", "stop")]);
    assert!(
        page.contains("nothing is lost") && page.contains("No run is at work"),
        "{page}"
    );
    let page = server.decide(&[("action", "stop")]);
    assert!(page.contains("no run is at work"), "{page}");
}

#[test]
fn an_open_page_shows_a_change_on_the_disk_within_a_second() {
    let world = World::example();
    let server = Server::new(&world, &["--read-only"]);
    let (port, cookie) = (server.port, &server.cookie);
    let mut stream = server.connect();
    let request =
        format!("GET /events HTTP/1.1\r\nHost: localhost:{port}\r\nCookie: {cookie}\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut lines = BufReader::new(stream).lines();
    let mut next = || loop {
        let line = lines.next().expect("goes on").unwrap();
        if let Some(state) = line.strip_prefix("data: ") {
            return state.to_owned();
        }
    };
    let first = next();
    assert!(
        server
            .get("/")
            .body
            .contains(&format!("data-live=\"{first}\""))
    );
    let mut last = first;
    for change in 0..3 {
        let began = Instant::now();
        let roadmap = world.read(".gatewalk/roadmap.md");
        world.write(".gatewalk/roadmap.md", format!("{roadmap}\n{change}\n"));
        // What a page shows already may come twice.
        let new = std::iter::repeat_with(&mut next).find(|state| *state != last);
        last = new.expect("goes on");
        let took = began.elapsed();
        println!("change {change} was reported after {} ms", took.as_millis());
        assert!(took < Duration::from_secs(20), "change {change}");
    }
}

#[test]
#[ignore = "long"]
fn read_only_pages_decide_nothing_and_show_the_commands() {
    let world = World::example();
    assert_eq!(world.walk().status.code(), Some(11));
    let tip = world.git(&["for-each-ref"]);
    let server = Server::new(&world, &["--read-only"]);
    let page = server.get(&format!("/unit?id={FEATURE}/T03")).body;
    assert!(
        !page.contains("<form") && page.contains("gatewalk unblock"),
        "{page}"
    );
    let refused = server.post(&[("action", "abandon"), ("name", FEATURE), ("reason", "so")]);
    assert_eq!(refused.status, 403, "{refused:?}");
    assert_eq!(world.git(&["for-each-ref"]), tip);
}

#[test]
fn several_repositories_are_one_first_page() {
    let (one, two) = (World::example(), World::example());
    let (first, second) = (one.repo(), two.repo());
    let second = [second.to_str().unwrap()];
    let mut options = vec!["-C", first.to_str().unwrap(), "-C"];
    options.extend(second);
    let server = Server::new(&one, &options);
    let home = server.get("/").body;
    assert!(
        home.contains("Features of repo<") && home.contains("Features of repo-2"),
        "{home}"
    );
    assert_eq!(
        server
            .get(&format!("/feature?repo=repo-2&id={FEATURE}"))
            .status,
        200
    );
    let refused = one.run(&["status", "-C", ".", "-C", "."]);
    assert_eq!(refused.status.code(), Some(2), "{}", text(&refused));
}

#[test]
fn only_this_machine_is_answered_unless_more_is_asked_for() {
    let world = World::example();
    for (options, part) in [
        (&["serve", "--bind", "0.0.0.0"][..], "--allow-remote"),
        (&["serve", "--host", "desk.example"][..], "--allow-remote"),
    ] {
        let out = world.run(options);
        assert_eq!(out.status.code(), Some(2), "{options:?}: {}", text(&out));
        assert!(text(&out).contains(part), "{options:?}: {}", text(&out));
    }
}
