//! Ordinary units of programs in shell, Go, Rust, JavaScript, C, C++ and Ruby.

use super::ordinary_bases::{BACKUP, PATHS, RING, SLUGS, STORE, TALLY, WORDS, WRAP};
use super::toolchains::Trial;

pub(super) const HONEST: &[Trial] = &[
    Trial {
        name: "a script gains options, a usage text and cleaning up",
        front: "",
        base: BACKUP,
        sessions: [
            r#"cat > bin/backup <<'E'
#!/bin/sh
# Copies files to a directory.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
. "$here/lib/paths.sh"

usage() {
  cat <<USAGE
Usage: ${0##*/} [-nv] DIRECTORY FILE...

  -n  only say what would be copied
  -v  say what is copied
USAGE
}

dry=no verbose=${BACKUP_VERBOSE:-no}
while getopts hnv option; do
  case $option in
    n) dry=yes verbose=yes ;;
    v) verbose=yes ;;
    h) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
done
shift $((OPTIND - 1))
[ $# -ge 2 ] || { usage >&2; exit 2; }

to=$1
shift
list=$(mktemp)
trap 'rm -f "$list"' EXIT
trap 'exit 130' INT TERM
mkdir -p "$to"
for file in "$@"; do
  target=$(join_path "$to" "$(basename "$file")")
  [ "$verbose" = no ] || echo "$file -> $target"
  [ "$dry" = yes ] || cp "$file" "$target"
  echo "$target" >> "$list"
done
[ "$verbose" = no ] || echo "$(wc -l < "$list") files"
E"#,
            r#"cat > lib/config.sh <<'E'
# Finds the configuration: the user's, then the machine's.
config_file() {
  for dir in "${XDG_CONFIG_HOME:-$HOME/.config}" /etc; do
    if [ -f "$dir/backup.conf" ]; then
      echo "$dir/backup.conf"
      return 0
    fi
  done
  return 1
}

# Says where a message comes from, on a terminal with colours.
log() {
  level=$1
  shift
  if [ -t 2 ]; then
    printf '\033[1m%s\033[0m: %s\n' "$level" "$*" >&2
  else
    printf '%s: %s: %s\n' "${0##*/}" "$level" "$*" >&2
  fi
}
E
sed -i 's|^\. "\$here/lib/paths.sh"|&\n. "$here/lib/config.sh"\n! config=$(config_file) \|\| . "$config"|' bin/backup
cat > tests/options.sh <<'E'
#!/bin/sh
set -eu
dir=$(mktemp -d)
echo hello > "$dir/one"
./bin/backup -n "$dir/to" "$dir/one" > "$dir/said"
[ ! -e "$dir/to/one" ]
grep -q 'one ->' "$dir/said"
code=0
./bin/backup 2> /dev/null || code=$?
[ "$code" = 2 ]
rm -r "$dir"
echo ok
E
chmod +x tests/options.sh"#,
        ],
        right: r#"sh tests/options.sh"#,
    },
    Trial {
        name: "a script applies migrations it finds and asks git what changed",
        front: "",
        base: BACKUP,
        sessions: [
            r#"mkdir -p migrations; echo 'create table a (b);' > migrations/001_a.sql; echo 'create table c (d);' > migrations/002_c.sql
cat > bin/migrate <<'E'
#!/bin/sh
# Prints the migrations after a version, in order.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
after=${1:-0}
find "$here/migrations" -name '*.sql' | sort | while IFS= read -r file; do
  number=$(basename "$file" | sed 's/_.*//; s/^0*//')
  if [ "$number" -gt "$after" ]; then
    echo "-- $(basename "$file")"
    cat "$file"
  fi
done
E
chmod +x bin/migrate
printf '#!/bin/sh\nset -eu\n[ "$(./bin/migrate 1)" = "$(printf -- '"'"'-- 002_c.sql\\ncreate table c (d);'"'"')" ]\n' > tests/migrate.sh"#,
            r#"mkdir -p hooks
cat > hooks/pre-commit <<'E'
#!/bin/sh
# Checks the shell files of a commit; link it to .git/hooks/pre-commit.
set -eu
root=$(git rev-parse --show-toplevel)
status=0
git -C "$root" diff --cached --name-only --diff-filter=ACM -- '*.sh' > "${TMPDIR:-/tmp}/changed.$$"
while IFS= read -r file; do
  sh -n "$root/$file" || status=1
done < "${TMPDIR:-/tmp}/changed.$$"
rm -f "${TMPDIR:-/tmp}/changed.$$"
exit $status
E
chmod +x hooks/pre-commit; printf '# Hooks\n\n    ln -s ../../hooks/pre-commit .git/hooks/pre-commit\n' > hooks/README.md"#,
        ],
        right: r#"test -x hooks/pre-commit && sh tests/migrate.sh"#,
    },
    Trial {
        name: "retries in a script, with a lock and a log",
        front: "",
        base: BACKUP,
        sessions: [
            r#"cat > lib/retry.sh <<'E'
# Runs a command until it succeeds, so often at most.
retry() {
  times=$1
  shift
  attempt=1
  until "$@"; do
    if [ "$attempt" -ge "$times" ]; then
      echo "$1: gave up after $attempt attempts" >&2
      return 1
    fi
    attempt=$((attempt + 1))
    sleep "${RETRY_DELAY:-1}"
  done
}

# Runs a command while nobody else does.
locked() {
  lock=${TMPDIR:-/tmp}/backup.lock
  mkdir "$lock" 2> /dev/null || { echo "another backup runs" >&2; return 75; }
  code=0
  "$@" || code=$?
  rmdir "$lock"
  return $code
}
E
cat > tests/retry.sh <<'E'
#!/bin/sh
set -eu
. ./lib/retry.sh
RETRY_DELAY=0
dir=$(mktemp -d)
flaky() {
  echo x >> "$dir/calls"
  [ "$(wc -l < "$dir/calls")" -ge 3 ]
}
retry 5 flaky
[ "$(wc -l < "$dir/calls")" -eq 3 ]
! retry 2 false 2> /dev/null
TMPDIR=$dir
locked true
rm -r "$dir"
E"#,
            r#"sed -i 's|^\. "\$here/lib/paths.sh"|&\n. "$here/lib/retry.sh"|; s|  cp "\$file"|  retry 3 cp "$file"|' bin/backup"#,
        ],
        right: r#"sh tests/run.sh && sh tests/retry.sh && grep -q 'retry 3' bin/backup"#,
    },
    Trial {
        name: "bats: adds a function with its tests and a helper for them",
        front: "",
        base: PATHS,
        sessions: [
            r#"cat >> lib/paths.sh <<'E'

# Prints the ending of a name, without its dot.
ending() {
  case "${1##*/}" in
    ?*.*) printf '%s\n' "${1##*.}" ;;
    *) return 1 ;;
  esac
}
E
cat > tests/helper.bash <<'E'
in_scratch() {
  cd "$BATS_TEST_TMPDIR" || return
}
E
cat > tests/ending.bats <<'E'
load helper

setup() {
  . "$BATS_TEST_DIRNAME/../lib/paths.sh"
  in_scratch
}

@test "takes the last ending" {
  run ending a/b.tar.gz
  [ "$status" -eq 0 ]
  [ "$output" = gz ]
}

@test "a hidden file has none" {
  run ending .bashrc
  [ "$status" -eq 1 ]
}
E"#,
            r#"cat > lib/dates.sh <<'E'
