/** Links that carry a model: its bytes without weights, compressed, as text. */

/** A link of more than this is cut by too many programs that it passes through. */
const LONGEST = 8_000;
/** What a link unpacks to is no longer than this. */
const MOST = 4 << 20;

/** The bytes as a part of a link; null if that is too long. */
export async function packed(bytes: Uint8Array): Promise<string | null> {
  if (bytes.length > MOST) return null;
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>])
    .stream()
    .pipeThrough(new CompressionStream("deflate-raw"));
  const small = new Uint8Array(await new Response(stream).arrayBuffer());
  if (small.length * 4 > LONGEST * 3) return null;
  let text = "";
  for (const byte of small) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The bytes of a part of a link; null if it is none. */
export async function unpacked(text: string): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    const small = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
    const stream = new Blob([small]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    let length = 0;
    const reader = stream.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      length += value.length;
      if (length > MOST) {
        await reader.cancel();
        return null;
      }
      pieces.push(value);
    }
    return new Uint8Array(await new Blob(pieces).arrayBuffer());
  } catch {
    return null;
  }
}
