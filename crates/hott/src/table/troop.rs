//! The kinds of element: their short codes, names, and the many ways people write them.

use std::fmt;

/// The kinds of element of section 3 (HOTT-017 to HOTT-039) and of the big battles (BB-070).
///
/// `Str` stands for a Stronghold and, in big battles, for Baggage (BB-081).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs)] // the variants are the rules' own short codes; `TroopType::name` gives the full name
pub enum TroopType {
    God,
    Drg,
    Abt,
    Fly,
    AHe,
    Her,
    Pal,
    Kni,
    Rid,
    Beh,
    Bst,
    Bld,
    Spr,
    Wbd,
    Sht,
    Art,
    Hrd,
    Clr,
    Mag,
    Snk,
    Lrk,
    WLk,
    LtH,
    Sct,
    Rgr,
    Str,
}

/// HOTT-014: the classes of element. A Stronghold counts with Foot as an opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Gods, Dragons, Airboats, Flyers and Aerial Heroes.
    Aerial,
    /// Riders of every kind, Behemoths and Beasts.
    Mounted,
    /// All that walk, Artillery included.
    Foot,
    /// A Stronghold or Baggage.
    Stronghold,
}

impl Class {
    /// Every class with the word that the table file uses for it.
    pub const WORDS: [(Class, &'static str); 4] = [
        (Class::Aerial, "aerial"),
        (Class::Mounted, "mounted"),
        (Class::Foot, "foot"),
        (Class::Stronghold, "stronghold"),
    ];

    /// The class with this word, as in the table file.
    pub fn from_word(word: &str) -> Option<Class> {
        Class::WORDS.iter().find(|(_, w)| *w == word).map(|(c, _)| *c)
    }

    /// The word of the class, as in the table file.
    pub fn word(self) -> &'static str {
        Class::WORDS[self as usize].1
    }

    /// "Ground" of the rules: Mounted or Foot.
    pub fn is_ground(self) -> bool {
        matches!(self, Class::Mounted | Class::Foot)
    }
}

/// Code, name, plural and the further spellings of each type, in the order of the enum.
///
/// Spellings are compared without case, spaces, hyphens and dots, and with a plural `s` or `es` taken off
/// (see [`TroopType::parse`]), so only what differs beyond that stands here.
const NAMES: [(TroopType, &str, &str, &str, &[&str]); TroopType::COUNT] = {
    use TroopType::*;
    [
        (God, "God", "God", "Gods", &["go", "gd", "goddess", "deity", "demigod", "dieu", "dieux", "gott"]),
        (Drg, "Drg", "Dragon", "Dragons", &["dr", "drag", "dgn", "dra", "wyrm", "drache", "drachen"]),
        (
            Abt,
            "Abt",
            "Airboat",
            "Airboats",
            &["ab", "ai", "air", "airb", "airship", "flyingboat", "luftschiff", "luftschiffe"],
        ),
        (Fly, "Fly", "Flyer", "Flyers", &["fl", "flier", "fly", "flr", "flieger", "volant"]),
        (
            AHe,
            "AHe",
            "Aerial Hero",
            "Aerial Heroes",
            &[
                "ah",
                "aerialhe",
                "aerialher",
                "aehe",
                "aehero",
                "airhero",
                "ahero",
                "flyinghero",
                "arh",
                "ae",
                "heroaerial",
                "aer",
                "aerhero",
            ],
        ),
        (Her, "Her", "Hero", "Heroes", &["he", "hr", "held", "helden"]),
        (Pal, "Pal", "Paladin", "Paladins", &["pa", "pl", "pallie", "paladine"]),
        (Kni, "Kni", "Knight", "Knights", &["kn", "kt", "knt", "knigt", "kni", "chevalier", "ritter"]),
        (Rid, "Rid", "Rider", "Riders", &["rd", "ri", "rdr", "cv", "cavalry", "cavalier", "reiter"]),
        (Beh, "Beh", "Behemoth", "Behemoths", &["be", "bh", "bm", "behe", "behemouth", "behmoth", "behemot"]),
        (Bst, "Bst", "Beast", "Beasts", &["bs", "bt", "bea", "bete", "bestie", "bestien"]),
        (Bld, "Bld", "Blade", "Blades", &["bd", "bl", "bla", "swords", "sword", "lame", "klinge", "klingen"]),
        (
            Spr,
            "Spr",
            "Spear",
            "Spears",
            &["sp", "spe", "spearmen", "spearman", "speer", "speere", "pique", "piquier"],
        ),
        (
            Wbd,
            "Wbd",
            "Warband",
            "Warbands",
            &[
                "wb",
                "wa",
                "war",
                "warb",
                "warbnd",
                "wrb",
                "wba",
                "wband",
                "warbandt",
                "kriegstrupp",
                "kriegshaufen",
            ],
        ),
        (
            Sht,
            "Sht",
            "Shooter",
            "Shooters",
            &[
                "sh",
                "st",
                "sho",
                "shtr",
                "shot",
                "bow",
                "missile",
                "tireur",
                "schutze",
                "schutzen",
                "schuetze",
                "schuetzen",
            ],
        ),
        (
            Art,
            "Art",
            "Artillery",
            "Artillery",
            &["ar", "arty", "artilery", "artillary", "atillery", "artil", "artillerie"],
        ),
        (Hrd, "Hrd", "Horde", "Hordes", &["hd", "ho", "hor", "hord", "hrde", "horden"]),
        (Clr, "Clr", "Cleric", "Clerics", &["cl", "cle", "clr", "priest", "clric", "clerc", "kleriker"]),
        (
            Mag,
            "Mag",
            "Magician",
            "Magicians",
            &["ma", "mg", "mage", "magic", "magi", "wizard", "magicain", "magicien", "magier", "zauberer"],
        ),
        (Snk, "Snk", "Sneaker", "Sneakers", &["sn", "snk", "sneak", "sne", "sk", "schleicher"]),
        (Lrk, "Lrk", "Lurker", "Lurkers", &["lk", "lu", "lur", "lurk", "lr", "lauerer"]),
        (
            WLk,
            "WLk",
            "Water Lurker",
            "Water Lurkers",
            &["wl", "wlrk", "wlurker", "waterlurk", "waterlk", "waterlrk", "walk", "lurkerwater", "wlu"],
        ),
        (LtH, "LtH", "Light Horse", "Light Horse", &["lh", "lighthorses", "lthorse", "lthr", "lighthors"]),
        (Sct, "Sct", "Scouts", "Scouts", &["sc", "sco", "scout"]),
        (Rgr, "Rgr", "Rangers", "Rangers", &["rg", "rgr", "ranger", "ran"]),
        (
            Str,
            "Str",
            "Stronghold",
            "Strongholds",
            &["sg", "stronghold", "baggage", "castle", "fort", "camp", "forteresse", "festung"],
        ),
    ]
};

