/** Create and edit a schedule. Words, times and clock changes follow as one types; the effects of saving stand beside. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import type { ScheduleInput } from 'carillon/client';
import { useEffect, useMemo, useState } from 'react';
import '../time/zone-tables.ts';
import { EffectsView } from '../actions/EffectsView.tsx';
import { useGo, useLinks } from '../app/links.ts';
import { Screen } from '../app/Screen.tsx';
import { troubleOf, useScope } from '../data/api.ts';
import { useMayChange } from '../data/role.ts';
import { Command } from '../parts/Copy.tsx';
import { Failed } from '../parts/Failed.tsx';
import { Note } from '../parts/Note.tsx';
import { Seg } from '../parts/Seg.tsx';
import { SkeletonBox } from '../parts/Skeleton.tsx';
import { showToast } from '../parts/toast.ts';
import { codeOf } from '../schedule/code.ts';
import { definitionQuery, scheduleQuery } from '../schedule/queries.ts';
import { quoted } from '../schedules/filter.ts';
import { useMinute } from '../time/now.ts';
import { viewerZone } from '../time/zone.ts';
import type { Draft } from './draft.ts';
import { emptyDraft, mergeDrafts, shortLength, specOf, withField } from './draft.ts';
import { Overlap } from './Overlap.tsx';
import { Preview } from './Preview.tsx';
import { previewSpec } from './preview.ts';
import { Trial } from './Trial.tsx';
import { useFindings } from './use-findings.ts';
import { What } from './What.tsx';
import { When } from './When.tsx';

export function Create() {
  const { cron, zone, dialect } = useSearch({ strict: false }) as Readonly<
    Record<string, string | undefined>
  >;
  const draft =
    cron === undefined
      ? emptyDraft
      : {
          ...emptyDraft,
          spec: {
            cron: [{ text: cron, ...(dialect === undefined ? {} : { dialect }) }],
            ...(zone === undefined ? {} : { zone }),
          },
        };
  return <Form base={draft} />;
}

export function Edit() {
  const { id } = useParams({ strict: false }) as { readonly id: string };
  const scope = useScope();
  const links = useLinks();
  const definition = useQuery({ ...definitionQuery(scope, id), staleTime: Number.POSITIVE_INFINITY });
  const schedule = useQuery({ ...scheduleQuery(scope, id), staleTime: Number.POSITIVE_INFINITY });
  if (definition.data === undefined || schedule.data === undefined) {
    const error = definition.error ?? schedule.error;
    return (
      <Screen
        crumbs={[{ text: 'Schedules', to: links.place('schedules') }, { text: id }]}
        title={`Edit ${id}`}
      >
        <div className="card">
          {error === null ? (
            <SkeletonBox height={300} />
          ) : (
            <Failed what={`The schedule ${id}`} error={error} />
          )}
        </div>
      </Screen>
    );
  }
  return (
    <Form
      id={id}
      base={definition.data as Draft}
      token={schedule.data.token}
      declaredBy={
        schedule.data.declaredBy === '' ? undefined : `${schedule.data.owner} (${schedule.data.declaredBy})`
      }
    />
  );
}

interface FormProps {
  readonly id?: string;
  readonly base: Draft;
  readonly token?: number;
  readonly declaredBy?: string | undefined;
}

function Form({ id: known, base, token, declaredBy }: FormProps) {
  const scope = useScope();
  const links = useLinks();
  const go = useGo();
  const client = useQueryClient();
  const mayChange = useMayChange();
  const { focus } = useSearch({ strict: false }) as { readonly focus?: string };
  const [draft, setDraft] = useState(base);
  const [id, setId] = useState(known ?? '');
  const [view, setView] = useState<'form' | 'json' | 'yaml' | 'ts'>('form');
  const [text, setText] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [note, setNote] = useState('');
  const [wrong, setWrong] = useState<ReturnType<typeof troubleOf>>();
  const [clash, setClash] = useState<{
    readonly theirs: Draft;
    readonly token: number;
    readonly both: readonly string[];
  }>();
  const now = useMinute();
  const slowRunMs = useSlowRun(known);
  useEffect(() => {
    if (focus !== undefined) document.getElementById(`focus-${focus}`)?.scrollIntoView({ block: 'center' });
  }, [focus]);
  const spec = specOf(draft);
  const preview = useMemo(() => previewSpec(spec, now), [spec, now]);
  const findings = useFindings(preview.ok ? draft : undefined, { id, now, zone: viewerZone, slowRunMs });
  const set = (name: string, value: unknown) => setDraft(withField(draft, name, value));
  const isChanged = known === undefined || JSON.stringify(draft) !== JSON.stringify(base);
  const canAsk = isChanged && preview.ok && id !== '' && actionOf(draft) !== '';
  const effects = useQuery({
    queryKey: [scope.namespace, 'dryRun', 'save', id, draft],
    queryFn: async ({ signal }) =>
      known === undefined
        ? await scope.api.dryRun.create(id, draft as ScheduleInput, { signal })
        : await scope.api.dryRun.upsert(id, draft as ScheduleInput, { signal }),
    enabled: canAsk && mayChange,
    gcTime: 0,
    retry: false,
  });
  const save = async (what: Draft, at: number | undefined) => {
    setBusy(true);
    setWrong(undefined);
    const said = note === '' ? {} : { note };
    try {
      if (known === undefined) await scope.api.schedules.create(id, what as ScheduleInput, said);
      else {
        await scope.api.schedules.update(id, what as ScheduleInput, {
          ...said,
          ...(at === undefined ? {} : { token: at }),
        });
      }
      await client.invalidateQueries();
      showToast({ family: 'ran', text: known === undefined ? `Created ${id}` : `Saved ${id}` });
      go(links.schedule(id));
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble.isConflict && known !== undefined) await meet();
      else setWrong(trouble);
      setBusy(false);
    }
  };
  /** Another person saved meanwhile: their version is read, and what both changed is named. */
  const meet = async () => {
    const theirs = (await scope.api.schedules.definition(id)) as Draft;
    const { token: newer } = await scope.api.schedules.describe(id);
    setClash({ theirs, token: newer, both: mergeDrafts(base, theirs, draft).both });
  };
  const showAs = (next: typeof view) => {
    if (next !== 'form') setText(codeOf(next, id === '' ? 'new-schedule' : id, draft));
    setView(next);
  };
  const readJson = (next: string) => {
    setText(next);
    try {
      const { id: named, ...rest } = JSON.parse(next) as Record<string, unknown>;
      if (known === undefined && typeof named === 'string') setId(named);
      setDraft(rest);
    } catch {
      // The text stays as it is typed; the preview shows the last that could be read.
    }
  };
  const problem = preview.ok
    ? undefined
    : preview.problems
        .map(({ message, fix }) => `${message}${fix === undefined ? '' : `: ${fix}`}`)
        .join('. ');
  const title = known === undefined ? 'New schedule' : `Edit ${known}`;
  return (
    <Screen
      crumbs={[
        { text: 'Schedules', to: links.place('schedules') },
        ...(known === undefined ? [] : [{ text: known, to: links.schedule(known) }]),
        { text: known === undefined ? 'New' : 'Edit' },
      ]}
      title={title}
      sub={known === undefined ? 'What should run, when, and what if.' : 'Nothing is changed until you save.'}
      acts={
        <Seg
          label="Shown as"
          options={[
            { value: 'form', text: 'Form' },
            { value: 'json', text: 'JSON' },
            { value: 'yaml', text: 'YAML' },
            { value: 'ts', text: 'TypeScript' },
          ]}
          value={view}
          onChange={showAs}
        />
      }
    >
      <div className="cols-edit">
        {view !== 'form' ? (
          <section className="card" aria-label="As code">
            <div className="body">
              <label className="sr" htmlFor="code">
                The schedule as {view}
              </label>
              <textarea
                id="code"
                className="area min-h-110 w-full font-mono text-second"
                value={text}
                readOnly={view !== 'json'}
                spellCheck={false}
                onChange={(event) => readJson(event.target.value)}
              />
              {view !== 'json' && <p className="help">To copy from. Edit as form or JSON.</p>}
            </div>
          </section>
        ) : (
          <div className="stack">
            {known === undefined && (
              <section className="card">
                <div className="body">
                  <label className="flabel" htmlFor="id">
                    Name
                  </label>
                  <input
                    id="id"
                    className="input"
                    value={id}
                    placeholder="invoice-sync"
                    spellCheck={false}
                    onChange={(event) => setId(event.target.value)}
                  />
                </div>
              </section>
            )}
            <When spec={spec} problem={problem} onChange={(next) => set('spec', next)} />
            <section className="card" aria-labelledby="overlap" id="focus-overlap">
              <header>
                <h2 id="overlap">If the run before is still going</h2>
              </header>
              <div className="body">
                <Overlap
                  value={String(draft.overlap ?? 'skip')}
                  onChange={(next) => set('overlap', next === 'skip' ? undefined : next)}
                />
              </div>
            </section>
            <section className="card" aria-labelledby="outage" id="focus-catchup">
              <header>
                <h2 id="outage">After an outage</h2>
              </header>
              <div className="body grid gap-4 wide:grid-cols-2">
                <div>
                  <label className="flabel" htmlFor="catchup">
                    A slot may start this late <code className="t3">catchup</code>
                  </label>
                  <input
                    id="catchup"
                    className="input"
                    value={shortLength(draft.catchup)}
                    placeholder="1h"
                    onChange={(event) => set('catchup', event.target.value)}
                  />
                  <p className="help">Longer than that: missed its window, and said so.</p>
                </div>
                <div>
                  <span className="flabel">
                    Of several missed ones, run <code className="t3">missed</code>
                  </span>
                  <Seg
                    label="Of several missed ones, run"
                    options={[
                      { value: 'all', text: 'All' },
                      { value: 'latest', text: 'The latest' },
                      { value: 'oldest', text: 'The oldest' },
                      { value: 'skip', text: 'None' },
                    ]}
                    value={(draft.missed === 'once' ? 'latest' : (draft.missed ?? 'all')) as 'all'}
                    onChange={(next) => set('missed', next === 'all' ? undefined : next)}
                  />
                </div>
              </div>
            </section>
            <What draft={draft} onChange={setDraft} />
          </div>
        )}
        <div className="stack preview">
          <Preview preview={preview} zone={spec.zone ?? 'UTC'} findings={findings} onTake={setDraft} />
          <section className="card" aria-labelledby="save">
            <header>
              <h2 id="save">On save</h2>
            </header>
            <div className="body grid gap-3">
              {declaredBy !== undefined && (
                <Note family="policy" icon="node">
                  <b>{declaredBy} declares this schedule.</b> Your change stays until its next deploy, which
                  puts back what it declares. A pause is kept.
                </Note>
              )}
              {!isChanged && <p className="t3">Nothing is changed yet.</p>}
              {effects.data !== undefined && canAsk && <EffectsView effects={effects.data} />}
              {effects.error !== null && canAsk && <Problems trouble={troubleOf(effects.error)} />}
              {wrong !== undefined && <Problems trouble={wrong} />}
              {clash !== undefined && (
                <div role="alert" className="grid gap-2">
                  <Note family="person" icon="person">
                    <b>Another person saved this schedule while you were editing.</b>{' '}
                    {clash.both.length === 0
                      ? 'Your changes and theirs do not touch each other.'
                      : `Both changed ${clash.both.join(', ')}; saving both keeps yours there.`}
                  </Note>
                  <div className="flex gap-2">
                    <button
                      type="button"
                      className="btn primary"
                      onClick={() => void save(mergeDrafts(base, clash.theirs, draft).merged, clash.token)}
                    >
                      Save both
                    </button>
                    <button
                      type="button"
                      className="btn"
                      onClick={() => {
                        setDraft(clash.theirs);
                        setClash(undefined);
                      }}
                    >
                      Take theirs
                    </button>
                  </div>
                </div>
              )}
              {known !== undefined && mayChange && (
                <Trial id={known} draft={draft} zone={spec.zone ?? 'UTC'} isDisabled={!canAsk} />
              )}
              {mayChange ? (
                <>
                  <div>
                    <label className="flabel" htmlFor="note">
                      Note
                    </label>
                    <input
                      id="note"
                      className="input"
                      value={note}
                      placeholder="Why, for the audit"
                      onChange={(event) => setNote(event.target.value)}
                    />
                  </div>
                  {clash === undefined && (
                    <div>
                      <button
                        type="button"
                        className="btn primary"
                        disabled={isBusy || !canAsk}
                        onClick={() => void save(draft, token)}
                      >
                        {known === undefined ? 'Create' : 'Save'}
                      </button>
                    </div>
                  )}
                </>
              ) : (
                <Note family="spec" icon="lock">
                  Your key may look, not change.
                </Note>
              )}
              <Command
                text={`carillon schedule ${known === undefined ? 'create' : 'update'} ${quoted(id === '' ? 'name' : id)} …`}
              />
            </div>
          </section>
        </div>
      </div>
    </Screen>
  );
}

