/** The nodes of a model in scopes: by the parts of their names, by the bodies they are in, and else in runs. */

import type { Net } from "./net";

/** Up to so many boxes are shown open at the start. */
export const OPEN = 60;
/** Nodes without a scope are folded in runs of so many. */
const RUN = 24;
/** A scope with more nodes of its own has them in runs. */
const MOST_NODES = 96;

export interface Scope {
  path: string;
  name: string;
  parent: Scope | null;
  scopes: Scope[];
  nodes: number[];
  size: number;
  ops: Map<string, number>;
  /** The node whose body this is. It stands for it while it is folded. */
  owner: number | null;
}

export class Tree {
  readonly root: Scope = scope("", "", null, null);
  /** The scope of each node. */
  readonly at = new Map<number, Scope>();
  /** The bodies of a node that has some. */
  readonly bodies = new Map<number, Scope[]>();
  readonly open = new Set<string>([""]);

  constructor(
    private readonly net: Net,
    isShown: (node: number) => boolean,
  ) {
    const main = net.nodes.flatMap((_, i) => (net.inside.has(i) || !isShown(i) ? [] : [i]));
    this.fold(this.root, main, 0);
    // An outer body stands before those in it.
    for (const [owner, bodies] of net.bodies) {
      const around = this.at.get(owner);
      if (!around) continue;
      for (const body of bodies) {
        const nodes = body.nodes.filter(isShown);
        const path = `${around.path}/#${owner}/${body.name}`;
        const own = scope(path, body.name, around, owner);
        this.bodies.set(owner, [...(this.bodies.get(owner) ?? []), own]);
        const first = net.nodes[nodes[0] ?? -1]?.name ?? "";
        const prefix = `${net.nodes[owner]?.name ?? ""}/${body.name}/`;
        this.fold(own, nodes, first.startsWith(prefix) ? prefix.length : 0);
      }
    }
  }

  private fold(root: Scope, nodes: number[], skipped: number): void {
    const names = nodes.map((i) => (this.net.nodes[i]?.name ?? "").slice(skipped));
    const isScoped = names.filter((name) => /[^/]\/[^/]/.test(name)).length > nodes.length / 3;
    const known = new Map<string, Scope>();
    nodes.forEach((i, rank) => {
      const path = isScoped ? (names[rank] ?? "").split("/").slice(0, -1) : runs(rank, nodes.length);
      let into = root;
      for (const name of path) {
        if (name === "") continue;
        const at = `${into.path}/${name}`;
        let inner = known.get(at);
        if (!inner) {
          inner = scope(at, name, into, null);
          known.set(at, inner);
          into.scopes.push(inner);
        }
        into = inner;
      }
      into.nodes.push(i);
      this.at.set(i, into);
      for (let up: Scope | null = into; up; up = up === root ? null : up.parent) this.count(up, i);
    });
    this.plain(root);
    if (isScoped) this.split(root);
  }

  private count(one: Scope, node: number): void {
    one.size++;
    const op = this.net.nodes[node]?.op ?? "";
    one.ops.set(op, (one.ops.get(op) ?? 0) + 1);
  }

  /** A scope of one node is none. */
  private plain(one: Scope): void {
    for (const inner of one.scopes) this.plain(inner);
    const single = one.scopes.filter((inner) => inner.size === 1);
    if (single.length === 0) return;
    one.scopes = one.scopes.filter((inner) => inner.size !== 1);
    for (const inner of single) {
      for (const i of inner.nodes) {
        one.nodes.push(i);
        this.at.set(i, one);
      }
    }
    one.nodes.sort((a, b) => a - b);
  }

  /** A scope of many nodes has them in runs. */
  private split(one: Scope): void {
    for (const inner of one.scopes) this.split(inner);
    if (one.nodes.length <= MOST_NODES) return;
    const nodes = one.nodes.splice(0);
    for (let from = 0; from < nodes.length; from += RUN) {
      const own = nodes.slice(from, from + RUN);
      const name = `part ${from}–${from + own.length - 1}`;
      const part = scope(`${one.path}/${name}`, name, one, null);
      part.nodes = own;
      one.scopes.push(part);
      for (const i of own) {
        this.at.set(i, part);
        this.count(part, i);
      }
    }
  }

