//! What the tracker shows, on 80 columns by 24 rows or more.

use super::Tracker;
use crate::command::Reaction;
use crate::fight::{cannot_leave, reaction_score, reactions};
use crate::load::recharging;
use crate::morale::{below_half, below_quarter, loss_and_base, must_test, quarter_of};
use crate::shown::{cut, pad, tail, wrap};
use crate::state::{Answer, State};
use crate::unit::{Kind, Status, Unit, UnitId};
use crate::view::View;
use dice::Ask;
use game::{Game, Viewer};
use ratatui::Frame;
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::Paragraph;
use std::fmt::Write as _;

/// Pages of help: F1 on the first shows the second.
pub(super) const PAGES: u8 = 2;

const HELP: &[&str] = &[
    "Enter  the usual thing: attack, Reaction, next turn      Tab  next turn",
    "F2 dodge   F3 parry   F4 takes it     F5 dice typed or rolled",
    "F6 what players see   F7 take back    F9 write the log    F10 leave",
    "Up, Down earlier lines   PgUp, PgDn log   Esc leaves a question about dice",
    "Ctrl-U empties the line    One record, one tracker: locked until you leave",
    "In words, on the line (attacks: F1 again):",
    "  guard -4, guard loses 4      jor 7 wounds           jor heals 3",
    "  jor semi 3 dos, 11 9 14      jor 3 hits 11 9 14     jor initiative 14",
    "  jor semi boltgun guard short +10 \"high ground\" roll 31 dice 2 6 1 1",
    "  guard melee all       guard shoots jor kael kael   guard suppress full jor",
    "  guard stun jor        guard grapple jor      guard squeezes jor",
    "  jor dodge #2 12   jor dodge 2m (out of a blast)   jor parry   jor takes it",
    "  jor aims full   jor defends   guard fear 2   jor recovers pinning cover",
    "  guard engages jor  jor leaves guard  jor escapes, slips, controls, stands",
    "  jor feints boss   jor knocks down boss   jor reloads   jor clears boltgun",
    "Rulings (any may end in: because ...):",
    "  guard magnitude 30    guard reinforce 10     guard reinforce 10 only",
    "  guard split 10 left   left merge guard       guard breaks, holds, rallies",
    "  guard skips test      guard test             option break.when on_crossing",
    "  jor set stunned 0     jor gets #1 2 hits     die 2 7 (last command)",
    "  add horde mob hive_riot 40    add foe boss foe_captain initiative 9",
    "  turn jor   jor after guard   jor surprised   jor gains axe   jor gone, returns",
];

/// The words of an attack.
const HELP_ATTACKS: &[&str] = &[
    "An attack names, after who makes it and in any order: an action, a weapon,",
    "whom, a range, aim, modifiers, and what was rolled. What is left out is usual",
    "(`melee = ...`, `shoot = ...` in the file), what was not rolled is rolled.",
    "Action   standard swift lightning allout charge called guarded stun grapple",
    "         semi full suppress (suppress semi, suppress full)",
    "         also: all-out, all out, semi-auto, full auto, swift attack ...",
    "Horde    melee all, melee jor kael, shoots jor jor kael: several in one turn",
    "Weapon   its word or a clear beginning of it; whom: a label, or `all`",
    "Range    pb short normal long extreme, or 40m",
    "Aim      aim half, aim full, aim none; or before it: jor aims full",
    "Modifier +10 \"high ground\"; by name: two_to_one three_to_one prone_melee",
    "         prone_ranged stunned helpless running dark fog into_melee untrained",
    "         in_grapple pinned_bs unbraced braced; plain: without the usual ones",
    "Outcome  misses, 3 dos, 2 hits, damage 11 9; after dos or hits numbers are",
    "         damage: jor 3 hits 11 9 14",
    "Dice     roll 31 (to hit), dice 2 6 1 1 (hits and damage, as they are wanted)",
    "Area     catching mob kael: who else stands in it",
    "Before the first Round: jor initiative 14, jor 14. Later: jor after guard, or",
    "         jor before guard; `jor set initiative 14` changes the figure alone",
    "A number when no die is asked for: F5 has dice typed from then on",
    "`muster horde profiles` and `weapons` list what ships; docs/horde.md tells all",
];

impl Tracker {
    /// Draws the screen.
    pub fn draw(&self, frame: &mut Frame<'_>) {
        let area = frame.area();
        let lines = self.lines(usize::from(area.width), usize::from(area.height));
        let text: Vec<Line<'_>> = lines.into_iter().map(|(text, style)| Line::styled(text, style)).collect();
        frame.render_widget(Paragraph::new(text), area);
    }

