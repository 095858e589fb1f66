// A server of one's own, a browser, and hands to play with.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const root = new URL("../../", import.meta.url).pathname;
const target = process.env.CARGO_TARGET_DIR ?? join(root, "target");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The dice of the tests: the same every time, unless MUSTER_SEED names others (empty: chance). */
const SEED = process.env.MUSTER_SEED === "" ? [] : ["--seed", process.env.MUSTER_SEED ?? "7"];
/** A server on a port of its own, with a fresh store; its dice are the same every time. */
export async function serve(db = mkdtempSync(join(tmpdir(), "muster-")), port = 0) {
  const start = async (port) => {
    const child = spawn(join(target, "debug", "muster"), ["serve", "--port", String(port), "--rate", "0", ...SEED, "--db", join(db, "games.db")], { stdio: ["ignore", "pipe", "inherit"] });
    const address = await new Promise((done, failed) => {
      let said = "";
      child.stdout.on("data", (d) => {
        said += d;
        const found = /(http:\/\/[^\s/]+)/.exec(said);
        if (found) done(found[1]);
      });
      child.on("exit", (code) => failed(new Error(`the server ended with ${code}`)));
    });
    return { child, address };
  };
  let { child, address } = await start(port);
  const stop = (signal = "SIGTERM") => new Promise((done) => { child.once("exit", done); child.kill(signal); });
  /** Comes up again on the same port, with what it kept. */
  const again = async () => ({ child } = await start(Number(new URL(address).port)));
  return { address, db, stop, again, clean: () => rmSync(db, { recursive: true, force: true }) };
}

export const browser = () =>
  chromium.launch({
    executablePath: which(process.env.MUSTER_BROWSER ?? "chromium"),
    args: ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"],
  });
function which(name) {
  for (const folder of (process.env.PATH ?? "").split(":")) {
    const path = join(folder, name);
    try {
      readFileSync(path);
      return path;
    } catch {
      // Not here.
    }
  }
  return name;
}

/** While a page is worked on: from the folder MUSTER_PAGE, not from the binary, which then need not be built anew. */
function fromDisk(route) {
  const asset = /\/(assets\/[^/]+)$/.exec(new URL(route.request().url()).pathname)?.[1];
  return route.fulfill({ path: join(process.env.MUSTER_PAGE, asset ?? "index.html") });
}
/** A page whose errors end the test. */
export async function page(b, options = {}) {
  const context = await b.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  if (process.env.MUSTER_PAGE) await context.route(/^https?:\/\/[^/]+\/(?!api\/|health$|metrics$)/, fromDisk);
  // Which armies meet, and on what ground, is not left to luck.
  await context.addInitScript(() => {
    let n = 1;
    Math.random = () => (n = (n * 48271) % 2147483647) / 2147483647;
  });
  const p = await context.newPage();
  p.wrong = [];
  p.on("pageerror", (e) => p.wrong.push(String(e)));
  return p;
}

export function check(what, words) {
  if (!what) throw new Error(words);
}

/** Serious findings of the accessibility engine. */
export async function accessible(p, where) {
  await p.evaluate(axe);
  const found = await p.evaluate(async () => {
    const all = await globalThis.axe.run(document, { resultTypes: ["violations"] });
    return all.violations.filter((v) => v.impact === "serious" || v.impact === "critical").map((v) => `${v.id}: ${v.help} (${v.nodes.slice(0, 3).map((n) => n.target.join(" ")).join("; ")})`);
  });
  check(found.length === 0, `${where}: ${found.join("\n  ")}`);
}

/** Requests as the page would send them. */
export const api = (p, path, body) =>
  p.evaluate(
    async ([path, body]) => {
      const init = body === null ? {} : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
      const r = await fetch(path, init);
      return { status: r.status, body: await r.json().catch(() => null) };
    },
    [path, body ?? null],
  );

