/** The model page: a file is dropped, typed, shown, changed, and downloaded. */

import { isAt } from "./address";
import type { DiffLine, Json, Line, ModelLine, ModelReport, Stablehlo, WhyLine } from "./api";
import { Asking, type Wait } from "./asking";
import { packed, unpacked } from "./carried";
import { announce, button, download, fill, h, typed } from "./dom";
import type { Engine } from "./engine";
import { read, whole, written } from "./exact";
import { layAside } from "./layaside";
import { ModelView } from "./modelview";
import { moduleView } from "./moduleview";
import type { Stripped } from "./onnx";
import { restore, strip } from "./onnx";
import { operators } from "./operators";
import { badge, bytes, codeLink, table } from "./parts";
import { isNatural } from "./question";
import { Steps } from "./steps";

/** Models that the page brings along. */
const SAMPLES = ["light_squeezenet", "light_resnet50"];
const PARTS = ["nodes", "bodies", "types", "bytes", "names", "summary", "signature"];
/** What can be opened: models of ONNX, programs that torch has exported, modules of StableHLO. */
const KINDS = ".onnx,.pb,.pt2,.mlir";
/** No longer text is checked as a module. */
const LONGEST = 16 << 20;

/** Dims that are other than declared, by their places. */
type Dims = Record<string, Json>;

interface Open {
  name: string;
  own: Stripped;
  dims: Dims;
}

export class ModelPage {
  readonly view = h("section", { class: "model-page", "aria-label": "Models" });
  private readonly status = h("div", { class: "status", role: "status" });
  private readonly body = h("div", {});
  private readonly tools = h("div", { class: "bar" });
  private readonly other = h("div", {});
  private model: Open | null = null;
  private shown: ModelView | null = null;
  private linkOf = "";
  private report: ModelReport | null = null;
  private readonly steps = new Steps<Dims>({}, (dims) => this.again(dims));
  private readonly asking = new Asking(this.status);
  /** What is saved has nothing to do with what is asked. */
  private readonly saving = new Asking(this.status);

  constructor(private readonly engine: Engine) {
    const pick = h("input", { type: "file", id: "pick", accept: KINDS, class: "visually-hidden" });
    pick.addEventListener("change", () => {
      const [file] = pick.files ?? [];
      if (file) void this.open(file.name, file);
      pick.value = "";
    });
    const drop = h(
      "div",
      { class: "drop card" },
      h(
        "p",
        {},
        h("label", { for: "pick", class: "button" }, "Open a model"),
        pick,
        h(
          "span",
          { class: "long" },
          " of ONNX, one that torch has exported (.pt2), or a module of StableHLO (.mlir); or drop one here. Its weights are not read, and nothing leaves this machine.",
        ),
      ),
      h(
        "p",
        {},
        " Or look at ",
        SAMPLES.map((name, i) => [i > 0 ? ", " : "", button(name, () => void this.sample(name), { class: "link" })]),
        ".",
      ),
    );
    this.view.append(drop, this.status, this.tools, this.other, this.body);
    this.steps.listen(this.view);
    for (const type of ["dragenter", "dragover"]) {
      document.addEventListener(type, (e) => {
        e.preventDefault();
        drop.classList.add("over");
      });
    }
    document.addEventListener("dragleave", (e) => {
      if (!(e as DragEvent).relatedTarget) drop.classList.remove("over");
    });
    document.addEventListener("drop", (e) => {
      e.preventDefault();
      drop.classList.remove("over");
      const [file] = (e as DragEvent).dataTransfer?.files ?? [];
      if (file) {
        location.hash = "#/model";
        void this.open(file.name, file);
      }
    });
  }

  /** A link of a model: one that the page brings along, `light_resnet50/DIMS`, or one that is carried, `~NAME/BYTES/DIMS`. */
  link(text: string): void {
    if (this.linkOf !== text) void this.asking.ask((wait) => this.linked(text, wait));
  }

