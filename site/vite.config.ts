import { defineConfig } from "vite";
import type { Plugin } from "vite";
import { afterwards } from "./build/afterwards.ts";

const root = import.meta.dirname;

/** Puts scripts and styles into the page itself. */
function single(): Plugin {
  return {
    name: "single-file",
    enforce: "post",
    generateBundle(_, bundle) {
      const page = bundle["report.html"];
      if (page?.type !== "asset") throw new Error("there is no report.html");
      let html = String(page.source);
      for (const [name, file] of Object.entries(bundle)) {
        if (name === "report.html") continue;
        const at = name.replaceAll(".", "\\.");
        if (file.type === "chunk") {
          const code = file.code.replaceAll("</script", "<\\/script");
          html = html.replace(new RegExp(`<script[^>]*src="\\./${at}"[^>]*></script>`), "");
          html = html.replace("</body>", () => `<script type="module">${code}</script></body>`);
        } else if (name.endsWith(".css")) {
          html = html.replace(new RegExp(`<link[^>]*href="\\./${at}"[^>]*>`), () => `<style>${String(file.source)}</style>`);
        }
        delete bundle[name];
      }
      page.source = html;
    },
  };
}

/** The site; `--mode report` adds the report, the manual's pages, and the list of what works offline. */
export default defineConfig(({ mode }) => {
  const isReport = mode === "report";
  return {
    root,
    base: "./",
    publicDir: isReport ? false : "public",
    build: {
      outDir: "../target/web",
      emptyOutDir: !isReport,
      target: "es2022",
      modulePreload: { polyfill: false },
      cssCodeSplit: !isReport,
      rollupOptions: { input: isReport ? "report.html" : "index.html" },
    },
    worker: { format: "es" },
    plugins: isReport ? [single(), afterwards(root)] : [],
  };
});
