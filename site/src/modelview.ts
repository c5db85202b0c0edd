/** What is known of a model, shown: on the page, where it can be changed, and in a report, where it can't. */

import { Overtaken } from "./api";
import type { Cause, Condition, ModelNode, ModelReport, Place, Size, Spot, Ways } from "./api";
import { announce, button, fill, h, prose, typed } from "./dom";
import { GraphView, noGraph } from "./graph";
import { badge, bytes, codeLink, count, failure } from "./parts";
import { splitTop } from "./question";
import { Table } from "./table";

/** What a page can do and a report can't. */
export interface Abilities {
  /** Another dim of an input: a name, a size, or an expression; empty for the declared one. */
  dim(input: string, axis: number, text: string): void;
  why(spot: string): Promise<Ways>;
  /** What follows if a dim of an input is a new name. */
  opened(input: string, axis: number, name: string): Promise<ModelReport>;
  /** What follows if a value is an input of this type, whatever makes it. */
  cut(name: string, type: string): Promise<ModelReport>;
  /** What follows if a value has this type. */
  given(name: string, type: string): Promise<ModelReport>;
}

type NodeRow = { node: ModelNode; outputs: string[]; type: string; bytes: number; adds: number; bytesText: string; addsText: string };

/** So many elements of a tensor are shown. */
const ELEMENTS = 8;

/** A type without the end of what is in a long tensor. */
function cut(type: string): string {
  const [before, list] = type.split(/ = \[(.*)\]$/s);
  const members = list === undefined ? [] : splitTop(list);
  return members.length <= ELEMENTS ? type : `${before} = [${members.slice(0, ELEMENTS).join(", ")}, … ${members.length - ELEMENTS} more]`;
}

/** The dims of a type: `f32[1, 3, n]`. */
export function dimsOf(type: string): { before: string; dims: string[]; after: string } | null {
  const found = /^([^[]*)\[([^\]]*)\](.*)$/s.exec(type);
  if (!found) return null;
  const [, before = "", inner = "", after = ""] = found;
  return { before, dims: splitTop(inner), after };
}

const numeric = (size: Size | undefined): number => {
  if (typeof size === "number") return size;
  // Names count as one: what is sorted is the factor.
  const found = /\d+/.exec(size ?? "");
  return found ? Number(found[0]) : -1;
};

export class ModelView {
  readonly view = h("div", { class: "model" });
  private readonly problems = h("div", {});
  private readonly ports = h("div", { class: "ports" });
  private readonly conditions = h("div", {});
  private readonly head = h("div", { class: "model-head" });
  private readonly side = h("div", { class: "card detail", role: "region", "aria-label": "Details", tabindex: "-1" });
  private readonly panel = h("div", { class: "panel", role: "tabpanel", "aria-label": "View of the model" });
  private readonly tabs: HTMLElement;
  private graph: GraphView | null = null;
  private readonly nodeTable: Table<NodeRow>;
  private readonly valueTable: Table<[string, string]>;
  private readonly takers = new Map<string, number[]>();
  private readonly givers = new Map<string, number>();
  private tab: "Graph" | "Nodes" | "Values";
  private readonly nodes: ModelNode[];
  private run = 0;

  constructor(
    private report: ModelReport,
    private readonly can: Abilities | null,
  ) {
    this.nodes = report.nodes ?? [];
    this.nodes.forEach((node, i) => {
      for (const name of node.inputs) if (name) this.takers.set(name, [...(this.takers.get(name) ?? []), i]);
      for (const name of node.outputs) if (name) this.givers.set(name, i);
    });
    this.tab = this.nodes.length > 0 ? "Graph" : "Values";
    const place = (row: NodeRow) => `${row.node.index} ${row.node.name || row.node.op}`;
    this.nodeTable = new Table<NodeRow>(
      "nodes",
      this.rows(),
      [
        { title: "node", cell: place, by: (row) => row.node.index },
        { title: "operator", cell: (row) => row.node.op, by: (row) => row.node.op },
        { title: "type", cell: (row) => h("span", {}, row.outputs.map((name, i) => [i > 0 ? ", " : "", this.dims(name, this.report.values[name] ?? "?")])), by: (row) => row.type },
        { title: "bytes", cell: (row) => row.bytesText, by: (row) => row.bytes, number: true },
        { title: "multiply-adds", cell: (row) => row.addsText, by: (row) => row.adds, number: true },
      ],
      (row) => `${place(row)} ${row.node.op} ${row.type} ${Object.entries(row.node.attrs).flat().join(" ")}`,
      (row) => this.node(row.node.index, true),
    );
    this.valueTable = new Table<[string, string]>(
      "values",
      Object.entries(report.values),
      [
        { title: "value", cell: ([name]) => name, by: ([name]) => name },
        { title: "type", cell: ([name, type]) => this.dims(name, type), by: ([, type]) => type },
      ],
      ([name, type]) => `${name} ${type}`,
      ([name]) => this.value(name),
    );
    this.tabs = h("div", { class: "tabs", role: "tablist", "aria-label": "Views of the model" });
    this.view.append(this.head, this.problems, this.ports, this.conditions, this.tabs, h("div", { class: "split" }, this.panel, this.side));
    this.update(report);
    fill(this.side, h("p", { class: "hint" }, "Choose a node, a value or one of its dims to see what is known of it, where it comes from and where it goes."));
    this.choose(this.tab);
  }

