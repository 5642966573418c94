//! What others try on `gatewalk serve`: none gets in, nothing of it runs, and it stays small.

use crate::serve::Server;
use crate::world::World;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Barrier;

#[test]
fn nobody_gets_in_by_another_name_another_site_or_a_guess() {
    let world = World::example();
    let tip = world.git(&["for-each-ref"]);
    let server = Server::new(&world, &[]);
    let own = format!("127.0.0.1:{}", server.port);
    let (cookie, token) = (&server.cookie, &server.token);
    let with = |line: &str, headers: &[String]| {
        let headers: String = headers.iter().map(|h| format!("{h}\r\n")).collect();
        server.raw(format!("{line} HTTP/1.1\r\n{headers}\r\n").as_bytes())
    };
    let cookie = format!("Cookie: {cookie}");
    let host = |name: &str| format!("Host: {name}");
    let origin = |name: &str| format!("Origin: {name}");
    let rows: Vec<(String, Vec<String>)> = vec![
        ("GET /".into(), vec![host(&own)]),
        ("GET /?token=".into(), vec![host(&own)]),
        (format!("GET /?token={}", &token[..31]), vec![host(&own)]),
        (format!("GET /?token={}", "0".repeat(32)), vec![host(&own)]),
        ("GET /model.json".into(), vec![host(&own)]),
        ("GET /page.css".into(), vec![host(&own)]),
        ("GET /events".into(), vec![host(&own)]),
        ("GET /".into(), vec![host("evil.example"), cookie.clone()]),
        (format!("GET /?token={token}"), vec![host("evil.example")]),
        (
            "GET /".into(),
            vec![
                host(&format!("evil.example:{}", server.port)),
                cookie.clone(),
            ],
        ),
        ("GET /".into(), vec![cookie.clone()]),
        (
            "GET /".into(),
            vec![host(&own), origin("http://evil.example"), cookie.clone()],
        ),
        (
            "GET /model.json".into(),
            vec![host(&own), origin("null"), cookie.clone()],
        ),
        ("POST /decide".into(), vec![host(&own), cookie.clone()]),
        (
            "POST /decide".into(),
            vec![host(&own), origin("http://evil.example"), cookie.clone()],
        ),
        (
            "POST /decide".into(),
            vec![host(&own), origin("null"), cookie.clone()],
        ),
        (
            format!("POST /decide?token={token}"),
            vec![host(&own), origin(&format!("http://{own}"))],
        ),
    ];
    for (line, headers) in rows {
        let answer = with(&line, &headers);
        assert_eq!(answer.status, 403, "{line} {headers:?}: {answer:?}");
        assert!(!answer.body.contains("FEAT-2026"), "{line}: {answer:?}");
        assert!(answer.header("set-cookie").is_none(), "{line}: {answer:?}");
    }
    assert_eq!(world.git(&["for-each-ref"]), tip);
}

#[test]
fn every_answer_forbids_scripts_frames_and_other_sites() {
    let world = World::example();
    let server = Server::new(&world, &[]);
    for target in [
        "/",
        "/nope",
        "/model.json",
        "/page.js",
        "/feature?id=FEAT-2026-0001",
    ] {
        let answer = server.get(target);
        let policy = answer.header("content-security-policy").expect("a policy");
        assert!(
            policy.contains("default-src 'none'") && !policy.contains("unsafe"),
            "{policy}"
        );
        assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        // The secret link never leaves as a referrer, and forms still name their origin.
        assert_eq!(answer.header("referrer-policy"), Some("same-origin"));
        assert!(
            answer.header("access-control-allow-origin").is_none(),
            "{answer:?}"
        );
        for inline in [" style=", " onclick=", " onload=", "<style", "javascript:"] {
            assert!(
                !answer.body.contains(inline) || target == "/page.js",
                "{target}: {inline}"
            );
        }
    }
}

#[test]
#[ignore = "long"]
fn markup_in_plans_logs_names_and_diffs_is_text() {
    let world = World::example();
    let hostile = "<script>alert(1)</script><img src=x onerror=alert(2)>";
    let dir = ".gatewalk/features/FEAT-2026-0001-greetings";
    let plan = format!("{dir}/PLAN.md");
    let old = world.read(&plan);
    let title = old
        .lines()
        .find(|l| l.starts_with("title:"))
        .unwrap()
        .to_owned();
    world.write(
        &plan,
        old.replace(&title, &format!("title: \"{hostile}\\u202e\"")),
    );
    let unit = format!("{dir}/WU-01-several-names.md");
    world.write(
        &unit,
        world
            .read(&unit)
            .replace("# Greet several names", &format!("# {hostile}")),
    );
    world.git(&["commit", "-qam", "hostile"]);
    let session = world.root.join("sessions/T01.yml");
    let old = std::fs::read_to_string(&session).unwrap();
    let more = format!(
        "steps:\n  - say: \"{hostile}\"\n  - write: \"tests/<b>{}.sh\"\n    content: |\n      # {hostile}\n",
        "x"
    );
    std::fs::write(
        &session,
        old.replacen("steps:\n", &more, 1)
            .replace("summary: greet.sh", &format!("summary: {hostile} greet.sh")),
    )
    .unwrap();
    drop(world.walk());
    let server = Server::new(&world, &[]);
    let mut found = 0;
    for target in [
        "/",
        "/feature?id=FEAT-2026-0001",
        "/unit?id=FEAT-2026-0001/T01",
        "/review?id=FEAT-2026-0001",
        "/feature?id=%3Cscript%3Ealert(1)",
        "/%3Cscript%3E",
    ] {
        let page = server.get(target).body;
        found += page.matches("&lt;script&gt;alert(1)").count();
        // The one script is the pages' own.
        assert_eq!(page.matches("<script").count(), 1, "{target}: {page}");
        assert!(
            !page.contains("<img") && !page.contains("<b>x") && !page.contains('\u{202e}'),
            "{target}: {page}"
        );
    }
    assert!(found >= 6, "{found}");
}

