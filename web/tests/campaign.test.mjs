// A campaign's pages: a season from orders typed on them to letters, one battle of it fought at the table.
import { readFileSync, readdirSync } from "node:fs";
import { accessible, api, browser, check, page, playOn, serve } from "./lib.mjs";

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
    // Both sides at the umpire's screen, to the end.
    await u.getByRole("button", { name: "To the table" }).click();
    await u.getByRole("button", { name: "Both sides at this screen" }).click();
    await u.waitForURL(new RegExp(id));
    await u.locator("svg.board").waitFor();
    await shot(u, "camp-table");
    // Some bounds of it; then the defender gives it up, so that this does not last for ever.
    const end = await playOn(u, id, ["Amber", "Basalt"], (at) => at.view.bound >= 8, 3000);
    if (!end.over) check((await api(u, `/api/games/${id}/resign`, { seat: "Basalt" })).status === 200, "given up");
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
    return `battle of ${end.view.bound} bounds at the table`;
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