  update(report: ModelReport): void {
    this.report = report;
    const { verdict, bytes: cost } = report;
    const open = Object.values(report.values).filter((type) => type.includes("?")).length;
    const facts = [
      `${this.nodes.length} nodes`,
      `${Object.keys(report.values).length} values`,
      open > 0 ? `${open} not fully typed` : "all typed",
      cost && `weights ${sizeText(cost.weights, "B")}`,
      cost?.peak && `peak of other values ${sizeText(cost.peak.bytes, "B")}`,
      cost && `${sizeText(cost.multiply_adds, "")} multiply-adds`,
    ];
    fill(this.head, badge(verdict), " ", facts.filter((f) => f).join(" · "), report.signature && h("details", {}, h("summary", {}, "signature"), h("code", { class: "signature", tabindex: "0" }, typed(report.signature))));
    this.problemList();
    this.portList();
    this.conditionList();
    this.nodeTable.update(this.rows());
    this.valueTable.update(Object.entries(report.values));
    this.graph?.update(report);
    announce(`${verdict}, ${report.conditions.length} conditions, ${report.problems.length} problems`);
  }

  private known: NodeRow[] = [];

  private rows(): NodeRow[] {
    const adds = new Map<number, Size>();
    for (const one of this.report.bytes?.nodes ?? []) adds.set(one.node.index, one.multiply_adds);
    this.known = this.nodes.map((node) => {
      const names = node.outputs.filter((name): name is string => name !== null);
      const sizes = names.map((name) => this.report.bytes?.values[name] ?? null);
      const first = sizes.length === 1 ? (sizes[0] ?? null) : sizes.every((x) => typeof x === "number") ? sizes.reduce((a: number, b) => a + Number(b), 0) : null;
      const own = adds.get(node.index) ?? null;
      return {
        node,
        outputs: names,
        type: names.map((name) => cut(this.report.values[name] ?? "?")).join(", "),
        bytes: numeric(first),
        adds: numeric(own),
        bytesText: sizeText(first, "B"),
        addsText: own === null ? "" : sizeText(own, ""),
      };
    });
    return this.known;
  }

  private problemList(): void {
    const all = this.report.problems;
    const untyped = this.report.untyped;
    if (all.length === 0 && untyped.length === 0) {
      fill(this.problems);
      return;
    }
    const errors = all.filter((p) => p.severity === "error");
    const one = (p: ModelReport["problems"][number]) =>
      h(
        "li",
        {},
        badge(p.severity === "error" ? "error" : "warning"),
        " ",
        prose(p.message),
        p.node !== null && [" ", this.nodeLink({ name: p.node, op: p.op ?? "", index: this.nodes.find((n) => n.name === p.node)?.index ?? -1 })],
        p.steps.length > 0 && h("ul", {}, p.steps.map((step) => h("li", {}, prose(step)))),
        p.help.map((help) => h("p", { class: "hint" }, prose(`help: ${help}`))),
        codeLink(p.code),
      );
    fill(
      this.problems,
      h(
        "details",
        { class: "card problems", open: errors.length > 0 },
        h("summary", {}, h("h2", {}, plural(all.length + untyped.length, "problem"))),
        h("ul", {}, [...errors, ...all.filter((p) => p.severity !== "error")].slice(0, 100).map(one), untyped.slice(0, 50).map((u) => h("li", {}, badge("warning"), ` ${u.name} (${u.op}): ${u.why}`))),
      ),
    );
  }

