import { zoneNames } from 'carillon/spec';
import { useState } from 'react';
import { Seg } from '../parts/Seg.tsx';
import { serverNow } from '../time/now.ts';
import { instantOf, offsetAt } from '../time/zone.ts';
import type { Source, SpecDraft } from './draft.ts';
import { anatomyOf, sourceOf, withDates, withSource } from './draft.ts';

interface WhenProps {
  readonly spec: SpecDraft;
  readonly problem: string | undefined;
  readonly onChange: (spec: SpecDraft) => void;
}

const units = [
  { value: '1000', text: 'seconds' },
  { value: '60000', text: 'minutes' },
  { value: '3600000', text: 'hours' },
  { value: '86400000', text: 'days' },
] as const;

export function When({ spec, problem, onChange }: WhenProps) {
  const source = sourceOf(spec);
  const zone = spec.zone ?? 'UTC';
  const [cron] = spec.cron ?? [];
  const [interval] = spec.intervals ?? [];
  const [rule] = spec.rrules ?? [];
  const [time] = spec.times ?? [];
  const everyMs = interval?.everyMs ?? 3_600_000;
  const unit = [...units].reverse().find(({ value }) => everyMs % Number(value) === 0) ?? units[0];
  const dst = (change: Readonly<Record<string, string>>) =>
    onChange({ ...spec, dst: { ...spec.dst, ...change } });
  return (
    <section className="card" aria-labelledby="when" id="focus-when">
      <header className="flex-wrap">
        <h2 id="when">When</h2>
        <span className="flex-1" />
        <Seg
          label="Kind of time"
          options={[
            { value: 'every', text: 'Every' },
            { value: 'cron', text: 'Cron' },
            { value: 'rrule', text: 'RRULE' },
            { value: 'once', text: 'Once' },
          ]}
          value={source === 'other' ? undefined : source}
          onChange={(next) => next !== source && onChange(withSource(spec, next as Source, serverNow()))}
        />
      </header>
      <div className="body grid gap-4">
        <div className="grid gap-4 wide:grid-cols-2">
          {source === 'cron' && (
            <div>
              <label className="flabel" htmlFor="cron">
                Cron,{' '}
                <DialectPick
                  value={cron?.dialect ?? 'unix'}
                  onChange={(dialect) =>
                    onChange({
                      ...spec,
                      cron: [{ text: cron?.text ?? '', ...(dialect === 'unix' ? {} : { dialect }) }],
                    })
                  }
                />{' '}
                dialect
              </label>
              <input
                id="cron"
                className="input font-mono"
                value={cron?.text ?? ''}
                spellCheck={false}
                aria-invalid={problem !== undefined}
                aria-describedby={problem === undefined ? undefined : 'when-problem'}
                onChange={(event) => onChange({ ...spec, cron: [{ ...cron, text: event.target.value }] })}
              />
            </div>
          )}
          {source === 'every' && (
            <div>
              <label className="flabel" htmlFor="every">
                Every
              </label>
              <div className="flex gap-2">
                <input
                  id="every"
                  type="number"
                  min="1"
                  className="input"
                  value={everyMs / Number(unit.value)}
                  onChange={(event) =>
                    onChange({
                      ...spec,
                      intervals: [
                        {
                          ...interval,
                          everyMs: Math.max(1, Number(event.target.value)) * Number(unit.value),
                        },
                      ],
                    })
                  }
                />
                <select
                  className="pick"
                  aria-label="Unit"
                  value={unit.value}
                  onChange={(event) =>
                    onChange({
                      ...spec,
                      intervals: [
                        { ...interval, everyMs: (everyMs / Number(unit.value)) * Number(event.target.value) },
                      ],
                    })
                  }
                >
                  {units.map(({ value, text }) => (
                    <option key={value} value={value}>
                      {text}
                    </option>
                  ))}
                </select>
              </div>
            </div>
          )}
          {source === 'rrule' && (
            <div>
              <label className="flabel" htmlFor="rrule">
                Recurrence rule, RFC 5545
              </label>
              <textarea
                id="rrule"
                className="area font-mono"
                rows={3}
                value={rule?.text ?? ''}
                spellCheck={false}
                aria-invalid={problem !== undefined}
                onChange={(event) => onChange({ ...spec, rrules: [{ ...rule, text: event.target.value }] })}
              />
            </div>
          )}
          {source === 'once' && (
            <div>
              <label className="flabel" htmlFor="once">
                At
              </label>
              <input
                id="once"
                type="datetime-local"
                className="input"
                value={new Date((time ?? 0) + offsetAt(zone, time ?? 0)).toISOString().slice(0, 16)}
                onChange={(event) => {
                  const at = Date.parse(`${event.target.value}:00Z`);
                  if (!Number.isNaN(at)) onChange({ ...spec, times: [instantOf(zone, at)] });
                }}
              />
            </div>
          )}
          {source === 'other' && (
            <p className="t2">This schedule has several sources of times. Change them as code.</p>
          )}
          <div>
            <label className="flabel" htmlFor="zone">
              Zone
            </label>
            <input
              id="zone"
              className="input"
              list="zones"
              defaultValue={zone}
              key={zone}
              onChange={(event) => {
                const name = event.target.value;
                if (zoneNames().includes(name)) onChange({ ...spec, zone: name });
              }}
            />
            <datalist id="zones">
              {zoneNames().map((name) => (
                <option key={name} value={name} />
              ))}
            </datalist>
          </div>
        </div>
        {problem !== undefined && (
          <p id="when-problem" className="help wrong" role="alert">
            {problem}
          </p>
        )}
        {source === 'cron' && cron !== undefined && <Anatomy text={cron.text} />}
        {source !== 'every' && (
          <div className="grid gap-4 wide:grid-cols-2">
            <div>
              <span className="flabel">A time that does not exist</span>
              <Seg
                label="A time that does not exist"
                options={[
                  { value: 'shift', text: 'Moves on' },
                  { value: 'gapEnd', text: 'At the jump' },
                  { value: 'skip', text: 'Is left out' },
                ]}
                value={(spec.dst?.gap ?? 'shift') as 'shift'}
                onChange={(gap) => dst({ gap })}
              />
            </div>
            <div>
              <span className="flabel">A time that comes twice</span>
              <Seg
                label="A time that comes twice"
                options={[
                  { value: 'first', text: 'Runs first' },
                  { value: 'last', text: 'Last' },
                  { value: 'both', text: 'Both' },
                ]}
                value={(spec.dst?.fold ?? 'first') as 'first'}
                onChange={(fold) => dst({ fold })}
              />
            </div>
          </div>
        )}
        <Bounds spec={spec} onChange={onChange} />
      </div>
    </section>
  );
}

