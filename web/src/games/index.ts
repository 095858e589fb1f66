// The adapters of the games that have a table.
import type { Adapter } from "../lib/model.ts";
import { hott } from "./hott.ts";

const all: Record<string, Adapter> = { hott, big: hott };
export const adapter = (kind: string): Adapter | undefined => all[kind];
