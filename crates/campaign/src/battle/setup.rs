//! Step 9: who fights whom, where, and how it is set up (CAM-070 to CAM-076, CAM-150 to CAM-157).

use super::{Battle, Contingent, Edge, Role, Side, TerrainDuty};
use crate::ids::{BodyId, Label, NationId, PlaceId};
use crate::log::Seen;
use crate::order::Act;
use crate::rules::Rules;
use crate::season::{Die, Work};
use crate::state::State;
use crate::turn::Stance;
use crate::world::{Mark, World};
use dice::NoDice;
use hott::table::{Class, TroopType};
use rulebook::rule;
use serde::Serialize;

/// All battles of the season, place by place.
pub(crate) fn find_battles(w: &mut Work<'_>) -> Result<Vec<Battle>, NoDice> {
    let mut out = Vec::new();
    let places: Vec<PlaceId> = w.world.places.keys().copied().collect();
    let most = usize::try_from(w.rules.int("battles_per_province")).unwrap_or(1);
    for place in places {
        let mut fighting: Vec<BodyId> =
            w.s.armies_at(w.rules, place)
                .into_iter()
                .filter(|id| w.marching(*id).stance == Stance::Battle)
                .collect();
        for nth in 1..=most {
            let Some(battle) = find_battle(w, place, &fighting, nth)? else { break };
            for role in [Role::Attacker, Role::Defender] {
                let side = battle.side(role);
                fighting.retain(|id| *id != side.prime && !side.with.contains(id));
            }
            let (a, d) = (battle.attacker.prime, battle.defender.prime);
            w.log(
                rule!("CAM-070"),
                Seen::among(battle.nations()),
                format!(
                    "to_fight {} {a} {d} {}",
                    battle.name(),
                    if battle.home { "home" } else { "neutral" }
                ),
                format!(
                    "Battle at {}: {a} against {d}; {} chooses the terrain and has the first bound.",
                    battle.name(),
                    d.nation
                ),
            );
            out.push(battle);
        }
        third(w, place, &fighting, out.iter().any(|b| b.at == place));
    }
    Ok(out)
}

/// CAM-151: third armies take no part and may not besiege.
fn third(w: &mut Work<'_>, place: PlaceId, rest: &[BodyId], battle: bool) {
    if !battle {
        return;
    }
    for id in rest {
        w.tell(
            id.nation,
            rule!("CAM-151"),
            format!("third {id} {place}"),
            format!("{} takes no part in the battle at {place}.", id.short()),
        );
    }
}

fn flagged(w: &Work<'_>, id: BodyId, act: &Act) -> bool {
    w.clauses(id).contains(act)
}

fn find_battle(
    w: &mut Work<'_>,
    place: PlaceId,
    fighting: &[BodyId],
    nth: usize,
) -> Result<Option<Battle>, NoDice> {
    // Of two armies neither has to be chosen first.
    let crowd =
        fighting.len() > 2 && fighting.iter().any(|a| fighting.iter().any(|b| w.hostile(*a, *b, place)));
    let sorted = w.by_size_among(fighting.to_vec(), 50 + nth, |_, _, _| crowd)?;
    let owner = w.s.owner(place);
    let own: Vec<BodyId> = sorted.iter().copied().filter(|id| Some(id.nation) == owner).collect();
    let hostile_of = |w: &Work<'_>, id: BodyId| sorted.iter().copied().find(|o| w.hostile(id, *o, place));
    // CAM-150: the owner's prime army.
    let prime = own.iter().copied().filter(|id| hostile_of(w, *id).is_some()).max_by_key(|id| {
        let inside = w.body(*id).is_some_and(|b| b.inside);
        (flagged(w, *id, &Act::Prime), inside, std::cmp::Reverse(sorted.iter().position(|x| x == id)))
    });
    let home = prime.is_some();
    let first = prime.or_else(|| sorted.iter().copied().find(|id| hostile_of(w, *id).is_some()));
    let Some(first) = first else { return Ok(None) };
    let Some(second) = hostile_of(w, first) else { return Ok(None) };
    let (attacker, defender) = if home { (second, first) } else { attack(w, place, first, second, nth)? };
    let mut battle = Battle {
        at: place,
        nth: u32::try_from(nth).unwrap_or(1),
        home,
        attacker: side(w, attacker),
        defender: side(w, defender),
        terrain: terrain(w.world, w.rules, place),
        bounds: w.rules.int("battle_bounds"),
        date: None,
        result: None,
    };
    secondaries(w, &mut battle, &sorted);
    Ok(Some(battle))
}