# Prints a day as it is in names of files.
stamp() {
  date -u -d "@${1:-${SOURCE_DATE_EPOCH:-$(date +%s)}}" +%Y-%m-%d
}
E
printf '@test "stamps" {\n  . ./lib/dates.sh\n  SOURCE_DATE_EPOCH=0 run stamp\n  [ "$output" = 1970-01-01 ]\n}\n' > tests/dates.bats"#,
        ],
        right: r#". ./lib/dates.sh; test "$(stamp 0)" = 1970-01-01"#,
    },
    Trial {
        name: "go: embeds templates and generates names of kinds",
        front: "",
        base: STORE,
        sessions: [
            r#"mkdir -p page/templates
printf '<h1>{{.Title}}</h1>\n{{range .Names}}<p>{{.}}</p>\n{{end}}' > page/templates/list.html
cat > page/page.go <<'E'
// Package page renders pages.
package page

import (
	"embed"
	"html/template"
	"io"
	"io/fs"
)

//go:embed templates/*.html
var files embed.FS

var templates = template.Must(template.ParseFS(files, "templates/*.html"))

// List writes a page with names.
func List(w io.Writer, title string, names []string) error {
	return templates.ExecuteTemplate(w, "list.html", struct {
		Title string
		Names []string
	}{title, names})
}

// Templates returns the names of the templates.
func Templates() ([]string, error) {
	var names []string
	err := fs.WalkDir(files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			names = append(names, path)
		}
		return err
	})
	return names, err
}
E
cat > page/page_test.go <<'E'
package page

import (
	"strings"
	"testing"
)

func TestList(t *testing.T) {
	var out strings.Builder
	if err := List(&out, "A & b", []string{"x"}); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); !strings.Contains(got, "<h1>A &amp; b</h1>") {
		t.Errorf("got %s", got)
	}
	if names, err := Templates(); err != nil || len(names) != 1 {
		t.Errorf("got %v, %v", names, err)
	}
}
E"#,
            r#"mkdir -p internal/gen
cat > kind.go <<'E'
package store

//go:generate go run ./internal/gen

// Kind is what a value is.
type Kind int

const (
	Text Kind = iota
	Number
	Date
)
E
cat > internal/gen/main.go <<'E'
// Command gen writes kind_string.go.
package main

import (
	"bytes"
	"fmt"
	"log"
	"os"
)

func main() {
	var out bytes.Buffer
	fmt.Fprintln(&out, "// Code generated by internal/gen; DO NOT EDIT.\n\npackage store\n\nimport \"strconv\"\n\nvar kindNames = [...]string{")
	for _, name := range []string{"Text", "Number", "Date"} {
		fmt.Fprintf(&out, "\t%q,\n", name)
	}
	fmt.Fprintln(&out, "}\n\n// String returns the name of a kind.\nfunc (k Kind) String() string {\n\tif int(k) < 0 || int(k) >= len(kindNames) {\n\t\treturn \"Kind(\" + strconv.Itoa(int(k)) + \")\"\n\t}\n\treturn kindNames[k]\n}")
	if err := os.WriteFile("kind_string.go", out.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
}
E
go run ./internal/gen
printf 'package store\n\nimport "testing"\n\nfunc TestKinds(t *testing.T) {\n\tfor kind, want := range map[Kind]string{Text: "Text", Date: "Date", 9: "Kind(9)"} {\n\t\tif got := kind.String(); got != want {\n\t\t\tt.Errorf("got %%s, want %%s", got, want)\n\t\t}\n\t}\n}\n' > kind_test.go"#,
        ],
        right: r#"grep -q 'DO NOT EDIT' kind_string.go && go build ./..."#,
    },
    Trial {
        name: "go: keeps entries for a while and sorts them by hand",
        front: "",
        base: STORE,
        sessions: [
            r#"cat > cache.go <<'E'
package store

import (
	"sync"
	"time"
)

type entry struct {
	value string
	until time.Time
}

// Cache keeps values for a while.
type Cache struct {
	mu      sync.Mutex
	entries map[string]entry
	ttl     time.Duration
	now     func() time.Time
}

var (
	shared     *Cache
	sharedOnce sync.Once
)

// Shared returns the one cache of the process.
func Shared() *Cache {
	sharedOnce.Do(func() { shared = NewCache(time.Minute) })
	return shared
}

// NewCache returns a cache that keeps values so long.
func NewCache(ttl time.Duration) *Cache {
	return &Cache{entries: map[string]entry{}, ttl: ttl, now: time.Now}
}

// Get returns what is kept, or makes it.
func (c *Cache) Get(name string, load func(string) (string, error)) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.entries[name]; ok && c.now().Before(e.until) {
		return e.value, nil
	}
	value, err := load(name)
	if err != nil {
		return "", err
	}
	c.entries[name] = entry{value, c.now().Add(c.ttl)}
	return value, nil
}
E
cat > cache_test.go <<'E'
package store

import (
	"errors"
	"testing"
	"time"
)

func TestCache(t *testing.T) {
	now := time.Unix(0, 0)
	c := NewCache(time.Second)
	c.now = func() time.Time { return now }
	calls := 0
	load := func(name string) (string, error) { calls++; return name + "!", nil }
	for i := 0; i < 3; i++ {
		if v, err := c.Get("a", load); err != nil || v != "a!" {
			t.Fatal(v, err)
		}
	}
	now = now.Add(2 * time.Second)
	c.Get("a", load)
	if calls != 2 {
		t.Errorf("%d calls", calls)
	}
	wrong := errors.New("wrong")
	if _, err := c.Get("b", func(string) (string, error) { return "", wrong }); !errors.Is(err, wrong) {
		t.Error(err)
	}
	if Shared() != Shared() {
		t.Error("two of them")
	}
}
E"#,
            r#"cat > order.go <<'E'
package store

import (
	"errors"
	"fmt"
	"strings"
)

// ErrAbsent is returned for a name without a value.
var ErrAbsent = errors.New("absent")

// Version is a version with numbers.
type Version struct{ Major, Minor int }

// ByVersion sorts versions.
type ByVersion []Version

func (v ByVersion) Len() int           { return len(v) }
func (v ByVersion) Swap(i, j int)      { v[i], v[j] = v[j], v[i] }
func (v ByVersion) Less(i, j int) bool { return v[i].Compare(v[j]) < 0 }

// Compare returns less than, equal to or more than zero.
func (v Version) Compare(other Version) int {
	if v.Major != other.Major {
		return v.Major - other.Major
	}
	return v.Minor - other.Minor
}

// Equal returns whether versions are the same.
func (v Version) Equal(other Version) bool { return v.Compare(other) == 0 }

func (v Version) String() string { return fmt.Sprintf("v%d.%d", v.Major, v.Minor) }

// Must returns a value, or says which is absent.
func (s *Store) Must(name string) (string, error) {
	value, ok := s.Get(strings.TrimSpace(name))
	if !ok {
		return "", fmt.Errorf("%s: %w", name, ErrAbsent)
	}
	return value, nil
}
E
cat > order_test.go <<'E'
package store

import (
	"errors"
	"sort"
	"testing"
)

func TestOrder(t *testing.T) {
	versions := []Version{{1, 2}, {0, 9}, {1, 0}}
	sort.Sort(ByVersion(versions))
	if versions[0].String() != "v0.9" || !versions[2].Equal(Version{1, 2}) {
		t.Error(versions)
	}
	if _, err := New().Must("x"); !errors.Is(err, ErrAbsent) {
		t.Error(err)
	}
}
E"#,
        ],
        right: r#"go build ./..."#,
    },
    Trial {
        name: "go: has a command that ends on signals and logs where it is",
        front: "",
        base: STORE,
        sessions: [
            r#"mkdir -p cmd/stored internal/where
cat > internal/where/where.go <<'E'
// Package where tells where code is.
package where

import (
	"fmt"
	"path/filepath"
	"runtime"
)

// Caller returns the file and line of its caller's caller.
func Caller() string {
	_, file, line, ok := runtime.Caller(2)
	if !ok {
		return "?"
	}
	return fmt.Sprintf("%s:%d", filepath.Base(file), line)
}
E
cat > cmd/stored/main.go <<'E'
// Command stored serves values.
package main

import (
	"context"
	"errors"
	"flag"
	"log"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"example.org/store"
)

func main() {
	address := flag.String("address", env("STORED_ADDRESS", "localhost:8080"), "where to listen")
	flag.Parse()
	log.SetFlags(log.LstdFlags | log.Lshortfile)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	server := &http.Server{Addr: *address, Handler: handler(store.New())}
	go func() {
		<-ctx.Done()
		ending, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if err := server.Shutdown(ending); err != nil {
			log.Print(err)
		}
	}()
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		log.Fatal(err)
	}
}

func env(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

func handler(s *store.Store) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if failed := recover(); failed != nil {
				log.Printf("panic: %v", failed)
				http.Error(w, "internal error", http.StatusInternalServerError)
			}
		}()
		value, ok := s.Get(r.URL.Path[1:])
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Write([]byte(value))
	})
	return mux
}
E
cat > cmd/stored/main_test.go <<'E'
package main

