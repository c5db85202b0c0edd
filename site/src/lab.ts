/** The signature lab: a question is typed, its answers appear. */

import type { Answer, Catalog, Fact, Line, Mistake, Operator, QueryWhy, Solved } from "./api";
import { Asking, type Wait } from "./asking";
import { Combobox } from "./combobox";
import { asCommand, asLine, asPython, asRust } from "./copyas";
import { announce, button, cutBytes, debounced, fill, h, prose, typed } from "./dom";
import type { Engine } from "./engine";
import { written } from "./exact";
import { GROUPS } from "./examples";
import { operators, ranked, summary } from "./operators";
import { badge, codeLink } from "./parts";
import type { Form, Question } from "./question";
import {
  fieldOf,
  formOfAnswer,
  formOfOperator,
  isName,
  isNatural,
  lineOf,
  PAGE,
  question,
  repaired,
  repairText,
  toHash,
} from "./question";
import { Steps } from "./steps";
import { listIn, typeIn } from "./texts";

type Underline = { start: number; end: number; says: string };
/** Where the dims are in what was typed, by the slots. */
type Dims = Map<string, { start: number; end: number }[]>;

export class Lab {
  readonly view = h("section", { class: "lab", "aria-label": "Signature lab" });
  private q: Question;
  private form: Form | null = null;
  private formOf = "";
  private readonly slots = h("div", { class: "slots" });
  private readonly result = h("div", { class: "result", role: "region", "aria-label": "Answers" });
  private readonly subject = h("input", {
    id: "subject",
    class: "code",
    spellcheck: "false",
    autocomplete: "off",
    autocapitalize: "off",
  });
  private readonly subjectMarks = h("div", { class: "marks" });
  /** What is said of the operator. */
  private readonly doc = h("div", { class: "hint operator-doc" });
  private operator: Operator | null = null;
  private readonly steps: Steps<Question>;
  private readonly fields = new Map<string, { input: HTMLInputElement; marks: HTMLElement }>();
  private readonly copied = h("span", { class: "hint" });
  private readonly asking = new Asking(this.result, "lab");
  private readonly soon = debounced(120, () => void this.solve());
  private shownHash = "";

  constructor(
    private readonly engine: Engine,
    first: Question | null,
  ) {
    this.q = first ?? GROUPS[0]?.examples[1]?.q ?? question("(m,n),(n,p)->(m,p)");
    this.steps = new Steps(this.q, (q) => this.again(q));
    this.subject.addEventListener("input", () => this.edit((q) => (q.subject = this.subject.value)));
    const choose = new Combobox(
      this.subject,
      "Operators",
      (text) => this.offered(text),
      (name) => this.edit((q) => (q.subject = name)),
    );
    const examples = h(
      "select",
      { "aria-label": "Examples", onchange: (e: Event) => this.example(e.target as HTMLSelectElement) },
      h("option", { value: "" }, "Examples…"),
      GROUPS.map((group, g) =>
        h(
          "optgroup",
          { label: group.title },
          group.examples.map((one, i) => h("option", { value: `${g} ${i}` }, one.title)),
        ),
      ),
    );
    this.view.append(
      h(
        "div",
        { class: "bar" },
        examples,
        this.steps.buttons,
        button("Copy link", () => void this.copy(), { class: "quiet" }),
        this.copyAs(),
        this.copied,
        button("Clear", () => this.replace(question(this.q.subject)), { class: "quiet" }),
      ),
      h(
        "div",
        { class: "two" },
        h(
          "div",
          { class: "ask card" },
          h("label", { for: "subject" }, "Signature or operator"),
          h("div", { class: "combobox" }, this.subject, choose.list),
          this.subjectMarks,
          h(
            "p",
            { class: "hint" },
            "Write ",
            h("code", {}, "(m,n),(n,p)->(m,p)"),
            " or a name such as ",
            h("code", {}, "onnx::Conv"),
            ". Any slot may be left open with ",
            h("code", {}, "?"),
            ".",
          ),
          this.doc,
          this.slots,
        ),
        h("div", { class: "card" }, this.result),
      ),
    );
    this.steps.listen(this.view);
    this.show();
  }

