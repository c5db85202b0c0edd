/** What is made around the site: the manual's pages, the examples, the service worker, and compressed files. */

import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";
import { pages } from "./docs.ts";

/** The models that can be looked at without having one. */
const MODELS = ["light_squeezenet", "light_resnet50"];

export function afterwards(root: string): Plugin {
  return {
    name: "afterwards",
    closeBundle() {
      const out = join(root, "../target/web");
      const module = join(root, "../target/web-public/kanshape.wasm");
      if (!existsSync(module)) throw new Error(`there is no ${module}: \`cargo xtask web\` makes it`);
      copyFileSync(module, join(out, "kanshape.wasm"));
      mkdirSync(join(out, "models"), { recursive: true });
      for (const name of MODELS)
        copyFileSync(join(root, `../tests/data/models/${name}.onnx`), join(out, `models/${name}.onnx`));
      pages(join(root, "../docs"), join(out, "docs"));
      offline(root, out);
      compress(out);
    },
  };
}

/** Is it the compressed form of another file? */
function isCompressed(file: string): boolean {
  return file.endsWith(".gz") || file.endsWith(".br");
}

/** All files in a folder. */
function files(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name))
    .sort();
}

/** The service worker knows all files by one version, which changes with any of them. */
function offline(root: string, out: string): void {
  rmSync(join(out, "offline.js"), { force: true });
  const all = files(out).filter((file) => !isCompressed(file));
  const hash = createHash("sha256");
  for (const file of all) hash.update(relative(out, file)).update(readFileSync(file));
  const names = all.map((file) => `./${relative(out, file).replaceAll("\\", "/")}`);
  const isRest = (name: string): boolean => name.startsWith("./models/") || name.startsWith("./docs/");
  const code = readFileSync(join(root, "build/offline.js"), "utf8");
  const list = (own: string[]): string => JSON.stringify(own);
  const made = code
    .replace("__VERSION__", hash.digest("hex").slice(0, 16))
    .replace("[/* files */]", list(["./", ...names.filter((name) => !isRest(name))]))
    .replace("[/* rest */]", list(names.filter(isRest)));
  writeFileSync(join(out, "offline.js"), made);
}

/** Each file that gains by it beside its compressed forms: what serves the site may send these. */
function compress(out: string): void {
  for (const file of files(out)) {
    if (isCompressed(file)) continue;
    const bytes = readFileSync(file);
    if (bytes.length <= 1024) continue;
    const small = gzipSync(bytes, { level: 9 });
    if (small.length >= bytes.length * 0.9) continue;
    writeFileSync(`${file}.gz`, small);
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    };
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
  }
}
