// Hexes as the page draws them: where they lie, what stands on them, and the ways that the server's texts tell of.

/** Half the width and the radius of a hex, and the rim around them all, as the program draws its maps. */
export const HALF = 52;
export const RADIUS = 60;
export const RIM = 14;

export interface HexUnit {
  label: string;
  short: string;
  words: string;
  side: number;
  hex: string;
  x: number;
  y: number;
  /** Degrees clockwise from up. */
  h: number;
  facing: string;
  formation: string;
  stands: number;
  full: number;
  disrupted: boolean;
  spent: boolean;
  tokens: string[];
  own: boolean;
  general: boolean;
  /** Sides of its hex with stakes. */
  stakes: number[];
}
export interface HexGeneral {
  label: string;
  words: string;
  side: number;
  hex: string;
  x: number;
  y: number;
  alone: boolean;
  hero: boolean;
  own: boolean;
  moved: boolean;
}
export interface HexPlace {
  name: string;
  x: number;
  y: number;
  words: string;
}
export interface HexScene {
  columns: number;
  rows: number;
  width: number;
  height: number;
  turn: number;
  places: HexPlace[];
  units: HexUnit[];
  generals: HexGeneral[];
  /** Zones of control, by side. */
  zones: string[][];
  /** Pairings of the hand-to-hand phase with both sides' sums, as the server has them. */
  fights: { command: string; score: number; dice: number; theirs: number; their_dice: number }[];
  /** Who may shoot at whom. */
  targets: { target: string; shooters: { unit: string }[] }[];
  map: { name: string; text: string };
  /** Who is on a move that others answer; empty: nobody. */
  mover: string;
  /** One's own who wait to be placed, each with its formation. */
  waiting: { label: string; formation: string }[];
}

/** Column and row of a hex by its name, counted from 0; null: no hex. */
export function columnRow(name: string): [number, number] | null {
  const found = /^([A-Za-z])(\d{1,2})$/.exec(name);
  if (!found) return null;
  return [(found[1] as string).toUpperCase().charCodeAt(0) - 65, Number(found[2]) - 1];
}
export function middle(name: string): { x: number; y: number } | null {
  const at = columnRow(name);
  if (!at) return null;
  return { x: RIM + HALF * (2 * at[0] + 1 + (at[1] % 2)), y: RIM + RADIUS + at[1] * RADIUS * 1.5 };
}
/** The hex in which a place lies. */
export function hexAt(x: number, y: number, columns: number, rows: number): string {
  let best = "";
  let least = HALF * HALF * 1.4;
  const row = Math.round((y - RIM - RADIUS) / (RADIUS * 1.5));
  for (let r = Math.max(0, row - 1); r <= Math.min(rows - 1, row + 1); r += 1) {
    const c = Math.round(((x - RIM) / HALF - 1 - (r % 2)) / 2);
    if (c < 0 || c >= columns) continue;
    const far = (RIM + HALF * (2 * c + 1 + (r % 2)) - x) ** 2 + (RIM + RADIUS + r * RADIUS * 1.5 - y) ** 2;
    if (far < least) [best, least] = [`${String.fromCharCode(65 + c)}${r + 1}`, far];
  }
  return best;
}
/** Corners of a hex, or of one drawn smaller in it, as an SVG list of points. */
export function outline(x: number, y: number, share = 1): string {
  const points: [number, number][] = [[0, -RADIUS], [HALF, -RADIUS / 2], [HALF, RADIUS / 2], [0, RADIUS], [-HALF, RADIUS / 2], [-HALF, -RADIUS / 2]];
  return points.map(([dx, dy]) => `${x + dx * share},${y + dy * share}`).join(" ");
}
const HEADINGS: Record<string, number> = {
  n: 0, ne: 60, se: 120, s: 180, sw: 240, nw: 300,
  "road-ne": 30, "road-e": 90, "road-se": 150, "road-sw": 210, "road-w": 270, "road-nw": 330,
};
export const heading = (facing: string): number => HEADINGS[facing] ?? 0;
export const isFacing = (word: string): boolean => word in HEADINGS;
/** How far apart two headings are, in degrees. */
export const apart = (a: number, b: number): number => Math.abs(((a - b + 540) % 360) - 180);
export const FORMATIONS = ["line", "column", "block", "horde"];
export const size = (formation: string): { width: number; depth: number } =>
  formation === "column" ? { width: 44, depth: 72 } : formation === "block" ? { width: 74, depth: 70 } : formation === "horde" ? { width: 80, depth: 60 } : { width: 80, depth: 46 };

/** A command that ends in a hex. */
export interface Way {
  text: string;
  verb: string;
  who: string;
  hex: string;
  facing: string;
  formation: string;
  cost: number;
  of: number;
  turns: number;
  /** Enemies who hold it there. */
  held: string[];
  /** Hexes on the way, the last one too. */
  path: string[];
  off: boolean;
}
/** Whether two hexes touch, by their middles. */
export function touch(a: string, b: string): boolean {
  const [p, q] = [middle(a), middle(b)];
  return !!p && !!q && a !== b && Math.hypot(p.x - q.x, p.y - q.y) < HALF * 2.2;
}
/** What a command's text tells of its way; null if it needs no place on the map. */
export function wayOf(text: string): Way | null {
  const words = text.split(/\s+/);
  const rest = words.slice(2);
  const path = rest.filter((w) => columnRow(w) !== null);
  const off = rest.includes("off");
  const facing = rest.filter(isFacing).at(-1) ?? "";
  const verb = words[0] ?? "";
  if (path.length === 0 && !off && !(facing && ["turn", "shift", "pursue"].includes(verb))) return null;
  const formation = rest.filter((w) => FORMATIONS.includes(w)).at(-1) ?? "";
  return { text, verb, who: words[1] ?? "", hex: path.at(-1) ?? "", facing, formation, cost: 0, of: 0, turns: 0, held: [], path, off };
}
/** `way C5 ne line cost 2 of 3 turns 1 held B.War1 : move A.Leg1 C5 ne` as the server answers. */
export function told(line: string): Way | null {
  const cut = line.indexOf(" : ");
  if (!line.startsWith("way ") || cut < 0) return null;
  const w = line.slice(0, cut).split(" ");
  const text = line.slice(cut + 3);
  const own = wayOf(text);
  const held = w.indexOf("held");
  return {
    text,
    verb: text.split(" ")[0] ?? "",
    who: text.split(" ")[1] ?? "",
    hex: w[1] ?? "",
    facing: w[2] === "-" ? "" : (w[2] ?? ""),
    formation: w[3] === "-" ? "" : (w[3] ?? ""),
    cost: Number(w[5]),
    of: Number(w[7]),
    turns: Number(w[9]),
    held: held < 0 ? [] : w.slice(held + 1),
    path: own?.path ?? [],
    off: false,
  };
}
