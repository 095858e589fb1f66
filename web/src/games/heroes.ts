// Hordes & Heroes: its view and its texts as the table shows them.
import type { GameEvent, Item, Owed } from "../lib/api.ts";
import { HALF, RADIUS, RIM, columnRow, heading, middle, size, wayOf, type HexGeneral, type HexScene, type HexUnit } from "../lib/hexes.ts";
import type { Adapter, Army, Button, Fight, Mark, Odds, Piece, Scene } from "../lib/model.ts";
import { t } from "../lib/words.ts";

interface View {
  viewer: string;
  map: { name: string; width: number; depth: number; text: string; hexes: { hex: string; ground: string; height: number }[] };
  units: {
    label: string;
    name: string;
    side: string;
    hex: string;
    facing: string;
    formation: string;
    stands: number;
    full: number;
    type: string;
    impact: number;
    shooting: string;
    traits: string[];
    disrupted: boolean;
    fate: string;
    impact_state: string;
    holds: boolean;
    moved: boolean;
    commanded: boolean;
    reply: string;
    wall?: boolean;
    pavise?: boolean;
    stakes?: number[];
  }[];
  generals: { label: string; name: string; side: string; hex: string; quality: number; hero: boolean; chief: boolean; lost: boolean; moved: boolean; with: string | null }[];
  sides: { side: string; army: string; stands: number; lost: number; breaks: number; edge: string; zone: string[] }[];
  phase: string;
  phasing: string;
  bound: number;
  bounds: number;
  owner: string | null;
  fights: HexScene["fights"];
  targets: HexScene["targets"];
  mover: string | null;
}

/** The sign of a unit, of the set that every game shares. */
function sign(u: View["units"][number]): string {
  const has = (x: string) => u.traits.includes(x);
  const shoots = u.shooting !== "-" && u.shooting !== "";
  if (shoots && !/^\d+\+$/.test(u.shooting)) return "art";
  if (u.type === "El") return "beh";
  if (u.type === "W") return has("Ch") ? "kni" : "abt";
  if (u.type === "M") return u.impact > 0 && !shoots ? "kni" : "rid";
  if (has("H") || has("AH")) return "hrd";
  if (has("Pk")) return "spr";
  if (shoots) return "sht";
  return has("S") ? "spr" : u.impact > 0 ? "wbd" : "bld";
}
const short = (label: string): string => label.split(".")[1] ?? label;
export const parts = (label: string): [string, string] => {
  const found = /^([A-Za-z]+?)(\d*)$/.exec(short(label));
  return [found?.[1] ?? label, found?.[2] ?? ""];
};
const PHASES = ["generals", "compulsory", "tactical", "shooting", "return", "melee"] as const;
const BEFORE: [string[], "hex_step_order" | "hex_step_edge" | "hex_step_deploy"][] = [
  [["order"], "hex_step_order"],
  [["edge"], "hex_step_edge"],
  [["deploy-first", "deploy-second"], "hex_step_deploy"],
];

let known: { key: string; places: HexScene["places"] } = { key: "", places: [] };
/** All hexes, with words for those of which there is something to say; the map stays, so it is made once. */
function places(map: View["map"]): HexScene["places"] {
  const key = `${map.width} ${map.depth} ${map.text}`;
  if (known.key === key) return known.places;
  const words = new Map(map.hexes.map((h) => [h.hex, [h.ground === "clear" ? "" : h.ground, h.height > 0 ? `hill ${h.height}` : ""].filter(Boolean).join(" ")]));
  const all = Array.from({ length: map.width * map.depth }, (_, i) => `${String.fromCharCode(65 + (i % map.width))}${Math.floor(i / map.width) + 1}`);
  known = { key, places: all.flatMap((name) => {
    const at = middle(name);
    return at ? [{ name, ...at, words: words.get(name) ?? "" }] : [];
  }) };
  return known.places;
}

