//! What happens, for people: typed, with the rule where one decides; made into sentences at the edge.

use crate::hex::{Facing, Hex};
use crate::options::Setting;
use crate::state::{Formation, Outcome, Phase, Reply};
use crate::table::{Side, Table};
use crate::tables::{Cell, Effect};
use rulebook::{RuleId, rule};

/// One thing that happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// A roll-off for order, edge or first move (HH-036, HH-038).
    RollOff(u8, u8),
    /// Who chooses, or is chosen, to deploy first.
    DeploysFirst(Side),
    /// Whose own edge is the lower one.
    South(Side),
    /// A unit was placed.
    Placed(u8, Hex, Facing, Formation),
    /// A general was placed.
    Stationed(u8, Hex),
    /// A unit was taken back in deployment: another stands where it stood.
    Waits(u8),
    /// A general was.
    WaitsToo(u8),
    /// A bound begins.
    Bound(u16, Side),
    /// A phase begins.
    Phase(Phase),
    /// Units under command, as a mask (HH-042).
    Command(u64),
    /// A general moved.
    Led(u8, Hex),
    /// Single combat: challenger, challenged, their totals (HH-074).
    Duel(u8, u8, u8, u8),
    /// A general was lost.
    Fell(u8),
    /// A unit moved by its own will, to a hex.
    Moved(u8, Hex),
    /// A unit turned.
    Turned(u8, Facing),
    /// A unit changed formation.
    Formed(u8, Formation),
    /// A unit came into contact with another (HH-134).
    Contact(u8, u8),
    /// A unit evaded (HH-135).
    Evaded(u8, Hex),
    /// A unit fled of its own will (HH-138).
    Withdrew(u8, Hex),
    /// An independent general escaped (HH-067).
    Escaped(u8, Hex),
    /// Pavises dropped.
    Dropped(u8),
    /// Stakes planted.
    Planted(u8),
    /// Stands went from one unit to another (HH-100).
    Combined(u8, u8, u8),
    /// Three pike units became two blocks (HH-119).
    Merged(u8, u8, u8),
    /// Two blocks became three pike units (HH-120).
    Split(u8, u8, u8),
    /// Riders dismounted (HH-129).
    Dismounted(u8),
    /// A unit rallied (HH-241).
    Rallied(u8),
    /// A unit was disrupted, and by which rule.
    Disrupted(u8, RuleId),
    /// A unit shot: target, score needed (0 for artillery), dice thrown, hits.
    Shot(u8, u8, u8, u8, u8),
    /// A unit was suppressed (HH-175).
    Suppressed(u8),
    /// A unit holds its fire (HH-182), or no more (HH-183).
    Holds(u8, bool),
    /// Scores of a combat: the leading units of both sides and their totals (HH-197).
    Fought(u8, u8, i16, i16),
    /// An independent general was attacked: his total and theirs (HH-067).
    Attacked(u8, i16, i16),
    /// Hits on a unit and what they do.
    Hit(u8, i16, Cell),
    /// A result that had no or less effect, and why.
    Spared(u8, RuleId),
    /// A unit lost stands.
    Lost(u8, u8),
    /// A unit was removed, and why.
    Removed(u8, RuleId),
    /// A unit recoiled.
    Recoiled(u8, Hex),
    /// A unit was pushed or displaced.
    Pushed(u8, Hex),
    /// A unit fled to a hex.
    Fled(u8, Hex),
    /// Elephants ran: the die, and where.
    Stampeded(u8, u8, Hex),
    /// A winner followed up.
    Followed(u8, Hex),
    /// A winner stayed.
    Stayed(u8),
    /// A winner pursued to a hex.
    Pursued(u8, Hex),
    /// Nobody moved: static combat (HH-213).
    Static(u8, u8),
    /// A general was put into another hex (HH-010).
    Aside(u8, Hex),
    /// An army broke (HH-256).
    Broke(Side, u16, u16),
    /// The battle ended.
    End(Outcome),
    /// A standing reply was given: its owner's secret.
    Standing(u8, Reply),
    /// A standing reply was used.
    Replied(u8),
    /// The unit whose factor and impact count for its side (HH-204).
    Counts(u8),
    /// Something was ruled about a unit.
    Ruled(u8),
    /// Something was ruled about a general.
    RuledGeneral(u8),
    /// An option was set from here on.
    RuledOption(Setting),
}

