//! Step 7: losses, morale, victory (sections 16.4 and 17, BB-040 to BB-054).

use super::{Done, Play, refused};
use crate::battle::{
    Battle, CommandId, Departure, ElementId, Ending, Event, Fate, Over, Phase, SideId, State, Strong, Why,
};
use crate::table::TroopType;
use crate::table::options::{AllianceEnd, DemoralizedCounts, GodDeparture, VictoryGeneral};
use rulebook::{RuleId, rule};

impl Battle {
    /// HOTT-336, HOTT-337: whether an element counts as lost.
    #[must_use]
    pub fn is_lost(&self, state: &State, id: ElementId) -> bool {
        let fate = state.element(id).fate;
        fate.is_lost() && (fate != Fate::Left || self.tables.options.god_departure == GodDeparture::Lost)
    }

    /// HOTT-338: what a command has lost, in halves of an AP.
    #[must_use]
    pub fn command_losses(&self, state: &State, command: CommandId) -> u32 {
        self.ids()
            .filter(|id| self.element(*id).command == command && self.is_lost(state, *id))
            .map(|id| u32::from(self.element(id).halves))
            .sum()
    }

    /// HOTT-338, BB-023, BB-050: a side's losses, in halves of an AP: in big battles with demoralized commands and
    /// Baggage.
    #[must_use]
    pub fn losses(&self, state: &State, side: SideId) -> u32 {
        let mut sum = 0;
        for (n, info) in self.commands.iter().enumerate().filter(|(_, c)| c.side == side) {
            let id = CommandId(n as u8);
            if !state.command(id).demoralised {
                sum += self.command_losses(state, id);
                continue;
            }
            sum += info.halves;
            // CAM-078: a contingent without its general counts as wholly lost.
            let seen = self.tables.big.demoralized_counts == DemoralizedCounts::Seen;
            if seen && state.large.contest.is_none() {
                let never = |e: &ElementId| {
                    let info = self.element(*e);
                    info.command == id
                        && state.element(*e).fate == Fate::Waiting
                        && state.element(*e).appearances == 0
                        && crate::setup::starts_off_table(info.ty)
                };
                sum -= self.ids().filter(never).map(|e| u32::from(self.element(e).halves)).sum::<u32>();
            }
        }
        let lost = state.large.has_lost_baggage(side) || matches!(state.side(side).strong, Strong::Lost(_));
        if lost && self.has_baggage(state, side) {
            sum += 2 * u32::try_from(self.tables.numbers.baggage_ap).unwrap_or(0);
        }
        sum
    }

    /// Whether a share of the AP is lost (HOTT-341, BB-040, BB-050).
    fn is_half(&self, lost: u32, of: u32) -> bool {
        let n = &self.tables.numbers;
        i64::from(lost) * i64::from(n.defeat_share_den) >= i64::from(of) * i64::from(n.defeat_share_num)
    }

    /// BB-040: whether a command has lost half of its AP.
    #[must_use]
    pub fn is_past_its_half(&self, state: &State, command: CommandId) -> bool {
        self.is_half(self.command_losses(state, command), self.commands[command.index()].halves)
    }

    /// Whether the army's general (the commander-in-chief) is lost.
    fn general_lost(&self, state: &State, side: SideId) -> bool {
        let chiefs = self.commands.iter().enumerate().filter(|(_, c)| c.side == side && c.in_chief);
        chiefs
            .map(|(n, _)| self.general_of(state, CommandId(n as u8)))
            .any(|g| g.is_some_and(|g| self.is_lost(state, g)))
    }
}