function scene(raw: unknown, viewer: string): Scene {
  const view = raw as View;
  const letters = view.sides.map((s) => s.side);
  const n = (letter: string) => Math.max(0, letters.indexOf(letter));
  const own = letters.indexOf(viewer);
  const width = HALF * (2 * view.map.width + 1) + 2 * RIM;
  const height = RADIUS * (0.5 + 1.5 * view.map.depth) + 2 * RIM;
  const turn = own >= 0 && view.sides[own]?.edge === "north" ? 180 : 0;
  const over = view.phase === "over";
  const hosts = new Set(view.generals.map((g) => g.with).filter(Boolean));
  const units: HexUnit[] = [];
  const pieces: Piece[] = view.units.map((u) => {
    const at = middle(u.hex);
    const [code, number] = parts(u.label);
    const tokens: string[] = [];
    if (u.holds) tokens.push(t("hex_holds"));
    if (u.impact_state === "spent") tokens.push(t("hex_spent"));
    if (u.wall) tokens.push(t("hex_wall"));
    if (u.pavise) tokens.push(t("hex_pavise"));
    const phasing = u.side === view.phasing && (PHASES as readonly string[]).includes(view.phase);
    const state = [u.disrupted ? t("hex_disrupted") : "", ...tokens, u.moved && phasing ? t("hex_moved") : "", phasing && !u.disrupted && !u.commanded ? t("hex_uncommanded") : ""].filter(Boolean);
    const words = `${u.name}${number ? ` ${number}` : ""}, ${u.formation}, ${u.stands}/${u.full}${state.length ? `, ${state.join(", ")}` : ""}`;
    const one: HexUnit = {
      label: u.label, short: short(u.label), words, side: n(u.side), hex: u.hex, x: at?.x ?? 0, y: at?.y ?? 0, h: heading(u.facing), facing: u.facing,
      formation: u.formation, stands: u.stands, full: u.full, disrupted: u.disrupted, spent: u.moved && phasing, tokens: tokens.filter((x) => x !== t("hex_wall")),
      own: n(u.side) === own, general: hosts.has(u.label), stakes: u.stakes ?? [],
    };
    if (at) units.push(one);
    return {
      label: u.label, short: one.short, words, side: one.side, sign: sign(u), code, number, pose: { x: one.x, y: height - one.y, h: one.h }, ...size(u.formation),
      general: false, grade: "", tab: "", own: one.own, spent: one.spent, fate: at ? "table" : u.fate === "reserve" ? "waiting" : "gone", cost: `${u.stands}/${u.full}`,
    };
  });
  const generals: HexGeneral[] = [];
  for (const g of view.generals) {
    const at = middle(g.hex);
    const many = view.generals.filter((o) => o.side === g.side).length > 1;
    const words = `${g.name}${many ? ` ${parts(g.label)[1]}` : ""}${t("general_suffix")}`;
    if (at) generals.push({ label: g.label, words, side: n(g.side), hex: g.hex, ...at, alone: !g.with, hero: g.hero, own: n(g.side) === own, moved: g.moved });
    const [code, number] = parts(g.label);
    pieces.push({
      label: g.label, short: short(g.label), words, side: n(g.side), sign: "her", code, number, pose: { x: at?.x ?? 0, y: height - (at?.y ?? 0), h: 0 }, width: 60, depth: 46,
      general: true, grade: "", tab: "", own: n(g.side) === own, spent: g.moved, fate: at ? "table" : g.lost ? "gone" : "waiting", cost: t("hex_quality", { n: g.quality }),
    });
  }
  const armies: Army[] = view.sides.map((s, i) => {
    const all = view.generals.filter((g) => g.side === s.side);
    return {
      n: i, letter: s.side, name: s.army, own: i === own, active: s.side === view.phasing && !over, won: false, lost: s.lost, half: s.breaks, total: s.stands,
      general: t("hex_general", { n: all.filter((g) => !g.lost).length, of: all.length }), stronghold: "", pips: [],
      tray: pieces.filter((p) => p.side === i && p.fate === "waiting"), gone: pieces.filter((p) => p.side === i && p.fate === "gone"), unknown: 0,
      words: t("hex_lost", { lost: s.lost, total: s.stands, breaks: s.breaks }),
    };
  });
  const begun = (PHASES as readonly string[]).includes(view.phase);
  const steps = begun
    ? PHASES.map((p) => ({ word: t(`hex_step_${p}`), now: p === view.phase }))
    : BEFORE.map(([ps, word]) => ({ word: t(word), now: ps.includes(view.phase) }));
  const army = view.sides.find((s) => s.side === view.phasing);
  return {
    board: {
      width, height, turn, pieces: pieces.filter((p) => p.fate === "table"), blocks: [], ground: { map: { name: view.map.name, text: view.map.text } },
      ground_path: "/api/library/heroes/ground", ground_key: view.map.text, edges: [], arrows: [], runs: [],
    },
    armies, scale: "", step: view.phase, steps,
    turn: begun || over ? t("hex_bound", { n: Math.ceil(view.bound), side: `${view.phasing} (${army?.army ?? ""})` }) : t("set_up"),
    my_turn: letters[own] === view.phasing,
    plans: [],
    hexes: {
      columns: view.map.width, rows: view.map.depth, width, height, turn,
      places: places(view.map),
      units, generals, zones: view.sides.map((s) => s.zone), fights: view.fights, targets: view.targets, map: { name: view.map.name, text: view.map.text },
      mover: view.mover ?? "", waiting: view.units.filter((u) => n(u.side) === own && u.fate === "reserve").map((u) => ({ label: u.label, formation: u.formation })),
    },
  };
}

