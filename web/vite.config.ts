import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

// The built page is embedded in the binary by crates/server/build.rs.
export default defineConfig({
  plugins: [svelte()],
  build: { outDir: "../crates/server/dist", emptyOutDir: true, target: "es2022", assetsInlineLimit: 0 },
  server: { proxy: { "/api": "http://127.0.0.1:7280" } },
});
