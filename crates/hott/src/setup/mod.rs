//! From army lists to a battle that is ready to begin: the set-up document, the roster made of it, the steps of
//! setting up (section 5).

mod army;
mod board;
mod deploy;
mod pack;
mod room;
pub(crate) mod roster;
mod spec;
mod steps;
pub(crate) mod stretch;

pub use board::board_for;
pub use deploy::{deployment_in_gap, standard_deployment, starts_off_table};
pub(crate) use pack::has_room_for_all;
pub use pack::{Placed, room_for_all};
pub use spec::{CommandSetup, ContestSetup, ElementSetup, SeatSetup, Setup, SideSetup};
pub use stretch::{Stretch, rim};
