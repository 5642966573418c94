//! Every command that the program prints as a next step is run, word for word, in the state in which it was printed: none is
//! refused, and what promises to move something moves it.

use super::sample::sample;
use super::world::{BRANCH, PROGRAM, World, text, two_units};
use std::process::Output;

const FEATURE: &str = ".gatewalk/features/FEAT-2026-0001-greetings";

/// A state, and the commands in it that print next steps.
struct Scene {
    name: &'static str,
    /// Brings a world of two units into the state; a shell text in which `gatewalk` is the program.
    script: &'static str,
    /// Commands that print, and how each exits.
    prints: &'static [(&'static str, i32)],
    /// What a user does where the words before a command ask for an edit.
    edit: &'static str,
}

const SCENE: Scene = Scene {
    name: "",
    script: "",
    prints: &[],
    edit: "",
};

const SCENES: &[Scene] = &[
    Scene {
        name: "ready to run",
        prints: &[
            ("gatewalk status", 0),
            ("gatewalk why T01", 0),
            ("gatewalk why T02", 0),
            ("gatewalk board", 0),
            ("gatewalk review", 0),
            ("gatewalk arm", 3),
            ("gatewalk answer 9 so", 2),
            ("gatewalk unblock T01 --reason so", 3),
            ("gatewalk done T01 --evidence so", 3),
            ("gatewalk block greetings --reason so", 0),
            ("gatewalk abandon T02 --reason so", 0),
            ("gatewalk attempts show T01", 3),
        ],
        ..SCENE
    },
    Scene {
        name: "planned",
        script: "sed -i 's/^status: active/status: planned/' $D/PLAN.md .gatewalk/roadmap.md; sed -i 's/| active |/| planned |/' .gatewalk/roadmap.md; sed -i 's/^status: pending/status: draft/' $D/WU-*.md; git commit -qam planned",
        prints: &[
            ("gatewalk status FEAT-2026-0001", 0),
            ("gatewalk why T01 --feature greetings", 0),
            ("gatewalk review greetings", 0),
        ],
        ..SCENE
    },
    Scene {
        name: "a blocking question",
        script: "sed -i 's/^status: active/status: planned/' $D/PLAN.md; sed -i 's/| active |/| planned |/' .gatewalk/roadmap.md; printf '\\n## Open questions\\n\\n- [ ] blocking: which?\\n' >> $D/PLAN.md; sed -i 's/^status: pending/status: draft/' $D/WU-*.md; git commit -qam asked",
        prints: &[
            ("gatewalk status FEAT-2026-0001", 0),
            ("gatewalk arm FEAT-2026-0001", 3),
        ],
        ..SCENE
    },
    Scene {
        name: "uncommitted edits of the plan",
        script: "echo >> $D/WU-T01.md",
        prints: &[("gatewalk status", 0), ("gatewalk why T01", 0)],
        ..SCENE
    },
    Scene {
        name: "a broken plan",
        script: "sed -i 's/^type: implementation/type: implementaton/' $D/WU-T01.md; git commit -qam broken",
        prints: &[("gatewalk status", 0), ("gatewalk loop", 3)],
        ..SCENE
    },
    Scene {
        name: "parked after the same failure twice",
        script: "echo bad > ../worker-writes; gatewalk loop; echo whole > ../worker-writes",
        prints: &[
            ("gatewalk loop", 11),
            ("gatewalk status", 0),
            ("gatewalk why T01", 0),
            ("gatewalk why T02", 0),
            ("gatewalk review", 0),
            ("gatewalk unblock T01 --reason so", 3),
            ("gatewalk board", 0),
        ],
        ..SCENE
    },
    Scene {
        name: "parked for want of a file that was promised",
        script: "sed -i 's/^type: implementation/type: implementation\\nproduces: other.txt\\nmax_attempts: 1/' $D/WU-T01.md; git commit -qam promise; gatewalk loop",
        prints: &[("gatewalk loop", 11), ("gatewalk status", 0)],
        edit: "sed -i 's/^produces: other.txt/produces: T01.txt/' $D/WU-T01.md",
    },
    Scene {
        name: "a user's own unit",
        script: "sed -i 's/^type: implementation/type: human/' $D/WU-T01.md; git commit -qam human",
        prints: &[
            ("gatewalk loop", 11),
            ("gatewalk status", 0),
            ("gatewalk why T01", 0),
        ],
        ..SCENE
    },
    Scene {
        name: "red on the base",
        script: "echo bad > T00.txt; git add T00.txt; git commit -qm red",
        prints: &[("gatewalk loop", 11)],
        edit: "git rm -q T00.txt; git commit -qm green",
    },
    Scene {
        name: "over its budget",
        script: "sed -i 's/^status: active/status: active\\nbudget_usd: 0.005/' $D/PLAN.md; git commit -qam budget; gatewalk loop --agent script:../sessions",
        prints: &[("gatewalk loop", 12)],
        edit: "sed -i 's/^budget_usd: .*/budget_usd: 9/' $D/PLAN.md",
    },
    Scene {
        name: "waiting for what was abandoned",
        script: "gatewalk abandon T01 --reason so",
        prints: &[
            ("gatewalk loop", 3),
            ("gatewalk status", 0),
            ("gatewalk why T02", 0),
        ],
        edit: "sed -i 's/depends_on: \\[FEAT-2026-0001.T01\\]/depends_on: []/' $D/PLAN.md",
    },
    Scene {
        name: "no agent",
        script: "rm ../worker.sh; sed -i 's/command: .*/command: [no-such-program]/' ../home/.config/gatewalk/config.yml",
        prints: &[("gatewalk loop", 5)],
        ..SCENE
    },
    Scene {
        name: "an agent that says why it ended",
        script: "echo 'echo error: no such model >&2; exit 1' > ../worker.sh",
        prints: &[("gatewalk loop", 5)],
        edit: "echo 'cat >/dev/null; echo whole > ${GATEWALK_UNIT##*/}.txt' > ../worker.sh",
    },
    Scene {
        name: "at the last gate's review",
        script: "gatewalk loop; git checkout -q feat/FEAT-2026-0001-greetings; gatewalk status >/dev/null; sed -i 's/^status: passed/status: awaiting_review/' $D/GATE-01.md; sed -i 's/^status: done/status: active/' $D/PLAN.md; sed -i 's/| done |/| active |/' .gatewalk/roadmap.md; git commit -qam back",
        prints: &[
            ("gatewalk loop", 10),
            ("gatewalk status", 0),
            ("gatewalk review", 0),
        ],
        ..SCENE
    },
    Scene {
        name: "done",
        script: "gatewalk loop",
        prints: &[
            ("gatewalk loop --feature greetings", 0),
            ("gatewalk why T01 --feature greetings", 0),
            ("gatewalk wrap", 2),
        ],
        ..SCENE
    },
    Scene {
        name: "nothing left",
        script: "gatewalk loop; git checkout -q feat/FEAT-2026-0001-greetings",
        prints: &[("gatewalk loop", 3)],
        ..SCENE
    },
    Scene {
        name: "nothing begun",
        script: "sed -i 's/^status: active/status: planned/' $D/PLAN.md; sed -i 's/^status: pending/status: draft/' $D/WU-T0*.md; sed -i 's/| active |/| planned |/' .gatewalk/roadmap.md; git commit -qam planned",
        prints: &[("gatewalk loop", 3)],
        ..SCENE
    },
    Scene {
        name: "blocked as a whole",
        script: "gatewalk block greetings --reason so",
        prints: &[
            ("gatewalk loop --feature greetings", 3),
            ("gatewalk status greetings", 0),
            ("gatewalk why T01 --feature greetings", 0),
        ],
        ..SCENE
    },
    Scene {
        name: "put off",
        script: "gatewalk defer greetings --reason so",
        prints: &[
            ("gatewalk loop --feature greetings", 3),
            ("gatewalk status greetings", 0),
        ],
        ..SCENE
    },
    Scene {
        name: "given up",
        script: "gatewalk abandon FEAT-2026-0001 --reason so",
        prints: &[
            ("gatewalk status greetings", 0),
            ("gatewalk unblock T01 --feature greetings --reason so", 3),
        ],
        ..SCENE
    },
    Scene {
        name: "an edited log in the checkout",
        script: "gatewalk loop; git checkout -q feat/FEAT-2026-0001-greetings; echo mine >> $D/events.jsonl",
        prints: &[("gatewalk loop --feature greetings", 3)],
        ..SCENE
    },
    Scene {
        name: "a verb where a user works",
        script: "sed -i 's/^type: implementation/type: human/' $D/WU-T0*.md; git commit -qam human",
        prints: &[
            ("gatewalk done T01 --evidence so", 0),
            ("gatewalk done T02 --evidence so", 3),
        ],
        ..SCENE
    },
    Scene {
        name: "supervised, after a landing",
        script: "sed -i 's/^status: active/status: active\\nautonomy_default: supervised/' $D/PLAN.md; git commit -qam supervised",
        prints: &[("gatewalk loop", 10)],
        ..SCENE
    },
    Scene {
        name: "supervised, at its last gate",
        script: "sed -i 's/^status: active/status: active\\nautonomy_default: supervised/' $D/PLAN.md; git commit -qam supervised; gatewalk loop; gatewalk loop",
        prints: &[
            ("gatewalk loop", 10),
            ("gatewalk status", 0),
            ("gatewalk review", 0),
        ],
        ..SCENE
    },
    Scene {
        name: "changed after it was armed",
        script: "sed -i 's/^status: pending/status: draft/' $D/WU-T0*.md; git commit -qam drafts; gatewalk arm; sed -i 's/finds every file whole/finds some/' $D/WU-T01.md; git commit -qam weaker",
        prints: &[
            ("gatewalk loop", 3),
            ("gatewalk loop --dry-run", 3),
            ("gatewalk status", 0),
            ("gatewalk why T01", 0),
            ("gatewalk why T02", 0),
            ("gatewalk review", 0),
        ],
        ..SCENE
    },
    Scene {
        name: "changed after it was armed, and not committed",
        script: "sed -i 's/^status: pending/status: draft/' $D/WU-T0*.md; git commit -qam drafts; gatewalk arm; sed -i 's/finds every file whole/finds some/' $D/WU-T01.md",
        prints: &[
            ("gatewalk loop --commit-plan", 3),
            ("gatewalk status", 0),
            ("gatewalk why T01", 0),
        ],
        ..SCENE
    },
    Scene {
        name: "red on the tip before the gate ends",
        script: "sed -i 's/^type: implementation/type: close/; s#/T02#/G1-CLOSE#' $D/WU-T02.md; sed -i 's#/T02#/G1-CLOSE#' $D/PLAN.md; printf 'code:\\n  - {name: check, command: sh check.sh}\\n  - {name: all, command: sh all.sh, tier: broad}\\ndoc:\\n  - {name: plan, command: test -d .gatewalk}\\n' > .gatewalk/verification.yml; echo '! test -e T01.txt || test -e mended' > all.sh; git add -A; git commit -qm broad; gatewalk loop",
        prints: &[("gatewalk loop", 11), ("gatewalk status", 0)],
        edit: "git checkout -q feat/FEAT-2026-0001-greetings; touch mended; git add mended; git commit -qm mended",
    },
    Scene {
        name: "over the budget of its gate",
        script: "sed -i 's/^status: open/status: open\\ncost_budget_usd: 0.005/' $D/GATE-01.md; git commit -qam budget; gatewalk loop --agent script:../sessions",
        prints: &[("gatewalk loop", 12)],
        edit: "sed -i 's/^cost_budget_usd: .*/cost_budget_usd: 9/' $D/GATE-01.md",
    },
    Scene {
        name: "a lazy base that was red before",
        script: "echo 'base_check: lazy' > .gatewalk/config.yml; echo bad > T00.txt; git add -A; git commit -qm red",
        prints: &[("gatewalk loop", 11), ("gatewalk status", 0)],
        edit: "git checkout -q feat/FEAT-2026-0001-greetings; git rm -q T00.txt; git commit -qm green",
    },
    Scene {
        name: "a requirement that nothing shows",
        script: "sed -i 's/^# Files/# Files\\n\\n## Requirements\\n\\n- REQ-A-1: one\\n/' $D/PLAN.md; sed -i 's/^type: implementation/type: implementation\\nchecks: [{name: there, run: test -s other.txt, covers: [REQ-A-1], expect_base: any}]/' $D/WU-T01.md; sed -i 's/\\.txt\"$/.txt\"; echo whole > other.txt/' ../worker.sh; git commit -qam required; gatewalk loop >/dev/null; git checkout -q feat/FEAT-2026-0001-greetings; git rm -q other.txt; sed -i 's/^status: passed/status: awaiting_review/' $D/GATE-01.md; sed -i 's/^status: done/status: active/' $D/PLAN.md; sed -i 's/| done |/| active |/' .gatewalk/roadmap.md; git commit -qam back; gatewalk status --coverage --run >/dev/null",
        prints: &[
            ("gatewalk loop", 10),
            ("gatewalk status", 0),
            ("gatewalk arm", 3),
        ],
        ..SCENE
    },
    Scene {
        name: "a landing that was unusual",
        script: "printf 'echo 1 > \\\"src-b\\320\\260se.txt\\\"\\n' >> ../worker.sh; gatewalk loop",
        prints: &[
            ("gatewalk loop", 10),
            ("gatewalk status", 0),
            ("gatewalk review", 0),
            ("gatewalk arm", 3),
        ],
        ..SCENE
    },
    Scene {
        name: "between two gates",
        script: "sed -i 's#^      - id: FEAT-2026-0001/T02#  - gate: 2\\n    file: GATE-02.md\\n    work_units:\\n&#' $D/PLAN.md; sed 's/^gate: 1/gate: 2/; s/Gate 1/Gate 2/' $D/GATE-01.md > $D/GATE-02.md; sed -i 's/^status: pending/status: draft/' $D/WU-T02.md; git add -A; git commit -qm two; gatewalk loop",
        prints: &[
            ("gatewalk loop", 10),
            ("gatewalk status", 0),
            ("gatewalk review", 0),
            ("gatewalk why T02", 0),
        ],
        ..SCENE
    },
    Scene {
        name: "done without a record of how",
        script: "gatewalk loop; git checkout -q feat/FEAT-2026-0001-greetings; git rm -q $D/events.jsonl; git commit -qm lost",
        prints: &[("gatewalk loop --feature greetings", 3)],
        ..SCENE
    },
    Scene {
        name: "a plan nobody committed",
        script: "git rm -rq --cached $D; git commit -qm none; git reset -q; gatewalk lint >/dev/null",
        prints: &[("gatewalk status", 0), ("gatewalk loop", 3)],
        ..SCENE
    },
];

