//! The same rendering of the same state, with the same bytes and headers, in one actix-web handler: what the adapter's
//! server costs beside this is what its routes cost. Pages only; it is measured, never ranked. Started in the adapter's
//! folder, like that one.

use std::error::Error;
use std::sync::Arc;

use actix_host::body;
use actix_host::options::{Options, ResponseMode};
use actix_host::timestamp;
use actix_web::http::header::{self, ContentType};
use actix_web::web::{self, Data};
use actix_web::{App, HttpRequest, HttpResponse, HttpServer, Result, error};
use todo_page::data::{Filter, request_nonce};
use todo_page::{Page, PageRequest};
use webui::streaming::ChunkPool;

struct Bare {
    page: Arc<Page>,
    mode: ResponseMode,
    chunks: Arc<ChunkPool>,
}

#[actix_web::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::from_env()?;
    let bare = Data::new(Bare {
        page: Arc::new(Page::load(&options.dist.join("page"))?),
        mode: options.mode,
        chunks: body::chunk_pool(),
    });
    HttpServer::new(move || App::new().app_data(bare.clone()).default_service(web::to(page)))
        .workers(1)
        .tcp_nodelay(true)
        .bind((options.host, options.port))?
        .run()
        .await?;
    Ok(())
}

async fn page(request: HttpRequest, bare: Data<Bare>) -> Result<HttpResponse> {
    let Some(filter) = Filter::of_path(request.path()) else {
        return Ok(HttpResponse::NotFound().finish());
    };
    let nonce = request_nonce(request.query_string().strip_prefix("r="));
    let state = bare.page.state(&PageRequest { filter, nonce, timestamp: &timestamp::now() })?;
    let mut response = HttpResponse::Ok();
    response.content_type(ContentType::html()).insert_header((header::CACHE_CONTROL, "no-store"));
    Ok(match bare.mode {
        ResponseMode::Progressive => {
            response.streaming(body::progressive(bare.page.clone(), state, bare.chunks.clone()))
        }
        ResponseMode::Complete => {
            response.body(body::complete(&bare.page, &state).map_err(error::ErrorInternalServerError)?)
        }
    })
}
