/** Shows who declares the schedule, which fields people have changed since, and what the next deploy will do to them. */
import { useQuery } from '@tanstack/react-query';
import type { ScheduleJson } from 'carillon/client';
import { shortValue } from '../audit/change.ts';
import { useScope } from '../data/api.ts';
import { Note } from '../parts/Note.tsx';
import { plural, sinceText } from '../time/text.ts';
import { declarerText, deployedOf } from './deploy.ts';
import { declarationQuery } from './queries.ts';

interface DeployProps {
  readonly schedule: ScheduleJson;
  readonly now: number;
}

export function Deploy({ schedule, now }: DeployProps) {
  const { id, owner, declaredBy, paused } = schedule;
  const entries = useQuery(declarationQuery(useScope(), id)).data?.items;
  if (entries === undefined) return null;
  const { at, drift } = deployedOf(entries);
  const when = at === undefined ? '' : `, last ${sinceText(at, now)}`;
  const isPaused = paused !== null;
  return (
    <Note family={drift.length === 0 ? 'spec' : 'policy'} icon="node">
      <b>
        {owner} declares this schedule in {declarerText(declaredBy)}
        {when}.
      </b>{' '}
      {drift.length === 0
        ? 'It is as declared; the next deploy changes nothing.'
        : `The next deploy puts back ${plural(drift.length, 'field')} that people changed.`}{' '}
      {isPaused && 'The pause stays.'}
      {drift.length > 0 && (
        <ul className="mt-1 grid gap-0.5">
          {drift.map(({ path, before, after, by, at: changedAt }) => (
            <li key={path} className="break-words">
              <code>{path}</code> from <code>{shortValue(after ?? 'nothing', path)}</code> to{' '}
              <code>{shortValue(before ?? 'nothing', path)}</code>{' '}
              <span className="t3">
                {by} changed it {sinceText(changedAt, now)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Note>
  );
}
