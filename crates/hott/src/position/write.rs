//! A state as its position document.

use super::{VERSION, flag_words, number};
use crate::battle::{Battle, Fate, Phase, ShooterReply, State, Strong};
use crate::labels::{FATES, REPLIES};
use crate::setup::roster::LETTERS;
use crate::table::Grade;
use crate::words::edge_word;
use crate::words::{ending_word, phase_word};
use field::{Base, PACE, Pose};
use serde_json::{Map, Value, json};

fn at(pose: &Pose) -> Value {
    json!([number(pose.x), number(pose.y)])
}

fn stronghold(base: &Base, lost: bool) -> Value {
    let mut value = json!({
        "at": at(&base.pose),
        "heading": number(base.pose.heading.hundredths()),
        "size": [number(base.size.width), number(base.size.depth)],
    });
    if lost {
        value["lost"] = json!(true);
    }
    value
}

fn put(map: &mut Map<String, Value>, key: &str, value: Value, default: &Value) {
    if value != *default {
        map.insert(key.to_owned(), value);
    }
}

impl Battle {
    /// The position of a state.
    #[must_use]
    pub fn write_position(&self, state: &State) -> Value {
        let (zero, no) = (json!(0), json!(false));
        let mut doc = Map::new();
        doc.insert("muster".into(), json!("position"));
        doc.insert("version".into(), json!(VERSION));
        doc.insert("scale".into(), json!(self.scale.word()));
        doc.insert("board".into(), json!([self.board.width / PACE, self.board.height / PACE]));
        put(&mut doc, "bound_limit", json!(self.bound_limit), &zero);
        let ground: Vec<Value> = state.ground.features().iter().map(|f| json!(f.print())).collect();
        put(&mut doc, "ground", Value::Array(ground), &json!([]));
        doc.insert("phase".into(), json!(phase_word(state.phase)));
        put(&mut doc, "bound", json!(state.bound), &zero);
        doc.insert("active".into(), json!(self.sides[state.active.index()].letter.to_string()));
        put(&mut doc, "rerolls", json!(state.rerolls), &zero);
        if let Some(over) = state.over {
            let winners: Vec<String> = (0..self.sides.len())
                .filter(|n| over.winners & (1 << n) != 0)
                .map(|n| self.sides[n].letter.to_string())
                .collect();
            doc.insert("over".into(), json!({ "winners": winners, "ending": ending_word(over.ending) }));
        }
        if let Some(house) = &state.house {
            doc.insert(
                "rulings".into(),
                json!(house.sets.iter().map(|(k, v)| vec![k, v]).collect::<Vec<_>>()),
            );
        }
        let sides: Map<String, Value> = (0..self.sides.len()).map(|n| self.side_value(state, n)).collect();
        doc.insert("sides".into(), Value::Object(sides));
        let alliances = self.alliance_letters();
        put(&mut doc, "alliances", json!(alliances), &json!([]));
        let plain_seats =
            self.seat_names.iter().zip(&*self.sides).all(|(name, side)| *name == side.letter.to_string())
                && self.seat_names.len() == self.sides.len();
        if !plain_seats {
            let seats: Vec<Value> = self
                .seats
                .iter()
                .zip(&*self.seat_names)
                .map(|(seat, name)| {
                    let commands: Vec<usize> =
                        seat.commands.iter().map(|c| crate::labels::number_within(self, *c)).collect();
                    json!({ "name": name, "side": self.sides[seat.side.index()].letter.to_string(), "commands": commands })
                })
                .collect();
            doc.insert("seats".into(), Value::Array(seats));
        }
        let commands: Vec<Value> = (0..self.commands.len())
            .map(|n| {
                let (info, now) = (&self.commands[n], &state.commands[n]);
                let mut c = Map::new();
                c.insert("side".into(), json!(self.sides[info.side.index()].letter.to_string()));
                c.insert("name".into(), json!(info.name));
                put(&mut c, "in_chief", json!(info.in_chief), &no);
                put(&mut c, "score", json!(now.score), &zero);
                put(&mut c, "pips", json!(now.pips), &zero);
                put(&mut c, "demoralized", json!(now.demoralised), &no);
                put(&mut c, "tested", json!(now.tested), &no);
                put(&mut c, "deployed", json!(now.deployed), &no);
                put(&mut c, "moved_one", json!(now.moved_one), &no);
                Value::Object(c)
            })
            .collect();
        doc.insert("commands".into(), Value::Array(commands));
        let mut elements = Map::new();
        for id in self.ids() {
            elements.insert(self.full_label(id), self.element_value(state, id));
        }
        doc.insert("elements".into(), Value::Object(elements));
        let large = serde_json::to_value(&state.large).unwrap_or(Value::Null);
        put(&mut doc, "large", large, &json!({}));
        let pending: Vec<Value> = state.pending.iter().map(|p| self.write_pending(p)).collect();
        put(&mut doc, "pending", Value::Array(pending), &json!([]));
        Value::Object(doc)
    }

