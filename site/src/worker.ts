/** Runs the library: one message in, one message out. */

interface Exports {
  memory: WebAssembly.Memory;
  reserve(len: number): number;
  answer(): void;
  put(name: number): void;
  typed(): number;
  output(): number;
  output_len(): number;
}

export type Request =
  | { id: number; do: "start"; module: WebAssembly.Module | null }
  | { id: number; do: "answer"; line: string }
  | { id: number; do: "typed"; line: string }
  | { id: number; do: "put"; name: string; bytes: Uint8Array };

export type Reply = { id: number; text?: string; bytes?: Uint8Array; failed?: string; memory?: number };

let own: Exports | undefined;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

function give(bytes: Uint8Array): Exports {
  if (!own) throw new Error("the engine has not started");
  const at = own.reserve(bytes.length);
  new Uint8Array(own.memory.buffer, at, bytes.length).set(bytes);
  return own;
}

function taken(from: Exports): Uint8Array<ArrayBuffer> {
  return new Uint8Array(from.memory.buffer, from.output(), from.output_len()).slice();
}

async function handle(request: Request): Promise<Reply> {
  const { id } = request;
  switch (request.do) {
    case "start": {
      const imports = { kanshape: { now: () => performance.now() } };
      if (!request.module) throw new Error("there is no module");
      const instance = await WebAssembly.instantiate(request.module, imports);
      own = instance.exports as unknown as Exports;
      return { id };
    }
    case "answer": {
      const engine = give(encoder.encode(request.line));
      engine.answer();
      return { id, text: decoder.decode(taken(engine)), memory: engine.memory.buffer.byteLength };
    }
    case "typed": {
      const engine = give(encoder.encode(request.line));
      return engine.typed() === 1 ? { id, bytes: taken(engine) } : { id, failed: decoder.decode(taken(engine)) };
    }
    case "put": {
      const name = encoder.encode(request.name);
      const all = new Uint8Array(name.length + request.bytes.length);
      all.set(name);
      all.set(request.bytes, name.length);
      give(all).put(name.length);
      return { id };
    }
  }
}

self.onmessage = async (event: MessageEvent<Request>) => {
  try {
    self.postMessage(await handle(event.data));
  } catch (error) {
    self.postMessage({ id: event.data.id, failed: String(error) } satisfies Reply);
  }
};
