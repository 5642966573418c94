//! Where the files that are linted lie: in the checkout, in the index, at the top of a repository or elsewhere in one.

use crate::world::{Unit, World, ended, good, text, two_units};

const DIR: &str = ".gatewalk/features/FEAT-2026-0001-greetings";

#[test]
fn what_is_staged_is_linted_where_a_hook_asks() {
    let hooks = include_str!("../../.pre-commit-hooks.yaml");
    assert!(hooks.contains("gatewalk lint --staged"), "{hooks}");
    let world = two_units();
    // A unit that lies there and would not be in the commit.
    world.git(&["rm", "-q", "--cached", &format!("{DIR}/WU-T02.md")]);
    ended(&world.run(&["lint"]), 0, "");
    ended(&world.run(&["lint", "--staged"]), 1, "GW306");
    world.git(&["reset", "-q"]);
    ended(&world.run(&["lint", "--staged"]), 0, "");
    // One that was broken, staged, and mended since; and the other way round.
    let plan = format!("{DIR}/WU-T01.md");
    let sound = world.read(&plan);
    world.write(&plan, "---\nid: x\n");
    ended(&world.run(&["lint", "--staged"]), 0, "");
    world.git(&["add", "-A"]);
    world.write(&plan, sound);
    ended(&world.run(&["lint"]), 0, "");
    ended(&world.run(&["lint", "--staged"]), 1, "GW102");
    // As a hook, of a commit that brings its own index.
    let hook = format!("#!/bin/sh\nexec {} lint --staged\n", crate::world::PROGRAM);
    let path = world.repo().join(".git/hooks/pre-commit");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, hook).unwrap();
    std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    assert!(world.try_git(&["commit", "-qm", "broken"]).is_none());
    world.write("README.md", "other\n");
    world.git(&["commit", "-qm", "only this", "README.md"]);
    ended(&world.run(&["lint", "--staged"]), 1, "GW102");
}

#[test]
fn plans_that_no_run_reads_are_named() {
    let world = World::with_units(&[Unit::with("T01", &[&good("T01")])]);
    world.write("apps/shop/.gatewalk/verification.yml", "codes: []\n");
    let shown = ended(&world.run(&["lint"]), 0, "`gatewalk lint apps/shop`");
    assert!(shown.contains("was not looked at"), "{shown}");
    ended(
        &world.run(&["lint", "apps/shop"]),
        1,
        "no run reads this `.gatewalk/`",
    );
    // Nowhere near one, or above it: where it is.
    let above = |directory: &std::path::Path| {
        let mut command = world.command(crate::world::PROGRAM);
        text(&command.arg("lint").current_dir(directory).output().unwrap())
    };
    assert!(
        above(&world.root).contains("`repo` has one"),
        "{}",
        above(&world.root)
    );
    // A repository inside another has plans of its own, or none.
    world.write("vendor/lib/README.md", "x\n");
    let inner = world.repo().join("vendor/lib");
    let mut init = world.command("git");
    assert!(
        init.args(["init", "-q"])
            .current_dir(&inner)
            .status()
            .unwrap()
            .success()
    );
    assert!(
        above(&inner).contains("there is no `.gatewalk/`"),
        "{}",
        above(&inner)
    );
}

#[test]
fn a_command_in_a_directory_whose_plans_no_run_reads_says_so() {
    let world = World::bare();
    world.git(&["init", "-q", "-b", "main"]);
    world.write("apps/shop/.gatewalk/verification.yml", "code: []\n");
    world.git(&["add", "-A"]);
    world.git(&["commit", "-qm", "start"]);
    let mut command = world.command(crate::world::PROGRAM);
    let shop = world.repo().join("apps/shop");
    let shown = command.arg("status").current_dir(shop).output().unwrap();
    ended(&shown, 3, "is not at the top of the repository");
}

