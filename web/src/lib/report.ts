// The battle as a page of its own, for a blog or a forum: what happened, with a picture for each chapter.
import type { Session } from "./session.svelte.ts";
import { t } from "./words.ts";

/** With more chapters than this not every one of them has its picture. */
const MOST = 60;
const safe = (s: string): string => s.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

/** The picture of a moment as one may see it, in a form that can stand in any page. */
async function picture(session: Session, at: number): Promise<string> {
  const seat = session.seat ? `&seat=${encodeURIComponent(session.seat)}` : "";
  const said = await fetch(`/api/games/${session.id}/picture.svg?at=${at}${seat}`);
  if (!said.ok) return "";
  const bytes = new TextEncoder().encode(await said.text());
  let text = "";
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return `<img alt="" src="data:image/svg+xml;base64,${btoa(text)}">`;
}

/** One document: title, result, and chapter by chapter what was told, with the picture at its end. */
export async function report(session: Session): Promise<string> {
  const table = session.table;
  const adapter = session.adapter;
  const told = session.log.filter((i) => i.event?.say && !adapter?.quiet(i.event));
  const chapters: { title: string; from: number; lines: string[] }[] = [{ title: "", from: 0, lines: [] }];
  for (const item of told) {
    const say = String(item.event.say);
    if (adapter?.chapter?.(item.event)) chapters.push({ title: say, from: item.n, lines: [] });
    else chapters.at(-1)?.lines.push(say);
  }
  const full = chapters.filter((c) => c.title || c.lines.length > 0);
  const step = Math.ceil(full.length / MOST);
  const parts: string[] = [];
  for (const [n, c] of full.entries()) {
    const end = (full[n + 1]?.from ?? session.version + 1) - 1;
    const drawn = n % step === 0 || n === full.length - 1 ? await picture(session, end) : "";
    parts.push(`<section>${c.title ? `<h2>${safe(c.title)}</h2>` : ""}<p>${c.lines.map(safe).join(" ")}</p>${drawn}</section>`);
  }
  const losses = (session.scene?.armies ?? []).map((a) => `${a.letter}, ${a.name}: ${a.words ?? t("lost_of", { lost: a.lost, total: a.total, half: a.half })}`);
  const title = safe(table?.title ?? "");
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#1d1c1a;background:#fff}img{max-width:100%;height:auto;display:block;margin:.6rem 0}h2{margin:1.6rem 0 .2rem;font-size:1.1rem}</style>
<h1>${title}</h1><p><b>${safe(table?.outcome?.words ?? session.scene?.turn ?? "")}</b><br>${losses.map(safe).join("<br>")}</p>
${parts.join("\n")}</html>
`;
}

/** The same as a file of this browser. */
export async function download(session: Session): Promise<void> {
  const href = URL.createObjectURL(new Blob([await report(session)], { type: "text/html" }));
  const a = document.createElement("a");
  [a.href, a.download] = [href, `muster-${session.id}.html`];
  a.click();
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}
