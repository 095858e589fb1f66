// Hordes & Heroes, what a hand does there: paths of one's own, the free move, deployments kept, pairings, odds, positions studied.
import { readFileSync } from "node:fs";
import { accessible, api, check, enter, page, view, within } from "./lib.mjs";

/** A battle from the text of a position, both seats with this browser. */
async function from(p, text, wish = {}) {
  const said = await api(p, "/api/library/study/position", { text: `title = ''\ngame = 'heroes'\n\n[position]\n${text}` });
  check(said.status === 200, JSON.stringify(said.body));
  const made = await api(p, "/api/games", { kind: "heroes", title: "Hexes", notation: said.body.notation, seats: {}, ...wish });
  check(made.status === 201, JSON.stringify(made.body));
  await enter(p, made.body, ["A", "B"]);
  return made.body.id;
}
const FIELD = "map = 'open:18x12'\narmies = ['roman', 'british']\nphasing = 'A'\n";
const hexAt = (p, name) => p.evaluate((name) => {
  const [c, r] = [name.charCodeAt(0) - 65, Number(name.slice(1)) - 1];
  const at = new DOMPoint(14 + 52 * (2 * c + 1 + (r % 2)), 14 + 60 + r * 90).matrixTransform(document.querySelector("#turned").getScreenCTM());
  return [at.x, at.y];
}, name);
async function click(p, name, options = {}) {
  const [x, y] = await hexAt(p, name);
  if (options.shift) await p.keyboard.down("Shift");
  await p.mouse.click(x, y);
  if (options.shift) await p.keyboard.up("Shift");
}
async function open(p, server, id) {
  await p.goto(`${server.address}/t/${id}`);
  await p.locator(".piece").first().waitFor();
  const curtain = p.locator(".curtain .main");
  if (await curtain.count()) await curtain.click();
  await p.locator(".piece.can").first().waitFor();
}
const unit = async (p, id, label) => (await view(p, id)).view.units.find((u) => u.label === label);
const shot = async (p, name) => {
  if (process.env.SHOTS) await p.screenshot({ path: `${process.env.SHOTS}/${name}.png` });
};

async function until(p, done, most = 200) {
  for (let i = 0; i < most; i += 1) {
    if (await done()) return;
    await p.waitForTimeout(50);
  }
  throw new Error(`it does not come to that: ${done}`);
}
const legs = (p) => p.locator(".hexfoot .legs li").allTextContents();

export async function hexes_a_path_is_bent_hex_by_hex() {
  return within(async (server, b) => {
    const p = await page(b);
    await p.goto(server.address);
    const id = await from(p, `${FIELD}phase = 'tactical'\n[position.units]\n"A.Aca1" = 'H9 n'\n"A.Leg1" = 'C10 n'\n"B.War1" = 'G5 s'\n[position.generals]\n"A.Gen1" = 'H9'`);
    await open(p, server, id);
    await click(p, "H9");
    await p.locator(".target").first().waitFor();
    await p.keyboard.press("p");
    for (const hex of ["H8", "I7", "I6"]) {
      await click(p, hex);
      await p.locator(`.leg[data-hex=${hex}]`).waitFor();
    }
    check((await legs(p)).join() === "H8 1 hex,I7 1 hex,I6 1 hex", (await legs(p)).join());
    check(/3 of 4 hexes/.test(await p.locator(".hexfoot .ghostsay.ok").textContent()), await p.locator(".hexfoot .ghostsay.ok").textContent());
    await shot(p, "hexes-path");
    // Taken back as far as the first, and another way from there: into the zone of the enemy, which ends it.
    for (const left of [2, 1]) {
      await p.keyboard.press("Backspace");
      await p.waitForFunction((n) => document.querySelectorAll(".hexfoot .legs li").length === n, left);
    }
    // Far away: told, and nothing is lost.
    await click(p, "A1");
    await p.locator(".hexfoot .ghostsay.no").waitFor();
    check(/A1 cannot be reached from H8 with the 3 that are left/.test(await p.locator(".hexfoot .ghostsay.no").textContent()), await p.locator(".hexfoot .ghostsay.no").textContent());
    for (const hex of ["H7", "G6"]) {
      await click(p, hex);
      await p.locator(`.leg[data-hex=${hex}]`).waitFor();
    }
    check(/held there by B.War1/.test(await p.locator(".hexfoot .ghostsay.ok").textContent()), await p.locator(".hexfoot .ghostsay.ok").textContent());
    await click(p, "F6");
    await p.locator(".hexfoot .ghostsay.no").waitFor();
    const why = await p.locator(".hexfoot .ghostsay.no").textContent();
    check(/zone of control/.test(why) && /HH-093/.test(why), why);
    await accessible(p, "a path");
    await p.keyboard.press("Enter");
    await until(p, async () => { const t = await view(p, id); return t.view.units.find((u) => u.label === "A.Aca1").hex === "G6"; });
    const moved = (await api(p, `/api/games/${id}/record?seat=A`)).body ?? "";
    check(p.wrong.length === 0, p.wrong.join("\n"));
    return `${why}${JSON.stringify(moved).includes("H8 H7 G6") ? "; the path is in the record" : ""}`;
  });
}

