//! Questions about a state (`muster case`, `muster odds heroes`): what is the sum and why, what does a shooter need, who is
//! under command and by which chain, what breaks if a unit goes.

use crate::bound::depends_on;
use crate::command::{Command, Group, find_general, find_unit};
use crate::control::{self, Link};
use crate::hex::{Facing, Hex};
use crate::melee;
use crate::moves::Walk;
use crate::odds;
use crate::owed;
use crate::pairing;
use crate::play;
use crate::reach::{reach, steps};
use crate::retreat::{Retreat, result_on};
use crate::shoot;
use crate::state::{NOBODY, State, bits};
use crate::table::{Side, Table};
use crate::tables::Class;
use crate::ways;
use crate::zones;
use game::{Problem, Stop};

const KINDS: &[&str] = &[
    "answer",
    "points",
    "score",
    "odds",
    "need",
    "shots",
    "dice",
    "result",
    "effect",
    "command",
    "commanded",
    "wall",
    "zone",
    "reach",
    "turn",
    "pairings",
    "depends",
    "lost",
    "may",
    "static",
    "impact",
    "stands",
    "sight",
    "general",
    "owes",
    "breaks",
    "now",
    "ways",
    "ranges",
    "threat",
    "fire",
    "arc",
    "factors",
    "pair",
];

