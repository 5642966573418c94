use super::*;
use crate::process::{Limits, Marker, ProcessEnd, ProgramRun, Stdin, run_capture};
use crate::stop_flag::StopFlag;
use crate::test_files::{write_program, write_waiting_program};

struct Place {
    _dir: tempfile::TempDir,
    root: PathBuf,
    stand_ins: Option<SlotStandIns>,
}

/// A home with a key, a repository and a slot in it.
fn place() -> Place {
    place_in(&std::env::temp_dir())
}

/// Likewise, on some disk.
fn place_in(disk: &Path) -> Place {
    let dir = tempfile::tempdir_in(disk).unwrap();
    let root = dir.path().canonicalize().unwrap();
    for directory in [
        "home/.ssh",
        "home/.docker",
        "home/.config/gh",
        "home/.config/editor",
        "home/.config",
        "repo/.git",
        "home/.cache/gatewalk/slots/0",
        "home/.cache/gatewalk/slots/1",
    ] {
        std::fs::create_dir_all(root.join(directory)).unwrap();
    }
    std::fs::write(root.join("home/.ssh/id"), "key").unwrap();
    std::fs::write(root.join("home/.bashrc"), "# mine").unwrap();
    for file in [
        "docker/config.json",
        "docker/daemon.json",
        "config/gh/hosts",
        "config/editor/rc",
    ] {
        std::fs::write(root.join(format!("home/.{file}")), "text").unwrap();
    }
    drop(std::os::unix::net::UnixListener::bind(root.join("home/door")).unwrap());
    std::fs::write(root.join("repo/.git/config"), "").unwrap();
    Place {
        _dir: dir,
        root,
        stand_ins: None,
    }
}

impl Place {
    /// Returns the same, in which directories on the disk stand for what is layered.
    fn with_stand_ins(mut self) -> Place {
        let below = self.root.join("stand-ins");
        std::fs::create_dir(&below).unwrap();
        self.stand_ins = Some(SlotStandIns {
            all: StandIns::default(),
            below,
        });
        self
    }

    fn bounds(&self) -> Bounds {
        let mut bounds = Bounds::reading(false);
        let home = self.root.join("home").into_os_string();
        bounds.add_common(&MovedPlaces::of(&[("HOME".into(), home)]), None);
        bounds.add(&self.root.join("repo"), Access::Read);
        bounds.add(&self.root.join("home/.cache/gatewalk"), Access::Read);
        bounds.add(&self.slot(), Access::Write);
        bounds
    }

    fn slot(&self) -> PathBuf {
        self.root.join("home/.cache/gatewalk/slots/0")
    }

    /// Returns bounds in which a program of the place waits, with private directories on disk.
    fn waiting_bounds(&self) -> Bounds {
        write_waiting_program(&self.own_program());
        let own = self.root.join("own-temporary");
        std::fs::create_dir(&own).unwrap();
        let mut bounds = self.bounds();
        bounds.show(&self.own_program());
        bounds.show(std::env::current_exe().unwrap().parent().unwrap());
        bounds.keep_private_in(&own);
        bounds
    }

    fn own_program(&self) -> PathBuf {
        self.root.join("own")
    }

    fn order(&self, bwrap: &Path, bounds: &Bounds) -> StandbyOrder {
        StandbyOrder {
            bwrap: bwrap.to_path_buf(),
            bounds: bounds.clone(),
            cwd: self.slot(),
            slot: SlotSandbox {
                own_program: self.own_program(),
                ..slot_sandbox()
            },
        }
    }

    /// Returns whether a shell line succeeds in the slot, confined.
    fn run(&self, layer: &Layer, shell: &str) -> bool {
        self.run_in(layer, shell, &self.bounds())
    }

    fn run_in(&self, layer: &Layer, shell: &str, bounds: &Bounds) -> bool {
        self.ended(layer, shell, bounds).is_success()
    }

