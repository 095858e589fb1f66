//! What one viewer may know of a battle, and a possible battle that looks like it.
//!
//! Hidden are, with `army_lists` closed, the elements of enemies that are off the table and have not been seen, and
//! everybody else's standing replies. Totals of AP are public (design, "What is hidden").

use crate::battle::{
    Battle, CommandId, ElementId, ElementInfo, Fate, Flags, House, Opening, ShooterReply, SideId, State,
};
use crate::labels::{ENDINGS, FATES, PHASES, REPLIES};
use crate::table::options::ArmyLists;
use crate::table::{Grade, TroopType};
use crate::words::phase_word;
use field::Pose;
use game::{Seat, Viewer};
use serde::Serialize;
use serde_json::Value;
use std::sync::Arc;

/// A place in 1/100 pace and 1/100 degree: x, y, heading.
pub type Place = [i32; 3];

/// What one viewer may know.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct View {
    /// For whom it is: a seat's number, or nobody's (-1: spectators, -2: the umpire).
    pub viewer: i16,
    /// The rules in force.
    #[serde(skip)]
    pub rules: Arc<Value>,
    /// Options that rulings have changed.
    pub rulings: Vec<(String, String)>,
    /// What only battles with several commands or more than two sides remember.
    pub large: crate::battle::Large,
    /// The figures' scale.
    pub scale: &'static str,
    /// The board's width and height in 1/100 pace.
    pub board: [i32; 2],
    /// The last bound, or 0.
    pub bound_limit: u32,
    /// Features, one a line.
    pub ground: Vec<String>,
    /// The step.
    pub phase: &'static str,
    /// The bound, from 1; 0 during set-up.
    pub bound: u32,
    /// The number of the side whose bound it is.
    pub active: u8,
    /// Throws made for attacker and defender.
    pub rerolls: u8,
    /// The sides.
    pub sides: Vec<SideView>,
    /// The commands.
    pub commands: Vec<CommandView>,
    /// The seats.
    pub seats: Vec<SeatView>,
    /// The elements that he may know of.
    pub elements: Vec<ElementView>,
    /// Choices that are pending, public in all they say.
    pub pending: Vec<Value>,
    /// The winners' sides, one bit each, and how it ended.
    pub over: Option<(u8, &'static str)>,
}

/// A side as a viewer sees it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SideView {
    /// Its letter.
    pub letter: char,
    /// The army's name.
    pub army: String,
    /// Sides hostile to it, one bit each.
    pub hostile: u8,
    /// Its AP at the start, in halves.
    pub halves: u32,
    /// What it has lost, in halves of an AP.
    pub lost: u32,
    /// What of its AP he may not know the elements of, in halves.
    pub unknown: u32,
    /// Its dice for the sides.
    pub die: u32,
    /// Its base edge by number (lower, right, upper, left).
    pub edge: Option<u8>,
    /// It defends.
    pub defends: bool,
    /// Its place in the order of bounds.
    pub place: u8,
    /// It has left the battle.
    pub out: bool,
    /// Its Stronghold or Baggage: `none`, `waiting`, `stands`, `lost`.
    pub stronghold: &'static str,
    /// Where that stands, with width and depth.
    pub stronghold_at: Option<[i32; 5]>,
    /// What that has suffered this bound.
    pub stronghold_flags: u16,
    /// His own standing reply for Shooters; `None` for everybody else's.
    pub reply: Option<&'static str>,
}

/// A command as a viewer sees it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CommandView {
    /// Its name.
    pub name: String,
    /// Its side's number.
    pub side: u8,
    /// Its general is the commander-in-chief.
    pub in_chief: bool,
    /// Its AP at the start, in halves.
    pub halves: u32,
    /// The score of its PIP die.
    pub score: u8,
    /// PIPs left.
    pub pips: u8,
    /// BB-040.
    pub demoralized: bool,
    /// BB-041.
    pub tested: bool,
    /// Its deployment is done.
    pub deployed: bool,
    /// BB-042.
    pub moved_one: bool,
    /// BB-043: of a demoralized command, who would run and what it costs to hold them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flight: Option<FlightView>,
}

/// What becomes of a demoralized command in its side's bound (BB-042, BB-043).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FlightView {
    /// Who would run, by label, and where each would come to stand; no place: it would be lost.
    pub runs: Vec<(String, Option<Place>)>,
    /// What it would cost to halt each of them, then groups that hold some of them.
    pub halts: Vec<HaltView>,
}

