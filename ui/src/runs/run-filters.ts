/** The filters and the order of the list of runs, as the address has them. Pure. */
import type { RunFilters } from 'carillon/client';
import { quoted } from '../parts/quoted.ts';
import type { Search } from '../route/search.ts';
import type { Look } from '../verdict/verdict.ts';

export interface Chip {
  readonly name: string;
  readonly text: string;
  readonly look: Look;
  readonly filters: Pick<RunFilters, 'state' | 'outcome'>;
}

export const chips: readonly Chip[] = [
  { name: 'running', text: 'Running', look: 'running', filters: { state: ['leased'] } },
  { name: 'waiting', text: 'Waiting', look: 'buffered', filters: { state: ['waiting'] } },
  { name: 'completed', text: 'Completed', look: 'started', filters: { outcome: ['completed'] } },
  { name: 'failed', text: 'Failed', look: 'failed', filters: { outcome: ['failed'] } },
  { name: 'timedOut', text: 'Timed out', look: 'timedOut', filters: { outcome: ['timedOut'] } },
  {
    name: 'stopped',
    text: 'Stopped',
    look: 'runStopped',
    filters: { outcome: ['cancelled', 'terminated'] },
  },
];

export type Order = NonNullable<RunFilters['by']>;

export interface RunsView {
  readonly chip: Chip | undefined;
  readonly by: Order;
  readonly schedule: string | undefined;
  readonly handler: string | undefined;
  readonly queue: string | undefined;
  readonly after: string | undefined;
}

/** Reads the view from the address. Unknown words are ignored. */
export function runsViewOf({ is, by, schedule, handler, queue, after }: Search): RunsView {
  const chip = chips.find(({ name }) => name === is);
  return { chip, by: by === 'slot' ? 'slot' : 'start', schedule, handler, queue, after };
}

const pageSize = 50;

export function filtersOf({ chip, by, handler, queue, after }: RunsView): RunFilters {
  return {
    ...chip?.filters,
    by,
    limit: pageSize,
    ...(handler === undefined ? {} : { name: handler }),
    ...(queue === undefined ? {} : { queue }),
    ...(after === undefined ? {} : { after }),
  };
}

/** The command that prints the same list. */
export function commandOf({ chip, by, schedule, handler, queue }: RunsView): string {
  const each = (flag: string, values: readonly string[] = []) =>
    values.map((value) => `--${flag} ${quoted(value)}`);
  return [
    'carillon runs',
    ...each('schedule', schedule === undefined ? [] : [schedule]),
    ...each('state', chip?.filters.state),
    ...each('outcome', chip?.filters.outcome),
    ...each('handler', handler === undefined ? [] : [handler]),
    ...each('queue', queue === undefined ? [] : [queue]),
    ...(by === 'slot' ? ['--by slot'] : []),
  ].join(' ');
}

const tokens = ['schedule', 'handler', 'queue'] as const;
type Token = (typeof tokens)[number];

/** A run id as the server makes them, or the short name of one. */
const runId = /^[0-9a-z]{9}-[0-9a-z]{5,}$/;

/** A filter as a person typed it: `handler:billing.sync`, `queue:slow`, the id of a schedule, or of a run. */
export type Asked =
  | { readonly kind: 'run'; readonly id: string }
  | { readonly kind: 'narrow'; readonly by: Readonly<Partial<Record<Token, string>>> };

export function askedBy(typed: string): Asked | undefined {
  const text = typed.trim();
  if (text === '') return undefined;
  if (runId.test(text)) return { kind: 'run', id: text };
  const by: Partial<Record<Token, string>> = {};
  const plain: string[] = [];
  for (const word of text.split(/\s+/)) {
    const token = tokens.find((name) => word.startsWith(`${name}:`));
    const value = token === undefined ? '' : word.slice(token.length + 1);
    if (token === undefined) plain.push(word);
    else if (value !== '') by[token] = value;
  }
  // The id of a schedule may have spaces in it.
  if (plain.length > 0) by.schedule = plain.join(' ');
  return Object.keys(by).length === 0 ? undefined : { kind: 'narrow', by };
}
