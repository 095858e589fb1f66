//! Questions about what stands in tables: `type Blade`, `board`, `ground`, `army 4 Blades, …`, `beaten Blade by
//! Warband`, `outcomes contact good`.

use crate::army;
use crate::battle::{Battle, State};
use crate::figure;
use crate::labels::find_side;
use crate::table::{Class, Column, Fighter, Footing, Judged, Mode, ShootBounds, Tables, TroopType, result};
use crate::words::{ap, outcome_fact};
use game::{Problem, Viewer};

/// The questions of this file.
pub(crate) const QUESTIONS: [&str; 7] = ["type", "board", "ground", "army", "beaten", "outcomes", "sees"];

fn yes(is: bool) -> &'static str {
    if is { "yes" } else { "no" }
}

impl Battle {
    /// Answers a question about the tables; `None` if it is none of them.
    pub(crate) fn table_question(
        &self,
        state: &State,
        first: &str,
        rest: &str,
    ) -> Option<Result<Vec<String>, Problem>> {
        Some(match first {
            "type" => self.type_facts(rest),
            "board" => Ok(self.board_facts()),
            "ground" => Ok(self.ground_facts(state)),
            "army" => Ok(self.army_facts(rest)),
            "beaten" => self.beaten_facts(rest),
            "outcomes" => self.outcome_rows(rest),
            "sees" => self.seen_facts(state, rest),
            _ => return None,
        })
    }

    fn read_type(&self, text: &str) -> Result<TroopType, Problem> {
        TroopType::parse(text).ok_or_else(|| {
            let problem = Problem::new(format!("unknown element type: {text}"));
            match TroopType::suggest(text) {
                Some(ty) => problem.hint(format!("did you mean {}?", ty.name())),
                None => problem.hint("a type's name or code: Blade, Wbd, Aerial Hero"),
            }
        })
    }

    /// Section 3: the row of one type, in paces at the scale that is played.
    fn type_facts(&self, text: &str) -> Result<Vec<String>, Problem> {
        let ty = self.read_type(text)?;
        let data = self.tables.troop(ty);
        let mut out = vec![
            format!("type {} {} {}", ty.code(), ty.name(), data.rule),
            format!("class {}", data.class.word()),
            format!("ap {}", data.ap),
            format!("general {}", yes(data.general)),
        ];
        for (word, column) in [
            ("road", Column::Road),
            ("road-in-bad-going", Column::RoadInBad),
            ("good", Column::Good),
            ("bad", Column::Bad),
            ("water", Column::Water),
        ] {
            let rate = data.rate(column);
            let rate = if rate == 0 { "-".to_owned() } else { rate.to_string() };
            out.push(format!("move {word} {rate}"));
        }
        out.push(format!("factor foot {:+}", data.cf(Class::Foot)));
        out.push(format!("factor mounted {:+}", data.cf(Class::Mounted)));
        out.push(format!("pursues {}", yes(data.pursues)));
        out.push(match data.shoots {
            None => "shoots no".to_owned(),
            Some(s) if s.bounds == ShootBounds::Both => format!("shoots {} both", s.range),
            Some(s) => format!("shoots {} own", s.range),
        });
        out.push(match data.bespells {
            true => format!("bespells {}", self.tables.numbers.bespell_range),
            false => "bespells no".to_owned(),
        });
        out.push(format!("width {}", self.tables.base_width(self.scale)));
        out.push(format!("depth {}", data.depth(self.scale)));
        for (is, word) in [(ty.is_hero(), "Hero"), (ty.is_lurker(), "Lurker")] {
            if is {
                out.push(format!("counts-as {word}"));
            }
        }
        Ok(out)
    }

    /// HOTT-001, HOTT-002, HOTT-004, HOTT-005, HOTT-008: scale, base width, board, quarters, die.
    fn board_facts(&self) -> Vec<String> {
        let (w, h) = (self.board.width, self.board.height);
        let mut out = vec![
            format!("scale {}", self.scale.word()),
            format!("mm 100 = {}p", self.scale.paces(100)),
            format!("base-width {}", self.tables.base_width(self.scale)),
            format!("board {} {}", figure::print(w), figure::print(h)),
            format!("standard-board {}", self.tables.board(self.scale)),
        ];
        let corner = |p: field::Point| format!("{} {}", figure::print(p.x), figure::print(p.y));
        out.extend(
            self.board
                .quarters()
                .iter()
                .map(|(low, high)| format!("quarter {} to {}", corner(*low), corner(*high))),
        );
        out.push(format!("die {}", self.tables.numbers.die_sides));
        out
    }

    /// HOTT-062 to HOTT-066: whether the ground of the position would be legal to lay.
    fn ground_facts(&self, state: &State) -> Vec<String> {
        let ap = self.sides.iter().map(|s| i64::from(s.halves)).sum::<i64>() / 2;
        let ap = i32::try_from(ap).unwrap_or(i32::MAX);
        let wrong = state.ground.problems(&self.tables, &self.board, self.scale, ap);
        let mut out = vec![format!("legal {}", yes(wrong.is_empty()))];
        out.extend(wrong.iter().map(|p| format!("no {} {}", p.rule, p.message)));
        out
    }

