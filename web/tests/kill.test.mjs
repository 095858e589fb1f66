// The server's process is killed a hundred times under play; every acknowledged command is there afterwards.
import { check, serve } from "./lib.mjs";

const post = async (base, path, body, cookie) => {
  const r = await fetch(base + path, { method: "POST", headers: { "content-type": "application/json", cookie: cookie ?? "" }, body: JSON.stringify(body) });
  return { status: r.status, body: await r.json(), cookie: (r.headers.get("set-cookie") ?? "").split(";")[0] };
};
const get = async (base, path, cookie) => (await fetch(base + path, { headers: { cookie } })).json();

export async function a_hundred_kills() {
  let server = await serve();
  const { db } = server;
  const games = [];
  let acknowledged = 0;
  const open = async () => {
    const setup = await post(server.address, "/api/library/hott/setup", { armies: ["lunar-empire", "pirates"], bound_limit: 0 });
    const made = await post(server.address, "/api/games", { kind: "hott", title: "kill", setup: setup.body });
    let cookie = "";
    for (const seat of ["A", "B"]) cookie = (await post(server.address, "/api/enter", { token: made.body.links[seat].split("#")[1] }, cookie)).cookie || cookie;
    return { id: made.body.id, cookie, items: { A: [], B: [] } };
  };
  for (let i = 0; i < 4; i += 1) games.push(await open());
  for (let n = 0; n < 100; n += 1) {
    let going = true;
    const play = async (game, salt) => {
      for (let i = 0; going; i += 1) {
        try {
          const table = await get(server.address, `/api/games/${game.id}`, game.cookie);
          if (table.over) return;
          const seat = table.owes[0].seat;
          const all = await get(server.address, `/api/games/${game.id}/candidates?seat=${seat}&most=60`, game.cookie);
          const text = all.candidates[(salt * 7 + i * 5) % all.candidates.length].do;
          const done = await post(server.address, `/api/games/${game.id}/command`, { seat, do: text, expected: all.version }, game.cookie);
          if (done.status === 200) {
            game.items[seat].push(...done.body.items);
            acknowledged += 1;
          }
        } catch {
          return;
        }
      }
    };
    const hands = games.map((g, i) => play(g, n + i));
    await new Promise((r) => setTimeout(r, 60 + ((n * 37) % 180)));
    await server.stop("SIGKILL");
    going = false;
    await Promise.all(hands);
    server = await serve(db);
    for (const [i, game] of games.entries()) {
      for (const seat of ["A", "B"]) {
        const record = await (await fetch(`${server.address}/api/games/${game.id}/record?seat=${seat}`, { headers: { cookie: game.cookie } })).text();
        const kept = new Set(record.split("\n").map((l) => { try { const x = JSON.parse(l); return `${x.n} ${JSON.stringify(x.event ?? null)}`; } catch { return ""; } }));
        const table = await get(server.address, `/api/games/${game.id}?seat=${seat}`, game.cookie);
        if (table.over) continue;
        for (const item of game.items[seat]) {
          check(kept.has(`${item.n} ${JSON.stringify(item.event ?? null)}`), `kill ${n + 1}: acknowledged and gone: ${JSON.stringify(item)}`);
        }
      }
      const now = await get(server.address, `/api/games/${game.id}`, game.cookie);
      if (now.over) games[i] = await open();
    }
  }
  await server.stop();
  server.clean();
  return `${acknowledged} commands acknowledged under 100 kills, all there`;
}