/** Labels of both groups of `fight A.x A.y with B.z`, `shoot B.z with A.x`. */
function groups(text: string): [string[], string[]] {
  const [a = "", b = ""] = text.replace(/^\S+ /, "").split(" with ");
  return [a.split(" "), b.split(" ")];
}
const list = (some: string[]): string => some.map(short).join(" + ");

function fights(texts: string[], _facts: string[], now: Scene): Fight[] {
  const pairs = now.hexes?.fights ?? [];
  // What the dice add on the whole: two sixes add seven.
  const gain = (f: (typeof pairs)[number]) => f.score - f.theirs + 3.5 * (f.dice - f.their_dice);
  const best = [...pairs].sort((a, b) => gain(b) - gain(a));
  const melee = best.filter((f) => texts.includes(f.command)).map((f): Fight => {
    const [a, b] = groups(f.command);
    const sum = (n: number, dice: number) => `${n} + ${dice}d6`;
    return { who: [a.join(" "), b.join(" ")], do: f.command, words: t("hex_pairing", { a: list(a), b: list(b), x: sum(f.score, f.dice), y: sum(f.theirs, f.their_dice) }), question: `factors ${a.join(" ")} with ${b.join(" ")}` };
  });
  const others = texts.flatMap((x): Fight[] => {
    const verb = x.split(" ")[0] ?? "";
    if (verb === "shoot" || verb === "suppress") {
      const [target, by] = groups(x);
      const words = t(verb === "shoot" ? "hex_shoots" : "hex_suppresses", { a: list(by), b: list(target) });
      return [{ who: [by.join(" "), target.join(" ")], do: x, words, question: `factors ${by.join(" ")} ${verb === "shoot" ? "at" : "suppress"} ${target.join(" ")}` }];
    }
    if (verb === "fight" && !pairs.some((p) => p.command === x)) {
      const [a, b] = groups(x);
      return [{ who: [a.join(" "), b.join(" ")], do: x, words: t("hex_on_general", { a: list(a), b: list(b) }), question: `factors ${a.join(" ")} with ${b.join(" ")}` }];
    }
    return [];
  });
  return [...melee, ...others];
}

