//! What must hold for every drawing.

mod scenes;

use draw::{
    Base, Feature, Ground, Layout, Overlay, Pose, Scene, Shape, Style, Theme, Tone, Zone, png, sheet, svg,
};
use proptest::prelude::*;

fn styles() -> Vec<Style> {
    let mut all = vec![Style::paper()];
    for theme in [Theme::Light, Theme::Dark, Theme::Grey] {
        all.extend([Style::wide(theme), Style::phone(theme), Style::board(theme, 240.0)]);
    }
    all
}

/// Parses, finds every id that is referred to, and nothing that is not a number.
fn sound(drawing: &str) {
    let doc = roxmltree::Document::parse(drawing).expect("a drawing is well-formed XML");
    let ids: std::collections::BTreeSet<&str> = doc.descendants().filter_map(|n| n.attribute("id")).collect();
    let mut count = 0;
    for node in doc.descendants().filter(roxmltree::Node::is_element) {
        for a in node.attributes() {
            let v = a.value();
            if let Some(id) = v.strip_prefix('#').filter(|_| a.name() == "href") {
                assert!(ids.contains(id), "no {id}");
                count += 1;
            }
            if let Some(id) = v.strip_prefix("url(#").and_then(|v| v.strip_suffix(')')) {
                assert!(ids.contains(id), "no {id}");
                count += 1;
            }
            if a.name() != "aria-label" {
                assert!(!v.contains("NaN") && !v.contains("inf"), "{}=\"{v}\"", a.name());
            }
            if ["x", "y", "width", "height", "r", "cx", "cy", "stroke-width"].contains(&a.name()) {
                assert!(v.parse::<f64>().is_ok(), "{}=\"{v}\"", a.name());
            }
        }
    }
    assert!(count > 0, "a drawing without letters or signs");
}

#[test]
fn every_scene_in_every_style_is_sound_and_deterministic() {
    for scene in [scenes::deployed(), scenes::fight(), scenes::six_sides(), scenes::grounds()] {
        for style in styles() {
            let drawing = svg(&scene, style);
            sound(&drawing);
            assert_eq!(drawing, svg(&scene.clone(), style));
        }
    }
    sound(&sheet(Style::wide(Theme::Light)));
}

/// Golden: the same bytes on every machine. A change of the drawing changes it knowingly: look at the samples
/// (`cargo run -p draw --example samples -- FOLDER`), then write the new digest here.
#[test]
fn golden() {
    let drawing = svg(&scenes::fight(), Style::wide(Theme::Light));
    assert_eq!(blake3::hash(drawing.as_bytes()).to_hex().as_str(), GOLDEN);
}
const GOLDEN: &str = "c0fef6b3482df74d50fa22c0822a7b34d4d7669a6ebab9adf763871f6deac397";

#[test]
fn every_base_and_feature_is_drawn_and_named() {
    let scene = scenes::deployed();
    let drawing = svg(&scene, Style::wide(Theme::Light));
    let doc = roxmltree::Document::parse(&drawing).expect("well-formed");
    let titles: Vec<&str> =
        doc.descendants().filter(|n| n.has_tag_name("title")).filter_map(|n| n.text()).collect();
    for base in &scene.bases {
        assert_eq!(titles.iter().filter(|t| **t == base.about).count(), 1, "{}", base.about);
    }
    for feature in &scene.features {
        assert!(titles.iter().any(|t| t.contains(feature.ground.name())));
    }
    for panel in &scene.panels {
        assert!(doc.descendants().any(|n| n.attribute("aria-label").is_some_and(|a| a.contains("AP"))));
        assert!(
            doc.descendants().any(|n| n.attribute("aria-label").is_some_and(|a| a.contains(&panel.player)))
        );
    }
}

#[test]
fn names_from_outside_stay_text() {
    let mut scene = scenes::deployed();
    let nasty = "</title><script>alert(\"1\")</script>&amp; '\u{0}\u{1b}\u{ffff}";
    scene.title = nasty.to_owned();
    scene.subtitle = nasty.to_owned();
    scene.captions = vec![nasty.to_owned()];
    scene.features[0].label = nasty.to_owned();
    scene.panels[0].army = nasty.to_owned();
    scene.panels[0].tray[0].label = nasty.to_owned();
    scene.bases[0].about = nasty.to_owned();
    scene.bases[0].code = "<".to_owned();
    for style in styles() {
        let drawing = svg(&scene, style);
        sound(&drawing);
        let doc = roxmltree::Document::parse(&drawing).expect("well-formed");
        assert!(doc.descendants().all(|n| !n.has_tag_name("script")));
        let title = doc.descendants().find(|n| n.has_tag_name("title")).and_then(|n| n.text());
        assert!(title.is_some_and(|t| t.contains("<script>alert(\"1\")</script>&amp;")));
    }
}