    fn ended(&self, layer: &Layer, shell: &str, bounds: &Bounds) -> ProcessEnd {
        let path = std::env::var_os("PATH").unwrap();
        self.ended_with(layer, &["sh", "-c", shell], path, bounds)
    }

    fn ended_with(
        &self,
        layer: &Layer,
        argv: &[&str],
        path: OsString,
        bounds: &Bounds,
    ) -> ProcessEnd {
        let spec = CommandSpec {
            program: argv[0].into(),
            args: argv[1..].iter().map(Into::into).collect(),
            cwd: self.slot(),
            env: vec![
                ("PATH".into(), path),
                ("ROOT".into(), self.root.clone().into()),
                ("HOME".into(), self.root.join("home").into()),
            ],
            stdin: Stdin::Null,
            marker: Marker::new("isolation", "test"),
            inherit: None,
            wrapper: None,
        };
        let slot = SlotSandbox {
            stand_ins: self.stand_ins.clone(),
            ..slot_sandbox()
        };
        let spec = layer.confine(spec, bounds, (&Standbys::default(), slot));
        let ran = run_capture(&ProgramRun {
            spec: &spec,
            limits: &Limits::default(),
            log: None,
            stop: &StopFlag::new().unwrap(),
        });
        ran.outcome.ended
    }
}

/// A slot's whose sandboxes nothing can wait in.
fn slot_sandbox() -> SlotSandbox {
    SlotSandbox {
        stand_ins: None,
        own_program: "/nothing".into(),
        marker: Marker::new("isolation", "test"),
        resources: Limits::default().resources,
    }
}

fn bubblewrap() -> Option<Layer> {
    let env = [("PATH".into(), std::env::var_os("PATH")?)];
    let layer = Layer::probe(&env, Path::new("/nonexistent"));
    matches!(layer, Layer::Bubblewrap(_)).then_some(layer)
}

#[test]
fn bubblewrap_keeps_what_is_outside_the_slot_as_it_was() {
    // Where it does not work there is nothing to try; the suite says which layer it ran with.
    let Some(layer) = bubblewrap() else { return };
    keeps_what_is_outside(&layer, &place());
    keeps_what_is_outside(&layer, &place().with_stand_ins());
}

fn keeps_what_is_outside(layer: &Layer, place: &Place) {
    for (shell, allowed) in [
        ("echo x > file && rm file", true),
        ("test -r $ROOT/repo/.git/config", true),
        ("echo x > $ROOT/beside", false),
        ("echo x > /tmp/mine && test -s /tmp/mine", true),
        ("! test -e /tmp/mine", true),
        ("echo x > /var/tmp/mine", true),
        ("echo x >> $ROOT/repo/.git/config", false),
        ("rm -rf $ROOT/repo/.git", false),
        ("mv $ROOT/repo $ROOT/elsewhere", false),
        ("echo x > $ROOT/home/.cache/gatewalk/slots/1/file", false),
        ("echo x >> $HOME/.bashrc", false),
        ("cat $HOME/.ssh/id", false),
        ("test ! -e $HOME/new && echo x > $HOME/new", true),
        ("test ! -e $HOME/new && mkdir $HOME/.config/tool", true),
        ("mkdir $HOME/.config/tool", true),
        ("rm $HOME/.bashrc && echo x > $HOME/.bashrc", true),
        ("chmod 0 $HOME/.config $HOME && test ! -w $HOME", true),
        (
            "grep mine $HOME/.bashrc && test -s $HOME/.config/editor/rc",
            true,
        ),
        ("echo x > $HOME/.config/editor/rc", false),
        (
            "mv $HOME/.config/editor $HOME/gone && test -s $HOME/gone/rc",
            true,
        ),
        ("test -s $HOME/.docker/daemon.json", true),
        ("grep text $HOME/.docker/config.json", false),
        ("grep text $HOME/.config/gh/hosts", false),
        (
            "cd $(dirname $(realpath $HOME/.bashrc)) && test -s .bashrc",
            true,
        ),
        (
            "cd $(dirname $(realpath $HOME/.bashrc)) && grep key .ssh/id",
            false,
        ),
        (
            "cd $(dirname $(realpath $HOME/.bashrc)) && grep text .docker/config.json",
            false,
        ),
        (
            "cd $(dirname $(realpath $HOME/.bashrc)) && grep text .config/gh/hosts",
            false,
        ),
        (
            "cd $(dirname $(realpath $HOME/.bashrc)) && echo x >> .bashrc",
            false,
        ),
        (
            "cd $(dirname $(realpath $HOME/.bashrc)) && test -S door",
            false,
        ),
        ("test -e $HOME/door", false),
        ("mount -o remount,rw $ROOT/repo", false),
        ("unshare -Urm mount -o remount,bind,rw $ROOT/repo", false),
        ("kill -9 $PPID; exit 1", false),
        ("test -e /proc/$$", true),
        ("test $(grep -c : /proc/net/dev) = 1", true),
    ] {
        assert_eq!(place.run(layer, shell), allowed, "{shell}");
    }
    let home: Vec<_> = std::fs::read_dir(place.root.join("home"))
        .unwrap()
        .map(|e| e.unwrap().file_name())
        .collect();
    assert!(!home.contains(&"new".into()), "{home:?}");
}

