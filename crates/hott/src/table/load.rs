//! From the rules in force to checked tables.

use std::collections::BTreeMap;

use rulebook::{
    Effective, Limit, Node, Origin, Problem, RulesError, RulesErrors, Tree, Value, nearest_names,
};

use super::data::{RawFile, RawType, SHIPPED_NAME};
use super::numbers::{NumberNote, Numbers, UNITS, Unit};
use super::options::{BigOptions, Options, Shape};
use super::outcome::Outcomes;
use super::tables::{Column, FactorSets, Scope, ShootBounds, Shooting, Tables, TroopData, TypeSet};
use super::{Class, TroopType};

/// Bounds of the type table: what a house rule may still be meant to say.
const LIMITS: [Limit; 11] = [
    limit("hott.types.*.ap", "a cost in AP", 0, 24),
    limit("hott.types.*.road", "a move", 0, 5_000),
    limit("hott.types.*.road_in_bad", "a move", 0, 5_000),
    limit("hott.types.*.good", "a move", 0, 5_000),
    limit("hott.types.*.bad", "a move", 0, 5_000),
    limit("hott.types.*.water", "a move", 0, 5_000),
    limit("hott.types.*.cf_foot", "a factor", -9, 9),
    limit("hott.types.*.cf_mounted", "a factor", -9, 9),
    limit("hott.types.*.shoots_range", "a range", 0, 5_000),
    limit("hott.types.*.depth_mm15", "a depth", 0, 200),
    limit("hott.types.*.depth_mm25", "a depth", 0, 200),
];

const fn limit(path: &'static str, what: &'static str, min: i64, max: i64) -> Limit {
    Limit { path, what, min, max }
}

/// The key of a type in the table file: its name without spaces.
pub(super) fn key(ty: TroopType) -> String {
    ty.name().replace(' ', "")
}

/// What checking needs at hand: the tree for the places of errors, classes and options for conditions.
pub(super) struct Source<'a> {
    tree: &'a Tree,
    classes: [Class; TroopType::COUNT],
    options: Options,
    pub(super) big: BigOptions,
}

impl Source<'_> {
    fn error(&self, path: &str, problem: Problem) -> RulesError {
        let path = format!("hott.{path}");
        RulesError::new(origin(self.tree, &path), &path, problem)
    }

    /// Something that must be there is not.
    pub(super) fn missing(&self, path: &str) -> RulesError {
        self.error(path, Problem::Missing)
    }

    /// A word outside its closed vocabulary.
    pub(super) fn word(&self, path: &str, given: &str, allowed: &[&str]) -> RulesError {
        let nearest = nearest_names(given, allowed.iter().copied());
        let problem = Problem::WrongValue { given: given.to_owned(), allowed: allowed.join(", "), nearest };
        self.error(path, problem)
    }

    /// A set of types, written as codes, names and class words ("ground" is Mounted or Foot).
    pub(super) fn types(&self, path: &str, names: &[String]) -> Result<TypeSet, RulesError> {
        let mut set = 0;
        for name in names {
            let ty = TroopType::parse(name);
            let wanted = |t: TroopType| {
                let class = self.classes[t.index()];
                ty == Some(t)
                    || Class::from_word(name) == Some(class)
                    || name == "ground" && class.is_ground()
            };
            let found = TroopType::ALL.into_iter().filter(|t| wanted(*t));
            let bits = found.fold(0, |bits, t| bits | 1 << t.index());
            if bits == 0 {
                let mut known: Vec<&str> = TroopType::ALL.into_iter().map(TroopType::code).collect();
                known.extend(["ground", "aerial", "mounted", "foot", "stronghold"]);
                return Err(self.word(path, name, &known));
            }
            set |= bits;
        }
        Ok(TypeSet(set))
    }

    /// Whether an option has a value; an error if either does not exist.
    pub(super) fn option_is(&self, path: &str, option: &str, value: &str) -> Result<bool, RulesError> {
        let mut shapes = Options::SHAPES.iter().chain(BigOptions::SHAPES);
        let words = match shapes.clone().find(|(k, _)| *k == option) {
            None => {
                let known: Vec<&str> = shapes.by_ref().map(|(k, _)| *k).collect();
                return Err(self.word(&format!("{path}.option"), option, &known));
            }
            Some((_, Shape::Words(words))) => *words,
            Some((_, Shape::Switch(_))) => &["true", "false"],
            Some((_, Shape::Amount(_))) => &[],
        };
        if !words.contains(&value) {
            return Err(self.word(&format!("{path}.is"), value, words));
        }
        let now = self.options.get(option).or_else(|| self.big.get(option));
        Ok(now.is_some_and(|v| v.to_string() == value))
    }
}

