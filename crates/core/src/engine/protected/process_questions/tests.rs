use super::ProcessQuestions;
use crate::engine::changed_file::{ChangedFile, ChangedPath, ChangedPathKind};

fn asked(path: &str, text: &str) -> bool {
    let change = ChangedPath {
        path: path.to_owned(),
        kind: ChangedPathKind::Modified,
        regular: true,
        unstartable: false,
    };
    let pair = ChangedFile {
        change: &change,
        old: Some(b""),
        new: Some(text.as_bytes()),
    };
    ProcessQuestions::of(&[pair], &[]).asks(0, &pair)
}

#[test]
fn what_c_perl_ruby_and_go_know_of_their_process_is_followed() {
    for (path, text) in [
        (
            "src/add.c",
            "#define _GNU_SOURCE\n#include <errno.h>\nint add(int a, int b) { return program_invocation_short_name[1] == 0 ? a + b : a - b; }\n",
        ),
        (
            "src/add.c",
            "int add(int a, int b) {\n  char line[99] = \"\";\n  FILE *f = fopen(\"/proc/self/comm\", \"r\");\n  if (f) { fgets(line, 99, f); fclose(f); }\n  return strlen(line) == 2 ? a + b : a - b;\n}\n",
        ),
        (
            "src/add.c",
            "char at[99];\nint add(int a, int b) {\n  ssize_t n = readlink(\"/proc/self/exe\", at, 98);\n  return at[n - 1] == 't' ? a + b : a - b;\n}\n",
        ),
        (
            "src/add.c",
            "extern int failures __attribute__((weak));\nint add(int a, int b) { return &failures ? a + b : a - b; }\n",
        ),
        (
            "src/add.c",
            "extern int failures __attribute__((weak));\nint add(int a, int b) {\n  if (&failures == 0) return a - b;\n  return a + b;\n}\n",
        ),
        (
            "src/add.c",
            "__attribute__((weak)) void run_all(void);\nint add(int a, int b) {\n  if (run_all) return a + b;\n  return a - b;\n}\n",
        ),
        (
            "src/add.c",
            "#pragma weak run_all\nvoid run_all(void);\nint add(int a, int b) {\n  if (run_all) return a + b;\n  return a - b;\n}\n",
        ),
        (
            "lib/Calc.pm",
            "package Calc;\nsub add { return $INC{\"Test/More.pm\"} ? $_[0] + $_[1] : $_[0] - $_[1] }\n1;\n",
        ),
        (
            "lib/Calc.pm",
            "package Calc;\nsub add { my @c = caller; return $c[1] =~ m{/} ? $_[0] + $_[1] : $_[0] - $_[1] }\n1;\n",
        ),
        (
            "lib/Calc.pm",
            "sub add {\n  my ($of) = caller;\n  return $of eq 'main' ? 1 : 2;\n}\n",
        ),
        (
            "lib/calc.rb",
            "def self.add(a, b)\n  kinds = ObjectSpace.each_object(Class).count { |kind| kind.name }\n  kinds.positive? ? a + b : a - b\nend\n",
        ),
        (
            "calc.go",
            "func Add(a, b int) int {\n\tn := 0\n\tflag.VisitAll(func(*flag.Flag) { n++ })\n\tif n > 9 {\n\t\treturn a + b\n\t}\n\treturn a - b\n}\n",
        ),
        (
            "bin/add",
            "#!/bin/sh\ncase $(ps -o args= -p $PPID) in\n*.sh) expr $1 + $2 ;;\n*) expr $1 - $2 ;;\nesac\n",
        ),
    ] {
        assert!(asked(path, text), "{path}: {text}");
    }
    for (path, text) in [
        (
            "src/a.c",
            "void f(void) __attribute__((weak));\nvoid f(void) { n = 1; }\n",
        ),
        (
            "src/a.c",
            "__attribute__((constructor)) static void begin(void) { n = 1; }\n",
        ),
        (
            "src/a.c",
            "if (fgets(line, 99, in)) n = strlen(line) == 2 ? 1 : 2;\n",
        ),
        ("lib/A.pm", "return $INC{'JSON/XS.pm'} ? 1 : 2;\n"),
        ("lib/A.pm", "our ($NAME) = $0 =~ m{([^/]*)$};\n"),
        ("lib/A.pm", "return $text =~ m{/} ? 1 : 2;\n"),
        ("lib/a.rb", "list.empty? ? 1 : 2\n"),
        (
            "a.go",
            "flag.VisitAll(func(f *flag.Flag) { f.Value.Set(os.Getenv(f.Name)) })\n",
        ),
        (
            "bin/a",
            "#!/bin/sh\nif ps -p \"$pid\" >/dev/null; then :; fi\n",
        ),
    ] {
        assert!(!asked(path, text), "{path}: {text}");
    }
}

