/** Asks the program that shows the page, one question after another: the messages are those of `worker.ts`. Ended, it takes what it
 * asks with it: the program stops what nobody waits for. */

import type { Reply, Request } from "./worker";

/** The program keeps the models of each worker apart. */
const own = crypto.randomUUID();
const encoder = new TextEncoder();

async function post(what: string, body: Uint8Array<ArrayBuffer>): Promise<Response> {
  const response = await fetch(new URL(`./ask/${own}/${what}`, self.location.href.replace(/[^/]*$/, "")), {
    method: "POST",
    body,
  }).catch(() => {
    throw new Error("the program that shows this page does not answer: is it still running?");
  });
  if (!response.ok)
    throw new Error(`the program that shows this page answers ${response.status} ${response.statusText}`);
  return response;
}

async function handle(request: Request): Promise<Reply> {
  const { id } = request;
  switch (request.do) {
    case "start":
      return { id };
    case "answer":
      return { id, text: await (await post("answer", encoder.encode(request.line))).text() };
    case "typed": {
      const response = await post("typed", encoder.encode(request.line));
      const isModel = response.headers.get("content-type") !== "application/json";
      return isModel
        ? { id, bytes: new Uint8Array(await response.arrayBuffer()) }
        : { id, failed: await response.text() };
    }
    case "put": {
      const name = encoder.encode(request.name);
      const all = new Uint8Array(name.length + request.bytes.length);
      all.set(name);
      all.set(request.bytes, name.length);
      await post(`put/${name.length}`, all);
      return { id };
    }
  }
}

let last: Promise<void> = Promise.resolve();
self.onmessage = (event: MessageEvent<Request>) => {
  const answer = async (): Promise<void> => {
    try {
      self.postMessage(await handle(event.data));
    } catch (error) {
      self.postMessage({
        id: event.data.id,
        failed: error instanceof Error ? error.message : String(error),
      } satisfies Reply);
    }
  };
  last = last.then(answer);
};
