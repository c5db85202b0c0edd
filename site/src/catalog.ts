/** The catalog: every operator, its rule, and which of them makes this of that. */

import type { Find, Catalog as Listed, Operator, Pair, Row, Solved } from "./api";
import { Asking, type Wait } from "./asking";
import { button, debounced, fill, h, prose, typed } from "./dom";
import type { Engine } from "./engine";
import { written } from "./exact";
import { operators, ranked } from "./operators";
import { badge } from "./parts";
import { question, toHash } from "./question";
import { listIn, questionIn } from "./texts";

const SHOWN = 200;

interface Call {
  inputs: string[];
  outputs: (string | null)[];
  attrs: Record<string, string>;
}

export class Catalog {
  readonly view = h("section", { class: "catalog", "aria-label": "Catalog" });
  private all: Row[] = [];
  private readonly list = h("ul", { class: "rows" });
  private readonly found = h("p", { class: "hint", role: "status" });
  private readonly detail = h("div", {
    class: "card detail",
    role: "region",
    "aria-label": "Operator",
    tabindex: "-1",
  });
  private readonly search = h("input", {
    id: "search",
    type: "search",
    placeholder: "Conv, attention, softmax…",
    autocomplete: "off",
  });
  private readonly from = h("input", {
    id: "from",
    class: "code",
    placeholder: "f32[2,3], f32[3,4]",
    autocomplete: "off",
    spellcheck: "false",
  });
  private readonly to = h("input", {
    id: "to",
    class: "code",
    placeholder: "f32[2,4]",
    autocomplete: "off",
    spellcheck: "false",
  });
  private readonly asking = new Asking(this.detail);
  private readonly trying = new Asking(this.found);

  constructor(private readonly engine: Engine) {
    this.search.addEventListener(
      "input",
      debounced(60, () => this.show()),
    );
    const ask = () => void this.which();
    for (const input of [this.from, this.to]) input.addEventListener("keydown", (e) => e.key === "Enter" && ask());
    this.view.append(
      h(
        "div",
        { class: "two" },
        h(
          "div",
          { class: "card" },
          h("label", { for: "search" }, "Search operators"),
          this.search,
          h(
            "details",
            {},
            h("summary", {}, "Which operator makes this of that?"),
            h(
              "div",
              { class: "which" },
              h("label", { for: "from" }, "inputs"),
              this.from,
              h("label", { for: "to" }, "outputs"),
              this.to,
              button("Find operators", ask),
            ),
          ),
          this.found,
          this.list,
        ),
        this.detail,
      ),
    );
  }

  open(name: string | null): Promise<void> {
    return this.asking.ask(async (wait) => {
      if (this.all.length === 0) {
        this.all = await wait(operators(this.engine));
        this.show();
      }
      if (name !== null && name !== "") await this.operator(name, wait);
      else if (!this.detail.hasChildNodes())
        fill(this.detail, h("p", { class: "hint" }, `${this.all.length} operators. Choose one to see its rule.`));
    });
  }

  private show(): void {
    this.trying.stop();
    const rows = ranked(this.all, this.search.value);
    this.rows(rows);
    const cut = rows.length > SHOWN ? `, the first ${SHOWN} are shown` : "";
    this.found.textContent = `${rows.length} operators${cut}`;
  }

  private rows(rows: Row[]): void {
    fill(
      this.list,
      rows.slice(0, SHOWN).map((row) => this.row(row)),
    );
  }

  private row(row: Row, more: Node | null = null): HTMLElement {
    const what = row.signature ? typed(row.signature) : prose(row.summary);
    return h(
      "li",
      {},
      h("a", { href: `#/catalog/${encodeURIComponent(row.name)}` }, h("b", {}, row.name)),
      h("span", { class: row.signature ? "code what" : "what" }, what),
      more,
    );
  }