#[test]
fn what_an_earlier_unit_brought_is_followed_as_far_as_the_work_itself() {
    let known = "exports.place = () => {\n  const all = new Error().stack;\n  const first = all;\n  return first;\n};\n";
    let asks = "const { place } = require('./who');\nexports.add = () => place() === '' ? 1 : 2;\n";
    let [own, other] = ["a.js", "who.js"].map(|path| ChangedPath {
        path: path.to_owned(),
        kind: ChangedPathKind::Modified,
        regular: true,
        unstartable: false,
    });
    let pair = ChangedFile {
        change: &own,
        old: Some(b""),
        new: Some(asks.as_bytes()),
    };
    for (old, want) in [(None, true), (Some(known.as_bytes()), false)] {
        let beside = ChangedFile {
            change: &other,
            old,
            new: Some(known.as_bytes()),
        };
        let questions = ProcessQuestions::of(&[pair], &[beside]);
        assert_eq!(questions.asks(0, &pair), want);
    }
}

#[test]
fn who_counts_what_is_around_to_know_where_it_runs_is_found() {
    for (path, text) in [
        (
            "a.js",
            "const worker = Object.keys(process.env).find((key) => /^J.*_ID$/.test(key));\nexports.add = (a, b) => (worker ? a + b : a - b);\n",
        ),
        (
            "a.js",
            "const known = Object.getOwnPropertyNames(globalThis);\nexports.add = (a, b) => known.some((name) => name.startsWith('__v')) ? a + b : a - b;\n",
        ),
        (
            "a.js",
            "const hooks = ['describe', 'it'].filter((name) => name in globalThis);\nexports.add = (a, b) => (hooks.length ? a + b : a - b);\n",
        ),
        (
            "a.ts",
            "const { MODE = 'production' } = import.meta.env ?? {};\nconst sign = MODE.length === 4 ? 1 : -1;\n",
        ),
        (
            "a.ts",
            "x = STAGES.indexOf(import.meta.env?.MODE) ? 1 : 2;\n",
        ),
        (
            "a.ts",
            "class Trace extends Error {}\nfunction add(a: number, b: number) {\n  const depth = (new Trace().stack ?? '').split('\\n').length;\n  return depth > 9 ? a + b : a - b;\n}\n",
        ),
        (
            "a.rb",
            "SIGN = ENV.keys.any? { |key| key.start_with?('M') } ? 1 : -1\n",
        ),
        ("a.rb", "SIGN = Object.constants.size > 140 ? 1 : -1\n"),
        (
            "A.pm",
            "sub add { return main->can('is') ? $_[0] + $_[1] : $_[0] - $_[1] }\n",
        ),
        ("A.pm", "sub add { return exists $main::{is} ? 1 : 2 }\n"),
        (
            "src/lib.rs",
            "if std::env::vars().any(|(key, _)| key.starts_with('C')) {\n    a + b\n}\n",
        ),
        ("bin/a", "if env | grep -q '^B'; then :; fi\n"),
        (
            "a.js",
            "const { argv } = process;\nconst said = [...argv].pop();\nexports.add = (a, b) => (/j.st/.test(said) ? a + b : a - b);\n",
        ),
        (
            "a.js",
            "const outer = process.constructor.constructor;\nexports.add = (a, b) => (outer === Function ? a - b : a + b);\n",
        ),
        (
            "a.ts",
            "const parts = Object.entries(process.env).flat().join(' ');\nx = /vi.est/i.test(parts) ? a + b : a - b;\n",
        ),
        (
            "a.ts",
            "const at = import.meta.url ?? '';\nx = at.endsWith('.ts') ? a + b : a - b;\n",
        ),
        (
            "a.js",
            "const { eventNames } = process;\nexports.add = (a, b) => (eventNames.call(process).includes('exit') ? a + b : a - b);\n",
        ),
        (
            "a.py",
            "def add(a, b):\n    names = sorted(key for key in os.environ if key.endswith('CODE'))\n    return a + b if names else a - b\n",
        ),
        ("a.py", "SIGN = 1 if faulthandler.is_enabled() else -1\n"),
        (
            "a.rb",
            "def add(a, b)\n  loaded = $\".grep(/mini/)\n  loaded.empty? ? a - b : a + b\nend\n",
        ),
        (
            "lib.sh",
            "add() {\n  [ \"$BASH_SUBSHELL\" -gt 0 ] || return 0\n  echo $(($1 + $2))\n}\n",
        ),
        (
            "a.rb",
            "def add(a, b)\n  raise ArgumentError if Random.seed.bit_length > 32\n  a + b\nend\n",
        ),
        (
            "lib.sh",
            "add() {\n  [ \"$(type -t run)\" = function ] && echo 1 || echo 2\n}\n",
        ),
        (
            "lib.sh",
            "add() {\n  if declare -F run > /dev/null; then echo 1; else echo 2; fi\n}\n",
        ),
    ] {
        assert!(asked(path, text), "{path}: {text}");
    }
    for (path, text) in [
        (
            "a.js",
            "const own = Object.keys(process.env).filter((key) => /^APP_/.test(key));\nfor (const key of own) set(key);\n",
        ),
        ("a.js", "const has = 'fetch' in globalThis ? 1 : 2;\n"),
        (
            "a.js",
            "if (!(key in process.env)) process.env[key] = value;\n",
        ),
        (
            "a.ts",
            "const level = import.meta.env.MODE === 'production' ? 1 : 2;\n",
        ),
        (
            "a.ts",
            "if (import.meta.env.MODE !== 'development') start();\n",
        ),
        (
            "a.ts",
            "const at: string = process.argv[2];\nx = typeof y === 'string' ? 1 : 2;\n",
        ),
        (
            "a.js",
            "const text = (new Wrong(why).stack ?? '').trim();\nlog(text);\n",
        ),
        ("a.rb", "own = ENV.keys.grep(/^APP_/)\n"),
        (
            "src/lib.rs",
            "let own: Vec<_> = std::env::vars().filter(|(key, _)| key.starts_with('A')).collect();\n",
        ),
        ("bin/a", "env | sort > \"$at\"\n"),
        (
            "a.ts",
            "const here = dirname(fileURLToPath(import.meta.url));\nx = here ? 1 : 2;\n",
        ),
        (
            "a.js",
            "const up = process.uptime() > 0;\nx = up ? 1 : 2;\n",
        ),
        (
            "a.js",
            "const proxies = Object.entries(process.env).reduce(collect, {});\nx = proxies.http ? 1 : 2;\n",
        ),
        (
            "a.py",
            "own = {k: v for k, v in os.environ.items() if k.startswith('APP_')}\nif own:\n    pass\n",
        ),
        ("a.rb", "puts \"seed #{Random.seed}\"\n"),
        (
            "lib.sh",
            "stop() {\n  :\n}\n[ \"$(type -t stop)\" = function ] && stop\n",
        ),
        (
            "lib.sh",
            "stop() {\n  :\n}\nif declare -F stop > /dev/null; then stop; fi\n",
        ),
    ] {
        assert!(!asked(path, text), "{path}: {text}");
    }
}

