/** A rewrite rule with a repair put in. */

import type { RuleParts } from "./texts";

/** A rule with another right side, and with goals beside its own. */
export function withRepair(parts: RuleParts, right: string | null, needs: string[]): string {
  const goals = [...parts.goals, ...needs].join(", ");
  // Another right side is one for this direction.
  const arrow = parts.both && right === null ? "<=>" : "=>";
  const rule = `${parts.left.text} ${arrow} ${right ?? parts.right.text}${goals === "" ? "" : ` :- ${goals}`}`;
  return parts.head === "" ? rule : `${parts.head} ${rule}`;
}
