//! Commands, and their one text form: printed here, read in [`read`].

mod read;

pub use read::{BadText, VERBS, find_general, find_unit};

use crate::hex::{Facing, Hex};
use crate::options::Setting;
use crate::state::{Formation, Impact, NOBODY, Path, Reply, Word};
use crate::table::{Side, Table};
use crate::tables::Traits;

/// Most units named in one command: more than any side of a battle has.
pub const MAX_GROUP: usize = 40;

/// Units in the order in which a player named them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub struct Group {
    ids: [u8; MAX_GROUP],
    len: u8,
}

impl Group {
    /// Nobody.
    pub const EMPTY: Group = Group { ids: [NOBODY; MAX_GROUP], len: 0 };

    /// One unit.
    #[must_use]
    pub fn of(u: u8) -> Group {
        let mut g = Group::EMPTY;
        g.push(u);
        g
    }

    /// The units of a mask, lowest first.
    #[must_use]
    pub fn of_mask(mask: u64) -> Group {
        crate::state::bits(mask).collect()
    }

    /// Adds a unit; says whether there was room.
    pub fn push(&mut self, u: u8) -> bool {
        match self.ids.get_mut(usize::from(self.len)) {
            Some(slot) => {
                *slot = u;
                self.len += 1;
                true
            }
            None => false,
        }
    }

    /// The units.
    #[must_use]
    pub fn ids(&self) -> &[u8] {
        &self.ids[..usize::from(self.len)]
    }

    /// As a mask.
    #[must_use]
    pub fn mask(&self) -> u64 {
        self.ids().iter().fold(0, |m, &u| m | 1 << (u & 63))
    }
}

impl FromIterator<u8> for Group {
    fn from_iter<T: IntoIterator<Item = u8>>(iter: T) -> Self {
        let mut g = Group::EMPTY;
        for u in iter {
            g.push(u);
        }
        g
    }
}

/// A command, by kind. Units and generals are numbers of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Command {
    /// Throw for the order of deployment (HH-036, HH-038).
    Roll,
    /// Deploy first, or second (HH-035).
    Order(bool),
    /// Take the lower edge, or the upper (HH-037).
    Edge(bool),
    /// Place a unit: hex, facing, formation, stakes planted (HH-039).
    Place(u8, Hex, Facing, Formation, bool),
    /// Place a general.
    Station(u8, Hex),
    /// Begin as pike blocks (HH-119).
    Begin([u8; 3]),
    /// Place all that is not yet placed in a usual order of battle.
    Array,
    /// Deployment is done.
    Ready,
    /// A general's command move (HH-063).
    Lead(u8, Hex),
    /// Single combat (HH-074).
    Challenge(u8, u8),
    /// A normal move, or going on with one; drops pavises first (HH-085, HH-251).
    Move(u8, bool, Path),
    /// The single-hex move (HH-084).
    Step(u8, bool, Hex, Facing, Formation),
    /// A shift of one point while engaged (HH-079).
    Shift(u8, Facing),
    /// The step back of class A infantry (HH-081).
    Back(u8, Hex),
    /// Stands from the second unit to the first (HH-100).
    Combine(u8, u8, u8),
    /// Three pike units merge: the first two become blocks (HH-120).
    Merge([u8; 3]),
    /// Two blocks give the third unit back, in a hex (HH-120).
    Split([u8; 3], Hex),
    /// Riders dismount (HH-129).
    Dismount(u8),
    /// Stakes are planted (HH-249).
    Plant(u8),
    /// The move ends here, or the answer is left at that.
    Halt(u8),
    /// Elephants run (HH-245, HH-132).
    Stampede(u8),
    /// Stand and take it (HH-134).
    Stand(u8),
    /// Evade (HH-135); the path ends with a facing.
    Evade(u8, Path),
    /// A voluntary flee move (HH-138); the path ends with a facing.
    Withdraw(u8, Path),
    /// Turn to face (HH-140).
    Turn(u8, Facing),
    /// An independent general joins a friend (HH-067).
    Escape(u8, Hex),
    /// An independent general stays.
    Stay(u8),
    /// Make room (HH-228, HH-246).
    Displace(u8, Hex),
    /// A general makes room (HH-010).
    Aside(u8, Hex),
    /// Units shoot at a target (HH-295).
    Shoot(u8, Group),
    /// Units suppress a target (HH-175).
    Suppress(u8, Group),
    /// Hold fire (HH-182).
    Hold(u8),
    /// No longer hold fire (HH-183).
    Release(u8),
    /// A combat: the phasing player's units and theirs (HH-206).
    Fight(Group, Group),
    /// An attack on an independent general (HH-067).
    Attack(Group, u8),
    /// The unit of several whose factor and impact count (HH-204, HH-R15).
    Count(u8),
    /// Recoil (HH-218).
    Recoil(u8, Hex),
    /// Flee (HH-225); the path ends with a facing, or off the table.
    Flee(u8, Path),
    /// Give up a unit that has nowhere to go (HH-220).
    Yield(u8),
    /// Follow up (HH-231).
    Follow(u8, Hex, Facing),
    /// Do not follow up or pursue (HH-232, HH-233).
    Decline,
    /// Pursue to the end, then face this way (HH-236).
    Pursue(u8, Facing),
    /// The phase is done.
    End,
    /// A standing reply, given at any time by the unit's owner.
    Reply(u8, Reply),
    /// A ruling of the umpire, or of all by consent, about a unit.
    Rule(u8, Ruling),
    /// A ruling about a general: where he stands, or that he is lost.
    RuleGeneral(u8, Option<Hex>),
    /// A ruling that sets an option from here on.
    RuleOption(Setting),
    /// A ruling that ends the battle: who has won, or nobody.
    RuleEnd(Option<Side>),
}