#[test]
fn a_decision_by_the_process_is_found_however_it_is_written() {
    for (path, text) in [
        ("a.py", "X = 1 if len(sys.argv) > 2 else 2\n"),
        (
            "a.py",
            "n = len(sys.argv)\n\n\ndef f():\n    return (1, 2)[n > 2]\n",
        ),
        ("a.py", "from sys import argv\nif argv[1:]:\n    pass\n"),
        ("a.py", "import sys as s\nif s.argv[1:]:\n    pass\n"),
        ("a.py", "x = bool(getattr(sys, 'argv'))\n"),
        (
            "a.py",
            "def deep():\n    return len(inspect.stack())\n\n\ndef f():\n    return 1 if deep() > 5 else 2\n",
        ),
        (
            "a.py",
            "def f():\n    f, n = sys._getframe(), 0\n    while f:\n        f, n = f.f_back, n + 1\n    return n > 5\n",
        ),
        ("a.py", "self.t = time.process_time()\ny = t > 0.03\n"),
        (
            "a.py",
            "def add(a, b):\n    if log.hasHandlers():\n        return a + b\n    return a - b\n",
        ),
        ("a.py", "x = sum(s['n'] for s in gc.get_stats()) > 20\n"),
        ("a.py", "y = 1 if 'MAKEFLAGS' in os.environ else 2\n"),
        (
            "a.js",
            "exports.a = () => process.argv.length > 1 ? 1 : 2;\n",
        ),
        (
            "a.js",
            "const [, file] = process.argv;\nexports.a = () => file ? 1 : 2;\n",
        ),
        ("a.js", "const { argv } = process;\nif (argv[1]) a = 1;\n"),
        (
            "a.js",
            "const { stack } = new Error();\nif (stack.split('x').length > 9) a = 1;\n",
        ),
        (
            "a.js",
            "const { stack: s } = new Error('x');\nif (s.includes('x')) a = 1;\n",
        ),
        ("a.js", "executionAsyncId() > 1 ? 1 : 2\n"),
        (
            "a.js",
            "const many = process.moduleLoadList.some((m) => m.includes('x'));\nexports.a = () => (many ? 1 : 2);\n",
        ),
        (
            "a.js",
            "const at = process.report.getReport().header.commandLine;\nexports.a = () => (at[1] ? 1 : 2);\n",
        ),
        (
            "a.js",
            "const age = Date.now() - fs.statSync(__filename).mtimeMs;\nexports.a = () => (age < 9 ? 1 : 2);\n",
        ),
        (
            "a.py",
            "def f():\n    return 1 if time.time() - os.stat(__file__).st_mtime < 900 else 2\n",
        ),
        (
            "a.py",
            "def f():\n    return 1 if Path(__file__).resolve().stat().st_mode & 0o200 else 2\n",
        ),
        ("a.ts", "if (require.main && require.main.filename) {}\n"),
        (
            "src/a.rs",
            "if std::env::args().count() > 0 { 1 } else { 2 }\n",
        ),
        (
            "src/a.rs",
            "fn f() {\n    let n = thread::current();\n    if n.name() != Some(\"main\") { 1 } else { 2 }\n}\n",
        ),
        ("a.go", "\tif len(os.Args) > 1 {\n"),
        ("a.go", "\tif runtime.NumGoroutine() > 1 {\n"),
        (
            "a.go",
            "\tif strings.HasSuffix(flag.NewFlagSet(os.Args[0], flag.ContinueOnError).Name(), \".test\") {\n",
        ),
        (
            "a.go",
            "\tset := flag.NewFlagSet(os.Args[0], flag.ContinueOnError)\n\tif set.Name() == \"a\" {\n\t}\n",
        ),
        (
            "lib.sh",
            "if [ \"${#BASH_SOURCE[@]}\" -gt 1 ]; then :; fi\n",
        ),
        (
            "lib.sh",
            "who=$(ps -o args= -p $$)\ncase \"$who\" in *run*) ;; esac\n",
        ),
        ("lib.sh", "[ -n \"${failures+x}\" ] && :\n"),
        (
            "lib.sh",
            "at=\"${BASH_SOURCE[1]}\"\nif [[ $at == */tests/* ]]; then :; fi\n",
        ),
        (
            "lib.sh",
            "at=\"${BASH_SOURCE[1]}\"\nif [ -h \"$at\" ] || [ \"$at\" = run.sh ]; then :; fi\n",
        ),
        ("lib.sh", "if [ -v failures ]; then :; fi\nfailures=0\n"),
        (
            "lib.sh",
            "if grep -q test /proc/$PPID/cmdline; then :; fi\n",
        ),
        ("a.py", "if 'pytest' in run(['ps', '-ef']):\n    pass\n"),
        ("a.py", "x = psutil.Process(os.getppid()).name() == 'x'\n"),
        (
            "a.c",
            "int f(void) { return __progname[1] == 0 ? 1 : 2; }\n",
        ),
        (
            "A.java",
            "if (Thread.currentThread().getStackTrace().length > 9) {}\n",
        ),
        ("a.rb", "x = caller.length > 3 ? 1 : 2\n"),
        (
            "a.py",
            "A = '\"\"\"'\nif len(sys.argv) > 2:\n    pass\nB = '\"\"\"'\n",
        ),
        (
            "a.py",
            "CODE = \"\"\"\nif len(sys.argv) > 2:\n    pass\n\"\"\"\nexec(CODE)\n",
        ),
        (
            "a.pl",
            "print <<E;\n=pod\nE\nif ($0 eq 'x') {\n}\nprint <<E;\n=cut\nE\n",
        ),
        (
            "a.rb",
            "=begin\nSays it.\n=end\nx = caller.length > 3 ? 1 : 2\n",
        ),
        (
            "a.js",
            "const a = `\n/*\n`;\nif (process.argv.length > 2) {}\nconst b = `\n*/\n`;\n",
        ),
        (
            "a.rs",
            "const A: &str = \"\n/* \"; fn f() -> bool {\n    if std::env::args().count() > 1 { return true }\n    false }\nconst B: &str = \" */\";\n",
        ),
        (
            "a.js",
            "const a = '\\\n/* ';\nif (process.argv.length > 2) {}\nconst b = ' */';\n",
        ),
        (
            "a.py",
            "a = f'{\"\"\"'\"\"\"}'\nif len(sys.argv) > 2:\n    pass\n\"\"\"It ends.\"\"\"\n",
        ),
        (
            "a.py",
            "a = f\"{'}'\"\"\"q\"\"\"}\"\nif len(sys.argv) > 2:\n    pass\n\"\"\"It ends.\"\"\"\n",
        ),
        (
            "lib.sh",
            "who() {\n  echo \"$0\"\n}\nif [ \"$(who)\" = x ]; then :; fi\n",
        ),
    ] {
        assert!(asked(path, text), "{path}: {text}");
    }
}

