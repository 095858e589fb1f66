//! Who sits at the table.

/// A seat: a player's place in the game, by its number in [`Game::seats`](crate::Game::seats).
/// A person may hold several; a seat may own a side, some commands of one, a nation, a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seat(pub u8);

/// By whose right a command is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Actor {
    /// A player's seat, for what it owns.
    Seat(Seat),
    /// The umpire, host or game master: may act for any seat and rule.
    Umpire,
    /// All seats by consent: may rule where there is no umpire.
    All,
}

impl Actor {
    /// Whether a ruling may come from here.
    #[must_use]
    pub fn may_rule(self) -> bool {
        !matches!(self, Actor::Seat(_))
    }

    /// Whether this actor may give a command that is `seat`'s to give.
    #[must_use]
    pub fn may_act_for(self, seat: Seat) -> bool {
        match self {
            Actor::Seat(own) => own == seat,
            Actor::Umpire | Actor::All => true,
        }
    }

    /// The seat's name, or `umpire`, or `all`; a number past the names stands as `seat 9`.
    #[must_use]
    pub fn name(self, seats: &[String]) -> String {
        match self {
            Actor::Seat(Seat(n)) => seats.get(usize::from(n)).cloned().unwrap_or_else(|| format!("seat {n}")),
            Actor::Umpire => "umpire".to_owned(),
            Actor::All => "all".to_owned(),
        }
    }

    /// Reads what [`Actor::name`] wrote, in any case.
    #[must_use]
    pub fn named(name: &str, seats: &[String]) -> Option<Self> {
        if name.eq_ignore_ascii_case("umpire")
            || name.eq_ignore_ascii_case("host")
            || name.eq_ignore_ascii_case("gm")
        {
            return Some(Actor::Umpire);
        }
        if name.eq_ignore_ascii_case("all") {
            return Some(Actor::All);
        }
        let n = seats.iter().position(|s| s.eq_ignore_ascii_case(name))?;
        u8::try_from(n).ok().map(|n| Actor::Seat(Seat(n)))
    }
}

/// For whom a view is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Viewer {
    /// A player: what his seat may know.
    Seat(Seat),
    /// Anybody: what all may know.
    Spectator,
    /// The umpire, host or game master: everything.
    Umpire,
}