    fn side_value(&self, state: &State, n: usize) -> (String, Value) {
        let (info, now) = (&self.sides[n], &state.sides[n]);
        let (zero, no) = (json!(0), json!(false));
        let mut s = Map::new();
        s.insert("army".into(), json!(info.army));
        if let Some(edge) = now.edge {
            s.insert("edge".into(), json!(edge_word(edge)));
        }
        put(&mut s, "defends", json!(now.defends), &no);
        put(&mut s, "die", json!(now.die), &zero);
        s.insert("place".into(), json!(now.place));
        match &now.strong {
            Strong::None => {}
            Strong::Waiting => {
                s.insert("stronghold".into(), json!("waiting"));
            }
            Strong::Stands(base) => {
                s.insert("stronghold".into(), stronghold(base, false));
            }
            Strong::Lost(base) => {
                s.insert("stronghold".into(), stronghold(base, true));
            }
        }
        put(&mut s, "stronghold_flags", json!(flag_words(now.strong_flags)), &json!([]));
        put(&mut s, "out", json!(now.out), &no);
        if now.replies.shooters != ShooterReply::ByRule {
            s.insert("reply_shooters".into(), json!(REPLIES[now.replies.shooters as usize].1));
        }
        (LETTERS[n].to_string(), Value::Object(s))
    }

    /// Groups of allied sides, by letter.
    pub(crate) fn alliance_letters(&self) -> Vec<Vec<String>> {
        let mut groups: Vec<Vec<String>> = Vec::new();
        for (n, side) in self.sides.iter().enumerate() {
            let allies: Vec<usize> = (0..self.sides.len()).filter(|m| side.hostile & (1 << m) == 0).collect();
            if allies.len() > 1 && allies[0] == n {
                groups.push(allies.iter().map(|m| self.sides[*m].letter.to_string()).collect());
            }
        }
        groups
    }

    fn element_value(&self, state: &State, id: crate::battle::ElementId) -> Value {
        let (info, now) = (self.element(id), state.element(id));
        let (zero, no) = (json!(0), json!(false));
        let mut e = Map::new();
        e.insert("type".into(), json!(info.ty.name()));
        if now.fate == Fate::Table || now.pose != Pose::default() {
            e.insert("at".into(), at(&now.pose));
            e.insert("heading".into(), number(now.pose.heading.hundredths()));
        }
        put(&mut e, "command", json!(crate::labels::number_within(self, info.command)), &json!(1));
        put(&mut e, "general", json!(info.general), &no);
        put(&mut e, "name", json!(info.name), &json!(""));
        match info.grade {
            Grade::Plain => {}
            Grade::Elite => drop(e.insert("grade".into(), json!("elite"))),
            Grade::Levy => drop(e.insert("grade".into(), json!("levy"))),
        }
        put(&mut e, "armed", json!(info.armed), &no);
        put(&mut e, "contingent", json!(info.contingent), &zero);
        e.insert("fate".into(), json!(FATES[now.fate as usize].1));
        put(&mut e, "flags", json!(flag_words(now.flags)), &json!([]));
        if now.began != now.pose {
            let b = now.began;
            e.insert("began".into(), json!([number(b.x), number(b.y), number(b.heading.hundredths())]));
        }
        put(&mut e, "appearances", json!(now.appearances), &zero);
        put(&mut e, "charge", json!(now.charged), &zero);
        put(&mut e, "seen_moving", json!(now.seen_moving), &zero);
        if let Some(by) = now.enchanter {
            e.insert("enchanter".into(), json!(self.full_label(by)));
        }
        Value::Object(e)
    }

    /// Whether set-up is still going on.
    pub(crate) fn is_setting_up(state: &State) -> bool {
        matches!(
            state.phase,
            Phase::Sides | Phase::Ground | Phase::Edges | Phase::Strongholds | Phase::Deploy
        )
    }
}