function buttons(texts: string[], owed: Owed | undefined, now: Scene): Button[] {
  if (owed?.kind === "choice" && owed.answers) {
    // What is chosen on the map stands there; here what needs no place, and what stands if nobody chooses.
    const plain = owed.answers.filter((a) => !wayOf(a));
    const all = owed.stands && !plain.includes(owed.stands) ? [owed.stands, ...plain] : plain;
    return (all.length > 0 ? all : owed.answers).map((a) => ({ do: a, words: sentence(a), main: a === owed.stands }));
  }
  const out: Button[] = [];
  const end = texts.includes("end");
  const first = fights(texts, [], now)[0];
  if (now.step === "melee" && first) out.push({ do: first.do, words: t("hex_fight_next", { who: first.words }), main: true });
  const words: Record<string, string> = { generals: t("hex_end_generals"), tactical: t("hex_end_tactical"), shooting: t("hex_end_shooting"), return: t("hex_end_shooting"), melee: t("hex_end_melee") };
  if (end) out.push({ do: "end", words: words[now.step] ?? t("hex_end"), main: out.length === 0 });
  for (const x of texts) {
    if (x === "end" || /^(fight|shoot|suppress) /.test(x)) continue;
    const main = out.every((b) => !b.main);
    if (x === "array") {
      out.push({ do: x, then: ["ready"], words: t("hex_array_begin"), main: true }, { do: x, words: t("hex_array"), main: false });
    } else if (now.step === "compulsory") out.push({ do: x, words: t("hex_next_must", { who: short(x.split(" ")[1] ?? "") }), main });
    else out.push({ do: x, words: sentence(x), main: main && !x.startsWith("begin") });
  }
  return out;
}

const PLAIN: Record<string, Parameters<typeof t>[0]> = {
  stand: "hex_stand", stay: "hex_stay", halt: "hex_halt", yield: "hex_yield", stampede: "hex_stampede", count: "hex_count",
};
const WHOLE: Record<string, Parameters<typeof t>[0]> = {
  roll: "hex_roll", "deploy first": "hex_first", "deploy second": "hex_second", "edge south": "hex_south", "edge north": "hex_north", array: "hex_array", ready: "hex_ready", decline: "hex_decline", end: "hex_end",
};
/** A text as people say it. */
export function sentence(text: string): string {
  const whole = WHOLE[text];
  if (whole) return t(whole);
  const [verb = "", who = "", ...rest] = text.split(" ");
  const plain = PLAIN[verb];
  if (plain) return t(plain, { who: short(who) });
  if (verb === "hold") return t("hex_hold");
  if (verb === "release") return t("hex_release");
  if (verb === "plant") return t("hex_plant");
  if (verb === "dismount") return t("hex_dismount");
  if (verb === "combine") return t("hex_combine", { n: rest[1] ?? "", from: short(rest[0] ?? "") });
  if (verb === "merge") return t("hex_merge", { who: list([who, ...rest]) });
  if (verb === "begin") return t("hex_begin", { who: list([who, ...rest]) });
  if (verb === "split") return t("hex_split", { who: short(rest[1] ?? ""), hex: rest[2] ?? "" });
  if (verb === "challenge") return t("hex_challenge", { who: rest[0] ?? "" });
  if (verb === "shoot") return t("hex_shoot", { who });
  if (verb === "move" && rest.join(" ") === "drop") return t("hex_drop");
  const way = wayOf(text);
  if (!way) return text;
  const to = way.off ? t("hex_off") : way.hex;
  const what = verb === "move" || verb === "step" || verb === "place" ? "" : `${verb[0]?.toUpperCase()}${verb.slice(1)}: `;
  return `${what}${to ? t("hex_way", { who: short(who), hex: to }) : short(who)}${way.facing ? `, ${t("hex_facing", { facing: way.facing })}` : ""}`;
}

