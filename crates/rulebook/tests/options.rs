//! Options and layers: shipped files parse, the order of layers holds, mistakes are explained.

use rulebook::{Allowed, Effective, Family, Layers, Limit, OptionTable, Origin, PRESETS, Tree, Value};

const TABLES: &str = "[types.Blade]\nap = 2\ncf_foot = 5\n[types.Artillery]\ncf_mounted = 4\n\
                      [[outcomes.Blade.beaten]]\nwhen = \"by Warband\"\nresult = \"destroyed\"\n";

fn layers() -> Layers {
    Layers::new(&[Family::Hott]).tables(Family::Hott, "hott.toml", TABLES)
}

fn first_error(layers: Layers) -> String {
    layers.effective().unwrap_err().list()[0].to_string()
}

#[test]
fn shipped_options_parse() {
    let counts = [
        (Family::Hott, 43),
        (Family::Big, 36),
        (Family::Heroes, 13),
        (Family::Horde, 60),
        (Family::Campaign, 80),
    ];
    for (family, count) in counts {
        let table = OptionTable::of(family);
        assert_eq!(table.len(), count, "{family:?}");
        for spec in table.iter() {
            assert!(spec.key.starts_with(family.key()), "{}", spec.key);
            assert!(spec.allowed.samples(&spec.default).len() >= 2, "{} leaves no choice", spec.key);
            assert!(spec.allowed.samples(&spec.default).contains(&spec.default), "{}", spec.key);
            assert!(!spec.meaning.is_empty());
            if let Allowed::OneOf(list) = &spec.allowed {
                for (name, meaning) in list {
                    let ok = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "_.:".contains(c);
                    assert!(name.chars().all(ok), "{}: {name}", spec.key);
                    assert!(!meaning.is_empty(), "{}: {name}", spec.key);
                }
            }
        }
    }
}

#[test]
fn every_option_stands_in_the_reference() {
    let reference = |family| match family {
        Family::Hott => include_str!("../../../docs/rules/hott.md"),
        Family::Big => include_str!("../../../docs/rules/big.md"),
        Family::Heroes => include_str!("../../../docs/rules/heroes.md"),
        Family::Horde => include_str!("../../../docs/rules/horde.md"),
        Family::Campaign => include_str!("../../../docs/rules/campaign.md"),
    };
    for family in Family::ALL {
        // The first cells of the tables: names of options, several in one where they go together.
        let rows = reference(family).lines().filter_map(|l| l.strip_prefix("| "));
        let named: Vec<&str> = rows.flat_map(|r| r.split('|').next().unwrap_or("").split(',')).collect();
        for spec in OptionTable::of(family).iter() {
            let name = spec.key.split_once('.').unwrap().1;
            let hit = |n: &str| n.split_whitespace().next() == Some(name);
            assert!(named.iter().any(|n| hit(n)), "{} is in no table of the reference", spec.key);
            let texts = [spec.rule].into_iter().chain(spec.also.iter().copied());
            assert!(texts.into_iter().all(|r| r.family() == family), "{}", spec.key);
        }
    }
}

#[test]
fn later_layers_win_and_provenance_is_kept() {
    let plain = layers().effective().unwrap();
    assert_eq!(plain.word("hott.move_table"), "v2_1");
    assert_eq!(plain.origin("hott.move_table"), Some(&Origin::Default));
    assert_eq!(plain.changed().count(), 0);

    let all = layers()
        .preset("hott-1")
        .file("house.toml", "[hott]\n  move_table = \"v2_1\"\nzoc_depth = 100\n")
        .set("hott.zoc_depth=200")
        .effective()
        .unwrap();
    assert_eq!(all.word("hott.behemoth_beaten"), "v1");
    assert_eq!(all.origin("hott.behemoth_beaten").unwrap().to_string(), "preset hott-1");
    assert_eq!(all.word("hott.move_table"), "v2_1");
    assert_eq!(all.origin("hott.move_table").unwrap().to_string(), "house.toml:2:3");
    assert_eq!(all.int("hott.zoc_depth"), 200);
    assert_eq!(all.origin("hott.zoc_depth").unwrap().to_string(), "--set hott.zoc_depth=200");
    assert_eq!(all.tables().at("hott.types.Artillery.cf_mounted").unwrap().as_int(), Some(3));
}

#[test]
fn the_order_of_layers_does_not_depend_on_the_order_of_the_calls() {
    let rules = layers()
        .set("hott.zoc_depth=200")
        .file("house.toml", "[hott]\nzoc_depth = 100\nmove_table = \"v2_1\"")
        .preset("hott-2.0")
        .effective()
        .unwrap();
    assert_eq!(rules.int("hott.zoc_depth"), 200);
    assert_eq!(rules.word("hott.move_table"), "v2_1");
}