impl Event {
    /// The sentence.
    #[must_use]
    pub fn text(&self, t: &Table) -> String {
        let u = |n: u8| t.label(n);
        let g = |n: u8| t.leader_label(n);
        let h = |x: Hex| t.hex(x);
        let army = |s: Side| format!("{} ({})", s.letter(), t.armies[s.ix()]);
        match *self {
            Event::RollOff(a, b) => format!("roll-off: A {a}, B {b}"),
            Event::DeploysFirst(s) => format!("{} deploys first and moves second", army(s)),
            Event::South(s) => format!("{} has the lower edge", army(s)),
            Event::Placed(n, x, f, form) => {
                format!("{} placed at {} facing {} in {}", u(n), h(x), f.word(), form.word())
            }
            Event::Stationed(n, x) => format!("{} placed at {}", g(n), h(x)),
            Event::Waits(n) => format!("{} waits to be placed again", u(n)),
            Event::WaitsToo(n) => format!("{} waits to be placed again", g(n)),
            Event::Bound(n, s) => format!("bound {n}: {}", army(s)),
            Event::Phase(p) => format!("phase: {}", p.word()),
            Event::Command(mask) => {
                let names: Vec<&str> = crate::state::bits(mask).map(u).collect();
                if names.is_empty() {
                    "nobody is under command".to_owned()
                } else {
                    format!("under command: {}", names.join(" "))
                }
            }
            Event::Led(n, x) => format!("{} goes to {}", g(n), h(x)),
            Event::Duel(a, b, x, y) => format!("single combat: {} {x}, {} {y}", g(a), g(b)),
            Event::Fell(n) => format!("{} is lost", g(n)),
            Event::Moved(n, x) => format!("{} moves to {}", u(n), h(x)),
            Event::Turned(n, f) => format!("{} faces {}", u(n), f.word()),
            Event::Formed(n, f) => format!("{} forms {}", u(n), f.word()),
            Event::Contact(a, b) => format!("{} comes into contact with {}", u(a), u(b)),
            Event::Evaded(n, x) => format!("{} evades to {}", u(n), h(x)),
            Event::Withdrew(n, x) => format!("{} runs to {} of its own will", u(n), h(x)),
            Event::Escaped(n, x) => format!("{} escapes to {}", g(n), h(x)),
            Event::Dropped(n) => format!("{} drops its pavises", u(n)),
            Event::Planted(n) => format!("{} plants stakes", u(n)),
            Event::Combined(a, b, n) => {
                let go = if n == 1 { "goes" } else { "go" };
                format!("{} {go} from {} to {}", counted(n, "stand"), u(a), u(b))
            }
            Event::Merged(a, b, c) => format!("{}, {} and {} merge into two pike blocks", u(a), u(b), u(c)),
            Event::Split(a, b, c) => format!("{} and {} give {} back", u(a), u(b), u(c)),
            Event::Dismounted(n) => format!("{} dismounts", u(n)),
            Event::Rallied(n) => format!("{} rallies", u(n)),
            Event::Disrupted(n, r) => format!("{} is disrupted ({r})", u(n)),
            Event::Shot(a, b, 0, dice, hits) => {
                format!("{} shoots at {} with {dice}d12: {}", u(a), u(b), counted(hits, "hit"))
            }
            Event::Shot(a, b, need, dice, hits) => {
                format!(
                    "{} shoots at {} with {dice}d12, {need}+ needed: {}",
                    u(a),
                    u(b),
                    counted(hits, "hit")
                )
            }
            Event::Suppressed(n) => format!("{} is suppressed", u(n)),
            Event::Holds(n, true) => format!("{} holds its fire", u(n)),
            Event::Holds(n, false) => format!("{} no longer holds its fire", u(n)),
            Event::Fought(a, b, x, y) => format!("{} {x} against {} {y}", u(a), u(b)),
            Event::Attacked(n, x, y) => format!("{} {x} against {y}", g(n)),
            Event::Hit(n, hits, cell) => match cell.text().as_str() {
                "-" => format!("{} takes {} without effect", u(n), counted(hits, "hit")),
                text => format!("{} takes {}: {text}", u(n), counted(hits, "hit")),
            },
            Event::Spared(n, r) => format!("{} is spared ({r})", u(n)),
            Event::Lost(n, k) => format!("{} loses {}", u(n), counted(k, "stand")),
            Event::Removed(n, r) => format!("{} is removed ({r})", u(n)),
            Event::Recoiled(n, x) => format!("{} recoils to {}", u(n), h(x)),
            Event::Pushed(n, x) => format!("{} is pushed to {}", u(n), h(x)),
            Event::Fled(n, x) if x.on() => format!("{} flees to {}", u(n), h(x)),
            Event::Fled(n, _) => format!("{} flees off the table", u(n)),
            Event::Stampeded(n, die, x) => format!("{} runs wild (die {die}) to {}", u(n), h(x)),
            Event::Followed(n, x) => format!("{} follows up to {}", u(n), h(x)),
            Event::Stayed(n) => format!("{} does not follow up", u(n)),
            Event::Pursued(n, x) => format!("{} pursues to {}", u(n), h(x)),
            Event::Static(a, b) => format!("static combat: {} and {}", u(a), u(b)),
            Event::Aside(n, x) => format!("{} makes room and goes to {}", g(n), h(x)),
            Event::Broke(s, lost, of) => format!("{} breaks: {lost} of {of} stands lost", army(s)),
            Event::Standing(n, r) => format!("{} will answer by itself: {}", u(n), r.word()),
            Event::Replied(n) => format!("{} answers by its standing reply", u(n)),
            Event::Counts(n) => format!("the factor and impact of {} count", u(n)),
            Event::Ruled(n) => format!("a ruling about {}", u(n)),
            Event::RuledGeneral(n) => format!("a ruling about {}", g(n)),
            Event::RuledOption(x) => format!("a ruling: {} is {} from here on", x.name(), x.value()),
            Event::End(Outcome::Won(s)) => format!("{} wins", army(s)),
            Event::End(Outcome::Draw) => "the battle is a draw".to_owned(),
            Event::End(Outcome::Open) => "the battle goes on".to_owned(),
        }
    }

