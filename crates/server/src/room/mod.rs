//! One game under way. Whoever holds the lock of its [`Live`] is the one task that handles it: judge, throw, append and
//! sync, acknowledge, publish.

mod act;
mod agree;
mod look;
mod others;
mod stream;

pub(crate) use act::LONGEST_COMMAND;
pub(crate) use look::{previewed, try_out};
pub(crate) use others::{settle, think_at_start};
pub(crate) use stream::Stream;

use crate::auth::{Pass, Who};
use crate::error::ApiError;
use crate::wire::{Asks, DiceBy, Pace, Presence, Proposal, Replies};
use dice::{Key, Seeded};
use game::record::Record;
use game::{Actor, AnyGame, AnyTable, Problem, Seat, Viewer};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Mutex as Plain, PoisonError};
use store::Store;
use tokio::sync::{Mutex, watch};

/// What the server keeps of a game beside its record.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct About {
    pub title: String,
    /// Seat to `person` or `computer:LEVEL`.
    pub seats: BTreeMap<String, String>,
    pub pace: Pace,
    pub dice: DiceBy,
    pub host_rules: bool,
    pub wait_for_words: bool,
    /// Whether the computer may play for whoever is kept waiting for.
    pub stand_in: bool,
    /// Seats that it plays for until their players are back, with its level.
    pub covered: BTreeMap<String, String>,
    /// The clock stands still.
    pub paused: bool,
    /// When it was last set going again.
    pub resumed: i64,
    /// How often standing replies of a seat have answered.
    pub replied: BTreeMap<String, u32>,
    pub preset: Option<String>,
    /// Options that differ from the edition.
    pub changes: Vec<Value>,
    /// What the rules are called.
    pub rules_name: String,
    /// Aids that nobody uses.
    pub without: Vec<crate::wire::Aid>,
    /// Words added to the key, by seat.
    pub words: BTreeMap<String, String>,
    pub resigned: BTreeSet<String>,
    pub proposals: Vec<Proposal>,
    /// Counts proposals.
    pub proposed: u64,
    /// The rematch: its id, and which seat there follows from which here.
    pub rematch: Option<(String, BTreeMap<String, String>)>,
    /// Seats that owe something, for lists, and since when it is they.
    pub waits_for: Vec<String>,
    pub turned: i64,
    /// Brought in as a record that was over.
    pub imported: bool,
}

/// What was said.
#[derive(Debug, Clone)]
pub(crate) struct Said {
    pub by: String,
    /// `table`, `side:N`, or `seat:NAME`.
    pub audience: String,
    pub words: String,
    pub at: i64,
}

/// One game, shared by all that have to do with it.
pub(crate) struct Room {
    pub id: String,
    pub live: Mutex<Live>,
    /// Goes up at every change that anybody might want to see.
    pub tick: watch::Sender<u64>,
    /// Open pages by role.
    present: Plain<BTreeMap<String, usize>>,
}

/// What changes, under the lock.
pub(crate) struct Live {
    pub kind: &'static dyn AnyGame,
    pub table: Box<dyn AnyTable>,
    pub about: About,
    /// Lines in the store.
    pub version: u64,
    pub over: bool,
    pub key: Option<Key>,
    pub seeded: Option<Seeded>,
    pub streams: Vec<(Viewer, Stream)>,
    pub talk: Vec<Said>,
    pub replies: BTreeMap<String, Replies>,
    /// First answers to commands that carried a key of the client's.
    pub answered: VecDeque<(String, Value)>,
    /// Computer seats that think at the moment.
    pub thinking: BTreeSet<u8>,
    /// `about` is not in the store as it stands here.
    pub dirty: bool,
    /// The store no longer follows: the room must be loaded anew.
    pub lost: bool,
    /// When the first line of the record was written.
    pub began: i64,
    /// A command that nobody at the table gave waits for typed dice; at which line of the record.
    pub asks: Option<(u64, Asks)>,
    /// Possible tables of viewers at the present line.
    possible: Vec<(Viewer, Arc<dyn AnyTable>)>,
}

