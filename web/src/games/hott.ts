// Hordes of the Things (and big battles): its view and its texts as the table shows them.
import type { GameEvent, Owed } from "../lib/api.ts";
import type { Adapter, Aid, Army, Button, Dock, Figures, Mark, Overlay, Piece, PieceReply, Pose, Scene, Shape } from "../lib/model.ts";
import { t } from "../lib/words.ts";
import { along, keep, kept } from "./deploy.ts";
import { fights, fought, odds, ticked } from "./fights.ts";
import { legs } from "./legs.ts";
import { NAMES, all, figure, find, heads, name, parts } from "./labels.ts";

type Place = [number, number, number];
interface View {
  viewer: number;
  scale: string;
  board: [number, number];
  bound_limit: number;
  ground: string[];
  large?: { contest?: { ground?: unknown } };
  phase: string;
  bound: number;
  active: number;
  sides: {
    letter: string;
    army: string;
    halves: number;
    lost: number;
    unknown: number;
    edge: number | null;
    defends: boolean;
    out: boolean;
    stronghold: string;
    reply: string | null;
    stronghold_at: [number, number, number, number, number] | null;
  }[];
  commands: {
    name: string;
    side: number;
    in_chief: boolean;
    score: number;
    pips: number;
    demoralized: boolean;
    deployed: boolean;
    flight?: { runs: [string, Place | null][]; halts: { who: string[]; pips: number }[] };
  }[];
  seats: { name: string; side: number; commands: number[] }[];
  elements: {
    label: string;
    name: string;
    type: string;
    command: number;
    general: boolean;
    grade: string;
    halves: number;
    size: [number, number];
    place: Place;
    began: Place;
    fate: string;
    flags: number;
    appearances: number;
    enchanter: string | null;
  }[];
  over: [number, string] | null;
}

const MOVED = 1;
const pace = (n: number): number => n / 100;
const pose = (p: readonly [number, number, number]): Pose => ({ x: pace(p[0]), y: pace(p[1]), h: pace(p[2]) });
const halves = (n: number): string => (n % 2 ? (n === 1 ? "½" : `${(n - 1) / 2}½`) : `${n / 2}`);

const STEPS: [string, string][] = [
  ["moves", t("step_moves")],
  ["magic", t("step_magic")],
  ["shooting", t("step_shooting")],
  ["combat", t("step_combat")],
];
const SETUP: [string, string][] = [
  ["sides", t("step_sides")],
  ["ground", t("step_ground")],
  ["edges", t("step_edges")],
  ["strongholds", t("step_strongholds")],
  ["deploy", t("step_deploy")],
];

/** What an army has behind it: a Stronghold, or in a big battle Baggage. */
type Strong = "stronghold" | "baggage";

