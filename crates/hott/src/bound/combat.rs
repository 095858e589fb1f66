//! Step 6: close combat (sections 13 to 15).

use super::{Done, Play, fighters::counted_support, refused};
use crate::battle::{
    Battle, Close, Deed, Departure, ElementId, Event, Flags, Phase, SideId, State, Target, Why,
};
use crate::contacts::Contacts;
use crate::table::options::CombatOrder;
use crate::table::{Class, Mode, Outcome, Support, TroopType};
use dice::Ask;
use rulebook::rule;

/// One close combat that is to be fought: the two, and who aids the first against a Stronghold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fight {
    /// The two; of a contact to flank or rear that could not be answered the attacker first (HOTT-355), of an attack on a
    /// Stronghold the main attacker (HOTT-245).
    pub who: [Target; 2],
    /// HOTT-245: aids of the main attacker.
    pub aids: Vec<ElementId>,
    /// HOTT-161: the two are in front contact with each other.
    pub front: bool,
}

impl Play<'_> {
    fn has_fought(&self, id: ElementId) -> bool {
        self.state.element(id).flags.has(Flags::FOUGHT)
    }

    /// HOTT-239: every fight still to come in this bound, from left to right as the side whose bound it is looks.
    pub(crate) fn fights(&self, contacts: &Contacts) -> Vec<Fight> {
        let mut out: Vec<Fight> = Vec::new();
        for (a, b) in contacts.fights() {
            let sides = [self.battle.element(a).side, self.battle.element(b).side];
            if self.has_fought(a) || self.has_fought(b) || !self.involves(sides[0], sides[1]) {
                continue;
            }
            let front = contacts.front(a) == Some(b);
            out.push(Fight { who: [Target::Element(a), Target::Element(b)], aids: Vec::new(), front });
        }
        for side in (0..self.state.sides.len() as u8).map(SideId) {
            if let Some(fight) = self.siege(contacts, side, None) {
                out.push(fight);
            }
        }
        let heading =
            self.state.side(self.state.active).edge.map_or(field::Heading::UP, field::BoardEdge::inward);
        let frame = field::Pose::at(self.battle.board.centre(), heading);
        out.sort_by_key(|f| {
            let place = self
                .battle
                .target_base(self.state, f.who[0])
                .map_or(field::Point::default(), |b| b.pose.point());
            (frame.to_local(place).x, Self::subject(f.who[0]))
        });
        out
    }

    /// HOTT-245, HOTT-R37: the fight of this side's Stronghold, with this main attacker or the best one.
    fn siege(&self, contacts: &Contacts, side: SideId, main: Option<ElementId>) -> Option<Fight> {
        if self.state.side(side).strong_flags.has(Flags::FOUGHT) {
            return None;
        }
        let attackers: Vec<ElementId> = contacts
            .attackers(side)
            .filter(|id| !self.has_fought(*id) && self.involves(self.battle.element(*id).side, side))
            .collect();
        let best = |id: &ElementId| {
            let e = self.battle.element(*id);
            let cf = crate::table::cf(&self.battle.tables, e.ty, TroopType::Str);
            (self.battle.tables.class(e.ty).is_ground(), cf, std::cmp::Reverse(*id))
        };
        let main = match main {
            Some(id) if attackers.contains(&id) => id,
            Some(_) => return None,
            None => attackers.iter().copied().max_by_key(best)?,
        };
        let own = self.battle.element(main).side;
        let aids = attackers
            .into_iter()
            .filter(|id| *id != main && !self.battle.hostile(self.battle.element(*id).side, own))
            .collect();
        Some(Fight { who: [Target::Element(main), Target::Stronghold(side)], aids, front: false })
    }

    /// `fight E`.
    pub(crate) fn fight(&mut self, who: ElementId) -> Done {
        self.phase(Phase::Combat)?;
        let contacts = self.contacts();
        let fights = self.fights(&contacts);
        let turn = self.orderer(&fights);
        self.has_the_order(turn)?;
        let has = |f: &&Fight| f.who.contains(&Target::Element(who)) || f.aids.contains(&who);
        let Some(fight) = fights.iter().find(has) else {
            let label = self.battle.full_label(who);
            if self.has_fought(who) {
                return refused(rule!("HOTT-089"), Why::Other, format!("{label} has fought this bound"));
            }
            return refused(rule!("HOTT-239"), Why::Other, format!("{label} has nobody to fight"));
        };
        let mut fight = fight.clone();
        // The attacking side chooses its main attacker when it has the order of things.
        if let Target::Stronghold(side) = fight.who[1]
            && self.battle.acts(self.state, self.battle.element(who).side)
            && let Some(chosen) = self.siege(&contacts, side, Some(who))
        {
            fight = chosen;
        }
        self.resolve(&contacts, &fight, false)?;
        self.go_on()
    }

    /// `fight all`.
    pub(crate) fn fight_all(&mut self) -> Done {
        self.phase(Phase::Combat)?;
        let turn = self.orderer(&self.fights(&self.contacts()));
        self.has_the_order(turn)?;
        // BB-098 with `owner`: each player says so for his own.
        if turn != self.battle.chief_of(self.state, self.state.active) {
            for _ in 0..=self.battle.elements.len() {
                let contacts = self.contacts();
                let fights = self.fights(&contacts);
                let Some(fight) = fights.into_iter().find(|f| self.has_part(turn, f)) else { break };
                self.resolve(&contacts, &fight, true)?;
                if !self.state.pending.is_empty() {
                    return Ok(());
                }
            }
            return self.go_on();
        }
        if self.battle.tables.big.combat_order == CombatOrder::Owner && self.battle.tables.is_big() {
            for _ in 0..=self.battle.elements.len() {
                let contacts = self.contacts();
                let fights = self.fights(&contacts);
                if self.orderer(&fights) != turn {
                    break;
                }
                let own = fights.iter().find(|f| self.has_part(turn, f)).or(fights.first()).cloned();
                let Some(fight) = own else { break };
                self.resolve(&contacts, &fight, true)?;
                if !self.state.pending.is_empty() {
                    return Ok(());
                }
            }
            return self.go_on();
        }
        self.fight_the_rest()
    }

    /// Whether an element of a seat's commands is one of the two, or aids.
    fn has_part(&self, seat: game::Seat, fight: &Fight) -> bool {
        let of = |id: &ElementId| self.battle.holder(self.state, self.battle.element(*id).command) == seat;
        fight.aids.iter().any(of) || fight.who.iter().any(|t| matches!(t, Target::Element(id) if of(id)))
    }

    /// BB-098: whose turn it is to choose among the fights: the commander-in-chief's player; with `owner` he first,
    /// for his own elements, then the other players of the side in order.
    pub(crate) fn orderer(&self, fights: &[Fight]) -> game::Seat {
        let chief = self.battle.chief_of(self.state, self.state.active);
        let owner = self.battle.tables.big.combat_order == CombatOrder::Owner && self.battle.tables.is_big();
        if !owner || fights.iter().any(|f| self.has_part(chief, f)) {
            return chief;
        }
        let seats = (0..self.battle.seats.len() as u8).map(game::Seat);
        let mut others = seats.filter(|s| {
            let holds = self.battle.commands_of(self.state, *s);
            holds.iter().any(|c| self.battle.acts(self.state, self.battle.commands[c.index()].side))
        });
        others.find(|s| fights.iter().any(|f| self.has_part(*s, f))).unwrap_or(chief)
    }

    fn has_the_order(&self, turn: game::Seat) -> Done {
        match self.by {
            game::Actor::Seat(seat) if seat != turn => {
                let name =
                    self.battle.seat_names.get(usize::from(turn.0)).map_or("another seat", String::as_str);
                let words = format!("it is for {name} to choose among the combats now");
                let rule = self.battle.tables.is_big().then_some(rule!("BB-098"));
                refused(rule, Why::NotYours, words)
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn fight_the_rest(&mut self) -> Done {
        for _ in 0..=self.battle.elements.len() {
            let contacts = self.contacts();
            let Some(fight) = self.fights(&contacts).into_iter().next() else { break };
            self.resolve(&contacts, &fight, true)?;
            if !self.state.pending.is_empty() {
                return Ok(());
            }
        }
        self.go_on()
    }

    /// Fights the only fight, or ends the bound when none is left; `false` if there is an order to choose.
    pub(crate) fn fight_what_is_plain(&mut self) -> Result<bool, game::Stop<crate::battle::Refusal>> {
        let contacts = self.contacts();
        let fights = self.fights(&contacts);
        match &fights[..] {
            [] => {
                self.end_bound()?;
                Ok(true)
            }
            // Attackers of a Stronghold choose the main one among them.
            [only] if only.aids.is_empty() || !self.battle.acts(self.state, self.side_of(only.who[0])) => {
                self.resolve(&contacts, only, false)?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// One close combat: factors, dice, results, outcome moves.
    pub(crate) fn resolve(&mut self, contacts: &Contacts, fight: &Fight, all: bool) -> Done {
        let [a, b] = fight.who;
        let fighters = [
            self.battle.close_fighter(self.state, contacts, a, b, &fight.aids),
            self.battle.close_fighter(self.state, contacts, b, a, &fight.aids),
        ];
        let moment = u64::from(self.state.bound);
        let asks = [Ask::d6("combat", Self::subject(a), moment), Ask::d6("combat", Self::subject(b), moment)];
        let dice = self.dice.two(asks)?.map(|d| d as u8);
        for who in fight.who {
            match who {
                Target::Element(id) => self.now(id).flags.set(Flags::FOUGHT),
                Target::Stronghold(side) => self.state.sides[side.index()].strong_flags.set(Flags::FOUGHT),
            }
        }
        for aid in &fight.aids {
            self.now(*aid).flags.set(Flags::FOUGHT);
        }
        let close = self.work_out(Mode::Contact, fight.who, &fight.aids, fighters, dice, true);
        let deeds = self.deeds_in_contact(contacts, fight, &close);
        self.events.push(Event::Combat(Box::new(close)));
        self.carry(deeds, all)?;
        self.tidy();
        Ok(())
    }

    /// HOTT-332, BB-076: the supporter that shares the fate of this fighter, if its support counted.
    fn partner(&self, close: &Close, place: usize) -> Option<ElementId> {
        let Target::Element(id) = close.who[place] else { return None };
        counted_support(&close.factors[place])
            .then(|| self.battle.supporter(self.state, id).map(|s| s.0))
            .flatten()
    }

    /// What a close combat brings about, in order: the loser's result, then those who share it (HOTT-241), then the
    /// winner's pursuit.
    fn deeds_in_contact(&self, contacts: &Contacts, fight: &Fight, close: &Close) -> Vec<Deed> {
        let mut deeds = Vec::new();
        let mut driven = [false; 2];
        for (place, driven) in driven.iter_mut().enumerate() {
            let enemy = close.who[1 - place];
            *driven = self.result_deeds(close, place, enemy, &mut deeds);
        }
        for place in 0..2 {
            if !driven[place] {
                continue;
            }
            let (loser, winner) = (close.who[place], close.who[1 - place]);
            match (loser, winner) {
                (Target::Element(loser), Target::Element(winner)) => {
                    // HOTT-241
                    for friend in contacts.touching(winner).hitters() {
                        if friend != loser && !self.battle.enemies(friend, loser) {
                            deeds.push(Deed::Share(friend));
                        }
                    }
                    let both = driven[0] && driven[1];
                    if fight.front && !both && self.pursues(contacts, winner, loser) {
                        deeds.push(Deed::Pursue(winner, self.second_rank(close, 1 - place)));
                    }
                }
                // HOTT-245: aids against a Stronghold follow HOTT-241.
                (Target::Element(_), Target::Stronghold(_)) => {
                    deeds.extend(fight.aids.iter().map(|a| Deed::Share(*a)));
                }
                _ => {}
            }
        }
        deeds
    }

    /// The deeds of one fighter's result; whether it recoils, flees or goes.
    fn result_deeds(&self, close: &Close, place: usize, enemy: Target, deeds: &mut Vec<Deed>) -> bool {
        let judged = close.judged[place];
        match close.who[place] {
            Target::Stronghold(side) => {
                if let (Outcome::Captured, Target::Element(by)) = (judged.outcome, enemy) {
                    deeds.push(Deed::Take(side, by));
                }
                false
            }
            Target::Element(id) => {
                let partner = self.partner(close, place);
                match judged.outcome {
                    Outcome::None | Outcome::Captured => return false,
                    Outcome::Recoil => deeds.push(Deed::Recoil(id, partner)),
                    Outcome::Flee => deeds.push(Deed::Flee(id, partner)),
                    Outcome::FleeField => deeds.push(Deed::Remove(id, Departure::Fled, judged.rule)),
                    Outcome::Ensorcelled => {
                        let by = match enemy {
                            Target::Element(e) => Some(e),
                            Target::Stronghold(_) => None,
                        };
                        deeds.push(Deed::Remove(id, Departure::Ensorcelled(by), judged.rule));
                    }
                    Outcome::Destroyed => {
                        deeds.push(Deed::Remove(id, Departure::Destroyed, judged.rule));
                        deeds.extend(
                            partner.map(|p| Deed::Remove(p, Departure::Destroyed, self.fate_rule(p))),
                        );
                    }
                }
                true
            }
        }
    }

    /// HOTT-324, HOTT-330, HOTT-331, BB-049, BB-069: whether the winner in front contact must pursue.
    pub(crate) fn pursues(&self, contacts: &Contacts, winner: ElementId, loser: ElementId) -> bool {
        self.battle.must_pursue(self.state, winner, loser) && contacts.touching(winner).stronghold.is_none()
    }

    /// HOTT-326: the rear rank of a Warband that supported.
    fn second_rank(&self, close: &Close, place: usize) -> Option<ElementId> {
        let Target::Element(id) = close.who[place] else { return None };
        let (rear, how) = self.battle.supporter(self.state, id)?;
        let counted = counted_support(&close.factors[place]) && matches!(how, Support::Rank { .. });
        (counted && self.battle.tables.troop(self.battle.element(rear).ty).pursues).then_some(rear)
    }

    /// What shooting or bespelling brings about. HOTT-238: shot at from behind only, it turns about first.
    pub(crate) fn deeds_at_range(&self, close: &Close, from_behind: bool) -> Vec<Deed> {
        let mut deeds = Vec::new();
        for place in 0..2 {
            let judged = close.judged[place];
            match (close.who[place], close.who[1 - place]) {
                (Target::Element(id), _)
                    if judged.outcome == Outcome::Recoil && place == 1 && from_behind =>
                {
                    deeds.push(Deed::RecoilAbout(id));
                }
                (Target::Element(_), enemy) => {
                    self.result_deeds(close, place, enemy, &mut deeds);
                }
                (Target::Stronghold(side), Target::Element(by)) if judged.outcome == Outcome::Captured => {
                    deeds.push(Deed::Take(side, by));
                }
                _ => {}
            }
        }
        deeds
    }

    /// Whether an element counts with those on the ground.
    pub(crate) fn is_aerial(&self, id: ElementId) -> bool {
        self.battle.class(id) == Class::Aerial
    }
}

impl Battle {
    /// HOTT-324, BB-049, BB-069: whether an element pursues this opponent of its front contact: one of a type that does,
    /// or any whose command is in heart against one whose is not.
    pub(crate) fn must_pursue(&self, state: &State, who: ElementId, opponent: ElementId) -> bool {
        let (info, theirs) = (self.element(who), self.element(opponent));
        let broken = |c: crate::battle::CommandId| state.command(c).demoralised;
        self.tables.troop(info.ty).pursues || broken(theirs.command) && !broken(info.command)
    }
}
