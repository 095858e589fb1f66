//! Section 14: every factor with what gives it and what excludes it, and the procedure of section 15.1.

use std::sync::LazyLock;

use TroopType::*;
use hott::table::{
    Class, Degree, Exposure, Fighter, Footing, Grade, Mode, Outcome, Part, Scope, Support, Tables, TroopType,
    Win, cf, factors, odds, result,
};
use proptest::prelude::*;

static BASE: LazyLock<Tables> = LazyLock::new(|| Tables::standard(Scope::Base));
static BIG: LazyLock<Tables> = LazyLock::new(|| Tables::standard(Scope::Big));
const PARTS: [Part; 5] = [Part::Close, Part::Shooting, Part::ShotAt, Part::Bespelling, Part::BespelledAt];

fn of(ty: TroopType) -> Fighter {
    Fighter::new(ty)
}

fn on(ty: TroopType, footing: Footing) -> Fighter {
    Fighter { footing, ..of(ty) }
}

/// The value that one rule gives; 0 if it gives none.
fn value(t: &Tables, rule: &str, part: Part, me: &Fighter, foe: &Fighter) -> i32 {
    let list = factors(t, part, me, foe);
    let lines: Vec<_> = list.as_slice().iter().filter(|f| f.rule.to_string() == rule).collect();
    assert!(lines.len() <= 1, "{rule} stands twice");
    lines.first().map_or(0, |f| f.value)
}

/// In which parts a rule gives something.
fn parts_of(rule: &str, me: &Fighter, foe: &Fighter) -> Vec<Part> {
    PARTS.into_iter().filter(|p| value(&BASE, rule, *p, me, foe) != 0).collect()
}

#[test]
fn hott_047_basic_factor_by_class_of_the_opponent() {
    for (me, against_foot, against_mounted) in
        [(Abt, 5, 3), (Kni, 3, 4), (Beh, 4, 5), (Bld, 5, 3), (Sht, 3, 4), (Snk, 5, 3), (Rgr, 3, 2)]
    {
        for foe in TroopType::ALL {
            let expected = match BASE.class(foe) {
                Class::Foot | Class::Stronghold => against_foot,
                Class::Mounted | Class::Aerial => against_mounted,
            };
            assert_eq!(cf(&BASE, me, foe), expected, "{me} against {foe}");
            for part in PARTS {
                let list = factors(&BASE, part, &of(me), &of(foe));
                assert_eq!(list.as_slice()[0].value, expected);
                assert_eq!(list.as_slice()[0].rule, BASE.troop(me).rule);
            }
        }
    }
}

#[test]
fn hott_248_general() {
    let general = Fighter { general: true, ..of(Sht) };
    assert_eq!(parts_of("HOTT-248", &general, &of(Bld)), [Part::Close, Part::ShotAt, Part::BespelledAt]);
    assert_eq!(value(&BASE, "HOTT-248", Part::Close, &general, &of(Bld)), 1);
    assert!(parts_of("HOTT-248", &of(Sht), &general).is_empty());
    // HOTT-357
    assert!(parts_of("HOTT-248", &Fighter { general: true, ..of(Str) }, &of(Bld)).is_empty());
}

#[test]
fn hott_249_uphill_and_hott_250_bank() {
    let up = |ty| Fighter { uphill: true, ..of(ty) };
    let bank = |ty| Fighter { bank: true, ..of(ty) };
    assert_eq!(parts_of("HOTT-249", &up(Bld), &of(Kni)), [Part::Close]);
    assert_eq!(parts_of("HOTT-250", &bank(Bld), &of(Kni)), [Part::Close]);
    for foe in TroopType::ALL {
        let ground = i32::from(BASE.class(foe).is_ground());
        assert_eq!(value(&BASE, "HOTT-249", Part::Close, &up(Bld), &of(foe)), ground, "uphill of {foe}");
        assert_eq!(value(&BASE, "HOTT-250", Part::Close, &bank(Bld), &of(foe)), ground, "bank, {foe}");
    }
    assert_eq!(value(&BASE, "HOTT-249", Part::Close, &up(Fly), &of(Bld)), 0);
    assert_eq!(value(&BASE, "HOTT-249", Part::Close, &up(Str), &of(Bld)), 0);
    assert_eq!(value(&BASE, "HOTT-250", Part::Close, &bank(Str), &of(Bld)), 0);
    let both = Fighter { uphill: true, bank: true, ..of(Bld) };
    assert_eq!(factors(&BASE, Part::Close, &both, &of(Bld)).sum(), 6, "not added to one another");
    assert_eq!(value(&BASE, "HOTT-250", Part::Close, &both, &of(Bld)), 0);
}

