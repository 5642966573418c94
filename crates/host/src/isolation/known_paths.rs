//! The paths that sandboxes treat specially: caches, settings, keys, sockets of services.

/// Caches of tools below the home: shared by all projects, not part of any work.
pub(super) const CACHES: &[&str] = &[
    ".cache",
    ".cargo/registry",
    ".cargo/git",
    ".cargo/.package-cache",
    ".cargo/.package-cache-mutate",
    ".cargo/.global-cache",
    ".npm",
    ".pnpm-store",
    ".local/share/pnpm",
    ".yarn",
    ".bun/install/cache",
    ".gradle",
    ".m2",
    ".ivy2",
    ".nuget",
    ".dotnet",
    "go/pkg",
    ".gem",
    ".bundle",
    ".composer",
    ".hex",
    ".mix",
    ".stack",
    ".cabal/packages",
    ".pub-cache",
    ".konan",
    ".ccache",
    ".android",
    "Library/Caches",
];

/// Settings inside those caches: they steer what the next build does.
pub(super) const SETTINGS: &[&str] = &[
    ".m2/settings.xml",
    ".m2/extensions.xml",
    ".gradle/init.d",
    ".gradle/init.gradle",
    ".gradle/gradle.properties",
    ".nuget/NuGet",
    ".bundle/config",
    ".composer/config.json",
    ".cache/gatewalk",
];

/// Directories below the home in which programs expect to be able to make new entries.
pub(super) const LAYERED: &[&str] = &[
    "",
    ".config",
    ".local",
    ".local/share",
    ".local/state",
    ".cargo",
];

/// Keys to the user's other accounts, below the home.
pub(super) const KEYS: &[&str] = &[
    ".ssh",
    ".gnupg",
    ".netrc",
    ".git-credentials",
    ".config/git/credentials",
    ".config/gh",
    ".config/hub",
    ".config/glab-cli",
    ".kube",
    ".pypirc",
    ".cargo/credentials.toml",
    ".cargo/credentials",
    ".gem/credentials",
    ".docker/config.json",
    ".password-store",
    ".local/share/keyrings",
    ".mozilla",
    ".config/google-chrome",
    ".config/chromium",
    ".terraform.d/credentials.tfrc.json",
    ".vault-token",
];

/// Settings of agents that decide what later sessions run, below the home.
pub(super) const AGENT_SETTINGS: &[&str] = &[
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".claude/CLAUDE.md",
    ".claude/hooks",
    ".claude/commands",
    ".claude/agents",
    ".claude/skills",
    ".claude/plugins",
    ".codex/config.toml",
    ".codex/AGENTS.md",
    ".codex/hooks.json",
    ".codex/prompts",
    ".gemini/settings.json",
    ".gemini/GEMINI.md",
    ".gemini/extensions",
    ".qwen/settings.json",
    ".copilot/mcp-config.json",
    ".copilot/config.json",
    ".config/goose/config.yaml",
];

/// Keys that some agents need to reach their models; commands of the oracle need none.
pub(super) const CLOUD_KEYS: &[&str] = &[".aws", ".config/gcloud", ".azure"];

/// Sockets of programs outside that would act for any caller.
pub(super) const SERVICE_SOCKETS: &[&str] = &[
    "/run/docker.sock",
    "/run/podman",
    "/run/containerd",
    "/run/user",
    "/run/dbus",
    "/run/systemd/private",
];

/// Where the agents keep logins and sessions, below the home.
pub(super) fn agents_state() -> impl Iterator<Item = &'static str> {
    gatewalk_core::agents::ALL
        .iter()
        .flat_map(|agent| agent.state())
        .copied()
}
