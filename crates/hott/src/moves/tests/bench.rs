//! Positions for tests, in a few words.

use crate::battle::*;
use crate::ground::Ground;
use crate::moves::{Plan, carry_out, judge};
use crate::table::{Grade, Scale, Scope, Tables, TroopType};
use field::{Base, Board, BoardEdge, Heading, PACE, Pose, Size};
use std::sync::Arc;

/// A position under test.
pub struct Bench {
    pub battle: Battle,
    pub state: State,
}

/// What a position is made of.
pub struct Make {
    scope: Scope,
    sets: Vec<String>,
    ground: String,
    board: i32,
    pieces: Vec<(String, i32, i32, i32)>,
    strongholds: Vec<(char, i32, i32, i32)>,
    allied: Vec<(char, char)>,
}

/// Begins a position: pieces are `A.Bld1`, x, y (paces) and heading (degrees); `*` after the label marks the general,
/// `/2` a second command, `~1` a contingent.
pub fn make(pieces: &[(&str, i32, i32, i32)]) -> Make {
    Make {
        scope: Scope::Base,
        sets: Vec::new(),
        ground: String::new(),
        board: 2_400,
        pieces: pieces.iter().map(|(l, x, y, h)| ((*l).to_owned(), *x, *y, *h)).collect(),
        strongholds: Vec::new(),
        allied: Vec::new(),
    }
}

impl Make {
    pub fn big(mut self) -> Self {
        self.scope = Scope::Big;
        self
    }

    pub fn set(mut self, assignment: &str) -> Self {
        self.sets.push(assignment.to_owned());
        self
    }

    pub fn ground(mut self, text: &str) -> Self {
        text.clone_into(&mut self.ground);
        self
    }

    pub fn stronghold(mut self, side: char, x: i32, y: i32, heading: i32) -> Self {
        self.strongholds.push((side, x, y, heading));
        self
    }

    pub fn allied(mut self, a: char, b: char) -> Self {
        self.allied.push((a, b));
        self
    }

    pub fn go(self) -> Bench {
        let layers = self.sets.iter().fold(Tables::layers(self.scope), |l, s| l.set(s));
        let rules = layers.effective().unwrap();
        let tables = Tables::load(self.scope, &rules).unwrap();
        let scale = Scale::Mm15;
        let mut letters: Vec<char> = self.pieces.iter().map(|p| p.0.chars().next().unwrap()).collect();
        letters.extend(self.strongholds.iter().map(|s| s.0));
        letters.sort_unstable();
        letters.dedup();
        let mut elements = Vec::new();
        let mut states = Vec::new();
        let mut commands: Vec<CommandInfo> = Vec::new();
        let mut named: Vec<(u8, u8)> = Vec::new();
        for (label, x, y, h) in &self.pieces {
            let (mut label, mut command, mut contingent) = (label.clone(), 0u8, 0u8);
            if let Some((rest, n)) = label.clone().split_once('~') {
                (label, contingent) = (rest.to_owned(), n.parse().unwrap());
            }
            if let Some((rest, n)) = label.clone().split_once('/') {
                (label, command) = (rest.to_owned(), n.parse().unwrap());
            }
            let general = label.ends_with('*');
            let label = label.trim_end_matches('*');
            let (letter, name) = label.split_once('.').unwrap();
            let side = letters.iter().position(|l| letter.starts_with(*l)).unwrap() as u8;
            let code: String = name.chars().filter(|c| c.is_alphabetic()).collect();
            let ty = TroopType::from_code(&code).unwrap();
            let place = named.iter().position(|n| *n == (side, command)).unwrap_or_else(|| {
                named.push((side, command));
                commands.push(CommandInfo {
                    name: format!("{letter}{command}"),
                    side: SideId(side),
                    general: None,
                    in_chief: command == 0,
                    halves: 48,
                });
                named.len() - 1
            });
            let id = ElementId(elements.len() as u16);
            if general {
                commands[place].general = Some(id);
            }
            let troop = tables.troop(ty);
            let size = Size::new(tables.base_width(scale) * PACE, troop.depth(scale) * PACE);
            elements.push(ElementInfo {
                label: name.to_owned(),
                name: String::new(),
                ty,
                side: SideId(side),
                command: CommandId(place as u8),
                contingent,
                general,
                grade: Grade::Plain,
                armed: false,
                halves: (troop.ap * 2) as u16,
                size,
            });
            let pose = Pose::new(x * PACE, y * PACE, Heading::degrees(*h));
            states.push(ElementState {
                pose,
                began: pose,
                fate: Fate::Table,
                flags: Flags::default(),
                appearances: 0,
                enchanter: None,
                charged: 0,
                seen_moving: 0,
            });
        }
        let count = letters.len() as u8;
        let sides: Vec<SideInfo> = (0..count)
            .map(|i| {
                let foe = |j: &u8| {
                    let (a, b) = (letters[usize::from(i)], letters[usize::from(*j)]);
                    *j != i && !self.allied.contains(&(a, b)) && !self.allied.contains(&(b, a))
                };
                SideInfo {
                    letter: letters[usize::from(i)],
                    army: String::new(),
                    hostile: (0..count).filter(foe).fold(0, |bits, j| bits | 1 << j),
                    halves: 48,
                }
            })
            .collect();
        let side = |i: usize| SideState {
            die: 0,
            edge: Some(if i == 0 { BoardEdge::Lower } else { BoardEdge::Upper }),
            defends: i == 0,
            strong: self.strongholds.iter().find(|s| s.0 == letters[i]).map_or(
                Strong::None,
                |(_, x, y, h)| {
                    let pose = Pose::new(x * PACE, y * PACE, Heading::degrees(*h));
                    Strong::Stands(Base::new(pose, Size::new(32_000, 24_000)))
                },
            ),
            strong_flags: crate::battle::Flags::default(),
            out: false,
            replies: Replies::default(),
            place: i as u8,
        };
        let command = CommandState {
            score: 6,
            pips: 6,
            demoralised: false,
            tested: false,
            deployed: true,
            moved_one: false,
        };
        let state = State {
            elements: states,
            commands: vec![command; commands.len()],
            sides: (0..letters.len()).map(side).collect(),
            ground: Arc::new(Ground::parse(&self.ground).unwrap()),
            phase: Phase::Moves,
            bound: 1,
            active: SideId(0),
            pending: Vec::new(),
            rerolls: 0,
            over: None,
            house: None,
            large: crate::battle::Large::default(),
        };
        let battle = Battle {
            tables: Arc::new(tables),
            scale,
            board: Board::new(self.board * PACE, self.board * PACE),
            elements: elements.into(),
            commands: commands.into(),
            sides: sides.into(),
            seats: Arc::new([]),
            seat_names: Arc::new([]),
            bound_limit: 0,
            opening: Arc::new(Opening {
                rules: Arc::new(serde_json::Value::Null),
                setup: serde_json::Value::Null,
                start: state.clone(),
            }),
        };
        Bench { battle, state }
    }
}

