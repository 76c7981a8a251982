/** The card of the timeline: its view, which is kept in the address, the buttons that move it, and the same slots as a table. */
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useCallback, useEffect, useRef, useState } from 'react';
import type { Scope } from '../data/api.ts';
import { troubleOf } from '../data/api.ts';
import { useLiveState } from '../live/live.ts';
import { Failed } from '../parts/Failed.tsx';
import { Icon } from '../parts/Icon.tsx';
import { Seg } from '../parts/Seg.tsx';
import { SkeletonBox } from '../parts/Skeleton.tsx';
import { showToast } from '../parts/toast.ts';
import { changeSearch } from '../route/address.ts';
import { useSearch } from '../route/hooks.ts';
import { lazyPart } from '../route/lazy-part.tsx';
import type { Search } from '../route/search.ts';
import { useZoneTables } from '../time/use-zone-tables.ts';
import { Legend } from '../timeline/Legend.tsx';
import { Minimap } from '../timeline/Minimap.tsx';
import type { Slot, TimelineData } from '../timeline/model.ts';
import { useMotion } from '../timeline/motion.ts';
import type { Chosen } from '../timeline/Timeline.tsx';
import { Timeline } from '../timeline/Timeline.tsx';
import { useTimeline } from '../timeline/use-timeline.ts';
import type { PresetName, View } from '../timeline/view.ts';
import {
  isIn,
  openingView,
  presets,
  presetView,
  revealing,
  shortestOf,
  withSlot,
  zoomed,
} from '../timeline/view.ts';
import type { Stop } from '../timeline/walk.ts';
import { nextStop, stopAt } from '../timeline/walk.ts';
import { farTrouble } from './far-trouble.ts';

interface SlotsCardProps {
  readonly scope: Scope;
  readonly id: string;
  readonly zone: string;
  readonly step: number;
  readonly createdAt: number;
  /** Its latest slot and its next one; absent: there is none. */
  readonly last: number | undefined;
  readonly next: number | undefined;
  readonly spec: object;
  readonly now: number;
  /** The slot of the open drawer. */
  readonly at: number | undefined;
  readonly onExplain: (at: number | undefined, byHand?: string) => void;
  /** Called with the loaded slots. */
  readonly onSlots: (slots: readonly Slot[]) => void;
}

/** The address is changed when the view has not moved for this long. */
const restMs = 300;

const SlotTable = lazyPart(async () => (await import('../timeline/SlotTable.tsx')).SlotTable);

type Mode = 'auto' | PresetName | 'free';