/// What stands for a value in what is printed, and the value.
const PLACEHOLDERS: [(&str, &str); 3] = [
    ("\"…\"", "\"what is different\""),
    ("--agent NAME", "--agent script:../sessions"),
    ("\"TITLE\"", "\"Another\""),
];

/// Commands that only look: they need not change anything.
const LOOKS: [&str; 9] = [
    "status", "why", "review", "board", "attempts", "lint", "doctor", "pr", "wrap",
];

/// Where in the checkout a user stands: at the top, or in a directory below.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Standing {
    AtTheTop,
    Below,
}

fn shell(world: &World, line: &str) -> Output {
    shell_from(world, line, Standing::AtTheTop)
}

fn shell_from(world: &World, line: &str, standing: Standing) -> Output {
    let line = match standing {
        Standing::AtTheTop => line.to_owned(),
        Standing::Below => format!(
            "mkdir -p below; cd below\n{}",
            line.replace("../sessions", "../../sessions")
        ),
    };
    let program = format!("alias gatewalk={PROGRAM}; D={FEATURE}\n{line}");
    let mut command = world.command("sh");
    command
        .args(["-c", &program])
        .stdin(std::process::Stdio::null());
    command.output().unwrap()
}

/// A world of two units, whose agent writes what a file beside the repository says.
fn world() -> World {
    let world = two_units();
    give_agent(&world);
    let plan = format!("{FEATURE}/PLAN.md");
    let text = world
        .read(&plan)
        .replacen("status: active\n", "status: active\nagent: worker\n", 1);
    world.write(&plan, text);
    world.git(&["commit", "-qam", "with its agent"]);
    world
}

