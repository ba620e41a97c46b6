//! The adapter's server: one worker, ended by SIGTERM.

use std::error::Error;
use std::io;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use actix_host::assets::Assets;
use actix_host::options::Options;
use actix_host::routes::{Site, configure};
use actix_host::{body, info};
use actix_web::web::Data;
use actix_web::{App, HttpServer};
use todo_page::Page;

/// How long running responses may take after SIGTERM, in seconds.
const SHUTDOWN_TIMEOUT_S: u64 = 3;

#[actix_web::main]
async fn main() -> ExitCode {
    match serve().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("server: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn serve() -> Result<(), Box<dyn Error>> {
    let options = Options::from_env()?;
    let site = Data::new(load_site(&options)?);
    let address = (options.host.as_str(), options.port);
    HttpServer::new(move || App::new().app_data(site.clone()).configure(configure))
        .workers(1)
        .tcp_nodelay(true)
        .shutdown_timeout(SHUTDOWN_TIMEOUT_S)
        .bind(address)
        .map_err(|error| bind_error(&options, &error))?
        .run()
        .await?;
    Ok(())
}

/// Loads the build; where it is missing, the error says what to do.
fn load_site(Options { dist, mode, .. }: &Options) -> Result<Site, Box<dyn Error>> {
    let (page_folder, assets_folder) = (dist.join("page"), dist.join("client/assets"));
    let page = Page::load(&page_folder).map_err(|error| unloadable(&page_folder, &error))?;
    let assets = Assets::load(&assets_folder).map_err(|error| unloadable(&assets_folder, &error))?;
    let files =
        assets.names().map(|name| assets_folder.join(name)).chain(Page::files(&page_folder)).collect();
    Ok(Site {
        page: Arc::new(page),
        mode: *mode,
        chunks: body::chunk_pool(),
        info: info::describe(files, *mode)?,
        assets,
    })
}

fn unloadable(path: &Path, error: &dyn Error) -> String {
    format!("{}: {error}; start the server in its adapter's folder, once that is built", path.display())
}

fn bind_error(Options { host, port, .. }: &Options, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::AddrInUse => {
            format!("port {port} of {host} is in use; choose another, or end what holds it")
        }
        _ => format!("can't listen on {host}:{port}: {error}"),
    }
}
