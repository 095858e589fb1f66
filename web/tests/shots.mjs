// Pictures of the main pages at four sizes, light and dark: cargo xtask shots DIR.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { api, battle, browser, mainButton, page, serve } from "./lib.mjs";

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
    await until(p, "moves", 2);
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
    await until(p, "combat", 1);
    const fight = p.locator(".fights ol button").first();
    if (await fight.count()) await fight.click();
    await p.waitForTimeout(600);
    await shoot("fight", async (w) => {
      if (w < 960 && !(await p.locator(".table.right").count())) await p.locator(".sheetb").last().click();
    });
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