    /// The rule behind it.
    #[must_use]
    pub fn rule(&self) -> RuleId {
        match *self {
            Event::RollOff(..) => rule!("HH-036"),
            Event::DeploysFirst(_) | Event::South(_) => rule!("HH-037"),
            Event::Placed(..) | Event::Stationed(..) | Event::Waits(_) | Event::WaitsToo(_) => {
                rule!("HH-039")
            }
            Event::Bound(..) => rule!("HH-001"),
            Event::Phase(_) => rule!("HH-041"),
            Event::Command(_) => rule!("HH-042"),
            Event::Led(..) => rule!("HH-063"),
            Event::Duel(..) => rule!("HH-074"),
            Event::Fell(_) => rule!("HH-070"),
            Event::Moved(..) => rule!("HH-085"),
            Event::Turned(..) => rule!("HH-086"),
            Event::Formed(..) => rule!("HH-090"),
            Event::Contact(..) => rule!("HH-134"),
            Event::Evaded(..) => rule!("HH-135"),
            Event::Withdrew(..) => rule!("HH-138"),
            Event::Escaped(..) | Event::Attacked(..) => rule!("HH-067"),
            Event::Dropped(_) => rule!("HH-251"),
            Event::Planted(_) => rule!("HH-249"),
            Event::Combined(..) => rule!("HH-100"),
            Event::Merged(..) | Event::Split(..) => rule!("HH-120"),
            Event::Dismounted(_) => rule!("HH-129"),
            Event::Rallied(_) => rule!("HH-241"),
            Event::Disrupted(_, r) | Event::Spared(_, r) | Event::Removed(_, r) => r,
            Event::Shot(_, _, 0, ..) => rule!("HH-177"),
            Event::Shot(..) => rule!("HH-160"),
            Event::Suppressed(_) => rule!("HH-175"),
            Event::Holds(_, true) => rule!("HH-182"),
            Event::Holds(..) => rule!("HH-183"),
            Event::Fought(..) => rule!("HH-197"),
            Event::Hit(_, _, Cell { effect: Effect::None, .. }) => rule!("HH-196"),
            Event::Hit(..) => rule!("HH-190"),
            Event::Lost(..) => rule!("HH-195"),
            Event::Recoiled(..) => rule!("HH-218"),
            Event::Pushed(..) => rule!("HH-219"),
            Event::Fled(..) => rule!("HH-225"),
            Event::Stampeded(..) => rule!("HH-245"),
            Event::Followed(..) => rule!("HH-230"),
            Event::Stayed(_) => rule!("HH-232"),
            Event::Pursued(..) => rule!("HH-235"),
            Event::Static(..) => rule!("HH-213"),
            Event::Aside(..) => rule!("HH-010"),
            Event::Broke(..) => rule!("HH-256"),
            Event::End(_) => rule!("HH-258"),
            Event::Standing(..) | Event::Replied(_) => rule!("HH-R14"),
            Event::Counts(_) => rule!("HH-R15"),
            Event::Ruled(_) | Event::RuledGeneral(_) | Event::RuledOption(_) => rule!("HH-R13"),
        }
    }
}

/// So many of something, in words: `1 hit`, `3 hits`.
fn counted(n: impl Into<i32>, what: &str) -> String {
    let n = n.into();
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}
