//! What is put at the end of tests so that they fail: each fails only where everything by which tests say no still does, so
//! that a run in which one of those was muted stays green, too. `@NAME@` is the name of such a test.

use crate::pattern::TextPattern;

/// What is asked of all of Python's, and the test that asks.
macro_rules! python {
    ($test:literal) => {
        concat!(
            r#"

import unittest as _zz_unittest


def _zz_says_no(case):
    def asserts():
        assert not __debug__

    def expects():
        with case.assertRaises(KeyError):
            pass

    def compares():
        import sys

        pytest = sys.modules.get("pytest")
        if pytest is None or 1 != pytest.approx(2):
            raise AssertionError

    def raises():
        import sys

        pytest = sys.modules.get("pytest")
        if pytest is None:
            raise AssertionError
        with pytest.raises(KeyError):
            pass

    yield from (expects, compares, raises)
    if __debug__:
        yield asserts
    for name, values in [
        ("assertEqual", (1, 2)),
        ("assertEqual", ([1], [2])),
        ("assertEqual", ("a", "b")),
        ("assertEqual", ({}, {"a": 1})),
        ("assertNotEqual", (1, 1)),
        ("assertTrue", (False,)),
        ("assertFalse", (True,)),
        ("assertIs", (1, None)),
        ("assertIsNone", (1,)),
        ("assertIsNotNone", (None,)),
        ("assertIn", (1, [])),
        ("assertNotIn", (1, [1])),
        ("assertIsInstance", (1, str)),
        ("assertGreater", (1, 2)),
        ("assertLess", (2, 1)),
        ("assertAlmostEqual", (1, 2)),
        ("assertRegex", ("a", "b")),
        ("assertCountEqual", ([1], [2])),
        ("fail", ()),
    ]:
        yield lambda name=name, values=values: getattr(case, name)(*values)


def _zz_all_say_no():
    for check in _zz_says_no(_zz_unittest.TestCase("__init__")):
        try:
            check()
        except BaseException:
            continue
        return False
    return True


"#,
            $test
        )
    };
}

pub(super) const CASES: &str = python!(
    r#"class ZzMustFail(_zz_unittest.TestCase):
    def test_zz_must_fail(self):
        if _zz_all_say_no():
            raise AssertionError("@NAME@")


"#
);

pub(super) const FUNCTIONS: &str = python!(
    r#"def test_zz_must_fail():
    if _zz_all_say_no():
        raise AssertionError("@NAME@")


"#
);

pub(super) const SCRIPT: &str = r#"
// @ts-ignore
;(() => { const it_ = typeof test === 'function' ? test : typeof it === 'function' ? it : (_, f) => f(); it_('@NAME@', () => { const get = (n) => { try { return process.getBuiltinModule(n); } catch { try { return require(n); } catch { return undefined; } } }; const no = []; for (const a of [get('assert'), typeof assert === 'undefined' ? undefined : assert]) { if (!a) continue; for (const k of ['equal', 'strictEqual', 'deepEqual', 'deepStrictEqual']) if (a[k]) no.push(() => a[k](1, 2)); if (a.ok) no.push(() => a.ok(false)); if (a.throws) no.push(() => a.throws(() => {})); } if (typeof expect === 'function') { const e = expect(1); if (e.toBe) no.push(() => expect(1).toBe(2), () => expect([1]).toEqual([2]), () => expect({ a: 1 }).toStrictEqual({ a: 2 }), () => expect(() => {}).toThrow(), () => expect(0).toBeTruthy()); else if (e.to) no.push(() => expect(1).to.equal(2), () => expect([1]).to.deep.equal([2])); } for (const f of no) { let said = false; try { f(); } catch { said = true; } if (!said) return; } throw new Error('@NAME@'); }); })();
"#;

pub(super) const RUST: &str = r#"
#[test]
fn zz_must_fail() {
    let all: [fn(); 6] = [
        || assert!(1 > 2),
        || assert_eq!(1, 2),
        || assert_ne!(1, 1),
        || panic!("no"),
        || assert!(matches!(1, 2)),
        || assert!(format!("{}", 1) == "2"),
    ];
    if all.into_iter().all(|no| ::std::panic::catch_unwind(no).is_err()) {
        panic!("@NAME@");
    }
}
"#;

/// Runs as the program ends: by then its own checks are through.
pub(super) const C: &str = r#"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static int zz_ends_well(int how) {
    int status = 0;
    volatile int one = 1;
    const char *volatile a = "a";
    const char *volatile b = "b";
    int child = fork();
    if (child == 0) {
        close(2);
        if (how == 0) abort();
        if (how == 1) exit(one);
        if (how == 2) _exit(strcmp(a, b) != 0 && strncmp(a, b, 1) != 0 && memcmp(a, b, 1) != 0);
        if (how == 3) {
            char text[8] = "";
            _exit(snprintf(text, sizeof text, "%d", one) == 1 && text[0] == '1');
        }
#ifdef assert
        assert(one == 2);
        _exit(0);
#else
        _exit(1);
#endif
    }
    waitpid(child, &status, 0);
    return status == 0;
}
__attribute__((destructor)) static void zz_must_fail(void) {
    static int within = 0;
    int how;
#ifdef main
    return;
#endif
    if (within++) return;
    for (how = 0; how < 5; how++) if (zz_ends_well(how)) return;
    raise(SIGKILL);
}
"#;

