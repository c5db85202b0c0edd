/** The pages of the manual, from `docs/*.md`; each example that needs no file is a live one. */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Marked } from "marked";

const ORDER = [
  "web",
  "language",
  "readings",
  "operators",
  "relations",
  "why",
  "models",
  "programs",
  "rewriting",
  "released",
  "order",
  "values",
  "beyond-numpy",
  "cli",
  "python",
  "errors",
  "glossary",
  "deviations",
  "architecture",
];

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/<[^>]*>/g, "")
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(" ", "-");

/** Writes all pages. */
export function pages(from: string, to: string): void {
  for (const folder of ["codes", "guides"]) mkdirSync(join(to, folder), { recursive: true });
  const within = (folder: string): string[] =>
    readdirSync(join(from, folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => folder + name.slice(0, -3));
  const names = [...within(""), ...within("guides/")].sort((a, b) => place(a) - place(b) || a.localeCompare(b));
  const texts = new Map(names.map((name) => [name, readFileSync(join(from, `${name}.md`), "utf8")]));
  const title = (text: string): string => /^# (.*)$/m.exec(text)?.[1]?.replaceAll("`", "") ?? "";
  // A page of one code is read in a minute and there are 170 of them: each has the way back, not the whole list.
  const nav = (up: string, own: string, listed: string[]): string =>
    `<nav aria-label="Manual"><a href="${up}../index.html#/lab"><b>kanshape</b></a> <a class="manual" href="${up}index.html">Manual</a><ul>${listed
      .map(
        (name) =>
          `<li><a href="${up}${name}.html"${name === own ? ' aria-current="page"' : ""}>${escaped(title(texts.get(name) ?? ""))}</a></li>`,
      )
      .join("")}</ul></nav>`;
  const write = (path: string, up: string, own: string, text: string, listed = names): void => {
    const html = render(text, up);
    writeFileSync(
      join(to, path),
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><link rel="icon" href="${up}../icon.svg"><link rel="stylesheet" href="${up}style.css"><title>${escaped(title(text))} — kanshape</title></head><body>${nav(up, own, listed)}<main>${html}</main><script>var t=localStorage.getItem("theme");if(t)document.documentElement.dataset.theme=t</script></body></html>`,
    );
  };
  for (const [name, text] of texts) write(`${name}.html`, name.startsWith("guides/") ? "../" : "", name, text);
  const list = names.map((name) => `- [${title(texts.get(name) ?? "")}](${name}.md)`).join("\n");
  write("index.html", "", "", `# Manual\n\n${list}\n`);
  for (const name of readdirSync(join(from, "codes")).filter((name) => name.endsWith(".md"))) {
    write(`codes/${name.slice(0, -3)}.html`, "../", "errors", readFileSync(join(from, "codes", name), "utf8"), [
      "errors",
    ]);
  }
  writeFileSync(join(to, "style.css"), readFileSync(join(import.meta.dirname ?? ".", "docs.css"), "utf8"));
}

function place(name: string): number {
  const at = ORDER.indexOf(name);
  return at < 0 ? ORDER.length : at;
}

function render(text: string, up: string): string {
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }) {
        const inner = this.parser.parseInline(tokens);
        return `<h${depth} id="${slug(inner)}">${inner}</h${depth}>`;
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        const page = /^(?!https?:)([\w/.-]+)\.md(#.*)?$/.exec(href);
        return `<a href="${escaped(page ? `${page[1]}.html${page[2] ?? ""}` : href)}">${inner}</a>`;
      },
      code({ text, lang }) {
        const lines = text.split("\n").map((line) => escaped(line) + live(line, up));
        return `<pre tabindex="0"><code class="${escaped(lang ?? "")}">${lines.join("\n")}</code></pre>`;
      },
      table(token) {
        const cells = (row: typeof token.header, tag: string) =>
          row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join("");
        return `<div class="scroll" tabindex="0"><table><thead><tr>${cells(token.header, "th")}</tr></thead><tbody>${token.rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("")}</tbody></table></div>`;
      },
    },
  });
  return marked.parse(text, { async: false });
}