impl TroopType {
    /// The number of types.
    pub const COUNT: usize = 26;

    /// Every type, in the order of the tables.
    pub const ALL: [TroopType; TroopType::COUNT] = {
        let mut all = [TroopType::God; TroopType::COUNT];
        let mut i = 0;
        while i < TroopType::COUNT {
            all[i] = NAMES[i].0;
            i += 1;
        }
        all
    };

    /// The place of this type in tables by type.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The short code of the rules: `Kni`, `WLk`, `Str`.
    pub fn code(self) -> &'static str {
        NAMES[self.index()].1
    }

    /// The name of one element: `Knight`, `Aerial Hero`.
    pub fn name(self) -> &'static str {
        NAMES[self.index()].2
    }

    /// The name of several: `Knights`, `Aerial Heroes`, `Artillery`.
    pub fn plural(self) -> &'static str {
        NAMES[self.index()].3
    }

    /// HOTT-015: an Aerial Hero is a Hero for every rule that names heroes.
    pub fn is_hero(self) -> bool {
        matches!(self, TroopType::Her | TroopType::AHe)
    }

    /// HOTT-016: a Water Lurker is a Lurker for every rule that names Lurkers.
    pub fn is_lurker(self) -> bool {
        matches!(self, TroopType::Lrk | TroopType::WLk)
    }

    /// The type with exactly this short code, in any case.
    pub fn from_code(code: &str) -> Option<TroopType> {
        TroopType::ALL.into_iter().find(|t| t.code().eq_ignore_ascii_case(code))
    }

    /// The type that this word or phrase names: code, name, plural or one of the abbreviations that
    /// players use, or a name in French or German, in any case, with or without accents, spaces, hyphens and dots.
    pub fn parse(text: &str) -> Option<TroopType> {
        let bare = bare(text);
        if bare.is_empty() {
            return None;
        }
        find_bare(&bare)
            .or_else(|| bare.strip_suffix('s').and_then(find_bare))
            .or_else(|| bare.strip_suffix("es").filter(|b| b.len() > 3).and_then(find_bare))
    }

    /// The nearest type name to a misspelt one, for a hint; none if nothing is near.
    pub fn suggest(text: &str) -> Option<TroopType> {
        let bare = bare(text);
        if let Some((_, ty)) = ENGINES.iter().find(|(word, _)| bare.trim_end_matches('s') == *word) {
            return Some(*ty);
        }
        let near = |t: &TroopType| {
            [t.name(), t.plural(), t.code()]
                .into_iter()
                .map(|n| strsim::damerau_levenshtein(&bare, &n.replace(' ', "").to_lowercase()))
                .min()
        };
        let best = TroopType::ALL.into_iter().min_by_key(near)?;
        let limit = if bare.len() > 5 { 2 } else { 1 };
        // An Ork is no Lurker: of short words the first letter must be right.
        let begins = |name: &str| name.to_lowercase().chars().next() == bare.chars().next();
        let alike = bare.len() > 4 || [best.name(), best.code()].into_iter().any(begins);
        (alike && near(&best)? <= limit).then_some(best)
    }
}

