//! The campaign's folder and the functions of the command line.

use campaign::Rules;
use campaign::cli::{self, Auto, Format, Mend, NoClock, Sent};
use campaign::order::SetState;
use campaign::store::Folder;
use dice::Key;
use std::fs;
use std::path::PathBuf;

fn fresh(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("muster-campaign-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&dir);
    cli::new(&dir, "evening", Rules::shipped(), &Key::from_seed(4), true).unwrap();
    dir
}

const SENT: Sent = Sent { sent: 1, received: 1, state: SetState::Confirmed, by_umpire: false };

#[test]
fn a_season_from_orders_to_letters() {
    let dir = fresh("season");
    let receipt =
        cli::orders(&dir, "Amber", "A1: march to Larch\nA2: invade Midwey, by assault\nA9: hold\n", SENT)
            .unwrap();
    assert!(receipt.text.contains("A1: move to Larch"), "{}", receipt.text);
    assert!(receipt.text.contains("read as Midway"), "{}", receipt.text);
    assert!(receipt.text.contains("line 3") || receipt.text.contains("3:1"), "{}", receipt.text);
    assert!(receipt.text.contains("If nobody else moved"), "{}", receipt.text);
    assert!(!receipt.yes, "a line could not be read");
    assert!(cli::status(&dir, &NoClock).unwrap().text.contains("none"));
    assert!(cli::form(&dir, "Basalt").unwrap().text.contains("# A1, army at Blackgate"));
    let preview = cli::adjudicate(&dir, Auto::Wait, true).unwrap().text;
    assert!(preview.starts_with("Preview"));
    let done = cli::adjudicate(&dir, Auto::Reckon, false).unwrap();
    assert!(done.text.contains("is over"), "{}", done.text);
    let letter = cli::report(&dir, Some("amber"), Format::Markdown, "A comet was seen.").unwrap().text;
    assert!(letter.contains("A comet was seen.") && letter.contains("Siege of Midway"), "{letter}");
    let other = cli::report(&dir, Some("Dusk"), Format::Html, "").unwrap().text;
    assert!(other.contains("<svg") && !other.contains("Siege of Midway"));
    assert!(cli::map(&dir, None).unwrap().text.contains("Amber.1"));
    assert!(!cli::map(&dir, Some("Dusk")).unwrap().text.contains("Amber."));
    assert!(cli::history(&dir).unwrap().text.contains("adjudicate"));
    let corrected = cli::again(
        &dir,
        Mend::Rule("die \"siege at Midway, Spring of year 1\" 5 because \"misread\""),
        None,
        true,
    )
    .unwrap();
    assert!(corrected.text.contains("Amber"), "{}", corrected.text);
    let letter = cli::report(&dir, Some("Amber"), Format::Markdown, "").unwrap().text;
    assert!(letter.contains("Siege of Midway by Amber.2: 5"), "{letter}");
    fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn a_damaged_last_line_is_set_aside() {
    let dir = fresh("damage");
    cli::orders(&dir, "Amber", "A1: hold", SENT).unwrap();
    let file = dir.join("campaign.jsonl");
    let whole = fs::read(&file).unwrap();
    cli::orders(&dir, "Basalt", "A1: hold", SENT).unwrap();
    let more = fs::read(&file).unwrap();
    for cut in [whole.len() + 1, whole.len() + (more.len() - whole.len()) / 2, more.len() - 1] {
        fs::write(&file, &more[..cut]).unwrap();
        let status = cli::status(&dir, &NoClock).unwrap().text;
        assert!(status.contains("line 3") && status.contains("set aside"), "{status}");
        assert_eq!(fs::read(&file).unwrap(), whole, "cut at {cut}");
        assert!(!cli::status(&dir, &NoClock).unwrap().text.contains("set aside"), "said once");
    }
    fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn two_commands_at_once_are_refused() {
    let dir = fresh("lock");
    let held = Folder::open(&dir).unwrap();
    let problem = cli::status(&dir, &NoClock).unwrap_err();
    assert!(problem[0].to_string().contains("another command"), "{}", problem[0]);
    drop(held);
    assert!(cli::status(&dir, &NoClock).is_ok());
    fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn nothing_is_overwritten() {
    let dir = fresh("over");
    let again = cli::new(&dir, "evening", Rules::shipped(), &Key::from_seed(5), true).unwrap_err();
    assert!(again[0].to_string().contains("already"));
    assert!(cli::check("seed:7:6", &Rules::shipped()).is_ok());
    assert!(cli::check("nowhere", &Rules::shipped()).is_err());
    fs::remove_dir_all(&dir).unwrap();
}

/// A season run again after its letters went out is sent again before the next one is adjudicated; a note is no
/// correction.
#[test]
fn corrections_go_out_before_the_next_season() {
    let dir = fresh("unsent");
    cli::orders(&dir, "Amber", "A1: march to Larch\nA2: hold", SENT).unwrap();
    cli::adjudicate(&dir, Auto::Reckon, false).unwrap();
    cli::publish(&dir, None).unwrap();
    cli::send_note(&dir, "Basalt", "Amber", "We know.", (true, false)).unwrap();
    assert!(cli::publish(&dir, None).unwrap().text.contains("gone out already"));
    cli::again(&dir, Mend::Orders("Amber", "A1: hold\nA2: hold"), None, true).unwrap();
    let why = cli::adjudicate(&dir, Auto::Reckon, false).unwrap_err();
    assert!(why[0].to_string().contains("Amber"), "{}", why[0]);
    assert!(cli::publish(&dir, None).unwrap().text.contains("Amber.correction-1"));
    let all = cli::letters(&dir, Some("Amber")).unwrap().text;
    assert!(all.contains("Spring of year 1") && !all.contains("comes to Larch"), "{all}");
    let form = cli::form(&dir, "Amber").unwrap().text;
    assert!(form.contains("last: A1: hold"), "{form}");
    cli::adjudicate(&dir, Auto::Reckon, false).unwrap();
    let both = cli::letters(&dir, Some("Amber")).unwrap().text;
    assert!(both.contains("Spring of year 1") && both.contains("Summer of year 1"));
    assert!(!cli::letters(&dir, Some("Cobalt")).unwrap().text.contains("to Amber:"));
    fs::remove_dir_all(&dir).unwrap();
}
