/** Trigger, pause, resume, delete, release: first what will happen, then what did happen. For one schedule or many. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import type { BulkVerb, Effects } from 'carillon/client';
import { useState } from 'react';
import type { Scope } from '../data/api.ts';
import { troubleOf, useScope } from '../data/api.ts';
import { useLiveState } from '../live/live.ts';
import { Command } from '../parts/Copy.tsx';
import { Dialog } from '../parts/Dialog.tsx';
import { Note } from '../parts/Note.tsx';
import { SkeletonBox } from '../parts/Skeleton.tsx';
import { showToast } from '../parts/toast.ts';
import { readFilter } from '../schedules/filter.ts';
import { countText, plural } from '../time/text.ts';
import { EffectsView } from './EffectsView.tsx';
import type { ActionVerb, Choices } from './verbs.ts';
import { commandFor, doneText, missedChoices, overlapChoices, verbWords } from './verbs.ts';

interface ActionsProps {
  readonly verb: ActionVerb;
  readonly ids: readonly string[];
  /** The slot that a trigger stands for. */
  readonly scheduledAt?: number;
  /** All schedules that match, also those that are not loaded. */
  readonly matching?: { readonly text: string; readonly count: number };
  readonly onClose: (isDone: boolean) => void;
}

export function Actions({ verb, ids, scheduledAt, matching, onClose }: ActionsProps) {
  const scope = useScope();
  const client = useQueryClient();
  const state = useLiveState();
  const [choices, setChoices] = useState<Choices>({
    note: '',
    ...(scheduledAt === undefined ? {} : { scheduledAt: new Date(scheduledAt).toISOString() }),
  });
  const [typed, setTyped] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<string>();
  const [failures, setFailures] =
    useState<readonly { readonly id: string; readonly message: string | null }[]>();
  const isMany = matching !== undefined || ids.length > 1;
  const count = matching?.count ?? ids.length;
  const [one = ''] = ids;
  const words = verbWords[verb];
  const set = (change: Partial<Choices>) => setChoices({ ...choices, ...change });
  const run = async () => {
    setBusy(true);
    setWrong(undefined);
    try {
      const failed = await perform(scope, verb, isMany ? await allIds(scope, ids, matching) : [one], choices);
      void client.invalidateQueries();
      if (failed.length > 0) return setFailures(failed);
      showToast({ family: 'ran', text: doneText(verb, isMany ? plural(count, 'schedule') : one) });
      onClose(true);
    } catch (error) {
      const { message, requestId } = troubleOf(error);
      setWrong(`${message}. Nothing was changed.${requestId === undefined ? '' : ` Request ${requestId}.`}`);
    } finally {
      setBusy(false);
    }
  };
  const mustType = verb === 'delete' && isMany;
  const isReady = !mustType || typed === String(count);
  if (failures !== undefined) {
    return (
      <Dialog
        title={`${countText(count - failures.length)} of ${countText(count)} ${words.past}`}
        onClose={() => onClose(true)}
        foot={
          <button type="button" className="btn primary" onClick={() => onClose(true)}>
            Close
          </button>
        }
      >
        <ul className="grid gap-1">
          {failures.slice(0, 100).map(({ id, message }) => (
            <li key={id}>
              <b className="font-medium">{id}</b> <span className="text-fail-t">{message}</span>
            </li>
          ))}
        </ul>
      </Dialog>
    );
  }
  return (
    <Dialog
      title={`${words.title} ${isMany ? plural(count, 'schedule') : one}`}
      {...(scheduledAt === undefined
        ? {}
        : { sub: 'Runs this slot again, beside what the ledger says of it.' })}
      onClose={() => onClose(false)}
      foot={
        <>
          <button
            type="button"
            className={words.isDangerous ? 'btn danger' : 'btn primary'}
            disabled={isBusy || !isReady || state.is === 'offline'}
            onClick={() => void run()}
            data-first={words.isDangerous ? undefined : ''}
          >
            {isBusy ? 'Working…' : words.button}
          </button>
          <button type="button" className="btn" onClick={() => onClose(false)}>
            Cancel
          </button>
          {state.is === 'offline' && <span className="t3">The server does not answer; this waits.</span>}
        </>
      }
    >
      <div className="grid gap-4">
        {isMany ? (
          <BulkPreview verb={verb} ids={ids} count={count} choices={choices} />
        ) : (
          <Preview verb={verb} id={one} choices={choices} />
        )}
        {verb === 'trigger' && !isMany && (
          <Choice
            legend="If a run is still going"
            name="overlap"
            value={choices.overlap ?? ''}
            options={overlapChoices}
            onChange={(overlap) => set(overlap === '' ? { overlap: undefined } : { overlap })}
          />
        )}
        {verb === 'resume' && (
          <Choice
            legend="Slots that fell into the pause"
            name="missed"
            value={choices.missed ?? 'skip'}
            options={missedChoices}
            onChange={(missed) => set({ missed })}
          />
        )}
        {verb === 'pause' && (
          <div>
            <label className="flabel" htmlFor="until">
              Until
            </label>
            <input
              id="until"
              type="datetime-local"
              className="input"
              onChange={(event) => {
                const at = Date.parse(event.target.value);
                set({ until: Number.isNaN(at) ? undefined : new Date(at).toISOString() });
              }}
            />
            <p className="help">Your time. Left empty, it stays paused until a person resumes it.</p>
          </div>
        )}
        {verb !== 'release' && (
          <div>
            <label className="flabel" htmlFor="note">
              Note
            </label>
            <input
              id="note"
              className="input"
              value={choices.note}
              placeholder={verb === 'pause' ? 'Why, for those who find it paused' : 'Why, for the audit'}
              onChange={(event) => set({ note: event.target.value })}
            />
          </div>
        )}
        {mustType && (
          <div>
            <label className="flabel" htmlFor="typed">
              Type {count} to delete so many
            </label>
            <input
              id="typed"
              className="input"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          </div>
        )}
        {wrong !== undefined && (
          <div role="alert">
            <Note family="fail">{wrong}</Note>
          </div>
        )}
        {!isMany && <Command text={commandFor(verb, one, choices)} />}
      </div>
    </Dialog>
  );
}

