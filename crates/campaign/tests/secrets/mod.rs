//! Secrecy over a long campaign: two worlds that differ only in what a nation may not know give it the same bytes:
//! events, view, letter, gazette, map, form, receipt, battle sheets.

mod twins;

use campaign::order::{OrderSet, SetState};
use campaign::soak::orders;
use campaign::{Campaign, Command, NationId, Phase, Reader, Rules, State, report, view, world::shipped};
use dice::{Key, Seeded};
use game::{Actor, Game, Seat, Table, Viewer};

/// Everything that a nation can get of a state.
fn papers(c: &Campaign, state: &State, nation: NationId) -> String {
    let (world, rules) = (c.world(), c.rules_in_force());
    let own = view(state, Reader::Nation(nation));
    let mut out = serde_json::to_string(&own).unwrap();
    out.push_str(&report::letter(world, rules, &own, ""));
    out.push_str(&report::gazette(world, &own, ""));
    out.push_str(&report::map_svg(world, rules, &own));
    out.push_str(&report::form(world, rules, &own));
    out.push_str(&report::pack(world, &own));
    let set = OrderSet { number: 1, text: "A1: hold\nA1: invade Nowhere".to_owned(), ..OrderSet::default() };
    let set = OrderSet { state: SetState::Submitted, ..set };
    let receipt = report::receipt(world, rules, &own, &[set]);
    out.push_str(&receipt.map(|r| r.text()).unwrap_or_default());
    out
}

fn seat(c: &Campaign, nation: NationId) -> Viewer {
    Viewer::Seat(c.seat_of(nation).unwrap_or(Seat(0)))
}

/// One season in a world, from its state on, with the orders given; the events that a nation saw of it.
fn season(
    c: &Campaign,
    from: &State,
    texts: &[(NationId, String)],
    dice: &mut Seeded,
    reader: NationId,
) -> (State, String) {
    let mut table = Table::from_position(c.clone(), from.clone(), None, vec![]);
    for (nation, text) in texts {
        let command = Command::Orders {
            nation: *nation,
            sent: 1,
            received: 1,
            state: SetState::Confirmed,
            text: text.clone(),
        };
        table.command(Actor::Umpire, &command, dice).unwrap();
    }
    table.command(Actor::Umpire, &Command::Adjudicate, dice).unwrap();
    let mut seen = papers(c, table.state(), reader);
    while let Some(open) = table.state().turn.battles.iter().find(|b| b.result.is_none()).map(|b| b.name()) {
        table.command(Actor::Umpire, &Command::Fight(open), dice).unwrap();
    }
    seen.push_str(&serde_json::to_string(&table.seen_by(seat(c, reader))).unwrap());
    seen.push_str(&papers(c, table.state(), reader));
    (table.state().clone(), seen)
}

/// Deeds of one nation that others may not learn of in the season they are done in.
fn secrets(state: &State, spy: NationId, other: NationId) -> Vec<String> {
    let city = state.cities(spy).next().map(|c| c.to_string()).unwrap_or_default();
    vec![
        format!("grant {other} passage through {city}"),
        format!("offer alliance to {other}"),
        "# a remark that nobody reads\nA1: an order that does not read".to_owned(),
    ]
}

/// In every season of a campaign of some years, one nation does in a twin world what no third may know, and troops
/// of its that nobody has met are others. The reader gets the same bytes from both.
pub fn long(name: &str, seed: u64, years: u32) -> (u32, u32) {
    let c = Campaign::new(shipped(name).unwrap(), Some(name.to_owned()), Rules::shipped(), true);
    let mut dice = Seeded::new(Key::from_seed(seed).with_words("campaign", &[]));
    let mut state = c.start();
    let (mut pairs, mut real) = (0, 0);
    while state.year <= years && state.phase != Phase::Over {
        let nations: Vec<NationId> = state.playing().collect();
        let turn = usize::try_from(u64::from(state.number()) + seed).unwrap();
        let spy = nations[turn % nations.len()];
        let other = nations[(turn + 1) % nations.len()];
        let number = u64::from(state.number());
        let texts: Vec<(NationId, String)> = nations
            .iter()
            .map(|n| (*n, orders(&c, &state, *n, seed ^ number ^ n.as_str().len() as u64)))
            .collect();
        for reader in nations.iter().copied().filter(|n| *n != spy && *n != other) {
            // What stands in the state already, and may not be seen.
            if let Some(twin) = c.twin(&state, seat(&c, reader), seed) {
                assert_eq!(
                    papers(&c, &state, reader),
                    papers(&c, &twin.1, reader),
                    "{name} seed {seed}, {}: {reader} sees what it may not",
                    state.when()
                );
                pairs += 1;
            }
        }
        let reader = nations.iter().copied().find(|n| *n != spy && *n != other);
        if let (Some(reader), Phase::Orders) = (reader, state.phase) {
            let plain = season(&c, &state, &texts, &mut dice.clone(), reader);
            for deed in secrets(&state, spy, other) {
                let mut changed = texts.clone();
                for (nation, text) in &mut changed {
                    if *nation == spy {
                        // In front, where the first line of a kind is not another's.
                        *text = format!("{deed}\n{text}");
                    }
                }
                let secret = season(&c, &state, &changed, &mut dice.clone(), reader);
                // A deed that others can see the effects of is none: an offer that is taken up, a way opened that is used.
                let same = |a: &State, b: &State| {
                    a.allies == b.allies
                        && a.lords == b.lords
                        && a.owners == b.owners
                        && places(a) == places(b)
                };
                if same(&plain.0, &secret.0) {
                    assert_eq!(
                        plain.1,
                        secret.1,
                        "{name} seed {seed}, {}: {reader} learns of {deed:?} of {spy}",
                        state.when()
                    );
                    pairs += 1;
                    real += u32::from(plain.0.letters.get(&spy) != secret.0.letters.get(&spy));
                }
            }
        }
        let reader = reader.unwrap_or(spy);
        state = season(&c, &state, &texts, &mut dice, reader).0;
    }
    (pairs, real)
}