#[test]
fn what_a_finding_tells_to_write_is_printed_and_mends_it() {
    let plan = format!("{DIR}/PLAN.md");
    let gate = format!("{DIR}/GATE-01.md");
    let unit = format!("{DIR}/WU-T02.md");
    for (file, template) in [(&plan, "PLAN"), (&gate, "GATE"), (&unit, "WU")] {
        let world = two_units();
        std::fs::remove_file(world.repo().join(file)).unwrap();
        let name = format!("templates/{template}.md");
        let show = format!("`gatewalk upgrade --show {name}`");
        ended(&world.run(&["lint"]), 1, &show);
        let shape = world.run(&["upgrade", "--show", &name]).stdout;
        assert!(shape.starts_with(b"---\n"), "{template}");
        let filled = String::from_utf8(shape).unwrap().replace("{{gate}}", "1");
        world.write(file, filled);
        let found = text(&world.run(&["lint"]));
        assert!(!found.contains("not in the directory"), "{found}");
        assert!(!found.contains("no PLAN.md"), "{found}");
    }
}

#[test]
fn a_file_with_nearly_the_name_of_settings_stops_lint_and_the_loop() {
    let world = two_units();
    world.write(".gatewalk/config.yaml", "autonomy_default: supervised\n");
    world.git(&["add", "-A"]);
    world.git(&["commit", "-qm", "settings"]);
    ended(
        &world.run(&["lint"]),
        1,
        "rename `config.yaml` to `config.yml`",
    );
    ended(&world.walk(), 3, "GW128");
    // Beside one that is read it is a remark, and so is one of another feature.
    world.write(".gatewalk/config.yml", "autonomy_default: supervised\n");
    ended(&world.run(&["lint"]), 0, "move what is meant into it");
}

#[test]
fn a_path_of_the_oracle_that_the_checkout_lacks_is_named_with_the_nearest() {
    let world = two_units();
    world.write("src/lib/a.rs", "a\n");
    let oracle = world.read(".gatewalk/verification.yml");
    for (when, says) in [
        ("scr/**", Some("did you mean `src/**`?")),
        ("src/libs/*.rs", Some("did you mean `src/lib/*.rs`?")),
        ("src/lib/b.rs", Some("did you mean `src/lib/a.rs`?")),
        ("elsewhere/**", Some("relative to the repository's root")),
        ("./src/**", None),
        ("src/", None),
        ("**/*.none", None),
        ("made/**", None),
    ] {
        let command = format!("    command: sh check.sh\n    when: [\"{when}\"]\n");
        world.write(
            ".gatewalk/verification.yml",
            oracle.replacen("    command: sh check.sh\n", &command, 1),
        );
        let unit = format!("{DIR}/WU-T01.md");
        let page = world.read(&unit).replace("touches: [made/a]\n", "");
        world.write(
            &unit,
            page.replacen("status:", "touches: [made/a]\nstatus:", 1),
        );
        let shown = ended(&world.run(&["lint"]), 0, says.unwrap_or_default());
        assert_eq!(shown.contains("GW626"), says.is_some(), "{when}: {shown}");
    }
}

#[test]
fn a_path_that_slots_take_along_is_named_where_one_beside_it_was_meant() {
    let world = two_units();
    world.write(".secrets", "a\n");
    world.write("vendor/cache/a", "a\n");
    let oracle = world.read(".gatewalk/verification.yml");
    for (link, meant) in [
        (".secrets", None),
        (".secret", Some(".secrets")),
        ("./vendor/cahce", Some("./vendor/cache")),
        ("vendor/cache/", None),
        ("not-on-this-machine", None),
    ] {
        let text = format!("link: [{link}]\n{oracle}");
        world.write(".gatewalk/verification.yml", text);
        let help = meant.map(|meant| format!("did you mean `{meant}`?"));
        let shown = ended(&world.run(&["lint"]), 0, &help.unwrap_or_default());
        assert_eq!(shown.contains("GW626"), meant.is_some(), "{link}: {shown}");
    }
}
