//! Fair maps from a seed: the same land for every nation, laid round a sea, so that only neighbours and characters
//! differ.

use super::{Alignment, Mark, Nation, Place, StartBody, World};
use crate::ids::{NationId, PlaceId};
use dice::{Ask, Dice, Key, Seeded};
use std::collections::BTreeMap;

/// What is wanted of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// How many nations, of [`Plan::NATIONS`].
    pub nations: usize,
    /// The seed: the same seed gives the same map.
    pub seed: u64,
}

impl Plan {
    /// So many nations a map may have.
    pub const NATIONS: std::ops::RangeInclusive<usize> = 2..=12;
}

/// Points of a circle of radius 1000, in thirty-degree steps: whole numbers, the same on every machine.
const CIRCLE: [(i64, i64); 12] = [
    (0, -1000),
    (500, -866),
    (866, -500),
    (1000, 0),
    (866, 500),
    (500, 866),
    (0, 1000),
    (-500, 866),
    (-866, 500),
    (-1000, 0),
    (-866, -500),
    (-500, -866),
];

/// Names to draw from.
const NATIONS: [&str; 12] = [
    "Aldery", "Brume", "Corvane", "Dorrin", "Estrell", "Farrow", "Gildar", "Hestia", "Ivarn", "Jorvale",
    "Kestrel", "Lorne",
];
const HEADS: [&str; 16] = [
    "Ash", "Bram", "Cold", "Dun", "Elk", "Fen", "Gorse", "Hag", "Iron", "Kite", "Larch", "Moss", "North",
    "Otter", "Pike", "Rook",
];
const TAILS: [&str; 12] =
    ["ford", "wick", "holt", "mere", "gate", "ham", "stead", "burn", "cliff", "well", "barrow", "haven"];

struct Draw {
    dice: Seeded,
    n: u64,
}

impl Draw {
    fn below(&mut self, n: usize) -> usize {
        self.n += 1;
        let sides = u16::try_from(n.clamp(1, 1000)).unwrap_or(1);
        self.dice.one(Ask::new("map", self.n, 0, sides)).map_or(0, |v| usize::from(v) - 1)
    }

    fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in (1..list.len()).rev() {
            let j = self.below(i + 1);
            list.swap(i, j);
        }
    }
}

/// The character of a nation: alignment, flags, costs and a start of 36 AP with two generals.
struct Character {
    about: &'static str,
    alignment: Alignment,
    clerics: bool,
    pagan: bool,
    primary: &'static str,
    costs: &'static [(&'static str, i64)],
    start: [&'static [&'static str]; 3],
    promote: (&'static str, &'static str),
}

