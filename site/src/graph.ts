/** The graph of a model: nodes folded by the scopes of their names, laid out for what is open. */

import dagre, { type graphlib } from "@dagrejs/dagre";
import type { ModelNode, ModelReport } from "./api";
import { button, debounced, fill, h, s } from "./dom";

/** Up to so many boxes are shown open at the start. */
const OPEN = 60;
/** No more boxes than this are laid out. */
const MOST = 700;
/** Nodes without a scope are folded in runs of so many. */
const RUN = 24;
/** A scope with more nodes of its own has them in runs. */
const MOST_NODES = 96;

interface Scope {
  path: string;
  name: string;
  parent: Scope | null;
  scopes: Scope[];
  nodes: number[];
  size: number;
  ops: Map<string, number>;
}

/** What is drawn: a node, a folded scope, an input or an output. */
interface Box {
  id: string;
  title: string;
  note: string;
  kind: "node" | "scope" | "port";
  wide: number;
}

export interface GraphEvents {
  node(index: number): void;
  value(name: string): void;
}

export class GraphView {
  readonly view = h("div", { class: "graph" });
  private root: Scope = empty();
  private readonly open = new Set<string>();
  private readonly at = new Map<number, Scope>();
  private readonly giver = new Map<string, number>();
  /** The nodes that make constants: none of them depends on an input of the model. */
  private readonly constant = new Set<number>();
  private withConstants = false;
  private readonly canvas: SVGSVGElement;
  private readonly layer = s("g", {});
  private readonly constants = h("input", { type: "checkbox", onchange: () => this.refold() });
  private readonly note = h("span", { class: "hint", role: "status" });
  private readonly search = h("input", { type: "search", id: "search-graph", placeholder: "name, operator, type", autocomplete: "off" });
  private readonly matches = h("span", { class: "hint", role: "status" });
  private found: number[] = [];
  private foundAt = -1;
  private lookedFor = "";
  private box = { x: 0, y: 0, w: 800, h: 600 };
  private all = { w: 800, h: 600 };
  private first = 0;
  private lit = new Set<string>();
  private litValues = new Set<string>();
  private edgeOf = new Map<string, SVGElement>();

  constructor(
    private report: ModelReport,
    private readonly nodes: ModelNode[],
    private readonly events: GraphEvents,
  ) {
    nodes.forEach((node, i) => node.outputs.forEach((name) => name && this.giver.set(name, i)));
    this.findConstants();
    this.fold();
    this.canvas = s("svg", { class: "canvas", role: "group", "aria-label": "Graph of the model", tabindex: "0" }, this.arrows(), this.layer);
    this.view.append(
      h(
        "div",
        { class: "bar" },
        button("+", () => this.zoom(1 / 1.3), { "aria-label": "Zoom in", title: "Zoom in (+)", class: "quiet" }),
        button("−", () => this.zoom(1.3), { "aria-label": "Zoom out", title: "Zoom out (-)", class: "quiet" }),
        button("Fit", () => this.fit(), { title: "All of it (0)", class: "quiet" }),
        button("Fold all", () => this.foldAll(), { class: "quiet" }),
        button("Unfold more", () => this.unfoldMore(), { class: "quiet" }),
        this.constant.size > 0 && h("label", { class: "check" }, this.constants, ` ${this.constant.size} that make constants`),
        this.note,
      ),
      h(
        "div",
        { class: "bar" },
        h("label", { for: "search-graph" }, "Search the graph"),
        this.search,
        button("Next", () => this.next(1), { class: "quiet", title: "Next match (Enter; Shift+Enter goes back)" }),
        this.matches,
      ),
      this.canvas,
    );
    this.search.addEventListener("input", debounced(80, () => this.look()));
    this.search.addEventListener("keydown", (e) => {
      if (e.key !== "Enter") return;
      e.preventDefault();
      this.next(e.shiftKey ? -1 : 1);
    });
    this.handle();
    // The smallest scopes stay folded until all that is shown fits.
    this.open.add("");
    this.grow(OPEN);
    this.layout(true);
  }

  /** Other types of the same nodes. */
  update(report: ModelReport): void {
    this.report = report;
    this.layout(false);
  }

