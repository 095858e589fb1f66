// The tracker of Horde combat as a page: the game master's, the players', a whole encounter of fixed dice.
import { readFileSync } from "node:fs";
import { accessible, api, browser, check, page, serve } from "./lib.mjs";

const sizes = { phone: { width: 360, height: 740 }, tablet: { width: 768, height: 1024 }, wide: { width: 1440, height: 900 } };
const bridge = readFileSync(new URL("../../data/horde/encounters/bridge.toml", import.meta.url), "utf8");
const token = (link) => link.split("#")[1];

/** An encounter with dice of a fixed seed, and its game master's page. */
async function encounter(p, address, wish, seed = 7) {
  await p.goto(`${address}/`);
  const made = await api(p, "/api/desks", { kind: "tracker", wish, seed });
  check(made.status === 201, JSON.stringify(made.body));
  await p.goto(`${address}${made.body.links.master}`);
  await p.locator(".tracker .unit").first().waitFor();
  return made.body;
}
/** What the game master's page has now. */
const master = async (p, id) => (await api(p, `/api/desks/${id}?role=master`)).body.view;
async function settled(p, id, was) {
  for (let i = 0; i < 400; i += 1) {
    const now = (await api(p, `/api/desks/${id}?role=master`)).body.mark;
    if (now !== was) return;
    await p.waitForTimeout(20);
  }
  throw new Error("nothing happens");
}
async function type(p, text) {
  await p.locator(".tracker .line input").fill(text);
  await p.locator(".tracker .line button").click();
}

