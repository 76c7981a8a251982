/** What a change would do: sentences first, then the fields and the coming times that change. */
import type { Effects } from 'carillon/client';
import { shortValue } from '../audit/change.ts';
import { Note } from '../parts/Note.tsx';
import { Word } from '../verdict/Mark.tsx';
import { isLook } from '../verdict/verdict.ts';

export function EffectsView({ effects }: { readonly effects: Effects }) {
  const { text, verdicts, changes, starts, status } = effects;
  const lost = Object.entries(verdicts).filter(([verdict]) => !verdict.startsWith('started'));
  const family = starts > 0 || status.before !== status.after ? 'busy' : lost.length > 0 ? 'policy' : 'spec';
  return (
    <Note family={family} icon="bolt">
      <b>What will happen</b>
      <ul>
        {text.map((sentence) => (
          <li key={sentence}>{wordsOf(sentence)}</li>
        ))}
      </ul>
      {lost.length > 0 && (
        <div className="mt-1 flex flex-wrap gap-3">
          {lost.map(([verdict, count]) =>
            isLook(verdict) ? (
              <span key={verdict} className="flex gap-1.5">
                <Word look={verdict} /> {count}
              </span>
            ) : null,
          )}
        </div>
      )}
      {changes.length > 0 && (
        <ul className="mt-1">
          {changes.slice(0, 12).map(({ path, before, after }) => (
            <li key={path} className="mono break-all">
              <span className="t3">{path}</span> {before === undefined ? '' : shortValue(before, path)}
              {after === undefined ? '' : ` → ${shortValue(after, path)}`}
            </li>
          ))}
        </ul>
      )}
    </Note>
  );
}

/** `1 slot becomes skippedOverlap.` is said in plain words. */
function wordsOf(sentence: string): string {
  return sentence.replace(/\bskippedOverlap\b/, 'skipped: the run before is still going');
}
