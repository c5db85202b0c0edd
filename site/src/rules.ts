/** Rewrite rules: one is typed, and its counterexample drawn as two graphs with shapes. */

import type { Case, Sound } from "./api";
import { announce, cutBytes, debounced, fill, h, prose, typed } from "./dom";
import type { Engine } from "./engine";
import { Overtaken } from "./engine";
import { badge, codeLink, failure } from "./parts";
import { termOf, drawTerm } from "./term";

const EXAMPLES: [string, string][] = [
  ["Gemm for MatMul and Add: what does it need?", "Add(MatMul(A, B), C) => Gemm(A, B, C)"],
  ["Adding a scalar", "Add(X, c) => X :- c: T[]"],
  ["A transpose of a transpose", "Transpose[perm = [1, 0]](Transpose[perm = [1, 0]](X)) => X"],
  ["Products one after another", "MatMul(MatMul(A, B), C) => MatMul(A, MatMul(B, C))"],
  ["A sum before a product", "Add(MatMul(A, B), MatMul(A, C)) => MatMul(A, Add(B, C))"],
  ["Relu twice", "Relu(Relu(X)) => Relu(X)"],
];

export class Rules {
  readonly view = h("section", { class: "rules", "aria-label": "Rewrite rules" });
  private readonly text = h("textarea", { id: "rule", class: "code", rows: "6", spellcheck: "false" });
  private readonly leaves = h("textarea", { id: "leaves", class: "code", rows: "2", spellcheck: "false", placeholder: "A: T[m, k]\nc: f32[]" });
  private readonly marks = h("div", { class: "marks" });
  private readonly result = h("div", { class: "result", role: "region", "aria-label": "Verdict" });
  private run = 0;

  constructor(private readonly engine: Engine) {
    const soon = debounced(250, () => void this.check());
    this.text.value = EXAMPLES[0]?.[1] ?? "";
    this.text.addEventListener("input", soon);
    this.leaves.addEventListener("input", soon);
    const examples = h(
      "select",
      {
        "aria-label": "Examples of rules",
        onchange: (e: Event) => {
          const select = e.target as HTMLSelectElement;
          const one = EXAMPLES[Number(select.value)];
          select.value = "";
          if (!one) return;
          this.text.value = one[1];
          this.leaves.value = "";
          void this.check();
        },
      },
      h("option", { value: "" }, "Examples…"),
      EXAMPLES.map(([title], i) => h("option", { value: String(i) }, title)),
    );
    this.view.append(
      h("div", { class: "bar" }, examples),
      h(
        "div",
        { class: "two" },
        h(
          "div",
          { class: "card" },
          h("label", { for: "rule" }, "Rewrite rule"),
          this.text,
          this.marks,
          h("label", { for: "leaves" }, "What is known of its leaves, one a line"),
          this.leaves,
          h("p", { class: "hint" }, "A rule is sound for types if both sides have the same type for all sizes and ranks. ", h("a", { href: "./docs/rewriting.html" }, "How rules are written")),
        ),
        h("div", { class: "card" }, this.result),
      ),
    );
  }

  open(text: string | null): void {
    if (text) this.text.value = text;
    void this.check();
  }

  private async check(): Promise<void> {
    const run = ++this.run;
    this.result.setAttribute("aria-busy", "true");
    try {
      const leaves: Record<string, string> = {};
      for (const line of this.leaves.value.split("\n")) {
        const [name = "", type = ""] = line.split(/:(.*)/s);
        if (name.trim() && type.trim()) leaves[name.trim()] = type.trim();
      }
      const rule = this.text.value;
      const found = await this.engine.ask<Sound>({ rule, budget: 50_000_000, timeout: 20, ...(Object.keys(leaves).length > 0 && { leaves }) }, "rule");
      if (run !== this.run) return;
      history.replaceState(null, "", `#/rules/${encodeURIComponent(rule)}`);
      this.shown(found);
    } catch (error) {
      if (!(error instanceof Overtaken) && run === this.run) fill(this.result, failure(error));
    } finally {
      if (run === this.run) this.result.removeAttribute("aria-busy");
    }
  }

  private shown(found: Sound): void {
    fill(this.marks);
    if (found.error) {
      const at = found.error.at;
      if (at && at.field === "rule" && at.start !== null && at.end !== null) {
        const [before, here, after] = cutBytes(this.text.value, at.start, at.end);
        fill(this.marks, h("div", { class: "mark" }, h("code", {}, before.slice(before.lastIndexOf("\n") + 1), h("mark", {}, here || " "), after.split("\n")[0])));
      }
      fill(this.result, h("div", { class: "verdict" }, badge("error"), codeLink(found.error.code)), h("p", { class: "message" }, prose(found.error.message)));
      announce(found.error.message);
      return;
    }
    const upTo = found.complete_up_to;
    const words = {
      always: "Both sides have the same type, whatever the sizes are",
      depends: "It holds only under a condition",
      never: "It never holds",
      unknown: "It is not known",
    }[found.verdict];
    const bound = upTo ? ` (up to rank ${upTo.rank}${upTo.dim === null ? "" : ` and size ${upTo.dim}`})` : "";
    fill(
      this.result,
      h("div", { class: "verdict" }, badge(found.verdict), h("span", {}, words + bound)),
      found.why && h("p", {}, prose(found.why)),
      found.needs && found.needs.length > 0 && [h("h3", {}, "It needs"), h("ul", {}, found.needs.map((one) => h("li", { class: "code" }, typed(one))))],
      found.counterexample && this.example(found.counterexample),
    );
    announce(`${found.verdict}: ${words}`);
  }

  private example(one: Case): HTMLElement {
    const text = (ty: string | string[] | null) => (ty === null ? "has no type" : Array.isArray(ty) ? ty.join(", ") : ty);
    const [left, right] = this.sides();
    const graph = (title: string, term: string, type: string, isWrong: boolean) =>
      h(
        "figure",
        { class: isWrong ? "side wrong" : "side" },
        h("figcaption", {}, h("b", {}, title), " ", h("span", { class: "code" }, isWrong ? "✕ " : "", typed(type))),
        drawTerm(termOf(term), one.leaves, type),
      );
    return h(
      "div",
      {},
      h("h3", {}, "Counterexample"),
      h("p", { class: "code" }, Object.entries(one.leaves).map(([name, type], i) => [i > 0 ? ", " : "", h("b", {}, name), " ", typed(type)])),
      one.why && h("p", {}, prose(one.why)),
      h("div", { class: "sides" }, graph("left", left, text(one.left), false), graph("right", right, text(one.right), one.right === null || text(one.right) !== text(one.left))),
    );
  }

  /** The two sides of the rule as they are written. */
  private sides(): [string, string] {
    const text = this.text.value.replace(/^\s*rule\s[^:]*:/, "");
    const [left = "", rest = ""] = text.split(/<?=>(.*)/s);
    return [left.trim(), rest.split(":-")[0]?.trim() ?? ""];
  }
}
