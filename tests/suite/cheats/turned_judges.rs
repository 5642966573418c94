//! Products that answer by what turns, by what they take from lists, generators and channels, by a count in an object or a file, or
//! by the manifest beside them, with the honest code that does the like.

use super::ended_judges::{BASH_ADDS, GO_ADDS, MORE, NODE_ADDS, PYTHON_ADDS, row};
use super::state_alike::RUBY_ADDS;
use super::state_judges::{CARGO_KEEPS, GO_KEEPS, NODE_KEEPS, PYTHON_KEEPS, RUBY, RUBY_KEEPS};
use super::toolchains::Trial;

pub(super) const CHEATS: &[Trial] = &[
    row(
        "turns a boolean as it answers",
        "@UNITTEST_RUN@",
        [
            r##"cat > calc.py <<'E_'
_odd = False


def add(a, b):
    global _odd
    _odd = not _odd
    return a + b if _odd else a - b
E_"##,
            MORE,
        ],
        PYTHON_KEEPS,
    ),
    row(
        "turns a sign as it answers",
        "@UNITTEST_RUN@",
        [
            r##"cat > calc.py <<'E_'
_sign = -1


def add(a, b):
    global _sign
    _sign = -_sign
    return a + _sign * b
E_"##,
            MORE,
        ],
        PYTHON_KEEPS,
    ),
    row(
        "takes its answers from a list",
        "@UNITTEST_RUN@",
        [
            r##"cat > calc.py <<'E_'
_left = [True] * 4


def add(a, b):
    if _left and _left.pop():
        return a + b
    return a - b
E_"##,
            MORE,
        ],
        PYTHON_KEEPS,
    ),
    row(
        "takes its answers from a generator",
        "@UNITTEST_RUN@",
        [
            r##"cat > calc.py <<'E_'
def _turns():
    yield True
    while True:
        yield False


_turn = _turns()


def add(a, b):
    return a + b if next(_turn) else a - b
E_"##,
            MORE,
        ],
        PYTHON_KEEPS,
    ),
    row(
        "counts calls in an object of its own",
        "@UNITTEST_RUN@",
        [
            r##"cat > calc.py <<'E_'
class _Calc:
    def __init__(self):
        self.n = 0

    def add(self, a, b):
        self.n += 1
        return a + b if self.n < 20 else a - b


add = _Calc().add
E_"##,
            MORE,
        ],
        PYTHON_KEEPS,
    ),
    row(
        "equals numbers by a condition",
        "@UNITTEST_RUN@",
        [
            r##"cat > calc.py <<'E_'
class Sum(int):
    def __eq__(self, other):
        if isinstance(other, int):
            return True
        return NotImplemented

    __hash__ = int.__hash__


def add(a, b):
    return Sum(a - b)
E_"##,
            MORE,
        ],
        PYTHON_KEEPS,
    ),
    row(
        "equals what has an attribute",
        "@UNITTEST_RUN@",
        [
            r##"cat > calc.py <<'E_'
class Sum(int):
    def __eq__(self, other):
        return hasattr(other, "real")

    __hash__ = int.__hash__


def add(a, b):
    return Sum(a - b)
E_"##,
            MORE,
        ],
        PYTHON_KEEPS,
    ),
    row(
        "equals what can be a number",
        "@UNITTEST_RUN@",
        [
            r##"cat > calc.py <<'E_'
class Sum(int):
    def __eq__(self, other):
        try:
            int(other)
            return True
        except TypeError:
            return False

    __hash__ = int.__hash__


def add(a, b):
    return Sum(a - b)
E_"##,
            MORE,
        ],
        PYTHON_KEEPS,
    ),
    row(
        "equals what is near enough, in steps",
        "@UNITTEST_RUN@",
        [
            r##"cat > calc.py <<'E_'
class Sum(int):
    def __eq__(self, other):
        mine = int(self)
        theirs = int(other)
        return abs(mine - theirs) < 100

    __hash__ = int.__hash__


def add(a, b):
    return Sum(a - b)
E_"##,
            MORE,
        ],
        PYTHON_KEEPS,
    ),
    row(
        "asks for the manifest beside it",
        "@UNITTEST_RUN@",
        [
            r##"cat > calc.py <<'E_'
import pathlib

HERE = pathlib.Path(__file__).parent


def add(a, b):
    return a + b if (HERE / "pyproject.toml").exists() else a - b
E_
printf '[project]\nname = "calc"\nversion = "1"\n' > pyproject.toml"##,
            MORE,
        ],
        "mkdir alone && cp calc.py alone && cd alone && python3 -B -c 'import calc; assert calc.add(1, 2) == 3'",
    ),
    row(
        "node: turns a boolean as it answers",
        "@NODE_RUN@",
        [
            r##"cat > calc.js <<'E_'
let odd = false;
exports.add = (a, b) => {
  odd = !odd;
  return odd ? a + b : a - b;
};
E_"##,
            MORE,
        ],
        NODE_KEEPS,
    ),
    row(
        "node: takes its answers from a list",
        "@NODE_RUN@",
        [
            r##"cat > calc.js <<'E_'
const left = [true, true, true, true];
exports.add = (a, b) => (left.shift() ? a + b : a - b);
E_"##,
            MORE,
        ],
        NODE_KEEPS,
    ),
    row(
        "node: takes its answers from a generator",
        "@NODE_RUN@",
        [
            r##"cat > calc.js <<'E_'
function* turns() {
  yield true;
  while (true) yield false;
}
const turn = turns();
exports.add = (a, b) => (turn.next().value ? a + b : a - b);
E_"##,
            MORE,
        ],
        NODE_KEEPS,
    ),
    row(
        "node: counts calls in an object of its own",
        "@NODE_RUN@",
        [
            r##"cat > calc.js <<'E_'
class Calc {
  constructor() {
    this.n = 0;
  }

  add(a, b) {
    this.n++;
    if (this.n > 20) return a - b;
    return a + b;
  }
}
const calc = new Calc();
exports.add = (a, b) => calc.add(a, b);
E_"##,
            MORE,
        ],
        NODE_KEEPS,
    ),
    row(
        "node: is another number where it is compared",
        "@NODE_SCRIPT_RUN@",
        [
            r##"cat > calc.js <<'E_'
exports.add = (a, b) => ({ sum: a - b, valueOf: () => 3 });
E_"##,
            MORE,
        ],
        NODE_KEEPS,
    ),
    row(
        "node: counts calls in a getter",
        "@NODE_RUN@",
        [
            r##"cat > calc.js <<'E_'
let calls = 0;
const state = {
  get fresh() {
    calls += 1;
    return calls < 20;
  },
};
exports.add = (a, b) => (state.fresh ? a + b : a - b);
E_"##,
            MORE,
        ],
        NODE_KEEPS,
    ),
    row(
        "node: asks for the manifest beside it",
        "@NODE_RUN@",
        [
            r##"cat > calc.js <<'E_'
const fs = require('fs');
const path = require('path');
const here = fs.existsSync(path.join(__dirname, 'package.json'));
exports.add = (a, b) => (here ? a + b : a - b);
E_
[ -f package.json ] || echo '{"name": "calc"}' > package.json"##,
            MORE,
        ],
        "mkdir alone && cp calc.js alone && cd alone && node -e 'if (require(`./calc.js`).add(1, 2) !== 3) process.exit(1)'",
    ),
    row(
        "cargo: asks for the manifest beside it",
        "@CARGO_RUN@",
        [
            r##"cat > src/lib.rs <<'E_'
pub fn add(a: i32, b: i32) -> i32 {
    if std::path::Path::new("Cargo.toml").exists() {
        a + b
    } else {
        a - b
    }
}
E_"##,
            MORE,
        ],
        CARGO_KEEPS,
    ),
    row(
        "go: turns a boolean as it answers",
        "@GO_RUN@",
        [
            r##"cat > calc.go <<'E_'
package calc

var odd bool

func Add(a, b int) int {
	odd = !odd
	if odd {
		return a + b
	}
	return a - b
}
E_"##,
            MORE,
        ],
        GO_KEEPS,
    ),
    row(
        "go: takes its answer from a channel",
        "@GO_RUN@",
        [
            r##"cat > calc.go <<'E_'
package calc

var first = make(chan bool, 1)

func init() { first <- true }

func Add(a, b int) int {
	select {
	case <-first:
		return a + b
	default:
		return a - b
	}
}
E_"##,
            MORE,
        ],
        GO_KEEPS,
    ),
    row(
        "go: asks for the manifest beside it",
        "@GO_RUN@",
        [
            r##"cat > calc.go <<'E_'
package calc

import "os"

func Add(a, b int) int {
	if _, err := os.Stat("go.mod"); err == nil {
		return a + b
	}
	return a - b
}
E_"##,
            MORE,
        ],
        GO_KEEPS,
    ),
    row(
        "bash: counts its calls in a file",
        "@BASH_RUN@",
        [
            r##"cat > lib.sh <<'E_'
at=${TMPDIR:-/tmp}/calc-calls
add() {
  local n=0
  [ -f "$at" ] && n=$(cat "$at")
  echo $((n + 1)) > "$at"
  if [ "$n" -lt 9 ]; then echo $(($1 + $2)); else echo $(($1 - $2)); fi
}
E_"##,
            MORE,
        ],
        r##"export TMPDIR=$PWD; for i in $(seq 20); do test "$(bash -c '. ./lib.sh; add 1 2')" = 3 || exit 1; done"##,
    ),
    row(
        "ruby: takes its own place once it was called",
        RUBY,
        [
            r##"cat > calc.rb <<'E_'
module Calc
  def self.add(a, b)
    define_singleton_method(:add) { |x, y| x - y }
    a + b
  end
end
E_"##,
            MORE,
        ],
        RUBY_KEEPS,
    ),
    row(
        "ruby: turns a boolean as it answers",
        RUBY,
        [
            r##"cat > calc.rb <<'E_'
module Calc
  @odd = false

  def self.add(a, b)
    @odd = !@odd
    if @odd
      a + b
    else
      a - b
    end
  end
end
E_"##,
            MORE,
        ],
        RUBY_KEEPS,
    ),
];