impl Bench {
    /// The element with a label: `A.Bld1`.
    pub fn id(&self, label: &str) -> ElementId {
        self.battle.labelled(label, None).unwrap_or_else(|| panic!("no {label}"))
    }

    pub fn ids(&self, labels: &str) -> Vec<ElementId> {
        labels.split_whitespace().map(|l| self.id(l)).collect()
    }

    pub fn base(&self, label: &str) -> Base {
        let id = self.id(label);
        Base::new(self.state.element(id).pose, self.battle.element(id).size)
    }

    pub fn pose(&self, label: &str) -> Pose {
        self.base(label).pose
    }

    /// Puts an element elsewhere, as if it had begun the bound there.
    pub fn put(&mut self, label: &str, pose: Pose) {
        let id = self.id(label).index();
        self.state.elements[id].pose = pose;
        self.state.elements[id].began = pose;
    }

    pub fn flag(&mut self, label: &str, flag: Flags) {
        let id = self.id(label).index();
        self.state.elements[id].flags.set(flag);
    }

    pub fn judge(&self, order: &MoveOrder) -> Result<Plan, Refusal> {
        judge(&self.battle, &self.state, order)
    }

    /// Judged to be legal, and carried out.
    pub fn ok(&mut self, order: &MoveOrder) -> Plan {
        let plan = self.judge(order).unwrap_or_else(|r| panic!("{order:?}: {r}"));
        let mut events = Vec::new();
        carry_out(&self.battle, &mut self.state, &plan, &mut events);
        self.no_overlaps();
        plan
    }

    /// Refused by this rule; the words.
    #[track_caller]
    pub fn refused(&self, order: &MoveOrder, rule: &str) -> String {
        match self.judge(order) {
            Ok(plan) => panic!("{order:?} is legal: {plan:?}"),
            Err(refusal) => {
                let by = refusal.rule.map(|r| r.to_string()).unwrap_or_default();
                assert_eq!(by, rule, "{refusal}");
                refusal.words
            }
        }
    }

    pub fn no_overlaps(&self) {
        let on: Vec<ElementId> = self.battle.ids().filter(|i| self.state.on_table(*i)).collect();
        for (i, a) in on.iter().enumerate() {
            for b in &on[i + 1..] {
                let base =
                    |id: ElementId| Base::new(self.state.element(id).pose, self.battle.element(id).size);
                assert!(
                    !base(*a).overlaps(&base(*b)),
                    "{} {} on {} {}",
                    self.battle.full_label(*a),
                    base(*a).pose,
                    self.battle.full_label(*b),
                    base(*b).pose
                );
            }
        }
    }

    pub fn legs(&self, who: &str, legs: &[Leg]) -> MoveOrder {
        MoveOrder::Legs { who: self.ids(who), legs: legs.to_vec(), attack: false }
    }

    pub fn ahead(&self, who: &str, paces: i32) -> MoveOrder {
        self.legs(who, &[Leg::Ahead(paces * PACE)])
    }

    pub fn free(&self, who: &str, x: i32, y: i32, degrees: i32) -> MoveOrder {
        let to = Pose::new(x * PACE, y * PACE, Heading::degrees(degrees));
        MoveOrder::Free { who: self.id(who), to, attack: false }
    }

    pub fn charge(&self, who: &str, face: Face, enemy: &str) -> MoveOrder {
        MoveOrder::Charge(Charge { who: self.ids(who), face, enemy: Target::Element(self.id(enemy)) })
    }

    pub fn storm(&self, who: &str, side: u8) -> MoveOrder {
        let enemy = Target::Stronghold(SideId(side));
        MoveOrder::Charge(Charge { who: self.ids(who), face: Face::Front, enemy })
    }

    pub fn break_off(&self, who: &str, paces: i32) -> MoveOrder {
        MoveOrder::BreakOff { who: self.id(who), by: paces * PACE }
    }

    pub fn door(&self, who: &str, enemy: &str) -> MoveOrder {
        MoveOrder::CloseDoor { who: self.id(who), enemy: self.id(enemy) }
    }

    pub fn column(&self, who: &str, legs: &[Leg], road: bool) -> MoveOrder {
        MoveOrder::Column { who: self.ids(who), legs: legs.to_vec(), road }
    }

    pub fn line(&self, who: &str, side: Option<field::Side>, friend: &str) -> MoveOrder {
        MoveOrder::LineUp(LineUp { who: self.ids(who), side, friend: self.id(friend) })
    }
}
