//! Draws the sample scenes into a folder, to be judged by eye: `cargo run -p draw --example samples -- FOLDER`.

#[path = "../tests/scenes/battle.rs"]
mod battle;
#[path = "../tests/scenes/mod.rs"]
mod scenes;

use draw::{Layout, Style, Theme, png, sheet, svg};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("usage: samples FOLDER")?;
    std::fs::create_dir_all(&folder)?;
    let write = |name: &str, drawing: String, scale: f32| -> Result<(), Box<dyn std::error::Error>> {
        std::fs::write(format!("{folder}/{name}.svg"), &drawing)?;
        std::fs::write(format!("{folder}/{name}.png"), png(&drawing, scale)?)?;
        eprintln!("{name}: {} kB", drawing.len() / 1024);
        Ok(())
    };
    for (theme, word) in [(Theme::Light, "light"), (Theme::Dark, "dark"), (Theme::Grey, "grey")] {
        write(&format!("signs-{word}"), sheet(Style::wide(theme)), 1.0)?;
        write(
            &format!("grounds-{word}"),
            svg(&scenes::grounds(), Style { layout: Layout::Tall, width: 900.0, ..Style::wide(theme) }),
            1.0,
        )?;
        write(&format!("deployed-{word}"), svg(&scenes::deployed(), Style::wide(theme)), 1.0)?;
        write(&format!("fight-{word}"), svg(&scenes::fight(), Style::wide(theme)), 1.0)?;
        write(&format!("six-{word}"), svg(&scenes::six_sides(), Style::wide(theme)), 1.0)?;
    }
    write("fight-phone", svg(&scenes::fight(), Style::phone(Theme::Light)), 1.0)?;
    write("fight-phone-3x", svg(&scenes::fight(), Style::phone(Theme::Light)), 3.0)?;
    write("deployed-phone-dark", svg(&scenes::deployed(), Style::phone(Theme::Dark)), 2.0)?;
    write("deployed-paper", svg(&scenes::deployed(), Style::paper()), 1.5)?;
    write("fight-thumb", svg(&scenes::fight(), Style::board(Theme::Light, 240.0)), 1.0)?;
    for seed in 1..=4 {
        let (battle, state) = battle::battle(seed);
        let options = draw::hott::Options { fights: true, moves: true, ..Default::default() };
        write(
            &format!("battle-{seed}"),
            svg(&draw::hott::scene(&battle, &state, &options), Style::wide(Theme::Light)),
            1.0,
        )?;
    }
    Ok(())
}
