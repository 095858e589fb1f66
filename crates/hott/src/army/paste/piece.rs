//! One piece of a pasted line: which type it names, how many, and what the rest of it is.

use super::marks::Marks;
use super::token::{Token, key};
use crate::table::TroopType;

/// Words for the general.
const GENERAL: [&str; 11] = [
    "general",
    "generals",
    "gen",
    "genl",
    "gnl",
    "cinc",
    "commander",
    "commanderinchief",
    "leader",
    "warleader",
    "ingen",
];
/// Words for AP.
const AP: [&str; 11] =
    ["ap", "aps", "pt", "pts", "point", "points", "apts", "armypoints", "punkte", "punkt", "pkt"];
/// Words that say nothing.
const FILLER: [&str; 41] = [
    "x",
    "of",
    "the",
    "a",
    "an",
    "element",
    "elements",
    "base",
    "bases",
    "stand",
    "stands",
    "unit",
    "units",
    "each",
    "ea",
    "per",
    "as",
    "including",
    "includes",
    "incl",
    "inc",
    "one",
    "is",
    "at",
    "with",
    "and",
    "are",
    "which",
    "total",
    "totalling",
    "for",
    "my",
    "our",
    "being",
    "them",
    "plus",
    "cost",
    "mit",
    "je",
    "avec",
    "chaque",
];
/// What makes a Hero one who flies.
const AERIAL: [&str; 4] = ["aerial", "aerien", "fliegender", "fliegend"];
/// Where what follows describes the element before it.
const PREPOSITION: [&str; 17] = [
    "on", "with", "riding", "in", "of", "from", "led", "behind", "mounted", "armed", "under", "against",
    "to", "that", "who", "which", "by",
];
const NUMBERS: [(&str, u32); 23] = [
    ("ii", 2),
    ("iii", 3),
    ("iv", 4),
    ("vi", 6),
    ("vii", 7),
    ("viii", 8),
    ("one", 1),
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
    ("eleven", 11),
    ("twelve", 12),
    ("single", 1),
    ("pair", 2),
    ("couple", 2),
    ("a", 1),
    ("an", 1),
];

/// What a piece was read as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Draft {
    pub(super) ty: TroopType,
    /// How many, if it says so beyond doubt.
    pub(super) count: Option<u32>,
    /// A bare number after the type or in brackets: a count, or the cost.
    pub(super) doubtful: Option<u32>,
    /// AP that it states, in halves.
    pub(super) stated: Vec<u32>,
    pub(super) general: bool,
    pub(super) name: Option<String>,
    /// What only lists of big battles say.
    pub(super) marks: Marks,
    /// Nothing in it but type, number, AP and general.
    pub(super) clean: bool,
    /// The type stands by itself: in brackets, on one side of a dash, or with nothing else.
    pub(super) clear: bool,
    /// Words that were not understood.
    pub(super) words: usize,
    /// Numbers that nothing explains.
    pub(super) strays: Vec<u32>,
    /// "Spears 7 (14)": a number and one in brackets behind it, of which either may be the count.
    pub(super) either: Option<(u32, u32)>,
}

/// A type found in tokens: from where, over how many tokens, and whether by an unmistakable name.
#[derive(Clone, Copy, Debug)]
struct Found {
    ty: TroopType,
    at: usize,
    len: usize,
    strong: bool,
}

/// Every type that the tokens name, longest names first at each place. "Aerial" and "water" may stand
/// apart from their Hero and Lurker.
fn types_in(tokens: &[Token]) -> Vec<Found> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let word = |i: usize| match tokens.get(i) {
            Some(Token::Word(w)) => Some(w.as_str()),
            _ => None,
        };
        let Some(first) = word(at) else {
            at += 1;
            continue;
        };
        let two = word(at + 1).map(|second| format!("{first}{second}"));
        let pair = two.as_deref().filter(|t| is_two_words(t)).and_then(TroopType::parse);
        if let Some(ty) = pair {
            found.push(Found { ty, at, len: 2, strong: true });
            at += 2;
        } else {
            if let Some(ty) = TroopType::parse(first).filter(|_| !is_known(&tokens[at])) {
                found.push(Found { ty, at, len: 1, strong: is_strong(first, ty) });
            }
            at += 1;
        }
    }
    let has = |words: &[&str]| {
        let is = |t: &Token| t.is_word(words);
        tokens.iter().any(|t| is(t) || matches!(t, Token::Group(g) if g.iter().any(is)))
    };
    for f in &mut found {
        match f.ty {
            TroopType::Her if has(&AERIAL) => f.ty = TroopType::AHe,
            TroopType::Lrk if has(&["water"]) => f.ty = TroopType::WLk,
            _ => {}
        }
    }
    found
}

