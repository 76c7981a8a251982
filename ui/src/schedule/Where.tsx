/** The slots of three months, or since the schedule was created, by verdict; the counts add up to all slots. */
import { useQuery } from '@tanstack/react-query';
import { useScope } from '../data/api.ts';
import { Command } from '../parts/Copy.tsx';
import { quoted } from '../parts/quoted.ts';
import { SkeletonBox } from '../parts/Skeleton.tsx';
import { countText, plural } from '../time/text.ts';
import { wordsOf } from '../timeline/bins.ts';
import { countsOf } from '../timeline/from-answers.ts';
import { miniBin, miniRange } from '../timeline/mini.ts';
import { Word } from '../verdict/Mark.tsx';
import type { Look } from '../verdict/verdict.ts';
import { familyOf } from '../verdict/verdict.ts';
import { coveredText } from './covered.ts';
import { binsQuery } from './queries.ts';
import { sharesOf } from './shares.ts';

interface WhereProps {
  readonly id: string;
  readonly createdAt: number;
  readonly now: number;
}

export function Where({ id, createdAt, now }: WhereProps) {
  const scope = useScope();
  // The map under the timeline makes the same request.
  const range = miniRange(now, createdAt);
  const answer = useQuery(binsQuery(scope, id, range, miniBin(range))).data;
  if (answer === undefined) {
    return (
      <section className="card">
        <SkeletonBox height={120} />
      </section>
    );
  }
  const counts: Partial<Record<Look, number>> = {};
  for (const { verdicts, outcomes, unfinished, replaced, forgotten } of answer.bins) {
    const found = countsOf(verdicts, outcomes, { unfinished, replaced, forgotten });
    for (const [look, count] of Object.entries(found) as [Look, number][]) {
      counts[look] = (counts[look] ?? 0) + count;
    }
  }
  const rows = wordsOf({ counts });
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  const shares = sharesOf(rows.map(({ count }) => count));
  return (
    <section className="card" aria-labelledby="where">
      <header className="flex-wrap">
        <h2 id="where">Where its slots went</h2>
        <span className="t3">{coveredText({ from: range.from, createdAt, now })}</span>
      </header>
      <div className="body">
        <p className="t2 mb-2">
          {total === 0 ? 'No slot has come yet.' : `${plural(total, 'slot')}, each with one verdict.`}
        </p>
        <div className="mb-3 flex h-1.5 gap-0.5" aria-hidden="true">
          {rows.map(({ look, count }) => (
            <span
              key={look}
              className="rounded-full"
              style={{
                flexGrow: Math.max(count / total, 0.012),
                background: `var(--${familyOf(look)})`,
                opacity: look === 'outcomeForgotten' ? 0.4 : 1,
              }}
            />
          ))}
        </div>
        <table className="w-full">
          <tbody>
            {rows.map(({ look, count }, place) => (
              <tr key={look}>
                <td className="py-0.5">
                  <Word look={look} />
                </td>
                <td className="text-right">{countText(count)}</td>
                <td className="t3 w-16 text-right">{shares[place]}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {counts.outcomeForgotten !== undefined && (
          <p className="micro mt-2">
            Verdicts are kept longer than runs: how the oldest {plural(counts.outcomeForgotten, 'run')} ended
            is no longer known.
          </p>
        )}
        <div className="mt-3">
          <Command text={`carillon verify ${quoted(id)}`} />
        </div>
      </div>
    </section>
  );
}