#[test]
fn an_agents_program_makes_files_beside_its_settings_and_they_are_gone_afterwards() {
    let Some(layer) = bubblewrap() else { return };
    let place = place();
    let home = place.root.join("home");
    let settings = home.join(".config/own");
    std::fs::create_dir_all(settings.join("node_modules/x")).unwrap();
    std::fs::create_dir_all(home.join(".cache/own")).unwrap();
    std::fs::write(settings.join("own.json"), "{}").unwrap();
    let moved = MovedPlaces::of(&[("HOME".into(), home.into())]);
    let mut bounds = place.bounds();
    let makes = "echo '*' > $HOME/.config/own/.gitignore";
    assert!(!place.run_in(&layer, makes, &bounds));
    bounds.layer_made(&moved, &[".config/own", ".cache/own", ".config/absent"]);
    for (shell, allowed) in [
        (makes, true),
        ("grep {} $HOME/.config/own/own.json", true),
        ("test -d $HOME/.config/own/node_modules/x", true),
        ("echo x > $HOME/.config/own/own.json", false),
        ("touch $HOME/.config/own/node_modules/x/new", false),
        ("grep text $HOME/.config/editor/rc", true),
        // A cache stays one.
        ("touch $HOME/.cache/own/kept", true),
    ] {
        assert_eq!(place.run_in(&layer, shell, &bounds), allowed, "{shell}");
    }
    assert!(!settings.join(".gitignore").exists());
    assert!(place.root.join("home/.cache/own/kept").exists());
    // Where it has been before, it makes nothing.
    std::fs::write(settings.join(".gitignore"), "*").unwrap();
    let mut bounds = place.bounds();
    bounds.layer_made(&moved, &[".config/own"]);
    assert!(!place.run_in(&layer, "touch $HOME/.config/own/new", &bounds));
}

#[test]
fn of_the_programs_outside_only_databases_look_ups_and_what_the_user_allows_can_be_reached() {
    use std::os::unix::net::UnixListener;
    let Some(layer) = bubblewrap() else { return };
    let place = place();
    let listen = |name: &str| {
        let path = place.root.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        UnixListener::bind(path).unwrap()
    };
    let doors = [
        ("home/.emacs.d/server/server", false),
        ("home/.cache/git/credential/socket", false),
        ("home/.config/editor/ipc.sock", false),
        ("repo/daemon.sock", false),
        ("beside/a b/door", false),
        ("home/.local/db/.s.PGSQL.5432", true),
        ("repo/mysqld.sock", true),
        ("run/nscd/socket", true),
        ("home/mine/door", true),
        ("home/.cache/gatewalk/slots/0/own.sock", true),
    ];
    let _listening: Vec<UnixListener> = doors.iter().map(|(name, _)| listen(name)).collect();
    let mut bounds = place.bounds();
    bounds.open_named(&[place.root.join("home/mine")]);
    for (name, open) in doors {
        let shell = format!("test -S \"$ROOT/{name}\"");
        assert_eq!(place.run_in(&layer, &shell, &bounds), open, "{name}");
    }
    // Nothing else is in the way.
    let beside = "test -s $HOME/.config/editor/rc && test -r $ROOT/repo/.git/config";
    assert!(place.run_in(&layer, beside, &bounds));
    // What is private stays so, whoever listens there.
    let elsewhere = tempfile::tempdir().unwrap();
    let _door = UnixListener::bind(elsewhere.path().join("door")).unwrap();
    let shell = format!("test ! -e {}", elsewhere.path().display());
    assert!(place.run_in(&layer, &shell, &bounds));
}

