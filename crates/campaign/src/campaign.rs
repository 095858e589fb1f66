//! The campaign behind the contract of games.

use crate::battle::check_result;
use crate::command::{Command, Ruling, Words};
use crate::event::{Event, Refused};
use crate::ids::NationId;
use crate::log::Entry;
use crate::order::{OrderSet, SetState};
use crate::position;
use crate::rules::Rules;
use crate::season::{self, Work};
use crate::state::{Note, Paragraph, Phase, State, pair};
use crate::view::{Reader, View, possible, twin, view};
use crate::world::World;
use dice::{Ask, Dice};
use game::{Actor, Debt, Game, Outcome, Owed, Problem, Problems, Seat, Stop, Viewer};
use rulebook::rule;
use serde_json::{Value, json};
use std::sync::Arc;

/// What the umpire's seat is called, where there is one.
pub const DESK: &str = "Umpire's desk";

/// The longest set of orders, in bytes.
pub(crate) const LONGEST_SET: usize = 65_536;

/// One campaign: its world and rules.
#[derive(Clone, Debug)]
pub struct Campaign {
    world: Arc<World>,
    /// The name of a shipped world, as set-up and position keep it.
    name: Option<String>,
    rules: Arc<Rules>,
    umpired: bool,
    seats: Arc<Vec<String>>,
}

impl Campaign {
    /// A campaign in a world. `umpired`: seasons wait for the umpire instead of the last nation's orders.
    #[must_use]
    pub fn new(world: World, name: Option<String>, rules: Rules, umpired: bool) -> Self {
        let mut seats: Vec<String> = world.nations.keys().map(ToString::to_string).collect();
        if umpired {
            seats.push(DESK.to_owned());
        }
        Self { world: Arc::new(world), name, rules: Arc::new(rules), umpired, seats: Arc::new(seats) }
    }

    /// The world.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The rules in force.
    #[must_use]
    pub fn rules_in_force(&self) -> &Rules {
        &self.rules
    }

    /// The nation of a seat.
    #[must_use]
    pub fn nation_of(&self, seat: Seat) -> Option<NationId> {
        self.world.nations.keys().nth(usize::from(seat.0)).copied()
    }

    /// The seat of a nation.
    #[must_use]
    pub fn seat_of(&self, nation: NationId) -> Option<Seat> {
        let n = self.world.nations.keys().position(|x| *x == nation)?;
        u8::try_from(n).ok().map(Seat)
    }

    fn reader(&self, viewer: Viewer) -> Reader {
        match viewer {
            Viewer::Umpire => Reader::Umpire,
            Viewer::Spectator => Reader::Public,
            Viewer::Seat(seat) => match self.nation_of(seat) {
                Some(nation) => Reader::Nation(nation),
                None if self.umpired => Reader::Umpire,
                None => Reader::Public,
            },
        }
    }

    fn is_umpire(&self, by: Actor) -> bool {
        by.may_rule()
            || matches!(by, Actor::Seat(s) if self.umpired && usize::from(s.0) == self.world.nations.len())
    }

    fn may_act(&self, by: Actor, nation: NationId) -> bool {
        self.is_umpire(by) || self.seat_of(nation).is_some_and(|s| by == Actor::Seat(s))
    }

    fn world_value(&self) -> Value {
        match &self.name {
            Some(name) => json!(name),
            None => serde_json::to_value(&*self.world).unwrap_or_default(),
        }
    }

    /// Reads a command as a record keeps it.
    pub(crate) fn read(&self, text: &str) -> Result<Command, Problem> {
        self.words(None).read(text)
    }

