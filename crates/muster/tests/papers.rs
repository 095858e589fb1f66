//! Every paper in both sizes, with what people really write: long names, wide signs, large armies, large maps. How many pages
//! each takes; that nothing runs off a page is measured by the printer itself, which refuses to print it in a debug build.

use std::path::{Path, PathBuf};
use std::process::Command;

const LONG: &str = "The Most Serene and Perpetual Confederation of the Seventeen Marches beyond Llanfairpwllgwyngyllgogerychwyrndrobwll";
const WIDE: &str = "漢字の長い名前を持つ軍勢とその同盟者たち Ελληνική Žluťoučký";

fn folder(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("muster-papers-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).unwrap();
    dir
}

fn muster(dir: &Path, args: &[&str]) -> String {
    let out = Command::new(env!("CARGO_BIN_EXE_muster")).args(args).current_dir(dir).output().unwrap();
    let said = format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    assert!(out.status.success(), "muster {}: {said}", args.join(" "));
    said
}

/// How many pages a PDF has: its page objects stand in it in plain words.
fn pages(file: &Path) -> usize {
    let bytes = std::fs::read(file).unwrap();
    assert!(bytes.starts_with(b"%PDF"), "{}", file.display());
    let text: String = bytes.iter().map(|b| char::from(*b)).collect();
    text.match_indices("/Type/Page").filter(|(at, m)| !text[at + m.len()..].starts_with('s')).count()
}

/// Makes a paper in both sizes; each has so many pages at most.
fn paper(dir: &Path, name: &str, most: usize, args: &[&str]) {
    for size in ["a4", "letter"] {
        let file = format!("{name}-{size}.pdf");
        let mut all: Vec<&str> = args.iter().map(|a| if *a == "FILE" { file.as_str() } else { a }).collect();
        all.extend(["--paper", size]);
        muster(dir, &all);
        let found = pages(&dir.join(&file));
        assert!((1..=most).contains(&found), "{name} on {size}: {found} pages, {most} at most");
    }
}

#[test]
fn armies_sheets_and_positions() {
    let dir = folder("armies");
    let types = [
        "Hero",
        "Blade",
        "Spear",
        "Warband",
        "Horde",
        "Shooter",
        "Knight",
        "Rider",
        "Beast",
        "Behemoth",
        "Artillery",
        "Magician",
        "Cleric",
        "Paladin",
        "Lurker",
        "God",
        "Dragon",
        "Airboat",
        "Flyer",
        "Sneaker",
    ];
    let mut army = format!("name = \"{LONG} {WIDE}\"\nscale = \"15mm\"\n");
    for n in 0..36 {
        let general = if n == 0 { "general = true\n" } else { "" };
        army.push_str(&format!(
            "[[element]]\ntype = \"{}\"\nname = \"{LONG} {n}\"\n{general}",
            types[n % types.len()]
        ));
    }
    std::fs::write(dir.join("ugly.toml"), &army).unwrap();
    paper(&dir, "roster", 1, &["army", "roster", "ugly.toml", "--format", "pdf", "-o", "FILE"]);
    paper(&dir, "sheet", 1, &["army", "sheet", "ugly.toml", "pirates", "--format", "pdf", "-o", "FILE"]);
    let of = ["--seed", "3", "--bounds", "2", "--pdf", "FILE"];
    paper(&dir, "position", 1, &[&["battle", "lunar-empire", "pirates"], &of[..]].concat());
    paper(&dir, "large", 1, &[&["battle", "--rules", "big", "old-guard", "two-rivers"], &of[..]].concat());
    paper(&dir, "hexes", 1, &[&["battle", "--rules", "heroes", "roman", "dacian"], &of[..]].concat());
    let ship = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/armies/heroes/roman.toml");
    let list = std::fs::read_to_string(ship).unwrap();
    let (head, rest) = (list.find("[expect]").unwrap(), list.find("[[general]]").unwrap());
    let list = format!("{}{}", &list[..head], &list[rest..])
        .replace("name = \"Imperial Roman\"", &format!("name = \"{LONG} {WIDE}\""))
        .replace("name = \"Legionaries\"", &format!("name = \"Legionaries of {LONG}\""))
        .replace("name = \"Auxilia\"", &format!("name = \"{WIDE}\""));
    std::fs::write(dir.join("hexes.toml"), list).unwrap();
    paper(
        &dir,
        "cards",
        2,
        &["army", "roster", "--rules", "heroes", "hexes.toml", "--format", "pdf", "-o", "FILE"],
    );
    paper(
        &dir,
        "results",
        1,
        &["army", "sheet", "--rules", "heroes", "hexes.toml", "dacian", "--format", "pdf", "-o", "FILE"],
    );
    std::fs::remove_dir_all(dir).unwrap();
}

#[test]
fn horde_cards() {
    let dir = folder("hordes");
    let bridge = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../data/horde/encounters/bridge.toml"
    ))
    .unwrap();
    let ugly = bridge.replace("name = \"The bridge at dawn\"", &format!("name = \"{LONG} {WIDE}\""));
    std::fs::write(dir.join("bridge.toml"), ugly).unwrap();
    let hordes = bridge.matches("[[horde]]").count();
    assert!(hordes > 1);
    paper(&dir, "cards", hordes, &["horde", "card", "bridge.toml", "--pdf", "FILE"]);
    std::fs::remove_dir_all(dir).unwrap();
}

