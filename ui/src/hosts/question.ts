/** What a person may ask of a workflow: its words, its command, the call that does it and the one that only tells what it would do. */
import type { ChangeResolution, HandlerName, WorkEffects } from 'carillon/client';
import type { Scope } from '../data/api.ts';
import { quoted } from '../parts/quoted.ts';

export type Answer = ChangeResolution['action'];

export type Question =
  | { readonly verb: 'pause' | 'resume' | 'release' }
  | { readonly verb: 'trigger'; readonly handler: HandlerName; readonly isAsleep?: boolean }
  | { readonly verb: 'skipEvent'; readonly topic: string; readonly event: string }
  | { readonly verb: 'resolve'; readonly action: Answer };

/** What a person adds to the answer. */
export interface Given {
  readonly note: string;
  /** What a change returned. */
  readonly result?: unknown;
}

interface Words {
  readonly title: string;
  readonly button: string;
  /** The text of the toast after the change. */
  readonly done: string;
  /** The meaning of the answer, where the effects alone do not show it. */
  readonly about?: string;
}

const answers: Readonly<Record<Answer, Omit<Words, 'title'>>> = {
  happened: {
    button: 'It happened',
    done: 'Answered: it happened',
    about: 'The change counts as made. The run goes on with what comes after it, and its events are used up.',
  },
  didNotHappen: {
    button: 'It did not happen',
    done: 'Answered: it did not happen',
    about: 'The events go back to their topic. The consumer takes them again and makes the change anew.',
  },
  tryAgain: {
    button: 'Ask again',
    done: 'Asks again',
    about: 'The other system is asked once more whether the change happened. It is not made again.',
  },
  skip: {
    button: 'Skip it',
    done: 'Skipped the change',
    about: 'The workflow goes on without this change, and its events are not worked on again.',
  },
};

export function wordsOf(question: Question, id: string): Words {
  switch (question.verb) {
    case 'pause':
      return { title: `Pause ${id}`, button: 'Pause', done: `Paused ${id}` };
    case 'resume':
      return { title: `Resume ${id}`, button: 'Resume', done: `Resumed ${id}` };
    case 'release':
      return { title: `Release ${id}`, button: 'Release', done: `Released ${id}` };
    case 'trigger': {
      const name = nameOf(question.handler);
      const verb = question.isAsleep === true ? 'Wake' : 'Trigger';
      const past = question.isAsleep === true ? 'Woke' : 'Triggered';
      return { title: `${verb} ${name} of ${id}`, button: verb, done: `${past} ${name}` };
    }
    case 'skipEvent':
      return {
        title: `Skip ${question.event} of ${question.topic}`,
        button: 'Skip',
        done: `Skipped ${question.event}`,
      };
    case 'resolve': {
      const words = answers[question.action];
      return { ...words, title: `${words.button}: ${id}`, done: `${id}: ${words.done}` };
    }
  }
}

export function commandOf(question: Question, id: string, { note, result }: Given): string {
  const words = ['carillon host', ...argumentsOf(question, quoted(id))];
  if (result !== undefined) words.push(`--result ${quoted(JSON.stringify(result))}`);
  if (note !== '') words.push(`--note ${quoted(note)}`);
  return words.join(' ');
}

function argumentsOf(question: Question, id: string): readonly string[] {
  switch (question.verb) {
    case 'trigger':
      return ['trigger', id, quoted(nameOf(question.handler))];
    case 'skipEvent':
      return ['skip', id, quoted(question.topic), quoted(question.event)];
    case 'resolve':
      return ['resolve', id, question.action];
    default:
      return [question.verb, id];
  }
}

function nameOf(handler: HandlerName): string {
  return 'producer' in handler ? handler.producer : handler.consumer;
}

function resolutionOf(action: Answer, { result }: Given): ChangeResolution {
  return action === 'happened' && result !== undefined ? { action, result } : { action };
}

export async function perform(
  { hosts }: Scope['api'],
  id: string,
  question: Question,
  given: Given,
): Promise<void> {
  const options = given.note === '' ? {} : { note: given.note };
  switch (question.verb) {
    case 'trigger':
      await hosts.trigger(id, question.handler, options);
      return;
    case 'skipEvent': {
      const { outcome } = await hosts.skip(id, question.topic, question.event, options);
      if (outcome === 'tooLate') throw new Error('Its run has begun its change');
      return;
    }
    case 'resolve':
      return await hosts.resolve(id, resolutionOf(question.action, given), options);
    default:
      return await hosts[question.verb](id, options);
  }
}

export async function rehearse(
  { dryRun }: Scope['api'],
  id: string,
  question: Question,
  signal: AbortSignal,
): Promise<WorkEffects> {
  const options = { signal };
  switch (question.verb) {
    case 'pause':
      return await dryRun.pauseHost(id, options);
    case 'resume':
      return await dryRun.resumeHost(id, options);
    case 'release':
      return await dryRun.releaseHost(id, options);
    case 'trigger':
      return await dryRun.triggerHost(id, question.handler, options);
    case 'skipEvent':
      return await dryRun.skipEvent(id, question.topic, question.event, options);
    case 'resolve':
      // The result that the person enters does not change the effects.
      return await dryRun.resolveChange(id, { action: question.action }, options);
  }
}
