use super::*;
use crate::table::{Scale, Scope};
use field::{Board, Segment};

fn ground(text: &str) -> Ground {
    match Ground::parse(text) {
        Ok(g) => g,
        Err(p) => panic!("{}", p[0]),
    }
}

fn base(x: i32, y: i32, degrees: i32) -> Base {
    Base::new(Pose::new(x * PACE, y * PACE, Heading::degrees(degrees)), Size::new(160 * PACE, 60 * PACE))
}

#[test]
fn text_reads_back() {
    let text = "wood disc 800 900 150\nmarsh ellipse 1500 900 400 250 30\nfields rect 600 600 300 200.5 15\n\
                rough polygon 100 200, 300 200, 250 400\nriver 80 along 0 1200, 900 1150, 2400 1300\n\
                hill ellipse 1200 1200 500 300 crest 1050 1200, 1350 1200\nplateau ellipse 1200 1200 500 300 slope 60";
    let g = ground(text);
    assert_eq!(g.features().len(), 7);
    assert_eq!(g.print("\n"), text);
    assert_eq!(ground(&g.print("; ")), g);
    for (bad, says) in [
        ("wod disc 1 2 3", "did you mean wood?"),
        ("wood disc 1 2", "x, y and radius"),
        ("river disc 1 2 3", "a line with a width"),
        ("wood disc a 2 3", "not a figure"),
        ("wood disc 100 100 50 crest 1 1", "no crest"),
        ("wood polygon 1 1, 2 2, 3 3", "one line"),
        ("plateau disc 100 100 50", "slopes"),
    ] {
        let problem = Ground::parse(bad).unwrap_err()[0].to_string();
        assert!(problem.contains(says), "{bad}: {problem}");
    }
}

#[test]
fn footing_by_any_part() {
    let g =
        ground("wood disc 500 500 150; river 80 along 0 1200, 2400 1200; plateau disc 1500 500 300 slope 60");
    assert_eq!(g.footing(&base(500, 500, 0)), Footing::WOOD);
    assert_eq!(g.footing(&base(500, 700, 0)), Footing::WOOD, "its rear is in the wood");
    assert_eq!(g.footing(&base(500, 720, 0)), Footing::GOOD);
    assert_eq!(g.footing(&base(900, 1165, 0)), Footing::WATER);
    assert_eq!(g.footing(&base(1500, 500, 0)), Footing::GOOD, "on the flat top");
    assert!(g.under(&base(1500, 270, 0)).steep, "on the slope");
    assert!(!g.under(&base(1500, 500, 0)).steep);
}

#[test]
fn wide_water_and_cliffs_stop_those_on_the_ground() {
    let tables = Tables::standard(Scope::Base);
    let g =
        ground("river 200 along 0 600, 2400 600; river 201 along 0 1200, 2400 1200; cliff disc 500 2000 100");
    let at = |y| g.under(&base(500, y, 0));
    assert_eq!(at(600).forbids(&tables, Class::Foot), None);
    assert_eq!(at(1200).forbids(&tables, Class::Foot), Some(rule!("HOTT-056")));
    assert_eq!(at(1200).forbids(&tables, Class::Aerial), None);
    assert_eq!(at(2000).forbids(&tables, Class::Aerial), None);
    assert_eq!(at(2000).forbids_end(&tables, Class::Aerial), Some(rule!("HOTT-060")));
}

#[test]
fn uphill_with_and_without_a_crest() {
    let plain = ground("hill ellipse 1200 1200 600 400");
    let above = base(1200, 1100, 180);
    let below = base(1200, 1100, 0);
    assert!(plain.uphill(&above, &below) && !plain.uphill(&below, &above));
    let across = [base(1200, 1200, 90), base(1200, 1200, 270)];
    assert!(
        !plain.uphill(&across[0], &across[1]) && !plain.uphill(&across[1], &across[0]),
        "along the middle line"
    );
    let crested = ground("hill ellipse 1200 1200 600 400 crest 1000 1050, 1400 1050");
    assert!(crested.uphill(&base(1200, 1150, 0), &base(1200, 1150, 180)), "the crest lies below the middle");
}