    fn words(&self, by: Option<Actor>) -> Words<'_> {
        let own = match by {
            Some(Actor::Seat(seat)) => self.nation_of(seat),
            _ => None,
        };
        Words {
            nations: self.world.nations.keys().collect(),
            places: self.world.places.keys().collect(),
            own,
        }
    }

    /// Whether a nation's orders are confirmed.
    fn confirmed(state: &State, nation: NationId) -> bool {
        state.sets.get(&nation).is_some_and(|l| l.iter().any(|s| s.state == SetState::Confirmed))
    }

    fn work<'a>(&'a self, state: &'a mut State, dice: &'a mut dyn Dice) -> Work<'a> {
        Work { world: &self.world, rules: &self.rules, s: state, dice, entries: Vec::new(), published: false }
    }

    /// Runs the season (or the winter) and tells what happened.
    fn run(
        &self,
        state: &mut State,
        dice: &mut dyn Dice,
        events: &mut Vec<Event>,
    ) -> Result<(), Stop<Refused>> {
        let when = state.when();
        let phase = state.phase;
        let before = (state.holds && self.umpired).then(|| Box::new(state.clone()));
        let mut w = self.work(state, dice);
        match phase {
            Phase::Orders => season::begin(&mut w)?,
            Phase::Winter => season::winter(&mut w)?,
            Phase::Battles => season::finish(&mut w)?,
            Phase::Over => return Err(Stop::Refused(Refused::new("the campaign is over"))),
        }
        let (entries, published) = (w.entries, w.published);
        events.extend(entries.into_iter().map(Event::Decided));
        if published {
            state.told.clone_from(&when);
        }
        if let Some(before) = before {
            state.held = Some(before);
            events.push(Event::Held(when));
        } else if published {
            events.push(Event::Published {
                season: when,
                gazette: state.gazette.clone(),
                letters: state.letters.clone(),
            });
        } else {
            for battle in &state.turn.battles {
                events.push(Event::ToFight { battle: battle.name(), nations: battle.nations() });
            }
        }
        Ok(())
    }

    fn orders(
        &self,
        state: &mut State,
        by: Actor,
        command: &Command,
        events: &mut Vec<Event>,
    ) -> Result<(), Refused> {
        let Command::Orders { nation, sent, received, state: set_state, text } = command else {
            return Ok(());
        };
        if !self.may_act(by, *nation) {
            return Err(Refused::by(
                rule!("CAM-049"),
                format!("the orders of {nation} are not yours to give"),
            ));
        }
        if state.held.is_some() {
            let words = "the last season is not published yet; orders are taken when it is";
            return Err(Refused::by(rule!("CAM-044"), words));
        }
        match state.phase {
            Phase::Orders | Phase::Winter => {}
            Phase::Battles => return Err(Refused::by(rule!("CAM-044"), "the season's deadline is past")),
            Phase::Over => return Err(Refused::new("the campaign is over")),
        }
        if !state.plays(*nation) {
            return Err(Refused::by(rule!("CAM-115"), format!("{nation} is out of the game")));
        }
        if text.len() > LONGEST_SET {
            return Err(Refused::new("a set of orders has at most 64 kilobytes"));
        }
        let sets = state.sets.entry(*nation).or_default();
        let number = u32::try_from(sets.len()).unwrap_or(u32::MAX).saturating_add(1);
        sets.push(OrderSet {
            number,
            sent: *sent,
            received: *received,
            state: *set_state,
            by_umpire: self.seat_of(*nation).is_none_or(|s| by != Actor::Seat(s)),
            text: text.clone(),
        });
        let word = match set_state {
            SetState::Draft => "draft",
            SetState::Submitted => "submitted",
            SetState::Confirmed => "confirmed",
        };
        events.push(Event::Ordered { nation: *nation, number, state: word });
        Ok(())
    }

    /// All orders are in, and nobody has to look at them first.
    fn all_in(&self, state: &State) -> bool {
        matches!(state.phase, Phase::Orders | Phase::Winter)
            && state.playing().all(|n| Self::confirmed(state, n))
    }

    fn battle_at(state: &State, name: &str) -> Result<usize, Refused> {
        let found = state.turn.battles.iter().position(|b| b.name().eq_ignore_ascii_case(name.trim()));
        found
            .filter(|_| state.phase == Phase::Battles)
            .ok_or_else(|| Refused::new(format!("no battle is to be fought at {name}")))
    }

    /// Whether somebody may fight or report a battle. What is held on the umpire's desk is nobody else's yet.
    fn may_fight(&self, state: &State, by: Actor, battle: &crate::battle::Battle) -> bool {
        self.is_umpire(by)
            || state.held.is_none()
                && [battle.attacker.prime.nation, battle.defender.prime.nation]
                    .iter()
                    .any(|n| self.may_act(by, *n))
    }

    fn rule(&self, state: &mut State, what: &Ruling) -> Result<(), Refused> {
        let there = |state: &State, id: crate::ids::BodyId| {
            if state.bodies.contains_key(&id) {
                Ok(())
            } else {
                Err(Refused::new(format!("there is no {id}")))
            }
        };
        match what {
            Ruling::Die { words, value } => {
                state.ruled.insert(words.clone(), *value);
            }
            Ruling::Owner(place, nation) => {
                if !self.world.place(*place).city {
                    return Err(Refused::by(rule!("CAM-004"), format!("{place} has no city to own")));
                }
                match nation {
                    Some(nation) => state.owners.insert(*place, *nation),
                    None => state.owners.remove(place),
                };
            }
            Ruling::Take(place, nation) => {
                let capital = self.world.nations.values().any(|n| n.capital == *place);
                if self.rules.is("disobedience", "never") || capital {
                    return Err(Refused::by(
                        rule!("CAM-178"),
                        format!("{place} may not be taken for disobedience"),
                    ));
                }
                state.owners.insert(*place, *nation);
            }
            Ruling::Promotion(element, troop) => {
                let held = state.bodies_of(element.nation).any(|(_, b)| b.find(element.label).is_some());
                if !held {
                    return Err(Refused::new(format!("there is no {element}")));
                }
                state.confirmed.insert((*element, *troop));
            }
            Ruling::At(id, place) => {
                there(state, *id)?;
                if let Some(body) = state.bodies.get_mut(id) {
                    body.at = *place;
                    body.came = None;
                }
            }
            Ruling::Add(id, element) => {
                there(state, *id)?;
                let held =
                    state.captives.iter().any(|c| c.nation == id.nation && c.element.label == element.label);
                let known = held || state.bodies_of(id.nation).any(|(_, b)| b.find(element.label).is_some());
                let mut grown = state.bodies[id].clone();
                grown.elements.push(element.clone());
                let most = self.rules.limit("army_most");
                if grown.is_army(&self.rules) && grown.ap(&self.rules) > most {
                    return Err(Refused::by(rule!("CAM-034"), format!("an army may not pass {most} AP")));
                }
                if known {
                    return Err(Refused::new(format!("{} is there already", element.label)));
                }
                let standing = state.nations.entry(id.nation).or_default();
                let n = standing.numbers.entry(element.label.troop.code().to_owned()).or_insert(0);
                *n = (*n).max(element.label.n);
                if let Some(body) = state.bodies.get_mut(id) {
                    body.elements.push(element.clone());
                }
            }
            Ruling::Remove(id, label) => {
                there(state, *id)?;
                if let Some(body) = state.bodies.get_mut(id) {
                    body.elements.retain(|e| e.label != *label);
                }
                state.sweep();
            }
            Ruling::Allied(a, b, yes) => {
                if *yes {
                    state.clear_offers(*a, *b);
                    state.allies.insert(pair(*a, *b));
                } else {
                    state.allies.remove(&pair(*a, *b));
                }
            }
            Ruling::Lord(vassal, None) => {
                state.lords.remove(vassal);
            }
            Ruling::Lord(vassal, Some(lord)) => {
                if vassal == lord || state.above(*vassal, *lord) {
                    return Err(Refused::by(rule!("CAM-170"), "it would close a ring of vassals"));
                }
                state.lords.insert(*vassal, *lord);
            }
        }
        Ok(())
    }
}

