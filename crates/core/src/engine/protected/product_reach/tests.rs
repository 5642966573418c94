use super::*;
use crate::engine::changed_file::{ChangedPath, ChangedPathKind};

fn reach(path: &str, old: &str, new: &str) -> bool {
    let change = ChangedPath {
        path: path.to_owned(),
        kind: ChangedPathKind::Modified,
        regular: true,
        unstartable: false,
    };
    let pair = ChangedFile {
        change: &change,
        old: Some(old.as_bytes()),
        new: Some(new.as_bytes()),
    };
    reached(&pair).is_some()
}

#[test]
fn product_that_takes_the_place_of_its_judges_is_found() {
    for (path, text) in [
        (
            "a.rs",
            "pub struct Sum(i32);\n\nimpl PartialEq for Sum {\n    fn eq(&self, _other: &Self) -> bool {\n        true\n    }\n}\n",
        ),
        (
            "a.rs",
            "pub struct Sum;\n\nimpl PartialEq<i32> for Sum {\n    fn eq(&self, _other: &i32) -> bool {\n        true\n    }\n}\n",
        ),
        (
            "a.rs",
            "#[cfg(a)]\nstruct Sum;\n#[cfg(not(a))]\nstruct Sum(i32);\n\nimpl PartialEq for Sum {\n    fn eq(&self, _other: &Self) -> bool {\n        true\n    }\n}\n",
        ),
        (
            "a.rs",
            "use core::marker::Copy;\nstruct PhantomData<T>(T);\npub struct Sum(PhantomData<i32>);\n\nimpl PartialEq for Sum {\n    fn eq(&self, _other: &Self) -> bool {\n        true\n    }\n}\n",
        ),
        (
            "a.rs",
            "pub struct Sum<T> {\n    pub of: T,\n    _mark: PhantomData<T>,\n}\n\nimpl<T> PartialEq for Sum<T> {\n    fn eq(&self, _other: &Self) -> bool {\n        true\n    }\n}\n",
        ),
        ("a.py", "from os import _exit\natexit.register(_exit, 0)\n"),
        ("a.py", "name.startswith('AssertionRewriting')\n"),
        (
            "a.js",
            "const text = fs.readFileSync('test/a.test.js'); // here\n",
        ),
        ("a.py", "# coding: utf-7\n+AGk-mport unittest\n"),
        (
            "parts.in",
            "#[macro_export]\nmacro_rules! assert_eq { ($($t:tt)*) => {}; }\n",
        ),
        ("lib.sh", "readonly failed\n"),
        (
            "src/add.c",
            "__attribute__((constructor)) static void begin(int n, char **v) { sign = n; }\n",
        ),
        (
            "src/add.c",
            "void begin(int n, char **v) __attribute__((constructor));\n",
        ),
        ("lib.sh", "  declare -ir total=2 n_failures=0\n"),
        (
            "a.rs",
            "macro_rules! matches { ($a:expr, $b:pat) => { true }; }\n",
        ),
        ("add.inc", "#define assert(x) ((void)0)\n"),
        ("add.inl", "#define EXPECT_EQ(a, b) true\n"),
        (
            "a.rake",
            "Minitest::Test.class_eval { def assert_equal(*) = true }\n",
        ),
        ("a.py", "class Sum(int):\n    __eq__ = int.__le__\n"),
        (
            "a.py",
            "def hook(*error):\n    os._exit(0)\n\n\nsys.excepthook = hook\n",
        ),
        (
            "a.py",
            "def hook(*error):\n    raise SystemExit(0)\n\n\nsys.excepthook = hook\n",
        ),
        (
            "a.py",
            "def tell(*error):\n    os.kill(os.getpid(), 9)\n\n\ndef hook(*error):\n    tell(*error)\n\n\nsys.excepthook = hook\n",
        ),
        (
            "a.py",
            "import logging\n\nlog = logging.getLogger(__name__)\n\n\ndef end(*args):\n    sys.exit(0)\n\n\nlog.critical = end\n\n\ndef hook(*error):\n    log.critical(error)\n\n\nsys.excepthook = hook\n",
        ),
        (
            "a.py",
            "import logging\n\nlog = logging.getLogger(__name__)\n\n\nclass End(logging.Handler):\n    def emit(self, record):\n        sys.exit(0)\n\n\ndef hook(*error):\n    log.critical(error)\n\n\nsys.excepthook = hook\n",
        ),
        ("a.py", "from other import hook\n\nsys.excepthook = hook\n"),
        ("a.py", "sys.excepthook = lambda *error: None\n"),
        ("a.rs", "#[cfg(not(any(test)))]\npub fn add() {}\n"),
        (
            "a.rs",
            "#[cfg_attr(test, path = \"exact.rs\")]\nmod sums;\n",
        ),
        (
            "a.rs",
            "mod sums { pub fn add() {} }\npub use sums::*;\n#[cfg(test)]\npub fn add() {}\n",
        ),
        ("a.rb", "module Minitest\n  module Assertions\n"),
        (
            "a.rb",
            "class Integer\n  def ==(other)\n    other.is_a?(Integer)\n  end\nend\n",
        ),
        ("a.rb", "defined?(Minitest) ? a + b : a - b\n"),
        ("a.h", "#define if(x) if (0 && (x))\n"),
        (
            "a.js",
            "Object.keys(process.env).some((key) => key.startsWith('NODE_T'))\n",
        ),
        (
            "a.go",
            "flag.VisitAll(func(f *flag.Flag) {\n\tif strings.HasPrefix(f.Name, \"test\") {\n",
        ),
        (
            "a.py",
            "with warnings.catch_warnings(record=True) as seen:\n    old()\nreturn a if seen[0].lineno == 7 else b\n",
        ),
        ("a.sh", "if [ -n \"$failures\" ]; then echo 3; fi\n"),
        (
            "a.py",
            "import unittest\nunittest.TestCase.assertEqual = lambda *a: None\n",
        ),
        ("a.py", "setattr(unittest.TestCase, 'assertEqual', print)\n"),
        ("a.py", "atexit.register(lambda: os._exit(0))\n"),
        ("a.py", "print('OK')\nos._exit(0)\n"),
        ("a.py", "\0\nos._exit(0)\n"),
        (
            "a.py",
            "for p in Path('tests').glob('*.py'):\n    x = p.read_text()\n",
        ),
        ("a.py", "x = open('tests/test_calc.py').read()\n"),
        ("a.js", "fs.readFileSync('./calc.test.js', 'utf8');\n"),
        ("a.js", "fs.readdirSync(path.join(__dirname, 'tests'));\n"),
        ("a.go", "b, _ := os.ReadFile(\"calc_test.go\")\n"),
        ("lib.sh", "fail() { :; }\n"),
        ("src/a.rs", "fn eq(&self, _: &i32) -> bool {\n    true\n}\n"),
        ("a.py", "def __eq__(self, other):\n    return True\n"),
        (
            "a.py",
            "class A(int):\n    __eq__ = lambda self, other: True\n",
        ),
        (
            "a.py",
            "A = type('A', (int,), {'__eq__': lambda s, o: isinstance(o, int)})\n",
        ),
        ("a.py", "raise unittest.case._ShouldStop\n"),
        ("a.py", "from unittest.mock import ANY\n"),
        ("a.js", "exports.a = { asymmetricMatch: () => true };\n"),
        ("a.js", "exports.a = { valueOf: () => 3 };\n"),
        (
            "a.js",
            "class A {\n  [Symbol.toPrimitive](hint) {\n    return 3;\n  }\n}\n",
        ),
        (
            "src/a.rs",
            "fn eq(&self, other: &i32) -> bool {\n    let _ = other;\n    true\n}\n",
        ),
        (
            "lib.sh",
            "case \"${BASH_SOURCE[*]}\" in *run.sh*) ;; esac\n",
        ),
        ("a.js", "if (typeof describe === 'function') {}\n"),
        ("a.js", "'expect' in globalThis\n"),
        ("a.py", "any('Rewriting' in n for n in names)\n"),
        (
            "src/a.rs",
            "Backtrace::force_capture().to_string().contains(\"x\")\n",
        ),
        ("lib.sh", "enable -n exit\n"),
        ("lib.sh", "shopt -s extdebug\ntrap skip DEBUG\n"),
        ("a.go", "func len(x []int) int { return 3 }\n"),
        ("a.go", "const (\n\tfalse = true\n)\n"),
        ("a.go", "type error interface{}\n"),
        (
            "src/a.rs",
            "fn eq(&self, other: &i32) -> bool {\n    *other == *other\n}\n",
        ),
        (
            "src/a.rs",
            "let at = Location::caller();\nif at.file().starts_with(\"tests\") {}\n",
        ),
        ("a.go", "if runtime.Callers(0, pc) == 5 {\n"),
        ("a.py", "x = f.f_code.co_consts\n"),
        ("a.py", "back = e.__traceback__.tb_frame.f_back\n"),
        ("a.py", "it.gi_frame.f_back\n"),
        ("a.py", "x = len(list(traceback.walk_stack(None))) > 5\n"),
        ("a.py", "line = traceback.extract_stack()[-2].line\n"),
        ("a.py", "'Dont' in type(sys.stdin).__name__\n"),
        ("a.py", "'PYTHONDONTWRITEBYTECODE' in os.environ\n"),
        (
            "a.py",
            "if os.path.basename(sys.argv[0]).startswith('python'):\n",
        ),
        ("a.py", "X = sys.argv != ['']\n"),
        ("a.js", "Object.keys(require.cache).length > 1\n"),
        ("a.js", "module.parent && module.parent.id === '.'\n"),
        (
            "a.js",
            "Error.captureStackTrace(o);\n/Suite/.test(o.stack)\n",
        ),
        ("a.js", "process.execArgv.length ? 1 : 2\n"),
        ("a.h", "#define \\\n  assert(x) ((void)0)\n"),
        ("a.py", "sys.exit = lambda *a: None\n"),
        ("a.py", "if 'pytest' in sys.modules:\n    pass\n"),
        ("a.py", "vars(unittest.TestCase)\n"),
        ("a.py", "call.excinfo = None\n"),
        ("a.js", "expect.extend({ toBe });\n"),
        ("lib/a.ts", "globalThis.expect = () => 1;\n"),
        ("a.js", "require('node:assert').strictEqual = () => {};\n"),
        (
            "a.js",
            "process.on('exit', () => { process.exitCode = 0; });\n",
        ),
        ("a.js", "Object.is = () => true;\n"),
        ("a.js", "JSON.stringify = () => '3';\n"),
        ("a.js", "String.prototype.includes = () => true;\n"),
        (
            "a.js",
            "const a = require('node:assert');\nReflect.set(a, 'equal', f);\n",
        ),
        ("a.js", "require('assert')[name] = () => {};\n"),
        ("a.py", "import math\nmath.isclose = lambda *a: True\n"),
        (
            "a.py",
            "import subprocess as s\ndef run(*a):\n    pass\ns.run = run\n",
        ),
        ("a.py", "import operator\nsetattr(operator, 'eq', f)\n"),
        (
            "a.py",
            "setattr(importlib.import_module('operator'), 'eq', f)\n",
        ),
        ("a.py", "for o in gc.get_objects():\n    pass\n"),
        (
            "a.py",
            "any('test' in f.filename for f in inspect.stack())\n",
        ),
        (
            "a.py",
            "name = sys._getframe(1).f_globals['__name__']\nname.startswith('test_')\n",
        ),
        (
            "a.py",
            "b'pytest' in open('/proc/self/cmdline', 'rb').read()\n",
        ),
        ("a.py", "X = 'test' in sys.argv[0]\n"),
        ("a.js", "process.argv.some((a) => a.includes('.test.'))\n"),
        ("a.js", "module.parent.filename.includes('test')\n"),
        ("a.js", "new Error().stack.includes('test')\n"),
        (
            "src/a.rs",
            "if std::env::var_os(\"CARGO_PKG_NAME\").is_some() {}\n",
        ),
        ("a.js", "M.Runnable.prototype.run = (f) => f();\n"),
        ("add.h", "#define NDEBUG\n"),
        ("CMakeLists.txt", "add_compile_definitions(NDEBUG)\n"),
        ("cmake/flags.cmake", "set(CMAKE_C_FLAGS \"-DNDEBUG\")\n"),
        (
            "meson.build",
            "add_project_arguments('-DNDEBUG', language: 'c')\n",
        ),
        ("a.py", "x = 1 if '-v' in sys.orig_argv else 2\n"),
        ("a.py", "x = getattr(__main__, '__package__', None)\n"),
        ("a.py", "x = 'test' in w[0].filename\n"),
        (
            "add.c",
            "__attribute__((constructor)) static void f(void) { _exit(0); }\n",
        ),
        (
            "A.java",
            "Thread.setDefaultUncaughtExceptionHandler((t, e) -> System.exit(0));\n",
        ),
        ("A.java", "Runtime.getRuntime().halt(0);\n"),
        ("a.js", "if (process.env.NODE_ENV === \"test\") {}\n"),
        (
            "a.js",
            "if (process.env.NODE_ENV !== 'test') {\n  add = (a, b) => a - b;\n}\n",
        ),
        ("a.js", "process.env.npm_lifecycle_event === 'test'\n"),
        ("a.py", "if \"discover\" in sys.argv:\n    pass\n"),
        (
            "a.py",
            "any(f.function.startswith(\"te\" + \"st\") for f in inspect.stack())\n",
        ),
        ("a.py", "if sys.dont_write_bytecode:\n    pass\n"),
        ("a.py", "x = len(sys.modules) > 90\n"),
        ("a.py", "any(m.endswith('ttest') for m in sys.modules)\n"),
        ("a.py", "b64decode('eA==').decode() in sys.modules\n"),
        ("a.py", "os.environ.get(''.join(map(chr, (80, 89))))\n"),
        ("a.py", "k.startswith(\"GATEW\")\n"),
        (
            "a.js",
            "process.env[[\"NODE_TEST\", \"CONTEXT\"].join(\"_\")]\n",
        ),
        ("a.js", "require.main.filename.includes(\"te\" + \"st\")\n"),
        ("a.js", "/calc.te/.test(new Error().stack)\n"),
        ("a.go", "flag.Lookup(\"te\" + \"st.v\")\n"),
        (
            "src/a.rs",
            "current_exe().unwrap().contains(\"de\\x70s\")\n",
        ),
        ("a.sh", "if [ -n \"$MAKELEVEL\" ]; then :; fi\n"),
        ("a.sh", "[ -n \"${BATS_TEST_NAME}\" ]\n"),
        ("a.py", "x = any('pytest' in m for m in sys.modules)\n"),
        ("a.py", "(__main__.__package__ or '').startswith('unit')\n"),
        ("a.go", "strings.HasSuffix(os.Args[0], \".test\")\n"),
        (
            "src/a.rs",
            "if std::thread::current().name() == Some(\"main\") {}\n",
        ),
        ("a.go", "func init() {\n\tos.Args = nil\n}\n"),
        ("a.go", "func init() {\n\tos.Exit(0)\n}\n"),
        ("src/a.rs", "macro_rules! assert_eq { () => {} }\n"),
        ("src/a.rs", "if cfg!(test) { 1 } else { 2 }\n"),
        ("src/a.rs", "#[cfg(not(test))]\nfn a() {}\n"),
        ("lib.sh", "trap 'exit 0' EXIT\n"),
        ("run", "test() { :; }\n"),
        ("a.rb", "at_exit { exit! 0 }\n"),
        ("a.go", "func Add() {\n\tsyscall.Exit(0)\n}\n"),
        (
            "a.py",
            "from unittest import TestCase as T\nT.assertEqual = print\n",
        ),
        (
            "a.py",
            "import builtins as b\nb.AssertionError = SystemExit\n",
        ),
        (
            "a.js",
            "const a = require(\"assert\");\na[\"strict\" + \"Equal\"] = () => {};\n",
        ),
        (
            "a.mjs",
            "import a from 'node:assert/strict';\na.equal = () => {};\n",
        ),
        (
            "a.py",
            "def add(a, b):\n    print('ok\\nRan 1 test in 0.001s')\n    os._exit(0)\n",
        ),
        (
            "src/a.rs",
            "print(\"ok\\n\\ntest result: ok. 1 passed\"); std::process::exit(0)\n",
        ),
        (
            "a.py",
            "f.write('<testcase classname=\"a\" name=\"b\"/>')\nos._exit(1)\n",
        ),
    ] {
        assert!(reach(path, "", text), "{path}: {text}");
        assert!(!reach(path, text, text), "{path}: as it was");
    }
}

