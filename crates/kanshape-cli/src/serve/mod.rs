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
/// The page's worker, which keeps it for use without a network.
const WORKER: &str = "offline.js";
/// Takes the place of that worker where an earlier program at this port has left one: it forgets what is kept, goes, and has the page
/// loaded again. Beside this program there is nothing to keep, and what is kept would hide the model that is shown.
const NO_WORKER: &str = r#"self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => {
  const forget = async () => {
    for (const name of await caches.keys()) if (name.startsWith("kanshape-")) await caches.delete(name);
    await self.registration.unregister();
    for (const page of await self.clients.matchAll()) await page.navigate(page.url);
  };
  event.waitUntil(forget());
});
"#;

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
        let other = "`--port 0` takes one that is free";
        io::Error::other(format!(
            "nothing can be served at port {port}: {e}; {other}"
        ))
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
    let own = match &*path {
        INDEX => site.page(INDEX).map(|page| served(&page, model)),
        WORKER => Some(NO_WORKER.to_owned()),
        _ => None,
    };
    if let Some(text) = own {
        return Response {
            status: OK,
            headers: vec![("Content-Type", kind(&path)), ("Cache-Control", "no-store")],
            body: Body::Bytes(text.into_bytes()),
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
        headers: vec![("Content-Type", kind("")), ("Cache-Control", "no-store")],
        body: Body::File(file, length),
    })
}

/// The page, which knows that this program shows it, and opens this model.
fn served(page: &str, model: Option<&Path>) -> String {
    let mut head = "<head><meta name=\"kanshape-serve\">".to_owned();
    if let Some(model) = model {
        let name = model.file_name().unwrap_or_default().to_string_lossy();
        let name = name
            .replace('&', "&amp;")
            .replace('"', "&quot;")
            .replace('<', "&lt;");
        head.push_str(&format!(
            "<meta name=\"kanshape-model\" content=\"{name}\">"
        ));
    }
    page.replacen("<head>", &head, 1)
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
