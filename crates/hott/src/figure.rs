//! Hundredths as people write them: `1200`, `62.5`, `-0.05`.

/// Prints hundredths with no more digits than needed.
#[must_use]
pub(crate) fn print(v: i32) -> String {
    let (sign, v) = (if v < 0 { "-" } else { "" }, v.unsigned_abs());
    match (v / 100, v % 100) {
        (whole, 0) => format!("{sign}{whole}"),
        (whole, part) if part % 10 == 0 => format!("{sign}{whole}.{}", part / 10),
        (whole, part) => format!("{sign}{whole}.{part:02}"),
    }
}

/// Reads hundredths; `None` for what is no number, has more than two decimals or is beyond any board.
#[must_use]
pub(crate) fn read(text: &str) -> Option<i32> {
    let text = text.strip_suffix('p').unwrap_or(text);
    let (sign, bare) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text),
    };
    let (whole, part) = bare.split_once('.').unwrap_or((bare, "0"));
    let digits =
        |s: &str, most: usize| !s.is_empty() && s.len() <= most && s.bytes().all(|b| b.is_ascii_digit());
    if !digits(whole, 6) || !digits(part, 2) {
        return None;
    }
    let whole: i32 = whole.parse().ok()?;
    let tens: i32 = part.parse().ok()?;
    let part = if part.len() == 1 { tens * 10 } else { tens };
    let v = sign * (whole * 100 + part);
    (v.abs() <= field::LIMIT).then_some(v)
}

/// Prints a pose: `1200 300 90`.
#[must_use]
pub(crate) fn pose(pose: field::Pose) -> String {
    format!("{} {} {}", print(pose.x), print(pose.y), print(pose.heading.hundredths()))
}

/// Reads a pose from three words.
#[must_use]
pub(crate) fn read_pose(x: &str, y: &str, heading: &str) -> Option<field::Pose> {
    let turn = read(heading).filter(|h| (0..=field::FULL_TURN).contains(h))?;
    Some(field::Pose::new(read(x)?, read(y)?, field::Heading::new(turn)))
}

/// So many PIPs as people say it: `1 PIP`, `3 PIPs`.
pub fn pips(n: impl std::fmt::Display) -> String {
    let n = n.to_string();
    let noun = if n == "1" { "PIP" } else { "PIPs" };
    format!("{n} {noun}")
}

#[cfg(test)]
mod tests {
    #[test]
    fn figures_read_back() {
        for v in [0, 5, 10, 99, 100, 150, -5, -12_345, 838_860] {
            assert_eq!(super::read(&super::print(v)), Some(v), "{v}");
        }
        for bad in ["", ".", "1.", ".5", "1.234", "1e3", "--1", "+1", "99999999"] {
            assert_eq!(super::read(bad), None, "{bad}");
        }
    }
}
