// Models with bodies, functions, shared names and foreign domains: each link opens its own node, and nothing is left out.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { HOSTILE, hostile } from "./models.mjs";
import { DATA, opened, page, ROOT, serve } from "./site.mjs";

const { site, chrome, own, go, clean } = await opened();

async function open(file) {
  await go(`${site.url}#/model`);
  await own.setInputFiles("#pick", join(DATA, "page", file));
  await own.waitForFunction((name) => document.querySelector(".status")?.textContent?.startsWith(`${name}:`), file);
  await own.waitForSelector(".canvas:not([aria-busy]) .g-box");
}

const boxes = () =>
  own.locator(".g-box").evaluateAll((all) => all.map((one) => one.querySelector("title").textContent));
const detail = () => own.locator(".detail h2").innerText();

test("what only bodies take is an input of the graph", async () => {
  await open("capture.onnx");
  const all = await boxes();
  for (const one of [
    "x: f32[N, M]",
    "If if0",
    "Relu if0/then_branch/then_relu",
    "Exp if0/else_branch/else_exp",
    "Sigmoid sig",
    "Tanh tanh",
  ])
    assert.ok(all.includes(one), `${one} in ${all.join("; ")}`);
  assert.equal(await own.locator(".g-body").count(), 2);
  await clean("bodies");
});

test("the signature of a part is copied, by keys and by clicks", async () => {
  await own.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await open("capture.onnx");
  await own.locator(".g-box.node", { hasText: "Sigmoid" }).focus();
  await own.keyboard.press("Shift+Enter");
  await own.locator(".g-box.node", { hasText: "Tanh" }).click({ modifiers: ["Shift"] });
  assert.match(await own.locator(".part").innerText(), /2 nodes/);
  assert.equal(await own.locator(".of-part").count(), 2);
  const copied = async () => {
    await own.getByRole("button", { name: "Copy its signature" }).click();
    await own.waitForSelector(".detail .signature");
    return own.evaluate(() => navigator.clipboard.readText());
  };
  assert.equal(await copied(), "f32[N, M] -> f32[N, M]");
  assert.match(await own.locator(".detail").innerText(), /from a\s+to y/);
  await own.getByRole("button", { name: "Clear" }).click();
  assert.equal(await own.locator(".of-part").count(), 0);
  // What is in a body belongs to its node.
  await own.locator(".g-box.node", { hasText: "Relu" }).click({ modifiers: ["Shift"] });
  await copied();
  assert.match(await own.locator(".detail").innerText(), /from x\s+to a/);
  await clean("a part");
});

test("names that nobody expects are shown, and do nothing", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hostile-"));
  writeFileSync(join(folder, "names.onnx"), hostile());
  await go(`${site.url}#/model`);
  await own.setInputFiles("#pick", join(folder, "names.onnx"));
  await own.waitForSelector(".canvas:not([aria-busy]) .g-box");
  const all = await boxes();
  for (const name of HOSTILE) assert.ok(all.includes(`Relu ${name}`), `${name} in ${all.join("; ")}`);
  assert.equal(all.length, HOSTILE.length + 4);
  for (const name of HOSTILE.slice(0, 4)) {
    await own.getByLabel("Search the graph").fill(name);
    await own.getByLabel("Search the graph").press("Enter");
    assert.equal(await detail(), name);
    await own.locator(".detail button.link", { hasText: name }).last().click();
    assert.equal(await detail(), name);
    await own.locator(".detail .dim-link").first().click();
    await own.waitForSelector(".detail .way");
  }
  // Each of these values is what it is, and none is an input.
  await own.getByRole("tab", { name: "Values" }).click();
  await own
    .locator(".table button.link", { hasText: /^constructor$/ })
    .first()
    .click();
  assert.match(await own.locator(".detail").innerText(), /^constructor[\s\S]*from constructor/);
  const [download] = await Promise.all([
    own.waitForEvent("download"),
    own.getByRole("button", { name: "Download report" }).click(),
  ]);
  const path = join(folder, "report.html");
  await download.saveAs(path);
  const report = await page(own.context(), `file://${path}`);
  await report.goto(`file://${path}`);
  await report.waitForSelector(".g-box");
  for (const one of [own, report]) {
    assert.equal(await one.evaluate(() => window.hurt), undefined);
    assert.deepEqual(one.said, []);
  }
  await report.close();
});

