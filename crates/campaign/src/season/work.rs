//! The adjudicator's desk: state, rules, dice and log of the season under way.

use crate::body::Body;
use crate::command::Ruling;
use crate::ids::{BodyId, ElementId, Label, NationId, PlaceId};
use crate::log::{Entry, Seen};
use crate::muster::Element;
use crate::order::Act;
use crate::rules::Rules;
use crate::state::State;
use crate::turn::March;
use crate::world::World;
use dice::{Ask, Dice, NoDice};
use rulebook::RuleId;
use std::collections::BTreeSet;

/// Everything a step needs.
pub(crate) struct Work<'a> {
    pub(crate) world: &'a World,
    pub(crate) rules: &'a Rules,
    pub(crate) s: &'a mut State,
    pub(crate) dice: &'a mut dyn Dice,
    /// What this command added to the log.
    pub(crate) entries: Vec<Entry>,
    /// Filled by [`Work::publish`].
    pub(crate) published: bool,
}

/// Whose die and which, for its address.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Die {
    pub(crate) nation: Option<NationId>,
    pub(crate) body: u16,
    pub(crate) place: Option<PlaceId>,
    /// Tells apart several of one kind.
    pub(crate) k: u16,
}

impl Die {
    pub(crate) fn body(id: BodyId) -> Self {
        Self { nation: Some(id.nation), body: id.n, place: None, k: 0 }
    }

    pub(crate) fn nation(nation: NationId) -> Self {
        Self { nation: Some(nation), ..Self::default() }
    }

    /// An element: its type and number stand in the place of the body's.
    pub(crate) fn element(id: ElementId) -> Self {
        let troop = u16::try_from(id.label.troop.index()).unwrap_or(0);
        Self { nation: Some(id.nation), body: troop << 10 | id.label.n & 0x3ff, place: None, k: 0 }
    }

    pub(crate) fn place(place: PlaceId) -> Self {
        Self { place: Some(place), ..Self::default() }
    }

    pub(crate) fn at(self, place: PlaceId) -> Self {
        Self { place: Some(place), ..self }
    }

    pub(crate) fn k(self, k: usize) -> Self {
        Self { k: u16::try_from(k).unwrap_or(u16::MAX), ..self }
    }
}

/// Purposes whose dice are of an element: the address holds its type and number.
const OF_ELEMENTS: [&str; 9] = [
    "spy",
    "scry",
    "scry shift",
    "assassin",
    "assassin guard",
    "rescue",
    "escape",
    "escape stage",
    "execution",
];

/// A die in words that occur once in a campaign.
pub(crate) fn describe(world: &World, ask: &Ask) -> String {
    let a = ask.address;
    let (nation, body, place, k) =
        (a.subject >> 48 & 0xffff, a.subject >> 32 & 0xffff, a.subject >> 16 & 0xffff, a.subject & 0xffff);
    let mut text = a.purpose.to_owned();
    let name = |n: u64| usize::try_from(n).ok().and_then(|n| world.nations.keys().nth(n));
    if let Some(name) = name(nation) {
        text.push_str(&format!(" of {name}"));
        if OF_ELEMENTS.contains(&a.purpose) {
            let troop =
                usize::try_from(body >> 10).ok().and_then(|i| hott::table::TroopType::ALL.get(i).copied());
            text.push_str(&format!(".{}{}", troop.map_or("?", hott::table::TroopType::code), body & 0x3ff));
        } else if body > 0 {
            text.push_str(&format!(".{body}"));
        }
    }
    if let Some(place) = usize::try_from(place).ok().and_then(|n| world.places.keys().nth(n)) {
        text.push_str(&format!(" at {place}"));
    }
    if k > 0 {
        text.push_str(&format!(", {}", k + 1));
    }
    let (n, winter) = (a.moment / 2, a.moment % 2 == 1);
    let season = ["Spring", "Summer", "Autumn"][usize::try_from((n.max(1) - 1) % 3).unwrap_or(0)];
    let season = if winter { "Winter" } else { season };
    format!("{text}, {season} of year {}", (n.max(1) - 1) / 3 + 1)
}

