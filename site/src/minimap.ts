/** The whole graph in a corner, and the part of it that is in view. For the mouse: keys and the search go through the graph itself. */

import { s } from "./dom";

export interface Part {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** No larger than this, in units of the page. */
const WIDE = 150;
const HIGH = 200;
/** A graph that is a line is drawn wider than it is. */
const LEAST = 34;

export class Minimap {
  private readonly boxes = s("path", { class: "map-boxes" });
  private readonly frame = s("rect", { class: "map-frame" });
  readonly view = s("svg", { class: "minimap", "aria-hidden": "true" }, this.boxes, this.frame);
  private all = { w: 1, h: 1 };

  constructor(private readonly goTo: (x: number, y: number) => void) {
    const go = (e: PointerEvent): void => {
      const rect = this.view.getBoundingClientRect();
      this.goTo(
        ((e.clientX - rect.left) / (rect.width || 1)) * this.all.w,
        ((e.clientY - rect.top) / (rect.height || 1)) * this.all.h,
      );
    };
    this.view.addEventListener("pointerdown", (e) => {
      e.preventDefault();
      this.view.setPointerCapture(e.pointerId);
      go(e);
    });
    this.view.addEventListener("pointermove", (e) => {
      if (this.view.hasPointerCapture(e.pointerId)) go(e);
    });
  }

  /** What is drawn, in a graph of this size. */
  show(all: { w: number; h: number }, parts: Part[]): void {
    this.all = all;
    const scale = Math.min(WIDE / all.w, HIGH / all.h);
    this.view.setAttribute("viewBox", `0 0 ${all.w} ${all.h}`);
    this.view.setAttribute("width", String(Math.max(all.w * scale, LEAST)));
    this.view.setAttribute("height", String(Math.max(all.h * scale, LEAST)));
    this.view.setAttribute("preserveAspectRatio", "none");
    // So small that they can't be seen, boxes are drawn larger.
    const least = 1.5 / scale;
    const rect = ({ x, y, w, h }: Part): string => {
      const [wide, high] = [Math.max(w, least), Math.max(h, least)];
      return `M${x - wide / 2},${y - high / 2}h${wide}v${high}h${-wide}z`;
    };
    this.boxes.setAttribute("d", parts.map(rect).join(""));
  }

  /** This part is in view. */
  look(part: Part): void {
    const isAll = part.x <= 0 && part.y <= 0 && part.x + part.w >= this.all.w && part.y + part.h >= this.all.h;
    this.view.classList.toggle("idle", isAll);
    const x = Math.min(Math.max(part.x, 0), this.all.w);
    const y = Math.min(Math.max(part.y, 0), this.all.h);
    const frame = {
      x,
      y,
      width: Math.max(Math.min(part.x + part.w, this.all.w) - x, 0),
      height: Math.max(Math.min(part.y + part.h, this.all.h) - y, 0),
    };
    for (const [name, value] of Object.entries(frame)) this.frame.setAttribute(name, String(value));
  }
}
