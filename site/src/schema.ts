/** What the engine answers. Made from `docs/schema.json` by `npm run types`: change that. */

/**
 * A line about a model: its types, and those parts that were asked for.
 */
export type ModelLine =
  | {
      id: unknown;
      line: Line;
      model: string;
      nonempty?: boolean;
      verdict: Verdict;
      inputs: TypesByName;
      outputs: TypesByName;
      values: TypesByName;
      where: Texts;
      conditions: Condition[];
      cases?: Cases;
      dims: Open[];
      assumed?: Assumed[];
      untyped: Untyped[];
      problems: Problem[];
      declared?: Declared[];
      bytes?: Bytes;
      nodes?: NodeOfModel[];
      bodies?: Body[];
      types?: {
        [k: string]: Other;
      };
      signature?: string;
      otherwise?: "always" | "depends";
      summary?: Summary;
      names?: Spoken;
      error?: undefined;
    }
  | {
      id: unknown;
      line: Line;
      verdict: "unknown";
      error: Error;
      model?: undefined;
      nonempty?: undefined;
      inputs?: undefined;
      outputs?: undefined;
      values?: undefined;
      where?: undefined;
      conditions?: undefined;
      cases?: undefined;
      dims?: undefined;
      assumed?: undefined;
      untyped?: undefined;
      problems?: undefined;
      declared?: undefined;
      bytes?: undefined;
      nodes?: undefined;
      bodies?: undefined;
      types?: undefined;
      signature?: undefined;
      otherwise?: undefined;
      summary?: undefined;
      names?: undefined;
    };
export type Line = number;
export type Verdict = "always" | "depends" | "never" | "unknown";
export type Type = string;
export type Texts = string[];
export type Sizes = {
  [k: string]: number | bigint;
} | null;
/**
 * The conditions in groups, where some have to hold in a body only: when they have to hold, null for always.
 */
export type Cases = {
  when: string | null;
  conditions: Texts;
}[];
/**
 * A count; a text where it has names in it; null if it is not known.
 */
export type Size = number | bigint | string | null;
export type Other =
  | {
      name: string;
      where?: Texts;
      tuple?: undefined;
      type?: undefined;
      parts?: undefined;
      dtype?: undefined;
      shape?: undefined;
      contents?: undefined;
    }
  | {
      tuple: Other[];
      where?: Texts;
      name?: undefined;
      type?: undefined;
      parts?: undefined;
      dtype?: undefined;
      shape?: undefined;
      contents?: undefined;
    }
  | {
      type: string;
      parts: Other[];
      where?: Texts;
      name?: undefined;
      tuple?: undefined;
      dtype?: undefined;
      shape?: undefined;
      contents?: undefined;
    }
  | {
      dtype: string | null;
      shape: Dim[] | null;
      contents?: Content[];
      where?: Texts;
      name?: undefined;
      tuple?: undefined;
      type?: undefined;
      parts?: undefined;
    };
/**
 * A size; a name, an expression or a run `...r` as a text; null if it is not known.
 */
export type Dim = number | bigint | string | null;
/**
 * A number, a truth value, a text or an expression, "NaN", "Infinity", "-Infinity"; null if it is not known.
 */
export type Content = number | bigint | boolean | string | null;
export type At = {
  field: string;
  start: number | null;
  end: number | null;
} | null;
/**
 * A line about a graph.
 */
export type Graph =
  | {
      id: unknown;
      line: Line;
      verdict: Verdict;
      inputs: TypesByName;
      outputs: TypesByName;
      values: TypesByName;
      where: Texts;
      conditions: Condition[];
      cases?: Cases;
      dims: Open[];
      assumed?: Assumed[];
      untyped: Untyped[];
      problems: Problem[];
      error?: undefined;
    }
  | {
      id: unknown;
      line: Line;
      verdict: "unknown";
      error: Error;
      inputs?: undefined;
      outputs?: undefined;
      values?: undefined;
      where?: undefined;
      conditions?: undefined;
      cases?: undefined;
      dims?: undefined;
      assumed?: undefined;
      untyped?: undefined;
      problems?: undefined;
    };
