// Moves of several legs, groups that leave one behind, who bears on a fight, replies of single pieces, scenarios.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { accessible, api, check, page, pixel, playOn, rule, tables, toMoves, view, within } from "./lib.mjs";

const FOOT = ["Bld", "Spr", "Wbd", "Hrd", "Sht"];
const RIDERS = ["Kni", "Rid", "Pal", "Bst"];
const plain = (t, side, types) => t.view.elements.filter((e) => e.label.startsWith(`${side}.`) && e.fate === "table" && !e.general && types.includes(e.type));
/** Elements of one kind side by side, the middle of the first one's front at x, y. */
async function rank(h, id, some, x, y, heading) {
  for (const [n, e] of some.entries()) await rule(h, id, `set ${e.label} at ${x + ((heading === 180 ? -1 : 1) * n * e.size[0]) / 100} ${y} ${heading}`);
}
const placeOf = async (h, id, label) => (await view(h, id)).view.elements.find((e) => e.label === label).place;

export const a_move_of_several_legs_is_built_click_by_click = () =>
  within(async (server, b) => {
    const { h, p, id, open } = await tables(server, b, {}, ["northern-league", "dwarf-hold"], {});
    const t = await toMoves(h, id);
    const two = plain(t, "A", ["Spr"]).slice(0, 2);
    await rank(h, id, two, 1100, 900, 0);
    await rule(h, id, "pips A 6");
    await open();
    await p.locator(".acts .main:not([disabled])").waitFor();
    await p.locator(`.piece[data-label="${two[0].label}"]`).click();
    await p.locator("div.sel button", { hasText: /^Group of 2/ }).first().click();
    await p.getByRole("button", { name: "Several legs" }).click();
    // Ahead, then aside and ahead: the second click is a wheel and a way straight on.
    await p.mouse.click(...(await pixel(p, 1100, 940)));
    await p.locator(".legs li").first().waitFor();
    check((await p.locator(".legs li").first().textContent()) === "ahead 40p", await p.locator(".legs").textContent());
    await p.mouse.click(...(await pixel(p, 1080, 1010)));
    await p.locator(".legs li").nth(1).waitFor();
    const legs = await p.locator(".legs li").allTextContents();
    check(/^wheel left [\d.]+°, ahead \d+p$/.test(legs[1]), legs.join(" | "));
    check((await p.locator(".ghost.leg").count()) === 4 && (await p.locator("line.way").count()) === 2, "the legs are not drawn");
    check((await p.locator("text.way").allTextContents()).join("|") === legs.join("|"), "the paces of each leg do not stand beside it");
    await accessible(p, "legs");
    // A leg is taken back, laid again with the corner, and all of it goes as one move.
    await p.keyboard.press("Backspace");
    await p.locator(".legs li").nth(1).waitFor({ state: "detached" });
    const corner = await p.locator('[data-wheel="right"]').boundingBox();
    await p.mouse.move(corner.x + corner.width / 2, corner.y + corner.height / 2);
    await p.mouse.down();
    await p.mouse.move(corner.x + corner.width / 2 - 2, corner.y + corner.height / 2 - 14, { steps: 4 });
    await p.mouse.up();
    await p.locator(".legs li").nth(1).waitFor();
    check(/^wheel left [\d.]+°$/.test(await p.locator(".legs li").nth(1).textContent()), await p.locator(".legs").textContent());
    const before = (await view(p, id)).version;
    await p.locator(".path .main").click();
    await p.locator("div.sel").waitFor({ state: "detached" });
    const place = await placeOf(p, id, two[0].label);
    check(place[2] > 18000 && place[2] < 36000 && place[1] > 93500, `it stands at ${place}`);
    check((await view(p, id)).view.commands[0].pips === 5, "a move of two legs is one move of one PIP");
    // As a column the leader goes round the bend, and the other follows.
    await p.keyboard.press("u");
    await p.waitForFunction(([id, l]) => fetch(`/api/games/${id}`).then((r) => r.json()).then((t) => t.view.elements.find((e) => e.label === l).place[1] === 90000), [id, two[0].label]);
    await p.locator(`.piece[data-label="${two[0].label}"]`).click();
    await p.locator("div.sel button", { hasText: /^Group of 2/ }).first().click();
    await p.getByRole("button", { name: "In column" }).click();
    await p.mouse.click(...(await pixel(p, 1100, 985)));
    await p.locator(".legs li, .ghostsay.no").first().waitFor();
    check((await p.locator(".legs li").count()) === 1, `as a column: ${await p.locator(".foot").textContent()}`);
    await p.keyboard.press("Enter");
    await p.locator("div.sel").waitFor({ state: "detached" });
    const [one, other] = [await placeOf(p, id, two[0].label), await placeOf(p, id, two[1].label)];
    check(Math.abs(one[0] - other[0]) < 100 && one[1] > other[1], `no column: ${one} ${other}`);
    check((await view(p, id)).version > before && p.wrong.length === 0, p.wrong.join("\n"));
    return legs.join(", then ");
  });

