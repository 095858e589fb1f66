//! A battle of Hordes of the Things in mid-fight, put together by hand.
#![allow(dead_code, missing_docs)]

use std::sync::Arc;

use field::{Base, BoardEdge, Heading, PACE, Pose, Size};
use hott::battle::{
    Battle, CommandId, CommandInfo, CommandState, ElementId, ElementInfo, ElementState, Fate, Flags, Opening,
    Phase, Replies, SeatInfo, SideId, SideInfo, SideState, State, Strong,
};
use hott::ground::Ground;
use hott::table::{Grade, Scale, Scope, Tables, TroopType};

use TroopType::{Abt, Art, Beh, Bld, Drg, Fly, Her, Hrd, Kni, Lrk, Mag, Rid, Sht, Snk, Spr, Wbd};

/// Type, x, y, heading of those on the table.
const A: [(TroopType, i32, i32, i32); 11] = [
    (Bld, 1000, 1200, 0),
    (Bld, 1160, 1200, 0),
    (Bld, 1320, 1200, 0),
    (Spr, 1480, 1200, 0),
    (Spr, 1480, 1130, 0),
    (Sht, 1700, 1000, 20),
    (Sht, 1860, 940, 20),
    (Kni, 700, 1000, 350),
    (Art, 1300, 600, 0),
    (Mag, 900, 700, 0),
    (Her, 1200, 900, 0),
];
const B: [(TroopType, i32, i32, i32); 11] = [
    (Wbd, 1000, 1200, 180),
    (Wbd, 1160, 1200, 180),
    (Beh, 1400, 1400, 180),
    (Hrd, 1480, 1200, 180),
    (Hrd, 1640, 1260, 180),
    (Rid, 1560, 1120, 270),
    (Kni, 840, 1300, 170),
    (Snk, 500, 1600, 150),
    (Fly, 1900, 1700, 190),
    (Abt, 2000, 2000, 180),
    (Spr, 1100, 1900, 180),
];

pub fn battle(seed: u64) -> (Battle, State) {
    let tables = Tables::standard(Scope::Base);
    let scale = Scale::Mm15;
    let side_length = 2400 * PACE;
    let board = field::Board::new(side_length, side_length);
    let mut elements = Vec::new();
    let mut states = Vec::new();
    for (side, list) in [(0u8, A), (1, B)] {
        let away: [(TroopType, Fate); 4] = if side == 0 {
            [(Drg, Fate::Waiting), (Bld, Fate::Destroyed), (Lrk, Fate::Waiting), (Rid, Fate::Ensorcelled)]
        } else {
            [(Lrk, Fate::Waiting), (Kni, Fate::Destroyed), (Hrd, Fate::Destroyed), (Rid, Fate::Fled)]
        };
        let on = list.map(|(ty, x, y, h)| (ty, Fate::Table, x, y, h));
        let off = away.map(|(ty, fate)| (ty, fate, 300, 700, 0));
        for (ty, fate, x, y, heading) in on.into_iter().chain(off) {
            let number =
                1 + elements.iter().filter(|e: &&ElementInfo| e.side.0 == side && e.ty == ty).count();
            let depth = tables.troop(ty).depth(scale);
            elements.push(ElementInfo {
                label: format!("{}{number}", ty.code()),
                name: if ty == Beh { "Old \"Grinder\" & son".to_owned() } else { String::new() },
                ty,
                side: SideId(side),
                command: CommandId(side),
                contingent: 0,
                general: ty == Her || (side == 1 && ty == Beh),
                grade: Grade::Plain,
                armed: false,
                halves: 4,
                size: Size::new(tables.base_width(scale) * PACE, depth * PACE),
            });
            let pose = Pose::new(x * PACE, y * PACE, Heading::degrees(heading));
            let began = if ty == Fly { pose.back(600 * PACE) } else { pose };
            states.push(ElementState {
                pose,
                began,
                fate,
                flags: Flags::default(),
                appearances: 0,
                enchanter: None,
                charged: 0,
                seen_moving: 0,
            });
        }
    }
    let side_info =
        |letter, army: &str, hostile| SideInfo { letter, army: army.to_owned(), hostile, halves: 48 };
    let side_state = |edge, strong, place| SideState {
        die: 3,
        edge: Some(edge),
        defends: place == 1,
        strong,
        strong_flags: hott::battle::Flags::default(),
        out: false,
        replies: Replies::default(),
        place,
    };
    let keep = Pose::new(1200 * PACE, 300 * PACE, Heading::UP);
    let command = CommandState {
        score: 4,
        pips: 2,
        demoralised: false,
        tested: false,
        deployed: true,
        moved_one: false,
    };
    let state = State {
        elements: states,
        commands: vec![command; 2],
        sides: vec![
            side_state(
                BoardEdge::Lower,
                Strong::Stands(Base::new(keep, Size::new(300 * PACE, 240 * PACE))),
                1,
            ),
            side_state(BoardEdge::Upper, Strong::None, 0),
        ],
        ground: Arc::new(Ground::random(seed, &tables, &board, scale, 24)),
        phase: Phase::Combat,
        bound: 9,
        active: SideId(1),
        pending: Vec::new(),
        rerolls: 0,
        over: None,
        house: None,
        large: hott::battle::Large::default(),
    };
    let commands = [0u8, 1].map(|side| CommandInfo {
        name: ["Iron Gate", "Burning Eye"][usize::from(side)].to_owned(),
        side: SideId(side),
        general: (0u16..)
            .map(ElementId)
            .zip(&elements)
            .find(|(_, e)| e.side.0 == side && e.general)
            .map(|(id, _)| id),
        in_chief: true,
        halves: 48,
    });
    let seats =
        [0u8, 1].map(|side| SeatInfo { side: SideId(side), commands: vec![CommandId(side)], in_chief: true });
    let battle = Battle {
        tables: Arc::new(tables),
        scale,
        board,
        elements: elements.into(),
        commands: commands.into(),
        sides: [side_info('A', "Dwarves of the Iron Gate", 2), side_info('B', "Host of the Burning Eye", 1)]
            .into(),
        seats: seats.into(),
        seat_names: ["Anna", "computer"].map(str::to_owned).into(),
        bound_limit: 100,
        opening: Arc::new(Opening {
            rules: serde_json::Value::Null.into(),
            setup: serde_json::Value::Null,
            start: state.clone(),
        }),
    };
    (battle, state)
}
