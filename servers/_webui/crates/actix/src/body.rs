//! A rendered page as a body, in each response mode.

use std::sync::Arc;
use std::time::Duration;

use actix_web::rt::task::{JoinHandle, spawn_blocking};
use actix_web::web::Bytes;
use futures_util::{Stream, StreamExt, future, stream};
use serde_json::Value;
use todo_page::Page;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use webui::streaming::{ChunkPool, StreamingWriter};
use webui::{HandlerError, HandlerResult, ResponseWriter};

/// What WebUI itself sets aside for a page; ours is about 101 KB.
const PAGE_CAPACITY_BYTES: usize = 128 * 1024;

/// As WebUI's own hosts set it: how long a client may let its socket stand full before its response is given up.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(30);
const POOLED_CHUNKS: usize = 512;
const CHUNK_HEADROOM_BYTES: usize = 1024;

struct BufferWriter(Vec<u8>);

impl ResponseWriter for BufferWriter {
    fn write(&mut self, content: &str) -> HandlerResult<()> {
        self.0.extend_from_slice(content.as_bytes());
        Ok(())
    }

    fn end(&mut self) -> HandlerResult<()> {
        Ok(())
    }
}

/// The whole page in one piece.
///
/// # Errors
/// Where rendering fails.
pub fn complete(page: &Page, state: &Value) -> Result<Vec<u8>, HandlerError> {
    let mut writer = BufferWriter(Vec::with_capacity(PAGE_CAPACITY_BYTES));
    page.render(state, &mut writer)?;
    Ok(writer.0)
}

/// The pool that all streamed responses of a server draw their chunks from.
#[must_use]
pub fn chunk_pool() -> Arc<ChunkPool> {
    Arc::new(ChunkPool::new(POOLED_CHUNKS, StreamingWriter::CHUNK_TARGET + CHUNK_HEADROOM_BYTES))
}

/// The page as it is rendered: a blocking task renders into a bounded channel, and waits where the client does. A
/// response that the client gives up ends its task; one that fails ends its connection, so that it can't pass for a
/// whole one.
pub fn progressive(
    page: Arc<Page>,
    state: Value,
    pool: Arc<ChunkPool>,
) -> impl Stream<Item = Result<Bytes, HandlerError>> {
    let (sender, receiver) = mpsc::channel(StreamingWriter::DEFAULT_CHANNEL_CAPACITY);
    let rendering = spawn_blocking(move || {
        let mut writer = StreamingWriter::new_pooled(sender, pool).with_flush_timeout(FLUSH_TIMEOUT);
        page.render(&state, &mut writer)
    });
    ReceiverStream::new(receiver).map(Ok).chain(failure_of(rendering))
}

/// Nothing where the rendering ended well, else its error.
fn failure_of(rendering: JoinHandle<HandlerResult<()>>) -> impl Stream<Item = Result<Bytes, HandlerError>> {
    stream::once(rendering).filter_map(|ended| {
        future::ready(match ended {
            Ok(rendered) => rendered.err().map(Err),
            Err(panicked) => Some(Err(HandlerError::Rendering(panicked.to_string()))),
        })
    })
}
