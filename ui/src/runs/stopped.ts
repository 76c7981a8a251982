/** The words about a run that was stopped by a decision of a person or a rule, and not by a failure. Pure. */
import type { RunJson, ScheduleJson } from 'carillon/client';
import { actorText } from '../audit/change.ts';
import { sentence } from '../parts/sentence.ts';
import type { Family } from '../verdict/verdict.ts';
import { isStoppedByRule } from '../verdict/verdict.ts';

export interface StoppedWords {
  readonly family: Family;
  readonly title: string;
  readonly detail: string;
}

/** The words; undefined for a run that was not stopped. */
export function stoppedWords(
  run: Pick<RunJson, 'outcome' | 'failure' | 'state'>,
  schedule: Pick<ScheduleJson, 'policy'> | undefined,
): StoppedWords | undefined {
  const { outcome, failure } = run;
  if (outcome !== 'cancelled' && outcome !== 'terminated') return undefined;
  if (isStoppedByRule(run)) {
    const overlap = schedule?.policy.overlap;
    const isStill = overlap === (outcome === 'cancelled' ? 'cancelOther' : 'terminateOther');
    return {
      family: 'policy',
      title: 'A later slot of its schedule took its place.',
      detail: isStill ? `Its overlap policy is ${overlap}.` : 'Its overlap policy said so then.',
    };
  }
  const by =
    failure?.askedBy === undefined || failure.askedBy === '' ? 'A person' : actorText(failure.askedBy);
  const reason = failure?.message ?? '';
  // A stop without a reason has the outcome as its message, which is not repeated.
  const isTold = reason === '' || reason.toLowerCase() === outcome;
  return { family: 'person', title: `${by} ${outcome} it.`, detail: isTold ? '' : sentence(reason) };
}
