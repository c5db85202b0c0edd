/** A side of a rewrite rule as a small graph: operators above what they take. */

import type { Graph, Json, Line, Term } from "./api";
import { s } from "./dom";
import { named } from "./exact";
import { valueIn } from "./question";

/** The line that gives the type of each operator of a side, by the places of these operators in a walk from below. */
export function lineOfTerms(terms: Term[], leaves: Record<string, string>): { line: Line; names: Map<Term, string> } {
  const inputs = named<Json>({});
  const nodes: Json[] = [];
  const names = new Map<Term, string>();
  const visit = (term: Term): string => {
    switch (term.kind) {
      case "none":
        return "";
      case "leaf":
        inputs[term.name] ??= leaves[term.name] ?? "?";
        return term.name;
      case "literal": {
        const name = `literal ${term.text}`;
        inputs[name] ??= term.type;
        return name;
      }
      case "call": {
        const operands = term.args.map(visit);
        const attrs: Record<string, Json> = {};
        for (const [name, value] of Object.entries(term.attrs)) attrs[name] = valueIn(value);
        const name = `node ${names.size}`;
        names.set(term, name);
        nodes.push({ op: term.op, inputs: operands, outputs: [name], attrs });
        return name;
      }
    }
  };
  for (const term of terms) visit(term);
  return { line: { graph: { inputs, nodes } }, names };
}

/** The types of a reply to that line. */
export function typesOfTerms(names: Map<Term, string>, report: Graph): Map<Term, string> {
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
    const below = (term.args ?? []).map((arg) => place(arg, depth + 1, undefined));
    const x = below.length > 0 ? ((below[0] ?? 0) + (below.at(-1) ?? 0)) / 2 : next++ * W + W / 2;
    const y = depth * H + 24;
    for (const at of below) lines.push(s("path", { d: `M${x},${y + 16} L${at},${y + H - 20}`, class: "edge" }));
    const type = root ?? (term.kind === "call" ? (types.get(term) ?? "") : (leaves[term.name] ?? ""));
    const attrs = Object.entries(term.attrs ?? {}).map(([name, value]) => `${name} = ${value}`);
    const whole = `${term.name}${attrs.length === 0 ? "" : `[${attrs.join(", ")}]`}: ${type}`;
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
          class: term.kind === "call" ? "box" : "box leaf",
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
