//! Questions about a position: `factors A.Bld1 v B.Bld1`, `odds …`, `cost …`, `contact …`, `may …`.

use crate::battle::{Battle, Command, CommandId, ElementId, Pending, State, Target};
use crate::bound::Shots;
use crate::contacts::Contacts;
use crate::figure;
use crate::labels::{command_label, command_named, find_element, find_elements, find_side, find_target};
use crate::moves::Scene;
use crate::sight;
use crate::table::{Fighter, Mode, Outcome, factors, odds};
use crate::words::{ap, outcome_fact, target_label};
use field::Pose;
use game::{Actor, Game, Problem, Stop};

/// The way of a flight is looked at so often: less than any base is deep.
const STRIDE: i32 = 10 * field::PACE;

const QUESTIONS: [&str; 16] = [
    "factors", "odds", "contact", "cost", "sight", "range", "targets", "losses", "footing", "fights",
    "knots", "may", "pips", "flight", "zones", "answer",
];

impl Battle {
    /// Answers a question with statements.
    ///
    /// # Errors
    /// What could not be read.
    pub fn answer(&self, state: &State, question: &str) -> Result<Vec<String>, Problem> {
        let text = question.trim();
        let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let low = first.to_lowercase();
        // As written: a label that is not known is told as it was given.
        let spaced = rest.replace(',', " ");
        let between = |w: &&str| matches!(w.to_lowercase().as_str(), "v" | "vs" | "against" | "to");
        let words: Vec<&str> = spaced.split_whitespace().filter(|w| !between(w)).collect();
        let own = state.active;
        let element = |i: usize| -> Result<ElementId, Problem> {
            match words.get(i) {
                Some(word) => find_element(self, word, own),
                None => Err(Problem::new(format!("{low} of whom?")).hint("labels are like A.Kni2")),
            }
        };
        match low.as_str() {
            "factors" | "odds" => self.fight_question(state, &words, low == "odds"),
            "contact" => Ok(self.contact_facts(state, element(0)?)),
            "cost" => {
                let mut who = Vec::new();
                for word in &words {
                    who.extend(find_elements(self, word, own)?);
                }
                self.cost_facts(state, &who)
            }
            "sight" => {
                let (a, b) = (self.base(state, element(0)?), self.base(state, element(1)?));
                let sees = sight::terrain_lets_see(&self.tables, &state.ground, &a, &b);
                Ok(vec![format!("sight {}", if sees { "yes" } else { "no" })])
            }
            "range" => {
                let target = find_target(self, words.get(1).copied().unwrap_or(""), own)?;
                let there =
                    self.target_base(state, target).ok_or_else(|| Problem::new("it does not stand"))?;
                let far = self.base(state, element(0)?).distance(&there);
                Ok(vec![format!("range {}", figure::print(far))])
            }
            "targets" => {
                let id = element(0)?;
                let shots = Shots::new(self, state);
                let mut out: Vec<String> = shots
                    .targets(id)
                    .into_iter()
                    .map(|t| format!("target {}", target_label(self, t)))
                    .collect();
                if let Err((rule, words)) = shots.may_shoot(id) {
                    out.push(format!("no {rule} {words}"));
                }
                if let Some(target) = words.get(1) {
                    let target = find_target(self, target, own)?;
                    if let Err((rule, words)) = shots.may_shoot_at(id, target) {
                        out.push(format!("no {rule} {words}"));
                    }
                }
                out.extend(shots.by_rule(id, &[]).map(|t| format!("by-rule {}", target_label(self, t))));
                Ok(out)
            }
            "losses" => {
                let sides = match words.first() {
                    Some(letter) => vec![find_side(self, letter)?],
                    None => (0..self.sides.len() as u8).map(crate::battle::SideId).collect(),
                };
                let tell = |s: crate::battle::SideId| {
                    format!("lost {} {}", self.sides[s.index()].letter, ap(self.losses(state, s)))
                };
                Ok(sides.into_iter().map(tell).collect())
            }
            "footing" => {
                let id = element(0)?;
                let under = state.ground.under(&self.base(state, id));
                let mut out = Vec::new();
                for (on, word) in [
                    (under.footing.bad, "bad"),
                    (under.footing.wood, "wood"),
                    (under.footing.water, "water"),
                    (under.marsh, "marsh"),
                    (under.steep, "steep"),
                    (under.cliff, "cliff"),
                ] {
                    if on {
                        out.push(format!("footing {word}"));
                    }
                }
                if out.is_empty() {
                    out.push("footing good".to_owned());
                }
                if state.ground.on_road(&self.base(state, id)) {
                    out.push("road".to_owned());
                }
                Ok(out)
            }
            "fights" => Ok(self.fights_facts(state)),
            "knots" => Ok(self.knots_facts(state)),
            "answer" => self.answer_facts(state, rest.trim()),
            "pips" => {
                let tell = |(n, c): (usize, &crate::battle::CommandState)| {
                    format!("pips {} {}", command_label(self, crate::battle::CommandId(n as u8)), c.pips)
                };
                Ok(state.commands.iter().enumerate().map(tell).collect())
            }
            "flight" => self.flight_facts(state, rest.trim()),
            "zones" => Ok(self.zone_facts(state)),
            "may" => self.may(state, rest.trim()),
            _ => self.table_question(state, &low, rest.trim()).unwrap_or_else(|| {
                let known = QUESTIONS.into_iter().chain(crate::ask_tables::QUESTIONS);
                Err(Problem::new(format!("unknown question: {first:?}")).meant(&low, known))
            }),
        }
    }

