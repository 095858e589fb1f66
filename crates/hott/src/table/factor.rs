//! The tactical factors of section 14, with their exclusions, and those of the big battles.

use rulebook::{RuleId, rule};

use super::options::ScoutSupportGoing;
use super::{Class, Exposure, Fighter, Footing, Grade, Part, Support, Tables, TroopType};

/// One line of a total: how much, and by which rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Factor {
    /// The rule that gives it; for the basic combat factor that of the type's row.
    pub rule: RuleId,
    /// Its value.
    pub value: i32,
}

/// The most lines that one total can have.
const MOST: usize = 12;

/// The factors of one fighter, the basic combat factor first; the total is their sum and the die.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Factors {
    list: [Factor; MOST],
    len: usize,
}

impl Factors {
    fn starting(rule: RuleId, value: i32) -> Factors {
        Factors { list: [Factor { rule, value }; MOST], len: 1 }
    }

    /// Adds a line unless it is worth nothing.
    fn add(&mut self, rule: RuleId, value: i32) {
        if value != 0
            && let Some(place) = self.list.get_mut(self.len)
        {
            *place = Factor { rule, value };
            self.len += 1;
        }
    }

    /// The lines, the basic combat factor first.
    pub fn as_slice(&self) -> &[Factor] {
        &self.list[..self.len]
    }

    /// Their sum, before the die (HOTT-261, HOTT-262).
    pub fn sum(&self) -> i32 {
        self.as_slice().iter().map(|f| f.value).sum()
    }
}

/// HOTT-047: the basic combat factor of one type against another, in any part.
pub fn cf(tables: &Tables, me: TroopType, foe: TroopType) -> i32 {
    tables.troop(me).cf(tables.class(foe))
}

/// HOTT-051, HOTT-057, HOTT-259, HOTT-357: whether the ground under a fighter is bad going for it.
pub(super) fn in_bad_going(tables: &Tables, who: &Fighter) -> bool {
    match tables.class(who.ty) {
        Class::Aerial => who.footing.wood,
        Class::Stronghold => false,
        Class::Mounted | Class::Foot => !is_open(who.footing),
    }
}

/// Good going and dry.
fn is_open(ground: Footing) -> bool {
    !(ground.bad || ground.wood || ground.water)
}

/// All factors of `me` against its main opponent `foe` (section 14), in the order of the rules.
pub fn factors(tables: &Tables, part: Part, me: &Fighter, foe: &Fighter) -> Factors {
    let n = &tables.numbers;
    let mut list = Factors::starting(tables.troop(me.ty).rule, cf(tables, me.ty, foe.ty));
    let target = matches!(part, Part::ShotAt | Part::BespelledAt);
    let stronghold = tables.class(me.ty) == Class::Stronghold;

    // HOTT-357: a Stronghold takes only HOTT-253.
    if !stronghold {
        own_factors(tables, part, me, foe, &mut list);
    }
    // HOTT-253
    if target || (stronghold && part == Part::Close) {
        list.add(rule!("HOTT-253"), n.factor_aid * i32::from(me.aids).min(n.aids_max));
    }
    if !stronghold {
        if target {
            list.add_cover(tables, part, me);
        }
        if part == Part::Close && hampered(tables, me, foe) {
            list.add(rule!("HOTT-256"), n.factor_going);
        }
        // HOTT-257
        if part == Part::Bespelling && foe.near_stronghold && tables.sets.stronghold_protects.has(foe.ty) {
            list.add(rule!("HOTT-257"), n.factor_stronghold_magic);
        }
    }
    // BB-007
    match me.grade {
        Grade::Elite => list.add(rule!("BB-007"), n.factor_elite),
        Grade::Levy => list.add(rule!("BB-007"), n.factor_levy),
        Grade::Plain => {}
    }
    // BB-044, BB-068
    if me.demoralised && part == Part::Close {
        list.add(rule!("BB-044"), n.factor_demoralised);
    }
    // CAM-078, CAM-158
    if me.routed && (target || part == Part::Close) {
        list.add(rule!("CAM-078"), n.factor_routed);
    }
    list
}

/// HOTT-248 to HOTT-252 and support by Scouts: what a fighter owes to itself, its place and its friends.
fn own_factors(tables: &Tables, part: Part, me: &Fighter, foe: &Fighter, list: &mut Factors) {
    let n = &tables.numbers;
    // HOTT-248
    if me.general && !matches!(part, Part::Shooting | Part::Bespelling) {
        list.add(rule!("HOTT-248"), n.factor_general);
    }
    if part != Part::Close {
        return;
    }
    let ground_foe = tables.class(foe.ty).is_ground();
    // HOTT-249, else HOTT-250
    if me.uphill && ground_foe && tables.class(me.ty) != Class::Aerial {
        list.add(rule!("HOTT-249"), n.factor_uphill);
    } else if me.bank && ground_foe {
        list.add(rule!("HOTT-250"), n.factor_bank);
    }
    // HOTT-251, else BB-076
    match me.support {
        Support::Rank { footing } if tables.sets.rank_support.has(me.ty) => {
            if is_open(me.footing) && is_open(footing) {
                list.add(rule!("HOTT-251"), n.factor_support);
            }
        }
        Support::Scouts { footing } => {
            let anywhere = tables.big.scout_support_going == ScoutSupportGoing::Any;
            if tables.sets.scout_support.has(me.ty)
                && tables.sets.scout_against.has(foe.ty)
                && (anywhere || is_open(me.footing) && is_open(footing))
            {
                list.add(rule!("BB-076"), n.factor_scouts);
            }
        }
        Support::Rank { .. } | Support::None => {}
    }
    // HOTT-252
    let exposed: i32 = me.exposed.iter().map(|e| i32::from(*e != Exposure::Safe)).sum();
    list.add(rule!("HOTT-252"), n.factor_exposed * exposed);
}

impl Factors {
    /// HOTT-254, else HOTT-255.
    fn add_cover(&mut self, tables: &Tables, part: Part, me: &Fighter) {
        if me.footing.wood {
            self.add(rule!("HOTT-254"), tables.numbers.factor_cover);
        } else if me.warded && part == Part::BespelledAt {
            self.add(rule!("HOTT-255"), tables.numbers.factor_ward);
        }
    }
}

/// HOTT-256: (a) out of its element, (b) its enemy where it cannot follow, (c) a Water Lurker.
fn hampered(tables: &Tables, me: &Fighter, foe: &Fighter) -> bool {
    let sets = &tables.sets;
    let out_of_place = in_bad_going(tables, me) && !sets.at_home.has(me.ty);
    let out_of_reach = in_bad_going(tables, foe) && sets.needs_open_enemy.has(me.ty);
    out_of_place || out_of_reach || sets.hampers_all.has(foe.ty)
}
