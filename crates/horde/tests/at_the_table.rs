//! What game masters found at the table, one test for each kind of finding.

mod common;

use common::{BRIDGE, bridge, say, shown};
use game::{Actor, Game};
use horde::Encounter;
use horde::cli::{Settings, check, odds};
use horde::encounter::plain_rules;
use horde::tracker::{Key, LINE, Relation, Tracker};
use std::collections::BTreeSet;

fn open(text: &str) -> Encounter {
    horde::cli::open("own.toml", text, Settings::default()).unwrap().0
}

/// The first Round, in which kael acts before jor, sev, guard, zealots, mira and mob.
fn begun() -> Tracker {
    let t = Tracker::new(bridge(), 1);
    assert_eq!(acts(&t), "kael");
    t
}

fn acts(t: &Tracker) -> String {
    t.state().current().map(|id| t.state().unit(id).label.to_string()).unwrap_or_default()
}

/// Says it and sees this; wide enough that no sentence is broken.
fn sees(t: &mut Tracker, line: &str, what: &str) {
    say(t, line);
    let seen = shown(t, 200, 24);
    assert!(seen.contains(what), "{line}: {seen}");
    t.key(Key::Clear);
}

#[test]
fn players_do_not_read_what_was_taken_back() {
    let mut t = begun();
    say(&mut t, "guard standard knife jor roll 12");
    assert!(t.export(true).contains("guard hits jor"));
    t.key(Key::F(7));
    assert!(!t.export(true).contains("guard hits jor"), "{}", t.export(true));
    assert!(t.export(false).contains("taken back"), "the game master's own log keeps it");
    say(&mut t, "jor 3 wounds");
    assert!(t.export(true).contains("jor takes 3 wounds"), "{}", t.export(true));
    t.key(Key::F(6));
    assert!(!shown(&t, 80, 24).contains("guard hits jor"));
}

/// HC-201: everybody has one turn a Round, whatever turns are ruled.
#[test]
fn a_turn_by_ruling_takes_nobody_s_own() {
    let mut t = begun();
    // Kael has done nothing as yet, so his turn comes again; guard has had its own early.
    sees(&mut t, "turn guard", "kael, jor, sev have still to act in this Round (HC-201)");
    let mut order = vec![acts(&t)];
    while t.state().round == 1 {
        t.key(Key::Tab);
        order.push(acts(&t));
    }
    assert_eq!(order, ["guard", "kael", "jor", "sev", "zealots", "mira", "mob", "kael"]);
    // What was done in a turn makes it one, told effects on the other side too.
    for done in ["kael standard chainsword zealots roll 99", "guard -1"] {
        let mut t = begun();
        say(&mut t, done);
        say(&mut t, "turn guard");
        t.key(Key::Tab);
        assert_eq!(acts(&t), "jor", "{done}");
    }
    // Given back to one who had his: he has another, and the rest theirs.
    let mut t = begun();
    t.key(Key::Tab);
    t.key(Key::Tab);
    assert_eq!(acts(&t), "sev");
    say(&mut t, "turn kael");
    t.key(Key::Tab);
    assert_eq!(acts(&t), "sev");
    // He who delays has done nothing either.
    say(&mut t, "sev after zealots");
    let mut order = vec![acts(&t)];
    for _ in 0..3 {
        t.key(Key::Tab);
        order.push(acts(&t));
    }
    assert_eq!(order, ["guard", "zealots", "sev", "mira"]);
    let text = t.unwritten();
    assert_eq!(Tracker::resume(&text, 1).unwrap().state(), t.state());
}