    /// `may COMMAND`: whether it would be carried out now, by whoever it belongs to; dice are taken as 3s.
    fn may(&self, state: &State, text: &str) -> Result<Vec<String>, Problem> {
        let command = crate::words::parse(self, state, Actor::Umpire, text)?;
        Ok(match self.play(state, Actor::Umpire, &command, &mut dice::Fixed(3)) {
            Ok(_) => vec!["yes".to_owned()],
            Err(Stop::Refused(refusal)) => {
                let rule = refusal.rule.map_or_else(|| "-".to_owned(), |r| r.to_string());
                vec![format!("no {rule} {}", refusal.words)]
            }
            Err(Stop::Dice(no)) => vec![format!("no - {no}")],
        })
    }

    fn cost_facts(&self, state: &State, who: &[ElementId]) -> Result<Vec<String>, Problem> {
        if who.is_empty() {
            return Err(Problem::new("cost of whom?").hint("cost A.Bld1-A.Bld3"));
        }
        match Scene::new(self, state).move_cost(who) {
            Ok(cost) => {
                let mut out = vec![format!("cost {}", cost.pips())];
                out.extend(cost.parts().map(|(rule, n)| format!("pip {rule} {n}")));
                Ok(out)
            }
            Err(refusal) => {
                let rule = refusal.rule.map_or_else(|| "-".to_owned(), |r| r.to_string());
                Ok(vec![format!("no {rule} {}", refusal.words)])
            }
        }
    }

    /// `flight [COMMAND]`: of a demoralized command, or of all of the side whose bound it is: who would run and to where,
    /// and what it costs to hold them, singly and as groups (BB-042, BB-043, BB-061).
    fn flight_facts(&self, state: &State, text: &str) -> Result<Vec<String>, Problem> {
        let commands: Vec<CommandId> = if text.is_empty() {
            let acts = |c: &CommandId| self.acts(state, self.commands[c.index()].side);
            (0..self.commands.len() as u8).map(CommandId).filter(acts).collect()
        } else {
            vec![command_named(self, text, state.active)?]
        };
        let mut out = Vec::new();
        for command in commands {
            let Some(shaken) = self.shaken(state, command) else { continue };
            for runner in &shaken.runners {
                let name = self.full_label(runner.who);
                out.push(match runner.to {
                    Some(pose) => format!("runs {name} to {}", figure::pose(pose)),
                    None => format!("runs {name} off"),
                });
            }
            for halt in &shaken.halts {
                let names: Vec<String> = halt.who.iter().map(|id| self.full_label(*id)).collect();
                let parts: Vec<String> = halt.parts.iter().map(|(r, n)| format!("{r} {n}")).collect();
                out.push(format!("halt {} {} ({})", halt.pips, names.join(" "), parts.join(", ")));
            }
        }
        if out.is_empty() {
            out.push("runs nobody".to_owned());
        }
        Ok(out)
    }

    /// HOTT-153: whose threat zones hold for whom, as rectangles ahead of their fronts.
    fn zone_facts(&self, state: &State) -> Vec<String> {
        let tell = |(of, zone): (ElementId, field::Zone)| {
            let (wide, deep) = (figure::print(zone.right - zone.left), figure::print(zone.depth));
            format!("zone {} {} width {wide} depth {deep}", self.full_label(of), figure::pose(zone.pose))
        };
        Scene::new(self, state).zones().into_iter().map(tell).collect()
    }

