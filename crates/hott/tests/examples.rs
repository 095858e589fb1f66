//! The worked examples of the rules (section 21 and the end of the big-battle rules) that need no geometry:
//! factors, totals and outcomes of both fighters.

use std::sync::LazyLock;

use TroopType::*;
use hott::table::Mode::{Bespelled, Contact, Shot};
use hott::table::Outcome::*;
use hott::table::{
    Exposure, Fighter, Footing, Grade, Mode, Outcome, Scope, Support, Tables, TroopType, factors, result,
};

static BASE: LazyLock<Tables> = LazyLock::new(|| Tables::standard(Scope::Base));
static BIG: LazyLock<Tables> = LazyLock::new(|| Tables::standard(Scope::Big));

fn of(ty: TroopType) -> Fighter {
    Fighter::new(ty)
}

fn on(ty: TroopType, footing: Footing) -> Fighter {
    Fighter { footing, ..of(ty) }
}

fn supported(ty: TroopType) -> Fighter {
    Fighter { support: Support::Rank { footing: Footing::GOOD }, ..of(ty) }
}

/// Factors as `HOTT-028 +5, HOTT-252 -2`.
fn written(t: &Tables, mode: Mode, me: usize, fighters: [&Fighter; 2]) -> String {
    let list = factors(t, mode.parts()[me], fighters[me], fighters[1 - me]);
    list.as_slice().iter().map(|f| format!("{} {:+}", f.rule, f.value)).collect::<Vec<_>>().join(", ")
}

