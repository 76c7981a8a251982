/**
 * The query of the list: words to find, and tokens such as `tag:billing`, `state:paused`, `owner:payments@main`,
 * `is:failing`. It is one text in the address, so that it can be typed, sent and saved.
 */
import type { AttentionKind, CountFilters } from 'carillon/client';

export type SortName = 'attention' | 'id' | 'next';

export interface ReadFilter {
  readonly filters: CountFilters;
  /** Tokens that mean nothing, shown as such. */
  readonly unknown: readonly string[];
}

const states = ['running', 'paused', 'ended', 'quarantined', 'closed'] as const;
const flags = { failing: 'failing', late: 'late', overdue: 'late', busy: 'busy', running: 'busy' } as const;
/** Reasons why a schedule needs a person that are no filters of their own. */
const reasons: Readonly<Record<string, AttentionKind | 'any'>> = {
  attention: 'any',
  noworker: 'noWorker',
  skipping: 'skipping',
};

export const tokenNames = ['tag', 'state', 'owner', 'handler', 'queue', 'prefix', 'is'] as const;

export function readFilter(text: string): ReadFilter {
  const words: string[] = [];
  const tags: string[] = [];
  const unknown: string[] = [];
  const filters: { -readonly [K in keyof CountFilters]: CountFilters[K] } = {};
  for (const part of text.trim().split(/\s+/)) {
    const colon = part.indexOf(':');
    const name = colon < 0 ? '' : part.slice(0, colon);
    const value = part.slice(colon + 1);
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
    else if ((tokenNames as readonly string[]).includes(name)) unknown.push(part);
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

/** Adds or removes one token. */
export function toggled(text: string, token: string): string {
  const parts = text.split(/\s+/).filter((part) => part !== '');
  const without = parts.filter((part) => part !== token);
  return (without.length === parts.length ? [...parts, token] : without).join(' ');
}

export function hasToken(text: string, token: string): boolean {
  return text.split(/\s+/).includes(token);
}

/** A state chip takes the place of another. */
export function withState(text: string, token: string): string {
  const isOn = hasToken(text, token);
  const rest = text.split(/\s+/).filter((part) => part !== '' && !/^(state|is):/.test(part));
  return (isOn || token === '' ? rest : [...rest, token]).join(' ');
}

/** The same as flags of the command line. */
export function commandOf(text: string): string {
  const { filters } = readFilter(text);
  const parts = ['carillon schedule list'];
  for (const tag of filters.tag ?? []) parts.push(`--tag ${quoted(tag)}`);
  if (filters.state !== undefined) parts.push(`--state ${filters.state}`);
  if (filters.owner !== undefined) parts.push(`--owner ${quoted(filters.owner)}`);
  if (filters.name !== undefined) parts.push(`--name ${quoted(filters.name)}`);
  if (filters.failing === true) parts.push('--failing');
  if (filters.late === true) parts.push('--late');
  if (filters.busy === true) parts.push('--busy');
  if (filters.attention !== undefined)
    parts.push(filters.attention === 'any' ? '--attention' : `--attention ${filters.attention}`);
  if (filters.text !== undefined) parts.push(`--text ${quoted(filters.text)}`);
  return parts.join(' ');
}

/** As a shell wants it. */
export function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