#[test]
fn a_slot_on_the_memory_disk_is_there_and_the_rest_of_that_disk_is_not() {
    let Some(layer) = bubblewrap() else { return };
    let disk = Path::new("/dev/shm");
    let (Ok(own), Ok(foreign)) = (std::fs::canonicalize(disk), tempfile::tempdir_in(disk)) else {
        return;
    };
    let place = place_in(&own);
    let hidden = format!("! test -e {}", foreign.path().display());
    for shell in [
        "echo x > file && rm file",
        "test -c /dev/null",
        "echo x > /dev/shm/mine",
        &hidden,
    ] {
        assert_eq!(
            place.ended(&layer, shell, &place.bounds()),
            ProcessEnd::Exited(0),
            "{shell}"
        );
    }
    assert!(!place.run(&layer, "echo x > $ROOT/beside"));
    assert!(!disk.join("mine").exists());
}

#[test]
fn a_sandbox_that_cannot_be_set_up_is_no_exit_of_the_command() {
    let Some(layer) = bubblewrap() else { return };
    let place = place();
    let mut bounds = place.bounds();
    assert_eq!(
        place.ended(&layer, "exit 1", &bounds),
        ProcessEnd::Exited(1)
    );
    // The command inside has no hand in the report.
    let list = "for fd in /proc/self/fd/*; do test ! -f \"$fd\" || printf \"${fd##*/} \"; done";
    let inherited = std::process::Command::new("sh").args(["-c", list]).output();
    let inherited = String::from_utf8(inherited.unwrap().stdout).unwrap();
    let descriptors = format!("test \"$({list})\" = '{inherited}' || exit 7");
    assert_eq!(
        place.ended(&layer, &descriptors, &bounds),
        ProcessEnd::Exited(0)
    );
    bounds.add(&place.slot(), Access::Hidden);
    bounds.add(&place.slot().join(".."), Access::Hidden);
    let ended = place.ended(&layer, "exit 0", &bounds);
    let ProcessEnd::SpawnFailed {
        missing: false,
        message,
    } = &ended
    else {
        panic!("{ended:?}");
    };
    assert!(
        message.starts_with("the sandbox cannot be set up: bwrap: "),
        "{message}"
    );
}

#[test]
fn entries_of_the_home_cost_no_mounts_and_too_many_are_only_read() {
    let place = place();
    let mounts_of = |entries: usize| {
        for n in 0..entries {
            std::fs::create_dir_all(place.root.join(format!("home/entry-{n}"))).unwrap();
        }
        let args = bubblewrap::command_line(&place.bounds(), &place.slot(), None).arguments;
        let count = |wanted: &[&str]| {
            let is_one = |arg: &&OsString| wanted.iter().any(|w| *arg == w);
            args.iter().filter(is_one).count()
        };
        let mounts = count(&["--bind", "--ro-bind", "--ro-bind-try", "--tmpfs"]);
        (mounts, count(&["--symlink"]), args.len())
    };
    let (few, links, _) = mounts_of(10);
    let (many, more_links, _) = mounts_of(400);
    assert_eq!((few, links + 390), (many, more_links));
    assert!(many < 25, "{many}");
    let (_, of_config, length) = mounts_of(3_000);
    assert!(of_config < links && length < 9_000, "{of_config}, {length}");
}

