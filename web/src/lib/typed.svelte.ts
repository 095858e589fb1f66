// Real dice: typed one after another by number keys or taps, the die of the side whose bound it is first; and put right
// until the next command.
import type { Wanted } from "./api.ts";
import type { Session } from "./session.svelte.ts";

interface Slot extends Wanted {
  value: number | null;
}

export class Typed {
  /** All dice asked for, in the order in which the server wants them. */
  slots = $state.raw<Slot[]>([]);
  /** The one that is asked for now; none: all are there. */
  at = $state(-1);
  /** The first figure of a die that may show two. */
  part = $state("");
  /** The seat whose dice are put right; empty: a command waits for its dice. */
  correcting = $state("");
  /** Whose command it is, if it is none of one's own: a computer's. */
  seat = $state("");
  private text = "";
  /** Where each asking began: a command may want more when it knows the first. */
  private starts: number[] = [0];
  /** Whose bound it was when the dice were asked for. */
  private active = "";
  private version = 0;
  /** How the dice typed last were asked for. */
  private last: { starts: number[]; of: number } = { starts: [], of: 0 };

  constructor(private readonly session: Session) {}

  get on(): boolean {
    return this.slots.length > 0;
  }
  /** In what order they are asked for: as they are wanted, of each asking those of the side whose bound it is first. */
  order = $derived.by(() => {
    const asking = (n: number) => this.starts.filter((s) => s <= n).length;
    const other = (n: number) => (this.slots[n]?.of === this.active ? 0 : 1);
    return this.slots.map((_, n) => n).sort((a, b) => asking(a) - asking(b) || other(a) - other(b) || a - b);
  });
  /** A command waits for these dice, beyond those that it was given. */
  ask(text: string, wants: Wanted[], seat = ""): void {
    if (!this.on || this.text !== text) {
      this.seat = seat;
      this.text = text;
      this.correcting = "";
      this.slots = [];
      this.active = this.session.scene?.armies.find((a) => a.active)?.letter ?? "";
    }
    this.more(wants);
  }
  private more(wants: Wanted[]): void {
    this.starts = this.slots.length > 0 ? [...this.starts, this.slots.length] : [0];
    this.slots = [...this.slots, ...wants.map((w) => ({ ...w, value: null }))];
    this.part = "";
    this.at = this.order.find((n) => this.slots[n]?.value === null) ?? -1;
  }
  /** The last dice, to be put right. */
  correct(): void {
    const typed = this.session.table?.typed;
    if (!typed) return;
    this.correcting = typed.seat;
    this.version = typed.version;
    this.text = "";
    // As they were asked for; after a reload as the record has them.
    this.starts = this.last.of === typed.dice.length ? [...this.last.starts] : typed.dice.map((_, n) => n);
    this.part = "";
    this.slots = typed.dice.map((d, n) => ({ ...d, value: typed.values[n] ?? null }));
    this.at = this.order[0] ?? -1;
  }
  close(): void {
    this.slots = [];
    this.at = -1;
    this.part = "";
    this.correcting = "";
    this.seat = "";
  }
  /** A key while dice are asked for; whether it was one of theirs. */
  key(key: string): boolean {
    if (/^\d$/.test(key)) this.figure(key);
    else if (key === "Backspace") this.back();
    else if (key === "Escape") this.close();
    else if (key === "Enter") {
      if (this.part) this.set(Number(this.part));
      else if (this.at < 0 || this.correcting) void this.send();
    } else return false;
    return true;
  }
  private figure(key: string): void {
    const sides = this.slots[this.at]?.sides ?? 0;
    const value = Number(this.part + key);
    if (value < 1 || value > sides) return;
    // Of twelve faces 1 may be the beginning of 10, 11 or 12.
    if (value * 10 <= sides) this.part = String(value);
    else this.set(value);
  }
  set(value: number): void {
    if (this.at < 0) return;
    const at = this.at;
    this.part = "";
    this.slots = this.slots.map((s, n) => (n === at ? { ...s, value } : s));
    const after = this.order.slice(this.order.indexOf(at) + 1);
    this.at = (this.correcting ? after[0] : this.order.find((n) => this.slots[n]?.value === null)) ?? -1;
    if (this.at < 0 && !this.correcting) void this.send();
  }
  pick(at: number): void {
    this.part = "";
    this.at = at;
  }
  back(): void {
    if (this.part) {
      this.part = "";
      return;
    }
    const place = this.at < 0 ? this.order.length : this.order.indexOf(this.at);
    const last = this.order[place - 1];
    if (last === undefined) return;
    this.at = last;
    if (this.correcting) return;
    // What was asked for only because of this die is asked for anew.
    while (this.starts.length > 1 && last < (this.starts.at(-1) ?? 0)) this.slots = this.slots.slice(0, this.starts.pop());
    this.slots = this.slots.map((s, n) => (n === last ? { ...s, value: null } : s));
  }
  async send(): Promise<void> {
    const dice = this.slots.flatMap((s) => (s.value === null ? [] : [s.value]));
    if (dice.length < this.slots.length || this.session.busy) return;
    const last = { starts: [...this.starts], of: this.slots.length };
    const wants = this.correcting ? await this.session.putRight(this.correcting, dice, this.version) : await this.session.give(this.text, dice, this.seat);
    if (!wants) {
      this.last = last;
      this.close();
    } else this.more(wants);
  }
}
