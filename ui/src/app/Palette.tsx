/** Find or do anything: schedules, runs, places, actions; and a schedule with a time asks why, with the answer in the row. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useDeferredValue, useState } from 'react';
import { useScope } from '../data/api.ts';
import { plainText } from '../explain/story.ts';
import { Scrim, useFocusInside } from '../parts/Dialog.tsx';
import type { IconName } from '../parts/Icon.tsx';
import { Icon } from '../parts/Icon.tsx';
import { storiesQuery } from '../schedule/queries.ts';
import type { ListedSchedule } from '../schedules/row.ts';
import { stateOf } from '../schedules/row.ts';
import { serverNow } from '../time/now.ts';
import { clockText, dayText } from '../time/text.ts';
import { Mark } from '../verdict/Mark.tsx';
import type { Look } from '../verdict/verdict.ts';
import { useGo, useLinks } from './links.ts';
import { readAsk } from './palette-ask.ts';
import { allPlaces } from './places.ts';
import { switchTheme } from './theme.ts';

const Actions = lazy(async () => ({ default: (await import('../actions/Actions.tsx')).Actions }));

interface Row {
  readonly key: string;
  readonly group: string;
  readonly icon: IconName;
  readonly look?: Look | undefined;
  readonly text: string;
  readonly detail: string;
  readonly hint?: string;
  readonly run: () => void;
}

export function Palette({ onClose }: { readonly onClose: () => void }) {
  const scope = useScope();
  const links = useLinks();
  const go = useGo();
  const { pathname } = useLocation();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const [asked, setAsked] = useState<{ readonly verb: 'trigger' | 'pause'; readonly id: string }>();
  const ref = useFocusInside<HTMLDivElement>(onClose);
  const query = useDeferredValue(text.trim());
  const ask = readAsk(query);
  const find = ask?.id ?? query;
  const schedules =
    useQuery({
      queryKey: [scope.namespace, 'palette', find],
      queryFn: async ({ signal }) =>
        await scope.api.insight.schedules({ limit: 6, ...(find === '' ? {} : { text: find }) }, { signal }),
      placeholderData: keepPreviousData,
    }).data?.items ?? [];
  const here = /\/schedules\/([^/]+)/.exec(pathname)?.[1];
  const current = here === undefined || here === 'new' ? undefined : decodeURIComponent(here);
  const [first] = schedules as readonly ListedSchedule[];
  const subject = query === '' ? current : first?.id;
  const asking =
    ask === undefined || first === undefined
      ? undefined
      : { id: first.id, at: ask.at(first.spec.zone ?? 'UTC', serverNow()) };
  const story = useQuery({
    ...storiesQuery(scope, asking?.id ?? '', asking?.at ?? 0),
    enabled: asking !== undefined,
  }).data?.[0];
  const leave = (to: string) => {
    onClose();
    go(to);
  };
  const rows: Row[] = [];
  if (asking !== undefined) {
    const zone = first?.spec.zone ?? 'UTC';
    rows.push({
      key: 'ask',
      group: 'Ask',
      icon: 'search',
      text: `Why ${asking.id}, ${dayText(zone, asking.at)} ${clockText(zone, asking.at)}?`,
      detail: story === undefined ? '' : plainText(story.text, zone),
      run: () =>
        leave(links.schedule(asking.id, { at: new Date(asking.at).toISOString().replace('.000', '') })),
    });
  }
  for (const schedule of schedules as readonly ListedSchedule[]) {
    rows.push({
      key: `schedule ${schedule.id}`,
      group: 'Schedules',
      icon: 'schedules',
      look: stateOf(schedule) ?? 'started',
      text: schedule.id,
      detail: `${schedule.words}${schedule.owner === '' ? '' : ` · ${schedule.owner}`}`,
      run: () => leave(links.schedule(schedule.id)),
    });
  }
  if (/^0[0-9a-z]{7,}/.test(query)) {
    rows.push({
      key: 'run',
      group: 'Runs',
      icon: 'runs',
      text: `Run ${query}`,
      detail: '',
      run: () => leave(links.run(query)),
    });
  }
  if (subject !== undefined) {
    rows.push(
      {
        key: 'trigger',
        group: 'Do',
        icon: 'play',
        text: `Trigger ${subject}…`,
        detail: 'Shows first what will happen',
        hint: 'T',
        run: () => setAsked({ verb: 'trigger', id: subject }),
      },
      {
        key: 'pause',
        group: 'Do',
        icon: 'pause',
        text: `Pause ${subject}…`,
        detail: 'With a note, until a time',
        hint: 'P',
        run: () => setAsked({ verb: 'pause', id: subject }),
      },
      {
        key: 'edit',
        group: 'Do',
        icon: 'edit',
        text: `Edit ${subject}`,
        detail: '',
        hint: 'E',
        run: () => leave(links.edit(subject)),
      },
    );
  }
  const isMatch = (name: string) => name.toLowerCase().includes(query.toLowerCase());
  const others: readonly Row[] = [
    {
      key: 'new',
      group: 'Do',
      icon: 'plus',
      text: 'New schedule',
      detail: '',
      hint: 'C',
      run: () => leave(links.place('schedules/new')),
    },
    {
      key: 'theme',
      group: 'Do',
      icon: 'moon',
      text: 'Switch between light and dark',
      detail: '',
      run: () => {
        switchTheme();
        onClose();
      },
    },
    ...allPlaces.map(({ name, icon, to, key }) => ({
      key: `place ${name}`,
      group: 'Go to',
      icon,
      text: name,
      detail: '',
      hint: `G ${key.toUpperCase()}`,
      run: () => leave(links.place(to)),
    })),
  ];
  rows.push(...others.filter(({ text: name }) => isMatch(name)));
  const place = Math.min(chosen, rows.length - 1);
  if (asked !== undefined) {
    return (
      <Suspense>
        <Actions verb={asked.verb} ids={[asked.id]} onClose={onClose} />
      </Suspense>
    );
  }
  return (
    <Scrim onClose={onClose}>
      <div ref={ref} className="palette" role="dialog" aria-modal="true" aria-label="Find or do anything">
        <div className="ask">
          <Icon name="search" />
          <input
            data-first=""
            role="combobox"
            aria-expanded="true"
            aria-controls="palette-list"
            aria-activedescendant={rows[place] === undefined ? undefined : `option-${place}`}
            aria-label="Find or do anything"
            placeholder="A schedule, a run, a place… or invoice-sync 03:30"
            value={text}
            spellCheck={false}
            onChange={(event) => {
              setText(event.target.value);
              setChosen(0);
            }}
            onKeyDown={(event) => {
              const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
              if (by !== 0) setChosen((place + by + rows.length) % rows.length);
              else if (event.key === 'Enter') rows[place]?.run();
              else return;
              event.preventDefault();
            }}
          />
          <kbd>esc</kbd>
        </div>
        <div id="palette-list" role="listbox" aria-label="Results" className="found" tabIndex={-1}>
          {rows.map((row, index) => (
            <div key={row.key} role="presentation">
              {row.group !== rows[index - 1]?.group && (
                <div className="grp label" role="presentation">
                  {row.group}
                </div>
              )}
              {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field above answers the keyboard */}
              <div
                role="option"
                id={`option-${index}`}
                aria-selected={index === place}
                ref={index === place ? (element) => element?.scrollIntoView({ block: 'nearest' }) : undefined}
                onClick={row.run}
                onPointerMove={() => setChosen(index)}
              >
                <span className="grid w-4 place-items-center text-text-3">
                  {row.look === undefined ? <Icon name={row.icon} /> : <Mark look={row.look} />}
                </span>
                <span className="min-w-0 flex-1 truncate">
                  {marked(row.text, find)} <span className="t3 ml-1">{row.detail}</span>
                </span>
                {row.hint !== undefined && <kbd>{row.hint}</kbd>}
              </div>
            </div>
          ))}
          {rows.length === 0 && <p className="t3 px-4 py-6 text-center">Nothing is called that.</p>}
        </div>
        <div className="foot">
          <span>
            <kbd>↑</kbd> <kbd>↓</kbd> move
          </span>
          <span>
            <kbd>↵</kbd> open
          </span>
          <span>
            Type a schedule and a time, as in <b className="font-medium text-text-2">invoice-sync 03:30</b>,
            to ask why
          </span>
        </div>
      </div>
    </Scrim>
  );
}

function marked(text: string, find: string) {
  const at = find === '' ? -1 : text.toLowerCase().indexOf(find.toLowerCase());
  if (at < 0) return text;
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + find.length)}</mark>
      {text.slice(at + find.length)}
    </>
  );
}
