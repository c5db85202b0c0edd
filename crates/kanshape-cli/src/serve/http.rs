//! As much of HTTP as a page needs: one request a connection, GET, HEAD and POST.
//!
//! Nobody is trusted to go on. The head of a request has a size and a time, each piece of an answer has a time to be taken in, and there
//! is a bound on the connections at a time: one more ends the oldest whose request is not complete, or the oldest of all. A connection
//! has a thread, which goes when it ends.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// What a connection may take.
#[derive(Clone, Copy)]
pub(super) struct ConnectionLimits {
    /// Bytes of the line of a request and its headers.
    pub(super) head: usize,
    /// How long they may take to come.
    pub(super) head_time: Duration,
    /// How long a piece of a body may take to come, and one of the answer to be taken in.
    pub(super) write_time: Duration,
    /// Bytes of a body.
    pub(super) body: u64,
    /// Connections at a time.
    pub(super) connections: usize,
}

impl Default for ConnectionLimits {
    fn default() -> ConnectionLimits {
        ConnectionLimits {
            head: 16 << 10,
            head_time: Duration::from_secs(5),
            write_time: Duration::from_secs(30),
            // Models come without their large weights.
            body: 512 << 20,
            connections: 64,
        }
    }
}

/// How many headers a request may have.
const MAX_HEADERS: usize = 100;
/// The piece of an answer that is written at a time.
const PIECE: usize = 64 << 10;
/// What is read behind a request that has been answered, so that the answer is not lost with it, and for how long.
const MAX_DRAINED: u64 = 1 << 20;
const DRAIN_TIME: Duration = Duration::from_millis(500);
/// The stack of a connection's thread.
const STACK: usize = 256 << 10;

/// What is requested.
#[derive(Default)]
pub(super) struct Request {
    method: Method,
    /// As it is written, without what stands behind `?` and `#`.
    pub(super) path: String,
    pub(super) host: String,
    /// The page that sends it, if a browser says so.
    pub(super) origin: Option<String>,
    length: Option<u64>,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Method {
    #[default]
    Get,
    Head,
    Post,
}

/// Who answers.
pub(super) trait Answers: Sync {
    /// Answers a request without a body.
    fn get(&self, request: &Request) -> Response;

    /// May this have a body? Otherwise the status that refuses it.
    fn may_post(&self, request: &Request) -> Result<(), &'static str>;

    /// Answers a request with a body. `gone` says whether nobody waits for it any more.
    fn post(&self, request: &Request, body: Vec<u8>, gone: &dyn Fn() -> bool) -> Response;
}

/// What is answered.
pub(super) struct Response {
    pub(super) status: &'static str,
    pub(super) headers: Vec<(&'static str, &'static str)>,
    pub(super) body: Body,
}

pub(super) enum Body {
    Bytes(Vec<u8>),
    /// A file, and how many bytes of it.
    File(File, u64),
}

impl Response {
    /// An answer without a body.
    pub(super) fn empty(status: &'static str) -> Response {
        Response {
            status,
            headers: Vec::new(),
            body: Body::Bytes(Vec::new()),
        }
    }
}

/// Answers all who connect, until `end` is true, which is looked at when somebody connects.
pub(super) fn serve(
    listener: &TcpListener,
    bounds: ConnectionLimits,
    end: &AtomicBool,
    own: &impl Answers,
) {
    let open = OpenConnections::default();
    thread::scope(|scope| {
        for stream in listener.incoming() {
            if end.load(Ordering::Relaxed) {
                open.end();
                return;
            }
            let Ok(stream) = stream else {
                // Out of file descriptors: some will be free again.
                thread::sleep(Duration::from_millis(20));
                continue;
            };
            let stream = Arc::new(stream);
            let connection = open.admit(&stream, bounds.connections);
            let talk = || {
                let connection = connection;
                // Who has gone, or is too slow, gets no answer.
                let _ = talk(&connection, bounds, own);
            };
            // Without a thread the connection is dropped.
            let _ = thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, talk);
        }
    });
}

