/** Lays out: one message in, one message out. */

import type { Laid, Sketch } from "./layout";
import { laid } from "./layout";

self.onmessage = (event: MessageEvent<{ id: number; sketch: Sketch }>) => {
  const { id, sketch } = event.data;
  try {
    self.postMessage({ id, laid: laid(sketch) satisfies Laid });
  } catch (error) {
    self.postMessage({ id, failed: String(error) });
  }
};
