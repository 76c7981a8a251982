/** The dialog that changes a namespace: the fields as they are, what the server would do, then the result. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { NamespaceChange, NamespaceInfo } from 'carillon/client';
import { useState } from 'react';
import { Refused } from '../actions/Refused.tsx';
import { WillHappen } from '../actions/WillHappen.tsx';
import { troubleOf, useScope } from '../data/api.ts';
import { useLiveState } from '../live/live.ts';
import { Command } from '../parts/Copy.tsx';
import { Dialog } from '../parts/Dialog.tsx';
import { Note } from '../parts/Note.tsx';
import { quoted } from '../parts/quoted.ts';
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
  const [isAsServer, setAsServer] = useState(before.retention === null);
  const [isBusy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<string>();
  // What the server keeps is known only while it is what holds.
  const ofServer = before.keptBy === 'server' ? before.kept : '';
  const asked = isAsServer ? null : retention.trim();
  const details = {
    ...(description === before.description ? {} : { description }),
    ...(asked === before.retention ? {} : { retention: asked }),
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
        <div>
          <label>
            <span className="flabel">Keeps runs</span>
            <input
              className="input w-40!"
              value={retention}
              data-first=""
              placeholder="as the server"
              spellCheck={false}
              onChange={({ target }) => {
                setRetention(target.value);
                setAsServer(false);
              }}
            />
          </label>
          <label className="ml-3 inline-flex items-center gap-2">
            <input
              type="checkbox"
              className="check"
              checked={isAsServer}
              onChange={({ target }) => {
                setAsServer(target.checked);
                setRetention(target.checked ? ofServer : (before.retention ?? before.kept));
              }}
            />
            As the server
          </label>
          <span className="help block">
            Set by {before.keptBy === 'server' ? 'the server' : 'the namespace'} now. Write 7d or 12h; it is
            never longer than the server keeps runs.
          </span>
        </div>
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
        {!isSame && <Command text={commandOf(name, details)} />}
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

function commandOf(name: string, { description, retention }: NamespaceChange): string {
  const parts = ['carillon namespace set', quoted(name)];
  if (retention !== undefined) parts.push(`--retention ${retention === null ? 'server' : quoted(retention)}`);
  if (description !== undefined) parts.push(`--description ${quoted(description ?? '')}`);
  return parts.join(' ');
}
