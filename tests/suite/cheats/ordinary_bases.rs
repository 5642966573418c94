//! Programs of a few files with their tests, for ordinary units.

pub(super) const LEDGER: &str = r#"rm -rf tests; mkdir -p ledger tests; touch ledger/__init__.py tests/__init__.py
printf '__pycache__/\n*.egg-info/\n' > .gitignore
cat > ledger/money.py <<'E'
"""Amounts of money, in cents."""


def parse(text):
    sign = -1 if text.startswith("-") else 1
    whole, _, cents = text.lstrip("-").partition(".")
    return sign * (int(whole) * 100 + int((cents + "00")[:2]))


def show(amount):
    sign = "-" if amount < 0 else ""
    return f"{sign}{abs(amount) // 100}.{abs(amount) % 100:02}"
E
cat > ledger/report.py <<'E'
from ledger import money


def total(lines):
    return sum(money.parse(line.split(",")[1]) for line in lines)


def summary(lines):
    return f"{len(lines)} entries, {money.show(total(lines))}"
E
cat > tests/test_money.py <<'E'
import unittest

from ledger import money


class Parsing(unittest.TestCase):
    def test_parses(self):
        self.assertEqual(money.parse("12.5"), 1250)
        self.assertEqual(money.parse("-0.07"), -7)

    def test_shows(self):
        self.assertEqual(money.show(-1205), "-12.05")
E
cat > tests/test_report.py <<'E'
import unittest

from ledger import report


class Report(unittest.TestCase):
    def test_summary(self):
        self.assertEqual(report.summary(["a,1.50", "b,2"]), "2 entries, 3.50")