#[test]
fn what_is_shut_inside_what_is_shut_is_no_mount_of_its_own() {
    let Some(layer) = bubblewrap() else { return };
    let place = place();
    let mut bounds = place.bounds();
    bounds.add(&place.root.join("home/.ssh/id"), Access::Hidden);
    assert!(place.run_in(&layer, "! cat $HOME/.ssh/id", &bounds));
}

#[test]
fn what_is_read_of_a_private_directory_is_mounted_with_what_it_shows() {
    let Some(layer) = bubblewrap() else { return };
    let place = place();
    let slot = place.slot();
    let private = slot.join("private");
    std::fs::create_dir_all(private.join("shown/read")).unwrap();
    let mut bounds = place.bounds();
    bounds.add(&private, Access::Private);
    bounds.show(&private.join("shown"));
    let arguments = |bounds: &Bounds| bubblewrap::command_line(bounds, &slot, None).arguments;
    let before = arguments(&bounds);
    bounds.add(&private.join("shown/read"), Access::Read);
    assert_eq!(arguments(&bounds), before);
    let write = format!("! touch {}", private.join("shown/read/file").display());
    assert!(place.run_in(&layer, &write, &bounds));
    // Read beside what is written, it has a mount again.
    bounds.add(&private.join("shown"), Access::Write);
    assert_ne!(arguments(&bounds), before);
    assert!(place.run_in(&layer, &write, &bounds));
}

#[test]
fn what_is_read_inside_what_is_read_is_no_mount_of_its_own() {
    let Some(layer) = bubblewrap() else { return };
    let place = place();
    let (slots, slot) = (place.slot().parent().unwrap().to_owned(), place.slot());
    let mut bounds = place.bounds();
    let arguments = |bounds: &Bounds| bubblewrap::command_line(bounds, &slot, None).arguments;
    let outer = slots.join("other");
    std::fs::create_dir_all(outer.join("inner")).unwrap();
    bounds.add(&outer, Access::Read);
    let before = arguments(&bounds);
    bounds.add(&outer.join("inner"), Access::Read);
    assert_eq!(arguments(&bounds), before);
    let write = format!("! touch {}", outer.join("inner/file").display());
    assert!(place.run_in(&layer, &write, &bounds));
    bounds.add(&outer, Access::Write);
    assert_ne!(arguments(&bounds), before);
    assert!(place.run_in(&layer, &write, &bounds));
}

#[test]
fn what_is_shut_inside_what_is_open_is_left_out_of_what_is_allowed() {
    let place = place();
    let bounds = place.bounds();
    let covered = |paths: &[PathBuf], path: &str| {
        let path = place.root.join(path);
        paths.iter().any(|p| path.starts_with(p))
    };
    let write = bounds.covering(|access| access == Access::Write);
    let read = bounds.covering(|access| access != Access::Hidden);
    for (path, may_write, may_read) in [
        ("home/.cache/gatewalk/slots/0/file", true, true),
        ("home/.cache/gatewalk/slots/1/file", false, true),
        ("home/.bashrc", false, true),
        ("home/.ssh/id", false, false),
        ("repo/.git/config", false, true),
    ] {
        assert_eq!(covered(&write, path), may_write, "writing {path}");
        assert_eq!(covered(&read, path), may_read, "reading {path}");
    }
}