/// The connections that are open, the oldest first.
#[derive(Default)]
struct OpenConnections {
    all: Mutex<VecDeque<(Arc<TcpStream>, Stage)>>,
    left: Condvar,
}

#[derive(Clone, Copy, PartialEq)]
enum Stage {
    /// Its request has not come.
    Waits,
    Answered,
    /// It was ended for a newer one.
    Ended,
}

type All<'o> = MutexGuard<'o, VecDeque<(Arc<TcpStream>, Stage)>>;

impl OpenConnections {
    fn all(&self) -> All<'_> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until there is room for one more.
    fn admit<'o>(&'o self, stream: &Arc<TcpStream>, most: usize) -> Connection<'o> {
        let mut all = self.all();
        while all.len() >= most {
            let waits = all.iter().position(|own| own.1 == Stage::Waits);
            let oldest = || all.iter().position(|own| own.1 == Stage::Answered);
            if let Some(at) = waits.or_else(oldest) {
                let (old, stage) = &mut all[at];
                // Its thread sees that it is at an end.
                let _ = old.shutdown(Shutdown::Both);
                *stage = Stage::Ended;
            }
            all = self.left.wait(all).unwrap_or_else(PoisonError::into_inner);
        }
        all.push_back((Arc::clone(stream), Stage::Waits));
        Connection {
            stream: Arc::clone(stream),
            open: self,
        }
    }
}

impl OpenConnections {
    /// Ends all of them.
    fn end(&self) {
        for (stream, _) in self.all().iter() {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

/// A connection that is open until this is dropped.
struct Connection<'o> {
    stream: Arc<TcpStream>,
    open: &'o OpenConnections,
}

impl Connection<'_> {
    /// Its request has come.
    fn is_answered(&self) {
        let mut all = self.open.all();
        let own = all.iter_mut().find(|own| Arc::ptr_eq(&own.0, &self.stream));
        if let Some((_, stage)) = own.filter(|own| own.1 == Stage::Waits) {
            *stage = Stage::Answered;
        }
    }
}

impl Drop for Connection<'_> {
    fn drop(&mut self) {
        let _ = self.stream.shutdown(Shutdown::Both);
        self.open
            .all()
            .retain(|own| !Arc::ptr_eq(&own.0, &self.stream));
        self.open.left.notify_all();
    }
}

fn talk(
    connection: &Connection<'_>,
    bounds: ConnectionLimits,
    own: &impl Answers,
) -> io::Result<()> {
    let stream = &*connection.stream;
    let read = read(stream, bounds)?;
    connection.is_answered();
    stream.set_write_timeout(Some(bounds.write_time))?;
    let (response, has_body) = match read {
        Ok((request, _)) if request.method == Method::Head => (own.get(&request), false),
        Ok((request, _)) if request.method == Method::Get => (own.get(&request), true),
        Ok((request, begin)) => {
            let response = match own.may_post(&request) {
                Err(status) => Response::empty(status),
                Ok(()) => match body(stream, bounds, request.length, begin)? {
                    Err(status) => Response::empty(status),
                    Ok(body) => own.post(&request, body, &|| is_gone(stream)),
                },
            };
            (response, true)
        }
        Err(status) => (Response::empty(status), true),
    };
    write(stream, response, has_body)?;
    stream.shutdown(Shutdown::Write)?;
    drain(stream)
}

/// Has the other side closed its connection?
fn is_gone(stream: &TcpStream) -> bool {
    if stream
        .set_read_timeout(Some(Duration::from_millis(1)))
        .is_err()
    {
        return true;
    }
    match stream.peek(&mut [0]) {
        Ok(count) => count == 0,
        Err(e) => !is_late(&e) && e.kind() != io::ErrorKind::Interrupted,
    }
}