  private portList(): void {
    const focused = document.activeElement?.id;
    const input = ([name, type]: [string, string]) => {
      const parts = dimsOf(type);
      if (!parts || !this.can) return h("li", {}, this.valueLink(name), ": ", h("span", { class: "code" }, typed(type)));
      return h(
        "li",
        {},
        this.valueLink(name),
        ": ",
        h(
          "span",
          { class: "code" },
          typed(parts.before),
          "[",
          parts.dims.map((dim, axis) => [axis > 0 ? ", " : "", this.dimInput(name, axis, dim)]),
          "]",
          typed(parts.after),
        ),
      );
    };
    const weights = Object.entries(this.report.inputs);
    fill(
      this.ports,
      h("div", { class: "card" }, h("h2", {}, "Inputs"), this.can && h("p", { class: "hint" }, "Rename a dim, fix it to a number, or open it with a new name: the rest follows."), h("ul", { class: "plain" }, weights.slice(0, 40).map(input)), weights.length > 40 && h("p", { class: "hint" }, `and ${weights.length - 40} more`)),
      h("div", { class: "card" }, h("h2", {}, "Outputs"), h("ul", { class: "plain" }, Object.entries(this.report.outputs).map(([name, type]) => h("li", {}, this.valueLink(name), ": ", this.dims(name, type))))),
    );
    if (focused?.startsWith("dim-")) document.getElementById(focused)?.focus();
  }

  private dimInput(name: string, axis: number, dim: string): HTMLElement {
    const input = h("input", {
      id: `dim-${name}-${axis}`,
      class: "dim code",
      value: dim,
      "aria-label": `dim ${axis} of ${name}`,
      size: String(Math.max(dim.length, 2)),
      spellcheck: "false",
      autocapitalize: "off",
      autocomplete: "off",
    });
    const give = (): void => {
      if (input.value.trim() !== dim) this.can?.dim(name, axis, input.value.trim());
    };
    input.addEventListener("change", give);
    input.addEventListener("click", () => this.reported(this.dim(name, axis, dim, false)));
    input.addEventListener("input", () => (input.size = Math.max(input.value.length, 2)));
    return input;
  }

  private conditionList(): void {
    const all = this.report.conditions;
    if (all.length === 0) {
      fill(this.conditions);
      return;
    }
    const sizes = (of: Record<string, number> | null) => of && Object.entries(of).map(([n, v]) => `${n} = ${v}`).join(", ");
    const one = (c: Condition) =>
      h(
        "li",
        {},
        h("span", { class: "code condition" }, this.condition(c.condition)),
        c.under.map((u) => ` in ${u.body} of ${u.node.name || u.node.op}`),
        c.node && [" required by ", this.nodeLink(c.node)],
        c.others.length > 0 && ` and ${c.others.length} other nodes`,
        (c.holds || c.fails) && h("span", { class: "hint" }, ` ${c.holds ? `✓ ${sizes(c.holds)}` : ""} ${c.fails ? `✕ ${sizes(c.fails)}` : ""}`),
      );
    fill(this.conditions, h("details", { class: "card conditions", open: true }, h("summary", {}, h("h2", {}, plural(all.length, "condition"))), h("ul", {}, all.slice(0, 60).map(one)), all.length > 60 && h("p", { class: "hint" }, `and ${all.length - 60} more`)));
  }

  private choose(tab: typeof this.tab): void {
    this.tab = tab;
    const names = (this.nodes.length > 0 ? ["Graph", "Nodes", "Values"] : ["Values"]) as (typeof this.tab)[];
    fill(
      this.tabs,
      names.map((name) =>
        button(name, () => this.choose(name), {
          role: "tab",
          "aria-selected": String(name === tab),
          tabindex: name === tab ? "0" : "-1",
          onkeydown: (e: KeyboardEvent) => {
            const by = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0;
            if (by === 0) return;
            this.choose(names[(names.indexOf(tab) + by + names.length) % names.length] ?? tab);
            this.tabs.querySelector<HTMLElement>('[aria-selected="true"]')?.focus();
          },
        }),
      ),
    );
    if (tab === "Graph") {
      if (!this.graph) {
        try {
          fill(this.panel, h("p", { class: "hint" }, "Laying out the graph…"));
          this.graph = new GraphView(this.report, this.nodes, { node: (i) => this.node(i, false), value: (name) => this.value(name) });
        } catch (error) {
          fill(this.panel, noGraph(`The graph can't be drawn: ${String(error)}`));
          return;
        }
      }
      fill(this.panel, this.graph.view);
    } else fill(this.panel, tab === "Nodes" ? this.nodeTable.view : this.valueTable.view);
  }

