//! Every option that touches the tables under every value, and what a house-rules file may change.

use TroopType::*;
use hott::table::{
    Column, Exposure, Fighter, Footing, Grade, Mode, Outcome, Scale, Scope, ShootBounds, Tables, TroopType,
    cf, factors, result,
};

fn with(scope: Scope, set: &[&str]) -> Tables {
    let layers = set.iter().fold(Tables::layers(scope), |l, s| l.set(s));
    let rules = layers.effective().unwrap_or_else(|e| panic!("{e}"));
    Tables::load(scope, &rules).unwrap_or_else(|e| panic!("{e}"))
}

fn base(set: &str) -> Tables {
    with(Scope::Base, &[set])
}

fn big(set: &str) -> Tables {
    with(Scope::Big, &[set])
}

fn preset(name: &str) -> Tables {
    let rules = Tables::layers(Scope::Base).preset(name).effective().unwrap();
    Tables::load(Scope::Base, &rules).unwrap()
}

fn of(ty: TroopType) -> Fighter {
    Fighter::new(ty)
}

/// What befalls `loser` beaten (5 to 6) and doubled (3 to 6), as letters: `R/X`.
fn lost(t: &Tables, mode: Mode, loser: &Fighter, winner: &Fighter) -> String {
    let one = |low| result(t, mode, [winner, loser], [6, low], false)[1].outcome.letter();
    format!("{}/{}", one(5), one(3))
}

fn contact(t: &Tables, loser: TroopType, winner: TroopType) -> String {
    lost(t, Mode::Contact, &of(loser), &of(winner))
}

fn rates(t: &Tables, ty: TroopType) -> [i32; 5] {
    [Column::Road, Column::RoadInBad, Column::Good, Column::Bad, Column::Water].map(|c| t.troop(ty).rate(c))
}

#[test]
fn hott_041_move_table() {
    let (new, old) = (base("hott.move_table=v2_1"), base("hott.move_table=v2_0"));
    assert_eq!(rates(&new, Sht), [400, 400, 200, 200, 100]);
    assert_eq!(rates(&new, Wbd), [400, 400, 300, 300, 100]);
    assert_eq!(rates(&old, Sht), [400, 400, 300, 300, 100]);
    assert_eq!(rates(&old, Wbd), [400, 400, 200, 200, 100]);
}

#[test]
fn hott_042_road_fast() {
    for ty in [Her, Pal, Mag, Rid] {
        for (value, road, in_bad) in
            [("always", 500, 500), ("not_in_bad_going", 500, 400), ("never", 400, 400)]
        {
            let t = base(&format!("hott.road_fast={value}"));
            assert_eq!(rates(&t, ty)[..2], [road, in_bad], "{ty}, {value}");
            assert_eq!(rates(&t, AHe)[..2], [1200, 1200]);
            assert_eq!(rates(&t, Art)[..2], [300, 300]);
        }
    }
}

#[test]
fn hott_043_wading() {
    for (set, art, bst) in [
        ("hott.artillery_water=100", 100, 100),
        ("hott.artillery_water=none", 0, 100),
        ("hott.beasts_water=400", 100, 400),
        ("hott.beasts_water=100", 100, 100),
    ] {
        let t = base(set);
        assert_eq!((rates(&t, Art)[4], rates(&t, Bst)[4]), (art, bst), "{set}");
    }
}

#[test]
fn hott_153_zoc_depth() {
    for (value, mm15, mm25) in [("bw", 160, 150), ("100", 100, 100), ("200", 200, 200)] {
        // the catalogue may write the figures with or without `p`
        let key = rulebook::OptionTable::of(rulebook::Family::Hott).get("hott.zoc_depth").unwrap();
        let names = key.allowed.names();
        let name = names.iter().find(|n| n.trim_end_matches('p') == value).unwrap();
        let t = base(&format!("hott.zoc_depth={name}"));
        assert_eq!((t.zone_depth(Scale::Mm15), t.zone_depth(Scale::Mm25)), (mm15, mm25), "{value}");
    }
}

