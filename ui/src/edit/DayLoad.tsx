/** How busy the other schedules are over the day of the next run, and the quiet time nearest to it. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useScope } from '../data/api.ts';
import { useLater } from '../data/later.ts';
import { clockText, plural } from '../time/text.ts';
import { dayMs, startOfDay, wallTime } from '../time/zone.ts';
import type { SpecDraft } from './draft.ts';
import { movedTo, quietest, withoutOwn } from './quiet.ts';

interface DayLoadProps {
  readonly next: number;
  readonly zone: string;
  /** The present spec of the schedule, whose starts do not count as those of others. */
  readonly own?: object | undefined;
  readonly spec?: SpecDraft | undefined;
  /** Called with the spec that has a quiet time. */
  readonly onMove?: ((spec: SpecDraft) => void) | undefined;
}

const width = 300;
const height = 34;

export function DayLoad({ next, zone, own: ownSpec, spec, onMove }: DayLoadProps) {
  const { api, namespace } = useScope();
  const enabled = useLater();
  const from = startOfDay(zone, next);
  const load = useQuery({
    queryKey: [namespace, 'load', 'day', from, zone],
    enabled,
    queryFn: async ({ signal }) =>
      await api.insight.load(
        {
          from: new Date(from).toISOString(),
          to: new Date(from + dayMs).toISOString(),
          bin: '15m',
          zone,
        },
        { signal },
      ),
    staleTime: 300_000,
  }).data;
  const bins = useMemo(() => {
    const all = (load?.bins ?? [])
      .map(({ from: at, starts }) => ({ at: Date.parse(at), starts }))
      .filter(({ at }) => at < from + dayMs);
    return ownSpec === undefined ? all : withoutOwn(all, ownSpec, from + dayMs);
  }, [load, ownSpec, from]);
  if (load === undefined) return null;
  const most = Math.max(1, ...bins.map(({ starts }) => starts));
  const step = width / Math.max(1, bins.length);
  const own = bins.findLast(({ at }) => at <= next);
  const quiet = quietest(bins, next);
  const taking = (wall: { readonly hour: number; readonly minute: number }) => {
    const moved = spec === undefined ? undefined : movedTo(spec, wall);
    return moved === undefined || onMove === undefined ? undefined : () => onMove(moved);
  };
  return (
    <div className="border-t border-line px-4 py-3">
      <div className="label mb-2">How busy the others are over that day</div>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className="block w-full"
        style={{ height }}
        role="img"
        aria-label="Starts of all schedules by quarters of an hour"
      >
        {bins.map(({ at, starts }, index) => (
          <rect
            key={at}
            x={index * step}
            y={height - Math.max(1, (starts / most) * height)}
            width={Math.max(0.5, step - 0.6)}
            height={Math.max(1, (starts / most) * height)}
            fill={own?.at === at ? 'var(--ink)' : 'var(--line-2)'}
          />
        ))}
      </svg>
      <div className="mt-1 flex justify-between" aria-hidden="true">
        {[0, 6, 12, 18].map((hour) => (
          <span key={hour} className="micro">
            {clockText(zone, from + hour * 3_600_000)}
          </span>
        ))}
        <span className="micro" />
      </div>
      <p className="mt-1 text-second t2">
        {own === undefined || own.starts === 0
          ? 'Nothing else starts then.'
          : `Yours joins ${plural(own.starts, 'start')} of that quarter of an hour.`}{' '}
        {quiet !== undefined && (
          <Quiet at={clockText(zone, quiet.at)} onTake={taking(wallTime(zone, quiet.at))} />
        )}
      </p>
    </div>
  );
}

function Quiet({ at, onTake }: { readonly at: string; readonly onTake: (() => void) | undefined }) {
  if (onTake === undefined) return <b className="font-medium text-text">{at} is quiet.</b>;
  return (
    <button type="button" className="link" onClick={onTake}>
      Run at {at} instead, it is quiet
    </button>
  );
}
