/**
 * Arrays as PostgreSQL's binary parameters. `pg` writes arrays as text with every element quoted, which the server then
 * parses; a Buffer is sent unchanged. With hundreds of rows per statement this saves nearly half of the time.
 */
const headerBytes = 20;
const textType = 25;
const smallType = 21;
const bigType = 20;
const intType = 23;
const doubleType = 701;
const twoTo32 = 4_294_967_296;

export function textArray(items: readonly (string | null)[]): Buffer {
  const lengths = new Array<number>(items.length);
  let bytes = headerBytes + 4 * items.length;
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    const length = item === null || item === undefined ? -1 : Buffer.byteLength(item);
    lengths[i] = length;
    if (length > 0) bytes += length;
  }
  const buffer = Buffer.allocUnsafe(bytes);
  let at = writeHeader(buffer, textType, items.length);
  for (let i = 0; i < items.length; i++) {
    const length = lengths[i] as number;
    at = buffer.writeInt32BE(length, at);
    if (length > 0) at += buffer.write(items[i] as string, at, length, 'utf8');
  }
  return buffer;
}

export function bigArray(items: readonly (number | null)[]): Buffer {
  return numberArray(items, bigType, 8, (buffer, item, at) => {
    const high = Math.floor(item / twoTo32);
    buffer.writeInt32BE(high, at);
    buffer.writeUInt32BE(item - high * twoTo32, at + 4);
  });
}

export function smallArray(items: readonly (number | null)[]): Buffer {
  return numberArray(items, smallType, 2, (buffer, item, at) => buffer.writeInt16BE(item, at));
}

export function intArray(items: readonly (number | null)[]): Buffer {
  return numberArray(items, intType, 4, (buffer, item, at) => buffer.writeInt32BE(item, at));
}

export function doubleArray(items: readonly (number | null)[]): Buffer {
  return numberArray(items, doubleType, 8, (buffer, item, at) => buffer.writeDoubleBE(item, at));
}

function numberArray(
  items: readonly (number | null)[],
  type: number,
  width: number,
  put: (buffer: Buffer, item: number, at: number) => void,
): Buffer {
  const buffer = Buffer.allocUnsafe(headerBytes + (4 + width) * items.length);
  let at = writeHeader(buffer, type, items.length);
  for (const item of items) {
    if (item === null) {
      at = buffer.writeInt32BE(-1, at);
      continue;
    }
    // Written without this check, it would become another number.
    if (!Number.isFinite(item)) throw new RangeError(`${item} cannot be stored: numbers must be finite`);
    at = buffer.writeInt32BE(width, at);
    put(buffer, item, at);
    at += width;
  }
  return buffer.subarray(0, at);
}

/** One dimension that begins at 1 and may contain nulls. An empty array has one dimension of length 0, which unnests to nothing. */
function writeHeader(buffer: Buffer, type: number, length: number): number {
  buffer.writeInt32BE(1, 0);
  buffer.writeInt32BE(1, 4);
  buffer.writeInt32BE(type, 8);
  buffer.writeInt32BE(length, 12);
  return buffer.writeInt32BE(1, 16);
}
