import { usePageZone } from '../time/choice.ts';
import { roundTimes } from './round-times.ts';

/** The line of times below a chart. */
export function TimeLabels({ from, to, most }: { from: number; to: number; most?: number }) {
  const zone = usePageZone();
  return (
    <div className="relative h-4" aria-hidden="true">
      {roundTimes(from, to, zone, most).map(({ at, place, text }) => (
        <span
          key={at}
          className="micro absolute -translate-x-1/2 whitespace-nowrap"
          style={{ left: `${100 * place}%` }}
        >
          {text}
        </span>
      ))}
    </div>
  );
}
