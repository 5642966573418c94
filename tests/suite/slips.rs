//! Slips that a user makes in plans, settings and git, and what each command answers: what is wrong, where, and what to do.

use super::world::{Unit, World, ended, good, two_units};

/// A slip, and what commands say of it then.
struct Slip {
    /// Run in the repository, its feature's branch checked out, the directory of the feature in `$D`; committed afterwards.
    script: &'static str,
    /// Arguments, exit, what is printed, and what is not.
    answers: &'static [(&'static str, i32, &'static str, &'static str)],
}

const SLIPS: &[Slip] = &[
    Slip {
        script: ":",
        answers: &[
            ("new greet", 2, "gatewalk new feature greet", ""),
            (
                "new featur",
                2,
                "similar subcommand exists: 'feature'",
                "of that title",
            ),
            (
                "loop T01",
                3,
                "`T01` is a unit of FEAT-2026-0001, and what is asked for is a feature\n  help: name its feature: --feature FEAT-2026-0001\n",
                "there is no feature",
            ),
            ("stats t02", 3, "`t02` is a unit of FEAT-2026-0001", ""),
            (
                "block FEAT-2026-0001/T01 --reason so",
                3,
                "--feature FEAT-2026-0001",
                "",
            ),
            (
                "new unit more --feature T01",
                3,
                "`T01` is a unit of FEAT-2026-0001",
                "writes one",
            ),
            ("loop T09", 3, "there is no feature `T09`", "is a unit"),
        ],
    },
    Slip {
        script: "sed -i 's/^status: .*/status: pendng/' $D/WU-T01.md",
        answers: &[
            (
                "status",
                0,
                "unreadable     Unit T01  (`pendng` is no status)",
                "draft",
            ),
            (
                "board",
                0,
                "needs you (1)\n  FEAT-2026-0001/T01       Unit T01  (`pendng`",
                "draft",
            ),
            (
                "why T01",
                0,
                "`pendng` is no status, so nobody knows",
                "arm it",
            ),
        ],
    },
    Slip {
        script: "sed -i '/^status: /d' $D/WU-T01.md",
        answers: &[("status", 0, "it has no `status` that can be read", "draft")],
    },
    Slip {
        script: "sed -i 's/^status: .*/status: opn/' $D/GATE-01.md",
        answers: &[("status", 0, "gate 1  unreadable", "gate 1  open")],
    },
    Slip {
        script: "sed -i 's/^status: .*/status: actve/' $D/PLAN.md",
        answers: &[("status", 0, "unreadable 0/2", "planned")],
    },
    Slip {
        script: "echo 'jobs: 1' > ../c.yml; ln -s ../../c.yml .gatewalk/config.yml",
        answers: &[
            (
                "status",
                0,
                "next: .gatewalk/config.yml:1:1: error[GW128]",
                "",
            ),
            ("loop --dry-run", 3, "GW128", ""),
        ],
    },
    Slip {
        script: "sed -i 's/^branch: .*/branch: feat..x/' $D/PLAN.md",
        answers: &[(
            "loop --dry-run",
            3,
            "`gatewalk lint .gatewalk/features/FEAT-2026-0001-greetings`",
            "",
        )],
    },
    Slip {
        script: "cp -r $D .gatewalk/features/FEAT-2026-0001-copy",
        answers: &[
            (
                "status",
                0,
                "next: gatewalk lint .gatewalk/features/FEAT-2026-0001-copy",
                "gatewalk loop",
            ),
            ("loop", 3, "`gatewalk lint` names them", "--all"),
            ("arm", 3, "`gatewalk lint` names them", "gatewalk arm"),
            (
                "lint .gatewalk/features/FEAT-2026-0001-copy",
                1,
                "GW210",
                "",
            ),
        ],
    },
    Slip {
        script: "rm $D/WU-T01.md",
        answers: &[
            ("status", 0, "(its file `WU-T01.md` is not there)", "draft"),
            ("board", 0, "(its file `WU-T01.md` is not there)", "draft"),
        ],
    },
    Slip {
        script: "sed -i 's/^status: .*/&\\narmed: 0123456789abcdef/' $D/WU-T01.md; sed -i 's|: .FEAT-2026-0001/T01.$|: [T01]|' $D/PLAN.md",
        answers: &[(
            "loop",
            3,
            "mend the other errors first; then `gatewalk arm FEAT-2026-0001/T01` arms what",
            "says now",
        )],
    },
    Slip {
        script: "rm -rf .gatewalk/config.yml; mkdir .gatewalk/config.yml; touch .gatewalk/config.yml/x",
        answers: &[
            ("lint", 1, "GW128", ""),
            (
                "status",
                0,
                "`config.yml` is read by nobody: it is a directory",
                "",
            ),
            ("loop --dry-run", 3, "GW128", ""),
            ("loop", 3, "GW128", ""),
        ],
    },
    Slip {
        script: "rm .gatewalk/verification.yml; mkdir .gatewalk/verification.yml; touch .gatewalk/verification.yml/x",
        answers: &[
            (
                "lint",
                1,
                "`verification.yml` is read by nobody: it is a directory",
                "GW617",
            ),
            ("loop", 3, "it is a directory", "there is no"),
        ],
    },
    Slip {
        script: "git mv $D ff; ln -s ../../ff $D",
        answers: &[
            (
                "status",
                0,
                "is a symbolic link, and git keeps nothing",
                "no features yet",
            ),
            ("loop", 3, "is a symbolic link, and git keeps nothing", ""),
            ("arm", 3, "is a symbolic link, and git keeps nothing", ""),
            (
                "board",
                0,
                "`gatewalk status` says of the others what keeps them",
                "",
            ),
        ],
    },
    Slip {
        script: "mv .gatewalk gw; ln -s gw .gatewalk",
        answers: &[(
            "lint",
            1,
            "`.gatewalk` is read by nobody: it is a symbolic link",
            "",
        )],
    },
    Slip {
        script: "git -C $D init -q; git -C $D add -A; git -C $D commit -qm own; git rm -rq --cached $D; git add $D",
        answers: &[
            ("lint", 1, "it is a repository of its own", ""),
            ("status", 0, "is a repository of its own", "no features yet"),
            ("loop", 3, "is a repository of its own", ""),
        ],
    },
    Slip {
        script: "git -C .gatewalk init -q; git -C .gatewalk add -A; git -C .gatewalk commit -qm own; git rm -rq --cached .gatewalk; git add .gatewalk",
        answers: &[
            ("lint", 1, "it is a repository of its own", ""),
            (
                "status",
                0,
                "`.gatewalk` is a repository of its own",
                "check-ignore",
            ),
            (
                "loop",
                3,
                "`.gatewalk` is a repository of its own",
                "check-ignore",
            ),
        ],
    },
    Slip {
        script: "git init -q --bare ../bare.git; git clone -q --bare . ../checked-out.git; git -C ../checked-out.git worktree add -q ../checkout",
        answers: &[
            (
                "unblock T01 --reason x",
                3,
                "what moves it from there: `gatewalk loop`, `gatewalk abandon`",
                "park",
            ),
            (
                "activate",
                3,
                "what moves it from there: `gatewalk loop`, `gatewalk block`",
                "finish",
            ),
            (
                "arm T01",
                3,
                "what moves it from there: `gatewalk loop`",
                "complete",
            ),
            (
                "loop --dry-run --agent ",
                3,
                "the name of an agent is empty",
                "",
            ),
            ("loop --agent ", 3, "the name of an agent is empty", ""),
            (
                "loop --dry-run --agent glm",
                3,
                "no agent is called `glm`",
                "",
            ),
            (
                "loop --dry-run --agent acp",
                2,
                "`acp` alone names no program",
                "a plan",
            ),
            (
                "loop --agent acp",
                2,
                "write it as `--agent 'acp:my-agent --flag'`",
                "a plan",
            ),
            (
                "loop --agent script",
                2,
                "`script:` needs a file or a directory",
                "a plan",
            ),
            (
                "loop --dry-run --all --agent cluade",
                3,
                "did you mean `claude`?",
                "",
            ),
            (
                "why .gatewalk/features/FEAT-2026-0001-greetings/WU-T01.md",
                0,
                "FEAT-2026-0001/T01: ready",
                "",
            ),
            ("why ./WU-T01.md", 0, "FEAT-2026-0001/T01: ready", ""),
            (
                "arm FEAT-2026-0001 FEAT-2026-0002",
                3,
                "a command is about one feature at a time",
                "no unit",
            ),
            (
                "-C ../bare.git lint",
                3,
                "without a work tree",
                "help: `gatewalk init`",
            ),
            (
                "-C ../checked-out.git lint",
                3,
                "run in a checkout of it: `cd ",
                "git worktree add",
            ),
            (
                "-C / lint",
                3,
                "is not in a git repository",
                "help: `gatewalk init`",
            ),
            (
                "-C / new feature x",
                3,
                "is not in a git repository",
                "help: `gatewalk init`",
            ),
        ],
    },
    Slip {
        script: "printf 'agents:\n  mine:\n    command: x\n' > .gatewalk/config.yml",
        answers: &[(
            "lint",
            0,
            "agents are defined in your own configuration only",
            "did you mean",
        )],
    },
    Slip {
        script: "sed -i 's/^status: .*/status：pending/' $D/WU-T01.md",
        answers: &[("lint", 1, "a plain `:` for `：` (U+FF1A) in column 7", "")],
    },
    Slip {
        script: "sed -i 's/^status: /status:\u{a0}/' $D/WU-T01.md",
        answers: &[("lint", 1, "a plain space for the U+00A0 in column 8", "")],
    },
    Slip {
        script: "sed -i 's/^status: /status\u{a0}: /' $D/WU-T01.md",
        answers: &[("lint", 1, "unknown key `status<U+00A0>`", "")],
    },
    Slip {
        script: "sed -i 's/^status: .*/&\\ntouches: [\"a\\\\.txt\"]/' $D/WU-T01.md",
        answers: &[(
            "lint",
            1,
            "put it in single quotes: in double ones a backslash begins an escape",
            "",
        )],
    },
    Slip {
        script: "sed -i 's/^status: .*/&\\nmax_attempts: 99999999999999999999999/' $D/WU-T01.md",
        answers: &[("lint", 1, "is too large", "--fix")],
    },
    Slip {
        script: "sed -i 's/^status: .*/&\\ntouches: [all]/' $D/WU-T01.md",
        answers: &[("lint", 1, "the word for no limit is `any`", "")],
    },
    Slip {
        script: "sed -i 's|^status: .*|&\\ntouches: [\"$PWD/T01.txt\"]|' $D/WU-T01.md",
        answers: &[("lint", 1, "nothing fills in `$PWD`", "")],
    },
    Slip {
        script: "sed -i 's|^status: .*|&\\ntouches: [\"file:T01.txt\"]|' $D/WU-T01.md",
        answers: &[("lint", 1, "is an address", "")],
    },
    Slip {
        script: "sed -i 's/^status: .*/&\\nmodel: \"\"/' $D/WU-T01.md",
        answers: &[("lint", 1, "`model` is empty", "")],
    },
    Slip {
        script: "sed -i 's/^status: .*/&\\nagent: \"\"/' $D/WU-T01.md",
        answers: &[("lint", 1, "`agent` is empty", "")],
    },
    Slip {
        script: "sed -i 's/^status: .*/&\\nagent: claude, codex/' $D/WU-T01.md",
        answers: &[(
            "lint",
            0,
            "write a list: `agent: [claude, codex]`",
            "did you mean",
        )],
    },
    Slip {
        script: "sed -i 's/^status: .*/&\\ntimeout: 2 days/' $D/WU-T01.md",
        answers: &[("lint", 1, "write `48h`", "")],
    },
    Slip {
        script: "true",
        answers: &[
            (
                "verify nope",
                3,
                "help: `gatewalk status` shows the units",
                "",
            ),
            (
                "lint --select foo",
                2,
                "help: `gatewalk explain` lists all rules",
                "",
            ),
        ],
    },
    Slip {
        script: "mkdir $D/sub; git mv $D/WU-T01.md $D/sub/WU-T01.md",
        answers: &[(
            "lint",
            1,
            "this one lies below: `git -C \"$(git rev-parse --show-toplevel)\" mv .gatewalk/features/FEAT-2026-0001-greetings/sub/WU-T01.md .gatewalk/features/FEAT-2026-0001-greetings/WU-T01.md`",
            "take it out of the graph",
        )],
    },
    Slip {
        script: "sed -i 's/^id: .*/id: 2026-01-02/' $D/WU-T01.md; sed -i 's/^id: .*/id: 12/' $D/WU-T02.md",
        answers: &[("lint", 1, "`2026-01-02` is not a unit id", "GW109")],
    },
    Slip {
        script: "sed -i '/work_units/,$d' $D/PLAN.md; echo '```' >> $D/PLAN.md",
        answers: &[(
            "lint",
            1,
            "help: write `work_units:` and below it an item",
            "",
        )],
    },
    Slip {
        script: "git mv $D/WU-T01.md $D/WU-other.md",
        answers: &[("lint", 1, "`WU-other.md` has its id", "list it in PLAN.md")],
    },
    Slip {
        script: "cp $D/WU-T01.md $D/WU-copy.md",
        answers: &[(
            "lint",
            0,
            "its id is that of `WU-T01.md`",
            "list it in PLAN.md",
        )],
    },
];

