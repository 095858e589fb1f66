//! A pasted line as tokens: decoration taken off, words, numbers and groups in brackets told apart.

/// One token of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A whole number, or one with a half (`half`), such as `2.5`.
    Number {
        /// Its whole part.
        whole: u32,
        /// Whether a fraction follows.
        half: bool,
    },
    /// A word as written; hyphens within it are kept.
    Word(String),
    /// A sign: `@ = , ; : . + & / | - )`.
    Sign(char),
    /// What stood in brackets.
    Group(Vec<Token>),
    /// What was said in words that were taken out; only in lists of big battles.
    Mark(super::marks::Mark),
}

impl Token {
    /// The word in small letters, without anything that is no letter.
    pub(super) fn key(&self) -> Option<String> {
        match self {
            Token::Word(w) => Some(key(w)),
            _ => None,
        }
    }

    /// The whole number, if it is one.
    pub(super) fn number(&self) -> Option<u32> {
        match self {
            Token::Number { whole, half: false } => Some(*whole),
            _ => None,
        }
    }

    /// The number in halves.
    pub(super) fn halves(&self) -> Option<u32> {
        match self {
            Token::Number { whole, half } => Some(whole.saturating_mul(2) + u32::from(*half)),
            _ => None,
        }
    }

    pub(super) fn is_sign(&self, signs: &str) -> bool {
        matches!(self, Token::Sign(c) if signs.contains(*c))
    }

    pub(super) fn is_word(&self, words: &[&str]) -> bool {
        self.key().is_some_and(|k| words.contains(&k.as_str()))
    }
}

/// A word in small letters without accents, and without anything that is no letter.
pub(super) fn key(word: &str) -> String {
    let letters = word.chars().filter(|c| c.is_alphabetic());
    letters.flat_map(char::to_lowercase).map(crate::table::without_accent).collect()
}

