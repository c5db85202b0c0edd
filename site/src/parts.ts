/** Parts that several views have. */

import type { Verdict } from "./api";
import { button, cutBytes, h } from "./dom";

const SIGNS: Record<string, [string, string]> = {
  always: ["✓", "always"],
  depends: ["◐", "depends"],
  never: ["✕", "never"],
  unknown: ["?", "unknown"],
  error: ["!", "mistake"],
  warning: ["△", "warning"],
};

/** A verdict as a sign and a word: no colour is the only sign. */
export function badge(verdict: Verdict | "error" | "warning" | string): HTMLElement {
  const [sign, word] = SIGNS[verdict] ?? ["•", verdict];
  return h("span", { class: `badge v-${verdict}` }, h("span", { "aria-hidden": "true" }, `${sign} `), word);
}

/** The page of a code of diagnostics. */
export function codeLink(code: string): HTMLElement {
  return h(
    "a",
    { class: "code-link", href: `./docs/codes/${code}.html`, target: "_blank", rel: "noopener" },
    `${code}: what it means`,
  );
}

/** An error of the page itself. */
export function failure(error: unknown, again: (() => void) | null = null): HTMLElement {
  const text = error instanceof Error ? error.message : String(error);
  return h(
    "div",
    { class: "failure", role: "alert" },
    h("b", {}, "This page has failed. "),
    text,
    again && [" ", button("Try again", again, { class: "quiet" })],
  );
}

/** Bytes for people. */
export function bytes(n: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let power = 0;
  while (n >= 1024 && power + 1 < units.length) {
    n /= 1024;
    power++;
  }
  return power === 0 ? `${n} B` : `${n.toFixed(1)} ${units[power]}`;
}

/** Large counts for people. */
export function count(n: number): string {
  for (const [unit, size] of [
    ["T", 1e12],
    ["G", 1e9],
    ["M", 1e6],
    ["k", 1e3],
  ] as const) {
    if (n >= size) return `${(n / size).toFixed(2)} ${unit}`;
  }
  return String(n);
}

/** A table that is scrolled where it is wider than the page. */
export function table(label: string, heads: string[], rows: HTMLElement[]): HTMLElement {
  const head = h(
    "thead",
    {},
    h(
      "tr",
      {},
      heads.map((text) => (text === "" ? h("td", {}) : h("th", { scope: "col" }, text))),
    ),
  );
  return h(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": label },
    h(
      "table",
      {},
      h(
        "colgroup",
        {},
        heads.map(() => h("col", {})),
      ),
      head,
      h("tbody", {}, rows),
    ),
  );
}

/** The line of a place in a program, with the place marked. */
export function marked(program: string, at: { start: number | null; end: number | null } | null): HTMLElement | null {
  if (!at || at.start === null || at.end === null) return null;
  const [before, here, after] = cutBytes(program, at.start, at.end);
  const line = before.split("\n").length;
  const start = before.slice(before.lastIndexOf("\n") + 1);
  return h(
    "div",
    { class: "mark" },
    h("span", { class: "hint" }, `line ${line}, column ${[...start].length + 1}`),
    h("code", {}, start, h("mark", {}, here === "" ? " " : here), after.split("\n")[0]),
  );
}