/** How long one run in twenty takes at least; undefined for a schedule without measured runs. */
function useSlowRun(id: string | undefined): number | undefined {
  const { api, namespace } = useScope();
  return (
    useQuery({
      queryKey: [namespace, 'schedule', id, 'strip'],
      enabled: id !== undefined,
      queryFn: async ({ signal }) => await api.insight.strip(id ?? '', { signal }),
      staleTime: Number.POSITIVE_INFINITY,
    }).data?.p95Ms ?? undefined
  );
}

function actionOf(draft: Draft): string {
  const kinds = ['run', 'http', 'command', 'bullmq', 'temporal', 'conductor'];
  const kind = kinds.find((name) => draft[name] !== undefined);
  return kind === undefined || draft[kind] === '' ? '' : kind;
}

function Problems({ trouble }: { readonly trouble: ReturnType<typeof troubleOf> }) {
  return (
    <div role="alert">
      <Note family="fail">
        <b>It would be refused.</b>
        {trouble.problems.length === 0 ? (
          <p>{trouble.message}</p>
        ) : (
          <ul>
            {trouble.problems.map(({ path, message, fix }) => (
              <li key={`${path} ${message}`}>
                <code>{path}</code> {message}
                {fix === undefined ? '' : `: ${fix}`}
              </li>
            ))}
          </ul>
        )}
      </Note>
    </div>
  );
}
