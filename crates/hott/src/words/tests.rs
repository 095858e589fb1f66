//! Commands read back as they print, whoever types them; people's ways of typing are understood.

use super::{parse, print};
use crate::battle::*;
use crate::ground::Ground;
use crate::table::{Grade, Scale, Scope, Tables, TroopType};
use field::{Base, Board, BoardEdge, Heading, Point, Pose, Side, Size};
use game::{Actor, Seat};
use proptest::prelude::*;
use serde_json::Value;
use std::sync::Arc;

fn fixture() -> (Battle, State) {
    let types = [
        TroopType::Bld,
        TroopType::Bld,
        TroopType::Bld,
        TroopType::Kni,
        TroopType::Beh,
        TroopType::AHe,
        TroopType::Sht,
    ];
    let mut elements = Vec::new();
    for side in 0..3_u8 {
        for (n, ty) in types.iter().enumerate() {
            let number = types[..=n].iter().filter(|t| *t == ty).count();
            elements.push(ElementInfo {
                label: format!("{}{number}", ty.code()),
                name: String::new(),
                ty: *ty,
                side: SideId(side),
                command: CommandId(side * 2 + u8::from(n > 3)),
                contingent: 0,
                general: n == 3,
                grade: Grade::Plain,
                armed: false,
                halves: 4,
                size: Size::new(16_000, 6_000),
            });
        }
    }
    let commands = (0..6).map(|n| CommandInfo {
        name: format!("{}{}", ['A', 'B', 'C'][usize::from(n / 2)], n % 2 + 1),
        side: SideId(n / 2),
        general: None,
        in_chief: n % 2 == 0,
        halves: 48,
    });
    let sides = (0..3).map(|n| SideInfo {
        letter: ['A', 'B', 'C'][n],
        army: String::new(),
        hostile: !(1 << n) & 7,
        halves: 48,
    });
    let seats = (0..3).map(|n| SeatInfo {
        side: SideId(n),
        commands: vec![CommandId(2 * n), CommandId(2 * n + 1)],
        in_chief: true,
    });
    let element = ElementState {
        pose: Pose::new(0, 0, Heading::UP),
        began: Pose::new(0, 0, Heading::UP),
        fate: Fate::Table,
        flags: Flags::default(),
        appearances: 0,
        enchanter: None,
        charged: 0,
        seen_moving: 0,
    };
    let command = CommandState {
        score: 0,
        pips: 0,
        demoralised: false,
        tested: false,
        deployed: false,
        moved_one: false,
    };
    let side = SideState {
        die: 0,
        edge: None,
        defends: false,
        strong: Strong::None,
        strong_flags: crate::battle::Flags::default(),
        out: false,
        replies: Replies::default(),
        place: 0,
    };
    let state = State {
        elements: vec![element; elements.len()],
        commands: vec![command; 6],
        sides: vec![side; 3],
        ground: Arc::new(Ground::new(Vec::new())),
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
        tables: Arc::new(Tables::standard(Scope::Base)),
        scale: Scale::Mm15,
        board: Board::new(240_000, 240_000),
        elements: elements.into(),
        commands: commands.collect(),
        sides: sides.collect(),
        seats: seats.collect(),
        seat_names: ["A", "B", "C"].map(str::to_owned).into(),
        bound_limit: 100,
        opening: Arc::new(Opening { rules: Arc::new(Value::Null), setup: Value::Null, start: state.clone() }),
    };
    (battle, state)
}

fn pose() -> impl Strategy<Value = Pose> {
    (-1000..300_000, -1000..300_000, 0..36_000).prop_map(|(x, y, h)| Pose::new(x, y, Heading::new(h)))
}

fn own() -> impl Strategy<Value = ElementId> {
    (0..7_u16).prop_map(ElementId)
}

fn enemy() -> impl Strategy<Value = ElementId> {
    (7..21_u16).prop_map(ElementId)
}

fn target() -> impl Strategy<Value = Target> {
    prop_oneof![enemy().prop_map(Target::Element), (1..3_u8).prop_map(|s| Target::Stronghold(SideId(s)))]
}

fn list() -> impl Strategy<Value = Vec<ElementId>> {
    prop::collection::btree_set(0..7_u16, 1..5).prop_map(|s| s.into_iter().map(ElementId).collect())
}

fn side() -> impl Strategy<Value = Side> {
    prop_oneof![Just(Side::Left), Just(Side::Right)]
}

fn face() -> impl Strategy<Value = Face> {
    prop_oneof![Just(Face::Front), Just(Face::Left), Just(Face::Right), Just(Face::Rear)]
}