function scene(raw: unknown, viewer: string, strong: Strong): Scene {
  const view = raw as View;
  const own = view.seats.find((s) => s.name === viewer)?.side ?? -1;
  const edge = own >= 0 ? view.sides[own]?.edge : null;
  const pieces: Piece[] = view.elements.map((e) => {
    const { type, number } = parts(e.label);
    const side = view.commands[e.command]?.side ?? 0;
    const commands = view.commands.filter((c) => c.side === side);
    const n = commands.indexOf(view.commands[e.command] as (typeof commands)[number]);
    const grade = e.grade === "plain" ? "" : `${e.grade} `;
    const called = e.name ? ` “${e.name}”` : "";
    return {
      label: e.label,
      short: e.label.split(".")[1] ?? e.label,
      words: `${grade}${NAMES[type] ?? type}${number ? ` ${number}` : ""}${called}${e.general ? t("general_suffix") : ""}`,
      side,
      sign: type.toLowerCase(),
      code: type,
      number,
      pose: pose(e.place),
      width: pace(e.size[0]),
      depth: pace(e.size[1]),
      general: e.general,
      grade: e.grade,
      tab: commands.length > 1 ? String.fromCharCode(97 + n) : "",
      own: side === own,
      spent: (e.flags & MOVED) !== 0 && side === view.active,
      fate: e.fate,
      cost: `${halves(e.halves)} AP`,
    };
  });
  const over = view.over;
  const armies: Army[] = view.sides.map((s, n) => {
    const mine = pieces.filter((p) => p.side === n);
    const generals = mine.filter((p) => p.general);
    const standing = generals.filter((p) => p.fate === "table" || p.fate === "waiting");
    return {
      n,
      letter: s.letter,
      name: s.army,
      own: n === own,
      active: n === view.active && !over,
      won: over !== null && (over[0] & (1 << n)) !== 0,
      lost: s.lost / 2,
      half: s.halves / 4,
      total: s.halves / 2,
      general: generals.length === 0 ? "" : standing.length > 0 ? t("general_stands") : t("general_lost"),
      stronghold: s.stronghold === "none" || s.stronghold === "waiting" ? "" : t(s.stronghold === "lost" ? `${strong}_lost` : `${strong}_stands`),
      pips: view.commands
        .filter((c) => c.side === n && n === view.active && c.score > 0)
        .map((c) => ({ name: c.name, score: c.score, left: c.pips })),
      tray: mine.filter((p) => p.fate === "waiting"),
      gone: mine.filter((p) => p.fate !== "waiting" && p.fate !== "table" && p.fate !== "ensorcelled"),
      unknown: s.unknown / 2,
    };
  });
  // Who is about to run is seen while something can be done about it: in the moves of his side.
  const moving = view.phase === "moves" && !over ? view.commands.filter((c) => c.side === view.active && c.flight) : [];
  const held = view.seats.find((s) => s.name === viewer)?.commands ?? [];
  const now = SETUP.some(([p]) => p === view.phase) ? SETUP : STEPS;
  const active = view.sides[view.active];
  return {
    board: {
      width: pace(view.board[0]),
      height: pace(view.board[1]),
      turn: (edge ?? 0) * 90,
      pieces: pieces.filter((p) => p.fate === "table" || p.fate === "ensorcelled"),
      blocks: view.sides.flatMap((s, n) =>
        s.stronghold_at
          ? [
              {
                label: `${s.letter}.Str`,
                side: n,
                pose: pose([s.stronghold_at[0], s.stronghold_at[1], s.stronghold_at[2]]),
                width: pace(s.stronghold_at[3]),
                depth: pace(s.stronghold_at[4]),
                lost: s.stronghold === "lost",
              },
            ]
          : [],
      ),
      ground: { ground: view.ground, board: view.board },
      ground_path: "/api/library/hott/ground",
      ground_key: JSON.stringify([view.ground, view.board]),
      duty: view.large?.contest?.ground ?? null,
      edges: view.sides.flatMap((s, n) => (s.edge === null ? [] : [{ side: n, edge: s.edge }])),
      arrows: view.elements.flatMap((e) => {
        const side = view.commands[e.command]?.side ?? 0;
        const far = Math.hypot(e.place[0] - e.began[0], e.place[1] - e.began[1]);
        return e.fate === "table" && far > 500 && view.phase !== "deploy"
          ? [{ label: e.label, side, from: pose(e.began), to: pose(e.place) }]
          : [];
      }),
      runs: moving.flatMap((c) =>
        (c.flight?.runs ?? []).flatMap(([label, to]) => {
          const piece = pieces.find((p) => p.label === label);
          return piece ? [{ label, side: c.side, from: piece.pose, to: to ? pose(to) : null }] : [];
        }),
      ),
    },
    armies,
    scale: view.scale,
    step: view.phase,
    steps: now.map(([p, word]) => ({ word, now: p === view.phase })),
    turn: view.bound > 0 ? t("bound_of", { n: view.bound, side: active ? `${active.letter} (${active.army})` : "" }) : t("set_up"),
    my_turn: own === view.active,
    plans: moving.flatMap((c) => {
      const short = (l: string) => l.split(".")[1] ?? l;
      const mine = held.includes(view.commands.indexOf(c)) && (c.flight?.runs.length ?? 0) > 0;
      const holds = (c.flight?.halts ?? []).map((h) => ({ who: h.who, cost: h.pips, do: `halt ${h.who.map(short).join(" ")}` }));
      return mine ? [{ name: c.name, left: c.pips, running: (c.flight?.runs ?? []).map(([l]) => l), holds }] : [];
    }),
  };
}

const MOVES = ["move", "charge", "line", "column", "close", "break", "withdraw", "lurk", "halt"];
const same = (a: string[], b: string[]): boolean => a.length === b.length && a.every((x) => b.includes(x));

