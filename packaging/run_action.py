"""Runs the steps of a composite action as its runner would: run_action.py ACTION.yml NAME=VALUE... (for tests).

Ends as the step that failed, or with 0.
"""

import os
import re
import subprocess
import sys
import tempfile

import yaml

action = yaml.safe_load(open(sys.argv[1]))
inputs = {name: str(spec.get("default", "")) for name, spec in action["inputs"].items()}
for pair in sys.argv[2:]:
    name, value = pair.split("=", 1)
    if name not in inputs:
        sys.exit(f"the action has no input `{name}`")
    inputs[name] = value


def expression(text):
    """Evaluates what the action uses: `inputs.x`, `a || b`, `a == 'b'`; other contexts are empty."""
    if "==" in text:
        left, right = text.split("==")
        return expression(left) == right.strip().strip("'")
    for part in text.split("||"):
        name = part.strip()
        value = inputs.get(name.removeprefix("inputs."), "") if name.startswith("inputs.") else ""
        if value:
            return value
    return ""


temporary = tempfile.TemporaryDirectory()
added_to_path = os.path.join(temporary.name, "path")
environment = dict(os.environ, RUNNER_TEMP=temporary.name, GITHUB_PATH=added_to_path)
for step in action["runs"]["steps"]:
    if "if" in step and not expression(step["if"]):
        continue
    if os.path.exists(added_to_path):
        added = open(added_to_path).read().splitlines()
        environment["PATH"] = ":".join([*reversed(added), os.environ["PATH"]])
    env = dict(environment)
    for name, value in step.get("env", {}).items():
        env[name] = re.sub(r"\$\{\{(.*?)\}\}", lambda m: str(expression(m.group(1))), value)
    print(f"step: {step['name']}", flush=True)
    ended = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]], env=env)
    if ended.returncode:
        sys.exit(ended.returncode)
