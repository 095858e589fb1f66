//! Who may pass through whom (HOTT-140, HOTT-141, HOTT-145 to HOTT-150, BB-014).

use crate::battle::{Battle, ElementId, Strong};
use crate::contacts::Contacts;
use crate::table::options::PassageRoom;
use crate::table::{Class, TroopType};
use field::Heading;
use rulebook::{RuleId, rule};

/// How one element may pass through another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passage {
    /// Not at all (HOTT-150).
    No,
    /// By this rule, if it can stand wholly beyond the last element met (HOTT-151).
    Yes(RuleId),
    /// BB-014: by this rule, if there is room directly beyond the first element met.
    RoomBeyond(RuleId),
}

impl Passage {
    /// Whether it may pass, room given.
    #[must_use]
    pub fn is_open(self) -> bool {
        self != Passage::No
    }
}

/// Turned less than this against each other, two bases face the same or the opposite way.
const SAME_FACING: i32 = 9;

fn same_or_opposite(a: Heading, b: Heading) -> bool {
    let off = a.angle_to(b);
    off <= SAME_FACING || off >= field::HALF_TURN - SAME_FACING
}

/// By which rule `mover`, while it looks along `heading`, may pass through `other`, which looks along `theirs`.
/// Without headings (flight, HOTT-319) facing does not matter.
#[must_use]
pub fn passage(
    battle: &Battle,
    contacts: &Contacts,
    mover: ElementId,
    other: ElementId,
    headings: Option<(Heading, Heading)>,
) -> Passage {
    use TroopType::{AHe, Fly, God, Mag, Sct, Snk};
    let (me, them) = (battle.element(mover), battle.element(other));
    let (mine, class) = (battle.tables.class(me.ty), battle.tables.class(them.ty));
    let friend = !battle.hostile(me.side, them.side);
    let facing = || headings.is_none_or(|(a, b)| same_or_opposite(a, b));
    if me.ty == Snk || them.ty == Snk {
        return Passage::Yes(rule!("HOTT-145"));
    }
    if me.ty == God {
        return Passage::Yes(rule!("HOTT-147"));
    }
    if mine == Class::Aerial {
        return if class == Class::Aerial { Passage::No } else { Passage::Yes(rule!("HOTT-140")) };
    }
    if me.ty == Mag && friend {
        return Passage::Yes(rule!("HOTT-146"));
    }
    if class == Class::Aerial {
        let beneath = (friend || matches!(them.ty, Fly | AHe)) && !contacts.in_contact(other);
        return if beneath { Passage::Yes(rule!("HOTT-148")) } else { Passage::No };
    }
    let scouts = battle.tables.is_big() && (me.ty == Sct || (them.ty == Sct && mine == Class::Mounted));
    if scouts && facing() {
        // BB-014: by default Scouts of friends only.
        let allowed = friend || (them.ty == Sct && battle.tables.big.enemy_through_scouts);
        let how = match battle.tables.big.passage_room {
            PassageRoom::First => Passage::RoomBeyond(rule!("BB-014")),
            PassageRoom::Last => Passage::Yes(rule!("BB-014")),
        };
        return if allowed { how } else { Passage::No };
    }
    if mine == Class::Mounted && class == Class::Foot && friend && facing() {
        return Passage::Yes(rule!("HOTT-149"));
    }
    Passage::No
}

/// The bases of Strongholds and Baggage on table, taken ones too (HOTT-150, HOTT-335).
pub(crate) fn stronghold_base(strong: &Strong) -> Option<field::Base> {
    match strong {
        Strong::Stands(base) | Strong::Lost(base) => Some(*base),
        Strong::None | Strong::Waiting => None,
    }
}
