// Play on hexes: who is selected, where the engine says he may go, and the way that is shown before it is taken.
import { apart, columnRow, heading, middle, told, wayOf, type HexScene, type Way } from "./hexes.ts";
import type { Fight } from "./model.ts";
import type { Play } from "./play.svelte.ts";

export class HexPlay {
  private found = $state.raw<Way[]>([]);
  also = $state.raw<string[]>([]);
  why = $state("");
  looking = $state(false);
  /** The way that is shown. */
  way = $state.raw<Way | null>(null);
  /** It was chosen by a tap or by keys, and waits to be confirmed. */
  sure = $state(false);
  /** Hexes of an overlay that the server tells. */
  over = $state.raw<{ hex: string; who: string }[]>([]);

  constructor(readonly play: Play) {
    play.hand = this;
  }
  private get session() {
    return this.play.session;
  }
  get scene(): HexScene | undefined {
    return this.play.scene?.hexes;
  }
  /** Pieces that may still act. */
  can = $derived.by(() => new Set(this.session.facts.flatMap((f) => (f.startsWith("can ") ? [f.slice(4)] : []))));
  /** One of several answers is owed. */
  get choosing(): boolean {
    return this.session.owed?.kind === "choice" && this.session.at === null;
  }
  private answers = $derived.by<Way[]>(() => {
    const owed = this.session.owed;
    if (owed?.kind !== "choice" || this.session.at !== null) return [];
    return (owed.answers ?? []).flatMap((a) => {
      const way = wayOf(a);
      if (!way) return [];
      // A turn where one stands lies in its own hex.
      const stands = this.scene?.units.find((u) => u.label.toLowerCase() === way.who.toLowerCase());
      return [{ ...way, hex: way.hex || stands?.hex || "" }];
    });
  });
  get ways(): Way[] {
    return this.choosing ? this.answers : this.found;
  }
  /** Hexes that may be chosen, each with its cheapest way; a hex at the edge stands for a way off the table. */
  targets = $derived.by<Map<string, Way>>(() => {
    const out = new Map<string, Way>();
    for (const way of this.choosing ? this.answers : this.found) {
      const best = out.get(way.hex);
      if (!best || way.cost < best.cost) out.set(way.hex, way);
    }
    return out;
  });

  /** Who must choose: those whom the answers are about. */
  asking = $derived.by(() => {
    const owed = this.session.owed;
    const named = owed?.kind === "choice" && this.session.at === null ? (owed.answers ?? []).map((a) => (a.split(" ")[1] ?? "").toLowerCase()) : [];
    const all = [...(this.scene?.units ?? []), ...(this.scene?.generals ?? [])];
    return new Set(all.filter((u) => named.includes(u.label.toLowerCase())).map((u) => u.label));
  });

