//! Ground for a campaign's battle: what a province asks for (CAM-072, CAM-073, CAM-155), in the place of HOTT-063 to
//! HOTT-065.

use super::legal::GroundProblem;
use super::{Feature, Ground, Kind};
use crate::battle::{Battle, GroundDuty};
use crate::table::{Scale, Tables};
use field::{Board, Point};
use rulebook::rule;

/// How many grounds are tried before the last one is taken as it is.
const TRIES: u64 = 400;

/// CAM-155: the kinds that a mark asks for, the one that is laid for it first.
fn kinds(mark: &str) -> &'static [Kind] {
    match mark {
        "woods" => &[Kind::Wood],
        "mountains" => &[Kind::Steep, Kind::Rough, Kind::Cliff],
        "swamp" => &[Kind::Marsh],
        "hills" => &[Kind::Hill],
        "desert" => &[Kind::Dunes],
        _ => &[],
    }
}

impl Ground {
    /// Everything wrong with the ground of a campaign's battle, in the order of the rules.
    #[must_use]
    pub fn campaign_problems(&self, battle: &Battle, duty: &GroundDuty, ap: i32) -> Vec<GroundProblem> {
        self.province_problems((&battle.tables, &battle.board, battle.scale), duty, ap)
    }

    /// The same where there is no battle yet: with the tables, the board and the scale.
    #[must_use]
    pub fn province_problems(
        &self,
        (tables, board, scale): (&Tables, &Board, Scale),
        duty: &GroundDuty,
        ap: i32,
    ) -> Vec<GroundProblem> {
        let mut out = self.problems(tables, board, scale, ap);
        if !duty.base_rules_too {
            out.retain(|p| ![rule!("HOTT-063"), rule!("HOTT-064"), rule!("HOTT-065")].contains(&p.rule));
        }
        let quarters = |wanted: &dyn Fn(Kind) -> bool| -> i32 {
            let within = |(low, high): &(Point, Point)| {
                self.features.iter().any(|f| wanted(f.kind) && f.shape.overlaps_box(*low, *high))
            };
            i32::try_from(board.quarters().iter().filter(|q| within(q)).count()).unwrap_or(0)
        };
        let mut add = |rule, message: String| out.push(GroundProblem { rule, message });
        let some = quarters(&|k| !k.is_road());
        if some < duty.features {
            let words = format!("{some} quarters hold a feature where {} must", duty.features);
            add(rule!("CAM-072"), words);
        }
        let hard = quarters(&|k| k.is_bad() || k.is_water() || k == Kind::Cliff);
        if hard < duty.hard {
            let words = format!(
                "{hard} quarters hold a river, bad going or impassable terrain where {} must",
                duty.hard
            );
            add(rule!("CAM-072"), words);
        }
        if let Some(mark) = &duty.mark {
            let there = quarters(&|k| kinds(mark).contains(&k));
            if there < duty.mark_quarters {
                let words = format!(
                    "the province's {mark} appear in {there} quarters where {} must",
                    duty.mark_quarters
                );
                add(rule!("CAM-073"), words);
            }
        }
        let forbidden = |f: &&Feature| duty.no_woods_or_rivers && (f.kind.is_wood() || f.kind == Kind::River);
        if let Some(f) = self.features.iter().find(forbidden) {
            add(rule!("CAM-073"), format!("a desert has no {}", f.kind.word()));
        }
        out
    }

    /// Ground that the defender may lay in a province, the same for the same seed.
    #[must_use]
    pub fn for_province(seed: u64, battle: &Battle, duty: &GroundDuty) -> Ground {
        let mut last = Ground::default();
        for n in 0..TRIES {
            let seed = seed.wrapping_add(n.wrapping_mul(0x9E37_79B9));
            let base = Ground::random(seed, &battle.tables, &battle.board, battle.scale, 0);
            let ground = base.marked(duty);
            if ground.campaign_problems(battle, duty, 0).is_empty() {
                return ground;
            }
            last = ground;
        }
        last
    }

    /// Puts the mark's terrain in the place of other, and takes away what a desert forbids.
    fn marked(&self, duty: &GroundDuty) -> Ground {
        let Some(wanted) = duty.mark.as_deref().and_then(|m| kinds(m).first().copied()) else {
            return self.clone();
        };
        let desert = duty.no_woods_or_rivers;
        let mut changed = 0;
        let features = self.features.iter().filter_map(|f| {
            let mut f = f.clone();
            let area = !f.kind.is_road() && !f.kind.is_water();
            if desert && f.kind == Kind::River {
                return None;
            }
            // A desert has no woods at all; another mark takes features till it has what it asks for. Hills take hills
            // and woods only, which leaves the bad going that is asked for besides.
            let spares =
                wanted != Kind::Hill || matches!(f.kind, Kind::Steep | Kind::Bua | Kind::Fields | Kind::Wood);
            let turn = if desert {
                f.kind.is_wood()
            } else {
                area && f.kind != wanted && changed < duty.mark_quarters && spares
            };
            if turn {
                f.kind = wanted;
                changed += 1;
            }
            Some(f)
        });
        Ground::new(features.collect())
    }
}
