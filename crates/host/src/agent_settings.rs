//! Settings, hooks and instructions of agents below the home: what the user's next session of their own runs and reads.

use SettingsGuard::{Both, PutBack, ReadOnly};
use std::path::Path;

/// How a session is kept from steering the next one by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SettingsGuard {
    /// A confined session of its agent cannot change it. It is not put back: agents write it themselves, also in sessions
    /// of the user's own, which may be at work meanwhile.
    ReadOnly,
    /// A change is noticed after any session, and put back.
    PutBack,
    Both,
}

const AGENT_SETTINGS: &[(SettingsGuard, &str)] = &[
    (Both, ".claude/settings.json"),
    (Both, ".claude/settings.local.json"),
    (Both, ".claude/CLAUDE.md"),
    (Both, ".claude/hooks"),
    (Both, ".claude/commands"),
    (Both, ".claude/agents"),
    (Both, ".claude/skills"),
    (PutBack, ".claude/output-styles"),
    (PutBack, ".claude/plugins/config.json"),
    (PutBack, ".claude/plugins/installed_plugins.json"),
    (PutBack, ".claude/plugins/known_marketplaces.json"),
    (ReadOnly, ".claude/plugins"),
    (Both, ".codex/AGENTS.md"),
    (PutBack, ".codex/AGENTS.override.md"),
    (Both, ".codex/hooks.json"),
    (PutBack, ".codex/hooks"),
    (Both, ".codex/prompts"),
    (PutBack, ".codex/skills"),
    (PutBack, ".codex/rules"),
    (ReadOnly, ".codex/config.toml"),
    (PutBack, ".agents/skills"),
    (Both, ".gemini/GEMINI.md"),
    (PutBack, ".gemini/commands"),
    (Both, ".gemini/extensions"),
    (PutBack, ".gemini/skills"),
    (PutBack, ".gemini/policies"),
    (ReadOnly, ".gemini/settings.json"),
    (PutBack, ".qwen/QWEN.md"),
    (PutBack, ".qwen/commands"),
    (PutBack, ".qwen/extensions"),
    (PutBack, ".qwen/skills"),
    (ReadOnly, ".qwen/settings.json"),
    (Both, ".copilot/mcp-config.json"),
    (PutBack, ".copilot/agents"),
    (PutBack, ".copilot/hooks"),
    (PutBack, ".copilot/skills"),
    (PutBack, ".copilot/copilot-instructions.md"),
    (ReadOnly, ".copilot/config.json"),
    (PutBack, ".cursor/mcp.json"),
    (PutBack, ".cursor/hooks.json"),
    (PutBack, ".cursor/commands"),
    (PutBack, ".cursor/rules"),
    (PutBack, ".cursor/skills"),
    (PutBack, ".continue/rules"),
    (PutBack, ".continue/prompts"),
    (PutBack, ".continue/mcpServers"),
    (ReadOnly, ".continue/config.yaml"),
    (ReadOnly, ".continue/config.json"),
    (PutBack, ".cline/rules"),
    (PutBack, ".cline/hooks"),
    (PutBack, ".cline/workflows"),
    (ReadOnly, ".cline/data/settings"),
    (Both, ".aider.conf.yml"),
    (PutBack, ".goosehints"),
    (PutBack, ".config/goose/.goosehints"),
    (PutBack, ".config/goose/recipes"),
    (ReadOnly, ".config/goose/config.yaml"),
    (Both, ".config/opencode/opencode.json"),
    (PutBack, ".config/opencode/opencode.jsonc"),
    (PutBack, ".config/opencode/AGENTS.md"),
    (PutBack, ".config/opencode/agent"),
    (PutBack, ".config/opencode/command"),
    (PutBack, ".config/opencode/plugin"),
    (PutBack, ".config/opencode/tool"),
    (PutBack, ".config/amp/AGENTS.md"),
    (PutBack, ".config/amp/skills"),
    (ReadOnly, ".config/amp/settings.json"),
    (PutBack, ".config/AGENTS.md"),
    (PutBack, ".kiro/steering"),
    (PutBack, ".kiro/hooks"),
    (PutBack, ".kiro/settings/mcp.json"),
    (PutBack, ".factory/AGENTS.md"),
    (PutBack, ".factory/commands"),
    (PutBack, ".factory/droids"),
    (PutBack, ".factory/mcp.json"),
    (PutBack, ".roo/rules"),
    (PutBack, ".windsurf/rules"),
    (PutBack, ".codeium/windsurf/memories"),
    (PutBack, ".claude/rules"),
    (PutBack, ".codex/agents"),
    (PutBack, ".agents/commands"),
    (PutBack, ".agents/plugins"),
    (PutBack, ".agents/AGENTS.md"),
    (PutBack, ".config/agents"),
    (PutBack, ".gemini/agents"),
    (PutBack, ".gemini/.env"),
    (PutBack, ".gemini/hooks"),
    (PutBack, ".qwen/agents"),
    (PutBack, ".qwen/.env"),
    (PutBack, ".copilot/instructions"),
    (PutBack, ".copilot/lsp-config.json"),
    (PutBack, ".cursor/agents"),
    (PutBack, ".continue/.env"),
    (PutBack, ".cline/skills"),
    (PutBack, "Documents/Cline"),
    (PutBack, ".aider.model.settings.yml"),
    (PutBack, ".config/goose/skills"),
    (PutBack, ".config/opencode/agents"),
    (PutBack, ".config/opencode/commands"),
    (PutBack, ".config/opencode/plugins"),
    (PutBack, ".config/opencode/tools"),
    (PutBack, ".config/opencode/skills"),
    (PutBack, ".config/opencode/modes"),
    (PutBack, ".config/opencode/config.json"),
    (PutBack, ".config/amp/plugins"),
    (PutBack, ".config/amp/checks"),
    (PutBack, ".kiro/agents"),
    (PutBack, ".kiro/prompts"),
    (PutBack, ".kiro/skills"),
    (PutBack, ".factory/skills"),
    (PutBack, ".factory/hooks"),
    (PutBack, ".roo/commands"),
    (PutBack, ".roo/skills"),
    (PutBack, ".roo/mcp.json"),
    (PutBack, ".codeium/windsurf/mcp_config.json"),
    (PutBack, ".codeium/windsurf/global_workflows"),
    (PutBack, ".codeium/windsurf/hooks.json"),
    (PutBack, ".codeium/windsurf/skills"),
    (PutBack, ".config/crush/crush.json"),
    (PutBack, ".config/crush/skills"),
    (PutBack, ".junie"),
    (PutBack, ".augment/rules"),
    (PutBack, ".augment/commands"),
    (PutBack, ".augment/settings.json"),
    (PutBack, ".kilocode/rules"),
    (PutBack, ".kilocode/workflows"),
    (PutBack, ".config/kilo/kilo.json"),
    (PutBack, ".gemini/trustedFolders.json"),
    (PutBack, ".qwen/trustedFolders.json"),
    (PutBack, ".qwen/output-language.md"),
    (PutBack, ".copilot/settings.json"),
    (PutBack, ".continue/permissions.yaml"),
];