/// Two words read together only where the name has two, so that "Blade Spear" stays two types.
fn is_two_words(joined: &str) -> bool {
    let k = key(joined);
    ["aerialhero", "waterlurker", "lighthorse", "flyinghero", "airhero", "flyingboat", "warband", "airboat"]
        .iter()
        .any(|n| k.starts_with(n) && k.len() <= n.len() + 2)
}

/// An unmistakable name: the type's own, singular or plural, or a near form of it of some length.
fn is_strong(word: &str, ty: TroopType) -> bool {
    let k = key(word);
    let own = |n: &str| key(n) == k;
    const RISKY: [&str; 12] = [
        "swords", "sword", "castle", "camp", "fort", "baggage", "cavalry", "priest", "magic", "shot",
        "missile", "airship",
    ];
    own(ty.name())
        || own(ty.plural())
        || (k.len() >= 5 && !RISKY.contains(&k.as_str()))
        || word.len() == 3 && ty.code() == word
}

fn is_known(token: &Token) -> bool {
    matches!(token, Token::Mark(_))
        || is_general(token)
        || token.is_word(&AP)
        || token.is_word(&FILLER)
        || token.is_word(&["elite", "levy"])
}

/// Whether tokens hold nothing but one type, numbers, AP, general and fillers.
fn is_clean(tokens: &[Token]) -> Option<Found> {
    let found = types_in(tokens);
    let [one] = found[..] else { return None };
    let covered = |i: usize| (one.at..one.at + one.len).contains(&i);
    let aside = |t: &Token| {
        t.is_word(&AERIAL) && one.ty == TroopType::AHe || t.is_word(&["water"]) && one.ty == TroopType::WLk
    };
    let plain = |(i, t): (usize, &Token)| {
        covered(i) || aside(t) || is_known(t) || matches!(t, Token::Number { .. } | Token::Sign(_))
    };
    tokens.iter().enumerate().filter(|(_, t)| !matches!(t, Token::Group(_))).all(plain).then_some(one)
}

/// The one type that tokens name, if there is nothing else in them but figures and the like.
pub(super) fn clean_type(tokens: &[Token]) -> Option<TroopType> {
    is_clean(tokens).map(|f| f.ty)
}

/// Every type that tokens name outside brackets: where, over how many tokens, which.
pub(super) fn types_at(tokens: &[Token]) -> Vec<(usize, usize, TroopType)> {
    types_in(tokens).into_iter().map(|f| (f.at, f.len, f.ty)).collect()
}

/// Whether a piece names a type at all, for telling pieces from descriptions.
pub(super) fn names_a_type(tokens: &[Token]) -> bool {
    pick_type(tokens).is_some()
}

/// The type that a piece is about.
struct Picked {
    ty: TroopType,
    /// Where it stands outside brackets.
    place: Option<Found>,
    /// See [`Draft::clear`].
    clear: bool,
}