/// However turns are ruled and the order changed, nobody's Round is lost.
#[test]
fn whatever_is_ruled_everybody_has_a_turn_in_every_round() {
    const ALL: [&str; 7] = ["kael", "jor", "sev", "guard", "zealots", "mira", "mob"];
    let game = bridge();
    let mut state = game.start();
    let mut had: BTreeSet<String> = BTreeSet::from(["kael".to_owned()]);
    let mut seed = 7_usize;
    let mut pick = |n: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % n
    };
    for n in 0..2000 {
        let (who, other) = (ALL[pick(7)], ALL[pick(7)]);
        let line = match pick(8) {
            0 => format!("turn {who}"),
            1 => format!("{who} after {other}"),
            2 => format!("{who} before {other}"),
            3 => "guard -0".to_owned(),
            _ => "next".to_owned(),
        };
        let Ok(command) = game.parse(&state, Actor::Umpire, &line) else { panic!("{line}") };
        let Ok((after, events)) = game.play(&state, Actor::Umpire, &command, &mut dice::Fixed(50)) else {
            assert_eq!(who, other, "{line}");
            continue;
        };
        for fact in events.iter().flat_map(|e| game.facts(e)) {
            if fact.starts_with("round ") {
                assert_eq!(had.len(), ALL.len(), "{fact} after {had:?}");
                had.clear();
            } else if let Some(who) = fact.strip_prefix("turn ") {
                had.insert(who.to_owned());
            }
        }
        if n % 20 == 0 {
            let notation = game.notation(&after);
            assert_eq!(Encounter::open_notation(&game.rules(), &notation).unwrap().1, after);
        }
        state = after;
    }
    assert!(state.round > 20, "{}", state.round);
}

#[test]
fn whose_turn_it_is_may_have_it_anew() {
    let mut t = begun();
    say(&mut t, "turn guard");
    say(&mut t, "guard shoots jor jor jor jor lasgun standard roll 99 99 99 99");
    sees(&mut t, "guard shoots jor lasgun standard roll 99", "HC-163");
    sees(&mut t, "turn guard", "guard acts: Magnitude Bonus 3, 4 ranged attacks.");
    sees(&mut t, "guard shoots jor lasgun standard roll 99", "misses");
    // Enter does the usual attack once in each turn.
    let mut t = begun();
    t.set_rolled(false);
    t.key(Key::Enter);
    say(&mut t, "99");
    say(&mut t, "turn kael");
    t.key(Key::Enter);
    assert!(t.asked().is_some(), "he attacks again");
}

/// Records begun before went on from the place that a ruling led to.
#[test]
fn turns_of_earlier_records_are_as_they_were() {
    let mut rules = plain_rules();
    rules["tables"]["handling"].as_object_mut().unwrap().remove("exact").unwrap();
    let mut t = Tracker::new(Encounter::from_file("bridge.toml", BRIDGE, &rules).unwrap().0, 1);
    t.key(Key::Enter);
    say(&mut t, "turn guard");
    t.key(Key::Tab);
    assert_eq!(acts(&t), "zealots");
    say(&mut t, "jor heals 99");
    assert!(t.export(false).contains("jor regains 99 wounds"));
    let text = t.unwritten();
    assert!(!text.contains("had_turn") && !text.contains("still_to_act"));
    assert_eq!(Tracker::resume(&text, 1).unwrap().state(), t.state());
}

#[test]
fn a_paste_is_one_line_and_does_nothing_by_itself() {
    let mut t = begun();
    let before = t.state().clone();
    assert!(t.paste("guard -4\n\n\n"));
    assert_eq!(t.state(), &before, "it waits for Enter");
    t.key(Key::Enter);
    assert_eq!(t.state().units[4].horde().unwrap().m, 31);
    assert!(t.paste("\r\n\t\u{1b}[31m"));
    t.key(Key::Clear);
    let before = t.state().clone();
    for long in ["x".repeat(5000), "guard -4\n".repeat(600)] {
        assert!(!t.paste(&long));
        assert_eq!(t.state(), &before);
        let seen = shown(&t, 160, 24);
        assert!(seen.contains("none of it was taken") && seen.contains("\n> _"), "{seen}");
    }
    // Two lines are not two commands.
    t.paste("guard -4\nguard -4");
    t.key(Key::Enter);
    assert_eq!(t.state(), &before, "{}", shown(&t, 160, 24));
}

