import { clockText, dayText, lengthText, plural, sinceText } from '../time/text.ts';
import { dayMs, viewerZone, zoneLetters } from '../time/zone.ts';
import { Word } from '../verdict/Mark.tsx';
import { totalOf, wordsOf } from './bins.ts';
import type { Hit } from './hit.ts';
import type { TimelineData } from './model.ts';
import { sentenceOf } from './sentence.ts';

interface TipTextProps {
  readonly hit: Hit;
  readonly data: TimelineData;
  readonly now: number;
}

export function TipText({ hit, data, now }: TipTextProps) {
  const { zone } = data;
  if (hit.kind === 'bin') {
    const { from, to } = hit.bin;
    const isPart = to - from < dayMs;
    return (
      <>
        <b>
          {dayText(zone, from)}
          {isPart ? ` ${clockText(zone, from)}–${clockText(zone, to)}` : ''}
        </b>{' '}
        · {plural(totalOf(hit.bin), 'slot')}
        {wordsOf(hit.bin).map(({ look, count }) => (
          <div key={look} className="flex justify-between gap-4">
            <Word look={look} />
            {count}
          </div>
        ))}
        {hit.bin.medianMs !== null && <div className="t3">runs took {lengthText(hit.bin.medianMs)}</div>}
      </>
    );
  }
  if (hit.kind === 'time') return null;
  const { slot } = hit;
  return (
    <>
      <div className="flex items-center justify-between gap-4">
        <Word look={slot.look} />
        <span>
          {clockText(zone, slot.at)} {zoneLetters(zone, slot.at)}
        </span>
      </div>
      <div>{sentenceOf(slot, data, now)}</div>
      <div className="t3">
        {zone === viewerZone ? '' : `${clockText(viewerZone, slot.at)} for you · `}
        {sinceText(slot.at, now)}
      </div>
    </>
  );
}