  private async operator(name: string, wait: Wait): Promise<void> {
    const found = await wait(this.engine.ask<Listed>({ catalog: name }));
    if (found.error) {
      fill(this.detail, badge("error"), h("p", { class: "message" }, prose(found.error.message)));
      return;
    }
    if (!found.rule) return;
    const links = new Map<string, string>();
    for (const { text } of found.examples) links.set(text, await wait(this.link(found.name, text)));
    const formal = (all: Operator["inputs"]) =>
      all.map((f) => f.name + (f.variadic ? "…" : f.optional ? "?" : "")).join(", ") || "none";
    fill(
      this.detail,
      h("h2", {}, found.name),
      h(
        "p",
        { class: "hint" },
        `since ${found.versions.join(", ")}; inputs ${formal(found.inputs)}; outputs ${formal(found.outputs)}`,
        found.aliases.length > 0 && `; also called ${found.aliases.join(", ")}`,
      ),
      h("p", {}, h("a", { class: "button", href: toHash(question(found.name)) }, "Try it in the lab")),
      found.doc && h("p", { class: "doc" }, prose(found.doc)),
      h("h3", {}, "Rule"),
      h("pre", { class: "rule", tabindex: "0" }, found.rule),
      found.examples.length > 0 && h("h3", {}, "Examples"),
      found.examples.map((one) =>
        h(
          "div",
          { class: "example" },
          h("a", { class: "code", href: links.get(one.text) ?? "" }, one.text.replace("->", "→")),
          one.answers.map((a) => h("div", { class: "code" }, "→ ", typed(a))),
        ),
      ),
      h("p", { class: "hint" }, `Written in ${found.file}`),
    );
    this.detail.scrollTop = 0;
    if (matchMedia("(max-width: 800px)").matches) this.detail.scrollIntoView();
  }

  /** An example as a question of the lab. */
  private async link(name: string, text: string): Promise<string> {
    const parts = await questionIn(this.engine, text);
    return toHash(
      question(name, {
        inputs: parts?.inputs ?? [],
        outputs: parts?.outputs ?? [],
        attrs: parts?.values ?? {},
        where: parts?.where ?? "",
      }),
    );
  }

  /** Tests for every operator whether it makes these outputs of these inputs. */
  private which(): Promise<void> {
    return this.trying.ask((wait) => this.tried(wait));
  }

  private async tried(wait: Wait): Promise<void> {
    const types = async (field: HTMLInputElement): Promise<(string | null)[] | null> => {
      const { texts, wrong } = await wait(listIn(this.engine, field.value));
      const all = texts.map((text) => (text === "" || text === "?" ? null : text));
      const why = wrong ?? (await wait(this.wrong(all)));
      if (why === null) {
        field.removeAttribute("aria-invalid");
        return all;
      }
      field.setAttribute("aria-invalid", "true");
      fill(this.found, badge("error"), " ", prose(why));
      fill(this.list);
      return null;
    };
    const inputs = await types(this.from);
    const outputs = inputs && (await types(this.to));
    if (!outputs) return;
    const bar = h("progress", { max: String(this.all.length), value: "0", "aria-label": "operators that were tried" });
    fill(this.found, "Trying every operator ", bar);
    fill(this.list);
    let count = 0;
    let tried = 0;
    for (const row of this.all) {
      bar.value = ++tried;
      const call = await wait(this.call(row.name, inputs, outputs));
      if (!call) continue;
      count++;
      const attrs = Object.entries(call.attrs);
      const shown = [
        attrs.length > 0 && [`[${attrs.map(([name, value]) => `${name} = ${value}`).join(", ")}]`],
        call.inputs.join(", "),
        "→",
        call.outputs.join(", "),
      ]
        .filter((part) => part)
        .join(" ");
      const link = toHash(question(row.name, { ...call, outputs: outputs.map((t) => t ?? "") }));
      this.list.append(this.row(row, h("span", { class: "code what" }, h("a", { href: link }, shown))));
    }
    fill(this.found, `${count} of ${this.all.length} operators can`);
  }

  /** What is wrong with the first of these that is no type. */
  private async wrong(types: (string | null)[]): Promise<string | null> {
    for (const type of types) {
      if (type === null) continue;
      const { error } = await this.engine.ask<Pair>({ types: "meet", a: type, b: type });
      if (error) return error.message;
    }
    return null;
  }

  /** A call of an operator with these inputs and outputs. For one output its attributes and further operands are searched as well. */
  private async call(name: string, inputs: (string | null)[], outputs: (string | null)[]): Promise<Call | null> {
    const [output] = outputs;
    if (outputs.length === 1 && output && inputs.length > 0) {
      const given = inputs.map((type) => type ?? "?");
      const { found, error } = await this.engine.ask<Find>({
        find: { inputs: given, output, ops: [name] },
        budget: 20_000,
      });
      const one = found[0];
      if (error || !one) return null;
      const attrs = Object.entries(one.attrs).map(([key, value]) => [
        key,
        typeof value === "string" ? value : written(value),
      ]);
      return { inputs: one.inputs.map(String), outputs, attrs: Object.fromEntries(attrs) };
    }
    const line = {
      op: name,
      ...(inputs.length > 0 && { inputs }),
      ...(outputs.length > 0 && { outputs }),
      limit: 1,
      budget: 20_000,
    };
    const solved = await this.engine.ask<Solved>(line);
    const [answer] = solved.answers;
    if (solved.error || solved.verdict === "never" || !answer) return null;
    return { inputs: answer.inputs, outputs: answer.outputs, attrs: {} };
  }
}
