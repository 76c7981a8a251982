/** The words of the spec with its next time, for a phone, where the preview is far below the fields. */
import { useSmallScreen } from '../parts/small-screen.ts';
import { wordsWithoutZone, zoneBehind } from '../schedules/row.ts';
import { whenText } from '../time/text.ts';
import type { SpecPreview } from './preview.ts';

interface SaidProps {
  readonly preview: SpecPreview;
  readonly zone: string;
  readonly now: number;
}

/** Screen readers hear the preview, which is the same. */
export function Said({ preview, zone, now }: SaidProps) {
  if (!useSmallScreen()) return null;
  return (
    <p className="t2" aria-hidden="true">
      {saidOf(preview, zone, now)}
    </p>
  );
}

/** `Every 30 minutes, in New York. Next Wed 23:30 EST.` */
function saidOf({ words, next }: SpecPreview, zone: string, now: number): string {
  const [first] = next;
  const times = `${wordsWithoutZone(words, zone)}${first === undefined ? '' : zoneBehind(words, zone)}.`;
  return first === undefined ? times : `${times} Next ${whenText(zone, first, now)}.`;
}