#[test]
fn numbers_that_are_none_do_no_harm() {
    let bad = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0e308, 1.0e308, 0.0];
    for v in bad {
        let mut scene = scenes::fight();
        scene.bases[0].pose = Pose { x: v, y: v, heading: v };
        scene.bases[1].width = v;
        scene.bases[2].depth = v;
        scene.board.mm_per_100 = v;
        scene.strongholds[0].width = v;
        for ground in Ground::ALL {
            scene.features.push(Feature::new(ground, Shape::Disc((v, 100.0), v)));
            scene.features.push(Feature::new(ground, Shape::Way(vec![(v, v), (1.0, 2.0)], v)));
            scene.features.push(Feature::new(ground, Shape::Polygon(vec![(v, 0.0), (5.0, v), (v, v)])));
            scene.features.push(Feature::new(ground, Shape::Polygon(vec![])));
        }
        scene.overlays.push(Overlay::Fight { from: (v, v), to: (v, 0.0), main: true });
        scene.zones.push(Zone { shape: Shape::Disc((v, v), v), tone: Tone::Plain, label: "x".to_owned() });
        sound(&svg(&scene, Style { text: 10.0, ..Style::board(Theme::Light, 300.0) }));
        scene.board.width = v;
        sound(&svg(&scene, Style { width: v, ..Style::wide(Theme::Dark) }));
    }
}

#[test]
fn pixels_show_what_is_there() {
    let drawing = svg(&scenes::fight(), Style::board(Theme::Light, 240.0));
    let picture = png(&drawing, 1.0).expect("it renders");
    assert!(picture.starts_with(b"\x89PNG"));
    // Width stands big-endian after the signature and the head of the first chunk.
    assert_eq!(picture[16..20], 240u32.to_be_bytes());
    let empty = svg(&Scene::default(), Style::board(Theme::Light, 240.0));
    let without = png(&empty, 1.0).expect("it renders");
    assert!(picture.len() > without.len() * 2, "{} and {}", picture.len(), without.len());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_base_is_drawn(
        (x, y, heading) in (-500.0..3000.0f64, -500.0..3000.0f64, -1000.0..1000.0f64),
        (width, depth) in (1.0..400.0f64, 1.0..400.0f64),
        side in 0..20usize,
        words in "\\PC{0,24}",
        general: bool,
        narrow: bool,
    ) {
        let base = Base {
            pose: Pose { x, y, heading }, width, depth, side, general,
            code: words.chars().take(2).collect(),
            number: words.chars().rev().take(2).collect(),
            about: words.clone(),
            ..Base::default()
        };
        let scene = Scene { title: words.clone(), bases: vec![base], captions: vec![words], ..Scene::default() };
        let layout = if narrow { Layout::Tall } else { Layout::Wide };
        let drawing = svg(&scene, Style { layout, width: 500.0, ..Style::wide(Theme::Grey) });
        sound(&drawing);
    }
}

#[test]
fn allies_share_their_edge_and_paper_has_measures() {
    let spoken = |drawing: &str| -> Vec<String> {
        let doc = roxmltree::Document::parse(drawing).expect("well-formed");
        doc.descendants().filter_map(|n| n.attribute("aria-label")).map(str::to_owned).collect()
    };
    let words = spoken(&svg(&scenes::six_sides(), Style::wide(Theme::Light)));
    for panel in scenes::six_sides().panels {
        let name = format!("{} · {}", panel.letter, panel.army);
        assert_eq!(words.iter().filter(|w| **w == name).count(), 1, "{name}");
    }
    // 2400p are 600 mm: both ways, every 50 mm.
    let paper = spoken(&svg(&scenes::deployed(), Style::paper()));
    for mm in (50..=600).step_by(50) {
        assert_eq!(paper.iter().filter(|w| **w == mm.to_string()).count(), 2, "{mm}");
    }
    assert!(!spoken(&svg(&scenes::deployed(), Style::wide(Theme::Light))).contains(&"550".to_owned()));
}
