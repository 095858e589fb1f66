// Distances between bases, for showing alone: what counts is measured by the server.
import type { Pose } from "./model.ts";

interface Base {
  pose: Pose;
  width: number;
  depth: number;
}
type Point = readonly [number, number];

/** The corners, from the left front one clockwise. */
export function corners(b: Base): Point[] {
  const rad = (b.pose.h * Math.PI) / 180;
  const [ux, uy] = [Math.sin(rad), Math.cos(rad)];
  const [rx, ry] = [uy, -ux];
  const at = (along: number, back: number): Point => [b.pose.x + rx * along - ux * back, b.pose.y + ry * along - uy * back];
  return [at(-b.width / 2, 0), at(b.width / 2, 0), at(b.width / 2, b.depth), at(-b.width / 2, b.depth)];
}
function toSegment([px, py]: Point, [ax, ay]: Point, [bx, by]: Point): number {
  const [dx, dy] = [bx - ax, by - ay];
  const t = Math.max(0, Math.min(1, ((px - ax) * dx + (py - ay) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(px - ax - t * dx, py - ay - t * dy);
}
/** Between the nearest points of two bases that do not overlap, in paces. */
export function between(a: Base, b: Base): number {
  const [p, q] = [corners(a), corners(b)];
  let least = Infinity;
  for (const [one, two] of [[p, q], [q, p]] as const) {
    for (const point of one) {
      for (let i = 0; i < 4; i += 1) least = Math.min(least, toSegment(point, two[i] as Point, two[(i + 1) % 4] as Point));
    }
  }
  return least;
}