fn leg() -> impl Strategy<Value = Leg> {
    prop_oneof![
        (-99_999..99_999).prop_map(Leg::Ahead),
        (-99_999..99_999).prop_map(Leg::Sideways),
        (-99_999..99_999, -99_999..99_999).prop_map(|(x, y)| Leg::By(Point::new(x, y))),
        (side(), 0..18_000).prop_map(|(s, a)| Leg::Wheel(s, a)),
        (0..36_000).prop_map(Leg::Turn),
    ]
}

fn legs() -> impl Strategy<Value = Vec<Leg>> {
    prop::collection::vec(leg(), 1..4)
}

fn order() -> impl Strategy<Value = MoveOrder> {
    prop_oneof![
        (list(), legs(), any::<bool>()).prop_map(|(who, legs, attack)| MoveOrder::Legs { who, legs, attack }),
        (own(), pose(), any::<bool>()).prop_map(|(who, to, attack)| MoveOrder::Free { who, to, attack }),
        (list(), face(), target()).prop_map(|(who, face, enemy)| MoveOrder::Charge(Charge {
            who,
            face,
            enemy
        })),
        (list(), prop::option::of(side()), own()).prop_map(|(who, side, friend)| MoveOrder::LineUp(LineUp {
            who,
            side,
            friend
        })),
        (list(), legs(), any::<bool>()).prop_map(|(who, legs, road)| MoveOrder::Column { who, legs, road }),
        (list(), any::<u8>(), legs()).prop_map(|(who, width, legs)| MoveOrder::Narrow { who, width, legs }),
        (own(), enemy()).prop_map(|(who, enemy)| MoveOrder::CloseDoor { who, enemy }),
        (own(), -99_999..99_999).prop_map(|(who, by)| MoveOrder::BreakOff { who, by }),
    ]
}

fn command() -> impl Strategy<Value = Command> {
    let edges = Just([BoardEdge::Left, BoardEdge::Upper, BoardEdge::Right, BoardEdge::Lower]).prop_shuffle();
    prop_oneof![
        Just(Command::Roll),
        (1..500_u64).prop_map(|n| {
            let (battle, _) = fixture();
            Command::Ground(Arc::new(Ground::random(n, &battle.tables, &battle.board, battle.scale, 48)))
        }),
        Just(Command::Ground(Arc::new(Ground::new(Vec::new())))),
        edges.prop_map(Command::Edges),
        (pose(), 1..99_999, 1..99_999)
            .prop_map(|(p, w, d)| Command::Stronghold(Base::new(p, Size::new(w, d)))),
        prop::collection::vec((own(), pose()), 1..4).prop_map(Command::Deploy),
        (0..2_u8).prop_map(|c| Command::Deployed(CommandId(c))),
        order().prop_map(Command::Move),
        order().prop_map(Command::Move),
        list().prop_map(Command::Halt),
        (own(), face(), enemy()).prop_map(|(who, face, enemy)| Command::Lurk(Ambush { who, face, enemy })),
        own().prop_map(Command::Withdraw),
        prop::collection::vec((own(), pose()), 1..3).prop_map(Command::Arrive),
        (own(), pose(), any::<bool>()).prop_map(|(who, pose, declared)| Command::Return {
            who,
            pose,
            declared
        }),
        Just(Command::EndMoves),
        (target(), list()).prop_map(|(target, mut aids)| {
            let who = aids.remove(0);
            Command::Bespell { target, who, aids }
        }),
        Just(Command::EndMagic),
        (target(), list()).prop_map(|(target, shooters)| Command::Shoot { target, shooters }),
        enemy().prop_map(|shooter| Command::ShootBack { shooter }),
        target().prop_map(Command::Aim),
        Just(Command::EndShooting),
        prop_oneof![own(), enemy()].prop_map(Command::Fight),
        Just(Command::FightAll),
        pose().prop_map(Command::Flee),
        prop_oneof![Just(ShooterReply::ByRule), Just(ShooterReply::MostAids), Just(ShooterReply::Ask)]
            .prop_map(Command::Reply),
        (0..3_u8).prop_map(|s| Command::Concede(SideId(s))),
        proptest::collection::vec(1..7_u8, 1..5).prop_map(Command::Assign),
        "[a-z]{1,8}( [a-z0-9.]{1,6}){0,4}".prop_map(Command::Ruling),
    ]
}

proptest! {
    #[test]
    fn a_command_reads_back_as_it_prints(command in command()) {
        let (battle, state) = fixture();
        let text = print(&battle, &state, &command);
        for by in [Actor::Seat(Seat(0)), Actor::Umpire] {
            let read = parse(&battle, &state, by, &text);
            prop_assert_eq!(read.as_ref(), Ok(&command), "{}", text);
        }
    }

    #[test]
    fn nothing_that_is_typed_panics(text in "([a-z]{1,8}[ ,.-]{0,2}){0,6}[0-9é\u{0}-]{0,5}", seat in 0..4_u8) {
        let (battle, state) = fixture();
        let _ = parse(&battle, &state, Actor::Seat(Seat(seat)), &text);
    }

    #[test]
    fn a_spoilt_command_reads_or_says_where(command in command(), at in 0..60_usize, with in "\\PC?") {
        let (battle, state) = fixture();
        let mut text: Vec<char> = print(&battle, &state, &command).chars().collect();
        let at = at.min(text.len().saturating_sub(1));
        text.splice(at..=at, with.chars());
        let text: String = text.into_iter().collect();
        if let Err(problem) = parse(&battle, &state, Actor::Seat(Seat(0)), &text) {
            prop_assert!(!problem.message.is_empty());
        }
    }
}

