/** Undo and redo of what a view shows. */

import { button } from "./dom";

/** What is typed without a pause as long as this, in ms, is one step. */
const PAUSE = 800;

export class Steps<T> {
  private past: T[] = [];
  private future: T[] = [];
  private typedAt = -1e9;
  private readonly undoButton = button("Undo", () => this.undo(), {
    title: "Undo (Alt+Z)",
    "aria-keyshortcuts": "Alt+Z",
    class: "quiet",
  });
  private readonly redoButton = button("Redo", () => this.redo(), {
    title: "Redo (Alt+Shift+Z)",
    "aria-keyshortcuts": "Alt+Shift+Z",
    class: "quiet",
  });
  readonly buttons = [this.undoButton, this.redoButton];

  private now: T;

  constructor(
    first: T,
    /** Shows a state again. */
    private readonly show: (state: T) => void,
  ) {
    // The view may change its own.
    this.now = structuredClone(first);
    this.draw();
  }

  /** The state that the view has now. */
  put(next: T, isTyped = false): void {
    const time = performance.now();
    if (!isTyped || time - this.typedAt > PAUSE) this.past.push(structuredClone(this.now));
    this.typedAt = isTyped ? time : -1e9;
    this.future = [];
    this.now = structuredClone(next);
    this.draw();
  }

  /** Another subject, whose first state this is. */
  clear(first: T): void {
    this.past = [];
    this.future = [];
    this.typedAt = -1e9;
    this.now = structuredClone(first);
    this.draw();
  }

  /** Alt+Z and Alt+Shift+Z, wherever the focus is in an element. */
  listen(view: HTMLElement): void {
    view.addEventListener("keydown", (e) => {
      if (!e.altKey || e.code !== "KeyZ") return;
      e.preventDefault();
      if (e.shiftKey) this.redo();
      else this.undo();
    });
  }

  private undo(): void {
    this.move(this.past, this.future);
  }

  private redo(): void {
    this.move(this.future, this.past);
  }

  private move(from: T[], to: T[]): void {
    const state = from.pop();
    if (state === undefined) return;
    to.push(this.now);
    this.now = state;
    this.typedAt = -1e9;
    this.draw();
    this.show(structuredClone(state));
  }

  private draw(): void {
    this.undoButton.disabled = this.past.length === 0;
    this.redoButton.disabled = this.future.length === 0;
  }
}
