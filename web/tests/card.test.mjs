// The fight card by itself, beside a real table, on a phone, a tablet and a wide screen.
import { accessible, browser, check, page, serve } from "./lib.mjs";

export async function the_fight_card_stands_alone() {
  const server = await serve();
  const b = await browser();
  try {
    for (const [width, height] of [[360, 740], [768, 1024], [1440, 900]]) {
      const p = await page(b, { viewport: { width, height } });
      await p.goto(`${server.address}/card?a=Blade&b=Knight`);
      const sums = () => p.locator(".lone .sum").allTextContents();
      await p.locator(".lone .sum").first().waitFor();
      check((await sums()).join() === "+3,+3", `a Blade against a Knight: ${await sums()}`);
      await p.locator(".lone .col").first().getByRole("button", { name: "general", exact: true }).click();
      await p.waitForFunction(() => document.querySelector(".lone .sum")?.textContent === "+4");
      const dice = p.locator(".lone input[type=number]");
      await dice.nth(0).fill("1");
      await dice.nth(1).fill("6");
      await p.locator(".lone .result").waitFor();
      const told = await p.locator(".lone .result").textContent();
      check(/5.*9/.test(told) && told.includes("recoils"), told);
      // The address leads to the same fight.
      check(p.url().includes("with=general"), p.url());
      await p.reload();
      await p.waitForFunction(() => document.querySelector(".lone .sum")?.textContent === "+4");
      await p.locator(".lone ul .link").first().click();
      await p.locator("dialog.rule").waitFor();
      await p.keyboard.press("Escape");
      check((await p.evaluate(() => document.documentElement.scrollWidth)) <= width, `wider than ${width}`);
      await accessible(p, `the fight card at ${width}`);
      check(p.wrong.length === 0, p.wrong.join("\n"));
      if (process.env.SHOTS) await p.screenshot({ path: `${process.env.SHOTS}/card-${width}.png`, fullPage: true });
      await p.context().close();
    }
  } finally {
    await b.close();
    await server.stop();
    server.clean();
  }
}
