/** The history of a run as a chain of links, from its row. Pure. */
import type { RunJson } from 'carillon/client';
import type { IconName } from '../parts/Icon.tsx';
import { lengthText } from '../time/text.ts';
import type { Look } from '../verdict/verdict.ts';
import { isStoppedByRule, lookOfRun, lookOfRunAt, wordOfRun } from '../verdict/verdict.ts';
import type { Attempt } from './attempts.ts';
import { causeText } from './run-row.ts';

export interface RunLink {
  readonly at: number | null;
  readonly text: string;
  readonly detail: string;
  readonly icon: IconName;
  readonly look?: Look;
  /** The id of another run. */
  readonly to?: string;
  /** The slot of its schedule on the timeline. */
  readonly slot?: { readonly schedule: string; readonly at: string };
}

interface Around {
  readonly now: number;
  /** Its attempts, oldest first. */
  readonly attempts?: readonly Attempt[];
  /** Later runs that repeat it. */
  readonly repeats?: readonly Pick<RunJson, 'id' | 'createdAt' | 'state' | 'outcome'>[];
}

type Told = Pick<
  RunJson,
  | 'schedule'
  | 'scheduledAt'
  | 'dueAt'
  | 'cause'
  | 'createdAt'
  | 'availableAt'
  | 'startedAt'
  | 'finishedAt'
  | 'attempt'
  | 'state'
  | 'outcome'
  | 'worker'
  | 'failure'
> & { readonly againOf?: string | null };

export function linksOfRun(run: Told, { now, attempts = [], repeats = [] }: Around): readonly RunLink[] {
  const links: RunLink[] = [];
  const at = (text: string | null) => (text === null ? null : Date.parse(text));
  if (run.scheduledAt !== null) {
    links.push({
      at: at(run.scheduledAt),
      text: run.cause === 'auto' ? 'was due' : `was asked for ${causeText(run.cause ?? '')}`,
      detail: run.schedule ?? '',
      icon: run.cause === 'auto' ? 'schedules' : 'person',
      ...(run.schedule === null ? {} : { slot: { schedule: run.schedule, at: run.scheduledAt } }),
    });
  }
  if (run.againOf != null) {
    links.push({
      at: null,
      text: 'The run before it',
      detail: 'with the same input',
      icon: 'again',
      to: run.againOf,
    });
  }
  const started = at(run.startedAt);
  const waited = started === null ? 0 : started - Date.parse(run.createdAt);
  // A wait in the queue of less than a second is left out.
  if (run.scheduledAt === null || waited >= 1000)
    links.push({ at: at(run.createdAt), text: 'was put into its queue', detail: '', icon: 'runs' });
  if (started === null && run.state === 'done') {
    const ended = at(run.finishedAt);
    links.push({
      at: ended,
      text: wordOfRun(run),
      detail: `no worker began it${ended === null ? '' : ` within ${lengthText(ended - Date.parse(run.createdAt))}`}`,
      icon: 'done',
      look: lookOfRun(run),
    });
    return links;
  }
  if (started === null) {
    links.push({
      at: null,
      text: 'Waits for a worker',
      detail: `for ${lengthText(now - Date.parse(run.createdAt))}; none that knows its handler has asked for it`,
      icon: 'asleep',
      look: lookOfRunAt(run, now),
    });
    return links;
  }
  links.push({ at: started, ...begunOf(run, started, waited, attempts[0]), icon: 'play', look: 'running' });
  if (run.attempt > 1) {
    const failed = run.attempt - (run.outcome === 'completed' || run.state !== 'done' ? 1 : 0);
    const waits = attempts.filter(({ waitedMs }) => waitedMs > 0).map(({ waitedMs }) => lengthText(waitedMs));
    links.push({
      at: null,
      text: `${failed === 1 ? 'One attempt' : `${failed} attempts`} failed`,
      detail: [
        ...(waits.length === 0 ? [] : [`tried again after ${waits.join(', then ')}`]),
        ...(run.outcome === 'completed' ? ['the last one succeeded'] : []),
      ].join('; '),
      icon: 'again',
    });
  }
  const ended = at(run.finishedAt);
  if (ended !== null) {
    const isLost = run.outcome !== 'completed' && run.cause === 'auto' && !isStoppedByRule(run);
    links.push({
      at: ended,
      text: wordOfRun(run),
      detail: `after ${lengthText(ended - started)}${isLost ? '; its slot is not run again by itself' : ''}`,
      icon: 'done',
      look: lookOfRun(run),
    });
  }
  for (const repeat of repeats) {
    links.push({
      at: at(repeat.createdAt),
      text: 'A person ran it again',
      detail: `with the same input: ${wordOfRun(repeat).toLowerCase()}`,
      icon: 'person',
      to: repeat.id,
    });
  }
  return links;
}

/** The link about the start: the worker, how long the run was queued, and how late it began. */
function begunOf(run: Told, started: number, waited: number, first: Attempt | undefined) {
  const worker = first?.worker ?? run.worker.split('/')[0] ?? '';
  const by = worker === '' ? 'a worker' : worker;
  const due = run.cause === 'auto' && run.dueAt !== null ? Date.parse(run.dueAt) : null;
  const lateMs = due === null ? 0 : started - due;
  return {
    text: waited >= 1000 ? `was begun by ${by}, ${lengthText(waited)} later` : `was begun by ${by}`,
    detail: lateMs >= 1000 ? `${lengthText(lateMs)} after the time it was due` : '',
  };
}
