// The long suites: cargo xtask browser.
import { accessible, api, battle, check, clickOn, enter, free, over, page, playOn, within } from "./lib.mjs";

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
    // 50 ms are aimed at and told below; a machine that others use too may take longer.
    check(took < 1000, `from drop to confirmed ${took} ms`);
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
    return `${why.trim()}; drop to confirmed ${took.toFixed(0)} ms`;
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
    const made = await battle(p, { kind: "big", seats: {} }, armies, 0, { quick: 6 });
    const seats = ["A", "B", "C", "D", "E", "F"];
    await enter(p, made, seats);
    await playOn(p, made.id, seats, (t) => t.view.phase === "moves" && t.view.bound >= 2);
    await p.goto(`${server.address}/t/${made.id}`);
    await p.locator(".piece").first().waitFor();
    const pieces = await p.locator(".piece").count();
    check(pieces >= 50, `only ${pieces} pieces stand`);
    const frames = (work) => Promise.all([
      p.evaluate(() => new Promise((done) => {
        const times = [];
        let last = performance.now();
        const tick = (now) => {
          times.push(now - last);
          last = now;
          if (times.length < 150) requestAnimationFrame(tick);
          else {
            times.sort((a, b) => a - b);
            done([times[75], times[142]]);
          }
        };
        requestAnimationFrame(tick);
      })),
      work(),
    ]).then(([time]) => time);
    const box = await p.locator("svg.board").boundingBox();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const zoom = await frames(async () => {
      await p.mouse.move(x, y);
      for (let i = 0; i < 40; i += 1) await p.mouse.wheel(0, i % 8 < 4 ? 120 : -120);
    });
    await p.mouse.wheel(0, -900);
    const pan = await frames(async () => {
      await p.mouse.move(box.x + 12, box.y + 12);
      await p.mouse.down();
      for (let i = 0; i < 60; i += 1) await p.mouse.move(box.x + 12 + (i % 20) * 8, box.y + 12 + (i % 15) * 8);
      await p.mouse.up();
    });
    // The middle one, since others use this machine too; 95 of 100 are told.
    check(zoom[0] < 34 && pan[0] < 34, `the middle frame: zoom ${zoom[0].toFixed(1)} ms, pan ${pan[0].toFixed(1)} ms`);
    return `${pieces} pieces; 95 of 100 frames within ${zoom[1].toFixed(1)} ms (zoom), ${pan[1].toFixed(1)} ms (pan)`;
  });

export const a_big_battle_against_the_computer = () =>
  within(async (server, b) => {
    const p = await page(b);
    await p.goto(server.address);
    await p.getByRole("button", { name: "Set up a battle" }).click();
    await p.locator("label.field", { hasText: /^Game/ }).locator("select").selectOption("big");
    await p.locator("select option", { hasText: "The Old Guard" }).first().waitFor({ state: "attached" });
    await p.getByLabel("Your army").selectOption({ label: "The Old Guard" });
    await p.getByLabel("Last bound").selectOption("10");
    await p.getByLabel("Level").selectOption("march");
    await p.getByRole("button", { name: "Begin" }).click();
    await p.locator("svg.board").waitFor();
    const id = new URL(p.url()).pathname.split("/")[2];
    // Set-up and deployment by clicks; then into contact wherever one can, and the rest by clicks.
    let clicks = await clickOn(p, async () => (await api(p, `/api/games/${id}`)).body.view.phase === "moves");
    const tabs = await p.locator(".piece.own").count();
    check(tabs > 20, `${tabs} own pieces stand`);
    const seat = (await api(p, `/api/games/${id}`)).body.viewer;
    await playOn(p, id, [seat], (t) => t.view.bound >= 6);
    await accessible(p, "a big battle");
    clicks += await clickOn(p, () => over(p), 1500);
    const end = await p.locator(".wait b").textContent();
    const record = await p.evaluate(async (id) => (await fetch(`/api/games/${id}/record`)).text(), id);
    const fights = record.split('"kind":"combat"').length - 1;
    check(fights > 0, "nobody fought");
    check(p.wrong.length === 0, p.wrong.join("\n"));
    return `${clicks} clicks, ${fights} fights; ${end}`;
  });

