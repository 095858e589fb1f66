//! Commands of a campaign, and their one text form.

use crate::battle::BattleResult;
use crate::ids::{BodyId, ElementId, NationId, PlaceId, Troop};
use crate::log::Seen;
use crate::muster::Element;
use crate::order::SetState;
use crate::state::Hand;
use game::Problem;
use rulebook::nearest_names;

/// What is done in a campaign.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// A set of orders arrives (CAM-046): sealed, known to its nation and the umpire only.
    Orders {
        /// Whose.
        nation: NationId,
        /// When it was sent.
        sent: i64,
        /// When it arrived.
        received: i64,
        /// Draft, submitted or confirmed.
        state: SetState,
        /// What it says.
        text: String,
    },
    /// The nation has nothing to add.
    Confirm(NationId),
    /// The deadline is past: the season is adjudicated with what there is.
    Adjudicate,
    /// How a battle came out (CAM-079).
    Result {
        /// Which: by its place.
        battle: String,
        /// How.
        result: BattleResult,
    },
    /// The computer fights a battle.
    Fight(String),
    /// Until when a battle should be fought (CAM-156 is what comes after).
    Date {
        /// Which.
        battle: String,
        /// Until when.
        until: String,
    },
    /// A note from a nation (or the umpire) to another.
    Note {
        /// From whom.
        from: Option<NationId>,
        /// To whom.
        to: NationId,
        /// Unnamed.
        anonymous: bool,
        /// With the season's letters, not at once.
        later: bool,
        /// What it says.
        text: String,
    },
    /// The umpire's own paragraph in a letter, or in the gazette; an empty text takes his paragraphs there away.
    Say {
        /// In whose letter; nobody: the gazette.
        to: Option<NationId>,
        /// What it says.
        text: String,
    },
    /// Whether seasons wait on the umpire's desk until he publishes them.
    Hold(bool),
    /// What is held goes out.
    Publish,
    /// When orders are due: seconds since 1970; nothing takes the date away.
    Deadline(Option<i64>),
    /// A player's time zone, in which his dates are written.
    Zone {
        /// Whose.
        nation: NationId,
        /// Its name.
        zone: String,
    },
    /// CAM-044: who plays a nation.
    Hand {
        /// Which.
        nation: NationId,
        /// Who.
        hand: Hand,
    },
    /// The umpire overrules a single thing.
    Rule {
        /// What.
        what: Ruling,
        /// Why.
        why: String,
    },
}

/// What an umpire may overrule.
#[derive(Clone, Debug, PartialEq)]
pub enum Ruling {
    /// A die, by its words: it shows this when it is thrown (again).
    Die {
        /// The words: `siege at Brack, Spring of year 1`.
        words: String,
        /// The value.
        value: u16,
    },
    /// Whose a city is; nobody's where there is no nation.
    Owner(PlaceId, Option<NationId>),
    /// Where a body is.
    At(BodyId, PlaceId),
    /// An element comes into a body.
    Add(BodyId, Element),
    /// An element goes.
    Remove(BodyId, crate::ids::Label),
    /// Two nations are allied, or not.
    Allied(NationId, NationId, bool),
    /// A nation's overlord.
    Lord(NationId, Option<NationId>),
    /// CAM-178: a province taken for disobedience.
    Take(PlaceId, NationId),
    /// CAM-101: a promotion beyond the nation's table is confirmed for the next winter; it is ordered and paid as others.
    Promotion(ElementId, Troop),
}

impl Ruling {
    /// As the log keeps it.
    pub(crate) fn fact(&self) -> String {
        format!("ruled {self}")
    }

    /// In plain words, and who is entitled to read of it: what is public concerns everybody, a body its nation. Of a die
    /// those read whom it concerns once it is thrown.
    pub(crate) fn told(&self) -> (Seen, String) {
        let whose = |n: &Option<NationId>| n.map_or("nobody's".to_owned(), |n| format!("{n}'s"));
        match self {
            Ruling::Die { words, value } => (Seen::Umpire, format!("the die \"{words}\" shows {value}")),
            Ruling::Owner(place, nation) => (Seen::Public, format!("{place} is {}", whose(nation))),
            Ruling::Take(place, nation) => (Seen::Public, format!("{nation} takes {place} for disobedience")),
            Ruling::Allied(a, b, true) => (Seen::Public, format!("{a} and {b} are allies")),
            Ruling::Allied(a, b, false) => (Seen::Public, format!("{a} and {b} are no allies")),
            Ruling::Lord(vassal, Some(lord)) => (Seen::Public, format!("{vassal} serves {lord}")),
            Ruling::Lord(vassal, None) => (Seen::Public, format!("{vassal} serves nobody")),
            Ruling::At(body, place) => (Seen::by(body.nation), format!("{body} is at {place}")),
            Ruling::Add(body, element) => {
                (Seen::by(body.nation), format!("{} comes to {body}", element.label))
            }
            Ruling::Remove(body, label) => (Seen::by(body.nation), format!("{label} leaves {body}")),
            Ruling::Promotion(element, troop) => {
                let n = element.nation;
                (Seen::by(n), format!("{} may be promoted to {troop} this winter", element.label))
            }
        }
    }
}

