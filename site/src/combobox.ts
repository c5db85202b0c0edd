/** A field with a list of what could stand in it: typed or chosen, by the mouse or by keys, as people who listen are used to. */

import { announce, fill, h } from "./dom";

export interface Choice {
  value: string;
  /** What is said of it. */
  about: string;
}

/** So many are shown. */
const SHOWN = 12;
let count = 0;

export class Combobox {
  readonly list: HTMLElement;
  private choices: Choice[] = [];
  private at = -1;
  private readonly id = `choices-${++count}`;

  constructor(
    readonly input: HTMLInputElement,
    label: string,
    /** What could stand in the field as it is; none where nothing is to be offered. */
    private readonly offer: (text: string) => Choice[] | Promise<Choice[]>,
    private readonly chosen: (value: string) => void,
  ) {
    this.list = h("ul", { id: this.id, role: "listbox", class: "choices", "aria-label": label, hidden: true });
    for (const [name, value] of [
      ["role", "combobox"],
      ["aria-autocomplete", "list"],
      ["aria-expanded", "false"],
      ["aria-controls", this.id],
    ] as const)
      input.setAttribute(name, value);
    input.addEventListener("input", () => void this.look());
    input.addEventListener("blur", () => this.close());
    input.addEventListener("keydown", (e) => this.key(e));
  }

  private async look(): Promise<void> {
    const text = this.input.value;
    const found = (await this.offer(text)).slice(0, SHOWN);
    // Something else is there by now, or nobody looks any more.
    if (text !== this.input.value || document.activeElement !== this.input) return;
    this.choices = found;
    this.at = -1;
    this.draw();
    if (found.length > 0) announce(`${found.length} choices: arrow keys go through them`);
  }

  private draw(): void {
    const isOpen = this.choices.length > 0;
    this.list.hidden = !isOpen;
    this.input.setAttribute("aria-expanded", String(isOpen));
    if (this.at < 0) this.input.removeAttribute("aria-activedescendant");
    else this.input.setAttribute("aria-activedescendant", `${this.id}-${this.at}`);
    fill(
      this.list,
      this.choices.map(({ value, about }, i) =>
        h(
          "li",
          {
            id: `${this.id}-${i}`,
            role: "option",
            "aria-selected": String(i === this.at),
            onmousedown: (e: Event) => (e.preventDefault(), this.take(i)),
          },
          h("b", { class: "code" }, value),
          h("span", { class: "hint" }, about),
        ),
      ),
    );
    this.list.children[this.at]?.scrollIntoView({ block: "nearest" });
  }

  private key(e: KeyboardEvent): void {
    const { length } = this.choices;
    if (length === 0) return;
    if (e.key === "ArrowDown" || e.key === "ArrowUp") {
      e.preventDefault();
      const by = e.key === "ArrowDown" ? 1 : -1;
      this.at = this.at < 0 ? (by > 0 ? 0 : length - 1) : (this.at + by + length) % length;
      this.draw();
    } else if (e.key === "Enter" && this.at >= 0) {
      e.preventDefault();
      this.take(this.at);
    } else if (e.key === "Escape") {
      e.preventDefault();
      this.close();
    }
  }

  private take(i: number): void {
    const choice = this.choices[i];
    this.close();
    if (!choice) return;
    this.input.value = choice.value;
    this.chosen(choice.value);
  }

  close(): void {
    this.choices = [];
    this.at = -1;
    this.draw();
  }
}
