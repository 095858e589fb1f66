//! The shipped armies, the checking of lists, and the faults of army files.

use std::sync::LazyLock;

use hott::army::{Army, Entry, check, parse_army, write_army};
use hott::table::{Grade, Scope, Tables, TroopType};
use proptest::prelude::*;

static BASE: LazyLock<Tables> = LazyLock::new(|| Tables::standard(Scope::Base));
static BIG: LazyLock<Tables> = LazyLock::new(|| Tables::standard(Scope::Big));

fn shipped() -> Vec<(String, String)> {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/armies/hott");
    let mut all: Vec<(String, String)> = std::fs::read_dir(dir)
        .unwrap()
        .map(|f| f.unwrap().path())
        .map(|p| {
            (p.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read_to_string(&p).unwrap())
        })
        .collect();
    all.sort();
    all
}

#[test]
fn shipped_armies_are_legal() {
    let mut types = [false; TroopType::COUNT];
    let all = shipped();
    assert!(all.len() >= 16);
    for (file, text) in all {
        let army = parse_army(&file, &text).unwrap_or_else(|e| panic!("{file}: {e:?}"));
        let v = check(&army, &BASE, None);
        assert!(v.legal && v.legal_but_for_general, "{file}: {:?}", v.problems);
        assert!(v.problems.is_empty() && v.unread.is_empty());
        for e in &army.entries {
            types[e.ty.index()] = true;
        }
        // and it is what it says after having been written and read again
        let written = write_army(&army);
        let again = parse_army(&file, &written).unwrap();
        assert_eq!(without_lines(again), without_lines(army), "{file}");
    }
    for ty in TroopType::ALL.into_iter().filter(|t| *t != TroopType::Str && !BASE.troop(*t).big) {
        assert!(types[ty.index()], "no shipped army has {ty}");
    }
}

#[test]
fn shipped_big_armies_are_legal() {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/armies/big");
    let mut files: Vec<_> = std::fs::read_dir(dir).unwrap().map(|f| f.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 6);
    for path in files {
        let file = path.display().to_string();
        let army = parse_army(&file, &std::fs::read_to_string(&path).unwrap()).unwrap();
        let v = check(&army, &BIG, None);
        assert!(v.legal && v.legal_but_for_general && v.unread.is_empty(), "{file}: {:?}", v.problems);
    }
}

fn without_lines(mut army: Army) -> Army {
    for e in &mut army.entries {
        e.line = 0;
    }
    army
}

fn army(entries: &[(TroopType, u16)], general: usize) -> Army {
    let mut army = Army::new("test");
    army.entries = entries.iter().map(|(ty, n)| Entry::new(*ty, *n)).collect();
    if let Some(e) = army.entries.get(general).cloned() {
        army.entries[general].count -= 1;
        army.entries.insert(general, Entry { general: true, count: 1, ..e });
    }
    army.entries.retain(|e| e.count > 0);
    army
}

/// The rules broken, warnings apart.
fn broken(army: &Army, tables: &Tables, ap: Option<i32>) -> Vec<String> {
    let v = check(army, tables, ap);
    let rules: Vec<String> = v.problems.iter().filter(|p| !p.warning).map(|p| p.rule.to_string()).collect();
    assert_eq!(v.legal, rules.is_empty());
    rules
}

use TroopType::*;

#[test]
fn hott_009_size() {
    let just = army(&[(Bld, 12)], 0);
    assert!(broken(&just, &BASE, None).is_empty());
    let over = army(&[(Bld, 12), (Hrd, 1)], 0);
    assert_eq!(broken(&over, &BASE, None), ["HOTT-009"]);
    assert!(broken(&over, &BASE, Some(25)).is_empty());
    assert_eq!(broken(&just, &BASE, Some(23)), ["HOTT-009"]);
    let less = army(&[(Bld, 3)], 0);
    assert!(broken(&less, &BASE, None).is_empty(), "points may be left unspent");
    let own = Army { ap: Some(48), ..army(&[(Bld, 24)], 0) };
    assert!(broken(&own, &BASE, None).is_empty());
    let v = check(&over, &BASE, None);
    assert!(v.problems[0].message.contains("25 AP, 1 more than the 24"), "{}", v.problems[0].message);
    assert_eq!(broken(&Army::new("none"), &BASE, None), ["HOTT-009", "HOTT-011"]);
    assert!(!check(&Army::new("none"), &BASE, None).legal_but_for_general);
}

