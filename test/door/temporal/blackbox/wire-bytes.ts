/** Just enough of the wire format to plant unknown fields anywhere in a message, and to find them again. */

interface Piece {
  readonly number: number;
  readonly bytes: Buffer;
  readonly content: Buffer | undefined;
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  return Buffer.from([...bytes, rest]);
}

/** Tag and value of a length-delimited field. */
export function delimited(number: number, content: Uint8Array): Buffer {
  return Buffer.concat([varint(number * 8 + 2), varint(content.length), content]);
}

/** One unknown field of each kind, with a text that says where it was planted. */
export function strangers(where: string): Buffer {
  return Buffer.concat([
    delimited(4001, Buffer.from(`new in ${where}`)),
    varint(4002 * 8), // a number
    varint(123_456_789),
    varint(4003 * 8 + 5), // four bytes
    Buffer.from([1, 2, 3, 4]),
    varint(4004 * 8 + 1), // eight bytes
    Buffer.from([1, 2, 3, 4, 5, 6, 7, 8]),
  ]);
}

function pieces(message: Buffer): Piece[] {
  const found: Piece[] = [];
  let at = 0;
  const read = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = message[at++] as number;
      value += (byte % 128) * scale;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const start = at;
    const tag = read();
    const kind = tag % 8;
    let content: Buffer | undefined;
    if (kind === 0) read();
    else if (kind === 1) at += 8;
    else if (kind === 5) at += 4;
    else {
      const length = read();
      content = message.subarray(at, at + length);
      at += length;
    }
    found.push({ number: Math.floor(tag / 8), bytes: message.subarray(start, at), content });
  }
  return found;
}

/** Adds the bytes to every message at the end of the path of field numbers. */
export function plant(message: Buffer, path: readonly number[], extra: Buffer): Buffer {
  const [number, ...rest] = path;
  if (number === undefined) return Buffer.concat([message, extra]);
  return Buffer.concat(
    pieces(message).map(({ number: own, bytes, content }) =>
      own === number && content !== undefined ? delimited(number, plant(content, rest, extra)) : bytes,
    ),
  );
}

/** The contents at the end of the path. */
export function find(message: Buffer, path: readonly number[]): Buffer[] {
  const [number, ...rest] = path;
  if (number === undefined) return [message];
  return pieces(message)
    .filter((piece) => piece.number === number && piece.content !== undefined)
    .flatMap(({ content }) => find(content as Buffer, rest));
}
