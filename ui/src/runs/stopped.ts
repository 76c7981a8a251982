/** The words about a run that was stopped: a person or a rule decided so, and nothing is broken. Pure. */
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

/** Undefined for a run that was not stopped. */
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
  // Without a reason of its own the message says the outcome again.
  const isTold = reason === '' || reason.toLowerCase() === outcome;
  return { family: 'person', title: `${by} ${outcome} it.`, detail: isTold ? '' : sentence(reason) };
}
