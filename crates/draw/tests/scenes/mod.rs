//! Scenes to look at and to test with: no real battle, but all that one shows.
#![allow(dead_code, missing_docs)]

use draw::{
    Base, BoardSize, Chevron, CommandTab, Edge, Feature, Glyph, Ground, Mark, Overlay, Panel, Pip, Pose,
    Scene, Shape, Stronghold, Tone, TrayItem, Zone,
};

/// Depth in paces of a type in the small scale.
pub fn depth(glyph: Glyph) -> f64 {
    match glyph {
        Glyph::God | Glyph::Dragon | Glyph::Airboat => 240.0,
        Glyph::AerialHero
        | Glyph::Hero
        | Glyph::Paladin
        | Glyph::Behemoth
        | Glyph::Artillery
        | Glyph::Magician => 160.0,
        Glyph::Blade | Glyph::Spear => 60.0,
        Glyph::Warband | Glyph::Shooter | Glyph::Sneaker => 80.0,
        _ => 120.0,
    }
}

pub fn base(side: usize, glyph: Glyph, number: u32, x: f64, y: f64, heading: f64) -> Base {
    let code: String = glyph.code().chars().take(2).collect();
    let label = format!("{}{number}", glyph.code());
    Base {
        pose: Pose { x, y, heading },
        width: 160.0,
        depth: depth(glyph),
        side,
        glyph,
        code,
        number: number.to_string(),
        about: format!("{label}, {}, heading {heading}°", glyph.name()),
        label,
        ..Base::default()
    }
}

fn wood(points: &[(f64, f64)]) -> Shape {
    Shape::Polygon(points.to_vec())
}

pub fn terrain() -> Vec<Feature> {
    let mut hill = Feature::new(
        Ground::Hill,
        wood(&[
            (300.0, 1250.0),
            (520.0, 1130.0),
            (760.0, 1200.0),
            (840.0, 1420.0),
            (640.0, 1580.0),
            (380.0, 1500.0),
        ]),
    );
    hill.crest = vec![(480.0, 1340.0), (600.0, 1370.0), (690.0, 1400.0)];
    hill.label = "Crow Hill".to_owned();
    let mut town = Feature::new(
        Ground::Town,
        wood(&[(1830.0, 1420.0), (2090.0, 1390.0), (2130.0, 1620.0), (1960.0, 1720.0), (1800.0, 1640.0)]),
    );
    town.label = "Millbrook".to_owned();
    vec![
        hill,
        Feature::new(
            Ground::Wood,
            wood(&[
                (1350.0, 1300.0),
                (1560.0, 1210.0),
                (1700.0, 1350.0),
                (1640.0, 1560.0),
                (1420.0, 1590.0),
                (1300.0, 1450.0),
            ]),
        ),
        Feature::new(Ground::Wood, Shape::Disc((560.0, 820.0), 150.0)),
        Feature::new(
            Ground::Marsh,
            wood(&[(1880.0, 720.0), (2120.0, 660.0), (2260.0, 800.0), (2160.0, 980.0), (1930.0, 950.0)]),
        ),
        Feature::new(
            Ground::River,
            Shape::Way(
                vec![(0.0, 1000.0), (240.0, 1040.0), (420.0, 990.0), (880.0, 1080.0), (1200.0, 1060.0)],
                60.0,
            ),
        ),
        Feature::new(Ground::Lake, Shape::Disc((1260.0, 1060.0), 130.0)),
        Feature::new(
            Ground::Road,
            Shape::Way(
                vec![(1960.0, 2400.0), (1950.0, 1560.0), (1760.0, 1100.0), (1780.0, 600.0), (1700.0, 0.0)],
                40.0,
            ),
        ),
        town,
    ]
}