#[test]
fn a_name_that_leaves_the_repository_is_no_name_of_anything() {
    let world = World::example();
    let server = Server::new(&world, &[]);
    for target in [
        "/../../../../etc/passwd",
        "/..%2f..%2fetc%2fpasswd",
        "//etc/passwd",
        "/page.css/../../Cargo.toml",
        "/feature?id=../../etc/passwd",
        "/unit?id=--help",
        "/unit?id=FEAT-2026-0001/T01&attempt=../1",
        "/review?id=%2Fetc%2Fpasswd",
        "/feature?id=FEAT-2026-0001&repo=../../",
        "/page.css%00.html",
    ] {
        let answer = server.get(target);
        assert_eq!(answer.status, 404, "{target}: {answer:?}");
        assert!(!answer.body.contains("root:"), "{target}");
    }
    // Where a decision leads is made here, whatever the form names.
    let done = server.post(&[
        ("action", "stop"),
        ("unit", "x\r\nSet-Cookie: a=b"),
        ("feature", "//evil.example"),
    ]);
    assert_eq!(done.status, 303, "{done:?}");
    assert!(
        done.header("location")
            .unwrap()
            .starts_with("/unit?repo=repo&id=x%0D%0ASet-Cookie"),
        "{done:?}"
    );
    assert!(done.header("set-cookie").is_none(), "{done:?}");
}

