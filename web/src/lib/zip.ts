// Files in one: a plain archive, nothing pressed, as every machine opens it.

const TABLE = Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k += 1) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
  return c >>> 0;
});
function crc(bytes: Uint8Array): number {
  let c = 0xffffffff;
  for (const b of bytes) c = (c >>> 8) ^ (TABLE[(c ^ b) & 255] ?? 0);
  return (c ^ 0xffffffff) >>> 0;
}

/** An archive of files by name. */
export function zip(files: [string, Uint8Array][]): Blob {
  const parts: Uint8Array[] = [];
  const heads: Uint8Array[] = [];
  let at = 0;
  const fields = (sizes: number[], values: number[]): Uint8Array => {
    const out = new DataView(new ArrayBuffer(sizes.reduce((a, b) => a + b, 0)));
    let n = 0;
    sizes.forEach((size, i) => {
      if (size === 2) out.setUint16(n, values[i] ?? 0, true);
      else out.setUint32(n, values[i] ?? 0, true);
      n += size;
    });
    return new Uint8Array(out.buffer);
  };
  for (const [name, bytes] of files) {
    const label = new TextEncoder().encode(name);
    const [sum, size] = [crc(bytes), bytes.length];
    // 0x21: the first of January 1980; the same files give the same archive.
    const local = fields([4, 2, 2, 2, 2, 2, 4, 4, 4, 2, 2], [0x04034b50, 20, 0x800, 0, 0, 0x21, sum, size, size, label.length, 0]);
    parts.push(local, label, bytes);
    heads.push(fields([4, 2, 2, 2, 2, 2, 2, 4, 4, 4, 2, 2, 2, 2, 2, 4, 4], [0x02014b50, 20, 20, 0x800, 0, 0, 0x21, sum, size, size, label.length, 0, 0, 0, 0, 0, at]), label);
    at += local.length + label.length + size;
  }
  const long = heads.reduce((n, h) => n + h.length, 0);
  const end = fields([4, 2, 2, 2, 2, 4, 4, 2], [0x06054b50, 0, 0, files.length, files.length, long, at, 0]);
  return new Blob([...parts, ...heads, end] as BlobPart[], { type: "application/zip" });
}
