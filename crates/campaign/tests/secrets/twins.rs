//! Two campaigns side by side for years: in the second one nation does, season after season, what another may not know
//! yet. As long as nothing of it can be seen, the reader gets the same bytes from both; once the worlds part in public
//! or the two meet, a new pair begins.

use super::{papers, seat};
use campaign::order::SetState;
use campaign::soak::orders;
use campaign::{Body, BodyId, Campaign, Command, NationId, Phase, PlaceId, Rules, State, world::shipped};
use dice::{Key, Seeded};
use game::{Actor, Game, Table};
use std::collections::{BTreeMap, BTreeSet};

/// What the pairs came to.
#[derive(Debug, Default)]
pub struct Tally {
    /// Seasons in which both worlds gave the reader the same.
    pub same: u32,
    /// Of these, seasons in which the worlds themselves were not the same.
    pub other: u32,
    /// The longest time that a pair held, in seasons.
    pub longest: u32,
    /// Pairs begun.
    pub pairs: u32,
}

type Texts = Vec<(NationId, String)>;

/// One season or winter; the battles that were fought in it.
fn season(table: &mut Table<Campaign>, texts: &Texts, dice: &mut Seeded) -> Vec<Vec<NationId>> {
    for (nation, text) in texts {
        let (nation, text) = (*nation, text.clone());
        let command = Command::Orders { nation, sent: 1, received: 1, state: SetState::Confirmed, text };
        table.command(Actor::Umpire, &command, dice).unwrap();
    }
    table.command(Actor::Umpire, &Command::Adjudicate, dice).unwrap();
    let battles = table.state().turn.battles.iter().map(campaign::battle::Battle::nations).collect();
    while let Some(open) = table.state().turn.battles.iter().find(|b| b.result.is_none()).map(|b| b.name()) {
        table.command(Actor::Umpire, &Command::Fight(open), dice).unwrap();
    }
    battles
}

/// What the spy's orders say besides in the second world.
fn secrets(c: &Campaign, state: &State, spy: NationId, reader: NationId, n: u32) -> String {
    let mut out = String::new();
    let own: Vec<(BodyId, &Body)> = state.bodies_of(spy).collect();
    if state.phase == Phase::Winter {
        // Troops that nobody has met: another list than in the first world.
        let city = state.cities(spy).last();
        let cheap = c.world().nation(spy).and_then(|n| n.costs.iter().min_by_key(|(_, cost)| **cost));
        if let (Some(city), Some((code, _))) = (city, cheap) {
            out.push_str(&format!("raise 1 {code} at {city}\n"));
        }
        return out;
    }
    let others: Vec<NationId> = state.playing().filter(|n| *n != spy && *n != reader).collect();
    if let (Some(other), Some(city)) =
        (others.get(n as usize % others.len().max(1)), state.cities(spy).next())
    {
        out.push_str(&format!("grant {other} passage through {city}\n"));
    }
    if let Some((id, _)) = own.iter().find(|(_, b)| b.has_general()) {
        out.push_str(&format!("{}: name general Secret{n}\n", id.short()));
    }
    for (id, body) in &own {
        for element in &body.elements {
            let (work, label) = match element.label.troop.code() {
                "Snk" => ("spy on", element.label),
                "Mag" => ("scry", element.label),
                _ => continue,
            };
            let near = c.world().exits(body.at).iter().find(|e| state.owner(e.to) != Some(spy));
            if let Some(exit) = near.filter(|_| id.n > 0) {
                out.push_str(&format!("{label}: {work} {}\n", exit.to));
            }
        }
    }
    out.push_str("A1: an order that nobody can read\n");
    out
}

fn meet(state: &State, a: NationId, b: NationId) -> bool {
    let places = |n| state.bodies_of(n).map(|(_, b)| b.at).collect::<BTreeSet<PlaceId>>();
    let owned = |n| state.cities(n).collect::<BTreeSet<PlaceId>>();
    let (of_a, of_b) = (places(a), places(b));
    of_a.intersection(&of_b).next().is_some()
        || of_a.intersection(&owned(b)).next().is_some()
        || of_b.intersection(&owned(a)).next().is_some()
}

/// What others than the spy are and have, and what all may see.
fn open(state: &State, spy: NationId) -> (String, BTreeMap<BodyId, Body>) {
    let public = format!("{:?} {:?} {:?} {:?}", state.owners, state.allies, state.lords, state.gazette);
    (public, state.bodies.iter().filter(|(id, _)| id.nation != spy).map(|(id, b)| (*id, b.clone())).collect())
}