function buttons(texts: string[], owed: Owed | undefined, scene: Scene, strong: Strong): Button[] {
  if (owed?.kind === "choice" && owed.answers) {
    return owed.answers.map((a) => ({ do: a, words: sentence(a, strong), main: a === owed.stands }));
  }
  const out: Button[] = [];
  const add = (text: string, words: string, main: boolean) => out.push({ do: text, words, main });
  const ends = texts.find((x) => x.startsWith("end "));
  const deploys = texts.filter((x) => x.startsWith("deploy "));
  if (scene.step === "deploy") {
    const done = texts.find((x) => x.startsWith("deployed"));
    const auto = deploys.reduce((a, b) => (b.length > a.length ? b : a), "");
    if (auto) out.push({ do: auto, then: ["deployed"], words: t("deploy_begin"), main: !done });
    if (auto) add(auto, t("deploy_auto"), false);
    if (done) add(done, t("deploy_done"), true);
    return out;
  }
  if (texts.includes("roll")) add("roll", scene.step === "sides" ? t("roll_sides") : t("roll"), true);
  if (scene.step === "ground" || scene.step === "edges" || scene.step === "strongholds") {
    const place = scene.step === "strongholds" ? texts.find((x) => x.startsWith("stronghold ")) : undefined;
    if (place) out.push({ do: place, then: ["deploy ", "deployed"], words: t(`${strong}_begin`), main: true });
    texts.slice(0, 4).forEach((x, i) => {
      if (x !== "roll") add(x, sentence(x, strong), i === 0 && !place);
    });
    return out;
  }
  const fights = texts.filter((x) => x.startsWith("fight ") && x !== "fight all");
  if (fights[0]) add(fights[0], t("fight_next", { name: name(heads(fights[0], scene).who[0] ?? "") }), true);
  if (texts.includes("fight all")) add("fight all", t("fight_all"), false);
  if (ends) add(ends, ends === "end moves" ? t("end_moves") : t("end_step"), fights.length === 0);
  return out;
}

/** A text as people say it. */
function sentence(text: string, strong: Strong): string {
  const words = text.split(" ");
  const verb = words[0] ?? "";
  if (verb === "ground") {
    if (text === "ground none") return t("ground_none");
    const kinds = text.slice(7).split(";").map((f) => f.trim().split(" ")[0] ?? "");
    const counts = new Map<string, number>();
    for (const k of kinds) counts.set(k, (counts.get(k) ?? 0) + 1);
    return t("ground_lay", { what: [...counts].map(([k, n]) => (n > 1 ? `${n} × ${k}` : k)).join(", ") });
  }
  if (verb === "edges") return t("edges_words", { first: words[1] ?? "" });
  if (verb === "stronghold") return t(`${strong}_words`, { x: words[1] ?? "", y: words[2] ?? "" });
  if (verb === "target") return t("target_words", { name: name(words[1] ?? "") });
  return text.replace(/\b([A-Z]\.)?([A-Z][A-Za-z]{2}\d+)\b/g, (label) => name(label));
}

function about(texts: string[], who: string[], scene: Scene): string[] {
  return texts.filter((x) => {
    const h = heads(x, scene);
    return (MOVES.includes(h.verb) || h.verb === "arrive" || h.verb === "return") && same(h.who, who);
  });
}

function groups(texts: string[], piece: string, scene: Scene): string[][] {
  const out: string[][] = [];
  for (const x of texts) {
    const h = heads(x, scene);
    if (MOVES.includes(h.verb) && h.who.length > 1 && h.who.includes(piece) && !out.some((g) => same(g, h.who))) {
      out.push(h.who);
    }
  }
  return out.sort((a, b) => b.length - a.length);
}