/// A terminal that does not tell of a paste sends its keys without a pause.
#[test]
fn many_keys_at_once_are_a_line_and_no_more() {
    let keys = |text: &str| -> Vec<Key> {
        text.chars().map(|c| if c == '\n' { Key::Enter } else { Key::Char(c) }).collect()
    };
    let mut t = begun();
    let log = t.export(false);
    assert!(!t.burst(&keys(&"x".repeat(5000))));
    t.burst(&keys(&format!("{}\n\n", "y".repeat(5000))));
    t.burst(&keys(&"\n".repeat(50)));
    assert_eq!(t.export(false), log, "nothing was done");
    t.key(Key::Clear);
    t.burst(&keys("guard -4 because of a long story that was told elsewhere\n\n\nguard -4\n"));
    assert_eq!(t.state().units[4].horde().unwrap().m, 31);
    assert!(shown(&t, 160, 24).contains("only the first line"), "{}", shown(&t, 160, 24));
    // A long command with its Enter is what was typed.
    assert!(
        t.burst(&keys("jor semi boltgun guard short +10 \"high ground\" roll 31 dice 2 6 1 1 10 3 1 2\n"))
    );
    assert!(!shown(&t, 160, 24).contains("only the first line"));
    assert!(t.export(false).contains("high ground"));
}

#[test]
fn a_line_that_is_full_says_so() {
    let mut t = begun();
    (0..LINE + 1).for_each(|_| t.key(Key::Char('x')));
    assert!(shown(&t, 160, 24).contains("the line is full"), "{}", shown(&t, 160, 24));
}

/// An edit goes on with the record, another encounter does not.
#[test]
fn the_record_of_another_encounter_is_told_from_an_edit() {
    let t = Tracker::new(bridge(), 3);
    let party = &BRIDGE[BRIDGE.find("[[heretic]]").unwrap()..BRIDGE.find("[[horde]]").unwrap()];
    let party = party.replace(" guard ", " ").replace(" zealots", "").replace(" mob\"", "\"");
    let next =
        format!("name = \"The gate\"\n{party}[[horde]]\nlabel = \"orks\"\nprofile = \"greenskin_mob\"\n");
    match t.relation_to(&open(&next)) {
        Relation::Another { then, now } => {
            assert_eq!(then, "\"The bridge at dawn\" (guard, jor, kael, mira, mob, sev, …)");
            assert_eq!(now, "\"The gate\" (jor, kael, mira, orks, sev)");
        }
        other => panic!("{other:?}"),
    }
    // Without names the foes decide, for a party has many fights.
    let unnamed = |text: &str| open(&text.replacen("name = \"The", "#", 1));
    let mut t = Tracker::new(unnamed(&next), 3);
    t.key(Key::Enter);
    assert!(matches!(t.relation_to(&unnamed(BRIDGE)), Relation::Another { .. }));
    let more = format!("{next}[[horde]]\nlabel = \"gang\"\nprofile = \"hive_riot\"\n");
    assert_eq!(t.relation_to(&unnamed(&more)), Relation::Edited);
    // A record of another game is none of an encounter.
    let hott = "{\"muster\":\"record\",\"version\":1,\"game\":\"hott\",\"revision\":1,\"seats\":[],\"rules\":{},\"setup\":{}}\n";
    assert!(Tracker::resume(hott, 1).unwrap_err().to_string().contains("a record of `hott`"));
}

/// HC-127: what a talent takes is in the row of the attack as in the Round.
#[test]
fn the_odds_of_an_attack_count_what_a_talent_takes() {
    for (weapon, talent) in [
        ("melee = \"standard power_sword\"", "Whirlwind of Death"),
        ("shoot = \"full autogun\"", "Storm of Iron"),
    ] {
        let text = format!(
            "[[heretic]]\nlabel = \"jor\"\nprofile = \"csm\"\nweapons = [\"power_sword\", \"autogun\"]\n{weapon}\nmore_traits = [\"{talent}\"]\n[[horde]]\nlabel = \"mob\"\nprofile = \"makuu_guardsmen\"\nmagnitude = 35\n"
        );
        let r = odds("t.toml", &text, Settings::default(), 1).unwrap().json;
        let row = r["attacks"].as_array().unwrap().iter().find(|a| a["by"] == "jor").unwrap();
        let lost = r["rounds"][0]["hordes"][0]["lost"].as_array().unwrap();
        let mean: f64 = lost.iter().zip(0_u32..).map(|(p, n)| p.as_f64().unwrap() * f64::from(n)).sum();
        assert!(row["talent"].as_i64().unwrap() > 0 && mean > 2.0, "{r}");
        assert!((row["mean"].as_f64().unwrap() - mean).abs() < 1e-9, "{talent}: {} and {mean}", row["mean"]);
        // No more than there is.
        let few = text.replace("magnitude = 35", "magnitude = 2");
        let r = odds("t.toml", &few, Settings::default(), 1).unwrap().json;
        let row = r["attacks"].as_array().unwrap().iter().find(|a| a["by"] == "jor").unwrap().clone();
        assert_eq!(row["lost"].as_array().unwrap().len(), 3, "{row}");
    }
}

