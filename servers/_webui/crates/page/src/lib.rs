//! The todo page as WebUI renders it: the workload's data, the state that the templates read, the compiled page.
//! No host: what serves it brings its own.

pub mod data;
mod page;
mod state;

pub use page::{Page, PageError};
pub use state::PageRequest;
