/** The one loop for asking: what was asked last is what is shown. What was asked before it ends where it waits, and a failure is shown where the answer would be. */

import { isAt } from "./address";
import { Overtaken } from "./api";
import { fill } from "./dom";
import { failure } from "./parts";

/** Waits for something, and goes on only if nothing else was asked meanwhile. */
export type Wait = <T>(answer: Promise<T>) => Promise<T>;

/** What takes longer is said to be busy. */
const SLOW = 150;

export class Asking {
  private run = 0;

  /** What is asked is answered in `into`, which is a part of a tab, if its address says what was asked. */
  constructor(
    private readonly into: HTMLElement,
    private readonly tab: string | null = null,
  ) {}

  /** Whatever still runs is of interest no longer. */
  stop(): void {
    this.run++;
    this.into.removeAttribute("aria-busy");
  }

  /** The address of what is shown now. */
  isAt(hash: string): void {
    if (this.tab !== null) isAt(this.tab, hash);
  }

  /** Does this work. `again` is offered if it fails. */
  async ask(work: (wait: Wait) => Promise<void>, again: (() => void) | null = null): Promise<void> {
    const run = ++this.run;
    const slow = setTimeout(() => run === this.run && this.into.setAttribute("aria-busy", "true"), SLOW);
    const wait: Wait = async (answer) => {
      const found = await answer;
      if (run !== this.run) throw new Overtaken();
      return found;
    };
    try {
      await work(wait);
    } catch (error) {
      if (!(error instanceof Overtaken) && run === this.run) fill(this.into, failure(error, again));
    } finally {
      clearTimeout(slow);
      if (run === this.run) this.into.removeAttribute("aria-busy");
    }
  }
}