/// What programs make anew among these as they start. It is taken away like the rest, but nobody has to be asked about it.
const SELF_MADE: &[&str] = &[
    ".codex/skills/.system",
    ".claude/plugins/store",
    ".qwen/output-language.md",
];

/// Words of settings by which something else is run, read, trusted or asked.
const STEERING: &[&str] = &[
    "command",
    "hook",
    "mcp",
    "notify",
    "exec",
    "script",
    "plugin",
    "helper",
    "url",
    "endpoint",
    "prompt",
    "rule",
    "instruction",
    "extension",
    "agent",
    "allow",
    "trust",
    "permission",
];

/// State of agents, in JSON, in which servers that their programs start are named among much else.
pub(crate) const NAMING_SERVERS: &[&str] = &[".claude.json", ".claude/.claude.json"];

/// Returns what a confined session of its agent cannot change.
pub(crate) fn read_only() -> impl Iterator<Item = &'static str> {
    all_but(PutBack)
}

/// Returns what is watched around sessions and put back.
pub(crate) fn put_back() -> impl Iterator<Item = &'static str> {
    all_but(ReadOnly)
}

/// Returns what a confined session of its agent cannot change once it is there, and what is not watched from then on.
pub(crate) fn only_read() -> impl Iterator<Item = &'static str> {
    let only = AGENT_SETTINGS.iter().filter(|(kept, _)| *kept == ReadOnly);
    only.map(|(_, path)| *path)
}

/// Returns whether a file that appeared among settings is made by a program as it starts, or steers nothing.
pub(crate) fn is_ordinary(path: &Path, text: &str) -> bool {
    let is_data = path
        .extension()
        .and_then(|e| e.to_str())
        .is_some_and(|e| ["json", "jsonc", "toml", "yaml", "yml"].contains(&e));
    let text = text.to_lowercase();
    is_self_made(path) || is_data && !STEERING.iter().any(|word| text.contains(word))
}

/// Returns whether a program makes what is at a path anew as it starts, wherever its directory is.
pub(crate) fn is_self_made(path: &Path) -> bool {
    let of_path: Vec<_> = path.components().collect();
    SELF_MADE.iter().any(|made| {
        let made: Vec<_> = Path::new(made).components().skip(1).collect();
        of_path.windows(made.len()).any(|window| window == made)
    })
}

fn all_but(other: SettingsGuard) -> impl Iterator<Item = &'static str> {
    let kept = AGENT_SETTINGS
        .iter()
        .filter(move |(kept, _)| *kept != other);
    kept.map(|(_, path)| *path)
}
