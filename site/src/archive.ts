/** Archives of programs that `torch.export` has written: a zip with the program as JSON, and the weights, which are left out. */

/** The end of the list of files, and what a file has in it and before its data. */
const END = 0x06054b50;
const LISTED = 0x02014b50;
const LOCAL = 0x04034b50;
/** Behind the end there may be a text of so many bytes. */
const TAIL = 22 + 65_535;
/** No list of files is longer than this. */
const MOST = 64 << 20;

/** Does a file begin as an archive does? */
export async function isArchive(file: Blob): Promise<boolean> {
  const [p, k, three, four] = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  return p === 0x50 && k === 0x4b && three === 3 && four === 4;
}

/** The same archive with its program alone; null if it is one that can't be cut so, and the engine is to read all of it. */
export async function programAlone(file: Blob): Promise<Uint8Array | null> {
  const from = Math.max(0, file.size - TAIL);
  const tail = await view(file, from, file.size);
  let end = tail.byteLength - 22;
  while (end >= 0 && tail.getUint32(end, true) !== END) end--;
  if (end < 0) return null;
  const count = tail.getUint16(end + 10, true);
  const size = tail.getUint32(end + 12, true);
  const start = tail.getUint32(end + 16, true);
  // Numbers that do not fit stand elsewhere, in a form of their own.
  if (count === 0xffff || size === 0xffffffff || start === 0xffffffff || size > MOST || start + size > file.size)
    return null;
  const list = await view(file, start, start + size);
  const kept: { header: Uint8Array; local: Uint8Array }[] = [];
  let at = 0;
  for (let i = 0; i < count; i++) {
    if (at + 46 > list.byteLength || list.getUint32(at, true) !== LISTED) return null;
    const [packed, name, extra, comment, offset] = [
      list.getUint32(at + 20, true),
      list.getUint16(at + 28, true),
      list.getUint16(at + 30, true),
      list.getUint16(at + 32, true),
      list.getUint32(at + 42, true),
    ];
    const next = at + 46 + name + extra + comment;
    if (next > list.byteLength) return null;
    const text = new TextDecoder().decode(new Uint8Array(list.buffer, at + 46, name));
    if (isProgram(text)) {
      if (packed === 0xffffffff || offset === 0xffffffff || offset + 30 > file.size) return null;
      const local = await view(file, offset, offset + 30);
      if (local.getUint32(0, true) !== LOCAL) return null;
      const length = 30 + local.getUint16(26, true) + local.getUint16(28, true) + packed;
      if (offset + length > file.size) return null;
      kept.push({
        header: new Uint8Array(list.buffer.slice(at, next)),
        local: new Uint8Array(await file.slice(offset, offset + length).arrayBuffer()),
      });
    }
    at = next;
  }
  return kept.length === 0 ? null : joined(kept);
}

/** As the engine looks for it. */
function isProgram(name: string): boolean {
  const own = name.split("/").at(-1) ?? name;
  const folder = name.slice(0, name.length - own.length);
  return (
    own === "serialized_exported_program.json" ||
    (own.endsWith(".json") && (folder === "models/" || folder.endsWith("/models/")))
  );
}

function joined(files: { header: Uint8Array; local: Uint8Array }[]): Uint8Array {
  const data = files.reduce((sum, one) => sum + one.local.length, 0);
  const listed = files.reduce((sum, one) => sum + one.header.length, 0);
  const all = new Uint8Array(data + listed + 22);
  const numbers = new DataView(all.buffer);
  let at = 0;
  let list = data;
  for (const { header, local } of files) {
    all.set(local, at);
    all.set(header, list);
    numbers.setUint32(list + 42, at, true);
    at += local.length;
    list += header.length;
  }
  numbers.setUint32(list, END, true);
  numbers.setUint16(list + 8, files.length, true);
  numbers.setUint16(list + 10, files.length, true);
  numbers.setUint32(list + 12, listed, true);
  numbers.setUint32(list + 16, data, true);
  return all;
}

async function view(file: Blob, from: number, to: number): Promise<DataView> {
  return new DataView(await file.slice(from, to).arrayBuffer());
}