/// A halt that might be bought (BB-061).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HaltView {
    /// Labels.
    pub who: Vec<String>,
    /// PIPs.
    pub pips: u8,
}

/// A seat.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeatView {
    /// Its name.
    pub name: String,
    /// Its side's number.
    pub side: u8,
    /// The numbers of its commands.
    pub commands: Vec<u8>,
    /// It acts for the whole side.
    pub in_chief: bool,
}

/// An element as a viewer sees it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ElementView {
    /// `A.Kni2`.
    pub label: String,
    /// Its owner's name for it.
    pub name: String,
    /// Short code of its type.
    #[serde(rename = "type")]
    pub ty: &'static str,
    /// Its command's number.
    pub command: u8,
    /// HOTT-352.
    pub contingent: u8,
    /// It holds the general.
    pub general: bool,
    /// `plain`, `elite` or `levy`.
    pub grade: &'static str,
    /// It has a shooting weapon.
    pub armed: bool,
    /// Its AP in halves.
    pub halves: u16,
    /// Base width and depth in 1/100 pace.
    pub size: [i32; 2],
    /// Where it stands, or its marker.
    pub place: Place,
    /// Where it stood when the bound began.
    pub began: Place,
    /// On table or why not.
    pub fate: &'static str,
    /// What it did and suffered.
    pub flags: u16,
    /// Appearances of a Lurker.
    pub appearances: u8,
    /// The order of its move into contact.
    pub charge: u8,
    /// BB-097: sides since whose last bound it has moved.
    pub seen_moving: u8,
    /// Who ensorcelled it.
    pub enchanter: Option<String>,
}

fn place(p: Pose) -> Place {
    [p.x, p.y, p.heading.hundredths()]
}

fn pose([x, y, h]: Place) -> Pose {
    Pose::new(x, y, field::Heading::new(h))
}

const GRADES: [(Grade, &str); 3] = [(Grade::Levy, "levy"), (Grade::Plain, "plain"), (Grade::Elite, "elite")];

impl Battle {
    /// Whether a viewer may know of an element.
    #[must_use]
    pub fn may_know(&self, state: &State, viewer: Viewer, id: ElementId) -> bool {
        let (info, now) = (self.element(id), state.element(id));
        let seen = now.fate != Fate::Waiting || now.appearances > 0;
        if seen || self.tables.options.army_lists == ArmyLists::Open {
            return true;
        }
        match viewer {
            Viewer::Umpire => true,
            Viewer::Spectator => false,
            Viewer::Seat(Seat(n)) => {
                self.seats.get(usize::from(n)).is_some_and(|s| !self.hostile(s.side, info.side))
            }
        }
    }

