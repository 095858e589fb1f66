//! A small client over a real connection, for servers that are processes of their own.

use serde_json::Value;
use std::io::{BufRead, BufReader, Error, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// A status, the headers, and the rest to read.
type Opened = (u16, Vec<(String, String)>, BufReader<TcpStream>);

/// One browser: a kept connection and its cookie.
pub struct Client {
    address: String,
    wire: Option<BufReader<TcpStream>>,
    pub cookie: String,
}

impl Client {
    pub fn new(address: &str) -> Self {
        Self { address: address.to_owned(), wire: None, cookie: String::new() }
    }

    /// Sends a request and reads the head of its answer: status, and the fields in small letters.
    fn ask(&mut self, method: &str, path: &str, body: &str) -> Result<Opened, Error> {
        let mut wire = match self.wire.take() {
            Some(wire) => wire,
            None => {
                let wire = TcpStream::connect(&self.address)?;
                wire.set_read_timeout(Some(Duration::from_secs(30)))?;
                wire.set_nodelay(true)?;
                BufReader::new(wire)
            }
        };
        let text = format!(
            "{method} {path} HTTP/1.1\r\nhost: table\r\ncookie: {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.cookie,
            body.len()
        );
        wire.get_mut().write_all(text.as_bytes())?;
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            if wire.read_line(&mut line)? == 0 {
                return Err(Error::other("the server hung up"));
            }
            match line.trim_end() {
                "" => break,
                line => lines.push(line.to_owned()),
            }
        }
        let status = lines[0].split(' ').nth(1).and_then(|s| s.parse().ok()).unwrap_or(0);
        let fields = lines[1..].iter().filter_map(|l| l.split_once(": "));
        let fields: Vec<(String, String)> = fields.map(|(n, v)| (n.to_lowercase(), v.to_owned())).collect();
        if let Some((_, cookie)) = fields.iter().find(|(n, _)| n == "set-cookie") {
            self.cookie = cookie.split(';').next().unwrap_or("").to_owned();
        }
        Ok((status, fields, wire))
    }

    fn whole(&mut self, method: &str, path: &str, body: &str) -> Result<(u16, Value), Error> {
        let (status, fields, mut wire) = self.ask(method, path, body)?;
        let length = fields.iter().find(|(n, _)| n == "content-length");
        let length: usize = length.and_then(|(_, v)| v.parse().ok()).unwrap_or(0);
        let mut bytes = vec![0; length];
        wire.read_exact(&mut bytes)?;
        self.wire = Some(wire);
        Ok((status, serde_json::from_slice(&bytes).unwrap_or(Value::Null)))
    }

    pub fn get(&mut self, path: &str) -> Result<(u16, Value), Error> {
        self.whole("GET", path, "")
    }

    pub fn post(&mut self, path: &str, body: &Value) -> Result<(u16, Value), Error> {
        self.whole("POST", path, &body.to_string())
    }

    /// The text of a stream of events up to `presence`, on a connection of its own.
    pub fn stream(&mut self, path: &str) -> Result<String, Error> {
        let kept = self.wire.take();
        let (_, _, mut wire) = self.ask("GET", path, "")?;
        self.wire = kept;
        let mut text = String::new();
        // In chunks: their lengths stand before them, in sixteens.
        while !text.contains("event: presence") || !text.ends_with("\n\n") {
            let mut line = String::new();
            if wire.read_line(&mut line)? == 0 {
                return Err(Error::other("the stream ended"));
            }
            let length = usize::from_str_radix(line.trim(), 16).map_err(Error::other)?;
            let mut bytes = vec![0; length + 2];
            wire.read_exact(&mut bytes)?;
            text.push_str(std::str::from_utf8(&bytes[..length]).map_err(Error::other)?);
        }
        Ok(text)
    }
}