/// The body of a request, of which this much has been read; or the status that refuses it.
fn body(
    mut stream: &TcpStream,
    bounds: ConnectionLimits,
    length: Option<u64>,
    begin: Vec<u8>,
) -> io::Result<Result<Vec<u8>, &'static str>> {
    let Some(length) = length else {
        return Ok(Err("411 Length Required"));
    };
    if length > bounds.body {
        return Ok(Err("413 Content Too Large"));
    }
    let mut body = begin;
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    body.truncate(length);
    stream.set_read_timeout(Some(bounds.write_time))?;
    // What is said to come takes no memory before it does.
    let mut piece = vec![0; PIECE];
    while body.len() < length {
        let most = PIECE.min(length - body.len());
        match stream.read(&mut piece[..most]) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => body.extend_from_slice(&piece[..count]),
            Err(e) if is_late(&e) => return Ok(Err("408 Request Timeout")),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(Ok(body))
}

/// Reads what is left of a request: a connection that is closed over unread bytes takes its answer with it.
fn drain(stream: &TcpStream) -> io::Result<()> {
    let end = Instant::now() + DRAIN_TIME;
    let mut rest = stream.take(MAX_DRAINED);
    let mut buffer = [0; 4096];
    while set_time_left(stream, end)? && rest.read(&mut buffer)? > 0 {}
    Ok(())
}

/// Lets the next read take what is left of the time; `false` if nothing is.
fn set_time_left(stream: &TcpStream, end: Instant) -> io::Result<bool> {
    let left = end.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Ok(false);
    }
    stream.set_read_timeout(Some(left)).map(|()| true)
}

/// The request, and what has been read of its body; or the status that refuses it.
fn read(
    mut stream: &TcpStream,
    bounds: ConnectionLimits,
) -> io::Result<Result<(Request, Vec<u8>), &'static str>> {
    const LATE: &str = "408 Request Timeout";
    let end = Instant::now() + bounds.head_time;
    let mut head = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        if !set_time_left(stream, end)? {
            return Ok(Err(LATE));
        }
        let count = match stream.read(&mut buffer) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => count,
            Err(e) if is_late(&e) => return Ok(Err(LATE)),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(e),
        };
        let before = head.len().saturating_sub(3);
        head.extend_from_slice(&buffer[..count]);
        let end = head[before..].windows(4).position(|end| end == b"\r\n\r\n");
        if let Some(end) = end {
            let rest = head.split_off(before + end + 4);
            return Ok(parsed(&head, bounds.head).map(|request| (request, rest)));
        }
        if head.len() > bounds.head {
            return Ok(Err("431 Request Header Fields Too Large"));
        }
    }
}

fn is_late(e: &io::Error) -> bool {
    matches!(
        e.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut
    )
}

fn parsed(head: &[u8], most: usize) -> Result<Request, &'static str> {
    const BAD: &str = "400 Bad Request";
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    let length = match request.parse(head) {
        Ok(httparse::Status::Complete(length)) => length,
        Err(httparse::Error::TooManyHeaders) => return Err("431 Request Header Fields Too Large"),
        Ok(httparse::Status::Partial) | Err(_) => return Err(BAD),
    };
    if length > most {
        return Err("431 Request Header Fields Too Large");
    }
    let method = match request.method {
        Some("GET") => Method::Get,
        Some("HEAD") => Method::Head,
        Some("POST") => Method::Post,
        _ => return Err("405 Method Not Allowed"),
    };
    let path = request.path.unwrap_or_default();
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let header = |name: &str| {
        let mut all = request.headers.iter();
        let own = all.find(|own| own.name.eq_ignore_ascii_case(name))?;
        std::str::from_utf8(own.value)
            .ok()
            .map(|text| text.trim().to_owned())
    };
    let length = match header("Content-Length") {
        None => None,
        Some(text) => Some(text.parse().map_err(|_| BAD)?),
    };
    Ok(Request {
        method,
        path: path.to_owned(),
        host: header("Host").unwrap_or_default(),
        origin: header("Origin"),
        length,
    })
}

