/** Find or do anything: schedules, runs, places, actions; and a schedule with a time asks why, with the answer in the row. */

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { zoneOfSpec } from 'carillon/spec';
import { useDeferredValue, useEffect, useRef, useState } from 'react';
import type { Scope } from '../data/api.ts';
import { useScope } from '../data/api.ts';
import { useMayChange } from '../data/role.ts';
import { lookOfExplanation, plainText } from '../explain/explanation-text.ts';
import { NearMiss } from '../near/NearMiss.tsx';
import { Scrim, useFocusInside } from '../parts/Dialog.tsx';
import type { IconName } from '../parts/Icon.tsx';
import { Icon } from '../parts/Icon.tsx';
import { typedAhead } from '../parts/typed-ahead.ts';
import { goTo } from '../route/address.ts';
import { usePath } from '../route/hooks.ts';
import { lazyDialog } from '../route/lazy-dialog.tsx';
import { explanationsQuery, scheduleQuery } from '../schedule/queries.ts';
import type { ListedSchedule } from '../schedules/row.ts';
import { stateOf } from '../schedules/row.ts';
import { chooseTimes, timeChoices, useTimeChoice } from '../time/choice.ts';
import { serverNow } from '../time/now.ts';
import { clockText, dayText } from '../time/text.ts';
import { zoneLetters } from '../time/zone.ts';
import { Mark } from '../verdict/Mark.tsx';
import type { Look } from '../verdict/verdict.ts';
import { useLinks } from './links.ts';
import { readAsk, withoutWhy } from './palette-ask.ts';
import type { PaletteVerb } from './palette-verbs.ts';
import { canDo, readVerb, verbDetails, verbText } from './palette-verbs.ts';
import { allPlaces } from './places.ts';
import { switchTheme } from './theme.ts';

const Actions = lazyDialog(async () => (await import('../actions/Actions.tsx')).Actions);

/** More schedules are asked for, because a verb may not fit all that were found. */
const mostListed = 6;
const mostFound = 20;
/** Few, so that schedules that need a person still have rows. */
const mostBegun = 3;

const Backfill = lazyDialog(async () => (await import('../actions/Backfill.tsx')).Backfill);

const verbIcons: Readonly<Record<PaletteVerb, IconName>> = {
  trigger: 'play',
  pause: 'pause',
  resume: 'play',
  backfill: 'back',
  edit: 'edit',
  delete: 'trash',
};

interface Row {
  readonly key: string;
  readonly group: string;
  readonly icon: IconName;
  readonly look?: Look | undefined;
  readonly text: string;
  readonly detail: string;
  readonly hint?: string;
  /** Whether the text is shown whole instead of being cut. */
  readonly isLong?: boolean;
  readonly run: () => void;
}