#[test]
#[ignore = "long"]
fn each_slip_is_named_with_its_place_and_its_way_out() {
    let world = two_units();
    world.sh("git switch -qc feat/FEAT-2026-0001-greetings");
    for slip in SLIPS {
        let world = world.fork();
        let dir = "D=.gatewalk/features/FEAT-2026-0001-greetings";
        world.sh(&format!(
            "{dir}; {}; git add -A; git commit -qm slip --allow-empty",
            slip.script
        ));
        for (args, exit, says, says_not) in slip.answers {
            let args: Vec<&str> = args.split(' ').collect();
            let said = ended(&world.run(&args), *exit, says);
            let clean = says_not.is_empty() || !said.contains(says_not);
            assert!(clean, "{}: `{says_not}` is in: {said}", slip.script);
        }
    }
}

#[test]
fn an_edit_that_is_not_committed_and_breaks_the_plan_sends_to_lint_and_not_to_a_run_that_refuses_it()
 {
    let world = World::with_units(&[Unit::with("T01", &[&good("T01")])]);
    let plan = ".gatewalk/features/FEAT-2026-0001-greetings/PLAN.md";
    let sound = world.read(plan);
    world.write(plan, sound.replace("title: ", "titel: "));
    let status = ended(&world.run(&["status"]), 0, "next: gatewalk lint");
    assert!(!status.contains("--commit-plan\n"), "{status}");
    ended(&world.run(&["lint"]), 1, "GW105");
    world.write(plan, sound.replace("title: ", "title: More "));
    ended(&world.run(&["status"]), 0, "--commit-plan");
}

