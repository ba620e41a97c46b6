//! The cheapest server that the load client accepts: 60 KB made ahead, the request's own nonce in them, no framework
//! and no rendering. What a load client can take at most is measured at it; it keeps no contract and is never ranked.
//!
//! One thread a connection, so that the standard library is enough.

use std::env;
use std::error::Error;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

const BODY_BYTES: usize = 60_000;
const NONCE_BYTES: usize = 20;
const CHUNK_BYTES: usize = 4096;
const LONGEST_HEAD_BYTES: usize = 16_384;
const THREAD_STACK_BYTES: usize = 128 * 1024;

const BEFORE_NONCE: &str =
    "<!doctype html>\n<html lang=\"en\"><head><title>Trivial</title></head><body><main data-request=\"";
const AFTER_NONCE: &str = "\"><ul>";
const ITEM: &str = "<li>An item of a list that is as long as a real one</li>\n";
const END: &str = "</ul></main></body></html>\n";

#[derive(Clone, Copy, PartialEq)]
enum Framing {
    Length,
    Chunks,
}

/// An answer but for its nonce.
struct Page {
    framing: Framing,
    after_nonce: Vec<u8>,
}

impl Page {
    fn new(framing: Framing) -> Self {
        let fixed = BEFORE_NONCE.len() + NONCE_BYTES + AFTER_NONCE.len() + END.len();
        let items = ITEM.bytes().cycle().take(BODY_BYTES - fixed);
        let after_nonce = AFTER_NONCE.bytes().chain(items).chain(END.bytes()).collect();
        Self { framing, after_nonce }
    }

    /// Appends a whole answer.
    fn answer(&self, nonce: &[u8], out: &mut Vec<u8>) {
        out.extend_from_slice(
            b"HTTP/1.1 200 OK\r\ncontent-type: text/html; charset=utf-8\r\ncache-control: no-store\r\n",
        );
        match self.framing {
            Framing::Length => {
                let length = BEFORE_NONCE.len() + nonce.len() + self.after_nonce.len();
                out.extend_from_slice(format!("content-length: {length}\r\n\r\n").as_bytes());
                for part in [BEFORE_NONCE.as_bytes(), nonce, &self.after_nonce] {
                    out.extend_from_slice(part);
                }
            }
            Framing::Chunks => {
                out.extend_from_slice(b"transfer-encoding: chunked\r\n\r\n");
                chunk(&[BEFORE_NONCE.as_bytes(), nonce], out);
                for piece in self.after_nonce.chunks(CHUNK_BYTES) {
                    chunk(&[piece], out);
                }
                chunk(&[], out);
            }
        }
    }
}

/// One chunk (RFC 9112, section 7.1); an empty one is the last.
fn chunk(parts: &[&[u8]], out: &mut Vec<u8>) {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    out.extend_from_slice(format!("{length:x}\r\n").as_bytes());
    for part in parts {
        out.extend_from_slice(part);
    }
    out.extend_from_slice(b"\r\n");
}

/// What stands after `?r=` in the request's first line; empty where nothing does.
fn nonce_of(head: &[u8]) -> &[u8] {
    let line = head.split(|&byte| byte == b'\r').next().unwrap_or_default();
    let target = line.split(|&byte| byte == b' ').nth(1).unwrap_or_default();
    match position(target, b"?r=") {
        Some(at) => &target[at + 3..],
        None => &[],
    }
}

fn position(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

/// Answers a connection's requests, which have no body, until the client ends it.
fn serve(mut stream: TcpStream, page: &Page) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut received = Vec::new();
    let mut out = Vec::with_capacity(BODY_BYTES + CHUNK_BYTES);
    let mut piece = [0; CHUNK_BYTES];
    loop {
        while let Some(end) = position(&received, b"\r\n\r\n") {
            out.clear();
            page.answer(nonce_of(&received[..end]), &mut out);
            received.drain(..end + 4);
            stream.write_all(&out)?;
        }
        if received.len() > LONGEST_HEAD_BYTES {
            return Err(ErrorKind::InvalidData.into());
        }
        match stream.read(&mut piece)? {
            0 => return Ok(()),
            count => received.extend_from_slice(&piece[..count]),
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let framing = match env::var("RESPONSE_MODE")?.as_str() {
        "complete" => Framing::Length,
        "progressive" => Framing::Chunks,
        other => return Err(format!("RESPONSE_MODE is {other}, not complete or progressive").into()),
    };
    let page = Arc::new(Page::new(framing));
    let listener = TcpListener::bind((env::var("HOST")?, env::var("PORT")?.parse()?))?;
    for stream in listener.incoming() {
        let (stream, page) = (stream?, Arc::clone(&page));
        // A client that goes away in the middle ends its own thread only.
        thread::Builder::new().stack_size(THREAD_STACK_BYTES).spawn(move || serve(stream, &page))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(framing: Framing) -> (String, String) {
        let mut out = Vec::new();
        Page::new(framing).answer(b"abcdefghij0123456789", &mut out);
        let text = String::from_utf8(out).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        (head.to_string(), body.to_string())
    }

    #[test]
    fn a_length_is_that_of_the_body() {
        let (head, body) = answer(Framing::Length);
        assert!(head.contains(&format!("content-length: {BODY_BYTES}")));
        assert_eq!(body.len(), BODY_BYTES);
        assert!(body.contains("data-request=\"abcdefghij0123456789\""));
        assert!(body.trim_end().ends_with("</html>"));
    }

    #[test]
    fn chunks_join_to_the_same_body() {
        let (_, mut rest) = answer(Framing::Chunks);
        let mut body = String::new();
        loop {
            let (size, after) = rest.split_once("\r\n").unwrap();
            let size = usize::from_str_radix(size, 16).unwrap();
            body.push_str(&after[..size]);
            assert_eq!(&after[size..size + 2], "\r\n");
            if size == 0 {
                assert_eq!(after.len(), 2);
                break;
            }
            rest = after[size + 2..].to_string();
        }
        assert_eq!(body, answer(Framing::Length).1);
    }

    #[test]
    fn a_nonce_ends_with_the_target() {
        assert_eq!(nonce_of(b"GET /?r=abc HTTP/1.1\r\nhost: x"), b"abc");
        assert_eq!(nonce_of(b"GET / HTTP/1.1\r\nhost: x/?r=no"), b"");
        assert_eq!(nonce_of(b""), b"");
    }
}
