/** A question of the lab as somebody else would ask it: on the command line, in Python, in Rust. */

import type { Json, Line } from "./api";
import { written } from "./exact";

type Values = [string, Json][];

/** The parts of a line of `batch`. */
interface Parts {
  name: string;
  isOperator: boolean;
  inputs: (string | null)[] | null;
  outputs: (string | null)[] | null;
  values: Values;
  where: string[];
  maxDim: string | null;
}

function parts(line: Line): Parts {
  const isOperator = typeof line.op === "string";
  const texts = (value: Json | undefined): (string | null)[] | null =>
    Array.isArray(value) ? value.map((one) => (typeof one === "string" ? one : null)) : null;
  const values = line[isOperator ? "attrs" : "params"];
  return {
    name: String(isOperator ? line.op : line.signature),
    isOperator,
    inputs: texts(line.inputs),
    outputs: texts(line.outputs),
    values: typeof values === "object" && values !== null && !Array.isArray(values) ? Object.entries(values) : [],
    where: (texts(line.where) ?? []).filter((one) => one !== null),
    maxDim: line.max_dim === undefined ? null : written(line.max_dim),
  };
}

/** A word of a shell's command. */
function word(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

export function asCommand(line: Line): string {
  const { name, isOperator, inputs, outputs, values, where, maxDim } = parts(line);
  const all = ["kanshape", "infer", name, ...(inputs ?? []).map((one) => one ?? "?")];
  for (const one of outputs ?? []) all.push("--output", one ?? "?");
  for (const [key, value] of values) all.push(isOperator ? "--attr" : "--param", `${key}=${commandValue(value)}`);
  for (const one of where) all.push("--where", one);
  if (maxDim !== null) all.push("--max-dim", maxDim);
  return all.map(word).join(" ");
}

/** A value as the command line reads one: a hole is `?`, a text stands as it is. */
function commandValue(value: Json): string {
  if (value === null) return "?";
  if (Array.isArray(value))
    return `[${value.map((one) => (typeof one === "string" ? JSON.stringify(one) : commandValue(one))).join(", ")}]`;
  return typeof value === "string" ? value : written(value);
}

/** A text in quotes, as Python and Rust read those of JSON but for what is beyond their common part. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

function pythonValue(value: Json): string {
  if (value === null) return "None";
  if (value === true) return "True";
  if (value === false) return "False";
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(", ")}]`;
  return typeof value === "string" ? quoted(value) : written(value);
}

export function asPython(line: Line): string {
  const { name, isOperator, inputs, outputs, values, where, maxDim } = parts(line);
  const all = [quoted(name)];
  const types = (of: (string | null)[]): string =>
    `[${of.map((one) => (one === null ? "None" : quoted(one))).join(", ")}]`;
  if (inputs) all.push(types(inputs));
  if (outputs) all.push(`${inputs ? "" : "outputs="}${types(outputs)}`);
  if (values.length > 0)
    all.push(
      `${isOperator ? "attrs" : "params"}={${values.map(([key, value]) => `${quoted(key)}: ${pythonValue(value)}`).join(", ")}}`,
    );
  if (where.length > 0) all.push(`where=[${where.map(quoted).join(", ")}]`);
  if (maxDim !== null) all.push(`max_dim=${maxDim}`);
  return `import kanshape as ks\n\nfor answer in ks.solve(${all.join(", ")}, limit=20):\n    print(answer)\n`;
}

function rustValue(value: Json): string {
  if (value === null) return "AttrValue::Hole";
  if (Array.isArray(value)) {
    // The members of a list are of one type in Rust.
    const mixed = value.some((one) => one === null || Array.isArray(one));
    return `[${value.map((one) => (mixed && one !== null && !Array.isArray(one) ? `AttrValue::from(${rustValue(one)})` : rustValue(one))).join(", ")}]`;
  }
  if (typeof value === "string") return rustText(value);
  return typeof value === "number" && !Number.isInteger(value) ? `${value}f64` : written(value);
}

function rustText(text: string): string {
  return quoted(text)
    .replace(/\\u([0-9a-f]{4})/gi, "\\u{$1}")
    .replaceAll("\\b", "\\u{8}")
    .replaceAll("\\f", "\\u{c}");
}

/** `mayLack` are the inputs that may be left out as well. */
export function asRust(line: Line, mayLack: number[] = []): string {
  const { name, isOperator, inputs, outputs, values, where, maxDim } = parts(line);
  const type = (text: string | null): string => (text === null ? "Type::UNKNOWN" : `${rustText(text)}.parse()?`);
  const steps: string[] = [];
  const more: string[] = [];
  let head: string;
  if (isOperator) {
    const operand = (text: string | null): string =>
      text === "-" ? "None" : `Some(${type(text === "?" ? null : text)})`;
    const list = (of: (string | null)[]): string => `[${of.map(operand).join(", ")}]`;
    const given = inputs ?? [];
    head = `let operator = catalog().operator(${rustText(name)}, None)?;\n    let call = operator.call::<Option<Type>>(${list(given)})`;
    if (mayLack.length > 0) steps.push(`.may_be_absent([${mayLack.join(", ")}])`);
    for (const [key, value] of values) steps.push(`.attr(${rustText(key)}, ${rustValue(value)})`);
    if (outputs) steps.push(`.outputs::<Option<Type>>(${list(outputs)})`);
    more.push("call.query()?");
  } else {
    head = `let signature: Signature = ${rustText(name)}.parse()?;\n    let query = signature.query()`;
    if (inputs) steps.push(`.inputs([${inputs.map(type).join(", ")}])`);
    if (outputs) steps.push(`.outputs([${outputs.map(type).join(", ")}])`);
    for (const [key, value] of values)
      if (value !== null)
        steps.push(
          `.param(${rustText(key)}, ${typeof value === "string" ? `${rustText(value)}.parse::<Dim>()?` : written(value)})`,
        );
    more.push("query");
  }
  for (const one of where) more.push(`.given(${rustText(one)}.parse()?)`);
  if (maxDim !== null) more.push(`.ground().max_dim(${maxDim})`);
  more.push(".limit(20)");
  const uses = steps.some((one) => one.includes("AttrValue")) ? "use kanshape::AttrValue;\n" : "";
  return `${uses}use kanshape::prelude::*;\n\nfn main() -> Result<(), Box<dyn std::error::Error>> {\n    ${head}${steps.map((one) => `\n        ${one}`).join("")};\n    for answer in ${more.join("")}.solve()? {\n        println!("{answer}");\n    }\n    Ok(())\n}\n`;
}

/** As a program sends it. */
export function asLine(line: Line): string {
  return written(line);
}
