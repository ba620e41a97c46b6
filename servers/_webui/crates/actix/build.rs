//! Bakes in what `/bench/info` says of the build: the compiler's version, and the locked one of the framework.

use std::error::Error;
use std::process::Command;

const LOCK_FILE: &str = "../../Cargo.lock";
const FRAMEWORK: &str = "microsoft-webui";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={LOCK_FILE}");
    println!("cargo::rustc-env=RUSTC_VERSION={}", rustc_version()?);
    println!("cargo::rustc-env=FRAMEWORK_VERSION={}", locked_version(&std::fs::read_to_string(LOCK_FILE)?)?);
    Ok(())
}

/// `1.95.0`, of `rustc 1.95.0 (59807616e 2026-04-14)`.
fn rustc_version() -> Result<String, Box<dyn Error>> {
    let output =
        Command::new(std::env::var_os("RUSTC").ok_or("cargo sets RUSTC")?).arg("--version").output()?;
    let text = String::from_utf8(output.stdout)?;
    Ok(text.split_whitespace().nth(1).ok_or("rustc --version names no version")?.to_owned())
}

/// In a lock file each package's version is on the line after its name.
fn locked_version(lock: &str) -> Result<&str, String> {
    let name = format!("name = \"{FRAMEWORK}\"");
    lock.lines()
        .skip_while(|line| *line != name)
        .nth(1)
        .and_then(|line| line.strip_prefix("version = \"")?.strip_suffix('"'))
        .ok_or_else(|| format!("{LOCK_FILE} holds no version of {FRAMEWORK}"))
}