export function SlotsCard({
  scope,
  id,
  zone,
  step,
  createdAt,
  last,
  next,
  spec,
  now,
  at,
  onExplain,
  onSlots,
}: SlotsCardProps) {
  const search = useSearch();
  const client = useQueryClient();
  useZoneTables();
  const given = viewOf(search.from, search.to);
  const [width, setWidth] = useState(1000);
  const [mode, setMode] = useState<Mode>(given === undefined ? (presetOf(search.zoom) ?? 'auto') : 'free');
  const [free, setFree] = useState<View | undefined>(given);
  const minute = Math.floor(now / 15_000) * 15_000;
  const following =
    mode === 'auto'
      ? withSlot(openingView(step, width, minute), minute, { last, next })
      : mode === 'free'
        ? undefined
        : presetView(mode, minute);
  let view = following ?? free ?? openingView(step, width, minute);
  // When the page opens with the drawer of a slot, the view shows this slot, until the person goes to now.
  const [left, setLeft] = useState<number>();
  if (mode === 'auto' && at !== undefined && at !== left) view = revealing(view, at);
  const [selected, setSelected] = useState<Stop>();
  const isTable = search.slots === 'table';
  const state = useLiveState();
  const { data, error, retry, needsMore } = useTimeline(scope, { id, zone, step, spec }, view, width);
  const slots = data?.slots;
  useEffect(() => {
    if (slots !== undefined) onSlots(slots);
  }, [slots, onSlots]);
  const say = useCallback((change: Search) => {
    changeSearch(change, { replace: true });
  }, []);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const show = useCallback(
    (moved: View) => {
      setMode('free');
      setFree(moved);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        say({
          from: new Date(moved.from).toISOString(),
          to: new Date(moved.to).toISOString(),
          zoom: undefined,
        });
      }, restMs);
    },
    [say],
  );
  useEffect(() => () => clearTimeout(timer.current), []);
  const motion = useMotion(view, show, needsMore);
  const follow = (preset: Mode) => {
    motion.stop();
    clearTimeout(timer.current);
    setMode(preset);
    setFree(undefined);
    setLeft(at);
    say({ from: undefined, to: undefined, zoom: preset === 'auto' ? undefined : preset });
  };
  const select = (stop: Stop, opens = at !== undefined) => {
    setSelected(stop);
    const moved = revealing(view, stop.at);
    if (moved !== view) show(moved);
    if (opens && stop.kind === 'slot') onExplain(stop.at, stop.byHand);
  };
  const jump = async (isLater: boolean, opens?: boolean) => {
    const here = at ?? selected?.at ?? now;
    const near = data === undefined ? undefined : nextStop(data, { here, isLater, troubleUntil: now });
    const stop = near ?? (await farTrouble(client, scope, { id, createdAt, now: minute, here, isLater }));
    if (stop !== undefined) select(stop, opens);
    else {
      const text = `Nothing ${isLater ? 'later' : 'earlier'} that did not run, within 92 days`;
      showToast({ family: 'spec', text });
    }
  };
  const tellJump = (isLater: boolean, opens?: boolean) => {
    jump(isLater, opens).catch((trouble: unknown) =>
      showToast({ family: 'fail', text: troubleOf(trouble).message }),
    );
  };
  const zoom = (factor: number) =>
    show(zoomed({ ...motion.view, width }, factor, width * 0.82, shortestOf(step)));
  const chosen = data === undefined ? undefined : chosenOf(data, { at, byHand: search.cause }, selected);
  return (
    <section className="card" aria-label="Slots">
      <header className="relative flex-wrap">
        <h2>Slots</h2>
        <Seg
          label="Zoom"
          options={
            [
              { value: 'auto', text: 'Auto' },
              ...presets.map(({ name, text }) => ({ value: name, text })),
            ] as const
          }
          value={mode === 'free' ? undefined : mode}
          onChange={(preset) => follow(preset as Mode)}
        />
        {(mode === 'free' || !isIn(view, now)) && (
          <button type="button" className="btn quiet back-now" onClick={() => follow('auto')}>
            Back to now
          </button>
        )}
        <span className="flex-1" />
        <span className="flex items-center">
          <button
            type="button"
            className="btn quiet icon"
            aria-label="Earlier slot that did not run"
            onClick={() => tellJump(false, true)}
          >
            <Icon name="left" />
          </button>
          <span className="roomy px-1 text-second text-text-2">Did not run</span>
          <button
            type="button"
            className="btn quiet icon"
            aria-label="Later slot that did not run"
            onClick={() => tellJump(true, true)}
          >
            <Icon name="right" />
          </button>
        </span>
        <span className="flex">
          <button type="button" className="btn quiet icon" aria-label="Zoom out" onClick={() => zoom(1.5)}>
            <Icon name="minus" />
          </button>
          <button type="button" className="btn quiet icon" aria-label="Zoom in" onClick={() => zoom(1 / 1.5)}>
            <Icon name="plus" />
          </button>
        </span>
        <Seg
          label="Shown as"
          options={[
            { value: 'timeline', text: 'Timeline' },
            { value: 'table', text: 'Table' },
          ]}
          value={isTable ? 'table' : 'timeline'}
          onChange={(shape) => say({ slots: shape === 'table' ? 'table' : undefined })}
        />
      </header>
      {data === undefined ? (
        error === undefined ? (
          <SkeletonBox height={168} />
        ) : (
          <Failed what="The slots" error={error} onRetry={retry} />
        )
      ) : isTable ? (
        <Suspense fallback={<SkeletonBox height={168} />}>
          <SlotTable data={data} view={view} now={now} onExplain={onExplain} />
        </Suspense>
      ) : (
        <>
          <Timeline
            name={id}
            data={data}
            motion={motion}
            now={state.is === 'offline' ? state.since : now}
            isOffline={state.is === 'offline'}
            selected={chosen}
            spoken={selected}
            onWidth={setWidth}
            onNow={() => follow('auto')}
            onSelect={select}
            onTrouble={tellJump}
            onExplain={onExplain}
            onClose={() => onExplain(undefined)}
          />
          <Minimap scope={scope} id={id} zone={zone} createdAt={createdAt} motion={motion} now={minute} />
          <div className="tl-foot">
            <Legend data={data} view={view} />
            <span className="wide-only ml-auto">
              <kbd>←</kbd> <kbd>→</kbd> slot <kbd>+</kbd> <kbd>−</kbd> zoom <kbd>n</kbd> now <kbd>↵</kbd> why
            </span>
          </div>
        </>
      )}
    </section>
  );
}

/** The slot of the drawer, otherwise the one that the keys have selected, as long as it is drawn. */
function chosenOf(
  { slots, bins }: TimelineData,
  { at, byHand }: { readonly at: number | undefined; readonly byHand: string | undefined },
  selected: Stop | undefined,
): Chosen | undefined {
  if (at !== undefined) {
    const slot =
      slots.find((each) => each.at === at && each.byHand === byHand) ?? slots.find((each) => each.at === at);
    return slot === undefined ? { kind: 'time', at } : stopAt(slot);
  }
  return (selected?.kind === 'bin') === (bins !== null) ? selected : undefined;
}

function viewOf(from: string | undefined, to: string | undefined): View | undefined {
  const view = { from: Date.parse(from ?? ''), to: Date.parse(to ?? '') };
  return Number.isNaN(view.from) || Number.isNaN(view.to) || view.to <= view.from ? undefined : view;
}

function presetOf(name: string | undefined): PresetName | undefined {
  return presets.find((preset) => preset.name === name)?.name;
}
