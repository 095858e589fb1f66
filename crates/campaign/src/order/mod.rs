//! Orders as people write them: one order a line, read with places and suggestions, echoed in plain words.

mod ast;
mod condition;
mod echo;
mod known;
mod lex;
mod line;
mod merge;
mod phrase;
mod read;
mod set;
mod treaty;

pub use ast::{
    Act, BodyOrder, Captivity, Chain, Compare, Cond, Covert, Dest, Item, Pick, Raise, Treaty, Verb,
};
pub use known::{Known, OwnBody};
pub use merge::{Resolved, resolve};
pub(crate) use read::amends;
pub use read::{Line, Reading, read};
pub use set::{Counting, OrderSet, SetState, counting};