#[test]
fn hott_251_rear_support() {
    let rank = |ty, mine, behind| Fighter { support: Support::Rank { footing: behind }, ..on(ty, mine) };
    let good = Footing::GOOD;
    assert_eq!(parts_of("HOTT-251", &rank(Spr, good, good), &of(Bld)), [Part::Close]);
    for ty in TroopType::ALL {
        let expected = i32::from(matches!(ty, Spr | Wbd));
        assert_eq!(value(&BASE, "HOTT-251", Part::Close, &rank(ty, good, good), &of(Bld)), expected, "{ty}");
    }
    for bad in [Footing::BAD, Footing::WOOD, Footing::WATER] {
        assert_eq!(value(&BASE, "HOTT-251", Part::Close, &rank(Wbd, bad, good), &of(Bld)), 0);
        assert_eq!(value(&BASE, "HOTT-251", Part::Close, &rank(Wbd, good, bad), &of(Bld)), 0);
    }
}

#[test]
fn hott_252_each_side_once() {
    let with = |exposed| Fighter { exposed, ..of(Bld) };
    let (safe, lapped, hit) = (Exposure::Safe, Exposure::Overlapped, Exposure::Contacted(Hrd));
    assert_eq!(parts_of("HOTT-252", &with([lapped, safe, safe]), &of(Bld)), [Part::Close]);
    for (exposed, expected) in [
        ([safe; 3], 0),
        ([lapped, safe, safe], -1),
        ([safe, hit, safe], -1),
        ([safe, safe, hit], -1),
        ([lapped, hit, safe], -2),
        ([hit, lapped, hit], -3),
    ] {
        assert_eq!(value(&BASE, "HOTT-252", Part::Close, &with(exposed), &of(Bld)), expected);
        let strong = Fighter { exposed, ..of(Str) };
        assert_eq!(value(&BASE, "HOTT-252", Part::Close, &strong, &of(Bld)), 0);
    }
}

#[test]
fn hott_253_aids_count_twice_at_most() {
    let aided = |ty, aids| Fighter { aids, ..of(ty) };
    assert_eq!(parts_of("HOTT-253", &aided(Bld, 1), &of(Mag)), [Part::ShotAt, Part::BespelledAt]);
    assert_eq!(
        parts_of("HOTT-253", &aided(Str, 1), &of(Kni)),
        [Part::Close, Part::ShotAt, Part::BespelledAt]
    );
    for (aids, expected) in [(0, 0), (1, -1), (2, -2), (3, -2), (255, -2)] {
        assert_eq!(value(&BASE, "HOTT-253", Part::ShotAt, &aided(Bld, aids), &of(Sht)), expected);
        assert_eq!(value(&BASE, "HOTT-253", Part::BespelledAt, &aided(Bld, aids), &of(Mag)), expected);
        assert_eq!(value(&BASE, "HOTT-253", Part::Close, &aided(Str, aids), &of(Kni)), expected);
    }
}

