//! What a server is started with. Everything else it needs lies in the adapter's folder, where it is started.

use std::fmt;
use std::path::PathBuf;

use lexopt::prelude::*;
use serde::Serialize;

const HOST: &str = "127.0.0.1";

/// How pages are answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ResponseMode {
    /// The framework's streaming writer, no Content-Length.
    Progressive,
    /// One buffered body with its Content-Length.
    Complete,
}

/// Wrong use: the message says of what.
#[derive(Debug)]
pub struct UsageError(String);

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UsageError {}

impl From<lexopt::Error> for UsageError {
    fn from(error: lexopt::Error) -> Self {
        Self(error.to_string())
    }
}

#[derive(Debug)]
pub struct Options {
    pub host: String,
    pub port: u16,
    pub mode: ResponseMode,
    /// The build: the compiled page and the client's files, below the adapter's folder.
    pub dist: PathBuf,
}

impl Options {
    /// From `--host HOST --port PORT` and the environment's `RESPONSE_MODE`.
    ///
    /// # Errors
    /// What is missing, unknown or malformed, by name.
    pub fn from_env() -> Result<Self, UsageError> {
        let mut host = HOST.to_owned();
        let mut port = None;
        let mut parser = lexopt::Parser::from_env();
        while let Some(argument) = parser.next()? {
            match argument {
                Long("host") => host = parser.value()?.string()?,
                Long("port") => port = Some(parser.value()?.parse()?),
                _ => return Err(argument.unexpected().into()),
            }
        }
        Ok(Self {
            host,
            port: port.ok_or_else(|| UsageError("--port is missing".to_owned()))?,
            mode: response_mode(std::env::var("RESPONSE_MODE").ok().as_deref())?,
            dist: PathBuf::from("dist"),
        })
    }
}

fn response_mode(value: Option<&str>) -> Result<ResponseMode, UsageError> {
    match value {
        Some("progressive") => Ok(ResponseMode::Progressive),
        Some("complete") => Ok(ResponseMode::Complete),
        other => Err(UsageError(format!(
            "RESPONSE_MODE is {}, and has to be progressive or complete",
            other.unwrap_or("not set")
        ))),
    }
}