/// Seconds since 1970.
pub(crate) fn now() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.ok().and_then(|d| i64::try_from(d.as_secs()).ok()).unwrap_or(0)
}

/// The table of a header before any line.
pub(crate) fn opened(kind: &dyn AnyGame, header: game::record::Header) -> Result<Box<dyn AnyTable>, Problem> {
    let header_text = header.print();
    kind.replay(&Record { header, header_text, lines: Vec::new(), broken: None })
}

impl Room {
    /// The game as the store has it, played again.
    pub(crate) async fn load(
        store: &Store,
        games: &[&'static dyn AnyGame],
        id: &str,
    ) -> Result<Self, ApiError> {
        let kept = store.game(id).await?;
        if kept.kind == crate::draft::KIND {
            return Err(ApiError::not_found());
        }
        let Some(kind) = games.iter().copied().find(|g| g.name() == kept.kind) else {
            return Err(ApiError::broken("this release does not play this game"));
        };
        let mut text = kept.header.clone();
        for line in store.lines(id, 0).await? {
            text.push('\n');
            text.push_str(&line);
        }
        let told = |p: Problem| {
            tracing::error!(game = id, problem = %p, "a record does not replay");
            ApiError::conflict(
                "revision",
                // What exactly differs may be of the things that are hidden: that stands in the log alone.
                "this game was played under other rules than this release has; once over, its record can still be had",
            )
        };
        let record = Record::parse(&text).map_err(told)?;
        let table = kind.replay(&record).map_err(told)?;
        let about: About = serde_json::from_str(&kept.about).unwrap_or_default();
        let key: Option<Key> = kept.key.as_deref().and_then(|k| k.parse().ok());
        let mut seeded = key.as_ref().map(|k| Seeded::new(k.with_words(table.name(), &record.header.words)));
        if let (Some(seeded), false) = (&mut seeded, about.imported)
            && let Err(line) = table.catch_up(seeded)
        {
            return Err(told(Problem::new("a die is not the one that its key gives").at("", line, 0)));
        }
        let talk = store.talk(id, 0).await?;
        let mut replies = BTreeMap::new();
        for seat in table.seats() {
            if let Some(text) = store.note(id, seat, "replies").await? {
                replies.insert(seat.clone(), serde_json::from_str(&text).unwrap_or_default());
            }
        }
        let mut live = Live {
            kind,
            streams: Stream::all(table.seats().len(), kept.created),
            table,
            about,
            version: kept.version,
            over: kept.over,
            key,
            seeded,
            talk: talk
                .into_iter()
                .map(|(_, by, audience, words, at)| Said { by, audience, words, at })
                .collect(),
            replies,
            answered: VecDeque::new(),
            thinking: BTreeSet::new(),
            dirty: false,
            lost: false,
            began: kept.created,
            asks: None,
            possible: Vec::new(),
        };
        for (n, at) in (1..).zip(store.times(id).await?) {
            live.feed(n, at);
        }
        Ok(Self {
            id: id.to_owned(),
            live: Mutex::new(live),
            tick: watch::Sender::new(0),
            present: Plain::new(BTreeMap::new()),
        })
    }

    /// Tells all that look that something has changed.
    pub(crate) fn publish(&self) {
        self.tick.send_modify(|n| *n += 1);
    }

    /// A page of these roles is open until the guard falls.
    pub(crate) fn come_in(self: &Arc<Self>, roles: &[String]) -> Present {
        {
            let mut present = self.present.lock().unwrap_or_else(PoisonError::into_inner);
            roles.iter().for_each(|r| *present.entry(r.clone()).or_insert(0) += 1);
        }
        self.publish();
        Present { room: self.clone(), roles: roles.to_vec() }
    }

    /// Who is there.
    pub(crate) fn presence(&self, seats: &[String]) -> Presence {
        let present = self.present.lock().unwrap_or_else(PoisonError::into_inner);
        Presence {
            seats: seats.iter().filter(|s| present.contains_key(*s)).cloned().collect(),
            watching: present.iter().filter(|(r, _)| !seats.contains(r)).map(|(_, n)| n).sum(),
        }
    }

    /// Whether a role has no open page.
    pub(crate) fn absent(&self, role: &str) -> bool {
        !self.present.lock().unwrap_or_else(PoisonError::into_inner).contains_key(role)
    }

    /// Whether nobody looks.
    pub(crate) fn empty(&self) -> bool {
        self.present.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }
}

/// An open page.
pub(crate) struct Present {
    room: Arc<Room>,
    roles: Vec<String>,
}

impl Drop for Present {
    fn drop(&mut self) {
        {
            let mut present = self.room.present.lock().unwrap_or_else(PoisonError::into_inner);
            for role in &self.roles {
                if let Some(n) = present.get_mut(role) {
                    *n -= 1;
                    if *n == 0 {
                        present.remove(role);
                    }
                }
            }
        }
        self.room.publish();
    }
}

impl Live {
    pub(crate) fn seats(&self) -> &[String] {
        self.table.seats()
    }

