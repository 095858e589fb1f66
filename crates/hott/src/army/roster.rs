//! A one-page sheet for the table.

use super::model::Army;
use crate::table::Tables;

/// The sheet as text.
pub fn roster_text(army: &Army, tables: &Tables) -> String {
    let _ = tables;
    army.name.clone()
}

/// The sheet as a page.
pub fn roster_html(army: &Army, tables: &Tables) -> String {
    let _ = tables;
    army.name.clone()
}
