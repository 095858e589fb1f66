//! `muster campaign`: the umpire's desk, one folder a campaign.

use crate::campaign_fight::Computers;
use crate::campaign_press::Printer;
use crate::campaign_time::Wall;
use crate::games;
use crate::out::{self, Done, Verdict};
use crate::paper::PaperSize;
use campaign::Hand;
use campaign::Rules;
use campaign::cli::{self, Auto, Clock, Format, Mend, Out, Ran, Sent};
use campaign::order::SetState;
use clap::{Args, Subcommand, ValueEnum};
use commander::hott::Level;
use dice::Key;
use game::{Problem, Problems};
use std::path::PathBuf;

/// Run a map campaign: orders in, a season adjudicated, letters out.
#[derive(Debug, Args)]
pub struct CampaignCmd {
    #[command(subcommand)]
    verb: CampaignVerb,
    #[command(flatten)]
    common: CampaignArgs,
}

/// What every command of a campaign takes, wherever it stands on the line.
#[derive(Debug, Clone, Args)]
struct CampaignArgs {
    /// Of a PDF: the sheet of paper.
    #[arg(long, value_enum, default_value = "a4", global = true)]
    paper: PaperSize,
    /// An edition of the rules.
    #[arg(long, value_name = "NAME", global = true)]
    preset: Option<String>,
    /// A file of house rules (TOML).
    #[arg(long, value_name = "FILE", global = true)]
    rules_file: Option<PathBuf>,
    /// One option: campaign.calamities=off (may be given several times).
    #[arg(long = "set", value_name = "KEY=VALUE", global = true)]
    sets: Vec<String>,
    /// One JSON document on standard output, nothing else there.
    #[arg(long, global = true)]
    json: bool,
    /// The seed of the dice.
    #[arg(long, value_name = "N", global = true)]
    seed: Option<u64>,
}

