// What the table shows and lets one do, piece by piece: cargo xtask browser NAME.
import { accessible, api, check, free, mine, page, pixel, playOn, rule, tables, toMoves, view, within } from "./lib.mjs";

export const a_demoralized_command_is_a_halting_plan = () =>
  within(async (server, b) => {
    const { h, p, id, open } = await tables(server, b, { kind: "big" }, ["old-guard", "salt-crown"], {});
    const first = await toMoves(h, id);
    const own = (t) => t.view.elements.filter((e) => e.label.startsWith("A.") && e.command === 0);
    let [lost, all] = [0, own(first).reduce((n, e) => n + e.halves, 0)];
    for (const e of own(first).filter((e) => !e.general && e.fate === "table")) {
      if (lost * 2 >= all) break;
      await rule(h, id, `remove ${e.label}`);
      lost += e.halves;
    }
    // The bound in which something can be held.
    const payable = (t) => t.view.commands[0].demoralized && t.view.commands[0].flight?.runs.length > 1 && t.view.commands[0].flight.halts.some((x) => x.pips <= t.view.commands[0].pips);
    const at = await playOn(h, id, ["A", "B"], (t) => mine(t) && payable(t));
    check(mine(at) && payable(at), "nobody is to be held");
    const { runs, halts } = at.view.commands[0].flight;
    await open();
    await p.locator(".plan").waitFor();
    check((await p.locator(".run").count()) === runs.length, `${await p.locator(".run").count()} arrows for ${runs.length}`);
    check((await p.locator(".acts .main").textContent()).includes(`${runs.length} will run`), "the main button does not say who runs");
    await accessible(p, "a halting plan");
    // A tap holds, a second one lets go; the sum follows.
    const cheap = halts.filter((x) => x.pips <= at.view.commands[0].pips)[0];
    const who = cheap.who.find((l) => runs.some(([r]) => r === l));
    await p.locator(`.piece[data-label="${who}"]`).click({ force: true });
    await p.locator(".run.held").first().waitFor({ state: "attached" });
    const sum = await p.locator(".plan [role=status]").textContent();
    check(/for [1-9]\d* of \d+ PIPs/.test(sum), sum);
    await p.locator(`.piece[data-label="${who}"]`).focus();
    await p.keyboard.press("Enter");
    await p.locator(".run.held").first().waitFor({ state: "detached" });
    await p.getByRole("button", { name: "As many as can be held" }).click();
    await p.locator(".run.held").first().waitFor({ state: "attached" });
    const held = await p.locator(".run.held").count();
    // On a phone the plan leaves room for the board, and the main button stays in reach.
    await p.setViewportSize({ width: 360, height: 740 });
    const main = await p.locator(".acts .main").boundingBox();
    check(main.y + main.height <= 740 && main.x + main.width <= 360, `the main button: ${JSON.stringify(main)}`);
    const board = await p.locator("svg.board").boundingBox();
    check(board.height > 240, `the board has ${board.height} left`);
    await p.setViewportSize({ width: 1440, height: 900 });
    await p.getByRole("button", { name: "Hold them" }).click();
    await p.waitForFunction((n) => document.querySelectorAll(".run").length === n, runs.length - held);
    const after = (await view(h, id)).view.commands[0];
    check((after.flight?.runs.length ?? 0) === runs.length - held, "not as many are held as were said to be");
    // Who is left runs to where the arrow pointed.
    const left = after.flight?.runs ?? [];
    await p.getByRole("button", { name: /^End moves/ }).click();
    await p.waitForFunction((id) => fetch(`/api/games/${id}`).then((r) => r.json()).then((t) => t.view.phase !== "moves" || t.owes.every((o) => o.seat !== "A")), id);
    const end = (await view(h, id)).view;
    for (const [label, to] of left) {
      const e = end.elements.find((x) => x.label === label);
      check(to ? JSON.stringify(e.place) === JSON.stringify(to) : e?.fate !== "table", `${label} ran elsewhere`);
    }
    check(p.wrong.length === 0, p.wrong.join("\n"));
    return `${runs.length} would run; ${sum.trim()}; held ${held}`;
  });