export const a_group_goes_without_the_one_that_holds_it_up = () =>
  within(async (server, b) => {
    const { h, p, id, open } = await tables(server, b, {}, ["northern-league", "dwarf-hold"], {});
    const t = await toMoves(h, id);
    const three = plain(t, "A", ["Spr"]).slice(0, 3);
    await rank(h, id, three, 1000, 900, 0);
    const foe = plain(t, "B", [...FOOT, ...RIDERS])[0];
    await rule(h, id, "pips A 6");
    // An enemy before the last of the three is in the way of all.
    await rule(h, id, `set ${foe.label} at ${1000 + (three[0].size[0] * 2.4) / 100} ${900 + 130} 90`);
    await open();
    await p.locator(".acts .main:not([disabled])").waitFor();
    await p.locator(`.piece[data-label="${three[0].label}"]`).click();
    await p.locator(`.piece[data-label="${three[1].label}"]`).click({ modifiers: ["Shift"] });
    await p.locator(`.piece[data-label="${three[2].label}"]`).click({ modifiers: ["Shift"] });
    const [x0, y0] = await pixel(p, 1000, 890);
    const [x1, y1] = await pixel(p, 1000, 1040);
    await p.mouse.move(x0, y0);
    await p.mouse.down();
    await p.mouse.move(x1, y1, { steps: 6 });
    await p.locator(".ghostsay.no").waitFor();
    const why = await p.locator(".ghostsay").textContent();
    await p.locator("button.spare").waitFor();
    await p.mouse.up();
    const offered = await p.locator("button.spare").textContent();
    await p.locator("button.spare").click();
    await p.locator(".ghostsay.ok").waitFor();
    await p.locator(".sel .main:not([disabled])").click();
    await p.locator("div.sel").waitFor({ state: "detached" });
    const after = await Promise.all(three.map((e) => placeOf(p, id, e.label)));
    check(after.filter((a) => a[1] > 100000).length === 2 && after.filter((a) => a[1] === 90000).length === 1, JSON.stringify(after));
    check(p.wrong.length === 0, p.wrong.join("\n"));
    return `${why.trim()}: ${offered}`;
  });

