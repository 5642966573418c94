//! Sessions on runners: the same journey through a pipe, by a command of the user's own configuration.

use super::processes::eventually;
use super::runner_places::{Places, Sshd};
use super::sample::sample;
use super::world::{BRANCH, Unit, World, after_shell, expect_same, good, text, two_units};
use std::path::Path;
use std::process::{Output, Stdio};

fn walk_on(world: &World, sessions: &Path, args: &[&str]) -> Output {
    world.driver(sessions).args(args).output().unwrap()
}

#[track_caller]
fn expect(output: &Output, exit: i32) -> String {
    assert_eq!(output.status.code(), Some(exit), "{}", text(output));
    text(output)
}

/// Returns what a run of the two-gate example left, through a question and an answer, to the review of its gate.
pub(crate) fn two_gates(world: &World, recorded: &World, runners: [&str; 2]) -> String {
    let [first, second] = runners.map(|name| match name {
        "" => vec![],
        name => vec!["--runner", name],
    });
    expect(&walk_on(world, &recorded.root.join("sessions"), &first), 11);
    let unblock = [
        "unblock",
        "FEAT-2026-0001/T03",
        "--reason",
        "it is answered",
    ];
    expect(&world.run(&unblock), 0);
    expect(
        &walk_on(world, &recorded.root.join("answered"), &second),
        10,
    );
    // When the user answered, and armed.
    let noise = r#"at: "[^"]*"|armed: .*"#;
    let noise = regex::Regex::new(noise).unwrap();
    noise.replace_all(&world.history(), "").into_owned()
}

#[test]
#[ignore = "long"]
fn two_gates_end_in_identical_commits_wherever_sessions_ran() {
    let sshd = Sshd::start();
    let recorded = World::example();
    let here = two_gates(&recorded.fork(), &recorded, ["", ""]);
    let world = recorded.fork();
    Places::of(&world).pipe("big", "").define();
    let there = two_gates(&world, &recorded, ["big", "big"]);
    expect_same("by a pipe", &there, &here);
    if let Some(sshd) = sshd {
        let world = recorded.fork();
        Places::of(&world)
            .ssh("one", &sshd, "")
            .pipe("two", "")
            .define();
        let there = two_gates(&world, &recorded, ["one", "two"]);
        expect_same("by ssh and mixed", &there, &here);
    }
}

#[test]
fn a_runner_that_nobody_defined_or_that_does_not_start_costs_nothing() {
    let world = two_units();
    let sessions = world.root.join("sessions");
    let said = expect(&walk_on(&world, &sessions, &["--runner", "big"]), 2);
    assert!(
        said.contains("no runner `big`") && said.contains("runners:"),
        "{said}"
    );
    Places::of(&world)
        .runner("gone", "[sh, -c, \"echo no such host >&2; exit 255\"]", "")
        .pipe("big", "")
        .define();
    let said = expect(&walk_on(&world, &sessions, &["--runner", "bgi"]), 2);
    assert!(said.contains("did you mean `big`?"), "{said}");
    let said = expect(&walk_on(&world, &sessions, &["--runner", "gone,big"]), 0);
    assert!(
        said.contains("runner gone: its command exited with 255"),
        "{said}"
    );
    assert!(
        said.contains("no such host") && said.contains("elsewhere, uncharged"),
        "{said}"
    );
    let unit = world.read(".gatewalk/features/FEAT-2026-0001-greetings/WU-T01.md");
    assert!(unit.contains("attempts: 1\n"), "{unit}");
}

#[test]
fn a_set_up_that_fails_there_says_why_and_costs_nothing() {
    let world = two_units();
    let oracle = world.read(".gatewalk/verification.yml");
    let setup = "setup: 'case $HOME in */far-big) echo no compiler here >&2; exit 3 ;; esac'\n";
    world.write(".gatewalk/verification.yml", format!("{setup}{oracle}"));
    world.git(&["commit", "-qam", "a set-up"]);
    Places::of(&world).pipe("big", "").define();
    let sessions = world.root.join("sessions");
    let args = ["--runner", "big", "--jobs", "1"];
    let said = expect(&walk_on(&world, &sessions, &args), 0);
    assert!(said.contains("(exit 3): no compiler here"), "{said}");
    let unit = world.read(".gatewalk/features/FEAT-2026-0001-greetings/WU-T01.md");
    assert!(unit.contains("attempts: 1\n"), "{unit}");
}