/// The map for an evening with names that nobody reads aloud, and the large one, both some seasons on.
#[test]
fn campaign_papers() {
    let dir = folder("campaign");
    let ship = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/campaign/evening");
    std::fs::create_dir_all(dir.join("ugly")).unwrap();
    for entry in std::fs::read_dir(ship).unwrap().flatten() {
        let text = std::fs::read_to_string(entry.path()).unwrap();
        let text = text
            .replace("Standing Stones", "Llanfairpwllgwyngyllgo")
            .replace("Midway", "漢字の渡し場")
            .replace("Larch", "Žluťoučký kůň");
        // Bare keys of TOML have plain letters alone.
        let text = ["漢字の渡し場", "Žluťoučký kůň"]
            .iter()
            .fold(text, |t, name| t.replace(&format!("\n{name} = "), &format!("\n\"{name}\" = ")));
        std::fs::write(dir.join("ugly").join(entry.file_name()), text).unwrap();
    }
    for (map, name) in [("ugly", "small"), ("orrery", "large")] {
        let nations = muster(&dir, &["campaign", "new", name, "--map", map, "--seed", "4"]);
        let list = nations.split_once('(').unwrap().1.split_once(')').unwrap().0.to_owned();
        let nations: Vec<&str> = list.split(", ").collect();
        for nation in &nations {
            muster(&dir, &["campaign", "hand", name, nation, "computer"]);
        }
        for _ in 0..3 {
            muster(&dir, &["campaign", "adjudicate", name, "--quick"]);
        }
        let one = nations[0];
        muster(&dir, &["campaign", "say", name, &format!("{LONG} {WIDE} ").repeat(6), "--to", one]);
        let p = |paper_name: &str, most, args: &[&str]| {
            paper(&dir, &format!("{name}-{paper_name}"), most, &[&["campaign"], args].concat());
        };
        p("map", 1, &["map", name, "--pdf", "FILE"]);
        p("own", 1, &["map", name, one, "--pdf", "FILE"]);
        p("wall", 1, &["map", name, "--wall", "--pdf", "FILE"]);
        p("form", 1, &["form", name, one, "--format", "pdf", "-o", "FILE"]);
        // A letter has its map beside it, or behind it where a season was full.
        p("letter", 2, &["report", name, one, "--format", "pdf", "-o", "FILE"]);
        p("gazette", 2, &["report", name, "--format", "pdf", "-o", "FILE"]);
        let chronicle = muster(&dir, &["campaign", "chronicle", name, "-o", &format!("{name}.html")]);
        assert!(chronicle.contains("written"), "{chronicle}");
        let told = std::fs::read_to_string(dir.join(format!("{name}.html"))).unwrap();
        assert!(told.matches("<svg").count() >= 3, "a map a season");
        muster(&dir, &["campaign", "chronicle", name, one, "-o", &format!("{name}.md")]);
        let text = std::fs::read_to_string(dir.join(format!("{name}.md"))).unwrap();
        assert!(text.contains(&format!("![Spring of year 1]({name}-00.png)")), "{text}");
        assert!(dir.join(format!("{name}-00.png")).exists());
        if name == "large" {
            continue;
        }
        // On to a season with a battle: a pack for each side and the form for its result.
        let battle = (0..12).find_map(|_| {
            muster(&dir, &["campaign", "adjudicate", name]);
            let status = muster(&dir, &["campaign", "status", name]);
            let found = status.lines().find_map(|l| l.trim().strip_prefix("battle at "));
            found.map(|l| l.split(" (").next().unwrap_or("").to_owned())
        });
        let battle = battle.expect("some season has a battle");
        let status = muster(&dir, &["campaign", "status", name]);
        let line = status.lines().find(|l| l.contains(&format!("battle at {battle} ("))).unwrap().to_owned();
        let sides = line.split_once(" (").unwrap().1.split_once(')').unwrap().0.split(", ").count();
        p("pack", sides + 1, &["pack", name, &battle, "--pdf", "FILE"]);
    }
    std::fs::remove_dir_all(dir).unwrap();
}
