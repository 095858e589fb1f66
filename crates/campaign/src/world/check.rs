//! CAM-007: what can be wrong with a world.

use super::{Alignment, Nation, Way, World};
use crate::ids::{NationId, PlaceId};
use crate::muster::{Force, read_troops};
use crate::rules::Rules;
use game::Problem;
use hott::table::TroopType;
use rulebook::{RuleId, rule};
use std::collections::BTreeMap;

/// The texts that a world was read from, so that errors can name their lines.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sources {
    pub(crate) map: Option<(String, String)>,
    pub(crate) nations: BTreeMap<NationId, (String, String)>,
}

impl Sources {
    /// A problem at the first line of the map's file that holds `word`.
    fn in_map(&self, word: &str, message: String, rule: RuleId) -> Problem {
        at(self.map.as_ref(), word, message, rule)
    }

    /// A problem at the first line of a nation's file that holds `word`.
    fn in_nation(&self, nation: NationId, word: &str, message: String, rule: RuleId) -> Problem {
        at(self.nations.get(&nation), word, format!("{nation}: {message}"), rule)
    }
}

fn at(source: Option<&(String, String)>, word: &str, message: String, rule: RuleId) -> Problem {
    let problem = Problem::new(message).by(rule);
    let Some((file, text)) = source else { return problem };
    match text.find(&format!("\"{word}\"")).or_else(|| text.find(word)) {
        Some(byte) => problem.at_byte(file, text, byte),
        None => problem.in_file(file),
    }
}

/// Everything wrong with a world.
pub(crate) fn check_world(world: &World, rules: &Rules, sources: &Sources) -> Vec<Problem> {
    let mut out = Vec::new();
    check_routes(world, sources, &mut out);
    let mut owner: BTreeMap<PlaceId, NationId> = BTreeMap::new();
    for (name, nation) in &world.nations {
        check_cities(world, *name, nation, &mut owner, sources, &mut out);
        check_troops(*name, nation, rules, sources, &mut out);
        check_start(*name, nation, rules, sources, &mut out);
        for other in nation.never_ally.iter().chain(&nation.never_vassal_of) {
            if !world.nations.contains_key(other) {
                let text = format!("no nation is called {other}");
                let problem = sources.in_nation(*name, other.as_str(), text, rule!("CAM-007"));
                out.push(problem.meant(other.as_str(), world.nations.keys().map(NationId::as_str)));
            }
        }
    }
    if world.nations.len() < 2 {
        out.push(Problem::new("a campaign needs two nations or more").by(rule!("CAM-001")));
    }
    out
}

fn check_routes(world: &World, sources: &Sources, out: &mut Vec<Problem>) {
    let lists = [(&world.land, Way::Land), (&world.sea, Way::Sea), (&world.air, Way::Air)];
    for (list, way) in lists {
        for (a, b) in list {
            for end in [a, b] {
                if !world.places.contains_key(end) {
                    let text = format!("a route leads to {end}, which is not on the map");
                    let problem = sources.in_map(end.as_str(), text, rule!("CAM-007"));
                    out.push(problem.meant(end.as_str(), world.places.keys().map(PlaceId::as_str)));
                } else if way == Way::Sea && !world.place(*end).coast {
                    let text = format!("a sea route from {a} to {b}, but {end} has no coast");
                    let problem = sources.in_map(end.as_str(), text, rule!("CAM-007"));
                    out.push(problem.hint(format!("write coast = true at {end}, or make it a land route")));
                }
            }
            if a == b {
                out.push(sources.in_map(a.as_str(), format!("a route from {a} to itself"), rule!("CAM-007")));
            }
        }
    }
    let Some(first) = world.places.keys().next() else {
        out.push(Problem::new("the map has no places").by(rule!("CAM-007")));
        return;
    };
    let reached = world.distances(*first, |_, _| true);
    for place in world.places.keys().filter(|p| !reached.contains_key(p)) {
        let text = format!("nobody can reach {place} from {first}");
        out.push(sources.in_map(place.as_str(), text, rule!("CAM-007")).hint("give it a route"));
    }
}

fn check_cities(
    world: &World,
    name: NationId,
    nation: &Nation,
    owner: &mut BTreeMap<PlaceId, NationId>,
    sources: &Sources,
    out: &mut Vec<Problem>,
) {
    let mut wrong = |place: PlaceId, text: String| {
        out.push(sources.in_nation(name, place.as_str(), text, rule!("CAM-007")));
    };
    if !nation.cities.contains(&nation.capital) {
        wrong(nation.capital, format!("its capital {} is not among its cities", nation.capital));
    }
    for city in &nation.cities {
        match world.places.get(city) {
            None => {
                let near = rulebook::nearest_names(city.as_str(), world.places.keys().map(PlaceId::as_str));
                let hint = near.first().map_or(String::new(), |n| format!("; did you mean {n}?"));
                wrong(*city, format!("its city {city} is not on the map{hint}"));
            }
            Some(place) if !place.city => {
                wrong(*city, format!("{city} is an empty province and no city"));
            }
            Some(_) => {}
        }
        if let Some(other) = owner.insert(*city, name) {
            wrong(*city, format!("{city} belongs to {other} already"));
        }
    }
}

