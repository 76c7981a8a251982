/** A question before a change of a workflow: what will happen, a note, and for a change that was made, its result. */
import { useState } from 'react';
import { useScope } from '../data/api.ts';
import { Dialog } from '../parts/Dialog.tsx';
import type { Act } from './act.ts';

export type HostVerb = 'pause' | 'happened' | 'didNotHappen' | 'tryAgain' | 'skip';

interface Told {
  readonly button: string;
  readonly effect: string;
  readonly done: string;
}

const told: Readonly<Record<HostVerb, Told>> = {
  pause: {
    button: 'Pause',
    effect: 'The run under way finishes. After it nothing starts by itself; runs by hand still do.',
    done: 'Paused',
  },
  happened: {
    button: 'It happened',
    effect:
      'The change counts as made. The run goes on with what comes after it, and its events are used up.',
    done: 'Answered: it happened',
  },
  didNotHappen: {
    button: 'It did not happen',
    effect: 'The events go back to their topic. The consumer takes them again and makes the change anew.',
    done: 'Answered: it did not happen',
  },
  tryAgain: {
    button: 'Ask again',
    effect: 'The other system is asked once more whether the change happened. It is not made again.',
    done: 'Asks again',
  },
  skip: {
    button: 'Skip it',
    effect: 'The workflow goes on without this change, and its events are not worked on again.',
    done: 'Skipped the change',
  },
};

interface HostAskProps {
  readonly id: string;
  readonly verb: HostVerb;
  readonly act: Act;
  readonly onClose: () => void;
}

export function HostAsk({ id, verb, act, onClose }: HostAskProps) {
  const { api } = useScope();
  const { button, effect, done } = told[verb];
  const [note, setNote] = useState('');
  const [result, setResult] = useState('');
  const read = readResult(result);
  const confirm = () => {
    const options = note.trim() === '' ? {} : { note: note.trim() };
    onClose();
    if (verb === 'pause') return void act(`${done} ${id}`, () => api.hosts.pause(id, options));
    const answer =
      verb === 'happened' && read.value !== undefined
        ? ({ action: verb, result: read.value } as const)
        : { action: verb };
    void act(`${id}: ${done}`, () => api.hosts.resolve(id, answer, options));
  };
  return (
    <Dialog
      title={`${button}: ${id}`}
      onClose={onClose}
      foot={
        <>
          <button type="button" className="btn primary" disabled={!read.ok} onClick={confirm}>
            {button}
          </button>
          <button type="button" className="btn" onClick={onClose}>
            Cancel
          </button>
        </>
      }
    >
      <h3 className="label mb-1">What will happen</h3>
      <p className="mb-3">{effect}</p>
      {verb === 'happened' && (
        <>
          <label className="flabel" htmlFor="change-result">
            What the change returned, as JSON; empty when it is not known
          </label>
          <textarea
            id="change-result"
            className="input mono mb-3"
            rows={2}
            value={result}
            spellCheck={false}
            aria-invalid={!read.ok}
            onChange={(event) => setResult(event.target.value)}
          />
          {!read.ok && (
            <p className="help wrong" role="alert">
              This is not JSON.
            </p>
          )}
        </>
      )}
      <label className="flabel" htmlFor="host-note">
        Note
      </label>
      <input
        id="host-note"
        data-first=""
        className="input"
        placeholder="Why, for the audit"
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
    </Dialog>
  );
}

function readResult(text: string): { readonly ok: boolean; readonly value?: unknown } {
  if (text.trim() === '') return { ok: true };
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch {
    return { ok: false };
  }
}
