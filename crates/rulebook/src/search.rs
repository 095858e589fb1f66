//! Finding a rule by the words that people use for it.

use std::cmp::Reverse;
use std::sync::LazyLock;

use crate::family::Family;
use crate::id::RuleId;

/// People's words and what the rules call the same thing. All lower case; a word on the left also
/// finds itself.
const SAME: &[(&str, &[&str])] = &[
    // Nicknames.
    ("frog", &["ensorcelled", "bespell"]),
    ("frogged", &["ensorcelled"]),
    ("toad", &["ensorcelled"]),
    ("unfrog", &["desorcel", "ensorcelled"]),
    ("zoc", &["threat zone", "zone of control"]),
    ("tz", &["threat zone"]),
    ("zone of control", &["threat zone"]),
    ("spell", &["bespell"]),
    ("magic", &["bespell"]),
    ("wizard", &["magician"]),
    ("mage", &["magician"]),
    ("priest", &["cleric"]),
    ("camp", &["stronghold", "baggage"]),
    ("castle", &["stronghold"]),
    ("fort", &["stronghold"]),
    ("town", &["built-up", "bua"]),
    ("village", &["built-up", "bua"]),
    ("forest", &["wood"]),
    ("stream", &["river"]),
    ("swamp", &["marsh"]),
    ("rough", &["bad going"]),
    ("difficult", &["bad going"]),
    ("open ground", &["good going"]),
    ("kill", &["destroyed"]),
    ("killed", &["destroyed"]),
    ("dead", &["destroyed", "lost"]),
    ("push back", &["recoil", "pushed"]),
    ("pushback", &["recoil", "pushed"]),
    ("follow up", &["pursue", "pursuit", "follow-up"]),
    ("followup", &["pursue", "pursuit", "follow-up"]),
    ("rout", &["flee", "flight"]),
    ("run away", &["flee", "flight"]),
    ("melee", &["close combat", "hand-to-hand"]),
    ("hth", &["close combat", "hand-to-hand"]),
    ("ranged", &["shoot", "distant shooting"]),
    ("fire", &["shoot"]),
    ("bow", &["shooter", "shooting"]),
    ("archer", &["shooter", "shooting"]),
    ("crossbow", &["shooter", "shooting", "crossbow"]),
    ("gun", &["artillery", "shooter", "gunpowder"]),
    ("cannon", &["artillery"]),
    ("catapult", &["artillery"]),
    ("ambush", &["lurker", "deployed against"]),
    ("dice", &["die", "d6"]),
    ("command range", &["out of command", "command range"]),
    ("leader", &["general"]),
    ("warlord", &["general"]),
    ("uphill", &["uphill", "up-slope"]),
    ("pass through", &["pass through", "interpenetration"]),
    ("interpenetrate", &["pass through", "interpenetration"]),
    ("disengage", &["break off", "breaks off", "disengage"]),
    ("break off", &["break off", "breaks off", "breaking off"]),
    ("withdraw", &["break off", "withdraw"]),
    ("close the door", &["closing the door"]),
    ("closing the door", &["closing the door"]),
    ("double", &["doubled"]),
    ("tie", &["equal"]),
    ("draw", &["equal"]),
    ("win", &["victory", "loses", "wins"]),
    ("cav", &["knight", "rider", "mounted"]),
    ("cavalry", &["knight", "rider", "mounted"]),
    ("infantry", &["foot"]),
    ("elephant", &["behemoth", "elephant"]),
    ("giant", &["behemoth"]),
    ("assassin", &["sneaker"]),
    ("thief", &["sneaker"]),
    ("angel", &["god"]),
    ("demon", &["god"]),
    ("levy", &["levy", "horde"]),
    // Codes, as lists write them.
    ("ge", &["general"]),
    ("gen", &["general"]),
    ("kn", &["knight"]),
    ("kni", &["knight"]),
    ("rd", &["rider"]),
    ("ri", &["rider"]),
    ("rid", &["rider"]),
    ("bh", &["behemoth"]),
    ("be", &["behemoth", "beast"]),
    ("beh", &["behemoth"]),
    ("bt", &["beast"]),
    ("bst", &["beast"]),
    ("bd", &["blade"]),
    ("bl", &["blade"]),
    ("bld", &["blade"]),
    ("sp", &["spear"]),
    ("spr", &["spear"]),
    ("wb", &["warband"]),
    ("wbd", &["warband"]),
    ("sh", &["shooter"]),
    ("sht", &["shooter"]),
    ("bw", &["base width", "bw"]),
    ("ar", &["artillery"]),
    ("art", &["artillery"]),
    ("hd", &["horde"]),
    ("ho", &["horde"]),
    ("hrd", &["horde"]),
    ("cl", &["cleric"]),
    ("clr", &["cleric"]),
    ("mg", &["magician"]),
    ("mag", &["magician"]),
    ("sn", &["sneaker"]),
    ("snk", &["sneaker"]),
    ("lu", &["lurker"]),
    ("lrk", &["lurker"]),
    ("wlk", &["water lurker"]),
    ("pa", &["paladin"]),
    ("pal", &["paladin"]),
    ("her", &["hero"]),
    ("ahe", &["aerial hero"]),
    ("ah", &["aerial hero"]),
    ("dr", &["dragon"]),
    ("drg", &["dragon"]),
    ("fl", &["flyer"]),
    ("fly", &["flyer", "fly"]),
    ("ab", &["airboat"]),
    ("abt", &["airboat"]),
    ("lth", &["light horse"]),
    ("lh", &["light horse"]),
    ("sct", &["scouts"]),
    ("rgr", &["rangers"]),
    ("str", &["stronghold"]),
    ("sth", &["stronghold"]),
    ("bua", &["bua", "built-up"]),
    ("cf", &["cf", "combat factor"]),
    ("crt", &["crt", "combat result table"]),
    ("cinc", &["c-in-c", "commander-in-chief"]),
    ("mag bonus", &["magnitude bonus"]),
];