#[test]
fn a_dodge_that_failed_is_not_called_evaded() {
    let mut t = begun();
    say(&mut t, "guard shoots jor kael lasgun standard roll 1 1");
    say(&mut t, "jor dodge 99");
    let seen = shown(&t, 120, 24);
    assert!(seen.contains("guard on jor: 1 hit, lasgun (tried to evade)"), "{seen}");
    t.key(Key::F(7));
    say(&mut t, "jor dodge 1");
    let seen = shown(&t, 120, 24);
    assert!(seen.contains("guard on jor: 0 hits, lasgun (evaded)"), "{seen}");
}

/// HC-160, HC-183.
#[test]
fn who_has_attacked_all_is_told_so() {
    let mut t = begun();
    say(&mut t, "turn mob");
    say(&mut t, "mob engages jor sev");
    sees(&mut t, "mob melee all standard club roll 99 99", "misses");
    sees(&mut t, "mob melee all", "mob has attacked jor, sev in this turn, and attacks each once (HC-160)");
    say(&mut t, "mob set fought no");
    sees(&mut t, "mob melee all standard club roll 99 99", "misses");
    sees(&mut t, "guard melee all", "nobody is within reach of guard (HC-160)");
    say(&mut t, "mob set fought no");
    say(&mut t, "mob grapple jor roll 1");
    say(&mut t, "jor takes it");
    say(&mut t, "mob set fought no");
    say(&mut t, "mob leaves sev");
    sees(&mut t, "mob melee all", "nobody but who holds them attacks jor (HC-183)");
}

#[test]
fn who_is_gone_has_no_turn_until_he_returns() {
    let mut t = begun();
    say(&mut t, "jor gone");
    let before = t.state().clone();
    sees(&mut t, "turn jor", "jor is gone and has no turn (HC-201); right would be: jor returns");
    assert_eq!(t.state(), &before);
    sees(&mut t, "kael returns", "kael is not gone");
    say(&mut t, "jor returns because he was only hiding");
    assert!(t.state().units[0].fights());
    say(&mut t, "turn jor");
    assert_eq!(acts(&t), "jor");
    // One who goes in his own turn is seen until it has passed on.
    say(&mut t, "jor gone");
    assert!(shown(&t, 80, 24).contains(">12 jor"), "{}", shown(&t, 80, 24));
    t.key(Key::F(7));
    assert!(t.state().units[0].fights());
    say(&mut t, "guard breaks");
    sees(&mut t, "turn guard", "guard is broken and has no turn (HC-201); right would be: guard holds");
    say(&mut t, "mob magnitude 0");
    sees(&mut t, "mob returns", "mob has no Magnitude left (HC-106)");
    say(&mut t, "sev surprised");
    sees(&mut t, "turn sev", "sev set surprised no");
    let text = t.unwritten();
    assert_eq!(Tracker::resume(&text, 1).unwrap().state(), t.state());
}