export async function hexes_a_path_is_laid_by_keys_alone() {
  return within(async (server, b) => {
    const p = await page(b);
    await p.goto(server.address);
    const id = await from(p, `${FIELD}phase = 'tactical'\n[position.units]\n"A.Aca1" = 'H9 n'\n"A.Leg1" = 'C10 n'\n"B.War1" = 'G4 s'\n[position.generals]\n"A.Gen1" = 'H9'`);
    await open(p, server, id);
    await p.locator(".piece[data-label='A.Aca1']").focus();
    await p.keyboard.press("Enter");
    await p.locator(".target").first().waitFor();
    await p.keyboard.press("p");
    for (let n = 1; n <= 3; n += 1) {
      await p.keyboard.press("ArrowUp");
      await p.keyboard.press(".");
      await p.locator(".hexfoot .legs li").nth(n - 1).waitFor();
    }
    await p.keyboard.press("Backspace");
    await p.waitForFunction(() => document.querySelectorAll(".hexfoot .legs li").length === 2);
    const two = await legs(p);
    await p.keyboard.press("Enter");
    await until(p, async () => (await unit(p, id, "A.Aca1")).hex !== "H9");
    const at = (await unit(p, id, "A.Aca1")).hex;
    check(two[1].startsWith(at), `${two.join()}, and it stands at ${at}`);
    // The battle as a page of its own, with the losses in stands.
    await p.waitForTimeout(400);
    const curtain = p.locator(".curtain .main");
    if (await curtain.count()) await curtain.click();
    await p.getByRole("button", { name: "Menu" }).click();
    const file = p.waitForEvent("download");
    await p.getByRole("button", { name: "Battle report" }).click();
    const text = readFileSync(await (await file).path(), "utf8");
    check(/lost 0 of 38 stands/.test(text) && text.includes("<img"), text.slice(0, 600));
    check(p.wrong.length === 0, p.wrong.join("\n"));
    return two.join();
  });
}

export async function hexes_the_free_move_is_a_second_ghost() {
  return within(async (server, b) => {
    const p = await page(b);
    await p.goto(server.address);
    const id = await from(p, `${FIELD}phase = 'tactical'\n[position.units]\n"A.Leg1" = 'C9 n'\n"A.Leg2" = 'F9 n'\n"B.War1" = 'L3 s'\n[position.generals]\n"A.Gen1" = 'C9'\n"A.Gen2" = 'F9'`);
    await open(p, server, id);
    const told = () => p.locator(".hexfoot .ghostsay.ok").textContent();
    // One hex back: by the free move it looks ahead as before, by an ordinary one it must face about.
    await click(p, "C9");
    await p.locator(".target").first().waitFor();
    await p.mouse.move(...(await hexAt(p, "C10")));
    await p.locator(".ghost.second[data-verb=move]").waitFor();
    check(/free move of one hex/.test(await told()) && /facing n/.test(await told()), await told());
    await shot(p, "hexes-free-move");
    await p.keyboard.press("s");
    await p.locator(".ghost.second[data-verb=step]").waitFor();
    check(/2 of 2 hexes/.test(await told()), await told());
    await p.keyboard.press("Enter");
    await until(p, async () => { const t = await view(p, id); return t.view.units.find((u) => u.label === "A.Leg1").hex === "C10"; });
    const one = await unit(p, id, "A.Leg1");
    check(one.facing !== "n", JSON.stringify(one));
    // The other by Alt and a click: the second ghost.
    await click(p, "F9");
    await p.locator(".target").first().waitFor();
    await p.mouse.move(...(await hexAt(p, "F8")));
    await p.locator(".ghost.second[data-verb=step]").waitFor();
    await p.keyboard.down("Alt");
    await p.mouse.down();
    await p.mouse.up();
    await p.keyboard.up("Alt");
    await until(p, async () => (await unit(p, id, "A.Leg2")).hex === "F8");
    check(p.wrong.length === 0, p.wrong.join("\n"));
  });
}

