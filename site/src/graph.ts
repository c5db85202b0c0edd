/** The graph of a model: nodes folded by the scopes of their names and the bodies they are in, laid out for what is open. */

import type { ModelReport } from "./api";
import { category } from "./category";
import { button, debounced, download, fill, h, s } from "./dom";
import type { Laid, Lay } from "./layout";
import { Minimap } from "./minimap";
import type { Net } from "./net";
import { image, picture } from "./picture";
import type { Scope } from "./tree";
import { OPEN, Tree } from "./tree";

/** No more boxes than this are laid out. */
const MOST = 700;
/** So many weights are named in a box. */
const WEIGHTS = 4;
/** The height of a line of a box. */
const LINE = 13;

/** What is drawn: a node, a folded scope, an input or an output. */
interface Box {
  id: string;
  title: string;
  note: string;
  /** The weights that it has, and what is known of it in full. */
  lines: string[];
  whole: string;
  kind: string;
  wide: number;
  high: number;
  /** The body that it is in. */
  group: string | null;
}

interface Edge {
  from: string;
  to: string;
  values: string[];
}

export interface GraphEvents {
  /** A node was chosen. */
  node(index: number): void;
  value(name: string): void;
  /** The signature of the part from these values to those is wanted; none if no part is asked of. */
  part: ((from: string[], to: string[]) => void) | null;
  failed(error: unknown): void;
}

export class GraphView {
  readonly view = h("div", { class: "graph" });
  private tree: Tree;
  /** The nodes that make constants: none of them depends on an input of the model. */
  private readonly constant: Set<number>;
  private withConstants = false;
  private readonly canvas: SVGSVGElement;
  private readonly layer = s("g", {});
  private readonly map = new Minimap((x, y) => {
    this.box.x = x - this.box.w / 2;
    this.box.y = y - this.box.h / 2;
    this.move();
  });
  private readonly constants = h("input", { type: "checkbox", onchange: () => this.refold() });
  private readonly note = h("span", { class: "hint", role: "status" });
  private readonly search = h("input", {
    type: "search",
    id: "search-graph",
    placeholder: "name, operator, type",
    autocomplete: "off",
  });
  private readonly matches = h("span", { class: "hint", role: "status" });
  /** The nodes of the part that was chosen. */
  private readonly part = new Set<number>();
  private readonly partBar = h("div", { class: "bar tools part", role: "status" });
  private found: number[] = [];
  private foundAt = -1;
  private lookedFor = "";
  private box = { x: 0, y: 0, w: 800, h: 600 };
  private all = { w: 800, h: 600 };
  private first = 0;
  private lit = new Set<string>();
  private litValues = new Set<string>();
  private drawnBoxes = new Map<string, { node: SVGGElement; at: { x: number; y: number }; high: number }>();
  private drawnEdges: { node: SVGElement; values: string[] }[] = [];
  private run = 0;

