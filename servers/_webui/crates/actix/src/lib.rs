//! The todo page on actix-web.

pub mod assets;
pub mod body;
pub mod info;
pub mod options;
pub mod routes;
pub mod timestamp;
