//! The outcome rows, expanded, against the tables of the rules (HOTT-297 to HOTT-301, BB-071 to BB-075),
//! cell by cell, through the function that play uses.

use std::sync::LazyLock;

use hott::table::{Class, Fighter, Footing, Mode, Outcome, Scope, Tables, TroopType, result};

const CONTACT: &str = include_str!("tables/contact.txt");
const SHOT: &str = include_str!("tables/shot.txt");
const BESPELLED: &str = include_str!("tables/bespelled.txt");
const BIG_LOSE: &str = include_str!("tables/big_lose.txt");
const BIG_WIN: &str = include_str!("tables/big_win.txt");
const BIG_SHOT: &str = include_str!("tables/big_shot.txt");
const BIG_SHOT_BY_LIGHT_HORSE: &str = include_str!("tables/big_shot_by_light_horse.txt");
const BIG_BESPELLED: &str = include_str!("tables/big_bespelled.txt");

/// One cell: loser, winner, beaten, doubled.
type Cell = (TroopType, TroopType, [Outcome; 2]);

/// Reads a table; `-` is a cell that cannot occur.
fn cells(text: &str) -> Vec<Cell> {
    let mut lines = text.lines().filter(|l| !l.starts_with('#'));
    let code = |c: &str| TroopType::from_code(c).unwrap_or_else(|| panic!("no type {c}"));
    let head: Vec<TroopType> = lines.next().unwrap().split_whitespace().skip(1).map(code).collect();
    let mut all = Vec::new();
    for line in lines {
        let mut words = line.split_whitespace();
        let loser = code(words.next().unwrap());
        let row: Vec<&str> = words.collect();
        assert_eq!(row.len(), head.len(), "row {loser}");
        for (winner, cell) in head.iter().zip(row) {
            if cell != "-" {
                all.push((loser, *winner, pair(cell)));
            }
        }
    }
    all
}

fn pair(cell: &str) -> [Outcome; 2] {
    let letter = |s: &str| Outcome::from_letter(s.chars().next().unwrap()).unwrap();
    let (beaten, doubled) = cell.split_once('/').unwrap();
    [letter(beaten), letter(doubled)]
}

/// What play makes of a loss: beaten by 6 to 5, doubled by 6 to 3. The loser is the target of shooting
/// and bespelling; in close combat its place must not matter.
fn outcomes(t: &Tables, mode: Mode, loser: &Fighter, winner: &Fighter) -> [Outcome; 2] {
    [5, 3].map(|low| {
        let [won, lost] = result(t, mode, [winner, loser], [6, low], false);
        assert_eq!(won.outcome, Outcome::None);
        if mode == Mode::Contact {
            let [lost_first, won] = result(t, mode, [loser, winner], [low, 6], false);
            assert_eq!(lost_first, lost);
            assert_eq!(won.outcome, Outcome::None);
        }
        lost.outcome
    })
}

/// Compares every cell of a table, after `change` has had its way with the fighters and the cell.
fn compare(
    t: &Tables,
    mode: Mode,
    text: &str,
    change: impl Fn(&mut Fighter, &mut Fighter, &mut [Outcome; 2]),
) -> usize {
    let cells = cells(text);
    for (loser, winner, expected) in &cells {
        let (mut l, mut w, mut expected) = (Fighter::new(*loser), Fighter::new(*winner), *expected);
        change(&mut l, &mut w, &mut expected);
        assert_eq!(outcomes(t, mode, &l, &w), expected, "{loser} loses to {winner}, {mode:?}, {l:?}");
    }
    cells.len()
}

static BASE: LazyLock<Tables> = LazyLock::new(|| Tables::standard(Scope::Base));
static BIG: LazyLock<Tables> = LazyLock::new(|| Tables::standard(Scope::Big));

#[test]
fn hott_297_contact_in_good_going() {
    // 23 rows and columns, without a Stronghold against a Stronghold
    assert_eq!(compare(&BASE, Mode::Contact, CONTACT, |_, _, _| {}), 23 * 23 - 1);
    // a big battle changes nothing here
    compare(&BIG, Mode::Contact, CONTACT, |_, _, _| {});
}

#[test]
fn hott_270_a_general_loses_to_a_sneaker_as_to_a_blade() {
    let all = cells(CONTACT);
    let by_blade = |loser| all.iter().find(|c| c.0 == loser && c.1 == TroopType::Bld).unwrap().2;
    compare(&BASE, Mode::Contact, CONTACT, |l, w, expected| {
        l.general = true;
        if w.ty == TroopType::Snk {
            *expected = by_blade(l.ty);
        }
    });
}

#[test]
fn hott_296_a_ground_aid_takes_a_stronghold_for_an_aerial() {
    compare(&BASE, Mode::Contact, CONTACT, |l, w, expected| {
        w.ground_aid = true;
        if l.ty == TroopType::Str && BASE.class(w.ty) == Class::Aerial {
            *expected = pair("C/C");
        }
    });
}