fn check_troops(name: NationId, nation: &Nation, rules: &Rules, sources: &Sources, out: &mut Vec<Problem>) {
    let mut wrong = |word: &str, text: String, rule: RuleId| {
        out.push(sources.in_nation(name, word, text, rule));
    };
    let promoted = nation.promotions.iter().flat_map(|(from, to)| std::iter::once(from).chain(to));
    let words = nation.costs.keys().chain(&nation.primary).chain(&nation.secondary);
    for word in words.chain(nation.minima.keys()).chain(promoted) {
        match TroopType::from_code(word) {
            None => {
                let near = TroopType::parse(word).or_else(|| TroopType::suggest(word));
                let hint = near.map_or(String::new(), |t| format!("; write {}", t.code()));
                wrong(word, format!("no type of troops is written {word}{hint}"), rule!("CAM-010"));
            }
            Some(troop) if rules.class(troop).is_none() => {
                wrong(word, format!("campaigns have no {}", troop.plural()), rule!("CAM-018"));
            }
            Some(troop) if !nation.costs.contains_key(troop.code()) => {
                wrong(word, format!("{} has no cost in [costs]", troop.code()), rule!("CAM-006"));
            }
            Some(_) => {}
        }
    }
    for (code, cost) in &nation.costs {
        if let Some(troop) = TroopType::from_code(code)
            && *cost < rules.ap(troop)
        {
            let text = format!("{code} costs {cost} AP, less than its value of {}", rules.ap(troop));
            wrong(code, text, rule!("CAM-013"));
        }
    }
    for word in nation.primary.iter().chain(&nation.secondary) {
        let barred = [TroopType::God, TroopType::Pal, TroopType::Hrd, TroopType::Lrk, TroopType::WLk];
        if TroopType::from_code(word).is_some_and(|t| barred.contains(&t) || t == TroopType::Snk) {
            wrong(word, format!("{word} may never hold a general"), rule!("CAM-028"));
        }
    }
    if nation.primary.is_empty() {
        wrong("primary", "no type may hold its generals".to_owned(), rule!("CAM-021"));
    }
    if !nation.faith_override && !rules.flag("faith_override") {
        let has = |t: TroopType| nation.costs.contains_key(t.code());
        if nation.pagan && nation.alignment != Alignment::Neutral {
            wrong("pagan", "only Neutral nations are pagan".to_owned(), rule!("CAM-011"));
        }
        if nation.clerics && nation.alignment != Alignment::Good {
            wrong("clerics", "only Good nations have Clerics".to_owned(), rule!("CAM-011"));
        }
        if has(TroopType::God) && !nation.pagan {
            wrong("God", "Gods come to pagan nations only".to_owned(), rule!("CAM-011"));
        }
        if has(TroopType::Clr) && !nation.clerics {
            wrong("Clr", "Clerics belong to nations with clerics = true".to_owned(), rule!("CAM-011"));
        }
    }
    let least: i64 =
        nation.minima.iter().filter_map(|(code, n)| Some(rules.ap(TroopType::from_code(code)?) * n)).sum();
    if least > rules.limit("start_ap") {
        let text =
            format!("its minima take {least} AP, more than the {} of the start", rules.limit("start_ap"));
        wrong("minima", text, rule!("CAM-007"));
    }
}

