//! Small encounters: the odds equal the engine played once for every way the dice can fall, as exact fractions.

use super::weight::exact::Fraction;
use super::{Weight, rounds};
use crate::encounter::{Encounter, plain_rules};
use crate::plan::close_in;
use crate::sim::{Manner, Seen, run};
use crate::unit::Status;
use dice::{Odds, enumerate};
use game::Game;

fn same(text: &str) {
    let (game, _) = Encounter::from_file("small.toml", text, &plain_rules()).unwrap();
    let mut state = game.start();
    close_in(&mut state);
    let exact = rounds::<Fraction>(&state, 1);
    let all = Odds::new(enumerate(|dice| {
        let seen = run(&state, game.library(), 1, Manner { true_to_life: false }, dice).rounds.remove(0);
        seen.into_iter().map(|s| (s.left, s.lost, s.status as u8, s.tested)).collect::<Vec<_>>()
    }));
    let share = |f: &dyn Fn(&[Seen]) -> bool| {
        let ways = all.of.iter().filter(|(k, _)| {
            let status = [Status::Fighting, Status::Broken, Status::Destroyed, Status::Gone];
            let seen: Vec<Seen> = k
                .iter()
                .map(|(left, lost, s, tested)| Seen {
                    left: *left,
                    lost: *lost,
                    status: status[usize::from(*s)],
                    tested: *tested,
                })
                .collect();
            f(&seen)
        });
        Fraction::ratio(ways.map(|(_, n)| n).sum(), all.ways)
    };
    for h in &exact[0].hordes {
        let i = usize::from(h.id.0);
        assert_eq!(share(&|s| s[i].status == Status::Broken), h.broken);
        assert_eq!(share(&|s| s[i].status == Status::Destroyed), h.destroyed);
        assert_eq!(share(&|s| s[i].tested), h.tests);
        for (n, w) in h.left.iter().enumerate() {
            assert_eq!(share(&|s| usize::try_from(s[i].left).unwrap() == n), *w, "left {n}");
        }
        for (n, w) in h.lost.iter().enumerate() {
            assert_eq!(share(&|s| usize::try_from(s[i].lost).unwrap() == n), *w, "lost {n}");
        }
    }
    for p in &exact[0].people {
        let i = usize::from(p.id.0);
        for (n, w) in p.wounds.iter().enumerate() {
            assert_eq!(share(&|s| usize::try_from(s[i].lost).unwrap() == n), *w, "wounds {n}");
        }
    }
}

#[test]
fn a_shot_and_the_test_after_it() {
    same(
        "[[heretic]]\nlabel = \"jor\"\nprofile = \"human\"\nweapons = [\"laspistol\"]\nshoot = \"standard laspistol guard long\"\ninitiative = 9\n\
        [[horde]]\nlabel = \"guard\"\nprofile = \"cult_zealots\"\nmagnitude = 3\noriginal = 11\nweapons = []\ntraits = [\"Disciplined\"]\ninitiative = 3\n",
    );
}

#[test]
#[ignore = "slow, run by cargo xtask slow"]
fn a_burst_and_the_test_after_it() {
    same(
        "[[heretic]]\nlabel = \"jor\"\nprofile = \"human\"\nweapons = [\"laspistol\"]\nshoot = \"semi laspistol guard long\"\ninitiative = 9\n\
        [[horde]]\nlabel = \"guard\"\nprofile = \"cult_zealots\"\nmagnitude = 7\noriginal = 13\nweapons = []\ninitiative = 3\n",
    );
}

#[test]
fn a_blow_that_is_dodged_and_soaked() {
    same(
        "[[heretic]]\nlabel = \"jor\"\nprofile = \"human\"\nweapons = []\ninitiative = 9\n\
        [[horde]]\nlabel = \"guard\"\nprofile = \"cult_zealots\"\nmagnitude = 12\nweapons = [\"sword\"]\nengaged = [\"jor\"]\ninitiative = 3\n",
    );
}

#[test]
fn a_flamer_and_a_broken_horde() {
    same(
        "[[heretic]]\nlabel = \"jor\"\nprofile = \"human\"\nweapons = [\"hand_flamer\"]\nshoot = \"standard hand_flamer guard\"\ninitiative = 9\n\
        [[weapon]]\nid = \"hand_flamer\"\nname = \"small\"\nclass = \"pistol\"\nrange = 1\ndamage = \"1d5+2\"\ntype = \"E\"\nqualities = [\"Flame\", \"Spray\"]\n\
        [[horde]]\nlabel = \"guard\"\nprofile = \"cult_zealots\"\nmagnitude = 6\noriginal = 10\nap = 1\nweapons = []\ninitiative = 3\n",
    );
}
