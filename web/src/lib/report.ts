// The battle as a page of its own, for a blog or a forum: what happened, with a picture for each chapter.
import type { Session } from "./session.svelte.ts";
import { t } from "./words.ts";
import { zip } from "./zip.ts";

/** With more chapters than this not every one of them has its picture. */
const MOST = 60;
const safe = (s: string): string => s.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

/** The picture of a moment as one may see it, as SVG. */
async function drawing(session: Session, at: number): Promise<string> {
  const seat = session.seat ? `&seat=${encodeURIComponent(session.seat)}` : "";
  const said = await fetch(`/api/games/${session.id}/picture.svg?at=${at}${seat}`);
  return said.ok ? said.text() : "";
}
/** The same in a form that can stand in any page. */
async function picture(session: Session, at: number): Promise<string> {
  const svg = await drawing(session, at);
  if (!svg) return "";
  const bytes = new TextEncoder().encode(svg);
  let text = "";
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return `<img alt="" src="data:image/svg+xml;base64,${btoa(text)}">`;
}
/** The same as pixels, for forums that show nothing else. */
async function pixels(svg: string): Promise<Uint8Array | null> {
  const href = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = href;
    await image.decode();
    const canvas = document.createElement("canvas");
    const scale = 1000 / (image.naturalWidth || 1000);
    [canvas.width, canvas.height] = [1000, Math.round((image.naturalHeight || 1000) * scale)];
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
    return blob ? new Uint8Array(await blob.arrayBuffer()) : null;
  } catch {
    return null;
  } finally {
    URL.revokeObjectURL(href);
  }
}

const capital = (say: string): string => say.charAt(0).toUpperCase() + say.slice(1);
/** As a sentence, whatever a game makes of it. */
const sentence = (say: string): string => `${capital(say.trim())}${/[.!?):]$/.test(say.trim()) ? "" : "."}`;

interface Chapter {
  title: string;
  lines: string[];
  /** The moment at its end. */
  end: number;
  drawn: boolean;
}
function chapters(session: Session): Chapter[] {
  const adapter = session.adapter;
  const told = session.log.filter((i) => i.event?.say && !adapter?.quiet(i.event));
  const all: { title: string; from: number; lines: string[] }[] = [{ title: "", from: 0, lines: [] }];
  for (const item of told) {
    const say = String(item.event.say);
    if (adapter?.chapter?.(item.event)) all.push({ title: capital(say), from: item.n, lines: [] });
    else all.at(-1)?.lines.push(sentence(say));
  }
  const full = all.filter((c) => c.title || c.lines.length > 0);
  const step = Math.ceil(full.length / MOST);
  return full.map((c, n) => ({ title: c.title, lines: c.lines, end: (full[n + 1]?.from ?? session.version + 1) - 1, drawn: n % step === 0 || n === full.length - 1 }));
}
const losses = (session: Session): string[] => (session.scene?.armies ?? []).map((a) => `${a.letter}, ${a.name}: ${a.words ?? t("lost_of", { lost: a.lost, total: a.total, half: a.half })}`);

/** One document: title, result, and chapter by chapter what was told, with the picture at its end. */
export async function report(session: Session): Promise<string> {
  const table = session.table;
  const parts: string[] = [];
  for (const c of chapters(session)) {
    const drawn = c.drawn ? await picture(session, c.end) : "";
    parts.push(`<section>${c.title ? `<h2>${safe(c.title)}</h2>` : ""}<p>${c.lines.map(safe).join(" ")}</p>${drawn}</section>`);
  }
  const title = safe(table?.title ?? "");
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#1d1c1a;background:#fff}img{max-width:100%;height:auto;display:block;margin:.6rem 0}h2{margin:1.6rem 0 .2rem;font-size:1.1rem}</style>
<h1>${title}</h1><p><b>${safe(table?.outcome?.words ?? session.scene?.turn ?? "")}</b><br>${losses(session).map(safe).join("<br>")}</p>
${parts.join("\n")}</html>
`;
}

/** The same as text for a forum, with its pictures beside it, in one archive. */
export async function archive(session: Session): Promise<Blob> {
  const files: [string, Uint8Array][] = [];
  const lines = [`# ${session.table?.title ?? ""}`, "", `**${session.table?.outcome?.words ?? session.scene?.turn ?? ""}**`, "", ...losses(session).map((l) => `- ${l}`), ""];
  for (const [n, c] of chapters(session).entries()) {
    if (c.title) lines.push(`## ${c.title}`, "");
    const svg = c.drawn ? await drawing(session, c.end) : "";
    const png = svg ? await pixels(svg) : null;
    if (png) {
      const name = `picture-${String(n).padStart(2, "0")}.png`;
      files.push([name, png]);
      lines.push(`![${c.title}](${name})`, "");
    }
    if (c.lines.length > 0) lines.push(c.lines.join(" "), "");
  }
  return zip([["report.md", new TextEncoder().encode(lines.join("\n"))], ...files]);
}

function keep(blob: Blob, name: string): void {
  const href = URL.createObjectURL(blob);
  const a = document.createElement("a");
  [a.href, a.download] = [href, name];
  a.click();
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}
/** The page as a file of this browser. */
export async function download(session: Session): Promise<void> {
  keep(new Blob([await report(session)], { type: "text/html" }), `muster-${session.id}.html`);
}
/** The text with its pictures as a file of this browser. */
export async function downloadText(session: Session): Promise<void> {
  keep(await archive(session), `muster-${session.id}.zip`);
}