#[test]
fn a_unit_asks_and_what_is_handed_over_is_in_no_argument_and_no_environment_of_the_command() {
    let world = World::with_units(&[Unit {
        id: "T01",
        front: "resources: {cpus: 3, memory: 2G, gpu: 1}\ntimeout: 20m\n",
        sessions: &[&after_shell("T01", "echo \"saw $A_KEY\" > $HOME/../saw")],
        ..Unit::default()
    }]);
    let line = "[sh, -c, \"echo $* > LOG; env > ENV; exec {far}\", sh, -c, \"{cpus}\", \"--mem={memory_mb}M\", \"-t{minutes}\", \"--gpu={gpu}\"]";
    let place = |name: &str| world.root.join(name).display().to_string();
    let line = line
        .replace("LOG", &place("log"))
        .replace("ENV", &place("env"));
    Places::of(&world)
        .runner("big", &line, "    env: [A_KEY]\n")
        .define();
    let mut command = world.driver(&world.root.join("sessions"));
    let output = command
        .args(["--runner", "big"])
        .env("A_KEY", "s3cret")
        .output();
    expect(&output.unwrap(), 0);
    let read = |name: &str| std::fs::read_to_string(world.root.join(name)).unwrap();
    assert_eq!(read("log").trim(), "-c 3 --mem=2048M -t30 --gpu=1");
    assert!(!read("env").contains("s3cret"), "{}", read("env"));
    assert_eq!(read("saw").trim(), "saw s3cret");
}

#[test]
fn units_land_identically_wherever_their_sessions_ran() {
    let world = two_units();
    let here = world.fork();
    expect(
        &here.driver(&world.root.join("sessions")).output().unwrap(),
        0,
    );
    Places::of(&world).pipe("big", "").define();
    expect(
        &walk_on(&world, &world.root.join("sessions"), &["--runner", "big"]),
        0,
    );
    assert_eq!(world.history(), here.history());
    let tree = format!("{BRANCH}^{{tree}}");
    let product = |world: &World| world.git(&["ls-tree", &tree, "T01.txt", "T02.txt"]);
    assert_eq!(product(&world), product(&here));
}

/// A stand-in for `kubectl`: it refuses every line but the one that starts a pod for a pipe.
const KUBECTL: &str = r#"#!/bin/sh
fail() { echo "error: $*" >&2; exit 1; }
[ "$1" = run ] || fail "unknown command \"$1\""
shift
case "$1" in -*|'') fail "a pod needs a name" ;; esac
echo "$1" | grep -Eq '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' || fail "invalid pod name $1"
shift
stdin= image= restart= remove= command= waits= label=
while [ $# -gt 0 ]; do
  case "$1" in
    -i|--stdin) stdin=1 ;;
    --rm) remove=1 ;;
    --quiet|-q) ;;
    --restart=Never) restart=1 ;;
    --image=?*) image=1 ;;
    --pod-running-timeout=?*[smh]) waits=1 ;;
    --labels=?*=?*) label=1 ;;
    --command) command=1 ;;
    --) shift; break ;;
    *) fail "unknown flag: $1" ;;
  esac
  shift
