//! Battles between two styles with weights given as `name=value`: how `Weights` were found.
//! `cargo run --release -p heroes --example tune -- 100 general advance contact=130`

use dice::{Key, Seeded};
use heroes::army::{Army, LISTS};
use heroes::commander::{Player, Style, Weights};
use heroes::map::{MAPS, Map};
use heroes::options::Options;
use heroes::state::Outcome;
use heroes::table::{Side, Table};
use heroes::tables::Tables;
use heroes::{deploy, owed, play};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let pairs: u64 = args.first().and_then(|a| a.parse().ok()).unwrap_or(20);
    let style = |n: usize, d: Style| args.get(n).and_then(|a| Style::read(a)).unwrap_or(d);
    let (own, other) = (style(1, Style::General), style(2, Style::Advance));
    let mut w = Weights::default();
    for (name, value) in args.iter().filter_map(|a| a.split_once('=')) {
        let v: i32 = value.parse().unwrap_or(0);
        match name {
            "contact" => w.contact = v,
            "help" => w.help = v as i16,
            "danger" => w.danger = v,
            "pull" => w.pull = v,
            "near_shooter" => w.near_shooter = v,
            "near" => w.near = v,
            "friend" => w.friend = v,
            "lost" => w.lost = v,
            "shot" => w.shot = v,
            "evade" => w.evade = v,
            _ => {}
        }
    }
    let (mut won, mut lost, mut drawn, mut commands, mut looked) = (0, 0, 0, 0_u64, 0_u64);
    for n in 0..pairs {
        let t = Tables::shipped();
        let lists = [LISTS[(n % 14) as usize].0, LISTS[((n * 3 + 5) % 14) as usize].0];
        let (Ok(a), Ok(b)) = (Army::shipped(lists[0], &t), Army::shipped(lists[1], &t)) else { continue };
        let map = if n.is_multiple_of(2) {
            Map::random(n, 18, 12)
        } else {
            Map::shipped(MAPS[(n % 8) as usize].0, &t).unwrap_or_else(|_| Map::open(18, 12))
        };
        let Ok(t) = Table::new(t, Options::default(), map, [&a, &b]) else { continue };
        for me in Side::BOTH {
            let mut s = deploy::begin(&t);
            let mut dice = Seeded::new(Key::from_seed(n));
            let mut mine = Player::new(own, n);
            mine.weights = w;
            let mut theirs = Player::new(other, n);
            while s.outcome == Outcome::Open {
                let Some(side) = owed::owner(&t, &s) else { break };
                let p = if side == me { &mut mine } else { &mut theirs };
                let Some(c) = p.choose(&t, &s) else { break };
                if play::apply(&t, &mut s, Some(side), &c, &mut dice, None).is_err() {
                    println!("refused: {}", c.text(&t));
                    break;
                }
                commands += 1;
            }
            looked += mine.looked_at + theirs.looked_at;
            match s.outcome {
                Outcome::Won(x) if x == me => won += 1,
                Outcome::Won(_) => lost += 1,
                _ => drawn += 1,
            }
        }
    }
    println!("won {won} lost {lost} drawn {drawn}; {commands} commands, {looked} candidates looked at");
}
