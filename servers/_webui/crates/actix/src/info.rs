//! `/bench/info`: what this server says of itself.

use std::io;
use std::path::PathBuf;

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

/// The answer as JSON; artifacts are what this server has loaded: itself, and `files`, hashed now.
///
/// # Errors
/// Where the server isn't below the adapter's folder, or one of the files can't be read.
pub fn describe(files: Vec<PathBuf>, mode: ResponseMode) -> io::Result<String> {
    // An adapter's folder, where its server is started, has its id as its name.
    let folder = std::env::current_dir()?;
    let executable = std::env::current_exe()?;
    let own = executable.strip_prefix(&folder).map_err(io::Error::other)?.to_path_buf();
    let info = Info {
        adapter: folder.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        response_mode: mode,
        runtime: "native",
        runtime_version: env!("RUSTC_VERSION"),
        pid: std::process::id(),
        framework_version: env!("FRAMEWORK_VERSION"),
        artifacts: files.into_iter().chain([own]).map(hashed).collect::<io::Result<_>>()?,
    };
    Ok(serde_json::to_string(&info)?)
}

fn hashed(path: PathBuf) -> io::Result<Artifact> {
    let digest = Sha256::digest(std::fs::read(&path)?);
    let sha256 = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(Artifact { path, sha256 })
}
