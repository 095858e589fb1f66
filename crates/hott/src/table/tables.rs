//! The checked tables: what the rest of the game looks things up in.

use std::sync::LazyLock;

use rulebook::{Effective, Family, Layers, RuleId, RulesErrors, Tree};

use super::data::{SHIPPED, SHIPPED_NAME};
use super::load;
use super::numbers::{NumberNote, Numbers};
use super::options::{BigOptions, Options};
use super::outcome::Outcomes;
use super::{Class, TroopType};

/// Which rules are played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Scope {
    /// The base game.
    #[default]
    Base,
    /// A big battle (BB-001): its changes to the base game hold.
    Big,
}

/// HOTT-001, HOTT-002: the figure scale, which sets base widths and depths in paces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Scale {
    /// 15 mm figures or smaller: 25 mm are 100p.
    #[default]
    Mm15,
    /// 25 mm figures: 40 mm are 100p.
    Mm25,
}

impl Scale {
    /// Millimetres to paces (HOTT-001).
    pub fn paces(self, mm: i32) -> i32 {
        match self {
            Scale::Mm15 => mm * 100 / 25,
            Scale::Mm25 => mm * 100 / 40,
        }
    }

    /// The word of army files: `15mm`, `25mm`.
    pub fn word(self) -> &'static str {
        ["15mm", "25mm"][self as usize]
    }

    /// The scale with this word.
    pub fn from_word(word: &str) -> Option<Scale> {
        [Scale::Mm15, Scale::Mm25].into_iter().find(|s| s.word() == word)
    }
}

/// The columns of the move table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Column {
    /// Along a road.
    Road,
    /// Along a road through bad going (HOTT-042).
    RoadInBad,
    /// Good going.
    Good,
    /// Bad going.
    Bad,
    /// Wading.
    Water,
}

/// In whose bounds an element shoots (HOTT-223).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShootBounds {
    /// In every side's.
    Both,
    /// In its own side's.
    Own,
}

/// How a type shoots (HOTT-223 to HOTT-225).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shooting {
    /// Range in paces.
    pub range: i32,
    /// In whose bounds.
    pub bounds: ShootBounds,
    /// Only elements that are armed (BB-011).
    pub if_armed: bool,
}

/// The row of one type in the troop table (section 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TroopData {
    /// Its type.
    pub ty: TroopType,
    /// Its rule, which is also the rule of its basic combat factor.
    pub rule: RuleId,
    /// Its class.
    pub class: Class,
    /// Cost in AP.
    pub ap: i32,
    /// HOTT-012: may hold the general.
    pub general: bool,
    pub(super) moves: [i32; 5],
    pub(super) cf: [i32; 2],
    /// HOTT-324: must pursue.
    pub pursues: bool,
    /// HOTT-048: bespells.
    pub bespells: bool,
    /// HOTT-048: shoots.
    pub shoots: Option<Shooting>,
    pub(super) depth_mm: [i32; 2],
    /// BB-070: a type of the big battles only.
    pub big: bool,
    /// BB-011, BB-015: may be equipped with a shooting weapon, by this rule.
    pub arms: Option<RuleId>,
}

impl TroopData {
    /// The rate in this kind of going in paces; 0: it may not move there.
    pub fn rate(&self, column: Column) -> i32 {
        self.moves[column as usize]
    }

    /// The basic combat factor against an opponent of this class (HOTT-047).
    pub fn cf(&self, against: Class) -> i32 {
        self.cf[usize::from(matches!(against, Class::Mounted | Class::Aerial))]
    }

    /// Base depth in paces (HOTT-003); 0 for a Stronghold.
    pub fn depth(&self, scale: Scale) -> i32 {
        scale.paces(self.depth_mm[scale as usize])
    }
}

/// A set of types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TypeSet(pub(super) u32);

impl TypeSet {
    /// Every type.
    pub const ALL: TypeSet = TypeSet((1 << TroopType::COUNT) - 1);

    /// Whether the type is in it.
    pub fn has(self, ty: TroopType) -> bool {
        self.0 >> ty.index() & 1 == 1
    }
}

/// Who takes which factor, by type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FactorSets {
    pub(super) rank_support: TypeSet,
    pub(super) scout_support: TypeSet,
    pub(super) scout_against: TypeSet,
    pub(super) at_home: TypeSet,
    pub(super) needs_open_enemy: TypeSet,
    pub(super) hampers_all: TypeSet,
    pub(super) stronghold_protects: TypeSet,
    pub(super) strike_back: TypeSet,
    pub(super) fear_sneakers: TypeSet,
    pub(super) equal: Vec<[TypeSet; 2]>,
}

