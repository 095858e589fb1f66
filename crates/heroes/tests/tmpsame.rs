use heroes::cli::{BattleSpec, battle};
use serde_json::json;
#[test]
fn same() {
    let rules = heroes::setup::default_rules();
    for (a, b, seed) in [("roman", "huns", 1), ("roman", "huns", 2), ("roman", "huns", 3), ("roman", "huns", 4), ("english", "french", 5), ("english", "french", 6)] {
        let spec = BattleSpec { map: format!("random:{seed}"), armies: [json!(a), json!(b)], players: ["general".into(), "general".into()], seed, bounds: None };
        let j = battle(&rules, &spec).unwrap().said.json;
        println!("{} {} {} {}", j["bounds"], j["commands"], j["candidates_looked_at"], j["digest"]);
    }
}
