/** What is known of a module of StableHLO, shown. */

import type { ModuleReport, Stablehlo } from "./api";
import { h, prose, typed } from "./dom";
import { badge, codeLink, marked } from "./parts";

/** So much of a text is shown. */
const SHOWN = 200_000;

export function moduleView(name: string, text: string, found: Stablehlo): HTMLElement {
  const types = (title: string, all: string[]) =>
    h(
      "div",
      { class: "card" },
      h("h2", {}, title),
      all.length === 0
        ? h("p", { class: "hint" }, "none")
        : h(
            "ol",
            { class: "code", start: "0" },
            all.map((type) => h("li", {}, typed(type))),
          ),
    );
  if (found.error)
    return h(
      "div",
      { class: "card" },
      h("div", { class: "verdict" }, badge("error"), codeLink(found.error.code)),
      h("p", { class: "message" }, prose(found.error.message)),
    );
  const problem = (one: ModuleReport["problems"][number]) =>
    h(
      "li",
      {},
      badge(one.severity === "error" ? "error" : "warning"),
      " ",
      prose(one.message),
      one.steps.length > 0 &&
        h(
          "ul",
          {},
          one.steps.map((step) => h("li", {}, prose(step))),
        ),
      marked(text, one.at),
      codeLink(one.code),
    );
  return h(
    "div",
    { class: "module" },
    h("div", { class: "verdict" }, badge(found.verdict), h("b", {}, name)),
    h("div", { class: "ports" }, types("Arguments", found.inputs), types("Results", found.outputs)),
    found.where.length > 0 &&
      h(
        "div",
        { class: "card conditions" },
        h("h2", {}, "What must hold"),
        h(
          "ul",
          {},
          found.where.map((one) => h("li", { class: "code" }, typed(one))),
        ),
      ),
    found.problems.length > 0 &&
      h(
        "div",
        { class: "card problems" },
        h("h2", {}, `${found.problems.length} problem${found.problems.length === 1 ? "" : "s"}`),
        h("ul", {}, found.problems.slice(0, 100).map(problem)),
      ),
    h(
      "details",
      { class: "card" },
      h("summary", {}, h("h2", {}, "Text")),
      h("pre", { class: "code", tabindex: "0" }, text.slice(0, SHOWN), text.length > SHOWN ? "\n…" : ""),
    ),
  );
}
