/** What will become of a slot whose time has not come. It promises a run only when one is to be expected. Pure. */
import { countText } from '../base/count-text.ts';
import { roughDuration } from '../base/duration.ts';
import type { Instant } from '../base/time.ts';
import { addTime, formatInstant } from '../base/time.ts';
import type { Budget } from '../spec/index.ts';
import { compiledOf } from './compiled-of.ts';
import type { Pause, ScheduleDefinition } from './definition.ts';
import { actionsText, pausedWords as stateWords } from './explain-words.ts';

export interface Coming {
  readonly at: Instant;
  /** The time with jitter. */
  readonly actual: Instant;
  readonly now: Instant;
  readonly definition: ScheduleDefinition;
  /** The number of actions left; null: unlimited. */
  readonly remaining: number | null;
  /** Why the schedule is in quarantine; null when it is not. */
  readonly incident: string | null;
}

/** With more actions left than this, the slots before this one are not counted. */
const mostCounted = 1000;

export function comingAnswer(
  coming: Coming,
  budget: Budget,
): { readonly answer: 'notYet' | 'limitReached'; readonly text: string } {
  const { actual, now, definition, remaining, incident } = coming;
  if (remaining !== null && remaining <= 0) {
    const used = actionsText(definition.remaining);
    const text = `It will not run: the schedule has used up its ${used}. Set remaining to a new number and it runs again.`;
    return { answer: 'limitReached', text };
  }
  const but = incident === null ? pausedWords(definition.paused, actual) : quarantined;
  const wait = `It is due in ${roughDuration(actual - now)}${but}.`;
  return { answer: 'notYet', text: `${wait}${limitWords(coming, budget)}` };
}

const quarantined = ', but the schedule is in quarantine and does not run until a person releases it';

function pausedWords(paused: Pause | null, at: Instant): string {
  if (paused === null) return '';
  const isPaused = stateWords('is paused', { pausedBy: paused.by });
  if (paused.until === undefined || paused.until > at) return `, but the schedule ${isPaused}`;
  return `; the schedule ${isPaused} and resumes by itself at ${formatInstant(paused.until)}`;
}

/** The sentence about slots before this one that may use up the last actions. */
function limitWords({ at, now, definition, remaining }: Coming, budget: Budget): string {
  if (remaining === null || remaining > mostCounted) return '';
  const window = { from: now, to: addTime(at, -1) };
  const { times } = compiledOf(definition).between(window, remaining, { budget });
  if (times.length < remaining) return '';
  const left = remaining === 1 ? 'Only 1 action is left' : `Only ${countText(remaining)} actions are left`;
  return ` ${left}, and the slots before it come first: it runs only if one of them does not, or with a new remaining.`;
}
