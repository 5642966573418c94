"""Real agents with the tool server and the plugin, against a model server on loopback: agent_sessions.py PROGRAM AGENTS REPOSITORY

AGENTS is a directory with the agents' programs; one that is missing is skipped aloud. REPOSITORY is a scratch copy with plans.
The model's part is a list of tool calls; what comes back to it is what the test looks at.
"""

import http.server
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading

program, agents, repository = (pathlib.Path(word).resolve() for word in sys.argv[1:])
root = pathlib.Path(__file__).resolve().parents[1]
home = pathlib.Path(tempfile.mkdtemp(prefix="gatewalk-sessions-"))


class Model(http.server.BaseHTTPRequestHandler):
    """Makes the calls in their order, then ends. `heard` is every request."""

    calls, heard = [], []

    def log_message(self, *arguments):
        pass

    def send(self, body, kind):
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.send(b'{"object":"list","data":[],"models":[]}', "application/json")

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        if "count_tokens" in self.path:
            return self.send(b'{"input_tokens":10}', "application/json")
        turns = body.get("messages") or body.get("input") or []
        # A title or a summary on the side has no tools.
        call = None
        if body.get("tools"):
            Model.heard.append(body)
            answered = json.dumps(turns).count('"tool_result"') + json.dumps(turns).count('call_output"')
            call = Model.calls[answered] if answered < len(Model.calls) else None
        events = self.in_messages(body, call) if "messages" in self.path else self.in_responses(call)
        text = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)
        self.send(text.encode(), "text/event-stream")

    def in_messages(self, body, call):
        message = {"id": "m", "type": "message", "role": "assistant", "model": body.get("model"), "content": []}
        message |= {"stop_reason": None, "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}
        yield {"type": "message_start", "message": message}
        if call:
            block = {"type": "tool_use", "id": f"toolu_{len(Model.heard)}", "name": call[0], "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(call[1])}
        else:
            block, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": "Done."}
        yield {"type": "content_block_start", "index": 0, "content_block": block}
        yield {"type": "content_block_delta", "index": 0, "delta": delta}
        yield {"type": "content_block_stop", "index": 0}
        stop = {"stop_reason": "tool_use" if call else "end_turn", "stop_sequence": None}
        yield {"type": "message_delta", "delta": stop, "usage": {"output_tokens": 1}}
        yield {"type": "message_stop"}

    def in_responses(self, call):
        yield {"type": "response.created", "response": {"id": "r"}}
        if call:
            server, name = call[0].rsplit("__", 1)
            item = {"type": "function_call", "id": "f", "call_id": "c1", "name": name, "namespace": server}
            item["arguments"] = json.dumps(call[1])
        else:
            item = {"type": "message", "role": "assistant", "id": "x", "content": [{"type": "output_text", "text": "Done."}]}
        yield {"type": "response.output_item.done", "output_index": 0, "item": item}
        usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
        yield {"type": "response.completed", "response": {"id": "r", "usage": usage}}


def session(words, calls):
    """Runs an agent; returns its events."""
    Model.calls, Model.heard = calls, []
    environment = {
        "PATH": f"{agents}:{program.parent}:/usr/local/bin:/usr/bin:/bin",
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": "made-up",
        "OPENAI_API_KEY": "made-up",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        # Tools are named in the request, not looked up by the model.
        "ENABLE_TOOL_SEARCH": "false",
    }
    ran = subprocess.run(words, cwd=repository, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    events = [json.loads(line) for line in ran.stdout.splitlines() if line.startswith("{")]
    assert events, ran.stdout + ran.stderr
    return events


def tip():
    return subprocess.run(["git", "rev-parse", "HEAD"], cwd=repository, check=True, capture_output=True, text=True).stdout


def last_heard():
    """What the model was given last: the results of its calls."""
    body = Model.heard[-1]
    return json.dumps((body.get("messages") or body.get("input"))[-3:])


def claude(*more):
    tools = "Read,Write,mcp__gatewalk__arm,mcp__gatewalk__status"
    output = ["--output-format", "stream-json", "--verbose", "--permission-mode", "acceptEdits", "--allowedTools", tools]
    return [str(agents / "claude"), "-p", "Work on the plan.", *output, *more]


def claude_connects_and_arms_nothing():
    servers = {"mcpServers": {"gatewalk": {"command": str(program), "args": ["mcp"]}}}
    before = tip()
    events = session(claude("--mcp-config", json.dumps(servers)), [("mcp__gatewalk__status", {}), ("mcp__gatewalk__arm", {})])
    connected = [server["status"] for server in events[0]["mcp_servers"] if server["name"] == "gatewalk"]
    assert connected == ["connected"], events[0]
    heard = json.dumps(Model.heard[-1]["messages"])
    assert "Greetings for everyone" in heard, "the status did not come back"
    assert "refused" in last_heard(), last_heard()
    assert tip() == before, "something was armed"


def codex_connects_and_arms_nothing():
    directory = home / ".codex"
    directory.mkdir(exist_ok=True)
    (directory / "config.toml").write_text(
        f'model = "gpt-5-codex"\nmodel_provider = "own"\n\n[model_providers.own]\nname = "own"\nbase_url = "{url}/v1"\n'
        'env_key = "OPENAI_API_KEY"\nwire_api = "responses"\nrequest_max_retries = 0\nstream_max_retries = 0\n\n'
        f'[mcp_servers.gatewalk]\ncommand = "{program}"\nargs = ["mcp"]\n'
    )
    before = tip()
    words = [str(agents / "codex"), "exec", "--json", "--dangerously-bypass-approvals-and-sandbox", "Work on the plan."]
    session(words, [("mcp__gatewalk__status", {}), ("mcp__gatewalk__arm", {})])
    offered = json.dumps(Model.heard[0]["tools"])
    assert "gatewalk" in offered and '"unblock"' in offered, "the tools are not offered"
    heard = json.dumps(Model.heard[-1]["input"])
    assert "Greetings for everyone" in heard, "the status did not come back"
    assert "refused" in last_heard() or "not approve" in last_heard() or "declin" in last_heard(), last_heard()
    assert tip() == before, "something was armed"


def the_plugins_hook_hands_findings_back():
    unit = next(repository.glob(".gatewalk/features/*/WU-01-*.md"))
    broken = unit.read_text().replace("\nstatus: done\n", "\nstatus: finished\n").replace("\nstatus: pending\n", "\nstatus: finished\n")
    assert broken != unit.read_text()
    calls = [("Read", {"file_path": str(unit)}), ("Write", {"file_path": str(unit), "content": broken})]
    events = session(claude("--plugin-dir", str(root / "plugin")), calls)
    skills = [name for name in events[0].get("skills", []) + events[0].get("slash_commands", []) if name.startswith("gatewalk:")]
    wanted = {"gatewalk:" + path.name for path in (root / "plugin/skills").iterdir()}
    assert wanted <= set(skills), (wanted, skills)
    heard = json.dumps(Model.heard[-1]["messages"][2:])
    assert unit.name in heard and "GW108" in heard, heard[-3000:]


def claude_lists_the_installed_skills():
    events = session(claude(), [])
    listed = events[0].get("skills", []) + events[0].get("slash_commands", [])
    assert INSTALLED <= set(listed), listed


def codex_lists_the_installed_skills():
    session([str(agents / "codex"), "exec", "--json", "--dangerously-bypass-approvals-and-sandbox", "Work on the plan."], [])
    heard = json.dumps(Model.heard[0])
    assert all(name in heard for name in INSTALLED), [name for name in INSTALLED if name not in heard]


def opencode_lists_the_installed_skills():
    environment = {"PATH": f"{agents}:/usr/local/bin:/usr/bin:/bin", "HOME": str(home), "OPENCODE_DISABLE_MODELS_FETCH": "1"}
    ran = subprocess.run([str(agents / "opencode"), "debug", "skill"], cwd=repository, env=environment, capture_output=True, text=True, timeout=60)
    assert all(name in ran.stdout for name in INSTALLED), ran.stdout + ran.stderr


# What `init` installs for agents that are used by hand.
INSTALLED = {"gatewalk-" + path.name for path in (root / "plugin/skills").iterdir()}
subprocess.run([program, "init", "--agent", "claude,codex,opencode"], cwd=repository, check=True, capture_output=True)

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model)
url = f"http://127.0.0.1:{server.server_address[1]}"
threading.Thread(target=server.serve_forever, daemon=True).start()
for agent, scene in [
    ("claude", claude_connects_and_arms_nothing),
    ("codex", codex_connects_and_arms_nothing),
    ("claude", the_plugins_hook_hands_findings_back),
    ("claude", claude_lists_the_installed_skills),
    ("codex", codex_lists_the_installed_skills),
    ("opencode", opencode_lists_the_installed_skills),
]:
    if not (agents / agent).exists():
        print(f"skipped: {agent} is not installed")
        continue
    scene()
    print(f"ok: {agent}: {scene.__name__.replace('_', ' ')}")