#[test]
fn hott_254_cover_and_hott_255_ward() {
    let covered = on(Bld, Footing::WOOD);
    assert_eq!(parts_of("HOTT-254", &covered, &of(Mag)), [Part::ShotAt, Part::BespelledAt]);
    assert_eq!(value(&BASE, "HOTT-254", Part::ShotAt, &covered, &of(Sht)), 2);
    assert!(parts_of("HOTT-254", &on(Bld, Footing::BAD), &of(Mag)).is_empty());
    assert!(parts_of("HOTT-254", &of(Bld), &on(Mag, Footing::WOOD)).is_empty());
    let warded = Fighter { warded: true, ..of(Bld) };
    assert_eq!(parts_of("HOTT-255", &warded, &of(Mag)), [Part::BespelledAt]);
    assert_eq!(value(&BASE, "HOTT-255", Part::BespelledAt, &warded, &of(Mag)), 2);
    let both = Fighter { warded: true, ..covered };
    assert_eq!(value(&BASE, "HOTT-254", Part::BespelledAt, &both, &of(Mag)), 2);
    assert_eq!(value(&BASE, "HOTT-255", Part::BespelledAt, &both, &of(Mag)), 0);
    // HOTT-357
    let strong = Fighter { warded: true, ..on(Str, Footing::WOOD) };
    assert_eq!(factors(&BASE, Part::BespelledAt, &strong, &of(Mag)).as_slice().len(), 1);
}

#[test]
fn hott_256_a_out_of_its_element() {
    for ty in TroopType::ALL {
        for footing in [Footing::GOOD, Footing::BAD, Footing::WOOD, Footing::WATER] {
            let aerial = BASE.class(ty) == Class::Aerial;
            let at_home = matches!(ty, Sht | Wbd | Lrk | WLk | Bst | Str | Sct | Rgr);
            let hampered =
                if aerial { footing == Footing::WOOD } else { footing != Footing::GOOD && !at_home };
            let expected = if hampered { -2 } else { 0 };
            let got = value(&BASE, "HOTT-256", Part::Close, &on(ty, footing), &of(Bld));
            assert_eq!(got, expected, "{ty} on {footing:?}");
        }
    }
    // HOTT-258
    assert_eq!(parts_of("HOTT-256", &on(Bld, Footing::BAD), &of(Mag)), [Part::Close]);
}

#[test]
fn hott_256_b_enemy_where_it_cannot_follow() {
    for ty in TroopType::ALL {
        for footing in [Footing::BAD, Footing::WOOD, Footing::WATER] {
            let rides = BASE.class(ty) == Class::Mounted && ty != Bst || BASE.class(ty) == Class::Aerial;
            let expected = if rides { -2 } else { 0 };
            let got = value(&BASE, "HOTT-256", Part::Close, &of(ty), &on(Bld, footing));
            assert_eq!(got, expected, "{ty} against one on {footing:?}");
            // HOTT-357: a Stronghold's ground counts for nobody
            assert_eq!(value(&BASE, "HOTT-256", Part::Close, &of(ty), &on(Str, footing)), 0);
        }
        // HOTT-051, HOTT-259: an Aerial over a marsh or a river is not in bad going
        assert_eq!(value(&BASE, "HOTT-256", Part::Close, &of(ty), &on(Fly, Footing::BAD)), 0, "{ty}");
        assert_eq!(value(&BASE, "HOTT-256", Part::Close, &of(ty), &on(Fly, Footing::WATER)), 0, "{ty}");
    }
    assert_eq!(value(&BASE, "HOTT-256", Part::Close, &of(Kni), &on(Fly, Footing::WOOD)), -2);
}

#[test]
fn hott_256_c_water_lurkers_and_only_once() {
    for ty in TroopType::ALL {
        let expected = if ty == Str { 0 } else { -2 };
        assert_eq!(value(&BASE, "HOTT-256", Part::Close, &of(ty), &of(WLk)), expected, "{ty}");
    }
    let all = value(&BASE, "HOTT-256", Part::Close, &on(Kni, Footing::BAD), &on(WLk, Footing::WATER));
    assert_eq!(all, -2);
}

