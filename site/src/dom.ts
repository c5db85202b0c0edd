/** A page is built of elements: no framework. */

type Child = Node | string | number | null | undefined | false | Child[];
type Attrs = Record<string, unknown>;

/** Makes an element. `on…` are listeners, `class` and others attributes; `false` and `null` leave one out. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attrs: Attrs = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  set(node, attrs);
  add(node, children);
  return node;
}

/** The same of SVG. */
export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attrs: Attrs = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  set(node, attrs);
  add(node, children);
  return node;
}

function set(node: Element, attrs: Attrs): void {
  for (const [name, value] of Object.entries(attrs)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value as EventListener);
    else if (name === "value" && "value" in node) (node as HTMLInputElement).value = String(value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
}

function add(node: Element, children: Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) add(node, child);
    else node.append(child instanceof Node ? child : String(child));
  }
}

/** Puts these in place of all that is in an element. */
export function fill(node: Element, ...children: Child[]): void {
  node.replaceChildren();
  add(node, children);
}

/** A button that says what it does. */
export function button(label: Child, onclick: () => void, attrs: Attrs = {}): HTMLButtonElement {
  return h("button", { type: "button", onclick, ...attrs }, label);
}

/** Calls a function once its calls pause. */
export function debounced(ms: number, f: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(f, ms);
  };
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A part of a text by its bytes, as the engine counts. */
export function cutBytes(text: string, start: number, end: number): [string, string, string] {
  const bytes = encoder.encode(text);
  const part = (a: number, b: number): string => decoder.decode(bytes.subarray(a, b));
  return [part(0, start), part(start, end), part(end, bytes.length)];
}

/** Offers a file for download. */
export function download(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = h("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

const TOKEN =
  /(\b(?:bool|string|complex\d+|c\d+|(?:bfloat|float|u?int|[fiu])\d+|bf16|f8\w*|f4\w*)\b)|(\b\d+(?:\.\d+)?(?:e[-+]?\d+)?\b)|([A-Za-z_][A-Za-z0-9_]*)|(\?|\.\.\.?[A-Za-z_]*)/g;
const WORDS = new Set(["where", "in", "and", "or", "not", "if", "fn", "op", "broadcast", "min", "max", "Tensor"]);

/** A type or an answer in colours; each name and number has a class of its own, and its weight or slant as well. */
export function typed(text: string): DocumentFragment {
  const all = document.createDocumentFragment();
  let last = 0;
  for (const found of text.matchAll(TOKEN)) {
    all.append(text.slice(last, found.index));
    const [whole, dtype, number, name, open] = found;
    const kind = dtype ? "dtype" : number ? "number" : open ? "open" : WORDS.has(name ?? "") ? "word" : "name";
    all.append(h("span", { class: `t-${kind}` }, whole));
    last = found.index + whole.length;
  }
  all.append(text.slice(last));
  return all;
}

/** A sentence of a diagnostic: what stands between backticks is code. */
export function prose(text: string): DocumentFragment {
  const all = document.createDocumentFragment();
  const parts = text.split("`");
  // An odd one at the end is a backtick and no pair.
  if (parts.length % 2 === 0) parts.push(`${parts.splice(-2).join("`")}`);
  for (const [i, part] of parts.entries()) all.append(i % 2 === 1 ? h("code", {}, part) : part);
  return all;
}

/** Says something to people who look and to people who listen. */
export function announce(text: string): void {
  const live = document.getElementById("live");
  if (live) live.textContent = text;
}
