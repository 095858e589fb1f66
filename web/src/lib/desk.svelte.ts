// A page beside the tables as this browser sees it: its view comes whole whenever it changes, and what one does names the
// view that one had before one.
import { Failure, get, post, wordsOf, type Links } from "./api.ts";
import type { components } from "./wire.d.ts";

export type DeskState = Omit<components["schemas"]["DeskState"], "view"> & { view: unknown };

export class DeskSession {
  state = $state.raw<DeskState | null>(null);
  missing = $state(false);
  offline = $state(false);
  error = $state("");
  busy = $state(false);
  role = "";
  private stream: EventSource | null = null;
  private closed = false;

  constructor(readonly id: string) {}

  async open(role = this.role): Promise<void> {
    this.role = role;
    this.stream?.close();
    try {
      this.state = await get<DeskState>(`/api/desks/${this.id}?role=${encodeURIComponent(role)}`);
      this.role = this.state.role;
      this.listen();
    } catch (e) {
      // A role that is not held: whatever is.
      if (e instanceof Failure && e.status === 403 && role) return void this.open("");
      if (e instanceof Failure && (e.status === 404 || e.status === 403)) this.missing = true;
      else if (!this.closed) setTimeout(() => void this.open(), 2000);
    }
  }
  private listen(): void {
    const stream = new EventSource(`/api/desks/${this.id}/events?role=${encodeURIComponent(this.role)}`);
    this.stream = stream;
    stream.addEventListener("desk", (e) => {
      this.offline = false;
      this.state = JSON.parse((e as MessageEvent<string>).data) as DeskState;
    });
    stream.onopen = () => (this.offline = false);
    stream.onerror = () => {
      this.offline = true;
      // Closed for good, a link that was ended or a server that begins anew: asked once more.
      if (stream.readyState === EventSource.CLOSED && !this.closed) setTimeout(() => void this.open(), 1500);
    };
  }
  close(): void {
    this.closed = true;
    this.stream?.close();
  }
  /** Does something; the answer, or null with `error` set. */
  async act<T = Record<string, unknown>>(act: Record<string, unknown>): Promise<T | null> {
    this.busy = true;
    this.error = "";
    try {
      const body = { role: this.role, expected: this.state?.mark, act };
      const done = await post<{ answer: T; state: DeskState }>(`/api/desks/${this.id}/act`, body);
      this.state = done.state;
      return done.answer;
    } catch (e) {
      this.error = wordsOf(e);
      if (e instanceof Failure && e.status === 409) await this.look();
      return null;
    } finally {
      this.busy = false;
    }
  }
  private async look(): Promise<void> {
    this.state = await get<DeskState>(`/api/desks/${this.id}?role=${encodeURIComponent(this.role)}`).catch(() => this.state);
  }
  ask<T>(act: Record<string, unknown>): Promise<T> {
    return post<T>(`/api/desks/${this.id}/ask`, { role: this.role, act });
  }
  async links(of: string, end = false): Promise<Record<string, string>> {
    const made = await post<Links>(`/api/desks/${this.id}/link`, { of, end });
    return Object.fromEntries(Object.entries(made.links).map(([role, path]) => [role, location.origin + path]));
  }
  file(name: string): string {
    return `/api/desks/${this.id}/file/${encodeURIComponent(name)}?role=${encodeURIComponent(this.role)}`;
  }
}