  /** The nodes of which each word that is searched is a part. */
  private look(): void {
    if (this.search.value === this.lookedFor) return;
    this.lookedFor = this.search.value;
    const words = this.search.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
    const text = (node: ModelNode): string => [node.name, node.op, ...node.outputs.flatMap((name) => (name === null ? [] : [name, this.report.values[name] ?? ""]))].join(" ").toLowerCase();
    this.found = words.length === 0 ? [] : this.nodes.flatMap((node, i) => (words.every((word) => text(node).includes(word)) ? [i] : []));
    this.foundAt = -1;
    this.matches.textContent = words.length === 0 ? "" : this.found.length === 0 ? "no node" : `${this.found.length} found: Enter shows the first`;
  }

  private next(by: number): void {
    this.look();
    const count = this.found.length;
    if (count === 0) return;
    this.foundAt = this.foundAt < 0 ? (by > 0 ? 0 : count - 1) : (this.foundAt + by + count) % count;
    const at = this.found[this.foundAt] ?? 0;
    this.show(at);
    this.events.node(this.nodes[at]?.index ?? -1);
    this.matches.textContent = `${this.foundAt + 1} of ${count}: ${this.nodes[at]?.name || this.nodes[at]?.op}`;
  }

  /** Shows a node, in the scopes that it is in. */
  show(index: number): void {
    if (!this.isShown(index)) {
      this.constants.checked = true;
      this.refold();
    }
    const path: string[] = [];
    for (let scope = this.at.get(index) ?? null; scope; scope = scope.parent) path.unshift(scope.path);
    for (const one of path) this.open.add(one);
    if (this.shown().length > MOST) {
      // With all that is open there is no room for it.
      this.open.clear();
      for (const one of path) this.open.add(one);
    }
    this.lit = new Set([`n${index}`]);
    this.litValues.clear();
    this.layout(false);
    this.center(`n${index}`);
  }

  /** Lights these values and nodes. */
  light(values: Iterable<string>, nodes: Iterable<number>): void {
    this.litValues = new Set(values);
    this.lit = new Set([...nodes].map((i) => this.boxOf(i)));
    for (const name of this.litValues) {
      if (name in this.report.inputs) this.lit.add(`i:${name}`);
      if (name in this.report.outputs) this.lit.add(`o:${name}`);
    }
    this.layout(false);
    // Constants may not be drawn.
    const first = [...this.lit].find((id) => this.boxAt(id) !== null);
    if (first) this.center(first);
  }

  private findConstants(): void {
    const depends = new Set(Object.keys(this.report.inputs));
    // Most models have each node behind those that it needs; a second pass is for the others.
    for (let i = 0; i < 2; i++) {
      for (const node of this.nodes) {
        if (node.inputs.some((name) => name !== null && depends.has(name))) for (const name of node.outputs) if (name) depends.add(name);
      }
    }
    this.nodes.forEach((node, i) => {
      if (!node.outputs.some((name) => name !== null && (depends.has(name) || name in this.report.outputs))) this.constant.add(i);
    });
    if (this.constant.size === this.nodes.length) this.constant.clear();
  }

  /** With the constants, or without. */
  private refold(): void {
    this.withConstants = this.constants.checked;
    this.root = empty();
    this.at.clear();
    this.fold();
    this.open.clear();
    this.open.add("");
    this.grow(OPEN);
    this.layout(true);
  }

  private isShown(i: number): boolean {
    return this.withConstants || !this.constant.has(i);
  }

  private fold(): void {
    const scopes = new Map<string, Scope>([["", this.root]]);
    const scoped = this.nodes.filter((n) => /[^/]\/[^/]/.test(n.name)).length > this.nodes.length / 3;
    const count = this.withConstants ? this.nodes.length : this.nodes.length - this.constant.size;
    let rank = -1;
    this.nodes.forEach((node, i) => {
      if (!this.isShown(i)) return;
      rank++;
      const names = scoped ? node.name.split("/").slice(0, -1) : this.runs(rank, count);
      let scope = this.root;
      for (const name of names) {
        if (name === "") continue;
        const path = `${scope.path}/${name}`;
        let inner = scopes.get(path);
        if (!inner) {
          inner = { path, name, parent: scope, scopes: [], nodes: [], size: 0, ops: new Map() };
          scopes.set(path, inner);
          scope.scopes.push(inner);
        }
        scope = inner;
      }
      scope.nodes.push(i);
      this.at.set(i, scope);
      for (let up: Scope | null = scope; up; up = up.parent) {
        up.size++;
        up.ops.set(node.op, (up.ops.get(node.op) ?? 0) + 1);
      }
    });
    if (scoped) this.split(this.root);
  }