/// A text as words apart by single blanks, lower case, with a blank before the first.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push(' ');
    for c in text.chars() {
        if c.is_alphanumeric() || c == '-' || c == '+' {
            out.extend(c.to_lowercase());
        } else if !out.ends_with(' ') {
            out.push(' ');
        }
    }
    if !out.ends_with(' ') {
        out.push(' ');
    }
    out
}

/// Every rule with its plain text and heading.
static PLAIN: LazyLock<Vec<(RuleId, String, String)>> =
    LazyLock::new(|| RuleId::every().map(|id| (id, plain(id.text()), plain(id.section()))).collect());

/// A word without the endings that people add or leave off.
fn stem(word: &str) -> &str {
    for end in ["ing", "ed", "es", "s"] {
        if let Some(rest) = word.strip_suffix(end)
            && rest.chars().count() >= 4
        {
            return rest;
        }
    }
    word
}

/// What one part of a question may be called in the rules, itself first.
struct Part {
    names: Vec<String>,
}

impl Part {
    fn new(word: &str) -> Part {
        let mut names = vec![stem(word).to_owned()];
        for (from, to) in SAME {
            if *from == word || stem(from) == stem(word) {
                names.extend(to.iter().map(|t| stem(t).to_owned()));
            }
        }
        Part { names }
    }

    /// 2 for the word itself, 1 for another name of it, 0 for neither.
    fn found(&self, text: &str) -> u32 {
        // Codes are whole words; longer names may go on ("shoot", "shooting").
        let at = |name: &String| match name.len() {
            ..=3 => text.contains(&format!(" {name} ")),
            _ => text.contains(&format!(" {name}")),
        };
        match self.names.iter().position(at) {
            Some(0) => 2,
            Some(_) => 1,
            None => 0,
        }
    }
}

/// Splits a question into parts: first the phrases that the table knows, then single words. Words
/// that say nothing are left out.
fn parts(question: &str) -> Vec<Part> {
    const EMPTY: &[&str] = &[
        "a", "an", "the", "of", "to", "in", "on", "and", "or", "is", "are", "can", "do", "does", "i", "my",
        "when", "what", "who", "how", "if", "it", "by", "for", "with", "be",
    ];
    let mut rest = question.trim().to_owned();
    let mut out = Vec::new();
    for (phrase, _) in SAME.iter().filter(|(p, _)| p.contains(' ')) {
        let padded = format!(" {rest} ");
        if padded.contains(&format!(" {phrase} ")) {
            out.push(Part::new(phrase));
            rest = padded.replace(&format!(" {phrase} "), " ").trim().to_owned();
        }
    }
    let words: Vec<&str> = rest.split_whitespace().collect();
    // A question of nothing but small words is asked for them.
    let all_empty = out.is_empty() && words.iter().all(|w| EMPTY.contains(w));
    let kept = words.into_iter().filter(|w| all_empty || !EMPTY.contains(w));
    out.extend(kept.map(Part::new));
    out
}

impl RuleId {
    /// The rules that speak of these words, best first: an id itself, then the exact phrase, then
    /// rules that have all the words (or what the rules call them), then, only if there are none, those
    /// with most of them. `family` keeps to one game.
    ///
    /// ```
    /// use rulebook::{Family, RuleId, rule};
    /// let found = RuleId::search("close the door", Some(Family::Hott));
    /// assert_eq!(found[0], rule!("HOTT-175"));
    /// ```
    pub fn search(words: &str, family: Option<Family>) -> Vec<RuleId> {
        if let Ok(id) = words.parse::<RuleId>() {
            return vec![id];
        }
        let question = plain(words).trim_end().to_owned();
        let parts = parts(&question);
        if parts.is_empty() {
            return Vec::new();
        }
        let phrase = format!(" {} ", question.trim_start());
        let mut hits: Vec<(usize, Reverse<u32>, usize, RuleId)> = Vec::new();
        for (id, text, heading) in &*PLAIN {
            if family.is_some_and(|f| f != id.family()) {
                continue;
            }
            let mut have = 0;
            let mut score = if text.contains(&phrase) { 100 } else { 0 };
            for part in &parts {
                let points = part.found(text) * 4;
                let title = part.found(heading);
                have += usize::from(points + title > 0);
                score += points + title;
            }
            if have > 0 {
                // Of equals the shorter says it more to the point.
                hits.push((have, Reverse(score), text.len(), *id));
            }
        }
        let most = hits.iter().map(|h| h.0).max().unwrap_or(0);
        hits.retain(|h| h.0 == most && most * 2 >= parts.len());
        hits.sort();
        hits.into_iter().map(|h| h.3).collect()
    }
}
