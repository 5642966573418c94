"""Lays out the source of the site: assemble.py PROGRAM OUT.

The pages keep their places in the repository, so their links hold as they are. Each rule gets a page of its own, made from
what the program prints. What a page links to and no chapter is, becomes one or is copied beside.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys

program, out = sys.argv[1], pathlib.Path(sys.argv[2])
root = pathlib.Path(__file__).resolve().parents[2]
here = pathlib.Path(__file__).resolve().parent
LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)\s]+)\)")
FENCE = re.compile(r"^\s*(`{3,}|~{3,})")


def rules():
    """Writes the rules' pages and returns their lines of the summary."""
    listed = subprocess.run([program, "explain", "--all", "--json"], check=True, capture_output=True, text=True).stdout
    lines, index = [], ["# Rules", "", "Errors break or mislead a run: the driver refuses them, and nothing makes them less.", ""]
    index += ["| code | name | severity | what it does |", "|---|---|---|---|"]
    for rule in json.loads(listed):
        code, name = rule["code"], rule["name"]
        write(f"docs/rules/{code}.md", rule["page"] + f"\n`gatewalk explain {code}` prints this page. [All rules](index.md)\n")
        summary = rule["summary"].replace("|", "\\|")
        index.append(f"| [{code}]({code}.md) | {name} | {rule['severity']} | {summary} |")
        lines.append(f"  - [{code} {name}](docs/rules/{code}.md)")
    write("docs/rules/README.md", "\n".join(index) + "\n")
    return lines


def write(path, text):
    target = out / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text)


def outside_fences(text, change):
    """Applies a change to every line that is not code."""
    lines, fence = [], None
    for line in text.split("\n"):
        mark = FENCE.match(line)
        if mark and fence is None:
            fence = mark.group(1)
        elif mark and line.strip().startswith(fence) and set(line.strip()) == set(fence[0]):
            fence = None
        elif fence is None:
            line = change(line)
        lines.append(line)
    return "\n".join(lines)


extra = []


def page(path):
    """Copies a page, and what it links to."""
    source = root / path

    def link(found):
        text, target = found.groups()
        if "://" in target or target.startswith(("#", "mailto:")):
            return found.group(0)
        linked = (source.parent / target.split("#")[0]).resolve()
        relative = linked.relative_to(root).as_posix()
        # The site has an `index.html` for each of these.
        whole = re.sub(r"\bREADME\.md\b", "index.md", found.group(0))
        if linked.is_dir():
            return text
        if relative in chapters or relative.startswith("docs/rules/"):
            return whole
        if linked.suffix == ".md":
            if relative not in extra:
                extra.append(relative)
                page(relative)
        else:
            (out / relative).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(linked, out / relative)
        return whole

    text = source.read_text()
    # A plan's frontmatter is shown as what it is.
    if text.startswith("---\n"):
        front, rest = text[4:].split("\n---\n", 1)
        text = f"```yaml\n---\n{front}\n---\n```\n{rest}"
    write(path, outside_fences(text, lambda line: LINK.sub(link, line)))


shutil.rmtree(out, ignore_errors=True)
summary = (here / "SUMMARY.md").read_text()
chapters = re.findall(r"\]\(([^)]+)\)", summary)
rule_lines = rules()
for chapter in chapters:
    if chapter != "docs/rules/README.md":
        page(chapter)
shutil.copyfile(root / "docs/recording.svg", out / "docs/recording.svg")
shutil.copytree(root / "docs/pictures", out / "docs/pictures")
files = [f"- [{path}]({path})" for path in sorted(extra)]
write("SUMMARY.md", summary.replace("{{rules}}", "\n".join(rule_lines)).replace("{{files}}", "\n".join(files)))
print(f"{len(chapters) + len(rule_lines) + len(extra)} pages")
