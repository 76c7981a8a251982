import { zoneNames } from 'carillon/spec';
import { Seg } from '../parts/Seg.tsx';
import { serverNow } from '../time/now.ts';
import type { Draft, Source, SpecDraft } from './draft.ts';
import { anatomyOf, sourceOf, withSource } from './draft.ts';
import { Every } from './Every.tsx';
import { Field } from './Field.tsx';
import { MomentField } from './MomentField.tsx';
import { zoneOfDraft } from './preview.ts';
import { dates, lengthInMs, zoneOf } from './read-field.ts';
import { withValue } from './typed.ts';

interface WhenProps {
  readonly spec: SpecDraft;
  readonly problem: string | undefined;
  readonly onChange: (spec: SpecDraft) => void;
}

export function When({ spec, problem, onChange }: WhenProps) {
  const source = sourceOf(spec);
  const zone = zoneOfDraft(spec);
  const [cron] = spec.cron ?? [];
  const [rule] = spec.rrules ?? [];
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
          {source === 'every' && <Every />}
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
          {source === 'once' && <MomentField id="once" label="At" path="spec.times" zone={zone} isListed />}
          {source === 'other' && (
            <p className="t2">This schedule has several sources of times. Change them as code.</p>
          )}
          <div>
            <Field
              id="zone"
              label="Zone"
              path="spec.zone"
              list="zones"
              placeholder="UTC"
              {...zoneOf(spec)}
              after={withoutOwnZone(spec)}
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
        <div className="grid gap-4 wide:grid-cols-2">
          <Field
            id="except"
            label="Except on"
            path="spec.exclude.dates"
            placeholder="2026-12-24, 2026-12-25"
            {...dates}
          />
          <Field
            id="jitter"
            label="Later by up to"
            beside={<code className="t3">jitter</code>}
            path="spec.jitterMs"
            placeholder="none"
            help="Each start is delayed at random, so that many schedules do not start at one moment."
            {...lengthInMs}
          />
          <MomentField id="start-at" label="Not before" path="spec.startAt" zone={zone} />
          <MomentField id="end-at" label="Not after" path="spec.endAt" zone={zone} />
        </div>
      </div>
    </section>
  );
}

/** A spec that brings its own zone gives it up with another name. */
function withoutOwnZone(before: SpecDraft): (draft: Draft) => Draft {
  return (draft) =>
    (draft.spec as SpecDraft).zone === before.zone ? draft : withValue(draft, 'spec.zoneData', undefined);
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
