// People at the table: by keys alone, by text alone, with somebody at the other end who is asked.
import { accessible, api, battle, browser, check, enter, over, page, playOn, within } from "./lib.mjs";

const tableOf = async (p, id, seat = "A") => (await api(p, `/api/games/${id}?seat=${seat}`)).body;

/** A whole battle with nothing but keys: the page is looked at, never clicked. */
async function byKeys(server, b, kind, armies, bounds) {
  const p = await page(b);
  await p.goto(server.address);
  const made = await battle(p, { kind }, armies, bounds, { quick: 3 });
  await p.goto(server.address + made.links.A);
  await p.locator("svg.board").waitFor();
  const id = made.id;
  const count = { keys: 0, moves: 0, charges: 0, mains: 0 };
  const press = async (key) => {
    await p.keyboard.press(key);
    count.keys += 1;
  };
  const settled = () => p.waitForFunction(() => document.querySelector(".acts .main:not([disabled])") !== null, null, { timeout: 30_000 });
  let paid = "";
  const until = Date.now() + 240_000;
  while (!(await over(p)) && Date.now() < until) {
    const t = await tableOf(p, id);
    if (!t.owes.some((o) => o.seat === "A")) {
      await p.waitForTimeout(60);
      continue;
    }
    await settled().catch(() => undefined);
    const bound = `${t.view.bound}`;
    if (t.view.phase === "moves" && paid !== bound && (await p.locator(".plan").count()) === 0) {
      // One piece goes to a place that matters: Tab to it, Enter, N for the next place, Enter.
      paid = bound;
      await p.evaluate(() => document.querySelector("svg.board .piece.own:not(.spent)")?.closest("svg")?.querySelectorAll(".piece")[0]?.blur());
      let found = false;
      for (let i = 0; i < 90 && !found; i += 1) {
        await press("Tab");
        found = await p.evaluate((n) => {
          const a = document.activeElement;
          const own = [...document.querySelectorAll(".piece.own:not(.spent)")];
          return own.length > 0 && a === own[n % own.length];
        }, t.view.bound);
      }
      if (found) {
        await press("Enter");
        await p.waitForFunction(() => document.querySelector("div.sel .docks button, div.sel .faint") !== null, null, { timeout: 8000 }).catch(() => undefined);
        await press("n");
        const ready = await p.waitForFunction(() => document.querySelector(".ghostsay.ok") !== null, null, { timeout: 2000 }).then(() => true, () => false);
        if (ready) {
          const words = await p.locator(".ghostsay").textContent();
          await press("Enter");
          const done = await p.waitForFunction(([id, v]) => fetch(`/api/games/${id}?seat=A`).then((r) => r.json()).then((t) => t.version > v || t.over), [id, t.version], { timeout: 5000 }).then(() => true, () => false);
          if (done) count.moves += 1;
          if (done && /[Cc]harge/.test(words)) count.charges += 1;
        }
      }
      for (let i = 0; i < 3; i += 1) await press("Escape");
      continue;
    }
    for (let i = 0; i < 2; i += 1) await press("Escape");
    const before = (await tableOf(p, id)).version;
    await press("Enter");
    const done = await p.waitForFunction(([id, v]) => fetch(`/api/games/${id}?seat=A`).then((r) => r.json()).then((t) => t.version > v || t.over), [id, before], { timeout: 4000 }).then(() => true, () => false);
    if (done) count.mains += 1;
  }
  check(await over(p), "no end by keys alone");
  check(count.moves > 2, `hardly anything moved: ${JSON.stringify(count)}`);
  check(p.wrong.length === 0, p.wrong.join("\n"));
  return `${count.keys} keys, ${count.moves} moves (${count.charges} charges), ${count.mains} times the main button`;
}
export const a_whole_battle_by_keys = () => within((server, b) => byKeys(server, b, "hott", ["lunar-empire", "pirates"], 12));
export const a_whole_big_battle_by_keys = () => within((server, b) => byKeys(server, b, "big", ["old-guard", "salt-crown"], 8));

