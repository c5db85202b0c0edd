/** Where the library runs in the page that a program shows: in that program. It takes the place of `runs.ts`. */

/** There is nothing to load. */
export async function fetched(): Promise<WebAssembly.Module | null> {
  return null;
}

export function newWorker(): Worker {
  return new Worker(new URL("./asks.worker.ts", import.meta.url), { type: "module" });
}

/** Where a page of the manual is. The program has the pages of the codes alone. */
export function manual(page: string): string {
  const docs = "https://github.com/kanshape/kanshape/tree/main/docs";
  return page === "index" ? docs : `${docs}/${page}.md`;
}