  private nodeLink(place: Place): HTMLElement {
    const name = `${place.name || place.op}${place.index >= 0 ? ` (${place.op}, node ${place.index})` : ""}`;
    return place.index < 0 ? h("b", {}, name) : button(name, () => this.node(place.index, true), { class: "link" });
  }

  private valueLink(name: string): HTMLElement {
    return button(name, () => this.value(name), { class: "link" });
  }

  /** A type whose dims can be chosen. */
  private dims(name: string, type: string): HTMLElement {
    const parts = dimsOf(cut(type));
    if (!parts) return h("span", { class: "code" }, typed(type));
    const dim = (text: string, axis: number) => [axis > 0 ? ", " : "", button(typed(text), () => this.reported(this.dim(name, axis, text)), { class: "dim-link code", "aria-label": `dim ${axis} of ${name}: ${text}` })];
    return h("span", { class: "code" }, typed(parts.before), "[", parts.dims.map(dim), "]", typed(parts.after));
  }

  /** All that is known of a node. */
  private node(index: number, show: boolean): void {
    const at = this.nodes.findIndex((n) => n.index === index);
    const node = this.nodes[at];
    if (!node) return;
    const operand = (role: string) => (name: string | null) =>
      h("li", {}, h("span", { class: "hint" }, `${role} `), name === null ? "left out" : [this.valueLink(name), ": ", this.dims(name, this.report.values[name] ?? "?")]);
    const own = this.report.conditions.filter((c) => c.node?.index === index || c.others.some((o) => o.index === index));
    const attrs = Object.entries(node.attrs);
    const row = this.known[at];
    fill(
      this.side,
      h("h2", {}, node.name || node.op),
      h("p", {}, h("a", { href: `#/catalog/${encodeURIComponent(`onnx::${node.op}`)}` }, node.op), `, node ${node.index}`, row && ` · ${row.bytesText}${row.addsText ? ` · ${row.addsText} multiply-adds` : ""}`),
      attrs.length > 0 && h("ul", { class: "plain code" }, attrs.map(([name, value]) => h("li", {}, `${name} = `, typed(value)))),
      h("ul", { class: "plain" }, node.inputs.map(operand("in")), node.outputs.map(operand("out"))),
      own.map((c) => h("p", { class: "code" }, h("span", { class: "t-word" }, "where "), typed(c.condition))),
      show && h("p", {}, button("Show in the graph", () => this.inGraph(at))),
    );
    if (show && this.tab === "Graph") this.inGraph(at);
    this.focusSide(show);
  }

  private inGraph(at: number): void {
    this.choose("Graph");
    this.graph?.show(at);
  }

  private focusSide(move: boolean): void {
    if (move && matchMedia("(max-width: 800px)").matches) this.side.scrollIntoView();
  }

  private value(name: string): void {
    const type = this.report.values[name] ?? "?";
    const giver = this.givers.get(name);
    const takers = this.takers.get(name) ?? [];
    const link = (at: number | undefined): HTMLElement | string => {
      const node = at === undefined ? undefined : this.nodes[at];
      return node ? this.nodeLink(node) : "";
    };
    fill(
      this.side,
      h("h2", {}, name),
      h("p", {}, this.dims(name, type), h("span", { class: "hint" }, ` ${sizeText(this.report.bytes?.values[name] ?? null, "B")}`)),
      h("p", {}, giver === undefined ? (name in this.report.inputs ? "an input" : "a weight or a constant") : ["from ", link(giver)]),
      takers.length > 0 && [h("p", {}, `goes to ${takers.length} nodes:`), h("ul", { class: "plain" }, takers.slice(0, 30).map((at) => h("li", {}, link(at))))],
      this.can && h("p", { class: "hint" }, "Choose a dim to see where it comes from."),
    );
    if (this.tab === "Graph") this.graph?.light([name], [...(giver === undefined ? [] : [giver]), ...takers]);
    this.focusSide(true);
  }

