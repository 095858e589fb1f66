//! The clock and the time zones of a campaign's players. Only the command line looks at a clock.

use campaign::cli::Clock;
use game::{Problem, Problems};
use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;

/// The clock on the wall.
#[derive(Clone, Copy, Debug)]
pub struct Wall;

impl Clock for Wall {
    fn now(&self) -> i64 {
        #[allow(clippy::disallowed_types)]
        let now = std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .map(|d| d.as_secs())
            .unwrap_or(0);
        i64::try_from(now).unwrap_or(i64::MAX)
    }

    fn read(&self, text: &str) -> Option<i64> {
        read(text)
    }

    fn words(&self, at: i64, zone: &str) -> String {
        let (Ok(at), Ok(tz)) = (Timestamp::from_second(at), TimeZone::get(zone)) else {
            return format!("{at} seconds after 1970");
        };
        format!("{} ({zone})", at.to_zoned(tz).strftime("%a %d %b %Y %H:%M"))
    }
}

/// A date: RFC 3339, or a day with an hour and a zone after it; a day alone lasts until its end.
fn read(text: &str) -> Option<i64> {
    let text = text.trim();
    if let Ok(at) = text.parse::<Timestamp>() {
        return Some(at.as_second());
    }
    let mut words = text.split_whitespace();
    let day: Date = words.next()?.parse().ok()?;
    let (mut at, mut zone) = (day.at(23, 59, 59, 0), TimeZone::UTC);
    for word in words {
        if let Some((h, m)) = word.split_once(':') {
            at = DateTime::new(day.year(), day.month(), day.day(), h.parse().ok()?, m.parse().ok()?, 0, 0)
                .ok()?;
        } else {
            zone = TimeZone::get(word).ok()?;
        }
    }
    Some(at.to_zoned(zone).ok()?.timestamp().as_second())
}

/// Whether there is such a time zone.
///
/// # Errors
/// A name that nobody knows.
pub fn zone(name: &str) -> Result<(), Problems> {
    TimeZone::get(name).map(|_| ()).map_err(|_| {
        vec![
            Problem::new(format!("no time zone is called {name}"))
                .hint("names are those of the time zone database: Europe/Vienna, America/New_York, UTC"),
        ]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_in_their_zone_and_written_in_anothers() {
        let at = read("2026-12-20 20:00 Europe/Vienna").unwrap();
        assert_eq!(Wall.words(at, "America/New_York"), "Sun 20 Dec 2026 14:00 (America/New_York)");
        assert_eq!(read("2026-12-20T19:00:00Z"), Some(at));
        assert_eq!(
            Wall.words(read("2026-07-01 12:00 Europe/Vienna").unwrap(), "UTC"),
            "Wed 01 Jul 2026 10:00 (UTC)"
        );
        assert_eq!(Wall.words(read("2026-12-20").unwrap(), "UTC"), "Sun 20 Dec 2026 23:59 (UTC)");
        assert_eq!(read("next Sunday"), None);
        assert!(zone("Europe/Vienna").is_ok() && zone("Europe/Viena").is_err());
    }
}
