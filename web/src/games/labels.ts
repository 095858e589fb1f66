// Labels of pieces, and the words of commands, as the page reads them.
import type { Piece, Scene } from "../lib/model.ts";

export const NAMES: Record<string, string> = {
  God: "God", Drg: "Dragon", Abt: "Airboat", Fly: "Flyer", AHe: "Aerial Hero", Her: "Hero", Pal: "Paladin",
  Kni: "Knight", Rid: "Rider", Beh: "Behemoth", Bst: "Beast", Bld: "Blade", Spr: "Spear", Wbd: "Warband",
  Sht: "Shooter", Art: "Artillery", Hrd: "Horde", Lrk: "Lurker", WLk: "Water Lurker", Mag: "Magician",
  Clr: "Cleric", Snk: "Sneaker", LtH: "Light Horse", Sct: "Scouts", Rgr: "Rangers", Str: "Stronghold",
};
/** A figure as commands have it: paces or degrees with at most two decimals. */
export const figure = (n: number): string => String(Math.round(n * 100) / 100);
export function parts(label: string): { side: string; type: string; number: string } {
  const [side, rest] = label.includes(".") ? (label.split(".") as [string, string]) : ["", label];
  const found = /^([A-Za-z]+?)(\d*)$/.exec(rest);
  return { side, type: found?.[1] ?? rest, number: found?.[2] ?? "" };
}
export function name(label: string): string {
  const { side, type, number } = parts(label);
  const word = Object.entries(NAMES).find(([code]) => code.toLowerCase() === type.toLowerCase())?.[1] ?? type;
  return `${side ? `${side}'s ` : ""}${word}${number ? ` ${number}` : ""}`;
}

/** The verb of a text and the labels right behind it. */
export function heads(text: string, scene: Scene): { verb: string; who: string[]; rest: string[] } {
  const words = text.replace(/,/g, " ,").split(/\s+/);
  const verb = words[0] ?? "";
  const who: string[] = [];
  let i = 1;
  for (; i < words.length; i += 1) {
    const piece = find(words[i] ?? "", scene, true);
    if (!piece) break;
    who.push(piece.label);
    if (verb === "lurk" || verb === "close" || verb === "deploy" || verb === "arrive") {
      i += 1;
      break;
    }
  }
  return { verb, who, rest: words.slice(i) };
}
export function all(scene: Scene): Piece[] {
  return [...scene.board.pieces, ...scene.armies.flatMap((a) => [...a.tray, ...a.gone])];
}
export const letter = (scene: Scene): string => scene.armies.find((a) => a.active)?.letter ?? "";
export function find(word: string, scene: Scene, own: boolean): Piece | undefined {
  const low = word.toLowerCase();
  const full = low.includes(".") ? low : `${letter(scene).toLowerCase()}.${low}`;
  const pieces = all(scene);
  const found = pieces.find((p) => p.label.toLowerCase() === full);
  if (found || low.includes(".")) return found;
  // While several sides deploy or answer, a bare label is one's own.
  return own ? pieces.find((p) => p.own && p.short.toLowerCase() === low) : undefined;
}
export function full(word: string, scene: Scene, own: boolean): string {
  return word.includes(".") ? word : (find(word, scene, own)?.label ?? word);
}