  /** Puts another question in place of this one; the old one can be brought back. */
  replace(q: Question): void {
    this.steps.put(q);
    this.again(q);
  }

  private again(q: Question): void {
    this.q = structuredClone(q);
    this.show();
  }

  /** The question of a link, unless it is the one that is shown. */
  open(q: Question, hash: string): void {
    if (hash !== this.shownHash) this.replace(q);
  }

  private example(select: HTMLSelectElement): void {
    const [group, example] = select.value.split(" ").map(Number);
    const one = GROUPS[group ?? -1]?.examples[example ?? -1];
    select.value = "";
    if (one) this.replace(one.q);
  }

  private edit(change: (q: Question) => void): void {
    change(this.q);
    this.q.limit = PAGE;
    this.steps.put(this.q, true);
    this.soon();
  }

  /** The operators that a beginning of a name may become. */
  private async offered(text: string): Promise<{ value: string; about: string }[]> {
    const word = text.trim();
    if (word.length < 2 || !isName(word)) return [];
    const found = ranked(await operators(this.engine), word).filter((row) =>
      row.name.toLowerCase().includes(word.toLowerCase()),
    );
    return found.some((row) => row.name === word) && found.length === 1
      ? []
      : found.map((row) => ({ value: row.name, about: row.summary || (row.signature ?? "") }));
  }

  private copy(): Promise<void> {
    return this.put(location.href.split("#")[0] + toHash(this.q), "The link");
  }

