//! A small server for the page, for browsers on this machine only.
//!
//! It listens on 127.0.0.1 and answers only requests that name this machine as their host: a page of another site whose name is made to
//! mean 127.0.0.1 gets nothing. Requests are bounded in length and in time, and connections in number. Files are sent compressed by gzip to
//! clients that take it, as static hosts send them.
use flate2::Compression;
use flate2::write::GzEncoder;
use std::collections::HashMap;
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Bytes of a request's first line and headers together.
const REQUEST: usize = 16 << 10;
/// Connections that are answered at the same time. Browsers open six to a host.
const CONNECTIONS: usize = 64;

/// The time that a client may take.
#[derive(Clone, Copy)]
struct Patience {
    /// To send its request, from its connection on.
    request: Duration,
    /// To take the next part of the answer.
    answer: Duration,
}

const PATIENCE: Patience = Patience {
    request: Duration::from_secs(10),
    answer: Duration::from_secs(30),
};

/// Serves a folder until the program is ended. When the port is taken, the next free one.
pub fn forever(folder: &Path, port: u16) -> Result<(), String> {
    let listener = (port..port.saturating_add(20))
        .find_map(|port| TcpListener::bind(("127.0.0.1", port)).ok())
        .ok_or_else(|| format!("no port from {port} on is free"))?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    println!("the page is at http://{address}/ (Ctrl+C ends)");
    serve(&listener, folder, PATIENCE)
}

/// A folder, and the port on which it is served.
struct Site {
    folder: PathBuf,
    port: u16,
    patience: Patience,
    packed: Packed,
}

/// Answers each connection in a thread of its own, so that a silent client blocks no other.
fn serve(listener: &TcpListener, folder: &Path, patience: Patience) -> Result<(), String> {
    let folder = fs::canonicalize(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let port = listener.local_addr().map_err(|e| e.to_string())?.port();
    let site = Arc::new(Site {
        folder,
        port,
        patience,
        packed: Packed::default(),
    });
    let open = Arc::new(AtomicUsize::new(0));
    for stream in listener.incoming().flatten() {
        if open.fetch_add(1, Ordering::Relaxed) >= CONNECTIONS {
            open.fetch_sub(1, Ordering::Relaxed);
            continue;
        }
        let (site, open) = (site.clone(), open.clone());
        std::thread::spawn(move || {
            // A browser may go away in the middle.
            let _ = answer(&site, stream);
            open.fetch_sub(1, Ordering::Relaxed);
        });
    }
    Ok(())
}

fn answer(site: &Site, stream: TcpStream) -> io::Result<()> {
    stream.set_write_timeout(Some(site.patience.answer))?;
    let mut to = stream.try_clone()?;
    let Some(request) = read_request(stream, site.patience.request)? else {
        return refuse(&mut to, "431 Request Header Fields Too Large");
    };
    if !request
        .host
        .is_some_and(|host| is_this_machine(&host, site.port))
    {
        return refuse(&mut to, "421 Misdirected Request");
    }
    if request.method != "GET" && request.method != "HEAD" {
        return refuse(&mut to, "405 Method Not Allowed");
    }
    let found = file(&site.folder, &request.target);
    let Some((path, bytes)) = found.and_then(|path| Some((path.clone(), fs::read(path).ok()?)))
    else {
        return refuse(&mut to, "404 Not Found");
    };
    let kind = kind(&path);
    let (bytes, encoding) = if kind.is_packed {
        let packed = request.takes_gzip.then(|| site.packed.gzip(&path, &bytes));
        let named = match packed {
            Some(_) => "Content-Encoding: gzip\r\nVary: Accept-Encoding\r\n",
            None => "Vary: Accept-Encoding\r\n",
        };
        (packed.unwrap_or_else(|| bytes.into()), named)
    } else {
        (bytes.into(), "")
    };
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: {}\r\n{encoding}Content-Length: {}\r\nCache-Control: no-cache\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n",
        kind.name,
        bytes.len()
    );
    to.write_all(head.as_bytes())?;
    if request.method == "HEAD" {
        return Ok(());
    }
    to.write_all(&bytes)
}

/// A file's contents, and the same compressed.
struct Pack {
    plain: Vec<u8>,
    gzip: Arc<[u8]>,
}

/// The files that were sent compressed, so that each is compressed once.
#[derive(Default)]
struct Packed(Mutex<HashMap<PathBuf, Pack>>);

