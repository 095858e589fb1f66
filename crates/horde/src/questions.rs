//! Questions about a state: derived values and odds, as statements that a case can expect.

use crate::state::State;
use crate::unit::{Unit, UnitId};
use game::Problem;

fn find(s: &State, label: &str) -> Result<UnitId, Problem> {
    let low = label.to_lowercase();
    let exact = s.by_label(&low);
    let begins: Vec<UnitId> =
        s.ids().filter(|id| s.unit(*id).label.to_lowercase().starts_with(&low)).collect();
    match (exact, begins.as_slice()) {
        (Some(id), _) => Ok(id),
        (None, [one]) => Ok(*one),
        _ => Err(Problem::new(format!("nobody here is called `{label}`"))
            .meant(label, s.units.iter().map(|u| &*u.label))),
    }
}

/// Answers.
///
/// # Errors
/// What could not be read.
pub fn ask(s: &State, question: &str) -> Result<Vec<String>, Problem> {
    let words: Vec<&str> = question.split_whitespace().collect();
    match words.as_slice() {
        ["figures", who] => Ok(figures(s, s.unit(find(s, who)?))),
        ["soak", who] => {
            let u = s.unit(find(s, who)?);
            let o = &s.options;
            Ok(vec![format!("soak {}", u.bonus(o, crate::arms::Trait9::T) + u.profile.ap)])
        }
        ["bonus", who] => {
            let u = s.unit(find(s, who)?);
            Ok(crate::arms::Trait9::ALL
                .iter()
                .map(|c| format!("bonus {} {}", c.key(), u.bonus(&s.options, *c)))
                .collect())
        }
        ["size", heads, rest @ ..] => {
            let heads: i32 =
                heads.parse().map_err(|_| Problem::new(format!("`{heads}` is no number of heads")))?;
            let kind = rest.first().copied().unwrap_or("average");
            crate::questions::heads(s, heads, kind)
        }
        ["odds", ..] => crate::odds::answer(s, question),
        _ => Err(Problem::new(format!("`{question}` is no question"))
            .hint("figures LABEL, bonus LABEL, soak LABEL, size HEADS weedy|average|strong, odds ATTACK")),
    }
}

/// HC-103: Magnitude of so many heads.
fn heads(s: &State, heads: i32, kind: &str) -> Result<Vec<String>, Problem> {
    let Some(at) = BUILDS.iter().position(|k| *k == kind) else {
        return Err(Problem::new(format!("`{kind}` is no kind")).hint(BUILDS.join(", ")));
    };
    Ok(vec![match of_heads(&s.options, heads, at) {
        None => "size typed in HC-103".to_owned(),
        Some(n) => format!("size {heads} {kind} = {n} HC-103"),
    }])
}

/// HC-103: Magnitude of so many heads, weedy, average or strong ones; `None` where the option leaves it to be typed in.
pub(crate) fn of_heads(o: &crate::options::Options, heads: i32, kind: usize) -> Option<i32> {
    use crate::options::MagPerHead;
    let t = &o.t().heads;
    let row = match o.mag_per_head {
        MagPerHead::None => return None,
        MagPerHead::Makuu => &t.makuu,
        MagPerHead::Even => &t.even,
        MagPerHead::ForumA => &t.forum_a,
        MagPerHead::ForumB => &t.forum_b,
    };
    let (h, m) = *row.get(kind)?;
    Some(crate::roll::half(o, heads.clamp(0, 100_000) * m, h.max(1)))
}

/// The kinds of HC-103, in the order of the table.
pub(crate) const BUILDS: [&str; 3] = ["weedy", "average", "strong"];

/// HX-01: everything that follows from a Horde's Magnitude.
pub fn figures(s: &State, u: &Unit) -> Vec<String> {
    let o = &s.options;
    let cap = o.t().size.human_melee_cap;
    let size = u.size(o);
    let Some(h) = u.horde() else {
        return vec![
            format!("dodge {}", u.profile.dodge),
            format!("parry {}", u.profile.parry),
            format!("wounds {}", u.person().map_or(0, |p| p.wounds)),
        ];
    };
    vec![
        format!("size {size:+}"),
        format!("melee human {:+}", size.min(cap)),
        format!("melee wading {size:+}"),
        u.evasion_penalty(o).map_or_else(|| "evasion forbidden".to_owned(), |p| format!("evasion {p:+}")),
        format!("bonus {}", u.mb(o)),
        format!("extra dice {}", u.extra_dice(o)),
        format!("ranged attacks {}", u.ranged_attacks(o)),
        format!("fear {:+}", u.fear_bonus(o)),
        format!("fear rating {}", u.fear_rating(o)),
        format!("pinning {:+}", u.suppress_penalty(o)),
        format!("stun {}", u.stun_bonus(o)),
        format!("quarter {}", crate::morale::quarter_of(o, h.ms)),
        format!("looks {}", u.coarse(o)),
    ]
}
