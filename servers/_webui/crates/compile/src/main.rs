//! Compiles the page's templates to the protocol file that every host of the family renders.
//!
//! `compile-templates --page DIR --components DIR --dom light|shadow [--plugin NAME] --out FILE`

use std::error::Error;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use lexopt::prelude::*;
use webui::{BuildOptions, CssStrategy, DomStrategy, Plugin, build};

struct Options {
    page: PathBuf,
    components: String,
    dom: DomStrategy,
    plugin: Option<Plugin>,
    out: PathBuf,
}

fn main() -> ExitCode {
    match parse().and_then(|options| compile(&options)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("compile-templates: {error}");
            ExitCode::FAILURE
        }
    }
}

fn parse() -> Result<Options, Box<dyn Error>> {
    let (mut page, mut components, mut dom, mut plugin, mut out) = (None, None, None, None, None);
    let mut parser = lexopt::Parser::from_env();
    while let Some(argument) = parser.next()? {
        match argument {
            Long("page") => page = Some(PathBuf::from(parser.value()?)),
            Long("components") => components = Some(parser.value()?.string()?),
            Long("dom") => dom = Some(dom_strategy(&parser.value()?)?),
            Long("plugin") => plugin = Some(parser.value()?.parse()?),
            Long("out") => out = Some(PathBuf::from(parser.value()?)),
            _ => return Err(argument.unexpected().into()),
        }
    }
    Ok(Options {
        page: page.ok_or("--page is missing")?,
        components: components.ok_or("--components is missing")?,
        dom: dom.ok_or("--dom is missing")?,
        plugin,
        out: out.ok_or("--out is missing")?,
    })
}

fn dom_strategy(value: &OsString) -> Result<DomStrategy, String> {
    match value.to_str() {
        Some("light") => Ok(DomStrategy::Light),
        Some("shadow") => Ok(DomStrategy::Shadow),
        _ => Err(format!("--dom {}: is neither light nor shadow", value.display())),
    }
}

fn compile(options: &Options) -> Result<(), Box<dyn Error>> {
    let built = build(BuildOptions {
        app_dir: options.page.clone(),
        components: vec![options.components.clone()],
        css: CssStrategy::Style,
        dom: options.dom,
        plugin: options.plugin,
        ..BuildOptions::default()
    })
    .map_err(|error| error.chain_message())?;
    for warning in &built.warnings {
        eprintln!("compile-templates: {warning:?}");
    }
    std::fs::write(&options.out, &built.protocol_bytes)
        .map_err(|error| format!("{}: {error}", options.out.display()))?;
    Ok(())
}
