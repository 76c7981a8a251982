/** Any text of any dialect: words, anatomy, times in two zones, clock changes, and what other dialects make of it. */

import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { Table } from '../parts/Table.tsx';
import '../time/zone-tables.ts';
import { findZone, zoneNames } from 'carillon/spec';
import { useLinks } from '../app/links.ts';
import { Screen } from '../app/Screen.tsx';
import { Preview } from '../edit/Preview.tsx';
import { previewSpec } from '../edit/preview.ts';
import { Anatomy } from '../edit/When.tsx';
import { Command, CopyButton } from '../parts/Copy.tsx';
import { Go } from '../parts/Go.tsx';
import { Seg } from '../parts/Seg.tsx';
import { quoted } from '../schedules/filter.ts';
import { useMinute } from '../time/now.ts';
import { clockText, dayText } from '../time/text.ts';
import { viewerZone } from '../time/zone.ts';
import { Mark } from '../verdict/Mark.tsx';
import { isSame, readingsOf, saidIn } from './dialects.ts';

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

type Dialect = 'unix' | 'temporal' | 'spring' | 'rrule';

export function Playground() {
  const links = useLinks();
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as Readonly<Record<string, string | undefined>>;
  const text = search.text ?? '30 2 * * *';
  const zone = search.zone !== undefined && findZone(search.zone) !== undefined ? search.zone : viewerZone;
  const isRule = /^(RRULE|DTSTART|FREQ)/i.test(text.trim());
  const dialect: Dialect = isRule ? 'rrule' : ((search.dialect ?? 'unix') as Dialect);
  const now = useMinute();
  const spec = useMemo(
    () => (isRule ? { rrules: [{ text }], zone } : { cron: [{ text, dialect: dialect as 'unix' }], zone }),
    [isRule, text, zone, dialect],
  );
  const preview = useMemo(() => previewSpec(spec, now), [spec, now]);
  const readings = useMemo(() => (isRule ? [] : readingsOf(text, zone, now)), [isRule, text, zone, now]);
  const own = readings.find((reading) => reading.dialect === dialect);
  const say = (change: Readonly<Record<string, string | undefined>>) =>
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, ...change }),
      replace: true,
    } as never);
  return (
    <Screen
      crumbs={[{ text: 'Playground' }]}
      title="Playground"
      sub="Paste any cron text or recurrence rule. Nothing is saved."
      acts={
        preview.ok ? (
          <Go
            className="btn primary"
            to={`${links.place('schedules/new')}?cron=${encodeURIComponent(text)}&zone=${encodeURIComponent(zone)}${dialect === 'unix' ? '' : `&dialect=${dialect}`}`}
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
                <input
                  id="text"
                  data-query=""
                  className="input h-11! font-mono text-drawer!"
                  value={text}
                  spellCheck={false}
                  aria-invalid={!preview.ok}
                  onChange={(event) => say({ text: event.target.value })}
                />
              </div>
              <Anatomy text={text} />
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
                <div className="min-w-52">
                  <label className="flabel" htmlFor="zone">
                    Zone
                  </label>
                  <input
                    id="zone"
                    className="input"
                    list="zones"
                    defaultValue={zone}
                    key={zone}
                    onChange={(event) =>
                      findZone(event.target.value) !== undefined && say({ zone: event.target.value })
                    }
                  />
                  <datalist id="zones">
                    {zoneNames().map((name) => (
                      <option key={name} value={name} />
                    ))}
                  </datalist>
                </div>
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
          {readings.length > 0 && (
            <section className="card" aria-labelledby="others">
              <header>
                <h2 id="others">In each dialect</h2>
              </header>
              <Table head={['Dialect', 'This text there', 'First times', 'The same times there']}>
                {readings.map((reading) => (
                  <tr key={reading.dialect}>
                    <td>
                      <code>{reading.dialect}</code>
                    </td>
                    <td>
                      {!reading.ok ? (
                        <span className="word f-fail">
                          <Mark look="startFailed" /> cannot be read
                        </span>
                      ) : own !== undefined && reading !== own && own.ok ? (
                        isSame(reading, own) ? (
                          <span className="word f-ran">
                            <Mark look="started" /> the same
                          </span>
                        ) : (
                          <span className="word f-policy">
                            <Mark look="skippedOverlap" /> other times
                          </span>
                        )
                      ) : (
                        <span className="t2">chosen</span>
                      )}
                    </td>
                    <td className="t2">
                      {reading.ok
                        ? reading.times

                            .slice(0, 2)
                            .map((at) => `${dayText(zone, at)} ${clockText(zone, at)}`)
                            .join(' · ')
                        : reading.problem}
                    </td>
                    <td>
                      {reading.dialect === dialect ? (
                        <span className="t3">as written</span>
                      ) : (
                        <Said text={saidIn(text, dialect, reading.dialect, zone, now)} />
                      )}
                    </td>
                  </tr>
                ))}
              </Table>
            </section>
          )}
          <Command
            text={`carillon next ${quoted(text)} --zone ${zone}${dialect === 'unix' ? '' : ` --dialect ${dialect}`}`}
          />
        </div>
        <div className="preview stack">
          <Preview preview={preview} zone={zone} />
        </div>
      </div>
    </Screen>
  );
}

function Said({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return <span className="t3">cannot be said in one line</span>;
  return (
    <span className="flex items-center gap-1">
      <code>{text}</code>
      <CopyButton text={text} label={`Copy ${text}`} />
    </span>
  );
}
