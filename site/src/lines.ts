/** A line of `batch` as it is: what a program sends, and what it gets. */

import type { Json, Line, Mistake, Verdict } from "./api";
import { Asking } from "./asking";
import { announce, debounced, fill, h, prose } from "./dom";
import type { Engine } from "./engine";
import { read, written } from "./exact";
import { badge, codeLink } from "./parts";
import { manual } from "./runs";
import { Steps } from "./steps";

const EXAMPLES: [string, Line][] = [
  ["A signature", { signature: "(m,n),(n,p)->(m,p)", inputs: ["f32[2,n]", null], outputs: ["f32[2,4]"] }],
  [
    "An operator whose attribute is open",
    { op: "onnx::Concat", inputs: ["f32[2,3]", "f32[2,n]"], outputs: ["f32[2,7]"], attrs: { axis: null } },
  ],
  [
    "A graph of operators",
    {
      graph: {
        inputs: { x: "f32[N,8]", w: "f32[8,4]" },
        nodes: [{ op: "onnx::MatMul", inputs: ["x", "w"], outputs: ["y"] }],
        outputs: ["y"],
      },
    },
  ],
  ["What two types have in common", { types: "meet", a: "f32[n, 3]", b: "f32[2, ?]" }],
  [
    "Which operator makes one type of another?",
    { find: { inputs: ["f32[N,3,H,W]"], output: "f32[N,H,W,3]", ops: ["Transpose", "Reshape"] } },
  ],
];

export class Lines {
  readonly view = h("section", { class: "lines", "aria-label": "Lines of batch" });
  private readonly text = h("textarea", { id: "line", class: "code", rows: "12", spellcheck: "false" });
  private readonly result = h("div", { class: "result", role: "region", "aria-label": "Answer" });
  private readonly steps: Steps<string>;
  private readonly asking = new Asking(this.result, "lines");

  constructor(private readonly engine: Engine) {
    const soon = debounced(250, () => void this.ask());
    this.text.value = JSON.stringify(EXAMPLES[0]?.[1], null, 2);
    this.steps = new Steps(this.text.value, (text) => this.again(text));
    this.steps.listen(this.view);
    this.text.addEventListener("input", () => {
      this.steps.put(this.text.value, true);
      soon();
    });
    const examples = h(
      "select",
      {
        "aria-label": "Examples of lines",
        onchange: (e: Event) => {
          const select = e.target as HTMLSelectElement;
          const one = EXAMPLES[Number(select.value)];
          select.value = "";
          if (one) this.replace(JSON.stringify(one[1], null, 2));
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
          h("label", { for: "line" }, "Line"),
          this.text,
          h(
            "p",
            { class: "hint" },
            "One line to a program; here it may be written on several. ",
            h("a", { href: `${manual("cli")}#batch-a-query-a-line` }, "What lines can have"),
          ),
        ),
        h("div", { class: "card" }, this.result),
      ),
    );
  }

  open(text: string | null): void {
    if (text === null || text === "") return void this.ask();
    try {
      this.replace(written(read(text) as Json, ""));
    } catch {
      // What is no JSON is answered as it is.
      this.replace(text);
    }
  }

  /** Puts another line in place of this one; the old one can be brought back. */
  private replace(text: string): void {
    if (text !== this.text.value) this.steps.put(text);
    this.again(text);
  }

  private again(text: string): void {
    this.text.value = text;
    void this.ask();
  }

  private ask(): Promise<void> {
    return this.asking.ask(
      async (wait) => {
        const line = this.text.value.replaceAll("\n", " ").trim();
        const text = await wait(this.engine.raw(line, "line"));
        this.asking.isAt(`#/lines/${encodeURIComponent(line)}`);
        this.shown(text);
      },
      () => void this.ask(),
    );
  }

  private shown(text: string): void {
    const found = read(text) as Line & { verdict?: Verdict; error?: Mistake | null };
    const error = found.error ?? null;
    if (error) this.text.setAttribute("aria-invalid", "true");
    else this.text.removeAttribute("aria-invalid");
    fill(
      this.result,
      h(
        "div",
        { class: "verdict" },
        error ? [badge("error"), codeLink(error.code)] : found.verdict && badge(found.verdict),
      ),
      error && h("p", { class: "message" }, prose(error.message)),
      h("pre", { class: "answered", tabindex: "0", "aria-label": "The line out" }, written(found, "")),
    );
    announce(error ? error.message : (found.verdict ?? "answered"));
  }
}
