// The adapters of the games that have a table.
import type { Adapter } from "../lib/model.ts";
import { big, hott } from "./hott.ts";

const all: Record<string, Adapter> = { hott, big };
export const adapter = (kind: string): Adapter | undefined => all[kind];
