/**
 * A definition as a person would write it. The server returns every field in its stored form; a copy to paste has no defaults,
 * lengths as `5m`, and times as plain fields when those can express them. Pure.
 */
import { shortLength } from '../edit/draft.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The server's defaults of absent fields; a test compares them with the server. */
const usual: Fields = {
  input: null,
  queue: 'default',
  priority: 0,
  workflowId: '',
  overlap: 'skip',
  limit: 1,
  catchup: 3_600_000,
  missed: 'all',
  pauseAfterFailures: 0,
  idleClose: 604_800_000,
  keepOriginalId: false,
  note: '',
  description: '',
  owner: '',
  declaredBy: '',
  tags: [],
  memo: {},
  attributes: {},
};

const lengths = ['catchup', 'catchupPace', 'idleClose', 'attemptTimeout', 'timeout', 'unclaimedTimeout'];
const retryLengths = ['initial', 'longest', 'delays'];

export function pastedOf(definition: Fields): Fields {
  const { spec, ...rest } = definition as { readonly spec?: Fields; readonly [name: string]: unknown };
  // A schedule without times is kept open for ever.
  const assumed: Fields = Object.keys(spec ?? {}).length === 0 ? { ...usual, idleClose: 0 } : usual;
  const given = Object.entries(rest).filter(
    ([name, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(assumed[name]),
  );
  return {
    ...timesOf(spec ?? {}),
    ...Object.fromEntries(given.map(([name, value]) => [name, written(name, value)])),
  };
}

function written(name: string, value: unknown): unknown {
  if (lengths.includes(name)) return shortLength(value);
  if (name === 'retry') return withLengths(value as Fields, retryLengths);
  // The work itself may have a timeout of its own.
  if ((name === 'http' || name === 'command') && isFields(value)) return withLengths(value, ['timeout']);
  return value;
}

function withLengths(fields: Fields, names: readonly string[]): Fields {
  const entries = Object.entries(fields).map(([name, value]) => {
    if (!names.includes(name)) return [name, value];
    return [name, Array.isArray(value) ? value.map(shortLength) : shortLength(value)];
  });
  return Object.fromEntries(entries);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const plain = [
  'cron',
  'intervals',
  'times',
  'rrules',
  'zone',
  'dst',
  'startAt',
  'endAt',
  'jitterMs',
  'exclude',
];

/** The plain fields with the same meaning as the spec; the spec itself when plain fields cannot express a part of it. */
function timesOf(spec: Fields): Fields {
  const {
    cron = [],
    intervals = [],
    times = [],
    rrules = [],
    zone,
    dst,
    startAt,
    endAt,
    jitterMs,
    exclude = {},
  } = spec;
  const [crons, every, rules] = [cron, intervals, rrules] as readonly (readonly Fields[])[];
  const dialects = new Set(crons?.map(({ dialect = 'unix' }) => dialect));
  const isPlain =
    Object.keys(spec).every((name) => plain.includes(name)) &&
    hasOnly(crons ?? [], ['text', 'dialect']) &&
    dialects.size <= 1 &&
    hasOnly(every ?? [], ['everyMs', 'phaseMs']) &&
    (every?.length ?? 0) <= 1 &&
    hasOnly(rules ?? [], ['text']) &&
    (rules?.length ?? 0) <= 1 &&
    hasOnly([exclude as Fields], ['dates']);
  if (!isPlain) return { spec };
  const [dialect] = dialects;
  return present({
    cron: oneOrMany(crons?.map(({ text }) => text) ?? []),
    dialect: dialect === 'unix' ? undefined : dialect,
    every: every?.[0] === undefined ? undefined : shortLength(every[0].everyMs),
    offset: every?.[0]?.phaseMs === undefined ? undefined : shortLength(every[0].phaseMs),
    at: oneOrMany((times as readonly number[]).map(isoOf)),
    rrule: rules?.[0]?.text,
    zone,
    dst,
    startAt: startAt === undefined ? undefined : isoOf(startAt as number),
    endAt: endAt === undefined ? undefined : isoOf(endAt as number),
    jitter: jitterMs === undefined ? undefined : shortLength(jitterMs),
    excludeDates: (exclude as Fields).dates,
  });
}

function hasOnly(rows: readonly Fields[], names: readonly string[]): boolean {
  return rows.every((row) => Object.keys(row).every((name) => names.includes(name)));
}

function oneOrMany(values: readonly unknown[]): unknown {
  return values.length > 1 ? values : values[0];
}

function isoOf(at: number): string {
  return new Date(at).toISOString().replace('.000Z', 'Z');
}

function present(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
