/** JSON whose whole numbers keep all of their digits: those that a number can't hold are a `bigint`. */

import type { Json } from "./api";

/** The text of a value; with each member on a line of its own, if there is a margin. */
export function written(value: Json | undefined, margin: string | null = null): string {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const inner = margin === null ? null : `${margin}  `;
  const colon = margin === null ? ":" : ": ";
  const [open, close, all] = Array.isArray(value)
    ? ["[", "]", value.map((one) => written(one, inner))]
    : [
        "{",
        "}",
        Object.entries(value).flatMap(([name, one]) =>
          one === undefined ? [] : [`${JSON.stringify(name)}${colon}${written(one, inner)}`],
        ),
      ];
  if (inner === null || all.length === 0) return `${open}${all.join(",")}${close}`;
  return `${open}\n${inner}${all.join(`,\n${inner}`)}\n${margin}${close}`;
}

/** A whole number of a text. */
export function whole(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

/** The strings and numbers of a text. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;
/** The name of what stands for a number whose digits are kept, until it is one. No object of the engine has it. */
const DIGITS = "\u0000digits";

/** The value of a text. */
export function read(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  // Not every browser says in which form a number was written.
  const marked = text.replace(TOKEN, (token) =>
    /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? JSON.stringify({ [DIGITS]: token }) : token,
  );
  return JSON.parse(marked, (_, value: unknown) =>
    typeof value === "object" && value !== null && DIGITS in value ? BigInt(String(value[DIGITS])) : value,
  );
}

/** An object of what a model has by names: it has these, and no `constructor` that nobody has named. */
export function named<T>(all: Record<string, T>): Record<string, T> {
  return Object.assign(Object.create(null) as Record<string, T>, all);
}