  /** A scope of many nodes has them in runs. */
  private split(scope: Scope): void {
    for (const inner of scope.scopes) this.split(inner);
    if (scope.nodes.length <= MOST_NODES) return;
    const nodes = scope.nodes.splice(0);
    for (let from = 0; from < nodes.length; from += RUN) {
      const own = nodes.slice(from, from + RUN);
      const name = `part ${from}–${from + own.length - 1}`;
      const part: Scope = { path: `${scope.path}/${name}`, name, parent: scope, scopes: [], nodes: own, size: own.length, ops: new Map() };
      scope.scopes.push(part);
      for (const i of own) {
        const op = this.nodes[i]?.op ?? "";
        this.at.set(i, part);
        part.ops.set(op, (part.ops.get(op) ?? 0) + 1);
      }
    }
  }

  /** Where names say nothing: runs of nodes, and runs of runs. */
  private runs(i: number, count: number): string[] {
    if (count <= OPEN) return [];
    const path: string[] = [];
    let size = RUN;
    while (size < count) {
      const first = Math.floor(i / size) * size;
      path.unshift(`part ${first}–${Math.min(first + size, count) - 1}`);
      size *= RUN;
    }
    return path;
  }

  /** Opens scopes, the largest first, while what is shown stays below so many boxes. */
  private grow(most: number): boolean {
    let did = false;
    for (;;) {
      const shown = this.shown();
      const folded = shown.filter((one): one is Scope => typeof one !== "number");
      const fits = folded.sort((a, b) => b.size - a.size).find((one) => shown.length + one.scopes.length + one.nodes.length - 1 <= most);
      if (!fits) return did;
      this.open.add(fits.path);
      did = true;
    }
  }

  private shown(): (Scope | number)[] {
    const all: (Scope | number)[] = [];
    const walk = (scope: Scope): void => {
      for (const inner of scope.scopes) {
        if (this.open.has(inner.path)) walk(inner);
        else all.push(inner);
      }
      all.push(...scope.nodes);
    };
    walk(this.root);
    return all;
  }

  private foldAll(): void {
    this.open.clear();
    this.open.add("");
    this.layout(true);
  }

  private unfoldMore(): void {
    const count = this.shown().length;
    if (!this.grow(Math.min(MOST, Math.max(count * 2, count + 30)))) this.note.textContent = "all that fits is open; open a scope by itself";
    this.layout(true);
  }

  /** The box that a node is drawn in. */
  private boxOf(index: number): string {
    let box = `n${index}`;
    for (let scope = this.at.get(index) ?? null; scope; scope = scope.parent) {
      if (!this.open.has(scope.path)) box = `s${scope.path}`;
    }
    return box;
  }

