//! The wire contract: pages, `/bench/info`, the client's files, and 404 or 405 for the rest.

use std::sync::Arc;

use actix_web::http::header::{self, ContentType, HeaderValue};
use actix_web::web::{self, Data, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse, Resource, Result, error};
use todo_page::data::{Filter, request_nonce};
use todo_page::{Page, PageRequest};
use webui::streaming::ChunkPool;

use crate::assets::Assets;
use crate::body;
use crate::options::ResponseMode;
use crate::timestamp;

/// Pages are of their moment: nothing may keep them.
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// What the handlers share.
pub struct Site {
    pub page: Arc<Page>,
    pub mode: ResponseMode,
    pub chunks: Arc<ChunkPool>,
    pub assets: Assets,
    /// The answer of `/bench/info`.
    pub info: String,
}

/// Registers all routes; they expect a `Data<Site>`.
pub fn configure(config: &mut ServiceConfig) {
    config
        .service(pages())
        .service(web::resource("/bench/info").get(info))
        .service(web::resource("/assets/{name}").get(asset).head(asset))
        .default_service(web::to(HttpResponse::NotFound));
}

fn pages() -> Resource {
    web::resource(["/", "/active", "/completed"])
        .get(page)
        .head(page)
        .default_service(web::to(method_not_allowed))
}

async fn page(request: HttpRequest, site: Data<Site>) -> Result<HttpResponse> {
    let Some(filter) = Filter::of_path(request.path()) else {
        return Ok(HttpResponse::NotFound().finish());
    };
    let query = query_value(&request, "r");
    let state = site.page.state(&PageRequest {
        filter,
        nonce: request_nonce(query.as_deref()),
        timestamp: &timestamp::now(),
    })?;
    let mut response = HttpResponse::Ok();
    response.content_type(ContentType::html()).insert_header((header::CACHE_CONTROL, NO_STORE));
    Ok(match site.mode {
        ResponseMode::Progressive => {
            response.streaming(body::progressive(site.page.clone(), state, site.chunks.clone()))
        }
        ResponseMode::Complete => {
            response.body(body::complete(&site.page, &state).map_err(error::ErrorInternalServerError)?)
        }
    })
}

/// The first value of this name in the request's query.
fn query_value(request: &HttpRequest, name: &str) -> Option<String> {
    form_urlencoded::parse(request.query_string().as_bytes())
        .find_map(|(key, value)| (key == name).then(|| value.into_owned()))
}

async fn method_not_allowed() -> HttpResponse {
    HttpResponse::MethodNotAllowed().insert_header((header::ALLOW, "GET, HEAD")).finish()
}

async fn info(site: Data<Site>) -> HttpResponse {
    HttpResponse::Ok()
        .content_type(ContentType::json())
        .insert_header((header::CACHE_CONTROL, NO_STORE))
        .body(site.info.clone())
}

async fn asset(name: web::Path<String>, site: Data<Site>) -> HttpResponse {
    site.assets.respond(&name)
}
