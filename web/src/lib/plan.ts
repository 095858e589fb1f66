// What would happen to pieces unless they are held, and the cheapest way to hold some of them.
import type { Hold } from "./model.ts";

const price = (holds: Hold[]): number => holds.reduce((n, h) => n + h.cost, 0);

/**
 * The cheapest holds that together hold all that is wanted and nobody twice; with equal cost those that hold more.
 * What nothing holds is left out.
 */
export function cheapest(wanted: string[], holds: Hold[]): Hold[] {
  const may = wanted.filter((w) => holds.some((h) => h.who.includes(w)));
  let best: Hold[] | null = null;
  let steps = 0;
  const size = (some: Hold[]) => some.reduce((n, h) => n + h.who.length, 0);
  const search = (left: string[], taken: Hold[]): void => {
    steps += 1;
    if (steps > 20_000 || (best && price(taken) > price(best))) return;
    const first = left[0];
    if (!first) {
      if (!best || price(taken) < price(best) || (price(taken) === price(best) && size(taken) > size(best))) best = taken;
      return;
    }
    const free = (h: Hold) => !taken.some((t) => t.who.some((w) => h.who.includes(w)));
    for (const h of holds.filter((h) => h.who.includes(first) && free(h)).sort((a, b) => b.who.length - a.who.length)) {
      search(left.filter((w) => !h.who.includes(w)), [...taken, h]);
    }
  };
  search(may, []);
  return best ?? [];
}

/** Of so much the holds that hold most of those who would run, as one takes them one after another. */
export function most(running: string[], holds: Hold[], left: number): string[] {
  const kept = new Set<string>();
  let spent = 0;
  for (;;) {
    const gain = (h: Hold) => h.who.filter((w) => running.includes(w)).length / Math.max(1, h.cost);
    const free = holds.filter((h) => spent + h.cost <= left && h.who.every((w) => !kept.has(w)) && gain(h) > 0);
    const next = free.sort((a, b) => gain(b) - gain(a))[0];
    if (!next) return running.filter((w) => kept.has(w));
    spent += next.cost;
    for (const w of next.who) kept.add(w);
  }
}