/** A link that opens an example on the page; none of what the page can't do, as there are no files. */
function live(line: string, up: string): string {
  const hash = opened(line);
  return hash === null
    ? ""
    : ` <a class="try" href="${up}../index.html#/${hash.tab}/${encodeURIComponent(hash.word)}">try it</a>`;
}

/** The tab that an example opens in, and what is opened. */
function opened(line: string): { tab: string; word: string } | null {
  if (/^rule [a-z].*=>/.test(line)) return { tab: "rules", word: line };
  if (/^def @\w+.*\}$/.test(line)) return { tab: "programs", word: line };
  if (!line.startsWith("$ ")) return null;
  const all = words(line.slice(2));
  const [command = "", own = "", ...rest] = all;
  const batch = (fields: object) => ({ tab: "lines", word: JSON.stringify(fields) });
  if (command === "echo") {
    const piped = rest.slice(1).join(" ");
    if (rest[0] !== "|") return null;
    if (/^kanshape batch( \||$)/.test(piped) && !own.includes('"model"')) return { tab: "lines", word: own };
    if (piped === "kanshape rule check /dev/stdin") return { tab: "rules", word: own };
    if (piped === "kanshape check /dev/stdin" && own.includes("def @")) return { tab: "programs", word: own };
    return null;
  }
  if (command !== "kanshape" || rest.some((word) => ["|", "--load", "--opset"].includes(word))) return null;
  const [a, b] = rest;
  switch (own) {
    case "infer":
    case "enum": {
      const q = asked(all);
      return q && { tab: "lab", word: JSON.stringify(q) };
    }
    case "types":
      return a !== undefined && b !== undefined && rest[2] !== undefined && !/^-/.test(a + b)
        ? batch({ types: a.replaceAll("-", "_"), a: b, b: rest[2] })
        : null;
    case "find":
      return found(rest);
    default:
      return null;
  }
}

/** `find INPUT... OUTPUT [--ops NAME,...] [--depth N]` as a line of `batch`. */
function found(rest: string[]): { tab: string; word: string } | null {
  const types: string[] = [];
  const more: Record<string, unknown> = {};
  for (let i = 0; i < rest.length; i++) {
    const word = rest[i] ?? "";
    if (word === "--ops") more.ops = (rest[++i] ?? "").split(",");
    else if (word === "--depth") more.depth = Number(rest[++i]);
    else if (!word.startsWith("-")) types.push(word);
  }
  const output = types.pop();
  return output === undefined
    ? null
    : { tab: "lines", word: JSON.stringify({ find: { inputs: types, output, ...more } }) };
}

/** The words of a command, without their quotes. */
function words(command: string): string[] {
  return [...command.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map((m) =>
    m[0].replace(/'([^']*)'|"([^"]*)"/g, "$1$2"),
  );
}

function asked([, command, subject, ...rest]: string[]): Record<string, unknown> | null {
  if (!subject || rest.includes("|") || rest.some((word) => word === "--load" || word === "--opset")) return null;
  const inputs: string[] = [];
  const outputs: string[] = [];
  const attrs: Record<string, string> = {};
  const where: string[] = [];
  let max: string | undefined;
  for (let i = 0; i < rest.length; i++) {
    const word = rest[i] ?? "";
    const next = (): string => rest[++i] ?? "";
    if (word === "-o" || word === "--output") outputs.push(next());
    else if (/^(-p|--param|-a|--attr)$/.test(word)) {
      const [name = "", value = ""] = next().split(/=(.*)/s);
      attrs[name] = value;
    } else if (word === "-w" || word === "--where") where.push(next());
    else if (word === "--max-dim") max = next();
    else if (/^(--limit|-n|--max-rank|--promotion|--budget|--timeout|--color|--types)$/.test(word)) i++;
    else if (word.startsWith("--")) continue;
    else inputs.push(word);
  }
  if (command === "enum") max ??= "64";
  return {
    s: subject,
    ...(inputs.length && { i: inputs }),
    ...(outputs.length && { o: outputs }),
    ...(Object.keys(attrs).length && { a: attrs }),
    ...(where.length && { w: where.join(", ") }),
    ...(max && { m: max }),
  };
}