fn give_agent(world: &World) {
    let root = world.root.display();
    let config = world.root.join("home/.config/gatewalk/config.yml");
    let own = format!("sandbox: off\nagents:\n  worker:\n    command: [sh, {root}/worker.sh]\n");
    std::fs::write(config, own).unwrap();
    let work =
        format!("cat >/dev/null\ncat {root}/worker-writes > \"${{GATEWALK_UNIT##*/}}.txt\"\n");
    std::fs::write(world.root.join("worker.sh"), work).unwrap();
    std::fs::write(world.root.join("worker-writes"), "whole\n").unwrap();
}

/// A copy of the world with everything around its repository.
fn copy_of(world: &World) -> World {
    let copy = world.fork();
    for name in ["worker.sh", "worker-writes"] {
        drop(std::fs::copy(world.root.join(name), copy.root.join(name)));
    }
    super::world::copy(&world.root.join("sessions"), &copy.root.join("sessions"));
    let config = "home/.config/gatewalk/config.yml";
    let text = std::fs::read_to_string(world.root.join(config)).unwrap();
    let text = text.replace(
        &world.root.display().to_string(),
        &copy.root.display().to_string(),
    );
    std::fs::write(copy.root.join(config), text).unwrap();
    let work = copy.root.join("worker.sh");
    if let Ok(text) = std::fs::read_to_string(&work) {
        let text = text.replace(
            &world.root.display().to_string(),
            &copy.root.display().to_string(),
        );
        std::fs::write(work, text).unwrap();
    }
    copy
}

