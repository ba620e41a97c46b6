//! `/bench/info`: what this server says of itself.

use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::options::ResponseMode;

#[derive(Serialize)]
struct Artifact {
    /// Relative to the adapter's folder.
    path: PathBuf,
    sha256: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Info {
    adapter: String,
    response_mode: ResponseMode,
    runtime: &'static str,
    runtime_version: &'static str,
    pid: u32,
    framework_version: &'static str,
    artifacts: Vec<Artifact>,
}

/// The answer as JSON; artifacts are all files below `dist`, hashed now.
///
/// # Errors
/// Where the working directory or a file of the build can't be read.
pub fn describe(dist: &Path, mode: ResponseMode) -> io::Result<String> {
    let info = Info {
        adapter: adapter_id()?,
        response_mode: mode,
        runtime: "native",
        runtime_version: env!("RUSTC_VERSION"),
        pid: std::process::id(),
        framework_version: env!("FRAMEWORK_VERSION"),
        artifacts: artifacts(dist)?,
    };
    Ok(serde_json::to_string(&info)?)
}

/// An adapter's folder, where its server is started, has its id as its name.
fn adapter_id() -> io::Result<String> {
    let folder = std::env::current_dir()?;
    Ok(folder.file_name().unwrap_or_default().to_string_lossy().into_owned())
}

fn artifacts(dist: &Path) -> io::Result<Vec<Artifact>> {
    let mut found = Vec::new();
    let mut folders = vec![dist.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                folders.push(entry.path());
            } else {
                found.push(hashed(entry.path())?);
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

fn hashed(path: PathBuf) -> io::Result<Artifact> {
    let digest = Sha256::digest(std::fs::read(&path)?);
    let sha256 = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(Artifact { path, sha256 })
}