export const another_base_lines_up_by_an_arrow = () =>
  within(async (server, b) => {
    const { h, p, id, open } = await tables(server, b, {}, ["northern-league", "dwarf-hold"], {});
    const t = await toMoves(h, id);
    const three = plain(t, "A", ["Spr"]).slice(0, 3);
    await rank(h, id, three, 1000, 900, 0);
    const foe = plain(t, "B", FOOT)[0];
    await rule(h, id, "pips A 6");
    await rule(h, id, `set ${foe.label} at ${1000 + three[0].size[0] / 100} 1010 180`);
    await open();
    await p.locator(".acts .main:not([disabled])").waitFor();
    await p.locator(`.piece[data-label="${three[1].label}"]`).click();
    await p.locator("div.sel button", { hasText: /^Group of 3/ }).first().click();
    await p.locator(".docks .contact").first().waitFor();
    await p.keyboard.press("n");
    await p.locator(".ghostsay.ok").waitFor();
    for (let i = 0; i < 6 && !/charge/i.test(await p.locator(".ghostsay").textContent()); i += 1) await p.keyboard.press("n");
    check(/charge/i.test(await p.locator(".ghostsay").textContent()), `no contact to line up at: ${await p.locator(".foot").textContent()}`);
    const lead = () => p.locator(".ghostsay").getAttribute("data-do");
    const first = await lead();
    const way = await p.locator('[aria-label="The base to the right lines up"]').isEnabled() ? "right" : "left";
    await p.keyboard.press(way === "right" ? "ArrowRight" : "ArrowLeft");
    await p.waitForFunction((was) => document.querySelector(".ghostsay.ok, .ghostsay.no")?.getAttribute("data-do") !== was, first);
    const moved = await lead();
    check(/^charge Spr\d Spr\d Spr\d front/.test(moved) && moved.split(" ")[1] !== first.split(" ")[1] && moved.split(" ").slice(4).join() === first.split(" ").slice(4).join(), `${first}; ${moved}`);
    await p.locator(`[aria-label="The base to the ${way === "right" ? "left" : "right"} lines up"]`).click();
    await p.waitForFunction((was) => document.querySelector(".ghostsay")?.getAttribute("data-do").split(" ")[1] === was, first.split(" ")[1]);
    check(p.wrong.length === 0, p.wrong.join("\n"));
    return `${first}, then ${moved}`;
  });

export const who_bears_on_a_fight_is_drawn = () =>
  within(async (server, b) => {
    const { h, p, id, open } = await tables(server, b, {}, ["northern-league", "dwarf-hold"], {});
    const t = await toMoves(h, id);
    const [one, two] = plain(t, "A", [...FOOT, ...RIDERS]);
    const foe = plain(t, "B", FOOT)[0];
    await rank(h, id, [one, two], 1000, 900, 0);
    await rule(h, id, `set ${foe.label} at 1000 900 180`);
    // A second fight, so that there is something to choose.
    const [third] = plain(t, "A", [...FOOT, ...RIDERS]).slice(2);
    const other = plain(t, "B", FOOT)[1];
    await rule(h, id, `set ${third.label} at 1500 900 0`);
    await rule(h, id, `set ${other.label} at 1500 900 180`);
    await playOn(h, id, ["A", "B"], (t) => t.view.phase === "combat" && t.owes.some((o) => o.seat === "A"));
    const told = (await api(h, `/api/games/${id}/ask`, { seat: "A", question: "knots" })).body.answer;
    check(told.includes(`overlap ${two.label} ${foe.label}`), told.join("; "));
    await open();
    await p.locator("line.aid").first().waitFor({ state: "attached" });
    const drawn = await p.locator("line.aid title").allTextContents();
    check(drawn.includes(`${two.label} overlaps ${foe.label}`) && drawn.length === told.length, drawn.join("; "));
    check((await p.locator("line.fight").count()) === 2, "the fights themselves are not drawn");
    return drawn.join("; ");
  });

