//! Bases and strongholds: true size and facing, the front edge heavy, the sign on a plate.

use crate::Glyph;
use crate::geometry::{Map, middle};
use crate::model::{Base, Chevron, Mark, Pose, Stronghold};
use crate::palette::{COMMANDS, side_fill};
use crate::picture::Style;
use crate::svg::{Anchor, Svg, Words, fill, line, num};

/// Opens a group whose origin is the middle of the front edge, y to the rear, in pixels.
fn open_at(svg: &mut Svg, map: &Map, pose: Pose, more: &str) {
    let (x, y) = map.at((pose.x, pose.y));
    let turn = if pose.heading == 0.0 { String::new() } else { format!(" rotate({})", num(pose.heading)) };
    let gap = if more.is_empty() { "" } else { " " };
    svg.open(&format!("transform=\"translate({} {}){turn}\"{gap}{more}", num(x), num(y)));
}

/// Whether what stands on a base must be turned half round to stand upright for the reader.
fn upside_down(heading: f64) -> bool {
    let turn = heading - (heading / 360.0).floor() * 360.0;
    turn > 90.01 && turn < 269.99
}

/// An element.
pub(crate) fn draw(svg: &mut Svg, map: &Map, style: &Style, base: &Base) {
    let tones = style.theme.tones();
    let prefix = style.prefix;
    let (w, d) = ((base.width * map.k).max(1.0), (base.depth * map.k).max(1.0));
    let (_, _, text) = style.theme.side(base.side);
    let hair = (w / 60.0).clamp(0.5, 1.4);
    open_at(
        svg,
        map,
        base.pose,
        if base.dimmed { "class=\"base\" opacity=\"0.45\"" } else { "class=\"base\"" },
    );
    svg.title(if base.about.is_empty() { &base.label } else { &base.about });
    if base.marks.contains(&Mark::Selected) {
        let (x, y) = (-w / 2.0 - hair * 3.0, -hair * 3.0);
        svg.rect([x, y, w + hair * 6.0, d + hair * 6.0], hair * 3.0, line(tones.ink, hair * 2.0));
    }
    svg.rect([-w / 2.0, 0.0, w, d], 0.0, fill(&side_fill(prefix, base.side)));

    // The front: a bar with a light notch that points forward.
    let bar = (d * 0.11).clamp(hair * 1.4, 5.0 * hair);
    svg.rect([-w / 2.0, 0.0, w, bar], 0.0, fill(tones.outline));

    // What stands on it, upright for the reader, in the room behind the front.
    let flipped = upside_down(base.pose.heading);
    let room = d - bar;
    let centre = bar + room / 2.0;
    if flipped {
        svg.open(&format!("transform=\"translate(0 {}) rotate(180)\"", num(centre)));
    } else {
        svg.open(&format!("transform=\"translate(0 {})\"", num(centre)));
    }
    let inset = (room * 0.06).clamp(0.4, 2.5);
    let plate = (room - inset * 2.0).min(w * 0.5).min(map.u * 4.2);
    let plate_w = plate.max((w * 0.3).min(plate * 1.25));
    svg.rect([-plate_w / 2.0, -plate / 2.0, plate_w, plate], plate * 0.16, fill(tones.plate));
    base.glyph.put(svg, prefix, (0.0, 0.0), plate * 0.92);
    let end = (w - plate_w) / 2.0;
    ends(svg, style, base, EndRoom { w, room, end, plate_w, hair, text });
    svg.close();

    if base.marks.contains(&Mark::Disrupted) {
        svg.open(&format!("transform=\"rotate(7 0 {})\"", num(d / 2.0)));
        svg.rect([-w / 2.0, 0.0, w, d], 0.0, line(tones.danger, hair * 1.6).with("stroke-dasharray=\"4 3\""));
        svg.close();
    }
    svg.rect([-w / 2.0, 0.0, w, d], 0.0, line(tones.outline, hair));
    let notch = (bar * 1.9).min(d * 0.3);
    let tip = format!("M0 {}L{1} {2}H-{1}Z", num(hair * 0.7), num(notch * 0.8), num(notch));
    svg.path(&tip, fill(tones.plate).edged(tones.outline, hair * 0.7).with("stroke-linejoin=\"round\""));
    svg.close();
}

struct EndRoom<'a> {
    w: f64,
    room: f64,
    end: f64,
    plate_w: f64,
    hair: f64,
    text: &'a str,
}

