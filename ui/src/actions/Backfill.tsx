/** Backfill: the exact slots of a range with what each already is, then the runs of them one after the other. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { troubleOf, useScope } from '../data/api.ts';
import { Command } from '../parts/Copy.tsx';
import { Dialog } from '../parts/Dialog.tsx';
import { Note } from '../parts/Note.tsx';
import { Seg } from '../parts/Seg.tsx';
import { SkeletonBox } from '../parts/Skeleton.tsx';
import { showToast } from '../parts/toast.ts';
import { quoted } from '../schedules/filter.ts';
import { serverNow } from '../time/now.ts';
import { clockText, dayText, plural } from '../time/text.ts';
import { dayMs, hourMs, instantOf, offsetAt, startOfDay, zoneLetters } from '../time/zone.ts';
import { Word } from '../verdict/Mark.tsx';
import { isLook } from '../verdict/verdict.ts';

interface BackfillProps {
  readonly id: string;
  readonly zone: string;
  readonly onClose: () => void;
}

export function Backfill({ id, zone, onClose }: BackfillProps) {
  const scope = useScope();
  const client = useQueryClient();
  const [now] = useState(serverNow);
  const [from, setFrom] = useState(startOfDay(zone, now));
  const [to, setTo] = useState(Math.floor(now / 60_000) * 60_000);
  const [overlap, setOverlap] = useState<'bufferAll' | 'allowAll'>('bufferAll');
  const [isBusy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<string>();
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set());
  const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString(), overlap };
  const isRange = to > from && to - from < 366 * dayMs;
  const { data, error } = useQuery({
    queryKey: [scope.namespace, 'dryRun', 'backfill', id, from, to, overlap],
    queryFn: async ({ signal }) => await scope.api.dryRun.backfill(id, range, { signal }),
    enabled: isRange,
    gcTime: 0,
    placeholderData: keepPreviousData,
  });
  const found = data?.range ?? null;
  const except = (found?.items ?? []).map(({ at }) => at).filter((at) => leftOut.has(at));
  const count = (found?.count ?? 0) - except.length;
  const tick = (at: string, isWanted: boolean) => {
    const next = new Set(leftOut);
    if (isWanted) next.delete(at);
    else next.add(at);
    setLeftOut(next);
  };
  const pick = (name: 'all' | 'notRun') =>
    setLeftOut(
      new Set(
        name === 'all'
          ? []
          : found?.items
              .filter(({ verdict }) => verdict === 'started' || verdict === 'startedLate')
              .map(({ at }) => at),
      ),
    );
  const run = async () => {
    setBusy(true);
    try {
      await scope.api.schedules.backfill(id, except.length === 0 ? range : { ...range, except });
      void client.invalidateQueries();
      showToast({
        family: 'ran',
        text: `Backfill of ${id} began`,
        detail: plural(count, 'slot'),
      });
      onClose();
    } catch (reason) {
      setWrong(`${troubleOf(reason).message}. Nothing was changed.`);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={`Backfill ${id}`}
      sub="Runs the slots of a range, also those that ran before. Nothing else is touched."
      onClose={onClose}
      foot={
        <>
          <button
            type="button"
            className="btn primary"
            disabled={isBusy || found === null || count === 0}
            onClick={() => void run()}
          >
            {found === null ? 'Run' : `Run ${plural(count, 'slot')}`}
          </button>
          <button type="button" className="btn" onClick={onClose}>
            Cancel
          </button>
        </>
      }
    >
      <div className="grid gap-3">
        <div className="grid grid-cols-2 gap-3">
          <Moment label="From" zone={zone} value={from} onChange={setFrom} />
          <Moment label="To" zone={zone} value={to} onChange={setTo} />
        </div>
        <div className="flex flex-wrap items-center justify-between gap-2">
          <Seg
            label="Range"
            options={[
              { value: 'hour', text: 'Last hour' },
              { value: 'today', text: 'Today' },
              { value: 'week', text: 'Last 7 days' },
            ]}
            value={undefined}
            onChange={(name) => {
              setTo(Math.floor(now / 60_000) * 60_000);
              setFrom(
                name === 'hour' ? now - hourMs : name === 'today' ? startOfDay(zone, now) : now - 7 * dayMs,
              );
            }}
          />
          <Seg
            label="How"
            options={[
              { value: 'bufferAll', text: 'One at a time' },
              { value: 'allowAll', text: 'All at once' },
            ]}
            value={overlap}
            onChange={setOverlap}
          />
        </div>
        {!isRange && <Note family="policy">The range must end after it begins, within a year.</Note>}
        {error !== null && <Note family="fail">{troubleOf(error).message}</Note>}
        {found === null ? (
          isRange && error === null && <SkeletonBox height={180} />
        ) : found.items.length === 0 ? (
          <Note family="spec">The spec names no time in this range.</Note>
        ) : (
          <>
            <div>
              <Seg
                label="Which slots"
                options={[
                  { value: 'all', text: 'All' },
                  { value: 'notRun', text: 'Did not run' },
                ]}
                value={undefined}
                onChange={pick}
              />
            </div>
            <ul className="slotlist" tabIndex={0} aria-label="Slots of the range">
              {found.items.map(({ at, verdict }) => {
                const time = Date.parse(at);
                return (
                  <li
                    key={at}
                    className="flex min-h-8 items-center gap-3 border-b border-line px-3 last:border-0"
                  >
                    <label className="flex flex-1 items-center gap-3">
                      <input
                        type="checkbox"
                        className="check"
                        checked={!leftOut.has(at)}
                        onChange={(event) => tick(at, event.target.checked)}
                      />
                      <span className="whitespace-nowrap">
                        {dayText(zone, time)} {clockText(zone, time)}{' '}
                        <span className="t3">{zoneLetters(zone, time)}</span>
                      </span>
                    </label>
                    {leftOut.has(at) && <span className="t3">left out</span>}
                    {verdict !== null && isLook(verdict) ? (
                      <Word look={verdict} />
                    ) : (
                      <span className="t3">no verdict</span>
                    )}
                  </li>
                );
              })}
              {found.count > found.items.length && (
                <li className="t3 px-3 py-1.5">
                  and {found.isExact ? '' : 'at least '}
                  {plural(found.count - found.items.length, 'more slot')}
                </li>
              )}
            </ul>
          </>
        )}
        {wrong !== undefined && (
          <div role="alert">
            <Note family="fail">{wrong}</Note>
          </div>
        )}
        <Command
          text={`carillon schedule backfill ${quoted(id)} --from ${range.from} --to ${range.to}${except.map((at) => ` --except ${at}`).join('')}`}
        />
      </div>
    </Dialog>
  );
}

interface MomentProps {
  readonly label: string;
  readonly zone: string;
  readonly value: number;
  readonly onChange: (at: number) => void;
}

/** A time in the schedule's zone. */
function Moment({ label, zone, value, onChange }: MomentProps) {
  const local = new Date(value + offsetAt(zone, value)).toISOString().slice(0, 16);
  return (
    <label>
      <span className="flabel">
        {label} <span className="t3 font-normal">{zoneLetters(zone, value)}</span>
      </span>
      <input
        type="datetime-local"
        className="input"
        value={local}
        onChange={(event) => {
          const at = Date.parse(`${event.target.value}:00Z`);
          if (!Number.isNaN(at)) onChange(instantOf(zone, at));
        }}
      />
    </label>
  );
}