#[test]
fn a_printed_command_runs_from_a_directory_below_and_a_planned_feature_says_what_is_next() {
    let world = World::with_units(&[Unit::with("T01", &[&good("T01")])]);
    let dir = ".gatewalk/features/FEAT-2026-0001-greetings";
    let unit = format!("{dir}/WU-T01.md");
    let page = world
        .read(&unit)
        .replace("status: pending", "status: draft");
    world.write(&unit, page.clone() + "\n<fill in: what>\n");
    let plan = format!("{dir}/PLAN.md");
    let planned = world
        .read(&plan)
        .replace("status: active", "status: planned");
    world.write(&plan, planned);
    world
        .sh("sed -i 's/active/planned/' .gatewalk/roadmap.md; git commit -qam drafts; mkdir below");
    // Arming refuses what is not filled in, so it is not what is next.
    let next = format!("next: gatewalk lint {dir}");
    for args in [&["status"][..], &["review"], &["why", "T01"]] {
        ended(&world.run(args), 0, &next);
    }
    ended(
        &world.run(&["arm"]),
        3,
        "something was left to be filled in",
    );
    ended(&world.run(&["-C", "below", "lint", dir]), 0, "GW111");
    ended(
        &world.run(&["-C", "below", "lint", "nowhere"]),
        2,
        "`nowhere` is not there",
    );
    world.write(&unit, page);
    world.sh("git commit -qam filled");
    ended(
        &world.run(&["status"]),
        0,
        "next: gatewalk arm FEAT-2026-0001",
    );
}
