/** A question before a run is repeated or stopped: what will happen, then what did happen. */
import { useQueryClient } from '@tanstack/react-query';
import type { Stopped } from 'carillon/client';
import { useState } from 'react';
import { WorkPreview } from '../actions/WorkPreview.tsx';
import { useLinks } from '../app/links.ts';
import { troubleOf, useScope } from '../data/api.ts';
import { useLiveState } from '../live/live.ts';
import { Command } from '../parts/Copy.tsx';
import { Dialog } from '../parts/Dialog.tsx';
import { Note } from '../parts/Note.tsx';
import { quoted } from '../parts/quoted.ts';
import { showToast } from '../parts/toast.ts';
import { goTo } from '../route/address.ts';

export type RunVerb = 'again' | 'cancel' | 'terminate' | 'delete';

interface RunAskProps {
  readonly id: string;
  readonly verb: RunVerb;
  readonly onClose: () => void;
}

const words = {
  again: [
    'Run it again',
    'The same work with the same input starts as a new run. The slot keeps its verdict.',
  ],
  cancel: ['Cancel the run', 'Its handler is asked to stop. A run that waits ends at once.'],
  terminate: ['Terminate the run', 'It ends at once, and what its handler still does is ignored.'],
  delete: [
    'Delete the run',
    'It is forgotten with its log, input and result. The slot of its schedule keeps its verdict.',
  ],
} as const;

const stoppedWords: Readonly<Record<Stopped, string>> = {
  ended: 'The run has ended',
  requested: 'Its handler is asked to stop',
  done: 'It had ended before',
  notFound: 'The run is gone',
};

const rehearsals = {
  again: 'runAgain',
  cancel: 'cancelRun',
  terminate: 'terminateRun',
  delete: 'deleteRun',
} as const;

export function RunAsk({ id, verb, onClose }: RunAskProps) {
  const { api, namespace } = useScope();
  const client = useQueryClient();
  const links = useLinks();
  const isOffline = useLiveState().is === 'offline';
  const [isBusy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<string>();
  const [note, setNote] = useState('');
  const why = note.trim();
  const reason = why === '' ? {} : { reason: why };
  const [title, about] = words[verb];
  const isDangerous = verb === 'terminate' || verb === 'delete';
  const perform = async () => {
    setBusy(true);
    setWrong(undefined);
    try {
      if (verb === 'again') {
        const next = await api.runs.again(id, why === '' ? {} : { note: why });
        showToast({ family: 'ran', text: 'Started again' });
        onClose();
        goTo(links.run(next.id));
      } else if (verb === 'delete') {
        await api.runs.delete(id, reason);
        showToast({ family: 'ran', text: 'The run is deleted' });
        onClose();
        goTo(links.place('runs'), { replace: true });
        void client.invalidateQueries({ queryKey: [namespace, 'runs'] });
        return;
      } else {
        showToast({ family: 'ran', text: stoppedWords[await api.runs[verb](id, reason)] });
        onClose();
      }
    } catch (error) {
      setWrong(`${troubleOf(error).message}. Nothing was changed.`);
    }
    void client.invalidateQueries({ queryKey: [namespace, 'run', id] });
    setBusy(false);
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      foot={
        <>
          <button
            type="button"
            className={isDangerous ? 'btn danger' : 'btn primary'}
            disabled={isBusy || isOffline}
            onClick={() => void perform()}
            data-first={isDangerous ? undefined : ''}
          >
            {title}
          </button>
          <button type="button" className="btn" onClick={onClose}>
            Back
          </button>
          {isOffline && <span className="t3">The server does not answer; this waits.</span>}
        </>
      }
    >
      <div className="grid gap-4">
        <p>{about}</p>
        <WorkPreview
          change={[verb, id]}
          ask={async (signal) => await api.dryRun[rehearsals[verb]](id, { signal })}
        />
        <div>
          <label className="flabel" htmlFor="why">
            Note
          </label>
          <input
            id="why"
            className="input"
            value={note}
            maxLength={1000}
            placeholder="why, for the audit"
            onChange={(event) => setNote(event.target.value)}
          />
        </div>
        {wrong !== undefined && (
          <div role="alert">
            <Note family="fail">{wrong}</Note>
          </div>
        )}
        <Command
          text={`carillon run ${verb} ${quoted(id)}${why === '' ? '' : ` --${verb === 'again' ? 'note' : 'reason'} ${quoted(why)}`}`}
        />
      </div>
    </Dialog>
  );
}