impl Game for Campaign {
    const NAME: &'static str = "campaign";
    const REVISION: u32 = 1;
    type State = State;
    type Command = Command;
    type Event = Event;
    type Refusal = Refused;
    type View = View;

    fn rules(&self) -> Value {
        self.rules.json()
    }

    fn rules_from(
        preset: Option<&str>,
        file: Option<(&str, &str)>,
        sets: &[(String, String)],
    ) -> Result<Value, Problems> {
        Rules::layered(preset, file, sets).map(|r| r.json())
    }

    fn setup(&self) -> Value {
        json!({ "world": self.world_value(), "umpired": self.umpired })
    }

    fn open(rules: &Value, setup: &Value) -> Result<Self, Problems> {
        let rules = Rules::from_json(rules)?;
        let world = setup.get("world").cloned().unwrap_or_else(|| json!("evening"));
        let (world, name) = position::world_from(&world, &rules)?;
        let umpired = setup.get("umpired").and_then(Value::as_bool).unwrap_or(false);
        Ok(Self::new(world, name, rules, umpired))
    }

    fn start(&self) -> State {
        position::start(&self.world)
    }

    fn seats(&self) -> &[String] {
        &self.seats
    }

    fn owes(&self, state: &State, out: &mut Vec<Debt<Command>>) {
        match state.phase {
            Phase::Over if state.held.is_none() => {}
            _ if state.held.is_some() => {
                out.push(Debt { seat: self.desk(), what: Owed::Act("publish".to_owned()) });
            }
            Phase::Over => {}
            Phase::Orders | Phase::Winter => {
                for nation in state.playing().filter(|n| !Self::confirmed(state, *n)) {
                    if let Some(seat) = self.seat_of(nation) {
                        out.push(Debt { seat, what: Owed::Sealed(format!("orders for {}", state.when())) });
                    }
                }
                if self.umpired && self.all_in(state) {
                    out.push(Debt { seat: self.desk(), what: Owed::Act("adjudicate".to_owned()) });
                }
            }
            Phase::Battles => {
                for battle in state.turn.battles.iter().filter(|b| b.result.is_none()) {
                    for nation in [battle.attacker.prime.nation, battle.defender.prime.nation] {
                        if let Some(seat) = self.seat_of(nation) {
                            let about = format!("the battle at {}", battle.name());
                            out.push(Debt { seat, what: Owed::Act(about) });
                        }
                    }
                }
            }
        }
    }

