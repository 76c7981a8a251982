/** Backfill: the exact slots of a range with the verdict that each has already, then their runs one after the other. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { troubleOf, useScope } from '../data/api.ts';
import { Command } from '../parts/Copy.tsx';
import { Dialog } from '../parts/Dialog.tsx';
import { Note } from '../parts/Note.tsx';
import { quoted } from '../parts/quoted.ts';
import { Seg } from '../parts/Seg.tsx';
import { SkeletonBox } from '../parts/Skeleton.tsx';
import { unchanged } from '../parts/sentence.ts';
import { showToast } from '../parts/toast.ts';
import { serverNow } from '../time/now.ts';
import { lengthText, momentText, plural } from '../time/text.ts';
import { dayMs, hourMs, minuteMs, startOfDay } from '../time/zone.ts';
import { BackfillList } from './BackfillList.tsx';
import type { Which } from './backfill-slots.ts';
import { askedOf, expectedLength, expectedStart, isListed, isTicked, whichSlots } from './backfill-slots.ts';
import { Moment } from './Moment.tsx';
import { Refused } from './Refused.tsx';

const presets = [
  { value: 'hour', text: 'Last hour' },
  { value: 'today', text: 'Today' },
  { value: 'week', text: 'Last 7 days' },
] as const;
type Preset = (typeof presets)[number]['value'];

function beginOf(preset: Preset, zone: string, now: number): number {
  if (preset === 'today') return startOfDay(zone, now);
  return now - (preset === 'hour' ? hourMs : 7 * dayMs);
}

function wholeMinute(at: number): number {
  return Math.floor(at / minuteMs) * minuteMs;
}

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
  const [to, setTo] = useState(wholeMinute(now));
  const [overlap, setOverlap] = useState<'bufferAll' | 'allowAll'>('bufferAll');
  const [isBusy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<string>();
  const [which, setWhich] = useState<Which>('notRun');
  const [byHand, setByHand] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [preset, setPreset] = useState<Preset | undefined>('today');
  const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString(), overlap };
  const isRange = to > from && to - from < 366 * dayMs;
  const { data, error } = useQuery({
    queryKey: [scope.namespace, 'dryRun', 'backfill', id, from, to, overlap],
    queryFn: async ({ signal }) => await scope.api.dryRun.backfill(id, range, { signal }),
    enabled: isRange,
    gcTime: 0,
    placeholderData: keepPreviousData,
  });
  const usualMs = useQuery({
    queryKey: [scope.namespace, 'strip', id],
    queryFn: async ({ signal }) => await scope.api.insight.strip(id, { signal }),
    staleTime: 60_000,
  }).data?.p50Ms;
  const found = data?.range ?? null;
  const {
    except,
    count,
    to: lastShown,
  } = askedOf({ items: found?.items ?? [], which, byHand }, found?.count ?? 0);
  const asked = { ...range, ...(lastShown === undefined ? {} : { to: lastShown }) };
  const isOneByOne = overlap === 'bufferAll';
  const length = usualMs == null || count === 0 ? undefined : expectedLength(count, usualMs, isOneByOne);
  const choose = (begin: number, end: number, name?: Preset) => {
    setFrom(begin);
    setTo(end);
    setPreset(name);
  };
  const run = async () => {
    setBusy(true);
    try {
      await scope.api.schedules.backfill(id, except.length === 0 ? asked : { ...asked, except });
      void client.invalidateQueries();
      showToast({
        family: 'ran',
        text: `Backfill of ${id} began`,
        detail: plural(count, 'slot'),
      });
      onClose();
    } catch (reason) {
      setWrong(unchanged(troubleOf(reason).message));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={`Backfill ${id}`}
      sub="Runs slots of a range, one run for each. Nothing else is touched."
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
          {length !== undefined && (
            <span className="t3">
              about {lengthText(length)}, done by {momentText(zone, wholeMinute(now + length), now)}
            </span>
          )}
        </>
      }
    >
      <div className="grid gap-3">
        <div className="grid grid-cols-2 gap-3">
          <Moment label="From" zone={zone} value={from} onChange={(at) => choose(at, to)} />
          <Moment label="To" zone={zone} value={to} onChange={(at) => choose(from, at)} />
        </div>
        <div className="flex flex-wrap items-center justify-between gap-2">
          <Seg
            label="Range"
            options={presets}
            value={preset}
            onChange={(name) => choose(beginOf(name, zone, now), wholeMinute(now), name)}
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
        {error !== null && <Refused error={error} />}
        {found === null ? (
          isRange && error === null && <SkeletonBox height={180} />
        ) : found.items.length === 0 ? (
          <Note family="spec">The spec names no time in this range.</Note>
        ) : (
          <>
            <div>
              <Seg
                label="Which slots"
                options={whichSlots}
                value={byHand.size === 0 ? which : undefined}
                onChange={(next) => {
                  setWhich(next);
                  setByHand(new Map());
                }}
              />
            </div>
            <BackfillList
              found={found}
              items={found.items.filter((slot) => isListed(which, slot))}
              now={now}
              zone={zone}
              isTicked={(slot) => isTicked({ which, byHand }, slot)}
              hasRest={lastShown === undefined}
              startOf={
                usualMs == null || !isOneByOne
                  ? undefined
                  : (place) => wholeMinute(expectedStart(place, now, usualMs))
              }
              onTick={(at, isWanted) => setByHand(new Map([...byHand, [at, isWanted]]))}
            />
          </>
        )}
        {wrong !== undefined && (
          <div role="alert">
            <Note family="fail">{wrong}</Note>
          </div>
        )}
        <Command
          text={`carillon schedule backfill ${quoted(id)} --from ${asked.from} --to ${asked.to}${except.map((at) => ` --except ${at}`).join('')}`}
        />
      </div>
    </Dialog>
  );
}
