/** The duration of a run, compared with the usual one of its schedule, which is the line in the middle of the bar. */
import { lengthText } from '../time/text.ts';
import type { Family, Look } from '../verdict/verdict.ts';
import { familyOf } from '../verdict/verdict.ts';
import type { Usual } from './usual.ts';

interface TookProps {
  readonly ms: number;
  readonly usual: Usual | undefined;
  readonly look: Look;
  /** Whether any run of the table has a bar, so that all rows leave room for one. */
  readonly hasBar: boolean;
}

/** From this multiple of the usual duration on, the bar is full, and a text shows the multiple. */
const unusual = 2;

const colours: Readonly<Record<Family, string>> = {
  ran: 'bg-[var(--ran-area)]',
  busy: 'bg-busy',
  fail: 'bg-fail',
  policy: 'bg-policy',
  person: 'bg-person',
  spec: 'bg-line',
};

export function Took({ ms, usual, look, hasBar }: TookProps) {
  const times = usual === undefined || usual.ms === 0 ? 0 : ms / usual.ms;
  const isUnusual = times >= unusual;
  const family = familyOf(look);
  const colour = family !== 'fail' && isUnusual ? colours.policy : colours[family];
  return (
    <span
      className="flex flex-wrap items-center gap-x-2 whitespace-nowrap"
      {...(usual === undefined
        ? {}
        : { title: `usually ${lengthText(usual.ms)}: the median of ${usual.runs} runs that completed` })}
    >
      <span className="flex items-center gap-2">
        {hasBar && (
          <span className={`relative h-1.5 w-16 flex-none rounded-full ${times === 0 ? '' : 'bg-line'}`}>
            {times > 0 && (
              <>
                <span
                  className={`absolute inset-y-0 left-0 rounded-full ${colour}`}
                  style={{ width: `${Math.max(3, Math.min(1, times / unusual) * 64)}px` }}
                />
                <span className="absolute -inset-y-0.5 left-1/2 w-px bg-text-3" />
              </>
            )}
          </span>
        )}
        {lengthText(ms)}
      </span>
      {isUnusual && <span className="text-policy-t">{timesText(times)} usual</span>}
    </span>
  );
}

function timesText(times: number): string {
  return `${times < 10 ? Number(times.toFixed(1)) : Math.round(times)}×`;
}
