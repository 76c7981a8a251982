/** `carillon plan`, `apply` and `prune`: make the schedules of a server match a manifest. */

import type { CarillonClient } from 'carillon/client';
import type { PlannedChange } from 'carillon/doctor';
import type { Command, Context } from 'carillon/internal/cli';
import {
  type Applied,
  appliedText,
  applyChanges,
  BadInput,
  EndWith,
  exitCode,
  type Group,
  type PlannedDeclaration,
  type PlanningOptions,
  planText,
  print,
  problemText,
  readGroups,
  remoteHelp,
  remoteOptions,
} from 'carillon/internal/cli';

function declare(command: Command, summary: string, description: string): Command {
  return remoteOptions(
    command
      .summary(summary)
      .description(description)
      .argument('<file>', 'YAML or JSON; - reads standard input')
      .option('--owner <name>', 'instead of the one in the file'),
  ).addHelpText('after', `${manifestHelp}${remoteHelp}`);
}

export function declarePlan(command: Command, context: Context): void {
  declare(
    command,
    'show what apply would do',
    'Shows what applying the file would create, change and leave, field by field. Changes nothing. Exits with 3 when there is something to do, with 0 when there is not.',
  )
    .option('--take-over', 'also change schedules of other owners')
    .option('--prune', 'count schedules that the file no longer has as something to do')
    .action(async (file: string, given: PlanningOptions) => await plan(context, file, given));
}

export function declareApply(command: Command, context: Context): void {
  declare(
    command,
    'make the schedules match a file',
    'Creates and changes schedules so that they match the file. Applying again changes nothing. Never resumes what was paused by hand, never gives back used-up actions, never touches schedules of other owners.',
  )
    .option('--take-over', 'also change schedules of other owners')
    .option('--prune', 'also delete schedules that this file made and no longer has')
    .option('-y, --yes', 'delete without asking')
    .option('-q, --quiet', 'no progress')
    .action(async (file: string, given: PlanningOptions) => await apply(context, file, given));
}

export function declarePrune(command: Command, context: Context): void {
  declare(
    command,
    'delete what a file no longer declares',
    'Deletes the schedules that this file made and does not declare any more, after showing them. Those that a file with another `name`, or a program, declares for the same owner stay, and so do those made by hand. What runs is left alone.',
  )
    .option('-y, --yes', 'delete without asking')
    .option('-q, --quiet', 'no progress')
    .action(async (file: string, given: PlanningOptions) => await prune(context, file, given));
}

async function plan(context: Context, file: string, given: PlanningOptions): Promise<void> {
  const groups = await readGroups(context, file, given);
  const parts = groups.map((group) => partOf(group, given.prune === true));
  print(context, given.json, { parts }, planText(parts, context.colors.stdout));
  if (parts.some(({ pending }) => pending > 0)) throw new EndWith(exitCode.pending);
}

async function apply(context: Context, file: string, given: PlanningOptions): Promise<void> {
  const groups = await readGroups(context, file, given);
  refuseForeign(context, given, groups);
  const work = groups.map((group) => ({
    group,
    changes: group.changes.filter(({ kind }) => kind === 'create' || kind === 'update'),
    toDelete: given.prune === true ? group.changes.filter(({ kind }) => kind === 'prune') : [],
  }));
  await allow(context, given, work);
  const outcomes: (PlannedDeclaration & { readonly applied: readonly Applied[] })[] = [];
  for (const { group, changes, toDelete } of work) {
    const applied = await applyAll(context, given, group.client, changes);
    // When a schedule could not be written, nothing is deleted either.
    const isWhole = applied.every(({ ok }) => ok);
    const pruned = isWhole ? await applyAll(context, given, group.client, toDelete) : [];
    outcomes.push({ ...partOf(group, given.prune === true), applied: [...applied, ...pruned] });
  }
  finish(context, given, outcomes);
}