    fn contact_facts(&self, state: &State, id: ElementId) -> Vec<String> {
        let contacts = Contacts::of(self, state);
        let t = contacts.touching(id);
        let mut out = Vec::new();
        if let Some(enemy) = t.front {
            out.push(format!("front {}", self.full_label(enemy)));
        }
        if let Some((enemy, way)) = t.hits {
            let way = match way {
                field::Contact::Flank(field::Side::Left) => "left flank",
                field::Contact::Flank(field::Side::Right) => "right flank",
                _ => "rear",
            };
            out.push(format!("hits {way} of {}", self.full_label(enemy)));
        }
        for (place, enemy) in ["left", "right", "rear"].into_iter().zip(t.hit_by) {
            out.extend(enemy.map(|e| format!("hit {place} by {}", self.full_label(e))));
        }
        for (place, enemy) in ["left", "right"].into_iter().zip(t.overlapped_by) {
            out.extend(enemy.map(|e| format!("overlapped {place} by {}", self.full_label(e))));
        }
        if let Some(side) = t.stronghold {
            out.push(format!("stronghold {}.Str", self.sides[side.index()].letter));
        }
        if out.is_empty() {
            out.push("contact none".to_owned());
        }
        out
    }

    fn fights_facts(&self, state: &State) -> Vec<String> {
        let tell = |f: crate::bound::Fight| {
            format!("fight {} {}", target_label(self, f.who[0]), target_label(self, f.who[1]))
        };
        self.fights_now(state).into_iter().map(tell).collect()
    }

    /// Who bears on the fights of a position beside the two of each: `overlap A.Bld2 B.Kni1` (the first overlaps the
    /// second), `flank`, `rear`, `support A.Spr2 A.Spr1`, `aid A.Bld2 B.Str`.
    fn knots_facts(&self, state: &State) -> Vec<String> {
        let contacts = Contacts::of(self, state);
        let mut out = Vec::new();
        for fight in self.fights_now(state) {
            let lists =
                self.fighters_of(state, Mode::Contact, fight.who, &fight.aids).ok().map(|(two, _)| {
                    let parts = Mode::Contact.parts();
                    [
                        factors(&self.tables, parts[0], &two[0], &two[1]),
                        factors(&self.tables, parts[1], &two[1], &two[0]),
                    ]
                });
            for n in [0, 1] {
                let foe = fight.who[1 - n];
                let Target::Element(me) = fight.who[n] else { continue };
                let touching = contacts.touching(me);
                let mut add = |word: &str, who: ElementId| {
                    if Target::Element(who) != foe {
                        out.push(format!("{word} {} {}", self.full_label(who), self.full_label(me)));
                    }
                };
                for (word, enemy) in ["flank", "flank", "rear"].into_iter().zip(touching.hit_by) {
                    enemy.into_iter().for_each(|e| add(word, e));
                }
                touching.overlapped_by.into_iter().flatten().for_each(|e| add("overlap", e));
                let counts = lists.as_ref().is_some_and(|l| crate::bound::counted_support(&l[n]));
                if let (true, Some((friend, _))) = (counts, self.supporter(state, me)) {
                    add("support", friend);
                }
            }
            for aid in fight.aids {
                out.push(format!("aid {} {}", self.full_label(aid), target_label(self, fight.who[1])));
            }
        }
        out.sort();
        out.dedup();
        out
    }

    /// `answer nearest|most-aids|by-rule`: which answer to the open choice of a target that would be.
    fn answer_facts(&self, state: &State, word: &str) -> Result<Vec<String>, Problem> {
        let (shooter, targets) = match state.pending.last() {
            Some(Pending::ShooterTarget { shooter, targets, .. }) => (shooter, targets),
            Some(Pending::FlightWay { who, ends, .. }) if word == "fewest" => {
                let way = ends.iter().copied().min_by_key(|end| self.friends_disturbed(state, *who, *end));
                let text = |pose| self.print(state, &Command::Flee(pose));
                return Ok(way.map(text).into_iter().collect());
            }
            _ => return Ok(Vec::new()),
        };
        let shots = Shots::new(self, state);
        let found = match word {
            "nearest" => targets.iter().copied().min_by_key(|t| shots.distance(*shooter, *t)),
            "most-aids" => shots.most_aids(*shooter),
            "by-rule" => shots.by_rule(*shooter, &[]),
            _ => {
                let known = ["nearest", "most-aids", "by-rule"];
                return Err(Problem::new(format!("which answer is {word:?}?")).meant(word, known));
            }
        };
        let tell = |t: Target| format!("target {}", target_label(self, t));
        Ok(found.filter(|t| targets.contains(t)).map(tell).into_iter().collect())
    }

    /// How many friends stand in the way of a flight to an end (HOTT-318): it runs over them.
    fn friends_disturbed(&self, state: &State, who: ElementId, end: Pose) -> usize {
        let side = self.element(who).side;
        let runner = self.base(state, who);
        let ran = runner.turned_to(end.heading).pose.point().distance(end.point());
        let way: Vec<_> = (0..=ran / STRIDE).map(|n| runner.at(end.back(n * STRIDE))).collect();
        let friend = |id: &ElementId| *id != who && self.element(*id).side == side && state.on_table(*id);
        let run_over = |id: &ElementId| {
            let there = self.base(state, *id);
            way.iter().any(|base| base.overlaps(&there))
        };
        self.ids().filter(friend).filter(run_over).count()
    }