function odds(answer: string[]): Odds {
  const names: [string, string] = ["", ""];
  const sums: [string, string] = ["", ""];
  const factors: Odds["factors"] = [[], []];
  const bars: Odds["bars"] = [];
  for (const line of answer) {
    const w = line.split(" ");
    const n = w[1] === "1" ? 1 : 0;
    if (w[0] === "side") names[n] = w.slice(2).join(" ");
    if (w[0] === "sum") sums[n] = w.slice(2).join(/d\d+$/.test(line) ? " + " : " ");
    if (w[0] === "factor") factors[n].push({ rule: w[2] ?? "", value: w.slice(3).map(short).join(" ") });
    if (w[0] === "chance") {
      const side = w[2] === "-" ? -1 : Number(w[2]);
      const words = w.slice(3).join(" ");
      bars.push({ words: w.slice(3).map(short).join(" "), part: Number(w[1]) / 1e6, side, who: side < 0 ? "" : (words.split(" ")[0] ?? ""), lost: /removed|falls/.test(words) });
    }
  }
  // From the left: what befalls the second, then nobody, then what befalls the first.
  const place = (side: number) => (side === 1 ? 0 : side < 0 ? 1 : 2);
  bars.sort((a, b) => place(a.side) - place(b.side) || b.part - a.part);
  return { names, factors, sums, bars, also: [], past: [] };
}

const RESULT = ["hit", "lost", "removed", "recoiled", "fled", "disrupted", "spared", "stampeded", "suppressed"];
/** A combat or shot as it happened, with what came of it to each side. */
function fought(item: Item, after: Item[] = []): ReturnType<Adapter["fought"]> {
  const e = item.event as GameEvent & { unit?: string; enemy?: string; target?: string; score?: number; theirs?: number; hits?: number; dice?: number; need?: number };
  const general = String((e as { general?: string }).general ?? "");
  if (e.kind === "attacked" || e.kind === "duel") {
    // Totals of a general who was attacked or challenged, and what came of it.
    const fell = after.slice(0, 3).filter((i) => i.event?.kind === "fell").map((i) => String(i.event?.say ?? ""));
    const two = e as { total?: number };
    const names: [string, string] = e.kind === "duel" ? [general, String(e.enemy ?? "")] : ["", general];
    const totals: [string, string] = e.kind === "duel" ? [String(two.total), String(e.theirs)] : [String(e.theirs), String(e.score)];
    return { names, factors: [[], []], sums: ["", ""], bars: [], also: [], past: [], dice: ["", ""], totals, results: ["", fell.join(" ")] };
  }
  if (e.kind !== "fought" && e.kind !== "shot") return null;
  const names: [string, string] = [String(e.unit ?? ""), String(e.enemy ?? e.target ?? "")];
  const results: [string, string] = ["", ""];
  for (const next of after) {
    const k = next.event?.kind ?? "";
    if (["fought", "phase", "bound", "shot"].includes(k)) break;
    const who = String(next.event?.unit ?? "");
    if (!RESULT.includes(k) || !who) continue;
    const n = who.split(".")[0] === names[1].split(".")[0] ? 1 : 0;
    results[n] += `${results[n] ? " " : ""}${String(next.event?.say ?? "")}.`;
  }
  const totals: [string, string] = e.kind === "fought" ? [String(e.score), String(e.theirs)] : [`${e.hits} / ${e.dice}d12${e.need ? `, ${e.need}+` : ""}`, ""];
  return { names, factors: [[], []], sums: ["", ""], bars: [], also: [], past: [], dice: ["", ""], totals, results };
}

