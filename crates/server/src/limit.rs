//! Rates: buckets that fill with time, one for each browser and game, or for each address.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// More buckets than this are not kept: full ones are forgotten first.
const MOST: usize = 20_000;

/// Buckets of one kind.
pub(crate) struct Rates {
    /// A second.
    rate: f64,
    burst: f64,
    buckets: Mutex<BTreeMap<String, (f64, Instant)>>,
}

impl Rates {
    pub(crate) fn new(rate: f64, burst: f64) -> Self {
        Self { rate, burst, buckets: Mutex::new(BTreeMap::new()) }
    }

    /// Whether one more is allowed now.
    pub(crate) fn take(&self, key: &str) -> bool {
        self.take_at(key, Instant::now())
    }

    fn take_at(&self, key: &str, now: Instant) -> bool {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MOST && !buckets.contains_key(key) {
            let (rate, burst) = (self.rate, self.burst);
            buckets.retain(|_, (left, then)| *left + now.duration_since(*then).as_secs_f64() * rate < burst);
            if buckets.len() >= MOST {
                return false;
            }
        }
        let (left, then) = buckets.entry(key.to_owned()).or_insert((self.burst, now));
        *left = (*left + now.duration_since(*then).as_secs_f64() * self.rate).min(self.burst);
        *then = now;
        if *left < 1.0 {
            return false;
        }
        *left -= 1.0;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_burst_passes_then_the_rate_holds_and_others_are_not_touched() {
        let rates = Rates::new(2.0, 3.0);
        let start = Instant::now();
        let passed = (0..10).filter(|_| rates.take_at("a", start)).count();
        assert_eq!(passed, 3);
        assert!(rates.take_at("b", start));
        assert!(!rates.take_at("a", start + Duration::from_millis(400)));
        assert!(rates.take_at("a", start + Duration::from_millis(700)));
    }
}
