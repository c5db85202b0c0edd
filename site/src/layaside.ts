/** Lays out in a worker, so that the page answers meanwhile. */

import type { Laid, Lay } from "./layout";

type Reply = { id: number; laid?: Laid; failed?: string };

let worker: Worker | undefined;
let last = 0;
const waiting = new Map<number, { done: (laid: Laid) => void; fail: (error: Error) => void }>();

function failed(text: string): void {
  for (const { fail } of waiting.values()) fail(new Error(text));
  waiting.clear();
  worker = undefined;
}

export const layAside: Lay = (sketch) => {
  if (!worker) {
    worker = new Worker(new URL("./layout.worker.ts", import.meta.url), { type: "module" });
    worker.onerror = (event) => failed(event.message || "the layout has failed");
    worker.onmessage = ({ data }: MessageEvent<Reply>) => {
      const own = waiting.get(data.id);
      waiting.delete(data.id);
      if (data.laid) own?.done(data.laid);
      else own?.fail(new Error(data.failed ?? "the layout has failed"));
    };
  }
  const id = ++last;
  worker.postMessage({ id, sketch });
  return new Promise((done, fail) => waiting.set(id, { done, fail }));
};
