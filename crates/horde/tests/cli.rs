//! The reports of `muster horde …`.

use horde::cli::{Settings, card, check, odds, sim, size};

const BRIDGE: &str = include_str!("../../../data/horde/encounters/bridge.toml");

#[test]
fn the_bridge_in_every_report() {
    let s = Settings::default();
    let c = check("bridge.toml", BRIDGE, s).unwrap();
    assert!(c.text.contains("guard      Makuu Guardsmen: Horde, Magnitude 35 of 35"), "{}", c.text);
    let o = odds("bridge.toml", BRIDGE, s, 3).unwrap();
    assert_eq!(o.json["rounds"].as_array().unwrap().len(), 3);
    assert!(o.text.contains("This Round"), "{}", o.text);
    let r = sim("bridge.toml", BRIDGE, s, 2, 40, 1).unwrap();
    assert_eq!(r, sim("bridge.toml", BRIDGE, s, 2, 40, 1).unwrap(), "the seed decides");
    let k = card("bridge.toml", BRIDGE, s).unwrap();
    assert!(k.text.contains("A Test when 9 or more are lost in a Round that begins at 35"), "{}", k.text);
    assert!(k.text.lines().all(|l| l.chars().count() <= 100), "{}", k.text);
}

#[test]
#[ignore = "slow, run by cargo xtask slow"]
fn how_large() {
    let r = size("bridge.toml", BRIDGE, Settings::default(), 100, 1).unwrap();
    eprintln!("{}", r.text);
    assert_eq!(r.json["hordes"][0]["rows"].as_array().unwrap().len(), 10);
}

#[test]
fn options_come_from_the_command_line_before_the_file() {
    let text = format!("{BRIDGE}\n[options]\n\"evade.horde\" = \"forbidden\"\n\"size.table\" = \"tens\"\n");
    let sets = [("size.table".to_owned(), "floor_30".to_owned())];
    let r = check("b.toml", &text, Settings { sets: &sets, ..Settings::default() }).unwrap();
    assert_eq!(r.json["options"]["evade.horde"], "forbidden");
    assert_eq!(r.json["options"]["size.table"], "floor_30");
}

#[test]
fn a_house_rules_file_changes_a_number() {
    let rules = "[horde.size]\nhuman_melee_cap = 20\n";
    let s = Settings { rules_file: Some(("house.toml", rules)), ..Settings::default() };
    let text = BRIDGE.replace("melee = \"swift chainaxe mob\"", "melee = \"standard chainaxe mob\"");
    let plain = odds("b.toml", &text, Settings::default(), 1).unwrap();
    let house = odds("b.toml", &text, s, 1).unwrap();
    assert!(plain.text.contains("sev at mob, standard with chainaxe: needs 68"), "{}", plain.text);
    assert!(house.text.contains("sev at mob, standard with chainaxe: needs 78"), "{}", house.text);
}

fn problems(text: &str) -> String {
    check("bad.toml", text, Settings::default()).unwrap_err().to_string()
}

#[test]
fn bad_input_is_told_with_line_and_suggestion() {
    let no_t = "[[heretic]]\nlabel = \"jor\"\nws = 30\nbs = 30\ns = 30\nag = 30\nwp = 30\n";
    let p = problems(no_t);
    assert!(
        p.contains("bad.toml:1: error: heretic `jor` has no Toughness (`t`)") && p.contains("t = 35"),
        "{p}"
    );
    let p = problems("[[horde]]\nlabel = \"g\"\nprofile = \"makuu_guardsman\"\n");
    assert!(p.contains("bad.toml:3:") && p.contains("did you mean `makuu_guardsmen`?"), "{p}");
    let p = problems("[[horde]]\nlabel = \"g\"\nprofile = \"makuu_guardsmen\"\nmagnitude = -3\n");
    assert!(p.contains("bad.toml:4:") && p.contains("0 to 999 would be right"), "{p}");
    let p = problems("[[horde]]\nlabel = \"g\"\nprofile = \"makuu_guardsmen\"\nmagnitud = 3\n");
    assert!(p.contains("there is no `magnitud` here") && p.contains("did you mean `magnitude`?"), "{p}");
    let p = problems("[options]\n\"flame.rund\" = \"up\"\n");
    assert!(p.contains("bad.toml:2:") && p.contains("flame.round"), "{p}");
    let p = problems("[[horde]\nlabel");
    assert!(p.contains("bad.toml:1:"), "{p}");
    let p = problems("");
    assert!(p.contains("nobody is in the encounter"), "{p}");
    // What is wrong with one is told, not what follows from it.
    let p = problems("[[horde]]\nlabel = \"g\"\nprofile = \"hive_riots\"\nmagnitude = 30\n");
    assert!(p.contains("there is no profile") && !p.contains("magnitude"), "{p}");
}

#[test]
fn a_side_without_anybody_is_told() {
    let text = "[[horde]]\nprofile = \"makuu_guardsmen\"\nlabel = \"g\"\n";
    let r = check("w.toml", text, Settings::default()).unwrap();
    assert!(r.warnings[0].to_string().contains("nobody is on the players' side"), "{:?}", r.warnings);
    let r = size("w.toml", text, Settings::default(), 20, 1).unwrap();
    assert!(!r.text.contains("-0.0"), "{}", r.text);
}