#[test]
fn malformed_requests_are_refused() {
    let world = World::example();
    let server = Server::new(&world, &[]);
    let head = format!(
        "Host: 127.0.0.1:{}\r\nCookie: {}\r\n",
        server.port, server.cookie
    );
    let own = format!("{head}Origin: http://127.0.0.1:{}\r\n", server.port);
    let long = "x".repeat(20_000);
    for (request, status) in [
        (format!("GET /{long} HTTP/1.1\r\n{head}\r\n"), 413),
        (format!("GET / HTTP/1.1\r\n{head}X: {long}\r\n\r\n"), 413),
        (
            format!("GET / HTTP/1.1\r\n{head}{}\r\n", "A: b\r\n".repeat(100)),
            413,
        ),
        (
            format!("POST /decide HTTP/1.1\r\n{head}Content-Length: 99999999999\r\n\r\n"),
            413,
        ),
        (
            format!("POST /decide HTTP/1.1\r\n{head}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
            400,
        ),
        (
            format!(
                "POST /decide HTTP/1.1\r\n{head}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabc"
            ),
            400,
        ),
        (
            format!("GET / HTTP/1.1\r\n{head}Host: evil.example\r\n\r\n"),
            400,
        ),
        (
            format!("GET http://evil.example/ HTTP/1.1\r\n{head}\r\n"),
            400,
        ),
        (format!("DELETE / HTTP/1.1\r\n{head}\r\n"), 405),
        (format!("OPTIONS / HTTP/1.1\r\n{head}\r\n"), 405),
        (format!("GET /decide HTTP/1.1\r\n{head}\r\n"), 405),
        (format!("POST / HTTP/1.1\r\n{own}\r\n"), 405),
        (format!("POST /events HTTP/1.1\r\n{own}\r\n"), 405),
        (
            format!("POST /decide HTTP/1.1\r\n{own}Content-Length:\r\n\r\n"),
            400,
        ),
        (
            format!(
                "POST /decide HTTP/1.1\r\n{own}Content-Type: text/plain\r\nContent-Length: 11\r\n\r\naction=stop"
            ),
            415,
        ),
        ("\0\u{1}\u{2}\r\n\r\n".to_owned(), 400),
        (
            format!(
                "POST /nope HTTP/1.1\r\n{head}Origin: http://127.0.0.1:{}\r\n\r\n",
                server.port
            ),
            404,
        ),
    ] {
        let answer = server.raw(request.as_bytes());
        assert_eq!(
            answer.status,
            status,
            "{}: {answer:?}",
            &request[..60.min(request.len())]
        );
        assert_eq!(
            answer.header("allow").is_some(),
            status == 405,
            "{answer:?}"
        );
    }
    // A refusal arrives although not all was read, and of a page the head alone can be asked for.
    let huge = format!("POST /decide HTTP/1.1\r\n{own}Content-Length: 9000000\r\n\r\n");
    let huge = huge + &"x".repeat(9_000_000);
    assert_eq!(server.raw(huge.as_bytes()).status, 413);
    let only = server.raw(format!("HEAD / HTTP/1.1\r\n{head}\r\n").as_bytes());
    assert_eq!((only.status, &*only.body), (200, ""));
    assert!(
        only.header("content-length")
            .is_some_and(|length| length != "0")
    );
}

/// Returns the most memory a process ever had, in MiB.
#[cfg(target_os = "linux")]
fn peak_mib(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find(|l| l.starts_with("VmHWM:")).unwrap();
    let kib: u64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    kib / 1024
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "long"]
fn two_hundred_clients_and_slow_ones_are_answered_in_bounded_memory() {
    let world = World::example();
    let server = Server::new(&world, &[]);
    let head = format!(
        "Host: 127.0.0.1:{}\r\nCookie: {}\r\n",
        server.port, server.cookie
    );
    // Some begin a request and never end it; many keep a page open.
    let begun = || {
        let mut stream = server.connect();
        stream.write_all(b"GET / HTTP/1.1\r\nHo").unwrap();
        stream
    };
    let slow: Vec<TcpStream> = (0..60).map(|_| begun()).collect();
    let mut open: Vec<TcpStream> = (0..200)
        .map(|_| {
            let mut stream = server.connect();
            stream
                .write_all(format!("GET /events HTTP/1.1\r\n{head}\r\n").as_bytes())
                .unwrap();
            let mut first = [0; 12];
            stream.read_exact(&mut first).unwrap();
            assert_eq!(&first, b"HTTP/1.1 200", "an open page");
            stream
        })
        .collect();
    // Every open page fetches itself anew at the same moment.
    let together = Barrier::new(200);
    let pages: Vec<u16> = std::thread::scope(|scope| {
        let fetch = || {
            together.wait();
            server.get("/").status
        };
        let threads: Vec<_> = (0..200).map(|_| scope.spawn(fetch)).collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect()
    });
    assert_eq!(pages, vec![200; 200]);
    let end = |mut stream: TcpStream| {
        let mut answer = String::new();
        drop(stream.read_to_string(&mut answer));
        answer
    };
    // One that made room for the burst is closed; one that is in nobody's way is told.
    let late = begun();
    for slow in slow {
        let answer = end(slow);
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 408"));
    }
    assert!(end(late).starts_with("HTTP/1.1 408"), "a slow request ends");
    world.write(".gatewalk/roadmap.md", "changed\n");
    for stream in &mut open {
        let mut seen = String::new();
        let mut byte = [0; 256];
        while seen.matches("data: ").count() < 2 {
            let read = stream.read(&mut byte).unwrap();
            assert!(read > 0, "an open page is told: {seen}");
            seen.push_str(&String::from_utf8_lossy(&byte[..read]));
        }
    }
    let peak = peak_mib(server.pid());
    println!("260 clients: {peak} MiB at most");
    assert!(peak < 64, "{peak} MiB");
}

#[test]
fn idle_connections_keep_nobody_out() {
    let world = World::example();
    let server = Server::new(&world, &[]);
    let mut silent: Vec<TcpStream> = (0..400).map(|_| server.connect()).collect();
    for round in 0..3 {
        assert_eq!(server.get("/").status, 200, "round {round}");
    }
    let mut first = silent.remove(0);
    assert_eq!(first.read(&mut [0; 1]).unwrap(), 0, "the oldest made room");
}

#[test]
fn a_field_is_never_an_option_and_never_breaks_a_command() {
    let world = World::example();
    let server = Server::new(&world, &[]);
    for action in ["unblock", "done", "abandon", "comment"] {
        let answer = server.post(&[
            ("action", action),
            ("unit", "--help"),
            ("name", "--help"),
            ("reason", "--help"),
            ("evidence", "--version"),
            ("attempt", "1"),
            ("at", "--help"),
            ("text", "--help"),
        ]);
        assert_eq!(answer.status, 422, "{action}: {answer:?}");
    }
    for feature in ["--all", "--help", "-h"] {
        for action in ["run", "arm"] {
            let form = [("action", action), ("feature", feature), ("seen", "x")];
            let answer = server.post(&form);
            assert!(answer.status >= 400, "{action} {feature}: {answer:?}");
        }
    }
    for target in ["/unit?id=F&file=%00", "/feature?id=a%00b", "/?%00=1"] {
        assert_eq!(server.get(target).status, 400, "{target}");
    }
    let zero = server.post(&[("action", "abandon"), ("name", "F\0"), ("reason", "r")]);
    assert_eq!(zero.status, 400, "{zero:?}");
}