    /// What a viewer may know.
    #[must_use]
    pub fn make_view(&self, state: &State, viewer: Viewer) -> View {
        let own = match viewer {
            Viewer::Seat(Seat(n)) => self.seats.get(usize::from(n)).map(|s| s.side),
            _ => None,
        };
        let unknown = |side: SideId| -> u32 {
            self.ids_of(side)
                .filter(|id| !self.may_know(state, viewer, *id))
                .map(|id| u32::from(self.element(id).halves))
                .sum()
        };
        let sides = (0..self.sides.len())
            .map(|n| {
                let (id, info, now) = (SideId(n as u8), &self.sides[n], &state.sides[n]);
                use crate::battle::Strong;
                let (word, base) = match now.strong {
                    Strong::None => ("none", None),
                    Strong::Waiting => ("waiting", None),
                    Strong::Stands(base) => ("stands", Some(base)),
                    Strong::Lost(base) => ("lost", Some(base)),
                };
                let knows_reply = own == Some(id) || viewer == Viewer::Umpire;
                SideView {
                    letter: info.letter,
                    army: info.army.clone(),
                    hostile: info.hostile,
                    halves: info.halves,
                    lost: self.losses(state, id),
                    unknown: unknown(id),
                    die: now.die,
                    edge: now.edge.map(|e| e as u8),
                    defends: now.defends,
                    place: now.place,
                    out: now.out,
                    stronghold: word,
                    stronghold_at: base.map(|b| {
                        let [x, y, h] = place(b.pose);
                        [x, y, h, b.size.width, b.size.depth]
                    }),
                    stronghold_flags: now.strong_flags.0,
                    reply: knows_reply.then(|| REPLIES[now.replies.shooters as usize].1),
                }
            })
            .collect();
        let commands = self
            .commands
            .iter()
            .zip(&state.commands)
            .zip((0..).map(CommandId))
            .map(|((info, now), id)| CommandView {
                name: info.name.clone(),
                side: info.side.0,
                in_chief: info.in_chief,
                halves: info.halves,
                score: now.score,
                pips: now.pips,
                demoralized: now.demoralised,
                tested: now.tested,
                deployed: now.deployed,
                moved_one: now.moved_one,
                flight: self.flight_view(state, id),
            })
            .collect();
        let seats = self
            .seats
            .iter()
            .zip(&*self.seat_names)
            .map(|(seat, name)| SeatView {
                name: name.clone(),
                side: seat.side.0,
                commands: seat.commands.iter().map(|c| c.0).collect(),
                in_chief: seat.in_chief,
            })
            .collect();
        let elements = self
            .ids()
            .filter(|id| self.may_know(state, viewer, *id))
            .map(|id| {
                let (info, now) = (self.element(id), state.element(id));
                ElementView {
                    label: self.full_label(id),
                    name: info.name.clone(),
                    ty: info.ty.code(),
                    command: info.command.0,
                    contingent: info.contingent,
                    general: self.holds_general(state, id),
                    grade: GRADES[info.grade as usize].1,
                    armed: info.armed,
                    halves: info.halves,
                    size: [info.size.width, info.size.depth],
                    place: place(now.pose),
                    began: place(now.began),
                    fate: FATES[now.fate as usize].1,
                    flags: now.flags.0,
                    appearances: now.appearances,
                    charge: now.charged,
                    seen_moving: now.seen_moving,
                    enchanter: now.enchanter.map(|e| self.full_label(e)),
                }
            })
            .collect();
        View {
            viewer: match viewer {
                Viewer::Seat(Seat(n)) => i16::from(n),
                Viewer::Spectator => -1,
                Viewer::Umpire => -2,
            },
            rules: self.opening.rules.clone(),
            rulings: state.house.as_ref().map(|h| h.sets.clone()).unwrap_or_default(),
            large: self.large_for(state, viewer, own),
            scale: self.scale.word(),
            board: [self.board.width, self.board.height],
            bound_limit: self.bound_limit,
            ground: state.ground.features().iter().map(crate::ground::Feature::print).collect(),
            phase: phase_word(state.phase),
            bound: state.bound,
            active: state.active.0,
            rerolls: state.rerolls,
            sides,
            commands,
            seats,
            elements,
            pending: state.pending.iter().map(|p| self.write_pending(p)).collect(),
            over: state.over.map(|o| (o.winners, crate::words::ending_word(o.ending))),
        }
    }

    /// Everybody sees who is about to run: it follows from what stands on the table.
    fn flight_view(&self, state: &State, command: CommandId) -> Option<FlightView> {
        let shaken = self.shaken(state, command)?;
        let runs = shaken.runners.iter().map(|r| (self.full_label(r.who), r.to.map(place))).collect();
        let halt = |h: &crate::bound::Halt| HaltView {
            who: h.who.iter().map(|id| self.full_label(*id)).collect(),
            pips: h.pips,
        };
        Some(FlightView { runs, halts: shaken.halts.iter().map(halt).collect() })
    }

    /// What of the rest a viewer may know.
    fn large_for(&self, state: &State, viewer: Viewer, own: Option<SideId>) -> crate::battle::Large {
        let contest = state.large.contest.as_ref();
        let contest = contest.map(|c| c.seen_by(self, own, viewer == Viewer::Umpire));
        crate::battle::Large { contest, ..state.large.clone() }
    }

    /// A possible battle and state that look like a view; hidden elements are guessed, the same for the same number.
    #[must_use]
    pub fn possible_of(&self, view: &View, guess: u64) -> (Battle, State) {
        let mut elements: Vec<ElementInfo> = view.elements.iter().map(|e| self.info_of(view, e)).collect();
        let known = elements.len();
        let commands: Vec<_> = view.commands.iter().map(|c| (c.deployed, c.halves, SideId(c.side))).collect();
        guess_hidden(&commands, &mut elements, guess);
        let battle = Battle {
            elements: elements.into(),
            commands: view
                .commands
                .iter()
                .enumerate()
                .map(|(n, c)| {
                    let general = view.elements.iter().position(|e| e.general && usize::from(e.command) == n);
                    crate::battle::CommandInfo {
                        name: c.name.clone(),
                        side: SideId(c.side),
                        general: general.map(|i| ElementId(i as u16)),
                        in_chief: c.in_chief,
                        halves: c.halves,
                    }
                })
                .collect(),
            sides: view
                .sides
                .iter()
                .map(|s| crate::battle::SideInfo {
                    letter: s.letter,
                    army: s.army.clone(),
                    hostile: s.hostile,
                    halves: s.halves,
                })
                .collect(),
            ..self.clone()
        };
        let state = battle.state_of(view, known);
        let opening = Opening { rules: view.rules.clone(), setup: Value::Null, start: state.clone() };
        (Battle { opening: Arc::new(opening), ..battle }, state)
    }