export function Palette({ onClose }: { readonly onClose: () => void }) {
  const scope = useScope();
  const links = useLinks();
  const path = usePath();
  const [text, setText] = useState(() => typedAhead().text);
  const [chosen, setChosen] = useState(0);
  const [asked, setAsked] = useState<{
    readonly verb: Exclude<PaletteVerb, 'edit'>;
    readonly id: string;
    readonly zone?: string | undefined;
  }>();
  const mayChange = useMayChange();
  const choice = useTimeChoice();
  const ref = useFocusInside<HTMLDivElement>(onClose);
  const query = useDeferredValue(text.trim());
  const ask = readAsk(query);
  const told = mayChange ? readVerb(query) : undefined;
  const find = told?.find ?? ask?.id ?? withoutWhy(query);
  const listed = useQuery({
    queryKey: [scope.namespace, 'palette', find],
    queryFn: async ({ signal }) => await findSchedules(scope, find, signal),
    placeholderData: keepPreviousData,
  });
  const found = listed.data ?? [];
  const schedules = found.slice(0, mostListed);
  /** Whether the rows belong to the typed text. Enter must not open a row of an earlier text. */
  const isSettled = query === text.trim() && !listed.isPlaceholderData && !listed.isPending;
  const [isEntered, setEntered] = useState(() => typedAhead().isEntered);
  const place = /\/schedules\/([^/]+)/.exec(path)?.[1];
  const current = place === undefined || place === 'new' ? undefined : decodeURIComponent(place);
  const [first] = schedules;
  const subject = query === '' ? current : told === undefined ? first?.id : undefined;
  const here = useQuery({ ...scheduleQuery(scope, current ?? ''), enabled: current !== undefined }).data;
  const isPaused = (query === '' ? here : first)?.status === 'paused';
  const known = usePaletteNames(query !== '');
  const zone = first === undefined ? 'UTC' : zoneOfSpec(first.spec);
  const times = ask === undefined || first === undefined ? [] : ask.times(zone, serverNow());
  const explanations = [useExplanation(first?.id, times[0]), useExplanation(first?.id, times[1])];
  const leave = (to: string) => {
    onClose();
    goTo(to);
  };
  const rows: Row[] = [];
  for (const [place, at] of times.entries()) {
    const explanation = explanations[place];
    const id = first?.id ?? '';
    rows.push({
      key: `ask ${at}`,
      group: 'Ask',
      icon: 'search',
      look: explanation === undefined ? undefined : lookOfExplanation(explanation, serverNow()),
      isLong: true,
      text: `Why ${id}, ${dayText(zone, at)} ${clockText(zone, at)} ${zoneLetters(zone, at)}?`,
      detail: explanation === undefined ? '' : plainText(explanation.text, zone, { at }),
      run: () => leave(links.schedule(id, { at: new Date(at).toISOString().replace('.000', '') })),
    });
  }
  const act = (verb: PaletteVerb, id: string, zone?: string) =>
    verb === 'edit' ? leave(links.edit(id)) : setAsked({ verb, id, zone });
  if (told !== undefined) {
    const { verb } = told;
    for (const { id, spec } of found.filter(({ status }) => canDo(verb, status)).slice(0, mostListed)) {
      rows.push({
        key: `${verb} ${id}`,
        group: 'Do',
        icon: verbIcons[verb],
        text: verbText(verb, id),
        detail: verbDetails[verb],
        run: () => act(verb, id, zoneOfSpec(spec)),
      });
    }
  }
  const others: readonly Row[] = [
    ...(mayChange
      ? [
          {
            key: 'new',
            group: 'Do',
            icon: 'plus' as const,
            text: 'New schedule',
            detail: '',
            hint: 'C',
            run: () => leave(links.place('schedules/new')),
          },
        ]
      : []),
    ...timeChoices
      .filter(([each]) => each !== choice)
      .map(([each, name]) => ({
        key: `times ${each}`,
        group: 'Do',
        icon: 'clock' as const,
        text: `Show times by ${name === 'UTC' ? name : name.toLowerCase()}`,
        detail: '',
        run: () => {
          chooseTimes(each);
          onClose();
        },
      })),
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
    ...known.views.map(({ name, query: search }) => ({
      key: `view ${name}`,
      group: 'Views',
      icon: 'schedules' as const,
      text: name,
      detail: new URLSearchParams(search).get('q') ?? '',
      run: () => leave(`${links.place('schedules')}?${search}`),
    })),
    ...known.namespaces
      .filter((name) => name !== scope.namespace)
      .map((name) => ({
        key: `namespace ${name}`,
        group: 'Namespaces',
        icon: 'settings' as const,
        text: `Namespace ${name}`,
        detail: '',
        run: () => leave(`/${encodeURIComponent(name)}/`),
      })),
  ];
  const named = others.filter(({ text: name }) => isPart(name, query));
  // A place that is called so comes before schedules that only mention it.
  const isNamed = find === '' || schedules.some(({ id }) => isPart(id, find));
  if (!isNamed) rows.push(...named);
  for (const schedule of schedules) {
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
  for (const { id, attention } of known.hosts.filter(({ id: name }) => isPart(name, query)).slice(0, 4)) {
    rows.push({
      key: `host ${id}`,
      group: 'Workflows',
      icon: 'hosts',
      text: id,
      detail: attention ?? '',
      run: () => leave(links.place('hosts')),
    });
  }
  if (subject !== undefined && mayChange) {
    const verbs = [
      ['trigger', 'T'],
      [isPaused ? 'resume' : 'pause', 'P'],
      ['edit', 'E'],
    ] as const;
    for (const [verb, hint] of verbs) {
      rows.push({
        key: verb,
        group: 'Do',
        icon: verbIcons[verb],
        text: verbText(verb, subject),
        detail: verbDetails[verb],
        hint,
        run: () => act(verb, subject),
      });
    }
  }
  if (isNamed) rows.push(...named);
  const row = Math.min(chosen, rows.length - 1);
  const picked = useRef<(() => void) | undefined>(undefined);
  picked.current = rows[row]?.run;
  useEffect(() => {
    if (!isEntered || !isSettled) return;
    setEntered(false);
    picked.current?.();
  }, [isEntered, isSettled]);
  if (asked !== undefined) {
    const { verb, id, zone: own = 'UTC' } = asked;
    return verb === 'backfill' ? (
      <Backfill id={id} zone={own} onClose={onClose} />
    ) : (
      <Actions verb={verb} ids={[id]} onClose={onClose} />
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
            aria-activedescendant={rows[row] === undefined ? undefined : `option-${row}`}
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
              if (by !== 0) setChosen((row + by + rows.length) % rows.length);
              else if (event.key === 'Enter') setEntered(true);
              else return;
              event.preventDefault();
            }}
          />
          <kbd>esc</kbd>
        </div>
        <div id="palette-list" role="listbox" aria-label="Results" className="found" tabIndex={-1}>
          {rows.map((each, index) => (
            <div key={each.key} role="presentation">
              {each.group !== rows[index - 1]?.group && (
                <div className="grp label" role="presentation">
                  {each.group}
                </div>
              )}
              {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field above answers the keyboard */}
              <div
                role="option"
                id={`option-${index}`}
                aria-selected={index === row}
                ref={index === row ? (element) => element?.scrollIntoView({ block: 'nearest' }) : undefined}
                onClick={each.run}
                onPointerMove={() => setChosen(index)}
              >
                <span className="grid w-4 place-items-center text-text-3">
                  {each.look === undefined ? <Icon name={each.icon} /> : <Mark look={each.look} />}
                </span>
                <span className={`min-w-0 flex-1 ${each.isLong === true ? 'py-2' : 'truncate'}`}>
                  {marked(each.text, find)} <span className="t3 ml-1">{each.detail}</span>
                </span>
                {each.hint !== undefined && <kbd>{each.hint}</kbd>}
              </div>
            </div>
          ))}
          {rows.length === 0 && (
            <p className="t3 px-4 py-6 text-center">
              Nothing is called that.
              <NearMiss
                q={find}
                onPick={(near) => {
                  setText(text.replace(find, near));
                  ref.current?.querySelector('input')?.focus();
                }}
              />
            </p>
          )}
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
            {mayChange && (
              <>
                ; or a verb first, as in <b className="font-medium text-text-2">pause night</b>
              </>
            )}
          </span>
        </div>
      </div>
    </Scrim>
  );
}

