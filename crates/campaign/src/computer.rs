//! Computer nations: orders from a nation's view alone (CAM-122). They play a plain, sensible campaign: fill up
//! armies, take what is weakly held, keep something at home, raise what fights.

use crate::body::Body;
use crate::ids::{BodyId, NationId, PlaceId};
use crate::order::Treaty;
use crate::rules::Rules;
use crate::view::View;
use crate::world::{Way, World};
use hott::table::TroopType;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// A few sets of orders, best first; `guess` varies them.
#[must_use]
pub fn texts(world: &World, rules: &Rules, view: &View, guess: u64) -> Vec<String> {
    let Some(me) = view.nation else { return Vec::new() };
    let p = Player { world, rules, view, me, guess };
    if view.winter {
        return vec![p.winter(), String::new()];
    }
    vec![p.orders(true), p.orders(false), "# nothing".to_owned()]
}

struct Player<'a> {
    world: &'a World,
    rules: &'a Rules,
    view: &'a View,
    me: NationId,
    guess: u64,
}

impl Player<'_> {
    fn friend(&self, other: NationId) -> bool {
        let v = self.view;
        other == self.me
            || v.allies.contains(&crate::state::pair(self.me, other))
            || v.lords.get(&other) == Some(&self.me)
            || v.lords.get(&self.me) == Some(&other)
            || self.top(other) == self.top(self.me)
    }

    fn top(&self, nation: NationId) -> NationId {
        let mut at = nation;
        for _ in 0..=self.view.lords.len() {
            match self.view.lords.get(&at) {
                Some(lord) => at = *lord,
                None => break,
            }
        }
        at
    }

    fn open(&self, place: PlaceId) -> bool {
        match self.view.owners.get(&place) {
            Some(o) => {
                *o == self.me
                    || self.view.allies.contains(&crate::state::pair(self.me, *o))
                    || self.view.lords.get(o) == Some(&self.me)
            }
            None => !self.world.place(place).city,
        }
    }

    fn vassal(&self) -> bool {
        self.view.lords.contains_key(&self.me)
    }

    /// A number that differs from body to body and season to season.
    fn whim(&self, body: BodyId, n: u64) -> u64 {
        let mut x = self.guess
            ^ u64::from(body.n) << 8
            ^ u64::from(self.view.year) << 20
            ^ (self.view.season as u64) << 16;
        for b in body.nation.as_str().bytes() {
            x = x.wrapping_mul(31).wrapping_add(u64::from(b));
        }
        x = (x ^ x >> 31).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (x >> 33) % n.max(1)
    }

    /// What an army can march to this season, with the number of stages.
    fn reach(&self, body: &Body) -> BTreeMap<PlaceId, u32> {
        let fly = body.all_fly(self.rules);
        let most = body.stages(self.rules);
        let far = self.world.distances(body.at, |from, e| {
            let way = e.way == Way::Land || fly && e.way == Way::Air;
            way && (from == body.at || self.open(from))
        });
        far.into_iter().filter(|(_, d)| *d <= most).collect()
    }

    fn orders(&self, bold: bool) -> String {
        let mut out = String::new();
        if let Some(nation) = self.world.nation(self.me) {
            // Good neighbours: an offer to whoever could accept it, now and then.
            for (other, n) in &self.world.nations {
                let could = !nation.outcast
                    && !n.outcast
                    && !self.friend(*other)
                    && (n.alignment == nation.alignment)
                    && self.whim(BodyId { nation: *other, n: 0 }, 6) == 0;
                let offers = could && !self.vassal() && !self.view.out.contains(other);
                if offers {
                    let _ = writeln!(out, "offer alliance to {other}");
                } else if self.view.offers.contains(&(self.me, Treaty::Ally(*other))) {
                    // What it does not say again it does not mean any more.
                    let _ = writeln!(out, "withdraw offer to {other}");
                }
            }
        }
        let mut aimed: BTreeSet<PlaceId> = BTreeSet::new();
        for (id, body) in &self.view.bodies {
            if body.is_army(self.rules) {
                self.army(&mut out, *id, body, bold, &mut aimed);
            } else {
                self.troops(&mut out, *id, body);
            }
        }
        out
    }

    fn army(&self, out: &mut String, id: BodyId, body: &Body, bold: bool, aimed: &mut BTreeSet<PlaceId>) {
        let short = id.short();
        let reach = self.reach(body);
        let ap = body.ap(self.rules);
        if body.besieging {
            let assault = if ap > 18 { ", by assault" } else { "" };
            let _ = writeln!(out, "{short}: siege{assault}");
            return;
        }
        let autumn = self.view.season == crate::state::Season::Autumn;
        // What could be taken: neutral cities first, then others' cities, capitals last.
        let mut aims: Vec<(i64, PlaceId)> = Vec::new();
        for (place, d) in &reach {
            let near = i64::from(*d);
            if !self.world.place(*place).city || aimed.contains(place) {
                continue;
            }
            match self.view.owners.get(place) {
                None => aims.push((near, *place)),
                Some(o) if self.friend(*o) => {}
                Some(_) if self.vassal() => {}
                Some(o) => {
                    let capital = self.world.nation(*o).is_some_and(|n| n.capital == *place);
                    aims.push((near + if capital { 4 } else { 2 }, *place));
                }
            }
        }
        aims.sort_unstable();
        let strong = ap >= 12 || bold && ap >= 10;
        if strong && !(autumn && ap < 14) && !aims.is_empty() {
            let n = self.whim(id, if bold { 2 } else { 3 }).min(aims.len() as u64 - 1);
            let to = aims[usize::try_from(n).unwrap_or(0)].1;
            aimed.insert(to);
            let assault = if ap >= 20 { ", by assault" } else { "" };
            let _ = writeln!(out, "{short}: invade {to}{assault}; if invaded by 30 AP retreat");
            return;
        }
        // Weak: home, to fill up; else guard.
        let own = reach.keys().copied().filter(|p| self.view.owners.get(p) == Some(&self.me));
        let capital = self.world.nation(self.me).map(|n| n.capital);
        let home = own.min_by_key(|p| (Some(*p) != capital, reach.get(p).copied(), *p));
        match home {
            Some(home) if home != body.at && (ap < 12 || !self.open(body.at)) => {
                let _ = writeln!(out, "{short}: move to {home}");
            }
            _ if strong => {
                // Out of reach of anything: towards the nearest city that is nobody's friend.
                match self.towards(body, &reach) {
                    Some(to) => _ = writeln!(out, "{short}: move to {to}"),
                    None => _ = writeln!(out, "{short}: defend"),
                }
            }
            _ => {
                let _ = writeln!(out, "{short}: if invaded by 24 AP stand siege else defend");
            }
        }
        // Fill up from the garrison where it stands.
        if ap < 20 && self.view.owners.get(&body.at) == Some(&self.me) {
            let garrison = self.view.bodies.iter().find(|(_, b)| b.at == body.at && !b.is_army(self.rules));
            if let Some((g, b)) = garrison {
                let spare = b.elements.iter().filter(|e| !e.general()).take(4);
                let list: Vec<String> = spare.map(|e| e.label.to_string()).collect();
                if list.len() > 1 {
                    let _ = writeln!(out, "{}: give {} to {short}", g.short(), list[1..].join(", "));
                }
            }
        }
    }

    fn towards(&self, body: &Body, reach: &BTreeMap<PlaceId, u32>) -> Option<PlaceId> {
        let all = self.world.distances(body.at, |_, e| e.way == Way::Land);
        let aim = all
            .iter()
            .filter(|(p, _)| {
                self.world.place(**p).city && self.view.owners.get(p).is_none_or(|o| !self.friend(*o))
            })
            .min_by_key(|(p, d)| (**d, **p))
            .map(|(p, _)| *p)?;
        let back = self.world.distances(aim, |_, e| e.way == Way::Land);
        reach
            .keys()
            .copied()
            .filter(|p| *p != body.at && self.open(*p))
            .min_by_key(|p| (back.get(p).copied().unwrap_or(u32::MAX), *p))
            .filter(|p| back.get(p) < back.get(&body.at))
    }

    /// Troops without a general go to the capital, where generals are made.
    fn troops(&self, out: &mut String, id: BodyId, body: &Body) {
        let Some(nation) = self.world.nation(self.me) else { return };
        let ap = body.ap(self.rules);
        if body.at != nation.capital && ap >= 6 && self.view.owners.get(&nation.capital) == Some(&self.me) {
            let far = self.world.distances(body.at, |_, e| {
                e.way == Way::Land && self.view.owners.get(&e.to) == Some(&self.me)
            });
            if far.get(&nation.capital).is_some_and(|d| *d <= body.stages(self.rules))
                && self.whim(id, 3) == 0
            {
                let _ = writeln!(out, "{}: move to {}", id.short(), nation.capital);
            }
        }
    }

    /// The winter's list: light troops first, where armies are.
    fn winter(&self) -> String {
        let mut out = String::new();
        let Some(nation) = self.world.nation(self.me) else { return out };
        let cities: Vec<PlaceId> =
            self.view.owners.iter().filter(|(_, o)| **o == self.me).map(|(p, _)| *p).collect();
        let Some(home) = cities.iter().copied().find(|c| *c == nation.capital).or(cities.first().copied())
        else {
            return out;
        };
        for (code, least) in &nation.minima {
            let Some(troop) = TroopType::from_code(code) else { continue };
            let have =
                self.view.bodies.values().flat_map(|b| &b.elements).filter(|e| e.troop() == troop).count();
            if i64::try_from(have).unwrap_or(0) < *least {
                let _ = writeln!(out, "raise {} {code} at {home}", least - i64::try_from(have).unwrap_or(0));
            }
        }
        let mut types: Vec<(i64, &String)> = nation
            .costs
            .iter()
            .filter_map(|(c, cost)| TroopType::from_code(c).map(|t| (t, c, *cost)))
            .filter(|(t, ..)| self.rules.ap(*t) == 2)
            .map(|(_, c, cost)| (cost, c))
            .collect();
        types.sort_unstable();
        for (n, place) in [home].iter().chain(&cities).enumerate() {
            if let Some((_, code)) = types.get(n % types.len().max(1)) {
                let count = if n == 0 { 3 } else { 1 };
                let _ = writeln!(out, "raise {count} {code} at {place}");
            }
        }
        let _ = writeln!(out, "raise 2 {} at {home}", types.first().map_or("Hrd", |(_, c)| c.as_str()));
        out
    }
}
