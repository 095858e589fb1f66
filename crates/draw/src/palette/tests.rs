//! Can people tell the sides apart, and read what stands on them?

use super::*;

type Rgb = [f64; 3];

fn linear(hex: &str) -> Rgb {
    [1, 3, 5].map(|i| {
        let c = f64::from(u8::from_str_radix(&hex[i..i + 2], 16).expect("a colour is #rrggbb")) / 255.0;
        if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    })
}

/// Sight, normal and with each kind of cone missing, on linear RGB (the model of Machado, Oliveira and Fernandes, 2009).
const SIGHT: [(&str, [Rgb; 3]); 4] = [
    ("normal", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    (
        "without red",
        [
            [0.152_286, 1.052_583, -0.204_868],
            [0.114_503, 0.786_281, 0.099_216],
            [-0.003_882, -0.048_116, 1.051_998],
        ],
    ),
    (
        "without green",
        [
            [0.367_322, 0.860_646, -0.227_968],
            [0.280_085, 0.672_501, 0.047_413],
            [-0.011_820, 0.042_940, 0.968_881],
        ],
    ),
    (
        "without blue",
        [
            [1.255_528, -0.076_749, -0.178_779],
            [-0.078_411, 0.930_809, 0.147_602],
            [0.004_733, 0.691_367, 0.303_900],
        ],
    ),
];

fn seen(c: Rgb, sight: &[Rgb; 3]) -> Rgb {
    sight.map(|row| (row[0] * c[0] + row[1] * c[1] + row[2] * c[2]).clamp(0.0, 1.0))
}

fn lab(c: Rgb) -> Rgb {
    let f = |t: f64| if t > 0.008_856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 };
    let x = f((0.412_4 * c[0] + 0.357_6 * c[1] + 0.180_5 * c[2]) / 0.950_5);
    let y = f(0.212_6 * c[0] + 0.715_2 * c[1] + 0.072_2 * c[2]);
    let z = f((0.019_3 * c[0] + 0.119_2 * c[1] + 0.950_5 * c[2]) / 1.089);
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

fn difference(a: Rgb, b: Rgb) -> f64 {
    (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>().sqrt()
}

fn luminance(hex: &str) -> f64 {
    let c = linear(hex);
    0.212_6 * c[0] + 0.715_2 * c[1] + 0.072_2 * c[2]
}

/// The contrast ratio of the web's accessibility guidelines, 1 to 21.
fn contrast(a: &str, b: &str) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[test]
fn sides_differ_however_one_sees_colour() {
    for (name, sight) in SIGHT {
        let colours: Vec<Rgb> = SIDES.iter().map(|s| lab(seen(linear(s.fill), &sight))).collect();
        for i in 0..colours.len() {
            for j in 0..i {
                let d = difference(colours[i], colours[j]);
                assert!(d > 30.0, "{name}: {} and {} differ by {d:.1} only", SIDES[i].name, SIDES[j].name);
            }
        }
    }
}

#[test]
fn sides_differ_in_pattern_and_the_first_two_in_grey_lightness() {
    for (i, a) in SIDES.iter().enumerate() {
        assert!(SIDES[..i].iter().all(|b| a.pattern != b.pattern), "{}", a.name);
    }
    assert!(contrast(SIDES[0].grey, SIDES[1].grey) > 3.0);
}

#[test]
fn what_is_written_can_be_read() {
    for s in SIDES {
        assert!(contrast(s.fill, s.text) >= 4.5, "{}: {:.2}", s.name, contrast(s.fill, s.text));
        assert!(contrast(s.grey, s.grey_text) >= 4.5, "{} in grey", s.name);
    }
    for (fill, ink) in COMMANDS {
        assert!(contrast(fill, ink) >= 4.5, "{fill}");
    }
    for theme in [Theme::Light, Theme::Dark, Theme::Grey] {
        let t = theme.tones();
        for (text, ground) in [
            (t.ink, t.page),
            (t.ink, t.card),
            (t.faint, t.page),
            (t.faint, t.card),
            (t.ink, t.board),
            (t.danger, t.card),
            (t.sign, t.plate),
        ] {
            assert!(
                contrast(text, ground) >= 4.5,
                "{theme:?}: {text} on {ground}: {:.2}",
                contrast(text, ground)
            );
        }
        for (name, (ground, mark, _)) in [
            ("wood", t.wood),
            ("hill", t.hill),
            ("marsh", t.marsh),
            ("rough", t.rough),
            ("dunes", t.dunes),
            ("fields", t.fields),
            ("town", t.town),
            ("water", t.water),
            ("cliff", t.cliff),
        ] {
            let c = contrast(ground, mark);
            assert!(c >= 2.5, "{theme:?}: the texture of {name} on its ground: {c:.2}");
        }
        for index in 0..SIDES.len() {
            let c = contrast(theme.side_line(index), t.board);
            // Hue and the dark outline carry the light sides; no line may vanish.
            assert!(c >= 1.35, "{theme:?}: line of side {index}: {c:.2}");
        }
    }
}