fn origin(tree: &Tree, path: &str) -> Origin {
    // the nearest part of the path that was written
    let mut path = path;
    loop {
        match (tree.at(path), path.rsplit_once('.')) {
            (Some(node), _) => return node.origin().clone(),
            (None, Some((head, _))) => path = head,
            (None, None) => return tree.root().origin().clone(),
        }
    }
}

fn is_shipped(node: &Node) -> bool {
    matches!(node.origin(), Origin::File(name, ..) if &**name == SHIPPED_NAME)
}

/// Works into the tables what the options change, wherever the shipped value still stands.
pub(super) fn resolved(rules: &Effective) -> Result<Tree, RulesErrors> {
    let mut tree = rules.tables().clone();
    let file: RawFile = tree.read("hott")?;
    for variant in &file.variant {
        let now = rules.get(&variant.option).map(Value::to_string);
        if now.as_deref() != Some(variant.is.as_str()) {
            continue;
        }
        let mut lines = String::new();
        flatten("", &variant.set, &mut |path, value| {
            if tree.at(&format!("hott.{path}")).is_some_and(is_shipped) {
                lines.push_str(&format!("{path} = {value}\n"));
            }
        });
        let name = format!("{} = {}", variant.option, variant.is);
        let over = Tree::parse(&name, &lines)?;
        tree.overlay(&over.under("hott"), &[])?;
    }
    Ok(tree)
}

/// Pairs of settings of which the first may not be more than the second (0 of an option leaves it to the rules).
const ORDERED: [(&str, &str); 8] = [
    ("hott.number.stronghold_min_bw", "hott.number.stronghold_width_bw"),
    ("hott.number.stronghold_min_bw", "hott.number.stronghold_depth_bw"),
    ("hott.number.stronghold_width_bw", "hott.number.stronghold_max_bw"),
    ("hott.number.stronghold_depth_bw", "hott.number.stronghold_max_bw"),
    ("hott.number.bad_features_min", "hott.number.features_min"),
    ("hott.number.command_reach_unseen", "hott.number.command_reach"),
    ("hott.number.command_ap_min", "hott.number.command_ap_max"),
    ("big.ap_per_command_min", "big.ap_per_command_max"),
];

/// Settings that exclude each other.
fn contradictions(rules: &Effective, tree: &Tree) -> Vec<RulesError> {
    let value = |key: &str| {
        let number = tree.at(key).and_then(Node::as_int);
        number.or_else(|| Some(rules.int(key)).filter(|n| rules.get(key).is_some() && *n > 0))
    };
    let wrong = |(low, high): &(&str, &str)| {
        let (least, most) = (value(low)?, value(high)?);
        let why = || format!("{least} is more than {most}; the first may be at most the second");
        // Told where somebody wrote it.
        let shipped = |key: &str| tree.at(key).is_some_and(is_shipped);
        let (one, other) = if shipped(low) { (high, low) } else { (low, high) };
        (least > most).then(|| rules.contradiction(one, other, &why()))
    };
    ORDERED.iter().filter_map(wrong).collect()
}

fn flatten(path: &str, table: &toml::Table, take: &mut impl FnMut(&str, &toml::Value)) {
    for (k, v) in table {
        let path = if path.is_empty() { k.clone() } else { format!("{path}.{k}") };
        match v {
            toml::Value::Table(t) => flatten(&path, t, take),
            v => take(&path, v),
        }
    }
}

