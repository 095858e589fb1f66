//! HOTT-316 to HOTT-322: flight.

use crate::battle::{CommandId, Departure, ElementId, Event, Pending, SideId, Strong, Why};
use crate::bound::{Done, Play, refused};
use crate::moves::passage;
use crate::table::Column;
use crate::table::options::FleeBlocked;
use field::{Base, BoardEdge, Hull, PACE, Pose, Run, TOLERANCE, run_clear, run_straight};
use rulebook::{RuleId, rule};

/// What one element of a rout does.
enum Rout {
    /// It is gone at once, by this rule.
    Gone(RuleId),
    /// It runs so many paces.
    Runs(i32),
    /// Its recoil was the end of it.
    Stays,
}

impl Play<'_> {
    /// HOTT-316: turns about and runs; gives the ends of two equal ways if its owner has to choose between them.
    pub(crate) fn run_away(&mut self, who: ElementId) -> Option<Vec<Pose>> {
        if !self.stands(who) {
            return None;
        }
        let start = self.base(who).turned_about();
        let paces = self.battle.tables.numbers.flee_distance;
        let distance = paces * PACE;
        let run = self.course(who, &start, paces, false);
        if !run.clear && self.battle.tables.options.flee_blocked == FleeBlocked::Destroyed {
            self.remove(who, Departure::Destroyed, rule!("HOTT-318"));
            return None;
        }
        let heading = start.pose.heading;
        let off = heading.turn_to(run.heading);
        if run.clear && off != 0 {
            // Another way just as near on the other side is the owner's to choose.
            let mirrored = heading.turned(-off);
            let other = {
                let blocks = self.flight_blocks(who, &start, false);
                run_straight(&start.turned_to(mirrored), mirrored, distance, &blocks)
            };
            if other.clear && other.pose != run.pose {
                return Some(vec![run.pose, other.pose]);
            }
        }
        self.flee_to(who, run.pose);
        None
    }

    /// HOTT-318, HOTT-320: how far a flight straight ahead of `start` gets; on the ground it turns aside as little as
    /// it must.
    fn course(&self, who: ElementId, start: &Base, paces: i32, turning: bool) -> Run {
        let heading = start.pose.heading;
        let distance = paces * PACE;
        if self.is_aerial(who) {
            return Run { pose: self.landing(who, start, paces), heading, travelled: distance, clear: true };
        }
        let most = self.battle.tables.numbers.flee_turn_max * 100;
        run_clear(start, heading, distance, most, &self.flight_blocks(who, start, turning))
    }

    /// HOTT-318, HOTT-319, HOTT-322: what turns a flight aside. BB-064: after `turning` about its centre whoever it comes
    /// to stand on only by that, and who is not ahead of it, is not in its way.
    fn flight_blocks(&self, who: ElementId, start: &Base, turning: bool) -> Box<dyn Fn(&Hull) -> bool + '_> {
        let contacts = self.contacts();
        let start = *start;
        let tables = &self.battle.tables;
        let shy = !tables.at_home_in_bad_going(self.battle.element(who).ty);
        let around: Vec<(Base, bool, bool)> = self
            .battle
            .ids()
            .filter(|id| *id != who && self.stands(*id))
            .filter_map(|id| {
                let base = self.base(id);
                let enemy = self.battle.enemies(who, id);
                let open = !enemy && passage(self.battle, &contacts, who, id, None).is_open();
                let ahead = start.pose.to_local(base.centre()).y + start.size.depth / 2 > TOLERANCE;
                let open = open || turning && !ahead && start.overlaps(&base);
                (!open).then_some((base, enemy, start.touches(&base)))
            })
            .collect();
        let strongs: Vec<Base> = self
            .state
            .sides
            .iter()
            .filter_map(|s| match s.strong {
                Strong::Stands(b) | Strong::Lost(b) => Some(b),
                _ => None,
            })
            .collect();
        // What it already stands in does not keep it there (HOTT-R35).
        let inside: Vec<usize> = self.state.ground.features_under(&start).map(|(n, _)| n).collect();
        Box::new(move |hull: &Hull| {
            // An enemy that it touches at the start it may leave; others it may not even touch.
            around.iter().any(
                |(base, enemy, touching)| {
                    if *enemy && !*touching { hull.touches(base) } else { hull.overlaps(base) }
                },
            ) || strongs.iter().any(|b| hull.overlaps(b))
                || self.state.ground.features().iter().enumerate().any(|(n, f)| {
                    let kind = f.kind;
                    let avoided =
                        kind.is_water() || kind == crate::ground::Kind::Cliff || kind.is_bad() && shy;
                    avoided && !inside.contains(&n) && f.shape.overlaps_hull(hull)
                })
        })
    }

    /// HOTT-320: the last place along a straight flight where an Aerial may stand.
    fn landing(&self, who: ElementId, start: &Base, paces: i32) -> Pose {
        let class = self.battle.class(who);
        let ends = |base: &Base| {
            self.battle.board.crossed(base).is_some()
                || !self.overlaps_any(who, base)
                    && self.state.ground.under(base).forbids_end(&self.battle.tables, class).is_none()
                    && !self.on_stronghold(base)
                    && !self.touches_enemy(who, base)
        };
        let mut places = (1..=paces).rev().map(|by| start.at(start.pose.forward(by * PACE)));
        places.find(ends).map_or(start.pose, |base| base.pose)
    }

    fn on_stronghold(&self, base: &Base) -> bool {
        self.state
            .sides
            .iter()
            .any(|s| matches!(s.strong, Strong::Stands(b) | Strong::Lost(b) if base.overlaps(&b)))
    }

    fn touches_enemy(&self, who: ElementId, base: &Base) -> bool {
        self.battle
            .ids()
            .any(|e| self.stands(e) && self.battle.enemies(who, e) && base.touches(&self.base(e)))
    }

    /// Ends a flight here, or short of it where it would end on somebody (HOTT-319), never behind where it began.
    fn flee_to(&mut self, who: ElementId, to: Pose) {
        let stays = self.base(who);
        let turned = stays.turned_to(to.heading);
        let mut end = stays.at(to);
        // Past the edge it is gone whoever stands there.
        if self.battle.board.crossed(&end).is_none() {
            let ran = turned.pose.point().distance(to.point());
            let short = (0..=ran / PACE).map(|by| stays.at(to.back(by * PACE))).chain([turned]);
            // BB-064: one that cannot go at all stays, turned if there is room.
            end = short.chain([stays]).find(|b| !self.overlaps_any(who, b)).unwrap_or(stays);
        }
        self.put(who, end.pose);
        // It turns first: the run is counted from there.
        let from = stays.turned_to(end.pose.heading).pose;
        self.events.push(Event::Fled { who, from, to: end.pose });
        if self.battle.board.crossed(&end).is_some() {
            self.remove(who, Departure::Fled, rule!("HOTT-321"));
        }
    }

    /// BB-043, BB-064 to BB-066: what of this side's demoralized commands is neither in contact nor moved, halted or
    /// arrived flees toward the base edge.
    pub(crate) fn rout(&mut self, side: SideId) {
        if self.state.large.contest.is_some() {
            return self.rout_contingents(side);
        }
        let edge = self.state.side(side).edge.unwrap_or(BoardEdge::Lower);
        let contacts = self.contacts();
        let runs = |id: &ElementId| self.battle.would_run(self.state, &contacts, *id);
        let who: Vec<ElementId> = self.battle.ids_of(side).filter(runs).collect();
        self.rout_toward(edge, who, |play, id| {
            if play.battle.element(id).ty.is_lurker() {
                return Rout::Gone(rule!("BB-066"));
            }
            let recoils = play.battle.tables.big.flight_recoil;
            if recoils && !play.recoil(id, None) {
                return Rout::Stays;
            }
            Rout::Runs(play.battle.tables.numbers.demoralised_flight)
        });
        self.tidy();
    }

    /// CAM-078, CAM-158: what of a routed contingent is in no contact runs for the edge by which it came; Aerials and
    /// Lurkers are gone at once.
    fn rout_contingents(&mut self, side: SideId) {
        for n in 0..self.battle.commands.len() {
            let command = CommandId(n as u8);
            let routed = self.battle.entry(self.state, command).is_some()
                && self.state.command(command).demoralised
                && self.battle.commands[n].side == side;
            if !routed {
                continue;
            }
            let edge = self.battle.entry_edge(self.state, command);
            let contacts = self.contacts();
            let runs = |id: &ElementId| {
                self.battle.element(*id).command == command && self.stands(*id) && !contacts.in_contact(*id)
            };
            let who: Vec<ElementId> = self.battle.ids_of(side).filter(runs).collect();
            self.rout_toward(edge, who, |play, id| {
                let ty = play.battle.element(id).ty;
                if ty.is_lurker() || play.is_aerial(id) {
                    return Rout::Gone(rule!("CAM-158"));
                }
                let footing = play.state.ground.footing(&play.base(id));
                let column = if footing.water {
                    Column::Water
                } else if footing.bad {
                    Column::Bad
                } else {
                    Column::Good
                };
                Rout::Runs(play.battle.tables.numbers.rout_rates * play.battle.tables.troop(ty).rate(column))
            });
        }
        self.tidy();
    }

    /// A rout toward an edge, nearest to it first.
    fn rout_toward(
        &mut self,
        edge: BoardEdge,
        mut who: Vec<ElementId>,
        how: impl Fn(&mut Self, ElementId) -> Rout,
    ) {
        let away = edge.inward().opposite();
        who.sort_by_key(|id| (self.battle.board.from_edge(edge, self.base(*id).centre()), *id));
        for id in who {
            match how(self, id) {
                Rout::Stays => {}
                Rout::Gone(rule) => self.remove(id, Departure::Fled, rule),
                Rout::Runs(paces) => {
                    let to = self.course(id, &self.base(id).turned_to(away), paces, true).pose;
                    self.flee_to(id, to);
                }
            }
        }
    }

    /// `flee to …`: the owner's answer.
    pub(crate) fn choose_way(&mut self, pose: Pose) -> Done {
        let Some(Pending::FlightWay { who, ends, then, all }) = self.state.pending.last().cloned() else {
            return refused(None, Why::NotNow(self.state.phase), "nobody asks for the way of a flight");
        };
        self.chief_or_owner(who)?;
        if !ends.contains(&pose) {
            let ways: Vec<String> = ends.iter().map(|p| crate::figure::pose(*p)).collect();
            return refused(rule!("HOTT-318"), Why::Other, format!("the ways are {}", ways.join(" and ")));
        }
        self.state.pending.pop();
        self.flee_to(who, pose);
        self.carry(then, all)?;
        if !self.state.pending.is_empty() {
            return Ok(());
        }
        self.tidy();
        if all { self.fight_the_rest() } else { self.go_on() }
    }
}
