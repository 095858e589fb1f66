//! What an operator sets.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// The server's settings. `Config::default()` suits one machine and some friends.
#[derive(Debug, Clone)]
pub struct Config {
    /// Where to listen.
    pub address: SocketAddr,
    /// The file of the store.
    pub store: PathBuf,
    /// Cookies are sent over HTTPS only.
    pub secure: bool,
    /// A proxy in front writes the caller's address into `X-Forwarded-For`.
    pub proxied: bool,
    /// Computer players that think at the same time.
    pub thinkers: usize,
    /// How long a computer may think over one command.
    pub think: Duration,
    /// At most so many games are kept.
    pub most_games: u64,
    /// At most so many event streams are open.
    pub most_streams: usize,
    /// At most so many of them for one address.
    pub most_streams_each: usize,
    /// Largest body of a command, in bytes.
    pub body: usize,
    /// Largest body of a new game or an imported record, in bytes.
    pub large_body: usize,
    /// Commands, previews and questions a second for one browser and game; short bursts may be four times this.
    pub rate: f64,
    /// New games, links tried and records brought in a minute for one address.
    pub doors: f64,
    /// A request may take so long, its body included; streams of events are not meant.
    pub patience: Duration,
    /// After being asked to end, open connections are waited for so long.
    pub farewell: Duration,
    /// `/metrics` answers callers from other machines too. They count every command, hidden ones too.
    pub open_metrics: bool,
    /// After so long without anybody a game is put away until it is asked for.
    pub idle: Duration,
    /// The address by which others in the room reach this server: `http://192.168.1.20:7280`.
    pub lan: Option<String>,
    /// So many of the games last touched are looked through at the start for computers that owe something.
    pub resume: u32,
    /// For tests and shows: the dice of the first game opened come from this number, of the next from the next one, and
    /// so on. Whoever knows it can foresee them.
    pub seed: Option<u64>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            address: SocketAddr::from(([127, 0, 0, 1], 7280)),
            store: PathBuf::from("muster.db"),
            secure: false,
            proxied: false,
            thinkers: 1,
            think: Duration::from_secs(3),
            most_games: 100_000,
            most_streams: 4_000,
            most_streams_each: 100,
            body: 64 * 1024,
            large_body: 4 * 1024 * 1024,
            rate: 25.0,
            doors: 60.0,
            patience: Duration::from_secs(60),
            farewell: Duration::from_secs(10),
            open_metrics: false,
            idle: Duration::from_secs(600),
            lan: None,
            resume: 500,
            seed: None,
        }
    }
}