/// CAM-074: each side adds d6 and the provinces it controls; the higher is the attacker; ties are thrown again.
fn attack(
    w: &mut Work<'_>,
    place: PlaceId,
    a: BodyId,
    b: BodyId,
    nth: usize,
) -> Result<(BodyId, BodyId), NoDice> {
    let provinces = |w: &Work<'_>, id: BodyId| w.s.turn.provinces.get(&id.nation).copied().unwrap_or(0);
    for k in 0..64 {
        let x = w.d6("attacker", Die::body(a).at(place).k(nth * 64 + k))? + provinces(w, a);
        let y = w.d6("attacker", Die::body(b).at(place).k(nth * 64 + k))? + provinces(w, b);
        w.log(
            rule!("CAM-074"),
            Seen::among([a.nation, b.nation]),
            format!("attacker_roll {a} {x} {b} {y}"),
            format!("For the attack at {place}: {} {x}, {} {y}.", a.nation, b.nation),
        );
        match x.cmp(&y) {
            std::cmp::Ordering::Greater => return Ok((a, b)),
            std::cmp::Ordering::Less => return Ok((b, a)),
            std::cmp::Ordering::Equal => {}
        }
    }
    Ok((a, b))
}

fn side(w: &Work<'_>, prime: BodyId) -> Side {
    let body = w.body(prime);
    let commander = body.and_then(|b| b.commander().map(|i| b.elements[i].label));
    let reserves = body
        .map(|b| {
            b.elements.iter().filter(|e| e.general() && Some(e.label) != commander).map(|e| e.label).collect()
        })
        .unwrap_or_default();
    let came = body.and_then(|b| b.came).map(|c| (c.from, c.way));
    Side { prime, came, commander, reserves, contingents: Vec::new(), with: Vec::new() }
}

/// CAM-072, CAM-073, CAM-155.
fn terrain(world: &World, rules: &Rules, place: PlaceId) -> TerrainDuty {
    let mark = world.place(place).mark;
    let desert = mark == Some(Mark::Desert);
    let two = rules.is("desert_quarters", "two");
    TerrainDuty {
        features: if desert && two { rules.limit("hard_quarters") } else { rules.limit("terrain_quarters") },
        hard: rules.limit("hard_quarters"),
        mark,
        mark_quarters: if mark.is_some() && !desert { rules.limit("mark_quarters") } else { 0 },
        no_woods_or_rivers: desert,
        base_rules_too: rules.is("campaign_terrain", "both"),
    }
}

