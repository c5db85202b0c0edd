// A thousand lines of `batch`, made of recorded facts: questions forwards and backwards, with and without answers.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DATA } from "./site.mjs";

const records = (file) =>
  readFileSync(join(DATA, file), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
const type = ({ dtype, shape }) => (dtype && shape ? `${dtype}[${shape.map((n) => n ?? "?").join(", ")}]` : null);
/** Steps, not seconds: an answer must not depend on the machine. */
const budget = 20_000;

export function lines() {
  const all = [];
  const numpy = records("numpy/numpy_gufunc_cases.jsonl");
  const shape = (dims) => (dims ? `f32[${dims.join(", ")}]` : null);
  for (let i = 0; i < 400; i++) {
    const { id, signature, inputs, outputs } = numpy[(i * 5) % numpy.length];
    const [given, wanted] = [inputs.map(shape), (outputs ?? []).map(shape)];
    if (i % 2 === 0) all.push({ id, signature, inputs: given, budget });
    else
      all.push({
        id,
        signature,
        inputs: given.map((one, k) => (k === i % given.length ? null : one)),
        ...(wanted.length && { outputs: wanted }),
        limit: 5,
        budget,
      });
  }
  for (const { id, signature } of records("numpy/numpy_signature_parse.jsonl").slice(0, 220))
    all.push({ id, signature, limit: 3, budget });
  const onnx = records("onnx/node_cases.jsonl").filter(
    (one) => one.domain === "" && one.inputs.every((x) => x === null || x.dtype),
  );
  for (let i = 0; i < 340; i++) {
    const { id, op, opset, attrs, inputs, outputs } = onnx[(i * 3) % onnx.length];
    const given = inputs.map((x) => (x === null ? "-" : type(x)));
    const line = { id, op: `onnx::${op}`, opset, inputs: given, attrs: i % 5 === 4 ? {} : attrs, budget };
    if (i % 2 === 1)
      Object.assign(line, {
        inputs: given.map((one, k) => (k === 0 ? null : one)),
        outputs: outputs.map((x) => (x === null ? "-" : type(x))),
        limit: 3,
      });
    all.push(line);
  }
  for (const { name, rule } of records("rewrite_rules.jsonl")
    .filter((one) => one.rule)
    .slice(0, 40))
    all.push({ id: name, rule, budget });
  return all.slice(0, 1000).map((line) => JSON.stringify(line));
}