#[test]
fn by_rules_of_the_kernel_an_agent_makes_new_files_in_its_state_also_where_that_is_new() {
    let place = place();
    let home = place.root.join("home");
    let env = [("HOME".into(), home.clone().into_os_string())];
    let moved = MovedPlaces::of(&env);
    std::fs::create_dir_all(home.join(".gemini/extensions")).unwrap();
    std::fs::write(home.join(".gemini/settings.json"), "{}").unwrap();
    let state = [".gemini", ".new-agent", ".new-agent.json"];
    let mut bounds = place.bounds();
    bounds.hide_agents(&moved, &state);
    bounds.open_agent(&moved, &state);
    let within = |bounds: &Bounds, name: &str| {
        bounds
            .covering(Access::is_writable)
            .contains(&home.join(name))
    };
    assert!(!within(&bounds, ".gemini"));
    bounds.open_whole_state(&moved, &state, &[".config/new-settings"]);
    assert!(home.join(".config/new-settings").is_dir());
    for (name, whole) in [
        (".gemini", true),
        (".new-agent", true),
        (".new-agent.json", false),
        (".config", false),
        ("", false),
    ] {
        assert_eq!(within(&bounds, name), whole, "{name}");
    }
}

#[test]
fn by_rules_of_the_kernel_a_program_that_is_installed_has_its_cache_where_that_is_new() {
    for (variable, moves, made) in [
        ("GOPATH", "go", Some(".cache/go-build")),
        ("XDG_CACHE_HOME", "elsewhere", Some("elsewhere/go-build")),
        // What nobody opened stays shut.
        ("GOCACHE", "shut/go-build", None),
    ] {
        let place = place();
        let home = place.root.join("home");
        std::fs::create_dir_all(home.join("elsewhere")).unwrap();
        std::fs::create_dir_all(home.join("shut")).unwrap();
        let env = [("HOME", home.clone()), (variable, home.join(moves))];
        let env = env.map(|(name, path)| (name.into(), path.into_os_string()));
        let moved = MovedPlaces::of(&env);
        let mut bounds = place.bounds();
        bounds.add_moved(&moved);
        bounds.make_caches(&moved, |program| program == "go");
        let write = bounds.covering(Access::is_writable);
        let open = |name: &str| {
            let path = home.join(name);
            path.is_dir() && write.iter().any(|open| path.starts_with(open))
        };
        for name in [".cache/go-build", "elsewhere/go-build", "shut/go-build"] {
            assert_eq!(open(name), made == Some(name), "{variable}: {name}");
        }
        assert!(!home.join(".cache/uv").exists() && !home.join("shut/go-build").exists());
    }
}

#[test]
fn a_program_that_is_not_there_stays_the_one_that_is_missing() {
    let Some(layer) = bubblewrap() else { return };
    let spec = CommandSpec {
        program: "no-such-program".into(),
        args: vec![],
        cwd: "/".into(),
        env: vec![("PATH".into(), "/usr/bin".into())],
        stdin: Stdin::Null,
        marker: Marker::new("isolation", "test"),
        inherit: None,
        wrapper: None,
    };
    assert_eq!(
        layer
            .confine(
                spec,
                &Bounds::default(),
                (&Standbys::default(), slot_sandbox())
            )
            .program,
        "no-such-program"
    );
}

