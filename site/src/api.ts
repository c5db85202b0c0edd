/** The JSON of `kanshape batch`, as far as the page reads it. */

export type Json = null | boolean | number | bigint | string | Json[] | { [name: string]: Json };
export type Line = { [name: string]: Json };
export type Verdict = "always" | "depends" | "never" | "unknown";

export interface At {
  field: string;
  start: number | null;
  end: number | null;
}

export interface Mistake {
  code: string;
  message: string;
  at: At | null;
}

export interface Answer {
  inputs: string[];
  outputs: string[];
  params?: Record<string, string | number>;
  attrs?: Record<string, Json>;
  where: string[];
}

export interface Fact {
  slot: string;
  axis: number | null;
  about: string;
  says: string;
  start: number | null;
  end: number | null;
}

export interface Repair {
  slot?: string;
  attr?: string;
  param?: string;
  type?: string;
  value?: Json;
  where?: string[];
}

export interface Solved {
  verdict: Verdict;
  answers: Answer[];
  complete: boolean;
  error: Mistake | null;
  why?: {
    code: string;
    message: string;
    at: { source: string; start: number; end: number } | null;
    core: Fact[];
    repairs: Repair[];
  };
}

export interface Row {
  name: string;
  domain: string;
  since: number;
  signature: string | null;
  summary: string;
}

export interface Operator {
  name: string;
  aliases: string[];
  domain: string;
  since: number;
  versions: number[];
  doc: string;
  rule: string;
  file: string;
  attributes: { name: string; kind: string; optional: boolean; default: string | null }[];
  inputs: { name: string; optional: boolean; variadic: boolean }[];
  outputs: { name: string; optional: boolean; variadic: boolean }[];
  examples: { text: string; answers: string[] }[];
  error?: Mistake;
}

export interface Place {
  name: string;
  op: string;
  index: number;
}

export interface Condition {
  condition: string;
  /** The names of sizes in it. */
  names: string[];
  under: { node: Place; body: string; when: string; value: string | null; is: boolean | null }[];
  demands: boolean;
  node: Place | null;
  others: Place[];
  holds: Record<string, number> | null;
  fails: Record<string, number> | null;
}

export interface ModelNode {
  name: string;
  op: string;
  index: number;
  attrs: Record<string, string>;
  inputs: (string | null)[];
  outputs: (string | null)[];
}

/** A type as data. */
export interface TypeData {
  dtype?: string | null;
  /** Sizes, expressions, null for an open one, and `...` or `...name` for a run of them. */
  shape?: (number | bigint | string | null)[] | null;
  contents?: Json[];
  where?: string[];
}

/** A body of a node, or of the function that it calls. */
export interface ModelBody extends Place {
  body: string;
  function: boolean;
  inputs: (string | null)[];
  outputs: (string | null)[];
  nodes: ModelNode[];
}

export interface ModelReport {
  model: string;
  verdict: Verdict;
  inputs: Record<string, string>;
  outputs: Record<string, string>;
  values: Record<string, string>;
  where: string[];
  conditions: Condition[];
  dims: { name: string; value: string; axis: number; node: Place | null; depends_on: string[] }[];
  untyped: { name: string; op: string; index: number; why: string }[];
  problems: {
    code: string;
    severity: string;
    message: string;
    node: string | null;
    op: string | null;
    index: number | null;
    steps: string[];
    help: string[];
  }[];
  bytes?: {
    weights: Size;
    peak: { bytes: Size; node: Place; assumed_size: number | null } | null;
    unknown: number;
    values: Record<string, Size>;
    multiply_adds: Size;
    nodes: { node: Place; multiply_adds: Size }[];
  };
  summary?: {
    producer: string | null;
    format?: number | null;
    properties?: [string, string][];
    versions: Record<string, number>;
    operators: Record<string, number>;
  };
  nodes?: ModelNode[];
  bodies?: ModelBody[];
  types?: Record<string, TypeData>;
  signature?: string;
  error?: Mistake;
}

export type Size = number | string | null;

export interface Spot {
  value: string;
  axis?: number;
  element?: number;
  size: string;
}

export interface Cause {
  kind: "input" | "constant" | "made" | "handed_on" | "computed";
  nodes?: Place[];
  from?: Spot[];
  end?: Cause;
}

export interface Ways {
  value: string;
  dims: { axis: number | null; size: string; steps: (Spot & Cause)[]; complete: boolean; where: string[] }[];
  error?: Mistake;
}

export interface Compared {
  a: string;
  b: string;
  same: boolean;
  inputs: [string[], string[]] | null;
  outputs: [string[], string[]] | null;
  nodes: { a: { node: Place; text: string } | null; b: { node: Place; text: string } | null }[];
  values: { name: string; a: string | null; b: string | null }[];
  where: { a: string[]; b: string[] };
  error?: Mistake;
}

export interface Case {
  /** The values of variables in attributes. */
  attrs?: Record<string, string>;
  leaves: Record<string, string>;
  left: string | string[];
  right: string | string[] | null;
  why: string | null;
}

export interface CostOf {
  left: Size;
  right: Size;
  cheaper: "always" | "where" | "never" | "same" | null;
  where: string | null;
}

export interface Sound {
  verdict: Verdict;
  counterexample: Case | null;
  needs: string[] | null;
  complete_up_to: { rank: number; dim: number | null } | null;
  audit: "exact" | "too weak" | "too strong" | null;
  lost: Case | null;
  why: string | null;
  refines: { forward: boolean | null; backward: boolean | null };
  repairs?: { right: string; needs: string[] }[];
  /** Whether both sides are the same numbers. */
  values?: {
    verdict: "proved" | "tested" | "refuted" | "opaque";
    ranks: "all" | number | null;
    sizes: number | null;
    instances: number;
    counterexample: Case | null;
    needs: string[] | null;
    loses: Case | null;
    why: string | null;
  };
  cost?: { leaves: Record<string, string>; elements: CostOf; bytes: CostOf; multiply_adds: CostOf };
  error: Mistake | null;
}

export interface ProgramWhy {
  at?: { start: number; end: number } | null;
  code: string;
  kind: string;
  message: string;
  core: { start: number; end: number; says: string }[];
  steps: string[];
  repairs: string[];
}

export interface ProgramReport {
  verdict: Verdict;
  globals: Record<string, string>;
  why: ProgramWhy | null;
  others: ProgramWhy[];
  warnings: string[];
  holes: string[];
  expressions?: { start: number; end: number; type: string }[];
  error?: Mistake;
}

/** What is known of a module of StableHLO. */
export interface ModuleReport {
  verdict: Verdict;
  inputs: string[];
  outputs: string[];
  where: string[];
  problems: {
    code: string;
    severity: string;
    message: string;
    at: { start: number; end: number } | null;
    steps: string[];
  }[];
  error?: Mistake | null;
}

/** What answers lines. */
export interface Asker {
  ask<T>(line: Line): Promise<T>;
}

/** A question that somebody waits for no longer. */
export class Overtaken extends Error {}