#[test]
fn hott_219_magician_self_frog() {
    assert_eq!(base("hott.magician_self_frog=second").numbers.bespell_misfires_allowed, 1);
    assert_eq!(base("hott.magician_self_frog=first").numbers.bespell_misfires_allowed, 0);
}

#[test]
fn hott_057_river_outcome() {
    let crossing = |ty| Fighter { footing: Footing::WATER, ..of(ty) };
    let marsh = |ty| Fighter { footing: Footing { bad: true, water: true, wood: false }, ..of(ty) };
    for (value, knight, spear) in [("bad", "X/X", "R/X"), ("neither", "R/X", "R/X")] {
        let t = base(&format!("hott.river_outcome={value}"));
        assert_eq!(lost(&t, Mode::Contact, &crossing(Kni), &of(Bld)), knight);
        assert_eq!(lost(&t, Mode::Contact, &crossing(Spr), &of(Kni)), spear, "neither good nor bad");
        assert_eq!(lost(&t, Mode::Contact, &marsh(Kni), &of(Bld)), "X/X", "other bad going still counts");
        let wooded = Fighter { footing: Footing { bad: false, water: true, wood: true }, ..of(Kni) };
        assert_eq!(lost(&t, Mode::Contact, &wooded, &of(Bld)), "X/X");
        assert_eq!(factors(&t, hott::table::Part::Close, &crossing(Bld), &of(Bld)).sum(), 3);
    }
    let t = base("hott.river_outcome=neither");
    assert_eq!(lost(&t, Mode::Contact, &of(Spr), &of(Kni)), "X/X");
}

#[test]
fn hott_267_hero_equal() {
    for (value, odd, even) in [("odd", 'X', '.'), ("any", 'X', 'X')] {
        let t = base(&format!("hott.hero_equal={value}"));
        let fell = |a, b, total| {
            result(&t, Mode::Contact, [&of(a), &of(b)], [total, total], false)[0].outcome.letter()
        };
        for (a, b) in [(Her, Her), (AHe, Her), (Her, AHe), (AHe, AHe), (Pal, Mag), (Mag, Pal)] {
            assert_eq!((fell(a, b, 9), fell(a, b, 8)), (odd, even), "{a} {b} {value}");
        }
        assert_eq!((fell(Her, Pal, 9), fell(Mag, Mag, 9)), ('.', '.'));
    }
}

