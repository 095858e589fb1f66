// What the table shows, free of any one game. A game's adapter (src/games) makes it from its view.
import type { GameEvent, Item, Owed } from "./api.ts";
import type { HexScene } from "./hexes.ts";

/** A place on the board in paces: middle of the front edge, heading in degrees clockwise from up. */
export interface Pose {
  x: number;
  y: number;
  h: number;
}
export interface Piece {
  /** Its one label for life, with the side: `A.Kni2`. */
  label: string;
  /** The same without the side. */
  short: string;
  /** In words: "Knight 2, general". */
  words: string;
  side: number;
  sign: string;
  code: string;
  number: string;
  pose: Pose;
  width: number;
  depth: number;
  general: boolean;
  grade: string;
  tab: string;
  own: boolean;
  spent: boolean;
  fate: string;
  cost: string;
}
export interface Army {
  n: number;
  letter: string;
  name: string;
  own: boolean;
  active: boolean;
  won: boolean;
  lost: number;
  half: number;
  total: number;
  general: string;
  stronghold: string;
  pips: { name: string; score: number; left: number }[];
  tray: Piece[];
  gone: Piece[];
  unknown: number;
  /** What it has lost, where that is not told in AP. */
  words?: string;
}
export interface Block {
  label: string;
  side: number;
  pose: Pose;
  width: number;
  depth: number;
  lost: boolean;
}
export interface Board {
  width: number;
  height: number;
  /** Turned clockwise by so many degrees (0, 90, 180, 270), so that one's own base edge lies at the bottom. */
  turn: number;
  pieces: Piece[];
  blocks: Block[];
  ground: unknown;
  /** Where the ground is drawn. */
  ground_path: string;
  ground_key: string;
  /** What a province asks of the ground, in a battle of a campaign. */
  duty?: unknown;
  edges: { side: number; edge: number }[];
  arrows: { label: string; side: number; from: Pose; to: Pose }[];
  /** Pieces that will run unless they are held or moved; no place: they are lost. */
  runs: { label: string; side: number; from: Pose; to: Pose | null }[];
}
/** What holds some pieces where they are. */
export interface Hold {
  who: string[];
  cost: number;
  do: string;
}
/** A body of one's own of which pieces run unless they are held, each at its price. */
export interface Plan {
  name: string;
  left: number;
  running: string[];
  holds: Hold[];
}
export interface Scene {
  board: Board;
  /** The scale of the figures, as the program's files name it. */
  scale: string;
  armies: Army[];
  step: string;
  steps: { word: string; now: boolean }[];
  turn: string;
  my_turn: boolean;
  plans: Plan[];
  /** A battle on hexes. */
  hexes?: HexScene;
}
/** A place to click: a command of the engine with where it leads. */
export interface Dock {
  do: string;
  words: string;
  short: string;
  kind: "contact" | "line" | "move" | "out" | "group";
  ghosts: { label: string; pose: Pose; width: number; depth: number }[];
  cost: string;
  why: string;
}
/** Figures of the rules that overlays are drawn from, in paces. */
export interface Figures {
  types: Record<string, { good: number; bad: number; shoots: number; bespells: number; aerial: boolean }>;
  command: number;
  unseen: number;
  deploy: number;
}
/** What is drawn over the board on asking, one kind at a time. */
export const OVERLAYS = ["reach", "enemy", "zones", "sight", "command"] as const;
export type Overlay = "" | (typeof OVERLAYS)[number];
export interface Shape {
  key: string;
  /** A ring goes so far around the base; a box and a zone lie before its front, as wide as `width`. */
  kind: "ring" | "box" | "zone";
  pose: Pose;
  width: number;
  depth: number;
  far: number;
  side: number;
  words: string;
}
/** Where a piece would stand after a fight that comes out one way; `gone`: nowhere. */
export interface Mark {
  label: string;
  from: Pose;
  to: Pose;
  width: number;
  depth: number;
  gone: boolean;
  /** Which way of the fight: 0 if the first loses, 1 if the second does. */
  way: number;
}
export interface Button {
  do: string;
  /** How what is given right after it begins, if it may then be given: of several texts the longest. */
  then?: string[];
  words: string;
  main: boolean;
}
export interface Fight {
  /** Both sides' labels. */
  who: [string, string];
  do: string;
  words: string;
  question: string;
  /** Who takes part on the first side, of all who could, where that is a choice. */
  with?: { by: string[]; all: string[] };
}
export interface OddsLine {
  words: string;
  part: number;
  side: number;
  /** Whom it befalls, and whether it takes him off the table. */
  who: string;
  lost: boolean;
}
/** What is worth knowing of a fight before the order is chosen. */
export interface Weight {
  sums: string;
  marks: ("general" | "stronghold" | "half" | "changed")[];
}
export interface Odds {
  names: [string, string];
  factors: [{ rule: string; value: string }[], { rule: string; value: string }[]];
  sums: [string, string];
  bars: OddsLine[];
  /** What may befall others through it: pieces pushed, or in the way. */
  also: OddsLine[];
  /** Bodies that it may take past the half of what they may lose. */
  past: { words: string; part: number }[];
}
/** How a game says a move of several legs. A stage is one word of it: "ahead 80", "wheel left 15". */
export interface Legs {
  /** The stages by which pieces come from where they stand to where the one held is at `to`. */
  leg(who: Piece[], held: Piece, to: Pose, column: boolean): string[];
  /** The stages towards a place that is clicked, and where the one held would stand. */
  toward(who: Piece[], held: Piece, to: { x: number; y: number }, column: boolean): { stages: string[]; to: Pose };
  wheel(side: "left" | "right", degrees: number): string;
  /** The command; in column the one held leads and the others follow in its track. */
  join(who: Piece[], held: Piece, stages: string[], column: boolean): string;
  words(stages: string[]): string;
}
/** Who bears on a fight beside the two of it, and on whom. */
export interface Aid {
  from: string;
  to: string;
  kind: "overlap" | "flank" | "rear" | "support" | "aid";
}
/** What a single piece may be told to answer by itself: choices whose words contain `about`. */
export interface PieceReply {
  about: string;
  words: string;
  choices: { answer: string; words: string }[];
  /** What a seat must have ordered for it to be asked at all, and what then stands for all its other pieces. */
  before: { do: string; others: { about: string; answer: string } } | null;
}
export interface Adapter {
  legs?: Legs;
  /** The same contact or line-up by the next base to the left or right; empty if there is none. */
  shifted?(text: string, by: -1 | 1, scene: Scene): string;
  /** The question that tells who bears on fights, and the answer read. */
  bearing?: { question: string; read(facts: string[]): Aid[] };
  /** Whether an event opens a new chapter of the battle's report. */
  chapter?(event: GameEvent): boolean;
  /** The question what it costs these pieces to act, and the answer read: the sum, and its parts by rule. */
  price?: { question(who: Piece[]): string; read(facts: string[]): { sum: string; parts: { rule: string; n: string }[] } | null };
  pieceReply?(piece: Piece, figures: Figures, view: unknown, scene: Scene): PieceReply | null;
  /** The question that tells in short what may be done, for games whose whole list is long: `do COMMAND`, `can PIECE`. */
  proposals?: string;
  scene(view: unknown, viewer: string): Scene;
  /** Buttons for commands that need no place on the board. */
  buttons(texts: string[], owed: Owed | undefined, scene: Scene): Button[];
  /** Commands of those proposed that concern exactly these pieces. */
  about(texts: string[], who: string[], scene: Scene): string[];
  dock(text: string, events: GameEvent[], scene: Scene): Dock | null;
  /** The groups that a piece may act with, among what is proposed; largest first. */
  groups(texts: string[], piece: string, scene: Scene): string[][];
  /** The text that puts pieces at a place. */
  place(who: Piece[], held: Piece, to: Pose, scene: Scene): string;
  /** The text by which pieces wheel on their left or right front corner. */
  wheel(who: Piece[], side: "left" | "right", degrees: number): string;
  /** Commands that would bring these pieces into contact with an enemy, one for each of its faces. */
  tries(who: Piece[], enemy: Piece): string[];
  /** The question what a fight that a command brings about would give; empty if it brings none about. */
  against(text: string, scene: Scene): string;
  /** The same place taken as an attack, where what goes there may also only pass over; empty if that is not asked. */
  attack(text: string, who: Piece[], figures: Figures): string;
  /** Whether events tell that somebody attacks by his own choice. */
  attacks(events: GameEvent[]): boolean;
  /** Who fights whom, from the game's statements. */
  pairs(facts: string[]): [string, string][];
  /** What events tell beyond the move itself and its price: who conforms, who turns. */
  besides(events: GameEvent[]): string;
  /** Where pieces end by the events of one fight. */
  marks(events: GameEvent[], way: number, scene: Scene): Mark[];
  /** The text of a ruling from what people write. */
  ruling(text: string): string;
  shapes(overlay: Overlay, who: string[], figures: Figures, scene: Scene): Shape[];
  /** The question whose answer draws an overlay that figures alone do not, and the shapes from it. */
  question(overlay: Overlay): string;
  drawn(overlay: Overlay, facts: string[], scene: Scene): Shape[];
  /** A deployment along a line, of what waits to be deployed or stands already. */
  along(a: Pose, b: Pose, texts: string[], scene: Scene): string;
  /** A deployment to be kept, as the side sees its own edge; and back again, mirrored if asked. */
  keep(scene: Scene): string;
  kept(text: string, mirrored: boolean, scene: Scene): string;
  fights(texts: string[], facts: string[], scene: Scene): Fight[];
  /** The same fight with one of those who could take part in or left out. */
  ticked?(fight: Fight, label: string): Fight;
  odds(answer: string[]): Odds;
  /** A combat as it happened, for the card. */
  fought(item: Item, after?: Item[]): Odds & { dice: [string, string]; totals: [string, string]; results: [string, string] } | null;
  /** Whether an event is its own side's secret: not told at a shared screen unless its owner looks. */
  secret?(event: GameEvent): boolean;
  /** How texts begin that bring a piece on from off the table. */
  comes?: RegExp;
  /** What the choice of the way of a recoil or flight is called by: one may leave a reply for all of them. */
  flights?: string;
  /** Whether an event is worth a line of its own in the digest "since you left". */
  loss(event: GameEvent): boolean;
  /** Whether an event is one of many of its kind that the log is better without. */
  quiet(event: GameEvent): boolean;
  /** A sentence for each piece: the board for those who do not see it. */
  list(scene: Scene): { side: string; lines: { label: string; words: string }[] }[];
  /** Standing replies of the viewer's own seat that the game itself has: what stands, and the commands that change it. */
  replies(view: unknown): { words: string; now: string; choices: { do: string; words: string }[] }[];
  name(label: string): string;
}