/** Schedules whose names begin with the text, then all in which it occurs, the worst first; each once. */
async function findSchedules(
  { api }: Scope,
  text: string,
  signal: AbortSignal,
): Promise<readonly ListedSchedule[]> {
  const asked =
    text === ''
      ? [{ limit: mostFound }]
      : [{ prefix: text, sort: 'id', limit: mostBegun } as const, { text, limit: mostFound }];
  const answers = await Promise.all(asked.map(async (each) => await api.insight.schedules(each, { signal })));
  const byId = new Map(
    answers.flatMap(({ items }) => (items as readonly ListedSchedule[]).map((item) => [item.id, item])),
  );
  return [...byId.values()];
}

/** The explanation of the schedule's own slot at a time. */
function useExplanation(id: string | undefined, at: number | undefined) {
  const scope = useScope();
  const enabled = id !== undefined && at !== undefined;
  return useQuery({ ...explanationsQuery(scope, id ?? '', at ?? 0), enabled }).data?.[0];
}

function isPart(name: string, query: string): boolean {
  return name.toLowerCase().includes(query.toLowerCase());
}

/** Workflows, views and namespaces by name. There are few of each, so they are read once. */
function usePaletteNames(enabled: boolean) {
  const { api, namespace } = useScope();
  const options = { enabled, staleTime: 60_000 };
  const hosts = useQuery({
    ...options,
    queryKey: [namespace, 'hosts', 'names'],
    queryFn: async ({ signal }) => (await api.hosts.list({ limit: 200 }, { signal })).items,
  }).data;
  const views = useQuery({
    ...options,
    queryKey: [namespace, 'views'],
    queryFn: async ({ signal }) => await api.views.list({ signal }),
  }).data;
  const namespaces = useQuery({
    ...options,
    queryKey: [namespace, 'namespaces'],
    queryFn: async ({ signal }) => await api.settings.namespaces({ signal }),
  }).data;
  return {
    hosts: hosts ?? [],
    views: (views ?? []).filter(({ place }) => place === 'schedules'),
    namespaces: (namespaces ?? []).map(({ name }) => name),
  };
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
