//! CAM-160: the season, step by step. Each step is finished everywhere before the next begins.

mod after;
mod announce;
mod captives;
mod conditions;
mod covert;
mod diplomacy;
mod fall;
mod generals;
mod march;
mod orders;
mod quarters;
mod raise;
mod react;
mod retreat;
mod route;
mod sail;
mod siege;
mod spot;
mod stance;
mod supply;
mod work;

pub(crate) use work::{Die, Work};

use crate::battle::find_battles;
use crate::state::{Phase, Season};
use crate::turn::Turn;
use dice::NoDice;

/// Runs steps 1 to 9, and on to the end if there is no battle to fight.
pub(crate) fn begin(w: &mut Work<'_>) -> Result<(), NoDice> {
    w.s.turn = Turn::default();
    w.step(1);
    orders::gather(w);
    w.opening();
    announce::announce(w)?;
    w.step(2);
    orders::plan(w)?;
    w.step(3);
    spot::on_the_spot(w)?;
    orders::replan_strength(w);
    captives::orders(w)?;
    w.step(4);
    sail::sail(w)?;
    w.step(5);
    march::march(w)?;
    spot::join_at_end(w);
    w.step(6);
    react::react(w)?;
    w.step(7);
    stance::stances(w)?;
    w.step(8);
    covert::covert(w)?;
    w.step(9);
    generals::orphans(w)?;
    let battles = find_battles(w)?;
    w.s.turn.battles = battles;
    if w.s.turn.battles.is_empty() {
        return finish(w);
    }
    w.s.phase = Phase::Battles;
    Ok(())
}

/// Runs steps 10 to 17, once every battle has its result.
pub(crate) fn finish(w: &mut Work<'_>) -> Result<(), NoDice> {
    w.step(10);
    after::after_battles(w)?;
    w.step(11);
    siege::sieges(w)?;
    w.step(12);
    fall::ownership(w)?;
    w.step(13);
    supply::supply(w)?;
    w.step(14);
    generals::made_and_replaced(w)?;
    w.step(15);
    let autumn = w.s.season == Season::Autumn;
    let early = !autumn || w.rules.is("autumn_rescind", "before_quarters");
    if early {
        diplomacy::season_end(w)?;
    }
    if autumn {
        w.step(16);
        quarters::quarters(w)?;
        if !early {
            w.step(15);
            diplomacy::season_end(w)?;
            w.step(16);
        }
        if w.rules.is("winter_return", "after_report") {
            generals::tidy(w, true);
            w.publish();
            w.s.phase = Phase::Winter;
            generals::the_end(w);
            return Ok(());
        }
        raise::raising(w)?;
        w.s.confirmed.clear();
    }
    close(w, true)
}

/// The winter's lists, then Spring.
pub(crate) fn winter(w: &mut Work<'_>) -> Result<(), NoDice> {
    w.s.turn = Turn::default();
    w.step(16);
    orders::gather(w);
    orders::out_of_season(w);
    raise::raising(w)?;
    w.s.confirmed.clear();
    close(w, false)
}

/// Step 17, and on to the next season.
fn close(w: &mut Work<'_>, season: bool) -> Result<(), NoDice> {
    w.step(17);
    generals::made_and_replaced(w)?;
    generals::tidy(w, season);
    w.publish();
    if w.s.season == Season::Autumn {
        w.s.year += 1;
        w.s.season = Season::Spring;
        for standing in w.s.nations.values_mut() {
            standing.demanded = false;
        }
    } else {
        w.s.season = if w.s.season == Season::Spring { Season::Summer } else { Season::Autumn };
    }
    w.s.phase = Phase::Orders;
    generals::the_end(w);
    Ok(())
}

pub(crate) use generals::new_name;
pub(crate) use raise::income_of;
pub(crate) use work::describe;
