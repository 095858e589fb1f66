//! Army lists: the project's own files, lists as people paste them, their checking and their roster.

mod check;
mod file;
mod model;
mod paste;
mod quick;
mod roster;
mod versus;

pub use check::{Counted, ListProblem, Verdict, check, check_list};
pub use file::{ArmyFileError, parse_army, write_army};
pub use model::{Army, Commands, Entry, Halves, StrongholdForm, StrongholdPlan};
pub use paste::{Pasted, Unread, read_list, read_pasted};
pub use quick::quick_sheet;
pub use roster::{Sheet, SheetBlock, roster_html, roster_sheets, roster_text, sheet_html, sheet_text};
pub use versus::versus_sheet;