#[test]
fn a_program_is_found_through_links_wrappers_and_shims_where_nothing_else_is_shown() {
    use std::os::unix::fs::symlink;
    let Some(layer) = bubblewrap() else { return };
    let place = place();
    // Each in a directory of its own, of which a sandbox shows nothing by itself.
    let apart: Vec<_> = (0..3).map(|_| tempfile::tempdir().unwrap()).collect();
    let [a, b, c] = [0, 1, 2].map(|n| apart[n].path());
    let (plain, end) = ("#!/bin/sh\nexit 5\n", "exit 5\n");
    write_program(&c.join("end"), plain);
    write_program(&b.join("lib/cli.js"), plain);
    write_program(&b.join("tools/node"), "#!/bin/sh\nexec /bin/sh \"$@\"\n");
    symlink(c.join("end"), b.join("hop")).unwrap();
    symlink(b.join("tools/node"), c.join("node")).unwrap();
    std::fs::create_dir(a.join("bin")).unwrap();
    std::fs::create_dir(b.join("v2")).unwrap();
    for (name, target) in [
        ("linked", b.join("lib/cli.js")),
        ("twice", b.join("hop")),
        ("node", c.join("node")),
        ("real", b.join("hop")),
        ("cli.js", b.join("lib/cli.js")),
    ] {
        symlink(target, a.join("bin").join(name)).unwrap();
    }
    symlink(b.join("v2"), a.join("current")).unwrap();
    symlink(c.join("end"), b.join("v2/managed")).unwrap();
    let wrapper = |line: &str| format!("#!/bin/sh\n# A wrapper.\n{line}\n");
    let in_a = |name: &str| a.join("bin").join(name);
    write_program(&in_a("by-env"), &format!("#!/usr/bin/env node\n{end}"));
    write_program(&in_a("by-env-s"), &format!("#!/usr/bin/env -S node\n{end}"));
    write_program(
        &in_a("venv"),
        &format!("#!{}\n{end}", c.join("node").display()),
    );
    write_program(
        &in_a("wrapper"),
        &wrapper(&format!("exec \"{}\" \"$@\"", b.join("hop").display())),
    );
    write_program(&in_a("by-name"), &wrapper("exec real \"$@\""));
    // As a version manager does: a link for each shell, where the sockets of services are.
    let shells = place.root.join("run/user");
    std::fs::create_dir_all(&shells).unwrap();
    symlink(b.join("v2"), shells.join("shell-1")).unwrap();
    let mut bounds = place.bounds();
    bounds.add(&shells, Access::Hidden);
    let directories = [a.join("bin"), a.join("current"), shells.join("shell-1")];
    let system = std::env::var_os("PATH").unwrap();
    let path = |directories: &[PathBuf]| {
        let all = directories
            .iter()
            .cloned()
            .chain(std::env::split_paths(&system));
        std::env::join_paths(all).unwrap()
    };
    let script = in_a("cli.js").display().to_string();
    let hidden = shells.join("shell-1/managed").display().to_string();
    for (argv, directories) in [
        (&["linked"][..], &directories[..1]),
        (&["twice"], &directories[..1]),
        (&["by-env"], &directories[..1]),
        (&["by-env-s"], &directories[..1]),
        (&["venv"], &directories[..1]),
        (&["wrapper"], &directories[..1]),
        (&["by-name"], &directories[..1]),
        (&["node", &script], &directories[..1]),
        (&["sh", "-c", "real"], &directories[..1]),
        (&["managed"], &directories[1..2]),
        (&["managed"], &directories[2..]),
        (&[&hidden], &[]),
    ] {
        let ended = place.ended_with(&layer, argv, path(directories), &bounds);
        assert_eq!(ended, ProcessEnd::Exited(5), "{argv:?} on {directories:?}");
    }
    // What an earlier command could have linked or written in its slot leads nowhere.
    symlink(c.join("end"), place.slot().join("link")).unwrap();
    write_program(
        &place.slot().join("script"),
        &wrapper(&c.join("end").display().to_string()),
    );
    for name in ["link", "script"] {
        let path = place.slot().join(name).display().to_string();
        let ended = place.ended_with(&layer, &["sh", &path], system.clone(), &bounds);
        assert_ne!(ended, ProcessEnd::Exited(5), "{name}");
    }
}

#[test]
fn a_sandbox_that_fails_now_and_then_is_tried_again_before_it_is_given_up() {
    for (fails, works) in [(0, true), (2, true), (99, false)] {
        let dir = tempfile::tempdir().unwrap();
        let (starts, program) = (dir.path().join("starts"), dir.path().join("bwrap"));
        let script = format!(
            "#!/bin/sh\necho x >>{0}; test $(wc -l <{0}) -gt {fails} || {{ echo busy >&2; exit 1; }}\n",
            starts.display()
        );
        write_program(&program, &script);
        let wanted = works.then_some(()).ok_or("busy".to_owned());
        assert_eq!(bubblewrap::works(&program), wanted, "{fails}");
    }
}

