// How the page behaves: its errors, its keys, what is dropped, what is undone.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { DATA, opened, page, ROOT } from "./site.mjs";

const { site, context, own, go, drop, clean, link } = await opened();

describe("errors of the page itself", () => {
  test("a module that can't be loaded is reported, and tried again", async () => {
    const other = await page(context, site.url);
    await other.route("**/kanshape.wasm", (route) => route.abort());
    await other.goto(link({ s: "(n)->(n)" }));
    await other.waitForSelector(".failure[role=alert]");
    assert.match(await other.locator(".failure").innerText(), /^This page has failed\. kanshape\.wasm can't be loaded/);
    await clean("a page that has failed", Object.assign(other, { said: [] }));
    await other.unroute("**/kanshape.wasm");
    await other.getByRole("button", { name: "Try again" }).click();
    await other.waitForSelector(".answers li");
    await other.close();
  });

  test("what nobody has expected is shown, and can be closed", async () => {
    const other = await page(context, site.url);
    await other.goto(link({ s: "(n)->(n)" }));
    await other.waitForSelector(".answers li");
    await other.evaluate(() => void Promise.reject(new Error("made for a test")));
    await other.waitForSelector(".errors .failure");
    assert.match(await other.locator(".errors").innerText(), /made for a test/);
    await other.getByRole("button", { name: "Close" }).click();
    assert.equal(await other.locator(".errors .failure").count(), 0);
    await other.close();
  });
});

test("a model is dropped onto any part of the page", async () => {
  await go(`${site.url}#/catalog`);
  await own.waitForSelector(".rows li");
  const bytes = [...readFileSync(join(DATA, "models/light_zfnet512.onnx"))];
  await own.evaluate((content) => {
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array(content)], "light_zfnet512.onnx"));
    for (const type of ["dragenter", "dragover", "drop"])
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
  }, bytes);
  await own.waitForSelector(".g-box");
  assert.match(await own.locator(".status").innerText(), /^light_zfnet512\.onnx:/);
  await clean("a dropped model");
});

test("a dim of a condition, of a table and of an input is shown with its way", async () => {
  await go(`${site.url}#/model`);
  await drop("light_resnet50.onnx");
  await own.getByLabel("dim 2 of gpu_0/data_0", { exact: true }).click();
  await own.waitForFunction(() =>
    /Where it goes, as a name: \d+ values/.test(document.querySelector(".detail")?.textContent ?? ""),
  );
  assert.ok((await own.locator(".edge-group.lit").count()) > 0, "the way is lit");
  await clean("where a dim goes");
  // A size of a value that a node makes is followed as well: as a name it goes into fewer values.
  const values = async () =>
    Number(/Where it goes, as a name: (\d+) values/.exec(await own.locator(".detail").innerText())?.[1]);
  const all = await values();
  await own.getByRole("tab", { name: "Values" }).click();
  await own.locator(".panel input[type=search]").fill("r2");
  await own.locator("button.dim-link[aria-label^='dim 2 of r2:']").first().click();
  await own.waitForFunction(
    () =>
      document.querySelector(".detail h2")?.textContent?.startsWith("dim 2 of r2") &&
      /Where it goes, as a name: \d+ values/.test(document.querySelector(".detail")?.textContent ?? ""),
  );
  assert.ok((await values()) > 0 && (await values()) < all, `${await values()} of ${all}`);
  await own.getByRole("tab", { name: "Graph" }).click();
  await own.getByLabel("dim 0 of gpu_0/data_0", { exact: true }).fill("N");
  await own.getByLabel("dim 0 of gpu_0/data_0", { exact: true }).press("Enter");
  await own.waitForSelector(".conditions li");
  await own.keyboard.press("Alt+z");
  await own.waitForFunction(() => !document.querySelector(".conditions ul"));
  await own.keyboard.press("Alt+Shift+z");
  await own.waitForSelector(".conditions li");
  await own.getByRole("tab", { name: "Values" }).click();
  await own.getByLabel("Search", { exact: true }).fill("softmax_1");
  await own.getByLabel("dim 1 of gpu_0/softmax_1: 1000").last().click();
  await own.waitForSelector(".way li");
});

test("a dim is fixed, opened, and given back; what is no dim changes nothing", async () => {
  await go(`${site.url}#/model`);
  await drop("light_squeezenet.onnx");
  const set = async (axis, text) => {
    const field = own.getByLabel(`dim ${axis} of data_0`, { exact: true });
    await field.fill(text);
    await field.press("Enter");
  };
  const output = () => own.locator(".ports .card").nth(1).innerText();
  await set(0, "4");
  await own.waitForFunction(() =>
    /softmaxout_1: f32\[4, 1000, 1, 1\]/.test(document.querySelector(".ports").textContent),
  );
  await set(0, "B");
  await own.waitForFunction(() =>
    /softmaxout_1: f32\[B, 1000, 1, 1\]/.test(document.querySelector(".ports").textContent),
  );
  await set(2, "h");
  await own.waitForSelector(".conditions li");
  // Each condition has the node that requires it.
  for (const one of await own.locator(".conditions li").all())
    assert.match(await one.locator("button.link").first().innerText(), /\(\w+, node \d+\)$/);
  const before = await output();
  await set(3, "((");
  await own.waitForSelector(".ports .says");
  assert.equal(await output(), before);
  await set(2, "");
  await own.waitForFunction(() => !document.querySelector(".conditions ul"));
  assert.equal(await own.getByLabel("dim 2 of data_0", { exact: true }).inputValue(), "224");
  await own.locator(".model-head summary").click();
  assert.match(await own.locator(".signature").innerText(), /B.*->/s);
  await clean("dims that were changed");
});

