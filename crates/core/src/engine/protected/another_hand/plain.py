import json
import os
import re
import subprocess
import sys
import unittest


class AnotherHand(unittest.TestCase):
    def test_by_another_hand(self):
        body = BODY
        # Where it does not ask for its place it stands where the command runs, as a program does.
        place = os.path.dirname(os.path.abspath(__file__)) if "__file__" in body else os.getcwd()
        program = os.path.join(place, "app%d.py" % os.getpid())
        runners = re.compile(r"^(?:PYTEST_|COVERAGE|COV_|TOX_|NOX_|CI$|PYTHONDONTWRITEBYTECODE$|PYTHONBREAKPOINT$|PYTHONASYNCIODEBUG$)")
        env = {name: value for name, value in os.environ.items() if not runners.match(name)}
        search = [path for path in sys.path if "pytest" not in path]
        with open(program, "w", encoding="utf-8") as file:
            # A product that waits for what is not there ends by a signal.
            file.write("import signal\nimport sys\nsignal.alarm(60)\nsys.path[1:] = %r\n_place = %r\n" % (search, os.path.abspath(__file__)))
            file.write(body)
        try:
            # No child of the runner's: what waits for it is a shell of its own.
            shell = '("$0" "$@" >/dev/null 2>&1 </dev/null; echo $?) &'
            command = ["/bin/sh", "-c", shell, sys.executable, os.path.relpath(program)]
            out = subprocess.run(command, env=env, stdout=subprocess.PIPE).stdout
        finally:
            os.remove(program)
        if out.strip() == WRONG:
            raise AssertionError(SAYS)


_own = {}


def __getattr__(name):
    """Returns what other tests may import from this file."""
    if name.startswith(("__", "pytest", "setup", "setUp", "teardown", "tearDown", "load_tests")):
        raise AttributeError(name)
    if not _own:
        _own.update(__name__=__name__, __file__=__file__)
        exec(compile(TEXT, __file__, "exec"), _own)
    if name not in _own:
        raise AttributeError(name)
    return _own[name]
