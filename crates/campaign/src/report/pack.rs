//! The battle pack: a sheet for each side, never with the enemy's hidden part, and a result form.

use crate::battle::{Battle, Sheet, sheet};
use crate::ids::NationId;
use crate::state::State;
use crate::view::View;
use std::fmt::Write as _;

/// The sheets of a nation's battles, as Markdown, from its view alone.
#[must_use]
pub fn pack(world: &crate::world::World, view: &View) -> String {
    let Some(nation) = view.nation else { return String::new() };
    let state = crate::view::possible(world, view, 0);
    let mut out = String::new();
    for battle in &view.battles {
        if let Some(sheet) = sheet(&state, battle, nation) {
            write_sheet(&mut out, nation, &sheet);
        }
    }
    out
}

fn write_sheet(out: &mut String, nation: NationId, s: &Sheet) {
    let _ = writeln!(out, "# Battle at {}: sheet for {nation}\n", s.at);
    let _ = writeln!(out, "You are the **{}**, against {}.", s.role, s.enemies.join(", "));
    if let Some(date) = &s.date {
        let _ = writeln!(out, "To be fought by {date}.");
    }
    let _ = writeln!(out, "\n## Set-up (CAM-071 to CAM-074, CAM-155)\n");
    if s.role == "defender" {
        let _ =
            writeln!(out, "- You choose the terrain and have the first bound; the attacker deploys first.");
    } else {
        let _ = writeln!(
            out,
            "- You number the edges 1 to 6 (one preferred edge has 4 to 6), throw for your base edge, and deploy first."
        );
    }
    let stronghold = if s.stronghold {
        "The defender has a Stronghold on the edge opposite the attacker's."
    } else {
        "Nobody has a Stronghold."
    };
    let _ = writeln!(out, "- {stronghold}");
    let _ = writeln!(
        out,
        "- Terrain: a feature in at least {} quarters; a river, bad or impassable ground in at least {}.",
        s.terrain.features, s.terrain.hard
    );
    if let Some(mark) = s.terrain.mark {
        if s.terrain.no_woods_or_rivers {
            let _ = writeln!(out, "- The province is {}: no woods and no rivers.", mark.word());
        } else {
            let _ = writeln!(
                out,
                "- The province is marked {}: it appears in at least {} quarters.",
                mark.word(),
                s.terrain.mark_quarters
            );
        }
    }
    let _ = writeln!(out, "\n## Your troops\n");
    for (id, elements) in &s.own {
        let _ = writeln!(out, "- {id}: {}", elements.join(", "));
    }
    let _ = writeln!(out, "- Commander, then reserves: {}", s.generals.join(", "));
    if s.generals.len() > 1 {
        let _ = writeln!(
            out,
            "- After the commander's loss the reserve takes over if your next PIP score is more than the elements lost; he has one attempt unless the house rules give him more (CAM-022, CAM-025)."
        );
    }
    let hidden: Vec<&str> = s
        .own
        .iter()
        .flat_map(|(_, list)| list)
        .filter(|e| ["God", "Drg", "Lrk", "WLk"].iter().any(|t| e.starts_with(t)))
        .map(String::as_str)
        .collect();
    if !hidden.is_empty() {
        let _ = writeln!(
            out,
            "- Off the table and unknown to the enemy until they appear: {}.",
            hidden.join(", ")
        );
    }
    for (id, edge, elements) in &s.contingents {
        let _ = writeln!(out, "- Contingent of {id}: after its first 6, by {edge}. {}", elements.join(", "));
    }
    if !s.contingents.is_empty() {
        let _ = writeln!(
            out,
            "- A contingent throws its own PIP die from your first bound on; after a 6 it enters in your next bound as a column (CAM-076, CAM-153). If it loses its general all of it counts as lost and runs for its edge (CAM-078)."
        );
    }
    let _ = writeln!(out, "\n## What you know of the enemy (CAM-120)\n");
    let _ = writeln!(out, "- Generals ride with {}.", s.enemy_generals.join(", "));
    let _ = writeln!(out, "- Contingents that may come: {}.", s.enemy_contingents);
    stake(out, s);
    let _ = writeln!(out, "\n## Ends (CAM-077)\n");
    let _ = writeln!(
        out,
        "- At the end of a bound: the commanding general lost and more AP than the other side; or half the AP lost and more than the other; or the Stronghold lost."
    );
    if s.bounds > 0 {
        let _ = writeln!(out, "- Undecided at {} bounds (CAM-156).", s.bounds);
    }
    let _ = writeln!(out);
}

