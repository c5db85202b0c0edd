/** A report: what is known of a model in one file, without anything else. */

import type { ModelReport } from "./api";
import { h } from "./dom";
import { read } from "./exact";
import { layHere } from "./layout";
import { ModelView } from "./modelview";
import { failure } from "./parts";
import "./style.css";

const app = document.getElementById("app") ?? document.body;
try {
  const report = read(document.getElementById("data")?.textContent ?? "null") as ModelReport | null;
  if (!report) throw new Error("there is no report in this file: `kanshape report` writes one");
  document.title = `${report.model} — kanshape`;
  app.append(
    h("header", { class: "top" }, h("h1", {}, report.model), h("span", { class: "hint" }, "a report by kanshape")),
    h("main", {}, new ModelView(report, null, layHere).view),
    h("div", { id: "live", class: "visually-hidden", "aria-live": "polite" }),
  );
} catch (error) {
  app.append(h("main", {}, failure(error)));
}