export const two_allies_move_at_once = () =>
  within(async (server, b) => {
    const host = await page(b);
    await host.goto(server.address);
    const made = await battle(host, { kind: "big", seats: {} }, ["old-guard", "salt-crown"], 4, { players: "commands", quick: 4 });
    const all = Object.keys(made.links).filter((r) => /^[AB]\d$/.test(r));
    await enter(host, made, all);
    const one = await page(b);
    const two = await page(b);
    const moving = await playOn(host, made.id, all, (t) => t.view.phase === "moves" && t.owes.filter((o) => o.seat.startsWith("A")).length >= 2);
    const [first, second] = moving.owes.map((o) => o.seat).filter((s) => s.startsWith("A"));
    // Each takes his seat by his link.
    for (const [p, seat] of [[one, first], [two, second]]) {
      await p.goto(server.address + made.links[seat]);
      await p.locator(".piece.own").first().waitFor();
      await p.waitForFunction(() => document.querySelector(".acts .main:not([disabled])"));
      await p.locator(".linebutton").click();
    }
    const wish = async (p, seat) => {
      const found = (await api(p, `/api/games/${made.id}/candidates?seat=${seat}&begin=move&most=400`)).body.candidates.map((c) => c.do);
      return found.find((x) => /^move \S+ ahead/.test(x)) ?? found[0];
    };
    const texts = [await wish(one, first), await wish(two, second)];
    check(texts[0] && texts[1], `nobody may move: ${texts}`);
    const before = (await api(one, `/api/games/${made.id}`)).body.version;
    for (const [i, p] of [one, two].entries()) await p.getByRole("combobox", { name: "Type a command" }).fill(texts[i]);
    const sent = [one, two].map((p) => p.waitForResponse((r) => r.url().endsWith("/command")));
    await Promise.all([one, two].map((p) => p.getByRole("combobox", { name: "Type a command" }).press("Enter")));
    const statuses = (await Promise.all(sent)).map((r) => r.status());
    check(statuses.every((s) => s === 200), `both moved at once: ${statuses} (${texts})`);
    // Each sees both moves, and talks to his own side alone.
    for (const p of [one, two]) {
      await p.waitForFunction((v) => fetch(`/api/games/${location.pathname.split("/")[2]}`).then((r) => r.json()).then((t) => t.version >= v + 4), before);
    }
    await one.getByRole("tab", { name: "Talk" }).click();
    await two.getByRole("tab", { name: "Talk" }).click();
    await one.locator(".talk select").selectOption("side");
    await one.locator(".talk input").fill("I take the left");
    await one.locator(".talk form button").click();
    await two.locator(".talk li", { hasText: "I take the left" }).waitFor();
    const foe = all.find((s) => s.startsWith("B"));
    const heard = await host.evaluate(async ([id, foe]) => {
      const stream = new EventSource(`/api/games/${id}/events?seat=${foe}`);
      const said = [];
      stream.addEventListener("talk", (e) => said.push(e.data));
      await new Promise((done) => stream.addEventListener("presence", done));
      stream.close();
      return said.join();
    }, [made.id, foe]);
    check(!heard.includes("take the left"), "the enemy hears it");
    // One is done: his light says so, the other is still waited for.
    await one.getByRole("button", { name: "End moves" }).click();
    await one.waitForFunction((s) => document.querySelector(".wait").textContent.includes(s), second);
    check((await two.locator(".wait").textContent()).startsWith(second), "the other may no longer move");
    check(one.wrong.length + two.wrong.length === 0, [...one.wrong, ...two.wrong].join("\n"));
    return texts.join(" | ");
  });

