//! What happened, with every figure needed to tell it.

use crate::attack::Struck;
use crate::command::{Bout, Hold, Reaction};
use crate::damage::Place;
pub use crate::event_note::Note;
use crate::roll::{Degrees, Score};
use crate::rule::{Factor, Rule};
use crate::unit::{Action, Status};
use rulebook::rule;
use std::fmt::Write as _;
use std::sync::Arc;

/// A label, shared.
pub type Label = Arc<str>;

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// Turn order is known.
    Order(Vec<(Label, i32)>),
    /// A Round begins.
    Round(u32),
    /// A turn begins.
    Turn {
        /// Whose.
        who: Label,
        /// Magnitude Bonus and ranged attacks of a Horde's turn (HC-204).
        horde: Option<(i32, i32)>,
    },
    /// An attack was rolled, or its outcome told.
    ToHit {
        /// Who.
        by: Label,
        /// Whom.
        at: Label,
        /// Action.
        action: Action,
        /// Weapon.
        weapon: Arc<str>,
        /// The number to roll under; `None` if nothing was rolled.
        score: Option<Score>,
        /// d100.
        roll: Option<u16>,
        /// How it came out.
        struck: Struck,
        /// Whether the target is a Horde.
        on_horde: bool,
    },
    /// A Blast missed, and the option leaves it to the game master.
    Scatter {
        /// Who.
        by: Label,
        /// Whom.
        at: Label,
    },
    /// An Evasion Test.
    Evasion {
        /// Who.
        who: Label,
        /// Whose attack.
        from: Label,
        /// How.
        with: Reaction,
        /// The number.
        score: Score,
        /// d100.
        roll: u16,
        /// How it came out.
        degrees: Degrees,
        /// Hits left.
        left: i32,
    },
    /// HC-042: he cannot leave the area, so no Evasion helps.
    Confined {
        /// Who.
        who: Label,
        /// Whose attack.
        from: Label,
        /// Metres he would have to go.
        must: i32,
        /// Metres he may.
        may: i32,
    },
    /// Hits on a Horde after multipliers.
    Hits {
        /// Who.
        by: Label,
        /// Whom.
        at: Label,
        /// Base hits.
        base: i32,
        /// Each step, with the hits after it.
        steps: Vec<Factor>,
        /// 1d5 of Flame.
        flame: Option<u16>,
        /// Hits.
        hits: i32,
    },
    /// One Damage roll.
    Damage {
        /// Who.
        by: Label,
        /// Whom.
        at: Label,
        /// Dice thrown; empty if the damage was told.
        faces: Vec<u16>,
        /// Dice that count.
        kept: Vec<u16>,
        /// What is added to them.
        flat: i32,
        /// Damage.
        damage: i32,
        /// What it must exceed.
        soak: i32,
        /// Place, against a single figure.
        place: Option<Place>,
        /// Magnitude or wounds.
        lost: i32,
        /// How many hits this roll decides.
        hits: i32,
        /// What of the addition is Scatter's (HC-078).
        scatter: i32,
    },
    /// A natural 10 (HC-053): result on the critical table, or one wound in spite of soak.
    Hatred {
        /// Who.
        by: Label,
        /// Whom.
        at: Label,
        /// 1d5 where the attack hurt.
        critical: Option<u16>,
    },
    /// A Spray's first die shows a 9 (HC-070).
    SprayJam {
        /// Who.
        by: Label,
    },
    /// Magnitude lost or regained.
    Magnitude {
        /// Who.
        who: Label,
        /// Lost; regained if negative.
        lost: i32,
        /// Left.
        left: i32,
        /// By the talent of HC-127.
        talent: Option<Factor>,
    },
    /// Wounds lost or regained.
    Wounds {
        /// Who.
        who: Label,
        /// Lost; regained if negative.
        lost: i32,
        /// Left.
        left: i32,
        /// Critical Damage in all.
        critical: i32,
        /// The players' side, so that players may know.
        heretic: bool,
    },
    /// A quarter has been lost: a Test will come.
    Due {
        /// Who.
        who: Label,
        /// Lost.
        loss: i32,
        /// Of.
        base: i32,
    },
    /// The Test against breaking.
    BreakTest {
        /// Who.
        who: Label,
        /// The number.
        score: Score,
        /// d100.
        roll: u16,
        /// Holds.
        holds: bool,
    },
    /// It broke.
    Broke {
        /// Who.
        who: Label,
        /// By which rule.
        rule: Rule,
    },
    /// HC-198: instead of breaking.
    Tide {
        /// Who.
        who: Label,
    },
    /// Out of the fight.
    Out {
        /// Who.
        who: Label,
        /// How.
        status: Status,
        /// By which rule.
        rule: Rule,
    },
    /// A Fear Test.
    Fear {
        /// Who.
        who: Label,
        /// Rating.
        rating: i32,
        /// The number; `None` if immune.
        score: Option<Score>,
        /// d100.
        roll: Option<u16>,
        /// How it came out.
        degrees: Option<Degrees>,
        /// Shock roll with its additions, and the words of its band.
        shock: Option<(u16, i32, Arc<str>)>,
        /// Rounds out of action.
        rounds: Option<u16>,
    },
    /// A Pinning Test.
    Pinning {
        /// Who.
        who: Label,
        /// Whose fire.
        by: Label,
        /// The number; `None` if immune.
        score: Option<Score>,
        /// d100, the second one of Nerves of Steel.
        rolls: Vec<u16>,
        /// Pinned.
        pinned: bool,
    },
    /// A Stun that hit.
    Stun {
        /// Who.
        by: Label,
        /// Whom.
        at: Label,
        /// 1d10.
        die: u16,
        /// What is added, each named.
        adds: Vec<Factor>,
        /// The sum.
        total: i32,
        /// What it is compared with.
        versus: i32,
        /// Rounds of Stun; `None` if nothing happens.
        rounds: Option<i32>,
    },
    /// Held in a Grapple.
    Held {
        /// Who.
        by: Label,
        /// Whom.
        at: Label,
    },
    /// Free again.
    Free {
        /// Who.
        who: Label,
    },
    /// An Opposed Test in a Grapple.
    Opposed {
        /// Holder.
        by: Label,
        /// Held.
        at: Label,
        /// Both numbers.
        scores: [Score; 2],
        /// Both rolls.
        rolls: [u16; 2],
        /// Who wins, by how much; `None`: nobody.
        winner: Option<(Label, i32)>,
        /// What it is about.
        what: Bout,
    },
    /// On the ground, or up again.
    Prone {
        /// Who.
        who: Label,
        /// Down.
        down: bool,
    },
    /// Takes up a weapon, or has it no more.
    Arms {
        /// Who.
        who: Label,
        /// Which.
        weapon: Arc<str>,
        /// Takes it up.
        gains: bool,
    },
    /// A magazine is empty.
    Empty {
        /// Whose.
        who: Label,
        /// Which weapon.
        weapon: Arc<str>,
        /// Shots left: 0, or below it if more was fired than there was.
        left: i32,
    },
    /// Changes a magazine.
    Reloads {
        /// Who.
        who: Label,
        /// Which weapon.
        weapon: Arc<str>,
        /// Shots in it.
        clip: i32,
    },
    /// Clears a jam.
    Unjams {
        /// Who.
        who: Label,
        /// Which weapon.
        weapon: Arc<str>,
    },
    /// Got over something.
    Recovered {
        /// Who.
        who: Label,
        /// From what.
        from: &'static str,
        /// The number.
        score: Score,
        /// d100.
        roll: u16,
        /// Yes or no.
        free: bool,
    },
    /// Aims.
    Aims {
        /// Who.
        who: Label,
        /// Bonus.
        bonus: i32,
    },
    /// Takes the Defensive Stance.
    Defends {
        /// Who.
        who: Label,
    },
    /// In or out of reach.
    Reach {
        /// The Horde.
        horde: Label,
        /// Who.
        with: Label,
        /// In.
        on: bool,
    },
    /// Acts although it is not his turn, by the game master's word.
    OutOfTurn {
        /// Who.
        who: Label,
    },
    /// HC-201: a ruling gave a turn away, and these, who come before it in the order, have theirs still to come.
    StillToAct {
        /// Who.
        who: Vec<Label>,
    },
    /// Dice that were named and that nothing wanted.
    Spare {
        /// Who named them, or for whom.
        who: Label,
        /// The dice.
        dice: Vec<u16>,
    },
    /// Something besides, mostly for the game master alone.
    Note {
        /// Of whom.
        who: Label,
        /// What.
        note: Note,
    },
    /// Why something is as it was told.
    Reason {
        /// What was told, in words.
        words: String,
        /// Why.
        because: String,
    },
    /// The game master ruled.
    Ruled {
        /// In words.
        words: String,
        /// Why.
        because: String,
    },
}

