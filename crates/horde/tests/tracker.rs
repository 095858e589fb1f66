//! The tracker driven by keys, its screens compared with those on file (`MUSTER_BLESS=1` writes them anew).

mod common;

use common::{BRIDGE, bridge, say, shown};
use game::{Game, Viewer};
use horde::Encounter;
use horde::encounter::plain_rules;
use horde::tracker::{Key, Relation, Tracker, terminal};
use std::path::Path;

fn same_screen(t: &Tracker, name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/screens").join(format!("{name}.txt"));
    let now = shown(t, 80, 24);
    assert!(now.lines().count() <= 24 && now.lines().all(|l| l.chars().count() <= 80));
    if std::env::var_os("MUSTER_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &now).unwrap();
    }
    let then = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(now, then, "screen {name}");
}

/// Types every die that is asked for, from a row that goes round.
struct Hand(usize);

impl Hand {
    const ROW: [u16; 13] = [34, 7, 12, 58, 3, 91, 9, 22, 5, 71, 40, 2, 16];
    fn throw(&mut self, t: &mut Tracker) {
        while let Some(ask) = t.asked() {
            let v = (Self::ROW[self.0 % Self::ROW.len()] - 1) % ask.sides + 1;
            self.0 += 1;
            say(t, &v.to_string());
        }
    }
}

#[test]
fn a_whole_encounter_of_three_hordes_and_four_heretics_with_typed_dice() {
    let mut t = Tracker::new(bridge(), 1);
    t.set_rolled(false);
    same_screen(&t, "start");
    let mut hand = Hand(0);
    let (mut most_horde, mut most_person, mut turns) = (0, 0, 0);
    let mut shown_choice = false;
    let mut last_round = 1;
    'fight: for _ in 0..200 {
        let Some(who) = t.state().current() else { break };
        let horde = t.state().unit(who).is_horde();
        let (round, turn) = (t.state().round, t.state().turn);
        let mut presses = 0;
        // One turn, by Enter alone.
        while (t.state().round, t.state().turn) == (round, turn) {
            t.key(Key::Enter);
            presses += 1;
            hand.throw(&mut t);
            if t.state().volley.is_some() && !shown_choice {
                shown_choice = true;
                same_screen(&t, "choice");
            }
            if presses > 40 {
                break 'fight;
            }
        }
        turns += 1;
        if horde {
            most_horde = most_horde.max(presses)
        } else {
            most_person = most_person.max(presses)
        }
        if t.state().round > last_round {
            last_round = t.state().round;
            if last_round == 2 {
                same_screen(&t, "round_two");
                t.key(Key::F(6));
                same_screen(&t, "players");
                t.key(Key::F(6));
                t.key(Key::F(1));
                same_screen(&t, "help");
                t.key(Key::Esc);
            }
        }
        if t.state().units.iter().filter(|u| u.is_horde()).all(|u| !u.fights()) {
            break;
        }
    }
    same_screen(&t, "end");
    assert!(t.state().units.iter().filter(|u| u.is_horde()).all(|u| !u.fights()), "the fight ends");
    assert!(shown_choice);
    assert!(turns >= 8, "{turns} turns");
    eprintln!("presses besides dice: a Horde's turn {most_horde}, a Heretic's {most_person} at most");
    assert!(most_horde <= 12, "a Horde's turn took {most_horde} presses besides dice");
    assert!(most_person <= 3, "a Heretic's turn took {most_person} presses besides dice");
    let log = t.export(false);
    assert!(log.contains("breaks and runs") || log.contains("destroyed"), "{log}");
}

#[test]
fn bad_dice_lose_nothing() {
    let mut t = Tracker::new(bridge(), 1);
    t.set_rolled(false);
    t.key(Key::Enter);
    let before = t.state().clone();
    for wrong in ["0", "101", "999999999", "x"] {
        say(&mut t, wrong);
        assert!(t.asked().is_some(), "{wrong}");
        assert_eq!(t.state(), &before);
        assert!(shown(&t, 80, 24).contains("cannot show"), "{wrong}");
    }
    say(&mut t, "34");
    assert!(t.asked().is_some_and(|a| a.sides == 10));
    say(&mut t, "*");
    assert_ne!(t.state(), &before);
}