/// HC-146: losses from any source count, of those who run too.
#[test]
fn those_who_run_may_still_be_hit() {
    let mut t = begun();
    say(&mut t, "guard breaks");
    sees(&mut t, "jor standard boltgun guard", "`guard -4` for what is done to those who run");
    say(&mut t, "guard -4");
    let guard = |t: &Tracker| t.state().units[4].clone();
    assert_eq!((guard(&t).horde().unwrap().m, guard(&t).status.word()), (31, "broken"));
    say(&mut t, "guard -99");
    assert_eq!(guard(&t).status.word(), "destroyed");
    sees(&mut t, "guard -1", "guard is destroyed");
}

#[test]
fn what_players_are_shown_has_no_line_of_the_game_master() {
    let mut t = begun();
    t.key(Key::F(6));
    "guard magnitude 3".chars().for_each(|c| t.key(Key::Char(c)));
    let seen = shown(&t, 80, 24);
    assert!(!seen.contains("magnitude") && seen.contains("F6 back"), "{seen}");
    t.key(Key::F(6));
    assert!(shown(&t, 80, 24).contains("> guard magnitude 3_"));
}

#[test]
fn dice_are_read_as_they_show() {
    let mut t = begun();
    say(&mut t, "jor standard boltgun guard roll 00");
    assert!(t.export(false).contains("rolls 100"), "{}", t.export(false));
    say(&mut t, "die 1 20");
    say(&mut t, "die 1 00");
    assert!(t.export(false).lines().last().unwrap().contains("rolls 100"), "{}", t.export(false));
    say(&mut t, "jor standard boltgun guard roll 12 dice 0 0 0 0");
    assert!(t.export(false).contains("Damage 10, 10"), "{}", t.export(false));
    sees(&mut t, "jor standard boltgun guard roll 0", "a d100 is 0 (1 to 100");
    t.set_rolled(false);
    say(&mut t, "jor fear 1");
    sees(&mut t, "0", "a d100 cannot show 0");
    say(&mut t, "00");
    assert!(t.asked().is_some(), "it failed, so the Shock table wants a die");
    say(&mut t, "00");
    let log = t.export(false);
    assert!(log.contains("jor faces Fear (1)") && log.contains("rolls 100 and fails, Shock 100"), "{log}");
}

#[test]
fn sentences_count_as_people_do() {
    let mut t = begun();
    say(&mut t, "jor 9 wounds");
    sees(&mut t, "jor heals 99", "jor regains 9 wounds: 12 left");
    sees(&mut t, "jor heals 1", "jor has as many wounds as before: 12 left");
    sees(
        &mut t,
        "kael standard chainsword zealots roll 12 dice 1 2 3",
        "3 dice are named and 2 are wanted: 1 too many",
    );
    let one = BRIDGE.replacen("weapons = [\"boltgun\"", "weapons = [\"lasgun\", \"boltgun\"", 1);
    let mut t = Tracker::new(open(&one), 1);
    sees(
        &mut t,
        "jor standard lasgun guard roll 12 dice 1 2",
        "2 dice are named and 1 is wanted: 1 too many; right would be: 1 die, in the order",
    );
}

#[test]
fn a_quote_that_is_not_closed_swallows_nothing() {
    let mut t = begun();
    let before = t.state().clone();
    sees(&mut t, "jor semi boltgun guard +10 \"high ground roll 31", "a quote is opened and not closed");
    assert_eq!(t.state(), &before);
    say(&mut t, "jor standard boltgun guard +10 \"just because of it\" roll 99");
    assert!(t.export(false).contains("+10 just because of it"), "{}", t.export(false));
    let p = check("b.toml", &BRIDGE.replacen("guard normal", "guard +10 \\\"high", 1), Settings::default());
    assert!(p.unwrap_err().to_string().contains("not closed"));
}

