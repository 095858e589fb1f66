//! Puts the shipped data into the binary: a list of (folder/name, text) made from the files of `data/`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let mut files = Vec::new();
    for folder in [
        "armies/hott",
        "armies/big",
        "scenarios/hott",
        "scenarios/big",
        "scenarios/heroes",
        "horde/encounters",
    ] {
        println!("cargo:rerun-if-changed={}", data.join(folder).display());
        let Ok(entries) = fs::read_dir(data.join(folder)) else { continue };
        let mut paths: Vec<PathBuf> = entries.filter_map(|e| e.ok().map(|e| e.path())).collect();
        paths.sort();
        for path in paths.into_iter().filter(|p| p.extension().is_some_and(|e| e == "toml")) {
            println!("cargo:rerun-if-changed={}", path.display());
            let name = path.file_stem().and_then(|s| s.to_str()).unwrap_or_default().to_owned();
            files.push((format!("{folder}/{name}"), path.canonicalize().unwrap_or(path)));
        }
    }
    let mut code = String::from("pub static SHIPPED: &[(&str, &str)] = &[\n");
    for (name, path) in files {
        let _ = writeln!(code, "    ({name:?}, include_str!({:?})),", path.display().to_string());
    }
    code.push_str("];\n");
    let out = PathBuf::from(env::var("OUT_DIR").unwrap_or_default()).join("shipped.rs");
    if let Err(error) = fs::write(&out, code) {
        println!("cargo:error=cannot write {}: {error}", out.display());
    }
}
