//! Rate and going (HOTT-044, HOTT-112, HOTT-125, HOTT-133 to HOTT-139).

use crate::battle::{Refusal, Why};
use crate::ground::{Crossed, Kind};
use crate::moves::Scene;
use crate::moves::draft::{Body, Draft, Swept, is_column, lined_up_facing};
use crate::moves::scene::refuse;
use crate::table::{Class, Column, TroopType};
use field::{Motion, PACE, TOLERANCE, contact};
use rulebook::{RuleId, rule};

/// HOTT-112, HOTT-125, HOTT-134, HOTT-135: going, and whether each keeps to its rate.
pub(super) fn rates(scene: &Scene<'_>, draft: &Draft, swept: &[Swept]) -> Result<(), Refusal> {
    let open = scene.state.ground.features().is_empty();
    for (member, who) in draft.who.iter().enumerate() {
        let crossed = if open { Crossed::default() } else { crossed_by(scene, draft, swept, member) };
        let going = going(scene, draft, member, &crossed)?;
        let rate = scene.battle.tables.troop(scene.ty(*who)).rate(going.column) * PACE;
        if rate == 0 {
            let words = format!(
                "{} may not move {}: {} have 0p there",
                scene.label(*who),
                going.words.trim_start(),
                scene.ty(*who).plural()
            );
            return refuse(going.rule, Why::NoGoing(*who), words);
        }
        if !draft.swing && !field::reaches(draft.spent[member], rate) {
            return Draft::too_far(scene, *who, draft.spent[member], rate, going.rule, going.words);
        }
        if crossed.footing.water && !draft.road && scene.class(*who) != Class::Aerial {
            wading(scene, draft, member)?;
        }
    }
    Ok(())
}

fn crossed_by(scene: &Scene<'_>, draft: &Draft, swept: &[Swept], member: usize) -> Crossed {
    let ground = &scene.state.ground;
    let mut all = ground.under(&draft.from[member]);
    for s in swept.iter().filter(|s| s.member == member) {
        merge(&mut all, &ground.crossed(&s.hull));
    }
    all
}

fn merge(all: &mut Crossed, more: &Crossed) {
    all.footing.bad |= more.footing.bad;
    all.footing.water |= more.footing.water;
    all.footing.wood |= more.footing.wood;
    all.water_width = all.water_width.max(more.water_width);
    all.steep |= more.steep;
    all.cliff |= more.cliff;
    all.marsh |= more.marsh;
}

/// The column of the move table that holds, and why.
struct Going {
    column: Column,
    rule: RuleId,
    words: &'static str,
}

/// HOTT-112: the lowest rate that applies to a member.
fn going(scene: &Scene<'_>, draft: &Draft, member: usize, crossed: &Crossed) -> Result<Going, Refusal> {
    let who = draft.who[member];
    let (ty, class) = (scene.ty(who), scene.class(who));
    let at = |column, rule, words| Ok(Going { column, rule, words });
    if class == Class::Aerial {
        return at(Column::Good, rule!("HOTT-139"), "");
    }
    if let Some(rule) = crossed.forbids(&scene.battle.tables, class)
        && !draft.road
    {
        let member_hulls = || draft.steps.iter().filter(|s| s.member == member).flat_map(|s| s.hulls());
        let why = scene.state.ground.why_not(&scene.battle.tables, rule, |f| {
            f.shape.overlaps(&draft.from[member]) || member_hulls().any(|h| f.shape.overlaps_hull(&h))
        });
        let words = format!("{} would enter {why}", scene.label(who));
        return refuse(rule, Why::NoGoing(who), words);
    }
    if ty.is_lurker() {
        return lurker(scene, draft, member);
    }
    if draft.road {
        let column = if crossed.footing.bad { Column::RoadInBad } else { Column::Road };
        return at(column, rule!("HOTT-133"), " along a road");
    }
    let footing = crossed.footing;
    if draft.body == Body::Group && (footing.bad || footing.water) && !straight_column(draft) {
        let what = if footing.water { "water" } else { "bad going" };
        let words = format!(
            "{} would be in {what}: a group may not, but each may as a single element, or all as a column",
            scene.label(who)
        );
        let rule = if footing.water { rule!("HOTT-134") } else { rule!("HOTT-125") };
        return refuse(rule, Why::NoGoing(who), words);
    }
    if footing.water {
        at(Column::Water, rule!("HOTT-112"), " wading")
    } else if footing.bad {
        let rule = if ty == TroopType::Art { rule!("HOTT-045") } else { rule!("HOTT-112") };
        at(Column::Bad, rule, " in bad going")
    } else {
        at(Column::Good, rule!("HOTT-112"), "")
    }
}