#[test]
fn a_file_may_name_its_preset_and_the_caller_wins() {
    let file = "preset = \"hott-2.0\"\nname = \"club\"\n";
    assert_eq!(layers().file("h", file).effective().unwrap().word("hott.move_table"), "v2_0");
    let chosen = layers().file("h", file).preset("HOTT-2.1").effective().unwrap();
    assert_eq!(chosen.word("hott.move_table"), "v2_1");
}

#[test]
fn presets_fit_their_games() {
    for preset in PRESETS {
        let rules = Layers::new(&[preset.family]).open(&["hott.types.*"]).preset(preset.name).effective();
        assert!(rules.is_ok(), "{}: {}", preset.name, rules.unwrap_err());
    }
}

#[test]
fn values_are_read_as_people_write_them() {
    let one = |s: &str| layers().set(s).effective();
    assert!(one("hott.littoral=on").unwrap().flag("hott.littoral"));
    assert!(one("hott.littoral=\"yes\"").unwrap().flag("hott.littoral"));
    assert_eq!(one("hott.wood_sight=100p").unwrap().int("hott.wood_sight"), 100);
    assert_eq!(one("hott.mutual_main=Each-Other").unwrap().word("hott.mutual_main"), "each_other");
    assert_eq!(one("hott.contingent_pip=false").unwrap().word("hott.contingent_pip"), "off");
    assert!(one("hott.wood_sight=601").is_err());
    let big = |s: &str| Layers::new(&[Family::Big]).set(s).effective();
    assert_eq!(big("big.deployment_depth=800p").unwrap().int("big.deployment_depth"), 800);
    assert!(big("big.deployment_depth=12801").is_err());
    assert!(big("big.flight_recoil=yes").unwrap().flag("big.flight_recoil"));
    let horde = |s: &str| Layers::new(&[Family::Horde]).set(s).effective();
    assert_eq!(horde("horde.mag.per_head=1:1").unwrap().word("horde.mag.per_head"), "1:1");
    let file = "[horde.dos]\ncount = \"dw\"\n[horde]\n\"mb.cap\" = 9\n";
    let nested = Layers::new(&[Family::Horde]).file("h", file).effective().unwrap();
    assert_eq!(nested.word("horde.dos.count"), "dw");
    assert_eq!(nested.word("horde.mb.cap"), "9");
}

#[test]
fn mistakes_are_explained() {
    let file = |text: &str| first_error(layers().file("house.toml", text));
    assert_eq!(
        file("[hott]\ndeploy_frist = \"defender\""),
        "house.toml:2:1: hott.deploy_frist: there is no such option or table; \
         did you mean hott.deploy_first?"
    );
    assert_eq!(
        file("[hott]\ndeploy_first = \"defendr\""),
        "house.toml:2:1: hott.deploy_first: `defendr` is not allowed here: expected attacker or \
         defender; did you mean defender?"
    );
    assert_eq!(
        file("[campaign]\nties = \"name\""),
        "house.toml:1:2: campaign: this is a key of the map campaign; here only `hott.` is read; \
         `muster campaign new` takes it"
    );
    assert!(file("deploy_first = \"defender\"").ends_with("did you mean hott.deploy_first?"));
    assert!(file("[hot]\nx = 1").contains("did you mean hott"));
    assert!(file("[hott\n").starts_with("house.toml:1:6: "), "{}", file("[hott\n"));
    assert_eq!(
        file("[hott.types.Blad]\ncf_foot = 6"),
        "house.toml:1:13: hott.types.Blad: there is no such option or table; did you mean Blade?"
    );
    assert_eq!(
        file("[hott.types.Blade]\ncf_foot = \"six\""),
        "house.toml:2:1: hott.types.Blade.cf_foot: expected a whole number, found a text"
    );
    assert!(first_error(layers().set("hott.zoc_depth")).contains("expected key=value"));
    assert_eq!(
        first_error(layers().preset("hott-3")),
        "preset hott-3: there is no preset `hott-3`: expected hott-2.1, hott-2.0 or hott-1"
    );
    assert!(file("preset = \"hott-3\"").starts_with("house.toml:1:1: there is no preset `hott-3`"));
    let errors = layers().set("hott.mesure=1").effective().unwrap_err();
    assert_eq!(errors.list()[0].nearest(), ["hott.measure"]);
    let errors = layers().file("h", "[hott]\nmesure = 1").effective().unwrap_err();
    assert_eq!(errors.list()[0].place(), Some(("h", 2, 1)));
    assert!(first_error(layers().set("hott.measure=7")).starts_with("--set hott.measure=7: "));
}