#[test]
fn rows_that_options_change() {
    for (set, cells) in [
        ("hott.god_doubled=destroyed", &[(God, Bld, "./X"), (God, Clr, "B/X")][..]),
        ("hott.god_doubled=flees", &[(God, Bld, "./B"), (God, Clr, "B/B")]),
        ("hott.dragon_beaten=table", &[(Drg, Her, "X/X"), (Drg, Bld, "B/X"), (Drg, God, "B/X")]),
        (
            "hott.dragon_beaten=v1",
            &[(Drg, Her, "./X"), (Drg, Bld, "./X"), (Drg, God, "B/X"), (Drg, Drg, "B/X"), (Drg, Beh, "B/X")],
        ),
        ("hott.flyer_doubled=as_airboat", &[(Fly, Bld, "R/F"), (Fly, Sht, "R/X"), (Abt, Bld, "R/F")]),
        ("hott.flyer_doubled=destroyed", &[(Fly, Bld, "R/X"), (Fly, Sht, "R/X"), (Abt, Bld, "R/F")]),
        ("hott.riders_doubled=destroyed", &[(Rid, Spr, "R/X"), (Rid, Hrd, "R/X"), (Rid, Bld, "R/X")]),
        ("hott.riders_doubled=flee", &[(Rid, Spr, "R/F"), (Rid, Hrd, "R/F"), (Rid, Bld, "R/X")]),
        ("hott.behemoth_beaten=table", &[(Beh, Art, "R/X"), (Beh, Bld, "R/X"), (Beh, God, "R/X")]),
        (
            "hott.behemoth_beaten=v1",
            &[
                (Beh, Art, "F/X"),
                (Beh, Drg, "F/X"),
                (Beh, Mag, "F/X"),
                (Beh, Beh, "R/X"),
                (Beh, God, "R/X"),
                (Beh, Bld, "./X"),
            ],
        ),
        ("hott.lurker_doubled=destroyed", &[(Lrk, Bld, "B/X"), (WLk, Bld, "B/X")]),
        ("hott.lurker_doubled=flees", &[(Lrk, Bld, "B/B"), (WLk, Bld, "B/B")]),
    ] {
        let t = base(set);
        for (loser, winner, expected) in cells {
            assert_eq!(contact(&t, *loser, *winner), *expected, "{set}: {loser} loses to {winner}");
        }
    }
    // HOTT-283: only in good going
    let t = base("hott.riders_doubled=flee");
    let bad = Fighter { footing: Footing::BAD, ..of(Rid) };
    assert_eq!(lost(&t, Mode::Contact, &bad, &of(Spr)), "X/X");
    // HOTT-284: the first edition asks nothing of the going
    let bad = Fighter { footing: Footing::BAD, ..of(Beh) };
    assert_eq!(lost(&base("hott.behemoth_beaten=v1"), Mode::Contact, &bad, &of(Bld)), "./X");
    assert_eq!(lost(&base("hott.behemoth_beaten=table"), Mode::Contact, &bad, &of(Bld)), "X/X");
}

#[test]
fn hott_296_stronghold_vs_artillery() {
    for (value, shot) in [("lost", "C/C"), ("none", "./.")] {
        let t = base(&format!("hott.stronghold_vs_artillery={value}"));
        assert_eq!(lost(&t, Mode::Shot, &of(Str), &of(Art)), shot);
        assert_eq!(lost(&t, Mode::Shot, &of(Str), &of(Sht)), "./.");
        assert_eq!(contact(&t, Str, Art), "C/C", "{value} is about shooting");
    }
}

#[test]
fn hott_240_flank_outcome() {
    let (main, worst) = (base("hott.flank_outcome=main_opponent"), base("hott.flank_outcome=worst"));
    let beset = |ty, by| Fighter { exposed: [Exposure::Safe, by, Exposure::Safe], ..of(ty) };
    let cell = |t: &Tables, loser, by| lost(t, Mode::Contact, &beset(loser, by), &of(Bld));
    let wbd = Exposure::Contacted(Wbd);
    assert_eq!(cell(&main, Bld, wbd), "R/X");
    assert_eq!(cell(&worst, Bld, wbd), "X/X");
    let judged = result(&worst, Mode::Contact, [&of(Bld), &beset(Bld, wbd)], [6, 5], false)[1];
    assert_eq!(judged.rule.to_string(), "HOTT-240");
    // where the main opponent does as much harm, its row is the reason
    let horde = beset(Bld, Exposure::Contacted(Hrd));
    let judged = result(&worst, Mode::Contact, [&of(Bld), &horde], [6, 5], false)[1];
    assert_eq!(judged.rule.to_string(), "HOTT-286");
    // an overlap never counts, a milder type changes nothing, a Sneaker frightens generals only
    assert_eq!(cell(&worst, Bld, Exposure::Overlapped), "R/X");
    assert_eq!(cell(&worst, Bld, Exposure::Contacted(Hrd)), "R/X");
    assert_eq!(cell(&worst, Her, Exposure::Contacted(Mag)), "E/X");
    // every side is looked at
    for i in 0..3 {
        let mut me = of(Spr);
        me.exposed[i] = Exposure::Contacted(Kni);
        assert_eq!(lost(&worst, Mode::Contact, &me, &of(Bld)), "X/X", "side {i}");
        // close combat only
        assert_eq!(lost(&worst, Mode::Shot, &me, &of(Sht)), "R/X");
    }
    // HOTT-298 is about the main opponent
    let charging = Fighter { just_contacted: true, ..beset(Kni, Exposure::Contacted(Beh)) };
    assert_eq!(lost(&worst, Mode::Contact, &charging, &of(Bld)), "X/X");
    let sneaked = beset(Rid, Exposure::Contacted(Snk));
    assert_eq!(lost(&worst, Mode::Contact, &sneaked, &of(Snk)), "./.");
}