const CHARACTERS: [Character; 6] = [
    Character {
        about: "knights of Mira",
        alignment: Alignment::Good,
        clerics: true,
        pagan: false,
        primary: "Kni",
        costs: &[("Kni", 3), ("Spr", 2), ("Bld", 2), ("Sht", 2), ("Clr", 3), ("Pal", 4), ("Hrd", 1)],
        start: [
            &["Kni*", "3 Spr", "Bld"],
            &["Kni*", "Kni", "2 Spr", "Sht", "2 Bld"],
            &["2 Sht", "Bld", "3 Hrd"],
        ],
        promote: ("Hrd", "Spr"),
    },
    Character {
        about: "blades of the hills",
        alignment: Alignment::Good,
        clerics: true,
        pagan: false,
        primary: "Bld",
        costs: &[("Bld", 2), ("Spr", 2), ("Sht", 2), ("Art", 3), ("Her", 4), ("Hrd", 1), ("Rid", 2)],
        start: [&["Bld*", "3 Bld", "Art"], &["Bld*", "2 Bld", "2 Sht", "2 Spr"], &["3 Spr", "3 Hrd", "Sht"]],
        promote: ("Hrd", "Bld"),
    },
    Character {
        about: "riders who serve nobody",
        alignment: Alignment::Neutral,
        clerics: false,
        pagan: false,
        primary: "Rid",
        costs: &[("Rid", 2), ("Sht", 2), ("Spr", 2), ("Hrd", 1), ("Snk", 3), ("Her", 4), ("Fly", 2)],
        start: [&["Rid*", "4 Rid"], &["Rid*", "3 Rid", "Sht", "2 Spr"], &["2 Spr", "2 Sht", "4 Hrd"]],
        promote: ("Hrd", "Spr"),
    },
    Character {
        about: "pagans of wood and ring",
        alignment: Alignment::Neutral,
        clerics: false,
        pagan: true,
        primary: "Wbd",
        costs: &[("Wbd", 2), ("Bst", 2), ("God", 4), ("Her", 4), ("Lrk", 1), ("Hrd", 1), ("Sht", 2)],
        start: [&["Wbd*", "4 Wbd"], &["Wbd*", "2 Wbd", "2 Bst", "2 Sht"], &["2 Sht", "2 Bst", "4 Lrk"]],
        promote: ("Lrk", "Sht"),
    },
    Character {
        about: "the horde of Azun",
        alignment: Alignment::Evil,
        clerics: false,
        pagan: false,
        primary: "Wbd",
        costs: &[("Wbd", 2), ("Bst", 2), ("Hrd", 1), ("Beh", 4), ("Mag", 4), ("Art", 3), ("Sht", 2)],
        start: [&["Wbd*", "4 Wbd"], &["Wbd*", "3 Wbd", "2 Hrd", "2 Sht"], &["2 Bst", "2 Sht", "4 Hrd"]],
        promote: ("Hrd", "Wbd"),
    },
    Character {
        about: "sorcerers and their bonds",
        alignment: Alignment::Evil,
        clerics: false,
        pagan: false,
        primary: "Bld",
        costs: &[("Mag", 4), ("Bld", 2), ("Spr", 2), ("Sht", 2), ("Hrd", 1), ("Fly", 2), ("Snk", 3)],
        start: [
            &["Bld*", "3 Bld", "2 Hrd"],
            &["Bld*", "Mag", "2 Spr", "2 Sht", "Spr"],
            &["2 Sht", "2 Spr", "2 Hrd"],
        ],
        promote: ("Hrd", "Bld"),
    },
];

/// A world from a plan.
#[must_use]
pub fn generate(plan: Plan) -> World {
    let n = plan.nations.clamp(*Plan::NATIONS.start(), *Plan::NATIONS.end());
    let mut draw = Draw { dice: Seeded::new(Key::from_seed(plan.seed).with_words("map", &[])), n: 0 };
    let mut names: Vec<&str> = NATIONS.to_vec();
    draw.shuffle(&mut names);
    let mut towns: Vec<String> =
        HEADS.iter().flat_map(|h| TAILS.iter().map(move |t| format!("{h}{t}"))).collect();
    draw.shuffle(&mut towns);
    // The same marks for every nation's land.
    let mut marks =
        [Some(Mark::Woods), Some(Mark::Hills), None, Some(Mark::Swamp), Some(Mark::Mountains), None];
    draw.shuffle(&mut marks);
    let mut world = World { name: format!("Map of seed {}", plan.seed), ..World::default() };
    let mut town = towns.into_iter().filter_map(|t| PlaceId::new(&t));
    let mut land: Vec<[Option<PlaceId>; 7]> = Vec::new();
    let sea = PlaceId::new("Mid Isle");
    for i in 0..n {
        let (x, y) = CIRCLE[i * 12 / n];
        // Capital, two cities, a port; then a ruin, a neutral city and a ring of stones on the way to the next nation.
        let mut own = [None; 7];
        let (nx, ny) = CIRCLE[(i * 12 / n + 6 / n.max(2)) % 12];
        let spots =
            [(x, y, 16), (x, y, 21), (nx, ny, 19), (x, y, 10), (nx, ny, 13), (nx, ny, 23), (nx, ny, 9)];
        for (k, (sx, sy, r)) in spots.into_iter().enumerate() {
            let Some(id) = town.next() else { continue };
            let shift = if k == 2 { -2 } else { 0 };
            let hex = (26 + sx * r / 1000 + shift, 26 + sy * r / 1000);
            let hex = (i16::try_from(hex.0).unwrap_or(0), i16::try_from(hex.1).unwrap_or(0));
            let city = !matches!(k, 4 | 6);
            let mark = if matches!(k, 0 | 3) { None } else { marks[k % marks.len()] };
            world.places.insert(id, Place { hex, city, coast: k == 3, mark });
            own[k] = Some(id);
        }
        land.push(own);
    }
    if let Some(isle) = sea {
        world.places.insert(isle, Place { hex: (26, 26), city: true, coast: true, mark: None });
    }
    for i in 0..n {
        let (here, next) = (land[i], land[(i + 1) % n]);
        for (a, b) in [(0, 1), (0, 2), (0, 3), (1, 2), (0, 4), (3, 6), (2, 5), (4, 6), (4, 5)] {
            world.land.extend(here[a].zip(here[b]));
        }
        // On to the next nation.
        for (a, b) in [(4, 0), (5, 1), (6, 3)] {
            world.land.extend(here[a].zip(next[b]));
        }
        world.sea.extend(here[3].zip(sea));
        world.sea.extend(here[3].zip(next[3]).filter(|_| n > 2 || i == 0));
        world.air.extend(here[1].zip(here[5]));
    }
    // Characters in a drawn order; with few nations no two alike.
    let mut characters: Vec<usize> = (0..CHARACTERS.len()).collect();
    draw.shuffle(&mut characters);
    for (i, own) in land.iter().enumerate() {
        let character = &CHARACTERS[characters[i % characters.len()]];
        if let (Some(name), Some(nation)) = (NationId::new(names[i]), nation(character, own, i)) {
            world.nations.insert(name, nation);
        }
    }
    world.ready()
}