fn army(side: usize, top: bool) -> Vec<Base> {
    let row = if top {
        [(Glyph::Hero, 1), (Glyph::Spear, 5), (Glyph::Shooter, 2), (Glyph::Knight, 2), (Glyph::Magician, 1)]
    } else {
        [
            (Glyph::Blade, 4),
            (Glyph::Warband, 4),
            (Glyph::Behemoth, 1),
            (Glyph::Rider, 2),
            (Glyph::Artillery, 1),
        ]
    };
    let heading = if top { 180.0 } else { 0.0 };
    let mut out = Vec::new();
    let mut x = 300.0;
    for (glyph, count) in row {
        for n in 1..=count {
            let at = if top { 2400.0 - x } else { x };
            let y = if top { 1880.0 } else { 520.0 };
            out.push(base(side, glyph, n, at, y, heading));
            x += 160.0;
        }
    }
    out
}

fn panels() -> Vec<Panel> {
    vec![
        Panel {
            side: 0,
            letter: "A".to_owned(),
            army: "Dwarves of the Iron Gate".to_owned(),
            player: "Anna".to_owned(),
            active: true,
            lost: 9,
            total: 48,
            general: "General: Blade 1, on the table".to_owned(),
            stronghold: "Stronghold stands".to_owned(),
            pips: vec![Pip { letter: None, score: 5, left: 3 }],
            tray: vec![
                TrayItem {
                    glyph: Glyph::Dragon,
                    label: "Drg1".to_owned(),
                    note: "waiting".to_owned(),
                    lost: false,
                },
                TrayItem {
                    glyph: Glyph::Horde,
                    label: "Hrd2".to_owned(),
                    note: "destroyed".to_owned(),
                    lost: true,
                },
            ],
            won: false,
        },
        Panel {
            side: 1,
            letter: "B".to_owned(),
            army: "Host of the Burning Eye".to_owned(),
            player: "computer".to_owned(),
            active: false,
            lost: 16,
            total: 47,
            general: "General: Hero 1, on the table".to_owned(),
            stronghold: String::new(),
            pips: vec![],
            tray: vec![
                TrayItem {
                    glyph: Glyph::Knight,
                    label: "Kni3".to_owned(),
                    note: "destroyed".to_owned(),
                    lost: true,
                },
                TrayItem {
                    glyph: Glyph::Lurker,
                    label: "Lrk1".to_owned(),
                    note: "waiting".to_owned(),
                    lost: false,
                },
                TrayItem {
                    glyph: Glyph::Spear,
                    label: "Spr6".to_owned(),
                    note: "fled".to_owned(),
                    lost: true,
                },
            ],
            won: false,
        },
    ]
}

/// Two armies of twelve as they deploy.
pub fn deployed() -> Scene {
    let mut bases = army(0, false);
    bases.extend(army(1, true));
    for b in &mut bases {
        b.general = (b.side == 0 && b.label == "Bld1") || (b.side == 1 && b.label == "Her1");
    }
    Scene {
        title: "Dwarves of the Iron Gate against the Host of the Burning Eye".to_owned(),
        subtitle: "Bound 3 · Dwarves of the Iron Gate to move · 3 PIPs left".to_owned(),
        board: BoardSize::default(),
        features: terrain(),
        zones: vec![],
        edges: vec![Edge { side: 0, place: 0 }, Edge { side: 1, place: 2 }],
        strongholds: vec![Stronghold {
            pose: Pose { x: 1100.0, y: 250.0, heading: 0.0 },
            width: 300.0,
            depth: 240.0,
            side: 0,
            label: "Stronghold of A".to_owned(),
            lost: false,
        }],
        bases,
        overlays: vec![],
        panels: panels(),
        captions: vec![
            "Drawn by Muster. Bases are true to size; the heavy edge with the notch is the front.".to_owned(),
        ],
    }
}

