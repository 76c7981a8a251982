/** Questions about ledger and runs that a test asks; they work with every test runner. */
import { given } from '../base/given.ts';
import { eachItem } from '../base/paging.ts';
import { formatInstant } from '../base/time.ts';
import type { Schedules } from '../embed/schedules.ts';
import type { Verdict } from '../scheduler/verdict.ts';
import type { InstantInput } from '../service/schedule-input.ts';
import type { RunOutcome } from '../store/records.ts';

const pageSize = 1000;

export async function verdictsOf(
  schedules: Schedules,
  id: string,
): Promise<Readonly<Record<string, Verdict>>> {
  const found: Record<string, Verdict> = {};
  const slots = eachItem((after) => schedules.slots(id, { order: 'ascending', ...page(after) }));
  for await (const { nominal, until, verdict } of slots) {
    const from = formatInstant(nominal);
    found[nominal === until ? from : `${from}/${formatInstant(until)}`] = verdict as Verdict;
  }
  return found;
}

function page(after: string | undefined): { readonly limit: number; readonly after?: string } {
  return { limit: pageSize, ...given({ after }) };
}

export interface ExpectedVerdict {
  readonly id: string;
  readonly at: InstantInput;
  readonly verdict: Verdict;
}

export async function assertVerdict(
  schedules: Schedules,
  { id, at, verdict }: ExpectedVerdict,
): Promise<void> {
  const { answer, text } = await schedules.explain(id, at);
  if (answer !== verdict) throw new Error(`expected '${verdict}', found '${answer}'. ${text}`);
}

export async function assertOutcomes(
  schedules: Schedules,
  id: string,
  expected: Readonly<Partial<Record<RunOutcome, number>>>,
): Promise<void> {
  const found: Partial<Record<RunOutcome, number>> = {};
  for await (const { outcome } of eachItem((after) => schedules.runs(id, page(after)))) {
    if (outcome !== null) found[outcome] = (found[outcome] ?? 0) + 1;
  }
  const kinds = [...new Set([...Object.keys(expected), ...Object.keys(found)])] as RunOutcome[];
  const different = kinds.filter((kind) => (expected[kind] ?? 0) !== (found[kind] ?? 0));
  if (different.length === 0) return;
  const words = (of: Partial<Record<RunOutcome, number>>) =>
    kinds.map((kind) => `${of[kind] ?? 0} ${kind}`).join(', ');
  throw new Error(`expected of '${id}': ${words(expected)}; found: ${words(found)}`);
}
