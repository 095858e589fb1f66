//! The options of Horde combat: one closed enum each, a set of them in force at a time.
//!
//! Keys, values and defaults are those of the rules' own registry; text comes in and goes out through
//! [`Options::set`] and [`Options::get`], so nothing else knows the spelling.

use std::fmt;

/// What is wrong with an option somebody wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionError {
    /// No option has this key.
    UnknownKey {
        /// As written.
        key: String,
        /// The nearest key that exists.
        nearest: &'static str,
    },
    /// The option has no such value.
    UnknownValue {
        /// The option's key.
        key: &'static str,
        /// As written.
        value: String,
        /// All values it may have.
        allowed: &'static [&'static str],
    },
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownKey { key, nearest } => {
                write!(f, "there is no option `{key}`; did you mean `{nearest}`?")
            }
            Self::UnknownValue { key, value, allowed } => {
                write!(f, "option `{key}` cannot be `{value}`; it may be {}", allowed.join(", "))
            }
        }
    }
}

impl std::error::Error for OptionError {}

macro_rules! options {
    ($( $(#[$doc:meta])* $field:ident : $ty:ident [$key:literal $rule:literal] { $first:ident $fv:literal $(, $var:ident $vv:literal)* $(,)? } )*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
            pub enum $ty {
                #[doc = concat!("`", $fv, "` (default)")]
                #[default]
                $first,
                $( #[doc = concat!("`", $vv, "`")] $var, )*
            }
            impl $ty {
                const WORDS: &'static [&'static str] = &[$fv $(, $vv)*];
                const ALL: &'static [$ty] = &[$ty::$first $(, $ty::$var)*];
                /// The value as it is written.
                pub fn word(self) -> &'static str {
                    Self::WORDS[self as usize]
                }
            }
        )*
        /// All options of an encounter, each with one value.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct Options {
            /// The tables of numbers in force.
            pub tables: crate::tables::TablesRef,
            $( $(#[$doc])* pub $field: $ty, )*
        }
        /// Every option: key, the rule that has it, and its values, default first.
        pub const REGISTRY: &[OptionEntry] = &[
            $( OptionEntry { key: $key, rule: $rule, values: $ty::WORDS } ),*
        ];
        impl Options {
            fn set_one(&mut self, key: &str, value: &str) -> Result<(), OptionError> {
                match key {
                    $( $key => {
                        let at = $ty::WORDS.iter().position(|w| *w == value).ok_or_else(|| {
                            OptionError::UnknownValue { key: $key, value: value.to_owned(), allowed: $ty::WORDS }
                        })?;
                        self.$field = $ty::ALL[at];
                        Ok(())
                    } )*
                    _ => Err(OptionError::UnknownKey { key: key.to_owned(), nearest: nearest_key(key) }),
                }
            }
            /// The value of the option with this key, as written; `None` if there is no such option.
            pub fn get(&self, key: &str) -> Option<&'static str> {
                match key.strip_prefix("horde.").filter(|k| REGISTRY.iter().any(|e| e.key == *k)).unwrap_or(key) {
                    $( $key => Some(self.$field.word()), )*
                    _ => None,
                }
            }
        }
    };
}

/// One line of the option registry.
#[derive(Clone, Copy, Debug)]
pub struct OptionEntry {
    /// Key, without the leading `horde.` of a house-rules file.
    pub key: &'static str,
    /// The rule that offers it.
    pub rule: &'static str,
    /// Values, the default first.
    pub values: &'static [&'static str],
}

fn nearest_key(key: &str) -> &'static str {
    REGISTRY
        .iter()
        .map(|e| e.key)
        .min_by_key(|k| strsim::damerau_levenshtein(k, key))
        // INVARIANT: the registry is a constant that is not empty.
        .unwrap_or("ruleset")
}

