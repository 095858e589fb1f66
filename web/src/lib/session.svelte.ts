// One table as this browser sees it: the stream in, commands out.
import { adapter } from "../games/index.ts";
import { Failure, get, post, wordsOf } from "./api.ts";
import type { Item, Owed, Presence, Previewed, Replies, TableState, Talk, Wanted } from "./api.ts";
import type { Adapter, Aid, Figures, PieceReply, Scene } from "./model.ts";
import { Typed } from "./typed.svelte.ts";

interface Candidates {
  version: number;
  candidates: Previewed[];
}

export class Session {
  table = $state.raw<TableState | null>(null);
  items = $state.raw<Item[]>([]);
  talk = $state.raw<Talk[]>([]);
  presence = $state.raw<Presence>({ seats: [], watching: 0 });
  texts = $state.raw<string[]>([]);
  facts = $state.raw<string[]>([]);
  /** Who bears on the fights of now beside the two of each. */
  aids = $state.raw<Aid[]>([]);
  /** What this seat has told to be answered in its absence, once it was asked for. */
  replies = $state.raw<Replies | null>(null);
  broken = $state(false);
  error = $state("");
  errorRule = $state("");
  busy = $state(false);
  /** The proposals are those of the table shown. */
  fresh = $state(false);
  missing = $state(false);
  /** Dice of the real table that are asked for. */
  readonly typed = new Typed(this);
  /** Up to here the last command of one's own led: what comes after it others did. */
  mineTo = 0;
  /** A past moment that is being looked at; null: now. */
  at = $state<number | null>(null);
  past = $state.raw<TableState | null>(null);
  /** The seat that this browser plays for now, if it holds several. */
  seat = $state("");

  /** Several seats at one screen, and nobody holds "look": nothing is shown that is one seat's secret. */
  veiled = $state(false);

  private stream: EventSource | null = null;
  adapter: Adapter | undefined;
  constructor(readonly id: string) {}

  get shown(): TableState | null {
    return this.past ?? this.table;
  }
  scene = $derived.by<Scene | null>(() => {
    const table = this.past ?? this.table;
    if (!table) return null;
    const made = adapter(table.kind);
    // What is told of a table twice in one state (as the answer to a command, and to all) is one scene.
    const key = `${table.viewer} ${table.version} ${table.over} ${this.past ? (this.at ?? "") : ""}`;
    if (this.last?.key === key && table.view) return this.last.scene;
    const scene = made && table.view ? made.scene(table.view, table.viewer) : null;
    this.last = scene ? { key, scene } : null;
    return scene;
  });
  private last: { key: string; scene: Scene } | null = null;
  get mySeats(): string[] {
    const table = this.table;
    return table ? table.roles.filter((r) => table.seats.some((s) => s.name === r)) : [];
  }
  /** Whether both sides do without an aid. */
  without(aid: "odds" | "reach" | "hints"): boolean {
    return this.table?.without.includes(aid) ?? false;
  }
  get owed(): Owed | undefined {
    return this.table?.owes.find((o) => o.seat === this.seat);
  }
  get version(): number {
    return this.table?.version ?? 0;
  }

  async open(): Promise<void> {
    try {
      const table = await get<TableState>(`/api/games/${this.id}`);
      this.adapter = adapter(table.kind);
      this.table = table;
      this.pickSeat();
      this.listen();
    } catch (e) {
      if (e instanceof Failure && e.status === 404) this.missing = true;
      else {
        this.broken = true;
        setTimeout(() => void this.open(), 2000);
      }
    }
  }
  close(): void {
    this.stream?.close();
    this.stream = null;
  }
  /** With several seats in one browser the one that owes something acts. */
  private pickSeat(): void {
    const table = this.table;
    if (!table) return;
    const mine = this.mySeats;
    const owes = table.owes.map((o) => o.seat).filter((s) => mine.includes(s));
    const next = owes.includes(this.seat) ? this.seat : (owes[0] ?? (mine.includes(this.seat) ? this.seat : (mine[0] ?? table.viewer)));
    if (next !== this.seat) {
      this.seat = next;
      this.replies = null;
    }
  }
  /** Look with another seat's eyes: the stream is opened anew for it. */
  take(seat: string): void {
    this.seat = seat;
    this.replies = null;
    this.listen();
  }
  private heard: { view: string; items: Item[]; talk: Talk[] } = { view: "", items: [], talk: [] };

