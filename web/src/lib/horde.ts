// What the tracker's pages are made of, as crates/horde/src/tracker/page.rs gives it.
export interface Unit {
  label: string; name: string; kind: "horde" | "heretic" | "foe"; foes: boolean; initiative: number | null; acts: boolean;
  now: number; of: number; marks: number[]; status: string; figures: string;
}
export interface Open {
  by: string; at: string; hits: number; weapon: string; answer: "open" | "tried" | "evaded" | "taken";
  may: { word: string; score: number; do: string }[]; takes: string; left: number;
}
export interface LogLine { do?: string; say?: string; back?: boolean; gone?: boolean }
export interface MasterPage {
  name: string; round: number; turn: string | null; over: string | null; ended: boolean; rolled: boolean;
  asking: { sides: number; of: string; number: string; more: number; command: string } | null;
  message: string; refused: boolean; usual: { do: string; words: string } | null; undo: string | null;
  units: Unit[]; waiting: Open[]; log: LogLine[]; earlier: number; warnings: string[];
}
export interface Sheet {
  label: string; name: string; wounds: number; of: number; stunned?: number; pinned?: boolean; held_by?: string | null;
  prone?: boolean; surprised?: boolean; status?: string;
}
export interface PlayersPage {
  name: string; round: number; turn: string | null; order: string[]; over: string | null; ended: boolean; heretics: Sheet[];
  foes: { label: string; name: string; horde: boolean; ally: boolean; looks: string }[];
  waiting: { by: string; at: string; how: string; hits: number; open: boolean }[]; log: string[]; earlier: number;
}
export interface Odds {
  at: string; horde: boolean; needs?: number; each?: number; means?: Record<string, number>; dist?: Record<string, [number, number][]>;
}
export interface Weighed { do: string | null; words?: string; odds?: Odds[] }
