//! The request's own time.

use std::time::SystemTime;

/// Now: ISO 8601, milliseconds, UTC.
#[must_use]
pub fn now() -> String {
    humantime::format_rfc3339_millis(SystemTime::now()).to_string()
}
