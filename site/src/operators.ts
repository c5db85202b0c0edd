/** The names of operators, asked once, and which of them fit what is typed. */

import type { Operator, Row } from "./api";
import type { Engine } from "./engine";

let all: Promise<Row[]> | undefined;

export function operators(engine: Engine): Promise<Row[]> {
  all ??= engine.ask<{ operators: Row[] }>({ catalog: "" }).then(
    // What begins with `_` is of no interest by itself.
    ({ operators }) => [...operators].sort((a, b) => Number(a.name.startsWith("_")) - Number(b.name.startsWith("_"))),
    (error: unknown) => {
      // The next one tries it again.
      all = undefined;
      throw error;
    },
  );
  return all;
}

/** The rows in which each word is found, the best ones first. */
export function ranked(rows: Row[], text: string): Row[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return rows;
  const score = (row: Row): number => {
    const name = row.name.toLowerCase();
    const short = name.split("::").at(-1) ?? name;
    let sum = 0;
    for (const word of words) {
      if (short === word || name === word) sum += 8;
      else if (short.startsWith(word) || name.startsWith(word)) sum += 4;
      else if (name.includes(word)) sum += 2;
      else if (row.summary.toLowerCase().includes(word)) sum += 1;
      else return 0;
    }
    return sum;
  };
  const found = rows.map((row) => [score(row), row] as const).filter(([n]) => n > 0);
  return found.sort((a, b) => b[0] - a[0]).map(([, row]) => row);
}

/** The first paragraph of what is said of an operator. */
export function summary(operator: Operator): string {
  return operator.doc.split(/\n\s*\n/)[0]?.trim() ?? "";
}
