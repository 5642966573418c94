//! Slips that a user makes in plans, settings and git, and what each command answers: what is wrong, where, and what to do.

use super::world::{Unit, World, ended, good};

/// A slip, and what commands say of it then.
struct Slip {
    /// Run in the repository, its feature's branch checked out, the directory of the feature in `$D`; committed afterwards.
    script: &'static str,
    /// Arguments, exit, what is printed, and what is not.
    answers: &'static [(&'static str, i32, &'static str, &'static str)],
}

const SLIPS: &[Slip] = &[
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
];

#[test]
fn each_slip_is_named_with_its_place_and_its_way_out() {
    let world = World::with_units(&[
        Unit::with("T01", &[&good("T01")]),
        Unit {
            id: "T02",
            after: &["T01"],
            sessions: &[&good("T02")],
            ..Unit::default()
        },
    ]);
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
