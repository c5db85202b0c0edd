/** What is known of a model, shown: on the page, where it can be changed, and in a report, where it can't. */

import type {
  Cause,
  Condition,
  Dim,
  ModelLine,
  ModelNode,
  ModelReport,
  Place,
  Size,
  Sizes,
  Spot,
  TypeData,
  WhyLine,
} from "./api";
import { Asking, type Wait } from "./asking";
import { announce, button, cutBytes, fill, h, prose, typed } from "./dom";
import { named, whole } from "./exact";
import { GraphView, noGraph } from "./graph";
import type { Lay } from "./layout";
import { Net } from "./net";
import { badge, bytes, codeLink, count, failure } from "./parts";
import { isNatural } from "./question";
import { Table } from "./table";

/** What a page can do and a report can't. */
export interface Abilities {
  /** Another dim of an input: a name, a size, or an expression; empty for the declared one. */
  dim(input: string, axis: number, text: string): void;
  /** What was typed for a dim; none if it is as declared. */
  givenDim(input: string, axis: number): string | null;
  why(spot: string): Promise<WhyLine>;
  /** What it costs where names are these sizes. */
  sized(sizes: Record<string, number | bigint>): Promise<ModelLine>;
  /** What follows if a dim of an input is a new name. */
  opened(input: string, axis: number, name: string): Promise<ModelLine>;
  /** What follows if a value is an input of this type, whatever makes it. */
  cut(name: string, type: string): Promise<ModelLine>;
  /** What is known of the part from these values to those. */
  part(from: string[], to: string[]): Promise<ModelLine>;
  /** What an operator of the catalog does, in a sentence. */
  does(name: string): Promise<string>;
  /** What follows if a value has this type. */
  given(name: string, type: string): Promise<ModelLine>;
}

type NodeRow = {
  at: number;
  node: ModelNode;
  outputs: string[];
  type: string;
  bytes: number;
  adds: number;
  bytesText: string;
  addsText: string;
};

/** Operators that stand for a weight. */
const WEIGHTS = new Set(["Constant", "prim::Parameter"]);

/** So many elements of a tensor are shown. */
const ELEMENTS = 8;

/** The text of a type, without the end of what is in a long tensor. */
function cut(type: string, data: TypeData | undefined): string {
  const members = data?.contents?.length ?? 0;
  if (members <= ELEMENTS || !data) return type;
  const shown = (data.contents ?? []).slice(0, ELEMENTS).map((one) => (one === null ? "?" : String(one)));
  return `${beside(data)} = [${shown.join(", ")}, … ${members - ELEMENTS} more]`;
}

/** The dtype and the shape of a tensor. */
function beside(data: TypeData, shape = (data.shape ?? []).map(dimText)): string {
  return `${data.dtype ?? "?"}[${shape.join(", ")}]`;
}

/** Is something of a type not known? */
function isOpen(data: TypeData): boolean {
  const { dtype, shape, contents } = data;
  if (dtype === null || shape === null || shape?.some((dim) => dim === null || dim === "...")) return true;
  return contents?.some((one) => one === null) || [...(data.tuple ?? []), ...(data.parts ?? [])].some(isOpen);
}

function dimText(dim: Dim): string {
  return dim === null ? "?" : String(dim);
}

/** Which dim of a value one of a shape is. Behind a run of dims they are counted from the end. */
function axisOf(shape: NonNullable<TypeData["shape"]>, at: number): number | null {
  const run = shape.findIndex((dim) => typeof dim === "string" && dim.startsWith("..."));
  return run < 0 || at < run ? at : at === run ? null : at - shape.length;
}

/** What a size is sorted by. One with names has no order without sizes for them. */
const numeric = (size: Size | undefined): number =>
  typeof size === "number" || typeof size === "bigint" ? Number(size) : -1;

export class ModelView {
  readonly view = h("div", { class: "model" });
  private readonly problems = h("div", {});
  private readonly ports = h("div", { class: "ports" });
  private readonly conditions = h("div", {});
  private readonly sizes = h("div", {});
  private readonly about = h("div", {});
  /** What it costs: with names, or where they are sizes to look at. */
  private cost: ModelReport["bytes"];
  private readonly head = h("div", { class: "model-head" });
  private readonly side = h("div", { class: "card detail", role: "region", "aria-label": "Details", tabindex: "-1" });
  private readonly panel = h("div", {
    class: "panel",
    id: "model-panel",
    role: "tabpanel",
    "aria-label": "View of the model",
  });
  private readonly tabs: HTMLElement;
  private graph: GraphView | null = null;
  private readonly nodeTable: Table<NodeRow>;
  private readonly valueTable: Table<[string, string]>;
  private tab: "Graph" | "Nodes" | "Values";
  private readonly net: Net;
  private readonly nodes: ModelNode[];
  private readonly asking = new Asking(this.side);