impl Play<'_> {
    /// Takes an element off the table.
    pub(crate) fn remove(&mut self, who: ElementId, how: Departure, rule: RuleId) {
        if !self.stands(who) {
            return;
        }
        let now = self.now(who);
        now.fate = match how {
            Departure::Destroyed => Fate::Destroyed,
            Departure::Fled => Fate::Fled,
            Departure::Ensorcelled(_) => Fate::Ensorcelled,
            Departure::Left => Fate::Left,
        };
        now.enchanter = match how {
            Departure::Ensorcelled(by) => by,
            _ => None,
        };
        now.flags.clear(crate::battle::Flags::DECLARED);
        now.flags.clear(crate::battle::Flags::AT_STRONGHOLD);
        self.events.push(Event::Removed { who, how, rule });
        // HOTT-341 counts a God that leaves for any reason as one that does not return (HOTT-184).
        if self.battle.tables.is_big()
            && self.battle.tables.big.demoralized_when == crate::table::options::DemoralizedWhen::AtOnce
        {
            self.judge_morale();
        }
    }

    /// HOTT-335, HOTT-342, BB-083: a Stronghold or Baggage is taken.
    pub(crate) fn take_stronghold(&mut self, side: SideId, by: ElementId) {
        if let Strong::Stands(base) = self.state.side(side).strong {
            if self.battle.has_baggage(self.state, side) {
                self.state.sides[side.index()].strong = Strong::None;
                self.state.large.baggage_lost |= 1 << side.0;
                self.events.push(Event::StrongholdLost { side, by });
                return;
            }
            self.state.sides[side.index()].strong = Strong::Lost(base);
            self.events.push(Event::StrongholdLost { side, by });
            self.enter(by, &base);
        }
    }

    /// HOTT-359 with the option `enter`: the main attacker moves in by its own pursuit distance, if nobody is in its way.
    fn enter(&mut self, by: ElementId, taken: &field::Base) {
        use crate::table::options::StrongholdEntry;
        let moves_in = self.battle.tables.options.stronghold_entry == StrongholdEntry::Enter;
        if !moves_in || !field::front_edge_touches(&self.base(by), taken) {
            return;
        }
        let from = self.state.element(by).pose;
        let to = from.forward(self.step_length(by));
        let base = self.base(by).at(to);
        if self.battle.board.contains(&base) && !self.overlaps_any(by, &base) {
            self.put(by, to);
            self.events.push(Event::Pursued { who: by, from, to });
        }
    }

    /// BB-041: the test of commands that have lost their general.
    pub(crate) fn test_generals(&mut self, side: SideId) {
        use crate::table::options::GeneralTest;
        if !self.battle.tables.is_big() {
            return;
        }
        for n in 0..self.battle.commands.len() {
            let (info, id) = (&self.battle.commands[n], CommandId(n as u8));
            let lost = info.general.is_some_and(|g| self.battle.is_lost(self.state, g));
            let now = self.state.command(id);
            let again = self.battle.tables.big.general_test == GeneralTest::EachBound;
            if info.side != side || !lost || now.demoralised || now.tested && !again {
                continue;
            }
            let (score, losses) = (u32::from(now.score), self.battle.command_losses(self.state, id));
            self.state.commands[n].tested = true;
            // Less than half the AP lost: the score twice over against whole AP, four times against halves.
            if 4 * score < losses {
                self.state.commands[n].demoralised = true;
                self.events.push(Event::Demoralised(id));
            }
        }
    }

    /// BB-040; CAM-078 in a campaign's battle.
    pub(crate) fn judge_morale(&mut self) {
        use crate::table::options::Demoralization;
        if self.state.large.contest.is_some() {
            return self.judge_contingents();
        }
        if !self.battle.tables.is_big() {
            return;
        }
        for n in 0..self.battle.commands.len() {
            let id = CommandId(n as u8);
            let half = self.battle.is_past_its_half(self.state, id);
            let general = self.battle.commands[n].general;
            let now = &mut self.state.commands[n];
            let passing = self.battle.tables.big.demoralization == Demoralization::While;
            if half && !now.demoralised {
                now.demoralised = true;
                // What BB-041 broke stays broken while its general is lost: that mark is for it alone.
                now.tested &= !passing;
                self.events.push(Event::Demoralised(id));
            } else if passing && now.demoralised && !half {
                let by_test = now.tested && general.is_some_and(|g| self.battle.is_lost(self.state, g));
                if !by_test {
                    self.state.commands[n].demoralised = false;
                    self.events.push(Event::Rallied(id));
                }
            }
        }
    }

    /// HOTT-088: the end of a bound.
    pub(crate) fn end_bound(&mut self) -> Done {
        self.judge_morale();
        for side in (0..self.state.sides.len() as u8).map(SideId) {
            if !self.state.side(side).out {
                let halves = self.battle.losses(self.state, side);
                self.events.push(Event::Losses { side, halves });
            }
        }
        self.judge_victory();
        if self.state.over.is_some() {
            return Ok(());
        }
        if self.battle.bound_limit > 0 && self.state.bound >= self.battle.bound_limit {
            self.over(0, Ending::Limit);
            return Ok(());
        }
        let ended = self.state.active;
        let place = self.state.side(ended).place;
        // BB-093 with `shared`: allies have the bound of the highest of them.
        let shared = self.battle.tables.is_big()
            && self.battle.tables.big.allied_bounds == crate::table::options::AlliedBounds::Shared;
        let leads = |s: SideId| {
            !(0..self.state.sides.len() as u8).map(SideId).any(|o| {
                let ally = o != s && !self.state.side(o).out && !self.battle.hostile(o, s);
                ally && self.state.side(o).place < self.state.side(s).place
            })
        };
        let playing = |s: &SideId| !self.state.side(*s).out && (!shared || leads(*s));
        let sides = || (0..self.state.sides.len() as u8).map(SideId).filter(playing);
        let after =
            sides().filter(|s| self.state.side(*s).place > place).min_by_key(|s| self.state.side(*s).place);
        // The host's last bound: the round is over when nobody comes after.
        if self.state.large.last_bound && after.is_none() {
            self.settle();
            return Ok(());
        }
        let next = after.or_else(|| sides().min_by_key(|s| self.state.side(*s).place));
        self.state.active = next.unwrap_or(self.state.active);
        self.begin_bound(Some(ended))
    }

    pub(crate) fn over(&mut self, winners: u8, ending: Ending) {
        self.state.over = Some(Over { winners, ending });
        self.state.phase = Phase::Over;
        self.state.pending.clear();
        self.events.push(Event::Over { winners, ending });
    }

    /// Sides still in play.
    fn playing(&self) -> Vec<SideId> {
        (0..self.state.sides.len() as u8).map(SideId).filter(|s| !self.state.side(*s).out).collect()
    }

    /// HOTT-339 to HOTT-343; BB-050 to BB-053 for big battles.
    fn judge_victory(&mut self) {
        let playing = self.playing();
        if self.state.large.contest.is_some() && self.state.sides.len() == 2 {
            return self.judge_contest(&playing);
        }
        if self.battle.tables.is_big() || self.state.sides.len() != 2 {
            return self.judge_alliances(&playing);
        }
        let [a, b] = [SideId(0), SideId(1)];
        let losses = [a, b].map(|s| self.battle.losses(self.state, s));
        // HOTT-342, before all else (HOTT-343).
        let taken = [a, b].map(|s| matches!(self.state.side(s).strong, Strong::Lost(_)));
        match taken {
            [true, false] => return self.over(0b10, Ending::Stronghold),
            [false, true] => return self.over(0b01, Ending::Stronghold),
            _ => {}
        }
        // The rules by which each side loses.
        let lost = |i: usize| {
            let side = [a, b][i];
            let more = losses[i] > losses[1 - i];
            let enough = self.battle.tables.options.victory_general == VictoryGeneral::Enough;
            let half = self.battle.is_half(losses[i], self.battle.sides[i].halves) && more;
            let general = self.battle.general_lost(self.state, side) && (more || enough);
            match (general, half) {
                (_, true) => Some(Ending::Half),
                (true, _) => Some(Ending::General),
                _ => None,
            }
        };
        let by_general = |i: usize| self.battle.general_lost(self.state, [a, b][i]);
        let ending =
            |i: usize, e: Ending| if by_general(i) && e != Ending::Half { Ending::General } else { e };
        match (lost(0), lost(1)) {
            (Some(e), None) => self.over(0b10, ending(0, e)),
            (None, Some(e)) => self.over(0b01, ending(1, e)),
            // HOTT-343: both at once, the fewer lost wins; equal, the game goes on.
            (Some(e), Some(_)) if losses[0] > losses[1] => self.over(0b10, e),
            (Some(_), Some(e)) if losses[1] > losses[0] => self.over(0b01, e),
            _ => self.judge_swept(&playing),
        }
    }

    /// CAM-078: contingents that have lost their general count as wholly lost from the end of that bound on.
    fn judge_contingents(&mut self) {
        for n in 0..self.battle.commands.len() {
            let id = CommandId(n as u8);
            let general = self.battle.commands[n].general;
            let lost = general.is_some_and(|g| self.battle.is_lost(self.state, g));
            if lost && self.battle.entry(self.state, id).is_some() && !self.state.command(id).demoralised {
                self.state.commands[n].demoralised = true;
                self.events.push(Event::Demoralised(id));
            }
        }
    }

    /// CAM-077, CAM-154: (c) before all else; then (a) the commander lost and (b) half lost, either with more AP lost
    /// than the other side.
    fn judge_contest(&mut self, playing: &[SideId]) {
        let sides = [SideId(0), SideId(1)];
        let taken = sides.map(|s| matches!(self.state.side(s).strong, Strong::Lost(_)));
        match taken {
            [true, false] => return self.over(0b10, Ending::Stronghold),
            [false, true] => return self.over(0b01, Ending::Stronghold),
            _ => {}
        }
        let losses = sides.map(|s| self.battle.losses(self.state, s));
        for (i, side) in sides.into_iter().enumerate() {
            if losses[i] <= losses[1 - i] {
                continue;
            }
            let winner = 1 << (1 - i);
            if self.battle.general_lost(self.state, side) {
                return self.over(winner, Ending::General);
            }
            let (lost, whole) = self.battle.share_lost(self.state, side);
            if self.battle.is_half(lost, whole) {
                return self.over(winner, Ending::Half);
            }
        }
        self.judge_swept(playing);
    }

    /// BB-053, HOTT-R38: a side with nobody left on table, while an enemy has somebody, loses.
    fn judge_swept(&mut self, playing: &[SideId]) {
        let stands = |s: &SideId| self.battle.ids_of(*s).any(|id| self.stands(id));
        let left: Vec<SideId> = playing.iter().copied().filter(stands).collect();
        if left.is_empty() || left.len() == playing.len() {
            return;
        }
        if self.state.sides.len() > 2 {
            for side in playing.iter().filter(|s| !left.contains(s)) {
                // BB-053: while an enemy has somebody.
                if left.iter().any(|l| self.battle.hostile(*l, *side)) {
                    self.leave(*side);
                }
            }
        }
        let hostile = left.iter().any(|x| left.iter().any(|y| self.battle.hostile(*x, *y)));
        if !hostile {
            let winners = left.iter().fold(0, |bits, s| bits | 1 << s.0);
            self.over(winners, Ending::Swept);
        }
    }

    /// BB-050, BB-051: alliances with half their AP lost or demoralized, and more than every other, leave.
    fn judge_alliances(&mut self, playing: &[SideId]) {
        let mut left = playing.to_vec();
        // HOTT-342 where a Stronghold stands (BB-085): Baggage is only a loss of AP.
        for side in playing {
            let taken = matches!(self.state.side(*side).strong, Strong::Lost(_));
            if taken && !self.battle.has_baggage(self.state, *side) {
                self.leave(*side);
                left.retain(|s| s != side);
            }
        }
        loop {
            let groups = self.alliances(&left);
            if groups.len() < 2 || !self.any_hostile(&left) {
                break;
            }
            let sums = |g: &Vec<SideId>, f: &dyn Fn(SideId) -> u32| g.iter().map(|s| f(*s)).sum::<u32>();
            let army = |s: SideId| self.battle.sides[s.index()].halves;
            // BB-054: an army of the alliance that has left counts as lost, all of it.
            let gone = |g: &Vec<SideId>| self.gone_of(g, &left);
            let figures: Vec<u32> = groups
                .iter()
                .map(|g| sums(g, &|s| self.battle.losses(self.state, s)) + sums(&gone(g), &army))
                .collect();
            let whole: Vec<u32> = groups.iter().map(|g| sums(g, &army) + sums(&gone(g), &army)).collect();
            let loses = (0..groups.len()).find(|i| {
                let most = (0..groups.len()).all(|j| j == *i || figures[*i] > figures[j]);
                let chief = self.battle.tables.big.cinc_victory
                    && groups[*i].iter().any(|s| self.battle.general_lost(self.state, *s));
                most && (self.battle.is_half(figures[*i], whole[*i]) || chief)
            });
            let Some(i) = loses else { break };
            for side in &groups[i] {
                self.leave(*side);
                left.retain(|s| s != side);
            }
        }
        // With `army` too the last alliance wins, not the last army of it.
        if !left.is_empty() && !self.any_hostile(&left) {
            let winners = left.iter().fold(0, |bits, s| bits | 1 << s.0);
            self.over(winners, Ending::Half);
        } else {
            self.judge_swept(&left);
        }
    }

    /// Whether any two of these are enemies.
    fn any_hostile(&self, sides: &[SideId]) -> bool {
        sides.iter().any(|x| sides.iter().any(|y| self.battle.hostile(*x, *y)))
    }

    /// Armies that have left, of the alliance of these (BB-054); none where each army is judged by itself.
    fn gone_of(&self, group: &[SideId], left: &[SideId]) -> Vec<SideId> {
        if self.battle.tables.big.alliance_end == AllianceEnd::Army {
            return Vec::new();
        }
        let of = |s: &SideId| !left.contains(s) && group.iter().all(|g| !self.battle.hostile(*g, *s));
        (0..self.state.sides.len() as u8).map(SideId).filter(of).collect()
    }

    /// The last bound that the host called is over: the lowest figure of BB-050 wins, equals are undecided.
    fn settle(&mut self) {
        let left = self.playing();
        // BB-054: an army of an alliance that has left counts as lost.
        let gone = |g: &Vec<SideId>| -> u32 {
            self.gone_of(g, &left).into_iter().map(|s| self.battle.sides[s.index()].halves).sum()
        };
        let figure =
            |g: &Vec<SideId>| g.iter().map(|s| self.battle.losses(self.state, *s)).sum::<u32>() + gone(g);
        let groups = self.alliances(&left);
        let least = groups.iter().map(&figure).min().unwrap_or(0);
        let best: Vec<&Vec<SideId>> = groups.iter().filter(|g| figure(g) == least).collect();
        let winners = match best[..] {
            [only] => only.iter().fold(0, |bits, s| bits | 1 << s.0),
            _ => 0,
        };
        self.over(winners, Ending::Limit);
    }

    fn alliances(&self, sides: &[SideId]) -> Vec<Vec<SideId>> {
        let mut groups: Vec<Vec<SideId>> = Vec::new();
        let alone = self.battle.tables.big.alliance_end == AllianceEnd::Army;
        for side in sides {
            let friends = |g: &&mut Vec<SideId>| !alone && g.iter().all(|s| !self.battle.hostile(*s, *side));
            match groups.iter_mut().find(friends) {
                Some(group) => group.push(*side),
                None => groups.push(vec![*side]),
            }
        }
        groups
    }

    /// BB-051: all that a side has leaves the table.
    fn leave(&mut self, side: SideId) {
        self.state.sides[side.index()].out = true;
        self.events.push(Event::Out(side));
        for id in self.battle.ids_of(side) {
            if self.stands(id) {
                self.remove(id, Departure::Fled, rule!("BB-051"));
            }
        }
        self.state.sides[side.index()].strong = Strong::None;
    }

    /// `concede` (BB-054).
    pub(crate) fn concede(&mut self, side: SideId) -> Done {
        self.chief(side)?;
        if self.state.side(side).out {
            return refused(None, Why::Other, "that side has left the battle");
        }
        self.events.push(Event::Conceded(side));
        if self.state.sides.len() == 2 {
            self.over(1 << (1 - side.0.min(1)), Ending::Conceded);
            return Ok(());
        }
        self.leave(side);
        self.state.pending.clear();
        let left = self.playing();
        let hostile = left.iter().any(|x| left.iter().any(|y| self.battle.hostile(*x, *y)));
        if !hostile {
            let winners = left.iter().fold(0, |bits, s| bits | 1 << s.0);
            self.over(winners, Ending::Conceded);
            return Ok(());
        }
        if !Battle::is_setting_up(self.state) {
            self.state.large.assigning &= self.state.active != side;
            return if self.state.active == side { self.end_bound() } else { Ok(()) };
        }
        // Who has left sets nothing up any more.
        self.battle.without(self.state, side);
        if self.battle.next_step(self.state) { self.begin_battle() } else { Ok(()) }
    }

    /// Whether this type counts as a God that may come again (HOTT-184).
    pub(crate) fn god_returns(&self, ty: TroopType) -> bool {
        ty == TroopType::God && self.battle.tables.options.god_departure == GodDeparture::Returns
    }
}
