/** When it runs: the entries that name times, their zone, the rules for clock changes, what takes times out, and bounds. */
import { zoneNames } from 'carillon/spec';
import { Suspense, useState } from 'react';
import { Icon } from '../parts/Icon.tsx';
import { Menu, MenuItem } from '../parts/Menu.tsx';
import { Seg } from '../parts/Seg.tsx';
import { sentence } from '../parts/sentence.ts';
import { lazyPart } from '../route/lazy-part.tsx';
import { usualFold } from '../schedule/rhythm.ts';
import { serverNow } from '../time/now.ts';
import type { CronDraft, Draft, SpecDraft } from './draft.ts';
import { specOf, withField } from './draft.ts';
import { CronParts, EntryFields } from './EntryFields.tsx';
import {
  begunTimes,
  type Entry,
  entriesOf,
  exclusionsOf,
  type Kind,
  type Source,
  sourceOf,
  timesOf,
  withEntry,
  withoutEntry,
  withTimes,
} from './entries.ts';
import { Field } from './Field.tsx';
import { MomentField } from './MomentField.tsx';
import type { SpecPreview, SpecProblems } from './preview.ts';
import { dates, lengthInMs, zoneOf } from './read-field.ts';
import { withValue } from './typed.ts';

const Said = lazyPart(async () => (await import('./Said.tsx')).Said);

interface WhenProps {
  readonly draft: Draft;
  /** The definition that was read. */
  readonly base: Draft;
  /** The zone in which the times are shown. */
  readonly zone: string;
  readonly problems: SpecProblems['problems'];
  readonly preview: SpecPreview | SpecProblems;
  readonly now: number;
  readonly onChange: (draft: Draft) => void;
}

const kinds = [
  { value: 'every', text: 'Every' },
  { value: 'calendar', text: 'Calendar' },
  { value: 'cron', text: 'Cron' },
  { value: 'rrule', text: 'RRULE' },
  { value: 'once', text: 'Once' },
] as const;

const exclusionKinds = [
  { value: 'calendar', text: 'By a calendar' },
  { value: 'cron', text: 'By a cron text' },
] as const;

