// A position on hexes as the text of a case: its pieces read line by line, and written again when a hand moves them.

/** What the server tells of a position on hexes. */
export interface HexPosition {
  grid: [number, number];
  fields: string[];
  units: [string, string][];
  generals: [string, string][];
  box: { label: string; side: string; name: string; general: boolean }[];
  all: Record<string, { name: string; side: string; stands?: number; formation?: string; blocks?: boolean; general?: boolean }>;
  south: string;
  phase: string;
  phasing: string;
  armies: [string, string];
  map: string;
}
/** A piece as its line has it; what is not looked at here stays as it was written. */
export interface Stood {
  label: string;
  general: boolean;
  fields: Record<string, string>;
}

export const EMPTY_HEXES = `title = ''
game = 'heroes'

[position]
map = 'open-field'
armies = ['roman', 'british']
phase = 'tactical'
phasing = 'A'

[position.units]
"A.Leg1" = 'H7 n'
"A.Leg2" = 'I7 n'
"B.War1" = 'H6 s'
"B.War2" = 'I4 s'

[position.generals]
"A.Gen1" = 'H7'
"B.Gen1" = 'I4'
`;

const LINE = /^\s*"?([AB]\.[A-Za-z]+\d+)"?\s*=\s*(.+?)\s*$/;
const bare = (v: string): string => v.replace(/^["']|["']$/g, "");
/** Fields of `{ at = "C4", marks = ["moved"] }`, each with its value as it is written. */
function inline(text: string): Record<string, string> {
  const out: Record<string, string> = {};
  const inner = text.trim().replace(/^\{|\}$/g, "");
  for (const m of inner.matchAll(/([\w-]+)\s*=\s*(\[[^\]]*\]|"[^"]*"|'[^']*'|[^,\s]+)/g)) if (m[1] && m[2]) out[m[1]] = m[2];
  return out;
}
function section(line: string, now: string): string {
  const found = /^\s*\[([^[\]]+)\]\s*$/.exec(line);
  return found?.[1]?.trim() ?? now;
}
export function read(text: string): Stood[] {
  const out: Stood[] = [];
  let at = "";
  for (const line of text.split("\n")) {
    at = section(line, at);
    const m = LINE.exec(line);
    if (!m?.[1] || !m[2] || (at !== "position.units" && at !== "position.generals")) continue;
    const general = at === "position.generals";
    if (m[2].startsWith("{")) {
      out.push({ label: m[1], general, fields: inline(m[2]) });
      continue;
    }
    const [hex = "", facing = "", ...marks] = bare(m[2]).split(/\s+/);
    const fields: Record<string, string> = { at: `"${hex}"` };
    if (facing) fields.facing = `"${facing}"`;
    if (marks.length > 0) fields.marks = `[${marks.map((x) => `"${x}"`).join(", ")}]`;
    out.push({ label: m[1], general, fields });
  }
  return out;
}
export const field = (p: Stood | undefined, key: string): string => bare(p?.fields[key] ?? "");
export const marks = (p: Stood | undefined): string[] => [...(p?.fields.marks ?? "").matchAll(/["']([^"']+)["']/g)].map((m) => m[1] ?? "");
function written(p: Stood): string {
  const keys = Object.keys(p.fields);
  const short = keys.every((k) => k === "at" || k === "facing") && "at" in p.fields;
  return `"${p.label}" = ${short ? `"${[field(p, "at"), field(p, "facing")].filter(Boolean).join(" ")}"` : `{ ${keys.map((k) => `${k} = ${p.fields[k]}`).join(", ")} }`}`;
}
/** The text with a piece put as it is told; with `null` without it. */
export function put(text: string, label: string, general: boolean, piece: Stood | null): string {
  const head = general ? "position.generals" : "position.units";
  const out: string[] = [];
  let at = "";
  let done = false;
  let end = -1;
  for (const line of text.split("\n")) {
    at = section(line, at);
    if (at === head && LINE.exec(line)?.[1] === label) {
      if (piece) out.push(written(piece));
      done = true;
      end = out.length;
      continue;
    }
    out.push(line);
    if (at === head && line.trim() !== "") end = out.length;
  }
  if (!done && piece) {
    if (end < 0) {
      while (out.at(-1) === "") out.pop();
      out.push("", `[${head}]`, written(piece), "");
    } else out.splice(end, 0, written(piece));
  }
  return out.join("\n");
}
/** The text with a key of `[position]` set. */
export function set(text: string, key: string, value: string): string {
  const out: string[] = [];
  let at = "";
  let done = false;
  for (const line of text.split("\n")) {
    const before = at;
    at = section(line, at);
    if (before === "position" && at !== before && !done) {
      const blank: string[] = [];
      while (out.at(-1)?.trim() === "") blank.push(out.pop() ?? "");
      out.push(`${key} = ${value}`, ...blank);
      done = true;
    }
    if (at === "position" && !done && new RegExp(`^\\s*${key}\\s*=`).test(line)) {
      out.push(`${key} = ${value}`);
      done = true;
      continue;
    }
    out.push(line);
  }
  if (!done) out.push(`${key} = ${value}`);
  return out.join("\n");
}
export const unfolded = (head: string, p: HexPosition): string => {
  const lines = (all: [string, string][]) => all.map(([label, v]) => `"${label}" = ${v}`).join("\n");
  return `${head}\n\n[position]\n${p.fields.join("\n")}\n\n[position.units]\n${lines(p.units)}\n\n[position.generals]\n${lines(p.generals)}\n`;
};
const POINTS = ["n", "ne", "se", "s", "sw", "nw"];
export function turned(facing: string, by: 1 | -1): string {
  const at = POINTS.indexOf(facing);
  return POINTS[(Math.max(0, at) + by + 6) % 6] ?? "n";
}