/** From the lobby to a tracker in two clicks; every page at every size. */
export async function tracker_pages_at_all_sizes() {
  const s = await serve();
  const b = await browser();
  try {
    const p = await page(b);
    await p.goto(`${s.address}/`);
    await p.getByRole("button", { name: /Run a Horde encounter/ }).click();
    await p.getByRole("button", { name: /The bridge at dawn/ }).click();
    await p.locator(".tracker .usual").waitFor();
    check((await p.locator(".tracker .unit").count()) === 7, "seven combatants");
    const made = await encounter(p, s.address, { shipped: "bridge" });
    // Far enough that somebody waits with a Reaction.
    for (let i = 0; i < 60 && (await master(p, made.id)).waiting.every((w) => w.answer !== "open"); i += 1) {
      const was = (await api(p, `/api/desks/${made.id}?role=master`)).body.mark;
      await p.locator(".tracker .usual").click();
      await settled(p, made.id, was);
    }
    for (const [name, viewport] of Object.entries(sizes)) {
      for (const scheme of ["light", "dark"]) {
        const q = await page(b, { viewport, colorScheme: scheme });
        await q.goto(`${s.address}${made.links.master}`);
        await q.locator(".tracker .usual").waitFor();
        await q.waitForTimeout(400);
        await accessible(q, `tracker ${name} ${scheme}`);
        const wide = await q.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        check(wide <= 0, `${name}: ${wide} pixels too wide`);
        const button = await q.locator(".tracker .usual").boundingBox();
        check(button && button.y + button.height <= viewport.height && button.height >= 44, `${name}: the thumb reaches the usual thing`);
        if (process.env.MUSTER_SHOTS) await q.screenshot({ path: `${process.env.MUSTER_SHOTS}/tracker-${name}-${scheme}.png` });
        await q.goto(`${s.address}${made.links.players}`);
        await q.locator(".tracker.players .unit").first().waitFor();
        await accessible(q, `players ${name} ${scheme}`);
        check((await q.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0, `${name}: the players' page is too wide`);
        if (process.env.MUSTER_SHOTS) await q.screenshot({ path: `${process.env.MUSTER_SHOTS}/players-${name}-${scheme}.png` });
        check(q.wrong.length === 0, q.wrong.join());
        await q.context().close();
      }
    }
  } finally {
    await b.close();
    await s.stop();
    s.clean();
  }
}

/** A whole encounter on a phone, with lines typed, dice typed, something taken back, odds looked at; players look on. */
export async function tracker_whole_encounter() {
  const s = await serve();
  const b = await browser();
  try {
    const p = await page(b, { viewport: sizes.phone });
    const made = await encounter(p, s.address, { shipped: "bridge" });
    const q = await page(b, { viewport: sizes.phone });
    await q.goto(`${s.address}${made.links.players}`);
    await q.locator(".tracker.players .unit").first().waitFor();
    const act = async (how) => {
      const was = (await api(p, `/api/desks/${made.id}?role=master`)).body.mark;
      await how();
      await settled(p, made.id, was);
    };
    const usual = () => act(() => p.locator(".tracker .usual").click());
    await usual();
    check((await master(p, made.id)).round === 1, "begun");
    // A line that is not understood stays to be mended, and says what would be right.
    await type(p, "gaurd -4");
    await p.locator(".tracker .told.wrong").waitFor();
    check((await p.locator(".tracker .line input").inputValue()) === "gaurd -4", "the line stays");
    // The effect alone, and taken back.
    await act(() => type(p, "guard -4"));
    check((await master(p, made.id)).units.find((u) => u.label === "guard").now === 31, "31 left");
    await act(() => p.locator(".tracker .undo").click());
    check((await master(p, made.id)).units.find((u) => u.label === "guard").now === 35, "taken back");
    // Odds before anything is committed, of the usual thing and of what is typed; nothing happens by that.
    const before = (await api(p, `/api/desks/${made.id}?role=master`)).body.mark;
    await p.locator(".tracker .line input").fill("jor semi boltgun guard short");
    await p.locator(".tracker .odds .columns").first().waitFor();
    check(/loses \d/.test(await p.locator(".tracker .odds").innerText()), "the loss on average");
    check((await api(p, `/api/desks/${made.id}?role=master`)).body.mark === before, "nothing has happened");
    await p.locator(".tracker .line input").fill("");
    // Dice typed: each is asked for with its number, one is typed, the rest are rolled.
    await act(() => p.getByRole("button", { name: "dice rolled here" }).click());
    await act(() => type(p, "jor semi boltgun guard short"));
    await p.locator(".tracker form.dice").waitFor();
    check(/d100 .*\n?.*or less/.test(await p.locator(".tracker form.dice").innerText()), "the question says what the die must show");
    await act(async () => { await p.locator(".tracker form.dice input").fill("12"); await p.locator(".tracker form.dice button.main").click(); });
    if ((await master(p, made.id)).asking) await act(() => p.getByRole("button", { name: "Roll the rest" }).click());
    check(!(await master(p, made.id)).asking, "all dice are there");
    await act(() => p.getByRole("button", { name: "dice typed" }).click());
    // To the end, by the usual thing alone; what waits is answered by it too.
    let clicks = 0;
    for (; clicks < 400 && !(await master(p, made.id)).over; clicks += 1) await usual();
    const end = await master(p, made.id);
    check(end.over, "the encounter comes to its end");
    // The players' page followed, and never had a figure of a foe.
    await q.locator(".tracker.players .notice").first().waitFor();
    const seen = (await api(q, `/api/desks/${made.id}`)).body;
    check(seen.role === "players" && seen.roles.join() === "players", "a player holds that role alone");
    const text = JSON.stringify(seen.view);
    for (const secret of ["magnitude", "figures", "usual", "\"all\"", "marks", "M  ", "taken back", "test "]) check(!text.includes(secret), `players see ${secret}`);
    check(!(await q.locator("body").innerText()).match(/\b\d+\/(35|30|40)\b/), "no Magnitude stands on the players' page");
    // The log as a file: all of it for one, what was seen for the others, and no record.
    const told = await p.evaluate(async (id) => (await fetch(`/api/desks/${id}/file/report?role=master`)).text(), made.id);
    check(/<h2>Round 1/.test(told) && told.includes("data:image/svg+xml;base64,") && !/<script|https?:/.test(told), told.slice(0, 400));
    const log = await p.evaluate(async (id) => (await fetch(`/api/desks/${id}/file/log?role=master`)).text(), made.id);
    check(log.includes("> jor semi boltgun guard short") && log.includes("taken back"), "the log has what was done");
    const theirs = await q.evaluate(async (id) => [await (await fetch(`/api/desks/${id}/file/log`)).text(), (await fetch(`/api/desks/${id}/file/record`)).status, (await fetch(`/api/desks/${id}?role=master`)).status], made.id);
    check(!theirs[0].includes(">") && !theirs[0].includes("guard -4") && theirs[1] === 404 && theirs[2] === 403, "players get their own log only");
    for (const [path, body] of [["act", { act: { line: "guard -4" } }], ["ask", { act: { line: "" } }], ["link", { of: "master" }]]) {
      const said = await api(q, `/api/desks/${made.id}/${path}`, body);
      check(said.status === 422 || said.status === 403, `${path}: ${said.status}`);
    }
    // The server goes down and comes back: all is there.
    const kept = (await api(p, `/api/desks/${made.id}?role=master`)).body.view.log;
    await s.stop("SIGKILL");
    await s.again();
    const back = (await api(p, `/api/desks/${made.id}?role=master`)).body.view.log;
    check(JSON.stringify(back) === JSON.stringify(kept), "the log is as it was");
    check(p.wrong.length === 0 && q.wrong.length === 0, [...p.wrong, ...q.wrong].join());
    return `${clicks} clicks to the end, ${end.log.length + end.earlier} lines of log`;
  } finally {
    await b.close();
    await s.stop();
    s.clean();
  }
}

/** Two worlds that differ only in what players may not know give them the same bytes, event for event. */
export async function tracker_players_learn_nothing_hidden() {
  const s = await serve();
  const b = await browser();
  try {
    const p = await page(b);
    const other = bridge.replace("magnitude = 35", "magnitude = 36").replace('profile = "hive_riot"', 'profile = "hive_riot"\nwp = 48');
    check(other !== bridge, "another world");
    const worlds = [await encounter(p, s.address, { text: bridge }), await encounter(p, s.address, { text: other })];
    for (const w of worlds) check((await api(p, "/api/enter", { token: token(w.links.players) })).status === 200, "entered");
    const lines = ["begin", "guard -3", "jor 4 wounds", "next", "jor misses guard", "mira heals 1", "kael set stunned 1", "next", "because", "guard -1 because the bridge shook"];
    for (const line of ["", ...lines]) {
      const views = [];
      for (const w of worlds) {
        if (line) await api(p, `/api/desks/${w.id}/act`, { role: "master", act: { line } });
        views.push((await api(p, `/api/desks/${w.id}?role=players`)).body);
      }
      check(JSON.stringify(views[0].view) === JSON.stringify(views[1].view) && views[0].mark === views[1].mark, `after "${line}" the players' pages differ:\n${JSON.stringify(views[0].view)}\n${JSON.stringify(views[1].view)}`);
    }
    const masters = await Promise.all(worlds.map((w) => master(p, w.id)));
    check(JSON.stringify(masters[0].units) !== JSON.stringify(masters[1].units), "the worlds do differ");
  } finally {
    await b.close();
    await s.stop();
    s.clean();
  }
}

/** What goes wrong is told: an ended encounter, a link that was ended, a file that does not read, two pages at once. */
export async function tracker_ended_and_bad() {
  const s = await serve();
  const b = await browser();
  try {
    const p = await page(b);
    const made = await encounter(p, s.address, { shipped: "bridge" });
    const say = (line) => api(p, `/api/desks/${made.id}/act`, { role: "master", act: { line } });
    await say("begin");
    await say("jor 4 wounds");
    // A second page of the game master's that is behind does nothing.
    const behind = await api(p, `/api/desks/${made.id}/act`, { role: "master", expected: "0123456789abcdef", act: { line: "jor 4 wounds" } });
    check(behind.status === 409 && behind.body.error === "overtaken", JSON.stringify(behind.body));
    await p.getByRole("button", { name: "Menu" }).click();
    await p.getByRole("button", { name: "End the encounter" }).click();
    await p.getByRole("button", { name: /End it/ }).click();
    await p.locator(".tracker.ended .notice").waitFor();
    check(/jor/.test(await p.locator(".tracker .log").innerText()), `the log is kept: ${await p.locator(".tracker .log").innerText()}`);
    const refused = await say("next");
    check(refused.status === 422 && /ended/.test(refused.body.words), JSON.stringify(refused.body));
    const q = await page(b, { viewport: sizes.phone });
    await q.goto(`${s.address}${made.links.players}`);
    await q.locator(".tracker.players .notice").waitFor();
    check(/has been ended/.test(await q.locator(".notice").innerText()) && /jor/.test(await q.locator(".tracker .log").innerText()), "who comes later reads that, and the log");
    await accessible(q, "an ended encounter");
    await p.getByRole("button", { name: "Go on with it" }).click();
    await p.locator(".tracker .usual").waitFor();
    // Old links ended: they open nothing, and say so.
    const anew = await api(p, `/api/desks/${made.id}/link`, { of: "players", end: true });
    check(anew.status === 200, "a new link");
    const r = await page(b, { viewport: sizes.phone });
    await r.goto(`${s.address}${made.links.players}`);
    await r.getByText(/may be mistyped, ended or handed on/).first().waitFor();
    await r.goto(`${s.address}${anew.body.links.players}`);
    await r.locator(".tracker.players").waitFor();
    const bad = await api(p, "/api/desks", { kind: "tracker", wish: { text: "name = \"x\"\n[[heretic]]\nlabel = \"jor\"\nprofile = \"humann\"\n", file: "night.toml" } });
    check(bad.status === 422 && /night\.toml/.test(bad.body.words) && /human/.test(bad.body.words), JSON.stringify(bad.body));
    const none = await api(p, "/api/desks", { kind: "tracker", wish: { shipped: "bridges" } });
    check(none.status === 422 && /bridge/.test(JSON.stringify(none.body)), JSON.stringify(none.body));
    check((await api(p, "/api/desks", { kind: "nothing", wish: {} })).status === 422, "no such page");
    check(p.wrong.length === 0 && r.wrong.length === 0, [...p.wrong, ...r.wrong].join());
  } finally {
    await b.close();
    await s.stop();
    s.clean();
  }
}