#[test]
fn what_players_type() {
    let (battle, state) = fixture();
    let read =
        |text: &str| parse(&battle, &state, Actor::Seat(Seat(0)), text).map(|c| print(&battle, &state, &c));
    for (typed, meant) in [
        ("bld3 advance 200", Some("move Bld3 ahead 200")),
        ("bld3 charges B.kni1", Some("charge Bld3 front B.Kni1")),
        ("move bld3 200", Some("move Bld3 ahead 200")),
        ("MOVE b1-b3 forward 100", None),
        ("move Bld1-Bld3 forward 100, wheel l 15.5", Some("move Bld1 Bld2 Bld3 ahead 100, wheel left 15.5")),
        ("move blade1, blade2 ahead 60 then right 20", Some("move Bld1 Bld2 ahead 60, right 20")),
        ("charge k front B.k", Some("charge Kni1 front B.Kni1")),
        ("charge kni1 b.kni1 left flank", Some("charge Kni1 left B.Kni1")),
        ("ch k B.Bld2", Some("charge Kni1 front B.Bld2")),
        ("charge k front stronghold", Some("charge Kni1 front B.Str")),
        ("end", Some("end moves")),
        ("done", Some("end moves")),
        ("fire at c.kn with sht", Some("shoot C.Kni1 with Sht1")),
        ("break off k 300p", Some("break Kni1 300")),
        ("close the door bld1 B.bld1", Some("close Bld1 B.Bld1")),
        ("line bld2 left of bld1", Some("line Bld2 left Bld1")),
        ("fight bow1", Some("fight Sht1")),
    ] {
        match (read(typed), meant) {
            (Ok(text), Some(meant)) => assert_eq!(text, meant, "{typed}"),
            (Err(_), None) => {}
            (other, _) => panic!("{typed}: {other:?}"),
        }
    }
}

#[test]
fn what_is_wrong_is_named_with_its_column_and_what_would_be_right() {
    let (battle, state) = fixture();
    for (typed, column, says) in [
        ("mvoe bld1 ahead 200", 1, "did you mean move?"),
        ("move bld9 ahead 200", 6, "there is no element bld9"),
        ("move bld1 ahed 200", 11, "did you mean ahead?"),
        ("move bld1 ahead x", 17, "not a number"),
        ("move b ahead 3", 6, "which? A.Bld1"),
        ("charge k front kni1", 16, "which? B.Kni1, C.Kni1"),
        ("charge k front D.kni1", 16, "sides: A, B, C"),
        ("end mvoes", 5, "did you mean moves?"),
        ("end moves now", 11, "not understood: now"),
    ] {
        let problem = parse(&battle, &state, Actor::Seat(Seat(0)), typed).expect_err(typed);
        assert!(problem.to_string().contains(says), "{typed}: {problem}");
        assert_eq!(problem.place.map(|p| p.column), Some(column), "{typed}");
    }
}

#[test]
fn misspelt_words_get_a_guess_and_nothing_goes_elsewhere_in_silence() {
    let (battle, mut state) = fixture();
    let read = |state: &State, text: &str| parse(&battle, state, Actor::Seat(Seat(0)), text);
    for (text, guess) in [
        ("advnce Bld1 200", "did you mean advance?"),
        ("chrge Kni1 B.Bld1", "did you mean charge?"),
        ("charge Kni1 frnt B.Bld1", "did you mean front?"),
        ("charge Kni1 reer B.Bld1", "did you mean rear?"),
        ("move Bld1 ahed 200", "did you mean ahead?"),
        ("move Bld1 ahead 50 50", "one figure for each way: ahead 50, right 50; a place is `to 1200 300 0`"),
    ] {
        let problem = read(&state, text).unwrap_err();
        assert_eq!(problem.hint.as_deref(), Some(guess), "{text}: {problem}");
    }
    let plain = read(&state, "move Bld1 200").unwrap();
    assert_eq!(print(&battle, &state, &plain), "move Bld1 ahead 200");
    state.phase = Phase::Combat;
    for text in ["end combat", "end fights", "end"] {
        assert_eq!(read(&state, text), Ok(Command::FightAll), "{text}");
    }
}
