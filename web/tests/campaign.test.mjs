// A campaign's pages: a season from orders typed on them to letters, one battle of it fought at the table.
import { readFileSync, readdirSync } from "node:fs";
import { accessible, api, browser, check, closer, page, playOn, serve } from "./lib.mjs";

const sizes = { phone: { width: 360, height: 740 }, tablet: { width: 768, height: 1024 }, wide: { width: 1440, height: 900 } };
const folder = new URL("../../data/campaign/evening/", import.meta.url);
const orders = {
  Amber: "A2: invade Midway\nA1: hold",
  Basalt: "A1: invade Midway\nA2: hold",
  Cobalt: "A1: hold\nA2: hold",
  Dusk: "A1: hold\nA2: hold",
};

async function campaign(p, address, wish = { map: "evening" }, seed = 5) {
  await p.goto(`${address}/`);
  const made = await api(p, "/api/desks", { kind: "campaign", wish, seed });
  check(made.status === 201, JSON.stringify(made.body));
  return made.body;
}
const shot = async (p, name) => {
  if (process.env.MUSTER_SHOTS) await p.screenshot({ path: `${process.env.MUSTER_SHOTS}/${name}.png`, fullPage: true });
};
const narrow = async (p, where) => check((await p.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0, `${where} is too wide`);

/** A season of four nations on their own pages, a battle of it at the table, and the letters after it. */
export async function campaign_a_season() {
  const s = await serve();
  const b = await browser();
  try {
    const u = await page(b);
    const made = await campaign(u, s.address);
    await u.goto(`${s.address}${made.links.umpire}`);
    await u.locator(".campaign .nations li").nth(3).waitFor();
    check((await u.locator(".nations .none").count()) === 4, "nobody has sent orders");
    const at = { Amber: sizes.phone, Basalt: sizes.tablet, Cobalt: sizes.wide, Dusk: sizes.wide };
    const pages = {};
    for (const [nation, viewport] of Object.entries(at)) {
      const p = await page(b, { viewport, colorScheme: nation === "Dusk" ? "dark" : "light" });
      pages[nation] = p;
      await p.goto(`${s.address}${made.links[nation]}`);
      await p.locator(".campaign .map svg").waitFor();
      check((await p.locator(".campaign .top h1").innerText()).startsWith(nation), "its own page");
      const box = p.getByRole("textbox", { name: "Orders" });
      check((await box.inputValue()).includes("# A1, army at"), "the form is there to be filled in");
      if (nation === "Amber") {
        // What cannot be read is told as one types, with what would be right; nothing is sent by that.
        await box.fill("A2: invaid Midwey\nA9: hold\nA1: hold");
        await p.locator(".echo .wrong li").first().waitFor();
        check(/A9/.test(await p.locator(".echo").innerText()), "the line that does not read is named");
        // What was typed is there after the page was closed.
        await p.reload();
        await p.locator(".echo .wrong li").first().waitFor();
      }
      await box.fill(orders[nation]);
      await p.locator(".echo .read li").nth(1).waitFor();
      await p.locator(".echo .wrong").waitFor({ state: "detached" });
      if (nation === "Amber") check(/invade Midway.*AP at Larch/s.test(await p.locator(".echo .read").innerText()), "plain words with figures");
      await accessible(p, `${nation}'s page`);
      await narrow(p, nation);
      await shot(p, `camp-${nation}-orders`);
      await p.getByRole("button", { name: "Send, nothing to add" }).click();
      await p.getByText(/Set 1: sent, nothing to add/).waitFor();
    }
    // A nation holds its own page alone, and reads nothing of the others' orders.
    const mine = (await api(pages.Cobalt, `/api/desks/${made.id}`)).body;
    check(mine.roles.join() === "Cobalt" && !JSON.stringify(mine.view).includes("Midway\\nA"), "Cobalt reads its own orders only");
    for (const role of ["umpire", "Amber"]) check((await api(pages.Cobalt, `/api/desks/${made.id}?role=${role}`)).status === 403, `Cobalt is not ${role}`);
    for (const act of [{ adjudicate: true }, { line: "rule owner Midway Cobalt" }, { reckon: "Midway" }]) {
      check((await api(pages.Cobalt, `/api/desks/${made.id}/act`, { act })).status === 422, `${JSON.stringify(act)} is the umpire's`);
    }
    await u.locator(".nations .confirmed").nth(3).waitFor();
    await u.getByRole("button", { name: "Preview" }).click();
    await u.locator(".preview li").first().waitFor();
    await accessible(u, "the umpire's page");
    await shot(u, "camp-umpire-preview");
    await u.getByRole("button", { name: "Adjudicate the season" }).click();
    await u.locator(".battles li").waitFor();
    check(/Amber.* attacks Basalt.* at Midway/.test(await u.locator(".battles li").innerText()), "the battle is listed");
    // Those who are in it find it on their pages; nobody else hears of it, or can open it.
    await pages.Amber.locator(".battles li").waitFor();
    await pages.Basalt.locator(".battles li").waitFor();
    check((await pages.Cobalt.locator(".battles").count()) === 0, "Cobalt hears nothing");
    check((await api(pages.Cobalt, `/api/desks/${made.id}/battle`, { of: "Midway" })).status === 422, "and opens nothing");
    await accessible(pages.Amber, "a battle to fight, on a phone");
    await pages.Amber.getByRole("button", { name: "Fight it at the table" }).click();
    await pages.Amber.waitForURL(/\/t\//);
    await pages.Amber.locator("svg.board").waitFor();
    const id = new URL(pages.Amber.url()).pathname.split("/")[2];
    check((await api(pages.Amber, `/api/games/${id}`)).body.roles.join() === "Amber", "Amber has its own seat there");
    await pages.Basalt.getByRole("button", { name: "To the table" }).click();
    await pages.Basalt.waitForURL(new RegExp(id));
    // The defender lays the ground of his province by hand, and reads what it still lacks (CAM-072).
    await pages.Basalt.getByRole("button", { name: "Lay it by hand" }).click();
    await pages.Basalt.locator(".laying .ok").waitFor();
    await pages.Basalt.getByRole("button", { name: "Clear" }).click();
    await pages.Basalt.locator(".laying .wrong", { hasText: "CAM-072" }).first().waitFor();
    await shot(pages.Basalt, "camp-ground-lacking");
    await pages.Basalt.getByRole("button", { name: "Another one drawn up" }).click();
    await pages.Basalt.locator(".laying .ok").waitFor();
    await shot(pages.Basalt, "camp-ground");
    await pages.Basalt.getByRole("button", { name: "Lay this ground" }).click();
    await pages.Basalt.locator(".laying").waitFor({ state: "detached" });
    await u.getByRole("button", { name: "To the table" }).click();
    await u.getByRole("button", { name: "The computer plays Basalt" }).click();
    await u.getByText("The computer plays Basalt at this table.").waitFor();
    await shot(u, "camp-umpire-battle");
    await u.getByRole("button", { name: "Both sides at this screen" }).click();
    await u.waitForURL(new RegExp(id));
    await u.locator("svg.board").waitFor();
    await shot(u, "camp-table");
    // Amber's moves go over the API as a page sends them, the computer answers, to the battle's real end.
    const end = await playOn(u, id, ["Amber"], () => false, 9000, closer("B"));
    check(end.over && end.outcome && end.outcome.winners.length === 1, `fought out: ${JSON.stringify(end.outcome)}`);
    check(/half|general|stronghold/i.test(`${end.outcome.ending} ${end.outcome.words}`), `by an ending of CAM-077: ${JSON.stringify(end.outcome)}`);
    const winner = end.outcome.winners[0].startsWith("Amber") ? "Amber" : "Basalt";
    await u.waitForTimeout(300);
    await shot(u, "camp-table-end");
    // Its result flows back, the season is told, and each reads its own letter.
    await u.goto(`${s.address}/d/${made.id}?role=umpire`);
    await u.locator(".campaign .nations .none").nth(3).waitFor();
    const now = (await api(u, `/api/desks/${made.id}?role=umpire`)).body.view;
    check(now.told === "Spring of year 1" && now.desk.phase === "orders", `the season is told: ${now.told} ${now.desk.phase}`);
    const letters = {};
    for (const [nation, p] of Object.entries(pages)) {
      await p.goto(`${s.address}/d/${made.id}?role=${nation}`);
      await p.locator(".campaign .letter h1, .campaign .letter h2").first().waitFor();
      letters[nation] = await p.locator(".campaign .letter").innerText();
      await accessible(p, `${nation}'s letter`);
      await narrow(p, nation);
      await shot(p, `camp-${nation}-letter`);
      check(p.wrong.length === 0, p.wrong.join());
    }
    check(/Midway/.test(letters.Amber) && /Midway/.test(letters.Basalt), "the letters tell of the battle");
    // The result is the table's: who won, how, and every element that was destroyed there; the letters tell each of them.
    const record = await u.evaluate(async (path) => (await fetch(path)).text(), `/api/desks/${made.id}/file/record?role=umpire`);
    const entered = record.split("\n").map((l) => (l ? JSON.parse(l) : {})).filter((l) => String(l.do ?? "").startsWith("result ")).at(-1);
    const result = JSON.parse(entered.do.slice(entered.do.indexOf("{")));
    const fallen = end.view.elements.filter((e) => e.fate === "destroyed").length;
    check(fallen > 0 && result.lost.length === fallen && result.ending === end.outcome.ending && result.how === "table", `${fallen} fell: ${entered.do}`);
    for (const label of result.lost) check(letters.Amber.includes(label) && letters.Basalt.includes(label), `${label} fell at the table and stands not in the letters`);
    check(new RegExp(winner).test(letters[winner]), "the winner's letter");
    check(now.log.some((l) => l.do.startsWith("result") && l.do.includes("Midway")), "the result of the table was entered");
    check(!/A2 comes to Midway/.test(letters.Cobalt), "Cobalt reads nothing of Amber's march");
    await u.getByRole("button", { name: "Amber", exact: true }).click();
    await u.getByRole("article", { name: "Letter to Amber" }).waitFor();
    await narrow(u, "the umpire's page");
    await shot(u, "camp-umpire-letter");
    // All of it is on disk.
    await s.stop("SIGKILL");
    await s.again();
    const back = (await api(u, `/api/desks/${made.id}?role=umpire`)).body.view;
    check(back.told === now.told && back.map === now.map, "the campaign is as it was");
    check(u.wrong.length === 0, u.wrong.join());
    return `battle of ${end.view.bound} bounds at the table, ${end.outcome.words}`;
  } finally {
    await b.close();
    await s.stop();
    s.clean();
  }
}

/** Two adjudicated seasons on the umpire's page: notes, corrections with a preview, earlier letters, dates, and the end. */
export async function campaign_put_right() {
  const s = await serve();
  const b = await browser();
  try {
    const u = await page(b, { viewport: sizes.wide });
    const made = await campaign(u, s.address);
    await u.goto(`${s.address}${made.links.umpire}`);
    await u.locator(".campaign .nations li").nth(3).waitFor();
    const nation = {};
    for (const [name, viewport] of [["Amber", sizes.phone], ["Basalt", sizes.tablet], ["Cobalt", sizes.wide]]) {
      nation[name] = await page(b, { viewport });
      await nation[name].goto(`${s.address}${made.links[name]}`);
      await nation[name].locator(".campaign .map svg").waitFor();
    }
    const look = async (name) => (await api(nation[name], `/api/desks/${made.id}?role=${name}`)).body.view;
    const send = async (name, orders) => check((await api(nation[name], `/api/desks/${made.id}/act`, { role: name, act: { orders, state: "confirmed" } })).status === 200, `${name} sends`);
    // A deadline is set, and read by all; a date that is none is told and stays typed.
    await u.getByRole("textbox", { name: "Set the deadline" }).fill("next Sunday");
    await u.getByRole("button", { name: "Set the deadline" }).click();
    await u.locator(".wrong", { hasText: "no date that I can read" }).waitFor();
    check((await u.getByRole("textbox", { name: "Set the deadline" }).inputValue()) === "next Sunday", "what was typed stays");
    await u.getByRole("textbox", { name: "Set the deadline" }).fill("2090-12-20 20:00 Europe/Vienna");
    await u.getByRole("button", { name: "Set the deadline" }).click();
    await nation.Amber.getByText(/They are due .*2090/).waitFor();
    // Orders of which a line does not read, and one that looks odd, stand before the umpire by name.
    await send("Amber", "A9: hold\nA1: move to Larch\nA2: hold");
    await u.locator(".unread", { hasText: "A9" }).waitFor();
    await u.locator(".odd", { hasText: "Amberhold" }).waitFor();
    check(/Basalt, Cobalt, Dusk/.test(await u.locator(".missing").innerText()), "who is missing");
    // He enters the orders of one who telephoned.
    await u.getByRole("button", { name: "Enter orders: Dusk" }).click();
    await u.getByRole("textbox", { name: "Orders: Dusk" }).fill("A1: hold\nA2: hold");
    await u.getByRole("button", { name: "Enter them for Dusk" }).click();
    await u.locator(".nations li", { hasText: "Dusk" }).locator(".submitted").waitFor();
    await send("Basalt", "A1: hold\nA2: hold");
    await send("Cobalt", "A1: hold\nA2: hold");
    // A note, unsigned, from a phone: its reader does not learn from whom.
    const before = await look("Basalt");
    const a = nation.Amber;
    await a.getByRole("button", { name: "Notes" }).click();
    await a.getByLabel("Note", { exact: true }).fill("Leave Midway to me.");
    await a.getByLabel("To", { exact: true }).selectOption("Cobalt");
    await a.getByLabel("without my name").check();
    await a.getByRole("button", { name: "Send the note" }).click();
    await a.getByText("The note to Cobalt is on its way.").waitFor();
    await accessible(a, "notes on a phone");
    await narrow(a, "notes on a phone");
    await shot(a, "camp-notes");
    await nation.Cobalt.getByRole("button", { name: "Notes (1)" }).click();
    await nation.Cobalt.getByText("Leave Midway to me.").first().waitFor();
    check(!/Amber to Cobalt/.test(await nation.Cobalt.locator("main").innerText()), "an unsigned note names nobody");
    check(JSON.stringify(await look("Basalt")) === JSON.stringify(before), "Basalt gets not a byte of another's note");
    // The evening: preview, hold, adjudicate, letters as each will get them, a paragraph, publish.
    await u.getByLabel("the season waits here until it is published").check();
    await u.getByRole("button", { name: "Preview" }).click();
    await u.locator(".preview li").first().waitFor();
    await accessible(u, "the evening");
    await shot(u, "camp-evening");
    await u.getByRole("button", { name: "Adjudicate the season" }).click();
    await u.getByRole("button", { name: "Publish what is held" }).waitFor();
    check((await look("Amber")).told === "" && (await look("Amber")).seasons.length === 0, "nobody has read it yet");
    await u.getByRole("button", { name: "Letter to Amber" }).click();
    await u.getByRole("article", { name: "Letter to Amber" }).getByText(/A1 comes to Larch/).waitFor();
    await u.getByRole("textbox", { name: "Add a paragraph" }).fill("A comet was seen.");
    await u.getByRole("button", { name: "Add a paragraph" }).click();
    await u.getByRole("article", { name: "Letter to Amber" }).getByText("A comet was seen.").waitFor();
    await accessible(u, "letters before they go out");
    await shot(u, "camp-letters");
    await u.getByRole("button", { name: "Publish what is held" }).click();
    await a.getByRole("article", { name: "Letter" }).getByText("A comet was seen.").waitFor();
    check(!JSON.stringify(await look("Basalt")).includes("comet"), "another's paragraph");
    // Put right: what would change is shown, nothing is done by that; then it is done, and only Amber's letter is a correction.
    const was = { Basalt: JSON.stringify(await look("Basalt")), Cobalt: JSON.stringify(await look("Cobalt")) };
    await u.locator("summary", { hasText: "Put the last season right" }).click();
    await u.getByLabel("What was wrong").selectOption("Amber");
    const box = u.getByLabel("The orders as they should have been read");
    await u.waitForFunction(() => document.querySelector(".mend textarea")?.value.includes("A9: hold"));
    await box.fill("A3: hold\nA1: hold\nA2: hold");
    await u.getByRole("button", { name: "What would change" }).click();
    await u.locator(".again", { hasText: "Nothing is done yet. Letters that would change: Amber" }).waitFor();
    check(/− A1 comes to Larch/.test(await u.locator(".again").innerText()), "what goes");
    check(JSON.stringify(await look("Amber")).includes("A1 comes to Larch"), "a preview does nothing");
    await accessible(u, "a correction before it is made");
    await shot(u, "camp-mend");
    await u.getByRole("button", { name: "Run the season again" }).click();
    await u.locator(".again", { hasText: "Done. Corrected letters: Amber" }).waitFor();
    await a.locator(".corrected").waitFor();
    check(/− A1 comes to Larch/.test(await a.locator(".corrected").innerText()), "the correction says what is gone");
    await accessible(a, "a corrected letter");
    await shot(a, "camp-corrected");
    for (const name of ["Basalt", "Cobalt"]) check(JSON.stringify(await look(name)) === was[name], `${name} gets not a byte of Amber's correction`);
    // The next season; the letter before it is kept, with its map, for each reader.
    for (const name of ["Amber", "Basalt", "Cobalt"]) await send(name, "A1: hold\nA2: hold");
    check((await api(u, `/api/desks/${made.id}/act`, { role: "umpire", act: { hold: false } })).status === 200, "out at once");
    await u.getByRole("button", { name: "Adjudicate the season" }).click();
    await a.getByLabel("Season", { exact: true }).selectOption("Spring of year 1");
    await a.getByRole("article", { name: "Letter: Spring of year 1" }).getByText("A comet was seen.").waitFor();
    check((await a.locator(".earlier svg").count()) === 1, "with its map");
    await accessible(a, "an earlier letter on a phone");
    await narrow(a, "an earlier letter on a phone");
    await shot(a, "camp-earlier");
    await u.getByLabel("Season", { exact: true }).selectOption("Spring of year 1");
    await u.getByLabel("Whose letter").selectOption("Amber");
    await u.getByRole("article", { name: "Letter: Spring of year 1" }).getByText("A comet was seen.").waitFor();
    await shot(u, "camp-umpire-earlier");
    // A nation asks for nobody else's letters, and for no preview of a correction.
    for (const ask of [{ season: "Spring of year 1", of: "Amber" }, { season: "Winter of year 9" }]) {
      const said = await api(nation.Basalt, `/api/desks/${made.id}/ask`, { role: "Basalt", act: ask });
      check(!JSON.stringify(said.body).includes("comet"), "Basalt reads its own letter whatever it asks for");
    }
    for (const ask of [{ again: { nation: "Amber", orders: "" } }, { sent: "Amber" }, { preview: true }, { letter: "Amber" }]) {
      check((await api(nation.Basalt, `/api/desks/${made.id}/ask`, { role: "Basalt", act: ask })).status === 422, `${JSON.stringify(ask)} is the umpire's`);
    }
    for (const act of [{ again: { nation: "Amber", orders: "" } }, { memo: "x" }, { say: "x" }, { hold: true }, { deadline: "" }, { undecided: "Midway" }]) {
      check((await api(nation.Basalt, `/api/desks/${made.id}/act`, { role: "Basalt", act })).status === 422, `${JSON.stringify(act)} is the umpire's`);
    }
    // Files: paper in both sizes, the chronicle as a page and as text, each as its reader may have it.
    const file = (p, name, role) => p.evaluate(async (path) => { const r = await fetch(path); return [r.status, (await r.text()).slice(0, 60000)]; }, `/api/desks/${made.id}/file/${name}?role=${role}`);
    for (const name of ["map.pdf", "map-letter.pdf", "letter.pdf", "letter-letter.pdf", "form.pdf", "form-letter.pdf"]) {
      const [status, text] = await file(a, name, "Amber");
      check(status === 200 && text.startsWith("%PDF"), `${name}: ${status}`);
    }
    const [, own] = await file(a, "chronicle.md", "Amber");
    const [, told] = await file(nation.Basalt, "chronicle", "Basalt");
    check(own.includes("## Spring of year 1") && own.includes("comet"), "the chronicle of Amber");
    check(told.includes("<h2>Spring of year 1</h2>") && told.includes("<svg") && !told.includes("comet"), "the chronicle of Basalt");
    // Private notes are kept, and are nobody else's.
    await u.locator("summary", { hasText: "Private notes" }).click();
    await u.getByLabel("For your eyes alone.").fill("Amber was late twice.");
    await u.getByLabel("For your eyes alone.").blur();
    await u.waitForTimeout(300);
    check((await api(u, `/api/desks/${made.id}?role=umpire`)).body.view.memo === "Amber was late twice.", "kept");
    check(!JSON.stringify(await look("Amber")).includes("late twice"), "for his eyes alone");
    // The umpire's page on a tablet and on a phone.
    for (const size of ["tablet", "phone"]) {
      await u.setViewportSize(sizes[size]);
      await u.waitForTimeout(100);
      await accessible(u, `the umpire's page on a ${size}`);
      await narrow(u, `the umpire's page on a ${size}`);
      await shot(u, `camp-umpire-${size}`);
    }
    for (const [name, p] of Object.entries(nation)) { check(p.wrong.length === 0, `${name}: ${p.wrong.join()}`); await narrow(p, name); }
    check(u.wrong.length === 0, u.wrong.join());
    await s.stop("SIGKILL");
    await s.again();
    const back = (await api(u, `/api/desks/${made.id}?role=umpire`)).body.view;
    check(back.memo === "Amber was late twice." && back.seasons.includes("Spring of year 1"), "all of it is on disk");
  } finally {
    await b.close();
    await s.stop();
    s.clean();
  }
}

/** A campaign that is over: its pages say who won, everything is still there to be read, and what comes too late is told. */
export async function campaign_over() {
  const s = await serve();
  const b = await browser();
  try {
    const u = await page(b);
    const made = await campaign(u, s.address);
    await u.goto(`${s.address}${made.links.umpire}`);
    await u.locator(".campaign .nations li").nth(3).waitFor();
    const a = await page(b, { viewport: sizes.phone });
    await a.goto(`${s.address}${made.links.Amber}`);
    await a.getByRole("textbox", { name: "Orders" }).fill("A1: hold");
    const view = async () => (await api(u, `/api/desks/${made.id}?role=umpire`)).body.view;
    // Every city becomes Amber's by the umpire's word, and the others quit: the next season ends it.
    const act = (act) => api(u, `/api/desks/${made.id}/act`, { role: "umpire", act });
    for (const other of ["Basalt", "Cobalt", "Dusk"]) check((await act({ nation: other, orders: "quit", state: "confirmed" })).status === 200, other);
    check((await act({ nation: "Amber", orders: "A1: hold\nA2: hold", state: "confirmed" })).status === 200, "Amber");
    check((await act({ adjudicate: true })).status === 200, "adjudicated");
    for (let n = 0; n < 6 && (await view()).phase !== "over"; n += 1) await act({ adjudicate: true });
    const now = await view();
    check(now.winner === "Amber" && now.desk.phase === "over", `${now.desk.phase} ${now.winner}`);
    await u.getByText("The campaign is over: Amber has won.").waitFor();
    await a.getByText("The campaign is over: Amber has won.").waitFor();
    const late = await api(a, `/api/desks/${made.id}/act`, { role: "Amber", act: { orders: "A1: hold", state: "confirmed" } });
    check(late.status === 422 && /campaign is over/.test(late.body.words) && /can still be read/.test(JSON.stringify(late.body)), JSON.stringify(late.body));
    check((await act({ adjudicate: true })).status === 422, "nothing more is adjudicated");
    const kept = await a.evaluate(() => Object.entries(localStorage).filter(([k]) => k.startsWith("orders ")).map(([, v]) => v).join());
    check(kept.includes("A1: hold"), "what was typed is not thrown away");
    for (const [p, who] of [[u, "umpire"], [a, "Amber"]]) { await accessible(p, `an ended campaign, ${who}`); await narrow(p, who); await shot(p, `camp-over-${who}`); }
    // A link that was ended says so, and nothing else.
    const links = await api(u, `/api/desks/${made.id}/link`, { of: "Amber", end: true });
    check(links.status === 200, JSON.stringify(links.body));
    await a.reload();
    await a.getByText(/mistyped, ended or handed on/).waitFor();
    check(a.wrong.length === 0 && u.wrong.length === 0, [...a.wrong, ...u.wrong].join());
  } finally {
    await b.close();
    await s.stop();
    s.clean();
  }
}

/** Two campaigns in which another nation gave other orders: a nation's page is the same, byte for byte. */
export async function campaign_sealed_orders() {
  const s = await serve();
  const b = await browser();
  try {
    const p = await page(b);
    const views = [];
    for (const other of [null, "A2: move to Ford", "A1: offer nothing at all"]) {
      const made = await campaign(p, s.address);
      for (const role of ["umpire", "Amber", "Basalt"]) check((await api(p, "/api/enter", { token: made.links[role].split("#")[1] })).status === 200, role);
      if (other) check((await api(p, `/api/desks/${made.id}/act`, { role: "Basalt", act: { orders: other, state: "submitted" } })).status === 200, "sent");
      views.push(JSON.stringify((await api(p, `/api/desks/${made.id}?role=Amber`)).body.view));
    }
    check(views[0] === views[1] && views[0] === views[2], "Amber learns something of Basalt's orders");
  } finally {
    await b.close();
    await s.stop();
    s.clean();
  }
}

/** What is wrong with a map is told; the largest map opens; a campaign begins from the lobby. */
export async function campaign_maps_and_speed() {
  const s = await serve();
  const b = await browser();
  try {
    const p = await page(b);
    await p.goto(`${s.address}/`);
    const files = Object.fromEntries(readdirSync(folder).filter((f) => f.endsWith(".toml")).map((f) => [f, readFileSync(new URL(f, folder), "utf8")]));
    const map = files["map.toml"];
    delete files["map.toml"];
    const open = (wish) => api(p, "/api/desks", { kind: "campaign", wish });
    check((await open({ map_text: map, nations: files })).status === 201, "a map of one's own");
    for (const without of [files["Amber.toml"].replace(/^capital.*\n/m, ""), files["Amber.toml"].replace(/^capital.*$/m, 'capital = "Nowhere"')]) {
      const bad = await open({ map_text: map, nations: { ...files, "Amber.toml": without } });
      check(bad.status === 422 && /Amber\.toml/.test(bad.body.words) && /capital/.test(bad.body.words), `a map without a capital: ${JSON.stringify(bad.body)}`);
    }
    for (const wish of [{}, { map: "evning" }, { map: "/etc" }, { map: "seed:x" }, { map_text: "", nations: {} }]) {
      const bad = await open(wish);
      check(bad.status === 422 && bad.body.words, `${JSON.stringify(wish)}: ${bad.status}`);
    }
    await p.getByRole("button", { name: /Begin a campaign/ }).click();
    await p.getByRole("button", { name: /The Evening Lake/ }).click();
    await p.locator(".campaign .nations li").first().waitFor();
    const made = await campaign(p, s.address, { map: "orrery" });
    const took = {};
    for (const role of ["umpire", "Caldrith"]) {
      const q = await page(b);
      await q.goto(`${s.address}${made.links[role]}`);
      await q.locator(".campaign .map svg").waitFor();
      const from = Date.now();
      await q.goto(`${s.address}/d/${made.id}?role=${role}`);
      await q.locator(".campaign .map svg").waitFor();
      took[role] = Date.now() - from;
      await narrow(q, role);
      await shot(q, `camp-orrery-${role}`);
      await q.context().close();
    }
    const view = (await api(p, `/api/library/campaign/maps`)).body.find((m) => m.name === "orrery");
    return `${view.nations.length} nations, ${view.places} places: the umpire's page is there in ${took.umpire} ms, a nation's in ${took.Caldrith} ms`;
  } finally {
    await b.close();
    await s.stop();
    s.clean();
  }
}
