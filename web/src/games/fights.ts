// Fights: which there are, what they may come to, and what they came to.
import type { Item } from "../lib/api.ts";
import type { Adapter, Fight, Odds, Scene } from "../lib/model.ts";
import { t } from "../lib/words.ts";
import { full, name } from "./labels.ts";

export function fights(texts: string[], facts: string[], scene: Scene): Fight[] {
  if (scene.step === "combat") {
    return facts.flatMap((f) => {
      const found = /^fight (\S+) (\S+)$/.exec(f);
      if (!found) return [];
      const [a, b] = [found[1] as string, found[2] as string];
      const bare = (l: string) => l.split(".")[1] ?? l;
      const text = texts.find((x) => x === `fight ${a}` || x === `fight ${bare(a)}` || x === `fight ${b}`) ?? "";
      return [{ who: [a, b] as [string, string], do: text, words: `${name(a)} – ${name(b)}`, question: `odds ${a} v ${b}` }];
    });
  }
  // One line for each target: all that would shoot at it together, each of whom may be left out.
  const at = new Map<string, { verb: string; target: string; by: string[]; all: string[] }>();
  for (const x of texts) {
    const found = /^(shoot|bespell) (\S+) with (.+)$/.exec(x);
    if (!found) continue;
    const [verb, word] = [found[1] as string, found[2] as string];
    const by = (found[3] as string).split(" ").map((w) => full(w, scene, true));
    const old = at.get(`${verb} ${word}`);
    if (!old) at.set(`${verb} ${word}`, { verb, target: full(word, scene, false), by, all: by });
    else {
      if (by.length > old.by.length) old.by = by;
      old.all = [...old.by, ...[...old.all, ...by].filter((l, n, a) => !old.by.includes(l) && a.indexOf(l) === n)];
    }
  }
  return [...at.values()].map(({ verb, target, by, all }) => ({
    who: [by[0] ?? "", target] as [string, string],
    ...shot(verb, target, by),
    with: { by, all },
  }));
}
/** A shot or spell by some of those who could. */
function shot(verb: string, target: string, by: string[]): { do: string; words: string; question: string } {
  const aids = by.slice(1);
  const mode = verb === "shoot" ? "shooting" : "magic";
  return {
    do: `${verb} ${target} with ${by.join(" ")}`,
    words: t(verb === "shoot" ? "shoots_at" : "bespells", { who: by.map(name).join(", "), target: name(target) }),
    question: `odds ${by[0]} v ${target} ${mode}${aids.length ? ` with ${aids.join(" ")}` : ""}`,
  };
}
/** The same shot with one of its shooters more or less; the first of those left is the main one. */
export function ticked(fight: Fight, label: string): Fight {
  const had = fight.with;
  if (!had) return fight;
  const by = had.all.filter((l) => (l === label ? !had.by.includes(l) : had.by.includes(l)));
  if (by.length === 0) return fight;
  return { ...fight, ...shot(fight.do.split(" ")[0] ?? "shoot", fight.who[1], by), with: { by, all: had.all } };
}

export const RESULTS: Record<string, string> = {
  recoils: t("recoils"), flees: t("flees"), "flees-field": t("flees_field"), ensorcelled: t("ensorcelled"),
  destroyed: t("destroyed"), captured: t("captured"), nothing: t("stands_result"),
};

/** Outcomes that take an element off the table. */
export const GONE = ["destroyed", "flees-field", "ensorcelled", "captured"];

export function odds(answer: string[]): Odds {
  const names: string[] = [];
  const factors: Record<string, { rule: string; value: string }[]> = {};
  const sums: Record<string, string> = {};
  const bars: Odds["bars"] = [];
  const also: Odds["also"] = [];
  const past: Odds["past"] = [];
  let pairs = 36;
  let told = 0;
  for (const line of answer) {
    const w = line.split(" ");
    if (w[0] === "factor") (factors[w[1] as string] ??= []).push({ rule: w[2] as string, value: w[3] as string });
    if (w[0] === "sum") {
      names.push(w[1] as string);
      sums[w[1] as string] = w[2] as string;
    }
    if (w[0] === "pairs") pairs = Number(w[1]);
  }
  for (const line of answer) {
    const w = line.split(" ");
    if (w[0] === "odds") {
      const side = names.indexOf(w[1] as string);
      const n = Number(w[3]);
      if (side >= 0) told += n;
      (side >= 0 ? bars : also).push({ words: `${name(w[1] as string)} ${RESULTS[w[2] as string] ?? w[2]}`, part: n / pairs, side, who: w[1] as string, lost: GONE.includes(w[2] as string) });
    }
    if (w[0] === "half") past.push({ words: t("past_half", { who: w[1] as string }), part: Number(w[2]) / pairs });
  }
  if (told < pairs) bars.push({ words: t("nothing_happens"), part: (pairs - told) / pairs, side: -1, who: "", lost: false });
  bars.sort((a, b) => (a.side === b.side ? 0 : a.side === 1 ? -1 : b.side === 1 ? 1 : a.side === -1 ? -1 : 1));
  const [a, b] = [names[0] ?? "", names[1] ?? ""];
  return { names: [a, b], factors: [factors[a] ?? [], factors[b] ?? []], sums: [sums[a] ?? "", sums[b] ?? ""], bars, also, past };
}

interface Fighter {
  who: string;
  factors: { rule: string; name: string; value: number }[];
  die: number;
  total: number;
  result: string;
}
export function fought(item: Item): ReturnType<Adapter["fought"]> {
  if (item.event?.kind !== "combat") return null;
  const [a, b] = item.event.fighters as [Fighter, Fighter];
  const list = (f: Fighter) => f.factors.map((x) => ({ rule: x.rule, value: x.value > 0 ? `+${x.value}` : String(x.value), name: x.name }));
  const sum = (f: Fighter) => String(f.factors.reduce((n, x) => n + x.value, 0));
  const result = (f: Fighter) => RESULTS[f.result] ?? f.result;
  return {
    names: [a.who, b.who],
    factors: [list(a), list(b)],
    sums: [sum(a), sum(b)],
    bars: [],
    also: [],
    past: [],
    dice: [String(a.die ?? "–"), String(b.die ?? "–")],
    totals: [String(a.total), String(b.total)],
    results: [result(a), result(b)],
  };
}
