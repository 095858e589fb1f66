//! Bases and strongholds: true size and facing, the front edge heavy, the sign on a plate.

use crate::Glyph;
use crate::geometry::{Map, middle};
use crate::model::{Base, Chevron, CommandTab, Mark, Pose, Stronghold};
use crate::palette::{COMMANDS, side_fill};
use crate::picture::Style;
use crate::svg::{Anchor, Svg, Words, fill, line, num};
use crate::text::{Weight, width};

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
    svg.rect([-w / 2.0, 0.0, w, bar], 0.0, fill(tones.front.0));
    let notch = (bar * 1.7).min(d * 0.2);

    // What stands on it, upright for the reader, in the room behind the front.
    let flipped = upside_down(base.pose.heading);
    let is_deep = d - bar > w * 0.72;
    let front = if is_deep { notch } else { bar };
    let room = d - front;
    let turn = if flipped { " rotate(180)" } else { "" };
    svg.open(&format!("transform=\"translate(0 {}){turn}\"", num(front + room / 2.0)));
    let inset = (room * 0.06).clamp(0.4, 2.5);
    let space = Room { w, room, inset, hair, flipped };
    if is_deep {
        deep(svg, style, base, &space)
    } else {
        shallow(svg, style, base, &space)
    }
    svg.close();

    if base.marks.contains(&Mark::Disrupted) {
        svg.open(&format!("transform=\"rotate(7 0 {})\"", num(d / 2.0)));
        svg.rect([-w / 2.0, 0.0, w, d], 0.0, line(tones.danger, hair * 1.6).with("stroke-dasharray=\"4 3\""));
        svg.close();
    }
    svg.rect([-w / 2.0, 0.0, w, d], 0.0, line(tones.outline, hair));
    let tip = format!("M0 {}L{1} {2}H-{1}Z", num(hair * 0.6), num(notch * 0.85), num(notch));
    svg.path(&tip, fill(tones.front.1).edged(tones.front.0, hair * 0.7).with("stroke-linejoin=\"round\""));
    svg.close();
}

/// The room on a base behind its front bar, its middle being the origin.
struct Room {
    w: f64,
    room: f64,
    inset: f64,
    hair: f64,
    flipped: bool,
}

/// The largest size up to `most` at which the words are no wider than the room.
fn fitted(words: &str, most: f64, room: f64) -> f64 {
    let unit = width(words, 1.0, Weight::Bold);
    if unit > 0.0 { most.min(room / unit) } else { most }
}

/// Letters smaller than this say nothing.
const READABLE: f64 = 5.5;

fn plate(svg: &mut Svg, style: &Style, base: &Base, (x, y): (f64, f64), (w, h): (f64, f64)) {
    svg.rect([x - w / 2.0, y - h / 2.0, w, h], h * 0.16, fill(style.theme.tones().plate));
    base.glyph.put(svg, style.prefix, (x, y), h * 0.92);
}

/// A shallow base: the sign in the middle, code, command and grade to its left, number and banner to its right.
fn shallow(svg: &mut Svg, style: &Style, base: &Base, r: &Room) {
    let tones = style.theme.tones();
    let (ground, _, text) = style.theme.side(base.side);
    let high = (r.room - r.inset * 2.0).min(r.w * 0.5);
    let wide = high.max((r.w * 0.3).min(high * 1.25));
    plate(svg, style, base, (0.0, 0.0), (wide, high));
    let end = (r.w - wide) / 2.0;
    let middle = (wide + end) / 2.0;
    let most = r.room * 0.62;

    // On the left: the tab along the rear edge, above it the chevron, or the code where neither needs the room.
    let mut free = (-r.room / 2.0, r.room / 2.0);
    if let Some(letter) = base.command {
        let high = (r.room * 0.44).max(r.hair * 3.0).min(end);
        let (top, rest) = if r.flipped {
            (-r.room / 2.0, (-r.room / 2.0 + high, r.room / 2.0))
        } else {
            (r.room / 2.0 - high, (-r.room / 2.0, r.room / 2.0 - high))
        };
        free = rest;
        tab(svg, style, letter, [-r.w / 2.0 + r.hair * 0.5, top, end * 0.9, high], r.hair);
    }
    if base.grade != Chevron::None {
        let s = (end * 0.3).min((free.1 - free.0) * 0.32);
        let x = if base.command.is_some() || free.1 - free.0 < end { -middle } else { -r.w / 2.0 + s * 1.5 };
        chevron(svg, style, base.grade, (x, (free.0 + free.1) / 2.0), s, r.hair);
    } else if style.codes && !base.code.is_empty() {
        let size = fitted(&base.code, most.min((free.1 - free.0) * 0.8), end * 0.86);
        if size >= READABLE {
            let words = Words::new(size, text).bold().anchor(Anchor::Middle).halo(ground, size * 0.22);
            svg.words(style.prefix, &base.code, (-middle, (free.0 + free.1) / 2.0 + size * 0.36), words);
        }
    }
    if base.general {
        let size = fitted(&base.number, r.room * 0.46, end * 0.5);
        banner(svg, style, (middle, 0.0), (end * 0.86, (r.room * 0.9).min(end * 1.5)), r.hair);
        if style.codes && size >= READABLE * 0.9 {
            let words = Words::new(size, tones.sign).bold().anchor(Anchor::Middle);
            svg.words(style.prefix, &base.number, (middle - end * 0.03, size * 0.16), words);
        }
    } else if style.codes && !base.number.is_empty() {
        // Not much larger than the code: they are read as one.
        let size = fitted(&base.number, fitted(&base.code, most, end * 0.86) * 1.2, end * 0.8);
        if size >= READABLE {
            let words = Words::new(size, text).bold().anchor(Anchor::Middle).halo(ground, size * 0.22);
            svg.words(style.prefix, &base.number, (middle, size * 0.36), words);
        }
    }
}