#[test]
fn bb_019_light_horse_as_riders() {
    for (value, cell) in [("false", "R/F"), ("true", "X/X")] {
        let t = big(&format!("big.light_horse_as_riders={value}"));
        assert_eq!(contact(&t, Sct, LtH), cell);
        let bad = Fighter { footing: Footing::BAD, ..of(Sct) };
        assert_eq!(lost(&t, Mode::Contact, &bad, &of(LtH)), "R/F");
        assert_eq!(contact(&t, Fly, LtH), "R/F");
    }
}

#[test]
fn bb_078_light_horse_shot() {
    for (value, airboat, rider) in [("own", "R/F", "R/X"), ("shooters", "R/X", "R/X")] {
        let t = big(&format!("big.light_horse_shot={value}"));
        assert_eq!(lost(&t, Mode::Shot, &of(Abt), &of(LtH)), airboat);
        assert_eq!(lost(&t, Mode::Shot, &of(Rid), &of(LtH)), rider);
        assert_eq!(contact(&t, Abt, LtH), "R/F", "about shooting only");
        assert_eq!(lost(&t, Mode::Shot, &of(LtH), &of(LtH)), if value == "own" { "F/X" } else { "F/F" });
    }
}

#[test]
fn bb_031_aerial_woods_loss() {
    for (value, shot) in [("any", "X/X"), ("contact", "R/X")] {
        let t = big(&format!("big.aerial_woods_loss={value}"));
        let fly = Fighter { footing: Footing::WOOD, ..of(Fly) };
        assert_eq!(lost(&t, Mode::Shot, &fly, &of(Sht)), shot);
        assert_eq!(lost(&t, Mode::Contact, &fly, &of(Bld)), "X/X");
        assert_eq!(lost(&t, Mode::Contact, &fly, &of(AHe)), "R/X");
        assert_eq!(lost(&t, Mode::Contact, &Fighter { grade: Grade::Elite, ..of(Fly) }, &of(Bld)), "R/F");
    }
}

#[test]
fn bb_008_riders_in_big_battles() {
    assert_eq!(rates(&Tables::standard(Scope::Base), Rid), [500, 500, 500, 200, 100]);
    assert_eq!(rates(&Tables::standard(Scope::Big), Rid), [500, 500, 400, 200, 100]);
}

#[test]
fn presets() {
    assert_eq!(preset("hott-2.1"), Tables::standard(Scope::Base));
    assert_eq!(preset("hott-2.0"), base("hott.move_table=v2_0"));
    let first = preset("hott-1");
    assert_eq!((cf(&first, Art, Bld), cf(&first, Art, Kni)), (4, 3), "HOTT-046");
    assert_eq!(rates(&first, Art)[4], 0);
    assert_eq!(contact(&first, Drg, Bld), "./X");
}

#[test]
fn house_numbers() {
    let t = with(
        Scope::Base,
        &[
            "hott.types.Knight.good=350",
            "hott.types.WaterLurker.cf_foot=3",
            "hott.number.flee_distance=500",
            "hott.number.factor_general=2",
            "hott.outcome.Blade.beaten=[{ result = \"flee\" }]",
        ],
    );
    assert_eq!(rates(&t, Kni)[2], 350);
    assert_eq!(cf(&t, WLk, Bld), 3);
    assert_eq!(t.numbers.flee_distance, 500);
    let general = Fighter { general: true, ..of(Bld) };
    assert_eq!(factors(&t, hott::table::Part::Close, &general, &of(Bld)).sum(), 7);
    assert_eq!(contact(&t, Bld, Wbd), "F/X");
    // a house number wins over what an option changes, wherever it stands
    let t = with(Scope::Base, &["hott.types.Shooter.good=250", "hott.move_table=v2_0"]);
    assert_eq!(rates(&t, Sht)[2..4], [250, 300]);
}

