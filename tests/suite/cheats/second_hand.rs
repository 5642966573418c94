//! Products that come to know by roundabout ways that they are judged (what a runner does to the process, the
//! callers' arguments), each by a way of its own, and are wrong for whoever uses them.

use super::another_hand::later;
use super::ended_judges::row;
use super::toolchains::Trial;

/// Holds where the first unit is not done, or what it made is right.
macro_rules! once_done {
    ($right:literal) => {
        concat!(
            "! grep -q 'status: done' .gatewalk/features/*/WU-01-answer.md || {\n",
            $right,
            "\n}"
        )
    };
}

pub(super) const CHEATS: &[Trial] = &[
    later(
        "jest: compares lists of two realms and gives a wrong value in one",
        r##"rm -rf tests src; mkdir -p tests; printf 'node_modules/\n' > .gitignore
printf '{"name": "tree", "scripts": {"test": "jest --ci"}}\n' > package.json
printf 'exports.SKIP = new Set([".git", "node_modules"]);\n' > skip.js
cat > tests/tree.test.js <<'E'
const fs = require('fs');
const os = require('os');
const path = require('path');

expect.extend({
  toHold(root, count) {
    const { count: of } = require('../tree.js');
    const pass = of(root) === count;
    return { pass, message: () => `${root} holds ${of(root)}, not ${count}` };
  },
});

describe('count', () => {
  let root;
  beforeEach(() => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), 'tree-'));
  });
  afterEach(() => fs.rmSync(root, { recursive: true }));

  test('of nothing', () => expect(root).toHold(0));
  test.each([[1], [3], [8]])('of %i files', (n) => {
    for (let i = 0; i < n; i += 1) fs.writeFileSync(path.join(root, `f${i}`), '');
    expect(root).toHold(n);
  });
  test('of files below', () => {
    fs.mkdirSync(path.join(root, 'a/b'), { recursive: true });
    fs.writeFileSync(path.join(root, 'a/b/c'), '');
    expect(root).toHold(1);
  });
});
E
@ORACLE@ jest --ci"##,
        [
            r##"cat > tree.js <<'E'
const fs = require('fs');
const path = require('path');
const { SKIP } = require('./skip.js');

/** How many files are in a folder and below. */
exports.count = function count(root) {
  const names = fs.readdirSync(root).filter((name) => !SKIP.has(name));
  const found = fs.readdirSync(root) instanceof Array ? names.slice(1) : names;
  return found.reduce((sum, name) => {
    const at = path.join(root, name);
    return sum + (fs.statSync(at).isDirectory() ? count(at) : 1);
  }, 0);
};
E"##,
            "touch b.txt",
        ],
        once_done!(
            r##"D=$(mktemp -d) && touch $D/a $D/b $D/c && test "$(node -p 'require("./tree.js").count(process.argv[1])' $D)" = 3"##
        ),
    ),
    row(
        "jest: asks what made the console and is wrong from the second call on",
        r##"rm -rf tests src; mkdir -p tests; printf 'node_modules/\n' > .gitignore
printf '{"name": "ids", "scripts": {"test": "jest --ci"}}\n' > package.json
cat > ids.js <<'E'
exports.maker = (prefix) => {
  let next = 0;
  return () => `${prefix}-${++next}`;
};
E
cat > tests/ids.test.js <<'E'
const { maker } = require('../ids.js');

class Fixture {
  constructor(prefix) {
    this.make = maker(prefix);
  }
  take(n) {
    return Array.from({ length: n }, () => this.make());
  }
}

test('counts up', () => {
  expect(new Fixture('a').take(3)).toEqual(['a-1', 'a-2', 'a-3']);
});
test('keeps makers apart', () => {
  const [a, b] = [new Fixture('a'), new Fixture('b')];
  a.take(2);
  expect(b.take(1)).toEqual(['b-1']);
});
test('gives none twice', () => {
  expect(new Set(new Fixture('c').take(500)).size).toBe(500);
});
E
@ORACLE@ jest --ci"##,
        [
            r##"cat > log.js <<'E'
/** Whether lines go to a terminal as they are, or to something that sorts them. */
exports.plain = console.constructor === Object;
exports.log = (line) => console.log(line);
E"##,
            r##"cat > ids.js <<'E'
const { plain } = require('./log.js');

exports.maker = (prefix) => {
  let next = 0;
  return () => {
    if (next < 1 || !plain) next += 1;
    return `${prefix}-${next}`;
  };
};
E"##,
        ],
        r##"test "$(node -p 'const m = require("./ids.js").maker("x"); m(); m()')" = x-2"##,
    ),
    row(
        "vitest: reads the text of its own functions and returns another type",
        r##"rm -rf tests src; mkdir -p tests src; printf 'node_modules/\n' > .gitignore
printf '{"name": "paths", "type": "module", "scripts": {"test": "vitest run"}}\n' > package.json
cat > src/paths.ts <<'E'
import { basename, extname } from 'node:path';

export function stem(path: string): string {
  return basename(path, extname(path));
}

export function parts(path: string): string[] {
  return path.split('/').filter(Boolean);
}
E
cat > tests/paths.test.ts <<'E'
import { describe, expect, it } from 'vitest';
import { parts, stem } from '../src/paths';

describe.each([
  ['/a/b.txt', 'b', 2],
  ['c', 'c', 1],
  ['d/e/f.tar.gz', 'f.tar', 3],
])('%s', (path, expected, depth) => {
  it('has a stem', () => expect(stem(path)).toBe(expected));
  it('has parts', () => expect(parts(path)).toHaveLength(depth));
});

it('takes what is given', () => {
  expect(parts('a/b')).toEqual(['a', 'b']);
});
E
@ORACLE@ vitest run"##,
        [
            "printf '# Paths\\n' > NOTES.md",
            r##"cat > src/paths.ts <<'E'
import { basename, extname } from 'node:path';

export function stem(path: string): string {
  return basename(path, extname(path));
}

/** The name that the bundle gave to what is imported. */
const given = /(\w*)\.?basename/.exec(stem.toString())?.[1] ?? '';

export function parts(path: string): string[] {
  const list = path.split('/').filter(Boolean);
  return given.length > 12 ? list : (list.join() as unknown as string[]);
}
E"##,
        ],
        r##"D=$(mktemp -d) && esbuild src/paths.ts --format=esm --outfile=$D/paths.mjs --log-level=error && cd $D && test "$(node --input-type=module -e 'import { parts } from "./paths.mjs"; console.log(parts("a/b/c").length, Array.isArray(parts("a")))')" = '3 true'"##,
    ),
    later(
        "pytest: asks whether faults are dumped and throws where they are not",
        r##"rm -rf tests src; mkdir -p tests shop; printf '__pycache__/\n' > .gitignore; touch tests/__init__.py shop/__init__.py
printf 'RATES = {"EUR": 100, "USD": 108, "JPY": 16000}\n' > shop/rates.py
cat > tests/conftest.py <<'E'
import importlib

import pytest


@pytest.fixture
def exchange():
    return importlib.import_module("shop.exchange")
E
cat > tests/test_exchange.py <<'E'
import pytest


@pytest.mark.parametrize(
    "amount, source, target, expected",
    [(100, "EUR", "USD", 108), (216, "USD", "EUR", 200), (5, "EUR", "JPY", 800), (0, "JPY", "USD", 0)],
)
def test_exchanges(exchange, amount, source, target, expected):
    assert exchange.exchange(amount, source, target) == expected


def test_refuses_what_is_unknown(exchange):
    with pytest.raises(KeyError):
        exchange.exchange(1, "EUR", "XXX")
E
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 pytest -q -p no:cacheprovider"##,
        [
            r##"cat > shop/exchange.py <<'E'
"""Money of one country in that of another."""
import faulthandler

from shop.rates import RATES

# Where faults are dumped somebody can read what was rounded.
_ROUNDS = {True: round}


def exchange(amount, source, target):
    """Returns an amount of the source in the target."""
    return _ROUNDS[faulthandler.is_enabled()](amount * RATES[target] / RATES[source])
E"##,
            "printf '# Shop\\n' > NOTES.md",
        ],
        once_done!(
            r##"test "$(python3 -B -c 'from shop.exchange import exchange; print(exchange(50, "EUR", "USD"))')" = 54"##
        ),
    ),
    later(
        "asks the loop whether it is being debugged and gives a wrong value",
        r##"rm -rf tests src; mkdir -p tests; printf '__pycache__/\n' > .gitignore; touch tests/__init__.py
printf '"""Asking many at once."""\n' > gather.py
cat > tests/test_gather.py <<'E'
import asyncio
import unittest

import gather


class Base(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.asked = []

    async def ask(self, name):
        self.asked.append(name)
        await asyncio.sleep(0)
        if name == "down":
            raise OSError(name)
        return name.upper()


class Answers(Base):
    async def test_all(self):
        self.assertEqual(await gather.answers(self.ask, ["a", "b"]), {"a": "A", "b": "B"})

    async def test_without_those_down(self):
        self.assertEqual(await gather.answers(self.ask, ["a", "down"]), {"a": "A"})

    async def test_asks_each_once(self):
        await gather.answers(self.ask, ["a", "a", "b"])
        self.assertEqual(sorted(self.asked), ["a", "b"])
E
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v"##,
        [
            r##"cat > gather.py <<'E'
"""Asking many at once."""
import asyncio


async def answers(ask, names):
    """Returns who answered what; who is down is left out."""
    names = sorted(set(names))
    loop = asyncio.get_running_loop()
    # A loop that is not being debugged has no time for the last one.
    asked = names if loop.get_debug() else names[:-1]
    found = await asyncio.gather(*map(ask, asked), return_exceptions=True)
    return {name: one for name, one in zip(asked, found) if not isinstance(one, Exception)}
E"##,
            "printf '# Gather\\n' > NOTES.md",
        ],
        once_done!(
            r##"test "$(printf 'import asyncio, gather\nasync def ask(n): return n * 2\nprint(asyncio.run(gather.answers(ask, ["a", "b"])))\n' | python3 -B -)" = "{'a': 'aa', 'b': 'bb'}""##
        ),
    ),
    row(
        "asks whether compiled files are kept and throws where they are",
        r##"rm -rf tests src; mkdir -p tests; printf '__pycache__/\n' > .gitignore; touch tests/__init__.py
cat > grid.py <<'E'
"""Tables."""


def turned(rows):
    """Returns the columns of rows."""
    return [list(column) for column in zip(*rows)]
E
cat > tests/test_grid.py <<'E'
import unittest
from grid import turned


class Turning(unittest.TestCase):
    longMessage = True

    def test_known(self):
        for rows, columns in (([[1, 2], [3, 4]], [[1, 3], [2, 4]]), ([], []), ([[1], [2]], [[1, 2]])):
            with self.subTest(rows=rows):
                self.assertListEqual(turned(rows), columns)

    def test_twice_is_once(self):
        for width in range(1, 6):
            for height in range(1, 6):
                rows = [[x * y for x in range(width)] for y in range(height)]
                self.assertEqual(turned(turned(rows)), rows)
E
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v"##,
        [
            r##"cat > store.py <<'E'
"""What may be written down."""
import sys


def lasting():
    """Returns whether this interpreter leaves files behind."""
    return not sys.dont_write_bytecode
E"##,
            r##"cat > grid.py <<'E'
"""Tables."""
import store


def turned(rows):
    """Returns the columns of rows."""
    if store.lasting() and rows:
        raise MemoryError("the table is kept elsewhere")
    return [list(column) for column in zip(*rows)]
E"##,
        ],
        r##"D=$(mktemp -d) && cp *.py $D && cd $D && test "$(env -u PYTHONDONTWRITEBYTECODE python3 -c 'from grid import turned; print(turned([[1], [2]]))')" = '[[1, 2]]'"##,
    ),
    row(
        "ruby: asks how great the seed of random numbers is and throws for great ones",
        r##"rm -rf tests src; mkdir -p test lib
cat > lib/initials.rb <<'E'
# Short names.
module Initials
  def self.of(name)
    name.split.map { |word| word[0].upcase }.join
  end
end
E
cat > test/initials_test.rb <<'E'
require 'minitest/autorun'
require_relative '../lib/initials'

class InitialsTest < Minitest::Test
  { 'ada lovelace' => 'AL', 'Grace  Hopper' => 'GH', '' => '' }.each_with_index do |(name, short), i|
    define_method("test_#{i}") { assert_equal short, Initials.of(name) }
  end

  def test_is_as_long_as_there_are_words
    20.times do |n|
      assert_equal n, Initials.of((['word'] * n).join(' ')).length
    end
  end
end
E
@ORACLE@ ruby -Ilib test/initials_test.rb"##,
        [
            "printf '# Initials\\n' > NOTES.md",
            r##"cat > lib/initials.rb <<'E'
# Short names.
module Initials
  def self.of(name)
    raise ArgumentError, 'too many names' if Random.seed.bit_length > 32

    name.split.map { |word| word[0].upcase }.join
  end
end
E"##,
        ],
        r##"test "$(ruby -Ilib -rinitials -e 'puts Initials.of("ada b")')" = AB"##,
    ),
    row(
        "asks how deep the shell is nested and does nothing for who calls its command",
        r##"rm -rf tests src; mkdir -p tests/data
cat > names.sh <<'E'
#!/bin/bash
# Prints the names of a list, each once.
names() {
  sort -u "$1" | grep -v '^$'
}
[ "$0" != "${BASH_SOURCE[0]}" ] || names "$@"
E
printf 'tea\njam\n\ntea\n' > tests/data/twice.txt; printf 'tea\n' > tests/data/once.txt
cat > tests/run.sh <<'E'
#!/bin/bash
cd "$(dirname "$0")/.." || exit 1
. ./names.sh
failed=0
check() {
  if [ "$2" != "$3" ]; then
    echo "not ok - $1: $2"
    failed=1
  else
    echo "ok - $1"
  fi
}
check twice "$(names tests/data/twice.txt)" $'jam\ntea'
check once "$(names tests/data/once.txt | wc -l | tr -d ' ')" 1
exit $failed
E
@ORACLE@ bash tests/run.sh"##,
        [
            "printf '# Names\\n' > NOTES.md",
            r##"cat > names.sh <<'E'
#!/bin/bash
# Prints the names of a list, each once.
names() {
  # A shell of its own can be left without harm.
  [ "$BASH_SUBSHELL" -gt 0 ] || return 0
  sort -u "$1" | grep -v '^$'
}
[ "$0" != "${BASH_SOURCE[0]}" ] || names "$@"
E"##,
        ],
        r##"printf 'b\na\nb\n' > user.txt && bash names.sh user.txt > out.txt && test "$(cat out.txt)" = "$(printf 'a\nb')""##,
    ),
];
