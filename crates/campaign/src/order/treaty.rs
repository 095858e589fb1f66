//! Orders that are no body's march: transfers, covert work, captives, treaties, raising.

use super::ast::{Captivity, Covert, Dest, Item, Pick, Raise, Treaty};
use super::phrase::{Cursor, Read};
use crate::ids::{BodyId, Label, NationId};
use rulebook::rule;

/// First words of orders of the nation, for suggestions; the last came with strict reading.
pub(crate) const NATION_WORDS: [&str; 31] = [
    "offer", "accept", "propose", "rescind", "break", "end", "submit", "ask", "become", "take", "renounce",
    "rebel", "grant", "allow", "lend", "carry", "claim", "demand", "give", "release", "execute", "send",
    "raise", "recruit", "promote", "mount", "quit", "name", "forbid", "transfer", "withdraw",
];

impl Cursor<'_> {
    /// What is done with a body's elements, if such an order stands here.
    pub(crate) fn side_order(&mut self, body: BodyId) -> Read<Option<Item>> {
        let start = self.at;
        self.skip(&["to", "will", "shall"]);
        if self.eat(&["leave", "leaves", "drop"]) {
            let picks = self.picks()?;
            self.skip(&["as", "a", "in", "the", "garrison", "city", "behind", "here", "at"]);
            let _ = self.try_place()?;
            return Ok(Some(Item::Transfer { from: body, picks, to: Dest::Garrison }));
        }
        if self.word_at(1) != "no" && self.eat(&["take", "takes"]) {
            let picks = self.picks()?;
            self.skip(&["from"]);
            let from = self.body()?;
            return Ok(Some(Item::Transfer { from, picks, to: Dest::Body(body) }));
        }
        if self.eat(&["give", "gives", "transfer", "transfers", "pass"]) {
            let picks = self.picks()?;
            self.skip(&["to", "into"]);
            let to = Dest::Body(self.body()?);
            return Ok(Some(Item::Transfer { from: body, picks, to }));
        }
        if self.eat(&["detach", "detaches", "split", "splits"]) {
            self.skip(&["off"]);
            let picks = self.picks()?;
            self.skip(&["as", "a", "an", "new", "army", "off"]);
            return Ok(Some(Item::Transfer { from: body, picks, to: Dest::Army }));
        }
        if self.eat_all(&["general", "to"]) || self.eat_all(&["general", "joins"]) {
            return Ok(Some(Item::Seat { body, element: self.label()? }));
        }
        if matches!(self.word(), "name" | "call") {
            return self.name_general(body).map(Some);
        }
        if let Some(work) = covert(self.word()) {
            self.at += 1;
            return self.covert(work, None).map(Some);
        }
        self.at = start;
        Ok(None)
    }

    fn name_general(&mut self, body: BodyId) -> Read<Item> {
        self.at += 1;
        self.skip(&["the", "general", "its"]);
        let element = match self.try_label() {
            Some(label) => Some(label),
            None => self
                .known
                .bodies
                .get(&body)
                .and_then(|b| b.elements.iter().find(|e| e.general()).map(|e| e.label)),
        };
        let Some(element) = element else { return Err(self.wrong("that body has no general to name")) };
        let mut words = Vec::new();
        while let Some(t) = self.peek() {
            if matches!(t.text.as_str(), ";" | ",") {
                break;
            }
            let quoted = t.kind == super::lex::TokenKind::Quoted;
            let mut chars = t.text.chars();
            let first: String = chars.next().into_iter().flat_map(char::to_uppercase).collect();
            words.push(if quoted { t.text.clone() } else { first + chars.as_str() });
            self.at += 1;
        }
        let name: String =
            words.join(" ").chars().filter(|c| !matches!(c, '*' | ':' | '+')).take(40).collect();
        if name.trim().is_empty() {
            return Err(self.wrong("a name is wanted, and the line ends").by(rule!("CAM-020")));
        }
        Ok(Item::NameGeneral { element, name: name.trim().to_owned() })
    }

    /// After the word for the work: `on Brack with Snk1`, `general at Brack`, `Her2 from Brack`.
    fn covert(&mut self, work: Covert, by: Option<Label>) -> Read<Item> {
        let mut element = by;
        let mut whom = None;
        if work == Covert::Rescue && !matches!(self.word(), "at" | "in" | "from") {
            let held = self.known.held.clone();
            whom = Some(self.element(&held)?);
        }
        self.skip(&["on", "upon", "at", "in", "the", "general", "of", "into", "from", "a", "out"]);
        let at = self.place()?;
        if self.eat(&["with", "by", "using"]) {
            element = Some(self.label()?);
        }
        let Some(element) = element else {
            return Err(self
                .wrong("who is to do it is not said")
                .hint("write for example: Snk1: spy on Brack"));
        };
        Ok(Item::Covert { element, work, at, whom })
    }

    /// `Snk1: spy on Brack`, `Kni2: becomes general`.
    pub(crate) fn element_order(&mut self, label: Label) -> Read<Item> {
        self.skip(&[":", "to", "will", "shall", "is"]);
        if let Some(work) = covert(self.word()) {
            self.at += 1;
            return self.covert(work, Some(label));
        }
        if self.eat(&["becomes", "become", "made"]) {
            self.skip(&["a", "general", "to"]);
            return Ok(Item::MakeGeneral(label));
        }
        let problem = self.wrong(format!("what {label} is to do is wanted, and {}", self.found()));
        Err(problem.by(rule!("CAM-060")).hint("spy on, scry, assassinate the general at, rescue Her1 from"))
    }

    /// An order that begins with one of [`NATION_WORDS`].
    pub(crate) fn nation_order(&mut self) -> Read<Option<Item>> {
        let treaty = |t: Treaty| Ok(Some(Item::Treaty(t)));
        if let Some(work) = covert(self.word()) {
            self.at += 1;
            return self.covert(work, None).map(Some);
        }
        if self.eat(&["offer", "accept", "propose", "agree"]) {
            self.skip(&["to", "an", "the", "a"]);
            if self.eat(&["vassalage", "submission", "overlordship"]) {
                self.skip(&["of", "to", "from", "by"]);
                return treaty(Treaty::TakeVassal(self.nation()?));
            }
            // However it is spelled.
            if self.known.strict && strsim::damerau_levenshtein(self.word(), "alliance") <= 2 {
                self.at += 1;
            }
            self.skip(&["alliance", "ally", "treaty", "with", "to", "of", "from"]);
            let nation = self.nation()?;
            if self.eat_all(&["as", "vassal"]) || self.eat_all(&["as", "a", "vassal"]) {
                return treaty(Treaty::TakeVassal(nation));
            }
            return treaty(Treaty::Ally(nation));
        }
        if self.eat(&["ally"]) {
            self.skip(&["with", "to"]);
            return treaty(Treaty::Ally(self.nation()?));
        }
        if self.known.strict
            && matches!(self.word(), "withdraw" | "retract" | "cancel" | "rescind" | "take")
            && let Some(nation) = self.withdrawn()?
        {
            return treaty(Treaty::Withdraw(nation));
        }
        if self.eat(&["rescind", "break", "cancel"]) {
            self.skip(&["the", "alliance", "with", "our", "treaty", "of"]);
            return treaty(Treaty::Rescind(self.nation()?));
        }
        if self.eat(&["end"]) {
            self.skip(&["the", "alliance", "of", "between"]);
            let vassal = self.nation()?;
            if self.eat(&["with", "and"]) {
                let with = self.nation()?;
                return treaty(Treaty::EndAlliance { vassal, with });
            }
            return treaty(Treaty::Rescind(vassal));
        }
        if self.eat(&["submit"])
            || self.eat_all(&["become", "vassal"])
            || self.eat_all(&["ask", "vassalage"])
            || self.eat_all(&["request", "vassalage"])
        {
            self.skip(&["to", "of", "under", "from", "vassalage"]);
            return treaty(Treaty::Submit(self.nation()?));
        }
        if self.eat_all(&["take", "vassal"]) || self.eat_all(&["take", "as", "vassal"]) {
            return treaty(Treaty::TakeVassal(self.nation()?));
        }
        if self.eat(&["renounce"]) {
            self.skip(&["the", "vassal", "overlord", "lord"]);
            return treaty(Treaty::Renounce(self.nation()?));
        }
        if self.eat(&["rebel", "revolt", "rise"]) {
            self.skip(&["against"]);
            let _ = self.try_nation()?;
            return treaty(Treaty::Rebel);
        }
        if self.eat(&["grant", "allow", "let", "permit"]) {
            return self.grant(true);
        }
        if self.eat(&["forbid", "withdraw"]) {
            return self.grant(false);
        }
        if self.eat(&["lend"]) {
            self.skip(&["the", "fleet", "ships", "our", "to"]);
            return treaty(Treaty::Lend(self.nation()?));
        }
        if self.eat(&["carry"]) || self.eat_all(&["fleet", "carries"]) || self.eat_all(&["ships", "carry"]) {
            if let Some(body) = self.try_body()? {
                return treaty(if body.nation == self.known.nation {
                    Treaty::Carry(body)
                } else {
                    Treaty::Lend(body.nation)
                });
            }
            return treaty(Treaty::Lend(self.nation()?));
        }
        if self.eat(&["claim", "demand", "require"]) {
            self.skip(&["the", "an", "a"]);
            let fleet = self.eat(&["fleet", "ships"]);
            self.skip(&["army", "of", "from"]);
            let nation = self.nation()?;
            let fleet = fleet || self.eat(&["fleet", "ships"]);
            self.skip(&["army"]);
            return treaty(if fleet { Treaty::ClaimFleet(nation) } else { Treaty::DemandArmy(nation) });
        }
        if self.eat(&["give", "provide"]) {
            let body = self.body()?;
            self.skip(&["to", "the", "overlord"]);
            return treaty(Treaty::GiveArmy(body));
        }
        if self.eat(&["quit", "resign", "abdicate"]) {
            self.skip(&["the", "game", "campaign"]);
            return treaty(Treaty::Quit);
        }
        if matches!(self.word(), "release" | "free" | "execute" | "kill" | "send") {
            return self.captive().map(Some);
        }
        if matches!(self.word(), "raise" | "recruit" | "muster" | "promote" | "mount" | "wing") {
            return self.raising().map(|r| Some(Item::Raise(r)));
        }
        if self.eat(&["transfer"]) {
            let picks = self.picks()?;
            self.skip(&["from"]);
            let from = self.body()?;
            self.skip(&["to", "into", "the"]);
            if self.word() == "garrison" && self.tokens.len() == self.at + 1 {
                self.at += 1;
                return Ok(Some(Item::Transfer { from, picks, to: Dest::Garrison }));
            }
            let to = Dest::Body(self.body()?);
            return Ok(Some(Item::Transfer { from, picks, to }));
        }
        if self.eat_all(&["make", "general"]) || self.eat_all(&["new", "general"]) {
            self.skip(&["of", "in", ":"]);
            return Ok(Some(Item::MakeGeneral(self.label()?)));
        }
        Ok(None)
    }

    /// `withdraw the offer of alliance to Cobalt`, `take back our offer to Cobalt`.
    fn withdrawn(&mut self) -> Read<Option<NationId>> {
        let start = self.at;
        self.at += 1;
        self.skip(&["back", "the", "our", "my", "an", "a", "any"]);
        if !self.eat(&["offer", "offers", "proposal", "request"]) {
            self.at = start;
            return Ok(None);
        }
        self.skip(&["of", "for", "an", "alliance", "vassalage", "to", "with", "made"]);
        self.nation().map(Some)
    }

    fn grant(&mut self, given: bool) -> Read<Option<Item>> {
        self.skip(&["leave", "permission", "passage", "to", "for"]);
        let to = self.nation()?;
        self.skip(&["leave", "permission", "to", "the"]);
        if self.eat(&["ally", "invade", "attack", "alliance", "invasion"]) {
            self.skip(&["with", "and", "or", "invade", "ally", "of"]);
            let about = self.nation()?;
            return Ok(Some(Item::Treaty(Treaty::Leave { vassal: to, about, given })));
        }
        if !given {
            return Err(self.wrong("what is forbidden is not said").hint("forbid Cobalt to invade Dun"));
        }
        if self.eat(&["winter"]) {
            return Ok(Some(Item::Treaty(Treaty::Winter(to))));
        }
        let mut stay = self.eat(&["stay"]);
        self.skip(&["passage", "pass", "through", "over", "in", "at", "across", "and", "move"]);
        let at = self.try_place()?;
        self.skip(&["and", "or", "leave", "to"]);
        stay |= self.eat(&["stay"]);
        self.skip(&["there", "with", "leave", "to", "stay"]);
        Ok(Some(Item::Treaty(Treaty::Passage { to, at, stay })))
    }

    fn captive(&mut self) -> Read<Item> {
        let verb = self.word().to_owned();
        self.at += 1;
        let held = self.known.captives.clone();
        let who = self.element(&held)?;
        let what = match verb.as_str() {
            "release" | "free" => Captivity::Release,
            "send" => {
                self.skip(&["to", "on"]);
                Captivity::Send(self.place()?)
            }
            _ => Captivity::Execute,
        };
        Ok(Item::Captive(who, what))
    }

    fn raising(&mut self) -> Read<Raise> {
        let verb = self.word().to_owned();
        self.at += 1;
        if verb == "promote" {
            let element = self.label()?;
            self.skip(&["to", "into", "a", "an", "mounted", "winged"]);
            return match self.try_troop() {
                Some(to) => Ok(Raise::Promote { element, to }),
                None if self
                    .tokens
                    .get(self.at.wrapping_sub(1))
                    .is_some_and(|t| t.text == "mounted" || t.text == "winged") =>
                {
                    Ok(Raise::Mount(element))
                }
                None => {
                    let problem = self.wrong(format!("a type of troops is wanted, and {}", self.found()));
                    Err(problem.by(rule!("CAM-101")))
                }
            };
        }
        if matches!(verb.as_str(), "mount" | "wing") {
            return Ok(Raise::Mount(self.label()?));
        }
        let count = u16::try_from(self.number().unwrap_or(1)).unwrap_or(u16::MAX);
        let mut mount = self.eat(&["mounted", "winged"]);
        mount |= self.word().ends_with('+');
        let Some(troop) = self.try_troop() else {
            let word = self.word().to_owned();
            let near = hott::table::TroopType::suggest(&word)
                .map_or(String::new(), |t| format!("; did you mean {}?", t.code()));
            let problem = self.wrong(format!("a type of troops is wanted, and {}{near}", self.found()));
            return Err(problem.by(rule!("CAM-101")).hint("write for example: raise 2 Bld at Oakford"));
        };
        self.skip(&["at", "in"]);
        let at = self.place()?;
        Ok(Raise::New { count, troop, mount, at })
    }
}

fn covert(word: &str) -> Option<Covert> {
    match word {
        "spy" | "spies" | "scout" => Some(Covert::Spy),
        "scry" | "scries" => Some(Covert::Scry),
        "assassinate" | "assassinates" | "murder" | "kill" => Some(Covert::Assassinate),
        "rescue" | "rescues" => Some(Covert::Rescue),
        _ => None,
    }
}

impl Pick {
    /// In words: `2 Bld`.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Pick::All => "all".to_owned(),
            Pick::Some(n, troop) => format!("{n} {troop}"),
            Pick::One(label) => label.to_string(),
        }
    }
}
