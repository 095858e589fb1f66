//! Campaigns of computer nations: every season keeps the invariants; what is sent in another sequence comes out the
//! same; what a nation may not know changes nothing that it gets.

use campaign::order::SetState;
use campaign::{
    Campaign, Command, Event, NationId, Phase, Reader, Rules, State, computer, view, world::shipped,
};
use dice::{Key, Seeded};
use game::{Actor, Game, Table, Viewer};
use std::collections::BTreeMap;

fn campaign(name: &str) -> Campaign {
    let rules = Rules::shipped();
    Campaign::new(shipped(name).unwrap(), Some(name.to_owned()), rules, true)
}

fn dice(seed: u64) -> Seeded {
    Seeded::new(Key::from_seed(seed).with_words("campaign", &[]))
}

fn orders_of(c: &Campaign, state: &State, nation: NationId, guess: u64) -> Command {
    let seen = view(state, Reader::Nation(nation));
    let texts = computer::texts(c.world(), c.rules_in_force(), &seen, guess);
    let n = usize::try_from(guess).unwrap() % texts.len().max(1);
    let text = texts.get(if guess % 5 == 4 { n } else { 0 }).cloned().unwrap_or_default();
    Command::Orders { nation, sent: 1, received: 1, state: SetState::Confirmed, text }
}

/// Whatever happens, this holds.
fn invariants(c: &Campaign, state: &State, at: &str) {
    let rules = c.rules_in_force();
    for (nation, standing) in &state.nations {
        let force = state.force(rules, *nation);
        // Replacement generals are free and may pass 72 AP (CAM-026).
        assert!(force.ap <= rules.limit("force_most") + 12, "{at}: {nation} has {} AP", force.ap);
        if standing.out {
            assert_eq!(force.ap, 0, "{at}: {nation} is out and has troops");
            assert_eq!(state.cities(*nation).count(), 0, "{at}: {nation} is out and has cities");
        }
    }
    for place in state.owners.keys() {
        assert!(c.world().place(*place).city, "{at}: {place} has no city and an owner");
    }
    for (id, body) in &state.bodies {
        assert!(!body.elements.is_empty(), "{at}: {id} is empty");
        assert!(c.world().places.contains_key(&body.at), "{at}: {id} is nowhere");
        let mut labels: Vec<_> = body.elements.iter().map(|e| e.label).collect();
        labels.sort();
        labels.dedup();
        assert_eq!(labels.len(), body.elements.len(), "{at}: {id} has an element twice");
        if body.is_army(rules) {
            assert!(body.ap(rules) <= rules.limit("army_most") + 24, "{at}: {id} has {} AP", body.ap(rules));
        }
    }
    let mut all = BTreeMap::new();
    for (id, body) in &state.bodies {
        for e in &body.elements {
            assert_eq!(
                all.insert((id.nation, e.label), *id),
                None,
                "{at}: {}.{} is in two bodies",
                id.nation,
                e.label
            );
        }
    }
    for (a, b) in &state.allies {
        assert!(a < b, "{at}: the alliance of {a} and {b} is written twice");
    }
    for vassal in state.lords.keys() {
        assert!(!state.above(*vassal, *vassal), "{at}: {vassal} stands in a ring of vassals");
        assert!(state.plays(*vassal), "{at}: {vassal} is out and a vassal");
    }
}

/// AP comes in by raising, promotion and replacement only.
fn conserved(before: i64, after: i64, events: &[Event], at: &str) {
    let brought = |e: &&Event| match e {
        Event::Decided(entry) => {
            ["raised", "promoted", "replaced_general"].iter().any(|w| entry.fact.starts_with(w))
        }
        _ => false,
    };
    let most = i64::try_from(events.iter().filter(brought).count()).unwrap() * 6;
    assert!(after <= before + most, "{at}: {before} AP became {after} with at most {most} raised");
}

fn total(c: &Campaign, state: &State) -> i64 {
    state.nations.keys().map(|n| state.force(c.rules_in_force(), *n).ap).sum()
}

