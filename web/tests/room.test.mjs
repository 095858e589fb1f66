// At one table in one room: real dice and a wrong one put right, the host's tools, allies, secrets at a shared screen, and the
// line after the battle.
import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { accessible, api, battle, check, enter, page, playOn, rule, send, tables, view, within } from "./lib.mjs";

const root = new URL("../../", import.meta.url).pathname;
const muster = join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), "debug", "muster");
const SIZES = { phone: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }, wide: { viewport: { width: 1440, height: 900 } } };
const shot = (p, name) => (process.env.MUSTER_SHOTS ? p.screenshot({ path: `${process.env.MUSTER_SHOTS}/${name}.png` }) : undefined);
const narrow = async (p) => check((await p.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0, "the page is too wide");
/** Whoever holds several seats lifts the curtain. */
const lift = async (p) => {
  await p.waitForTimeout(250);
  const c = p.locator(".curtain .main");
  if (await c.count()) await c.click();
};
/** Both seats in one browser that is looked at; all is done through the API until `done`. */
async function shared(server, b, wish, armies, done, options) {
  const p = await page(b, options);
  await p.goto(server.address);
  const made = await battle(p, { seats: {}, ...wish }, armies, wish.limit ?? 0, { quick: 2 });
  await enter(p, made, ["A", "B", "host"]);
  await playOn(p, made.id, ["A", "B"], done);
  await p.goto(`${server.address}/t/${made.id}`);
  await p.locator(".piece").first().waitFor();
  await lift(p);
  return { p, id: made.id };
}
const fighting = (side) => (t) => t.view.phase === "combat" && t.view.sides[t.view.active].letter === side && t.owes.some((o) => o.seat === side);

export const real_dice_are_asked_for_in_order_and_a_wrong_one_is_put_right = () =>
  within(async (server, b) => {
    const said = [];
    for (const [n, side] of [["wide", "A"], ["phone", "B"]]) {
      const { p, id } = await shared(server, b, { dice: "typed" }, ["pirates", "lunar-empire"], fighting(side), SIZES[n]);
      const before = await view(p, id, side);
      await p.locator(".acts .main:not([disabled])").first().click();
      // Two dice at least, the one of the side whose bound it is first; the prompt says whose it is and what for.
      await p.locator(".typed .die").nth(1).waitFor();
      const order = await p.locator(".typed li small").allTextContents();
      check(order[0] === side && order[1] !== side, `${side}'s bound: ${order}`);
      const prompt = (await p.locator(".typed p b").first().textContent()).trim();
      check(prompt.includes(`(${side})`), prompt);
      check(/close combat of /.test(await p.locator(".typed p").textContent()), "it does not say what for");
      await shot(p, `dice-${n}`);
      await narrow(p);
      await accessible(p, `dice, ${n}`);
      if (n === "wide") {
        // A seven is no die; Backspace takes the one before.
        await p.keyboard.press("7");
        await p.keyboard.press("2");
        check((await p.locator(".typed .die").first().textContent()) === "2", "the key did not count");
        await p.keyboard.press("Backspace");
        check((await p.locator(".typed .die").first().textContent()) === "?", "Backspace");
        await p.keyboard.press("6");
        await p.keyboard.press("1");
      } else {
        await p.locator(".typed .faces button").nth(5).tap();
        await p.locator(".typed .faces button").nth(0).tap();
      }
      // If it was the last fight the next PIP die is asked for, too.
      for (let i = 0; i < 6 && (await view(p, id, side)).version === before.version; i += 1) {
        await p.waitForTimeout(200);
        if (await p.locator(".typed .die").nth(2).count()) await p.locator(".typed .faces button").nth(3).click().catch(() => undefined);
      }
      const thrown = await view(p, id, side);
      check(thrown.version > before.version && thrown.typed.seat === side, JSON.stringify(thrown.typed));
      const at = thrown.typed.dice.findIndex((d) => d.of === side);
      check(thrown.typed.values[at] === 6 && thrown.typed.values[1 - at] === 1, `typed ${JSON.stringify(thrown.typed)}`);
      // The other seat may not, and no dice that cannot be.
      const other = side === "A" ? "B" : "A";
      for (const [seat, dice] of [[other, [1, 1]], [side, [7, 1]], [side, thrown.typed.values]]) {
        const no = await api(p, `/api/games/${id}/dice`, { seat, dice, expected: thrown.typed.version });
        check([409, 422, 428].includes(no.status), `${seat} ${dice}: ${no.status}`);
      }
      // A wrong die: replaced, worked out anew, and told.
      await lift(p);
      await p.locator(".wrongdie").waitFor();
      await shot(p, `dice-wrong-${n}`);
      if (n === "wide") await p.keyboard.press("Backspace");
      else await p.locator(".wrongdie").tap();
      await p.locator(".typed .die").first().waitFor();
      if (n === "wide") {
        await p.keyboard.press("1");
        await p.keyboard.press("6");
        await shot(p, `dice-right-${n}`);
        await p.keyboard.press("Enter");
      } else {
        await p.locator(".typed .faces button").nth(0).tap();
        await p.locator(".typed .faces button").nth(5).tap();
        await p.locator(".typed").getByRole("button", { name: "So it is right" }).tap();
      }
      for (let i = 0; i < 4; i += 1) {
        await p.waitForTimeout(300);
        if (await p.locator(".typed .faces button").count()) await p.locator(".typed .faces button").nth(3).click().catch(() => undefined);
      }
      await p.locator(".typed").waitFor({ state: "detached" });
      await lift(p);
      const right = await view(p, id, side);
      check(right.typed.values[at] === 1 && right.typed.values[1 - at] === 6, JSON.stringify(right.typed));
      if (n === "phone") await p.locator(".sheetb").nth(1).tap();
      const line = p.locator(".log p.right");
      await line.waitFor();
      said.push((await line.textContent()).trim());
      check(/puts a wrong die right.*: [16], not [61]/.test(said.at(-1)), said.at(-1));
      check((await p.locator(".log p", { hasText: /^\d+\s*$/ }).count()) === 0, "an empty line in the log");
      await shot(p, `dice-log-${n}`);
      // After the next command it is too late.
      const next = right.owes[0].seat;
      const may = (await api(p, `/api/games/${id}/candidates?seat=${next}&most=400`)).body;
      const text = may.candidates.map((c) => c.do).find((x) => /^(fight|end)/.test(x) && x !== "fight all") ?? may.candidates[0].do;
      check((await send(p, id, { seat: next, do: text, expected: may.version })).status === 200, text);
      const late = await api(p, `/api/games/${id}/dice`, { seat: side, dice: [3, 3], expected: right.typed.version });
      check(late.status === 409, `${late.status}`);
      // The record of it all verifies.
      await api(p, `/api/games/${id}/host`, { what: "close" });
      const record = await p.evaluate((id) => fetch(`/api/games/${id}/record`).then((r) => r.text()), id);
      check(record.includes('"wrong_die":true'), "the record does not say so");
      const file = join(mkdtempSync(join(tmpdir(), "muster-")), "battle.jsonl");
      writeFileSync(file, record);
      const verdict = spawnSync(muster, ["verify", file], { encoding: "utf8" });
      check(verdict.status === 0, `${verdict.stdout} ${verdict.stderr}`);
      check(p.wrong.length === 0, p.wrong.join("\n"));
      await p.context().close();
    }
    return said.join(" ");
  });

export const the_host_has_his_tools_on_the_page = () =>
  within(async (server, b) => {
    const h = await page(b);
    await h.goto(server.address);
    const made = await battle(h, { seats: {}, stand_in: true }, ["pirates", "lunar-empire"], 0, { quick: 2 });
    await enter(h, made, ["A", "host"]);
    const q = await page(b, SIZES.phone);
    await q.goto(server.address);
    await enter(q, made, ["B", "host"]);
    const both = await page(b);
    await both.goto(server.address);
    await enter(both, made, ["A", "B"]);
    await playOn(both, made.id, ["A", "B"], (t) => t.view.phase === "moves" && t.owes.some((o) => o.seat === "B"));
    await h.goto(`${server.address}/t/${made.id}`);
    await h.locator(".piece").first().waitFor();
    await h.getByRole("button", { name: "Menu" }).click();
    const box = h.locator("dialog.menu");
    const seatB = box.locator(".seat").nth(1);
    const state = () => view(h, made.id);
    // Asked from here: the page's own rules let nothing be evaluated in it.
    const until = async (what, words) => {
      const holds = new Function("t", `return ${what}`);
      for (let i = 0; i < 100; i += 1) {
        if (holds((await api(h, `/api/games/${made.id}`)).body)) return;
        await h.waitForTimeout(60);
      }
      check(false, words);
    };
    check(/is away/.test(await seatB.textContent()), await seatB.textContent());
    // Pace and clock.
    await box.getByLabel("Pace", { exact: false }).last().selectOption("live");
    await until("t.pace === 'live'", "the pace");
    await box.getByRole("button", { name: "Stop the clock" }).click();
    await until("t.paused", "the clock");
    await accessible(h, "the host's tools");
    await shot(h, "host-wide");
    await box.getByRole("button", { name: "Set the clock going" }).click();
    await until("!t.paused", "the clock goes on");
    // B is away: his step is ended for him.
    await seatB.getByRole("button", { name: "End the step for B" }).click();
    await until("t.view.phase !== 'moves' || t.owes.every((o) => o.seat !== 'B')", "B's step goes on");
    // The computer plays on for him, and he comes back.
    if (!(await box.isVisible())) await h.getByRole("button", { name: "Menu" }).click();
    await seatB.getByRole("button", { name: "Computer plays on" }).click();
    await until("t.seats[1].who.startsWith('computer')", "the computer");
    await seatB.getByRole("button", { name: "A player again" }).click();
    await until("t.seats[1].who === 'person'", "a player again");
    // Handed on by a new link: the old one opens nothing.
    await seatB.getByRole("button", { name: "New link" }).click();
    const link = await box.getByLabel("New link").inputValue();
    check(/#[\w-]{43}$/.test(link), link);
    const old = await page(b);
    await old.goto(server.address);
    check((await api(old, "/api/enter", { token: made.links.B.split("#")[1] })).status === 404, "the old link still opens");
    await seatB.getByRole("button", { name: "Remove" }).click();
    await seatB.getByRole("button", { name: /Take B from its player/ }).click();
    await until("t.seats[1].who.startsWith('computer')", "removed");
    await h.keyboard.press("Escape");
    await h.getByRole("tab", { name: "Talk" }).click();
    for (const words of [/the pace: live/, /stops the clock/, /ends the step of B/, /takes B from its player/]) await h.locator(".talk li", { hasText: words }).first().waitFor();
    // On a phone, and to the end: nobody has lost.
    await q.goto(`${server.address}/t/${made.id}`);
    await q.locator(".piece").first().waitFor();
    await q.getByRole("button", { name: "Menu" }).tap();
    await q.locator("dialog.menu .seat").first().waitFor();
    await q.locator("dialog.menu").getByRole("button", { name: "Stop the clock" }).scrollIntoViewIfNeeded();
    await shot(q, "host-phone");
    await narrow(q);
    await accessible(q, "the host's tools on a phone");
    await q.locator("dialog.menu fieldset").getByRole("button", { name: "Close it unfinished" }).tap();
    await q.getByRole("button", { name: "Close it now? Nobody has lost." }).tap();
    await until("t.over && t.outcome === null", "it is not closed");
    await h.locator(".result", { hasText: "nobody has lost" }).waitFor();
    check(h.wrong.length + q.wrong.length === 0, [...h.wrong, ...q.wrong].join("\n"));
    return (await h.locator(".result").textContent()).trim();
  });

export const allies_have_lights_and_their_chief_ends_the_step = () =>
  within(async (server, b) => {
    const host = await page(b);
    await host.goto(server.address);
    const made = await battle(host, { kind: "big", seats: {} }, ["old-guard", "salt-crown"], 4, { players: "commands", quick: 4 });
    const all = Object.keys(made.links).filter((r) => /^[AB]\d$/.test(r));
    await enter(host, made, all);
    const at = await playOn(host, made.id, all, (t) => t.view.phase === "moves" && t.owes.filter((o) => o.seat.startsWith("A")).length >= 2);
    const chief = at.seats.find((s) => s.leads && s.name.startsWith("A")).name;
    const ally = at.owes.map((o) => o.seat).find((s) => s.startsWith("A") && s !== chief);
    for (const [n, seat] of [["phone", ally], ["wide", chief]]) {
      const p = await page(b, SIZES[n]);
      await p.goto(server.address);
      await enter(p, made, [seat]);
      await p.goto(`${server.address}/t/${made.id}`);
      await p.locator(".lights li").nth(1).waitFor();
      check((await p.locator(".lights .done").count()) === 0, "somebody has done already");
      const ends = p.getByRole("button", { name: /End the step for/ });
      check((await ends.count() > 0) === (n === "wide"), `${n}: ${await ends.count()}`);
      await narrow(p);
      await accessible(p, `lights, ${n}`);
      await shot(p, `lights-${n}`);
      if (n === "wide") {
        await p.getByRole("button", { name: `End the step for ${ally}` }).click();
        await p.locator(".lights .done", { hasText: ally }).waitFor();
        const owes = (await view(p, made.id, chief)).owes.map((o) => o.seat);
        check(!owes.includes(ally) && owes.includes(chief), owes.join());
        await shot(p, "lights-done");
      }
      check(p.wrong.length === 0, p.wrong.join("\n"));
    }
    return `${chief} ends the step of ${ally}`;
  });

/** An army with Lurkers and a Dragon off the table, as a pasted list. */
const LURKING = "7 Blade @ 2\n2 Shooters @ 2\n2 Lurkers @ 1\n1 Hero general @ 4";

export const secrets_at_a_shared_screen_are_shown_while_their_owner_looks = () =>
  within(async (server, b) => {
    const moves = (t) => t.view.phase === "moves" && t.owes.some((o) => o.seat === "A") && t.view.bound > 1 && t.view.commands[0].pips > 2;
    for (const n of ["wide", "phone"]) {
      const p = await page(b, SIZES[n]);
      await p.goto(server.address);
      const made = await battle(p, { seats: {} }, [{ text: LURKING }, "lunar-empire"], 0, { quick: 2 });
      await enter(p, made, ["A", "B"]);
      await playOn(p, made.id, ["A", "B"], moves);
      // An enemy who has moved stands in the wood: one may lie in wait for him there.
      const { ground, elements } = (await view(p, made.id)).view;
      const [, x, y] = /(-?[\d.]+) (-?[\d.]+)/.exec(ground.find((g) => g.startsWith("wood")));
      let texts = [];
      for (const e of elements.filter((e) => e.label.startsWith("B.") && e.fate === "table" && !e.general)) {
        const back = `${e.place[0] / 100} ${e.place[1] / 100} ${e.place[2] / 100}`;
        await rule(p, made.id, `set ${e.label} at ${x} ${y} 180`);
        texts = (await api(p, `/api/games/${made.id}/candidates?seat=A&about=Lrk1`)).body.candidates.map((c) => c.do);
        if (texts.length > 0) break;
        await rule(p, made.id, `set ${e.label} at ${back}`);
      }
      check(texts.length > 0, "nobody can be lain in wait for");
      await p.goto(`${server.address}/t/${made.id}`);
      await p.locator(".piece").first().waitFor();
      await lift(p);
      const body = async () => `${await p.locator("body").innerText()} ${await p.locator("body").evaluate((e) => [...e.querySelectorAll("[title],[aria-label],[value]")].map((x) => `${x.getAttribute("title")} ${x.getAttribute("aria-label")} ${x.getAttribute("value")}`).join(" "))}`;
      const secret = /Lrk\d|Lurker/;
      if (n === "phone") await p.locator(".sheetb").first().tap();
      check(!secret.test(await body()), "a Lurker shows though nobody looks");
      // The typed line offers none, the list and the log name none.
      if (n === "wide") {
        for (const tab of ["Talk", "List", "Log"]) {
          await p.getByRole("tab", { name: tab }).click();
          check(!secret.test(await body()), `the ${tab} names a Lurker`);
        }
      }
      if (n === "phone") await p.locator(".sheetb").first().tap();
      await p.locator(".linebutton").click();
      await p.getByRole("combobox", { name: "Type a command" }).fill("lurk");
      await p.waitForTimeout(200);
      check(!secret.test(await body()), "the typed line offers a Lurker");
      // The key V held: he sees them, and what each costs now.
      await p.evaluate(() => document.activeElement.blur());
      await p.keyboard.down("v");
      if (n === "phone") await p.locator(".sheetb").first().tap();
      await p.locator(".tray button[aria-label*='Lurker']").first().waitFor();
      await p.waitForTimeout(400);
      const tray = await p.locator(".army").first().textContent();
      check(/\d PIP/.test(tray), `no price in the tray: ${tray}`);
      await shot(p, `look-${n}`);
      await p.locator(".tray button[aria-label*='Lurker']").first().click();
      if (n === "phone") await p.locator(".sheetb").first().tap();
      await p.locator(".dock").first().waitFor({ state: "attached" });
      await shot(p, `look-docks-${n}`);
      await p.keyboard.up("v");
      await p.waitForTimeout(200);
      check((await p.locator(".dock").count()) === 0 && !secret.test(await body()), "where it may come shows though nobody looks");
      await shot(p, `look-not-${n}`);
      // Standing replies: set unseen, shown only while one looks.
      await p.getByRole("button", { name: "Menu" }).click();
      const reply = p.locator(".standing select").first();
      check((await reply.inputValue()) === "–", "the reply shows");
      await reply.selectOption("stands");
      await p.waitForTimeout(200);
      check((await reply.inputValue()) === "–", "the reply shows after it was set");
      const look = p.locator("dialog .look");
      await look.focus();
      await p.keyboard.down(" ");
      await p.waitForTimeout(150);
      check((await reply.inputValue()) === "stands", "its owner does not see it");
      await shot(p, `look-replies-${n}`);
      await p.keyboard.up(" ");
      await p.waitForTimeout(100);
      check((await reply.inputValue()) === "–", "it stays to be seen");
      await accessible(p, `replies at one screen, ${n}`);
      check(p.wrong.length === 0, p.wrong.join("\n"));
      await p.context().close();
    }
  });

export const one_line_after_the_battle = () =>
  within(async (server, b) => {
    for (const n of ["wide", "phone"]) {
      const { p, id } = await shared(server, b, {}, [{ text: LURKING }, "lunar-empire"], (t) => t.view.phase === "moves" && t.view.bound > 2, SIZES[n]);
      check((await api(p, `/api/games/${id}/ended`)).status === 409, "told too soon");
      await api(p, `/api/games/${id}/resign`, { seat: "B" });
      await p.locator(".result").waitFor();
      await p.locator(".result", { hasText: "Unseen to the end" }).waitFor();
      const words = (await p.locator(".result").textContent()).trim();
      check(/A lost [\d½]+ of [\d½]+ AP; B lost/.test(words) && /Lurker/.test(words) && /minute/.test(words), words);
      await shot(p, `result-${n}`);
      await narrow(p);
      await accessible(p, `the result, ${n}`);
      // A battle that is won is no loss: red is for losses.
      const lost = await p.locator(".log p.lost").allTextContents();
      check(lost.every((l) => !/concede|wins|won/.test(l)), lost.join());
      // Rematch with sides changed, and play on from any moment.
      await p.getByRole("button", { name: "Rematch" }).click();
      await p.waitForFunction((id) => !location.pathname.endsWith(id) && document.querySelector(".piece, svg.board"), id);
      check(p.wrong.length === 0, p.wrong.join("\n"));
      await p.context().close();
    }
  });

export const a_picture_for_a_dark_page = () =>
  within(async (server, b) => {
    const { h, id } = await tables(server, b, {}, ["pirates", "lunar-empire"], {});
    await playOn(h, id, ["A", "B"], (t) => t.view.phase === "moves");
    const svg = (query) => h.evaluate(([id, q]) => fetch(`/api/games/${id}/picture.svg${q}`).then((r) => r.text()), [id, query]);
    const [light, dark] = [await svg(""), await svg("?dark")];
    check(light !== dark && light.startsWith("<svg") && dark.startsWith("<svg"), "both pictures are the same");
    const p = await page(b, { colorScheme: "dark" });
    await p.context().addCookies(await h.context().cookies());
    await p.goto(server.address);
    const src = await p.locator(".mine img").first().getAttribute("src");
    check(/dark/.test(src), src);
    await p.locator(".mine img").first().evaluate((i) => i.decode());
    await shot(p, "lobby-dark");
  });

export const real_dice_against_the_computer = () =>
  within(async (server, b) => {
    const p = await page(b);
    await p.goto(server.address);
    const made = await battle(p, { dice: "typed" }, ["pirates", "lunar-empire"], 0, { quick: 2 });
    await enter(p, made, ["A", "host"]);
    await p.goto(`${server.address}/t/${made.id}`);
    await p.locator("svg.board").waitFor();
    const asked = new Set();
    for (let i = 0; i < 400; i += 1) {
      const at = await view(p, made.id);
      if (at.view.bound >= 4) break;
      const now = p.locator(".typed p b").first();
      if (await now.count()) {
        asked.add(/\(([AB])\)/.exec(await now.textContent({ timeout: 500 }).catch(() => ""))?.[1]);
        await p.keyboard.press("3");
      } else await p.locator(".acts button.main:not([disabled])").first().click({ timeout: 300 }).catch(() => undefined);
      await p.waitForTimeout(60);
    }
    const at = await view(p, made.id);
    check(at.view.bound >= 4, `it stands still in bound ${at.view.bound}: ${JSON.stringify(at.owes)} ${JSON.stringify(at.asks)}`);
    check(asked.has("A") && asked.has("B"), [...asked].join());
    check(p.wrong.length === 0, p.wrong.join("\n"));
  });