#[test]
fn hott_010_half() {
    let half = army(&[(Her, 3), (Bld, 6)], 0);
    assert!(broken(&half, &BASE, None).is_empty());
    let more = army(&[(Her, 3), (Hrd, 1), (Bld, 5)], 0);
    assert_eq!(broken(&more, &BASE, None), ["HOTT-010"], "12 of 23");
    let airboats = army(&[(Abt, 5), (Bld, 4)], 0);
    assert_eq!(broken(&airboats, &BASE, None), ["HOTT-010"], "3 AP count as dear");
    let v = check(&airboats, &BASE, None);
    assert_eq!((v.ap.to_string(), v.small_ap.to_string()), ("23".to_owned(), "8".to_owned()));
}

#[test]
fn hott_r20_half_of_what() {
    let list = army(&[(Her, 3), (Hrd, 1), (Bld, 5)], 0);
    let with = |value: &str| {
        let rules = Tables::layers(Scope::Base).set(&format!("hott.half_rule={value}")).effective().unwrap();
        broken(&list, &Tables::load(Scope::Base, &rules).unwrap(), None)
    };
    assert_eq!(with("spent"), ["HOTT-010"]);
    assert!(with("size").is_empty());
}

#[test]
fn hott_011_one_general() {
    let none = army(&[(Bld, 12)], 99);
    assert_eq!(broken(&none, &BASE, None), ["HOTT-011"]);
    assert!(check(&none, &BASE, None).legal_but_for_general);
    let mut two = army(&[(Bld, 6), (Kni, 6)], 0);
    two.entries.last_mut().unwrap().general = true;
    two.entries.last_mut().unwrap().count = 1;
    assert_eq!(broken(&two, &BASE, None), ["HOTT-011"]);
    assert!(!check(&two, &BASE, None).legal_but_for_general);
    let over = army(&[(Bld, 13)], 99);
    assert_eq!(broken(&over, &BASE, None), ["HOTT-009", "HOTT-011"]);
    assert!(!check(&over, &BASE, None).legal_but_for_general);
    // nobody in it could lead
    let beasts = army(&[(Bst, 12)], 99);
    assert!(!check(&beasts, &BASE, None).legal_but_for_general);
}

#[test]
fn hott_012_who_may_lead() {
    for ty in TroopType::ALL.into_iter().filter(|t| *t != Str && !BASE.troop(*t).big) {
        let mut list = army(&[(Bld, 6)], 99);
        list.entries.push(Entry { general: true, ..Entry::new(ty, 1) });
        let barred = matches!(ty, God | Drg | Pal | Bst | Lrk | WLk | Snk);
        assert_eq!(broken(&list, &BASE, None), if barred { vec!["HOTT-012"] } else { vec![] }, "{ty}");
    }
}

#[test]
fn what_the_base_game_does_not_know() {
    let mut list = army(&[(Bld, 6)], 0);
    list.entries.push(Entry::new(LtH, 1));
    list.entries.push(Entry { grade: Grade::Elite, ..Entry::new(Bld, 1) });
    list.entries.push(Entry::new(Str, 1));
    list.entries.push(Entry { shooting: true, ..Entry::new(Bld, 1) });
    assert_eq!(broken(&list, &BASE, None), ["BB-010", "BB-007", "HOTT-013", "BB-011"]);
    list.entries =
        vec![Entry { general: true, ..Entry::new(Bld, 1) }, Entry { command: 2, ..Entry::new(Bld, 1) }];
    assert_eq!(broken(&list, &BASE, None), ["HOTT-345"]);
    let file = "name = \"x\"\n[stronghold]\nwidth_bw = 90\ndepth_bw = 100\n[[element]]\ntype = \"Bld\"\ngeneral = true\n";
    assert_eq!(broken(&parse_army("x", file).unwrap(), &BASE, None), ["HOTT-074"]);
}

