//! The worlds that come with the program.

use super::{World, world_files};
use crate::rules::Rules;
use std::sync::LazyLock;

/// A world that comes with the program, as its files.
#[derive(Clone, Copy, Debug)]
pub struct Shipped {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is, in a sentence.
    pub about: &'static str,
    /// The map's file.
    pub map: &'static str,
    /// The nations' files.
    pub nations: &'static [(&'static str, &'static str)],
}

macro_rules! nation {
    ($world:literal, $file:literal) => {
        ($file, include_str!(concat!("../../../../data/campaign/", $world, "/", $file)))
    };
}

/// All of them.
pub const SHIPPED: &[Shipped] = &[
    Shipped {
        name: "evening",
        about: "four nations round a lake, for an evening",
        map: include_str!("../../../../data/campaign/evening/map.toml"),
        nations: &[
            nation!("evening", "Amber.toml"),
            nation!("evening", "Basalt.toml"),
            nation!("evening", "Cobalt.toml"),
            nation!("evening", "Dusk.toml"),
        ],
    },
    Shipped {
        name: "proving",
        about: "a small ground for questions of rules",
        map: include_str!("../../../../data/campaign/proving/map.toml"),
        nations: &[
            nation!("proving", "Amber.toml"),
            nation!("proving", "Basalt.toml"),
            nation!("proving", "Cobalt.toml"),
            nation!("proving", "Dun.toml"),
            nation!("proving", "Ebon.toml"),
        ],
    },
    Shipped {
        name: "orrery",
        about: "nine nations on the lands about the Orrery Sea, for a long campaign",
        map: include_str!("../../../../data/campaign/orrery/map.toml"),
        nations: &[
            nation!("orrery", "Ardmere.toml"),
            nation!("orrery", "Brackwater.toml"),
            nation!("orrery", "Caldrith.toml"),
            nation!("orrery", "Drumhollow.toml"),
            nation!("orrery", "Eyrie.toml"),
            nation!("orrery", "Fennmark.toml"),
            nation!("orrery", "Gorrash.toml"),
            nation!("orrery", "Hithe.toml"),
            nation!("orrery", "Umbral.toml"),
        ],
    },
];

static WORLDS: LazyLock<Vec<(&'static str, World)>> = LazyLock::new(|| {
    let rules = Rules::shipped();
    // INVARIANT (`shipped_worlds_are_right`): every shipped world reads.
    let read = |s: &Shipped| world_files(("map.toml", s.map), s.nations, &rules).ok().map(|w| (s.name, w));
    SHIPPED.iter().filter_map(read).collect()
});

/// A shipped world by its name.
#[must_use]
pub fn shipped(name: &str) -> Option<World> {
    WORLDS.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, w)| w.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_worlds_are_right() {
        for world in SHIPPED {
            let read = world_files(("map.toml", world.map), world.nations, &Rules::shipped());
            if let Err(problems) = read {
                let all: Vec<String> = problems.iter().map(ToString::to_string).collect();
                panic!("{}:\n{}", world.name, all.join("\n"));
            }
        }
    }
}