  private layout(fit: boolean): void {
    const shown = this.shown();
    if (shown.length > MOST) {
      // The scope that was opened last is too much.
      const last = [...this.open].at(-1);
      if (last !== undefined && last !== "") {
        this.open.delete(last);
        this.note.textContent = `more than ${MOST} boxes can't be drawn: fold something first`;
        this.layout(fit);
        return;
      }
    }
    const graph = new dagre.graphlib.Graph({ multigraph: false });
    graph.setGraph({ rankdir: "TB", nodesep: 18, ranksep: 34, marginx: 12, marginy: 12 });
    graph.setDefaultEdgeLabel(() => ({}));
    const boxes = new Map<string, Box>();
    const put = (box: Box): void => {
      boxes.set(box.id, box);
      graph.setNode(box.id, { width: box.wide, height: 40 });
    };
    const wide = (...texts: string[]): number => Math.min(250, Math.max(70, 16 + 7.2 * Math.max(...texts.map((t) => t.length))));
    for (const one of shown) {
      if (typeof one === "number") {
        const node = this.nodes[one];
        if (!node) continue;
        const note = short(node.name.split("/").at(-1) ?? "");
        put({ id: `n${one}`, title: node.op, note, kind: "node", wide: wide(node.op, note) });
      } else {
        const ops = [...one.ops].sort((a, b) => b[1] - a[1]).slice(0, 3);
        const note = short(ops.map(([op, n]) => (n > 1 ? `${n} ${op}` : op)).join(", "), 32);
        const title = `▸ ${short(one.name, 26)} (${one.size})`;
        put({ id: `s${one.path}`, title, note, kind: "scope", wide: wide(title, note) });
      }
    }
    const edges = new Map<string, { from: string; to: string; values: string[] }>();
    const edge = (from: string, to: string, value: string): void => {
      if (from === to || !boxes.has(from) || !boxes.has(to)) return;
      const key = `${from} ${to}`;
      const known = edges.get(key);
      if (known) known.values.push(value);
      else edges.set(key, { from, to, values: [value] });
    };
    const used = new Set<string>();
    for (const node of this.nodes) for (const name of node.inputs) if (name) used.add(name);
    const port = (id: string, title: string, type: string): void => put({ id, title: short(title), note: short(type, 32), kind: "port", wide: wide(short(title), short(type, 32)) });
    for (const [name, type] of Object.entries(this.report.inputs)) if (used.has(name)) port(`i:${name}`, name, type);
    for (const [name, type] of Object.entries(this.report.outputs)) port(`o:${name}`, name, type);
    this.nodes.forEach((node, i) => {
      if (!this.isShown(i)) return;
      const own = this.boxOf(i);
      for (const name of node.inputs) {
        if (!name) continue;
        const giver = this.giver.get(name);
        if (giver !== undefined) edge(this.boxOf(giver), own, name);
        else if (name in this.report.inputs) edge(`i:${name}`, own, name);
      }
      for (const name of node.outputs) if (name && name in this.report.outputs) edge(own, `o:${name}`, name);
    });
    // The texts on edges have room beside each other, as long as there are not too many.
    const room = edges.size <= 250 ? 6.2 : 0;
    for (const { from, to, values } of edges.values()) graph.setEdge(from, to, { width: room * this.labelOf(values).length, height: 14, labelpos: "c" });
    dagre.layout(graph);
    const size = graph.graph() as { width?: number; height?: number };
    this.all = { w: size.width ?? 800, h: size.height ?? 600 };
    const places = [...boxes.values()].map((box) => ({ box, at: graph.node(box.id) as { x: number; y: number } }));
    const ports = places.filter(({ box }) => box.id.startsWith("i:"));
    const top = (ports.length > 0 ? ports : places).sort((a, b) => a.at.y - b.at.y)[0];
    this.first = top?.at.x ?? 0;
    this.draw(graph, boxes, edges);
    if (!this.note.textContent?.startsWith("more")) this.note.textContent = `${boxes.size} boxes for ${this.nodes.length} nodes`;
    if (fit) this.fit();
    else this.move();
  }

  private labelOf(values: string[]): string {
    const type = values.length === 1 ? (this.report.values[values[0] ?? ""] ?? "?") : `${values.length} values`;
    return short(type.split(" = ")[0] ?? type, 30);
  }

  private draw(graph: graphlib.Graph, boxes: Map<string, Box>, edges: Map<string, { from: string; to: string; values: string[] }>): void {
    const lines: SVGElement[] = [];
    this.edgeOf.clear();
    for (const { from, to, values } of edges.values()) {
      const { points } = graph.edge(from, to) as { points: { x: number; y: number }[] };
      const d = points.map((p, i) => `${i === 0 ? "M" : "L"}${p.x.toFixed(1)},${p.y.toFixed(1)}`).join(" ");
      const lit = values.some((name) => this.litValues.has(name));
      const middle = points[Math.floor(points.length / 2)] ?? { x: 0, y: 0 };
      const first = values[0] ?? "";
      const label = this.labelOf(values);
      const wide = 6.1 * label.length + 4;
      const text = s("g", { class: "edge-label" }, s("rect", { x: middle.x - wide / 2, y: middle.y - 6, width: wide, height: 12 }), s("text", { x: middle.x, y: middle.y + 3 }, label));
      const line = s("g", { class: lit ? "edge-group lit" : "edge-group", onclick: () => this.events.value(first) }, s("path", { d, class: "edge", "marker-end": "url(#arrow)" }), text, s("title", {}, values.map((name) => `${name}: ${this.report.values[name] ?? "?"}`).slice(0, 8).join("\n")));
      lines.push(line);
    }
    const drawn: SVGElement[] = [];
    for (const box of boxes.values()) {
      const { x, y } = graph.node(box.id) as { x: number; y: number };
      const act = (): void => this.act(box);
      const g = s(
        "g",
        {
          class: `g-box ${box.kind}${this.lit.has(box.id) ? " lit" : ""}`,
          transform: `translate(${x},${y})`,
          tabindex: "0",
          role: "button",
          "data-id": box.id,
          onclick: (e: Event) => {
            e.stopPropagation();
            if (!this.dragged) act();
          },
          onkeydown: (e: KeyboardEvent) => {
            if (e.key === "Enter" || e.key === " ") {
              e.preventDefault();
              act();
            }
          },
        },
        s("rect", { x: -box.wide / 2, y: -20, width: box.wide, height: 40, rx: box.kind === "port" ? 18 : 6 }),
        s("text", { y: -3, class: "label" }, box.title),
        " ",
        s("text", { y: 13, class: "type" }, box.note),
      );
      drawn.push(g);
    }
    this.layer.replaceChildren(...lines, ...drawn);
  }

