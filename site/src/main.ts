/** The page: its tabs, and what a link opens. */

import { isAt, shows } from "./address";
import { Catalog } from "./catalog";
import { button, fill, h } from "./dom";
import { Engine } from "./engine";
import { Home } from "./home";
import { Lab } from "./lab";
import { Lines } from "./lines";
import { ModelPage } from "./model";
import { failure } from "./parts";
import { Programs } from "./programs";
import { fromHash } from "./question";
import { Rules } from "./rules";
import { fetched, manual } from "./runs";
import "./style.css";

const TABS = [
  ["lab", "Lab"],
  ["catalog", "Catalog"],
  ["model", "Model"],
  ["rules", "Rules"],
  ["programs", "Programs"],
  ["lines", "Batch"],
] as const;
type Tab = (typeof TABS)[number][0];

const engine = new Engine(fetched);
// Models have a worker of their own: a large one holds up nothing else, and nothing else ends it.
const models = new Engine(fetched);
const errors = h("div", { class: "errors", "aria-live": "assertive" });
const unread = h("div", { class: "unread" });
const main = h("main", { id: "main", tabindex: "-1" });
const nav = h("nav", { "aria-label": "Parts of the page" });

/** What fails is shown, wherever it fails. */
function failed(error: unknown): void {
  errors.append(
    h(
      "div",
      { class: "bar" },
      failure(error),
      button("Close", () => fill(errors), { class: "quiet" }),
    ),
  );
}
window.addEventListener("error", (e) => failed(e.error ?? e.message));
window.addEventListener("unhandledrejection", (e) => failed(e.reason));

const theme = (name: string | null): void => {
  if (name) document.documentElement.dataset.theme = name;
  else delete document.documentElement.dataset.theme;
};
/** A browser may keep nothing for the page. */
const stored = (): Storage | null => {
  try {
    return localStorage;
  } catch {
    return null;
  }
};
theme(stored()?.getItem("theme") ?? null);
const dark = (): boolean =>
  (document.documentElement.dataset.theme ??
    (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
const switchTheme = (): void => {
  const next = dark() ? "light" : "dark";
  stored()?.setItem("theme", next);
  theme(next);
};

const made: { lab?: Lab; catalog?: Catalog; model?: ModelPage; rules?: Rules; programs?: Programs; lines?: Lines } = {};

let home: Home | undefined;

function route(): void {
  const [, name = "", rest = ""] = /^#\/([a-z]*)\/?(.*)$/s.exec(location.hash) ?? [];
  const tab: Tab = TABS.find(([own]) => own === name)?.[0] ?? "lab";
  const word = (() => {
    try {
      return rest === "" ? null : decodeURIComponent(rest);
    } catch {
      return null;
    }
  })();
  for (const link of nav.querySelectorAll("a")) {
    if (link.dataset.tab === tab) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  const isKnown = shows(tab);
  fill(unread);
  switch (tab) {
    case "lab": {
      const linked = name === "lab" && rest !== "" ? fromHash(rest) : null;
      if ((rest !== "" && !linked) || (name !== tab && location.hash.length > 2)) {
        fill(
          unread,
          h(
            "div",
            { class: "failure", role: "alert" },
            "This link can't be read. What is shown is not what it was made for.",
          ),
        );
      }
      if (made.lab && linked) made.lab.open(linked, location.hash);
      made.lab ??= new Lab(engine, linked);
      const isFirst = location.hash.length <= 2;
      if (isFirst) home ??= new Home(engine, models);
      fill(main, isFirst && home?.view, made.lab.view);
      break;
    }
    case "catalog":
      made.catalog ??= new Catalog(engine);
      fill(main, made.catalog.view);
      if (word !== null) isAt("catalog", location.hash);
      void made.catalog.open(word);
      break;
    case "model":
      made.model ??= new ModelPage(models);
      fill(main, made.model.view);
      if (rest !== "") made.model.link(rest);
      break;
    case "rules": {
      const first = !made.rules;
      made.rules ??= new Rules(engine);
      fill(main, made.rules.view);
      if (first || (word !== null && !isKnown)) made.rules.open(word);
      break;
    }
    case "programs": {
      const first = !made.programs;
      made.programs ??= new Programs(engine);
      fill(main, made.programs.view);
      if (first || (word !== null && !isKnown)) made.programs.open(word);
      break;
    }
    case "lines": {
      const first = !made.lines;
      made.lines ??= new Lines(engine);
      fill(main, made.lines.view);
      if (first || (word !== null && !isKnown)) made.lines.open(word);
      break;
    }
  }
  document.title = `${TABS.find(([own]) => own === tab)?.[1] ?? ""} — kanshape`;
}

fill(
  nav,
  TABS.map(([tab, title]) => h("a", { href: `#/${tab}`, "data-tab": tab }, title)),
  h("a", { href: manual("index") }, "Docs"),
);
document
  .getElementById("app")
  ?.append(
    h(
      "a",
      { class: "skip", href: "#main", onclick: (e: Event) => (e.preventDefault(), main.focus()) },
      "Skip to the content",
    ),
    h(
      "header",
      { class: "top" },
      h("h1", {}, h("a", { href: "#/" }, "kanshape")),
      nav,
      button("◐", switchTheme, { class: "quiet", "aria-label": "Light or dark", title: "Light or dark" }),
    ),
    errors,
    unread,
    main,
    h("div", { id: "live", class: "visually-hidden", "aria-live": "polite" }),
  );
window.addEventListener("hashchange", route);
made.model = new ModelPage(models);
route();

// The tests and the curious ask the engine by themselves.
Object.assign(window, { kanshape: engine, kanshapeModels: models });

// `kanshape serve MODEL` says which model it was started with.
const given = document.querySelector<HTMLMetaElement>('meta[name="kanshape-model"]')?.content;
if (given) {
  location.hash = "#/model";
  void made.model.given(given).catch(failed);
}

// Beside `kanshape serve` there is nothing to keep: what is kept would be shown in place of the next model.
const isServed = document.querySelector('meta[name="kanshape-serve"]') !== null;
if ("serviceWorker" in navigator && import.meta.env.PROD && !isServed) {
  navigator.serviceWorker.register("./offline.js").catch(() => {
    // Without it the page works, but not offline.
  });
}
