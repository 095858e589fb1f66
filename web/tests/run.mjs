// node web/tests/run.mjs smoke | long | shots DIR | NAME …
import { readdirSync } from "node:fs";

const [first = "smoke", ...rest] = process.argv.slice(2);
if (first === "shots") {
  const { shots } = await import("./shots.mjs");
  await shots(rest[0] ?? "out/shots", rest[1] ?? "");
} else {
  const files = readdirSync(new URL(".", import.meta.url)).filter((f) => f.endsWith(".test.mjs"));
  const tests = [];
  for (const file of files.sort()) {
    const found = await import(`./${file}`);
    for (const [name, test] of Object.entries(found)) tests.push({ name, test, set: file.startsWith("smoke") ? "smoke" : "long" });
  }
  const wanted = tests.filter((t) => t.set === first || [first, ...rest].includes(t.name));
  if (wanted.length === 0) {
    console.error(`no such test: ${first}; there are smoke, long, ${tests.map((t) => t.name).join(", ")}`);
    process.exit(2);
  }
  let failed = 0;
  for (const { name, test } of wanted) {
    const start = Date.now();
    try {
      const said = await test();
      console.log(`ok    ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)${said ? `: ${said}` : ""}`);
    } catch (e) {
      failed += 1;
      console.log(`FAIL  ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)\n${e.stack}`);
    }
  }
  process.exit(failed ? 1 : 0);
}