impl Work<'_> {
    pub(crate) fn step(&mut self, n: u8) {
        self.s.turn.step = n;
    }

    /// Writes a decision down.
    pub(crate) fn log(
        &mut self,
        rule: RuleId,
        seen: Seen,
        fact: impl Into<String>,
        words: impl Into<String>,
    ) {
        let entry = Entry { step: self.s.turn.step, rule, seen, fact: fact.into(), words: words.into() };
        self.s.turn.log.push(entry.clone());
        self.entries.push(entry);
    }

    /// Writes a decision down for one nation.
    pub(crate) fn tell(
        &mut self,
        nation: NationId,
        rule: RuleId,
        fact: impl Into<String>,
        words: impl Into<String>,
    ) {
        self.log(rule, Seen::by(nation), fact, words);
    }

    /// Throws a die of so many sides at its address; a die that the umpire ruled shows what he ruled.
    pub(crate) fn die(&mut self, purpose: &'static str, who: Die, sides: usize) -> Result<u16, NoDice> {
        let nation = who.nation.map_or(0xffff, |n| self.world.nation_number(n));
        let place = who.place.map_or(0xffff, |p| self.world.place_number(p));
        let subject = nation << 48 | u64::from(who.body) << 32 | place << 16 | u64::from(who.k);
        let winter = u64::from(self.s.phase == crate::state::Phase::Winter);
        let moment = u64::from(self.s.number()) * 2 + winter;
        let sides = u16::try_from(sides.clamp(1, 1000)).unwrap_or(1);
        let ask = Ask::new(purpose, subject, moment, sides);
        if !self.s.ruled.is_empty() {
            let words = describe(self.world, &ask).to_lowercase();
            if let Some(value) = self.s.ruled.get(&words).copied() {
                self.tell_ruled(purpose, who, &Ruling::Die { words, value });
                return Ok(value.clamp(1, sides));
            }
        }
        self.dice.one(ask)
    }

    /// Those whom a die concerns read that the umpire ruled it, and why; dice behind the scene are his alone.
    fn tell_ruled(&mut self, purpose: &'static str, who: Die, what: &Ruling) {
        let fact = what.fact();
        let told = self.s.rulings.iter().rev().find(|(_, e)| e.fact == fact).map(|(_, e)| e.clone());
        let Some(entry) = told else { return };
        let behind = matches!(purpose, "tie" | "order" | "loss" | "drowned" | "scry shift");
        let seen = match (who.nation, who.place) {
            _ if behind => Seen::Umpire,
            (Some(nation), _) => Seen::by(nation),
            (None, Some(place)) => self.witnesses(place),
            (None, None) => Seen::Umpire,
        };
        self.log(entry.rule, seen, entry.fact, entry.words);
    }

    /// A six-sided die.
    pub(crate) fn d6(&mut self, purpose: &'static str, who: Die) -> Result<i64, NoDice> {
        self.die(purpose, who, 6).map(i64::from)
    }

    /// CAM-181: which of several equal things is first: by dice, or by name.
    pub(crate) fn tie(&mut self, who: Die, among: usize) -> Result<usize, NoDice> {
        if among < 2 || self.rules.is("ties", "name") {
            return Ok(0);
        }
        let n = self.die("tie", who, among).map(|v| usize::from(v) - 1)?;
        let whose = who.nation.map_or(String::new(), |n| {
            if who.body > 0 { format!(" of {n}.{}", who.body) } else { format!(" of {n}") }
        });
        let place = who.place.map_or(String::new(), |p| format!(" at {p}"));
        self.log(
            rulebook::rule!("CAM-181"),
            Seen::Umpire,
            format!("tie{whose}{place}"),
            format!("A choice between {among} that are equal{whose}{place} was settled by dice."),
        );
        Ok(n)
    }

    /// CAM-180: takes `n` AP off a body. Returns what went, in words.
    pub(crate) fn lose_ap(
        &mut self,
        id: BodyId,
        n: i64,
        named: &[Label],
        purpose: usize,
    ) -> Result<Vec<Element>, NoDice> {
        let Some(body) = self.s.bodies.get(&id).cloned() else { return Ok(Vec::new()) };
        let mut k = purpose * 64;
        let at = body.at;
        let gone = body.losses(self.rules, n, named, |among| {
            k += 1;
            if self.rules.is("ties", "name") {
                Ok(0)
            } else {
                self.die("loss", Die::body(id).at(at).k(k), among).map(|v| usize::from(v) - 1)
            }
        })?;
        let taken = self.s.bodies.get_mut(&id).map(|b| b.take(&gone)).unwrap_or_default();
        self.s.sweep();
        Ok(taken)
    }

    /// A body that must be there; an empty one for an id that is not.
    pub(crate) fn body(&self, id: BodyId) -> Option<&Body> {
        self.s.bodies.get(&id)
    }

    pub(crate) fn at(&self, id: BodyId) -> Option<PlaceId> {
        self.s.bodies.get(&id).map(|b| b.at)
    }

    pub(crate) fn ap(&self, id: BodyId) -> i64 {
        self.s.bodies.get(&id).map_or(0, |b| b.ap(self.rules))
    }

    pub(crate) fn is_army(&self, id: BodyId) -> bool {
        self.s.is_army(self.rules, id)
    }

    pub(crate) fn march(&mut self, id: BodyId) -> &mut March {
        self.s.turn.marches.entry(id).or_default()
    }

    pub(crate) fn marching(&self, id: BodyId) -> March {
        self.s.turn.marches.get(&id).cloned().unwrap_or_default()
    }

    /// For whom a body acts this season: its nation, or the overlord that demanded it (CAM-150).
    pub(crate) fn acts_for(&self, id: BodyId) -> NationId {
        self.s.turn.demanded.get(&id).copied().unwrap_or(id.nation)
    }

    /// CAM-083, CAM-095: who gains what a body takes: the nation of the army, a demanded one's too.
    pub(crate) fn gains_for(&self, id: BodyId) -> NationId {
        if self.rules.is("demanded_gains", "own") { id.nation } else { self.acts_for(id) }
    }

    /// CAM-132: whether `to` may pass through `place` by leave of its owner.
    pub(crate) fn may_pass(&self, to: NationId, place: PlaceId) -> bool {
        let Some(owner) = self.s.owner(place) else { return false };
        self.s.turn.passages.iter().any(|p| p.by == owner && p.to == to && p.at.is_none_or(|at| at == place))
    }

    /// CAM-132: whether `to` may stay there.
    pub(crate) fn may_stay(&self, to: NationId, place: PlaceId) -> bool {
        let Some(owner) = self.s.owner(place) else { return false };
        let fits =
            |p: &&crate::turn::Passage| p.by == owner && p.to == to && p.at.is_none_or(|at| at == place);
        self.s.turn.passages.iter().any(|p| fits(&p) && p.stay)
    }

    /// CAM-008, CAM-132, CAM-150: whether two bodies are hostile in a place.
    pub(crate) fn hostile(&self, a: BodyId, b: BodyId, place: PlaceId) -> bool {
        if a.nation == b.nation || !self.s.hostile(self.rules, a.nation, b.nation) {
            return false;
        }
        let (x, y) = (self.acts_for(a), self.acts_for(b));
        if (x, y) != (a.nation, b.nation) && (x == y || !self.s.hostile(self.rules, x, y)) {
            return false;
        }
        let owner = self.s.owner(place);
        let leave =
            |guest: BodyId, host: BodyId| owner == Some(host.nation) && self.may_pass(guest.nation, place);
        !(leave(a, b) || leave(b, a))
    }

    /// CAM-048: whether a body is hostile to a nation in a place, its armies being there or not.
    pub(crate) fn hostile_to(&self, a: BodyId, nation: NationId, place: PlaceId) -> bool {
        self.hostile(a, BodyId { nation, n: 0 }, place)
    }

    /// Hostile armies in a place, as a body there sees them.
    pub(crate) fn enemies_at(&self, id: BodyId, place: PlaceId) -> Vec<BodyId> {
        self.s
            .bodies_at(place)
            .filter(|(other, b)| *other != id && b.is_army(self.rules) && self.hostile(id, *other, place))
            .filter(|(other, _)| {
                self.s.turn.marches.get(other).is_none_or(|m| m.stance != crate::turn::Stance::Retreated)
            })
            .map(|(other, _)| other)
            .collect()
    }

    /// CAM-008: friendly to a nation: its own, its allies', its vassals' provinces.
    pub(crate) fn friendly(&self, nation: NationId, place: PlaceId) -> bool {
        self.s.friendly(nation, place)
    }

    /// Whether a body may use a friendly province: a demanded army has its overlord's rights too (CAM-174).
    pub(crate) fn friendly_to(&self, id: BodyId, place: PlaceId) -> bool {
        self.friendly(id.nation, place) || self.friendly(self.acts_for(id), place)
    }

    /// CAM-009: a node without a city where no army stands.
    pub(crate) fn is_empty(&self, place: PlaceId) -> bool {
        !self.world.place(place).city
            && (if self.rules.is("empty_when", "season_start") {
                !self.s.turn.occupied.contains(&place)
            } else {
                self.s.armies_at(self.rules, place).is_empty()
            })
    }

    /// CAM-181: among how many equals the dice choose; in campaigns begun before they did, the first by name is taken.
    pub(crate) fn choices(&self) -> usize {
        if self.rules.strict() { usize::MAX } else { 1 }
    }

    /// The nearest own cities of a body's nation, all equally near, by routes that it may use; the one it stands in.
    pub(crate) fn nearest_own(&self, id: BodyId, from: PlaceId) -> Vec<PlaceId> {
        let fly = self.body(id).is_some_and(|b| b.all_fly(self.rules));
        let far = self.world.distances(from, |_, exit| route_kind(exit.way, fly));
        let own = || far.iter().filter(|(p, _)| self.s.owner(**p) == Some(id.nation));
        let least = own().map(|(_, d)| *d).min();
        own().filter(|(_, d)| Some(**d) == least).map(|(p, _)| *p).take(self.choices()).collect()
    }

    /// Every body in the order in which ties and dice are handled.
    pub(crate) fn ids(&self) -> Vec<BodyId> {
        self.s.bodies.keys().copied().collect()
    }

    /// Bodies by falling AP, equals by dice.
    pub(crate) fn by_size(&mut self, ids: Vec<BodyId>, kind: usize) -> Result<Vec<BodyId>, NoDice> {
        self.by_size_among(ids, kind, |_, _, _| true)
    }

    /// The same, where a die is thrown only for bodies that are rivals of another of equal AP.
    pub(crate) fn by_size_among(
        &mut self,
        mut ids: Vec<BodyId>,
        kind: usize,
        rivals: impl Fn(&Self, BodyId, BodyId) -> bool,
    ) -> Result<Vec<BodyId>, NoDice> {
        ids.sort_unstable();
        let mut keyed: Vec<(i64, u16, BodyId)> = Vec::new();
        let by_name = self.rules.is("ties", "name");
        for id in &ids {
            let ap = self.ap(*id);
            let tied = !by_name && ids.iter().any(|o| o != id && self.ap(*o) == ap && rivals(self, *id, *o));
            let die = if tied {
                let at = self.at(*id);
                let mut who = Die::body(*id).k(kind);
                who.place = at;
                self.die("order", who, 1000)?
            } else {
                0
            };
            keyed.push((ap, die, *id));
        }
        let tied: Vec<String> =
            keyed.iter().filter(|(_, die, _)| *die > 0).map(|(_, _, id)| id.to_string()).collect();
        if !tied.is_empty() {
            self.log(
                rulebook::rule!("CAM-181"),
                Seen::Umpire,
                format!("tie {}", tied.join(" ")),
                format!("The order of {}, equal in AP, was settled by dice.", tied.join(", ")),
            );
        }
        keyed.sort_by_key(|(ap, die, id)| (std::cmp::Reverse(*ap), std::cmp::Reverse(*die), *id));
        Ok(keyed.into_iter().map(|(_, _, id)| id).collect())
    }

    /// The labels that a body's orders let go first.
    pub(crate) fn named_losses(&self, id: BodyId) -> Vec<Label> {
        let mut out = Vec::new();
        for act in self.clauses(id) {
            if let Act::Lose(list) = act {
                out.extend(list.iter().copied());
            }
        }
        out
    }

    /// The nations to whom what happens in a place is plain: owner, and everybody with a body there.
    pub(crate) fn witnesses(&self, place: PlaceId) -> Seen {
        let there = self.s.bodies_at(place).map(|(id, _)| id.nation);
        Seen::among(there.chain(self.s.owner(place)))
    }

    /// What holds when the season begins.
    pub(crate) fn opening(&mut self) {
        let occupied = self
            .s
            .bodies
            .values()
            .filter(|b| b.is_army(self.rules) && !self.world.place(b.at).city)
            .map(|b| b.at)
            .collect();
        self.s.turn.occupied = occupied;
        let nations: Vec<NationId> = self.s.nations.keys().copied().collect();
        for nation in nations {
            let n = self.s.provinces(self.rules, self.world, nation);
            self.s.turn.provinces.insert(nation, n);
        }
    }

    /// CAM-120: an overlord knows all about the army that a vassal supplied to it this season.
    fn supplied(&mut self) {
        for (id, lord) in self.s.turn.demanded.clone() {
            let name = id.to_string();
            for entry in &mut self.s.turn.log {
                let about = entry.fact.split(' ').any(|word| word == name);
                if let Seen::Nations(readers) = &mut entry.seen
                    && about
                    && readers.contains(&id.nation)
                {
                    readers.insert(lord);
                }
            }
            let Some(body) = self.s.bodies.get(&id) else { continue };
            let (at, ap, list) = (body.at, body.ap(self.rules), body.list());
            self.tell(
                lord,
                rulebook::rule!("CAM-120"),
                format!("supplied {id} {at} {ap}"),
                format!("{id}, which serves you, stands at {at} with {ap} AP: {list}."),
            );
        }
    }

    /// CAM-122: hands out the season: to each nation what it may read, to everybody what is public.
    pub(crate) fn publish(&mut self) {
        self.supplied();
        let log = std::mem::take(&mut self.s.turn.log);
        self.s.gazette = log.iter().filter(|e| e.seen == Seen::Public).cloned().collect();
        self.s.letters = self
            .s
            .nations
            .keys()
            .map(|n| {
                (
                    *n,
                    log.iter()
                        .filter(|e| matches!(e.seen, Seen::Nations(_)) && e.seen.includes(*n))
                        .cloned()
                        .collect(),
                )
            })
            .collect();
        // The letters keep who else read an entry from their readers.
        for (nation, letter) in &mut self.s.letters {
            for entry in letter {
                entry.seen = Seen::by(*nation);
            }
        }
        // Notes that were to come with the season's letters.
        for note in &mut self.s.notes {
            note.later = false;
        }
        let since = self.s.number().saturating_sub(1);
        self.s.rulings.retain(|(n, _)| *n >= since);
        self.s.sets.clear();
        self.s.paragraphs.clear();
        self.s.deadline = None;
        self.s.turn = crate::turn::Turn::default();
        self.published = true;
    }

    /// Puts a body into its own city as garrison if it is there and no army, joining what is there.
    pub(crate) fn settle(&mut self, id: BodyId) {
        let Some(body) = self.s.bodies.get(&id) else { return };
        let (at, army) = (body.at, body.is_army(self.rules));
        if army || self.s.owner(at) != Some(id.nation) {
            return;
        }
        let other = self
            .s
            .bodies_of(id.nation)
            .find(|(o, b)| *o != id && b.at == at && !b.is_army(self.rules))
            .map(|(o, _)| o);
        if let Some(other) = other
            && let Some(body) = self.s.bodies.remove(&id)
            && let Some(host) = self.s.bodies.get_mut(&other)
        {
            let before = host.elements.clone();
            host.elements.extend(body.elements.iter().cloned());
            let joined = host.is_army(self.rules);
            if joined
                && host.ap(self.rules) > self.rules.limit("army_most")
                && self.rules.is("overfull", "void")
            {
                // CAM-034 with `void`: the whole joining fails, and both stand in the city.
                host.elements = before;
                self.s.bodies.insert(id, Body { inside: true, came: None, besieging: false, ..body });
                return;
            }
            host.inside = !joined || host.inside;
            self.hold_to_limit(other);
            return;
        }
        if let Some(body) = self.s.bodies.get_mut(&id) {
            body.inside = true;
            body.came = None;
            body.besieging = false;
        }
    }

    /// CAM-034: what a body that has grown may not hold leaves it again.
    pub(crate) fn hold_to_limit(&mut self, id: BodyId) {
        let left = self.s.hold_to_limit(self.rules, id);
        if left.is_empty() {
            return;
        }
        let most = self.rules.limit("army_most");
        self.tell(
            id.nation,
            rulebook::rule!("CAM-034"),
            format!("overfull {id}"),
            format!("{} stay behind: {} may not pass {most} AP.", Self::list(&left), id.short()),
        );
    }

    /// CAM-004, CAM-008: a node without a city that only friends' armies occupy is a friendly province. `leaving` do
    /// not count.
    pub(crate) fn held_by_friends(&self, id: BodyId, place: PlaceId, leaving: &BTreeSet<BodyId>) -> bool {
        let there = || {
            self.s.bodies_at(place).filter(|(o, b)| *o != id && !leaving.contains(o) && b.is_army(self.rules))
        };
        !self.world.place(place).city
            && there().next().is_some()
            && there().all(|(o, _)| self.s.friend(id.nation, o.nation))
    }

    /// The list of some elements: `Bld1, Hrd2`.
    pub(crate) fn list(elements: &[Element]) -> String {
        elements.iter().map(|e| e.label.to_string()).collect::<Vec<_>>().join(", ")
    }
}

/// CAM-182: whether a route counts for a body's own way: land, and for all aerial bodies the air.
pub(crate) fn route_kind(way: crate::world::Way, fly: bool) -> bool {
    match way {
        crate::world::Way::Land => true,
        crate::world::Way::Air => fly,
        crate::world::Way::Sea => false,
    }
}
