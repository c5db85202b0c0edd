//! `kanshape serve`: the page in the browser, from this program, on this machine alone.

mod http;

use std::fs::{self, File};
use std::io::{self, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;

use http::{Body, Bounds, Request, Response};

use crate::args::ServeArgs;
use crate::exit::{Exit, Failure};
use crate::mistake;
use crate::screen::Screen;
use crate::site::Site;

/// The page of the site that says which model it is to open.
const INDEX: &str = "index.html";
const OK: &str = "200 OK";
const NOT_FOUND: &str = "404 Not Found";
/// Where the page finds that model.
const GIVEN: &str = "given.onnx";

pub(crate) fn run(args: &ServeArgs, screen: &Screen) -> Result<Exit, Failure> {
    let model = args.model.as_deref();
    if let Some(model) = model {
        // A file that can't be read is reported here, before the page fails on it.
        let name = model.display().to_string();
        open(model).map_err(|e| mistake::unreadable(&name, e))?;
    }
    let site = Site::of(args.site.as_deref())?;
    let address = (Ipv4Addr::LOCALHOST, args.port);
    let listener = TcpListener::bind(address).map_err(|e| {
        let port = args.port;
        io::Error::other(format!("nothing can be served at port {port}: {e}"))
    })?;
    let port = listener.local_addr()?.port();
    let mut out = screen.out();
    writeln!(out, "http://127.0.0.1:{port}/")?;
    out.flush()?;
    http::serve(&listener, Bounds::default(), |request| {
        answer(&site, model, port, request)
    });
    Ok(Exit::Solved)
}

fn answer(site: &Site, model: Option<&Path>, port: u16, request: &Request) -> Response {
    let path = match request.path.trim_start_matches('/') {
        "" => INDEX.to_owned(),
        path if path.ends_with('/') => format!("{path}{INDEX}"),
        path => path.to_owned(),
    };
    // Another site may have its name point here, to read the model.
    let hosts = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    if !hosts.contains(&request.host) {
        return Response::empty("403 Forbidden");
    }
    if let (GIVEN, Some(model)) = (&*path, model) {
        return of_file(model).unwrap_or_else(|_| Response::empty(NOT_FOUND));
    }
    if path == INDEX
        && let (Some(model), Some(page)) = (model, site.page(INDEX))
    {
        return Response {
            status: OK,
            headers: vec![("Content-Type", kind(INDEX))],
            body: Body::Bytes(with_model(&page, model).into_bytes()),
        };
    }
    let Some(file) = site.file(&path) else {
        return Response::empty(NOT_FOUND);
    };
    let mut headers = vec![("Content-Type", kind(&path)), ("Cache-Control", "no-cache")];
    if file.is_gzip {
        headers.push(("Content-Encoding", "gzip"));
    }
    Response {
        status: OK,
        headers,
        body: Body::Bytes(file.bytes.into_owned()),
    }
}

/// A file on a disk and its length. A pipe is read once, and each page that is opened reads the model anew.
fn open(path: &Path) -> io::Result<(File, u64)> {
    let about = fs::metadata(path)?;
    if !about.is_file() {
        return Err(io::Error::other("it is no file on a disk"));
    }
    Ok((File::open(path)?, about.len()))
}

fn of_file(path: &Path) -> io::Result<Response> {
    let (file, length) = open(path)?;
    Ok(Response {
        status: OK,
        headers: vec![("Content-Type", kind(""))],
        body: Body::File(file, length),
    })
}

/// The page, which opens this model.
fn with_model(page: &str, model: &Path) -> String {
    let name = model.file_name().unwrap_or_default().to_string_lossy();
    let name = name
        .replace('&', "&amp;")
        .replace('"', "&quot;")
        .replace('<', "&lt;");
    page.replacen(
        "<head>",
        &format!("<head><meta name=\"kanshape-model\" content=\"{name}\">"),
        1,
    )
}

fn kind(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, end)| end) {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript",
        "css" => "text/css",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "webmanifest" => "application/manifest+json",
        _ => "application/octet-stream",
    }
}