export async function hexes_a_deployment_is_kept_used_again_and_mirrored() {
  return within(async (server, b) => {
    const p = await page(b);
    await p.goto(server.address);
    /** A battle in which A is to deploy. */
    const begin = async () => {
      const setup = await api(p, "/api/library/heroes/setup", { armies: ["roman", "british"], map: "open-field", bound_limit: 4, points: 400 });
      const made = (await api(p, "/api/games", { kind: "heroes", title: "Hexes", setup: setup.body, seats: {} })).body;
      await enter(p, made, ["A", "B"]);
      for (let i = 0; i < 20; i += 1) {
        const at = await view(p, made.id);
        const seat = at.owes[0].seat;
        if (at.view.phase.startsWith("deploy") && seat === "A") break;
        const now = (await api(p, `/api/games/${made.id}/ask`, { question: "now", seat })).body.answer.filter((l) => l.startsWith("do ")).map((l) => l.slice(3));
        const text = now.find((x) => x === "ready") ?? now.find((x) => x === "array") ?? now[0];
        check((await api(p, `/api/games/${made.id}/command`, { seat, do: text, expected: (await view(p, made.id, seat)).version })).status === 200, text);
      }
      await p.goto(`${server.address}/t/${made.id}`);
      await p.locator("svg.hexes").waitFor();
      const curtain = p.locator(".curtain .main");
      if (await curtain.count()) await curtain.click();
      return made.id;
    };
    const where = async (id) => {
      const v = (await view(p, id)).view;
      return [...v.units, ...v.generals].filter((u) => u.side === "A").map((u) => `${u.label} ${u.hex} ${u.facing ?? ""} ${u.formation ?? ""}`).sort();
    };
    let id = await begin();
    await p.getByRole("button", { name: "Deploy automatically" }).click();
    await p.locator(".piece.own").first().waitFor();
    // Two change places when one is dropped on the other.
    const first = (await view(p, id)).view.units.filter((u) => u.side === "A");
    const [one, two] = [first.find((u) => u.label === "A.Leg1"), first.find((u) => u.label === "A.Aca1")];
    await p.mouse.move(...(await hexAt(p, one.hex)));
    await p.mouse.down();
    await p.mouse.move(...(await hexAt(p, two.hex)), { steps: 8 });
    await p.locator(`.target[data-hex=${two.hex}]`).waitFor();
    await p.mouse.move(...(await hexAt(p, two.hex)));
    await p.waitForTimeout(150);
    await p.mouse.move(...(await hexAt(p, two.hex)), { steps: 2 });
    await p.mouse.up();
    await until(p, async () => (await unit(p, id, "A.Aca1")).hex === one.hex);
    check((await unit(p, id, "A.Leg1")).hex === two.hex, "they did not change places");
    const before = await where(id);
    await p.getByRole("button", { name: "Keep this deployment" }).click();
    await shot(p, "hexes-deployment");
    id = await begin();
    await p.getByRole("button", { name: "As kept", exact: true }).click();
    await until(p, async () => { const t = await view(p, id); return [...t.view.units, ...t.view.generals].filter((u) => u.side === "A").every((u) => u.hex !== "-"); });
    check((await where(id)).join() === before.join(), `${before.join("; ")}\n${(await where(id)).join("; ")}`);
    await p.getByRole("button", { name: "As kept, mirrored" }).click();
    const width = (await view(p, id)).view.map.width;
    const flip = (line) => line.replace(/ ([A-Z])(\d+)/, (_, c, r) => ` ${String.fromCharCode(65 + width - 1 - (c.charCodeAt(0) - 65))}${r}`);
    const wanted = before.map(flip).join();
    for (let i = 0; i < 100 && (await where(id)).join() !== wanted; i += 1) await p.waitForTimeout(100);
    check((await where(id)).join() === wanted, `${wanted}\n${(await where(id)).join()}`);
    check((await p.locator(".foot .wrong").count()) === 0, await p.locator(".foot .wrong").allTextContents().then(String));
    check(p.wrong.length === 0, p.wrong.join("\n"));
  });
}

