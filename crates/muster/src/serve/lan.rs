//! `muster serve --lan`: the table for people in one room.

use super::library::Shelf;
use crate::out;
use game::{Problem, Problems};
use serde_json::json;
use server::wire::NewTable;
use server::{Library as _, Server, code_text};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};

/// The address by which this network knows the machine: the one it would speak from. Nothing is sent.
pub fn own_address(asked: IpAddr) -> Option<IpAddr> {
    if !asked.is_unspecified() {
        return Some(asked);
    }
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    // An address kept for documents: whoever has a way out has one to it.
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    socket.local_addr().ok().map(|a| a.ip()).filter(|a| !a.is_unspecified())
}

/// A table of two shipped armies, everything before deployment diced and chosen by itself.
///
/// # Errors
/// An army that there is not.
pub fn wish(armies: &[String]) -> Result<NewTable, Problems> {
    let none = || vec![Problem::new("no table can be set up here")];
    let number = crate::battle_cmd::any_seed() % 1_000_000_000;
    let body = json!({ "armies": armies, "bound_limit": 0, "quick": number });
    let setup = Shelf.ask("hott/setup", Some(&body)).ok_or_else(none)??;
    let names: Vec<&str> =
        setup["sides"].as_array().into_iter().flatten().filter_map(|s| s["army"].as_str()).collect();
    Ok(NewTable {
        kind: "hott".to_owned(),
        title: names.join(" – "),
        setup: Some(setup),
        ..NewTable::default()
    })
}

/// What a role's code is called.
fn called(role: &str) -> String {
    match role {
        "spectator" => "whoever looks on".to_owned(),
        "host" => "the host".to_owned(),
        seat => format!("seat {seat}"),
    }
}

/// Prints address and codes.
pub async fn show(server: &Server, at: SocketAddr, wish: Option<NewTable>) {
    let base = format!("http://{at}");
    out::line(&format!("In this room: {base}/"));
    out::print(&format!("{}\n", code_text(&format!("{base}/"))));
    let Some(wish) = wish else {
        out::line("A table's codes stand in its menu: In this room.");
        return;
    };
    match server.new_game(wish).await {
        Ok(made) => {
            for (role, link) in &made.links {
                let link = format!("{base}{link}");
                out::line(&format!("{}: {link}", called(role)));
                out::print(&format!("{}\n", code_text(&link)));
            }
            if let Some(link) = made.links.get("spectator") {
                let link = format!("{base}{}", link.replacen('#', "?screen=big#", 1));
                out::line(&format!("the big screen: {link}"));
                out::print(&format!("{}\n", code_text(&link)));
            }
        }
        Err(words) => out::line(&format!("no table was opened: {words}")),
    }
}

/// For tests: the wish as JSON.
#[cfg(test)]
fn setup_of(armies: &[&str]) -> Result<serde_json::Value, Problems> {
    let armies: Vec<String> = armies.iter().map(|a| (*a).to_owned()).collect();
    wish(&armies).map(|w| w.setup.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_of_shipped_armies_can_be_wished_for_and_others_are_named() {
        assert_eq!(setup_of(&["pirates", "lunar-empire"]).unwrap()["sides"].as_array().unwrap().len(), 2);
        let none = setup_of(&["pirats", "lunar-empire"]).unwrap_err();
        assert!(none[0].to_string().contains("pirates"), "{}", none[0]);
        assert_eq!(own_address("127.0.0.1".parse().unwrap()), Some("127.0.0.1".parse().unwrap()));
    }
}
