// Requests to the server. Every failure comes as a `Failure` with words for people.
import type { components } from "./wire.d.ts";

type S = components["schemas"];
export type TableState = Omit<S["TableState"], "owes" | "view" | "outcome" | "changes"> & {
  owes: Owed[];
  view: unknown;
  outcome: { winners: string[]; ending: string; words: string } | null;
  changes: { key: string; default: unknown; here: unknown }[];
};
export type Item = Omit<S["Item"], "event"> & { event: GameEvent };
export type Draft = Omit<S["DraftState"], "changes"> & { changes: { key: string; here: unknown }[] };
export type Talk = S["Talk"];
export type Presence = S["Presence"];
export type Links = S["Links"];
export type Mine = S["Mine"];
export type KindState = S["KindState"];
export type Proposal = S["Proposal"];
export type Replies = S["Replies"];
export type Ended = S["Ended"];
export type Wanted = S["Wanted"];

/** What somebody owes; answers only for one's own choices. */
export interface Owed {
  seat: string;
  kind: "act" | "choice" | "sealed";
  about: string;
  answers?: string[];
  stands?: string;
}
/** Something that happened: every game gives a kind, and words where one may know all of it. */
export interface GameEvent {
  kind?: string;
  say?: string;
  [figure: string]: unknown;
}
export interface Previewed {
  answer: "done" | "refused" | "unread" | "dice";
  version: number;
  do?: string;
  events?: GameEvent[];
  owes?: Owed[];
  view?: unknown;
  rule?: string;
  words?: string;
  wants?: Wanted[];
  /** What was asked about the table as it would be then. */
  answers?: string[][];
}
export interface RuleText {
  rule: string;
  section: string;
  text: string;
  /** What a factor by this rule is called, if it is one. */
  factor: string;
  options: { key: string; default: string; meaning: string; values: string[] }[];
}

export class Failure extends Error {
  constructor(
    readonly status: number,
    readonly body: {
      error: string;
      words: string;
      rule?: string;
      version?: number;
      preview?: Previewed;
      wants?: Wanted[];
      problems?: { message?: string; hint?: string }[];
    },
  ) {
    super(body.words);
  }
}

async function ask<T>(path: string, body?: unknown): Promise<T> {
  const init: RequestInit =
    body === undefined
      ? {}
      : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch {
    throw new Failure(0, { error: "offline", words: "The server does not answer. Nothing was done; try again." });
  }
  const text = await response.text();
  let json: unknown = null;
  try {
    json = JSON.parse(text);
  } catch {
    json = { error: "unread", words: text || `The server answered ${response.status}.` };
  }
  if (!response.ok) throw new Failure(response.status, json as Failure["body"]);
  return json as T;
}

export const get = <T>(path: string): Promise<T> => ask<T>(path);
export const post = <T>(path: string, body: unknown): Promise<T> => ask<T>(path, body);

/** What went wrong, in words. */
export function wordsOf(error: unknown): string {
  if (error instanceof Failure) {
    const more = (error.body.problems ?? [])
      .filter((p) => p.message && !error.body.words.includes(p.message))
      .map((p) => [p.message, p.hint].filter(Boolean).join(": "));
    return [error.body.words, ...more].join(" ");
  }
  return String(error);
}

const rules = new Map<string, Promise<RuleText>>();
/** A rule's own words. */
export function rule(id: string): Promise<RuleText> {
  let found = rules.get(id);
  if (!found) {
    found = get<RuleText>(`/api/library/rules/${encodeURIComponent(id)}`);
    rules.set(id, found);
  }
  return found;
}
