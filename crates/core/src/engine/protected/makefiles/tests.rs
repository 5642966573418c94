use super::*;

#[test]
fn what_the_oracle_has_made_is_known_with_all_that_it_needs() {
    let makefile = "all: app\n\ncheck: unit lint # both\n\tsh a.sh\nunit:\n\tsh b.sh\nlint:\n\ttrue\napp: main.o\n\tcc\nX := 1\ndocs:\n\ttrue\n.PHONY: lint\n";
    for (command, want) in [
        ("make check", "all app check unit"),
        ("make docs", "all app docs"),
        ("sh check", ""),
    ] {
        let words = command.split(' ').map(str::to_owned).collect();
        let made: Vec<String> = asked_targets(makefile, &words).into_iter().collect();
        assert_eq!(made.join(" "), want, "{command}");
    }
}

fn words() -> BTreeSet<String> {
    ["make", "check"].map(str::to_owned).into()
}

#[test]
fn a_variable_that_no_judging_recipe_uses_may_change() {
    let old = "all: check\nVERSION = 1\nSUITE = a.sh\ncheck: unit\n\tsh b.sh\nunit:\n\tsh $(SUITE)\ndist: x\n\ttar $(VERSION)\n";
    for (new, want) in [
        (old.replace("VERSION = 1", "VERSION = 2"), false),
        (old.replace("VERSION = 1\n", ""), false),
        (old.replace("a.sh", "c.sh"), true),
        (old.replace("dist:", "VERSION = 3\ndist:"), false),
        (format!("{old}un%: SHOWN = 1\n"), true),
        (format!("{old}unit: export PATH := x:$(PATH)\n"), true),
        (format!("{old}docs: SHOWN = 1\n"), false),
        (format!("{old}out/%.o: in/%.c\n\tcc\n"), false),
    ] {
        assert_eq!(rewired(old, &new, &words()), want, "{new}");
    }
    let built_in =
        |version: &str| format!("CFLAGS = {version}\nall:\n\ttrue\nd:\n\tcc $(CFLAGS)\n");
    assert!(rewired(&built_in("1"), &built_in("2"), &words()));
    // Wherever one file does not show who uses it, it counts.
    for (from, to) in [
        ("sh b.sh", "sh b.sh $(VERSION)"),
        ("check: unit", "check: unit $(MORE)"),
        ("check: unit", "check: unit-$(VERSION)"),
        ("SUITE =", "export SUITE ="),
        ("SUITE =", "-include more.mk\nSUITE ="),
        ("dist: x", "dist-%: x"),
        ("dist: x", "dist: x\nunit: dist"),
        ("SUITE = a.sh", "SUITE = a-$(VERSION).sh"),
        ("tar $(VERSION)", "tar x"),
        ("all:", "ifdef VERSION\nendif\nall:"),
    ] {
        let old = old.replace(from, to);
        let new = old.replace("VERSION = 1", "VERSION = 2");
        assert!(rewired(&old, &new, &words()), "{old}");
    }
}

#[test]
fn a_list_of_sources_that_grows_is_not_rewired() {
    let old = "SRC = src/a.c\nTOOL = run.sh\nFLAGS = -O2\ncheck: t\n\tsh $(TOOL) ./t\nt: $(SRC)\n\tcc $(FLAGS) -o t $(SRC)\n";
    for (from, to, want) in [
        ("src/a.c", "src/a.c src/b.c", false),
        ("src/a.c", "src/a.c \\\n  src/b.c", false),
        ("src/a.c", "src/b.c", true),
        ("src/a.c", "src/b.c src/a.c", true),
        ("src/a.c", "src/a.c -DNDEBUG", true),
        ("src/a.c", "src/a.c\nSRC = src/a.c src/b.c", true),
        ("src/a.c", "src/a.c src/b.c\nSRC += src/c.c", true),
        ("run.sh", "run.sh more.c", true),
        ("-O2", "-O2 more.c", true),
    ] {
        let new = old.replacen(from, to, 1);
        assert_eq!(rewired(old, &new, &words()), want, "{new}");
    }
}