#[test]
fn a_wrong_word_comes_back_to_be_mended() {
    let mut t = Tracker::new(bridge(), 1);
    say(&mut t, "guardd -4");
    let s = shown(&t, 80, 24);
    assert!(s.contains("did you mean guard?") && s.contains("> guardd -4_"), "{s}");
}

#[test]
fn words_as_people_write_them() {
    let mut t = Tracker::new(bridge(), 1);
    say(&mut t, "guard \u{2212}4");
    assert_eq!(t.state().units[4].horde().unwrap().m, 31);
    say(&mut t, "jor semi boltgun guard 40 m roll 99");
    assert!(t.export(false).contains("Short range (HC-030)"), "{}", t.export(false));
    for odd in ["\"", "\"\" -4", "x", "guard - 4", "jor semi boltgun guard 4000 m", "guard -4 -4", "jor #1"] {
        let before = t.state().clone();
        say(&mut t, odd);
        assert_eq!(t.state(), &before, "{odd}");
        assert!(!shown(&t, 80, 24).contains("did you mean pb"), "{odd}");
        t.key(Key::Esc);
    }
}

#[test]
fn undo_and_a_die_changed() {
    let mut t = Tracker::new(bridge(), 1);
    let start = t.state().clone();
    say(&mut t, "guard -4");
    assert_eq!(t.state().units[4].horde().unwrap().m, 31);
    t.key(Key::F(7));
    assert_eq!(t.state(), &start);
    t.set_rolled(false);
    say(&mut t, "jor standard boltgun guard");
    say(&mut t, "99");
    assert_eq!(t.state().units[4].horde().unwrap().m, 35);
    say(&mut t, "die 1 20");
    say(&mut t, "9 9 9 9");
    assert_eq!(t.state().units[4].horde().unwrap().m, 33);
}

/// A crash or a closed terminal loses at most the command being typed, wherever the file was cut off.
#[test]
fn saved_line_by_line_and_resumed_from_any_cut() {
    let mut t = Tracker::new(bridge(), 3);
    let mut file = String::new();
    file.push_str(&t.unwritten());
    let mut states = vec![t.state().clone()];
    for _ in 0..12 {
        t.key(Key::Enter);
        let new = t.unwritten();
        if !new.is_empty() {
            states.push(t.state().clone());
        }
        file.push_str(&new);
    }
    let header = file.find('\n').unwrap() + 1;
    for cut in (header..=file.len()).step_by(997).chain([file.len()]) {
        let part = String::from_utf8_lossy(&file.as_bytes()[..cut]).into_owned();
        let again = Tracker::resume(&part, 3).unwrap();
        let whole = part[header..]
            .lines()
            .filter(|l| l.ends_with("\"}") && serde_json::from_str::<serde_json::Value>(l).is_ok())
            .count();
        assert_eq!(again.state(), &states[whole], "cut at {cut}");
    }
}

