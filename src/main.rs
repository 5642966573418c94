//! The `gatewalk` binary: everything it does lives in the library.

fn main() -> std::process::ExitCode {
    gatewalk::cli::main()
}
