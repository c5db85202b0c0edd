/** A long table, sortable, of which only the rows in view are there. */

import { button, debounced, fill, h } from "./dom";

export interface Column<R> {
  title: string;
  cell: (row: R) => Node | string;
  /** What it is sorted by. */
  by: (row: R) => number | string;
  number?: boolean;
}

const ROW = 30;

export class Table<R> {
  readonly view: HTMLElement;
  private shown: R[];
  private sorted = -1;
  private down = false;
  private readonly body = h("tbody");
  private readonly head = h("tr", { role: "row" });
  private readonly table = h("table", {});
  private readonly scroll: HTMLElement;
  private readonly search: HTMLInputElement;
  private readonly found = h("span", { class: "hint", role: "status" });

  constructor(
    label: string,
    private rows: R[],
    private readonly columns: Column<R>[],
    private readonly text: (row: R) => string,
    private readonly act: ((row: R) => void) | null,
  ) {
    this.shown = rows;
    const id = `search-${label.replaceAll(" ", "-")}`;
    this.search = h("input", {
      type: "search",
      id,
      placeholder: "part of a name, an operator, a type",
      autocomplete: "off",
    });
    this.search.addEventListener(
      "input",
      debounced(80, () => this.filter()),
    );
    this.scroll = h("div", { class: "table", tabindex: "0", role: "region", "aria-label": label }, this.table);
    this.table.append(h("thead", {}, this.head), this.body);
    this.scroll.addEventListener("scroll", () => this.draw());
    this.view = h(
      "div",
      { class: "table-box" },
      h("div", { class: "bar" }, h("label", { for: id }, "Search"), this.search, this.found),
      this.scroll,
    );
    new ResizeObserver(() => this.draw()).observe(this.scroll);
    this.filter();
  }

  update(rows: R[]): void {
    this.rows = rows;
    this.filter();
  }

  private filter(): void {
    const words = this.search.value
      .toLowerCase()
      .split(/\s+/)
      .filter((w) => w !== "");
    const fits = (row: R): boolean => {
      const text = this.text(row).toLowerCase();
      return words.every((word) => text.includes(word));
    };
    this.shown = words.length === 0 ? [...this.rows] : this.rows.filter(fits);
    const column = this.columns[this.sorted];
    if (column) {
      const sign = this.down ? -1 : 1;
      this.shown.sort((a, b) => {
        const [x, y] = [column.by(a), column.by(b)];
        return sign * (typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y)));
      });
    }
    this.table.setAttribute("aria-rowcount", String(this.shown.length + 1));
    this.found.textContent = `${this.shown.length} of ${this.rows.length}`;
    this.heads();
    this.draw(true);
  }

  private heads(): void {
    fill(
      this.head,
      this.columns.map((column, i) => {
        const is = i === this.sorted;
        const arrow = is ? (this.down ? " ▾" : " ▴") : "";
        return h(
          "th",
          {
            scope: "col",
            class: column.number ? "number" : "",
            "aria-sort": is ? (this.down ? "descending" : "ascending") : "none",
          },
          button(column.title + arrow, () => {
            // Numbers are sorted from the largest on.
            this.down = is ? !this.down : column.number === true;
            this.sorted = i;
            this.filter();
          }),
        );
      }),
    );
  }

  private from = -1;

  private draw(anew = false): void {
    const high = this.scroll.clientHeight || 500;
    const from = Math.max(0, Math.floor(this.scroll.scrollTop / ROW) - 10);
    const count = Math.ceil(high / ROW) + 20;
    if (!anew && Math.abs(from - this.from) < 5) return;
    this.from = from;
    const rows = this.shown.slice(from, from + count);
    const gap = (n: number) =>
      h(
        "tr",
        { "aria-hidden": "true", class: "gap" },
        h("td", { colspan: String(this.columns.length), style: `height:${n * ROW}px` }),
      );
    fill(
      this.body,
      from > 0 && gap(from),
      rows.map((row, i) => {
        const cells = this.columns.map((column, c) => {
          const content = column.cell(row);
          const act = this.act;
          return h(
            "td",
            { class: column.number ? "number" : "" },
            c === 0 && act ? button(content, () => act(row), { class: "link" }) : content,
          );
        });
        return h("tr", { "aria-rowindex": String(from + i + 2) }, cells);
      }),
      from + count < this.shown.length && gap(this.shown.length - from - count),
    );
  }
}