    /// As [`Battle::possible_of`] of a viewer's [`Battle::make_view`], without writing the view out: computer players ask
    /// for it at every decision. That both are the same is tested.
    #[must_use]
    pub fn seen_directly(&self, state: &State, viewer: Viewer, guess: u64) -> (Battle, State) {
        let own = match viewer {
            Viewer::Seat(Seat(n)) => self.seats.get(usize::from(n)).map(|s| s.side),
            _ => None,
        };
        let mut seen = state.clone();
        for (n, side) in seen.sides.iter_mut().enumerate() {
            if viewer != Viewer::Umpire && own.is_none_or(|s| s.index() != n) {
                side.replies = crate::battle::Replies::default();
            }
        }
        if state.large.contest.is_some() {
            seen.large = self.large_for(state, viewer, own);
        }
        let known: Vec<ElementId> = self.ids().filter(|id| self.may_know(state, viewer, *id)).collect();
        let whole = known.len() == self.elements.len();
        if !whole && !state.pending.is_empty() {
            // What is pending names elements: seldom enough to go the long way.
            return self.possible_of(&self.make_view(state, viewer), guess);
        }
        let mut battle = self.clone();
        if !whole {
            let mut elements: Vec<ElementInfo> = known.iter().map(|id| self.element(*id).clone()).collect();
            let commands: Vec<_> = self
                .commands
                .iter()
                .zip(&state.commands)
                .map(|(c, s)| (s.deployed, c.halves, c.side))
                .collect();
            guess_hidden(&commands, &mut elements, guess);
            seen.elements.clear();
            let place = |id: ElementId| known.iter().position(|k| *k == id).map(|n| ElementId(n as u16));
            seen.elements.extend(known.iter().map(|id| {
                let now = *state.element(*id);
                crate::battle::ElementState { enchanter: now.enchanter.and_then(place), ..now }
            }));
            seen.elements.resize(elements.len(), BLANK);
            let general = |g: ElementId| place(g);
            battle.commands = self
                .commands
                .iter()
                .map(|c| crate::battle::CommandInfo { general: c.general.and_then(general), ..c.clone() })
                .collect();
            battle.elements = elements.into();
        }
        let rules = Arc::clone(&self.opening.rules);
        battle.opening = Arc::new(Opening { rules, setup: Value::Null, start: seen.clone() });
        (battle, seen)
    }

    /// A command chosen in what a viewer sees ([`Battle::seen_directly`]), with the ids that its elements have here: they
    /// go by their labels.
    pub(crate) fn with_own_ids(
        &self,
        seen: &Battle,
        mut command: crate::battle::Command,
    ) -> Result<crate::battle::Command, game::Problem> {
        if Arc::ptr_eq(&self.elements, &seen.elements) {
            return Ok(command);
        }
        let mut lacking = None;
        let mut own = |id: &mut ElementId| {
            let info = seen.element(*id);
            let found = self.ids_of(info.side).find(|own| self.element(*own).label == info.label);
            match found {
                Some(found) => *id = found,
                None => lacking = Some(seen.full_label(*id)),
            }
        };
        for_each_id(&mut command, &mut own);
        match lacking {
            None => Ok(command),
            Some(label) => Err(game::Problem::new(format!("there is no {label}"))),
        }
    }

    fn info_of(&self, view: &View, e: &ElementView) -> ElementInfo {
        let label = e.label.split_once('.').map_or(e.label.as_str(), |(_, l)| l).to_owned();
        let command = CommandId(e.command);
        ElementInfo {
            label,
            name: e.name.clone(),
            ty: TroopType::from_code(e.ty).unwrap_or(TroopType::Hrd),
            side: SideId(view.commands.get(command.index()).map_or(0, |c| c.side)),
            command,
            contingent: e.contingent,
            general: e.general,
            grade: GRADES.iter().find(|g| g.1 == e.grade).map_or(Grade::Plain, |g| g.0),
            armed: e.armed,
            halves: e.halves,
            size: field::Size::new(e.size[0], e.size[1]),
        }
    }

