/** What texts are made of, as the engine reads them: nothing is read here. */

import type { Asker, ParsedList, ParsedQuestion, ParsedRule, ParsedType } from "./api";

/** The members of a text with commas between them; what is wrong, if it is none. */
export async function listIn(asker: Asker, text: string): Promise<{ texts: string[]; wrong: string | null }> {
  if (text.trim() === "") return { texts: [], wrong: null };
  const found = await asker.ask<ParsedList>({ parse: text, as: "list" });
  return found.error ? { texts: [], wrong: "its brackets don't fit together" } : { texts: found.texts, wrong: null };
}

/** A type, whether it is one of an operand that may be left out as well, and where its dims are, in bytes; none if it can't be read. */
export async function typeIn(asker: Asker, text: string): Promise<Exclude<ParsedType, { error: object }> | null> {
  const found = await asker.ask<ParsedType>({ parse: text, as: "type" });
  return found.error ? null : found;
}

/** The parts of `[a = 1] inputs -> outputs where conditions`; none if it can't be read. */
export async function questionIn(
  asker: Asker,
  text: string,
): Promise<Exclude<ParsedQuestion, { error: object }> | null> {
  const found = await asker.ask<ParsedQuestion>({ parse: text, as: "question" });
  return found.error ? null : found;
}

export type RuleParts = Exclude<ParsedRule, { error: object }>;

/** The parts of a rule, with values in place of the variables of its attributes; none if it can't be read. */
export async function ruleIn(
  asker: Asker,
  text: string,
  attrs: Record<string, string> = {},
): Promise<RuleParts | null> {
  const found = await asker.ask<ParsedRule>({ parse: text, as: "rule", attrs });
  return found.error ? null : found;
}
