//! To hit, and how many hits: sections 4, 5, 8 and 10.2 to 10.4.
//!
//! One [`Attack`] is the pure description of an attack as the rules see it; the engine throws its dice, the
//! odds count all its dice, and both ask the functions here.

use crate::arms::{Class, Quality, Reach, Talent, Trait9, Weapon};
use crate::options::{
    ActionsTable, BlastScope, DosCount, ExplosiveMode, FlameAttackRoll, FlameRangeSource, FlameRound,
    GrappleAttackHorde, HordeAttackBonus, MeleeCsmSize, MeleeDwHits, MeleeMultihitCap, Options, PsychicHits,
    Ruleset, StackBlastExplosive, StackBlastFlame, TraitsOther,
};
use crate::roll::{Degrees, Score, half, judge};
use crate::rule::{Factor, Rule};
use crate::tables::{HitRule, flame_divisor};
use crate::unit::{Action, Aim, Band, Mod, Unit};
use rulebook::rule;

/// One attack, before any die.
#[derive(Clone, Debug)]
pub struct Attack<'a> {
    /// Options in force.
    pub o: &'a Options,
    /// Who attacks.
    pub by: &'a Unit,
    /// Who is attacked.
    pub at: &'a Unit,
    /// With what.
    pub weapon: &'a Weapon,
    /// How.
    pub action: Action,
    /// Range.
    pub band: Band,
    /// Aim.
    pub aim: Aim,
    /// Modifiers that people named.
    pub mods: &'a [Mod],
    /// An accidental hit of Suppressing Fire: no extra dice (HC-192).
    pub accidental: bool,
    /// Suppressing Fire on full automatic.
    pub full_auto: bool,
    /// Attacker and target fight each other hand to hand (HC-030).
    pub engaged: bool,
    /// The target, a lone figure, holds somebody (HC-087).
    pub holds: bool,
}

/// How an attack roll came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Struck {
    /// Degrees; of failure on a miss.
    pub degrees: Degrees,
    /// HC-024: the weapon jammed, a miss whatever was rolled.
    pub jam: bool,
    /// Hits before Horde multipliers, 0 on a miss; 1 for a Stun or Grapple that hits.
    pub hits: i32,
}

/// Why an attack cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CannotAttack {
    /// The rule that forbids it.
    pub rule: Rule,
    /// In words.
    pub why: String,
    /// What would be right.
    pub instead: Option<String>,
}

