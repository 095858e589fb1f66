//! Events as statements for cases, and as what players may know (HC-206).

use crate::command::Bout;
use crate::event::{Event, Note, list, plural, reaction};
use crate::roll::Score;
use crate::unit::Status;
use serde_json::{Value, json};

impl Event {
    /// As short statements that a case can expect.
    pub fn facts(&self) -> Vec<String> {
        let mut out = Vec::new();
        match self {
            Self::Order(all) => {
                out.push(format!("order {}", all.iter().map(|(l, _)| &**l).collect::<Vec<_>>().join(" ")))
            }
            Self::Round(n) => out.push(format!("round {n}")),
            Self::Turn { who, horde } => {
                out.push(format!("turn {who}"));
                if let Some((mb, shots)) = horde {
                    out.push(format!("{who} bonus {mb} shots {shots}"));
                }
            }
            Self::ToHit { by, at, score, struck, .. } => {
                if let Some(s) = score {
                    score_facts(&mut out, by, s);
                    out.push(format!("{by} needs {}", s.target));
                }
                if struck.jam {
                    out.push(format!("{by} jams HC-024"));
                }
                if struck.hits > 0 {
                    out.push(format!("{by} hits {at} degrees {}", struck.degrees.degrees));
                    out.push(format!("base {by} {at} {}", struck.hits));
                } else {
                    out.push(format!("{by} misses {at}"));
                }
            }
            Self::Scatter { by, .. } => out.push(format!("scatter {by} HC-134")),
            Self::Evasion { who, with, score, degrees, left, .. } => {
                score_facts(&mut out, who, score);
                out.push(format!("{who} needs {}", score.target));
                let word = if degrees.success { "passes" } else { "fails" };
                out.push(format!("{who} {} {word} left {left}", reaction(*with)));
            }
            Self::Confined { who, must, may, .. } => {
                out.push(format!("{who} cannot leave {must} of {may} HC-042"))
            }
            Self::Hits { by, at, steps, hits, .. } => {
                for s in steps {
                    out.push(format!("step {by} {} {} {}", s.rule, s.value, s.name));
                }
                out.push(format!("total {by} {at} {hits}"));
            }
            Self::Damage { at, damage, soak, lost, place, scatter, .. } => {
                if *scatter != 0 {
                    out.push(format!("factor damage HC-078 {scatter:+} Scatter"));
                }
                let place = place.map_or_else(String::new, |p| format!(" {}", p.word()));
                out.push(format!("damage {at} {damage} soak {soak} lost {lost}{place}"));
            }
            Self::Hatred { at, critical, .. } => {
                out.push(
                    critical
                        .map_or_else(|| format!("hatred {at} 1"), |d| format!("hatred {at} critical {d}")),
                );
            }
            Self::SprayJam { by } => out.push(format!("{by} jams HC-070")),
            Self::Magnitude { who, lost, left, talent } => {
                if let Some(t) = talent {
                    out.push(format!("talent {who} {} {} {}", t.rule, t.value, t.name));
                }
                out.push(format!("magnitude {who} lost {lost} left {left}"));
            }
            Self::Wounds { who, lost, left, critical, .. } => {
                out.push(format!("wounds {who} lost {lost} left {left} critical {critical}"))
            }
            Self::Due { who, loss, base } => out.push(format!("due {who} {loss} of {base}")),
            Self::BreakTest { who, score, holds, .. } => {
                score_facts(&mut out, who, score);
                out.push(format!("{who} needs {}", score.target));
                out.push(format!("{who} {}", if *holds { "holds" } else { "fails its Test" }));
            }
            Self::Broke { who, rule } => out.push(format!("{who} breaks {rule}")),
            Self::Tide { who } => out.push(format!("{who} frenzied HC-198")),
            Self::Out { who, status, rule } => out.push(format!("{who} {} {rule}", status.word())),
            Self::Fear { who, score, degrees, shock, rounds, .. } => {
                match (score, degrees) {
                    (Some(s), Some(d)) => {
                        score_facts(&mut out, who, s);
                        out.push(format!("{who} needs {}", s.target));
                        out.push(format!(
                            "{who} fear {}",
                            if d.success { "holds".to_owned() } else { format!("fails by {}", d.degrees) }
                        ));
                    }
                    _ => out.push(format!("{who} immune")),
                }
                if let Some((_, total, words)) = shock {
                    out.push(format!("shock {who} {total} {words}"));
                }
                if let Some(n) = rounds {
                    out.push(format!("{who} out {n}"));
                }
            }
            Self::Pinning { who, score, pinned, .. } => {
                match score {
                    Some(s) => {
                        score_facts(&mut out, who, s);
                        out.push(format!("{who} needs {}", s.target));
                    }
                    None => out.push(format!("{who} immune")),
                }
                out.push(format!("{who} {}", if *pinned { "pinned" } else { "not pinned" }));
            }
            Self::Stun { at, total, versus, rounds, adds, .. } => {
                for f in adds {
                    out.push(format!("factor stun {} {:+} {}", f.rule, f.value, f.name));
                }
                let end = rounds.map_or_else(|| "nothing".to_owned(), |n| format!("rounds {n}"));
                out.push(format!("stun {at} {total} against {versus} {end}"));
            }
            Self::Held { by, at } => out.push(format!("{by} holds {at}")),
            Self::Free { who } => out.push(format!("{who} free")),
            Self::Opposed { by, at, scores, winner, .. } => {
                score_facts(&mut out, by, &scores[0]);
                out.push(format!("{by} needs {}", scores[0].target));
                out.push(format!("{at} needs {}", scores[1].target));
                out.push(
                    winner
                        .as_ref()
                        .map_or_else(|| "nobody wins".to_owned(), |(w, n)| format!("{w} wins by {n}")),
                );
            }
            Self::Recovered { who, from, score, free, .. } => {
                score_facts(&mut out, who, score);
                out.push(format!("{who} needs {}", score.target));
                out.push(format!("{who} {} {from}", if *free { "over" } else { "not over" }));
            }
            Self::Aims { who, bonus } => out.push(format!("{who} aims {bonus:+}")),
            Self::Defends { who } => out.push(format!("{who} defends")),
            Self::Prone { who, down } => {
                out.push(format!("{who} {}", if *down { "prone" } else { "stands" }));
            }
            Self::Arms { who, weapon, gains } => {
                out.push(format!("{who} {} {weapon}", if *gains { "gains" } else { "loses" }));
            }
            Self::Empty { who, weapon, left } => out.push(format!("empty {who} {weapon} {left}")),
            Self::Reloads { who, weapon, clip } => out.push(format!("{who} reloads {weapon} {clip}")),
            Self::Unjams { who, weapon } => out.push(format!("{who} clears {weapon}")),
            Self::Reach { horde, with, on } => {
                out.push(format!("{horde} {} {with}", if *on { "reaches" } else { "loses" }))
            }
            Self::OutOfTurn { who } => out.push(format!("{who} out of turn HC-201")),
            Self::StillToAct { who } => out.push(format!("still to act {}", who.join(" "))),
            Self::Spare { who, dice } => out.push(format!("{who} spare {}", list(dice))),
            Self::Note { who, note } => out.push(note.fact(who)),
            Self::Reason { words, because } => out.push(format!("reason {words} {because}")),
            Self::Ruled { words, .. } => out.push(format!("ruling {words}")),
        }
        out
    }

