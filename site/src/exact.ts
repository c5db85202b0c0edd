/** JSON whose whole numbers keep all of their digits: those that a number can't hold are a `bigint`. */

import type { Json } from "./api";

/** The text of a value. */
export function written(value: Json): string {
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return `[${value.map(written).join(",")}]`;
  if (typeof value === "object" && value !== null) return `{${Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}:${written(one)}`).join(",")}}`;
  return JSON.stringify(value);
}

/** A whole number of a text. */
export function whole(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

type Context = { source?: string };

/** The value of a text. */
export function read(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  const revive = (_: string, value: unknown, context?: Context): unknown =>
    typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? "") ? BigInt(context?.source ?? "0") : value;
  return JSON.parse(text, revive as (key: string, value: unknown) => unknown);
}
