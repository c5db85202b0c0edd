/** Rewrite rules: one is typed, and its counterexample drawn as two graphs with shapes. */

import type { Case, Graph, RuleCost, Sound } from "./api";
import { Asking, type Wait } from "./asking";
import { announce, button, cutBytes, debounced, fill, h, prose, typed } from "./dom";
import type { Engine } from "./engine";
import { badge, codeLink, table } from "./parts";
import { withRepair } from "./rule";
import { manual } from "./runs";
import { Steps } from "./steps";
import { drawTerms, lineOfTerms, typesOfTerms } from "./term";
import { type RuleParts, ruleIn } from "./texts";

/** What is typed: a rule, and what is known of its leaves. */
interface Text {
  rule: string;
  leaves: string;
}

/** A rule may need more steps than another question. */
const EFFORT = { budget: 50_000_000, timeout: 20 };

const EXAMPLES: [string, string][] = [
  ["Gemm for MatMul and Add: what does it need?", "Add(MatMul(A, B), C) => Gemm(A, B, C)"],
  ["Adding a scalar", "Add(X, c) => X :- c: T[]"],
  ["A transpose of a transpose", "Transpose[perm = [1, 0]](Transpose[perm = [1, 0]](X)) => X"],
  ["Products one after another", "MatMul(MatMul(A, B), C) => MatMul(A, MatMul(B, C))"],
  ["A sum before a product", "Add(MatMul(A, B), MatMul(A, C)) => MatMul(A, Add(B, C))"],
  ["Relu twice", "Relu(Relu(X)) => Relu(X)"],
  ["An operand that may broadcast: a repair", "Max(A, Min(A, B)) => A"],
  ["One type, and other numbers", "MatMul(A, B) => MatMul(B, A) :- shape(A) = [2, 2], shape(B) = [2, 2]"],
  [
    "Which order of products costs less?",
    "MatMul(MatMul(A, B), C) => MatMul(A, MatMul(B, C))\n  :- rank(A) = 2, rank(B) = 2, rank(C) = 2",
  ],
];

export class Rules {
  readonly view = h("section", { class: "rules", "aria-label": "Rewrite rules" });
  private readonly text = h("textarea", { id: "rule", class: "code", rows: "6", spellcheck: "false" });
  private readonly leaves = h("textarea", {
    id: "leaves",
    class: "code",
    rows: "2",
    spellcheck: "false",
    placeholder: "A: T[m, k]\nc: f32[]",
  });
  private readonly marks = h("div", { class: "marks" });
  private readonly result = h("div", { class: "result", role: "region", "aria-label": "Verdict" });
  private readonly steps: Steps<Text>;
  private readonly asking = new Asking(this.result, "rules");

