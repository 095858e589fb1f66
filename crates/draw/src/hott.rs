//! The picture of a battle of Hordes of the Things.

use ::hott::battle::{Battle, CommandId, ElementId, Fate, Flags, SideId, State, Strong};
use ::hott::contacts::Contacts;
use ::hott::ground;
use ::hott::table::{Grade, TroopType};
use ::hott::words::{ending_words, phase_words};

use crate::geometry::placed;
use crate::{
    Base, BoardSize, Chevron, CommandTab, Edge, Feature, Glyph, Ground, Mark, Overlay, Panel, Pip, Point,
    Pose, Scene, Shape, Stronghold, Tone, TrayItem, Zone,
};

/// What a picture of a battle shows beside the position.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The first line; empty: who fights whom.
    pub title: String,
    /// Lines below the board.
    pub captions: Vec<String>,
    /// Lines between those that fight: thick to the main opponent, thin for flank, rear and overlap.
    pub fights: bool,
    /// Arrows from where elements began the bound.
    pub moves: bool,
    /// The sides whose secrets are shown: elements off the table that no enemy has seen. `None`: all, as an umpire
    /// or a reader after the battle sees it.
    pub secrets_of: Option<Vec<SideId>>,
}

/// Hundredths of a pace as paces.
fn paces(hundredths: i32) -> f64 {
    f64::from(hundredths) / 100.0
}

fn point(p: field::Point) -> Point {
    (paces(p.x), paces(p.y))
}

fn pose(p: field::Pose) -> Pose {
    Pose { x: paces(p.x), y: paces(p.y), heading: f64::from(p.heading.hundredths()) / 100.0 }
}

fn shape(s: &field::Shape) -> Shape {
    match s {
        field::Shape::Polygon(p) => Shape::Polygon(p.points().iter().copied().map(point).collect()),
        field::Shape::Disc(d) => Shape::Disc(point(d.centre), paces(d.radius)),
        field::Shape::Way(w) => Shape::Way(w.points().iter().copied().map(point).collect(), paces(w.width())),
    }
}

/// The sign of a type.
#[must_use]
pub fn glyph(ty: TroopType) -> Glyph {
    Glyph::named(ty.code())
}

/// How a kind of ground is drawn.
#[must_use]
pub fn ground_kind(kind: ground::Kind) -> Ground {
    match kind {
        ground::Kind::Wood => Ground::Wood,
        ground::Kind::Bua => Ground::Town,
        ground::Kind::Marsh => Ground::Marsh,
        ground::Kind::Rough => Ground::Rough,
        ground::Kind::Dunes => Ground::Dunes,
        ground::Kind::Fields => Ground::Fields,
        ground::Kind::Hill => Ground::Hill,
        ground::Kind::Steep => Ground::SteepHill,
        ground::Kind::Plateau => Ground::Plateau,
        ground::Kind::River => Ground::River,
        ground::Kind::Lake => Ground::Lake,
        ground::Kind::Road => Ground::Road,
        ground::Kind::Ford => Ground::Ford,
        ground::Kind::Bridge => Ground::Bridge,
        ground::Kind::Cliff => Ground::Impassable,
    }
}

/// The features of a ground.
#[must_use]
pub fn features(ground: &ground::Ground) -> Vec<Feature> {
    let one = |f: &ground::Feature| Feature {
        ground: ground_kind(f.kind),
        shape: shape(&f.shape),
        crest: f.crest.iter().copied().map(point).collect(),
        label: String::new(),
    };
    ground.features().iter().map(one).collect()
}

