/** Trigger, pause, resume, delete, release: first what will happen, then what did happen. For one schedule or many. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import type { BulkVerb, Effects } from 'carillon/client';
import { readScheduleQuery } from 'carillon/client';
import { useEffect, useState } from 'react';
import type { Scope } from '../data/api.ts';
import { troubleOf, useScope } from '../data/api.ts';
import { useLiveState } from '../live/live.ts';
import { Command } from '../parts/Copy.tsx';
import { Dialog } from '../parts/Dialog.tsx';
import { Note } from '../parts/Note.tsx';
import { SkeletonBox } from '../parts/Skeleton.tsx';
import { sentence } from '../parts/sentence.ts';
import { showToast } from '../parts/toast.ts';
import { countText, plural } from '../time/text.ts';
import type { Result } from './BulkResults.tsx';
import { BulkResults } from './BulkResults.tsx';
import type { Outcomes } from './bulk-outcomes.ts';
import { addedOutcomes, noOutcomes, outcomesText } from './bulk-outcomes.ts';
import { Choice } from './Choice.tsx';
import { EffectsView } from './EffectsView.tsx';
import { Missed } from './Missed.tsx';
import { Refused } from './Refused.tsx';
import type { ActionVerb, Choices } from './verbs.ts';
import { commandFor, doneText, overlapChoices, verbWords } from './verbs.ts';
import { WillHappen } from './WillHappen.tsx';

const own = new Set<unknown>(['dryRun', 'matching']);

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
  const [results, setResults] = useState<readonly Result[]>();
  const [progress, setProgress] = useState(0);
  const isMany = matching !== undefined || ids.length > 1;
  const found = useMatching(scope, matching);
  const meant = matching === undefined ? ids : found.data;
  const count = meant?.length ?? matching?.count ?? 0;
  const [one = ''] = ids;
  const words = verbWords[verb];
  const set = (change: Partial<Choices>) => setChoices({ ...choices, ...change });
  const run = async () => {
    setBusy(true);
    setWrong(undefined);
    let done = 0;
    try {
      if (isMany) {
        const all: Result[] = [];
        for await (const some of performAll(scope, verb as BulkVerb, meant ?? [], choices)) {
          all.push(...some);
          done = all.length;
          setProgress(done);
        }
        setResults(all);
      } else {
        await perform(scope, verb, one, choices);
        showToast({ family: 'ran', text: doneText(verb, one) });
        onClose(true);
      }
    } catch (error) {
      const { message, requestId } = troubleOf(error);
      const rest = done === 0 ? 'Nothing was changed.' : `${countText(done)} were done before that.`;
      setWrong(`${sentence(message)} ${rest}${requestId === undefined ? '' : ` Request ${requestId}.`}`);
    } finally {
      // The dry runs of this dialog are not repeated: its question is answered.
      void client.invalidateQueries({ predicate: ({ queryKey }) => !own.has(queryKey[1]) });
      setBusy(false);
    }
  };
  const mustType = verb === 'delete' && isMany;
  const isReady = !mustType || typed === String(count);
  if (results !== undefined)
    return (
      <BulkResults
        past={words.past}
        areGone={verb === 'delete'}
        results={results}
        onClose={() => onClose(true)}
      />
    );
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
            disabled={isBusy || !isReady || meant === undefined || state.is === 'offline'}
            onClick={() => void run()}
            data-first={words.isDangerous ? undefined : ''}
          >
            {isBusy
              ? progress === 0
                ? 'Working…'
                : `${countText(progress)} of ${countText(count)}…`
              : words.button}
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
          <BulkPreview verb={verb} ids={meant} error={found.error} choices={choices} />
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
          <Missed
            {...(isMany ? {} : { id: one })}
            value={choices.missed ?? 'skip'}
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
              Type {count} to delete them
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
  if (error !== null) return <Refused error={error} />;
  if (data === undefined) return <SkeletonBox height={40} />;
  return <EffectsView effects={data} />;
}

/** The most ids of one request. */
const mostAtOnce = 1000;

interface BulkPreviewProps {
  readonly verb: ActionVerb;
  /** Absent while they are loaded. */
  readonly ids: readonly string[] | undefined;
  readonly error: unknown;
  readonly choices: Choices;
}

