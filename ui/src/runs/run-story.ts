/** How a run came about, from its row. Pure. */
import type { RunJson } from 'carillon/client';
import type { IconName } from '../parts/Icon.tsx';
import { lengthText } from '../time/text.ts';
import type { Look } from '../verdict/verdict.ts';
import { lookOfRun, wordOfRun } from '../verdict/verdict.ts';
import { causeText } from './run-row.ts';

export interface RunLink {
  readonly at: number | null;
  readonly text: string;
  readonly detail: string;
  readonly icon: IconName;
  readonly look?: Look;
  /** Another run. */
  readonly to?: string;
}

type Told = Pick<
  RunJson,
  | 'schedule'
  | 'scheduledAt'
  | 'cause'
  | 'createdAt'
  | 'startedAt'
  | 'finishedAt'
  | 'attempt'
  | 'state'
  | 'outcome'
  | 'worker'
> & { readonly againOf?: string | null };

export function storyOfRun(run: Told, now: number): readonly RunLink[] {
  const links: RunLink[] = [];
  const at = (text: string | null) => (text === null ? null : Date.parse(text));
  if (run.scheduledAt !== null) {
    links.push({
      at: at(run.scheduledAt),
      text: run.cause === 'auto' ? 'was due' : `was asked for ${causeText(run.cause ?? '')}`,
      detail: run.schedule ?? '',
      icon: run.cause === 'auto' ? 'schedules' : 'person',
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
  // A queue that it left at once is no step of its way.
  if (run.scheduledAt === null || waited >= 1000)
    links.push({ at: at(run.createdAt), text: 'was put into its queue', detail: '', icon: 'runs' });
  if (started === null) {
    links.push({
      at: null,
      text: 'Waits for a worker',
      detail: `for ${lengthText(now - Date.parse(run.createdAt))}; none that knows its handler has asked for it`,
      icon: 'asleep',
      look: 'buffered',
    });
    return links;
  }
  links.push({
    at: started,
    text:
      waited >= 1000 ? `was begun by a worker, ${lengthText(waited)} later` : 'was begun by a worker at once',
    detail: run.worker === '' ? '' : run.worker,
    icon: 'play',
    look: 'running',
  });
  if (run.attempt > 1) {
    const failed = run.attempt - (run.outcome === 'completed' || run.state !== 'done' ? 1 : 0);
    links.push({
      at: null,
      text: `${failed === 1 ? 'One attempt' : `${failed} attempts`} failed`,
      detail: run.outcome === 'completed' ? 'the last one succeeded' : '',
      icon: 'again',
    });
  }
  const ended = at(run.finishedAt);
  if (ended !== null) {
    links.push({
      at: ended,
      text: wordOfRun(run),
      detail: `after ${lengthText(ended - started)}`,
      icon: 'done',
      look: lookOfRun(run),
    });
  }
  return links;
}