impl Packed {
    /// A file's contents by gzip. A file that was changed since it was compressed is compressed again.
    fn gzip(&self, path: &Path, plain: &[u8]) -> Arc<[u8]> {
        let files = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pack) = files().get(path).filter(|pack| pack.plain == plain) {
            return pack.gzip.clone();
        }
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        // Nothing fails that is written to memory.
        let gzip = encoder.write_all(plain).and_then(|()| encoder.finish());
        let gzip: Arc<[u8]> = gzip.unwrap_or_default().into();
        let pack = Pack {
            plain: plain.to_owned(),
            gzip: gzip.clone(),
        };
        files().insert(path.to_owned(), pack);
        gzip
    }
}

fn refuse(to: &mut TcpStream, status: &str) -> io::Result<()> {
    let answer = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    to.write_all(answer.as_bytes())
}

/// A request, as far as this server looks at it.
struct Request {
    method: String,
    target: String,
    host: Option<String>,
    takes_gzip: bool,
}

/// A stream that is read until a deadline: a client that sends a byte now and then comes to it as one that sends nothing.
struct Until {
    stream: TcpStream,
    deadline: Instant,
}

impl Read for Until {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.stream.set_read_timeout(Some(left))?;
        self.stream.read(into)
    }
}

/// Reads first line and headers; `None` when they are too long.
fn read_request(stream: TcpStream, patience: Duration) -> io::Result<Option<Request>> {
    let deadline = Instant::now() + patience;
    let bounded = Until { stream, deadline }.take(REQUEST as u64);
    let mut reader = BufReader::new(bounded);
    // `None` when the bytes end before the line does.
    let mut line = || -> io::Result<Option<String>> {
        let mut bytes = Vec::new();
        reader.read_until(b'\n', &mut bytes)?;
        let text = String::from_utf8_lossy(&bytes).trim_end().to_owned();
        Ok(bytes.ends_with(b"\n").then_some(text))
    };
    let Some(first) = line()? else {
        return Ok(None);
    };
    let (mut host, mut takes_gzip) = (None, false);
    loop {
        let Some(header) = line()? else {
            return Ok(None);
        };
        if header.is_empty() {
            break;
        }
        let (name, value) = header.split_once(':').unwrap_or_default();
        match name.to_ascii_lowercase().as_str() {
            "host" => host = Some(value.trim().to_owned()),
            "accept-encoding" => takes_gzip |= is_gzip_in(value),
            _ => {}
        }
    }
    let mut words = first.split(' ').map(str::to_owned);
    let (method, target) = (words.next(), words.next());
    Ok(Some(Request {
        method: method.unwrap_or_default(),
        target: target.unwrap_or_default(),
        host,
        takes_gzip,
    }))
}

/// True if a list of encodings has gzip, and not with the weight 0, which refuses it.
fn is_gzip_in(list: &str) -> bool {
    list.split(',').any(|one| {
        let (name, parameters) = one.split_once(';').unwrap_or((one, ""));
        let weight = parameters.trim().strip_prefix("q=");
        let is_refused = weight.is_some_and(|weight| weight.parse() == Ok(0.0));
        name.trim().eq_ignore_ascii_case("gzip") && !is_refused
    })
}

/// True if a Host header names this machine and the server's port.
fn is_this_machine(host: &str, port: u16) -> bool {
    // A browser leaves out the port of the protocol.
    let (name, number) = host.rsplit_once(':').unwrap_or((host, "80"));
    number.parse() == Ok(port) && (name == "127.0.0.1" || name.eq_ignore_ascii_case("localhost"))
}

/// The file that an address means; `None` when it is outside of the folder, also by a link of the file system.
fn file(folder: &Path, address: &str) -> Option<PathBuf> {
    let name = address.split(['?', '#']).next()?.trim_start_matches('/');
    let name = Path::new(if name.is_empty() { "index.html" } else { name });
    let is_plain = name
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    if !is_plain {
        return None;
    }
    let path = fs::canonicalize(folder.join(name)).ok()?;
    (path.starts_with(folder) && path.is_file()).then_some(path)
}

/// A kind of file.
struct Kind {
    /// Its name for browsers.
    name: &'static str,
    /// Compression makes it smaller.
    is_packed: bool,
}

