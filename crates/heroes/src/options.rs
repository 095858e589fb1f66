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
    Switch { name: "break_percent", values: &["50"], rule: "HH-257" },
    Switch { name: "cinc_death", values: &["off", "on"], rule: "HH-261" },
    Switch { name: "deployment", values: &["scouting", "dice"], rule: "HH-035" },
    Switch { name: "command_line", values: &["path", "straight"], rule: "HH-056" },
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
    /// HH-257: stands lost, in percent, that must be exceeded for an army to break.
    pub break_percent: u16,
    /// HH-261: the death of the Commander-in-Chief loses the battle.
    pub cinc_death: bool,
    /// HH-038: edge, deployment and first move are rolled for.
    pub dice_deployment: bool,
    /// HH-056: command runs along the straight line.
    pub straight_command: bool,
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
            break_percent: 50,
            cinc_death: false,
            dice_deployment: false,
            straight_command: false,
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
            "cinc_death" => self.cinc_death = second,
            "deployment" => self.dice_deployment = second,
            "command_line" => self.straight_command = second,
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
            "cinc_death" => self.cinc_death,
            "deployment" => self.dice_deployment,
            "command_line" => self.straight_command,
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

#[cfg(test)]
mod tests {
    use super::*;

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