/// The picture of a position.
#[must_use]
pub fn scene(battle: &Battle, state: &State, options: &Options) -> Scene {
    let tabs = Tabs::of(battle);
    let shown = |id: &ElementId| matches!(state.element(*id).fate, Fate::Table | Fate::Ensorcelled);
    let mut overlays = Vec::new();
    if options.moves {
        overlays.extend(moves(battle, state));
    }
    if options.fights {
        overlays.extend(fights(battle, state));
    }
    let title = if options.title.is_empty() { who_fights(battle) } else { options.title.clone() };
    Scene {
        title,
        subtitle: subtitle(battle, state),
        board: BoardSize {
            width: paces(battle.board.width),
            height: paces(battle.board.height),
            // A thousand millimetres, so that no rounding of the scale shows.
            mm_per_100: 100_000.0 / f64::from(battle.scale.paces(1000).max(1)),
        },
        features: features(&state.ground),
        zones: Vec::new(),
        edges: (0..battle.sides.len())
            .zip(&state.sides)
            .filter_map(|(side, s)| s.edge.map(|e| Edge { side, place: edge_place(e) }))
            .collect(),
        strongholds: strongholds(battle, state),
        bases: battle.ids().filter(shown).map(|id| base(battle, state, &tabs, id)).collect(),
        overlays,
        panels: (0..)
            .map(SideId)
            .take(battle.sides.len())
            .map(|s| panel(battle, state, options, &tabs, s))
            .collect(),
        captions: options.captions.clone(),
    }
}

const fn edge_place(edge: field::BoardEdge) -> u8 {
    match edge {
        field::BoardEdge::Lower => 0,
        field::BoardEdge::Right => 1,
        field::BoardEdge::Upper => 2,
        field::BoardEdge::Left => 3,
    }
}

/// Armies by name; one without a name by its letter.
fn names(battle: &Battle) -> Vec<String> {
    battle
        .sides
        .iter()
        .map(|s| if s.army.is_empty() { format!("Army {}", s.letter) } else { s.army.clone() })
        .collect()
}

/// "A and C against B": allies together (BB-090).
fn who_fights(battle: &Battle) -> String {
    let names = names(battle);
    let friends = |n: usize| {
        let hostile = battle.sides[n].hostile;
        (0..names.len()).filter(move |o| hostile & (1 << o) == 0)
    };
    let first = |n: &usize| friends(*n).next() == Some(*n);
    let camps = (0..names.len()).filter(first).map(|n| {
        let all: Vec<&str> = friends(n).map(|o| names[o].as_str()).collect();
        all.join(" and ")
    });
    camps.collect::<Vec<_>>().join(" against ")
}

fn subtitle(battle: &Battle, state: &State) -> String {
    let names = names(battle);
    let mut words = Vec::new();
    if state.bound > 0 {
        words.push(format!("Bound {}", state.bound));
    }
    if let Some(over) = state.over {
        let won: Vec<&str> =
            (0..names.len()).filter(|i| over.winners & (1 << i) != 0).map(|i| names[i].as_str()).collect();
        if won.is_empty() {
            words.push(format!("undecided: {}", ending_words(over.ending)));
        } else {
            words.push(format!("{} won: {}", won.join(" and "), ending_words(over.ending)));
        }
    } else {
        if let Some(name) = names.get(state.active.index()) {
            words.push(name.clone());
        }
        words.push(phase_words(state.phase).to_owned());
    }
    words.join(" · ")
}

/// The letters of the commands: those their names begin with, or a, b, c where these are not all different. Empty for
/// a side with one command.
struct Tabs(Vec<Option<CommandTab>>);

impl Tabs {
    fn of(battle: &Battle) -> Tabs {
        let mut tabs = vec![None; battle.commands.len()];
        for side in (0..).map(SideId).take(battle.sides.len()) {
            let own: Vec<usize> =
                (0..battle.commands.len()).filter(|c| battle.commands[*c].side == side).collect();
            if own.len() < 2 {
                continue;
            }
            let first: Vec<Option<char>> = own
                .iter()
                .map(|c| battle.commands[*c].name.chars().next().filter(|c| c.is_alphabetic()))
                .collect();
            let distinct = (0..first.len()).all(|i| first[i].is_some() && !first[..i].contains(&first[i]));
            for (n, c) in own.into_iter().enumerate() {
                let plain = char::from(b'a' + u8::try_from(n % 26).unwrap_or(0));
                let letter = first[n].filter(|_| distinct).unwrap_or(plain);
                tabs[c] = Some(CommandTab { letter, colour: n });
            }
        }
        Tabs(tabs)
    }

