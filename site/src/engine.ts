/** The library in a worker. A question that is overtaken while it runs long is ended with its worker. */

import type { Asker, Line } from "./api";
import { Overtaken } from "./api";
import { read, written } from "./exact";
import { newWorker } from "./runs";
import type { Reply, Request } from "./worker";

type Waiting = {
  request: Wanted;
  resolve: (reply: Reply) => void;
  reject: (error: Error) => void;
  since: number;
  topic: string | null;
};
type Wanted = Request extends infer R ? (R extends Request ? Omit<R, "id"> : never) : never;

/** A question that runs longer than this is ended rather than waited for. */
const PATIENCE = 250;

export class Engine implements Asker {
  private worker: Worker | undefined;
  private starting: Promise<void> | undefined;
  private module: Promise<WebAssembly.Module | null> | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private readonly models = new Map<string, Uint8Array>();
  private last = 0;
  /** Bytes of the module's memory after the last answer. */
  memory = 0;

  constructor(private readonly load: () => Promise<WebAssembly.Module | null>) {}

  private start(): Promise<void> {
    this.starting ??= this.begin().catch((error: unknown) => {
      // The next question tries it again.
      this.module = undefined;
      this.starting = undefined;
      throw error;
    });
    return this.starting;
  }

  private async begin(): Promise<void> {
    this.module ??= this.load();
    const module = await this.module;
    const worker = newWorker();
    this.worker = worker;
    worker.onmessage = (event: MessageEvent<Reply>) => this.arrived(event.data);
    worker.onerror = (event) => this.stop(new Error(event.message || "the engine has failed"));
    await this.send({ do: "start", module });
    for (const [name, bytes] of this.models) await this.send({ do: "put", name, bytes });
  }

  private arrived(reply: Reply): void {
    const waiting = this.waiting.get(reply.id);
    this.waiting.delete(reply.id);
    if (reply.memory) this.memory = reply.memory;
    if (reply.failed !== undefined && !reply.failed.startsWith("{")) {
      // The instance is spoilt by what it has failed on.
      this.stop(new Error(reply.failed));
      waiting?.reject(new Error(`kanshape failed: ${reply.failed}`));
      return;
    }
    waiting?.resolve(reply);
  }

  private stop(error: Error): void {
    this.worker?.terminate();
    this.worker = undefined;
    this.starting = undefined;
    for (const one of this.waiting.values()) one.reject(error);
    this.waiting.clear();
  }

  /** Ends what runs of a topic, with its worker. What is asked of other topics is asked again. */
  private overtake(topic: string): void {
    const others = [...this.waiting.values()].filter((one) => one.topic !== topic && one.request.do !== "start");
    for (const one of others) this.forget(one);
    this.stop(new Overtaken());
    if (others.length === 0) return;
    const again = (): void => {
      // A model that waits to be given is given by the start already.
      for (const one of others) this.send(one.request, one.topic).then(one.resolve, one.reject);
    };
    this.start().then(again, (error: unknown) => {
      for (const one of others) one.reject(error instanceof Error ? error : new Error(String(error)));
    });
  }

  private forget(one: Waiting): void {
    for (const [id, own] of this.waiting) if (own === one) this.waiting.delete(id);
  }

  private send(request: Wanted, topic: string | null = null): Promise<Reply> {
    const id = ++this.last;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { request, resolve, reject, since: performance.now(), topic });
      this.worker?.postMessage({ ...request, id });
    });
  }

  /** The answer to a line. One of the same topic that still runs is overtaken. */
  async ask<T>(line: Line, topic: string | null = null): Promise<T> {
    return read(await this.raw(written(line), topic)) as T;
  }

  /** The text of the answer, as it is. */
  async raw(line: string, topic: string | null = null): Promise<string> {
    if (topic !== null) {
      // What was asked first is what runs. What waits behind another topic's is short, and its answer is passed over.
      const [runs] = this.waiting.values();
      if (runs?.topic === topic && performance.now() - runs.since > PATIENCE) this.overtake(topic);
    }
    await this.start();
    return (await this.send({ do: "answer", line }, topic)).text ?? "null";
  }

  /** Gives a model that lines can be about. */
  async put(name: string, bytes: Uint8Array): Promise<void> {
    await this.start();
    this.models.set(name, bytes);
    await this.send({ do: "put", name, bytes });
  }

  /** A model with its types written into it. */
  async typed(line: Line): Promise<Uint8Array> {
    await this.start();
    const reply = await this.send({ do: "typed", line: written(line) });
    if (!reply.bytes) throw new Error(reply.failed ?? "the model can't be written");
    return reply.bytes;
  }
}