impl Attack<'_> {
    /// Whether it is made hand to hand.
    pub fn melee(&self) -> bool {
        self.weapon.is_melee()
    }

    /// HC-135: a quality's figure where it counts in this attack; `None` where it is absent or ignored.
    pub fn quality(&self, q: Quality) -> Option<i32> {
        let strict = self.o.traits_other == TraitsOther::Strict && self.at.is_horde();
        let kept = matches!(
            q,
            Quality::Blast | Quality::Flame | Quality::Spray | Quality::Reliable | Quality::Unreliable
        );
        let only_dw = matches!(q, Quality::PowerField | Quality::Devastating);
        if (strict && !kept)
            || (only_dw && !(self.at.is_horde() && self.o.traits_other == TraitsOther::Deathwatch))
        {
            return None;
        }
        self.weapon.qualities.figure(q)
    }

    /// Whether the form is one that the attacker and the weapon have.
    ///
    /// # Errors
    /// The rule, why not, and what would be right.
    pub fn allowed(&self) -> Result<(), CannotAttack> {
        let row = self.action.row(self.o);
        let name = &row.name;
        let cannot = |rule, why: String, instead: Option<String>| Err(CannotAttack { rule, why, instead });
        let melee = self.melee();
        if (melee && !row.melee) || (!melee && !row.ranged) {
            let kind = if melee { "a melee weapon" } else { "a ranged weapon" };
            return cannot(
                rule!("HC-020"),
                format!("{name} cannot be made with {} ({kind})", self.weapon.id),
                Some(self.forms_words()),
            );
        }
        if self.o.actions_table == ActionsTable::Dw && row.dw.is_none() {
            return cannot(
                rule!("HC-020"),
                format!("the action table in force (actions.table = dw) has no {name}"),
                Some(self.forms_words()),
            );
        }
        if self.by.is_horde() {
            let listed = if melee {
                matches!(
                    self.action,
                    Action::Standard | Action::Swift | Action::Lightning | Action::Stun | Action::Grapple
                )
            } else {
                matches!(self.action, Action::Standard | Action::Semi | Action::Full | Action::Suppress)
            };
            if !listed {
                let rule = if melee { rule!("HC-161") } else { rule!("HC-164") };
                return cannot(rule, format!("a Horde makes no {name}"), Some(self.forms_words()));
            }
        }
        if !melee {
            let (single, semi, full) = self.weapon.rof;
            let mode = match self.action {
                Action::Semi => semi > 0,
                Action::Full => full > 0,
                Action::Suppress => semi > 0 || full > 0,
                _ => single || self.quality(Quality::Spray).is_some(),
            };
            if !mode {
                return cannot(
                    rule!("HC-021"),
                    format!(
                        "{} has no such mode for {name} (single {}, semi {semi}, full {full})",
                        self.weapon.id,
                        i32::from(single)
                    ),
                    Some(self.forms_words()),
                );
            }
        }
        if !melee
            && self.o.t().handling.stricter
            && self.weapon.is_spray()
            && matches!(self.band, Band::Long | Band::Extreme)
        {
            let range = self.weapon.range_m(self.by.bonus(self.o, Trait9::S)).unwrap_or(0);
            return cannot(
                rule!("HC-070"),
                format!("a cone reaches {range} m: {} hits nothing beyond", self.weapon.id),
                Some(format!("at most {range}m: point blank, short or normal range")),
            );
        }
        let q = &self.weapon.qualities;
        if self.action == Action::Lightning && (q.has(Quality::Unwieldy) || q.has(Quality::Unbalanced)) {
            return cannot(
                rule!("HC-023"),
                format!("{} is too clumsy for a Lightning Attack", self.weapon.id),
                Some("swift or standard".to_owned()),
            );
        }
        let needs = match self.action {
            Action::Swift => Some(Talent::SwiftAttack),
            Action::Lightning => Some(Talent::LightningAttack),
            _ => None,
        };
        let free =
            self.by.is_horde() && self.o.horde_melee_forms == crate::options::HordeMeleeForms::AnyListed;
        if let Some(talent) = needs
            && !free
            && !self.by.has(talent)
        {
            return cannot(
                if self.by.is_horde() { rule!("HC-162") } else { rule!("HC-023") },
                format!("{} has not the talent for a {name}", self.by.label),
                Some("standard".to_owned()),
            );
        }
        Ok(())
    }

    /// HC-083, HC-164: Suppressing Fire is Semi-Auto or Full Auto fire, so the weapon must have the one that is meant.
    ///
    /// # Errors
    /// The rule, why not, and what would be right.
    pub fn allowed_suppression(&self, full_auto: bool) -> Result<(), CannotAttack> {
        let (single, semi, full) = self.weapon.rof;
        let there = if full_auto { full > 0 } else { semi > 0 };
        if self.action != Action::Suppress || there || !self.o.t().handling.stricter {
            return Ok(());
        }
        let (word, other) = if full_auto { ("full", "semi") } else { ("semi", "full") };
        Err(CannotAttack {
            rule: if self.by.is_horde() { rule!("HC-164") } else { rule!("HC-021") },
            why: format!(
                "{} has no {word} mode to suppress with (single {}, semi {semi}, full {full})",
                self.weapon.id,
                i32::from(single)
            ),
            instead: Some(format!("suppress {other} {}", self.weapon.id)),
        })
    }

    fn forms_words(&self) -> String {
        let forms: Vec<&str> = Action::ALL
            .iter()
            .filter(|a| **a != self.action && Attack { action: **a, ..self.clone() }.allowed_quick())
            .map(|a| a.word())
            .collect();
        forms.join(", ")
    }

    /// As [`Attack::allowed`], without the words.
    fn allowed_quick(&self) -> bool {
        let row = self.action.row(self.o);
        let (single, semi, full) = self.weapon.rof;
        let mode = match self.action {
            Action::Semi => semi > 0,
            Action::Full => full > 0,
            Action::Suppress => semi > 0 || full > 0,
            _ => self.melee() || single,
        };
        let listed = !self.by.is_horde()
            || !matches!(self.action, Action::AllOut | Action::Charge | Action::Called | Action::Guarded);
        mode && listed
            && (if self.melee() { row.melee } else { row.ranged })
            && (self.o.actions_table == ActionsTable::Bc || row.dw.is_some())
    }

    /// HC-111 to HC-113, HC-108: what the size of the target adds.
    pub fn size_factor(&self) -> Option<Factor> {
        if !self.at.is_horde() {
            let size = self.at.creature_size(self.o);
            return (size != 0).then(|| Factor::new(rule!("HC-016"), "size of the target", size));
        }
        let grappling = self.at.horde().is_some_and(|h| !h.held.is_empty());
        if grappling && self.o.grapple_attack_horde == GrappleAttackHorde::NoBonusAtAll {
            return Some(Factor::new(rule!("HC-182"), "a grappling Horde gives no bonus", 0));
        }
        let size = self.at.size(self.o);
        let t = &self.o.t().size;
        if !self.melee() {
            return Some(Factor::new(rule!("HC-111"), "size of the Horde", size));
        }
        if self.by.is_horde() {
            return Some(Factor::new(rule!("HC-178"), "size of the Horde", size));
        }
        if self.o.ruleset == Ruleset::Deathwatch {
            return Some(Factor::new(rule!("HC-108"), "size of the Horde", size));
        }
        if !self.by.profile.wade {
            return Some(Factor::new(
                rule!("HC-112"),
                "size of the Horde, melee",
                size.min(t.human_melee_cap),
            ));
        }
        let value = match self.o.melee_csm_size {
            MeleeCsmSize::Full => size,
            MeleeCsmSize::Capped => size.min(t.csm_capped),
            MeleeCsmSize::None => 0,
        };
        Some(Factor::new(rule!("HC-113"), "size of the Horde, wading in", value))
    }

    /// The number to roll under to hit, every factor named.
    pub fn score(&self) -> Score {
        let t = self.o.t();
        let q = &t.quality;
        let c = if self.melee() { Trait9::Ws } else { Trait9::Bs };
        let row = self.action.row(self.o);
        let dw = self.o.actions_table == ActionsTable::Dw;
        let base = self.by.profile.value(c);
        let mut action = if dw { row.dw.unwrap_or(row.bc) } else { row.bc };
        if self.action == Action::Stun && self.by.has(Talent::Takedown) {
            action = 0;
        }
        let mut f = vec![Factor { rule: rule!("HC-020"), name: row.name.as_str().into(), value: action }];
        if self.action == Action::Suppress {
            // HC-083: this roll takes no other modifier.
            f[0].rule = rule!("HC-083");
            return Score::new(self.o, c.name(), base, f);
        }
        if !self.melee() {
            let (name, value) = match self.band {
                Band::PointBlank if self.engaged => ("Point Blank, but engaged", 0),
                Band::PointBlank => ("Point Blank", t.range.point_blank),
                Band::Short => ("Short range", t.range.short_mod),
                Band::Normal => ("Normal range", t.range.normal),
                Band::Long => ("Long range", t.range.long_mod),
                Band::Extreme => ("Extreme range", t.range.extreme_mod),
            };
            if value != 0 || (self.engaged && self.band == Band::PointBlank) {
                f.push(Factor::new(rule!("HC-030"), name, value));
            }
            if self.quality(Quality::Scatter).is_some() {
                match self.band {
                    Band::PointBlank => {
                        f.push(Factor::new(rule!("HC-078"), "Scatter", q.scatter_point_blank))
                    }
                    Band::Short => f.push(Factor::new(rule!("HC-078"), "Scatter", q.scatter_short)),
                    _ => {}
                }
            }
        }
        // HC-165: a Horde does not aim.
        if self.aim != Aim::None && !self.by.is_horde() && self.quality(Quality::Inaccurate).is_none() {
            let value = if self.aim == Aim::Half { t.aim.half } else { t.aim.full };
            f.push(Factor::new(rule!("HC-020"), "Aim", value));
            if self.quality(Quality::Accurate).is_some() {
                f.push(Factor::new(rule!("HC-060"), "Accurate", t.aim.accurate));
            }
        }
        f.extend(self.size_factor());
        if self.quality(Quality::TwinLinked).is_some() {
            f.push(Factor::new(rule!("HC-072"), "Twin-linked", q.twin_linked));
        }
        if self.quality(Quality::Defensive).is_some() {
            f.push(Factor::new(rule!("HC-061"), "Defensive weapon", q.defensive_attack));
        }
        if self.by.is_horde() && self.o.horde_attack_bonus == HordeAttackBonus::MinM20 {
            let m = self.by.horde().map_or(0, |h| h.m);
            f.push(Factor::new(rule!("HC-167"), "numbers", m.min(t.horde.attack_bonus_most)));
        }
        self.conditions(&mut f);
        for m in self.mods {
            // HC-027: ganging up counts neither against a Horde nor for one.
            let gang = m.name == "two_to_one" || m.name == "three_to_one";
            let none = gang && (self.by.is_horde() || self.at.is_horde());
            let rule = if gang && none { rule!("HC-027") } else { rule!("HC-026") };
            f.push(Factor { rule, name: m.name.clone().into(), value: if none { 0 } else { m.value } });
        }
        Score::new(self.o, c.name(), base, f)
    }

    /// What the state of both sides adds: Pinned, Shock, Stunned, held.
    fn conditions(&self, f: &mut Vec<Factor>) {
        let t = self.o.t();
        let m = |name: &str| t.modifier.get(name).copied().unwrap_or(0);
        if self.by.pinned && !self.melee() {
            f.push(Factor::new(rule!("HC-084"), "Pinned", m("pinned_bs")));
        }
        let shock = crate::morale::shock_modifier(self.o, self.by);
        if shock != 0 {
            f.push(Factor::new(rule!("HC-088"), "shaken by Fear", shock));
        }
        // What a person has named himself counts once.
        let named = |name: &str| self.mods.iter().any(|m| m.name == name);
        if let Some(p) = self.at.person() {
            if p.stunned > 0 && !named("stunned") {
                f.push(Factor::new(rule!("HC-086"), "target Stunned", m("stunned")));
            }
            if p.held_by.is_some() && !named("in_grapple") {
                f.push(Factor::new(rule!("HC-087"), "target held", m("in_grapple")));
            } else if self.holds && !named("in_grapple") {
                f.push(Factor::new(rule!("HC-087"), "target holds somebody", m("in_grapple")));
            }
            if p.prone && self.melee() && !named("prone_melee") {
                f.push(Factor::new(rule!("HC-026"), "target prone", m("prone_melee")));
            }
            if p.prone && !self.melee() && self.band != Band::PointBlank && !named("prone_ranged") {
                f.push(Factor::new(rule!("HC-026"), "target prone", m("prone_ranged")));
            }
            if p.stance && self.melee() {
                f.push(Factor::new(rule!("HC-020"), "Defensive Stance", t.guarded.stance_attackers));
            }
        }
        if self.at.horde().is_some_and(|h| !h.held.is_empty())
            && self.o.grapple_attack_horde == GrappleAttackHorde::NoGrappleBonus
        {
            f.push(Factor::new(rule!("HC-182"), "no bonus for its Grapple", 0));
        }
    }

    /// HC-070, HC-134: a Spray makes no attack roll (against a Horde: unless the option asks for one).
    pub fn no_roll(&self) -> bool {
        self.action != Action::Suppress
            && self.weapon.is_spray()
            && !(self.at.is_horde() && self.o.flame_attack_roll == FlameAttackRoll::BsTest)
    }

    /// HC-024: the roll from which the weapon jams; `None` if it cannot (a Horde's never does, HC-165).
    pub fn jam_from(&self) -> Option<i32> {
        if self.melee() || self.by.is_horde() || self.weapon.class == Class::Thrown || self.weapon.is_spray()
        {
            return None;
        }
        let t = &self.o.t().jam;
        Some(if self.quality(Quality::Reliable).is_some() {
            t.reliable
        } else if self.quality(Quality::Unreliable).is_some() {
            t.unreliable
        } else if matches!(self.action, Action::Semi | Action::Full | Action::Suppress) {
            t.burst
        } else {
            t.single
        })
    }

    /// Judges an attack roll: HC-001 to HC-024.
    pub fn strike(&self, target: i32, roll: u16) -> Struck {
        let c = if self.melee() { Trait9::Ws } else { Trait9::Bs };
        let degrees = judge(self.o, target, roll).plus_unnatural(self.o, self.by.unnatural(self.o, c));
        let jam = self.jam_from().is_some_and(|from| i32::from(roll) >= from);
        let hits = if degrees.success && !jam { self.base_hits(degrees) } else { 0 };
        Struck { degrees, jam, hits }
    }

    /// What an attack without a roll does: one base hit.
    pub fn strike_unrolled(&self) -> Struck {
        let degrees = Degrees { success: true, degrees: i32::from(self.o.dos_count != DosCount::Dw) };
        Struck { degrees, jam: false, hits: 1 }
    }

    /// HC-020 to HC-022, HC-072, HC-079, HC-125, HC-136: hits before Horde multipliers, for a successful roll.
    pub fn base_hits(&self, degrees: Degrees) -> i32 {
        let t = self.o.t();
        let passes = degrees.with_pass(self.o);
        let power_field = if self.melee() && self.quality(Quality::PowerField).is_some() {
            t.horde.dw_power_field
        } else {
            0
        };
        let damaging = self.action.row(self.o).hits != HitRule::None;
        if self.melee() && self.at.is_horde() && damaging && self.o.melee_dw_hits == MeleeDwHits::On {
            return (degrees.degrees / t.horde.dw_hits_divisor).max(1) + power_field;
        }
        let mut hits = match self.action.row(self.o).hits {
            HitRule::One | HitRule::None => 1,
            HitRule::Half => 1 + (passes - 1) / 2,
            HitRule::Each => passes.max(1),
        };
        if !self.melee() && damaging {
            if self.quality(Quality::Storm).is_some() {
                hits *= t.quality.storm_times;
            }
            if self.quality(Quality::TwinLinked).is_some() && passes >= t.quality.twin_linked_degrees {
                hits += 1;
            }
            let (_, semi, full) = self.weapon.rof;
            match self.action {
                Action::Semi => hits = hits.min(semi),
                Action::Full => hits = hits.min(full),
                Action::Suppress => hits = hits.min(if self.full_auto { full } else { semi }),
                _ => {}
            }
        }
        let capped = match self.o.melee_multihit_cap {
            MeleeMultihitCap::Wsb => matches!(self.action, Action::Swift | Action::Lightning),
            MeleeMultihitCap::LightningOnly => self.action == Action::Lightning,
            MeleeMultihitCap::None => false,
        };
        if capped {
            hits = hits.min(self.by.bonus(self.o, Trait9::Ws).max(1));
        }
        hits + power_field
    }

    /// HC-133, HC-134: the share of the range that a Flame weapon gives in hits, without the die; `None` if the
    /// attack is no Flame attack on a Horde.
    pub fn flame_share(&self) -> Option<i32> {
        if !self.at.is_horde() {
            return None;
        }
        self.quality(Quality::Flame)?;
        let thrown = self.weapon.class == Class::Thrown
            || self.weapon.grenade
            || matches!(self.weapon.reach, Reach::StrengthTimes(_));
        if thrown && self.o.flame_range_source == FlameRangeSource::FixedOnly {
            return None;
        }
        let range = self.weapon.range_m(self.by.bonus(self.o, Trait9::S))?;
        let d = flame_divisor(self.o);
        Some(match self.o.flame_round {
            FlameRound::Up => (range + d - 1) / d,
            FlameRound::Down => range / d,
            FlameRound::Nearest => (2 * range + d) / (2 * d),
        })
    }

    /// HC-125, HC-128, HC-130 to HC-135: hits on a Horde from base hits; each step is named. `flame_die` is the 1d5 of
    /// HC-133 and matters only if [`Attack::flame_share`] is there.
    pub fn multiply(&self, base: i32, flame_die: i32) -> (i32, Vec<Factor>) {
        let mut steps = Vec::new();
        if !self.at.is_horde() || base <= 0 || self.action.row(self.o).hits == HitRule::None {
            return (base.max(0), steps);
        }
        let mut hits = base;
        let mut step = |rule, name, hits: &mut i32, to: i32| {
            *hits = to;
            steps.push(Factor::new(rule, name, to));
        };
        if self.weapon.psychic && self.o.psychic_hits == PsychicHits::PsyRating {
            step(rule!("HC-128"), "psy rating", &mut hits, self.by.profile.psy.max(1));
        }
        let blast = self.quality(Quality::Blast).filter(|x| *x > 0).map(|x| match self.o.blast_scope {
            BlastScope::PerHit => hits.saturating_mul(x),
            BlastScope::PerAttack => x,
            BlastScope::Additive => hits + x,
        });
        let flame = self.flame_share().map(|share| share + flame_die);
        match (flame, blast) {
            (Some(f), Some(b)) => match self.o.stack_blast_flame {
                StackBlastFlame::Max if f >= b => step(rule!("HC-134"), "Flame", &mut hits, f),
                StackBlastFlame::Max | StackBlastFlame::Blast => step(rule!("HC-134"), "Blast", &mut hits, b),
                StackBlastFlame::Flame => step(rule!("HC-134"), "Flame", &mut hits, f),
                StackBlastFlame::Sum => step(rule!("HC-134"), "Flame and Blast", &mut hits, f + b),
            },
            (Some(f), None) => step(rule!("HC-133"), "Flame", &mut hits, f),
            (None, Some(b)) => step(rule!("HC-131"), "Blast", &mut hits, b),
            (None, None) => {}
        }
        if self.weapon.kind == crate::arms::DamageType::Explosive {
            let t = &self.o.t().horde;
            let plus = hits + t.explosive_more;
            let to = match (self.o.explosive_mode, blast.is_some(), self.o.stack_blast_explosive) {
                (_, true, StackBlastExplosive::BlastOnly) => hits,
                (_, true, StackBlastExplosive::PlusOne) | (ExplosiveMode::PlusOne, _, _) => plus,
                (ExplosiveMode::Double, _, _) => hits.saturating_mul(t.explosive_times),
            };
            let rule = if blast.is_some() { rule!("HC-134") } else { rule!("HC-132") };
            step(rule, "Explosive", &mut hits, to);
        }
        // No weapon of the lists comes near; it keeps a nonsense one from costing minutes.
        (hits.min(MOST_HITS), steps)
    }

    /// HC-127: Magnitude that a talent takes beyond the hits of an attack that hurt.
    pub fn talent_loss(&self) -> Option<Factor> {
        if !self.at.is_horde() || self.by.is_horde() {
            return None;
        }
        let d = self.o.t().horde.talent_divisor;
        if self.melee() {
            let n = half(self.o, self.by.bonus(self.o, Trait9::Ws), d);
            return self
                .by
                .has(Talent::WhirlwindOfDeath)
                .then(|| Factor::new(rule!("HC-127"), "Whirlwind of Death", n));
        }
        let fits = matches!(self.action, Action::Semi | Action::Full)
            || self.weapon.is_spray()
            || self.weapon.qualities.has(Quality::Blast);
        let n = half(self.o, self.by.bonus(self.o, Trait9::Bs), d);
        (fits && self.by.has(Talent::StormOfIron)).then(|| Factor::new(rule!("HC-127"), "Storm of Iron", n))
    }
}

/// The most hits one attack is taken to have.
pub const MOST_HITS: i32 = 200;