test("problems come first, before what is known of a model", async () => {
  await go(`${site.url}#/model`);
  await drop("broken/joined.onnx");
  const tops = await own.evaluate(() =>
    [".problems", ".ports"].map((one) => document.querySelector(one).getBoundingClientRect().top),
  );
  assert.deepEqual(
    [...tops].sort((a, b) => a - b),
    tops,
  );
  // They are seen beside the graph, without scrolling.
  await own.locator(".problems li").first().waitFor();
  const [first, graph] = await own.evaluate(() =>
    [".problems li", ".canvas"].map((one) => document.querySelector(one).getBoundingClientRect().top),
  );
  assert.ok(first < 850 && graph < 425, `problems at ${first}, the graph at ${graph}`);
  await own.locator(".problems button.link").first().click();
  await own.waitForSelector(".g-box.node.lit");
});

test("the graph is searched by keys alone", async () => {
  await go(`${site.url}#/model`);
  await drop("light_squeezenet.onnx");
  await own.getByLabel("Search the graph").focus();
  await own.keyboard.type("maxpool");
  await own.waitForFunction(() => /3 found/.test(document.querySelector(".graph")?.textContent ?? ""));
  await own.keyboard.press("Enter");
  await own.keyboard.press("Enter");
  await own.waitForFunction(() => /2 of 3/.test(document.querySelector(".graph")?.textContent ?? ""));
  assert.match(await own.locator(".detail").innerText(), /MaxPool/);
  assert.equal(await own.locator(".g-box.lit").count(), 1);
  await clean("a searched graph");
});

test("the lab by keys alone: from the top of the page to a repair", async () => {
  await go(link({ s: "(m,n),(n,p)->(m,p)", i: ["f32[2,3]", "f32[5,4]"] }));
  await own.waitForSelector(".repair");
  const seen = [];
  for (let i = 0; i < 40; i++) {
    await own.keyboard.press("Tab");
    const at = await own.evaluate(() => {
      const one = document.activeElement;
      const outline = getComputedStyle(one);
      return {
        text: one.textContent.slice(0, 30),
        isRepair: one.classList.contains("repair"),
        isSeen: outline.outlineStyle !== "none",
      };
    });
    seen.push(at.text);
    assert.ok(at.isSeen, `the focus is not seen at ${at.text}`);
    if (at.isRepair) break;
  }
  assert.equal(seen[0], "Skip to the content");
  await own.keyboard.press("Enter");
  await own.waitForSelector(".answers li");
});

test("each example of the manual that is a link opens, and has an answer", async () => {
  const pages = readdirSync(join(ROOT, "target/web/docs"), { recursive: true }).filter((name) =>
    name.endsWith(".html"),
  );
  const links = new Map();
  const TABS = ["lab", "lines", "rules", "programs"];
  for (const name of pages) {
    const from = `${site.url}docs/${name}`;
    const text = await (await fetch(from)).text();
    for (const [, href] of text.matchAll(/class="try" href="([^"]+)"/g)) links.set(new URL(href, from).hash, name);
  }
  const tabs = [...links.keys()];
  const of = (tab) => tabs.filter((hash) => hash.startsWith(`#/${tab}/`));
  console.log(`${links.size} examples can be tried: ${TABS.map((tab) => `${tab} ${of(tab).length}`).join(", ")}`);
  assert.ok(links.size > 200);
  const wrong = [];
  await go(site.url);
  for (const tab of TABS) {
    assert.ok(of(tab).length > 0, tab);
    for (const hash of of(tab)) {
      await own.evaluate((to) => (location.hash = to), hash);
      await own.waitForFunction(
        () => document.querySelector(".result:not([aria-busy]) > *") && !document.querySelector(".result[aria-busy]"),
        null,
        { timeout: 30_000 },
      );
      assert.equal(await own.locator(".failure").count(), 0, hash);
      // Only pages about mistakes have examples of them.
      if ((await own.locator(".result .v-error").count()) > 0)
        wrong.push(`${links.get(hash)}: ${decodeURIComponent(hash)}`);
    }
  }
  assert.deepEqual(
    wrong.filter((one) => !/^(codes|errors|cli|why)/.test(one)),
    [],
  );
  await clean("examples of the manual");
});

test("a line of `batch` is answered as the program answers it", async () => {
  await go(`${site.url}#/lines/${encodeURIComponent('{"types":"meet","a":"f32[n, 3]","b":"f32[2, ?]"}')}`);
  await own.waitForSelector(".answered");
  assert.match(await own.locator(".answered").innerText(), /f32\[2, 3\]/);
  await own.locator("#line").fill('{"sginature":"(n)->()"}');
  await own.waitForSelector(".lines .v-error");
  await clean("lines");
});