/// A crowded fight with everything that is drawn over bases.
pub fn fight() -> Scene {
    let mut scene = deployed();
    scene.subtitle = "Bound 7 · close combat · Anna chooses the next fight".to_owned();
    let mut bases = Vec::new();
    let line = [Glyph::Blade, Glyph::Blade, Glyph::Warband, Glyph::Behemoth, Glyph::Blade, Glyph::Knight];
    let foes = [Glyph::Spear, Glyph::Spear, Glyph::Hero, Glyph::Knight, Glyph::Shooter, Glyph::Beast];
    for (i, (a, b)) in line.into_iter().zip(foes).enumerate() {
        let n = i as u32 + 1;
        let x = 700.0 + 160.0 * i as f64;
        bases.push(base(0, a, n, x, 1160.0, 0.0));
        if i != 4 {
            bases.push(base(1, b, n, x, 1160.0, 180.0));
        }
    }
    bases.push(base(0, Glyph::Warband, 7, 1020.0, 1080.0, 0.0));
    bases.push(base(1, Glyph::Spear, 7, 700.0, 1220.0, 180.0));
    bases.push(base(1, Glyph::Rider, 1, 620.0, 1100.0, 90.0));
    bases.push(base(0, Glyph::Cleric, 1, 1900.0, 900.0, 33.0));
    bases.push(base(0, Glyph::Magician, 1, 1500.0, 860.0, 12.0));
    bases.push(base(1, Glyph::Shooter, 2, 1700.0, 1520.0, 205.0));
    bases.push(base(1, Glyph::Flyer, 1, 1450.0, 1750.0, 170.0));
    bases.push(base(0, Glyph::God, 1, 1100.0, 760.0, 0.0));
    bases.push(base(0, Glyph::Sneaker, 1, 400.0, 760.0, 310.0));
    bases.push(base(0, Glyph::Hero, 2, 2000.0, 1300.0, 0.0));
    let last = bases.len() - 1;
    bases[last].marks.push(Mark::Frog);
    bases[last - 3].dimmed = true;
    bases[0].general = true;
    bases[0].grade = Chevron::Up;
    bases[2].grade = Chevron::Down;
    bases[5].general = true;
    bases[4].marks.push(Mark::Selected);
    scene.bases = bases;
    scene.overlays = vec![
        Overlay::Fight { from: (700.0, 1130.0), to: (700.0, 1190.0), main: true },
        Overlay::Fight { from: (560.0, 1100.0), to: (660.0, 1130.0), main: false },
        Overlay::Fight { from: (860.0, 1130.0), to: (860.0, 1190.0), main: true },
        Overlay::Fight { from: (1340.0, 1130.0), to: (1240.0, 1200.0), main: false },
        Overlay::Shot { from: (1700.0, 1520.0), to: (1520.0, 870.0), side: 1 },
        Overlay::Moved {
            from: Pose { x: 400.0, y: 500.0, heading: 330.0 },
            to: Pose { x: 400.0, y: 760.0, heading: 310.0 },
            width: 160.0,
            depth: 80.0,
            side: 0,
        },
        Overlay::Ghost {
            pose: Pose { x: 1340.0, y: 1060.0, heading: 0.0 },
            width: 160.0,
            depth: 60.0,
            side: 0,
        },
        Overlay::Lost { at: (1600.0, 1300.0), side: 1 },
        Overlay::Tag { at: (780.0, 1165.0), text: "1".to_owned() },
        Overlay::Tag { at: (940.0, 1165.0), text: "2".to_owned() },
        Overlay::Measure { from: (1900.0, 900.0), to: (2000.0, 1300.0), text: "412p".to_owned() },
    ];
    scene.zones = vec![
        Zone {
            shape: Shape::Polygon(vec![(0.0, 0.0), (2400.0, 0.0), (2400.0, 600.0), (0.0, 600.0)]),
            tone: Tone::Side(0),
            label: "deployment".to_owned(),
        },
        Zone {
            shape: Shape::Polygon(vec![
                (1620.0, 1440.0),
                (1760.0, 1380.0),
                (1700.0, 1240.0),
                (1560.0, 1300.0),
            ]),
            tone: Tone::Threat,
            label: String::new(),
        },
    ];
    scene
}