  private async linked(text: string, wait: Wait): Promise<void> {
    const parts = text.split("/").map(decoded);
    const [name = ""] = parts;
    const isCarried = name.startsWith("~");
    const dims = dimsOf(parts[isCarried ? 2 : 1]);
    if (!isCarried && !SAMPLES.includes(name)) return;
    const bytes = isCarried ? await wait(unpacked(parts[1] ?? "")) : null;
    if (!dims || (isCarried && !bytes)) {
      fill(
        this.status,
        h(
          "div",
          { class: "failure", role: "alert" },
          "This link can't be read. What is shown is not what it was made for.",
        ),
      );
      return;
    }
    if (bytes) await this.opened(name.slice(1), new Blob([bytes]), dims, wait);
    else await this.fetched(`./models/${name}.onnx`, `${name}.onnx`, dims, wait);
  }

  /** The link of what is shown; the address has that of a model that the page brings along. */
  private address(): void {
    const model = this.model;
    if (!model) return;
    const dims = Object.keys(model.dims).length === 0 ? "" : `/${encodeURIComponent(written(model.dims))}`;
    const sample = SAMPLES.find((one) => model.name === `${one}.onnx`);
    this.linkOf = sample ? `${sample}${dims}` : "";
    isAt("model", sample ? `#/model/${this.linkOf}` : "#/model");
  }

  /** Copies a link that carries the model, if it is small. */
  private async copy(): Promise<void> {
    const model = this.model;
    if (!model) return;
    const dims = Object.keys(model.dims).length === 0 ? "" : `/${encodeURIComponent(written(model.dims))}`;
    const data = this.linkOf === "" ? await packed(model.own.bytes) : "";
    if (data === null) {
      fill(this.status, `${model.name} is too large for a link`);
      return;
    }
    const link = `${location.href.split("#")[0]}#/model/${this.linkOf || `~${encodeURIComponent(model.name)}/${data}${dims}`}`;
    try {
      await navigator.clipboard.writeText(link);
      fill(this.status, "The link is copied");
      announce("The link is copied");
    } catch {
      prompt("The link", link);
    }
  }

  private sample(name: string): Promise<void> {
    return this.asking.ask((wait) => this.fetched(`./models/${name}.onnx`, `${name}.onnx`, {}, wait));
  }

  /** Opens the model that the program was started with. */
  given(name: string): Promise<void> {
    return this.asking.ask((wait) => this.fetched("./given.onnx", name, {}, wait));
  }

  open(name: string, file: Blob, dims: Dims = {}): Promise<void> {
    return this.asking.ask((wait) => this.opened(name, file, dims, wait));
  }

  private async fetched(path: string, name: string, dims: Dims, wait: Wait): Promise<void> {
    const response = await wait(fetch(path));
    if (!response.ok) throw new Error(`${name} can't be loaded: ${response.status}`);
    await this.opened(name, await wait(response.blob()), dims, wait);
  }

  private async opened(name: string, file: Blob, dims: Dims, wait: Wait): Promise<void> {
    const start = performance.now();
    fill(this.other);
    if (name.endsWith(".mlir")) {
      await this.module(name, file, wait);
      return;
    }
    const own = await wait(this.stripped(name, file));
    this.model = { name, own, dims };
    this.steps.clear(dims);
    this.shown = null;
    this.view.classList.add("has-model");
    await this.check(wait);
    if (this.report) {
      const read = own.read < file.size ? `, of which ${bytes(own.read)} were read` : "";
      fill(this.status, `${name}: ${bytes(file.size)}${read}, in ${Math.round(performance.now() - start)} ms`);
    }
  }

  /** A module of StableHLO, of which there is no graph to be changed. */
  private async module(name: string, file: Blob, wait: Wait): Promise<void> {
    if (file.size > LONGEST)
      throw new Error(`${name} has ${bytes(file.size)}; a module of more than ${bytes(LONGEST)} is not read here`);
    this.model = null;
    this.shown = null;
    this.report = null;
    fill(this.tools);
    fill(this.body);
    fill(this.status, `Typing ${name}`, h("progress", { "aria-label": `typing ${name}` }));
    const text = await wait(file.text());
    const found = await wait(this.engine.ask<Stablehlo>({ stablehlo: text }, "model"));
    this.view.classList.remove("has-model");
    fill(this.status, `${name}: ${bytes(file.size)}`);
    fill(this.body, moduleView(name, text, found));
    announce(found.error?.message ?? found.verdict);
  }