/// Returns the commands that a text names as next steps: behind `next:`, and in backquotes in an advice.
fn commands(said: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in said.lines().map(str::trim) {
        if let Some(next) = line.strip_prefix("next: ") {
            if next.starts_with("gatewalk ") || is_of_git(next) {
                found.push(next.to_owned());
            }
        } else if let Some(help) = line.strip_prefix("help: ") {
            let quoted = help.split('`').skip(1).step_by(2);
            found.extend(
                quoted
                    .filter(|q| q.starts_with("gatewalk ") || is_of_git(q))
                    .map(str::to_owned),
            );
            if help.starts_with("gatewalk ") {
                found.push(help.to_owned());
            }
        }
    }
    found
}

fn is_of_git(command: &str) -> bool {
    command.starts_with("git ")
}

/// Everything a command may move: refs, the index, and the files of the checkout.
fn state(world: &World) -> String {
    let refs = world.git(&["for-each-ref"]);
    let files = world.git(&["status", "--porcelain=v1", "--untracked-files=all"]);
    format!("{refs}{files}{}", world.git(&["diff", "HEAD"]))
}

/// Runs a printed command in a copy of the world; returns what is wrong with it.
fn trial(scene: &Scene, world: &World, (command, standing): (&str, Standing)) -> Option<String> {
    let copy = copy_of(world);
    if !scene.edit.is_empty()
        && ["loop", "unblock", "done"]
            .iter()
            .any(|verb| command.contains(verb))
    {
        let edited = shell(&copy, scene.edit);
        assert!(edited.status.success(), "{}: {}", scene.name, text(&edited));
    }
    let filled = PLACEHOLDERS
        .iter()
        .fold(command.to_owned(), |c, (from, to)| c.replace(from, to));
    let before = state(&copy);
    let out = shell_from(&copy, &filled, standing);
    let code = out.status.code().unwrap_or(-1);
    let is_look = LOOKS
        .iter()
        .any(|look| command.starts_with(&format!("gatewalk {look}")))
        || command == "gatewalk answer";
    // A plan with errors makes its linter exit 1, and a machine with a fault its doctor 5.
    let accepted = match command {
        c if c.starts_with("gatewalk loop") => matches!(code, 0 | 10 | 11),
        c if c.starts_with("gatewalk lint") => matches!(code, 0 | 1),
        c if c.starts_with("gatewalk doctor") => matches!(code, 0 | 5),
        _ => code == 0,
    };
    if !accepted {
        return Some(format!(
            "`{filled}` is refused, {standing:?}: {}",
            text(&out)
        ));
    }
    let same = !is_look && state(&copy) == before;
    same.then(|| format!("`{filled}` changes nothing, {standing:?}: {}", text(&out)))
}