  constructor(
    private report: ModelReport,
    private readonly net: Net,
    private readonly events: GraphEvents,
    private readonly lay: Lay,
  ) {
    this.constant = net.constants(report);
    this.tree = this.folded();
    this.canvas = s(
      "svg",
      { class: "canvas", role: "group", "aria-label": "Graph of the model", tabindex: "0" },
      this.arrows(),
      this.layer,
    );
    this.view.append(
      h(
        "div",
        { class: "bar tools" },
        button("+", () => this.zoom(1 / 1.3), { "aria-label": "Zoom in", title: "Zoom in (+)", class: "quiet" }),
        button("−", () => this.zoom(1.3), { "aria-label": "Zoom out", title: "Zoom out (-)", class: "quiet" }),
        button("Fit", () => this.whole(), { title: "All of it (0)", class: "quiet" }),
        button("SVG", () => this.save(false), { class: "quiet", title: "Save what is drawn as SVG" }),
        button("PNG", () => this.save(true), { class: "quiet", title: "Save what is drawn as PNG" }),
        button("Fold all", () => this.foldAll(), { class: "quiet" }),
        button("Unfold more", () => this.unfoldMore(), { class: "quiet" }),
        this.constant.size > 0 &&
          h("label", { class: "check" }, this.constants, ` ${this.constant.size} that make constants`),
        h("label", { for: "search-graph", class: "visually-hidden" }, "Search the graph"),
        this.search,
        button("Next", () => this.next(1), { class: "quiet", title: "Next match (Enter; Shift+Enter goes back)" }),
        this.note,
        this.matches,
      ),
      this.partBar,
      h("div", { class: "canvas-box" }, this.canvas, this.map.view),
    );
    this.search.addEventListener(
      "input",
      debounced(80, () => this.look()),
    );
    this.search.addEventListener("keydown", (e) => {
      if (e.key !== "Enter") return;
      e.preventDefault();
      this.next(e.shiftKey ? -1 : 1);
    });
    this.handle();
    this.layout(true);
  }

  /** Other types of the same nodes. */
  update(report: ModelReport): void {
    this.report = report;
    this.layout(false);
  }

  /** The scopes, the smallest of which stay folded until all that is shown fits. */
  private folded(): Tree {
    const tree = new Tree(this.net, (i) => this.isShown(i));
    tree.grow(OPEN);
    return tree;
  }

