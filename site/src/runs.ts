/** Where the library runs: in a worker, as WebAssembly. In the page that a program shows, `asks.ts` takes the place of this file. */

let module: Promise<WebAssembly.Module> | undefined;

/** The module of the site, which is fetched once for all engines, and again after a failure. */
export function fetched(): Promise<WebAssembly.Module | null> {
  module ??= fetchModule().catch((error: unknown) => {
    module = undefined;
    throw error;
  });
  return module;
}

async function fetchModule(): Promise<WebAssembly.Module> {
  const response = await fetch("./kanshape.wasm").catch((error: unknown) => {
    throw new Error(`kanshape.wasm can't be loaded: ${String(error)}`);
  });
  if (!response.ok) throw new Error(`kanshape.wasm can't be loaded: ${response.status}`);
  if (response.headers.get("content-type") === "application/wasm") return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

export function newWorker(): Worker {
  return new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
}

/** Where a page of the manual is. */
export function manual(page: string): string {
  return `./docs/${page}.html`;
}
