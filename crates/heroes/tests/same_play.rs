//! Speed must not change play: fifty battles between first-level commanders come out command by command as they did
//! before anything was made faster. If a rule or the commander was changed on purpose, the digest is a new one.

use dice::{Key, Seeded};
use heroes::army::{Army, LISTS};
use heroes::commander::{Player, Style};
use heroes::map::{MAPS, Map};
use heroes::options::Options;
use heroes::state::Outcome;
use heroes::table::Table;
use heroes::tables::Tables;
use heroes::{deploy, owed, play};

const BATTLES: u64 = 50;
const GOLDEN: u64 = 0x6e5f_7178_6dfa_1856;

fn table(n: u64) -> Table {
    let t = Tables::shipped();
    let army = |k: u64| Army::shipped(LISTS[(k % 14) as usize].0, &t).unwrap();
    let map = if n.is_multiple_of(2) {
        Map::random(n, 18, 12)
    } else {
        Map::shipped(MAPS[(n % 8) as usize].0, &t).unwrap()
    };
    let (a, b) = (army(n), army(n * 3 + 5));
    // every reading has its turn
    let options = Options {
        flee_stops: n % 5 == 1,
        tactical_flee: n % 4 == 1,
        hero_subtracts: n % 3 == 1,
        straight_command: n % 7 == 2,
        column_minus_two: n % 6 == 5,
        // as it was when the digest was taken
        forced_squeeze: false,
        ..Options::default()
    };
    Table::new(t, options, map, [&a, &b]).unwrap()
}

/// A digest of every command of a battle (FNV-1a).
fn battle(n: u64) -> u64 {
    let t = table(n);
    let mut s = deploy::begin(&t);
    let mut dice = Seeded::new(Key::from_seed(n));
    let mut players = [Player::new(Style::General, n), Player::new(Style::General, n + 1)];
    let mut digest = 0xcbf2_9ce4_8422_2325_u64;
    while s.outcome == Outcome::Open {
        let side = owed::owner(&t, &s).unwrap();
        let c = players[side.ix()].choose(&t, &s).unwrap();
        for byte in c.text(&t).bytes() {
            digest = (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        play::apply(&t, &mut s, Some(side), &c, &mut dice, None).unwrap();
    }
    digest
}

#[test]
fn fifty_battles_come_out_as_before() {
    let all = (0..BATTLES).fold(0_u64, |all, n| all.rotate_left(5) ^ battle(n));
    assert_eq!(all, GOLDEN, "{all:#018x}");
}
