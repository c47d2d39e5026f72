//! A small server for the page, on this machine alone.
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};

/// Serves a folder until the program is ended. When the port is taken, the next free one.
pub fn forever(folder: &Path, port: u16) -> Result<(), String> {
    let listener = (port..port.saturating_add(20))
        .find_map(|port| TcpListener::bind(("127.0.0.1", port)).ok())
        .ok_or_else(|| format!("no port from {port} on is free"))?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    println!("the page is at http://{address}/ (Ctrl+C ends)");
    for stream in listener.incoming().flatten() {
        let folder = folder.to_owned();
        std::thread::spawn(move || {
            // A browser that goes away in the middle is no failure of ours.
            let _ = answer(&folder, stream);
        });
    }
    Ok(())
}

fn answer(folder: &Path, mut stream: TcpStream) -> std::io::Result<()> {
    let mut line = String::new();
    BufReader::new(stream.try_clone()?).read_line(&mut line)?;
    let mut words = line.split(' ');
    let (method, address) = (words.next().unwrap_or(""), words.next().unwrap_or("/"));
    let found = (method == "GET").then(|| file(folder, address)).flatten();
    let Some((path, bytes)) = found.and_then(|path| Some((path.clone(), fs::read(path).ok()?)))
    else {
        return stream.write_all(
            b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        );
    };
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: {}\r\nContent-Length: {}\r\nCache-Control: no-cache\r\nConnection: close\r\n\r\n",
        kind(&path),
        bytes.len()
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(&bytes)
}

/// The file that an address means; none outside of the folder.
fn file(folder: &Path, address: &str) -> Option<PathBuf> {
    let name = address.split(['?', '#']).next()?.trim_start_matches('/');
    let name = Path::new(if name.is_empty() { "index.html" } else { name });
    let inside = name
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    inside.then(|| folder.join(name))
}

fn kind(path: &Path) -> &'static str {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("webmanifest" | "json") => "application/json",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_stay_inside_the_folder() {
        let folder = Path::new("/site");
        assert_eq!(file(folder, "/"), Some("/site/index.html".into()));
        assert_eq!(file(folder, "/a/b.js?x"), Some("/site/a/b.js".into()));
        assert_eq!(file(folder, "/../secret"), None);
        assert_eq!(
            file(folder, "//etc/passwd"),
            Some("/site/etc/passwd".into())
        );
    }
}