    fn get(&self, command: CommandId) -> Option<CommandTab> {
        self.0.get(command.index()).copied().flatten()
    }
}

fn base(battle: &Battle, state: &State, tabs: &Tabs, id: ElementId) -> Base {
    let (e, now) = (battle.element(id), state.element(id));
    let split = e.label.find(|c: char| c.is_ascii_digit()).unwrap_or(e.label.len());
    let mut marks = Vec::new();
    let mut about = format!("{} {}", battle.full_label(id), e.ty.name());
    if !e.name.is_empty() {
        about.push_str(&format!(" \u{201c}{}\u{201d}", e.name));
    }
    if e.general {
        about.push_str(", general");
    }
    match e.grade {
        Grade::Elite => about.push_str(", Elite"),
        Grade::Levy => about.push_str(", Levy"),
        Grade::Plain => {}
    }
    if now.fate == Fate::Ensorcelled {
        marks.push(Mark::Frog);
        about.push_str(", ensorcelled");
    }
    if now.flags.has(Flags::MOVED) {
        marks.push(Mark::Moved);
        about.push_str(", has moved");
    }
    if state.command(e.command).demoralised {
        about.push_str(", demoralised");
    }
    about.push_str(&format!(", at {}", now.pose));
    Base {
        pose: pose(now.pose),
        width: paces(e.size.width),
        depth: paces(e.size.depth),
        side: e.side.index(),
        glyph: glyph(e.ty),
        code: two_letters(e.ty).to_owned(),
        number: e.label[split..].to_owned(),
        label: e.label.clone(),
        about,
        general: e.general,
        grade: match e.grade {
            Grade::Elite => Chevron::Up,
            Grade::Levy => Chevron::Down,
            Grade::Plain => Chevron::None,
        },
        command: tabs.get(e.command),
        marks,
        dimmed: false,
    }
}

/// The two-letter codes that players write on their sheets.
#[must_use]
pub fn two_letters(ty: TroopType) -> &'static str {
    match ty {
        TroopType::God => "Gd",
        TroopType::Drg => "Dr",
        TroopType::Abt => "Ab",
        TroopType::Fly => "Fl",
        TroopType::AHe => "AH",
        TroopType::Her => "He",
        TroopType::Pal => "Pa",
        TroopType::Kni => "Kn",
        TroopType::Rid => "Rd",
        TroopType::Beh => "Bh",
        TroopType::Bst => "Bs",
        TroopType::Bld => "Bd",
        TroopType::Spr => "Sp",
        TroopType::Wbd => "Wb",
        TroopType::Sht => "Sh",
        TroopType::Art => "Ar",
        TroopType::Hrd => "Hd",
        TroopType::Clr => "Cl",
        TroopType::Mag => "Mg",
        TroopType::Snk => "Sn",
        TroopType::Lrk => "Lk",
        TroopType::WLk => "WL",
        TroopType::LtH => "LH",
        TroopType::Sct => "Sc",
        TroopType::Rgr => "Rg",
        TroopType::Str => "Sg",
    }
}

/// What a side has to defend: in big battles Baggage (BB-021).
fn strong_word(battle: &Battle, state: &State, side: SideId) -> &'static str {
    if battle.has_baggage(state, side) { "Baggage" } else { "Stronghold" }
}

fn strongholds(battle: &Battle, state: &State) -> Vec<Stronghold> {
    let mut all = Vec::new();
    for (side, s) in state.sides.iter().enumerate() {
        let (on, lost) = match s.strong {
            Strong::Stands(base) => (base, false),
            Strong::Lost(base) => (base, true),
            Strong::None | Strong::Waiting => continue,
        };
        let letter = battle.sides.get(side).map_or('?', |s| s.letter);
        all.push(Stronghold {
            pose: pose(on.pose),
            width: paces(on.size.width),
            depth: paces(on.size.depth),
            side,
            label: format!(
                "{letter}.Str {}{}",
                strong_word(battle, state, SideId(u8::try_from(side).unwrap_or(0))),
                if lost { ", lost" } else { "" }
            ),
            lost,
        });
    }
    all
}

