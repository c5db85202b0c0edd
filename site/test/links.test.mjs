// What a first visitor sees, and what goes from hand to hand: completions, copies, links.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { DATA, opened, ROOT } from "./site.mjs";

const PROGRAM = process.env.KANSHAPE ?? join(ROOT, "target/debug/kanshape");
const { site, context, own, go, give, clean, link } = await opened();
await context.grantPermissions(["clipboard-read", "clipboard-write"]);
const copied = () => own.evaluate(() => navigator.clipboard.readText());

test("the first page has three answers", async () => {
  await go(site.url);
  await own.waitForSelector(".home table td .badge", { timeout: 60_000 });
  await own.waitForSelector(".home .counterexample svg");
  await own.waitForSelector(".home article li .t-number");
  const [resnet, fusion, cuts] = await own.locator(".home article").allInnerTexts();
  assert.match(resnet, /193 <= h <= 224/);
  assert.match(fusion, /no type|✕/);
  assert.match(cuts, /f32\[3, n\], f32\[2, n\], f32\[2, n\]/);
  await clean("the first page");
  for (const width of [390, 1024]) {
    await own.setViewportSize({ width, height: 850 });
    assert.ok((await own.evaluate(() => document.documentElement.scrollWidth)) <= width, String(width));
  }
  await own.setViewportSize({ width: 1280, height: 850 });
  await own.getByRole("link", { name: "Look at the model" }).click();
  await own.waitForSelector(".g-box", { timeout: 60_000 });
  assert.equal(await own.locator(".conditions li").count(), 2);
});

test("a name is completed by keys", async () => {
  await go(`${site.url}#/lab`);
  await own.waitForSelector(".answers li");
  await own.fill("#subject", "");
  await own.locator("#subject").pressSequentially("convtr");
  await own.waitForSelector(".choices li");
  await clean("choices");
  await own.keyboard.press("ArrowDown");
  await own.keyboard.press("Enter");
  assert.equal(await own.inputValue("#subject"), "onnx::ConvTranspose");
  await own.waitForSelector("[id='slot-inputs:1']");
  await own.waitForFunction(() => document.querySelector(".operator-doc")?.textContent?.includes("convolution"));
  assert.ok(await own.locator(".choices").isHidden());
});

test("a question is copied as others ask it", async () => {
  await go(link({ s: "[k] (n)->(n*k)", i: ["f32[2]"], a: { k: "?" }, o: ["f32[6]"], w: "k >= 1" }));
  await own.waitForSelector(".answers li");
  const as = async (form) => {
    await own.getByLabel("Copy as").selectOption(form);
    await own.waitForFunction(() => document.querySelector(".lab .bar .hint")?.textContent === "Copied");
    return copied();
  };
  const command = await as("command");
  const run = spawnSync("sh", ["-c", command.replace(/^kanshape/, PROGRAM)], { encoding: "utf8" });
  assert.equal(run.stderr, "");
  assert.match(run.stdout, /k = 3|3/);
  const batch = spawnSync(PROGRAM, ["batch"], { input: await as("line of batch"), encoding: "utf8" });
  assert.equal(JSON.parse(batch.stdout).answers[0].params.k, 3);
  assert.match(await as("Python"), /^import kanshape as ks\n/);
  assert.match(await as("Rust"), /Signature = "\[k\]/);
});

test("a link carries a small model with its dims", async () => {
  await go(`${site.url}#/model`);
  const name = "fused.onnx";
  await give(join(DATA, "models/small", name));
  await own.waitForSelector(".g-box");
  const field = own.locator("[id^='dim-']").first();
  await field.fill("Q");
  await field.press("Enter");
  await own.waitForFunction(() => document.querySelector(".model-page > .bar .hint")?.textContent?.includes("= Q"));
  await own.getByRole("button", { name: "Copy link" }).click();
  await own.waitForFunction(() => document.querySelector(".status")?.textContent === "The link is copied");
  const text = await copied();
  assert.ok(text.length < 8000 && text.includes("#/model/~fused.onnx/"), text.slice(0, 80));
  await go(text);
  await own.waitForSelector(".g-box");
  assert.equal(await own.locator("[id^='dim-']").first().inputValue(), "Q");
  await go(`${site.url}#/model/~x/bad`);
  await own.waitForSelector(".model-page .failure");
});

test("what can't be a dim is refused beside it", async () => {
  await go(`${site.url}#/model/light_squeezenet`);
  await own.waitForSelector(".g-box");
  for (const [text, says] of [
    ["-1", "natural number"],
    ["a b", ""],
    ["1e3", "natural number"],
  ]) {
    const field = own.locator("[id^='dim-']").first();
    await field.fill(text);
    await field.press("Enter");
    await own.waitForFunction((t) => document.querySelector(".ports .says")?.textContent?.startsWith(t), text);
    assert.match(await own.locator(".ports .says").innerText(), new RegExp(says));
    assert.equal(await own.locator("[id^='dim-']").first().inputValue(), "1");
  }
  await clean("a dim that was refused");
  // Two dims that are opened have names of their own.
  for (const axis of [2, 3]) {
    const field = own.locator(`[id^='dim-'][id$='-${axis}']`).first();
    await field.fill("?");
    await field.press("Enter");
    await own.waitForFunction((a) => document.querySelector(`[id^='dim-'][id$='-${a}']`)?.value?.startsWith("d"), axis);
  }
  const names = await own.locator("[id^='dim-']").evaluateAll((all) => all.map((one) => one.value));
  assert.equal(new Set(names).size, names.length);
});

test("large files have forms by gzip and brotli beside them", () => {
  for (const name of ["kanshape.wasm"]) {
    const size = (end) => readFileSync(join(ROOT, "target/web", name + end)).length;
    assert.ok(size(".br") < size(".gz") && size(".gz") < size("") / 2);
  }
});