test("bodies are folded and opened in place, and searched", async () => {
  await open("loop.onnx");
  assert.equal(await own.locator(".g-body").count(), 5);
  await own.getByRole("button", { name: "Fold all" }).click();
  await own.waitForFunction(() => document.querySelectorAll(".g-body").length === 0);
  const folded = await boxes();
  assert.ok(folded.includes("Loop loop") && !folded.some((one) => one.includes("loop/body")), folded.join("; "));
  await own.locator(".g-box", { hasText: "Loop" }).focus();
  await own.keyboard.press("Enter");
  await own.waitForFunction(() => document.querySelectorAll(".g-body").length === 1);
  assert.equal(await detail(), "loop");
  await own.getByLabel("Search the graph").fill("loop/body/inner/else_branch");
  await own.getByLabel("Search the graph").press("Enter");
  await own.waitForSelector(".g-box.node.lit");
  assert.equal(await detail(), "loop/body/inner/else_branch/m0");
  // The nodes around it are links.
  await own.locator(".detail button.link", { hasText: /^loop\/body\/inner$/ }).click();
  assert.equal(await detail(), "loop/body/inner");
  await own.getByRole("button", { name: "Fold its bodies" }).click();
  await own.getByRole("button", { name: "Open its bodies" }).waitFor();
});

test("the link of a condition opens the node of its body", async () => {
  await open("body.onnx");
  await own.locator(".conditions button.link", { hasText: "body_add" }).first().click();
  assert.equal(await detail(), "top2/then_branch/body_add");
  assert.match(await own.locator(".detail").innerText(), /where\s+N in \{1, 3\}/);
  await own.getByRole("tab", { name: "Nodes" }).click();
  assert.equal(await own.locator(".panel tbody tr").count(), 6);
});

test("the link of a problem opens its node where two have one name", async () => {
  await open("dupnames.onnx");
  await own.locator(".problems button.link").first().click();
  assert.match(await own.locator(".detail").innerText(), /Add, node 1/);
});