/// Elements that moved since the bound began.
fn moves<'a>(battle: &'a Battle, state: &'a State) -> impl Iterator<Item = Overlay> + 'a {
    battle.ids().filter(|id| state.on_table(*id)).filter_map(|id| {
        let (e, now) = (battle.element(id), state.element(id));
        (now.began != now.pose).then(|| Overlay::Moved {
            from: pose(now.began),
            to: pose(now.pose),
            width: paces(e.size.width),
            depth: paces(e.size.depth),
            side: e.side.index(),
        })
    })
}

fn fights(battle: &Battle, state: &State) -> Vec<Overlay> {
    let contacts = Contacts::of(battle, state);
    let mut all = Vec::new();
    // Just behind the front edge, so that the line joins the two and leaves their signs free.
    let hold = |id: ElementId, part: f64| {
        let e = battle.element(id);
        placed(pose(state.element(id).pose), (0.0, -paces(e.size.depth) * part))
    };
    for id in battle.ids().filter(|id| state.on_table(*id)) {
        let t = contacts.touching(id);
        if let Some(foe) = t.front.filter(|foe| id < *foe) {
            all.push(Overlay::Fight { from: hold(id, 0.25), to: hold(foe, 0.25), main: true });
        }
        if let Some((foe, _)) = t.hits {
            // The flanked one fights its flanker as main opponent where nobody is to its front.
            let main = contacts.unanswered(foe) == Some(id);
            all.push(Overlay::Fight { from: hold(id, 0.25), to: hold(foe, 0.5), main });
        }
        for other in t.overlapped_by.into_iter().flatten() {
            all.push(Overlay::Fight { from: hold(other, 0.25), to: hold(id, 0.25), main: false });
        }
        if let Some(side) = t.stronghold
            && let Strong::Stands(strong) = state.side(side).strong
        {
            all.push(Overlay::Fight { from: hold(id, 0.25), to: point(strong.centre()), main: true });
        }
    }
    all
}

fn panel(battle: &Battle, state: &State, options: &Options, tabs: &Tabs, side: SideId) -> Panel {
    let info = &battle.sides[side.index()];
    let now = state.side(side);
    let own: Vec<CommandId> = (0u8..=u8::MAX)
        .map(CommandId)
        .take(battle.commands.len())
        .filter(|c| battle.commands[c.index()].side == side)
        .collect();
    let players: Vec<&str> = battle
        .seats
        .iter()
        .zip(battle.seat_names.iter())
        .filter(|(seat, name)| seat.side == side && !name.is_empty())
        .map(|(_, name)| name.as_str())
        .filter(|name| *name != info.army && name.chars().ne([info.letter]))
        .collect();
    let active = state.over.is_none() && state.active == side;
    Panel {
        side: side.index(),
        letter: info.letter.to_string(),
        army: names(battle).swap_remove(side.index()),
        player: players.join(", "),
        active,
        lost: battle.losses(state, side),
        total: info.halves,
        general: generals(battle, state, tabs, &own),
        stronghold: match now.strong {
            Strong::None if state.large.has_lost_baggage(side) => "Baggage lost".to_owned(),
            Strong::None => String::new(),
            Strong::Waiting => format!("{} not yet placed", strong_word(battle, state, side)),
            Strong::Stands(_) => format!("{} stands", strong_word(battle, state, side)),
            Strong::Lost(_) => format!("{} lost", strong_word(battle, state, side)),
        },
        pips: own
            .iter()
            .filter(|c| active && state.command(**c).score > 0)
            .map(|c| {
                let command = state.command(*c);
                Pip { letter: tabs.get(*c).map(|t| t.letter), score: command.score, left: command.pips }
            })
            .collect(),
        tray: tray(battle, state, options, side),
        won: state.over.is_some_and(|o| o.winners & (1 << side.0) != 0),
    }
}

