//! `kanshape serve`: the page in the browser, from this program, on this machine alone. The page asks this program, which answers as
//! `batch` does.

mod asked;
mod http;

use std::fs::{self, File};
use std::io::{self, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use asked::{Asked, WorkerReply, Workers};
use http::{Answers, Body, ConnectionLimits, Request, Response};

use crate::args::ServeArgs;
use crate::exit::{Exit, Failure};
use crate::explain;
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

/// A model that the page opens.
pub enum Given {
    /// A file, which is read anew whenever the page is opened.
    File(PathBuf),
    /// What is in a file of this name.
    Bytes(String, Arc<[u8]>),
}

impl Given {
    fn name(&self) -> String {
        match self {
            Given::File(path) => {
                let name = path.file_name().unwrap_or_default();
                name.to_string_lossy().into_owned()
            }
            Given::Bytes(name, _) => name.clone(),
        }
    }

    fn response(&self) -> io::Result<Response> {
        let body = match self {
            Given::File(path) => {
                let (file, length) = open(path)?;
                Body::File(file, length)
            }
            Given::Bytes(_, bytes) => Body::Bytes(bytes.to_vec()),
        };
        Ok(Response {
            status: OK,
            headers: vec![("Content-Type", kind("")), ("Cache-Control", "no-store")],
            body,
        })
    }
}

pub(crate) fn run(args: &ServeArgs, screen: &Screen) -> Result<Exit, Failure> {
    if let Some(model) = &args.model {
        // A file that can't be read is reported here, before the page fails on it.
        let name = model.display().to_string();
        open(model).map_err(|e| mistake::unreadable(&name, e))?;
    }
    let site = Site::of(args.site.as_deref())?;
    let (listener, port) = listen(args.port)?;
    let mut out = screen.out();
    writeln!(out, "http://127.0.0.1:{port}/")?;
    out.flush()?;
    let page = Page::new(site, args.model.clone().map(Given::File), port);
    http::serve(
        &listener,
        ConnectionLimits::default(),
        &AtomicBool::new(false),
        &page,
    );
    Ok(Exit::Solved)
}

fn listen(port: u16) -> io::Result<(TcpListener, u16)> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|e| {
        let other = "port 0 is any that is free";
        io::Error::new(
            e.kind(),
            format!("nothing can be served at port {port}: {e}; {other}"),
        )
    })?;
    let port = listener.local_addr()?.port();
    Ok((listener, port))
}

/// The page of this program, shown until this is stopped or dropped.
pub struct Server {
    port: u16,
    end: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Shows the page, with this model opened in it. Port 0 is any that is free.
    ///
    /// # Errors
    /// If the model can't be read, or nothing can be served at this port.
    pub fn start(model: Option<Given>, port: u16) -> io::Result<Server> {
        if let Some(Given::File(path)) = &model {
            open(path)?;
        }
        let (listener, port) = listen(port)?;
        let end = Arc::new(AtomicBool::new(false));
        let page = Page::new(Site::Own, model, port);
        let ends = Arc::clone(&end);
        let serve = move || http::serve(&listener, ConnectionLimits::default(), &ends, &page);
        let thread = thread::Builder::new().spawn(serve)?;
        Ok(Server {
            port,
            end,
            thread: Some(thread),
        })
    }

    /// Where the page is.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// Shows it no longer.
    pub fn stop(&mut self) {
        let Some(thread) = self.thread.take() else {
            return;
        };
        self.end.store(true, Ordering::Relaxed);
        // It looks at that when somebody connects.
        let woken = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port));
        if woken.is_ok() {
            let _ = thread.join();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The page, and who answers it.
struct Page {
    site: Site,
    model: Option<Given>,
    port: u16,
    workers: Workers,
}

impl Page {
    fn new(site: Site, model: Option<Given>, port: u16) -> Page {
        Page {
            site,
            model,
            port,
            workers: Workers::default(),
        }
    }

    fn names(&self) -> [String; 2] {
        ["127.0.0.1", "localhost"].map(|name| format!("{name}:{}", self.port))
    }

    /// Another site may have its name point here, to read the model.
    fn is_named(&self, request: &Request) -> bool {
        self.names().contains(&request.host)
    }
}

impl Answers for Page {
    fn get(&self, request: &Request) -> Response {
        if !self.is_named(request) {
            return Response::empty("403 Forbidden");
        }
        let path = match request.path.trim_start_matches('/') {
            "" => INDEX.to_owned(),
            path if path.ends_with('/') => format!("{path}{INDEX}"),
            path => path.to_owned(),
        };
        if let (GIVEN, Some(model)) = (&*path, &self.model) {
            let response = model.response();
            return response.unwrap_or_else(|_| Response::empty(NOT_FOUND));
        }
        let own = match &*path {
            INDEX => {
                let page = self.site.page(INDEX);
                page.map(|page| served(&page, self.model.as_ref()))
            }
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
        if let Some(bytes) = self.site.file(&path) {
            return Response {
                status: OK,
                headers: vec![("Content-Type", kind(&path)), ("Cache-Control", "no-cache")],
                body: Body::Bytes(bytes.into_owned()),
            };
        }
        match code(&path) {
            Some(page) => Response {
                status: OK,
                headers: vec![("Content-Type", "text/plain; charset=utf-8")],
                body: Body::Bytes(page.as_bytes().to_vec()),
            },
            None => Response::empty(NOT_FOUND),
        }
    }

    fn may_post(&self, request: &Request) -> Result<(), &'static str> {
        let origin = request.origin.as_deref().unwrap_or_default();
        let own = self.names().map(|name| format!("http://{name}"));
        // Any site can have a browser send something here; from which one, the browser says.
        if !self.is_named(request) || !own.iter().any(|own| own == origin) {
            return Err("403 Forbidden");
        }
        asked(request).map(|_| ()).ok_or("405 Method Not Allowed")
    }

    fn post(&self, request: &Request, body: Vec<u8>, gone: &dyn Fn() -> bool) -> Response {
        let Some(asked) = asked(request) else {
            return Response::empty("405 Method Not Allowed");
        };
        let (kind, bytes) = match self.workers.answer(&asked, body, gone) {
            WorkerReply::Text(text) => ("application/json", text),
            WorkerReply::Model(model) => (kind(""), model),
            WorkerReply::Nothing => return Response::empty("500 Internal Server Error"),
        };
        Response {
            status: OK,
            headers: vec![("Content-Type", kind), ("Cache-Control", "no-store")],
            body: Body::Bytes(bytes),
        }
    }
}

fn asked(request: &Request) -> Option<Asked> {
    Asked::read(request.path.strip_prefix('/')?)
}

/// What `explain` says of a code, where the manual has its page.
fn code(path: &str) -> Option<&'static str> {
    let code = path.strip_prefix("docs/codes/")?.strip_suffix(".html")?;
    Some(explain::page(code)).filter(|page| !page.is_empty())
}

/// A file on a disk and its length. A pipe is read once, and each page that is opened reads the model anew.
fn open(path: &Path) -> io::Result<(File, u64)> {
    let about = fs::metadata(path)?;
    if !about.is_file() {
        return Err(io::Error::other("it is no file on a disk"));
    }
    Ok((File::open(path)?, about.len()))
}

/// The page, which knows that this program shows it, and opens this model.
fn served(page: &str, model: Option<&Given>) -> String {
    let mut head = "<head><meta name=\"kanshape-serve\">".to_owned();
    if let Some(model) = model {
        let name = model
            .name()
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