function dock(text: string, events: GameEvent[], scene: Scene): Dock | null {
  const h = heads(text, scene);
  const ends = new Map<string, Pose>();
  let cost = "";
  for (const e of events) {
    if (e.kind === "paid") cost = String(e.pips);
    if (typeof e.who === "string" && Array.isArray(e.to) && h.who.includes(e.who)) {
      const [x, y, d] = (e.to as (string | number)[]).map(Number);
      ends.set(e.who, { x: x ?? 0, y: y ?? 0, h: d ?? 0 });
    }
  }
  if (ends.size === 0) return null;
  const ghosts = [...ends].flatMap(([label, at]) => {
    const piece = all(scene).find((p) => p.label === label);
    return piece ? [{ label, pose: at, width: piece.width, depth: piece.depth }] : [];
  });
  const rest = h.rest.filter((w) => w !== ",").join(" ");
  const target = name(h.rest.find((w) => /^([A-Za-z]\.)?[A-Za-z]{3}\d*$/.test(w) && find(w, scene, false)) ?? h.rest.at(-1) ?? "");
  const face = h.rest.find((w) => ["front", "left", "right", "rear"].includes(w)) ?? "";
  let words = `${h.verb} ${rest}`;
  let kind: Dock["kind"] = "move";
  let short = "";
  if (h.verb === "charge") {
    words = face === "front" ? t("charge_front", { name: target }) : face === "rear" ? t("charge_rear", { name: target }) : t("charge_flank", { name: target, side: face });
    kind = "contact";
    short = face === "front" ? t("dock_front") : face === "rear" ? t("dock_rear") : t("dock_flank");
  } else if (h.verb === "lurk") {
    words = t("lurk_words", { name: target, face: t(`face_${face || "front"}` as "face_front") });
    kind = "contact";
    short = face === "front" ? t("dock_front") : face === "rear" ? t("dock_rear") : t("dock_flank");
  } else if (h.verb === "close") {
    words = t("close_door", { name: target });
    kind = "contact";
    short = t("dock_door");
  } else if (h.verb === "line") {
    words = face || rest.startsWith("behind") ? (rest.startsWith("behind") ? t("line_behind", { name: target }) : t("line_beside", { name: target, side: face })) : words;
    kind = "line";
    short = rest.startsWith("behind") ? t("dock_behind") : t("dock_level");
  } else if (h.verb === "break" || h.verb === "withdraw") {
    words = h.verb === "break" ? t("break_off", { n: h.rest.at(-1) ?? "" }) : t("withdraw");
    kind = "out";
    short = t("dock_out");
  } else if (h.verb === "column") {
    words = t("column");
    short = t("dock_column");
  } else if (h.verb === "move" && /^ahead [\d.]+$/.test(rest)) {
    words = t("ahead", { n: h.rest[1] ?? "" });
    short = `${Math.round(Number(h.rest[1] ?? 0))}p`;
  } else if (h.verb === "move") {
    words = h.rest.map((w) => w.replace(/^,$/, "")).join(" ").replace(/ +/g, " ");
  } else if (h.verb === "halt") {
    words = t("halt", { n: h.who.length });
    kind = "out";
  } else if (h.verb === "arrive" || h.verb === "return") {
    words = t("arrive");
    short = t("dock_arrive");
  }
  return { do: text, words, short, kind, ghosts, cost, why: "" };
}

function place(who: Piece[], held: Piece, to: Pose, scene: Scene): string {
  const label = (p: Piece) => p.short;
  const at = `${figure(to.x)} ${figure(to.y)} ${figure(((to.h % 360) + 360) % 360)}`;
  if (scene.step === "deploy") {
    // Dropped on a friend: the two change places.
    const other = held.fate === "table" && who.length === 1 ? scene.board.pieces.find((p) => p.own && p !== held && Math.hypot(p.pose.x - to.x, p.pose.y - to.y) < p.width * 0.3) : undefined;
    if (other) {
      const put = (p: Piece, at: Pose) => `${label(p)} ${figure(at.x)} ${figure(at.y)} ${figure(at.h)}`;
      return `deploy ${put(held, other.pose)}, ${put(other, held.pose)}`;
    }
    const dx = to.x - held.pose.x;
    const dy = to.y - held.pose.y;
    const each = who.map((p) => (p === held || p.fate !== "table" ? `${label(p)} ${at}` : `${label(p)} ${figure(p.pose.x + dx)} ${figure(p.pose.y + dy)} ${figure(p.pose.h)}`));
    return `deploy ${each.join(", ")}`;
  }
  if (held.fate !== "table") return `arrive ${label(held)} ${at}`;
  const turn = ((to.h - held.pose.h + 540) % 360) - 180;
  const rad = (held.pose.h * Math.PI) / 180;
  const dx = to.x - held.pose.x;
  const dy = to.y - held.pose.y;
  const ahead = dx * Math.sin(rad) + dy * Math.cos(rad);
  const right = dx * Math.cos(rad) - dy * Math.sin(rad);
  // One element goes anywhere by itself; straight ahead is said so, which reads and measures better.
  if (who.length === 1) return Math.abs(turn) < 0.05 && Math.abs(right) < 0.5 && ahead >= 0.5 ? `move ${label(held)} ahead ${figure(ahead)}` : `move ${label(held)} to ${at}`;
  // A group: its slide ahead and sideways, after a wheel if it was turned.
  const legs: string[] = [];
  if (Math.abs(turn) > 0.05) legs.push(`wheel ${turn < 0 ? "left" : "right"} ${figure(Math.abs(turn))}`);
  if (Math.abs(ahead) >= 0.5) legs.push(`${ahead < 0 ? "back" : "ahead"} ${figure(Math.abs(ahead))}`);
  if (Math.abs(right) >= 0.5) legs.push(`${right < 0 ? "left" : "right"} ${figure(Math.abs(right))}`);
  return `move ${who.map(label).join(" ")} ${legs.join(", ")}`;
}