export const clicks_are_counted = () =>
  within(async (server, b) => {
    const p = await page(b);
    await p.goto(server.address);
    const said = [];
    let clicks = 0;
    const click = async (what) => {
      await what.click({ timeout: 10_000 });
      clicks += 1;
    };
    const counted = (name, most) => {
      check(clicks <= most, `${name}: ${clicks} clicks, ${most} are enough`);
      said.push(`${name} ${clicks}`);
      clicks = 0;
    };
    const moves = async () => (await p.locator(".steps .now").textContent()) === "moves" && (await p.locator(".acts .main:not([disabled])").count()) > 0;
    const settled = async () => {
      for (let i = 0; i < 400 && !(await p.locator(".acts .main:not([disabled])").count()); i += 1) await p.waitForTimeout(50);
    };
    await click(p.getByRole("button", { name: "Play now against the computer" }));
    await p.locator("svg.board").waitFor();
    for (let i = 0; i < 4; i += 1) {
      await settled();
      if (await moves()) break;
      await click(p.locator(".acts .main"));
    }
    await settled();
    check(await moves(), "no first move yet");
    counted("from the lobby to a first move", 3);

    // A battle with everything near: one's own against one's own.
    const made = await battle(p, { seats: {} }, ["lunar-empire", "pirates"], 0, { quick: 2 });
    await enter(p, made, ["A"]);
    const q = await page(b);
    await q.goto(server.address);
    await enter(q, made, ["B"]);
    const both = async (until) => {
      for (let i = 0; i < 400; i += 1) {
        let at = null;
        for (const [page, seat] of [[p, "A"], [q, "B"]]) {
          const t = (await api(page, `/api/games/${made.id}`)).body;
          if (await until(t)) return t;
          if (t.owes[0]?.seat === seat) at = await playOn(page, made.id, [seat], async (x) => !x.owes.some((o) => o.seat === seat) || (await until(x)));
        }
        void at;
      }
      throw new Error("it does not come to that");
    };
    const mine = (t) => t.view.phase === "moves" && t.owes[0]?.seat === "A" && t.view.commands[0].pips > 1;
    let group = null;
    await both(async (t) => {
      if (!mine(t)) return false;
      const found = (await api(p, `/api/games/${made.id}/candidates?begin=move&most=400`)).body.candidates.map((c) => c.do);
      group = /^move ((?:[A-Z][a-z]{2}\d ){2,})ahead [\d.]+$/.exec(found.find((x) => /^move (?:[A-Z][a-z]{2}\d ){2,}ahead [\d.]+$/.test(x)) ?? "")?.[1]?.split(" ")[0] ?? null;
      return group !== null;
    });
    await p.goto(`${server.address}/t/${made.id}`);
    await p.locator(".piece.own").first().waitFor();
    await settled();
    const version = async () => (await api(p, `/api/games/${made.id}`)).body.version;
    let before = await version();
    await click(p.locator(`.piece.own[data-label='A.${group}']`));
    await click(p.locator(".docks button.group").first());
    await p.waitForFunction((v) => fetch(`/api/games/${location.pathname.split("/")[2]}`).then((r) => r.json()).then((t) => t.version > v), before);
    counted("advance a group", 2);

    // A charge: by rulings somebody stands before an enemy, and others fight already, so that there is an order to choose.
    const moved = (await api(p, `/api/games/${made.id}`)).body.view.bound;
    const near = await both((t) => mine(t) && t.view.bound > moved);
    const [wide, high] = near.view.board.map((n) => n / 100);
    const h = await page(b);
    await h.goto(server.address);
    await enter(h, made, ["A", "B"]);
    const standing = (side) => near.view.elements.filter((e) => e.label.startsWith(`${side}.`) && e.fate === "table" && !["Mag", "Sht", "Art", "Snk", "Clr", "Abt", "Fly", "AHe", "Drg", "God"].includes(e.type));
    const [ours, theirs] = [standing("A"), standing("B")];
    const set = async (who, place) => {
      const said = await api(h, `/api/games/${made.id}/propose`, { seat: "A", what: "ruling", do: `ruling set ${who.label} at ${place}`, reason: "for the test" });
      check(said.status === 200, JSON.stringify(said.body));
    };
    for (const [n, part] of [0.15, 0.5, 0.85].entries()) {
      const [x, y] = [Math.round(wide * part), Math.round(high / 2)];
      await set(theirs[n], `${x} ${y} 180`);
      await set(ours[n], `${x} ${n === 1 ? y - 60 : y} 0`);
    }
    const charge = [ours[1].label, theirs[1].label];
    await p.reload();
    await p.locator(".piece.own").first().waitFor();
    await settled();
    before = await version();
    await click(p.locator(`.piece.own[data-label='${charge[0]}']`));
    await p.locator(".docks .contact").first().waitFor();
    await click(p.locator(`.piece[data-label='${charge[1]}']`));
    await p.waitForFunction((v) => fetch(`/api/games/${location.pathname.split("/")[2]}`).then((r) => r.json()).then((t) => t.version > v), before);
    counted("charge a chosen enemy", 2);
    before = await version();
    await settled();
    await click(p.getByRole("button", { name: /^End moves/ }));
    await p.waitForFunction((v) => fetch(`/api/games/${location.pathname.split("/")[2]}`).then((r) => r.json()).then((t) => t.version > v), before);
    counted("end of a step", 1);
    await both((t) => t.view.phase === "combat" && t.owes[0]?.seat === "A");
    await p.reload();
    await settled();
    before = await version();
    await click(p.locator(".acts .main"));
    await p.waitForFunction((v) => fetch(`/api/games/${location.pathname.split("/")[2]}`).then((r) => r.json()).then((t) => t.version > v), before);
    counted("a fight", 1);
    return said.join(", ");
  });