done
[ "$stdin$remove$restart$image$command$waits$label" = 1111111 ] || fail "the line lacks a flag"
[ $# -gt 0 ] || fail "nothing to run"
# A pod begins at once; what it prints before it is attached is lost.
pod=$(mktemp -d)
mkfifo "$pod/in" "$pod/out"
"$@" <"$pod/in" >"$pod/out" &
exec 5<&0 3>"$pod/in" 4<"$pod/out"
rm -r "$pod"
timeout 0.2 cat <&4 >/dev/null
echo "If you don't see a command prompt, try pressing enter."
cat <&5 >&3 &
exec 3>&- 5<&-
exec cat <&4
"#;

#[test]
fn a_pod_is_a_place_as_any_other_for_a_stand_in_of_kubectl() {
    use std::os::unix::fs::PermissionsExt;
    let world = two_units();
    let here = world.fork();
    let sessions = world.root.join("sessions");
    expect(&here.driver(&sessions).output().unwrap(), 0);
    let program = world.root.join("kubectl");
    std::fs::write(&program, KUBECTL).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let page = include_str!("../../docs/runners.md");
    let line = page
        .lines()
        .find(|line| line.contains("kubectl run"))
        .unwrap();
    let line = line.trim().strip_prefix("command: ").unwrap();
    let line = line.replace("kubectl", &program.display().to_string());
    Places::of(&world).runner("k8s", &line, "").define();
    expect(&walk_on(&world, &sessions, &["--runner", "k8s"]), 0);
    expect_same("in a pod", &world.history(), &here.history());
}

/// Lines for pods that go wrong in the ways that such lines do.
#[test]
#[ignore = "long"]
fn a_pod_that_does_not_come_costs_nothing_and_says_why() {
    use std::os::unix::fs::PermissionsExt;
    let world = two_units();
    let program = world.root.join("kubectl");
    std::fs::write(&program, KUBECTL).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let kubectl = program.display();
    let flags = "-i --rm --quiet --restart=Never --pod-running-timeout=1m --labels=a=b --image=i";
    let sessions = world.root.join("sessions");
    let rows = [
        (
            format!("{kubectl} run gatewalk-$$ {flags} --command -- /no/such/gatewalk far-end"),
            "/no/such/gatewalk",
        ),
        (
            format!("{kubectl} run Gate_walk {flags} --command -- {{far}}"),
            "invalid pod name Gate_walk",
        ),
        (
            format!("{kubectl} run {flags} --command -- {{far}}"),
            "a pod needs a name",
        ),
        (
            format!("{kubectl} run g --rm --quiet --restart=Never --image=i --command -- {{far}}"),
            "the line lacks a flag",
        ),
        (
            format!("{kubectl} run g -it --rm --image=i --command -- {{far}}"),
            "unknown flag: -it",
        ),
        (
            format!("{kubectl} run g {flags} --command --"),
            "nothing to run",
        ),
        (
            format!(
                "{kubectl} run g {flags} --command -- sh -c 'echo forbidden: quota >&2; exit 1'"
            ),
            "forbidden: quota",
        ),
        (
            format!(
                "{kubectl} run g {flags} --command -- sh -c 'head -c 1 >/dev/null; echo pod deleted'"
            ),
            "pod deleted",
        ),
        (
            format!("{kubectl} run g {flags} --command -- sh -c '{{far}} </dev/null'"),
            "pass standard input on and stay",
        ),
        (
            format!("{kubectl} run g {flags} --command -- sh -c 'HOME=/proc/none {{far}}'"),
            "it reports: cannot create `/proc/none/",
        ),
        (
            format!("{kubectl} run g {flags} --command -- gatewalk-that-is-not-there far-end"),
            "put gatewalk there: gatewalk doctor --runner k8s --send",
        ),
        (
            format!("{kubectl} run g {flags} --command -- sh -c 'sleep 60'"),
            "did not start within 2 s",
        ),
        (
            format!(
                "{kubectl} run g {flags} --command -- sh -c 'head -c 1 >/dev/null; echo gatewalk far-end 9; sleep 60'"
            ),
            "install the same version on both",
        ),
        (
            format!(
                "{kubectl} run g {flags} --command -- sh -c 'head -c 1 >/dev/null; printf \\\"gatewalk far-end 1\\\\r\\\\n\\\"; sleep 60'"
            ),
            "start the command without one (no `-t`",
        ),
        (
            format!(
                "{kubectl} run g {flags} --command -- sh -c 'head -c 1 >/dev/null; echo gatewalk far-end 1; echo nonsense; sleep 60'"
            ),
            "k8s",
        ),
    ];
    for (line, want) in sample("pods", rows, 3) {
        let world = world.fork();
        let line = format!("[sh, -c, \"exec {line}\"]");
        Places::of(&world)
            .runner("k8s", &line, "    wait: 2s\n")
            .pipe("big", "")
            .define();
        let output = walk_on(&world, &sessions, &["--runner", "k8s,big"]);
        let said = expect(&output, 0);
        assert!(said.contains(want), "{line}: {said}");
        let unit = world.read(".gatewalk/features/FEAT-2026-0001-greetings/WU-T01.md");
        assert!(unit.contains("attempts: 1\n"), "{line}: {unit}");
    }
}

/// As an engine that passes output on line by line, and never the rest of one.
#[test]
fn an_engine_that_passes_on_lines_only_is_enough() {
    let world = two_units();
    let line = "[sh, -c, \"{far} | LC_ALL=C sed -u p -n\"]";
    Places::of(&world).runner("lines", line, "").define();
    let sessions = world.root.join("sessions");
    expect(&walk_on(&world, &sessions, &["--runner", "lines"]), 0);
}

#[test]
fn only_the_first_contact_carries_the_history() {
    let bad = good("T01").replace("      whole", "      half");
    let world = World::with_units(&[Unit {
        id: "T01",
        sessions: &[&bad, &good("T01")],
        ..Unit::default()
    }]);
    let mut state = 1u64;
    let random = std::iter::repeat_with(|| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 56) as u8
    });
    world.write("big.bin", random.take(1 << 20).collect::<Vec<u8>>());
    world.git(&["add", "-A"]);
    world.git(&["commit", "-qm", "big"]);
    let sent = world.root.join("sent");
    std::fs::create_dir(&sent).unwrap();
    let line = format!("[sh, -c, \"tee {}/$$ | {{far}}\"]", sent.display());
    Places::of(&world).runner("big", &line, "").define();
    let sessions = world.root.join("sessions");
    expect(&walk_on(&world, &sessions, &["--runner", "big"]), 0);
    let sizes = std::fs::read_dir(&sent)
        .unwrap()
        .map(|entry| entry.unwrap().metadata().unwrap().len());
    let mut sizes: Vec<u64> = sizes.collect();
    sizes.sort_unstable();
    assert_eq!(sizes.len(), 2, "two attempts on one commit");
    assert!(sizes[0] < 64 << 10 && sizes[1] > 1 << 20, "{sizes:?}");
}

