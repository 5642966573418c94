//! The `gatewalk` binary: everything it does lives in the library.

/// The allocator of musl maps and unmaps memory under one lock: plans that are read on all cores wait for one another there.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    gatewalk::cli::main()
}