test("a sequence has no dims of its own", async () => {
  await open("seq.onnx");
  for (const text of await own.locator(".ports .dim-link").allInnerTexts()) assert.doesNotMatch(text, /\[/);
});

test("operators of other domains have their own pages, and titles stay in their boxes", async () => {
  await open("ml.onnx");
  await own.locator(".g-box.node").first().click();
  await own.locator(".detail a").first().click();
  await own.waitForFunction(() => document.querySelector(".catalog .detail h2")?.textContent === "onnx.ml::Binarizer");
  await open("long.onnx");
  const [text, rect] = await own
    .locator(".g-box.node")
    .first()
    .evaluate((box) =>
      [...box.querySelectorAll("text, rect")]
        .map((one) => one.getBoundingClientRect().width)
        .sort((a, b) => a - b)
        .slice(-2),
    );
  assert.ok(text <= rect, `${text} in ${rect}`);
});

test("a size that is no size is refused where it is typed", async () => {
  await open("ml.onnx");
  for (const text of ["-1", "99999999999999999999999999"]) {
    const field = own.getByLabel("dim 0 of x", { exact: true });
    await field.fill(text);
    await field.press("Enter");
    await own.waitForFunction((t) => document.querySelector(".ports .says")?.textContent?.startsWith(t), text);
    assert.equal(await own.getByLabel("dim 0 of x", { exact: true }).inputValue(), "N");
  }
});

test("a question keeps its address while other tabs are looked at", async () => {
  await go(
    `${site.url}#/lab/${encodeURIComponent(JSON.stringify({ s: "[k] (n)->(n*k)", i: ["f32[1]"], a: { k: "9007199254740993" } }))}`,
  );
  await own.waitForFunction(() => document.querySelector(".result")?.textContent?.includes("f32[9007199254740993]"));
  await own.locator("nav a[data-tab=catalog]").click();
  await own.waitForSelector(".rows li");
  await own.locator("nav a[data-tab=lab]").click();
  assert.match(own.url(), /9007199254740993/);
  await go(`${site.url}#/lab/{bad`);
  await own.locator(".unread .failure").waitFor();
});

test("costs are counted for sizes, and a size that is none is refused", async () => {
  await open("body.onnx");
  await own.getByLabel("N =", { exact: true }).fill("x");
  await own.getByRole("button", { name: "Count" }).click();
  await own.waitForFunction(() => /natural number/.test(document.querySelector(".sizes [role=status]").textContent));
  await own.getByLabel("N =", { exact: true }).fill("3");
  await own.getByLabel("M =", { exact: true }).fill("4");
  await own.getByRole("button", { name: "Count" }).click();
  await own.waitForFunction(() => /peak of other values \d+ B/.test(document.querySelector(".model-head").textContent));
  await own.getByRole("button", { name: "With names" }).click();
  await own.waitForFunction(() => /peak of other values .*N/.test(document.querySelector(".model-head").textContent));
  await clean("costs");
});

test("a model that the page brings along has a link", async () => {
  await go(`${site.url}#/model/light_squeezenet`);
  await own.waitForSelector(".canvas:not([aria-busy]) .g-box");
  await own.locator("nav a[data-tab=catalog]").click();
  await own.waitForSelector(".rows li");
  await own.locator("nav a[data-tab=model]").click();
  assert.match(own.url(), /#\/model\/light_squeezenet$/);
});

test("the graph is saved as SVG and PNG", async () => {
  await open("loop.onnx");
  for (const [kind, start] of [
    ["SVG", "<svg"],
    ["PNG", "\x89PNG"],
  ]) {
    const saved = own.waitForEvent("download");
    await own.getByRole("button", { name: kind, exact: true }).click();
    const file = await (await saved).path();
    assert.ok(readFileSync(file).toString("latin1").startsWith(start), kind);
  }
  assert.deepEqual(own.said, []);
});

test("`serve` shows its model where a page was kept at the same port", async () => {
  const other = await serve();
  const context = await chrome.newContext();
  const port = new URL(other.url).port;
  const first = await context.newPage();
  await first.goto(other.url);
  await first.evaluate(() => navigator.serviceWorker.ready);
  await first.waitForFunction(
    async () =>
      (await caches.keys()).length > 0 && (await (await caches.open((await caches.keys())[0])).keys()).length > 5,
  );
  await first.close();
  await other.close();
  const program = process.env.KANSHAPE ?? join(ROOT, "target/debug/kanshape");
  const server = spawn(program, [
    "serve",
    join(DATA, "page/loop.onnx"),
    "--port",
    port,
    "--site",
    join(ROOT, "target/web"),
  ]);
  try {
    await new Promise((done, fail) => {
      server.stdout.once("data", done);
      server.once("exit", (code) => fail(new Error(`it ended with ${code}`)));
    });
    const shown = await context.newPage();
    await shown.goto(other.url);
    await shown.waitForSelector(".g-body");
    assert.deepEqual(await shown.evaluate(() => caches.keys()), []);
  } finally {
    server.kill();
    await context.close();
  }
});

test("a model is opened while the lab is typed into", async () => {
  await go(`${site.url}#/model`);
  await own.setInputFiles("#pick", join(DATA, "models", "light_densenet121.onnx"));
  await own.locator("nav a[data-tab=lab]").click();
  for (let i = 0; i < 6; i++) {
    await own.locator("#subject").fill(`(a,b),(b,c${i})->(a,c${i})`);
    await own.waitForTimeout(300);
  }
  await own.locator("nav a[data-tab=model]").click();
  await own.waitForSelector(".canvas:not([aria-busy]) .g-box");
  assert.match(await own.locator(".status").innerText(), /^light_densenet121\.onnx:/);
});