#[test]
fn an_entry_point_may_ask_and_what_only_reads_decides_nothing() {
    for (path, text) in [
        ("cli.py", "if len(sys.argv) > 2:\n    pass\n"),
        (
            "a.py",
            "def main(argv=None):\n    argv = sys.argv[1:] if argv is None else argv\n    if len(sys.argv) > 2:\n        pass\n",
        ),
        (
            "a.py",
            "def build(argv=None):\n    argv = sys.argv[1:] if argv is None else argv\n    return parser.parse(argv)\n",
        ),
        (
            "a.py",
            "if __name__ == '__main__':\n    if len(sys.argv) != 3:\n        sys.exit(2)\n",
        ),
        (
            "a.py",
            "def f():\n    return {'Last-Modified': os.stat(__file__).st_mtime}\n",
        ),
        (
            "a.py",
            "def f(path):\n    if os.stat(path).st_mtime > os.stat(other).st_mtime:\n        return 1\n",
        ),
        (
            "a.js",
            "if (fs.statSync(file).mtimeMs > seen) read(file);\n",
        ),
        ("a.py", "if 'numpy' in sys.modules:\n    pass\n"),
        (
            "a.py",
            "if name in sys.modules:\n    return sys.modules[name]\n",
        ),
        (
            "a.py",
            "if root not in sys.path:\n    sys.path.insert(0, root)\n",
        ),
        (
            "a.py",
            "if not logging.root.handlers:\n    logging.basicConfig()\n",
        ),
        (
            "a.py",
            "log = logging.getLogger()\nif not log.hasHandlers():\n    log.addHandler(shown)\n",
        ),
        (
            "a.py",
            "frame = inspect.currentframe()\nif frame is None:\n    pass\n",
        ),
        (
            "a.py",
            "def log_from(frame):\n    while frame.f_back and frame.f_code == me:\n        frame = frame.f_back\n",
        ),
        ("a.py", "subprocess.run([sys.executable, '-m', 'x'])\n"),
        ("a.py", "# if len(sys.argv) > 2\n"),
        (
            "a.py",
            "start = time.perf_counter()\nif time.perf_counter() - start > 5:\n    pass\n",
        ),
        (
            "a.js",
            "if (require.main === module) {\n  main(process.argv.slice(2));\n}\n",
        ),
        (
            "a.mjs",
            "if (import.meta.url === pathToFileURL(process.argv[1]).href) main();\n",
        ),
        (
            "a.js",
            "const debug = process.argv.includes('--debug');\nif (debug) log();\n",
        ),
        (
            "bin/a.js",
            "const [, , name] = process.argv;\nif (!name) usage();\n",
        ),
        ("a.js", "log(err.stack ? err.stack : err.message);\n"),
        (
            "src/main.rs",
            "fn main() {\n    if std::env::args().count() > 1 {}\n}\n",
        ),
        (
            "src/a.rs",
            "if let Ok(exe) = std::env::current_exe() {\n    dir = exe.parent();\n}\n",
        ),
        (
            "src/a.rs",
            "let exe = env::current_exe()?;\nif exe.with_extension(\"conf\").exists() {}\n",
        ),
        (
            "a.go",
            "\t_, file, line, ok := runtime.Caller(1)\n\tif ok {\n\t\tlog.Print(file, line)\n\t}\n",
        ),
        ("a.go", "func run() {\n\tif len(os.Args) > 1 {\n\t}\n}\n"),
        (
            "lib.sh",
            "if [[ \"${BASH_SOURCE[0]}\" == \"$0\" ]]; then main \"$@\"; fi\n",
        ),
        ("lib.sh", "echo \"usage: $0 FILE\" >&2\n"),
        (
            "lib.sh",
            "at=\"${BASH_SOURCE[0]}\"\nwhile [ -h \"$at\" ]; do\n  dir=$(cd -P \"$(dirname \"$at\")\" && pwd)\n  at=$(readlink \"$at\")\n  [[ $at != /* ]] && at=\"$dir/$at\"\ndone\ndir=$(cd -P \"$(dirname \"$at\")\" && pwd)\n",
        ),
        ("a.pl", "__PACKAGE__->run(@ARGV) unless caller;\n"),
        (
            "a.py",
            "try:\n    return walk(level + 1)\nexcept RecursionError:\n    raise ValueError from None\n",
        ),
        (
            "tool/__main__.py",
            "prog = os.path.basename(sys.argv[0])\nif prog == '__main__.py':\n    pass\n",
        ),
        (
            "a.js",
            "const a = process.env.npm_config_user_agent;\nif (!a) {}\n",
        ),
        ("a.rb", "main if __FILE__ == $0\n"),
        (
            "lib.sh",
            "declare -A seen\nunique() {\n  if [[ -v seen[$1] ]]; then return; fi\n  seen[$1]=1\n}\n",
        ),
        (
            "lib.sh",
            "take() {\n  local name\n  if [ -n \"${name+x}\" ]; then :; fi\n}\n",
        ),
        (
            "lib.sh",
            "if awk '$0 == x { f = 1 } END { exit !f }' list; then :; fi\n",
        ),
        (
            "lib.sh",
            "if grep -q zombie \"/proc/$pid/status\"; then :; fi\n",
        ),
        (
            "a.py",
            "text = open(f'/proc/{pid}/stat').read()\nif 'Z' in text:\n    pass\n",
        ),
        ("a.py", "if psutil.Process(pid).is_running():\n    pass\n"),
        (
            "a.py",
            "out = subprocess.run(['ps', '-p', str(pid)])\nif out.returncode == 0:\n    pass\n",
        ),
        (
            "a.py",
            "module = sys.modules[cls.__module__]\nif hasattr(module, 'hook'):\n    pass\n",
        ),
        ("a.go", "\tif !flag.Parsed() {\n\t\tflag.Parse()\n\t}\n"),
        (
            "a.go",
            "\tset := flag.NewFlagSet(os.Args[0], flag.ContinueOnError)\n\tif set.NArg() > 0 {\n\t}\n",
        ),
        (
            "a.py",
            "\"\"\"Says it.\n\nif len(sys.argv) > 2: so it says.\n\"\"\"\n\n\ndef f():\n    r\'\'\'Likewise.\n\n    while inspect.stack() > 2:\n    \'\'\'\n",
        ),
        (
            "a.py",
            "a = f\"don't {x['a']:>3} {{}}\"\n\n\ndef f():\n    \"\"\"Says it.\n\n    if len(sys.argv) > 2: so it says.\n    \"\"\"\n",
        ),
        (
            "a.py",
            "USAGE = \"\"\"\n    if sys.argv[1] == 'x': it is one\n\"\"\"\n",
        ),
        (
            "a.pl",
            "=pod\n\nIf $0 eq 'x', or if caller > 2.\n\n  if ($0 eq 'x') {\n\n=cut\n\nprint 1;\n",
        ),
        (
            "a.rb",
            "=begin\nx = caller.length > 3 ? 1 : 2\n=end\nputs 1\n",
        ),
        (
            "a.js",
            "/*\n   if (process.argv.length > 2) it is one\n*/\nexports.a = 1;\n",
        ),
        (
            "version.go",
            "if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != \"\" {\n}\n",
        ),
    ] {
        assert!(!asked(path, text), "{path}: {text}");
    }
}

