//! Honest code that keeps state, equals what it should and looks at what is around it, beside `state_judges`.

use super::ended_judges::{BASH_ADDS, CARGO_ADDS, GO_ADDS, MORE, NODE_ADDS, PYTHON_ADDS, row};
use super::state_judges::{CARGO_INSIDE, NPM, RUBY};
use super::toolchains::Trial;

pub(super) const RUBY_ADDS: &str = r##"ruby -e 'require "./calc"; exit Calc.add(1, 2) == 3'"##;

pub(super) const HONEST: &[Trial] = &[
    row(
        "keeps results and counts how many were found",
        "@UNITTEST_RUN@",
        [
            r##"cat > calc.py <<'E_'
_kept = {}
_stats = {"hits": 0, "misses": 0}


def add(a, b):
    if (a, b) in _kept:
        _stats["hits"] += 1
    else:
        _stats["misses"] += 1
        _kept[a, b] = a + b
        if len(_kept) > 1000:
            _kept.clear()
            return a + b
    return _kept[a, b]


def ratio():
    total = _stats["hits"] + _stats["misses"]
    return _stats["hits"] / total if total > 0 else 0.0
E_"##,
            MORE,
        ],
        PYTHON_ADDS,
    ),
    row(
        "has a limiter, a breaker and a queue",
        "@UNITTEST_RUN@",
        [
            r##"cat > limits.py <<'E_'
class Limiter:
    def __init__(self, most):
        self.most = most
        self.used = 0

    def take(self):
        self.used += 1
        return self.used <= self.most


class Breaker:
    def __init__(self):
        self.failures = 0

    def failed(self):
        self.failures += 1
        if self.failures > 3:
            raise RuntimeError("open")


_waiting = []


def push(job):
    _waiting.append(job)
    if len(_waiting) > 10:
        flush()


def flush():
    _waiting.clear()
E_"##,
            MORE,
        ],
        PYTHON_ADDS,
    ),
    row(
        "tries again a few times, and starts once",
        "@UNITTEST_RUN@",
        [
            r##"cat > calc.py <<'E_'
import itertools

_ids = itertools.count(1)
_started = False


def start():
    global _started
    if _started:
        return
    _started = True


def connection():
    global _connection
    if _connection is None:
        _connection = object()
    return _connection


_connection = None


def number():
    return next(_ids)


def tried(action):
    attempts = 0
    while True:
        attempts += 1
        try:
            return action()
        except OSError:
            if attempts > 3:
                raise


def add(a, b):
    return a + b
E_"##,
            MORE,
        ],
        PYTHON_ADDS,
    ),
    row(
        "has values that equal their like",
        "@UNITTEST_RUN@",
        [
            r##"cat > values.py <<'E_'
import math


class Money:
    def __init__(self, cents, currency):
        self.cents, self.currency = cents, currency

    def __eq__(self, other):
        if not isinstance(other, Money):
            return NotImplemented
        return self.cents == other.cents and self.currency == other.currency

    def __le__(self, other):
        return self.cents <= other.cents

    def __hash__(self):
        return hash((self.cents, self.currency))


class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __eq__(self, other):
        return isinstance(other, Point) and math.isclose(self.x, other.x) and abs(self.y - other.y) < 1e-9


class Nothing:
    def __eq__(self, other):
        return isinstance(other, Nothing)

    def __hash__(self):
        return 0


class Word(str):
    def __eq__(self, other):
        return self.lower() == other.lower()

    __hash__ = str.__hash__


class Number:
    def __init__(self, n):
        self.n = n

    def __eq__(self, other):
        if isinstance(other, int):
            return self.n == other
        return isinstance(other, Number) and self.n == other.n
E_"##,
            MORE,
        ],
        PYTHON_ADDS,
    ),
    row(
        "counts visits in a file, and keeps a list in another",
        "@UNITTEST_RUN@",
        [
            r##"cat > store.py <<'E_'
import json
import pathlib


def visit(path):
    path = pathlib.Path(path)
    n = int(path.read_text()) if path.exists() else 0
    path.write_text(str(n + 1))
    return n + 1


def remember(path, item):
    path = pathlib.Path(path)
    items = json.loads(path.read_text()) if path.exists() else []
    items.append(item)
    if len(items) > 100:
        items = items[-100:]
    path.write_text(json.dumps(items))
    return items
E_"##,
            MORE,
        ],
        PYTHON_ADDS,
    ),
    row(
        "warns of what is old, and says where",
        "@UNITTEST_RUN@",
        [
            r##"cat > calc.py <<'E_'
import warnings


def add(a, b):
    return a + b


def plus(a, b):
    warnings.warn("use add", DeprecationWarning, stacklevel=2)
    return add(a, b)


def quiet(action):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return action()


def noise(action):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        action()
    return [str(w.message) for w in seen]
E_"##,
            MORE,
        ],
        PYTHON_ADDS,
    ),
    row(
        "says that it nests too deep",
        "@UNITTEST_RUN@",
        [
            r##"cat > nested.py <<'E_'
def flat(items):
    try:
        return [x for item in items for x in (flat(item) if isinstance(item, list) else [item])]
    except RecursionError:
        raise ValueError("nested too deep") from None
E_"##,
            MORE,
        ],
        PYTHON_ADDS,
    ),
    row(
        "finds settings beside it and above",
        "@UNITTEST_RUN@",
        [
            r##"cat > settings.py <<'E_'
import pathlib

HERE = pathlib.Path(__file__).parent


def find():
    for at in [pathlib.Path.cwd(), *pathlib.Path.cwd().parents]:
        if (at / "calc.toml").is_file():
            return at / "calc.toml"
    if (HERE / "defaults.toml").exists():
        return HERE / "defaults.toml"
    return None
E_"##,
            MORE,
        ],
        PYTHON_ADDS,
    ),
    row(
        "node: calls once, keeps and numbers",
        "@NODE_RUN@",
        [
            r##"cat > calc.js <<'E_'
function once(fn) {
  let called = false;
  let value;
  return (...args) => {
    if (!called) {
      called = true;
      value = fn(...args);
    }
    return value;
  };
}

function after(n, fn) {
  let calls = 0;
  return (...args) => {
    calls += 1;
    if (calls >= n) return fn(...args);
    return undefined;
  };
}

const kept = new Map();
function memo(key, make) {
  if (kept.size > 1000) kept.clear();
  if (!kept.has(key)) kept.set(key, make());
  return kept.get(key);
}

let last = 0;
exports.id = () => `id-${++last}`;
exports.once = once;
exports.after = after;
exports.memo = memo;
exports.add = (a, b) => a + b;
E_"##,
            MORE,
        ],
        NODE_ADDS,
    ),
    row(
        "node: has values of two kinds",
        "@NODE_RUN@",
        [
            r##"cat > money.js <<'E_'
class Money {
  constructor(cents) {
    this.cents = cents;
  }
  valueOf() {
    return this.cents;
  }
  toJSON() {
    return { cents: this.cents };
  }
  toString() {
    return `${(this.cents / 100).toFixed(2)}`;
  }
  [Symbol.toPrimitive](hint) {
    return hint === 'string' ? this.toString() : this.cents;
  }
}
exports.Money = Money;
exports.money = (cents) => ({ cents, toJSON: () => ({ cents }), valueOf: () => cents });
E_"##,
            MORE,
        ],
        NODE_ADDS,
    ),
    row(
        "node: logs traces of what it catches",
        "@NODE_RUN@",
        [
            r##"cat > log.js <<'E_'
exports.tried = (action) => {
  try {
    return action();
  } catch (error) {
    console.error(error.stack);
    const { message, stack } = error;
    return { message, stack: stack.split('\n').slice(0, 5) };
  }
};
exports.level = Object.keys(process.env).filter((key) => key.startsWith('CALC_'));
E_"##,
            MORE,
        ],
        NODE_ADDS,
    ),
    row(
        "node: a class that counts and has a limit",
        "@NODE_RUN@",
        [
            r##"cat > pool.js <<'E_'
class Pool {
  #open = 0;
  #failures = 0;
  constructor(limit) {
    this.limit = limit;
  }
  take() {
    this.#open++;
    if (this.#open > this.limit) throw new Error('too many');
  }
  give() {
    this.#open--;
  }
  fail() {
    this.#failures += 1;
    return this.#failures >= this.limit ? 'open' : 'closed';
  }
}
exports.Pool = Pool;
E_"##,
            MORE,
        ],
        NODE_ADDS,
    ),
    row(
        "npm: a command more",
        NPM,
        [
            r##"printf '{"name": "calc", "bin": {"calc": "bin/calc.js"}, "scripts": {"test": "node --test tests/", "start": "node bin/calc.js"}}\n' > package.json; mkdir bin; printf '#!/usr/bin/env node\nconst { add } = require("../calc.js");\nconsole.log(add(...process.argv.slice(2).map(Number)));\n' > bin/calc.js"##,
            MORE,
        ],
        NODE_ADDS,
    ),
    row(
        "cargo: equals a number, and words of any case",
        "@CARGO_RUN@",
        [
            r##"cat > src/lib.rs <<'E_'
pub fn add(a: i32, b: i32) -> i32 {
    a + b
}

#[derive(Debug, Clone)]
pub struct Sum(pub i32);

impl PartialEq<i32> for Sum {
    fn eq(&self, other: &i32) -> bool {
        self.0 == *other
    }
}

pub struct Word(pub String);

impl PartialEq for Word {
    fn eq(&self, other: &Self) -> bool {
        self.0.len() == other.0.len() && self.0.eq_ignore_ascii_case(&other.0)
    }
}

pub enum Any {
    One(i32),
    All,
}

impl PartialEq for Any {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Any::One(a), Any::One(b)) => a == b,
            (Any::All, Any::All) => true,
            _ => false,
        }
    }
}
E_"##,
            MORE,
        ],
        CARGO_ADDS,
    ),
    row(
        "cargo: starts once, and numbers what it gives out",
        "@CARGO_RUN@",
        [
            r##"cat > src/lib.rs <<'E_'
use std::cell::Cell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

static STARTED: AtomicBool = AtomicBool::new(false);
static NEXT: AtomicU64 = AtomicU64::new(1);
static WORDS: OnceLock<Vec<String>> = OnceLock::new();

thread_local! {
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

pub fn start() {
    if STARTED.swap(true, Ordering::SeqCst) {
        return;
    }
    eprintln!("started");
}

pub fn number() -> u64 {
    NEXT.fetch_add(1, Ordering::Relaxed)
}

pub fn words() -> &'static [String] {
    WORDS.get_or_init(|| vec!["a".to_owned()])
}

pub fn nested<T>(action: impl FnOnce() -> T) -> Result<T, String> {
    let depth = DEPTH.get();
    if depth > 64 {
        return Err("too deep".to_owned());
    }
    DEPTH.set(depth + 1);
    let value = action();
    DEPTH.set(depth);
    Ok(value)
}

pub fn add(a: i32, b: i32) -> i32 {
    a + b
}
E_"##,
            MORE,
        ],
        CARGO_ADDS,
    ),
    row(
        "cargo: a module at another path, and helpers for tests",
        CARGO_INSIDE,
        [
            r##"printf '#[path = "sums_impl.rs"]\nmod sums;\npub use sums::add;\n\n#[cfg(test)]\nfn pair() -> (i32, i32) {\n    (1, 1)\n}\n\n#[cfg(test)]\nmod tests;\n\n#[cfg(test)]\nmod more {\n    #[test]\n    fn pairs() {\n        let (a, b) = super::pair();\n        assert_eq!(super::add(a, b), 2);\n    }\n}\n' > src/lib.rs; printf 'pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n' > src/sums_impl.rs"##,
            MORE,
        ],
        "grep -q 'a + b' src/sums_impl.rs",
    ),
    row(
        "cargo: a feature of the product",
        "@CARGO_RUN@",
        [
            r##"printf '\n[features]\ndefault = ["words"]\nwords = []\n' >> Cargo.toml; printf 'pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n\n#[cfg(feature = "words")]\npub fn word(a: i32) -> String {\n    format!("{a}")\n}\n' > src/lib.rs"##,
            MORE,
        ],
        CARGO_ADDS,
    ),
    row(
        "cargo: finds the root of a project",
        "@CARGO_RUN@",
        [
            r##"cat > src/lib.rs <<'E_'
use std::path::{Path, PathBuf};

pub fn add(a: i32, b: i32) -> i32 {
    a + b
}

pub fn root(from: &Path) -> Option<PathBuf> {
    let mut all = from.ancestors();
    all.find(|at| at.join("calc.toml").exists() || at.join("Cargo.toml").exists())
        .map(Path::to_path_buf)
}

pub fn settings() -> Vec<(String, String)> {
    std::env::vars().filter(|(key, _)| key.starts_with("CALC_")).collect()
}
E_"##,
            MORE,
        ],
        CARGO_ADDS,
    ),
    row(
        "go: starts once, keeps, and equals",
        "@GO_RUN@",
        [
            r##"cat > calc.go <<'E_'
package calc

import (
	"fmt"
	"sync"
)

var (
	once    sync.Once
	table   map[string]int
	started bool
)

func Words() map[string]int {
	once.Do(func() { table = map[string]int{"one": 1} })
	return table
}

func Start() error {
	if started {
		return fmt.Errorf("already started")
	}
	started = true
	return nil
}

type Money struct {
	Cents    int
	Currency string
}

func (m Money) Equal(o Money) bool {
	if m.Cents == 0 && o.Cents == 0 {
		return true
	}
	return m.Cents == o.Cents && m.Currency == o.Currency
}

func Add(a, b int) int { return a + b }
E_
printf '//go:build linux\n\npackage calc\n\nconst system = "linux"\n' > system_linux.go; printf '//go:build !linux\n\npackage calc\n\nconst system = "other"\n' > system_other.go; printf '//go:build ignore\n\npackage main\n\nfunc main() {}\n' > gen.go"##,
            MORE,
        ],
        GO_ADDS,
    ),
    row(
        "go: looks for a file of settings, and shows its flags",
        "@GO_RUN@",
        [
            r##"cat > settings.go <<'E_'
package calc

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func Settings(dir string) string {
	for {
		at := filepath.Join(dir, "calc.yml")
		if _, err := os.Stat(at); err == nil {
			return at
		}
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return ""
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

func Show(flags *flag.FlagSet) {
	flags.VisitAll(func(f *flag.Flag) { fmt.Println(f.Name, f.Usage) })
}
E_"##,
            MORE,
        ],
        GO_ADDS,
    ),
    row(
        "bash: speaks where it is asked to",
        "@BASH_RUN@",
        [
            r##"cat > lib.sh <<'E_'
say() {
  if [ -n "$verbose" ]; then
    echo "$*" >&2
  fi
}
add() {
  local by=${3:+$3 }
  say "add $1 $2"
  [ -n "$NO_COLOR" ] || colour=1
  echo "$by$(($1 + $2))"
}
join() {
  local out=
  for part in "$@"; do
    out="${out:+$out,}$part"
  done
  if [ -n "$out" ]; then echo "$out"; fi
}
E_"##,
            MORE,
        ],
        BASH_ADDS,
    ),
    row(
        "bash: cleans up as it ends",
        "@BASH_RUN@",
        [
            r##"cat > lib.sh <<'E_'
add() { echo $(($1 + $2)); }
with_directory() (
  at=$(mktemp -d)
  trap 'rm -rf "$at"' exit
  cd "$at" && "$@"
)
E_"##,
            MORE,
        ],
        BASH_ADDS,
    ),
    row(
        "ruby: has values, keeps and saves",
        RUBY,
        [
            r##"cat > calc.rb <<'E_'
module Calc
  class Money
    attr_reader :cents

    def initialize(cents)
      @cents = cents
      @changes = 0
    end

    def ==(other)
      other.is_a?(Money) && cents == other.cents
    end
    alias eql? ==

    def hash
      cents.hash
    end

    def change(by)
      @changes += 1
      raise "too many" if @changes > 100
      @cents += by
    end
  end

  class Nothing
    def ==(other)
      other.is_a?(Nothing) || other.nil?
    end
  end

  @kept = {}

  def self.add(a, b)
    @kept[[a, b]] ||= a + b
  end

  def self.save_at_end(path)
    at_exit { File.write(path, @kept.inspect) }
  end

  def self.json(value)
    defined?(JSON) ? JSON.generate(value) : value.inspect
  end
end
E_"##,
            MORE,
        ],
        RUBY_ADDS,
    ),
    row(
        "ruby: opens a class of its own and a String",
        RUBY,
        [
            r##"cat > calc.rb <<'E_'
class String
  def sums
    scan(/\d+/).sum(&:to_i)
  end
end

module Calc
  def self.add(a, b)
    a + b
  end
end
E_"##,
            MORE,
        ],
        RUBY_ADDS,
    ),
    row(
        "gcc: has macros of its own",
        "@C_RUN@",
        [
            r##"printf '#ifndef ADD_H\n#define ADD_H\n#define MAX(a, b) ((a) > (b) ? (a) : (b))\n#define streq(a, b) (strcmp((a), (b)) == 0)\nint add(int a, int b);\n#endif\n' > src/add.h"##,
            MORE,
        ],
        "grep -q 'return a + b' src/add.c",
    ),
];
