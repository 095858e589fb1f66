//! The picture of a battle says what the state says, and no more than its viewer may know.

#[path = "scenes/battle.rs"]
mod fixture;

use draw::hott::{Options, scene};
use draw::{Mark, Overlay, Style, Theme, svg};
use hott::battle::{ElementId, Ending, Fate, Over, SideId};

fn id(battle: &hott::battle::Battle, label: &str) -> ElementId {
    battle.labelled(label, None).unwrap_or_else(|| panic!("no {label}"))
}

#[test]
fn what_stands_on_the_table_is_drawn_where_it_stands() {
    let (battle, state) = fixture::battle(1);
    let picture = scene(&battle, &state, &Options::default());
    assert_eq!(picture.title, "Dwarves of the Iron Gate against Host of the Burning Eye");
    assert_eq!(picture.subtitle, "Bound 9 · Host of the Burning Eye · step 6: close combat");
    assert_eq!((picture.board.width, picture.board.mm_per_100), (2400.0, 25.0));
    assert_eq!(picture.bases.len(), 11 + 11 + 1);
    assert_eq!(picture.features.len(), state.ground.features().len());
    let hero = picture.bases.iter().find(|b| b.label == "Her1").expect("drawn");
    assert!(hero.general && hero.side == 0 && hero.code == "He" && hero.number == "1");
    assert_eq!((hero.pose.x, hero.pose.y, hero.width), (1200.0, 900.0, 160.0));
    let frogs: Vec<&str> =
        picture.bases.iter().filter(|b| b.marks.contains(&Mark::Frog)).map(|b| b.label.as_str()).collect();
    assert_eq!(frogs, ["Rid1"]);
    assert_eq!(picture.strongholds.len(), 1);
    assert_eq!((picture.edges[0].place, picture.edges[1].place), (0, 2));
}

#[test]
fn panels_count_losses_against_the_whole() {
    let (battle, mut state) = fixture::battle(1);
    let picture = scene(&battle, &state, &Options::default());
    let [a, b] = &picture.panels[..] else { panic!("two panels") };
    assert_eq!((a.lost, a.total, b.lost), (8, 48, 12));
    assert_eq!((a.active, b.active), (false, true));
    assert_eq!((a.pips.len(), b.pips.len(), b.pips[0].left), (0, 1, 2));
    assert_eq!(a.general, "General: Her1, on the table");
    assert_eq!((a.player.as_str(), b.player.as_str()), ("Anna", "computer"));
    state.over = Some(Over { winners: 1, ending: Ending::Half });
    let picture = scene(&battle, &state, &Options::default());
    assert!(picture.panels[0].won && !picture.panels[1].won && !picture.panels[1].active);
    assert!(picture.subtitle.contains("Dwarves of the Iron Gate won"), "{}", picture.subtitle);
}

#[test]
fn who_fights_whom_is_joined() {
    let (battle, state) = fixture::battle(1);
    let picture = scene(&battle, &state, &Options { fights: true, moves: true, ..Options::default() });
    let main = |o: &&Overlay| matches!(o, Overlay::Fight { main: true, .. });
    let thin = |o: &&Overlay| matches!(o, Overlay::Fight { main: false, .. });
    // Bld1 and Wbd1, Bld2 and Wbd2, Spr1 and Hrd1, each once; Bld3 overlaps Wbd2, Rid1 hits Spr1 in the flank.
    assert_eq!(picture.overlays.iter().filter(main).count(), 3);
    let (rider, spear) = (id(&battle, "B.Rid1"), id(&battle, "A.Spr1"));
    let (from, to) = (state.element(rider).pose, state.element(spear).pose);
    let flank = |o: &&Overlay| match o {
        // A quarter of the Rider's depth behind its front, the middle of the Spear.
        Overlay::Fight { from: a, to: b, main: false } => {
            (a.1 - f64::from(from.y) / 100.0).abs() < 1.0 && b.0 == f64::from(to.x) / 100.0 && b.1 < 1200.0
        }
        _ => false,
    };
    assert_eq!(picture.overlays.iter().filter(flank).count(), 1, "{:?}", picture.overlays);
    assert!(picture.overlays.iter().filter(thin).count() >= 3);
    let moved: Vec<&Overlay> =
        picture.overlays.iter().filter(|o| matches!(o, Overlay::Moved { .. })).collect();
    assert_eq!(moved.len(), 1);
}

#[test]
fn two_worlds_that_differ_in_secrets_give_the_same_picture() {
    let (battle, state) = fixture::battle(1);
    let options = Options { secrets_of: Some(vec![SideId(0)]), ..Options::default() };
    let seen = svg(&scene(&battle, &state, &options), Style::wide(Theme::Light));
    // Another army behind B's back: its hidden Lurker is a hidden something else.
    let mut other = battle.clone();
    let lurker = id(&battle, "B.Lrk1").index();
    let mut elements = other.elements.to_vec();
    elements[lurker].label = "Drg1".to_owned();
    elements[lurker].ty = hott::table::TroopType::Drg;
    other.elements = elements.into();
    assert_eq!(seen, svg(&scene(&other, &state, &options), Style::wide(Theme::Light)));
    // What its owner sees, and what was seen, differs.
    let own = Options { secrets_of: Some(vec![SideId(1)]), ..Options::default() };
    assert_ne!(
        svg(&scene(&battle, &state, &own), Style::wide(Theme::Light)),
        svg(&scene(&other, &state, &own), Style::wide(Theme::Light))
    );
    let mut withdrawn = state.clone();
    withdrawn.elements[lurker].appearances = 1;
    assert_ne!(seen, svg(&scene(&battle, &withdrawn, &options), Style::wide(Theme::Light)));
}

#[test]
fn every_fate_and_ground_draws() {
    for seed in 0..12 {
        let (battle, mut state) = fixture::battle(seed);
        for (n, e) in state.elements.iter_mut().enumerate() {
            e.fate = [Fate::Waiting, Fate::Table, Fate::Destroyed, Fate::Fled, Fate::Ensorcelled, Fate::Left]
                [n % 6];
        }
        let drawing = svg(&scene(&battle, &state, &Options::default()), Style::board(Theme::Light, 300.0));
        assert!(roxmltree::Document::parse(&drawing).is_ok());
    }
}