/**
 * A line about where a size of a model comes from, and what `why --json` prints, without `id` and `line`.
 */
export type WhyLine =
  | {
      id?: unknown;
      line?: Line;
      model: string;
      value: string;
      dims: {
        axis: number | null;
        size: string;
        steps: Step[];
        complete: boolean;
        where: Texts;
      }[];
      verdict?: undefined;
      error?: undefined;
    }
  | {
      id: unknown;
      line: Line;
      verdict: "unknown";
      error: Error;
      model?: undefined;
      value?: undefined;
      dims?: undefined;
    };
/**
 * A line about what differs between two models, and what `diff --json` prints, without `id` and `line`.
 */
export type DiffLine =
  | {
      id?: unknown;
      line?: Line;
      a: string;
      b: string;
      same: boolean;
      inputs: [Texts, Texts] | null;
      outputs: [Texts, Texts] | null;
      nodes: {
        a: {
          node: Place;
          text: string;
        } | null;
        b: {
          node: Place;
          text: string;
        } | null;
      }[];
      values: {
        name: string;
        a: string | null;
        b: string | null;
      }[];
      where: {
        a: Texts;
        b: Texts;
      };
      renamed: number;
      sizes?: {
        value: string;
        axis: number;
        change: string;
        a: string;
        b: string;
      }[];
      verdict?: undefined;
      error?: undefined;
    }
  | {
      id: unknown;
      line: Line;
      verdict: "unknown";
      error: Error;
      a?: undefined;
      b?: undefined;
      same?: undefined;
      inputs?: undefined;
      outputs?: undefined;
      nodes?: undefined;
      values?: undefined;
      where?: undefined;
      renamed?: undefined;
      sizes?: undefined;
    };
export type Types = Type[];
/**
 * The value of a parameter or an attribute.
 */
export type Value = number | bigint | boolean | string | null | Value[];
/**
 * A line about the catalog: a list of operators, or one of them.
 */
export type Catalog =
  | {
      id: unknown;
      line: Line;
      operators: Row[];
      name?: undefined;
      aliases?: undefined;
      domain?: undefined;
      since?: undefined;
      versions?: undefined;
      doc?: undefined;
      rule?: undefined;
      file?: undefined;
      attributes?: undefined;
      inputs?: undefined;
      outputs?: undefined;
      examples?: undefined;
      error?: undefined;
    }
  | {
      id: unknown;
      line: Line;
      name: string;
      aliases: Texts;
      domain: string;
      since: number;
      versions: number[];
      doc: string;
      rule: string;
      file: string;
      attributes: {
        name: string;
        kind: string;
        optional: boolean;
        default: string | null;
      }[];
      inputs: {
        name: string;
        optional: boolean;
        variadic: boolean;
      }[];
      outputs: {
        name: string;
        optional: boolean;
        variadic: boolean;
      }[];
      examples: {
        text: string;
        answers: Texts;
      }[];
      operators?: undefined;
      error?: undefined;
    }
  | {
      id: unknown;
      line: Line;
      error: Error;
      operators?: undefined;
      name?: undefined;
      aliases?: undefined;
      domain?: undefined;
      since?: undefined;
      versions?: undefined;
      doc?: undefined;
      rule?: undefined;
      file?: undefined;
      attributes?: undefined;
      inputs?: undefined;
      outputs?: undefined;
      examples?: undefined;
    };
/**
 * A line about a program, and what `check --json` prints of one, with `program` in the place of `id` and `line`.
 */
export type Program =
  | {
      id: unknown;
      line: Line;
      verdict: Verdict;
      type: string | null;
      where: Texts;
      globals: {
        [k: string]: string;
      };
      why: ProgramWhy | null;
      others: ProgramWhy[];
      warnings: Texts;
      holes: Texts;
      expressions?: {
        start: number;
        end: number;
        type: string;
      }[];
      error?: undefined;
    }
  | {
      id: unknown;
      line: Line;
      verdict: "unknown";
      error: Error;
      type?: undefined;
      where?: undefined;
      globals?: undefined;
      why?: undefined;
      others?: undefined;
      warnings?: undefined;
      holes?: undefined;
      expressions?: undefined;
    };