#[test]
fn a_file_says_which_game_it_is_for() {
    let file = |text: &str| first_error(layers().file("house.toml", text));
    let with = "name = \"x\"\ngame = \"hott\"\n[hott]\ndeploy_first = \"defender\"\n";
    assert_eq!(layers().file("h", with).effective().unwrap().word("hott.deploy_first"), "defender");
    // One thing is wrong with it, not each of its keys.
    let errors = layers().file("h", "game = \"heroes\"\n[heroes]\na = 1\nb = 2\n").effective().unwrap_err();
    assert_eq!(
        errors.to_string(),
        "h:1:1: game: this is a file for Hordes & Heroes, and here Hordes of the Things is played; \
         `muster battle --rules heroes` takes it with --rules-file"
    );
    assert!(file("game = \"BB\"").contains("a file for big battles"));
    assert_eq!(
        file("game = \"hot\""),
        "house.toml:1:1: game: `hot` is not allowed here: expected hott, big, heroes, horde or campaign; \
         did you mean hott?"
    );
    assert!(file("game = [1]").contains("a list or table"));
    // What is no rules file at all is told once, whatever stands in it.
    for (text, says) in [
        (
            "name = \"x\"\n[[element]]\ntype = \"Blade\"\n",
            "h:2:3: element: this is an army list: `muster army check`",
        ),
        ("title = \"x\"\ngame = \"hott\"\n[position]\n[[step]]\n", "this is a case: `muster case run`"),
    ] {
        let errors = layers().file("h", text).effective().unwrap_err();
        assert!(errors.list().len() == 1 && errors.to_string().contains(says), "{errors}");
    }
}

#[test]
fn what_contradicts_itself_is_told_with_both_places() {
    let twice = layers().set("hott.zoc_depth=100").set("hott.zoc_depth=200");
    assert_eq!(
        first_error(twice),
        "--set hott.zoc_depth=200: hott.zoc_depth: it contradicts hott.zoc_depth \
         (--set hott.zoc_depth=100): one of the two may stay"
    );
    let same = layers().set("hott.zoc_depth=100").set("hott.zoc_depth=100p");
    assert_eq!(same.effective().unwrap().int("hott.zoc_depth"), 100);
    let factor = layers().set("hott.types.Blade.cf_foot=6").set("hott.types.Blade.cf_foot=7");
    assert!(first_error(factor).contains("one of the two may stay"));
    let file = |text: &str| first_error(layers().file("h", text));
    assert_eq!(
        file("[hott]\nlittoral = true\nmeasure = \"front_corner\"\nlittoral = false\n"),
        "h:4:1: `littoral` is set twice, in line 2 for the first time; one of the two may stay"
    );
    assert!(file("[hott]\nlittoral = true\n[hott]\n").contains("`hott` is set twice"));
}

#[test]
fn a_rule_for_a_key_is_answered_with_the_keys_of_that_rule() {
    let file = |text: &str| first_error(layers().file("h", text));
    assert!(file("[hott]\nHOTT-153 = 100\n").ends_with("did you mean hott.zoc_depth?"));
    assert!(file("[factors]\nhott-153 = 400\n").ends_with("`muster rules --options` lists the options"));
}

#[test]
fn all_mistakes_are_named_at_once() {
    let errors = layers()
        .file("house.toml", "[hott]\nmeasure = 3\nnonsense = 1\n[heroes]\ncrt = 1\n")
        .effective()
        .unwrap_err();
    assert_eq!(errors.list().len(), 3, "{errors}");
}

#[test]
fn tables_are_overlaid_and_limits_checked() {
    const LIMITS: [Limit; 1] = [Limit { path: "hott.types.*.cf_foot", what: "a factor", min: -20, max: 20 }];
    let house = "[hott.types.Blade]\ncf_foot = 6\n[[hott.outcomes.Blade.beaten]]\nresult = \"recoils\"\n";
    let rules = layers().open(&["hott.outcomes"]).file("house.toml", house).effective().unwrap();
    assert_eq!(rules.tables().at("hott.types.Blade.cf_foot").unwrap().as_int(), Some(6));
    assert_eq!(rules.tables().at("hott.types.Blade.ap").unwrap().as_int(), Some(2));
    assert_eq!(rules.origin("hott.types.Blade.cf_foot").unwrap().to_string(), "house.toml:2:1");
    let rows = rules.tables().at("hott.outcomes.Blade.beaten").unwrap().as_array().unwrap();
    assert_eq!(rows.len(), 1);
    assert!(rows[0].get("when").is_none(), "a list is replaced as a whole");
    assert!(rules.tables().check(&LIMITS).is_ok());

    let wild = layers().set("hott.types.Blade.cf_foot=400").effective().unwrap();
    assert_eq!(
        wild.tables().check(&LIMITS).unwrap_err().to_string(),
        "--set hott.types.Blade.cf_foot=400: hott.types.Blade.cf_foot: a factor of 400: \
         expected -20 to 20"
    );
}

