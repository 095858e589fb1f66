//! The readings that stay configurable (HH-262).

/// One switch with its values, default first, and the rule it belongs to.
pub struct Switch {
    /// Its name under `heroes.`.
    pub name: &'static str,
    /// Its values, default first; `break_percent` takes any number from 50 to 100.
    pub values: &'static [&'static str],
    /// The rule.
    pub rule: &'static str,
}

/// All switches.
pub const SWITCHES: &[Switch] = &[
    Switch { name: "hero_hits", values: &["ignore_lines", "subtract"], rule: "HH-073" },
    Switch { name: "column_impact", values: &["halve", "minus_two"], rule: "HH-117" },
    Switch { name: "flee_incomplete", values: &["eliminate", "stop"], rule: "HH-225" },
    Switch { name: "wall_recoil_disrupted", values: &["disrupted", "no_effect"], rule: "HH-126" },
    Switch { name: "multi_factors", values: &["any_units", "one_unit"], rule: "HH-204" },
    Switch { name: "one_unit_named", values: &["on", "off"], rule: "HH-R15" },
    Switch { name: "break_percent", values: &["50"], rule: "HH-257" },
    Switch { name: "cinc_death", values: &["off", "on"], rule: "HH-261" },
    Switch { name: "deployment", values: &["scouting", "dice"], rule: "HH-035" },
    Switch { name: "command_line", values: &["path", "straight"], rule: "HH-056" },
    Switch { name: "after_escape", values: &["asked", "path"], rule: "HH-R03" },
    Switch { name: "forced_squeeze", values: &["on", "off"], rule: "HH-R16" },
    Switch { name: "voluntary_flee", values: &["on_contact", "also_tactical"], rule: "HH-139" },
];

/// The switches as set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// HH-073: subtract three hits instead of ignoring three lines.
    pub hero_subtracts: bool,
    /// HH-117: column impact is reduced by two instead of halved.
    pub column_minus_two: bool,
    /// HH-225: a flight that cannot be completed stops where it is blocked.
    pub flee_stops: bool,
    /// HH-126: recoil disrupted has no effect on a shield wall.
    pub wall_holds: bool,
    /// HH-204: factor and impact come from one unit.
    pub one_unit: bool,
    /// HH-R15: with `one_unit` its owner names it; without, the best counts (as in records from before he was asked).
    pub one_unit_named: bool,
    /// HH-257: stands lost, in percent, that must be exceeded for an army to break.
    pub break_percent: u16,
    /// HH-261: the death of the Commander-in-Chief loses the battle.
    pub cinc_death: bool,
    /// HH-038: edge, deployment and first move are rolled for.
    pub dice_deployment: bool,
    /// HH-056: command runs along the straight line.
    pub straight_command: bool,
    /// HH-R03: after a general's escape the mover's owner says how it goes on with what is left of its budget; without, it
    /// keeps to its path (as in records from before he was asked).
    pub escape_asks: bool,
    /// HH-156, HH-253: elephants that ran into contact in their own movement have come into it and may be shot at, and a hard
    /// target never has an impact bonus. No option: records from before `after_escape` play on without it.
    pub corrected: bool,
    /// HH-R16: bridges and fords squeeze into column by whatever move a unit comes there.
    pub forced_squeeze: bool,
    /// HH-139: F units may also flee as their tactical move.
    pub tactical_flee: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            hero_subtracts: false,
            column_minus_two: false,
            flee_stops: false,
            wall_holds: false,
            one_unit: false,
            one_unit_named: true,
            break_percent: 50,
            cinc_death: false,
            dice_deployment: false,
            straight_command: false,
            escape_asks: true,
            corrected: true,
            forced_squeeze: true,
            tactical_flee: false,
        }
    }
}