/// CAM-041: the start, if the file gives one.
fn check_start(name: NationId, nation: &Nation, rules: &Rules, sources: &Sources, out: &mut Vec<Problem>) {
    if nation.start.is_empty() {
        return;
    }
    let mut force = Force::default();
    let (mut generals, mut cost) = (0, 0);
    for body in &nation.start {
        let mut wrong = |word: &str, text: String, rule: RuleId| {
            out.push(sources.in_nation(name, word, text, rule));
        };
        if !nation.cities.contains(&body.at) {
            wrong(
                body.at.as_str(),
                format!("starts at {}, which is not its city", body.at),
                rule!("CAM-041"),
            );
        }
        match read_troops(&body.troops) {
            Err(text) => wrong("troops", text, rule!("CAM-041")),
            Ok(list) => {
                for one in list {
                    force.add(rules, one.troop);
                    generals += i64::from(one.general);
                    let price = nation.cost(one.troop);
                    if price.is_none() {
                        let text = format!("starts with {}, which it may not raise", one.troop.code());
                        wrong(one.troop.code(), text, rule!("CAM-006"));
                    }
                    let mount = if one.mount { rules.limit("mount_cost") } else { 0 };
                    let base =
                        if rules.is("start_ap_by", "cost") { price } else { Some(rules.ap(one.troop)) };
                    cost += base.unwrap_or(0) + mount;
                    if one.general && nation.general_rank(one.troop).is_none() {
                        wrong(
                            one.troop.code(),
                            format!("a {} may not hold a general", one.troop.name()),
                            rule!("CAM-021"),
                        );
                    }
                }
            }
        }
    }
    let mut wrong = |text: String, rule: RuleId| out.push(sources.in_nation(name, "start", text, rule));
    let (most, wanted) = (rules.limit("start_ap"), rules.limit("start_generals"));
    if cost > most {
        wrong(
            format!("starts with {cost} AP, {} more than the {most} allowed", cost - most),
            rule!("CAM-041"),
        );
    }
    if generals != wanted {
        wrong(format!("starts with {generals} generals: {wanted} would be right"), rule!("CAM-041"));
    }
    if !force.balanced(rules) {
        wrong("less than half of its AP are in elements of 2 AP or less".to_owned(), rule!("CAM-015"));
    }
    for (code, n) in &nation.minima {
        let Some(troop) = TroopType::from_code(code) else { continue };
        let has = force.count(troop);
        if has < *n {
            wrong(format!("starts with {has} {code}: at least {n} would be right"), rule!("CAM-015"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{SHIPPED, world_files};
    use crate::rules::Rules;

    /// The proving ground with one text of a nation's or the map's file replaced: what is said to be wrong.
    fn wrong(file: &str, from: &str, to: &str, sets: &[(&str, &str)]) -> Vec<String> {
        let world = SHIPPED.iter().find(|s| s.name == "proving").unwrap();
        let sets: Vec<(String, String)> =
            sets.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        let rules = Rules::layered(None, None, &sets).unwrap();
        let change = |name: &str, text: &str| {
            if name == file {
                assert!(text.contains(from), "{file} has no {from}");
                text.replacen(from, to, 1)
            } else {
                text.to_owned()
            }
        };
        let map = change("map.toml", world.map);
        let nations: Vec<(&str, String)> = world.nations.iter().map(|(n, t)| (*n, change(n, t))).collect();
        let nations: Vec<(&str, &str)> = nations.iter().map(|(n, t)| (*n, t.as_str())).collect();
        match world_files(("map.toml", &map), &nations, &rules) {
            Ok(_) => Vec::new(),
            Err(problems) => problems.iter().map(ToString::to_string).collect(),
        }
    }

    fn says(found: &[String], words: &[&str]) {
        assert!(found.iter().any(|f| words.iter().all(|w| f.contains(w))), "{words:?} not in {found:#?}");
    }

    #[test]
    fn each_error_has_its_file_line_rule_and_suggestion() {
        says(
            &wrong("map.toml", "[\"Ambry\", \"Ashford\"]", "[\"Ambry\", \"Ashfrod\"]", &[]),
            &["map.toml:4:", "Ashfrod", "did you mean Ashford"],
        );
        says(
            &wrong("map.toml", "[\"Ambry\", \"Barrow\"]", "[\"Ambry\", \"Brack\"]", &[]),
            &["Brack has no coast", "CAM-007"],
        );
        says(
            &wrong("map.toml", "[\"Dale\", \"Gray\"],\n", "", &[])
                .iter()
                .chain(&wrong("map.toml", "[\"Ember\", \"Erebus\"]", "[\"Ember\", \"Birch\"]", &[]))
                .cloned()
                .collect::<Vec<_>>(),
            &["Erebus", "reach"],
        );
        says(
            &wrong("Amber.toml", "capital = \"Ambry\"", "capital = \"Ambri\"", &[]),
            &["Amber.toml:", "capital Ambri"],
        );
        says(&wrong("Amber.toml", "fleet = true", "flete = true", &[]), &["Amber.toml:", "flete", "fleet"]);
        says(&wrong("Amber.toml", "Kni = 3", "Kni = 1", &[]), &["less than its value", "CAM-013"]);
        says(
            &wrong("Amber.toml", "primary = [\"Kni\"", "primary = [\"Hrd\"", &[]),
            &["Hrd may never hold a general", "CAM-028"],
        );
        says(&wrong("Basalt.toml", "Bld = 2\n\n[promo", "Bld = 99\n\n[promo", &[]), &["minima", "CAM-007"]);
        says(
            &wrong("Cobalt.toml", "cities = [\"Corrie\"", "cities = [\"Corrie\", \"Meadow\"", &[]),
            &["Meadow is an empty province"],
        );
    }

    #[test]
    fn faith_is_checked_unless_house_rules_free_it() {
        let pagan = |sets: &[(&str, &str)]| {
            wrong("Cobalt.toml", "alignment = \"neutral\"", "alignment = \"good\"", sets)
        };
        says(&pagan(&[]), &["only Neutral nations are pagan", "CAM-011"]);
        assert!(pagan(&[("faith_override", "true")]).is_empty());
    }

    #[test]
    fn the_start_is_counted_by_cost_or_by_value() {
        // Amber starts with one Knight that costs 3: 36 AP by cost, 35 by value; one Horde more fits by value only.
        let more = |sets: &[(&str, &str)]| wrong("Amber.toml", "4 Hrd", "5 Hrd", sets);
        says(&more(&[]), &["starts with 37 AP", "CAM-041"]);
        assert!(more(&[("start_ap_by", "value")]).is_empty());
        says(&wrong("Amber.toml", "4 Hrd", "9 Hrd", &[]), &["more than the 36", "CAM-041"]);
        says(&wrong("Amber.toml", "Kni*", "Kni", &[]), &["generals", "CAM-041"]);
    }
}