  /** What it would take for a dim to be of some size. */
  private whatIf(name: string, axis: number, can: Abilities): HTMLElement {
    const found = h("div", { role: "status" });
    const size = h("input", { id: "what-if", class: "dim code", size: "4", inputmode: "numeric", autocomplete: "off" });
    const ask = async (): Promise<void> => {
      const parts = dimsOf(this.report.values[name] ?? "?");
      if (!parts || size.value.trim() === "") return;
      const dims = parts.dims.map((dim, i) => (i === axis ? size.value.trim() : dim === "..." ? dim : "?"));
      const report = await can.given(name, `${parts.before}[${dims.join(", ")}]`);
      if (report.error) {
        fill(found, badge("error"), ` ${report.error.message}`);
        return;
      }
      const other = Object.entries(report.inputs).filter(([input, type]) => type !== this.report.inputs[input]);
      fill(
        found,
        badge(report.verdict),
        report.verdict === "never" && report.problems[0] && h("p", {}, prose(report.problems[0].message)),
        other.length > 0 && h("ul", { class: "plain" }, other.map(([input, type]) => h("li", {}, `${input}: `, h("span", { class: "code" }, typed(type))))),
        report.conditions.length > 0 && h("ul", {}, report.conditions.slice(0, 12).map((c) => h("li", { class: "code" }, typed(c.condition)))),
        report.verdict === "always" && other.length === 0 && report.conditions.length === 0 && " nothing more than what is given",
      );
    };
    size.addEventListener("keydown", (e) => e.key === "Enter" && this.reported(ask()));
    return h("div", {}, h("p", {}, h("label", { for: "what-if" }, "What would it take to be "), h("span", { class: "field" }, size, button("Ask", () => this.reported(ask())))), found);
  }

  /** Shows what has failed where its answer would be. */
  private reported(work: Promise<void>): void {
    work.catch((error: unknown) => {
      if (!(error instanceof Overtaken)) fill(this.side, failure(error));
    });
  }

  /** Where a dim comes from, where it goes, what bounds it. */
  private async dim(name: string, axis: number, text: string, isShown = true): Promise<void> {
    const run = ++this.run;
    const names = new Set([...text.matchAll(/[A-Za-z_]\w*/g)].map((m) => m[0]));
    const speaks = (type: string): boolean => [...(dimsOf(type)?.dims.join(" ") ?? "").matchAll(/[A-Za-z_]\w*/g)].some((m) => names.has(m[0]));
    const same = names.size > 0 ? Object.entries(this.report.values).filter(([, type]) => speaks(type)).map(([value]) => value) : [];
    const bounds = this.report.conditions.filter((c) => [...c.condition.matchAll(/[A-Za-z_]\w*/g)].some((m) => names.has(m[0])));
    const head = h("h2", {}, `dim ${axis} of ${name}: `, h("span", { class: "code" }, typed(text)));
    const more = [
      bounds.length > 0 && [h("h3", {}, "What bounds it"), h("ul", {}, bounds.slice(0, 20).map((c) => h("li", {}, h("span", { class: "code" }, typed(c.condition)), c.node && [" by ", this.nodeLink(c.node)])))],
      same.length > 0 && [h("h3", {}, `${same.length} values speak of it`), h("ul", { class: "plain" }, same.slice(0, 30).map((value) => h("li", {}, this.valueLink(value), ": ", h("span", { class: "code" }, typed(cut(this.report.values[value] ?? "?"))))))],
    ];
    const take = this.can ? this.whatIf(name, axis, this.can) : null;
    const light = (values: string[]): void => {
      if (this.tab === "Graph") this.graph?.light(values, new Set(values.flatMap((value) => [...(this.takers.get(value) ?? []), ...(this.givers.has(value) ? [this.givers.get(value) ?? 0] : [])])));
    };
    if (!this.can) {
      fill(this.side, head, more);
      light(same.length > 0 ? same : [name]);
      this.focusSide(true);
      return;
    }
    fill(this.side, head, h("p", { class: "hint" }, "Asking where it comes from…"));
    const ways = await this.can.why(`${name}:${axis}`);
    // A number goes where a name in its place would go.
    const goes = names.size === 0 ? await this.goes(name, axis, this.can) : null;
    if (run !== this.run) return;
    if (ways.error) {
      fill(this.side, head, h("p", {}, prose(ways.error.message)), more);
      return;
    }
    const steps = ways.dims.flatMap((way) => way.steps);
    const spot = (one: Spot) => [this.valueLink(one.value), one.axis !== undefined ? ` dim ${one.axis}` : one.element !== undefined ? ` element ${one.element}` : "", " = ", h("span", { class: "code" }, typed(one.size))];
    const cause = (one: Cause): (Node | string | (Node | string)[])[] => {
      const nodes = (one.nodes ?? []).slice(0, 4).map((n, i) => h("span", {}, i > 0 ? ", " : "", this.nodeLink(n)));
      const from = (one.from ?? []).map((s, i) => h("span", {}, i > 0 ? ", " : "", spot(s)));
      switch (one.kind) {
        case "input":
          return [" is given with the input", one.nodes?.length ? ", required by " : "", nodes];
        case "constant":
          return [" is a constant of the model"];
        case "made":
          return [" is made by ", nodes];
        case "handed_on":
          return [" is handed on through ", nodes, (one.nodes?.length ?? 0) > 4 ? ` and ${(one.nodes?.length ?? 0) - 4} more` : "", " from ", from, one.end ? h("span", {}, ", which", cause(one.end)) : ""];
        case "computed":
          return [" is computed by ", nodes, " of ", from];
      }
    };
    fill(this.side, head, take, h("h3", {}, "Where it comes from"), h("ol", { class: "way" }, steps.slice(0, 40).map((step) => h("li", {}, spot(step), cause(step)))), steps.length > 40 && h("p", { class: "hint" }, `and ${steps.length - 40} more steps`), goes && this.goesTo(goes), more);
    const path = new Set<string>([name, ...(goes ?? []).map(([value]) => value)]);
    const through = new Set<number>();
    const collect = (one: Cause): void => {
      for (const s of one.from ?? []) path.add(s.value);
      for (const n of one.nodes ?? []) through.add(n.index);
      if (one.end) collect(one.end);
    };
    for (const step of steps) {
      path.add(step.value);
      collect(step);
    }
    for (const index of through) {
      const node = this.nodes.find((n) => n.index === index);
      for (const value of node?.outputs ?? []) if (value) path.add(value);
    }
    if (this.tab === "Graph") this.graph?.light(path, this.nodes.flatMap((n, i) => (through.has(n.index) ? [i] : [])));
    this.focusSide(isShown);
  }

