//! `muster serve` and `muster play`: the table in the browser.

mod campaign;
mod desks;
mod hexes;
mod hooks;
mod lan;
mod library;
mod study;
mod study_hexes;
mod tracker;

use crate::games;
use crate::out::{self, Done, Verdict};
use clap::Args;
use game::Problem;
use server::{Config, Hooks, ServerError};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;

/// The port that is used if none is named.
const PORT: u16 = 7280;

/// Serve tables to browsers, until it is stopped.
#[derive(Debug, Args)]
pub struct ServeCmd {
    #[command(flatten)]
    place: PlaceArgs,
    /// The address to listen on; 0.0.0.0 lets other machines in.
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    address: IpAddr,
    /// Send cookies over HTTPS only: for a server behind a proxy that speaks it.
    #[arg(long)]
    secure: bool,
    /// A proxy in front tells callers' addresses in X-Forwarded-For.
    #[arg(long)]
    proxied: bool,
    /// For people in one room: let the machines of this network in, and show the address as a code for phones.
    #[arg(long)]
    lan: bool,
    /// With --lan: put two armies on a table at once and show the codes of its seats, of a seat for whoever looks on, and of a
    /// big screen.
    #[arg(long, value_names = ["ARMY", "ARMY"], num_args = 2, requires = "lan")]
    table: Vec<String>,
    /// Commands, previews and questions a second for one browser and table; 0: no limits of rates at all.
    #[arg(long, value_name = "N", default_value_t = 25)]
    rate: u32,
    /// Dice from this number instead of chance, for tests and shows: whoever knows it can foresee them.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

/// Open the table in the browser: fight the computer, a friend at this screen, or one with a link.
#[derive(Debug, Args)]
pub struct PlayCmd {
    #[command(flatten)]
    place: PlaceArgs,
    /// Only print the address.
    #[arg(long)]
    no_open: bool,
}

#[derive(Debug, Args)]
struct PlaceArgs {
    /// The port to listen on; 0: any that is free.
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// The file that keeps the battles.
    #[arg(long, value_name = "FILE", default_value = "muster.db")]
    db: PathBuf,
}

impl ServeCmd {
    /// Serves.
    pub fn run(self) -> Done {
        let mut config = Config {
            address: SocketAddr::new(self.address, self.place.port.unwrap_or(PORT)),
            store: self.place.db,
            secure: self.secure,
            proxied: self.proxied,
            seed: self.seed,
            ..Config::default()
        };
        config.rate = f64::from(self.rate);
        if self.rate == 0 {
            (config.rate, config.doors) = (1e9, 1e9);
            config.most_streams_each = config.most_streams;
        }
        if !self.lan {
            return run(config, Opening::default(), None);
        }
        if self.address.is_loopback() {
            config.address.set_ip(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
        }
        let Some(own) = lan::own_address(config.address.ip()) else {
            return Err(vec![
                Problem::new("this machine has no address by which others could reach it")
                    .hint("is it on a network? --address ADDRESS names the one to use"),
            ]);
        };
        let wish = if self.table.is_empty() { None } else { Some(lan::wish(&self.table)?) };
        // With port 0 the system chooses, and the address is known only then.
        if config.address.port() != 0 {
            config.lan = Some(format!("http://{}", SocketAddr::new(own, config.address.port())));
        }
        run(config, Opening { browser: false, lan: Some((own, wish)) }, None)
    }
}

impl PlayCmd {
    /// Serves here and opens the browser.
    pub fn run(self) -> Done {
        let address = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), self.place.port.unwrap_or(PORT));
        // Without a port asked for any will do: another table may be open already.
        let fall_back = self.place.port.is_none().then(|| SocketAddr::new(address.ip(), 0));
        let opening = Opening { browser: !self.no_open, lan: None };
        run(Config { address, store: self.place.db, ..Config::default() }, opening, fall_back)
    }
}

/// What is done once it is listened.
#[derive(Debug, Clone, Default)]
struct Opening {
    /// The browser is opened here.
    browser: bool,
    /// The address of this machine in its network, and the table that is opened at once.
    lan: Option<(IpAddr, Option<server::wire::NewTable>)>,
}

fn run(config: Config, opening: Opening, fall_back: Option<SocketAddr>) -> Done {
    tracing_subscriber::fmt().json().with_writer(std::io::stderr).with_max_level(tracing::Level::WARN).init();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|e| vec![Problem::new(format!("the server cannot be set up: {e}"))])?;
    let serve = |config: Config| {
        runtime.block_on(server::run(
            config,
            games::all(),
            hooks(),
            async |server: &server::Server, address: SocketAddr| {
                ready(address, opening.browser);
                if let Some((own, wish)) = opening.lan.clone() {
                    lan::show(server, SocketAddr::new(own, address.port()), wish).await;
                }
            },
            server::until_interrupted(),
        ))
    };
    let done = match (serve(config.clone()), fall_back) {
        (Err(ServerError::Listen { .. }), Some(address)) => serve(Config { address, ..config }),
        (done, _) => done,
    };
    match done {
        Ok(()) => Ok(Verdict::Yes),
        Err(error @ ServerError::Listen { .. }) => Err(vec![
            Problem::new(error.to_string()).hint("--port N takes another one, --port 0 any that is free"),
        ]),
        Err(error) => Err(vec![Problem::new(error.to_string())]),
    }
}

/// What this binary adds to the server.
fn hooks() -> Hooks {
    Hooks {
        computer: Some(Arc::new(hooks::Computers)),
        picture: Some(Arc::new(hooks::Pictures)),
        library: Some(Arc::new(library::Shelf)),
        desks: Some(Arc::new(desks::Pages)),
    }
}

fn ready(address: SocketAddr, open: bool) {
    let shown = if address.ip().is_unspecified() {
        format!("http://localhost:{}/", address.port())
    } else {
        format!("http://{address}/")
    };
    out::line(&format!("The table is open at {shown} (Ctrl-C closes it)."));
    if open {
        open_browser(&shown);
    }
}

/// Asks the system to open a page; where it cannot, the address has been printed.
fn open_browser(address: &str) {
    let (program, args): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/C", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    let mut command = Command::new(program);
    command.args(args).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // A child that is not waited for: it lives as long as the browser does.
    drop(command.spawn());
}