export const threat_zones_are_shown = () =>
  within(async (server, b) => {
    const { h, p, id, open } = await tables(server, b, {}, ["lunar-empire", "pirates"], {});
    await toMoves(h, id);
    await open();
    await p.locator(".acts .main:not([disabled])").waitFor();
    await p.keyboard.press("z");
    await p.locator(".overlay.zone").first().waitFor({ state: "attached" });
    const facts = (await api(h, `/api/games/${id}/ask`, { seat: "A", question: "zones" })).body.answer;
    check((await p.locator(".overlay.zone").count()) === facts.length && facts.length > 10, `${facts.length} zones`);
    // An enemy set in front of a piece cuts its zone short, and the overlay follows.
    const at = (await view(h, id)).view;
    const bld = at.elements.find((e) => e.label.startsWith("A.") && e.fate === "table" && !["Snk", "God"].includes(e.type));
    const foe = at.elements.find((e) => e.label.startsWith("B.") && e.fate === "table");
    const x = bld.place[0] / 100;
    await rule(h, id, `set ${bld.label} at ${x} 900 0`);
    await rule(h, id, `set ${foe.label} at ${x} 920 180`);
    await p.waitForFunction(() => [...document.querySelectorAll(".overlay.zone title")].some((t) => / 20p deep/.test(t.textContent)));
    check(p.wrong.length === 0, p.wrong.join("\n"));
    return `${facts.length} zones`;
  });

/** A finger on the page. */
async function finger(p) {
  const cdp = await p.context().newCDPSession(p);
  const send = (type, points) => cdp.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y]) => ({ x, y })) });
  return {
    down: (x, y) => send("touchStart", [[x, y]]),
    move: (x, y) => send("touchMove", [[x, y]]),
    up: () => send("touchEnd", []),
  };
}

