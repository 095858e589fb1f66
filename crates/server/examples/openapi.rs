//! Prints the description of the API, from which the page's types are made: `cargo xtask web` runs it.

fn main() {
    println!("{:#}", server::openapi());
}
