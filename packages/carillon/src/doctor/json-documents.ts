/** Parses JSON with the line of every field, so that a problem can be shown with its line. */
import type { ManifestDocument, ManifestPath as Path } from './manifest-document.ts';

/** A blank text has no document. */
export function jsonDocuments(text: string): readonly ManifestDocument[] {
  if (text.trim() === '') return [];
  const reader = new JsonReader(text);
  try {
    const value = reader.read();
    return [{ errors: [], value, line: (path) => reader.lines.get(keyOf(path)) }];
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    const { message, line } = error;
    const fix = 'write JSON; YAML needs the server package: npm install @carillon/server';
    return [{ errors: [{ reason: 'NOT_JSON', message, line, fix }], value: null, line: () => undefined }];
  }
}

class NotJson extends Error {
  override readonly name = 'NotJson';
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

const space = /[ \t\r\n]*/y;
/** Any scalar; `JSON.parse` validates it. */
const scalar = /"(?:[^"\\\n]|\\.)*"|[^\s,:[\]{}"]+/y;

class JsonReader {
  /** The line of each field name or element, by the key of its path. */
  readonly lines = new Map<string, number>();
  readonly #text: string;
  #at = 0;
  #line = 1;

  constructor(text: string) {
    this.#text = text;
  }

  read(): unknown {
    this.#skip();
    this.#note([]);
    const value = this.#value([]);
    if (this.#at < this.#text.length) this.#refuse('there is more text behind the end of the value');
    return value;
  }

  #value(path: Path): unknown {
    if (this.#take('{')) return this.#object(path);
    if (this.#take('[')) return this.#list(path);
    return this.#scalar();
  }

  #object(path: Path): unknown {
    const fields: [string, unknown][] = [];
    if (this.#take('}')) return {};
    do {
      const line = this.#line;
      const name = this.#scalar();
      if (typeof name !== 'string') this.#refuse('the name of a field must stand in double quotes');
      const own = [...path, name];
      this.#note(own, line);
      if (!this.#take(':')) this.#refuse(`a colon is missing behind "${name}"`);
      fields.push([name, this.#value(own)]);
    } while (this.#take(','));
    if (!this.#take('}')) this.#refuse('a comma or } is missing');
    return Object.fromEntries(fields);
  }

  #list(path: Path): unknown {
    const items: unknown[] = [];
    if (this.#take(']')) return items;
    do {
      const own = [...path, items.length];
      this.#note(own);
      items.push(this.#value(own));
    } while (this.#take(','));
    if (!this.#take(']')) this.#refuse('a comma or ] is missing');
    return items;
  }

  #scalar(): unknown {
    scalar.lastIndex = this.#at;
    const [found] = scalar.exec(this.#text) ?? [];
    if (found === undefined) this.#refuse('a value is missing');
    try {
      const value: unknown = JSON.parse(found);
      this.#at += found.length;
      this.#skip();
      return value;
    } catch {
      this.#refuse(`${found} is not JSON`);
    }
  }

  #take(sign: string): boolean {
    if (this.#text[this.#at] !== sign) return false;
    this.#at += 1;
    this.#skip();
    return true;
  }

  #skip(): void {
    space.lastIndex = this.#at;
    const [found = ''] = space.exec(this.#text) ?? [];
    this.#line += found.split('\n').length - 1;
    this.#at += found.length;
  }

  #note(path: Path, line = this.#line): void {
    this.lines.set(keyOf(path), line);
  }

  #refuse(message: string): never {
    throw new NotJson(message, this.#line);
  }
}

function keyOf(path: Path): string {
  return JSON.stringify(path);
}
