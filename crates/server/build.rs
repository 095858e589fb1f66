//! Embeds the built page, if there is one: `dist/` is made by the front end's build and is not in the repository.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=dist");
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").unwrap_or_default()).join("dist");
    let mut files = Vec::new();
    walk(&root, &root, &mut files);
    files.sort();
    let mut code =
        String::from("/// Every file of the built page: its path below the root, and its bytes.\n");
    code.push_str("static FILES: &[(&str, &[u8])] = &[\n");
    for (name, path) in &files {
        _ = writeln!(code, "    ({name:?}, include_bytes!({path:?})),");
    }
    code.push_str("];\n");
    let out = PathBuf::from(env::var("OUT_DIR").unwrap_or_default()).join("files.rs");
    if let Err(error) = fs::write(&out, code) {
        println!("cargo:error={}: {error}", out.display());
    }
}

fn walk(root: &Path, folder: &Path, files: &mut Vec<(String, String)>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|e| e.path()) {
        if path.is_dir() {
            walk(root, &path, files);
        } else if let Ok(name) = path.strip_prefix(root) {
            files.push((name.to_string_lossy().replace('\\', "/"), path.to_string_lossy().into_owned()));
        }
    }
}
