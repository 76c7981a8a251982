/** Adds tags to many schedules and removes others: first how many change, then the result of each. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { readScheduleQuery } from 'carillon/client';
import { useMemo, useState } from 'react';
import type { Scope } from '../data/api.ts';
import { troubleOf, useScope } from '../data/api.ts';
import { useLiveState } from '../live/live.ts';
import { Dialog } from '../parts/Dialog.tsx';
import { SkeletonBox } from '../parts/Skeleton.tsx';
import { countText, plural } from '../time/text.ts';
import type { Result } from './BulkResults.tsx';
import { BulkResults } from './BulkResults.tsx';
import { Refused } from './Refused.tsx';
import type { TagChange, Tagged } from './tag-plan.ts';
import { planText, readTags, tagPlan } from './tag-plan.ts';
import { WillHappen } from './WillHappen.tsx';

interface TagAskProps {
  readonly ids: readonly string[];
  /** The query of the list, in which the schedules are found. */
  readonly text: string;
  /** Whether all that match are meant, also those that are not loaded. */
  readonly isAll: boolean;
  readonly onClose: (isDone: boolean) => void;
}

/** Requests at once: enough to be fast, few enough to leave the browser connections for the rest of the page. */
const atOnce = 4;

export function TagAsk({ ids, text, isAll, onClose }: TagAskProps) {
  const scope = useScope();
  const client = useQueryClient();
  const isOffline = useLiveState().is === 'offline';
  const [added, setAdded] = useState('');
  const [removed, setRemoved] = useState('');
  const [note, setNote] = useState('');
  const [done, setDone] = useState<number>();
  const [results, setResults] = useState<readonly Result[]>();
  const { data, error } = useQuery({
    queryKey: [scope.namespace, 'dryRun', 'tags', text, isAll, ids],
    queryFn: async ({ signal }) => await readTagged(scope, { ids, text, isAll }, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const change = useMemo<TagChange>(
    () => ({ add: readTags(added), remove: readTags(removed) }),
    [added, removed],
  );
  const plan = useMemo(() => tagPlan(data ?? [], change), [data, change]);
  const known = useMemo(() => [...new Set((data ?? []).flatMap(({ tags }) => tags))].sort(), [data]);
  const isNamed = change.add.length + change.remove.length > 0;
  const run = async () => {
    const all: Result[] = [];
    setDone(0);
    for (let from = 0; from < plan.changes.length; from += atOnce) {
      const some = plan.changes.slice(from, from + atOnce);
      all.push(...(await Promise.all(some.map(async (each) => await tag(scope, each, note)))));
      setDone(all.length);
    }
    void client.invalidateQueries({ queryKey: [scope.namespace] });
    setResults(all);
  };
  if (results !== undefined)
    return <BulkResults past="tagged" results={results} onClose={() => onClose(true)} />;
  const count = data?.length ?? ids.length;
  return (
    <Dialog
      title={`Tag ${plural(count, 'schedule')}`}
      onClose={() => onClose(false)}
      foot={
        <>
          <button
            type="button"
            className="btn primary"
            disabled={done !== undefined || plan.changes.length === 0 || isOffline}
            onClick={() => void run()}
          >
            {done === undefined ? 'Tag' : `${countText(done)} of ${countText(plan.changes.length)}…`}
          </button>
          <button type="button" className="btn" onClick={() => onClose(false)}>
            Cancel
          </button>
          {isOffline && <span className="t3">The server does not answer; this waits.</span>}
        </>
      }
    >
      <div className="grid gap-4">
        {error !== null ? (
          <Refused error={error} />
        ) : data === undefined ? (
          <SkeletonBox height={40} />
        ) : (
          <WillHappen
            family={plan.changes.length === 0 ? 'spec' : 'busy'}
            text={isNamed ? planText(plan) : ['Nothing, until a tag is named below.']}
          />
        )}
        <TagField id="tags-add" label="Add" value={added} onChange={setAdded} isFirst />
        <TagField id="tags-remove" label="Remove" value={removed} onChange={setRemoved} />
        {known.length > 0 && (
          <p className="help">
            {count === 1 ? 'It has' : 'They have'} {known.slice(0, mostKnown).join(', ')}
            {known.length > mostKnown ? ` and ${plural(known.length - mostKnown, 'more tag')}` : ''}.
          </p>
        )}
        <div>
          <label className="flabel" htmlFor="note">
            Note
          </label>
          <input
            id="note"
            className="input"
            value={note}
            placeholder="Why, for the audit"
            onChange={({ target }) => setNote(target.value)}
          />
        </div>
      </div>
    </Dialog>
  );
}

/** The tags that are listed for the person to choose from. */
const mostKnown = 12;

interface TagFieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isFirst?: boolean;
}

function TagField({ id, label, value, onChange, isFirst = false }: TagFieldProps) {
  return (
    <div>
      <label className="flabel" htmlFor={id}>
        {label} <span className="t3 font-normal">with commas between</span>
      </label>
      <input
        id={id}
        className="input"
        value={value}
        spellCheck={false}
        autoComplete="off"
        data-first={isFirst ? '' : undefined}
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  );
}

/** More schedules than this are read from the list instead of one by one. */
const mostDescribed = 20;

async function readTagged(
  { api }: Scope,
  { ids, text, isAll }: Pick<TagAskProps, 'ids' | 'text' | 'isAll'>,
  signal: AbortSignal,
): Promise<readonly Tagged[]> {
  if (!isAll && ids.length <= mostDescribed) {
    return await Promise.all(ids.map(async (id) => await api.schedules.describe(id)));
  }
  const chosen = new Set(ids);
  const found: Tagged[] = [];
  for await (const each of api.schedules.each({ ...readScheduleQuery(text).filters, limit: 1000 })) {
    if (signal.aborted) break;
    if (isAll || chosen.has(each.id)) found.push(each);
  }
  return found;
}

/** Writes the tags unless another person has changed the schedule since it was read. */
async function tag({ api }: Scope, { id, tags, token }: Tagged, note: string): Promise<Result> {
  try {
    await api.schedules.patch(id, { tags }, { token, ...(note === '' ? {} : { note }) });
    return { id, ok: true, message: null };
  } catch (error) {
    return { id, ok: false, message: troubleOf(error).message };
  }
}