    /// What the players may know of it (HC-206): never a number of a Horde nor one from which it follows; `None`
    /// where they must not know that anything happened. `is_horde` tells by label.
    pub fn for_players(&self, is_foe: impl Fn(&str) -> bool) -> Option<Value> {
        let say = |kind: &str, say: String| Some(json!({ "kind": kind, "say": say }));
        match self {
            Self::Order(all) => {
                let all: Vec<&str> = all.iter().map(|(l, _)| &**l).collect();
                say("order", format!("Turn order: {}.", all.join(", ")))
            }
            Self::Round(_) => say("round", self.tell()),
            Self::Turn { who, .. } => say("turn", format!("{who} acts.")),
            // A Horde's misses would count its attacks, and so tell its Magnitude Bonus.
            Self::ToHit { by, at, struck, .. } if is_foe(by) => {
                (struck.hits > 0).then(|| json!({ "kind": "to_hit", "say": format!("{by} hits {at}.") }))
            }
            Self::ToHit { by, at, action, weapon, struck, roll, .. } => {
                let roll = roll.map_or_else(String::new, |r| format!(", rolls {r}"));
                let word = if struck.jam {
                    "jams"
                } else if struck.hits > 0 {
                    "hits"
                } else {
                    "misses"
                };
                say("to_hit", format!("{by} at {at}, {} with {weapon}{roll}: {word}.", action.word()))
            }
            Self::Evasion { who, .. } if is_foe(who) => None,
            Self::Evasion { who, from, with, roll, degrees, .. } => {
                let word = if degrees.success { "succeeds" } else { "fails" };
                say("evasion", format!("{who} tries to {} {from}, rolls {roll} and {word}.", reaction(*with)))
            }
            Self::Confined { who, .. } if is_foe(who) => None,
            Self::Confined { who, from, .. } => {
                say("confined", format!("{who} cannot get out of the area of {from}'s attack."))
            }
            Self::Wounds { heretic: true, .. } => Some(self.json()),
            Self::Note { who, note: Note::FightsOn } => {
                say("note", format!("{who} does not run: it fights on."))
            }
            Self::Broke { who, .. } => say("broke", format!("{who} breaks and runs.")),
            Self::Out { who, status, .. } => {
                say("out", format!("{who} is {}.", if *status == Status::Broken { "broken" } else { "gone" }))
            }
            Self::Fear { who, .. } | Self::Pinning { who, .. } | Self::Recovered { who, .. }
                if is_foe(who) =>
            {
                None
            }
            Self::Fear { who, rating, roll, degrees, shock, .. } => {
                let end = match (degrees, shock) {
                    (Some(d), _) if d.success => "holds".to_owned(),
                    (_, Some((_, _, words))) => format!("fails: {words}"),
                    _ => "knows no Fear".to_owned(),
                };
                let roll = roll.map_or_else(String::new, |r| format!(", rolls {r}"));
                say("fear", format!("{who} faces Fear ({rating}){roll}: {end}."))
            }
            Self::Pinning { who, rolls, pinned, .. } => say(
                "pinning",
                format!(
                    "{who} is under fire, rolls {}: {}.",
                    list(rolls),
                    if *pinned { "Pinned" } else { "not Pinned" }
                ),
            ),
            Self::Recovered { .. } => Some(self.json()),
            Self::Stun { at, rounds, .. } if !is_foe(at) => match rounds {
                Some(n) => say("stun", format!("{at} is Stunned for {}.", plural(*n, "Round"))),
                None => say("stun", format!("{at} is not Stunned.")),
            },
            Self::Held { .. } | Self::Free { .. } | Self::Reach { .. } => Some(self.json()),
            Self::Opposed { by, at, winner, what, .. } => {
                let end =
                    winner.as_ref().map_or_else(|| "nobody wins".to_owned(), |(w, _)| format!("{w} wins"));
                let word = match what {
                    Bout::Feint => "match skill",
                    Bout::KnockDown => "match strength",
                    Bout::Hold(_) | Bout::Free | Bout::Control => "wrestle",
                };
                say("opposed", format!("{by} and {at} {word}: {end}."))
            }
            Self::Prone { .. } => say(self.kind(), self.tell()),
            Self::Arms { who, .. } if !is_foe(who) => say(self.kind(), self.tell()),
            Self::Empty { who, .. } | Self::Reloads { who, .. } | Self::Unjams { who, .. }
                if !is_foe(who) =>
            {
                say(self.kind(), self.tell())
            }
            Self::Aims { who, .. } if !is_foe(who) => Some(self.json()),
            Self::Defends { who } => say("defends", format!("{who} takes the Defensive Stance.")),
            Self::SprayJam { by } if !is_foe(by) => Some(self.json()),
            _ => None,
        }
    }
}

fn score_facts(out: &mut Vec<String>, who: &str, s: &Score) {
    for f in &s.factors {
        out.push(format!("factor {who} {} {:+} {}", f.rule, f.value, f.name).trim_end().to_owned());
    }
    if s.is_clamped() {
        out.push(format!("clamped {who} HC-004 {:+}", s.sum));
    }
}