  /** The values that a dim goes into, each with its type in a new name for it. None where that can't be found out: in a body. */
  private async goes(value: string, axis: number, can: Abilities): Promise<[string, string][] | null> {
    const taken = new Set(Object.values(this.report.values).flatMap((type) => type.match(/[A-Za-z_]\w*/g) ?? []));
    let name = "here";
    while (taken.has(name)) name += "_";
    const parts = dimsOf(this.report.values[value] ?? "?");
    if (!parts) return null;
    const dims = parts.dims.map((dim, i) => (i === axis ? name : dim));
    const report = value in this.report.inputs ? await can.opened(value, axis, name) : await can.cut(value, `${parts.before}[${dims.join(", ")}]`);
    if (report.error || !(value in report.inputs)) return null;
    const speaks = (type: string): boolean => new RegExp(`\\b${name}\\b`).test(dimsOf(type)?.dims.join(" ") ?? "");
    return Object.entries(report.values).filter(([other, type]) => other !== value && speaks(type));
  }

  private goesTo(values: [string, string][]): Node[] {
    const list = values.slice(0, 30).map(([value, type]) => h("li", {}, this.valueLink(value), ": ", h("span", { class: "code" }, typed(cut(type)))));
    const rest = values.length > 30 ? [h("p", { class: "hint" }, `and ${values.length - 30} more`)] : [];
    return [h("h3", {}, values.length === 0 ? "It goes into no other value" : `Where it goes, as a name: ${plural(values.length, "value")}`), h("ul", { class: "plain" }, list), ...rest];
  }

  /** A condition whose names can be chosen, like dims. */
  private condition(text: string): (Node | string)[] {
    return text.split(/([A-Za-z_]\w*)/).map((part, i) => {
      const spot = i % 2 === 1 ? this.spotOf(part) : null;
      if (!spot) return typed(part);
      return button(typed(part), () => this.reported(this.dim(spot.value, spot.axis, part)), { class: "dim-link code", "aria-label": `${part}: where it comes from` });
    });
  }

  /** A dim that is a name: of an input, or where it was made. */
  private spotOf(name: string): { value: string; axis: number } | null {
    for (const [value, type] of Object.entries(this.report.inputs)) {
      const axis = dimsOf(type)?.dims.indexOf(name) ?? -1;
      if (axis >= 0) return { value, axis };
    }
    const made = this.report.dims.find((one) => one.name === name);
    return made ? { value: made.value, axis: made.axis } : null;
  }
}

function sizeText(size: Size, unit: string): string {
  if (size === null) return "";
  if (typeof size === "number") return unit === "B" ? bytes(size) : count(size);
  return unit ? `${size} ${unit}` : size;
}

function plural(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? "" : "s"}`;
}
