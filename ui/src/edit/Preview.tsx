import { Note } from '../parts/Note.tsx';
import { wordsWithoutZone } from '../schedules/row.ts';
import { clockText, dayText } from '../time/text.ts';
import { placeOf, viewerZone, zoneLetters } from '../time/zone.ts';
import { Mark } from '../verdict/Mark.tsx';
import { DayLoad } from './DayLoad.tsx';
import type { Draft } from './draft.ts';
import { Findings } from './Findings.tsx';
import type { Finding } from './lint.ts';
import type { previewSpec } from './preview.ts';

interface PreviewProps {
  readonly preview: ReturnType<typeof previewSpec>;
  readonly zone: string;
  /** The zone beside it; the viewer's when absent. */
  readonly other?: string;
  readonly findings?: readonly Finding[];
  readonly onTake?: (draft: Draft) => void;
}

export function Preview({
  preview,
  zone,
  other = viewerZone,
  findings = [],
  onTake = () => {},
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
  return (
    <section className="card" aria-label="In words">
      <div className="body grid gap-3">
        <div>
          <div className="label">In words</div>
          <div className="text-drawer font-semibold" aria-live="polite">
            {wordsWithoutZone(words, zone)}, in {placeOf(zone)}
          </div>
        </div>
        <Findings findings={findings} onTake={onTake} />
        {next.length === 0 && (
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
            {next.map((at, index) => (
              <li key={at} className="flex gap-2 border-b border-line py-1 last:border-0">
                <span className="t3 w-5">{index + 1}</span>
                <span className="flex-1">
                  {dayText(zone, at)} <b className="font-semibold">{clockText(zone, at)}</b>{' '}
                  <span className="t3">{zoneLetters(zone, at)}</span>
                </span>
                {zone !== other && (
                  <span className="t2">
                    {dayText(other, at) === dayText(zone, at) ? '' : `${dayText(other, at)} `}
                    {clockText(other, at)}
                  </span>
                )}
              </li>
            ))}
          </ol>
          {clock.map(({ at, local, text, effect }) => (
            <p key={`${at} ${local}`} className="mt-1 flex gap-2 text-second text-spec-t">
              <span className="mt-0.5">
                <Mark
                  look={
                    effect === 'skipped' || effect === 'shifted' || effect === 'merged' ? 'dstGap' : 'dstFold'
                  }
                />
              </span>
              <span>
                {dayText(zone, at)} {local.slice(0, 4)}: {local.slice(-5)} {text}
              </span>
            </p>
          ))}
        </div>
      )}
      {first !== undefined && <DayLoad next={first} zone={zone} />}
    </section>
  );
}