  /** The nodes of which each word that is searched is a part. */
  private look(): void {
    if (this.search.value === this.lookedFor) return;
    this.lookedFor = this.search.value;
    const words = this.search.value
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== "");
    const { nodes } = this.net;
    const texts = nodes.map((node) =>
      [
        node.name,
        node.op,
        ...node.outputs.flatMap((name) => (name === null ? [] : [name, this.report.values[name] ?? ""])),
      ]
        .join(" ")
        .toLowerCase(),
    );
    this.found =
      words.length === 0 ? [] : nodes.flatMap((_, i) => (words.every((word) => texts[i]?.includes(word)) ? [i] : []));
    this.foundAt = -1;
    this.matches.textContent =
      words.length === 0
        ? ""
        : this.found.length === 0
          ? "no node"
          : `${this.found.length} found: Enter shows the first`;
  }

  private next(by: number): void {
    this.look();
    const count = this.found.length;
    if (count === 0) return;
    this.foundAt = this.foundAt < 0 ? (by > 0 ? 0 : count - 1) : (this.foundAt + by + count) % count;
    const at = this.found[this.foundAt] ?? 0;
    this.show(at);
    this.events.node(at);
    this.matches.textContent = `${this.foundAt + 1} of ${count}: ${this.net.nodes[at]?.name || this.net.nodes[at]?.op}`;
  }

  /** Shows a node, in the scopes and bodies that it is in. */
  show(index: number): void {
    if (!this.isShown(index)) {
      this.constants.checked = true;
      this.refold(false);
    }
    const path = this.tree.pathTo(index);
    const isOpen = path.every((one) => this.tree.open.has(one));
    for (const one of path) this.tree.open.add(one);
    if (!isOpen && this.tree.shown().length > MOST) {
      // With all that is open there is no room for it.
      this.tree.foldAll();
      for (const one of path) this.tree.open.add(one);
    }
    this.lit = new Set([`n${index}`]);
    this.litValues = new Set();
    const id = `n${index}`;
    if (isOpen && this.drawnBoxes.has(id)) {
      this.mark();
      this.center(id);
    } else this.layout(false, () => this.center(id));
  }

  /** Lights a box, and leaves the others. */
  choose(index: number): void {
    this.lit = new Set([this.tree.boxOf(index)]);
    this.litValues = new Set();
    this.mark();
  }

  /** Lights these values and nodes, where they are drawn. */
  light(values: Iterable<string>, nodes: Iterable<number>): void {
    this.litValues = new Set(values);
    this.lit = new Set([...nodes].map((i) => this.tree.boxOf(i)));
    for (const name of this.litValues) {
      if (name in this.report.inputs) this.lit.add(`i:${name}`);
      if (name in this.report.outputs) this.lit.add(`o:${name}`);
    }
    this.mark();
    // Constants may not be drawn, and what is in view already stays where it is.
    const drawn = [...this.lit].filter((id) => this.drawnBoxes.has(id));
    if (drawn[0] && !drawn.some((id) => this.isInView(id))) this.center(drawn[0]);
  }

  private mark(): void {
    const part = new Set([...this.part].map((i) => this.tree.boxOf(i)));
    for (const [id, { node }] of this.drawnBoxes) {
      node.classList.toggle("lit", this.lit.has(id));
      node.classList.toggle("of-part", part.has(id));
    }
    for (const { node, values } of this.drawnEdges)
      node.classList.toggle(
        "lit",
        values.some((name) => this.litValues.has(name)),
      );
  }

  /** Is a node in the part that was chosen? */
  isInPart(index: number): boolean {
    return this.part.has(this.net.outermost(index));
  }

  /** Takes nodes into the part that is chosen, or out of it if all are there. What is in a body belongs to its node. */
  choosePart(nodes: number[]): void {
    const own = nodes.map((i) => this.net.outermost(i));
    const isThere = own.every((i) => this.part.has(i));
    for (const i of own) {
      if (isThere) this.part.delete(i);
      else this.part.add(i);
    }
    this.partChanged();
  }

  private partChanged(): void {
    this.mark();
    const count = this.part.size;
    if (count === 0) {
      fill(this.partBar);
      return;
    }
    fill(
      this.partBar,
      `A part of ${count === 1 ? "1 node" : `${count} nodes`}`,
      button("Copy its signature", () => {
        const { from, to } = this.net.part(this.part, this.report, (i) => this.constant.has(i));
        this.events.part?.(from, to);
      }),
      button(
        "Clear",
        () => {
          this.part.clear();
          this.partChanged();
          this.canvas.focus({ preventScroll: true });
        },
        { class: "quiet" },
      ),
    );
  }

  /** A box with Shift: what is in it is taken into the part, or out of it. */
  private pick(box: Box): void {
    if (this.events.part === null) return;
    if (box.kind === "scope") this.choosePart(this.tree.nodesOf(box.id.slice(1)));
    else if (box.kind !== "port") this.choosePart([Number(box.id.slice(1))]);
  }

  /** With the constants, or without. */
  private refold(draw = true): void {
    this.withConstants = this.constants.checked;
    this.tree = this.folded();
    if (draw) this.layout(true);
  }

  private isShown(i: number): boolean {
    return this.withConstants || !this.constant.has(i);
  }

  private foldAll(): void {
    this.tree.foldAll();
    this.layout(true);
  }

  private unfoldMore(): void {
    const count = this.tree.shown().length;
    if (!this.tree.grow(Math.min(MOST, Math.max(count * 2, count + 30))))
      this.note.textContent = "all that fits is open; open a scope by itself";
    this.layout(true);
  }

  /** Has a node bodies, and are they open? */
  bodies(index: number): "none" | "open" | "folded" {
    return !this.tree.bodies.has(index) ? "none" : this.tree.isOpen(index) ? "open" : "folded";
  }

  /** Opens the bodies of a node in place, or folds them. */
  turn(index: number, isOpen: boolean): void {
    this.tree.turn(index, isOpen);
    this.layout(false, () => this.center(`n${index}`));
  }

  /** Is a value a weight, or made by a node that is not shown? */
  private isKept(name: string): boolean {
    const giver = this.net.giver.get(name);
    return giver === undefined || !this.isShown(giver);
  }

  /** What a value is in a box: `W 64×3×7×7`, or what is in it if that is short. */
  private weight(name: string): string {
    const type = this.report.types?.[name];
    const short = name.split(/[/.]/).at(-1) ?? name;
    if (type?.contents && type.contents.length <= 4)
      return `${cut(short, 16)} = ${type.shape?.length === 0 ? type.contents.map(String).join("") : `[${type.contents.map(String).join(", ")}]`}`;
    return `${cut(short, 16)} ${type?.shape ? type.shape.map((dim) => (dim === null ? "?" : String(dim))).join("×") || "scalar" : ""}`;
  }

  /** The boxes of what is shown. */
  private boxes(): Box[] {
    const boxes: Box[] = [];
    const put = (
      id: string,
      kind: string,
      title: string,
      note: string,
      lines: string[],
      whole: string,
      group: string | null = null,
    ): void => {
      const own = [cut(title, 34), cut(note, 36), ...lines.map((line) => cut(line, 36))];
      const [head = "", second = "", ...rest] = own;
      const wide = Math.min(
        290,
        Math.max(74, 20 + 7.4 * head.length, 20 + 6.3 * Math.max(second.length, ...rest.map((line) => line.length), 0)),
      );
      boxes.push({
        id,
        kind,
        title: head,
        note: second,
        lines: rest,
        whole,
        wide,
        high: 40 + LINE * rest.length,
        group,
      });
    };
    for (const one of this.tree.shown()) {
      if (typeof one === "number") {
        const node = this.net.nodes[one];
        if (!node) continue;
        const weights = node.inputs.filter(
          (name): name is string =>
            name !== null &&
            this.isKept(name) &&
            !this.net.handed.has(name) &&
            !(name in this.report.inputs) &&
            name in this.report.values,
        );
        const lines = weights.slice(0, WEIGHTS).map((name) => this.weight(name));
        const bodies = this.tree.bodies.get(one);
        const size = bodies?.reduce((sum, body) => sum + body.size, 0);
        const title = `${bodies ? (this.tree.isOpen(one) ? "▾ " : "▸ ") : ""}${node.op.split("::").at(-1) ?? node.op}${size === undefined ? "" : ` (${size})`}`;
        put(
          `n${one}`,
          `node c-${category(node.op)}${bodies ? " has-bodies" : ""}`,
          title,
          node.name.split("/").at(-1) ?? "",
          lines,
          `${node.op} ${node.name}`,
          this.tree.bodyOf(this.tree.at.get(one) ?? null)?.path ?? null,
        );
      } else {
        const ops = [...one.ops].sort((a, b) => b[1] - a[1]).slice(0, 3);
        put(
          `s${one.path}`,
          "scope",
          `▸ ${cut(one.name, 24)} (${one.size})`,
          ops.map(([op, n]) => (n > 1 ? `${n} ${op}` : op)).join(", "),
          [],
          one.path,
          this.tree.bodyOf(one)?.path ?? null,
        );
      }
    }
    const used = (name: string): boolean => this.net.takers.has(name);
    for (const [name, type] of Object.entries(this.report.inputs))
      if (used(name)) put(`i:${name}`, "port", name, type, [], `${name}: ${type}`);
    for (const [name, type] of Object.entries(this.report.outputs))
      put(`o:${name}`, "port", name, type, [], `${name}: ${type}`);
    return boxes;
  }

  private edges(boxes: Box[]): Edge[] {
    const known = new Set(boxes.map((box) => box.id));
    const edges = new Map<string, Edge>();
    const edge = (from: string, to: string, value: string): void => {
      if (from === to || !known.has(from) || !known.has(to)) return;
      const key = `${from} ${to}`;
      const own = edges.get(key);
      if (!own) edges.set(key, { from, to, values: [value] });
      else if (!own.values.includes(value)) own.values.push(value);
    };
    /** A value goes into a box, from what gives it. A body has some from the operands of its node. */
    const into = (name: string, to: string): void => {
      let from: string | null = name;
      for (let i = 0; i < 64 && from !== null; i++) {
        const giver = this.net.giver.get(from);
        const start = giver !== undefined ? this.tree.boxOf(giver) : from in this.report.inputs ? `i:${from}` : null;
        if (start !== null) {
          edge(start, to, name);
          return;
        }
        from = this.net.handed.get(from)?.from ?? null;
      }
    };
    this.net.nodes.forEach((node, i) => {
      if (!this.isShown(i)) return;
      const own = this.tree.boxOf(i);
      for (const name of node.inputs) if (name) into(name, own);
      for (const body of this.net.bodies.get(i) ?? []) for (const name of body.outputs) if (name) into(name, own);
      for (const name of node.outputs) if (name && name in this.report.outputs) edge(own, `o:${name}`, name);
    });
    for (const name of Object.keys(this.report.outputs))
      if (name in this.report.inputs) edge(`i:${name}`, `o:${name}`, name);
    return [...edges.values()];
  }

  private layout(fit: boolean, then: (() => void) | null = null): void {
    const run = ++this.run;
    if (this.tree.shown().length > MOST) {
      // The scopes that were opened last are too much.
      for (const path of [...this.tree.open].reverse()) {
        if (path !== "" && this.tree.shown().length > MOST) this.tree.open.delete(path);
      }
      this.note.textContent = `more than ${MOST} boxes can't be drawn: fold something first`;
    } else this.note.textContent = "";
    const boxes = this.boxes();
    const edges = this.edges(boxes);
    // The texts on edges have room beside each other, as long as there are not too many.
    const room = edges.length <= 250 ? 6.2 : 0;
    this.canvas.setAttribute("aria-busy", "true");
    const bodies = this.tree.openBodies();
    const groups = bodies.map((body) => ({ id: body.path, group: this.tree.bodyOf(body.parent)?.path ?? null }));
    this.lay({
      boxes: boxes.map(({ id, wide, high, group }) => ({ id, wide, high, group })),
      groups,
      edges: edges.map(({ from, to, values }) => ({ from, to, wide: room * this.labelOf(values).length })),
    }).then(
      (laid) => {
        if (run !== this.run) return;
        this.canvas.removeAttribute("aria-busy");
        this.all = { w: laid.wide, h: laid.high };
        this.draw(laid, boxes, edges, bodies);
        if (this.note.textContent === "")
          this.note.textContent = `${boxes.length} boxes for ${this.net.nodes.length} nodes`;
        if (fit) this.fit();
        else this.move();
        then?.();
      },
      (error: unknown) => this.events.failed(error),
    );
  }

  /** A type as far as it fits beside an edge: its dtype and its last dims are what differs. */
  private labelOf(values: string[]): string {
    const [first = ""] = values;
    if (values.length !== 1) return `${values.length} values`;
    const data = this.report.types?.[first];
    if (!data?.shape) return cut(this.report.values[first] ?? "?", 26);
    const dims = data.shape.map((dim) => cut(dim === null ? "?" : String(dim), 14));
    return `${data.dtype ?? "?"}[${cut(dims.join(", "), 30)}]`;
  }

  private draw(laid: Laid, boxes: Box[], edges: Edge[], bodies: Scope[]): void {
    const focused = (document.activeElement as SVGElement | null)?.dataset?.id ?? null;
    const lines: SVGElement[] = [];
    this.drawnEdges = [];
    edges.forEach(({ values }, at) => {
      const points = laid.edges[at] ?? [];
      const d = points.map((p, i) => `${i === 0 ? "M" : "L"}${p.x.toFixed(1)},${p.y.toFixed(1)}`).join(" ");
      const middle = points[Math.floor(points.length / 2)] ?? { x: 0, y: 0 };
      const first = values[0] ?? "";
      const label = this.labelOf(values);
      const wide = 6.1 * label.length + 4;
      const text = s(
        "g",
        { class: "edge-label" },
        s("rect", { x: middle.x - wide / 2, y: middle.y - 6, width: wide, height: 12 }),
        s("text", { x: middle.x, y: middle.y + 3 }, label),
      );
      const whole = values.map((name) => `${name}: ${this.report.values[name] ?? "?"}`);
      const line = s(
        "g",
        { class: "edge-group", onclick: () => this.events.value(first) },
        s("path", { d, class: "edge", "marker-end": "url(#arrow)" }),
        text,
        s("title", {}, whole.slice(0, 8).join("\n")),
      );
      lines.push(line);
      this.drawnEdges.push({ node: line, values });
    });
    const drawn: SVGElement[] = [];
    this.drawnBoxes.clear();
    this.map.show(
      this.all,
      boxes.map((box, i) => ({ ...(laid.boxes[i] ?? { x: 0, y: 0 }), w: box.wide, h: box.high })),
    );
    boxes.forEach((box, i) => {
      const at = laid.boxes[i] ?? { x: 0, y: 0 };
      const top = -box.high / 2;
      const g = s(
        "g",
        {
          class: `g-box ${box.kind}`,
          transform: `translate(${at.x},${at.y})`,
          tabindex: "0",
          role: "button",
          "data-id": box.id,
          onclick: (e: Event) => {
            e.stopPropagation();
            if (this.dragged) return;
            if ((e as MouseEvent).shiftKey) this.pick(box);
            else this.act(box);
          },
          onfocus: () => {
            if (!this.isInView(box.id)) this.center(box.id);
          },
          onkeydown: (e: KeyboardEvent) => {
            if (e.key === "Enter" || e.key === " ") {
              e.preventDefault();
              if (e.shiftKey) this.pick(box);
              else this.act(box);
            }
          },
        },
        s("rect", { x: -box.wide / 2, y: top, width: box.wide, height: box.high, rx: box.kind === "port" ? 18 : 6 }),
        s("text", { y: top + 17, class: "label" }, box.title),
        " ",
        s("text", { y: top + 32, class: "type" }, box.note),
        box.lines.map((line, n) => [" ", s("text", { y: top + 32 + LINE * (n + 1), class: "type weight" }, line)]),
        s("title", {}, box.whole),
      );
      drawn.push(g);
      this.drawnBoxes.set(box.id, { node: g, at, high: box.high });
    });
    const [top] = boxes
      .flatMap((box, i) => (box.id.startsWith("i:") ? [laid.boxes[i]] : []))
      .sort((a, b) => (a?.y ?? 0) - (b?.y ?? 0));
    this.first = top?.x ?? laid.boxes[0]?.x ?? 0;
    const frames = bodies.map((body, i) => {
      const { x, y, wide, high } = laid.groups[i] ?? { x: 0, y: 0, wide: 0, high: 0 };
      const owner = this.net.nodes[body.owner ?? -1];
      return s(
        "g",
        { class: "g-body" },
        s("rect", { x: x - wide / 2, y: y - high / 2, width: wide, height: high, rx: 10 }),
        s(
          "text",
          { x: x - wide / 2 + 8, y: y + high / 2 - 6 },
          cut(`${owner?.op ?? ""} ${body.name}`, Math.max(12, Math.floor(wide / 6.5))),
        ),
      );
    });
    this.layer.replaceChildren(...frames, ...lines, ...drawn);
    this.mark();
    if (focused) this.drawnBoxes.get(focused)?.node.focus({ preventScroll: true });
  }

  private act(box: Box): void {
    const own = box.id.slice(1);
    if (box.kind === "scope") {
      const before = new Set(this.drawnBoxes.keys());
      this.tree.open.add(own);
      this.layout(false, () => {
        // The first of what was opened has the focus.
        const [first] = [...this.drawnBoxes]
          .filter(([id]) => !before.has(id))
          .sort(([, a], [, b]) => a.at.y - b.at.y || a.at.x - b.at.x);
        if (!first) return;
        this.center(first[0]);
        first[1].node.focus({ preventScroll: true });
      });
    } else if (box.kind === "port") this.events.value(box.id.slice(2));
    else {
      const index = Number(own);
      if (this.bodies(index) === "folded") this.turn(index, true);
      this.events.node(index);
    }
  }

  private arrows(): SVGElement {
    return s(
      "defs",
      {},
      s(
        "marker",
        {
          id: "arrow",
          viewBox: "0 0 8 8",
          refX: 7,
          refY: 4,
          markerWidth: 7,
          markerHeight: 7,
          orient: "auto",
          markerUnits: "userSpaceOnUse",
        },
        s("path", { d: "M0,0 L8,4 L0,8 z", class: "arrow" }),
      ),
    );
  }

  private move(): void {
    // Some of it stays in view.
    const margin = 60;
    this.box.x = Math.min(Math.max(this.box.x, margin - this.box.w), this.all.w - margin);
    this.box.y = Math.min(Math.max(this.box.y, margin - this.box.h), this.all.h - margin);
    const { x, y, w, h: high } = this.box;
    this.canvas.setAttribute("viewBox", `${x} ${y} ${w} ${high}`);
    this.map.look(this.box);
    this.canvas.classList.toggle("far", w > 3 * Math.max(this.canvas.clientWidth, 300));
  }

  /** At the first input, in a size that can be read. */
  private fit(): void {
    const width = this.canvas.clientWidth || 800;
    const high = this.canvas.clientHeight || 560;
    // What is a little larger than the window is shown as a whole.
    const scale = Math.min(Math.max(this.all.w / width, this.all.h / high, 0.8), 1);
    const whole = this.all.w <= width * scale;
    const x = whole
      ? (this.all.w - width * scale) / 2
      : Math.min(Math.max(this.first - (width * scale) / 2, 0), this.all.w - width * scale);
    this.box = {
      x,
      y: this.all.h <= high * scale ? (this.all.h - high * scale) / 2 : 0,
      w: width * scale,
      h: high * scale,
    };
    this.move();
  }

  /** All of it, however small. */
  private whole(): void {
    const width = this.canvas.clientWidth || 800;
    const high = this.canvas.clientHeight || 560;
    const scale = Math.max(this.all.w / width, this.all.h / high, 0.5);
    this.box = {
      x: (this.all.w - width * scale) / 2,
      y: (this.all.h - high * scale) / 2,
      w: width * scale,
      h: high * scale,
    };
    this.move();
  }

  private zoom(by: number, at = { x: this.box.x + this.box.w / 2, y: this.box.y + this.box.h / 2 }): void {
    const w = Math.min(Math.max(this.box.w * by, 120), 60_000);
    const f = w / this.box.w;
    this.box = { x: at.x - (at.x - this.box.x) * f, y: at.y - (at.y - this.box.y) * f, w, h: this.box.h * f };
    this.move();
  }

  /** What is drawn as a file of its own. */
  private save(asImage: boolean): void {
    const { svg, wide, high } = picture(this.canvas, this.all);
    const name = this.report.model.replace(/(\.onnx)?$/, "");
    const file = new Blob([svg], { type: "image/svg+xml" });
    if (!asImage) {
      download(`${name}.svg`, file);
      return;
    }
    image(svg, wide, high).then(
      (png) => download(`${name}.png`, png),
      (error: unknown) => this.events.failed(error),
    );
  }

  private isInView(id: string): boolean {
    const box = this.drawnBoxes.get(id);
    const { x, y, w, h: high } = this.box;
    return (
      box !== undefined &&
      box.at.x >= x &&
      box.at.x <= x + w &&
      box.at.y - box.high / 2 >= y &&
      box.at.y + box.high / 2 <= y + high
    );
  }

  private center(id: string): void {
    const box = this.drawnBoxes.get(id);
    if (box) {
      this.box.x = box.at.x - this.box.w / 2;
      this.box.y = box.at.y - this.box.h / 2;
    }
    this.move();
  }

  private dragged = false;

  private handle(): void {
    const canvas = this.canvas;
    const toGraph = (e: { clientX: number; clientY: number }) => {
      const rect = canvas.getBoundingClientRect();
      return {
        x: this.box.x + ((e.clientX - rect.left) / rect.width) * this.box.w,
        y: this.box.y + ((e.clientY - rect.top) / rect.height) * this.box.h,
      };
    };
    canvas.addEventListener(
      "wheel",
      (e) => {
        e.preventDefault();
        if (e.ctrlKey || e.metaKey) this.zoom(Math.exp(e.deltaY / 300), toGraph(e));
        else {
          const scale = this.box.w / (canvas.clientWidth || 1);
          this.box.x += e.deltaX * scale;
          this.box.y += e.deltaY * scale;
          this.move();
        }
      },
      { passive: false },
    );
    const fingers = new Map<number, PointerEvent>();
    canvas.addEventListener("pointerdown", (e) => {
      fingers.set(e.pointerId, e);
      this.dragged = false;
    });
    canvas.addEventListener("pointermove", (e) => {
      const before = fingers.get(e.pointerId);
      if (!before) return;
      const others = [...fingers.values()].filter((one) => one.pointerId !== e.pointerId);
      const scale = this.box.w / (canvas.clientWidth || 1);
      if (others[0]) {
        const far = (one: PointerEvent) =>
          Math.hypot(one.clientX - (others[0]?.clientX ?? 0), one.clientY - (others[0]?.clientY ?? 0));
        this.zoom(far(before) / Math.max(far(e), 1), toGraph(e));
      } else {
        const dx = e.clientX - before.clientX;
        const dy = e.clientY - before.clientY;
        if (!this.dragged && Math.hypot(dx, dy) < 4) return;
        if (!this.dragged) canvas.setPointerCapture(e.pointerId);
        this.dragged = true;
        this.box.x -= dx * scale;
        this.box.y -= dy * scale;
        this.move();
      }
      fingers.set(e.pointerId, e);
    });
    for (const end of ["pointerup", "pointercancel"] as const)
      canvas.addEventListener(end, (e) => fingers.delete(e.pointerId));
    canvas.addEventListener("keydown", (e) => {
      if (e.key === "/" || ((e.ctrlKey || e.metaKey) && e.key === "f")) {
        e.preventDefault();
        this.search.focus();
        return;
      }
      const step = this.box.w / 8;
      const moves: Record<string, () => void> = {
        "+": () => this.zoom(1 / 1.3),
        "-": () => this.zoom(1.3),
        "0": () => this.whole(),
        ArrowLeft: () => (this.box.x -= step),
        ArrowRight: () => (this.box.x += step),
        ArrowUp: () => (this.box.y -= step),
        ArrowDown: () => (this.box.y += step),
      };
      const move = moves[e.key];
      if (!move) return;
      e.preventDefault();
      move();
      this.move();
    });
    let isFirst = true;
    new ResizeObserver(() => {
      if (canvas.clientWidth === 0) return;
      if (isFirst) {
        isFirst = false;
        this.fit();
        return;
      }
      const ratio = canvas.clientHeight / (canvas.clientWidth || 1);
      if (ratio > 0) this.box.h = this.box.w * ratio;
      this.move();
    }).observe(canvas);
  }
}

/** A text that is too long loses its middle: both of its ends say something. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = Math.floor((most - 1) / 2);
  return `${text.slice(0, most - 1 - end)}…${text.slice(text.length - end)}`;
}

/** A graph that is not drawn. */
export function noGraph(why: string): HTMLElement {
  const view = h("div", { class: "graph" });
  fill(view, h("p", { class: "hint" }, why));
  return view;
}
