/** The text of a rewrite rule in its parts: what a repair puts in, and what is drawn. */

import { splitTop } from "./question";

export interface RuleParts {
  /** `rule NAME [attributes] (leaves):`, if it has one. */
  head: string;
  left: string;
  arrow: string;
  right: string;
  /** The goals behind `:-`. */
  goals: string;
}

/** The parts of a rule; none if it has no arrow. */
export function partsOf(text: string): RuleParts | null {
  const rule = text.replace(/#[^\n]*/g, (comment) => " ".repeat(comment.length));
  let depth = 0;
  let begin = 0;
  let arrow = -1;
  let end = text.length;
  const isNamed = /^\s*rule\s/.test(rule);
  for (let i = 0; i < rule.length; i++) {
    const c = rule[i] ?? "";
    if ("([{".includes(c)) depth++;
    else if (")]}".includes(c)) depth--;
    else if (depth > 0) continue;
    else if (rule.startsWith("=>", i) && arrow < 0) arrow = i;
    else if (rule.startsWith("::", i)) i++;
    else if (rule.startsWith(":-", i)) {
      end = i;
      break;
    } else if (c === ":" && isNamed && begin === 0) begin = i + 1;
  }
  if (arrow < 0) return null;
  const isBoth = rule[arrow - 1] === "<";
  return {
    head: text.slice(0, begin).trim(),
    left: rule.slice(begin, isBoth ? arrow - 1 : arrow).trim(),
    arrow: isBoth ? "<=>" : "=>",
    right: rule.slice(arrow + 2, end).trim(),
    goals: rule.slice(end + 2).trim(),
  };
}

/** A rule with another right side, and with goals beside its own. */
export function withRepair(text: string, right: string | null, needs: string[]): string {
  const parts = partsOf(text);
  if (!parts) return text;
  const goals = [...splitTop(parts.goals), ...needs].filter((one) => one !== "").join(", ");
  // Another right side is one for this direction.
  const arrow = right === null ? parts.arrow : "=>";
  const rule = `${parts.left} ${arrow} ${right ?? parts.right}${goals === "" ? "" : ` :- ${goals}`}`;
  return parts.head === "" ? rule : `${parts.head} ${rule}`;
}