fn pick_type(tokens: &[Token]) -> Option<Picked> {
    let outside = |f: Found, clear| Some(Picked { ty: f.ty, place: Some(f), clear });
    if let Some(f) = is_clean(tokens) {
        return outside(f, true);
    }
    // a name in brackets behind what its owner calls it: "Red Trolls (Behemoth)"
    let groups = tokens.iter().filter_map(|t| if let Token::Group(g) = t { Some(g) } else { None });
    if let Some(f) = groups.clone().find_map(|g| is_clean(g)) {
        return Some(Picked { ty: f.ty, place: None, clear: true });
    }
    // one side of a dash or colon: "Goblin rabble - Hordes"
    let mut start = 0;
    for end in (0..=tokens.len()).filter(|i| *i == tokens.len() || tokens[*i].is_sign("-:=|,")) {
        if let Some(f) = is_clean(&tokens[start..end]) {
            return outside(Found { at: f.at + start, ..f }, true);
        }
        start = end + 1;
    }
    let found = types_in(tokens);
    // "Hero on Dragon": what stands before the preposition, and of several the last, "Dragon Riders"
    let head = tokens.iter().position(|t| t.is_word(&PREPOSITION)).unwrap_or(tokens.len());
    let strong = || found.iter().filter(|f| f.strong);
    let best = strong().rfind(|f| f.at < head).or_else(|| strong().next());
    if let Some(f) = best {
        return outside(*f, false);
    }
    // an abbreviation counts beside a number only
    let beside = |f: &&Found| {
        let number = |i: Option<usize>| {
            i.and_then(|i| tokens.get(i)).is_some_and(|t| t.number().is_some() || t.is_word(&["x"]))
        };
        number(f.at.checked_sub(1)) || number(Some(f.at + f.len))
    };
    if let Some(f) = found.iter().find(beside) {
        return outside(*f, false);
    }
    let in_group = groups.into_iter().flat_map(|g| types_in(g)).find(|f| f.strong);
    in_group.map(|f| Picked { ty: f.ty, place: None, clear: false })
}

/// Takes the AP out of tokens: "@4AP", "= 8", "(8 pts each)", "AP 4". Gives what is left and the AP.
pub(super) fn take_ap(tokens: &[Token]) -> (Vec<Token>, Vec<u32>) {
    let mut left: Vec<Token> = Vec::new();
    let mut stated = Vec::new();
    let mut i = 0;
    while i < tokens.len() {
        let number = |j: usize| tokens.get(j).and_then(Token::halves);
        let ap = |j: usize| tokens.get(j).is_some_and(|t| t.is_word(&AP));
        let sign = |j: usize, s: &str| tokens.get(j).is_some_and(|t| t.is_sign(s));
        let lead = sign(i, "@=") || tokens[i].is_word(&["at"]) && number(i + 1).is_some();
        if let (true, Some(n)) = (lead, number(i + 1)) {
            stated.push(n);
            i += 2 + usize::from(ap(i + 2));
        } else if let (Some(n), true) = (number(i), ap(i + 1)) {
            stated.push(n);
            i += 2;
        } else if ap(i) {
            let j = i + 1 + usize::from(sign(i + 1, ":="));
            if let Some(n) = number(j).filter(|_| !ap(j + 1)) {
                stated.push(n);
                i = j + 1;
            } else {
                i += 1;
            }
        } else {
            if let Token::Group(g) = &tokens[i] {
                let (inner, mut ap) = take_ap(g);
                stated.append(&mut ap);
                if !inner.is_empty() {
                    left.push(Token::Group(inner));
                }
            } else {
                left.push(tokens[i].clone());
            }
            i += 1;
        }
    }
    (left, stated)
}

/// Whether any word of a piece says "general", and none takes it back ("no general").
fn says_general(tokens: &[Token]) -> bool {
    tokens.iter().enumerate().any(|(i, t)| match t {
        Token::Group(g) => says_general(g) || matches!(&g[..], [one] if one.is_word(&["g"])),
        t => is_general(t) && !(i > 0 && tokens[i - 1].is_word(&["no", "not", "sub", "non"])),
    })
}

/// A word for the general, or "general" misspelt.
fn is_general(token: &Token) -> bool {
    let near = |k: String| {
        (5..=9).contains(&k.len()) && k.starts_with("gen") && strsim::damerau_levenshtein(&k, "general") <= 2
    };
    token.is_word(&GENERAL) || token.key().is_some_and(near)
}