    fn fights_now(&self, state: &State) -> Vec<crate::bound::Fight> {
        let mut copy = state.clone();
        let (mut dice, mut events) = (dice::Fixed(3), Vec::new());
        let play = crate::bound::Play {
            battle: self,
            state: &mut copy,
            by: Actor::Umpire,
            dice: &mut dice,
            events: &mut events,
        };
        let contacts = play.contacts();
        play.fights(&contacts)
    }

    /// `A v B [shooting|magic] [with L]`: the factors of both, or the exact odds.
    fn fight_question(&self, state: &State, words: &[&str], exact: bool) -> Result<Vec<String>, Problem> {
        let own = state.active;
        let mut words = words.to_vec();
        let mut mode = Mode::Contact;
        words.retain(|w| match w.to_lowercase().as_str() {
            "shooting" | "shot" => {
                mode = Mode::Shot;
                false
            }
            "magic" | "spell" | "bespelled" => {
                mode = Mode::Bespelled;
                false
            }
            "with" => false,
            _ => true,
        });
        let [a, b, aids @ ..] = &words[..] else {
            return Err(Problem::new("two are needed").hint("factors A.Bld1 v B.Bld1"));
        };
        let who = [find_target(self, a, own)?, find_target(self, b, own)?];
        if who[0] == who[1] {
            return Err(Problem::new(format!("{} does not fight itself", target_label(self, who[0]))));
        }
        let mut helpers = Vec::new();
        for aid in aids {
            helpers.extend(find_elements(self, aid, own)?);
        }
        let (fighters, answered) = self.fighters_of(state, mode, who, &helpers)?;
        let [x, y] = &fighters;
        let names = who.map(|w| target_label(self, w));
        let parts = mode.parts();
        let lists = [factors(&self.tables, parts[0], x, y), factors(&self.tables, parts[1], y, x)];
        let mut out = Vec::new();
        for (name, list) in names.iter().zip(&lists) {
            out.extend(list.as_slice().iter().map(|f| format!("factor {name} {} {:+}", f.rule, f.value)));
            out.push(format!("sum {name} {}", list.sum()));
        }
        if exact {
            let o = odds(&self.tables, mode, [x, y], answered);
            out.push(format!("pairs {}", o.pairs));
            for (i, name) in names.iter().enumerate() {
                out.push(format!("wins {name} {}", o.wins[i]));
            }
            out.push(format!("draws {}", o.draws));
            // In a position the outcome moves count; two that do not fight are weighed as if in the open.
            match (mode == Mode::Contact).then(|| self.fight_chances(state, who)).flatten() {
                Some(chances) => {
                    for (target, outcome, n) in chances.befalls {
                        let name = target_label(self, target);
                        out.push(format!("odds {name} {} {n}", outcome_fact(outcome)));
                    }
                    for (command, n) in chances.halves {
                        out.push(format!("half {} {n}", command_label(self, command)));
                    }
                }
                None => {
                    for (i, name) in names.iter().enumerate() {
                        for outcome in Outcome::ALL {
                            let n = o.count(i, outcome);
                            if n > 0 && outcome != Outcome::None {
                                out.push(format!("odds {name} {} {n}", outcome_fact(outcome)));
                            }
                        }
                    }
                    for (i, target) in who.into_iter().enumerate() {
                        let Target::Element(id) = target else { continue };
                        let gone = [Outcome::FleeField, Outcome::Ensorcelled, Outcome::Destroyed];
                        let n: u32 = gone.iter().map(|g| o.count(i, *g)).sum();
                        if let Some(command) = self.loss_breaks(state, id).filter(|_| n > 0) {
                            out.push(format!("half {} {n}", command_label(self, command)));
                        }
                    }
                }
            }
        }
        Ok(out)
    }

    /// The two of a question as fighters, and whether a shot is answered.
    fn fighters_of(
        &self,
        state: &State,
        mode: Mode,
        who: [Target; 2],
        aids: &[ElementId],
    ) -> Result<([Fighter; 2], bool), Problem> {
        let contacts = Contacts::of(self, state);
        if mode == Mode::Contact {
            let fighter = |me, foe| self.close_fighter(state, &contacts, me, foe, aids);
            return Ok(([fighter(who[0], who[1]), fighter(who[1], who[0])], true));
        }
        let Target::Element(main) = who[0] else {
            return Err(Problem::new("a Stronghold neither shoots nor bespells"));
        };
        let answered = match who[1] {
            Target::Element(id) => Shots::new(self, state).may_shoot_at(id, who[0]).is_ok(),
            Target::Stronghold(_) => false,
        };
        let target = self.target_fighter(state, mode, main, who[1], aids.len());
        Ok(([self.main_fighter(state, main), target], answered))
    }
}