/// Plays a campaign of some years beside its twins.
pub fn side_by_side(name: &str, seed: u64, years: u32) -> Tally {
    let c = Campaign::new(shipped(name).unwrap(), Some(name.to_owned()), Rules::shipped(), true);
    let mut state = c.start();
    let mut tally = Tally::default();
    while state.year <= years && state.phase != Phase::Over {
        let nations: Vec<NationId> = state.playing().collect();
        let at = usize::try_from(seed + u64::from(tally.pairs)).unwrap();
        // Readers and spies that do not stand together now.
        let pairs = nations.iter().flat_map(|a| nations.iter().map(move |b| (*a, *b)));
        let apart: Vec<_> = pairs.filter(|(a, b)| a != b && !meet(&state, *a, *b)).collect();
        let pair = apart.get(at % apart.len().max(1)).copied();
        let (reader, spy) = pair.unwrap_or((nations[0], nations[nations.len() - 1]));
        let dice = Seeded::new(Key::from_seed(seed).with_words("campaign", &[]));
        let fresh = || Table::from_position(c.clone(), state.clone(), None, vec![]);
        let (mut first, mut second) = (fresh(), fresh());
        let (mut dice_1, mut dice_2) = (dice.clone(), dice);
        tally.pairs += 1;
        let mut held = 0;
        while first.state().year <= years && first.state().phase != Phase::Over {
            let before = first.state().clone();
            if !before.plays(reader) || !before.plays(spy) {
                break;
            }
            let number = before.number();
            let of = |n: NationId| seed ^ u64::from(number) << 3 ^ n.as_str().len() as u64;
            let texts: Texts = before.playing().map(|n| (n, orders(&c, &before, n, of(n)))).collect();
            let mut changed = texts.clone();
            for (nation, text) in changed.iter_mut().filter(|(n, _)| *n == spy) {
                *text = format!("{}{text}", secrets(&c, &before, *nation, reader, number));
            }
            let mut battles = season(&mut first, &texts, &mut dice_1);
            let draft = Command::Orders {
                nation: spy,
                sent: 0,
                received: 0,
                state: SetState::Draft,
                text: "A1: hold".to_owned(),
            };
            second.command(Actor::Umpire, &draft, &mut dice_2).unwrap();
            if let Some(other) = before.playing().find(|n| *n != spy && *n != reader) {
                let note = format!("note {spy} {other} \"Between us two, in season {number}.\"");
                second.command_text(Actor::Umpire, &note, &mut dice_2).unwrap();
            }
            battles.extend(season(&mut second, &changed, &mut dice_2));
            let fought = battles.iter().any(|b| b.contains(&reader) && b.contains(&spy));
            let met = fought || [&before, first.state(), second.state()].iter().any(|s| meet(s, reader, spy));
            if met || open(first.state(), spy) != open(second.state(), spy) {
                break;
            }
            let seen = |t: &Table<Campaign>| {
                let events = serde_json::to_string(&t.seen_by(seat(&c, reader))).unwrap();
                events + &papers(&c, t.state(), reader)
            };
            assert_eq!(
                seen(&first),
                seen(&second),
                "{name} seed {seed}, {}: {reader} learns what {spy} did",
                before.when()
            );
            held += 1;
            tally.same += 1;
            tally.other += u32::from(c.digest(first.state()) != c.digest(second.state()));
        }
        tally.longest = tally.longest.max(held);
        state = first.state().clone();
    }
    tally
}

#[test]
fn twins_look_alike_for_two_years() {
    let tally = side_by_side("evening", 4, 2);
    assert!(tally.same > 1 && tally.other > 1, "{tally:?}");
}

#[test]
#[ignore = "reason: slow, run by cargo xtask slow"]
fn twins_look_alike_for_ten_years() {
    let mut all = Tally::default();
    for (name, seeds) in [("evening", 0..20), ("orrery", 0..20)] {
        for seed in seeds {
            let one = side_by_side(name, seed, 10);
            all.same += one.same;
            all.other += one.other;
            all.pairs += one.pairs;
            all.longest = all.longest.max(one.longest);
        }
    }
    println!("{all:?}");
    assert!(all.other > 500 && all.longest > 10, "{all:?}");
}
