import type { Plugin } from "vite";
import { defineConfig } from "vite";
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
          html = html.replace(
            new RegExp(`<link[^>]*href="\\./${at}"[^>]*>`),
            () => `<style>${String(file.source)}</style>`,
          );
        }
        delete bundle[name];
      }
      page.source = html;
    },
  };
}

/** The files of the page that is part of the program have fixed names, so that a change shows as one. */
const fixed = { entryFileNames: "page.js", chunkFileNames: "[name].js", assetFileNames: "page[extname]" };

/** The site. `--mode report` adds the report, the manual's pages, and the list of what works offline. `--mode served` makes the page that
 * is part of the program, in which the program answers, and `--mode served-report` the report that is. */
export default defineConfig(({ mode }) => {
  const isReport = mode.endsWith("report");
  const isServed = mode.startsWith("served");
  return {
    root,
    base: "./",
    publicDir: isReport ? false : "public",
    build: {
      outDir: isServed ? (process.env.KANSHAPE_PAGE ?? "../crates/kanshape-cli/site") : "../target/web",
      // Beside what is built there are models.
      emptyOutDir: !isReport && !isServed,
      target: "es2022",
      modulePreload: { polyfill: false },
      cssCodeSplit: !isReport,
      rollupOptions: {
        input: isReport ? "report.html" : "index.html",
        ...(isServed && !isReport ? { output: fixed } : {}),
      },
    },
    resolve: isServed ? { alias: [{ find: /^\.\/runs$/, replacement: `${root}/src/asks.ts` }] } : {},
    worker: {
      format: "es" as const,
      ...(isServed ? { rollupOptions: { output: { entryFileNames: "[name].js" } } } : {}),
    },
    plugins: isReport ? (isServed ? [single()] : [single(), afterwards(root)]) : [],
  };
});