/// Runs scenes; returns how many commands they printed, and what is wrong with which.
fn play(scenes: &[&Scene]) -> (usize, Vec<String>) {
    let (mut printed, mut wrong) = (0, Vec::new());
    for (number, scene) in scenes.iter().enumerate() {
        let standing = match number % 2 {
            0 => Standing::AtTheTop,
            _ => Standing::Below,
        };
        let world = world();
        let prepared = shell(&world, scene.script);
        assert!(
            !text(&prepared).contains("bug in Gatewalk"),
            "{}",
            text(&prepared)
        );
        for (line, exit) in scene.prints {
            let copy = copy_of(&world);
            let out = shell_from(&copy, line, standing);
            let said = text(&out);
            let code = out.status.code();
            assert_eq!(code, Some(*exit), "{}: {line}: {said}", scene.name);
            let named = commands(&said);
            let nothing_left = scene.name == "done" && line.contains("why");
            if named.is_empty() != nothing_left {
                wrong.push(format!("{}: {line} names {named:?}: {said}", scene.name));
            }
            for command in named {
                printed += 1;
                let both = [Standing::AtTheTop, Standing::Below];
                let stands = both
                    .into_iter()
                    .filter(|s| *s == standing || command.contains('/') || is_of_git(&command));
                for standing in stands {
                    // What printed it may have moved something: the command runs after it.
                    if let Some(fault) = trial(scene, &copy, (&command, standing)) {
                        wrong.push(format!("{}: {line}: {fault}", scene.name));
                    }
                }
            }
        }
    }
    (printed, wrong)
}

