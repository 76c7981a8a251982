/** The lines that the attempts of a run logged, with find and by attempt; a run that goes on is read again as it logs. */
import { useQuery } from '@tanstack/react-query';
import type { RunJson } from 'carillon/client';
import { useState } from 'react';
import { useScope } from '../data/api.ts';
import { Seg } from '../parts/Seg.tsx';
import { clockSecondsText } from '../time/text.ts';
import { linesOf } from './log.ts';

interface LogProps {
  readonly run: RunJson;
  readonly zone: string;
}

const mostLines = 2000;

export function Log({ run, zone }: LogProps) {
  const { api, namespace } = useScope();
  const [attempt, setAttempt] = useState('all');
  const [find, setFind] = useState('');
  const { data: lines } = useQuery({
    queryKey: [namespace, 'run', run.id, 'log'],
    queryFn: async ({ signal }) => {
      const found = [];
      for await (const line of api.runs.log(run.id, { signal })) {
        found.push(line);
        if (found.length >= mostLines) break;
      }
      return found;
    },
    refetchInterval: run.state === 'done' ? false : 2000,
    retry: false,
  });
  if (lines === undefined || lines.length === 0) {
    return run.state === 'done' ? null : (
      <section className="card" aria-labelledby="log">
        <header>
          <h2 id="log">Log</h2>
        </header>
        <p className="body t3">It has logged nothing yet.</p>
      </section>
    );
  }
  const attempts = [...new Set(lines.map((line) => line.attempt))];
  const shown = linesOf(lines, attempt, find);
  const text = shown.map((line) => `${line.at} ${line.attempt} ${line.text}`).join('\n');
  return (
    <section className="card" aria-labelledby="log">
      <header className="flex-wrap">
        <h2 id="log">Log</h2>
        {attempts.length > 1 && (
          <Seg
            label="Attempt"
            options={[
              { value: 'all', text: 'All' },
              ...attempts.map((each) => ({ value: String(each), text: String(each) })),
            ]}
            value={attempt}
            onChange={setAttempt}
          />
        )}
        <span className="flex-1" />
        <input
          className="input h-7! w-44!"
          aria-label="Find in the log"
          placeholder="Find in log"
          value={find}
          onChange={(event) => setFind(event.target.value)}
        />
        <a
          className="btn"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download={`run-${run.id}.log`}
        >
          Download
        </a>
      </header>
      <ol className="log" tabIndex={0} aria-label="Lines">
        {shown.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have nothing but their place
          <li key={index} className={/\berror\b/i.test(line.text) ? 'bad' : ''}>
            <span>{clockSecondsText(zone, Date.parse(line.at))}</span>
            <span>{line.attempt}</span>
            {line.text}
          </li>
        ))}
        {shown.length === 0 && <li className="t3">No line has that.</li>}
      </ol>
    </section>
  );
}