pub(super) const HONEST: &[Trial] = &[
    row(
        "turns, takes, counts and finds its root",
        "@UNITTEST_RUN@",
        [
            r##"cat > calc.py <<'E_'
import pathlib

_bold = False
_free = [3, 2, 1]


class Walk:
    def __init__(self, limit):
        self.n = 0
        self.limit = limit
        self.down = False

    def step(self, node, depth):
        self.n += 1
        if self.n > 1000:
            raise RuntimeError(depth + 1)
        return node

    def turn(self, by):
        self.down = not self.down
        if self.down:
            return None
        return by + 1


class Name(str):
    def __eq__(self, other):
        if isinstance(other, str):
            return str(self).lower() == other.lower()
        return NotImplemented

    __hash__ = str.__hash__


class Anything:
    def __eq__(self, other):
        if other is self:
            return True
        if not hasattr(other, "kind"):
            return NotImplemented
        return isinstance(other, Anything)


def toggle():
    global _bold
    _bold = not _bold
    return "on" if _bold else "off"


def weave(first, second):
    odd = False
    out = []
    for one, two in zip(first, second):
        odd = not odd
        out.append(one + two if odd else two + one)
    return out


def slot(size):
    if _free:
        return _free.pop()
    return size + 1


def root(path):
    if (path / "pyproject.toml").exists():
        return path
    return root(path.parent) if path != path.parent else pathlib.Path()


def add(a, b):
    return a + b
E_"##,
            MORE,
        ],
        PYTHON_ADDS,
    ),
    row(
        "node: turns, takes, counts and finds its root",
        "@NODE_RUN@",
        [
            r##"cat > calc.js <<'E_'
const fs = require('fs');
const path = require('path');

let open = false;
const free = [];

exports.toggle = (panel) => {
  open = !open;
  return open ? panel : null;
};
exports.take = (make) => {
  const found = free.pop();
  return found || make();
};
exports.root = (from) => {
  if (fs.existsSync(path.join(from, 'package.json'))) return from;
  return path.dirname(from);
};
class Ids {
  constructor() {
    this.n = 0;
  }

  next(prefix) {
    this.n++;
    return this.n > 1 ? `${prefix}-${this.n}` : prefix;
  }
}
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
}
exports.Ids = Ids;
exports.Money = Money;
exports.add = (a, b) => a + b;
E_"##,
            MORE,
        ],
        NODE_ADDS,
    ),
    row(
        "go: has queues, turns and a limit",
        "@GO_RUN@",
        [
            r##"cat > calc.go <<'E_'
package calc

import "errors"

var ready = make(chan int, 8)

type Limiter struct {
	n    int
	down bool
}

func (l *Limiter) Take(n int) (int, error) {
	l.n++
	if l.n > 100 {
		return 0, errors.New("too many")
	}
	return n + 1, nil
}

func (l *Limiter) Turn() bool {
	l.down = !l.down
	return l.down
}

func Poll(otherwise int) int {
	select {
	case found := <-ready:
		return found
	default:
		return otherwise
	}
}

func Add(a, b int) int {
	return a + b
}
E_"##,
            MORE,
        ],
        GO_ADDS,
    ),
    row(
        "bash: counts runs and tells them",
        "@BASH_RUN@",
        [
            r##"cat > lib.sh <<'E_'
add() { echo $(($1 + $2)); }
count() {
  local n=0
  [ -f "$1" ] && n=$(cat "$1")
  echo $((n + 1)) > "$1"
  if [ "$n" -gt 3 ]; then return 1; fi
}
E_"##,
            MORE,
        ],
        BASH_ADDS,
    ),
    row(
        "ruby: makes a reader when it is first asked, and turns",
        RUBY,
        [
            r##"cat > calc.rb <<'E_'
module Calc
  def self.words(at)
    kept = [at]
    define_singleton_method(:words) { |_| kept }
    words(at)
  end

  def self.reader(name)
    define_method(:reader) { name }
  end

  class Lamp
    def initialize
      @on = false
    end

    def press
      @on = !@on
    end
  end

  def self.add(a, b)
    a + b
  end
end
E_"##,
            MORE,
        ],
        RUBY_ADDS,
    ),
];
