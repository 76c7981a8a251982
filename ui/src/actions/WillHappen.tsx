/** What a change would do, in the sentences of the server. */
import type { ReactNode } from 'react';
import { Note } from '../parts/Note.tsx';
import { usePageZone } from '../time/choice.ts';
import { serverNow } from '../time/now.ts';
import type { Family } from '../verdict/verdict.ts';
import { withTimes } from './sentence-times.ts';

interface WillHappenProps {
  readonly family: Family;
  readonly text: readonly string[];
  /** The part that the sentences are about, when it is not all that was asked for. */
  readonly of?: string;
  readonly zone?: string;
  readonly children?: ReactNode;
}

export function WillHappen({ family, text, of = '', zone: own, children }: WillHappenProps) {
  const page = usePageZone();
  const zone = own ?? page;
  return (
    <Note family={family} icon="bolt">
      <b>What will happen{of}</b>
      <ul>
        {text.map((sentence) => (
          <li key={sentence}>{withTimes(sentence, zone, serverNow())}</li>
        ))}
      </ul>
      {children}
    </Note>
  );
}