/// Answers a question.
///
/// # Errors
/// What could not be read, with what can.
pub fn ask(t: &Table, s: &State, question: &str) -> Result<Vec<String>, Problem> {
    let words: Vec<&str> = question.split_whitespace().collect();
    let Some((&kind, rest)) = words.split_first() else {
        return Err(Problem::new("no question").hint(format!("questions begin with {}", KINDS.join(", "))));
    };
    let one = |n: usize| -> Result<u8, Problem> {
        let word = rest.get(n).ok_or_else(|| Problem::new("a unit is wanted"))?;
        find_unit(t, word).ok_or_else(|| {
            Problem::new(format!("no unit is called {word}"))
                .meant(word, t.pieces.iter().map(|p| p.label.as_str()))
        })
    };
    let placed = |n: usize| -> Result<u8, Problem> {
        let u = one(n)?;
        if s.unit(u).hex.on() {
            Ok(u)
        } else {
            Err(Problem::new(format!("{} is not on the table", t.label(u))))
        }
    };
    let side = |n: usize| -> Result<Side, Problem> {
        match rest.get(n) {
            Some(&"A" | &"a") => Ok(Side::A),
            Some(&"B" | &"b") => Ok(Side::B),
            _ => Err(Problem::new("a side is wanted: A or B")),
        }
    };
    let names = |mask: u64| bits(mask).map(|u| t.label(u).to_owned()).collect::<Vec<_>>();
    match kind.to_ascii_lowercase().as_str() {
        // HH-046: what stands for a retreat is the way that disturbs the fewest friends.
        "answer" => match crate::owed::due(t, s) {
            crate::owed::Due::Retreat(_) if rest.first() == Some(&"fewest") => {
                Ok(crate::owed::usual_retreat(t, s).map(|c| c.text(t)).into_iter().collect())
            }
            _ => Ok(Vec::new()),
        },
        "points" => {
            if let Some(g) = rest.first().and_then(|w| find_general(t, w)) {
                return Ok(vec![format!("points {}", t.leaders[usize::from(g)].points2 / 2)]);
            }
            let cost = t.profile(one(0)?).cost(&t.rules);
            let mut out = vec![format!("points {}", cost.total)];
            out.extend(cost.parts.iter().map(|(what, n)| format!("part {what} {n}")));
            Ok(out)
        }
        "score" => {
            let (a, b) = groups(t, rest)?;
            let score = melee::score(t, s, a.mask(), b.mask());
            let mut out = vec![format!("score {} {}d6", score.sum, score.dice)];
            for p in score.parts {
                let who = if p.unit == NOBODY { "all" } else { t.label(p.unit) };
                out.push(format!("factor {who} {} {} {}", p.rule, p.value, p.what));
            }
            Ok(out)
        }
        "now" => Ok(ways::now(t, s)),
        "ways" => match rest.first() {
            Some(word) => ways::ways(t, s, word, &by_hexes(t, &rest[1..])?),
            None => Err(Problem::new(
                "ways PIECE, like: ways A.Leg1; by a path of one's own: ways A.Leg1 by C5 D5",
            )),
        },
        "ranges" => Ok(ways::ranges(t, s, side(0)?)),
        "threat" => Ok(ways::threat(t, s, side(0)?)),
        "fire" => Ok(ways::fire(t, s, side(0)?)),
        "arc" => Ok(ways::arc_of(t, s, placed(0)?)),
        "pair" => Ok(pairing::propose(t, s)),
        "factors" if rest.iter().any(|w| w.eq_ignore_ascii_case("suppress")) => {
            let at = rest.iter().position(|w| w.eq_ignore_ascii_case("suppress")).unwrap_or(0);
            let target = unit_list(t, &rest[at + 1..])?;
            Ok(pairing::suppression(t, s, &unit_list(t, &rest[..at])?, target.ids()[0]))
        }
        "factors" | "odds" if with_general(t, rest).is_some() => {
            let (own, e) = with_general(t, rest).unwrap_or((&[], 0));
            let told = match own.first().and_then(|w| find_general(t, w)) {
                Some(g) => pairing::duel(t, s, g, e),
                None => pairing::attack(t, s, &unit_list(t, own)?, e),
            };
            if kind.eq_ignore_ascii_case("factors") {
                return Ok(told);
            }
            // without the side that it befalls, as other odds are told
            let plain = |l: &String| {
                let mut w = l.strip_prefix("chance ")?.splitn(3, ' ');
                let (n, _, words) = (w.next()?, w.next()?, w.next()?);
                Some(format!("chance {n} {words}"))
            };
            Ok(told.iter().filter_map(plain).collect())
        }
        "odds" => {
            if rest.iter().any(|w| w.eq_ignore_ascii_case("at")) {
                let (shooters, target) = at_groups(t, rest)?;
                return Ok(odds::shooting(t, s, &shooters, target).lines(t));
            }
            let (a, b) = groups(t, rest)?;
            Ok(odds::melee(t, s, a.mask(), b.mask()).lines(t))
        }
        "factors" if rest.iter().any(|w| w.eq_ignore_ascii_case("at")) => {
            let (shooters, target) = at_groups(t, rest)?;
            Ok(ways::shots(t, s, &shooters, target))
        }
        "factors" => {
            let (a, b) = groups(t, rest)?;
            Ok(ways::combat(t, s, &a, &b))
        }
        "need" => {
            let (group, target) = at_groups(t, rest)?;
            let mut out = Vec::new();
            for &u in group.ids() {
                if let Err(e) = shoot::may_shoot(t, s, u, target) {
                    out.push(format!("cannot {} {}", t.label(u), e.rule));
                    out.push(format!("why {}", e.text(t)));
                }
                let shot = shoot::shot(t, s, u, target);
                let scores: Vec<String> =
                    shot.scores.iter().filter(|&&x| x <= 12).map(|x| format!("{x}+")).collect();
                out.push(format!("need {} {} dice {}", t.label(u), scores.join(" "), shot.dice));
                out.extend(shot.parts.iter().map(|(r, what, n)| format!("part {r} {n} {what}")));
            }
            Ok(out)
        }
        "shots" => {
            let target = placed(0)?;
            Ok(names(shoot::shooters(t, s, target)).into_iter().map(|n| format!("shooter {n}")).collect())
        }
        "dice" => Ok(vec![format!("dice {}", shoot::dice_of(t, s, placed(0)?))]),
        "result" => {
            let hits = rest.first().and_then(|w| w.parse::<i16>().ok());
            let class = rest.get(1).and_then(|w| Class::read(w));
            match (hits, class) {
                (Some(h), Some(c)) => Ok(vec![format!("result {}", t.rules.result(h, c).text())]),
                _ => Err(Problem::new("result HITS CLASS, like: result 3 C")),
            }
        }
        "effect" => {
            let u = placed(0)?;
            let hits = rest
                .get(1)
                .and_then(|w| w.parse::<i16>().ok())
                .ok_or_else(|| Problem::new("effect UNIT HITS"))?;
            let r = result_on(t, s, u, hits, false);
            let how = match r.retreat {
                Retreat::None => "stays",
                Retreat::Recoil => "recoils",
                Retreat::Flee => "flees",
                Retreat::Stampede => "stampedes",
                Retreat::Lost => "lost",
            };
            let left = s.unit(u).stands.saturating_sub(r.lost);
            let how = if left <= t.rules.removed_at { "removed" } else { how };
            let disrupted = if r.disrupted { " disrupted" } else { "" };
            let mut out = vec![format!("effect {how}{disrupted} left {left}")];
            if let Some(rule) = r.spared {
                out.push(format!("spared {rule}"));
            }
            Ok(out)
        }
        "command" => {
            let u = placed(0)?;
            let links = control::chain(t, s, u);
            if links.is_empty() {
                return Ok(vec!["command no".to_owned()]);
            }
            let mut via = String::new();
            for l in links {
                via.push(' ');
                via.push_str(match l {
                    Link::General(g) => t.leader_label(g),
                    Link::Unit(u) => t.label(u),
                });
            }
            Ok(vec![format!("command yes{via}")])
        }
        "commanded" => {
            let mut out = vec!["commanded".to_owned()];
            for n in names(control::under_command(t, s, side(0)?)) {
                out[0].push_str(&format!(" {n}"));
            }
            Ok(out)
        }
        "wall" => {
            Ok(vec![format!("wall {}", if zones::in_shield_wall(t, s, placed(0)?) { "yes" } else { "no" })])
        }
        "zone" => {
            let z = zones::zone(t, s, side(0)?);
            Ok(z.iter().map(|h| format!("zone {}", t.hex(h))).collect())
        }
        "reach" => {
            let u = placed(0)?;
            let walk = Walk::new(t, s, u);
            let mut hexes: Vec<(Hex, bool)> =
                reach(&walk, walk.begin(false)).iter().map(|r| (r.end.hex, walk.caught(&r.end))).collect();
            steps(&walk, false, |_, _, _, c| hexes.push((c.hex, walk.caught(&c))));
            hexes.sort();
            hexes.dedup();
            // where it is stopped, and by whom
            let holds = |h| names(zones::adjacent(t, s, t.side(u).other(), h)).join(" ");
            Ok(hexes
                .into_iter()
                .map(|(h, stop)| match stop {
                    true => format!("reach {} zone {}", t.hex(h), holds(h)),
                    false => format!("reach {}", t.hex(h)),
                })
                .collect())
        }
        "turn" => {
            let u = placed(0)?;
            let to = rest.get(1).and_then(|w| Facing::read(w)).ok_or_else(|| {
                Problem::new("turn UNIT POINT").hint("n, ne, se, s, sw, nw, or along a road road-e and so on")
            })?;
            let points = s.unit(u).facing.points_to(to);
            let cost = if points > 1 { t.rules.turn_cost } else { 0 };
            Ok(vec![format!("turn {points} points costs {cost}")])
        }
        "pairings" => {
            let mut all = Vec::new();
            melee::candidates(t, s, &mut all);
            let mut out = Vec::new();
            for c in &all {
                let Command::Fight(a, b) = c else { continue };
                let (x, m) = melee::sum_of(t, s, a.mask(), b.mask());
                let (y, n) = melee::sum_of(t, s, b.mask(), a.mask());
                // who is in contact with one of them and does not take part
                let around = bits(a.mask() | b.mask()).fold(0, |m, u| m | zones::enemies_of(t, s, u));
                let out_of_it = names(around & !(a.mask() | b.mask())).join(" ");
                let out_of_it = if out_of_it.is_empty() { "nobody".to_owned() } else { out_of_it };
                out.push(format!(
                    "pairing {} : {x} and {m}d6 against {y} and {n}d6, leaves out {out_of_it}",
                    c.text(t).trim_start_matches("fight ")
                ));
            }
            Ok(out)
        }
        "depends" => {
            let (command, wall) = depends_on(t, s, placed(0)?);
            let mut out: Vec<String> = names(command).into_iter().map(|n| format!("command {n}")).collect();
            out.extend(names(wall).into_iter().map(|n| format!("wall {n}")));
            Ok(out)
        }
        "lost" => {
            let x = side(0)?;
            let points2 = s.lost_points2(t, x);
            let half = if points2 % 2 == 1 { ".5" } else { "" };
            Ok(vec![
                format!("lost stands {} of {}", s.lost_stands(t, x), t.stands[x.ix()]),
                format!("lost points {}{half}", points2 / 2),
            ])
        }
        "breaks" => {
            let x = side(0)?;
            let all = u32::from(t.stands[x.ix()]);
            let at = crate::view::breaks_at(t, s, x);
            Ok(vec![format!("breaks at {at} of {all}")])
        }
        "may" => {
            let text = rest.join(" ");
            let by = owed::owner(t, s);
            let command = Command::parse(t, s, by, &text).map_err(|e| Problem::new(e.what).hint(e.hint))?;
            let mut copy = *s;
            match play::apply(t, &mut copy, by, &command, &mut dice::Fixed(3), None) {
                Ok(()) => Ok(vec!["may yes".to_owned()]),
                Err(Stop::Refused(r)) => {
                    let mut out = vec![format!("may no {}", r.rule), format!("why {}", r.text(t))];
                    out.extend(crate::advice::instead(t, s, by, &command).map(|x| format!("instead {x}")));
                    Ok(out)
                }
                Err(Stop::Dice(_)) => Ok(vec!["may yes".to_owned()]),
            }
        }
        "static" => {
            let (a, b) = (placed(0)?, placed(1)?);
            Ok(vec![format!("static {}", if melee::is_static(t, s, a, b) { "yes" } else { "no" })])
        }
        "impact" => {
            let a = placed(0)?;
            match rest.get(1) {
                Some(_) => Ok(vec![format!("impact {}", melee::impact_of(t, s, a, 1 << placed(1)?))]),
                None => Ok(vec![format!("impact {}", melee::impact_by_strength(t, s, a))]),
            }
        }
        "stands" => Ok(vec![format!("stands {}", melee::stands_of(t, s, placed(0)?))]),
        "sight" => {
            let (a, b) = (placed(0)?, placed(1)?);
            let from = s.unit(a).hex;
            let to = s.unit(b).hex;
            Ok(vec![match crate::sight::blocked_by(t, s, t.side(a), t.profile(a).shooting, from, to) {
                None => "sight yes".to_owned(),
                Some(h) => format!("sight no {}", t.hex(h)),
            }])
        }
        "general" => {
            let g = rest
                .first()
                .and_then(|w| find_general(t, w))
                .ok_or_else(|| Problem::new("a general is wanted"))?;
            let it = s.generals[usize::from(g)];
            let what = if it.lost {
                "lost".to_owned()
            } else if s.alone(g) {
                format!("alone {}", t.hex(it.hex))
            } else {
                format!("with {} {}", t.label(s.who(it.hex)), t.hex(it.hex))
            };
            Ok(vec![format!("general {what}")])
        }
        "owes" => Ok(vec![match owed::owner(t, s) {
            Some(x) => format!("owes {}", x.letter()),
            None => "owes nobody".to_owned(),
        }]),
        other => Err(Problem::new(format!("no such question: {other}")).meant(other, KINDS.iter().copied())),
    }
}