#[test]
fn hott_298_knights_that_just_made_contact() {
    use TroopType::*;
    compare(&BASE, Mode::Contact, CONTACT, |l, w, expected| {
        l.just_contacted = true;
        w.just_contacted = true;
        if l.ty == Kni && matches!(w.ty, Sht | Art | Mag) {
            *expected = pair("X/X");
        }
    });
}

#[test]
fn hott_299_loser_in_bad_going() {
    use TroopType::*;
    for footing in [Footing::BAD, Footing::WOOD, Footing::WATER] {
        compare(&BASE, Mode::Contact, CONTACT, |l, w, expected| {
            l.footing = footing;
            if matches!(l.ty, Kni | Rid | Beh) && w.ty != Snk {
                *expected = pair("X/X");
            }
            if matches!(l.ty, Spr | Wbd | Hrd | Clr) && w.ty == Kni {
                *expected = pair("R/X");
            }
        });
    }
    // the winner's ground has no say
    compare(&BASE, Mode::Contact, CONTACT, |_, w, _| w.footing = Footing::WOOD);
}

/// HOTT-300, HOTT-301, BB-074: the rows that read X/X in bad going.
fn bad_going(footing: Footing, l: &mut Fighter, expected: &mut [Outcome; 2]) {
    use TroopType::*;
    l.footing = footing;
    if matches!(l.ty, Kni | Rid | Beh | LtH) {
        *expected = pair("X/X");
    }
}

#[test]
fn hott_300_shot_at() {
    assert_eq!(compare(&BASE, Mode::Shot, SHOT, |_, _, _| {}), 23 * 2);
    compare(&BASE, Mode::Shot, SHOT, |l, _, expected| bad_going(Footing::BAD, l, expected));
    // HOTT-273, HOTT-274: what is for contact only stays so
    compare(&BASE, Mode::Shot, SHOT, |l, w, _| {
        l.just_contacted = l.ty != TroopType::Kni;
        w.ground_aid = true;
    });
}

#[test]
fn hott_301_bespelled() {
    assert_eq!(compare(&BASE, Mode::Bespelled, BESPELLED, |_, _, _| {}), 23);
    compare(&BASE, Mode::Bespelled, BESPELLED, |l, _, expected| bad_going(Footing::WOOD, l, expected));
}

#[test]
fn bb_071_the_new_types_lose() {
    assert_eq!(compare(&BIG, Mode::Contact, BIG_LOSE, |_, _, _| {}), 3 * 26);
    let all = cells(BIG_LOSE);
    let by_blade = |loser| all.iter().find(|c| c.0 == loser && c.1 == TroopType::Bld).unwrap().2;
    compare(&BIG, Mode::Contact, BIG_LOSE, |l, w, expected| {
        l.general = true;
        if w.ty == TroopType::Snk {
            *expected = by_blade(l.ty);
        }
    });
}

#[test]
fn bb_072_base_types_lose_to_the_new_ones() {
    assert_eq!(compare(&BIG, Mode::Contact, BIG_WIN, |_, _, _| {}), 23 * 3);
    compare(&BIG, Mode::Contact, BIG_WIN, |l, _, expected| {
        use TroopType::*;
        l.footing = Footing::BAD;
        if matches!(l.ty, Kni | Rid | Beh) {
            *expected = pair("X/X");
        }
    });
}

#[test]
fn bb_073_the_new_types_in_bad_going() {
    use TroopType::*;
    compare(&BIG, Mode::Contact, BIG_LOSE, |l, w, expected| {
        l.footing = Footing::BAD;
        if w.ty != Snk {
            *expected = pair(match (l.ty, w.ty) {
                (LtH, _) => "X/X",
                (Sct, Sct | Rgr) => "R/X",
                (Sct, _) => "R/F",
                _ => "R/X",
            });
        }
    });
}

#[test]
fn bb_074_shot_at_in_big_battles() {
    compare(&BIG, Mode::Shot, SHOT, |_, _, _| {});
    for table in [BIG_SHOT, BIG_SHOT_BY_LIGHT_HORSE] {
        compare(&BIG, Mode::Shot, table, |_, _, _| {});
        compare(&BIG, Mode::Shot, table, |l, _, expected| bad_going(Footing::BAD, l, expected));
    }
}

#[test]
fn bb_075_bespelled_in_big_battles() {
    compare(&BIG, Mode::Bespelled, BIG_BESPELLED, |_, _, _| {});
    compare(&BIG, Mode::Bespelled, BIG_BESPELLED, |l, _, expected| bad_going(Footing::BAD, l, expected));
}

#[test]
fn every_base_pair_has_a_cell() {
    let all = cells(CONTACT);
    for loser in TroopType::ALL.into_iter().filter(|t| !BASE.troop(*t).big) {
        let row = all.iter().filter(|c| c.0 == loser).count();
        assert_eq!(row, if loser == TroopType::Str { 22 } else { 23 }, "{loser}");
    }
}