/// No name does anything to the terminal; `check` says that one would.
#[test]
fn signs_that_would_control_a_terminal_are_not_shown() {
    let evil = "\\u001b[2J\\u0007\\u009b31m\\u202e";
    let text = BRIDGE
        .replacen("name = \"The bridge at dawn\"", &format!("name = \"{evil}dawn\""), 1)
        .replacen("name = \"Jor the gunner\"", &format!("name = \"{evil}Jor\""), 1)
        .replacen(
            "profile = \"makuu_guardsmen\"",
            &format!("profile = \"makuu_guardsmen\"\nname = \"{evil}Guard\""),
            1,
        );
    let harmful = |s: &str| s.chars().any(|c| (c.is_control() && c != '\n') || c == '\u{202e}');
    let r = check("odd.toml", &text, Settings::default()).unwrap();
    assert!(r.text.contains("dawn") && !harmful(&r.text), "{:?}", r.text);
    let warned: Vec<String> = r.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        warned.iter().filter(|w| w.contains("a sign that is not to be shown, U+001B")).count(),
        3,
        "{warned:?}"
    );
    assert!(warned[0].starts_with("odd.toml:2: warning") && !harmful(&warned.concat()), "{warned:?}");
    for report in [
        odds("odd.toml", &text, Settings::default(), 1),
        horde::cli::card("odd.toml", &text, Settings::default()),
    ] {
        assert!(!harmful(&report.unwrap().text));
    }
    let mut t = Tracker::new(open(&text), 1);
    for players in [false, true] {
        let lines = t.lines(80, 24);
        assert!(lines.iter().all(|(l, _)| !harmful(l)), "{lines:?}");
        assert!(!harmful(&t.export(players)));
        t.key(Key::F(6));
    }
}

#[test]
fn a_label_without_a_letter_is_told_with_one_that_would_do() {
    let text = BRIDGE.replacen("label = \"guard\"", "label = \"💀\"", 1).replace(" guard ", " ");
    let p = check("e.toml", &text, Settings::default()).unwrap_err().to_string();
    assert!(
        p.contains("the label `💀` has no letter")
            && p.contains("label = \"makuu_guardsmen\", name = \"💀\""),
        "{p}"
    );
}

/// What stands beside a label begins in one column, however wide the signs of the label are.
#[test]
fn wide_labels_keep_their_columns() {
    let text = BRIDGE.replacen("label = \"mob\"", "label = \"暴徒\"", 1).replace(" mob\"", " 暴徒\"");
    let mut t = Tracker::new(open(&text), 1);
    let column = |seen: &str, row: &str, what: char| {
        let line = seen.lines().find(|l| l.contains(row)).unwrap().to_owned();
        line.chars().skip(4).position(|c| c == what).unwrap_or_else(|| panic!("{line}"))
    };
    let seen = shown(&t, 80, 24);
    assert_eq!(column(&seen, "暴", 'M'), column(&seen, "zealots", 'M'), "{seen}");
    t.key(Key::F(6));
    let seen = shown(&t, 80, 24);
    assert_eq!(column(&seen, "暴", 'R'), column(&seen, "zealots", 'C'), "{seen}");
}

#[test]
fn surprise_is_seen() {
    let mut t = begun();
    say(&mut t, "jor surprised");
    assert!(
        shown(&t, 120, 24).lines().any(|l| l.contains("jor") && l.contains("SURPRISED")),
        "{}",
        shown(&t, 120, 24)
    );
    t.key(Key::F(6));
    assert!(shown(&t, 120, 24).lines().any(|l| l.contains("jor") && l.contains("surprised")));
    t.key(Key::F(6));
    while t.state().round < 2 {
        t.key(Key::Tab);
    }
    assert!(!shown(&t, 120, 24).contains("SURPRISED"));
}

/// HC-020, HC-162: a usual attack that the options in force do not have is a warning; under others it is meant.
#[test]
fn check_tells_of_attacks_that_the_options_do_not_have() {
    let with = |key: &str, value: &str| {
        let sets = [(key.to_owned(), value.to_owned())];
        let text = BRIDGE.replacen("melee = \"standard club\"", "melee = \"swift club\"", 1);
        let r = check("b.toml", &text, Settings { sets: &sets, ..Settings::default() }).unwrap();
        r.warnings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    };
    let dw = with("actions.table", "dw");
    assert!(
        dw.contains("kael: `melee` is not made") && dw.contains("sev: `melee`") && dw.contains("(HC-020)"),
        "{dw}"
    );
    let talents = with("horde.melee_forms", "needs_talent");
    assert!(talents.contains("mob: `melee` is not made") && talents.contains("(HC-162)"), "{talents}");
    assert_eq!(with("actions.table", "bc"), "");
}

