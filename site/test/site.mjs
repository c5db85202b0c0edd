// The built site behind a server of its own, and a real browser.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join, normalize } from "node:path";
import { after } from "node:test";
import { chromium } from "playwright-core";

const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json",
};
export const ROOT = join(import.meta.dirname, "../..");
export const DATA = join(ROOT, "tests/data");

/** Serves a folder on a port of this machine, by default a free one. */
export async function serve(folder = join(ROOT, "target/web"), port = 0) {
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://x").pathname));
    const file = join(folder, path.endsWith("/") ? `${path}index.html` : path);
    try {
      const bytes = await readFile(file);
      response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
      response.end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(port, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close: () => new Promise((done) => server.close(done).closeAllConnections()),
  };
}

export function browser() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/** A page whose console is kept: nothing may be said there, and no other host asked. */
export async function page(context, url) {
  const own = await context.newPage();
  own.said = [];
  own.on("console", (message) => ["error", "warning"].includes(message.type()) && own.said.push(message.text()));
  own.on("pageerror", (error) => own.said.push(String(error)));
  own.on("request", (request) => {
    const asked = request.url();
    if (!asked.startsWith(url) && !/^(blob|data):/.test(asked)) own.said.push(`another host was asked: ${asked}`);
  });
  return own;
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The site in a browser, up to the end of the tests of a file. */
export async function opened() {
  const site = await serve();
  const chrome = await browser();
  const context = await chrome.newContext({ viewport: { width: 1280, height: 850 }, acceptDownloads: true });
  const own = await page(context, site.url);
  after(async () => {
    await chrome.close();
    await site.close();
  });
  const go = async (url, to = own) => {
    await to.goto("about:blank");
    await to.goto(url);
  };
  const give = async (file, to = own) => {
    await to.setInputFiles("#pick", file);
    const base = file.split("/").at(-1);
    await to.waitForFunction(
      (b) =>
        document.querySelector(".status")?.textContent?.startsWith(`${b}:`) ||
        document.querySelector(".model-page .verdict"),
      base,
      { timeout: 120_000 },
    );
  };
  const drop = (name, to = own) => give(join(DATA, "models", name), to);
  /** No serious fault of accessibility, and nothing said on the console. */
  const clean = async (what, to = own) => {
    const found = await to.evaluate(async (source) => {
      // biome-ignore lint/security/noGlobalEval: it is axe, from the registry, in the page of a test
      if (!window.axe) globalThis.eval(source);
      const { violations } = await window.axe.run(document, { resultTypes: ["violations"] });
      return violations
        .filter((v) => ["serious", "critical"].includes(v.impact))
        .map(
          (v) =>
            `${v.id}: ${v.nodes
              .slice(0, 3)
              .map((n) => `${n.target.join(" ")} — ${n.failureSummary?.split("\n")[1]}`)
              .join("; ")}`,
        );
    }, axe);
    assert.deepEqual(found, [], `${what}: axe`);
    assert.deepEqual(to.said, [], `${what}: the console`);
  };
  const link = (q) => `${site.url}#/lab/${encodeURIComponent(JSON.stringify(q))}`;
  return { site, chrome, context, own, go, give, drop, clean, link };
}