fn quote(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

impl std::fmt::Display for Ruling {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = |n: &Option<NationId>| n.map_or("nobody".to_owned(), |n| quote(n.as_str()));
        match self {
            Ruling::Die { words, value } => write!(f, "die {} {value}", quote(words)),
            Ruling::Owner(place, nation) => write!(f, "owner {} {}", quote(place.as_str()), name(nation)),
            Ruling::At(body, place) => write!(f, "at {} {}", quote(&body.to_string()), quote(place.as_str())),
            Ruling::Add(body, element) => {
                write!(f, "add {} {}", quote(&body.to_string()), quote(&element.to_string()))
            }
            Ruling::Remove(body, label) => write!(f, "remove {} {label}", quote(&body.to_string())),
            Ruling::Allied(a, b, yes) => {
                write!(
                    f,
                    "allied {} {} {}",
                    quote(a.as_str()),
                    quote(b.as_str()),
                    if *yes { "yes" } else { "no" }
                )
            }
            Ruling::Lord(vassal, lord) => write!(f, "lord {} {}", quote(vassal.as_str()), name(lord)),
            Ruling::Promotion(element, troop) => {
                write!(f, "promotion {} {troop}", quote(&element.to_string()))
            }
            Ruling::Take(place, nation) => {
                write!(f, "take {} {}", quote(place.as_str()), quote(nation.as_str()))
            }
        }
    }
}

fn state_word(state: SetState) -> &'static str {
    match state {
        SetState::Draft => "draft",
        SetState::Submitted => "submitted",
        SetState::Confirmed => "confirmed",
    }
}

impl std::fmt::Display for Command {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Command::Orders { nation, sent, received, state, text } => {
                write!(
                    f,
                    "orders {} {sent} {received} {} {}",
                    quote(nation.as_str()),
                    state_word(*state),
                    quote(text)
                )
            }
            Command::Confirm(nation) => write!(f, "confirm {}", quote(nation.as_str())),
            Command::Adjudicate => f.write_str("adjudicate"),
            Command::Result { battle, result } => {
                write!(f, "result {} {}", quote(battle), serde_json::to_string(result).unwrap_or_default())
            }
            Command::Fight(battle) => write!(f, "fight {}", quote(battle)),
            Command::Date { battle, until } => write!(f, "date {} {}", quote(battle), quote(until)),
            Command::Note { from, to, anonymous, later, text } => {
                let from = from.map_or("umpire".to_owned(), |n| quote(n.as_str()));
                let how = if *anonymous { "anonymous " } else { "" };
                let when = if *later { "later " } else { "" };
                write!(f, "note {from} {} {how}{when}{}", quote(to.as_str()), quote(text))
            }
            Command::Say { to, text } => {
                let to = to.map_or("gazette".to_owned(), |n| quote(n.as_str()));
                write!(f, "say {to} {}", quote(text))
            }
            Command::Hold(on) => f.write_str(if *on { "hold on" } else { "hold off" }),
            Command::Publish => f.write_str("publish"),
            Command::Deadline(Some(at)) => write!(f, "deadline {at}"),
            Command::Deadline(None) => f.write_str("deadline none"),
            Command::Zone { nation, zone } => write!(f, "zone {} {}", quote(nation.as_str()), quote(zone)),
            Command::Hand { nation, hand } => {
                write!(f, "hand {} {}", quote(nation.as_str()), format!("{hand:?}").to_lowercase())
            }
            Command::Rule { what, why } => write!(f, "rule {what} because {}", quote(why)),
        }
    }
}

/// A word, or a text in quotation marks, at the head of a text; and the rest.
fn piece(text: &str) -> Result<(String, &str), Problem> {
    let text = text.trim_start();
    if text.starts_with('"') {
        let mut stream = serde_json::Deserializer::from_str(text).into_iter::<String>();
        if let Some(Ok(word)) = stream.next() {
            return Ok((word, &text[stream.byte_offset()..]));
        }
        return Err(Problem::new("a quotation mark is not closed"));
    }
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    Ok((text[..end].to_owned(), &text[end..]))
}