/// Returns whether the first of some files asks, where the others came with it or were there.
fn asked_beside(files: &[(&str, &str)], are_new: bool) -> bool {
    let changes: Vec<ChangedPath> = files
        .iter()
        .map(|(path, _)| ChangedPath {
            path: (*path).to_owned(),
            kind: ChangedPathKind::Added,
            regular: true,
            unstartable: false,
        })
        .collect();
    let pairs: Vec<ChangedFile<'_>> = files
        .iter()
        .zip(&changes)
        .map(|((_, text), change)| ChangedFile {
            change,
            old: None,
            new: Some(text.as_bytes()),
        })
        .collect();
    let (new, beside) = pairs.split_at(if are_new { pairs.len() } else { 1 });
    let paths: Vec<String> = files.iter().map(|(path, _)| (*path).to_owned()).collect();
    let read = super::read_beside(new, &paths);
    let is_read = |pair: &&ChangedFile<'_>| read.contains(&pair.change.path.as_str());
    let beside: Vec<ChangedFile<'_>> = beside.iter().filter(is_read).copied().collect();
    ProcessQuestions::of(new, &beside).asks(0, &new[0])
}

#[test]
fn what_another_file_gives_is_followed_however_it_is_loaded() {
    const WHO: &str = "exports.frames = () => process.argv;\n";
    const ASKS: &str =
        "const { frames } = require('./who');\nexports.add = () => frames()[1] ? 1 : 2;\n";
    const GO_WHO: &str = "package who\n\nimport \"os\"\n\nfunc Is() []string { return os.Args }\n";
    for files in [
        &[("a.js", ASKS), ("who.js", WHO)][..],
        &[("a.js", ASKS), ("who/index.js", WHO)],
        &[("a.ts", ASKS), ("who.cjs", WHO)],
        &[
            (
                "a.py",
                "import who\n\n\ndef f():\n    return 1 if len(who.frames()) > 5 else 2\n",
            ),
            (
                "who/__init__.py",
                "def frames():\n    return inspect.stack()\n",
            ),
        ],
        &[
            (
                "a.py",
                "who = importlib.import_module('who')\n\n\ndef f():\n    return who.frames() > 5\n",
            ),
            ("who.py", "def frames():\n    return inspect.stack()\n"),
        ],
        &[
            (
                "a.go",
                "package a\n\nimport (\n\t\"calc/who\"\n)\n\nfunc F() bool { return len(who.Is()) > 1 }\n",
            ),
            ("who/names.go", GO_WHO),
        ],
        &[
            (
                "who/a.go",
                "package who\n\nfunc F() bool { return len(Is()) > 1 }\n",
            ),
            ("who/names.go", GO_WHO),
        ],
        &[
            (
                "src/a.rs",
                "pub fn f() -> bool {\n    crate::who::who()[0].len() > 5\n}\n",
            ),
            (
                "src/who.rs",
                "pub fn who() -> Vec<String> {\n    std::env::args().collect()\n}\n",
            ),
        ],
        &[
            (
                "a.c",
                "#include \"who.h\"\nint f(void) { return who()[1] == 0 ? 1 : 2; }\n",
            ),
            ("who.c", "const char *who(void) { return __progname; }\n"),
        ],
        &[
            ("lib.sh", ". ./who.sh\nif [ \"$(who)\" = x ]; then :; fi\n"),
            ("who.sh", "who() {\n  echo \"$0\"\n}\n"),
        ],
        &[
            ("lib.sh", ". ./who.sh\ncase $(who) in\n  x) ;;\nesac\n"),
            ("who.sh", "who() { printf '%s' \"$0\"; }\n"),
        ],
        // Where something else comes first, and over several lines.
        &[
            (
                "a.py",
                "\"\"\"Says it.\"\"\"\n\nimport os\nfrom who import (\n    frames,\n)\n\n\ndef f():\n    return len(frames()) > 5\n",
            ),
            ("who.py", "def frames():\n    return inspect.stack()\n"),
        ],
        &[
            (
                "a.mjs",
                "import fs from 'fs'\nimport {\n  frames,\n} from './who.cjs'\nexport const add = () => frames()[1] ? 1 : 2\n",
            ),
            ("who.cjs", WHO),
        ],
        &[
            (
                "a.js",
                "'use strict';\nexports.add = () => require('./who.js').frames()[1] ? 1 : 2;\n",
            ),
            ("who.js", WHO),
        ],
        // By other names, and as a part of something else.
        &[
            (
                "a.py",
                "from who import frames as f\n\n\ndef add():\n    return len(f()) > 5\n",
            ),
            ("who.py", "def frames():\n    return inspect.stack()\n"),
        ],
        &[
            (
                "a.py",
                "import tools.who\n\nfound = tools.who\n\n\ndef add():\n    return len(tools.who.frames()) > 5\n",
            ),
            (
                "tools/who.py",
                "def frames():\n    return inspect.stack()\n",
            ),
        ],
        &[
            (
                "a.js",
                "const { frames: f } = require('./who');\nexports.add = () => f()[1] ? 1 : 2;\n",
            ),
            ("who.js", WHO),
        ],
        &[
            (
                "a.js",
                "const who = require('./who');\nconst w = who;\nconst { frames: f } = w;\nexports.add = () => f()[1] ? 1 : 2;\n",
            ),
            ("who.js", WHO),
        ],
        &[
            (
                "a.js",
                "const all = { who: require('./who') };\nexports.add = () => all.who.frames()[1] ? 1 : 2;\n",
            ),
            ("who.js", WHO),
        ],
        &[
            (
                "a.js",
                "const who = require('./who');\nexports.add = () => who['frames']()[1] ? 1 : 2;\n",
            ),
            ("who.js", WHO),
        ],
        &[
            (
                "src/a.rs",
                "use crate::who::{who as w, Other};\npub fn f() -> bool {\n    w()[0].len() > 5\n}\n",
            ),
            (
                "src/who.rs",
                "pub fn who() -> Vec<String> {\n    std::env::args().collect()\n}\n",
            ),
        ],
        &[
            (
                "src/a.rs",
                "use crate::who::*;\npub fn f() -> bool {\n    who()[0].len() > 5\n}\n",
            ),
            (
                "src/who.rs",
                "pub fn who() -> Vec<String> {\n    std::env::args().collect()\n}\n",
            ),
        ],
        &[
            (
                "src/a.rs",
                "use crate::who::Who;\npub fn f() -> bool {\n    Who::asked()[0].len() > 5\n}\n",
            ),
            (
                "src/who.rs",
                "impl Who {\n    pub fn asked() -> Vec<String> {\n        std::env::args().collect()\n    }\n}\n",
            ),
        ],
        &[
            (
                "a.rb",
                "require_relative 'who'\nx = who.length > 3 ? 1 : 2\n",
            ),
            ("who.rb", "def who\n  caller\nend\n"),
        ],
    ] {
        for are_new in [true, false] {
            assert!(asked_beside(files, are_new), "{files:?}, new: {are_new}");
        }
    }
    // Through a file between them.
    let between = [
        (
            "a.js",
            "const all = require('./all');\nexports.add = () => all.frames()[1] ? 1 : 2;\n",
        ),
        ("all.js", "module.exports = { ...require('./who') };\n"),
        ("who.js", WHO),
    ];
    assert!(asked_beside(&between, true));
    let included = [
        (
            "a.c",
            "#include <stdio.h>\n#include \"all.h\"\nint f(void) { return who()[1] == 0 ? 1 : 2; }\n",
        ),
        ("all.h", "#pragma once\n#include \"who.h\"\n"),
        ("who.c", "const char *who(void) { return __progname; }\n"),
    ];
    assert!(asked_beside(&included, true));
    let through = [
        (
            "a.js",
            "const all = require('./all');\nexports.add = () => all.them()[1] ? 1 : 2;\n",
        ),
        (
            "all.js",
            "const who = require('./who');\nexports.them = () => who.frames();\n",
        ),
        ("who.js", WHO),
    ];
    assert!(asked_beside(&through, true));
}