    /// The screen as lines with their styles.
    pub fn lines(&self, width: usize, height: usize) -> Vec<(String, Style)> {
        let width = width.max(20);
        let height = height.max(8);
        let bold = Style::new().add_modifier(Modifier::BOLD);
        let dim = Style::new().add_modifier(Modifier::DIM);
        let plain = Style::new();
        let mut out: Vec<(String, Style)> = Vec::new();
        out.push((cut(&self.title(), width), Style::new().add_modifier(Modifier::REVERSED)));
        if self.help > 0 {
            let page = if self.help == 1 { HELP } else { HELP_ATTACKS };
            out.extend(page.iter().take(height.saturating_sub(2)).map(|l| (cut(l, width), plain)));
            let more = if self.help < PAGES { "F1: the words of an attack; any other" } else { "any" };
            out.push((cut(&format!("{more} key goes back"), width), dim));
            return out;
        }
        let middle = if self.players { self.player_lines(width) } else { self.master_lines(width) };
        // A message ends in what would be right: it is shown whole, on three lines at most.
        let question = self.question();
        let mut question = if question.is_empty() { Vec::new() } else { wrap(&question, width) };
        question.truncate(3);
        let foot = 2 + question.len();
        let room = height.saturating_sub(1 + foot);
        // The table of combatants first, but never so much that the log has no line.
        let most = room.saturating_sub(3).max(1);
        let waiting = self.table.state().volley.as_ref().map_or(0, |v| v.attacks.len());
        let (middle, cut_off) = window(middle, waiting, most);
        out.extend(middle.into_iter().map(|(l, now)| (cut(&l, width), if now { bold } else { plain })));
        if cut_off {
            out.push((cut("  … more than this window shows", width), dim));
        }
        out.push(("─".repeat(width), dim));
        let room = height.saturating_sub(out.len() + foot);
        let log: Vec<String> = self.log(self.players).iter().flat_map(|l| wrap(l, width)).collect();
        let end = log.len().saturating_sub(self.scroll.min(log.len().saturating_sub(room)));
        let from = end.saturating_sub(room);
        let shown = &log[from..end];
        out.extend(std::iter::repeat_n((String::new(), plain), room - shown.len().min(room)));
        out.extend(shown.iter().map(|l| (l.clone(), plain)));
        out.extend(question.into_iter().map(|l| (cut(&l, width), bold)));
        // What the game master types is his own, as what he is told.
        let line = if self.players { String::new() } else { format!("> {}_", self.input) };
        let keys = if self.players {
            "F6 back to the game master's screen (Esc too)"
        } else {
            "Enter usual  Tab next  F1 help  F2 dodge F3 parry F4 takes  F7 undo  F10 leave"
        };
        out.push((tail(&line, width), plain));
        out.push((cut(keys, width), dim));
        out
    }

    fn title(&self) -> String {
        let s = self.table.state();
        let turn = match s.current() {
            Some(id) => format!("Round {}: {} acts", s.round, s.unit(id).label),
            None if s.round == 0 => "before the first Round".to_owned(),
            None => format!("Round {}", s.round),
        };
        let end = self.table.outcome().map_or_else(String::new, |o| format!("  {}", o.words));
        let dice = if self.rolled { "dice rolled" } else { "dice typed" };
        let view = if self.players { "  PLAYERS' VIEW" } else { "" };
        format!(" {}  {turn}{end}  [{dice}]{view}", self.table.game().name())
    }

    fn question(&self) -> String {
        if self.players {
            // What the game master is told stands on his own screen, for it may hold what players shall not see.
            let what = match (self.asked(), self.refused) {
                (Some(_), _) => "a die is asked for",
                (None, true) => "that was not done",
                (None, false) => return String::new(),
            };
            return format!("{what}: F6 shows it");
        }
        if let Some(ask) = self.asked() {
            let why = if self.message.is_empty() { String::new() } else { format!("{}. ", self.message) };
            let d5 = if ask.sides == 5 { " (6 to 10 are halved)" } else { "" };
            let number = self.asking.as_ref().map_or("", |a| a.number.as_str());
            let number = if number.is_empty() { String::new() } else { format!(": {number}") };
            return format!(
                "{why}d{} for {}{number}{d5} (number, Enter rolls it, * rolls the rest)",
                ask.sides,
                asked_of(self.table.state(), &ask)
            );
        }
        self.message.clone()
    }