options! {
    /// HC-100: which selection of rules.
    ruleset: Ruleset ["ruleset" "HC-100"] { Makuu "makuu", Deathwatch "deathwatch", Custom "custom" }
    /// HC-004: whether the sum of modifiers is limited.
    modifier_clamp: ModifierClamp ["modifier.clamp" "HC-004"] { Sixty "60", Off "off" }
    /// HC-005: how degrees are counted.
    dos_count: DosCount ["dos.count" "HC-005"] { BcExact "bc_exact", TensDigit "tens_digit", Dw "dw" }
    /// HC-008: halves and thirds without a rule of their own.
    round_half: RoundHalf ["round.half" "HC-008"] { Up "up", Down "down" }
    /// HC-013: what Unnatural (X) does.
    unnatural_mode: UnnaturalMode ["unnatural.mode" "HC-013"] { Additive "additive", Multiplicative "multiplicative" }
    /// HC-012: bonus degrees of an Unnatural characteristic.
    unnatural_bonus_dos: UnnaturalBonusDos ["unnatural.bonus_dos" "HC-012"] { On "on", Off "off" }
    /// HC-020: column of the action table.
    actions_table: ActionsTable ["actions.table" "HC-020"] { Bc "bc", Dw "dw" }
    /// HC-022: cap on the hits of Swift and Lightning Attacks.
    melee_multihit_cap: MeleeMultihitCap ["melee.multihit_cap" "HC-022"] { Wsb "wsb", LightningOnly "lightning_only", None "none" }
    /// HC-052: where further hits land.
    location_multi: LocationMulti ["location.multi" "HC-052"] { Walk "walk", Same "same" }
    /// HC-085: Rounds of Stun on an exact tie.
    stun_min_rounds: StunMinRounds ["stun.min_rounds" "HC-085"] { Zero "0", One "1" }
    /// HC-088: which degrees of failure add to the Shock roll.
    fear_shock_per_dof: FearShockPerDof ["fear.shock_per_dof" "HC-088"] { Every "every", AfterFirst "after_first" }
    /// HC-103: heads for each point of Magnitude.
    mag_per_head: MagPerHead ["mag.per_head" "HC-103"] { None "none", Makuu "makuu_1.75", Even "1:1", ForumA "forum_a", ForumB "forum_b" }
    /// HC-105: cap on Magnitude Bonus.
    mb_cap: MbCap ["mb.cap" "HC-105"] { None "none", Nine "9" }
    /// HC-107: what becomes of a Horde below Magnitude 10.
    small_horde: SmallHorde ["small_horde" "HC-107"] { Keep "keep", Dissolve "dissolve_to_individuals", Remove "remove" }
    /// HC-110: ladder of size modifiers.
    size_table: SizeTable ["size.table" "HC-110"] { Anchored "anchored", Tens "tens", NoneBelow30 "none_below_30", Floor30 "floor_30" }
    /// HC-113: size modifier in melee for one who can wade in.
    melee_csm_size: MeleeCsmSize ["melee.csm_size" "HC-113"] { Full "full", Capped "capped_10", None "none" }
    /// HC-114: the Magnitude that size is read from.
    size_sample: SizeSample ["size.sample" "HC-114"] { Live "live", RoundStart "round_start", Original "original" }
    /// HC-116: whether the size of a member counts too.
    size_add_creature: SizeAddCreature ["size.add_creature" "HC-116"] { Off "off", On "on" }
    /// HC-122: whether Penetration counts against a Horde.
    soak_pen: SoakPen ["soak.pen" "HC-122"] { Applies "applies", Ignored "ignored" }
    /// HC-124: how many Damage rolls the hits of an attack get.
    damage_roll: DamageRollOption ["damage.roll" "HC-124"] { PerHit "per_hit", PerAttack "per_attack", BlastShared "blast_shared" }
    /// HC-126: a natural 10 against a Horde.
    fury_vs_horde: FuryVsHorde ["fury.vs_horde" "HC-126"] { None "none", Guaranteed1 "guaranteed_1" }
    /// HC-128: hits of a psychic attack.
    psychic_hits: PsychicHits ["psychic.hits" "HC-128"] { AsWeapon "as_weapon", PsyRating "effective_psy_rating" }
    /// HC-131: Blast on a burst.
    blast_scope: BlastScope ["blast.scope" "HC-131"] { PerHit "per_hit", PerAttack "per_attack", Additive "additive" }
    /// HC-132: what Explosive damage does.
    explosive_mode: ExplosiveMode ["explosive.mode" "HC-132"] { Double "double", PlusOne "plus_one_per_attack" }
    /// HC-133: rounding of a share of the range.
    flame_round: FlameRound ["flame.round" "HC-133"] { Up "up", Down "down", Nearest "nearest" }
    /// HC-134: thrown and launched Flame weapons.
    flame_range_source: FlameRangeSource ["flame.range_source" "HC-134"] { FixedOnly "fixed_range_only", Literal "literal" }
    /// HC-134: whether a Spray rolls to hit a Horde.
    flame_attack_roll: FlameAttackRoll ["flame.attack_roll" "HC-134"] { Auto "auto", BsTest "bs_test" }
    /// HC-134: Blast with Explosive.
    stack_blast_explosive: StackBlastExplosive ["stack.blast_explosive" "HC-134"] { Multiply "multiply", PlusOne "plus_one", BlastOnly "blast_only" }
    /// HC-134: Blast with Flame.
    stack_blast_flame: StackBlastFlame ["stack.blast_flame" "HC-134"] { Max "max", Flame "flame", Blast "blast", Sum "sum" }
    /// HC-134: a Blast that misses.
    blast_miss: BlastMiss ["blast.miss" "HC-134"] { None "none", ScatterGm "scatter_gm" }
    /// HC-135: all other qualities.
    traits_other: TraitsOther ["traits.other" "HC-135"] { AttackSide "attack_side", Strict "strict", Deathwatch "deathwatch" }
    /// HC-136: melee hits by half the degrees.
    melee_dw_hits: MeleeDwHits ["melee.dw_hits" "HC-136"] { Off "off", On "on" }
    /// HC-140: what a quarter is a quarter of.
    break_base: BreakBase ["break.base" "HC-140"] { RoundStart "round_start", Original "original", SinceOwnLastTurn "since_own_last_turn" }
    /// HC-141: how the quarter is compared.
    break_threshold: BreakThreshold ["break.threshold" "HC-141"] { Exact "exact", Floor "floor" }
    /// HC-143: when a Horde breaks by itself.
    break_auto_when: BreakAutoWhen ["break.auto_when" "HC-143"] { Immediately "immediately", RoundEnd "round_end", OwnTurn "own_turn" }
    /// HC-144: whether a broken Horde may come back.
    break_rally: BreakRally ["break.rally" "HC-144"] { Never "never", GmButton "gm_button" }
    /// HC-145: when the Test is taken.
    break_when: BreakWhen ["break.when" "HC-145"] { RoundEnd "round_end", OnCrossing "on_crossing", OwnTurn "own_turn" }
    /// HC-147: Fearless creatures.
    break_fearless: BreakFearless ["break.fearless" "HC-147"] { NeverBreaks "never_breaks", TestsNormally "tests_normally" }
    /// HC-150: rounding of half the Magnitude.
    fear_round: FearRound ["fear.round" "HC-150"] { Down "down", Up "up" }
    /// HC-150: which Magnitude is halved.
    fear_sample: FearSample ["fear.sample" "HC-150"] { Current "current", Original "original" }
    /// HC-151: what a failed Fear Test does to a Horde.
    fear_fail: FearFail ["fear.fail" "HC-151"] { ShockTable "shock_table", Breaks "breaks", Gm "gm" }
    /// HC-152: bonus to a Horde's own Pinning Tests.
    pin_horde_bonus: PinHordeBonus ["pin.horde_bonus" "HC-152"] { Magnitude "magnitude", Half "half", None "none" }
    /// HC-153: Fear that a Horde causes.
    fear_horde_rating: FearHordeRating ["fear.horde_rating" "HC-153"] { Off "off", PlusOne "plus_one" }
    /// HC-162: whether the forms need their talents.
    horde_melee_forms: HordeMeleeForms ["horde.melee_forms" "HC-162"] { AnyListed "any_listed", NeedsTalent "needs_talent" }
    /// HC-162: whether forms may differ by target.
    horde_melee_mix: HordeMeleeMix ["horde.melee_mix" "HC-162"] { PerTarget "per_target", OneForm "one_form_per_turn" }
    /// HC-163: least ranged attacks.
    ranged_minimum: RangedMinimum ["ranged.minimum" "HC-163"] { Zero "0", One "1" }
    /// HC-164: whether ranged forms may differ.
    horde_ranged_mix: HordeRangedMix ["horde.ranged_mix" "HC-164"] { PerAttack "per_attack", OneForm "one_form_per_turn" }
    /// HC-166: melee and ranged attacks in one turn.
    horde_both: HordeBoth ["horde.both" "HC-166"] { Yes "yes", Either "melee_or_ranged", NoRangedAtEngaged "no_ranged_at_engaged" }
    /// HC-167: bonus of a Horde to its own attacks.
    horde_attack_bonus: HordeAttackBonus ["horde.attack_bonus" "HC-167"] { None "none", MinM20 "min_m_20" }
    /// HC-170: evading a Horde.
    evade_horde: EvadeHorde ["evade.horde" "HC-170"] { SizePenalty "size_penalty", Forbidden "forbidden" }
    /// HC-173: whether the added dice are dropped again.
    extra_keep: ExtraKeep ["extra.keep" "HC-173"] { DropAdded "drop_added", KeepAll "keep_all" }
    /// HC-174: which die is added.
    extra_die: ExtraDie ["extra.die" "HC-174"] { D10 "d10", WeaponDie "weapon_die" }
    /// HC-175: extra dice in a Grapple.
    grapple_extra_dice: GrappleExtraDice ["grapple.extra_dice" "HC-175"] { On "on", Off "off" }
    /// HC-176: Zealous Hatred of Hordes.
    fury_by_horde: FuryByHorde ["fury.by_horde" "HC-176"] { Off "off", On "on" }
    /// HC-178: Horde against Horde.
    horde_vs_horde: HordeVsHorde ["horde_vs_horde" "HC-178"] { SameRules "same_rules", GmNarrates "gm_narrates" }
    /// HC-182: attacking a Horde that grapples.
    grapple_attack_horde: GrappleAttackHorde ["grapple.attack_horde" "HC-182"] { NoGrappleBonus "no_grapple_bonus", NoBonusAtAll "no_bonus_at_all" }
    /// HC-183: who may not attack one that is held.
    grapple_shield: GrappleShield ["grapple.shield" "HC-183"] { Everyone "everyone", Hordes "hordes", HordeOnly "horde_only" }
    /// HC-186: what of Magnitude Bonus adds to Stun.
    stun_mb: StunMb ["stun.mb" "HC-186"] { FirstDigit "first_digit", WholeMb "whole_mb", Capped2 "capped_2" }
    /// HC-187: what Stun is compared with.
    stun_versus: StunVersus ["stun.versus" "HC-187"] { TbPlusHeadAp "tb_plus_head_ap", TbOnly "tb_only" }
    /// HC-193: Pinning Tests in a Round.
    pin_tests_per_round: PinTestsPerRound ["pin.tests_per_round" "HC-193"] { EachAttack "each_attack", Once "once" }
}