#[test]
#[ignore = "long"]
fn every_next_command_runs_where_it_is_printed() {
    let scenes = sample("states with next commands", SCENES, 5);
    let halves = scenes.split_at(scenes.len() / 2);
    let (printed, wrong) = std::thread::scope(|scope| {
        let other = scope.spawn(|| play(halves.1));
        let (printed, mut wrong) = play(halves.0);
        let (more, other_wrong) = other.join().unwrap();
        wrong.extend(other_wrong);
        (printed + more, wrong)
    });
    println!("{printed} printed commands run, in {} states", scenes.len());
    assert!(
        wrong.is_empty(),
        "{} of {printed}:\n{}",
        wrong.len(),
        wrong.join("\n\n")
    );
    let expected = match scenes.len() == SCENES.len() {
        true => 110,
        false => scenes.len(),
    };
    assert!(printed >= expected, "only {printed} commands were printed");
}

#[test]
fn two_active_features_keep_their_units_and_next_commands() {
    let world = world();
    let other = ".gatewalk/features/FEAT-2026-0002-others";
    for file in ["PLAN.md", "GATE-01.md", "WU-T01.md", "WU-T02.md"] {
        let text = world.read(&format!("{FEATURE}/{file}"));
        world.write(
            &format!("{other}/{file}"),
            text.replace("2026-0001", "2026-0002"),
        );
    }
    world.git(&["add", "-A"]);
    world.git(&["commit", "-qm", "two"]);
    let said = text(&world.run(&["status"]));
    for part in [
        "next: gatewalk loop --feature FEAT-2026-0001",
        "next: gatewalk loop --feature FEAT-2026-0002",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert_eq!(said.matches("T02 ").count(), 2, "{said}");
    // Each way to name it means the same one.
    for name in ["FEAT-2026-0002", "others", other, "FEAT-2026-0002-others"] {
        for args in [
            ["status", name, ""],
            ["status", "--feature", name],
            ["review", "--feature", name],
            ["stats", "--feature", name],
        ] {
            let args: Vec<&str> = args.into_iter().filter(|a| !a.is_empty()).collect();
            let out = world.run(&args);
            assert!(out.status.success(), "{args:?}: {}", text(&out));
            assert!(text(&out).contains("FEAT-2026-0002"), "{args:?}");
        }
    }
    assert_eq!(world.run(&["loop"]).status.code(), Some(3));
    assert_eq!(
        world.try_git(&["rev-parse", "-q", "--verify", BRANCH]),
        None
    );
}

#[test]
fn an_agent_that_is_not_there_is_noticed_before_anything_runs() {
    let world = world();
    let config = world.root.join("home/.config/gatewalk/config.yml");
    let text_of = std::fs::read_to_string(&config).unwrap();
    let without = regex::Regex::new("command: .*").unwrap();
    std::fs::write(
        &config,
        without
            .replace(&text_of, "command: [no-such-program]")
            .as_bytes(),
    )
    .unwrap();
    let out = world.run(&["loop"]);
    let said = text(&out);
    assert_eq!(out.status.code(), Some(5), "{said}");
    assert!(!said.contains("on the base"), "{said}");
    assert!(said.contains("next: gatewalk doctor"), "{said}");
}
