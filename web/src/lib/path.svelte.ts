// A move of several legs, built up place by place: what is laid already, and where those who make it stand by then.
import type { Dock, Piece, Pose } from "./model.ts";
import type { Play } from "./play.svelte.ts";

export interface Leg {
  stages: string[];
  ends: Dock["ghosts"];
  cost: string;
}

export class Path {
  on = $state(false);
  column = $state(false);
  legs = $state.raw<Leg[]>([]);
  /** The stages of the ghost, that are the next leg. */
  private next: string[] = [];
  /** The next leg is to be kept as soon as it is known to be allowed. */
  private wanted = false;

  constructor(readonly play: Play) {}

  clear(): void {
    this.legs = [];
    this.on = false;
    this.column = false;
    this.wanted = false;
  }
  /** Whether moves are said in legs now. */
  get laying(): boolean {
    return (this.on || this.legs.length > 0) && this.play.session.adapter?.legs !== undefined && this.play.scene?.step === "moves";
  }
  toggle(column = false): void {
    const on = !(this.on && this.column === column);
    this.clear();
    this.on = on;
    this.column = on && column;
    this.play.ghost = null;
    this.play.hover = null;
  }
  /** A piece where the legs that are laid have brought it. */
  at(piece: Piece): Piece {
    const end = this.legs.at(-1)?.ends.find((g) => g.label === piece.label);
    return end ? { ...piece, pose: end.pose } : piece;
  }
  /** The legs up to here as a command, with so many stages more; empty if there are none. */
  text(more: string[] = []): string {
    const held = this.play.piece(this.play.held);
    const stages = [...this.legs.flatMap((l) => l.stages), ...more];
    const adapter = this.play.session.adapter;
    if (!held || !adapter?.legs || stages.length === 0) return "";
    return adapter.legs.join(this.play.pieces, held, stages, this.column);
  }
  /** The text of a place as the next leg. */
  place(who: Piece[], held: Piece, to: Pose): string {
    this.next = this.play.session.adapter?.legs?.leg(who, held, to, this.column) ?? [];
    return this.text(this.next);
  }
  wheel(side: "left" | "right", degrees: number): string {
    this.next = [this.play.session.adapter?.legs?.wheel(side, degrees) ?? ""];
    return this.text(this.next);
  }
  /** A place is clicked: the next leg goes there, if it may. */
  click(to: { x: number; y: number }): void {
    const held = this.play.piece(this.play.held);
    const adapter = this.play.session.adapter;
    if (!held || !adapter?.legs || !this.play.mine) return;
    const who = this.play.pieces.map((p) => this.at(p));
    const found = adapter.legs.toward(who, this.at(held), to, this.column);
    if (found.stages.length === 0) return;
    this.next = found.stages;
    this.wanted = true;
    this.play.propose(this.text(found.stages), found.to, [{ label: held.label, pose: found.to, width: held.width, depth: held.depth }]);
  }
  /** The ghost becomes the next leg, now or as soon as it is known to be allowed. */
  keep(): void {
    const ghost = this.play.ghost;
    if (!ghost) return;
    if (ghost.state === "asking") {
      this.wanted = true;
      return;
    }
    this.wanted = false;
    if (ghost.state !== "ok" || this.next.length === 0) return;
    this.legs = [...this.legs, { stages: this.next, ends: ghost.ghosts, cost: ghost.cost }];
    this.on = true;
    this.next = [];
    this.play.ghost = null;
  }
  /** The ghost has been judged. */
  told(): void {
    if (this.wanted) this.keep();
  }
  /** Takes back the ghost, or else the last leg; whether there was one. */
  back(): boolean {
    this.wanted = false;
    if (this.play.ghost) {
      this.play.ghost = null;
      return true;
    }
    if (this.legs.length === 0) return false;
    this.legs = this.legs.slice(0, -1);
    return true;
  }
  words(leg: Leg): string {
    return this.play.session.adapter?.legs?.words(leg.stages) ?? "";
  }
}