#[test]
fn big_battles() {
    // BX-02: a command's cost
    let mut list = Army::new("BX-02");
    let graded = |ty, count, grade| Entry { grade, ..Entry::new(ty, count) };
    list.entries = vec![
        Entry { general: true, ..graded(Her, 1, Grade::Elite) },
        graded(Beh, 1, Grade::Levy),
        graded(Hrd, 2, Grade::Elite),
        graded(Hrd, 2, Grade::Levy),
        Entry::new(Bld, 6),
    ];
    let v = check(&list, &BIG, None);
    assert_eq!((v.ap.to_string(), v.small_ap.to_string()), ("24".to_owned(), "16".to_owned()));
    assert!(v.legal, "{:?}", v.problems);
    let rules = Tables::layers(Scope::Big).set("big.premium_by=paid").effective().unwrap();
    let paid = Tables::load(Scope::Big, &rules).unwrap();
    assert_eq!(check(&list, &paid, None).small_ap.to_string(), "18");

    // BB-009: each command its general; BB-006: Gods with the commander-in-chief
    let mut two = list.clone();
    for e in &list.entries {
        two.entries.push(Entry { command: 2, general: false, ..e.clone() });
    }
    two.entries.push(Entry { command: 2, ..Entry::new(Lrk, 1) });
    assert_eq!(broken(&two, &BIG, Some(25)), ["BB-006", "HOTT-011"]);
    two.commands.cinc = 2;
    assert_eq!(broken(&two, &BIG, Some(25)), ["HOTT-011"]);
    // BB-003: the average only warns, the host's bounds do not
    assert_eq!(broken(&two, &BIG, None), ["HOTT-011"]);
    assert_eq!(broken(&two, &BIG, Some(24)), ["BB-003", "HOTT-011"]);
    let small = army(&[(LtH, 2), (Sct, 2)], 0);
    let v = check(&small, &BIG, None);
    assert!(v.legal && v.problems.len() == 1 && v.problems[0].warning, "{:?}", v.problems);
    let host = |set: &str| {
        let rules = Tables::layers(Scope::Big).set(set).effective().unwrap();
        broken(&small, &Tables::load(Scope::Big, &rules).unwrap(), None)
    };
    assert_eq!(host("big.ap_per_command_min=20"), ["BB-003"]);
    assert_eq!(host("big.ap_per_command_max=7"), ["BB-003"]);
    assert!(host("big.ap_per_command_max=8").is_empty());
    assert_eq!(host("big.new_type_generals=false"), ["HOTT-012"]);

    // BB-100, BB-101
    let god = |set: &str| {
        let mut list = army(&[(Bld, 12)], 0);
        list.entries.push(Entry { grade: Grade::Levy, ..Entry::new(God, 1) });
        let rules = Tables::layers(Scope::Big).set(set).effective().unwrap();
        broken(&list, &Tables::load(Scope::Big, &rules).unwrap(), Some(30))
    };
    assert!(god("big.gradable=all").is_empty());
    assert_eq!(god("big.gradable=deployed"), ["BB-100"]);
    let mut many = Army::new("nine");
    many.entries = (1..=9).map(|c| Entry { command: c, general: true, ..Entry::new(Bld, 1) }).collect();
    assert_eq!(broken(&many, &BIG, None), ["BB-101"]);
    // BX-10's neighbour: a dear army in all, not in each command
    let dear = army(&[(Her, 4), (Bld, 7)], 0);
    assert_eq!(broken(&dear, &BIG, Some(30)), ["BB-004"]);
}

