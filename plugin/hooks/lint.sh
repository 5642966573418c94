#!/bin/sh
# Lints plans after an edit. Says nothing outside a repository with plans, without the program, or when all is well;
# exit 2 hands the findings to the agent.
cd "${CLAUDE_PROJECT_DIR:-.}" || exit 0
root=$(git rev-parse --show-toplevel 2>/dev/null) || exit 0
[ -d "$root/.gatewalk" ] || [ -d "$root/.specfuse" ] || exit 0
command -v gatewalk >/dev/null || exit 0
findings=$(gatewalk lint --changed --output-format concise --fail-on error 2>&1)
[ $? = 1 ] || exit 0
printf '%s\n' "$findings" >&2
exit 2
