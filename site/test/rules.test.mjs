// The tab of rewrite rules: verdicts, what a rule needs, repairs, costs.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { opened } from "./site.mjs";

const { site, own, go, clean } = await opened();
const wait = { timeout: 30_000 };

const rule = async (text) => {
  await go(`${site.url}#/rules/${encodeURIComponent(text)}`);
  await finished();
};
const finished = () =>
  own.waitForFunction(
    () =>
      document.querySelector(".rules .result .verdict") &&
      !document.querySelector(".rules .result[aria-busy]") &&
      !/Looking for|Counting/.test(document.querySelector(".rules .result").textContent),
    null,
    wait,
  );
const verdict = () => own.locator(".rules .verdict .badge").innerText();

describe("rules", () => {
  test("a counterexample is drawn as two graphs, each box with its type", async () => {
    await rule("Add(MatMul(A, B), C) => MatMul(A, Add(B, C))");
    assert.equal(await verdict(), "◐ depends");
    const sides = own.locator(".sides svg");
    assert.equal(await sides.count(), 2);
    for (const side of [0, 1]) {
      const boxes = await sides
        .nth(side)
        .locator("g")
        .evaluateAll((all) => all.map((g) => [...g.querySelectorAll("text")].map((t) => t.textContent)));
      assert.equal(boxes.length, 5);
      for (const [name, type] of boxes) assert.match(type, /^f32\[/, `${name} of side ${side}`);
    }
    await clean("rules");
  });

  test("what a rule needs is put into it, and taken back", async () => {
    await rule("Add(MatMul(A, B), C) => Gemm(A, B, C)");
    assert.equal(await verdict(), "◐ depends");
    await own.getByRole("button", { name: "Put it into the rule" }).click();
    await own.waitForFunction(
      () => /always/.test(document.querySelector(".rules .verdict")?.textContent ?? ""),
      null,
      wait,
    );
    assert.match(
      await own.locator("#rule").inputValue(),
      /^Add\(MatMul\(A, B\), C\) => Gemm\(A, B, C\) :- .*rank\(A\) = 2/,
    );
    await own.getByRole("button", { name: "Undo" }).click();
    await own.waitForFunction(
      () => /depends/.test(document.querySelector(".rules .verdict")?.textContent ?? ""),
      null,
      wait,
    );
    assert.equal(await own.locator("#rule").inputValue(), "Add(MatMul(A, B), C) => Gemm(A, B, C)");
  });

  test("a repair is applied, in a rule with a name", async () => {
    await rule("rule largest (A: T[..s]): Max(A, Min(A, B)) => A");
    await own.getByRole("button", { name: "Expand(A, Shape(B))" }).click();
    await own.waitForFunction(
      () => /always/.test(document.querySelector(".rules .verdict")?.textContent ?? ""),
      null,
      wait,
    );
    assert.equal(
      await own.locator("#rule").inputValue(),
      "rule largest (A: T[..s]): Max(A, Min(A, B)) => Expand(A, Shape(B))",
    );
    await finished();
    await clean("a repaired rule");
  });

  test("what both sides are where the numbers differ", async () => {
    await rule("MatMul(A, B) => MatMul(B, A) :- shape(A) = [2, 2], shape(B) = [2, 2]");
    assert.equal(await verdict(), "✓ always");
    const text = await own.locator(".rules .result").innerText();
    assert.match(text, /not the same numbers/);
    assert.match(text, /right f32\[2, 2\] = \[/);
    await clean("other numbers");
  });

  test("what both sides cost", async () => {
    await rule("MatMul(MatMul(A, B), C) => MatMul(A, MatMul(B, C)) :- rank(A) = 2, rank(B) = 2, rank(C) = 2");
    assert.equal(await verdict(), "✓ always");
    const rows = await own.locator(".cost tbody tr").allInnerTexts();
    assert.equal(rows.length, 3);
    assert.match(rows[0], /^elements.*where A_0\*B_1 > A_1\*C_1/s);
    await clean("costs");
  });

  test("what is known of leaves counts, and is in the link", async () => {
    await rule("Add(X, c) => X");
    assert.equal(await verdict(), "◐ depends");
    await own.locator("#leaves").fill("X: T[m]\nc: T[]");
    await own.waitForFunction(
      () => /always/.test(document.querySelector(".rules .verdict")?.textContent ?? ""),
      null,
      wait,
    );
    const url = own.url();
    await go(url);
    await finished();
    assert.equal(await verdict(), "✓ always");
    assert.equal(await own.locator("#leaves").inputValue(), "X: T[m]\nc: T[]");
  });

  test("a mistake is marked where it is", async () => {
    await rule("Add(A, B) => Add(B, A");
    assert.equal(await verdict(), "! mistake");
    assert.equal(await own.locator("#rule").getAttribute("aria-invalid"), "true");
    await clean("a wrong rule");
  });
});