  constructor(private readonly engine: Engine) {
    this.text.value = EXAMPLES[0]?.[1] ?? "";
    this.steps = new Steps(this.typed(), (text) => this.again(text));
    this.steps.listen(this.view);
    const soon = debounced(250, () => void this.check());
    for (const field of [this.text, this.leaves]) {
      field.addEventListener("input", () => {
        this.steps.put(this.typed(), true);
        soon();
      });
    }
    const examples = h(
      "select",
      {
        "aria-label": "Examples of rules",
        onchange: (e: Event) => {
          const select = e.target as HTMLSelectElement;
          const one = EXAMPLES[Number(select.value)];
          select.value = "";
          if (one) this.replace({ rule: one[1], leaves: "" });
        },
      },
      h("option", { value: "" }, "Examples…"),
      EXAMPLES.map(([title], i) => h("option", { value: String(i) }, title)),
    );
    this.view.append(
      h("div", { class: "bar" }, examples, this.steps.buttons),
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
          h(
            "p",
            { class: "hint" },
            "A rule is sound if both sides have the same type for all sizes and ranks, and the same numbers. ",
            h("a", { href: manual("rewriting") }, "How rules are written"),
          ),
        ),
        h("div", { class: "card" }, this.result),
      ),
    );
  }

  /** The rule of a link: its text, or an object with what is known of its leaves. */
  open(link: string | null): void {
    if (link) {
      const text = linked(link);
      const old = this.typed();
      if (text.rule !== old.rule || text.leaves !== old.leaves) this.steps.put(text);
      this.again(text);
    } else void this.check();
  }

  private typed(): Text {
    return { rule: this.text.value, leaves: this.leaves.value };
  }

  /** Puts another rule in place of this one; the old one can be brought back. */
  private replace(text: Text): void {
    this.steps.put(text);
    this.again(text);
  }

  private again({ rule, leaves }: Text): void {
    this.text.value = rule;
    this.leaves.value = leaves;
    void this.check();
  }

  private check(): Promise<void> {
    return this.asking.ask(
      (wait) => this.checked(wait),
      () => void this.check(),
    );
  }

  private async checked(wait: Wait): Promise<void> {
    const leaves: Record<string, string> = {};
    for (const line of this.leaves.value.split("\n")) {
      const [name = "", type = ""] = line.split(/:(.*)/s);
      if (name.trim() && type.trim()) leaves[name.trim()] = type.trim();
    }
    const text = this.typed();
    const { rule } = text;
    const line = { rule, values: true, ...EFFORT, ...(Object.keys(leaves).length > 0 && { leaves }) };
    const found = await wait(this.engine.ask<Sound>(line, "rule"));
    this.asking.isAt(`#/rules/${encodeURIComponent(text.leaves.trim() === "" ? rule : JSON.stringify(text))}`);
    const one = found.counterexample;
    const parts = found.error ? null : await wait(ruleIn(this.engine, rule, one?.attrs));
    const repairs = h(
      "div",
      { class: "other-sides" },
      !found.error && found.verdict !== "always" && h("p", { class: "hint" }, "Looking for repairs…"),
    );
    const cost = h(
      "div",
      { class: "cost" },
      !found.error && h("p", { class: "hint" }, "Counting what both sides cost…"),
    );
    const example = one && (await wait(counterexample(this.engine, parts, one)));
    this.shown(found, parts, example, repairs, cost);
    this.result.removeAttribute("aria-busy");
    if (found.error) return;
    const all = await wait(this.engine.ask<Sound>({ ...line, repairs: true, cost: true }, "rule"));
    fill(repairs, this.repairs(all));
    fill(cost, costs(all));
  }

  private shown(
    found: Sound,
    parts: RuleParts | null,
    example: HTMLElement | null,
    repairs: HTMLElement,
    cost: HTMLElement,
  ): void {
    fill(this.marks);
    this.text.removeAttribute("aria-invalid");
    this.leaves.removeAttribute("aria-invalid");
    if (found.error) {
      const at = found.error.at;
      const field = at?.field.startsWith("leaves") ? this.leaves : this.text;
      field.setAttribute("aria-invalid", "true");
      if (at && at.field === "rule" && at.start !== null && at.end !== null) {
        const [before, here, after] = cutBytes(this.text.value, at.start, at.end);
        fill(
          this.marks,
          h(
            "div",
            { class: "mark" },
            h("code", {}, before.slice(before.lastIndexOf("\n") + 1), h("mark", {}, here || " "), after.split("\n")[0]),
          ),
        );
      }
      fill(
        this.result,
        h("div", { class: "verdict" }, badge("error"), codeLink(found.error.code)),
        h("p", { class: "message" }, prose(found.error.message)),
      );
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
    const bound = upTo ? `up to rank ${upTo.rank}${upTo.dim === null ? "" : ` and size ${upTo.dim}`}` : "";
    const needs = found.verdict === "depends" ? (found.needs ?? []) : [];
    fill(
      this.result,
      h(
        "div",
        { class: "verdict" },
        badge(found.verdict),
        h("span", {}, words, found.verdict === "always" && bound !== "" && ` (checked ${bound})`),
      ),
      found.why && h("p", {}, prose(found.why)),
      found.values && agreed(found.values),
      found.audit &&
        h(
          "p",
          {},
          {
            exact: "Its precondition excludes no case that is sound.",
            "too weak": "Its precondition is too weak: it still fails.",
            "too strong": "Its precondition is too strong: it excludes a case that is sound.",
          }[found.audit],
        ),
      found.audit === "too strong" && found.lost && h("p", { class: "code" }, leafList(found.lost)),
      needs.length > 0 && [
        h("h2", { class: "small" }, "It needs"),
        h(
          "ul",
          {},
          needs.map((one) => h("li", { class: "code" }, typed(one))),
        ),
        bound !== "" && h("p", { class: "hint" }, `No weaker one was found ${bound}.`),
        parts &&
          h(
            "p",
            {},
            button("Put it into the rule", () =>
              this.replace({ ...this.typed(), rule: withRepair(parts, null, needs) }),
            ),
          ),
      ],
      found.verdict === "depends" && found.needs === null && h("p", {}, "No goals were found that say what it needs."),
      repairs,
      example,
      found.values?.counterexample &&
        h("div", {}, h("h2", { class: "small" }, "Other numbers"), numbers(found.values.counterexample)),
      cost,
    );
    announce(`${found.verdict}: ${words}${found.values ? `; values ${found.values.verdict}` : ""}`);
  }

  /** Other right sides, each a button that puts it in. */
  private repairs(found: Sound): HTMLElement | null {
    const all = found.repairs ?? [];
    if (all.length === 0) return null;
    return h(
      "div",
      {},
      h("h2", { class: "small" }, "It would hold with one of these"),
      h(
        "div",
        { class: "repairs" },
        all.map(({ right, needs }) =>
          button(
            h("span", { class: "code" }, `=> ${right}${needs.length > 0 ? ` :- ${needs.join(", ")}` : ""}`),
            () => void this.repair(right, needs),
            {
              class: "repair",
            },
          ),
        ),
      ),
    );
  }

  private async repair(right: string, needs: string[]): Promise<void> {
    const parts = await ruleIn(this.engine, this.text.value);
    if (parts) this.replace({ ...this.typed(), rule: withRepair(parts, right, needs) });
  }
}

