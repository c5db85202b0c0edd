/** All nodes of a model, those of bodies and functions among them, each with a number of its own. */

import type { ModelNode, ModelReport, Place } from "./api";

export interface Body {
  /** The node that has it. */
  owner: number;
  name: string;
  inputs: (string | null)[];
  outputs: (string | null)[];
  nodes: number[];
}

export class Net {
  readonly nodes: ModelNode[] = [];
  /** The bodies of each node that has some. */
  readonly bodies = new Map<number, Body[]>();
  /** The body that a node is in, if it is in one. */
  readonly inside = new Map<number, Body>();
  readonly giver = new Map<string, number>();
  readonly takers = new Map<string, number[]>();
  /** The operand that a body has a value from, by the name of the value. */
  readonly handed = new Map<string, { owner: number; from: string | null }>();
  private readonly at = new Map<string, number>();

  constructor(report: ModelReport) {
    for (const node of report.nodes ?? []) this.put(node);
    for (const one of report.bodies ?? []) {
      const owner = this.find(one);
      if (owner === null) continue;
      const body: Body = { owner, name: one.body, inputs: one.inputs, outputs: one.outputs, nodes: [] };
      for (const node of one.nodes) {
        body.nodes.push(this.nodes.length);
        this.inside.set(this.nodes.length, body);
        this.put(node);
      }
      const own = this.bodies.get(owner);
      if (own) own.push(body);
      else this.bodies.set(owner, [body]);
      // Arguments of functions have the names that they have outside.
      if (!one.function) {
        const operands = this.nodes[owner]?.inputs ?? [];
        for (const [i, name] of body.inputs.entries())
          if (name) this.handed.set(name, { owner, from: operands[i] ?? null });
      }
      for (const name of body.outputs) if (name) this.take(name, owner);
    }
  }

  private put(node: ModelNode): void {
    const i = this.nodes.length;
    this.nodes.push(node);
    const key = keyOf(node);
    if (!this.at.has(key)) this.at.set(key, i);
    for (const name of node.inputs) if (name) this.take(name, i);
    for (const name of node.outputs) if (name) this.giver.set(name, i);
  }

  private take(name: string, node: number): void {
    const all = this.takers.get(name);
    if (!all) this.takers.set(name, [node]);
    else if (all.at(-1) !== node) all.push(node);
  }

  /** The number of the node of a place. */
  find(place: Place): number | null {
    return this.at.get(keyOf(place)) ?? null;
  }

  /** The nodes around a node, the innermost first. */
  around(node: number): number[] {
    const all: number[] = [];
    for (let body = this.inside.get(node); body; body = this.inside.get(body.owner)) all.push(body.owner);
    return all;
  }

  /** The node of the model's own graph that a node is, or is in a body of. */
  outermost(node: number): number {
    return this.around(node).at(-1) ?? node;
  }

  /** What goes into a part of the model's own graph, and what comes out of it. Weights and what `isConstant` belong to it. */
  part(
    nodes: ReadonlySet<number>,
    report: ModelReport,
    isConstant: (node: number) => boolean,
  ): { from: string[]; to: string[] } {
    const isIn = (node: number): boolean => nodes.has(this.outermost(node));
    const from = new Set<string>();
    const to = new Set<string>();
    const ends: string[] = [];
    for (const [i, node] of this.nodes.entries()) {
      if (!isIn(i)) continue;
      for (const name of node.inputs) {
        const giver = name === null ? undefined : this.giver.get(name);
        if (name === null || this.handed.has(name)) continue;
        if (giver === undefined ? name in report.inputs : !isIn(giver) && !isConstant(giver)) from.add(name);
      }
      if (this.inside.has(i)) continue;
      for (const name of node.outputs) {
        if (name === null) continue;
        const takers = this.takers.get(name) ?? [];
        if (name in report.outputs || takers.some((taker) => !isIn(taker))) to.add(name);
        else if (takers.length === 0) ends.push(name);
      }
    }
    return { from: [...from], to: to.size > 0 ? [...to] : ends };
  }

  /** The nodes that depend on no input of the model, and of which no output does. */
  constants(report: ModelReport): Set<number> {
    const depends = new Set(Object.keys(report.inputs));
    for (const name of this.handed.keys()) depends.add(name);
    const isMet = (i: number): boolean => {
      const node = this.nodes[i];
      if (!node) return false;
      return (
        node.inputs.some((name) => name !== null && depends.has(name)) ||
        (this.bodies.get(i) ?? []).some(
          (body) =>
            body.outputs.some((name) => name !== null && depends.has(name)) || body.nodes.some((one) => met.has(one)),
        )
      );
    };
    const met = new Set<number>();
    for (let grew = true, pass = 0; grew && pass < 64; pass++) {
      grew = false;
      // Inner nodes stand behind outer ones, and are looked at first.
      for (let k = 0; k < 2; k++) {
        for (let n = 0; n < this.nodes.length; n++) {
          const i = k === 0 ? n : this.nodes.length - 1 - n;
          if (met.has(i) || !isMet(i)) continue;
          met.add(i);
          grew = true;
          for (const name of this.nodes[i]?.outputs ?? []) if (name) depends.add(name);
        }
      }
    }
    const found = new Set<number>();
    this.nodes.forEach((node, i) => {
      if (!met.has(i) && !node.outputs.some((name) => name !== null && name in report.outputs) && !this.inside.has(i))
        found.add(i);
    });
    // What stands in a node that makes a constant is hidden with it.
    this.nodes.forEach((_, i) => {
      if (this.around(i).some((owner) => found.has(owner))) found.add(i);
    });
    if (found.size === this.nodes.length) found.clear();
    return found;
  }
}

function keyOf({ name, index }: Place | ModelNode): string {
  return `${index} ${name}`;
}