/// What the battle is about.
fn stake(out: &mut String, s: &Sheet) {
    let _ = writeln!(out, "\n## What is at stake\n");
    let province = match (s.stronghold, s.role) {
        (true, "defender") => {
            "If you are beaten the province is the attacker's without a siege, and all that stands there of yours retreats (CAM-083, CAM-088)."
        }
        (true, _) => {
            "If you win, the province is yours without a siege, and Heroes held in its city are free (CAM-083, CAM-098)."
        }
        _ => {
            "A city there of neither side does not change hands by the battle (CAM-074); the winner may besiege it (CAM-096)."
        }
    };
    let _ = writeln!(out, "- {province}");
    let _ = writeln!(
        out,
        "- The loser and its allies retreat at once, or are destroyed; one beaten by general or Stronghold loses more besides (CAM-080, CAM-081)."
    );
    let _ = writeln!(out, "- The winning main army gains a general (CAM-023).");
    let _ = writeln!(
        out,
        "- A Hero beaten by a Magician is a captive, and free again if his side wins; a captive in the city may escape meanwhile (CAM-082)."
    );
}

/// The result form of a battle, for the umpire: both rosters to tick, how it ended.
#[must_use]
pub fn result_form(state: &State, battle: &Battle) -> String {
    let mut out = format!("# Result of the battle at {}. Fill in and send to the umpire.\n", battle.name());
    let _ = writeln!(
        out,
        "# winner: \"attacker\" ({}) or \"defender\" ({}); leave out if undecided",
        battle.attacker.prime.nation, battle.defender.prime.nation
    );
    let _ = writeln!(
        out,
        "winner = \"attacker\"\n# ending: \"general\" (the loser's commander is lost, and more AP), \"half\", \"stronghold\" (the defender's is taken),\n# \"conceded\" or \"undecided\" (then leave out the winner)\nending = \"half\"\nbounds = 0\n"
    );
    let _ = writeln!(
        out,
        "# elements destroyed: take the # away before those that were. What fled the table is not among them.\nlost = ["
    );
    for role in [crate::battle::Role::Attacker, crate::battle::Role::Defender] {
        for element in crate::battle::fielded(state, battle, role) {
            let _ = writeln!(out, "  # \"{element}\",");
        }
    }
    let _ = writeln!(
        out,
        "]\n# off the table but not destroyed (fled, Gods that left, ensorcelled Magicians): they rejoin\ngone = []\n# Heroes held captive at the end, each with the Magician that took him:\n# [[captives]]\n# hero = \"Amber.Her1\"\n# by = \"Basalt.Mag1\""
    );
    out
}

/// The result form for paper, to be ticked by hand, as Markdown.
#[must_use]
pub fn result_page(state: &State, battle: &Battle) -> String {
    let mut out = format!("# Result of the battle at {}\n\n", battle.name());
    let (a, d) = (battle.attacker.prime.nation, battle.defender.prime.nation);
    let _ = writeln!(out, "Fill in and send to the umpire. Bounds played: ………………\n");
    let _ = writeln!(
        out,
        "## Winner\n\n- [ ] {a}, the attacker\n- [ ] {d}, the defender\n- [ ] nobody: undecided\n"
    );
    let _ = writeln!(
        out,
        "## It ended\n\n- [ ] with the loser's commanding general, and more AP lost than the other side\n- [ ] at half of the loser's AP, and more than the other side\n- [ ] with the defender's Stronghold taken\n- [ ] one side gave up"
    );
    for (role, nation) in [(crate::battle::Role::Attacker, a), (crate::battle::Role::Defender, d)] {
        let _ = writeln!(
            out,
            "\n## Lost by {nation}\n\nD destroyed; G gone but not destroyed: fled, a God that left, an ensorcelled Magician; C a Hero held captive.\n"
        );
        let all = crate::battle::fielded(state, battle, role);
        let cell = |e: &crate::ids::ElementId| format!("{e}  D[ ] G[ ] C[ ]");
        // Three side by side, down the first column and then the second.
        let rows = all.len().div_ceil(3).max(1);
        let _ = writeln!(out, "| | | |\n|---|---|---|");
        for n in 0..rows {
            let at = |c: usize| all.get(c * rows + n).map(cell).unwrap_or_default();
            let _ = writeln!(out, "| {} | {} | {} |", at(0), at(1), at(2));
        }
    }
    let _ = writeln!(out, "\nOf each captive, by which Magician: ……………………………………………………………………………………");
    out
}
