//! Pages: how long until a browser has the first section of each, right after a change and when nothing changed since.

use super::*;
use std::net::TcpStream;
use std::process::Child;

/// The longest that a first section may take, in milliseconds.
const FIRST_CONTENT: f64 = 300.0;

/// The pages of a lab's repository, served.
pub(super) struct Served {
    child: Child,
    address: String,
    cookie: String,
}

impl Served {
    pub(super) fn new(lab: &Lab) -> Served {
        let mut serve = command(BINARY, &lab.repo());
        serve.args(["serve", "--read-only"]).stdout(Stdio::piped());
        let mut child = serve.stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        output.read_line(&mut line).unwrap();
        let (start, token) = line.trim().split_once("/?token=").expect("a link");
        let mut served = Served {
            child,
            address: start.trim_start_matches("http://").to_owned(),
            cookie: String::new(),
        };
        let mut welcome = String::new();
        let mut stream = served.ask(&format!("/?token={token}"));
        stream.read_to_string(&mut welcome).unwrap();
        let cookie = welcome.split_once("Set-Cookie: ").expect("a cookie").1;
        served.cookie = cookie.split(';').next().unwrap_or_default().to_owned();
        served
    }

    /// Returns what asks for a page as one who was let in.
    pub(super) fn client(&self) -> impl Fn(&str) -> TcpStream + Send + use<> {
        let (host, cookie) = (self.address.clone(), self.cookie.clone());
        move |target| {
            let mut stream = TcpStream::connect(&host).unwrap();
            let head = format!("GET {target} HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\n\r\n");
            stream.write_all(head.as_bytes()).unwrap();
            stream
        }
    }

    fn ask(&self, target: &str) -> TcpStream {
        self.client()(target)
    }

    /// Returns how long it takes until something of a page is there; the rest is read, but not counted.
    fn first_content(&self, target: &str) -> Duration {
        let began = Instant::now();
        let mut stream = self.ask(target);
        let mut start = [0; 12];
        stream.read_exact(&mut start).unwrap();
        let took = began.elapsed();
        assert_eq!(&start[..], b"HTTP/1.1 200", "{target}");
        stream.read_to_end(&mut Vec::new()).unwrap();
        took
    }

    /// Returns the processor time of the server and of what it started and waited for, in milliseconds.
    pub(super) fn processor_time(&self) -> f64 {
        let path = format!("/proc/{}/stat", self.child.id());
        let stat = fs::read_to_string(path).unwrap_or_default();
        let fields = stat.rsplit(')').next().unwrap_or_default();
        let ticks = fields.split_whitespace().skip(11).take(4);
        // A tick is a hundredth of a second wherever this runs.
        10.0 * ticks.filter_map(|t| t.parse::<f64>().ok()).sum::<f64>()
    }

    fn measure(&self, lab: &Lab, name: &str, target: &str) {
        let (mut cold, mut warm, mut spent) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..rounds().min(7) {
            ok(
                "git",
                &["commit", "-q", "--allow-empty", "-m", "x"],
                &lab.repo(),
            );
            // Looks that follow one another closely are one.
            std::thread::sleep(Duration::from_millis(200));
            let before = self.processor_time();
            cold.push(self.first_content(target));
            spent.push(Duration::from_secs_f64(
                (self.processor_time() - before) / 1000.0,
            ));
            warm.push(self.first_content(target));
        }
        let spent = median(spent);
        row(
            &format!("{name}, after a change ({spent:.0} ms of processor)"),
            median(cold),
            "ms",
            FIRST_CONTENT,
        );
        row(&format!("{name}, again"), median(warm), "ms", FIRST_CONTENT);
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

pub(super) fn page_times() {
    let lab = Lab::new();
    for number in 1..=1_000 {
        lab.feature(number, 4, "planned", "draft");
    }
    lab.commit();
    let started = (0..rounds().min(7)).map(|_| {
        let began = Instant::now();
        let served = Served::new(&lab);
        began.elapsed() + served.first_content("/")
    });
    row(
        "first page, 1,000 features, from the start of `serve`",
        median(started.collect()),
        "ms",
        FIRST_CONTENT,
    );
    let served = Served::new(&lab);
    for (name, target) in [
        ("first page, 1,000 features", "/"),
        ("a feature among them", "/feature?id=FEAT-2026-0500"),
        ("a unit among them", "/unit?id=FEAT-2026-0500/T01"),
    ] {
        served.measure(&lab, name, target);
    }
    long_diff();
}

/// A unit whose attempt changed 100,000 lines.
fn long_diff() {
    let lab = Lab::new();
    lab.feature(1, 1, "active", "pending");
    lab.agent("mkdir -p src; for f in 1 2 3 4 5 6 7 8 9 10; do seq 10000 | sed 's/.*/let x = &; \\/\\/ a line/' > src/$f.rs; done");
    lab.commit();
    let agent = format!("command:sh {}", lab.root.path().join("agent.sh").display());
    ok(BINARY, &["loop", "--agent", &agent], &lab.repo());
    let served = Served::new(&lab);
    for (name, target) in [
        (
            "a unit of 100,000 changed lines",
            "/unit?id=FEAT-2026-0001/T01",
        ),
        (
            "one of its files",
            "/unit?id=FEAT-2026-0001/T01&attempt=1&file=src/1.rs",
        ),
    ] {
        served.measure(&lab, name, target);
    }
}
