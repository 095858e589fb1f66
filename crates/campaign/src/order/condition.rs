//! Conditions: `invaded by two or more and not spring`.

use super::ast::{Compare, Cond, Verb};
use super::phrase::{Cursor, Read};
use crate::ids::BodyId;
use crate::state::Season;
use rulebook::rule;

/// Words that a condition may begin with, for hints.
const HINT: &str = "conditions are: invaded by two; invaders >= 2; invading AP > 12; Basalt invades; an ally arrives; \
                    spring; A2 wins; A2 retreats; Oakford is ours; A1 has at least 12 AP; allied with Basalt";

impl Cursor<'_> {
    /// A whole condition.
    pub(crate) fn condition(&mut self) -> Read<Cond> {
        self.any_of(0)
    }

    /// Conditions nest this deep at most, so that no text can exhaust the stack.
    const DEEPEST: u32 = 32;

    fn any_of(&mut self, depth: u32) -> Read<Cond> {
        if depth > Self::DEEPEST {
            return Err(self.wrong("the conditions nest too deep"));
        }
        let mut list = vec![self.all_of(depth)?];
        while self.eat(&["or", "||"]) {
            list.push(self.all_of(depth)?);
        }
        Ok(if list.len() == 1 { list.swap_remove(0) } else { Cond::Or(list) })
    }

    fn all_of(&mut self, depth: u32) -> Read<Cond> {
        let mut list = vec![self.not(depth)?];
        loop {
            let before = self.at;
            if !self.eat(&["and", "&&", "&"]) {
                break;
            }
            self.skip(&["if"]);
            // "defend if invaded by one army and retreat if invaded by two": the second is no condition.
            match self.not(depth) {
                Ok(cond) => list.push(cond),
                Err(problem) => {
                    if super::line::is_act(self.word_at_index(before + 1)) {
                        self.at = before;
                        break;
                    }
                    return Err(problem);
                }
            }
        }
        Ok(if list.len() == 1 { list.swap_remove(0) } else { Cond::And(list) })
    }

    fn word_at_index(&self, n: usize) -> &str {
        self.tokens.get(n).map_or("", |t| t.text.as_str())
    }

    fn not(&mut self, depth: u32) -> Read<Cond> {
        if self.eat(&["not", "!"]) {
            let next = depth + 1;
            if next > Self::DEEPEST {
                return Err(self.wrong("the conditions nest too deep"));
            }
            return Ok(Cond::Not(Box::new(self.not(next)?)));
        }
        if self.eat(&["("]) {
            let cond = self.any_of(depth + 1)?;
            if !self.eat(&[")"]) {
                return Err(self.wrong(format!("a ) is wanted, and {}", self.found())));
            }
            return Ok(cond);
        }
        self.atom()
    }

    fn atom(&mut self) -> Read<Cond> {
        self.skip(&["we", "i", "it", "are", "am", "is", "be", "being", "season", "in", "="]);
        if let Some(season) = season(self.word()) {
            self.at += 1;
            return Ok(Cond::Season(season));
        }
        if self.eat(&["uninvaded"]) {
            return Ok(Cond::Not(Box::new(Cond::Invaders(Compare::AtLeast, 1))));
        }
        if self.eat(&["invaded", "attacked"]) {
            return self.invaded();
        }
        if self.eat(&["allied"]) {
            self.skip(&["with", "to"]);
            return Ok(Cond::Allied(self.nation()?));
        }
        if self.eat(&["win", "won", "victorious"]) {
            return self.mine(Cond::Won);
        }
        if self.eat(&["lose", "lost", "beaten", "defeated"]) {
            return self.mine(Cond::Lost);
        }
        if let Some(cond) = self.counted()? {
            return Ok(cond);
        }
        if self.eat_all(&["an", "ally"]) || self.eat(&["ally", "allies", "help"]) {
            self.skip(&["army"]);
            if self.eat(&["arrives", "arrive", "comes", "come", "helps", "joins", "arrived"]) {
                return Ok(Cond::AllyArrives(None));
            }
            return Err(self.wrong(format!("arrives is wanted, and {}", self.found())));
        }
        if let Some(body) = self.try_body()? {
            return self.about_body(body);
        }
        if let Some(nation) = self.nation_then_verb()? {
            return Ok(nation);
        }
        if let Some(place) = self.try_place()? {
            return self.about_place(place);
        }
        let problem = self.wrong(format!("a condition is wanted, and {}", self.found()));
        Err(problem.by(rule!("CAM-043")).hint(HINT))
    }

    fn mine(&self, make: impl Fn(BodyId) -> Cond) -> Read<Cond> {
        match self.me {
            Some(me) => Ok(make(me)),
            None => Err(self.wrong("whose battle is meant?").hint("write A2 wins")),
        }
    }

    /// After "invaded": by how many, with how many AP, by whom.
    fn invaded(&mut self) -> Read<Cond> {
        if !self.eat(&["by"]) {
            return Ok(Cond::Invaders(Compare::AtLeast, 1));
        }
        let start = self.at;
        if let Some((how, n)) = self.compare() {
            if self.eat(&["ap", "points"]) {
                return Ok(Cond::InvaderAp(how, n));
            }
            let unit = self.eat(&["army", "armies", "invader", "invaders", "enemy", "enemies"]);
            // "by an army of Basalt", "by a Basalt army"
            if unit && self.eat(&["of", "from"]) && n == 1 {
                return Ok(Cond::InvadedBy(self.nation()?));
            }
            if unit || !matches!(self.tokens.get(start).map(|t| t.text.as_str()), Some("a" | "an")) {
                return Ok(Cond::Invaders(how, n));
            }
        }
        self.skip(&["a", "an", "any"]);
        if self.eat(&["army", "armies", "anybody", "anyone", "enemies"]) {
            return Ok(Cond::Invaders(Compare::AtLeast, 1));
        }
        let nation = self.nation()?;
        self.skip(&["army", "armies"]);
        Ok(Cond::InvadedBy(nation))
    }

    /// `invaders >= 2`, `invading AP > 12`, `two armies invade`, `at least 12 AP invade`.
    fn counted(&mut self) -> Read<Option<Cond>> {
        let start = self.at;
        self.skip(&["number", "of", "the"]);
        let ap_first = self.eat(&["ap"]);
        self.skip(&["of", "the"]);
        let named = self.eat(&["invaders", "invader", "invading", "enemies", "enemy"]);
        if named || ap_first {
            let ap = ap_first || self.eat(&["ap"]);
            self.skip(&["armies", "army", "number", "are", "is", "have", "has"]);
            if let Some((how, n)) = self.compare() {
                let ap = self.eat(&["ap"]) || ap;
                return Ok(Some(if ap { Cond::InvaderAp(how, n) } else { Cond::Invaders(how, n) }));
            }
            if named && (self.eat(&["come", "comes", "arrive", "arrives"]) || !ap) {
                return Ok(Some(Cond::Invaders(Compare::AtLeast, 1)));
            }
            self.at = start;
            return Ok(None);
        }
        self.at = start;
        if let Some((how, n)) = self.compare() {
            let ap = self.eat(&["ap"]);
            let unit = ap || self.eat(&["armies", "army", "invaders", "invader", "invading"]);
            let verb =
                self.eat(&["invade", "invades", "come", "comes", "attack", "attacks", "armies", "army"]);
            if unit || verb {
                return Ok(Some(if ap { Cond::InvaderAp(how, n) } else { Cond::Invaders(how, n) }));
            }
        }
        self.at = start;
        Ok(None)
    }

    fn nation_then_verb(&mut self) -> Read<Option<Cond>> {
        let start = self.at;
        let guessed = self.guesses.len();
        let Ok(Some(nation)) = self.try_nation() else {
            self.at = start;
            return Ok(None);
        };
        self.skip(&["army", "armies", "is", "are"]);
        if self.eat(&["invades", "invade", "attacks", "attack", "invading"]) {
            return Ok(Some(Cond::InvadedBy(nation)));
        }
        if self.eat(&["arrives", "arrive", "comes", "come", "helps", "joins"]) {
            return Ok(Some(Cond::AllyArrives(Some(nation))));
        }
        if self.eat(&["allied"]) {
            return Ok(Some(Cond::Allied(nation)));
        }
        if self.eat(&["holds", "owns", "has"]) {
            let place = self.place()?;
            return Ok(Some(Cond::Holds(place, nation)));
        }
        // Not about a nation after all: perhaps a place with a like name.
        self.guesses.truncate(guessed);
        self.at = start;
        Ok(None)
    }

    fn about_body(&mut self, body: BodyId) -> Read<Cond> {
        self.skip(&["is", "has", "will", "have", "with"]);
        if self.eat(&["wins", "won", "win", "victorious"]) {
            return Ok(Cond::Won(body));
        }
        if self.eat(&["loses", "lost", "lose", "beaten", "defeated"]) {
            return Ok(Cond::Lost(body));
        }
        if self.eat(&["retreats", "retreat", "retreated"]) {
            return Ok(Cond::Does(body, Verb::Retreats));
        }
        if self.eat(&["moves", "move", "marches", "leaves", "invades"]) {
            return Ok(Cond::Does(body, Verb::Moves));
        }
        if self.eat(&["defends", "defend", "holds", "stays", "fights"]) {
            return Ok(Cond::Does(body, Verb::Defends));
        }
        if self.eat_all(&["stands", "siege"]) || self.eat_all(&["stand", "siege"]) || self.eat(&["besieged"])
        {
            return Ok(Cond::Does(body, Verb::StandsSiege));
        }
        if let Some((how, n)) = self.compare() {
            self.skip(&["ap"]);
            return Ok(Cond::Strength(body, how, n));
        }
        let problem = self.wrong(format!("what {} does is wanted, and {}", body.short(), self.found()));
        Err(problem.hint("wins, loses, retreats, moves, defends, stands siege, has at least 12 AP"))
    }

    fn about_place(&mut self, place: crate::ids::PlaceId) -> Read<Cond> {
        self.skip(&["is", "held", "owned", "by", "still"]);
        if self.eat(&["ours", "mine", "own", "our"]) {
            return Ok(Cond::Holds(place, self.known.nation));
        }
        if self.eat(&["neutral", "free"]) {
            return Ok(Cond::Neutral(place));
        }
        if let Some(nation) = self.try_nation()? {
            return Ok(Cond::Holds(place, nation));
        }
        let problem = self.wrong(format!("whose {place} is is wanted, and {}", self.found()));
        Err(problem.hint(format!("{place} is ours, {place} is neutral, {place} is held by NATION")))
    }
}

fn season(word: &str) -> Option<Season> {
    match word {
        "spring" => Some(Season::Spring),
        "summer" => Some(Season::Summer),
        "autumn" | "fall" => Some(Season::Autumn),
        _ => None,
    }
}