#[test]
fn another_goal_than_before_is_rewired_where_no_target_is_asked_for() {
    let old = ".PHONY: check\ncheck:\n\tsh a.sh\n";
    for (new, bare, asked) in [
        (format!("{old}docs:\n\ttrue\n"), false, false),
        (format!("docs:\n\ttrue\n{old}"), true, false),
        (
            format!("{old}.DEFAULT_GOAL := docs\ndocs:\n\ttrue\n"),
            true,
            false,
        ),
        (format!("%.o:\n\ttrue\n{old}"), true, true),
    ] {
        let make = BTreeSet::from(["make".to_owned()]);
        assert_eq!(rewired(old, &new, &make), bare, "{new}");
        assert_eq!(rewired(old, &new, &words()), asked, "{new}");
    }
}

#[test]
fn what_a_head_says_of_its_target_is_no_part_of_the_recipe() {
    let old = "check: unit\n\tsh a.sh\nlint: ; sh b.sh\n";
    for (new, is_same) in [
        (old.replace("unit", "unit ## Runs all tests"), true),
        (old.replace("unit", "## unit"), false),
        (old.replace("b.sh", "# b.sh"), false),
        (old.replace("a.sh", "# a.sh"), false),
    ] {
        assert_eq!(
            recipes(old, &words()) == recipes(&new, &words()),
            is_same,
            "{new}"
        );
    }
}

#[test]
fn a_target_that_is_no_longer_phony_is_rewired() {
    let old = ".PHONY: check unit\ncheck:\n\ttrue\n";
    for (new, want) in [
        (old.to_owned(), false),
        (old.replace("unit", "unit more"), false),
        (old.replace(" unit", ""), true),
        (old.replace(".PHONY: check unit\n", ""), true),
    ] {
        assert_eq!(rewired(old, &new, &words()), want, "{new}");
    }
}

#[test]
fn what_is_made_without_a_word_judges_where_it_decides() {
    let make = BTreeSet::from(["make".to_owned(), "check".to_owned()]);
    for (makefile, words, want) in [
        ("all:\n\ttest -f x\n", &make, 1),
        ("all:\n\tcc -c a.c\n", &make, 0),
        ("all:\n\ttest -f x\ncheck:\n\ttrue\n", &make, 1),
        ("all:\n\ttest -f x\n", &BTreeSet::new(), 0),
    ] {
        assert_eq!(recipes(makefile, words).len(), want, "{makefile}");
    }
}

#[test]
fn what_only_marks_that_something_is_done_is_told_from_what_is_made() {
    for (makefile, want) in [
        ("qa/%.ok:\n\tsh qa/$*.sh\n\ttouch $@\n", "qa/*.ok"),
        ("qa/%.ok: qa/%.sh\n\tsh $< && touch $(@)\n", "qa/*.ok"),
        ("done.txt:\n\tsh a.sh\n\t@touch done.txt\n", "done.txt"),
        ("$(OUT)/a.stamp:\n\tsh a.sh\n\ttouch $@\n", "*/a.stamp"),
        // What is written and only then touched is more than a mark.
        ("a.c: a.y\n\tbison -o $@ $<\n\ttouch $@\n", ""),
        ("a.h:\n\techo x > $@\n", ""),
        ("check:\n\tsh a.sh\n", ""),
    ] {
        assert_eq!(marks(makefile, &words()).join(" "), want, "{makefile}");
        assert!(marks(makefile, &BTreeSet::new()).is_empty());
    }
}

#[test]
fn a_variable_that_programs_of_recipes_go_by_is_shared() {
    let old = "check:\n\tpython3 run.py\n";
    for (more, want) in [
        ("export PYTHONOPTIMIZE = 1\n", true),
        (
            "NODE_OPTIONS := --require ./a.js\nexport NODE_OPTIONS\n",
            true,
        ),
        ("export GREETING = hello\n", false),
        ("PYTHON_FILES = a.py\n", false),
    ] {
        assert_eq!(
            rewired(old, &format!("{old}{more}"), &words()),
            want,
            "{more}"
        );
    }
}
