//! The compiled page and its rendering.

use std::fmt;
use std::path::Path;

use serde_json::Value;
use webui::{HandlerError, Protocol, RenderOptions, ResponseWriter, WebUIHandler};

const ENTRY: &str = "index.html";

/// Why a compiled page can't be loaded.
#[derive(Debug)]
pub enum PageError {
    Read(std::io::Error),
    Protocol(String),
}

impl fmt::Display for PageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => write!(f, "{error}"),
            Self::Protocol(message) => write!(f, "not a compiled page: {message}"),
        }
    }
}

impl std::error::Error for PageError {}

/// The page's compiled templates: loaded once, rendered from any thread.
pub struct Page {
    protocol: Protocol,
    handler: WebUIHandler,
}

impl Page {
    /// Loads the protocol file that the templates were compiled to.
    ///
    /// # Errors
    /// Where the file can't be read, or is no protocol of this version of WebUI.
    pub fn load(file: &Path) -> Result<Self, PageError> {
        let bytes = std::fs::read(file).map_err(PageError::Read)?;
        let protocol =
            Protocol::from_protobuf(&bytes).map_err(|error| PageError::Protocol(error.to_string()))?;
        Ok(Self { protocol, handler: WebUIHandler::new() })
    }

    /// Renders the whole page for one request's state, as fast as `writer` takes it.
    ///
    /// # Errors
    /// Where rendering fails, or the writer refuses: its client has gone, or reads too slowly.
    pub fn render(&self, state: &Value, writer: &mut dyn ResponseWriter) -> Result<(), HandlerError> {
        self.handler.render(&self.protocol, state, &RenderOptions::new(ENTRY, "/"), writer)
    }
}