/// Plays some years; `turned`: the nations' orders are sent in the contrary sequence.
fn play(name: &str, seed: u64, years: u32, turned: bool) -> (Table<Campaign>, u32) {
    let mut table = Table::new(campaign(name), None, vec![]);
    let mut dice = dice(seed);
    let mut battles = 0;
    while table.state().year <= years && table.state().phase != Phase::Over {
        let at = format!("{name} seed {seed}, {}", table.state().when());
        let mut nations: Vec<NationId> = table.state().playing().collect();
        if turned {
            nations.reverse();
        }
        for nation in nations {
            let guess = seed ^ u64::from(table.state().number());
            let command = orders_of(table.game(), table.state(), nation, guess);
            table.command(Actor::Umpire, &command, &mut dice).unwrap_or_else(|e| panic!("{at}: {e}"));
        }
        let before = total(table.game(), table.state());
        let mut events = Vec::new();
        events.extend(table.command_text(Actor::Umpire, "adjudicate", &mut dice).unwrap().events);
        while table.state().phase == Phase::Battles {
            let open = table.state().turn.battles.iter().find(|b| b.result.is_none()).unwrap().name();
            let fight = Command::Fight(open);
            events.extend(
                table
                    .command(Actor::Umpire, &fight, &mut dice)
                    .unwrap_or_else(|e| panic!("{at}: {e}"))
                    .events,
            );
            battles += 1;
        }
        conserved(before, total(table.game(), table.state()), &events, &at);
        invariants(table.game(), table.state(), &at);
    }
    (table, battles)
}

fn runs(name: &str, seeds: std::ops::Range<u64>, years: u32) {
    let mut fought = 0;
    for seed in seeds {
        let (table, battles) = play(name, seed, years, false);
        fought += battles;
        let (other, _) = play(name, seed, years, true);
        assert_eq!(
            table.game().digest(table.state()),
            other.game().digest(other.state()),
            "{name} seed {seed}: the sequence of sending changed the campaign"
        );
        let record = game::record::Record::parse(&table.record().print()).unwrap();
        let again: Table<Campaign> =
            Table::replay(&record).unwrap_or_else(|e| panic!("{name} seed {seed}: {e}"));
        assert_eq!(again.state(), table.state(), "{name} seed {seed}: the replay differs");
    }
    assert!(fought > 0, "{name}: nobody ever fought");
}

#[test]
fn campaigns_keep_the_invariants() {
    runs("evening", 1..3, 2);
}

#[test]
#[ignore = "reason: slow, run by cargo xtask slow"]
fn a_hundred_campaigns_of_ten_years() {
    runs("evening", 0..60, 10);
    runs("orrery", 0..40, 10);
}

/// Two campaigns that differ only in what a nation may not yet know: it gets the same bytes of both.
#[test]
fn a_secret_act_changes_nothing_for_others() {
    let (table, _) = play("evening", 5, 1, false);
    let c = table.game().clone();
    let start = table.state().clone();
    let nations: Vec<NationId> = start.playing().collect();
    let spy = nations[0];
    let run = |secret: &str| {
        let mut table = Table::from_position(c.clone(), start.clone(), None, vec![]);
        let mut dice = dice(5);
        for nation in &nations {
            let mut command = orders_of(&c, &start, *nation, 5);
            if *nation == spy
                && let Command::Orders { text, .. } = &mut command
            {
                text.push_str(secret);
            }
            table.command(Actor::Umpire, &command, &mut dice).unwrap();
        }
        table.command_text(Actor::Umpire, "adjudicate", &mut dice).unwrap();
        while table.state().phase == Phase::Battles {
            let open = table.state().turn.battles.iter().find(|b| b.result.is_none()).unwrap().name();
            table.command(Actor::Umpire, &Command::Fight(open), &mut dice).unwrap();
        }
        table
    };
    let at = start.cities(spy).next().unwrap();
    let (plain, secret) = (
        run(""),
        run(&format!("\ngrant {} passage through {at}\noffer alliance to {}", nations[1], nations[1])),
    );
    for (n, nation) in nations.iter().enumerate().skip(2) {
        let seat = Viewer::Seat(game::Seat(u8::try_from(n).unwrap()));
        assert_eq!(plain.seen_by(seat), secret.seen_by(seat), "{nation} learnt of a secret");
        assert_eq!(c.view(plain.state(), seat), c.view(secret.state(), seat), "{nation} sees a secret");
    }
    assert_ne!(plain.state().letters[&nations[1]], secret.state().letters[&nations[1]], "the secret is real");
}

#[test]
fn a_season_is_quick() {
    let c = campaign("orrery");
    let start = c.start();
    let mut table = Table::new(c.clone(), None, vec![]);
    let mut dice = dice(1);
    for nation in start.playing() {
        let command = orders_of(&c, &start, nation, 1);
        table.command(Actor::Umpire, &command, &mut dice).unwrap();
    }
    // Not a measure (tests have no clock): it must simply end.
    table.command_text(Actor::Umpire, "adjudicate", &mut dice).unwrap();
}
