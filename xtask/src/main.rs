//! Build, run and test tasks: `cargo xtask play`, `cargo xtask test`, and the slower ones by name.
//!
//! Plain Rust and the standard library only, so that it compiles in a second on a fresh machine.

mod web;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs};

const HELP: &str = "\
cargo xtask play [OPTIONS]  set everything up and open the table in the browser (options of `muster play`)
cargo xtask web             build the page that the server embeds
cargo xtask types           write the page's types anew from the server's
cargo xtask browser [NAME]  the long suites in a real browser (web/tests)
cargo xtask shots [DIR]     pictures of the main pages at four sizes, light and dark
cargo xtask demo [SEED]     fight a battle between two shipped armies, and say where its picture is
cargo xtask test            format, lint, all tests, all cases, coverage of the rules (what CI runs)
cargo xtask slow            the long suites: a thousand battles, long fuzzing, all golden records
cargo xtask bench           speed of battles, commands and copies
cargo xtask kill            a server killed a hundred times under play: nothing acknowledged is lost
cargo xtask load [--games N --seconds N --pause MS --looks N]
                            five hundred battles at once on one server: how long commands take
cargo xtask mutants [--sample N --seed N --only WORDS --resume]
                            mutation check: factors and outcomes of hott, and a sample of the rest (installs cargo-mutants)
cargo xtask fuzz [TARGET] [SECONDS]   coverage-guided fuzzing: commands, documents (installs cargo-fuzz if it is not there)
cargo xtask fmt             format everything
";

type Done = Result<(), String>;

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = env::set_current_dir(root()).map_err(|e| format!("cannot enter the project's folder: {e}"));
    let done = done.and_then(|()| match args.as_slice() {
        ["play", rest @ ..] => web::play(rest),
        ["web"] => web::build(),
        ["types"] => web::types(false),
        ["browser", rest @ ..] => web::tests(if rest.is_empty() { &["long"] } else { rest }),
        ["shots", rest @ ..] => shots(rest),
        ["demo", rest @ ..] => demo(rest),
        ["test"] => test(),
        ["slow"] => slow(),
        ["bench"] => cargo(&["bench", "--workspace"]),
        ["kill"] => cargo(&[
            "test",
            "--package",
            "server",
            "--test",
            "table",
            "--",
            "--ignored",
            "--exact",
            "--nocapture",
            "kill::whatever_was_acknowledged_survives_a_hundred_kills",
        ]),
        ["load", rest @ ..] => load(rest),
        ["mutants", rest @ ..] => mutants(rest),
        ["fuzz", rest @ ..] => fuzz(rest),
        ["fmt"] => cargo(&["fmt", "--all"]),
        [] | ["help" | "--help" | "-h"] => {
            print!("{HELP}");
            Ok(())
        }
        other => Err(format!("unknown task: {}\n\n{HELP}", other.join(" "))),
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("xtask: {why}");
            ExitCode::FAILURE
        }
    }
}

/// The project's folder: the parent of this crate's.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

/// Runs a command, showing what it is.
fn run(program: &str, args: &[&str]) -> Done {
    eprintln!("xtask: {program} {}", args.join(" "));
    let status =
        Command::new(program).args(args).status().map_err(|e| format!("cannot run {program}: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("{program} {} failed", args.join(" "))) }
}

/// The cargo that runs this.
fn cargo(args: &[&str]) -> Done {
    run(&env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()), args)
}

fn muster(args: &[&str]) -> Done {
    let mut all = vec!["run", "--quiet", "--package", "muster", "--"];
    all.extend_from_slice(args);
    cargo(&all)
}

/// A battle between two shipped armies; its picture is written and its path printed.
fn demo(rest: &[&str]) -> Done {
    fs::create_dir_all("out").map_err(|e| format!("cannot make the folder out: {e}"))?;
    let seed = rest.first().copied().unwrap_or("1");
    let record = format!("out/battle-{seed}.jsonl");
    let png = format!("out/battle-{seed}.png");
    muster(&[
        "battle",
        "--rules",
        "hott",
        "--side",
        "lunar-empire",
        "--side",
        "pirates",
        "--seed",
        seed,
        "--record",
        &record,
        "--png",
        &png,
        "--force",
    ])
}

/// Pictures of the main pages.
fn shots(rest: &[&str]) -> Done {
    let mut args = vec!["shots"];
    args.extend_from_slice(rest);
    web::tests(&args)
}

/// Everything that must hold before a change lands.
fn test() -> Done {
    cargo(&["fmt", "--all", "--check"])?;
    cargo(&["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"])?;
    cargo(&["test", "--workspace", "--quiet"])?;
    muster(&["case", "run", "cases"])?;
    web::types(true)?;
    web::check()?;
    web::smoke()?;
    for game in ["hott", "big", "heroes", "horde", "campaign"] {
        muster(&["rules", "--coverage", "--rules", game, "--json"]).map_err(|_| {
            format!("some rules of {game} have no case: muster rules --coverage --rules {game}")
        })?;
    }
    Ok(())
}

/// Suites too long for every change. They are ordinary tests, marked as ignored with this command as the reason.
fn slow() -> Done {
    cargo(&["test", "--workspace", "--release", "--quiet", "--", "--ignored", "--nocapture"])
}

/// A server and those who play on it, both built for speed.
fn load(rest: &[&str]) -> Done {
    let mut args = vec!["run", "--release", "--quiet", "--package", "server", "--example", "load", "--"];
    args.extend_from_slice(rest);
    cargo(&args)
}

/// The mutants that `cargo mutants` lists, all built at once behind switches (`mutation/`): a build for each takes days.
fn mutants(rest: &[&str]) -> Done {
    if run("cargo", &["mutants", "--version"]).is_err() {
        cargo(&["install", "cargo-mutants", "--locked"])?;
    }
    let mut args = vec!["run", "--quiet", "--manifest-path", "mutation/Cargo.toml", "--"];
    args.extend_from_slice(rest);
    cargo(&args)
}

/// Runs a fuzz target of `fuzz/` for so many seconds. Without sanitizers, which only a nightly compiler brings:
/// what is looked for is a panic, and safe code needs no more.
fn fuzz(rest: &[&str]) -> Done {
    let cargo = env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    if run(&cargo, &["fuzz", "--version"]).is_err() {
        run(&cargo, &["install", "cargo-fuzz", "--locked"])?;
    }
    let target = rest.first().copied().unwrap_or("commands");
    let seconds = format!("-max_total_time={}", rest.get(1).copied().unwrap_or("300"));
    let args = ["fuzz", "run", "--sanitizer", "none", target, "--", &seconds];
    eprintln!("xtask: cargo {}", args.join(" "));
    let status = Command::new(&cargo)
        .args(args)
        .env("RUSTC_BOOTSTRAP", "1")
        .status()
        .map_err(|e| format!("cannot run cargo fuzz: {e}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("fuzzing {target} found something: see fuzz/artifacts"))
    }
}