  clear(): void {
    this.found = [];
    this.also = [];
    this.why = "";
    this.way = null;
    this.sure = false;
    this.looking = false;
    this.asked += 1;
  }
  private asked = 0;
  select(label: string): void {
    const play = this.play;
    play.clear();
    play.who = [label];
    play.held = label;
    if (play.overlay === "sight") void play.seeing();
    void this.look(label);
  }
  private async look(label: string): Promise<void> {
    const mine = (this.asked += 1);
    const session = this.session;
    if (!session.owed || session.at !== null || this.choosing || !this.play.piece(label)?.own || session.without("hints")) return;
    this.looking = true;
    try {
      const lines = await session.ask(`ways ${label}`);
      if (mine !== this.asked) return;
      this.found = lines.map(told).filter((w): w is Way => w !== null);
      this.also = lines.flatMap((l) => (l.startsWith("also ") ? [l.slice(5)] : []));
      this.why = lines.find((l) => l.startsWith("why "))?.slice(4) ?? "";
    } catch (e) {
      session.fail(e);
    } finally {
      if (mine === this.asked) this.looking = false;
    }
  }
  /** Where whoever goes stands now, and how. */
  private from(way: Way): { h: number; formation: string } {
    const unit = this.scene?.units.find((u) => u.label.toLowerCase() === way.who.toLowerCase());
    return { h: unit?.h ?? 0, formation: unit?.formation ?? "" };
  }
  /** Of the ways to a hex the one that a hand means: as he stands, cheap, looking where he looks, or where one points. */
  best(hex: string, towards: number | null = null): Way | null {
    let best: Way | null = null;
    let least = Infinity;
    for (const way of this.ways) {
      if (way.hex !== hex) continue;
      const now = this.from(way);
      const turn = way.facing ? apart(heading(way.facing), towards ?? now.h) : 0;
      const cost = (towards === null ? way.cost * 100 : way.cost) + turn * (towards === null ? 0.5 : 100)
        + (way.formation && way.formation !== now.formation ? 60 : 0) + (way.text.includes(" drop") ? 20 : 0) + (way.verb === "challenge" ? 5 : 0);
      if (cost < least) [best, least] = [way, cost];
    }
    return best;
  }
  /** The best way into contact with an enemy, facing him. */
  charge(label: string): Way | null {
    const foe = this.scene?.units.find((u) => u.label === label);
    if (!foe) return null;
    let best: Way | null = null;
    let least = Infinity;
    for (const way of this.ways) {
      const at = middle(way.hex);
      if (!way.held.includes(label) || !at) continue;
      const bearing = ((Math.atan2(foe.x - at.x, at.y - foe.y) * 180) / Math.PI + 360) % 360;
      const now = this.from(way);
      const cost = way.cost * 10 + apart(heading(way.facing), bearing) + (way.formation !== now.formation ? 40 : 0) + (way.held.length - 1) * 5;
      if (cost < least) [best, least] = [way, cost];
    }
    return best;
  }
  private timer = 0;
  /** A way is pointed at: it is drawn, and if it leads into contact the fight is weighed. */
  show(way: Way | null, sure = false): void {
    if (way?.text === this.way?.text && sure === this.sure) return;
    this.way = way;
    this.sure = sure && way !== null;
    clearTimeout(this.timer);
    this.play.would = null;
    if (way && way.held.length > 0 && !this.session.without("odds")) this.timer = window.setTimeout(() => void this.foresee(way), 140);
  }
  private async foresee(way: Way): Promise<void> {
    const foe = way.held[0];
    if (!foe) return;
    const question = `factors ${way.who} with ${foe}`;
    const said = await this.session.preview(way.text, [], [question]).catch(() => null);
    const answer = said?.answers?.[0] ?? [];
    const adapter = this.session.adapter;
    if (this.way !== way || answer.length === 0 || !adapter) return;
    const words = (said?.events ?? []).filter((e) => e.kind === "contact").map((e) => String(e.say ?? "")).join(" ");
    this.play.would = { text: way.text, odds: adapter.odds(answer), fights: [[way.who, foe]], aids: [], words };
  }
  async take(way: Way | null = this.way): Promise<boolean> {
    if (!way || this.session.busy) return false;
    const done = await this.session.command(way.text);
    if (done) this.play.clear();
    return done;
  }
  async also_(text: string): Promise<void> {
    if (await this.session.command(text)) this.play.clear();
  }
  /** Other ways to the same hex: the next facing, or the other formation. */
  turn(by: number): void {
    const way = this.way;
    if (!way) return;
    const all = this.ways.filter((w) => w.hex === way.hex && w.formation === way.formation && w.facing && w.off === way.off);
    const faces = [...new Map(all.sort((a, b) => a.cost - b.cost).map((w) => [w.facing, w])).values()].sort((a, b) => heading(a.facing) - heading(b.facing));
    const cheap = (facing: string) => all.filter((w) => w.facing === facing).sort((a, b) => a.cost - b.cost)[0] ?? null;
    const at = faces.findIndex((w) => w.facing === way.facing);
    const next = faces[(at + by + faces.length) % faces.length];
    if (next) this.show(cheap(next.facing), true);
  }
  form(): void {
    const way = this.way;
    const held = this.play.held;
    const hex = way?.hex ?? this.scene?.units.find((u) => u.label === held)?.hex ?? "";
    const now = way?.formation ?? this.scene?.units.find((u) => u.label === held)?.formation ?? "";
    const other = this.ways.filter((w) => w.hex === hex && w.formation && w.formation !== now).sort((a, b) => a.cost - b.cost);
    const same = other.find((w) => !way || w.facing === way.facing) ?? other[0];
    if (same) this.show(same, true);
  }
  /** The next place in the order of their distance. */
  next(): void {
    const hexes = [...this.targets.keys()];
    const at = this.way ? hexes.indexOf(this.way.hex) : -1;
    const hex = hexes[(at + 1) % hexes.length];
    if (hex !== undefined) this.show(this.best(hex), true);
  }
  /** The nearest place in a direction of the screen. */
  step(dx: number, dy: number): boolean {
    const scene = this.scene;
    if (!scene || this.ways.length === 0) return false;
    const who = this.way?.who ?? this.ways[0]?.who ?? "";
    const unit = [...scene.units, ...scene.generals].find((u) => u.label.toLowerCase() === who.toLowerCase());
    const here = middle(this.way?.hex ?? unit?.hex ?? "") ?? { x: scene.width / 2, y: scene.height / 2 };
    const turn = scene.turn === 180 ? -1 : 1;
    let best = "";
    let least = Infinity;
    for (const hex of this.targets.keys()) {
      const at = middle(hex);
      if (!at) continue;
      const [x, y] = [(at.x - here.x) * turn, (at.y - here.y) * turn];
      const ahead = x * dx + y * dy;
      const aside = Math.abs(x * dy) + Math.abs(y * dx);
      if (ahead < 20 || aside > ahead * 2.2) continue;
      const far = ahead + aside * 1.4;
      if (far < least) [best, least] = [hex, far];
    }
    if (best) this.show(this.best(best), true);
    return true;
  }
  /** Keys of the table on hexes; whether it was one of them. */
  key(e: KeyboardEvent): boolean {
    const arrows: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const arrow = arrows[e.key];
    if (arrow) return this.step(...arrow);
    switch (e.key) {
      case "q": case "Q": this.turn(-1); return true;
      case "e": case "E": this.turn(1); return true;
      case "c": this.form(); return true;
      case "n": this.next(); return true;
      case "g": case "m": return true;
      case "Enter":
        if (!this.way || !this.sure) return false;
        void this.take();
        return true;
      case "Escape":
        if (!this.way) return false;
        this.show(null);
        return true;
      default: return false;
    }
  }
  /** Units that take part in the fight on the card, and those that could: as the server lists them. */
  ticks(fights: Fight[]): { label: string; on: boolean }[] {
    const fight = this.play.fight;
    const scene = this.scene;
    if (!fight || !scene || !/^(shoot|suppress) /.test(fight.do)) return [];
    const target = fight.who[1];
    const all = fights.filter((f) => f.who[1] === target && f.do.split(" ")[0] === fight.do.split(" ")[0]).flatMap((f) => f.who[0].split(" "));
    const now = fight.who[0].split(" ");
    return [...new Set([...all, ...now])].map((label) => ({ label, on: now.includes(label) }));
  }
  tick(label: string, fights: Fight[]): void {
    const fight = this.play.fight;
    if (!fight) return;
    const who = this.ticks(fights).filter((t) => (t.label === label ? !t.on : t.on)).map((t) => t.label);
    if (who.length === 0) return;
    const [verb = "", target] = [fight.do.split(" ")[0], fight.who[1]];
    const by = who.join(" ");
    const name = this.session.adapter?.name ?? ((l: string) => l);
    void this.play.weigh({ who: [by, target], do: `${verb} ${target} with ${by}`, words: `${name(by)} – ${name(target)}`, question: verb === "shoot" ? `factors ${by} at ${target}` : "" });
  }
  /** What an overlay shows that the server must tell. */
  async tell(): Promise<void> {
    const overlay = this.play.overlay;
    const [scene, seen] = [this.play.scene, this.scene];
    this.over = [];
    if (!scene || !seen || this.session.at !== null) return;
    const own = scene.armies.find((a) => a.own)?.letter ?? scene.armies[0]?.letter ?? "A";
    const foe = scene.armies.find((a) => a.letter !== own)?.letter ?? "B";
    const ask = async (q: string) => (await this.session.ask(q).catch((): string[] => [])).map((l) => l.split(" "));
    let out: { hex: string; who: string }[] = [];
    if (overlay === "command") out = (await ask(`ranges ${own}`)).map((w) => ({ who: w[1] ?? "", hex: w[2] ?? "" }));
    if (overlay === "enemy") out = (await ask(`threat ${foe}`)).map((w) => ({ who: foe, hex: w[1] ?? "" }));
    if (overlay === "reach") {
      const held = this.play.held;
      out = (held && seen.units.some((u) => u.label === held) ? await ask(`reach ${held}`) : await ask(`threat ${own}`)).map((w) => ({ who: held || own, hex: w[1] ?? "" }));
    }
    if (this.play.overlay === overlay) this.over = out.filter((o) => columnRow(o.hex));
  }
}