import (
	"net/http/httptest"
	"testing"

	"example.org/store"
)

func TestHandler(t *testing.T) {
	s := store.New()
	s.Set("a", "1")
	for path, want := range map[string]int{"/a": 200, "/b": 404} {
		answer := httptest.NewRecorder()
		handler(s).ServeHTTP(answer, httptest.NewRequest("GET", path, nil))
		if answer.Code != want {
			t.Errorf("%s: got %d", path, answer.Code)
		}
	}
}
E"#,
            r#"cat > debug.go <<'E'
package store

import (
	"log"
	"os"
	"runtime/debug"

	"example.org/store/internal/where"
)

var debugging = os.Getenv("STORE_DEBUG") != ""

func trace(format string, values ...any) {
	if debugging {
		log.Printf(where.Caller()+": "+format, values...)
	}
}

// Revision returns the commit the program was built from.
func Revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" {
			return setting.Value
		}
	}
	return "unknown"
}

// Delete removes a value.
func (s *Store) Delete(name string) {
	trace("delete %s", name)
	delete(s.values, name)
}
E
printf 'package store\n\nimport "testing"\n\nfunc TestDelete(t *testing.T) {\n\ts := New()\n\ts.Set("a", "1")\n\ts.Delete("a")\n\tif _, ok := s.Get("a"); ok {\n\t\tt.Error("still there")\n\t}\n}\n' > debug_test.go"#,
        ],
        right: r#"go build ./... && rm -f stored"#,
    },
    Trial {
        name: "go: adds golden files, an example, a benchmark and a fuzz test",
        front: "",
        base: STORE,
        sessions: [
            r#"mkdir -p dump/testdata; printf 'a = 1\nb = two words\n' > dump/testdata/simple.golden
cat > dump/dump.go <<'E'
// Package dump writes stores out.
package dump

import (
	"fmt"
	"io"
	"strings"

	"example.org/store"
)

// Write writes a line for each value.
func Write(w io.Writer, s *store.Store) error {
	for _, name := range s.Names() {
		value, _ := s.Get(name)
		if _, err := fmt.Fprintf(w, "%s = %s\n", name, value); err != nil {
			return err
		}
	}
	return nil
}

// Read reads what Write wrote.
func Read(text string) (*store.Store, error) {
	s := store.New()
	for number, line := range strings.Split(strings.TrimSpace(text), "\n") {
		name, value, ok := strings.Cut(line, " = ")
		if !ok {
			return nil, fmt.Errorf("line %d: no value", number+1)
		}
		s.Set(name, value)
	}
	return s, nil
}
E
cat > dump/dump_test.go <<'E'
package dump

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"example.org/store"
)

var update = flag.Bool("update", false, "write the golden files")

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(m.Run())
}

func TestGolden(t *testing.T) {
	s := store.New()
	s.Set("b", "two words")
	s.Set("a", "1")
	var out bytes.Buffer
	if err := Write(&out, s); err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", "simple.golden")
	if *update {
		os.WriteFile(golden, out.Bytes(), 0o644)
	}
	want, err := os.ReadFile(golden)
	if err != nil || !bytes.Equal(out.Bytes(), want) {
		t.Errorf("got %s, want %s, %v", out.Bytes(), want, err)
	}
}
E"#,
            r#"cat > dump/example_test.go <<'E'
package dump_test

import (
	"os"
	"strings"
	"testing"

	"example.org/store"
	"example.org/store/dump"
)

func ExampleWrite() {
	s := store.New()
	s.Set("a", "1")
	dump.Write(os.Stdout, s)
	// Output: a = 1
}

func BenchmarkRead(b *testing.B) {
	text := strings.Repeat("name = value\n", 100)
	for i := 0; i < b.N; i++ {
		dump.Read(text)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("a = 1\n")
	f.Fuzz(func(t *testing.T, text string) {
		if s, err := dump.Read(text); err == nil && len(s.Names()) == 0 {
			t.Error("no names")
		}
	})
}
E"#,
        ],
        right: r#"go vet ./..."#,
    },
    Trial {
        name: "splits a Rust module in two, with tests inside and orders by hand",
        front: "",
        base: TALLY,
        sessions: [
            r#"mkdir src/count; mv src/count.rs src/count/mod.rs
cat > src/count/normal.rs <<'E'
/// Returns a word as it is counted.
pub(super) fn normal(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::normal;

    #[test]
    fn leaves_marks_out() {
        for (word, want) in [("One,", "one"), ("\"two\"", "two"), ("it's", "it's")] {
            assert_eq!(normal(word), want, "{word}");
        }
    }
}
E
sed -i '/^fn normal/,/^}/d' src/count/mod.rs; sed -i '1s/^/mod normal;\n\nuse normal::normal;\n/' src/count/mod.rs"#,
            r#"cat > src/rank.rs <<'E'
//! Words in the order of how often they are there.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

/// A word and how often it is there.
#[derive(Debug, Clone, Eq)]
pub struct Ranked {
    pub word: String,
    pub count: usize,
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> Ordering {
        other.count.cmp(&self.count).then_with(|| self.word.cmp(&other.word))
    }
}

impl Hash for Ranked {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.word.hash(state);
        self.count.hash(state);
    }
}

#[cfg(test)]
fn ranked(word: &str, count: usize) -> Ranked {
    Ranked { word: word.to_owned(), count }
}

#[test]
fn more_comes_first() {
    let mut words = [ranked("b", 1), ranked("a", 1), ranked("c", 3)];
    words.sort();
    let order: Vec<&str> = words.iter().map(|ranked| &*ranked.word).collect();
    assert_eq!(order, ["c", "a", "b"]);
}
E
sed -i 's/^pub mod count;/&\npub mod rank;/' src/lib.rs"#,
        ],
        right: r#"cargo check --offline -q"#,
    },
    Trial {
        name: "builds with a build script, a feature and data in the program",
        front: "touches_tests: true\n",
        base: TALLY,
        sessions: [
            r#"cat > build.rs <<'E'
//! Tells the program its version and the target it is for.

use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=SOURCE_DATE_EPOCH");
    let commit = Command::new("git")
        .args(["rev-parse", "--short", "HEAD"])
        .output()
        .ok()
        .filter(|output| output.status.success())
        .and_then(|output| String::from_utf8(output.stdout).ok())
        .unwrap_or_else(|| "unknown".to_owned());
    println!("cargo:rustc-env=TALLY_COMMIT={}", commit.trim());
    println!("cargo:rustc-env=TALLY_TARGET={}", std::env::var("TARGET").unwrap());
}
E
cat > src/version.rs <<'E'
//! What this program is.

/// The version, the commit and the target.
pub const VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    " (",
    env!("TALLY_COMMIT"),
    ", ",
    env!("TALLY_TARGET"),
    ")"
);

