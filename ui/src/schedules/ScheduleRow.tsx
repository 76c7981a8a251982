import { zoneOfSpec } from 'carillon/spec';
import { memo } from 'react';
import { useLinks } from '../app/links.ts';
import { Go } from '../parts/Go.tsx';
import { Icon } from '../parts/Icon.tsx';
import { Menu, MenuItem } from '../parts/Menu.tsx';
import { goTo } from '../route/address.ts';
import { Strip } from '../strip/Strip.tsx';
import { useZoneOf } from '../time/choice.ts';
import { useNow } from '../time/now.ts';
import { placeOf } from '../time/zone.ts';
import { Mark, Word } from '../verdict/Mark.tsx';
import { wordOf } from '../verdict/verdict.ts';
import { Name } from './Name.tsx';
import type { ListedSchedule } from './row.ts';
import { rowOf } from './row.ts';
import type { Verb } from './Schedules.tsx';

interface ScheduleRowProps {
  readonly schedule: ListedSchedule;
  readonly index: number;
  readonly top: number;
  readonly height: number;
  readonly isChosen: boolean;
  readonly isHere: boolean;
  readonly onPick: (id: string, isRange: boolean) => void;
  readonly onAsk: (verb: Verb, id: string) => void;
  readonly mayChange: boolean;
}

export const ScheduleRow = memo(function ScheduleRow(props: ScheduleRowProps) {
  const { schedule, index, top, height, isChosen, isHere, mayChange } = props;
  const now = useNow();
  const links = useLinks();
  const zone = useZoneOf(zoneOfSpec(schedule.spec), schedule.spec.zoneData);
  const row = rowOf(schedule, now, zone);
  const { id } = row;
  const isPaused = schedule.status === 'paused';
  return (
    <div
      className={`lrow ${isChosen ? 'chosen' : ''} ${isHere ? 'here' : ''}`}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isChosen}
      style={{ height, transform: `translateY(${top}px)` }}
    >
      <span className="c-check" {...cell}>
        {mayChange && (
          <input
            type="checkbox"
            className="check"
            aria-label={`Select ${id}`}
            checked={isChosen}
            onChange={() => {}}
            onClick={(event) => props.onPick(id, event.shiftKey)}
          />
        )}
      </span>
      <span className="c-name" {...cell}>
        <Go to={links.schedule(id)} className="block min-w-0">
          <span className="flex items-center gap-2">
            {row.look !== undefined && <Mark look={row.look} label={wordOf(row.look)} />}
            <Name id={id} />
          </span>
          <span
            className={`block truncate text-second ${row.underFamily === undefined ? 't3' : `ct f-${row.underFamily}`}`}
          >
            {row.under}
          </span>
        </Go>
      </span>
      <span className="c-when" {...cell}>
        <span className="block truncate">{row.words}</span>
        <span className="block truncate text-second text-text-3">
          <code>{row.spec}</code> · {placeOf(zoneOfSpec(schedule.spec))}
        </span>
      </span>
      <span className="c-strip" {...cell}>
        <Strip strip={schedule.strip} />
      </span>
      <span className="c-next" {...cell}>
        <span className={`block truncate ${row.isOverdue ? 'font-semibold text-fail-t' : ''}`}>
          {row.next}
        </span>
        <span className="block truncate text-second text-text-3">{row.nextWhen}</span>
      </span>
      <span className="c-last" {...cell}>
        {row.last === undefined ? (
          <span className="text-text-3">no slot yet</span>
        ) : (
          <>
            <Word look={row.last.look} text={row.last.text} />
            <span className="block truncate text-second text-text-3">{row.last.when}</span>
          </>
        )}
      </span>
      <span className="c-p95 text-right whitespace-nowrap text-text-2" {...cell}>
        {row.p95}
      </span>
      <span className="c-more" {...cell}>
        {mayChange && (
          <Menu label={`Actions for ${id}`} className="btn quiet icon">
            <MenuItem onPick={() => props.onAsk('trigger', id)}>
              <Icon name="play" /> Trigger…
            </MenuItem>
            <MenuItem onPick={() => props.onAsk(isPaused ? 'resume' : 'pause', id)}>
              <Icon name={isPaused ? 'play' : 'pause'} /> {isPaused ? 'Resume…' : 'Pause…'}
            </MenuItem>
            <MenuItem onPick={() => goTo(links.edit(id))}>
              <Icon name="edit" /> Edit
            </MenuItem>
            <MenuItem onPick={() => props.onAsk('delete', id)} isDangerous>
              <Icon name="trash" /> Delete…
            </MenuItem>
          </Menu>
        )}
      </span>
    </div>
  );
});

const cell = { role: 'gridcell' } as const;