/// Where everybody is.
fn places(state: &State) -> Vec<(campaign::BodyId, campaign::PlaceId)> {
    state.bodies.iter().map(|(id, b)| (*id, b.at)).collect()
}

#[test]
fn nothing_leaks_in_a_year() {
    let (pairs, real) = long("evening", 5, 1);
    assert!(pairs > 5 && real > 1, "{pairs} pairs, {real} of them with a secret that somebody was told");
}

#[test]
#[ignore = "reason: slow, run by cargo xtask slow"]
fn nothing_leaks_in_ten_years() {
    let (mut pairs, mut real) = (0, 0);
    for (name, seeds) in [("evening", 0..12), ("orrery", 0..8)] {
        for seed in seeds {
            let (p, r) = long(name, seed, 10);
            (pairs, real) = (pairs + p, real + r);
        }
    }
    println!("{pairs} pairs of worlds compared, {real} of them with a secret that somebody was told");
    assert!(real > 100);
}

/// What waits on the umpire's desk exists for nobody else: view, papers and events are those of before, until it is
/// published.
#[test]
fn what_is_held_is_the_umpires_alone() {
    let c = Campaign::new(shipped("evening").unwrap(), Some("evening".to_owned()), Rules::shipped(), true);
    let mut dice = Seeded::new(Key::from_seed(3).with_words("campaign", &[]));
    let mut table = Table::new(c.clone(), None, vec![]);
    table.command_text(Actor::Umpire, "hold on", &mut dice).unwrap();
    for _ in 0..6 {
        let nations: Vec<NationId> = table.state().playing().collect();
        for nation in &nations {
            let text = orders(&c, table.state(), *nation, 3);
            let command =
                Command::Orders { nation: *nation, sent: 1, received: 1, state: SetState::Confirmed, text };
            table.command(Actor::Umpire, &command, &mut dice).unwrap();
        }
        let before: Vec<String> = nations.iter().map(|n| papers(&c, table.state(), *n)).collect();
        let seen: Vec<usize> = nations.iter().map(|n| table.seen_by(seat(&c, *n)).len()).collect();
        table.command(Actor::Umpire, &Command::Adjudicate, &mut dice).unwrap();
        let unchanged = |table: &Table<Campaign>| {
            for (n, nation) in nations.iter().enumerate() {
                assert_eq!(papers(&c, table.state(), *nation), before[n], "{nation} sees what is held");
                assert_eq!(table.seen_by(seat(&c, *nation)).len(), seen[n], "{nation} hears of what is held");
                assert!(
                    table.owes().iter().all(|d| c.nation_of(d.seat).is_none()),
                    "a nation owes something"
                );
            }
        };
        unchanged(&table);
        let mine = nations[0];
        let early = Command::Orders {
            nation: mine,
            sent: 2,
            received: 2,
            state: SetState::Submitted,
            text: "A1: hold".to_owned(),
        };
        assert!(table.command(Actor::Umpire, &early, &mut dice).is_err(), "orders before publication");
        table.command_text(Actor::Umpire, &format!("say {mine} \"Rumours.\""), &mut dice).unwrap();
        unchanged(&table);
        // Its position is read back with what is held in it.
        let (again, state) = Campaign::open_position(&c.rules(), &c.position(table.state())).unwrap();
        assert_eq!(again.digest(&state), c.digest(table.state()));
        table.command(Actor::Umpire, &Command::Publish, &mut dice).unwrap();
        assert!(table.command(Actor::Umpire, &Command::Publish, &mut dice).is_err(), "published twice");
        while let Some(open) =
            table.state().turn.battles.iter().find(|b| b.result.is_none()).map(|b| b.name())
        {
            table.command(Actor::Umpire, &Command::Fight(open), &mut dice).unwrap();
        }
        if table.state().held.is_some() {
            table.command(Actor::Umpire, &Command::Publish, &mut dice).unwrap();
        }
        for (n, nation) in nations.iter().enumerate() {
            assert_ne!(papers(&c, table.state(), *nation), before[n], "{nation} has no letter");
        }
    }
}