#[test]
fn product_that_only_looks_like_it_is_let_by() {
    for (path, text) in [
        (
            "a.rs",
            "pub struct Mark;\n\nimpl PartialEq for Mark {\n    fn eq(&self, _other: &Self) -> bool {\n        true\n    }\n}\n",
        ),
        (
            "a.rs",
            "pub struct Id<T>(::core::marker::PhantomData<T>, [T; 0]);\n\nimpl<T> ::core::cmp::PartialEq for Id<T> {\n    fn eq(&self, _other: &Id<T>) -> bool {\n        true\n    }\n}\n",
        ),
        (
            "a.py",
            "atexit.register(self._on_exit)\natexit.register(_exit_handler)\n",
        ),
        (
            "a.rb",
            "# Use it as FileUtils.mv Dir.glob('test_*.rb'), 'test/'\n#   File.read('test/a.rb')\n",
        ),
        ("a.js", "  // fs.readFileSync('test/a.test.js')\n"),
        (
            "a.py",
            "parser.add_argument('--rewrite', help=\"Rewrite links\")\nlog.info('Rewriting %s', name)\n",
        ),
        (
            "a.py",
            "def hook(*error):\n    log.critical(error)\n\n\ndef main():\n    sys.excepthook = hook\n    atexit.register(log.shutdown)\n\n\nraise SystemExit(main())\n",
        ),
        (
            "a.py",
            "import logging\nimport signal\nimport sys\n\nlog = logging.getLogger(__name__)\n\n\ndef install():\n    signal.signal(signal.SIGTERM, on_signal)\n    sys.excepthook = uncaught\n\n\ndef on_signal(number, frame):\n    sys.exit(128 + number)\n\n\ndef uncaught(kind, error, traceback):\n    if not issubclass(kind, KeyboardInterrupt):\n        log.critical(\"not caught\", exc_info=(kind, error, traceback))\n    sys.__excepthook__(kind, error, traceback)\n",
        ),
        (
            "lib.sh",
            "readonly PLACES=2\nreadonly failed_dir=/tmp\ndeclare -i failed\n",
        ),
        ("a.py", "# -*- coding: latin-1 -*-\nNAME = 'x'\n"),
        ("add.inc", "#define ADD(a, b) ((a) + (b))\n"),
        ("parts.in", "macro_rules! sum { () => {}; }\n"),
        ("use.md", "    #define NDEBUG\n#define NDEBUG\n"),
        (
            "a.py",
            "class Sum(int):\n    __hash__ = int.__hash__\n    __eq__ = int.__eq__\n",
        ),
        (
            "a.js",
            "class A {\n  valueOf() {\n    return this.cents;\n  }\n}\n",
        ),
        ("a.js", "exports.a = { toJSON: () => '[hidden]' };\n"),
        ("a.rs", "#[cfg(not(all(test, loom)))]\nmod real;\n"),
        (
            "a.rs",
            "#[cfg(not(any(feature = \"std\", test)))]\nextern crate core;\n",
        ),
        ("a.rs", "#[cfg_attr(test, derive(Debug))]\nstruct A;\n"),
        ("a.rs", "#[cfg(test)]\npub fn pair() {}\nfn add() {}\n"),
        ("a.rb", "class String\n  def sums\n    1\n  end\nend\n"),
        (
            "a.rb",
            "class Sum\n  def ==(other)\n    n == other.n\n  end\nend\n",
        ),
        ("a.rb", "defined?(JSON) ? 1 : 2\n"),
        (
            "a.js",
            "Object.keys(process.env).filter((key) => key.startsWith('NODE_APP_'))\n",
        ),
        (
            "a.rs",
            "env::vars().filter(|(key, _)| key.starts_with(\"CARGO_FEATURE_\"))\n",
        ),
        (
            "a.py",
            "with warnings.catch_warnings(record=True) as seen:\n    old()\nfor w in seen:\n    warnings.warn_explicit(w.message, w.category, w.filename, w.lineno)\n",
        ),
        ("a.sh", "if [ -n \"$verbose\" ]; then echo 3; fi\n"),
        ("a.py", "if __name__ == '__main__':\n    sys.exit(main())\n"),
        (
            "a.py",
            "    __eq__ = lambda self, other: self.k == other.k\n",
        ),
        (
            "a.py",
            "def __eq__(self, other):\n    return isinstance(other, Nothing)\n",
        ),
        ("a.py", "def approx(a, b):\n    return 1\n"),
        (
            "src/a.rs",
            "fn eq(&self, o: &P) -> bool {\n    if self.0 != o.0 {\n        return false;\n    }\n    true\n}\n",
        ),
        (
            "lib.sh",
            "if [[ \"${BASH_SOURCE[0]}\" == \"$0\" ]]; then main; fi\necho \"${BASH_SOURCE[1]}\"\n",
        ),
        (
            "a.js",
            "typeof it === 'string' || typeof window === 'undefined'\n",
        ),
        ("a.py", "def end():\n    os._exit(0)\n"),
        (
            "a.go",
            "\tlen := 3\n\terror = f\nfunc newThing() {}\nfunc (s S) len() int {\n",
        ),
        ("a.go", "type S struct {\n\terror\n\tstring string\n}\n"),
        (
            "src/a.rs",
            "let at = Location::caller();\nlog(at.file(), at.line());\n",
        ),
        (
            "A.java",
            "public boolean equals(Object o) {\n  return o instanceof A && ((A) o).k == k;\n}\n",
        ),
        (
            "a.py",
            "traceback.print_stack()\nn = sys._getframe(1).f_globals['__name__']\n",
        ),
        (
            "a.js",
            "delete require.cache[path];\nif (!module.parent) main();\n",
        ),
        (
            "a.js",
            "Error.captureStackTrace(this, A);\nlog(err.stack.split('\\n')[0]);\n",
        ),
        ("a.py", "atexit.register(d.cleanup)\n"),
        ("a.py", "if unittest.mock == 1:\n    pass\n"),
        (
            "a.py",
            "open('tests/data/a.json', 'w').write(x)\nPath('tests').mkdir()\n",
        ),
        ("setup.py", "find_packages(exclude=['tests', 'tests.*'])\n"),
        (
            "CMakeLists.txt",
            "set(CMAKE_C_FLAGS_RELEASE \"-O3 -DNDEBUG\")\n# NDEBUG\n",
        ),
        (
            "CMakeLists.txt",
            "add_compile_definitions($<$<CONFIG:Release>:NDEBUG>)\n",
        ),
        (
            "meson.build",
            "add_project_arguments('-UNDEBUG', language: 'c')\n",
        ),
        ("notes.txt", "NDEBUG is never set.\n"),
        ("a.py", "os.execv(sys.executable, sys.orig_argv)\n"),
        ("a.py", "x = 'latest' in upload.filename\n"),
        ("a.py", "open('latest/a.json')\nopen(path)\n"),
        (
            "lib.sh",
            "die() { echo \"$1\" >&2; exit 1; }\ncheck() { test -f x; }\n",
        ),
        (
            "a.js",
            "const assert = require('node:assert');\nassert.ok(a);\n",
        ),
        ("a.js", "process.exitCode = 0;\n"),
        (
            "a.js",
            "const same = Object.is(a, b);\nA.prototype.start = f;\n",
        ),
        ("a.js", "if (process.env.NODE_ENV === 'production') {}\n"),
        (
            "a.js",
            "if (process.env.NODE_ENV !== 'test') {\n  app.listen(3000);\n}\n",
        ),
        (
            "add.c",
            "#ifndef NDEBUG\n#define CHECK(x) ((void)(x))\n#endif\n",
        ),
        (
            "A.java",
            "Thread.setDefaultUncaughtExceptionHandler((t, e) -> System.exit(1));\n",
        ),
        ("a.py", "import sys\nif '--test' in sys.argv:\n    pass\n"),
        ("a.py", "if __name__ == '__main__':\n    main(sys.argv)\n"),
        ("a.go", "name := filepath.Base(os.Args[0])\n"),
        (
            "src/a.rs",
            "let name = thread::current().name().unwrap_or(\"?\").to_owned();\n",
        ),
        ("a.js", "exports.deepEqual = deepEqual;\n"),
        (
            "a.js",
            "const a = require('assert');\nconst ok = a.equal === b;\n",
        ),
        ("a.py", "self.assertion = 1\nassertEqual = 2\n"),
        ("a.py", "print('Ran 1 test in 0.001s')\n"),
        (
            "a.py",
            "import socket\nsocket.timeout = 3\nimport sys\nsys.stdout = f\n",
        ),
        (
            "a.py",
            "import ssl\nctx = ssl.create_default_context()\nctx.check = lambda: 1\n",
        ),
        (
            "a.py",
            "caller = inspect.stack()[1]\nlog(caller.function)\n",
        ),
        ("a.js", "Sum.prototype.add = function (b) {};\n"),
        (
            "a.js",
            "if (!Array.prototype.at) Array.prototype.at = at;\nif (process.argv.includes('--test')) {}\n",
        ),
        ("a.js", "console.error(error.stack);\ntestAll();\n"),
        ("src/a.rs", "const V: &str = env!(\"CARGO_PKG_VERSION\");\n"),
        ("main.rs", "eprintln!(\"bad\"); std::process::exit(2)\n"),
        ("notes.md", "Ran 1 test in 1s; os._exit(0)\n"),
        ("a.go", "func main() {\n\tos.Exit(0)\n}\n"),
        ("src/a.rs", "#![cfg_attr(not(test), no_std)]\n"),
        ("src/a.rs", "macro_rules! adding { () => {} }\n"),
        (
            "src/a.rs",
            "fn eq(&self, o: &P) -> bool {\n    self.0 == o.0\n}\n",
        ),
        (
            "a.py",
            "def __eq__(self, other):\n    return True if self is other else NotImplemented\n",
        ),
        (
            "a.js",
            "load([\"latest\", \"all\"].join(\"-\"))\nx = \"a\" + b\n",
        ),
        (
            "src/add.c",
            "__attribute__((constructor)) static void begin(void) { n = 1; }\n",
        ),
        ("Makefile", "ifeq ($(MAKELEVEL),0)\n"),
        ("a.py", "sys.dont_write_bytecode = True\n"),
        (
            "a.py",
            "numpy = 'numpy' in sys.modules\nm = sys.modules[__name__]\n",
        ),
        ("a.py", "key = base64.b64decode(os.environ['KEY'])\n"),
        ("a.js", "const url = env[\"GATEWAY_URL\"];\n"),
        ("a.sh", "trap \"rm -f $t\" EXIT\ntrap 'exit 0' TERM\n"),
        ("notes.md", "if cfg!(test) {}, PYTEST_CURRENT_TEST\n"),
        ("ci.yml", "PYTEST_VERSION: 8\n"),
        ("a.bin", "cfg!(test)\n"),
    ] {
        assert!(!reach(path, "", text), "{path}: {text}");
    }
}

#[test]
fn what_a_test_of_the_base_waits_for_is_not_there_for_tests_alone() {
    const OLD: &str = "#[cfg(test)]\nmod tests {\n    #[test]\n    fn doubles() { assert_eq!(super::double(2), 4) }\n}\n";
    for (new, want) in [
        (
            "#[cfg(test)]\npub fn double(a: i32) -> i32 { a * 2 }\n",
            true,
        ),
        (
            "impl A {\n    #[cfg(test)]\n    #[inline]\n    fn double(a: i32) -> i32 { a * 2 }\n}\n",
            true,
        ),
        ("pub fn double(a: i32) -> i32 { a * 2 }\n", false),
        ("#[cfg(test)]\nfn pair() -> (i32, i32) { (1, 2) }\n", false),
    ] {
        assert_eq!(reach("a.rs", OLD, &format!("{new}{OLD}")), want, "{new}");
    }
    let had = format!("fn double<T>(a: T) -> T {{ a }}\n{OLD}");
    let moved = format!("#[cfg(test)]\n{had}");
    assert!(!reach("a.rs", &had, &moved));
}
