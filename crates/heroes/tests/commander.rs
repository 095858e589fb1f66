//! The commander against simple players, sides swapped.

use dice::{Key, Seeded};
use heroes::army::{Army, LISTS};
use heroes::commander::{Player, Style};
use heroes::map::{MAPS, Map};
use heroes::options::Options;
use heroes::state::Outcome;
use heroes::table::{Side, Table};
use heroes::tables::Tables;
use heroes::{deploy, owed, play};

fn battle(n: u64, styles: [Style; 2], swap: bool) -> (Outcome, u64, u64) {
    let t = Tables::shipped();
    let lists = [LISTS[(n % 14) as usize].0, LISTS[((n * 3 + 5) % 14) as usize].0];
    let a = Army::shipped(lists[0], &t).unwrap();
    let b = Army::shipped(lists[1], &t).unwrap();
    let map = if n.is_multiple_of(2) {
        Map::random(n, 18, 12)
    } else {
        Map::shipped(MAPS[(n % 8) as usize].0, &t).unwrap()
    };
    let t = Table::new(t, Options::default(), map, [&a, &b]).unwrap();
    let mut s = deploy::begin(&t);
    let mut dice = Seeded::new(Key::from_seed(n));
    let styles = if swap { [styles[1], styles[0]] } else { styles };
    let mut players = styles.map(|x| Player::new(x, n));
    let mut commands = 0;
    while s.outcome == Outcome::Open {
        let side = owed::owner(&t, &s).unwrap();
        let c = players[side.ix()].choose(&t, &s).unwrap();
        if let Err(e) = play::apply(&t, &mut s, Some(side), &c, &mut dice, None) {
            panic!("battle {n}: {} by {side:?}: {e:?}", c.text(&t));
        }
        commands += 1;
        assert!(commands < 20_000);
    }
    (s.outcome, commands, players.iter().map(|p| p.looked_at).sum())
}

fn wins(pairs: u64, own: Style, other: Style) -> (u32, u32, u32) {
    let (mut won, mut lost, mut drawn) = (0, 0, 0);
    for n in 0..pairs {
        for swap in [false, true] {
            let me = if swap { Side::B } else { Side::A };
            match battle(n, [own, other], swap).0 {
                Outcome::Won(x) if x == me => won += 1,
                Outcome::Won(_) => lost += 1,
                _ => drawn += 1,
            }
        }
    }
    (won, lost, drawn)
}

#[test]
fn the_commander_beats_random_and_advance() {
    let random = wins(10, Style::General, Style::Random);
    let advance = wins(10, Style::General, Style::Advance);
    println!("random {random:?} advance {advance:?}");
    assert!(random.0 >= 18, "{random:?}");
    assert!(advance.0 >= 13, "{advance:?}");
}

#[test]
#[ignore = "slow, run by cargo xtask slow"]
fn over_a_hundred_battles_each() {
    let random = wins(50, Style::General, Style::Random);
    let advance = wins(50, Style::General, Style::Advance);
    let shy = wins(50, Style::General, Style::Shy);
    let stubborn = wins(50, Style::General, Style::Stubborn);
    println!(
        "won, lost, drawn of 100: random {random:?} advance {advance:?} shy {shy:?} stubborn {stubborn:?}"
    );
    assert!(random.0 >= 95, "{random:?}");
    assert!(advance.0 >= 75, "{advance:?}");
}

/// HH-136: whoever evades may still shoot in that bound, second (HH-144), and the commander counts it.
#[test]
fn the_commander_counts_an_evaders_shot() {
    use heroes::commander::place::best_shot;
    use heroes::hex::Facing;
    use heroes::state::{Fate, Phase};
    let game = heroes::Heroes::battle("open:18x12", "huns", "roman").unwrap();
    let t = game.table();
    let mut s = heroes::deploy::begin(t);
    let archers = heroes::command::find_unit(t, "A.Hor1").unwrap();
    let target = heroes::command::find_unit(t, "B.Leg1").unwrap();
    let at = |w: &str| t.map.grid.read(w).unwrap();
    for (u, h, f) in [(archers, "E7", 4), (target, "E5", 1)] {
        s.put(u, at(h));
        s.unit_mut(u).facing = Facing::point(f);
        s.unit_mut(u).fate = Fate::Field;
    }
    s.phase = Phase::Tactical;
    for phasing in Side::BOTH {
        s.phasing = phasing;
        assert!(best_shot(t, &s, archers) > 0, "{phasing:?}");
    }
}
