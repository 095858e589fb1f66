// The long suites: cargo xtask browser.
import { accessible, api, battle, browser, check, clickOn, free, over, page, serve } from "./lib.mjs";

/** Runs with a server and a browser, and clears up. */
async function within(work) {
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

export const two_players_by_links = () =>
  within(async (server, b) => {
    const one = await page(b);
    const two = await page(b);
    await one.goto(server.address);
    const made = await battle(one, { seats: {} }, ["lunar-empire", "pirates"], 10);
    await one.goto(server.address + made.links.A);
    await two.goto(server.address + made.links.B);
    check(!(await one.evaluate(() => location.hash)), "the token stays in the address bar");
    // Whoever made the links holds the other seat no more: the guest has taken it.
    const tried = await api(one, "/api/enter", { token: made.links.B.split("#")[1] });
    check(tried.status === 404, "the opener can still sit on his guest's seat");
    // Each clicks what he is asked; in the third bound one reloads, and the server goes down and comes up again.
    let clicks = 0;
    let reloaded = false;
    const turns = async (until) => {
      for (let i = 0; i < 3000 && !(await until()); i += 1) {
        for (const p of [one, two]) {
          const button = p.locator(".acts button.main:not([disabled])").first();
          if (await button.count()) await button.click({ timeout: 2000 }).then(() => (clicks += 1)).catch(() => undefined);
        }
      }
    };
    const bound = async () => (await api(one, `/api/games/${made.id}`)).body;
    await turns(async () => (await bound()).view.bound >= 3);
    const before = await bound();
    await one.reload();
    await server.stop("SIGKILL");
    await two.locator(".offline").waitFor();
    await server.again();
    await one.locator("svg.board").waitFor();
    await two.locator(".offline").waitFor({ state: "detached" });
    reloaded = true;
    const after = await bound();
    check(after.version === before.version && JSON.stringify(after.view) === JSON.stringify(before.view), "a reload changes the table");
    await turns(() => over(one));
    check(reloaded && (await over(one)), "the battle has no end");
    // Both saw all of it.
    const last = (p) => p.locator(".log p").last().textContent();
    await two.locator(".wait b").waitFor();
    check((await last(one)) === (await last(two)), "the two logs end differently");
    check(one.wrong.length + two.wrong.length === 0, [...one.wrong, ...two.wrong].join("\n"));
    return `${clicks} clicks`;
  });

export const an_illegal_drag_and_undo_and_replay = () =>
  within(async (server, b) => {
    const p = await page(b);
    await p.goto(server.address);
    const made = await battle(p);
    await p.goto(server.address + made.links.A);
    await clickOn(p, async () => (await p.locator(".steps .now").textContent()) === "moves" && (await p.locator(".acts .main:not([disabled])").count()) > 0);
    const state = async () => (await api(p, `/api/games/${made.id}`)).body;
    const before = await state();
    const label = await free(p, made.id, 30);
    const piece = p.locator(`.piece[data-label="${label}"]`);
    const box = await piece.boundingBox();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    // Straight across the whole board: refused with the rule, nothing changed.
    await p.mouse.move(x, y);
    await p.mouse.down();
    await p.mouse.move(x + 40, y - 400, { steps: 8 });
    await p.locator(".ghostsay.no .link").waitFor();
    const why = await p.locator(".ghostsay.no").textContent();
    await p.mouse.up();
    check((await state()).version === before.version, "a refused drag changed the table");
    await p.keyboard.press("Escape");
    await p.keyboard.press("Escape");
    // A short one: done; from drop to confirmed in how long?
    await p.mouse.move(x, y);
    await p.mouse.down();
    // A hand strays by a few pixels: straight ahead is meant, and not into the neighbour.
    await p.mouse.move(x + 3, y - 16, { steps: 4 });
    await p.locator(".ghostsay.ok").waitFor();
    await p.evaluate(() => {
      addEventListener("pointerup", () => (window.dropped = performance.now()), { capture: true, once: true });
      const open = fetch;
      window.fetch = async (...a) => {
        const r = await open(...a);
        if (String(a[0]).endsWith("/command")) window.confirmed = performance.now();
        return r;
      };
    });
    const sent = p.waitForResponse((r) => r.url().endsWith("/command"));
    await p.mouse.up();
    check((await sent).status() === 200, "a legal drag was refused");
    await p.waitForFunction(() => window.confirmed > 0);
    const took = await p.evaluate(() => window.confirmed - window.dropped);
    check(took < 50, `from drop to confirmed ${took} ms`);
    check((await state()).version > before.version, "a legal drag was not carried out");
    // The page has the new version before it takes back what led to it.
    await p.waitForFunction(() => document.querySelector(".sel") === null);
    const undone = p.waitForResponse((r) => r.url().endsWith("/undo"));
    await p.keyboard.press("u");
    check((await undone).status() === 200, "undo was refused");
    const back = await state();
    check(JSON.stringify(back.view.elements) === JSON.stringify(before.view.elements), "undo does not put it back");
    // Replay: the first moment has nothing on the board.
    await p.keyboard.press("[");
    await p.locator(".replay input").fill("0");
    await p.locator(".replay input").dispatchEvent("input");
    await p.waitForFunction(() => document.querySelectorAll(".piece").length === 0);
    await p.getByRole("button", { name: "Back to now" }).click();
    await p.locator(".piece").first().waitFor();
    return `${why.trim()}; drop to confirmed ${took} ms`;
  });

export const a_whole_battle_by_text = () =>
  within(async (server, b) => {
    const p = await page(b);
    await p.goto(server.address);
    const made = await battle(p, {}, ["lunar-empire", "pirates"], 16);
    await p.goto(server.address + made.links.A);
    await p.locator(".linebutton").click();
    const line = p.getByRole("combobox", { name: "Type a command" });
    let typed = 0;
    for (let i = 0; i < 600 && !(await over(p)); i += 1) {
      const seat = (await api(p, `/api/games/${made.id}?seat=A`)).body;
      const owes = seat.owes.find((o) => o.seat === "A");
      if (!owes) {
        await p.waitForTimeout(80);
        continue;
      }
      const found = (await api(p, `/api/games/${made.id}/candidates?seat=A&most=300`)).body.candidates.map((c) => c.do);
      const best = owes.stands ?? found.find((x) => /^(fight|shoot|charge)/.test(x)) ?? found.find((x) => /^deployed/.test(x)) ?? found.find((x) => /ahead/.test(x) && i % 3) ?? found.find((x) => /^end/.test(x)) ?? found.at(-1);
      await line.fill(best);
      await line.press("Enter");
      typed += 1;
      await p.waitForFunction((v) => fetch(`/api/games/${location.pathname.split("/")[2]}?seat=A`).then((r) => r.json()).then((t) => t.version > v || t.over), seat.version, { timeout: 15_000 });
    }
    check(await over(p), "no end");
    return `${typed} commands typed`;
  });

export const a_battle_by_post_counts_hand_overs = () =>
  within(async (server, b) => {
    const p = await page(b);
    await p.goto(server.address);
    const made = await battle(p, { seats: {}, pace: "post" }, ["lunar-empire", "pirates"], 12);
    const two = await page(b);
    await p.goto(server.address + made.links.A);
    await two.goto(server.address + made.links.B);
    let last = null;
    let overs = 0;
    let bounds = 0;
    for (let i = 0; i < 1500 && !(await over(p)); i += 1) {
      for (const [seat, q] of [["A", p], ["B", two]]) {
        const button = q.locator(".acts button.main:not([disabled])").first();
        if ((await button.count()) > 0 && (await button.click({ timeout: 1500 }).then(() => true).catch(() => false))) {
          const turn = (await q.locator(".turn b").textContent()) ?? "";
          if (turn.startsWith("Bound")) {
            bounds = Math.max(bounds, Number(/\d+/.exec(turn)?.[0] ?? 0));
            if (last && last !== seat) overs += 1;
            last = seat;
          }
          await q.waitForTimeout(30);
        }
      }
    }
    check(await over(p), "no end");
    check(overs <= bounds, `${overs} hand-overs in ${bounds} bounds`);
    return `${overs} hand-overs in ${bounds} bounds`;
  });

export const a_ruling_by_consent = () =>
  within(async (server, b) => {
    const one = await page(b);
    const two = await page(b);
    await one.goto(server.address);
    const made = await battle(one, { seats: {} });
    await one.goto(server.address + made.links.A);
    await two.goto(server.address + made.links.B);
    await one.getByRole("button", { name: "Menu" }).click();
    await one.getByRole("button", { name: "We play it differently" }).click();
    await one.getByLabel("Ruling").fill("set hott.wood_sight=100");
    await one.getByLabel("Reason").fill("as in our club");
    await one.getByRole("button", { name: "Propose" }).click();
    await two.locator(".proposal").waitFor();
    await two.getByRole("button", { name: "Agree" }).click();
    await one.locator(".log p", { hasText: "wood_sight" }).first().waitFor();
    const view = (await api(one, `/api/games/${made.id}`)).body.view;
    check(JSON.stringify(view.rulings).includes("wood_sight"), "the ruling is not in force");
    // No: nothing changes.
    const version = (await api(one, `/api/games/${made.id}`)).body.version;
    await one.getByRole("button", { name: "Menu" }).click();
    await one.getByRole("button", { name: "We play it differently" }).click();
    await one.getByLabel("Ruling").fill("hott.zoc_depth = 100");
    await one.getByRole("button", { name: "Propose" }).click();
    await two.locator(".proposal, .foot .wrong").first().waitFor();
    await two.locator(".proposal").getByRole("button", { name: "No" }).click();
    await one.locator(".proposal").waitFor({ state: "detached" });
    check((await api(one, `/api/games/${made.id}`)).body.version === version, "a refused ruling changes the table");
  });

export const secrets_on_one_screen = () =>
  within(async (server, b) => {
    const p = await page(b);
    await p.goto(server.address);
    await p.getByRole("button", { name: "Set up a battle" }).click();
    await p.getByLabel("Opponent").selectOption("hotseat");
    await p.getByRole("button", { name: "Begin" }).click();
    await p.locator("svg.board").waitFor();
    let curtains = 0;
    for (let i = 0; i < 60 && curtains < 8; i += 1) {
      const curtain = p.locator(".curtain button");
      if (await curtain.count()) {
        check(!(await p.locator(".curtain").evaluate((c) => c.getBoundingClientRect().width < innerWidth)), "the curtain leaves a gap");
        curtains += 1;
        await curtain.click();
      }
      const button = p.locator(".acts button.main:not([disabled])").first();
      if (await button.count()) await button.click({ timeout: 600 }).catch(() => undefined);
      await p.waitForTimeout(40);
    }
    check(curtains > 3, `${curtains} curtains`);
    await accessible(p, "one screen");
    return `${curtains} curtains`;
  });

export const frames_of_a_large_battle = () =>
  within(async (server, b) => {
    const p = await page(b);
    await p.goto(server.address);
    const armies = ["lunar-empire", "pirates", "humans", "goblins", "sea-king", "elf-queen"];
    const made = await battle(p, { seats: {} }, armies).catch(() => null);
    if (!made) return "six sides do not open: not measured";
    await p.goto(server.address + made.links.A);
    await p.locator("svg.board").waitFor();
    const frames = p.evaluate(() => new Promise((done) => {
      const times = [];
      let last = performance.now();
      const tick = (now) => {
        times.push(now - last);
        last = now;
        if (times.length < 120) requestAnimationFrame(tick);
        else done(times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)]);
      };
      requestAnimationFrame(tick);
    }));
    for (let i = 0; i < 40; i += 1) await p.mouse.wheel(0, i % 2 ? 60 : -60);
    return `95 of 100 frames within ${(await frames).toFixed(1)} ms`;
  });
