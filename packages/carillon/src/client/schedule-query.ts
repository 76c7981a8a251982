/**
 * The query of a list of schedules as one text: words to find, and tokens such as `tag:billing`, `state:paused`,
 * `owner:"data team"`, `is:failing`. It can be typed, sent in an address, and saved under a name. Pure.
 */
import type { CountFilters } from './insight.ts';

export interface ScheduleQuery {
  readonly filters: CountFilters;
  /** Tokens with a name or a value that is not known. */
  readonly unknown: readonly string[];
}

const states = ['running', 'paused', 'ended', 'quarantined', 'closed'] as const;
const flags = { failing: 'failing', late: 'late', overdue: 'late', busy: 'busy', running: 'busy' } as const;
/** Reasons why a schedule needs a person that are not filters. */
const reasons: Readonly<Record<string, NonNullable<CountFilters['attention']>>> = {
  attention: 'any',
  noworker: 'noWorker',
  skipping: 'skipping',
  waiting: 'waiting',
};

/** The names of tokens, in the order in which they are offered. */
export const queryTokens = ['tag', 'owner', 'handler', 'queue', 'prefix', 'state', 'is'] as const;

/** A word, or a token whose value may be quoted. A quote that is not closed reaches to the end. */
const part = /(?:[^\s"]|"[^"]*(?:"|$))+/g;

/** The words and tokens of a query. */
export function queryParts(text: string): readonly string[] {
  return text.match(part) ?? [];
}

/** `owner:payments`, or `owner:"data team"` for a value with spaces. */
export function queryToken(name: string, value: string): string {
  return /\s/.test(value) ? `${name}:"${value}"` : `${name}:${value}`;
}

export function readScheduleQuery(text: string): ScheduleQuery {
  const words: string[] = [];
  const tags: string[] = [];
  const unknown: string[] = [];
  const filters: { -readonly [K in keyof CountFilters]: CountFilters[K] } = {};
  for (const part of queryParts(text)) {
    const colon = part.indexOf(':');
    const name = colon < 0 ? '' : part.slice(0, colon);
    const value = part.slice(colon + 1).replaceAll('"', '');
    if (colon < 0) words.push(part);
    else if (value === '') unknown.push(part);
    else if (name === 'tag') tags.push(value);
    else if (name === 'owner') filters.owner = value;
    else if (name === 'handler') filters.name = value;
    else if (name === 'queue') filters.queue = value;
    else if (name === 'prefix') filters.prefix = value;
    else if (name === 'state' && isState(value)) filters.state = value;
    else if (name === 'is' && isFlag(value)) filters[flags[value]] = true;
    else if (name === 'is' && reasons[value] !== undefined) filters.attention = reasons[value];
    // A colon may be part of an id.
    else if ((queryTokens as readonly string[]).includes(name)) unknown.push(part);
    else words.push(part);
  }
  const found = words.join(' ').trim();
  if (found !== '') filters.text = found;
  if (tags.length > 0) filters.tag = tags;
  return { filters, unknown };
}

function isState(text: string): text is (typeof states)[number] {
  return (states as readonly string[]).includes(text);
}

function isFlag(text: string): text is keyof typeof flags {
  return Object.hasOwn(flags, text);
}
