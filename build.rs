//! How the program is linked.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name, word| std::env::var(name).is_ok_and(|value| value == word);
    // Where it may be loaded anywhere, a debug build moves some 180,000 of its own addresses at each start. The suite starts
    // it 5,000 times, and that is half of what a start costs.
    if is("PROFILE", "debug")
        && is("CARGO_CFG_TARGET_OS", "linux")
        && is("CARGO_CFG_TARGET_ENV", "gnu")
    {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
