//! HOTT-131: a group that meets a gap drops elements behind to get through, by the smallest reduction that fits.

use super::Scene;
use super::approach::Found;
use super::check::check;
use super::column::column;
use super::draft::Draft;
use super::scene::{refuse, travel};
use crate::battle::{ElementId, Leg, MoveOrder, Refusal, Why};
use crate::table::options::Measure;
use field::{Formation, Motion, Pose, Stage, TOLERANCE};
use rulebook::rule;

/// How those who drop behind go to their places.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Straight there.
    Straight,
    /// Across first, then up.
    Across,
}

/// Judges `narrow L to N …`: the first N of L stay abreast, the others fall in behind them in order.
pub(super) fn narrow(
    scene: &Scene<'_>,
    who: &[ElementId],
    width: usize,
    legs: &[Leg],
) -> Result<Found, Refusal> {
    let first = who.first().copied().unwrap_or(ElementId(0));
    if !(1..who.len()).contains(&width) {
        let words =
            format!("{width} of {} abreast: at least one stays in front and one drops behind", who.len());
        return refuse(rule!("HOTT-131"), Why::NotAGroup(first), words);
    }
    let found = narrowed(scene, who, width, legs)?;
    let whole = MoveOrder::Legs { who: who.to_vec(), legs: legs.to_vec(), attack: false };
    let fits = (width + 1..who.len()).find(|w| narrowed(scene, who, *w, legs).is_ok());
    let fits = fits.or_else(|| scene.judge(&whole).is_ok().then_some(who.len()));
    match fits {
        None => Ok(found),
        Some(wide) => {
            let words = if wide == who.len() {
                "the whole group gets through as it stands: nobody drops behind".to_owned()
            } else {
                format!("{wide} abreast get through there: no more drop behind than must")
            };
            refuse(rule!("HOTT-131"), Why::NotAGroup(first), words)
        }
    }
}

fn narrowed(scene: &Scene<'_>, who: &[ElementId], width: usize, legs: &[Leg]) -> Result<Found, Refusal> {
    if width == 1 {
        return column(scene, who, legs, false);
    }
    let straight = formed(scene, who, width, legs, Way::Straight);
    if straight.is_ok() {
        return straight;
    }
    // The sentence of the plain way is the one to show.
    formed(scene, who, width, legs, Way::Across).or(straight)
}

fn formed(
    scene: &Scene<'_>,
    who: &[ElementId],
    width: usize,
    legs: &[Leg],
    way: Way,
) -> Result<Found, Refusal> {
    let mut draft = Draft::open(scene, who, false)?;
    draft.gather(scene)?;
    let any_corner = scene.battle.tables.options.measure == Measure::AnyCorner;
    let level = |i: usize| draft.from[0].pose.to_local(draft.from[i].pose.point()).y.abs() <= TOLERANCE;
    let mut front = Formation::new();
    if let Some(apart) = (1..width).find(|i| !level(*i)).or_else(|| front.gather(&draft.from[..width])) {
        let words = format!(
            "{} does not stand in one front rank with {}",
            scene.label(who[apart]),
            scene.label(who[0])
        );
        return refuse(rule!("HOTT-131"), Why::NotAGroup(who[apart]), words);
    }
    for leg in legs {
        let stage = match *leg {
            Leg::Ahead(by) if by >= 0 => Stage::Slide { right: 0, forward: by },
            Leg::Wheel(pivot, angle) if (0..=field::HALF_TURN).contains(&angle) => {
                Stage::Wheel { pivot, angle }
            }
            _ => {
                let words = "a group that narrows goes ahead and wheels only";
                return refuse(rule!("HOTT-123"), Why::NotAGroup(who[0]), words);
            }
        };
        let (motion, slide) = (front.motion(&stage), front.cost(&stage));
        front.advance(&stage);
        let (frame, heading) = (front.reference().frame(), front.reference().heading);
        for i in 0..width {
            let to = Pose::at(frame.to_world(front.members()[i].offset), heading);
            let straight = matches!(motion, Motion::Line(_));
            let cost = if straight { slide } else { travel(any_corner, &draft.now[i], &draft.now[i].at(to)) };
            draft.step(i, to, motion, cost);
        }
    }
    for (member, &falls_in) in who.iter().enumerate().skip(width) {
        let (from, to) = (draft.from[member], draft.now[member - width].behind());
        let there = from.pose.to_local(to.point());
        // As HOTT-130 has it of columns.
        if there.y < -TOLERANCE {
            let words = format!(
                "{} would have to go {}p backward to fall in; the front rank must go on farther",
                scene.label(falls_in),
                field::paces_needed(-there.y)
            );
            return refuse(rule!("HOTT-131"), Why::NotAGroup(falls_in), words);
        }
        let over = from.pose.moved(there.x, 0);
        let stops = if way == Way::Across { vec![over, to] } else { vec![to] };
        for stop in stops {
            let before = draft.now[member];
            let motion = if stop.heading == before.pose.heading {
                Motion::Line(stop.point().minus(before.pose.point()))
            } else {
                Motion::Free
            };
            let cost = travel(any_corner, &before, &before.at(stop));
            draft.step(member, stop, motion, cost);
        }
    }
    draft.only_back = false;
    check(scene, &draft).map(|found| (draft, found))
}