#[test]
#[ignore = "long"]
fn a_plan_names_a_runner_that_only_the_user_defines_and_its_queue_is_shown() {
    let world = two_units();
    let plan = ".gatewalk/features/FEAT-2026-0001-greetings/PLAN.md";
    let text = world.read(plan);
    let named = text.replacen("status: active", "status: active\nrunners: [big]", 1);
    world.write(plan, named);
    world.git(&["commit", "-qam", "name a runner"]);
    let sessions = world.root.join("sessions");
    let said = expect(&walk_on(&world, &sessions, &[]), 5);
    assert!(said.contains("names the runner `big`"), "{said}");
    assert!(said.contains("config.yml"), "{said}");
    let refs = world.git(&["for-each-ref"]);
    assert!(!refs.contains("feat/"), "nothing was begun: {refs}");
    let elsewhere = world.fork();
    Places::of(&elsewhere).pipe("other", "").define();
    let said = expect(&walk_on(&elsewhere, &sessions, &["--runner", "other"]), 0);
    assert!(said.contains(" on other"), "{said}");
    // An engine that looks once a second whether it may begin.
    let go = world.root.join("go");
    let places = Places::of(&world);
    let (goes, home) = (go.display(), places.home("big"));
    let queue = format!(
        "[sh, -c, \"until sleep 1 && test -e {goes}; do :; done; HOME={} {{far}}; exit $?\"]",
        home.display()
    );
    places.runner("big", &queue, "").define();
    let mut driver = world.driver(&sessions);
    driver.stdout(Stdio::piped()).stderr(Stdio::piped());
    let driver = driver.spawn().unwrap();
    eventually("it is shown to wait", || {
        let status = world.run(&["status"]);
        String::from_utf8_lossy(&status.stdout).contains("1 in its queue")
    });
    std::fs::write(&go, "").unwrap();
    let said = expect(&driver.wait_with_output().unwrap(), 0);
    let waited = said.split("(queued ").nth(1).unwrap_or_default();
    assert!(
        said.contains(" on big") && waited.starts_with(|c: char| c > '0'),
        "{said}"
    );
    expect_same("as the plan says", &world.history(), &elsewhere.history());
}

#[test]
#[ignore = "long"]
fn the_program_is_sent_to_its_place_and_what_was_there_stays_until_it_has_come_whole() {
    let sshd = Sshd::start();
    let world = two_units();
    let place = world.root.join("far away/bin/gatewalk");
    let ssh = sshd.as_ref().map(|sshd| sshd.dir.join("config"));
    // The git there says that it is an old one, and does what the real one does.
    let old = world.root.join("old");
    std::fs::create_dir(&old).unwrap();
    let git = "#!/bin/sh\ncase \" $*\" in *' version'|*' --version') echo git version 2.25.1; exit;; esac\nPATH=${PATH#*:}\nexec git \"$@\"\n";
    std::fs::write(old.join("git"), git).unwrap();
    let all = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(old.join("git"), all).unwrap();
    let far = format!("\"PATH={}:$PATH {{far}}", old.display());
    let (whole, environment) = match &ssh {
        Some(config) => (
            format!("[ssh, -F, {}, slot, {far}\"]", config.display()),
            "nothing of yours goes there",
        ),
        None => (
            format!("[sh, -c, {far}; exit $?\"]"),
            "hands your whole environment on",
        ),
    };
    let send = |command: &str, program: &str| {
        let config = format!(
            "runners:\n  big:\n    command: {command}\n    program: {program}\n    lease: 2s\n"
        );
        std::fs::write(world.root.join("home/.config/gatewalk/config.yml"), config).unwrap();
        text(&world.run(&["doctor", "--runner", "big", "--send"]))
    };
    let to = place.display().to_string();
    for (command, program, want) in [
        (&*whole, "gatewalk", "`program` is no path"),
        ("[gatewalk, far-end]", &to, "starts the far end itself"),
        (
            "[sh, -c, \"head -c 999 | {far}\"]",
            &to,
            "did not get there",
        ),
    ] {
        let said = send(command, program);
        assert!(said.contains(want), "{said}");
        assert!(!place.exists(), "{command}");
    }
    let said = send(&whole, &to);
    let version = env!("CARGO_PKG_VERSION");
    let version = format!("gatewalk {version}, as here");
    for row in [&*version, environment, "2.25.1 is older than any"] {
        assert!(said.contains(row), "{said}");
    }
    let left: Vec<_> = std::fs::read_dir(place.parent().unwrap())
        .unwrap()
        .collect();
    assert_eq!(left.len(), 1, "{left:?}");
}
