// The types of what the engine answers, from the JSON schema: `node build/types.mjs` writes them into `src/schema.ts`.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { compile } from "json-schema-to-typescript";

const SITE = join(import.meta.dirname, "..");
const FILE = join(SITE, "src/schema.ts");
const HEAD = "/** What the engine answers. Made from `docs/schema.json` by `npm run types`: change that. */\n\n";
/** What the page asks for. */
const USED = [
  "modelLine",
  "graph",
  "whyLine",
  "diffLine",
  "query",
  "catalog",
  "rule",
  "find",
  "pair",
  "program",
  "stablehlo",
  "parsedType",
  "parsedList",
  "parsedQuestion",
  "parsedRule",
];

/** What may be beyond 2^53, and then is a `bigint` in the page. */
const LARGE = new Set(["dim", "size", "sizes", "content", "value"]);

/** A schema as the page meets it. */
function met(schema, isLarge) {
  if (Array.isArray(schema)) return schema.map((one) => met(one, isLarge));
  if (typeof schema !== "object" || schema === null) return schema;
  if (isLarge && (schema.type === "integer" || schema.type === "number")) return { tsType: "number | bigint" };
  const { prefixItems, ...rest } = schema;
  // What writes the types knows a list of given members by the older word.
  const own = prefixItems ? { ...rest, items: prefixItems } : rest;
  const all = Object.fromEntries(Object.entries(own).map(([key, one]) => [key, met(one, isLarge)]));
  if (Array.isArray(all.anyOf)) all.anyOf = told(all.anyOf);
  return all;
}

/** Of several objects each has the members of the others as ones that are not there, so that they are told apart by what they have. */
function told(all) {
  const names = new Set(all.flatMap((one) => Object.keys(one.properties ?? {})));
  return all.map((one) => {
    if (!one.properties) return one;
    const rest = [...names].filter((name) => !(name in one.properties));
    const absent = Object.fromEntries(rest.map((name) => [name, { tsType: "undefined" }]));
    return { ...one, properties: { ...one.properties, ...absent } };
  });
}

/** The text of the module. */
export async function types() {
  const { $defs: own } = JSON.parse(readFileSync(join(SITE, "../docs/schema.json"), "utf8"));
  const $defs = Object.fromEntries(Object.entries(own).map(([name, one]) => [name, met(one, LARGE.has(name))]));
  // The page asks for types as texts, and beside them for those of a model's values as data: one object, whatever it is.
  $defs.type = { type: "string" };
  $defs.other.anyOf.push($defs.tensor);
  $defs.other.anyOf = told($defs.other.anyOf);
  for (const one of $defs.other.anyOf)
    for (const list of ["tuple", "parts"])
      if (one.properties[list]?.$ref) one.properties[list] = { type: "array", items: { $ref: "#/$defs/other" } };
  const data = { type: "object", additionalProperties: { $ref: "#/$defs/other" } };
  for (const one of $defs.modelLine.anyOf) if (one.properties.types?.$ref) one.properties.types = data;
  const schema = {
    type: "object",
    properties: Object.fromEntries(USED.map((name) => [name, { $ref: `#/$defs/${name}` }])),
    required: USED,
    additionalProperties: false,
    $defs,
  };
  const options = { bannerComment: "", style: { printWidth: 120 }, ignoreMinAndMaxItems: false };
  const made = await compile(schema, "Answers", options);
  return `${HEAD}${made}`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) writeFileSync(FILE, await types());
