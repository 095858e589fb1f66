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
export interface NationPage {
  name: string; nation: string; when: string; told: string; phase: "orders" | "waiting" | "battles" | "winter" | "over";
  winner: string | null; map: string; letter: string; form: string; sets: { number: number; state: "draft" | "submitted" | "confirmed"; text: string }[];
  receipt: Receipt | null; battles: CampBattle[]; nations: string[];
}
export interface UmpirePage {
  name: string; when: string; told: string; phase: string; winner: string | null; map: string; letter: string; nations: string[];
  holds: boolean; battles: CampBattle[]; log: { by: string; do: string; said: string[] }[];
  desk: {
    season: string; phase: string; held: string | null;
    nations: { nation: string; orders: "none" | "draft" | "submitted" | "confirmed" | "late"; sets: number; unread: number; missed: number; hand: string | null }[];
  };
}