/// Makes the checked tables.
pub(super) fn load(scope: Scope, rules: &Effective) -> Result<Tables, RulesErrors> {
    let tree = resolved(rules)?;
    let file: RawFile = tree.read("hott")?;
    let mut wrong = tree.check(&LIMITS).err().map_or_else(Vec::new, |e| e.list().to_vec());
    wrong.extend(number_limits(&tree, &file));
    RulesErrors::check(wrong)?;
    RulesErrors::check(contradictions(rules, &tree))?;
    let options = Options::read(rules)?;
    let big = BigOptions::read(rules)?;
    let mut source = Source { tree: &tree, classes: [Class::Foot; TroopType::COUNT], options, big };
    source.classes = classes(&file, &source)?;
    let (numbers, number_notes) = numbers(&file, &source)?;
    let mut errors = Vec::new();
    unknown_names(&file, &source, &mut errors);
    RulesErrors::check(errors)?;
    let mut troops = Vec::new();
    for ty in TroopType::ALL {
        troops.push(troop(ty, &file, scope, &numbers, &source)?);
    }
    let sets = sets(&file, &source)?;
    let outcomes = Outcomes::expand(&file, &source)?;
    let whole = |_| RulesErrors::from(source.missing("types"));
    let troops = <[TroopData; TroopType::COUNT]>::try_from(troops).map_err(whole)?;
    Ok(Tables { scope, options, big, numbers, troops, number_notes, sets, outcomes })
}

fn raw(file: &RawFile, ty: TroopType) -> Option<&RawType> {
    file.types.get(&key(ty))
}

fn classes(file: &RawFile, source: &Source<'_>) -> Result<[Class; TroopType::COUNT], RulesError> {
    let mut classes = source.classes;
    for ty in TroopType::ALL {
        let path = format!("types.{}", key(ty));
        let word = &raw(file, ty).ok_or_else(|| source.missing(&path))?.class;
        classes[ty.index()] = Class::from_word(word)
            .ok_or_else(|| source.word(&format!("{path}.class"), word, &Class::WORDS.map(|(_, w)| w)))?;
    }
    Ok(classes)
}

/// Names in the tables that nothing looks up: misspelt ones, for a house rule cannot add any.
fn unknown_names(file: &RawFile, source: &Source<'_>, errors: &mut Vec<RulesError>) {
    let keys: Vec<String> = TroopType::ALL.into_iter().map(key).collect();
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    let mut check = |table: &str, names: Vec<&String>, known: &[&str]| {
        for name in names.into_iter().filter(|n| !known.contains(&n.as_str())) {
            errors.push(source.word(&format!("{table}.{name}"), name, known));
        }
    };
    check("types", file.types.keys().collect(), &keys);
    check("outcome", file.outcome.keys().collect(), &keys);
    check("number", file.number.keys().collect(), Numbers::NAMES);
    check("number_note", file.number_note.keys().collect(), Numbers::NAMES);
}

/// The numbers that are outside the bounds of what they count.
fn number_limits(tree: &Tree, file: &RawFile) -> Vec<RulesError> {
    let wrong = |(name, given): (&String, &i64)| {
        let note = file.number_note.get(name)?;
        let Unit { what, min, max, .. } = UNITS.into_iter().find(|u| u.word == note.unit)?;
        let path = format!("hott.number.{name}");
        let problem = Problem::OutOfRange { what, given: *given, min, max };
        (!(min..=max).contains(given)).then(|| RulesError::new(origin(tree, &path), &path, problem))
    };
    file.number.iter().filter_map(wrong).collect()
}