#[test]
fn a_record_keeps_the_tables_as_they_were() {
    let rules = Tables::layers(Scope::Base).preset("hott-2.0").effective().unwrap();
    let kept = toml::to_string(&Tables::resolved(&rules).unwrap()).unwrap();
    let tree = rulebook::Tree::parse("record", &kept).unwrap();
    let restored = rulebook::Effective::restore(&[rulebook::Family::Hott], &rules.values(), tree).unwrap();
    assert_eq!(Tables::load(Scope::Base, &restored).unwrap(), preset("hott-2.0"));
}

#[test]
fn settings_that_exclude_each_other_are_told_both() {
    let load = |scope, layers: rulebook::Layers| {
        Tables::load(scope, &layers.effective().unwrap()).map(|_| ()).map_err(|e| e.to_string())
    };
    let base = || Tables::layers(Scope::Base);
    let house = "[hott.number]\nstronghold_min_bw = 250\n";
    let error = load(Scope::Base, base().file("house.toml", house)).unwrap_err();
    assert!(
        error.starts_with(
            "house.toml:2:1: hott.number.stronghold_min_bw: it contradicts hott.number.stronghold_width_bw"
        ) && error.contains("250 is more than 200"),
        "{error}"
    );
    let reach = load(Scope::Base, base().set("hott.number.command_reach=500")).unwrap_err();
    assert!(reach.starts_with("--set hott.number.command_reach=500: "), "{reach}");
    let both = base().set("hott.number.command_reach=500").set("hott.number.command_reach_unseen=500");
    assert_eq!(load(Scope::Base, both), Ok(()));
    let big = |low: &str, high: &str| {
        let layers = Tables::layers(Scope::Big);
        load(
            Scope::Big,
            layers
                .set(&format!("big.ap_per_command_min={low}"))
                .set(&format!("big.ap_per_command_max={high}")),
        )
    };
    assert!(big("40", "30").unwrap_err().contains("40 is more than 30"));
    assert_eq!((big("30", "40"), big("40", "0")), (Ok(()), Ok(())));
}

#[test]
fn all_wrong_numbers_are_told_at_once_in_their_order() {
    let house =
        "[hott.types.Blade]\ncf_foot = 400\nap = -1\n[hott.number]\npip_move = -1\nfactor_general = 99\n";
    let rules = Tables::layers(Scope::Base).file("h", house).effective().unwrap();
    let errors = Tables::load(Scope::Base, &rules).unwrap_err();
    let told: Vec<(u32, &str)> = errors.list().iter().map(|e| (e.place().unwrap().1, &*e.key)).collect();
    assert_eq!(
        told,
        [
            (2, "hott.types.Blade.cf_foot"),
            (3, "hott.types.Blade.ap"),
            (5, "hott.number.pip_move"),
            (6, "hott.number.factor_general")
        ]
    );
}

