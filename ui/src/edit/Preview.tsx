import { Suspense } from 'react';
import { Note } from '../parts/Note.tsx';
import { lazyPart } from '../route/lazy-part.tsx';
import { isByHand, wordsWithoutZone, zoneBehind } from '../schedules/row.ts';
import { clockText, dayText } from '../time/text.ts';
import { placeOf, viewerZone, zoneLetters } from '../time/zone.ts';
import { Mark } from '../verdict/Mark.tsx';
import type { Draft, SpecDraft } from './draft.ts';
import type { Finding } from './lint.ts';
import type { ClockNotice, previewSpec } from './preview.ts';

const Findings = lazyPart(async () => (await import('./Findings.tsx')).Findings);
const DayLoad = lazyPart(async () => (await import('./DayLoad.tsx')).DayLoad);

interface PreviewProps {
  readonly preview: ReturnType<typeof previewSpec>;
  readonly zone: string;
  /** The second zone; the viewer's when absent. */
  readonly other?: string;
  readonly findings?: readonly Finding[];
  readonly onTake?: (draft: Draft) => void;
  /** The present spec of the schedule. */
  readonly own?: object | undefined;
  readonly spec?: SpecDraft;
  /** Called with the spec that has a quiet time. */
  readonly onMove?: (spec: SpecDraft) => void;
}

export function Preview({
  preview,
  zone,
  other = viewerZone,
  findings = [],
  onTake = () => {},
  own,
  spec,
  onMove,
}: PreviewProps) {
  if (!preview.ok) {
    return (
      <section className="card" aria-label="In words">
        <div className="body">
          <Note family="fail">
            <b>This names no time.</b>
            <ul>
              {preview.problems.map(({ path, message, fix }) => (
                <li key={`${path} ${message}`}>
                  {message}
                  {fix === undefined ? '' : `: ${fix}`}
                </li>
              ))}
            </ul>
          </Note>
        </div>
      </section>
    );
  }
  const { words, next, clock } = preview;
  const [first] = next;
  const isManual = spec !== undefined && isByHand(spec);
  return (
    <section className="card" aria-label="In words">
      <div className="body grid gap-3">
        <div>
          <div className="label">In words</div>
          <div className="text-drawer font-semibold" aria-live="polite">
            {wordsWithoutZone(words, zone)}
            {isManual ? '' : zoneBehind(words, zone)}
          </div>
        </div>
        {findings.length > 0 && (
          <Suspense>
            <Findings findings={findings} onTake={onTake} />
          </Suspense>
        )}
        {next.length === 0 && !isManual && !findings.some(({ severity }) => severity === 'error') && (
          <Note family="policy">
            <b>No time is left.</b> The schedule would never run by itself.
          </Note>
        )}
      </div>
      {next.length > 0 && (
        <div className="border-t border-line px-4 py-3">
          <div className="mb-1 flex justify-between">
            <span className="label">Next {next.length}</span>
            <span className="label">
              {zone === other ? 'there' : `there · ${other === viewerZone ? 'for you' : placeOf(other)}`}
            </span>
          </div>
          <ol>
            {inOrder(next, clock).map((row) =>
              typeof row === 'number' ? (
                <li key={row} className="flex gap-2 border-b border-line py-1 last:border-0">
                  <span className="t3 w-5">{next.indexOf(row) + 1}</span>
                  <span className="flex-1">
                    {dayText(zone, row)} <b className="font-semibold">{clockText(zone, row)}</b>{' '}
                    <span className="t3">{zoneLetters(zone, row)}</span>
                  </span>
                  {zone !== other && (
                    <span className="t2">
                      {dayText(other, row) === dayText(zone, row) ? '' : `${dayText(other, row)} `}
                      {clockText(other, row)}
                    </span>
                  )}
                </li>
              ) : (
                <li key={`${row.at} ${row.local}`} className="flex gap-2 py-1 text-second text-spec-t">
                  <span className="mt-0.5 w-5">
                    <Mark look={isOfGap(row.effect) ? 'dstGap' : 'dstFold'} />
                  </span>
                  <span className="flex-1">
                    {dayText(zone, row.at)} {row.local.slice(0, 4)}: {row.local.slice(-5)} {row.text}
                  </span>
                </li>
              ),
            )}
          </ol>
        </div>
      )}
      {first !== undefined && (
        <Suspense>
          <DayLoad next={first} zone={zone} own={own} spec={spec} onMove={onMove} />
        </Suspense>
      )}
    </section>
  );
}

const isOfGap = (effect: string) => ['skipped', 'shifted', 'merged'].includes(effect);

/** A clock change stands where it happens among the next times, or behind them. */
function inOrder(next: readonly number[], clock: readonly ClockNotice[]): readonly (number | ClockNotice)[] {
  const at = (row: number | ClockNotice) => (typeof row === 'number' ? row : row.at);
  return [...next, ...clock].sort((a, b) => at(a) - at(b));
}