/// A deep base: the sign above, code and number below it, tab and chevron left, banner right.
fn deep(svg: &mut Svg, style: &Style, base: &Base, r: &Room) {
    let (ground, _, text) = style.theme.side(base.side);
    let words = format!("{} {}", base.code, base.number);
    let words = words.trim();
    let line_room = (r.w * 0.3).min(r.room * 0.3);
    // The words keep clear of the tab.
    let tab_room = if base.command.is_some() { r.w * 0.17 } else { 0.0 };
    let size = fitted(words, line_room * 0.86, (r.w - tab_room) * 0.8);
    let written = style.codes && size >= READABLE && !words.is_empty();
    let under = if written { size * 1.15 } else { 0.0 };
    let high = (r.room - under - r.inset * 2.0).min(r.w * 0.64);
    let top = -(high + under) / 2.0;
    let y = top + high / 2.0;
    // A general's sign makes room for his banner.
    let x = if base.general { -(r.w - high) * 0.2 } else { 0.0 };
    plate(svg, style, base, (x, y), (high, high));
    let left = (r.w + 2.0 * x - high) / 2.0;
    if let Some(letter) = base.command {
        let wide = r.w * 0.19;
        let high = (wide * 1.1).min(r.room * 0.3);
        let top = if r.flipped { -r.room / 2.0 } else { r.room / 2.0 - high };
        tab(svg, style, letter, [-r.w / 2.0 + r.hair * 0.5, top, wide, high], r.hair);
    }
    if base.grade != Chevron::None {
        let s = (left * 0.34).max(r.hair * 2.0);
        chevron(svg, style, base.grade, (-r.w / 2.0 + left / 2.0, y), s, r.hair);
    }
    if base.general {
        let room = (r.w - high) / 2.0 - x;
        banner(svg, style, (r.w / 2.0 - room / 2.0, y), (room * 0.84, high.min(room * 1.9)), r.hair);
    }
    if written {
        let look = Words::new(size, text).bold().anchor(Anchor::Middle).halo(ground, size * 0.22);
        svg.words(style.prefix, words, (tab_room / 2.0, top + high + size * 0.98), look);
    }
}

/// The tab of a command on the rear edge.
fn tab(svg: &mut Svg, style: &Style, command: CommandTab, [x, y, w, h]: [f64; 4], hair: f64) {
    let (tab_fill, tab_ink) = COMMANDS[command.colour % COMMANDS.len()];
    svg.rect([x, y, w, h], 0.0, fill(tab_fill).edged(style.theme.tones().outline, hair * 0.7));
    let size = h * 0.92;
    if size >= READABLE * 0.8 {
        let words = Words::new(size, tab_ink).bold().anchor(Anchor::Middle);
        svg.words(style.prefix, &command.letter.to_string(), (x + w / 2.0, y + h / 2.0 + size * 0.36), words);
    }
}

/// Elite or Levy.
fn chevron(svg: &mut Svg, style: &Style, grade: Chevron, (x, y): (f64, f64), s: f64, hair: f64) {
    let tones = style.theme.tones();
    let rise = match grade {
        Chevron::Up => s * 0.45,
        Chevron::Down => -s * 0.45,
        Chevron::None => return,
    };
    let d = format!(
        "M{} {}L{} {}L{} {}",
        num(x - s),
        num(y + rise),
        num(x),
        num(y - rise),
        num(x + s),
        num(y + rise)
    );
    let round = "stroke-linecap=\"round\" stroke-linejoin=\"round\"";
    svg.path(&d, line(tones.outline, hair * 4.4).with(round));
    svg.path(&d, line(tones.plate, hair * 2.6).with(round));
}

/// A general's banner: a swallow-tailed flag on a pole, in a box about a point.
fn banner(svg: &mut Svg, style: &Style, (x, y): (f64, f64), (w, h): (f64, f64), hair: f64) {
    let tones = style.theme.tones();
    let (pole, top, bottom) = (x - w * 0.44, y - h * 0.48, y + h * 0.48);
    let flag = h * 0.66;
    let round = "stroke-linecap=\"round\"";
    svg.segment((pole, top), (pole, bottom), line(tones.outline, hair * 3.0).with(round));
    svg.segment((pole, top), (pole, bottom), line(tones.plate, hair * 1.1).with(round));
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
    svg.path(&d, fill(tones.banner).edged(tones.outline, hair * 1.2).with("stroke-linejoin=\"round\""));
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