    fn master_lines(&self, width: usize) -> Vec<(String, bool)> {
        let s = self.table.state();
        let mut out = Vec::new();
        let order: Vec<UnitId> = if s.round == 0 { s.ids().collect() } else { s.order.clone() };
        for id in order {
            let u = s.unit(id);
            let now = s.current() == Some(id);
            if u.status == Status::Gone && !now {
                continue;
            }
            let mark = if now { ">" } else { " " };
            let initiative = u.initiative.map_or_else(|| "  ".to_owned(), |i| format!("{i:2}"));
            out.push((format!("{mark}{initiative} {} {}", pad(&cut(&u.label, 8), 8), figures(s, u)), now));
        }
        if let Some(v) = &s.volley {
            for (n, a) in v.attacks.iter().enumerate() {
                let may = reactions(s, n);
                let left = s.unit(a.at).person().map_or(0, |p| p.reactions);
                let score = |w| reaction_score(s, n, w).map_or(0, |x| x.target);
                let words: Vec<String> = may
                    .iter()
                    .map(|w| {
                        if *w == Reaction::Dodge {
                            format!("dodge {}", score(*w))
                        } else {
                            format!("parry {}", score(*w))
                        }
                    })
                    .collect();
                let state = match (a.answer, cannot_leave(s, n, None)) {
                    (Answer::Open, Some((must, _))) => {
                        format!("{must} m to get out, too far; dodge 1m if nearer the edge; {left} left")
                    }
                    (Answer::Open, None) => format!("{}; {left} left", words.join(", ")),
                    (Answer::Tried, _) if a.hits > 0 => "tried to evade".to_owned(),
                    (Answer::Tried, _) => "evaded".to_owned(),
                    (Answer::Taken, _) => "takes it".to_owned(),
                };
                let hits = if a.hits == 1 { "1 hit".to_owned() } else { format!("{} hits", a.hits) };
                let line = format!(
                    "  {} on {}: {hits}, {} ({state})",
                    s.unit(v.by).label,
                    s.unit(a.at).label,
                    a.how.weapon
                );
                out.push((cut(&line, width), a.answer == Answer::Open));
            }
        }
        out
    }

    fn player_lines(&self, width: usize) -> Vec<(String, bool)> {
        let view = self.table.game().view(self.table.state(), Viewer::Spectator);
        player_lines(&view).into_iter().map(|(l, now)| (cut(&l, width), now)).collect()
    }
}

/// Of more lines than fit, those that matter now: the one who acts with those around him, and at the end the attacks that
/// wait for an answer.
fn window(all: Vec<(String, bool)>, waiting: usize, most: usize) -> (Vec<(String, bool)>, bool) {
    if all.len() <= most {
        return (all, false);
    }
    let most = most.saturating_sub(1).max(1);
    let waiting = waiting.min(all.len());
    let (people, attacks) = all.split_at(all.len() - waiting);
    let open = attacks.iter().position(|(_, open)| *open).unwrap_or(0);
    let last = attacks.len().min(most.div_ceil(2));
    let first = most - last;
    let now = people.iter().position(|(_, now)| *now).unwrap_or(0);
    let from = now.saturating_sub(first / 2).min(people.len().saturating_sub(first));
    let at = open.min(attacks.len() - last);
    let lines = people.iter().skip(from).take(first).chain(attacks.iter().skip(at).take(last));
    (lines.cloned().collect(), true)
}

/// What a die is for, in as few words as will do.
pub(super) fn asked_of(s: &State, ask: &Ask) -> String {
    let a = ask.address;
    let name = |n: u64| {
        let unit = usize::try_from(n & 0xffff).ok().and_then(|n| s.units.get(n));
        unit.map_or("the newcomer", |u| &u.label)
    };
    let (by, at) = (name(a.subject >> 16), name(a.subject));
    let who = if by == at { by.to_owned() } else { format!("{by} at {at}") };
    match a.purpose {
        "damage" => {
            let (hit, die) = (a.moment >> 8 & 0xff, a.moment & 0xff);
            format!("damage, {who}, hit {} die {}", hit + 1, die + 1)
        }
        what => format!("{what}, {who}"),
    }
}

