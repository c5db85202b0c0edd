/** What this is, in one screen: three questions, answered as the page is opened. */

import type { Json, ModelLine, Solved, Sound } from "./api";
import { fill, h, prose, typed } from "./dom";
import type { Engine } from "./engine";
import { badge, failure } from "./parts";
import { question, toHash } from "./question";
import { counterexample } from "./rules";
import { ruleIn } from "./texts";

const SAMPLE = "light_resnet50";
/** The dims of its image, with names in place of the declared sizes. */
const IMAGE = { "gpu_0/data_0:2": "h", "gpu_0/data_0:3": "w" };
const FUSION = "Add(MatMul(A, B), C) => Gemm(A, B, C)";
/** Seven rows in three parts, as five functions cut them. */
const CUTS: [string, string, string, string][] = [
  ["NumPy", "np.split", "indices_or_sections", "f32[7,n]"],
  ["NumPy", "np.array_split", "indices_or_sections", "f32[7,n]"],
  ["JAX", "jnp.split", "indices_or_sections", "f32[7,n]"],
  ["torch", "aten::chunk", "chunks", "f32[7,n]"],
  ["ONNX", "onnx::Split", "num_outputs", "f32[7,n]"],
];

export class Home {
  readonly view = h("section", { class: "home", "aria-label": "What this is" });

  constructor(
    private readonly engine: Engine,
    private readonly models: Engine,
  ) {
    const card = (
      title: string,
      href: string,
      more: string,
      fillIt: (into: HTMLElement) => Promise<void>,
    ): HTMLElement => {
      const body = h("div", { class: "live" }, h("p", { class: "hint" }, "…"));
      fillIt(body).catch((error: unknown) => fill(body, failure(error)));
      return h("article", { class: "card" }, h("h2", {}, title), body, h("p", {}, h("a", { href }, more)));
    };
    this.view.append(
      h(
        "p",
        { class: "lead" },
        h("b", {}, "Shapes and dtypes of tensor operators, in every direction."),
        " Say what you know of inputs, outputs and attributes; the rest is solved, with what has to hold and why. Models, rewrite rules and programs are checked in the same way. Nothing leaves this machine.",
      ),
      h(
        "div",
        { class: "three" },
        card(
          "Which images does this ResNet take?",
          `#/model/${SAMPLE}/${encodeURIComponent(JSON.stringify(IMAGE))}`,
          "Look at the model",
          (into) => this.resnet(into),
        ),
        card("Is this fusion right?", `#/rules/${encodeURIComponent(FUSION)}`, "Look at the rule", (into) =>
          this.fusion(into),
        ),
        card(
          "Seven rows in three parts",
          toHash(question("onnx::Split", { inputs: ["f32[7,n]"], attrs: { num_outputs: "3" } })),
          "Ask it yourself",
          (into) => this.cuts(into),
        ),
      ),
    );
  }

  private async resnet(into: HTMLElement): Promise<void> {
    const response = await fetch(`./models/${SAMPLE}.onnx`);
    if (!response.ok) throw new Error(`the example can't be loaded: ${response.status}`);
    const name = `${SAMPLE} at home`;
    await this.models.put(name, new Uint8Array(await response.arrayBuffer()));
    const found = await this.models.ask<ModelLine>({ model: name, dims: IMAGE as Record<string, Json> });
    if (found.error) throw new Error(found.error.message);
    const list = (found.conditions ?? [])
      .slice(0, 4)
      .map((one) =>
        h(
          "li",
          {},
          h("span", { class: "code" }, typed(one.condition)),
          one.node && h("span", { class: "hint" }, ` required by ${one.node.op}, node ${one.node.index}`),
        ),
      );
    const inputs = Object.values(found.inputs).map((type) => h("span", { class: "code" }, typed(type)));
    fill(into, h("p", {}, badge(found.verdict), " ", inputs), h("ul", { class: "plain" }, list));
  }

  private async fusion(into: HTMLElement): Promise<void> {
    const found = await this.engine.ask<Sound>({ rule: FUSION, budget: 50_000_000, timeout: 20 });
    if (found.error) throw new Error(found.error.message);
    const one = found.counterexample;
    const drawn = one && (await counterexample(this.engine, await ruleIn(this.engine, FUSION, one.attrs), one));
    fill(into, h("p", {}, badge(found.verdict), " ", h("span", { class: "code" }, FUSION)), drawn);
  }

  private async cuts(into: HTMLElement): Promise<void> {
    const rows = [];
    for (const [library, op, count, input] of CUTS) {
      const found = await this.engine.ask<Solved>({ op, inputs: [input], attrs: { [count]: 3 }, limit: 1 });
      const answer = found.answers?.[0];
      const said = answer
        ? h("span", { class: "code" }, typed(answer.outputs.join(", ")))
        : h(
            "span",
            {},
            badge(found.error ? "error" : found.verdict),
            " ",
            h("span", { class: "hint" }, prose(found.error?.message ?? found.why?.message ?? "")),
          );
      rows.push(
        h(
          "tr",
          {},
          h("th", { scope: "row" }, library),
          h(
            "td",
            {},
            h("a", { class: "code", href: toHash(question(op, { inputs: [input], attrs: { [count]: "3" } })) }, op),
          ),
          h("td", {}, said),
        ),
      );
    }
    fill(into, h("table", {}, h("tbody", {}, rows)));
  }
}