impl Options {
    /// Sets one switch from words.
    ///
    /// # Errors
    /// Names the switches or values that exist.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let name = name.strip_prefix("heroes.").unwrap_or(name);
        let Some(switch) = SWITCHES.iter().find(|s| s.name == name) else {
            let mut names: Vec<&str> = SWITCHES.iter().map(|s| s.name).collect();
            names.sort_by_key(|n| strsim::damerau_levenshtein(n, name));
            return Err(format!("no option heroes.{name}; did you mean heroes.{}?", names[0]));
        };
        if name == "break_percent" {
            match value.parse::<u16>() {
                Ok(n) if n == 50 || (60..=100).contains(&n) => self.break_percent = n,
                _ => {
                    return Err(format!(
                        "heroes.break_percent = {value}: 50, or 60 to 100 by agreement (HH-257)"
                    ));
                }
            }
            return Ok(());
        }
        let plain = value.trim().to_ascii_lowercase().replace([' ', '-'], "_");
        let Some(at) = switch.values.iter().position(|v| *v == plain) else {
            return Err(format!("heroes.{name} = {value}: {} ({})", switch.values.join(" or "), switch.rule));
        };
        let second = at == 1;
        match name {
            "hero_hits" => self.hero_subtracts = second,
            "column_impact" => self.column_minus_two = second,
            "flee_incomplete" => self.flee_stops = second,
            "wall_recoil_disrupted" => self.wall_holds = second,
            "multi_factors" => self.one_unit = second,
            "one_unit_named" => self.one_unit_named = !second,
            "cinc_death" => self.cinc_death = second,
            "deployment" => self.dice_deployment = second,
            "command_line" => self.straight_command = second,
            "after_escape" => self.escape_asks = !second,
            "forced_squeeze" => self.forced_squeeze = !second,
            _ => self.tactical_flee = second,
        }
        Ok(())
    }

    /// The value of a switch in words.
    #[must_use]
    pub fn get(&self, name: &str) -> String {
        let second = match name {
            "hero_hits" => self.hero_subtracts,
            "column_impact" => self.column_minus_two,
            "flee_incomplete" => self.flee_stops,
            "wall_recoil_disrupted" => self.wall_holds,
            "multi_factors" => self.one_unit,
            "one_unit_named" => !self.one_unit_named,
            "cinc_death" => self.cinc_death,
            "deployment" => self.dice_deployment,
            "command_line" => self.straight_command,
            "after_escape" => !self.escape_asks,
            "forced_squeeze" => !self.forced_squeeze,
            "voluntary_flee" => self.tactical_flee,
            _ => return self.break_percent.to_string(),
        };
        SWITCHES
            .iter()
            .find(|s| s.name == name)
            .and_then(|s| s.values.get(usize::from(second)))
            .map_or_else(String::new, |v| (*v).to_owned())
    }
}

/// One switch with one of its values: what a ruling sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub struct Setting {
    /// Number of the switch in [`SWITCHES`].
    switch: u8,
    /// Number of the value, or the percentage.
    value: u8,
}

impl Setting {
    /// Reads a switch and its value.
    ///
    /// # Errors
    /// Names the values that exist.
    pub fn read(name: &str, value: &str) -> Result<Setting, String> {
        let mut options = Options::default();
        options.set(name, value)?;
        let name = name.strip_prefix("heroes.").unwrap_or(name);
        let switch = SWITCHES.iter().position(|s| s.name == name).unwrap_or(0);
        let text = options.get(name);
        let at = SWITCHES[switch].values.iter().position(|v| *v == text).unwrap_or(0);
        let value = if name == "break_percent" { options.break_percent as usize } else { at };
        Ok(Setting { switch: switch as u8, value: value as u8 })
    }

    /// The name of the switch.
    #[must_use]
    pub fn name(self) -> &'static str {
        SWITCHES.get(usize::from(self.switch)).map_or("", |s| s.name)
    }

    /// The value in words.
    #[must_use]
    pub fn value(self) -> String {
        match SWITCHES.get(usize::from(self.switch)) {
            Some(s) if s.name == "break_percent" => self.value.to_string(),
            Some(s) => s.values.get(usize::from(self.value)).map_or_else(String::new, |v| (*v).to_owned()),
            None => String::new(),
        }
    }

    /// Sets it.
    pub fn apply(self, options: &mut Options) {
        // INVARIANT: it was read from words that set it (`Setting::read`).
        let _ = options.set(self.name(), &self.value());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_says_what_it_sets() {
        for s in SWITCHES {
            for v in s.values {
                let setting = Setting::read(s.name, v).unwrap();
                assert_eq!((setting.name(), setting.value().as_str()), (s.name, *v));
                let mut o = Options::default();
                setting.apply(&mut o);
                assert_eq!(o.get(s.name), *v);
            }
        }
        assert_eq!(Setting::read("heroes.break_percent", "75").unwrap().value(), "75");
        assert!(Setting::read("break_percent", "20").is_err());
    }

    #[test]
    fn every_switch_sets_and_reads_back() {
        let mut o = Options::default();
        for s in SWITCHES {
            assert_eq!(o.get(s.name), s.values[0], "the first value is the default");
            for v in s.values.iter().rev() {
                o.set(s.name, v).unwrap();
                assert_eq!(o.get(s.name), *v);
            }
        }
        o.set("heroes.break_percent", "60").unwrap();
        assert_eq!(o.break_percent, 60);
        assert!(o.set("break_percent", "55").unwrap_err().contains("HH-257"));
        assert!(o.set("hero_hit", "x").unwrap_err().contains("hero_hits"));
    }
}