    fn state_of(&self, view: &View, known: usize) -> State {
        use crate::battle::{CommandState, Over, Phase, Replies, SideState, Strong};
        let mut elements = vec![BLANK; self.elements.len()];
        for (e, now) in view.elements.iter().zip(elements.iter_mut().take(known)) {
            now.pose = pose(e.place);
            now.began = pose(e.began);
            now.fate = FATES.iter().find(|f| f.1 == e.fate).map_or(Fate::Waiting, |f| f.0);
            now.flags = Flags(e.flags);
            now.appearances = e.appearances;
            now.charged = e.charge;
            now.seen_moving = e.seen_moving;
            now.enchanter = e.enchanter.as_ref().and_then(|l| self.labelled(l, None));
        }
        let commands = view
            .commands
            .iter()
            .map(|c| CommandState {
                score: c.score,
                pips: c.pips,
                demoralised: c.demoralized,
                tested: c.tested,
                deployed: c.deployed,
                moved_one: c.moved_one,
            })
            .collect();
        let sides = view
            .sides
            .iter()
            .map(|s| {
                let base = s
                    .stronghold_at
                    .map(|[x, y, h, w, d]| field::Base::new(pose([x, y, h]), field::Size::new(w, d)));
                let strong = match (s.stronghold, base) {
                    ("waiting", _) => Strong::Waiting,
                    ("stands", Some(b)) => Strong::Stands(b),
                    ("lost", Some(b)) => Strong::Lost(b),
                    _ => Strong::None,
                };
                let reply = s
                    .reply
                    .and_then(|r| REPLIES.iter().find(|x| x.1 == r))
                    .map_or(ShooterReply::ByRule, |r| r.0);
                SideState {
                    die: s.die,
                    edge: s.edge.and_then(|e| field::BoardEdge::ALL.get(usize::from(e)).copied()),
                    defends: s.defends,
                    strong,
                    strong_flags: Flags(s.stronghold_flags),
                    out: s.out,
                    replies: Replies { shooters: reply },
                    place: s.place,
                }
            })
            .collect();
        let ground = crate::ground::Ground::parse(&view.ground.join("\n")).unwrap_or_default();
        let house =
            (!view.rulings.is_empty()).then(|| self.house(&view.rulings).ok()).flatten().map(Arc::new);
        let mut state = State {
            elements,
            commands,
            sides,
            ground: Arc::new(ground),
            phase: PHASES.iter().find(|p| p.1 == view.phase).map_or(Phase::Moves, |p| p.0),
            bound: view.bound,
            active: SideId(view.active),
            pending: Vec::new(),
            rerolls: view.rerolls,
            over: view.over.map(|(winners, word)| Over {
                winners,
                ending: ENDINGS.iter().find(|e| e.1 == word).map_or(crate::battle::Ending::Limit, |e| e.0),
            }),
            house: house.map(|h: Arc<House>| h),
            large: view.large.clone(),
        };
        state.pending = view.pending.iter().filter_map(|p| self.read_pending(p).ok()).collect();
        state
    }

    /// A state that differs only in what a viewer may not know: hidden elements that start off the table are of another
    /// type.
    #[must_use]
    pub fn twin_of(&self, state: &State, viewer: Viewer) -> Option<(Battle, State)> {
        let hidden: Vec<ElementId> = self.ids().filter(|id| !self.may_know(state, viewer, *id)).collect();
        let other = |ty: TroopType| match ty {
            TroopType::God => Some(TroopType::Drg),
            TroopType::Drg => Some(TroopType::God),
            TroopType::Lrk => Some(TroopType::WLk),
            TroopType::WLk => Some(TroopType::Lrk),
            _ => None,
        };
        let mut elements = self.elements.to_vec();
        let mut changed = false;
        for id in hidden {
            let Some(ty) = other(elements[id.index()].ty) else { continue };
            let side = elements[id.index()].side;
            let free = |n: &usize| {
                let label = format!("{}{n}", ty.code());
                !elements.iter().any(|e| e.side == side && e.label.eq_ignore_ascii_case(&label))
            };
            let n = (1..=elements.len() + 1).find(free)?;
            let e = &mut elements[id.index()];
            (e.ty, e.label) = (ty, format!("{}{n}", ty.code()));
            e.size = crate::setup::roster::size(&self.tables, self.scale, ty);
            changed = true;
        }
        changed.then(|| (Battle { elements: elements.into(), ..self.clone() }, state.clone()))
    }
}

