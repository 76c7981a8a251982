/**
 * The dialog that gives the schedules of a busy moment a jitter: which schedules, the effect, then the result of each.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLinks } from '../app/links.ts';
import { troubleOf, useScope } from '../data/api.ts';
import { useLiveState } from '../live/live.ts';
import { Command } from '../parts/Copy.tsx';
import { Dialog } from '../parts/Dialog.tsx';
import { Go } from '../parts/Go.tsx';
import { Note } from '../parts/Note.tsx';
import { quoted } from '../parts/quoted.ts';
import { showToast } from '../parts/toast.ts';
import { countText, plural } from '../time/text.ts';
import { minuteMs } from '../time/zone.ts';
import type { Spreading } from './spread.ts';
import { spreadCommand } from './spread.ts';

interface SpreadAskProps {
  /** The schedules that start together and have no jitter yet. */
  readonly ids: readonly string[];
  readonly spreading: Spreading;
  /** The clock time of the moment. */
  readonly time: string;
  readonly onClose: () => void;
}

interface Refusal {
  readonly id: string;
  readonly message: string;
}

/** The server counts the load anew when its cached answer has expired. */
const countedAgainMs = 65_000;

export function SpreadAsk({ ids, spreading, time, onClose }: SpreadAskProps) {
  const { api, namespace } = useScope();
  const links = useLinks();
  const client = useQueryClient();
  const isOffline = useLiveState().is === 'offline';
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [done, setDone] = useState<number>();
  const [refused, setRefused] = useState<readonly Refusal[]>([]);
  const { minutes, mostBefore, mostAfter } = spreading;
  const chosen = ids.filter((id) => !left.has(id));
  const toggle = (id: string) =>
    setLeft(
      (before) => new Set(before.has(id) ? [...before].filter((each) => each !== id) : [...before, id]),
    );
  const perform = async () => {
    const found: Refusal[] = [];
    setRefused([]);
    for (const [index, id] of chosen.entries()) {
      setDone(index);
      try {
        await api.schedules.patch(
          id,
          { jitter: minutes * minuteMs },
          { note: `spreads the starts of ${time}` },
        );
      } catch (error) {
        found.push({ id, message: troubleOf(error).message });
      }
    }
    setDone(undefined);
    setTimeout(() => void client.invalidateQueries({ queryKey: [namespace, 'load'] }), countedAgainMs);
    if (found.length > 0) {
      setRefused(found);
      setLeft(new Set(ids.filter((id) => !found.some((each) => each.id === id))));
      return;
    }
    showToast({
      family: 'ran',
      text: `${plural(chosen.length, 'schedule')} ${chosen.length === 1 ? 'has' : 'have'} a jitter of ${minutes} min now; the calendar counts again within a minute`,
    });
    onClose();
  };
  return (
    <Dialog
      title={`Spread ${time}`}
      onClose={onClose}
      foot={
        <>
          <button
            type="button"
            className="btn primary"
            disabled={isOffline || done !== undefined || chosen.length === 0}
            onClick={() => void perform()}
            data-first=""
          >
            {done === undefined
              ? `Give ${plural(chosen.length, 'schedule')} a jitter`
              : `${countText(done)} of ${countText(chosen.length)}…`}
          </button>
          <button type="button" className="btn" onClick={onClose}>
            Back
          </button>
          {isOffline && <span className="t3">The server does not answer; this waits.</span>}
        </>
      }
    >
      <div className="grid gap-4">
        <Note family="busy" icon="bolt">
          <b>What will happen</b>
          <br />
          Each starts up to {minutes} min after its time, by a delay of its own for each slot. The slots keep
          their times.{' '}
          {left.size === 0 &&
            `The busiest minute after ${time} has ${countText(mostAfter)} starts then, instead of ${countText(mostBefore)}.`}
        </Note>
        <fieldset className="grid max-h-60 gap-1 overflow-auto" aria-label="Schedules">
          {ids.map((id) => (
            <label key={id} className="flex items-center gap-2">
              <input type="checkbox" checked={!left.has(id)} onChange={() => toggle(id)} />
              {id}
            </label>
          ))}
        </fieldset>
        {refused.length > 0 && (
          <div role="alert">
            <Note family="fail">
              <b>{plural(refused.length, 'schedule')} could not be changed.</b> The others have the jitter.
              <ul>
                {refused.map(({ id, message }) => (
                  <li key={id}>
                    <Go className="link" to={links.schedule(id)}>
                      {id}
                    </Go>
                    : {message}
                  </li>
                ))}
              </ul>
            </Note>
          </div>
        )}
        {chosen.length > 0 && (
          <Command
            text={spreadCommand(chosen.map(quoted), {
              minutes,
              ...(namespace === 'default' ? {} : { namespace: quoted(namespace) }),
            })}
          />
        )}
      </div>
    </Dialog>
  );
}
