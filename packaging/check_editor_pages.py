"""Reads the set-ups of docs/editors.md as the editors would: check_editor_pages.py PAGE. An editor that is here reads its own."""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
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


for kind, text in blocks:
    if kind == "toml":
        settings = tomllib.loads(text)
        assert settings["language-server"]["gatewalk"] == {"command": "gatewalk", "args": ["lsp"]}, settings
        assert all("gatewalk" in language["language-servers"] for language in settings["language"])
        read.append("toml")
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