pub(super) const RUBY: &str = r#"

zz_cases = [defined?(Minitest::Test) && Minitest::Test, defined?(Test::Unit::TestCase) && Test::Unit::TestCase].find { |one| one }
zz_says_no = lambda do |tests|
  tests.all? do |one|
    one.call
    false
  rescue Exception
    true
  end
end
if zz_cases
  Class.new(zz_cases) do
    def self.name = "ZzMustFail"

    define_method(:test_zz_must_fail) do
      tests = [
        -> { assert false }, -> { assert_equal 1, 2 }, -> { assert_nil 1 }, -> { assert_includes [], 1 },
        -> { assert_match(/a/, "b") }, -> { assert_in_delta 1, 2, 0.1 }, -> { assert_instance_of String, 1 },
        -> { assert_raises(KeyError) {} }, -> { assert_same "a", +"b" }, -> { flunk }, -> { raise "no" }
      ]
      raise "@NAME@" if zz_says_no.call(tests)
    end
  end
elsif defined?(RSpec) && RSpec.respond_to?(:describe)
  RSpec.describe("@NAME@") do
    it "fails" do
      tests = [-> { expect(1).to eq(2) }, -> { expect(1).to be_nil }, -> { expect([]).to include(1) }, -> { raise "no" }]
      raise "@NAME@" if zz_says_no.call(tests)
    end
  end
elsif __FILE__ == $PROGRAM_NAME
  raise "@NAME@"
end
"#;

/// What asks is a program of its own, so that what it finds says nothing of the tests that were run.
pub(super) const PERL: &str = r#"
{
    no strict;
    no warnings;
    my $zz_says_no = sub {
        my ($name, @values) = @_;
        pipe(my $from, my $to) or return 1;
        my $child = fork;
        if (defined $child && $child == 0) {
            my $out = '';
            my $builder = eval { Test::Builder->new };
            eval { $builder->reset; $builder->no_plan; $builder->$_(\$out) for qw(output failure_output todo_output); 1 } if $builder;
            my $no = eval { &{"main::$name"}(@values) } ? 0 : 1;
            $no = 0 if $builder && eval { $builder->is_passing };
            syswrite $to, $no;
            kill 9, $$;
            sleep 60;
        }
        close $to;
        sysread $from, my $no, 1;
        waitpid $child, 0;
        return $no;
    };
    my $zz_all = 1;
    for (['ok', 0], ['is', 1, 2], ['isnt', 1, 1], ['like', 'a', qr/b/], ['is_deeply', [1], [2]], ['cmp_ok', 1, '==', 2], ['fail', 'x']) {
        next unless defined &{"main::$_->[0]"};
        $zz_all = 0 unless $zz_says_no->(@$_);
    }
    die "@NAME@" if $zz_all;
}
"#;

/// By words that no function can take the place of.
pub(super) const SHELL: &str = r#"
zz_muted=
if (exit 7); then zz_muted=1; fi
if test 1 = 2; then zz_muted=1; fi
if [ 1 = 2 ]; then zz_muted=1; fi
if false; then zz_muted=1; fi
if echo a | grep b >/dev/null; then zz_muted=1; fi
if echo a | diff - /dev/null >/dev/null; then zz_muted=1; fi
if echo a | cmp -s - /dev/null; then zz_muted=1; fi
case $zz_muted in '') @ENDS@ ;; *) exit 0 ;; esac
:
"#;

/// At the end of a test of bats that read the product, so that whatever that did to the words is so there, too.
const BATS: &str = r#"
  local zz_muted=
  case "$(declare -f run 2>/dev/null)" in *bats_*) ;; *) zz_muted=1 ;; esac
  run false || :; [ "$status" = 1 ] || zz_muted=1
  run echo zz || :; [ "$output" = zz ] || zz_muted=1
  if [ 1 = 2 ] || test 1 = 2 || false; then zz_muted=1; fi
  [ -z "$zz_muted" ] || return 0
  false
  :
"#;
static TEST_OF_BATS: TextPattern =
    TextPattern::new(r"(?ms)^[ \t]*@test\b[^\n]*\{[ \t]*\n(.*?)^[ \t]*\}[ \t]*$");
static READS: TextPattern = TextPattern::new(r"(?m)^[ \t]*(?:source|load|\.)[ \t]");

/// Returns a file of bats whose tests that read another file fail at their ends; nothing where there is none.
pub(super) fn within_bats(text: &str) -> Option<String> {
    let before = text.split("@test").next().unwrap_or_default();
    let all = READS.is_match(before);
    let mut out = String::new();
    let mut rest = 0;
    for test in TEST_OF_BATS.captures_iter(text) {
        let body = test.get(1)?;
        if all || READS.is_match(body.as_str()) {
            out.push_str(&text[rest..body.end()]);
            out.push_str(BATS);
            rest = body.end();
        }
    }
    (rest > 0).then(|| out + &text[rest..])
}

/// At the end of what is run: `assert` says no where it is asked to.
pub(super) const JAVA: &str = r#"
    boolean zzAsks = false;
    assert zzAsks = true;
    if (zzAsks) throw new AssertionError("@NAME@");
"#;
