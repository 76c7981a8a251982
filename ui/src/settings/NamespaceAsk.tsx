/** The dialog that changes a namespace: the fields as they are, what the server would do, then the result. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { NamespaceInfo } from 'carillon/client';
import { useState } from 'react';
import { Refused } from '../actions/Refused.tsx';
import { WillHappen } from '../actions/WillHappen.tsx';
import { troubleOf, useScope } from '../data/api.ts';
import { useLiveState } from '../live/live.ts';
import { Dialog } from '../parts/Dialog.tsx';
import { Note } from '../parts/Note.tsx';
import { SkeletonBox } from '../parts/Skeleton.tsx';

interface NamespaceAskProps {
  readonly of: NamespaceInfo;
  readonly onDone: (text: string) => void;
  readonly onClose: () => void;
}

export function NamespaceAsk({ of: { name, ...before }, onDone, onClose }: NamespaceAskProps) {
  const { api, namespace } = useScope();
  const isOffline = useLiveState().is === 'offline';
  const [description, setDescription] = useState(before.description);
  const [retention, setRetention] = useState(before.retention ?? before.kept);
  const [isBusy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<string>();
  const isShown = retention.trim() === (before.retention ?? before.kept);
  const details = {
    ...(description === before.description ? {} : { description }),
    // What the server gives is not asked for by opening the dialog.
    ...(isShown ? {} : { retention: retention.trim() }),
  };
  const isSame = Object.keys(details).length === 0;
  const effects = useQuery({
    queryKey: [namespace, 'dryRun', 'namespace', name, details],
    queryFn: async ({ signal }) => await api.dryRun.updateNamespace(name, details, { signal }),
    enabled: !isSame,
    staleTime: 0,
    gcTime: 0,
    placeholderData: keepPreviousData,
  });
  const save = async () => {
    if (isBusy) return;
    setBusy(true);
    try {
      const { kept } = await api.settings.updateNamespace(name, details);
      onDone(details.retention === undefined ? `Changed ${name}` : `${name} keeps its runs ${kept}`);
      onClose();
    } catch (error) {
      setWrong(troubleOf(error).message);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={`Change ${name}`}
      onClose={onClose}
      foot={
        <>
          <button
            type="button"
            className="btn primary"
            aria-disabled={isBusy}
            disabled={isOffline || isSame || effects.error !== null}
            onClick={() => void save()}
          >
            Save
          </button>
          <button type="button" className="btn" onClick={onClose}>
            Cancel
          </button>
          {isOffline && <span className="t3">The server does not answer; this waits.</span>}
        </>
      }
    >
      <div className="grid gap-4">
        <label>
          <span className="flabel">Keeps runs</span>
          <input
            className="input w-40!"
            value={retention}
            data-first=""
            spellCheck={false}
            onChange={({ target }) => setRetention(target.value)}
          />
          <span className="help block">
            Set by {before.keptBy === 'server' ? 'the server' : 'the namespace'} now. Write 7d or 12h; it is
            never longer than the server keeps runs.
          </span>
        </label>
        <label>
          <span className="flabel">Description</span>
          <input
            className="input"
            value={description}
            onChange={({ target }) => setDescription(target.value)}
          />
        </label>
        {isSame ? (
          <p className="t3">Nothing is changed yet.</p>
        ) : effects.error !== null ? (
          <Refused error={effects.error} />
        ) : effects.data === undefined ? (
          <SkeletonBox height={40} />
        ) : (
          <WillHappen family="busy" text={effects.data.text} />
        )}
        {wrong !== undefined && (
          <div role="alert">
            <Note family="fail">
              <b>Not saved.</b> {wrong}
            </Note>
          </div>
        )}
      </div>
    </Dialog>
  );
}
