/**
 * Create and edit a schedule. Words, times and clock changes follow the typed text; the effects of saving are shown
 * beside the form.
 */

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ScheduleInput, ScheduleJson } from 'carillon/client';
import { Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { goTo } from '../route/address.ts';
import { useParams, useSearch } from '../route/hooks.ts';
import { lazyPart } from '../route/lazy-part.tsx';
import '../time/zone-tables.ts';
import { type Refusal, refusalOf } from '../actions/refusal.ts';
import { commandKey } from '../app/keys.ts';
import { useLinks } from '../app/links.ts';
import { Screen } from '../app/Screen.tsx';
import { type Trouble, troubleOf, useScope } from '../data/api.ts';
import { useMayChange, useRole } from '../data/role.ts';
import { useLiveState } from '../live/live.ts';
import { Failed } from '../parts/Failed.tsx';
import { Go } from '../parts/Go.tsx';
import { Note } from '../parts/Note.tsx';
import { Seg } from '../parts/Seg.tsx';
import { SkeletonBox } from '../parts/Skeleton.tsx';
import { sentence } from '../parts/sentence.ts';
import { takeFocus } from '../parts/take-focus.ts';
import { showToast } from '../parts/toast.ts';
import { definitionQuery, scheduleQuery, versionQuery } from '../schedule/queries.ts';
import { useZoneOf } from '../time/choice.ts';
import { serverNow, useMinute } from '../time/now.ts';
import { sinceText } from '../time/text.ts';
import { bringOwnZone, viewerZone } from '../time/zone.ts';
import type { Theirs } from './Clash.tsx';
import type { Draft } from './draft.ts';
import { emptyDraft, hasWork, isSame, specOf, withField } from './draft.ts';
import { EditingContext, Field } from './Field.tsx';
import { identityOf } from './identity.ts';
import { Limit } from './Limit.tsx';
import { Overlap } from './Overlap.tsx';
import { Preview } from './Preview.tsx';
import { previewSpec, seedOf, zoneOfDraft } from './preview.ts';
import { catchup } from './read-field.ts';
import type { Unread } from './typed.ts';
import { useEdit } from './use-edit.ts';
import { useFindings } from './use-findings.ts';
import { useOvertaken } from './use-overtaken.ts';
import { useSettled } from './use-settled.ts';
import { What } from './What.tsx';
import { When } from './When.tsx';

const EffectsView = lazyPart(async () => (await import('../actions/EffectsView.tsx')).EffectsView);
const Clash = lazyPart(async () => (await import('./Clash.tsx')).Clash);
const Declared = lazyPart(async () => (await import('./Declared.tsx')).Declared);
const SaveCommand = lazyPart(async () => (await import('./SaveCommand.tsx')).SaveCommand);
const Trial = lazyPart(async () => (await import('./Trial.tsx')).Trial);
const CodeView = lazyPart(async () => (await import('./CodeView.tsx')).CodeView);

export function Create() {
  const { cron, rrule, zone, dialect } = useSearch();
  const times =
    rrule !== undefined
      ? { rrules: [{ text: rrule }] }
      : cron !== undefined
        ? { cron: [{ text: cron, ...(dialect === undefined ? {} : { dialect }) }] }
        : undefined;
  const draft =
    times === undefined
      ? emptyDraft
      : { ...emptyDraft, spec: { ...times, ...(zone === undefined ? {} : { zone }) } };
  return <Form base={draft} />;
}

export function Edit() {
  const { id = '' } = useParams();
  const scope = useScope();
  const links = useLinks();
  const definition = useQuery({ ...definitionQuery(scope, id), staleTime: Number.POSITIVE_INFINITY });
  const schedule = useQuery({ ...scheduleQuery(scope, id), staleTime: Number.POSITIVE_INFINITY });
  useOvertaken(id, schedule.refetch);
  if (definition.data === undefined || schedule.data === undefined) {
    const error = definition.error ?? schedule.error;
    return (
      <Screen
        crumbs={[
          { text: 'Schedules', to: links.place('schedules') },
          { text: id, to: links.schedule(id) },
          { text: 'Edit' },
        ]}
        title={`Edit ${id}`}
      >
        {error === null ? (
          <div className="cols-edit">
            <div className="card">
              <SkeletonBox height={560} />
            </div>
            <div className="card">
              <SkeletonBox height={360} />
            </div>
          </div>
        ) : (
          <div className="card">
            <Failed
              what={`The schedule ${id}`}
              error={error}
              linkOf={links.edit}
              list={{ to: links.place('schedules'), text: 'To all schedules' }}
              onRetry={() => void Promise.all([definition.refetch(), schedule.refetch()])}
            />
          </div>
        )}
      </Screen>
    );
  }
  return (
    <Form
      id={id}
      base={definition.data as Draft}
      token={schedule.data.token}
      createdAt={schedule.data.createdAt}
      schedule={schedule.data}
    />
  );
}

interface FormProps {
  readonly id?: string;
  readonly base: Draft;
  readonly token?: number;
  readonly createdAt?: string;
  /** The schedule as it is; absent for a new one. */
  readonly schedule?: ScheduleJson;
}

function Form({ id: known, base: read, token: readAt, createdAt = '', schedule }: FormProps) {
  const scope = useScope();
  const links = useLinks();
  const client = useQueryClient();
  const mayChange = useMayChange();
  const isRoleKnown = useRole() !== undefined;
  const { focus } = useSearch();
  const edit = useEdit({ namespace: scope.namespace, id: known, base: read, token: readAt });
  const { base, token, draft, texts, id, note, unread, setDraft } = edit;
  const [view, setView] = useState<'form' | 'json' | 'yaml' | 'ts'>('form');
  const [isBusy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<Trouble>();
  const [clash, setClash] = useState<Theirs>();
  const saveButton = useRef<HTMLButtonElement>(null);
  const isOffline = useLiveState().is === 'offline';
  const now = useMinute();
  const slowRunMs = useSlowRun(known);
  useEffect(() => {
    if (focus !== undefined) document.getElementById(`focus-${focus}`)?.scrollIntoView({ block: 'center' });
  }, [focus]);
  const spec = specOf(draft);
  const zone = zoneOfDraft(spec);
  if (spec.zone !== undefined && spec.zoneData !== undefined) bringOwnZone(spec.zone, spec.zoneData);
  const shownZone = useZoneOf(zone);
  const seed = seedOf(scope.namespace, id.trim());
  const preview = useMemo(() => previewSpec(spec, now, { seed }), [spec, now, seed]);
  const findings = useFindings(preview.ok ? draft : undefined, {
    id,
    seed,
    now,
    zone: viewerZone,
    slowRunMs,
  });
  const set = (name: string, value: unknown) => setDraft(withField(draft, name, value));
  const isChanged = useMemo(() => known === undefined || !isSame(draft, base), [known, draft, base]);
  const canAsk = isChanged && preview.ok && id !== '' && hasWork(draft) && unread.length === 0;
  const missing = [
    ...(id === '' ? ['the name'] : []),
    ...(preview.ok ? [] : ['times that can be read']),
    ...(hasWork(draft) ? [] : ['what runs']),
  ];
  const edited = useMemo(() => ({ id, draft }), [id, draft]);
  const settled = useSettled(edited);
  const effects = useQuery({
    queryKey: [scope.namespace, 'dryRun', 'save', identityOf(settled)],
    queryFn: async ({ signal }) =>
      known === undefined
        ? await scope.api.dryRun.create(settled.id, settled.draft as ScheduleInput, { signal })
        : await scope.api.dryRun.upsert(settled.id, settled.draft as ScheduleInput, { signal }),
    // While the schedule is saved, a dry run would only say that it exists already.
    enabled: settled === edited && canAsk && mayChange && !isBusy && !isOffline,
    gcTime: 0,
    retry: false,
    placeholderData: keepPreviousData,
  });
  const isFollowing = settled !== edited || effects.isPlaceholderData;
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
      edit.finish();
      await client.invalidateQueries();
      showToast({ family: 'ran', text: known === undefined ? `Created ${id}` : `Saved ${id}` });
      goTo(links.schedule(id));
    } catch (error) {
      const trouble = troubleOf(error);
      setWrong(trouble.isConflict && known !== undefined ? await meet() : trouble);
      setBusy(false);
    }
  };
  /** Reads the version that another person saved meanwhile. Returns the reason when that is not possible. */
  const meet = async (): Promise<Trouble | undefined> => {
    try {
      const { token: newer } = await scope.api.schedules.describe(id);
      const theirs = (await scope.api.schedules.definition(id)) as Draft;
      const { version } = await client.fetchQuery({ ...versionQuery(scope, id, createdAt), staleTime: 0 });
      setClash({ draft: theirs, token: newer, by: version.by });
      return undefined;
    } catch (error) {
      return troubleOf(error);
    }
  };
  const isOvertaken =
    !isBusy && clash === undefined && readAt !== undefined && token !== undefined && readAt > token;
  const title = known === undefined ? 'New schedule' : `Edit ${known}`;
  return (
    <Screen
      crumbs={[
        { text: 'Schedules', to: links.place('schedules') },
        ...(known === undefined ? [] : [{ text: known, to: links.schedule(known) }]),
        { text: known === undefined ? 'New' : 'Edit' },
      ]}
      title={title}
      sub={
        known === undefined ? (
          'What should run, when, and what if.'
        ) : (
          <>
            <InForce id={known} createdAt={createdAt} now={now} /> Nothing is changed until you save.
          </>
        )
      }
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
          onChange={setView}
        />
      }
    >
      {edit.isBack && (
        <div className="mb-4" role="status">
          <Note family="person" icon="person">
            <b>Your unsaved changes are here again.</b> They are kept until you save them or close this tab.{' '}
            <button type="button" className="link" onClick={edit.discard}>
              Discard them
            </button>
          </Note>
        </div>
      )}
      <EditingContext value={{ draft, texts, onChange: edit.setTyped }}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys of the fields inside */}
        <div
          className="cols-edit"
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            saveButton.current?.click();
          }}
        >
          {view !== 'form' ? (
            <Suspense fallback={<SkeletonBox height={300} />}>
              <CodeView view={view} known={known} edit={edit} onChange={edit.change} />
            </Suspense>
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
                      ref={takeFocus}
                      className="input"
                      value={id}
                      placeholder="invoice-sync"
                      spellCheck={false}
                      onChange={(event) => edit.change({ id: event.target.value })}
                    />
                  </div>
                </section>
              )}
              <When
                draft={draft}
                base={base}
                zone={zone}
                problems={preview.ok ? [] : preview.problems}
                preview={preview}
                now={now}
                onChange={setDraft}
              />
              <section className="card" aria-labelledby="overlap" id="focus-overlap">
                <header>
                  <h2 id="overlap">If the run before is still going</h2>
                </header>
                <div className="body">
                  <Overlap
                    value={String(draft.overlap ?? 'skip')}
                    onChange={(next) => set('overlap', next === 'skip' ? undefined : next)}
                  />
                  <Limit overlap={String(draft.overlap ?? 'skip')} />
                </div>
              </section>
              <section className="card" aria-labelledby="outage" id="focus-catchup">
                <header>
                  <h2 id="outage">After an outage</h2>
                </header>
                <div className="body grid gap-4 wide:grid-cols-2">
                  <Field
                    id="catchup"
                    label="A slot may start this late"
                    beside={<code className="t3">catchup</code>}
                    path="catchup"
                    placeholder="1h"
                    help="Longer than that: missed its window, and said so."
                    {...catchup}
                  />
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
              <What draft={draft} base={base} onChange={setDraft} />
            </div>
          )}
          <div className="stack preview">
            <Preview
              preview={preview}
              zone={zone}
              findings={findings}
              onTake={setDraft}
              own={schedule === undefined || schedule.paused !== null ? undefined : specOf(base)}
              spec={spec}
              onMove={(moved) => set('spec', moved)}
            />
            <section className="card" aria-labelledby="save">
              <header>
                <h2 id="save">On save</h2>
              </header>
              <div className="body grid gap-3">
                {schedule !== undefined && schedule.declaredBy !== '' && (
                  <Suspense>
                    <Declared schedule={schedule} onView={setView} />
                  </Suspense>
                )}
                {!isChanged && <p className="t3">Nothing is changed yet.</p>}
                {effects.data !== undefined && canAsk && (
                  <Suspense>
                    <div className={isFollowing ? 'grayscale' : ''} aria-busy={isFollowing}>
                      <EffectsView effects={effects.data} zone={shownZone} />
                    </div>
                  </Suspense>
                )}
                {effects.error !== null && canAsk && !isFollowing && !isOffline && wrong === undefined && (
                  <Problems {...refusalOf(troubleOf(effects.error))} of={troubleOf(effects.error)} />
                )}
                {wrong !== undefined && <Problems {...unsaved(wrong)} of={wrong} />}
                {isOvertaken && (
                  <Note family="person" icon="person">
                    <b>This schedule was saved by another person while you were editing.</b>{' '}
                    <button type="button" className="link" onClick={() => void meet().then(setWrong)}>
                      See both
                    </button>
                  </Note>
                )}
                {clash !== undefined && (
                  <Suspense>
                    <Clash
                      base={base}
                      ours={draft}
                      theirs={clash}
                      isBusy={isBusy}
                      onSave={(both) => void save(both, clash.token)}
                      onTakeTheirs={() => {
                        edit.change({ base: clash.draft, token: clash.token, draft: clash.draft, texts: {} });
                        setClash(undefined);
                      }}
                    />
                  </Suspense>
                )}
                {known !== undefined && mayChange && (
                  <Suspense>
                    <Trial id={known} draft={draft} zone={zone} isDisabled={!canAsk} />
                  </Suspense>
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
                        onChange={(event) => edit.change({ note: event.target.value })}
                      />
                    </div>
                    {clash === undefined && (
                      <div>
                        <button
                          type="button"
                          ref={saveButton}
                          className="btn primary"
                          aria-keyshortcuts="Control+Enter Meta+Enter"
                          disabled={isBusy || !canAsk || isOffline}
                          onClick={() => void save(draft, token)}
                        >
                          {known === undefined ? 'Create' : 'Save'}
                        </button>
                        <kbd className="wide-only ml-2" aria-hidden="true">
                          {commandKey} ↵
                        </kbd>
                        <NotYet unread={unread} isForm={view === 'form'} />
                        {isOffline && (
                          <p className="help" role="status">
                            The server does not answer. What you typed is kept; saving waits.
                          </p>
                        )}
                        {missing.length > 0 && <p className="help">Still missing: {missing.join(', ')}.</p>}
                      </div>
                    )}
                  </>
                ) : (
                  isRoleKnown && (
                    <Note family="spec" icon="lock">
                      Your key may look, not change.
                    </Note>
                  )
                )}
                <Suspense>
                  <SaveCommand
                    id={settled.id}
                    isNew={known === undefined}
                    base={base}
                    draft={settled.draft}
                  />
                </Suspense>
              </div>
            </section>
          </div>
        </div>
      </EditingContext>
    </Screen>
  );
}