    fn apply(
        &self,
        state: &mut State,
        by: Actor,
        command: &Command,
        dice: &mut dyn Dice,
        events: &mut Vec<Event>,
    ) -> Result<(), Stop<Refused>> {
        let refuse = |r: Refused| Err(Stop::Refused(r));
        match command {
            Command::Orders { .. } => {
                if let Err(r) = self.orders(state, by, command, events) {
                    return refuse(r);
                }
            }
            Command::Confirm(nation) => {
                if !self.may_act(by, *nation) {
                    return refuse(Refused::by(
                        rule!("CAM-049"),
                        format!("the orders of {nation} are not yours to give"),
                    ));
                }
                if !matches!(state.phase, Phase::Orders | Phase::Winter) || Self::confirmed(state, *nation) {
                    return refuse(Refused::new("there is nothing to confirm"));
                }
                let last =
                    state.sets.get_mut(nation).and_then(|l| l.iter_mut().max_by_key(|s| (s.sent, s.number)));
                match last {
                    Some(set) => set.state = SetState::Confirmed,
                    None => {
                        return refuse(Refused::by(rule!("CAM-046"), "there is no set of orders to confirm"));
                    }
                }
                events.push(Event::Confirmed(*nation));
            }
            Command::Adjudicate => {
                if !self.is_umpire(by) {
                    return refuse(Refused::by(
                        rule!("CAM-044"),
                        "only the umpire closes a season before all orders are in",
                    ));
                }
                if state.held.is_some() {
                    return refuse(Refused::new("the last season is not published yet: publish it first"));
                }
                if state.phase == Phase::Battles {
                    return refuse(Refused::by(rule!("CAM-070"), "battles are still to be fought"));
                }
                return self.run(state, dice, events);
            }
            Command::Result { battle, result } => {
                let n = match Self::battle_at(state, battle) {
                    Ok(n) => n,
                    Err(r) => return refuse(r),
                };
                let battle = state.turn.battles[n].clone();
                if !self.may_fight(state, by, &battle) {
                    return refuse(Refused::by(rule!("CAM-079"), "the battle is not yours to report"));
                }
                if let Err(problems) = check_result(&self.rules, state, &battle, result) {
                    return refuse(Refused::of(&problems));
                }
                state.turn.battles[n].result = Some(result.clone());
                events.push(Event::Fought {
                    battle: battle.name(),
                    nations: battle.nations(),
                    result: result.clone(),
                });
                return self.when_fought(state, dice, events);
            }
            Command::Fight(name) => {
                let n = match Self::battle_at(state, name) {
                    Ok(n) => n,
                    Err(r) => return refuse(r),
                };
                let battle = state.turn.battles[n].clone();
                if !self.may_fight(state, by, &battle) {
                    return refuse(Refused::by(
                        rule!("CAM-079"),
                        "the battle is not yours to give to the computer",
                    ));
                }
                if battle.result.is_some() {
                    return refuse(Refused::new("the battle has its result"));
                }
                let mut w = self.work(state, dice);
                let result = crate::battle::quick(&mut w, &battle)?;
                state.turn.battles[n].result = Some(result.clone());
                events.push(Event::Fought { battle: battle.name(), nations: battle.nations(), result });
                return self.when_fought(state, dice, events);
            }
            Command::Date { battle, until } => {
                if !self.is_umpire(by) {
                    return refuse(Refused::new("only the umpire sets dates"));
                }
                let n = match Self::battle_at(state, battle) {
                    Ok(n) => n,
                    Err(r) => return refuse(r),
                };
                state.turn.battles[n].date = Some(until.clone());
                let b = &state.turn.battles[n];
                events.push(Event::Dated { battle: b.name(), nations: b.nations(), until: until.clone() });
            }
            Command::Note { from, to, anonymous, later, text } => {
                let allowed = from.map_or(self.is_umpire(by), |n| self.may_act(by, n));
                if !allowed || text.len() > 8_192 {
                    return refuse(Refused::new("the note is not yours to send, or too long"));
                }
                if *anonymous && !self.rules.flag("anonymous_notes") {
                    return refuse(Refused::by(
                        rule!("CAM-122"),
                        "this campaign passes on no unsigned notes",
                    ));
                }
                let note = Note {
                    from: *from,
                    to: *to,
                    anonymous: *anonymous,
                    text: text.clone(),
                    season: state.number(),
                    later: *later,
                };
                if let Some(held) = &mut state.held {
                    held.notes.push(Note { season: held.number(), ..note.clone() });
                }
                state.notes.push(note);
                let (from, to, anonymous, later) = (*from, *to, *anonymous, *later);
                events.push(Event::Noted { from, to, anonymous, later, text: text.clone() });
            }
            Command::Hand { nation, hand } => {
                if !self.may_act(by, *nation) {
                    return refuse(Refused::by(
                        rule!("CAM-044"),
                        format!("{nation} is not yours to hand over"),
                    ));
                }
                if let Some(standing) = state.nations.get_mut(nation) {
                    standing.hand = *hand;
                }
                events.push(Event::Handed { nation: *nation, hand: format!("{hand:?}").to_lowercase() });
            }
            Command::Say { .. }
            | Command::Hold(_)
            | Command::Publish
            | Command::Deadline(_)
            | Command::Zone { .. } => {
                if let Err(r) = self.at_desk(state, by, command, events) {
                    return refuse(r);
                }
            }
            Command::Rule { what, why } => {
                if !self.is_umpire(by) {
                    return refuse(Refused::new("only the umpire rules"));
                }
                if let Err(r) = self.rule(state, what) {
                    return refuse(r);
                }
                if self.rules.strict() {
                    let (seen, words) = what.told();
                    let because = if why.is_empty() { String::new() } else { format!(", because {why}") };
                    let entry = Entry {
                        step: 18,
                        rule: rule!("CAM-122"),
                        seen,
                        fact: what.fact(),
                        words: format!("The umpire rules: {words}{because}."),
                    };
                    state.rulings.push((state.number(), entry));
                }
                events.push(Event::Ruled { what: what.to_string(), why: why.clone() });
            }
        }
        let sealed = matches!(command, Command::Orders { .. } | Command::Confirm(_));
        if sealed && !self.umpired && self.all_in(state) {
            return self.run(state, dice, events);
        }
        Ok(())
    }