export async function hexes_all_fights_are_paired_by_one_button() {
  return within(async (server, b) => {
    const p = await page(b);
    await p.goto(server.address);
    const id = await from(p, `${FIELD}phase = 'melee'\n[position.units]\n"A.Leg1" = 'H7 n'\n"A.Leg2" = 'I7 n'\n"A.Pra1" = 'M8 n'\n"B.War1" = 'H6 s'\n"B.War2" = 'G6 s'\n"B.Nob1" = 'M7 s'\n[position.generals]\n"A.Gen1" = 'A10'\n"B.Gen1" = 'A2'`);
    await p.goto(`${server.address}/t/${id}`);
    await p.locator(".piece").first().waitFor();
    // Leg1 may not take War1, whom Leg2 alone faces.
    const no = p.locator(".pairing .forbidden li");
    await no.first().waitFor();
    const why = await no.first().textContent();
    check(/HH-206/.test(why) && /Leg2/.test(why), why);
    await p.getByRole("button", { name: "Pair them all" }).click();
    const plan = p.locator(".pairing .plan li");
    await plan.first().waitFor();
    check((await plan.count()) === 3, `${await plan.count()} fights`);
    check(/\d+ \+ 1d6 : \d+ \+ 1d6/.test(await plan.first().textContent()), await plan.first().textContent());
    await shot(p, "hexes-pairs");
    await accessible(p, "the pairing");
    // Put together by hand what is forbidden: the reason stands there, and no button to fight it.
    await p.locator(".pairing .plan button").filter({ hasText: "Leg1" }).click();
    await p.locator(".fights .bars").waitFor();
    for (const [label, on] of [["B.War1", false], ["B.War2", true]]) {
      await p.locator(".hexfoot .nudge button", { hasText: label }).click();
      await p.locator(`.hexfoot .nudge button[aria-pressed=${!on}]`, { hasText: label }).waitFor();
    }
    await p.locator(".fights .wrong").waitFor();
    check(/takes the last opponent from A.Leg2/.test(await p.locator(".fights .wrong").textContent()) && (await p.locator(".fights > button.main").count()) === 0, await p.locator(".fights .wrong").textContent());
    await p.locator(".pairing button", { hasText: "Cancel" }).click();
    await p.locator(".fights > ol button").first().click();
    await p.locator(".fights > button.main").waitFor();
    await p.getByRole("button", { name: "Pair them all" }).click();
    await p.getByRole("button", { name: "Fight all 3" }).click();
    // All of them, with nothing to click but what somebody must choose.
    let choices = 0;
    for (let i = 0; i < 200; i += 1) {
      const at = await view(p, id);
      if (at.view.phase !== "melee") break;
      const choosing = at.owes.find((o) => o.kind === "choice");
      if (choosing) {
        choices += 1;
        await api(p, `/api/games/${id}/command`, { seat: choosing.seat, do: (await view(p, id, choosing.seat)).owes.find((o) => o.kind === "choice").stands, expected: at.version });
      }
      await p.waitForTimeout(60);
      const curtain = p.locator(".curtain .main");
      if (await curtain.count()) await curtain.click().catch(() => undefined);
    }
    const fought = (await p.locator(".log").textContent()).match(/\d+ against B\./g) ?? [];
    check((await view(p, id)).view.phase !== "melee", "the phase is not over");
    check(p.wrong.length === 0, p.wrong.join("\n"));
    return `${why.trim()}; ${fought.length} fights, ${choices} choices`;
  });
}

const CASES = new URL("../../cases/heroes/", import.meta.url);
/** A battle as a case of the rules begins. */
async function ofCase(p, name) {
  const text = readFileSync(new URL(`${name}.toml`, CASES), "utf8").replace(/\n\[\[step\]\][\s\S]*$/, "\n");
  const said = await api(p, "/api/library/study/position", { text });
  check(said.status === 200, JSON.stringify(said.body));
  const made = await api(p, "/api/games", { kind: "heroes", title: name, notation: said.body.notation, sets: said.body.sets, seats: {} });
  await enter(p, made.body, ["A", "B"]);
  return made.body.id;
}

