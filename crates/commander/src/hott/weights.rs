//! Weights that were found by trying. Where nothing else is said they are hundredths of an AP.

/// What the danger of being attacked weighs, in hundredths.
pub(super) const RISK: i32 = 60;
/// How eager to close at first, in hundredths.
pub(super) const EAGER: i32 = 120;
/// The bound from which eagerness grows, so that no battle drags on for ever.
pub(super) const EAGER_FROM: i32 = 4;
/// By how much it grows with each bound.
pub(super) const EAGER_GROWTH: i32 = 10;
/// What it costs to leave a line alone.
pub(super) const TORN_ONE: i32 = 10;
/// What it costs to tear a part off a line.
pub(super) const TORN_PART: i32 = 12;
/// An idea must promise so much for each PIP.
pub(super) const LEAST_GAIN: i32 = 3;
/// What the combats of this bound weigh, in quarters: one that goes on is fought again.
pub(super) const FIGHTS: i32 = 8;
/// A neighbour in line, for each side.
pub(super) const NEIGHBOUR: i32 = 12;
/// Near the enemy and no friend near.
pub(super) const ALONE: i32 = 20;
/// How strongly any enemy draws, before what a fight with him promises.
pub(super) const APPETITE: i32 = 120;
/// How much of what a fight promises draws, in hundredths.
pub(super) const EDGE: i32 = 50;
/// How much more an enemy general draws.
pub(super) const GENERAL_BAIT: i32 = 30;
/// How much each point of combat factor draws towards the enemy Stronghold.
pub(super) const WALLS: i32 = 3;
/// What a shot weighs for those who shoot in both sides' bounds, in hundredths: friends aid.
pub(super) const VOLLEY: i32 = 150;
/// What a side counts the loss of its own general for, in hundredths of what the enemy's is worth.
pub(super) const OWN_GENERAL: i32 = 100;
/// Near the enemy and one friend near.
pub(super) const ONE_FRIEND: i32 = 8;
/// So many ideas are judged at most before the commander is content to do nothing.
pub(super) const MOST_JUDGED: usize = 40;
/// A plain fight that promises less than this is not looked at further unless somebody stands near to change it.
pub(super) const HOPELESS: i32 = 60;
/// However eager it is, losses and dangers weigh no less than for one so eager.
pub(super) const BOLDEST: i32 = 200;
/// What a fight must promise by itself before an element goes into it, when no more eager than at first.
pub(super) const CHARGE_LEAST: i32 = 15;
/// What it is worth to drive an enemy back, for each hundredth of eagerness, in hundredths.
pub(super) const PRESS: i32 = 14;
/// What the danger of losing the general weighs beside all else, in hundredths.
pub(super) const PERIL: i32 = 150;
/// What the fall of a general decides for a side that is not behind in AP, in hundredths.
pub(super) const GENERAL_AHEAD: i32 = 30;
/// How strongly the enemy's walls draw one who may attack none of his elements.
pub(super) const NOBODY_ELSE: i32 = 60;
/// What its own losses weigh in a fight that it seeks, in hundredths of what the enemy's do: it need not take even fights,
/// since better ones come.
pub(super) const CAUTION: i32 = 250;
/// The bound from which that caution wanes, so that no battle drags on for ever.
pub(super) const TIRED_FROM: i32 = 40;
/// Over how many bounds it wanes.
pub(super) const TIRING: i32 = 40;
/// What the own general weighs in a fight that is sought, in hundredths, before that caution.
pub(super) const GENERAL_DARED: i32 = 200;
/// So near the enemy, in paces, nobody hangs back or runs ahead any more: the battle is on.
pub(super) const BATTLE_NEAR: i32 = 350;
/// What it costs to be a pace ahead of the main body or behind it, in hundredths of a hundredth.
pub(super) const STRAGGLING: i32 = 4;
/// What an own shooter weighs in an exchange of shots, in hundredths.
pub(super) const SHOT_CAUTION: i32 = 200;
/// What the shots weigh of those who shoot in the bounds of either side, in hundredths of one of them.
pub(super) const FIRE_BOTH: i32 = 150;
/// What it weighs to be where an enemy who shoots could bear after a move, in hundredths.
pub(super) const FIRE_NEAR: i32 = 20;
/// The bound from which even plain losses weigh less and less, so that nobody stands before the other for ever.
pub(super) const WEARY_FROM: i32 = 80;
/// Over how many bounds.
pub(super) const WEARYING: i32 = 40;
/// What they weigh in the end, in hundredths.
pub(super) const WEARIEST: i32 = 10;
/// Who goes no farther than this, in 1/100 pace, and turns no more than [`IDLE_TURN`] stays where he is.
pub(super) const IDLE_STEP: field::Len = 3 * field::PACE;
/// In 1/100 degree.
pub(super) const IDLE_TURN: i32 = 300;