/// What people say at a table is understood, or answered with what would be.
#[test]
fn plain_speech() {
    let guard = |t: &Tracker| t.state().units[4].horde().unwrap().m;
    let jor = |t: &Tracker| t.state().units[0].person().unwrap().wounds;
    for (line, lost) in [("guard loses 4", 4), ("guard -4 magnitude", 4), ("guard loses 3 magnitude", 3)] {
        let mut t = begun();
        say(&mut t, line);
        assert_eq!(guard(&t), 35 - lost, "{line}: {}", shown(&t, 80, 24));
    }
    for line in ["jor wounds 7", "jor takes 7 wounds", "jor loses 7", "jor -7 wounds", "jor suffers 7 wounds"]
    {
        let mut t = begun();
        say(&mut t, line);
        assert_eq!(jor(&t), 5, "{line}: {}", shown(&t, 80, 24));
    }
    let mut t = begun();
    let before = t.state().clone();
    for (line, what) in [
        ("guard - 4", "`guard -4`"),
        ("jor hits guard", "`jor 2 hits guard`"),
        ("guard 4", "`guard -4` for a loss"),
        ("jor 14", "`jor set initiative 14`"),
        ("jor initiative 14", "`jor set initiative 14`"),
        ("log", "F9 writes the log"),
        ("save", "all is saved already"),
        ("22", "no die is asked for; F5 types dice"),
        ("add horde x marine 30", "`muster horde profiles`"),
    ] {
        sees(&mut t, line, what);
        assert_eq!(t.state(), &before, "{line}");
        t.key(Key::Clear);
    }
}

#[test]
fn initiative_called_out_before_the_first_round() {
    let mut t = Tracker::new(open(&BRIDGE.replace("initiative = ", "psy = ")), 1);
    assert_eq!(t.state().round, 0);
    say(&mut t, "jor initiative 14");
    say(&mut t, "kael 9");
    assert_eq!((t.state().units[0].initiative, t.state().units[1].initiative), (Some(14), Some(9)));
    let text = t.unwritten();
    assert_eq!(Tracker::resume(&text, 1).unwrap().state(), t.state());
}

/// Words of an action however they are joined.
#[test]
fn actions_of_several_words() {
    let t = begun();
    let how = |line: &str| match horde::words::parse(t.state(), line) {
        Ok(horde::command::Command::Attack { how, at, .. }) => (how.action.word(), how.band.word(), at.len()),
        other => panic!("{line}: {other:?}"),
    };
    for line in ["sev all-out mob", "sev all out mob", "sev allout mob", "sev all out attack chainaxe mob"] {
        assert_eq!(how(line), ("allout", "normal", 1), "{line}");
    }
    for line in ["jor semi-auto boltgun guard", "jor semi auto burst guard", "jor semi guard"] {
        assert_eq!(how(line), ("semi", "normal", 1), "{line}");
    }
    assert_eq!(how("kael swift attack chainsword zealots"), ("swift", "normal", 1));
    assert_eq!(how("jor called shot boltgun guard point blank"), ("called", "pb", 1));
    assert_eq!(how("mira full-auto heavy_stubber guard"), ("full", "normal", 1));
    assert_eq!(how("jor standard boltgun guard into melee").0, "standard");
    assert_eq!(how("jor attack boltgun guard").0, "standard");
}

/// A question for a die says what it must show, and what was chosen.
#[test]
fn a_question_says_what_the_die_must_show() {
    let mut t = begun();
    t.set_rolled(false);
    sees(&mut t, "jor standard boltgun guard", "or less");
    let asked = shown(&t, 80, 24);
    assert!(asked.contains("d100 for to hit, jor at guard: "), "{asked}");
    sees(&mut t, "guard -4", "Esc leaves the question");
    say(&mut t, "12 1 1 1 1");
    let log = t.export(false);
    let number = asked.split("jor at guard: ").nth(1).unwrap().split(' ').next().unwrap();
    assert!(log.contains(&format!("= {number}; rolls 12")), "{number}: {log}");
    say(&mut t, "turn guard");
    say(&mut t, "guard standard knife jor roll 12");
    sees(&mut t, "jor parry", "d100 for evasion, guard at jor: parry, ");
    t.key(Key::Esc);
    sees(&mut t, "jor dodge", "d100 for evasion, guard at jor: dodge, ");
}