/**
 * A line about a module of StableHLO, and what `check --json` prints of one, with `module` in the place of `id` and `line`.
 */
export type Stablehlo =
  | {
      id?: unknown;
      line?: Line;
      module?: string;
      verdict: Verdict;
      inputs: Texts;
      outputs: Texts;
      where: Texts;
      problems: {
        code: string;
        severity: "error" | "warning";
        message: string;
        at: {
          start: number;
          end: number;
        } | null;
        steps: Texts;
      }[];
      error?: undefined;
    }
  | {
      id?: unknown;
      line?: Line;
      module?: string;
      verdict: "unknown";
      error: Error;
      inputs?: undefined;
      outputs?: undefined;
      where?: undefined;
      problems?: undefined;
    };
/**
 * A line about a type: where its dims are; null if it has none.
 */
export type ParsedType =
  | {
      id: unknown;
      line: Line;
      type: string;
      may_be_absent: boolean;
      dims:
        | {
            start: number;
            end: number;
          }[]
        | null;
      error?: undefined;
    }
  | {
      id: unknown;
      line: Line;
      error: Error;
      type?: undefined;
      may_be_absent?: undefined;
      dims?: undefined;
    };
/**
 * A line about a list.
 */
export type ParsedList =
  | {
      id: unknown;
      line: Line;
      texts: Texts;
      error?: undefined;
    }
  | {
      id: unknown;
      line: Line;
      error: Error;
      texts?: undefined;
    };
/**
 * A line about a question.
 */
export type ParsedQuestion =
  | {
      id: unknown;
      line: Line;
      values: {
        [k: string]: string;
      };
      inputs: Texts;
      outputs: Texts | null;
      where: string | null;
      error?: undefined;
    }
  | {
      id: unknown;
      line: Line;
      error: Error;
      values?: undefined;
      inputs?: undefined;
      outputs?: undefined;
      where?: undefined;
    };
/**
 * A line about the parts of a rule.
 */
export type ParsedRule =
  | {
      id: unknown;
      line: Line;
      head: string;
      left: Side;
      both: boolean;
      right: Side;
      goals: Texts;
      error?: undefined;
    }
  | {
      id: unknown;
      line: Line;
      error: Error;
      head?: undefined;
      left?: undefined;
      both?: undefined;
      right?: undefined;
      goals?: undefined;
    };
/**
 * A part of a side of a rule.
 */
export type Term =
  | {
      kind: "call";
      text: string;
      name: string;
      op: string;
      attrs: {
        [k: string]: string;
      };
      args: Term[];
      type?: undefined;
    }
  | {
      kind: "leaf";
      text: string;
      name: string;
      op?: undefined;
      attrs?: undefined;
      args?: undefined;
      type?: undefined;
    }
  | {
      kind: "literal";
      text: string;
      name: string;
      type: string;
      op?: undefined;
      attrs?: undefined;
      args?: undefined;
    }
  | {
      kind: "none";
      text: string;
      name: string;
      op?: undefined;
      attrs?: undefined;
      args?: undefined;
      type?: undefined;
    };

export interface Answers {
  modelLine: ModelLine;
  graph: Graph;
  whyLine: WhyLine;
  diffLine: DiffLine;
  query: Query;
  catalog: Catalog;
  rule: Rule;
  find: Find;
  pair: Pair;
  program: Program;
  stablehlo: Stablehlo;
  parsedType: ParsedType;
  parsedList: ParsedList;
  parsedQuestion: ParsedQuestion;
  parsedRule: ParsedRule;
}
export interface TypesByName {
  [k: string]: Type;
}
export interface Condition {
  condition: string;
  names: Texts;
  under: Under[];
  demands: boolean;
  unless_empty?: boolean;
  node: Place | null;
  others: Place[];
  holds: Sizes;
  fails: Sizes;
  allowed?: {
    name: string;
    ranges: [number, number][];
    repeated: number;
    every: number | null;
  };
}
/**
 * A body in which a condition has to hold.
 */
