// Positions to study: set up with pieces from a box, asked, shared, played on; a moment of a battle opened there.
import { accessible, api, battle, browser, check, page, playOn, serve } from "./lib.mjs";

export async function a_position_is_studied() {
  const server = await serve();
  const b = await browser();
  try {
    for (const [width, height] of [[360, 740], [768, 1024], [1440, 900]]) {
      const p = await page(b, { viewport: { width, height } });
      await p.goto(`${server.address}/study`);
      await p.locator(".study .drawing img").waitFor();
      const text = () => p.locator(".study textarea.code").inputValue();
      // A piece out of the box, moved and turned by keys.
      await p.locator(".study .box select").nth(1).selectOption("Hero");
      await p.getByRole("button", { name: "put one" }).click();
      check((await text()).includes(`"A.Her1" = '1200 1200 0'`), await text());
      await p.locator(".study .drawing").focus();
      await p.keyboard.press("ArrowUp");
      await p.keyboard.press("e");
      check((await text()).includes(`"A.Her1" = '1200 1210 15'`), await text());
      // Two on one spot: told, and nothing is lost.
      await p.locator(".study textarea.code").fill((await text()).replace("1200 1210 15", "1120 1010 0"));
      await p.locator(".study .wrong").waitFor();
      const wrong = await p.locator(".study .wrong").textContent();
      check(/stands on A\.Bld1/.test(wrong) && (await text()).includes("A.Her1"), wrong);
      await p.reload();
      check((await text()).includes("1120 1010 0"), "what was set up is gone after a reload");
      await p.locator(".study textarea.code").fill((await text()).replace("1120 1010 0", "800 600 0"));
      await p.waitForFunction(() => !document.querySelector(".study .wrong"));
      // Asked.
      await p.locator(".study form input").fill("odds A.Bld1 v B.Spr1");
      await p.getByRole("button", { name: "ask", exact: true }).click();
      await p.locator(".study .answer").waitFor();
      check((await p.locator(".study .answer").textContent()).includes("pairs 36"), "no odds");
      await accessible(p, `the study at ${width}`);
      check((await p.evaluate(() => document.documentElement.scrollWidth)) <= width, `wider than ${width}`);
      if (process.env.SHOTS) await p.screenshot({ path: `${process.env.SHOTS}/study-${width}.png`, fullPage: true });
      // Shared: another browser has the same notes; a damaged link loses nothing.
      await p.getByRole("button", { name: "copy a link" }).click();
      const link = p.url();
      const q = await page(b, { viewport: { width, height } });
      await q.goto(link);
      check((await q.locator(".study textarea.code").inputValue()) === (await text()), "the shared notes are others");
      await q.goto(`${server.address}/study#n=!!!`);
      await q.reload();
      await q.locator(".study .wrong").waitFor();
      // Played on.
      await p.getByRole("button", { name: "play on from here" }).click();
      await p.locator("svg.board").waitFor();
      check(p.wrong.length === 0 && q.wrong.length === 0, [...p.wrong, ...q.wrong].join("\n"));
      await q.context().close();
      await p.context().close();
    }
  } finally {
    await b.close();
    await server.stop();
    server.clean();
  }
}

export async function a_moment_of_a_battle_has_a_link_and_is_studied() {
  const server = await serve();
  const b = await browser();
  try {
    const p = await page(b);
    await p.goto(server.address);
    const made = await battle(p);
    await p.goto(server.address + made.links.A);
    await p.locator("svg.board").waitFor();
    await playOn(p, made.id, ["A"], (t) => t.view.bound >= 2);
    await p.goto(`${server.address}/t/${made.id}?at=3`);
    await p.locator(".replay").waitFor();
    check((await p.locator(".replay span").textContent()).startsWith("3 /"), await p.locator(".replay").textContent());
    await p.locator(".replay").getByRole("link", { name: "Study this position" }).click();
    await p.locator(".study .drawing img").waitFor();
    // What one does not know stays unknown: the case is that of one's own view.
    const own = await api(p, `/api/games/${made.id}/case?at=3&seat=A`);
    check(own.status === 200, "no case of that moment");
    await p.getByRole("button", { name: "play on from here" }).click();
    await p.waitForFunction((id) => location.pathname.startsWith("/t/") && !location.pathname.endsWith(id), made.id);
    await p.locator("svg.board").waitFor();
    check(p.wrong.length === 0, p.wrong.join("\n"));
  } finally {
    await b.close();
    await server.stop();
    server.clean();
  }
}
