// The adapters of the games that have a table.
import type { Adapter } from "../lib/model.ts";
import { heroes } from "./heroes.ts";
import { big, hott } from "./hott.ts";

const all: Record<string, Adapter> = { hott, big, heroes };
export const adapter = (kind: string): Adapter | undefined => all[kind];
