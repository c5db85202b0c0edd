// Models that are too large to be kept.

import { closeSync, ftruncateSync, openSync, writeSync } from "node:fs";

const varint = (n) => {
  const bytes = [];
  do {
    bytes.push((n % 128) + (n > 127 ? 128 : 0));
    n = Math.floor(n / 128);
  } while (n > 0);
  return Buffer.from(bytes);
};
const int = (field, n) => Buffer.concat([varint(field * 8), varint(n)]);
const head = (field, length) => Buffer.concat([varint(field * 8 + 2), varint(length)]);
const bytes = (field, content) => Buffer.concat([head(field, Buffer.byteLength(content)), Buffer.from(content)]);
const dim = (d) => bytes(1, typeof d === "number" ? int(1, d) : bytes(2, d));
const value = (name, dims) =>
  Buffer.concat([
    bytes(1, name),
    bytes(2, bytes(1, Buffer.concat([int(1, 1), bytes(2, Buffer.concat(dims.map(dim)))]))),
  ]);
const tensor = (name, dims, raw) =>
  Buffer.concat([...dims.map((d) => int(1, d)), int(2, 1), bytes(8, name), bytes(9, raw)]);
const node = (op, inputs, output, name = `${output}/${op}`) =>
  Buffer.concat([...inputs.map((one) => bytes(1, one)), bytes(2, output), bytes(3, name), bytes(4, op)]);
const opset = bytes(8, int(2, 17));

/** A model whose weight has 24 MB. */
export function large() {
  const graph = Buffer.concat([
    bytes(1, node("MatMul", ["x", "w"], "a")),
    bytes(1, node("Add", ["a", "b"], "y")),
    bytes(2, "large"),
    bytes(5, tensor("w", [2000, 3000], Buffer.alloc(24_000_000, 7))),
    bytes(5, tensor("b", [3000], Buffer.alloc(12_000, 1))),
    bytes(11, value("x", ["N", 2000])),
    bytes(12, value("y", ["N", 3000])),
  ]);
  return Buffer.concat([int(1, 8), bytes(7, graph), opset]);
}

/** Writes a model whose weight has 2 GB, which are a hole in the file: they take no space. */
export function huge(path) {
  const [rows, columns] = [2 ** 14, 2 ** 15];
  const weight = rows * columns * 4;
  const before = Buffer.concat([
    bytes(1, node("MatMul", ["x", "w"], "y")),
    bytes(2, "huge"),
    bytes(11, value("x", ["N", rows])),
    bytes(12, value("y", ["N", columns])),
  ]);
  const start = Buffer.concat([int(1, rows), int(1, columns), int(2, 1), bytes(8, "w"), head(9, weight)]);
  const inner = start.length + weight;
  const all = Buffer.concat([
    int(1, 8),
    opset,
    head(7, before.length + head(5, inner).length + inner),
    before,
    head(5, inner),
    start,
  ]);
  const file = openSync(path, "w");
  writeSync(file, all);
  ftruncateSync(file, all.length + weight);
  closeSync(file);
  return all.length + weight;
}

/** A model of so many nodes in blocks: half of them in a path beside, as networks with residuals have them. */
export function deep(count) {
  const parts = [];
  let last = "x";
  for (let i = 0; i < count; i += 4) {
    const name = (k, op) => `stage${Math.floor(i / 400)}/block${Math.floor(i / 20) % 20}/${op}_${i + k}`;
    const ops = [
      ["Relu", [last]],
      ["Tanh", [`v${i}`]],
      ["Sigmoid", [`v${i}`]],
      ["Add", [`v${i + 1}`, `v${i + 2}`]],
    ];
    for (const [k, [op, inputs]] of ops.slice(0, count - i).entries())
      parts.push(bytes(1, node(op, inputs, `v${i + k}`, name(k, op))));
    last = `v${Math.min(i + 3, count - 1)}`;
  }
  const graph = Buffer.concat([
    ...parts,
    bytes(2, "deep"),
    bytes(11, value("x", ["N", 64])),
    bytes(12, value(last, ["N", 64])),
  ]);
  return Buffer.concat([int(1, 8), bytes(7, graph), opset]);
}

/** Names that nobody expects: markup, names that each object has, texts that turn others round, and lines that end. */
export const HOSTILE = [
  '<img src=x onerror="window.hurt=1">',
  "</script><script>window.hurt=1</script>",
  "__proto__",
  "constructor",
  "\u202egnol",
  "a\nb\tc",
  "a\u0000b",
  "'\"`{x}",
];

/** A chain of nodes, each of whose values, and the node itself, has one of those names. */
export function hostile() {
  const names = ["toString", ...HOSTILE];
  const all = names.slice(1).map((name, i) => node("Relu", [names[i]], name, name));
  const last = names.at(-1);
  const graph = Buffer.concat([
    ...all.map((one) => bytes(1, one)),
    bytes(1, node(HOSTILE[0], [last], "unknown", "hasOwnProperty")),
    bytes(2, HOSTILE[1]),
    bytes(11, value(names[0], [HOSTILE[0], "prototype", 4])),
    bytes(12, value(last, [HOSTILE[0], "prototype", 4])),
    bytes(12, value("unknown", [HOSTILE[4]])),
  ]);
  return Buffer.concat([int(1, 8), bytes(7, graph), opset]);
}