  listen(): void {
    this.stream?.close();
    const seat = this.seat || this.table?.viewer || "";
    this.heard = { view: seat, items: [], talk: [] };
    const query = seat ? `?views=true&seat=${encodeURIComponent(seat)}` : "?views=true";
    const stream = new EventSource(`/api/games/${this.id}/events${query}`);
    this.stream = stream;
    const data = <T,>(e: Event): T => JSON.parse((e as MessageEvent<string>).data) as T;
    let pending = false;
    const flush = () => {
      // Many items at once are shown at once.
      if (pending) return;
      pending = true;
      queueMicrotask(() => {
        pending = false;
        this.items = [...this.heard.items];
        this.talk = [...this.heard.talk];
      });
    };
    stream.addEventListener("game", (e) => {
      const item = data<Item>(e);
      if (this.heard.items.every((i) => i.n !== item.n)) this.heard.items.push(item);
      flush();
    });
    stream.addEventListener("talk", (e) => {
      const item = data<Talk>(e);
      if (this.heard.talk.every((i) => i.n !== item.n)) this.heard.talk.push(item);
      flush();
    });
    stream.addEventListener("table", (e) => this.took(data<TableState>(e)));
    stream.addEventListener("presence", (e) => (this.presence = data<Presence>(e)));
    stream.onopen = () => (this.broken = false);
    stream.onerror = () => {
      this.broken = true;
      if (stream.readyState === EventSource.CLOSED) setTimeout(() => void this.open(), 1500);
    };
  }
  private took(table: TableState): void {
    const old = this.table;
    // A late answer must not put the table back.
    if (old && old.viewer === table.viewer && table.version < old.version && !table.over) return;
    this.table = table;
    const before = this.seat;
    this.pickSeat();
    if (this.seat !== before && this.mySeats.includes(this.seat)) {
      void this.open_as(this.seat);
      return;
    }
    void this.refresh();
  }
  private async open_as(seat: string): Promise<void> {
    this.texts = [];
    this.facts = [];
    this.table = await get<TableState>(`/api/games/${this.id}?seat=${encodeURIComponent(seat)}`);
    this.listen();
    await this.refresh();
  }
  private asked = "";
  /** What may be done now, as texts. */
  async refresh(): Promise<void> {
    const table = this.table;
    if (!table) return;
    const mine = this.owed && !table.over;
    const key = `${table.viewer} ${table.version} ${JSON.stringify(table.owes)}`;
    if (key === this.asked) return;
    this.asked = key;
    this.fresh = false;
    if (!mine) {
      this.fresh = true;
      this.texts = [];
      this.facts = [];
      this.aids = [];
      return;
    }
    try {
      const short = this.adapter?.proposals;
      if (short) {
        // A choice brings its answers with it.
        const lines = this.owed?.kind === "choice" ? (this.owed.answers ?? []).map((a) => `do ${a}`) : await this.ask(short);
        if (key !== this.asked) return;
        this.facts = lines.filter((l) => !l.startsWith("do "));
        this.texts = lines.flatMap((l) => (l.startsWith("do ") ? [l.slice(3)] : []));
        this.fresh = true;
        return;
      }
      const found = await get<Candidates>(`/api/games/${this.id}/candidates?seat=${encodeURIComponent(this.seat)}`);
      if (key !== this.asked) return;
      const texts = found.candidates.map((c) => c.do ?? "");
      const fighting = texts.some((x) => x.startsWith("fight "));
      const bearing = this.adapter?.bearing;
      const [fights, knots] = await Promise.all([fighting ? this.ask("fights").catch(() => []) : [], fighting && bearing ? this.ask(bearing.question).catch(() => []) : []]);
      if (key !== this.asked) return;
      this.facts = fights;
      this.aids = bearing ? bearing.read(knots) : [];
      this.texts = texts;
      this.fresh = true;
    } catch (e) {
      this.asked = "";
      this.fail(e);
    }
  }
  /** What may be done now, asked anew. */
  async proposed(): Promise<string[]> {
    if (this.adapter?.proposals) return (await this.ask(this.adapter.proposals).catch((): string[] => [])).flatMap((l) => (l.startsWith("do ") ? [l.slice(3)] : []));
    const found = await get<Candidates>(`/api/games/${this.id}/candidates?seat=${encodeURIComponent(this.seat)}`).catch(() => null);
    return (found?.candidates ?? []).map((c) => c.do ?? "");
  }
  async ask(question: string): Promise<string[]> {
    const found = await post<{ answer: string[] }>(`/api/games/${this.id}/ask`, { question, seat: this.seat });
    return found.answer;
  }
  /** Every command that is proposed about a piece, with what each would do. */
  async abouts(label: string): Promise<Previewed[]> {
    const query = new URLSearchParams({ seat: this.seat, events: "true", about: label, most: "160" });
    return (await get<Candidates>(`/api/games/${this.id}/candidates?${query}`)).candidates;
  }
  preview(text: string, dice: number[] = [], ask: string[] = []): Promise<Previewed> {
    return post<Previewed>(`/api/games/${this.id}/preview`, { do: text, seat: this.seat, dice, ask });
  }
  async loadReplies(): Promise<void> {
    this.replies = await get<Replies>(`/api/games/${this.id}/replies?seat=${encodeURIComponent(this.seat)}`).catch(() => null);
  }
  /** A standing reply of a single piece; empty: as all others of its side. */
  async replyFor(own: PieceReply, answer: string): Promise<void> {
    const old = this.replies ?? { mode: "", prefer: [] };
    const same = (p: { about: string }) => p.about.toLowerCase() === own.about.toLowerCase();
    const prefer = old.prefer.filter((p) => !same(p));
    if (answer) prefer.unshift({ about: own.about, answer });
    // To be asked for one piece the seat must be asked at all: what stood for all stands on for the others.
    if (answer && own.before) prefer.push(own.before.others);
    const replies = { ...old, prefer };
    if (!(await this.act("replies", { seat: this.seat, replies }))) return;
    this.replies = replies;
    if (answer && own.before) await this.command(own.before.do);
  }
  figures(): Promise<Figures> {
    return get<Figures>(`/api/library/${this.table?.kind ?? "hott"}/figures`);
  }
  fail(e: unknown): void {
    this.error = wordsOf(e);
    this.errorRule = e instanceof Failure ? (e.body.rule ?? "") : "";
  }
  /** Gives a command; whether it was carried out. Dice that it wants are asked for. */
  async command(text: string): Promise<boolean> {
    if (this.busy) return false;
    this.typed.close();
    const before = this.done;
    const wants = await this.give(text, []);
    if (wants) this.typed.ask(text, wants);
    return this.done > before;
  }
  /** Counts what was carried out. */
  private done = 0;
  /** Gives a command with dice that were typed; those that are still wanted, if any. */
  async give(text: string, dice: number[], seat = ""): Promise<Wanted[] | null> {
    const body = { do: text, seat: seat || this.seat, expected: this.version, dice, key: crypto.randomUUID() };
    return this.thrown(async () => {
      const done = await post<{ table: TableState }>(`/api/games/${this.id}/command`, body);
      this.done += 1;
      this.mineTo = done.table.version;
      this.took(done.table);
    });
  }
  /** Puts right the dice of the last command; those that are then still wanted, if any. */
  async putRight(seat: string, dice: number[], expected: number): Promise<Wanted[] | null> {
    return this.thrown(async () => {
      const done = await post<{ table: TableState }>(`/api/games/${this.id}/dice`, { seat, dice, expected });
      if (done.table.viewer === this.table?.viewer) this.took(done.table);
    });
  }
  private async thrown(work: () => Promise<void>): Promise<Wanted[] | null> {
    this.busy = true;
    this.error = "";
    this.errorRule = "";
    try {
      await work();
    } catch (e) {
      if (e instanceof Failure && e.status === 428) return e.body.wants ?? [];
      this.fail(e);
    } finally {
      this.busy = false;
    }
    return null;
  }
  async act(path: string, body: Record<string, unknown>): Promise<{ done?: boolean; [k: string]: unknown } | null> {
    this.error = "";
    try {
      return await post(`/api/games/${this.id}/${path}`, body);
    } catch (e) {
      this.fail(e);
      return null;
    }
  }
  async look(at: number | null): Promise<void> {
    if (at === null || at >= this.version) {
      this.at = null;
      this.past = null;
      return;
    }
    this.at = at;
    const seat = this.seat ? `&seat=${encodeURIComponent(this.seat)}` : "";
    const past = await get<TableState>(`/api/games/${this.id}?at=${at}${seat}`);
    if (this.at === at) this.past = past;
  }
  /** Items that still count. */
  get log(): Item[] {
    let out: Item[] = [];
    for (const item of this.items) {
      if (this.veiled && this.adapter?.secret?.(item.event ?? {})) continue;
      if (item.kind === "undo" && item.from) out = out.filter((i) => i.n < (item.from as number));
      // That a die was put right stays to be read.
      if (item.kind !== "undo" || item.event) out.push(item);
    }
    return out;
  }
}
