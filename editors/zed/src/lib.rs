//! Starts `gatewalk lsp` from the user's PATH; everything else is the server's.

use zed_extension_api as zed;

struct Gatewalk;

impl zed::Extension for Gatewalk {
    fn new() -> Self {
        Gatewalk
    }

    fn language_server_command(
        &mut self,
        _server: &zed::LanguageServerId,
        worktree: &zed::Worktree,
    ) -> zed::Result<zed::Command> {
        let program = worktree
            .which("gatewalk")
            .ok_or("gatewalk is not in PATH; install it with `cargo install gatewalk`")?;
        Ok(zed::Command {
            command: program,
            args: vec!["lsp".to_owned()],
            env: worktree.shell_env(),
        })
    }
}

zed::register_extension!(Gatewalk);
