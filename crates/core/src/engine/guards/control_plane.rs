//! The files that decide how work is judged and how sessions behave: CI, hooks, settings of agents and editors.

use super::path_globs::{PathGlobs, set};
use super::spelling::folded;
use crate::path_names::file_name;
use std::sync::LazyLock;

/// Paths that decide how work is judged or how sessions behave: no attempt may change them unless
/// its unit declares it. The state directory is always among them.
pub(crate) const CONTROL_PLANE: &[&str] = &[
    ".github/workflows/**",
    ".github/actions/**",
    ".gitlab-ci.yml",
    ".gitlab/ci/**",
    ".gitlab/agents/**",
    ".gitlab/duo/**",
    ".gitlab/codeowners",
    ".circleci/**",
    ".buildkite/**",
    ".ci/**",
    ".travis.yml",
    ".gitea/workflows/**",
    ".forgejo/workflows/**",
    ".woodpecker/**",
    ".woodpecker.yml",
    ".woodpecker.yaml",
    ".drone.yml",
    ".cirrus.yml",
    ".semaphore/**",
    ".teamcity/**",
    ".tekton/**",
    ".sourcehut/**",
    ".build.yml",
    ".builds/**",
    ".harness/**",
    ".appveyor.yml",
    "appveyor.yml",
    "wercker.yml",
    "buildspec.yml",
    "cloudbuild.yaml",
    "cloudbuild.yml",
    "codemagic.yaml",
    "bitrise.yml",
    ".screwdriver/**",
    "screwdriver.yaml",
    "azure-pipelines/**",
    ".azure-pipelines/**",
    ".azuredevops/**",
    "azure-pipelines.yaml",
    ".gitlab-ci.yaml",
    ".jenkins/**",
    ".github/dependabot.yml",
    ".github/codeql/**",
    ".github/copilot-instructions.md",
    ".github/instructions/**",
    ".github/prompts/**",
    ".github/agents/**",
    ".github/chatmodes/**",
    ".github/hooks/**",
    ".github/codeowners",
    "codeowners",
    "docs/codeowners",
    ".mergify.yml",
    "renovate.json",
    ".renovaterc",
    ".renovaterc.json",
    "azure-pipelines.yml",
    "bitbucket-pipelines.yml",
    "Jenkinsfile",
    "**/.gitattributes",
    ".gitmodules",
    ".gitconfig",
    ".githooks/**",
    ".husky/**",
    ".lefthook/**",
    "lefthook.yml",
    ".pre-commit-config.yaml",
    ".pre-commit-hooks.yaml",
    "lefthook.yaml",
    ".lefthook.yml",
    "lefthook-local.yml",
    ".huskyrc",
    ".overcommit.yml",
    "**/.claude/**",
    "**/.codex/**",
    "**/.cursor/**",
    "**/.gemini/**",
    "**/.qwen/**",
    "**/.opencode/**",
    "**/opencode.json",
    "**/opencode.jsonc",
    "**/.continue/**",
    "**/.cline/**",
    "**/.clinerules",
    "**/.clinerules/**",
    "**/.amp/**",
    "**/.copilot/**",
    "**/.kiro/**",
    "**/.factory/**",
    "**/.roo/**",
    "**/.roomodes",
    "**/.windsurf/**",
    "**/.windsurfrules",
    "**/.cursorrules",
    "**/.agents/**",
    "**/.goosehints",
    "**/.aider.conf.yml",
    "**/.mcp.json",
    "**/.envrc",
    "**/.vscode/tasks.json",
    "**/.vscode/settings.json",
    "**/.vscode/launch.json",
    "**/.vscode/mcp.json",
    "**/*.code-workspace",
    "**/.zed/**",
    "**/.nvim.lua",
    "**/.exrc",
    "**/.vimrc",
    "**/.dir-locals.el",
    "**/.fleet/**",
    "**/.idea/workspace.xml",
    "**/.idea/runConfigurations/**",
    "**/.devcontainer/**",
    "**/.gatewalk/**",
    "**/.specfuse/**",
];

pub(super) static CONTROL_SET: LazyLock<PathGlobs> = LazyLock::new(|| set(CONTROL_PLANE));

/// Returns whether a path is in the control plane, however it is written.
pub fn is_control(path: &str) -> bool {
    CONTROL_SET.is_match(&folded(path))
}

/// Returns whether a link in this place would take a whole control-plane directory's place.
pub(super) fn replaces_control_directory(path: &str) -> bool {
    let name = file_name(path);
    name.starts_with('.')
        && CONTROL_PLANE
            .iter()
            .flat_map(|pattern| pattern.split('/'))
            .any(|part| part == name)
}
