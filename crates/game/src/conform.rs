//! One suite for every game: what the contract promises, tried out by random play.
//!
//! A game calls [`conform`] from its tests with a way to make games. It panics, as tests do, at the first promise
//! that is broken, and says which.

use crate::erased::AnyTable;
use crate::{Actor, Game, NotCorrected, Owed, Seat, Stop, Table, Verdict, Viewer, verify};
use dice::{Dice, Key, NoDice, Scripted, Seeded};

/// How far to go.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// How many games, with seeds from 0.
    pub games: u64,
    /// At most this many commands a game.
    pub commands: u32,
    /// Positions, views and texts are checked at every so many commands (1: at every one).
    pub every: u32,
    /// How many candidates are tried at each such command.
    pub tries: usize,
}

/// A small generator for choosing among candidates: tests need no secrets.
#[derive(Clone, Debug)]
pub struct Choose(u64);

impl Choose {
    /// From a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Choose(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03)
    }

    /// The next number below `n` (0 if `n` is 0).
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        usize::try_from(z % (n.max(1) as u64)).unwrap_or(0)
    }
}

/// Runs the suite.
///
/// # Panics
/// At the first promise that is broken.
pub fn conform<G: Game>(effort: Effort, fresh: impl Fn(u64) -> G) {
    for seed in 0..effort.games {
        one_game(effort, &fresh, seed);
    }
}

fn one_game<G: Game>(effort: Effort, fresh: &impl Fn(u64) -> G, seed: u64) {
    let key = Key::from_seed(seed);
    let mut seeded = Seeded::new(key.with_words(G::NAME, &[]));
    let mut table = Table::new(fresh(seed), Some(key.commitment()), Vec::new());
    let mut choose = Choose::new(seed);
    let at = |n: u32| format!("{} seed {seed}, command {n}", G::NAME);
    let mut purposes = std::collections::BTreeSet::new();
    for n in 0..effort.commands {
        let debts = table.owes();
        if table.outcome().is_some() {
            assert!(debts.is_empty(), "{}: the game is over and something is owed", at(n));
            break;
        }
        assert!(
            !debts.is_empty(),
            "{}: nobody owes anything and the game is not over\n{}",
            at(n),
            table.notation()
        );
        let debt = &debts[choose.below(debts.len())];
        if let Owed::Choice { answers, stands, about } = &debt.what {
            assert!(answers.len() >= 2, "{}: a choice with one answer is no choice: {about}", at(n));
            assert!(answers.contains(stands), "{}: what stands is not an answer: {about}", at(n));
        }
        let mut candidates = Vec::new();
        table.game().candidates(table.state(), debt.seat, &mut candidates);
        assert!(
            !candidates.is_empty(),
            "{}: seat {:?} owes something and has no candidate\n{}",
            at(n),
            debt.seat,
            table.notation()
        );
        if n % effort.every == 0 {
            check_texts(&table, debt.seat, &candidates, effort, &mut choose, &at(n));
            check_position(&table, &at(n));
            check_secrets(&table, seed ^ u64::from(n), &at(n));
        }
        let command = candidates[choose.below(candidates.len())].clone();
        check_dice(&table, debt.seat, &command, &mut seeded.clone(), &at(n));
        match table.command(Actor::Seat(debt.seat), &command, &mut seeded) {
            Ok(played) => {
                if let Some(wrong) = table.game().unsound(table.state()) {
                    let text = table.game().print(table.state(), &command);
                    panic!("{}: after {text:?}: {wrong}\n{}", at(n), table.notation());
                }
                for t in &played.thrown {
                    let purpose = table.game().describe(&t.ask);
                    assert!(purposes.insert(purpose.clone()), "{}: two throws are called {purpose:?}", at(n));
                }
            }
            Err(stop) => {
                let text = table.game().print(table.state(), &command);
                panic!("{}: candidate {text:?} is not accepted: {stop}\n{}", at(n), table.notation());
            }
        }
    }
    check_undo(&table, &at(effort.commands));
    if seed.is_multiple_of(3) {
        check_wrong_die::<G>(table.record(), &at(effort.commands));
    }
    check_record(table, &key, &at(effort.commands));
}