/// HC-213: the mean of the best of one, two and three ten-sided dice, with what the weapon adds.
#[test]
fn a_card_tells_damage_by_magnitude() {
    let r = card("bridge.toml", BRIDGE, Settings::default()).unwrap();
    let guard = &r.json["cards"][0];
    assert_eq!(guard["damage"][0]["magnitude"], 35);
    let mean = |row: usize| guard["damage"][row]["mean"][0].as_f64().unwrap();
    assert!((mean(0) - 10.975).abs() < 1e-9 && (mean(3) - 10.15).abs() < 1e-9, "{guard}");
    assert!(r.text.contains("Damage of a hit, on average, before soak"), "{}", r.text);
}

#[test]
fn an_unknown_quality_is_kept_with_a_warning() {
    let text = "[[weapon]]\nid = \"gun\"\nclass = \"basic\"\nrange = 10\ndamage = \"1d10\"\ntype = \"I\"\nqualities = [\"Tering\"]\n\
        [[horde]]\nprofile = \"makuu_guardsmen\"\nlabel = \"g\"\n[[heretic]]\nprofile = \"human\"\nlabel = \"j\"\n";
    let r = check("w.toml", text, Settings::default()).unwrap();
    assert_eq!(r.warnings.len(), 1);
    let w = r.warnings[0].to_string();
    assert!(
        w.contains("w.toml:7: warning") && w.contains("no effect on Hordes") && w.contains("`Tearing`"),
        "{w}"
    );
}

#[test]
fn a_label_of_two_words_and_oneself_in_reach_are_told() {
    let text =
        BRIDGE.replacen("label = \"mob\"", "label = \"the mob\"", 1).replace("hook mob", "hook the_mob");
    let text =
        text.replace("heavy_flamer mob", "heavy_flamer the_mob").replace("chainaxe mob", "chainaxe the_mob");
    let r = check("b.toml", &text, Settings::default()).unwrap();
    assert!(
        r.warnings
            .iter()
            .any(|w| w.to_string().contains("`the mob` is one word when it is typed: `the_mob`")),
        "{r:?}"
    );
    let p =
        problems(&BRIDGE.replacen("engaged = [\"kael\"]", "engaged = [\"zealots\", \"mob\", \"kael\"]", 1));
    assert!(
        p.contains("`engaged` names itself (HC-160)") && p.contains("one of jor, kael, mira, sev"),
        "{p}"
    );
    assert!(p.contains("names mob, of its own side"), "{p}");
}

#[test]
fn one_fault_is_told_once() {
    let no_horde = BRIDGE.replacen("magnitude = 35", "magnitude = 99999999999999999999", 1);
    let p = problems(&no_horde);
    assert!(
        p.contains("`magnitude` is 99999999999999999999") && p.contains("0 to 999 would be right"),
        "{p}"
    );
    assert_eq!(p.matches("error").count(), 1, "{p}");
    let p = problems(&BRIDGE.replacen("profile = \"csm\"", "profile = \"cms\"", 1));
    assert!(p.contains("did you mean `csm`?"), "{p}");
    assert_eq!(p.matches("error").count(), 1, "{p}");
}

#[test]
fn what_ships_is_listed() {
    let p = horde::cli::profiles(None);
    assert_eq!(p.text.lines().count(), horde::library::shipped().profiles.len());
    assert!(p.text.contains("makuu_guardsmen") && p.text.lines().all(|l| l.len() < 200), "{}", p.text);
    assert_eq!(p.json["profiles"][0]["magnitude"].as_i64().map(|m| m > 0), Some(true));
    let w = horde::cli::weapons(Some("las"));
    assert!(w.text.contains("lasgun") && !w.text.contains("knife"), "{}", w.text);
    assert!(horde::cli::weapons(Some("zzz")).text.contains("no weapon has `zzz`"));
    let all = problems("[[heretic]]\nlabel = \"a\"\nprofile = \"marine\"\n");
    assert!(all.contains("csm") && all.contains("`muster horde profiles`"), "{all}");
}

/// A weapon misspelt is one fault, not two.
#[test]
fn what_follows_from_a_misspelt_weapon_is_not_told() {
    let text = BRIDGE.replacen("weapons = [\"boltgun\", \"knife\"", "weapons = [\"boltgn\", \"knife\"", 1);
    let all = problems(&text);
    assert_eq!(all.matches("error").count(), 1, "{all}");
    assert!(all.contains("did you mean `boltgun`?"), "{all}");
}