interface PreviewProps {
  readonly verb: ActionVerb;
  readonly id: string;
  readonly choices: Choices;
}

function Preview({ verb, id, choices }: PreviewProps) {
  const scope = useScope();
  const { data, error } = useQuery({
    queryKey: [
      scope.namespace,
      'dryRun',
      verb,
      id,
      choices.overlap,
      choices.missed,
      choices.until,
      choices.scheduledAt,
    ],
    queryFn: async ({ signal }) => await rehearse(scope, verb, id, choices, signal),
    staleTime: 0,
    gcTime: 0,
    placeholderData: keepPreviousData,
  });
  if (error !== null) {
    return (
      <Note family="fail">
        <b>This would be refused.</b> {troubleOf(error).message}
      </Note>
    );
  }
  if (data === undefined) return <SkeletonBox height={40} />;
  return data === null ? null : <EffectsView effects={data} />;
}

/** The dry run of up to a thousand; of more the outcome is told as it comes. */
function BulkPreview({
  verb,
  ids,
  count,
  choices,
}: Omit<PreviewProps, 'id'> & { ids: readonly string[]; count: number }) {
  const scope = useScope();
  const some = ids.slice(0, 1000);
  const { data, error } = useQuery({
    queryKey: [scope.namespace, 'dryRun', verb, some, choices.missed],
    queryFn: async ({ signal }) =>
      await scope.api.dryRun.bulk(verb as BulkVerb, some, missedOf(choices), { signal }),
    staleTime: 0,
    gcTime: 0,
    placeholderData: keepPreviousData,
  });
  if (error !== null) return <Note family="fail">{troubleOf(error).message}</Note>;
  if (data === undefined) return <SkeletonBox height={40} />;
  return (
    <Note family={data.failed > 0 ? 'policy' : 'busy'} icon="bolt">
      <b>What will happen</b>
      <ul>
        {data.text.slice(0, 6).map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      {count > some.length && (
        <p className="t2">and the same for the other {countText(count - some.length)}</p>
      )}
    </Note>
  );
}

function missedOf({ missed }: Choices) {
  return missed === undefined ? {} : { missed: missed as 'skip' };
}

async function rehearse(
  { api }: Scope,
  verb: ActionVerb,
  id: string,
  { overlap, missed, until, scheduledAt }: Choices,
  signal: AbortSignal,
): Promise<Effects | null> {
  const options = { signal };
  switch (verb) {
    case 'trigger':
      return await api.dryRun.trigger(
        id,
        given({ overlap: overlap as 'skip' | undefined, scheduledAt }),
        options,
      );
    case 'pause':
      return await api.dryRun.pause(id, given({ until }), options);
    case 'resume':
      return await api.dryRun.resume(id, given({ missed: missed as 'skip' | undefined }), options);
    case 'delete':
      return await api.dryRun.delete(id, options);
    case 'release':
      return null;
  }
}

interface Failure {
  readonly id: string;
  readonly message: string | null;
}

async function perform(
  { api }: Scope,
  verb: ActionVerb,
  ids: readonly string[],
  { note, overlap, missed, until, scheduledAt }: Choices,
): Promise<readonly Failure[]> {
  const said = note === '' ? {} : { note };
  const [id = ''] = ids;
  if (ids.length > 1) {
    const failed: Failure[] = [];
    for (let from = 0; from < ids.length; from += 1000) {
      const some = ids.slice(from, from + 1000);
      const { items } = await api.schedules.bulk(verb as BulkVerb, some, {
        ...said,
        ...missedOf({ note, missed }),
      });
      failed.push(...items.filter(({ ok }) => !ok));
    }
    return failed;
  }
  if (verb === 'trigger') {
    await api.schedules.trigger(id, {
      ...said,
      ...given({ overlap: overlap as 'skip' | undefined, scheduledAt }),
    });
  } else if (verb === 'pause') await api.schedules.pause(id, { ...said, ...given({ until }) });
  else if (verb === 'resume') {
    await api.schedules.resume(id, { ...said, ...given({ missed: missed as 'skip' | undefined }) });
  } else if (verb === 'delete') await api.schedules.delete(id, said);
  else await api.schedules.release(id);
  return [];
}

/** Reads the ids of everything that matches. */
async function allIds(
  { api }: Scope,
  ids: readonly string[],
  matching: ActionsProps['matching'],
): Promise<readonly string[]> {
  if (matching === undefined) return ids;
  const all: string[] = [];
  const { filters } = readFilter(matching.text);
  for await (const { id } of api.schedules.each({ ...filters, limit: 500 })) all.push(id);
  return all;
}

type Given<T> = { readonly [K in keyof T]: Exclude<T[K], undefined> };

function given<T extends object>(fields: T): Partial<Given<T>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<
    Given<T>
  >;
}

interface ChoiceProps {
  readonly legend: string;
  readonly name: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly text: string; readonly detail: string }[];
  readonly onChange: (value: string) => void;
}

function Choice({ legend, name, value, options, onChange }: ChoiceProps) {
  return (
    <fieldset>
      <legend className="flabel">{legend}</legend>
      {options.map((option) => (
        <label key={option.value} className="choice">
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span>
            <b className="font-medium">{option.text}</b> <span className="t2">{option.detail}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
