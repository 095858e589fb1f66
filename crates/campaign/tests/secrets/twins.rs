//! Two campaigns side by side for years: in the second one nation does, season after season, what another may not know
//! yet. As long as nothing of it can be seen, the reader gets the same bytes from both; once the worlds part in public
//! or the two meet, a new pair begins.

use super::{papers, seat};
use campaign::order::SetState;
use campaign::soak::orders;
use campaign::{
    Body, BodyId, Campaign, Command, Event, NationId, Phase, PlaceId, Rules, State, world::shipped,
};
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

/// Where a nation's bodies have been.
type Ways = BTreeSet<(NationId, PlaceId)>;

/// One season or winter; where everybody was in it.
fn season(table: &mut Table<Campaign>, texts: &Texts, dice: &mut Seeded) -> Ways {
    let mut ways: Ways = stands(table.state());
    for (nation, text) in texts {
        let (nation, text) = (*nation, text.clone());
        let command = Command::Orders { nation, sent: 1, received: 1, state: SetState::Confirmed, text };
        table.command(Actor::Umpire, &command, dice).unwrap();
    }
    let mut events = table.command(Actor::Umpire, &Command::Adjudicate, dice).unwrap().events;
    while let Some(open) = table.state().turn.battles.iter().find(|b| b.result.is_none()).map(|b| b.name()) {
        events.extend(table.command(Actor::Umpire, &Command::Fight(open), dice).unwrap().events);
    }
    ways.extend(stands(table.state()));
    for event in events {
        let Event::Decided(entry) = event else { continue };
        // "moves Amber.1 Larch", "reacts …", "retreat …", "winters …": the place is what follows the body.
        let mut words = entry.fact.splitn(3, ' ');
        let (verb, body, place) = (words.next(), words.next(), words.next());
        let goes = matches!(verb, Some("moves" | "reacts" | "retreat" | "winters"));
        let (Some(Ok(body)), Some(Ok(place))) = (body.map(str::parse::<BodyId>), place.map(str::parse))
        else {
            continue;
        };
        if goes {
            ways.insert((body.nation, place));
        }
    }
    ways
}

fn stands(state: &State) -> Ways {
    let bodies = state.bodies.iter().map(|(id, b)| (id.nation, b.at));
    bodies.chain(state.owners.iter().map(|(place, nation)| (*nation, *place))).collect()
}

/// Where two texts part, with what stands about it.
fn parting(a: &str, b: &str) -> String {
    let same =
        a.char_indices().zip(b.chars()).take_while(|((_, x), y)| x == y).last().map_or(0, |((i, _), _)| i);
    let about = |t: &str| {
        let from = t.floor_char_boundary(same.saturating_sub(160));
        t[from..t.floor_char_boundary(same + 200)].to_owned()
    };
    format!("{}\n--- and ---\n{}", about(a), about(b))
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

fn meet(ways: &Ways, a: NationId, b: NationId) -> bool {
    ways.iter().any(|(nation, place)| *nation == a && ways.contains(&(b, *place)))
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
        let apart: Vec<_> = pairs.filter(|(a, b)| a != b && !meet(&stands(&state), *a, *b)).collect();
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
            let mut ways = season(&mut first, &texts, &mut dice_1);
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
            ways.extend(season(&mut second, &changed, &mut dice_2));
            // CAM-120: an overlord reads all about the army that its vassal supplies.
            let serves = [&before, first.state()].iter().any(|s| s.lord(spy) == Some(reader));
            let met = serves || meet(&ways, reader, spy);
            if met || open(first.state(), spy) != open(second.state(), spy) {
                break;
            }
            let seen = |t: &Table<Campaign>| {
                let events = serde_json::to_string(&t.seen_by(seat(&c, reader))).unwrap();
                events + &papers(&c, t.state(), reader)
            };
            let (one, other) = (seen(&first), seen(&second));
            assert!(
                one == other,
                "{name} seed {seed}, {}: {reader} learns what {spy} did: {}",
                before.when(),
                parting(&one, &other)
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
    for (name, seeds) in [("evening", 0..16), ("orrery", 0..3)] {
        for seed in seeds {
            let one = side_by_side(name, seed, 10);
            all.same += one.same;
            all.other += one.other;
            all.pairs += one.pairs;
            all.longest = all.longest.max(one.longest);
        }
    }
    println!("{all:?}");
    assert!(all.other > 200 && all.longest > 10, "{all:?}");
}