    /// The right and eyes of a request.
    pub(crate) fn who(&self, pass: &Pass, named: Option<&str>) -> Result<Who, ApiError> {
        // Where the host alone rules, he may act with the umpire's right, though he sees what he saw before.
        if named == Some(crate::auth::HOST) && pass.host() && self.about.host_rules {
            let mut who = pass.who(None, self.seats())?;
            who.actor = Some(Actor::Umpire);
            return Ok(who);
        }
        pass.who(named, self.seats())
    }

    /// The seat of a request that must be a player's.
    pub(crate) fn seat(&self, pass: &Pass, named: Option<&str>) -> Result<(Seat, String), ApiError> {
        let who = self.who(pass, named)?;
        match who.viewer {
            Viewer::Seat(seat) if who.actor.is_some() => Ok((seat, who.role)),
            _ => Err(ApiError::not_yours("only a player can do this; you are watching")),
        }
    }

    pub(crate) fn named(&self, seat: Seat) -> String {
        Actor::Seat(seat).name(self.seats())
    }

    /// Whether a computer sits here.
    pub(crate) fn level(&self, name: &str) -> Option<&str> {
        self.about.seats.get(name).and_then(|who| who.strip_prefix("computer:"))
    }

    /// The level of the computer that plays here for the time being.
    fn plays(&self, name: &str) -> Option<&str> {
        self.level(name).or_else(|| self.about.covered.get(name).map(String::as_str))
    }

    /// The seats of people who have not given up.
    pub(crate) fn people(&self) -> Vec<String> {
        let people =
            self.seats().iter().filter(|s| self.level(s).is_none() && !self.about.resigned.contains(*s));
        people.cloned().collect()
    }

    pub(crate) fn stream(&self, viewer: Viewer) -> &Stream {
        // INVARIANT: there is a stream for every seat, spectators and the umpire; the last is only ever the umpire's.
        self.streams
            .iter()
            .find(|(v, _)| *v == viewer)
            .map_or(&self.streams[self.streams.len() - 1].1, |(_, s)| s)
    }

    fn feed(&mut self, n: u32, at: i64) {
        if n == 1 {
            self.began = at;
        }
        for (viewer, stream) in &mut self.streams {
            stream.feed(self.table.as_ref(), *viewer, n, at);
        }
        self.possible.clear();
    }

    /// The table is another one: what was worked out from the old one is forgotten.
    pub(crate) fn changed(&mut self) {
        self.possible.clear();
    }

    /// A possible table as a viewer knows it, kept until the next line.
    pub(crate) fn possible(&mut self, viewer: Viewer) -> Arc<dyn AnyTable> {
        if let Some((_, table)) = self.possible.iter().find(|(v, _)| *v == viewer) {
            return table.clone();
        }
        let table: Arc<dyn AnyTable> = Arc::from(self.table.possible_for(viewer, GUESS, None));
        self.possible.push((viewer, table.clone()));
        table
    }
}

/// Hidden facts are always guessed alike for previews, so that trying twice tells nothing.
pub(crate) const GUESS: u64 = 0;