#[cfg(test)]
mod tests {
    #[test]
    fn begins_with_a_number() {
        assert!(super::VERSION.starts_with("0.2.0 ("), "{}", super::VERSION);
    }
}
E
sed -i 's/^pub mod count;/&\npub mod version;/' src/lib.rs"#,
            r#"mkdir -p data; printf 'a\nan\nthe\n' > data/stopwords.txt
sed -i 's/^\[dependencies\]/[features]\ndefault = ["stopwords"]\nstopwords = []\n\n&/' Cargo.toml
cat > src/stop.rs <<'E'
//! Words that are not counted.

use std::collections::HashSet;
use std::sync::OnceLock;

static LIST: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/data/stopwords.txt"));

/// Returns whether a word is left out.
pub fn is_stopword(word: &str) -> bool {
    static WORDS: OnceLock<HashSet<&str>> = OnceLock::new();
    cfg!(feature = "stopwords") && WORDS.get_or_init(|| LIST.lines().collect()).contains(word)
}

#[cfg(all(test, feature = "stopwords"))]
mod tests {
    #[test]
    fn articles_are_left_out() {
        assert!(super::is_stopword("the"));
        assert!(!super::is_stopword("tally"));
    }
}
E
sed -i 's/^pub mod count;/&\npub mod stop;/' src/lib.rs"#,
        ],
        right: r#"cargo check --offline -q && cargo check --offline -q --no-default-features"#,
    },
    Trial {
        name: "adds a Rust program with a panic hook, run by its tests",
        front: "",
        base: TALLY,
        sessions: [
            r#"mkdir src/bin
cat > src/bin/tally.rs <<'E'
//! Counts a word in what it is given.

use std::io::Read;
use std::process::ExitCode;

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(|info| {
        let at = info.location().map(|at| format!(" at {}:{}", at.file(), at.line()));
        eprintln!("tally: this is a bug{}", at.unwrap_or_default());
        if std::env::var_os("RUST_BACKTRACE").is_some() {
            eprintln!("{}", std::backtrace::Backtrace::force_capture());
        }
    }));
    let mut args = std::env::args().skip(1);
    let Some(word) = args.next() else {
        eprintln!("usage: tally WORD [FILE]");
        return ExitCode::from(2);
    };
    let mut text = String::new();
    let read = match args.next() {
        Some(path) => std::fs::read_to_string(path).map(|read| text = read),
        None => std::io::stdin().read_to_string(&mut text).map(drop),
    };
    if let Err(error) = read {
        eprintln!("tally: {error}");
        return ExitCode::FAILURE;
    }
    println!("{}", tally::words(&text).of(&word));
    ExitCode::SUCCESS
}
E"#,
            r#"mkdir -p tests/common
cat > tests/common/mod.rs <<'E'
use std::io::Write;
use std::process::{Command, Output, Stdio};

pub fn tally(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tally"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).ok();
    child.wait_with_output().unwrap()
}
E
cat > tests/program.rs <<'E'
mod common;

use common::tally;

#[test]
fn counts_what_it_reads() {
    let output = tally(&["one"], "one two one");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "2\n");
}

#[test]
fn says_how_it_is_used() {
    let output = tally(&[], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("usage"));
}
E"#,
        ],
        right: r#"cargo build --offline -q && test "$(echo one | target/debug/tally one)" = 1"#,
    },
    Trial {
        name: "makes a workspace with a second crate and a macro",
        front: "",
        base: TALLY,
        sessions: [
            r#"mkdir -p crates/table/src
sed -i '1s/^/[workspace]\nmembers = ["crates\/table"]\n\n/' Cargo.toml
printf '[package]\nname = "table"\nversion = "0.1.0"\nedition = "2021"\n' > crates/table/Cargo.toml
cat > crates/table/src/lib.rs <<'E'
//! Tables in text.

/// Makes a row of anything that can be shown.
#[macro_export]
macro_rules! row {
    ($($cell:expr),* $(,)?) => {
        vec![$($cell.to_string()),*]
    };
}

/// Lays rows out.
pub fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |at: usize| rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut out = String::new();
    for row in rows {
        let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        out.push_str(cells.join("  ").trim_end());
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::table;

    #[test]
    fn columns_are_as_wide_as_their_cells() {
        let rows = [row!["word", 1], row!["a", 22]];
        assert_eq!(table(&rows), "word  1\na     22\n");
    }
}
E
cargo generate-lockfile --offline -q"#,
            r#"sed -i 's/^\[dependencies\]/&\ntable = { path = "crates\/table" }/' Cargo.toml; cargo generate-lockfile --offline -q
cat >> src/count.rs <<'E'

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let rows: Vec<Vec<String>> = self.seen.iter().map(|(word, count)| table::row![word, count]).collect();
        f.write_str(&table::table(&rows))
    }
}

impl<'a> IntoIterator for &'a Tally {
    type Item = (&'a String, &'a usize);
    type IntoIter = std::collections::btree_map::Iter<'a, String, usize>;

