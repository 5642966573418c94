//! The products, with tests of many styles, that rows of `another_hand` begin from, by the names that they have there.

pub(super) const BASES: &[(&str, &str)] = &[
    (
        "@NODE_SPEC@",
        r#"rm -rf tests src
mkdir -p tests
cat > .gitignore <<'E'
node_modules/
E
cat > package.json <<'E'
{"name": "it", "private": true, "scripts": {"test": "node --test tests/"}}
E
cat > duration.js <<'E'
const UNITS = { h: 3600, m: 60, s: 1 };

exports.parse = (text) =>
  text.trim().split(/\s+/).reduce((sum, part) => sum + parseInt(part, 10) * UNITS[part.at(-1)], 0);
E
cat > tests/duration.test.js <<'E'
const { describe, it, beforeEach } = require('node:test');
const assert = require('node:assert/strict');
const { parse } = require('../duration.js');

describe('durations', () => {
  let table;
  beforeEach(() => {
    table = { '1h 5m': 3900, '90s': 90 };
  });

  it('sums what is named', () => {
    for (const [text, seconds] of Object.entries(table)) assert.equal(parse(text), seconds);
  });

  it('takes blanks at the ends', () => {
    assert.equal(parse('  2m 2s '), 122);
  });
});
E
@ORACLE@ node --test tests/"#,
    ),
    (
        "@NODE_SUB@",
        r#"rm -rf tests src
mkdir -p tests
cat > .gitignore <<'E'
node_modules/
E
cat > package.json <<'E'
{"name": "it", "private": true, "scripts": {"test": "node --test tests/"}}
E
cat > slug.js <<'E'
exports.slug = (title) => title.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
exports.unslug = (slug) => slug.split('-').join(' ');
E
cat > tests/slug.test.js <<'E'
const test = require('node:test');
const assert = require('node:assert');
const { slug } = require('../slug');

test('slugs', async (t) => {
  await t.test('joins words', () => {
    assert.strictEqual(slug('Hello, World'), 'hello-world');
  });
  await t.test('trims', async (t) => {
    await t.test('in front', () => assert.strictEqual(slug('- a'), 'a'));
    await t.test('behind', () => assert.strictEqual(slug('a !'), 'a'));
  });
});
E
cat > tests/unslug.test.js <<'E'
const test = require('node:test');
const assert = require('node:assert');
const { unslug } = require('../slug');

test('reads a slug back', (t) => {
  assert.deepStrictEqual(['a-b', 'a'].map(unslug), ['a b', 'a']);
});
E
@ORACLE@ node --test tests/"#,
    ),
    (
        "@NODE_SRC@",
        r#"rm -rf tests src
mkdir -p src
cat > .gitignore <<'E'
node_modules/
E
cat > package.json <<'E'
{"name": "it", "private": true, "scripts": {"test": "node --test src/"}}
E
cat > src/roman.js <<'E'
const STEPS = [['X', 10], ['IX', 9], ['V', 5], ['IV', 4], ['I', 1]];

function roman(n) {
  let out = '';
  for (const [sign, value] of STEPS) while (n >= value) (out += sign), (n -= value);
  return out;
}

module.exports = { roman };
E
cat > src/roman.test.js <<'E'
const assert = require('assert');
const test = require('node:test');
const { roman } = require('./roman');

const known = ['', 'I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X', 'XI'];
known.forEach((text, n) => test(`writes ${n}`, () => assert.equal(roman(n), text)));
E
@ORACLE@ node --test src/"#,
    ),
    (
        "@NODE_ESM@",
        r#"rm -rf tests src
mkdir -p src tests
cat > .gitignore <<'E'
node_modules/
E
cat > package.json <<'E'
{"name": "it", "private": true, "type": "module", "scripts": {"test": "node --test tests/"}}
E
cat > src/lru.js <<'E'
export class Lru {
  #kept = new Map();
  constructor(size) {
    this.size = size;
  }
  get(key) {
    if (!this.#kept.has(key)) return undefined;
    const value = this.#kept.get(key);
    this.#kept.delete(key);
    this.#kept.set(key, value);
    return value;
  }
  set(key, value) {
    this.#kept.delete(key);
    this.#kept.set(key, value);
    if (this.#kept.size > this.size) this.#kept.delete(this.#kept.keys().next().value);
  }
}
E
cat > tests/lru.test.js <<'E'
import test from 'node:test';
import { ok, equal } from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';

const { Lru } = await import('../src/lru.js');

test('keeps what was used last', async () => {
  const lru = new Lru(2);
  lru.set('a', 1);
  lru.set('b', 2);
  equal(lru.get('a'), 1);
  await turn();
  lru.set('c', 3);
  equal(lru.get('b'), undefined);
  ok(lru.get('a'));
});
E
@ORACLE@ node --test tests/"#,
    ),
    (
        "@JEST_EACH@",
        r#"rm -rf tests src
mkdir -p tests
cat > .gitignore <<'E'
node_modules/
E
cat > package.json <<'E'
{"name": "it", "private": true, "scripts": {"test": "jest --ci"}}
E
cat > money.js <<'E'
const { places } = require('./settings');

exports.format = (cents) => `${cents < 0 ? '-' : ''}${(Math.abs(cents) / 100).toFixed(places)}`;
exports.total = (list) => list.reduce((sum, one) => sum + one, 0);
E
cat > settings.js <<'E'
exports.places = 2;
E
cat > tests/money.test.js <<'E'
const money = require('../money');

describe('money', () => {
  test.each([
    [0, '0.00'],
    [5, '0.05'],
    [1234, '12.34'],
    [-99, '-0.99'],
  ])('writes %i as %s', (cents, text) => {
    expect(money.format(cents)).toBe(text);
  });

  it.each`
    list         | sum
    ${[]}        | ${0}
    ${[1, 2, 3]} | ${6}
  `('adds $list', ({ list, sum }) => {
    expect(money.total(list)).toEqual(sum);
  });
});
E
@ORACLE@ jest --ci"#,
    ),
    (
        "@JEST_SRC@",
        r#"rm -rf tests src
mkdir -p src/queue
cat > .gitignore <<'E'
node_modules/
E
cat > package.json <<'E'
{"name": "it", "private": true, "scripts": {"test": "jest"}}
E
cat > src/queue/index.js <<'E'
module.exports = class Queue {
  constructor() {
    this.items = [];
  }
  put(item, priority = 0) {
    this.items.push({ item, priority });
    this.items.sort((a, b) => b.priority - a.priority);
    return this;
  }
  take() {
    return this.items.shift()?.item;
  }
};
E
cat > src/queue/queue.spec.js <<'E'
const Queue = require('.');

let queue;
beforeEach(() => {
  queue = new Queue();
});

test('gives back in order', () => {
  queue.put('a').put('b');
  expect([queue.take(), queue.take(), queue.take()]).toEqual(['a', 'b', undefined]);
});

test('gives what matters first', () => {
  queue.put('a').put('b', 2);
  expect(queue.take()).toBe('b');
});
E
@ORACLE@ jest"#,
    ),
    (
        "@JEST_TWO@",
        r#"rm -rf tests src
mkdir -p __tests__ lib
cat > .gitignore <<'E'
node_modules/
E
cat > package.json <<'E'
{"name": "it", "private": true, "scripts": {"test": "jest --ci --silent"}}
E
cat > lib/template.js <<'E'
function fill(text, values) {
  return text.replace(/{(\w+)}/g, (_, name) => values[name] ?? '');
}
function escape(text) {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
}
module.exports = { fill, escape };
E
cat > __tests__/fill.js <<'E'
const { fill } = require('../lib/template');

describe('fill', () => {
  let values = null;
  beforeAll(() => {
    values = { name: 'Ada' };
  });
  afterAll(() => {
    values = null;
  });

  it('puts in what is named', () => {
    expect(fill('Hello {name}', values)).toMatch(/^Hello Ada$/);
  });
  it('puts in nothing for what is not', async () => {
    await expect(Promise.resolve(fill('{a}{b}', {}))).resolves.toBe('');
  });
});
E
cat > __tests__/escape.js <<'E'
const { escape } = require('../lib/template');

it('escapes', () => expect(escape('a < b & c')).toBe('a &lt; b &amp; c'));
E
@ORACLE@ jest --ci --silent"#,
    ),
    (
        "@VITEST_TS@",
        r#"rm -rf tests src
mkdir -p src
cat > .gitignore <<'E'
node_modules/
E
cat > package.json <<'E'
{"name": "it", "private": true, "type": "module", "scripts": {"test": "vitest run"}}
E
cat > src/range.ts <<'E'
export function* range(from: number, to: number, step = 1): Generator<number> {
  for (let at = from; at < to; at += step) yield at;
}

export const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));
E
cat > src/range.test.ts <<'E'
import { describe, expect, it, test } from 'vitest';
import { clamp, range } from './range';

describe('range', () => {
  it('counts', () => {
    expect([...range(0, 3)]).toEqual([0, 1, 2]);
  });
  it('counts by steps', () => {
    expect(Array.from(range(1, 8, 3))).toStrictEqual([1, 4, 7]);
  });
});

test.each([
  [5, 5],
  [-1, 0],
  [11, 10],
])('clamps %i to %i', (value, clamped) => {
  expect(clamp(value, 0, 10)).toBe(clamped);
});
E
@ORACLE@ vitest run"#,
    ),
    (
        "@VITEST_MJS@",
        r#"rm -rf tests src
mkdir -p lib test
cat > .gitignore <<'E'
node_modules/
E
cat > package.json <<'E'
{"name": "it", "private": true, "type": "module", "scripts": {"test": "vitest run"}}
E
cat > vitest.config.js <<'E'
export default { test: { globals: true, include: ['test/**/*.check.mjs'] } };
E
cat > lib/tally.mjs <<'E'
let counts = new Map();

export const count = (word) => counts.set(word, (counts.get(word) ?? 0) + 1).get(word);
export const top = () => [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
export const reset = () => {
  counts = new Map();
};
E
cat > test/tally.check.mjs <<'E'
import * as tally from '../lib/tally.mjs';

describe('tally', () => {
  beforeEach(() => {
    tally.reset();
  });

  it('counts', () => {
    expect(tally.count('a')).toBe(1);
    expect(tally.count('a')).toBe(2);
  });

  it('knows the most frequent', () => {
    ['a', 'b', 'b'].forEach(tally.count);
    expect(tally.top()).toBe('b');
  });
});
E
@ORACLE@ vitest run"#,
    ),
    (
        "@MOCHA_BDD@",
        r#"rm -rf tests src
mkdir -p test test/support
cat > .gitignore <<'E'
node_modules/
E
cat > package.json <<'E'
{"name": "it", "private": true, "scripts": {"test": "mocha"}}
E
cat > index.js <<'E'
exports.wrap = function wrap(text, width) {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.length - 1;
    const joined = lines[last] ? lines[last] + ' ' + word : word;
    if (joined.length > width && lines[last]) lines.push(word);
    else lines[last] = joined;
  }
  return lines;
};
E
cat > test/support/should.js <<'E'
const assert = require('assert');

// As much of an assertion language as is wanted here.
module.exports = (value) => ({
  to: {
    eql: (other) => assert.deepStrictEqual(value, other),
    be: { at: { most: (n) => assert.ok(value <= n) } },
  },
});
E
cat > test/wrap.js <<'E'
const expect = require('./support/should');
const { wrap } = require('..');

describe('wrap', function () {
  it('breaks between words', function () {
    expect(wrap('one two three', 7)).to.eql(['one two', 'three']);
  });

  it('keeps within the width', function () {
    for (const line of wrap('a bb ccc dddd', 5)) expect(line.length).to.be.at.most(5);
  });
});
E
@ORACLE@ mocha"#,
    ),
    (
        "@MOCHA_TDD@",
        r#"rm -rf tests src
mkdir -p lib spec
cat > .gitignore <<'E'
node_modules/
E
cat > package.json <<'E'
{"name": "it", "private": true, "scripts": {"test": "mocha --ui tdd spec"}}
E
cat > lib/retry.js <<'E'
async function retry(times, task) {
  let last;
  for (let turn = 1; turn <= times; turn++) {
    try {
      return await task(turn);
    } catch (error) {
      last = error;
    }
  }
  throw last;
}

module.exports = { retry };
E
cat > spec/retry.spec.js <<'E'
const { strictEqual, rejects } = require('assert');
const { retry } = require('../lib/retry');

suite('retry', () => {
  let calls;
  setup(() => {
    calls = 0;
  });

  test('gives back what comes at last', async () => {
    const got = await retry(3, async (turn) => {
      calls += 1;
      if (turn < 3) throw new Error('not yet');
      return turn;
    });
    strictEqual(got, 3);
    strictEqual(calls, 3);
  });

  test('gives up', () => rejects(retry(2, () => Promise.reject(new Error('never'))), /never/));

  test('is done when the first is', (done) => {
    retry(1, () => 'ok').then((value) => done(value === 'ok' ? undefined : new Error(value)));
  });
});
E
@ORACLE@ mocha --ui tdd spec"#,
    ),
    (
        "@PYTEST_PARAM@",
        r#"rm -rf tests src
mkdir -p tests
cat > .gitignore <<'E'
__pycache__/
.pytest_cache/
E
cat > roman.py <<'E'
STEPS = ((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))


def roman(number):
    out = ""
    for value, sign in STEPS:
        while number >= value:
            out += sign
            number -= value
    return out
E
cat > tests/conftest.py <<'E'
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
E
cat > tests/test_roman.py <<'E'
import pytest

from roman import roman


@pytest.mark.parametrize(
    "number, text",
    [(1, "I"), (4, "IV"), (9, "IX"), (14, "XIV"), pytest.param(19, "XIX", id="nineteen")],
)
def test_roman(number, text):
    assert roman(number) == text


def test_nothing():
    assert not roman(0)
E
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 pytest -q -p no:cacheprovider"#,
    ),
    (
        "@PYTEST_CLASS@",
        r#"rm -rf tests src
mkdir -p ledger tests/unit
cat > .gitignore <<'E'
__pycache__/
.pytest_cache/
E
cat > pytest.ini <<'E'
[pytest]
pythonpath = .
testpaths = tests
E
cat > ledger/__init__.py <<'E'
from .book import Book

__all__ = ["Book"]
E
cat > ledger/book.py <<'E'
class Book:
    def __init__(self):
        self.entries = []

    def post(self, account, amount):
        if not amount:
            raise ValueError("nothing to post")
        self.entries.append((account, amount))

    def balance(self, account):
        return sum(amount for name, amount in self.entries if name == account)
E
cat > tests/unit/test_book.py <<'E'
import pytest

from ledger import Book


class TestBook:
    def setup_method(self):
        self.book = Book()

    def test_balance_of_one(self):
        self.book.post("tea", 3)
        self.book.post("tea", -1)
        assert self.book.balance("tea") == 2

    def test_balance_of_others(self):
        self.book.post("jam", 3)
        assert self.book.balance("tea") == 0, "an entry of another account"

    def test_nothing(self):
        with pytest.raises(ValueError, match="nothing"):
            self.book.post("tea", 0)
E
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 pytest -q -p no:cacheprovider"#,
    ),
    (
        "@PYTEST_FIX@",
        r#"rm -rf tests src
cat > .gitignore <<'E'
__pycache__/
.pytest_cache/
E
cat > conftest.py <<'E'
import pytest

import words


@pytest.fixture
def story(tmp_path):
    path = tmp_path / "story.txt"
    path.write_text("the cat and the dog\n")
    return path


@pytest.fixture(autouse=True, scope="session")
def fresh():
    words.count.cache_clear()
    yield
E
cat > words.py <<'E'
import collections
import functools


@functools.lru_cache
def count(text):
    return collections.Counter(text.split())


def of(path):
    with open(path) as file:
        return count(file.read())
E
cat > test_words.py <<'E'
import words


def test_counts(story):
    assert words.of(story)["the"] == 2


def test_knows_no_other(story):
    found = words.of(story)
    assert found["mouse"] == 0
    assert sorted(found) == ["and", "cat", "dog", "the"]
E
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 pytest -q -p no:cacheprovider"#,
    ),
    (
        "@UNIT_SETUP@",
        r#"rm -rf tests src
mkdir -p tests
cat > .gitignore <<'E'
__pycache__/
.pytest_cache/
E
: > tests/__init__.py
cat > basket.py <<'E'
class Basket:
    def __init__(self):
        self.lines = {}

    def add(self, name, price, count=1):
        old = self.lines.get(name, (price, 0))
        self.lines[name] = (price, old[1] + count)

    def total(self):
        return sum(price * count for price, count in self.lines.values())
E
cat > tests/test_basket.py <<'E'
import unittest

from basket import Basket


class BasketTest(unittest.TestCase):
    def setUp(self):
        self.basket = Basket()
        self.addCleanup(self.basket.lines.clear)

    def test_is_empty(self):
        self.assertEqual(self.basket.total(), 0)

    def test_counts(self):
        self.basket.add("tea", 3)
        self.basket.add("tea", 3, 2)
        self.assertEqual(self.basket.total(), 9)
        self.assertIn("tea", self.basket.lines)


if __name__ == "__main__":
    unittest.main()
E
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v"#,
    ),
    (
        "@UNIT_SUB@",
        r#"rm -rf tests src
mkdir -p tests
cat > .gitignore <<'E'
__pycache__/
.pytest_cache/
E
: > tests/__init__.py
cat > tests/cases.py <<'E'
ENCODED = {"": "", "a": "1a", "aab": "2a1b", "abbb": "1a3b"}
E
cat > rle.py <<'E'
import itertools


def encode(text):
    return "".join(f"{len(list(run))}{sign}" for sign, run in itertools.groupby(text))


def decode(code):
    return "".join(sign * int(count) for count, sign in zip(code[::2], code[1::2]))
E
cat > tests/test_rle.py <<'E'
import unittest

import rle
from tests.cases import ENCODED


class Encoding(unittest.TestCase):
    def test_encode(self):
        for text, code in ENCODED.items():
            with self.subTest(text=text):
                self.assertEqual(rle.encode(text), code)

    def test_and_back(self):
        for text in ENCODED:
            with self.subTest(text):
                self.assertEqual(rle.decode(rle.encode(text)), text)
E
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v"#,
    ),
    (
        "@UNIT_PKG@",
        r#"rm -rf tests src
mkdir -p src/shop tests
cat > .gitignore <<'E'
__pycache__/
.pytest_cache/
E
: > tests/__init__.py
: > src/shop/__init__.py
cat > src/shop/price.py <<'E'
def with_tax(net, rate=20):
    return net + net * rate // 100


def discount(net, percent):
    if not 0 <= percent <= 100:
        raise ValueError(percent)
    return net * (100 - percent) // 100
E
cat > tests/test_price.py <<'E'
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "src"))