export async function hexes_every_risk_has_its_odds_before() {
  return within(async (server, b) => {
    const p = await page(b);
    await p.goto(server.address);
    // Suppression: no dice, but what it takes.
    let id = await ofCase(p, "suppress");
    await p.goto(`${server.address}/t/${id}`);
    const curtain = async () => {
      await p.locator("svg.hexes").waitFor();
      const c = p.locator(".curtain .main");
      if (await c.count()) await c.click();
    };
    await curtain();
    await p.locator(".fights ol button", { hasText: "suppress" }).first().click();
    await p.locator(".fights .legend").waitFor();
    check(/does not shoot/.test(await p.locator(".fights .legend").textContent()), await p.locator(".fights .legend").textContent());
    await p.locator(".fights > button.main", { hasText: "Suppress" }).waitFor();
    // Where the enemy could shoot next bound is drawn beside where he could come.
    await p.keyboard.press("Shift+R");
    await p.locator(".over.fire").first().waitFor();
    check((await p.locator(".over:not(.fire)").count()) > 0, "nowhere to come");
    await shot(p, "hexes-suppress");
    // A general who stands alone.
    id = await ofCase(p, "general-attacked");
    await p.goto(`${server.address}/t/${id}`);
    await curtain();
    await p.locator(".fights ol button", { hasText: "attack" }).first().click();
    await p.locator(".fights .legend").waitFor();
    const told = await p.locator(".fights .legend").textContent();
    // 8 + 1d6 against 2d6: of 216 ways 56 are no more than the sum of the two dice.
    check(/Gen1 falls.*(\d+)%/.test(told) && /stays, nobody is harmed/.test(told), told);
    await shot(p, "hexes-lone-general");
    await p.locator(".fights > button.main").click();
    await until(p, async () => { const t = await view(p, id); return t.view.phase !== "melee" || t.view.fights.length === 0; });
    // Single combat, pointed at.
    id = await ofCase(p, "single-combat");
    await p.goto(`${server.address}/t/${id}`);
    await curtain();
    const label = await p.evaluate((id) => fetch(`/api/games/${id}/ask`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ question: "factors A.Gen1 with B.Gen1", seat: "A" }) }).then((r) => r.json()), id);
    check(label.answer.some((l) => l.startsWith("chance 443673 1 B.Gen1 falls")), JSON.stringify(label));
    check(p.wrong.length === 0, p.wrong.join("\n"));
    return told;
  });
}

export async function hexes_an_answer_shows_what_it_comes_to() {
  return within(async (server, b) => {
    const p = await page(b);
    await p.goto(server.address);
    const id = await from(p, `${FIELD}phase = 'tactical'\n[position.units]\n"A.Aca1" = 'H9 n'\n"A.Leg1" = 'C10 n'\n"B.Sli1" = 'H6 s'\n"B.War1" = 'H5 s'\n[position.generals]\n"A.Gen1" = 'H9'`);
    const said = await api(p, `/api/games/${id}/command`, { seat: "A", do: "move A.Aca1 H8 H7", expected: (await view(p, id)).version });
    check(said.status === 200, JSON.stringify(said.body));
    await p.goto(`${server.address}/t/${id}`);
    await p.locator("svg.hexes").waitFor();
    const curtain = p.locator(".curtain .main");
    await curtain.or(p.locator(".fights .card2")).first().waitFor();
    if (await curtain.count()) await curtain.click();
    // Whoever is asked sees at once what standing comes to.
    await p.locator(".fights .card2").waitFor();
    const names = await p.locator(".fights .card2 h3").allTextContents();
    check(names.join() === "Aca1,Sli1", names.join());
    check((await p.locator(".fights .legend li").count()) > 3, "no chances");
    // And through whom it would go, if it went.
    const through = p.locator(".target[data-hex=H5]");
    if (await through.count()) {
      const at = await through.boundingBox();
      await p.mouse.move(at.x + at.width / 2, at.y + at.height / 2);
      await p.locator(".hexfoot .pairs", { hasText: "disrupted" }).waitFor();
      await p.mouse.move(5, 300);
      await p.locator(".fights .card2").waitFor();
    }
    await shot(p, "hexes-answer");
    await accessible(p, "an answer");
    check(p.wrong.length === 0, p.wrong.join("\n"));
  });
}

