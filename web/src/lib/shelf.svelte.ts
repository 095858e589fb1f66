// Armies to choose from: those that are shipped, and lists of one's own kept in this browser.
import { get } from "./api.ts";

export interface Listed {
  name: string;
  title: string;
  ap: string;
  count: number;
  commands: number;
  elements: string[];
  legal: boolean;
}
interface Kept {
  title: string;
  text: string;
}
/** What somebody chose: a shipped army's name, `own:TITLE`, `pasted` with its text, or `surprise`. */
export interface Choice {
  name: string;
  text: string;
}

export class Shelf {
  private of = $state.raw<Record<string, Listed[]>>({});
  own = $state.raw<Kept[]>(JSON.parse(localStorage.getItem("armies") ?? "[]") as Kept[]);

  /** Armies of a game are fetched once, when it is first looked at. */
  async fetched(kind: string): Promise<void> {
    if (this.of[kind]) return;
    const all = await get<Listed[]>(`/api/library/${kind}/armies`);
    this.of = { ...this.of, [kind]: all.filter((a) => a.legal && (kind === "heroes" || (kind === "big" ? a.commands > 1 : a.ap === "24"))) };
  }
  armies(kind: string): Listed[] {
    return this.of[kind] ?? [];
  }
  /** Whether a choice can be made in this game; before its armies are there every choice can. */
  has(kind: string, choice: string): boolean {
    const all = this.armies(kind);
    return all.length === 0 || ["surprise", "pasted"].includes(choice) || choice.startsWith("own:") || all.some((a) => a.name === choice);
  }
  /** The army of a choice as the server takes it. */
  resolve(kind: string, choice: Choice, other = ""): unknown {
    if (choice.name === "pasted") return { text: choice.text };
    if (choice.name.startsWith("own:")) return { text: this.own.find((k) => k.title === choice.name.slice(4))?.text ?? "" };
    if (choice.name !== "surprise") return choice.name;
    const free = this.armies(kind).filter((a) => a.name !== other);
    return free[Math.floor(Math.random() * free.length)]?.name ?? "pirates";
  }
  keep(title: string, text: string): void {
    this.own = [...this.own.filter((k) => k.title !== title), { title, text }];
    localStorage.setItem("armies", JSON.stringify(this.own));
  }
  forget(title: string): void {
    this.own = this.own.filter((k) => k.title !== title);
    localStorage.setItem("armies", JSON.stringify(this.own));
  }
}
