//! A tracker without a terminal: keys in, the screen as text out.

use horde::Encounter;
use horde::encounter::plain_rules;
use horde::tracker::{Key, Tracker};
use ratatui::Terminal;
use ratatui::backend::TestBackend;

pub const BRIDGE: &str = include_str!("../../../../data/horde/encounters/bridge.toml");

pub fn bridge() -> Encounter {
    Encounter::from_file("bridge.toml", BRIDGE, &plain_rules()).unwrap().0
}

/// The rows of the screen, a sign a column; the second column of a wide sign is a space.
pub fn shown(t: &Tracker, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|f| t.draw(f)).unwrap();
    let buffer = terminal.backend().buffer().clone();
    let rows = (0..height)
        .map(|y| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim_end().to_owned());
    rows.collect::<Vec<_>>().join("\n") + "\n"
}

pub fn say(t: &mut Tracker, text: &str) {
    text.chars().for_each(|c| t.key(Key::Char(c)));
    t.key(Key::Enter);
}
