// Play on hexes: who is selected, where the engine says he may go, and the way that is shown before it is taken.
import { HALF, RADIUS, apart, columnRow, heading, isFacing, middle, told, touch, wayOf, type HexScene, type Way } from "./hexes.ts";
import type { Fight } from "./model.ts";
import type { Play } from "./play.svelte.ts";
import { t } from "./words.ts";

/** A fight of a plan, with both sums; or one that is forbidden, with the rule and the reason. */
export interface Pair {
  do: string;
  words: string;
  why: string;
}
const same = (a: string, b: string): boolean => a.split(" ").sort().join() === b.split(" ").sort().join();

export class HexPlay {
  private found = $state.raw<Way[]>([]);
  also = $state.raw<string[]>([]);
  why = $state("");
  looking = $state(false);
  /** The way that is shown. */
  way = $state.raw<Way | null>(null);
  /** It was chosen by a tap or by keys, and waits to be confirmed. */
  sure = $state(false);
  /** What breaks if the one selected goes: friends that leave command or a shield wall. */
  depends = $state.raw<{ what: "command" | "wall"; who: string }[]>([]);
  /** A path of one's own is laid, hex after hex. */
  bending = $state(false);
  /** Its places so far, each with the way that leads there. */
  legs = $state.raw<Way[]>([]);
  /** Why the last place that was clicked cannot be the next one. */
  stop = $state("");
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
      if (this.bending && way.verb !== "move") continue;
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
    this.bending = false;
    this.legs = [];
    this.stop = "";
    this.depends = [];
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
  private async look(label: string, by: Way[] = []): Promise<void> {
    const mine = (this.asked += 1);
    const session = this.session;
    if (!session.owed || session.at !== null || this.choosing || !this.play.piece(label)?.own || session.without("hints")) return;
    this.looking = true;
    try {
      const lines = await session.ask(`ways ${label}${by.length > 0 ? ` by ${by.map((w) => w.hex).join(" ")}` : ""}`);
      if (mine !== this.asked) return;
      this.found = lines.map(told).filter((w): w is Way => w !== null);
      this.also = lines.flatMap((l) => (l.startsWith("also ") ? [l.slice(5)] : []));
      this.why = lines.find((l) => l.startsWith("why "))?.slice(4) ?? "";
      if (by.length > 0 || !this.scene?.units.some((u) => u.label === label)) return;
      const said = await session.ask(`depends ${label}`).catch((): string[] => []);
      if (mine === this.asked) this.depends = said.map((l) => ({ what: l.startsWith("wall ") ? "wall" : "command", who: l.split(" ")[1] ?? "" }));
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
  /** Whether the one selected can be led along a path of one's own. */
  get bendable(): boolean {
    return !this.choosing && (this.bending || this.found.some((w) => w.verb === "move"));
  }
  /** Lays a path of one's own, or no longer. */
  bend(): void {
    const held = this.play.held;
    const on = !this.bending;
    const laid = this.legs.length > 0;
    this.show(null);
    [this.bending, this.legs, this.stop] = [on, [], ""];
    if (laid && held) void this.look(held);
  }
  /** Places are laid one after another, each on what the server tells of those before. */
  private queue: Promise<void> = Promise.resolve();
  private then(act: () => Promise<void>): Promise<void> {
    const held = this.play.held;
    this.queue = this.queue.then(() => (this.bending && this.play.held === held ? act() : undefined)).catch(() => undefined);
    return this.queue;
  }
  /** A hex is the next place of the path, if a move may lead there; an enemy stands for the place beside him. */
  leg(hex: string): Promise<void> {
    return this.then(() => this.lay(hex));
  }
  private async lay(name: string): Promise<void> {
    const held = this.play.held;
    const foe = this.scene?.units.find((u) => u.hex === name && !u.own);
    const hex = foe ? (this.charge(foe.label)?.hex ?? name) : name;
    const way = this.best(hex);
    if (!held || hex === this.legs.at(-1)?.hex) return;
    if (!way) {
      // Where it stops, and why, in the engine's words.
      const last = this.legs.at(-1);
      const stands = this.scene?.units.find((u) => u.label === held);
      const here = last?.hex ?? stands?.hex ?? "";
      if (!touch(here, hex)) {
        this.stop = t("hex_path_far", { hex, from: here, n: last ? Math.max(0, last.of - last.cost) : (this.found.find((w) => w.verb === "move")?.of ?? 0) });
        return;
      }
      // Turned so that the hex lies before it, if it does not already.
      const words = (last?.text ?? `move ${held}`).split(" ");
      while (words.length > 2 && isFacing(words.at(-1) ?? "")) words.pop();
      const now = last ? (this.ways.find((w) => w.hex === here && w.text === words.join(" "))?.facing ?? last.facing) : (stands?.facing ?? "");
      const [a, b] = [middle(here), middle(hex)];
      const bearing = a && b ? ((Math.atan2(b.x - a.x, a.y - b.y) * 180) / Math.PI + 360) % 360 : 0;
      const toward = ["n", "ne", "se", "s", "sw", "nw"].sort((x, y) => apart(heading(x), bearing) - apart(heading(y), bearing) || apart(heading(x), heading(now)) - apart(heading(y), heading(now)))[0] ?? "";
      const turned = apart(heading(now), bearing) > 31 ? [toward] : [];
      const said = await this.session.ask(`may ${[...words, ...turned, hex].join(" ")}`).catch((): string[] => []);
      const rule = said.find((l) => l.startsWith("may no "))?.slice(7) ?? "";
      const why = said.find((l) => l.startsWith("why "))?.slice(4) ?? "";
      this.stop = why ? `${why}${rule && !why.includes(rule) ? ` ${rule}` : ""}` : "";
      return;
    }
    this.stop = "";
    this.legs = [...this.legs, way];
    this.show(way, true);
    await this.along(held);
  }
  /** The ways on from the last place of the path, with itself shown. */
  private async along(held: string): Promise<void> {
    const hex = this.legs.at(-1)?.hex ?? "";
    await this.look(held, this.legs);
    this.rest(hex);
  }
  private rest(hex = this.legs.at(-1)?.hex ?? ""): void {
    const way = hex ? this.best(hex) : null;
    this.show(way, way !== null);
  }
  /** Takes the last place back; whether there was one. */
  unbend(): boolean {
    if (!this.bending || this.legs.length === 0) return false;
    void this.then(async () => {
      this.legs = this.legs.slice(0, -1);
      this.stop = "";
      const last = this.legs.at(-1) ?? null;
      this.show(last, last !== null);
      await this.along(this.play.held);
    });
    return true;
  }
  /** Nothing is pointed at any more: what was laid is shown, or nothing. */
  leave(): void {
    if (this.legs.length > 0) this.rest();
    else if (!this.sure) this.show(null);
  }
  /** The same hex by the other kind of move: the single-hex move beside an ordinary one, or the other way round. */
  other = $derived.by<Way | null>(() => {
    const way = this.way;
    if (!way || this.bending || !["move", "step"].includes(way.verb)) return null;
    const verb = way.verb === "move" ? "step" : "move";
    let best: Way | null = null;
    let least = Infinity;
    for (const w of this.ways) {
      if (w.verb !== verb || w.hex !== way.hex) continue;
      const now = this.from(w);
      const same = w.facing === way.facing && w.formation === way.formation;
      const cost = (same ? 0 : 10) + apart(heading(w.facing), verb === "step" ? now.h : heading(way.facing)) + (w.formation === way.formation ? 0 : 60) + w.cost;
      if (cost < least) [best, least] = [w, cost];
    }
    return best;
  });
  swap(): boolean {
    const other = this.other;
    if (!other) return false;
    this.show(other, true);
    return true;
  }
  /** Of the ways to a hex the one that a hand means: as he stands, cheap, looking where he looks, or where one points. */
  best(hex: string, towards: number | null = null): Way | null {
    let best: Way | null = null;
    let least = Infinity;
    for (const way of this.ways) {
      if (way.hex !== hex || (this.bending && way.verb !== "move")) continue;
      const now = this.from(way);
      const turn = way.facing ? apart(heading(way.facing), towards ?? now.h) : 0;
      const cost = (towards === null ? way.cost * 100 : way.cost) + turn * (towards === null ? 0.5 : 100)
        + (way.formation && way.formation !== now.formation ? 60 : 0) + (way.text.includes(" drop") ? 20 : 0) + (way.verb === "challenge" ? 5 : 0) + (way.verb === "step" ? 3 : 0);
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
      if (!way.held.includes(label) || !at || (this.bending && way.verb !== "move")) continue;
      const bearing = ((Math.atan2(foe.x - at.x, at.y - foe.y) * 180) / Math.PI + 360) % 360;
      const now = this.from(way);
      const cost = way.cost * 10 + apart(heading(way.facing), bearing) + (way.formation !== now.formation ? 40 : 0) + (way.held.length - 1) * 5 + (way.verb === "step" ? 3 : 0);
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
    if (!way && this.choosing) {
      this.weighed = "";
      this.weighChoice();
    }
    if (way && (this.choosing || way.held.length > 0 || way.verb === "challenge")) this.timer = window.setTimeout(() => void (this.choosing ? this.answer(way.text, way) : this.foresee(way)), 140);
  }
  private async foresee(way: Way): Promise<void> {
    const foe = way.verb === "challenge" ? (way.text.split(" ")[2] ?? "") : way.held[0];
    if (!foe || this.session.without("odds")) return;
    const question = `factors ${way.who} with ${foe}`;
    // A challenge is fought at once: its dice are not thrown to look ahead.
    const said = way.verb === "challenge" ? { answers: [await this.session.ask(question).catch((): string[] => [])], events: [] } : await this.session.preview(way.text, [], [question]).catch(() => null);
    const answer = said?.answers?.[0] ?? [];
    const adapter = this.session.adapter;
    if (this.way !== way || answer.length === 0 || !adapter) return;
    const words = (said?.events ?? []).filter((e) => e.kind === "contact").map((e) => String(e.say ?? "")).join(" ");
    this.play.would = { text: way.text, odds: adapter.odds(answer), fights: [[way.who, foe]], aids: [], words };
  }
  /** What an answer in mid-move or after a fight brings: the fight that comes of standing, and what befalls others. */
  private async answer(text: string, way: Way | null = null): Promise<void> {
    const [verb = "", who = ""] = text.split(" ");
    const mover = this.scene?.mover ?? "";
    const adapter = this.session.adapter;
    const fights = ["stand", "turn"].includes(verb) && mover !== "" && !this.session.without("odds");
    const question = `factors ${mover} with ${who}`;
    const said = await this.session.preview(text, [], fights ? [question] : []).catch(() => null);
    if (!adapter || !this.choosing || (way && this.way !== way)) return;
    const facts = said?.answers?.[0] ?? (fights ? await this.session.ask(question).catch((): string[] => []) : []);
    const told = ["disrupted", "pushed", "removed", "lost", "fell", "broke", "aside"];
    const words = (said?.events ?? []).filter((e) => told.includes(e.kind ?? "")).map((e) => `${String(e.say ?? "")}.`).join(" ");
    if (facts.length > 0 || words) this.play.would = { text, odds: facts.length > 0 ? adapter.odds(facts) : null, fights: fights ? [[mover, who]] : [], aids: [], words };
  }
  private weighed = "";
  /** Whoever may stand sees what that would come to as soon as he is asked. */
  weighChoice(): void {
    const key = this.choosing ? `${this.session.seat} ${this.session.version}` : "";
    if (key === this.weighed) return;
    this.weighed = key;
    const stand = key ? this.session.owed?.answers?.find((a) => a.startsWith("stand ")) : undefined;
    if (stand) void this.answer(stand);
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
    const stands = this.scene?.units.find((u) => u.label === this.play.held);
    // With nothing shown yet the one selected turns where it stands.
    const way = this.way ?? (stands ? this.best(stands.hex) : null);
    if (!way) return;
    const now = this.way?.facing ?? stands?.facing ?? "";
    const all = this.ways.filter((w) => w.hex === way.hex && w.formation === way.formation && w.facing && w.off === way.off && (!this.bending || w.verb === "move"));
    const faces = [...new Map(all.sort((a, b) => a.cost - b.cost).map((w) => [w.facing, w])).values()].sort((a, b) => heading(a.facing) - heading(b.facing));
    const cheap = (facing: string) => all.filter((w) => w.facing === facing).sort((a, b) => Number(a.verb !== way.verb) - Number(b.verb !== way.verb) || a.cost - b.cost)[0] ?? null;
    const at = faces.findIndex((w) => w.facing === now);
    const turn = (h: number) => (((h - heading(now)) * by) % 360 + 360) % 360 || 360;
    // Whoever may not stay as he looks takes the next facing that way.
    const next = at >= 0 ? faces[(at + by + faces.length) % faces.length] : [...faces].sort((a, b) => turn(heading(a.facing)) - turn(heading(b.facing)))[0];
    if (next) this.show(cheap(next.facing), true);
  }
  form(): void {
    const way = this.way;
    const held = this.play.held;
    const hex = way?.hex ?? this.scene?.units.find((u) => u.label === held)?.hex ?? "";
    const now = way?.formation ?? this.scene?.units.find((u) => u.label === held)?.formation ?? "";
    const other = this.ways.filter((w) => w.hex === hex && w.formation && w.formation !== now && (!this.bending || w.verb === "move")).sort((a, b) => a.cost - b.cost);
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
    else if (!this.way) this.next();
    return true;
  }
  /** Keys of the table on hexes; whether it was one of them. */
  key(e: KeyboardEvent): boolean {
    const arrows: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const arrow = arrows[e.key];
    // While a path is laid every key waits for what the server tells of the place before.
    if (arrow && this.bending) {
      void this.then(async () => void this.step(...arrow));
      return true;
    }
    if (arrow) return this.step(...arrow);
    switch (e.key) {
      case "q": case "Q": this.turn(-1); return true;
      case "e": case "E": this.turn(1); return true;
      case "c": this.form(); return true;
      case "n": this.next(); return true;
      case "s": return this.swap();
      case "p":
        if (this.bendable) this.bend();
        return true;
      case ".":
        if (this.bending) void this.then(() => this.lay(this.way?.hex ?? ""));
        return this.bending;
      case "Backspace": return this.unbend();
      case "g": case "m": return true;
      case "Enter":
        if (this.bending && this.legs.length > 0) {
          void this.then(async () => void (await this.take()));
          return true;
        }
        if (!this.way || !this.sure) return false;
        void this.take();
        return true;
      case "Escape":
        if (this.bending) {
          this.bend();
          return true;
        }
        if (!this.way) return false;
        this.show(null);
        return true;
      default: return false;
    }
  }
  /** Units that take part in the fight on the card, and those that could: of shots as the server lists them, hand to hand
   *  whoever stands beside; whether that is allowed the server says. */
  ticks(fights: Fight[]): { label: string; on: boolean }[] {
    const fight = this.play.fight;
    const scene = this.scene;
    if (!fight || !scene) return [];
    const verb = fight.do.split(" ")[0];
    const [by, against] = fight.who.map((w) => w.split(" ")) as [string[], string[]];
    if (verb === "fight") {
      const all = [...scene.units, ...scene.generals.filter((g) => g.alone)];
      const hexes = (some: string[]) => all.filter((u) => some.includes(u.label)).map((u) => u.hex);
      const beside = (one: string, some: string[]) => scene.units.filter((u) => u.label.split(".")[0] === one.split(".")[0] && hexes(some).some((h) => touch(h, u.hex))).map((u) => u.label);
      const own = beside(by[0] ?? "", against);
      const foes = by.length > 1 ? against : beside(against[0] ?? "", by);
      return [...new Set([...own, ...by])].map((label) => ({ label, on: by.includes(label) })).concat([...new Set([...foes, ...against])].map((label) => ({ label, on: against.includes(label) })));
    }
    if (verb !== "shoot" && verb !== "suppress") return [];
    const all = fights.filter((f) => f.who[1] === fight.who[1] && f.do.split(" ")[0] === verb).flatMap((f) => f.who[0].split(" "));
    return [...new Set([...all, ...by])].map((label) => ({ label, on: by.includes(label) }));
  }
  tick(label: string, fights: Fight[]): void {
    const fight = this.play.fight;
    if (!fight) return;
    const on = this.ticks(fights).filter((t) => (t.label === label ? !t.on : t.on)).map((t) => t.label);
    const side = (l: string) => l.split(".")[0];
    const [first, second] = fight.who;
    const who = on.filter((l) => side(l) === side(first)).join(" ");
    const target = on.filter((l) => side(l) === side(second)).join(" ");
    if (!who || !target) return;
    const verb = fight.do.split(" ")[0] ?? "";
    const found = fights.find((f) => f.do.startsWith(`${verb} `) && same(f.who[0], who) && same(f.who[1], target));
    const name = this.session.adapter?.name ?? ((l: string) => l);
    const question = verb === "fight" ? `factors ${who} with ${target}` : verb === "shoot" ? `factors ${who} at ${target}` : `factors ${who} suppress ${target}`;
    const text = verb === "fight" ? `fight ${who} with ${target}` : `${verb} ${target} with ${who}`;
    void this.play.weigh(found ?? { who: [who, target], do: text, words: `${name(who)} – ${name(target)}`, question });
  }

  /** What is proposed for the whole hand-to-hand phase, best first, and shown to be confirmed; empty: not asked for. */
  plan = $state.raw<Pair[]>([]);
  /** Who stands beside an enemy and would not fight. */
  idle = $state.raw<string[]>([]);
  /** Pairings that are forbidden now, with the rule and why. */
  forbidden = $state.raw<Pair[]>([]);
  /** All of the plan was confirmed: it is fought on, with halts for choices. */
  fighting = $state(false);
  private paired = "";
  private async pairs(): Promise<Pair[]> {
    const lines = await this.session.ask("pair").catch((): string[] => []);
    const name = this.session.adapter?.name ?? ((l: string) => l);
    const words = (text: string) => text.replace(/^fight /, "").split(" with ").map((l) => name(l)).join(" – ");
    const read = (l: string): Pair => {
      const cut = l.indexOf(" : ");
      const text = l.slice(l.indexOf(" ") + 1, cut);
      return { do: text, words: words(text), why: l.slice(cut + 3) };
    };
    this.forbidden = lines.filter((l) => l.startsWith("not ")).map(read);
    this.idle = lines.filter((l) => l.startsWith("idle ")).map((l) => l.slice(5));
    return lines.filter((l) => l.startsWith("pair ")).map(read);
  }
  /** What is forbidden is known whenever one's fights are to be paired. */
  async melee(): Promise<void> {
    const session = this.session;
    const now = this.play.scene?.step === "melee" && session.at === null && session.owed?.kind === "act" && session.fresh;
    const key = now ? `${session.seat} ${session.version}` : "";
    if (!now) {
      // In between somebody chooses: what was confirmed goes on after that.
      if (this.play.scene?.step !== "melee") [this.plan, this.forbidden, this.idle, this.fighting] = [[], [], [], false];
      else this.forbidden = [];
      this.paired = key;
      return;
    }
    if (key === this.paired) return;
    this.paired = key;
    const asked = this.plan;
    const all = await this.pairs();
    if (this.paired !== key || asked.length === 0) return;
    // What is left of the plan as far as it may still be fought; what has become of the rest is proposed anew, and asked for.
    const left = asked.filter((p) => session.texts.includes(p.do));
    const follows = left.length > 0 && left[0]?.do === asked.find((p) => session.texts.includes(p.do))?.do;
    if (all.length === 0) [this.plan, this.fighting] = [[], false];
    else if (follows) this.plan = left;
    else [this.plan, this.fighting] = [all, false];
    if (this.fighting) await this.next_();
  }
  async pair(): Promise<void> {
    this.play.fight = null;
    this.plan = await this.pairs();
  }
  unpair(): void {
    [this.plan, this.fighting] = [[], false];
  }
  /** The next fight of the plan. */
  async next_(): Promise<void> {
    const next = this.plan[0];
    if (!next || this.session.busy) return;
    if (!(await this.session.command(next.do))) this.fighting = false;
  }
  async fightAll(): Promise<void> {
    this.fighting = true;
    await this.next_();
  }

  /** The army falls in along a line from one place of the map to another, in the order in which it stands or waits. */
  async line(a: { x: number; y: number }, b: { x: number; y: number }): Promise<void> {
    const scene = this.scene;
    const units = scene?.units.filter((u) => u.own).sort((p, q) => p.x - q.x) ?? [];
    if (!scene) return;
    const all = [...units.map((u) => ({ label: u.label, formation: u.formation })), ...scene.waiting];
    const first = all[0];
    if (!first) return;
    const lines = await this.session.ask(`ways ${first.label}`).catch((): string[] => []);
    const zone = [...new Set(lines.flatMap((l) => told(l)?.hex ?? []))];
    const [left, right] = a.x <= b.x ? [a, b] : [b, a];
    // So many side by side as have room, the others behind them.
    const each = Math.max(1, Math.min(all.length, Math.round(Math.hypot(right.x - left.x, right.y - left.y) / (2 * HALF)) + 1));
    const back = (scene.turn === 180 ? -1 : 1) * RADIUS * 1.5;
    const taken = new Set<string>();
    const texts = all.flatMap((u, i) => {
      const [rank, file] = [Math.floor(i / each), i % each];
      const share = each > 1 ? file / (each - 1) : 0.5;
      const at = { x: left.x + (right.x - left.x) * share, y: left.y + (right.y - left.y) * share + back * rank };
      const far = (h: string) => { const m = middle(h); return m ? Math.hypot(m.x - at.x, m.y - at.y) : Infinity; };
      const hex = zone.filter((h) => !taken.has(h)).sort((p, q) => far(p) - far(q))[0];
      if (!hex) return [];
      taken.add(hex);
      return [`place ${u.label} ${hex} ${scene.turn === 180 ? "s" : "n"} ${u.formation}`];
    });
    await this.deploy(texts);
  }
  /** A deployment that was kept: everything to its hex, one after another. */
  placing = $state("");
  async deploy(texts: string[]): Promise<void> {
    const session = this.session;
    this.play.clear();
    const failed: string[] = [];
    const blocks = texts.some((x) => / block\b/.test(x)) ? session.texts.find((x) => x.startsWith("begin ")) : undefined;
    for (const [n, text] of [...(blocks ? [blocks] : []), ...texts].entries()) {
      this.placing = t("hex_placing", { n: n + 1, of: texts.length });
      if (!(await session.command(text))) failed.push(text.split(" ")[1] ?? "");
    }
    this.placing = "";
    session.error = failed.length > 0 ? t("hex_not_placed", { who: failed.join(", ") }) : "";
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
    const fire = (lines: string[][]) => lines.map((w) => ({ who: "fire", hex: w[1] ?? "" }));
    if (overlay === "enemy") {
      const [come, shoot] = await Promise.all([ask(`threat ${foe}`), ask(`fire ${foe}`)]);
      out = [...come.map((w) => ({ who: foe, hex: w[1] ?? "" })), ...fire(shoot)];
    }
    if (overlay === "reach") {
      const held = this.play.held;
      const unit = !!held && seen.units.some((u) => u.label === held);
      const [come, shoot] = await Promise.all([ask(unit ? `reach ${held}` : `threat ${own}`), ask(unit ? `arc ${held}` : `fire ${own}`)]);
      out = [...come.map((w) => ({ who: held || own, hex: w[1] ?? "" })), ...fire(shoot)];
    }
    if (this.play.overlay === overlay) this.over = out.filter((o) => columnRow(o.hex));
  }
}
