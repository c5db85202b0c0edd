//! On Linux the program stands at one address: otherwise a third of the time until a first answer is the loader's, which moves
//! thousands of pointers in tables and copies the pages they stand in.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |key: &str, value: &str| env::var(key).is_ok_and(|own| own == value);
    let features = env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    if is("CARGO_CFG_TARGET_OS", "linux")
        && is("CARGO_CFG_TARGET_ENV", "gnu")
        && is("CARGO_CFG_TARGET_ARCH", "x86_64")
        && !features.split(',').any(|own| own == "crt-static")
    {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
