//! Counters, as text for whoever watches the server.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Upper bounds of the classes of durations, in milliseconds.
const CLASSES: [u64; 9] = [1, 2, 5, 10, 20, 50, 100, 500, 2000];

/// All counters.
#[derive(Default)]
pub(crate) struct Metrics {
    /// By class of status: 1xx to 5xx.
    answers: [AtomicU64; 5],
    pub commands: AtomicU64,
    pub games: AtomicU64,
    pub streams: AtomicU64,
    /// Durations of commands: by class, then the rest.
    took: [AtomicU64; CLASSES.len() + 1],
    took_micros: AtomicU64,
}

impl Metrics {
    pub(crate) fn answered(&self, status: u16) {
        if let Some(n) = usize::from(status / 100).checked_sub(1).and_then(|i| self.answers.get(i)) {
            n.fetch_add(1, Relaxed);
        }
    }

    pub(crate) fn commanded(&self, took: Duration) {
        self.commands.fetch_add(1, Relaxed);
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        self.took_micros.fetch_add(micros, Relaxed);
        let class = CLASSES.iter().position(|c| micros <= c * 1000).unwrap_or(CLASSES.len());
        self.took[class].fetch_add(1, Relaxed);
    }

    /// The text of `/metrics`.
    pub(crate) fn print(&self, rooms: usize) -> String {
        let mut text = String::new();
        let get = |n: &AtomicU64| n.load(Relaxed);
        text.push_str("# TYPE muster_answers_total counter\n");
        for (n, class) in self.answers.iter().zip(1..) {
            _ = writeln!(text, "muster_answers_total{{status=\"{class}xx\"}} {}", get(n));
        }
        for (name, kind, value) in [
            ("muster_commands_total", "counter", get(&self.commands)),
            ("muster_games_opened_total", "counter", get(&self.games)),
            ("muster_streams", "gauge", get(&self.streams)),
            ("muster_rooms", "gauge", rooms as u64),
        ] {
            _ = writeln!(text, "# TYPE {name} {kind}\n{name} {value}");
        }
        text.push_str("# TYPE muster_command_seconds histogram\n");
        let mut sum = 0;
        for (n, class) in self.took.iter().zip(CLASSES) {
            sum += get(n);
            let (s, ms) = (class / 1000, class % 1000);
            _ = writeln!(text, "muster_command_seconds_bucket{{le=\"{s}.{ms:03}\"}} {sum}");
        }
        sum += get(&self.took[CLASSES.len()]);
        let micros = get(&self.took_micros);
        _ = writeln!(text, "muster_command_seconds_bucket{{le=\"+Inf\"}} {sum}");
        _ = writeln!(text, "muster_command_seconds_sum {}.{:06}", micros / 1_000_000, micros % 1_000_000);
        _ = writeln!(text, "muster_command_seconds_count {sum}");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_fall_into_their_classes() {
        let metrics = Metrics::default();
        for micros in [900, 1500, 60_000_000] {
            metrics.commanded(Duration::from_micros(micros));
        }
        let text = metrics.print(3);
        assert!(text.contains("le=\"0.001\"} 1\n") && text.contains("le=\"0.002\"} 2\n"), "{text}");
        assert!(text.contains("le=\"2.000\"} 2\n") && text.contains("le=\"+Inf\"} 3\n"), "{text}");
        assert!(text.contains("muster_command_seconds_sum 60.002400"), "{text}");
    }
}