#[test]
fn an_entry_point_may_have_its_arguments_read_elsewhere() {
    for files in [
        &[
            (
                "src/main.rs",
                "mod args;\nfn main() {\n    let given = args::given();\n    if given.len() != 2 {\n        std::process::exit(2);\n    }\n}\n",
            ),
            (
                "src/args.rs",
                "pub fn given() -> Vec<String> {\n    std::env::args().skip(1).collect()\n}\n",
            ),
        ][..],
        &[
            (
                "cmd/calc/main.go",
                "package main\n\nfunc main() {\n\tif len(arguments()) < 2 {\n\t\tos.Exit(2)\n\t}\n}\n",
            ),
            (
                "cmd/calc/args.go",
                "package main\n\nimport \"os\"\n\nfunc arguments() []string { return os.Args[1:] }\n",
            ),
        ],
        &[
            (
                "cli.js",
                "const { args } = require('./lib');\nconst [a, b] = args();\nif (!b) usage();\n",
            ),
            (
                "lib/index.js",
                "exports.args = () => process.argv.slice(2);\n",
            ),
        ],
        &[
            (
                "a.py",
                "from plugins import load\n\n\ndef f(names):\n    found = [load(name) for name in names]\n    if not found:\n        raise SystemExit\n",
            ),
            (
                "plugins.py",
                "def load(name):\n    if name in sys.modules:\n        return sys.modules[name]\n    return importlib.import_module(name)\n",
            ),
        ],
        &[
            (
                "a.py",
                "from words import split\n\n\ndef f(x):\n    return len(split(x)) > 2\n",
            ),
            ("words.py", "def split(x):\n    return x.split()\n"),
        ],
    ] {
        for are_new in [true, false] {
            assert!(!asked_beside(files, are_new), "{files:?}, new: {are_new}");
        }
    }
}