/** The fields that prevent saving, below the button. */
function NotYet({ unread, isForm }: { readonly unread: readonly Unread[]; readonly isForm: boolean }) {
  if (unread.length === 0) return null;
  const names = unread.map(({ label }) => label).join(', ');
  const place =
    isForm === unread.every(({ path }) => path !== '') ? '' : ` Look at it as ${isForm ? 'JSON' : 'form'}.`;
  return (
    <p className="help wrong" role="status">
      Cannot be saved: {names} cannot be read.{place}
    </p>
  );
}

/** The version that is being edited, and who wrote it. */
function InForce({
  id,
  createdAt,
  now,
}: {
  readonly id: string;
  readonly createdAt: string;
  readonly now: number;
}) {
  const links = useLinks();
  const version = useQuery(versionQuery(useScope(), id, createdAt)).data?.version;
  if (version === undefined) return null;
  const { number, by, at } = version;
  return (
    <>
      Version {number}, {number === 1 ? 'created' : 'changed'}
      {by !== '' && ' by '}
      {by !== '' && (
        <Go className="link" to={`${links.place('audit')}?schedule=${encodeURIComponent(id)}`}>
          {by}
        </Go>
      )}{' '}
      {sinceText(Date.parse(at), Math.max(now, serverNow()))}.
    </>
  );
}

/** The 95th percentile of the run durations; undefined for a schedule without measured runs. */
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

/** What became of a save that failed. */
function unsaved(trouble: Trouble): Refusal {
  const { isOffline, message, requestId } = trouble;
  return isOffline
    ? { title: 'The server does not answer.', text: 'What you typed is kept. Save it again when it does.' }
    : {
        title: 'It was refused, and nothing was changed.',
        text: `${sentence(message)}${requestId === undefined ? '' : ` Request ${requestId}.`}`,
      };
}

function Problems({ title, text, of: { problems } }: Refusal & { readonly of: Trouble }) {
  return (
    <div role="alert">
      <Note family="fail">
        <b>{title}</b>
        {problems.length === 0 ? (
          <p>{text}</p>
        ) : (
          <ul>
            {problems.map(({ path, message, fix }) => (
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