fn nation(c: &Character, own: &[Option<PlaceId>; 7], i: usize) -> Option<Nation> {
    const COLOURS: [&str; 12] = [
        "#b5482f", "#2f6db5", "#3c8d40", "#8a5fb0", "#b8932a", "#3a9a94", "#7d5a3c", "#c0609a", "#5b6770",
        "#7f9c2d", "#a33b55", "#4b4fa8",
    ];
    let cities = vec![own[0]?, own[1]?, own[2]?, own[3]?];
    let at = [cities[0], cities[1], cities[3]];
    let list = |l: &[&str]| l.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>();
    Some(Nation {
        character: c.about.to_owned(),
        capital: cities[0],
        cities,
        alignment: c.alignment,
        pagan: c.pagan,
        clerics: c.clerics,
        faith_override: false,
        outcast: false,
        fleet: true,
        hordes_return: false,
        costs: c.costs.iter().map(|(k, v)| ((*k).to_owned(), *v)).collect(),
        primary: vec![c.primary.to_owned()],
        secondary: Vec::new(),
        minima: BTreeMap::new(),
        promotions: BTreeMap::from([(c.promote.0.to_owned(), vec![c.promote.1.to_owned()])]),
        never_ally: Vec::new(),
        never_vassal_of: Vec::new(),
        objectives: "To be overlord of all.".to_owned(),
        colour: COLOURS[i % COLOURS.len()].to_owned(),
        start: at
            .into_iter()
            .zip(c.start)
            .map(|(at, troops)| StartBody { at, troops: list(troops) })
            .collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::check::{Sources, check_world};
    use super::*;
    use crate::rules::Rules;

    #[test]
    fn every_seed_gives_a_right_and_fair_world() {
        let rules = Rules::shipped();
        for seed in 0..40 {
            let plan = Plan { nations: 2 + usize::try_from(seed % 11).unwrap(), seed };
            let world = generate(plan);
            let problems = check_world(&world, &rules, &Sources::default());
            assert!(problems.is_empty(), "seed {seed}: {}", problems[0]);
            assert_eq!(generate(plan), world);
            // Fair: from every capital as many places at every distance.
            let reach = |capital: PlaceId| {
                let far = world.distances(capital, |_, _| true);
                let mut counts = [0; 12];
                far.values().for_each(|d| counts[(*d as usize).min(11)] += 1);
                counts
            };
            let all: Vec<_> = world.nations.values().map(|n| reach(n.capital)).collect();
            assert!(all.windows(2).all(|w| w[0] == w[1]), "seed {seed}: {all:?}");
        }
    }
}