  /** All nodes of a scope, and of those in it. */
  nodesOf(path: string): number[] {
    const found: number[] = [];
    for (const [node, own] of this.at) {
      for (let up: Scope | null = own; up; up = up.parent) {
        if (up.path !== path) continue;
        found.push(node);
        break;
      }
    }
    return found;
  }

  /** What is shown: nodes, and scopes that are folded. */
  shown(): (Scope | number)[] {
    const all: (Scope | number)[] = [];
    const todo: Scope[] = [this.root];
    for (let one = todo.pop(); one; one = todo.pop()) {
      for (const inner of one.scopes) {
        if (this.open.has(inner.path)) todo.push(inner);
        else all.push(inner);
      }
      for (const i of one.nodes) {
        all.push(i);
        for (const body of this.bodies.get(i) ?? []) if (this.open.has(body.path)) todo.push(body);
      }
    }
    return all;
  }

  /** The open body that a scope is in, if it is in one. */
  bodyOf(one: Scope | null): Scope | null {
    for (let up = one; up; up = up.parent) if (up.owner !== null) return up;
    return null;
  }

  /** The bodies that are open and not empty, an outer one before those in it. */
  openBodies(): Scope[] {
    const isSeen = (one: Scope): boolean => {
      for (let up: Scope | null = one; up; up = up.parent) if (!this.open.has(up.path)) return false;
      return one.size > 0;
    };
    return [...this.bodies.values()].flat().filter(isSeen);
  }

  /** Opens scopes and bodies, the largest first, while what is shown stays below so many boxes. */
  grow(most: number): boolean {
    let did = false;
    for (;;) {
      const shown = this.shown();
      const folded = shown.flatMap((one) =>
        typeof one === "number" ? (this.bodies.get(one) ?? []).filter((body) => !this.open.has(body.path)) : [one],
      );
      const more = (one: Scope): number => one.scopes.length + one.nodes.length - (one.owner === null ? 1 : 0);
      const fits = folded
        .sort((a, b) => b.size - a.size)
        .find((one) => one.size > 0 && shown.length + more(one) <= most);
      if (!fits) return did;
      this.open.add(fits.path);
      did = true;
    }
  }

  /** Opens the bodies of a node, or folds them with all that is in them. */
  turn(node: number, isOpen: boolean): void {
    for (const body of this.bodies.get(node) ?? []) {
      if (isOpen) this.open.add(body.path);
      else
        for (const path of [...this.open])
          if (path === body.path || path.startsWith(`${body.path}/`)) this.open.delete(path);
    }
  }

  isOpen(node: number): boolean {
    return (this.bodies.get(node) ?? []).some((body) => this.open.has(body.path));
  }

  foldAll(): void {
    this.open.clear();
    this.open.add("");
  }

  /** The scopes that a node is in, the outermost first. */
  pathTo(node: number): string[] {
    const path: string[] = [];
    for (let one = this.at.get(node) ?? null; one; one = one.parent) path.unshift(one.path);
    return path;
  }

  /** The box that a node is drawn in. */
  boxOf(node: number): string {
    let box = `n${node}`;
    for (let one = this.at.get(node) ?? null; one; one = one.parent) {
      if (!this.open.has(one.path)) box = one.owner === null ? `s${one.path}` : `n${one.owner}`;
    }
    return box;
  }
}

function scope(path: string, name: string, parent: Scope | null, owner: number | null): Scope {
  return { path, name, parent, scopes: [], nodes: [], size: 0, ops: new Map(), owner };
}

/** Where names say nothing: runs of nodes, and runs of runs. */
function runs(i: number, count: number): string[] {
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
