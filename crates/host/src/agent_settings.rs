//! Settings, hooks and instructions of agents below the home: what the user's next session of their own runs and reads.

use SettingsGuard::{Both, PutBack, ReadOnly};

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
    (PutBack, ".aider.conf.yml"),
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
];

/// Returns what a confined session of its agent cannot change.
pub(crate) fn read_only() -> impl Iterator<Item = &'static str> {
    all_but(PutBack)
}

/// Returns what is watched around sessions and put back.
pub(crate) fn put_back() -> impl Iterator<Item = &'static str> {
    all_but(ReadOnly)
}

fn all_but(other: SettingsGuard) -> impl Iterator<Item = &'static str> {
    let kept = AGENT_SETTINGS
        .iter()
        .filter(move |(kept, _)| *kept != other);
    kept.map(|(_, path)| *path)
}
