/**
 * ONNX files without their weights: the fields of a file are read by slices, and the data of large tensors are passed
 * over. What is left types like the whole, and its typed form gets the data back.
 */

import { isArchive, programAlone } from "./archive";

/** Data of at most so many bytes can decide about shapes, and stay. */
const SMALL = 16 * 1024;
/** The field of a tensor that says which data were left out; no tensor has it otherwise. */
const MARK = 8191;
/** So much of a file is read at a time. */
const BLOCK = 1 << 20;

const GRAPH = 7;
const NODE = 1;
const INITIALIZER = 5;
const SPARSE = 15;
const FUNCTION = 25;
const ATTRIBUTE = 5;
/** The fields of a tensor that hold data. */
const DATA = new Set([4, 5, 6, 7, 9, 10, 11]);

/** A file, read in blocks. */
class Source {
  private at = -1;
  private block = new Uint8Array();
  constructor(readonly file: Blob) {}

  async bytes(from: number, to: number): Promise<Uint8Array> {
    if (to - from > BLOCK) return new Uint8Array(await this.file.slice(from, to).arrayBuffer());
    if (this.at < 0 || from < this.at || to > this.at + this.block.length) {
      this.at = from;
      this.block = new Uint8Array(await this.file.slice(from, from + 2 * BLOCK).arrayBuffer());
    }
    return this.block.subarray(from - this.at, to - this.at);
  }
}

interface Field {
  number: number;
  wire: number;
  /** Where the field begins, its content begins, and it ends. */
  start: number;
  from: number;
  to: number;
}

export class NoModel extends Error {}

function varint(bytes: Uint8Array, at: number): [number, number] {
  let value = 0;
  let scale = 1;
  for (let i = 0; i < 10; i++) {
    const byte = bytes[at + i];
    if (byte === undefined) throw new NoModel("the file ends within a number");
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return [value, at + i + 1];
    scale *= 128;
  }
  throw new NoModel("a number is too long");
}

async function* fields(source: Source, from: number, to: number): AsyncGenerator<Field> {
  let at = from;
  while (at < to) {
    const head = await source.bytes(at, Math.min(at + 20, to));
    const [key, afterKey] = varint(head, 0);
    const wire = key % 8;
    const field = { number: Math.floor(key / 8), wire, start: at, from: at + afterKey, to: at };
    if (wire === 0) field.to = at + varint(head, afterKey)[1];
    else if (wire === 1) field.to = field.from + 8;
    else if (wire === 5) field.to = field.from + 4;
    else if (wire === 2) {
      const [length, begin] = varint(head, afterKey);
      field.from = at + begin;
      field.to = field.from + length;
    } else throw new NoModel(`a field has the unknown form ${wire}`);
    if (field.to > to) throw new NoModel("a field is longer than what it is in");
    yield field;
    at = field.to;
  }
}

