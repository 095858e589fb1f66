//! What an engine asks for, and what a source of dice answers.

use std::fmt;

/// Where in a game a die stands: it occurs once in a game, so it names one die for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address {
    /// What the die is for, in one word of the game's vocabulary: `pips`, `combat`, `hit`.
    pub purpose: &'static str,
    /// Of whom: a side, an element, a body, a pair; packed by the game.
    pub subject: u64,
    /// When: the bound, season or round, and what tells apart two such throws in it; packed by the game.
    pub moment: u64,
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}@{}", self.purpose, self.subject, self.moment)
    }
}

/// One die asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ask {
    /// Which die of the game it is.
    pub address: Address,
    /// Number of faces, 1 to 1000; the value lies between 1 and this.
    pub sides: u16,
}

impl Ask {
    /// A six-sided die (HOTT-008 and most others).
    #[must_use]
    pub fn d6(purpose: &'static str, subject: u64, moment: u64) -> Self {
        Self::new(purpose, subject, moment, 6)
    }

    /// A die of any number of faces.
    #[must_use]
    pub fn new(purpose: &'static str, subject: u64, moment: u64, sides: u16) -> Self {
        Self { address: Address { purpose, subject, moment }, sides }
    }
}

/// A die that fell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thrown {
    /// What was asked.
    pub ask: Ask,
    /// The face, 1 to `ask.sides`.
    pub value: u16,
    /// Whether somebody typed it in, or else a machine rolled it; `None` where the source does not say.
    pub typed: Option<bool>,
}

/// Why a source has no value. Nothing of the command has happened then: it is applied again with the dice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoDice {
    /// These dice are wanted, in this order, before the command can go on.
    Needs(Vec<Ask>),
    /// A value was given that the die does not have.
    OutOfRange {
        /// The die.
        ask: Ask,
        /// What was given for it.
        value: u16,
    },
}

impl fmt::Display for NoDice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoDice::Needs(asks) => {
                write!(f, "dice are wanted:")?;
                asks.iter().try_for_each(|a| write!(f, " d{} for {}", a.sides, a.address))
            }
            NoDice::OutOfRange { ask, value } => {
                write!(
                    f,
                    "a d{} cannot show {value} (for {}): 1 to {} would be right",
                    ask.sides, ask.address, ask.sides
                )
            }
        }
    }
}

impl std::error::Error for NoDice {}

/// A source of dice.
pub trait Dice {
    /// Throws the dice asked for together, in order, into `values`, which is as long as `asks`.
    ///
    /// # Errors
    /// [`NoDice::Needs`] names every die of this call that the source lacks.
    fn throw(&mut self, asks: &[Ask], values: &mut [u16]) -> Result<(), NoDice>;

    /// Throws one die.
    ///
    /// # Errors
    /// As [`Dice::throw`].
    fn one(&mut self, ask: Ask) -> Result<u16, NoDice> {
        let mut value = [0];
        self.throw(&[ask], &mut value)?;
        Ok(value[0])
    }

    /// Throws two dice together, as a fight does.
    ///
    /// # Errors
    /// As [`Dice::throw`].
    fn two(&mut self, asks: [Ask; 2]) -> Result<[u16; 2], NoDice> {
        let mut values = [0; 2];
        self.throw(&asks, &mut values)?;
        Ok(values)
    }

    /// Whether somebody typed in the value of a die that has been thrown, or else a machine rolled it; `None` where the
    /// source does not say.
    fn typed(&self, die: Address) -> Option<bool> {
        let _ = die;
        None
    }
}

impl<D: Dice + ?Sized> Dice for &mut D {
    fn throw(&mut self, asks: &[Ask], values: &mut [u16]) -> Result<(), NoDice> {
        (**self).throw(asks, values)
    }

    fn typed(&self, die: Address) -> Option<bool> {
        (**self).typed(die)
    }
}

/// Keeps everything that another source throws, for the record.
pub struct Recording<'a> {
    inner: &'a mut dyn Dice,
    /// What was thrown, in order.
    pub thrown: Vec<Thrown>,
}

impl<'a> Recording<'a> {
    /// Listens to `inner`.
    pub fn new(inner: &'a mut dyn Dice) -> Self {
        Self { inner, thrown: Vec::new() }
    }
}

impl Dice for Recording<'_> {
    fn throw(&mut self, asks: &[Ask], values: &mut [u16]) -> Result<(), NoDice> {
        self.inner.throw(asks, values)?;
        let fell = |(&ask, &value): (&Ask, &u16)| Thrown { ask, value, typed: self.inner.typed(ask.address) };
        self.thrown.extend(asks.iter().zip(values.iter()).map(fell));
        Ok(())
    }

    fn typed(&self, die: Address) -> Option<bool> {
        self.inner.typed(die)
    }
}
