// Pictures of the main pages at four sizes, light and dark: cargo xtask shots DIR.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { api, battle, browser, enter, mainButton, page, playOn, rule, serve, toMoves, view } from "./lib.mjs";

const SIZES = [[360, 740], [820, 1180], [1440, 900], [2560, 1440]];

/** Plays on with main buttons until a step of a bound. */
async function until(p, step, bound) {
  for (let i = 0; i < 900; i += 1) {
    const now = await p.locator(".steps .now").textContent().catch(() => "");
    const turn = await p.locator(".turn b").textContent().catch(() => "");
    const mine = (await mainButton(p)) !== null;
    if (mine && now === step && Number(/\d+/.exec(turn)?.[0] ?? 0) >= bound) return;
    if (await p.locator(".wait b").count()) return;
    const b = await mainButton(p);
    if (b && now === "moves") {
      // Into contact wherever one can, so that there is something to see.
      const id = new URL(p.url()).pathname.split("/")[2];
      const found = await api(p, `/api/games/${id}/candidates?seat=A&begin=charge`);
      const charge = found.body?.candidates?.[0];
      if (charge) {
        await api(p, `/api/games/${id}/command`, { seat: "A", do: charge.do, expected: found.body.version });
        await p.waitForTimeout(100);
        continue;
      }
    }
    if (b) await b.click({ timeout: 2000 }).catch(() => undefined);
    await p.waitForTimeout(60);
  }
}
/** Two lines met in the middle, for the picture of the README: a fight chosen, with who overlaps and supports. */
async function met(p) {
  const scenario = (await api(p, "/api/library/hott/scenarios")).body.find((s) => s.name === "the-ridge");
  const made = await battle(p, { title: "The ridge", seats: {} }, ["northern-league", "dwarf-hold"], 24, { more: scenario.more });
  await enter(p, made, ["A", "B"]);
  await toMoves(p, made.id);
  const rank = async (side, y, heading, places) => {
    for (const [label, x, back = 0] of places) await rule(p, made.id, `set ${side}.${label} at ${x} ${y + (heading === 0 ? -back : back)} ${heading}`);
  };
  await rank("A", 1080, 0, [["Kni2", 680], ["Kni3", 840], ["Spr1", 1000], ["Spr2", 1160], ["Spr3", 1320], ["Spr4", 1160, 60], ["Sht1", 1000, 160], ["Rid1", 1560, 40], ["Kni1", 1320, 200], ["Sht2", 1160, 200], ["Wbd1", 480, 120], ["Kni4", 1740, 60]]);
  await rank("B", 1210, 180, [["Bld2", 680], ["Bld3", 1000], ["Bld4", 1160], ["Bld5", 1320], ["Beh1", 1480], ["Bld1", 1000, 120], ["Sht1", 700, 150], ["Sht2", 1320, 150]]);
  const gives = async (seat, text) => {
    const at = await view(p, made.id, seat);
    return (await api(p, `/api/games/${made.id}/command`, { seat, do: text, expected: at.version })).status === 200;
  };
  // Nobody moves for a bound; then A comes on, by the page's own commands.
  for (let i = 0; i < 80; i += 1) {
    const at = await view(p, made.id);
    const owed = at.owes[0];
    if (at.view.bound >= 3 || !owed) break;
    const found = (await api(p, `/api/games/${made.id}/candidates?seat=${owed.seat}`)).body.candidates.map((c) => c.do);
    await gives(owed.seat, at.view.phase === "moves" ? "end moves" : (found.find((x) => /^(shoot|fight)/.test(x)) ?? found.find((x) => x.startsWith("end")) ?? found[0]));
  }
  await rule(p, made.id, "pips A 6");
  for (const text of ["charge Spr2 Spr1 Spr3 Spr4 front B.Bld4", "charge Kni2 Kni3 front B.Bld2"]) if (!(await gives("A", text))) console.error(`not done: ${text}`);
  await gives("A", "end moves");
  await playOn(p, made.id, ["A", "B"], (t) => t.view.phase === "combat");
  return made;
}
export async function shots(folder, only = "") {
  mkdirSync(folder, { recursive: true });
  const server = await serve();
  const b = await browser();
  const said = [];
  try {
    const p = await page(b);
    await p.goto(server.address);
    const made = await battle(p, { title: "Moon against the sea" });
    await p.goto(server.address + made.links.A);
    await p.locator("svg.board").waitFor();
    const shoot = async (name, prepare = async () => undefined) => {
      if (only && !name.startsWith(only)) return;
      for (const [width, height] of SIZES) {
        await p.setViewportSize({ width, height });
        for (const scheme of ["light", "dark"]) {
          await p.emulateMedia({ colorScheme: scheme });
          // The ground is drawn anew for each scheme.
          await p.waitForTimeout(700);
          await prepare(width);
          const path = join(folder, `${name}-${width}-${scheme}.png`);
          await p.screenshot({ path });
          said.push(path);
        }
      }
      await p.emulateMedia({ colorScheme: "light" });
      await p.setViewportSize({ width: 1440, height: 900 });
    };
    if (only !== "readme") await until(p, "moves", 2);
    await shoot("moves");
    const own = p.locator(".piece.own");
    await own.nth(3).click({ force: true }).catch(() => undefined);
    await p.waitForTimeout(1500);
    await shoot("selected");
    await p.keyboard.press("r");
    await p.waitForTimeout(500);
    await shoot("reach");
    await p.keyboard.press("r");
    await p.keyboard.press("Escape");
    if (only !== "readme") await until(p, "combat", 1);
    const fight = p.locator(".fights ol button").first();
    if (await fight.count()) await fight.click();
    await p.waitForTimeout(600);
    await shoot("fight", async (w) => {
      if (w < 960 && !(await p.locator(".table.right").count())) await p.locator(".sheetb").last().click();
    });
    if (!only || "readme".startsWith(only)) {
      const q = await page(b, { viewport: { width: 1280, height: 800 } });
      await q.goto(server.address);
      const two = await met(q);
      // Seen by one of the two, who chooses the fight in the middle.
      const one = await page(b, { viewport: { width: 1280, height: 800 } });
      await one.goto(server.address);
      await enter(one, two, ["A"]);
      await one.goto(`${server.address}/t/${two.id}`);
      await one.locator(".fights ol button", { hasText: "Spear 2" }).click();
      await one.locator(".bars").waitFor();
      for (let i = 0; i < 2; i += 1) await one.locator('.tools [aria-label="Closer"]').click();
      await one.waitForTimeout(900);
      const path = join(folder, "readme.png");
      await one.screenshot({ path });
      said.push(path);
    }
    // The defender lays his ground.
    const laid = await battle(p, { title: "Ground", seats: {} }, ["lunar-empire", "pirates"], 0, { more: { defender: "A" } });
    await p.goto(server.address + laid.links.A);
    await p.getByRole("button", { name: "Lay it by hand" }).click();
    await p.waitForTimeout(800);
    await shoot("ground");
    await p.goto(server.address);
    await p.waitForTimeout(600);
    await shoot("lobby");
    await p.getByRole("button", { name: "Set up a battle" }).click();
    await shoot("setup");
    await api(p, "/api/mine");
  } finally {
    await b.close();
    await server.stop();
    server.clean();
  }
  console.log(`${said.length} pictures in ${folder}`);
}
