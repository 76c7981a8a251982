/** What a hovered or selected mark is, in words: for the tip and for screen readers. It is loaded after the drawing. */
import { clockText, dayText, lengthText, plural, sinceText } from '../time/text.ts';
import { dayMs, viewerZone, zoneLetters } from '../time/zone.ts';
import { Word } from '../verdict/Mark.tsx';
import { wordOf } from '../verdict/verdict.ts';
import { totalOf, wordsOf } from './bins.ts';
import type { Hit } from './hit.ts';
import type { TimelineData } from './model.ts';
import { sentenceOf } from './sentence.ts';
import type { Stop } from './walk.ts';

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

interface SpokenProps {
  readonly stop: Stop;
  readonly data: TimelineData;
  readonly now: number;
}

/** A sentence about the selected mark, for screen readers. */
export function Spoken({ stop, data, now }: SpokenProps) {
  const { zone } = data;
  if (stop.kind === 'bin') {
    const { from, to } = stop.bin;
    const words = wordsOf(stop.bin).map(({ look, count }) => `${count} ${wordOf(look)}`);
    return `${clockText(zone, from)} ${dayText(zone, from)} to ${clockText(zone, to)} ${dayText(zone, to)}: ${words.join(', ')}.`;
  }
  const { slot } = stop;
  return `${clockText(zone, slot.at)} ${dayText(zone, slot.at)}: ${wordOf(slot.look)}. ${sentenceOf(slot, data, now)}`;
}