    fn candidates(&self, state: &State, seat: Seat, out: &mut Vec<Command>) {
        if state.held.is_some() {
            if seat == self.desk() {
                out.push(Command::Publish);
            }
            return;
        }
        let Some(nation) = self.nation_of(seat) else {
            if self.umpired && self.all_in(state) && seat == self.desk() {
                out.push(Command::Adjudicate);
            }
            return;
        };
        match state.phase {
            Phase::Orders | Phase::Winter if state.plays(nation) && !Self::confirmed(state, nation) => {
                for text in
                    crate::computer::texts(&self.world, &self.rules, &view(state, Reader::Nation(nation)), 0)
                {
                    out.push(Command::Orders {
                        nation,
                        sent: 0,
                        received: 0,
                        state: SetState::Confirmed,
                        text,
                    });
                }
            }
            Phase::Battles => {
                for battle in state.turn.battles.iter().filter(|b| b.result.is_none()) {
                    if [battle.attacker.prime.nation, battle.defender.prime.nation].contains(&nation) {
                        out.push(Command::Fight(battle.name()));
                    }
                }
            }
            _ => {}
        }
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        (state.phase == Phase::Over).then(|| Outcome {
            winners: state.winner.iter().map(ToString::to_string).collect(),
            ending: "overlord".to_owned(),
            words: match state.winner {
                Some(n) => format!("{n} is overlord of all"),
                None => "no nation is left".to_owned(),
            },
        })
    }