/// CAM-076, CAM-150, CAM-157: secondary armies on each side.
fn secondaries(w: &mut Work<'_>, battle: &mut Battle, sorted: &[BodyId]) {
    let place = battle.at;
    let (a, d) = (battle.attacker.prime, battle.defender.prime);
    for id in sorted.iter().copied().filter(|id| *id != a && *id != d) {
        let friend = |w: &Work<'_>, prime: BodyId| {
            let (x, y) = (w.acts_for(id), w.acts_for(prime));
            id.nation == prime.nation || x == y || w.s.allied(x, y)
        };
        let (with_a, with_d) = (friend(w, a), friend(w, d));
        let role = match (with_a, with_d) {
            (true, true) => {
                let side =
                    w.clauses(id).iter().find_map(|x| if let Act::Side(n) = x { Some(*n) } else { None });
                let chosen = if w.rules.is("shared_ally", "chooses") { side } else { None };
                match chosen {
                    Some(n) if n == a.nation => Role::Attacker,
                    Some(n) if n == d.nation => Role::Defender,
                    _ => {
                        w.tell(
                            id.nation,
                            rule!("CAM-157"),
                            format!("abstains {id} {place}"),
                            format!("{} is the friend of both sides at {place} and stays out.", id.short()),
                        );
                        continue;
                    }
                }
            }
            // CAM-111, CAM-173: nobody fights those that he may not attack, whatever friends he has there.
            (true, false) if !w.hostile(id, d, place) => continue,
            (false, true) if !w.hostile(id, a, place) => continue,
            (true, false) => Role::Attacker,
            (false, true) => Role::Defender,
            (false, false) => continue,
        };
        let contingent = if flagged(w, id, &Act::StayOut) { None } else { contingent(w, id, battle, role) };
        let side = match role {
            Role::Attacker => &mut battle.attacker,
            Role::Defender => &mut battle.defender,
        };
        side.with.push(id);
        side.contingents.extend(contingent);
    }
}

/// CAM-153: at most 8 AP, the commanding general among them, no Gods, Dragons or Lurkers, not both aerial and ground.
fn contingent(w: &mut Work<'_>, id: BodyId, battle: &Battle, role: Role) -> Option<Contingent> {
    let body = w.body(id)?.clone();
    let most = w.rules.limit("contingent_most");
    let barred = |t: TroopType| matches!(t, TroopType::God | TroopType::Drg) || t.is_lurker();
    let aerial = |t: TroopType| w.rules.class(t) == Some(Class::Aerial);
    let required = w.rules.is("contingent_general", "required");
    let named: Vec<Label> = w
        .clauses(id)
        .iter()
        .find_map(|a| if let Act::Contingent(list) = a { Some(list.clone()) } else { None })
        .unwrap_or_default();
    let commander = body.commander();
    let mut chosen: Vec<Label> = Vec::new();
    let mut ap = 0;
    let mut winged = None;
    let mut add = |i: usize, chosen: &mut Vec<Label>| {
        let e = &body.elements[i];
        let more = w.rules.ap(e.troop());
        let mixes = winged.is_some_and(|x| x != aerial(e.troop()));
        if ap + more <= most && !barred(e.troop()) && !mixes && !chosen.contains(&e.label) {
            ap += more;
            winged = Some(aerial(e.troop()));
            chosen.push(e.label);
        }
    };
    if let (Some(i), true) = (commander, required) {
        add(i, &mut chosen);
    }
    for label in &named {
        if let Some(i) = body.find(*label) {
            add(i, &mut chosen);
        }
    }
    if named.is_empty() {
        (0..body.elements.len()).for_each(|i| add(i, &mut chosen));
    }
    let general = commander.is_some_and(|i| chosen.contains(&body.elements[i].label));
    if chosen.is_empty() || required && !general {
        w.tell(
            id.nation,
            rule!("CAM-153"),
            format!("no_contingent {id}"),
            format!("{} can send no contingent with its general to {}.", id.short(), battle.at),
        );
        return None;
    }
    let edge = edge(w, id, battle, role);
    w.log(
        rule!("CAM-076"),
        Seen::among(battle.nations()),
        format!("contingent {id} {}", chosen.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")),
        format!("{id} may come on at {} with {} elements.", battle.at, chosen.len()),
    );
    Some(Contingent { body: id, elements: chosen, general, edge })
}

/// CAM-153 (c): its principal's base edge if it came the same way or stood there; else the side on its hand.
fn edge(w: &Work<'_>, id: BodyId, battle: &Battle, role: Role) -> Edge {
    let principal = battle.side(role);
    let came = w.body(id).and_then(|b| b.came);
    let Some(came) = came.filter(|_| w.marching(id).done > 0 || w.marching(id).reacted) else {
        return Edge::Base;
    };
    let same = principal.came.is_some_and(|(from, _)| from == came.from);
    if same {
        return Edge::Base;
    }
    // Seen from the middle of the hex: the principal's side lies towards his own last route, or away from his
    // opponent's where he came by none.
    let here = w.world.place(battle.at).hex;
    let towards = |p: PlaceId| {
        let there = w.world.place(p).hex;
        (i64::from(there.0) - i64::from(here.0), i64::from(there.1) - i64::from(here.1))
    };
    let base = match (principal.came, battle.side(role.other()).came) {
        (Some((from, _)), _) => towards(from),
        (None, Some((from, _))) => {
            let (x, y) = towards(from);
            (-x, -y)
        }
        (None, None) => (0, 1),
    };
    let mine = towards(came.from);
    // Rows grow downwards on the map: a positive cross product is on the left of one who looks from his edge inwards.
    let cross = base.0 * mine.1 - base.1 * mine.0;
    if cross > 0 { Edge::Left } else { Edge::Right }
}

/// What one side may read of a battle before it is fought.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sheet {
    /// Where.
    pub at: String,
    /// The role of the reader's side.
    pub role: &'static str,
    /// Whether the defender has a Stronghold.
    pub stronghold: bool,
    /// What the terrain must show.
    pub terrain: TerrainDuty,
    /// The reader's own bodies: each with its elements, as far as they are in the battle.
    pub own: Vec<(String, Vec<String>)>,
    /// The reader's commander and reserves.
    pub generals: Vec<String>,
    /// Contingents of the reader's side: whose, where they come on, and which elements if they are the reader's.
    pub contingents: Vec<(String, String, Vec<String>)>,
    /// The enemy's nations.
    pub enemies: Vec<String>,
    /// CAM-120: the elements that hold the enemy's generals.
    pub enemy_generals: Vec<String>,
    /// How many contingents the enemy may bring.
    pub enemy_contingents: usize,
    /// At how many bounds it is undecided.
    pub bounds: i64,
    /// Until when.
    pub date: Option<String>,
}