#[derive(Debug, Subcommand)]
enum CampaignVerb {
    /// Start a campaign in a new folder.
    New {
        /// The folder.
        dir: PathBuf,
        /// A shipped map, a folder with map.toml, or seed:N:NATIONS.
        #[arg(long)]
        map: String,
        /// Seasons wait for the umpire.
        #[arg(long)]
        umpire: bool,
    },
    /// Whether a map and its nations can be played.
    Check {
        /// A shipped map, a folder with map.toml, or seed:N:NATIONS.
        map: String,
    },
    /// Take a nation's orders from a file (`-` for standard input) and print the receipt.
    Orders {
        /// The campaign.
        dir: PathBuf,
        /// The nation.
        nation: String,
        /// The file; left out with --computer.
        file: Option<PathBuf>,
        /// Only a draft: it counts for nothing yet.
        #[arg(long)]
        draft: bool,
        /// The nation has nothing to add: the set is confirmed at once.
        #[arg(long, conflicts_with = "draft")]
        confirm: bool,
        /// Entered by the umpire for a player who telephoned or wrote on paper.
        #[arg(long)]
        by_umpire: bool,
        /// When it was sent: seconds since 1970, or any count that grows.
        #[arg(long, value_name = "N")]
        sent: Option<i64>,
        /// Print the orders that the computer would give instead.
        #[arg(long, conflicts_with = "file")]
        computer: bool,
    },
    /// The order form of a nation, to fill in and send back.
    Form {
        /// The campaign.
        dir: PathBuf,
        /// The nation.
        nation: String,
        /// As text, as a page, or as a PDF with --output.
        #[arg(long, value_enum, default_value = "text")]
        format: FormPage,
        /// Write it into a file instead.
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Who is missing, and what is waited for.
    Status {
        /// The campaign.
        dir: PathBuf,
    },
    /// The pack of a battle: all that its players need.
    Pack {
        /// The campaign.
        dir: PathBuf,
        /// The battle.
        battle: String,
        /// For one side only, without the other's secrets.
        #[arg(long, value_name = "NATION")]
        side: Option<String>,
        /// Write it as PDF into a file.
        #[arg(long, value_name = "FILE")]
        pdf: Option<PathBuf>,
    },
    /// Enter the result of a battle.
    Result {
        /// The campaign.
        dir: PathBuf,
        /// The battle.
        battle: String,
        /// The result form, filled in.
        file: PathBuf,
    },
    /// Adjudicate the season, up to the battles that are to be fought.
    Adjudicate {
        /// The campaign.
        dir: PathBuf,
        /// The computer fights the battles at the table, on their real set-up; the records stand in DIR/battles.
        #[arg(long)]
        auto: bool,
        /// The battles are reckoned up by a few dice instead of fought.
        #[arg(long, conflicts_with = "auto")]
        quick: bool,
        /// How well the computer fights: random, march or steady.
        #[arg(long, value_name = "LEVEL", default_value = "steady")]
        player: String,
        /// Show what would come of it, and change nothing.
        #[arg(long)]
        preview: bool,
    },
    /// Rule: overrule a result with a reason.
    Rule {
        /// The campaign.
        dir: PathBuf,
        /// The ruling.
        text: String,
        /// Take the last adjudication back, rule, and run the season again with all other dice the same.
        #[arg(long)]
        again: bool,
        /// With --again: only show which letters would change, and how.
        #[arg(long, requires = "again")]
        preview: bool,
    },
    /// A misread order put right: the last season runs again with these orders, all other dice the same.
    Correct {
        /// The campaign.
        dir: PathBuf,
        /// The nation.
        nation: String,
        /// Its orders as they should have been read; they replace its sets.
        file: PathBuf,
        /// Only show which letters would change, and how.
        #[arg(long)]
        preview: bool,
    },
    /// The nation has nothing to add to its orders.
    Confirm {
        /// The campaign.
        dir: PathBuf,
        /// The nation.
        nation: String,
    },
    /// A paragraph or rumour of your own in the letters at hand; an empty text takes your paragraphs there away.
    Say {
        /// The campaign.
        dir: PathBuf,
        /// The text.
        text: String,
        /// In whose letter; left out: the gazette.
        #[arg(long, value_name = "NATION")]
        to: Option<String>,
    },
    /// Pass on a note from a nation (or `umpire`) to another.
    Note {
        /// The campaign.
        dir: PathBuf,
        /// From whom: a nation, or umpire.
        from: String,
        /// To whom.
        to: String,
        /// The text.
        text: String,
        /// Without the sender's name.
        #[arg(long)]
        anonymous: bool,
        /// With the season's letters, not at once.
        #[arg(long)]
        later: bool,
    },
    /// Your private notes: write one down, or read them all.
    Memo {
        /// The campaign.
        dir: PathBuf,
        /// The note; left out: all are shown.
        text: Option<String>,
    },
    /// Pass a nation to a new player, a delegate or the computer, and back.
    Hand {
        /// The campaign.
        dir: PathBuf,
        /// The nation.
        nation: String,
        /// player, delegate or computer.
        #[arg(value_enum)]
        to: HandTo,
    },
    /// Keep what is adjudicated on your desk until you publish it, or let it out at once.
    Hold {
        /// The campaign.
        dir: PathBuf,
        /// on or off.
        #[arg(value_enum, default_value = "on")]
        on: Switch,
    },
    /// Send out: writes the letters (and battle packs) into DIR; what went out before goes again only if corrected.
    Publish {
        /// The campaign.
        dir: PathBuf,
    },
    /// Set when orders are due: "2026-12-20 20:00 Europe/Vienna" (UTC without a zone), or none.
    Deadline {
        /// The campaign.
        dir: PathBuf,
        /// When.
        when: String,
    },
    /// Set the time zone in which a player's dates are written: Europe/Vienna, America/New_York.
    Zone {
        /// The campaign.
        dir: PathBuf,
        /// The nation.
        nation: String,
        /// The zone.
        zone: String,
    },
    /// Set, or extend, the date until which a battle is to be fought.
    Date {
        /// The campaign.
        dir: PathBuf,
        /// The battle.
        battle: String,
        /// When.
        when: String,
    },
    /// Call a battle undecided that nobody came to fight.
    Undecided {
        /// The campaign.
        dir: PathBuf,
        /// The battle.
        battle: String,
    },
    /// Play whole campaigns of computer nations and check every invariant.
    Soak(crate::campaign_soak::Soak),
    /// A nation's letter, or the gazette.
    Report {
        /// The campaign.
        dir: PathBuf,
        /// The nation; left out: the gazette.
        nation: Option<String>,
        /// How it is written; a PDF needs --output.
        #[arg(long, value_enum, default_value = "markdown")]
        format: Page,
        /// Write it into a file instead.
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
        /// A paragraph of the umpire's own.
        #[arg(long, default_value = "")]
        paragraph: String,
        /// Every letter so far, season by season, for whoever takes a nation over (as Markdown).
        #[arg(long, conflicts_with_all = ["format", "paragraph"])]
        all: bool,
    },
    /// The map as SVG, PNG or PDF: the umpire's, a nation's, or one for the wall.
    Map {
        /// The campaign.
        dir: PathBuf,
        /// The nation.
        nation: Option<String>,
        /// Write it as PNG into a file.
        #[arg(long, value_name = "FILE")]
        png: Option<PathBuf>,
        /// Write it as SVG into a file.
        #[arg(long, value_name = "FILE")]
        svg: Option<PathBuf>,
        /// Write it as PDF into a file.
        #[arg(long, value_name = "FILE")]
        pdf: Option<PathBuf>,
        /// The map that all may see, for the wall: nothing is in it that some nation does not know.
        #[arg(long, conflicts_with = "nation")]
        wall: bool,
    },
    /// The campaign told season by season with a map each: FILE.html is one page, FILE.md text with maps beside it.
    Chronicle {
        /// The campaign.
        dir: PathBuf,
        /// As this nation knows it; left out: as all know it.
        nation: Option<String>,
        /// With everything on the maps, for when it is over.
        #[arg(long, conflicts_with = "nation")]
        umpire: bool,
        /// Where to write it.
        #[arg(long, short, value_name = "FILE")]
        output: PathBuf,
        /// Overwrite files that exist.
        #[arg(long)]
        force: bool,
    },
    /// Every command of the campaign, with its line.
    History {
        /// The campaign.
        dir: PathBuf,
    },
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Page {
    Markdown,
    Html,
    Pdf,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum FormPage {
    Text,
    Html,
    Pdf,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum HandTo {
    Player,
    Delegate,
    Computer,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Switch {
    On,
    Off,
}

impl CampaignCmd {
    /// Runs it.
    pub fn run(self) -> Done {
        let common = self.common;
        let ran = match self.verb {
            CampaignVerb::New { dir, map, umpire } => {
                let seed = common.seed.unwrap_or_else(crate::battle_cmd::any_seed);
                cli::new(&dir, &map, rules(&common)?, &Key::from_seed(seed), umpire)
            }
            CampaignVerb::Check { map } => cli::check(&map, &rules(&common)?),
            CampaignVerb::Orders { dir, nation, computer: true, .. } => cli::computer_orders(&dir, &nation),
            CampaignVerb::Orders { dir, nation, file, draft, confirm, by_umpire, sent, computer: false } => {
                let text = out::read_any(&file.unwrap_or_else(|| PathBuf::from("-")))?;
                let now = Wall.now();
                let state = match (draft, confirm) {
                    (true, _) => SetState::Draft,
                    (_, true) => SetState::Confirmed,
                    _ => SetState::Submitted,
                };
                cli::orders(
                    &dir,
                    &nation,
                    &text,
                    Sent { sent: sent.unwrap_or(now), received: now, state, by_umpire },
                )
            }
            CampaignVerb::Form { dir, nation, format, output } => {
                let form = cli::form(&dir, &nation)?;
                let head = form.text.lines().next().unwrap_or_default();
                let title = head.trim_start_matches("# ").to_owned();
                match format {
                    FormPage::Text => written(form, output),
                    FormPage::Html => {
                        let text = campaign::report::form_html(&title, &form.text);
                        written(Out { text, ..form }, output)
                    }
                    FormPage::Pdf => {
                        return put(
                            output,
                            &crate::campaign_press::plain(
                                &title,
                                &campaign::report::form_page(&form.text),
                                common.paper,
                            )?,
                        );
                    }
                }
            }
            CampaignVerb::Status { dir } => cli::status(&dir, &Wall),
            CampaignVerb::Pack { dir, battle, side, pdf } => {
                let pack = cli::pack(&dir, &battle, side.as_deref())?;
                let Some(path) = pdf else { return say(Ok(pack), common.json) };
                let form = pack.json["page"].as_str().unwrap_or("");
                let sheets: Vec<&str> = pack.json["sheets"]
                    .as_object()
                    .into_iter()
                    .flatten()
                    .filter_map(|(_, s)| s.as_str())
                    .collect();
                let text = format!("{}\n{}", sheets.join("\n"), if side.is_none() { form } else { "" });
                let page = crate::campaign_press::sheets(&battle, &text, common.paper)?;
                return put(Some(path), &page);
            }
            CampaignVerb::Result { dir, battle, file } => {
                cli::result(&dir, &battle, &file.display().to_string(), &out::read(&file)?)
            }
            CampaignVerb::Adjudicate { dir, auto, quick, player, preview } => {
                let mut computers = computers(&player)?;
                let auto = match (auto, quick) {
                    (true, _) => Auto::Fight(&mut computers),
                    (_, true) => Auto::Reckon,
                    _ => Auto::Wait,
                };
                cli::adjudicate(&dir, auto, preview)
            }
            CampaignVerb::Rule { dir, text, again: false, .. } => cli::rule(&dir, &text),
            CampaignVerb::Rule { dir, text, again: true, preview } => {
                cli::again(&dir, Mend::Rule(&text), Some(&mut computers("steady")?), !preview)
            }
            CampaignVerb::Correct { dir, nation, file, preview } => {
                let text = out::read_any(&file)?;
                cli::again(&dir, Mend::Orders(&nation, &text), Some(&mut computers("steady")?), !preview)
            }
            CampaignVerb::Confirm { dir, nation } => cli::confirm(&dir, &nation),
            CampaignVerb::Say { dir, text, to } => cli::say(&dir, to.as_deref(), &text),
            CampaignVerb::Note { dir, from, to, text, anonymous, later } => {
                cli::send_note(&dir, &from, &to, &text, (anonymous, later))
            }
            CampaignVerb::Memo { dir, text } => cli::memo(&dir, text.as_deref()),
            CampaignVerb::Hand { dir, nation, to } => {
                let to = match to {
                    HandTo::Player => Hand::Player,
                    HandTo::Delegate => Hand::Delegate,
                    HandTo::Computer => Hand::Computer,
                };
                cli::hand(&dir, &nation, to)
            }
            CampaignVerb::Hold { dir, on } => cli::hold(&dir, on == Switch::On),
            CampaignVerb::Publish { dir } => cli::publish(&dir, Some(&mut Printer { paper: common.paper })),
            CampaignVerb::Deadline { dir, when } => {
                let none = when.eq_ignore_ascii_case("none");
                cli::deadline(&dir, if none { None } else { Some(date(&when)?) }, &Wall)
            }
            CampaignVerb::Zone { dir, nation, zone } => {
                crate::campaign_time::zone(&zone)?;
                cli::zone(&dir, &nation, &zone)
            }
            CampaignVerb::Date { dir, battle, when } => {
                date(&when)?;
                cli::date(&dir, &battle, &when)
            }
            CampaignVerb::Undecided { dir, battle } => cli::undecided(&dir, &battle),
            CampaignVerb::Soak(soak) => {
                let rules = rules(&common)?;
                return soak.run(&rules, common.seed.unwrap_or(0), common.json);
            }
            CampaignVerb::Report { dir, nation, output, all: true, .. } => {
                written(cli::letters(&dir, nation.as_deref())?, output)
            }
            CampaignVerb::Report { dir, nation, format, output, paragraph, all: false } => {
                let format = match format {
                    Page::Markdown => Format::Markdown,
                    Page::Html => Format::Html,
                    Page::Pdf => {
                        let page = cli::paper(&dir, nation.as_deref(), &paragraph)?;
                        let bytes =
                            crate::campaign_press::pdf(&page.title, &page.markdown, &page.map, common.paper)?;
                        return put(output, &bytes);
                    }
                };
                written(cli::report(&dir, nation.as_deref(), format, &paragraph)?, output)
            }
            CampaignVerb::Map { dir, nation, png, svg, pdf, wall } => {
                let map = if wall { cli::wall(&dir)? } else { cli::map(&dir, nation.as_deref())? };
                if let Some(path) = &pdf {
                    let title = map.json["title"].as_str().unwrap_or("Map");
                    let page = crate::paper::campaign_map(title, &map.text, common.paper)?;
                    out::write(path, &page, true)?;
                }
                if let Some(path) = &png {
                    out::write(path, &crate::campaign_press::png(&map.text)?, true)?;
                }
                if (png.is_some() || pdf.is_some()) && svg.is_none() {
                    return Ok(Verdict::Yes);
                }
                written(map, svg)
            }
            CampaignVerb::Chronicle { dir, nation, umpire, output, force } => {
                let folder = campaign::store::Folder::open(&dir)?;
                let reader = match nation {
                    Some(word) => campaign::Reader::Nation(cli::nation_of(&folder, &word)?),
                    None if umpire => campaign::Reader::Umpire,
                    None => campaign::Reader::Public,
                };
                for path in crate::chronicle::write(&output, &folder.table, reader, force)? {
                    out::line(&format!("written: {}", path.display()));
                }
                return Ok(Verdict::Yes);
            }
            CampaignVerb::History { dir } => cli::history(&dir),
        };
        say(ran, common.json)
    }
}

/// What would be printed goes into a file where one is named.
fn written(said: Out, file: Option<PathBuf>) -> Ran {
    match file {
        None => Ok(said),
        Some(path) => {
            out::write(&path, said.text.as_bytes(), true)?;
            Ok(Out { text: format!("written: {}\n", path.display()), ..said })
        }
    }
}

/// A file that is no text, so it needs a name.
fn put(file: Option<PathBuf>, bytes: &[u8]) -> Done {
    let Some(path) = file else {
        return Err(vec![Problem::new("a PDF goes into a file").hint("add --output letter.pdf")]);
    };
    out::write(&path, bytes, true)?;
    out::line(&format!("written: {}", path.display()));
    Ok(Verdict::Yes)
}

fn say(ran: Ran, as_json: bool) -> Done {
    let said = ran?;
    if as_json {
        out::json(&said.json);
    } else {
        out::print(&said.text);
    }
    Ok(if said.yes { Verdict::Yes } else { Verdict::No })
}

/// Computer players of a level for campaign battles.
fn computers(level: &str) -> Result<Computers, Problems> {
    let level = Level::named(level).ok_or_else(|| {
        vec![Problem::new(format!("unknown player: {level}")).meant(level, Level::ALL.map(Level::name))]
    })?;
    Ok(Computers { level, rules: battle_rules()?, record: true })
}

/// The rules of the table on which campaign battles are fought.
pub fn battle_rules() -> Result<serde_json::Value, Problems> {
    games::named("hott")?.rules_from(None, None, &[])
}

fn date(text: &str) -> Result<i64, Problems> {
    Wall.read(text).ok_or_else(|| {
        vec![
            Problem::new(format!("{text:?} is no date that I can read"))
                .hint("2026-12-20, \"2026-12-20 20:00\", or \"2026-12-20 20:00 Europe/Vienna\""),
        ]
    })
}

/// The rules that a new campaign is played under.
fn rules(common: &CampaignArgs) -> Result<Rules, Problems> {
    let sets = games::pairs(&common.sets)?;
    let file = match &common.rules_file {
        None => None,
        Some(path) => Some((path.display().to_string(), out::read(path)?)),
    };
    let file = file.as_ref().map(|(name, text)| (name.as_str(), text.as_str()));
    Rules::layered(common.preset.as_deref(), file, &sets)
}
