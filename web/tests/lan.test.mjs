// People in one room: address and codes in the terminal and on the host's page, a seat by its code, the big screen.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { accessible, api, browser, check, page } from "./lib.mjs";

const root = new URL("../../", import.meta.url).pathname;
const muster = join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), "debug", "muster");

/** A server for the room, and all that it says until it has said `last`. */
async function room(args, last) {
  const db = mkdtempSync(join(tmpdir(), "muster-"));
  const child = spawn(muster, ["serve", "--lan", "--address", "127.0.0.1", "--port", "0", "--rate", "0", "--db", join(db, "games.db"), ...args], { stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  await new Promise((done, failed) => {
    child.stdout.on("data", (d) => {
      said += d;
      if (last.test(said)) done();
    });
    child.on("exit", (code) => failed(new Error(`the server ended with ${code}`)));
  });
  const stop = () => new Promise((done) => { child.once("exit", done); child.kill("SIGTERM"); });
  return { said: () => said, stop, clean: () => rmSync(db, { recursive: true, force: true }) };
}

export async function lan_room() {
  const s = await room(["--table", "pirates", "lunar-empire"], /the big screen: \S+/);
  const b = await browser();
  try {
    const link = (what) => new RegExp(`${what}: (http\\S+)`).exec(s.said())?.[1] ?? "";
    const [seat, big, host] = ["seat A", "the big screen", "the host"].map(link);
    check(seat && big && host && link("seat B") && link("whoever looks on"), `every link is told: ${s.said().replace(/[█▀▄ ]/g, "")}`);
    check((s.said().match(/[█▀▄]{8,}/g) ?? []).length > 50, "codes stand in the terminal");
    const q = await page(b, { viewport: { width: 2560, height: 1440 } });
    await q.goto(big);
    await q.locator(".table.room svg.board").waitFor();
    check((await q.locator(".table.room button.main:visible").count()) === 0, "the big screen has nothing to click");
    const p = await page(b, { viewport: { width: 360, height: 740 } });
    await p.goto(seat);
    await p.locator("svg.board").waitFor();
    const id = new URL(p.url()).pathname.split("/")[2];
    check((await api(p, `/api/games/${id}`)).body.roles.join() === "A", "the seat is his");
    // The host's page: a code for each seat and for those who look on.
    for (const viewport of [{ width: 360, height: 740 }, { width: 768, height: 1024 }, { width: 1440, height: 900 }]) {
      const h = await page(b, { viewport });
      await h.goto(host);
      await h.locator("svg.board").waitFor();
      await h.getByRole("button", { name: "Menu" }).click();
      await h.getByRole("button", { name: "In this room" }).click();
      await h.getByRole("button", { name: /Show the code: Seat B/ }).click();
      const code = h.locator(".inroom .qr img").first();
      await code.waitFor();
      const size = await code.evaluate((i) => [i.complete && i.naturalWidth, i.getBoundingClientRect().width]);
      check(size[0] > 0 && size[1] >= 150, `a code that a phone can read: ${size}`);
      const text = await h.locator(".inroom .qr input").first().inputValue();
      check(text.startsWith(new URL(host).origin) && /#[\w-]{43}$/.test(text), `the link of the code: ${text}`);
      await h.getByRole("button", { name: /Show the code: Look on/ }).click();
      await h.locator(".inroom .qr").nth(2).waitFor();
      await accessible(h, `in this room, ${viewport.width}`);
      if (process.env.MUSTER_SHOTS) await h.screenshot({ path: `${process.env.MUSTER_SHOTS}/room-${viewport.width}.png` });
      // The code opens the seat, for its taker alone.
      if (viewport.width === 1440) {
        const o = await page(b);
        await o.goto(text);
        await o.locator("svg.board").waitFor();
        check((await api(o, `/api/games/${id}`)).body.roles.join() === "B", "who points a phone at it has the seat");
      }
      check(h.wrong.length === 0, h.wrong.join());
      await h.context().close();
    }
    for (const text of ["", "x".repeat(501)]) check((await api(p, "/api/code", { text })).status === 422, "what is no link");
    check(p.wrong.length === 0 && q.wrong.length === 0, [...p.wrong, ...q.wrong].join());
  } finally {
    await b.close();
    await s.stop();
    s.clean();
  }
}