/** For more schedules than this, effects are not computed beforehand; results are shown as they arrive. */
const mostRehearsed = 20_000;

/** The dry run of all, a thousand at a time; the first results are shown while others are computed. */
function BulkPreview({ verb, ids, error: unread, choices }: BulkPreviewProps) {
  const { known, done, error } = useRehearsal(verb, ids, choices);
  const trouble = unread ?? error;
  if (trouble !== null) return <Refused error={trouble} />;
  if (known === undefined || ids === undefined) return <SkeletonBox height={40} />;
  const rest = ids.length - done;
  return (
    <WillHappen
      family={known.failed > 0 ? 'policy' : 'busy'}
      text={outcomesText(known)}
      of={rest > 0 ? ` to the first ${countText(done)}` : ''}
    >
      {rest > 0 && (
        <p className="t2">
          {done < mostRehearsed
            ? `The other ${countText(rest)} are looked at now.`
            : `The other ${countText(rest)} are decided one by one; the result of each is told.`}
        </p>
      )}
    </WillHappen>
  );
}

interface Rehearsed {
  readonly known: Outcomes | undefined;
  readonly done: number;
  readonly error: unknown;
}

const nothingRehearsed: Rehearsed = { known: undefined, done: 0, error: null };

function useRehearsal(
  verb: ActionVerb,
  ids: readonly string[] | undefined,
  { missed, until }: Choices,
): Rehearsed {
  const { api } = useScope();
  const [rehearsed, setRehearsed] = useState(nothingRehearsed);
  useEffect(() => {
    if (ids === undefined) return;
    const abort = new AbortController();
    const { signal } = abort;
    const rehearseAll = async () => {
      let known = noOutcomes;
      const most = Math.min(ids.length, mostRehearsed);
      for (let from = 0; from < most; from += mostAtOnce) {
        const some = ids.slice(from, from + mostAtOnce);
        const options = given({ missed: missed as 'skip' | undefined, until });
        known = addedOutcomes(known, await api.dryRun.bulk(verb as BulkVerb, some, options, { signal }));
        if (signal.aborted) return;
        setRehearsed({ known, done: from + some.length, error: null });
      }
    };
    rehearseAll().catch((error: unknown) => {
      if (!signal.aborted) setRehearsed({ ...nothingRehearsed, error });
    });
    return () => abort.abort();
  }, [api, verb, ids, missed, until]);
  return rehearsed;
}

function bulkOptions({ missed, until }: Choices) {
  return given({ missed: missed as 'skip' | undefined, until });
}

async function rehearse(
  { api }: Scope,
  verb: ActionVerb,
  id: string,
  { overlap, missed, until, scheduledAt }: Choices,
  signal: AbortSignal,
): Promise<Effects> {
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
      return await api.dryRun.release(id, options);
  }
}

async function perform(
  { api }: Scope,
  verb: ActionVerb,
  id: string,
  { note, overlap, missed, until, scheduledAt }: Choices,
): Promise<void> {
  const said = note === '' ? {} : { note };
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
}

/**
 * Sends one request for each thousand schedules. An error of the server ends it; the results before it have been
 * returned already.
 */
async function* performAll({ api }: Scope, verb: BulkVerb, ids: readonly string[], choices: Choices) {
  const said = choices.note === '' ? {} : { note: choices.note };
  for (let from = 0; from < ids.length; from += mostAtOnce) {
    const some = ids.slice(from, from + mostAtOnce);
    yield (await api.schedules.bulk(verb, some, { ...said, ...bulkOptions(choices) })).items;
  }
}

/** The ids of everything that matches, as long as the question is open. */
function useMatching({ api, namespace }: Scope, matching: ActionsProps['matching']) {
  return useQuery({
    queryKey: [namespace, 'matching', matching?.text],
    queryFn: async () => {
      const { filters } = readScheduleQuery(matching?.text ?? '');
      const all: string[] = [];
      for await (const { id } of api.schedules.each({ ...filters, limit: 1000 })) all.push(id);
      return all;
    },
    enabled: matching !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

type Given<T> = { readonly [K in keyof T]: Exclude<T[K], undefined> };

function given<T extends object>(fields: T): Partial<Given<T>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<
    Given<T>
  >;
}
