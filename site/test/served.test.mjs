// The page that is part of the program: the program shows it, and answers it.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { browser, DATA, page, ROOT } from "./site.mjs";

const PROGRAM = process.env.KANSHAPE ?? join(ROOT, "target/debug/kanshape");
const MODEL = join(DATA, "models/light_squeezenet.onnx");
const chrome = await browser();
const running = [];
after(async () => {
  for (const one of running) one.kill();
  await chrome.close();
});

async function serve(...args) {
  const program = spawn(PROGRAM, ["serve", "--port", "0", ...args]);
  running.push(program);
  const url = await new Promise((done, fail) => {
    program.stdout.on("data", (text) => done(/http:\S+/.exec(String(text))?.[0]));
    program.on("exit", () => fail(new Error("serve has ended")));
  });
  return { url, program };
}

async function opened(url, hash = "") {
  const context = await chrome.newContext({ viewport: { width: 1280, height: 850 }, acceptDownloads: true });
  const own = await page(context, url);
  await own.goto(url + hash);
  return own;
}

test("a model is shown, changed and written, without WebAssembly", async () => {
  const { url } = await serve(MODEL);
  const own = await opened(url);
  await own.waitForSelector(".g-box", { timeout: 60_000 });
  assert.match(await own.locator(".status").innerText(), /light_squeezenet\.onnx/);
  const field = own.locator("[id^='dim-'][id$='-0']").first();
  await field.fill("N");
  await field.press("Enter");
  await own.waitForFunction(() => document.querySelector(".ports")?.textContent?.includes("N"), null, {
    timeout: 30_000,
  });
  const [download] = await Promise.all([
    own.waitForEvent("download"),
    own.getByRole("button", { name: "Download with types" }).click(),
  ]);
  const written = readFileSync(await download.path());
  assert.ok(written.length > readFileSync(MODEL).length / 2);
  assert.equal((await fetch(`${url}kanshape.wasm`)).status, 404);
  assert.match(await (await fetch(`${url}docs/codes/K0317.html`)).text(), /^# K0317/);
  assert.deepEqual(own.said, []);
});

test("lab, rules and catalog are answered, and two pages at once", async () => {
  const { url } = await serve();
  const all = await Promise.all([opened(url), opened(url, "#/rules"), opened(url, "#/catalog/onnx%3A%3AConv")]);
  const [lab, rules, catalog] = all;
  await lab.waitForSelector(".answers li", { timeout: 30_000 });
  await rules.waitForSelector(".cost table", { timeout: 60_000 });
  await catalog.waitForFunction(() => document.querySelector(".catalog .detail h2")?.textContent === "onnx::Conv");
  for (const one of all) assert.deepEqual(one.said, []);
});

test("a question that is overtaken ends in the program", async () => {
  const { url } = await serve();
  const own = await opened(url, "#/lab");
  await own.waitForSelector(".answers li", { timeout: 30_000 });
  const long =
    '{"signature":"(a,b,c,d)->(d,c,b,a)","max_dim":1000,"limit":100000000,"timeout":600,"budget":100000000000000}';
  const took = await own.evaluate(async (line) => {
    const start = performance.now();
    const first = window.kanshape.raw(line, "x").catch(() => "overtaken");
    await new Promise((done) => setTimeout(done, 1000));
    await window.kanshape.raw('{"signature":"(n)->(n)"}', "x");
    return [await first, performance.now() - start];
  }, long);
  assert.equal(took[0], "overtaken");
  assert.ok(took[1] < 10_000, String(took[1]));
});

test("a program that has ended is named", async () => {
  const { url, program } = await serve();
  const own = await opened(url, "#/lab");
  await own.waitForSelector(".answers li", { timeout: 30_000 });
  program.kill();
  await own.fill("#subject", "(n),(n)->(m)");
  await own.waitForFunction(
    () => document.querySelector(".result")?.textContent?.includes("is it still running?"),
    null,
    { timeout: 20_000 },
  );
});

test("a program that torch has exported", async () => {
  const { url } = await serve(join(DATA, "torch/export/tv-resnet50-bhw.pt2"));
  const own = await opened(url);
  await own.waitForSelector(".g-box", { timeout: 120_000 });
  assert.match(await own.locator(".model-head").innerText(), /all typed|typed/);
  await own.locator(".about summary").click();
  assert.match(await own.locator(".about").innerText(), /weights f32/);
  assert.deepEqual(own.said, []);
});

test("a module of StableHLO and a broken archive", async () => {
  const { url } = await serve(join(DATA, "stablehlo/rope.dynamic.mlir"));
  const own = await opened(url);
  await own.waitForSelector(".module .badge", { timeout: 30_000 });
  assert.match(await own.locator(".module").innerText(), /Arguments/);
  const broken = join(tmpdir(), `kanshape-${process.pid}.pt2`);
  writeFileSync(broken, Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), Buffer.alloc(100_000)]));
  await own.setInputFiles("#pick", broken);
  await own.waitForFunction(
    () => document.querySelector(".model-page .message")?.textContent?.includes("no archive"),
    null,
    { timeout: 30_000 },
  );
  assert.deepEqual(own.said, []);
});