#[test]
fn verdicts_as_json() {
    let v = check(&army(&[(Bld, 2), (Hrd, 30)], 0), &BASE, None);
    let json = serde_json::to_string(&v).unwrap();
    assert!(json.starts_with(
        r#"{"legal":false,"legal_but_for_general":false,"ap":34,"small_ap":34,"elements":[{"type":"Blade","count":1,"general":true},"#
    ), "{json}");
    assert!(json.contains(r#""problems":[{"rule":"HOTT-009","message":"34 AP, "#), "{json}");
    assert!(json.ends_with(r#""unread":[]}"#), "{json}");
}

#[test]
fn faults_of_army_files() {
    let good = "name = \"x\"\n[[element]]\ntype = \"Blade\"\n";
    assert!(parse_army("a.toml", good).is_ok());
    for (text, says) in [
        (
            "name = \"x\"\n[[element]]\ntype = \"Wharband\"\n",
            "a.toml:3: unknown element type `Wharband`; did you mean Warband?",
        ),
        (
            "name = \"x\"\n[[element]]\ntype = \"Tyrannosaur\"\n",
            "a.toml:3: unknown element type `Tyrannosaur`",
        ),
        ("name = \"x\"\n[[element]]\ntipe = \"Blade\"\n", "a.toml:3: unknown key `tipe`; did you mean type?"),
        ("nam = \"x\"\n[[element]]\ntype = \"Blade\"\n", "a.toml:1: unknown key `nam`; did you mean name"),
        (
            "name = \"x\"\n[[element]]\ntype = \"Blade\"\ncount = 0\n",
            "a.toml:4: `count` must be a whole number from 1 to 200",
        ),
        ("name = \"x\"\n[[element]]\ntype = \"Blade\"\ncount = \"three\"\n", "a.toml:4: `count` must be"),
        (
            "name = \"x\"\n[[element]]\ntype = \"Blade\"\ngeneral = \"yes\"\n",
            "a.toml:4: `general` must be true or false",
        ),
        (
            "name = \"x\"\n[[element]]\ntype = \"Blade\"\ngrade = \"elit\"\n",
            "a.toml:4: `grade` is `elit`: expected levy or plain or elite; did you mean elite?",
        ),
        (
            "name = \"x\"\nscale = \"28mm\"\n[[element]]\ntype = \"Blade\"\n",
            "a.toml:2: `scale` is `28mm`: expected 15mm or 25mm",
        ),
        ("name = \"x\"\nap = -24\n[[element]]\ntype = \"Blade\"\n", "a.toml:2: `ap` must be"),
        ("name = 4\n[[element]]\ntype = \"Blade\"\n", "a.toml:1: `name` must be a text"),
        ("[[element]]\ntype = \"Blade\"\n", "the army has no name"),
        ("name = \"x\"\n", "the army has no elements"),
        ("name = \"x\"\nelement = 4\n", "a.toml:2: `element` must be a list"),
        ("name = \"x\"\nelement = [4]\n", "a.toml:2: an element must be a table"),
        ("name = \"x\"\n[[element]]\ncount = 4\n", "an element without a type"),
        ("name = \"x\n", "a.toml:1: "),
        (
            "name = \"x\"\n[stronghold]\nform = \"star\"\nwidth_bw = 200\ndepth_bw = 200\n[[element]]\ntype = \"Blade\"\n",
            "a.toml:3: `form` is `star`",
        ),
        (
            "name = \"x\"\n[stronghold]\nwidth_bw = 200\n[[element]]\ntype = \"Blade\"\n",
            "a stronghold without `depth_bw`",
        ),
    ] {
        let errors = parse_army("a.toml", text).expect_err(text);
        let told: Vec<String> = errors.iter().map(ToString::to_string).collect();
        assert!(told.iter().any(|t| t.contains(says)), "{text}\n{told:?}");
    }
    // all faults at once
    let errors =
        parse_army("a", "nam = 1\n[[element]]\ntype = \"Bladde\"\n[[element]]\ncont = 2\n").unwrap_err();
    assert_eq!(errors.len(), 5, "{errors:?}");
    let circle =
        "name = \"x\"\n[stronghold]\nform = \"circle\"\nwidth_bw = 200\n[[element]]\ntype = \"Blade\"\n";
    assert_eq!(parse_army("a", circle).unwrap().stronghold.unwrap().depth_bw, 200);
}

proptest! {
    #[test]
    fn armies_come_back_from_their_files(
        entries in proptest::collection::vec(
            (0..TroopType::COUNT, 1..20u16, any::<bool>(), proptest::option::of("[a-zA-Z\" é]{1,12}"), 0..3usize, 1..4u8),
            1..8,
        ),
        name in "[a-z\"\\\\]{1,10}",
    ) {
        let mut army = Army::new(&name);
        for (ty, count, general, name, grade, command) in entries {
            let name = name.map(|n| n.trim().to_owned()).filter(|n| !n.is_empty());
            let grade = [Grade::Levy, Grade::Plain, Grade::Elite][grade];
            let count = if general { 1 } else { count };
            let contingent = name.clone();
            army.entries.push(Entry {
                general, name, contingent, grade, command, shooting: general,
                ..Entry::new(TroopType::ALL[ty], count)
            });
        }
        let again = parse_army("x", &write_army(&army)).unwrap();
        prop_assert_eq!(without_lines(again), army);
    }

    #[test]
    fn any_bytes_are_no_army_file(text in "(?s).{0,200}") {
        let _ = parse_army("x", &text);
    }
}

#[test]
fn guesses_of_misspelt_types() {
    for (word, expected) in [
        // Two letters may be wrong in a long word, and in a short one only one.
        ("wharbend", Some(TroopType::Wbd)),
        ("drogan", Some(TroopType::Drg)),
        ("blodd", None),
        // Of short words the first letter must be right.
        ("slade", Some(TroopType::Bld)),
        ("zero", None),
    ] {
        assert_eq!(TroopType::suggest(word), expected, "{word}");
    }
}