/// Left of the plate: code, command, grade. Right of it: the number, and the banner of a general.
fn ends(svg: &mut Svg, style: &Style, base: &Base, r: EndRoom<'_>) {
    let tones = style.theme.tones();
    let (ground, _, _) = style.theme.side(base.side);
    let middle_of_end = (r.plate_w + r.end) / 2.0;
    let size = (r.room * 0.62).min(r.end * 0.78);
    let readable = size >= 5.5;
    let mut left_free = true;

    if let Some(tab) = base.command {
        let (tab_fill, tab_ink) = COMMANDS[tab.colour % COMMANDS.len()];
        // The rear edge as the reader sees it: below for one who looks up the board.
        let (tw, th) = (r.end * 0.82, (r.room * 0.46).max(r.hair * 3.0).min(r.end));
        let below = if upside_down(base.pose.heading) { -r.room / 2.0 } else { r.room / 2.0 - th };
        let x = -r.w / 2.0 + r.hair * 0.5;
        svg.rect([x, below, tw, th], r.hair, fill(tab_fill).edged(tones.outline, r.hair * 0.7));
        let letter = th * 0.86;
        if letter >= 4.5 {
            let words = Words::new(letter, tab_ink).bold().anchor(Anchor::Middle);
            svg.words(style.prefix, &tab.letter.to_string(), (x + tw / 2.0, below + th * 0.82), words);
        }
        left_free = r.room > r.end * 1.6;
    }
    if base.grade != Chevron::None {
        let s = (r.end * 0.32).min(r.room * 0.3);
        let (y, dy) = match base.grade {
            Chevron::Down => (-r.room * 0.32, s * 0.7),
            Chevron::Up | Chevron::None => (-r.room * 0.32 + s * 0.7, -s * 0.7),
        };
        let x = -middle_of_end;
        let d = format!("M{} {}L{} {}L{} {}", num(x - s), num(y), num(x), num(y + dy), num(x + s), num(y));
        svg.path(
            &d,
            line(tones.outline, r.hair * 3.4).with("stroke-linecap=\"round\" stroke-linejoin=\"round\""),
        );
        svg.path(
            &d,
            line(tones.plate, r.hair * 1.9).with("stroke-linecap=\"round\" stroke-linejoin=\"round\""),
        );
        left_free = left_free && r.room > r.end * 1.3;
    }
    if left_free && readable && style.codes && !base.code.is_empty() {
        let words = Words::new(size, r.text).bold().anchor(Anchor::Middle).halo(ground, size * 0.22);
        svg.words(style.prefix, &base.code, (-middle_of_end, size * 0.36), words);
    }
    let mut number_ink = r.text;
    let mut number_halo = ground;
    if base.general {
        banner(svg, style, middle_of_end, (r.end * 0.84).min(r.w * 0.3), r.room * 0.9, r.hair);
        (number_ink, number_halo) = (tones.sign, tones.plate);
    }
    if readable && style.codes && !base.number.is_empty() {
        let (x, y, size) = if base.general {
            (middle_of_end + r.end * 0.03, -r.room * 0.02, (size * 0.72).min(r.room * 0.5))
        } else {
            (middle_of_end, size * 0.36, size)
        };
        if size >= 4.5 {
            let words =
                Words::new(size, number_ink).bold().anchor(Anchor::Middle).halo(number_halo, size * 0.2);
            svg.words(style.prefix, &base.number, (x, y), words);
        }
    }
}

/// A general's banner: a swallow-tailed flag on a pole.
fn banner(svg: &mut Svg, style: &Style, x: f64, w: f64, h: f64, hair: f64) {
    let tones = style.theme.tones();
    let (pole, top, bottom) = (x - w * 0.44, -h * 0.48, h * 0.48);
    let flag = h * 0.62;
    svg.segment(
        (pole, top),
        (pole, bottom),
        line(tones.outline, hair * 3.0).with("stroke-linecap=\"round\""),
    );
    svg.segment((pole, top), (pole, bottom), line(tones.plate, hair * 1.1).with("stroke-linecap=\"round\""));
    let right = pole + w * 0.94;
    let d = format!(
        "M{0} {1}H{2}L{3} {4}L{2} {5}H{0}Z",
        num(pole),
        num(top),
        num(right),
        num(right - w * 0.2),
        num(top + flag / 2.0),
        num(top + flag)
    );
    svg.path(&d, fill(tones.plate).edged(tones.outline, hair * 1.2).with("stroke-linejoin=\"round\""));
}