/// Reads one piece; `None` if it names no type.
pub(super) fn read_piece(tokens: &[Token]) -> Option<Draft> {
    // "Shooters: 2 @ 2": what stands before the price is a count, if it is as much as the price.
    let at_price = |w: &[Token]| w[0].number().filter(|_| w[1].is_sign("@"));
    let counted = tokens.windows(2).find_map(at_price);
    let (tokens, stated) = take_ap(tokens);
    let Picked { ty, place, clear } = pick_type(&tokens)?;
    let clean = is_clean(&tokens).is_some();
    let mut numbers: Vec<(usize, u32)> = Vec::new();
    let mut in_groups = Vec::new();
    for (i, t) in tokens.iter().enumerate() {
        match t {
            // "(1 as general)" counts nobody anew
            Token::Group(g) if says_general(g) && group_number(g).is_some_and(|(n, _)| n == 1) => {}
            Token::Group(g) => in_groups.push(group_number(g)),
            t => numbers.extend(t.number().map(|n| (i, n))),
        }
    }
    let is_x = |i: usize| tokens.get(i).is_some_and(|t| t.is_word(&["x"]));
    let times = |at: usize| at > 0 && is_x(at - 1) || is_x(at + 1);
    let by_x = numbers.iter().find(|(at, _)| times(*at)).copied();
    // "Dwarf warriors (Blades) 10": the type stands where its bracket does
    let bracket = |t: &Token| matches!(t, Token::Group(g) if types_in(g).iter().any(|f| f.ty == ty));
    let type_at = place.map(|f| f.at).or_else(|| tokens.iter().position(bracket)).unwrap_or(usize::MAX);
    let before = numbers.iter().find(|(at, _)| *at < type_at).copied();
    let after = numbers.iter().find(|(at, _)| *at > type_at).copied();
    let group_times = in_groups.iter().find_map(|g| if let Some((n, true)) = g { Some(*n) } else { None });
    let group_bare = in_groups.iter().find_map(|g| if let Some((n, false)) = g { Some(*n) } else { None });

    let sure = by_x.or(before);
    let count = sure.map(|(_, n)| n).or(group_times).or_else(|| number_word(&tokens, type_at));
    // "Lurkers (2) ... 2": the bracket counts, the column is the price; the list will say if it fits
    let bracketed = count.is_none() && after.is_some() && group_bare.is_some();
    let count = if bracketed { group_bare } else { count };
    let doubtful = if count.is_some() { None } else { after.map(|(_, n)| n).or(group_bare) };
    let used = sure.or(if count.is_none() { after } else { None });
    let (count, doubtful) =
        if doubtful.is_some() && doubtful == counted { (counted, None) } else { (count, doubtful) };
    // "4x4Bd": the figure before a code says how many figures stand on the base
    let short = place.is_some_and(|f| matches!(&tokens[f.at], Token::Word(w) if w.chars().count() <= 3));
    let figures = |at: usize| {
        short && at >= 2 && is_x(at - 1) && at + 1 == type_at && tokens[at - 2].number().is_some()
    };
    let mut strays: Vec<u32> =
        numbers.iter().filter(|n| used != Some(**n) && !figures(n.0)).map(|(_, n)| *n).collect();
    let either = match (after, group_bare) {
        (Some((at, n)), Some(m)) if bracketed => {
            let behind = |t: &Token| matches!(t, Token::Group(g) if group_number(g) == Some((m, false)));
            tokens[at..].iter().any(behind).then_some((n, m))
        }
        _ => None,
    };
    if count.is_some() && !bracketed {
        // "Five (5) Blades" says it twice
        strays.extend(group_bare.filter(|n| count != Some(*n)));
    }
    let (name, words) = leftover(&tokens, place);
    let marks = Marks::of(&tokens, type_at);
    let (count, doubtful) = match marks.partly {
        // "Blades (2 elite)"
        Some(n) if count.is_none() && n > 0 => (Some(n), None),
        _ => (count, doubtful),
    };
    if marks.partly.is_some() && marks.partly == count {
        strays.retain(|n| Some(*n) != count);
    }
    let general = says_general(&tokens);
    Some(Draft { ty, count, doubtful, stated, general, name, marks, clean, clear, words, strays, either })
}

/// A number standing alone in brackets, and whether a times sign says that it is a count.
fn group_number(group: &[Token]) -> Option<(u32, bool)> {
    let numbers: Vec<u32> = group.iter().filter_map(Token::number).collect();
    let [one] = numbers[..] else { return None };
    let times = group.iter().any(|t| t.is_word(&["x", "elements", "bases", "stands", "units", "off"]));
    let alone = group.iter().all(|t| t.number().is_some() || is_known(t));
    let with_type = is_clean(group).is_some();
    (alone || with_type).then_some((one, times || with_type))
}

