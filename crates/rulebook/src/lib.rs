//! The rules as ids, texts and options.
//!
//! Rules are cited by id wherever the program refuses, counts or decides something; the ids and
//! their texts come from the player's reference in `docs/rules/`, read when compiling, so that an id
//! that does not exist does not compile ([`rule!`]). Options are the rules' stated choices; their
//! values are layered from an edition preset, a house-rules file and `--set` ([`Layers`]).

pub mod coverage;
pub mod error;
pub mod family;
pub mod id;
pub mod options;
pub mod rules_file;
pub mod search;
pub mod text;
pub mod tree;
pub mod value;

pub use coverage::{Coverage, Covered, Unobservable};
pub use error::{Problem, RulesError, RulesErrors};
pub use family::Family;
pub use id::{RuleId, UnknownRule, nearest};
pub use options::{Allowed, OptionSpec, OptionTable};
pub use rules_file::{Effective, Layers, PRESETS, Preset, Setting};
pub use text::nearest_names;
pub use tree::{Content, Limit, Node, Origin, Tree};
pub use value::Value;