fn fate_words(fate: Fate) -> &'static str {
    match fate {
        Fate::Waiting => "waiting",
        Fate::Table => "on the table",
        Fate::Destroyed => "destroyed",
        Fate::Fled => "fled",
        Fate::Ensorcelled => "ensorcelled",
        Fate::Left => "left",
    }
}

/// "General: Hero 1, on the table"; of several commands each in short.
fn generals(battle: &Battle, state: &State, tabs: &Tabs, own: &[CommandId]) -> String {
    let one = |c: CommandId| {
        let id = battle.commands[c.index()].general?;
        Some((battle.element(id).label.clone(), fate_words(state.element(id).fate)))
    };
    if let [only] = own {
        return one(*only).map_or_else(String::new, |(label, fate)| format!("General: {label}, {fate}"));
    }
    let mut parts = Vec::new();
    for c in own {
        let letter = tabs.get(*c).map_or('?', |t| t.letter);
        let mut words = match one(*c) {
            Some((label, fate)) => format!("{letter}: {label} {fate}"),
            None => format!("{letter}: no general"),
        };
        if battle.commands[c.index()].in_chief {
            words.push_str(" (chief)");
        }
        if state.command(*c).demoralised {
            words.push_str(", demoralized");
        }
        parts.push(words);
    }
    parts.join("; ")
}

/// What is off the table; of sides whose secrets are not shown only what has been seen there.
fn tray(battle: &Battle, state: &State, options: &Options, side: SideId) -> Vec<TrayItem> {
    let open = options.secrets_of.as_ref().is_none_or(|sides| sides.contains(&side));
    let mut all = Vec::new();
    for id in battle.ids_of(side) {
        let (e, now) = (battle.element(id), state.element(id));
        let secret = now.fate == Fate::Waiting && now.appearances == 0;
        if now.fate == Fate::Table || (secret && !open) {
            continue;
        }
        all.push(TrayItem {
            glyph: glyph(e.ty),
            label: e.label.clone(),
            note: fate_words(now.fate).to_owned(),
            lost: now.fate.is_lost(),
        });
    }
    all
}

/// The zones in which the sides deploy, each along its own edge, so deep.
#[must_use]
pub fn deployment_zones(battle: &Battle, state: &State, depth: field::Len) -> Vec<Zone> {
    let (w, h, d) = (paces(battle.board.width), paces(battle.board.height), paces(depth));
    let mut all = Vec::new();
    for (side, s) in state.sides.iter().enumerate() {
        let Some(edge) = s.edge else { continue };
        let [l, b, r, t] = match edge_place(edge) {
            0 => [0.0, 0.0, w, d],
            1 => [w - d, 0.0, w, h],
            2 => [0.0, h - d, w, h],
            _ => [0.0, 0.0, d, h],
        };
        let shape = Shape::Polygon(vec![(l, b), (r, b), (r, t), (l, t)]);
        all.push(Zone { shape, tone: Tone::Side(side), label: String::new() });
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_has_its_sign_and_two_letters_of_its_own() {
        for (i, ty) in TroopType::ALL.into_iter().enumerate() {
            assert_ne!(glyph(ty), Glyph::Unknown, "{ty}");
            assert_eq!(glyph(ty).code(), ty.code());
            assert_eq!(glyph(ty).name(), ty.name());
            assert_eq!(two_letters(ty).chars().count(), 2);
            assert_eq!(TroopType::parse(two_letters(ty)), Some(ty), "{ty} as {}", two_letters(ty));
            assert!(TroopType::ALL[..i].iter().all(|o| two_letters(*o) != two_letters(ty)));
        }
    }

    #[test]
    fn every_kind_of_ground_is_drawn_as_itself() {
        let all: std::collections::BTreeSet<Ground> =
            ground::Kind::WORDS.iter().map(|(kind, _)| ground_kind(*kind)).collect();
        assert_eq!(all.len(), ground::Kind::WORDS.len());
    }
}