fn sum(score: &Score) -> String {
    let mut out = format!("{} {}", score.of, score.base);
    for f in &score.factors {
        if f.value != 0 {
            let name = if f.name.is_empty() { "modifier" } else { &f.name };
            _ = write!(out, " {:+} {name} ({})", f.value, f.rule);
        }
    }
    if score.is_clamped() {
        _ = write!(out, ", modifiers limited to {:+} ({})", score.sum, rule!("HC-004"));
    }
    _ = write!(out, " = {}", score.target);
    out
}

pub(crate) fn plural(n: i32, one: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") }
}

pub(crate) fn dice_words(n: usize) -> String {
    if n == 1 { "1 die".to_owned() } else { format!("{n} dice") }
}

pub(crate) fn list(faces: &[u16]) -> String {
    faces.iter().map(u16::to_string).collect::<Vec<_>>().join(", ")
}

pub(crate) fn reaction(with: Reaction) -> &'static str {
    match with {
        Reaction::Dodge => "dodge",
        Reaction::Parry => "parry",
        Reaction::None => "none",
    }
}

impl Event {
    /// The word by which its kind is known.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Order(_) => "order",
            Self::Round(_) => "round",
            Self::Turn { .. } => "turn",
            Self::ToHit { .. } => "to_hit",
            Self::Scatter { .. } => "scatter",
            Self::Evasion { .. } => "evasion",
            Self::Confined { .. } => "confined",
            Self::Hits { .. } => "hits",
            Self::Damage { .. } => "damage",
            Self::Hatred { .. } => "hatred",
            Self::SprayJam { .. } => "jam",
            Self::Magnitude { .. } => "magnitude",
            Self::Wounds { .. } => "wounds",
            Self::Due { .. } => "due",
            Self::BreakTest { .. } => "break_test",
            Self::Broke { .. } => "broke",
            Self::Tide { .. } => "tide",
            Self::Out { .. } => "out",
            Self::Fear { .. } => "fear",
            Self::Pinning { .. } => "pinning",
            Self::Stun { .. } => "stun",
            Self::Held { .. } => "held",
            Self::Free { .. } => "free",
            Self::Opposed { .. } => "opposed",
            Self::Recovered { .. } => "recovered",
            Self::Aims { .. } => "aims",
            Self::Defends { .. } => "defends",
            Self::Prone { .. } => "prone",
            Self::Arms { .. } => "arms",
            Self::Empty { .. } => "empty",
            Self::Reloads { .. } => "reloads",
            Self::Unjams { .. } => "unjams",
            Self::Reach { .. } => "reach",
            Self::OutOfTurn { .. } => "out_of_turn",
            Self::StillToAct { .. } => "still_to_act",
            Self::Spare { .. } => "spare",
            Self::Note { .. } => "note",
            Self::Reason { .. } => "reason",
            Self::Ruled { .. } => "ruling",
        }
    }

    /// As a sentence, for whoever may know all of it.
    pub fn tell(&self) -> String {
        match self {
            Self::Order(all) => {
                let all: Vec<String> = all.iter().map(|(l, i)| format!("{l} {i}")).collect();
                format!("Turn order: {}.", all.join(", "))
            }
            Self::Round(n) => format!("Round {n}."),
            Self::Turn { who, horde: None } => format!("{who} acts."),
            Self::Turn { who, horde: Some((mb, shots)) } => {
                format!("{who} acts: Magnitude Bonus {mb}, {}.", plural(*shots, "ranged attack"))
            }
            Self::ToHit { by, at, action, weapon, score, roll, struck, .. } => {
                let what = format!("{by} at {at}, {} with {weapon}", action.word());
                let outcome = if struck.jam {
                    format!("jams ({})", rule!("HC-024"))
                } else if struck.hits > 0 {
                    format!("{}, {}", plural(struck.degrees.degrees, "degree"), plural(struck.hits, "hit"))
                } else {
                    "misses".to_owned()
                };
                match (score, roll) {
                    (Some(s), Some(r)) => format!("{what}: {}; rolls {r}: {outcome}.", sum(s)),
                    _ => format!("{what}: {outcome}."),
                }
            }
            Self::Scatter { by, at } => {
                format!(
                    "{by} misses {at}; whether the scatter lands in the crowd is the game master's to say ({}).",
                    rule!("HC-134")
                )
            }
            Self::Evasion { who, from, with, score, roll, degrees, left } => {
                let word = if degrees.success { "succeeds" } else { "fails" };
                format!(
                    "{who} tries to {} {from}: {}; rolls {roll} and {word}: {} left.",
                    reaction(*with),
                    sum(score),
                    plural(*left, "hit")
                )
            }
            Self::Confined { who, from, must, may } => format!(
                "{who} cannot get out of the area of {from}'s attack, {must} m with a move of {may} m: no Evasion helps ({}).",
                rule!("HC-042")
            ),
            Self::Hits { by, at, base, steps, flame, hits } => {
                let mut out = format!("{by} on {at}: {}", plural(*base, "hit"));
                for s in steps {
                    _ = write!(out, ", {} makes {} ({})", s.name, s.value, s.rule);
                }
                if let Some(d) = flame {
                    _ = write!(out, ", 1d5 showed {d}");
                }
                format!("{out}: {} in all.", plural(*hits, "hit"))
            }
            Self::Damage { at, faces, kept, flat, damage, soak, place, lost, hits, scatter, .. } => {
                let mut out = if faces.is_empty() {
                    format!("Damage {damage}")
                } else {
                    let all = if faces.len() == kept.len() {
                        list(faces)
                    } else {
                        format!("{} (counting {})", list(faces), list(kept))
                    };
                    let scattered = match scatter {
                        0 => String::new(),
                        n => format!(" {n:+} Scatter ({})", rule!("HC-078")),
                    };
                    format!("Damage {all} {:+}{scattered} = {damage}", flat - scatter)
                };
                _ = write!(out, " against soak {soak}");
                if let Some(p) = place {
                    _ = write!(out, " ({})", p.word());
                }
                if *hits > 1 {
                    _ = write!(out, ", for {}", plural(*hits, "hit"));
                }
                match place {
                    Some(_) if *lost == 0 => format!("{out}: nothing ({}).", rule!("HC-050")),
                    None if *lost == 0 => format!("{out}: nothing ({}).", rule!("HC-121")),
                    Some(_) => format!("{out}: {} off {at}.", plural(*lost, "wound")),
                    None => format!("{out}: {lost} Magnitude off {at} ({}).", rule!("HC-121")),
                }
            }
            Self::Hatred { by, at, critical: Some(d) } => {
                format!(
                    "A natural 10: {by} adds result {d} of the critical table on {at} ({}).",
                    rule!("HC-053")
                )
            }
            Self::Hatred { at, critical: None, .. } => {
                format!("A natural 10: 1 to {at} in spite of soak ({}).", rule!("HC-053"))
            }
            Self::SprayJam { by } => format!(
                "The first Damage die shows a 9: the weapon of {by} jams after this ({}).",
                rule!("HC-070")
            ),
            Self::Magnitude { who, lost, left, talent } => {
                let why =
                    talent.as_ref().map_or_else(String::new, |t| format!(" by {} ({})", t.name, t.rule));
                if *lost >= 0 {
                    format!("{who} loses {lost} Magnitude{why}: {left} left.")
                } else {
                    format!("{who} regains {} Magnitude{why}: {left} now.", -lost)
                }
            }
            Self::Wounds { who, lost, left, critical, .. } => {
                let crit = if *critical > 0 { format!(", {critical} critical") } else { String::new() };
                if *lost == 0 {
                    format!("{who} has as many wounds as before: {left} left{crit}.")
                } else if *lost > 0 {
                    format!("{who} takes {}: {left} left{crit}.", plural(*lost, "wound"))
                } else {
                    format!("{who} regains {}: {left} left{crit}.", plural(-lost, "wound"))
                }
            }
            Self::Due { who, loss, base } => {
                format!(
                    "{who} has lost {loss} of {base}, a quarter or more: it owes a Willpower Test ({}).",
                    rule!("HC-140")
                )
            }
            Self::BreakTest { who, score, roll, holds } => {
                format!(
                    "{who} tests: {}; rolls {roll}: it {}.",
                    sum(score),
                    if *holds { "holds" } else { "fails" }
                )
            }
            Self::Broke { who, rule } => format!("{who} breaks and runs ({rule})."),
            Self::Tide { who } => {
                format!("{who} would break; it becomes Fearless and Frenzied instead ({}).", rule!("HC-198"))
            }
            Self::Out { who, status, rule } => format!("{who} is {} ({rule}).", status.word()),
            Self::Fear { who, rating, score, roll, degrees, shock, rounds } => match (score, roll, degrees) {
                (Some(s), Some(r), Some(d)) => {
                    let mut out = format!(
                        "{who} faces Fear ({rating}): {}; rolls {r} and {}",
                        sum(s),
                        if d.success { "holds." } else { "fails" }
                    );
                    if let Some((die, total, words)) = shock {
                        _ = write!(out, ", Shock {die} makes {total}: {words} ({})", rule!("HC-088"));
                        if let Some(n) = rounds {
                            _ = write!(out, " ({})", plural(i32::from(*n), "Round"));
                        }
                        out.push('.');
                    } else if !d.success {
                        out.push('.');
                    }
                    out
                }
                _ => format!("{who} knows no Fear."),
            },
            Self::Pinning { who, by, score, rolls, pinned } => match score {
                Some(s) => format!(
                    "{who} under fire of {by}: {}; rolls {}: {}.",
                    sum(s),
                    list(rolls),
                    if *pinned { "Pinned" } else { "not Pinned" }
                ),
                None => format!("{who} cannot be Pinned."),
            },
            Self::Stun { by, at, die, adds, total, versus, rounds } => {
                let mut out = format!("{by} stuns {at}: {die}");
                for f in adds {
                    _ = write!(out, " {:+} {} ({})", f.value, f.name, f.rule);
                }
                let what = match rounds {
                    Some(n) => format!("Stunned for {}, 1 Fatigue", plural(*n, "Round")),
                    None => "nothing".to_owned(),
                };
                format!("{out} = {total} against {versus}: {what}.")
            }
            Self::Held { by, at } => format!("{by} holds {at} ({}).", rule!("HC-180")),
            Self::Free { who } => format!("{who} is free."),
            Self::Opposed { by, at, scores, rolls, winner, what } => {
                let end = match winner {
                    Some((w, n)) => format!("{w} wins by {n}"),
                    None => "nobody wins".to_owned(),
                };
                let what = match what {
                    Bout::Hold(Hold::Squeeze) => "wrestle to hurt him",
                    Bout::Hold(Hold::Throw) => "wrestle to throw him",
                    Bout::Hold(Hold::Disarm) => "wrestle for his weapon",
                    Bout::Hold(Hold::Push) => "wrestle to push him",
                    Bout::Hold(Hold::Keep) => "wrestle to keep him",
                    Bout::Free => "wrestle to get free",
                    Bout::Control => "wrestle for control",
                    Bout::Feint => "match skill in a Feint (HC-020)",
                    Bout::KnockDown => "match strength for a Knock Down (HC-020)",
                };
                format!(
                    "{by} and {at} {what}: {}, rolls {}; {}, rolls {}: {end}.",
                    sum(&scores[0]),
                    rolls[0],
                    sum(&scores[1]),
                    rolls[1]
                )
            }
            Self::Recovered { who, from, score, roll, free } => {
                format!(
                    "{who} tests to get over {from}: {}; rolls {roll}: {}.",
                    sum(score),
                    if *free { "yes" } else { "not yet" }
                )
            }
            Self::Aims { who, bonus } => format!("{who} aims: {bonus:+} on the next attack."),
            Self::Defends { who } => {
                format!(
                    "{who} takes the Defensive Stance: one more Reaction, harder to hit ({}).",
                    rule!("HC-020")
                )
            }
            Self::Prone { who, down: true } => format!("{who} lies prone ({}).", rule!("HC-026")),
            Self::Prone { who, down: false } => format!("{who} stands up."),
            Self::Arms { who, weapon, gains: true } => format!("{who} takes up {weapon}."),
            Self::Arms { who, weapon, gains: false } => format!("{who} has {weapon} no more."),
            Self::Empty { who, weapon, left } if *left < 0 => {
                format!("The {weapon} of {who} had {} too few for that.", plural(-left, "shot"))
            }
            Self::Empty { who, weapon, .. } => format!("The {weapon} of {who} is empty."),
            Self::Reloads { who, weapon, clip } => {
                format!("{who} reloads {weapon}: {}.", plural(*clip, "shot"))
            }
            Self::Unjams { who, weapon } => format!("{who} clears {weapon}."),
            Self::Reach { horde, with, on: true } => format!("{with} is within reach of {horde}."),
            Self::Reach { horde, with, on: false } => format!("{with} is out of reach of {horde}."),
            Self::OutOfTurn { who } => {
                format!("{who} acts out of turn, by the game master's word ({}).", rule!("HC-201"))
            }
            Self::StillToAct { who } => format!(
                "{} {} still to act in this Round ({}).",
                who.join(", "),
                if who.len() == 1 { "has" } else { "have" },
                rule!("HC-201")
            ),
            Self::Spare { who, dice } => format!(
                "{who}: {} not wanted: {}.",
                if dice.len() == 1 { "a die was" } else { "dice were" },
                list(dice)
            ),
            Self::Note { who, note } => note.tell(who),
            Self::Reason { words, because } => format!("{words}, because {because}."),
            Self::Ruled { words, because } if because.is_empty() => format!("Ruling: {words}."),
            Self::Ruled { words, because } => format!("Ruling: {words}, because {because}."),
        }
    }
}