  private async stripped(name: string, file: Blob): Promise<Stripped> {
    const bar = h("progress", { max: "1", value: "0", "aria-label": `reading ${name}` });
    fill(this.status, `Reading ${name} (${bytes(file.size)}) `, bar);
    const own = await strip(file, (done) => (bar.value = done));
    fill(this.status, `Typing ${name}`, h("progress", { "aria-label": `typing ${name}` }));
    // An empty file would mean that the model is forgotten.
    await this.engine.put(name, own.bytes.length > 0 ? own.bytes : Uint8Array.of(0));
    return own;
  }

  private line(): Line {
    return { model: this.model?.name ?? "", dims: this.model?.dims ?? {} };
  }

  private async check(wait: Wait): Promise<void> {
    this.address();
    const report = await wait(this.engine.ask<ModelLine>({ ...this.line(), parts: PARTS }, "model"));
    this.bar();
    if (report.error) {
      this.report = null;
      this.shown = null;
      const error = report.error;
      fill(this.status);
      fill(
        this.body,
        h(
          "div",
          { class: "card" },
          h("div", { class: "verdict" }, badge("error"), codeLink(error.code)),
          h("p", { class: "message" }, `${this.model?.name}: ${error.message}`),
        ),
      );
      announce(error.message);
      return;
    }
    this.report = report;
    if (this.shown) this.shown.update(report);
    else {
      this.shown = new ModelView(
        report,
        {
          dim: (input, axis, text) => void this.asking.ask((wait) => this.dim(input, axis, text, wait)),
          given: (name, type) =>
            this.engine.ask<ModelLine>({ ...this.line(), given: { [name]: type }, parts: ["types"] }),
          opened: (input, axis, name) =>
            this.engine.ask<ModelLine>({
              ...this.line(),
              dims: { ...this.model?.dims, [`${input}:${axis}`]: name },
              parts: ["names"],
            }),
          cut: (name, type) => this.engine.ask<ModelLine>({ ...this.line(), cut: { [name]: type }, parts: ["names"] }),
          does: async (name) => (await operators(this.engine)).find((row) => row.name === name)?.summary ?? "",
          part: (from, to) => this.engine.ask<ModelLine>({ ...this.line(), from, to, parts: ["signature"] }),
          givenDim: (input, axis) => {
            const own = this.model?.dims[`${input}:${axis}`];
            return own === undefined ? null : String(own);
          },
          sized: (sizes) => this.engine.ask<ModelLine>({ ...this.line(), set: sizes, parts: ["bytes"] }),
          why: (spot) => this.engine.ask<WhyLine>({ ...this.line(), why: spot }),
        },
        layAside,
      );
      fill(this.body, this.shown.view);
    }
  }

  /** Another dim of an input. What can't be a dim is reported, and changes nothing. */
  private async dim(input: string, axis: number, text: string, wait: Wait): Promise<void> {
    const model = this.model;
    if (!model) return;
    const before = { ...model.dims };
    const spot = `${input}:${axis}`;
    if (/^[-+.\d]/.test(text) && !isNatural(text)) {
      if (this.report) this.shown?.update(this.report);
      this.shown?.refused(input, axis, text, "a size is a natural number, such as 8");
      return;
    }
    if (text === "") delete model.dims[spot];
    else if (text === "?") model.dims[spot] = this.fresh(axis);
    else model.dims[spot] = /^\d+$/.test(text) ? whole(text) : text;
    const wrong = await this.engine.ask<ModelLine>({ ...this.line() }, "model");
    if (wrong.error) {
      model.dims = before;
      fill(this.status);
      if (this.report) this.shown?.update(this.report);
      this.shown?.refused(input, axis, text, wrong.error.message);
      return;
    }
    this.steps.put(model.dims);
    fill(this.status);
    await this.check(wait);
  }

  /** A name for a dim that is opened: none that something else has. */
  private fresh(axis: number): string {
    const taken = new Set([
      ...Object.values(this.model?.dims ?? {}).map(String),
      ...Object.keys(this.report?.names ?? {}),
      ...(this.report?.dims ?? []).map((one) => one.name),
    ]);
    for (let i = axis; ; i++) if (!taken.has(`d${i}`)) return `d${i}`;
  }

  private again(dims: Dims): void {
    if (!this.model) return;
    this.model.dims = dims;
    void this.asking.ask((wait) => this.check(wait));
  }