#[test]
fn sight_is_blocked_by_crests() {
    let line = |x0: i32, y0: i32, x1: i32, y1: i32| {
        Segment::new(Point::new(x0 * PACE, y0 * PACE), Point::new(x1 * PACE, y1 * PACE))
    };
    let g = ground("hill ellipse 1200 1200 600 400");
    let hill = &g.features()[0];
    assert!(hill.hides(&line(1200, 800, 1200, 1600)));
    assert!(!hill.hides(&line(1200, 1200, 1200, 1600)), "from the top");
    assert!(!hill.hides(&line(1200, 1050, 1200, 900)), "down one slope");
    let g = ground("hill ellipse 1200 1200 600 400 crest 1100 1200, 1300 1200");
    assert!(g.features()[0].hides(&line(1200, 800, 1200, 1600)));
    assert!(!g.features()[0].hides(&line(950, 800, 950, 1600)), "past the end of the crest");
}

#[test]
fn banks_are_defended_near_and_facing() {
    let tables = Tables::standard(Scope::Base);
    let g = ground("river 80 along 0 1200, 2400 1200");
    let wading = base(500, 1200, 180);
    assert!(!g.defends_bank(&tables, &base(500, 1200, 0), &wading), "in the water itself");
    assert!(g.defends_bank(&tables, &base(500, 1160, 0), &base(500, 1160, 180)));
    assert!(g.defends_bank(&tables, &base(500, 1080, 0), &wading));
    assert!(!g.defends_bank(&tables, &base(500, 1079, 0), &wading));
    assert!(!g.defends_bank(&tables, &base(500, 1090, 180), &wading), "its back to the river");
}

#[test]
fn what_is_wrong_with_ground() {
    let tables = Tables::standard(Scope::Base);
    let board = Board::new(240_000, 240_000);
    let rules = |text: &str| -> Vec<String> {
        ground(text).problems(&tables, &board, Scale::Mm15, 48).iter().map(|p| p.rule.to_string()).collect()
    };
    let good =
        "wood disc 800 800 100; rough disc 1600 1600 100; hill disc 800 1600 100; hill disc 1600 800 100";
    assert!(rules(good).is_empty(), "{:?}", rules(good));
    assert_eq!(rules(&good.replace("rough disc 1600 1600 100", "rough disc 1600 1600 99")), ["HOTT-065"]);
    assert_eq!(rules(&good.replace("; hill disc 1600 800 100", "")), ["HOTT-065"]);
    assert_eq!(rules(&format!("{good}; marsh disc 1000 800 50")), ["HOTT-066"]);
    assert_eq!(rules(&format!("{good}; wood disc 800 1600 80")), [""; 0], "a wood on a hill");
    assert_eq!(rules(&format!("{good}; marsh disc 50 2300 99")), ["HOTT-R33"]);
    assert_eq!(rules(&format!("{good}; river 80 along 100 1200, 2400 1200")), ["HOTT-055"]);
    let cornered =
        "wood disc 800 800 100; rough disc 1100 1050 100; hill disc 500 500 100; hill disc 400 1000 100";
    assert_eq!(rules(cornered), ["HOTT-063", "HOTT-064"]);
    assert!(
        rules(&format!("{good}; rough rect 1200 500 2300 900; rough rect 1200 2000 2300 700"))
            .contains(&"HOTT-062".to_owned())
    );
}

#[test]
fn made_ground_is_legal_and_the_same_again() {
    for (scope, board, ap) in
        [(Scope::Base, Board::new(240_000, 240_000), 48), (Scope::Big, Board::new(720_000, 240_000), 144)]
    {
        let tables = Tables::standard(scope);
        for number in 0..40 {
            let g = Ground::random(number, &tables, &board, Scale::Mm15, ap);
            assert_eq!(g.problems(&tables, &board, Scale::Mm15, ap), [], "{number}");
            assert_eq!(g, Ground::random(number, &tables, &board, Scale::Mm15, ap));
            assert_eq!(ground(&g.print("; ")), g);
        }
    }
}
