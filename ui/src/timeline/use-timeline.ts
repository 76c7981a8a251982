/** Fetches the data of a view of the timeline: single slots or bins, with a margin, and the stretches behind them. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Scope } from '../data/api.ts';
import { whenIdle } from '../data/idle.ts';
import { binsQuery, stretchesQuery, timelineQuery } from '../schedule/queries.ts';
import type { TimesOf } from './from-answers.ts';
import { binsOf, changesOf, evenly, slotsOf, stretchesOf } from './from-answers.ts';
import type { TimelineData } from './model.ts';
import type { Plot, View } from './view.ts';
import { binName, binSizes, detailAt, fetchRange } from './view.ts';

export interface TimelineReading {
  readonly data: TimelineData | undefined;
  readonly error: unknown;
  readonly retry: () => void;
  /** Whether a view needs data that was not requested: another time, or another level of detail. */
  readonly needsMore: (view: View) => boolean;
}

export interface TimelineSubject {
  readonly id: string;
  readonly zone: string;
  readonly step: number;
  readonly spec: object;
}

export function useTimeline(
  scope: Scope,
  subject: TimelineSubject,
  view: View,
  width: number,
): TimelineReading {
  const plot = { ...view, width };
  const isBins = isBinned(subject.step, plot);
  const range = fetchRange(view);
  const bin = binName(plot);
  const slots = useQuery({ ...timelineQuery(scope, subject.id, range), enabled: !isBins });
  const bins = useQuery({
    ...binsQuery(scope, subject.id, wholeBins(range, binSizes[bin]), bin),
    enabled: isBins,
  });
  const stretches = useQuery(stretchesQuery(scope, subject.id, range));
  const hasStretch = slots.data?.slots.some(({ count = 1 }) => count > 2) ?? false;
  const timesOf = useSpecTimes(subject.spec, hasStretch && !isBins);
  const data = useMemo((): TimelineData | undefined => {
    const answer = slots.data;
    const counted = bins.data;
    if (isBins ? counted === undefined : answer === undefined) return undefined;
    const behind = stretches.data;
    return {
      zone: subject.zone,
      step: subject.step,
      slots: isBins || answer === undefined ? [] : slotsOf(answer, timesOf),
      bins: isBins && counted !== undefined ? binsOf(counted) : null,
      stretches: behind === undefined ? [] : stretchesOf(behind, range.from),
      changes: behind === undefined ? [] : changesOf(behind),
      usual: { p50: answer?.p50Ms ?? null, p95: answer?.p95Ms ?? null },
      keptFrom: behind === undefined ? range.from : Date.parse(behind.forgottenUntil ?? behind.createdAt),
    };
  }, [slots.data, bins.data, stretches.data, isBins, subject.zone, subject.step, timesOf, range.from]);
  // Until another level of detail is loaded, the previous one stays, so that the focused element keeps the focus.
  const kept = useRef<{ readonly id: string; readonly data: TimelineData }>(undefined);
  if (data !== undefined) kept.current = { id: subject.id, data };
  const error = (isBins ? bins.error : slots.error) ?? undefined;
  const before = kept.current?.id === subject.id && error === undefined ? kept.current.data : undefined;
  const retry = () => {
    void slots.refetch();
    void stretches.refetch();
  };
  const needsMore = (next: View) => {
    const moved = { ...next, width };
    if (next.from < range.from || next.to > range.to) return true;
    return isBinned(subject.step, moved) !== isBins || (isBins && binName(moved) !== bin);
  };
  return { data: data ?? before, error, retry, needsMore };
}

function isBinned(step: number, { from, to, width }: Plot): boolean {
  return detailAt((step / (to - from)) * width) === 'bins';
}

function wholeBins({ from, to }: View, size: number): View {
  return { from: Math.floor(from / size) * size, to: Math.ceil(to / size) * size };
}

/** The exact times of a stretch are computed from the spec, by code that is loaded when a stretch is shown and the page is
 * idle; until then the slots are spread evenly. */
function useSpecTimes(spec: object, isWanted: boolean): TimesOf {
  const [timesOf, setTimesOf] = useState<{ readonly find: TimesOf }>({ find: evenly });
  useEffect(() => {
    if (!isWanted) return;
    let isGone = false;
    whenIdle(() => {
      if (isGone) return;
      import('./spec-times.ts').then(
        ({ specTimes }) => {
          if (!isGone) setTimesOf({ find: specTimes(spec) });
        },
        // The code could not be loaded: the slots of a stretch stay spread evenly.
        () => {},
      );
    });
    return () => {
      isGone = true;
    };
  }, [spec, isWanted]);
  return timesOf.find;
}
