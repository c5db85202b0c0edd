import { describe, expect, test } from "vitest";
import type { ModelReport } from "../src/api";
import { read, whole, written } from "../src/exact";
import { Net } from "../src/net";
import { ranked } from "../src/operators";
import { partsOf, withRepair } from "../src/rule";
import { lineOfTerms, termsOf } from "../src/term";

describe("JSON with all digits", () => {
  test("there and back", () => {
    const text = '{"a":[9007199254740993,-1,0.5,null,true,"x"],"b":{"c":18446744073709551615}}';
    expect(written(read(text) as never)).toBe(text);
    const odd =
      '{"1234567890123456789":"12345678901234567890 \\\\","x":[1.2345678901234567e+30,-98765432109876543210]}';
    expect(read(odd)).toEqual({
      "1234567890123456789": "12345678901234567890 \\",
      x: [1.2345678901234567e30, -98765432109876543210n],
    });
    expect(whole("12")).toBe(12);
    expect(whole("12345678901234567890")).toBe(12345678901234567890n);
  });
});

describe("rules", () => {
  test("their parts", () => {
    expect(partsOf("Add(A, c) => A :- c: T[]")).toEqual({
      head: "",
      left: "Add(A, c)",
      arrow: "=>",
      right: "A",
      goals: "c: T[]",
    });
    expect(partsOf("rule r (A: f32[n]): onnx::Relu(A) <=> A # x => y")?.arrow).toBe("<=>");
    expect(partsOf("Relu(A)")).toBeNull();
  });

  test("a repair in one", () => {
    expect(withRepair("Add(A, c) => A :- p", "B", ["q", "r"])).toBe("Add(A, c) => B :- p, q, r");
    expect(withRepair("A <=> B", null, [])).toBe("A <=> B");
  });

  test("terms, and the graph that gives their types", () => {
    const terms = termsOf("matmul(x, transpose[perm = [1, 0]](y)), const z");
    expect(terms.map((one) => [one.name, one.isLeaf])).toEqual([
      ["matmul", false],
      ["z", true],
    ]);
    const { line } = lineOfTerms(terms, { x: "f32[2]", y: "f32[3]", z: "f32[]" }, {});
    expect(line.graph).toMatchObject({
      inputs: { x: "f32[2]", y: "f32[3]", z: "f32[]" },
      nodes: [
        { op: "onnx::transpose", attrs: { perm: [1, 0] } },
        { op: "onnx::matmul", inputs: ["x", "node 0"] },
      ],
    });
    // However deep it is.
    expect(termsOf("f(".repeat(100_000)).length).toBe(1);
  });
});

test("operators are found by their names first", () => {
  const row = (name: string, summary: string) => ({ name, summary, domain: "", since: 1, signature: null });
  const rows = [
    row("a::Other", "a conv of sorts"),
    row("onnx::ConvTranspose", ""),
    row("onnx::Conv", ""),
    row("b::X", ""),
  ];
  expect(ranked(rows, "conv").map((one) => one.name)).toEqual(["onnx::Conv", "onnx::ConvTranspose", "a::Other"]);
  expect(ranked(rows, " ").length).toBe(4);
});

describe("the nodes of a model with a body", () => {
  const node = (name: string, op: string, index: number, inputs: (string | null)[], outputs: string[]) => ({
    name,
    op,
    index,
    attrs: {},
    inputs,
    outputs,
  });
  const report = {
    inputs: { x: "f32[n]" },
    outputs: { y: "f32[n]" },
    nodes: [node("c", "Constant", 0, [], ["k"]), node("i", "If", 1, ["k"], ["t"]), node("o", "Tanh", 2, ["t"], ["y"])],
    bodies: [
      {
        name: "i",
        op: "If",
        index: 1,
        body: "then_branch",
        function: false,
        inputs: [],
        outputs: ["i/then_branch/s"],
        nodes: [node("i/then_branch/c", "Sigmoid", 0, ["x"], ["i/then_branch/s"])],
      },
    ],
  } as unknown as ModelReport;
  test("what a body takes makes its node depend on it", () => {
    const net = new Net(report);
    expect(net.nodes.map((one) => one.op)).toEqual(["Constant", "If", "Tanh", "Sigmoid"]);
    expect(net.around(3)).toEqual([1]);
    expect([...net.constants(report)]).toEqual([0]);
  });
});