#[test]
fn hott_257_magic_near_a_stronghold() {
    let safe = |ty| Fighter { near_stronghold: true, ..of(ty) };
    assert_eq!(parts_of("HOTT-257", &of(Mag), &safe(Mag)), [Part::Bespelling]);
    assert_eq!(value(&BASE, "HOTT-257", Part::Bespelling, &of(Mag), &safe(Mag)), -2);
    assert!(parts_of("HOTT-257", &of(Mag), &safe(Her)).is_empty());
    assert!(parts_of("HOTT-257", &safe(Mag), &of(Mag)).is_empty());
}

#[test]
fn bb_007_grades_and_bb_044_demoralized() {
    for part in PARTS {
        for (grade, expected) in [(Grade::Elite, 1), (Grade::Plain, 0), (Grade::Levy, -1)] {
            let me = Fighter { grade, ..of(Mag) };
            assert_eq!(value(&BIG, "BB-007", part, &me, &of(Sht)), expected, "{part:?}");
            assert_eq!(value(&BIG, "BB-007", part, &of(Mag), &me), 0);
        }
    }
    let sad = Fighter { demoralised: true, ..of(Bld) };
    assert_eq!(parts_of("BB-044", &sad, &of(Mag)), [Part::Close]);
    assert_eq!(value(&BIG, "BB-044", Part::Close, &sad, &of(Str)), -1);
}

#[test]
fn cam_078_routed_contingents() {
    let routed = Fighter { routed: true, ..of(Bld) };
    assert_eq!(parts_of("CAM-078", &routed, &of(Mag)), [Part::Close, Part::ShotAt, Part::BespelledAt]);
    assert_eq!(value(&BIG, "CAM-078", Part::ShotAt, &routed, &of(Sht)), -2);
}

#[test]
fn bb_076_scouts() {
    let behind = |ty, mine, footing| Fighter { support: Support::Scouts { footing }, ..on(ty, mine) };
    let good = Footing::GOOD;
    for foe in TroopType::ALL {
        let expected = i32::from(matches!(BIG.class(foe), Class::Mounted | Class::Aerial));
        for ty in TroopType::ALL {
            let expected = if matches!(ty, Wbd | Spr | Bld) { expected } else { 0 };
            let got = value(&BIG, "BB-076", Part::Close, &behind(ty, good, good), &of(foe));
            assert_eq!(got, expected, "{ty} with Scouts against {foe}");
        }
    }
    assert_eq!(parts_of("BB-076", &behind(Bld, good, good), &of(Kni)), [Part::Close]);
    assert_eq!(value(&BIG, "BB-076", Part::Close, &behind(Bld, Footing::BAD, good), &of(Kni)), 0);
    assert_eq!(value(&BIG, "BB-076", Part::Close, &behind(Bld, good, Footing::WATER), &of(Kni)), 0);
    let rules = Tables::layers(Scope::Big).set("big.scout_support_going=any").effective().unwrap();
    let anywhere = Tables::load(Scope::Big, &rules).unwrap();
    assert_eq!(
        value(&anywhere, "BB-076", Part::Close, &behind(Bld, Footing::BAD, Footing::WOOD), &of(Kni)),
        1
    );
}

#[test]
fn hott_263_to_266_who_wins_and_how_badly() {
    use Degree::*;
    for (totals, expected) in [
        ([5, 5], Win::Draw),
        ([0, 0], Win::Draw),
        ([8, 4], Win::By(0, Doubled)),
        ([4, 8], Win::By(1, Doubled)),
        ([9, 5], Win::By(0, Beaten)),
        ([5, 9], Win::By(1, Beaten)),
        ([1, 0], Win::By(0, Doubled)),
        ([1, -3], Win::By(0, Doubled)),
        ([0, -1], Win::By(0, Beaten)),
        ([-4, -1], Win::By(1, Beaten)),
        ([2, 1], Win::By(0, Doubled)),
    ] {
        assert_eq!(Win::of(&BASE, totals), expected, "{totals:?}");
    }
}

