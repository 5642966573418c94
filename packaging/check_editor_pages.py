"""Reads the set-ups of docs/editors.md as the editors would: check_editor_pages.py PAGE. An editor that is here reads its own."""

import fcntl
import json
import os
import pathlib
import pty
import re
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time
import tomllib

page = pathlib.Path(sys.argv[1]).read_text()
blocks = re.findall(r"^```(\w+)\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
scratch = pathlib.Path(tempfile.mkdtemp(prefix="gatewalk-editors-"))
read = []


def reads(name, words):
    """Lets an editor read a set-up, where it is installed."""
    if not shutil.which(words[0]):
        print(f"skipped: {words[0]} is not installed")
        return
    ran = subprocess.run(words, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    assert ran.returncode == 0, f"{name}: {ran.stdout}{ran.stderr}"
    read.append(name)


def shows_a_finding(words, home, directory, wanted):
    """Runs an editor on a terminal until it shows what the language server finds."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(directory)
        os.execvpe(words[0], words, {**os.environ, "HOME": str(home), "XDG_CONFIG_HOME": str(home / ".config"), "TERM": "xterm"})
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 150, 0, 0))
    seen, until = b"", time.monotonic() + 60
    while wanted not in seen and time.monotonic() < until:
        if select.select([terminal], [], [], 1)[0]:
            try:
                new = os.read(terminal, 65536)
            except OSError:
                break
            seen += new
            if b"\x1b[c" in new:
                # It asks which terminal this is, and waits.
                os.write(terminal, b"\x1b[?62;c")
    os.write(terminal, b"\x1b:q!\r")
    os.close(terminal)
    os.waitpid(pid, 0)
    assert wanted in seen, f"{words[0]} never showed {wanted}: {seen[-2000:]}"


def helix(settings):
    """Opens a unit with a mistyped status in Helix, where it and the program are installed."""
    if not (shutil.which("hx") and shutil.which("gatewalk")):
        print("skipped: hx and gatewalk are not both installed")
        return
    home, plans = scratch / "home", scratch / "plans"
    shutil.copytree(pathlib.Path(__file__).parent.parent / "examples/two-gates", plans)
    unit = next(plans.glob(".gatewalk/features/*/WU-02-*.md"))
    unit.write_text(unit.read_text().replace("status: pending", "status: pendig"))
    subprocess.run(["git", "init", "--quiet"], cwd=plans, check=True)
    (home / ".config/helix").mkdir(parents=True)
    (home / ".config/helix/languages.toml").write_text(settings)
    (home / ".config/helix/config.toml").write_text('editor.end-of-line-diagnostics = "hint"\n')
    shows_a_finding(["hx", str(unit)], home, plans, b"is not a value of")
    read.append("helix")


for kind, text in blocks:
    if kind == "toml":
        settings = tomllib.loads(text)
        assert settings["language-server"]["gatewalk"] == {"command": "gatewalk", "args": ["lsp"]}, settings
        assert all("gatewalk" in language["language-servers"] for language in settings["language"])
        read.append("toml")
        helix(text)
    elif kind == "json":
        languages = json.loads(text)["languages"]
        assert all("gatewalk" in language["language_servers"] for language in languages.values())
        read.append("json")
    elif kind == "elisp":
        assert text.count("(") - text.count("\\(") == text.count(")") - text.count("\\)"), text
        file = scratch / f"{len(read)}.el"
        file.write_text(text)
        read.append("elisp")
        reads("emacs", ["emacs", "--batch", "--load", str(file)])
    elif kind == "lua":
        file = scratch / f"{len(read)}.lua"
        file.write_text(text)
        read.append("lua")
        reads("neovim", ["nvim", "--headless", "-u", "NONE", "-c", f"lua assert(loadfile('{file}'))", "-c", "qa!"])
assert {"toml", "json", "elisp", "lua"} <= set(read), read
print(f"{len(read)} set-ups read: {', '.join(read)}")