export const a_single_shooter_has_a_reply_of_its_own = () =>
  within(async (server, b) => {
    const { h, p, id, open } = await tables(server, b, {}, ["elf-queen", "dwarf-hold"], {});
    await playOn(h, id, ["A", "B"], (t) => t.view.phase === "moves" && t.view.active === 1);
    const t = (await view(h, id)).view;
    const shooter = t.elements.find((e) => e.label.startsWith("A.") && e.type === "Sht" && e.fate === "table");
    const foes = t.elements.filter((e) => e.label.startsWith("B.") && e.fate === "table" && !e.general && FOOT.includes(e.type)).slice(0, 2);
    check(shooter && foes.length === 2, "nobody shoots");
    // Two enemies before it: the nearer is whom the rules would have it shoot.
    await rule(h, id, `set ${shooter.label} at 1000 1000 0`);
    await rule(h, id, `set ${foes[0].label} at 880 1150 180`);
    await rule(h, id, `set ${foes[1].label} at 1120 1180 180`);
    await open();
    await p.locator(`.piece[data-label="${shooter.label}"]`).click();
    await p.locator(".sel .reply select").selectOption(foes[1].label);
    await p.waitForFunction((id) => fetch(`/api/games/${id}/replies?seat=A`).then((r) => r.json()).then((r) => r.prefer.length === 2), id);
    const kept = (await api(p, `/api/games/${id}/replies?seat=A`)).body;
    check(kept.prefer[0].answer === foes[1].label && kept.prefer[0].about.endsWith(shooter.label), JSON.stringify(kept));
    await p.waitForFunction((id) => fetch(`/api/games/${id}`).then((r) => r.json()).then((t) => t.view.sides[0].reply === "ask"), id);
    // Nobody else learns of it.
    const asB = await view(h, id, "B");
    check(asB.view.sides[0].reply === null && (await api(p, `/api/games/${id}/replies?seat=B`)).status !== 200, "B's view has A's reply");
    // In B's bound the Shooter does as it was told, and its owner alone is told so.
    await p.getByRole("tab", { name: "Talk" }).click();
    const said = await api(h, `/api/games/${id}/command`, { seat: "B", do: "end moves", expected: asB.version });
    check(said.status === 200, JSON.stringify(said.body));
    await playOn(h, id, ["B"], (t) => t.view.phase !== "shooting" || t.owes.some((o) => o.seat === "A"), 60);
    await p.getByText(`your standing reply answered: target ${foes[1].label}`).waitFor();
    check(p.wrong.length === 0, p.wrong.join("\n"));
    return JSON.stringify(kept.prefer);
  });

export const a_scenario_is_chosen_in_the_lobby = () =>
  within(async (server, b) => {
    const p = await page(b);
    await p.goto(server.address);
    await p.getByRole("button", { name: "Set up a battle" }).click();
    const all = await api(p, "/api/library/hott/scenarios");
    check(all.status === 200 && all.body.length >= 3, JSON.stringify(all.body));
    const one = all.body[0];
    await p.getByLabel("Scenario").selectOption(one.name);
    await p.getByText(one.words).waitFor();
    await accessible(p, "a scenario");
    check((await p.getByLabel("Last bound").inputValue()) === String(one.bound_limit), "its last bound is not taken over");
    await p.getByLabel("Opponent").selectOption("hotseat");
    await p.getByRole("button", { name: "Begin" }).click();
    await p.locator("svg.board").waitFor();
    const id = new URL(p.url()).pathname.split("/")[2];
    const t = (await api(p, `/api/games/${id}`)).body;
    check(JSON.stringify(t.view.ground) !== "[]" && t.view.ground.length === one.more.ground.length && t.title === one.title, JSON.stringify([t.title, t.view.ground]));
    // Big battles have their own.
    await p.goto(server.address);
    await p.getByRole("button", { name: "Set up a battle" }).click();
    await p.locator("label.field", { hasText: /^Game/ }).locator("select").selectOption("big");
    await p.locator("select option", { hasText: "Two roads" }).waitFor({ state: "attached" });
    check(p.wrong.length === 0, p.wrong.join("\n"));
    return `${all.body.map((s) => s.title).join(", ")}`;
  });

