/** A side of a rewrite rule as a small graph: operators above what they take. */

import { s } from "./dom";

export interface Term {
  name: string;
  attrs: string;
  args: Term[];
}

/** Reads `matmul(x, transpose[perm = [1, 0]](y))`; what can't be read is a leaf. */
export function termOf(text: string): Term {
  let at = 0;
  const skip = (): void => {
    while (/\s/.test(text[at] ?? "")) at++;
  };
  const bracket = (open: string, close: string): string => {
    const start = at;
    let depth = 0;
    do {
      if (text[at] === open) depth++;
      if (text[at] === close) depth--;
      at++;
    } while (depth > 0 && at < text.length);
    return text.slice(start + 1, at - 1);
  };
  const term = (depth: number): Term => {
    skip();
    const start = at;
    while (at < text.length && /[^\s,()[\]]/.test(text[at] ?? "")) at++;
    const own: Term = { name: text.slice(start, at) || "?", attrs: "", args: [] };
    skip();
    if (text[at] === "[") own.attrs = bracket("[", "]");
    skip();
    if (text[at] === "(" && depth < 60) {
      at++;
      for (;;) {
        skip();
        if (at >= text.length || text[at] === ")") break;
        const before = at;
        own.args.push(term(depth + 1));
        skip();
        if (text[at] === "[") own.attrs = bracket("[", "]");
        if (text[at] === ",") at++;
        else if (text[at] !== ")" && at === before) at++;
      }
      at++;
      skip();
      if (text[at] === "[") own.attrs = bracket("[", "]");
    }
    return own;
  };
  return term(0);
}

const W = 132;
const H = 74;

/** Draws a term, its root on top with its type, its leaves with theirs. */
export function drawTerm(root: Term, leaves: Record<string, string>, type: string): SVGSVGElement {
  const boxes: SVGElement[] = [];
  const lines: SVGElement[] = [];
  let next = 0;
  let deepest = 0;
  const place = (term: Term, depth: number, isRoot: boolean): number => {
    deepest = Math.max(deepest, depth);
    const below = term.args.map((arg) => place(arg, depth + 1, false));
    const x = below.length > 0 ? ((below[0] ?? 0) + (below.at(-1) ?? 0)) / 2 : next++ * W + W / 2;
    const y = depth * H + 24;
    for (const at of below) lines.push(s("path", { d: `M${x},${y + 16} L${at},${y + H - 20}`, class: "edge" }));
    const label = isRoot ? type : (leaves[term.name.replace(/^\?/, "")] ?? leaves[term.name] ?? term.attrs);
    boxes.push(
      s(
        "g",
        {},
        s("rect", { x: x - W / 2 + 6, y: y - 20, width: W - 12, height: 40, rx: 7, class: term.args.length > 0 ? "box" : "box leaf" }),
        s("text", { x, y: y - 4, class: "label" }, term.name.length > 18 ? `${term.name.slice(0, 17)}…` : term.name),
        s("text", { x, y: y + 12, class: "type" }, label.length > 20 ? `${label.slice(0, 19)}…` : label, s("title", {}, label)),
      ),
    );
    return x;
  };
  place(root, 0, true);
  const width = Math.max(next, 1) * W;
  const height = (deepest + 1) * H - 22;
  return s("svg", { viewBox: `0 0 ${width} ${height}`, width, height, class: "term", role: "img", "aria-label": `graph of ${root.name}` }, lines, boxes);
}
