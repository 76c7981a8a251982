/** Changes of the list's query, and the same as a command. Pure. */
import { queryParts, readScheduleQuery } from 'carillon/client';
import { quoted } from '../parts/quoted.ts';

export type SortName = 'attention' | 'id' | 'next';

/** Adds or removes one token. */
export function toggled(text: string, token: string): string {
  const parts = queryParts(text);
  const without = parts.filter((part) => part !== token);
  return (without.length === parts.length ? [...parts, token] : without).join(' ');
}

export function hasToken(text: string, token: string): boolean {
  return queryParts(text).includes(token);
}

const isState = (part: string) => /^(state|is):/.test(part);

/** The query without its states; the numbers on the state chips count its schedules. */
export function withoutState(text: string): string {
  return queryParts(text)
    .filter((part) => !isState(part))
    .join(' ');
}

/** The query with this state instead of another one. */
export function withState(text: string, token: string): string {
  const isOn = hasToken(text, token);
  const rest = withoutState(text);
  return isOn || token === '' ? rest : `${rest} ${token}`.trim();
}

/** The command with the same filter. */
export function commandOf(text: string): string {
  const { filters } = readScheduleQuery(text);
  const parts = ['carillon schedule list'];
  for (const tag of filters.tag ?? []) parts.push(`--tag ${quoted(tag)}`);
  if (filters.state !== undefined) parts.push(`--state ${filters.state}`);
  if (filters.owner !== undefined) parts.push(`--owner ${quoted(filters.owner)}`);
  if (filters.name !== undefined) parts.push(`--handler ${quoted(filters.name)}`);
  if (filters.queue !== undefined) parts.push(`--queue ${quoted(filters.queue)}`);
  if (filters.prefix !== undefined) parts.push(`--prefix ${quoted(filters.prefix)}`);
  if (filters.failing === true) parts.push('--failing');
  if (filters.late === true) parts.push('--late');
  if (filters.busy === true) parts.push('--busy');
  if (filters.attention !== undefined)
    parts.push(filters.attention === 'any' ? '--attention' : `--attention ${filters.attention}`);
  if (filters.text !== undefined) parts.push(`--text ${quoted(filters.text)}`);
  return parts.join(' ');
}