export const a_price_has_its_parts_and_a_battle_its_report = () =>
  within(async (server, b) => {
    const { h, p, id, open } = await tables(server, b, {}, ["lunar-empire", "pirates"], {});
    await toMoves(h, id);
    await rule(h, id, "pips A 6");
    await open();
    await p.locator(".acts .main:not([disabled])").waitFor();
    await p.locator('.piece[data-label="A.Mag1"]').click();
    await p.locator(".sel .price").waitFor();
    const price = (await p.locator(".sel .price").textContent()).trim();
    const facts = (await api(p, `/api/games/${id}/ask`, { seat: "A", question: "cost A.Mag1" })).body.answer;
    const parts = facts.filter((f) => f.startsWith("pip ")).map((f) => f.split(" ")).map(([, rule, n]) => `${n} ${rule}`);
    check(parts.length > 1 && price === `${facts[0].split(" ")[1]} PIPs: ${parts.join(" + ")}`, `${price}; ${facts}`);
    await p.locator(".sel .price .link").first().click();
    await p.locator("dialog.rule").waitFor();
    await p.keyboard.press("Escape");
    // A page with pictures, that stands by itself.
    await p.getByRole("button", { name: "Menu" }).click();
    const [file] = await Promise.all([p.waitForEvent("download"), p.getByRole("button", { name: "Battle report" }).click()]);
    const text = readFileSync(await file.path(), "utf8");
    check(/<h2>Bound 1: /.test(text) && text.includes("data:image/svg+xml;base64,") && text.includes("A, Lunar Empire: lost 0 of 24 AP") && !/<script|https?:/.test(text), text.slice(0, 600));
    // The same as text with pictures beside it, in one archive that opens everywhere.
    await p.keyboard.press("Escape");
    await p.getByRole("button", { name: "Menu" }).click();
    const [packed] = await Promise.all([p.waitForEvent("download"), p.getByRole("button", { name: "Report for a forum" }).click()]);
    const names = execFileSync("python3", ["-c", "import sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print('\\n'.join(z.namelist())); print(z.read('report.md').decode())", await packed.path()], { encoding: "utf8" });
    check(/^report\.md\npicture-\d\d\.png/.test(names) && /## Bound 1: /.test(names) && /!\[.*\]\(picture-\d\d\.png\)/.test(names), names.slice(0, 400));
    check(p.wrong.length === 0, p.wrong.join("\n"));
    return `${price}; a report of ${Math.round(text.length / 1024)} kB`;
  });

export const all_who_can_shoot_are_ticked = () =>
  within(async (server, b) => {
    const { h, p, id, open } = await tables(server, b, {}, ["elf-queen", "dwarf-hold"], {});
    const t = await toMoves(h, id);
    const three = plain(t, "A", ["Sht"]).slice(0, 3);
    const foe = plain(t, "B", ["Bld"])[0];
    await rank(h, id, three, 1000, 1000, 0);
    await rule(h, id, `set ${foe.label} at ${1000 + three[0].size[0] / 100} 1150 180`);
    await api(h, `/api/games/${id}/command`, { seat: "A", do: "end moves", expected: (await view(h, id)).version });
    await playOn(h, id, ["A", "B"], (t) => t.view.phase === "shooting" && t.owes.some((o) => o.seat === "A"));
    await open();
    await p.locator(".fights ol button", { hasText: "Blade" }).first().click();
    const foes = await p.locator(".fights ol li").count();
    await p.locator(".ticks input").nth(2).waitFor();
    check((await p.locator(".ticks input:checked").count()) === 3, "not all are ticked");
    await accessible(p, "a shot");
    await p.locator(".fights .sum").nth(1).waitFor();
    const sum = async () => Number(await p.locator(".fights .card2 .sum").nth(1).textContent());
    const before = await sum();
    await p.locator(".ticks input").nth(2).click();
    await p.waitForFunction((was) => Number(document.querySelectorAll(".fights .card2 .sum")[1]?.textContent) === was + 1, before);
    check((await p.locator(".ticks input:checked").count()) === 2, "nobody is left out");
    await p.getByRole("button", { name: "Shoot", exact: true }).click();
    await p.waitForFunction((id) => fetch(`/api/games/${id}`).then((r) => r.json()).then((t) => t.view.phase !== "shooting" || !t.owes.some((o) => o.seat === "A") || document.querySelectorAll(".fights .diceline").length > 0), id);
    check(p.wrong.length === 0, p.wrong.join("\n"));
    return `${foes} targets; the target counts ${before} against three, ${before + 1} against two`;
  });