const compass = (h: number): string => t(`to_${["up", "right", "down", "left"][Math.round(h / 90) % 4] ?? "up"}` as Parameters<typeof t>[0]);

/** "charge A B front X" by the next base of the group instead of the first; the others keep their order. */
function shifted(text: string, by: -1 | 1, scene: Scene): string {
  const h = heads(text, scene);
  if ((h.verb !== "charge" && h.verb !== "line") || h.who.length < 2) return "";
  const who = h.who.map((l) => find(l, scene, true)).filter((p): p is Piece => p !== undefined);
  const lead = who[0];
  if (!lead) return "";
  const rad = (lead.pose.h * Math.PI) / 180;
  const right = (p: Piece) => (p.pose.x - lead.pose.x) * Math.cos(rad) - (p.pose.y - lead.pose.y) * Math.sin(rad);
  const ahead = (p: Piece) => (p.pose.x - lead.pose.x) * Math.sin(rad) + (p.pose.y - lead.pose.y) * Math.cos(rad);
  // Those of one rank, from left to right.
  const rank = who.filter((p) => Math.abs(ahead(p)) < lead.depth * 0.5).sort((a, b) => right(a) - right(b));
  const next = rank[rank.indexOf(lead) + by];
  if (!next) return "";
  const all = [next, ...who.filter((p) => p !== next)];
  return `${h.verb} ${all.map((p) => p.short).join(" ")} ${h.rest.join(" ")}`;
}
/** "overlap A.Bld2 B.Kni1": who bears on a fight beside the two of it. */
function knots(facts: string[]): Aid[] {
  return facts.flatMap((f) => {
    const found = /^(overlap|flank|rear|support|aid) (\S+) (\S+)$/.exec(f);
    return found ? [{ kind: found[1] as Aid["kind"], from: found[2] as string, to: found[3] as string }] : [];
  });
}
/** Whom a Shooter shoots at in the enemy's bound, told beforehand for it alone. */
function pieceReply(piece: Piece, figures: Figures, raw: unknown, scene: Scene): PieceReply | null {
  const now = (raw as View | null)?.sides.find((s) => s.reply !== null)?.reply;
  if (!piece.own || !now || !figures.types[piece.code]?.shoots) return null;
  const foes = scene.board.pieces.filter((p) => !p.own && p.fate === "table");
  const said = ["ask", "by-rule", "most-aids", "nearest"] as const;
  return {
    about: `target of ${piece.label}`,
    words: t("reply_piece", { name: piece.words }),
    choices: [{ answer: "", words: t("reply_as_army") }, ...said.map((answer) => ({ answer, words: t(`reply_${answer}`) })), ...foes.map((p) => ({ answer: p.label, words: t("reply_at", { name: p.words }) }))],
    // The army's own reply comes first in the rules: a piece is told apart only while the army is to be asked.
    before: now === "ask" ? null : { do: "reply shooters ask", others: { about: "target of", answer: now } },
  };
}

const FACES = ["front", "left", "right", "rear"];
function tries(who: Piece[], enemy: Piece): string[] {
  const all = who.map((p) => p.short).join(" ");
  return FACES.map((face) => `charge ${all} ${face} ${enemy.label}`);
}

