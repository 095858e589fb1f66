// The report of a battle on hexes, and of a big one, as a page and as text with its pictures in one archive.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { api, battle, check, enter, page, within } from "./lib.mjs";

const LIST = "import sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print('\\n'.join(z.namelist())); print(z.read('report.md').decode())";

export const every_game_has_its_report = () =>
  within(async (server, b) => {
    const told = [];
    for (const [kind, level, armies] of [["heroes", "march", ["roman", "dacian"]], ["big", "random", ["old-guard", "two-rivers"]]]) {
      const p = await page(b);
      await p.goto(server.address);
      const made = await battle(p, { kind, seats: { A: `computer:${level}`, B: `computer:${level}` } }, armies, 2);
      await enter(p, made, ["spectator"]);
      for (let n = 0; n < 600 && !(await api(p, `/api/games/${made.id}`)).body.over; n += 1) await p.waitForTimeout(100);
      check((await api(p, `/api/games/${made.id}`)).body.over, `${kind} comes to its last bound`);
      await p.goto(`${server.address}/t/${made.id}`);
      const open = async () => { await p.keyboard.press("Escape"); await p.getByRole("button", { name: "Menu" }).click(); };
      await open();
      const [file] = await Promise.all([p.waitForEvent("download", { timeout: 60_000 }), p.getByRole("dialog").getByRole("button", { name: "Battle report" }).click()]);
      const text = readFileSync(await file.path(), "utf8");
      check(/<h2>Bound [12]\b/.test(text) && text.includes("data:image/svg+xml;base64,") && !/<script|https?:/.test(text), `${kind}: ${text.slice(0, 600)}`);
      await open();
      const [packed] = await Promise.all([p.waitForEvent("download", { timeout: 60_000 }), p.getByRole("dialog").getByRole("button", { name: "Report for a forum" }).click()]);
      const names = execFileSync("python3", ["-c", LIST, await packed.path()], { encoding: "utf8" });
      check(/^report\.md\npicture-\d\d\.png/.test(names) && /## Bound [12]\b/.test(names) && /!\[.*\]\(picture-\d\d\.png\)/.test(names), `${kind}: ${names.slice(0, 400)}`);
      check(p.wrong.length === 0, p.wrong.join("\n"));
      told.push(`${kind}: ${Math.round(text.length / 1024)} kB`);
      await p.context().close();
    }
    return told.join(", ");
  });