/// An element that waits off the table.
const BLANK: crate::battle::ElementState = crate::battle::ElementState {
    pose: Pose { x: 0, y: 0, heading: field::Heading::UP },
    began: Pose { x: 0, y: 0, heading: field::Heading::UP },
    fate: Fate::Waiting,
    flags: Flags(0),
    appearances: 0,
    enchanter: None,
    charged: 0,
    seen_moving: 0,
};

/// Every id of an element in a command.
fn for_each_id(command: &mut crate::battle::Command, own: &mut impl FnMut(&mut ElementId)) {
    use crate::battle::{Command, MoveOrder, Target};
    let target = |t: &mut Target, own: &mut dyn FnMut(&mut ElementId)| {
        if let Target::Element(id) = t {
            own(id);
        }
    };
    match command {
        Command::Roll
        | Command::Ground(_)
        | Command::Edges(_)
        | Command::Stronghold(_)
        | Command::Deployed(_)
        | Command::EndMoves
        | Command::EndMagic
        | Command::EndShooting
        | Command::FightAll
        | Command::Flee(_)
        | Command::Reply(_)
        | Command::Concede(_)
        | Command::Assign(_)
        | Command::Ruling(_) => {}
        Command::Deploy(all) | Command::Arrive(all) => all.iter_mut().for_each(|(id, _)| own(id)),
        Command::Halt(all) => all.iter_mut().for_each(own),
        Command::Lurk(ambush) => {
            own(&mut ambush.who);
            own(&mut ambush.enemy);
        }
        Command::Withdraw(id) | Command::Return { who: id, .. } | Command::Fight(id) => own(id),
        Command::ShootBack { shooter } => own(shooter),
        Command::Aim(t) => target(t, own),
        Command::Bespell { target: t, who, aids } => {
            target(t, own);
            own(who);
            aids.iter_mut().for_each(own);
        }
        Command::Shoot { target: t, shooters } => {
            target(t, own);
            shooters.iter_mut().for_each(own);
        }
        Command::Move(order) => match order {
            MoveOrder::Legs { who, .. } | MoveOrder::Column { who, .. } | MoveOrder::Narrow { who, .. } => {
                who.iter_mut().for_each(own)
            }
            MoveOrder::Free { who, .. } | MoveOrder::BreakOff { who, .. } => own(who),
            MoveOrder::Charge(charge) => {
                charge.who.iter_mut().for_each(&mut *own);
                target(&mut charge.enemy, own);
            }
            MoveOrder::LineUp(line) => {
                line.who.iter_mut().for_each(&mut *own);
                own(&mut line.friend);
            }
            MoveOrder::CloseDoor { who, enemy } => {
                own(who);
                own(enemy);
            }
        },
    }
}

/// Adds guesses for what a viewer may not know, command by command, so that the AP come out.
fn guess_hidden(commands: &[(bool, u32, SideId)], elements: &mut Vec<ElementInfo>, guess: u64) {
    let mut bits = guess;
    for (n, (deployed, halves, side)) in commands.iter().copied().enumerate() {
        let known: u32 =
            elements.iter().filter(|e| e.command.index() == n).map(|e| u32::from(e.halves)).sum();
        let mut left = halves.saturating_sub(known);
        while left > 0 {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let pick = bits >> 60;
            // While it deploys it may still have anything; afterwards only what starts off the table.
            let (ty, halves) = match (deployed, left) {
                (true, 8..) if pick < 6 => (TroopType::God, 8),
                (true, 8..) if pick < 12 => (TroopType::Drg, 8),
                (true, _) if pick < 12 => (TroopType::Lrk, 2),
                (true, _) => (TroopType::WLk, 2),
                (false, 4..) => (TroopType::Bld, 4),
                (false, _) => (TroopType::Hrd, 2),
            };
            let halves = left.min(halves);
            left -= halves;
            let label = (1..=elements.len() + 1)
                .map(|i| format!("{}{i}", ty.code()))
                .find(|l| !elements.iter().any(|e| e.side == side && e.label.eq_ignore_ascii_case(l)))
                .unwrap_or_else(|| format!("{}0", ty.code()));
            let width = elements.first().map_or(field::Len::from(16_000_i32), |e| e.size.width);
            elements.push(ElementInfo {
                label,
                name: String::new(),
                ty,
                side,
                command: CommandId(n as u8),
                contingent: 0,
                general: false,
                grade: Grade::Plain,
                armed: false,
                halves: u16::try_from(halves).unwrap_or(u16::MAX),
                size: field::Size::new(width, width / 2),
            });
        }
    }
}