#[test]
fn a_sandbox_that_was_set_up_ahead_is_used_only_where_it_is_what_would_be_set_up_now() {
    let Some(Layer::Bubblewrap(bwrap)) = bubblewrap() else {
        return;
    };
    type Change = fn(&Path, &mut Bounds);
    let rows: [(&str, Change, bool); 7] = [
        ("nothing", |_, _| {}, true),
        (
            "something in a directory",
            |root, _| std::fs::write(root.join("home/.cache/gatewalk/slots/0/new"), "").unwrap(),
            true,
        ),
        (
            "another file where one is hidden",
            |root, _| {
                std::fs::write(root.join("other"), "text").unwrap();
                std::fs::rename(root.join("other"), root.join("home/.bashrc")).unwrap();
            },
            false,
        ),
        (
            "another directory where one is written",
            |root, _| {
                let slot = root.join("home/.cache/gatewalk/slots/0");
                std::fs::rename(&slot, root.join("moved")).unwrap();
                std::fs::create_dir(slot).unwrap();
            },
            false,
        ),
        (
            "another rule",
            |root, bounds| bounds.add(&root.join("home/.config/editor/rc"), Access::Hidden),
            false,
        ),
        ("the network", |_, bounds| bounds.network = true, false),
        (
            "a mount that went with its place",
            |root, _| {
                let points = std::fs::read_dir(root.join("own-temporary/tmp")).unwrap();
                points.for_each(|point| std::fs::remove_dir(point.unwrap().path()).unwrap());
            },
            false,
        ),
    ];
    for (what, change, is_used) in rows {
        let place = place();
        let mut bounds = place.waiting_bounds();
        bounds.add(&place.root.join("home/.bashrc"), Access::Hidden);
        let order = |bounds: &Bounds| place.order(&bwrap, bounds);
        let standbys = Standbys::default();
        let (first, nothing) = standbys.line(&order(&bounds));
        assert!(nothing.is_none(), "{what}");
        drop(standbys.again(order(&bounds), first.leases));
        assert!(standbys.has_one_at(&order(&bounds)), "{what}");
        change(&place.root, &mut bounds);
        let (_, waiting) = standbys.line(&order(&bounds));
        assert_eq!(waiting.is_some(), is_used, "{what}");
        if let Some(waiting) = waiting {
            waiting.discard();
        }
    }
}

#[test]
fn where_none_is_ever_of_use_none_is_set_up_ahead_any_more() {
    let Some(Layer::Bubblewrap(bwrap)) = bubblewrap() else {
        return;
    };
    let place = place();
    let standbys = Standbys::default();
    for tries in 0..5 {
        // Nobody wrote the program that is to wait.
        let order = || place.order(&bwrap, &place.bounds());
        drop(standbys.again(order(), Vec::new()));
        assert!(!standbys.has_one_at(&order()));
        assert_eq!(standbys.misses_at(&order()), (tries + 1).min(3));
    }
}

#[test]
fn a_sandbox_that_waits_is_of_use_only_while_its_mount_points_stay() {
    let Some(Layer::Bubblewrap(bwrap)) = bubblewrap() else {
        return;
    };
    for stays in [true, false] {
        let place = place();
        let bounds = place.waiting_bounds();
        let order = || place.order(&bwrap, &bounds);
        let standbys = Standbys::default();
        drop(standbys.again(order(), Vec::new()));
        assert!(standbys.has_one_at(&order()));
        standbys.emptying(Path::new("/elsewhere"), |points| assert!(points.is_empty()));
        standbys.emptying(&place.slot(), |points| {
            let made: Vec<_> = points.iter().filter(|point| point.exists()).collect();
            assert!(!made.is_empty(), "{points:?}");
            for point in made.into_iter().filter(|_| !stays) {
                // As one does who makes it anew.
                std::fs::remove_dir(point).unwrap();
            }
        });
        let (_, waiting) = standbys.line(&order());
        assert_eq!(waiting.is_some(), stays);
        if let Some(waiting) = waiting {
            waiting.discard();
        }
    }
}