/// One example: each fighter with its factors, die, total and outcome.
struct Side(Fighter, &'static str, i32, i32, Outcome);

fn play(t: &Tables, name: &str, mode: Mode, a: Side, b: Side) {
    let fighters = [&a.0, &b.0];
    let mut totals = [0; 2];
    for (i, side) in [&a, &b].into_iter().enumerate() {
        assert_eq!(written(t, mode, i, fighters), side.1, "{name}, factors of {i}");
        totals[i] = factors(t, mode.parts()[i], fighters[i], fighters[1 - i]).sum() + side.2;
        assert_eq!(totals[i], side.3, "{name}, total of {i}");
    }
    let outcomes = result(t, mode, fighters, totals, false).map(|j| j.outcome);
    assert_eq!(outcomes, [a.4, b.4], "{name}");
}

#[test]
fn close_combat_of_foot_and_mounted() {
    let t = &*BASE;
    let bld = of(Bld);
    play(t, "EX-01", Contact, Side(bld, "HOTT-028 +5", 4, 9, None), Side(bld, "HOTT-028 +5", 3, 8, Recoil));
    play(
        t,
        "EX-02",
        Contact,
        Side(supported(Wbd), "HOTT-030 +3, HOTT-251 +1", 5, 9, None),
        Side(supported(Spr), "HOTT-029 +4, HOTT-251 +1", 3, 8, Destroyed),
    );
    play(
        t,
        "EX-03",
        Contact,
        Side(of(Kni), "HOTT-024 +3", 6, 9, None),
        Side(of(Spr), "HOTT-029 +4", 4, 8, Destroyed),
    );
    play(
        t,
        "EX-04",
        Contact,
        Side(of(Kni), "HOTT-024 +3, HOTT-256 -2", 6, 7, None),
        Side(on(Spr, Footing::BAD), "HOTT-029 +4, HOTT-256 -2", 2, 4, Recoil),
    );
    let charging = Fighter { just_contacted: true, ..of(Kni) };
    let sht = || Side(of(Sht), "HOTT-031 +4", 3, 7, None);
    play(t, "EX-05", Contact, Side(charging, "HOTT-024 +3", 2, 5, Destroyed), sht());
    play(t, "EX-06", Contact, Side(of(Kni), "HOTT-024 +3", 2, 5, Recoil), sht());
    play(
        t,
        "EX-07",
        Contact,
        Side(of(Kni), "HOTT-024 +3", 1, 4, Destroyed),
        Side(bld, "HOTT-028 +3", 5, 8, None),
    );
    let her = of(Her);
    let both = |die, total, outcome| Side(her, "HOTT-022 +5", die, total, outcome);
    play(t, "EX-08", Contact, both(4, 9, Destroyed), both(4, 9, Destroyed));
    play(t, "EX-09", Contact, both(3, 8, None), both(3, 8, None));
    play(
        t,
        "EX-20",
        Contact,
        Side(of(Pal), "HOTT-023 +6", 1, 7, Destroyed),
        Side(of(Hrd), "HOTT-033 +2", 6, 8, None),
    );
    let lapped = Fighter { exposed: [Exposure::Overlapped, Exposure::Overlapped, Exposure::Safe], ..bld };
    play(
        t,
        "EX-30",
        Contact,
        Side(lapped, "HOTT-028 +5, HOTT-252 -2", 1, 4, Destroyed),
        Side(bld, "HOTT-028 +5", 3, 8, None),
    );
    play(
        t,
        "EX-31",
        Contact,
        Side(of(Beh), "HOTT-026 +5", 2, 7, Recoil),
        Side(of(Beh), "HOTT-026 +5", 4, 9, None),
    );
    let behind = Fighter { exposed: [Exposure::Safe, Exposure::Safe, Exposure::Contacted(Wbd)], ..bld };
    play(
        t,
        "EX-45",
        Contact,
        Side(of(Wbd), "HOTT-030 +3", 4, 7, None),
        Side(behind, "HOTT-028 +5, HOTT-252 -1", 2, 6, Destroyed),
    );
}

#[test]
fn magic() {
    let t = &*BASE;
    let mag = of(Mag);
    play(
        t,
        "EX-10",
        Bespelled,
        Side(mag, "HOTT-035 +4", 5, 9, None),
        Side(of(Her), "HOTT-022 +5", 2, 7, Ensorcelled),
    );
    let warded = Fighter { warded: true, ..of(Bld) };
    play(
        t,
        "EX-11",
        Bespelled,
        Side(mag, "HOTT-035 +4", 6, 10, None),
        Side(warded, "HOTT-028 +5, HOTT-255 +2", 3, 10, None),
    );
    play(
        t,
        "EX-12",
        Bespelled,
        Side(mag, "HOTT-035 +4", 1, 5, None),
        Side(of(Bld), "HOTT-028 +5", 4, 9, None),
    );
    play(
        t,
        "EX-13",
        Bespelled,
        Side(mag, "HOTT-035 +4", 2, 6, Destroyed),
        Side(of(God), "HOTT-017 +6", 4, 10, None),
    );
}

#[test]
fn shooting() {
    let t = &*BASE;
    let fly = Fighter { aids: 1, ..of(Fly) };
    play(
        t,
        "EX-15",
        Shot,
        Side(of(Sht), "HOTT-031 +4", 5, 9, None),
        Side(fly, "HOTT-020 +2, HOTT-253 -1", 3, 4, Destroyed),
    );
    play(
        t,
        "EX-16",
        Shot,
        Side(of(Art), "HOTT-032 +4", 4, 8, None),
        Side(of(Her), "HOTT-022 +5", 2, 7, Destroyed),
    );
    let art = || Side(of(Art), "HOTT-032 +4", 6, 10, None);
    play(t, "EX-42", Shot, art(), Side(of(Str), "HOTT-039 +6", 3, 9, Captured));
    play(t, "EX-42", Shot, art(), Side(of(Str), "HOTT-039 +6", 4, 10, None));
}

#[test]
fn dragons_gods_and_lurkers() {
    let t = &*BASE;
    let drg = |outcome| Side(of(Drg), "HOTT-018 +6", 1, 7, outcome);
    play(t, "EX-17", Contact, drg(FleeField), Side(of(Bld), "HOTT-028 +3", 6, 9, None));
    play(t, "EX-18", Contact, drg(Destroyed), Side(of(Pal), "HOTT-023 +6", 3, 9, None));
    play(
        t,
        "EX-19",
        Contact,
        Side(of(God), "HOTT-017 +6", 1, 7, None),
        Side(of(Bld), "HOTT-028 +3", 6, 9, None),
    );
    play(
        t,
        "EX-21",
        Contact,
        Side(on(Bst, Footing::WOOD), "HOTT-027 +4", 3, 7, None),
        Side(on(Rid, Footing::WOOD), "HOTT-025 +3, HOTT-256 -2", 5, 6, Destroyed),
    );
    let blade = on(Bld, Footing::WOOD);
    let line = "HOTT-028 +5, HOTT-256 -2";
    let lurker = on(Lrk, Footing::WOOD);
    play(t, "EX-22", Contact, Side(lurker, "HOTT-037 +2", 5, 7, None), Side(blade, line, 3, 6, Recoil));
    play(t, "EX-23", Contact, Side(lurker, "HOTT-037 +2", 1, 3, FleeField), Side(blade, line, 1, 4, None));
    play(
        t,
        "EX-24",
        Contact,
        Side(on(WLk, Footing::BAD), "HOTT-038 +2", 4, 6, None),
        Side(on(Wbd, Footing::BAD), "HOTT-030 +3, HOTT-256 -2", 4, 5, Recoil),
    );
}

#[test]
fn strongholds_and_sneakers() {
    let t = &*BASE;
    let strong = of(Str);
    play(
        t,
        "EX-25",
        Contact,
        Side(of(Snk), "HOTT-036 +5", 6, 11, None),
        Side(strong, "HOTT-039 +6", 4, 10, Captured),
    );
    play(
        t,
        "EX-26",
        Contact,
        Side(of(AHe), "HOTT-021 +5", 6, 11, None),
        Side(strong, "HOTT-039 +6", 2, 8, None),
    );
    play(
        t,
        "EX-27",
        Contact,
        Side(Fighter { ground_aid: true, ..of(AHe) }, "HOTT-021 +5", 6, 11, None),
        Side(Fighter { aids: 1, ..strong }, "HOTT-039 +6, HOTT-253 -1", 2, 7, Captured),
    );
    let snk = || Side(of(Snk), "HOTT-036 +5", 6, 11, None);
    play(t, "EX-28", Contact, snk(), Side(of(Bld), "HOTT-028 +5", 3, 8, None));
    let general = Fighter { general: true, ..of(Bld) };
    play(t, "EX-29", Contact, snk(), Side(general, "HOTT-028 +5, HOTT-248 +1", 3, 9, Recoil));
    play(
        t,
        "EX-43",
        Contact,
        Side(on(Bld, Footing::WOOD), "HOTT-028 +5, HOTT-256 -2", 5, 8, None),
        Side(on(Str, Footing::WOOD), "HOTT-039 +6", 2, 8, None),
    );
}

#[test]
fn rivers() {
    let knight = |outcome| Side(on(Kni, Footing::WATER), "HOTT-024 +3, HOTT-256 -2", 3, 4, outcome);
    let blade = || Side(Fighter { bank: true, ..of(Bld) }, "HOTT-028 +3, HOTT-250 +1", 2, 6, None);
    play(&BASE, "EX-44", Contact, knight(Destroyed), blade());
    let rules = Tables::layers(Scope::Base).set("hott.river_outcome=neither").effective().unwrap();
    let neither = Tables::load(Scope::Base, &rules).unwrap();
    play(&neither, "EX-44, river_outcome = neither", Contact, knight(Recoil), blade());
}

#[test]
fn big_battles() {
    let t = &*BIG;
    play(
        t,
        "BX-01",
        Contact,
        Side(Fighter { grade: Grade::Elite, ..of(Bld) }, "HOTT-028 +5, BB-007 +1", 3, 9, None),
        Side(Fighter { grade: Grade::Levy, ..of(Spr) }, "HOTT-029 +4, BB-007 -1", 5, 8, Recoil),
    );
    play(
        t,
        "BX-03",
        Contact,
        Side(of(LtH), "BB-010 +2", 4, 6, Flee),
        Side(of(Kni), "HOTT-024 +4", 3, 7, None),
    );
    play(
        t,
        "BX-04",
        Contact,
        Side(of(Sct), "BB-013 +2", 3, 5, Destroyed),
        Side(of(Rid), "HOTT-025 +3", 4, 7, None),
    );
    play(
        t,
        "BX-04",
        Contact,
        Side(of(Sct), "BB-013 +2", 3, 5, Recoil),
        Side(of(LtH), "BB-010 +2", 5, 7, None),
    );
    let scouts = Support::Scouts { footing: Footing::GOOD };
    play(
        t,
        "BX-05",
        Contact,
        Side(Fighter { support: scouts, ..of(Wbd) }, "HOTT-030 +3, BB-076 +1", 2, 6, Destroyed),
        Side(of(Kni), "HOTT-024 +3", 4, 7, None),
    );
    play(
        t,
        "BX-10",
        Contact,
        Side(of(Kni), "HOTT-024 +3", 6, 9, None),
        Side(of(Str), "HOTT-039 +6", 2, 8, Captured),
    );
    let flyer = |outcome| Side(on(Fly, Footing::WOOD), "HOTT-020 +2, HOTT-254 +2", 2, 6, outcome);
    let shooter = || Side(of(Sht), "HOTT-031 +4", 4, 8, None);
    play(t, "BX-13", Shot, shooter(), flyer(Destroyed));
    play(&BASE, "BX-13 in the base game", Shot, shooter(), flyer(Recoil));
}
