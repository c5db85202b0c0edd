// The built site behind a server of its own, and a real browser.

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { chromium } from "playwright-core";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".svg": "image/svg+xml", ".webmanifest": "application/manifest+json" };
export const ROOT = join(import.meta.dirname, "../..");
export const DATA = join(ROOT, "tests/data");

/** Serves a folder on a free port of this machine. */
export async function serve(folder = join(ROOT, "target/web")) {
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
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => new Promise((done) => server.close(done).closeAllConnections()) };
}

export function browser() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
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