fn unit_list(t: &Table, words: &[&str]) -> Result<Group, Problem> {
    let mut g = Group::EMPTY;
    for w in words {
        let u = find_unit(t, w).ok_or_else(|| {
            Problem::new(format!("no unit is called {w}")).meant(w, t.pieces.iter().map(|p| p.label.as_str()))
        })?;
        if !g.push(u) {
            return Err(Problem::new("too many units"));
        }
    }
    if g.ids().is_empty() { Err(Problem::new("units are wanted")) } else { Ok(g) }
}

/// `A.Leg1 A.Leg2 with B.War1`.
fn groups(t: &Table, words: &[&str]) -> Result<(Group, Group), Problem> {
    let at = words
        .iter()
        .position(|w| w.eq_ignore_ascii_case("with") || w.eq_ignore_ascii_case("v"))
        .ok_or_else(|| Problem::new("`with` is wanted between the two sides").hint("A.Leg1 with B.War1"))?;
    Ok((unit_list(t, &words[..at])?, unit_list(t, &words[at + 1..])?))
}

/// `A.Leg1 with B.Gen1`: the words before, and the general of the other side who is named after.
fn with_general<'a, 'b>(t: &Table, words: &'b [&'a str]) -> Option<(&'b [&'a str], u8)> {
    let at = words.iter().position(|w| w.eq_ignore_ascii_case("with") || w.eq_ignore_ascii_case("v"))?;
    Some((&words[..at], find_general(t, words.get(at + 1)?)?))
}

/// `by C5 D5`: hexes of a path.
fn by_hexes(t: &Table, words: &[&str]) -> Result<Vec<Hex>, Problem> {
    match words.split_first() {
        None => Ok(Vec::new()),
        Some((by, hexes)) if by.eq_ignore_ascii_case("by") => {
            hexes.iter().map(|w| t.map.grid.read(w).map_err(Problem::new)).collect()
        }
        Some((other, _)) => {
            Err(Problem::new(format!("`{other}`: after the piece `by` and hexes, or nothing")))
        }
    }
}

/// `A.Arc1 A.Arc2 at B.Kni1`.
fn at_groups(t: &Table, words: &[&str]) -> Result<(Group, u8), Problem> {
    let at = words
        .iter()
        .position(|w| w.eq_ignore_ascii_case("at"))
        .ok_or_else(|| Problem::new("`at` is wanted before the target").hint("A.Arc1 at B.Kni1"))?;
    let target = unit_list(t, &words[at + 1..])?;
    Ok((unit_list(t, &words[..at])?, target.ids()[0]))
}
