//! `muster rules`: print, search, options, coverage.

use crate::out::{self, Done, Verdict};
use crate::{Common, case_cmd, games};
use clap::Args;
use game::Problem;
use rulebook::{Coverage, Family, OptionTable, RuleId, Unobservable};
use serde_json::json;
use std::path::PathBuf;

/// Print a rule, search the rules, list options, or show which rules have cases.
#[derive(Debug, Args)]
pub struct RulesCmd {
    /// Rules to print: HOTT-249, BB-040, HC-026.
    ids: Vec<String>,
    /// Find rules by words.
    #[arg(long, value_name = "WORDS", conflicts_with = "ids")]
    search: Option<String>,
    /// List the named options with default and meaning.
    #[arg(long, conflicts_with_all = ["ids", "search"])]
    options: bool,
    /// For each rule the cases that cite it.
    #[arg(long, conflicts_with_all = ["ids", "search", "options"])]
    coverage: bool,
    /// Where the cases are, for --coverage.
    #[arg(long, value_name = "DIR", default_value = "cases")]
    cases: PathBuf,
    #[command(flatten)]
    common: Common,
}

impl RulesCmd {
    /// Runs it.
    pub fn run(self) -> Done {
        let family = match &self.common.rules.rules {
            None => None,
            Some(name) => Some(Family::named(name).ok_or_else(|| {
                let names = Family::ALL.map(Family::key);
                vec![Problem::new(format!("unknown game: {name}")).meant(name, names)]
            })?),
        };
        if let Some(words) = &self.search {
            return search(words, family, self.common.json);
        }
        if self.options {
            return options(family.unwrap_or(Family::Hott), &self.common);
        }
        if self.coverage {
            return coverage(family.unwrap_or(Family::Hott), &self.cases, self.common.json);
        }
        if self.ids.is_empty() {
            return Err(vec![
                Problem::new("which rule?")
                    .hint("muster rules HOTT-249, or muster rules --search \"threat zone\""),
            ]);
        }
        print_rules(&self.ids, self.common.json)
    }
}

fn print_rules(ids: &[String], as_json: bool) -> Done {
    let read = |id: &String| {
        let upper = id.to_uppercase();
        upper.parse::<RuleId>().map_err(|e| {
            let mut problem = Problem::new(format!("unknown rule: {id}"));
            let nearest = rulebook::nearest(&upper);
            if !nearest.is_empty() {
                let list: Vec<String> = nearest.iter().map(ToString::to_string).collect();
                problem = problem.hint(format!("did you mean {}?", list.join(" or ")));
            } else {
                problem = problem.hint(e.to_string());
            }
            problem
        })
    };
    let (good, bad): (Vec<_>, Vec<_>) = ids.iter().map(read).partition(Result::is_ok);
    if !bad.is_empty() {
        return Err(bad.into_iter().filter_map(Result::err).collect());
    }
    let rules: Vec<RuleId> = good.into_iter().filter_map(Result::ok).collect();
    show(&rules, as_json);
    Ok(Verdict::Yes)
}

fn show(rules: &[RuleId], as_json: bool) {
    if as_json {
        let list: Vec<_> = rules
            .iter()
            .map(|r| json!({ "rule": r.to_string(), "section": r.section(), "text": r.text() }))
            .collect();
        out::json(&json!(list));
        return;
    }
    for rule in rules {
        out::line(&out::wrap(&format!("{rule}  {}\n  {}", rule.section(), rule.text()), 78, 2));
        let options: Vec<_> = Family::ALL
            .iter()
            .flat_map(|f| OptionTable::of(*f).iter())
            .filter(|o| o.rule == *rule || o.also.contains(rule))
            .collect();
        for option in options {
            out::line(&out::wrap(
                &format!("  option {} (default {}): {}", option.key, option.default, option.meaning),
                78,
                4,
            ));
        }
        out::line("");
    }
}

fn search(words: &str, family: Option<Family>, as_json: bool) -> Done {
    let found = RuleId::search(words, family);
    if found.is_empty() {
        if as_json {
            out::json(&json!([]));
        }
        eprintln!("no rule speaks of {words:?}");
        return Ok(Verdict::No);
    }
    show(&found[..found.len().min(12)], as_json);
    if found.len() > 12 && !as_json {
        out::line(&format!("and {} more", found.len() - 12));
    }
    Ok(Verdict::Yes)
}

/// The options with default and meaning; with house rules also what they say, and everything wrong in them.
fn options(family: Family, common: &Common) -> Done {
    let table = OptionTable::of(family);
    let args = &common.rules;
    let house = args.preset.is_some() || args.rules_file.is_some() || !args.sets.is_empty();
    let now = if house {
        let rules = games::rules(games::named(family.key())?, args)?;
        rules.get("options").and_then(|o| o.as_object()).cloned().unwrap_or_default()
    } else {
        serde_json::Map::new()
    };
    if common.json {
        let list: Vec<_> = table
            .iter()
            .map(|option| {
                let mut one = json!(option);
                if let (Some(value), Some(fields)) = (now.get(option.key.as_str()), one.as_object_mut()) {
                    fields.insert("now".to_owned(), value.clone());
                }
                one
            })
            .collect();
        out::json(&json!(list));
        return Ok(Verdict::Yes);
    }
    for option in table.iter() {
        let value =
            now.get(option.key.as_str()).map(|v| v.as_str().map_or_else(|| v.to_string(), str::to_owned));
        let default = option.default.to_string();
        let set = match value {
            Some(value) if value != default => format!("{value}, by default {default}"),
            _ => default,
        };
        out::line(&out::wrap(
            &format!("{} = {set}  ({})\n  {}", option.key, option.rule, option.meaning),
            78,
            2,
        ));
        for value in option.allowed.samples(&option.default) {
            if let Some(meaning) = option.meaning_of(&value) {
                out::line(&out::wrap(&format!("  {value}: {meaning}"), 78, 6));
            }
        }
        if option.allowed.samples(&option.default).iter().all(|v| option.meaning_of(v).is_none()) {
            out::line(&format!("  allowed: {}", option.allowed));
        }
    }
    Ok(Verdict::Yes)
}

fn coverage(family: Family, cases: &std::path::Path, as_json: bool) -> Done {
    let files = case_cmd::files(std::slice::from_ref(&cases.to_path_buf()))?;
    let mut cited = Vec::new();
    let mut problems = Vec::new();
    for file in &files {
        let name = file.display().to_string();
        match case_cmd::read(file).and_then(|case| case.cited().map_err(|p| vec![p.in_file(&name)])) {
            Ok(rules) => cited.push((name, rules)),
            Err(found) => problems.extend(found),
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let unobservable = Unobservable::shipped();
    let covered = Coverage::new(family, &unobservable, cited);
    if as_json {
        out::json(&json!({
            "observable": covered.observable_count(),
            "covered": covered.covered_count(),
            "missing": covered.missing().map(|r| r.to_string()).collect::<Vec<_>>(),
        }));
    } else {
        out::line(&covered.to_string());
    }
    Ok(if covered.complete() { Verdict::Yes } else { Verdict::No })
}