export interface Under {
  node: Place;
  body: string;
  when: "is" | "each" | "first" | "later" | "member" | "sometimes";
  value: string | null;
  is: boolean | null;
  says: string | null;
}
export interface Place {
  name: string;
  op: string;
  index: number;
}
export interface Open {
  name: string;
  value: string;
  axis: number;
  node: Place | null;
  depends_on: Texts;
}
export interface Assumed {
  input: string;
  axis: number;
  name: string;
  how: "fixed" | "same" | "bound";
  assumes: string;
  requires: Texts;
  example: {
    [k: string]: number;
  };
}
export interface Untyped {
  name: string;
  op: string;
  index: number;
  why: string;
  missing: boolean;
  declared: string[];
}
export interface Problem {
  code: string;
  severity: "error" | "warning";
  message: string;
  node: string | null;
  op: string | null;
  index?: number | null;
  steps: Texts;
  help: Texts;
}
export interface Declared {
  name: string;
  declared: Type;
  found: Type;
  agreement: "same" | "says less" | "says more" | "says other" | "contradicted";
}
/**
 * Memory and multiplications.
 */
export interface Bytes {
  weights: Size;
  peak: {
    bytes: Size;
    node: Place;
    assumed_size: number | null;
  } | null;
  unknown: number;
  values: {
    [k: string]: Size;
  };
  multiply_adds: Size;
  nodes: {
    node: Place;
    multiply_adds: Size;
  }[];
}
/**
 * A node; attributes as texts, and null for a value that is left out.
 */
export interface NodeOfModel {
  name: string;
  op: string;
  index: number;
  attrs: {
    [k: string]: string;
  };
  inputs: (string | null)[];
  outputs: (string | null)[];
}
/**
 * A body of a node, or of the function that it calls. Values have the names that they have in `values`.
 */
export interface Body {
  name: string;
  op: string;
  index: number;
  body: string;
  function: boolean;
  inputs: (string | null)[];
  outputs: (string | null)[];
  nodes: NodeOfModel[];
}
/**
 * What a model says of itself.
 */
export interface Summary {
  producer: string | null;
  format: number | null;
  properties: [string, string][];
  versions: {
    [k: string]: number;
  };
  operators: {
    [k: string]: number;
  };
}
/**
 * The names of sizes: the dims of values that speak of each, and the number, start and end of its places in `conditions`. Behind a run dims are counted from the end; the run itself is null.
 */
export interface Spoken {
  [k: string]: {
    values: [string, number | null][];
    conditions: [number, number, number][];
  };
}
export interface Error {
  code: string;
  message: string;
  at: At;
}
export interface Step {
  value: string;
  axis?: number;
  element?: number;
  size: string;
  kind: "input" | "constant" | "made" | "handed_on" | "computed";
  nodes?: Place[];
  from?: Spot[];
  end?: Cause;
}
/**
 * A size of a value.
 */
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
/**
 * A line about a signature or an operator.
 */
export interface Query {
  id: unknown;
  line: Line;
  verdict: Verdict;
  answers: Answer[];
  complete: boolean;
  error: Error | null;
  why?: QueryWhy;
  also?: QueryWhy[];
}
export interface Answer {
  inputs: Types;
  outputs: Types;
  params?: Values;
  attrs?: Values;
  where: Texts;
}
export interface Values {
  [k: string]: Value;
}
/**
 * Why there is no answer.
 */
export interface QueryWhy {
  code: string;
  message: string;
  at: {
    source: string;
    start: number;
    end: number;
    line: number;
    column: number;
  } | null;
  core: Fact[];
  repairs: Repair[];
}
/**
 * A fact that was given, and the bytes that speak of it in the text of the signature or operator.
 */
