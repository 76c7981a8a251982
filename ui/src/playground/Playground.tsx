/** Shows any text of any dialect: words, parts, times in two zones, clock changes, and its meaning in other dialects. */
import { Suspense, useDeferredValue, useMemo, useState } from 'react';
import { changeSearch } from '../route/address.ts';
import { useSearch } from '../route/hooks.ts';
import { lazyPart } from '../route/lazy-part.tsx';
import type { Search } from '../route/search.ts';
import '../time/zone-tables.ts';
import { findZone, zoneNames } from 'carillon/spec';
import { useLinks } from '../app/links.ts';
import { Screen } from '../app/Screen.tsx';
import { useMayChange } from '../data/role.ts';
import { Preview } from '../edit/Preview.tsx';
import { previewSpec, zoneOfDraft } from '../edit/preview.ts';
import { Command } from '../parts/Copy.tsx';
import { Go } from '../parts/Go.tsx';
import { quoted } from '../parts/quoted.ts';
import { Seg } from '../parts/Seg.tsx';
import { sentence } from '../parts/sentence.ts';
import { useMinute } from '../time/now.ts';
import { viewerZone } from '../time/zone.ts';
import { anatomyOf } from './anatomy.ts';
import { mistakeIn } from './mistake.ts';
import { Parts } from './Parts.tsx';
import { ZoneField } from './ZoneField.tsx';

const Dialects = lazyPart(async () => (await import('./Dialects.tsx')).Dialects);

const examples = [
  '*/15 * * * *',
  '0 9 * * 1-5',
  '30 2 * * *',
  '0 0 13 * 5',
  '0 0 L * *',
  '@every 90m',
  '0 30 9 ? * 2#1',
  'FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=18',
];

const cronDialects = ['unix', 'temporal', 'spring'] as const;
type Dialect = (typeof cronDialects)[number] | 'rrule';

/** Times are shown in two zones: the schedule's, and the viewer's or, where that is the same, another. */
function otherZone(chosen: string | undefined, zone: string): string {
  if (chosen !== undefined && chosen !== zone && findZone(chosen) !== undefined) return chosen;
  return [viewerZone, 'UTC', 'America/New_York'].find((each) => each !== zone) ?? 'UTC';
}

