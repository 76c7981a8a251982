/** Replays recorded requests: fills placeholders, sends, and compares the answer with the recorded one. */

export interface Recorded {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface Case {
  readonly id: string;
  readonly scenario: string;
  readonly title: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly body?: unknown;
    readonly rawBody?: string;
    readonly headers?: Readonly<Record<string, string>>;
  };
  readonly response: Recorded;
  readonly follow: 'match' | 'better' | 'info';
  readonly advice?: string;
  readonly unordered?: true;
  readonly waitMsBefore?: number;
  readonly save?: Readonly<Record<string, string>>;
  readonly otherStores?: Readonly<Record<string, Recorded>>;
}

export interface Heard {
  readonly status: number;
  readonly contentType: string | null;
  readonly contentLength: string | null;
  readonly text: string;
  readonly body: unknown;
}

/** Values of one scenario: `now`, and what earlier answers gave. */
export class Variables {
  readonly #values = new Map<string, unknown>();
  readonly #now: number;

  constructor(now: number) {
    this.#now = now;
  }

  /** A text that is one placeholder becomes its value; inside a longer text it is replaced. */
  fill(value: unknown): unknown {
    if (typeof value === 'string') return this.#fillText(value);
    if (Array.isArray(value)) return value.map((item) => this.fill(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [String(this.#fillText(key)), this.fill(item)]),
    );
  }

  keep({ save = {} }: Case, { body, text }: Heard): void {
    for (const [name, pointer] of Object.entries(save)) {
      this.#values.set(name, pointer === 'text' ? text : at(body, pointer));
    }
  }

  #fillText(text: string): unknown {
    const whole = /^<[^<>]+>$/.test(text) ? this.#value(text) : undefined;
    return (
      whole ?? text.replace(/<[^<>]+>/g, (placeholder) => String(this.#value(placeholder) ?? placeholder))
    );
  }

  #value(placeholder: string): unknown {
    const [, base = '', offset = '0'] = /^<(now|sec)([+-]\d+)?>$/.exec(placeholder) ?? [];
    if (base === 'now') return this.#now + Number(offset);
    if (base === 'sec') return Math.floor(this.#now / 1000) * 1000 + Number(offset);
    const [, repeated] = /^<x(\d+)>$/.exec(placeholder) ?? [];
    if (repeated !== undefined) return 'x'.repeat(Number(repeated));
    const [, name] = /^<\$(\w+)>$/.exec(placeholder) ?? [];
    return name === undefined ? undefined : this.#values.get(name);
  }
}

function at(body: unknown, pointer: string): unknown {
  let found = body;
  for (const key of pointer.split('/').slice(1))
    found = (found as Record<string, unknown> | undefined)?.[key];
  return found;
}

export async function send(url: string, { request }: Case, variables: Variables): Promise<Heard> {
  const { method, path, rawBody, headers } = request;
  const body = rawBody ?? ('body' in request ? JSON.stringify(variables.fill(request.body)) : undefined);
  const response = await fetch(`${url}${String(variables.fill(path))}`, {
    method,
    headers: headers ?? (body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(body === undefined
      ? {}
      : { body: headers === undefined || rawBody === undefined ? body : Buffer.from(body) }),
  });
  const text = await response.text();
  const contentType = response.headers.get('content-type');
  return {
    status: response.status,
    contentType,
    contentLength: response.headers.get('content-length'),
    text,
    body: contentType?.includes('json') === true && text !== '' ? JSON.parse(text) : text,
  };
}

/** What differs from the recorded answer; undefined when nothing does. */
export function difference(each: Case, heard: Heard): string | undefined {
  const accepted = [each.response, ...Object.values(each.otherStores ?? {})];
  const found = accepted.map((recorded) => differenceFrom(recorded, each, heard));
  return found.includes(undefined) ? undefined : found[0];
}

function differenceFrom(recorded: Recorded, each: Case, heard: Heard): string | undefined {
  if (heard.status !== recorded.status) {
    return `status ${heard.status} instead of ${recorded.status}: ${heard.text.slice(0, 300)}`;
  }
  if (recorded.body === null) {
    const isEmpty =
      heard.text === '' && (recorded.headers?.['content-length'] !== '0' || heard.contentLength === '0');
    return isEmpty ? undefined : `not empty: ${heard.text.slice(0, 200)}`;
  }
  const media = recorded.headers?.['content-type'];
  if (media !== undefined && heard.contentType?.split(';')[0] !== media.split(';')[0]) {
    return `content type ${heard.contentType} instead of ${media}`;
  }
  if (recorded.status >= 400) return errorDifference(recorded, heard);
  return bodyDifference(recorded.body, heard.body, '', each.unordered === true);
}

/** Messages matter where clients read them: not found, wrong method, conflict, broken rules of a list. */
function errorDifference(recorded: Recorded, heard: Heard): string | undefined {
  const wanted = recorded.body as Readonly<Record<string, unknown>>;
  const isRead = [404, 405, 409].includes(recorded.status) || 'validationErrors' in wanted;
  const { status, retryable } = wanted;
  return bodyDifference(isRead ? wanted : { status, retryable }, heard.body, '', false);
}

function bodyDifference(
  wanted: unknown,
  given: unknown,
  path: string,
  unordered: boolean,
): string | undefined {
  if (typeof wanted === 'string') return isText(wanted, given) ? undefined : told(path, wanted, given);
  if (Array.isArray(wanted)) {
    if (!Array.isArray(given) || given.length !== wanted.length) return told(path, wanted, given);
    const rest = [...given];
    for (const [index, item] of wanted.entries()) {
      const found = unordered
        ? rest.findIndex((other) => bodyDifference(item, other, path, true) === undefined)
        : 0;
      const trouble =
        found < 0
          ? told(`${path}/${index}`, item, rest)
          : bodyDifference(item, rest[found], `${path}/${index}`, unordered);
      if (trouble !== undefined) return trouble;
      rest.splice(found, 1);
    }
    return undefined;
  }
  if (typeof wanted === 'object' && wanted !== null) {
    if (typeof given !== 'object' || given === null) return told(path, wanted, given);
    for (const [key, item] of Object.entries(wanted)) {
      const trouble = bodyDifference(
        item,
        (given as Record<string, unknown>)[key],
        `${path}/${key}`,
        unordered,
      );
      if (trouble !== undefined) return trouble;
    }
    return undefined;
  }
  return Object.is(wanted, given) ? undefined : told(path, wanted, given);
}

function isText(wanted: string, given: unknown): boolean {
  if (wanted === '<ms>') return Number.isInteger(given);
  if (wanted === '<n>') return typeof given === 'number';
  if (wanted === '<map of 1000>') return Object.keys(given as object).length === 1000;
  if (typeof given !== 'string') return false;
  const pattern = wanted
    .split(/(<[^<>]+>)/)
    .map((part) => patterns[part] ?? part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('');
  return new RegExp(`^${pattern}$`, 's').test(given);
}

const patterns: Readonly<Record<string, string>> = {
  '<uuid>': '.+',
  '<host>': '.*',
  '<text>': '.*',
  '<iso>': '\\d{4}-\\d\\d-\\d\\dT.+',
};

function told(path: string, wanted: unknown, given: unknown): string {
  return `${path}: ${JSON.stringify(given)?.slice(0, 200)} instead of ${JSON.stringify(wanted).slice(0, 200)}`;
}