/// Takes off what pages and forums put around a line: tags, entities, bullets, emphasis, quote signs.
pub(super) fn clean(line: &str) -> String {
    let mut text = in_figures(&part_at_dots(&strip_tags(&without_struck(line))));
    for (from, to) in [
        ("&nbsp;", " "),
        ("&amp;", "&"),
        ("&times;", "x"),
        ("&#215;", "x"),
        ("&ndash;", "-"),
        ("&mdash;", "-"),
        ("&#8211;", "-"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&colon;", ":"),
        ("&gt;", ">"),
        ("&#8217;", "'"),
        ("&rsquo;", "'"),
        ("½", ".5"),
        ("&bull;", " "),
        ("::", ","),
    ] {
        text = text.replace(from, to);
    }
    let mut out = String::new();
    let chars: Vec<char> = text.chars().collect();
    for (i, c) in chars.iter().enumerate() {
        let near = |j: Option<usize>| j.and_then(|j| chars.get(j)).copied().unwrap_or(' ');
        let (before, after) = (near(i.checked_sub(1)), near(Some(i + 1)));
        out.push(match c {
            '×' | '✕' | '✖' => 'x',
            // a star is a times sign beside a figure, else emphasis or a bullet
            '*' if (before.is_ascii_digit() || after.is_ascii_digit()) && before != '*' && after != '*' => {
                if i == 0 || chars[..i].iter().all(|c| c.is_whitespace()) {
                    ' '
                } else {
                    'x'
                }
            }
            '*' | '`' | '~' | '_' | '…' => ' ',
            // leaders: "Hero ........ 4"
            '.' if before == '.' || after == '.' => ' ',
            '–' | '—' | '−' | '‐' | '‑' | '―' => '-',
            '“' | '”' | '„' | '«' | '»' => '"',
            '‘' | '’' => '\'',
            '\u{feff}' | '\u{200b}' | '\u{a0}' | '\u{2003}' | '\u{2009}' => ' ',
            '\t' => '|',
            '[' | '{' => '(',
            ']' | '}' => ')',
            c => *c,
        });
    }
    let bullets = |c: char| c.is_whitespace() || "-•▪●◦‣·>+|=■□►▶➤✦★☆✓✔→.,".contains(c);
    let end = |c: char| c.is_whitespace() || "|,".contains(c);
    let mut text = out.trim_start_matches(bullets).trim_end_matches(end);
    // a heading's signs, but not `#3`
    if text.starts_with("# ") || text.starts_with("##") {
        text = text.trim_start_matches(['#', ' ']);
    }
    text.to_owned()
}

/// "Half a dozen Blades", "½ dozen": so many in figures.
fn in_figures(line: &str) -> String {
    let mut text = line.to_owned();
    for (words, figure) in [
        ("½ a dozen", "6"),
        ("½ dozen", "6"),
        ("half a dozen", "6"),
        ("half dozen", "6"),
        ("a dozen", "12"),
        ("1 dozen", "12"),
        ("2 dozen", "24"),
        ("dozen", "12"),
    ] {
        while let Some(at) = text.to_ascii_lowercase().find(words) {
            text.replace_range(at..at + words.len(), figure);
        }
    }
    text
}

/// Takes out what its writer has struck out: `~~2 Knights~~`, `<s>…</s>`, `<del>…</del>`, `[s]…[/s]`.
fn without_struck(line: &str) -> String {
    let mut text = line.to_owned();
    for (open, close) in [
        ("~~", "~~"),
        ("<s>", "</s>"),
        ("<del>", "</del>"),
        ("<strike>", "</strike>"),
        ("[s]", "[/s]"),
        ("[strike]", "[/strike]"),
    ] {
        loop {
            // Tags are written in small letters and large ones; lengths stay the same in ASCII.
            let low = text.to_ascii_lowercase();
            let Some(from) = low.find(open) else { break };
            let Some(to) = low[from + open.len()..].find(close) else { break };
            text.replace_range(from..from + open.len() + to + close.len(), " ");
        }
    }
    text
}

/// Removes `<b>` and `[b]`, their closing forms and list signs.
fn strip_tags(line: &str) -> String {
    const BOARD: [&str; 12] =
        ["b", "i", "u", "*", "li", "list", "ul", "color", "size", "quote", "code", "indent"];
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find(['<', '[']) {
        out.push_str(&rest[..at]);
        let tail = &rest[at..];
        let close = if tail.starts_with('<') { '>' } else { ']' };
        let tag = tail.find(close).map(|end| &tail[1..end]);
        let is_tag = tag.is_some_and(|t| {
            let name: String =
                t.trim_start_matches('/').chars().take_while(|c| c.is_alphanumeric() || *c == '*').collect();
            let name = name.to_lowercase();
            if close == '>' { !name.is_empty() } else { BOARD.contains(&name.as_str()) }
        });
        match (is_tag, tag) {
            (true, Some(t)) => {
                // What stands in list items, cells and lines of their own is apart.
                let name: String = t
                    .trim_start_matches('/')
                    .chars()
                    .take_while(|c| c.is_alphanumeric() || *c == '*')
                    .flat_map(char::to_lowercase)
                    .collect();
                match name.as_str() {
                    "li" | "br" | "p" | "tr" | "*" => out.push_str(", "),
                    "td" | "th" => out.push('|'),
                    _ => {}
                }
                rest = &tail[t.len() + 2..];
            }
            _ => {
                let step = tail.chars().next().map_or(1, char::len_utf8);
                out.push_str(&tail[..step]);
                rest = &tail[step..];
            }
        }
    }
    out.push_str(rest);
    out
}

/// "2 Behemoths... 4 Warbands": dots between two that name types part them; before a price they only lead to it.
fn part_at_dots(line: &str) -> String {
    let named = |text: &str| {
        text.split(|c: char| !c.is_alphabetic())
            .any(|w| w.chars().count() >= 2 && crate::table::TroopType::parse(w).is_some())
    };
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find(['.', '…']) {
        let tail = &rest[at..];
        let run = tail.len() - tail.trim_start_matches(['.', '…']).len();
        let (dots, after) = tail.split_at(run);
        out.push_str(&rest[..at]);
        let many = dots.len() > 1;
        if many && named(&out) && named(after) {
            out.push_str(", ");
        } else {
            out.push_str(dots);
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// A word for the general that is joined to another with a hyphen.
fn is_rank(word: &str) -> bool {
    matches!(key(word).as_str(), "general" | "gen")
}

/// Splits a cleaned line. Groups do not nest: an inner bracket is read as part of the outer group.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let chars: Vec<char> = text.chars().collect();
    let mut out: Vec<Token> = Vec::new();
    let mut group: Option<Vec<Token>> = None;
    let mut i = 0;
    while let Some(&c) = chars.get(i) {
        if c.is_ascii_digit() || c == '.' && chars.get(i + 1).is_some_and(char::is_ascii_digit) {
            let start = i;
            while chars.get(i).is_some_and(char::is_ascii_digit) {
                i += 1;
            }
            let digits: String = chars[start..i].iter().collect();
            let point = chars.get(i) == Some(&'.');
            let half = point && chars.get(i + 1).is_some_and(char::is_ascii_digit);
            if half {
                i += 1;
                while chars.get(i).is_some_and(char::is_ascii_digit) {
                    i += 1;
                }
            }
            group.as_mut().unwrap_or(&mut out).push(Token::Number {
                whole: digits.parse().unwrap_or(if digits.is_empty() { 0 } else { 9999 }),
                half,
            });
            continue;
        }
        if c.is_alphabetic() {
            let start = i;
            let inner = |i: usize| {
                chars.get(i).is_some_and(|c| "-'".contains(*c))
                    && chars.get(i + 1).is_some_and(|c| c.is_alphabetic())
            };
            while chars.get(i).is_some_and(|c| c.is_alphabetic()) || inner(i) {
                i += 1;
            }
            let digit = |i: Option<usize>| i.and_then(|i| chars.get(i)).is_some_and(char::is_ascii_digit);
            let word: String = chars[start..i].iter().collect();
            let list = group.as_mut().unwrap_or(&mut out);
            // "3xBlades" and "Wbx4": the times sign is no part of the word
            let (front, back) = (digit(start.checked_sub(1)), digit(Some(i)));
            let x = |c: char| "xX".contains(c);
            if front && word.len() > 1 && word.starts_with(x) {
                list.push(Token::Word("x".to_owned()));
                list.push(Token::Word(word[1..].to_owned()));
            } else if back && word.len() > 1 && word.ends_with(x) {
                list.push(Token::Word(word[..word.len() - 1].to_owned()));
                list.push(Token::Word("x".to_owned()));
            } else if let Some((a, b)) = word.split_once('-').filter(|(a, b)| is_rank(a) != is_rank(b)) {
                // "hero-general"
                list.push(Token::Word(a.to_owned()));
                list.push(Token::Word(b.to_owned()));
            } else {
                list.push(Token::Word(word));
            }
            continue;
        }
        match c {
            '(' if group.is_none() => group = Some(Vec::new()),
            ')' => match group.take() {
                Some(g) => out.push(Token::Group(g)),
                None => out.push(Token::Sign(')')),
            },
            '@' | '=' | ',' | ';' | ':' | '.' | '+' | '&' | '/' | '|' | '-' | '#' | '!' | '?' => {
                group.as_mut().unwrap_or(&mut out).push(Token::Sign(c));
            }
            _ => {}
        }
        i += 1;
    }
    if let Some(g) = group {
        out.push(Token::Group(g));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decoration_comes_off() {
        for (line, clean_line) in [
            ("* 4 Warband", "4 Warband"),
            ("  - **Hero** (gen)", "Hero   (gen)"),
            ("<li>2 Knights</li>", "2 Knights"),
            ("[b]Army[/b]", "Army"),
            ("[*]3 × Blades", "3 x Blades"),
            ("3*Blades", "3xBlades"),
            ("## The army", "The army"),
            ("#3 Blades", "#3 Blades"),
            ("a\tb", "a|b"),
            ("Trolls [Behemoth]", "Trolls (Behemoth)"),
            ("~~2 Magicians~~ 1 Magician", "1 Magician"),
            ("<DEL>Dragon</DEL>", ""),
            ("2 ~~ Knights", "2    Knights"),
            ("Hero :: 2 Knights", "Hero , 2 Knights"),
            ("a < b", "a < b"),
            ("é <", "é <"),
        ] {
            assert_eq!(clean(line), clean_line, "{line}");
        }
    }

    #[test]
    fn figures_part_from_letters() {
        let word = |s: &str| Token::Word(s.to_owned());
        let number = |whole| Token::Number { whole, half: false };
        assert_eq!(tokens("2Kn x3"), [number(2), word("Kn"), word("x"), number(3)]);
        assert_eq!(
            tokens("C-in-C (2.5AP, a"),
            [
                word("C-in-C"),
                Token::Group(vec![
                    Token::Number { whole: 2, half: true },
                    word("AP"),
                    Token::Sign(','),
                    word("a")
                ])
            ]
        );
        assert_eq!(tokens("1) x"), [number(1), Token::Sign(')'), word("x")]);
        assert_eq!(tokens("99999999999")[0].number(), Some(9999));
    }
}