#[test]
fn the_file_on_the_disk() {
    let dir = std::env::temp_dir().join(format!("muster-horde-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let path = dir.join("bridge.record");
    let mut t = Tracker::new(bridge(), 3);
    let mut file = terminal::open_file(&path, &mut t, false).unwrap();
    t.key(Key::Enter);
    terminal::save(&mut file, &mut t).unwrap();
    drop(file);
    // The power went while a line was written.
    let mut text = std::fs::read_to_string(&path).unwrap();
    text.push_str("{\"n\":2,\"by\":\"umpire\",\"do\":\"nex");
    std::fs::write(&path, &text).unwrap();
    let mut again = Tracker::resume(&text, 3).unwrap();
    assert_eq!(again.state(), t.state());
    let mut file = terminal::open_file(&path, &mut again, true).unwrap();
    again.key(Key::Tab);
    terminal::save(&mut file, &mut again).unwrap();
    let whole = std::fs::read_to_string(&path).unwrap();
    assert_eq!(Tracker::resume(&whole, 3).unwrap().state(), again.state());
    assert!(
        terminal::open_file(&path, &mut Tracker::new(bridge(), 1), false).is_err(),
        "nothing is overwritten"
    );
    std::fs::remove_dir_all(&dir).unwrap();
}

/// HC-160: a turn given by a ruling is a new turn, with nothing of the last one counted.
#[test]
fn a_turn_by_ruling_begins_anew() {
    let mut t = Tracker::new(bridge(), 1);
    t.key(Key::Enter);
    for round in 1..=2 {
        while t.state().round < round {
            t.key(Key::Tab);
        }
        say(&mut t, "turn guard");
        say(&mut t, "guard stun jor roll 99");
        assert!(!shown(&t, 80, 24).contains("HC-160"), "{}", shown(&t, 80, 24));
        // Within one turn it stays at once.
        say(&mut t, "guard stun jor roll 99");
        assert!(shown(&t, 80, 24).contains("once a turn"), "{}", shown(&t, 80, 24));
        // The one who acts may have a turn anew as well.
        say(&mut t, "turn guard");
        say(&mut t, "guard stun jor roll 99");
        assert!(!shown(&t, 80, 24).contains("HC-160"), "{}", shown(&t, 80, 24));
    }
    say(&mut t, "turn jor");
    assert_eq!(t.state().units[4].horde().unwrap().turn_mb, None, "its turn has ended");
    say(&mut t, "jor after guard");
    say(&mut t, "turn guard");
    say(&mut t, "guard stun jor roll 99");
    assert!(!shown(&t, 80, 24).contains("once a turn"), "{}", shown(&t, 80, 24));
}

#[test]
fn control_u_empties_the_line_and_takes_nothing_back() {
    use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
    let mut t = Tracker::new(bridge(), 1);
    say(&mut t, "guard -4");
    "guard -9".chars().for_each(|c| t.key(Key::Char(c)));
    let key = terminal::key_of(KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL));
    t.key(key.unwrap());
    assert!(shown(&t, 80, 24).contains("\n> _"));
    assert_eq!(t.state().units[4].horde().unwrap().m, 31);
}

#[test]
fn one_record_has_one_tracker() {
    let dir = std::env::temp_dir().join(format!("muster-horde-lock-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let path = dir.join("w.jsonl");
    let mut first = Tracker::new(bridge(), 3);
    let mut file = terminal::open_file(&path, &mut first, false).unwrap();
    first.key(Key::Enter);
    terminal::save(&mut file, &mut first).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let mut second = Tracker::resume(&text, 3).unwrap();
    let no = terminal::open_file(&path, &mut second, true).unwrap_err();
    assert_eq!(no.kind(), std::io::ErrorKind::ResourceBusy);
    assert!(no.to_string().contains("another tracker"), "{no}");
    // It wrote on and left; the second has an old copy in hand.
    first.key(Key::Tab);
    terminal::save(&mut file, &mut first).unwrap();
    drop(file);
    assert!(terminal::open_file(&path, &mut second, true).is_err());
    let now = std::fs::read_to_string(&path).unwrap();
    assert!(now.len() > text.len() && now.starts_with(&text), "nothing is deleted");
    let mut third = Tracker::resume(&now, 3).unwrap();
    drop(terminal::open_file(&path, &mut third, true).unwrap());
    // The last line whole but for its end: the next one begins a line of its own.
    std::fs::write(&path, now.trim_end()).unwrap();
    let mut fourth = Tracker::resume(now.trim_end(), 3).unwrap();
    let mut file = terminal::open_file(&path, &mut fourth, true).unwrap();
    fourth.key(Key::Tab);
    terminal::save(&mut file, &mut fourth).unwrap();
    let whole = std::fs::read_to_string(&path).unwrap();
    assert_eq!(Tracker::resume(&whole, 3).unwrap().state(), fourth.state());
    std::fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn a_spoilt_record_says_from_where_one_can_go_on() {
    let mut t = Tracker::new(bridge(), 3);
    let mut file = t.unwritten();
    for _ in 0..6 {
        t.key(Key::Tab);
        file.push_str(&t.unwritten());
    }
    let lines: Vec<&str> = file.lines().collect();
    // Two trackers wrote: the fourth line came twice.
    let mut twice = lines.clone();
    twice.insert(4, lines[3]);
    let problem = Tracker::resume(&twice.join("\n"), 3).unwrap_err();
    assert_eq!(problem.place.as_ref().unwrap().line, 5, "{problem}");
    assert!(problem.hint.unwrap().contains("lines 1 to 4 are sound"));
    assert!(Tracker::resume(&twice[..4].join("\n"), 3).is_ok());
    // A line in the middle that does not read: what stands after it is not thrown away.
    let torn = &lines[4][..20];
    let mut middle = lines.clone();
    middle[4] = torn;
    let problem = Tracker::resume(&middle.join("\n"), 3).unwrap_err();
    assert!(problem.hint.unwrap().contains("lines 1 to 4 are sound"));
}

#[test]
fn a_changed_encounter_file_is_noticed() {
    let mut t = Tracker::new(bridge(), 3);
    let text = t.unwritten();
    let mut t = Tracker::resume(&text, 3).unwrap();
    let open = |text: &str| horde::cli::open("bridge.toml", text, horde::cli::Settings::default()).unwrap().0;
    assert_eq!(t.relation_to(&open(BRIDGE)), Relation::Same);
    for edit in [
        BRIDGE.replacen("magnitude = 35", "magnitude = 36", 1),
        BRIDGE.replacen("name = \"The bridge", "name = \"A bridge", 1),
        BRIDGE.replacen("label = \"guard\"", "label = \"watch\"", 1).replace(" guard ", " watch "),
    ] {
        assert_eq!(t.relation_to(&open(&edit)), Relation::Edited, "{edit}");
    }
    t.warn("bridge.toml has changed");
    assert!(shown(&t, 80, 24).contains("bridge.toml has changed; resumed"));
}

/// HC-206: two worlds that differ only in exact Magnitudes and foes' profiles look the same to players.
#[test]
fn players_screen_does_not_tell_magnitudes() {
    let mut t = Tracker::new(bridge(), 5);
    for n in 0..30 {
        let game = bridge();
        let Some((twin_game, twin)) = game.twin(t.state(), Viewer::Spectator, n) else { panic!("no twin") };
        let mut a = Tracker::from_state(game, t.state().clone(), 1);
        let mut b = Tracker::from_state(twin_game, twin, 1);
        a.key(Key::F(6));
        b.key(Key::F(6));
        assert_eq!(shown(&a, 80, 24), shown(&b, 80, 24));
        assert_ne!(a.state(), b.state());
        t.key(Key::Enter);
    }
    t.key(Key::F(6));
    let log = t.export(true);
    for word in ["Magnitude", "needs", "soak", "size", "Ruling", "lost"] {
        assert!(!log.contains(word), "{word} in\n{log}");
    }
}

#[test]
fn it_fits_small_and_large_windows() {
    let t = Tracker::new(bridge(), 5);
    for (w, h) in [(20, 8), (40, 12), (80, 24), (200, 60)] {
        assert!(!shown(&t, w, h).trim().is_empty());
    }
}

/// A record of an earlier release, whose tables know nothing of what is kept between attacks: it opens and goes on as it
/// was begun.
#[test]
fn a_record_of_an_earlier_release_opens() {
    let text = include_str!("records/bridge.jsonl");
    let mut t = Tracker::resume(text, 3).unwrap();
    assert_eq!(t.state().round, 2);
    assert!(!t.state().options.t().handling.kept, "what it did not keep is not kept now");
    say(&mut t, "jor semi boltgun guard 2 hits");
    assert!(t.state().units.iter().all(|u| u.loads.is_empty()));
    // Tables older still, in which a whole part is lacking.
    let (header, lines) = text.split_once('\n').unwrap();
    let mut header: serde_json::Value = serde_json::from_str(header).unwrap();
    for key in ["turn", "guarded", "coarse"] {
        header["rules"]["tables"].as_object_mut().unwrap().remove(key).unwrap();
    }
    for row in header["rules"]["tables"]["action"].as_array_mut().unwrap() {
        row.as_object_mut().unwrap().remove("cost").unwrap();
    }
    let older = format!("{header}\n{lines}");
    assert_eq!(Tracker::resume(&older, 3).unwrap().state().round, 2);
}

/// The tables of a record that was begun before a Horde's limits held out of turn: it plays as it was played.
#[test]
fn what_is_strict_now_is_not_in_records_of_earlier_tables() {
    let mut rules = plain_rules();
    for key in ["strict", "stricter", "exact"] {
        rules["tables"]["handling"].as_object_mut().unwrap().remove(key).unwrap();
    }
    let old = Encounter::from_file("bridge.toml", BRIDGE, &rules).unwrap().0;
    let mut t = Tracker::new(old, 1);
    assert!(!t.state().options.t().handling.strict);
    t.key(Key::Enter);
    while t.state().current().is_none_or(|id| &*t.state().unit(id).label != "guard") {
        t.key(Key::Tab);
    }
    say(&mut t, "guard stun jor roll 99");
    say(&mut t, "turn jor");
    say(&mut t, "guard stun jor roll 99");
    assert!(!shown(&t, 80, 24).contains("HC-160"), "out of turn nothing was counted");
    say(&mut t, "turn guard");
    say(&mut t, "guard stun jor roll 99");
    assert!(shown(&t, 80, 24).contains("HC-160"), "a turn by ruling went on with the last one");
    say(&mut t, "jor semi boltgun guard roll 12 45 dice 9 9 9 9 9 9 9 9 9 9");
    assert!(!t.export(false).contains("not wanted"));
    let text = t.unwritten();
    assert_eq!(Tracker::resume(&text, 1).unwrap().state(), t.state());
    // What was in reach of its own side stays where it was; a new file is told.
    let odd = BRIDGE.replacen("engaged = [\"sev\"]", "engaged = [\"sev\", \"guard\", \"mob\"]", 1);
    assert!(Encounter::from_file("bridge.toml", &odd, &rules).is_ok());
    let all = Encounter::from_file("bridge.toml", &odd, &plain_rules()).unwrap_err().to_string();
    assert!(all.contains("names guard, of its own side") && all.contains("names itself"), "{all}");
}

#[test]
fn dice_too_many_are_told_and_not_passed_over() {
    let mut t = Tracker::new(bridge(), 1);
    t.key(Key::Enter);
    for (line, why) in [
        ("jor standard boltgun guard roll 12 45 dice 2 6 1 1", "2 rolls to hit are named and 1 is wanted"),
        (
            "jor standard boltgun guard roll 12 dice 2 6 1 1 7",
            "5 dice are named and 4 are wanted: 1 too many",
        ),
        ("guard fear 2 roll 42 17 3", "Fear has two dice, not 3"),
        ("sev stun zealots", "a whole Horde"),
    ] {
        let before = t.state().clone();
        say(&mut t, line);
        assert_eq!(t.state(), &before, "{line}");
        let seen = shown(&t, 80, 24).replace('\n', " ");
        assert!(seen.contains(why), "{line}: {seen}");
    }
    // A miss wants no damage: that is told, and nothing else is wrong with it.
    say(&mut t, "jor standard boltgun guard roll 99 dice 2 6 1 1");
    assert!(shown(&t, 80, 24).contains("jor: dice were not wanted: 2, 6, 1, 1."), "{}", shown(&t, 80, 24));
    // Typed in answer to a question.
    t.set_rolled(false);
    say(&mut t, "jor standard boltgun guard");
    say(&mut t, "12 2 6 1 1 9 8");
    assert!(shown(&t, 80, 24).contains("dice too many, not used: 9, 8"), "{}", shown(&t, 80, 24));
}

#[test]
fn a_reaction_may_bring_the_dice_of_the_damage() {
    let mut t = Tracker::new(bridge(), 1);
    t.key(Key::Enter);
    say(&mut t, "turn guard");
    say(&mut t, "guard standard knife jor roll 12");
    assert!(t.state().volley.is_some());
    let before = t.state().units[0].person().unwrap().wounds;
    say(&mut t, "jor parry roll 99 dice 2 9 4");
    assert!(t.state().volley.is_none(), "{}", shown(&t, 80, 24));
    // HX-13: keeps the 9, with Strength 3 against soak 7.
    assert_eq!(t.state().units[0].person().unwrap().wounds, before - 5, "{}", t.export(false));
    let text = t.unwritten();
    assert_eq!(Tracker::resume(&text, 1).unwrap().state(), t.state());
}

#[test]
fn a_die_named_in_the_command_may_be_changed() {
    let mut t = Tracker::new(bridge(), 1);
    t.key(Key::Enter);
    say(&mut t, "jor standard boltgun guard roll 12 dice 1 1 1 1");
    let m = |t: &Tracker| t.state().units[4].horde().unwrap().m;
    assert_eq!(m(&t), 33);
    say(&mut t, "die 1 99");
    assert_eq!(m(&t), 35, "{}", shown(&t, 80, 24));
    say(&mut t, "die 1 12");
    assert_eq!(m(&t), 33);
    for (line, why) in [
        ("die 9 3", "had 5 dice"),
        ("die 0 3", "had 5 dice"),
        ("die 2 11", "d10 cannot show 11"),
        ("die 2 99999999999", "cannot show"),
        ("die x", "die N VALUE"),
    ] {
        let before = t.state().clone();
        say(&mut t, line);
        assert_eq!(t.state(), &before, "{line}");
        assert!(shown(&t, 80, 24).contains(why), "{line}: {}", shown(&t, 80, 24));
    }
}

#[test]
fn a_loss_may_have_a_reason() {
    let mut t = Tracker::new(bridge(), 1);
    say(&mut t, "guard -4 because the bridge fell");
    say(&mut t, "jor 2 wounds because he fell too");
    assert_eq!(t.state().units[4].horde().unwrap().m, 31);
    assert!(t.export(false).contains("guard -4, because the bridge fell."), "{}", t.export(false));
    assert!(!t.export(true).contains("bridge fell"));
    let text = t.unwritten();
    assert!(text.contains("he fell too"));
    assert_eq!(Tracker::resume(&text, 1).unwrap().state(), t.state());
    say(&mut t, "next because I say so");
    assert!(shown(&t, 80, 24).contains("only a ruling, a loss or a gain"));
}

#[test]
fn numbers_that_cannot_be_are_told_as_they_were_typed() {
    let mut t = Tracker::new(bridge(), 1);
    t.key(Key::Enter);
    for (line, why) in [
        ("guard -99999999999", "a loss of -99999999999 (-999 to +999"),
        ("guard magnitude -3", "Magnitude is -3 (0 to 999"),
        ("guard magnitude 99999999999", "Magnitude is 99999999999 (0 to 999"),
        ("jor semi -3 hits guard", "-3 hits (0 to 200"),
        ("jor 3 hits -5 guard", "-5 damage (0 to 999"),
        ("jor semi guard 99999999999m", "a range of 99999999999m (0m to 9999m"),
        ("jor semi guard +99999999999", "a modifier of +99999999999"),
        ("jor semi guard roll 0", "the d100"),
        ("jor semi guard roll 101", "a d100 is 101 (1 to 100"),
        ("jor semi guard 99999999999 hits", "99999999999 hits (0 to 200"),
        ("jor semi guard 99999999999", "what is 99999999999?"),
        ("jor dodge #99999999999", "no attack waits"),
        ("jor -99999999999 wounds", "wounds is -99999999999"),
        ("add horde \"a b\" hive_riot 20", "cannot be a label: it is one word (`a_b` would do)"),
        ("guard split 5 left/right", "`left_right` would do"),
    ] {
        let before = t.state().clone();
        say(&mut t, line);
        assert_eq!(t.state(), &before, "{line}");
        let seen = shown(&t, 120, 24);
        if !line.contains("roll 0") {
            assert!(seen.contains(why), "{line}: {seen}");
        }
        t.key(Key::Clear);
    }
}

#[test]
fn a_weapon_that_fired_more_than_it_held_is_empty_and_no_less() {
    let mut t = Tracker::new(bridge(), 1);
    t.key(Key::Enter);
    for _ in 0..20 {
        say(&mut t, "mira full heavy_stubber guard braced roll 93");
    }
    let seen = shown(&t, 160, 24);
    assert!(seen.contains(" 0/80 EMPTY") || seen.contains(" 0/") && seen.contains("EMPTY"), "{seen}");
    assert!(!seen.contains("-8/80") && seen.contains("had 8 shots too few for that"), "{seen}");
}

/// HC-025: a usual attack may be unbraced; `braced` says that this one is not.
#[test]
fn braced_takes_the_usual_penalty_away() {
    let text = BRIDGE.replacen(
        "shoot = \"standard heavy_flamer mob\"",
        "shoot = \"full heavy_stubber mob unbraced\"",
        1,
    );
    let game = Encounter::from_file("bridge.toml", &text, &plain_rules()).unwrap().0;
    let mut t = Tracker::new(game, 1);
    t.key(Key::Enter);
    say(&mut t, "mira full heavy_stubber mob roll 99");
    assert!(t.export(false).contains("unbraced"), "{}", t.export(false));
    t.key(Key::F(7));
    say(&mut t, "mira full heavy_stubber mob braced roll 99");
    let log = t.export(false);
    assert!(!log.lines().last().unwrap_or("").contains("-30 unbraced"), "{log}");
    let text = t.unwritten();
    assert_eq!(Tracker::resume(&text, 1).unwrap().state(), t.state());
}

/// However many there are, the one who acts and the attacks that wait for an answer are seen.
#[test]
fn a_crowd_shows_who_acts_and_what_waits() {
    let mut text = String::new();
    for n in 0..30 {
        text += &format!("[[heretic]]\nlabel = \"p{n}\"\nprofile = \"human\"\ninitiative = {}\n", 40 - n);
    }
    text += "[[horde]]\nlabel = \"mob\"\nprofile = \"makuu_guardsmen\"\nmagnitude = 35\ninitiative = 1\n";
    let game = Encounter::from_file("crowd.toml", &text, &plain_rules()).unwrap().0;
    let mut t = Tracker::new(game, 1);
    for height in [12, 24] {
        while &*t.state().unit(t.state().current().unwrap()).label != "mob" {
            t.key(Key::Tab);
        }
        let seen = shown(&t, 80, height);
        assert!(seen.contains("> 1 mob") && seen.contains("more than this window shows"), "{seen}");
        say(&mut t, "mob shoots p1 p2 p29 lasgun standard roll 1 1 1");
        let seen = shown(&t, 80, height);
        assert!(seen.contains("mob on p1: 1 hit"), "{seen}");
        say(&mut t, "p1 takes it");
        say(&mut t, "p2 takes it");
        let seen = shown(&t, 80, height);
        assert!(seen.contains("mob on p29: 1 hit") && seen.contains("> 1 mob"), "{seen}");
        say(&mut t, "p29 takes it");
        t.key(Key::Tab);
    }
}

#[test]
fn a_line_that_was_changed_and_still_plays_is_told() {
    let mut t = Tracker::new(bridge(), 3);
    t.key(Key::Enter);
    let text = t.unwritten();
    let forged = text.replacen("\"say\":\"kael", "\"say\":\"Kael", 1);
    assert_ne!(text, forged);
    let t = Tracker::resume(&forged, 3).unwrap();
    assert!(shown(&t, 120, 24).contains("line 2 is not the one that was written"), "{}", shown(&t, 120, 24));
    assert!(!shown(&Tracker::resume(&text, 3).unwrap(), 120, 24).contains("not the one"));
}

/// HC-206: a Horde beside the characters is one word to the players too.
#[test]
fn an_allied_horde_shows_players_no_number() {
    let text = "[[heretic]]\nlabel = \"jor\"\nprofile = \"human\"\nweapons = [\"boltgun\"]\n[[horde]]\nlabel = \"rebels\"\nprofile = \"renegade_militia\"\nmagnitude = 21\nside = \"heretics\"\n[[horde]]\nlabel = \"mob\"\nprofile = \"hive_riot\"\nmagnitude = 22\n";
    let game = || Encounter::from_file("ally.toml", text, &plain_rules()).unwrap().0;
    let mut t = Tracker::new(game(), 5);
    for n in 0..20 {
        let view = game().view(t.state(), Viewer::Spectator);
        let all = serde_json::to_string(&view).unwrap();
        assert!(view.heretics.len() == 1 && !all.contains("\"original\""), "{all}");
        let (g, guess) = game().possible(&view, n);
        assert_eq!(g.view(&guess, Viewer::Spectator), view);
        let (_, twin) = game().twin(t.state(), Viewer::Spectator, n).unwrap();
        assert_eq!(game().view(&twin, Viewer::Spectator), view);
        t.key(Key::Enter);
    }
    t.key(Key::F(6));
    let seen = shown(&t, 80, 24);
    assert!(seen.contains("rebels     Renegade militia is"), "{seen}");
    let log = t.export(true);
    assert!(!log.contains("rebels at mob") && log.contains("jor at mob"), "{log}");
}

/// A die changed so that another is wanted takes nothing away until it is complete.
#[test]
fn a_die_changed_and_left_undone_leaves_what_stood() {
    let mut t = Tracker::new(bridge(), 1);
    t.set_rolled(false);
    say(&mut t, "jor standard boltgun guard");
    say(&mut t, "99");
    let (state, log) = (t.state().clone(), t.export(false));
    say(&mut t, "die 1 20");
    assert!(t.asked().is_some());
    assert_eq!(t.state(), &state, "it waits");
    say(&mut t, "9");
    t.key(Key::Esc);
    assert!(shown(&t, 80, 24).contains("nothing has happened"));
    assert_eq!((t.state(), t.export(false)), (&state, log));
    say(&mut t, "die 1 20");
    say(&mut t, "9");
    say(&mut t, "9 9 9");
    assert_eq!(t.state().units[4].horde().unwrap().m, 33);
    let text = t.unwritten();
    assert_eq!(Tracker::resume(&text, 1).unwrap().state(), t.state());
}

/// Records of tables before the key of the cone, of the modes that suppress and of the reinforced.
#[test]
fn what_is_stricter_now_is_not_in_records_of_earlier_tables() {
    let text =
        BRIDGE.replacen("shoot = \"standard heavy_flamer mob\"", "shoot = \"full heavy_flamer mob\"", 1);
    assert_ne!(text, BRIDGE);
    let all = Encounter::from_file("bridge.toml", &text, &plain_rules()).unwrap_err().to_string();
    assert!(all.contains("has no such mode"), "{all}");
    let mut rules = plain_rules();
    for key in ["stricter", "exact"] {
        rules["tables"]["handling"].as_object_mut().unwrap().remove(key).unwrap();
    }
    let old = Encounter::from_file("bridge.toml", &text, &rules).unwrap().0;
    let mut t = Tracker::new(old, 1);
    say(&mut t, "guard breaks");
    say(&mut t, "guard returns");
    assert!(shown(&t, 80, 24).contains("guard holds"), "{}", shown(&t, 80, 24));
    say(&mut t, "guard reinforce 1");
    assert!(t.state().units[4].fights(), "as it was");
    let mut t = Tracker::new(bridge(), 1);
    say(&mut t, "guard breaks");
    say(&mut t, "guard reinforce 1");
    assert!(!t.state().units[4].fights() && t.state().units[4].horde().unwrap().m == 36);
    say(&mut t, "guard holds");
    assert!(t.state().units[4].fights());
    let flamer = t.state().units.iter().find(|u| u.weapon("heavy_flamer").is_some()).unwrap();
    let (label, range) =
        (flamer.label.to_string(), flamer.weapon("heavy_flamer").unwrap().range_m(3).unwrap());
    let far = format!("{label} standard heavy_flamer mob {}m", range + 1);
    say(&mut t, &far);
    assert!(shown(&t, 80, 24).contains(&format!("a cone reaches {range} m")), "{}", shown(&t, 80, 24));
    assert!(
        horde::words::parse(t.state(), &far.replace(&(range + 1).to_string(), &range.to_string())).is_ok()
    );
}