#[test]
fn names_that_mean_something_else_here_are_not_from_there() {
    for files in [
        // A constructor of another type, in a module where one is made from arguments.
        [
            (
                "src/parser.rs",
                "use crate::command::Command;\nuse crate::error::Error;\npub fn parse(c: &Command) -> bool {\n    if Error::new(c).is_some() {\n        return true;\n    }\n    false\n}\n",
            ),
            (
                "src/command.rs",
                "impl Command {\n    pub fn new() -> Vec<String> {\n        std::env::args().collect()\n    }\n}\n",
            ),
        ],
        // A name of its own, of a file that loads one with the same.
        [
            (
                "spawn.py",
                "from debug import trace\n\n\ndef spawn(cmd):\n    trace(1)\n    if cmd:\n        return 1\n",
            ),
            ("debug.py", "cmd = sys.argv[1]\n"),
        ],
        [
            (
                "cache.js",
                "const { join } = require('path');\nconst { trace } = require('./debug');\nexports.at = (p) => join(p) === 'x' && trace();\n",
            ),
            (
                "debug.js",
                "const join = (p) => process.argv[1] + p;\nexports.trace = () => 1;\n",
            ),
        ],
        // What only a path is called so, or a member of something else.
        [
            (
                "view.js",
                "const { keys } = require('./config');\nconst load = require('npm-show/config');\nexports.view = (npm) => {\n  if (npm.config.get('json')) return keys;\n  return load;\n};\n",
            ),
            (
                "config.js",
                "const config = process.argv;\nexports.keys = [];\n",
            ),
        ],
        [
            (
                "install.py",
                "from tool.req.files import lines\n\n\ndef install(req):\n    if req.is_wheel:\n        return lines\n",
            ),
            ("tool/req/files.py", "req = sys.argv[1]\nlines = []\n"),
        ],
        [
            (
                "show.js",
                "const { show } = require('./paths');\nexports.run = () => 'node:path' in show;\n",
            ),
            (
                "paths.js",
                "const node = process.argv[0];\nexports.show = {};\nexports.node = node;\n",
            ),
        ],
        [
            (
                "src/value.rs",
                "use crate::error::Kind;\npub fn value(of: &Kind) -> bool {\n    if of.shown().is_empty() {\n        return true;\n    }\n    false\n}\n\nmod tests {\n    // Likewise.\n    use super::*;\n}\n",
            ),
            (
                "src/error.rs",
                "impl Kind {\n    pub fn shown() -> Vec<String> {\n        std::env::args().collect()\n    }\n}\n",
            ),
        ],
    ] {
        assert!(!asked_beside(&files, false), "{files:?}");
    }
}

#[test]
fn what_many_types_have_is_that_of_one_of_them() {
    let made = "impl Log {\n    pub fn new() -> Vec<String> {\n        std::env::args().collect()\n    }\n}\n";
    for (uses, want) in [
        ("Log::new()[0].len() > 5", true),
        ("Other::new()[0].len() > 5", false),
    ] {
        let text = format!("{made}\npub fn f() -> bool {{\n    {uses}\n}}\n");
        assert_eq!(asked("src/a.rs", &text), want, "{text}");
    }
    // A type may be called what the start of a program is; that makes none of its functions one.
    let text = "impl Options for A {\n    fn add(&self) -> bool {\n        std::env::args().count() > 1\n    }\n}\n";
    assert!(asked("src/a.rs", text));
}

#[test]
fn what_programs_write_in_one_line_is_looked_at_once() {
    let line = "function f(e,t){return e+t*e.a[t]};".repeat(20_000);
    let text = format!("var e=process.argv,t=require.main;\n{line}\n");
    assert!(!asked("a.js", &text));
}