export async function hexes_a_line_is_drawn_and_a_moment_studied() {
  return within(async (server, b) => {
    const p = await page(b);
    await p.goto(server.address);
    const setup = await api(p, "/api/library/heroes/setup", { armies: ["roman", "british"], map: "open-field", bound_limit: 4, points: 400 });
    const made = (await api(p, "/api/games", { kind: "heroes", title: "Hexes", setup: setup.body, seats: {} })).body;
    await enter(p, made, ["A", "B"]);
    const id = made.id;
    const give = async (wanted) => {
      const at = await view(p, id);
      const seat = at.owes[0].seat;
      const now = (await api(p, `/api/games/${id}/ask`, { question: "now", seat })).body.answer.filter((l) => l.startsWith("do ")).map((l) => l.slice(3));
      const text = wanted.map((w) => now.find((x) => x.startsWith(w))).find(Boolean) ?? now[0];
      check((await api(p, `/api/games/${id}/command`, { seat, do: text, expected: (await view(p, id, seat)).version })).status === 200, text);
      return view(p, id);
    };
    let at = await view(p, id);
    while (!(at.view.phase.startsWith("deploy") && at.owes[0].seat === "A")) at = await give(["ready", "array", "edge south", "deploy first"]);
    await p.goto(`${server.address}/t/${id}`);
    await p.locator("svg.hexes").waitFor();
    const curtain = p.locator(".curtain .main");
    await p.waitForTimeout(300);
    if (await curtain.count()) await curtain.click();
    await p.getByRole("button", { name: "Draw the line" }).click();
    const south = at.view.sides.find((s) => s.side === "A").edge === "south";
    const row = south ? 11 : 2;
    await p.mouse.move(...(await hexAt(p, `D${row}`)));
    await p.mouse.down();
    await p.mouse.move(...(await hexAt(p, `N${row}`)), { steps: 8 });
    await shot(p, "hexes-line");
    await p.mouse.up();
    await until(p, async () => (await view(p, id)).view.units.filter((u) => u.side === "A").every((u) => u.fate === "field"), 400);
    const units = (await view(p, id)).view.units.filter((u) => u.side === "A");
    check(units.filter((u) => u.hex.slice(1) === String(row)).length >= 8, units.map((u) => u.hex).join());
    await until(p, async () => (await p.locator(".foot [role=status]", { hasText: " of " }).count()) === 0, 200);
    check((await p.locator(".foot .wrong").count()) === 0, String(await p.locator(".foot .wrong").allTextContents()));
    // Into the battle; a moment of it has a link, and is studied.
    at = await view(p, id);
    for (let i = 0; i < 30 && at.view.phase !== "tactical"; i += 1) at = await give(["ready", "array", "end", "stand"]);
    await p.goto(`${server.address}/t/${id}?at=20`);
    await p.locator(".replay").waitFor();
    check((await p.locator(".replay span").textContent()).startsWith("20 /"), await p.locator(".replay").textContent());
    await p.locator(".replay").getByRole("link", { name: "Study this position" }).click();
    await p.getByRole("button", { name: "edit the pieces" }).click();
    await p.waitForFunction(() => document.querySelector(".study textarea.code").value.includes("[position.units]"));
    await p.waitForFunction(() => !document.querySelector(".study .wrong"));
    const text = await p.locator(".study textarea.code").inputValue();
    check(/armies = \["roman", "british"\]/.test(text) && /map = "open-field"/.test(text), text.slice(0, 400));
    await p.getByRole("button", { name: "play on from here" }).click();
    await p.waitForFunction((id) => location.pathname.startsWith("/t/") && !location.pathname.endsWith(id), id);
    await p.locator("svg.hexes").waitFor();
    check(p.wrong.length === 0, p.wrong.join("\n"));
  });
}

