//! Exact odds, without sampling: by counting rolls, convolution and dynamic programming (section 12).
//!
//! The functions that count are generic over what they count with: `f64` for use, and in the tests exact fractions,
//! so that a small encounter equals its full enumeration to the last digit.
//!
//! What is assumed is what [`crate::plan`] says: everybody makes his usual attack, Heretics evade the first attack
//! that they can with their better score, and fight on however hurt they are.

mod attack;
#[cfg(test)]
mod enumerated;
mod pool;
mod round;
mod weight;

pub(crate) use attack::{better_reaction as better, harmless};

pub use attack::{Hurt, Losses, evasion_odds, hits_on_horde, hurt, losses};
pub use pool::{PoolDist, pool_dist};
pub use round::{HordeOdds, PersonOdds, RoundOdds, rounds};
pub use weight::Weight;

use crate::command::Command;
use crate::state::State;
use crate::words::attack_of;
use game::Problem;

/// Answers `odds ATTACK`, for cases and the command line.
///
/// # Errors
/// What could not be read.
pub fn answer(s: &State, question: &str) -> Result<Vec<String>, Problem> {
    let text = question.trim_start().get(4..).unwrap_or("").trim();
    if let Some(n) = text.strip_prefix("rounds") {
        let n = n.trim().parse::<usize>().unwrap_or(1).clamp(1, 20);
        let mut ready = s.clone();
        crate::plan::close_in(&mut ready);
        let mut out = Vec::new();
        for (k, r) in rounds::<f64>(&ready, n).iter().enumerate() {
            for h in &r.hordes {
                out.push(format!(
                    "{} round {} lost {:.6} tests {:.6} broken {:.6} destroyed {:.6}",
                    s.unit(h.id).label,
                    k + 1,
                    mean(&h.lost),
                    h.tests,
                    h.broken,
                    h.destroyed
                ));
            }
            for p in &r.people {
                out.push(format!("{} round {} wounds {:.6}", s.unit(p.id).label, k + 1, mean(&p.wounds)));
            }
        }
        return Ok(out);
    }
    let Command::Attack { by, at, how, .. } = crate::words::parse(s, text)? else {
        return Err(Problem::new("odds are asked of an attack").hint("odds jor semi boltgun guard short"));
    };
    let Some(target) = at.first().copied() else { return Err(Problem::new("whom?")) };
    let Some(a) = attack_of(s, by, target, &how, false) else {
        return Err(Problem::new("that cannot attack"));
    };
    a.allowed().map_err(|no| Problem::new(no.why).by(no.rule))?;
    let mut out = Vec::new();
    if !a.no_roll() {
        out.push(format!("needs {}", a.score().target));
    }
    if a.at.is_horde() {
        let hits: Vec<f64> = hits_on_horde(&a);
        push_dist(&mut out, "hits", &hits);
        let l: Losses<f64> = losses(&a);
        out.push(format!("each {:.6}", l.each));
        push_dist(&mut out, "lost", &l.of(a.at.horde().map_or(0, |h| h.m)));
    } else {
        let hits: Vec<f64> = attack::base_hits_dist(&a);
        push_dist(&mut out, "hits", &hits);
        let one = attack::one_hit::<f64>(&a, &attack::plain_struck(&a), crate::damage::Place::Body);
        let one = if attack::harmless(&a) { vec![1.0] } else { one };
        let p: f64 = 0.0 + one.iter().skip(1).sum::<f64>();
        out.push(format!("each {p:.6}"));
        out.push(format!("mean each {:.6}", mean(&one)));
        let evasion = evasion_odds::<f64>(s, by, target, &how);
        let h: Hurt<f64> = hurt(&a, evasion.as_deref());
        push_dist(&mut out, "wounds", &h.dist);
    }
    Ok(out)
}

/// The mean Damage of one plain hit, before soak.
#[allow(clippy::cast_precision_loss, reason = "ways of a few dice, far below 2^52")]
pub fn mean_damage(a: &crate::attack::Attack<'_>) -> f64 {
    let dist = pool_dist(&a.pool(&attack::plain_struck(a)));
    dist.ways_to.iter().map(|((n, _), ways)| f64::from(*n) * (*ways as f64) / dist.ways as f64).sum()
}

fn push_dist(out: &mut Vec<String>, word: &str, dist: &[f64]) {
    for (n, p) in dist.iter().enumerate().filter(|(_, p)| **p > 0.0) {
        out.push(format!("{word} {n} {p:.6}"));
    }
    out.push(format!("mean {word} {:.6}", mean(dist)));
}

/// Mean of a distribution over 0, 1, 2, …
#[allow(clippy::cast_precision_loss, reason = "counts here are far below 2^52")]
pub fn mean(dist: &[f64]) -> f64 {
    dist.iter().enumerate().map(|(n, p)| n as f64 * p).sum()
}
