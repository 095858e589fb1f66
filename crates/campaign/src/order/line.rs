//! The order of a body: acts, clauses, and their alternatives.

use super::ast::{Act, BodyOrder, Chain, Cond, Item};
use super::phrase::{Cursor, Read};
use crate::ids::BodyId;
use rulebook::rule;

/// Words that an act may begin with.
const ACTS: [&str; 40] = [
    "move", "moves", "march", "marches", "go", "goes", "attack", "attacks", "invade", "invades", "defend",
    "defends", "hold", "holds", "stand", "stands", "stay", "stays", "retreat", "retreats", "withdraw",
    "siege", "seige", "besiege", "sally", "sallies", "assault", "sit", "fight", "advance", "proceed", "sail",
    "sails", "fly", "flies", "winter", "travel", "relieve", "storm", "storms",
];

/// Whether a word begins an act.
pub(crate) fn is_act(word: &str) -> bool {
    ACTS.contains(&word)
}

const HINT: &str = "orders are: move to, invade, defend, hold, stand siege, retreat to, siege, assault, sally, join, winter at";

impl Cursor<'_> {
    /// The whole order of a body, after its name: what it does, and what is done with its elements.
    pub(crate) fn body_order(&mut self, body: BodyId) -> Read<Vec<Item>> {
        self.me = Some(body);
        let mut items = Vec::new();
        let mut parts = Vec::new();
        loop {
            while self.eat(&[";", ".", "then", ",", "and"]) {}
            if self.done() {
                break;
            }
            match self.side_order(body)? {
                Some(item) => items.push(item),
                None => parts.push(self.chain()?),
            }
            if !self.done() && !matches!(self.word(), ";" | "." | "then" | "," | "and") {
                let word = self.word().to_owned();
                let problem = self.wrong(format!("the order goes on with {word:?}, which does not fit"));
                return Err(problem.meant(&word, ACTS).at(
                    "",
                    0,
                    u32::try_from(self.here()).unwrap_or(0) + 1,
                ));
            }
        }
        if parts.is_empty() && items.is_empty() {
            return Err(self.wrong("the order is empty").hint(HINT));
        }
        if !parts.is_empty() {
            items.push(Item::Body(BodyOrder { body, parts }));
        }
        Ok(items)
    }

    fn chain(&mut self) -> Read<Chain> {
        let mut arms = Vec::new();
        if let Some(cond) = self.leading_if()? {
            self.skip(&["then", ",", ":"]);
            arms.push((Some(cond), self.acts()?));
            loop {
                let before = self.at;
                self.skip(&[",", ";", "but", "and"]);
                let otherwise = self.eat(&["else", "otherwise", "elsif", "elif"]);
                self.skip(&[","]);
                match self.leading_if()? {
                    Some(cond) => {
                        self.skip(&["then", ",", ":"]);
                        arms.push((Some(cond), self.acts()?));
                    }
                    None if otherwise => {
                        arms.push((None, self.acts()?));
                        break;
                    }
                    None => {
                        self.at = before;
                        break;
                    }
                }
            }
            return Ok(Chain { arms });
        }
        // "defend if invaded by one, stand siege if by two, and retreat if by three".
        let first = self.acts()?;
        match self.leading_if()? {
            None => arms.push((None, first)),
            Some(cond) => {
                arms.push((Some(cond), first));
                self.trailing(&mut arms)?;
            }
        }
        Ok(Chain { arms })
    }

    fn trailing(&mut self, arms: &mut Vec<(Option<Cond>, Vec<Act>)>) -> Read<()> {
        loop {
            let before = self.at;
            self.skip(&[",", "but", "and", ";"]);
            let otherwise = self.eat(&["else", "otherwise"]);
            self.skip(&[","]);
            if !(otherwise || is_act(self.word()) || matches!(self.word(), "if" | "when")) {
                self.at = before;
                return Ok(());
            }
            if let Some(cond) = self.leading_if()? {
                self.skip(&["then", ",", ":"]);
                arms.push((Some(cond), self.acts()?));
                continue;
            }
            let acts = self.acts()?;
            match self.trailing_if(arms)? {
                Some(cond) => arms.push((Some(cond), acts)),
                None if otherwise || before != self.at => {
                    arms.push((None, acts));
                    return Ok(());
                }
                None => return Ok(()),
            }
        }
    }

    /// `if …`, or after an earlier arm shortly `if by two`.
    fn trailing_if(&mut self, arms: &[(Option<Cond>, Vec<Act>)]) -> Read<Option<Cond>> {
        let about_invasion = matches!(
            arms.last(),
            Some((Some(Cond::Invaders(..) | Cond::InvadedBy(_) | Cond::InvaderAp(..)), _))
        );
        if about_invasion && self.word() == "if" && self.word_at(1) == "by" {
            self.at += 1;
            // Read as "invaded by".
            let mut copy = self.tokens[self.at].clone();
            copy.text = "invaded".to_owned();
            self.tokens.insert(self.at, copy);
            return self.condition().map(Some);
        }
        self.leading_if()
    }

    fn leading_if(&mut self) -> Read<Option<Cond>> {
        if self.eat(&["if", "when", "whenever"]) {
            return self.condition().map(Some);
        }
        if self.eat(&["unless"]) {
            return Ok(Some(Cond::Not(Box::new(self.condition()?))));
        }
        Ok(None)
    }

    /// One act with its clauses.
    fn acts(&mut self) -> Read<Vec<Act>> {
        let mut out = Vec::new();
        self.act(&mut out)?;
        loop {
            let before = self.at;
            while self.eat(&[",", "and", "with", "&", "-"]) {}
            if !self.clause(&mut out)? {
                self.at = before;
                break;
            }
        }
        Ok(out)
    }

    fn act(&mut self, out: &mut Vec<Act>) -> Read<()> {
        self.skip(&["to", "will", "shall", "should", "must", "please", "is", "are", "orders"]);
        // ASSAULT as the order itself: of the place named; else of the city it besieges, as a siege goes on.
        if self.eat(&["assault", "assaults", "storm", "storms"]) {
            self.skip(&["the", "city", "it", "of", "at", "on"]);
            if let Some(to) = self.try_place()? {
                out.push(Act::Invade { to, via: Vec::new(), sea: false });
            }
            out.push(Act::Assault(true));
            return Ok(());
        }
        if self.clause(out)? {
            return Ok(());
        }
        if self.eat(&[
            "move", "moves", "march", "marches", "go", "goes", "advance", "proceed", "travel", "fly", "flies",
        ]) {
            return self.movement(out, false, false);
        }
        // An arrow alone: "A1 -> Ashford".
        if self.eat(&["->", "=>", ">"]) {
            return if is_act(self.word()) { self.act(out) } else { self.movement(out, false, false) };
        }
        if self.eat(&["sail", "sails"]) {
            return self.movement(out, false, true);
        }
        if self.eat(&["invade", "invades", "attack", "attacks", "besiege", "relieve"]) {
            return self.movement(out, true, false);
        }
        if self.eat(&["defend", "defends", "fight"]) {
            let hold = self.eat_all(&["at", "home"]) || self.eat(&["here", "only"]);
            let mut first = Vec::new();
            if self.eat(&["first", "helping", "especially"]) {
                self.skip(&["at", "in"]);
                first = self.places()?;
            }
            self.skip(&["the"]);
            if let Ok(Some(_)) = self.try_place() {}
            out.push(Act::Defend { hold, sally: false, first });
            return Ok(());
        }
        if self.eat(&["hold", "holds", "stay", "stays"]) {
            self.skip(&[
                "put", "here", "position", "fast", "still", "there", "where", "it", "is", "you", "they",
                "are", "your", "its", "their", "ground", "home", "firm", "tight", "on", "the", "spot",
            ]);
            if self.eat_all(&["in", "the", "city"]) || self.eat_all(&["in", "city"]) || self.eat(&["inside"])
            {
                out.push(Act::StandSiege);
            } else {
                self.skip(&["at", "in"]);
                if let Ok(Some(_)) = self.try_place() {}
                out.push(Act::Defend { hold: true, sally: false, first: Vec::new() });
            }
            return Ok(());
        }
        if self.eat(&["stand", "stands", "sit"]) {
            // "Stand fast" and the like are no siege.
            let before = self.at;
            self.skip(&["still", "fast", "firm", "tight", "your", "its", "ground", "and", "fight"]);
            if before != self.at || self.done() || self.word() == ";" {
                out.push(Act::Defend { hold: true, sally: false, first: Vec::new() });
                return Ok(());
            }
            self.skip(&["siege", "seige", "tight", "a", "in", "the", "city", "down", "inside"]);
            out.push(Act::StandSiege);
            return Ok(());
        }
        if self.eat(&["retreat", "retreats", "withdraw"]) {
            self.skip(&["to", "towards", "into"]);
            let to = self.try_place()?;
            out.push(Act::Retreat { to });
            return Ok(());
        }
        if self.eat(&["siege", "seige"]) {
            self.skip(&["of", "on"]);
            if let Ok(Some(_)) = self.try_place() {}
            self.skip(&["it", "them", "there"]);
            out.push(Act::Siege);
            return Ok(());
        }
        if self.eat(&["sally", "sallies"]) {
            self.skip(&["out", "forth"]);
            out.push(Act::Defend { hold: true, sally: true, first: Vec::new() });
            return Ok(());
        }
        let word = self.word().to_owned();
        let problem = self.wrong(format!("an order is wanted, and {}", self.found())).by(rule!("CAM-042"));
        let near = rulebook::nearest_names(&word, ACTS);
        Err(match near.first() {
            Some(near) if !word.is_empty() => problem.hint(format!("did you mean {near}?")),
            _ => problem.hint(HINT),
        })
    }

    /// After the verb: where to, through what, how.
    fn movement(&mut self, out: &mut Vec<Act>, mut invade: bool, mut sea: bool) -> Read<()> {
        self.skip(&["to", "on", "into", "towards", "upon", "against", "toward", "for"]);
        sea |= self.by_sea();
        let mut to = self.place()?;
        let mut via = Vec::new();
        loop {
            let before = self.at;
            self.skip(&[","]);
            if self.eat(&["via", "through", "over", "across"]) {
                via.extend(self.places()?);
            } else if self.by_sea() {
                sea = true;
            } else if self.further() {
                // "move Oakford -> Redhill", "to Oakford, then on to Redhill", "to Oakford, then attack Redhill": a
                // route written as it is gone.
                let attack = self.eat(&["invade", "invades", "attack", "attacks"]);
                self.skip(&["on", "to", "move", "march", "go"]);
                let Ok(Some(next)) = self.try_place() else {
                    self.at = before;
                    break;
                };
                invade |= attack;
                via.push(to);
                to = next;
            } else {
                self.at = before;
                break;
            }
        }
        out.push(if invade { Act::Invade { to, via, sea } } else { Act::Move { to, via, sea } });
        Ok(())
    }

    /// The words that lead on to the next place of a route.
    fn further(&mut self) -> bool {
        let before = self.at;
        if self.eat(&["->", "-", "=>", ">"]) {
            return true;
        }
        self.skip(&["and"]);
        if self.eat(&["then", "thence"]) || self.eat_all(&["on", "to"]) || self.eat_all(&["from", "there"]) {
            return true;
        }
        self.at = before;
        false
    }

    fn by_sea(&mut self) -> bool {
        self.eat_all(&["by", "sea"]) || self.eat_all(&["by", "ship"]) || self.eat_all(&["by", "fleet"])
    }

    pub(crate) fn places(&mut self) -> Read<Vec<crate::ids::PlaceId>> {
        let mut out = vec![self.place()?];
        loop {
            let before = self.at;
            if !self.eat(&[",", "and", "->", "-"]) {
                break;
            }
            self.skip(&["then"]);
            if is_act(self.word()) {
                self.at = before;
                break;
            }
            match self.try_place() {
                Ok(Some(place)) => out.push(place),
                _ => {
                    self.at = before;
                    break;
                }
            }
        }
        Ok(out)
    }

    /// A clause, if one stands here.
    fn clause(&mut self, out: &mut Vec<Act>) -> Read<bool> {
        if self.eat_all(&["by", "assault"]) || self.eat(&["assault", "assaulting", "storm"]) {
            self.skip(&["the", "city", "it"]);
            out.push(Act::Assault(true));
        } else if self.eat_all(&["without", "assault"]) || self.eat_all(&["no", "assault"]) {
            out.push(Act::Assault(false));
        } else if self.eat(&["abort", "aborting"]) || self.eat_all(&["turn", "back"]) {
            self.skip(&[
                "if", "when", "losses", "loses", "lost", "losing", "are", "is", "it", "of", "we", "lose",
            ]);
            let exclusive = self.eat_all(&["at", "least"]) || self.eat(&[">="]);
            self.skip(&["above", "over", "more", "than", ">", "exceed", "exceeds"]);
            let n = self.number().ok_or_else(|| {
                self.wrong(format!("a number of losses is wanted, and {}", self.found())).by(rule!("CAM-054"))
            })?;
            let elements = self.eat(&["elements", "element"]);
            self.skip(&["ap", "lost", "are"]);
            out.push(Act::Abort { above: if exclusive { n - 1 } else { n }, elements });
        } else if self.eat(&["lose", "losing", "sacrifice"]) {
            self.skip(&["first", "the"]);
            let labels = self.labels()?;
            self.skip(&["first"]);
            out.push(Act::Lose(labels));
        } else if self.eat_all(&["fall", "back"]) || self.eat_all(&["falling", "back"]) {
            self.skip(&["to", "on", "upon"]);
            out.push(Act::FallBack(self.place()?));
        } else if self.eat_all(&["stay", "out"])
            || self.eat_all(&["take", "no", "part"])
            || self.eat_all(&["stand", "aside"])
        {
            self.skip(&["of", "the", "battle", "in"]);
            out.push(Act::StayOut);
        } else if self.eat(&["side", "siding"]) || self.eat_all(&["fight", "for"]) {
            self.skip(&["with", "for"]);
            out.push(Act::Side(self.nation()?));
        } else if self.eat(&["contingent"]) {
            self.skip(&[":", "of", "is"]);
            out.push(Act::Contingent(self.labels()?));
        } else if self.eat(&["commander", "commanded", "command"]) {
            self.skip(&["by", "is", ":", "to"]);
            out.push(Act::Commander(self.label()?));
        } else if self.eat_all(&["in", "ships", "of"])
            || self.eat_all(&["on", "ships", "of"])
            || self.eat_all(&["ships", "of"])
            || self.eat_all(&["fleet", "of"])
        {
            out.push(Act::Ships(self.nation()?));
        } else if self.eat(&["winter", "wintering"]) {
            self.skip(&["at", "in"]);
            out.push(Act::Winter(self.place()?));
        } else if self.eat(&["join", "joins", "joining"]) {
            self.skip(&["with"]);
            out.push(Act::Join(self.body()?));
        } else if self.eat(&["principal"]) {
            self.skip(&["is", ":"]);
            out.push(Act::Principal(self.nation()?));
        } else if self.eat(&["bear", "bearing", "share", "sharing"]) {
            self.skip(&["the", "assault", "losses", "loss"]);
            out.push(Act::Bear);
        } else if self.eat(&["prime"]) {
            self.skip(&["army"]);
            out.push(Act::Prime);
        } else if self.eat_all(&["do", "not", "leave"])
            || self.eat_all(&["don't", "leave"])
            || self.eat_all(&["do", "not", "react"])
            || self.eat_all(&["don't", "react"])
        {
            self.skip(&["the", "province"]);
            for act in out.iter_mut() {
                if let Act::Defend { hold, .. } = act {
                    *hold = true;
                }
            }
        } else {
            return Ok(false);
        }
        Ok(true)
    }
}