  private act(box: Box): void {
    if (box.kind === "scope") {
      this.open.add(box.id.slice(1));
      this.note.textContent = "";
      this.layout(false);
      this.center(box.id);
      const [first] = this.layer.querySelectorAll<SVGElement>(".g-box");
      first?.focus({ preventScroll: true });
    } else if (box.kind === "node") {
      this.events.node(Number(box.id.slice(1)));
    } else this.events.value(box.id.slice(2));
  }

  private arrows(): SVGElement {
    return s("defs", {}, s("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto", markerUnits: "userSpaceOnUse" }, s("path", { d: "M0,0 L8,4 L0,8 z", class: "arrow" })));
  }

  private move(): void {
    const { x, y, w, h: high } = this.box;
    this.canvas.setAttribute("viewBox", `${x} ${y} ${w} ${high}`);
    this.canvas.classList.toggle("far", w > 3 * Math.max(this.canvas.clientWidth, 300));
  }

  private fit(): void {
    const width = this.canvas.clientWidth || 800;
    const high = this.canvas.clientHeight || 560;
    // A graph that is much longer than the window begins at its top, so that it can be read.
    const scale = Math.max(Math.min(Math.max(this.all.w / width, Math.min(this.all.h / high, 1.15)), 2.2), 0.7);
    const wide = Math.max(width * scale, Math.min(this.all.w, width * 2.2));
    // What is wider than the window as well begins at its first input.
    const middle = wide < this.all.w ? this.first : this.all.w / 2;
    this.box = { x: middle - wide / 2, y: this.all.h <= high * scale ? (this.all.h - high * scale) / 2 : 0, w: wide, h: (high / width) * wide };
    this.move();
  }

  private zoom(by: number, at = { x: this.box.x + this.box.w / 2, y: this.box.y + this.box.h / 2 }): void {
    const w = Math.min(Math.max(this.box.w * by, 120), 60_000);
    const f = w / this.box.w;
    this.box = { x: at.x - (at.x - this.box.x) * f, y: at.y - (at.y - this.box.y) * f, w, h: this.box.h * f };
    this.move();
  }

  /** The box that is drawn with this id. */
  private boxAt(id: string): SVGGElement | null {
    return this.layer.querySelector<SVGGElement>(`[data-id="${CSS.escape(id)}"]`);
  }

  private center(id: string): void {
    const place = this.boxAt(id)?.getAttribute("transform")?.match(/-?[\d.]+/g)?.map(Number);
    if (place) {
      this.box.x = (place[0] ?? 0) - this.box.w / 2;
      this.box.y = (place[1] ?? 0) - this.box.h / 2;
    }
    this.move();
  }

  private dragged = false;

  private handle(): void {
    const canvas = this.canvas;
    const toGraph = (e: { clientX: number; clientY: number }) => {
      const rect = canvas.getBoundingClientRect();
      return { x: this.box.x + ((e.clientX - rect.left) / rect.width) * this.box.w, y: this.box.y + ((e.clientY - rect.top) / rect.height) * this.box.h };
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
        const far = (one: PointerEvent) => Math.hypot(one.clientX - (others[0]?.clientX ?? 0), one.clientY - (others[0]?.clientY ?? 0));
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
    for (const end of ["pointerup", "pointercancel"] as const) canvas.addEventListener(end, (e) => fingers.delete(e.pointerId));
    canvas.addEventListener("keydown", (e) => {
      const step = this.box.w / 8;
      const moves: Record<string, () => void> = {
        "+": () => this.zoom(1 / 1.3),
        "-": () => this.zoom(1.3),
        "0": () => this.fit(),
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

function empty(): Scope {
  return { path: "", name: "", parent: null, scopes: [], nodes: [], size: 0, ops: new Map() };
}

function short(text: string, most = 28): string {
  return text.length <= most ? text : `…${text.slice(text.length - most + 1)}`;
}

/** A graph that is not drawn. */
export function noGraph(why: string): HTMLElement {
  const view = h("div", { class: "graph" });
  fill(view, h("p", { class: "hint" }, why));
  return view;
}