class Writer {
  readonly parts: Uint8Array[] = [];
  length = 0;
  push(bytes: Uint8Array): void {
    this.parts.push(bytes);
    this.length += bytes.length;
  }
  varint(value: number): void {
    const bytes: number[] = [];
    do {
      const low = value % 128;
      value = Math.floor(value / 128);
      bytes.push(value > 0 ? low + 128 : low);
    } while (value > 0);
    this.push(Uint8Array.from(bytes));
  }
  message(number: number, content: Writer): void {
    this.varint(number * 8 + 2);
    this.varint(content.length);
    for (const part of content.parts) this.push(part);
  }
  joined(): Uint8Array {
    const all = new Uint8Array(this.length);
    let at = 0;
    for (const part of this.parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }
}

/** A model without the data of its large tensors, and where these are in the file. */
export interface Stripped {
  bytes: Uint8Array;
  file: Blob;
  /** By the number of the mark: the parts of the file that were left out. */
  left: { from: number; to: number }[][];
  /** How many bytes of the file were read. */
  read: number;
}

/** Reads a file without its weights. A file that is no model is handed on as it is, so that the engine says what is wrong with it. */
export async function strip(file: Blob, progress: (done: number) => void): Promise<Stripped> {
  const alone = (await isArchive(file)) ? await programAlone(file) : null;
  if (alone) return { bytes: alone, file, left: [], read: alone.length };
  if (file.size <= 4 * SMALL) {
    return { bytes: new Uint8Array(await file.arrayBuffer()), file, left: [], read: file.size };
  }
  const source = new Source(file);
  const left: Stripped["left"] = [];
  const seen = { last: 0 };
  const walk = async (
    from: number,
    to: number,
    inner: (field: Field) => "tensor" | "sparse" | ((field: Field) => unknown) | null,
    out: Writer,
  ): Promise<void> => {
    for await (const field of fields(source, from, to)) {
      if (field.to - seen.last > BLOCK) {
        seen.last = field.to;
        progress(field.to / file.size);
      }
      const kind = field.wire === 2 && field.to - field.from > 64 ? inner(field) : null;
      if (kind === null) {
        out.push((await source.bytes(field.start, field.to)).slice());
        continue;
      }
      const content = new Writer();
      if (kind === "tensor") await tensor(field, content);
      else if (kind === "sparse")
        await walk(field.from, field.to, (one) => (one.number <= 2 ? "tensor" : null), content);
      else await walk(field.from, field.to, kind as (field: Field) => null, content);
      out.message(field.number, content);
    }
  };
  const tensor = async (field: Field, out: Writer): Promise<void> => {
    const cut: { from: number; to: number }[] = [];
    for await (const one of fields(source, field.from, field.to)) {
      if (DATA.has(one.number) && one.wire === 2 && one.to - one.from > SMALL)
        cut.push({ from: one.start, to: one.to });
      else out.push((await source.bytes(one.start, one.to)).slice());
    }
    if (cut.length === 0) return;
    out.varint(MARK * 8);
    out.varint(left.length);
    left.push(cut);
  };
  type Inner = (field: Field) => "tensor" | "sparse" | Inner | null;
  const attribute: Inner = (field) =>
    field.number === 5 || field.number === 10
      ? "tensor"
      : field.number === 6 || field.number === 11
        ? graph
        : field.number === 22 || field.number === 23
          ? "sparse"
          : null;
  const node: Inner = (field) => (field.number === ATTRIBUTE ? attribute : null);
  const graph: Inner = (field) =>
    field.number === INITIALIZER ? "tensor" : field.number === SPARSE ? "sparse" : field.number === NODE ? node : null;
  const functions: Inner = (field) => (field.number === 7 ? node : null);
  const model: Inner = (field) => (field.number === GRAPH ? graph : field.number === FUNCTION ? functions : null);
  const out = new Writer();
  try {
    await walk(0, file.size, model, out);
  } catch (error) {
    if (!(error instanceof NoModel)) throw error;
    // The engine reports what is wrong, of as much as it can hold.
    return {
      bytes: new Uint8Array(await file.slice(0, 64 * BLOCK).arrayBuffer()),
      file,
      left: [],
      read: Math.min(file.size, 64 * BLOCK),
    };
  }
  progress(1);
  const dropped = left.flat().reduce((sum, one) => sum + one.to - one.from, 0);
  return { bytes: out.joined(), file, left, read: file.size - dropped };
}

/** A model that was written without its large tensors, with these as they are in the file. */
export async function restore(typed: Uint8Array, own: Stripped): Promise<Blob> {
  if (own.left.length === 0) return new Blob([typed as Uint8Array<ArrayBuffer>]);
  const source = new Source(new Blob([typed as Uint8Array<ArrayBuffer>]));
  type Piece = Blob | Uint8Array<ArrayBuffer>;
  type Built = { parts: Piece[]; length: number };
  const number = (value: number): Uint8Array<ArrayBuffer> => {
    const writer = new Writer();
    writer.varint(value);
    return writer.joined() as Uint8Array<ArrayBuffer>;
  };
  const push = (to: Built, part: Piece): void => {
    to.parts.push(part);
    to.length += part instanceof Blob ? part.size : part.length;
  };
  const copy = async (to: Built, from: number, end: number): Promise<void> =>
    push(to, (await source.bytes(from, end)).slice() as Uint8Array<ArrayBuffer>);
  type Level = "model" | "graph" | "node" | "attribute" | "function" | "tensor" | "sparse";
  const below = (level: Level, n: number): Level | null => {
    switch (level) {
      case "model":
        return n === GRAPH ? "graph" : n === FUNCTION ? "function" : null;
      case "function":
        return n === 7 ? "node" : null;
      case "graph":
        return n === INITIALIZER ? "tensor" : n === SPARSE ? "sparse" : n === NODE ? "node" : null;
      case "node":
        return n === ATTRIBUTE ? "attribute" : null;
      case "attribute":
        return n === 5 || n === 10 ? "tensor" : n === 6 || n === 11 ? "graph" : n === 22 || n === 23 ? "sparse" : null;
      case "sparse":
        return n <= 2 ? "tensor" : null;
      case "tensor":
        return null;
    }
  };
  const build = async (from: number, to: number, level: Level): Promise<Built> => {
    const out: Built = { parts: [], length: 0 };
    for await (const field of fields(source, from, to)) {
      if (level === "tensor" && field.number === MARK) {
        const [mark] = varint(await source.bytes(field.from, field.to), 0);
        for (const one of own.left[mark] ?? []) push(out, own.file.slice(one.from, one.to));
        continue;
      }
      const inner = field.wire === 2 ? below(level, field.number) : null;
      if (inner === null) {
        await copy(out, field.start, field.to);
        continue;
      }
      const content = await build(field.from, field.to, inner);
      push(out, number(field.number * 8 + 2));
      push(out, number(content.length));
      for (const part of content.parts) out.parts.push(part);
      out.length += content.length;
    }
    return out;
  };
  const all = await build(0, typed.length, "model");
  return new Blob(all.parts);
}
