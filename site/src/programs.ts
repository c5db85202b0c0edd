/** Programs in Relay's text format: their types, what is wrong with them, and the type of each expression. */

import type { Program, ProgramReport, ProgramWhy } from "./api";
import { Asking } from "./asking";
import { announce, debounced, fill, h, prose, typed } from "./dom";
import type { Engine } from "./engine";
import { badge, codeLink, marked } from "./parts";
import { manual } from "./runs";
import { Steps } from "./steps";

const EXAMPLES: [string, string][] = [
  [
    "A dense layer with names",
    `def @main(%x: Tensor[(n, 10), float32], %w: Tensor[(5, 10), float32]) {
  let %y = nn.dense(%x, %w);
  nn.relu(%y)
}`,
  ],
  [
    "A function that is used at two types",
    `def @main(%a: Tensor[(3), float32], %b: Tensor[(n, 4), int32]) {
  let %twice = fn (%x) { add(%x, %x) };
  (%twice(%a), %twice(%b))
}`,
  ],
  [
    "A list, and a match that misses a case",
    `type List[A] {
  Cons(A, List[A]),
  Nil
}
def @head[A](%xs: List[A]) -> A {
  match (%xs) {
    Cons(%x, _) => %x
  }
}`,
  ],
  ["What does not fit", "def @main(%x: Tensor[(2, 3), float32], %y: Tensor[(4, 3), float32]) { add(%x, %y) }"],
  [
    "A gap: what goes there?",
    "def @main(%x: Tensor[(m, n), float32], %w: Tensor[(k, n), float32]) -> Tensor[(m, k), float32] { nn.matmul(%x, _) }",
  ],
];

export class Programs {
  readonly view = h("section", { class: "programs", "aria-label": "Programs" });
  private readonly text = h("textarea", { id: "program", class: "code", rows: "12", spellcheck: "false" });
  private readonly result = h("div", { class: "result", role: "region", "aria-label": "Types" });
  private readonly steps: Steps<string>;
  private readonly asking = new Asking(this.result, "programs");

  constructor(private readonly engine: Engine) {
    const soon = debounced(250, () => void this.check());
    this.text.value = EXAMPLES[0]?.[1] ?? "";
    this.steps = new Steps(this.text.value, (text) => this.again(text));
    this.steps.listen(this.view);
    this.text.addEventListener("input", () => {
      this.steps.put(this.text.value, true);
      soon();
    });
    const examples = h(
      "select",
      {
        "aria-label": "Examples of programs",
        onchange: (e: Event) => {
          const select = e.target as HTMLSelectElement;
          const one = EXAMPLES[Number(select.value)];
          select.value = "";
          if (one) this.replace(one[1]);
        },
      },
      h("option", { value: "" }, "Examples…"),
      EXAMPLES.map(([title], i) => h("option", { value: String(i) }, title)),
    );
    this.view.append(
      h("div", { class: "bar" }, examples, this.steps.buttons),
      h(
        "div",
        { class: "two" },
        h(
          "div",
          { class: "card" },
          h("label", { for: "program" }, "Program"),
          this.text,
          h(
            "p",
            { class: "hint" },
            "Functions, data types and operators of Relay; ",
            h("code", {}, "_"),
            " is a gap. ",
            h("a", { href: manual("programs") }, "How programs are written"),
          ),
        ),
        h("div", { class: "card" }, this.result),
      ),
    );
  }

  open(text: string | null): void {
    if (text && text !== this.text.value) this.replace(text);
    else void this.check();
  }

  /** Puts another program in place of this one; the old one can be brought back. */
  private replace(text: string): void {
    this.steps.put(text);
    this.again(text);
  }

  private again(text: string): void {
    this.text.value = text;
    void this.check();
  }

  private check(): Promise<void> {
    return this.asking.ask(
      async (wait) => {
        const program = this.text.value;
        const line = { program, expressions: true, timeout: 20 };
        const found = await wait(this.engine.ask<Program>(line, "program"));
        this.asking.isAt(`#/programs/${encodeURIComponent(program)}`);
        this.shown(program, found);
      },
      () => void this.check(),
    );
  }