/** A counterexample as two graphs, with the types of the operators within both sides. */
export async function counterexample(engine: Engine, parts: RuleParts | null, one: Case): Promise<HTMLElement> {
  const types: ReturnType<typeof typesOfTerms>[] = [];
  for (const side of parts ? [parts.left, parts.right] : []) {
    const { line, names } = lineOfTerms(side.terms, one.leaves);
    types.push(typesOfTerms(names, await engine.ask<Graph>(line)));
  }
  const list = (ty: string | string[] | null): string[] => (ty === null ? ["no type"] : Array.isArray(ty) ? ty : [ty]);
  const graph = (title: string, at: number, side: RuleParts["left"], found: string[], isWrong: boolean) =>
    h(
      "figure",
      { class: isWrong ? "side wrong" : "side", tabindex: "0" },
      h(
        "figcaption",
        {},
        h("b", {}, title),
        " ",
        h("span", { class: "code" }, isWrong ? "✕ " : "", typed(found.join(", "))),
      ),
      drawTerms(`${title} side: ${side.text}`, side.terms, found, one.leaves, types[at] ?? new Map()),
    );
  const [left, right] = [list(one.left), list(one.right)];
  return h(
    "div",
    { class: "counterexample" },
    h("h2", { class: "small" }, "Counterexample"),
    h("p", { class: "code" }, leafList(one)),
    one.why && h("p", {}, prose(one.why)),
    parts &&
      h(
        "div",
        { class: "sides" },
        graph("left", 0, parts.left, left, false),
        graph("right", 1, parts.right, right, one.right === null || left.join() !== right.join()),
      ),
  );
}

/** Whether both sides are the same numbers. */
function agreed(found: NonNullable<Sound["values"]>): HTMLElement {
  const { verdict, ranks, sizes, instances, why } = found;
  const upTo =
    ranks === "all"
      ? "for all shapes"
      : sizes === null
        ? `for all sizes up to rank ${ranks ?? 0}`
        : `for ${instances} choices of types up to rank ${ranks ?? 0} and size ${sizes}`;
  const words = {
    proved: `Both sides are the same numbers ${upTo}`,
    tested: `Both sides were the same numbers ${upTo}`,
    refuted: "Both sides are not the same numbers where they have one type",
    opaque: "Whether both sides are the same numbers was not calculated",
  }[verdict];
  return h("p", {}, words, why !== null && [": ", prose(why)], ".");
}

/** Leaves with contents, and what both sides are of them. */
function numbers(one: Case): HTMLElement {
  const side = (ty: Case["right"]) => (ty === null ? "no value" : Array.isArray(ty) ? ty.join(", ") : ty);
  return h(
    "ul",
    { class: "plain" },
    h("li", { class: "code" }, leafList(one)),
    h("li", {}, "left ", h("span", { class: "code" }, typed(side(one.left)))),
    h("li", {}, "right ", h("span", { class: "code" }, typed(side(one.right)))),
  );
}

/** The rule of a link. */
function linked(link: string): Text {
  try {
    const found = JSON.parse(link) as Partial<Text>;
    return { rule: String(found.rule ?? ""), leaves: String(found.leaves ?? "") };
  } catch {
    return { rule: link, leaves: "" };
  }
}

/** The attributes and leaves of a case. */
function leafList(one: Case): (Node | string)[] {
  const attrs = Object.entries(one.attrs ?? {}).map(([name, value]) => [h("b", {}, name), " = ", typed(value)]);
  const leaves = Object.entries(one.leaves).map(([name, type]) => [h("b", {}, name), " ", typed(type)]);
  return [...attrs, ...leaves].flatMap((part, i) => (i > 0 ? [", ", ...part] : part));
}

/** What both sides cost. */
function costs(found: Sound): HTMLElement {
  const { cost } = found;
  if (!cost)
    return h(
      "p",
      { class: "hint" },
      "What both sides cost is not known: no ranks were found for which it can be counted.",
    );
  const row = (title: string, own: RuleCost["elements"]) => {
    const size = (n: RuleCost["elements"]["left"]) => h("td", { class: "code" }, typed(n === null ? "?" : String(n)));
    const cheaper = {
      always: "✓ always",
      where: ["◐ where ", h("span", { class: "code" }, typed(own.where ?? ""))],
      never: "✕ never",
      same: "= the same",
    };
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, title),
      size(own.left),
      size(own.right),
      h("td", {}, own.cheaper === null ? "? not known" : cheaper[own.cheaper]),
    );
  };
  return h(
    "div",
    {},
    h("h2", { class: "small" }, "What both sides cost"),
    h(
      "p",
      { class: "hint" },
      "for ",
      h(
        "span",
        { class: "code" },
        Object.entries(cost.leaves).map(([name, type], i) => [i > 0 ? ", " : "", h("b", {}, name), " ", typed(type)]),
      ),
    ),
    table(
      "Costs of both sides",
      ["", "left", "right", "is the right side cheaper?"],
      [row("elements", cost.elements), row("bytes", cost.bytes), row("multiply-adds", cost.multiply_adds)],
    ),
  );
}