/// A Stronghold or baggage: walls with towers at the corners.
pub(crate) fn stronghold(svg: &mut Svg, map: &Map, style: &Style, s: &Stronghold) {
    let tones = style.theme.tones();
    let (w, d) = ((s.width * map.k).max(2.0), (s.depth * map.k).max(2.0));
    let hair = (w / 60.0).clamp(0.5, 1.4);
    open_at(
        svg,
        map,
        s.pose,
        if s.lost { "class=\"stronghold\" opacity=\"0.6\"" } else { "class=\"stronghold\"" },
    );
    svg.title(&s.label);
    let wall = (w.min(d) * 0.11).max(hair);
    svg.rect([-w / 2.0, 0.0, w, d], 0.0, fill(&side_fill(style.prefix, s.side)).edged(tones.outline, hair));
    let courtyard = [-w / 2.0 + wall, wall, w - wall * 2.0, d - wall * 2.0];
    svg.rect(courtyard, hair, fill(tones.plate).edged(tones.outline, hair * 0.8));
    let tower = w.min(d) * 0.22;
    for (x, y) in
        [(-w / 2.0, 0.0), (w / 2.0 - tower, 0.0), (-w / 2.0, d - tower), (w / 2.0 - tower, d - tower)]
    {
        let (ground, _, _) = style.theme.side(s.side);
        svg.rect([x, y, tower, tower], hair, fill(ground).edged(tones.outline, hair));
    }
    let size = (w.min(d) - wall * 2.0) * 0.78;
    let turn = if upside_down(s.pose.heading) { 180.0 } else { 0.0 };
    svg.open(&format!("transform=\"translate(0 {}) rotate({})\"", num(d / 2.0), num(turn)));
    Glyph::Stronghold.put(svg, style.prefix, (0.0, 0.0), size);
    if s.lost {
        let r = size * 0.62;
        let d = format!("M-{r} -{r}L{r} {r}M{r} -{r}L-{r} {r}", r = num(r));
        svg.path(&d, line(tones.danger, hair * 3.0).with("stroke-linecap=\"round\""));
    }
    svg.close();
    svg.close();
}

/// The outline of a base that is not there.
pub(crate) fn ghost(
    svg: &mut Svg,
    map: &Map,
    style: &Style,
    pose: Pose,
    (width, depth): (f64, f64),
    side: usize,
) {
    let (w, d) = ((width * map.k).max(1.0), (depth * map.k).max(1.0));
    let hair = (w / 60.0).clamp(0.6, 1.4);
    let colour = style.theme.side_line(side);
    let tones = style.theme.tones();
    open_at(svg, map, pose, "class=\"ghost\"");
    svg.rect(
        [-w / 2.0, 0.0, w, d],
        0.0,
        fill(tones.plate).edged(tones.plate, hair * 2.6).with("fill-opacity=\"0.25\" stroke-opacity=\"0.5\""),
    );
    let dashes = format!("stroke-dasharray=\"{} {}\"", num(hair * 4.0), num(hair * 2.6));
    svg.rect([-w / 2.0, 0.0, w, d], 0.0, line(colour, hair * 1.4).with(&dashes));
    svg.segment((-w / 2.0, 0.0), (w / 2.0, 0.0), line(colour, hair * 2.4));
    svg.close();
}

/// The mark on a base's place where a frog sits.
pub(crate) fn frog(svg: &mut Svg, map: &Map, style: &Style, base: &Base) {
    let tones = style.theme.tones();
    let (x, y) = map.at(middle(base.pose, base.depth));
    let r = (base.width * map.k * 0.24).max(4.0);
    let (ground, _, text) = style.theme.side(base.side);
    svg.open("class=\"frog\"");
    svg.title(&base.about);
    svg.circle((x, y), r, fill(ground).edged(tones.outline, r * 0.1).with("stroke-dasharray=\"3 2\""));
    // A frog from above: body, head with two eyes, four legs.
    svg.open(&format!(
        "transform=\"translate({} {}) scale({})\" fill=\"{text}\" stroke=\"{text}\" stroke-linecap=\"round\" \
         stroke-linejoin=\"round\"",
        num(x),
        num(y),
        crate::svg::fine(r / 15.0)
    ));
    svg.raw("<path d=\"M0 -8Q6 -6 5 2Q4 7 0 7Q-4 7 -5 2Q-6 -6 0 -8Z\"/>");
    svg.raw("<path d=\"M-3.4 -8.2a2 2 0 1 0 .01 0ZM3.4 -8.2a2 2 0 1 0 .01 0Z\"/>");
    svg.raw(
        "<path d=\"M-4 -1L-8.6 -2.6L-9.6 -6M4 -1L8.6 -2.6L9.6 -6M-3.6 4L-8.6 2.6L-7 8.6L-10 9.6M3.6 4L8.6 2.6L7 \
         8.6L10 9.6\" fill=\"none\" stroke-width=\"2\"/>",
    );
    svg.close();
    svg.close();
}
