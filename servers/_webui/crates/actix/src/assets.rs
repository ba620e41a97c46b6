//! The client's files: read once at start, so that a path can only name what was found then.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use actix_web::http::header::{self, HeaderValue};
use actix_web::web::Bytes;
use actix_web::{HttpResponse, HttpResponseBuilder};

/// Names carry a hash of the content.
const CACHE_CONTROL: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

struct Asset {
    content_type: String,
    bytes: Bytes,
}

pub struct Assets(HashMap<String, Asset>);

impl Assets {
    /// Reads all files of `folder`, by name.
    ///
    /// # Errors
    /// Where the folder or a file of it can't be read.
    pub fn load(folder: &Path) -> io::Result<Self> {
        let mut assets = HashMap::new();
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            if !entry.file_type()?.is_file() {
                continue;
            }
            let path = entry.path();
            let asset =
                Asset { content_type: content_type(&path), bytes: Bytes::from(std::fs::read(&path)?) };
            assets.insert(entry.file_name().to_string_lossy().into_owned(), asset);
        }
        Ok(Self(assets))
    }

    /// The names of all files.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// The file of this name, or 404.
    #[must_use]
    pub fn respond(&self, name: &str) -> HttpResponse {
        match self.0.get(name) {
            Some(asset) => ok(&asset.content_type).body(asset.bytes.clone()),
            None => HttpResponse::NotFound().finish(),
        }
    }
}

fn ok(content_type: &str) -> HttpResponseBuilder {
    let mut response = HttpResponse::Ok();
    response.content_type(content_type).insert_header((header::CACHE_CONTROL, CACHE_CONTROL));
    response
}

fn content_type(path: &Path) -> String {
    let mime = mime_guess::from_path(path).first_or_octet_stream();
    let is_text = mime.type_() == mime_guess::mime::TEXT;
    if is_text { format!("{mime}; charset=utf-8") } else { mime.to_string() }
}
