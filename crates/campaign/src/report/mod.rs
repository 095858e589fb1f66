//! What is handed out: letters, forms, receipts, battle packs, the umpire's desk, maps. All of it is made from views.

mod desk;
mod form;
mod html;
mod labels;
mod letter;
mod map;
mod pack;
mod receipt;

pub use desk::{Desk, Missing, desk, preview, wants_eye};
pub use form::{form, form_after, form_page};
pub use html::{form_html, fragment, html};
pub use letter::{core, gazette, letter};
pub use map::{map_svg, map_title};
pub use pack::{pack, result_form, result_page};
pub use receipt::{Receipt, receipt};