    fn print(&self, _: &State, command: &Command) -> String {
        command.to_string()
    }

    fn parse(&self, _: &State, by: Actor, text: &str) -> Result<Command, Problem> {
        self.words(Some(by)).read(text)
    }

    fn describe(&self, ask: &Ask) -> String {
        season::describe(&self.world, ask)
    }

    fn tell(&self, event: &Event) -> String {
        crate::tell::tell(event)
    }

    fn event_json(&self, event: &Event) -> Value {
        crate::tell::json(event)
    }

    fn event_for(&self, _: &State, event: &Event, viewer: Viewer) -> Option<Value> {
        crate::tell::json_for(event, self.reader(viewer))
    }

    fn facts(&self, event: &Event) -> Vec<String> {
        crate::tell::facts(event)
    }

    fn reveals(&self, event: &Event) -> bool {
        matches!(event, Event::Published { .. })
    }

    fn ask(&self, state: &State, question: &str) -> Result<Vec<String>, Problem> {
        crate::ask::answer(&self.world, &self.rules, state, question)
    }

    fn position(&self, state: &State) -> Value {
        position::write(&self.world_value(), self.umpired, state)
    }

    fn open_position(rules: &Value, position: &Value) -> Result<(Self, State), Problems> {
        let rules = Rules::from_json(rules)?;
        let (world, name, umpired, state) = position::read(position, &rules)?;
        Ok((Self::new(world, name, rules, umpired), state))
    }

    fn notation(&self, state: &State) -> String {
        self.position(state).to_string()
    }

    fn open_notation(rules: &Value, notation: &str) -> Result<(Self, State), Problems> {
        if let Some(problem) = game::foreign_notation(notation, Self::NAME, 0) {
            return Err(vec![problem]);
        }
        let value: Value = serde_json::from_str(notation).map_err(|e| {
            vec![Problem::new(format!("the notation does not read: {e}")).at(
                "",
                1,
                u32::try_from(e.column()).unwrap_or(0),
            )]
        })?;
        Self::open_position(rules, &value)
    }