async function prune(context: Context, file: string, given: PlanningOptions): Promise<void> {
  const groups = await readGroups(context, file, given);
  const work = groups.map((group) => ({
    group,
    toDelete: group.changes.filter(({ kind }) => kind === 'prune'),
  }));
  await allow(context, given, work);
  const outcomes: (PlannedDeclaration & { readonly applied: readonly Applied[] })[] = [];
  for (const { group, toDelete } of work) {
    const applied = await applyAll(context, given, group.client, toDelete);
    outcomes.push({ ...partOf(group, true), applied });
  }
  finish(context, given, outcomes);
}

async function applyAll(
  context: Context,
  given: PlanningOptions,
  client: CarillonClient,
  changes: readonly PlannedChange[],
): Promise<readonly Applied[]> {
  return await applyChanges(context, client, changes, given.json === true || given.quiet === true);
}

/** Asks the user for consent before schedules are deleted. */
async function allow(
  context: Context,
  given: PlanningOptions,
  work: readonly { readonly group: Group; readonly toDelete: readonly PlannedChange[] }[],
): Promise<void> {
  const toDelete = work.flatMap((each) => each.toDelete);
  if (toDelete.length === 0 || given.yes === true) return;
  const names = toDelete.map(({ id, words }) => `  - ${id}  ${words}\n`).join('');
  if (context.confirm !== undefined && given.json !== true) {
    context.stderr.write(`To be deleted:\n${names}`);
    if (await context.confirm(`Delete ${toDelete.length === 1 ? 'it' : `these ${toDelete.length}`}?`)) return;
    context.stderr.write('Nothing was changed.\n');
    throw new EndWith(exitCode.failure);
  }
  const message = `${toDelete.length} would be deleted: ${toDelete.map(({ id }) => id).join(', ')}`;
  throw new BadInput([{ path: '--yes', reason: 'NOT_CONFIRMED', message, fix: 'to confirm, add --yes' }]);
}

/** Refuses the whole manifest when it names a schedule of another owner: half a deploy is harder to understand than none. */
function refuseForeign(context: Context, given: PlanningOptions, groups: readonly Group[]): void {
  const foreign = groups.flatMap(({ changes }) => changes.filter(({ kind }) => kind === 'foreign'));
  if (foreign.length === 0) return;
  const problems = foreign.map(({ id, notes }) => ({
    path: id,
    reason: 'FOREIGN',
    message: `${notes[0] ?? 'belongs to another owner'}; nothing was changed`,
    fix: 'choose another id, remove it from the file, or add --take-over',
  }));
  const text =
    given.json === true
      ? `${JSON.stringify({ error: { reason: 'FOREIGN', problems } }, undefined, 2)}\n`
      : problemText(problems, context.colors.stderr);
  context.stderr.write(text);
  throw new EndWith(exitCode.failure);
}

function finish(
  context: Context,
  given: PlanningOptions,
  outcomes: readonly (PlannedDeclaration & { readonly applied: readonly Applied[] })[],
): void {
  print(context, given.json, { parts: outcomes }, appliedText(outcomes, context.colors.stdout));
  if (outcomes.some(({ applied }) => applied.some(({ ok }) => !ok))) throw new EndWith(exitCode.failure);
}

function partOf({ owner, declaredBy, namespace, changes }: Group, withPrune: boolean): PlannedDeclaration {
  const kinds = ['create', 'update', ...(withPrune ? ['prune'] : [])];
  const pending = changes.filter(({ kind }) => kinds.includes(kind)).length;
  return { owner, declaredBy, namespace, pending, changes: changes.map(({ step: _, ...change }) => change) };
}

const manifestHelp = `
The file:
  owner: billing              # whose they are; others are never touched
  name: invoices              # which file of the owner; prune deletes only what this one made (default: default)
  namespace: default          # optional
  defaults: { zone: Europe/Berlin, overlap: skip }
  schedules:
    - id: invoices
      cron: '0 6 1 * *'
      run: invoices
    - id: ping
      every: 5m
      http: { url: https://example.com/ping }

The fields are those of the REST door (carillon help schedule create, /api/v1/docs). Several documents may stand in one
file. paused: and remaining: count when a schedule is made; afterwards a pause belongs to the person who paused, and used-up actions stay used up.

Examples:
  $ carillon plan schedules.yaml
  $ carillon apply schedules.yaml --prune
  $ carillon prune schedules.yaml --yes
`;