function against(text: string, scene: Scene): string {
  const h = heads(text, scene);
  if ((h.verb !== "charge" && h.verb !== "lurk") || !h.who[0]) return "";
  const enemy = h.rest.map((w) => find(w, scene, false)).find((p) => p !== undefined) ?? scene.board.blocks.find((b) => h.rest.some((w) => w.toLowerCase() === b.label.toLowerCase()));
  const own = find(h.who[0], scene, true)?.label ?? h.who[0];
  return enemy ? `odds ${own} v ${enemy.label}` : "";
}

function marks(events: GameEvent[], way: number, scene: Scene): Mark[] {
  const out = new Map<string, Mark>();
  let fights = 0;
  for (const e of events) {
    if (e.kind === "combat") fights += 1;
    if (e.kind === "bound" || fights > 1) break;
    const piece = typeof e.who === "string" ? scene.board.pieces.find((p) => p.label === e.who) : undefined;
    if (!piece || fights === 0) continue;
    const base = { label: piece.label, from: piece.pose, width: piece.width, depth: piece.depth, way };
    if (e.kind === "removed") out.set(piece.label, { ...base, to: out.get(piece.label)?.to ?? piece.pose, gone: true });
    else if (Array.isArray(e.to)) {
      const [x, y, d] = (e.to as (string | number)[]).map(Number);
      out.set(piece.label, { ...base, to: { x: x ?? 0, y: y ?? 0, h: d ?? 0 }, gone: false });
    }
  }
  return [...out.values()];
}

/** "set hott.wood_sight=100", "wood_sight = 100" and "option hott.wood_sight 100" are one. */
function ruling(text: string): string {
  const body = text.trim().replace(/^ruling\s+/i, "");
  const set = /^(?:set\s+|option\s+)?([a-z_]+(?:\.[a-z_.]+)?)\s*=\s*(\S+)$/i.exec(body);
  return `ruling ${set ? `option ${set[1]} ${set[2]}` : body}`;
}

function shapes(overlay: Overlay, who: string[], figures: Figures, scene: Scene): Shape[] {
  const own = (p: Piece) => (who.length > 0 ? who.includes(p.label) : p.own);
  const base = (p: Piece) => ({ pose: p.pose, width: p.width, depth: p.depth, side: p.side });
  if (overlay === "command") {
    return scene.board.pieces.filter((p) => p.general).map((p) => ({ key: `c ${p.label}`, kind: "ring" as const, ...base(p), far: figures.command, words: t("reach_command", { n: figures.command, unseen: figures.unseen }) }));
  }
  if (overlay !== "reach" && overlay !== "enemy") return [];
  const ahead = (p: Piece) => ({ ...base(p), width: p.width * 3 });
  const wanted = scene.board.pieces.filter((p) => (overlay === "reach" ? own(p) : !p.own));
  return wanted.flatMap((p) => {
    const f = figures.types[p.code];
    if (!f) return [];
    const out: Shape[] = [{ key: `m ${p.label}`, kind: "ring", ...base(p), far: f.good, words: t("reach_move", { n: f.good, bad: f.bad }) }];
    if (f.shoots > 0) out.push({ key: `s ${p.label}`, kind: "box", ...ahead(p), far: f.shoots, words: t("reach_fire", { n: f.shoots }) });
    if (f.bespells > 0) out.push({ key: `b ${p.label}`, kind: "ring", ...base(p), far: f.bespells, words: t("reach_spell", { n: f.bespells }) });
    return out;
  });
}

/** `zone B.Kni1 1200 300 180 width 80 depth 62.5` as the engine has it: cut short by whom it meets. */
function drawn(overlay: Overlay, facts: string[], scene: Scene): Shape[] {
  if (overlay !== "zones") return [];
  return facts.flatMap((f) => {
    const w = f.split(" ");
    const piece = scene.board.pieces.find((p) => p.label === w[1]);
    if (w[0] !== "zone" || !piece) return [];
    const [x, y, h, width, far] = [w[2], w[3], w[4], w[6], w[8]].map(Number) as [number, number, number, number, number];
    return [{ key: `z ${piece.label}`, kind: "zone" as const, pose: { x, y, h }, width, depth: piece.depth, far, side: piece.side, words: t("reach_zone", { name: name(piece.label), n: far }) }];
  });
}

