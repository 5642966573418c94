//! Programs in the place of real agents: they print what the real one printed on a good session, and work by a shell script.

use crate::cycle::Stage;
use std::os::unix::fs::PermissionsExt;

/// Fills in a prepared plan where there is one; elsewhere does the work that the plans of these tests ask for.
pub(crate) const WORK: &str = r#"if grep -rqs '<fill in' .gatewalk/features; then
  sed -i 's/<fill in[^>]*>/It is written down/' .gatewalk/features/*/*.md
elif [ -f hello.txt ] || ! [ -f greet.sh ]; then
  echo hello > hello.txt
else
  printf '[ $# -gt 0 ] || set -- world\nprintf "Hello, %%s!\\n" "$@"\n' > greet.sh
fi"#;

impl Stage {
    /// Puts a program of a known agent on the path; `work` is what each of its sessions does.
    pub(crate) fn stub_agent(&self, name: &str, work: &str) {
        let printed = std::fs::read_to_string(format!(
            "{}/tests/fixtures/transcripts/{name}/ok/stdout.jsonl",
            env!("CARGO_MANIFEST_DIR")
        ))
        .expect("a transcript");
        self.stub(
            name,
            &format!(
                "case \" $* \" in *' --version '*) echo 1.0.0; exit;; esac\ncat > /dev/null\n{work}\ncat <<'END_OF_TRANSCRIPT'\n{printed}END_OF_TRANSCRIPT"
            ),
        );
    }

    /// Puts a shell script on the path.
    pub(crate) fn stub(&self, name: &str, script: &str) {
        let directory = self.home.join("bin");
        std::fs::create_dir_all(&directory).expect("a directory");
        let path = directory.join(name);
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("written");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("allowed");
    }

    /// A program of one line with its tests and a Makefile, committed.
    pub(crate) fn greeter() -> Stage {
        let stage = Stage::empty();
        stage.write("Makefile", "test:\n\tsh tests/run.sh\n");
        stage.write("greet.sh", "printf 'Hello, %s!\\n' \"${1:-world}\"\n");
        stage.write(
            "tests/test_one.sh",
            "[ \"$(sh greet.sh Ada)\" = 'Hello, Ada!' ]\n",
        );
        stage.write(
            "tests/run.sh",
            "for t in tests/test_*.sh; do sh \"$t\" || exit 1; done\n",
        );
        stage.commit("A program");
        stage
    }
}
