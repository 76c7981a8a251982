/** What a change would do: the sentences of the server, and the stored fields for those who look for them. */
import type { Effects } from 'carillon/client';
import { shortValue } from '../audit/change.ts';
import { countText, plural } from '../time/text.ts';
import { Word } from '../verdict/Mark.tsx';
import { isLook } from '../verdict/verdict.ts';
import { WillHappen } from './WillHappen.tsx';

const mostFields = 12;

interface EffectsViewProps {
  readonly effects: Effects;
  /** The zone of the schedule; that of the page unless given. */
  readonly zone?: string;
}

export function EffectsView({ effects, zone }: EffectsViewProps) {
  const { text, verdicts, changes, starts, status, next } = effects;
  const isNew = status.before === 'absent' && next.after !== null;
  const sentences = isNew ? [...text, `Its first slot is at ${next.after}.`] : text;
  const lost = Object.entries(verdicts).filter(([verdict]) => !verdict.startsWith('started'));
  const family = starts > 0 || status.before !== status.after ? 'busy' : lost.length > 0 ? 'policy' : 'spec';
  return (
    <WillHappen family={family} text={sentences} {...(zone === undefined ? {} : { zone })}>
      {lost.length > 0 && (
        <div className="mt-1 flex flex-wrap gap-3">
          {lost.map(([verdict, count]) =>
            isLook(verdict) ? (
              <span key={verdict} className="flex gap-1.5">
                <Word look={verdict} /> {countText(count)}
              </span>
            ) : null,
          )}
        </div>
      )}
      {changes.length > 0 && (
        <details className="mt-1">
          <summary className="t2 cursor-pointer">{plural(changes.length, 'field')} in detail</summary>
          <ul>
            {changes.slice(0, mostFields).map(({ path, before, after }) => (
              <li key={path} className="mono break-all">
                <span className="t3">{path}</span> {before === undefined ? '' : shortValue(before, path)}
                {after === undefined ? '' : ` → ${shortValue(after, path)}`}
              </li>
            ))}
          </ul>
          {changes.length > mostFields && <p>and {changes.length - mostFields} more</p>}
        </details>
      )}
    </WillHappen>
  );
}