export const a_finger_has_a_loupe_and_a_chooser = () =>
  within(async (server, b) => {
    const { h, p, id, open } = await tables(server, b, {}, ["lunar-empire", "pirates"], {}, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
    await toMoves(h, id);
    const label = await free(h, id, 30);
    await open();
    await p.locator(".acts .main:not([disabled])").waitFor();
    const touch = await finger(p);
    const middle = async (l) => {
      const box = await p.locator(`.piece[data-label="${l}"]`).boundingBox();
      return [box.x + box.width / 2, box.y + box.height / 2, box.width];
    };
    // A tap brings a small base closer.
    let [x, y, small] = await middle(label);
    check(small < 34, `a base is ${small} wide`);
    await touch.down(x, y);
    await touch.up();
    await p.locator(".sel .nudge").waitFor({ state: "attached" });
    [x, y] = await middle(label);
    const near = (await middle(label))[2];
    check(near > small * 1.2, `no closer: ${small} and then ${near}`);
    // The finger hides what it drags: above it stands a loupe.
    await touch.down(x, y);
    for (let i = 1; i <= 6; i += 1) await touch.move(x, y - i * 4);
    await p.locator(".loupe").waitFor();
    const lens = await p.locator(".loupe").boundingBox();
    check(lens.y + lens.height < y - 24 || Math.abs(lens.x + lens.width / 2 - x) > 60, "the loupe lies under the finger");
    check(lens.x >= 0 && lens.x + lens.width <= 360, "the loupe leaves the page");
    await touch.up();
    await p.locator(".loupe").waitFor({ state: "detached" });
    await p.keyboard.press("Escape");
    await p.keyboard.press("Escape");
    await p.getByRole("button", { name: "Whole board" }).tap();
    // Between two neighbours a finger means either: it is asked which.
    const all = await p.evaluate(() => [...document.querySelectorAll(".piece.own")].map((g) => {
      const r = g.getBoundingClientRect();
      return { l: g.dataset.label, x: r.x + r.width / 2, y: r.y + r.height / 2, right: r.right, left: r.left };
    }));
    const pair = all.flatMap((a) => all.filter((c) => c !== a && Math.abs(a.y - c.y) < 1 && Math.abs(c.left - a.right) < 3).map((c) => [a, c]))[0];
    check(pair, "no two stand side by side");
    await touch.down(pair[0].right - 1, pair[0].y);
    await touch.up();
    await p.locator(".chooser").waitFor();
    await accessible(p, "a chooser");
    await p.locator(".chooser button", { hasText: pair[1].l }).tap();
    await p.locator(".sel .who", { hasText: pair[1].l.split(".")[1] }).waitFor();
    check(p.wrong.length === 0, p.wrong.join("\n"));
    return `a base of ${small.toFixed(0)} px comes to ${near.toFixed(0)}`;
  });

export const an_aerial_attacks_or_passes_over = () =>
  within(async (server, b) => {
    const { h, p, id, open } = await tables(server, b, {}, ["sky-fleet", "pirates"], {});
    const at = await toMoves(h, id, (t) => t.view.commands[0].pips >= 3);
    const flies = at.view.elements.find((e) => e.label.startsWith("A.") && e.fate === "table" && ["Abt", "Fly", "AHe", "Drg"].includes(e.type));
    const foe = at.view.elements.find((e) => e.label.startsWith("B.") && e.fate === "table" && ["Bld", "Spr", "Hrd", "Wbd", "Sht", "Kni", "Rid"].includes(e.type));
    check(flies && foe, "nobody flies");
    // Alone in the middle, face to face.
    await rule(h, id, `set ${foe.label} at 1000 1100 180`);
    await rule(h, id, `set ${flies.label} at 1000 900 0`);
    await open();
    await p.locator(".acts .main:not([disabled])").waitFor();
    const said = await api(p, `/api/games/${id}/preview`, { seat: "A", do: `charge ${flies.label} front ${foe.label}` });
    check(said.body.answer === "done", JSON.stringify(said.body));
    await p.locator(`.piece[data-label="${flies.label}"]`).click();
    await p.locator(".docks .contact").first().waitFor();
    const [x0, y0] = await pixel(p, 1000, 890);
    const [x1, y1] = await pixel(p, 1000, 1088);
    await p.mouse.move(x0, y0);
    await p.mouse.down();
    await p.mouse.move(x1, y1 + 20, { steps: 6 });
    await p.mouse.move(x1, y1, { steps: 3 });
    await p.waitForTimeout(400);
    await p.mouse.up();
    await p.locator(".ghost.second.attack").waitFor({ state: "attached" });
    check((await p.locator(".ghost.second").count()) === 2, "not two ghosts");
    const version = (await view(p, id)).version;
    await p.getByRole("button", { name: "Pass over" }).first().click();
    await p.waitForFunction(([id, v]) => fetch(`/api/games/${id}`).then((r) => r.json()).then((t) => t.version > v), [id, version]);
    const contact = async () => (await api(p, `/api/games/${id}/ask`, { seat: "A", question: `contact ${flies.label}` })).body.answer;
    check((await contact()).join() === "contact none", `passed over: ${await contact()}`);
    await p.locator(".sel").waitFor({ state: "detached" });
    await p.keyboard.press("u");
    await p.waitForFunction(([id, l]) => fetch(`/api/games/${id}`).then((r) => r.json()).then((t) => t.view.elements.find((e) => e.label === l).place[1] === 90000), [id, flies.label]);
    // The other of the two, this time by a click on the board.
    await p.locator(`.piece[data-label="${flies.label}"]`).click();
    await p.locator(".docks .contact").first().waitFor();
    await p.mouse.move(x0, y0);
    await p.mouse.down();
    await p.mouse.move(x1, y1, { steps: 8 });
    await p.mouse.up();
    await p.locator(".ghost.second.attack").waitFor({ state: "attached" });
    await p.locator(".ghost.second.attack .pill").click();
    for (let i = 0; i < 60 && (await contact()).join() === "contact none"; i += 1) await p.waitForTimeout(50);
    check((await contact()).some((f) => f.includes(foe.label)), `attacked: ${await contact()}`);
    check(p.wrong.length === 0, p.wrong.join("\n"));
  });

export const armies_are_chosen_apart_and_shown_together = () =>
  within(async (server, b) => {
    const one = await page(b);
    await one.goto(server.address);
    await one.getByRole("button", { name: "Set up a battle" }).click();
    await one.getByLabel("Opponent").selectOption("link");
    await one.getByLabel("Armies").selectOption({ label: "chosen apart, shown together" });
    await one.locator("select option", { hasText: "Pirates" }).first().waitFor({ state: "attached" });
    await one.getByLabel("Your army").selectOption("pirates");
    await one.getByLabel("Changes of the rules").fill("hott.zoc_depth=100p");
    await one.getByLabel("Keep these rules as").fill("Our club");
    await one.getByRole("button", { name: "Save" }).click();
    await one.getByRole("button", { name: "Begin" }).click();
    const link = await one.getByLabel("Link for B").first().inputValue();
    await one.getByRole("button", { name: "Open" }).click();
    await one.getByText("Waiting for B").waitFor();
    const id = new URL(one.url()).pathname.split("/")[2];
    await accessible(one, "waiting for the other army");
    // The guest reads the rules before he accepts, chooses, and has seen nothing of the other's army until then.
    const two = await page(b);
    await two.goto(link);
    await two.getByText("“Our club”: 1 change").waitFor();
    const seen = JSON.stringify((await api(two, `/api/drafts/${id}`)).body) + (await two.textContent("main"));
    check(!/pirate/i.test(seen.replace(/<option.*?<\/option>/g, "")), "the guest sees the other's army");
    await two.getByRole("button", { name: "I play by these" }).click();
    await two.locator("select option", { hasText: "Lunar" }).first().waitFor({ state: "attached" });
    await accessible(two, "choosing an army");
    await two.getByLabel("Your army").selectOption("lunar-empire");
    await two.getByRole("button", { name: "That is my army" }).click();
    for (const p of [one, two]) {
      await p.locator("svg.board").waitFor();
      const names = (await p.locator(".army h2").allTextContents()).join();
      check(/Pirates/.test(names) && /Lunar/.test(names), names);
    }
    const at = (await api(two, `/api/games/${new URL(two.url()).pathname.split("/")[2]}`)).body;
    check(at.viewer === "B" && at.rules_name === "Our club", JSON.stringify([at.viewer, at.rules_name]));
    check(one.wrong.length + two.wrong.length === 0, [...one.wrong, ...two.wrong].join("\n"));
  });

export const odds_tell_what_takes_an_army_past_its_half = () =>
  within(async (server, b) => {
    const { h, p, id, open } = await tables(server, b, {}, ["lunar-empire", "pirates"], {});
    const at = await toMoves(h, id);
    const foes = at.view.elements.filter((e) => e.label.startsWith("B.") && e.fate === "table" && !e.general);
    const own = at.view.elements.find((e) => e.label.startsWith("A.") && e.fate === "table" && ["Kni", "Bld", "Spr", "Her"].includes(e.type) && !e.general);
    const foe = foes.find((e) => ["Hrd", "Sht", "Wbd", "Bld"].includes(e.type));
    const total = at.view.sides[1].halves;
    let lost = 0;
    for (const e of foes.filter((e) => e !== foe)) {
      if ((lost + e.halves) * 2 >= total) continue;
      if ((lost + foe.halves) * 2 >= total) break;
      await rule(h, id, `remove ${e.label}`);
      lost += e.halves;
    }
    await rule(h, id, `set ${foe.label} at 1000 1100 180`);
    await rule(h, id, `set ${own.label} at 1000 1100 0`);
    // A second fight, so that there is something to choose: one alone is fought by itself.
    const other = at.view.elements.find((e) => e.label.startsWith("A.") && e.fate === "table" && e !== own && !e.general);
    const general = at.view.elements.find((e) => e.label.startsWith("B.") && e.general);
    await rule(h, id, `set ${general.label} at 400 1100 180`);
    await rule(h, id, `set ${other.label} at 400 1100 0`);
    await playOn(h, id, ["A", "B"], (t) => t.view.phase === "combat" && t.owes.some((o) => o.seat === "A"));
    const ask = async (question) => (await api(h, `/api/games/${id}/ask`, { seat: "A", question })).body.answer;
    await open();
    await p.locator(".fights ol button").nth(1).waitFor();
    const said = [];
    for (const [n, fight] of (await ask("fights")).entries()) {
      const odds = await ask(fight.replace(/^fight (\S+) (\S+)$/, "odds $1 v $2"));
      const pairs = Number(odds.find((f) => f.startsWith("pairs ")).split(" ")[1]);
      const wanted = odds.filter((f) => f.startsWith("half ")).map((f) => `would take ${f.split(" ")[1]} past its half: ${Math.round((Number(f.split(" ")[2]) / pairs) * 100)}%`);
      await p.locator(".fights ol button").nth(n).click();
      await p.locator(`.legend`).first().waitFor();
      await p.waitForFunction((w) => [...document.querySelectorAll(".legend .past")].map((x) => x.textContent.trim()).join() === w, wanted.join());
      said.push(...wanted);
    }
    check(said.some((w) => w.includes("take B past")), `no fight tells of a half: ${said}`);
    return said.join("; ");
  });

export const a_corner_wheels_a_group_and_the_tray_is_dragged_from = () =>
  within(async (server, b) => {
    const { h, p, id, open } = await tables(server, b, {}, ["lunar-empire", "pirates"], {});
    // Deployment: a piece is carried from the tray to the board.
    await playOn(h, id, ["A", "B"], (t) => t.view.phase === "deploy" && t.owes.some((o) => o.seat === "A") && t.view.elements.some((e) => e.label.startsWith("A.") && e.fate === "waiting"));
    await p.goto(`${server.address}/t/${id}`);
    const tray = p.locator(".army .tray button").first();
    await tray.waitFor();
    await p.locator(".acts .main:not([disabled])").waitFor();
    const label = (await tray.getAttribute("aria-label")).split(":")[0];
    const from = await tray.boundingBox();
    const board = await p.locator("svg.board").boundingBox();
    const [x, y] = [board.x + board.width / 2 + board.height * 0.25, board.y + board.height * 0.84];
    await p.mouse.move(from.x + 10, from.y + 10);
    await p.mouse.down();
    await p.mouse.move((from.x + x) / 2, y, { steps: 4 });
    await p.mouse.move(x, y, { steps: 4 });
    await p.locator(".ghost").first().waitFor({ state: "attached" });
    await p.mouse.up();
    await p.locator(`.piece[data-label="${label}"]`).waitFor();
    // A group is taken by its right front corner: it wheels to the left.
    const t = await toMoves(h, id, (t) => t.view.commands[0].pips > 0);
    const two = t.view.elements.filter((e) => e.label.startsWith("A.") && e.fate === "table" && !e.general && ["Kni", "Rid", "Pal", "Bld", "Spr"].includes(e.type)).slice(0, 2);
    const at = (n) => `${1000 + (n * (two[0].size[0] + two[1].size[0])) / 200} 1000 0`;
    for (const n of [0, 1]) await rule(h, id, `set ${two[n].label} at ${at(n)}`);
    const group = two.map((e) => e.label.split(".")[1]);
    await open();
    await p.locator(".acts .main:not([disabled])").waitFor();
    await p.locator(`.piece[data-label="A.${group[0]}"]`).click();
    await p.locator("div.sel button", { hasText: /^Group of/ }).first().click();
    const handle = await p.locator('[data-wheel="right"]').boundingBox();
    const [cx, cy] = [handle.x + handle.width / 2, handle.y + handle.height / 2];
    await p.mouse.move(cx, cy);
    await p.mouse.down();
    await p.mouse.move(cx - 2, cy - 20, { steps: 5 });
    await p.locator(".ghostsay.ok").waitFor();
    const said = (await p.locator(".ghostsay").textContent()).trim();
    const before = (await view(p, id)).view.elements.find((e) => e.label === `A.${group[0]}`).place;
    await p.mouse.up();
    await p.waitForFunction(([id, l, d]) => fetch(`/api/games/${id}`).then((r) => r.json()).then((t) => t.view.elements.find((e) => e.label === l).place[2] !== d), [id, `A.${group[0]}`, before[2]]);
    const after = (await view(p, id)).view.elements.find((e) => e.label === `A.${group[0]}`).place;
    check(((after[2] - before[2] + 54000) % 36000) - 18000 < 0, `it turned the other way: ${before} ${after}`);
    check(p.wrong.length === 0, p.wrong.join("\n"));
    return said;
  });

export const fights_are_marked_and_rules_are_found_by_what_people_say = () =>
  within(async (server, b) => {
    const { h, p, id, open } = await tables(server, b, {}, ["lunar-empire", "pirates"], {});
    const t = await toMoves(h, id);
    const some = (s, general) => t.view.elements.filter((e) => e.label.startsWith(s) && e.fate === "table" && e.general === general && ["Bld", "Hrd", "Wbd", "Her", "Kni", "Rid", "Spr", "Pal"].includes(e.type));
    for (const [n, [one, two]] of [[some("A.", true)[0], some("B.", true)[0]], [some("A.", false)[0], some("B.", false)[0]]].entries()) {
      await rule(h, id, `set ${two.label} at ${500 + n * 700} 1100 180`);
      await rule(h, id, `set ${one.label} at ${500 + n * 700} 1100 0`);
    }
    await playOn(h, id, ["A", "B"], (t) => t.view.phase === "combat" && t.owes.some((o) => o.seat === "A"));
    await open();
    await p.locator(".fights .mark.general").first().waitFor();
    check((await p.locator(".fights ol li").count()) === 2 && (await p.locator(".fights .mark.general").count()) === 1, "the general's fight alone is marked");
    await accessible(p, "marked fights");
    await p.keyboard.press("/");
    const line = p.getByRole("combobox", { name: "Type a command" });
    await line.fill("? close the door");
    await line.press("Enter");
    await p.locator(".line output .link").first().waitFor();
    const ids = await p.locator(".line output .link").allTextContents();
    check(ids.includes("HOTT-175"), ids.join());
    await p.locator(".line output .link").first().click();
    await p.locator("dialog.rule").waitFor();
    return ids.join(" ");
  });
