//! The adapter's server: one worker, ended by SIGTERM.

use std::error::Error;
use std::io;
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

/// Loads the build. @throws where it is missing, with what to do
fn load_site(options: &Options) -> Result<Site, Box<dyn Error>> {
    let missing = |file: &std::path::Path, error: &dyn Error| {
        format!("{}: {error}; start the server in its adapter's folder, once that is built", file.display())
    };
    let (page_file, assets) = (options.dist.join("protocol.bin"), options.dist.join("assets"));
    Ok(Site {
        page: Arc::new(Page::load(&page_file).map_err(|error| missing(&page_file, &error))?),
        mode: options.mode,
        chunks: body::chunk_pool(),
        assets: Assets::load(&assets).map_err(|error| missing(&assets, &error))?,
        info: info::describe(&options.dist, options.mode)?,
    })
}

fn bind_error(Options { host, port, .. }: &Options, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::AddrInUse => {
            format!("port {port} of {host} is in use; choose another, or end what holds it")
        }
        _ => format!("can't listen on {host}:{port}: {error}"),
    }
}