function marks(events: GameEvent[], way: number, now: Scene): Mark[] {
  const out = new Map<string, Mark>();
  const height = now.board.height;
  let begun = false;
  for (const e of events) {
    if (e.kind === "fought" || e.kind === "shot") begun = true;
    if (["bound", "phase"].includes(e.kind ?? "")) break;
    const piece = typeof e.unit === "string" ? now.board.pieces.find((p) => p.label === e.unit) : undefined;
    if (!piece || !begun) continue;
    const base = { label: piece.label, from: piece.pose, width: piece.width, depth: piece.depth, way };
    const at = typeof e.hex === "string" ? middle(e.hex) : null;
    if (e.kind === "removed" || (e.kind === "fled" && !at)) out.set(piece.label, { ...base, to: piece.pose, gone: true });
    else if (at && ["recoiled", "fled", "pushed", "stampeded"].includes(e.kind ?? "")) out.set(piece.label, { ...base, to: { x: at.x, y: height - at.y, h: piece.pose.h }, gone: false });
  }
  return [...out.values()];
}

const WAYS = ["ne", "e", "se", "sw", "w", "nw"];
/** Hexes between two, and which way. */
function far(a: string, b: string): { n: number; way: string } {
  const [p, q] = [columnRow(a), columnRow(b)];
  const [m, o] = [middle(a), middle(b)];
  if (!p || !q || !m || !o) return { n: 99, way: "" };
  const cube = ([c, r]: [number, number]) => ({ q: c - (r - (r % 2)) / 2, r });
  const [x, y] = [cube(p), cube(q)];
  const n = Math.max(Math.abs(x.q - y.q), Math.abs(x.r - y.r), Math.abs(x.q + x.r - y.q - y.r));
  const angle = ((Math.atan2(o.x - m.x, m.y - o.y) * 180) / Math.PI + 360) % 360;
  return { n, way: WAYS[Math.floor(angle / 60) % 6] ?? "" };
}

