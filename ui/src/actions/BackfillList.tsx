/** The slots of a backfill's range with ticks: what became of each, and when its run is expected to start. */
import type { Effects } from 'carillon/client';
import { clockText, dayText, momentText, plural } from '../time/text.ts';
import { zoneLetters } from '../time/zone.ts';
import { Word } from '../verdict/Mark.tsx';
import type { RangeSlot } from './backfill-slots.ts';
import { becameOf } from './backfill-slots.ts';

interface BackfillListProps {
  readonly found: NonNullable<Effects['range']>;
  /** The slots of the range that are shown. */
  readonly items: readonly RangeSlot[];
  readonly zone: string;
  readonly now: number;
  readonly isTicked: (slot: RangeSlot) => boolean;
  /** Whether the slots that are not shown run too. */
  readonly hasRest: boolean;
  /** When the run of a ticked slot is expected to start; undefined when that is not known. */
  readonly startOf: ((place: number) => number) | undefined;
  readonly onTick: (at: string, isWanted: boolean) => void;
}

export function BackfillList(props: BackfillListProps) {
  const { found, items, zone, now, isTicked, hasRest, startOf, onTick } = props;
  const ran = found.items.length - items.length;
  let place = 0;
  return (
    <ul className="slotlist" tabIndex={0} aria-label="Slots of the range">
      {items.map((slot) => {
        const { at } = slot;
        const time = Date.parse(at);
        const became = becameOf(slot);
        const isWanted = isTicked(slot);
        const start = isWanted ? startOf?.(place) : undefined;
        if (isWanted) place += 1;
        return (
          <li key={at} className="border-b border-line last:border-0">
            <label>
              <input
                type="checkbox"
                className="check"
                checked={isWanted}
                onChange={(event) => onTick(at, event.target.checked)}
              />
              <span className="whitespace-nowrap">
                {dayText(zone, time)} {clockText(zone, time)}{' '}
                <span className="t3">{zoneLetters(zone, time)}</span>
              </span>
              <span className="t3 truncate">
                {isWanted
                  ? start === undefined
                    ? ''
                    : `starts about ${momentText(zone, start, now)}`
                  : 'left out'}
              </span>
              {became === undefined ? (
                <span className="t3">no verdict</span>
              ) : (
                <Word look={became.look} text={became.word} />
              )}
            </label>
          </li>
        );
      })}
      {ran > 0 && (
        <li className="t3 px-3 py-1.5">
          {items.length === 0 && found.count === found.items.length
            ? 'Every slot of the range ran or will run.'
            : `and ${plural(ran, 'slot')} that ran or will run, left out`}
        </li>
      )}
      {found.count > found.items.length && (
        <li className="t3 px-3 py-1.5">
          and {found.isExact ? '' : 'at least '}
          {plural(found.count - found.items.length, 'more slot')}
          {hasRest ? ', which run too' : ', which are left out: begin later for them'}
        </li>
      )}
    </ul>
  );
}