/// What people call an element that is no name of the rules, one by one since a model is not always of one type.
const ENGINES: [(&str, TroopType); 10] = [
    ("cannon", TroopType::Art),
    ("gun", TroopType::Art),
    ("mortar", TroopType::Art),
    ("trebuchet", TroopType::Art),
    ("catapult", TroopType::Art),
    ("onager", TroopType::Art),
    ("mangonel", TroopType::Art),
    ("ballista", TroopType::Art),
    ("boltthrower", TroopType::Art),
    ("stonethrower", TroopType::Art),
];

/// Letters and figures in small letters, without accents.
fn bare(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).map(without_accent).collect()
}

/// A small letter of the languages of western Europe without its accent.
pub(crate) fn without_accent(c: char) -> char {
    match c {
        'à' | 'á' | 'â' | 'ä' | 'ã' | 'å' => 'a',
        'ç' => 'c',
        'è' | 'é' | 'ê' | 'ë' => 'e',
        'ì' | 'í' | 'î' | 'ï' => 'i',
        'ñ' => 'n',
        'ò' | 'ó' | 'ô' | 'ö' | 'õ' => 'o',
        'ù' | 'ú' | 'û' | 'ü' => 'u',
        c => c,
    }
}

fn find_bare(bare: &str) -> Option<TroopType> {
    NAMES.iter().find_map(|(t, code, name, plural, more)| {
        let same = |s: &str| s.replace(' ', "").eq_ignore_ascii_case(bare);
        (same(code) || same(name) || same(plural) || more.contains(&bare)).then_some(*t)
    })
}

impl fmt::Display for TroopType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_of_names_is_order_of_types() {
        for (i, t) in TroopType::ALL.into_iter().enumerate() {
            assert_eq!(t.index(), i);
            assert_eq!(NAMES[i].0, t);
        }
    }

    #[test]
    fn every_spelling_names_one_type() {
        let mut seen = std::collections::BTreeMap::new();
        for (t, code, name, plural, more) in NAMES {
            let own = [code, name, plural].map(|s| s.replace(' ', "").to_lowercase());
            for spelling in own.iter().map(String::as_str).chain(more.iter().copied()) {
                let before = seen.insert(spelling.to_owned(), t);
                assert!(before.is_none_or(|b| b == t), "{spelling} names {before:?} and {t}");
                assert_eq!(TroopType::parse(spelling), Some(t), "{spelling}");
            }
        }
    }

    #[test]
    fn people_write_types_in_many_ways() {
        for (text, t) in [
            ("KNIGHTS", TroopType::Kni),
            ("aerial heroes", TroopType::AHe),
            ("Aerial-Hero", TroopType::AHe),
            ("AH", TroopType::AHe),
            ("A.He", TroopType::AHe),
            ("Wb", TroopType::Wbd),
            ("fliers", TroopType::Fly),
            ("W. Lurkers", TroopType::WLk),
        ] {
            assert_eq!(TroopType::parse(text), Some(t), "{text}");
        }
        assert_eq!(TroopType::parse("Trolls"), None);
        assert_eq!(TroopType::parse("..."), None);
    }

    #[test]
    fn a_misspelling_gets_a_hint_and_nonsense_none() {
        assert_eq!(TroopType::suggest("Wharband"), Some(TroopType::Wbd));
        assert_eq!(TroopType::suggest("Magicean"), Some(TroopType::Mag));
        assert_eq!(TroopType::suggest("Tyrannosaurus"), None);
    }
}