  constructor(
    private report: ModelReport,
    private readonly can: Abilities | null,
    private readonly lay: Lay,
  ) {
    asNamed(report);
    this.net = new Net(report);
    this.nodes = this.net.nodes;
    this.tab = this.nodes.length > 0 ? "Graph" : "Values";
    const place = (row: NodeRow) => `${row.node.index} ${row.node.name || row.node.op}`;
    this.nodeTable = new Table<NodeRow>(
      "nodes",
      this.rows(),
      [
        { title: "node", cell: place, by: (row) => row.at },
        { title: "operator", cell: (row) => row.node.op, by: (row) => row.node.op },
        {
          title: "type",
          cell: (row) =>
            h(
              "span",
              {},
              row.outputs.map((name, i) => [i > 0 ? ", " : "", this.dims(name, this.report.values[name] ?? "?")]),
            ),
          by: (row) => row.type,
        },
        { title: "bytes", cell: (row) => row.bytesText, by: (row) => row.bytes, number: true },
        { title: "multiply-adds", cell: (row) => row.addsText, by: (row) => row.adds, number: true },
      ],
      (row) => `${place(row)} ${row.node.op} ${row.type} ${Object.entries(row.node.attrs).flat().join(" ")}`,
      (row) => this.node(row.at, true),
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
    this.view.append(
      this.head,
      this.tabs,
      h(
        "div",
        { class: "split" },
        this.panel,
        h("div", { class: "aside" }, this.side, this.problems, this.ports, this.conditions, this.sizes, this.about),
      ),
    );
    this.update(report);
    fill(
      this.side,
      h(
        "p",
        { class: "hint" },
        "Choose a node, a value or one of its dims to see what is known of it, where it comes from and where it goes.",
      ),
    );
    this.choose(this.tab);
  }

  update(report: ModelReport): void {
    asNamed(report);
    this.report = report;
    this.cost = report.bytes;
    this.headLine();
    this.problemList();
    this.portList();
    this.conditionList();
    this.sizeList();
    this.aboutList();
    this.nodeTable.update(this.rows());
    this.valueTable.update(Object.entries(report.values));
    this.graph?.update(report);
    announce(`${report.verdict}, ${report.conditions.length} conditions, ${report.problems.length} problems`);
  }

  private headLine(): void {
    const { report, cost } = this;
    const { verdict } = report;
    const open = Object.values(report.types ?? {}).filter(isOpen).length;
    const facts = [
      `${this.nodes.length} nodes`,
      this.net.inside.size > 0 && `${this.net.inside.size} of them in bodies`,
      `${Object.keys(report.values).length} values`,
      open > 0 ? `${open} not fully typed` : "all typed",
      cost && cost.weights !== 0 && `weights ${sizeText(cost.weights, "B")}`,
      cost?.peak && `peak of other values ${sizeText(cost.peak.bytes, "B")}`,
      // Those of operators that are counted: where there are none, nothing is said.
      cost && cost.nodes.length > 0 && `${sizeText(cost.multiply_adds, "")} multiply-adds`,
    ];
    fill(
      this.head,
      badge(verdict),
      " ",
      facts.filter((f) => f).join(" · "),
      report.signature &&
        h(
          "details",
          {},
          h("summary", {}, "signature"),
          h("code", { class: "signature", tabindex: "0" }, typed(report.signature)),
        ),
    );
  }

  /** Sizes to look at: what it costs is counted for them, and sorted by it. */
  private sizeList(): void {
    const names = [
      ...new Set(this.report.dims.filter((one) => one.value in this.report.inputs).map((one) => one.name)),
    ].slice(0, 12);
    const { can } = this;
    if (!can || names.length === 0 || !this.report.bytes) {
      fill(this.sizes);
      return;
    }
    const first = (name: string): number =>
      Math.max(1, ...this.report.conditions.map((c) => Number(c.holds?.[name] ?? 1)));
    const fields = names.map((name) =>
      h("input", {
        id: `size-${name}`,
        class: "dim code",
        size: "6",
        inputmode: "numeric",
        autocomplete: "off",
        value: String(first(name)),
      }),
    );
    const said = h("p", { class: "hint", role: "status" });
    const asking = new Asking(said);
    const look = async (wait: Wait): Promise<void> => {
      const sizes: Record<string, number | bigint> = {};
      let isWrong = false;
      names.forEach((name, i) => {
        const field = fields[i];
        const text = field?.value.trim() ?? "";
        const isSize = isNatural(text);
        field?.setAttribute("aria-invalid", String(!isSize));
        isWrong ||= !isSize;
        if (isSize) sizes[name] = whole(text);
      });
      if (isWrong) {
        said.textContent = "a size is a natural number";
        return;
      }
      const report = await wait(can.sized(sizes));
      if (report.error || !report.bytes) {
        fill(said, badge("error"), " ", prose(report.error?.message ?? "it is not known"));
        return;
      }
      fill(
        said,
        report.verdict === "never"
          ? [badge("never"), " it does not hold for these sizes"]
          : "costs are those of these sizes",
      );
      this.costs(report.bytes);
    };
    const onkeydown = (e: KeyboardEvent): void => {
      if (e.key === "Enter") void asking.ask(look);
    };
    fill(
      this.sizes,
      h(
        "div",
        { class: "card sizes" },
        h("h2", {}, "Costs for sizes"),
        h(
          "ul",
          { class: "plain", onkeydown },
          names.map((name, i) =>
            h("li", {}, h("label", { for: `size-${name}`, class: "code" }, `${name} = `), fields[i] ?? ""),
          ),
        ),
        h(
          "div",
          { class: "bar" },
          button("Count", () => void asking.ask(look)),
          button("With names", () => (this.costs(this.report.bytes), fill(said)), { class: "quiet" }),
        ),
        said,
      ),
    );
  }

  /** What the model says of itself, and what its weights are. */
  private aboutList(): void {
    const { summary, types, bytes: cost } = this.report;
    if (!summary) {
      fill(this.about);
      return;
    }
    // Some formats have each weight as a node of its own.
    const inside = new Set(this.nodes.flatMap((node) => (WEIGHTS.has(node.op) ? [] : node.outputs)));
    const kept = Object.keys(this.report.values).filter(
      (name) => !inside.has(name) && !(name in this.report.inputs) && !this.net.handed.has(name),
    );
    const kinds = new Map<string, { count: number; elements: number }>();
    for (const name of kept) {
      const data = types?.[name];
      const shape = data?.shape;
      if (!data?.dtype || !shape?.every((dim) => typeof dim === "number")) continue;
      const own = kinds.get(data.dtype) ?? { count: 0, elements: 0 };
      own.count++;
      own.elements += shape.reduce<number>((all, dim) => all * Number(dim), 1);
      kinds.set(data.dtype, own);
    }
    const size = (name: string): number => numeric(cost?.values[name] ?? null);
    const largest = kept
      .filter((name) => size(name) > 0)
      .sort((a, b) => size(b) - size(a))
      .slice(0, 8);
    const row = (name: string, value: string | number) => [h("dt", {}, name), h("dd", {}, String(value))];
    fill(
      this.about,
      h(
        "details",
        { class: "card about" },
        h("summary", {}, h("h2", {}, "About the model")),
        h(
          "dl",
          {},
          summary.producer && row("producer", summary.producer),
          typeof summary.format === "number" && row("format", summary.format),
          Object.entries(summary.versions).map(([domain, version]) => row(`opset ${domain}`, version)),
          (summary.properties ?? []).map(([name, value]) => row(name, value)),
          [...kinds].map(([dtype, own]) =>
            row(`weights ${dtype}`, `${plural(own.count, "tensor")}, ${count(own.elements)} elements`),
          ),
        ),
        largest.length > 0 && [
          h("h3", {}, "The largest weights"),
          h(
            "ul",
            { class: "plain" },
            largest.map((name) =>
              h(
                "li",
                {},
                this.valueLink(name),
                ": ",
                h("span", { class: "code" }, typed(this.cutOf(name))),
                h("span", { class: "hint" }, ` ${bytes(size(name))}`),
              ),
            ),
          ),
        ],
        h("h3", {}, "Operators"),
        h(
          "p",
          {},
          Object.entries(summary.operators)
            .sort((a, b) => b[1] - a[1])
            .slice(0, 60)
            .map(([op, n], i) => `${i > 0 ? ", " : ""}${n} ${op}`),
        ),
      ),
    );
  }

  private costs(cost: ModelReport["bytes"]): void {
    this.cost = cost;
    this.headLine();
    this.nodeTable.update(this.rows());
  }

  private known: NodeRow[] = [];

  private rows(): NodeRow[] {
    const adds = new Map<number, Size>();
    for (const one of this.cost?.nodes ?? []) {
      const at = this.net.find(one.node);
      if (at !== null) adds.set(at, one.multiply_adds);
    }
    this.known = this.nodes.map((node, at) => {
      const names = node.outputs.filter((name): name is string => name !== null);
      const sizes = names.map((name) => this.cost?.values[name] ?? null);
      const first =
        sizes.length === 1
          ? (sizes[0] ?? null)
          : sizes.every((x) => typeof x === "number")
            ? sizes.reduce((a: number, b) => a + Number(b), 0)
            : null;
      const own = adds.get(at) ?? null;
      return {
        at,
        node,
        outputs: names,
        type: names.map((name) => this.cutOf(name)).join(", "),
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
        p.node !== null && [" ", this.nodeLink({ name: p.node, op: p.op ?? "", index: p.index ?? -1 })],
        p.steps.length > 0 &&
          h(
            "ul",
            {},
            p.steps.map((step) => h("li", {}, prose(step))),
          ),
        p.help.map((help) => h("p", { class: "hint" }, prose(`help: ${help}`))),
        this.can ? codeLink(p.code) : h("span", { class: "hint" }, p.code),
      );
    fill(
      this.problems,
      h(
        "details",
        { class: "card problems", open: errors.length > 0 },
        h("summary", {}, h("h2", {}, plural(all.length + untyped.length, "problem"))),
        h(
          "ul",
          {},
          [...errors, ...all.filter((p) => p.severity !== "error")].slice(0, 100).map(one),
          untyped.slice(0, 50).map((u) => h("li", {}, badge("warning"), " ", this.nodeLink(u), `: ${u.why}`)),
        ),
      ),
    );
  }

  private portList(): void {
    const focused = document.activeElement?.id;
    const input = ([name, type]: [string, string]) => {
      const data = this.report.types?.[name];
      const shape = data?.shape;
      if (!data || !shape || !this.can)
        return h("li", {}, this.valueLink(name), ": ", h("span", { class: "code" }, typed(type)));
      return h(
        "li",
        {},
        this.valueLink(name),
        ": ",
        h(
          "span",
          { class: "code" },
          typed(data.dtype ?? "?"),
          "[",
          shape.map((dim, at) => {
            const axis = axisOf(shape, at);
            return [
              at > 0 ? ", " : "",
              axis === null || axis < 0 ? typed(dimText(dim)) : this.dimInput(name, axis, dimText(dim)),
            ];
          }),
          "]",
        ),
      );
    };
    const weights = Object.entries(this.report.inputs);
    fill(
      this.ports,
      h(
        "div",
        { class: "card" },
        h("h2", {}, "Inputs"),
        this.can &&
          h(
            "p",
            { class: "hint" },
            "Rename a dim, fix it to a number, or open it with ",
            h("code", {}, "?"),
            ": the rest follows. An empty field takes the declared one again.",
          ),
        h("ul", { class: "plain" }, weights.slice(0, 40).map(input)),
        weights.length > 40 && h("p", { class: "hint" }, `and ${weights.length - 40} more`),
      ),
      h(
        "div",
        { class: "card" },
        h("h2", {}, "Outputs"),
        h(
          "ul",
          { class: "plain" },
          Object.entries(this.report.outputs).map(([name, type]) =>
            h("li", {}, this.valueLink(name), ": ", this.dims(name, type)),
          ),
        ),
      ),
    );
    if (focused?.startsWith("dim-")) document.getElementById(focused)?.focus();
  }

  /** Says beside a dim that it can't be what was typed. */
  refused(name: string, axis: number, text: string, why: string): void {
    const field = document.getElementById(`dim-${name}-${axis}`);
    if (!field) return;
    field.setAttribute("aria-invalid", "true");
    const said = h("p", { class: "says", role: "alert" }, h("code", {}, text), ": ", prose(why));
    said.id = `refused-${name}-${axis}`;
    field.setAttribute("aria-describedby", said.id);
    (field.closest("li") ?? field).append(said);
    field.focus();
  }

  private dimInput(name: string, axis: number, dim: string): HTMLElement {
    // What was typed stays to be seen, also where it must be another.
    const own = this.can?.givenDim(name, axis) ?? dim;
    const input = h("input", {
      id: `dim-${name}-${axis}`,
      class: "dim code",
      value: own,
      title: own === dim ? null : `${own} = ${dim}`,
      "aria-label": `dim ${axis} of ${name}`,
      size: String(Math.max(own.length, 2)),
      spellcheck: "false",
      autocapitalize: "off",
      autocomplete: "off",
    });
    const give = (): void => {
      if (input.value.trim() !== own) this.can?.dim(name, axis, input.value.trim());
    };
    input.addEventListener("change", give);
    input.addEventListener("click", () => void this.dim(name, axis, dim, false));
    input.addEventListener("input", () => (input.size = Math.max(input.value.length, 2)));
    return input;
  }

  private conditionList(): void {
    const all = this.report.conditions;
    if (all.length === 0) {
      fill(this.conditions);
      return;
    }
    const sizes = (of: Sizes) =>
      of &&
      Object.entries(of)
        .map(([n, v]) => `${n} = ${v}`)
        .join(", ");
    const one = (c: Condition, at: number) =>
      h(
        "li",
        {},
        h("span", { class: "code condition" }, this.condition(c, at)),
        c.node && [" required by ", this.nodeLink(c.node)],
        c.others.length > 0 && ` and ${plural(c.others.length, "other node")}`,
        (c.holds || c.fails) &&
          h(
            "span",
            { class: "hint" },
            ` ${c.holds ? `✓ ${sizes(c.holds)}` : ""} ${c.fails ? `✕ ${sizes(c.fails)}` : ""}`,
          ),
      );
    // What has to hold in the same bodies stands together, and what always has to before that.
    const cases = new Map<string, { under: Condition["under"]; lines: HTMLElement[] }>([
      ["[]", { under: [], lines: [] }],
    ]);
    for (const [at, c] of all.slice(0, 60).entries()) {
      const key = JSON.stringify(c.under);
      const own = cases.get(key) ?? { under: c.under, lines: [] };
      own.lines.push(one(c, at));
      cases.set(key, own);
    }
    const shown = [...cases.values()].filter(({ lines }) => lines.length > 0);
    const isOne = shown.length === 1 && shown[0]?.under.length === 0;
    const when = ({ under }: (typeof shown)[number]) =>
      under.length === 0
        ? "Always"
        : under.map((u, i) => [
            i > 0 ? ", and " : "Where ",
            u.says === null ? `the ${u.body} is run` : h("span", { class: "code" }, typed(u.says)),
            u.says === null ? " of " : `, in the ${u.body} of `,
            this.nodeLink(u.node),
          ]);
    fill(
      this.conditions,
      h(
        "details",
        { class: "card conditions", open: true },
        h("summary", {}, h("h2", {}, plural(all.length, "condition"))),
        shown.map((own) => [!isOne && h("h3", {}, when(own)), h("ul", {}, own.lines)]),
        all.length > 60 && h("p", { class: "hint" }, `and ${all.length - 60} more`),
      ),
    );
  }

  private choose(tab: typeof this.tab): void {
    this.tab = tab;
    const names = (this.nodes.length > 0 ? ["Graph", "Nodes", "Values"] : ["Values"]) as (typeof this.tab)[];
    fill(
      this.tabs,
      names.map((name) =>
        button(name, () => this.choose(name), {
          role: "tab",
          "aria-controls": "model-panel",
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
          this.graph = new GraphView(
            this.report,
            this.net,
            {
              node: (i) => this.node(i, false),
              value: (name) => this.value(name),
              part: this.can && ((from, to) => void this.part(from, to)),
              failed: (error) => fill(this.side, failure(error)),
            },
            this.lay,
          );
        } catch (error) {
          fill(this.panel, noGraph(`The graph can't be drawn: ${String(error)}`));
          return;
        }
      }
      fill(this.panel, this.graph.view);
    } else fill(this.panel, tab === "Nodes" ? this.nodeTable.view : this.valueTable.view);
  }

  private nodeLink(place: Place): HTMLElement {
    const at = this.net.find(place);
    const name = `${place.name || place.op}${at === null ? "" : ` (${place.op}, node ${place.index})`}`;
    return at === null ? h("b", {}, name) : button(name, () => this.node(at, true), { class: "link" });
  }

  private cutOf(name: string): string {
    return cut(this.report.values[name] ?? "?", this.report.types?.[name]);
  }

  private valueLink(name: string): HTMLElement {
    return button(name, () => this.value(name), { class: "link" });
  }

  /** A type whose dims can be chosen. */
  private dims(name: string, type: string): HTMLElement {
    const data = this.report.types?.[name];
    const shape = data?.shape;
    const whole = cut(type, data);
    if (!data || !shape) return h("span", { class: "code" }, typed(whole));
    const dim = (one: Dim, at: number) => {
      const text = dimText(one);
      const axis = axisOf(shape, at);
      return [
        at > 0 ? ", " : "",
        axis === null
          ? typed(text)
          : button(typed(text), () => void this.dim(name, axis, text), {
              class: "dim-link code",
              "aria-label": `dim ${axis} of ${name}: ${text}`,
            }),
      ];
    };
    const before = beside(data);
    return h(
      "span",
      { class: "code" },
      typed(data.dtype ?? "?"),
      "[",
      shape.map(dim),
      "]",
      whole.startsWith(before) ? typed(whole.slice(before.length)) : "",
    );
  }

  /** All that is known of a node. */
  private node(at: number, show: boolean): void {
    const node = this.nodes[at];
    if (!node) return;
    this.asking.stop();
    const operand = (role: string) => (name: string | null) =>
      h(
        "li",
        {},
        h("span", { class: "hint" }, `${role} `),
        name === null ? "left out" : [this.valueLink(name), ": ", this.dims(name, this.report.values[name] ?? "?")],
      );
    const own = this.report.conditions.filter((c) =>
      [c.node, ...(c.others ?? [])].some((place) => place !== null && this.net.find(place) === at),
    );
    const around = this.net.around(at);
    const bodies = this.net.bodies.get(at) ?? [];
    const isOpen = this.graph?.bodies(at) === "open";
    const attrs = Object.entries(node.attrs);
    const row = this.known[at];
    fill(
      this.side,
      h("h2", {}, node.name || node.op),
      h(
        "p",
        {},
        this.can ? h("a", { href: `#/catalog/${encodeURIComponent(catalogName(node.op))}` }, node.op) : node.op,
        `, node ${node.index}`,
        row && ` · ${row.bytesText}${row.addsText ? ` · ${row.addsText} multiply-adds` : ""}`,
      ),
      this.doc(node.op),
      around.length > 0 &&
        h(
          "p",
          {},
          "in ",
          around.map((owner, i) => [i > 0 ? ", in " : "", this.linkTo(owner)]),
        ),
      bodies.length > 0 && [
        h(
          "p",
          {},
          bodies.map((body) => `${body.name}: ${plural(body.nodes.length, "node")}`).join("; "),
          " ",
          this.graph &&
            button(isOpen ? "Fold its bodies" : "Open its bodies", () => this.turn(at, !isOpen), { class: "quiet" }),
        ),
      ],
      attrs.length > 0 &&
        h(
          "ul",
          { class: "plain code" },
          attrs.map(([name, value]) => h("li", {}, `${name} = `, typed(value))),
        ),
      h("ul", { class: "plain" }, node.inputs.map(operand("in")), node.outputs.map(operand("out"))),
      own.map((c) => h("p", { class: "code" }, h("span", { class: "t-word" }, "where "), typed(c.condition))),
      h(
        "p",
        { class: "bar" },
        show && button("Show in the graph", () => this.inGraph(at)),
        this.can &&
          this.graph &&
          button(
            this.graph.isInPart(at) ? "Out of the part" : "Into a part",
            () => {
              this.graph?.choosePart([at]);
              this.node(at, false);
            },
            {
              class: "quiet",
              title: "A part of the model, whose signature can be copied. Shift and a click on a box do the same.",
            },
          ),
      ),
    );
    if (show && this.tab === "Graph") this.inGraph(at);
    else if (this.tab === "Graph") this.graph?.choose(at);
    announce(
      `${node.op} ${node.name}: ${node.outputs.map((name) => (name === null ? "" : (this.report.values[name] ?? "?"))).join(", ")}`,
    );
    this.focusSide(show);
  }

  /** The signature of a part of the model, copied and shown. */
  private part(from: string[], to: string[]): Promise<void> {
    const { can } = this;
    return this.asking.ask(async (wait) => {
      if (!can) return;
      const found = await wait(can.part(from, to));
      if (found.error || found.signature === undefined) {
        fill(
          this.side,
          h("h2", {}, "A part of the model"),
          h("p", {}, prose(found.error?.message ?? "it is not known")),
        );
        announce(found.error?.message ?? "it is not known");
        return;
      }
      const { signature } = found;
      const isCopied = await navigator.clipboard.writeText(signature).then(
        () => true,
        () => false,
      );
      const names = (all: string[]) => all.slice(0, 30).map((name, i) => [i > 0 ? ", " : "", this.valueLink(name)]);
      fill(
        this.side,
        h("h2", {}, "A part of the model"),
        h("p", {}, badge(found.verdict), isCopied ? " Its signature is copied." : " Its signature:"),
        h("code", { class: "signature", tabindex: "0" }, typed(signature)),
        h("p", {}, h("span", { class: "hint" }, "from "), names(from)),
        h("p", {}, h("span", { class: "hint" }, "to "), names(to)),
      );
      announce(isCopied ? "Its signature is copied" : signature);
    });
  }

  /** What the operator of a node does. */
  private doc(op: string): HTMLElement | null {
    const doc = h("p", { class: "hint" });
    this.can?.does(catalogName(op)).then(
      (text) => fill(doc, prose(text)),
      // The rest of the node does not depend on it.
      () => doc.remove(),
    );
    return this.can && doc;
  }

  private turn(at: number, isOpen: boolean): void {
    this.choose("Graph");
    this.graph?.turn(at, isOpen);
    this.node(at, false);
  }

  private linkTo(at: number): HTMLElement {
    const node = this.nodes[at];
    return button(node?.name || node?.op || "?", () => this.node(at, true), { class: "link" });
  }

  private inGraph(at: number): void {
    this.choose("Graph");
    this.graph?.show(at);
  }

  private focusSide(move: boolean): void {
    if (move && matchMedia("(max-width: 800px)").matches) this.side.scrollIntoView();
  }

  private value(name: string): void {
    this.asking.stop();
    const type = this.report.values[name] ?? "?";
    const giver = this.net.giver.get(name);
    const takers = this.net.takers.get(name) ?? [];
    const link = (at: number | undefined): HTMLElement | string => {
      const node = at === undefined ? undefined : this.nodes[at];
      return node && at !== undefined ? this.linkTo(at) : "";
    };
    fill(
      this.side,
      h("h2", {}, name),
      h(
        "p",
        {},
        this.dims(name, type),
        h("span", { class: "hint" }, ` ${sizeText(this.report.bytes?.values[name] ?? null, "B")}`),
      ),
      h(
        "p",
        {},
        giver === undefined
          ? name in this.report.inputs
            ? "an input"
            : this.net.handed.has(name)
              ? "what a body is handed"
              : "a weight or a constant"
          : ["from ", link(giver)],
      ),
      takers.length > 0 && [
        h("p", {}, `goes to ${plural(takers.length, "node")}:`),
        h(
          "ul",
          { class: "plain" },
          takers.slice(0, 30).map((at) => h("li", {}, link(at))),
        ),
      ],
      this.can && h("p", { class: "hint" }, "Choose a dim to see where it comes from."),
    );
    if (this.tab === "Graph") this.graph?.light([name], [...(giver === undefined ? [] : [giver]), ...takers]);
    this.focusSide(true);
  }

  /** What it would take for a dim to be of some size. */
  private whatIf(name: string, axis: number, can: Abilities): HTMLElement {
    const found = h("div", { role: "status" });
    const asking = new Asking(found);
    const size = h("input", { id: "what-if", class: "dim code", size: "4", inputmode: "numeric", autocomplete: "off" });
    const ask = async (wait: Wait): Promise<void> => {
      const data = this.report.types?.[name];
      const shape = data?.shape;
      if (!data || !shape || size.value.trim() === "") return;
      const dims = shape.map((dim, i) =>
        axisOf(shape, i) === axis ? size.value.trim() : axisOf(shape, i) === null ? dimText(dim) : "?",
      );
      const report = await wait(can.given(name, beside(data, dims)));
      if (report.error) {
        fill(found, badge("error"), ` ${report.error.message}`);
        return;
      }
      const other = Object.entries(report.inputs).filter(([input, type]) => type !== this.report.inputs[input]);
      fill(
        found,
        badge(report.verdict),
        report.verdict === "never" && report.problems[0] && h("p", {}, prose(report.problems[0].message)),
        other.length > 0 &&
          h(
            "ul",
            { class: "plain" },
            other.map(([input, type]) => h("li", {}, `${input}: `, h("span", { class: "code" }, typed(type)))),
          ),
        report.conditions.length > 0 &&
          h(
            "ul",
            {},
            report.conditions.slice(0, 12).map((c) => h("li", { class: "code" }, typed(c.condition))),
          ),
        report.verdict === "always" &&
          other.length === 0 &&
          report.conditions.length === 0 &&
          " nothing more than what is given",
      );
    };
    size.addEventListener("keydown", (e) => e.key === "Enter" && void asking.ask(ask));
    return h(
      "div",
      {},
      h(
        "p",
        {},
        h("label", { for: "what-if" }, "What would it take to be "),
        h(
          "span",
          { class: "field" },
          size,
          button("Ask", () => void asking.ask(ask)),
        ),
      ),
      found,
    );
  }

  /** Where a dim comes from, where it goes, what bounds it. */
  private dim(name: string, axis: number, text: string, isShown = true): Promise<void> {
    return this.asking.ask((wait) => this.asked(name, axis, text, isShown, wait));
  }

  private async asked(name: string, axis: number, text: string, isShown: boolean, wait: Wait): Promise<void> {
    const spoken = Object.entries(this.report.names ?? {});
    const names = spoken
      .filter(([, { values }]) => values.some(([value, at]) => value === name && at === axis))
      .map(([own]) => own);
    const same = [...new Set(names.flatMap((own) => this.speaking(this.report, own)))];
    const bounds = this.report.conditions.filter((c) => (c.names ?? []).some((one) => names.includes(one)));
    const head = h("h2", {}, `dim ${axis} of ${name}: `, h("span", { class: "code" }, typed(text)));
    const more = [
      bounds.length > 0 && [
        h("h3", {}, "What bounds it"),
        h(
          "ul",
          {},
          bounds
            .slice(0, 20)
            .map((c) =>
              h("li", {}, h("span", { class: "code" }, typed(c.condition)), c.node && [" by ", this.nodeLink(c.node)]),
            ),
        ),
      ],
      same.length > 0 && [
        h("h3", {}, `${same.length} values speak of it`),
        h(
          "ul",
          { class: "plain" },
          same
            .slice(0, 30)
            .map((value) =>
              h("li", {}, this.valueLink(value), ": ", h("span", { class: "code" }, typed(this.cutOf(value)))),
            ),
        ),
      ],
    ];
    const take = this.can ? this.whatIf(name, axis, this.can) : null;
    const light = (values: string[]): void => {
      if (this.tab === "Graph")
        this.graph?.light(
          values,
          new Set(
            values.flatMap((value) => [
              ...(this.net.takers.get(value) ?? []),
              ...(this.net.giver.has(value) ? [this.net.giver.get(value) ?? 0] : []),
            ]),
          ),
        );
    };
    if (!this.can) {
      fill(this.side, head, more);
      light(same.length > 0 ? same : [name]);
      this.focusSide(true);
      return;
    }
    fill(this.side, head, h("p", { class: "hint" }, "Asking where it comes from…"));
    const ways = await wait(this.can.why(`${name}:${axis}`));
    // A number goes where a name in its place would go.
    const goes = names.length === 0 ? await wait(this.goes(name, axis, this.can)) : null;
    if (ways.error) {
      fill(this.side, head, h("p", {}, prose(ways.error.message)), more);
      return;
    }
    const steps = ways.dims.flatMap((way) => way.steps);
    const spot = (one: Spot) => [
      this.valueLink(one.value),
      one.axis !== undefined ? ` dim ${one.axis}` : one.element !== undefined ? ` element ${one.element}` : "",
      " = ",
      h("span", { class: "code" }, typed(one.size)),
    ];
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
          return [
            " is handed on through ",
            nodes,
            (one.nodes?.length ?? 0) > 4 ? ` and ${(one.nodes?.length ?? 0) - 4} more` : "",
            " from ",
            from,
            one.end ? h("span", {}, ", which", cause(one.end)) : "",
          ];
        case "computed":
          return [" is computed by ", nodes, " of ", from];
      }
    };
    fill(
      this.side,
      head,
      take,
      h("h3", {}, "Where it comes from"),
      h(
        "ol",
        { class: "way" },
        steps.slice(0, 40).map((step) => h("li", {}, spot(step), cause(step))),
      ),
      steps.length > 40 && h("p", { class: "hint" }, `and ${steps.length - 40} more steps`),
      goes && this.goesTo(goes),
      more,
    );
    const path = new Set<string>([name, ...(goes ?? []).map(([value]) => value)]);
    const through = new Set<number>();
    const collect = (one: Cause): void => {
      for (const s of one.from ?? []) path.add(s.value);
      for (const n of one.nodes ?? []) {
        const at = this.net.find(n);
        if (at !== null) through.add(at);
      }
      if (one.end) collect(one.end);
    };
    for (const step of steps) {
      path.add(step.value);
      collect(step);
    }
    for (const at of through) for (const value of this.nodes[at]?.outputs ?? []) if (value) path.add(value);
    if (this.tab === "Graph") this.graph?.light(path, through);
    this.focusSide(isShown);
  }

  /** The values that a dim goes into, each with its type in a new name for it. None where that can't be found out: in a body. */
  private async goes(value: string, axis: number, can: Abilities): Promise<[string, string][] | null> {
    const taken = new Set(this.report.dims.map((one) => one.name));
    let name = "here";
    while (taken.has(name)) name += "_";
    const data = this.report.types?.[value];
    const shape = data?.shape;
    if (!data || !shape) return null;
    const dims = shape.map((dim, i) => (axisOf(shape, i) === axis ? name : dimText(dim)));
    const report =
      value in this.report.inputs ? await can.opened(value, axis, name) : await can.cut(value, beside(data, dims));
    if (report.error || !(value in report.inputs)) return null;
    asNamed(report);
    return this.speaking(report, name)
      .filter((other) => other !== value)
      .map((other) => [other, report.values[other] ?? "?"]);
  }

  /** The values that speak of a name in their dims. */
  private speaking(report: ModelReport, name: string): string[] {
    return [...new Set((report.names?.[name]?.values ?? []).map(([value]) => value))];
  }

  private goesTo(values: [string, string][]): Node[] {
    const list = values
      .slice(0, 30)
      .map(([value, type]) => h("li", {}, this.valueLink(value), ": ", h("span", { class: "code" }, typed(type))));
    const rest = values.length > 30 ? [h("p", { class: "hint" }, `and ${values.length - 30} more`)] : [];
    return [
      h(
        "h3",
        {},
        values.length === 0
          ? "It goes into no other value"
          : `Where it goes, as a name: ${plural(values.length, "value")}`,
      ),
      h("ul", { class: "plain" }, list),
      ...rest,
    ];
  }

  /** A condition whose names can be chosen, like dims. */
  private condition({ condition: text }: Condition, at: number): (Node | string)[] {
    const places = Object.entries(this.report.names ?? {})
      .flatMap(([name, { conditions }]) => conditions.map(([own, start, end]) => ({ name, own, start, end })))
      .filter(({ own }) => own === at)
      .sort((a, b) => a.start - b.start);
    const parts: (Node | string)[] = [];
    let last = 0;
    for (const { name, start, end } of places) {
      const spot = this.spotOf(name);
      if (!spot || start < last) continue;
      const [before, own] = cutBytes(text, start, end);
      parts.push(
        typed(cutBytes(before, last, start)[1]),
        button(typed(own), () => void this.dim(spot.value, spot.axis, name), {
          class: "dim-link code",
          "aria-label": `${name}: where it comes from`,
        }),
      );
      last = end;
    }
    return [...parts, typed(cutBytes(text, 0, last)[2])];
  }

  /** A dim that is a name: of an input, or where it was made. */
  private spotOf(name: string): { value: string; axis: number } | null {
    for (const value of Object.keys(this.report.inputs)) {
      const shape = this.report.types?.[value]?.shape ?? [];
      const at = shape.indexOf(name);
      const axis = at < 0 ? null : axisOf(shape, at);
      if (axis !== null) return { value, axis };
    }
    const made = this.report.dims.find((one) => one.name === name);
    return made ? { value: made.value, axis: made.axis } : null;
  }
}

/** Names of a model may be those of anything. */
function asNamed(report: ModelReport): void {
  report.inputs = named(report.inputs);
  report.outputs = named(report.outputs);
  report.values = named(report.values);
  if (report.types) report.types = named(report.types);
  if (report.names) report.names = named(report.names);
  if (report.bytes) report.bytes.values = named(report.bytes.values);
}

/** The name of an operator in the catalog, where ONNX's domains stand below `onnx`. */
function catalogName(op: string): string {
  const [domain, name] = op.includes("::") ? op.split("::") : ["", op];
  if (domain === "" || domain === "ai.onnx") return `onnx::${name ?? op}`;
  return domain?.startsWith("ai.onnx.") ? `onnx.${domain.slice("ai.onnx.".length)}::${name ?? ""}` : op;
}

function sizeText(size: Size, unit: string): string {
  if (size === null) return "";
  if (typeof size === "bigint") return sizeText(Number(size), unit);
  if (typeof size === "number") return unit === "B" ? bytes(size) : count(size);
  return unit ? `${size} ${unit}` : size;
}

function plural(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? "" : "s"}`;
}
