/** Gives a schedule that has used up its actions more of them: what will happen, then what did happen. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { EffectsView } from '../actions/EffectsView.tsx';
import { troubleOf, useScope } from '../data/api.ts';
import { useLiveState } from '../live/live.ts';
import { Dialog } from '../parts/Dialog.tsx';
import { Note } from '../parts/Note.tsx';
import { SkeletonBox } from '../parts/Skeleton.tsx';
import { showToast } from '../parts/toast.ts';
import { plural } from '../time/text.ts';

interface MoreActionsProps {
  readonly id: string;
  readonly onClose: () => void;
}

export function MoreActions({ id, onClose }: MoreActionsProps) {
  const { api, namespace } = useScope();
  const client = useQueryClient();
  const isOffline = useLiveState().is === 'offline';
  const [text, setText] = useState('1');
  const [isBusy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<string>();
  const remaining = /^[1-9]\d{0,8}$/.test(text.trim()) ? Number(text) : undefined;
  const { data: effects, error } = useQuery({
    queryKey: [namespace, 'dryRun', 'remaining', id, remaining],
    queryFn: async ({ signal }) =>
      await api.dryRun.patch(id, remaining === undefined ? {} : { remaining }, { signal }),
    enabled: remaining !== undefined,
    staleTime: 0,
    gcTime: 0,
    placeholderData: keepPreviousData,
  });
  const perform = async () => {
    if (remaining === undefined) return;
    setBusy(true);
    setWrong(undefined);
    try {
      await api.schedules.patch(id, { remaining });
      showToast({ family: 'ran', text: `${id} has ${plural(remaining, 'action')} left` });
      onClose();
    } catch (trouble) {
      setWrong(`${troubleOf(trouble).message}. Nothing was changed.`);
    } finally {
      void client.invalidateQueries({ queryKey: [namespace, 'schedule', id] });
      setBusy(false);
    }
  };
  return (
    <Dialog
      title="Give it more actions"
      onClose={onClose}
      foot={
        <>
          <button
            type="button"
            className="btn primary"
            disabled={remaining === undefined || isBusy || isOffline}
            onClick={() => void perform()}
          >
            Give it more actions
          </button>
          <button type="button" className="btn" onClick={onClose}>
            Back
          </button>
          {isOffline && <span className="t3">The server does not answer; this waits.</span>}
        </>
      }
    >
      <div className="grid gap-4">
        <p>Each of its coming slots that starts takes one. Slots that it passed over stay as they are.</p>
        <label>
          <span className="label mb-1 block">Actions left from now on</span>
          <input
            className="input w-32!"
            inputMode="numeric"
            data-first=""
            value={text}
            aria-invalid={remaining === undefined}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => event.key === 'Enter' && void perform()}
          />
          {remaining === undefined && (
            <span className="micro block text-fail-t">A whole number from 1 on.</span>
          )}
        </label>
        {error !== null ? (
          <Note family="fail">
            <b>This would be refused.</b> {troubleOf(error).message}
          </Note>
        ) : effects === undefined ? (
          <SkeletonBox height={40} />
        ) : (
          <EffectsView effects={effects} />
        )}
        {wrong !== undefined && (
          <div role="alert">
            <Note family="fail">{wrong}</Note>
          </div>
        )}
      </div>
    </Dialog>
  );
}