#[test]
fn wrong_house_numbers_are_named() {
    for (set, says) in [
        ("hott.types.Blade.cf_foot=400", "a factor of 400: expected -9 to 9"),
        ("hott.types.Blade.ap=-1", "a cost in AP of -1: expected 0 to 24"),
        ("hott.number.flee_distance=-5", "a distance of -5: expected 0 to 10000"),
        ("hott.number.factor_aid=12", "a factor of 12"),
        ("hott.number.dear_share_den=0", "a divisor of 0: expected 1 to 100"),
        ("hott.types.Blade.class=flying", "`flying` is not allowed here"),
        ("hott.types.Blade.shoots_in=never", "`never` is not allowed here"),
        ("hott.outcome.Blade.beaten=[{ result = \"dead\" }]", "`dead` is not allowed here"),
        ("hott.outcome.Blade.beaten=[{ winner = [\"Knihgt\"], result = \"none\" }]", "`Knihgt`"),
        ("hott.outcome.Blade.beaten=[{ by = [\"sword\"], result = \"none\" }]", "`sword`"),
        ("hott.outcome.Blade.beaten=[{ going = \"wet\", result = \"none\" }]", "`wet`"),
        (
            "hott.outcome.Blade.beaten=[{ option = \"hott.fog\", is = \"on\", result = \"none\" }]",
            "`hott.fog`",
        ),
        (
            "hott.outcome.Blade.beaten=[{ option = \"hott.god_doubled\", is = \"sulks\", result = \"none\" }]",
            "`sulks`",
        ),
        ("hott.outcome.Blade.beaten=[{ option = \"hott.god_doubled\", result = \"none\" }]", "missing"),
        ("hott.outcome.Blade.beaten=[{ is = \"destroyed\", result = \"none\" }]", "missing"),
        ("hott.outcome.Blade.beaten=[{ winer = [\"Kni\"], result = \"none\" }]", "winer"),
        ("hott.factor.at_home=[\"Elves\"]", "`Elves`"),
        ("hott.outcome.AerialHero.same_as=Heroine", "missing"),
    ] {
        let error = match Tables::layers(Scope::Base).set(set).effective() {
            Err(e) => e.to_string(),
            Ok(rules) => Tables::load(Scope::Base, &rules).err().map_or(String::new(), |e| e.to_string()),
        };
        assert!(error.contains(says), "{set}: {error}");
    }
}

/// The troop table as section 3 and BB-070 print it: class, AP, general, five rates, CF, pursuit, depths.
const TROOPS: &str = include_str!("tables/troops.txt");

#[test]
fn troop_table() {
    let t = Tables::standard(Scope::Base);
    let mut seen = 0;
    for line in TROOPS.lines().filter(|l| !l.starts_with('#')) {
        let w: Vec<&str> = line.split_whitespace().collect();
        let ty = TroopType::from_code(w[1]).unwrap();
        let d = t.troop(ty);
        let number = |s: &str| if s == "-" { 0 } else { s.trim_start_matches('+').parse().unwrap() };
        assert_eq!(d.rule.to_string(), w[0], "{ty}");
        assert_eq!(d.class.word(), w[2].to_lowercase(), "{ty}");
        assert_eq!(d.ap, number(w[3]), "{ty}");
        assert_eq!(d.general, w[4] == "yes", "{ty}");
        let columns = [Column::Road, Column::Good, Column::Bad, Column::Water];
        assert_eq!(columns.map(|c| d.rate(c)), [5, 6, 7, 8].map(|i| number(w[i])), "{ty}");
        assert_eq!((cf(&t, ty, Bld), cf(&t, ty, Kni)), (number(w[9]), number(w[10])), "{ty}");
        assert_eq!(d.pursues, w[11] == "yes", "{ty}");
        let shoots = d.shoots.map_or("no".to_owned(), |s| {
            let own = if s.bounds == ShootBounds::Own { "own" } else { "both" };
            format!("{}{own}{}", s.range, if s.if_armed { "armed" } else { "" })
        });
        assert_eq!(if d.bespells { "bespells" } else { &shoots }, w[12], "{ty}");
        let depth = format!("{}/{}", d.depth(Scale::Mm15), d.depth(Scale::Mm25));
        assert_eq!(depth, w[13], "{ty}, depth in paces");
        assert_eq!(d.big, matches!(ty, LtH | Sct | Rgr), "{ty}");
        seen += 1;
    }
    assert_eq!(seen, TroopType::COUNT);
}

#[test]
fn outcome_words_are_in_order_of_harm() {
    assert!(Outcome::ALL.is_sorted());
}
