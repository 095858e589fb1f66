//! HOTT-316 to HOTT-322: flight.

use crate::battle::{Departure, ElementId, Event, Pending, Strong, Why};
use crate::bound::{Done, Play, refused};
use crate::moves::passage;
use crate::table::Class;
use crate::table::options::FleeBlocked;
use field::{Base, Hull, PACE, Pose, run_clear, run_straight};
use rulebook::rule;

impl Play<'_> {
    /// HOTT-316: turns about and runs; gives the ends of two equal ways if its owner has to choose between them.
    pub(crate) fn run_away(&mut self, who: ElementId) -> Option<Vec<Pose>> {
        if !self.stands(who) {
            return None;
        }
        let start = self.base(who).turned_about();
        let distance = self.battle.tables.numbers.flee_distance * PACE;
        if self.is_aerial(who) {
            let to = self.landing(who, &start, distance);
            self.flee_to(who, to);
            return None;
        }
        let heading = start.pose.heading;
        let most = self.battle.tables.numbers.flee_turn_max * 100;
        let run = {
            let blocks = self.flight_blocks(who, &start);
            run_clear(&start, heading, distance, most, &blocks)
        };
        if !run.clear && self.battle.tables.options.flee_blocked == FleeBlocked::Destroyed {
            self.remove(who, Departure::Destroyed, rule!("HOTT-318"));
            return None;
        }
        let off = heading.turn_to(run.heading);
        if run.clear && off != 0 {
            // Another way just as near on the other side is the owner's to choose.
            let mirrored = heading.turned(-off);
            let other = {
                let blocks = self.flight_blocks(who, &start);
                run_straight(&start.turned_to(mirrored), mirrored, distance, &blocks)
            };
            if other.clear && other.pose != run.pose {
                return Some(vec![run.pose, other.pose]);
            }
        }
        self.flee_to(who, run.pose);
        None
    }

    /// HOTT-318, HOTT-319, HOTT-322: what turns a flight aside.
    fn flight_blocks(&self, who: ElementId, start: &Base) -> Box<dyn Fn(&Hull) -> bool + '_> {
        let contacts = self.contacts();
        let start = *start;
        let class = self.battle.class(who);
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
                    let avoided = kind.is_water()
                        || kind == crate::ground::Kind::Cliff
                        || kind.is_bad() && shy && class != Class::Aerial;
                    avoided && !inside.contains(&n) && f.shape.overlaps_hull(hull)
                })
        })
    }

    /// HOTT-320: the last place along a straight flight where an Aerial may stand.
    fn landing(&self, who: ElementId, start: &Base, distance: i32) -> Pose {
        let class = self.battle.class(who);
        let mut by = distance;
        while by > 0 {
            let base = start.at(start.pose.forward(by));
            let off = self.battle.board.crossed(&base).is_some();
            let stands = !self.overlaps_any(who, &base)
                && self.state.ground.under(&base).forbids_end(&self.battle.tables, class).is_none()
                && !self.on_stronghold(&base)
                && !self.touches_enemy(who, &base);
            if off || stands {
                return base.pose;
            }
            by -= PACE;
        }
        start.pose
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

    /// Ends a flight here, or short of it where it would end on somebody (HOTT-319).
    fn flee_to(&mut self, who: ElementId, to: Pose) {
        let from = self.state.element(who).pose;
        let size = self.battle.element(who).size;
        let mut end = Base::new(to, size);
        // Past the edge it is gone whoever stands there.
        if self.battle.board.crossed(&end).is_none() {
            let most = self.battle.tables.numbers.flee_distance;
            for by in 1..=most {
                if !self.overlaps_any(who, &end) {
                    break;
                }
                end = end.at(to.back(by * PACE));
            }
            if self.overlaps_any(who, &end) {
                let facing = end.pose.heading;
                let turned = Base::new(from, size).turned_to(facing);
                let stays = Base::new(from, size);
                // BB-064: one that cannot go at all stays, turned if there is room.
                let room = !self.overlaps_any(who, &turned) || !self.battle.tables.is_big();
                end = if room { turned } else { stays };
            }
        }
        self.put(who, end.pose);
        // It turns first: the run is counted from there.
        let turned = Base::new(from, size).turned_to(end.pose.heading).pose;
        self.events.push(Event::Fled { who, from: turned, to: end.pose });
        if self.battle.board.crossed(&end).is_some() {
            self.remove(who, Departure::Fled, rule!("HOTT-321"));
        }
    }

    /// BB-043, BB-064 to BB-066: what of this side's demoralized commands is neither in contact nor moved, halted or
    /// arrived flees toward the base edge, nearest to it first.
    pub(crate) fn rout(&mut self, side: crate::battle::SideId) {
        use crate::battle::Flags;
        if self.state.large.contest.is_some() {
            return self.rout_contingents(side);
        }
        let edge = self.state.side(side).edge.unwrap_or(field::BoardEdge::Lower);
        let away = edge.inward().opposite();
        let contacts = self.contacts();
        let runs = |id: &ElementId| {
            let flags = self.state.element(*id).flags;
            let kept = [Flags::MOVED, Flags::HALTED, Flags::ARRIVED].iter().any(|f| flags.has(*f));
            let broken = self.state.command(self.battle.element(*id).command).demoralised;
            broken && self.stands(*id) && !kept && !contacts.in_contact(*id)
        };
        let mut order: Vec<ElementId> = self.battle.ids_of(side).filter(runs).collect();
        order.sort_by_key(|id| (self.battle.board.from_edge(edge, self.base(*id).centre()), *id));
        for who in order {
            // BB-066
            if self.battle.element(who).ty.is_lurker() {
                self.remove(who, Departure::Fled, rule!("BB-066"));
                continue;
            }
            if self.battle.tables.big.flight_recoil && !self.recoil(who, None) {
                continue;
            }
            let start = self.base(who).turned_to(away);
            let distance = self.battle.tables.numbers.demoralised_flight * PACE;
            if self.is_aerial(who) {
                let to = self.landing(who, &start, distance);
                self.flee_to(who, to);
                continue;
            }
            let most = self.battle.tables.numbers.flee_turn_max * 100;
            let run = {
                let blocks = self.flight_blocks(who, &start);
                run_clear(&start, away, distance, most, &blocks)
            };
            self.flee_to(who, run.pose);
        }
        self.tidy();
    }

    /// CAM-078, CAM-158: what of a routed contingent is in no contact runs for the edge by which it came, nearest to it
    /// first; Aerials and Lurkers are gone at once.
    fn rout_contingents(&mut self, side: crate::battle::SideId) {
        use crate::battle::CommandId;
        use crate::table::Column;
        for n in 0..self.battle.commands.len() {
            let command = CommandId(n as u8);
            let routed = self.battle.entry(self.state, command).is_some()
                && self.state.command(command).demoralised
                && self.battle.commands[n].side == side;
            if !routed {
                continue;
            }
            let edge = self.battle.entry_edge(self.state, command);
            let away = edge.inward().opposite();
            let contacts = self.contacts();
            let runs = |id: &ElementId| {
                self.battle.element(*id).command == command && self.stands(*id) && !contacts.in_contact(*id)
            };
            let mut order: Vec<ElementId> = self.battle.ids_of(side).filter(runs).collect();
            order.sort_by_key(|id| (self.battle.board.from_edge(edge, self.base(*id).centre()), *id));
            for who in order {
                let ty = self.battle.element(who).ty;
                if ty.is_lurker() || self.is_aerial(who) {
                    self.remove(who, Departure::Fled, rule!("CAM-158"));
                    continue;
                }
                let start = self.base(who).turned_to(away);
                let footing = self.state.ground.footing(&self.base(who));
                let column = if footing.water {
                    Column::Water
                } else if footing.bad {
                    Column::Bad
                } else {
                    Column::Good
                };
                let rates = self.battle.tables.numbers.rout_rates;
                let distance = rates * self.battle.tables.troop(ty).rate(column) * PACE;
                let most = self.battle.tables.numbers.flee_turn_max * 100;
                let run = {
                    let blocks = self.flight_blocks(who, &start);
                    run_clear(&start, away, distance, most, &blocks)
                };
                self.flee_to(who, run.pose);
            }
        }
        self.tidy();
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