    fn compare(&self, state: &State, expected: &Value) -> Result<Vec<String>, Problem> {
        crate::ask::compare(&self.rules, state, expected)
    }

    fn view(&self, state: &State, viewer: Viewer) -> View {
        view(state, self.reader(viewer))
    }

    fn possible(&self, view: &View, guess: u64) -> (Self, State) {
        (self.clone(), possible(&self.world, view, guess))
    }

    fn twin(&self, state: &State, viewer: Viewer, guess: u64) -> Option<(Self, State)> {
        twin(state, self.reader(viewer), guess).map(|s| (self.clone(), s))
    }
}

impl Campaign {
    /// What the umpire does at his desk beside adjudicating and ruling.
    fn at_desk(
        &self,
        state: &mut State,
        by: Actor,
        command: &Command,
        events: &mut Vec<Event>,
    ) -> Result<(), Refused> {
        if let Command::Zone { nation, zone } = command {
            if !self.may_act(by, *nation) || zone.len() > 64 {
                return Err(Refused::new(format!(
                    "the time zone of {nation} is not yours to set, or too long"
                )));
            }
            state.zones.insert(*nation, zone.clone());
            events.push(Event::Desk(format!("dates of {nation} are written in {zone}")));
            return Ok(());
        }
        if !self.is_umpire(by) {
            return Err(Refused::new("only the umpire does this"));
        }
        match command {
            Command::Say { to, text } => {
                if text.len() > 8_192 || state.paragraphs.len() >= 64 && !text.is_empty() {
                    return Err(Refused::new("the paragraph is too long, or there are too many"));
                }
                if text.is_empty() {
                    state.paragraphs.retain(|p| p.to != *to);
                } else {
                    state.paragraphs.push(Paragraph { to: *to, text: text.clone() });
                }
                let whose = to.map_or("the gazette".to_owned(), |n| format!("the letter to {n}"));
                events.push(Event::Desk(format!(
                    "{whose} has {} of your own paragraphs",
                    state.paragraphs.iter().filter(|p| p.to == *to).count()
                )));
            }
            Command::Hold(on) => {
                if !self.umpired {
                    return Err(Refused::new("this campaign has no umpire; start it with --umpire"));
                }
                state.holds = *on;
                let words = if *on {
                    "seasons wait on your desk until you publish them"
                } else {
                    "seasons go out at once"
                };
                events.push(Event::Desk(words.to_owned()));
            }
            Command::Publish => {
                if state.held.take().is_none() {
                    return Err(Refused::new("nothing is held: what was adjudicated is published already"));
                }
                if state.phase == Phase::Battles {
                    for battle in &state.turn.battles {
                        events.push(Event::ToFight { battle: battle.name(), nations: battle.nations() });
                    }
                    events.push(Event::Released(state.when()));
                } else {
                    events.push(Event::Published {
                        season: state.told.clone(),
                        gazette: state.gazette.clone(),
                        letters: state.letters.clone(),
                    });
                }
            }
            Command::Deadline(at) => {
                state.deadline = *at;
                if let Some(held) = &mut state.held {
                    held.deadline = *at;
                }
                events.push(Event::Desk(match at {
                    Some(at) => format!("orders are due at {at}"),
                    None => "no date is set for orders".to_owned(),
                }));
            }
            _ => {}
        }
        Ok(())
    }

    fn desk(&self) -> Seat {
        Seat(u8::try_from(self.world.nations.len()).unwrap_or(u8::MAX))
    }

    /// CAM-070: the season resumes once every battle has its result.
    fn when_fought(
        &self,
        state: &mut State,
        dice: &mut dyn Dice,
        events: &mut Vec<Event>,
    ) -> Result<(), Stop<Refused>> {
        if state.turn.battles.iter().all(|b| b.result.is_some()) {
            self.run(state, dice, events)
        } else {
            Ok(())
        }
    }
}
