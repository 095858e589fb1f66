// The small suite that every change must pass: a whole battle against the computer, a phone, keys, accessibility.
import { accessible, api, battle, browser, check, clickOn, free, mainButton, over, page, serve } from "./lib.mjs";

export async function a_whole_battle_against_the_computer() {
  const server = await serve();
  const b = await browser();
  try {
    const p = await page(b);
    // Which armies meet, and on what ground, is not left to luck: some cannot come at each other at all.
    await p.addInitScript(() => {
      let n = 1;
      Math.random = () => (n = (n * 48271) % 2147483647) / 2147483647;
    });
    await p.goto(server.address);
    await accessible(p, "lobby");
    await p.getByRole("button", { name: "Play now against the computer" }).click();
    await p.locator("svg.board").waitFor();
    await accessible(p, "table");
    // The battle is fought by the main button alone: roll, deploy, end of step, fights.
    const clicks = await clickOn(p, () => over(p), 1500);
    const end = await p.locator(".wait b").textContent();
    check(end && end.length > 5, `no end is told: ${end}`);
    check(p.wrong.length === 0, p.wrong.join("\n"));
    return `${clicks} clicks; ${end}`;
  } finally {
    await b.close();
    await server.stop();
    server.clean();
  }
}

export async function a_phone_and_the_keyboard() {
  const server = await serve();
  const b = await browser();
  try {
    const p = await page(b, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
    await p.goto(server.address);
    const made = await battle(p, {}, undefined, 0, { quick: 2 });
    await p.goto(server.address + made.links.A);
    await p.locator("svg.board").waitFor();
    const wide = await p.evaluate(() => document.documentElement.scrollWidth);
    check(wide <= 360, `the page is ${wide} wide on a phone of 360`);
    // To the first moves, with the thumb.
    await clickOn(p, async () => (await p.locator(".steps .now").textContent()) === "moves" && (await mainButton(p)) !== null);
    const button = await (await mainButton(p)).boundingBox();
    check(button.y + button.height <= 740 && button.height >= 32, "the main button is out of the thumb's reach");
    await p.locator(".sheetb").first().tap();
    check(await p.locator(".rail.armies").isVisible(), "the armies come up as a sheet");
    await p.locator(".sheetb").first().tap();
    await accessible(p, "table on a phone");
    // Whoever is picked: the pad that nudges it lies within the page, not behind a scroll.
    await p.locator(`.piece[data-label="${await free(p, made.id, 30)}"]`).tap();
    const pad = await p.locator(".sel .nudge").last().boundingBox();
    check(pad.x >= 0 && pad.x + pad.width <= 360 && pad.y + pad.height <= 740, `the pad: ${JSON.stringify(pad)}`);
    const foot = await p.locator("footer.foot").boundingBox();
    const high = await p.locator("svg.board").boundingBox();
    check(high.height >= 345 && high.y + high.height <= foot.y + 1, `the board has ${high.height} left`);
    await p.keyboard.press("Escape");

    // The same battle with keys alone: a piece by Tab, a nudge, confirm, undo, end of step.
    const k = await page(b);
    await k.context().addCookies(await p.context().cookies());
    await k.goto(`${server.address}/t/${made.id}`);
    await k.locator(".piece.own").first().waitFor();
    await k.waitForFunction(() => document.querySelector(".acts .main"));
    const before = (await api(k, `/api/games/${made.id}`)).body.version;
    const label = await free(k, made.id, 30);
    await k.locator(`.piece[data-label="${label}"]`).focus();
    await k.keyboard.press("Enter");
    await k.locator(".sel .nudge").waitFor();
    for (let i = 0; i < 3; i += 1) await k.keyboard.press("ArrowUp");
    await k.locator(".ghostsay.ok, .ghostsay.no").first().waitFor();
    check(await k.locator(".ghostsay.ok").count(), `a step of 30p ahead: ${await k.locator(".ghostsay").textContent()}`);
    await k.locator(".sel .main:not([disabled])").waitFor();
    await k.keyboard.press("Enter");
    await k.waitForFunction((v) => fetch(`/api/games/${location.pathname.split("/")[2]}`).then((r) => r.json()).then((t) => t.version > v), before);
    await k.keyboard.press("u");
    await k.waitForFunction(() => fetch(`/api/games/${location.pathname.split("/")[2]}`).then((r) => r.json()).then((t) => t.view.elements.every((e) => (e.flags & 1) === 0 || !e.label.startsWith("A."))));
    check(k.wrong.length === 0 && p.wrong.length === 0, [...k.wrong, ...p.wrong].join("\n"));
  } finally {
    await b.close();
    await server.stop();
    server.clean();
  }
}
