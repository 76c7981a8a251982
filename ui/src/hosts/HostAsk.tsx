/** A question before a change of a workflow: what will happen, a note, and for a change that was made, its result. */
import { useState } from 'react';
import { WorkPreview } from '../actions/WorkPreview.tsx';
import { useScope } from '../data/api.ts';
import { useLiveState } from '../live/live.ts';
import { Command } from '../parts/Copy.tsx';
import { Dialog } from '../parts/Dialog.tsx';
import type { Act } from './act.ts';
import type { Question } from './question.ts';
import { commandOf, perform, rehearse, wordsOf } from './question.ts';

interface HostAskProps {
  readonly id: string;
  readonly question: Question;
  readonly act: Act;
  readonly onClose: () => void;
}

export function HostAsk({ id, question, act, onClose }: HostAskProps) {
  const { api } = useScope();
  const isOffline = useLiveState().is === 'offline';
  const { title, button, done, about } = wordsOf(question, id);
  const [note, setNote] = useState('');
  const [result, setResult] = useState('');
  const read = readResult(result);
  const given = { note: note.trim(), ...(read.value === undefined ? {} : { result: read.value }) };
  const confirm = () => {
    onClose();
    void act(done, async () => await perform(api, id, question, given));
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      foot={
        <>
          <button type="button" className="btn primary" disabled={!read.ok || isOffline} onClick={confirm}>
            {button}
          </button>
          <button type="button" className="btn" onClick={onClose}>
            Cancel
          </button>
          {isOffline && <span className="t3">The server does not answer; this waits.</span>}
        </>
      }
    >
      <div className="grid gap-4">
        {about !== undefined && <p>{about}</p>}
        <WorkPreview
          change={[id, question]}
          ask={async (signal) => await rehearse(api, id, question, signal)}
        />
        {question.verb === 'resolve' && question.action === 'happened' && (
          <div>
            <label className="flabel" htmlFor="change-result">
              What the change returned, as JSON; empty when it is not known
            </label>
            <textarea
              id="change-result"
              className="input mono"
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
          </div>
        )}
        <div>
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
        </div>
        <Command text={commandOf(question, id, given)} />
      </div>
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
