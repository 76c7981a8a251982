/** Another person saved the schedule meanwhile: their fields, the fields that both changed, and what may be done. */
import { useEffect, useRef } from 'react';
import { shortValue } from '../audit/change.ts';
import { Note } from '../parts/Note.tsx';
import { takeFocus } from '../parts/take-focus.ts';
import type { Draft } from './draft.ts';
import { mergeDrafts, shortLength } from './draft.ts';
import { valueAt } from './typed.ts';

export interface Theirs {
  readonly draft: Draft;
  readonly token: number;
  readonly by: string;
}

interface ClashProps {
  readonly base: Draft;
  readonly ours: Draft;
  readonly theirs: Theirs;
  readonly isBusy: boolean;
  readonly onSave: (draft: Draft) => void;
  /** Continues with their version and drops our edits. */
  readonly onTakeTheirs: () => void;
}

const mostFields = 8;
/** Lengths, which the server returns in milliseconds. */
const lengths =
  /^(catchup|catchupPace|timeout|attemptTimeout|unclaimedTimeout|idleClose|retry\.(initial|longest))$/;

function written(value: unknown, path: string): string {
  if (value === undefined || value === '') return 'nothing';
  return lengths.test(path) ? shortLength(value) : shortValue(value, path);
}

export function Clash({ base, ours, theirs, isBusy, onSave, onTakeTheirs }: ClashProps) {
  const answer = useRef<HTMLButtonElement>(null);
  // The button that was pressed is gone. While the page is busy, this one cannot take the focus.
  useEffect(() => {
    if (!isBusy) takeFocus(answer.current);
  }, [isBusy]);
  const { both, merged, theirs: changed } = mergeDrafts(base, theirs.draft, ours);
  const who = theirs.by === '' ? 'Another person' : theirs.by;
  const touched = new Set(both.map(({ path }) => path));
  const onlyTheirs = changed.filter((path) => !touched.has(path));
  return (
    <div role="alert" className="grid gap-2">
      <Note family="person" icon="person">
        <b>
          {who} saved this schedule while you were editing
          {changed.length === 0 ? '' : `: ${changed.slice(0, mostFields).join(', ')}`}.
        </b>{' '}
        Nothing of yours is lost.
        <ul className="mt-1 grid gap-0.5 break-words">
          {both.map(({ path, theirs: their, ours: our }) => (
            <li key={path}>
              <code>{path}</code> both of you: theirs <code>{written(their, path)}</code>, yours{' '}
              <code>{written(our, path)}</code>
            </li>
          ))}
          {onlyTheirs.slice(0, mostFields).map((path) => (
            <li key={path}>
              <code>{path}</code> is <code>{written(valueAt(theirs.draft, path), path)}</code> now
            </li>
          ))}
        </ul>
        {both.length === 0 && 'Your changes and theirs do not touch each other.'}
      </Note>
      <div className="flex flex-wrap gap-2">
        <button
          ref={answer}
          type="button"
          className="btn primary"
          disabled={isBusy}
          onClick={() => onSave(merged)}
        >
          {both.length === 0 ? 'Save both' : 'Save both, yours where both changed'}
        </button>
        <button type="button" className="btn" disabled={isBusy} onClick={onTakeTheirs}>
          Drop yours, take theirs
        </button>
      </div>
    </div>
  );
}