/** An Aerial that goes where enemies are attacks them or passes over: which of the two is said with the move. */
function attack(text: string, who: Piece[], figures: Figures): string {
  const one = who[0];
  return who.length === 1 && one && figures.types[one.code]?.aerial && /^move \S+ (?:to|ahead) /.test(text) ? `${text} attack` : "";
}

const made = (strong: Strong): Adapter => ({
  scene: (view, viewer) => scene(view, viewer, strong),
  buttons: (texts, owed, now) => buttons(texts, owed, now, strong),
  wheel: (who, side, degrees) => `move ${who.map((p) => p.short).join(" ")} wheel ${side} ${figure(degrees)}`,
  tries,
  legs,
  shifted,
  bearing: { question: "knots", read: knots },
  pieceReply,
  chapter: (e) => e.kind === "bound",
  price: {
    question: (who) => `cost ${who.map((p) => p.label).join(" ")}`,
    read: (facts) => {
      const sum = facts.map((f) => /^cost (\S+)$/.exec(f)?.[1]).find((n) => n !== undefined);
      const parts = facts.flatMap((f) => { const w = f.split(" "); return w[0] === "pip" && w[1] && w[2] ? [{ rule: w[1], n: w[2] }] : []; });
      return sum === undefined ? null : { sum, parts };
    },
  },
  against,
  marks,
  ruling,
  attack,
  pairs: (facts) => facts.flatMap((f) => {
    const w = f.split(" ");
    return w[0] === "fight" && w[1] && w[2] ? [[w[1], w[2]] as [string, string]] : [];
  }),
  besides: (events) => events.filter((e) => ["conformed", "turned"].includes(e.kind ?? "")).map((e) => e.say ?? "").filter(Boolean).join(" "),
  attacks: (events) => events.some((e) => e.kind === "declared"),
  shapes,
  question: (overlay) => (overlay === "zones" ? "zones" : ""),
  drawn,
  along,
  keep,
  kept,
  about,
  groups,
  dock,
  place,
  fights,
  ticked,
  odds,
  fought,
  loss: (e) => ["removed", "stronghold-lost", "demoralized"].includes(e.kind ?? ""),
  secret: (e) => e.kind === "reply-used",
  flights: "way of the flight",
  comes: /^(arrive|return|lurk) /,
  replies: (raw) => {
    const view = raw as View | null;
    const own = view?.sides.find((s) => s.reply !== null);
    if (!own) return [];
    const choices = (["by-rule", "most-aids", "ask"] as const).map((r) => ({ do: `reply shooters ${r}`, words: t(`reply_${r}`) }));
    return [{ words: t("reply_shooters"), now: `reply shooters ${own.reply}`, choices }];
  },
  quiet: (e) => e.kind === "deployed" || (e.kind === "losses" && e.ap === "0"),
  name,
  list: (s) =>
    s.armies.map((a) => ({
      side: `${a.letter}: ${a.name}`,
      lines: s.board.pieces
        .filter((p) => p.side === a.n)
        .map((p) => {
          const foes = s.board.pieces.filter((q) => q.side !== p.side);
          const near = foes.reduce<{ p: Piece | null; d: number }>(
            (best, q) => {
              const d = Math.hypot(q.pose.x - p.pose.x, q.pose.y - p.pose.y);
              return d < best.d ? { p: q, d } : best;
            },
            { p: null, d: Infinity },
          );
          const bearing = near.p ? ((Math.atan2(near.p.pose.x - p.pose.x, near.p.pose.y - p.pose.y) * 180) / Math.PI - p.pose.h + 720) % 360 : 0;
          const way = bearing < 30 || bearing > 330 ? t("way_front") : bearing < 90 ? t("way_front_right") : bearing > 270 ? t("way_front_left") : bearing < 150 ? t("way_right") : bearing > 210 ? t("way_left") : t("way_behind");
          const enemy = near.p ? t("enemy_near", { name: near.p.words, n: Math.round(near.d), way }) : "";
          return {
            label: p.label,
            words: t("piece_line", { label: p.short, name: p.words, x: Math.round(p.pose.x), y: Math.round(p.pose.y), way: compass(p.pose.h), enemy, state: p.fate === "ensorcelled" ? t("frog") : p.spent ? t("has_moved") : "" }),
          };
        }),
    })),
});
export const hott = made("stronghold");
export const big = made("baggage");
