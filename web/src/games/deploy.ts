// Deployments: along a line that is drawn, and those that are kept.
import type { Piece, Pose, Scene } from "../lib/model.ts";
import { figure, find } from "./labels.ts";

/** What may be deployed now, in the order in which the engine's own deployments have it, from left to right. */
export function ranks(texts: string[], scene: Scene): Piece[] {
  const auto = texts.filter((x) => x.startsWith("deploy ")).reduce((a, b) => (b.length > a.length ? b : a), "");
  const turn = (scene.board.turn * Math.PI) / 180;
  const across = (x: number, y: number) => x * Math.cos(turn) + y * Math.sin(turn);
  const told = auto.slice(7).split(",").flatMap((part) => {
    const [label, x, y] = part.trim().split(/\s+/);
    const piece = label ? find(label, scene, true) : undefined;
    return piece ? [{ piece, at: across(Number(x), Number(y)) }] : [];
  });
  const stand = scene.board.pieces.filter((p) => p.own && !told.some((o) => o.piece === p)).map((piece) => ({ piece, at: across(piece.pose.x, piece.pose.y) }));
  return [...told, ...stand].sort((a, b) => a.at - b.at).map((o) => o.piece);
}
export function along(a: Pose, b: Pose, texts: string[], scene: Scene): string {
  const all = ranks(texts, scene);
  if (all.length === 0) return "";
  // From one's own left to one's own right, facing away from one's own edge.
  const rad = (-scene.board.turn * Math.PI) / 180;
  const [rx, ry] = [Math.cos(rad), -Math.sin(rad)];
  const sign = (b.x - a.x) * rx + (b.y - a.y) * ry >= 0 ? 1 : -1;
  const [from, to] = sign > 0 ? [a, b] : [b, a];
  const long = Math.max(1, Math.hypot(to.x - from.x, to.y - from.y));
  const [ux, uy] = [(to.x - from.x) / long, (to.y - from.y) / long];
  const h = (((Math.atan2(-uy, ux) * 180) / Math.PI) % 360 + 360) % 360;
  const [fx, fy] = [Math.sin((h * Math.PI) / 180), Math.cos((h * Math.PI) / 180)];
  const wide = Math.max(...all.map((p) => p.width));
  const each = Math.max(1, Math.floor(long / wide + 0.3));
  const deep = Math.max(...all.map((p) => p.depth));
  const out = all.map((p, i) => {
    const [rank, file] = [Math.floor(i / each), i % each];
    const inRank = Math.min(each, all.length - rank * each);
    const off = long / 2 + (file - (inRank - 1) / 2) * wide;
    const x = from.x + ux * off - fx * rank * deep;
    const y = from.y + uy * off - fy * rank * deep;
    return `${p.short} ${figure(x)} ${figure(y)} ${figure(h)}`;
  });
  return `deploy ${out.join(", ")}`;
}

/** A place as the side sees it that has its edge at the bottom: across from the middle, and up from the edge. */
export function framed(scene: Scene): { to(p: Pose): Pose; back(p: Pose): Pose } {
  const { width: w, height: h, turn } = scene.board;
  const half = turn % 180 === 0 ? w / 2 : h / 2;
  const views: Record<number, { to(p: Pose): Pose; back(p: Pose): Pose }> = {
    0: { to: (p) => ({ x: p.x - half, y: p.y, h: p.h }), back: (p) => ({ x: p.x + half, y: p.y, h: p.h }) },
    180: { to: (p) => ({ x: half - p.x, y: h - p.y, h: p.h + 180 }), back: (p) => ({ x: half - p.x, y: h - p.y, h: p.h + 180 }) },
    // Own edge on the right or on the left.
    90: { to: (p) => ({ x: p.y - half, y: w - p.x, h: p.h + 90 }), back: (p) => ({ x: w - p.y, y: p.x + half, h: p.h - 90 }) },
    270: { to: (p) => ({ x: half - p.y, y: p.x, h: p.h - 90 }), back: (p) => ({ x: p.y, y: half - p.x, h: p.h + 90 }) },
  };
  return views[turn] ?? (views[0] as { to(p: Pose): Pose; back(p: Pose): Pose });
}
export const round = (n: number): number => ((n % 360) + 360) % 360;
export function keep(scene: Scene): string {
  const frame = framed(scene);
  return scene.board.pieces.filter((p) => p.own).map((p) => {
    const at = frame.to(p.pose);
    return `${p.short} ${figure(at.x)} ${figure(at.y)} ${figure(round(at.h))}`;
  }).join(", ");
}
export function kept(text: string, mirrored: boolean, scene: Scene): string {
  const frame = framed(scene);
  const each = text.split(",").map((part) => {
    const [label, x, y, d] = part.trim().split(/\s+/);
    const at = frame.back({ x: mirrored ? -Number(x) : Number(x), y: Number(y), h: mirrored ? -Number(d) : Number(d) });
    return `${label} ${figure(at.x)} ${figure(at.y)} ${figure(round(at.h))}`;
  });
  return `deploy ${each.join(", ")}`;
}
