//! What a viewer gets: on hexes nothing is hidden but the other side's standing replies; all else, for a page.

use crate::contract::Heroes;
use crate::melee;
use crate::owed;
use crate::shoot;
use crate::state::{NOBODY, Reply, State, bits};
use crate::table::Side;
use crate::zones::{in_shield_wall, shaken, speed, zone};
use game::Viewer;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

/// Whether a viewer may see a side's secrets: its standing replies.
#[must_use]
pub fn owns(viewer: Viewer, side: Side) -> bool {
    match viewer {
        Viewer::Umpire => true,
        Viewer::Spectator => false,
        Viewer::Seat(seat) => crate::contract::side_of(seat) == Some(side),
    }
}

/// Lost stands at which a side breaks (HH-256).
#[must_use]
pub fn breaks_at(t: &crate::table::Table, s: &State, side: Side) -> u32 {
    let all = u32::from(t.stands[side.ix()]);
    let percent = u32::from(s.options.break_percent);
    if percent >= 100 { all } else { all * percent / 100 + 1 }
}

/// The map: its size, its text, and every hex that is more than clear and level, with ground, height, roads and borders.
pub(crate) fn map_value(t: &crate::table::Table) -> Value {
    let map = &t.map;
    let hexes: Vec<Value> = map
        .grid
        .all()
        .filter_map(|h| {
            let borders: Vec<&str> = map.border[h.ix()].iter().map(|b| b.name()).collect();
            let open = borders.iter().all(|b| *b == "open");
            let plain = map.ground_at(h) == crate::tables::Ground::Clear && map.height_at(h) == 0;
            if plain && open && map.road[h.ix()] == 0 {
                return None;
            }
            let mut one =
                json!({ "hex": t.hex(h), "ground": map.ground_at(h).name(), "height": map.height_at(h) });
            if map.road[h.ix()] != 0 {
                one["road"] = json!((0..6).filter(|&d| map.road_through(h, d)).collect::<Vec<u8>>());
            }
            if !open {
                one["borders"] = json!(borders);
            }
            Some(one)
        })
        .collect();
    json!({ "name": map.name, "width": map.grid.width, "depth": map.grid.depth, "hexes": hexes, "text": map.text(&t.rules) })
}

/// All that a viewer may know.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    game: Heroes,
    state: State,
    viewer: Viewer,
}

impl View {
    /// What a viewer may know of a state.
    #[must_use]
    pub fn new(game: Heroes, mut state: State, viewer: Viewer) -> View {
        let t = game.table();
        for u in bits(t.of_side[0] | t.of_side[1]) {
            if !owns(viewer, t.side(u)) {
                state.replies[usize::from(u)] = Reply::Ask;
            }
        }
        View { game, state, viewer }
    }

    /// The battle.
    #[must_use]
    pub fn game(&self) -> &Heroes {
        &self.game
    }

    /// The state.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    fn value(&self) -> Value {
        let (t, s) = (self.game.table(), &self.state);
        let units: Vec<Value> = bits(t.of_side[0] | t.of_side[1])
            .map(|u| {
                let (unit, p) = (s.unit(u), t.profile(u));
                let mut one = json!({
                    "label": t.label(u), "name": p.name, "side": t.side(u).letter().to_string(),
                    "hex": t.hex(unit.hex), "facing": unit.facing.word(), "formation": unit.formation.word(),
                    "stands": unit.stands, "full": p.stands, "type": p.troop.code(),
                    "class": p.class.letter().to_string(), "speed": speed(t, s, u), "factor": p.factor,
                    "impact": p.impact, "shooting": t.rules.shooting_word(p.shooting),
                    "traits": p.traits.codes().collect::<Vec<_>>(),
                    "disrupted": unit.disrupted(), "fate": format!("{:?}", unit.fate).to_lowercase(),
                    "impact_state": format!("{:?}", unit.impact).to_lowercase(),
                    "holds": unit.is(crate::state::flag::HOLDS), "moved": unit.is(crate::state::flag::MOVED),
                    "commanded": s.commanded >> u & 1 == 1, "reply": s.replies[usize::from(u)].word(),
                });
                if unit.hex.on() {
                    one["as_disrupted"] = json!(shaken(t, s, u));
                    one["wall"] = json!(in_shield_wall(t, s, u));
                    if unit.stakes != 0 {
                        one["stakes"] =
                            json!((0..6_u8).filter(|d| unit.stakes >> d & 1 == 1).collect::<Vec<_>>());
                    }
                    one["pavise"] = json!(unit.is(crate::state::flag::PAVISE));
                }
                one
            })
            .collect();
        let generals: Vec<Value> = t
            .leaders
            .iter()
            .zip(&s.generals)
            .map(|(l, g)| {
                let host = s.who(g.hex);
                json!({
                    "label": l.label, "name": l.name, "side": l.side.letter().to_string(), "hex": t.hex(g.hex),
                    "quality": l.quality, "hero": l.hero, "chief": l.chief, "lost": g.lost, "moved": g.moved,
                    "with": if host == NOBODY { Value::Null } else { json!(t.label(host)) },
                })
            })
            .collect();
        let sides: Vec<Value> = Side::BOTH
            .iter()
            .map(|&x| {
                let zone: Vec<String> = zone(t, s, x).iter().map(|h| t.hex(h)).collect();
                json!({
                    "side": x.letter().to_string(), "army": t.armies[x.ix()],
                    "stands": t.stands[x.ix()], "lost": s.lost_stands(t, x),
                    "lost_half_points": s.lost_points2(t, x), "breaks": breaks_at(t, s, x),
                    "edge": if x == s.south { "south" } else { "north" }, "zone": zone,
                })
            })
            .collect();
        let mut fights = Vec::new();
        if s.phase == crate::state::Phase::Melee && owed::owner(t, s).is_some() {
            let mut all = Vec::new();
            melee::candidates(t, s, &mut all);
            for c in &all {
                if let crate::command::Command::Fight(a, b) = c {
                    let (x, m) = melee::sum_of(t, s, a.mask(), b.mask());
                    let (y, n) = melee::sum_of(t, s, b.mask(), a.mask());
                    fights.push(json!({
                        "command": c.text(t), "score": x, "dice": m, "theirs": y, "their_dice": n,
                    }));
                }
            }
        }
        let mut targets = Vec::new();
        if matches!(s.phase, crate::state::Phase::Shooting | crate::state::Phase::Return) {
            for x in s.on_table(t, shoot::shooting_side(s).other()) {
                let mask = shoot::shooters(t, s, x);
                if mask != 0 {
                    let needs: Vec<Value> = bits(mask)
                        .map(|u| {
                            let shot = shoot::shot(t, s, u, x);
                            json!({ "unit": t.label(u), "dice": shot.dice, "scores": shot.scores })
                        })
                        .collect();
                    targets.push(json!({ "target": t.label(x), "shooters": needs }));
                }
            }
        }
        json!({
            "viewer": format!("{:?}", self.viewer), "map": self.game.map_value().clone(), "units": units, "generals": generals, "sides": sides,
            "phase": s.phase.word(), "phasing": s.phasing.letter().to_string(), "bound": s.bound,
            "bounds": t.bound_limit, "owner": owed::owner(t, s).map(|x| x.letter().to_string()),
            "fights": fights, "targets": targets,
            "mover": if s.mover.unit == NOBODY { Value::Null } else { json!(t.label(s.mover.unit)) },
        })
    }
}

impl Serialize for View {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value().serialize(serializer)
    }
}
