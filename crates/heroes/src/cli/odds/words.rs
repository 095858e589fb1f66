//! The words of an odds question: what is said of a unit after its name.

use crate::state::{Formation, Impact};
use crate::tables::{Border, Ground};
use game::{Problem, Problems};

/// Every word with what it means, as help and guide print it.
pub const WORDS: &str = "\
Two sides: units as LIST/NAME (roman/Legionaries, cut short where clear), up to six on one side and one on the other.
`with` (or v, vs, against, or nothing) between them: hand-to-hand. `at`: shooting at the one after it.
Words after a unit, in any order, for that unit:
  disrupted                 it is disrupted
  stands 3 (stands=3)       how many stands it has left
  line, column, block       its formation (block: a pike block)
  general, hero             a general, or a Hero General, is with it
  fresh (impact, charge)    its impact counts: the usual
  advancing                 it followed up last time; its impact counts
  spent (static)            its impact does not count any more
  dismounted                riders on foot
  woods town broken river ford bridge   the ground it stands on
  uphill (hill), height 2   it stands higher
  wall fieldwork hedge escarpment       it stands behind one, or above the escarpment
  stakes                    its stakes are planted before it
  pavises, dropped          its pavises are carried (usual for who has them), or dropped
  front flank rear          hand-to-hand: where the enemy is, seen from it; shooting: from where the target is shot at
  range 4 (range=4)         shooting: how far; usual is 2, or the shortest range if that is more; 1: it came into contact
  charging                  shooting: it has just come into contact (range 1)
";

const KNOWN: &[&str] = &[
    "disrupted",
    "stands",
    "line",
    "column",
    "block",
    "general",
    "hero",
    "fresh",
    "impact",
    "charge",
    "advancing",
    "spent",
    "static",
    "dismounted",
    "woods",
    "town",
    "broken",
    "river",
    "ford",
    "bridge",
    "open",
    "uphill",
    "hill",
    "height",
    "wall",
    "fieldwork",
    "hedge",
    "escarpment",
    "stakes",
    "pavises",
    "dropped",
    "front",
    "flank",
    "rear",
    "range",
    "charging",
    "at",
    "with",
];

/// Where an enemy is, seen from a unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum From {
    /// Before it.
    #[default]
    Front,
    /// On a flank.
    Flank,
    /// Behind it.
    Rear,
}

/// What is said of one unit.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks {
    pub disrupted: bool,
    pub stands: Option<u8>,
    pub formation: Option<Formation>,
    pub general: bool,
    pub hero: bool,
    pub impact: Option<Impact>,
    pub foot: bool,
    pub ground: Option<Ground>,
    pub height: Option<u8>,
    pub border: Option<Border>,
    pub stakes: bool,
    pub pavises: bool,
    pub dropped: bool,
    pub from: From,
    pub range: Option<u8>,
    pub charging: bool,
}

/// The two sides and whether it is shooting: at the first word between them, or before the second unit.
pub(super) fn split<'a>(words: &[&'a str]) -> Option<(Vec<&'a str>, Vec<&'a str>, bool)> {
    let low = |n: usize| words.get(n).map(|w| w.to_ascii_lowercase()).unwrap_or_default();
    let between = (0..words.len()).find(|&n| match low(n).as_str() {
        "with" | "v" | "vs" | "against" => true,
        // `at range 4` is no `at`
        "at" => !low(n + 1).starts_with("range"),
        _ => false,
    });
    if let Some(n) = between {
        return Some((words[..n].to_vec(), words[n + 1..].to_vec(), low(n) == "at"));
    }
    let units: Vec<usize> = (0..words.len()).filter(|&n| words[n].contains('/')).collect();
    let &[_, second] = &units[..] else { return None };
    Some((words[..second].to_vec(), words[second..].to_vec(), false))
}

impl Marks {
    /// Reads the first words of what follows a unit; gives what is left.
    pub(super) fn read<'w, 'a>(&mut self, words: &'w [&'a str]) -> Result<&'w [&'a str], Problems> {
        let Some((first, mut rest)) = words.split_first() else { return Ok(words) };
        let low = first.to_ascii_lowercase();
        let (key, joined) = match low.split_once('=') {
            Some((k, v)) => (k, Some(v.to_owned())),
            None => (low.as_str(), None),
        };
        let mut number = |least: u8, most: u8| {
            let word = match &joined {
                Some(v) => v.clone(),
                None => match rest.split_first() {
                    Some((w, more)) => {
                        rest = more;
                        (*w).to_owned()
                    }
                    None => String::new(),
                },
            };
            match word.parse::<u8>() {
                Ok(n) if (least..=most).contains(&n) => Ok(Some(n)),
                _ => Err(vec![
                    Problem::new(format!("{key} {word}: a number from {least} to {most} is wanted"))
                        .hint(format!("like: {key} {}", least.max(2))),
                ]),
            }
        };
        match key {
            "stands" => self.stands = number(1, 12)?,
            "range" => self.range = number(1, 12)?,
            "height" => self.height = number(0, 9)?,
            _ if joined.is_some() => return Err(unread(first)),
            "at" if rest.first().is_some_and(|w| w.to_ascii_lowercase().starts_with("range")) => {}
            "disrupted" => self.disrupted = true,
            "line" => self.formation = Some(Formation::Line),
            "column" => self.formation = Some(Formation::Column),
            "block" => self.formation = Some(Formation::Block),
            "general" => self.general = true,
            "hero" => self.hero = true,
            "fresh" | "impact" | "charge" | "charged" => self.impact = Some(Impact::Fresh),
            "advancing" => self.impact = Some(Impact::Advancing),
            "spent" | "static" => self.impact = Some(Impact::Spent),
            "charging" => {
                self.charging = true;
                self.impact = Some(Impact::Fresh);
            }
            "dismounted" | "on-foot" => self.foot = true,
            "open" | "clear" => self.ground = None,
            "woods" | "wood" => self.ground = Some(Ground::Woods),
            "town" | "bua" | "built-up" => self.ground = Some(Ground::Town),
            "broken" => self.ground = Some(Ground::Broken),
            "river" => self.ground = Some(Ground::River),
            "ford" => self.ground = Some(Ground::Ford),
            "bridge" => self.ground = Some(Ground::Bridge),
            "uphill" | "hill" | "upslope" | "up-slope" => self.height = Some(1),
            "wall" | "rampart" => self.border = Some(Border::Wall),
            "fieldwork" | "hedge" | "ditch" => self.border = Some(Border::Fieldwork),
            "escarpment" => self.border = Some(Border::Escarpment),
            "stakes" => self.stakes = true,
            "pavises" | "pavise" => self.pavises = true,
            "dropped" => self.dropped = true,
            "front" => self.from = From::Front,
            "flank" => self.from = From::Flank,
            "rear" => self.from = From::Rear,
            _ => return Err(unread(first)),
        }
        Ok(rest)
    }
}

fn unread(word: &str) -> Problems {
    let problem = Problem::new(format!("`{word}` is not read")).meant(word, KNOWN.iter().copied());
    let problem = if problem.hint.is_some() {
        problem
    } else {
        problem.hint("`muster odds heroes --words` has them all")
    };
    vec![problem]
}
