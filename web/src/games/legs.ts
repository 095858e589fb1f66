// Moves of several legs on the open table: stages as the rules have them, built up place by place.
import type { Legs, Piece, Pose } from "../lib/model.ts";
import { t } from "../lib/words.ts";
import { figure } from "./labels.ts";

const rad = (h: number): number => (h * Math.PI) / 180;
const turned = (from: number, to: number): number => ((to - from + 540) % 360) - 180;
/** From one place to another, as whoever stands at the first sees it: ahead and to the right. */
function seen(from: Pose, to: { x: number; y: number }): [number, number] {
  const [sin, cos] = [Math.sin(rad(from.h)), Math.cos(rad(from.h))];
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  return [dx * sin + dy * cos, dx * cos - dy * sin];
}
/** The front corners of a body about one of its members: how far to the left and right of it, and ahead. */
function body(who: Piece[], held: Piece): { left: number; right: number; front: number } {
  const sides = who.map((p) => [seen(held.pose, p.pose), p.width / 2] as const);
  const front = Math.max(...sides.map(([[ahead]]) => ahead));
  const rank = sides.filter(([[ahead]]) => front - ahead < 5);
  return { left: Math.min(...rank.map(([[, r], half]) => r - half)), right: Math.max(...rank.map(([[, r], half]) => r + half)), front };
}
/** A pose after a wheel of a body that holds it, on its left or right front corner. */
function wheeled(who: Piece[], held: Piece, side: "left" | "right", degrees: number): Pose {
  const b = body(who, held);
  const [sin, cos] = [Math.sin(rad(held.pose.h)), Math.cos(rad(held.pose.h))];
  const r = side === "left" ? b.left : b.right;
  const pivot = { x: held.pose.x + cos * r + sin * b.front, y: held.pose.y - sin * r + cos * b.front };
  const by = rad(side === "left" ? degrees : -degrees);
  const [dx, dy] = [held.pose.x - pivot.x, held.pose.y - pivot.y];
  return { x: pivot.x + dx * Math.cos(by) - dy * Math.sin(by), y: pivot.y + dx * Math.sin(by) + dy * Math.cos(by), h: (held.pose.h - (side === "left" ? degrees : -degrees) + 360) % 360 };
}
const one = (who: Piece[], column: boolean): boolean => who.length === 1 && !column;

export const legs: Legs = {
  leg(who, held, to, column) {
    const turn = turned(held.pose.h, to.h);
    const [ahead, right] = seen(held.pose, to);
    const out: string[] = [];
    if (one(who, column)) {
      // Its own centre is what it turns about: what it slides is told from there.
      if (Math.abs(turn) < 0.05 && Math.abs(right) < 0.5) return Math.abs(ahead) < 0.5 ? [] : [`${ahead < 0 ? "back" : "ahead"} ${figure(Math.abs(ahead))}`];
      const half = held.depth / 2;
      const dx = to.x - held.pose.x + half * (Math.sin(rad(held.pose.h)) - Math.sin(rad(to.h)));
      const dy = to.y - held.pose.y + half * (Math.cos(rad(held.pose.h)) - Math.cos(rad(to.h)));
      if (Math.hypot(dx, dy) >= 0.5) out.push(`by ${figure(dx)} ${figure(dy)}`);
      if (Math.abs(turn) > 0.05) out.push(`turn ${figure((to.h + 360) % 360)}`);
      return out;
    }
    if (Math.abs(turn) > 0.05) return [`wheel ${turn < 0 ? "left" : "right"} ${figure(Math.abs(turn))}`];
    if (Math.abs(ahead) >= 0.5) out.push(`${ahead < 0 ? "back" : "ahead"} ${figure(Math.abs(ahead))}`);
    if (Math.abs(right) >= 0.5) out.push(`${right < 0 ? "left" : "right"} ${figure(Math.abs(right))}`);
    return out;
  },
  toward(who, held, to, column) {
    const [ahead, right] = seen(held.pose, to);
    const place = { x: to.x, y: to.y, h: held.pose.h };
    if (one(who, column)) return { stages: legs.leg(who, held, place, column), to: place };
    const straight = (far: number, from: Pose): Pose => ({ x: from.x + Math.sin(rad(from.h)) * far, y: from.y + Math.cos(rad(from.h)) * far, h: from.h });
    if (Math.abs(right) <= 8 && ahead > 0) return { stages: [`ahead ${figure(Math.round(ahead))}`], to: straight(Math.round(ahead), held.pose) };
    // A body wheels until the place lies straight ahead of the one held, and goes there.
    const side = right < 0 ? "left" : "right";
    const bodies = column ? [held] : who;
    let degrees = 0;
    for (let by = 0; by <= 120; by += 0.5) {
      const [on, off] = seen(wheeled(bodies, held, side, by), to);
      degrees = by;
      if (on > 0 && (side === "left" ? off >= 0 : off <= 0)) break;
    }
    const then = wheeled(bodies, held, side, degrees);
    const far = Math.max(0, Math.round(seen(then, to)[0]));
    return { stages: [`wheel ${side} ${figure(degrees)}`, ...(far > 0 ? [`ahead ${figure(far)}`] : [])], to: straight(far, then) };
  },
  wheel: (side, degrees) => `wheel ${side} ${figure(degrees)}`,
  join(who, held, stages, column) {
    const all = column ? [held, ...who.filter((p) => p.label !== held.label)] : who;
    return `${column ? "column" : "move"} ${all.map((p) => p.short).join(" ")} ${stages.join(", ")}`;
  },
  words: (stages) => stages.map((s) => {
    const [verb, a = "", b = ""] = s.split(" ");
    if (verb === "wheel") return t("leg_wheel", { side: a, n: b });
    if (verb === "turn") return t("leg_turn", { n: a });
    if (verb === "by") return t("leg_by", { n: Math.round(Math.hypot(Number(a), Number(b))) });
    return t("leg_go", { way: verb ?? "", n: a });
  }).join(", "),
};