fn write(mut stream: &TcpStream, response: Response, has_body: bool) -> io::Result<()> {
    let length = match &response.body {
        Body::Bytes(bytes) => bytes.len() as u64,
        Body::File(_, length) => *length,
    };
    let mut head = format!("HTTP/1.1 {}\r\n", response.status);
    for (name, value) in response.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str(&format!(
        "Content-Length: {length}\r\nConnection: close\r\n\r\n"
    ));
    stream.write_all(head.as_bytes())?;
    if !has_body {
        return Ok(());
    }
    match response.body {
        Body::Bytes(bytes) => bytes
            .chunks(PIECE)
            .try_for_each(|piece| stream.write_all(piece)),
        Body::File(file, length) => {
            let mut rest = file.take(length);
            let mut piece = vec![0; PIECE];
            loop {
                let count = rest.read(&mut piece)?;
                if count == 0 {
                    return Ok(());
                }
                stream.write_all(&piece[..count])?;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use std::net::SocketAddr;

    const QUICK: ConnectionLimits = ConnectionLimits {
        head: 1 << 10,
        head_time: Duration::from_millis(300),
        write_time: Duration::from_millis(300),
        body: 1 << 20,
        connections: 4,
    };

    /// Its answer is the path, the body, or a megabyte.
    struct Echo;

    impl Echo {
        fn bytes(bytes: Vec<u8>) -> Response {
            Response {
                status: "200 OK",
                headers: vec![("Content-Type", "text/plain")],
                body: Body::Bytes(bytes),
            }
        }
    }

    impl Answers for Echo {
        fn get(&self, request: &Request) -> Response {
            Echo::bytes(match &*request.path {
                "/large" => vec![b'x'; 16 << 20],
                path => path.as_bytes().to_vec(),
            })
        }

        fn may_post(&self, request: &Request) -> Result<(), &'static str> {
            match request.origin.as_deref() {
                Some("here") => Ok(()),
                _ => Err("403 Forbidden"),
            }
        }

        fn post(&self, request: &Request, body: Vec<u8>, gone: &dyn Fn() -> bool) -> Response {
            let end = Instant::now() + Duration::from_secs(20);
            while request.path == "/wait" && !gone() && Instant::now() < end {
                thread::sleep(Duration::from_millis(10));
            }
            if request.path == "/wait" {
                GONE.store(Instant::now() < end, Ordering::Relaxed);
            }
            Echo::bytes(body)
        }
    }

    static GONE: AtomicBool = AtomicBool::new(false);

    /// A server that ends with the tests.
    fn server(bounds: ConnectionLimits) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        thread::spawn(move || serve(&listener, bounds, &AtomicBool::new(false), &Echo));
        address
    }

    fn response(address: SocketAddr, request: &str) -> String {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut all = Vec::new();
        stream.read_to_end(&mut all).unwrap();
        String::from_utf8(all).unwrap()
    }

    #[test]
    fn a_request_is_answered() {
        let address = server(QUICK);
        assert_eq!(
            response(address, "GET /a?b#c HTTP/1.1\r\nHost: here\r\n\r\n"),
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\nConnection: close\r\n\r\n/a"
        );
        let head = response(address, "HEAD /a HTTP/1.1\r\nHost: here\r\n\r\n");
        assert!(head.ends_with("Connection: close\r\n\r\n"), "{head}");
        for (request, status) in [
            (
                "PUT / HTTP/1.1\r\nHost: here\r\nContent-Length: 3\r\n\r\nabc",
                "405",
            ),
            (
                "POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 3\r\n\r\nabc",
                "403",
            ),
            ("POST / HTTP/1.1\r\nOrigin: here\r\n\r\nabc", "411"),
            (
                "POST / HTTP/1.1\r\nOrigin: here\r\nContent-Length: -3\r\n\r\nabc",
                "400",
            ),
            (
                "POST / HTTP/1.1\r\nOrigin: here\r\nContent-Length: 99999999\r\n\r\nabc",
                "413",
            ),
            // The rest does not come.
            (
                "POST / HTTP/1.1\r\nOrigin: here\r\nContent-Length: 4\r\n\r\nabc",
                "408",
            ),
            ("nonsense\r\n\r\n", "400"),
        ] {
            let answer = response(address, request);
            assert!(
                answer.starts_with(&format!("HTTP/1.1 {status} ")),
                "{answer}"
            );
        }
    }

    #[test]
    fn a_body_is_taken_whole() {
        let address = server(QUICK);
        let long = "x".repeat(300 << 10);
        for body in ["", "abc", &*long] {
            let length = body.len();
            let head =
                format!("POST /a HTTP/1.1\r\nOrigin: here\r\nContent-Length: {length}\r\n\r\n");
            let answer = response(address, &(head + body));
            let (_, own) = answer.split_once("\r\n\r\n").unwrap();
            assert!(own == body, "{} bytes", own.len());
        }
    }

    #[test]
    fn who_answers_knows_that_nobody_waits() {
        let address = server(QUICK);
        let mut stream = TcpStream::connect(address).unwrap();
        stream
            .write_all(b"POST /wait HTTP/1.1\r\nOrigin: here\r\nContent-Length: 0\r\n\r\n")
            .unwrap();
        thread::sleep(Duration::from_millis(100));
        assert!(!GONE.load(Ordering::Relaxed));
        drop(stream);
        let start = Instant::now();
        while !GONE.load(Ordering::Relaxed) && start.elapsed() < Duration::from_secs(10) {
            thread::sleep(Duration::from_millis(10));
        }
        assert!(GONE.load(Ordering::Relaxed));
    }

    #[test]
    fn a_head_is_bounded() {
        let address = server(QUICK);
        let long = "x".repeat(100 << 10);
        let many: String = (0..200).map(|i| format!("a{i}: b\r\n")).collect();
        for request in [
            format!("GET /{long} HTTP/1.1\r\n\r\n"),
            format!("GET / HTTP/1.1\r\nCookie: {long}\r\n\r\n"),
            format!("GET / HTTP/1.1\r\n{many}\r\n"),
        ] {
            let answer = response(address, &request);
            assert!(answer.starts_with("HTTP/1.1 431 "), "{answer}");
        }
    }

    #[test]
    fn who_says_nothing_or_half_a_head_is_ended() {
        let address = server(QUICK);
        for half in ["", "GET / HT"] {
            let answer = response(address, half);
            assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
        }
        // Byte by byte does not take longer.
        let start = Instant::now();
        let mut slow = TcpStream::connect(address).unwrap();
        while slow.write_all(b"G").is_ok() && start.elapsed() < Duration::from_secs(20) {
            thread::sleep(Duration::from_millis(20));
        }
        assert!(start.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn others_are_answered_beside_many_who_wait_or_read_slowly() {
        let address = server(ConnectionLimits {
            head_time: Duration::from_secs(60),
            write_time: Duration::from_secs(60),
            ..QUICK
        });
        let mut kept = Vec::new();
        for i in 0..40 {
            let mut stream = TcpStream::connect(address).unwrap();
            // Every other one asks for more than it reads.
            if i % 2 == 0 {
                let _ = stream.write_all(b"GET /large HTTP/1.1\r\n\r\n");
            }
            kept.push(stream);
        }
        let start = Instant::now();
        let answer = response(address, "GET /a HTTP/1.1\r\n\r\n");
        assert!(answer.ends_with("/a"), "{answer}");
        assert!(start.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn who_does_not_read_is_ended() {
        let address = server(QUICK);
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(b"GET /large HTTP/1.1\r\n\r\n").unwrap();
        thread::sleep(Duration::from_millis(1_500));
        let mut all = Vec::new();
        let _ = stream.read_to_end(&mut all);
        assert!(all.len() < 16 << 20, "{}", all.len());
    }
}
