// What is selected, where it may go, and the ghost that shows it before it goes.
import type { Previewed } from "./api.ts";
import type { Aid, Dock, Fight, Figures, Hold, Mark, Odds, Overlay, Piece, Plan, Pose, Scene, Shape, Weight } from "./model.ts";
import type { Session } from "./session.svelte.ts";
import { wordsOf } from "./api.ts";
import { between } from "./geometry.ts";
import { Path } from "./path.svelte.ts";
import { cheapest, most } from "./plan.ts";
import { t } from "./words.ts";

export interface Ghost {
  to: Pose;
  text: string;
  state: "asking" | "ok" | "no";
  /** While it is asked about: what was said of the place just before. */
  seems: "" | "ok" | "no";
  words: string;
  rule: string;
  cost: string;
  ghosts: Dock["ghosts"];
  dock: Dock | null;
  /** What goes there may also do so otherwise: attack instead of passing over, or the other way round. */
  other: { text: string; words: string; cost: string; ghosts: Dock["ghosts"] } | null;
  /** Whether the ghost itself is the attack of the two. */
  attacks: boolean;
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
  /** Both ways that the fight on the card may go, to the last piece that it moves. */
  marks = $state.raw<Mark[]>([]);
  /** What a contact that is pointed at would give, if it came to that fight now. */
  would = $state.raw<{ text: string; odds: Odds | null; fights: [string, string][]; aids: Aid[]; words: string } | null>(null);
  /** The fight on the card may not be fought as it is put together: the rule, and why. */
  forbids = $state.raw<{ do: string; rule: string; why: string } | null>(null);
  /** Why an enemy that was clicked cannot be reached. */
  lacks = $state.raw<{ label: string; lines: { face: string; words: string; rule: string }[] } | null>(null);
  overlay = $state<Overlay>("");
  figures = $state.raw<Figures | null>(null);
  /** From the piece held to each enemy: whether the ground lets it see him. */
  sights = $state.raw<{ label: string; sees: boolean }[]>([]);
  /** Statements from which an overlay is drawn that figures alone do not give. */
  facts = $state.raw<string[]>([]);
  /** A deployment is being drawn as a line. */
  drawing = $state(false);
  /** Whether taps on those who would run hold them, and who is to be held. */
  planning = $state(true);
  keeping = $state.raw<string[]>([]);

  readonly path = new Path(this);
  /** What it costs those who are selected to act, and of what parts. */
  price = $state.raw<{ sum: string; parts: { rule: string; n: string }[] } | null>(null);
  /** Of a group that may not go so: the one without whom the others may. */
  spare = $state.raw<{ label: string; cost: string } | null>(null);
  /** On hexes another hand selects. */
  hand: { select(label: string): void; clear(): void } | null = null;

  constructor(readonly session: Session) {}

