/** A question of the lab: what is typed, and the line that it makes. */

import type { Json, Line, Operator, Repair, Solved } from "./api";
import { read, whole, written } from "./exact";

export interface Question {
  subject: string;
  inputs: string[];
  outputs: string[];
  /** Attributes of an operator, or parameters of a signature. */
  attrs: Record<string, string>;
  where: string;
  maxDim: string;
  limit: number;
}

export const PAGE = 10;

export function question(subject: string, given: Partial<Question> = {}): Question {
  return { subject, inputs: [], outputs: [], attrs: {}, where: "", maxDim: "", limit: PAGE, ...given };
}

/** Is this the name of an operator, and no signature? */
export function isName(subject: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_.:-]*$/.test(subject.trim());
}

/** What a question can have: its slots. */
export interface Form {
  inputs: { name: string; optional: boolean; variadic: boolean }[];
  outputs: { name: string; optional: boolean; variadic: boolean }[];
  attrs: { name: string; kind: string; hint: string }[];
}

export function formOfOperator(operator: Operator): Form {
  return {
    inputs: operator.inputs,
    outputs: operator.outputs,
    attrs: operator.attributes.map((a) => ({
      name: a.name,
      kind: a.kind,
      hint: a.default ?? (a.optional ? "not given" : "must be given, or ? queries it"),
    })),
  };
}

/** The slots of a signature, from an answer to it with nothing given. */
export function formOfAnswer(solved: Solved): Form | null {
  const [first] = solved.answers;
  if (!first) return null;
  const slot = (what: string, all: string[]) =>
    all.map((_, i) => ({ name: all.length === 1 ? what : `${what} ${i}`, optional: false, variadic: false }));
  const params = Object.keys(first.params ?? {});
  return {
    inputs: slot("input", first.inputs),
    outputs: slot("output", first.outputs),
    attrs: params.map((name) => ({ name, kind: "size", hint: "open" })),
  };
}

/** The line of a question. Slots at the end that nobody has filled are not given. */
export function lineOf(q: Question, form: Form | null): Line {
  const named = isName(q.subject);
  const line: Line = named ? { op: q.subject.trim() } : { signature: q.subject };
  const slots = (texts: string[], all: Form["inputs"] | undefined): Json[] | null => {
    const given = texts.map((text) => text.trim());
    const isOpen = (text: string) => text === "" || text === "?";
    if (named) {
      let last = given.length;
      while (last > 0 && (given[last - 1] ?? "") === "") last--;
      if (last === 0) return null;
      // An operand that there must be is open where nothing is given for it.
      const needed = (all ?? []).reduce((most, one, i) => (one.optional || one.variadic ? most : i + 1), 0);
      return Array.from({ length: Math.max(last, needed) }, (_, i) => given[i] ?? "").map((text, i) =>
        text === "" && all?.[i]?.optional ? "-" : isOpen(text) ? null : text,
      );
    }
    if (given.every((text) => text === "")) return null;
    const count = all?.length ?? given.length;
    return Array.from({ length: count }, (_, i) => (isOpen(given[i] ?? "") ? null : (given[i] ?? "")));
  };
  const inputs = slots(q.inputs, form?.inputs);
  const outputs = slots(q.outputs, form?.outputs);
  if (inputs) line.inputs = inputs;
  if (outputs) line.outputs = outputs;
  const values: Line = {};
  for (const [name, text] of Object.entries(q.attrs)) {
    if (text.trim() === "") continue;
    values[name] = valueIn(text.trim());
  }
  if (Object.keys(values).length > 0) line[named ? "attrs" : "params"] = values;
  if (q.where.trim() !== "") line.where = [q.where];
  if (isNatural(q.maxDim)) line.max_dim = whole(q.maxDim.trim());
  line.limit = q.limit;
  return line;
}

/** Is it a natural number, as `numbers up to` has one? */
export function isNatural(text: string): boolean {
  return /^\d+$/.test(text.trim());
}

/** The value of an attribute as it is typed: `?` is open, JSON is what it says, and all else is a text, which the engine reads. */
export function valueIn(text: string): Json {
  if (text === "?") return null;
  try {
    return read(text) as Json;
  } catch {
    return text;
  }
}

/** A slot of the engine, `inputs[1]`, as a field of the question. */
export function fieldOf(
  slot: string,
): { side: "inputs" | "outputs" | "attrs" | "subject" | "where"; at: number | string } | null {
  const operand = /^(inputs?|outputs?)(?:\[| )(\d+)\]?$/.exec(slot);
  if (operand) return { side: operand[1]?.startsWith("in") ? "inputs" : "outputs", at: Number(operand[2]) };
  if (slot === "input" || slot === "output") return { side: `${slot}s`, at: 0 };
  const value = /^(?:attrs|params|attr|param)[. ](.+)$/.exec(slot);
  if (value) return { side: "attrs", at: value[1] ?? "" };
  if (slot === "signature" || slot === "op" || slot === "catalog") return { side: "subject", at: 0 };
  if (slot.startsWith("where")) return { side: "where", at: 0 };
  return null;
}

/** The question with a repair in it. */
export function repaired(q: Question, repair: Repair): Question {
  const next = structuredClone(q);
  const name = repair.attr ?? repair.param;
  if (name !== undefined) {
    const value = repair.value ?? null;
    next.attrs[name] = value === "-" ? "" : typeof value === "string" ? value : written(value);
  } else if (repair.slot !== undefined) {
    const field = fieldOf(repair.slot);
    if (field && (field.side === "inputs" || field.side === "outputs")) {
      next[field.side][Number(field.at)] = repair.type ?? "?";
      for (let i = 0; i < Number(field.at); i++) next[field.side][i] ??= "";
    }
  }
  if (repair.where && repair.where.length > 0) {
    next.where = [q.where.trim(), ...repair.where].filter((one) => one !== "").join(", ");
  }
  return next;
}

/** What a repair does, in words. */
export function repairText(repair: Repair): string {
  const name = repair.attr ?? repair.param;
  const behind = repair.where?.length ? ` where ${repair.where.join(", ")}` : "";
  if (name !== undefined) {
    return repair.value === "-"
      ? `leave out ${name}`
      : `${name} = ${typeof repair.value === "string" ? repair.value : written(repair.value ?? null)}${behind}`;
  }
  const slot = (repair.slot ?? "").replace(/s\[(\d+)\]$/, " $1");
  return `${slot}: ${repair.type ?? "?"}${behind}`;
}

/** A link that holds the whole question, and back. */
export function toHash(q: Question): string {
  const short: Record<string, unknown> = { s: q.subject };
  const filled = (all: string[]) => all.some((text) => text !== "");
  if (filled(q.inputs)) short.i = q.inputs;
  if (filled(q.outputs)) short.o = q.outputs;
  if (Object.values(q.attrs).some((text) => text !== "")) short.a = q.attrs;
  if (q.where) short.w = q.where;
  if (q.maxDim) short.m = q.maxDim;
  return `#/lab/${encodeURIComponent(JSON.stringify(short))}`;
}

export function fromHash(text: string): Question | null {
  try {
    const short = JSON.parse(decodeURIComponent(text)) as Record<string, unknown>;
    const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
    const attrs: Record<string, string> = {};
    for (const [name, value] of Object.entries((short.a ?? {}) as Record<string, unknown>)) attrs[name] = String(value);
    return question(String(short.s ?? ""), {
      inputs: texts(short.i),
      outputs: texts(short.o),
      attrs,
      where: String(short.w ?? ""),
      maxDim: String(short.m ?? ""),
    });
  } catch {
    return null;
  }
}