/// Every command reads back equal, and is accepted; one that is refused leaves everything as it was.
fn check_texts<G: Game>(
    table: &Table<G>,
    seat: Seat,
    candidates: &[G::Command],
    effort: Effort,
    choose: &mut Choose,
    at: &str,
) {
    let (game, state) = (table.game(), table.state());
    for _ in 0..effort.tries {
        let command = &candidates[choose.below(candidates.len())];
        let text = game.print(state, command);
        match game.parse(state, Actor::Seat(seat), &text) {
            Ok(back) => assert_eq!(&back, command, "{at}: {text:?} reads back as another command"),
            Err(problem) => panic!("{at}: {text:?} does not read back: {problem}"),
        }
        let before = state.clone();
        let mut dice = dice::Fixed(3);
        if let Err(Stop::Refused(refusal)) = game.play(state, Actor::Seat(seat), command, &mut dice) {
            panic!("{at}: candidate {text:?} is refused: {refusal}\n{}", table.notation());
        }
        assert_eq!(&before, state);
        // The same command from a seat that may not give it.
        for n in (0..game.seats().len()).filter_map(|n| u8::try_from(n).ok()) {
            let mut copy = table.clone();
            let lines = copy.record().lines.len();
            if copy.command(Actor::Seat(Seat(n)), command, &mut dice).is_err() {
                assert_eq!(copy.state(), state, "{at}: a refused command left a trace");
                assert_eq!(copy.record().lines.len(), lines, "{at}: a refused command is in the record");
            }
        }
    }
    for nonsense in ["", " ", "nonsense", "123", "\u{0}", "a b c d e f g h", "ruling", "é∆"] {
        let _ = game.parse(state, Actor::Seat(seat), nonsense);
        let _ = game.ask(state, nonsense);
    }
}

/// Position and notation open to an equal state that plays on the same.
fn check_position<G: Game>(table: &Table<G>, at: &str) {
    let (game, state) = (table.game(), table.state());
    let notation = game.notation(state);
    assert!(!notation.contains('\n'), "{at}: the notation has more than one line");
    let rules = game.rules();
    match G::open_notation(&rules, &notation) {
        Ok((game2, state2)) => {
            assert_eq!(game2.notation(&state2), notation, "{at}: the notation reads back differently");
            assert_eq!(&state2, state, "{at}: the notation opens to another state\n{notation}");
        }
        Err(problems) => panic!("{at}: the notation does not open: {}\n{notation}", problems[0]),
    }
    let position = game.position(state);
    match G::open_position(&rules, &position) {
        Ok((game2, state2)) => {
            assert_eq!(game2.position(&state2), position, "{at}: the position reads back differently");
            assert_eq!(&state2, state, "{at}: the position opens to another state\n{position}");
        }
        Err(problems) => panic!("{at}: the position does not open: {}\n{position}", problems[0]),
    }
}

/// Non-interference: what a viewer may not know changes nothing that he gets.
fn check_secrets<G: Game>(table: &Table<G>, guess: u64, at: &str) {
    let (game, state) = (table.game(), table.state());
    let seats = (0..game.seats().len()).filter_map(|n| u8::try_from(n).ok()).map(|n| Viewer::Seat(Seat(n)));
    for viewer in seats.chain([Viewer::Spectator]) {
        let view = game.view(state, viewer);
        let (guessed, possible) = game.possible(&view, guess);
        assert_eq!(
            guessed.view(&possible, viewer),
            view,
            "{at}: the possible state of {viewer:?} looks different"
        );
        let Some((game2, twin)) = game.twin(state, viewer, guess) else { continue };
        let bytes = |v: &G::View| serde_json::to_string(v).unwrap_or_default();
        assert_eq!(
            bytes(&game2.view(&twin, viewer)),
            bytes(&view),
            "{at}: the view of {viewer:?} betrays something"
        );
        if let Viewer::Seat(seat) = viewer {
            let (mut a, mut b) = (Vec::new(), Vec::new());
            game.candidates(state, seat, &mut a);
            game2.candidates(&twin, seat, &mut b);
            assert_eq!(a, b, "{at}: the candidates of {viewer:?} betray something");
        }
    }
}

