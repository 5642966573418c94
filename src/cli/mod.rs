//! SHELL. One file a command; the table is `Command`.

/// Parses the arguments, runs the command and maps the result to an exit code.
pub fn main() -> std::process::ExitCode {
    crate::exit::Exit::Success.into()
}