export function Playground() {
  const links = useLinks();
  const mayChange = useMayChange();
  const search = useSearch();
  // The address cannot hold an empty text, so this distinguishes an emptied field from an address without a text.
  const [isEmptied, setEmptied] = useState(false);
  const text = search.text ?? (isEmptied ? '' : '30 2 * * *');
  const zone = search.zone !== undefined && findZone(search.zone) !== undefined ? search.zone : viewerZone;
  const isRule = /^(RRULE|DTSTART|[A-Z]+=)/i.test(text.trim()) && !/^(CRON_)?TZ=/.test(text.trim());
  const dialect: Dialect = isRule
    ? 'rrule'
    : (cronDialects.find((each) => each === search.dialect) ?? 'unix');
  const now = useMinute();
  const spec = useMemo(
    () => (isRule ? { rrules: [{ text }], zone } : { cron: [{ text, dialect: dialect as 'unix' }], zone }),
    [isRule, text, zone, dialect],
  );
  const preview = useMemo(() => previewSpec(spec, now), [spec, now]);
  // The text may name its zone.
  const shown = zoneOfDraft(spec);
  const isNamed = shown !== zone;
  const other = otherZone(search.other, shown);
  // The dialects may follow fast typing with a delay.
  const later = useDeferredValue(text);
  // An empty field is not a mistake.
  const problem = preview.ok || text.trim() === '' ? undefined : preview.problems[0];
  const mistake = problem === undefined ? undefined : mistakeIn(text, dialect, problem);
  const say = (change: Search) => changeSearch(change, { replace: true });
  return (
    <Screen
      crumbs={[{ text: 'Playground' }]}
      title="Playground"
      sub="Paste any cron text or recurrence rule. Nothing is saved."
      acts={
        preview.ok && mayChange ? (
          <Go
            className="btn primary"
            to={`${links.place('schedules/new')}?${isRule ? 'rrule' : 'cron'}=${encodeURIComponent(text)}${isNamed ? '' : `&zone=${encodeURIComponent(zone)}`}${dialect === 'unix' || isRule ? '' : `&dialect=${dialect}`}`}
          >
            Create from this
          </Go>
        ) : undefined
      }
    >
      <div className="cols-edit">
        <div className="stack">
          <section className="card" aria-label="The text">
            <div className="body grid gap-4">
              <div>
                <label className="flabel" htmlFor="text">
                  Text
                </label>
                <textarea
                  id="text"
                  data-query=""
                  rows={Math.min(8, text.split('\n').length)}
                  className="area resize-none font-mono text-drawer!"
                  value={text}
                  spellCheck={false}
                  aria-invalid={problem !== undefined}
                  aria-describedby={problem === undefined ? undefined : 'text-problem'}
                  onChange={({ target }) => {
                    setEmptied(target.value === '');
                    say({ text: target.value });
                  }}
                />
                {problem !== undefined && (
                  <div id="text-problem" role="alert" className="text-fail-t">
                    {mistake !== undefined && !text.includes('\n') && (
                      <div className="mistake" aria-hidden="true">
                        {' '.repeat(mistake.from)}
                        <b>{'^'.repeat(mistake.to - mistake.from)}</b>
                      </div>
                    )}
                    <p className="mt-1">
                      {sentence(problem.message.replace(/^\w+ cron: /, ''))}
                      {problem.fix === undefined ? '' : ` ${sentence(problem.fix)}`}
                    </p>
                  </div>
                )}
              </div>
              <Parts parts={anatomyOf(text, dialect)} />
              <div className="flex flex-wrap items-start gap-4">
                {!isRule && (
                  <div>
                    <span className="flabel">Dialect</span>
                    <Seg
                      label="Dialect"
                      options={[
                        { value: 'unix', text: 'Unix' },
                        { value: 'temporal', text: 'Temporal' },
                        { value: 'spring', text: 'Spring, Conductor' },
                      ]}
                      value={dialect as 'unix'}
                      onChange={(next) => say({ dialect: next === 'unix' ? undefined : next })}
                    />
                  </div>
                )}
                <div className="w-52">
                  <ZoneField id="zone" label="Zone" zone={zone} onChange={(next) => say({ zone: next })} />
                  {isNamed && <p className="help">The text names {shown}, which counts.</p>}
                </div>
                <ZoneField
                  id="other"
                  label="Beside it"
                  zone={other}
                  onChange={(next) => say({ other: next })}
                />
                <datalist id="zones">
                  {zoneNames().map((name) => (
                    <option key={name} value={name} />
                  ))}
                </datalist>
              </div>
              <div>
                <span className="label mb-1 block">Try</span>
                <div className="flex flex-wrap gap-1.5">
                  {examples.map((example) => (
                    <button
                      key={example}
                      type="button"
                      className="chip font-mono"
                      onClick={() => say({ text: example })}
                    >
                      {example}
                    </button>
                  ))}
                </div>
              </div>
            </div>
          </section>
          {text.trim() !== '' && (
            <Suspense>
              <Dialects
                text={later}
                dialect={dialect}
                zone={zone}
                shown={shown}
                now={now}
                onChoose={(next) => say({ dialect: next === 'unix' ? undefined : next })}
              />
            </Suspense>
          )}
          <Command
            text={
              text.trim() === ''
                ? 'carillon help next'
                : `carillon next ${isRule ? `--rrule ${quoted(text)}` : quoted(text)} --zone ${zone}${dialect === 'unix' || isRule ? '' : ` --dialect ${dialect}`}`
            }
          />
        </div>
        <div className="preview stack">
          {text.trim() === '' ? (
            <section className="card empty" aria-label="In words">
              <h2>Nothing to read yet</h2>
              <p>
                Type or paste a cron text or a recurrence rule, or take one under Try. Its words and next
                times appear here.
              </p>
            </section>
          ) : (
            <Preview preview={preview} zone={shown} other={other} />
          )}
        </div>
      </div>
    </Screen>
  );
}
