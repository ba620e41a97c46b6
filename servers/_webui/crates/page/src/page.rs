//! The compiled page and its rendering.

use std::fmt;
use std::path::{Path, PathBuf};

use serde_json::Value;
use webui::{HandlerError, Plugin, Protocol, RenderOptions, ResponseWriter, WebUIHandler};
use webui_handler::plugin::fast_v2::FastV2HydrationPlugin;
use webui_handler::plugin::fast_v3::FastV3HydrationPlugin;
use webui_handler::plugin::webui::WebUIHydrationPlugin;

use crate::state::{ClientData, PageRequest, page_state};

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
    client_data: ClientData,
}

impl Page {
    /// Loads what a build made of the templates: their protocol, and the name of the plugin that they are for.
    ///
    /// # Errors
    /// Where a file can't be read, or this version of WebUI doesn't understand it.
    pub fn load(folder: &Path) -> Result<Self, PageError> {
        let [protocol, plugin] = Self::files(folder);
        let bytes = std::fs::read(protocol).map_err(PageError::Read)?;
        let plugin = plugin_named(std::fs::read_to_string(plugin).map_err(PageError::Read)?.trim())?;
        let protocol =
            Protocol::from_protobuf(&bytes).map_err(|error| PageError::Protocol(error.to_string()))?;
        let client_data = if plugin.is_some() { ClientData::State } else { ClientData::Script };
        Ok(Self { protocol, handler: handler(plugin), client_data })
    }

    /// The files that `load` reads.
    #[must_use]
    pub fn files(folder: &Path) -> [PathBuf; 2] {
        ["protocol.bin", "plugin"].map(|name| folder.join(name))
    }

    /// What the templates read, made for one request.
    ///
    /// # Errors
    /// Where the todos can't be made into JSON.
    pub fn state(&self, request: &PageRequest<'_>) -> serde_json::Result<Value> {
        page_state(request, self.client_data)
    }

    /// Renders the whole page for one request's state, as fast as `writer` takes it.
    ///
    /// # Errors
    /// Where rendering fails, or the writer refuses: its client has gone, or reads too slowly.
    pub fn render(&self, state: &Value, writer: &mut dyn ResponseWriter) -> Result<(), HandlerError> {
        self.handler.render(&self.protocol, state, &RenderOptions::new(ENTRY, "/"), writer)
    }
}

/// `none`, or a plugin's name.
fn plugin_named(name: &str) -> Result<Option<Plugin>, PageError> {
    if name == "none" {
        return Ok(None);
    }
    name.parse().map(Some).map_err(|_| PageError::Protocol(format!("{name} is no plugin")))
}

/// What writes the marks that the plugin's client hydrates by.
fn handler(plugin: Option<Plugin>) -> WebUIHandler {
    match plugin {
        None => WebUIHandler::new(),
        Some(Plugin::FastV3) => WebUIHandler::with_plugin(|| Box::new(FastV3HydrationPlugin::new())),
        Some(Plugin::Fast | Plugin::FastV2) => {
            WebUIHandler::with_plugin(|| Box::new(FastV2HydrationPlugin::new()))
        }
        Some(Plugin::WebUI) => WebUIHandler::with_plugin(|| Box::new(WebUIHydrationPlugin::new())),
    }
}
