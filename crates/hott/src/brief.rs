//! What a player who comes back is told in one line: `Bound 7, you have 4 PIPs; you lost Knight 2`.

use crate::battle::{Battle, Phase, SideId, State};
use game::{Game, Owed, Seat};
use serde_json::Value;

impl Battle {
    /// How things stand for a seat, and what its side and its enemies lost since its side last had a bound of its own.
    /// `state` is a possible one of whoever is told, `events` are what he saw.
    pub(crate) fn told_in_brief(&self, state: &State, seat: Seat, events: &[Value]) -> String {
        if let Some(outcome) = self.outcome(state) {
            return outcome.words;
        }
        let Some(own) = self.seats.get(usize::from(seat.0)) else { return String::new() };
        let mut words = vec![self.stands(state, seat, own.side)];
        let since = &events[since_own_bound(&self.letter(own.side), events)..];
        let mut lost: Vec<(String, Vec<String>)> = Vec::new();
        for event in since.iter().filter(|e| e["kind"] == "removed") {
            let Some(who) = event["who"].as_str() else { continue };
            let Some(side) = self.sides.iter().position(|s| who.starts_with(&format!("{}.", s.letter)))
            else {
                continue;
            };
            let how = match event["how"].as_str().unwrap_or("") {
                "destroyed" => "",
                "fled" => " (fled)",
                "ensorcelled" => " (ensorcelled)",
                _ => continue,
            };
            let whose = match SideId(u8::try_from(side).unwrap_or(u8::MAX)) {
                side if side == own.side => "you".to_owned(),
                side if self.hostile(side, own.side) => format!("side {}", self.letter(side)),
                side => format!("your ally {}", self.letter(side)),
            };
            let (key, name) = (format!("{whose} lost"), self.spoken(who) + how);
            match lost.iter_mut().find(|(k, _)| *k == key) {
                Some((_, names)) => names.push(name),
                None => lost.push((key, vec![name])),
            }
        }
        // One's own losses first.
        lost.sort_by_key(|(key, _)| !key.starts_with("you "));
        words.extend(lost.into_iter().map(|(key, names)| format!("{key} {}", names.join(", "))));
        words.join("; ")
    }

    fn letter(&self, side: SideId) -> String {
        self.sides.get(side.index()).map_or_else(String::new, |s| s.letter.to_string())
    }

    fn stands(&self, state: &State, seat: Seat, side: SideId) -> String {
        let mut debts = Vec::new();
        self.owes(state, &mut debts);
        let own = debts.iter().find(|debt| debt.seat == seat);
        let bound = if state.bound == 0 { String::new() } else { format!("Bound {}, ", state.bound) };
        match own.map(|debt| &debt.what) {
            Some(Owed::Choice { about, .. }) => format!("{bound}you choose: {about}"),
            Some(_) if state.phase == Phase::Moves => {
                let pips: Vec<String> = self
                    .commands
                    .iter()
                    .zip(&state.commands)
                    .filter(|(c, _)| c.side == side)
                    .map(|(_, now)| now.pips.to_string())
                    .collect();
                let flee = self.about_to_flee(state);
                format!("{bound}you have {}{flee}", crate::figure::pips(pips.join(" + ")))
            }
            Some(Owed::Act(about) | Owed::Sealed(about)) => {
                // The words of a step name the bound themselves.
                let about =
                    about.split_once(&format!("bound {}, ", state.bound)).map_or(about.as_str(), |a| a.1);
                format!("{bound}it is your turn: {about}")
            }
            None => format!("{bound}it is the turn of side {}", self.letter(state.active)),
        }
    }

    /// `Knight 2` of `A.Kni2`.
    fn spoken(&self, label: &str) -> String {
        let Some(id) = self.labelled(label, None) else { return label.to_owned() };
        let (name, number) =
            (self.element(id).ty.name(), label.trim_start_matches(|c: char| !c.is_ascii_digit()));
        format!("{name} {number}").trim_end().to_owned()
    }
}

/// The first event that came after the side's own last bound but the present one: from there on it has not seen what
/// happened.
fn since_own_bound(letter: &str, events: &[Value]) -> usize {
    let is_bound = |e: &Value| e["kind"] == "bound";
    let own = |e: &Value| is_bound(e) && e["side"] == letter;
    let last = events.iter().rposition(is_bound);
    // The present bound, if it is its own, is what it is told about.
    let end = match last {
        Some(i) if own(&events[i]) => i,
        _ => events.len(),
    };
    let before = events[..end].iter().rposition(own).map_or(0, |i| i + 1);
    events[before..end].iter().position(is_bound).map_or(before.min(events.len()), |i| before + i)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn losses_of_both_sides_are_told_in_words() {
        let army = json!({ "army": "x", "commands": [{ "elements": [
            { "type": "Hero", "general": true, "count": 1 }, { "type": "Knight", "count": 2 } ] }] });
        let setup = json!({ "sides": [army, army], "defender": "A", "edges": { "A": "lower", "B": "upper" }, "ground": [] });
        let rules = Battle::rules_from(None, None, &[]).unwrap();
        let battle = Battle::open(&rules, &setup).unwrap();
        let mut state = battle.start();
        (state.phase, state.bound, state.active) = (Phase::Moves, 7, SideId(0));
        state.commands[0].pips = 4;
        let removed = |who: &str, how: &str| json!({ "kind": "removed", "who": who, "how": how });
        let events = [
            removed("A.Kni1", "destroyed"), // long known
            json!({ "kind": "bound", "side": "A" }),
            json!({ "kind": "bound", "side": "B" }),
            removed("B.Kni1", "fled"),
            removed("A.Kni2", "destroyed"),
            json!({ "kind": "bound", "side": "A" }),
        ];
        let told = |seat: u8| battle.told_in_brief(&state, Seat(seat), &events);
        assert_eq!(told(0), "Bound 7, you have 4 PIPs; you lost Knight 2; side B lost Knight 1 (fled)");
        assert_eq!(told(1), "Bound 7, it is the turn of side A");
    }

    #[test]
    fn what_is_told_begins_where_the_own_bound_ended() {
        let bound = |side: &str| json!({ "kind": "bound", "side": side });
        let other = json!({ "kind": "removed" });
        let events = [bound("A"), other.clone(), bound("B"), other.clone(), bound("A")];
        assert_eq!(since_own_bound("A", &events), 2);
        assert_eq!(since_own_bound("B", &events), 4, "B's last bound ended when A's began");
        assert_eq!(since_own_bound("A", &events[..4]), 2);
        assert_eq!(since_own_bound("B", &events[..2]), 0, "it has had none yet");
        assert_eq!(since_own_bound("B", &[]), 0);
    }
}
