class _Hand:
    """A small runner of tests. What it does not know ends a test without an answer."""

    class Unknown(BaseException):
        pass

    class Skipped(BaseException):
        pass

    class Known:
        def __getattr__(self, name):
            if name.startswith("_") or name.endswith("_"):
                raise AttributeError(name)
            raise _Hand.Unknown(name)

        def __call__(self, *given, **named):
            raise _Hand.Unknown

    class Raises:
        def __init__(self, kinds, match=None):
            self.kinds, self.match, self.value, self.exception = kinds, match, None, None

        def __enter__(self):
            return self

        def __exit__(self, kind, error, trace):
            import re

            assert error is not None, "nothing raised"
            if not isinstance(error, self.kinds):
                return False
            self.value = self.exception = error
            assert self.match is None or re.search(self.match, str(error)), str(error)
            return True

    class Within:
        def __init__(self, want, rel=1e-6, abs=1e-12):
            self.want, self.rel, self.abs = want, rel, abs

        def __eq__(self, other):
            near = lambda a, b: abs(a - b) <= max((self.rel or 1e-6) * abs(b), self.abs or 1e-12)
            if isinstance(self.want, (list, tuple)):
                return len(other) == len(self.want) and all(map(near, other, self.want))
            if isinstance(self.want, dict):
                return other.keys() == self.want.keys() and all(near(other[k], v) for k, v in self.want.items())
            return near(other, self.want)

    class Param:
        def __init__(self, *values, id=None, marks=()):
            self.values, self.marks = values, marks

    class Mark(Known):
        def __getattr__(self, name):
            if name == "usefixtures":
                raise _Hand.Unknown(name)
            return lambda *given, **named: given[0] if given and callable(given[0]) else lambda one: one

        def parametrize(self, names, rows, ids=None):
            names = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)

            def add(function):
                cases = getattr(function, "cases_", [{}])
                new = []
                for row in rows:
                    if isinstance(row, _Hand.Param):
                        if row.marks:
                            continue
                        row = row.values if len(names) > 1 else row.values[0]
                    values = tuple(row) if len(names) > 1 else (row,)
                    new += [{**case, **dict(zip(names, values))} for case in cases]
                function.cases_ = new
                return function

            return add

        def _left_out(self, *given, **named):
            def mark(function):
                function.cases_ = []
                return function

            return mark(given[0]) if len(given) == 1 and callable(given[0]) else mark

        skip = skipif = xfail = _left_out

    class Pytest(Known):
        def __init__(self):
            self.mark, self.param, self.approx = _Hand.Mark(), _Hand.Param, _Hand.Within

        def raises(self, kinds, *given, match=None, **named):
            if not given:
                return _Hand.Raises(kinds, match)
            with _Hand.Raises(kinds, match) as found:
                given[0](*given[1:], **named)
            return found

        def fixture(self, *given, **named):
            def add(function):
                function.fixture_ = set(named) <= {"scope", "autouse"}
                function.auto_ = named.get("autouse", False)
                return function

            return add(given[0]) if given else add

        def skip(self, *given, **named):
            raise _Hand.Skipped

        def fail(self, *given, **named):
            raise AssertionError(given)

    class Case(Known):
        def __init__(self):
            self.cleanups_ = []

        setUp = tearDown = lambda self: None

        async def asyncSetUp(self):
            pass

        asyncTearDown = asyncSetUp
        setUpClass = tearDownClass = classmethod(lambda cls: None)
        maxDiff = longMessage = None

        def addCleanup(self, function, *given, **named):
            self.cleanups_.append(lambda: function(*given, **named))

        def subTest(self, *given, **named):
            import contextlib

            return contextlib.nullcontext()

        def skipTest(self, why):
            raise _Hand.Skipped

        def fail(self, msg=None):
            raise AssertionError(msg)

        def assertRaises(self, kinds, *given, **named):
            if not given:
                return _Hand.Raises(kinds)
            with _Hand.Raises(kinds):
                given[0](*given[1:], **named)

        def assertRaisesRegex(self, kinds, match, *given, **named):
            if not given:
                return _Hand.Raises(kinds, match)
            with _Hand.Raises(kinds, match):
                given[0](*given[1:], **named)

        def assertAlmostEqual(self, a, b, places=None, msg=None, delta=None):
            near = abs(a - b) <= delta if delta is not None else round(abs(a - b), 7 if places is None else places) == 0
            assert a == b or near, (a, b)

        def assertRegex(self, text, pattern, msg=None):
            import re

            assert re.search(pattern, text), text

        def assertNotRegex(self, text, pattern, msg=None):
            import re

            assert not re.search(pattern, text), text

        def assertCountEqual(self, a, b, msg=None):
            a, b = list(a), list(b)
            assert len(a) == len(b) and all(a.count(one) == b.count(one) for one in a), (a, b)

    def _checks(Case):
        def add(name, check):
            def method(self, *given, msg=None):
                assert check(*given[: check.__code__.co_argcount]), given

            setattr(Case, name, method)

        for name, check in {
            "assertEqual": lambda a, b: a == b,
            "assertNotEqual": lambda a, b: a != b,
            "assertTrue": lambda a: a,
            "assertFalse": lambda a: not a,
            "assertIs": lambda a, b: a is b,
            "assertIsNot": lambda a, b: a is not b,
            "assertIsNone": lambda a: a is None,
            "assertIsNotNone": lambda a: a is not None,
            "assertIn": lambda a, b: a in b,
            "assertNotIn": lambda a, b: a not in b,
            "assertIsInstance": lambda a, b: isinstance(a, b),
            "assertNotIsInstance": lambda a, b: not isinstance(a, b),
            "assertGreater": lambda a, b: a > b,
            "assertGreaterEqual": lambda a, b: a >= b,
            "assertLess": lambda a, b: a < b,
            "assertLessEqual": lambda a, b: a <= b,
        }.items():
            add(name, check)
        for name in ("List", "Tuple", "Dict", "Set", "Sequence", "MultiLine"):
            setattr(Case, f"assert{name}Equal", Case.assertEqual)

    _checks(Case)

    class Unittest(Known):
        def __init__(self):
            self.TestCase = self.IsolatedAsyncioTestCase = _Hand.Case
            self.mock = _Hand.Known()
            self.main = lambda *given, **named: None
            self.skip = lambda why: _Hand.Mark().skip
            self.skipIf = lambda when, why: _Hand.Mark().skip if when else lambda one: one
            self.skipUnless = lambda when, why: (lambda one: one) if when else _Hand.Mark().skip

    class Patch(Known):
        """Changes that are taken back in the end."""

        def __init__(self):
            self.ends_ = []

        def _set(self, read, write, drop, *value):
            try:
                old = read()
                self.ends_.append(lambda: write(old))
            except (AttributeError, KeyError):
                self.ends_.append(drop)
            write(*value) if value else drop()

        def setattr(self, target, name, *value, raising=True):
            if isinstance(target, str):
                raise _Hand.Unknown("setattr")
            write = lambda new: setattr(target, name, new)
            self._set(lambda: getattr(target, name), write, lambda: delattr(target, name), *value)

        def setitem(self, target, name, *value):
            write = lambda new: target.__setitem__(name, new)
            self._set(lambda: target[name], write, lambda: target.pop(name, None), *value)

        def setenv(self, name, value, prepend=None):
            import os

            self.setitem(os.environ, name, str(value))

        def delenv(self, name, raising=True):
            import os

            self.setitem(os.environ, name)

        def delattr(self, target, name, raising=True):
            self.setattr(target, name)

        def delitem(self, target, name, raising=True):
            self.setitem(target, name)

        def chdir(self, path):
            import os

            old = os.getcwd()
            self.ends_.append(lambda: os.chdir(old))
            os.chdir(path)

        def undo(self):
            while self.ends_:
                self.ends_.pop()()

    class Captured(Known):
        """What is printed, kept back."""

        def __init__(self, ends):
            import io
            import sys

            self.streams_ = [io.StringIO(), io.StringIO()]
            own = sys.stdout, sys.stderr
            sys.stdout, sys.stderr = self.streams_
            ends.append(lambda: (setattr(sys, "stdout", own[0]), setattr(sys, "stderr", own[1])))

        def readouterr(self):
            import collections

            said = [stream.getvalue() for stream in self.streams_]
            for stream in self.streams_:
                stream.seek(0)
                stream.truncate()
            return collections.namedtuple("Said", "out err")(*said)

    def __init__(self):
        self.pytest, self.unittest = _Hand.Pytest(), _Hand.Unittest()
        # Whether it runs within a runner, whose loops are debugged.
        self.within = False

    def _shared(self, place):
        """Returns what the files of fixtures that are above a test have."""
        import os
        import re

        found, above = {}, os.path.dirname(os.path.abspath(place))
        ways = []
        while os.path.isfile(os.path.join(above, "conftest.py")) or os.path.isfile(os.path.join(above, "__init__.py")):
            ways.insert(0, os.path.join(above, "conftest.py"))
            above = os.path.dirname(above)
        for way in filter(os.path.isfile, ways + [os.path.join(above, "conftest.py")]):
            with open(way, encoding="utf-8") as file:
                text = re.sub(r"(?m)^import pytest[ \t]*$", "pytest = _hand.pytest", file.read())
            if re.search(r"(?m)^\s*(?:import|from)\s+(?:_?pytest|unittest)\b", text):
                raise _Hand.Unknown(way)
            names = {"_hand": self, "__name__": "conftest", "__file__": way}
            exec(compile(text, way, "exec"), names)
            found.update({name: one for name, one in names.items() if getattr(one, "fixture_", None) is not None})
        return found

    def _value(self, names, name, ends):
        import inspect
        import pathlib
        import tempfile

        if name == "tmp_path":
            holder = tempfile.TemporaryDirectory()
            ends.append(holder.cleanup)
            return pathlib.Path(holder.name)
        if name == "monkeypatch":
            patch = _Hand.Patch()
            ends.append(patch.undo)
            return patch
        if name == "capsys":
            return _Hand.Captured(ends)
        made = names.get(name)
        if not getattr(made, "fixture_", False):
            raise _Hand.Unknown(name)
        given = {one: self._value(names, one, ends) for one in inspect.signature(made).parameters}
        value = made(**given)
        if inspect.isgenerator(value):
            steps = value
            value = next(steps)
            ends.append(lambda: next(steps, None))
        return value

    def _call(self, names, function, case, around=None):
        import asyncio
        import inspect

        ends = []
        try:
            for name, one in list(names.items()):
                if getattr(one, "auto_", False):
                    self._value(names, name, ends)
            wanted = [name for name in inspect.signature(function).parameters if name not in case]
            given = {name: self._value(names, name, ends) for name in wanted}
            if inspect.iscoroutinefunction(function):
                asyncio.run(self._later(function(**case, **given), around), debug=self.within)
            else:
                function(**case, **given)
        finally:
            for end in reversed(ends):
                end()

    async def _later(self, step, around):
        if hasattr(around, "asyncSetUp"):
            await around.asyncSetUp()
        try:
            await step
        finally:
            if hasattr(around, "asyncTearDown"):
                await around.asyncTearDown()

    def _functions(self, names, prefix):
        import inspect

        # What the whole file is marked with may be a reason not to run it.
        if "pytestmark" in names:
            return
        for name, value in list(names.items()):
            if name.startswith(prefix) and inspect.isfunction(value):
                yield value, getattr(value, "cases_", [{}]), None
            is_case = inspect.isclass(value) and issubclass(value, _Hand.Case)
            if not is_case and not (inspect.isclass(value) and name.startswith("Test")):
                continue
            if getattr(value, "cases_", None) == []:
                continue
            for inner in dir(value):
                function = getattr(value, inner)
                if inner.startswith(prefix) and callable(function):
                    yield function, getattr(function, "cases_", [{}]), value

    def errors(self, names, prefix, place):
        """Every error but of what is not known here, of what the file at a place says."""
        found, begun = [], set()
        try:
            names = {**self._shared(place), **names}
        except _Hand.Unknown:
            return found
        for function, cases, owner in self._functions(names, prefix):
            for case in cases:
                try:
                    self._step(names, function, case, owner, begun)
                except (_Hand.Unknown, _Hand.Skipped):
                    pass
                except Exception as error:
                    found.append(error)
        return found

    def _step(self, names, function, case, owner, begun):
        if owner is None:
            return self._call(names, function, case)
        is_case = issubclass(owner, _Hand.Case)
        start, end = ("setUp", "tearDown") if is_case else ("setup_method", "teardown_method")
        if owner not in begun:
            begun.add(owner)
            getattr(owner, "setUpClass" if is_case else "setup_class", lambda: None)()
        own = owner()
        call = lambda name: getattr(owner, name)(own) if hasattr(owner, name) else None
        call(start)
        try:
            self._call(names, function.__get__(own), case, own)
        finally:
            call(end)
            for cleanup in reversed(getattr(own, "cleanups_", [])):
                cleanup()


_hand = _Hand()
