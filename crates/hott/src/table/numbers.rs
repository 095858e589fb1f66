//! The single numbers of the rules: distances, PIP costs, factor values, shares.
//!
//! Their values stand in the table file with their rule, unit and bounds; here stand only the names.

use rulebook::RuleId;

macro_rules! numbers {
    ($( $(#[$doc:meta])* $field:ident ),+ $(,)?) => {
        /// Every single number of the rules, by name. Lengths are in paces, angles in degrees, shares of a
        /// base width in hundredths of it (`..._bw`), AP in whole points unless the name says halves.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Numbers { $( $(#[$doc])* pub $field: i32, )+ }

        impl Numbers {
            /// The names, in the order of the rules.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($field)),+];

            /// Takes every number from `find`; stops at the first that is missing.
            pub(super) fn read<E>(
                mut find: impl FnMut(&'static str) -> Result<i32, E>,
            ) -> Result<Numbers, E> {
                Ok(Numbers { $( $field: find(stringify!($field))?, )+ })
            }

            /// The number with this name.
            pub fn get(&self, name: &str) -> Option<i32> {
                match name { $( stringify!($field) => Some(self.$field), )+ _ => None }
            }
        }
    };
}

numbers! {
    /// HOTT-002: base width in 15 mm scale.
    base_width_15,
    /// HOTT-002: base width in 25 mm scale.
    base_width_25,
    /// HOTT-004: side of the standard board in 15 mm scale.
    board_15,
    /// HOTT-004: side of the standard board in 25 mm scale.
    board_25,
    /// HOTT-008: sides of the die.
    die_sides,
    /// HOTT-009: AP of a standard army.
    army_ap,
    /// HOTT-010: elements of at least this cost count as dear.
    dear_from_ap,
    /// HOTT-010: the greatest share of dear elements, numerator.
    dear_share_num,
    /// HOTT-010: the same, denominator.
    dear_share_den,
    /// HOTT-011: generals in an army.
    generals,
    /// HOTT-056: ground elements do not cross water wider than this.
    water_width_max,
    /// HOTT-063: quarters with some feature.
    quarters_with_feature,
    /// HOTT-064: quarters with river, bad going or impassable terrain.
    quarters_with_rough,
    /// HOTT-065: features in all.
    features_min,
    /// HOTT-065: of them in bad going and large enough.
    bad_features_min,
    /// HOTT-065: how far across those are.
    bad_feature_size,
    /// HOTT-065: how near the centre those are.
    bad_feature_reach,
    /// HOTT-066: gap between area features.
    feature_gap_bw,
    /// HOTT-068: sight into and out of woods and BUAs.
    edge_sight,
    /// HOTT-074: smallest dimension of a Stronghold.
    stronghold_min_bw,
    /// HOTT-074: largest dimension of a Stronghold.
    stronghold_max_bw,
    /// HOTT-074: usual width of a Stronghold.
    stronghold_width_bw,
    /// HOTT-074: usual depth of a Stronghold.
    stronghold_depth_bw,
    /// HOTT-076: depth of the deployment zone.
    deployment_depth,
    /// HOTT-080: elements that may land.
    littoral_elements,
    /// HOTT-080: PIPs for landing.
    pip_littoral,
    /// HOTT-091: PIPs for a tactical move.
    pip_move,
    /// HOTT-092: more for an Aerial or Magician.
    pip_aerial_or_magician,
    /// HOTT-093: more without a general in reach.
    pip_no_command,
    /// HOTT-094: reach of a general in sight.
    command_reach,
    /// HOTT-094: reach of a general out of sight.
    command_reach_unseen,
    /// HOTT-096: more for two contingents together.
    pip_contingents,
    /// HOTT-098: PIPs for a Lurker's first appearance.
    pip_lurker,
    /// HOTT-098: more for each later one.
    pip_lurker_again,
    /// HOTT-099: PIPs to bring back a Horde.
    pip_horde,
    /// HOTT-100: PIPs to bring back an ensorcelled element.
    pip_desorcel,
    /// HOTT-101: PIPs for a God.
    pip_god,
    /// HOTT-102: PIPs for the Dragons.
    pip_dragons,
    /// HOTT-103: PIPs to bespell.
    pip_bespell,
    /// HOTT-104: PIPs for each aid in bespelling.
    pip_aid,
    /// HOTT-195: PIPs to withdraw a Lurker.
    pip_withdraw_lurker,
    /// HOTT-122: how near an enemy lets a group shift.
    group_shift_reach_bw,
    /// HOTT-122: how far it may shift.
    group_shift_bw,
    /// HOTT-134: water takes elements at this angle to the bank at most off square (HOTT-135).
    wade_angle,
    /// HOTT-153: depth of a threat zone.
    zone_depth_bw,
    /// HOTT-153: depth of a threat zone in paces; 0 means that the width counts.
    zone_depth_paces,
    /// HOTT-170: the shift into legal contact.
    conform_shift_bw,
    /// HOTT-176: least distance of breaking off.
    break_off_min,
    /// HOTT-183: PIP scores up to this send Gods away.
    god_leaves_at,
    /// HOTT-205: a returning Magician stands this near its marker.
    marker_reach,
    /// HOTT-209: range of bespelling.
    bespell_range,
    /// HOTT-214: how near the target an aiding Magician is.
    bespell_aid_range,
    /// HOTT-219: own dice up to this are bad for a bespeller.
    bespell_misfire,
    /// HOTT-219: which of them ensorcels it.
    bespell_misfires_allowed,
    /// HOTT-226: by how much the arc of shooting is wider on each side.
    arc_side_bw,
    /// HOTT-233, HOTT-214, HOTT-245: aids that count.
    aids_max,
    /// HOTT-248.
    factor_general,
    /// HOTT-249.
    factor_uphill,
    /// HOTT-250.
    factor_bank,
    /// HOTT-250: how near the river a bank is defended.
    bank_reach,
    /// HOTT-251.
    factor_support,
    /// HOTT-252, for each side.
    factor_exposed,
    /// HOTT-253, for each aid.
    factor_aid,
    /// HOTT-254.
    factor_cover,
    /// HOTT-255.
    factor_ward,
    /// HOTT-255: how near the line a Cleric or Paladin wards.
    ward_reach,
    /// HOTT-256.
    factor_going,
    /// HOTT-257.
    factor_stronghold_magic,
    /// HOTT-257: how near its Stronghold a Magician is safe.
    stronghold_magic_reach,
    /// HOTT-265: own total times this not above the enemy's is doubled.
    doubled_times,
    /// HOTT-316: length of a flight.
    flee_distance,
    /// HOTT-318: sharpest turn of a flight.
    flee_turn_max,
    /// HOTT-341: the share of AP that loses a battle, numerator.
    defeat_share_num,
    /// HOTT-341: the same, denominator.
    defeat_share_den,
    /// BB-003: least AP of a command, on average.
    command_ap_min,
    /// BB-003: most AP of a command, on average.
    command_ap_max,
    /// BB-007: an Elite element's cost in halves of its type's.
    elite_cost_halves,
    /// BB-007: a Levy element's cost in halves of its type's.
    levy_cost_halves,
    /// BB-007: Elite.
    factor_elite,
    /// BB-007: Levy.
    factor_levy,
    /// BB-008: Riders in good going.
    big_rider_good,
    /// BB-020: AP in play for each normal board.
    board_ap,
    /// BB-023: AP lost with the Baggage.
    baggage_ap,
    /// BB-033: how far a known enemy must be for a second move.
    known_enemy_reach,
    /// BB-043: flight of the demoralized.
    demoralised_flight,
    /// BB-044.
    factor_demoralised,
    /// BB-076: support by Scouts.
    factor_scouts,
    /// BB-091: gap between deployment zones of enemies.
    zone_gap,
    /// BB-101: most commands of an army.
    commands_max,
    /// BB-024, BB-049, BB-092: 2; records of earlier releases go on as they were begun. With 0 nobody was asked whether the
    /// armies find room, and only pursuers by type followed who broke off from them; with 0 and 1 edges were shared as if
    /// the set-up named none.
    strict,
    /// CAM-076: the PIP score that calls a contingent on.
    contingent_call,
    /// CAM-078: a routed contingent in close combat, shot at or bespelled.
    factor_routed,
    /// CAM-158: rates that a routed element runs in a bound.
    rout_rates,
}

/// What a number counts, which sets the bounds within which a house rule may change it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The word of the table file.
    pub word: &'static str,
    /// With its article, for messages.
    pub what: &'static str,
    /// The least value.
    pub min: i64,
    /// The greatest value.
    pub max: i64,
}

const fn unit(word: &'static str, what: &'static str, min: i64, max: i64) -> Unit {
    Unit { word, what, min, max }
}

/// Every unit of the numbers.
pub const UNITS: [Unit; 13] = [
    unit("paces", "a distance", 0, 10_000),
    unit("bw", "a share of a base width", 0, 1_000),
    unit("degrees", "an angle", 0, 180),
    unit("factor", "a factor", -9, 9),
    unit("pip", "a PIP cost", 0, 20),
    unit("ap", "an AP figure", 0, 1_000),
    unit("halves", "a cost in halves", 0, 10),
    unit("count", "a number", 0, 100),
    unit("divisor", "a divisor", 1, 100),
    unit("size", "a size", 100, 20_000),
    unit("sides", "a die", 6, 6),
    unit("die", "a die score", 0, 6),
    unit("times", "a multiple", 1, 10),
];

/// What the table file says of one number beside its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberNote {
    /// The name.
    pub name: &'static str,
    /// The rule it stands in.
    pub rule: RuleId,
    /// What it counts.
    pub unit: Unit,
}