  private bar(): void {
    const model = this.model;
    if (!model) return;
    const pick = h("input", { type: "file", id: "pick-other", accept: KINDS, class: "visually-hidden" });
    pick.addEventListener("change", () => {
      const [file] = pick.files ?? [];
      if (file) void this.compare(file.name, file);
      pick.value = "";
    });
    const changed = Object.entries(model.dims).map(([spot, dim]) => `${spot} = ${String(dim)}`);
    fill(
      this.tools,
      h("b", {}, model.name),
      this.steps.buttons,
      button("Copy link", () => void this.copy(), { class: "quiet" }),
      button("Download with types", () => void this.save()),
      button("Download report", () => void this.saveReport()),
      h("label", { for: "pick-other", class: "button" }, "Compare with…"),
      pick,
      changed.length > 0 && h("span", { class: "hint" }, changed.join(", ")),
    );
  }

  private save(): Promise<void> {
    return this.saving.ask(async () => {
      const model = this.model;
      if (!model) return;
      const written = await this.engine.typed(this.line());
      download(model.name.replace(/(\.onnx|\.pt2)?$/, ".typed.onnx"), await restore(written, model.own));
    });
  }

  private saveReport(): Promise<void> {
    return this.saving.ask(async () => {
      if (!this.report || !this.model) return;
      const response = await fetch("./report.html");
      if (!response.ok) throw new Error(`the report can't be made: ${response.status}`);
      const page = reportPage(await response.text(), this.report);
      download(this.model.name.replace(/(\.onnx|\.pt2)?$/, ".report.html"), new Blob([page], { type: "text/html" }));
    });
  }

  private compare(name: string, file: Blob): Promise<void> {
    return this.asking.ask(async (wait) => {
      const model = this.model;
      if (!model) return;
      const second = name === model.name ? `${name} (2)` : name;
      await wait(this.stripped(second, file));
      const found = await wait(this.engine.ask<DiffLine>({ ...this.line(), diff: second }));
      fill(this.status);
      fill(this.other, this.compared(found));
      announce(found.same ? "the same nodes and types" : "they differ");
    });
  }

  private compared(found: DiffLine): HTMLElement {
    if (found.error) return h("div", { class: "card" }, badge("error"), ` ${found.error.message}`);
    const row = (what: string, a: string | null, b: string | null) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, what),
        h("td", { class: "code" }, a === null ? "—" : typed(a)),
        h("td", { class: "code" }, b === null ? "—" : typed(b)),
      );
    const rows = [
      found.inputs && row("inputs", found.inputs[0].join(", "), found.inputs[1].join(", ")),
      found.outputs && row("outputs", found.outputs[0].join(", "), found.outputs[1].join(", ")),
      ...found.nodes.map(({ a, b }) =>
        row(`node ${(a ?? b)?.node.name || (a ?? b)?.node.index}`, a?.text ?? null, b?.text ?? null),
      ),
      ...found.values.map(({ name, a, b }) => row(name, a, b)),
      ...found.where.a.map((c) => row("where", c, null)),
      ...found.where.b.map((c) => row("where", null, c)),
    ].filter((r) => r !== null);
    return h(
      "div",
      { class: "card compared" },
      h(
        "div",
        { class: "bar" },
        h("h2", {}, found.same ? "The same nodes and types" : `${rows.length} differences`),
        button("Close", () => fill(this.other), { class: "quiet" }),
      ),
      rows.length > 0 && table("Differences", ["", found.a, found.b], rows.slice(0, 500)),
      rows.length > 500 && h("p", { class: "hint" }, `and ${rows.length - 500} more`),
    );
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}

/** The dims of a link; null if they can't be read. */
function dimsOf(text: string | undefined): Dims | null {
  if (!text) return {};
  try {
    const found = read(text);
    return typeof found === "object" && found !== null && !Array.isArray(found) ? (found as Dims) : null;
  } catch {
    return null;
  }
}

/** The report page with a report in it. */
export function reportPage(template: string, report: ModelReport): string {
  const json = written(report as unknown as Json).replaceAll("<", "\\u003c");
  const at = '<script id="data" type="application/json">null</script>';
  const [before = "", after = ""] = template.split(at);
  return `${before}${at.replace("null", () => json)}${after}`;
}