/// The whole effective table: options, troops, factors, outcomes and numbers. Never changed after it was
/// made; share it behind an `Arc`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tables {
    /// Which rules are played.
    pub scope: Scope,
    /// The options of the base game.
    pub options: Options,
    /// The options of big battles.
    pub big: BigOptions,
    /// The single numbers.
    pub numbers: Numbers,
    pub(super) troops: [TroopData; TroopType::COUNT],
    /// The rule and unit of each number, in the order of [`Numbers::NAMES`].
    pub number_notes: Vec<NumberNote>,
    pub(super) sets: FactorSets,
    /// The outcome array.
    pub outcomes: Outcomes,
}

// The shipped file is long: it is read once.
static BASE_LAYERS: LazyLock<Layers> = LazyLock::new(|| shipped(&[Family::Hott]));
static BIG_LAYERS: LazyLock<Layers> = LazyLock::new(|| shipped(&[Family::Hott, Family::Big]));

fn shipped(games: &[Family]) -> Layers {
    Layers::new(games).tables(Family::Hott, SHIPPED_NAME, SHIPPED)
}

impl Tables {
    /// The shipped options and tables of these rules, ready for presets, house-rules files and `--set`.
    pub fn layers(scope: Scope) -> Layers {
        match scope {
            Scope::Base => BASE_LAYERS.clone(),
            Scope::Big => BIG_LAYERS.clone(),
        }
    }

    /// The shipped rules with every default.
    pub fn standard(scope: Scope) -> Tables {
        // INVARIANT: the shipped file loads; test `shipped_tables_load`.
        let rules = Tables::layers(scope).effective().expect("the shipped rules lie over one another");
        // INVARIANT: the same test.
        Tables::load(scope, &rules).expect("the shipped tables are whole")
    }

    /// Checks the rules in force and makes the tables of them.
    ///
    /// # Errors
    /// Every number out of bounds and every word that is not of its vocabulary, with its place.
    pub fn load(scope: Scope, rules: &Effective) -> Result<Tables, RulesErrors> {
        load::load(scope, rules)
    }

    /// The tables of the rules in force with what the options change in them worked in: what the header
    /// of a record keeps. [`Tables::load`] takes such a tree, read back, as it stands.
    ///
    /// # Errors
    /// Only if the shipped file is broken.
    pub fn resolved(rules: &Effective) -> Result<Tree, RulesErrors> {
        load::resolved(rules)
    }

    /// The row of a type.
    pub fn troop(&self, ty: TroopType) -> &TroopData {
        &self.troops[ty.index()]
    }

    /// The class of a type (HOTT-014).
    pub fn class(&self, ty: TroopType) -> Class {
        self.troops[ty.index()].class
    }

    /// HOTT-256 (a): whether bad going takes nothing from this type.
    pub fn at_home_in_bad_going(&self, ty: TroopType) -> bool {
        self.sets.at_home.has(ty)
    }

    /// Whether the rules of big battles are played.
    pub fn is_big(&self) -> bool {
        self.scope == Scope::Big
    }

    /// The base width in paces (HOTT-002).
    pub fn base_width(&self, scale: Scale) -> i32 {
        match scale {
            Scale::Mm15 => self.numbers.base_width_15,
            Scale::Mm25 => self.numbers.base_width_25,
        }
    }

    /// The side of the standard board in paces (HOTT-004).
    pub fn board(&self, scale: Scale) -> i32 {
        match scale {
            Scale::Mm15 => self.numbers.board_15,
            Scale::Mm25 => self.numbers.board_25,
        }
    }

    /// HOTT-153: how deep threat zones are, in paces.
    pub fn zone_depth(&self, scale: Scale) -> i32 {
        match self.numbers.zone_depth_paces {
            0 => self.numbers.zone_depth_bw * self.base_width(scale) / 100,
            paces => paces,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_tables_load() {
        for scope in [Scope::Base, Scope::Big] {
            let t = Tables::standard(scope);
            assert_eq!(t.scope, scope);
            assert_eq!(t.troop(TroopType::Kni).rate(Column::Good), 300);
        }
    }
}
