//! The page: its packages, its build, its tests in a real browser.

use crate::{Done, cargo, run};
use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, fs};

/// Names under which Chromium is found.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];
/// Where the description of the API is written, for the page's types.
const API: &str = "target/openapi.json";
/// The page's types, kept in the repository so that a change of the API is seen in review.
const TYPES: &str = "web/src/lib/wire.d.ts";

/// The output of a command.
fn output(program: &str, args: &[&str]) -> Result<String, String> {
    eprintln!("xtask: {program} {}", args.join(" "));
    let made = Command::new(program).args(args).stderr(Stdio::inherit()).output();
    let made = made.map_err(|e| format!("cannot run {program}: {e}"))?;
    if !made.status.success() {
        return Err(format!("{program} {} failed", args.join(" ")));
    }
    String::from_utf8(made.stdout).map_err(|e| format!("{program} did not print text: {e}"))
}

fn npm(args: &[&str]) -> Done {
    let mut all = vec!["--prefix", "web"];
    all.extend_from_slice(args);
    run("npm", &all).map_err(|e| format!("{e}\nhint: the page is built with Node 20 or later and its npm"))
}

/// The packages of the page, unless they are there already.
fn packages() -> Done {
    let mark = Path::new("web/node_modules/.muster");
    let lock = fs::read("web/package-lock.json").map_err(|e| format!("web/package-lock.json: {e}"))?;
    if fs::read(mark).is_ok_and(|old| old == lock) {
        return Ok(());
    }
    // Not `npm ci`: it refuses a lock without an optional package of another system that a registry may lack.
    // The versions are the lock's either way, and it must come out as it went in.
    npm(&["install"])?;
    if fs::read("web/package-lock.json").is_ok_and(|now| now != lock) {
        return Err("web/package-lock.json is not in step with web/package.json: commit what npm made of it"
            .to_owned());
    }
    fs::write(mark, lock).map_err(|e| format!("{}: {e}", mark.display()))
}

/// Builds the page; the next build of the server embeds it.
pub fn build() -> Done {
    packages()?;
    npm(&["run", "--silent", "build"])
}

/// The page's types from the server's: with `check`, that those in the repository are these; else they are written.
pub fn types(check: bool) -> Done {
    packages()?;
    let cargo = env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let api = output(&cargo, &["run", "--quiet", "--package", "server", "--example", "openapi"])?;
    fs::create_dir_all("target").map_err(|e| format!("target: {e}"))?;
    fs::write(API, api).map_err(|e| format!("{API}: {e}"))?;
    let made = "target/wire.d.ts";
    npm(&["exec", "--", "openapi-typescript", API, "-o", if check { made } else { TYPES }])?;
    let read = |path: &str| fs::read_to_string(path).map_err(|e| format!("{path}: {e}"));
    if check && read(made)? != read(TYPES)? {
        return Err(format!("{TYPES} is not what the server's types give; cargo xtask types writes it anew"));
    }
    Ok(())
}

/// The page's own checks: types and accessibility of its components.
pub fn check() -> Done {
    packages()?;
    npm(&["run", "--silent", "check"])
}

/// The browser, installed if that can be done here.
fn browser() -> Result<String, String> {
    let find = || {
        BROWSERS.iter().find(|name| {
            let asked =
                Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
            asked.is_ok_and(|s| s.success())
        })
    };
    if let Some(name) = find() {
        return Ok((*name).to_owned());
    }
    let install = ["install", "-y", "--no-install-recommends", "chromium"];
    if run("apt-get", &install).is_err() {
        // A fresh machine may not know any package yet.
        let _ = run("apt-get", &["update"]);
        let _ = run("apt-get", &install);
    }
    find().map(|name| (*name).to_owned()).ok_or_else(|| {
        "the browser tests need Chromium on the PATH, and it could not be installed here; \
         on Debian: apt-get install chromium"
            .to_owned()
    })
}

/// The small suite, where there is a browser or one can be installed. A machine without one (no Debian, no network)
/// can still check everything else: there the suite is left out, and said to be.
pub fn smoke() -> Done {
    match browser() {
        Ok(_) => tests(&["smoke"]),
        Err(why) => {
            eprintln!("xtask: NOT RUN: the browser's smoke tests: {why}");
            build()
        }
    }
}

/// Runs scripts of `web/tests` against a server of their own.
pub fn tests(names: &[&str]) -> Done {
    let browser = browser()?;
    build()?;
    cargo(&["build", "--quiet", "--package", "muster"])?;
    let mut command = Command::new("node");
    command.arg("web/tests/run.mjs").args(names).env("MUSTER_BROWSER", browser);
    eprintln!("xtask: node web/tests/run.mjs {}", names.join(" "));
    let status = command.status().map_err(|e| format!("cannot run node: {e}"))?;
    if status.success() { Ok(()) } else { Err("browser tests failed".to_owned()) }
}

/// Opens the table.
pub fn play(rest: &[&str]) -> Done {
    build()?;
    let mut args = vec!["run", "--quiet", "--package", "muster", "--", "play"];
    args.extend_from_slice(rest);
    cargo(&args)
}