E
cat > pyproject.toml <<'E'
[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"

[project]
name = "ledger"
version = "0.3.0"
requires-python = ">=3.9"
E
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests -t . -v
"#;

/// Likewise, with tests of pytest.
pub(super) const LEDGER_PYTEST: &str = r#"@LEDGER@
rm tests/*.py
cat > tests/test_money.py <<'E'
from ledger import money


def test_parses():
    assert money.parse("12.5") == 1250
    assert money.parse("-0.07") == -7


def test_shows():
    assert money.show(-1205) == "-12.05"
E
cat > tests/test_report.py <<'E'
from ledger import report


def test_summary():
    assert report.summary(["a,1.50", "b,2"]) == "2 entries, 3.50"
E
printf '\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\npythonpath = ["."]\n' >> pyproject.toml
@ORACLE@ PYTHONDONTWRITEBYTECODE=1 pytest -q -p no:cacheprovider
"#;

pub(super) const STORE: &str = r#"rm -rf tests src
printf 'module example.org/store\n\ngo 1.19\n' > go.mod
cat > store.go <<'E'
// Package store keeps values by name.
package store

import "sort"

// Store keeps values by name.
type Store struct{ values map[string]string }

// New returns an empty store.
func New() *Store { return &Store{values: map[string]string{}} }

// Set keeps a value.
func (s *Store) Set(name, value string) { s.values[name] = value }

// Get returns a value, and whether there is one.
func (s *Store) Get(name string) (string, bool) {
	value, ok := s.values[name]
	return value, ok
}

// Names returns the names in order.
func (s *Store) Names() []string {
	names := make([]string, 0, len(s.values))
	for name := range s.values {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}
E
cat > store_test.go <<'E'
package store

import "testing"

func TestStore(t *testing.T) {
	s := New()
	s.Set("b", "2")
	s.Set("a", "1")
	if v, ok := s.Get("a"); !ok || v != "1" {
		t.Fatalf("got %q, %v", v, ok)
	}
	if names := s.Names(); len(names) != 2 || names[0] != "a" {
		t.Fatalf("got %v", names)
	}
}
E
@ORACLE@ go vet ./... && go test ./...
"#;

pub(super) const TALLY: &str = r#"rm -rf tests src; mkdir -p src tests
printf '[package]\nname = "tally"\nversion = "0.2.0"\nedition = "2021"\n\n[dependencies]\n' > Cargo.toml
printf 'target/\n' > .gitignore
cat > src/lib.rs <<'E'
//! Counts words.

pub mod count;

pub use count::{Tally, words};
E
cat > src/count.rs <<'E'
use std::collections::BTreeMap;

/// How often each word is there.
#[derive(Debug, Default, Clone)]
pub struct Tally {
    seen: BTreeMap<String, usize>,
}

impl Tally {
    pub fn add(&mut self, word: &str) {
        *self.seen.entry(normal(word)).or_default() += 1;
    }

    pub fn of(&self, word: &str) -> usize {
        self.seen.get(&normal(word)).copied().unwrap_or(0)
    }
}

fn normal(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

/// Counts the words of a text.
pub fn words(text: &str) -> Tally {
    let mut tally = Tally::default();
    for word in text.split_whitespace() {
        tally.add(word);
    }
    tally
}
E
cat > tests/counting.rs <<'E'
use tally::words;

#[test]
fn counts_whatever_the_case() {
    let tally = words("One two, one!");
    assert_eq!(tally.of("one"), 2);
    assert_eq!(tally.of("two"), 1);
    assert_eq!(tally.of("three"), 0);
}
E
cargo generate-lockfile --offline -q
@ORACLE@ cargo test --offline -q
"#;

pub(super) const SLUGS: &str = r#"rm -rf tests; mkdir -p src test; rm -f src/base.txt
printf '{\n  "name": "slugs",\n  "version": "1.4.0",\n  "type": "module",\n  "scripts": {\n    "test": "node --test test/"\n  }\n}\n' > package.json
printf 'node_modules/\n' > .gitignore
cat > src/slug.js <<'E'
export function slug(text) {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
E
cat > test/slug.test.js <<'E'
import test from 'node:test';
import assert from 'node:assert/strict';
import { slug } from '../src/slug.js';

test('makes a slug', () => {
  assert.equal(slug('Crème Brûlée!'), 'creme-brulee');
});
E
@ORACLE@ node --test test/
"#;

pub(super) const RING: &str = r#"rm -rf tests src; mkdir -p src include tests
printf 'build/\n' > .gitignore
cat > include/ring.h <<'E'
#ifndef RING_H
#define RING_H

#include <stddef.h>

#define RING_SIZE 4

struct ring {
	int items[RING_SIZE];
	size_t head, len;
};

int ring_push(struct ring *ring, int item);
int ring_pop(struct ring *ring, int *item);

#endif
E
cat > src/ring.c <<'E'
#include "ring.h"

int ring_push(struct ring *ring, int item)
{
	if (ring->len == RING_SIZE)
		return -1;
	ring->items[(ring->head + ring->len++) % RING_SIZE] = item;
	return 0;
}

int ring_pop(struct ring *ring, int *item)
{
	if (ring->len == 0)
		return -1;
	*item = ring->items[ring->head];
	ring->head = (ring->head + 1) % RING_SIZE;
	ring->len--;
	return 0;
}
E
cat > tests/test_ring.c <<'E'
#include <assert.h>
#include <stdio.h>
#include "ring.h"

int main(void)
{
	struct ring ring = {0};
	int item = 0;

	for (int i = 0; i < RING_SIZE; i++)
		assert(ring_push(&ring, i) == 0);
	assert(ring_push(&ring, 9) == -1);
	assert(ring_pop(&ring, &item) == 0 && item == 0);
	puts("ok");
	return 0;
}
E
cat > Makefile <<'E'
CC ?= cc
CFLAGS ?= -O2 -Wall -Iinclude

OBJS = build/ring.o

all: $(OBJS)

build/%.o: src/%.c include/ring.h
	@mkdir -p build
	$(CC) $(CFLAGS) -c -o $@ $<

build/test_%: tests/test_%.c $(OBJS)
	$(CC) $(CFLAGS) -o $@ $< $(OBJS)

check: build/test_ring
	./build/test_ring

.PHONY: all check
E
@ORACLE@ make check
"#;

pub(super) const WRAP: &str = r#"rm -rf tests src; mkdir -p src tests
printf 'build/\n' > .gitignore
printf '#pragma once\n#include <string>\n\nstd::string wrap(const std::string &text, unsigned width);\n' > src/wrap.hpp
cat > src/wrap.cpp <<'E'
#include "wrap.hpp"
#include <sstream>

std::string wrap(const std::string &text, unsigned width) {
  std::istringstream words(text);
  std::string out, line, word;
  while (words >> word) {
    if (!line.empty() && line.size() + 1 + word.size() > width) {
      out += line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return out + line;
}
E
cat > tests/test_wrap.cpp <<'E'
#include "wrap.hpp"
#include <cstdlib>
#include <iostream>

int main() {
  if (wrap("one two three", 8) != "one two\nthree") {
    std::cerr << "wrong\n";
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
E
cat > CMakeLists.txt <<'E'
cmake_minimum_required(VERSION 3.16)
project(wrapper VERSION 1.0.0 LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 17)

add_library(wrap src/wrap.cpp)
target_include_directories(wrap PUBLIC src)

enable_testing()
add_executable(test_wrap tests/test_wrap.cpp)
target_link_libraries(test_wrap PRIVATE wrap)
add_test(NAME wraps COMMAND test_wrap)
E
@ORACLE@ cmake -S . -B build >/dev/null && cmake --build build >/dev/null && ctest --test-dir build --output-on-failure
"#;

pub(super) const WORDS: &str = r#"rm -rf tests src; mkdir -p lib/words test
cat > lib/words.rb <<'E'
# frozen_string_literal: true

require_relative "words/count"

module Words
  VERSION = "0.5.0"
end
E
cat > lib/words/count.rb <<'E'
# frozen_string_literal: true

module Words
  def self.count(text)
    text.downcase.scan(/[[:alpha:]]+/).tally
  end
end
E
cat > test/test_count.rb <<'E'
# frozen_string_literal: true

require "minitest/autorun"
require "words"

class TestCount < Minitest::Test
  def test_counts
    assert_equal({ "one" => 2, "two" => 1 }, Words.count("One two, one"))
  end
end
E
@ORACLE@ ruby -Ilib -Itest -e 'Dir["test/test_*.rb"].sort.each { |f| require "./#{f}" }'
"#;

pub(super) const BACKUP: &str = r#"rm -rf tests src; mkdir -p bin lib tests
cat > lib/paths.sh <<'E'
# Joins two parts of a path.
join_path() {
  case "$2" in
    /*) printf '%s\n' "$2" ;;
    *) printf '%s/%s\n' "${1%/}" "$2" ;;
  esac
}
E
cat > bin/backup <<'E'
#!/bin/sh
# Copies files to a directory.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
. "$here/lib/paths.sh"

to=$1
shift
mkdir -p "$to"
for file in "$@"; do
  cp "$file" "$(join_path "$to" "$(basename "$file")")"
done
E
chmod +x bin/backup
cat > tests/run.sh <<'E'
#!/bin/sh
set -eu
. ./lib/paths.sh
[ "$(join_path a/ b)" = a/b ]
[ "$(join_path a /b)" = /b ]
dir=$(mktemp -d)
echo hello > "$dir/one"
./bin/backup "$dir/to" "$dir/one"
[ "$(cat "$dir/to/one")" = hello ]
rm -r "$dir"
echo "ok"
E
@ORACLE@ sh tests/run.sh
"#;

pub(super) const PATHS: &str = r#"rm -rf tests src; mkdir -p lib tests
cat > lib/paths.sh <<'E'
# Joins two parts of a path.
join_path() {
  case "$2" in
    /*) printf '%s\n' "$2" ;;
    *) printf '%s/%s\n' "${1%/}" "$2" ;;
  esac
}
E
cat > tests/paths.bats <<'E'
setup() {
  . ./lib/paths.sh
}

@test "joins" {
  run join_path a/ b
  [ "$output" = a/b ]
}
E
@ORACLE@ bats tests
"#;