export interface Fact {
  slot: string;
  axis: number | null;
  about: string;
  says: string;
  start: number | null;
  end: number | null;
}
/**
 * A type in a slot, or the value of an attribute or a parameter.
 */
export interface Repair {
  slot?: string;
  attr?: string;
  param?: string;
  type?: string;
  value?: Value;
  where?: Texts;
}
export interface Row {
  name: string;
  domain: string;
  since: number;
  signature: string | null;
  summary: string;
}
/**
 * A line about a rewrite rule.
 */
export interface Rule {
  id: unknown;
  line: Line;
  verdict: Verdict;
  counterexample: Case | null;
  needs: Texts | null;
  complete_up_to: {
    rank: number;
    dim: number | null;
  } | null;
  audit: "exact" | "too weak" | "too strong" | null;
  audit_up_to?: {
    rank: number;
    dim: number | null;
  };
  lost: Case | null;
  refines: {
    forward: boolean | null;
    backward: boolean | null;
  };
  why: string | null;
  repairs?: {
    right: string;
    needs: Texts;
  }[];
  values?: RuleValues;
  cost?: RuleCost;
  error: Error | null;
}
/**
 * Types of the leaves of a rule, and the types of both sides there: a text, or a list where a rule has several roots.
 */
export interface Case {
  attrs?: {
    [k: string]: string;
  };
  leaves: {
    [k: string]: string;
  };
  left: string | Texts;
  right: string | Texts | null;
  why: string | null;
}
/**
 * Whether both sides of a rule are the same numbers, where they have one type and its precondition holds.
 */
export interface RuleValues {
  verdict: "proved" | "tested" | "refuted" | "opaque";
  /**
   * For all, or up to this number of dims.
   */
  ranks: "all" | number | null;
  /**
   * The largest size that was tried; null if it is so of all.
   */
  sizes: number | null;
  instances: number;
  counterexample: Case | null;
  needs: Texts | null;
  loses: Case | null;
  why: string | null;
}
export interface RuleCost {
  leaves: {
    [k: string]: string;
  };
  elements: {
    left: Size;
    right: Size;
    cheaper: ("always" | "where" | "never" | "same") | null;
    where: string | null;
  };
  bytes: {
    left: Size;
    right: Size;
    cheaper: ("always" | "where" | "never" | "same") | null;
    where: string | null;
  };
  multiply_adds: {
    left: Size;
    right: Size;
    cheaper: ("always" | "where" | "never" | "same") | null;
    where: string | null;
  };
}
/**
 * A line about what makes one type of others, and what `find --json` prints, without `id` and `line`.
 */
export interface Find {
  id?: unknown;
  line?: Line;
  found: Found[];
  cut_off: Texts;
  error: Error | null;
}
/**
 * A call: each input is a type, or the call that it is made by.
 */
export interface Found {
  op: string;
  attrs: Values;
  inputs: (string | Found)[];
  cost?: {
    elements: Size;
    bytes: Size;
    multiply_adds: Size;
  };
}
/**
 * A line about two types.
 */
export interface Pair {
  id: unknown;
  line: Line;
  result:
    | boolean
    | ("depends" | "unknown")
    | null
    | {
        [k: string]: unknown;
      };
  error?: Error;
}
/**
 * What is wrong with a program, with a kind of error as Relay calls it.
 */
export interface ProgramWhy {
  code: string;
  kind:
    | "mismatch"
    | "occurs-check"
    | "incomplete"
    | "relation"
    | "projection"
    | "arity"
    | "not-function"
    | "kind"
    | "pattern-arity"
    | "non-exhaustive"
    | "scope"
    | "duplicate"
    | "parse"
    | "literal-range";
  message: string;
  at: Span | null;
  core: Span[];
  steps: Texts;
  repairs: Texts;
}
export interface Span {
  start: number;
  end: number;
  says: string;
}
export interface Side {
  text: string;
  terms: Term[];
}