/// What the reader of commands knows.
pub(crate) struct Words<'a> {
    pub(crate) nations: Vec<&'a NationId>,
    pub(crate) places: Vec<&'a PlaceId>,
    /// Whose command it is, where that is a nation: its name may be left out.
    pub(crate) own: Option<NationId>,
}

impl Words<'_> {
    fn nation(&self, word: &str) -> Result<NationId, Problem> {
        let found = self.nations.iter().find(|n| n.as_str().eq_ignore_ascii_case(word));
        found.map(|n| **n).ok_or_else(|| {
            Problem::new(format!("no nation is called {word}"))
                .meant(word, self.nations.iter().map(|n| n.as_str()))
        })
    }

    fn place(&self, word: &str) -> Result<PlaceId, Problem> {
        let found = self.places.iter().find(|n| n.as_str().eq_ignore_ascii_case(word));
        found.map(|n| **n).ok_or_else(|| {
            Problem::new(format!("no place is called {word}"))
                .meant(word, self.places.iter().map(|n| n.as_str()))
        })
    }

    /// Reads a command.
    pub(crate) fn read(&self, text: &str) -> Result<Command, Problem> {
        let (verb, rest) = piece(text)?;
        let verb = verb.to_lowercase();
        match verb.as_str() {
            "orders" => self.orders(rest),
            "confirm" => {
                let (word, rest) = piece(rest)?;
                end(rest)?;
                let nation = if word.is_empty() { self.own } else { Some(self.nation(&word)?) };
                nation.map(Command::Confirm).ok_or_else(|| Problem::new("confirm whose orders?"))
            }
            "adjudicate" => end(rest).map(|()| Command::Adjudicate),
            "result" => {
                let (battle, rest) = piece(rest)?;
                let result = serde_json::from_str(rest.trim())
                    .map_err(|e| Problem::new(format!("the result does not read: {e}")))?;
                Ok(Command::Result { battle, result })
            }
            "fight" => {
                let (battle, rest) = piece(rest)?;
                let battle = if rest.trim().is_empty() { battle } else { format!("{battle}{rest}") };
                Ok(Command::Fight(battle))
            }
            "date" => {
                let (battle, rest) = piece(rest)?;
                let (until, rest) = piece(rest)?;
                end(rest)?;
                Ok(Command::Date { battle, until })
            }
            "note" => self.note(rest),
            "say" => {
                let (to, rest) = piece(rest)?;
                let (text, rest) = piece(rest)?;
                end(rest)?;
                let to = if to.eq_ignore_ascii_case("gazette") { None } else { Some(self.nation(&to)?) };
                Ok(Command::Say { to, text })
            }
            "hold" => {
                let (word, rest) = piece(rest)?;
                end(rest)?;
                match word.to_lowercase().as_str() {
                    "on" | "" => Ok(Command::Hold(true)),
                    "off" => Ok(Command::Hold(false)),
                    other => Err(Problem::new(format!("what is {other:?}?")).meant(other, ["on", "off"])),
                }
            }
            "publish" => end(rest).map(|()| Command::Publish),
            "deadline" => {
                let (word, rest) = piece(rest)?;
                end(rest)?;
                match word.to_lowercase().as_str() {
                    "none" | "off" => Ok(Command::Deadline(None)),
                    at => at.parse().map(|n| Command::Deadline(Some(n))).map_err(|_| {
                        Problem::new(format!("{at:?} is no count of seconds"))
                            .hint("deadline 1767225600, or deadline none")
                    }),
                }
            }
            "zone" => {
                let (nation, rest) = piece(rest)?;
                let (zone, rest) = piece(rest)?;
                end(rest)?;
                Ok(Command::Zone { nation: self.nation(&nation)?, zone })
            }
            "hand" => {
                let (word, rest) = piece(rest)?;
                let (hand, rest) = piece(rest)?;
                end(rest)?;
                let hand = match hand.to_lowercase().as_str() {
                    "player" => Hand::Player,
                    "delegate" => Hand::Delegate,
                    "computer" => Hand::Computer,
                    other => {
                        return Err(Problem::new(format!("nobody is called {other}"))
                            .meant(other, ["player", "delegate", "computer"]));
                    }
                };
                Ok(Command::Hand { nation: self.nation(&word)?, hand })
            }
            "rule" => self.rule(rest),
            other => {
                let known = [
                    "orders",
                    "confirm",
                    "adjudicate",
                    "result",
                    "fight",
                    "date",
                    "note",
                    "hand",
                    "rule",
                    "say",
                    "hold",
                    "publish",
                    "deadline",
                    "zone",
                ];
                let problem = Problem::new(format!("no command is called {other:?}"));
                Err(match nearest_names(other, known).first() {
                    Some(near) => problem.hint(format!("did you mean {near}?")),
                    None => problem.hint(format!("known: {}", known.join(", "))),
                })
            }
        }
    }

    fn orders(&self, rest: &str) -> Result<Command, Problem> {
        let (word, mut rest) = piece(rest)?;
        let nation = self.nation(&word)?;
        let (mut sent, mut received, mut state) = (0, 0, SetState::Confirmed);
        let mut numbers = 0;
        loop {
            if rest.trim_start().starts_with('"') {
                let (text, rest) = piece(rest)?;
                end(rest)?;
                return Ok(Command::Orders { nation, sent, received, state, text });
            }
            let (word, after) = piece(rest)?;
            match word.to_lowercase().as_str() {
                "draft" => state = SetState::Draft,
                "submitted" | "submit" => state = SetState::Submitted,
                "confirmed" | "confirm" => state = SetState::Confirmed,
                "" => {
                    return Err(
                        Problem::new("the text of the orders is missing").hint("orders NATION \"A1: hold\"")
                    );
                }
                number => {
                    let n = number.parse().map_err(|_| Problem::new(format!("what is {number:?}?")))?;
                    if numbers == 0 {
                        sent = n
                    } else {
                        received = n
                    }
                    numbers += 1;
                }
            }
            rest = after;
        }
    }

    fn note(&self, rest: &str) -> Result<Command, Problem> {
        let (from, rest) = piece(rest)?;
        let (to, rest) = piece(rest)?;
        let (mut text, mut rest) = piece(rest)?;
        let anonymous = text == "anonymous" && !rest.trim().is_empty();
        if anonymous {
            (text, rest) = piece(rest)?;
        }
        let later = text == "later" && !rest.trim().is_empty();
        if later {
            (text, rest) = piece(rest)?;
        }
        end(rest)?;
        let from = if from.eq_ignore_ascii_case("umpire") { None } else { Some(self.nation(&from)?) };
        Ok(Command::Note { from, to: self.nation(&to)?, anonymous, later, text })
    }

    fn rule(&self, rest: &str) -> Result<Command, Problem> {
        let (kind, rest) = piece(rest)?;
        let (first, rest) = piece(rest)?;
        let (second, rest) = piece(rest)?;
        let nobody = |word: &str| -> Result<Option<NationId>, Problem> {
            if word.eq_ignore_ascii_case("nobody") { Ok(None) } else { self.nation(word).map(Some) }
        };
        let wrong = |e: String| Problem::new(e);
        let mut rest = rest;
        let what = match kind.to_lowercase().as_str() {
            "die" => {
                let value =
                    second.parse().map_err(|_| Problem::new(format!("a die does not show {second:?}")))?;
                Ruling::Die { words: first.to_lowercase(), value }
            }
            "owner" => Ruling::Owner(self.place(&first)?, nobody(&second)?),
            "at" => Ruling::At(first.parse().map_err(wrong)?, self.place(&second)?),
            "add" => Ruling::Add(first.parse().map_err(wrong)?, second.parse().map_err(wrong)?),
            "remove" => Ruling::Remove(first.parse().map_err(wrong)?, second.parse().map_err(wrong)?),
            "allied" => {
                let (yes, after) = piece(rest)?;
                rest = after;
                Ruling::Allied(self.nation(&first)?, self.nation(&second)?, yes != "no")
            }
            "lord" => Ruling::Lord(self.nation(&first)?, nobody(&second)?),
            "take" => Ruling::Take(self.place(&first)?, self.nation(&second)?),
            "promotion" | "promote" => {
                let troop = hott::table::TroopType::parse(&second)
                    .ok_or_else(|| Problem::new(format!("no troops are called {second}")))?;
                Ruling::Promotion(first.parse().map_err(wrong)?, Troop(troop))
            }
            other => {
                return Err(Problem::new(format!("nothing is ruled by {other:?}")).meant(
                    other,
                    ["die", "owner", "at", "add", "remove", "allied", "lord", "take", "promotion"],
                ));
            }
        };
        let (because, after) = piece(rest)?;
        let why = match because.as_str() {
            "" => String::new(),
            "because" => {
                let (why, after) = piece(after)?;
                end(after)?;
                why
            }
            other => return Err(Problem::new(format!("what is {other:?}?")).hint("because \"reason\"")),
        };
        Ok(Command::Rule { what, why })
    }
}

fn end(rest: &str) -> Result<(), Problem> {
    let rest = rest.trim();
    if rest.is_empty() {
        Ok(())
    } else {
        Err(Problem::new(format!("the command is over, and {rest:?} stands there")))
    }
}
