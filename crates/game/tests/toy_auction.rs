//! A toy game that needs what HOTT does not: three seats owe sealed choices at once, a number is hidden from all
//! but the umpire, and an umpire rules. Each round every seat bids in secret for a lot whose worth nobody knows.

use dice::{Ask, Dice, Scripted, Seeded};
use game::conform::{Effort, conform};
use game::{Actor, Debt, Game, Outcome, Owed, Problem, Problems, Refusal, Seat, Stop, Table, Viewer};
use rulebook::RuleId;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

const ROUNDS: u8 = 4;

#[derive(Clone, Debug)]
pub(crate) struct Auction {
    seats: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct State {
    round: u8,
    /// Hidden from everybody but the umpire until the lot is sold.
    worth: u8,
    /// Sealed: each seat knows its own.
    bids: [Option<u8>; 3],
    won: [u8; 3],
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Command {
    Bid { seat: Seat, amount: u8 },
    Rule(u8),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Event {
    /// Somebody's bid is in: others learn no more than that.
    Sealed {
        seat: Seat,
        amount: u8,
    },
    Sold {
        to: Option<Seat>,
        worth: u8,
    },
    Ruled {
        worth: u8,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Not(&'static str);

impl std::fmt::Display for Not {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

impl Refusal for Not {
    fn rule(&self) -> Option<RuleId> {
        None
    }
}

/// What one viewer may know.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct View {
    round: u8,
    won: [u8; 3],
    /// Whose bids are in: the seats owe them openly.
    bid: [bool; 3],
    own: Option<u8>,
    worth: Option<u8>,
    viewer: Option<u8>,
}

fn one_hidden(state: &State, viewer: Viewer, guess: u64) -> State {
    let mut other = state.clone();
    other.worth = u8::try_from(guess % 9).unwrap_or(0) + 1;
    for (n, bid) in other.bids.iter_mut().enumerate() {
        if bid.is_some() && viewer != Viewer::Seat(Seat(u8::try_from(n).unwrap_or(9))) {
            *bid = Some(u8::try_from((guess + n as u64) % 5).unwrap_or(0));
        }
    }
    other
}

impl Game for Auction {
    const NAME: &'static str = "auction";
    const REVISION: u32 = 1;
    type State = State;
    type Command = Command;
    type Event = Event;
    type Refusal = Not;
    type View = View;

    fn rules(&self) -> Value {
        json!({})
    }

    fn rules_from(
        _: Option<&str>,
        _: Option<(&str, &str)>,
        _: &[(String, String)],
    ) -> Result<Value, Problems> {
        Ok(json!({}))
    }

    fn setup(&self) -> Value {
        json!({ "seats": self.seats })
    }

    fn open(_: &Value, _: &Value) -> Result<Self, Problems> {
        Ok(fresh())
    }

    fn start(&self) -> State {
        State { round: 1, worth: 5, bids: [None; 3], won: [0; 3] }
    }

    fn seats(&self) -> &[String] {
        &self.seats
    }

    fn owes(&self, state: &State, out: &mut Vec<Debt<Command>>) {
        if state.round <= ROUNDS {
            let owing = (0..3).filter(|&n| state.bids[usize::from(n)].is_none());
            out.extend(owing.map(|n| Debt {
                seat: Seat(n),
                what: Owed::Sealed(format!("a bid, round {}", state.round)),
            }));
        }
    }

    fn apply(
        &self,
        state: &mut State,
        by: Actor,
        command: &Command,
        dice: &mut dyn Dice,
        events: &mut Vec<Event>,
    ) -> Result<(), Stop<Not>> {
        match *command {
            Command::Rule(worth) => {
                if !by.may_rule() {
                    return Err(Stop::Refused(Not("only the umpire rules")));
                }
                state.worth = worth;
                events.push(Event::Ruled { worth });
            }
            Command::Bid { seat, amount } => {
                let place = state.bids.get(usize::from(seat.0)).copied();
                if !by.may_act_for(seat) || place != Some(None) || state.round > ROUNDS || amount > 9 {
                    return Err(Stop::Refused(Not("no bid of yours is wanted")));
                }
                state.bids[usize::from(seat.0)] = Some(amount);
                events.push(Event::Sealed { seat, amount });
                if state.bids.iter().all(Option::is_some) {
                    let best = state.bids.iter().flatten().max().copied();
                    let mut winners = (0..3_u8).filter(|n| state.bids[usize::from(*n)] == best);
                    let (first, tie) = (winners.next(), winners.next().is_some());
                    let to = if tie { None } else { first.map(Seat) };
                    if let Some(Seat(n)) = to {
                        state.won[usize::from(n)] += state.worth;
                    }
                    events.push(Event::Sold { to, worth: state.worth });
                    // A hidden throw: its address keeps it from shifting any other.
                    let next = dice.one(Ask::new("worth", 0, u64::from(state.round), 9))?;
                    state.worth = u8::try_from(next).unwrap_or(1);
                    state.bids = [None; 3];
                    state.round += 1;
                }
            }
        }
        Ok(())
    }

    fn candidates(&self, state: &State, seat: Seat, out: &mut Vec<Command>) {
        if state.round <= ROUNDS && state.bids.get(usize::from(seat.0)) == Some(&None) {
            out.extend((0..5).map(|amount| Command::Bid { seat, amount }));
        }
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        let best = state.won.iter().max()?;
        let winners =
            self.seats.iter().zip(&state.won).filter(|(_, w)| *w == best).map(|(s, _)| s.clone()).collect();
        (state.round > ROUNDS).then(|| Outcome {
            winners,
            ending: "sold".into(),
            words: "all lots are sold".into(),
        })
    }

    fn print(&self, _: &State, command: &Command) -> String {
        match command {
            Command::Bid { seat, amount } => {
                format!("{} bids {amount}", Actor::Seat(*seat).name(&self.seats))
            }
            Command::Rule(worth) => format!("ruling worth {worth}"),
        }
    }

    fn parse(&self, _: &State, _: Actor, text: &str) -> Result<Command, Problem> {
        let what = || Problem::new(format!("what is {text:?}?"));
        let words: Vec<&str> = text.split_whitespace().collect();
        match words[..] {
            ["ruling", "worth", n] => n.parse().map(Command::Rule).map_err(|_| what()),
            [name, "bids", n] => match Actor::named(name, &self.seats) {
                Some(Actor::Seat(seat)) => {
                    n.parse().map(|amount| Command::Bid { seat, amount }).map_err(|_| what())
                }
                _ => Err(what().meant(name, self.seats.iter().map(String::as_str))),
            },
            _ => Err(what()),
        }
    }

    fn describe(&self, ask: &Ask) -> String {
        format!("worth of the lot after round {}", ask.address.moment)
    }

    fn tell(&self, event: &Event) -> String {
        match event {
            Event::Sealed { seat, amount } => {
                format!("{} bids {amount}", Actor::Seat(*seat).name(&self.seats))
            }
            Event::Sold { to: Some(seat), worth } => {
                format!("sold to {} for a worth of {worth}", Actor::Seat(*seat).name(&self.seats))
            }
            Event::Sold { to: None, worth } => format!("not sold; it was worth {worth}"),
            Event::Ruled { worth } => format!("the umpire sets the worth to {worth}"),
        }
    }

    fn event_json(&self, event: &Event) -> Value {
        match event {
            Event::Sealed { seat, amount } => json!({ "kind": "sealed", "seat": seat.0, "amount": amount }),
            Event::Sold { to, worth } => json!({ "kind": "sold", "to": to.map(|s| s.0), "worth": worth }),
            Event::Ruled { worth } => json!({ "kind": "ruled", "worth": worth }),
        }
    }

    fn event_for(&self, _: &State, event: &Event, viewer: Viewer) -> Option<Value> {
        match event {
            Event::Sealed { seat, .. } if viewer != Viewer::Seat(*seat) && viewer != Viewer::Umpire => {
                Some(json!({ "kind": "sealed", "seat": seat.0 }))
            }
            Event::Ruled { .. } if viewer != Viewer::Umpire => None,
            _ => Some(self.event_json(event)),
        }
    }

    fn reveals(&self, event: &Event) -> bool {
        matches!(event, Event::Sold { .. })
    }

    fn facts(&self, event: &Event) -> Vec<String> {
        vec![self.tell(event)]
    }

    fn ask(&self, _: &State, _: &str) -> Result<Vec<String>, Problem> {
        Err(Problem::new("nothing to ask"))
    }

    fn position(&self, state: &State) -> Value {
        serde_json::to_value(state).unwrap_or_default()
    }

    fn open_position(_: &Value, position: &Value) -> Result<(Self, State), Problems> {
        let state =
            serde_json::from_value(position.clone()).map_err(|e| vec![Problem::new(e.to_string())])?;
        Ok((fresh(), state))
    }

    fn notation(&self, state: &State) -> String {
        self.position(state).to_string()
    }

    fn open_notation(rules: &Value, notation: &str) -> Result<(Self, State), Problems> {
        let value = serde_json::from_str(notation).map_err(|e| vec![Problem::new(e.to_string())])?;
        Self::open_position(rules, &value)
    }

    fn compare(&self, _: &State, _: &Value) -> Result<Vec<String>, Problem> {
        Ok(vec![])
    }

    fn view(&self, state: &State, viewer: Viewer) -> View {
        let seat = if let Viewer::Seat(Seat(n)) = viewer { Some(n) } else { None };
        View {
            round: state.round,
            won: state.won,
            bid: state.bids.map(|b| b.is_some()),
            own: seat.and_then(|n| state.bids.get(usize::from(n)).copied().flatten()),
            worth: (viewer == Viewer::Umpire).then_some(state.worth),
            viewer: seat,
        }
    }

    fn possible(&self, view: &View, guess: u64) -> (Self, State) {
        let mut bids = view.bid.map(|b| b.then_some(0));
        if let Some(place) = view.viewer.and_then(|n| bids.get_mut(usize::from(n))) {
            *place = view.own;
        }
        let state = State { round: view.round, worth: 1, bids, won: view.won };
        let viewer = view.viewer.map_or(Viewer::Spectator, |n| Viewer::Seat(Seat(n)));
        (fresh(), one_hidden(&state, viewer, guess))
    }

    fn twin(&self, state: &State, viewer: Viewer, guess: u64) -> Option<(Self, State)> {
        Some((fresh(), one_hidden(state, viewer, guess)))
    }
}

pub(crate) fn fresh() -> Auction {
    Auction { seats: vec!["Ann".into(), "Bob".into(), "Cat".into()] }
}

#[test]
fn keeps_the_contract() {
    conform(Effort { games: 60, commands: 40, every: 1, tries: 3 }, |_| fresh());
}

#[test]
fn three_owe_at_once_and_answer_in_any_order() {
    let mut table = Table::new(fresh(), None, vec![]);
    assert_eq!(table.owes().len(), 3);
    for (seat, text) in [(2, "Cat bids 3"), (0, "ann bids 2"), (1, "Bob bids 4")] {
        table.command_text(Actor::Seat(Seat(seat)), text, &mut Scripted::new([7])).unwrap();
    }
    assert_eq!(table.state().won, [0, 5, 0]);
    assert_eq!(table.owes().len(), 3, "the next round");
}

#[test]
fn others_see_that_a_bid_is_in_but_not_what_it_is() {
    let mut table = Table::new(fresh(), None, vec![]);
    table.command_text(Actor::Seat(Seat(2)), "Cat bids 3", &mut Scripted::default()).unwrap();
    table.command_text(Actor::Umpire, "ruling worth 9", &mut Scripted::default()).unwrap();
    let seen = |v| table.seen_by(v);
    assert_eq!(seen(Viewer::Seat(Seat(2)))[0]["amount"], 3);
    assert!(seen(Viewer::Seat(Seat(0)))[0].get("amount").is_none());
    assert_eq!(seen(Viewer::Spectator).len(), 1, "no gap and no number tells of the ruling");
    assert_eq!(seen(Viewer::Umpire).len(), 2);
    assert_eq!(table.state().worth, 9);
}

#[test]
fn only_the_umpire_or_all_may_rule() {
    let mut table = Table::new(fresh(), None, vec![]);
    assert!(table.command_text(Actor::Seat(Seat(0)), "ruling worth 9", &mut Scripted::default()).is_err());
    assert!(table.command_text(Actor::All, "ruling worth 9", &mut Scripted::default()).is_ok());
}

#[test]
fn an_umpires_correction_gets_the_same_dice_and_a_players_undo_does_not() {
    let key = dice::Key::from_seed(11);
    let round = |table: &mut Table<Auction>, dice: &mut Seeded| {
        for (seat, name) in [(0, "Ann"), (1, "Bob"), (2, "Cat")] {
            let text = format!("{name} bids {seat}");
            table.command_text(Actor::Seat(Seat(seat)), &text, dice).unwrap();
        }
        table.state().worth
    };
    let play = |same: bool| {
        let mut seeded = Seeded::new(key.with_words("auction", &[]));
        let mut table = Table::new(fresh(), Some(key.commitment()), vec![]);
        let mut seen = vec![round(&mut table, &mut seeded)];
        for _ in 0..6 {
            let last = u32::try_from(table.record().lines.len()).unwrap();
            table.undo(Actor::Umpire, last, &[], same, Some(&mut seeded)).unwrap();
            table.command_text(Actor::Seat(Seat(2)), "Cat bids 2", &mut seeded).unwrap();
            seen.push(table.state().worth);
        }
        table.end(Some(&key));
        assert!(game::verify::<Auction>(table.record()).good());
        seen
    };
    let corrected = play(true);
    assert!(corrected.iter().all(|w| *w == corrected[0]), "{corrected:?}");
    let taken_back = play(false);
    assert!(taken_back.iter().any(|w| *w != taken_back[0]), "{taken_back:?}");
}
