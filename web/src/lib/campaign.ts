// What a campaign's pages are made of, as crates/muster/src/serve/campaign.rs gives it.
export interface CampBattle {
  name: string; at: string; nations: string[]; attacker: string; defender: string; home: boolean; date: string | null;
  bounds: number; table: string | null; trouble?: string;
  result: { winner: string | null; ending: string; bounds: number; how: string; lost: string[] } | null;
}
export interface Receipt {
  nation: string; set: number | null; orders: string[]; guesses: string[]; problems: string[]; late: string[]; missing: string[];
  dropped: string[]; slips: string[]; dry_run: string[];
}
export interface CampNote {
  from: string | null; to: string; text: string; later: boolean;
}
/** A letter as its reader has it, with his map. */
export interface CampLetter {
  letter: string; map: string; sets?: { number: number; state: string; text: string }[];
}
export interface NationPage {
  name: string; nation: string; when: string; told: string; phase: "orders" | "waiting" | "battles" | "winter" | "over";
  winner: string | null; map: string; letter: string; form: string; sets: { number: number; state: "draft" | "submitted" | "confirmed"; text: string }[];
  receipt: Receipt | null; battles: CampBattle[]; nations: string[]; due: string | null; seasons: string[]; corrected: string[];
  unsigned: boolean; notes: CampNote[];
}
/** How a nation's orders are read, for the umpire's eye. */
export interface CampOdd {
  nation: string; text: string | null; unread?: string[]; guesses?: string[]; missing?: string[]; dropped?: string[]; slips?: string[]; late?: string[]; read?: string[];
}
export interface UmpirePage {
  name: string; when: string; told: string; phase: string; winner: string | null; map: string; letter: string; nations: string[];
  holds: boolean; battles: CampBattle[]; log: { by: string; do: string; said: string[] }[]; due: string | null; odd: CampOdd[];
  memo: string; seasons: string[]; paragraphs: { to: string | null; text: string }[];
  desk: {
    season: string; phase: string; held: string | null;
    nations: { nation: string; orders: "none" | "draft" | "submitted" | "confirmed" | "late"; sets: number; unread: number; missed: number; hand: string | null }[];
  };
}
/** What comes of a season run again. */
export interface CampAgain {
  changed: { who: string; lines: string[] }[]; notes: string[];
}
/** A line that went or came, without the marks of the text it stands in. */
export function changedLine(line: string): string {
  const words = line.slice(2).replace(/^(- |#+ )/, "").replace(/^\|\s*|\s*\|$/g, "").replace(/\s*\|\s*/g, " · ").replace(/\*/g, "");
  return `${line.startsWith("-") ? "−" : "+"} ${words}`;
}
