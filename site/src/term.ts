/** A side of a rewrite rule as a small graph: operators above what they take. */

import type { Json, Line, ModelReport } from "./api";
import { s } from "./dom";
import { splitTop, valueIn } from "./question";

/** An operator with operands, or a leaf without any. */
export interface Term {
  name: string;
  attrs: string;
  args: Term[];
  isLeaf: boolean;
}

/** So deep are terms read; what is below is a leaf. */
const DEEPEST = 60;

/** Reads the terms of a side: `matmul(x, transpose[perm = [1, 0]](y)), relu(const z)`. */
export function termsOf(side: string): Term[] {
  return splitTop(side).map((text) => termOf(text, 0));
}

function termOf(text: string, depth: number): Term {
  const leaf = (name: string): Term => ({ name: name.trim(), attrs: "", args: [], isLeaf: true });
  const found = /^\s*([A-Za-z_][\w.]*(?:::\w+)?)\s*([[(][\s\S]*)$/.exec(text);
  const [, name = "", rest = ""] = found ?? [];
  if (!found || depth > DEEPEST) return leaf(text.replace(/^\s*const\s/, ""));
  const close = rest.startsWith("[") ? closing(rest, 0) : -1;
  const attrs = rest.slice(1, Math.max(close, 1));
  const operands = rest.slice(close + 1).trim();
  if (!operands.startsWith("(")) return leaf(text);
  const args = splitTop(operands.slice(1, closing(operands, 0))).map((one) => termOf(one, depth + 1));
  return { name, attrs, args, isLeaf: false };
}

/** The bracket that closes the one at a place. */
function closing(text: string, from: number): number {
  let depth = 0;
  for (let i = from; i < text.length; i++) {
    if ("([{".includes(text[i] ?? "")) depth++;
    else if (")]}".includes(text[i] ?? "") && --depth === 0) return i;
  }
  return text.length;
}

/** The line that gives the type of each operator of a side, by the places of these operators in a walk from below. */
export function lineOfTerms(
  terms: Term[],
  leaves: Record<string, string>,
  attrs: Record<string, string>,
): { line: Line; names: Map<Term, string> } {
  const inputs: Record<string, Json> = {};
  const nodes: Json[] = [];
  const names = new Map<Term, string>();
  const given = (text: string): string => text.replace(/\b[A-Za-z_]\w*\b/g, (word) => attrs[word] ?? word);
  const visit = (term: Term): string => {
    if (term.isLeaf) {
      const type = leaves[term.name];
      if (term.name === "none") return "";
      const name = type === undefined ? `literal ${term.name}` : term.name;
      const members = /^\[(.*)\]$/s.exec(given(term.name))?.[1];
      inputs[name] ??= type ?? (members === undefined ? "?[]" : `i64[${splitTop(members).length}] = [${members}]`);
      return name;
    }
    const operands = term.args.map(visit);
    const values: Record<string, Json> = {};
    for (const one of splitTop(term.attrs)) {
      const [name = "", value = ""] = one.split(/=(.*)/s);
      values[name.trim()] = valueIn(given(value.trim()));
    }
    const name = `node ${names.size}`;
    names.set(term, name);
    nodes.push({
      op: term.name.includes("::") ? term.name : `onnx::${term.name}`,
      inputs: operands,
      outputs: [name],
      attrs: values,
    });
    return name;
  };
  for (const term of terms) visit(term);
  return { line: { graph: { inputs, nodes } }, names };
}

/** The types of a reply to that line. */
export function typesOfTerms(names: Map<Term, string>, report: ModelReport): Map<Term, string> {
  const types = new Map<Term, string>();
  if (report.error) return types;
  for (const [term, name] of names) types.set(term, report.values[name] ?? "");
  return types;
}

const W = 140;
const H = 74;

/** Draws the terms of a side: their roots on top, each with its type. */
export function drawTerms(
  title: string,
  terms: Term[],
  roots: string[],
  leaves: Record<string, string>,
  types: Map<Term, string>,
): SVGSVGElement {
  const boxes: SVGElement[] = [];
  const lines: SVGElement[] = [];
  let next = 0;
  let deepest = 0;
  const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
  const place = (term: Term, depth: number, root: string | undefined): number => {
    deepest = Math.max(deepest, depth);
    const below = term.args.map((arg) => place(arg, depth + 1, undefined));
    const x = below.length > 0 ? ((below[0] ?? 0) + (below.at(-1) ?? 0)) / 2 : next++ * W + W / 2;
    const y = depth * H + 24;
    for (const at of below) lines.push(s("path", { d: `M${x},${y + 16} L${at},${y + H - 20}`, class: "edge" }));
    const type = root ?? (term.isLeaf ? (leaves[term.name] ?? "") : (types.get(term) ?? ""));
    const whole = `${term.name}${term.attrs === "" ? "" : `[${term.attrs}]`}: ${type}`;
    boxes.push(
      s(
        "g",
        {},
        s("rect", {
          x: x - W / 2 + 6,
          y: y - 20,
          width: W - 12,
          height: 40,
          rx: 7,
          class: term.isLeaf ? "box leaf" : "box",
        }),
        s("text", { x, y: y - 4, class: "label" }, cut(term.name, 18)),
        s("text", { x, y: y + 12, class: "type" }, cut(type, 20)),
        s("title", {}, whole),
      ),
    );
    return x;
  };
  for (const [i, term] of terms.entries()) place(term, 0, roots[i]);
  const width = Math.max(next, 1) * W;
  const height = (deepest + 1) * H - 22;
  return s(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, width, height, class: "term", role: "img", "aria-label": title },
    lines,
    boxes,
  );
}