export const a_whole_big_battle_by_text = () =>
  within(async (server, b) => {
    const p = await page(b);
    await p.goto(server.address);
    const made = await battle(p, { kind: "big" }, ["old-guard", "salt-crown"], 8, { quick: 3 });
    await p.goto(server.address + made.links.A);
    await p.locator("svg.board").waitFor();
    await p.keyboard.press("/");
    const line = p.getByRole("combobox", { name: "Type a command" });
    await line.waitFor();
    let typed = 0;
    let said = 0;
    let [bound, here] = ["", 0];
    for (let i = 0; i < 600 && !(await over(p)); i += 1) {
      const t = await tableOf(p, made.id);
      const owed = t.owes.find((o) => o.seat === "A");
      if (!owed) {
        await p.waitForTimeout(80);
        continue;
      }
      // What a player who does not see the board goes by: the list of pieces, and what may be done.
      const texts = (await api(p, `/api/games/${made.id}/candidates?seat=A&most=400`)).body.candidates.map((c) => c.do);
      if (bound !== `${t.view.bound}`) [bound, here] = [`${t.view.bound}`, 0];
      const longest = (some) => some.sort((a, b) => b.length - a.length)[0];
      const best =
        owed.stands ??
        texts.find((x) => x.startsWith("deployed")) ??
        longest(texts.filter((x) => x.startsWith("deploy "))) ??
        texts.find((x) => /^(roll|shoot|bespell|fight|assign|stronghold)\b/.test(x)) ??
        (here < 3 ? (texts.find((x) => x.startsWith("charge")) ?? longest(texts.filter((x) => /^(move .* ahead \d+|halt .*)$/.test(x)))) : undefined) ??
        texts.find((x) => x.startsWith("end")) ??
        texts[0];
      if (t.view.phase === "moves") here += 1;
      await line.fill(best);
      await line.press("Enter");
      typed += 1;
      await p.waitForFunction(([id, v]) => fetch(`/api/games/${id}?seat=A`).then((r) => r.json()).then((t) => t.version > v || t.over), [made.id, t.version], { timeout: 15_000 });
      if ((await p.locator(".line output").textContent({ timeout: 500 }).catch(() => ""))?.trim()) said += 1;
    }
    check(await over(p), "no end");
    check(said > typed / 2, `only ${said} of ${typed} commands were answered in words`);
    // The list tells of every piece with its place and its nearest enemy.
    await p.getByRole("tab", { name: "List" }).click();
    const words = await p.locator(".list li").first().textContent();
    check(/enemy .* \d+p, /.test(words), words);
    await accessible(p, "the list");
    check(p.wrong.length === 0, p.wrong.join("\n"));
    return `${typed} commands typed, ${said} answered in words`;
  });

/** Two people, each in a browser of his own, at a battle that is drawn up and in its moves. */
async function two(server, b, wish = {}, more = {}) {
  const one = await page(b);
  const other = await page(b);
  await one.goto(server.address);
  await other.goto(server.address);
  const made = await battle(one, { seats: {}, ...wish }, ["lunar-empire", "pirates"], 0, { quick: 2, ...more });
  await enter(one, made, ["A"]);
  await enter(other, made, ["B"]);
  const step = async (until) => {
    for (let i = 0; i < 400; i += 1) {
      const t = await tableOf(one, made.id);
      if (await until(t)) return t;
      const seat = t.owes[0]?.seat;
      const p = seat === "A" ? one : other;
      await playOn(p, made.id, [seat], async (x) => !x.owes.some((o) => o.seat === seat) || (await until(await tableOf(one, made.id))));
    }
    throw new Error("it does not come to that");
  };
  const open = async () => {
    for (const p of [one, other]) {
      await p.goto(`${server.address}/t/${made.id}`);
      await p.locator(".piece").first().waitFor();
    }
  };
  return { one, other, id: made.id, step, open };
}

export const undo_is_asked_of_the_opponent = () =>
  within(async (server, b) => {
    const { one, other, id, step, open } = await two(server, b);
    await step((t) => t.view.phase === "moves" && t.owes[0]?.seat === "A");
    await open();
    await one.getByRole("button", { name: /^End moves/ }).click();
    await one.waitForFunction((id) => fetch(`/api/games/${id}`).then((r) => r.json()).then((t) => !(t.view.phase === "moves" && t.owes.some((o) => o.seat === "A"))), id);
    const t = await tableOf(one, id);
    // B's bound has begun and its die is cast: from there A cannot take back alone.
    await step((x) => x.view.phase === "moves" && x.owes[0]?.seat === "B");
    const later = await tableOf(one, id);
    check(later.version > t.version - 1, "nothing happened");
    const asked = await api(one, `/api/games/${id}/undo`, { seat: "A" });
    check(asked.status === 202, `undo: ${asked.status} ${JSON.stringify(asked.body)}`);
    await other.locator(".proposal", { hasText: /A/ }).waitFor();
    const words = (await other.locator(".proposal").first().textContent()).trim();
    await other.locator(".proposal").getByRole("button", { name: "No" }).click();
    await other.locator(".proposal").waitFor({ state: "detached" });
    check((await tableOf(one, id)).version === later.version, "refused, and yet taken back");
    await api(one, `/api/games/${id}/undo`, { seat: "A" });
    await other.locator(".proposal").getByRole("button", { name: "Agree" }).click();
    await one.waitForFunction((id) => fetch(`/api/games/${id}`).then((r) => r.json()).then((t) => t.owes.some((o) => o.seat === "A")), id);
    check(one.wrong.length + other.wrong.length === 0, [...one.wrong, ...other.wrong].join("\n"));
    return words.replace(/\s+/g, " ");
  });