/// "Two Knights", "a pair of Blades", "a Hero".
fn number_word(tokens: &[Token], type_at: usize) -> Option<u32> {
    let head = &tokens[..type_at.min(tokens.len())];
    let value = |t: &Token| {
        let k = t.key()?;
        NUMBERS.iter().find(|(w, _)| *w == k).map(|(_, n)| *n)
    };
    let all: Vec<u32> = head.iter().filter_map(value).collect();
    // "Knights: two elements"
    let behind = tokens.windows(2).skip(head.len()).find_map(|w| {
        let elements = ["elements", "bases", "stands", "units"];
        value(&w[0]).filter(|n| *n > 1 && w[1].is_word(&elements))
    });
    // "a pair": the article is not the number
    all.iter().copied().find(|n| *n > 1).or(behind).or(all.first().copied())
}

/// "Kn(gen) Kn Bd Bd", "3 Bd 2 Kn": a line of nothing but codes, each a piece with its number; `None` if it is none.
pub(super) fn codes(all: &[Token]) -> Option<Vec<Vec<Token>>> {
    let mut pieces: Vec<Vec<Token>> = Vec::new();
    let mut ahead: Vec<Token> = Vec::new();
    let numbers_first = all.first().is_some_and(|t| t.number().is_some());
    let mut types = 0;
    let mut i = 0;
    while i < all.len() {
        let two = match (&all[i], all.get(i + 1)) {
            (Token::Word(a), Some(Token::Word(b))) => {
                let joined = format!("{a}{b}");
                is_two_words(&joined) && TroopType::parse(&joined).is_some()
            }
            _ => false,
        };
        // "1 Airboat 3AP 2 Airboats 6AP": a price belongs to what stands before it
        if all[i].number().is_some() && all.get(i + 1).is_some_and(|t| t.is_word(&AP)) && !pieces.is_empty() {
            pieces.last_mut()?.extend_from_slice(&all[i..=i + 1]);
            i += 2;
            continue;
        }
        match &all[i] {
            Token::Word(w) if two || TroopType::parse(w).is_some() && !is_known(&all[i]) => {
                types += 1;
                let mut piece = std::mem::take(&mut ahead);
                piece.extend_from_slice(&all[i..=i + usize::from(two)]);
                pieces.push(piece);
                i += usize::from(two);
            }
            Token::Mark(_) => {
                let next = all[i..].iter().find(|t| !matches!(t, Token::Mark(_)));
                let before = next.is_some_and(|t| t.key().is_some_and(|k| TroopType::parse(&k).is_some()));
                let target = if before { &mut ahead } else { pieces.last_mut()? };
                target.push(all[i].clone());
            }
            t if numbers_first && (t.number().is_some() || t.is_word(&["x"])) => ahead.push(t.clone()),
            t if t.number().is_some()
                || t.is_word(&["x"])
                || is_general(t)
                || matches!(t, Token::Group(_)) =>
            {
                pieces.last_mut()?.push(t.clone());
            }
            _ => return None,
        }
        i += 1;
    }
    // "Dragon Knights" is one name: each has its number, or all are codes
    let own = |p: &Vec<Token>| {
        let code = |t: &Token| !matches!(t, Token::Word(w) if w.chars().count() > 3 && !is_general(t));
        p.iter().any(|t| t.number().is_some()) || p.iter().all(code)
    };
    (types >= 2 && ahead.is_empty() && pieces.iter().all(own)).then_some(pieces)
}

/// What its owner calls the element: the words that are nothing else, brackets included.
fn leftover(tokens: &[Token], place: Option<Found>) -> (Option<String>, usize) {
    let mut words: Vec<&str> = Vec::new();
    for (i, t) in tokens.iter().enumerate() {
        let covered = place.is_some_and(|f| (f.at..f.at + f.len).contains(&i));
        match t {
            Token::Word(w) if !covered && !is_known(t) && number_of(t).is_none() => words.push(w),
            Token::Group(g) if is_clean(g).is_none() && !says_general(g) => {
                words.extend(g.iter().filter(|t| !is_known(t)).filter_map(|t| match t {
                    Token::Word(w) => Some(w.as_str()),
                    _ => None,
                }));
            }
            _ => {}
        }
    }
    let count = words.len();
    ((count > 0).then(|| words.join(" ")), count)
}

fn number_of(token: &Token) -> Option<u32> {
    let k = token.key()?;
    NUMBERS.iter().find(|(w, _)| *w == k).map(|(_, n)| *n)
}
