/** The definition tried on the past week, beside the one in force. */
import { useMutation } from '@tanstack/react-query';
import type { ScheduleInput, TrialCounts } from 'carillon/client';
import { troubleOf, useScope } from '../data/api.ts';
import { Note } from '../parts/Note.tsx';
import { countText, dayText } from '../time/text.ts';
import { Word } from '../verdict/Mark.tsx';
import type { Look } from '../verdict/verdict.ts';
import type { Draft } from './draft.ts';

interface TrialProps {
  readonly id: string;
  readonly draft: Draft;
  readonly zone: string;
  readonly isDisabled: boolean;
}

const shown: readonly (readonly [keyof TrialCounts, Look])[] = [
  ['started', 'started'],
  ['startedLate', 'startedLate'],
  ['skippedOverlap', 'skippedOverlap'],
  ['missedWindow', 'missedWindow'],
  ['buffered', 'buffered'],
  ['stopped', 'runStopped'],
];

export function Trial({ id, draft, zone, isDisabled }: TrialProps) {
  const scope = useScope();
  const trial = useMutation({
    mutationFn: async () => ({
      draft,
      effects: await scope.api.dryRun.trial(id, draft as ScheduleInput),
    }),
  });
  const found = trial.data?.effects.trial;
  const isOld = trial.data !== undefined && trial.data.draft !== draft;
  return (
    <div className="grid gap-2">
      <div>
        <button
          type="button"
          className="btn"
          disabled={isDisabled || trial.isPending}
          onClick={() => trial.mutate()}
        >
          Try on the past week
        </button>
      </div>
      {trial.error !== null && <Note family="fail">{troubleOf(trial.error).message}</Note>}
      {found !== undefined && (
        <div className={isOld ? 'grayscale' : ''} aria-live="polite">
          <table className="table">
            <thead>
              <tr>
                <th scope="col">Since {dayText(zone, Date.parse(found.from))}</th>
                <th scope="col" className="num">
                  As it is
                </th>
                <th scope="col" className="num">
                  {isOld ? 'An earlier try' : 'As edited'}
                </th>
              </tr>
            </thead>
            <tbody>
              {shown
                .filter(([name]) => (found.before[name] ?? 0) + (found.after[name] ?? 0) > 0)
                .map(([name, look]) => (
                  <tr key={name}>
                    <td>
                      <Word look={look} />
                    </td>
                    <td className="num">{countText(found.before[name] ?? 0)}</td>
                    <td className="num font-semibold">{countText(found.after[name] ?? 0)}</td>
                  </tr>
                ))}
            </tbody>
          </table>
          <p className="help">
            {found.measured === 0
              ? 'No run was measured yet: every run counts as done at once.'
              : `With the lengths of ${countText(found.measured)} real runs. Pauses and outages are left out on both sides.`}
            {found.isWhole ? '' : ' Only the first 5,000 slots were tried.'}
          </p>
        </div>
      )}
    </div>
  );
}