export const by_post_a_bound_is_handed_over_with_a_note = () =>
  within(async (server, b) => {
    const { one, other, id, step, open } = await two(server, b, { pace: "post" });
    await step((t) => t.view.phase === "moves" && t.owes[0]?.seat === "A");
    await open();
    const title = await one.title();
    check(title.startsWith("●"), `the title does not tell whose turn it is: ${title}`);
    for (let i = 0; i < 12 && (await tableOf(one, id)).owes.some((o) => o.seat === "A"); i += 1) {
      await one.locator(".acts button.main:not([disabled])").click({ timeout: 3000 }).catch(() => undefined);
      await one.waitForTimeout(150);
    }
    // The opponent's die is cast with it: the note names his PIPs and has the link.
    await one.locator(".handed").waitFor();
    const note = (await one.locator(".handed").textContent()).trim();
    check(/you have \d PIP/.test(note) && note.includes(`/t/${id}`), note);
    check(!(await one.title()).startsWith("●") && (await other.title()).startsWith("●"), "the titles do not change");
    await one.getByRole("button", { name: /Copy a note/ }).click();
    check(one.wrong.length + other.wrong.length === 0, [...one.wrong, ...other.wrong].join("\n"));
    return note.replace(/http\S+/, "LINK").replace(/Copy.*|Copied.*/, "");
  });

export const who_comes_back_sees_what_happened = () =>
  within(async (server, b) => {
    const { one, other, id, step, open } = await two(server, b);
    await step((t) => t.view.phase === "moves" && t.owes[0]?.seat === "A");
    await open();
    await one.waitForTimeout(500);
    await one.goto("about:blank");
    // The other side's bound passes while nobody looks.
    const p = await page(b);
    await p.context().addCookies(await one.context().cookies());
    await p.goto(server.address);
    await playOn(p, id, ["A"], (t) => t.owes.every((o) => o.seat !== "A"));
    await playOn(other, id, ["B"], (t) => t.owes.every((o) => o.seat !== "B"));
    await one.goto(`${server.address}/t/${id}`);
    await one.getByText("Since you left").waitFor();
    const start = Date.now();
    await one.getByRole("button", { name: "Show" }).click();
    await one.locator(".replay").waitFor();
    await one.locator(".replay").waitFor({ state: "detached", timeout: 25_000 });
    const took = (Date.now() - start) / 1000;
    check(took <= 21, `it took ${took} s`);
    return `${took.toFixed(1)} s`;
  });

