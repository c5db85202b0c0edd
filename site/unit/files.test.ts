import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { describe, expect, test } from "vitest";
import { isArchive, programAlone } from "../src/archive";
import { packed, unpacked } from "../src/carried";
import { restore, strip } from "../src/onnx";

const MODELS = join(import.meta.dirname, "../../tests/data/models");
const blob = (bytes: Uint8Array): Blob => new Blob([bytes as Uint8Array<ArrayBuffer>]);
const bytesOf = async (file: Blob): Promise<Uint8Array> => new Uint8Array(await file.arrayBuffer());

describe("a model of ONNX without its weights", () => {
  test("and with them again, is the same to the byte", async () => {
    const names = readdirSync(MODELS).filter((name) => name.endsWith(".onnx"));
    expect(names.length).toBeGreaterThan(3);
    for (const name of names) {
      const whole = new Uint8Array(readFileSync(join(MODELS, name)));
      const own = await strip(blob(whole), () => {});
      expect(own.bytes.length).toBeLessThanOrEqual(whole.length + 64);
      if (own.left.length > 0)
        expect(Buffer.compare(await bytesOf(await restore(own.bytes, own)), whole), name).toBe(0);
    }
  });

  test("what is no model is handed on", async () => {
    const noise = new Uint8Array(200_000).fill(255);
    expect((await strip(blob(noise), () => {})).bytes.length).toBe(noise.length);
    expect((await strip(blob(new Uint8Array()), () => {})).bytes.length).toBe(0);
  });
});

/** A zip of files that are not compressed. */
function zip(files: [string, Uint8Array][]): Uint8Array {
  const locals: Buffer[] = [];
  const lists: Buffer[] = [];
  let at = 0;
  for (const [name, data] of files) {
    const local = Buffer.alloc(30 + name.length);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt32LE(crc32(data), 14);
    local.writeUInt32LE(data.length, 18);
    local.writeUInt32LE(data.length, 22);
    local.writeUInt16LE(name.length, 26);
    local.write(name, 30);
    const list = Buffer.alloc(46 + name.length);
    list.writeUInt32LE(0x02014b50, 0);
    local.copy(list, 16, 14, 26);
    list.writeUInt16LE(name.length, 28);
    list.writeUInt32LE(at, 42);
    list.write(name, 46);
    locals.push(local, Buffer.from(data));
    lists.push(list);
    at += local.length + data.length;
  }
  const list = Buffer.concat(lists);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(at, 16);
  return new Uint8Array(Buffer.concat([...locals, list, end]));
}

describe("an archive of torch", () => {
  const program = Buffer.from('{"graph_module": {}}');
  test("is its program alone", async () => {
    const whole = zip([
      ["m/data/weights/w0", new Uint8Array(300_000)],
      ["m/models/model.json", program],
      ["m/data/weights/w1", new Uint8Array(300_000)],
    ]);
    expect(await isArchive(blob(whole))).toBe(true);
    const alone = await programAlone(blob(whole));
    expect(Buffer.compare(alone ?? new Uint8Array(), zip([["m/models/model.json", program]]))).toBe(0);
    expect((await strip(blob(whole), () => {})).read).toBeLessThan(1000);
  });

  test("as torch writes it, is its program alone", async () => {
    const folder = join(MODELS, "../torch/export");
    const names = readdirSync(folder).filter((name) => name.endsWith(".pt2"));
    expect(names.length).toBeGreaterThan(3);
    for (const name of names) {
      const whole = new Uint8Array(readFileSync(join(folder, name)));
      const alone = await programAlone(blob(whole));
      expect(alone?.length, name).toBeLessThanOrEqual(whole.length);
      // What is cut once is as small as it gets.
      expect(
        Buffer.compare(
          (await programAlone(blob(alone ?? new Uint8Array()))) ?? new Uint8Array(),
          alone ?? new Uint8Array(),
        ),
        name,
      ).toBe(0);
    }
  });

  test("that is broken is read whole", async () => {
    const whole = zip([["m/models/model.json", program]]);
    expect(await programAlone(blob(zip([["m/data/w", program]])))).toBeNull();
    expect(await programAlone(blob(whole.slice(0, -30)))).toBeNull();
    for (let i = 0; i < whole.length; i++) {
      const broken = whole.slice();
      broken[i] = 0xff ^ (broken[i] ?? 0);
      const found = await programAlone(blob(broken));
      expect(found === null || found.length <= broken.length + 22).toBe(true);
    }
  });
});

test("a small model goes into a link and comes out of it", async () => {
  const small = new Uint8Array(readFileSync(join(MODELS, "small/fused.onnx")));
  const text = await packed(small);
  expect(text).toMatch(/^[\w-]+$/);
  expect(Buffer.compare((await unpacked(text ?? "")) ?? new Uint8Array(), small)).toBe(0);
  expect(await packed(crypto.getRandomValues(new Uint8Array(20_000)))).toBeNull();
  expect(await unpacked("~~~")).toBeNull();
  expect(await unpacked("AAAA")).toBeNull();
  // A megabyte of zeros is short; a link does not unpack to more than the page takes.
  const bomb = new Uint8Array(
    await new Response(
      blob(new Uint8Array(64 << 20))
        .stream()
        .pipeThrough(new CompressionStream("deflate-raw")),
    ).arrayBuffer(),
  );
  expect(await unpacked(Buffer.from(bomb).toString("base64url"))).toBeNull();
});