/// Dice that are lacking are named, and the same command goes through once they are there.
fn check_dice<G: Game>(table: &Table<G>, seat: Seat, command: &G::Command, seeded: &mut Seeded, at: &str) {
    let mut values = Vec::new();
    for _ in 0..200 {
        let mut dice = Scripted::new(values.iter().copied());
        match table.game().play(table.state(), Actor::Seat(seat), command, &mut dice) {
            Err(Stop::Dice(NoDice::Needs(asks))) => {
                assert!(!asks.is_empty(), "{at}: dice are wanted, but none is named");
                for ask in asks {
                    values.push(seeded.one(ask).unwrap_or(1));
                }
            }
            Err(Stop::Dice(no)) => panic!("{at}: {no}"),
            Err(Stop::Refused(refusal)) => panic!("{at}: refused once dice are typed: {refusal}"),
            Ok(_) => {
                assert!(dice.left().is_empty(), "{at}: fewer dice are used than were asked for");
                return;
            }
        }
    }
    panic!("{at}: a command that wants dice for ever");
}

/// Undo to any line gives the state of that line, and is itself part of the record.
fn check_undo<G: Game>(table: &Table<G>, at: &str) {
    let lines = u32::try_from(table.record().lines.len()).unwrap_or(0);
    for to in [1, lines / 2, lines] {
        if to == 0 || to > lines {
            continue;
        }
        let mut copy = table.clone();
        let before = copy.at(to - 1);
        if let Err(refused) = copy.undo(Actor::Umpire, to, &[], false, None) {
            panic!("{at}: the umpire may not undo: {}", refused.why);
        }
        assert_eq!(copy.state(), &before, "{at}: undo to line {to} gives another state");
    }
}

/// The dice of a command typed wrongly: put right, the play is what those dice would have given at once, and the record of it
/// replays to the same.
fn check_wrong_die<G: Game>(record: &crate::record::Record, at: &str) {
    let Some(last) = record.lines.iter().rposition(|line| !line.throws.is_empty()) else { return };
    let mut typed = record.clone();
    typed.header.commitment = None;
    typed.lines.truncate(last + 1);
    typed.lines.iter_mut().flat_map(|line| &mut line.throws).for_each(|throw| throw.typed = None);
    let mut table = match Table::<G>::replay(&typed) {
        Ok(table) => table,
        Err(problem) => panic!("{at}: typed, it plays differently: {problem}"),
    };
    let line = &typed.lines[last];
    let (Some(by), crate::record::Act::Command(text)) =
        (Actor::named(&line.by, table.game().seats()), &line.act)
    else {
        return;
    };
    let mut dice: Vec<u16> = line.throws.iter().map(|t| t.value % t.sides + 1).collect();
    let played = loop {
        match table.correct(by, &dice) {
            Ok(played) => break played,
            Err(NotCorrected::Stop(Stop::Dice(NoDice::Needs(asks)))) if dice.len() < 1000 => {
                dice.extend(asks.iter().map(|_| 1));
            }
            Err(other) => panic!("{at}: {text:?} with other dice: {other:?}"),
        }
    };
    let before = table.at(line.n - 1);
    let mut fell = Scripted::new(played.thrown.iter().map(|t| t.value));
    let command = table.game().parse(&before, by, text);
    let then = command.map(|c| table.game().play(&before, by, &c, &mut fell));
    assert!(
        matches!(then, Ok(Ok((state, _))) if state == *table.state()),
        "{at}: {text:?} put right is another"
    );
    match Table::<G>::replay(table.record()) {
        Ok(again) => assert_eq!(again.state(), table.state(), "{at}: a die put right replays differently"),
        Err(problem) => panic!("{at}: a die put right does not replay: {problem}"),
    }
}

/// The record prints, reads, replays to the same digests, and verifies; with one die changed it does not.
fn check_record<G: Game>(mut table: Table<G>, key: &Key, at: &str) {
    table.snapshot();
    table.end(Some(key));
    let text = table.record().print();
    let record = match crate::record::Record::parse(&text) {
        Ok(record) => record,
        Err(problem) => panic!("{at}: the record does not read: {problem}"),
    };
    assert_eq!(record.print(), text, "{at}: the record reads back differently");
    let verdict: Verdict = verify::<G>(&record);
    assert!(verdict.good(), "{at}: the record does not verify: {verdict:?}");
    if let Some((i, j)) =
        record.lines.iter().enumerate().find_map(|(i, l)| l.throws.len().checked_sub(1).map(|j| (i, j)))
    {
        let mut forged = record;
        let throw = &mut forged.lines[i].throws[j];
        throw.value = throw.value % throw.sides + 1;
        assert!(!verify::<G>(&forged).good(), "{at}: a forged die is not found");
    }
}
