//! The named options as types: one field an option, one enum a question with several answers.
//!
//! Their catalogue for people (default, meaning, rule) is the rulebook's; a test compares its names, values
//! and defaults with these, so that neither can grow alone.

use rulebook::{Effective, Origin, Problem, RulesError, Value};

/// Kind, values and default of one option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One of these words, the default first.
    Words(&'static [&'static str]),
    /// A switch with this default.
    Switch(bool),
    /// A distance in paces, or a plain number, with this default.
    Amount(i32),
}

macro_rules! options {
    ($(#[$sdoc:meta])* $struct:ident, $prefix:literal:
     words { $( $(#[$doc:meta])* $field:ident: $enum:ident { $( $(#[$vdoc:meta])* $variant:ident = $name:literal ),+ $(,)? } )+ }
     switches { $( $(#[$bdoc:meta])* $bool:ident = $bdefault:literal, )* }
     amounts { $( $(#[$pdoc:meta])* $paces:ident = $pdefault:literal, )* }) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
            pub enum $enum {
                $( $(#[$vdoc])* $variant ),+
            }
            impl $enum {
                /// The values' names, the default first.
                pub const NAMES: &'static [&'static str] = &[$($name),+];
                /// The value with this name.
                pub fn from_name(name: &str) -> Option<Self> {
                    match name { $( $name => Some(Self::$variant), )+ _ => None }
                }
                /// The name of the value, as in files.
                pub fn name(self) -> &'static str {
                    match self { $( Self::$variant => $name ),+ }
                }
            }
        )+
        $(#[$sdoc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct $struct {
            $( $(#[$doc])* pub $field: $enum, )+
            $( $(#[$bdoc])* pub $bool: bool, )*
            $( $(#[$pdoc])* pub $paces: i32, )*
        }
        impl Default for $struct {
            fn default() -> Self {
                Self {
                    $( $field: $enum::default(), )+
                    $( $bool: $bdefault, )*
                    $( $paces: $pdefault, )*
                }
            }
        }
        impl $struct {
            /// Every option by its full key.
            pub const SHAPES: &'static [(&'static str, Shape)] = &[
                $( (concat!($prefix, ".", stringify!($field)), Shape::Words($enum::NAMES)), )+
                $( (concat!($prefix, ".", stringify!($bool)), Shape::Switch($bdefault)), )*
                $( (concat!($prefix, ".", stringify!($paces)), Shape::Amount($pdefault)), )*
            ];

            /// The options in force; one that the rules in force do not name has its default.
            ///
            /// # Errors
            /// A value that is not this release's.
            pub fn read(rules: &Effective) -> Result<Self, RulesError> {
                let mut all = Self::default();
                $( {
                    let key = concat!($prefix, ".", stringify!($field));
                    match rules.get(key) {
                        None => {}
                        Some(Value::Word(w)) => all.$field = $enum::from_name(w)
                            .ok_or_else(|| wrong(rules, key, w, &$enum::NAMES.join(", ")))?,
                        Some(v) => return Err(wrong(rules, key, &v.to_string(), &$enum::NAMES.join(", "))),
                    }
                } )+
                $( {
                    let key = concat!($prefix, ".", stringify!($bool));
                    match rules.get(key) {
                        None => {}
                        Some(Value::Bool(b)) => all.$bool = *b,
                        Some(v) => return Err(wrong(rules, key, &v.to_string(), "true or false")),
                    }
                } )*
                $( {
                    let key = concat!($prefix, ".", stringify!($paces));
                    match rules.get(key) {
                        None => {}
                        Some(Value::Int(i)) => all.$paces = i32::try_from(*i)
                            .map_err(|_| wrong(rules, key, &i.to_string(), "a whole number"))?,
                        Some(v) => return Err(wrong(rules, key, &v.to_string(), "a whole number")),
                    }
                } )*
                Ok(all)
            }

            /// The value of the option with this full key.
            pub fn get(&self, key: &str) -> Option<Value> {
                match key {
                    $( concat!($prefix, ".", stringify!($field)) => Some(self.$field.name().into()), )+
                    $( concat!($prefix, ".", stringify!($bool)) => Some(self.$bool.into()), )*
                    $( concat!($prefix, ".", stringify!($paces)) => Some(i64::from(self.$paces).into()), )*
                    _ => None,
                }
            }
        }
    };
}

fn wrong(rules: &Effective, key: &str, given: &str, allowed: &str) -> RulesError {
    let problem =
        Problem::WrongValue { given: given.to_owned(), allowed: allowed.to_owned(), nearest: Vec::new() };
    RulesError::new(rules.origin(key).cloned().unwrap_or(Origin::Default), key, problem)
}

options! {
    /// The named options of section 19.
    Options, "hott":
    words {
    /// HOTT-R20 on HOTT-010: half of which AP may be dear.
    half_rule: HalfRule {
        /// Of those spent.
        #[default] Spent = "spent",
        /// Of the army's size.
        Size = "size",
    }
    /// HOTT-078: what is public of the army lists.
    army_lists: ArmyLists {
        /// Totals, and what has been seen.
        #[default] Closed = "closed",
        /// Everything.
        Open = "open",
    }
    /// HOTT-041: moves of Shooters and Warbands.
    move_table: MoveTable {
        /// Shooters 200p, Warbands 300p.
        #[default] V21 = "v2_1",
        /// The other way round.
        V20 = "v2_0",
    }
    /// HOTT-042: the faster types on a road.
    road_fast: RoadFast {
        /// 500p on any road.
        #[default] Always = "always",
        /// Slower where the road runs through bad going.
        NotInBadGoing = "not_in_bad_going",
        /// 400p on any road.
        Never = "never",
    }
    /// HOTT-043: whether Artillery wades.
    artillery_water: ArtilleryWater {
        /// At the water rate.
        #[default] P100 = "100",
        /// Not at all.
        None = "none",
    }
    /// HOTT-043: how fast Beasts wade.
    beasts_water: BeastsWater {
        /// Like the others.
        #[default] P100 = "100",
        /// At their full rate.
        P400 = "400",
    }
    /// HOTT-113: which corner measures a move.
    measure: Measure {
        /// The front corner that travels farther.
        #[default] FrontCorner = "front_corner",
        /// Whichever of the four corners travels farthest.
        AnyCorner = "any_corner",
    }
    /// HOTT-075: who deploys first.
    deploy_first: DeployFirst {
        /// The attacker.
        #[default] Attacker = "attacker",
        /// The defender.
        Defender = "defender",
    }
    /// HOTT-079: who has the first bound.
    first_bound: FirstBound {
        /// The defender.
        #[default] Defender = "defender",
        /// The attacker.
        Attacker = "attacker",
    }
    /// HOTT-102: what Dragons cost to bring on.
    dragon_deploy: DragonDeploy {
        /// All of them together.
        #[default] Together = "together",
        /// Each for itself.
        Each = "each",
    }
    /// HOTT-182: whether arrivals move at once.
    arrival_move: ArrivalMove {
        /// They do not.
        #[default] None = "none",
        /// One free single-element move.
        One = "one",
    }
    /// HOTT-184: what becomes of a God that left.
    god_departure: GodDeparture {
        /// Lost for good.
        #[default] Lost = "lost",
        /// Gone but not counted as lost.
        NotLost = "not_lost",
        /// May be deployed again.
        Returns = "returns",
    }
    /// HOTT-153: depth of threat zones.
    zoc_depth: ZocDepth {
        /// One base width.
        #[default] BaseWidth = "bw",
        /// 100p.
        P100 = "100",
        /// 200p.
        P200 = "200",
    }
    /// HOTT-157: Aerials and threat zones.
    zoc_aerials: ZocAerials {
        /// Aerials and ground ignore each other's zones.
        #[default] Apart = "apart",
        /// All zones hold for all.
        Alike = "alike",
    }
    /// HOTT-167: ground elements moving into contact with Aerials.
    air_ground_attack: AirGroundAttack {
        /// They may not.
        #[default] AerialsOnly = "aerials_only",
        /// They may.
        Both = "both",
    }
    /// HOTT-204: where an ensorcelled Hero comes back.
    hero_return: HeroReturn {
        /// At the enemy's base edge or Stronghold.
        #[default] EdgeOrStronghold = "edge_or_stronghold",
        /// At the enemy's base edge.
        Edge = "edge",
    }
    /// HOTT-219: which die of 1 ensorcels a Magician itself.
    magician_self_frog: MagicianSelfFrog {
        /// The second.
        #[default] Second = "second",
        /// The first.
        First = "first",
    }
    /// HOTT-212: Paladins as targets of magic.
    paladin_bespell: PaladinBespell {
        /// Like others.
        #[default] Normal = "normal",
        /// Immune.
        Immune = "immune",
    }
    /// HOTT-255: whose Clerics and Paladins ward a target.
    cleric_ward_side: ClericWardSide {
        /// Those hostile to the bespeller.
        #[default] Hostile = "hostile",
        /// Any.
        Any = "any",
    }
    /// HOTT-267: Heroes with equal totals.
    hero_equal: HeroEqual {
        /// Both destroyed if the totals are odd.
        #[default] Odd = "odd",
        /// Both destroyed.
        Any = "any",
    }
    /// HOTT-276: a God that is doubled.
    god_doubled: GodDoubled {
        /// Destroyed.
        #[default] Destroyed = "destroyed",
        /// Flees the battlefield.
        Flees = "flees",
    }
    /// HOTT-277: a Dragon that is beaten.
    dragon_beaten: DragonBeaten {
        /// As the table of section 15.
        #[default] Table = "table",
        /// As in the first edition.
        V1 = "v1",
    }
    /// HOTT-279: a Flyer that is doubled.
    flyer_doubled: FlyerDoubled {
        /// As an Airboat.
        #[default] AsAirboat = "as_airboat",
        /// Destroyed.
        Destroyed = "destroyed",
    }
    /// HOTT-283: Riders that are doubled.
    riders_doubled: RidersDoubled {
        /// Destroyed.
        #[default] Destroyed = "destroyed",
        /// They flee from Spears and Hordes in good going.
        Flee = "flee",
    }
    /// HOTT-284: a Behemoth that is beaten.
    behemoth_beaten: BehemothBeaten {
        /// As the table of section 15.
        #[default] Table = "table",
        /// As in the first edition.
        V1 = "v1",
    }
    /// HOTT-295: a Lurker that is doubled.
    lurker_doubled: LurkerDoubled {
        /// Destroyed.
        #[default] Destroyed = "destroyed",
        /// Flees the battlefield.
        Flees = "flees",
    }
    /// HOTT-230, HOTT-296: Artillery shooting at a Stronghold.
    stronghold_vs_artillery: StrongholdVsArtillery {
        /// Lost if beaten.
        #[default] Lost = "lost",
        /// No effect.
        None = "none",
    }
    /// HOTT-318: a flight that would need too sharp a turn.
    flee_blocked: FleeBlocked {
        /// It stops.
        #[default] Stops = "stops",
        /// The element is destroyed.
        Destroyed = "destroyed",
    }
    /// HOTT-340: what the loss of the general decides.
    victory_general: VictoryGeneral {
        /// The battle, if more AP are lost too.
        #[default] AndMoreLost = "and_more_lost",
        /// The battle.
        Enough = "enough",
    }
    /// HOTT-057: rivers in the outcome tables.
    river_outcome: RiverOutcome {
        /// Bad going.
        #[default] Bad = "bad",
        /// Neither good nor bad going.
        Neither = "neither",
    }
    /// HOTT-352: the PIP for moving two peoples together.
    contingent_pip: ContingentPip {
        /// Where the list marks contingents.
        #[default] Marked = "marked",
        /// Never.
        Off = "off",
    }
    /// HOTT-353: leaving a flank, rear or Stronghold contact.
    leave_contact: LeaveContact {
        /// As breaking off.
        #[default] BreakOff = "break_off",
        /// By any move.
        Free = "free",
        /// Never.
        Never = "never",
    }
    /// HOTT-354: two elements that shoot at each other.
    mutual_main: MutualMain {
        /// Each is the other's main shooter.
        #[default] EachOther = "each_other",
        /// The nearest shooter is.
        Nearest = "nearest",
    }
    /// HOTT-240: whether enemies in flank and rear contact lend their type to the result.
    flank_outcome: FlankOutcome {
        /// Only the main opponent's type counts.
        #[default] MainOpponent = "main_opponent",
        /// The worst result of all of them.
        Worst = "worst",
    }
    /// HOTT-359: attackers of a taken Stronghold.
    stronghold_entry: StrongholdEntry {
        /// They stay.
        #[default] Stay = "stay",
        /// The main attacker moves in.
        Enter = "enter",
    }
    }
    switches {
    /// HOTT-080: landing from a waterway.
    littoral = false,
    /// HOTT-105: whether magic pays for being out of command.
    bespell_command_penalty = false,
    /// HOTT-180: Sneakers breaking off.
    sneaker_break = false,
    /// HOTT-203: whether the loss of the enchanter frees the ensorcelled.
    enchanter_loss_frees = true,
    /// HOTT-208: bespelling after a move.
    magician_move_and_bespell = true,
    /// HOTT-211: bespelling a target in close combat.
    bespell_engaged = false,
    }
    amounts {
    /// HOTT-198: how far returning Hordes keep from enemies.
    horde_gap = 0,
    /// HOTT-351: sight inside a wood or BUA.
    wood_sight = 50,
    }
}

options! {
    /// The named options of the big battles that have a closed list of values.
    BigOptions, "big":
    words {
    /// BB-005: what makes an element count toward the half rule.
    premium_by: PremiumBy {
        /// Its type's cost.
        #[default] Type = "type",
        /// What was paid for it.
        Paid = "paid",
    }
    /// BB-100: which elements may be graded.
    gradable: Gradable {
        /// Any.
        #[default] All = "all",
        /// Those that are deployed at the start.
        Deployed = "deployed",
    }
    /// BB-014: where there must be room to pass through.
    passage_room: PassageRoom {
        /// Beyond the first element met.
        #[default] First = "first",
        /// Beyond the last (HOTT-151).
        Last = "last",
    }
    /// BB-076: where Scouts give support.
    scout_support_going: ScoutSupportGoing {
        /// Both in good going.
        #[default] Good = "good",
        /// Anywhere.
        Any = "any",
    }
    /// BB-076: what supporting Scouts share.
    scout_fate: ScoutFate {
        /// Recoil, flight and destruction.
        #[default] All = "all",
        /// Destruction.
        Destroyed = "destroyed",
    }
    /// BB-078: the outcome column of shooting Light Horse.
    light_horse_shot: LightHorseShot {
        /// Their own.
        #[default] Own = "own",
        /// That of Shooters.
        Shooters = "shooters",
    }
    /// BB-020, BB-091: the form of the board.
    board: BoardForm {
        /// Wide for two sides, square for more.
        #[default] BySides = "by_sides",
        /// As deep as a normal board, and wider.
        Wide = "wide",
        /// Square.
        Square = "square",
    }
    /// BB-024: commands side by side at deployment.
    intermingle: Intermingle {
        /// Their hulls may not overlap.
        #[default] Hulls = "hulls",
        /// As they like.
        Free = "free",
    }
    /// BB-025: features on a larger board.
    terrain_features: TerrainFeatures {
        /// More of them.
        #[default] Scaled = "scaled",
        /// As on a normal board.
        Base = "base",
    }
    /// BB-029: who sets the terrain.
    terrain_by: TerrainBy {
        /// The defender.
        #[default] Defender = "defender",
        /// The host.
        Host = "host",
    }
    /// BB-030: a general in contact.
    engaged_general: EngagedGeneral {
        /// As if out of reach.
        #[default] NoCommand = "no_command",
        /// PIPs for his own element only.
        NoPips = "no_pips",
    }
    /// BB-034: PIP dice of the commands.
    pip_dice: PipDice {
        /// Each its own.
        #[default] Own = "own",
        /// Shared out by the commander-in-chief.
        Assigned = "assigned",
        /// One score for all.
        One = "one",
    }
    /// BB-037: the loss of the commander-in-chief.
    cinc_loss: CincLoss {
        /// Felt by his command.
        #[default] Command = "command",
        /// Felt by all.
        Army = "army",
    }
    /// BB-038: what further moves cost.
    extra_move_cost: ExtraMoveCost {
        /// As a move, additions included.
        #[default] Full = "full",
        /// 1 PIP.
        One = "one",
    }
    /// BB-038: from column into line.
    march_deploy: MarchDeploy {
        /// As one move.
        #[default] Group = "group",
        /// Element by element.
        Single = "single",
    }
    /// BB-031, BB-088: Aerials beaten in woods and BUAs.
    aerial_woods_loss: AerialWoodsLoss {
        /// Destroyed in every kind of combat.
        #[default] Any = "any",
        /// Destroyed in close combat.
        Contact = "contact",
    }
    /// BB-040: when commands are judged.
    demoralized_when: DemoralizedWhen {
        /// At the end of each bound.
        #[default] EndOfBound = "end_of_bound",
        /// At once.
        AtOnce = "at_once",
    }
    /// BB-040: whether demoralization ends.
    demoralization: Demoralization {
        /// It does not.
        #[default] Permanent = "permanent",
        /// When the losses come down.
        While = "while",
    }
    /// BB-041: the test for a lost general.
    general_test: GeneralTest {
        /// Once.
        #[default] Once = "once",
        /// At every PIP score.
        EachBound = "each_bound",
    }
    /// BB-093: bounds of allies.
    allied_bounds: AlliedBounds {
        /// Each its own.
        #[default] Own = "own",
        /// One together.
        Shared = "shared",
    }
    /// BB-094: who fights in whose bound.
    multi_side_combat: MultiSideCombat {
        /// Only with the side whose bound it is.
        #[default] Active = "active",
        /// All with all.
        All = "all",
    }
    /// BB-098: who orders the combats of a shared army.
    combat_order: CombatOrder {
        /// The commander-in-chief's player.
        #[default] CInC = "c_in_c",
        /// Each player for his own.
        Owner = "owner",
    }
    /// BB-050: what counts of a demoralized command.
    demoralized_counts: DemoralizedCounts {
        /// All but what was never deployed of Gods, Dragons and Lurkers.
        #[default] Seen = "seen",
        /// All.
        Whole = "whole",
    }
    /// BB-051: who is judged at the end of a bound.
    alliance_end: AllianceEnd {
        /// Alliances.
        #[default] Sum = "sum",
        /// Armies.
        Army = "army",
    }
    }
    switches {
    /// BB-009: generals in Light Horse, Scouts and Rangers.
    new_type_generals = true,
    /// BB-014: whether enemy Mounted pass through Scouts.
    enemy_through_scouts = false,
    /// BB-019: whether Light Horse count as Riders where BB-016 names them.
    light_horse_as_riders = false,
    /// BB-085: Baggage in campaign battles.
    campaign_baggage = false,
    /// BB-061: halted Artillery.
    halted_artillery_shoots = true,
    /// BB-064: whether demoralized flight begins with a recoil.
    flight_recoil = false,
    /// BB-052: the loss of the commander-in-chief.
    cinc_victory = false,
    }
    amounts {
    /// BB-003: the host's own least AP of a command; 0: none.
    ap_per_command_min = 0,
    /// BB-003: the host's own most AP of a command; 0: none.
    ap_per_command_max = 0,
    /// BB-020: the board's width; 0: as the rules have it.
    board_width = 0,
    /// BB-020: the board's depth; 0: as the rules have it.
    board_depth = 0,
    /// BB-026: depth of the deployment zone; 0: scaled with the board.
    deployment_depth = 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rulebook::{Allowed, Family, OptionTable};

    /// The rulebook's catalogue of a game says the same as the types here.
    fn agrees(family: Family, shapes: &[(&str, Shape)]) {
        let table = OptionTable::of(family);
        for (key, shape) in shapes {
            let spec = table.get(key).unwrap_or_else(|| panic!("{key} is not in the catalogue"));
            match shape {
                Shape::Words(words) => {
                    let mut known = spec.allowed.names();
                    known.sort_unstable();
                    let mut here = words.to_vec();
                    here.sort_unstable();
                    assert_eq!(known, here, "{key}");
                    assert_eq!(spec.default, words[0].into(), "{key}");
                }
                Shape::Switch(on) => {
                    assert_eq!(spec.allowed, Allowed::Bool, "{key}");
                    assert_eq!(spec.default, (*on).into(), "{key}");
                }
                Shape::Amount(p) => {
                    assert!(matches!(spec.allowed, Allowed::Paces { .. } | Allowed::Int { .. }), "{key}");
                    assert_eq!(spec.default, i64::from(*p).into(), "{key}");
                }
            }
        }
        let here: Vec<&str> = shapes.iter().map(|s| s.0).collect();
        let missing: Vec<&str> = table.iter().map(|s| s.key.as_str()).filter(|k| !here.contains(k)).collect();
        assert!(missing.is_empty(), "options without a type: {missing:?}");
    }

    #[test]
    fn types_and_catalogue_agree() {
        agrees(Family::Hott, Options::SHAPES);
        agrees(Family::Big, BigOptions::SHAPES);
    }

    #[test]
    fn every_option_reads_every_value() {
        for (key, _) in Options::SHAPES.iter().chain(BigOptions::SHAPES) {
            let spec = Family::ALL.into_iter().find_map(|f| OptionTable::of(f).get(key)).unwrap();
            for value in spec.allowed.samples(&spec.default) {
                let rules = rulebook::Layers::new(&[Family::Hott, Family::Big])
                    .set(&format!("{key}={value}"))
                    .effective()
                    .unwrap_or_else(|e| panic!("{e}"));
                let options = Options::read(&rules).unwrap_or_else(|e| panic!("{e}"));
                let big = BigOptions::read(&rules).unwrap_or_else(|e| panic!("{e}"));
                assert_eq!(options.get(key).or_else(|| big.get(key)), Some(value));
            }
        }
        assert_eq!(Options::default().get("hott.nonsense"), None);
    }
}
