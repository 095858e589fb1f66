// Ground being laid by hand: features on a board, dragged, sized and turned, with what the rules still have against it.
import { post } from "./api.ts";

interface Point {
  x: number;
  y: number;
}
export interface Feature extends Point {
  kind: string;
  w: number;
  d: number;
  turn: number;
  /** The course of a road or river. */
  points: Point[] | null;
}
export interface Wrong {
  rule: string;
  words: string;
}
const round = (n: number): number => Math.round(n / 10) * 10;

export class Lay {
  on = $state(false);
  shapes = $state.raw<Feature[]>([]);
  chosen = $state(-1);
  moving = $state(false);
  wrong = $state.raw<Wrong[] | null>(null);
  private held = "";
  private from: Point = { x: 0, y: 0 };
  private was: Feature | null = null;

  constructor(
    readonly path: string,
    readonly board: { width: number; height: number },
    readonly ap: number,
    readonly scale: string,
    /** What the province asks for, in a battle of a campaign. */
    readonly duty: unknown = null,
  ) {}

  get lines(): string[] {
    return this.shapes.map((f) =>
      f.points
        ? `${f.kind} ${f.w} along ${f.points.map((p) => `${p.x} ${p.y}`).join(", ")}`
        : `${f.kind} ellipse ${f.x} ${f.y} ${f.w} ${f.d}${f.turn ? ` ${f.turn}` : ""}`,
    );
  }
  get text(): string {
    return this.shapes.length > 0 ? `ground ${this.lines.join("; ")}` : "ground none";
  }
  /** Begins from a ground that is proposed; what cannot be dragged (crests, rectangles) is left out. */
  begin(text: string): void {
    this.on = true;
    this.shapes = text.replace(/^ground (none)?/, "").split(";").flatMap((line): Feature[] => {
      const area = /^(\w+) (?:ellipse ([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+)(?: ([\d.]+))?|disc ([\d.]+) ([\d.]+) ([\d.]+))$/.exec(line.trim());
      if (area?.[1]) {
        const [x, y, w, d, turn, dx, dy, r] = area.slice(2).map((n) => Number(n ?? 0)) as [number, number, number, number, number, number, number, number];
        return [{ kind: area[1], x: x || dx, y: y || dy, w: w || 2 * r, d: d || 2 * r, turn, points: null }];
      }
      const course = /^(\w+) ([\d.]+) along (.+)$/.exec(line.trim());
      if (!course?.[1]) return [];
      const points = (course[3] ?? "").split(",").map((p) => {
        const [x, y] = p.trim().split(/\s+/).map(Number);
        return { x: x ?? 0, y: y ?? 0 };
      });
      return [{ kind: course[1], x: 0, y: 0, w: Number(course[2]), d: 0, turn: 0, points }];
    });
    this.chosen = -1;
    void this.check();
  }
  add(kind: string): void {
    const { width, height } = this.board;
    const n = this.shapes.length;
    const course = kind === "road" || kind === "river";
    // Round the middle, one after another, so that they do not fall on each other.
    const angle = n * 2.4;
    const far = Math.min(width, height) * 0.24;
    const [x, y] = [round(width / 2 + Math.cos(angle) * far), round(height / 2 + Math.sin(angle) * far)];
    this.shapes = [
      ...this.shapes,
      course
        ? { kind, x: 0, y: 0, w: kind === "road" ? 60 : 100, d: 0, turn: 0, points: [{ x: round(width * 0.35), y: 0 }, { x: round(width * 0.4), y: round(height / 2) }, { x: round(width * 0.35), y: height }] }
        : { kind, x, y, w: 380, d: 280, turn: 0, points: null },
    ];
    this.chosen = n;
    void this.check();
  }
  remove(): void {
    this.shapes = this.shapes.filter((_, i) => i !== this.chosen);
    this.chosen = -1;
    void this.check();
  }
  clear(): void {
    this.shapes = [];
    this.chosen = -1;
    void this.check();
  }
  grab(handle: string, at: Point): void {
    this.held = handle;
    this.from = at;
    this.chosen = Number(handle.split(" ")[0]);
    this.was = this.shapes[this.chosen] ?? null;
  }
  drag(at: Point): void {
    const was = this.was;
    if (!was) return;
    this.moving = true;
    const part = this.held.split(" ")[1] ?? "";
    const { width, height } = this.board;
    const inside = (p: Point): Point => ({ x: round(Math.max(0, Math.min(width, p.x))), y: round(Math.max(0, Math.min(height, p.y))) });
    const [dx, dy] = [at.x - this.from.x, at.y - this.from.y];
    let now: Feature;
    if (was.points) {
      const points = was.points.map((p, n) => (part === "" || part === String(n) ? inside({ x: p.x + dx, y: p.y + dy }) : p));
      now = { ...was, points };
    } else if (part === "w") {
      const far = Math.hypot(at.x - was.x, at.y - was.y);
      const turn = Math.round(((Math.atan2(-(at.y - was.y), at.x - was.x) * 180) / Math.PI + 360) / 5) * 5;
      now = { ...was, w: Math.max(100, round(far * 2)), turn: turn % 360 };
    } else if (part === "d") {
      const rad = (was.turn * Math.PI) / 180;
      const up = Math.abs((at.x - was.x) * Math.sin(rad) + (at.y - was.y) * Math.cos(rad));
      now = { ...was, d: Math.max(100, round(up * 2)) };
    } else {
      now = { ...was, ...inside({ x: was.x + dx, y: was.y + dy }) };
    }
    this.shapes = this.shapes.map((f, i) => (i === this.chosen ? now : f));
  }
  drop(): void {
    this.moving = false;
    this.was = null;
    void this.check();
  }
  private asked = 0;
  private async check(): Promise<void> {
    const mine = (this.asked += 1);
    this.wrong = null;
    const body = { ground: this.lines, board: [this.board.width * 100, this.board.height * 100], ap: this.ap, scale: this.scale, duty: this.duty };
    const found = await post<{ problems: Wrong[] }>(this.path, body).catch((e: unknown) => ({ problems: [{ rule: "", words: String(e instanceof Error ? e.message : e) }] }));
    if (mine === this.asked) this.wrong = found.problems;
  }
}