/** Days that are left out, and the dates between which the schedule holds. */
function Bounds({ spec, onChange }: Pick<WhenProps, 'spec' | 'onChange'>) {
  const zone = spec.zone ?? 'UTC';
  const [dates, setDates] = useState((spec.exclude?.dates ?? []).join(', '));
  const wall = (at: number | undefined) =>
    at === undefined ? '' : new Date(at + offsetAt(zone, at)).toISOString().slice(0, 16);
  const bound = (name: 'startAt' | 'endAt', text: string) => {
    const { [name]: _, ...rest } = spec;
    const at = Date.parse(`${text}:00Z`);
    onChange(Number.isNaN(at) ? rest : { ...spec, [name]: instantOf(zone, at) });
  };
  return (
    <div className="grid gap-4 wide:grid-cols-3">
      <div>
        <label className="flabel" htmlFor="except">
          Except on
        </label>
        <input
          id="except"
          className="input"
          placeholder="2026-12-24, 2026-12-25"
          value={dates}
          onChange={(event) => {
            setDates(event.target.value);
            const next = withDates(spec, event.target.value);
            if (next !== undefined) onChange(next);
          }}
        />
      </div>
      <div>
        <label className="flabel" htmlFor="start-at">
          Not before
        </label>
        <input
          id="start-at"
          type="datetime-local"
          className="input"
          value={wall(spec.startAt)}
          onChange={(event) => bound('startAt', event.target.value)}
        />
      </div>
      <div>
        <label className="flabel" htmlFor="end-at">
          Not after
        </label>
        <input
          id="end-at"
          type="datetime-local"
          className="input"
          value={wall(spec.endAt)}
          onChange={(event) => bound('endAt', event.target.value)}
        />
      </div>
    </div>
  );
}

function DialectPick({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  return (
    <select
      className="bg-transparent font-medium underline decoration-dotted"
      aria-label="Dialect"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      {['unix', 'temporal', 'spring'].map((name) => (
        <option key={name}>{name}</option>
      ))}
    </select>
  );
}

export function Anatomy({ text }: { readonly text: string }) {
  const parts = anatomyOf(text);
  if (parts.length === 0) return null;
  return (
    <div className="grid auto-cols-fr grid-flow-col gap-1.5">
      {parts.map(({ name, text: part }) => (
        <div
          key={name}
          className="rounded-control bg-sunken p-1.5 text-center shadow-[inset_0_0_0_1px_var(--line)]"
        >
          <b className="block truncate font-mono text-say font-medium">{part}</b>
          <span className="micro">{name}</span>
        </div>
      ))}
    </div>
  );
}