  private async put(text: string, what: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      announce(`${what} is copied`);
      this.copied.textContent = "Copied";
      setTimeout(() => (this.copied.textContent = ""), 4000);
    } catch {
      prompt(what, text);
    }
  }

  /** The question as somebody else asks it. */
  private copyAs(): HTMLElement {
    const forms = { command: asCommand, Python: asPython, Rust: asRust, "line of batch": asLine };
    const select = h(
      "select",
      { "aria-label": "Copy as" },
      h("option", { value: "" }, "Copy as…"),
      Object.keys(forms).map((name) => h("option", {}, name)),
    );
    select.addEventListener("change", () => {
      const form = Object.entries(forms).find(([name]) => name === select.value);
      select.value = "";
      if (!form) return;
      void this.asked(form[1], form[0]);
    });
    return select;
  }

  private async asked(write: (line: Line, mayLack: number[]) => string, name: string): Promise<void> {
    const { limit: _, ...line } = lineOf(this.q, this.form);
    // Elsewhere each condition is one by itself.
    const { texts } = await listIn(this.engine, this.q.where);
    if (texts.length > 0) line.where = texts;
    const mayLack: number[] = [];
    if (write === asRust && Array.isArray(line.inputs)) {
      const operands = line.inputs.map((one) => (typeof one === "string" ? typeIn(this.engine, one) : null));
      for (const [i, operand] of (await Promise.all(operands)).entries()) {
        if (!operand?.may_be_absent) continue;
        mayLack.push(i);
        line.inputs[i] = operand.type;
      }
    }
    await this.put(write(line, mayLack), `The question as ${name}`);
  }

  private show(): void {
    this.subject.value = this.q.subject;
    for (const [key, { input }] of this.fields) input.value = this.textOf(key);
    void this.solve();
  }

  private textOf(key: string): string {
    const [side, at = ""] = key.split(/:(.*)/s);
    if (side === "inputs" || side === "outputs") return this.q[side][Number(at)] ?? "";
    if (side === "attrs") return this.q.attrs[at] ?? "";
    return side === "where" ? this.q.where : this.q.maxDim;
  }

  /** Finds out which slots the subject has. */
  private async shape(): Promise<Mistake | null> {
    const { subject } = this.q;
    if (subject === this.formOf && this.form) return null;
    this.operator = null;
    if (isName(subject)) {
      const operator = await this.engine.ask<Catalog>({ catalog: subject.trim() }, "lab");
      if (operator.error) return operator.error;
      if (!operator.rule)
        return { code: "K0318", message: `\`${subject.trim()}\` is a domain of operators; name one of them`, at: null };
      this.form = formOfOperator(operator);
      this.operator = operator;
    } else {
      const solved = await this.engine.ask<Solved>({ signature: subject, limit: 1 }, "lab");
      if (solved.error) return solved.error;
      this.form = formOfAnswer(solved);
    }
    this.formOf = subject;
    return null;
  }

  private solve(): Promise<void> {
    return this.asking.ask(
      (wait) => this.solved(wait),
      () => void this.solve(),
    );
  }

  private async solved(wait: Wait): Promise<void> {
    const wrong = await wait(this.shape());
    this.about();
    this.rows();
    this.clearMarks();
    if (wrong) {
      this.mistake(wrong);
      return;
    }
    if (this.q.maxDim.trim() !== "" && !isNatural(this.q.maxDim)) {
      this.noNumber();
      return;
    }
    const solved = await wait(this.engine.ask<Solved>(lineOf(this.q, this.form), "lab"));
    this.shownHash = toHash(this.q);
    this.asking.isAt(this.shownHash);
    this.answered(solved, await wait(this.dims(solved.why)));
  }

  /** Where the dims are that facts speak of. */
  private async dims(why: QueryWhy | undefined): Promise<Dims> {
    const found: Dims = new Map();
    for (const { slot, about, axis } of why?.core ?? []) {
      const field = fieldOf(slot);
      if (about !== "dim" || axis === null || found.has(slot) || !field) continue;
      found.set(slot, (await typeIn(this.engine, this.textOf(`${field.side}:${field.at}`)))?.dims ?? []);
    }
    return found;
  }

  /** What the operator is for. */
  private about(): void {
    const { operator } = this;
    if (!operator) fill(this.doc);
    else
      fill(
        this.doc,
        prose(summary(operator)),
        " ",
        h("a", { href: `#/catalog/${encodeURIComponent(operator.name)}` }, "its rule"),
      );
  }

  /** A row for each slot; those that are there stay. */
  private rows(): void {
    const form = this.form;
    if (!form) return;
    const rows: { key: string; label: string; hint: string }[] = [];
    const side = (what: "inputs" | "outputs", all: Form["inputs"]): void => {
      const count = Math.max(all.length, all.at(-1)?.variadic ? Math.max(this.q[what].length, 2) : 0);
      for (let i = 0; i < count; i++) {
        const formal = all[Math.min(i, all.length - 1)];
        if (!formal) continue;
        const number = formal.variadic ? ` ${i - all.length + 1}` : "";
        const role = what === "inputs" ? "input" : "output";
        const label = formal.name.startsWith(role) ? formal.name : `${role} ${formal.name}`;
        rows.push({ key: `${what}:${i}`, label: label + number, hint: formal.optional ? "? or left out" : "?" });
      }
    };
    side("inputs", form.inputs);
    side("outputs", form.outputs);
    for (const a of form.attrs) rows.push({ key: `attrs:${a.name}`, label: `${a.name}: ${a.kind}`, hint: a.hint });
    rows.push({ key: "where:", label: "where", hint: "n >= 3, n <= 5" });
    rows.push({ key: "max:", label: "numbers up to", hint: "sizes may be names" });
    const key = JSON.stringify(rows);
    if (this.slots.dataset.key === key) return;
    this.slots.dataset.key = key;
    this.fields.clear();
    const row = ({ key, label, hint }: (typeof rows)[number]) => {
      const id = `slot-${key}`;
      const input = h("input", {
        id,
        class: "code",
        placeholder: hint,
        spellcheck: "false",
        autocomplete: "off",
        autocapitalize: "off",
        value: this.textOf(key),
      });
      input.addEventListener("input", () => this.edit((q) => this.write(q, key, input.value)));
      const marks = h("div", { class: "marks" });
      this.fields.set(key, { input, marks });
      return h("div", { class: "slot" }, h("label", { for: id }, label), h("div", {}, input, marks));
    };
    const attrs = rows.filter((one) => one.key.startsWith("attrs:"));
    const many = attrs.length > 4;
    fill(
      this.slots,
      rows.filter((one) => /^(inputs|outputs):/.test(one.key)).map(row),
      attrs.length > 0 &&
        h(
          "details",
          { open: !many || attrs.some((a) => this.textOf(a.key) !== "") },
          h("summary", {}, isName(this.q.subject) ? `attributes (${attrs.length})` : "parameters"),
          attrs.map(row),
        ),
      h(
        "details",
        { open: this.q.where !== "" || this.q.maxDim !== "" },
        h("summary", {}, "conditions and limits"),
        rows.filter((one) => /^(where|max):/.test(one.key)).map(row),
      ),
    );
  }

  private write(q: Question, key: string, text: string): void {
    const [side, at = ""] = key.split(/:(.*)/s);
    if (side === "inputs" || side === "outputs") {
      for (let i = 0; i < Number(at); i++) q[side][i] ??= "";
      q[side][Number(at)] = text;
    } else if (side === "attrs") q.attrs[at] = text;
    else if (side === "where") q.where = text;
    else q.maxDim = text;
  }

  private clearMarks(): void {
    fill(this.subjectMarks);
    this.subject.removeAttribute("aria-invalid");
    for (const { input, marks } of this.fields.values()) {
      fill(marks);
      input.removeAttribute("aria-invalid");
    }
  }

  /** Underlines places of a field, and says beside them what is there. */
  private mark(slot: string, places: Underline[], whole: string): boolean {
    const field = fieldOf(slot);
    if (!field) return false;
    const key = field.side === "where" ? "where:" : `${field.side}:${field.at}`;
    const own = field.side === "subject" ? { input: this.subject, marks: this.subjectMarks } : this.fields.get(key);
    if (!own) return false;
    if (field.side !== "subject" || whole !== "") own.input.setAttribute("aria-invalid", "true");
    const text = own.input.value;
    for (const { start, end, says } of places) {
      const [before, at, after] = cutBytes(text, start, end);
      own.marks.append(
        h(
          "div",
          { class: "mark" },
          h("code", {}, before, h("mark", {}, at === "" ? " " : at), after),
          says && h("span", { class: "says" }, prose(says)),
        ),
      );
    }
    if (places.length === 0) own.marks.append(h("div", { class: "mark" }, h("span", { class: "says" }, prose(whole))));
    return true;
  }

  private mistake(error: Mistake): void {
    const at = error.at;
    if (at) {
      const places = at.start === null || at.end === null ? [] : [{ start: at.start, end: at.end, says: "" }];
      this.mark(at.field, places, "here");
    }
    fill(
      this.result,
      h("div", { class: "verdict" }, badge("error"), codeLink(error.code)),
      h("p", { class: "message" }, prose(error.message)),
    );
    announce(error.message);
  }

  /** What stands for the largest number is none. */
  private noNumber(): void {
    const field = this.fields.get("max:");
    const says = "numbers go up to a natural number, such as 8";
    field?.input.setAttribute("aria-invalid", "true");
    if (field) fill(field.marks, h("div", { class: "mark" }, h("span", { class: "says" }, says)));
    const box = field?.input.closest("details");
    if (box) box.open = true;
    fill(this.result, h("div", { class: "verdict" }, badge("error")), h("p", { class: "message" }, says));
    announce(says);
  }

  private answered(solved: Solved, dims: Dims): void {
    if (solved.error) {
      this.mistake(solved.error);
      return;
    }
    const { verdict, answers, complete, why } = solved;
    const count = answers.length;
    const many = complete
      ? count === 1
        ? "the only answer"
        : `all ${count} answers`
      : `${count} answers, there may be more`;
    const message = why ? why.message : count === 0 ? "no answer was found" : many;
    fill(
      this.result,
      h("div", { class: "verdict" }, badge(verdict), h("span", {}, prose(message))),
      why && this.reason(why, dims),
      answers.length > 0 &&
        h(
          "ol",
          { class: "answers" },
          answers.map((answer) => h("li", {}, this.line(answer))),
        ),
      !complete &&
        count >= this.q.limit &&
        button("Next ten", () => {
          this.q.limit += PAGE;
          void this.solve();
        }),
    );
    announce(`${verdict}: ${message}`);
  }

  private line(answer: Answer): HTMLElement {
    const values = Object.entries(answer.attrs ?? answer.params ?? {});
    const parts: (Node | string)[] = [];
    if (values.length > 0) {
      parts.push("[");
      values.forEach(([name, value], i) => {
        parts.push(
          i > 0 ? ", " : "",
          h("span", { class: "t-attr" }, name),
          " = ",
          typed(typeof value === "string" ? value : written(value)),
        );
      });
      parts.push("] ");
    }
    const row = (all: string[]): void => {
      for (const [i, ty] of all.entries()) parts.push(i > 0 ? ", " : "", typed(ty));
    };
    row(answer.inputs);
    parts.push(h("span", { class: "t-word" }, " → "));
    row(answer.outputs);
    const line = h("div", { class: "answer code" }, parts);
    if (answer.where.length === 0) return line;
    return h(
      "div",
      {},
      line,
      h(
        "ul",
        { class: "where" },
        answer.where.map((one) => h("li", { class: "code" }, h("span", { class: "t-word" }, "where "), typed(one))),
      ),
    );
  }

  private reason(why: QueryWhy, dims: Dims): HTMLElement {
    const bySlot = new Map<string, Fact[]>();
    for (const fact of why.core) bySlot.set(fact.slot, [...(bySlot.get(fact.slot) ?? []), fact]);
    for (const [slot, facts] of bySlot) {
      const places = facts.flatMap((f) => {
        const found = f.about !== "dim" || f.axis === null ? undefined : dims.get(slot)?.[f.axis];
        return found ? [{ ...found, says: f.says }] : [];
      });
      this.mark(slot, places, facts.map((f) => f.says).join("; "));
    }
    // The engine's places are those of the signature.
    if (!isName(this.q.subject)) {
      const seen = new Set<string>();
      const places = why.core.flatMap(({ start, end, slot }) => {
        if (start === null || end === null || seen.has(`${start} ${end}`)) return [];
        seen.add(`${start} ${end}`);
        return [{ start, end, says: slot.replace(/s\[(\d+)\]$/, " $1") }];
      });
      if (places.length > 0) this.mark("signature", places, "");
    }
    return h(
      "div",
      { class: "why" },
      why.core.length > 0 &&
        h(
          "ul",
          {},
          why.core.map((fact) =>
            h(
              "li",
              {},
              h("b", {}, fact.slot.replace(/s\[(\d+)\]$/, " $1")),
              fact.axis === null ? "" : `, dim ${fact.axis}`,
              ": ",
              prose(fact.says),
            ),
          ),
        ),
      why.repairs.length > 0 && h("h2", { class: "small" }, "It would hold with one of these"),
      h(
        "div",
        { class: "repairs" },
        why.repairs.map((repair) =>
          button(h("span", { class: "code" }, repairText(repair)), () => this.replace(repaired(this.q, repair)), {
            class: "repair",
          }),
        ),
      ),
      codeLink(why.code),
    );
  }
}