export const ruler_and_sight_in_two_clicks = () =>
  within(async (server, b) => {
    const { one, id, step, open } = await two(server, b);
    const t = await step((t) => t.view.phase === "moves" && t.owes[0]?.seat === "A");
    await open();
    const [mine, foe] = ["A.", "B."].map((s) => t.view.elements.find((e) => e.label.startsWith(s) && e.fate === "table" && !e.general).label);
    const middle = async (l) => {
      const box = await one.locator(`.piece[data-label="${l}"]`).boundingBox();
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    // Beside a piece that is held: its way to an enemy in two clicks from the start.
    await one.getByRole("button", { name: "Ruler" }).click();
    const [a, c] = [await middle(mine), await middle(foe)];
    await one.mouse.move(...a);
    await one.mouse.down();
    await one.mouse.move(...c, { steps: 4 });
    await one.mouse.up();
    await one.locator("text.tape", { hasText: /\d+p, (in|out of) sight/ }).waitFor({ state: "attached" });
    const said = await one.locator("text.tape").textContent();
    const far = (await api(one, `/api/games/${id}/ask`, { seat: "A", question: `range ${mine} ${foe}` })).body.answer[0];
    check(Math.abs(Number(/(\d+)p/.exec(said)[1]) - Number(far.split(" ")[1])) <= 1, `${said} and ${far}`);
    await one.getByRole("button", { name: "Ruler" }).click();
    await one.locator(`.piece[data-label="${mine}"]`).click();
    await one.getByLabel("Show").selectOption("sight");
    await one.locator("line.sight").first().waitFor({ state: "attached" });
    const foes = t.view.elements.filter((e) => e.label.startsWith("B.") && e.fate === "table").length;
    await one.waitForFunction((n) => document.querySelectorAll("line.sight").length === n, foes);
    // While it is dragged: to its general and the nearest enemies.
    await one.keyboard.press("ArrowUp");
    await one.locator(".far span").first().waitFor();
    return `${said}; ${(await one.locator(".far").textContent()).trim()}`;
  });

export const a_contact_tells_all_before_it_is_made = () =>
  within(async (server, b) => {
    const { one, other, id, step, open } = await two(server, b);
    const t = await step((t) => t.view.phase === "moves" && t.owes[0]?.seat === "A" && t.view.commands[0].pips > 1);
    const foot = (s) => t.view.elements.filter((e) => e.label.startsWith(s) && e.fate === "table" && ["Bld", "Spr", "Kni", "Rid", "Hrd", "Wbd", "Her", "Pal"].includes(e.type));
    const [mine, [foe, beside]] = [foot("A.")[0], foot("B.")];
    const set = async (who, place) => {
      const asked = await api(one, `/api/games/${id}/propose`, { seat: "A", what: "ruling", do: `ruling set ${who.label} at ${place}`, reason: "" });
      if (asked.status === 202) {
        const n = (await tableOf(other, id, "B")).proposals[0].n;
        await api(other, `/api/games/${id}/agree`, { proposal: n, agree: true });
      }
    };
    const wide = foe.size[0] / 100;
    await set(foe, "1000 1100 180");
    await set(beside, `${1000 + wide} 1100 180`);
    await set(mine, "1000 950 0");
    await open();
    await one.locator(`.piece[data-label="${mine.label}"]`).click();
    await one.locator(".docks .contact").first().waitFor();
    await one.locator(".docks .contact").first().hover();
    await one.locator(".pairs").waitFor();
    const words = await one.locator(".pairs").textContent();
    check(/Then fight: /.test(words), words);
    check((await one.locator("line.fight.would").count()) >= 1, "no line to whom it would fight");
    // The odds count who overlaps there, which only shows once it stands there.
    await one.locator(".legend li").first().waitFor();
    const column = await one.locator(".card2 .col").first().textContent();
    check(/overlapped/.test(column), column);
    check((await tableOf(one, id)).view.elements.find((e) => e.label === mine.label).place[1] === 95000, "pointing moved it");
    return `${words.trim()} ${column.replace(/\s+/g, " ")}`;
  });

export const played_differently_from_a_rule_and_as_a_case = () =>
  within(async (server, b) => {
    const { one, other, id, step, open } = await two(server, b);
    const t = await step((t) => t.view.phase === "moves" && t.owes[0]?.seat === "A" && t.view.commands[0].pips > 0);
    await open();
    // From a rule in the log, past its options, to a piece that is set by consent.
    await one.locator(".log .link").first().waitFor({ timeout: 1500 }).catch(() => undefined);
    const link = one.locator(".log .link").first();
    if (await link.count()) {
      await link.click();
      await one.locator("dialog.rule").getByRole("button", { name: "We play it differently" }).click();
    } else {
      await one.getByRole("button", { name: "Menu" }).click();
      await one.getByRole("button", { name: "We play it differently" }).click();
    }
    const mine = t.view.elements.find((e) => e.label.startsWith("A.") && e.fate === "table");
    await one.getByLabel("What is ruled").selectOption("set");
    await one.locator("form.ruling select").nth(1).selectOption(mine.label);
    await one.locator("form.ruling input").first().fill("1000 700 0");
    await one.getByLabel("Reason").fill("it stood there");
    const [file] = await Promise.all([one.waitForEvent("download"), one.locator("form.ruling").getByRole("link", { name: "The position as a case" }).click()]);
    check((await file.path()) !== null, "no case");
    await one.getByRole("button", { name: "Propose" }).click();
    await other.locator(".proposal", { hasText: "it stood there" }).waitFor();
    await other.getByRole("button", { name: "Agree" }).click();
    await one.waitForFunction(([id, l]) => fetch(`/api/games/${id}`).then((r) => r.json()).then((t) => t.view.elements.find((e) => e.label === l).place[1] === 70000), [id, mine.label]);
    await one.locator(".log p", { hasText: "Ruling" }).first().waitFor();
    // PIPs and a result as well; what cannot be is refused in words and changes nothing.
    const bad = await api(one, `/api/games/${id}/propose`, { seat: "A", what: "ruling", do: "ruling set A.Xyz9 at 1 1 0", reason: "" });
    check(bad.status === 422 && bad.body.words.length > 10, JSON.stringify(bad.body));
    check(one.wrong.length + other.wrong.length === 0, [...one.wrong, ...other.wrong].join("\n"));
    return (await one.locator(".log p", { hasText: "Ruling" }).first().textContent()).trim();
  });

export const a_battle_without_aids = () =>
  within(async (server, b) => {
    const { one, id, step, open } = await two(server, b, { without: ["odds", "reach", "hints"] });
    const t = await step((t) => t.view.phase === "moves" && t.owes[0]?.seat === "A");
    const asked = await api(one, `/api/games/${id}/ask`, { seat: "A", question: "odds A.Kni1 v B.Bld1" });
    check(asked.status === 403 && asked.body.error === "aid", JSON.stringify(asked.body));
    const tried = await api(one, `/api/games/${id}/preview`, { seat: "A", do: "end moves", ask: ["odds A.Kni1 v B.Bld1"] });
    check(tried.status === 403, JSON.stringify(tried.body));
    await open();
    await one.locator(`.piece[data-label="${t.view.elements.find((e) => e.label.startsWith("A.") && e.fate === "table").label}"]`).click();
    await one.waitForTimeout(800);
    check((await one.locator(".dock").count()) === 0, "places are shown");
    const shows = await one.locator(".overlays option").allTextContents();
    check(!shows.join().includes("threat zones"), shows.join());
    check(one.wrong.length === 0, one.wrong.join("\n"));
  });

export const a_stranger_fights_within_a_minute = () =>
  within(async (server, b) => {
    const p = await page(b);
    const start = Date.now();
    await p.goto(server.address);
    const bytes = await p.evaluate(() => performance.getEntriesByType("resource").concat(performance.getEntriesByType("navigation")).reduce((n, r) => n + (r.transferSize ?? 0), 0));
    await p.getByRole("button", { name: "Play now against the computer" }).click();
    await p.locator("svg.board").waitFor();
    // Whoever has read nothing clicks the blue button, and in his moves a piece and a place.
    let clicks = 1;
    let moved = false;
    let tried = 0;
    while (!moved && Date.now() - start < 60_000) {
      const now = await p.locator(".steps .now").textContent().catch(() => "");
      const main = p.locator(".acts .main:not([disabled])").first();
      if (!(await main.count())) {
        await p.waitForTimeout(60);
        continue;
      }
      clicks += 1;
      if (now !== "moves") {
        await main.click({ timeout: 2000 }).catch(() => undefined);
        continue;
      }
      const id = new URL(p.url()).pathname.split("/")[2];
      const before = (await api(p, `/api/games/${id}`)).body.version;
      // Where one piece has nowhere to go another is tried.
      const own = p.locator(".piece.own:not(.spent)");
      await own.nth(tried % Math.max(1, await own.count())).click({ timeout: 2000 }).catch(() => undefined);
      tried += 1;
      const place = p.locator(".docks button").first();
      if (await place.waitFor({ timeout: 5000 }).then(() => true, () => false)) {
        clicks += 1;
        await place.click().catch(() => undefined);
        moved = await p.waitForFunction(([id, v]) => fetch(`/api/games/${id}`).then((r) => r.json()).then((t) => t.version > v), [id, before], { timeout: 5000 }).then(() => true, () => false);
      }
    }
    const took = (Date.now() - start) / 1000;
    check(moved, `no move within a minute, after ${clicks} clicks`);
    check(clicks <= 10, `${clicks} clicks to the first move`);
    check(process.env.MUSTER_PAGE || bytes < 200_000, `first load ${bytes} bytes`);
    return `first move after ${clicks} clicks and ${took.toFixed(1)} s; first load ${(bytes / 1000).toFixed(0)} kB`;
  });

export const a_phone_has_the_tools_in_its_menu = () =>
  within(async (server, b) => {
    const { one, id, step } = await two(server, b);
    await step((t) => t.view.phase === "moves" && t.owes[0]?.seat === "A");
    const p = await page(b, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
    await p.context().addCookies(await one.context().cookies());
    await p.goto(`${server.address}/t/${id}`);
    await p.locator(".piece").first().waitFor();
    await p.getByRole("button", { name: "Menu" }).tap();
    await p.locator("dialog.menu .narrow select").selectOption("zones");
    await p.locator(".overlay.zone").first().waitFor({ state: "attached" });
    await p.getByRole("button", { name: "Menu" }).tap();
    await accessible(p, "the menu on a phone");
    await p.locator("dialog.menu .narrow").getByRole("button", { name: "Ruler" }).tap();
    await p.locator("svg.board.ruler").waitFor();
    check((await p.evaluate(() => document.documentElement.scrollWidth)) <= 360, "the page is too wide");
    check(p.wrong.length === 0, p.wrong.join("\n"));
  });