#[test]
fn hott_267_equal_totals() {
    let fell = |mode, a, b, total| {
        let judged = result(&BASE, mode, [&of(a), &of(b)], [total, total], true);
        assert_eq!(judged[0], judged[1]);
        let rule = judged[0].rule.to_string();
        match judged[0].outcome {
            Outcome::Destroyed => assert_eq!(rule, "HOTT-267"),
            Outcome::None => assert_eq!(rule, "HOTT-263"),
            other => panic!("{other:?}"),
        }
        judged[0].outcome == Outcome::Destroyed
    };
    let heroes = |t| matches!(t, Her | AHe);
    for a in TroopType::ALL {
        for b in TroopType::ALL {
            let paired = heroes(a) && heroes(b) || a == Pal && b == Mag || a == Mag && b == Pal;
            assert_eq!(fell(Mode::Contact, a, b, 7), paired, "{a} and {b}");
            assert!(!fell(Mode::Contact, a, b, 8), "{a} and {b}");
            assert!(!fell(Mode::Shot, a, b, 7) && !fell(Mode::Bespelled, a, b, 7), "{a} and {b}");
        }
    }
}

#[test]
fn hott_217_218_what_a_bespeller_suffers() {
    for target in TroopType::ALL {
        for (low, doubled) in [(5, false), (3, true)] {
            let [me, foe] = result(&BASE, Mode::Bespelled, [&of(Mag), &of(target)], [low, 6], false);
            assert_eq!(foe.outcome, Outcome::None);
            let expected = match target {
                Mag => Outcome::Ensorcelled,
                God => Outcome::Destroyed,
                _ => Outcome::None,
            };
            assert_eq!(me.outcome, expected, "{target}, doubled: {doubled}");
            let rule = if matches!(target, Mag | God) { "HOTT-293" } else { "HOTT-217" };
            assert_eq!(me.rule.to_string(), rule);
        }
    }
}

#[test]
fn hott_235_shooting_back() {
    let shooters = [&of(Sht), &of(Sht)];
    let [alone, target] = result(&BASE, Mode::Shot, shooters, [4, 6], false);
    assert_eq!((alone.outcome, target.outcome), (Outcome::None, Outcome::None));
    assert_eq!(alone.rule.to_string(), "HOTT-235");
    let [answered, target] = result(&BASE, Mode::Shot, shooters, [4, 6], true);
    assert_eq!((answered.outcome, target.outcome), (Outcome::Recoil, Outcome::None));
    assert_eq!(answered.rule.to_string(), "HOTT-289");
    // the target suffers either way
    for answered in [false, true] {
        let [shooter, target] = result(&BASE, Mode::Shot, shooters, [6, 4], answered);
        assert_eq!((shooter.outcome, target.outcome), (Outcome::None, Outcome::Recoil));
        assert_eq!(shooter.rule.to_string(), "HOTT-268");
    }
}

#[test]
fn hott_270_sneakers() {
    for ty in TroopType::ALL {
        let lost = |general| {
            let me = Fighter { general, ..of(ty) };
            result(&BASE, Mode::Contact, [&of(Snk), &me], [6, 3], false)[1]
        };
        let fears = matches!(ty, Snk | Str);
        assert_eq!(lost(false).outcome != Outcome::None, fears, "{ty}");
        assert_eq!(lost(false).rule.to_string() == "HOTT-270", !fears, "{ty}");
        assert_ne!(lost(true).outcome, Outcome::None, "{ty} general");
    }
}

#[test]
fn bb_088_aerials_in_woods() {
    for (ty, foe, mode, expected) in [
        (Fly, Bld, Mode::Contact, Outcome::Destroyed),
        (Fly, Fly, Mode::Contact, Outcome::Recoil),
        (Drg, Bld, Mode::Contact, Outcome::Destroyed),
        (God, Bld, Mode::Contact, Outcome::None),
        (AHe, Mag, Mode::Bespelled, Outcome::Ensorcelled),
        (AHe, Sht, Mode::Shot, Outcome::Destroyed),
        (Kni, Sht, Mode::Shot, Outcome::Destroyed),
        (Bst, Sht, Mode::Shot, Outcome::Recoil),
    ] {
        let fight = |t: &Tables, footing| result(t, mode, [&of(foe), &on(ty, footing)], [6, 5], false)[1];
        assert_eq!(fight(&BIG, Footing::WOOD).outcome, expected, "{ty} by {foe}");
        assert_ne!(fight(&BASE, Footing::WOOD).rule.to_string(), "BB-031");
        assert_ne!(fight(&BIG, Footing::BAD).rule.to_string(), "BB-031");
    }
}

