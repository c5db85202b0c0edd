// Large models: how long they take to be shown, and how much memory.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { deep, huge } from "./models.mjs";
import { DATA, opened } from "./site.mjs";

const { site, chrome, own, go, give, clean } = await opened();
const OUT = mkdtempSync(join(tmpdir(), "kanshape-large-"));
after(() => rmSync(OUT, { recursive: true, force: true }));

/** The memory of the process of the page, in MB. */
const memory = async () => {
  const session = await chrome.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  const sizes = processInfo
    .filter((one) => one.type === "renderer")
    .map((one) => Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${one.id}/smaps_rollup`, "utf8"))?.[1] ?? 0));
  return Math.round(Math.max(...sizes) / 1000);
};
const shown = async (file) => {
  const start = performance.now();
  await give(file);
  await own.waitForSelector(".g-box");
  return (performance.now() - start) / 1000;
};
/** The ms that the page takes until it has been drawn again. */
const frame = (act) =>
  own.evaluate(async (name) => {
    const start = performance.now();
    const canvas = document.querySelector(".canvas");
    const box = document.querySelector(".g-box.scope");
    if (name === "move") canvas.dispatchEvent(new WheelEvent("wheel", { deltaY: 100, cancelable: true }));
    else box?.dispatchEvent(new MouseEvent("click"));
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    return Math.round(performance.now() - start);
  }, act);

describe("large models", () => {
  // The first, in a process that has shown nothing else.
  test("the memory of a tab with the largest model at hand", async () => {
    await go(`${site.url}#/model`);
    const took = await shown(join(DATA, "models/light_densenet121.onnx"));
    const found = await memory();
    console.log(`densenet121: shown in ${took.toFixed(1)} s, ${found} MB`);
    assert.ok(found < 400, `${found} MB`);
  });

  for (const { count, seconds, unfold } of [
    { count: 2_000, seconds: 5, unfold: 500 },
    { count: 20_000, seconds: 30, unfold: 1500 },
  ]) {
    test(`${count} nodes are shown, moved, opened and searched`, async () => {
      const file = join(OUT, `deep${count}.onnx`);
      writeFileSync(file, deep(count));
      await go(`${site.url}#/model`);
      const took = await shown(file);
      assert.match(await own.locator(".model-head").innerText(), new RegExp(`${count} nodes.*all typed`));
      const moves = [];
      for (let i = 0; i < 10; i++) moves.push(await frame("move"));
      const opens = [];
      for (let i = 0; i < 3; i++) opens.push(await frame("open"));
      const boxes = await own.locator(".g-box").count();
      const start = performance.now();
      await own.getByLabel("Search the graph").fill(`sigmoid_${count - 2}`);
      await own.getByLabel("Search the graph").press("Enter");
      await own.waitForFunction(() =>
        [...document.querySelectorAll(".graph [role=status]")].some((one) => /^1 of 1/.test(one.textContent)),
      );
      await own.waitForSelector(".g-box.node.lit");
      const search = Math.round(performance.now() - start);
      console.log(
        `${count} nodes: shown in ${took.toFixed(1)} s, moved in ${Math.max(...moves)} ms, a scope opened in ${Math.max(...opens)} ms (${boxes} boxes), a node found in ${search} ms, ${await memory()} MB`,
      );
      assert.ok(took < seconds, `${took} s`);
      assert.ok(Math.min(...moves) < 100, `${moves}`);
      assert.ok(Math.min(...opens) < unfold, `${opens}`);
      await own.getByRole("tab", { name: "Nodes" }).click();
      await own.getByRole("button", { name: "bytes" }).click();
      assert.ok((await own.locator("tbody tr").count()) < 100);
      await clean(`${count} nodes`);
    });
  }

  test("weights of 2 GB are not read", async () => {
    const file = join(OUT, "huge.onnx");
    const size = huge(file);
    assert.ok(size > 2 ** 31);
    await go(`${site.url}#/model`);
    const before = await memory();
    await own.evaluate(() => {
      window.bars = [];
      new MutationObserver(() =>
        window.bars.push(document.querySelector("progress")?.getAttribute("aria-label")),
      ).observe(document.querySelector(".status"), { childList: true });
    });
    const took = await shown(file);
    const bars = await own.evaluate(() => window.bars);
    assert.ok(bars.includes("reading huge.onnx") && bars.includes("typing huge.onnx"), bars.join());
    const behind = await memory();
    console.log(
      `${(size / 1e9).toFixed(2)} GB: shown in ${took.toFixed(1)} s, ${before} MB before and ${behind} MB behind`,
    );
    assert.match(await own.locator(".status").innerText(), /2\.0 GiB, of which [\d.]+ (B|KiB) were read/);
    assert.match(await own.locator(".ports").innerText(), /y: f32\[N, 32768\]/);
    assert.ok(behind < 400, `${before} MB, then ${behind} MB`);
  });
});