/// A group that is a column and goes straight ahead moves as a column does.
fn straight_column(draft: &Draft) -> bool {
    is_column(&draft.from) && draft.steps.iter().all(|s| matches!(s.motion, Motion::Line(_)))
}

/// HOTT-044: a Lurker stays in its feature.
fn lurker(scene: &Scene<'_>, draft: &Draft, member: usize) -> Result<Going, Refusal> {
    let who = draft.who[member];
    let water = scene.ty(who) == TroopType::WLk;
    let (from, to) = (draft.from[member], draft.now[member]);
    let stays = scene
        .state
        .ground
        .features_under(&from)
        .any(|(_, f)| crate::ground::Ground::hides(f, water) && f.shape.overlaps(&to));
    if !stays {
        let words = format!("{} may not leave the feature it lies in", scene.label(who));
        return refuse(rule!("HOTT-044"), Why::NoGoing(who), words);
    }
    let column = if water { Column::Water } else { Column::Bad };
    Ok(Going { column, rule: rule!("HOTT-044"), words: " in its feature" })
}

/// HOTT-135: into the water square to the bank, in it straight ahead or back, or lining up with an enemy.
fn wading(scene: &Scene<'_>, draft: &Draft, member: usize) -> Result<(), Refusal> {
    let who = draft.who[member];
    if scene.ty(who) == TroopType::WLk {
        return Ok(());
    }
    let end = draft.now[member];
    let lines_up = scene.on_table().iter().any(|e| {
        scene.battle.enemies(who, *e) && {
            let enemy = draft.base(scene, *e);
            contact(&end, &enemy).is_legal() || lined_up_facing(&end, &enemy)
        }
    });
    let limit = scene.battle.tables.numbers.wade_angle * 100;
    for step in draft.steps.iter().filter(|s| s.member == member) {
        let wet = |f: &&crate::ground::Feature| f.kind.is_water();
        for water in scene.state.ground.features().iter().filter(wet) {
            if !step.hulls().any(|h| water.shape.overlaps_hull(&h)) {
                continue;
            }
            let straight = match step.motion {
                Motion::Line(by) => {
                    let frame = step.base.pose.frame();
                    let p = frame.to_local(step.base.pose.point().plus(by));
                    p.x.abs() <= TOLERANCE
                }
                _ => false,
            };
            if !straight && !lines_up && draft.body != Body::Column {
                let words = format!(
                    "{} may only go straight ahead or back in water, or line up with an enemy",
                    scene.label(who)
                );
                return refuse(rule!("HOTT-135"), Why::NoGoing(who), words);
            }
            if let field::Shape::Way(way) = &water.shape
                && water.kind == Kind::River
                && !water.shape.overlaps(&step.base)
            {
                let (_, along) = way.nearest(step.base.pose.point());
                let off = step.base.pose.heading.angle_to(along);
                let from_square = (off - field::QUARTER_TURN).abs();
                if from_square > limit {
                    let words = format!(
                        "{} enters the water {} degrees off square, {} is the most",
                        scene.label(who),
                        from_square / 100,
                        limit / 100
                    );
                    return refuse(rule!("HOTT-135"), Why::NoGoing(who), words);
                }
            }
        }
    }
    Ok(())
}