  private shown(program: string, found: Program): void {
    if (found.error) {
      fill(
        this.result,
        h("div", { class: "verdict" }, badge("error"), codeLink(found.error.code)),
        h("p", { class: "message" }, prose(found.error.message)),
        marked(program, found.error.at),
      );
      announce(found.error.message);
      return;
    }
    const words = {
      always: "Well typed",
      depends: "Well typed under the conditions in its type",
      never: "Not well typed",
      unknown: "Not all of it is known",
    }[found.verdict];
    const problems = [...(found.why ? [found.why] : []), ...found.others];
    fill(
      this.result,
      h("div", { class: "verdict" }, badge(found.verdict), h("span", {}, words)),
      problems.map((one) => problem(one)),
      (found.expressions?.length ?? 0) === 0 && found.why && marked(program, found.why.at ?? null),
      found.warnings.map((one) => h("p", {}, badge("warning"), " ", one)),
      Object.keys(found.globals).length > 0 && [
        h("h2", { class: "small" }, "Types"),
        h(
          "ul",
          { class: "plain" },
          Object.entries(found.globals).map(([name, type]) =>
            h("li", { class: "code" }, h("b", {}, `@${name}`), " : ", typed(type)),
          ),
        ),
      ],
      found.holes.length > 0 && [
        h("h2", { class: "small" }, "Gaps"),
        h(
          "ul",
          { class: "plain" },
          found.holes.map((type) => h("li", { class: "code" }, "_ : ", typed(type))),
        ),
      ],
      (found.expressions?.length ?? 0) > 0 && [
        h("h2", { class: "small" }, "Each expression"),
        expressions(program, found),
      ],
    );
    announce(`${found.verdict}: ${words}`);
  }
}

function problem(one: ProgramWhy): HTMLElement {
  return h(
    "div",
    { class: "problem" },
    h("p", { class: "message" }, prose(one.message)),
    one.steps.map((step) => h("p", { class: "hint" }, prose(step))),
    one.repairs.length > 0 &&
      h(
        "ul",
        {},
        one.repairs.map((repair) => h("li", {}, prose(repair))),
      ),
    codeLink(one.code),
  );
}

/** The text with the type of what is pointed at, or has the focus; what is wrong is marked. */
function expressions(program: string, found: ProgramReport): HTMLElement {
  const place = places(program);
  const line = h(
    "p",
    { class: "code typeline", "aria-live": "polite" },
    "Point at an expression, or go to it with Tab.",
  );
  const say = (type: string): void => fill(line, typed(type));
  const wrong = found.why?.core ?? [];
  const spans = (found.expressions ?? [])
    .map((one) => ({ start: place(one.start), end: place(one.end), type: one.type }))
    .sort((a, b) => a.start - b.start || b.end - a.end);
  const root = h("pre", { class: "code typed", "aria-label": "The program with its types" });
  const open: { node: HTMLElement; end: number }[] = [{ node: root, end: program.length }];
  let at = 0;
  const upTo = (end: number): void => {
    const into = open[open.length - 1];
    if (into && end > at) into.node.append(program.slice(at, end));
    at = Math.max(at, end);
  };
  const close = (before: number): void => {
    for (let top = open[open.length - 1]; open.length > 1 && top && top.end <= before; top = open[open.length - 1]) {
      upTo(top.end);
      open.pop();
    }
  };
  for (const one of spans) {
    close(one.start);
    upTo(one.start);
    const isWrong = wrong.some((own) => place(own.start) === one.start && place(own.end) === one.end);
    const node = h(isWrong ? "mark" : "span", {
      class: "expression",
      tabindex: "0",
      title: one.type,
      "aria-description": one.type,
      onmouseover: (e: Event) => (e.stopPropagation(), say(one.type)),
      onfocus: () => say(one.type),
    });
    open[open.length - 1]?.node.append(node);
    open.push({ node, end: one.end });
  }
  close(program.length);
  upTo(program.length);
  return h("div", {}, root, line);
}

/** The engine counts bytes, and a text of the page is counted in units of 16 bits. */
function places(text: string): (byte: number) => number {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
  if (/^[\x00-\x7f]*$/.test(text)) return (byte) => byte;
  const encoder = new TextEncoder();
  const at: number[] = [];
  let unit = 0;
  for (const character of text) {
    for (let i = encoder.encode(character).length; i > 0; i--) at.push(unit);
    unit += character.length;
  }
  return (byte) => at[byte] ?? text.length;
}