impl Options {
    /// Sets an option from text. `ruleset` also sets what its preset says (HC-108); a single option set
    /// afterwards changes that one alone.
    ///
    /// # Errors
    /// If there is no such option or it has no such value; nothing is changed then.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), OptionError> {
        // `horde.` heads every key in a house-rules file; a few keys of the registry begin with it themselves.
        let bare = key.strip_prefix("horde.").filter(|k| REGISTRY.iter().any(|e| e.key == *k)).unwrap_or(key);
        self.set_one(bare, value)?;
        if bare == "ruleset" {
            match self.ruleset {
                Ruleset::Makuu => *self = Options { tables: self.tables, ..Options::default() },
                Ruleset::Deathwatch => {
                    *self =
                        Options { ruleset: Ruleset::Deathwatch, tables: self.tables, ..Options::default() };
                    for (key, value) in &self.t().preset.deathwatch {
                        self.set_one(key, value)?;
                    }
                }
                Ruleset::Custom => {}
            }
        }
        Ok(())
    }

    /// The tables of numbers in force.
    pub fn t(&self) -> &'static crate::tables::Tables {
        self.tables.get()
    }

    /// The options that differ from the default, as `(key, value)`, in the order of the registry. Setting
    /// them one by one on the default gives the same options again.
    pub fn changed(&self) -> Vec<(&'static str, &'static str)> {
        let mut base = Options { tables: self.tables, ..Options::default() };
        let mut out = Vec::new();
        for entry in REGISTRY {
            let (Some(mine), Some(theirs)) = (self.get(entry.key), base.get(entry.key)) else { continue };
            if mine != theirs {
                // `ruleset` is first in the registry, so its preset is in `base` before the rest is compared.
                if base.set(entry.key, mine).is_ok() {
                    out.push((entry.key, mine));
                }
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_takes_each_of_its_values_and_no_other() {
        for entry in REGISTRY {
            for value in entry.values {
                let mut o = Options::default();
                o.set(entry.key, value).unwrap();
                assert_eq!(o.get(entry.key), Some(*value), "{}", entry.key);
                let mut again = Options::default();
                for (k, v) in o.changed() {
                    again.set(k, v).unwrap();
                }
                assert_eq!(again, o);
            }
            assert!(Options::default().set(entry.key, "no such value").is_err());
        }
    }

    #[test]
    fn keys_rules_values_and_defaults_are_those_of_the_reference() {
        let table = rulebook::OptionTable::of(rulebook::Family::Horde);
        assert_eq!(table.len(), REGISTRY.len());
        for entry in REGISTRY {
            let spec = table.get(&format!("horde.{}", entry.key)).unwrap_or_else(|| panic!("{}", entry.key));
            assert_eq!(spec.rule.to_string(), entry.rule, "{}", entry.key);
            assert_eq!(spec.default.to_string(), entry.values[0], "{}", entry.key);
            let mut mine: Vec<&str> = entry.values.to_vec();
            let mut theirs = spec.allowed.names();
            mine.sort_unstable();
            theirs.sort_unstable();
            assert_eq!(mine, theirs, "{}", entry.key);
        }
    }

    #[test]
    fn an_unknown_key_names_the_nearest() {
        let e = Options::default().set("flame.rounds", "up").unwrap_err();
        assert!(e.to_string().contains("flame.round"), "{e}");
    }

    #[test]
    fn hc108_the_preset_sets_its_values_and_leaves_the_rest() {
        let mut o = Options::default();
        o.set("horde.ruleset", "deathwatch").unwrap();
        assert_eq!(o.get("dos.count"), Some("dw"));
        assert_eq!(o.get("extra.keep"), Some("keep_all"));
        assert_eq!(o.get("flame.round"), Some("up"));
        o.set("dos.count", "bc_exact").unwrap();
        assert_eq!(o.get("extra.keep"), Some("keep_all"));
    }
}
