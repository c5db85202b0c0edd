import { describe, expect, test } from "vitest";
import { fieldOf, fromHash, lineOf, question, repaired, toHash, valueIn } from "../src/question";

const slot = (name: string, optional = false) => ({ name, optional, variadic: false });

describe("the line of a question", () => {
  test("an empty slot of an operator is open, and an optional one is left out", () => {
    const form = { inputs: [slot("X"), slot("W"), slot("B", true)], outputs: [slot("Y")], attrs: [] };
    expect(lineOf(question("onnx::Conv", { inputs: ["f32[1]", "", ""] }), form)).toEqual({
      op: "onnx::Conv",
      inputs: ["f32[1]", null],
      limit: 10,
    });
    expect(lineOf(question("onnx::Conv", { inputs: ["", "", "f32[4]"] }), form).inputs).toEqual([null, null, "f32[4]"]);
    expect(
      lineOf(question("onnx::Clip", { inputs: ["f32[1]", "", "f32[]"] }), {
        ...form,
        inputs: [slot("x"), slot("a", true), slot("b", true)],
      }).inputs,
    ).toEqual(["f32[1]", "-", "f32[]"]);
    expect(lineOf(question("onnx::Conv"), form)).toEqual({ op: "onnx::Conv", limit: 10 });
  });

  test("all slots of a signature are there if one is given", () => {
    const form = { inputs: [slot("input 0"), slot("input 1")], outputs: [slot("output")], attrs: [] };
    const q = question("(m,n),(n,p)->(m,p)", { inputs: ["f32[2,3]"], where: "n >= 3, (m in {1, 2})", maxDim: "8" });
    expect(lineOf(q, form)).toEqual({
      signature: "(m,n),(n,p)->(m,p)",
      inputs: ["f32[2,3]", null],
      where: ["n >= 3, (m in {1, 2})"],
      max_dim: 8,
      limit: 10,
    });
    expect(lineOf({ ...q, maxDim: "abc" }, form).max_dim).toBeUndefined();
  });

  test("values keep their digits", () => {
    expect(valueIn("9007199254740993")).toBe(9007199254740993n);
    expect(valueIn("-3")).toBe(-3);
    expect(valueIn("0.5")).toBe(0.5);
    expect(valueIn("?")).toBeNull();
    expect(valueIn("[1, 9007199254740993]")).toEqual([1, 9007199254740993n]);
    expect(valueIn('"SAME"')).toBe("SAME");
    // What is no JSON is read by the engine.
    for (const text of ["[1, ?]", "[1", "SAME", "n + 1"]) expect(valueIn(text)).toBe(text);
  });
});

test("a link holds the whole question", () => {
  const q = question("[s] (n)->(n*s) # ?", {
    inputs: ["f32[%/]"],
    outputs: ["", "x"],
    attrs: { s: "?" },
    where: "n > 1",
    maxDim: "4",
  });
  expect(fromHash(toHash(q).slice("#/lab/".length))).toEqual(q);
  expect(fromHash("{bad")).toBeNull();
  expect(fromHash("%")).toBeNull();
});

test("the places of the engine are fields", () => {
  expect(fieldOf("inputs[1]")).toEqual({ side: "inputs", at: 1 });
  expect(fieldOf("output 0")).toEqual({ side: "outputs", at: 0 });
  expect(fieldOf("attrs.strides")).toEqual({ side: "attrs", at: "strides" });
  expect(fieldOf("where[2]")).toEqual({ side: "where", at: 0 });
  expect(fieldOf("nonsense")).toBeNull();
});

test("a repair goes where it belongs", () => {
  const q = question("(n),(n)->(n)", { inputs: ["f32[2]", "f32[3]"], where: "n > 1" });
  expect(repaired(q, { slot: "inputs[1]", type: "f32[2]", where: ["m > 0"] })).toMatchObject({
    inputs: ["f32[2]", "f32[2]"],
    where: "n > 1, m > 0",
  });
  expect(repaired(q, { attr: "axis", value: "-" }).attrs.axis).toBe("");
  expect(q.inputs).toEqual(["f32[2]", "f32[3]"]);
});