/// A record may stand where an encounter file does.
#[test]
fn a_record_is_read_as_it_stands() {
    use horde::tracker::{Key, Tracker};
    let game = horde::cli::open("bridge.toml", BRIDGE, Settings::default()).unwrap().0;
    let mut t = Tracker::new(game, 1);
    for text in ["guard -20", "option size.table = tens", "jor 5 wounds"] {
        text.chars().for_each(|c| t.key(Key::Char(c)));
        t.key(Key::Enter);
    }
    let record = t.unwritten();
    let c = card("r.jsonl", &record, Settings::default()).unwrap();
    assert_eq!(c.json["cards"][0]["magnitude"], 15, "{}", c.text);
    assert!(c.warnings[0].to_string().contains("this is a record: taken as it stands after line 3"), "{c:?}");
    let k = check("r.jsonl", &record, Settings::default()).unwrap();
    assert_eq!(k.json["options"]["size.table"], "tens", "{}", k.text);
    assert!(odds("r.jsonl", &record, Settings::default(), 1).is_ok());
    let sets = [("size.table".to_owned(), "floor_30".to_owned())];
    let laid = check("r.jsonl", &record, Settings { sets: &sets, ..Settings::default() });
    assert!(laid.unwrap_err().to_string().contains("a record has its own rules"));
    let torn = check("r.jsonl", &record.replacen("guard -20", "gard -20", 1), Settings::default());
    assert!(torn.unwrap_err().to_string().contains("this is a record that does not play"));
}

#[test]
fn a_card_names_weapons_whole() {
    let r = card(
        "bridge.toml",
        &BRIDGE
            .replacen(
                "profile = \"makuu_guardsmen\"",
                "profile = \"makuu_guardsmen\"\nweapons = [\"lasgun\", \"stub_automatic\"]",
                1,
            )
            .replacen("stub_automatic", first_long().as_str(), 1),
        Settings::default(),
    )
    .unwrap();
    assert!(r.text.contains(&format!("  {}", first_long())), "{}", r.text);
    assert!(r.text.contains("Lasgun: skill 35, 1d10+3"), "{}", r.text);
}

/// The longest word of a ranged weapon that ships.
fn first_long() -> String {
    let all = &horde::library::shipped().weapons;
    all.values().filter(|w| !w.is_melee()).map(|w| w.id.clone()).max_by_key(String::len).unwrap()
}

const HOLDERS: &str = "[[heretic]]\nlabel = \"hum\"\nprofile = \"human\"\nweapons = [\"sword\"]\nwounds = 50\ninitiative = 20\n\
    [[horde]]\nlabel = \"z\"\nprofile = \"greenskin_mob\"\nmelee = \"FORM cleaver\"\nmagnitude = 30\nengaged = [\"hum\"]\nweapons = [\"cleaver\"]\n";

/// HC-085, HC-087, HC-185: neither does Damage, so the odds give none.
#[test]
fn stun_and_grapple_hurt_nobody_in_the_odds() {
    for form in ["stun", "grapple"] {
        let r = odds("h.toml", &HOLDERS.replace("FORM", form), Settings::default(), 1).unwrap();
        assert!(r.text.contains("; no wounds (HC-08"), "{}", r.text);
        let p = &r.json["rounds"][0]["people"][0];
        assert_eq!((p["label"].as_str(), p["mean"].as_f64()), (Some("hum"), Some(0.0)), "{}", r.text);
    }
    let r = odds("h.toml", &HOLDERS.replace("FORM", "standard"), Settings::default(), 1).unwrap();
    assert!(r.json["rounds"][0]["people"][0]["mean"].as_f64().unwrap() > 0.0, "{}", r.text);
}

/// HC-190, HC-192: a Horde's usual Suppressing Fire is what it makes.
#[test]
fn a_hordes_usual_suppression_is_no_standard_attack() {
    let text = "[[heretic]]\nlabel = \"hum\"\nprofile = \"human\"\n\
        [[horde]]\nlabel = \"h\"\nprofile = \"makuu_guardsmen\"\nmagnitude = 30\nshoot = \"suppress full autogun\"\n";
    let r = odds("h.toml", text, Settings::default(), 1).unwrap();
    assert!(r.text.contains("h at hum, suppress with autogun"), "{}", r.text);
}

#[test]
fn a_preset_asked_for_wins_over_the_files_ruleset() {
    let text = format!("{BRIDGE}\n[options]\n\"ruleset\" = \"makuu\"\n\"flame.round\" = \"down\"\n");
    let r = check("b.toml", &text, Settings { preset: Some("deathwatch"), ..Settings::default() }).unwrap();
    assert_eq!(r.json["options"]["ruleset"], "deathwatch");
    assert_eq!(r.json["options"]["flame.round"], "down");
}

#[test]
fn no_wounds_at_all_and_a_key_in_quotes_are_told() {
    let p = problems("[[heretic]]\nlabel = \"jor\"\nprofile = \"human\"\nwounds = 0\n");
    assert!(p.contains("0 wounds") && p.contains("wounds_left = 0"), "{p}");
    let s = Settings {
        rules_file: Some(("rf.toml", "\"horde.size.table\" = \"floor_30\"\n")),
        ..Settings::default()
    };
    let p = check("b.toml", BRIDGE, s).unwrap_err().to_string();
    assert!(p.contains("without them") && !p.contains("did you mean"), "{p}");
}