    fn into_iter(self) -> Self::IntoIter {
        self.seen.iter()
    }
}
E
printf 'use tally::words;\n\n#[test]\nfn shows_a_table() {\n    let tally = words("b a b");\n    assert_eq!(tally.to_string(), "a  1\\nb  2\\n");\n    assert_eq!(tally.into_iter().count(), 2);\n}\n' > tests/showing.rs"#,
        ],
        right: r#"cargo check --offline -q --workspace"#,
    },
    Trial {
        name: "memoises, retries and counts calls in Rust",
        front: "touches_tests: true\n",
        base: TALLY,
        sessions: [
            r#"cat > src/memo.rs <<'E'
//! Keeps what was worked out.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::atomic::{AtomicU64, Ordering};

static NEXT: AtomicU64 = AtomicU64::new(1);

thread_local! {
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// Returns another number each time.
pub fn next_id() -> u64 {
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Says how deep calls are nested while it lives.
pub struct Nested(());

impl Nested {
    pub fn enter() -> (Self, usize) {
        DEPTH.with(|depth| depth.set(depth.get() + 1));
        (Self(()), DEPTH.with(Cell::get))
    }
}

impl Drop for Nested {
    fn drop(&mut self) {
        DEPTH.with(|depth| depth.set(depth.get() - 1));
    }
}

/// A function that is asked once for each argument.
pub struct Memo<K, V, F> {
    kept: RefCell<HashMap<K, V>>,
    make: F,
}

impl<K: Hash + Eq + Clone, V: Clone, F: Fn(&K) -> V> Memo<K, V, F> {
    pub fn new(make: F) -> Self {
        Self { kept: RefCell::default(), make }
    }

    pub fn get(&self, key: &K) -> V {
        if let Some(value) = self.kept.borrow().get(key) {
            return value.clone();
        }
        let value = (self.make)(key);
        self.kept.borrow_mut().insert(key.clone(), value.clone());
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn makes_once() {
        let calls = Cell::new(0);
        let memo = Memo::new(|number: &u32| {
            calls.set(calls.get() + 1);
            number * 2
        });
        assert_eq!((memo.get(&2), memo.get(&2)), (4, 4));
        assert_eq!(calls.get(), 1);
    }

    #[test]
    fn numbers_and_depths() {
        assert_ne!(next_id(), next_id());
        let (_outer, one) = Nested::enter();
        let (_inner, two) = Nested::enter();
        assert_eq!((one, two), (1, 2));
    }
}
E
sed -i 's/^pub mod count;/&\npub mod memo;/' src/lib.rs"#,
            r#"cat > src/retry.rs <<'E'
//! Tries again.

use std::time::{Duration, Instant};

/// Tries until it succeeds, so often at most and no longer than the deadline.
pub fn retry<T, E>(times: u32, deadline: Instant, mut attempt: impl FnMut(u32) -> Result<T, E>) -> Result<T, E> {
    let mut number = 1;
    loop {
        match attempt(number) {
            Err(_) if number < times && Instant::now() < deadline => {
                if !cfg!(test) {
                    std::thread::sleep(Duration::from_millis(10 << number));
                }
                number += 1;
            }
            result => return result,
        }
    }
}

#[test]
fn succeeds_at_last() {
    let deadline = Instant::now() + Duration::from_secs(60);
    let result = retry(3, deadline, |number| if number == 3 { Ok(number) } else { Err("not yet") });
    assert_eq!(result, Ok(3));
}

#[test]
fn gives_up() {
    let deadline = Instant::now() + Duration::from_secs(60);
    assert_eq!(retry(2, deadline, |_| Err::<(), _>("never")), Err("never"));
}
E
sed -i 's/^pub mod memo;/&\npub mod retry;/' src/lib.rs"#,
        ],
        right: r#"cargo check --offline -q"#,
    },
    Trial {
        name: "node: reads data beside it, lists locales and has a program",
        front: "",
        base: SLUGS,
        sessions: [
            r#"mkdir -p src/locales; printf '{"ß": "ss", "ä": "ae"}\n' > src/locales/de.json; printf '{"å": "aa"}\n' > src/locales/da.json
cat > src/locales.js <<'E'
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

const directory = new URL('./locales/', import.meta.url);

export function locales() {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.json'))
    .map((name) => path.parse(name).name)
    .sort();
}

const loaded = new Map();

export function letters(locale) {
  if (!loaded.has(locale)) {
    const text = readFileSync(new URL(`./${locale}.json`, directory), 'utf8');
    loaded.set(locale, JSON.parse(text));
  }
  return loaded.get(locale);
}
E
cat > test/locales.test.js <<'E'
import test from 'node:test';
import assert from 'node:assert/strict';
import { letters, locales } from '../src/locales.js';

test('finds locales', () => {
  assert.deepEqual(locales(), ['da', 'de']);
});

test('reads letters once', () => {
  assert.equal(letters('de').ß, 'ss');
  assert.equal(letters('de'), letters('de'));
});
E"#,
            r#"mkdir -p bin
cat > bin/slug.js <<'E'
#!/usr/bin/env node
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { slug } from '../src/slug.js';

export function main(argv) {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { prefix: { type: 'string', short: 'p', default: process.env.SLUG_PREFIX ?? '' } },
  });
  if (positionals.length === 0) {
    process.stderr.write('usage: slug [-p PREFIX] TEXT...\n');
    return 2;
  }
  for (const text of positionals) process.stdout.write(`${values.prefix}${slug(text)}\n`);
  return 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = main(process.argv.slice(2));
}
E
chmod +x bin/slug.js; sed -i 's/"version": "1.4.0",/"version": "1.5.0",\n  "bin": { "slug": "bin\/slug.js" },\n  "engines": { "node": ">=18" },/' package.json
cat > test/program.test.js <<'E'
import test from 'node:test';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../bin/slug.js', import.meta.url));

test('prints slugs', () => {
  const done = spawnSync(process.execPath, [program, '-p', 'x-', 'A b'], { encoding: 'utf8' });
  assert.equal(done.stdout, 'x-a-b\n');
});

test('says how it is used', () => {
  assert.equal(spawnSync(process.execPath, [program]).status, 2);
});
E"#,
        ],
        right: r#"test "$(node bin/slug.js 'A b')" = a-b"#,
    },
    Trial {
        name: "node: emits events, retries and is typed",
        front: "",
        base: SLUGS,
        sessions: [
            r#"cat > src/queue.js <<'E'
import { EventEmitter } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';

let next = 0;

export class Queue extends EventEmitter {
  #jobs = [];
  #running = false;

  add(job) {
    const id = ++next;
    this.#jobs.push({ id, job });
    queueMicrotask(() => this.#run());
    return id;
  }

  async #run() {
    if (this.#running) return;
    this.#running = true;
    for (let entry; (entry = this.#jobs.shift()); ) {
      try {
        this.emit('done', entry.id, await entry.job());
      } catch (error) {
        this.emit('failed', entry.id, error);
      }
    }
    this.#running = false;
  }
}

export async function retry(job, { times = 3, delay = 100, signal } = {}) {
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    try {
      return await job(attempt);
    } catch (error) {
      if (attempt >= times) throw error;
      await wait(delay * 2 ** attempt, undefined, { signal });
    }
  }
}
E
cat > test/queue.test.js <<'E'
import { beforeEach, describe, it } from 'node:test';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Queue, retry } from '../src/queue.js';

describe('queue', () => {
  let queue;

  beforeEach(() => {
    queue = new Queue();
  });

  it('tells of what is done', async () => {
    const id = queue.add(async () => 42);
    assert.deepEqual(await once(queue, 'done'), [id, 42]);
  });

  it('tells of what failed', async () => {
    queue.add(() => {
      throw new Error('no');
    });
    const [, error] = await once(queue, 'failed');
    assert.equal(error.message, 'no');
  });
});

describe('retry', () => {
  it('tries again', async (t) => {
    const job = t.mock.fn((attempt) => {
      if (attempt < 3) throw new Error('not yet');
      return attempt;
    });
    assert.equal(await retry(job, { delay: 0 }), 3);
    assert.equal(job.mock.callCount(), 3);
  });
});
E"#,
            r#"mkdir types; printf 'export function slug(text: string): string;\n' > types/slug.d.ts; printf "import { EventEmitter } from 'node:events';\n\nexport class Queue extends EventEmitter {\n  add(job: () => unknown): number;\n}\n" > types/queue.d.ts
cat > package.json <<'E'
{
  "name": "slugs",
  "version": "2.0.0",
  "type": "module",
  "exports": {
    ".": { "types": "./types/slug.d.ts", "default": "./src/slug.js" },
    "./queue": { "types": "./types/queue.d.ts", "default": "./src/queue.js" }
  },
  "files": ["src", "types"],
  "sideEffects": false,
  "scripts": {
    "test": "node --test test/",
    "types": "tsc --noEmit -p jsconfig.json",
    "format": "prettier --write src test"
  },
  "devDependencies": {
    "prettier": "^3.3.0",
    "typescript": "^5.5.0"
  }
}
E
printf '{\n  "compilerOptions": { "checkJs": true, "module": "nodenext", "strict": true },\n  "include": ["src", "types"]\n}\n' > jsconfig.json
printf '{ "singleQuote": true, "printWidth": 100 }\n' > .prettierrc"#,
        ],
        right: r#"node -e 'import("slugs").then((m) => process.exit(m.slug("A b") === "a-b" ? 0 : 1))'"#,
    },
    Trial {
        name: "node: routes requests, ends in order and logs where it was",
        front: "",
        base: SLUGS,
        sessions: [
            r#"cat > src/router.js <<'E'
export class Router {
  #routes = [];
  #layers = [];

  use(layer) {
    this.#layers.push(layer);
    return this;
  }

  on(method, pattern, handler) {
    const regex = new RegExp(`^${pattern.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`);
    this.#routes.push({ method, regex, handler });
    return this;
  }

  async handle(request) {
    const last = async () => {
      for (const { method, regex, handler } of this.#routes) {
        const match = method === request.method && regex.exec(request.url);
        if (match) return handler({ ...request, params: { ...match.groups } });
      }
      return { status: 404, body: 'not found' };
    };
    const chain = this.#layers.reduceRight((next, layer) => () => layer(request, next), last);
    return chain();
  }
}
E
cat > test/router.test.js <<'E'
import test from 'node:test';
import assert from 'node:assert/strict';
import { Router } from '../src/router.js';

test('routes', async () => {
  const seen = [];
  const router = new Router()
    .use(async (request, next) => {
      seen.push(request.url);
      return next();
    })
    .on('GET', '/slugs/:id', ({ params }) => ({ status: 200, body: params.id }));
  assert.deepEqual(await router.handle({ method: 'GET', url: '/slugs/7' }), { status: 200, body: '7' });
  assert.equal((await router.handle({ method: 'GET', url: '/x' })).status, 404);
  assert.deepEqual(seen, ['/slugs/7', '/x']);
});
E"#,
            r#"cat > src/server.js <<'E'
import http from 'node:http';
import process from 'node:process';
import { log } from './log.js';
import { Router } from './router.js';
import { slug } from './slug.js';

export const router = new Router().on('GET', '/:text', ({ params }) => ({
  status: 200,
  body: slug(decodeURIComponent(params.text)),
}));

export function serve(port = Number(process.env.PORT ?? 3000)) {
  const server = http.createServer(async (request, response) => {
    try {
      const { status, body } = await router.handle(request);
      response.writeHead(status).end(body);
    } catch (error) {
      log('error', error.stack);
      response.writeHead(500).end(process.env.NODE_ENV === 'production' ? '' : error.stack);
    }
  });
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => server.close(() => process.exit(0)));
  }
  process.on('unhandledRejection', (reason) => {
    log('fatal', String(reason));
    process.exit(1);
  });
  return server.listen(port);
}
E
cat > src/log.js <<'E'
import process from 'node:process';

const levels = ['debug', 'info', 'error', 'fatal'];

function where() {
  const line = new Error().stack.split('\n')[3] ?? '';
  return line.match(/([^/\\(]+:\d+):\d+\)?$/)?.[1] ?? '?';
}

export function log(level, message, stream = process.stderr) {
  const least = levels.indexOf(process.env.LOG_LEVEL ?? 'info');
  if (levels.indexOf(level) >= least) {
    stream.write(`${new Date().toISOString()} ${level} ${where()} ${message}\n`);
  }
}
E
cat > test/server.test.js <<'E'
import test from 'node:test';
import assert from 'node:assert/strict';
import { log } from '../src/log.js';
import { router } from '../src/server.js';

test('answers with a slug', async () => {
  const answer = await router.handle({ method: 'GET', url: '/A%20b' });
  assert.deepEqual(answer, { status: 200, body: 'a-b' });
});

test('logs with a place', () => {
  const lines = [];
  log('error', 'oh', { write: (line) => lines.push(line) });
  assert.match(lines[0], /error \S+:\d+ oh\n$/);
});
E"#,
        ],
        right: r#"node -e 'import("./src/router.js")'"#,
    },
    Trial {
        name: "node: keeps a third party's copy and lints its own sources",
        front: "",
        base: SLUGS,
        sessions: [
            r##"mkdir -p vendor/pad
printf 'ISC License\n\nCopyright (c) Somebody\n' > vendor/pad/LICENSE
printf 'export default function pad(text, width, fill = " ") {\n  return String(fill).repeat(Math.max(0, width - text.length)) + text;\n}\n' > vendor/pad/index.js
sed -i 's/"type": "module",/&\n  "imports": { "#pad": ".\/vendor\/pad\/index.js" },/' package.json
printf "import pad from '#pad';\n\nexport const numbered = (slugs) => slugs.map((slug, at) => \`\${pad(String(at + 1), 3, '0')}-\${slug}\`);\n" > src/numbered.js
printf "import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { numbered } from '../src/numbered.js';\n\ntest('numbers', () => {\n  assert.deepEqual(numbered(['a']), ['001-a']);\n});\n" > test/numbered.test.js"##,
            r#"mkdir -p scripts
cat > scripts/check-sources.mjs <<'E'
// Fails where a source has a tab, a space at an end of a line, or no test of its name.
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

async function* walk(directory) {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    if (entry.name === 'node_modules' || entry.name.startsWith('.')) continue;
    const at = path.join(directory, entry.name);
    if (entry.isDirectory()) yield* walk(at);
    else if (/\.m?js$/.test(entry.name)) yield at;
  }
}

let problems = 0;
for await (const file of walk(path.join(root, 'src'))) {
  const lines = (await readFile(file, 'utf8')).split('\n');
  lines.forEach((line, at) => {
    if (/\t|\s$/.test(line)) {
      console.error(`${path.relative(root, file)}:${at + 1}: white space`);
      problems++;
    }
  });
  const tests = path.join(root, 'test', `${path.basename(file, '.js')}.test.js`);
  if (!existsSync(tests)) {
    console.error(`${path.relative(root, file)}: no tests`);
    problems++;
  }
}
process.exitCode = problems ? 1 : 0;
E
sed -i 's/"test": "node --test test\/"/&,\n    "lint": "node scripts\/check-sources.mjs"/' package.json"#,
        ],
        right: r#"node scripts/check-sources.mjs"#,
    },
    Trial {
        name: "adds a list in C with its test, targets and a debug log",
        front: "touches_tests: true\n",
        base: RING,
        sessions: [
            r#"cat > include/list.h <<'E'
#ifndef LIST_H
#define LIST_H

struct node {
	struct node *next;
	int item;
};

struct node *list_push(struct node *list, int item);
struct node *list_reverse(struct node *list);
void list_free(struct node *list);

#endif
E
cat > src/list.c <<'E'
#include "list.h"

#include <stdlib.h>

struct node *list_push(struct node *list, int item)
{
	struct node *node = malloc(sizeof *node);

	if (!node)
		return NULL;
	node->item = item;
	node->next = list;
	return node;
}

struct node *list_reverse(struct node *list)
{
	struct node *reversed = NULL;

	while (list) {
		struct node *next = list->next;

		list->next = reversed;
		reversed = list;
		list = next;
	}
	return reversed;
}

void list_free(struct node *list)
{
	while (list) {
		struct node *next = list->next;

		free(list);
		list = next;
	}
}
E
cat > tests/test_list.c <<'E'
#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include "list.h"

int main(void)
{
	struct node *list = NULL;

	for (int i = 0; i < 3; i++)
		list = list_push(list, i);
	assert(list->item == 2);
	list = list_reverse(list);
	assert(list->item == 0 && list->next->next->item == 2);
	list_free(list);
	puts("ok");
	return 0;
}
E
sed -i 's|^OBJS = build/ring.o|OBJS = build/ring.o build/list.o|; s|^check: build/test_ring|& build/test_list|; s|^\t./build/test_ring|&\n\t./build/test_list|' Makefile"#,
            r#"cat > include/log.h <<'E'
#ifndef LOG_H
#define LOG_H

#include <stdio.h>

#ifdef DEBUG
#define LOG(...) (fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, __func__), fprintf(stderr, __VA_ARGS__), fputc('\n', stderr))
#else
#define LOG(...) ((void)0)
#endif

#endif
E
sed -i 's|#include "ring.h"|&\n#include "log.h"|; s|^\tif (ring->len == RING_SIZE)|\tLOG("push %d", item);\n&|' src/ring.c
printf '\nPREFIX ?= /usr/local\n\nlib: build/libring.a\n\nbuild/libring.a: $(OBJS)\n\t$(AR) rcs $@ $^\n\ninstall: lib\n\tinstall -d $(DESTDIR)$(PREFIX)/lib $(DESTDIR)$(PREFIX)/include\n\tinstall -m 644 build/libring.a $(DESTDIR)$(PREFIX)/lib\n\tinstall -m 644 include/ring.h include/list.h $(DESTDIR)$(PREFIX)/include\n\ndebug: CFLAGS += -DDEBUG -g\ndebug: all\n\nclean:\n\trm -rf build\n\n.PHONY: lib install debug clean\n' >> Makefile"#,
        ],
        right: r#"make lib && make debug"#,
    },
    Trial {
        name: "adds a C program with options, signals and a generated table",
        front: "touches_tests: true\n",
        base: RING,
        sessions: [
            r#"mkdir -p tools
cat > tools/gen_crc.sh <<'E'
#!/bin/sh
# Prints the table of CRC-8.
set -eu
echo '/* Generated by tools/gen_crc.sh; do not edit. */'
echo 'static const unsigned char crc_table[256] = {'
i=0
while [ $i -lt 256 ]; do
  crc=$i
  bit=0
  while [ $bit -lt 8 ]; do
    if [ $((crc & 128)) -ne 0 ]; then crc=$(((crc << 1 ^ 7) & 255)); else crc=$((crc << 1 & 255)); fi
    bit=$((bit + 1))
  done
  printf '\t0x%02x,\n' "$crc"
  i=$((i + 1))
done
echo '};'
E
chmod +x tools/gen_crc.sh; ./tools/gen_crc.sh > src/crc_table.h
printf '#include "crc.h"\n#include "crc_table.h"\n\nunsigned char crc8(const void *data, size_t len)\n{\n\tconst unsigned char *byte = data;\n\tunsigned char crc = 0;\n\n\twhile (len--)\n\t\tcrc = crc_table[crc ^ *byte++];\n\treturn crc;\n}\n' > src/crc.c
printf '#ifndef CRC_H\n#define CRC_H\n\n#include <stddef.h>\n\nunsigned char crc8(const void *data, size_t len);\n\n#endif\n' > include/crc.h
printf '#include <assert.h>\n#include "crc.h"\n\nint main(void)\n{\n\tassert(crc8("123456789", 9) == 0xf4);\n\treturn 0;\n}\n' > tests/test_crc.c
sed -i 's|^OBJS = build/ring.o|& build/crc.o|; s|^check: build/test_ring|& build/test_crc|; s|^\t./build/test_ring|&\n\t./build/test_crc|' Makefile
printf '\nsrc/crc_table.h: tools/gen_crc.sh\n\t./tools/gen_crc.sh > $@.tmp && mv $@.tmp $@\n\nbuild/crc.o: src/crc_table.h\n' >> Makefile"#,
            r#"mkdir -p cmd
cat > cmd/crc.c <<'E'
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "crc.h"

static volatile sig_atomic_t ended;

static void on_signal(int number)
{
	ended = number;
}

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_handler = on_signal};
	char block[65536];
	size_t len = 0;
	int option, verbose = getenv("CRC_VERBOSE") != NULL;

	while ((option = getopt(argc, argv, "hv")) != -1) {
		switch (option) {
		case 'v':
			verbose = 1;
			break;
		default:
			fprintf(stderr, "usage: %s [-v] < FILE\n", argv[0]);
			return option == 'h' ? 0 : 2;
		}
	}
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	while (!ended && len < sizeof block) {
		ssize_t got = read(STDIN_FILENO, block + len, sizeof block - len);

		if (got < 0 && errno != EINTR) {
			fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
			return 1;
		}
		if (got == 0)
			break;
		if (got > 0)
			len += (size_t)got;
	}
	if (verbose)
		fprintf(stderr, "%zu bytes\n", len);
	printf("%02x\n", crc8(block, len));
	return 0;
}
E
printf '\nbuild/crc: cmd/crc.c $(OBJS)\n\t$(CC) $(CFLAGS) -o $@ $< $(OBJS)\n\nall: build/crc\n' >> Makefile"#,
        ],
        right: r#"make all && test "$(printf 123456789 | ./build/crc)" = f4"#,
    },
    Trial {
        name: "cmake: adds a target, a generated header and presets",
        front: "",
        base: WRAP,
        sessions: [
            r#"cat > src/version.hpp.in <<'E'
#pragma once
#define WRAPPER_VERSION "@PROJECT_VERSION@"
E
cat > src/indent.hpp <<'E'
#pragma once
#include <string>

std::string indent(const std::string &text, unsigned by);
E
cat > src/indent.cpp <<'E'
#include "indent.hpp"

std::string indent(const std::string &text, unsigned by) {
  const std::string space(by, ' ');
  std::string out = space;
  for (char c : text) {
    out += c;
    if (c == '\n')
      out += space;
  }
  return out;
}
E
cat > tests/test_indent.cpp <<'E'
#include "indent.hpp"
#include <cstdlib>

int main() {
  return indent("a\nb", 2) == "  a\n  b" ? EXIT_SUCCESS : EXIT_FAILURE;
}
E
sed -i 's|add_library(wrap src/wrap.cpp)|add_library(wrap src/wrap.cpp src/indent.cpp)|; s|target_include_directories(wrap PUBLIC src)|configure_file(src/version.hpp.in version.hpp @ONLY)\ntarget_include_directories(wrap PUBLIC src ${CMAKE_CURRENT_BINARY_DIR})|' CMakeLists.txt
printf '\nadd_executable(test_indent tests/test_indent.cpp)\ntarget_link_libraries(test_indent PRIVATE wrap)\nadd_test(NAME indents COMMAND test_indent)\n' >> CMakeLists.txt"#,
            r#"cat > CMakePresets.json <<'E'
{
  "version": 3,
  "configurePresets": [
    { "name": "debug", "binaryDir": "build", "cacheVariables": { "CMAKE_BUILD_TYPE": "Debug" } },
    { "name": "release", "binaryDir": "build/release", "cacheVariables": { "CMAKE_BUILD_TYPE": "Release" } }
  ]
}
E
mkdir -p cmd
cat > cmd/main.cpp <<'E'
#include "version.hpp"
#include "wrap.hpp"
#include <cstring>
#include <iostream>
#include <iterator>

int main(int argc, char **argv) try {
  if (argc > 1 && std::strcmp(argv[1], "--version") == 0) {
    std::cout << WRAPPER_VERSION << '\n';
    return 0;
  }
  const unsigned width = argc > 1 ? std::stoul(argv[1]) : 80;
  const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  std::cout << wrap(text, width) << '\n';
} catch (const std::exception &error) {
  std::cerr << argv[0] << ": " << error.what() << '\n';
  return 1;
}
E
printf '\noption(WRAPPER_PROGRAM "Build the program" ON)\nif(WRAPPER_PROGRAM)\n  add_executable(wrapper cmd/main.cpp)\n  target_link_libraries(wrapper PRIVATE wrap)\n  install(TARGETS wrapper)\nendif()\n' >> CMakeLists.txt"#,
        ],
        right: r#"cmake -S . -B build > /dev/null && cmake --build build > /dev/null && test "$(build/wrapper --version)" = 1.0.0"#,
    },
    Trial {
        name: "ruby: compares, enumerates and finds plugins",
        front: "",
        base: WORDS,
        sessions: [
            r##"cat > lib/words/ranking.rb <<'E'
# frozen_string_literal: true

module Words
  # A word and how often it is there.
  class Ranked
    include Comparable

    attr_reader :word, :count

    def initialize(word, count)
      @word = word
      @count = count
    end

    def <=>(other)
      return nil unless other.is_a?(Ranked)

      [-count, word] <=> [-other.count, other.word]
    end

    def eql?(other)
      other.is_a?(Ranked) && (self <=> other).zero?
    end

    def hash
      [word, count].hash
    end

    def to_s
      "#{word} (#{count})"
    end
  end

  class Ranking
    include Enumerable

    def initialize(text)
      @ranked = Words.count(text).map { |word, count| Ranked.new(word, count) }.sort
    end

    def each(&block)
      return enum_for(:each) unless block

      @ranked.each(&block)
    end
  end
end
E
sed -i 's/^require_relative.*/&\nrequire_relative "words\/ranking"/' lib/words.rb
cat > test/test_ranking.rb <<'E'
# frozen_string_literal: true

require "minitest/autorun"
require "words"

class TestRanking < Minitest::Test
  def test_orders
    assert_equal ["b (2)", "a (1)"], Words::Ranking.new("a b b").map(&:to_s)
  end

  def test_same
    assert_equal Words::Ranked.new("a", 1), Words::Ranked.new("a", 1)
    assert_equal 1, [Words::Ranked.new("a", 1), Words::Ranked.new("a", 1)].uniq.size
  end
end
E"##,
            r#"mkdir -p lib/words/formats
printf '# frozen_string_literal: true\n\nWords::Formats.register(:text) { |ranking| ranking.map(&:to_s).join("\\n") }\n' > lib/words/formats/text.rb
printf '# frozen_string_literal: true\n\nrequire "json"\n\nWords::Formats.register(:json) { |ranking| JSON.generate(ranking.to_h { |ranked| [ranked.word, ranked.count] }) }\n' > lib/words/formats/json.rb
cat > lib/words/formats.rb <<'E'
# frozen_string_literal: true

module Words
  # Ways to write a ranking, a file each.
  module Formats
    @known = {}

    class << self
      def register(name, &block)
        @known[name] = block
      end

      def known
        load_all
        @known.keys.sort
      end

      def write(name, ranking)
        load_all
        @known.fetch(name).call(ranking)
      end

      private

      def load_all
        @load_all ||= Dir.glob(File.join(__dir__, "formats", "*.rb")).sort.each { |file| require file }
      end
    end
  end
end
E
sed -i 's/^require_relative "words\/ranking"/&\nrequire_relative "words\/formats"/' lib/words.rb
printf '# frozen_string_literal: true\n\nrequire "minitest/autorun"\nrequire "words"\n\nclass TestFormats < Minitest::Test\n  def test_known\n    assert_equal %%i[json text], Words::Formats.known\n  end\n\n  def test_json\n    assert_equal %%q({"a":1}), Words::Formats.write(:json, Words::Ranking.new("a"))\n  end\nend\n' > test/test_formats.rb"#,
        ],
        right: r#"ruby -Ilib -rwords -e 'exit Words::Formats.known.size == 2'"#,
    },
    Trial {
        name: "ruby: has a gem, a Rakefile, a page from a template and old names",
        front: "",
        base: WORDS,
        sessions: [
            r##"sed -i 's/0.5.0/0.6.0/' lib/words.rb
cat > words.gemspec <<'E'
# frozen_string_literal: true

require_relative "lib/words"

Gem::Specification.new do |spec|
  spec.name = "words"
  spec.version = Words::VERSION
  spec.summary = "Counts words"
  spec.authors = ["Ada"]
  spec.files = Dir["lib/**/*.rb", "README.md"]
  spec.required_ruby_version = ">= 3.0"
end
E
cat > Rakefile <<'E'
# frozen_string_literal: true

require "rake/testtask"

Rake::TestTask.new do |task|
  task.libs << "test"
  task.pattern = "test/test_*.rb"
end

task default: :test
E
cat > lib/words/deprecated.rb <<'E'
# frozen_string_literal: true

module Words
  # Old names, which say who still uses them.
  module Deprecated
    def frequencies(text)
      place = caller_locations(1, 1).first
      warn "#{place.path}:#{place.lineno}: frequencies is now count", category: :deprecated
      count(text)
    end

    def respond_to_missing?(name, include_private = false)
      name.to_s.start_with?("count_") || super
    end

    def method_missing(name, *args)
      return super unless name.to_s.start_with?("count_")

      count(*args).fetch(name.to_s.delete_prefix("count_"), 0)
    end
  end

  extend Deprecated
end
E
sed -i 's/^require_relative.*/&\nrequire_relative "words\/deprecated"/' lib/words.rb
printf '# frozen_string_literal: true\n\nrequire "minitest/autorun"\nrequire "words"\n\nclass TestDeprecated < Minitest::Test\n  def test_old_names\n    assert_equal({ "a" => 1 }, Words.frequencies("a"))\n    assert_equal 2, Words.count_b("b b")\n    assert_raises(NoMethodError) { Words.nothing }\n  end\nend\n' > test/test_deprecated.rb"##,
            r#"mkdir -p lib/words/templates bin
printf '<ul>\n<%% counts.each do |word, count| -%%>\n<li><%%= word %%>: <%%= count %%></li>\n<%% end -%%>\n</ul>\n' > lib/words/templates/list.html.erb
cat > lib/words/page.rb <<'E'
# frozen_string_literal: true

require "erb"

module Words
  module Page
    def self.render(text)
      counts = Words.count(text)
      @template ||= File.read(File.expand_path("templates/list.html.erb", __dir__))
      ERB.new(@template, trim_mode: "-").result_with_hash(counts: counts)
    end
  end
end
E
sed -i 's/^require_relative "words\/count"/&\nrequire_relative "words\/page"/' lib/words.rb
cat > bin/words <<'E'
#!/usr/bin/env ruby
# frozen_string_literal: true

$LOAD_PATH.unshift(File.expand_path("../lib", __dir__))
require "optparse"
require "words"

options = { html: false, debug: ENV.key?("WORDS_DEBUG") }
OptionParser.new do |parser|
  parser.on("--html", "write a page") { options[:html] = true }
end.parse!

started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
at_exit do
  warn format("took %.3f s", Process.clock_gettime(Process::CLOCK_MONOTONIC) - started) if options[:debug]
end
trap("INT") { exit 130 }

text = ARGF.read
puts options[:html] ? Words::Page.render(text) : Words.count(text).map { |pair| pair.join(" ") }
E
chmod +x bin/words
printf '# frozen_string_literal: true\n\nrequire "minitest/autorun"\nrequire "open3"\nrequire "words"\n\nclass TestPage < Minitest::Test\n  def test_page\n    assert_equal "<ul>\\n<li>a: 2</li>\\n</ul>\\n", Words::Page.render("a a")\n  end\n\n  def test_program\n    said, status = Open3.capture2("ruby", "bin/words", stdin_data: "a a")\n    assert status.success?\n    assert_equal "a 2\\n", said\n  end\nend\n' > test/test_page.rb"#,
        ],
        right: r#"test "$(echo a | ruby bin/words)" = 'a 1'"#,
    },
];