export const ground_by_hand_a_drawn_line_and_what_is_lacking = () =>
  within(async (server, b) => {
    const p = await page(b);
    await p.goto(server.address);
    const made = await battle(p, { seats: {} }, ["lunar-empire", "pirates"], 0, { more: { defender: "A", edges: { A: "right", B: "left" } } });
    await enter(p, made, ["A"]);
    const q = await page(b);
    await q.goto(server.address);
    await enter(q, made, ["B"]);
    await p.goto(`${server.address}/t/${made.id}`);
    // From nothing: the rules tick themselves off as features are laid.
    await p.locator("button:not([disabled])", { hasText: "Lay it by hand" }).click();
    await p.getByRole("button", { name: "Clear" }).click();
    await p.locator(".wrongs .link", { hasText: "HOTT-063" }).waitFor();
    for (const kind of ["wood", "rough", "hill", "marsh"]) await p.getByRole("button", { name: kind, exact: true }).click();
    await p.locator(".wrongs .ok, .wrongs .wrong").first().waitFor();
    // A feature dragged upon another is named, and back again it is not.
    const middle = async (n) => {
      const box = await p.locator(`[data-lay="${n}"]`).boundingBox();
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    await p.locator(".wrongs .ok").waitFor();
    const [from, to] = [await middle(0), await middle(1)];
    const carry = async ([x, y], [u, v]) => {
      await p.mouse.move(x, y);
      await p.mouse.down();
      await p.mouse.move((x + u) / 2, (y + v) / 2);
      await p.mouse.move(u, v);
      await p.mouse.up();
    };
    await carry(from, to);
    await p.locator(".wrongs .link", { hasText: "HOTT-066" }).waitFor();
    check(await p.getByRole("button", { name: "Lay this ground" }).isDisabled(), "illegal ground can be laid");
    await carry(to, from);
    await p.locator(".wrongs .ok").waitFor();
    await p.getByRole("button", { name: "Lay this ground" }).click();
    await p.locator(".laying").waitFor({ state: "detached" });
    const laid = (await api(p, `/api/games/${made.id}`)).body.view.ground;
    check(laid.length === 4 && laid[0].startsWith("wood"), `laid: ${laid}`);

    // The army falls in along a line that is drawn, whatever edge is one's own.
    const on = async (seat, page, until) => playOn(page, made.id, [seat], async (t) => (await until(t)) || !t.owes.some((o) => o.seat === seat));
    const deploys = (t) => t.view.phase === "deploy" && t.owes.some((o) => o.seat === "A");
    for (let i = 0; i < 20; i += 1) {
      const t = (await api(p, `/api/games/${made.id}`)).body;
      if (deploys(t)) break;
      await (t.owes.some((o) => o.seat === "B") ? on("B", q, () => false) : on("A", p, deploys));
    }
    await p.getByRole("button", { name: "Draw the line" }).click();
    const board = await p.locator("svg.board").boundingBox();
    const at = (x, y) => [board.x + board.width / 2 + x * board.height, board.y + y * board.height];
    await carry(at(-0.33, 0.8), at(0.33, 0.8));
    await p.locator(".ghostsay.ok, .ghostsay.no").first().waitFor();
    check(await p.locator(".ghostsay.ok").count(), `the line: ${await p.locator(".ghostsay").textContent()}`);
    await p.getByRole("button", { name: "Go", exact: true }).click();
    await p.waitForFunction(() => document.querySelectorAll(".piece.own").length > 5);
    const stand = (await api(p, `/api/games/${made.id}`)).body.view.elements.filter((e) => e.label.startsWith("A.") && e.fate === "table");
    check(stand.every((e) => Math.abs(e.place[2] - 27000) < 1500), `they look ahead: ${stand.map((e) => e.place[2])}`);
    await p.getByRole("button", { name: "Keep this deployment" }).click();
    await p.getByRole("button", { name: "As kept, mirrored" }).waitFor();

    // An enemy out of reach: what each of his faces lacks.
    const moves = (t) => t.view.phase === "moves" && t.owes.some((o) => o.seat === "A");
    for (let i = 0; i < 20; i += 1) {
      const t = (await api(p, `/api/games/${made.id}`)).body;
      if (moves(t)) break;
      await (t.owes.some((o) => o.seat === "B") ? on("B", q, () => false) : on("A", p, moves));
    }
    await p.locator(".steps .now", { hasText: "moves" }).waitFor();
    await p.locator(".acts .main:not([disabled])").waitFor();
    await p.locator(".piece.own").first().click();
    await p.locator(".sel .nudge").waitFor();
    await p.locator(".piece:not(.own)").first().click();
    await p.locator(".lacks li").first().waitFor();
    const lacks = (await p.locator(".lacks li").allTextContents()).map((l) => l.trim());
    check(lacks.some((l) => /HOTT-\d+/.test(l)), `no rule is named: ${lacks}`);
    await p.keyboard.press("l");
    await p.locator("line.sight").first().waitFor({ state: "attached" });
    await p.keyboard.press("R");
    await p.locator(".overlay").first().waitFor({ state: "attached" });
    check(p.wrong.length === 0, p.wrong.join("\n"));
    return lacks[0];
  });