export async function hexes_a_position_is_studied() {
  return within(async (server, b) => {
    for (const [width, height] of [[360, 740], [820, 1180], [1440, 900]]) {
      const p = await page(b, { viewport: { width, height } });
      await p.goto(`${server.address}/study`);
      await p.locator(".study .drawing").waitFor();
      await p.getByRole("button", { name: "new note, on hexes" }).click();
      await p.locator(".study .drawing .over, .study .drawing[aria-label*='The map']").first().waitFor();
      const text = () => p.locator(".study textarea.code").inputValue();
      const box = async (name) => {
        await p.locator(".study .drawing").scrollIntoViewIfNeeded();
        const r = await p.locator(".study .drawing").boundingBox();
        const [vw, edge, scale] = await p.evaluate(async () => {
          const text = document.querySelector(".study textarea.code").value;
          const d = await (await fetch("/api/library/study/position", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ text, theme: "light" }) })).json();
          return [1200, d.edge, d.scale];
        });
        const [c, row] = [name.charCodeAt(0) - 65, Number(name.slice(1)) - 1];
        const k = r.width / vw;
        return [r.x + ((14 + 52 * (2 * c + 1 + (row % 2))) * scale + edge) * k, r.y + ((14 + 60 + row * 90) * scale + edge) * k];
      };
      // Out of the box, by a click on a hex; turned, formed, fewer stands, disrupted, moved on.
      await p.locator(".study .box select").first().selectOption("A.Aca1");
      await p.mouse.click(...(await box("D8")));
      await p.waitForFunction(() => document.querySelector(".study textarea.code").value.includes('"A.Aca1" = "D8 n"'));
      await p.locator(".study .drawing").focus();
      for (const key of ["e", "c", "-", "d", "ArrowRight"]) await p.keyboard.press(key);
      check(/"A.Aca1" = \{ at = "E8", facing = "ne", formation = "column", stands = 3, marks = \["disrupted"\] \}/.test(await text()), await text());
      await p.waitForFunction(() => document.querySelector(".study .drawing img").alt.includes("A.Aca1 E8"));
      // Two in one hex: told, and nothing is lost.
      const good = await text();
      await p.locator(".study textarea.code").fill(good.replace(/at = "E8"/, 'at = "H7"'));
      await p.locator(".study .wrong").waitFor();
      check(/both stand in H7/.test(await p.locator(".study .wrong").textContent()), await p.locator(".study .wrong").textContent());
      await p.locator(".study textarea.code").fill(good);
      await p.waitForFunction(() => !document.querySelector(".study .wrong"));
      // An enemy clicked while one is held is the question of their fight.
      await p.mouse.click(...(await box("H7")));
      await p.mouse.click(...(await box("H6")));
      check((await p.locator(".study form input").inputValue()) === "odds A.Leg1 with B.War1", await p.locator(".study form input").inputValue());
      await p.getByRole("button", { name: "ask", exact: true }).click();
      await p.locator(".study .answer").waitFor();
      check(/[\d.]+ %  B\.War1/.test(await p.locator(".study .answer").textContent()), await p.locator(".study .answer").textContent());
      // Another army: its pieces lie in the box.
      await p.getByLabel("army of B").selectOption("huns");
      await p.waitForFunction(() => /armies = \['roman', 'huns'\]/.test(document.querySelector(".study textarea.code").value) && !document.querySelector(".study .wrong"));
      check(!(await text()).includes("B.War1"), await text());
      await accessible(p, `the study on hexes at ${width}`);
      check((await p.evaluate(() => document.documentElement.scrollWidth)) <= width, `wider than ${width}`);
      if (process.env.SHOTS) await p.screenshot({ path: `${process.env.SHOTS}/study-hexes-${width}.png`, fullPage: true });
      await p.getByLabel("phase", { exact: true }).selectOption("generals");
      await p.waitForFunction(() => /phase = 'generals'/.test(document.querySelector(".study textarea.code").value));
      await p.waitForTimeout(400);
      await p.getByRole("button", { name: "play on from here" }).click();
      await p.locator("svg.hexes").waitFor();
      // From the battle back onto the sheet, and its pieces taken apart again.
      await p.goto(`${p.url()}?at=0`);
      const back = p.locator(".replay").getByRole("link", { name: "Study this position" });
      if (await back.count()) {
        await back.click();
        await p.getByRole("button", { name: "edit the pieces" }).click();
        await p.waitForFunction(() => document.querySelector(".study textarea.code").value.includes("[position.units]"));
        check(/"A.Leg1" = "H7 n"/.test(await text()), await text());
      }
      check(p.wrong.length === 0, p.wrong.join("\n"));
      await p.context().close();
    }
  });
}
