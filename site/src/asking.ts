/** The only loop for questions to the engine: the last question wins. An earlier one stops at its next `wait`, and an error is shown in place of the answer. */

import { isAt } from "./address";
import { Overtaken } from "./api";
import { fill } from "./dom";
import { failure } from "./parts";

/** Waits for an answer; throws `Overtaken` if a newer question was asked meanwhile. */
export type Wait = <T>(answer: Promise<T>) => Promise<T>;

/** A question that takes longer, in milliseconds, is marked as busy. */
const SLOW = 150;

export class Asking {
  private run = 0;

  /** Answers are shown in `into`. `tab` is the tab whose address contains the question, if there is one. */
  constructor(
    private readonly into: HTMLElement,
    private readonly tab: string | null = null,
  ) {}

  /** Abandons the question that still runs. */
  stop(): void {
    this.run++;
    this.into.removeAttribute("aria-busy");
  }

  /** Sets the address to that of the question. */
  isAt(hash: string): void {
    if (this.tab !== null) isAt(this.tab, hash);
  }

  /** Runs this question. `again` is offered as a retry if it fails. */
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