/// The sheet of a nation in a battle; `None` for a nation that is not in it.
pub(crate) fn sheet(state: &State, battle: &Battle, nation: NationId) -> Option<Sheet> {
    let role = battle.role_of(nation)?;
    let (mine, theirs) = (battle.side(role), battle.side(role.other()));
    let labels = |list: &[Label]| list.iter().map(ToString::to_string).collect::<Vec<_>>();
    let mut own = Vec::new();
    for id in std::iter::once(mine.prime).chain(mine.with.iter().copied()).filter(|b| b.nation == nation) {
        let Some(body) = state.bodies.get(&id) else { continue };
        own.push((id.to_string(), body.list().split(", ").map(str::to_owned).collect()));
    }
    let generals = |side: &Side| {
        let mut all: Vec<String> =
            side.commander.iter().map(|l| format!("{}.{l}", side.prime.nation)).collect();
        all.extend(side.reserves.iter().map(|l| format!("{}.{l}", side.prime.nation)));
        all
    };
    Some(Sheet {
        at: battle.name(),
        role: role.word(),
        stronghold: battle.home,
        terrain: battle.terrain.clone(),
        own,
        generals: generals(mine),
        contingents: mine
            .contingents
            .iter()
            .map(|c| {
                let list = if c.body.nation == nation { labels(&c.elements) } else { Vec::new() };
                (c.body.to_string(), c.edge.word().to_owned(), list)
            })
            .collect(),
        enemies: {
            let mut all: Vec<String> = std::iter::once(theirs.prime)
                .chain(theirs.with.iter().copied())
                .map(|b| b.nation.to_string())
                .collect();
            all.sort_unstable();
            all.dedup();
            all
        },
        enemy_generals: generals(theirs),
        enemy_contingents: theirs.contingents.len(),
        bounds: battle.bounds,
        date: battle.date.clone(),
    })
}
