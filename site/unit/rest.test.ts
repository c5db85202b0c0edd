import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { types } from "../build/types.mjs";
import type { ModelReport, Term } from "../src/api";
import { Asking } from "../src/asking";
import { read, whole, written } from "../src/exact";
import { Net } from "../src/net";
import { ranked } from "../src/operators";
import { withRepair } from "../src/rule";
import { lineOfTerms } from "../src/term";

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
  const side = (text: string) => ({ text, terms: [] });
  const parts = (both: boolean, goals: string[], head = "") => ({
    id: null,
    line: 1,
    head,
    left: side("A"),
    right: side("B"),
    both,
    goals,
  });

  test("a repair in one", () => {
    expect(withRepair(parts(false, ["p"]), "C", ["q", "r"])).toBe("A => C :- p, q, r");
    expect(withRepair(parts(true, []), null, [])).toBe("A <=> B");
    expect(withRepair(parts(true, [], "rule r:"), "C", [])).toBe("rule r: A => C");
  });

  test("the graph that gives the types of terms", () => {
    const leaf = (name: string): Term => ({ kind: "leaf", text: name, name });
    const call = (name: string, attrs: Record<string, string>, args: Term[]): Term => ({
      kind: "call",
      text: "",
      name,
      op: `onnx::${name}`,
      attrs,
      args,
    });
    const transposed = call("Transpose", { perm: "[1, 0]" }, [leaf("y")]);
    const literal: Term = { kind: "literal", text: "[2]", name: "[2]", type: "i64[1] = [2]" };
    const terms = [call("Reshape", {}, [transposed, literal]), leaf("z")];
    const { line, names } = lineOfTerms(terms, { y: "f32[3]", z: "f32[]" });
    expect(line.graph).toEqual({
      inputs: { y: "f32[3]", "literal [2]": "i64[1] = [2]", z: "f32[]" },
      nodes: [
        { op: "onnx::Transpose", attrs: { perm: [1, 0] }, inputs: ["y"], outputs: ["node 0"] },
        { op: "onnx::Reshape", attrs: {}, inputs: ["node 0", "literal [2]"], outputs: ["node 1"] },
      ],
    });
    expect(names.get(transposed)).toBe("node 0");
  });
});

test("the types of answers are those of the schema", async () => {
  const own = readFileSync(join(import.meta.dirname, "../src/schema.ts"), "utf8");
  expect(own, "run `npm run types`").toBe(await types());
});

describe("what is asked as one types", () => {
  test("the last question is the one that is shown", async () => {
    const attributes = new Map<string, string>();
    const into = {
      setAttribute: (name: string, value: string) => attributes.set(name, value),
      removeAttribute: (name: string) => attributes.delete(name),
    } as unknown as HTMLElement;
    const asking = new Asking(into);
    const shown: string[] = [];
    const answers: ((text: string) => void)[] = [];
    const ask = () =>
      asking.ask(async (wait) => {
        shown.push(await wait(new Promise<string>((answer) => answers.push(answer))));
      });
    const [first, second] = [ask(), ask()];
    answers[1]?.("second");
    answers[0]?.("first");
    await Promise.all([first, second]);
    expect(shown).toEqual(["second"]);
    const third = ask();
    asking.stop();
    answers[2]?.("third");
    await third;
    expect(shown).toEqual(["second"]);
    expect(attributes.size).toBe(0);
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