/// A die that was called wrong may be put right either way, whatever dice the line names.
#[test]
fn a_called_die_is_mended_either_way() {
    let m = |t: &Tracker| t.state().units[4].horde().unwrap().m;
    let mut t = begun();
    say(&mut t, "jor standard boltgun guard roll 99 dice 9 9 9 9 3 2");
    assert_eq!(m(&t), 35);
    sees(&mut t, "die 1 12", "left out of the line: 3, 2");
    assert_eq!(m(&t), 33, "{}", t.export(false));
    say(&mut t, "die 1 99");
    assert_eq!(m(&t), 35);
    assert_eq!(shown(&t, 80, 24).matches("9, 9, 9, 9").count(), 1, "{}", shown(&t, 80, 24));
    say(&mut t, "die 1 12");
    assert_eq!(m(&t), 33);
    let text = t.unwritten();
    assert_eq!(Tracker::resume(&text, 1).unwrap().state(), t.state());
}

/// Whoever typed dice goes on so.
#[test]
fn typed_dice_are_remembered() {
    let mut t = begun();
    t.key(Key::F(5));
    say(&mut t, "jor standard boltgun guard");
    say(&mut t, "99");
    let mut again = Tracker::resume(&t.unwritten(), 1).unwrap();
    assert!(!again.is_rolled());
    let seen = shown(&again, 80, 24);
    assert!(seen.contains("resumed after line") && seen.contains("dice are typed (F5 rolls them)"), "{seen}");
    again.dice_were(true);
    assert!(again.is_rolled() && shown(&again, 80, 24).contains("dice are rolled (F5 types them)"));
    // Beside the record, also where nothing was thrown since.
    let path = std::env::temp_dir().join(format!("muster-dice-{}.jsonl", std::process::id()));
    horde::tracker::terminal::keep_dice(&path, false);
    let mut t = begun();
    horde::tracker::terminal::recall_dice(&path, &mut t, true);
    assert!(!t.is_rolled());
    let mut new = begun();
    horde::tracker::terminal::recall_dice(&path, &mut new, false);
    assert!(new.is_rolled() && !path.with_extension("dice.txt").exists());
}

/// What happened stands once on the screen; on the players' screen it is told that something was not done.
#[test]
fn nothing_is_said_twice_and_esc_leaves_the_players_screen() {
    let mut t = begun();
    say(&mut t, "jor standard boltgun guard roll 99");
    assert_eq!(shown(&t, 80, 24).matches("rolls 99").count(), 1, "{}", shown(&t, 80, 24));
    t.key(Key::F(6));
    say(&mut t, "gard -4");
    let seen = shown(&t, 80, 24);
    assert!(seen.contains("that was not done: F6 shows it") && !seen.contains("gard"), "{seen}");
    t.key(Key::Esc);
    t.key(Key::Esc);
    let seen = shown(&t, 80, 24);
    assert!(!seen.contains("PLAYERS' VIEW") && seen.contains("nobody here is called"), "{seen}");
}

/// What is asked for has not happened yet: it is this that F7 takes back, and Tab does not drop it unsaid.
#[test]
fn a_question_for_a_die_is_left_before_anything_is_taken_back() {
    let mut t = begun();
    say(&mut t, "guard -3");
    let lost = t.state().clone();
    t.set_rolled(false);
    say(&mut t, "jor standard boltgun guard");
    t.key(Key::Tab);
    assert_eq!(t.state(), &lost, "nobody's turn has passed");
    assert!(shown(&t, 200, 24).contains("Esc leaves the question"));
    t.key(Key::F(7));
    assert_eq!(t.state(), &lost, "the loss stands");
    t.key(Key::F(7));
    assert_ne!(t.state(), &lost, "with nothing asked it is taken back");
}