/** Opens a battle through the API and gives its links. */
export async function battle(p, wish = {}, armies = ["lunar-empire", "pirates"], limit = 0, more = {}) {
  const kind = wish.kind ?? "hott";
  const setup = await api(p, `/api/library/${kind}/setup`, { armies, bound_limit: limit, ...more });
  check(setup.status === 200, JSON.stringify(setup.body));
  const made = await api(p, "/api/games", { kind, title: "A battle", setup: setup.body, seats: { B: "computer:march" }, ...wish });
  check(made.status === 201, JSON.stringify(made.body));
  return made.body;
}

/** The main button, when it can be clicked; else null. */
export async function mainButton(p) {
  const b = p.locator(".acts button.main:not([disabled])");
  return (await b.count()) > 0 ? b.first() : null;
}

/** Clicks on with the main button until `done` says so; the number of clicks. */
export async function clickOn(p, done, most = 800) {
  let clicks = 0;
  const until = Date.now() + 600_000;
  while (clicks < most && Date.now() < until) {
    if (await done()) return clicks;
    const b = await mainButton(p);
    if (b) {
      await b.click({ timeout: 5000 }).then(() => (clicks += 1)).catch(() => undefined);
      await p.waitForTimeout(40);
    } else await p.waitForTimeout(60);
    const wrong = await p.locator(".foot .wrong").first().textContent({ timeout: 100 }).catch(() => null);
    if (wrong) throw new Error(`refused: ${wrong}`);
  }
  throw new Error(`not done after ${clicks} clicks`);
}
export const over = (p) => p.evaluate(async () => {
  const id = location.pathname.split("/")[2];
  return (await (await fetch(`/api/games/${id}`)).json()).over;
});

/** Enters roles of a battle as the page would, without taking them for oneself alone. */
export async function enter(p, made, roles) {
  for (const role of roles) check((await api(p, "/api/enter", { token: made.links[role].split("#")[1] })).status === 200, role);
}

/** A piece of side A that may go so far straight ahead. */
export async function free(p, id, paces) {
  const view = (await api(p, `/api/games/${id}?seat=A`)).body.view;
  for (const e of view.elements.filter((e) => e.label.startsWith("A.") && e.fate === "table")) {
    const said = await api(p, `/api/games/${id}/preview`, { seat: "A", do: `move ${e.label} ahead ${paces}` });
    if (said.body.answer === "done") return e.label;
  }
  throw new Error(`nobody may go ${paces}p ahead`);
}

/** Gives a command; where dice are typed it throws them, the same every time. */
let throws = 0;
export async function send(p, id, body) {
  let [said, dice] = [await api(p, `/api/games/${id}/command`, body), []];
  for (let i = 0; i < 8 && said.status === 428; i += 1) {
    dice = [...dice, ...said.body.wants.map((w) => ((throws += 5) % w.sides) + 1)];
    said = await api(p, `/api/games/${id}/command`, { ...body, dice });
  }
  return said;
}

/**
 * Plays on through the API for the seats that a page holds, into contact wherever one can, until `done(table)`.
 * Whole battles are thus fought, and looked at in between. `prefer(texts, table)` may choose a move.
 */
export async function playOn(p, id, seats, done, most = 900, prefer = () => undefined) {
  let moved = "";
  let paid = 0;
  for (let i = 0; i < most; i += 1) {
    const at = (await api(p, `/api/games/${id}?seat=${seats[0]}`)).body;
    if (at.over || (await done(at))) return at;
    const owed = at.owes.find((o) => seats.includes(o.seat));
    if (!owed) {
      await p.waitForTimeout(50);
      continue;
    }
    const table = owed.seat === at.viewer ? at : (await api(p, `/api/games/${id}?seat=${owed.seat}`)).body;
    const own = table.owes.find((o) => o.seat === owed.seat);
    const found = (await api(p, `/api/games/${id}/candidates?seat=${owed.seat}&most=400`)).body;
    const texts = found.candidates.map((c) => c.do);
    const bound = `${table.view.bound} ${owed.seat}`;
    if (bound !== moved) [moved, paid] = [bound, 0];
    const longest = (some) => some.sort((a, b) => b.length - a.length)[0];
    const step =
      own?.stands ??
      texts.find((x) => x.startsWith("deployed")) ??
      longest(texts.filter((x) => x.startsWith("deploy "))) ??
      texts.find((x) => /^(roll|ground|edges|stronghold|shoot|bespell|fight)\b/.test(x) && x !== "fight all") ??
      (paid < 4 ? texts.find((x) => x.startsWith("charge")) : undefined) ??
      (paid < 6 ? prefer(texts, table) : undefined) ??
      (paid < 2 ? longest(texts.filter((x) => /^move .* ahead \d+$/.test(x))) : undefined) ??
      texts.find((x) => x.startsWith("end")) ??
      texts[0];
    if (/^(move|charge)/.test(step)) paid += 1;
    const done2 = await send(p, id, { seat: owed.seat, do: step, expected: found.version });
    if (done2.status !== 200 && done2.status !== 409) throw new Error(`${step}: ${JSON.stringify(done2.body)}`);
  }
  throw new Error("it does not come to that");
}