    /// HOTT-009 to HOTT-013: a list in words, entries parted by commas or semicolons.
    fn army_facts(&self, text: &str) -> Vec<String> {
        let list = army::read_pasted(&text.replace([';', ','], "\n"), &self.tables);
        let verdict = army::check_list(&list, &self.tables, None);
        let mut out = vec![
            format!("legal {}", yes(verdict.legal)),
            format!("legal-but-for-general {}", yes(verdict.legal_but_for_general)),
            format!("ap {}", verdict.ap),
            format!("small-ap {}", verdict.small_ap),
        ];
        for e in &verdict.elements {
            out.push(format!("element {} {}{}", e.count, e.ty, if e.general { " general" } else { "" }));
        }
        out.extend(verdict.problems.iter().map(|p| format!("problem {} {}", p.rule, p.message)));
        out.extend(verdict.unread.iter().map(|u| format!("unread {}", u.text)));
        out
    }

    /// `sees A`: what the seat that acts for a side knows of its enemies' elements off the table (HOTT-078, `army_lists`).
    fn seen_facts(&self, state: &State, text: &str) -> Result<Vec<String>, Problem> {
        let side = find_side(self, text)?;
        let viewer = Viewer::Seat(self.chief_of(state, side));
        let mut out = Vec::new();
        for id in self.ids().filter(|id| !state.on_table(*id)) {
            if self.element(id).side != side && self.may_know(state, viewer, id) {
                let fate = crate::labels::FATES[state.element(id).fate as usize].1;
                out.push(format!("knows {} {fate}", self.full_label(id)));
            }
        }
        for s in self.make_view(state, viewer).sides.iter().filter(|s| s.unknown > 0) {
            out.push(format!("unknown {} {}", s.letter, ap(s.unknown)));
        }
        Ok(out)
    }

    /// `beaten LOSER by WINNER [shot|bespelled] [bad] [charged] [ground-aid] [general]`: HOTT-276 to HOTT-296, as the
    /// resolving code has them.
    fn beaten_facts(&self, text: &str) -> Result<Vec<String>, Problem> {
        let mut words: Vec<&str> = text.split_whitespace().collect();
        let how = How::read(&mut words);
        let text = words.join(" ");
        let Some((loser, winner)) = text.split_once(" by ") else {
            return Err(Problem::new("who is beaten by whom?").hint("beaten Blade by Warband"));
        };
        let (loser, winner) = (self.read_type(loser)?, self.read_type(winner)?);
        let [beaten, doubled] = how.lost(&self.tables, loser, winner);
        let say = |word: &str, j: Judged| format!("{word} {} {}", outcome_fact(j.outcome), j.rule);
        Ok(vec![say("beaten", beaten), say("doubled", doubled)])
    }

    /// `outcomes MODE GOING [charged]`: the tables HOTT-297 to HOTT-301, a row a line, as the resolving code has them
    /// for losers that are no generals.
    fn outcome_rows(&self, text: &str) -> Result<Vec<String>, Problem> {
        let mut words: Vec<&str> = text.split_whitespace().collect();
        let how = How::read(&mut words);
        if let Some(other) = words.first() {
            return Err(Problem::new(format!("not understood: {other}")).meant(other, How::WORDS));
        }
        let wins = |ty: &TroopType| match how.mode {
            Mode::Contact => true,
            Mode::Shot => self.tables.troop(*ty).shoots.is_some(),
            Mode::Bespelled => self.tables.troop(*ty).bespells,
        };
        let known = |t: &TroopType| self.tables.is_big() || !self.tables.troop(*t).big;
        let types = || TroopType::ALL.into_iter().filter(known);
        let winners: Vec<TroopType> = types().filter(wins).collect();
        let codes: Vec<&str> = winners.iter().map(|t| t.code()).collect();
        let mut out = vec![format!("columns {}", codes.join(" "))];
        for loser in types() {
            let mut line = format!("row {}", loser.code());
            for winner in winners.iter().filter(|w| (loser, **w) != (TroopType::Str, TroopType::Str)) {
                let [beaten, doubled] = how.lost(&self.tables, loser, *winner).map(|j| j.outcome.letter());
                line.push_str(&format!(" {beaten}/{doubled}"));
            }
            out.push(line);
        }
        Ok(out)
    }
}

/// How a fight was lost.
#[derive(Clone, Copy)]
struct How {
    mode: Mode,
    bad: bool,
    charged: bool,
    ground_aid: bool,
    general: bool,
}

impl How {
    const WORDS: [&str; 8] =
        ["contact", "shot", "bespelled", "good", "bad", "charged", "ground-aid", "general"];

    /// Takes what it knows out of the words.
    fn read(words: &mut Vec<&str>) -> How {
        let mut how =
            How { mode: Mode::Contact, bad: false, charged: false, ground_aid: false, general: false };
        words.retain(|w| {
            match *w {
                "contact" => how.mode = Mode::Contact,
                "shot" | "shooting" => how.mode = Mode::Shot,
                "bespelled" | "magic" => how.mode = Mode::Bespelled,
                "good" => how.bad = false,
                "bad" => how.bad = true,
                "charged" => how.charged = true,
                "ground-aid" => how.ground_aid = true,
                "general" => how.general = true,
                _ => return true,
            }
            false
        });
        how
    }

    /// What befalls the loser with 5 to 6, and with 3 to 6.
    fn lost(self, tables: &Tables, loser: TroopType, winner: TroopType) -> [Judged; 2] {
        let footing = if self.bad { Footing::BAD } else { Footing::GOOD };
        let loser =
            Fighter { footing, just_contacted: self.charged, general: self.general, ..Fighter::new(loser) };
        let winner = Fighter { ground_aid: self.ground_aid, ..Fighter::new(winner) };
        [5, 3].map(|low| result(tables, self.mode, [&winner, &loser], [6, low], false)[1])
    }
}