from shop.price import discount, with_tax


class Price(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.net = 100

    def test_tax(self):
        self.assertEqual(with_tax(self.net), 120)
        self.assertEqual(with_tax(self.net, rate=7), 107)

    def test_discount(self):
        self.assertEqual(discount(self.net, 25), 75)
        self.assertRaises(ValueError, discount, self.net, 101)
E
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v"#,
    ),
    (
        "@UNIT_CB@",
        r"rm -rf tests src
mkdir -p tests
cat > .gitignore <<'E'
__pycache__/
.pytest_cache/
E
: > tests/__init__.py
cat > signals.py <<'E'
class Signal:
    def __init__(self):
        self.hearers = []

    def connect(self, hearer):
        self.hearers.append(hearer)
        return hearer

    def send(self, value):
        return [hearer(value) for hearer in self.hearers]
E
cat > tests/test_signals.py <<'E'
import asyncio
import unittest

from signals import Signal


class Sending(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.signal = Signal()

    async def test_all_hear(self):
        heard = []
        self.signal.connect(heard.append)
        self.signal.connect(lambda value: heard.append(value + 1))
        await asyncio.sleep(0)
        self.signal.send(1)
        self.assertCountEqual(heard, [1, 2])

    async def test_answers(self):
        @self.signal.connect
        def double(value):
            return value * 2

        self.assertListEqual(self.signal.send(4), [8])
E
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v",
    ),
    (
        "@GO_REV@",
        r#"rm -rf tests src
mkdir -p cmd/rev text
cat > .gitignore <<'E'
bin/
E
cat > go.mod <<'E'
module rev

go 1.19
E
cat > text/rev.go <<'E'
package text

// Rev returns the text backwards.
func Rev(s string) string {
	r := []rune(s)
	for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
		r[i], r[j] = r[j], r[i]
	}
	return string(r)
}
E
cat > cmd/rev/main.go <<'E'
package main

import (
	"fmt"
	"os"

	"rev/text"
)

func main() {
	fmt.Println(text.Rev(os.Args[1]))
}
E
cat > text/rev_test.go <<'E'
package text

import "testing"

func TestRev(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"nothing", "", ""},
		{"ascii", "abc", "cba"},
		{"runes", "äb", "bä"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Rev(c.in); got != c.want {
				t.Errorf("Rev(%q) = %q, want %q", c.in, got, c.want)
			}
		})
	}
}
E
@ORACLE@ go test ./..."#,
    ),
    (
        "@RUST_GCD@",
        r#"rm -rf tests src
mkdir -p src tests
cat > .gitignore <<'E'
target/
E
cat > Cargo.toml <<'E'
[package]
name = "gcd"
version = "0.1.0"
edition = "2021"
E
cat > src/lib.rs <<'E'
pub fn gcd(a: u64, b: u64) -> u64 {
    match b {
        0 => a,
        _ => gcd(b, a % b),
    }
}
E
cat > src/main.rs <<'E'
fn main() {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    println!("{}", numbers.into_iter().fold(0, gcd::gcd));
}
E
cat > tests/gcd.rs <<'E'
#[test]
fn of_two() {
    assert_eq!(gcd::gcd(12, 18), 6);
}

#[test]
fn of_nothing() {
    assert_eq!(gcd::gcd(0, 5), 5);
}
E
cargo generate-lockfile --offline -q
@ORACLE@ cargo test --offline -q"#,
    ),
    (
        "@RUBY_STACK@",
        r#"rm -rf tests src
mkdir -p lib test
cat > .gitignore <<'E'
tmp/
E
cat > lib/rpn.rb <<'E'
module Rpn
  def self.value(text)
    text.split.each_with_object([]) do |word, stack|
      if word.match?(/\A\d+\z/)
        stack.push(word.to_i)
      else
        b, a = stack.pop, stack.pop
        stack.push(a.public_send(word, b))
      end
    end.last
  end
end
E
cat > test/rpn_test.rb <<'E'
require "minitest/autorun"
require_relative "../lib/rpn"

class RpnTest < Minitest::Test
  def test_minus
    assert_equal 2, Rpn.value("5 3 -")
  end

  def test_nested
    assert_equal 14, Rpn.value("5 1 2 + 4 * + 3 -")
  end
end
E
@ORACLE@ ruby -Ilib test/rpn_test.rb"#,
    ),
    (
        "@C_CLAMP@",
        r#"rm -rf tests src
mkdir -p src tests
cat > .gitignore <<'E'
check
E
cat > src/clamp.c <<'E'
#include "clamp.h"

int clamp(int value, int low, int high)
{
	return value < low ? low : value > high ? high : value;
}
E
cat > src/clamp.h <<'E'
int clamp(int value, int low, int high);
E
cat > tests/check.c <<'E'
#include "../src/clamp.h"
#include <stdio.h>

int failures;

static void is(int got, int want)
{
	if (got != want) {
		printf("got %d, want %d\n", got, want);
		failures++;
	}
}

int main(void)
{
	is(clamp(5, 0, 10), 5);
	is(clamp(-1, 0, 10), 0);
	is(clamp(11, 0, 10), 10);
	printf("%d failures\n", failures);
	return failures != 0;
}
E
cat > Makefile <<'E'
check:
	cc -o check tests/check.c src/clamp.c
	./check

.PHONY: check
E
@ORACLE@ make check"#,
    ),
    (
        "@BATS_SUM@",
        r#"rm -rf tests src
mkdir -p lib tests
cat > lib/sum.sh <<'E'
sum() {
  local total=0 word
  for word in "$@"; do total=$((total + word)); done
  echo "$total"
}
E
cat > tests/sum.bats <<'E'
setup() {
  load ../lib/sum.sh
}

@test "sums" {
  run sum 1 2 3
  [ "$status" -eq 0 ]
  [ "$output" = 6 ]
}

@test "sums nothing" {
  [ "$(sum)" = 0 ]
}
E
@ORACLE@ bats tests"#,
    ),
    (
        "@SH_JOIN@",
        r#"rm -rf tests src
mkdir -p bin tests
cat > bin/join.sh <<'E'
#!/bin/sh
sep=$1
shift
out=
for word in "$@"; do out=$out${out:+$sep}$word; done
echo "$out"
E
cat > tests/all.sh <<'E'
#!/bin/sh
failed=0
is() {
  [ "$1" = "$2" ] && echo "ok - $2" || { echo "not ok - $1 is not $2"; failed=1; }
}
is "$(sh bin/join.sh , a b c)" a,b,c
is "$(sh bin/join.sh - a)" a
exit $failed
E
@ORACLE@ sh tests/all.sh"#,
    ),
];