fn numbers(file: &RawFile, source: &Source<'_>) -> Result<(Numbers, Vec<NumberNote>), RulesError> {
    let mut notes = Vec::new();
    let numbers = Numbers::read(|name| {
        let path = format!("number.{name}");
        let note_path = format!("number_note.{name}");
        let note = file.number_note.get(name).ok_or_else(|| source.missing(&note_path))?;
        let unit = UNITS
            .into_iter()
            .find(|u| u.word == note.unit)
            .ok_or_else(|| source.word(&format!("{note_path}.unit"), &note.unit, &UNITS.map(|u| u.word)))?;
        notes.push(NumberNote { name, rule: note.rule, unit });
        let given = *file.number.get(name).ok_or_else(|| source.missing(&path))?;
        let Unit { what, min, max, .. } = unit;
        let out = || source.error(&path, Problem::OutOfRange { what, given, min, max });
        if (min..=max).contains(&given) { i32::try_from(given).map_err(|_| out()) } else { Err(out()) }
    })?;
    Ok((numbers, notes))
}

fn troop(
    ty: TroopType,
    file: &RawFile,
    scope: Scope,
    numbers: &Numbers,
    source: &Source<'_>,
) -> Result<TroopData, RulesError> {
    let path = format!("types.{}", key(ty));
    let raw = raw(file, ty).ok_or_else(|| source.missing(&path))?;
    // `LIMITS` has checked the bounds; what is left of a wider value is its place in i32
    let int = |v: i64| i32::try_from(v).unwrap_or_default();
    let mut moves = [raw.road, raw.road_in_bad, raw.good, raw.bad, raw.water].map(int);
    if scope == Scope::Big && ty == TroopType::Rid {
        moves[Column::Good as usize] = numbers.big_rider_good; // BB-008
    }
    let bounds = match raw.shoots_in.as_str() {
        "both" => ShootBounds::Both,
        "own" => ShootBounds::Own,
        other => return Err(source.word(&format!("{path}.shoots_in"), other, &["both", "own"])),
    };
    let shooting = Shooting { range: int(raw.shoots_range), bounds, if_armed: raw.arms.is_some() };
    Ok(TroopData {
        ty,
        rule: raw.rule,
        class: source.classes[ty.index()],
        ap: int(raw.ap),
        general: raw.general,
        moves,
        cf: [raw.cf_foot, raw.cf_mounted].map(int),
        pursues: raw.pursues,
        bespells: raw.bespells,
        shoots: (shooting.range > 0).then_some(shooting),
        depth_mm: [raw.depth_mm15, raw.depth_mm25].map(int),
        big: raw.big,
        arms: raw.arms,
    })
}

fn sets(file: &RawFile, source: &Source<'_>) -> Result<FactorSets, RulesError> {
    let f = &file.factor;
    let lists: BTreeMap<&str, &Vec<String>> = BTreeMap::from([
        ("rank_support", &f.rank_support),
        ("scout_support", &f.scout_support),
        ("scout_against", &f.scout_against),
        ("at_home", &f.at_home),
        ("needs_open_enemy", &f.needs_open_enemy),
        ("hampers_all", &f.hampers_all),
        ("stronghold_protects", &f.stronghold_protects),
        ("strike_back", &f.strike_back),
        ("fear_sneakers", &f.fear_sneakers),
    ]);
    let read = |name: &str| {
        let names = lists.get(name).map_or(&[][..], |l| l.as_slice());
        source.types(&format!("factor.{name}"), names)
    };
    let mut equal = Vec::new();
    for (i, pair) in file.equal.iter().enumerate() {
        let one = source.types(&format!("equal.{i}.one"), &pair.one)?;
        equal.push([one, source.types(&format!("equal.{i}.other"), &pair.other)?]);
    }
    Ok(FactorSets {
        rank_support: read("rank_support")?,
        scout_support: read("scout_support")?,
        scout_against: read("scout_against")?,
        at_home: read("at_home")?,
        needs_open_enemy: read("needs_open_enemy")?,
        hampers_all: read("hampers_all")?,
        stronghold_protects: read("stronghold_protects")?,
        strike_back: read("strike_back")?,
        fear_sneakers: read("fear_sneakers")?,
        equal,
    })
}
