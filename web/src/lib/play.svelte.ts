// What is selected, where it may go, and the ghost that shows it before it goes.
import type { Previewed } from "./api.ts";
import type { Dock, Fight, Odds, Piece, Pose, Scene } from "./model.ts";
import type { Session } from "./session.svelte.ts";
import { wordsOf } from "./api.ts";
import { between } from "./geometry.ts";

export interface Ghost {
  to: Pose;
  text: string;
  state: "asking" | "ok" | "no";
  words: string;
  rule: string;
  cost: string;
  ghosts: Dock["ghosts"];
  dock: Dock | null;
}

export class Play {
  who = $state.raw<string[]>([]);
  held = $state("");
  found = $state.raw<Previewed[]>([]);
  groups = $state.raw<string[][]>([]);
  docks = $state.raw<Dock[]>([]);
  hover = $state<Dock | null>(null);
  ghost = $state.raw<Ghost | null>(null);
  looking = $state(false);
  fight = $state.raw<Fight | null>(null);
  odds = $state.raw<Odds | null>(null);
  free = $state(false);

  constructor(readonly session: Session) {}

  get scene(): Scene | null {
    return this.session.scene;
  }
  piece(label: string): Piece | undefined {
    const scene = this.scene;
    if (!scene) return undefined;
    return scene.board.pieces.find((p) => p.label === label) ?? scene.armies.flatMap((a) => [...a.tray, ...a.gone]).find((p) => p.label === label);
  }
  clear(): void {
    this.who = [];
    this.held = "";
    this.docks = [];
    this.groups = [];
    this.ghost = null;
    this.hover = null;
    this.found = [];
  }
  /** A piece is clicked: alone first, then the group it may move with. */
  select(label: string, add = false): void {
    const piece = this.piece(label);
    if (!piece) return;
    if (add && this.who.length > 0) {
      const who = this.who.includes(label) ? this.who.filter((l) => l !== label) : [...this.who, label];
      if (who.length === 0) return this.clear();
      this.who = who;
      this.held = who.includes(this.held) ? this.held : (who[0] ?? "");
      this.ghost = null;
      this.sort();
      return;
    }
    if (this.held === label && this.groups.length > 0) {
      const order = [[label], ...this.groups];
      const at = order.findIndex((g) => g.length === this.who.length && g.every((l) => this.who.includes(l)));
      this.who = order[(at + 1) % order.length] ?? [label];
      this.ghost = null;
      this.sort();
      return;
    }
    this.clear();
    this.who = [label];
    this.held = label;
    void this.look(label);
  }
  pick(who: string[]): void {
    this.who = who;
    this.ghost = null;
    this.sort();
  }
  private asked = 0;
  private async look(label: string): Promise<void> {
    const mine = (this.asked += 1);
    const session = this.session;
    if (!session.owed || session.at !== null || !this.piece(label)?.own) return;
    this.looking = true;
    try {
      const found = await session.abouts(label.split(".")[1] ?? label);
      if (mine !== this.asked) return;
      this.found = found;
      const scene = this.scene;
      if (scene && session.adapter) this.groups = session.adapter.groups(found.map((f) => f.do ?? ""), label, scene);
      this.sort();
    } catch (e) {
      session.fail(e);
    } finally {
      if (mine === this.asked) this.looking = false;
    }
  }
  private sort(): void {
    const scene = this.scene;
    const adapter = this.session.adapter;
    if (!scene || !adapter) return;
    const texts = adapter.about(this.found.map((f) => f.do ?? ""), this.who, scene);
    this.docks = texts.flatMap((text) => {
      const found = this.found.find((f) => f.do === text);
      const dock = found ? adapter.dock(text, found.events ?? [], scene) : null;
      return dock ? [dock] : [];
    });
  }
  /** A dock in half a base's width of a place. */
  near(to: Pose): Dock | null {
    const held = this.piece(this.held);
    if (!held || this.free) return null;
    let best: Dock | null = null;
    let least = held.width / 2;
    for (const dock of this.docks) {
      const at = dock.ghosts.find((g) => g.label === this.held)?.pose;
      if (!at) continue;
      const far = Math.hypot(at.x - to.x, at.y - to.y) + (dock.kind === "move" ? 25 : 0);
      if (far < least) {
        least = far;
        best = dock;
      }
    }
    return best;
  }
  private timer = 0;
  /** The ghost is moved to a place; the server says what that would be. */
  moveTo(to: Pose, wait = 60): void {
    const held = this.piece(this.held);
    const scene = this.scene;
    const adapter = this.session.adapter;
    if (!held || !scene || !adapter || !this.session.owed) return;
    const dock = this.near(to);
    if (dock) {
      this.ghost = { to, text: dock.do, state: "ok", words: dock.words, rule: "", cost: dock.cost, ghosts: dock.ghosts, dock };
      clearTimeout(this.timer);
      return;
    }
    const who = this.who.map((l) => this.piece(l)).filter((p): p is Piece => p !== undefined);
    const text = adapter.place(who, held, to, scene);
    const dx = to.x - held.pose.x;
    const dy = to.y - held.pose.y;
    const ghosts = who.map((p) => ({
      label: p.label,
      pose: p === held || p.fate !== "table" ? to : { x: p.pose.x + dx, y: p.pose.y + dy, h: p.pose.h },
      width: p.width,
      depth: p.depth,
    }));
    const old = this.ghost;
    this.ghost = { to, text, state: old && !old.dock ? old.state : "asking", words: old?.dock ? "" : (old?.words ?? ""), rule: old?.rule ?? "", cost: old?.cost ?? "", ghosts, dock: null };
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.check(text), wait);
  }
  private async check(text: string): Promise<void> {
    try {
      const said = await this.session.preview(text);
      if (this.ghost?.text !== text) return;
      const scene = this.scene;
      const ok = said.answer === "done" || said.answer === "dice";
      const dock = ok && scene && this.session.adapter ? this.session.adapter.dock(text, said.events ?? [], scene) : null;
      this.ghost = {
        ...this.ghost,
        state: ok ? "ok" : "no",
        words: ok ? (said.events ?? []).map((e) => e.say ?? "").filter(Boolean).slice(0, 4).join(" ") : (said.words ?? ""),
        rule: said.rule ?? "",
        cost: dock?.cost ?? "",
        ghosts: dock && dock.ghosts.length > 0 ? dock.ghosts : this.ghost.ghosts,
      };
    } catch (e) {
      if (this.ghost?.text === text) this.ghost = { ...this.ghost, state: "no", words: wordsOf(e), rule: "" };
    }
  }
  async confirm(): Promise<void> {
    const ghost = this.ghost;
    if (!ghost) return;
    clearTimeout(this.timer);
    if (await this.session.command(ghost.text)) this.clear();
    else this.ghost = { ...ghost, state: "no", words: this.session.error, rule: this.session.errorRule };
  }
  async take(dock: Dock): Promise<void> {
    if (await this.session.command(dock.do)) this.clear();
  }
  nudge(dx: number, dy: number, turn: number): void {
    const held = this.piece(this.held);
    const scene = this.scene;
    if (!held || !scene) return;
    const from = this.ghost?.to ?? held.pose;
    const rad = (scene.board.turn * Math.PI) / 180;
    const [sin, cos] = [Math.round(Math.sin(rad)), Math.round(Math.cos(rad))];
    const was = this.free;
    this.free = true;
    this.moveTo({ x: from.x + dx * cos - dy * sin, y: from.y + dx * sin + dy * cos, h: (from.h + turn + 360) % 360 });
    this.free = was;
  }
  /** From the ghost, or the piece held, to its own general and to the nearest enemies. */
  get distances(): { label: string; paces: number; own: boolean }[] {
    const scene = this.scene;
    const held = this.piece(this.held);
    if (!scene || !held) return [];
    const ghost = this.ghost?.ghosts.find((g) => g.label === held.label);
    if (!ghost && held.fate !== "table") return [];
    const here = ghost ?? held;
    const far = scene.board.pieces
      .filter((p) => p.label !== held.label && (p.side !== held.side || p.general))
      .map((p) => ({ label: p.side === held.side ? p.short : p.label, paces: Math.round(between(here, p)), own: p.side === held.side }))
      .sort((a, b) => a.paces - b.paces);
    return [...far.filter((d) => d.own).slice(0, 1), ...far.filter((d) => !d.own && d.paces <= 600).slice(0, 4)];
  }
  async weigh(fight: Fight): Promise<void> {
    this.fight = fight;
    this.odds = null;
    try {
      const answer = await this.session.ask(fight.question);
      if (this.fight === fight && this.session.adapter) this.odds = this.session.adapter.odds(answer);
    } catch (e) {
      this.session.fail(e);
    }
  }
}