/// What a ruling sets on a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Ruling {
    /// Where it stands.
    At(Hex),
    /// Where it looks.
    Facing(Facing),
    /// How many stands it has.
    Stands(u8),
    /// Whether it is disrupted.
    Disrupted(bool),
    /// Its impact state.
    Impact(Impact),
    /// It is taken off.
    Removed,
}

impl Command {
    /// The text form.
    #[must_use]
    pub fn text(&self, t: &Table) -> String {
        let u = |n: u8| t.label(n).to_owned();
        let g = |n: u8| t.leader_label(n).to_owned();
        let h = |x: Hex| t.hex(x);
        let many = |x: &Group| x.ids().iter().map(|&n| u(n)).collect::<Vec<_>>().join(" ");
        let three = |x: &[u8; 3]| x.iter().map(|&n| u(n)).collect::<Vec<_>>().join(" ");
        let path = |p: &Path| p.words().iter().map(|w| word_text(t, *w)).collect::<Vec<_>>().join(" ");
        let drop = |d: bool| if d { " drop" } else { "" };
        let join = |a: String, b: String| if b.is_empty() { a } else { format!("{a} {b}") };
        match self {
            Command::Roll => "roll".to_owned(),
            Command::Order(true) => "deploy first".to_owned(),
            Command::Order(false) => "deploy second".to_owned(),
            Command::Edge(true) => "edge south".to_owned(),
            Command::Edge(false) => "edge north".to_owned(),
            Command::Place(n, x, f, form, stakes) => format!(
                "place {} {} {} {}{}",
                u(*n),
                h(*x),
                f.word(),
                form.word(),
                if *stakes { " stakes" } else { "" }
            ),
            Command::Station(n, x) => format!("station {} {}", g(*n), h(*x)),
            Command::Begin(x) => format!("begin {}", three(x)),
            Command::Array => "array".to_owned(),
            Command::Ready => "ready".to_owned(),
            Command::Lead(n, x) => format!("lead {} {}", g(*n), h(*x)),
            Command::Challenge(a, b) => format!("challenge {} {}", g(*a), g(*b)),
            Command::Move(n, d, p) => join(format!("move {}{}", u(*n), drop(*d)), path(p)),
            Command::Step(n, d, x, f, form) => {
                format!("step {}{} {} {} {}", u(*n), drop(*d), h(*x), f.word(), form.word())
            }
            Command::Shift(n, f) => format!("shift {} {}", u(*n), f.word()),
            Command::Back(n, x) => format!("back {} {}", u(*n), h(*x)),
            Command::Combine(a, b, k) => format!("combine {} {} {k}", u(*a), u(*b)),
            Command::Merge(x) => format!("merge {}", three(x)),
            Command::Split(x, at) => format!("split {} {}", three(x), h(*at)),
            Command::Dismount(n) => format!("dismount {}", u(*n)),
            Command::Plant(n) => format!("plant {}", u(*n)),
            Command::Halt(n) => format!("halt {}", u(*n)),
            Command::Stampede(n) => format!("stampede {}", u(*n)),
            Command::Stand(n) => format!("stand {}", u(*n)),
            Command::Evade(n, p) => join(format!("evade {}", u(*n)), path(p)),
            Command::Withdraw(n, p) => join(format!("withdraw {}", u(*n)), path(p)),
            Command::Turn(n, f) => format!("turn {} {}", u(*n), f.word()),
            Command::Escape(n, x) => format!("escape {} {}", g(*n), h(*x)),
            Command::Stay(n) => format!("stay {}", g(*n)),
            Command::Displace(n, x) => format!("displace {} {}", u(*n), h(*x)),
            Command::Aside(n, x) => format!("aside {} {}", g(*n), h(*x)),
            Command::Shoot(n, x) => format!("shoot {} with {}", u(*n), many(x)),
            Command::Suppress(n, x) => format!("suppress {} with {}", u(*n), many(x)),
            Command::Hold(n) => format!("hold {}", u(*n)),
            Command::Release(n) => format!("release {}", u(*n)),
            Command::Fight(a, b) => format!("fight {} with {}", many(a), many(b)),
            Command::Attack(a, n) => format!("fight {} with {}", many(a), g(*n)),
            Command::Count(n) => format!("count {}", u(*n)),
            Command::Recoil(n, x) => format!("recoil {} {}", u(*n), h(*x)),
            Command::Flee(n, p) => join(format!("flee {}", u(*n)), path(p)),
            Command::Yield(n) => format!("yield {}", u(*n)),
            Command::Follow(n, x, f) => format!("follow {} {} {}", u(*n), h(*x), f.word()),
            Command::Decline => "decline".to_owned(),
            Command::Pursue(n, f) => format!("pursue {} {}", u(*n), f.word()),
            Command::End => "end".to_owned(),
            Command::Reply(n, r) => format!("reply {} {}", u(*n), r.word()),
            Command::Rule(n, r) => {
                let what = match r {
                    Ruling::At(x) => format!("at {}", h(*x)),
                    Ruling::Facing(f) => format!("facing {}", f.word()),
                    Ruling::Stands(k) => format!("stands {k}"),
                    Ruling::Disrupted(true) => "disrupted".to_owned(),
                    Ruling::Disrupted(false) => "steady".to_owned(),
                    Ruling::Impact(Impact::Fresh) => "fresh".to_owned(),
                    Ruling::Impact(Impact::Advancing) => "advancing".to_owned(),
                    Ruling::Impact(Impact::Spent) => "spent".to_owned(),
                    Ruling::Removed => "removed".to_owned(),
                };
                format!("rule {} {what}", u(*n))
            }
            Command::RuleGeneral(n, Some(x)) => format!("rule {} at {}", g(*n), h(*x)),
            Command::RuleGeneral(n, None) => format!("rule {} lost", g(*n)),
            Command::RuleOption(x) => format!("rule option {} {}", x.name(), x.value()),
            Command::RuleEnd(Some(s)) => format!("rule winner {}", s.letter()),
            Command::RuleEnd(None) => "rule winner draw".to_owned(),
        }
    }
}

/// One word of a path as text.
fn word_text(t: &Table, w: Word) -> String {
    match w {
        Word::To(x) => t.hex(x),
        Word::Face(f) => f.word().to_owned(),
        Word::Form(f) => f.word().to_owned(),
        Word::Off => "off".to_owned(),
    }
}

/// Whether a unit may have stakes at all.
#[must_use]
pub fn carries_stakes(t: &Table, u: u8) -> bool {
    t.profile(u).traits.has(Traits::STAKES)
}
