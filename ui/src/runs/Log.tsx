/**
 * The log lines of a run, filtered by attempt and searched; both are in the address. The log of an unfinished run is read again
 * while it grows, and the view follows the newest line as long as the person has not scrolled up.
 */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { RunJson } from 'carillon/client';
import { useLayoutEffect, useRef, useState } from 'react';
import { useScope } from '../data/api.ts';
import { CopyButton } from '../parts/Copy.tsx';
import { Failed } from '../parts/Failed.tsx';
import { Seg } from '../parts/Seg.tsx';
import { changeSearch } from '../route/address.ts';
import { useSearch } from '../route/hooks.ts';
import { clockMsText, countText, plural } from '../time/text.ts';
import type { Line } from './log.ts';
import { attemptNumbers, isBad, linesOf, partsOf, restOf } from './log.ts';

interface LogProps {
  readonly run: RunJson;
  readonly zone: string;
  /** The numbers of the known attempts. */
  readonly known: readonly number[];
}

/** The server keeps 2000 lines of each of ten attempts, and a line in each that says that lines were dropped. */
const mostLines = 20_100;

/** The number of lines in the document at first, and of those that each 'earlier' adds. */
const mostShown = 500;

export function Log({ run, zone, known }: LogProps) {
  const { api, namespace } = useScope();
  const { attempt, find = '' } = useSearch();
  const chosen = /^[1-9]\d{0,5}$/.test(attempt ?? '') ? Number(attempt) : undefined;
  const {
    data: lines,
    error,
    refetch,
  } = useQuery({
    queryKey: [namespace, 'run', run.id, 'log', chosen ?? null],
    queryFn: async ({ signal }) => {
      const found: Line[] = [];
      const only = chosen === undefined ? {} : { attempt: chosen };
      for await (const line of api.runs.log(run.id, { ...only, signal })) {
        found.push(line);
        if (found.length >= mostLines) break;
      }
      return found;
    },
    refetchInterval: ({ state }) => (run.state === 'done' ? false : restOf(state.data?.length ?? 0)),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const attempts = attemptNumbers(known, lines ?? []);
  const isEmpty = lines !== undefined && lines.length === 0;
  if (lines === undefined && error === null) return null;
  if (isEmpty && chosen === undefined && run.state === 'done') return null;
  const shown = linesOf(lines ?? [], find);
  return (
    <section className="card" aria-labelledby="log">
      <header className="flex-wrap">
        <h2 id="log">Log</h2>
        {(attempts.length > 1 || chosen !== undefined) && (
          <Seg
            label="Attempt"
            options={[
              { value: 'all', text: 'All' },
              ...attempts.map((each) => ({ value: String(each), text: String(each) })),
            ]}
            value={chosen === undefined ? 'all' : String(chosen)}
            onChange={(next) =>
              changeSearch({ attempt: next === 'all' ? undefined : next }, { replace: true })
            }
          />
        )}
        {lines !== undefined && !isEmpty && (
          <>
            <span className="t3" aria-live="polite">
              {find.trim() === ''
                ? plural(lines.length, 'line')
                : `${countText(shown.length)} of ${plural(lines.length, 'line')}`}
            </span>
            <span className="flex-1" />
            <input
              className="input h-7! w-44!"
              type="search"
              aria-label="Find in the log"
              placeholder="Find in log"
              value={find}
              onChange={(event) => changeSearch({ find: event.target.value }, { replace: true })}
            />
            <CopyButton
              text={`carillon run log ${run.id}${chosen === undefined ? '' : ` --attempt ${chosen}`}`}
              label="Copy the command for this log"
            />
            <button type="button" className="btn" onClick={() => download(run.id, shown)}>
              Download
            </button>
          </>
        )}
      </header>
      {lines === undefined ? (
        <Failed what="The log" error={error} onRetry={() => void refetch()} />
      ) : isEmpty ? (
        <p className="body t3">
          {chosen === undefined ? 'It has logged nothing yet.' : `Attempt ${chosen} has logged nothing.`}
        </p>
      ) : (
        <Lines
          key={`${chosen} ${find}`}
          lines={shown}
          find={find}
          zone={zone}
          endsAtLast={run.outcome !== 'completed'}
        />
      )}
    </section>
  );
}

interface LinesProps {
  readonly lines: readonly Line[];
  readonly find: string;
  readonly zone: string;
  /** Whether to begin at the last lines, which say how the run failed, or what it does now. */
  readonly endsAtLast: boolean;
}

/** The distance from the end, in px, within which the view follows new lines. A person who scrolled up further is reading. */
const nearEnd = 40;

function Lines({ lines, find, zone, endsAtLast }: LinesProps) {
  const [most, setMost] = useState(mostShown);
  const list = useRef<HTMLOListElement>(null);
  const isAtEnd = useRef(endsAtLast);
  const count = lines.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a longer list is what moves it
  useLayoutEffect(() => {
    const { current } = list;
    if (current !== null && isAtEnd.current) current.scrollTop = current.scrollHeight;
  }, [count]);
  const from = Math.max(0, count - most);
  return (
    <ol
      ref={list}
      className="log"
      tabIndex={0}
      aria-label="Lines"
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        isAtEnd.current = endsAtLast && scrollHeight - scrollTop - clientHeight < nearEnd;
      }}
    >
      {from > 0 && (
        <li>
          <button type="button" className="btn quiet" onClick={() => setMost(most + 4 * mostShown)}>
            {plural(from, 'earlier line')}: show {from > 4 * mostShown ? 'more' : 'all'}
          </button>
        </li>
      )}
      {lines.slice(from).map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have nothing but their place
        <li key={from + index} className={isBad(line.text) ? 'bad' : ''}>
          <span>{clockMsText(zone, Date.parse(line.at))}</span>
          <span>{line.attempt}</span>
          <bdi>
            {partsOf(line.text, find).map((part, place) =>
              // biome-ignore lint/suspicious/noArrayIndexKey: parts have nothing but their place
              place % 2 === 1 ? <mark key={place}>{part}</mark> : part,
            )}
          </bdi>
        </li>
      ))}
      {count === 0 && <li className="t3">No line has that.</li>}
    </ol>
  );
}

/** Downloads the shown lines as a file, from a blob, because browsers refuse long data addresses. */
function download(id: string, lines: readonly Line[]): void {
  const text = lines.map((line) => `${line.at} ${line.attempt} ${line.text}\n`).join('');
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `run-${id}.log`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