/** Facings as the side sees them that has the upper edge, and as a mirror shows them. */
const TURNED: Record<string, string> = { n: "s", s: "n", ne: "sw", sw: "ne", se: "nw", nw: "se", "road-e": "road-w", "road-w": "road-e", "road-ne": "road-sw", "road-sw": "road-ne", "road-se": "road-nw", "road-nw": "road-se" };
const MIRRORED: Record<string, string> = { ne: "nw", nw: "ne", se: "sw", sw: "se", "road-e": "road-w", "road-w": "road-e", "road-ne": "road-nw", "road-nw": "road-ne", "road-se": "road-sw", "road-sw": "road-se" };
/** A deployment as its owner sees it: columns from the middle, in halves, and rows from his own edge. */
function keep(now: Scene): string {
  const map = now.hexes;
  if (!map) return "";
  const up = map.turn === 180;
  const where = (hex: string): string => {
    const [c, r] = columnRow(hex) ?? [0, 0];
    return `${2 * (up ? map.columns - 1 - c : c) - map.columns + 1} ${up ? r : map.rows - 1 - r}`;
  };
  const units = map.units.filter((u) => u.own).map((u) => `${u.short} ${where(u.hex)} ${up ? (TURNED[u.facing] ?? u.facing) : u.facing} ${u.formation}${u.stakes.length > 0 ? " stakes" : ""}`);
  return [...units, ...map.generals.filter((g) => g.own).map((g) => `${short(g.label)} ${where(g.hex)}`)].join(", ");
}
/** It again as commands, one after another, without those that change nothing. */
function kept(text: string, mirrored: boolean, now: Scene): string {
  const map = now.hexes;
  if (!map) return "";
  const up = map.turn === 180;
  const out = text.split(",").flatMap((part) => {
    const [who = "", x = "0", y = "0", facing = "", ...rest] = part.trim().split(/\s+/);
    const own = Math.min(map.columns - 1, Math.max(0, Math.round((Number(x) * (mirrored ? -1 : 1) + map.columns - 1) / 2)));
    const [c, r] = up ? [map.columns - 1 - own, Number(y)] : [own, map.rows - 1 - Number(y)];
    const hex = `${String.fromCharCode(65 + c)}${r + 1}`;
    if (!facing) {
      const general = map.generals.find((g) => g.own && short(g.label) === who);
      return general?.hex === hex ? [] : [`station ${who} ${hex}`];
    }
    const seen = mirrored ? (MIRRORED[facing] ?? facing) : facing;
    const looks = up ? (TURNED[seen] ?? seen) : seen;
    const unit = map.units.find((u) => u.own && u.short === who);
    if (unit?.hex === hex && unit.facing === looks && unit.formation === rest[0] && unit.stakes.length > 0 === rest.includes("stakes")) return [];
    return [`place ${who} ${hex} ${looks} ${rest.join(" ")}`];
  });
  return out.join("; ");
}
const none = (): string => "";
export const heroes: Adapter = {
  proposals: "now",
  scene,
  buttons,
  about: () => [],
  dock: () => null,
  groups: () => [],
  place: none,
  wheel: none,
  tries: () => [],
  against: none,
  attack: none,
  attacks: () => false,
  pairs: () => [],
  besides: none,
  marks,
  ruling: (text) => {
    const body = text.trim().replace(/^(ruling|rule)\s+/i, "");
    const set = /^(?:set\s+|option\s+)?(?:heroes\.)?([a-z_]+)\s*=\s*(\S+)$/i.exec(body);
    return set ? `rule option ${set[1]} ${set[2]}` : `rule ${body}`;
  },
  shapes: () => [],
  question: none,
  drawn: () => [],
  along: none,
  keep,
  kept,
  fights,
  odds,
  fought,
  chapter: (e) => e.kind === "bound",
  loss: (e) => ["removed", "fell", "broke"].includes(e.kind ?? "") || (e.kind === "fled" && !columnRow(String(e.hex ?? ""))),
  quiet: (e) => ["placed", "stationed", "waits", "command", "phase"].includes(e.kind ?? ""),
  list: (s) =>
    s.armies.map((a) => ({
      side: `${a.letter}: ${a.name}`,
      lines: [
        ...(s.hexes?.units ?? []).filter((u) => u.side === a.n).map((u) => {
          const foes = (s.hexes?.units ?? []).filter((f) => f.side !== u.side).map((f) => ({ f, ...far(u.hex, f.hex) }));
          const near = foes.sort((x, y) => x.n - y.n)[0];
          const state = [u.disrupted ? t("hex_disrupted") : "", ...u.tokens, u.spent ? t("hex_moved") : ""].filter(Boolean);
          const fill = { label: u.short, name: u.words.split(",")[0] ?? "", hex: u.hex, facing: u.facing, formation: u.formation, stands: u.stands, full: u.full };
          return { label: u.label, words: t("hex_line", { ...fill, state: state.length ? `; ${state.join(", ")}` : "", enemy: near ? t("hex_near", { who: near.f.label, n: near.n, way: near.way }) : "" }) };
        }),
        ...(s.hexes?.generals ?? []).filter((g) => g.side === a.n).map((g) => ({ label: g.label, words: t("hex_line_general", { label: short(g.label), name: g.words, hex: g.hex }) })),
        ...a.tray.map((p) => ({ label: p.label, words: t("hex_off_table", { label: p.short, name: p.words }) })),
      ],
    })),
  flights: "retreat of",
  replies: (raw) => {
    const view = raw as View | null;
    const mine = view?.viewer.startsWith("Seat") ? (/\d+/.exec(view.viewer)?.[0] === "0" ? "A" : "B") : "";
    const choices = ["ask", "stand", "evade", "evade-mounted", "flee"] as const;
    return (view?.units ?? []).filter((u) => u.side === mine && middle(u.hex)).map((u) => ({
      words: `${short(u.label)} ${u.name}`, now: `reply ${u.label} ${u.reply}`, choices: choices.map((c) => ({ do: `reply ${u.label} ${c}`, words: c })),
    }));
  },
  name: (label) => label.split(" ").map(short).join(" + "),
};