/// Six sides with several commands about a board twice as wide.
pub fn six_sides() -> Scene {
    let names = ["Sea Kings", "Red Trolls", "Sun Elves", "Forest League", "Moon Court", "Tomb Lords"];
    let mut bases = Vec::new();
    let mut panels = Vec::new();
    let mut edges = Vec::new();
    for (side, name) in names.into_iter().enumerate() {
        let top = side % 2 == 1;
        let start = 500.0 + 1500.0 * (side / 2) as f64;
        for command in 0..2 {
            for n in 0..6 {
                let glyph = Glyph::ALL[(side * 5 + n * 3 + command * 7) % 25];
                let x = start + 170.0 * n as f64;
                let row = 620.0 + 300.0 * command as f64;
                let mut b = base(
                    side,
                    glyph,
                    n as u32 + 1,
                    x,
                    if top { 3600.0 - row } else { row },
                    if top { 180.0 } else { 0.0 },
                );
                b.command =
                    Some(CommandTab { letter: if command == 0 { 'K' } else { 'L' }, colour: command });
                b.general = n == 2;
                b.grade = [Chevron::None, Chevron::Up, Chevron::Down][n % 3];
                bases.push(b);
            }
        }
        edges.push(Edge { side, place: if top { 2 } else { 0 } });
        panels.push(Panel {
            side,
            letter: char::from(b'A' + side as u8).to_string(),
            army: name.to_owned(),
            player: format!("player {}", side + 1),
            active: side == 2,
            lost: 7 * side as u32,
            total: 72,
            general: "Commander-in-chief on the table".to_owned(),
            stronghold: "Baggage stands".to_owned(),
            pips: vec![
                Pip { letter: Some('K'), score: 4, left: 2 },
                Pip { letter: Some('L'), score: 6, left: 6 },
            ],
            tray: vec![],
            won: false,
        });
    }
    Scene {
        title: "Six hosts at the Fords".to_owned(),
        subtitle: "Bound 2 · Sun Elves to move".to_owned(),
        board: BoardSize { width: 4800.0, height: 3600.0, mm_per_100: 25.0 },
        features: terrain(),
        edges,
        bases,
        panels,
        ..Scene::default()
    }
}

/// Each kind of ground in a cell of its own.
pub fn grounds() -> Scene {
    let mut features = Vec::new();
    for (i, ground) in Ground::ALL.into_iter().enumerate() {
        let (x, y) = (300.0 + 600.0 * (i % 4) as f64, 2100.0 - 600.0 * (i / 4) as f64);
        let shape = match ground {
            Ground::River => Shape::Way(
                vec![
                    (x - 250.0, y - 150.0),
                    (x - 60.0, y + 40.0),
                    (x + 60.0, y - 20.0),
                    (x + 250.0, y + 160.0),
                ],
                80.0,
            ),
            Ground::Road => Shape::Way(
                vec![(x - 250.0, y + 100.0), (x, y + 40.0), (x + 100.0, y - 80.0), (x + 250.0, y - 100.0)],
                50.0,
            ),
            Ground::Ford | Ground::Bridge => {
                Shape::Way(vec![(x - 120.0, y - 20.0), (x + 120.0, y + 20.0)], 60.0)
            }
            _ if i % 3 == 1 => Shape::Disc((x, y), 220.0),
            _ => Shape::Polygon(vec![
                (x - 240.0, y - 60.0),
                (x - 120.0, y - 210.0),
                (x + 150.0, y - 190.0),
                (x + 250.0, y + 20.0),
                (x + 130.0, y + 210.0),
                (x - 150.0, y + 170.0),
            ]),
        };
        let mut f = Feature::new(ground, shape);
        f.label = ground.name().to_owned();
        if ground == Ground::SteepHill {
            f.crest = vec![(x - 90.0, y - 20.0), (x + 90.0, y + 30.0)];
        }
        features.push(f);
    }
    for x in [900.0, 300.0] {
        let y = 300.0;
        features.push(Feature::new(
            Ground::River,
            Shape::Way(vec![(x, y - 230.0), (x + 30.0, y), (x - 20.0, y + 230.0)], 90.0),
        ));
    }
    Scene {
        title: "Kinds of ground".to_owned(),
        features,
        bases: vec![
            base(0, Glyph::Blade, 1, 300.0, 2100.0, 0.0),
            base(1, Glyph::Knight, 2, 900.0, 2080.0, 180.0),
            base(1, Glyph::Lurker, 2, 1500.0, 1000.0, 70.0),
        ],
        ..Scene::default()
    }
}