#[test]
fn tables_read_as_types() {
    #[derive(serde::Deserialize)]
    struct Blade {
        ap: i32,
        cf_foot: i32,
    }
    let rules = layers().set("hott.types.Blade.cf_foot=7").effective().unwrap();
    let blade: Blade = rules.tables().read("hott.types.Blade").unwrap();
    assert_eq!((blade.ap, blade.cf_foot), (2, 7));
    assert!(rules.tables().read::<Blade>("hott.types.Artillery").is_err());
}

#[test]
fn a_record_restores_its_rules() {
    let rules = layers().preset("hott-1").set("hott.wood_sight=0").effective().unwrap();
    let json = serde_json::to_string(&rules.values()).unwrap();
    let values: std::collections::BTreeMap<String, Value> = serde_json::from_str(&json).unwrap();
    let back = Effective::restore(&[Family::Hott], &values, rules.tables().clone()).unwrap();
    assert_eq!(back.values(), rules.values());
    let json = serde_json::to_string(rules.tables()).unwrap();
    let tables: Tree = serde_json::from_str(&json).unwrap();
    assert_eq!(serde_json::to_string(&tables).unwrap(), json);
    assert_eq!(tables.at("hott.types.Artillery.cf_mounted").unwrap().as_int(), Some(3));
    assert_eq!(tables.at("hott.types").unwrap().origin(), &Origin::Record);
}

#[test]
fn an_option_that_a_record_lacks_means_what_was_done_before_it() {
    let text = "[options.x]\nrule = \"HOTT-001\"\ndefault = \"new\"\nbefore = \"old\"\nmeaning = \"m\"\n\
                values.new = \"n\"\nvalues.old = \"o\"\n";
    let table = OptionTable::parse(Family::Hott, "o.toml", text).unwrap();
    let spec = table.get("hott.x").unwrap();
    assert_eq!((spec.default.to_string(), spec.before.to_string()), ("new".into(), "old".into()));
    let empty = std::collections::BTreeMap::new();
    let back = Effective::restore(&[Family::Hott], &empty, Tree::default()).unwrap();
    assert_eq!(back.values(), Layers::new(&[Family::Hott]).effective().unwrap().values());
    let odd = [("hott.nonsense".to_owned(), Value::from(1))].into();
    assert!(Effective::restore(&[Family::Hott], &odd, Tree::default()).is_err());
}

#[test]
fn a_bad_options_file_is_named_with_its_line() {
    for (text, want) in [
        ("[options.x]\nrule = \"HOTT-999\"\nmeaning = \"m\"", "no rule `HOTT-999`"),
        ("[options.x]\nrule = \"HOTT-001\"\nmeaning = \"m\"", "no default"),
        ("[options.x]\nrule = \"HOTT-001\"\nmeaning = \"m\"\ndefault = 3", "default is none of"),
        ("[options.x]\nrule = \"HOTT-001\"\nmeaning = \"m\"\ndefalt = 3", "`defalt` is no field"),
    ] {
        let e = OptionTable::parse(Family::Hott, "o.toml", text).unwrap_err();
        assert!(e.starts_with("o.toml:1: hott.x: ") && e.contains(want), "{e}");
    }
}

#[test]
fn an_option_is_shown_with_all_that_it_takes() {
    let shown = OptionTable::of(Family::Hott).get("hott.deploy_first").unwrap().to_string();
    assert_eq!(
        shown,
        "hott.deploy_first = attacker  (HOTT-075)\n    Who sets up the whole army first.\n      \
         attacker  the attacker\n      defender  the defender"
    );
}

#[test]
fn contradictions_name_both_places() {
    let rules = layers().file("h.toml", "[hott]\nlittoral = true").effective().unwrap();
    let e = rules.contradiction("hott.littoral", "hott.measure", "because").to_string();
    assert_eq!(e, "h.toml:2:1: hott.littoral: it contradicts hott.measure (default): because");
}

proptest::proptest! {
    #[test]
    fn no_text_makes_the_layers_panic(file in "\\PC{0,60}", set in "\\PC{0,30}") {
        let _ = layers().file("x", &file).set(&set).preset(&set).effective();
    }

    #[test]
    fn nearly_right_files_do_not_panic(key in "[a-z_.]{1,12}", value in "[a-z0-9\"\\[\\]{}=.-]{0,8}") {
        let _ = layers().file("x", &format!("[hott]\n{key} = {value}\n")).effective();
        let _ = layers().set(&format!("hott.{key}={value}")).effective();
    }
}