/// What stands beside a combatant on the game master's screen.
pub(super) fn figures(s: &State, u: &Unit) -> String {
    let o = &s.options;
    let mut out = match &u.kind {
        Kind::Horde(h) => {
            let (loss, base) = loss_and_base(o, h);
            let mut t = format!("M {:>3}/{:<3} lost {loss}", h.m, h.m0);
            if u.fights() {
                if must_test(o, u) {
                    t.push_str(" TEST DUE");
                } else if !h.tested {
                    _ = write!(t, " test {}", quarter_of(o, base));
                } else {
                    t.push_str(" tested");
                }
                let half = (0..=h.m0).rev().find(|m| below_half(o, *m, h.m0)).unwrap_or(0);
                let quarter = (0..=h.m0).rev().find(|m| below_quarter(o, *m, h.m0)).unwrap_or(0);
                _ = write!(t, "; half {half} quarter {quarter}; size {:+} shots ", u.size(o));
                // Shots made count in its own turn, and those out of it for the turn of this Round.
                if h.shots > 0 || s.current().is_some_and(|id| std::ptr::eq(s.unit(id), u)) {
                    _ = write!(t, "{}/", h.shots);
                }
                _ = write!(t, "{}", u.ranged_attacks(o));
            }
            t
        }
        Kind::Person(p) => {
            let mut t = format!("W {:>3}/{:<3} reactions {}", p.wounds, p.max, p.reactions);
            if p.critical > 0 {
                _ = write!(t, " critical {}", p.critical);
            }
            if p.stunned > 0 {
                _ = write!(t, " STUNNED {}", p.stunned);
            }
            if let Some(by) = p.held_by {
                _ = write!(t, " HELD by {}", s.unit(by).label);
            }
            if p.halves > 0 && s.current().is_some_and(|id| std::ptr::eq(s.unit(id), u)) {
                let turn = &o.t().turn;
                // HC-084, HC-088: one who is Pinned or startled has one Half Action.
                let most = if u.pinned || u.shock == Some(0) { turn.hindered } else { turn.halves };
                let word = if p.halves > most { "ACTIONS" } else { "actions" };
                _ = write!(t, " {word} {}/{most}", p.halves);
            }
            if p.stance {
                t.push_str(" defends");
            }
            if p.prone {
                t.push_str(" PRONE");
            }
            if let Some(at) = p.feint {
                _ = write!(t, " feints {}", s.unit(at).label);
            }
            if p.aim != crate::unit::Aim::None {
                _ = write!(t, " aims {}", p.aim.word());
            }
            t
        }
    };
    if u.pinned {
        out.push_str(" PINNED");
    }
    if u.surprised && s.round <= 1 {
        out.push_str(" SURPRISED");
    }
    for w in u.weapons.iter() {
        if u.load(&w.id).jammed {
            _ = write!(out, " {} JAMMED", w.id);
        } else if recharging(s, u_id(s, u), w) {
            _ = write!(out, " {} recharges", w.id);
        } else if let Some(left) = u.shots_left(w).filter(|n| *n != w.clip) {
            let word = if left <= 0 { " EMPTY" } else { "" };
            // A burst may have fired more than there was; nothing is in it all the same.
            _ = write!(out, " {} {}/{}{word}", w.id, left.max(0), w.clip);
        }
    }
    if let Some(row) = u.shock.and_then(|b| o.t().fear.shock.get(usize::from(b))) {
        _ = write!(out, " FEAR: {}", row.id);
    }
    if u.status != Status::Fighting {
        _ = write!(out, " {}", u.status.word().to_uppercase());
    }
    out
}

fn u_id(s: &State, u: &Unit) -> UnitId {
    s.by_label(&u.label).unwrap_or(UnitId(0))
}

/// The players' screen, made of their view alone.
fn player_lines(v: &View) -> Vec<(String, bool)> {
    let mut out = Vec::new();
    let now = |label: &str| v.turn.as_deref() == Some(label);
    for label in &v.order {
        let mark = if now(label) { ">" } else { " " };
        let own = v.heretics.iter().find(|h| h["label"] == label.as_str());
        let foe = v.foes.iter().find(|f| f.label == *label);
        let text = match (own, foe) {
            (Some(h), _) => {
                let held = h["held_by"].as_str().map_or_else(String::new, |b| format!(" held by {b}"));
                let pinned = if h["pinned"] == true { " pinned" } else { "" };
                let surprised = if h["surprised"] == true && v.round <= 1 { " surprised" } else { "" };
                let stunned = if h["stunned"].as_i64().unwrap_or(0) > 0 {
                    format!(" stunned {}", h["stunned"])
                } else {
                    String::new()
                };
                format!("wounds {}/{}{stunned}{pinned}{surprised}{held}", h["wounds_left"], h["wounds"])
            }
            (None, Some(f)) => format!("{} is {}", f.name, f.looks),
            (None, None) => String::new(),
        };
        out.push((format!("{mark} {} {text}", pad(label, 10)), now(label)));
    }
    for w in v.waiting.iter().filter(|w| w.open) {
        out.push((format!("  {} hits {}: dodge, parry or take it?", w.by, w.at), true));
    }
    out
}