/** For `playOn`: of the moves of single elements the one that comes closest to an enemy, so that battles do end. */
export function closer(side) {
  return (texts, table) => {
    const pieces = table.view.elements.filter((e) => e.fate === "table");
    const enemies = pieces.filter((e) => !e.label.startsWith(side));
    const far = (x, y) => Math.min(...enemies.map((e) => Math.hypot(e.place[0] / 100 - x, e.place[1] / 100 - y)));
    let best;
    for (const text of texts) {
      const m = /^move (\S+) (?:turn ([\d.]+), )?ahead ([\d.]+)$/.exec(text);
      const piece = m && pieces.find((e) => e.label === `${side}.${m[1]}` || e.label === m[1]);
      if (!piece) continue;
      const [x, y, h] = piece.place.map((n) => n / 100);
      const turn = ((m[2] === undefined ? h : Number(m[2])) * Math.PI) / 180;
      const gained = far(x, y) - far(x + Math.sin(turn) * Number(m[3]), y + Math.cos(turn) * Number(m[3]));
      if (gained > (best?.gained ?? 25)) best = { text, gained };
    }
    return best?.text;
  };
}

/** Runs with a server and a browser, and clears up. */
export async function within(work) {
  const server = await serve();
  const b = await browser();
  try {
    return await work(server, b);
  } finally {
    await b.close();
    await server.stop();
    server.clean();
  }
}
/** One browser that holds both seats and acts through the API, and one that sits on A alone and is looked at. */
export async function tables(server, b, wish, armies, more, options = {}) {
  const h = await page(b);
  await h.goto(server.address);
  const made = await battle(h, { seats: {}, ...wish }, armies, 0, { quick: 2, ...more });
  await enter(h, made, ["A", "B"]);
  const p = await page(b, options);
  await p.goto(server.address);
  await enter(p, made, ["A"]);
  return { h, p, id: made.id, open: () => p.goto(`${server.address}/t/${made.id}`).then(() => p.locator(".piece").first().waitFor()) };
}
/** A table as a seat sees it. */
export const view = async (h, id, seat = "A") => (await api(h, `/api/games/${id}?seat=${seat}`)).body;
/** A ruling by A, to which all consent. */
export async function rule(h, id, text) {
  const said = await api(h, `/api/games/${id}/propose`, { seat: "A", what: "ruling", do: `ruling ${text}`, reason: "for the test" });
  check(said.status === 200, `${text}: ${JSON.stringify(said.body)}`);
}
/** Whether A has its moves to make. */
export const mine = (t) => t.view.phase === "moves" && t.owes.some((o) => o.seat === "A");
export const toMoves = (h, id, more = () => true) => playOn(h, id, ["A", "B"], (t) => mine(t) && more(t));
/** A place on the board, in pixels of the page. */
export const pixel = (p, x, y) => p.evaluate(([x, y]) => {
  const g = document.querySelector("#turned");
  const high = Number(g.querySelector("rect:nth-of-type(1)").getAttribute("height")) - 28;
  const at = new DOMPoint(x, high - y).matrixTransform(g.getScreenCTM());
  return [at.x, at.y];
}, [x, y]);
