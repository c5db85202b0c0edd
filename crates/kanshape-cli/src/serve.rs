//! `kanshape serve`: the page in the browser, from this program, on this machine alone.

use std::io::{self, Write};
use std::net::Ipv4Addr;
use std::path::Path;

use tiny_http::{Header, Request, Response, Server, StatusCode};

use crate::args::ServeArgs;
use crate::exit::{Exit, Failure};
use crate::mistake;
use crate::screen::Screen;
use crate::site::Site;

/// The page of the site that says which model it is to open.
const INDEX: &str = "index.html";
/// Where the page finds that model.
const GIVEN: &str = "given.onnx";

pub(crate) fn run(args: &ServeArgs, screen: &Screen) -> Result<Exit, Failure> {
    let site = Site::of(args.site.as_deref())?;
    let model = args.model.as_deref();
    if let Some(model) = model {
        // A file that can't be read is reported here, before the page fails on it.
        let name = model.display().to_string();
        std::fs::File::open(model).map_err(|e| mistake::unreadable(&name, e))?;
    }
    let address = (Ipv4Addr::LOCALHOST, args.port);
    let server = Server::http(address).map_err(|e| {
        let port = args.port;
        io::Error::other(format!("nothing can be served at port {port}: {e}"))
    })?;
    let port = server
        .server_addr()
        .to_ip()
        .map_or(args.port, |ip| ip.port());
    let mut out = screen.out();
    writeln!(out, "http://127.0.0.1:{port}/")?;
    out.flush()?;
    for request in server.incoming_requests() {
        // A page that was closed before its answer came is no reason to end.
        let _ = answer(&site, model, port, request);
    }
    Ok(Exit::Solved)
}

fn answer(site: &Site, model: Option<&Path>, port: u16, request: Request) -> io::Result<()> {
    let url = request.url().split(['?', '#']).next().unwrap_or_default();
    let path = match url.trim_start_matches('/') {
        "" => INDEX.to_owned(),
        path if path.ends_with('/') => format!("{path}{INDEX}"),
        path => path.to_owned(),
    };
    // Another site may have its name point here, to read the model.
    let is_own = request.headers().iter().any(|header| {
        let hosts = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
        header.field.equiv("Host") && hosts.iter().any(|host| host == header.value.as_str())
    });
    if !is_own {
        return request.respond(Response::empty(StatusCode(403)));
    }
    if let (GIVEN, Some(model)) = (&*path, model) {
        return match std::fs::File::open(model) {
            Ok(file) => request.respond(Response::from_file(file)),
            Err(_) => request.respond(Response::empty(StatusCode(404))),
        };
    }
    if path == INDEX
        && let (Some(model), Some(page)) = (model, site.page(INDEX))
    {
        let page = with_model(&page, model);
        return request.respond(
            Response::from_string(page)
                .with_header(header("Content-Type", "text/html; charset=utf-8")),
        );
    }
    let Some(file) = site.file(&path) else {
        return request.respond(Response::empty(StatusCode(404)));
    };
    let mut response = Response::from_data(file.bytes.into_owned());
    response.add_header(header("Content-Type", kind(&path)));
    response.add_header(header("Cache-Control", "no-cache"));
    if file.is_gzip {
        response.add_header(header("Content-Encoding", "gzip"));
    }
    request.respond(response)
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

fn header(name: &'static str, value: &'static str) -> Header {
    // The names and values are those above and below.
    Header::from_bytes(name, value).unwrap_or_else(|()| unreachable!("{name}: {value}"))
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