  /** What is selected. */
  get pieces(): Piece[] {
    return this.who.map((l) => this.piece(l)).filter((p): p is Piece => p !== undefined);
  }
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
    this.would = null;
    this.lacks = null;
    this.sights = [];
    this.drawing = false;
    this.price = null;
    this.spare = null;
    this.path.clear();
    this.hand?.clear();
  }
  /** What is selected waits off the table, and at a shared screen nobody holds "look": where it may come is not drawn. */
  get secret(): boolean {
    return this.session.veiled && this.scene?.step === "moves" && this.pieces.some((p) => p.own && p.fate === "waiting");
  }
  /** What it costs now to bring on each piece that is off the table; who is not in it cannot come now. */
  arrivals = $state.raw<Map<string, string>>(new Map());
  async priceArrivals(): Promise<void> {
    const [scene, adapter, version] = [this.scene, this.session.adapter, this.session.version];
    const comes = adapter?.comes;
    const texts = comes ? this.session.texts.filter((x) => comes.test(x)) : [];
    const waits = scene && texts.length > 0 && scene.step === "moves" && this.session.owed && this.session.at === null ? scene.armies.flatMap((a) => [...a.tray, ...a.gone]).filter((p) => p.own) : [];
    const found = await Promise.all(waits.map(async (p): Promise<[string, string][]> => {
      const text = texts.find((x) => adapter?.about([x], [p.label], scene as Scene).length);
      const said = text ? await this.session.preview(text).catch(() => null) : null;
      const paid = said?.events?.find((e) => e.kind === "paid");
      return text && said?.answer === "done" ? [[p.label, String(paid?.pips ?? 0)]] : [];
    }));
    if (this.session.version === version) this.arrivals = new Map(found.flat());
  }
  /** Whether all that is selected is one's own, and one may act with it now. */
  get mine(): boolean {
    return this.who.length > 0 && !!this.session.owed && this.session.at === null && this.who.every((l) => this.piece(l)?.own);
  }
  /** Plans of one's own that something can be done about now. */
  get plans(): Plan[] {
    return this.session.owed && this.session.at === null ? (this.scene?.plans ?? []) : [];
  }
  /** The holds of a plan that keep those who are to be held. */
  bought(plan: Plan): Hold[] {
    return cheapest(this.keeping.filter((l) => plan.running.includes(l)), plan.holds);
  }
  /** A piece that would run is held, or let run again; whether it is one. */
  keep(label: string): boolean {
    const plan = this.planning ? this.plans.find((p) => p.running.includes(label)) : undefined;
    if (!plan) return false;
    const held = this.bought(plan).find((h) => h.who.includes(label));
    if (held) this.keeping = this.keeping.filter((l) => !held.who.includes(l));
    else this.keeping = [...this.keeping, label];
    return true;
  }
  /** One hold of a plan is taken, or given up again. */
  keepAll(hold: Hold): void {
    const running = hold.who.filter((l) => this.plans.some((p) => p.running.includes(l)));
    const without = this.keeping.filter((l) => !running.includes(l));
    this.keeping = running.every((l) => this.keeping.includes(l)) ? without : [...without, ...running];
  }
  /** As many are held as the PIPs of their command pay for. */
  keepMost(plan: Plan): void {
    this.keeping = [...this.keeping.filter((l) => !plan.running.includes(l)), ...most(plan.running, plan.holds, plan.left)];
  }
  /** Holds them; whether all of it was done. */
  async holdThem(): Promise<boolean> {
    for (const hold of this.plans.flatMap((p) => this.bought(p))) if (!(await this.session.command(hold.do))) return false;
    this.keeping = [];
    return true;
  }
  /** A line has been drawn over the board: the army falls in along it, as a ghost first. */
  drawn(a: Pose, b: Pose): void {
    const scene = this.scene;
    const text = scene ? this.session.adapter?.along(a, b, this.session.texts, scene) : "";
    this.drawing = false;
    if (text) this.deployAs(text);
  }
  /** A whole deployment as a ghost. */
  deployAs(text: string): void {
    const scene = this.scene;
    if (!scene) return;
    this.ghost = null;
    const ghosts = text.replace(/^deploy /, "").split(",").flatMap((part) => {
      const [short, x, y, h] = part.trim().split(/\s+/);
      const piece = [...scene.board.pieces, ...scene.armies.flatMap((a) => a.tray)].find((p) => p.own && p.short === short);
      return piece ? [{ label: piece.label, pose: { x: Number(x), y: Number(y), h: Number(h) }, width: piece.width, depth: piece.depth }] : [];
    });
    const first = ghosts[0];
    if (!first) return;
    this.who = ghosts.map((g) => g.label);
    this.held = first.label;
    this.propose(text, first.pose, ghosts);
  }
  /** A piece is clicked: alone first, then the group it may move with. */
  select(label: string, add = false): void {
    const piece = this.piece(label);
    if (!piece) return;
    this.path.clear();
    this.spare = null;
    if (this.hand && this.scene?.hexes) return this.hand.select(label);
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
    if (this.overlay === "sight") void this.seeing();
  }
  pick(who: string[]): void {
    this.path.clear();
    this.spare = null;
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
      this.figures ??= await this.session.figures();
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
    void this.priced();
    if (this.session.without("hints")) return;
    const all = this.found.map((f) => f.do ?? "");
    const made = (text: string): Dock[] => {
      const found = this.found.find((f) => f.do === text);
      const dock = found ? adapter.dock(text, found.events ?? [], scene) : null;
      return dock ? [dock] : [];
    };
    const docks = adapter.about(all, this.who, scene).flatMap(made);
    // What the whole group may do is one click away from any of its members.
    const group = this.who.length === 1 ? this.groups[0] : undefined;
    const theirs = group ? adapter.about(all, group, scene).flatMap(made).filter((d) => d.kind === "contact" || d.short) : [];
    this.docks = [...docks, ...theirs.slice(0, 3).map((d) => ({ ...d, kind: "group" as const, words: `${t("group", { n: d.ghosts.length })}: ${d.words}` }))];
    if (this.docks.length === 0) void this.stuck();
  }
  private async priced(): Promise<void> {
    const [asked, who] = [this.session.adapter?.price, this.who];
    this.price = null;
    if (!asked || !this.mine || this.scene?.step !== "moves" || this.pieces.some((p) => p.fate !== "table" || p.spent)) return;
    const facts = await this.session.ask(asked.question(this.pieces)).catch((): string[] => []);
    if (this.who === who) this.price = asked.read(facts);
  }
  /** A dock in half a base's width of a place: those that matter, not every place one might go to. */
  near(to: Pose): Dock | null {
    const held = this.piece(this.held);
    if (!held || this.free) return null;
    let best: Dock | null = null;
    let least = held.width / 2;
    for (const dock of this.docks) {
      if (dock.kind === "group" || (dock.kind === "move" && !dock.do.startsWith("column"))) continue;
      const at = dock.ghosts.find((g) => g.label === this.held)?.pose;
      if (!at) continue;
      const far = Math.hypot(at.x - to.x, at.y - to.y);
      if (far < least) {
        least = far;
        best = dock;
      }
    }
    return best;
  }
  /** What a hand means: straight ahead if it strays but a little; in deployment level with and beside a friend. */
  private steady(held: Piece, to: Pose): Pose {
    const scene = this.scene;
    if (this.free || !scene) return to;
    if (scene.step === "deploy") return this.beside(held, to, scene);
    if (held.fate !== "table") return to;
    const turn = ((to.h - held.pose.h + 540) % 360) - 180;
    if (Math.abs(turn) > 0.05) return to;
    const rad = (held.pose.h * Math.PI) / 180;
    const [sin, cos] = [Math.sin(rad), Math.cos(rad)];
    const [dx, dy] = [to.x - held.pose.x, to.y - held.pose.y];
    const ahead = dx * sin + dy * cos;
    const right = dx * cos - dy * sin;
    if (Math.abs(right) > held.width * 0.3 || Math.abs(ahead) < Math.abs(right)) return to;
    return { x: held.pose.x + sin * ahead, y: held.pose.y + cos * ahead, h: held.pose.h };
  }
  private beside(held: Piece, to: Pose, scene: Scene): Pose {
    let best = to;
    let least = held.width * 0.4;
    for (const friend of scene.board.pieces) {
      if (!friend.own || this.who.includes(friend.label)) continue;
      const rad = (friend.pose.h * Math.PI) / 180;
      const [sin, cos] = [Math.sin(rad), Math.cos(rad)];
      const side = (friend.width + held.width) / 2;
      const places: [number, number][] = [[side, 0], [-side, 0], [0, -friend.depth]];
      for (const [right, ahead] of places) {
        const at = { x: friend.pose.x + cos * right + sin * ahead, y: friend.pose.y - sin * right + cos * ahead, h: friend.pose.h };
        const far = Math.hypot(at.x - to.x, at.y - to.y);
        if (far < least) {
          least = far;
          best = at;
        }
      }
    }
    return best;
  }
  private timer = 0;
  /** The ghost is moved to a place; the server says what that would be. */
  moveTo(wish: Pose, wait = 60): void {
    const stands = this.piece(this.held);
    const scene = this.scene;
    this.lacks = null;
    const adapter = this.session.adapter;
    if (!stands || !scene || !adapter || !this.session.owed) return;
    const held = this.path.at(stands);
    const dock = this.path.laying ? null : this.near(wish);
    if (dock) {
      this.ghost = { to: wish, text: dock.do, state: "ok", seems: "ok", words: dock.words, rule: "", cost: dock.cost, ghosts: dock.ghosts, dock, other: null, attacks: false };
      void this.foresee(dock.do);
      void this.both();
      return;
    }
    const to = this.steady(held, wish);
    const who = this.pieces.map((p) => this.path.at(p));
    const text = this.path.laying ? this.path.place(who, held, to) : adapter.place(who, held, to, scene);
    if (!text) {
      this.ghost = null;
      return;
    }
    const dx = to.x - held.pose.x;
    const dy = to.y - held.pose.y;
    const ghosts = who.map((p) => ({
      label: p.label,
      pose: p.label === held.label || p.fate !== "table" ? to : { x: p.pose.x + dx, y: p.pose.y + dy, h: p.pose.h },
      width: p.width,
      depth: p.depth,
    }));
    if (this.ghost?.text === text) return;
    this.propose(text, to, ghosts, wait);
  }
  /** A command as a ghost, to be looked at before it is given. */
  propose(text: string, to: Pose, ghosts: Dock["ghosts"], wait = 0): void {
    this.would = null;
    const old = this.ghost;
    const seems = old ? (old.state === "asking" ? old.seems : old.state) : "";
    this.ghost = { to, text, state: "asking", seems, words: old?.words ?? "", rule: old?.rule ?? "", cost: old?.cost ?? "", ghosts, dock: null, other: null, attacks: false };
    // Asked now and then while the hand moves, and once more when it rests.
    if (this.timer) return;
    this.timer = window.setTimeout(() => {
      this.timer = 0;
      if (this.ghost?.state === "asking") void this.check(this.ghost.text);
    }, wait);
  }
  private async check(text: string): Promise<void> {
    try {
      const said = await this.session.preview(text);
      if (!this.ghost || this.ghost.dock) return;
      const scene = this.scene;
      const ok = said.answer === "done" || said.answer === "dice";
      const dock = ok && scene && this.session.adapter ? this.session.adapter.dock(text, said.events ?? [], scene) : null;
      const words = ok ? (said.events ?? []).map((e) => e.say ?? "").filter(Boolean).slice(0, 3).join(" ") : (said.words ?? "").replace(/ \((?:HOTT|BB)-R?\d+\)$/, "");
      const told = { seems: ok ? ("ok" as const) : ("no" as const), words, rule: said.rule ?? "", cost: dock?.cost ?? "" };
      if (this.ghost.text !== text) {
        if (this.ghost.state === "asking") this.ghost = { ...this.ghost, ...told };
        return;
      }
      this.ghost = { ...this.ghost, ...told, state: ok ? "ok" : "no", ghosts: dock && dock.ghosts.length > 0 ? dock.ghosts : this.ghost.ghosts };
      void this.foresee(text);
      if (ok) {
        this.spare = null;
        if (!this.path.laying) void this.both();
      } else void this.without(text, said.words ?? "", this.ghost.ghosts, () => this.ghost?.text === text);
      this.path.told();
    } catch (e) {
      if (this.ghost?.text === text) this.ghost = { ...this.ghost, state: "no", seems: "no", words: wordsOf(e), rule: "" };
    }
  }
  /** Whether what is held may go to its place in two ways, attacking or passing over: then the hand must say which. */
  async both(): Promise<boolean> {
    const [scene, adapter, figures, ghost] = [this.scene, this.session.adapter, this.figures, this.ghost];
    const held = this.piece(this.held);
    const end = ghost?.ghosts.find((g) => g.label === this.held)?.pose;
    if (!scene || !adapter || !figures || !ghost || !held || !end || this.who.length !== 1) return false;
    if (ghost.other) return true;
    const over = ghost.dock ? adapter.place([held], held, end, scene) : ghost.text;
    const text = ghost.dock ? over : adapter.attack(over, [held], figures);
    if (!text || !adapter.attack(over, [held], figures)) return false;
    const own = ghost.dock ? (this.found.find((f) => f.do === ghost.text)?.events ?? []) : [];
    if (ghost.dock && !adapter.attacks(own)) return false;
    const said = await this.session.preview(text).catch(() => null);
    const fine = said?.answer === "done" || said?.answer === "dice";
    if (!said || !fine || this.ghost?.text !== ghost.text || (!ghost.dock && !adapter.attacks(said.events ?? []))) return false;
    const dock = adapter.dock(text, said.events ?? [], scene);
    const words = (said.events ?? []).map((e) => e.say ?? "").filter(Boolean).slice(0, 3).join(" ");
    this.ghost = { ...this.ghost, other: { text, words, cost: dock?.cost ?? "", ghosts: dock?.ghosts ?? ghost.ghosts }, attacks: ghost.dock !== null };
    return true;
  }
  async confirm(as = ""): Promise<void> {
    const ghost = this.ghost;
    if (!ghost) {
      const laid = this.path.text();
      if (laid && (await this.session.command(laid))) this.clear();
      return;
    }
    clearTimeout(this.timer);
    this.timer = 0;
    if (await this.session.command(as || ghost.text)) this.clear();
    else if (this.ghost) {
      // What is wrong with a place stands beside it, not twice.
      this.ghost = { ...ghost, state: "no", seems: "no", words: this.session.error, rule: this.session.errorRule };
      this.session.error = "";
    }
  }
  async take(dock: Dock): Promise<void> {
    if (await this.session.command(dock.do)) this.clear();
  }
  /** The ghost goes to the next of the places that matter, from the nearest on. */
  snap(): void {
    const held = this.piece(this.held);
    if (!held || this.path.laying) return;
    const places = this.docks.flatMap((d) => {
      const at = d.kind === "group" || !d.short ? undefined : d.ghosts.find((g) => g.label === this.held)?.pose;
      return at ? [{ d, at, far: Math.hypot(at.x - held.pose.x, at.y - held.pose.y) }] : [];
    });
    places.sort((a, b) => a.far - b.far);
    const now = places.findIndex((p) => p.d === this.ghost?.dock);
    const next = places[(now + 1) % places.length];
    if (!next) return;
    this.lacks = null;
    this.ghost = { to: next.at, text: next.d.do, state: "ok", seems: "ok", words: next.d.words, rule: "", cost: next.d.cost, ghosts: next.d.ghosts, dock: next.d, other: null, attacks: false };
    void this.foresee(next.d.do);
    void this.both();
  }
  private missing = 0;
  /** A group that may not go so: whether it may without one of its members, those named in the refusal first. */
  private async without(text: string, words: string, ends: Dock["ghosts"], same: () => boolean): Promise<void> {
    const [scene, adapter] = [this.scene, this.session.adapter];
    this.spare = null;
    const who = this.pieces;
    if (!scene || !adapter || who.length < 2 || who.length > 16 || this.path.laying || scene.step !== "moves" || this.session.without("hints")) return;
    const mine = (this.missing += 1);
    // Only when the hand rests.
    await new Promise((r) => setTimeout(r, 180));
    const named = (p: Piece) => (words.includes(p.label) ? 0 : 1);
    for (const p of [...who].sort((a, b) => named(a) - named(b))) {
      if (mine !== this.missing || !same()) return;
      const rest = who.filter((x) => x !== p);
      const held = rest.find((x) => x.label === this.held) ?? rest[0];
      const to = ends.find((g) => g.label === held?.label)?.pose;
      if (!held || !to) continue;
      const said = await this.session.preview(adapter.place(rest, held, to, scene)).catch(() => null);
      if (mine !== this.missing || !same()) return;
      if (said?.answer === "done" || said?.answer === "dice") {
        this.spare = { label: p.label, cost: adapter.dock(said.do ?? text, said.events ?? [], scene)?.cost ?? "" };
        return;
      }
    }
  }
  /** Several are chosen that nothing is offered to: whether one of them holds the others up. */
  private async stuck(): Promise<void> {
    const [scene, adapter, held] = [this.scene, this.session.adapter, this.piece(this.held)];
    const who = this.who;
    if (!scene || !adapter || !held || held.fate !== "table" || who.length < 2 || !this.mine) return;
    const rad = (held.pose.h * Math.PI) / 180;
    const ends = this.pieces.map((p) => ({ label: p.label, pose: { x: p.pose.x + Math.sin(rad) * 10, y: p.pose.y + Math.cos(rad) * 10, h: p.pose.h }, width: p.width, depth: p.depth }));
    const to = ends.find((g) => g.label === held.label)?.pose;
    if (!to) return;
    const text = adapter.place(this.pieces, held, to, scene);
    const said = await this.session.preview(text).catch(() => null);
    if (said?.answer === "refused" && this.who === who && !this.ghost) await this.without(text, said.words ?? "", ends, () => this.who === who && !this.ghost);
  }
  /** The others go without it. */
  goWithout(): void {
    const [spare, ghost] = [this.spare, this.ghost];
    if (!spare) return;
    this.who = this.who.filter((l) => l !== spare.label);
    this.spare = null;
    if (!this.who.includes(this.held)) this.held = this.who[0] ?? "";
    this.ghost = null;
    this.sort();
    const to = ghost?.ghosts.find((g) => g.label === this.held)?.pose;
    if (!to) return;
    const was = this.free;
    this.free = true;
    this.moveTo(to, 0);
    this.free = was;
  }
  /** The next base to the left or right comes to the place instead; whether there is one. */
  shift(by: -1 | 1): boolean {
    const [scene, adapter, ghost] = [this.scene, this.session.adapter, this.ghost];
    const text = scene && ghost ? (adapter?.shifted?.(ghost.text, by, scene) ?? "") : "";
    if (!ghost || !text) return false;
    this.propose(text, ghost.to, ghost.ghosts);
    return true;
  }
  /** A place is pointed at: what the fight there would give. */
  point(dock: Dock | null): void {
    this.hover = dock;
    if (dock) void this.foresee(dock.do);
    else this.would = null;
  }
  /** What a move into contact would bring about: who fights whom then, with what odds, and what else happens. */
  private async foresee(text: string): Promise<void> {
    const [scene, adapter] = [this.scene, this.session.adapter];
    const question = scene && adapter ? adapter.against(text, scene) : "";
    if (this.would?.text === text) return;
    this.would = null;
    if (!adapter || !scene || scene.step !== "moves") return;
    const dock = this.docks.find((d) => d.do === text);
    if (dock && dock.kind !== "contact" && dock.kind !== "group") return;
    try {
      const odds = question && !this.session.without("odds") ? [question] : [];
      const bearing = adapter.bearing;
      const said = await this.session.preview(text, [], ["fights", ...odds, ...(bearing ? [bearing.question] : [])]);
      const fights = adapter.pairs(said.answers?.[0] ?? []).filter((two) => two.some((l) => this.who.includes(l)));
      const words = adapter.besides(said.events ?? []);
      if (fights.length === 0 && !words) return;
      const answer = odds.length > 0 ? (said.answers?.[1] ?? []) : [];
      const named = new Set(fights.flat());
      const aids = bearing ? bearing.read(said.answers?.[1 + odds.length] ?? []).filter((a) => named.has(a.to)) : [];
      if (this.hover?.do === text || this.ghost?.text === text) this.would = { text, odds: answer.length > 0 ? adapter.odds(answer) : null, fights, aids, words };
    } catch {
      // What cannot be told is left out.
    }
  }
  /** An enemy is clicked that nothing leads to: what each of its faces lacks. */
  async lacking(enemy: Piece): Promise<void> {
    const adapter = this.session.adapter;
    const who = this.who.map((l) => this.piece(l)).filter((p): p is Piece => p !== undefined);
    if (!adapter || who.length === 0 || this.session.without("hints")) return;
    const tries = adapter.tries(who, enemy);
    const faces = ["front", "left", "right", "rear"];
    const said = await Promise.all(tries.map((text) => this.session.preview(text).catch(() => null)));
    const lines = said.flatMap((s, i) => (s?.answer === "refused" ? [{ face: faces[i] ?? "", words: (s.words ?? "").replace(/ \((?:HOTT|BB)-R?\d+\)$/, ""), rule: s.rule ?? "" }] : []));
    if (lines.length > 0) this.lacks = { label: enemy.label, lines };
  }
  /** The figures of the rules are there, or on their way. */
  async known(): Promise<void> {
    if (!this.figures) this.figures = await this.session.figures().catch(() => null);
  }
  async show(overlay: Overlay): Promise<void> {
    if (this.session.without("reach") && (overlay === "enemy" || overlay === "zones")) return;
    this.overlay = overlay;
    this.sights = [];
    this.facts = [];
    try {
      if (overlay && !this.figures) this.figures = await this.session.figures();
      if (overlay === "sight") await this.seeing();
      await this.askAgain();
    } catch (e) {
      this.session.fail(e);
    }
  }
  /** What an overlay is drawn from is asked anew when the table has changed. */
  async askAgain(): Promise<void> {
    const overlay = this.overlay;
    const question = this.session.adapter?.question(overlay) ?? "";
    if (!question) return;
    const facts = await this.session.ask(question).catch((): string[] => []);
    if (this.overlay === overlay) this.facts = facts;
  }
  get shapes(): Shape[] {
    const [scene, adapter, figures] = [this.scene, this.session.adapter, this.figures];
    if (!scene || !adapter || !figures) return [];
    return [...adapter.shapes(this.overlay, this.who, figures, scene), ...adapter.drawn(this.overlay, this.facts, scene)];
  }
  async seeing(): Promise<void> {
    const scene = this.scene;
    const held = this.piece(this.held);
    if (!scene || !held || held.fate !== "table") return;
    const foes = scene.board.pieces.filter((p) => p.side !== held.side);
    const told = await Promise.all(foes.map((p) => this.sight(held.label, p.label)));
    if (this.held === held.label) this.sights = foes.map((p, i) => ({ label: p.label, sees: told[i] ?? false }));
  }
  /** Whether the ground lets one base see another. */
  async sight(a: string, b: string): Promise<boolean> {
    return (await this.session.ask(`sight ${a} ${b}`).catch((): string[] => [])).includes("sight yes");
  }
  nudge(dx: number, dy: number, turn: number): void {
    const held = this.piece(this.held);
    const scene = this.scene;
    if (!held || !scene) return;
    const from = this.ghost?.to ?? this.path.at(held).pose;
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
  /** What each fight may cost, and which of them the last one changed; by its two. */
  weights = $state.raw<Map<string, Weight>>(new Map());
  async weighAll(fights: Fight[]): Promise<void> {
    const adapter = this.session.adapter;
    if (!adapter || fights.length === 0 || fights.length > 40 || this.session.without("odds")) {
      this.weights = new Map();
      return;
    }
    const version = this.session.version;
    const all = await Promise.all(fights.map((f) => this.session.ask(f.question).then((a) => adapter.odds(a)).catch(() => null)));
    if (this.session.version !== version) return;
    const before = this.weights;
    this.weights = new Map(fights.map((f, n) => {
      const [key, odds] = [f.who.join(), all[n]];
      const lost = [...(odds?.bars ?? []), ...(odds?.also ?? [])].filter((l) => l.lost && l.part > 0);
      const sums = odds?.sums.join() ?? "";
      const old = before.get(key)?.sums;
      const marks: Weight["marks"] = [];
      if (lost.some((l) => this.piece(l.who)?.general)) marks.push("general");
      if (lost.some((l) => this.scene?.board.blocks.some((b) => b.label === l.who))) marks.push("stronghold");
      if ((odds?.past.length ?? 0) > 0) marks.push("half");
      if (old !== undefined && old !== sums) marks.push("changed");
      return [key, { sums, marks }];
    }));
  }
  /** The front corners of what is selected, at which it may be taken to wheel. */
  get corners(): { left: Pose; right: Pose } | null {
    const stands = this.piece(this.held);
    const held = stands ? this.path.at(stands) : undefined;
    const who = (this.path.column && held ? [held] : this.pieces).map((p) => this.path.at(p));
    if (!held || !this.mine || this.scene?.step !== "moves" || who.some((p) => p.fate !== "table" || Math.abs(p.pose.h - held.pose.h) > 0.2)) return null;
    const rad = (held.pose.h * Math.PI) / 180;
    const [rx, ry] = [Math.cos(rad), -Math.sin(rad)];
    const [ux, uy] = [Math.sin(rad), Math.cos(rad)];
    const front = Math.max(...who.map((p) => p.pose.x * ux + p.pose.y * uy));
    const rank = who.filter((p) => front - (p.pose.x * ux + p.pose.y * uy) < 5);
    const across = rank.flatMap((p) => [-p.width / 2, p.width / 2].map((w) => ({ at: p.pose.x * rx + p.pose.y * ry + w, pose: { x: p.pose.x + rx * w, y: p.pose.y + ry * w, h: held.pose.h } })));
    across.sort((a, b) => a.at - b.at);
    const [left, right] = [across[0]?.pose, across.at(-1)?.pose];
    return left && right ? { left, right } : null;
  }
  /** A front corner is dragged: all wheel on the other one, forward. */
  wheelBy(corner: "left" | "right", to: { x: number; y: number }): void {
    const [ends, adapter, held] = [this.corners, this.session.adapter, this.piece(this.held)];
    if (!ends || !adapter || !held) return;
    const [pivot, from] = corner === "right" ? [ends.left, ends.right] : [ends.right, ends.left];
    const angle = (p: { x: number; y: number }) => (Math.atan2(p.y - pivot.y, p.x - pivot.x) * 180) / Math.PI;
    const turned = ((angle(to) - angle(from) + 540) % 360) - 180;
    // The right corner goes forward as all turn to the left.
    const degrees = Math.round(corner === "right" ? turned : -turned);
    const who = this.pieces.map((p) => this.path.at(p));
    if (degrees < 1) {
      this.ghost = null;
      return;
    }
    const rad = ((corner === "right" ? degrees : -degrees) * Math.PI) / 180;
    const [sin, cos] = [Math.sin(rad), Math.cos(rad)];
    const ghosts = who.map((p) => {
      const [dx, dy] = [p.pose.x - pivot.x, p.pose.y - pivot.y];
      return { label: p.label, pose: { x: pivot.x + dx * cos - dy * sin, y: pivot.y + dx * sin + dy * cos, h: p.pose.h - (corner === "right" ? degrees : -degrees) }, width: p.width, depth: p.depth };
    });
    const side = corner === "right" ? "left" : "right";
    const text = this.path.laying ? this.path.wheel(side, degrees) : adapter.wheel(who, side, degrees);
    const end = ghosts.find((g) => g.label === held.label)?.pose ?? held.pose;
    if (this.ghost?.text !== text) this.propose(text, end, ghosts, 60);
  }
  async weigh(fight: Fight): Promise<void> {
    this.fight = fight;
    this.odds = null;
    this.marks = [];
    this.forbids = null;
    try {
      if (this.scene?.hexes && fight.do && this.session.owed && !this.session.texts.includes(fight.do)) {
        // Put together by hand: whether it may be, the server says.
        const said = await this.session.ask(`may ${fight.do}`);
        const rule = said.find((l) => l.startsWith("may no "))?.slice(7) ?? "";
        if (rule && this.fight === fight) this.forbids = { do: fight.do, rule, why: said.find((l) => l.startsWith("why "))?.slice(4) ?? "" };
      }
      const answer = this.session.without("odds") || !fight.question ? [] : await this.session.ask(fight.question);
      if (answer.length > 0 && this.fight === fight && this.session.adapter) this.odds = this.session.adapter.odds(answer);
      const both = fight.do && !this.forbids && !fight.do.startsWith("suppress ") ? await Promise.all([0, 1].map((way) => this.outcome(fight, way))) : [];
      if (this.fight === fight) this.marks = both.flat();
    } catch (e) {
      this.session.fail(e);
    }
  }
  /** Where everybody would be if one side of a fight lost it by the worst dice. */
  private async outcome(fight: Fight, way: number): Promise<Mark[]> {
    const scene = this.scene;
    const adapter = this.session.adapter;
    if (!scene || !adapter) return [];
    let dice = way === 0 ? [1, 6] : [6, 1];
    for (let i = 0; i < 6; i += 1) {
      const said = await this.session.preview(fight.do, dice);
      if (said.answer === "done") return adapter.marks(said.events ?? [], way, scene);
      if (said.answer !== "dice") return [];
      // The last fight of a bound leads on to the next bound's dice.
      dice = [...dice, ...(said.wants ?? []).map(() => 3)].slice(0, 40);
    }
    return [];
  }
}