export function When({ draft, base, zone, problems, preview, now, onChange }: WhenProps) {
  const spec = specOf(draft);
  const entries = entriesOf(spec);
  const exclusions = exclusionsOf(spec);
  const source = sourceOf(spec);
  const [first] = entries;
  const alone = entries.length === 1 && first?.kind !== 'structured' ? first : undefined;
  const set = (next: SpecDraft) => onChange(withField(draft, 'spec', next));
  const dst = (change: Readonly<Record<string, string>>) => set({ ...spec, dst: { ...spec.dst, ...change } });
  const shared = { draft, zone, problems, onChange };
  // A look at another kind of time loses nothing: going back brings what was there.
  const [left, setLeft] = useState<Readonly<Partial<Record<Source, SpecDraft>>>>(() => ({
    [sourceOf(specOf(base))]: timesOf(specOf(base)),
  }));
  const switchTo = (next: Kind | 'manual') => {
    setLeft({ ...left, [source]: timesOf(spec) });
    set(withTimes(spec, left[next] ?? begunTimes(next, serverNow())));
  };
  const hasWallClock = entries.some(({ kind }) => kind !== 'every' && kind !== 'once');
  const cron = alone?.kind === 'cron' ? spec.cron?.[0] : undefined;
  const elsewhere = problems.filter(
    ({ path }) => ![...entries, ...exclusions].some(({ problemPath }) => path.startsWith(problemPath)),
  );
  return (
    <section className="card" aria-labelledby="when" id="focus-when">
      <header className="flex-wrap">
        <h2 id="when">When</h2>
        <span className="flex-1" />
        {source === 'several' ? (
          <span className="t3">
            {entries.length === 1 ? 'a calendar' : `${entries.length} sources of times`}
          </span>
        ) : (
          <div className="max-w-full overflow-x-auto">
            <Seg
              label="Kind of time"
              options={[...kinds, { value: 'manual', text: 'By hand' }]}
              value={source}
              onChange={(next) => next !== source && switchTo(next)}
            />
          </div>
        )}
      </header>
      <div className="body grid gap-4">
        {alone === undefined &&
          entries.map((entry) => (
            <Row key={`${entry.list} ${entry.index}`} entry={entry} name="Remove this time" {...shared} />
          ))}
        <div className="grid gap-4 wide:grid-cols-2">
          {alone !== undefined && <EntryFields entry={alone} isAlone {...shared} />}
          {source === 'manual' && (
            <p className="t2">It runs only when it is triggered, by a person or a program.</p>
          )}
          <Zone spec={spec} cron={cron} zone={zone} />
        </div>
        {elsewhere.length > 0 && (
          <p className="help wrong" role="alert">
            {elsewhere
              .map(({ message, fix }) => sentence(`${message}${fix === undefined ? '' : `: ${fix}`}`))
              .join(' ')}
          </p>
        )}
        {cron !== undefined && <CronParts cron={cron} />}
        {preview.ok && (
          <Suspense>
            <Said preview={preview} zone={zone} now={now} />
          </Suspense>
        )}
        {hasWallClock && (
          <div className="grid gap-4 wide:grid-cols-2">
            <div>
              <span className="flabel">A time that does not exist</span>
              <Seg
                label="A time that does not exist"
                options={[
                  { value: 'shift', text: 'Runs later' },
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
                value={(spec.dst?.fold ?? usualFold(spec)) as 'first'}
                onChange={(fold) => dst({ fold })}
              />
            </div>
          </div>
        )}
        {exclusions.map((entry) => (
          <Row
            key={`${entry.list} ${entry.index}`}
            entry={entry}
            name="Remove this exclusion"
            isOut
            {...shared}
          />
        ))}
        <div className="flex flex-wrap justify-end gap-2">
          <More
            text="Add another time"
            kinds={kinds}
            onTake={(kind) => onChange(withEntry(draft, 'spec', kind, serverNow()))}
          />
          <More
            text="Leave times out"
            kinds={exclusionKinds}
            onTake={(kind) => onChange(withEntry(draft, 'spec.exclude', kind, serverNow()))}
          />
        </div>
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

interface RowProps {
  readonly entry: Entry;
  readonly name: string;
  /** Whether the entry is an exclusion. */
  readonly isOut?: boolean;
  readonly draft: Draft;
  readonly zone: string;
  readonly problems: SpecProblems['problems'];
  readonly onChange: (draft: Draft) => void;
}

function Row({ entry, name, isOut = false, ...shared }: RowProps) {
  return (
    <fieldset className="rounded-control p-3 shadow-[inset_0_0_0_1px_var(--line)]">
      <legend className="sr">{isOut ? 'Times that are left out' : 'A source of times'}</legend>
      {isOut && <p className="micro mb-1">Left out</p>}
      <EntryFields entry={entry} isAlone={false} {...shared} />
      <button
        type="button"
        className="link mt-2 text-second"
        onClick={() => shared.onChange(withoutEntry(shared.draft, entry))}
      >
        {name}
      </button>
    </fieldset>
  );
}

interface MoreProps {
  readonly text: string;
  readonly kinds: readonly { readonly value: Kind; readonly text: string }[];
  readonly onTake: (kind: Kind) => void;
}

function More({ text, kinds: some, onTake }: MoreProps) {
  return (
    <Menu
      label={text}
      className="btn quiet"
      face={
        <>
          <Icon name="plus" /> {text}
        </>
      }
    >
      {some.map(({ value, text: kind }) => (
        <MenuItem key={value} onPick={() => onTake(value)}>
          {kind}
        </MenuItem>
      ))}
    </Menu>
  );
}

interface ZoneProps {
  readonly spec: SpecDraft;
  /** The only entry, if it is a cron text. */
  readonly cron: CronDraft | undefined;
  readonly zone: string;
}

/** The zone of the spec, or of its only entry where that names one. */
function Zone({ spec, cron, zone }: ZoneProps) {
  const isOwn = cron?.zone !== undefined;
  const isInText = !isOwn && zone !== (spec.zone ?? 'UTC');
  return (
    <div>
      {isInText ? (
        <>
          <label className="flabel" htmlFor="zone">
            Zone
          </label>
          <input id="zone" className="input" value={zone} readOnly />
          <p className="help">What names the times names it too. Change it there.</p>
        </>
      ) : (
        <Field
          key={isOwn ? 'entry' : 'spec'}
          id="zone"
          label="Zone"
          path={isOwn ? 'spec.cron.0.zone' : 'spec.zone'}
          list="zones"
          placeholder="UTC"
          {...zoneOf(isOwn ? { zone: cron.zone ?? 'UTC' } : spec)}
          {...(isOwn ? {} : { after: withoutOwnZone(spec) })}
        />
      )}
      <datalist id="zones">
        {zoneNames().map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </div>
  );
}

/** Drops the zone data of the spec when its zone gets another name. */
function withoutOwnZone(before: SpecDraft): (draft: Draft) => Draft {
  return (draft) =>
    (draft.spec as SpecDraft).zone === before.zone ? draft : withValue(draft, 'spec.zoneData', undefined);
}