fn kind(path: &Path) -> Kind {
    let (name, is_packed) = match path.extension().and_then(|ending| ending.to_str()) {
        Some("html") => ("text/html; charset=utf-8", true),
        Some("js" | "mjs") => ("text/javascript; charset=utf-8", true),
        Some("css") => ("text/css; charset=utf-8", true),
        Some("wasm") => ("application/wasm", true),
        Some("svg") => ("image/svg+xml", true),
        Some("png") => ("image/png", false),
        Some("webmanifest" | "json") => ("application/json", true),
        _ => ("application/octet-stream", true),
    };
    Kind { name, is_packed }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: &str =
        "a { color: red; } b { color: red; } c { color: red; } d { color: red; } e { color: red; }";

    /// A folder `site` with a file in it, beside a file that it must not serve; and a server of it with little patience.
    struct Served {
        root: tempfile::TempDir,
        port: u16,
    }

    fn served() -> Served {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("site");
        fs::create_dir_all(folder.join("a")).unwrap();
        fs::write(folder.join("index.html"), "the page").unwrap();
        fs::write(folder.join("a/b.js"), "script").unwrap();
        fs::write(folder.join("long.css"), LONG).unwrap();
        fs::write(folder.join("picture.png"), "picture").unwrap();
        fs::write(root.path().join("secret"), "secret").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(root.path().join("secret"), folder.join("link")).unwrap();
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let patience = Patience {
            request: Duration::from_millis(300),
            answer: Duration::from_secs(5),
        };
        std::thread::spawn(move || serve(&listener, &folder, patience));
        Served { root, port }
    }

    impl Served {
        fn send(&self, request: &[u8]) -> String {
            String::from_utf8_lossy(&self.bytes(request)).into_owned()
        }

        fn bytes(&self, request: &[u8]) -> Vec<u8> {
            let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
            // The server may refuse before it has read everything.
            let _ = stream.write_all(request);
            let mut answer = Vec::new();
            let _ = stream.read_to_end(&mut answer);
            answer
        }

        /// The headers and the contents of a file for a client with this header.
        fn taken(&self, method: &str, target: &str, header: &str) -> (String, Vec<u8>) {
            let own = self.own();
            let request = format!("{method} {target} HTTP/1.1\r\nHost: {own}\r\n{header}\r\n\r\n");
            let answer = self.bytes(request.as_bytes());
            let end = answer.windows(4).position(|four| four == b"\r\n\r\n");
            let (head, body) = answer.split_at(end.unwrap() + 4);
            (String::from_utf8_lossy(head).into_owned(), body.to_owned())
        }

        fn get(&self, target: &str, host: &str) -> String {
            self.send(format!("GET {target} HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes())
        }

        fn own(&self) -> String {
            format!("127.0.0.1:{}", self.port)
        }
    }

    #[test]
    fn files_of_the_folder_are_served_and_no_others() {
        let served = served();
        let own = served.own();
        for (target, wanted) in [
            ("/", "the page"),
            ("/index.html?x#y", "the page"),
            ("/a/b.js", "script"),
        ] {
            let answer = served.get(target, &own);
            assert!(
                answer.starts_with("HTTP/1.1 200") && answer.ends_with(wanted),
                "{answer}"
            );
        }
        for target in [
            "/../secret",
            "/a/../../secret",
            "//../secret",
            "/%2e%2e/secret",
            "/..%2fsecret",
            "/..\\secret",
            "/link",
            "/a",
            "/missing",
            "secret",
            "http://127.0.0.1/../secret",
            "/index.html\0",
            "",
        ] {
            let answer = served.get(target, &own);
            assert!(!answer.contains("secret"), "{target}: {answer}");
            let is_page = answer.ends_with("the page");
            assert!(
                answer.starts_with("HTTP/1.1 404") || target.is_empty() && is_page,
                "{target}: {answer}"
            );
        }
    }

    fn unpacked(bytes: &[u8]) -> String {
        let mut text = String::new();
        let mut decoder = flate2::read::GzDecoder::new(bytes);
        decoder.read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn files_are_compressed_for_clients_that_take_it() {
        let served = served();
        for header in [
            "Accept-Encoding: gzip",
            "accept-encoding: br, GZIP;q=0.5",
            "Accept-Encoding: deflate, gzip; q=1.0, *;q=0",
        ] {
            let (head, body) = served.taken("GET", "/long.css", header);
            assert!(head.contains("Content-Encoding: gzip\r\n"), "{head}");
            assert!(head.contains("Vary: Accept-Encoding\r\n"), "{head}");
            let length = format!("Content-Length: {}\r\n", body.len());
            assert!(head.contains(&length) && body.len() < LONG.len(), "{head}");
            assert_eq!(unpacked(&body), LONG);
            let (of_head, nothing) = served.taken("HEAD", "/long.css", header);
            assert_eq!((of_head, nothing.len()), (head, 0));
        }
        for header in [
            "Accept: */*",
            "Accept-Encoding: identity, br",
            "Accept-Encoding: gzip;q=0",
            "Accept-Encoding: gzip; q=0.000, br",
            "Accept-Encoding: gzipped",
        ] {
            let (head, body) = served.taken("GET", "/long.css", header);
            assert!(!head.contains("Content-Encoding"), "{header}: {head}");
            assert!(head.contains("Vary: Accept-Encoding\r\n"), "{head}");
            assert_eq!(body, LONG.as_bytes());
        }
        let (head, body) = served.taken("GET", "/picture.png", "Accept-Encoding: gzip");
        assert!(!head.contains("Encoding") && body == b"picture", "{head}");
    }

    #[test]
    fn a_file_that_was_changed_is_compressed_again() {
        let served = served();
        let get = || unpacked(&served.taken("GET", "/a/b.js", "Accept-Encoding: gzip").1);
        assert_eq!([get(), get()], ["script", "script"]);
        // As long as before, and within the resolution of its time.
        fs::write(served.root.path().join("site/a/b.js"), "scribe").unwrap();
        assert_eq!([get(), get()], ["scribe", "scribe"]);
    }

    #[test]
    fn other_hosts_and_methods_are_refused() {
        let served = served();
        let port = served.port;
        let local = format!("LocalHost:{port}");
        assert!(served.get("/", &local).starts_with("HTTP/1.1 200"));
        for host in [
            "evil.example".to_owned(),
            format!("evil.example:{port}"),
            "127.0.0.1".to_owned(),
            format!("127.0.0.1.evil.example:{port}"),
            format!("localhost:{}", port ^ 1),
            String::new(),
        ] {
            let answer = served.get("/", &host);
            assert!(answer.starts_with("HTTP/1.1 421"), "{host}: {answer}");
        }
        assert!(
            served
                .send(b"GET / HTTP/1.1\r\n\r\n")
                .starts_with("HTTP/1.1 421")
        );
        let own = served.own();
        let post = format!("POST / HTTP/1.1\r\nHost: {own}\r\n\r\n");
        assert!(served.send(post.as_bytes()).starts_with("HTTP/1.1 405"));
        let head = format!("HEAD / HTTP/1.1\r\nHost: {own}\r\n\r\n");
        let answer = served.send(head.as_bytes());
        assert!(
            answer.contains("Content-Length: 8") && answer.ends_with("\r\n\r\n"),
            "{answer}"
        );
    }

    #[test]
    fn requests_are_bounded_and_silent_clients_block_no_one() {
        let served = served();
        let own = served.own();
        let silent: Vec<_> = (0..20)
            .map(|_| TcpStream::connect(("127.0.0.1", served.port)).unwrap())
            .collect();
        assert!(served.get("/", &own).starts_with("HTTP/1.1 200"));
        let long = "x".repeat(REQUEST + 100);
        let line = served.send(format!("GET /{long} HTTP/1.1\r\n").as_bytes());
        let header = served.send(format!("GET / HTTP/1.1\r\nA: {long}\r\n\r\n").as_bytes());
        let many = "A: b\r\n".repeat(REQUEST / 4);
        let many = served.send(format!("GET / HTTP/1.1\r\n{many}\r\n").as_bytes());
        for answer in [line, header, many] {
            // What was not read resets the connection, and the answer may go with it.
            assert!(
                answer.is_empty() || answer.starts_with("HTTP/1.1 431"),
                "{answer}"
            );
        }
        // A client that says nothing is let go.
        for mut stream in silent {
            stream
                .set_read_timeout(Some(Duration::from_secs(20)))
                .unwrap();
            let mut answer = Vec::new();
            let ended = stream.read_to_end(&mut answer);
            assert!(ended.is_ok() && answer.is_empty(), "{ended:?} {answer:?}");
        }
        assert!(served.get("/", &own).starts_with("HTTP/1.1 200"));
    }
}
