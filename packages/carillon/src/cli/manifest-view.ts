/** The output of `plan`, `apply` and `prune`. */

import type { FieldChange, PlannedChange } from '../doctor/index.ts';
import type { Applied } from './apply.ts';
import { paintWith } from './paint.ts';
import { clean } from './table.ts';

export interface PlannedDeclaration {
  readonly owner: string;
  /** The declaration: `manifest:` and its name. */
  readonly declaredBy: string;
  readonly namespace: string | undefined;
  /** The number of changes to apply. */
  readonly pending: number;
  readonly changes: readonly Omit<PlannedChange, 'step'>[];
}

type Kind = PlannedChange['kind'];

const marks: Readonly<Record<Kind, string>> = {
  create: '+',
  update: '~',
  unchanged: '=',
  foreign: '!',
  prune: '-',
};

export function planText(parts: readonly PlannedDeclaration[], colored: boolean): string {
  const color = paintWith(colored);
  const paint: Readonly<Record<Kind, (text: string) => string>> = {
    create: color.green,
    update: color.yellow,
    unchanged: color.dim,
    foreign: color.magenta,
    prune: color.red,
  };
  return parts
    .map(({ owner, declaredBy, namespace, pending, changes }) => {
      const which = declaredBy === 'manifest:default' ? '' : `, ${clean(declaredBy.replace(':', ' '))}`;
      const within = namespace === undefined ? '' : `, namespace ${clean(namespace)}`;
      const head = `Owner ${color.bold(clean(owner))}${which}${within}\n`;
      const body = changes
        .filter(({ kind, notes }) => kind !== 'unchanged' || notes.length > 0)
        .map((change) => {
          const { kind, id, words, fields, notes } = change;
          const title = `  ${paint[kind](`${marks[kind]} ${clean(id)}`)}  ${color.dim(clean(words))}\n`;
          const lines = fields.map((field) => `      ${fieldText(field, colored)}\n`);
          const told = notes.map((note) => `      ${color.cyan(clean(note))}\n`);
          return `${title}${lines.join('')}${told.join('')}`;
        });
      return `${head}\n${body.join('')}${body.length > 0 ? '\n' : ''}${sumText(changes, pending, colored)}`;
    })
    .join('\n');
}

function fieldText({ path, before, after }: FieldChange, colored: boolean): string {
  const color = paintWith(colored);
  if (before === undefined) return `${color.green('+')} ${path}: ${color.green(valueText(after))}`;
  if (after === undefined) return `${color.red('-')} ${path}: ${color.red(valueText(before))}`;
  return `${color.yellow('~')} ${path}: ${color.red(valueText(before))} → ${color.green(valueText(after))}`;
}

/** The most characters of values in one line. */
const longest = 100;

function valueText(value: unknown): string {
  const text = clean(typeof value === 'string' && value !== '' ? value : JSON.stringify(value));
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}

function sumText(changes: readonly Omit<PlannedChange, 'step'>[], pending: number, colored: boolean): string {
  const color = paintWith(colored);
  const count = (kind: Kind) => changes.filter((change) => change.kind === kind).length;
  const said = [
    [count('create'), 'to create'],
    [count('update'), 'to change'],
    [count('unchanged'), 'unchanged'],
    [count('foreign'), 'of other owners'],
    [count('prune'), 'no longer declared'],
  ] as const;
  const text = said.flatMap(([number, words]) => (number === 0 ? [] : [`${number} ${words}`])).join(', ');
  const hint =
    count('prune') > 0
      ? ' Schedules that are no longer declared are removed by apply --prune, or by prune.'
      : '';
  if (pending === 0) return `${color.green('Nothing to do')}${text === '' ? '.' : `: ${text}.`}${hint}\n`;
  return `${color.bold('Plan')}: ${text}.${hint}\n`;
}

function asDeclared(count: number, owner: string): string {
  return `${count} schedule${count === 1 ? '' : 's'} of ${clean(owner)} ${count === 1 ? 'is' : 'are'} as declared`;
}

export function appliedText(
  parts: readonly (PlannedDeclaration & { readonly applied: readonly Applied[] })[],
  colored: boolean,
): string {
  const color = paintWith(colored);
  const did: Readonly<Record<Kind, string>> = {
    create: 'Created',
    update: 'Changed',
    prune: 'Deleted',
    unchanged: 'Left',
    foreign: 'Left',
  };
  return parts
    .map(({ owner, applied, changes }) => {
      const failed = applied.filter(({ ok }) => !ok);
      const lines = applied.map(({ ok, id, kind, message }) =>
        ok
          ? `${color.green(did[kind])} ${clean(id)}\n`
          : `${color.red('Failed')} to ${kind} ${clean(id)}: ${clean(message)}\n`,
      );
      const kept = changes.flatMap(({ id, notes, kind }) =>
        kind === 'foreign' ? [] : notes.map((note) => color.cyan(`${clean(id)} ${clean(note)}\n`)),
      );
      const sum =
        applied.length === 0
          ? `Nothing to do: ${asDeclared(changes.filter(({ kind }) => kind === 'unchanged').length, owner)}.\n`
          : `${applied.length - failed.length} of ${applied.length} done for ${clean(owner)}.\n`;
      return `${lines.join('')}${kept.join('')}${sum}`;
    })
    .join('');
}