/// Any fighter at all.
fn any_fighter() -> impl Strategy<Value = Fighter> {
    let footing = || prop::sample::select(vec![Footing::GOOD, Footing::BAD, Footing::WOOD, Footing::WATER]);
    let exposure = || {
        prop_oneof![
            Just(Exposure::Safe),
            Just(Exposure::Overlapped),
            prop::sample::select(TroopType::ALL.to_vec()).prop_map(Exposure::Contacted),
        ]
    };
    let support = prop_oneof![
        Just(Support::None),
        footing().prop_map(|footing| Support::Rank { footing }),
        footing().prop_map(|footing| Support::Scouts { footing }),
    ];
    (
        prop::sample::select(TroopType::ALL.to_vec()),
        prop::sample::select(vec![Grade::Levy, Grade::Plain, Grade::Elite]),
        footing(),
        support,
        [exposure(), exposure(), exposure()],
        any::<[bool; 9]>(),
        any::<u8>(),
    )
        .prop_map(|(ty, grade, footing, support, exposed, b, aids)| Fighter {
            ty,
            general: b[0],
            grade,
            footing,
            uphill: b[1],
            bank: b[2],
            support,
            exposed,
            aids,
            warded: b[3],
            near_stronghold: b[4],
            just_contacted: b[5],
            ground_aid: b[6],
            demoralised: b[7],
            routed: b[8],
        })
}

proptest! {
    #[test]
    fn odds_are_whole_and_turn_with_the_fighters(
        a in any_fighter(),
        b in any_fighter(),
        mode in prop::sample::select(Mode::ALL.to_vec()),
        answered in any::<bool>(),
    ) {
        let o = odds(&BIG, mode, [&a, &b], answered);
        prop_assert_eq!(o.pairs, 36);
        prop_assert_eq!(o.wins[0] + o.wins[1] + o.draws, 36);
        for side in o.outcomes {
            prop_assert_eq!(side.iter().sum::<u32>(), 36);
        }
        if mode == Mode::Contact {
            let turned = odds(&BIG, mode, [&b, &a], answered);
            prop_assert_eq!([turned.wins[1], turned.wins[0]], o.wins);
            prop_assert_eq!([turned.outcomes[1], turned.outcomes[0]], o.outcomes);
        }
        // no line of a total is empty, and the sum is that of the lines
        for list in o.factors {
            prop_assert!(list.as_slice().iter().skip(1).all(|f| f.value != 0));
            prop_assert_eq!(list.as_slice().iter().map(|f| f.value).sum::<i32>(), list.sum());
        }
    }
}

#[test]
fn odds_of_equals() {
    let o = odds(&BASE, Mode::Contact, [&of(Bld), &of(Bld)], false);
    assert_eq!((o.wins, o.draws), ([15, 15], 6));
    // 6 to 11 is the widest, and no doubling
    assert_eq!(o.outcomes, [[21, 15, 0, 0, 0, 0, 0]; 2]);
    let o = odds(&BASE, Mode::Contact, [&of(Hrd), &of(Hrd)], false);
    // 3 against 6, 7 and 8 and 4 against 8 double
    assert_eq!(o.outcomes, [[21, 11, 0, 0, 0, 4, 0]; 2]);
    assert_eq!((o.removed(0), o.count(1, Outcome::Recoil)), (4, 11));
    assert_eq!(o.count(7, Outcome::Recoil), 0);
    // both Heroes fall on 7, 9 and 11
    let o = odds(&BASE, Mode::Contact, [&of(Her), &of(Her)], false);
    assert_eq!((o.draws, o.removed(0)), (6, 15 + 3));
}
